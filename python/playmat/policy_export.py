"""A policy of any library as an ONNX file that the engine plays, in every language.

Needs the package ``onnx``, and torch for modules of torch; both are imported when they are used.
"""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from playmat import extras
from playmat._native import VERSION, Game
from playmat.errors import Error, InvalidArgument

if TYPE_CHECKING:
    import torch

__all__ = ["ExportedPolicy", "export_policy"]

#: Form of the metadata; the engine reads this one.
FORMAT = "1"
#: Operator set of what is written: the newest that the engine reads.
OPSET = 17
#: Operator sets that are understood. What changed between them is rewritten here.
OPSETS = range(13, 27)
#: Logit of an illegal action.
ILLEGAL = -1e9
#: Largest difference that is taken for rounding, as a share of the largest number beside it.
TOLERANCE = 1e-4
#: Environments of the positions that outputs are compared on.
ENVS = 32

#: Numbers of a batch of positions: observations uint8 ``[n, O]`` in, logits and values out.
Outputs: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
Policy: TypeAlias = "torch.nn.Module | str | os.PathLike[str] | bytes"


@dataclass(frozen=True)
class ExportedPolicy:
    """What :func:`export_policy` wrote, and how near the engine comes to what it was given."""

    #: The file: the spec of an agent.
    path: Path
    #: Number of positions that outputs were compared on.
    positions: int
    #: Largest difference of a legal action's logit, and of a value, between the engine and the
    #: policy that was given.
    logits_error: float
    value_error: float


def export_policy(
    policy: Policy,
    game: Game,
    path: str | os.PathLike[str],
    *,
    dtype: Literal["f32", "u8"] = "f32",
    obs: str | None = None,
    logits: str = "logits",
    value: str = "value",
    reward_scale: float = 1.0,
    relative: bool = False,
    positions: int = 256,
    seed: int = 0,
) -> ExportedPolicy:
    """Writes a policy as an ONNX file that plays as an agent in Python, C, C++ and C#, and as
    ``policy=FILE`` of a search. Before anything is written, the engine evaluates the network on
    positions of random play, and its logits and values are compared with those of the policy.

    The file takes ``obs`` uint8 ``[batch, O]`` and ``mask`` bool ``[batch, A]``, and gives
    ``logits`` float32 ``[batch, A]`` (-1e9 where the mask is false) and ``value`` float32
    ``[batch]``. Its metadata hold the game, its version, content, options and layouts; the engine
    refuses it for anything else.

    Args:
        policy: A ``torch.nn.Module`` whose ``forward(obs)`` returns ``(logits, value)``:
            logits ``[batch, A]``, values ``[batch]`` or ``[batch, 1]``, of the player that sees the
            observation. Or an ONNX file of any library, as path or bytes: one input of
            observations, float32 or uint8 ``[batch, O]``, and outputs of these shapes. It may also
            have an input bool ``[batch, A]``, the legal action mask, of which each row's logits
            may depend by ``Where`` only. A module is evaluated on the CPU and in evaluation mode;
            the one given is not changed.
        game: The game that it was trained for, with its options. ``game.reward`` names the returns
            that its values estimate.
        path: The file, which must end in ``.onnx`` and have no comma.
        dtype: What the policy takes. ``"f32"``: numbers of -1 to 1, as
            ``game.observation_layout.to_f32`` makes them and all adapters give them by default; the
            file then begins with this conversion. ``"u8"``: the engine's bytes, to a module as
            uint8, to an ONNX file as the type of its input.
        obs: Name of the input of observations of an ONNX file; not needed if there is only one.
        logits: Name of the output of logits of an ONNX file.
        value: Name of the output of values of an ONNX file.
        reward_scale: What rewards were multiplied by in training: a search divides values by it.
        relative: Whether it was trained on the player's reward less the mean of the others'.
        positions: How many positions are compared, at least 1.
        seed: Seed of their random play.

    Returns:
        The path, and the largest differences that were found.

    Raises:
        MissingFeature: The package ``onnx`` is not installed, or torch for a module.
        InvalidArgument: ``policy`` cannot be exported, and why: an operator that the engine does
            not have, by name; an output that is missing or of another shape; numbers that are not
            finite; outputs of the engine that differ from the policy's by more than rounding.
            Then no file is written, and one that is there stays.
        OSError: The file cannot be read or written.
    """
    target = Path(path)
    if target.suffix != ".onnx" or "," in str(target):
        raise _refusal("path", f"got `{target}`; wanted a path that ends in .onnx, without commas")
    if dtype not in ("f32", "u8"):
        raise _refusal("dtype", f"got `{dtype}`; allowed: `f32`, `u8`")
    if not (0 < reward_scale < float("inf")):
        raise _refusal("reward_scale", f"got {reward_scale}; allowed: numbers above 0")
    if positions < 1:
        raise _refusal("positions", f"got {positions}; allowed: at least 1")
    extras.need("onnx", what="`playmat.export_policy`", extra="train")
    seen, mask = _positions(game, positions, seed)
    if isinstance(policy, (str, bytes, os.PathLike)):
        file = _OnnxFile(policy, game, dtype, obs, logits, value)
        model, wanted = file.model, file.evaluate(seen, mask)
    else:
        model, wanted = _traced(policy, game, dtype, seen)
    for what, numbers in zip(("logits", "value"), wanted, strict=True):
        if not np.isfinite(numbers[mask] if what == "logits" else numbers).all():
            raise _refusal("policy", f"its `{what}` are not finite in positions of {game.name}")
    built = _Builder(model, game, dtype, (obs, logits, value)).finish()
    from onnx import helper

    helper.set_model_props(built, metadata(game, reward_scale, relative))
    target.parent.mkdir(parents=True, exist_ok=True)
    with _unfinished(target) as part:
        part.write_bytes(built.SerializeToString())
        errors = _compare(game, part, seen, mask, wanted)
        os.replace(part, target)
    return ExportedPolicy(target, len(seen), *errors)


