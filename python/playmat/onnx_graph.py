"""Rewrites the graph of an ONNX file with the operators that the engine has."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from playmat._native import VERSION, Game
from playmat.errors import invalid
from playmat.onnx_operators import Call, Operators

#: Operator set of what is written: the newest that the engine reads.
OPSET = 17
#: Operator sets that are understood. What changed between them is rewritten here.
OPSETS = range(13, 27)
#: Logit of an illegal action.
ILLEGAL = -1e9
#: Operators that are computed, because all that they read is constant.
OF_CONSTANTS = ("Constant", "Shape")
#: In place of infinity: as far from all that networks compute.
HUGE = np.float32(1e30)
#: Elements of a value, at most: the engine's own bound.
MOST_ELEMENTS = 1 << 22
#: Operators that keep state from one step of a sequence to the next.
RECURRENT = ("GRU", "LSTM", "RNN")
#: Operators that draw, whatever their inputs.
DRAWING = ("Bernoulli", "Multinomial")


def unsupported(reason: str) -> str | None:
    """The engine's reason for refusing an operator, with the operators that can be exported,
    rewritten ones included, in place of its own; None if it gives another reason.
    """
    from onnx import defs

    head, _, own = reason.partition(": it is not supported; allowed: ")
    if not own:
        return None
    methods = {name[1:] for name in vars(Operators) if name.startswith("_")}
    rewritten = {s.name for s in defs.get_all_schemas() if s.name.lower() in methods}
    allowed = sorted({*own.split(", "), *rewritten, *OF_CONSTANTS})
    if head.removeprefix("operator ").strip("`") in allowed:
        hint = "docs/own-networks.md has the conditions"
        return f"{head}: it is supported, but not with these inputs or attributes; {hint}"
    return f"{head}: it is not supported; allowed: {', '.join(allowed)}"


def inputs(graph: Any, game: Game, obs: str | None) -> tuple[Any, str]:
    """The input of observations of a graph, and the name of that of masks, empty without."""
    from onnx import TensorProto

    constants = {constant.name for constant in graph.initializer}
    inputs = [i for i in graph.input if i.name not in constants]
    listed = ", ".join(f"`{i.name}`" for i in inputs) or "no input"
    if any(
        i.name == "greedy" and i.type.tensor_type.elem_type == TensorProto.UINT8 for i in inputs
    ):
        reason = "it has an input `greedy`, the action of the greedy agent"
        hint = "only `playmat train` writes such files, and they are agents already"
        raise invalid("policy", f"{reason}: {hint}")
    if obs is None:
        found = [i for i in inputs if i.type.tensor_type.elem_type != TensorProto.BOOL]
        if len(found) != 1:
            wanted = "one input of observations, or its name"
            named = "not exactly one input of observations"
            raise invalid("obs", f"there is {named}; the file has {listed}; wanted {wanted}")
    else:
        found = [i for i in inputs if i.name == obs]
        if not found:
            raise invalid("obs", f"there is no input `{obs}`; the file has {listed}")
    others = [i for i in inputs if i is not found[0]]
    masks = [i for i in others if i.type.tensor_type.elem_type == TensorProto.BOOL]
    unknown = [i for i in others if i not in masks] or masks[1:]
    if unknown:
        wanted = f"wanted observations (`{found[0].name}`) and at most one bool input, the mask"
        reason = f"the engine gives no such input as its `{unknown[0].name}`"
        raise invalid("policy", f"{reason}; the file has {listed}; {wanted}")
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
            raise invalid(argument, f"its input `{tensor.name}` takes {got}; wanted {names}")
        shape = [
            d.dim_value if d.HasField("dim_value") else (d.dim_param or "?")
            for d in tensor.type.tensor_type.shape.dim
        ]
        if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != width):
            shown = "[" + ", ".join(map(str, shape)) + "]"
            has = f"{game.name} has {width} {what}, so wanted [batch, {width}]"
            raise invalid("policy", f"its input `{tensor.name}` has the shape {shown}; {has}")
        if isinstance(shape[0], int) and shape[0] != 1:
            reason = f"its input `{tensor.name}` has a fixed batch of {shape[0]}"
            raise invalid("policy", f"{reason}; export it with a batch that is open, or of 1")
    return found[0], masks[0].name if masks else ""


class Rewriter(Operators):
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
            raise invalid("policy", f"it uses operator set {self.opset}; allowed: {allowed}")
        graph = model.graph
        for node in graph.node:
            if node.domain not in ("", "ai.onnx"):
                name = f"{node.domain}.{node.op_type}"
                raise invalid("policy", f"the engine has no operator `{name}`")
            if node.op_type in RECURRENT:
                reason = f"the engine has no operator `{node.op_type}`"
                raise invalid("policy", f"{reason}: a recurrent network cannot be an agent")
        obs, mask = inputs(graph, game, names[0])
        self.takes = obs.type.tensor_type.elem_type
        self.constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
        self.nodes: list[Any] = []
        # Without a name: an input that a node does without.
        self.renamed = {"": "", obs.name: "obs", **({mask: "mask"} if mask else {})}
        self.widths = {obs.name: game.observation_shape[0], mask: game.num_actions}
        self.shapes = self._shapes(model)
        self.source = list(graph.node)
        self.read = {name for node in graph.node for name in node.input}
        self.read.update(output.name for output in graph.output)
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
        if any(name not in shapes for node in model.graph.node for name in node.output if name):
            # A shape that is computed from shapes in a way that the inference does not follow.
            with suppress(Exception):
                shapes |= self._evaluated_shapes(model)
        return shapes

    def _evaluated_shapes(self, model: Any) -> dict[str, list[int]]:
        """Shapes of all values of an evaluation of one row."""
        from onnx.reference import ReferenceEvaluator

        feed = {}
        for tensor in model.graph.input:
            if tensor.name not in self.constants:
                kind = self.helper.tensor_dtype_to_np_dtype(tensor.type.tensor_type.elem_type)
                feed[tensor.name] = np.ones((1, self.widths[tensor.name]), kind)
        values: Any = ReferenceEvaluator(model).run(None, feed, intermediate=True)
        return {name: list(value.shape) for name, value in values.items() if name}

    def const(self, array: Any, dtype: Any = None) -> str:
        """The name of a new constant."""
        self.made += 1
        name = f"constant.{self.made}"
        array = np.ascontiguousarray(np.asarray(array, dtype))
        if array.dtype == np.float32:
            # The engine reads finite numbers only. Masks of an attention are minus infinity.
            array = np.where(np.isinf(array), np.copysign(HUGE, array), array)
        self.constants[name] = array
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
            self.renamed[name] = self.const(array)
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
            number = self.constants[value].astype(np.float32).reshape(-1)[:1]
            value = self.rows_of(self.const(number))
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
        """Computes a node whose inputs are all constants, and the shape of a value: that for a
        batch of 1, because all that is computed with it is computed for each row.
        """
        from onnx.reference import ReferenceEvaluator

        shape = self.shapes.get(node.input[0]) if node.op_type == "Shape" else None
        if shape is not None:
            bounds = {a.name: self.helper.get_attribute_value(a) for a in node.attribute}
            part = shape[bounds.get("start", 0) : bounds.get("end", len(shape))]
            self.renamed[node.output[0]] = self.const(part, np.int64)
            return True
        if len(node.output) != 1 or any(name and name not in self.constants for name in inputs):
            return False
        if node.op_type in DRAWING or node.op_type.startswith("Random"):
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
        for name in node.output:
            if math.prod(self.shapes.get(name, [])) > MOST_ELEMENTS:
                reason = (
                    f"a value of operator `{node.op_type}` has more than {MOST_ELEMENTS} elements"
                )
                raise invalid("policy", reason)
        inputs = [self.renamed[name] for name in node.input]
        if self._fold(node, inputs):
            return
        attributes = {a.name: self.helper.get_attribute_value(a) for a in node.attribute}
        shapes = [
            list(self.constants[new].shape) if new in self.constants else self.shapes.get(name)
            for name, new in zip(node.input, inputs, strict=True)
        ]
        # Drop unread extra outputs, except of Split, whose number of outputs sets their sizes.
        first, split = node.output[0], node.op_type == "Split"
        outputs = [n for n in node.output if n in self.read or n == first or (n and split)]
        results = [self.shapes.get(name) for name in outputs]
        call = Call(node.op_type, inputs, attributes, shapes, results)
        lifted = self.lift(call)
        found = self.rewrite(lifted or call)
        if found is None:
            call = lifted or call
            found = [f"given.{name}" for name in outputs]
            given = self._indices(call.kind, call.inputs)
            self.nodes.append(self.helper.make_node(call.kind, given, found, **call.attributes))
        for name, new, shape in zip(outputs, found, results, strict=True):
            # Rows are in front again.
            self.renamed[name] = (
                self.shaped(new, shape) if lifted and shape and shape[0] == 1 else new
            )

    def _indices(self, kind: str, inputs: list[str]) -> list[str]:
        """Places as int64, which the engine reads."""
        for at, name in enumerate(inputs):
            array = self.constants.get(name)
            if kind in ("Gather", "Slice") and array is not None and array.dtype == np.int32:
                inputs[at] = self.const(array, np.int64)
        return inputs
