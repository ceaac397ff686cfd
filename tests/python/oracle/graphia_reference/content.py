"""Polyomino kinds (section "Content" of the rules page) and options ("Configuration")."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


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


def check_kinds(kinds: Sequence[Kind]) -> None:
    """Refuse what the content loader must refuse (section "Content" of the rules page)."""
    if not 2 <= sum(kind.copies for kind in kinds) <= 16:
        raise ValueError("2 to 16 polyomino cards are needed")
    ids: set[str] = set()
    seen: dict[tuple[str, ...], str] = {}
    for kind in kinds:
        if not 1 <= kind.copies <= 16:
            raise ValueError(f"{kind.id}: copies outside 1..16")
        if not 1 <= len(kind.id) <= 16 or kind.id in ids:
            raise ValueError(f"{kind.id!r}: id empty, too long or repeated")
        ids.add(kind.id)
        rows = kind.rows
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError(f"{kind.id}: rows empty or of unequal length")
        if any(mark not in "#." for row in rows for mark in row):
            raise ValueError(f"{kind.id}: a character other than '#' and '.'")
        columns = ["".join(row[c] for row in rows) for c in range(len(rows[0]))]
        if any("#" not in line for line in (rows[0], rows[-1], columns[0], columns[-1])):
            raise ValueError(f"{kind.id}: an empty outer row or column")
        squares = shape_squares(rows)
        if not 1 <= len(squares) <= 6:
            raise ValueError(f"{kind.id}: 0 or more than 6 squares")
        reached = {squares[0]}
        queue = deque([squares[0]])
        while queue:
            i, j = queue.popleft()
            for near in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if near in squares and near not in reached:
                    reached.add(near)
                    queue.append(near)
        if len(reached) != len(squares):
            raise ValueError(f"{kind.id}: not connected by edges")
        for _, turned in orientations(rows):
            if turned in seen:
                raise ValueError(f"{kind.id}: equals {seen[turned]} up to turning")
        for _, turned in orientations(rows):
            seen[turned] = kind.id


@dataclass(frozen=True)
class Options:
    """All options (section "Configuration"); ``kinds`` stands for ``content``."""

    players: int = 2
    nexus_gate: str = "terrain"
    nexus_adjacency: str = "orthogonal"
    desert_scoring: str = "square"
    observe_others: str = "full"
    kinds: tuple[Kind, ...] = DEFAULT_KINDS

    def __post_init__(self) -> None:
        if not 1 <= self.players <= 8:
            raise ValueError("players must be 1..8")
        if self.nexus_gate not in ("terrain", "group", "both"):
            raise ValueError("unknown nexus_gate")
        if self.nexus_adjacency not in ("orthogonal", "all"):
            raise ValueError("unknown nexus_adjacency")
        if self.desert_scoring not in ("square", "pair"):
            raise ValueError("unknown desert_scoring")
        if self.observe_others not in ("full", "summary"):
            raise ValueError("unknown observe_others")
        check_kinds(self.kinds)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {
            "players": self.players,
            "nexus_gate": self.nexus_gate,
            "nexus_adjacency": self.nexus_adjacency,
            "desert_scoring": self.desert_scoring,
            "observe_others": self.observe_others,
            "kinds": [
                {"id": kind.id, "copies": kind.copies, "rows": list(kind.rows)}
                for kind in self.kinds
            ],
        }

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Options:
        """Inverse of ``to_dict``; every key may be missing (default)."""
        known = dict(data)
        if "kinds" in known:
            known["kinds"] = tuple(
                Kind(entry["id"], entry["copies"], tuple(entry["rows"])) for entry in known["kinds"]
            )
        return Options(**known)
