"""Measures for docs/scaling.md: `python tests/ray/measure.py [GAME ...]`.

First a training of one process beside trainings with workers, round by round in one run: decisions
per second, time by what it is spent on, bytes of an update. Then the driver alone: fake workers
that sleep and return as many bytes as a worker of that game, from 1 to 64 of them.
"""

from __future__ import annotations

import argparse
import functools
import os
import time
from statistics import median
from typing import Any

import numpy as np
import ray

from playmat.cluster import Cluster
from playmat.train.config import preset
from playmat.train.ppo import PPO
from playmat.train.trainer import Trainer
from playmat.train.workers import DistributedPPO, unpack

PARTS = ("inference", "environment", "transfer", "learning")


def trainings(game: str, updates: int) -> tuple[float, float]:
    """Prints a row per training; returns the seconds of playing and of
    learning of an update in one process.
    """
    fixed = {"minutes": 0, "total_decisions": 10**12, "num_shards": 2, "torch_threads": 1}
    kinds: dict[str, Any] = {"one process": PPO}
    for workers in (1, 2):
        for name, asynchronous in (("", False), (", --async", True)):
            kinds[f"{workers} workers{name}".replace("1 workers", "1 worker")] = functools.partial(
                DistributedPPO, cluster=Cluster("auto", workers), asynchronous=asynchronous
            )
    trainers = {
        kind: Trainer(game, {}, preset(game, **fixed), algorithm=algorithm)
        for kind, algorithm in kinds.items()
    }
    walls: dict[str, list[float]] = {kind: [] for kind in kinds}
    for trainer in trainers.values():
        trainer.update()
        trainer.ppo.seconds = dict.fromkeys(trainer.ppo.seconds, 0.0)
    for _ in range(updates):
        for kind, trainer in trainers.items():
            start = time.perf_counter()
            trainer.update()
            walls[kind].append(time.perf_counter() - start)
            if trainer.ppo.metrics.get("ray/policy_lag") or isinstance(trainer.ppo, DistributedPPO):
                # What workers play ahead must not take the cores of the next row.
                ray.wait(list(trainer.ppo.pending), num_returns=len(trainer.ppo.pending))
    print(f"| {game} | decisions/s | {' | '.join(f'{part}, s' for part in PARTS)} |")
    print("|---|" + "---:|" * (1 + len(PARTS)))
    for kind, trainer in trainers.items():
        speed = trainer.ppo.action.size / median(walls[kind])
        parts = " | ".join(f"{trainer.ppo.seconds[part] / updates:.3f}" for part in PARTS)
        print(f"| {kind} | {speed:,.0f} | {parts} |")
    last = trainers["2 workers"].ppo
    print(
        f"\nAn update: {last.metrics['ray/rollout_megabytes']:.2f} MB of rollouts, "
        f"{last.metrics['ray/weights_megabytes']:.2f} MB of weights.\n"
    )
    alone = trainers["one process"].ppo.seconds
    for trainer in trainers.values():
        trainer.ppo.close()
    playing = (alone["inference"] + alone["environment"]) / updates
    return playing, alone["learning"] / updates


class Fake:
    """A worker that sleeps instead of playing."""

    def play(self, weights: Any, arrays: dict[str, Any], seconds: float) -> dict[str, Any]:
        time.sleep(seconds)
        return {name: array.copy() for name, array in arrays.items()}


def saturation(game: str, seconds: float) -> None:
    """Prints what the driver needs for an update of so many workers that play for ``seconds``."""
    trainer = Trainer(game, {}, preset(game, minutes=0, total_decisions=10**12, num_shards=2))
    weights = {k: w.numpy() for k, w in trainer.network.state_dict().items()}
    shard = trainer.ppo.shards[0]
    shard.play(trainer.network, 0.0)
    from playmat.train.workers import packed

    arrays = ray.put(packed(shard))
    size = sum(a.nbytes for a in packed(shard).values()) / 1e6
    print(
        f"| fake workers ({size:.1f} MB each, {seconds} s of sleep) | update, s | per worker, ms |"
    )
    print("|---:|---:|---:|")
    fake = ray.remote(num_cpus=0.01)(Fake)
    for count in (1, 2, 4, 8, 16, 32, 64):
        actors = [fake.remote() for _ in range(count)]
        ray.get([actor.play.remote(0, arrays, 0) for actor in actors])
        times = []
        for _ in range(5):
            start = time.perf_counter()
            ref = ray.put(weights)
            left = [actor.play.remote(ref, arrays, seconds) for actor in actors]
            while left:
                done, left = ray.wait(left, num_returns=1)
                unpack(ray.get(done[0]), trainer.ppo, shard.envs)
            times.append(time.perf_counter() - start)
        spent = median(times) - seconds
        print(f"| {count} | {spent:.3f} | {1000 * spent / count:.2f} |")
        for actor in actors:
            ray.kill(actor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["graphia", "connect_four"])
    parser.add_argument("--updates", type=int, default=12)
    arguments = parser.parse_args()
    ray.init(num_cpus=8, include_dashboard=False, log_to_driver=False, logging_level="error")
    print(f"{os.cpu_count()} cores, numpy {np.__version__}, ray {ray.__version__}\n")
    for game in arguments.games:
        playing, learning = trainings(game, arguments.updates)
        print(f"One process plays {playing:.3f} s and learns {learning:.3f} s an update.\n")
        saturation(game, 0.5)
        print()
    ray.shutdown()


if __name__ == "__main__":
    main()
