"""Shared by all tests: where helpers are, how hard hypothesis tries, every game, the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, settings

import playmat
from playmat.cli import main

# Before torch is imported. Its threads wait for each other by spinning; beside other tests on two cores a training then
# takes several times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

sys.path.insert(0, str(Path(__file__).parent / "oracle"))

settings.register_profile(
    "fast", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("slow", settings.get_profile("fast"), max_examples=2000)
settings.load_profile(os.environ.get("PLAYMAT_HYPOTHESIS", "fast"))

#: Calls the command line; returns the status, the output and the error output.
Call: TypeAlias = Callable[..., tuple[int, str, str]]
#: Calls `playmat play` with these arguments and types these lines; returns the output.
Play: TypeAlias = Callable[[Sequence[str], Iterable[str]], str]

#: Games whose cards, tiles or shapes are in `seeds/content`.
WITH_CONTENT = [name for name in playmat.games() if playmat.Game(name).info()["content_name"]]


@pytest.fixture(params=playmat.games())
def game(request: pytest.FixtureRequest) -> playmat.Game:
    """Every registered game with its default options."""
    return playmat.Game(request.param)


@pytest.fixture
def small() -> playmat.Game:
    """A game with few actions and no secrets."""
    return playmat.Game("connect_four")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """The command line, as a user calls it."""

    def call(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def play(call: Call, monkeypatch: pytest.MonkeyPatch) -> Play:
    """`playmat play` with typed lines. The output includes the prompts and these lines; `quit` is
    typed after the last one.
    """

    def play(arguments: Sequence[str], words: Iterable[str]) -> str:
        given = iter(words)

        def typed(prompt: str) -> str:
            word = next(given, "quit")
            print(f"{prompt}{word}")
            return word

        monkeypatch.setattr("builtins.input", typed)
        status, out, _ = call("play", *arguments)
        assert status == 0
        return out

    return play
