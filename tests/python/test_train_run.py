"""A run: its folder and curves, minutes that end it, Ctrl-C, divergence."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

import playmat
from playmat.cli import main
from playmat.train import checkpoint
from playmat.train.cli import summary
from playmat.train.evaluate import PolicyAgent
from playmat.train.report import draw_curve, points
from playmat.train.trainer import Trainer, resume
from training import TINY, tiny


def test_the_folder_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in TINY.items()]
    assert main(["train", "kuhn_poker", "--out", str(out), *arguments]) == 0
    said = capsys.readouterr().out
    assert "against random: mean return" in said and ", won " in said
    assert "environment" in said and "512 decisions" in said
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    history = json.loads((out / "history.json").read_text())
    learned = [entry["decisions"] for entry in history if "losses/approx_kl" in entry]
    assert learned == [128, 256, 384, 512]
    evaluated = [entry for entry in history if "eval" in entry]
    wanted = {
        f"eval/{what}_{agent}" for what in ("return", "win_rate") for agent in ("random", "greedy")
    }
    assert len(evaluated) == 1 and wanted < evaluated[0].keys()
    for name in wanted:
        assert evaluated[0][f"{name}_low"] < evaluated[0][name] < evaluated[0][f"{name}_high"]
    assert not any(name.startswith("eval/") for e in history if "eval" not in e for name in e)
    assert list(out.glob("events.out.tfevents.*"))
    assert onnx.load(str(out / "policy.onnx")).producer_name == "playmat"
    # Continued to a later limit, in place.
    checkpoint_file = out / "checkpoint.pt"
    assert (
        main(["train", "kuhn_poker", "--resume", str(checkpoint_file), "--total-decisions=768"])
        == 0
    )
    assert checkpoint.read(checkpoint_file)["decisions"] == 768
    capsys.readouterr()
    assert main(["train", "kuhn_poker", "--resume", str(checkpoint_file)]) == 0
    assert "nothing left to train: 768 decisions" in capsys.readouterr().out


def test_curves_show_what_was_measured_when_it_was(tmp_path: Path) -> None:
    """Evaluations once each, the last one too; nothing of an earlier update again."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = tiny(
        "connect_four",
        total_decisions=6 * 128,
        imitation_fraction=0.5,
        eval_minutes=1e-9,
        eval_episodes=4,
    )
    trainer = Trainer("connect_four", {}, config, tmp_path)
    trainer.run()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    steps = {tag: [event.step for event in events.Scalars(tag)] for tag in tags}
    decisions = [128 * k for k in range(1, 7)]
    assert steps["imitation/loss"] == decisions[:3]
    assert steps["losses/policy_loss"] == steps["losses/approx_kl"] == decisions[3:]
    assert steps["losses/entropy"] == decisions
    for what in ("return", "win_rate"):
        for agent in ("random", "greedy"):
            assert steps[f"eval/{what}_{agent}"] == [*decisions, decisions[-1]]
    assert not {tag for tag in tags if tag.endswith(("_low", "_high"))}
    assert {tag.partition("/")[0] for tag in tags} == {
        "charts",
        "losses",
        "imitation",
        "eval",
        "time",
    }
    assert steps["charts/SPS"] == steps["charts/learning_rate"] == decisions
    # Constants are no curves.
    assert events.Tags()["tensors"] == ["hyperparameters/text_summary"]
    assert "charts/episodic_return" not in tags
    entries = [entry for entry in trainer.history if "eval/return_greedy" in entry]
    assert points(trainer.history, "eval/return_greedy")[1] == [
        entry["eval/return_greedy"] for entry in entries
    ]
    # The same figure for other numbers of players.
    for players in (1, 3):
        draw_curve(trainer.history, tmp_path / f"{players}.png", "test", players)
        assert (tmp_path / f"{players}.png").read_bytes().startswith(b"\x89PNG")


