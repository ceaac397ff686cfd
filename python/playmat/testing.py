"""The conformance suite for Python: for games of the engine and for other people's environments.

>>> import playmat, playmat.testing
>>> report = playmat.testing.check(playmat.Game("tic_tac_toe"), only=["A1", "A4"])
>>> report.passed
True
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid

__all__ = ["Check", "EnvLike", "Failure", "Report", "check"]


@runtime_checkable
class EnvLike(Protocol):
    """The interface that :func:`check` needs: the turn view of :class:`playmat.Env`.

    ``current_player`` is negative when the episode is over. ``step`` raises for an illegal action
    and leaves everything as it was. ``clone()`` gives an independent copy that looks the same; its
    chance may differ, so that a search on it cannot look ahead. Optional, checked if there:
    ``legal_actions()``, ``acting_players``, ``rewards``, ``to_bytes()``, ``copy.copy``,
    ``sample_hidden(player, seed)``.
    """

    @property
    def done(self) -> bool: ...
    @property
    def current_player(self) -> int: ...
    @property
    def returns(self) -> Sequence[float] | NDArray[Any]: ...
    def observation(self, player: Any = ..., /) -> NDArray[Any]: ...
    def action_mask(self, player: Any = ..., /) -> NDArray[Any]: ...
    def step(self, action: Any, /) -> object: ...
    def clone(self) -> Any: ...


@dataclass
class Failure:
    """One failure of a check, and how to reproduce it."""

    seed: int
    actions: list[int]
    message: str
    command: str = ""


@dataclass
class Check:
    """The result of one check; identifiers are those of the Rust suite."""

    id: str
    title: str
    states: int = 0
    players: int = 0
    actions: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    not_applicable: str | None = None
    """Why the check does not concern this game, or cannot be made here."""
    not_given: str | None = None
    """The hook that the check needs and the game does not give: nothing was checked."""
    notes: list[str] = field(default_factory=list)


@dataclass
class Report:
    """All checks of one game or environment."""

    game: str
    checks: list[Check]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failing

    @property
    def failing(self) -> list[str]:
        """Identifiers of the checks that failed."""
        return [check.id for check in self.checks if check.failed]

    def __getitem__(self, name: str) -> Check:
        for one in self.checks:
            if one.id == name:
                return one
        raise KeyError(name)

    def __str__(self) -> str:
        lines = [f"conformance of {self.game}"]
        for one in self.checks:
            verdict = "FAILED" if one.failed else "ok"
            seen = f"{one.states} states, {one.players} player views, {one.actions} actions"
            if one.not_applicable is not None and not one.failed:
                verdict, seen = "-", one.not_applicable
            elif one.not_given is not None and not one.failed:
                verdict, seen = "?", f"not given: {one.not_given}"
            lines.append(f"{one.id:4} {verdict:6} {one.title} ({seen})")
            for failure in one.failures[:3]:
                lines.append(f"       {failure.message}")
                lines.append(f"       seed {failure.seed}, actions {failure.actions}")
                if failure.command:
                    lines.append(f"       {failure.command}")
            lines += [f"       note: {note}" for note in one.notes]
        return "\n".join(lines)


def check(
    target: playmat.Game | Callable[[int], EnvLike],
    *,
    seed: int = 1,
    episodes: int = 6,
    only: Sequence[str] | None = None,
    raises: bool = True,
    max_decisions: int = 100_000,
    return_range: tuple[float, float] | None = None,
    zero_sum: bool | None = None,
) -> Report:
    """Checks that a game or an environment keeps its promises.

    Args:
        target: A :class:`playmat.Game`: the engine's own suite runs on it, in Rust. Or a function
            from a seed to an environment that follows :class:`EnvLike`: mask, list and legality
            agree, refused actions change nothing, observations and rewards are in order, clones
            are independent, equal seeds give equal episodes, episodes end.
        seed: Root of all seeds.
        episodes: How many are played with every position checked; the engine's suite also sweeps
            through 64 times as many.
        only: Identifiers of the checks to make; None for all.
        raises: Raise AssertionError with the whole report if anything failed.
        max_decisions: For functions: no episode may be longer.
        return_range: For functions: smallest and largest return of a player.
        zero_sum: For functions: whether rewards must sum to zero; None does not check it.

    Returns:
        The report. A check that saw nothing has failed.
    """
    if isinstance(target, playmat.Game):
        found = target._conformance(seed, episodes, list(only or []))
        checks = [
            Check(**{**one, "failures": [Failure(**failure) for failure in one["failures"]]})
            for one in found["checks"]
        ]
        report = Report(found["game"], checks)
    else:
        if not callable(target):
            raise invalid(
                "target",
                f"got {target!r}; wanted a game or a function from a seed to an environment",
            )
        suite = _Suite(target, seed, episodes, only, max_decisions, return_range, zero_sum)
        report = suite.run()
    if raises and not report.passed:
        raise AssertionError(str(report))
    return report


def _checked(env: EnvLike) -> EnvLike:
    """The environment, if it has everything that the suite needs."""
    needed = ("done", "current_player", "returns", "observation", "action_mask", "step", "clone")
    missing = [name for name in needed if not hasattr(env, name)]
    if missing:
        raise invalid(
            "target",
            f"gives `{type(env).__name__}`, which has no {', '.join(missing)}; see EnvLike",
        )
    return env


_TITLES = {
    "T1": "the current player is a valid number while running, negative at the end",
    "T2": "every acting player has a legal action; after the end no player has",
    "T3": "a player who does not act has no legal action",
    "T7": "episodes end within the declared number of decisions",
    "A1": "the mask has one entry per action, all 0 or 1, the same number at all times",
    "A2": "the list of legal actions ascends and is exactly the mask",
    "A4": "legal actions are accepted; others are refused and change nothing",
    "A5": "after the end every action is refused",
    "V1": "observations have one shape and type for every player at every state",
    "V2": "observations are finite",
    "V5": "observing twice gives the same and changes nothing",
    "H1": "what a player sees and may do is the same in its determinizations",
    "R2": "rewards sum to the returns",
    "R3": "returns lie in the declared range",
    "R4": "rewards sum to zero",
    "R6": "rewards and returns are finite numbers, one per player",
    "C1": "a clone looks the same",
    "C3": "playing on a clone does not change the original",
    "C5": "bytes of an exact copy are equal",
    "S1": "equal seeds and actions give equal episodes",
    "S2": "another seed gives another episode",
}


class _Suite:
    """The checks that Python can make of any environment, in one walk through each episode."""

    def __init__(
        self,
        make: Callable[[int], EnvLike],
        seed: int,
        episodes: int,
        only: Sequence[str] | None,
        max_decisions: int,
        return_range: tuple[float, float] | None,
        zero_sum: bool | None,
    ) -> None:
        self.make = make
        self.seed = seed
        self.episodes = episodes
        self.max_decisions = max_decisions
        self.return_range = return_range
        self.zero_sum = zero_sum
        for name in only or ():
            if name not in _TITLES:
                known = ", ".join(_TITLES)
                raise ValueError(f"got a check `{name}`; allowed: {known}")
        self.checks = {name: Check(name, _TITLES[name]) for name in only or _TITLES}
        self.draws = random.Random(seed)
        self.shape: tuple[Any, ...] | None = None
        self.num_actions = 0
        self.players = 0
        self.actions: list[int] = []
        self.episode = 0

    def run(self) -> Report:
        """Plays all episodes; a check that saw nothing has failed."""
        first = []
        for number in range(self.episodes):
            self.episode = self.seed + number
            first.append(self.walk())
        # Games without chance begin alike: their episodes differ by the actions alone.
        if self.checks.get("S2") and len(set(first)) == 1:
            self.checks["S2"].not_applicable = "all episodes begin alike: no chance at the start"
        for one in self.checks.values():
            if one.states == 0 and one.not_applicable is None:
                one.failed += 1
                one.failures.append(Failure(self.seed, [], "the check saw nothing"))
        return Report(
            getattr(self.make, "__name__", type(self.make).__name__), list(self.checks.values())
        )

    def note(self, name: str, holds: bool, message: str, actions: int = 0) -> None:
        """Counts one use of a check."""
        one = self.checks.get(name)
        if one is None:
            return
        one.states += 1
        one.players += self.players
        one.actions += actions
        if not holds:
            one.failed += 1
            if len(one.failures) < 5:
                one.failures.append(Failure(self.episode, list(self.actions), message))

    def skip(self, name: str, why: str) -> None:
        """Says why a check cannot be made."""
        if name in self.checks:
            self.checks[name].not_applicable = why

    def walk(self) -> bytes:
        """Plays one random episode and checks every position; returns its first position."""
        env, twin = _checked(self.make(self.episode)), self.make(self.episode)
        self.actions = []
        self.players = len(env.returns)
        total = np.zeros(self.players)
        began = self.view(env)
        self.note("S2", True, "")
        clone, snapshot = env.clone(), b""
        while not env.done and len(self.actions) <= self.max_decisions:
            legal = self.check_position(env)
            self.note(
                "S1", self.view(env) == self.view(twin), "two environments of one seed differ"
            )
            if not legal:
                return began
            if len(self.actions) % 7 == 0:
                clone, snapshot = self.check_clone(env)
            action = self.draws.choice(legal)
            if not self.play(env, action):
                return began
            twin.step(action)
            self.actions.append(action)
            total = self.check_rewards(env, total)
        ended = bool(env.done)
        self.note("T7", ended, f"no end after {self.max_decisions} decisions", len(self.actions))
        if ended:
            self.check_end(env)
        if snapshot:
            same = self.view(clone) == snapshot
            self.note("C3", same, "an earlier clone changed while the original was played on")
        return began

    def check_position(self, env: EnvLike) -> list[int]:
        """Checks a position that is not the end; returns the legal actions."""
        player = env.current_player
        self.note("T1", 0 <= player < self.players, f"player {player} of {self.players}")
        mask = np.asarray(env.action_mask())
        self.num_actions = self.num_actions or len(mask)
        fine = mask.shape == (self.num_actions,) and bool(np.isin(mask, (0, 1)).all())
        self.note("A1", fine, f"a mask of shape {mask.shape} with {np.unique(mask)[:5]}", len(mask))
        legal = [int(action) for action in np.flatnonzero(mask)]
        self.note("T2", bool(legal), "nothing is legal")
        if hasattr(env, "legal_actions"):
            listed = [int(action) for action in env.legal_actions()]
            self.note("A2", listed == legal, f"the list says {listed[:8]}, the mask {legal[:8]}")
        else:
            self.skip("A2", "there is no legal_actions()")
        self.check_others(env)
        self.check_observations(env)
        self.check_determinizations(env)
        before = self.view(env)
        others = [a for a in range(self.num_actions) if a not in set(legal)]
        outside = [-1, self.num_actions, 2**31, 2**63 - 1]
        for action in self.draws.sample(others, min(4, len(others))) + outside:
            refused = not self.accepts(env, action)
            self.note("A4", refused, f"action {action} is not legal, but was played", 1)
            if not refused:
                return []
            same = self.view(env) == before
            self.note("A4", same, f"the refused action {action} changed something", 1)
        return legal

    def check_others(self, env: EnvLike) -> None:
        """Checks that a player that need not act has no legal action."""
        acting = {int(player) for player in getattr(env, "acting_players", [env.current_player])}
        for player in range(self.players):
            if player not in acting:
                empty = not np.asarray(env.action_mask(player)).any()
                self.note("T3", empty, f"player {player} does not act and has legal actions")
        if self.players == 1:
            self.skip("T3", "there is one player")

    def check_determinizations(self, env: EnvLike) -> None:
        """Checks that a player sees the same in its determinizations as in the true state."""
        if not hasattr(env, "sample_hidden"):
            self.skip("H1", "there is no sample_hidden()")
            return
        for player in range(self.players):
            before = self.view(env)
            sampled = env.sample_hidden(player, self.draws.getrandbits(32))
            same = np.array_equal(env.observation(player), sampled.observation(player))
            self.note("H1", same, f"player {player} sees something else in a determinization")
            same = np.array_equal(env.action_mask(player), sampled.action_mask(player))
            self.note("H1", same, f"player {player} has other legal actions in a determinization")
            self.note("H1", self.view(env) == before, "sampling changed the position")

    def check_observations(self, env: EnvLike) -> None:
        """Checks the observations of the players."""
        before = saved_position(env)
        for player in range(self.players):
            one = np.array(env.observation(player))
            two = np.array(env.observation(player))
            form = (one.shape, one.dtype)
            self.shape = self.shape or form
            self.note("V1", form == self.shape, f"{form} for player {player}, before {self.shape}")
            self.note("V2", bool(np.isfinite(one).all()), f"player {player} sees no finite number")
            self.note("V5", np.array_equal(one, two), f"player {player} sees two things at once")
        after = saved_position(env)
        self.note("V5", after == before, "observing changed the position")

    def check_clone(self, env: EnvLike) -> tuple[Any, bytes]:
        """Plays on a clone to the end; returns another clone and what it shows."""
        before = self.view(env)
        clone = env.clone()
        self.note("C1", self.shown(clone) == self.shown(env), "a clone looks different")
        while not clone.done:
            legal = np.flatnonzero(clone.action_mask())
            if not self.play(clone, int(self.draws.choice(legal))):
                break
        self.note("C3", self.view(env) == before, "playing on a clone changed the original")
        if hasattr(env, "to_bytes") and hasattr(type(env), "__copy__"):
            same = env.to_bytes() == copy.copy(env).to_bytes()
            self.note("C5", same, "bytes of a copy differ")
        else:
            self.skip("C5", "there is no to_bytes() or no __copy__()")
        clone = env.clone()
        return clone, self.view(clone)

    def check_rewards(self, env: EnvLike, total: NDArray[Any]) -> NDArray[Any]:
        """Checks the rewards of a step; returns their sum so far."""
        returns = np.asarray(env.returns, float)
        fine = returns.shape == (self.players,) and bool(np.isfinite(returns).all())
        self.note("R6", fine, f"returns are {returns}")
        if not hasattr(env, "rewards"):
            self.skip("R2", "there are no rewards")
            self.skip("R4", "there are no rewards")
            return total
        rewards = np.asarray(env.rewards, float)
        total = total + rewards
        fine = np.allclose(total, returns, atol=1e-4)
        self.note("R2", fine, f"rewards sum to {total}, returns are {returns}")
        if self.zero_sum is None:
            self.skip("R4", "not declared")
        elif self.zero_sum:
            self.note("R4", abs(rewards.sum()) < 1e-4, f"rewards {rewards} do not sum to zero")
        else:
            self.skip("R4", "declared not to be zero-sum")
        return total

    def check_end(self, env: EnvLike) -> None:
        """Checks a finished episode."""
        self.note("T1", env.current_player < 0, f"player {env.current_player} at the end")
        mask = np.asarray(env.action_mask(0))
        self.note("T2", not mask.any(), "something is legal at the end")
        returns = np.asarray(env.returns, float)
        if self.return_range is None:
            self.skip("R3", "not declared")
        else:
            low, high = self.return_range
            fine = bool(((returns >= low - 1e-6) & (returns <= high + 1e-6)).all())
            self.note("R3", fine, f"returns {returns} outside {low} to {high}")
        before = self.view(env)
        for action in (0, self.num_actions - 1):
            refused = not self.accepts(env, action) and self.view(env) == before
            self.note("A5", refused, f"action {action} did something after the end", 1)
        self.check_observations(env)

    def play(self, env: EnvLike, action: int) -> bool:
        """Plays a legal action."""
        try:
            env.step(action)
        except Exception as error:
            self.note("A4", False, f"the legal action {action} was refused: {error}", 1)
            return False
        self.note("A4", True, "", 1)
        return True

    @staticmethod
    def accepts(env: EnvLike, action: int) -> bool:
        """Whether the environment accepts an action."""
        try:
            env.step(action)
        except Exception:
            return False
        return True

    def shown(self, env: EnvLike) -> bytes:
        """The observations and masks of an environment's players, as bytes."""
        parts = [bytes([env.done]), str(env.current_player).encode()]
        parts += [np.asarray(env.observation(player)).tobytes() for player in range(self.players)]
        parts += [np.asarray(env.action_mask()).tobytes(), np.asarray(env.returns).tobytes()]
        return b"|".join(parts)

    def view(self, env: EnvLike) -> bytes:
        """The same, and its bytes if it can save itself: they include future chance."""
        return self.shown(env) + b"|" + saved_position(env)


def saved_position(env: EnvLike) -> bytes:
    """The saved bytes of an environment, without playmat's random streams, which copies change."""
    data = bytes(env.to_bytes()) if hasattr(env, "to_bytes") else b""
    return data[:-84] if data[-84:-80] == b"PLMS" else data
