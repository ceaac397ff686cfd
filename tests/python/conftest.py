"""Shared by all tests: where helpers are, how hard hypothesis tries, every game."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import playmat

sys.path.insert(0, str(Path(__file__).parent / "oracle"))

settings.register_profile(
    "fast", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("slow", settings.get_profile("fast"), max_examples=2000)
settings.load_profile(os.environ.get("PLAYMAT_HYPOTHESIS", "fast"))


@pytest.fixture(params=playmat.games())
def game(request: pytest.FixtureRequest) -> playmat.Game:
    """Every registered game with its default options."""
    return playmat.Game(request.param)


@pytest.fixture
def small() -> playmat.Game:
    """A game with few actions and no secrets."""
    return playmat.Game("connect_four")
