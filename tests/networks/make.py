"""Writes the networks that the tests of all hosts play: small and untrained, one for each kind of
body that ``playmat train`` exports, and games of all kinds: with perfect information, with hidden
cards, for stakes, for two players and three. Those of Graphia and connect_four read the action of the
greedy agent, which draws among equal actions there.

``python tests/networks/make.py [GAME ...]`` needs the packages of ``playmat[train]``. The weights depend on
the seed and on torch; the decisions of the tests change with them:
``UPDATE=1 cargo test --release --workspace --exclude 'playmat-python*' --test networks``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

import playmat
from playmat.train.config import preset
from playmat.train.encoders import bodies
from playmat.train.encoders.network import Network, build
from playmat.train.export import export

#: Sizes by game: an MLP, convolutions, and the same weights for each of several like things. The
#: last is not Gravitix: its layer from flags to actions alone would have 316 kB.
SIZES = {
    "tic_tac_toe": {"network": "mlp", "width": 8},
    "graphia": {"network": "conv", "width": 8, "channels": 4, "pieces": 2},
    "rafts": {"network": "entities", "width": 8},
    "kuhn_poker": {"network": "mlp", "width": 8},
    "connect_four": {"network": "mlp", "width": 8, "greedy_bonus": 1.0},
    "graven": {"network": "mlp", "width": 8},
}


def spread(network: Network, seed: int) -> None:
    """Draws all weights anew, so that every part of the network changes its choices. As training
    begins, many are 0 and all actions are nearly alike.
    """
    generator = torch.Generator().manual_seed(seed)
    for weights in network.parameters():
        inputs = weights[0].numel() if weights.ndim > 1 else 1
        deviation = (2 / inputs) ** 0.5 if weights.ndim > 1 else 0.1
        weights.data.normal_(0, deviation, generator=generator)


def main() -> None:
    """Writes the files of the games that are named, or of all."""
    games = sys.argv[1:] or list(SIZES)
    # In training an entity has 64 units and 4 numbers that scale its flags: 249 kB of Rafts.
    bodies.ENTITY_WIDTH, bodies.SCALES = 8, 1
    for name in games:
        sizes, game = SIZES[name], playmat.Game(name)
        network = build(game, preset(name, **sizes, seed=1, device="cpu"))
        if name == "tic_tac_toe":
            network.body.policy.weight.data *= 100
        else:
            spread(network, seed=1)
        export(network, game, Path(__file__).with_name(f"{name}.onnx"))


if __name__ == "__main__":
    main()
