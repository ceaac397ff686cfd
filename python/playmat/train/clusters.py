"""Standard errors where episodes of one deal are not independent.

The agents of an arena play each deal several times with exchanged players. What follows from the
deal is in all of these episodes, so only deals (seeds) are independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from playmat.train.evaluate import Z

#: A number per episode, in arrays by arrangement; the k-th of each array is of the same seed.
Records = list[NDArray[np.float64]]
#: How many seeds the assumption that episodes are independent weighs as much as, where it gives the
#: larger variance. It matters for few seeds: without it two alike ones would give no width.
PRIOR_SEEDS = 4.0


#: What of a standard deviation is rounding.
ROUNDING = 1e-9


def clustered(
    groups: Sequence[Records], same: Sequence[bool] = (), bounds: tuple[float, float] | None = None
) -> tuple[float, float]:
    """Mean of all numbers of all groups, and its standard error: seeds are independent, episodes of
    the same seed in one group are not, and neither are those of a group in which all seeds are the
    ``same``. Infinite for fewer than two seeds.

    Seeds that all gave the same are no proof that others would: with ``bounds`` of the numbers the
    error is then that of a share, :func:`unseen`.
    """
    count = sum(len(episodes) for records in groups for episodes in records)
    mean = sum(float(episodes.sum()) for records in groups for episodes in records) / count
    seeds, squares = 0, 0.0
    for number, records in enumerate(groups):
        total = np.zeros(max(len(episodes) for episodes in records))
        for episodes in records:
            total[: len(episodes)] += episodes - mean
        if number < len(same) and same[number]:
            total = total.sum(keepdims=True)
        seeds += len(total)
        squares += float(np.square(total).sum())
    if seeds < 2:
        return mean, math.inf
    error = math.sqrt(squares * seeds / (seeds - 1)) / count
    if bounds is not None and error <= ROUNDING * max(1.0, abs(mean)):
        error = unseen(mean, seeds, bounds)
    return mean, error


def unseen(mean: float, seeds: int, bounds: tuple[float, float]) -> float:
    """The standard error where all seeds gave the same mean. By Wilson's interval the share of
    others may be up to z² / (seeds + z²), and each of these may be as far off as the bounds. For
    victories (1 and -1) the half-width, z errors, is the width of Wilson's interval of the share
    won, in returns.
    """
    reach = max(mean - bounds[0], bounds[1] - mean)
    return reach * Z / (seeds + Z * Z)


def design_effect(shares: Records, same: bool = False) -> float:
    """The variance of a mean of shares (won 1, drawn 0.5, lost 0), divided by that of as many
    independent episodes that are won or lost: 2 if both episodes of every deal end alike, near 0 if
    one is won where the other is lost. So many episodes divided by it are independent ones.

    Where it cannot be known, for one seed and where all episodes are won or all are lost, it is the
    largest that it can be: all episodes of a deal end alike. 1 where all seeds are the ``same``.
    """
    mean, error = clustered([shares], [same])
    count = sum(len(episodes) for episodes in shares)
    independent = mean * (1 - mean) / count
    seeds = max(len(episodes) for episodes in shares)
    if independent <= 0 or math.isinf(error):
        return 1.0 if same else count / seeds
    effect = error**2 / independent
    # Few seeds may be alike by chance, so that they are no proof of a small variance.
    return max(effect, (seeds * effect + PRIOR_SEEDS) / (seeds + PRIOR_SEEDS))
