"""Rollouts: the arrays that they fill, and the shards of environments that play them.

A shard is a part of the `num_envs` environments with random streams of its own. What it plays
depends on the network's weights and on the shard, not on the process that plays it or on what the
other shards do: `playmat train --ray` plays the same rollouts in other processes.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import playmat
from playmat.train.config import TrainConfig
from playmat.train.encoders.network import Network
from playmat.train.environments import Opponents, places, stagger
from playmat.train.evaluate import draw
from playmat.train.imitation import Imitation
from playmat.train.league import LeagueSnapshot

#: What the state of a shard has beside its own, where a rollout is played ahead of the learner: see
#: :mod:`playmat.train.asynchronous`.
AHEAD = "ahead"


class Arrays:
    """The arrays of a rollout: T = `num_steps` steps of N environments with P players. Each step is
    one decision of one player.
    """

    #: What the learner needs of a rollout; `obs`, `mask` and `player` have one step more.
    NAMES = (
        "obs", "mask", "player", "action", "log_prob", "value", "reward", "terminated", "truncated",
        "by_policy", "expert", "expert_visits", "greedy", "place",
    )  # fmt: skip

    #: Wall time by what it was spent on, in seconds.
    seconds: dict[str, float]

    def __init__(self, game: playmat.Game, config: TrainConfig, envs: int) -> None:
        t, n, players = config.num_steps, envs, game.num_players
        # The observation after the last step is the first of the next rollout.
        self.obs = np.zeros((t + 1, n, game.observation_shape[0]), np.uint8)
        self.mask = np.zeros((t + 1, n, game.num_actions), np.bool_)
        self.player = np.zeros((t + 1, n), np.int32)
        #: What is learned from: the policy's action; during imitation the expert's.
        self.action = np.zeros((t, n), np.int64)
        #: Of the action that the policy chose, which imitation does not learn from.
        self.log_prob = np.zeros((t, n), np.float32)
        self.value = np.zeros((t, n), np.float32)
        self.reward = np.zeros((t, n, players), np.float32)
        self.terminated = np.zeros((t, n), np.bool_)
        self.truncated = np.zeros((t, n), np.bool_)
        #: Whether the policy made a decision (or an opponent did).
        self.by_policy = np.ones((t, n), np.bool_)
        #: The action of the agent that is imitated.
        self.expert = np.zeros((t, n), np.int64)
        #: The share of each action in the visits of its search, if that is learned.
        actions = game.num_actions if Imitation.learns_visits(config) else 0
        self.expert_visits = np.zeros((t, n, actions), np.float32)
        #: The action of the greedy agent, for networks that read it; -1: no bonus for any.
        self.greedy = np.full((t, n), -1)
        #: Where an episode ended, each player's place among the returns; see
        #: :func:`playmat.train.environments.places`.
        self.place = np.zeros((t, n, players), np.float32)

    @contextmanager
    def clock(self, name: str) -> Iterator[None]:
        """Adds the wall time of a block to :attr:`seconds`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - start

    def inputs(self, network: Network) -> list[NDArray[Any]]:
        """The arguments of a network's forward, [T, N, ...] each."""
        arrays = [self.obs[:-1], self.mask[:-1]]
        return [*arrays, self.greedy] if network.takes_greedy else arrays

    def lend(self, whole: Arrays, envs: slice) -> None:
        """Makes these arrays views of some environments of another rollout."""
        for name in Arrays.NAMES:
            setattr(self, name, getattr(whole, name)[:, envs])


