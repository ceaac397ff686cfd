"""Polyomino kinds (section "Content" of the rules page) and options ("Configuration")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Kind:
    """A polyomino kind: ``rows`` of '#' and '.', which is turn 0."""

    id: str
    copies: int
    rows: tuple[str, ...]


DEFAULT_KINDS: tuple[Kind, ...] = (
    Kind("I", 1, ("####",)),
    Kind("O", 1, ("##", "##")),
    Kind("T", 2, (".#.", "###")),
    Kind("S", 1, (".##", "##.")),
    Kind("Z", 1, ("##.", ".##")),
    Kind("J", 1, ("#..", "###")),
    Kind("L", 1, ("..#", "###")),
)


def turn_clockwise(rows: Sequence[str]) -> tuple[str, ...]:
    """The shape turned by 90 degrees clockwise: column c, read bottom to top, becomes row c."""
    height = len(rows)
    width = len(rows[0])
    turned = []
    for c in range(width):
        line = ""
        for r in range(height - 1, -1, -1):
            line += rows[r][c]
        turned.append(line)
    return tuple(turned)


def orientations(rows: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
    """(t, rows) of every distinct orientation, each under its smallest t (5.1)."""
    found: list[tuple[int, tuple[str, ...]]] = []
    current = tuple(rows)
    for t in range(4):
        if all(current != known for _, known in found):
            found.append((t, current))
        current = turn_clockwise(current)
    return found


@lru_cache(maxsize=10_000)
def shape_squares(rows: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Squares (i, j) of a shape relative to the top-left corner of its bounding box."""
    return tuple((i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == "#")


@dataclass(frozen=True)
class Options:
    """All options (section "Configuration"); ``kinds`` stands for ``content``."""

    players: int = 2
    nexus_gate: str = "terrain"
    nexus_adjacency: str = "orthogonal"
    desert_scoring: str = "square"
    observe_others: str = "full"
    kinds: tuple[Kind, ...] = DEFAULT_KINDS
