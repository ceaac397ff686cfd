"""How operators of ONNX are written with those of the engine. :class:`playmat.onnx_graph.Rewriter`
calls the method that is named after an operator: ``_softmax`` for ``Softmax``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: From here on, the end of a slice is that of any axis.
WHOLE = 2**31 - 1
#: Weights of a convolution without groups and gaps, at most.
MOST_WEIGHTS = 1 << 24
#: Operators on elements of the same place, whose inputs are broadcast to one shape.
ELEMENTWISE = ("Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "PRelu", "Sum")
#: Operators with axes in a constant input, and which one.
AXES_INPUT = {
    "ReduceL2": 1, "ReduceMax": 1, "ReduceMean": 1, "ReduceMin": 1, "ReduceSum": 1,
    "ReduceSumSquare": 1, "Slice": 3,
}  # fmt: skip


@dataclass
class Call:
    """An operator to be written."""

    kind: str
    #: Names in the new graph; empty: an input that it does without.
    inputs: list[str]
    attributes: dict[str, Any]
    #: Shapes of inputs and outputs for a batch of 1; None where they are not known.
    shapes: list[list[int] | None]
    results: list[list[int] | None]
    #: Axes that were added in front, see :meth:`Operators.lift`.
    lifted: int = 0

    def get(self, attribute: str, default: Any) -> Any:
        """An attribute or its default."""
        return self.attributes.get(attribute, default)

    def has(self, at: int) -> bool:
        """Whether an input is given."""
        return len(self.inputs) > at and bool(self.inputs[at])


class Operators:
    """Each method returns the names of the results (one name for one result), or None to leave the
    operator as it is. Then the engine takes it, or refuses it by its name.
    """

    numpy_helper: Any
    #: Constants of the new graph by their names.
    constants: dict[str, Any]
    const: Callable[..., str]
    add: Callable[..., str]

    def lift(self, call: Call) -> Call | None:
        """The call with one more axis in front, where the rows of the batch are not on the first
        axis of all its values: so are those of an attention of torch, which works on
        ``[length, batch, ...]``. What the graph computes for a batch of 1 is then computed for each
        row. None where the rows are in front already.
        """
        known = [
            shape
            for shape, name in zip(call.shapes, call.inputs, strict=True)
            if name and name not in self.constants
        ]
        shapes = [*known, *call.results]
        perm = call.get("perm", [0])
        if all(shape and shape[0] == 1 for shape in shapes) and perm[0] == 0:
            return None
        if any(shape is None for shape in shapes):
            return None
        inputs, lifted = list(call.inputs), list(call.shapes)
        axes = max((len(shape or []) for shape in call.shapes), default=0)
        for at, (name, shape) in enumerate(zip(call.inputs, call.shapes, strict=True)):
            if name and name not in self.constants and shape is not None:
                missing = axes - len(shape) if call.kind in ELEMENTWISE else 0
                lifted[at] = [1] * (1 + missing) + shape
                inputs[at] = self.shaped(name, lifted[at])
            elif call.kind == "Concat":
                inputs[at] = self.const(self.constants[name][None])
        attributes = dict(call.attributes)
        if call.kind == "Transpose" and call.shapes[0] is not None:
            attributes.setdefault("perm", list(range(len(call.shapes[0])))[::-1])
        if call.kind == "Pad":
            pads = self.constants.get(inputs[1])
            if pads is None or call.has(3):
                return None
            half = len(pads) // 2
            inputs[1] = self.const([0, *pads[:half], 0, *pads[half:]], np.int64)
        if "axis" in attributes:
            attributes["axis"] += attributes["axis"] >= 0
        elif call.kind in ("Concat", "Gather", "Split", "Flatten"):
            attributes["axis"] = 2 if call.kind == "Flatten" else 1
        if "axes" in attributes:
            attributes["axes"] = [axis + (axis >= 0) for axis in attributes["axes"]]
        if "perm" in attributes:
            attributes["perm"] = [0, *(axis + 1 for axis in attributes["perm"])]
        place = AXES_INPUT.get(call.kind)
        if place is not None and call.has(place):
            given = self.constants.get(inputs[place])
            if given is None:
                return None
            inputs[place] = self.const(given + (given >= 0), np.int64)
        elif call.kind == "Slice":
            starts = self.constants.get(inputs[1])
            if starts is None:
                return None
            inputs = [*inputs[:3], self.const(np.arange(len(starts)) + 1, np.int64), *inputs[4:]]
        results: list[list[int] | None] = [[1, *(shape or [])] for shape in call.results]
        return Call(call.kind, inputs, attributes, lifted, results, lifted=1)

    def rewrite(self, call: Call) -> list[str] | None:
        """The names of the results; None if the operator has no other form."""
        method: Callable[[Call], str | list[str] | None] | None
        method = getattr(self, f"_{call.kind.lower()}", None)
        found = method(call) if method else None
        return [found] if isinstance(found, str) else found

    # Parts of several operators.

    def number(self, name: str) -> NDArray[Any] | None:
        """A constant of floats."""
        array = self.constants.get(name)
        return array if array is not None and array.dtype == np.float32 else None

    def floats(self, *numbers: float) -> str:
        """A constant of one or several numbers."""
        return self.const(np.array(numbers, np.float32))

    def shaped(self, name: str, shape: Sequence[int] | None) -> str:
        """A value in a shape, of which the first axis is the batch; one other may be -1."""
        row = list(shape or [])[1:]
        return self.add("Reshape", name, self.const([0 if -1 in row else -1, *row], np.int64))

    def pick(self, name: str, shape: Sequence[int], places: NDArray[Any]) -> str:
        """Elements of each row, by their places in the row; ``shape`` is that of the result."""
        flat = self.shaped(name, [1, -1])
        if places.size != np.prod(shape[1:]):
            raise ValueError(f"{places.size} elements for the shape {list(shape)}")
        flat = self.add("Gather", flat, self.const(places.reshape(-1), np.int64), axis=1)
        return self.shaped(flat, shape)

    def rows_of(self, constant: str) -> str:
        """A constant in every row of a batch: of what has a batch axis, only one row is left."""
        array = np.asarray(self.constants[constant], np.float32)
        column = self.add("Cast", "obs", to=1)
        column = self.add("Gather", column, self.const([0], np.int64), axis=1)
        column = self.add("Mul", column, self.floats(0))
        rows = self.add("Add", column, self.const(array.reshape(-1)))
        shape = [1, *(array.shape[1:] if array.ndim and array.shape[0] == 1 else array.shape)]
        return self.shaped(rows, shape)

    def negated(self, name: str) -> str:
        return self.add("Mul", name, self.floats(-1))

    def positive(self, name: str) -> str:
        """Elementwise maximum with 0."""
        return self.add("Relu", name)

    def negative(self, name: str) -> str:
        """Elementwise minimum with 0."""
        return self.add("Min", name, self.floats(0))

    def between(self, name: str, low: float | None, high: float | None) -> str:
        if low is not None:
            name = self.add("Max", name, self.floats(low))
        return name if high is None else self.add("Min", name, self.floats(high))

    def normalized(self, name: str, axes: Sequence[int], epsilon: float) -> str:
        """Numbers less their mean, divided by their standard deviation."""
        centre = self.add("Sub", name, self.add("ReduceMean", name, axes=axes, keepdims=1))
        square = self.add("Mul", centre, centre)
        variance = self.add("ReduceMean", square, axes=axes, keepdims=1)
        spread = self.add("Sqrt", self.add("Add", variance, self.floats(epsilon)))
        return self.add("Div", centre, spread)

    def scaled(self, name: str, scale: NDArray[Any], bias: NDArray[Any] | None) -> str:
        name = self.add("Mul", name, self.const(scale, np.float32))
        return name if bias is None else self.add("Add", name, self.const(bias, np.float32))

    # Numbers.

    def _identity(self, call: Call) -> str:
        return call.inputs[0]

    def _dropout(self, call: Call) -> str | None:
        training = self.constants.get(call.inputs[2]) if call.has(2) else None
        return call.inputs[0] if training is None or not training.any() else None

    def _cast(self, call: Call) -> str | None:
        # Numbers that are float32 already.
        name = call.inputs[0]
        is_float = name not in ("obs", "mask") and call.attributes["to"] == 1
        return name if is_float and name not in self.constants else None

    def _constantofshape(self, call: Call) -> str | None:
        (shape,) = call.results
        if not shape or shape[0] != 1:
            return None
        value = call.get("value", None)
        number = self.numpy_helper.to_array(value)[0] if value is not None else np.float32(0)
        return self.const(np.full(shape, number))

    def _div(self, call: Call) -> str | None:
        by = self.number(call.inputs[1])
        if by is None or not by.all():
            return None
        return self.add("Mul", call.inputs[0], self.const(1 / by))

    def _neg(self, call: Call) -> str:
        return self.negated(call.inputs[0])

    def _abs(self, call: Call) -> str:
        return self.add("Max", call.inputs[0], self.negated(call.inputs[0]))

    def _reciprocal(self, call: Call) -> str:
        return self.add("Div", self.floats(1), call.inputs[0])

    def _pow(self, call: Call) -> str | None:
        name, power = call.inputs[0], self.constants.get(call.inputs[1])
        if power is None or power.size != 1:
            return None
        exponent = float(power.reshape(-1)[0])
        whole, half = int(abs(exponent)), abs(exponent) % 1
        if half not in (0, 0.5) or not 0 < abs(exponent) <= 8:
            return None
        factors = [name] * whole + [self.add("Sqrt", name)] * (half > 0)
        result = factors[0]
        for factor in factors[1:]:
            result = self.add("Mul", result, factor)
        return result if exponent > 0 else self.add("Div", self.floats(1), result)

    def _max(self, call: Call) -> str | None:
        if len(call.inputs) == 2:
            for one, other in ((0, 1), (1, 0)):
                least = self.number(call.inputs[other])
                if least is not None and least.size == 1 and not least.any():
                    return self.positive(call.inputs[one])
        return self._of_several(call)

    def _of_several(self, call: Call) -> str:
        # The engine computes nothing of constants alone.
        result, *others = sorted(call.inputs, key=lambda name: name in self.constants)
        for name in others:
            result = self.add("Add" if call.kind == "Sum" else call.kind, result, name)
        return result

    _min = _sum = _of_several

    def _clip(self, call: Call) -> str | None:
        bounds: list[float | None] = [None, None]
        for at in (1, 2):
            if call.has(at):
                bound = self.number(call.inputs[at])
                if bound is None:
                    return None
                bounds[at - 1] = float(bound.reshape(-1)[0])
        return self.between(call.inputs[0], *bounds)

    def _expand(self, call: Call) -> str | None:
        (shape,) = call.results
        if not shape or shape[0] != 1 or call.inputs[0] in self.constants:
            return None
        own = call.shapes[0]
        if own is None:
            return None
        name = self.shaped(call.inputs[0], [1] * (1 + len(shape) - len(own)) + own[1:])
        return self.add("Add", name, self.const(np.zeros(shape), np.float32))

    # Activations.

    def _leakyrelu(self, call: Call) -> str:
        slope = self.floats(call.get("alpha", 0.01))
        return self._sloped(call.inputs[0], slope)

    def _prelu(self, call: Call) -> str:
        return self._sloped(call.inputs[0], call.inputs[1])

    def _sloped(self, name: str, slope: str) -> str:
        below = self.add("Mul", self.negative(name), slope)
        return self.add("Add", self.positive(name), below)

    def _curved(self, name: str, alpha: float, over: float) -> str:
        """Above 0 as it is, below alpha (e^(x / over) - 1)."""
        below = self.negative(name)
        if over != 1:
            below = self.add("Mul", below, self.floats(1 / over))
        below = self.add("Sub", self.add("Exp", below), self.floats(1))
        below = self.add("Mul", below, self.floats(alpha))
        return self.add("Add", self.positive(name), below)

    def _elu(self, call: Call) -> str:
        return self._curved(call.inputs[0], call.get("alpha", 1.0), 1)

    def _celu(self, call: Call) -> str:
        alpha = call.get("alpha", 1.0)
        return self._curved(call.inputs[0], alpha, alpha)

    def _selu(self, call: Call) -> str:
        alpha = call.get("alpha", 1.67326319217681884765625)
        gamma = call.get("gamma", 1.05070102214813232421875)
        curved = self._curved(call.inputs[0], alpha, 1)
        return self.add("Mul", curved, self.floats(gamma))

    def _softplus(self, call: Call) -> str:
        # log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), which does not overflow.
        (name,) = call.inputs
        small = self.add("Exp", self.negated(self._abs(call)))
        rest = self.add("Log", self.add("Add", small, self.floats(1)))
        return self.add("Add", self.positive(name), rest)

    def _softsign(self, call: Call) -> str:
        size = self.add("Add", self._abs(call), self.floats(1))
        return self.add("Div", call.inputs[0], size)

    def _mish(self, call: Call) -> str:
        return self.add("Mul", call.inputs[0], self.add("Tanh", self._softplus(call)))

    def _swish(self, call: Call) -> str:
        inner = self.add("Mul", call.inputs[0], self.floats(call.get("alpha", 1.0)))
        return self.add("Mul", call.inputs[0], self.add("Sigmoid", inner))

    def _hardsigmoid(self, call: Call) -> str:
        slope, offset = call.get("alpha", 0.2), call.get("beta", 0.5)
        line = self.add("Mul", call.inputs[0], self.floats(slope))
        return self.between(self.add("Add", line, self.floats(offset)), 0, 1)

    def _hardswish(self, call: Call) -> str:
        call = Call("", call.inputs, {"alpha": 1 / 6, "beta": 0.5}, [], [])
        return self.add("Mul", call.inputs[0], self._hardsigmoid(call))

    def _gelu(self, call: Call) -> str:
        (name,) = call.inputs
        if call.get("approximate", b"none") == b"tanh":
            cube = self.add("Mul", self.add("Mul", name, name), name)
            inner = self.add("Add", name, self.add("Mul", cube, self.floats(0.044715)))
            inner = self.add("Mul", inner, self.floats(math.sqrt(2 / math.pi)))
            share = self.add("Tanh", inner)
        else:
            share = self.add("Erf", self.add("Mul", name, self.floats(math.sqrt(0.5))))
        half = self.add("Mul", name, self.floats(0.5))
        return self.add("Mul", half, self.add("Add", share, self.floats(1)))

    def _softmax(self, call: Call) -> str:
        _, each, total = self._powers(call)
        return self.add("Div", each, total)

    def _logsoftmax(self, call: Call) -> str:
        powers, _, total = self._powers(call)
        return self.add("Sub", powers, self.add("Log", total))

    def _powers(self, call: Call) -> tuple[str, str, str]:
        """Numbers less their maximum, their exponentials, and the sum of these."""
        axes = [call.get("axis", -1)]
        highest = self.add("ReduceMax", call.inputs[0], axes=axes, keepdims=1)
        powers = self.add("Sub", call.inputs[0], highest)
        each, places = self.add("Exp", powers), self.const(axes, np.int64)
        return powers, each, self.add("ReduceSum", each, places, keepdims=1)

    # Normalization.

    def _layernormalization(self, call: Call) -> str | None:
        shape, scale = call.shapes[0], self.number(call.inputs[1])
        if shape is None or scale is None or len(call.results) > 1:
            return None
        bias = self.number(call.inputs[2]) if call.has(2) else None
        if bias is None and call.has(2):
            return None
        first = call.get("axis", -1) % len(shape)
        axes = list(range(first, len(shape)))
        name = self.normalized(call.inputs[0], axes, call.get("epsilon", 1e-5))
        return self.scaled(name, scale, bias)

    def _rmsnormalization(self, call: Call) -> str | None:
        shape, scale = call.shapes[0], self.number(call.inputs[1])
        if shape is None or scale is None:
            return None
        name = call.inputs[0]
        axes = list(range(call.get("axis", -1) % len(shape), len(shape)))
        square = self.add("Mul", name, name)
        mean = self.add("ReduceMean", square, axes=axes, keepdims=1)
        mean = self.add("Add", mean, self.floats(call.get("epsilon", 1e-5)))
        return self.scaled(self.add("Div", name, self.add("Sqrt", mean)), scale, None)

    def _by_channel(self, call: Call) -> tuple[list[int], list[NDArray[Any]]] | None:
        """The shape of the first input, and the other inputs with a number per channel."""
        shape, constants = call.shapes[0], [self.number(name) for name in call.inputs[1:]]
        if shape is None or len(shape) < 2 or any(array is None for array in constants):
            return None
        wide = [-1, *[1] * (len(shape) - 2 - call.lifted)]
        return shape, [array.reshape(wide) for array in constants if array is not None]

    def _batchnormalization(self, call: Call) -> str | None:
        found = self._by_channel(call)
        if found is None or call.get("training_mode", 0) or len(call.results) > 1:
            return None
        scale, bias, mean, variance = found[1]
        scale = scale / np.sqrt(variance + np.float32(call.get("epsilon", 1e-5)))
        return self.scaled(call.inputs[0], scale, bias - mean * scale)

    def _instancenormalization(self, call: Call) -> str | None:
        found = self._by_channel(call)
        if found is None:
            return None
        shape, (scale, bias) = found
        axes = list(range(2 + call.lifted, len(shape)))
        name = self.normalized(call.inputs[0], axes, call.get("epsilon", 1e-5))
        return self.scaled(name, scale, bias)

    def _groupnormalization(self, call: Call) -> str | None:
        found, groups = self._by_channel(call), call.get("num_groups", 1)
        if found is None or call.lifted:
            return None
        shape, (scale, bias) = found
        if scale.size != shape[1]:
            return None
        name = self.shaped(call.inputs[0], [1, groups, -1])
        name = self.normalized(name, [2], call.get("epsilon", 1e-5))
        return self.scaled(self.shaped(name, shape), scale, bias)

    # Sums of products.

    def _gemm(self, call: Call) -> str | None:
        weights = self.number(call.inputs[1])
        if call.get("transA", 0) or weights is None:
            return None
        bias: Any = np.zeros(1, np.float32)
        if call.has(2):
            bias = self.number(call.inputs[2])
            if bias is None:
                return None
        weights = weights.T if call.get("transB", 0) else weights
        weights = weights * np.float32(call.get("alpha", 1))
        bias = bias.reshape(-1) * np.float32(call.get("beta", 1))
        bias = np.broadcast_to(bias, (weights.shape[1],))
        shape = call.shapes[0]
        if shape is not None and len(shape) > 2:
            # Several vectors in each row, see `lift`.
            product = self.add("MatMul", call.inputs[0], self.const(weights, np.float32))
            return self.add("Add", product, self.const(bias, np.float32))
        constants = self.const(weights.T, np.float32), self.const(bias, np.float32)
        return self.add("Gemm", call.inputs[0], *constants, transB=1)

    def _matmul(self, call: Call) -> str | None:
        left, shape = self.number(call.inputs[0]), call.shapes[1]
        if left is None or left.ndim != 2 or shape is None or len(shape) < 3:
            return None
        # W X = (X' W')'
        swapped = [*shape[:-2], shape[-1], shape[-2]]
        product = self.add("MatMul", self._swapped(call.inputs[1], shape), self.const(left.T))
        return self._swapped(product, [*swapped[:-1], len(left)])

    def _swapped(self, name: str, shape: list[int]) -> str:
        """A value with its last two axes exchanged."""
        axes = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
        return self.transposed(name, shape, axes)

    def _conv(self, call: Call) -> str | None:
        weights, shape = self.number(call.inputs[1]), call.shapes[0]
        if call.get("auto_pad", b"NOTSET") != b"NOTSET" or weights is None:
            return None
        outputs, axes = len(weights), weights.ndim - 2
        bias = self.number(call.inputs[2]) if call.has(2) else np.zeros(outputs, np.float32)
        if bias is None or axes not in (1, 2) or shape is None or call.lifted:
            return None
        pads = call.get("pads", [0] * 2 * axes)
        strides, dilations = (call.get(name, [1] * axes) for name in ("strides", "dilations"))
        name = call.inputs[0]
        if axes == 1:
            # A board of one row.
            weights, shape = weights[:, :, None], [*shape[:2], 1, shape[2]]
            name, pads = self.shaped(name, shape), [0, pads[0], 0, pads[1]]
            strides, dilations = [1, *strides], [1, *dilations]
        groups = call.get("group", 1)
        spans = [(k - 1) * d + 1 for k, d in zip(weights.shape[2:], dilations, strict=True)]
        if weights.shape[0] * weights.shape[1] * groups * math.prod(spans) > MOST_WEIGHTS:
            return None
        weights = _spread(weights, groups, dilations)
        name = self.add(
            "Conv", name, self.const(weights), self.const(bias), pads=list(pads),
            kernel_shape=list(weights.shape[2:]),
        )  # fmt: skip
        for axis, stride in enumerate(strides):
            if stride != 1:
                # All squares are computed, and those between are left out.
                size = shape[2 + axis] + pads[axis] + pads[2 + axis] - weights.shape[2 + axis] + 1
                places = self.const(np.arange(0, size, stride), np.int64)
                name = self.add("Gather", name, places, axis=2 + axis)
        return name if axes == 2 else self.shaped(name, call.results[0])

    def _windows(self, call: Call) -> tuple[list[int], list[int], list[list[int]]] | None:
        """Of a pooling: the shapes of its input and of its result, and the squares of a plane that
        each of its windows covers.
        """
        shape, (result,) = call.shapes[0], call.results[:1]
        if shape is None or result is None or call.lifted:
            return None
        if call.get("auto_pad", b"NOTSET") != b"NOTSET":
            return None
        sizes, kernel = shape[2:], call.attributes["kernel_shape"]
        axes = len(sizes)
        strides, dilations = (call.get(name, [1] * axes) for name in ("strides", "dilations"))
        pads = call.get("pads", [0] * 2 * axes)
        plane = np.arange(math.prod(sizes)).reshape(sizes)
        windows = []
        for at in np.ndindex(*result[2:]):
            ranges = []
            for axis in range(axes):
                start = at[axis] * strides[axis] - pads[axis]
                places = start + dilations[axis] * np.arange(kernel[axis])
                ranges.append(places[(places >= 0) & (places < sizes[axis])])
            windows.append(plane[np.ix_(*ranges)].reshape(-1).tolist())
        return (shape, result, windows) if all(windows) else None

    def _maxpool(self, call: Call) -> str | None:
        found = self._windows(call)
        if found is None or len(call.results) > 1:
            return None
        shape, result, windows = found
        width = max(map(len, windows))
        # At the border a square counts several times, which changes no maximum.
        places = np.array([(window * width)[:width] for window in windows])
        planes = np.arange(shape[1])[:, None, None] * math.prod(shape[2:]) + places
        name = self.pick(call.inputs[0], [1, *planes.shape], planes)
        name = self.add("ReduceMax", name, axes=[3], keepdims=0)
        return self.shaped(name, result)

    def _averagepool(self, call: Call) -> str | None:
        found = self._windows(call)
        if found is None:
            return None
        shape, result, windows = found
        whole = math.prod(call.attributes["kernel_shape"])
        if call.get("count_include_pad", 0) and call.get("ceil_mode", 0):
            return None
        weights = np.zeros((math.prod(shape[2:]), len(windows)), np.float32)
        for at, window in enumerate(windows):
            weights[window, at] = 1 / (whole if call.get("count_include_pad", 0) else len(window))
        name = self.shaped(call.inputs[0], [1, shape[1], -1])
        return self.shaped(self.add("MatMul", name, self.const(weights)), result)

    def _globalaveragepool(self, call: Call) -> str | None:
        return self._globally("ReduceMean", call)

    def _globalmaxpool(self, call: Call) -> str | None:
        return self._globally("ReduceMax", call)

    def _globally(self, kind: str, call: Call) -> str | None:
        axes = list(range(2 + call.lifted, len(call.shapes[0] or [])))
        return self.add(kind, call.inputs[0], axes=axes, keepdims=1) if axes else None

    # Shapes and places.

    def _reshape(self, call: Call) -> str | None:
        """A row of the batch in another shape. That of a batch of 1 tells the shape of a row."""
        (shape,) = call.results
        if not shape or shape[0] != 1:
            return None
        return self.shaped(call.inputs[0], shape)

    _flatten = _squeeze = _unsqueeze = _reshape

    def _transpose(self, call: Call) -> str | None:
        shape = call.shapes[0]
        if shape is None:
            return None
        perm = call.get("perm", list(range(len(shape)))[::-1])
        return self.transposed(call.inputs[0], shape, perm) if perm[0] == 0 else None

    def transposed(self, name: str, shape: Sequence[int], perm: Sequence[int]) -> str:
        """A value with its axes in another order; the first one stays."""
        places = np.arange(math.prod(shape[1:])).reshape([1, *shape[1:]]).transpose(perm)
        if (np.diff(places.reshape(-1)) == 1).all():
            return self.shaped(name, places.shape)
        return self.pick(name, places.shape, places)

    def _concat(self, call: Call) -> str | None:
        if not any(name in self.constants for name in call.inputs):
            return None
        rows = [self.rows_of(n) if n in self.constants else n for n in call.inputs]
        return self.add("Concat", *rows, axis=call.attributes["axis"])

    def _split(self, call: Call) -> list[str] | None:
        shape = call.shapes[0]
        if shape is None:
            return None
        axis, count = call.get("axis", 0) % len(shape), len(call.results)
        if call.has(1):
            sizes = self.constants.get(call.inputs[1])
            if sizes is None:
                return None
        else:
            each = -(-shape[axis] // count)
            sizes = [each] * (count - 1) + [shape[axis] - each * (count - 1)]
        ends = np.cumsum(sizes).tolist()
        bounds = zip([0, *ends], ends, strict=False)
        return [self._cut(call.inputs[0], start, end, axis) for start, end in bounds]

    def _cut(self, name: str, start: int, end: int, axis: int) -> str:
        return self.add("Slice", name, *(self.const([n], np.int64) for n in (start, end, axis)))

    def _slice(self, call: Call) -> str | None:
        inputs = call.inputs
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
            result = self._cut(result, start, end, axis)
        return result

    def _pad(self, call: Call) -> str | None:
        shape, pads = call.shapes[0], self.constants.get(call.inputs[1])
        mode = call.get("mode", b"constant")
        fill = self.number(call.inputs[2]) if call.has(2) else np.zeros(1, np.float32)
        if shape is None or pads is None or call.has(3) or fill is None:
            return None
        axes = len(shape)
        if mode not in (b"constant", b"edge", b"reflect", b"wrap") or pads[0] or pads[axes]:
            return None
        if (pads < 0).any():
            return None
        widths = [(int(pads[axis]), int(pads[axes + axis])) for axis in range(axes)]
        size = math.prod(shape)
        places = np.arange(size).reshape(shape)
        if mode != b"constant":
            padded: Any = np.pad(places, widths, mode.decode())
            return self.pick(call.inputs[0], padded.shape, padded)
        padded = np.pad(places, widths, "constant", constant_values=size)
        flat = self.shaped(call.inputs[0], [1, -1])
        last = self.rows_of(self.const(fill.reshape(1, 1), np.float32))
        return self.pick(self.add("Concat", flat, last, axis=1), padded.shape, padded)

    def _reduce(self, call: Call) -> str | None:
        axes = call.attributes.pop("axes", None)
        call.attributes.pop("noop_with_empty_axes", None)
        if call.has(1):
            axes = self.constants.get(call.inputs[1])
        # Without axes all are reduced, that of the batch too, or none.
        if axes is None or not len(axes):
            return None
        name, axes = call.inputs[0], [int(axis) for axis in axes]
        if call.kind == "ReduceMin":
            name = self.negated(name)
            return self.negated(self.add("ReduceMax", name, axes=axes, **call.attributes))
        if call.kind in ("ReduceL2", "ReduceSumSquare"):
            name = self.add("Mul", name, name)
        if call.kind in ("ReduceMax", "ReduceMean"):
            return self.add(call.kind, name, axes=axes, **call.attributes)
        result = self.add("ReduceSum", name, self.const(axes, np.int64), **call.attributes)
        return self.add("Sqrt", result) if call.kind == "ReduceL2" else result

    _reducemean = _reducemax = _reducesum = _reducemin = _reducel2 = _reducesumsquare = _reduce


def _spread(weights: NDArray[Any], groups: int, dilations: Sequence[int]) -> NDArray[Any]:
    """Weights of a convolution of one group and without gaps: zeros take the place of both."""
    outputs, inputs, *kernel = weights.shape
    wide = np.zeros(
        [
            outputs,
            inputs * groups,
            *((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)),
        ],
        np.float32,
    )
    for output in range(outputs):
        first = output // (outputs // groups) * inputs
        to = wide[output, first : first + inputs]
        to[:, :: dilations[0], :: dilations[1]] = weights[output]
    return wide
