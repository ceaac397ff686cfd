"""Ratings: the arithmetic against numbers by hand, and round robins of bots and checkpoints."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat.cli import main
from playmat.train.arena import PRIOR, Table, bradley_terry, draw_ratings, round_robin
from playmat.train.config import preset
from playmat.train.ppo import Trainer


def trained(name: str, options: dict[str, Any], out: Path) -> str:
    """A checkpoint of a network that has learnt next to nothing."""
    config = preset(
        name, minutes=0, steps=64, envs=8, rollout=8, minibatch=64, width=16, channels=4, torch_threads=1
    )  # fmt: skip
    trainer = Trainer(name, options, config, out)
    trainer.update()
    trainer.save()
    return str(out / "checkpoint.pt")


def test_odds_of_three_to_one() -> None:
    points, errors = bradley_terry(np.array([[0, 7500.0], [2500, 0]]))
    # 400 log10(3), the prior of one duel is nothing beside 10,000.
    assert points[0] - points[1] == pytest.approx(400 * math.log10(3), abs=0.1)
    assert points.sum() == pytest.approx(0, abs=1e-9)
    # Standard error of a log-odds of n duels: 1 / sqrt(n p q); each of the two carries half of the difference.
    assert errors[0] == pytest.approx(
        400 / math.log(10) / math.sqrt(10_000 * 0.75 * 0.25) / 2, rel=1e-3
    )


def test_ratings_are_the_most_likely_ones() -> None:
    rng = np.random.default_rng(1)
    won = rng.integers(5, 60, (4, 4)).astype(float)
    np.fill_diagonal(won, 0)
    points, _ = bradley_terry(won)

    def likelihood(elo: np.ndarray, shift: float) -> float:
        strength = elo * math.log(10) / 400 + shift
        gap = strength[:, None] - strength[None]
        own = -np.log1p(np.exp(-strength)) - np.log1p(np.exp(strength))
        return float((won * -np.log1p(np.exp(-gap))).sum() + PRIOR / 2 * own.sum())

    best = max(likelihood(points, shift) for shift in np.linspace(-1, 1, 2001))
    for i in range(4):
        for change in (-8.0, 8.0):
            other = points + change * (np.arange(4) == i)
            assert max(likelihood(other, s) for s in np.linspace(-1, 1, 2001)) < best


def test_who_wins_everything_is_rated_finitely() -> None:
    ratings = Table(
        ("a", "b"), np.array([[0, 50.0], [0, 0]]), np.array([[0, 50], [50, 0]])
    ).ratings()
    assert [r.agent for r in ratings] == ["a", "b"]
    assert ratings[0].share == 1 and ratings[0].games == 50
    assert 400 < ratings[0].elo - ratings[1].elo < 2000
    assert all(math.isfinite(r.margin) and r.margin > 0 for r in ratings)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tic_tac_toe", {}),
        ("goofspiel", {"players": 3}),
        ("graft", {}),
        ("graphia", {"players": 1}),
        ("gravitix", {}),
    ],
)
def test_a_round_robin_counts_every_duel(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    agents = ["random", "greedy", trained(name, options, tmp_path)]
    result = round_robin(name, options, agents, games=24, seed=3)
    players = playmat.Game(name, **options).num_players
    duels = max(1, players - 1)
    games = result.games[np.triu_indices(3, 1)]
    assert (games >= 24).all() and (games <= 24 + 2 * players).all()
    np.testing.assert_array_equal(result.won + result.won.T, result.games * duels)
    again = round_robin(name, options, agents, games=24, seed=3)
    np.testing.assert_array_equal(again.won, result.won)
    ratings = {r.agent: r for r in result.ratings()}
    if name != "goofspiel":
        assert ratings["greedy"].elo > ratings["random"].elo
    draw_ratings(result.ratings(), "test", tmp_path / "ratings.png")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = trained("kuhn_poker", {}, tmp_path)
    plot = tmp_path / "plot.png"
    base = ["arena", "kuhn_poker", "--games", "20"]
    assert main([*base, "--agents", "random", "greedy", path, "--out", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["agent", "Elo", "+-", "duels", "won", "games"]
    assert sorted(line.split()[0] for line in lines[1:]) == ["checkpoint", "greedy", "random"]
    assert plot.is_file()
    assert main([*base, "--agents", "random", "greedy", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sum(row["elo"] for row in rows) == pytest.approx(0, abs=1e-6)


def test_bots_alone_need_no_torch() -> None:
    """In a process of its own, where no other test has loaded it, and with nothing to load."""
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from playmat.cli import main\n"
        "sys.exit(main('arena graphia --games 4 --agents random greedy'.split()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["agent", "greedy", "random"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kuhn_poker --agents random expert", "`agents`: got `expert`; wanted a bot (random, greedy) or a checkpoint file"),
        ("kuhn_poker --agents random", "`agents`: got random; wanted at least two, each once"),
        ("kuhn_poker --agents random random", "`agents`: got random, random; wanted at least two, each once"),
        ("kuhn_poker --agents random greedy --games 0", "`games`: got 0; allowed: at least 1"),
        ("kuhn --agents random greedy", "unknown game `kuhn`"),
    ],
)  # fmt: skip
def test_wrong_use(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments.split()]) == 2
    assert message in capsys.readouterr().err


def test_an_agent_of_another_game_is_refused(tmp_path: Path) -> None:
    path = trained("kuhn_poker", {}, tmp_path)
    with pytest.raises(playmat.WrongIdentity, match="game is `kuhn_poker`, this is `leduc_poker`"):
        round_robin("leduc_poker", {}, ["random", path], games=2)
    path = trained("goofspiel", {"players": 3}, tmp_path)
    with pytest.raises(playmat.WrongIdentity, match="it was trained with options"):
        round_robin("goofspiel", {}, ["random", path], games=2)
