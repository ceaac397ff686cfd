"""Ratings: the arithmetic against numbers by hand, and round robins of agents and checkpoints."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import playmat
from playmat.cli import main
from playmat.processors import available_processors
from playmat.train.arena import (
    Match,
    Pair,
    Plan,
    Played,
    RoundRobin,
    joined,
    pair_seed,
    play,
    repeated,
    round_robin,
)
from playmat.train.cli import show_ratings
from playmat.train.clusters import clustered
from playmat.train.config import preset
from playmat.train.encoders.network import build
from playmat.train.export import export
from playmat.train.named import load_agent
from playmat.train.ratings import PRIOR, Rating, bradley_terry, cell, draw_ratings
from training import trained


def play_pair(game: playmat.Game, episodes: int, seed: int) -> Pair:
    """The random and the greedy agent."""
    plan = Plan(game.name, game.options, ("random", "greedy"), episodes, seed, None, 1)
    [(_, _, arrangements)] = plan.pairs(game.num_players)
    return joined(
        [
            (a, p, np.concatenate([plan.run(match).returns for match in some]))
            for a, p, some in arrangements
        ]
    )


def test_odds_of_three_to_one() -> None:
    points, errors = bradley_terry(np.array([[0, 7500.0], [2500, 0]]))
    # 400 log10(3), the prior of one duel is nothing beside 10,000.
    assert points[0] - points[1] == pytest.approx(400 * math.log10(3), abs=0.1)
    assert points.sum() == pytest.approx(0, abs=1e-9)
    # Standard error of a log-odds of n episodes: 1 / sqrt(n p q); each of the two carries half of the difference.
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


@pytest.mark.parametrize(
    "won",
    [
        [[0, 30.5], [9.5, 0]],
        [[0, 40.0], [0, 0]],
        [[0, 12.0, 20.5], [8.0, 0, 11.0], [3.5, 9.0, 0]],
        [[0, 20.0, 20.0], [0, 0, 1.0], [0, 19.0, 0]],
        [[0, 7.0, 0, 2.5], [3.0, 0, 4.0, 6.0], [0, 6.0, 0, 5.0], [7.5, 4.0, 5.0, 0]],
    ],
)
def test_ratings_and_errors_are_those_of_a_brute_force_search(won: list[list[float]]) -> None:
    """The posterior alone: no derivative of it is written down here."""
    table = np.array(won)
    n = len(table)

    def log_posterior(x: np.ndarray) -> float:
        total = 0.0
        for i in range(n):
            for j in range(n):
                total -= table[i, j] * math.log1p(math.exp(x[j] - x[i]))
            total -= PRIOR / 2 * (math.log1p(math.exp(-x[i])) + math.log1p(math.exp(x[i])))
        return total

    # Steps along one axis or along the line of the last steps, halved where none leads up.
    x, step = np.zeros(n), 1.0
    best, axes = log_posterior(x), [*np.eye(n), np.ones(n)]
    while step > 1e-7:
        start = x
        for axis in [*axes, *-np.array(axes)]:
            while (found := log_posterior(x + step * axis)) > best:
                x, best = x + step * axis, found
        moved = x - start
        if not moved.any():
            step /= 2
        while moved.any() and (found := log_posterior(x + moved)) > best:
            x, best = x + moved, found

    points, errors = bradley_terry(table)
    elo = 400 / math.log(10)
    assert points == pytest.approx(elo * (x - x.mean()), abs=1e-2)
    # Second differences of the posterior are the inverse of the covariance.
    h = 1e-3 * np.eye(n)
    curve = np.array([
        [
            log_posterior(x + a + b) - log_posterior(x + a - b) - log_posterior(x - a + b) + log_posterior(x - a - b)
            for b in h
        ]
        for a in h
    ]) / -4e-6  # fmt: skip
    draws = np.random.default_rng(1).multivariate_normal(np.zeros(n), np.linalg.inv(curve), 200_000)
    spread = elo * (draws - draws.mean(1, keepdims=True)).std(0)
    assert errors == pytest.approx(spread, rel=0.01)


def table(measure: str, won: list[list[float]], margin: Any, error: Any) -> RoundRobin:
    """A round robin of agents a, b, ... with 50 episodes of each pair."""
    n = len(won)
    episodes = 50 * (1 - np.eye(n, dtype=np.int64))
    none = np.zeros(n)
    return RoundRobin(
        tuple("abcdef"[:n]), measure, episodes, episodes, np.array(won), np.array(margin, float),
        np.array(error, float), none, none, np.ones((n, n)),
    )  # fmt: skip


def test_who_wins_everything_is_rated_finitely() -> None:
    none = np.zeros((2, 2))
    ratings = table("win_rate", [[0, 50.0], [0, 0]], none, none).ratings()
    assert [r.agent for r in ratings] == ["a", "b"]
    assert ratings[0].win_rate == 1 and ratings[0].episodes == 50
    assert 400 < ratings[0].rating - ratings[1].rating < 2000
    assert all(math.isfinite(r.rating_margin) and r.rating_margin > 0 for r in ratings)


def test_ratings_by_return_are_the_least_squares_fit_of_margins() -> None:
    rng = np.random.default_rng(2)
    n = 4
    margin = np.triu(rng.normal(size=(n, n)), 1)
    margin -= margin.T
    error = np.triu(rng.uniform(0.1, 0.2, (n, n)), 1)
    error += error.T
    ratings = table("return", [[0.0] * n] * n, margin, error).ratings()
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    differences = np.array([[float(k == i) - float(k == j) for k in range(n)] for i, j in pairs])
    fit = np.linalg.pinv(differences)
    wanted = fit @ [margin[pair] for pair in pairs]
    found = [next(r for r in ratings if r.agent == name) for name in "abcd"]
    np.testing.assert_allclose([r.rating for r in found], wanted, atol=1e-12)
    errors = np.sqrt(np.square(fit) @ [error[pair] ** 2 for pair in pairs])
    np.testing.assert_allclose([r.rating_margin for r in found], 1.959964 * errors)
    assert sorted(ratings, key=lambda r: -r.rating) == ratings


def test_deals_are_what_is_independent() -> None:
    # Two deals, played twice each, one of them a third time: 1, 3, 5 and 2, 6.
    mean, error = clustered([[np.array([1.0, 2.0]), np.array([3.0, 6.0]), np.array([5.0])]])
    assert mean == pytest.approx(17 / 5)
    residuals = [9 - 3 * 17 / 5, 8 - 2 * 17 / 5]
    assert error == pytest.approx(math.sqrt(2 * sum(r * r for r in residuals)) / 5)
    # Every deal by itself is the usual standard error.
    values = np.array([1.0, 2.0, 4.0, 9.0])
    assert clustered([[values]])[1] == pytest.approx(np.std(values, ddof=1) / 2)
    assert clustered([[values[:2]], [values[2:]]])[1] == pytest.approx(np.std(values, ddof=1) / 2)
    assert clustered([[np.array([3.0])]]) == (3, math.inf)


def test_in_a_game_for_stakes_returns_decide_and_not_the_games_won() -> None:
    """Greedy wins fewer hands of Leduc Poker than random play, and more chips."""
    result = round_robin("leduc_poker", {}, ["random", "greedy"], episodes=4000, seed=1)
    best, worst = result.ratings()
    assert (best.agent, worst.agent, best.measure) == ("greedy", "random", "return")
    assert best.win_rate < 0.45 and best.win_rate + worst.win_rate == pytest.approx(1)
    assert best.mean_return == pytest.approx(0.84, abs=0.2) and best.return_margin < 0.12
    # Two players, zero sum: what an agent is ahead by is its return, and both share in it.
    assert best.mean_return == pytest.approx(-worst.mean_return)
    assert best.rating == pytest.approx(best.mean_return / 2) == pytest.approx(-worst.rating)
    # By victories, where these are the measure, it is the other way round.
    judged = {"reward": "outcome"}
    by_wins = round_robin(
        "leduc_poker", judged, ["random", "greedy"], episodes=4000, seed=1
    ).ratings()
    assert by_wins[0].agent == "random" and by_wins[0].measure == "win_rate"
    assert by_wins[0].rating - by_wins[1].rating > 30


def test_intervals_hold_what_they_promise() -> None:
    """Of 200 round robins about 95% hold the return of a very long one."""
    agents = ["random", "greedy"]
    truth = round_robin("leduc_poker", {}, agents, episodes=40_000, seed=10**6).ratings()[0]
    inside = 0
    for seed in range(200):
        rating = {r.agent: r for r in round_robin("leduc_poker", {}, agents, 101, seed).ratings()}
        greedy = rating["greedy"]
        inside += abs(greedy.rating - truth.rating) <= greedy.rating_margin
    assert 0.9 <= inside / 200 <= 0.99


@pytest.mark.parametrize(
    ("name", "options"),
    [
        # Random play of Rafts! takes thousands of decisions.
        *((name, {"max_rounds": 4} if name == "rafts" else {}) for name in playmat.games()),
        ("goofspiel", {"players": 3}),
        ("leduc_poker", {"players": 3}),
        ("graphia", {"players": 1}),
    ],
)
def test_a_round_robin_plays_exactly_so_many_episodes(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    agents = ["random", "greedy", trained(name, options, tmp_path)]
    result = round_robin(name, options, agents, episodes=25, seed=3)
    assert (result.episodes == 25 * (1 - np.eye(3))).all()
    np.testing.assert_allclose(result.won + result.won.T, result.episodes)
    np.testing.assert_array_equal(result.margin, -result.margin.T)
    again = round_robin(name, options, agents, episodes=25, seed=3)
    np.testing.assert_array_equal(again.won, result.won)
    np.testing.assert_array_equal(again.margin, result.margin)
    ratings = {r.agent: r for r in result.ratings()}
    # Chance decides most of 25 episodes of these.
    if name not in ("goofspiel", "kuhn_poker", "leduc_poker"):
        assert ratings["greedy"].rating > ratings["random"].rating
    alone = options.get("players") == 1
    by_return = alone or playmat.Game(name).info()["rewards"][0] == "score"
    assert {r.measure for r in ratings.values()} == {"return" if by_return else "win_rate"}
    draw_ratings(result.ratings(), "test", tmp_path / "ratings.png")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("players", "arrangements"), [(1, 1), (2, 2), (3, 6), (5, 10)])
@pytest.mark.parametrize("episodes", [1, 7, 2000])
def test_games_are_divided_among_the_players_as_evenly_as_possible(
    players: int, arrangements: int, episodes: int
) -> None:
    game = playmat.Game("graphia" if players == 1 else "goofspiel", players=players)
    episodes = min(episodes, 40) if players == 1 else episodes
    met = play_pair(game, episodes, seed=1)
    for records in (met.margins, met.first, met.second):
        counts = [len(record) for record in records]
        assert len(counts) == arrangements and sum(counts) == episodes
        assert max(counts) - min(counts) <= 1
    assert 0 <= met.won <= episodes


def test_no_game_is_counted_twice() -> None:
    """With two players there are two arrangements, not four, and episodes of one deal differ by who plays whom."""
    game = playmat.Game("connect_four")
    one, two = play_pair(game, 2400, seed=1).first
    assert len(one) == len(two) == 1200 and (one != two).any()
    # Equal seeds are equal deals, of all of them or of the first.
    paid = play(game, ["random", "greedy"], 300, 300, 1, 1).returns
    fewer = play(game, ["random", "greedy"], 299, 300, 1, 1)
    np.testing.assert_array_equal(fewer.returns, paid[:299])
    assert fewer.repeated is None
    plan = Plan("connect_four", {}, ("random", "greedy"), 2400, 1, None, 1)
    [(_, _, [(_, _, first), (_, _, second)])] = plan.pairs(2)
    deals = [[(m.episodes, m.parallel, m.seed, m.part) for m in some] for some in (first, second)]
    assert deals[0] == deals[1] and [m.episodes for m in first] == [512, 512, 176]
    assert len(set(deals[0])) == 3 and [m.agents for m in (first[0], second[0])] == [(1, 0), (0, 1)]


def test_for_one_player_scores_on_the_same_deals_are_compared() -> None:
    options = {"players": 1}
    result = round_robin("graphia", options, ["random", "greedy"], episodes=30, seed=4)
    game = playmat.Game("graphia", **options)
    scores = {}
    for agent in ("random", "greedy"):
        with game.vec_env(30) as venv:
            venv.reset(seed=pair_seed(4, "greedy", "random"))
            total, over = np.zeros(30), np.zeros(30, np.bool_)
            while not over.all():
                batch = venv.step(
                    venv.sample_actions()
                    if agent == "random"
                    else game.agent(agent).act_batch(venv)
                )
                ended = batch.terminated & ~over
                total[ended] = batch.episode_return[ended, 0]
                over |= ended
        scores[agent] = total
    best, worst = result.ratings()
    assert (best.agent, worst.agent) == ("greedy", "random")
    assert best.mean_return == pytest.approx(scores["greedy"].mean())
    assert worst.mean_return == pytest.approx(scores["random"].mean())
    ahead = scores["greedy"] - scores["random"]
    assert best.rating - worst.rating == pytest.approx(ahead.mean())
    assert best.win_rate == (np.mean(ahead > 0) + np.mean(ahead == 0) / 2)


def test_the_threads_are_the_processors_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {2, 5, 7}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert available_processors() == 3
    run, threads = Plan.run, set()

    def counts(plan: Plan, match: Match) -> Played:
        threads.add(plan.threads)
        return run(plan, match)

    monkeypatch.setattr(Plan, "run", counts)
    assert main(["arena", "kuhn_poker", "--episodes", "4", "--agents", "random", "greedy"]) == 0
    assert threads == {3}
    monkeypatch.delattr(os, "sched_getaffinity")
    assert available_processors() == 64


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = trained("kuhn_poker", {}, tmp_path)
    plot = tmp_path / "plot.png"
    base = ["arena", "kuhn_poker", "--episodes", "21"]
    assert main([*base, "--agents", "random", "greedy", path, "--out", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[0].split()) == "agent mean return +- rating +- win rate episodes"
    assert sorted(line.split()[0] for line in lines[1:4]) == ["checkpoint", "greedy", "random"]
    assert [line.split()[-1] for line in lines[1:4]] == ["42"] * 3
    assert lines[5].endswith("return less the mean return of all players, itself included")
    order = [line.split()[0] for line in lines[1:4]]
    assert lines[7].split() == ["margin", "over", *order]
    cells = [line.split() for line in lines[8:]]
    assert [row[0] for row in cells] == order
    for i, row in enumerate(cells):
        assert row[i + 1] == "-"
        for j in range(i):
            (value, half), (other, same) = row[j + 1].split("±"), cells[j][i + 1].split("±")
            assert float(value) == -float(other) and float(half) == float(same) > 0
    assert plot.is_file()
    assert main([*base, "-o", "reward=outcome", "--agents", "random", "greedy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["agent", "Elo", "+-", "win", "rate", "episodes"] and len(lines) == 3
    assert main([*base, "--agents", "random", "greedy", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sum(row["rating"] for row in rows) == pytest.approx(0, abs=1e-6)
    assert [row["episodes"] for row in rows] == [21, 21]
    halves = {row["agent"]: row["against_margin"] for row in rows}
    assert halves["greedy"]["random"] == halves["random"]["greedy"] > 0
    margins = {row["agent"]: row["against"] for row in rows}
    assert margins["greedy"]["random"] == -margins["random"]["greedy"]
    # One game has no interval, and JSON no number for that.
    assert main([*base[:2], "--episodes", "1", "--agents", "random", "greedy", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert [row["rating_margin"] for row in rows] == [None, None]
    assert [list(row["against_margin"].values()) for row in rows] == [[None], [None]]


def test_agents_of_the_engine_need_no_torch() -> None:
    """In a process of its own, where no other test has loaded it, and with nothing to load. A network is an agent of the engine."""
    network = Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx"
    for game, agents in (
        ("graphia", ["random", "greedy"]),
        ("tic_tac_toe", ["random", str(network), "mcts:20"]),
    ):
        arguments = ["arena", game, "--episodes", "4", "--agents", *agents]
        code = (
            "import sys; sys.modules['torch'] = None\n"
            "from playmat.cli import main\n"
            f"sys.exit(main({arguments!r}))"
        )
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert len(run.stdout.splitlines()) >= 1 + len(agents)


def test_what_is_rounded_to_zero_has_no_sign() -> None:
    ratings = [
        Rating(
            name, "return", margin, 0.0, margin, 0.0, 0.5, 2, 2, {other: margin}, {other: math.inf}
        )
        for name, other, margin in (("a", "b", 0.0002), ("b", "a", -0.0002))
    ]
    assert "-0.000" not in show_ratings(ratings) and cell(ratings[1], "a") == "+0.000±?"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kuhn_poker --agents random greedy --out a.jpg", "`out`: got `a.jpg`; wanted the name of a PNG, FILE.png"),
        ("kuhn_poker --agents random expert", "`agents`: got `expert`; allowed: `random`, `greedy`, `mcts:400`, "),
        ("kuhn_poker --agents random mcts:0", "`agents`: got `0` for `simulations` of `mcts`; allowed: 1 to 10000000"),
        ("kuhn_poker --agents nobody random", "`FILE.onnx`; or give a checkpoint file, `module:function` or `file.py:function`\n"),
        ("kuhn_poker --agents random,,greedy", "`agents`: got ``; allowed: `random`"),
        ("kuhn_poker --agents random greedy --seed -1", "`seed`: got -1; allowed: 0 to 9223372036854775807\n"),
        (f"kuhn_poker --agents random greedy --seed {2**63}", f"`seed`: got {2**63}; allowed: 0 to 9223372036854775807\n"),
        ("kuhn_poker --agents random", "`agents`: got random; wanted at least two, each once"),
        ("kuhn_poker --agents mcts:2 mcts:02", "`agents`: got mcts:2, mcts:02; wanted at least two, each once"),
        ("kuhn_poker --agents random random", "`agents`: got random, random; wanted at least two, each once"),
        ("kuhn_poker --agents random greedy --episodes 0", "`episodes`: got 0; allowed: at least 1"),
        ("kuhn --agents random greedy", "unknown game `kuhn`"),
    ],
)  # fmt: skip
def test_wrong_use(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments.split()]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("agents", ["random mcts:2,c=2 greedy", "random,mcts:2,c=2,greedy"])
def test_agents_are_separated_by_spaces_or_commas(
    agents: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["kuhn_poker", "--episodes", "2", "--json", "--agents", *agents.split()]
    assert main(["arena", *arguments]) == 0
    ratings = json.loads(capsys.readouterr().out)
    assert {row["agent"] for row in ratings} == {"random", "mcts:2,c=2", "greedy"}


def test_an_agent_of_another_game_is_refused(tmp_path: Path) -> None:
    path = trained("kuhn_poker", {}, tmp_path)
    with pytest.raises(
        playmat.WrongIdentity, match="game is `kuhn_poker`, this is `leduc_poker`"
    ) as caught:
        round_robin("leduc_poker", {}, ["random", path], episodes=2)
    assert caught.value.what == f"checkpoint `{path}`"
    differs = caught.value.field, caught.value.found, caught.value.expected
    assert differs == ("game", "kuhn_poker", "leduc_poker")
    path = trained("goofspiel", {"players": 3}, tmp_path)
    with pytest.raises(playmat.WrongIdentity, match="it was trained with options"):
        round_robin("goofspiel", {}, ["random", path], episodes=2)


def test_repeated_episodes_count_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is drawn, two agents without chance play one episode for each that begins."""
    path = trained("tic_tac_toe", {}, tmp_path)
    networks = [str(tmp_path / f"{k}.onnx") for k in (1, 2)]
    game = playmat.Game("tic_tac_toe")
    for seed, file in enumerate(networks):
        export(build(game, preset("tic_tac_toe", seed=seed, device="cpu")), game, Path(file))
    agents = ["random", path, *networks]
    save = tmp_path / "arena.jsonl"
    few, many, again = (
        round_robin("tic_tac_toe", {}, agents, episodes=episodes, seed=2, play="best", save=file)
        for episodes, file in ((40, None), (1100, save), (1100, save))
    )
    # Three that always choose alike; `random` never does.
    alike = np.zeros((4, 4), bool)
    alike[1:, 1:] = ~np.eye(3, dtype=bool)
    for result, episodes in ((few, 40), (many, 1100), (again, 1100)):
        np.testing.assert_array_equal(result.episodes, episodes * (1 - np.eye(4)))
        np.testing.assert_array_equal(result.distinct, np.where(alike, 2, result.episodes))
    # More repetitions make no interval of the pair shorter, and change no rating by it.
    inner = [
        RoundRobin(
            r.agents[1:], r.measure, r.episodes[1:, 1:], r.distinct[1:, 1:], r.won[1:, 1:],
            r.margin[1:, 1:], r.error[1:, 1:], r.mean_return[1:], r.return_error[1:],
            r.design_effect[1:, 1:],
        ).ratings()
        for r in (few, many, again)
    ]  # fmt: skip
    assert [r.distinct_episodes for r in inner[0]] == [4, 4, 4]
    for one, other in itertools.combinations(inner, 2):
        assert [r.agent for r in one] == [r.agent for r in other]
        for a, b in zip(one, other, strict=True):
            assert (a.rating, a.rating_margin) == pytest.approx((b.rating, b.rating_margin))
            assert a.rating_margin > 200 and a.win_rate == b.win_rate
    # Against an agent that draws, more episodes do tell more.
    margins = [
        next(r for r in x.ratings() if r.agent == "random").rating_margin for x in (few, many)
    ]
    assert margins[1] < margins[0] / 2
    # Draws that change nothing are repetitions, too: a network that draws, and is always certain.
    network = build(game, preset("tic_tac_toe", seed=3, device="cpu"))
    network.body.policy.weight.data.zero_()
    network.body.policy.bias.data.copy_(10 * torch.arange(9))
    certain = tmp_path / "certain.onnx"
    export(network, game, certain)
    for temperature, distinct in (("0.1", 2), ("100", 40)):
        drawn = round_robin(
            "tic_tac_toe", {}, [f"{certain},temperature={temperature}", networks[1]], episodes=40
        )
        np.testing.assert_array_equal(drawn.distinct, distinct * (1 - np.eye(2)))
    command = ["arena", "tic_tac_toe", "--episodes", "6", "--agents"]
    assert main([*command, *networks, "random"]) == 0
    note = "tic_tac_toe has no chance, and 1 pair repeats the same episode"
    assert note in capsys.readouterr().out
    assert main([*command, "random", networks[0]]) == 0
    assert "no chance" not in capsys.readouterr().out


