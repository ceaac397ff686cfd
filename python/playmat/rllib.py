"""Every game as an RLlib environment for several agents, and a module that masks illegal actions:
``PlaymatMultiAgentEnv`` and ``MaskedPPOModule``. docs/rllib.md describes the conventions.

>>> from playmat.rllib import PlaymatMultiAgentEnv
>>> env = PlaymatMultiAgentEnv({"game": "graft", "players": 3})
>>> observations, infos = env.reset(seed=7)
>>> sorted(observations)
['player_0', 'player_1', 'player_2']
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np

import playmat
from playmat.errors import invalid, one_of
from playmat.extras import need, refusal

need(what="`playmat.rllib`", extra="rllib")
try:
    importlib.import_module("ray.rllib")
except ImportError as error:
    raise refusal(
        f"`playmat.rllib` needs `ray[rllib]`; Ray is installed without it ({error})", "rllib"
    ) from error

import torch  # noqa: E402
from gymnasium import spaces  # noqa: E402
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import (  # noqa: E402
    DefaultPPOTorchRLModule,
)
from ray.rllib.core.columns import Columns  # noqa: E402
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # noqa: E402
from ray.rllib.utils.torch_utils import FLOAT_MIN  # noqa: E402

__all__ = ["MaskedPPOModule", "PlaymatMultiAgentEnv"]

#: What an illegal action costs the player who chose it.
ILLEGAL_REWARD = -1.0


class PlaymatMultiAgentEnv(MultiAgentEnv):
    """One episode for the agents ``player_0``, ``player_1``, ...

    Whoever must decide now gets an observation, and nobody else does: one agent in a turn, several
    in a simultaneous turn. An observation is ``{"observations": [O], "action_mask": [A]}``, both
    float32, under the names that RLlib's own masking example uses.

    Args:
        config: ``game``, a registered name or a configured game, and options of the game, such as
            ``players``. Besides: ``dtype``, of observations, ``"f32"`` in [-1, 1] (the default) or
            ``"u8"``, the engine's bytes; ``illegal_action``: ``"terminate"`` (the default: the
            episode ends, who chose an illegal action gets -1 and the others 0), ``"raise"`` or
            ``"random"`` (a random legal action is played instead); ``render_mode``: ``"ansi"``,
            ``"rgb_array"`` or None.

    Raises:
        playmat.UnknownGame, playmat.InvalidOption, playmat.InvalidArgument: Each names what was
            given and what is allowed.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        options = dict(config)
        game = options.pop("game", None)
        dtype = options.pop("dtype", "f32")
        one_of("dtype", dtype, ("f32", "u8"))
        illegal = options.pop("illegal_action", "terminate")
        one_of("illegal_action", illegal, ("terminate", "raise", "random"))
        self._illegal = illegal
        mode = options.pop("render_mode", None)
        one_of("render_mode", mode, (None, "ansi", "rgb_array"))
        self.render_mode = mode
        if isinstance(game, str):
            game = playmat.Game(game, **options)
        elif isinstance(game, playmat.Game):
            game = playmat.Game(game.name, **{**game.options, **options}) if options else game
        else:
            raise invalid("game", f"got {game!r}; wanted the name of a game, or a playmat.Game")
        self.game = game
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}
        self._env = game.env()
        self._floats = dtype == "f32"
        self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
        self.agents = self.possible_agents[:]
        self._players = {agent: player for player, agent in enumerate(self.agents)}
        self.observation_spaces = {agent: self._space() for agent in self.agents}
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(game.num_actions) for agent in self.agents
        }
        super().__init__()

    def _space(self) -> Any:
        shape = self.game.observation_shape
        seen = spaces.Box(-1.0, 1.0, shape) if self._floats else spaces.Box(0, 255, shape, np.uint8)
        mask = spaces.Box(0.0, 1.0, (self.game.num_actions,))
        return spaces.Dict({"observations": seen, "action_mask": mask})

    def _observe(self, player: int) -> dict[str, Any]:
        env = self._env
        seen: Any = (
            env.observation(player, dtype="f32") if self._floats else env.observation(player)
        )
        return {"observations": seen, "action_mask": env.action_mask(player).astype(np.float32)}

    def _observations(self) -> dict[str, dict[str, Any]]:
        self._acting = self._env.acting_players
        return {self.agents[player]: self._observe(player) for player in self._acting}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts the episode of a seed, or without one the next of this environment's own stream.
        ``options`` has no effect.

        Returns:
            The observations of the agents who must decide, and empty infos.
        """
        self._env.reset(seed)
        self._over = False
        observations = self._observations()
        return observations, {agent: {} for agent in observations}

    def step(
        self, action_dict: Mapping[str, SupportsIndex]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Plays the actions of all agents who must decide.

        Returns:
            Observations of the agents who must decide next, at the end of all agents; rewards of
            those who acted, who must decide next, or who earned something; whether the rules ended
            the episode, and whether a limit cut it off, as ``"__all__"``; and empty infos.

        Raises:
            playmat.IllegalAction: With ``illegal_action="raise"``; nothing changed.
            playmat.EpisodeOver: The episode is over.
            playmat.InvalidArgument: An agent who must decide has no action.
        """
        env = self._env
        if self._over:
            raise playmat.EpisodeOver("the episode is over; call reset()")
        acted = self._acting
        # Entries of players who do not act are ignored, whatever they are.
        chosen: list[SupportsIndex | None] = [0] * len(self.agents)
        for player in acted:
            chosen[player] = action_dict.get(self.agents[player])
        offenders: list[int] = []
        try:
            env.step(chosen)
        except playmat.IllegalAction:
            if self._illegal == "raise":
                raise
            offenders = [p for p in acted if chosen[p] not in env.legal_actions(p)]
            if self._illegal == "random":
                for player in offenders:
                    chosen[player] = env.sample_action(player)
                env.step(chosen)
                offenders = []
        earned = [0.0] * len(self.agents) if offenders else env.rewards.tolist()
        for player in offenders:
            earned[player] = ILLEGAL_REWARD
        terminated, truncated = env.terminated or bool(offenders), env.truncated
        self._over = terminated or truncated
        if self._over:
            observations = {agent: self._observe(p) for agent, p in self._players.items()}
        else:
            observations = self._observations()
        rewards = {
            agent: earned[player]
            for agent, player in self._players.items()
            if earned[player] or player in acted or agent in observations
        }
        infos: dict[str, Any] = {agent: {} for agent in observations}
        # No entries for single agents: RLlib takes an episode in which all of them are truncated
        # for terminated, and would not bootstrap.
        return observations, rewards, {"__all__": terminated}, {"__all__": truncated}, infos

    def render(self) -> Any:
        """The position, all open: text (``ansi``), uint8 ``[H, W, 3]`` (``rgb_array``) or None."""
        if self.render_mode == "rgb_array":
            return self._env.render("rgb_array")
        return self._env.render("ansi") if self.render_mode == "ansi" else None


