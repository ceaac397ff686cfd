"""Writes tic_tac_toe.onnx, the network that the tests of all hosts play: small and untrained.

``python tests/networks/make.py`` needs the packages of ``playmat[train]``. The weights depend on
the seed and on torch; the digests of the tests change with them.
"""

from __future__ import annotations

from pathlib import Path

import playmat
from playmat.train.config import preset
from playmat.train.encoders.network import build
from playmat.train.export import export


def main() -> None:
    game = playmat.Game("tic_tac_toe")
    network = build(game, preset("tic_tac_toe", network="mlp", width=8, seed=1, device="cpu"))
    # As it begins, all actions are nearly alike.
    network.body.policy.weight.data *= 100
    export(network, game, Path(__file__).with_name("tic_tac_toe.onnx"))


if __name__ == "__main__":
    main()
