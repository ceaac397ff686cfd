"""Lists of agents as text."""

from __future__ import annotations

import playmat


def split_agents(text: str) -> list[str]:
    """The specs of a list with commas. A piece like ``threads=2`` is an option of the spec before
    it, as in ``greedy,mcts:400,threads=2``.

    >>> split_agents("greedy, mcts:400,threads=2, policy.onnx,temperature=1")
    ['greedy', 'mcts:400,threads=2', 'policy.onnx,temperature=1']
    """
    specs: list[str] = []
    for piece in (word.strip() for word in text.split(",")):
        # Every kind of agent with options has a colon, or a file of a network before the options.
        options = bool(specs) and (":" in specs[-1] or specs[-1].split(",")[0].endswith(".onnx"))
        if options and "=" in piece:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece)
    return specs


def refusal_of(spec: str, game: playmat.Game) -> str | None:
    """Why the engine has no agent of this spec for a game; None if it has one."""
    try:
        game.agent(spec)
    except playmat.InvalidArgument as error:
        return str(error).removeprefix("argument `spec`: ")
    return None