def metadata(game: Game, reward_scale: float, relative: bool) -> dict[str, str]:
    """What a file says about where it belongs."""
    info = game.info()
    layout = [
        {"name": s.name, "shape": s.shape, "bias": s.bias, "scale": s.scale}
        for s in game.observation_layout
    ]
    actions = [{"name": a.name, "start": a.start, "shape": a.shape} for a in game.action_layout]
    return {
        "playmat.format": FORMAT,
        "playmat.library": VERSION,
        "playmat.game": game.name,
        "playmat.version": str(game.version),
        "playmat.players": str(game.num_players),
        "playmat.content": str(info["content_hash"]),
        "playmat.options": json.dumps(info["options"]),
        "playmat.observation": json.dumps(layout),
        "playmat.actions": json.dumps(actions),
        "playmat.reward": game.reward,
        "playmat.reward_scale": json.dumps(float(reward_scale)),
        "playmat.relative": json.dumps(relative),
    }


def _refusal(argument: str, reason: str) -> InvalidArgument:
    error = InvalidArgument(f"argument `{argument}`: {reason}")
    error.argument, error.reason = argument, reason
    return error


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file beside the target, gone at the end."""
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _positions(game: Game, count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Observations [n, O] and masks [n, A] of random play in which a player decides."""
    obs, masks = [], []
    with game.vec_env(min(count, ENVS)) as venv:
        batch = venv.reset(seed=seed)
        found = 0
        while found < count:
            acts = batch.action_mask.any(1)
            obs.append(np.array(batch.obs[acts]))
            masks.append(np.array(batch.action_mask[acts], np.bool_))
            found += len(obs[-1])
            batch = venv.step(venv.sample_actions())
    return np.concatenate(obs)[:count], np.concatenate(masks)[:count]


