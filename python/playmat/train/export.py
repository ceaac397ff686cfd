"""A trained network as an ONNX file, written node by node: no exporter, no tracing, only operators
that every runtime has.

Inputs: ``obs`` uint8 [batch, O] as the engine writes it, ``mask`` bool [batch, A]. A network with
    `greedy_bonus` has a third one, ``greedy`` uint8 [batch, A]: 1 at the action that the greedy
    agent chooses, all 0 where the player has no decision.
Outputs: ``logits`` float32 [batch, A], ILLEGAL where the mask is false, and ``value`` float32
    [batch].
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

import playmat
from playmat.errors import invalid
from playmat.policy_export import complete, metadata
from playmat.train.config import ENTITY_WIDTH
from playmat.train.encoders.bodies import (
    COUNT_SCALE,
    ConvBody,
    EntityBody,
    Kind,
    MlpBody,
)
from playmat.train.encoders.network import ILLEGAL, Network
from playmat.train.need import need

#: Operator set: has everything used here and is read by every current runtime.
OPSET = 13


class _Graph:
    """Nodes and constants in the making. Every method returns the name of its result."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self.helper, self.numpy_helper = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def const(self, array: NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(self.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def floats(self, values: Any) -> str:
        return self.const(np.asarray(values, np.float32))

    def ints(self, values: Any) -> str:
        return self.const(np.asarray(values, np.int64))

    def node(self, kind: str, *inputs: str, result: str = "", **attributes: Any) -> str:
        result = result or f"n{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [result], **attributes))
        return result

    def relu(self, x: str) -> str:
        return self.node("Relu", x)

    def linear(self, x: str, layer: nn.Linear) -> str:
        weight, bias = self.floats(layer.weight.detach()), self.floats(layer.bias.detach())
        return self.node("Gemm", x, weight, bias, transB=1)

    def conv(self, x: str, layer: nn.Conv2d, pads: tuple[int, int, int, int]) -> str:
        assert layer.bias is not None
        weight, bias = self.floats(layer.weight.detach()), self.floats(layer.bias.detach())
        return self.node("Conv", x, weight, bias, pads=list(pads), strides=[1, 1])

    def columns(self, x: str, start: int, end: int) -> str:
        return self.node("Slice", x, self.ints([start]), self.ints([end]), self.ints([1]))


