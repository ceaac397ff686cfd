"""playmat's games for Gymnasium: one learner against agents that play inside the engine.

>>> import gymnasium, playmat.gymnasium
>>> env = gymnasium.make("playmat/Graft-v0", opponents="greedy", players=3)
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(
...     env.action_space.sample(info["action_mask"])
... )
>>> envs = gymnasium.make_vec("playmat/ConnectFour-v0", num_envs=1024)
>>> envs.reset(seed=7)[0].shape
(1024, 126)

Importing this module registers an id for each game: ``playmat/ConnectFour-v0`` and so on.

What happens to an action that is not legal now (``illegal=``):

============= =================================== ======================= ======================
illegal       what is played                      the learner's reward    info
============= =================================== ======================= ======================
``"raise"``   nothing: ``playmat.IllegalAction``  -                       -
``"replace"`` a legal action, drawn uniformly     that of the action      ``illegal_action``
``"penalty"`` a legal action, drawn uniformly     the same less `penalty` ``illegal_action``
============= =================================== ======================= ======================

The classes raise by default. The registered ids replace, because Gymnasium's checkers play random
actions without a mask. A number outside of the action space raises in every mode.
"""

from __future__ import annotations

from playmat.extras import need

need("gymnasium", what="`playmat.gymnasium`", extra="gymnasium")

import gymnasium  # noqa: E402

import playmat  # noqa: E402
from playmat.gymnasium.env import Env  # noqa: E402
from playmat.gymnasium.vector_env import VectorEnv  # noqa: E402

__all__ = ["Env", "VectorEnv", "env_id"]


def env_id(name: str) -> str:
    """The id of a registered game.

    >>> env_id("connect_four")
    'playmat/ConnectFour-v0'
    """
    return f"playmat/{name.title().replace('_', '')}-v0"


for _name in playmat.games():
    if env_id(_name) not in gymnasium.registry:
        gymnasium.register(
            env_id(_name),
            entry_point="playmat.gymnasium:Env",
            vector_entry_point="playmat.gymnasium:VectorEnv",
            kwargs={"game": _name, "illegal": "replace"},
        )