def _fed(game: Game, dtype: str, obs: NDArray[np.uint8]) -> NDArray[Any]:
    """Observations as the policy takes them."""
    return game.observation_layout.to_f32(obs) if dtype == "f32" else obs


def _checked(game: Game, logits: Any, value: Any, rows: int) -> Outputs:
    """Outputs as arrays of the promised shapes."""
    logits, value = np.asarray(logits), np.asarray(value)
    for name, array in (("logits", logits), ("value", value)):
        if array.dtype.kind != "f":
            raise _refusal("policy", f"its `{name}` are {array.dtype}; wanted float32")
    if logits.shape != (rows, game.num_actions):
        found = f"its `logits` have the shape {list(logits.shape)} for {rows} observations"
        wanted = f"{game.name} has {game.num_actions} actions"
        raise _refusal("policy", f"{found}; {wanted}, so wanted [{rows}, {game.num_actions}]")
    if value.shape not in ((rows,), (rows, 1)):
        found = f"its `value` has the shape {list(value.shape)} for {rows} observations"
        raise _refusal("policy", f"{found}; wanted [{rows}] or [{rows}, 1]")
    return logits.astype(np.float32), value.astype(np.float32).reshape(rows)


def _compare(
    game: Game, path: Path, obs: NDArray[np.uint8], mask: NDArray[np.bool_], wanted: Outputs
) -> tuple[float, float]:
    """The largest differences between the engine's outputs and those wanted."""
    try:
        raw = game._evaluate(str(path), obs.tobytes())
    except InvalidArgument as error:
        reason = str(error).partition(f"`{path}`: ")[2] or str(error)
        raise _refusal("policy", f"the engine refuses its network: {reason}") from None
    logits, value = (np.frombuffer(numbers, "<f4") for numbers in raw)
    logits = logits.reshape(len(obs), -1)
    found = []
    for name, engine, given in (
        ("logits", np.where(mask, logits, 0), np.where(mask, wanted[0], 0)),
        ("value", value[:, None], wanted[1][:, None]),
    ):
        far = np.abs(engine - given).max(1)
        allowed = TOLERANCE * np.maximum(1, np.abs(given).max(1))
        # Written so that NaN is refused, too.
        bad = np.flatnonzero(~(far <= allowed))
        if bad.size:
            raise _refusal(
                "policy",
                f"the engine's `{name}` differ from the policy's by {far[bad[0]]:.3g} in "
                f"position {bad[0]} of random play, and in {bad.size} of {len(obs)} by more than "
                "rounding: the policy does something that its graph does not hold, such as a "
                "choice by its input, or state that it keeps",
            )
        found.append(float(far.max()))
    return found[0], found[1]


@contextmanager
def _evaluating(module: torch.nn.Module) -> Iterator[None]:
    """A module in evaluation mode and on the CPU; afterwards it is as before. A copy would do, but
    not every module can be copied: policies of Stable-Baselines3 keep results of training.
    """
    modes = [(part, part.training) for part in module.modules()]
    tensors = [*module.parameters(), *module.buffers()]
    data = [(tensor, tensor.data) for tensor in tensors if tensor.device.type != "cpu"]
    try:
        module.eval()
        for tensor, numbers in data:
            tensor.data = numbers.cpu()
        yield
    finally:
        for tensor, numbers in data:
            tensor.data = numbers
        for part, training in modes:
            part.training = training


