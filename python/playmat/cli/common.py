"""Helpers of all commands: options of games, tables, progress."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import playmat
from playmat.cli.terminal import wrap
from playmat.errors import invalid

T = TypeVar("T")


def add_game(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments GAME and -o."""
    parser.add_argument("game", metavar="GAME", help="a registered game, see `playmat games`")
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the argument -o."""
    parser.add_argument(
        "-o",
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game, e.g. -o players=3; may be repeated",
    )


def refusal(name: str, got: object, wanted: str) -> playmat.InvalidArgument:
    """The refusal of an argument ``--name``."""
    return invalid(f"--{name}", f"got {got}; wanted {wanted}")


def parse_options(pairs: Sequence[str], game: str = "") -> dict[str, Any]:
    """``NAME=VALUE`` texts as keyword arguments of :class:`playmat.Game`; with its name, what must
    be a word stays one, whatever it reads as.
    """
    specs = playmat.Game(game).info()["option_specs"] if game else []
    words = {spec["name"]: spec["range"] for spec in specs if spec["kind"] == "choice"}
    options: dict[str, Any] = {}
    for pair in pairs:
        name, separator, text = pair.partition("=")
        if not separator:
            raise invalid("--option", f"got `{pair}`; wanted NAME=VALUE")
        name = name.strip()
        if name in options:
            texts = [p.partition("=")[2] for p in pairs if p.partition("=")[0].strip() == name]
            got = " and ".join(f"`{name}={text}`" for text in texts)
            raise invalid("--option", f"got {got}; each option once")
        options[name] = text if text in words.get(name, ()) else _value(text)
    return options


def _value(text: str) -> Any:
    """Whole numbers, true, false and JSON as such, everything else as text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return json.loads(text)
    except ValueError:
        return text


def make_game(arguments: argparse.Namespace) -> playmat.Game:
    """The game that the arguments name."""
    return playmat.Game(arguments.game, **parse_options(arguments.options, arguments.game))


def table(head: Sequence[str], rows: Iterable[Sequence[object]], markdown: bool = False) -> str:
    """A table as text; numbers to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    right = [all(_is_number(row[i]) for row in cells) for i in range(len(head))]
    widths = [max([len(head[i]), *(len(row[i]) for row in cells)]) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        fitted = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        return "| " + " | ".join(fitted) + " |" if markdown else "  ".join(fitted).rstrip()

    lines = [line(head)]
    if markdown:
        rules = [
            "-" * (width - 1) + ":" if r else "-" * width
            for width, r in zip(widths, right, strict=True)
        ]
        lines.append("| " + " | ".join(rules) + " |")
    return "\n".join(lines + [line(row) for row in cells])


def _is_number(text: str) -> bool:
    return text in ("", "-", "?") or text.rstrip("%").replace(".", "", 1).lstrip("+-").isdigit()


def content_lines(entries: Sequence[dict[str, Any]]) -> str:
    """Cards, tiles and goals, each with what it does."""
    lines = []
    for entry in entries:
        name, text = entry["name"], entry["text"]
        own = "" if name == entry["id"] else f" ({entry['id']})"
        copies = "" if entry["copies"] is None else f", {entry['copies']} in the game"
        line = f"  {name}{own}, {entry['kind']}{copies}: {text}"
        lines.append(wrap(line, 6))
    return "\n".join(lines)


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a progress bar on a terminal (tqdm if it is there, otherwise a line every few
    seconds).
    """
    if not sys.stderr.isatty():
        yield from items
        return
    try:
        from tqdm import tqdm
    except ImportError:
        last = time.monotonic()
        for done, item in enumerate(items):
            yield item
            if time.monotonic() - last > 3:
                last = time.monotonic()
                print(f"{what}: {done + 1} of {len(items)}", file=sys.stderr)
        return
    yield from tqdm(items, desc=what, leave=False)


@contextlib.contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A function that shows on a terminal how much of a total is done, as :func:`progress` does."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        last = time.monotonic()

        def show(done: int) -> None:
            nonlocal last
            if time.monotonic() - last > 3:
                last = time.monotonic()
                print(f"{what}: {done} of {total}", file=sys.stderr)

        yield show
        return
    with tqdm(total=total, desc=what, leave=False) as bar:

        def move(done: int) -> None:
            if not bar.n:
                # What was found is no work of this call: its speed would be wrong.
                bar.initial = done
            bar.update(done - bar.n)

        yield move


def shape(sizes: Sequence[int]) -> str:
    """A shape in words: ``2 x 12 x 12``."""
    return " x ".join(str(size) for size in sizes) or "1"
