"""Rewrites the graph of an ONNX file with the operators that the engine has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playmat._native import VERSION, Game
from playmat.errors import InvalidArgument

#: Operator set of what is written: the newest that the engine reads.
OPSET = 17
#: Operator sets that are understood. What changed between them is rewritten here.
OPSETS = range(13, 27)
#: From here on, the end of a slice is that of any axis.
WHOLE = 2**31 - 1
#: Logit of an illegal action.
ILLEGAL = -1e9


def refusal(argument: str, reason: str) -> InvalidArgument:
    """The error of an argument."""
    error = InvalidArgument(f"argument `{argument}`: {reason}")
    error.argument, error.reason = argument, reason
    return error


def inputs(graph: Any, game: Game, obs: str | None) -> tuple[Any, str]:
    """The input of observations of a graph, and the name of that of masks, empty without."""
    from onnx import TensorProto

    constants = {constant.name for constant in graph.initializer}
    inputs = [i for i in graph.input if i.name not in constants]
    listed = ", ".join(f"`{i.name}`" for i in inputs) or "no input"
    if obs is None:
        found = [i for i in inputs if i.type.tensor_type.elem_type != TensorProto.BOOL]
        if len(found) != 1:
            wanted = "one input of observations, or its name"
            named = "not exactly one input of observations"
            raise refusal("obs", f"there is {named}; the file has {listed}; wanted {wanted}")
    else:
        found = [i for i in inputs if i.name == obs]
        if not found:
            raise refusal("obs", f"there is no input `{obs}`; the file has {listed}")
    others = [i for i in inputs if i is not found[0]]
    masks = [i for i in others if i.type.tensor_type.elem_type == TensorProto.BOOL]
    unknown = [i for i in others if i not in masks] or masks[1:]
    if unknown:
        wanted = f"wanted observations (`{found[0].name}`) and at most one bool input, the mask"
        reason = f"the engine gives no such input as its `{unknown[0].name}`"
        raise refusal("policy", f"{reason}; the file has {listed}; {wanted}")
    (size,) = game.observation_shape
    sizes: list[tuple[Any, int, str, tuple[int, ...]]]
    sizes = [(found[0], size, "observation bytes", (TensorProto.FLOAT, TensorProto.UINT8))]
    sizes += [(mask, game.num_actions, "actions", (TensorProto.BOOL,)) for mask in masks]
    for tensor, width, what, kinds in sizes:
        kind = tensor.type.tensor_type.elem_type
        if kind not in kinds:
            name: Callable[[int], str] = TensorProto.DataType.Name
            names, got = " or ".join(name(k).lower() for k in kinds), name(kind).lower()
            argument = "obs" if tensor.name == obs else "policy"
            raise refusal(argument, f"its input `{tensor.name}` takes {got}; wanted {names}")
        shape = [
            d.dim_value if d.HasField("dim_value") else (d.dim_param or "?")
            for d in tensor.type.tensor_type.shape.dim
        ]
        if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != width):
            shown = "[" + ", ".join(map(str, shape)) + "]"
            has = f"{game.name} has {width} {what}, so wanted [batch, {width}]"
            raise refusal("policy", f"its input `{tensor.name}` has the shape {shown}; {has}")
        if isinstance(shape[0], int) and shape[0] != 1:
            reason = f"its input `{tensor.name}` has a fixed batch of {shape[0]}"
            raise refusal("policy", f"{reason}; export it with a batch that is open, or of 1")
    return found[0], masks[0].name if masks else ""


class Rewriter:
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
            raise refusal("policy", f"it uses operator set {self.opset}; allowed: {allowed}")
        graph = model.graph
        for node in graph.node:
            if node.domain not in ("", "ai.onnx"):
                name = f"{node.domain}.{node.op_type}"
                raise refusal("policy", f"the engine has no operator `{name}`")
        obs, mask = inputs(graph, game, names[0])
        self.takes = obs.type.tensor_type.elem_type
        self.constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
        self.nodes: list[Any] = []
        # Without a name: an input that a node does without.
        self.renamed = {"": "", obs.name: "obs", **({mask: "mask"} if mask else {})}
        self.widths = {obs.name: game.observation_shape[0], mask: game.num_actions}
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
                for at, size in enumerate((1, self.widths[tensor.name])):
                    tensor.type.tensor_type.shape.dim[at].dim_value = size
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
        known = all(b is not None for b, name in zip(bounds, inputs[1:], strict=True) if name)
        if starts is None or ends is None or not known:
            return None
        axes = bounds[2] if len(bounds) > 2 and bounds[2] is not None else np.arange(len(starts))
        if len(bounds) > 3 and bounds[3] is not None and (bounds[3] != 1).any():
            return None
        result = inputs[0]
        for start, end, axis in zip(starts, ends, axes, strict=True):
            if start == 0 and end >= WHOLE:
                continue
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