def test_equal_deals_of_a_game_with_chance_are_samples(tmp_path: Path) -> None:
    """Kuhn poker has six deals: episodes of one deal are alike, and each deal is drawn anew."""
    path = trained("kuhn_poker", {}, tmp_path)
    result = round_robin("kuhn_poker", {}, ["greedy", path], episodes=60, seed=2, play="best")
    np.testing.assert_array_equal(result.distinct, result.episodes)
    assert all(math.isfinite(r.rating_margin) for r in result.ratings())


def test_one_deal_has_no_interval_of_returns(tmp_path: Path) -> None:
    options = {"reward": "score"}
    game = playmat.Game("connect_four")
    networks = [str(tmp_path / f"{k}.onnx") for k in (1, 2)]
    for seed, file in enumerate(networks):
        export(build(game, preset("connect_four", seed=seed, device="cpu")), game, Path(file))
    result = round_robin("connect_four", options, networks, episodes=10, seed=2)
    assert result.measure == "return" and (result.distinct == 2 * (1 - np.eye(2))).all()
    assert all(
        math.isinf(r.rating_margin) and math.isinf(r.return_margin) for r in result.ratings()
    )


def test_pairs_that_repeat_are_one_deal() -> None:
    values = np.array([1.0, 2.0, 4.0, 9.0])
    alike = np.full(4, 3.0)
    assert clustered([[alike, alike]], [True]) == (3, math.inf)
    mean, error = clustered([[values], [alike]], [False, True])
    assert mean == pytest.approx(28 / 8)
    residuals = [*(values - 3.5), 4 * (3 - 3.5)]
    assert error == pytest.approx(math.sqrt(5 / 4 * sum(r * r for r in residuals)) / 8)
    one, two = (Played(np.zeros((3, 2)), number) for number in (7, 8))
    other = Played(np.zeros((3, 2)), None)
    assert repeated([[one, one], [two]]) == 2 and repeated([[one], []]) == 1
    assert repeated([[one, two], [two]]) == 0 and repeated([[one], [other]]) == 0
    lone = Played(np.zeros((3, 1)), 7)
    assert repeated([[lone], [lone]]) == 1


