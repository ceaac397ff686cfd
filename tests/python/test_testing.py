"""`playmat.testing.check`: passes what is in order, and names what is not."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import playmat
import playmat.testing


def test_games_conform() -> None:
    report = playmat.testing.check(playmat.Game("tic_tac_toe"), episodes=2)
    assert report.passed
    assert report.game == "tic_tac_toe"
    assert report["A4"].states > 0
    assert report["A4"].actions > 0
    assert "A4" in str(report)
    with pytest.raises(KeyError):
        report["Z9"]


def test_comes_with_the_package() -> None:
    """As docs/python.md has it: no import of its own."""
    code = "import playmat; print(playmat.testing.check(playmat.Game('tic_tac_toe'), only=['A1']).passed)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = playmat.nothing


def test_only_the_checks_that_are_named() -> None:
    report = playmat.testing.check(playmat.Game("kuhn_poker"), only=["C1", "A1"], episodes=2)
    made = [one.id for one in report.checks if one.not_applicable is None]
    assert set(made) <= {"C1", "A1"}
    assert made


def test_missing_hooks_differ_from_what_does_not_apply() -> None:
    report = playmat.testing.check(playmat.Game("tic_tac_toe"), only=["V11", "H3"], episodes=2)
    assert [one.not_given for one in report.checks] == [None, None]
    assert report["H3"].not_applicable == "nothing is hidden"
    assert "player 0 always marks first" in str(report["V11"].not_applicable)
    assert "not given: the hook" in str(
        playmat.testing.Report("x", [playmat.testing.Check("V11", "y", not_given="the hook `z`")])
    )


@pytest.mark.parametrize("target", [5, lambda seed: 5])
def test_what_is_no_environment_is_refused(target: Any) -> None:
    with pytest.raises(
        playmat.InvalidArgument, match=r"argument `target`: (got 5|gives `int`)"
    ) as caught:
        playmat.testing.check(target)
    assert caught.value.argument == "target"


def test_single_environments_conform(game: playmat.Game) -> None:
    low, high = game.return_range
    report = playmat.testing.check(
        game.env, episodes=2, return_range=(low, high), max_decisions=game.info()["max_decisions"]
    )
    assert report.passed, str(report)


class Broken:
    """An environment of the engine with one lie."""

    def __init__(self, env: playmat.Env, lie: str) -> None:
        self.env, self.lie, self.looks = env, lie, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def clone(self) -> Broken:
        return self if self.lie == "clone shares" else Broken(self.env.clone(), self.lie)

    def action_mask(self, player: int | None = None) -> np.ndarray:
        mask = self.env.action_mask(player)
        if self.lie == "mask of ones":
            mask[:] = True
        if self.lie == "mask for everybody":
            mask = self.env.action_mask()
        return mask

    def legal_actions(self) -> list[int]:
        legal = self.env.legal_actions()
        return legal[1:] if self.lie == "list forgets one" else legal

    def observation(self, player: int | None = None) -> np.ndarray:
        obs = self.env.observation(player).astype(np.float32)
        if self.lie == "observation moves":
            self.env = self.env.clone(seed=self.looks)
        self.looks += 1
        if self.lie == "observation changes":
            obs[0] = self.looks % 5
        if self.lie == "observation infinite":
            obs[0] = np.inf
        return obs

    def sample_hidden(self, player: int, seed: int) -> Broken:
        sample = self.env.sample_hidden(player, seed)
        if self.lie == "sample plays on" and not sample.done:
            sample.step(sample.sample_action())
        return Broken(sample, self.lie)

    @property
    def rewards(self) -> np.ndarray:
        return self.env.rewards * (2 if self.lie == "reward twice" else 1) + (
            self.lie == "not zero sum"
        )

    @property
    def current_player(self) -> int:
        return 7 if self.lie == "unknown player" else self.env.current_player

    def step(self, action: int) -> None:
        if self.lie == "illegal accepted" and action not in self.env.legal_actions():
            return
        if self.lie == "refusal moves":
            try:
                self.env.step(action)
            except playmat.Error:
                self.env.sample_action()
                if not self.env.done:
                    self.env.step(self.env.legal_actions()[0])
                raise
            return
        self.env.step(action)


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        ("mask of ones", "A4"),
        ("list forgets one", "A2"),
        ("mask for everybody", "T3"),
        ("observation moves", "V5"),
        ("sample plays on", "H1"),
        ("clone shares", "C3"),
        ("observation changes", "V5"),
        ("observation infinite", "V2"),
        ("reward twice", "R2"),
        ("not zero sum", "R4"),
        ("unknown player", "T1"),
        ("illegal accepted", "A4"),
        ("refusal moves", "A4"),
    ],
)
def test_lies_are_found(lie: str, found: str) -> None:
    game = playmat.Game("connect_four")
    report = playmat.testing.check(
        lambda seed: Broken(game.env(seed), lie), episodes=2, zero_sum=True, raises=False
    )
    assert found in report.failing, str(report)
    failure = report[found].failures[0]
    assert failure.message
    with pytest.raises(AssertionError, match=found):
        playmat.testing.check(lambda seed: Broken(game.env(seed), lie), episodes=2, zero_sum=True)


def test_the_honest_wrapper_passes() -> None:
    game = playmat.Game("connect_four")
    playmat.testing.check(lambda seed: Broken(game.env(seed), "none"), episodes=2, zero_sum=True)


def test_unknown_checks_are_refused() -> None:
    with pytest.raises(ValueError, match="allowed: T1"):
        playmat.testing.check(playmat.Game("kuhn_poker").env, only=["Z9"])
    with pytest.raises(
        playmat.InvalidArgument, match="got `Z9`; there is no such check; checks: M1"
    ):
        playmat.testing.check(playmat.Game("kuhn_poker"), only=["M1", "Z9"])
