"""Operators of ONNX as the engine computes them: modules of torch, and files written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

import playmat
from playmat.onnx_graph import Rewriter
from playmat.onnx_operators import Operators
from playmat.policy_export import export_policy

GAME = playmat.Game("tic_tac_toe")
(SIZE,), ACTIONS = GAME.observation_shape, GAME.num_actions
#: Far above rounding, far below what a wrong operator makes.
CLOSE = 2e-5


class Wrapped(nn.Module):
    """A module between two layers: numbers [batch, 27] to numbers [batch, ...]."""

    def __init__(self, body: nn.Module | Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.body, self.spread = body, nn.Linear(SIZE, SIZE)
        with torch.no_grad():
            width = body(torch.zeros(2, SIZE)).reshape(2, -1).shape[1]
        self.action, self.value = nn.Linear(width, ACTIONS), nn.Linear(width, 1)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(3 * self.spread(obs)).reshape(obs.shape[0], -1)
        return self.action(hidden), self.value(hidden)


class Board(nn.Module):
    """A part that takes planes [batch, 3, 3, 3]."""

    def __init__(self, *parts: nn.Module) -> None:
        super().__init__()
        self.parts = nn.Sequential(*parts)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.parts(x.reshape(x.shape[0], 3, 3, 3))


class Attention(nn.Module):
    """An attention over nine squares of three numbers, and a token of its own as in BERT."""

    def __init__(self, batch_first: bool, token: bool = False) -> None:
        super().__init__()
        torch.manual_seed(6)
        self.batch_first = batch_first
        self.read = nn.Linear(3, 8)
        self.token = nn.Parameter(torch.randn(1, 1, 8)) if token else None
        self.attention = nn.MultiheadAttention(8, 2, batch_first=batch_first)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = self.read(x.reshape(x.shape[0], 9, 3))
        if self.token is not None:
            tokens = torch.cat([self.token.expand(x.shape[0], -1, -1), tokens], 1)
        if not self.batch_first:
            tokens = tokens.transpose(0, 1)
        found, _ = self.attention(tokens, tokens, tokens)
        return found[0] + found.mean(0) if not self.batch_first else found


class Masked(nn.Module):
    """An encoder whose tokens do not see later ones: a mask of minus infinity."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(9)
        self.read = nn.Linear(3, 8)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
        self.mask = nn.Transformer.generate_square_subsequent_mask(9)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.encoder(self.read(x.reshape(x.shape[0], 9, 3)), src_mask=self.mask)


class Heads(nn.Module):
    """An attention written out: transpositions, products of batches of matrices, a softmax."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.qkv = nn.Linear(3, 24)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch = x.shape[0]
        q, k, v = self.qkv(x.reshape(batch, 9, 3)).chunk(3, 2)
        q, k, v = (part.reshape(batch, 9, 2, 4).transpose(1, 2) for part in (q, k, v))
        weights = torch.softmax(q @ k.transpose(2, 3) / 2, -1)
        return (weights @ v).transpose(1, 2)


class Tokens(nn.Module):
    """A part that takes the tokens of all rows as one batch."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(x.reshape(-1, x.shape[-1])).reshape(x.shape)


def normalized(kind: Callable[[], nn.Module]) -> nn.Module:
    """A normalization whose numbers are none of the defaults."""
    torch.manual_seed(8)
    module = kind()
    for name, array in [*module.named_parameters(), *module.named_buffers()]:
        if array.dtype == torch.float32:
            array.data.uniform_(0.5, 1.5)
            assert name
    return module


