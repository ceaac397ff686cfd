"""``playmat digest``: checks that this installation plays as the release does."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.common import parse_options, progress, table

#: The digests of the release, by game and options; ``make generate`` chooses the options.
TABLE = Path(__file__).parent.parent / "digests.json"


def register(subparsers: Any) -> None:
    """Adds the command."""
    digest = subparsers.add_parser(
        "digest",
        help="checksums of fixed episodes, compared with those of the release",
        description="Plays fixed episodes and compares checksums of observations, masks, rewards "
        "and states with those of the release. Exit status 1: something differs.",
    )
    digest.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    digest.add_argument("--json", action="store_true", help="print JSON")
    digest.add_argument(
        "--update", metavar="FILE", type=Path, help="write the table, for a new version of a game"
    )
    digest.set_defaults(run=run)


def configurations(game: str, known: dict[str, Any]) -> list[str]:
    """The configurations to play, as ``NAME=VALUE,...``: those of the table, or the default."""
    entry = known["games"].get(game, {})
    return list(entry.get("digests") or [f"players={playmat.Game(game).num_players}"])


def measure(names: list[str], known: dict[str, Any]) -> dict[str, Any]:
    """The digests of games, as they stand in the table."""
    found: dict[str, Any] = {}
    runs = [(name, options) for name in names for options in configurations(name, known)]
    for name, options in progress(runs, "playing"):
        game = playmat.Game(name, **parse_options(options.split(",")))
        entry = found.setdefault(name, {"version": game.version, "digests": {}})
        entry["digests"][options] = game.digest(known["episodes"])
    return found


def run(arguments: argparse.Namespace) -> int:
    """Plays, prints and compares."""
    known: dict[str, Any] = {"episodes": 20, "games": {}}
    if TABLE.exists():
        known = json.loads(TABLE.read_text(encoding="utf-8"))
    for name in arguments.games:
        playmat.Game(name)
    found = measure(arguments.games or playmat.games(), known)
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
