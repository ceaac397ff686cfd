"""Training: self-play PPO, evaluation against the engine's agents, ratings, export.

Training needs the extra ``playmat[train]``, which is imported when it is used; an arena
of built-in agents does not.

* :mod:`playmat.train.ppo`: the algorithm in one file, with CleanRL's names.
* :mod:`playmat.train.imitation`: behaviour cloning, DAgger, the auxiliary imitation loss.
* :mod:`playmat.train.environments`: where the environments of a rollout start; agents as opponents.
* :mod:`playmat.train.config`: every hyperparameter; :mod:`playmat.train.presets`: by game.
* :mod:`playmat.train.encoders`: policy and value of any game, from its layouts.
* :mod:`playmat.train.trainer`: a run with limits, evaluation, checkpoints and reports.
* :mod:`playmat.train.evaluate`: episodes against agents, with intervals.
* :mod:`playmat.train.arena`: a round robin of agents.
* :mod:`playmat.train.ratings`: their ratings.
* :mod:`playmat.train.export`: a trained policy as an ONNX file.
"""

from playmat.train.config import TrainConfig
from playmat.train.evaluate import load_policy
from playmat.train.presets import PRESETS

__all__ = ["PRESETS", "TrainConfig", "load_policy"]
