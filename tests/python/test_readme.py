"""What the README shows is what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import playmat
import readme


def test_tables_are_as_generated() -> None:
    for page, text in readme.replaced().items():
        current = page.read_text(encoding="utf-8")
        assert text == current, f"{page.name}: python tests/python/readme.py --update"


class Lengths:
    """A game whose episodes last as long as a list says, on and on."""

    def __init__(self, lengths: list[int]) -> None:
        self.lengths, self.played = lengths, 0
        self.empty = playmat.Game("tic_tac_toe").survey(1)

    def survey(self, episodes: int, seed: int) -> dict[str, Any]:
        at = np.arange(self.played, self.played + episodes) % len(self.lengths)
        drawn = np.array(self.lengths)[at]
        self.played += episodes
        spread = {"count": episodes, "mean": drawn.mean(), "deviation": drawn.std()}
        spread |= {"min": drawn.min(), "max": drawn.max()}
        return {**self.empty, "episodes": episodes, "decisions": spread}


def test_lengths_are_shown_in_digits_that_are_sure() -> None:
    for lengths, shown, played in [
        ([7], "7", 1000),
        # Deviation 10: three standard errors are 0.47 after 4,000 episodes, 0.55 after 3,000.
        ([20, 40], "30", 4000),
        # Deviation 20: 14,400 episodes would do.
        ([7, 47], "27.0 ± 0.4", readme.MOST),
        ([0, 100], "50.0 ± 1.0", readme.MOST),
        ([0, 1000], "500 ± 10", readme.MOST),
        # Exactly a half never rounds to one side.
        ([7, 8], "7.500 ± 0.010", readme.MOST),
    ]:
        game: Any = Lengths(lengths)
        assert (readme.length(game), game.played) == (shown, played)


def test_example_runs(capsys) -> None:
    code = readme.example()
    assert len(code.strip().splitlines()) <= 15, "the README promises a short example"
    exec(compile(code, "README.md", "exec"), {"__name__": "readme_example"})
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_results_of_training_are_those_of_the_page() -> None:
    text = readme.README.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| ([\d.]+, \d) \| ([\d,]+) \| (.*?) \|$", text, re.MULTILINE)
    assert len(rows) == 6
    page = (readme.ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for game, time, decisions, share in rows:
        pattern = rf"^\| {game}\b.*\| {re.escape(time)} \| {decisions} \| .*{re.escape(share)}"
        assert re.search(pattern, page, re.MULTILINE), game


def test_pictures_exist() -> None:
    text = readme.README.read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert pictures
    for picture in pictures:
        assert (Path(readme.README).parent / picture).is_file(), picture
