"""Bodies of the network, from scaled numbers to logits and a value: an MLP, an MLP with the same
weights for each of several like things, and convolutions over a board.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from playmat.train.config import ENTITY_WIDTH, TrainConfig
from playmat.train.encoders.layout import Columns, Entities, Strips

#: Channels that say how much a square is wanted, before the shape of the piece.
WANTED = 8
#: Local patterns of the board, per channel, that are counted for the value; the scale of a count.
COUNTED = 2
COUNT_SCALE = 1 / 32
#: Decisions with legal actions on squares are evaluated in multiples of this number.
FILL = 32
#: Numbers that the flags of an entity are scaled by.
SCALES = 4


class MlpBody(nn.Module):
    """Two hidden layers shared by policy and value."""

    HIDDEN: ClassVar = ("one", "two")

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


class Highest(torch.autograd.Function):
    """The maximum of x [B, n, f] over its n rows, as ``x.amax(1)``; each of several highest ones
    has the whole gradient, which ``amax`` would divide among them. That division took a sixth of
    a gradient step of Gravitix: 48 ms with it, 40 ms without.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        highest = x.amax(1)
        ctx.save_for_backward(x, highest)
        return highest

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        x, highest = ctx.saved_tensors
        # In place: a comparison with its own result in bool takes four times as long in bfloat16.
        gradient: Tensor = x.clone().eq_(highest.unsqueeze(1)).mul_(gradients[0].unsqueeze(1))
        return gradient


