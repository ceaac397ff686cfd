"""The matches of `search_strength.py`: both engines follow the same episodes to their ends."""

from __future__ import annotations

import math

import pyspiel
import pytest
from search_strength import FORMS, GAMES, episode, match

import playmat


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_follow_the_same_episodes(name: str) -> None:
    game, theirs = playmat.Game(name), pyspiel.load_game(name)
    agent = game.agent("mcts:8")
    lowest, highest = game.return_range
    # Each episode asserts who is to act, the legal actions, and the returns in both engines.
    returns = [episode(game, agent, theirs, deal, deal % 2, 8) for deal in range(20)]
    assert all(lowest <= value <= highest for value in returns) and any(returns)


def test_a_match_is_the_mean_over_deals_with_its_interval() -> None:
    mean, margin = match("leduc_poker", FORMS["alike"], 4, 30)
    assert -13 <= mean <= 13 and 0 < margin < 13 and math.isfinite(margin)
