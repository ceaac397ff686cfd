"""The environments of a rollout: where they start, and who plays in them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

import playmat
from playmat.agents import split_agents
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.encoders.network import Network, placed
from playmat.train.evaluate import draw
from playmat.train.named import agent_of

if TYPE_CHECKING:
    from playmat.train.league import LeagueSnapshot
    from playmat.train.rollout import Shard

#: Different points of an episode that environments start from.
STAGGER = 32


def points_of(opponent: int) -> str:
    """Where a rollout notes the points of the episodes against an opponent of the league."""
    return f"opponent/{opponent}"


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


def places(returns: NDArray[Any]) -> NDArray[np.float32]:
    """Returns [E, P] of the players of ended episodes, compared: by player, the share of the others
    with lower returns less the share of those with higher ones, -1 to 1; 0 for one player.
    """
    above = np.sign(returns[:, :, None] - returns[:, None, :]).sum(2)
    result: NDArray[np.float32] = (above / max(1, returns.shape[1] - 1)).astype(np.float32)
    return result


def reward_scale(game: playmat.Game, config: TrainConfig) -> float:
    """The factor on rewards of the configuration.

    Raises:
        playmat.InvalidArgument: A `win_bonus` beside rewards that are victory or defeat already.
    """
    if config.win_bonus and game.reward == "outcome":
        got = f"got {config.win_bonus:g}; the reward `outcome` pays nothing but victories"
        raise invalid("win_bonus", f"{got}: allowed with it is 0, or set `reward` to `score_delta`")
    if config.reward_scale or game.reward == "outcome":
        return config.reward_scale or 1.0
    relative = config.relative and game.num_players > 1
    return game.reward_scale(seed=config.seed, relative=relative)


def names_of(config: TrainConfig) -> list[str]:
    """The texts that name the agents of `opponents`; one that comes twice plays twice as often.
    A file is one agent, whatever its name.
    """
    text = config.opponents
    return [name for name in ([text] if os.path.isfile(text) else split_agents(text)) if name]


def opponents_of(config: TrainConfig, game: playmat.Game) -> dict[str, playmat.Agent]:
    """The agents of `opponents`, by the texts that name them.

    Raises:
        playmat.InvalidArgument: One of them does not exist.
        playmat.Error: As :func:`playmat.train.named.agent_of`.
    """
    return {name: agent_of(name, game, "opponents") for name in names_of(config)}


class Opponents:
    """Divides the environments: in the first `opponent_fraction` of them the policy plays one
    player, each player in turn, against an opponent; in the others, and before `opponent_start` in
    all, it plays all players. Without a league, the opponents are the agents of `opponents`, each
    in turn; with one, each episode draws its opponent. ``envs`` are the environments of a shard.
    """

    def __init__(self, game: playmat.Game, config: TrainConfig, envs: slice) -> None:
        players = game.num_players
        # Without environments to play in, none is made: evaluations make their own.
        named = opponents_of(config, game) if config.opponent_fraction and players > 1 else {}
        self.agents = [named[name] for name in names_of(config)] if named else []
        #: Whether the mean of all players' returns is 0 in every episode.
        self.zero_sum = players > 1 and (game.reward == "outcome" or game.info()["score_zero_sum"])
        self.config, self.has_league = config, config.league > 0
        exist = players > 1 and (self.agents or self.has_league)
        count = round(config.opponent_fraction * config.num_envs) if exist else 0
        env = np.arange(envs.start, envs.stop)
        #: By environment, the player that the policy plays and the opponent that plays the others;
        #: -1 in self-play.
        self.learner = np.where(env < count, env % players, -1)
        self.opponent: NDArray[np.int64] = np.full(len(env), -1)
        #: By environment, its opponent if there is no league; -1 in self-play.
        self.fixed = np.where(env < count, env // players % max(1, len(self.agents)), -1)
        #: The chance of each opponent to be drawn, and the networks of past selves, each with the
        #: update that it was made after.
        self.chances: NDArray[np.float64] = np.zeros(0)
        #: By environment, the update that the past self was made after when it was drawn; -1 where
        #: no past self was. A newer one may take its place while the episode runs.
        self.drawn = np.full(len(env), -1)
        self.selves: list[tuple[int, Network]] = []
        self.divide_up()

    def divide_up(self) -> None:
        """Notes what follows from :attr:`opponent`, so that no step has to look for it."""
        self.in_self_play = self.opponent < 0
        self.are_playing = not self.in_self_play.all()
        #: By agent of the engine, the environments in which it is the opponent.
        self.of_agent = [self.opponent == i for i in range(len(self.agents))]

    def begin(
        self, shard: Shard, progress: float, snapshot: LeagueSnapshot | None, device: torch.device
    ) -> None:
        """Before a rollout: who plays. ``progress``, 0 to 1, is the share of the run that is
        done.
        """
        if progress >= self.config.opponent_start:
            self.take(shard, snapshot, device)
        self.divide_up()

    def take(self, shard: Shard, snapshot: LeagueSnapshot | None, device: torch.device) -> None:
        """Takes over the league as it is now; without one, the agents of the configuration."""
        if snapshot is None:
            self.opponent = self.fixed
            return
        self.chances = snapshot.chances
        for slot, (update, weights) in enumerate(snapshot.selves):
            if slot == len(self.selves):
                empty = Network(shard.game, self.config)
                self.selves.append((-1, placed(empty, device).requires_grad_(False)))
            loaded, network = self.selves[slot]
            if loaded != update:
                network.load_state_dict(weights)
                self.selves[slot] = (update, network)
        self.draw(shard, (self.learner >= 0) & (self.opponent < 0))

    def draw(self, shard: Shard, where: NDArray[np.bool_]) -> None:
        """Draws opponents for some environments; none as long as the league is empty."""
        if not self.chances.any():
            return
        random = torch.rand(int(where.sum()), generator=shard.generator, dtype=torch.float64)
        upto = np.cumsum(self.chances)
        self.opponent[where] = np.searchsorted(upto / upto[-1], random.numpy(), side="right")
        self.drawn[where] = self.updates()[where]
        self.divide_up()

    def updates(self) -> NDArray[np.int64]:
        """By environment, the update that the opponent was made after; -1 if it is no past self."""
        first, made = len(self.agents), np.full(len(self.agents) + self.config.league + 1, -1)
        made[first : first + len(self.selves)] = [update for update, _ in self.selves]
        result: NDArray[np.int64] = made[self.opponent]  # -1, self-play, is the last
        return result

    def act(self, shard: Shard, t: int) -> None:
        """Chooses the actions of the engine's agents in step t."""
        if not self.are_playing:
            return
        for agent, where in zip(self.agents, self.of_agent, strict=True):
            theirs = where & ~shard.by_policy[t]
            if theirs.any():
                np.copyto(shard.action[t], agent.act_batch(shard.venv, mask=theirs), where=theirs)

    def divide(self, shard: Shard, t: int) -> None:
        """Notes in which environments the policy decides in step t."""
        own = self.in_self_play
        shard.by_policy[t] = own | (shard.player[t] == self.learner) if self.are_playing else own

    def infer(self, shard: Shard, t: int) -> None:
        """Chooses the actions of past selves in step t."""
        for slot, (_, network) in enumerate(self.selves):
            is_theirs = (self.opponent == len(self.agents) + slot) & ~shard.by_policy[t]
            rows = np.flatnonzero(is_theirs)
            if rows.size:
                given = (torch.from_numpy(array[t, rows]) for array in shard.inputs(network))
                logits, _ = network(*(part.to(network.device) for part in given))
                shard.action[t, rows] = draw(logits.softmax(1), shard.generator).numpy()

    def state(self) -> NDArray[np.int64]:
        """The opponent of each environment, and when it was drawn."""
        return np.stack([self.opponent, self.drawn])

    def load(self, state: NDArray[np.int64]) -> None:
        """Continues from :meth:`state`.

        Raises:
            ValueError: It does not fit.
        """
        if state.shape != (2, self.opponent.size):
            raise ValueError("the opponents of a shard do not fit")
        opponent, drawn = state
        if opponent.shape != self.opponent.shape or opponent.dtype != self.opponent.dtype:
            raise ValueError("the opponents of a shard do not fit")
        if not self.has_league:
            return  # they follow from the configuration
        most = len(self.agents) + self.config.league
        if ((opponent < -1) | (opponent >= most) | (self.learner < 0) & (opponent >= 0)).any():
            raise ValueError("the opponents of a shard do not fit")
        self.opponent, self.drawn = opponent.copy(), drawn.copy()

    def note(self, shard: Shard, metrics: dict[str, list[float]], steps: slice) -> None:
        """Notes length and return of episodes that ended in these steps: against opponents the
        learner's return; in self-play the mean of all players, unless that is always 0. With a
        league, takes one step: notes the learner's points and draws the next opponents.
        """
        ended = shard.terminated[steps] | shard.truncated[steps]
        step, env = np.nonzero(ended)
        if not env.size:
            return
        metrics["charts/episodic_length"] += shard.episode_length[steps][step, env].tolist()
        returns = shard.episode_return[steps][step, env]
        is_against = self.opponent[env] >= 0
        against, who = env[is_against], self.learner[env[is_against]]
        if against.size:
            own = returns[is_against, who]
            metrics["charts/return_against_opponents"] += own.tolist()
        if self.has_league:
            if against.size:
                compared = places(returns[is_against])
                share = (compared[np.arange(against.size), who] + 1) / 2
                # Where a past self was replaced, the points are neither's.
                for i in np.flatnonzero((self.drawn == self.updates())[against]):
                    metrics[points_of(int(self.opponent[against[i]]))].append(float(share[i]))
            self.draw(shard, ended[0] & (self.learner >= 0))
        if not is_against.all() and not self.zero_sum:
            metrics["charts/episodic_return"] += returns[~is_against].mean(1).tolist()
