"""Whether the wheel, the C library and the tests, of all games or of one, compile the games with the same features.

Cargo compiles a package once for each set of features of its dependencies. Where two of them differ, each compiles the
games for minutes by itself. `make lint` runs this; the lines that keep it true are in the workspace's Cargo.toml, and
in that of tests/one_build, which is a dev-dependency of each game.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SEEDS = Path(__file__).resolve().parents[1] / "seeds"

CHOICES = {
    "the wheel": "-p playmat-python-module -e normal,build",
    "the C library": "-p playmat-capi -e normal,build",
    "the tests": "--workspace --exclude playmat-python* --exclude playmat-core --exclude playmat-conformance -e normal,build,dev",
    **{
        f"`cargo test -p playmat-{name}`": f"-p playmat-{name} -e normal,build,dev"
        for name in [
            "seeds",
            "mutants",
            *sorted(path.parent.name for path in SEEDS.glob("src/*/Cargo.toml")),
        ]
    },
}


def features(arguments: str) -> dict[str, str]:
    """Features by package, as `cargo tree` lists them for a choice of packages."""
    command = ["cargo", "tree", *arguments.split(), "--prefix", "none", "--format", "{p}|{f}"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = (line.replace(" (proc-macro)", "").replace(" (*)", "").split("|") for line in lines)
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def main() -> None:
    games = features("-p playmat-seeds -e normal,build --features raster,threads")
    found = {name: features(arguments) for name, arguments in CHOICES.items()}
    # Only playmat-seeds itself has other features here. It compiles in a second, and nothing below it is compiled again.
    of_seeds = found["`cargo test -p playmat-seeds`"]
    found["`cargo test -p playmat-seeds`"] = {
        package: own
        for package, own in of_seeds.items()
        if not package.startswith("playmat-seeds ")
    }
    differing = 0
    for package in games:
        # The tests of one game have none of the others.
        sets = {
            name: choice[package]
            for name, choice in found.items()
            if package in choice or not name.startswith("`cargo test")
        }
        if len(set(sets.values())) > 1:
            differing += 1
            print(f"{package}: " + "; ".join(f"{name} has [{sets[name]}]" for name in sets))
    if differing or not games:
        sys.exit(
            f"the games are compiled more than once: {differing} packages have differing features"
        )


if __name__ == "__main__":
    main()
