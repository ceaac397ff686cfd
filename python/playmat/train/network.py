"""Policy and value of any game, built from its observation and action layout.

Observations come in as the engine's bytes and become numbers in [-1, 1] here, so that rollouts are
stored at a byte each. Two bodies: an MLP, and for games with a large board (planes ``[.., H, W]``
in the observation, and actions with the same last two axes) a convolutional one whose head gives an
output per square: what was learnt in one corner holds in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

import playmat
from playmat.train.config import PRESETS, TrainConfig, refuse

#: Logit of an illegal action: exp of it is 0, and no NaN comes from it as from -inf.
ILLEGAL = -1e9
#: Smallest board, in squares, for which `auto` takes convolutions: below, an MLP learns as well and
#: is faster.
BOARD = 64
#: An action on a square speaks of the squares from it to so many right of it and below: pieces are
#: named by their top-left corner, and hardly any is longer.
REACH = 4
#: Channels that say how much a square is wanted, before the shape of the piece.
WANTED = 8
#: Outputs per action on a square; the plain numbers mix them (one mixture for each piece that is
#: placed).
PIECES = 8
#: Local patterns of the board that are counted for the value, per channel; and what a count is
#: scaled by.
COUNTED = 2
COUNT_SCALE = 1 / 32


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


def columns(game: playmat.Game, config: TrainConfig) -> Columns:
    """Divides observation and actions of a game for the network that the configuration asks for."""
    patterns = _words(config.ignore)
    # A preset may speak of segments that only some options of the game have.
    allowed = _words(str(PRESETS.get(game.name, {}).get("ignore", "")))
    for pattern in patterns:
        if pattern not in allowed and not any(
            fnmatchcase(name, pattern) for name in game.observation_layout.names
        ):
            names = ", ".join(game.observation_layout.names)
            refuse("ignore", f"got `{pattern}`, which no segment matches; segments: {names}")
    board = _board(game) if config.network != "mlp" else (0, 0)
    if config.network == "conv" and board == (0, 0):
        refuse("network", "got `conv`; the game has no action range shaped like a board it shows")
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
            if (
                len(segment.shape) == 1
                and len(segment) > 1
                and (segment.bias, segment.scale) == (0, 1)
            ):
                flags.append(places)
    # The first match: what is to be placed comes before what else is listed by the same kinds.
    matches = [[(f, s) for f in flags if len(f) == len(s)][:1] for s in stacks]
    chosen = tuple(match for found in matches for match in found)
    if not plain and not planes:
        refuse("ignore", f"got `{config.ignore}`, which leaves no segment")
    heads: list[tuple[int, int]] = []
    rest: list[int] = []
    for item in game.action_layout:
        if board != (0, 0) and tuple(item.shape[-2:]) == board:
            heads.append((item.start, len(item) // (board[0] * board[1])))
        else:
            rest.extend(range(item.start, item.start + len(item)))
    return Columns(
        np.array(plain, np.int64),
        np.array(planes, np.int64),
        chosen,
        board,
        tuple(heads),
        np.array(rest, np.int64),
        game.num_actions,
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _board(game: playmat.Game) -> tuple[int, int]:
    """The largest board that an action range and a segment of the observation share."""
    shown = {tuple(s.shape[-2:]) for s in game.observation_layout if len(s.shape) >= 2}
    acted = {tuple(a.shape[-2:]) for a in game.action_layout if len(a.shape) >= 2}
    found = sorted(shown & acted, key=lambda size: size[0] * size[1])
    return (found[-1][0], found[-1][1]) if found else (0, 0)


class Network(nn.Module):
    """``forward(obs, mask)``: obs uint8 [B, O], mask bool [B, A] -> logits float32 [B, A] with
    ILLEGAL where the mask is 0, value float32 [B] for the seat that sees the observation.
    """

    plain: Tensor
    planes: Tensor
    shift: Tensor
    factor: Tensor
    plane_factor: Tensor

    def __init__(self, game: playmat.Game, config: TrainConfig) -> None:
        super().__init__()
        self.columns = columns(game, config)
        c = self.columns
        bias = np.concatenate([np.full(len(s), s.bias) for s in game.observation_layout])
        scale = np.concatenate([np.full(len(s), s.scale) for s in game.observation_layout])
        # f32 form of the engine, then the spread of what is seen in play, see `fit`.
        self.register_buffer("plain", torch.from_numpy(c.plain))
        self.register_buffer("shift", torch.from_numpy(bias[c.plain].astype(np.float32)))
        self.register_buffer("factor", torch.from_numpy(1 / scale[c.plain].astype(np.float32)))
        #: Whether to compute in bfloat16, which only pays where the processor multiplies it.
        self.reduced = config.precision == "bfloat16" or (
            config.precision == "auto" and _multiplies_bfloat16()
        )
        self.body: ConvBody | MlpBody
        if c.planes.size:
            first = int(c.planes[0])
            # Planes mostly lie side by side: a view is cheaper than a gather.
            self.contiguous = bool((np.diff(c.planes) == 1).all())
            self.plane_start, self.plane_len = first, len(c.planes)
            self.register_buffer("planes", torch.from_numpy(c.planes))
            squares = c.board[0] * c.board[1]
            plane_scale = scale[c.planes].reshape(-1, squares)[:, 0].astype(np.float32)
            self.register_buffer("plane_factor", torch.from_numpy(1 / plane_scale)[:, None, None])
            for i, (flags, _) in enumerate(c.chosen):
                self.register_buffer(f"flags_{i}", torch.from_numpy(flags))
            planes = len(plane_scale)
            self.kinds = nn.ModuleList(Kind(len(flags), planes, c.board) for flags, _ in c.chosen)
            self.body = ConvBody(c, planes, config)
        else:
            self.body = MlpBody(c, config)

    def fit(self, obs: NDArray[np.uint8]) -> None:
        """Sets shift and factor of the plain numbers to mean and spread of these observations: a
        round counter that the layout scales by 255 speaks as loudly as a flag. Spreads below 0.05
        count as that.
        """
        seen = obs[:, self.columns.plain].astype(np.float32)
        self.shift.copy_(torch.from_numpy(seen.mean(0)))
        scale = 1 / self.factor.numpy()
        spread = np.maximum(seen.std(0), 0.05 * scale)
        self.factor.copy_(torch.from_numpy(1 / spread))

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.reduced):
            logits, value = self._judge(obs)
        return logits.float().masked_fill(~mask, ILLEGAL), value.float()

    def _judge(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        plain = (obs[:, self.plain].float() - self.shift) * self.factor
        if isinstance(self.body, ConvBody):
            height, width = self.columns.board
            if self.contiguous:
                taken = obs[:, self.plane_start : self.plane_start + self.plane_len]
            else:
                taken = obs[:, self.planes]
            dtype = torch.bfloat16 if self.reduced else torch.float32
            board = taken.reshape(len(obs), -1, height, width).to(dtype)
            board = board * self.plane_factor.to(dtype)
            parts = [board]
            for i, (_, stack) in enumerate(self.columns.chosen):
                flags = obs[:, self.get_buffer(f"flags_{i}")].to(dtype)
                parts.extend(self.kinds[i](flags, board, int(stack[0]), int(stack[-1]) + 1))
            result: tuple[Tensor, Tensor] = self.body(torch.cat(parts, 1), plain)
        else:
            result = self.body(plain)
        return result


class MlpBody(nn.Module):
    """Two hidden layers shared by policy and value."""

    def __init__(self, columns: Columns, config: TrainConfig) -> None:
        super().__init__()
        width = config.width
        self.one = _linear(len(columns.plain), width)
        self.two = _linear(width, width)
        self.policy = _linear(width, columns.num_actions, 0.01)
        self.value = _linear(width, 1, 0.1)

    def forward(self, plain: Tensor) -> tuple[Tensor, Tensor]:
        hidden = F.relu(self.two(F.relu(self.one(plain))))
        return self.policy(hidden), self.value(hidden).squeeze(1)


class Kind(nn.Module):
    """Planes about the kind of thing that is placed now, for the first convolution: where that kind
    lies already; mixtures of all planes that are learnt per kind (what it wants to be near, what it
    avoids); and a map learnt per kind (where on the board it belongs).
    """

    MIXED = 2
    PLANES = MIXED + 2
    #: A weight here is touched only by rows of its kind: it may move so much faster than others.
    FAST = 4.0

    def __init__(self, kinds: int, planes: int, board: tuple[int, int]) -> None:
        super().__init__()
        self.near = nn.Linear(kinds, Kind.MIXED * planes, bias=False)
        self.map = nn.Linear(kinds, board[0] * board[1], bias=False)
        nn.init.normal_(self.near.weight, std=0.1 / Kind.FAST)
        nn.init.zeros_(self.map.weight)

    def forward(self, flags: Tensor, board: Tensor, start: int, end: int) -> list[Tensor]:
        batch, planes, height, width = board.shape
        flat = board.flatten(2)
        own = torch.bmm(flags.unsqueeze(1), flat[:, start:end])
        flags = flags * Kind.FAST
        near = torch.bmm(self.near(flags).view(batch, Kind.MIXED, planes), flat)
        return [
            own.view(batch, 1, height, width),
            near.view(batch, Kind.MIXED, height, width),
            self.map(flags).view(batch, 1, height, width),
        ]


class ConvBody(nn.Module):
    """Two convolutions over the board, whose channels the plain numbers (which piece, which scores)
    shift. Actions on squares are a convolution over the squares that the piece may cover,
    in versions that the plain numbers mix. The value and the other actions see the mean of
    each channel, the plain numbers, and how often each of some local patterns lies on the board,
    whatever is to be placed: what may still become points.

    What the numbers do to channels and versions starts at nothing. Otherwise the noise of the first
    updates teaches chance alliances of numbers and squares: from 37,000 random placements of
    Graphia, 116 gradient steps gained 0.01 standard deviations of reward on placements held back,
    starting from nothing 0.23.
    """

    def __init__(self, columns: Columns, planes: int, config: TrainConfig) -> None:
        super().__init__()
        width, channels = config.width, config.channels
        self.channels = channels
        self.num_rest = len(columns.rest)
        self.order = _order(columns)
        head_planes = sum(count for _, count in columns.heads)
        self.context = _linear(len(columns.plain), width)
        self.tune = _linear(width, 2 * channels, 1e-6)
        self.shown = planes
        self.count = _conv(planes, COUNTED * channels, 3, 1)
        self.one = _conv(planes + Kind.PLANES * len(columns.chosen), channels, 3, 1)
        self.two = _conv(channels, channels, 3, 1)
        self.wanted = _conv(channels, WANTED, 1, 0)
        self.square = _conv(WANTED, PIECES * head_planes, REACH, 0, 0.3)
        self.piece = _linear(len(columns.plain), PIECES, 1e-6)
        self.hidden = _linear(width + (1 + COUNTED) * channels, width)
        self.rest = _linear(width, self.num_rest, 0.01) if self.num_rest else None
        self.value = _linear(width, 1, 0.1)
        with torch.no_grad():
            self.piece.bias.fill_(PIECES**-0.5)

    def forward(self, board: Tensor, plain: Tensor) -> tuple[Tensor, Tensor]:
        context = F.relu(self.context(plain))
        tune = self.tune(context).unsqueeze(2).unsqueeze(3)
        shift_1, shift_2 = tune.split(self.channels, 1)
        x = F.relu(self.one(board) + shift_1)
        x = F.relu(self.two(x) + shift_2)
        squares = self.square(F.pad(self.wanted(x), (0, REACH - 1, 0, REACH - 1)))
        squares = squares.reshape(len(squares), PIECES, -1)
        square = torch.bmm(self.piece(plain).unsqueeze(1), squares).squeeze(1)
        counts = F.relu(self.count(board[:, : self.shown])).sum((2, 3)) * COUNT_SCALE
        pooled = torch.cat([context, counts, x.mean((2, 3))], 1)
        hidden = F.relu(self.hidden(pooled))
        value = self.value(hidden).squeeze(1)
        logits = square if self.rest is None else torch.cat([self.rest(hidden), square], 1)
        return (logits if self.order is None else logits[:, self.order]), value


def _multiplies_bfloat16() -> bool:
    """Whether the processor multiplies matrices of bfloat16, as far as this torch can tell."""
    tell = getattr(torch.cpu, "_is_amx_tile_supported", None)
    return tell is not None and bool(tell())


def _order(columns: Columns) -> Tensor | None:
    """Where each action is in [rest, squares]; None if it is there already."""
    squares = columns.board[0] * columns.board[1]
    at = list(columns.rest)
    for start, count in columns.heads:
        at.extend(range(start, start + count * squares))
    order = np.argsort(np.array(at))
    return None if (np.diff(order) == 1).all() else torch.from_numpy(order)


def _linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """An orthogonal layer, as PPO likes it."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _conv(inputs: int, outputs: int, size: int, padding: int, gain: float = 2**0.5) -> nn.Conv2d:
    layer = nn.Conv2d(inputs, outputs, size, padding=padding)
    nn.init.orthogonal_(layer.weight, gain)
    assert layer.bias is not None
    nn.init.zeros_(layer.bias)
    return layer
