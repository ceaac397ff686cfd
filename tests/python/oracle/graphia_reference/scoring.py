"""Score lines of a sheet (GG-R8 .. GG-R20)."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from .content import Options
from .sheet import NEXUS, SIX, SIZE, Frozen, edge_neighbours, surrounding


def squares_of(sheet: Frozen, terrain: str) -> list[tuple[int, int]]:
    """All squares of a terrain."""
    return [(r, c) for r in range(SIZE) for c in range(SIZE) if sheet[r][c] == terrain]


def groups_of(sheet: Frozen, terrain: str) -> list[set[tuple[int, int]]]:
    """All groups (maximal sets connected by edges) of a terrain, by flood fill."""
    groups: list[set[tuple[int, int]]] = []
    done: set[tuple[int, int]] = set()
    for start in squares_of(sheet, terrain):
        if start in done:
            continue
        group = {start}
        queue = deque([start])
        while queue:
            r, c = queue.popleft()
            for i, j in edge_neighbours(r, c):
                if sheet[i][j] == terrain and (i, j) not in group:
                    group.add((i, j))
                    queue.append((i, j))
        done |= group
        groups.append(group)
    return groups


def next_to_nexus(r: int, c: int, adjacency: str) -> list[tuple[int, int]]:
    """Squares that count as next to a Nexus on (r, c) (option ``nexus_adjacency``)."""
    return surrounding(r, c) if adjacency == "all" else edge_neighbours(r, c)


def touches_nexus(sheet: Frozen, terrain: str, adjacency: str) -> bool:
    """Is some square of the terrain next to a Nexus (GG-R15)?"""
    for r, c in squares_of(sheet, terrain):
        for i, j in next_to_nexus(r, c, adjacency):
            if sheet[i][j] == NEXUS:
                return True
    return False


def count_next_to(sheet: Frozen, terrain: str, other: str) -> int:
    """Squares of ``terrain`` sharing an edge with at least one square of ``other``."""
    count = 0
    for r, c in squares_of(sheet, terrain):
        if any(sheet[i][j] == other for i, j in edge_neighbours(r, c)):
            count += 1
    return count


def count_pairs(sheet: Frozen, terrain: str, other: str) -> int:
    """Pairs of a square of ``terrain`` and a square of ``other`` sharing an edge."""
    count = 0
    for r, c in squares_of(sheet, terrain):
        for i, j in edge_neighbours(r, c):
            if sheet[i][j] == other:
                count += 1
    return count


def mountain_points(sheet: Frozen) -> int:
    """GG-R8: 1 per mountain square on the border."""
    return sum(1 for r, c in squares_of(sheet, "M") if r in (0, SIZE - 1) or c in (0, SIZE - 1))


def forest_points(sheet: Frozen) -> int:
    """GG-R9: 2 per 4x4 block with at least 4 forest squares."""
    points = 0
    for top in (0, 4, 8):
        for left in (0, 4, 8):
            forests = 0
            for r in range(top, top + 4):
                for c in range(left, left + 4):
                    if sheet[r][c] == "F":
                        forests += 1
            if forests >= 4:
                points += 2
    return points


def river_points(sheet: Frozen) -> int:
    """GG-R10: 12 if one river group joins opposite sides."""
    last = SIZE - 1
    for group in groups_of(sheet, "R"):
        rows = {r for r, _ in group}
        columns = {c for _, c in group}
        if (0 in rows and last in rows) or (0 in columns and last in columns):
            return 12
    return 0


def nexus_points(sheet: Frozen, adjacency: str) -> int:
    """GG-R14: per Nexus the number of different terrains of the six next to it."""
    points = 0
    for r, c in squares_of(sheet, NEXUS):
        near = {sheet[i][j] for i, j in next_to_nexus(r, c, adjacency)}
        points += sum(1 for terrain in SIX if terrain in near)
    return points


def score_frozen(sheet: Frozen, options: Options) -> list[int]:
    """The same of a sheet that is one already."""
    return list(
        _score_lines(sheet, options.nexus_gate, options.nexus_adjacency, options.desert_scoring)
    )


@lru_cache(maxsize=200_000)
def _score_lines(sheet: Frozen, gate: str, adjacency: str, desert: str) -> tuple[int, ...]:
    terrain_points = {
        "M": mountain_points(sheet),
        "F": forest_points(sheet),
        "R": river_points(sheet),
        "D": -(
            count_pairs(sheet, "D", "T") if desert == "pair" else count_next_to(sheet, "D", "T")
        ),
        "T": count_next_to(sheet, "T", "M"),
        "A": count_next_to(sheet, "A", "R"),
    }
    group_points = {}
    for terrain in SIX:
        group_points[terrain] = max((len(g) for g in groups_of(sheet, terrain)), default=0)
    for terrain in SIX:
        if touches_nexus(sheet, terrain, adjacency):
            continue
        if gate in ("terrain", "both") and terrain != "D":  # GG-R16: losses are never gated
            terrain_points[terrain] = 0
        if gate in ("group", "both"):
            group_points[terrain] = 0
    lines = [terrain_points[terrain] for terrain in SIX]
    lines.append(nexus_points(sheet, adjacency))
    lines += [group_points[terrain] for terrain in SIX]
    return tuple(lines)
