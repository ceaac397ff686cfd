"""Every game as a PettingZoo environment: ``env``, ``raw_env``, ``parallel_env`` and
``raw_parallel_env``. docs/pettingzoo.md describes the conventions.

>>> import playmat.pettingzoo
>>> env = playmat.pettingzoo.env("graft", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     mask = None if over else observation["action_mask"]
...     env.step(None if over else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid, one_of
from playmat.extras import need

need(what="`playmat.pettingzoo`", extra="pettingzoo")

import pettingzoo  # noqa: E402
from gymnasium import logger, spaces  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils.env_logger import EnvLogger  # noqa: E402

__all__ = ["env", "parallel_env", "raw_env", "raw_parallel_env"]

_Illegal = Literal["terminate", "raise", "random"]
#: What an illegal action costs the player who chose it, as in PettingZoo's classic games.
ILLEGAL_REWARD = -1.0
_INT8 = np.dtype(np.int8)


class _Shared:
    """The base of both forms: the engine's environment, spaces and rendering."""

    render_mode: str | None
    #: Actions after those of the game: the no-op.
    _noops = 0

    def __init__(
        self,
        game: str | playmat.Game,
        *,
        render_mode: str | None = None,
        viewer: int | None = None,
        max_cycles: int | None = None,
        dtype: Literal["u8", "f32"] = "u8",
        action_mask: Literal["observation", "info"] = "observation",
        illegal_action: _Illegal = "raise",
        **options: Any,
    ) -> None:
        modes = ["ansi", "rgb_array", "human"]
        one_of("render_mode", render_mode, (None, *modes))
        one_of("dtype", dtype, ("u8", "f32"))
        one_of("action_mask", action_mask, ("observation", "info"))
        one_of("illegal_action", illegal_action, ("terminate", "raise", "random"))
        if isinstance(game, str):
            game = playmat.Game(game, **options)
        elif options:
            game = playmat.Game(game.name, **{**game.options, **options})
        if max_cycles is not None:
            game = self._limited(game, _cycles(max_cycles))
        players = game.num_players
        one_of("viewer", viewer, (None, *range(players)))
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": modes,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.game = game
        self.render_mode = render_mode
        self._viewer = viewer
        self._illegal = illegal_action
        self._in_info = action_mask == "info"
        self._env = game.env()
        self._floats = dtype == "f32"
        self._size = game.observation_shape[0]
        self._actions = game.num_actions
        # The other kinds of rewards come at the end only.
        self._pays_each_step = game.reward == "score_delta"
        self.possible_agents = [f"player_{player}" for player in range(players)]
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.action_spaces = {
            agent: spaces.Discrete(self._actions + self._noops) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.state_space = self._box(players * self._size)
        self._prepare()

    def _limited(self, game: playmat.Game, max_cycles: int) -> playmat.Game:
        """The game with episodes of ``max_cycles``."""
        raise NotImplementedError

    def _prepare(self) -> None:
        """Sets what only one of the forms has."""
        raise NotImplementedError

    def _box(self, size: int) -> Any:
        if self._floats:
            return spaces.Box(-1.0, 1.0, (size,), np.float32)
        return spaces.Box(0, 255, (size,), np.uint8)

    def _space(self) -> Any:
        if self._in_info:
            return self._box(self._size)
        mask = spaces.Box(0, 1, (self._actions + self._noops,), np.int8)
        return spaces.Dict({"observation": self._box(self._size), "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def _mask(self, player: int) -> NDArray[np.int8]:
        return self._env.action_mask(player, np.empty(self._actions, _INT8))

    def _observe(self, player: int) -> Any:
        if self._floats:
            observation: Any = self._env.observation(player, dtype="f32")
        else:
            observation = self._env.observation(player)
        if self._in_info:
            return observation
        return {"observation": observation, "action_mask": self._mask(player)}

    def _masks(self) -> dict[str, dict[str, Any]]:
        """The infos: empty, or with the action mask of each agent."""
        if self._in_info:
            return {
                agent: {"action_mask": self._mask(self._players[agent])} for agent in self.agents
            }
        return {agent: {} for agent in self.agents}

    agents: list[str]

    def state(self) -> NDArray[Any]:
        """The observations of all players, one after the other: ``[P * O]``.

        No player sees all of it, and what no player sees is not in it.
        """
        state = np.empty((len(self.possible_agents), self._size), self.state_space.dtype)
        for player, row in enumerate(state):
            self._env.observation(player, row)
        return state.reshape(-1)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The position as text (``ansi``), as pixels uint8 ``[H, W, 3]`` (``rgb_array``), or
        printed to the standard output (``human``), all open or redacted for ``viewer``.
        """
        if self.render_mode is None:
            logger.warn("You are calling render method without specifying any render mode.")
            return None
        if self.render_mode == "rgb_array":
            return self._env.render("rgb_array", self._viewer)
        text = self._env.render("ansi", self._viewer)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing needs to be released; closing twice is fine."""


class raw_env(_Shared, AECEnv):
    """One episode for one agent after the other, without checks of the order of calls.

    Args:
        game: A registered name, or a configured game.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        viewer: The player whose view is drawn; None draws everything.
        max_cycles: The episode is truncated after ``max_cycles * players`` decisions.
        dtype: Of observations: ``"u8"``, the engine's bytes, or ``"f32"``, in [-1, 1].
        action_mask: Where the mask is: ``"observation"``, a dict as in PettingZoo's classic games,
            or ``"info"``, which leaves the observation a plain array.
        illegal_action: ``"raise"``, ``"terminate"``: the episode ends, the player gets -1 and the
            others 0, or ``"random"``: a random legal action is played instead.
        **options: Options of the game, such as ``players``.

    Raises:
        playmat.UnknownGame, playmat.InvalidOption, playmat.InvalidArgument: Each names what was
            given and what is allowed.
    """

    def _limited(self, game: playmat.Game, max_cycles: int) -> playmat.Game:
        options = {**game.options, "max_steps": max_cycles * game.num_players}
        return playmat.Game(game.name, **options)

    def _prepare(self) -> None:
        AECEnv.__init__(self)
        self._more = self._in_info or self.render_mode == "human"
        self._has_reset = self._has_updated = False

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts the episode of a seed, or without one the next of this environment's own stream.
        ``options`` has no effect.
        """
        self._env.reset(seed)
        self._has_reset = self._has_updated = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.infos = self._masks()
        self.agent_selection = self.possible_agents[self._env.current_player]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        """The observation of an agent. The mask is all 0 for an agent who does not act."""
        return self._observe(self._players[agent])

    def step(self, action: SupportsIndex | None) -> None:
        """Plays the action of ``agent_selection``; None for an agent whose episode is over.

        Raises:
            playmat.IllegalAction: With ``illegal_action="raise"``; nothing changed.
            playmat.EpisodeOver, playmat.OrderError: All agents are gone, or nothing was reset yet.
            AssertionError: With the other values of ``illegal_action``: the action is not in the
                action space.
        """
        if not self._has_reset:
            self._step_before_reset()
        self._has_updated = True
        agent, env = self.agent_selection, self._env
        if not self.agents:
            self._step_without_agents()
            return
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            env.step(action, self._players[agent])  # type: ignore[arg-type]
        except (playmat.IllegalAction, playmat.InvalidArgument):
            if self._illegal == "raise":
                raise
            if not self.action_spaces[agent].contains(action) or isinstance(action, bool):
                raise AssertionError("action is not in action space") from None
            if self._illegal == "terminate":
                self._lose(agent)
                return
            env.step(env.sample_action())
        self._cumulative_rewards[agent] = 0.0
        done = env.done
        if done or self._pays_each_step:
            self.rewards = dict(zip(self.agents, env.rewards.tolist(), strict=True))
            self._accumulate_rewards()
        if done:
            self.terminations = dict.fromkeys(self.agents, env.terminated)
            self.truncations = dict.fromkeys(self.agents, env.truncated)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[env.current_player]
        if self._more:
            if self._in_info:
                self.infos = self._masks()
            if self.render_mode == "human":
                self.render()

    def _step_before_reset(self) -> None:
        raise playmat.OrderError("no episode is running: call reset() before step()")

    def _step_without_agents(self) -> None:
        raise playmat.EpisodeOver("the episode is over: all agents are gone; call reset()")

    def _lose(self, agent: str) -> None:
        """The end that PettingZoo's TerminateIllegalWrapper makes of an illegal action."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()


class _Env(raw_env):
    """``raw_env`` with what PettingZoo's OrderEnforcingWrapper checks, in one object: a stack of
    wrappers takes ten times as long as the game.
    """

    _reset_first = frozenset(
        (
            "rewards",
            "terminations",
            "truncations",
            "infos",
            "agent_selection",
            "num_agents",
            "agents",
        )
    )

    def __getattr__(self, name: str) -> Any:
        if name in self._reset_first:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _step_before_reset(self) -> None:
        EnvLogger.error_step_before_reset()

    def _step_without_agents(self) -> None:
        EnvLogger.warn_step_after_terminated_truncated()

    def observe(self, agent: str) -> Any:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self._observe(self._players[agent])

    def state(self) -> NDArray[Any]:
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | NDArray[np.uint8] | None:
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            max_iter -= 1
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            yield self.agent_selection


def env(
    game: str | playmat.Game, *, illegal_action: _Illegal = "terminate", **arguments: Any
) -> raw_env:
    """A checked environment for one agent after the other, as PettingZoo's classic games make it.

    It behaves as ``raw_env`` inside TerminateIllegalWrapper, AssertOutOfBoundsWrapper and
    OrderEnforcingWrapper, but is one object. Arguments and errors are those of ``raw_env``.
    """
    return _Env(game, illegal_action=illegal_action, **arguments)


class raw_parallel_env(_Shared, ParallelEnv):
    """One episode in which all agents act at once.

    Players who must decide now choose together; a turn that belongs to one player is a step in
    which the others have only the no-op, action ``num_actions``. Actions of players who do not act
    are ignored and may be left out.

    Args:
        game: A registered name, or a configured game.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        viewer: The player whose view is drawn; None draws everything.
        max_cycles: The episode is truncated after this number of steps.
        dtype: Of observations: ``"u8"``, the engine's bytes, or ``"f32"``, in [-1, 1].
        action_mask: Where the mask is: ``"observation"`` or ``"info"``.
        illegal_action: ``"raise"``, ``"terminate"``: the episode ends, each player who chose an
            illegal action gets -1 and the others 0, or ``"random"``: a random legal action is
            played instead.
        **options: Options of the game, such as ``players``.

    Raises:
        playmat.UnknownGame, playmat.InvalidOption, playmat.InvalidArgument: Each names what was
            given and what is allowed.
    """

    _noops = 1
    #: The steps after which an episode is truncated.
    max_cycles: int | None = None

    def _limited(self, game: playmat.Game, max_cycles: int) -> playmat.Game:
        self.max_cycles = max_cycles
        return game

    def _prepare(self) -> None:
        self.agents = []
        # The mask of a player who does not act.
        self._idle = np.zeros(self._actions + 1, _INT8)
        self._idle[-1] = 1
        self._nothing = dict.fromkeys(self.possible_agents, 0.0)

    @property
    def noop(self) -> int:
        """The action of a player who does not act: ``num_actions``."""
        return self._actions

    def _mask(self, player: int) -> NDArray[np.int8]:
        if self._over:
            return np.zeros(self._actions + 1, _INT8)
        mask: NDArray[np.int8] = self._idle.copy()
        if player in self._acting:
            self._env.action_mask(player, mask[:-1])
            mask[-1] = 0
        return mask

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts the episode of a seed, or without one the next of this environment's own stream.
        ``options`` has no effect.

        Returns:
            The observations and infos of all agents.
        """
        self._env.reset(seed)
        self.agents = self.possible_agents[:]
        self._cycle = 0
        self._over = False
        if self.render_mode == "human":
            self.render()
        return self._observations(), self._masks()

    def _observations(self) -> dict[str, Any]:
        self._acting = self._env.acting_players
        return {agent: self._observe(player) for agent, player in self._players.items()}

    def step(
        self, actions: Mapping[str, SupportsIndex | None]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays the actions of all players who must decide now.

        Returns:
            Observations, rewards, terminations, truncations and infos of all agents.

        Raises:
            playmat.IllegalAction: With ``illegal_action="raise"``; nothing changed.
            playmat.EpisodeOver: The episode is over, or none was started.
        """
        if not self.agents:
            raise playmat.EpisodeOver("no episode is running; call reset()")
        env = self._env
        # Entries of players who do not act are ignored, whatever they are.
        chosen: list[SupportsIndex | None] = [0] * len(self.possible_agents)
        for player in self._acting:
            chosen[player] = actions.get(self.possible_agents[player])
        offenders: set[str] = set()
        try:
            env.step(chosen)
        except playmat.IllegalAction:
            if self._illegal == "raise":
                raise
            illegal = [p for p in self._acting if chosen[p] not in env.legal_actions(p)]
            if self._illegal == "random":
                for player in illegal:
                    chosen[player] = env.sample_action(player)
                env.step(chosen)
            else:
                EnvLogger.warn_on_illegal_move()
                offenders = {self.possible_agents[player] for player in illegal}
        self._cycle += 1
        if offenders:
            rewards = {a: ILLEGAL_REWARD if a in offenders else 0.0 for a in self.agents}
            terminated = truncated = True
        else:
            terminated = env.terminated
            late = self.max_cycles is not None and self._cycle >= self.max_cycles
            truncated = env.truncated or (late and not terminated)
            rewards = self._nothing.copy()
            if env.done or self._pays_each_step:
                rewards = dict(zip(self.agents, env.rewards.tolist(), strict=True))
        self._over = terminated or truncated
        result = (
            self._observations(),
            rewards,
            dict.fromkeys(self.agents, terminated),
            dict.fromkeys(self.agents, truncated),
            self._masks(),
        )
        if self._over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return result


def parallel_env(
    game: str | playmat.Game, *, illegal_action: _Illegal = "terminate", **arguments: Any
) -> raw_parallel_env:
    """``raw_parallel_env``, in which an illegal action ends the episode. Arguments and errors are
    those of ``raw_parallel_env``.
    """
    return raw_parallel_env(game, illegal_action=illegal_action, **arguments)


def _cycles(max_cycles: int) -> int:
    if not isinstance(max_cycles, (int, np.integer)) or max_cycles < 1:
        reason = f"got {max_cycles!r}; allowed: None or a whole number, 1 or more"
        raise invalid("max_cycles", reason)
    return int(max_cycles)


def _register() -> None:
    """Makes the games known to ``pettingzoo.make("aec", "playmat/graft-v1")``, which came with
    PettingZoo 1.27.
    """
    register: Any = getattr(pettingzoo, "register", None)
    for name in playmat.games() if register is not None else []:
        identifier = f"playmat/{name}-v{playmat.Game(name).version}"
        for kind, maker in (("aec", "env"), ("parallel", "parallel_env")):
            if identifier not in getattr(pettingzoo, f"{kind}_registry"):
                entry_point = f"playmat.pettingzoo:{maker}"
                register(kind, identifier, entry_point=entry_point, kwargs={"game": name})


_register()
