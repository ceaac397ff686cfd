"""Ratings of agents with their intervals, as numbers, text and a picture.

:mod:`playmat.train.arena` plays the episodes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from playmat.train.evaluate import wilson

#: Prior of each rating, as a number of draws against an agent rated 0. It keeps ratings finite.
PRIOR = 1.0
#: Elo points per natural logarithm of odds.
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Rating:
    """An agent's rating (the mean of all agents is 0) and its data. Margins are halves of 95%
    intervals, infinite where there are too few episodes.
    """

    agent: str
    #: `win_rate`: the rating is in Elo points; `return`: in units of return.
    measure: str
    rating: float
    rating_margin: float
    #: Over all episodes of the agent.
    mean_return: float
    return_margin: float
    win_rate: float
    episodes: int
    #: How many of these count in intervals: those of pairs that repeat an episode only once.
    distinct_episodes: int
    #: By opponent, the row of the cross table: the share of the episodes that the agent won, or its
    #: mean margin where the measure is `return`.
    against: Mapping[str, float]
    #: Halves of their 95% intervals.
    against_margin: Mapping[str, float]


def half_width(share: float, episodes: float) -> float:
    """Half of the 95% interval of a share of independent episodes (Wilson's)."""
    interval = wilson(share * episodes, episodes)
    return (interval.high - interval.low) / 2


def bradley_terry(
    won: NDArray[np.float64], design_effect: NDArray[np.float64] | float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings [n] in Elo points (mean 0) and their standard errors from episodes won [n, n].

    The mode of the posterior under ``PRIOR``, by Newton's method; errors from the curvature there.
    With a design effect [n, n] of each pair (:func:`playmat.train.clusters.design_effect`) the
    errors are those of a sandwich estimate: the curvature, and between its inverses the variance
    that the gradient has where the episodes of one deal are not independent.
    """
    n = len(won)
    duels = won + won.T
    strength = np.zeros(n)
    for _ in range(100):
        chance = 1 / (1 + np.exp(strength[None] - strength[:, None]))
        level = 1 / (1 + np.exp(-strength))
        gradient = (won - duels * chance).sum(1) + PRIOR * (0.5 - level)
        curve = duels * chance * (1 - chance)
        hessian = np.diag(curve.sum(1) + PRIOR * level * (1 - level)) - curve
        step = np.linalg.solve(hessian, gradient)
        # Long steps overshoot where chances are near 0 or 1.
        strength += step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-10:
            break
    # Errors of the differences to the mean of all.
    centre = np.eye(n) - 1 / n
    inverse = np.linalg.inv(hessian)
    spread = curve * design_effect
    variance = np.diag(spread.sum(1) + PRIOR * level * (1 - level)) - spread
    covariance = centre @ inverse @ variance @ inverse @ centre
    return ELO * (strength - strength.mean()), ELO * np.sqrt(np.maximum(0, np.diag(covariance)))


def cell(rating: Rating, opponent: str) -> str:
    """An entry of the cross table with half of its 95% interval; empty for the agent itself."""
    value = rating.against.get(opponent)
    if value is None:
        return ""
    half = rating.against_margin.get(opponent, math.inf)
    if rating.measure == "win_rate":
        return f"{value:.1%}±{margin(100 * half, 1)}"
    return f"{rounded(value, 3):+.3f}±{margin(half)}"


def margin(half: float, decimals: int = 3) -> str:
    """Half of an interval; `?` where it is not known."""
    return f"{half:.{decimals}f}" if math.isfinite(half) else "?"


def rounded(value: float, decimals: int) -> float:
    """A rounded number; what is rounded to 0 has no sign."""
    return round(value, decimals) + 0.0


def draw_ratings(ratings: Sequence[Rating], title: str, path: Path) -> None:
    """Draws ratings with their intervals, and beside them the cross table."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    count = len(ratings)
    figure = Figure(figsize=(8 + 0.9 * count, 1.8 + 0.5 * count), layout="constrained")
    FigureCanvasAgg(figure)
    axis, cross = figure.subplots(1, 2, width_ratios=[8, 1 + 0.9 * count])
    places = range(count)
    axis.errorbar(
        [r.rating for r in ratings],
        places,
        xerr=[r.rating_margin if math.isfinite(r.rating_margin) else 0.0 for r in ratings],
        fmt="o",
        capsize=4,
    )
    axis.set_yticks(list(places), [r.agent for r in ratings])
    axis.invert_yaxis()
    unit = "Elo" if ratings[0].measure == "win_rate" else "return"
    axis.set_xlabel(f"rating ({unit}, mean 0) with 95% interval")
    axis.grid(alpha=0.3)
    figure.suptitle(title)
    names = [r.agent for r in ratings]
    table = np.array([[r.against.get(name, math.nan) for name in names] for r in ratings])
    even = 0.5 if unit == "Elo" else 0.0
    most = max(float(np.nanmax(np.abs(table - even))), 1e-9)
    cross.imshow(
        table, cmap="RdYlGn", vmin=even - 1.4 * most, vmax=even + 1.4 * most, aspect="auto"
    )
    for i, j in itertools.permutations(places, 2):
        cross.text(j, i, cell(ratings[i], names[j]), ha="center", va="center", fontsize=9)
    cross.set_xticks(list(places), names, rotation=20, ha="right")
    cross.set_yticks([])
    cross.set_xlabel("share won against" if unit == "Elo" else "margin over")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=110)
