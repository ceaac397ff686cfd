"""``playmat digest``: does this installation play as it should?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.common import progress, table

#: The digests of the release, by game; written by ``playmat digest --update``.
TABLE = Path(__file__).parent.parent / "digests.json"


def register(subparsers: Any) -> None:
    """Adds the command."""
    digest = subparsers.add_parser(
        "digest",
        help="checksums of fixed games, compared with those of the release",
        description="Plays fixed games and compares checksums of observations, masks, rewards and "
        "states with those of the release. Exit status 1: something differs.",
    )
    digest.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    digest.add_argument("--json", action="store_true", help="print JSON")
    digest.add_argument(
        "--update", metavar="FILE", type=Path, help="write the table, for a new version of a game"
    )
    digest.set_defaults(run=run)


def configurations(game: str) -> list[dict[str, Any]]:
    """What is played: the default, and the smallest and largest table."""
    default = playmat.Game(game)
    counts = sorted({default.num_players, *default.player_range})
    return [{"players": count} for count in counts]


def measure(names: list[str], episodes: int) -> dict[str, Any]:
    """The digests of games, as they stand in the table."""
    found: dict[str, Any] = {}
    runs = [(name, options) for name in names for options in configurations(name)]
    for name, options in progress(runs, "playing"):
        game = playmat.Game(name, **options)
        entry = found.setdefault(name, {"version": game.version, "digests": {}})
        entry["digests"][f"players={game.num_players}"] = game.digest(episodes)
    return found


def run(arguments: argparse.Namespace) -> int:
    """Plays, prints and compares."""
    known: dict[str, Any] = {"episodes": 20, "games": {}}
    if TABLE.exists():
        known = json.loads(TABLE.read_text(encoding="utf-8"))
    for name in arguments.games:
        playmat.Game(name)
    found = measure(arguments.games or playmat.games(), known["episodes"])
    if arguments.update:
        text = json.dumps({"episodes": known["episodes"], "games": found}, indent=2) + "\n"
        arguments.update.write_text(text, encoding="utf-8")
    rows, differ = [], 0
    for name, entry in found.items():
        expected = known["games"].get(name, {})
        for configuration, digest in entry["digests"].items():
            wanted = expected.get("digests", {}).get(configuration)
            verdict = (
                "as released"
                if wanted == digest
                else "not in the table"
                if wanted is None
                else "DIFFERS"
            )
            differ += verdict == "DIFFERS"
            rows.append([name, entry["version"], configuration, digest, verdict])
    if arguments.json:
        print(
            json.dumps(
                {"episodes": known["episodes"], "games": found, "differing": differ}, indent=1
            )
        )
    else:
        print(table(["game", "version", "options", "observations-masks-rewards-states", ""], rows))
    return 1 if differ else 0
