"""Intervals of shares and of ratings where the episodes of one deal depend on each other."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from playmat.cli import main
from playmat.train.arena import round_robin
from playmat.train.clusters import PRIOR_SEEDS, clustered, design_effect
from playmat.train.evaluate import Z, wilson
from playmat.train.ratings import ELO, bradley_terry, half_width


def alike(rng: Any, seeds: int, share: float) -> Any:
    """The deal decides who wins: the same agent in both arrangements."""
    won = (rng.random(seeds) < share).astype(float)
    return [won, won.copy()]


def opposite(rng: Any, seeds: int, share: float) -> Any:
    """Most deals give the win to one player, whoever plays it; in the others the agents differ."""
    one = (rng.random(seeds) < 0.5).astype(float)
    decided = rng.random(seeds) < 0.3
    better = (rng.random(seeds) < share).astype(float)
    return [np.where(decided, better, one), np.where(decided, better, 1 - one)]


def independent(rng: Any, seeds: int, share: float) -> Any:
    return [(rng.random(seeds) < share).astype(float) for _ in range(2)]


def partly(rng: Any, seeds: int, share: float) -> Any:
    """Deals favour an agent by differing amounts; some episodes are drawn."""
    chance = rng.beta(2 * share, 2 * (1 - share), seeds)
    drawn = [rng.random(seeds) < 0.2 for _ in range(6)]
    return [np.where(d, 0.5, rng.random(seeds) < chance) for d in drawn]


#: What each makes of a share.
MEANS = {
    alike: lambda share: share,
    opposite: lambda share: 0.35 + 0.3 * share,
    independent: lambda share: share,
    partly: lambda share: 0.1 + 0.8 * share,
}


@pytest.mark.parametrize("deal", MEANS, ids=lambda deal: deal.__name__)
@pytest.mark.parametrize(("seeds", "share"), [(20, 0.6), (50, 0.7), (400, 0.55)])
def test_intervals_of_shares_hold_what_they_promise(deal: Any, seeds: int, share: float) -> None:
    rng, truth, tries = np.random.default_rng(seeds), MEANS[deal](share), 2000
    inside = naive = 0
    for _ in range(tries):
        shares = deal(rng, seeds, share)
        count = sum(map(len, shares))
        mean = sum(one.sum() for one in shares) / count
        half = half_width(mean, count / design_effect(shares))
        inside += abs(mean - truth) <= half
        naive += abs(mean - truth) <= half_width(mean, count)
    assert (0.90 if seeds == 20 else 0.93) <= inside / tries <= (0.99 if seeds < 400 else 0.965)
    # Episodes that are taken as independent promise too much, or too little.
    if deal in (alike, partly):
        assert naive / tries < 0.90
    if deal is opposite and seeds == 400:
        assert naive / tries > 0.97


def test_design_effects() -> None:
    rng = np.random.default_rng(3)
    assert design_effect(alike(rng, 20_000, 0.6)) == pytest.approx(2, rel=0.01)
    assert design_effect(independent(rng, 20_000, 0.6)) == pytest.approx(1, abs=0.03)
    # Each deal is won once and lost once: nothing but the assumption is left.
    one = np.array([1.0, 0.0, 1.0, 1.0])
    assert design_effect([one, 1 - one]) == PRIOR_SEEDS / (4 + PRIOR_SEEDS)
    # Nothing is known of one deal, and of episodes that all end alike: both of a deal may be one.
    for shares in ([np.array([1.0]), np.array([0.0])], [np.ones(9)] * 2, [np.zeros(9)] * 2):
        assert design_effect(shares) == 2
    assert design_effect([one, one], same=True) == 1
    # All won is not certain: Wilson's interval of as many deals, from 9 / (9 + z²) to 1.
    half = half_width(1.0, 18 / design_effect([np.ones(9)] * 2))
    assert half == pytest.approx((1 - 9 / (9 + 3.8414588)) / 2) == pytest.approx(0.14957, abs=1e-5)


def test_equal_deals_are_no_certainty() -> None:
    """By hand: of 20 equal deals up to 3.8415 / 23.8415 = 16.1% may be others, at most 2 away."""
    won = [[np.ones(20), np.ones(20)]]
    mean, error = clustered(won, bounds=(-1.0, 1.0))
    assert mean == 1 and Z * error == pytest.approx(0.32225, abs=1e-5)
    # As wide as Wilson's interval of the share, in returns.
    assert Z * error == pytest.approx(2 * (1 - wilson(20, 20).low))
    # At 0 other deals are at most 1 away. Each deal counts once, with its episodes.
    _, error = clustered([[np.ones(20), -np.ones(20)]], bounds=(-1.0, 1.0))
    assert Z * error == pytest.approx(0.16113, abs=1e-5)
    # What is 0 but for rounding is 0.
    thirds = [[np.full(20, 0.1), np.full(20, 0.2), np.full(20, 0.3)]]
    _, error = clustered(thirds, bounds=(-1.0, 1.0))
    assert Z * error == pytest.approx(1.2 * 0.16113, abs=1e-4)
    # More deals say more; one says nothing; and deals that differ say how much.
    assert clustered([[np.ones(2000)]], bounds=(-1.0, 1.0))[1] < 0.002
    assert clustered([[np.ones(1)]], bounds=(-1.0, 1.0))[1] == math.inf
    differ = [[np.array([1.0, 0.0, 1.0, 1.0])]]
    assert clustered(differ, bounds=(-1.0, 1.0)) == clustered(differ)


def test_the_arena_shows_no_interval_of_width_zero(capsys: pytest.CaptureFixture[str]) -> None:
    # The search wins all of them.
    command = ["arena", "connect_four", "-o", "reward=score", "--agents", "mcts:40", "random"]
    assert main([*command, "--episodes", "40", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["win_rate"] == 1 and rows[0]["mean_return"] == 1
    assert rows[0]["return_margin"] == pytest.approx(0.32225, abs=1e-5)
    (against,) = rows[0]["against_margin"].values()
    assert against == pytest.approx(0.32225, abs=1e-5)
    # One deal: not known.
    assert main([*command, "--episodes", "1", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["return_margin"] is None and rows[0]["rating_margin"] is None
    assert main([*command, "greedy", "--episodes", "1"]) == 0
    out = capsys.readouterr().out
    assert "inf" not in out and "±?" in out


@pytest.mark.parametrize("deal", [alike, opposite, independent], ids=lambda deal: deal.__name__)
def test_intervals_of_ratings_hold_what_they_promise(deal: Any) -> None:
    """Three agents on the scale of Elo, whose pairs have deals of their own."""
    rng, seeds, tries = np.random.default_rng(5), 150, 600
    strength = np.array([0.25, 0.0, -0.25])
    inside, naive = np.zeros(3), np.zeros(3)
    for _ in range(tries):
        won, effect = np.zeros((3, 3)), np.ones((3, 3))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            chance = 1 / (1 + math.exp(strength[j] - strength[i]))
            share = (chance - 0.35) / 0.3 if deal is opposite else chance
            shares = deal(rng, seeds, share)
            won[i, j] = sum(one.sum() for one in shares)
            won[j, i] = 2 * seeds - won[i, j]
            effect[i, j] = effect[j, i] = design_effect(shares)
        points, errors = bradley_terry(won, effect)
        off = np.abs(points - ELO * strength)
        inside += off <= Z * errors
        naive += off <= Z * bradley_terry(won)[1]
    assert ((inside / tries >= 0.925) & (inside / tries <= 0.975)).all()
    if deal is alike:
        assert (naive / tries < 0.88).all()
    if deal is opposite:
        assert (naive / tries > 0.97).all()


def test_equal_design_effects_scale_all_errors() -> None:
    won = np.array([[0, 700.0, 800.0], [300.0, 0, 620.0], [200.0, 380.0, 0]])
    points, errors = bradley_terry(won)
    again, wider = bradley_terry(won, np.full((3, 3), 4.0))
    assert points == pytest.approx(again)
    # The prior, one duel, has no design effect.
    assert wider == pytest.approx(2 * errors, rel=1e-3)


def test_the_arena_uses_the_design_effect() -> None:
    """In Goofspiel both players choose at once and the prizes are those of the seed: the second
    episode of a deal is the first one with exchanged players.
    """
    options = {"reward": "outcome", "num_cards": 5}
    result = round_robin("goofspiel", options, ["random", "greedy"], episodes=2000, seed=1)
    effect = result.design_effect[0, 1]
    assert effect == result.design_effect[1, 0] and 1.5 < effect < 2.1
    best = result.ratings()[0]
    share = best.win_rate
    half = Z * math.sqrt(share * (1 - share) * effect / 2000)
    (margin,) = best.against_margin.values()
    assert margin == pytest.approx(half, rel=0.01)
    # The rating is half of the difference.
    wanted = ELO * half / (share * (1 - share)) / 2
    assert best.rating_margin == pytest.approx(wanted, rel=0.02)
