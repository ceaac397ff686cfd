"""Evaluation: exactly the number of episodes asked for, every player equally often, intervals by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from torch import nn

import playmat
from playmat.train.encoders.network import build
from playmat.train.evaluate import (
    Interrupted,
    PolicyAgent,
    evaluate,
    mean_interval,
    measure,
    shares,
    wilson,
)
from training import tiny


def test_wilson_by_hand() -> None:
    for successes, trials, low, high in [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0, 0.2775),
        (50, 100, 0.4038, 0.5962),
    ]:
        value, below, above = wilson(successes, trials)
        assert value == successes / trials
        assert (below, above) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0)[1:] == (0, 1)


class First:
    """Takes the first legal action."""

    name = "first"
    takes_greedy = False

    def act(
        self, obs: np.ndarray, mask: np.ndarray, greedy: np.ndarray | None = None
    ) -> np.ndarray:
        assert greedy is None
        return mask.argmax(1)


class Marked:
    """A game whose episodes pay every player a number of its own: returns tell who was played."""

    def __init__(self, game: playmat.Game, marks: list[float]) -> None:
        self.game, self.marks = game, np.array(marks)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def vec_env(self, *args: Any, **options: Any) -> Any:
        self.venv = self.game.vec_env(*args, **options)
        return self

    def __enter__(self) -> Marked:
        return self

    def __exit__(self, *args: object) -> None:
        self.venv.close()

    def reset(self, seed: int) -> playmat.Batch:
        return self.venv.reset(seed=seed)

    def step(self, actions: np.ndarray) -> Any:
        batch = self.venv.step(actions)
        paid = np.broadcast_to(self.marks, batch.episode_return.shape)
        fields = ("obs", "action_mask", "terminated", "truncated", "final_opponent")
        return SimpleNamespace(
            episode_return=paid, **{name: getattr(batch, name) for name in fields}
        )


@pytest.mark.parametrize("episodes", [1, 2, 7, 200, 1001, 2000])
def test_evaluation_plays_exactly_so_many_episodes_every_player_equally_often(
    episodes: int,
) -> None:
    for players in (2, 3):
        game: Any = Marked(playmat.Game("goofspiel", players=players), [1.0, 1e4, 1e8][:players])
        result = evaluate(game, First(), "random", episodes, seed=2)
        assert result.episodes == episodes
        total = round(result.returns.value * episodes)
        each = [total % 10**4, total // 10**4 % 10**4, total // 10**8][:players]
        assert sum(each) == episodes and max(each) - min(each) <= 1
    assert list(shares(7, 3)) == [3, 2, 2] and list(shares(2, 3)) == [1, 1, 0]


def test_evaluation_counts_every_game_once() -> None:
    game = playmat.Game("tic_tac_toe")
    for episodes in (1, 7, 300):
        result = evaluate(game, First(), "random", episodes, seed=2)
        assert result.episodes == episodes
        assert result.wins + result.draws + result.losses == episodes
        # By victory or defeat, the return says the same.
        assert result.returns.value == pytest.approx((result.wins - result.losses) / episodes)
        assert result.measure == "win_rate" and result.measured == result.win_rate
    again = evaluate(game, First(), "random", 300, seed=2)
    assert again == result, "the same seed, the same episodes"
    answers = iter([True] * 3)
    with pytest.raises(Interrupted):
        evaluate(game, First(), "random", 300, seed=2, may_continue=lambda: next(answers, False))


def test_evaluation_of_one_player_compares_mean_returns() -> None:
    game = playmat.Game("graphia", players=1)
    result = evaluate(game, First(), "random", 21, seed=2)
    assert (
        result.episodes == 21 and result.measure == "return" and result.measured == result.returns
    )
    assert result.returns.low <= result.returns.value <= result.returns.high
    opponent = result.opponent_returns
    assert opponent is not None and 20 < opponent.low < opponent.value < opponent.high
    scores = game.survey(21, 2, ["random"])["returns"][0]
    assert opponent.value - opponent.low == pytest.approx(
        1.959964 * scores["deviation"] / math.sqrt(20)
    )
    assert "21 episodes: mean return" in str(result) and "; random: " in str(result)


class Greedily:
    """Plays as the greedy agent does, of a batch that it is shown."""

    name = "greedily"
    takes_greedy = False

    def __init__(self, game: playmat.Game) -> None:
        self.game: Any = self
        self.of = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def vec_env(self, *args: Any, **options: Any) -> playmat.VecEnv:
        self.venv = self.of.vec_env(*args, **options)
        return self.venv

    def act(
        self, obs: np.ndarray, mask: np.ndarray, greedy: np.ndarray | None = None
    ) -> np.ndarray:
        return self.of.agent("greedy").act_batch(self.venv)


def test_a_game_for_stakes_is_measured_by_returns_with_the_win_rate_beside_it() -> None:
    """Greedy wins more chips of Leduc Poker than random play, in fewer hands."""
    agent = Greedily(playmat.Game("leduc_poker"))
    result = evaluate(agent.game, agent, "random", 4000, seed=3)
    assert result.measure == "return" and result.measured == result.returns
    assert result.returns.low > 0.5 and result.returns.value == pytest.approx(0.84, abs=0.2)
    assert result.win_rate.high < 0.48
    said = str(result)
    assert said.startswith("against random: mean return 0.") and ", won 4" in said
    judged = Greedily(playmat.Game("leduc_poker", reward="outcome"))
    again = evaluate(judged.game, judged, "random", 4000, seed=3)
    assert again.measure == "win_rate" and again.win_rate == result.win_rate
    assert str(again).startswith("against random: won 4")
    assert measure(playmat.Game("graphia", players=1)) == "return"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tic_tac_toe", {}),
        ("goofspiel", {"players": 3}),
        ("graphia", {"players": 1}),
        ("rafts", {}),
    ],
)
def test_a_network_with_a_large_bonus_plays_as_the_greedy_agent(
    name: str, options: dict[str, Any]
) -> None:
    """Episode by episode, where that agent chooses among equals at random, too."""
    game = playmat.Game(name, **options)
    network = build(game, tiny(name, greedy_bonus=2.0))
    assert network.bonus is not None
    nn.init.constant_(network.bonus.bias, 1e6)
    agent = Greedily(game)
    wanted = evaluate(agent.game, agent, "random", 60, seed=3)
    assert evaluate(game, PolicyAgent(network), "random", 60, seed=3) == wanted
    assert evaluate(game, First(), "random", 60, seed=3) != wanted


def test_intervals_of_means_by_hand() -> None:
    # Deviation sqrt(2.5), five values.
    value, low, high = mean_interval([1, 2, 3, 4, 5])
    margin = 1.959964 * math.sqrt(2.5 / 5)
    assert (value, low, high) == pytest.approx((3, 3 - margin, 3 + margin))
    assert mean_interval([2.0]) == (2, -math.inf, math.inf)
    assert math.isnan(mean_interval([]).value)