class Pairs(nn.Module):
    """Attention between entities: in each head an entity adds up a part of all entities'
    units, each weighed by a sigmoid of the number of the two (of the islands near it, say).

    In 4.6 million decisions of a best response in Gravitix (half of them imitation) this won 78.0%
    of 4,096 episodes against the greedy agent, and 68.0% without. A gradient step of 512 decisions
    takes 37 ms on one thread, and 31 ms without.
    """

    def __init__(self, entities: Entities, heads: int) -> None:
        super().__init__()
        self.count, self.heads = len(entities.numbers), heads
        self.places: Tensor
        self.register_buffer("places", torch.from_numpy(entities.pairs))
        self.strips = Strips.of(entities.pairs)
        self.near = nn.Linear(1, heads)
        # Normalized numbers are mostly between -2 and 2: some weights rise with them, some fall.
        nn.init.uniform_(self.near.weight, -3, 3)
        nn.init.uniform_(self.near.bias, -2, 2)
        self.send = _linear(ENTITY_WIDTH, ENTITY_WIDTH)
        self.receive = _linear(ENTITY_WIDTH, ENTITY_WIDTH, 1.0)

    def forward(self, plain: Tensor, each: Tensor) -> Tensor:
        n = self.count
        numbers = self.strips.take(plain).reshape(-1, n, n, 1)
        weights = torch.sigmoid(self.near(numbers)).permute(0, 3, 1, 2)
        sent = F.relu(self.send(each)).reshape(-1, n, self.heads, ENTITY_WIDTH // self.heads)
        read = (weights @ sent.permute(0, 2, 1, 3)).permute(0, 2, 1, 3)
        result: Tensor = self.receive(read.reshape(-1, n, ENTITY_WIDTH) * (2 / n))
        return result


class EntityBody(nn.Module):
    """An MLP that also reads its numbers entity by entity, with the same weights for all. The units
    of an entity may be read by the others (:class:`Pairs`). They have three effects: their mean and
    maximum over the entities enter the second layer; each entity votes for every action, and the
    highest vote counts; and they scale the entity's flags, whose place among all entities says
    which actions they mean (the place of an island in its tile: the cell to sail to).

    After a minute of imitating the greedy agent of Gravitix on one thread (``playmat train gravitix
    --imitation-fraction 1 --minutes 1 --torch-threads 1 --network entities``) it won 40% of 1000
    episodes against that agent; an MLP of the same width (``--network mlp``) won 18%.
    """

    HIDDEN: ClassVar = ("one", "context", "read", "judge", "two")

    def __init__(self, columns: Columns, entities: Entities, config: TrainConfig) -> None:
        super().__init__()
        width, own, actions = config.width, ENTITY_WIDTH, columns.num_actions
        self.strips = Strips.of(entities.numbers)
        self.numbers: Tensor
        self.register_buffer("numbers", torch.from_numpy(entities.numbers))
        count, flags = entities.flags.shape
        self.one = _linear(len(columns.plain), width)
        self.context = _linear(width, own)
        self.read = _linear(entities.numbers.shape[1], own)
        self.judge = _linear(own, own)
        heads = config.pair_heads if entities.pairs.size else 0
        self.pairs = Pairs(entities, heads) if heads else None
        self.two = _linear(width + 2 * own, width)
        self.policy = _linear(width, actions, 0.01)
        self.vote = _linear(own, actions, 0.01)
        self.scale = _linear(own, SCALES)
        self.meant = _linear(count * flags * SCALES, actions, 0.01)
        self.value = _linear(width, 1, 0.1)

    def forward(self, plain: Tensor, flags: Tensor) -> tuple[Tensor, Tensor]:
        context = F.relu(self.one(plain))
        each = F.relu(self.read(self.strips.take(plain)) + self.context(context).unsqueeze(1))
        judged = self.judge(each)
        each = F.relu(judged if self.pairs is None else judged + self.pairs(plain, each))
        hidden = F.relu(self.two(torch.cat([context, each.mean(1), _highest(each)], 1)))
        scaled = self.scale(each).unsqueeze(3) * flags.unsqueeze(2)
        logits = self.policy(hidden) + _highest(self.vote(each)) + self.meant(scaled.flatten(1))
        return logits, self.value(hidden).squeeze(1)


class Kind(nn.Module):
    """Planes about the kind of thing that is placed now, for the first convolution: where that kind
    lies already; mixtures of all planes, learned per kind (what to place it near); and a map of the
    board, learned per kind (where to place it).
    """

    MIXED = 2
    PLANES = MIXED + 2
    #: Only decisions of its kind change a weight here: it moves so much faster than others.
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
    shift. Logits of actions on squares are a convolution over the `reach` x `reach` squares that
    the piece may cover, with `pieces` outputs that the plain numbers mix. The value and the other
    logits read the mean of each channel, the plain numbers, and how often each of several local
    patterns lies on the board.

    The plain numbers begin without effect on channels and outputs. Otherwise the network learns
    chance correlations of numbers and squares from the noise of the first updates: from 37,000
    random placements of Graphia, 116 gradient steps gained 0.01 standard deviations of reward on a
    validation set, with this initialization 0.23.
    """

    HIDDEN: ClassVar = ("context", "count", "one", "two", "hidden")

    def __init__(self, columns: Columns, planes: int, config: TrainConfig) -> None:
        super().__init__()
        width, channels = config.width, config.channels
        self.channels, self.reach, self.pieces = channels, config.reach, config.pieces
        self.num_rest = len(columns.rest)
        size = columns.board[0] * columns.board[1]
        #: First action on squares and the one after the last, of each range.
        self.on_squares = [(start, start + count * size) for start, count in columns.heads]
        self.order: Tensor | None
        self.register_buffer("order", _order(columns), persistent=False)
        head_planes = sum(count for _, count in columns.heads)
        self.context = _linear(len(columns.plain), width)
        self.tune = _linear(width, 2 * channels, 1e-6)
        self.shown = planes
        self.count = _conv(planes, COUNTED * channels, 3, 1)
        self.one = _conv(planes + Kind.PLANES * len(columns.chosen), channels, 3, 1)
        self.two = _conv(channels, channels, 3, 1)
        self.wanted = _conv(channels, WANTED, 1, 0)
        self.square = _conv(WANTED, self.pieces * head_planes, self.reach, 0, 0.3)
        self.piece = _linear(len(columns.plain), self.pieces, 1e-6)
        self.hidden = _linear(width + (1 + COUNTED) * channels, width)
        self.rest = _linear(width, self.num_rest, 0.01) if self.num_rest else None
        self.value = _linear(width, 1, 0.1)
        with torch.no_grad():
            self.piece.bias.fill_(self.pieces**-0.5)

    def forward(self, board: Tensor, plain: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        context = F.relu(self.context(plain))
        tune = self.tune(context).unsqueeze(2).unsqueeze(3)
        shift_1, shift_2 = tune.split(self.channels, 1)
        x = F.relu(self.one(board) + shift_1)
        x = F.relu(self.two(x) + shift_2)
        square = self.squares(x, plain, mask)
        # Planes of the observation have no gradient, which the others beside them would ask for.
        counts = F.relu(self.count(board[:, : self.shown].detach())).sum((2, 3)) * COUNT_SCALE
        pooled = torch.cat([context, counts, x.mean((2, 3))], 1)
        hidden = F.relu(self.hidden(pooled))
        value = self.value(hidden).squeeze(1)
        logits = square if self.rest is None else torch.cat([self.rest(hidden), square], 1)
        return (logits if self.order is None else logits[:, self.order]), value

    def squares(self, x: Tensor, plain: Tensor, mask: Tensor) -> Tensor:
        """Logits of the actions on squares [B, any]; 0 for decisions without a legal one. Half of
        Graphia's decisions have none. To leave them out saves 12% of a gradient step.
        """
        if x.device.type != "cpu":  # would wait for the device to count them
            return self.squares_of(x, plain)
        legal = torch.stack([mask[:, first:last].any(1) for first, last in self.on_squares])
        rows = legal.any(0).nonzero().squeeze(1)
        # Filled up with row 0: a convolution is prepared anew for each number of rows.
        filled = F.pad(rows, (0, FILL - len(rows) % FILL))
        if len(filled) >= len(x):
            return self.squares_of(x, plain)
        squares = self.squares_of(x.index_select(0, filled), plain.index_select(0, filled))
        all_ = squares.new_zeros(len(x), squares.shape[1])
        return all_.index_copy(0, rows, squares[: len(rows)])

    def squares_of(self, x: Tensor, plain: Tensor) -> Tensor:
        """Logits of all actions on squares."""
        squares = self.square(F.pad(self.wanted(x), (0, self.reach - 1, 0, self.reach - 1)))
        squares = squares.reshape(len(squares), self.pieces, -1)
        return torch.bmm(self.piece(plain).unsqueeze(1), squares).squeeze(1)


def _order(columns: Columns) -> Tensor | None:
    """The index of each action in [rest, squares]; None if the two orders are the same."""
    squares = columns.board[0] * columns.board[1]
    at = list(columns.rest)
    for start, count in columns.heads:
        at.extend(range(start, start + count * squares))
    order = np.argsort(np.array(at))
    return None if (np.diff(order) == 1).all() else torch.from_numpy(order)


def _highest(x: Tensor) -> Tensor:
    highest: Tensor = Highest.apply(x)
    return highest


def _linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A linear layer with orthogonal weights, as is usual for PPO."""
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