def export(
    network: Network,
    game: playmat.Game,
    path: Path,
    *,
    reward_scale: float = 1.0,
    relative: bool = False,
    win_bonus: float = 0.0,
    temperature: float = 0.0,
) -> None:
    """Writes the network as an ONNX file, which is also the spec of an agent. Its metadata say what
    it was trained for; the engine refuses it for anything else.

    Args:
        network: The network.
        game: The game that it was trained for, with its options.
        path: The file.
        reward_scale: The factor of rewards in training: a search divides values by it.
        relative: Whether it was trained on the player's reward less the mean of the others'.
        win_bonus: Bonus that training added to the scaled reward at the end of an episode, see
            :class:`playmat.train.config.TrainConfig`.
        temperature: Of the policy that the agent draws its actions from; 0: the likeliest action.

    Raises:
        playmat.MissingFeature: The package ``onnx`` is not installed.
    """
    need("onnx", what="the ONNX export")
    import onnx
    from onnx import TensorProto, helper

    network = copy.deepcopy(network).cpu()
    g = _Graph()
    columns = network.columns
    numbers = g.node("Cast", "obs", to=TensorProto.FLOAT)
    plain = g.node("Gather", numbers, g.ints(columns.plain), axis=1)
    plain = g.node("Mul", g.node("Sub", plain, g.floats(network.shift)), g.floats(network.factor))
    if isinstance(network.body, ConvBody):
        height, width = columns.board
        board = g.node("Gather", numbers, g.ints(columns.planes), axis=1)
        board = g.node("Reshape", board, g.ints([0, -1, height, width]))
        board = g.node("Mul", board, g.floats(network.plane_factor))
        parts = [board]
        for (flags, stack), kind in zip(columns.chosen, network.kinds, strict=True):
            assert isinstance(kind, Kind)
            chosen = g.node("Gather", numbers, g.ints(flags), axis=1)
            parts.extend(_kind_planes(g, kind, chosen, board, stack, columns.board))
        logits, value = _conv_body(g, network.body, g.node("Concat", *parts, axis=1), plain)
    elif isinstance(network.body, EntityBody):
        kinds = g.node("Gather", numbers, g.ints(network.flags), axis=1)
        logits, value = _entity_body(g, network.body, plain, kinds)
    else:
        logits, value = _mlp_body(g, network.body, plain)
    if network.bonus is not None:
        chosen = g.node("Cast", "greedy", to=TensorProto.FLOAT)
        bonus = g.linear(plain, network.bonus)
        logits = g.node("Add", logits, g.node("Mul", chosen, bonus))
    g.node("Where", "mask", logits, g.floats([ILLEGAL]), result="logits")
    g.node("Reshape", value, g.ints([-1]), result="value")
    inputs = [
        helper.make_tensor_value_info("obs", TensorProto.UINT8, ["batch", *game.observation_shape]),
        helper.make_tensor_value_info("mask", TensorProto.BOOL, ["batch", game.num_actions]),
    ]
    if network.takes_greedy:
        inputs.append(
            helper.make_tensor_value_info("greedy", TensorProto.UINT8, ["batch", game.num_actions])
        )
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", game.num_actions]),
        helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
    ]
    graph = helper.make_graph(g.nodes, "policy", inputs, outputs, g.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    model.producer_name, model.producer_version = "playmat", playmat.__version__
    helper.set_model_props(model, metadata(game, reward_scale, relative, win_bonus, temperature))
    onnx.checker.check_model(model, full_check=True)
    with complete(path) as part:
        onnx.save(model, str(part))


def export_checkpoint(path: Path, out: Path | None = None) -> Path:
    """Writes the network of a checkpoint of ``playmat train`` as an ONNX file, as :func:`export`
    does.

    Args:
        path: The checkpoint.
        out: The file; without, ``policy.onnx`` beside ``checkpoint.pt``, and a file with the
            name of any other checkpoint beside that.

    Returns:
        The file.

    Raises:
        playmat.InvalidArgument: ``out`` is no name of a network.
        playmat.Unreadable, playmat.WrongIdentity, OSError: Those of
            :func:`playmat.train.checkpoint.read`.
    """
    from playmat.train import checkpoint
    from playmat.train.environments import reward_scale

    out = out or path.with_name("policy.onnx" if path.stem == "checkpoint" else f"{path.stem}.onnx")
    if out.suffix != ".onnx" or "," in str(out):
        raise invalid("out", f"got `{out}`; wanted a path that ends in .onnx, without commas")
    state = checkpoint.read(path)
    network, config = checkpoint.network_of(state, path), checkpoint.config_of(state)
    options = {**state["options"], **({"reward": config.reward} if config.reward else {})}
    game = playmat.Game(state["game"], **options)
    scale = reward_scale(game, config)
    export(
        network, game, out, reward_scale=scale, relative=config.relative,
        win_bonus=config.win_bonus, temperature=config.temperature,
    )  # fmt: skip
    return out


def _kind_planes(
    g: _Graph, kind: Kind, flags: str, board: str, stack: NDArray[np.int64], size: tuple[int, int]
) -> list[str]:
    """The nodes of :meth:`Kind.forward`."""
    flat = g.node("Reshape", board, g.ints([0, 0, size[0] * size[1]]))
    own = g.columns(flat, int(stack[0]), int(stack[-1]) + 1)
    own = g.node("MatMul", g.node("Unsqueeze", flags, g.ints([1])), own)
    flags = g.node("Mul", flags, g.floats(Kind.FAST))
    near = g.node("MatMul", flags, g.floats(kind.near.weight.detach().T))
    near = g.node("MatMul", g.node("Reshape", near, g.ints([0, Kind.MIXED, -1])), flat)
    places = g.node("MatMul", flags, g.floats(kind.map.weight.detach().T))
    shape = g.ints([0, -1, *size])
    return [
        g.node("Reshape", own, shape),
        g.node("Reshape", near, shape),
        g.node("Reshape", g.node("Unsqueeze", places, g.ints([1])), shape),
    ]


def _mlp_body(g: _Graph, body: MlpBody, plain: str) -> tuple[str, str]:
    hidden = g.relu(g.linear(g.relu(g.linear(plain, body.one)), body.two))
    return g.linear(hidden, body.policy), g.linear(hidden, body.value)


def _entity_body(g: _Graph, body: EntityBody, plain: str, flags: str) -> tuple[str, str]:
    """The nodes of :meth:`EntityBody.forward`, line by line."""

    def each_linear(x: str, layer: nn.Linear) -> str:
        product = g.node("MatMul", x, g.floats(layer.weight.detach().T))
        return g.node("Add", product, g.floats(layer.bias.detach()))

    context = g.relu(g.linear(plain, body.one))
    own = each_linear(g.node("Gather", plain, g.ints(body.numbers), axis=1), body.read)
    shared = g.node("Unsqueeze", g.linear(context, body.context), g.ints([1]))
    each = g.relu(g.node("Add", own, shared))
    judged = each_linear(each, body.judge)
    if (pairs := body.pairs) is not None:
        # Head by head: the engine has no operator that exchanges axes.
        n, size = pairs.count, ENTITY_WIDTH // pairs.heads
        numbers = g.node("Gather", plain, g.ints(pairs.places), axis=1)
        numbers = g.node("Reshape", numbers, g.ints([0, n, n]))
        sent, read = g.relu(each_linear(each, pairs.send)), []
        for head in range(pairs.heads):
            near = g.node("Mul", numbers, g.floats(pairs.near.weight.detach()[head]))
            near = g.node("Sigmoid", g.node("Add", near, g.floats(pairs.near.bias.detach()[head])))
            ends = (g.ints([at]) for at in (head * size, (head + 1) * size, 2))
            read.append(g.node("MatMul", near, g.node("Slice", sent, *ends)))
        whole = g.node("Mul", g.node("Concat", *read, axis=2), g.floats(2 / n))
        judged = g.node("Add", judged, each_linear(whole, pairs.receive))
    each = g.relu(judged)
    mean = g.node("ReduceMean", each, axes=[1], keepdims=0)
    highest = g.node("ReduceMax", each, axes=[1], keepdims=0)
    hidden = g.relu(g.linear(g.node("Concat", context, mean, highest, axis=1), body.two))
    scale = g.node("Unsqueeze", each_linear(each, body.scale), g.ints([3]))
    scaled = g.node("Mul", scale, g.node("Unsqueeze", flags, g.ints([2])))
    meant = g.linear(g.node("Flatten", scaled, axis=1), body.meant)
    votes = g.node("ReduceMax", each_linear(each, body.vote), axes=[1], keepdims=0)
    logits = g.node("Add", g.node("Add", g.linear(hidden, body.policy), votes), meant)
    return logits, g.linear(hidden, body.value)


def _conv_body(g: _Graph, body: ConvBody, board: str, plain: str) -> tuple[str, str]:
    """The nodes of :meth:`ConvBody.forward`, line by line."""
    channels = body.channels
    context = g.relu(g.linear(plain, body.context))
    tune = g.node("Unsqueeze", g.linear(context, body.tune), g.ints([2, 3]))
    part = [g.columns(tune, i * channels, (i + 1) * channels) for i in range(2)]

    x = g.relu(g.node("Add", g.conv(board, body.one, (1, 1, 1, 1)), part[0]))
    x = g.relu(g.node("Add", g.conv(x, body.two, (1, 1, 1, 1)), part[1]))
    wanted = g.conv(x, body.wanted, (0, 0, 0, 0))
    square = g.conv(wanted, body.square, (0, 0, body.reach - 1, body.reach - 1))
    versions = g.node("Reshape", square, g.ints([0, body.pieces, -1]))
    piece = g.node("Unsqueeze", g.linear(plain, body.piece), g.ints([1]))
    square = g.node("Squeeze", g.node("MatMul", piece, versions), g.ints([1]))
    mean = g.node("ReduceMean", x, axes=[2, 3], keepdims=0)
    seen = g.relu(g.conv(g.columns(board, 0, body.shown), body.count, (1, 1, 1, 1)))
    counts = g.node("ReduceSum", seen, g.ints([2, 3]), keepdims=0)
    counts = g.node("Mul", counts, g.floats(COUNT_SCALE))
    pooled = g.node("Concat", context, counts, mean, axis=1)
    hidden = g.relu(g.linear(pooled, body.hidden))
    logits = square
    if body.rest is not None:
        logits = g.node("Concat", g.linear(hidden, body.rest), square, axis=1)
    if body.order is not None:
        logits = g.node("Gather", logits, g.const(body.order.numpy()), axis=1)
    return logits, g.linear(hidden, body.value)
