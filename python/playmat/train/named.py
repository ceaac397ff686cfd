"""Agents by the texts that name them: specs of the engine, checkpoint files and functions."""

from __future__ import annotations

import atexit
import functools
import hashlib
import itertools
import os
import shutil
import tempfile
from pathlib import Path

import playmat
from playmat.agents import refusal_of
from playmat.errors import invalid
from playmat.functions import FORMS, identity, load_function, names_function
from playmat.train.evaluate import PolicyAgent, load_policy

#: Numbers of files in the folder of networks.
_numbers = itertools.count()


def is_checkpoint(text: str) -> bool:
    """Whether a text names a checkpoint: by its ending, or because there is such a file that is
    nothing else.

    >>> [is_checkpoint(text) for text in ("run/checkpoint.pt", "policy.onnx", "greedy")]
    [True, False, False]
    """
    if is_spec(text):
        return False
    suffix = Path(text).suffix
    if suffix == ".pt":
        return True
    return ".onnx" not in suffix and suffix not in (".py", ".json") and os.path.isfile(text)


def is_spec(text: str) -> bool:
    """Whether a text begins as a spec does, so that it names no file: a checkpoint with the name
    `greedy` is `./greedy`.
    """
    return text.split(",")[0].split(":")[0] in ("random", "greedy", "mcts")


def of_engine(text: str) -> bool:
    """Whether no file but a network is needed to make the agent, in any process."""
    return not (names_function(text) or is_checkpoint(text))


def load_agent(
    spec: str, game: playmat.Game, play: str | None, seed: int, argument: str = "agents"
) -> PolicyAgent | playmat.Agent | str:
    """The name of an agent of the engine, the agent of a function that a text names, or that of a
    checkpoint file.

    Args:
        spec: The text.
        game: The game that it plays.
        play: How a checkpoint plays, see :func:`playmat.train.load_policy`.
        seed: Of what a checkpoint draws.
        argument: What the text was given for, for messages.

    Raises:
        playmat.InvalidArgument: None of these, or a function that cannot be loaded.
        playmat.Unreadable: The file is no checkpoint.
        playmat.WrongIdentity: The checkpoint is of another game or configuration.
    """
    if names_function(spec):
        return game.agent(load_function(spec, argument))
    reason = refusal_of(spec, game)
    if reason is None:
        return game.agent(spec).name
    if is_spec(spec):
        raise invalid(argument, reason)
    path, exists = Path(spec), os.path.isfile(spec)
    if path.suffix == ".py" and exists:
        raise invalid(argument, f"got `{spec}`; wanted a function in it, `{spec}:NAME`")
    if path.suffix in (".pt", ".py") and not exists:
        raise invalid(argument, f"got `{spec}`; there is no such file")
    if not exists or ".onnx" in path.suffix:
        hint = "" if ".onnx" in path.suffix else f"; or give a checkpoint file, {FORMS}"
        raise invalid(argument, f"{reason}{hint}")
    agent = load_policy(path, game, play, seed)
    agent.name = path.stem
    return agent


def agent_of(spec: str, game: playmat.Game, argument: str) -> playmat.Agent:
    """The agent that a text names, as one of the game. A checkpoint is read once, here, and plays
    as its ONNX file does: what it samples comes from the random streams of the environments, which
    checkpoints of a training hold.

    Raises:
        playmat.MissingFeature: A checkpoint, and the package ``onnx`` is not installed.
        playmat.Error: As :func:`load_agent`.
    """
    loaded = load_agent(spec, game, None, 0, argument)
    if isinstance(loaded, playmat.Agent):
        return loaded
    if not isinstance(loaded, PolicyAgent):
        return game.agent(spec)
    from playmat.train.export import export

    file = _folder() / f"{next(_numbers)}.onnx"
    # For this game, which may have another reward: only its policy plays.
    export(loaded.network, game, file, temperature=1.0 if loaded.play == "sample" else 0.0)
    return game.agent(str(file))


@functools.cache
def _folder() -> Path:
    """A folder for networks of checkpoints, until the process ends: batches read the file of their
    opponents again.
    """
    folder = tempfile.mkdtemp(prefix="playmat")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def identity_of(spec: str, argument: str) -> str | None:
    """What tells a checkpoint or a function from one that later has the same name; None for an
    agent of the engine and where there is no such file.

    Raises:
        playmat.InvalidArgument: As :func:`playmat.functions.identity`.
    """
    if names_function(spec):
        return identity(spec, argument)
    if is_checkpoint(spec) and os.path.isfile(spec):
        return hashlib.sha256(Path(spec).read_bytes()).hexdigest()
    return None