class Shard(Arrays):
    """Shard ``index`` of the environments of a configuration, and its part of the rollout."""

    def __init__(
        self, game: playmat.Game, config: TrainConfig, index: int, whole: Arrays | None = None
    ) -> None:
        self.game, self.config, self.envs = game, config, config.shard(index)
        first, last = self.envs.start, self.envs.stop
        if whole is None:
            super().__init__(game, config, last - first)
        else:
            self.lend(whole, self.envs)
        # On the CPU, so that a checkpoint of one device loads on the other.
        stream = np.random.SeedSequence([config.seed, index]).generate_state(1, np.uint64)
        self.generator = torch.Generator().manual_seed(int(stream[0] >> np.uint64(1)))
        self.opponents = Opponents(game, config, self.envs)
        self.imitation = Imitation(game, config) if Imitation.wanted(config) else None
        #: The greedy agent, if the network reads its actions.
        self.greedy_agent = game.agent("greedy") if config.greedy_bonus else None
        agents = [*self.opponents.agents, *([self.imitation.expert] if self.imitation else [])]
        #: Whether an agent keeps trees from one decision of an episode to the next.
        self.keeps_trees = any(agent.name.startswith("mcts:") for agent in agents)
        #: Of the episodes that ended in each step.
        self.episode_return = np.zeros(self.reward.shape, np.float32)
        self.episode_length = np.zeros(self.terminated.shape, np.int32)
        after = {"obs": self.obs, "action_mask": self.mask, "player": self.player}
        during = {
            "reward": self.reward, "terminated": self.terminated, "truncated": self.truncated,
            "episode_return": self.episode_return, "episode_length": self.episode_length,
        }  # fmt: skip
        #: Where the engine writes what each step led to.
        self.outs = [
            {k: array[t + 1] for k, array in after.items()}
            | {k: array[t] for k, array in during.items()}
            for t in range(config.num_steps)
        ]
        self.venv = game.vec_env(
            last - first, threads=config.threads, fields=list(self.outs[0]), first_env=first
        )
        self.start_from(stagger(self.venv, config.seed, first, config.num_envs))
        #: Wall time of the last rollout by what it was spent on, in seconds.
        self.seconds = {"environment": 0.0, "inference": 0.0}

    def start_from(self, batch: playmat.Batch) -> None:
        """Makes a batch the start of the next rollout."""
        self.obs[-1], self.mask[-1], self.player[-1] = batch.obs, batch.action_mask, batch.player

    def play(
        self, network: Network, progress: float, deadline: float = math.inf,
        snapshot: LeagueSnapshot | None = None,
    ) -> dict[str, list[float]] | None:  # fmt: skip
        """Plays `num_steps` steps of every environment. ``progress``, 0 to 1, is the share of the
        run that is done; ``deadline`` is on the clock of ``time.perf_counter``; ``snapshot`` is
        of the league, if there is one.

        Returns:
            Lengths and returns of the episodes that ended, by metric; None if the deadline came
            before the last step.
        """
        episodes: dict[str, list[float]] = defaultdict(list)
        self.seconds = dict.fromkeys(self.seconds, 0.0)
        for array in (self.obs, self.mask, self.player):
            array[0] = array[-1]
        if self.keeps_trees:
            # A checkpoint has no trees: a run that goes on from one must not differ.
            self.start_from(self.venv.load_bytes(self.venv.to_bytes()))
        self.opponents.begin(self, progress, snapshot, network.device)
        imitates = self.imitation is not None and self.imitation.is_running(progress)
        self.greedy[:], self.place[:] = -1, 0
        if self.imitation is not None:
            with self.clock("environment"):
                self.imitation.begin(self, network, progress)
        for t in range(self.config.num_steps):
            if time.perf_counter() >= deadline:
                for array in (self.obs, self.mask, self.player):
                    array[-1] = array[t]  # the start of the next rollout
                return None
            with self.clock("environment"):
                if self.greedy_agent is not None and not imitates:
                    self.greedy_agent.act_batch(self.venv, out=self.greedy[t])
                self.opponents.divide(self, t)
            with self.clock("inference"), torch.inference_mode():
                self.infer(network, t)
                self.opponents.infer(self, t)
            with self.clock("environment"):
                self.opponents.act(self, t)
                played = self.action[t]
                if self.imitation is not None:
                    played = self.imitation.collect(self, t, progress)
                self.venv.step(played, out=self.outs[t])
                if self.opponents.has_league:  # which draws an opponent for the next episode
                    self.opponents.note(self, episodes, slice(t, t + 1))
        with self.clock("environment"):
            if not self.opponents.has_league:
                self.opponents.note(self, episodes, slice(None))
            if self.config.win_bonus:
                ended = self.terminated | self.truncated
                self.place[ended] = places(self.episode_return[ended])
        return dict(episodes)

    def infer(self, network: Network, t: int) -> None:
        """Chooses the policy's actions of step t; notes their values and the logarithms of their
        probabilities, 0 where the policy does not decide.
        """
        own = self.by_policy[t]
        rows: slice | NDArray[np.int64] = slice(None)  # copies nothing
        if self.opponents.are_playing:
            # Against an opponent half of the rows are not the policy's.
            rows = np.flatnonzero(own)
            self.value[t] = self.log_prob[t] = 0
            if not rows.size:
                return
        given = (torch.from_numpy(array[t][rows]) for array in self.inputs(network))
        logits, value = network(*(part.to(network.device) for part in given))
        probabilities = logits.softmax(1).cpu()
        action = draw(probabilities, self.generator)
        self.action[t, rows] = action.numpy()
        self.log_prob[t, rows] = probabilities.gather(1, action[:, None]).log_().squeeze(1).numpy()
        self.value[t, rows] = value.cpu().numpy()

    def state(self) -> dict[str, Tensor]:
        """Everything that the next rollout depends on, beside the network."""
        environments = torch.frombuffer(bytearray(self.venv.to_bytes()), dtype=torch.uint8)
        return {
            "environments": environments,
            "generator": self.generator.get_state(),
            "opponents": torch.from_numpy(self.opponents.state()),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Continues from :meth:`state`."""
        self.generator.set_state(state["generator"])
        self.opponents.load(state["opponents"].numpy())
        self.start_from(self.venv.load_bytes(state["environments"].numpy().tobytes()))
