"""Shared by the tests of the adapters for several players: games, numbers of episodes, programs in
an interpreter of their own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import playmat

ROOT = Path(__file__).parents[2]
#: Episodes per game and adapter that are compared with the engine; 1,000 is the full number.
EPISODES = int(os.environ.get("PLAYMAT_EPISODES", "20"))
#: Games whose episodes are so short that every number of players is tested.
SMALL = ("connect_four", "goofspiel", "kuhn_poker", "leduc_poker", "tic_tac_toe")


def players_of(name: str) -> list[int]:
    """All numbers of players of a small game; the default, the smallest and the largest of others."""
    game = playmat.Game(name)
    least, most = game.player_range
    if name in SMALL:
        return list(range(least, most + 1))
    return sorted({least, game.num_players, most})


#: Every game with its numbers of players.
ALL = [(name, players) for name in playmat.games() for players in players_of(name)]
#: Every game with its default number of players and its largest one.
FEW = [
    (name, players)
    for name in playmat.games()
    for players in sorted({playmat.Game(name).num_players, playmat.Game(name).player_range[1]})
]


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in an interpreter of its own, in which warnings are shown."""
    path = os.pathsep.join(
        [str(Path(playmat.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=240,
    )


def without(package: str, use: str) -> str:
    """What an interpreter without a package prints: the error of `use`."""
    return _error(f"import sys\nsys.modules[{package!r}] = None\n", use)


def at_version(package: str, version: str, use: str) -> str:
    """What an interpreter with another version of a package prints: the error of `use`."""
    pretend = f"""
import importlib.metadata
true = importlib.metadata.version
importlib.metadata.version = lambda name: {version!r} if name == {package!r} else true(name)
"""
    return _error(pretend, use)


def _error(before: str, use: str) -> str:
    indented = use.replace("\n", "\n    ")
    ran = python(
        f"""
{before}
import playmat
assert not {{"pettingzoo", "torchrl", "ray", "torch", "gymnasium"}} & {{
    name for name, module in sys.modules.items() if module is not None
}}
try:
    {indented}
except playmat.MissingFeature as error:
    print(f"{{error.feature}}: {{error}}")
""".replace("import playmat\n", "import sys, playmat\n", 1)
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def blocks(page: str) -> list[str]:
    """The Python blocks of a page under docs/."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)
