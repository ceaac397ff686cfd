"""What the tests of trainings on Ray share."""

from __future__ import annotations

import functools
import os
import socket
import time
from collections.abc import Callable
from typing import Any

import ray
import torch

from playmat.cluster import Cluster
from playmat.train.config import TrainConfig, preset
from playmat.train.trainer import Trainer
from playmat.train.workers import DistributedPPO

# Beside other work on this machine, Ray's workers would starve: their priority is the lowest.
os.environ.setdefault("RAY_worker_niceness", "0")

#: 512 decisions an update, in four shards.
SMALL: dict[str, Any] = {
    "minutes": 0, "total_decisions": 4 * 512, "num_envs": 30, "num_shards": 4, "num_steps": 16,
    "num_minibatches": 2, "opponent_fraction": 0.0, "imitation_num_minibatches": 0, "width": 16,
    "channels": 4, "device": "cpu", "eval_minutes": 0, "final_episodes": 4, "save_minutes": 0,
    "torch_threads": 1,
}  # fmt: skip


def small(name: str, **changes: Any) -> TrainConfig:
    return preset(name, **{**SMALL, **changes})


def distributed(count: int, **arguments: Any) -> Callable[..., DistributedPPO]:
    return functools.partial(DistributedPPO, cluster=Cluster("auto", count), **arguments)


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: part.clone() for name, part in trainer.network.state_dict().items()}


def assert_equal(found: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor]) -> None:
    assert found.keys() == wanted.keys()
    for name, part in found.items():
        assert torch.equal(part, wanted[name]), name


def finish(trainer: Trainer) -> Trainer:
    while not trainer.finished:
        trainer.update()
    trainer.ppo.close()
    return trainer


def slow_down(ppo: DistributedPPO, worker: int, seconds: float) -> None:
    """Makes a worker sleep before each rollout of a shard."""

    def sleep(self: Any) -> None:
        resolve = self.resolve

        def slowly(snapshot: Any) -> Any:
            time.sleep(seconds)
            return resolve(snapshot)

        # Ray calls the methods of the class, but these call those of the object.
        self.resolve = slowly

    ray.get(ppo.workers[worker].__ray_call__.remote(sleep))


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
