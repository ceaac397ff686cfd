"""Draws ``docs/<game>.png`` of the five games: a position in the course of an episode of the greedy
agent, as player 0 sees it. ``python docs/pictures.py`` needs playmat and Pillow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

import playmat

#: The options of a game, the seed of its episode, and how many decisions of it are played.
POSITIONS: dict[str, tuple[dict[str, Any], int, int]] = {
    "graft": ({}, 5, 40),
    "graphia": ({}, 1, 60),
    "graven": ({}, 4, 40),
    "gravitix": ({"formation": "4x3"}, 3, 30),
    "rafts": ({"players": 2}, 2, 45),
}
WIDTH = 960


def main() -> None:
    folder = Path(__file__).parent
    for name, (options, seed, decisions) in POSITIONS.items():
        game = playmat.Game(name, **options)
        env, greedy = game.env(seed), game.agent("greedy")
        for _ in range(decisions):
            env.step(greedy.act(env))
        picture = Image.fromarray(env.render("rgb_array", viewer=0, width=WIDTH))
        path = folder / f"{name}.png"
        picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path}: {picture.width} x {picture.height}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