ENCODER = {"d_model": 8, "nhead": 2, "dim_feedforward": 16, "batch_first": True}
MODULES: dict[str, Callable[[], Any]] = {
    "relu6": nn.ReLU6, "leaky": lambda: nn.LeakyReLU(0.2), "prelu": lambda: nn.PReLU(SIZE),
    "elu": lambda: nn.ELU(0.7), "celu": lambda: nn.CELU(0.7), "selu": nn.SELU, "gelu": nn.GELU,
    "gelu, tanh": lambda: nn.GELU("tanh"), "silu": nn.SiLU, "mish": nn.Mish,
    "softplus": nn.Softplus, "softsign": nn.Softsign, "hardtanh": nn.Hardtanh,
    "hardswish": nn.Hardswish, "hardsigmoid": nn.Hardsigmoid, "softmax": lambda: nn.Softmax(1), "log-softmax": lambda: nn.LogSoftmax(1),
    "layer norm": lambda: normalized(lambda: nn.LayerNorm(SIZE)),
    "layer norm over two axes": lambda: Board(normalized(lambda: nn.LayerNorm([3, 3]))),
    "layer norm, plain": lambda: nn.LayerNorm(SIZE, elementwise_affine=False),
    "batch norm": lambda: normalized(lambda: nn.BatchNorm1d(SIZE)),
    "batch norm of planes": lambda: Board(normalized(lambda: nn.BatchNorm2d(3))),
    "group norm": lambda: Board(nn.Conv2d(3, 6, 1), normalized(lambda: nn.GroupNorm(2, 6))),
    "instance norm": lambda: Board(normalized(lambda: nn.InstanceNorm2d(3, affine=True))),
    "stride": lambda: Board(nn.Conv2d(3, 4, 2, stride=2, padding=1)),
    "groups": lambda: Board(nn.Conv2d(3, 6, 3, padding=1, groups=3)),
    "dilation": lambda: Board(nn.Conv2d(3, 4, 2, dilation=2)),
    "line": lambda: nn.Sequential(nn.Unflatten(1, (3, 9)), nn.Conv1d(3, 4, 3, stride=2, padding=1)),
    "max pool": lambda: Board(nn.MaxPool2d(2, stride=1, padding=1)),
    "max pool, ceil": lambda: Board(nn.MaxPool2d(2, ceil_mode=True)),
    "average pool": lambda: Board(nn.AvgPool2d(2, stride=1, padding=1)),
    "average pool, inside": lambda: Board(nn.AvgPool2d(2, 1, 1, count_include_pad=False)),
    "global pools": lambda: Board(nn.AdaptiveAvgPool2d(1)),
    "global maximum": lambda: Board(nn.AdaptiveMaxPool2d(1)),
    "reflected border": lambda: Board(nn.Conv2d(3, 2, 3, padding=1, padding_mode="reflect")),
    "wrapped border": lambda: Board(nn.Conv2d(3, 2, 3, padding=1, padding_mode="circular")),
    "border of ones": lambda: Board(nn.ConstantPad2d((1, 0, 2, 1), 1.0), nn.Conv2d(3, 2, 2)),
    "attention": lambda: Attention(True), "attention, length first": lambda: Attention(False),
    "attention with a token": lambda: Attention(True, token=True), "heads": Heads,
    "batch norm of tokens": lambda: nn.Sequential(
        nn.Unflatten(1, (9, 3)), Tokens(normalized(lambda: nn.BatchNorm1d(3))),
    ),
    "causal attention": lambda: Masked(),
    "encoder": lambda: nn.Sequential(
        nn.Unflatten(1, (9, 3)), nn.Linear(3, 8),
        nn.TransformerEncoderLayer(**ENCODER, dropout=0.0, activation="gelu"),
        nn.TransformerEncoderLayer(**ENCODER, norm_first=True),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_modules_of_torch(name: str, tmp_path: Path) -> None:
    module = Wrapped(MODULES[name]().eval())
    found = export_policy(module, GAME, tmp_path / "policy.onnx")
    assert max(found.logits_error, found.value_error) < CLOSE
    assert 0 <= GAME.agent(str(found.path)).act(GAME.env(seed=1)) < ACTIONS


def functions() -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    """Functions of torch: numbers [batch, 27] to numbers."""
    matrix = torch.randn(5, 9, generator=torch.Generator().manual_seed(9))
    return {
        "abs": torch.abs, "exp": lambda x: torch.exp(x / 2), "log": lambda x: torch.log(x.abs() + 1),
        "sqrt": lambda x: torch.sqrt(x * x + 1), "erf": torch.erf,
        "powers": lambda x: x**2 + x**3 - (x * x + 1) ** -1.5 + (x * x) ** 0.5,
        "quotient": lambda x: x / (1 + x[:, :1] ** 2), "reciprocal": lambda x: 1 / (2 + x * x),
        "clamp": lambda x: torch.clamp(x, -0.5, 0.75) + torch.clamp(x, min=0.2) + x.clamp(max=0.1),
        "extremes": lambda x: torch.maximum(x, -x[:, [1]]) + torch.minimum(x, x[:, [2]]),
        "reductions": lambda x: torch.stack(
            [x.amin(1), x.amax(1), x.sum(1), x.mean(1), x.norm(dim=1), (x * x).sum(1)], 1
        ),
        "parts": lambda x: torch.cat([p * (i + 1) for i, p in enumerate(x.split([2, 20, 5], 1))], 1),
        "length first": lambda x: torch.relu(
            torch.nn.functional.pad(x.reshape(-1, 9, 3).transpose(0, 1), (1, 0, 0, 0, 0, 2))
        ).transpose(0, 1),
        "two of three parts": lambda x: torch.cat(x.split([2, 20, 5], 1)[1:], 1),
        "a wide maximum": lambda x: torch.maximum(x[:, :1], torch.zeros(4)),
        "equal parts": lambda x: torch.cat(x.chunk(4, 1)[::-1], 1),
        "axes": lambda x: x.reshape(-1, 3, 3, 3).permute(0, 3, 1, 2) ** 2,
        "a matrix from the left": lambda x: matrix @ x.reshape(-1, 9, 3),
        "spread": lambda x: x.reshape(-1, 9, 1, 3).expand(-1, -1, 2, -1) * torch.arange(2.0)[:, None],
        "constants in a row": lambda x: torch.cat([x, torch.ones(1, 2).expand(x.shape[0], -1)], 1),
    }  # fmt: skip


@pytest.mark.parametrize("name", functions())
def test_functions_of_torch(name: str, tmp_path: Path) -> None:
    found = export_policy(Wrapped(functions()[name]), GAME, tmp_path / "policy.onnx")
    assert max(found.logits_error, found.value_error) < CLOSE


def file(opset: int, kind: str, constants: list[Any], **attributes: Any) -> bytes:
    """A file whose logits and value are sums over what an operator makes of planes [n, 3, 3, 3]."""
    # As constant inputs after the planes; None: without this one.
    names = ["" if array is None else f"c{at}" for at, array in enumerate(constants)]
    weights = np.random.default_rng(3).normal(size=(SIZE, ACTIONS)).astype(np.float32)
    nodes = [
        helper.make_node("Reshape", ["x", "planes"], ["p"]),
        helper.make_node(kind, ["p", *names], ["h"], **attributes),
        helper.make_node("ReduceMax", ["x"], ["best"], axes=[1], keepdims=1)
        if opset < 18 else helper.make_node("ReduceMax", ["x", "last"], ["best"], keepdims=1),
        helper.make_node("Flatten", ["h"], ["flat"]),
        helper.make_node("ReduceMean", ["flat"], ["mean"], axes=[1], keepdims=1)
        if opset < 18 else helper.make_node("ReduceMean", ["flat", "last"], ["mean"], keepdims=1),
        helper.make_node("MatMul", ["x", "w"], ["direct"]),
        helper.make_node("Add", ["direct", "mean"], ["logits"]),
        helper.make_node("Add", ["mean", "best"], ["value"]),
    ]  # fmt: skip
    given = {
        "planes": np.array([-1, 3, 3, 3], np.int64), "last": np.array([1], np.int64), "w": weights,
        **{n: np.asarray(a) for n, a in zip(names, constants, strict=True) if n},
    }  # fmt: skip
    graph = helper.make_graph(
        nodes, "file",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", SIZE])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", ACTIONS]),
         helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 1])],
        [numpy_helper.from_array(array, name) for name, array in given.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 10
    return bytes(model.SerializeToString())


THREE = np.array([0.5, 1.25, -0.75], np.float32)
AXES = np.array([2, -1], np.int64)
PADS = np.array([0, 0, 1, 0, 0, 0, 2, 1], np.int64)
FILES: dict[str, tuple[int, str, list[Any], dict[str, Any]]] = {
    "Gelu": (20, "Gelu", [], {}), "Gelu tanh": (20, "Gelu", [], {"approximate": "tanh"}),
    "HardSwish": (17, "HardSwish", [], {}), "Mish": (18, "Mish", [], {}),
    "HardSigmoid": (17, "HardSigmoid", [], {"alpha": 0.3}), "Selu": (17, "Selu", [], {}),
    "Elu": (17, "Elu", [], {"alpha": 0.5}), "Celu": (17, "Celu", [], {"alpha": 0.5}),
    "LeakyRelu": (17, "LeakyRelu", [], {}), "Softsign": (17, "Softsign", [], {}),
    "PRelu": (17, "PRelu", [THREE[:, None, None]], {}), "Abs": (17, "Abs", [], {}),
    "Softmax over planes": (13, "Softmax", [], {"axis": 1}),
    "LogSoftmax": (13, "LogSoftmax", [], {}), "Softplus": (17, "Softplus", [], {}),
    "Max of three": (17, "Max", [np.float32(0.2), THREE], {}),
    "Min of three": (17, "Min", [np.float32(0.2), THREE], {}),
    "Sum of three": (17, "Sum", [np.float32(0.2), THREE], {}),
    "Max of two constants": (17, "Max", [np.float32(0.2), np.float32(0.1)], {}),
    "Clip below": (17, "Clip", [None, np.float32(0.3)], {}),
    "ReduceL2": (18, "ReduceL2", [AXES], {}), "ReduceMin": (18, "ReduceMin", [AXES], {}),
    "ReduceSumSquare": (18, "ReduceSumSquare", [AXES], {"keepdims": 0}),
    "LayerNormalization": (17, "LayerNormalization", [THREE], {"epsilon": 0.1}),
    "RMSNormalization": (23, "RMSNormalization", [THREE], {}),
    "InstanceNormalization": (17, "InstanceNormalization", [THREE, THREE[::-1].copy()], {}),
    "GroupNormalization": (21, "GroupNormalization", [THREE, THREE[::-1].copy()],
                                      {"num_groups": 3}),
    "Pad": (18, "Pad", [PADS, np.float32(2.5)], {}), "Pad without a number": (18, "Pad", [PADS], {}),
    "Pad edge": (18, "Pad", [PADS], {"mode": "edge"}),
    "Pad reflect": (18, "Pad", [PADS], {"mode": "reflect"}),
    "Transpose": (17, "Transpose", [], {"perm": [0, 2, 3, 1]}),
    "GlobalMaxPool": (17, "GlobalMaxPool", [], {}),
    "MaxPool dilated": (17, "MaxPool", [], {"kernel_shape": [2, 2], "dilations": [2, 1]}),
    "AveragePool": (19, "AveragePool", [], {"kernel_shape": [2, 3], "pads": [1, 1, 0, 1]}),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_by_hand(name: str, tmp_path: Path) -> None:
    opset, kind, constants, attributes = FILES[name]
    given = file(opset, kind, constants, **attributes)
    found = export_policy(given, GAME, tmp_path / "policy.onnx", value="value")
    assert max(found.logits_error, found.value_error) < CLOSE
    # What is written is of the engine's set, and onnxruntime's or the package's, too.
    onnx.checker.check_model(onnx.load(str(found.path)))


REFUSED: dict[str, tuple[int, str, list[Any], dict[str, Any]]] = {
    "Pow": (17, "Pow", [np.float32(0.3)], {}), "Sin": (17, "Sin", [], {}),
    "CumSum": (17, "CumSum", [np.array(1, np.int64)], {}),
    "MaxPool": (17, "MaxPool", [], {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}),
    "AveragePool": (19, "AveragePool", [], {"kernel_shape": [2, 2], "ceil_mode": 1, "strides": [2, 2],
                                           "count_include_pad": 1}),
    "Pad over the batch": (18, "Pad", [np.array([1, 0, 0, 0, -1, 0, 0, 0], np.int64)], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    opset, kind, constants, attributes = REFUSED[name]
    given = file(opset, kind, constants, **attributes)
    with pytest.raises(playmat.InvalidArgument, match=f"operator `{kind}`"):
        export_policy(given, GAME, tmp_path / "policy.onnx")
    assert not list(tmp_path.iterdir())


def test_names_of_a_file_do_not_meet_those_of_the_rewriter(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    names = [f"constant.{at}" for at in range(1, 13)]
    arrays = [rng.normal(size=(SIZE, SIZE) if at % 2 else SIZE) / 5 for at in range(12)]
    nodes, last = [], "x"
    for at, name in enumerate(names):
        kind = "MatMul" if at % 2 else "Add"
        nodes.append(helper.make_node(kind, [last, name], [f"value.{at}"]))
        nodes.append(helper.make_node("LeakyRelu", [f"value.{at}"], [f"given.{at}"]))
        last = f"given.{at}"
    nodes.append(helper.make_node("MatMul", [last, "w"], ["logits"]))
    nodes.append(helper.make_node("ReduceMean", [last], ["value"], axes=[1], keepdims=0))
    weights = zip([*names, "w"], [*arrays, rng.normal(size=(SIZE, ACTIONS))], strict=True)
    graph = helper.make_graph(
        nodes, "names", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", SIZE])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", ACTIONS]),
         helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n"])],
        [numpy_helper.from_array(a.astype(np.float32), name) for name, a in weights],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    found = export_policy(model.SerializeToString(), GAME, tmp_path / "policy.onnx")
    assert max(found.logits_error, found.value_error) < CLOSE


def test_a_draw_is_no_constant(tmp_path: Path) -> None:
    # So little that the comparison would not find it.
    whole = onnx.load_model_from_string(file(17, "Identity", []))
    noise = helper.make_node("RandomNormalLike", ["w"], ["noise"], scale=1e-9, seed=1.0)
    noisy = helper.make_node("Add", ["w", "noise"], ["weights"])
    for at, node in enumerate((noise, noisy)):
        whole.graph.node.insert(at, node)
    (product,) = (node for node in whole.graph.node if node.op_type == "MatMul")
    product.input[1] = "weights"
    with pytest.raises(playmat.InvalidArgument, match="operator `RandomNormalLike`"):
        export_policy(whole.SerializeToString(), GAME, tmp_path / "policy.onnx")


def test_a_value_too_large_is_refused_before_it_is_made(tmp_path: Path) -> None:
    whole = onnx.load_model_from_string(file(17, "Add", [np.float32(0)]))
    large = numpy_helper.from_array(np.array([1, 1 << 20, 27, 3], np.int64), "large")
    whole.graph.initializer.append(large)
    whole.graph.node.insert(1, helper.make_node("Expand", ["x4", "large"], ["wide"]))
    whole.graph.initializer.append(numpy_helper.from_array(np.array([1, 1, 27, 1], np.int64), "s4"))
    whole.graph.node.insert(1, helper.make_node("Reshape", ["w1", "s4"], ["x4"]))
    whole.graph.initializer.append(numpy_helper.from_array(np.ones(SIZE, np.float32), "w1"))
    whole.graph.node.append(helper.make_node("ReduceMax", ["wide"], ["unused"], keepdims=0))
    rewriter = Rewriter(whole, GAME, "f32", ("x", "logits", "value"))
    with pytest.raises(playmat.InvalidArgument, match="`Expand` has more than 4194304 elements"):
        rewriter.finish()


def test_a_mean_over_the_batch_is_refused(tmp_path: Path) -> None:
    class Mixing(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x - x.mean(0)

    class Moved(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            # As an attention with the length in front, whose first axis is the batch.
            return torch.softmax(x.reshape(-1, 9, 3), 0)

    for body in (Mixing(), Moved()):
        with pytest.raises(playmat.InvalidArgument, match=r"batch axis|differ from the policy's"):
            export_policy(Wrapped(body), GAME, tmp_path / "policy.onnx")


def test_every_method_is_that_of_an_operator() -> None:
    known = {schema.name.lower() for schema in onnx.defs.get_all_schemas()}
    methods = {name[1:] for name in vars(Operators) if name.startswith("_") and name[1] != "_"}
    helpers = {
        "reduce", "of_several", "sloped", "curved", "powers", "by_channel", "swapped", "windows",
        "globally", "cut",
    }  # fmt: skip
    assert helpers <= methods and not (methods - helpers) - known


def test_the_page_lists_all_operators(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/own-networks.md").read_text()
    table = page.partition("| | operators |")[2].partition("\n\n")[0]
    listed = set(re.findall(r"[A-Z]\w+", re.sub(r"\([^)]*\)", "", table)))
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(file(17, "Sin", []), GAME, tmp_path / "policy.onnx")
    # So does a refusal: with what is rewritten, not the engine's own operators alone.
    assert listed == set(str(caught.value).partition("allowed: ")[2].split(", "))
    assert {"Softmax", "LayerNormalization", "Gelu", "Erf", "Where", "Shape"} <= listed
    methods = {name[1:] for name in vars(Operators) if name.startswith("_")}
    assert {s.name for s in onnx.defs.get_all_schemas() if s.name.lower() in methods} <= listed
