"""Graphia Genesis: a naive reference implementation, written from the rules file alone.

Everything here is brute force on purpose: sheets are rows of letters, placements are
found by trying every turn on every cell, groups by flood fill.  Nothing is derived from (or shared
with) an optimised engine.  The GG-... ids refer to the rules specification.

Conventions: rows, columns and cells are 0-based inside; numbers of lines (die, Desolations) are
1..12 as in the rules.  Terrains are the letters ``M F R D T A X O`` (numbers 0..7 in this order),
kinds of polyominoes are indices into ``Options.kinds``.
"""

from .chance import Chance, RandomChance, ScriptedChance, random_chance
from .content import DEFAULT_KINDS, Kind, Options, orientations
from .play import GameRecord, play_random
from .position import Position
from .scoring import score_sheet
from .sheet import TERRAINS, freeze, shape_placements

__all__ = [
    "DEFAULT_KINDS",
    "TERRAINS",
    "Chance",
    "GameRecord",
    "Kind",
    "Options",
    "Position",
    "RandomChance",
    "ScriptedChance",
    "freeze",
    "orientations",
    "play_random",
    "random_chance",
    "score_sheet",
    "shape_placements",
]
