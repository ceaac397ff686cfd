"""A batch whose opponents may be Python functions: leagues, fictitious self-play, past policies.

>>> import numpy as np
>>> import playmat
>>> from playmat.pool import PoolEnv
>>> def lowest(obs, mask, player):
...     return mask.argmax(1)
>>> game = playmat.Game("connect_four")
>>> env = PoolEnv(game, 64, opponents={lowest: 1.0, "greedy": 2.0})
>>> batch = env.reset(seed=1)
>>> for _ in range(100):
...     batch = env.step(batch.action_mask.argmax(1))
>>> [opponent["name"] for opponent in env.results()["opponents"]]
['lowest', 'greedy']

Opponents that are agents of the engine need no Python between their decisions:
``game.vec_env(64, view="single", opponents=...)``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

import playmat

__all__ = ["PoolEnv"]

#: ``(obs [n, O], mask bool [n, A], player int32 [n]) -> actions int [n]``.
Function: TypeAlias = Callable[[NDArray[Any], NDArray[np.bool_], NDArray[np.int32]], Any]
Opponent: TypeAlias = "str | os.PathLike[str] | playmat.Agent | Function"
#: One opponent, several, or opponents with weights.
Opponents: TypeAlias = (
    "Opponent | Mapping[Opponent, float] | Sequence[Opponent | tuple[Opponent, float]]"
)


def refusal(argument: str, reason: str) -> playmat.InvalidArgument:
    """The error for an argument."""
    error = playmat.InvalidArgument(f"argument `{argument}`: {reason}")
    error.argument, error.reason = argument, reason
    return error


class Checkpoint:
    """The network of a checkpoint as an opponent."""

    def __init__(self, file: str, game: playmat.Game, seed: int) -> None:
        from playmat.train.arena import load_agent

        if not Path(file).is_file():
            raise refusal("opponents", f"got `{file}`; there is no such file")
        agent = load_agent(file, game, None, seed)
        assert not isinstance(agent, str), "the engine has no agents of this form"
        self.name, self.agent = file, agent
        self.greedy = game.agent("greedy") if agent.takes_greedy else None

    def act(self, venv: playmat.VecEnv, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """The actions in some environments."""
        batch, greedy = venv.batch, None
        if self.greedy is not None:
            where = np.isin(np.arange(venv.num_envs), rows)
            greedy = self.greedy.act_batch(venv, mask=where)[rows]
        return self.agent.act(batch.obs[rows], batch.action_mask[rows], greedy)


def _is_own(agent: playmat.Agent | Checkpoint | Function) -> bool:
    """Whether it is an agent of the engine or of playmat's training, and no function."""
    return isinstance(agent, playmat.Agent | Checkpoint)


