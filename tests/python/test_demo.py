"""``playmat demo`` with hardly any training: what it prints and leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

import playmat
from playmat.cli import main


@pytest.mark.parametrize("changes", [[], ["--greedy-bonus=2"]])
def test_demo_leaves_a_curve_and_a_game(
    changes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "demo"
    settings = "--num-envs=8 --num-steps=8 --num-minibatches=1 --channels=4 --width=16 --eval-episodes=4 --final-episodes=4"
    assert (
        main(
            [
                "demo",
                "--minutes=0.02",
                "--torch-threads=1",
                "--out",
                str(out),
                *settings.split(),
                *changes,
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "against random: won" in said and "against greedy: won" in said and "replay.html" in said
    page = (out / "replay.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "against greedy" in page
    assert "http" not in page.replace("http://www.w3.org", ""), "self-contained"
    replay = playmat.Replay.load(out / "replay.json")
    env = replay.env()
    assert env.done and replay.game.num_players == 2
    for name in ("learning_curve.png", "checkpoint.pt", "policy.onnx", "history.json"):
        assert (out / name).stat().st_size > 0