class MaskedPPOModule(DefaultPPOTorchRLModule):
    """RLlib's PPO module for observations with an action mask: illegal actions get no probability.

    The networks see ``observations`` only; ``model_config`` configures them as usual. Batches are
    not changed.
    """

    def __init__(self, *args: Any, observation_space: Any = None, **kwargs: Any) -> None:
        wanted = {"observations", "action_mask"}
        if not isinstance(observation_space, spaces.Dict) or set(observation_space) != wanted:
            raise invalid(
                "observation_space",
                f"got {observation_space}; wanted a Dict of `observations` and `action_mask`, as "
                "PlaymatMultiAgentEnv has it",
            )
        self._space_with_mask = observation_space
        super().__init__(*args, observation_space=observation_space["observations"], **kwargs)

    def setup(self) -> None:
        """Builds the networks for what is seen, without the mask."""
        super().setup()
        self.observation_space = self._space_with_mask

    @staticmethod
    def _seen(batch: Mapping[str, Any]) -> dict[str, Any]:
        """The batch with what the networks see as its observations."""
        return {**batch, Columns.OBS: batch[Columns.OBS]["observations"].float()}

    @staticmethod
    def _masked(output: dict[str, Any], batch: Mapping[str, Any]) -> dict[str, Any]:
        legal = batch[Columns.OBS]["action_mask"] > 0
        logits = output[Columns.ACTION_DIST_INPUTS]
        output[Columns.ACTION_DIST_INPUTS] = torch.where(legal, logits, FLOAT_MIN)
        return output

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward(self._seen(batch), **kwargs), batch)

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward_train(self._seen(batch), **kwargs), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """The values of the positions of a batch."""
        return super().compute_values(self._seen(batch), embeddings)
