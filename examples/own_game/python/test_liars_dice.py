"""The game outside the repository has the whole Python package."""

from __future__ import annotations

import pickle
import subprocess
import sys

import liars_dice  # noqa: F401 - before playmat
import numpy as np
import pytest

import playmat
import playmat.testing


def test_the_module_has_the_games_of_the_crate() -> None:
    assert playmat.games() == ["liars_dice"]
    with pytest.raises(playmat.UnknownGame, match="liars_dice"):
        playmat.Game("graphia")


def test_the_command_line_has_them() -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "liars_dice", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "liars_dice" in run("games")
    assert "mcts:20" in run(
        "arena", "liars_dice", "--agents", "random", "mcts:20", "--episodes", "20"
    )


def test_an_episode_and_its_pickle() -> None:
    env = playmat.Game("liars_dice", players=3, reward="score").env(1)
    env.step(env.parse_action("1 five"))
    twin = pickle.loads(pickle.dumps(env))
    for one in (env, twin):
        one.step(one.parse_action("liar"))
        assert one.done
        assert sorted(map(int, one.returns)) == [-2, 1, 1]
    assert twin.to_bytes() == env.to_bytes()
    assert pickle.loads(pickle.dumps(env.game)) == env.game


def test_a_batch_trains_on_it() -> None:
    game = playmat.Game("liars_dice")
    venv = game.vec_env(64, threads=2, learner="rotate", opponents=["greedy"])
    batch = venv.reset(seed=1)
    for _ in range(100):
        batch = venv.step(venv.sample_actions())
    assert batch.obs.dtype == np.uint8
    results = venv.results()
    assert results["episodes"] > 500
    assert results["wins"] + results["losses"] == results["episodes"]


def test_the_suite_of_the_engine_passes() -> None:
    report = playmat.Game("liars_dice", players=2)._conformance(episodes=3)
    assert not [check["id"] for check in report["checks"] if check["failed"]]
