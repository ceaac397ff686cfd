"""Ten lines there and ten lines here: the examples of docs/ecosystem.md, on both sides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat

PAGE = Path(__file__).parents[2] / "docs" / "ecosystem.md"
MARK = r"<!-- example: executed by tests/ecosystem/test_coming_from\.py(?:, with (\w+))? -->"


def examples() -> list[tuple[str, str | None, str]]:
    """Section, package and code of each example."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```python") == len(re.findall(MARK, text)), "an example without a mark"
    found = []
    for section in text.split("\n## ")[1:]:
        for package, code in re.findall(MARK + r"\n```python\n(.*?)```", section, re.S):
            found.append((section.splitlines()[0], package or None, code))
    return found


def run(code: str) -> dict[str, Any]:
    """The names that an example leaves."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, str(PAGE), "exec"), names)
    return names


def test_both_sides_are_short() -> None:
    sides = examples()
    assert [(section, package) for section, package, _ in sides] == [
        ("Coming from OpenSpiel", "pyspiel"),
        ("Coming from OpenSpiel", None),
        ("Coming from Pgx", "pgx"),
        ("Coming from Pgx", None),
    ]
    # The tests of these two run the examples of their pages.
    pages = [("gymnasium.md", "Coming from Gymnasium"), ("pettingzoo.md", "Coming from PettingZoo")]
    for page, title in pages:
        (section,) = re.findall(
            rf"\n## {title}\n(.*?)(?:\n## |$)", PAGE.with_name(page).read_text(), re.S
        )
        both = re.findall(r"```python\n(.*?)```", section, re.S)
        assert len(both) == 2
        sides += [(page, None, code) for code in both]
    for section, _, code in sides:
        assert sum(map(bool, code.splitlines())) <= 10, section


def test_ours_instead_of_openspiel() -> None:
    names = run(examples()[1][2])
    returns = names["env"].returns
    assert names["env"].done and returns.sum() == 0 and returns.any()
    assert names["seen"].dtype == np.uint8 and names["seen"].shape == (30,)


def test_ours_instead_of_pgx() -> None:
    names = run(examples()[3][2])
    # Who begins wins more often: 1024 * 100 / 21 episodes, about 11% of them more.
    assert 200 < names["total"] < 900
    assert names["batch"].obs.shape == (1024, 126)


def test_openspiels_side() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    names = run(examples()[0][2])
    assert names["state"].is_terminal() and sum(names["state"].returns()) == 0
    # The observation of ours is the information state of theirs, as the page's example takes it.
    size = playmat.Game("leduc_poker").observation_shape[0]
    assert len(names["seen"]) == size


def test_pgxs_side() -> None:
    pytest.importorskip("pgx", reason="pgx is not installed")
    names = run(examples()[2][2])
    # Of the player numbered 0, whom Pgx lets begin in half of the episodes.
    assert abs(names["total"]) < 300
    assert names["state"].observation.shape[0] == 1024
