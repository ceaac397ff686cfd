"""The generated parts of README.md: `python tests/python/readme.py --update` rewrites them, a test compares them.

Speeds are measured, not computed: `playmat bench --markdown` prints that table, and nothing here
touches it.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.balance import merge

README = Path(__file__).resolve().parents[2] / "README.md"
#: Episodes of random play between two looks at what is known of a game's mean length, and the most.
PIECE, MOST = 1000, 10_000


def length(game: playmat.Game) -> str:
    """Mean number of decisions of an episode of random play, in digits that are sure.

    Episodes are played, with fixed seeds, until all means within three standard errors round to the
    same whole number. A mean that is still unsure after the most episodes, because episodes differ
    much or the mean is near a half, is shown with its 95% interval.
    """
    survey: dict[str, Any] = {}
    for piece in range(MOST // PIECE):
        survey = merge(survey, game.survey(PIECE, seed=piece + 1))
        spread = survey["decisions"]
        mean, error = spread["mean"], spread["deviation"] / math.sqrt(spread["count"] - 1)
        if round(mean - 3 * error) == round(mean + 3 * error):
            return f"{mean:.0f}"
    margin = 1.96 * error
    digits = max(0, math.ceil(-math.log10(margin)))
    return f"{mean:.{digits}f} ± {margin:.{digits}f}"


def games_table() -> str:
    """Every game with its spaces and sizes; lengths are of random play with fixed seeds."""
    lines = [
        "| game | players | actions | observation bytes | decisions an episode (random play) | longest | state bytes "
        "| environment bytes | with outputs |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name in playmat.games():
        game = playmat.Game(name)
        info = game.info()
        low, high = game.player_range
        players = (
            f"**{game.num_players}**"
            if low == high
            else f"{low}-{high}, here **{game.num_players}**"
        )
        lines.append(
            f"| {game.title} (`{name}`) | {players} | {game.num_actions} | {game.observation_shape[0]} "
            f"| {length(game)} | {info['max_decisions']} | {info['state_bytes']} "
            f"| {info['env_bytes']} | {info['env_bytes_with_outputs']} |"
        )
    return "\n".join(lines)


def generated() -> dict[str, str]:
    """Marker name -> text between its markers."""
    return {"games": games_table()}


def replaced(text: str) -> str:
    """The README with all generated parts written anew."""
    for name, part in generated().items():
        pattern = re.compile(rf"(<!-- {name}:begin[^>]*-->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        text, count = pattern.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        if count != 1:
            raise SystemExit(f"README.md has {count} parts called {name}; there must be one")
    return text


def example() -> str:
    """The Python example of the README."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    if found is None:
        raise SystemExit("README.md has no Python example")
    return found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="rewrite README.md")
    args = parser.parse_args()
    before = README.read_text(encoding="utf-8")
    after = replaced(before)
    if args.update:
        README.write_text(after, encoding="utf-8")
    elif before != after:
        sys.exit("README.md is not as generated: python tests/python/readme.py --update")


if __name__ == "__main__":
    main()
