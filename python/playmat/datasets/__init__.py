"""Data sets of play: episodes of agents as Parquet files, for offline learning.

:func:`record` (the command ``playmat rollouts``) plays episodes and writes them; :func:`read` gives
them back as batches of numpy arrays; :func:`to_minari` makes a Minari data set of them. They need
the extra ``datasets``, :func:`to_minari` the extra ``minari``.

A data set is a folder: ``manifest.json`` says what is recorded (:class:`Identity`), and
``part-FIRST-LAST.parquet`` holds the episodes FIRST to LAST, in order. A row is one decision:

============== =============== =================================================================
column         dtype, shape    meaning; P players, O observation bytes, A actions
============== =============== =================================================================
episode        int64           number of the episode, from 0
decision       int32           number of the decision in its episode, from 0
player         int32           the player who decides
agent          int32           the agent that decides for the player: a place in the agent list
obs            uint8 [O]       what the player sees before the decision
action_mask    bool [A]        the player's legal actions
action         int64           the action that the agent chose
reward         float32 [P]     the reward of each player in the step
terminated     bool            whether the episode ended here
truncated      bool            whether it was cut off here, by the game's ``max_steps``
returns        float32 [P]     returns of the whole episode, the same in all of its rows
agents         int32 [P]       the agent of each player, the same in all rows of an episode
episode_seed   uint64          ``game.env(episode_seed)`` and the actions replay the episode
============== =============== =================================================================

The shapes and dtypes are those that :func:`read` gives. In the files, ``obs`` and ``action_mask``
are binary values of O and A bytes, and the columns with P values are lists of fixed size.

In a simultaneous turn each acting player's decision is a row of its own, the lowest player first.
An episode that ends before any player decides has no rows. In episode e, agent number
``(e + p) % len(agents)`` plays player p, so that agents and players rotate. Episode e has the
seed :func:`episode_seed` ``(seed, e)`` and streams of its own: it is the same whatever was played
before it, with any number of threads, and after an interruption.
"""

from playmat.datasets.identity import FORMAT, Identity, episode_seed
from playmat.datasets.minari_files import PACKAGES as MINARI_PACKAGES, to_minari
from playmat.datasets.reading import Dataset, read
from playmat.datasets.recording import Recorded, record

#: What the extra `datasets` has.
PACKAGES = ("pyarrow",)

__all__ = [
    "FORMAT",
    "MINARI_PACKAGES",
    "PACKAGES",
    "Dataset",
    "Identity",
    "Recorded",
    "episode_seed",
    "read",
    "record",
    "to_minari",
]
