"""Checkpoints: exact resume, either device, and files that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import playmat
from playmat.cli import main
from playmat.train import checkpoint
from playmat.train.presets import PRESETS
from playmat.train.trainer import Trainer, resume
from training import tiny


@pytest.mark.parametrize(
    ("fraction", "opponent_fraction", "opponent_start", "coefficient", "bonus"),
    [
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (0.7, 0.0, 0.0, 0.0, 0.0),
        (0.4, 0.6, 0.0, 0.0, 0.0),
        (0.0, 0.6, 0.3, 0.0, 0.0),
        (0.3, 0.0, 0.0, 0.5, 0.0),
        (0.3, 0.6, 0.6, 0.5, 2.0),
    ],
)
def test_resume_continues_bit_by_bit(
    fraction: float, opponent_fraction: float, opponent_start: float, coefficient: float,
    bonus: float, tmp_path: Path,
) -> None:  # fmt: skip
    config = tiny(
        "leduc_poker",
        total_decisions=6 * 128,
        imitation_fraction=fraction,
        opponent_fraction=opponent_fraction,
        opponent_start=opponent_start,
        imitation_coef=coefficient,
        greedy_bonus=bonus,
    )
    through = Trainer("leduc_poker", {}, config)
    for _ in range(6):
        through.update()
    first = Trainer("leduc_poker", {}, config, tmp_path)
    for _ in range(3):
        first.update()
    first.save()
    second = resume(tmp_path / "checkpoint.pt")
    assert (second.ppo.decisions, second.ppo.updates) == (384, 3)
    # An evaluation in between changes nothing.
    second.evaluate(4)
    for _ in range(3):
        second.update()
    for name, value in through.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    for name in ("obs", "action"):
        assert np.array_equal(getattr(through.ppo, name), getattr(second.ppo, name))
    assert through.progress == second.progress == 1
    assert through.ppo.metrics == second.ppo.metrics


def test_a_checkpoint_from_before_a_hyperparameter_has_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what the preset of the game says now: its network has no bonus."""
    Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path).save()
    path = tmp_path / "checkpoint.pt"
    state = checkpoint.read(path)
    del state["config"]["greedy_bonus"]
    checkpoint.write(path, state)
    monkeypatch.setitem(PRESETS, "kuhn_poker", {"greedy_bonus": 2.0})  # type: ignore[arg-type]
    trainer = resume(path)
    assert trainer.config.greedy_bonus == 0 and trainer.update()
    assert not checkpoint.network_of(checkpoint.read(path), path).takes_greedy
    with pytest.raises(
        playmat.InvalidArgument, match=r"`greedy_bonus`: got 2\.0; the checkpoint h"
    ):
        resume(path, greedy_bonus=2.0)


def test_checkpoints_that_do_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    assert main(["train", "leduc_poker", "--resume", str(path)]) == 2
    assert "game is `kuhn_poker`, the command says `leduc_poker`" in capsys.readouterr().err
    with pytest.raises(playmat.InvalidArgument, match="`width`: got 99; the checkpoint has 16"):
        resume(path, width=99)
    state = checkpoint.read(path)
    checkpoint.write(path, {**state, "version": 999})
    with pytest.raises(playmat.WrongIdentity, match="version of kuhn_poker is `999`") as caught:
        checkpoint.read(path)
    assert (caught.value.field, caught.value.found) == ("version", "999")
    # Hyperparameters that have another name now.
    config = {**state["config"], "eval_games": 7, "final_games": 9}
    del config["eval_episodes"], config["final_episodes"]
    checkpoint.write(path, {**state, "config": config})
    resumed = resume(path)
    assert (resumed.config.eval_episodes, resumed.config.final_episodes) == (7, 9)
    assert checkpoint.config_of(checkpoint.read(path)).final_episodes == 9
    checkpoint.write(path, {**state, "config": {**state["config"], "lr": 1e-3}})
    with pytest.raises(playmat.Unreadable, match="argument `lr`: no such hyperparameter"):
        resume(path)
    body = path.read_bytes()
    path.write_bytes(body.replace(b"checkpoint 6\n", b"checkpoint 4\n", 1))
    with pytest.raises(playmat.Unreadable, match="format 4; this version reads 6"):
        checkpoint.read(path)
    for foreign in (b"", b"not a checkpoint", b"root:x:0:0:root:/root:/bin/bash\n", bytes(4096)):
        path.write_bytes(foreign)
        for command in (
            ["train", "kuhn_poker", "--resume"],
            ["arena", "kuhn_poker", "--agents", "random"],
        ):
            assert main([*command, str(path)]) == 2
            said = capsys.readouterr().err
            assert f"cannot read checkpoint `{path}`: it does not begin with" in said


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    body = path.read_bytes()
    draws = np.random.default_rng(1)
    for _ in range(100):
        cut = bytearray(body[: draws.integers(len(body))])
        path.write_bytes(cut)
        with pytest.raises(playmat.Unreadable, match="cannot read checkpoint"):
            checkpoint.read(path)
        flipped = bytearray(body)
        flipped[draws.integers(len(body))] ^= 1 << int(draws.integers(8))
        path.write_bytes(flipped)
        with pytest.raises(playmat.Unreadable, match="cannot read checkpoint"):
            checkpoint.read(path)


