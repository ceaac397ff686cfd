"""Types of the agents that play against a learner."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import playmat

#: ``(obs [n, O], mask bool [n, A], player int32 [n]) -> actions int [n]``, see ``Game.agent``.
Function: TypeAlias = Callable[..., Any]
#: An agent, its spec, the path of a network or a function.
Opponent: TypeAlias = "str | os.PathLike[str] | playmat.Agent | Function"
#: One opponent, several, or opponents with weights.
Opponents: TypeAlias = (
    "Opponent | Mapping[Opponent, float] | Sequence[Opponent | tuple[Opponent, float]]"
)
