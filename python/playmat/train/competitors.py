"""The agents of an arena: specs, checkpoint files, agents of the engine and Python functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import playmat
from playmat.agents import refusal_of
from playmat.errors import invalid
from playmat.functions import load_function, names_function, short_name

#: A spec, the path of a file, a text that names a function (:mod:`playmat.functions`), an agent of
#: the game, or a function as in :meth:`playmat.Game.agent`.
Competitor: TypeAlias = str | os.PathLike[str] | playmat.Agent | Callable[..., Any]

#: What may be in the list.
WANTED = "specs, checkpoint files, agents and functions"


@dataclass(frozen=True)
class Competitors:
    """The agents of a round robin."""

    #: By agent, its spec, its file or the text that names it; of another function its name.
    specs: tuple[str, ...]
    #: By agent, that of a function that no text names, otherwise None.
    functions: tuple[playmat.Agent | None, ...]
    #: By agent, what tells it from others.
    identities: tuple[str, ...]
    #: By agent, the name in results.
    names: tuple[str, ...]

    def refuse_functions(self, argument: str, why: str) -> None:
        """Refuses an argument that is for agents which other processes can make."""
        for agent in self.functions:
            if agent is not None:
                allowed = "specs, checkpoint files and functions named by a text such as "
                allowed += "`module:function` only"
                raise invalid(argument, f"function `{agent.name}` {why}; allowed with {allowed}")


def competitors(
    game: playmat.Game, given: Sequence[Competitor] | Mapping[str, Competitor]
) -> Competitors:
    """The agents of a list, or of a mapping from their names.

    Raises:
        playmat.InvalidArgument: Fewer than two, one twice, or what is no agent of the game.
    """
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise invalid("agents", f"got {type(given).__name__}; wanted a list of {WANTED}")
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str) or not name:
                raise invalid("agents", f"got name {name!r}; wanted texts that are not empty")
    agents = list(given.values()) if isinstance(given, Mapping) else list(given)
    specs, functions = [], []
    for agent in agents:
        spec, function = _read(game, agent)
        specs.append(spec)
        functions.append(function)
    # A search has several specs: each is compared by its name.
    identities = [
        spec
        if function is not None or refusal_of(spec, game) is not None
        else game.agent(spec).name
        for spec, function in zip(specs, functions, strict=True)
    ]
    names = list(given) if isinstance(given, Mapping) else _names(specs)
    # Under names of their own two functions may have the same one.
    if isinstance(given, Mapping):
        told_apart = [
            identity if function is None else f"{name}\0{identity}"
            for name, identity, function in zip(names, identities, functions, strict=True)
        ]
    else:
        told_apart = identities
    if len(specs) < 2 or len(set(told_apart)) < len(told_apart):
        reason = f"got {', '.join(specs)}; wanted at least two, each once"
        twice = [
            spec for spec, function in zip(specs, functions, strict=True)
            if function is not None and specs.count(spec) > 1
        ]  # fmt: skip
        if twice:
            reason += f"; functions of one name need a mapping from names: {{'{twice[0]} 1': ...}}"
        raise invalid("agents", reason)
    return Competitors(tuple(specs), tuple(functions), tuple(identities), tuple(names))


def _read(game: playmat.Game, agent: object) -> tuple[str, playmat.Agent | None]:
    """The spec or the name of an agent, and the agent if it is a function."""
    if isinstance(agent, str | os.PathLike):
        spec = str(os.fspath(agent))
        if names_function(spec):
            load_function(spec, "agents")
        return spec, None
    if isinstance(agent, playmat.Agent):
        if agent.game != game:
            raise invalid("agents", f"got an agent of {agent.game!r}; wanted agents of {game!r}")
        is_function = callable(agent.__reduce__()[1][0])
        return agent.name, agent if is_function else None
    if callable(agent) and not isinstance(agent, type):
        made = game.agent(agent)
        return made.name, made
    raise invalid("agents", f"got {type(agent).__name__}; wanted {WANTED}")


def _names(specs: Sequence[str]) -> list[str]:
    """Short names, unless two of them are the same."""
    short = [
        short_name(spec) if names_function(spec)
        else Path(spec).stem if Path(spec).is_file() else spec
        for spec in specs
    ]  # fmt: skip
    return short if len(set(short)) == len(short) else list(specs)
