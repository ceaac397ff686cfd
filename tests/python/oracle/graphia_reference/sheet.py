"""Sheets, their geometry and legal placements (GG-R3, GG-R4)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from .content import orientations, shape_squares

SIZE = 12
CELLS = 144
TERRAINS = "MFRDTAXO"
SIX = "MFRDTA"
EMPTY = "."
NEXUS = "X"
DESOLATION = "O"

Frozen = tuple[str, ...]
"""A sheet: 12 rows of 12 letters. It never changes (drawing makes another one), so it can be a cache key."""


def on_sheet(r: int, c: int) -> bool:
    """Does the square lie on the sheet?"""
    return 0 <= r < SIZE and 0 <= c < SIZE


def in_line(r: int, c: int, number: int) -> bool:
    """Does the square lie in line ``number`` (row or column)?"""
    return r == number - 1 or c == number - 1


def edge_neighbours(r: int, c: int) -> list[tuple[int, int]]:
    """Squares sharing an edge with (r, c)."""
    near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return [(i, j) for i, j in near if on_sheet(i, j)]


def surrounding(r: int, c: int) -> list[tuple[int, int]]:
    """The up to eight squares around (r, c)."""
    near = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    return [(i, j) for i, j in near if on_sheet(i, j)]


def freeze(sheet: Iterable[Iterable[str]]) -> Frozen:
    """A sheet as a tuple of strings."""
    return tuple("".join(row) for row in sheet)


def drawn(sheet: Frozen, squares: Iterable[tuple[int, int]], letter: str) -> Frozen:
    """The sheet with a letter in these squares."""
    rows = [list(row) for row in sheet]
    for r, c in squares:
        rows[r][c] = letter
    return freeze(rows)


def covered(rows: tuple[str, ...], corner: int) -> tuple[tuple[int, int], ...]:
    """The squares a shape (already turned) would cover with its corner on cell ``corner``."""
    top, left = corner // SIZE, corner % SIZE
    return tuple((top + i, left + j) for i, j in shape_squares(rows))


@cache
def within_reach(
    rows: tuple[str, ...], number: int
) -> tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]:
    """All (t, cell, squares) of a shape on an empty sheet, by trying every turn on every cell."""
    found = []
    for t, turned in orientations(rows):
        for cell in range(CELLS):
            squares = covered(turned, cell)
            if not all(on_sheet(r, c) for r, c in squares):
                continue
            if not any(in_line(r, c, number) for r, c in squares):
                continue
            found.append((t, cell, squares))
    return tuple(found)


@lru_cache(maxsize=200_000)
def shape_placements(
    sheet: Frozen, rows: tuple[str, ...], number: int
) -> tuple[tuple[int, int], ...]:
    """All legal (t, cell) of a shape on a sheet (GG-R3)."""
    return tuple(
        (t, cell)
        for t, cell, squares in within_reach(rows, number)
        if all(sheet[r][c] == EMPTY for r, c in squares)
    )


def nexus_cells(sheet: Frozen, number: int) -> list[int]:
    """All cells where a Nexus may go (GG-R4): empty squares of line ``number``."""
    return [
        SIZE * r + c
        for r in range(SIZE)
        for c in range(SIZE)
        if sheet[r][c] == EMPTY and in_line(r, c, number)
    ]
