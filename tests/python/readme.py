"""The generated parts of README.md: `python tests/python/readme.py --update` rewrites them, a test compares them.

Speeds are measured, not computed: `playmat bench --markdown` prints that table, and nothing here
touches it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import playmat

README = Path(__file__).resolve().parents[2] / "README.md"
EPISODES = 200


def games_table() -> str:
    """Every game with its spaces and sizes; lengths are of random play with fixed seeds."""
    lines = [
        "| game | players | actions | observation bytes | decisions an episode (random play) | longest | state bytes |",
        "|---|---|---|---|---|---|---|",
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
        decisions = game.survey(EPISODES, seed=1)["decisions"]["mean"]
        lines.append(
            f"| {game.title} (`{name}`) | {players} | {game.num_actions} | {game.observation_shape[0]} "
            f"| {decisions:.0f} | {info['max_decisions']} | {info['state_bytes']} |"
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