def test_a_search_plays_short_matches(tmp_path: Path) -> None:
    """Ctrl-C loses no more than the match that is played."""
    file = tmp_path / "arena.jsonl"
    round_robin("tic_tac_toe", {}, ["random", "greedy", "mcts:2"], episodes=100, seed=3, save=file)
    entries = [json.loads(line) for line in file.read_text().splitlines()[4:]]
    episodes = {(0, 1): [50, 50], (0, 2): [32, 18] * 2, (1, 2): [32, 18] * 2}
    for pair, wanted in episodes.items():
        assert [e["match"][0] for e in entries if sorted(e["agents"]) == list(pair)] == wanted


def test_a_checkpoint_with_a_large_bonus_plays_as_the_greedy_agent(tmp_path: Path) -> None:
    """In Goofspiel that agent never draws: its episodes are equal, whoever plays them."""
    options = {"players": 3}
    game = playmat.Game("goofspiel", **options)
    one, other = (trained("goofspiel", options, tmp_path / str(k), k) for k in (0, 100))
    plain, like = (load_agent(path, game, "best", 0) for path in (one, other))
    assert not isinstance(plain, str) and not isinstance(like, str)
    assert like.takes_greedy and not plain.takes_greedy
    for player in range(3):
        found = []
        for agent in (like, "greedy", plain):
            agents = [plain] * 3
            agents[player] = agent  # type: ignore[call-overload]
            found.append(play(game, agents, 40, 20, 5, 1).returns)
        assert np.array_equal(found[0], found[1]) and not np.array_equal(found[0], found[2])
