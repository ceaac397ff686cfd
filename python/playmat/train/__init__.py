"""Training: self-play PPO, evaluation against the engine's bots, ratings, export.

What trains needs the extra ``playmat[train]`` and imports it when it is used, not before; an arena
of bots needs nothing.

* :mod:`playmat.train.config`: every hyperparameter, with the presets of some games.
* :mod:`playmat.train.ppo`: the algorithm, from top to bottom.
* :mod:`playmat.train.network`: policy and value of any game, from its observation layout.
* :mod:`playmat.train.evaluate`: games against bots, with intervals.
* :mod:`playmat.train.arena`: who beats whom, as ratings.
* :mod:`playmat.train.export`: a trained policy as an ONNX file.
"""

from playmat.train.config import PRESETS, TrainConfig

__all__ = ["PRESETS", "TrainConfig"]