def _traced(policy: Any, game: Game, dtype: str, seen: NDArray[np.uint8]) -> tuple[Any, Outputs]:
    """The graph of a module, as torch exports it for one observation, and its outputs."""
    extras.need("torch", what="`playmat.export_policy` of a module", extra="train")
    import onnx
    import torch

    if not isinstance(policy, torch.nn.Module):
        wanted = "a torch.nn.Module, or the path or the bytes of an ONNX file"
        raise _refusal("policy", f"got {type(policy).__name__}; wanted {wanted}")

    def run(obs: NDArray[np.uint8]) -> Outputs:
        with torch.no_grad():
            result = policy(torch.from_numpy(np.array(_fed(game, dtype, obs))))
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            got = f"{len(result)} outputs" if isinstance(result, (tuple, list)) else "one output"
            if not isinstance(result, (tuple, list, torch.Tensor)):
                got = f"a {type(result).__name__}"
            raise _refusal("policy", f"its `forward` returns {got}; wanted (logits, value)")
        if not all(isinstance(part, torch.Tensor) for part in result):
            kinds = ", ".join(type(part).__name__ for part in result)
            raise _refusal("policy", f"its `forward` returns ({kinds}); wanted two tensors")
        logits, value = (part.float().numpy() for part in result)
        return _checked(game, logits, value, len(obs))

    try:
        buffer: Any = io.BytesIO()
        with _evaluating(policy), warnings.catch_warnings():
            run(seen[:2])
            outputs = run(seen)
            # The newer exporter needs one more package, and rewrites less.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                policy, (torch.from_numpy(np.array(_fed(game, dtype, seen[:1]))),), buffer,
                input_names=["obs"], output_names=["logits", "value"], opset_version=OPSET,
                dynamo=False,
            )  # fmt: skip
    except Error:
        raise
    except Exception as error:
        lines = str(error).strip().splitlines()
        reason = f"{type(error).__name__}: {lines[0] if lines else ''}"
        raise _refusal("policy", f"torch cannot evaluate or export it: {reason}") from error
    return onnx.load_model_from_string(buffer.getvalue()), outputs


