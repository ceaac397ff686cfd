"""Agents of the engine as bots of OpenSpiel: :func:`playmat.openspiel.bot`."""

from __future__ import annotations

import operator
import os
import random
from collections.abc import Callable
from typing import Any, SupportsIndex

import pyspiel

import playmat
from playmat.errors import invalid


class PlaymatBot(pyspiel.Bot):
    """An agent that plays one player of a playmat game in OpenSpiel.

    It keeps an environment of its own from its last choice, with what the agent remembers, such as
    the tree of a search, and follows the actions that were played since. Where chance has drawn
    something else than in that environment, it goes on in a copy of the state's, and the agent
    keeps what it remembers: as long as everything that its player knew then is the beginning of
    what it knows now.
    """

    def __init__(self, agent: playmat.Agent, player: int, seed: int | None = None) -> None:
        pyspiel.Bot.__init__(self)
        self._agent, self._player = agent, player
        self._random = random.Random(seed)
        self._env: playmat.Env | None = None
        #: The history of the position of the environment: pairs of player and action.
        self._history: list[tuple[int, int]] = []
        #: A copy of the environment of the state at the last choice.
        self._chosen_at: playmat.Env | None = None

    @property
    def agent(self) -> playmat.Agent:
        """The engine's agent."""
        return self._agent

    def player_id(self) -> int:
        """The player that it plays."""
        return self._player

    def step(self, state: Any) -> int:
        """The action that the agent chooses; ``pyspiel.INVALID_ACTION`` where its player has none.

        Args:
            state: A state of its game; it is not changed.

        Raises:
            playmat.InvalidArgument: The state is of another game.
        """
        rules = getattr(getattr(state, "_position", None), "rules", None)
        if rules is None or rules.game != self._agent.game:
            got = type(state).__name__ if rules is None else f"one of {rules.game!r}"
            raise invalid("state", f"got {got}; wanted a state of {self._agent.game!r}")
        env: playmat.Env | None = state.env
        if env is None or state.is_chance_node() or self._player not in env.acting_players:
            return int(pyspiel.INVALID_ACTION)
        history = [(int(one.player), int(one.action)) for one in state.full_history()]
        last, earlier = self._env, self._chosen_at
        own = self._followed(history, env.information_state_key(self._player))
        if own is None:
            # Without the random streams of the state, which are the same in each copy of it.
            own = env.clone(self._random.getrandbits(63))
            if last is not None and earlier is not None and self._goes_on(earlier, env):
                own._take_memories(last, self._player)
        self._env, self._history, self._chosen_at = own, history, env
        return self._agent.act(own, self._player)

    def _followed(self, history: list[tuple[int, int]], key: int) -> playmat.Env | None:
        """The environment of the last choice after the actions since; None if its player can tell
        it from the state of this history and this key.
        """
        own, known = self._env, len(self._history)
        self._env, self._history = None, []
        if own is None or len(history) < known:
            return None
        for player, action in history[known:]:
            if player < 0:
                continue
            if own.done or own.current_player != player or action not in own.legal_actions():
                return None
            own.step(action)
        is_acting = not own.done and self._player in own.acting_players
        return own if is_acting and own.information_state_key(self._player) == key else None

    def _goes_on(self, earlier: playmat.Env, now: playmat.Env) -> bool:
        """Whether all that the player knew earlier is the beginning of what it knows now."""
        before, after = (env.information_state(self._player) for env in (earlier, now))
        seen: list[Any] = before["seen"]
        return bool(before["start"] == after["start"] and seen == after["seen"][: len(seen)])

    def restart(self) -> None:
        """Forgets the episode. Without it a new episode is noticed as soon as its player can tell
        it from the last one.
        """
        self._env, self._history, self._chosen_at = None, [], None

    def restart_at(self, state: Any) -> None:
        """Forgets the episode; the next ``step`` may be anywhere."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Does nothing: ``step`` reads the history of its state."""

    def inform_actions(self, state: Any, actions: Any) -> None:
        """Does nothing: ``step`` reads the history of its state."""

    def provides_policy(self) -> bool:
        """False: only choices are known."""
        return False

    def provides_force_action(self) -> bool:
        """False: ``step`` follows any action that was played."""
        return False

    def is_clonable(self) -> bool:
        """False."""
        return False


def bot(
    game: pyspiel.Game,
    player: SupportsIndex,
    spec: str | os.PathLike[str] | playmat.Agent | Callable[..., Any],
    *,
    seed: SupportsIndex | None = None,
) -> PlaymatBot:
    """A bot of OpenSpiel in which an agent of the engine plays one player, also where OpenSpiel's
    searches cannot: with sampled chance, hidden things and simultaneous turns.

    >>> import playmat.openspiel
    >>> import pyspiel
    >>> bot = playmat.openspiel.bot
    >>> game = pyspiel.load_game("playmat_connect_four")
    >>> bots = [bot(game, 0, "mcts:50", seed=1), bot(game, 1, "random", seed=1)]
    >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    [1.0, -1.0]

    Args:
        game: A game of :mod:`playmat.openspiel`.
        player: The player that it plays.
        spec: What ``playmat.Game.agent`` takes, or an agent of ``game.game``.
        seed: Of the agent's draws; without one they differ from run to run.

    Raises:
        playmat.InvalidArgument: Names what was given and what is allowed.
    """
    # That module imports this one.
    from playmat.openspiel import PlaymatGame

    of: object = game
    if not isinstance(of, PlaymatGame):
        raise invalid("game", f"got {type(of).__name__}; wanted a playmat game of pyspiel")
    if isinstance(spec, playmat.Agent) and spec.game != of.game:
        raise invalid("spec", f"got an agent of {spec.game!r}; wanted one of {of.game!r}")
    number = _whole("player", player, of.game.num_players - 1)
    drawn = None if seed is None else _whole("seed", seed, 2**64 - 1)
    agent = spec if isinstance(spec, playmat.Agent) else of.game.agent(spec)
    return PlaymatBot(agent, number, drawn)


def _whole(name: str, given: SupportsIndex, most: int) -> int:
    try:
        number = operator.index(given)
    except TypeError:
        raise invalid(name, f"got {type(given).__name__}; wanted a whole number") from None
    if not 0 <= number <= most:
        raise invalid(name, f"got {number}; allowed: 0 to {most}")
    return number
