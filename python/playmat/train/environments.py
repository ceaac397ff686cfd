"""The environments of a rollout: where they start, and who plays in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.agents import refusal_of, split_agents
from playmat.train.config import TrainConfig, refuse

if TYPE_CHECKING:
    from playmat.train.rollout import Shard

#: Different points of an episode that environments start from.
STAGGER = 32


def stagger(
    venv: playmat.VecEnv, seed: int, first_env: int = 0, num_envs: int = 0
) -> playmat.Batch:
    """Starts the environments at different points of an episode, by random play. Otherwise one
    rollout would hold openings only and another endings only. For a shard: the number of its first
    environment, and the number of environments of all shards.
    """
    groups = min(num_envs or venv.num_envs, STAGGER)
    length = venv.game.survey(32, seed, ["random"])["decisions"]["mean"]
    group = np.arange(first_env, first_env + venv.num_envs) % groups
    venv.reset(seed=seed)
    for k in range(groups):
        venv.rollout("random", max(1, round(length / groups)))
        batch = venv.reset(mask=group == k)
    return batch


def reward_scale(game: playmat.Game, config: TrainConfig) -> float:
    """The factor on rewards of the configuration."""
    if config.reward_scale or game.reward == "outcome":
        return config.reward_scale or 1.0
    relative = config.relative and game.num_players > 1
    return game.reward_scale(seed=config.seed, relative=relative)


def opponents_of(config: TrainConfig, game: playmat.Game) -> list[str]:
    """The agents that the configuration names in `opponents`.

    Raises:
        playmat.InvalidArgument: One of them does not exist.
    """
    names = [name for name in split_agents(config.opponents) if name]
    for name in names:
        if reason := refusal_of(name, game):
            refuse("opponents", reason)
    return names


class Opponents:
    """Divides the environments: in the first `versus` of them the policy plays one player, each
    player in turn, against each opponent in turn; in the others it plays all players. ``envs`` are
    the environments of a shard.
    """

    def __init__(self, game: playmat.Game, config: TrainConfig, envs: slice) -> None:
        self.agents = [game.agent(name) for name in opponents_of(config, game)]
        players = game.num_players
        #: Whether the mean of all players' returns is 0 in every episode.
        self.zero_sum = players > 1 and (game.reward == "outcome" or game.info()["score_zero_sum"])
        count = round(config.versus * config.num_envs) if players > 1 and self.agents else 0
        env = np.arange(envs.start, envs.stop)
        #: By environment, the player that the policy plays and the agent that plays the others; -1
        #: in self-play.
        self.learner = np.where(env < count, env % players, -1)
        self.opponent = np.where(env < count, env // players % max(1, len(self.agents)), -1)

    def act(self, shard: Shard, t: int) -> None:
        """Replaces the policy's actions of step t by the opponents', where these play."""
        shard.by_policy[t] = (self.opponent < 0) | (shard.player[t] == self.learner)
        for i, agent in enumerate(self.agents):
            theirs = (self.opponent == i) & ~shard.by_policy[t]
            if theirs.any():
                shard.action[t, theirs] = agent.act_batch(shard.venv)[theirs]

    def note(
        self, metrics: dict[str, list[float]], batch: playmat.Batch, ended: NDArray[np.bool_]
    ) -> None:
        """Notes length and return of episodes that ended: against opponents the learner's return;
        in self-play the mean of all players, unless that is always 0.
        """
        if ended.any():
            metrics["charts/episodic_length"] += batch.episode_length[ended].tolist()
        against = np.flatnonzero(ended & (self.opponent >= 0))
        if against.size:
            returns = batch.episode_return[against, self.learner[against]]
            metrics["charts/return_against_opponents"] += returns.tolist()
        among = ended & (self.opponent < 0)
        if among.any() and not self.zero_sum:
            metrics["charts/episodic_return"] += batch.episode_return[among].mean(1).tolist()