class Clock:
    """A clock that only tests move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_minutes_end_a_rollout_at_the_next_step(
    fraction: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    config = tiny(
        "connect_four", minutes=1, total_decisions=0, num_steps=50, imitation_fraction=fraction
    )
    trainer = Trainer("connect_four", {}, config, tmp_path)
    shard = trainer.ppo.shards[0]
    step, played = shard.venv.step, []

    class Slow:
        """Every step takes a second, a rollout 50, and learning no time."""

        def step(self, *args: Any, **options: Any) -> playmat.Batch:
            clock.now += 1
            played.append(clock.now)
            return step(*args, **options)

        def __getattr__(self, name: str) -> Any:
            return getattr(venv, name)

    class Expert:
        """The expert of the environments themselves."""

        def act_batch(self, _: Any, out: Any, mask: Any) -> Any:
            return greedy.act_batch(venv, out=out, mask=mask)

    venv, shard.venv = shard.venv, Slow()  # type: ignore[assignment]
    greedy = trainer.ppo.game.agent("greedy")
    if shard.imitation is not None:
        shard.imitation.expert = Expert()  # type: ignore[assignment]
    results = trainer.run()
    # One whole update; ten steps of the second, which do not count.
    assert len(played) == 60 and played[-1] == 1060
    assert (trainer.ppo.updates, trainer.ppo.decisions, trainer.elapsed) == (1, 400, 60)
    assert [entry["decisions"] for entry in trainer.history] == [400, 400]
    assert set(results) == {"random", "greedy"} and results["greedy"].episodes == 6
    # The run continues from the state of the environments, here and from the checkpoint.
    state = checkpoint.read(tmp_path / "checkpoint.pt")
    assert (state["decisions"], state["elapsed"]) == (400, 60)
    further = resume(tmp_path / "checkpoint.pt", minutes=10)
    for name in ("obs", "mask", "player"):
        np.testing.assert_array_equal(
            getattr(trainer.ppo, name)[-1], getattr(further.ppo, name)[-1]
        )
    assert further.update() and further.ppo.decisions == 800


def test_a_limit_shorter_than_one_rollout_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    trainer = Trainer("connect_four", {}, tiny("connect_four", minutes=1, total_decisions=0))
    assert trainer.update()
    assert "nothing was learned" not in summary(trainer)
    short = Trainer("connect_four", {}, tiny("connect_four", minutes=1, total_decisions=0))
    late = lambda progress: (setattr(clock, "now", clock.now + 61), False)[1]  # noqa: E731
    monkeypatch.setattr(short.ppo, "rollout", late)
    short.run()
    assert (short.ppo.updates, short.ppo.decisions, short.history[0].get("eval")) == (0, 0, 1.0)
    assert "nothing was learned: the first rollout, of 128 decisions, was not" in summary(short)


def test_minutes_end_learning_at_the_next_gradient_step(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    config = tiny(
        "connect_four", minutes=1, total_decisions=0, update_epochs=100, num_minibatches=8
    )
    trainer = Trainer("connect_four", {}, config)
    step, taken = trainer.ppo.optimizer.step, []

    def slow() -> None:
        clock.now += 7
        taken.append(clock.now)
        step()

    trainer.ppo.optimizer.step = slow  # type: ignore[method-assign,assignment]
    trainer.run()
    # Nine steps of some hundreds; what they learned stays, and the decisions count.
    assert len(taken) == 9 and (trainer.ppo.updates, trainer.ppo.decisions, trainer.elapsed) == (
        1,
        128,
        63,
    )
    assert math.isfinite(trainer.ppo.metrics["losses/policy_loss"])


def test_minutes_end_an_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    config = tiny(
        "connect_four",
        minutes=1,
        total_decisions=0,
        eval_minutes=0.5,
        eval_episodes=50,
        final_episodes=3,
    )
    trainer = Trainer("connect_four", {}, config)
    act, acted = PolicyAgent.act, []

    def slow(self: PolicyAgent, *args: Any) -> Any:
        clock.now += 4
        acted.append(clock.now)
        return act(self, *args)

    monkeypatch.setattr(PolicyAgent, "act", slow)
    learn = trainer.ppo.learn
    monkeypatch.setattr(
        trainer.ppo, "learn", lambda left: (setattr(clock, "now", clock.now + 40), learn(left))[1]
    )
    results = trainer.run()
    # It begins at 40 seconds and is abandoned at 60: nothing of it is shown. The last one is whole.
    assert acted[4] == 1060 and trainer.elapsed == 60 and len(acted) > 10
    assert [entry.get("eval") for entry in trainer.history] == [None, 1.0]
    assert {result.episodes for result in results.values()} == {3}


def test_interruption_leaves_a_checkpoint_that_resumes(tmp_path: Path) -> None:
    settings = {**TINY, "minutes": 5, "total_decisions": 0, "save_minutes": 0}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    child = subprocess.Popen(
        [sys.executable, "-m", "playmat", "train", "kuhn_poker", "--out", str(tmp_path), *arguments],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        # The first line of progress: training is under way.
        assert child.stderr is not None
        assert "decisions" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=90)
    finally:
        child.kill()
    assert child.returncode == 130, err
    assert "interrupted" in err
    state = checkpoint.read(tmp_path / "checkpoint.pt")
    assert state["decisions"] > 0
    trainer = resume(
        tmp_path / "checkpoint.pt", minutes=0, total_decisions=state["decisions"] + 128
    )
    trainer.run()
    assert trainer.ppo.decisions == state["decisions"] + 128


def test_a_second_interruption_is_not_caught() -> None:
    from playmat.train.report import Stop

    before = signal.getsignal(signal.SIGINT)
    with Stop() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_training_that_diverges_saves_nothing(tmp_path: Path) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    before = (tmp_path / "checkpoint.pt").read_bytes()
    with torch.no_grad():
        next(trainer.network.parameters()).fill_(torch.nan)
    with pytest.raises(playmat.Error, match="the training has diverged"):
        trainer.run()
    assert (tmp_path / "checkpoint.pt").read_bytes() == before
