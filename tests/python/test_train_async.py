"""Rollouts that a thread plays during the gradient steps: whose weights play, exact resume, errors, the deadline."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import torch

import playmat
from playmat.cli import main
from playmat.train import checkpoint
from playmat.train.asynchronous import AsyncPPO
from playmat.train.encoders.network import Network
from playmat.train.ppo import PPO
from playmat.train.trainer import Trainer, resume
from training import tiny

LEAGUE: dict[str, Any] = {
    "league": 2, "league_updates": 1, "opponent_fraction": 0.75, "num_shards": 2,
}  # fmt: skip
RUNS = [
    ("leduc_poker", {}),
    ("leduc_poker", {"imitation_fraction": 0.4, "greedy_bonus": 2.0, "imitation_coef": 0.3}),
    ("tic_tac_toe", {"imitation_fraction": 0.5, "expert": "mcts:8,policy=self"}),
    ("goofspiel", LEAGUE),
]


class Late(PPO):
    """The plain form: plays a rollout when it is needed, by the weights that were the newest when the rollout before it
    was taken."""

    def open(self) -> None:
        super().open()
        self.older = Network(self.game, self.config)
        self.next: Any = None

    def rollout(self, progress: float) -> bool:
        weights, self.played_at, snapshot = self.next or self.now(progress)
        self.older.load_state_dict(weights)
        played: list[Any] = [
            shard.play(self.older, self.played_at, snapshot=snapshot) for shard in self.shards
        ]
        if self.league is not None:
            selves = [update for update, _ in snapshot.selves]
            played = [self.league.known(episodes, selves) for episodes in played]
        complete = self.note(played)
        self.next = self.now(progress)
        return complete

    def now(self, progress: float) -> Any:
        weights = {name: part.clone() for name, part in self.network.state_dict().items()}
        return weights, progress, self.league.snapshot() if self.league is not None else None


def trained(name: str, changes: dict[str, Any], algorithm: Any, updates: int = 6) -> Trainer:
    config = tiny(name, **{"total_decisions": 6 * 128, **changes})
    trainer = Trainer(name, {}, config, algorithm=algorithm)
    for _ in range(updates):
        assert trainer.update()
    trainer.ppo.close()
    return trainer


def assert_equal(one: Trainer, other: Trainer) -> None:
    for name, part in one.network.state_dict().items():
        assert torch.equal(part, other.network.state_dict()[name]), name
    assert one.ppo.metrics == other.ppo.metrics


@pytest.mark.parametrize(("name", "changes"), RUNS)
def test_weights_that_play_are_one_update_old(name: str, changes: dict[str, Any]) -> None:
    trainer = trained(name, changes, AsyncPPO)
    assert_equal(trainer, trained(name, changes, Late))
    # The first two rollouts are by the same weights, so the newest weights would make a difference.
    plain = trained(name, changes, PPO)
    assert any(
        not torch.equal(part, plain.network.state_dict()[key])
        for key, part in trainer.network.state_dict().items()
    )
    # Nothing is played that is not learned from.
    assert isinstance(trainer.ppo, AsyncPPO)
    assert trainer.ppo.ahead is None


@pytest.mark.parametrize(("name", "changes"), RUNS)
def test_resume_continues_bit_by_bit(name: str, changes: dict[str, Any], tmp_path: Path) -> None:
    through = trained(name, changes, AsyncPPO)
    config = tiny(name, **{"total_decisions": 6 * 128, **changes})
    first = Trainer(name, {}, config, tmp_path, AsyncPPO)
    for _ in range(3):
        first.update()
    first.save()  # while a rollout is played
    for _ in range(3):
        first.update()
    first.ppo.close()
    assert_equal(first, through)
    second = resume(tmp_path / "checkpoint.pt", None, AsyncPPO)
    second.save()  # before that rollout is played again
    third = resume(tmp_path / "checkpoint.pt", None, AsyncPPO)
    # One thread alone goes on, too: from the environments as they were before that rollout.
    alone = resume(tmp_path / "checkpoint.pt")
    for trainer in (second, third, alone):
        assert trainer.ppo.updates == 3
        for _ in range(3):
            trainer.update()
        trainer.ppo.close()
    assert_equal(second, through)
    assert_equal(third, through)


def test_what_the_thread_raises_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rollout is played again."""
    through = trained("leduc_poker", {}, AsyncPPO)
    config = tiny("leduc_poker", total_decisions=6 * 128)
    trainer = Trainer("leduc_poker", {}, config, algorithm=AsyncPPO)
    assert isinstance(trainer.ppo, AsyncPPO)
    for _ in range(2):
        trainer.update()
    assert trainer.ppo.future is not None
    trainer.ppo.future.result()
    shard, left = trainer.ppo.shards[0], [3]
    infer = shard.infer

    def fail(network: Network, t: int) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise MemoryError("no room")
        return infer(network, t)

    monkeypatch.setattr(shard, "infer", fail)
    trainer.update()
    with pytest.raises(MemoryError, match="no room"):
        trainer.update()
    for _ in range(3):
        trainer.update()
    trainer.ppo.close()
    assert_equal(trainer, through)


def test_the_deadline_ends_the_thread() -> None:
    config = tiny("leduc_poker", total_decisions=0, minutes=1.0)
    trainer = Trainer("leduc_poker", {}, config, algorithm=AsyncPPO)
    assert isinstance(trainer.ppo, AsyncPPO)
    assert not trainer.ppo.update(0.0, time.perf_counter())
    assert trainer.ppo.updates == 0 and trainer.ppo.future is None
    assert trainer.ppo.update(0.0)
    trainer.ppo.close()


def test_a_rollout_ahead_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    trainer = Trainer("goofspiel", {}, tiny("goofspiel", **LEAGUE), tmp_path, AsyncPPO)
    for _ in range(2):
        trainer.update()
    trainer.save()
    trainer.ppo.close()
    path = tmp_path / "checkpoint.pt"
    state = checkpoint.read(path)
    first, *others = state["shards"]
    ahead = first["ahead"]
    name, part = next(
        (name, part) for name, part in ahead["weights"].items() if part.is_floating_point()
    )
    nan = torch.full_like(part, float("nan"))
    for wrong in [
        {"weights": {}},
        {"weights": {**ahead["weights"], name: nan}},
        {"progress": "half"},
        {"chances": torch.zeros(1)},
        {"chances": -ahead["chances"] - 1},
        {"selves": [[1]]},
    ]:
        shards = [{**first, "ahead": {**ahead, **wrong}}, *others]
        checkpoint.write(path, {**state, "shards": shards})
        with pytest.raises(playmat.Unreadable, match="what it holds does not fit"):
            resume(path, None, AsyncPPO)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("matplotlib", "tensorboard", "onnx"):
        pytest.importorskip(package)
    few = [f"--{name.replace('_', '-')}={value}" for name, value in tiny_arguments().items()]
    assert main(["train", "kuhn_poker", "--async", f"--out={tmp_path}", *few]) == 0
    assert "512 decisions in" in capsys.readouterr().out
    assert (tmp_path / "policy.onnx").is_file()
    assert main(["train", "kuhn_poker", "--async", "--max-policy-lag=2", *few]) == 2
    assert "argument `max_policy_lag`: it needs --ray and --async" in capsys.readouterr().err


def tiny_arguments() -> dict[str, Any]:
    return {
        "minutes": 0,
        "total_decisions": 512,
        "num_envs": 8,
        "num_steps": 16,
        "final_episodes": 6,
    }
