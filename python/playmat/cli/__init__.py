"""The command ``playmat``. Needs nothing but numpy; what trains is in :mod:`playmat.train`, and
``rollouts`` needs the extra ``datasets``.

Every command is a module with a function ``register(subparsers)``, which adds its parser and sets
``run``, a function from the parsed
arguments to an exit status.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Sequence

import playmat
from playmat.cli import balance, bench, digest, exploit, games, play, replay, rollouts

__all__ = ["commands", "main"]


def build_parser() -> argparse.ArgumentParser:
    """The parser with all commands."""
    parser = argparse.ArgumentParser(
        prog="playmat",
        description="An embeddable reinforcement-learning engine for modern tabletop games.",
    )
    parser.add_argument("--version", action="version", version=f"playmat {playmat.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (games, play, replay, bench, balance, exploit, rollouts, digest):
        module.register(commands)
    if importlib.util.find_spec("playmat.train") is not None:
        from playmat.train import cli as train

        train.register(commands)
    return parser


def commands() -> list[str]:
    """Names of all commands."""
    (action,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return list(action.choices)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit status: 0 done, 1 found a difference or failed, 2 wrong use,
    130 interrupted.
    """
    parsed = build_parser().parse_args(arguments)
    try:
        status = parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough (`| head`). Python flushes once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (playmat.Error, OSError) as error:
        print(f"playmat: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nplaymat: interrupted", file=sys.stderr)
        return 130
    return int(status or 0)
