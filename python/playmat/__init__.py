"""playmat: an embeddable reinforcement-learning engine for modern tabletop games.

>>> import playmat
>>> game = playmat.Game("connect_four")
>>> env = game.env(seed=7)
>>> while not env.done:
...     env.step(env.sample_action())
>>> float(env.returns.sum())
0.0
"""

import importlib
from typing import TYPE_CHECKING

from playmat._native import (
    VERSION as __version__,
)
from playmat._native import (
    ActionRange,
    Batch,
    Env,
    Game,
    ObservationLayout,
    Replay,
    Segment,
    VecEnv,
    gae,
    games,
)
from playmat.errors import (
    ContentError,
    EpisodeOver,
    Error,
    IllegalAction,
    InvalidArgument,
    InvalidOption,
    InvalidSeat,
    InvalidState,
    MissingFeature,
    NotActing,
    OrderError,
    UnknownAction,
    UnknownGame,
    Unreadable,
    WrongIdentity,
)
from playmat.html import replay_html

if TYPE_CHECKING:
    from playmat import testing

__all__ = [
    "ActionRange",
    "Batch",
    "ContentError",
    "Env",
    "EpisodeOver",
    "Error",
    "Game",
    "IllegalAction",
    "InvalidArgument",
    "InvalidOption",
    "InvalidSeat",
    "InvalidState",
    "MissingFeature",
    "NotActing",
    "ObservationLayout",
    "OrderError",
    "Replay",
    "Segment",
    "UnknownAction",
    "UnknownGame",
    "Unreadable",
    "VecEnv",
    "WrongIdentity",
    "__version__",
    "gae",
    "games",
    "replay_html",
    "testing",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        # Only who checks environments needs it.
        if name == "testing":
            return importlib.import_module("playmat.testing")
        raise AttributeError(f"module 'playmat' has no attribute {name!r}")
