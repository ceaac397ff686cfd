"""Shared by the tests of adapters: how many episodes, exact comparison, pages and examples."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import playmat

ROOT = Path(__file__).parents[2]

#: Episodes that each adapter plays beside the engine, for each game.
FULL = int(os.environ.get("PLAYMAT_EPISODES", "1000"))
#: The same in this environment. Ray pins an older Gymnasium: where it is installed, the tests that
#: play all episodes in the other environment are repeated with a tenth.
EPISODES = max(1, FULL // (10 if importlib.util.find_spec("ray") else 1))
#: Every game with its default number of players and its largest one.
FEW = [
    (name, players)
    for name in playmat.games()
    for players in sorted({playmat.Game(name).num_players, playmat.Game(name).player_range[1]})
]

#: Agents of the comparisons: several, so that the draw of the agent is compared too.
OPPONENTS = {"random": 2.0, "greedy": 1.0}


def episodes(name: str, players: int, all_of_them: int = EPISODES) -> int:
    """Episodes beside the engine; a fiftieth with another number of players than the default."""
    usual = players == playmat.Game(name).num_players
    return all_of_them if usual else max(1, all_of_them // 50)


def difference(one: Any, other: Any, path: str = "it") -> str | None:
    """Where two nested values differ, types and dtypes included; None if they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return f"{path}: keys {sorted(one)} and {sorted(other)}"
        found = (difference(one[key], other[key], f"{path}[{key!r}]") for key in one)
        return next((text for text in found if text), None)
    if type(one) is not type(other):
        return f"{path}: {type(one)} and {type(other)}"
    if isinstance(one, tuple):
        return difference(dict(enumerate(one)), dict(enumerate(other)), path)
    if isinstance(one, np.ndarray):
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return f"{path}: {one.dtype}{one.shape} and {other.dtype}{other.shape}"
        if one.dtype == object:
            pairs = enumerate(zip(one, other, strict=True))
            found = (difference(a, b, f"{path}[{at}]") for at, (a, b) in pairs)
            return next((text for text in found if text), None)
        return None if one.tobytes() == other.tobytes() else f"{path}: {one} and {other}"
    return None if one == other else f"{path}: {one!r} and {other!r}"


def flat(observation: Any) -> np.ndarray:
    """An observation as one array, also where it has named segments."""
    if not isinstance(observation, dict):
        return observation
    rows = len(next(iter(observation.values())))
    return np.concatenate([part.reshape(rows, -1) for part in observation.values()], axis=1)


def engine(game: playmat.Game, num_envs: int, **arguments: Any) -> playmat.VecEnv:
    """The engine's own batch that an adapter is compared with."""
    arguments = {"opponents": OPPONENTS, "learner": "rotate", "dtype": "f32", **arguments}
    return game.vec_env(num_envs, view="single", **arguments)


def blocks(page: str) -> list[str]:
    """The Python blocks of a page of docs/."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def python(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a fresh interpreter; by default with warnings as errors."""
    command = [sys.executable, *(options or ("-W", "error")), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def example(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs an example as its users do."""
    path = ROOT / "examples" / name
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    return subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True)