class _OnnxFile:
    """An ONNX file, and its evaluation by onnxruntime, or by the package ``onnx`` without it."""

    def __init__(
        self, given: str | os.PathLike[str] | bytes, game: Game, dtype: str,
        obs: str | None, logits: str, value: str,
    ) -> None:  # fmt: skip
        import onnx

        try:
            if isinstance(given, bytes):
                self.model = onnx.load_model_from_string(given)
            else:
                self.model = onnx.load(os.fspath(given))
            onnx.checker.check_model(self.model)
        except OSError:
            raise
        except Exception as error:
            # What protobuf and the checker raise has no common base.
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error)
            raise _refusal("policy", f"it is not a valid ONNX file: {reason}") from error
        graph = self.model.graph
        there = [output.name for output in graph.output]
        for argument, name in (("logits", logits), ("value", value)):
            if name not in there:
                listed = ", ".join(f"`{other}`" for other in there)
                reason = f"there is no output `{name}`; the file has {listed}"
                hint = "; a policy without values needs an output of zeros" * (argument == "value")
                raise _refusal(argument, reason + hint)
        self.game, self.dtype, self.outputs = game, dtype, [logits, value]
        self.obs, self.mask = _inputs(graph, game, obs)
        kind = self.obs.type.tensor_type.elem_type
        if dtype == "f32" and kind == onnx.TensorProto.UINT8:
            reason = f'its input `{self.obs.name}` takes uint8; give `dtype="u8"`'
            raise _refusal("dtype", reason)
        self.kind = np.uint8 if kind == onnx.TensorProto.UINT8 else np.float32
        first = self.obs.type.tensor_type.shape.dim[0]
        self.single = first.HasField("dim_value")

    def evaluate(self, obs: NDArray[np.uint8], mask: NDArray[np.bool_]) -> Outputs:
        """What the file computes."""
        try:
            import onnxruntime
        except ImportError:
            from onnx.reference import ReferenceEvaluator

            session = ReferenceEvaluator(self.model)
        else:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 3
            try:
                session = onnxruntime.InferenceSession(
                    self.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
                )
            except Exception as error:
                reason = str(error).strip().splitlines()[0]
                raise _refusal("policy", f"onnxruntime cannot read it: {reason}") from error
        rows = _fed(self.game, self.dtype, obs).astype(self.kind)
        step = 1 if self.single else len(rows)
        parts = []
        for at in range(0, len(rows), step):
            feed: dict[str, Any] = {self.obs.name: rows[at : at + step]}
            if self.mask:
                feed[self.mask] = mask[at : at + step]
            try:
                outputs = session.run(self.outputs, feed)
            except Exception as error:
                reason = str(error).strip().splitlines()[0]
                raise _refusal("policy", f"it cannot be evaluated: {reason}") from error
            logits, value = outputs
            parts.append(_checked(self.game, logits, value, len(rows[at : at + step])))
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _inputs(graph: Any, game: Game, obs: str | None) -> tuple[Any, str]:
    """The input of observations of a graph, and the name of that of masks, empty without."""
    from onnx import TensorProto

    constants = {constant.name for constant in graph.initializer}
    inputs = [i for i in graph.input if i.name not in constants]
    masks = [i for i in inputs if i.type.tensor_type.elem_type == TensorProto.BOOL]
    others = [i for i in inputs if i not in masks]
    listed = ", ".join(f"`{i.name}`" for i in inputs) or "no input"
    found = [i for i in others if obs is None or i.name == obs]
    if len(found) != 1 or len(others) > 1 or len(masks) > 1:
        wanted = "one input of observations, and at most one bool input, the mask"
        named = f"no input `{obs}` alone" if obs else "not exactly one input of observations"
        raise _refusal("obs", f"there is {named}; the file has {listed}; wanted {wanted}")
    (size,) = game.observation_shape
    sizes: list[tuple[Any, int, str, tuple[int, ...]]]
    sizes = [(found[0], size, "observation bytes", (TensorProto.FLOAT, TensorProto.UINT8))]
    sizes += [(mask, game.num_actions, "actions", (TensorProto.BOOL,)) for mask in masks]
    for tensor, width, what, kinds in sizes:
        kind = tensor.type.tensor_type.elem_type
        if kind not in kinds:
            name: Callable[[int], str] = TensorProto.DataType.Name
            names, got = " or ".join(name(k).lower() for k in kinds), name(kind).lower()
            raise _refusal("policy", f"its input `{tensor.name}` takes {got}; wanted {names}")
        shape = [
            d.dim_value if d.HasField("dim_value") else (d.dim_param or "?")
            for d in tensor.type.tensor_type.shape.dim
        ]
        if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != width):
            shown = "[" + ", ".join(map(str, shape)) + "]"
            has = f"{game.name} has {width} {what}, so wanted [batch, {width}]"
            raise _refusal("policy", f"its input `{tensor.name}` has the shape {shown}; {has}")
        if isinstance(shape[0], int) and shape[0] != 1:
            reason = f"its input `{tensor.name}` has a fixed batch of {shape[0]}"
            raise _refusal("policy", f"{reason}; export it with a batch that is open, or of 1")
    return found[0], masks[0].name if masks else ""


