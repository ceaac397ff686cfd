"""Graphia Genesis: a naive reference implementation, written from the rules file alone.

Everything here is brute force on purpose: sheets are rows of letters, placements are
found by trying every turn on every cell, groups by flood fill.  Nothing is derived from (or shared
with) an optimised engine.  The GG-... ids refer to the rules specification.

Conventions: rows, columns and cells are 0-based inside; numbers of lines (die, Desolations) are
1..12 as in the rules.  Terrains are the letters ``M F R D T A X O`` (numbers 0..7 in this order),
kinds of polyominoes are indices into ``Options.kinds``.
"""

from .chance import ScriptedChance
from .content import Options
from .position import Position
from .sheet import TERRAINS

__all__ = ["TERRAINS", "Options", "Position", "ScriptedChance"]
