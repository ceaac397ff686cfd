"""Which bytes of an observation, and which actions, a network reads in the same way."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import playmat
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.presets import PRESETS

#: Smallest board, in squares, for which `auto` chooses convolutions: on smaller ones an MLP learns
#: as well and is faster.
BOARD = 64
#: Fewest entities for which `auto` chooses the same weights for each.
ENTITIES = 4
#: A segment that is about one of several like things: `island3_points`.
NUMBERED = re.compile(r"([a-z_]*[a-z])([0-9]+)_(.+)")


@dataclass(frozen=True)
class Entities:
    """Things of one kind that an observation lists one by one, such as islands."""

    #: Their numbers, as places in :attr:`Columns.plain` [n, f].
    numbers: NDArray[np.int64]
    #: Bytes of the observation among them that are flags [n, k]: which of k values each one is.
    flags: NDArray[np.int64]
    #: A number of each two of them, such as the distance of two islands, as places in
    #: :attr:`Columns.plain` [n * n]; empty if there is none.
    pairs: NDArray[np.int64]


@dataclass(frozen=True)
class Columns:
    """Which bytes of an observation the network reads, and as what."""

    #: Bytes that are read as a list of numbers.
    plain: NDArray[np.int64]
    #: Bytes that are read as planes of a board, plane by plane; empty without a board.
    planes: NDArray[np.int64]
    #: Pairs of K bytes and K planes: the bytes say which of the planes counts now (the terrain to
    #: place, say).
    chosen: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]
    #: H, W of the board; (0, 0) without.
    board: tuple[int, int]
    #: Actions with an output per square: first action and number of planes of each range; the
    #: others are `rest`.
    heads: tuple[tuple[int, int], ...]
    rest: NDArray[np.int64]
    num_actions: int
    #: What an :class:`~playmat.train.encoders.bodies.EntityBody` reads one by one.
    entities: Entities | None


@dataclass(frozen=True)
class Strips:
    """Columns of a matrix, ``x[:, indices]``, as strips that are views of it if
    possible: copying single columns takes up to 70 times as long.
    """

    #: Indices [n, f].
    indices: NDArray[np.int64]
    #: By strip, its first column, the distance from one row of ``indices`` to the next, and its
    #: width; empty if rows differ in more than a distance.
    parts: tuple[tuple[int, int, int], ...]

    @staticmethod
    def of(indices: NDArray[np.int64]) -> Strips:
        """For indices [n, f], or [f], which are one row."""
        rows = np.atleast_2d(indices)
        steps = np.diff(rows, axis=0) if len(rows) > 1 else np.ones_like(rows)
        if not rows.size or (steps != steps[0]).any() or (steps <= 0).any():
            return Strips(rows, ())
        cuts = (np.diff(rows[0]) != 1) | (np.diff(steps[0]) != 0)
        edges = [0, *(np.flatnonzero(cuts) + 1).tolist(), rows.shape[1]]
        parts = [(int(rows[0, a]), int(steps[0, a]), b - a) for a, b in itertools.pairwise(edges)]
        return Strips(rows, tuple(parts))

    def take(self, x: Tensor) -> Tensor:
        """``x[:, indices]`` [B, n, f] of x [B, any]."""
        if not self.parts:
            return x[:, torch.from_numpy(self.indices).to(x.device)]
        last = len(self.indices) - 1
        parts = [
            x[:, start : start + last * step + width].unfold(1, width, step)
            for start, step, width in self.parts
        ]
        return parts[0] if len(parts) == 1 else torch.cat(parts, 2)


def columns(game: playmat.Game, config: TrainConfig) -> Columns:
    """Divides observation and actions of a game for the configured network."""
    patterns = _words(config.ignore)
    # A preset may name segments that only some options of the game have.
    allowed = _words(str(PRESETS.get(game.name, {}).get("ignore", "")))
    for pattern in patterns:
        if pattern not in allowed and not any(
            fnmatchcase(name, pattern) for name in game.observation_layout.names
        ):
            names = ", ".join(game.observation_layout.names)
            raise invalid("ignore", f"got `{pattern}`, which no segment matches; segments: {names}")
    board = _board(game) if config.network in ("auto", "conv") else (0, 0)
    if config.network == "conv" and board == (0, 0):
        raise invalid(
            "network", "got `conv`; the game has no action range shaped like a board it shows"
        )
    if config.network == "auto" and board[0] * board[1] < BOARD:
        board = (0, 0)
    plain: list[int] = []
    planes: list[int] = []
    flags: list[NDArray[np.int64]] = []
    stacks: list[NDArray[np.int64]] = []
    for segment in game.observation_layout:
        if any(fnmatchcase(segment.name, pattern) for pattern in patterns):
            continue
        places = np.arange(segment.offset, segment.offset + len(segment))
        if board != (0, 0) and tuple(segment.shape[-2:]) == board:
            first, squares = len(planes) // (board[0] * board[1]), board[0] * board[1]
            stacks.append(first + np.arange(len(segment) // squares))
            planes.extend(places)
        else:
            plain.extend(places)
            if _is_flags(segment):
                flags.append(places)
    # The first match: what is to be placed comes before what else is listed by the same kinds.
    matches = [[(f, s) for f in flags if len(f) == len(s)][:1] for s in stacks]
    chosen = tuple(match for found in matches for match in found)
    if not plain and not planes:
        raise invalid("ignore", f"got `{config.ignore}`, which leaves no segment")
    entities = _entities(game, plain) if config.network in ("auto", "entities") else None
    if config.network == "entities" and entities is None:
        raise invalid(
            "network", "got `entities`; the game's observation lists no like things by number"
        )
    if config.network == "auto" and (
        board != (0, 0) or (entities and len(entities.numbers) < ENTITIES)
    ):
        entities = None
    heads: list[tuple[int, int]] = []
    rest: list[int] = []
    for item in game.action_layout:
        if board != (0, 0) and tuple(item.shape[-2:]) == board:
            heads.append((item.start, len(item) // (board[0] * board[1])))
        else:
            rest.extend(range(item.start, item.start + len(item)))
    return Columns(
        np.array(plain, np.int64), np.array(planes, np.int64), chosen, board,
        tuple(heads), np.array(rest, np.int64), game.num_actions, entities,
    )  # fmt: skip


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _board(game: playmat.Game) -> tuple[int, int]:
    """The largest board that an action range and a segment of the observation share."""
    shown = {tuple(s.shape[-2:]) for s in game.observation_layout if len(s.shape) >= 2}
    acted = {tuple(a.shape[-2:]) for a in game.action_layout if len(a.shape) >= 2}
    found = sorted(shown & acted, key=lambda size: size[0] * size[1])
    return (found[-1][0], found[-1][1]) if found else (0, 0)


def _is_flags(segment: playmat.Segment) -> bool:
    """Whether a segment is a list of flags: mostly a one-hot kind."""
    plain = (segment.bias, segment.scale) == (0, 1)
    return plain and len(segment.shape) == 1 and len(segment) > 1


def _field(segment: playmat.Segment) -> str:
    """The property that a segment shows of a thing: `points` of `island3_points`."""
    return segment.name.split("_", 1)[1]


def _entities(game: playmat.Game, plain: list[int]) -> Entities | None:
    """The largest group of numbered segments, each with the same fields and with flags among them.
    Row i of a two-dimensional segment with a row per entity belongs to entity i. The viewer's own
    segments (`own_front`) are member 0 of the group of the others (`other1_front`), if they have
    the same fields.
    """
    place = {byte: at for at, byte in enumerate(plain)}
    groups: dict[str, dict[int, list[playmat.Segment]]] = {}
    for segment in game.observation_layout:
        match = NUMBERED.fullmatch(segment.name)
        if match and segment.offset in place:
            groups.setdefault(match[1], {}).setdefault(int(match[2]), []).append(segment)
    others = groups.get("other", {})
    wanted = [(_field(segment), len(segment)) for segment in others.get(1, [])]
    own = [
        segment for segment in game.observation_layout
        if segment.name.startswith("own_") and segment.offset in place
        and (_field(segment), len(segment)) in wanted
    ]  # fmt: skip
    if wanted and [(_field(segment), len(segment)) for segment in own] == wanted:
        others[0] = own
    best: Entities | None = None
    for name, found in groups.items():
        members = [found[number] for number in sorted(found)]
        fields = {tuple((_field(s), len(s)) for s in member) for member in members}
        rows = [s for s in game.observation_layout if s.name.startswith(f"{name}_")]
        numbers, flags, pairs = [], [], []
        for i, member in enumerate(members):
            bytes_ = [b for s in member for b in range(s.offset, s.offset + len(s))]
            flags.append(
                [b for s in member if _is_flags(s) for b in range(s.offset, s.offset + len(s))]
            )
            for s in rows:
                if len(s.shape) == 2 and s.shape[0] == len(members) and s.offset in place:
                    start = s.offset + i * s.shape[1]
                    bytes_ += range(start, start + s.shape[1])
                    if s.shape[1] == len(members):
                        pairs += [place[b] for b in range(start, start + s.shape[1])]
            numbers.append([place[b] for b in bytes_])
        if len(members) < 2 or len(fields) > 1 or not flags[0]:
            continue
        if best is None or len(members) > len(best.numbers):
            best = Entities(
                np.array(numbers, np.int64),
                np.array(flags, np.int64),
                np.array(pairs[: len(members) ** 2], np.int64),
            )
    return best