class _Builder:
    """Rewrites a graph with the operators and the inputs and outputs of the engine. What has no
    other form stays, and the engine refuses it by name.
    """

    def __init__(
        self, model: Any, game: Game, dtype: str, names: tuple[str | None, str, str]
    ) -> None:
        import onnx
        import onnx.inliner
        from onnx import helper, numpy_helper

        self.onnx, self.helper, self.numpy_helper = onnx, helper, numpy_helper
        self.game, self.dtype = game, dtype
        if model.functions:
            model = onnx.inliner.inline_local_functions(model)
        sets = {entry.domain: entry.version for entry in model.opset_import}
        self.opset = sets.get("", sets.get("ai.onnx", 0))
        if self.opset not in OPSETS:
            allowed = f"{OPSETS[0]} to {OPSETS[-1]}"
            raise _refusal("policy", f"it uses operator set {self.opset}; allowed: {allowed}")
        graph = model.graph
        for node in graph.node:
            if node.domain not in ("", "ai.onnx"):
                name = f"{node.domain}.{node.op_type}"
                raise _refusal("policy", f"the engine has no operator `{name}`")
        obs, mask = _inputs(graph, game, names[0])
        self.takes = obs.type.tensor_type.elem_type
        self.constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
        self.nodes: list[Any] = []
        self.renamed = {"": "", obs.name: "obs", mask: "mask"}
        self.shapes = self._shapes(model)
        self.source = list(graph.node)
        self.names = [names[1], names[2]]
        self.made = 0

    def _shapes(self, model: Any) -> dict[str, list[int]]:
        """Shapes of all values that are known for a batch of 1."""
        one = type(model)()
        one.CopyFrom(model)
        for tensor in one.graph.input:
            if tensor.name not in self.constants:
                tensor.type.tensor_type.shape.dim[0].dim_value = 1
        for entry in one.opset_import:
            # Sizes of shapes are followed from set 15 on; what is read here means the same in both.
            if entry.domain in ("", "ai.onnx"):
                entry.version = max(entry.version, OPSET)
        for tensor in [*one.graph.output, *one.graph.value_info]:
            # What the file says of an open batch is found anew.
            tensor.type.tensor_type.ClearField("shape")
        with suppress(Exception):
            one = self.onnx.shape_inference.infer_shapes(one, data_prop=True)
        shapes = {}
        for tensor in [*one.graph.input, *one.graph.output, *one.graph.value_info]:
            dims = tensor.type.tensor_type.shape.dim
            if tensor.type.tensor_type.HasField("shape") and all(
                dim.HasField("dim_value") for dim in dims
            ):
                shapes[tensor.name] = [dim.dim_value for dim in dims]
        return shapes

    def const(self, array: Any, dtype: Any = None) -> str:
        """The name of a new constant."""
        self.made += 1
        name = f"constant.{self.made}"
        self.constants[name] = np.ascontiguousarray(np.asarray(array, dtype))
        self.renamed[name] = name
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Adds a node to what is written; names are those of the new graph."""
        self.made += 1
        output = output or f"value.{self.made}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def finish(self) -> Any:
        """The model without its metadata."""
        from onnx import TensorProto

        game, (size,) = self.game, self.game.observation_shape
        # Constants of the graph keep their names under a prefix, so that none is that of an input.
        given, self.constants = self.constants, {}
        for name, array in given.items():
            self.constants[f"given.{name}"] = array
            self.renamed[name] = f"given.{name}"
        if self.takes == TensorProto.FLOAT or self.dtype == "f32":
            first = self.add("Cast", "obs", to=TensorProto.FLOAT)
            if self.dtype == "f32":
                segments = list(game.observation_layout)
                bias = np.concatenate([np.full(len(s), s.bias, np.float32) for s in segments])
                scale = np.concatenate([np.full(len(s), s.scale, np.float32) for s in segments])
                if bias.any():
                    first = self.add("Sub", first, self.const(bias))
                if (scale != 1).any():
                    first = self.add("Mul", first, self.const(1 / scale))
            (name,) = (old for old, new in self.renamed.items() if new == "obs")
            self.renamed[name] = first
        for node in self.source:
            self._node(node)
        logits, value = (self.renamed[name] for name in self.names)
        if value in self.constants:
            value = self._for_each_row(value)
        self.add("Where", "mask", logits, self.const([ILLEGAL], np.float32), output="logits")
        self.add("Reshape", value, self.const([-1], np.int64), output="value")
        self._drop_unused()
        helper, batch = self.helper, "batch"
        inputs = [
            helper.make_tensor_value_info("obs", TensorProto.UINT8, [batch, size]),
            helper.make_tensor_value_info("mask", TensorProto.BOOL, [batch, game.num_actions]),
        ]
        outputs = [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, [batch, game.num_actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, [batch]),
        ]
        constants = [self.numpy_helper.from_array(a, name) for name, a in self.constants.items()]
        graph = helper.make_graph(self.nodes, "policy", inputs, outputs, constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 8
        model.producer_name, model.producer_version = "playmat", VERSION
        return model

    def _for_each_row(self, constant: str) -> str:
        """A constant value, such as zeros of a policy without values, in every row of a batch."""
        column = self.add("Cast", "obs", to=1)
        column = self.add("Gather", column, self.const([0], np.int64), axis=1)
        column = self.add("Mul", column, self.const([0], np.float32))
        number = self.constants[constant].astype(np.float32).reshape(-1)[:1]
        return self.add("Add", column, self.const(number))

    def _drop_unused(self) -> None:
        """Leaves only what the outputs depend on: the sizes of shapes do no longer matter."""
        used, kept = {"logits", "value"}, []
        for node in reversed(self.nodes):
            if used.intersection(node.output):
                used.update(node.input)
                kept.append(node)
        self.nodes = kept[::-1]
        self.constants = {name: a for name, a in self.constants.items() if name in used}

    def _fold(self, node: Any, inputs: list[str]) -> bool:
        """Computes a node whose inputs are all constants."""
        from onnx.reference import ReferenceEvaluator

        if len(node.output) != 1 or any(name and name not in self.constants for name in inputs):
            return False
        if not inputs and node.op_type != "Constant":
            return False
        copy = type(node)()
        copy.CopyFrom(node)
        given = {name: self.constants[name] for name in inputs if name}
        del copy.input[:]
        copy.input.extend(inputs)
        infos = [
            self.helper.make_tensor_value_info(
                name, self.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in given.items()
        ]
        out = self.onnx.ValueInfoProto(name=node.output[0])
        graph = self.helper.make_graph([copy], "constant", infos, [out])
        opset = self.helper.make_opsetid("", self.opset)
        model = self.helper.make_model(graph, opset_imports=[opset])
        model.ir_version = 8
        try:
            (array,) = ReferenceEvaluator(model).run(None, given)
        except Exception:
            # The engine refuses what is left, by the name of its operator.
            return False
        self.renamed[node.output[0]] = self.const(array)
        return True

    def _node(self, node: Any) -> None:
        """Writes a node in a form that the engine has, if there is one."""
        inputs = [self.renamed.get(name, name) for name in node.input]
        if self._fold(node, inputs):
            return
        attributes = {a.name: self.helper.get_attribute_value(a) for a in node.attribute}
        rewrite = getattr(self, f"_{node.op_type.lower()}", None)
        found = rewrite(inputs, attributes, node) if rewrite else None
        if found is None:
            inputs = self._indices(node.op_type, inputs)
            outputs = [f"given.{name}" for name in node.output]
            self.nodes.append(self.helper.make_node(node.op_type, inputs, outputs, **attributes))
            self.renamed.update(zip(node.output, outputs, strict=True))
        else:
            self.renamed[node.output[0]] = found

    def _indices(self, kind: str, inputs: list[str]) -> list[str]:
        """Places as int64, which the engine reads."""
        for at, name in enumerate(inputs):
            array = self.constants.get(name)
            if kind in ("Gather", "Slice") and array is not None and array.dtype == np.int32:
                inputs[at] = self.const(array, np.int64)
        return inputs

    def _number(self, name: str) -> NDArray[Any] | None:
        """A constant of floats."""
        array = self.constants.get(name)
        return array if array is not None and array.dtype == np.float32 else None

    # Each of these returns the name of the result, or None to leave the node as it is.

    def _identity(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str:
        return inputs[0]

    def _dropout(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        training = self.constants.get(inputs[2]) if len(inputs) > 2 and inputs[2] else None
        return inputs[0] if training is None or not training.any() else None

    def _cast(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        # Numbers that are float32 already.
        is_float = inputs[0] not in ("obs", "mask") and attributes["to"] == 1
        return inputs[0] if is_float and inputs[0] not in self.constants else None

    def _constantofshape(
        self, inputs: list[str], attributes: Mapping[str, Any], node: Any
    ) -> str | None:
        shape = self.shapes.get(node.output[0])
        if not shape or shape[0] != 1:
            return None
        value = attributes.get("value")
        number = self.numpy_helper.to_array(value)[0] if value is not None else np.float32(0)
        return self.const(np.full(shape, number))

    def _div(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        by = self._number(inputs[1])
        if by is None or not by.all():
            return None
        return self.add("Mul", inputs[0], self.const(1 / by))

    def _neg(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str:
        return self.add("Mul", inputs[0], self.const([-1], np.float32))

    def _max(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        for one, other in ((0, 1), (1, 0)):
            least = self._number(inputs[other]) if len(inputs) == 2 else None
            if least is not None and not least.any():
                return self.add("Relu", inputs[one])
        return None

    def _gemm(self, inputs: list[str], attributes: dict[str, Any], node: Any) -> str | None:
        weights = self._number(inputs[1])
        if attributes.get("transA") or weights is None:
            return None
        bias: Any = np.zeros(1, np.float32)
        if len(inputs) > 2 and inputs[2]:
            bias = self._number(inputs[2])
            if bias is None:
                return None
        transposed = int(bool(attributes.get("transB")))
        width = weights.shape[0 if transposed else 1]
        weights = weights * np.float32(attributes.get("alpha", 1))
        bias = np.broadcast_to(bias.reshape(-1) * np.float32(attributes.get("beta", 1)), (width,))
        constants = self.const(weights, np.float32), self.const(bias, np.float32)
        return self.add("Gemm", inputs[0], *constants, transB=transposed)

    def _conv(self, inputs: list[str], attributes: dict[str, Any], node: Any) -> str | None:
        weights = self._number(inputs[1])
        if attributes.get("auto_pad", b"NOTSET") != b"NOTSET" or weights is None:
            return None
        attributes.pop("auto_pad", None)
        bias = inputs[2] if len(inputs) > 2 and inputs[2] else ""
        bias = bias or self.const(np.zeros(weights.shape[0]), np.float32)
        return self.add("Conv", inputs[0], inputs[1], bias, **attributes)

    def _globalaveragepool(
        self, inputs: list[str], attributes: Mapping[str, Any], node: Any
    ) -> str | None:
        axes = range(2, len(self.shapes.get(node.input[0], [])))
        return self.add("ReduceMean", inputs[0], axes=list(axes), keepdims=1) if axes else None

    def _shaped(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        """A row of the batch in another shape. That of a batch of 1 tells the shape of a row."""
        shape = self.shapes.get(node.output[0])
        if not shape or shape[0] != 1:
            return None
        return self.add("Reshape", inputs[0], self.const([-1, *shape[1:]], np.int64))

    _reshape = _flatten = _squeeze = _unsqueeze = _shaped

    def _slice(self, inputs: list[str], attributes: Mapping[str, Any], node: Any) -> str | None:
        bounds = [self.constants.get(name) for name in inputs[1:]]
        starts, ends = bounds[:2]
        if starts is None or ends is None or any(b is None for b in bounds):
            return None
        axes = bounds[2] if len(bounds) > 2 and bounds[2] is not None else np.arange(len(starts))
        if len(bounds) > 3 and bounds[3] is not None and (bounds[3] != 1).any():
            return None
        result = inputs[0]
        for start, end, axis in zip(starts, ends, axes, strict=True):
            places = [self.const([place], np.int64) for place in (start, end, axis)]
            result = self.add("Slice", result, *places)
        return result

    def _reduce(self, inputs: list[str], attributes: dict[str, Any], node: Any) -> str | None:
        axes = attributes.pop("axes", None)
        attributes.pop("noop_with_empty_axes", None)
        if len(inputs) > 1 and inputs[1]:
            axes = self.constants.get(inputs[1])
        if axes is None:
            return None
        axes = [int(axis) for axis in axes]
        if node.op_type == "ReduceSum":
            return self.add("ReduceSum", inputs[0], self.const(axes, np.int64), **attributes)
        return self.add(node.op_type, inputs[0], axes=axes, **attributes)

    _reducemean = _reducemax = _reducesum = _reduce
