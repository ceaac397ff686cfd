"""Muon, an optimizer for hidden layers (Keller Jordan and others, 2024), beside Adam for the rest.

Muon replaces the averaged gradient of a weight matrix by the nearest orthogonal matrix, so that all
directions of a layer learn equally fast, whatever the scale of their gradients. `torch.optim.Muon`
takes matrices only. The kernels of a convolution are such a matrix too, [outputs, inputs x height x
width], which is handed to it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from playmat.errors import invalid


def hidden(network: nn.Module) -> list[nn.Parameter]:
    """The weights between hidden units: the layers `HIDDEN` of each body of the network.
    Not those that write logits and values: with Muon for these too Graphia learned more slowly.
    """
    named = dict(network.named_parameters())
    return [
        named[f"{path}.{layer}.weight" if path else f"{layer}.weight"]
        for path, module in network.named_modules()
        for layer in getattr(module, "HIDDEN", ())
    ]


class Muon:
    """``torch.optim.Muon`` for matrices and kernels. A step moves a weight by an orthogonal matrix
    times the learning rate times ``max(1, rows / columns) ** 0.5``; there is no weight decay.
    """

    def __init__(self, weights: list[nn.Parameter], learning_rate: float) -> None:
        if not hasattr(torch.optim, "Muon"):
            raise invalid(
                "muon_learning_rate",
                f"got {learning_rate:g}; it needs torch 2.9 or newer, here it is "
                f"{torch.__version__}; 0 trains with Adam alone",
            )
        self.weights = weights
        #: The same memory as the weights, as matrices.
        self.matrices = [nn.Parameter(_matrix(weight.detach(), weight)) for weight in weights]
        self.optimizer = torch.optim.Muon(
            self.matrices, lr=learning_rate, weight_decay=0.0, adjust_lr_fn="original"
        )

    def set_learning_rate(self, learning_rate: float) -> None:
        """The learning rate from the next step on."""
        self.optimizer.param_groups[0]["lr"] = learning_rate

    def state(self) -> dict[str, Any]:
        """The averaged gradients, in the order and shapes of the weights, whose order in memory
        depends on the device.
        """
        states = [self.optimizer.state.get(matrix, {}) for matrix in self.matrices]
        averages = [
            state.get("momentum_buffer", torch.zeros_like(matrix.detach()))
            for state, matrix in zip(states, self.matrices, strict=True)
        ]
        return {"averages": [_shaped(a, w) for a, w in zip(averages, self.weights, strict=True)]}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continues from :meth:`state`.

        Raises:
            ValueError: The state of other weights.
        """
        averages = state["averages"]
        if [average.shape for average in averages] != [weight.shape for weight in self.weights]:
            raise ValueError("the averages of Muon have other shapes than the weights")
        for average, matrix, weight in zip(averages, self.matrices, self.weights, strict=True):
            moved = _matrix(average.to(weight.device), weight).contiguous().clone()
            self.optimizer.state[matrix]["momentum_buffer"] = moved

    def step(self) -> None:
        """One step along the gradients of the weights."""
        for matrix, weight in zip(self.matrices, self.weights, strict=True):
            matrix.grad = None if weight.grad is None else _matrix(weight.grad, weight)
        self.optimizer.step()  # type: ignore[no-untyped-call]


def _shaped(matrix: Tensor, weight: Tensor) -> Tensor:
    """The reverse of :func:`_matrix`, as a copy."""
    if weight.ndim == 4 and not weight.is_contiguous():
        rows, columns, height, width = weight.shape
        return matrix.view(rows, height, width, columns).permute(0, 3, 1, 2).contiguous()
    return matrix.view(weight.shape).clone()


def _matrix(tensor: Tensor, weight: Tensor) -> Tensor:
    """A tensor of the shape of `weight` as a matrix [outputs, rest], in the order in which the
    weight lies in memory: so the matrix of the weight itself is no copy.
    """
    channels_last = weight.ndim == 4 and not weight.is_contiguous()
    return (tensor.permute(0, 2, 3, 1) if channels_last else tensor).flatten(1)