def test_corrupted_checkpoints_are_refused(tmp_path: Path) -> None:
    """With a valid checksum: values that are missing, of another type, or no number."""
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    state = checkpoint.read(path)

    def refused(corrupted: dict[str, Any], reason: str) -> None:
        checkpoint.write(path, corrupted)
        with pytest.raises(playmat.Unreadable, match=reason):
            resume(path)

    for name in checkpoint.FIELDS:
        refused({key: value for key, value in state.items() if key != name}, f"`{name}` is missing")
        refused({**state, name: set()}, f"`{name}` is of type set")
    refused({**state, "decisions": -1}, "`decisions` is -1")
    refused({**state, "elapsed": float("nan")}, "`elapsed` is nan")
    refused({**state, "history": ["x"]}, "entries of `history`")
    refused({**state, "evaluated": {"x": "y"}}, "`evaluated` must map names to numbers")
    refused({**state, "game": "graft_"}, "graft_")
    refused({**state, "options": {1: 2}}, "does not fit")
    refused({**state, "network": {}}, "does not fit: Error")
    refused({**state, "optimizer": {}}, "does not fit")
    refused({**state, "generator": torch.zeros(3)}, "does not fit")
    shard = state["shards"][0]
    for wrong in (
        [],
        [shard, shard],
        [{**shard, "environments": torch.zeros(9, dtype=torch.uint8)}],
        [{**shard, "generator": torch.zeros(3)}],
        [7],
    ):
        refused({**state, "shards": wrong}, "does not fit")
    name, weights = next(iter(state["network"].items()))
    refused(
        {**state, "network": {**state["network"], name: weights * torch.nan}}, f"`{name}` are not"
    )


@pytest.mark.parametrize("saved", ["cpu", "cuda"])
def test_a_checkpoint_of_one_device_loads_on_the_other(saved: str, tmp_path: Path) -> None:
    """The device of a run is not part of what is resumed, and no tensor of a file names one."""
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.update()
    path = tmp_path / "checkpoint.pt"
    state = trainer.state()
    checkpoint.write(path, {**state, "config": {**state["config"], "device": saved}})
    here = "cuda" if torch.cuda.is_available() else "cpu"
    again = resume(path)
    assert again.config.device == "auto" and again.ppo.device.type == here
    assert again.ppo.optimizer.state_dict()["state"][0]["exp_avg"].device.type == here
    assert checkpoint.network_of(checkpoint.read(path), path).device.type == here
    assert resume(path, device="cpu").config.device == "cpu"
    assert again.update()


def test_tensors_are_read_onto_the_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    load, wanted = torch.load, []

    def spy(*args: Any, **options: Any) -> Any:
        wanted.append(options["map_location"])
        return load(*args, **options)

    monkeypatch.setattr(torch, "load", spy)
    checkpoint.read(tmp_path / "checkpoint.pt")
    assert wanted == ["cpu"]
