"""Shared by the tests of training: runs of a second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playmat.train import TrainConfig
from playmat.train.config import preset
from playmat.train.trainer import Trainer, resume

#: 128 decisions a rollout, in two minibatches.
TINY: dict[str, Any] = {
    "minutes": 0, "total_decisions": 512, "num_envs": 8, "num_shards": 1, "num_steps": 16, "num_minibatches": 2,
    "opponent_fraction": 0.0,
    "imitation_num_minibatches": 0, "width": 16, "channels": 4, "device": "cpu",
    "eval_minutes": 0, "final_episodes": 6, "save_minutes": 0, "torch_threads": 1,
}  # fmt: skip


def tiny(name: str, **changes: Any) -> TrainConfig:
    return preset(name, **{**TINY, **changes})


def resumed(config: TrainConfig, updates: int, folder: Path) -> Iterator[tuple[Trainer, Trainer]]:
    """A Tic-Tac-Toe training without an interruption, and one that was saved after some updates
    and resumed, after each of three further updates.
    """
    through = Trainer("tic_tac_toe", {}, config)
    first = Trainer("tic_tac_toe", {}, config, folder)
    for _ in range(updates):
        through.update()
        first.update()
    first.save()
    second = resume(folder / "checkpoint.pt")
    for _ in range(3):
        through.update()
        second.update()
        assert through.ppo.metrics == second.ppo.metrics
        yield through, second


def trained(name: str, options: dict[str, Any], out: Path, bonus: float = 0.0) -> str:
    """A checkpoint of a network that has learned next to nothing. With a bonus it plays as the
    greedy agent.
    """
    config = preset(
        name, minutes=0, total_decisions=64, num_envs=8, num_steps=8, num_minibatches=1, width=16, channels=4, torch_threads=1,
        greedy_bonus=bonus,
    )  # fmt: skip
    trainer = Trainer(name, options, config, out)
    trainer.update()
    trainer.save()
    return str(out / "checkpoint.pt")
