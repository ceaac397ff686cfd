"""playmat: an embeddable reinforcement-learning engine for modern tabletop games.

>>> import playmat
>>> game = playmat.Game("connect_four")
>>> env = game.env(seed=7)
>>> while not env.done:
...     env.step(env.sample_action())
>>> float(env.returns.sum())
0.0

What is refused raises an exception of ``playmat.errors``; all of them are here, too, as in
``playmat.IllegalAction``. ``help(playmat.errors)`` lists them.
"""

import importlib
from typing import TYPE_CHECKING

from playmat import errors
from playmat._native import (
    VERSION as __version__,
    ActionRange,
    Agent,
    Batch,
    BatchStatistics,
    Env,
    Game,
    Leaves,
    ObservationLayout,
    Replay,
    Search,
    SearchStatistics,
    Segment,
    States,
    Stepper,
    VecEnv,
    gae,
    games,
)
from playmat.errors import (
    ContentError as ContentError,
    EpisodeOver as EpisodeOver,
    Error as Error,
    IllegalAction as IllegalAction,
    InvalidArgument as InvalidArgument,
    InvalidOption as InvalidOption,
    InvalidPlayer as InvalidPlayer,
    InvalidState as InvalidState,
    MissingFeature as MissingFeature,
    NotActing as NotActing,
    OrderError as OrderError,
    UnknownAction as UnknownAction,
    UnknownGame as UnknownGame,
    Unreadable as Unreadable,
    WrongIdentity as WrongIdentity,
)
from playmat.exploit import Exploitability, exploitability
from playmat.html import replay_html
from playmat.policy_export import ExportedPolicy, export_policy

if TYPE_CHECKING:
    from playmat import pettingzoo as pettingzoo, rllib as rllib, testing, torchrl as torchrl

# Exceptions are left out, because `help` would spend half of its lines on what they inherit.
__all__ = [
    "ActionRange",
    "Agent",
    "Batch",
    "BatchStatistics",
    "Env",
    "Exploitability",
    "ExportedPolicy",
    "Game",
    "Leaves",
    "ObservationLayout",
    "Replay",
    "Search",
    "SearchStatistics",
    "Segment",
    "States",
    "Stepper",
    "VecEnv",
    "__version__",
    "errors",
    "exploitability",
    "export_policy",
    "gae",
    "games",
    "replay_html",
    "testing",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        # Only who checks environments needs the first; the others need optional packages, so `*`
        # does not import them.
        if name in ("testing", "pettingzoo", "rllib", "torchrl"):
            return importlib.import_module(f"playmat.{name}")
        raise AttributeError(f"module 'playmat' has no attribute {name!r}")
