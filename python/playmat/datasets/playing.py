"""Plays episodes into arrays. Each depends on its seed and agents only."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.cluster import Cluster, in_order, run
from playmat.datasets.identity import episode_seed

#: Episodes of a piece: the least that a thread plays at a time.
PIECE = 16
#: The same for a worker of a cluster: less often, because a piece travels.
WORK = 64
#: Rows for which a recorder has memory at first.
ROWS = 1024


class Stopped(Exception):
    """The play was stopped within an episode."""


@dataclass(frozen=True)
class Piece:
    """Whole episodes, one row for each decision; see :mod:`playmat.datasets`."""

    first: int
    last: int
    columns: dict[str, NDArray[np.generic]]

    @property
    def rows(self) -> int:
        """The number of decisions."""
        return len(self.columns["episode"])


class EpisodeRecorder:
    """Plays episodes with agents that rotate over the players, and keeps their rows. For one
    thread.
    """

    def __init__(self, game: playmat.Game, agents: Sequence[str], seed: int) -> None:
        self.game, self.seed = game, seed
        self.act = [game.agent(spec).act for spec in agents]
        self.env = game.env(0)
        self.obs = np.zeros((0, game.observation_shape[0]), np.uint8)
        self.mask = np.zeros((0, game.num_actions), np.bool_)
        self._grow(ROWS)

    def _grow(self, rows: int) -> None:
        """Makes room for ``rows`` rows, and keeps those that are there."""
        obs = np.zeros((rows, self.obs.shape[1]), np.uint8)
        mask = np.zeros((rows, self.mask.shape[1]), np.bool_)
        obs[: len(self.obs)], mask[: len(self.mask)] = self.obs, self.mask
        self.obs, self.mask = obs, mask
        # A view of each row, made once: a step writes into it.
        self.obs_rows, self.mask_rows = list(obs), list(mask)

    def play(self, first: int, last: int, stop: Sequence[bool] = ()) -> Piece:
        """Plays the episodes from first to last.

        Raises:
            Stopped: Something is in `stop`.
        """
        env, players, count = self.env, self.game.num_players, len(self.act)
        row, starts = 0, [0]
        player: list[int] = []
        action: list[int] = []
        reward: list[NDArray[np.float32]] = []
        seeds: list[int] = []
        returns: list[NDArray[np.float32]] = []
        ends: list[tuple[bool, bool]] = []
        for episode in range(first, last + 1):
            act = [self.act[(episode + p) % count] for p in range(players)]
            seeds.append(episode_seed(self.seed, episode))
            env.reset(seeds[-1])
            over = env.done
            if not over:
                env.observation(out=self.obs_rows[row])
                env.action_mask(out=self.mask_rows[row])
            while not over:
                if stop:
                    raise Stopped
                current = env.current_player
                chosen = act[current](env)
                player.append(current)
                action.append(chosen)
                row += 1
                if row == len(self.obs_rows):
                    self._grow(2 * row)
                over = env.step_into(chosen, self.obs_rows[row], self.mask_rows[row])
                reward.append(env.rewards)
            starts.append(row)
            returns.append(env.returns)
            ends.append((env.terminated, env.truncated))
        lengths = np.diff(starts)
        numbers = np.arange(first, last + 1)
        who = (numbers[:, None] + np.arange(players)) % count
        ended = np.zeros((row, 2), np.bool_)
        played = lengths > 0
        ended[np.array(starts[1:])[played] - 1] = np.array(ends)[played]
        players_of_rows = np.array(player, np.int32)
        agents_of_rows = np.repeat(who, lengths, axis=0).astype(np.int32)
        columns: dict[str, NDArray[np.generic]] = {
            "episode": np.repeat(numbers, lengths),
            "decision": np.concatenate([np.arange(n, dtype=np.int32) for n in lengths]),
            "player": players_of_rows,
            "agent": agents_of_rows[np.arange(row), players_of_rows],
            "obs": self.obs[:row].copy(),
            "action_mask": self.mask[:row].copy(),
            "action": np.array(action, np.int64),
            "reward": np.array(reward, np.float32).reshape(row, players),
            "terminated": ended[:, 0].copy(),
            "truncated": ended[:, 1].copy(),
            "returns": np.repeat(np.array(returns, np.float32), lengths, axis=0),
            "agents": agents_of_rows,
            "episode_seed": np.repeat(np.array(seeds, np.uint64), lengths),
        }
        return Piece(first, last, columns)


@dataclass(frozen=True)
class Job:
    """A piece that is still to be played, by a process of its own."""

    game: playmat.Game
    agents: tuple[str, ...]
    seed: int
    first: int
    last: int

    def play(self) -> Piece:
        """Plays it."""
        return EpisodeRecorder(self.game, self.agents, self.seed).play(self.first, self.last)


def pieces(
    game: playmat.Game, agents: Sequence[str], seed: int, episodes: range, threads: int,
    stop: list[bool], workers: Cluster | None = None,
) -> Iterator[Piece]:  # fmt: skip
    """All episodes in order, in pieces. Ends early, after a whole piece, when something is in
    `stop`.
    """
    # A search takes long for an episode: then each episode is a piece, so that little is lost.
    size = 1 if any(":" in agent for agent in agents) else PIECE if workers is None else WORK
    todo = (
        (first, min(first + size, episodes.stop) - 1)
        for first in range(episodes.start, episodes.stop, size)
    )
    if workers is not None:
        jobs = (Job(game, tuple(agents), seed, first, last) for first, last in todo)
        for piece in in_order(run(Job.play, jobs, workers)):
            if stop:
                return
            yield piece
        return
    if threads == 1:
        recorder = EpisodeRecorder(game, agents, seed)
        try:
            for first, last in todo:
                yield recorder.play(first, last, stop)
        except Stopped:
            return
        return
    yield from _by_threads(game, agents, seed, todo, threads, stop)


def _by_threads(
    game: playmat.Game, agents: Sequence[str], seed: int, todo: Iterator[tuple[int, int]],
    threads: int, stop: list[bool],
) -> Iterator[Piece]:  # fmt: skip
    """The pieces in order, played by threads; at most two for each thread are under way."""
    free: queue.SimpleQueue[EpisodeRecorder] = queue.SimpleQueue()
    for _ in range(threads):
        free.put(EpisodeRecorder(game, agents, seed))

    def play(first: int, last: int) -> Piece:
        recorder = free.get()
        try:
            return recorder.play(first, last, stop)
        finally:
            free.put(recorder)

    under_way: deque[Future[Piece]] = deque()
    with ThreadPoolExecutor(threads, "playmat-rollouts") as pool:
        try:
            while True:
                while len(under_way) < 2 * threads and (piece := next(todo, None)):
                    under_way.append(pool.submit(play, *piece))
                if not under_way:
                    return
                yield under_way.popleft().result()
        except Stopped:
            return
        except BaseException:
            # Whoever stops listening does not wait for the pieces that are under way.
            stop.append(True)
            raise