class PoolEnv:
    """N episodes of the turn view. The caller plays one player of each; opponents, drawn for each
    episode, play the others.

    A step is one decision in every environment, of the caller where ``batch.player ==
    batch.learner`` and otherwise of an opponent. So every opponent chooses in one call for all
    environments that wait for it. The batch is that of a ``VecEnv`` with the fields ``learner``,
    ``learner_reward``, ``opponent`` and ``final_opponent``; ended episodes are followed by the next
    ones in the same step. Who plays in an episode depends on its seed, not on the batch or the
    threads.

    A function is called at most once per step, in the order of the pool, with new arrays of the
    environments that wait for it. Functions choose before anything else happens. So an exception of
    a function, or a result that is refused, leaves the environments and arrays as they were.

    Args:
        game: The game.
        num_envs: N.
        opponents: The pool: functions ``f(obs, mask, player) -> actions``, agents, specs of
            agents or checkpoints of ``playmat train`` (``checkpoint.pt``, which play as trained and
            need torch); one, a list of them or of pairs with weights, or a mapping to weights.
        learner: The player that the caller plays, or ``"rotate"``: another one in each episode.
        threads: Threads that step.
        dtype: Of observations, as in ``Game.vec_env``.
        first_env: As in ``Game.vec_env``.

    Raises:
        InvalidArgument, InvalidPlayer: Each names what was given and what is allowed.
        Unreadable, WrongIdentity: A file is no checkpoint, or one of another game.
    """

    def __init__(
        self,
        game: playmat.Game,
        num_envs: int,
        *,
        opponents: Opponents,
        learner: int | str = "rotate",
        threads: int = 1,
        dtype: Literal["u8", "f32"] = "u8",
        first_env: int = 0,
    ) -> None:
        fields = [*game.vec_env(1).batch.keys(), "learner", "learner_reward"]
        self.venv = game.vec_env(
            num_envs, threads=threads, dtype=dtype, first_env=first_env, fields=fields
        )
        players = game.num_players
        if players == 1:
            raise refusal("game", "got a game for one player; there are no opponents")
        if learner != "rotate" and learner not in range(players):
            allowed = f"0 to {players - 1}, or `rotate`"
            raise refusal("learner", f"got {learner!r}; allowed: {allowed}")
        self.learner, self.first_env = learner, first_env
        self._judged = bool(game.info()["outcome_on_truncation"])
        self._agents: list[playmat.Agent | Checkpoint | Function] = []
        self._weights = np.zeros(0)
        self._counts = np.zeros((1, 5), np.int64)
        self._returns = np.zeros(1)
        self._learner = np.zeros(num_envs, np.int32)
        self._opponent = np.full((num_envs, players), -1, np.int32)
        self._episode = np.zeros(num_envs, np.int64)
        self._begun = self._is_choosing = False
        pairs = list(_pairs(opponents))
        if not pairs:
            raise refusal("opponents", "got none; at least one is needed")
        for agent, _ in pairs:
            self._append(agent)
        self.set_weights([weight for _, weight in pairs])

    @property
    def game(self) -> playmat.Game:
        """The game."""
        return self.venv.game

    @property
    def num_envs(self) -> int:
        """Number of environments, N."""
        return self.venv.num_envs

    @property
    def batch(self) -> playmat.Batch:
        """The batch that resets and steps write, always the same object."""
        return self.venv.batch

    def reset(
        self, seed: int | Sequence[int] | NDArray[Any] | None = None, *,
        mask: NDArray[np.bool_] | None = None,
    ) -> playmat.Batch:  # fmt: skip
        """Starts new episodes; arguments and errors are those of ``VecEnv.reset``."""
        self._refuse_within("reset")
        self.venv.reset(seed=seed, mask=mask)
        # Environments that were never reset start with those that are.
        chosen = np.ones(self.num_envs, bool)
        if mask is not None and self._begun:
            chosen = np.asarray(mask, bool)
        self._episode[chosen] = self._episode[chosen] + 1 if seed is None and self._begun else 0
        self._begun = True
        self._draw(np.flatnonzero(chosen))
        return self._show()

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action in every environment ``[N]``, drawn uniformly: ``VecEnv.sample_actions``.
        ``step`` reads those of environments where the caller decides.
        """
        self._refuse_within("sample_actions")
        return self.venv.sample_actions()

    def step(self, actions: Sequence[int] | NDArray[Any]) -> playmat.Batch:
        """Plays one decision in every environment.

        Args:
            actions: Whole numbers ``[N]``; only those of environments where the caller decides
                (``batch.player == batch.learner``) are read.

        Returns:
            The batch, whose arrays the next step overwrites.

        Raises:
            IllegalAction: `rows` lists environments, players and actions of the caller.
            InvalidArgument: The actions, or what a function returned, have another shape or dtype;
                a function chose an illegal action.
            OrderError: Nothing was reset yet, or a function called it.
        """
        self._refuse_within("step")
        if not self._begun or self.venv.closed:
            state = "the environment is closed" if self.venv.closed else "`reset` first"
            raise playmat.OrderError(state)
        batch = self.venv.batch
        given = _whole("actions", actions, self.num_envs)
        envs = np.arange(self.num_envs)
        opponent = self._opponent[envs, batch.player]
        own = opponent < 0
        played = np.where(own, given, batch.action_mask.argmax(1))
        if not _are_legal(batch.action_mask, played).all():
            self.venv.step(played)  # refuses them, and steps nothing
        # Agents of the engine last: they use random streams of the environments, and do not fail.
        order = sorted(np.unique(opponent[~own]), key=lambda k: _is_own(self._agents[k]))
        for k in order:
            agent, rows = self._agents[k], np.flatnonzero(opponent == k)
            if isinstance(agent, playmat.Agent):
                played[rows] = agent.act_batch(self.venv, mask=opponent == k)[rows]
            elif isinstance(agent, Checkpoint):
                played[rows] = agent.act(self.venv, rows)
            else:
                played[rows] = self._call(agent, rows)
        self.venv.step(played)
        batch.learner_reward[:] = batch.reward[envs, self._learner]
        ended = np.flatnonzero(batch.terminated | batch.truncated)
        if ended.size:
            batch.final_opponent[ended] = self._opponent[ended]
            self._count(ended)
            self._episode[ended] += 1
            self._draw(ended)
        return self._show()

    def add_opponent(self, agent: Opponent, weight: float = 1.0) -> int:
        """Adds an opponent to the pool, drawn from the next episodes on; returns its index."""
        weights = _weights("weight", [*self._weights, weight])
        self._append(agent)
        self._weights = weights
        return len(self._agents) - 1

    def set_weights(self, weights: Sequence[float] | NDArray[Any]) -> None:
        """Sets the weights of all opponents for the next episodes: finite, not negative, not all
        0.
        """
        if len(weights) != len(self._agents):
            reason = f"got {len(weights)}; there are {len(self._agents)} opponents"
            raise refusal("weights", reason)
        self._weights = _weights("weights", weights)

    def results(self) -> dict[str, Any]:
        """Results of the episodes that ended since the last ``reset_results``, in the form of
        ``VecEnv.results``. With rewards other than `outcome`, the learner wins with a higher return
        than all others, and draws if it shares the highest. Of several opponents with one name
        (functions), the second is named ``NAME (2)``.
        """
        records = [
            dict(
                zip(
                    ("episodes", "wins", "draws", "losses", "truncated"), map(int, row), strict=True
                )
            )
            | {"return_sum": float(total)}
            for row, total in zip(self._counts, self._returns, strict=True)
        ]
        opponents = [
            {"name": name, "weight": float(weight), **record}
            for name, weight, record in zip(
                distinct(self._agents), self._weights, records[1:], strict=True
            )
        ]
        return {**records[0], "opponents": opponents}

    def reset_results(self) -> None:
        """Empties the table of results."""
        self._counts[:] = 0
        self._returns[:] = 0

    def close(self) -> None:
        """Frees the environments; arrays stay readable."""
        self.venv.close()

    def __enter__(self) -> PoolEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.num_envs

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        if self._begun:
            self._show()

    def _append(self, agent: Any) -> None:
        """Adds an agent of the engine, or a function, with empty results."""
        if isinstance(agent, os.PathLike):
            agent = os.fspath(agent)
        if isinstance(agent, str) and agent.endswith(".pt"):
            if self.venv.dtype != "u8":
                reason = f"got `{agent}`; a checkpoint reads uint8 observations, wanted dtype `u8`"
                raise refusal("opponents", reason)
            agent = Checkpoint(agent, self.game, len(self._agents))
        elif isinstance(agent, str):
            try:
                agent = self.game.agent(agent)
            except playmat.InvalidArgument as error:
                raise refusal("opponents", error.reason) from None
        elif isinstance(agent, playmat.Agent):
            # One for another game is refused here, and not in a step.
            probe = self.game.vec_env(1)
            probe.reset(seed=0)
            agent.act_batch(probe, mask=[False])
        elif not callable(agent):
            reason = f"got {agent!r}; wanted a function, an agent, its spec or a checkpoint FILE.pt"
            raise refusal("opponents", reason)
        self._agents.append(agent)
        self._counts = np.vstack([self._counts, np.zeros((1, 5), np.int64)])
        self._returns = np.append(self._returns, 0.0)

    def _refuse_within(self, call: str) -> None:
        if self._is_choosing:
            raise playmat.OrderError(f"an opponent chooses: its function may not call `{call}`")

    def _call(self, function: Function, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """What a function chooses for some environments."""
        batch, name = self.venv.batch, name_of(function)
        mask, player = batch.action_mask[rows], batch.player[rows]
        self._is_choosing = True
        try:
            result = function(batch.obs[rows], mask.copy(), player.copy())
        finally:
            self._is_choosing = False
        actions = _whole("opponents", result, len(rows), f"opponent `{name}` returned ")
        bad = np.flatnonzero(~_are_legal(mask, actions))
        if bad.size:
            listed = ", ".join(
                f"[env {rows[i]}, player {player[i]}, action {actions[i]}]" for i in bad[:20]
            )
            reason = f"opponent `{name}` chose illegal actions in {bad.size} of {len(rows)} rows"
            raise refusal("opponents", f"{reason}, nothing was stepped: {listed}")
        return actions

    def _draw(self, envs: NDArray[np.intp]) -> None:
        """Decides who plays in the episodes that have just begun."""
        players = self._opponent.shape[1]
        seed = self.venv.batch.episode_seed[envs]
        if self.learner == "rotate":
            self._learner[envs] = (self.first_env + envs + self._episode[envs]) % players
        else:
            self._learner[envs] = self.learner
        upto, last = np.cumsum(self._weights), np.flatnonzero(self._weights)[-1]
        for player in range(players):
            drawn = np.searchsorted(upto, _uniform(seed, player) * upto[-1], side="right")
            self._opponent[envs, player] = np.minimum(drawn, last)  # after rounding up
        self._opponent[envs, self._learner[envs]] = -1

    def _show(self) -> playmat.Batch:
        """Writes who plays into the batch."""
        batch = self.venv.batch
        batch.learner[:], batch.opponent[:] = self._learner, self._opponent
        return batch

    def _count(self, ended: NDArray[np.intp]) -> None:
        """Counts episodes that ended, in the total and for each of their opponents."""
        batch = self.venv.batch
        learner, returns = self._learner[ended], batch.episode_return[ended]
        mine = returns[np.arange(len(ended)), learner]
        if self.game.reward == "outcome":
            lead = mine
        else:
            others = returns.copy()
            others[np.arange(len(ended)), learner] = -np.inf
            lead = mine - others.max(1)
        # Cut off by `max_steps`: players could go on.
        cut = batch.truncated[ended] & (batch.final_mask[ended].any(1) | (not self._judged))
        end = np.where(cut, 4, np.where(lead > 0, 1, np.where(lead < 0, 3, 2)))
        played = [np.ones(len(ended), bool)]
        played += [(self._opponent[ended] == k).any(1) for k in range(len(self._agents))]
        for k, rows in enumerate(played):
            self._counts[k, 0] += rows.sum()
            self._counts[k, 1:] += np.bincount(end[rows], minlength=5)[1:]
            self._returns[k] += mine[rows].sum(dtype=np.float64)


def name_of(agent: playmat.Agent | Checkpoint | Function) -> str:
    """The name of an opponent in results and messages."""
    return str(getattr(agent, "name", None) or getattr(agent, "__name__", type(agent).__name__))


def distinct(agents: Iterable[playmat.Agent | Checkpoint | Function]) -> list[str]:
    """The names of opponents, each once."""
    names: list[str] = []
    for agent in agents:
        name = wanted = name_of(agent)
        number = 1
        while name in names:
            number += 1
            name = f"{wanted} ({number})"
        names.append(name)
    return names


def _pairs(opponents: Any) -> Iterable[tuple[Opponent, float]]:
    if isinstance(opponents, Mapping):
        return list(opponents.items())
    if isinstance(opponents, str | os.PathLike | playmat.Agent) or callable(opponents):
        return [(opponents, 1.0)]
    if not isinstance(opponents, Iterable):
        wanted = "functions, agents, specs or checkpoints, alone or with weights"
        raise refusal("opponents", f"got {opponents!r}; wanted {wanted}")
    return [
        item if isinstance(item, tuple) and len(item) == 2 else (item, 1.0) for item in opponents
    ]


def _weights(argument: str, given: Sequence[Any] | NDArray[Any]) -> NDArray[np.float64]:
    try:
        weights = np.array([float(weight) for weight in given])
    except (TypeError, ValueError):
        raise refusal(argument, f"got {list(given)}; wanted numbers") from None
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        reason = f"got {weights.tolist()}; weights are finite, not negative and not all 0"
        raise refusal(argument, reason)
    return weights


def _whole(argument: str, given: Any, count: int, start: str = "got ") -> NDArray[np.int64]:
    """One whole number per row."""
    array = np.asarray(given)
    if array.shape != (count,):
        raise refusal(argument, f"{start}shape {array.shape}; wanted ({count},)")
    if array.dtype.kind not in "iu":
        raise refusal(argument, f"{start}dtype {array.dtype}; wanted whole numbers")
    return array.astype(np.int64)


def _are_legal(mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    within = (actions >= 0) & (actions < mask.shape[1])
    legal: NDArray[np.bool_] = mask[np.arange(len(actions)), np.where(within, actions, 0)] & within
    return legal


def _uniform(seed: NDArray[np.uint64], player: int) -> NDArray[np.float64]:
    """Numbers in 0..1 that depend on a seed and a player alone: SplitMix64."""
    with np.errstate(over="ignore"):
        x = seed + np.uint64(0x9E3779B97F4A7C15) * np.uint64(player + 1)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return np.asarray((x >> np.uint64(11)) / 2.0**53, np.float64)
