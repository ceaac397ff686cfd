"""A round robin of agents, and ratings with intervals from it. Only checkpoints need torch.

Every pair of agents A and B plays the same number of episodes. In an episode one of them plays one
player and the other agent all others; each arrangement plays the same seeds, and each pair has
seeds of its own. In a one-player game both play the same seeds.

Ratings follow the measure of the game (:func:`playmat.train.evaluate.measure`):

* `win_rate`: Bradley-Terry ratings on the scale of Elo: 400 points more are ten times the odds of
  winning. In an episode each player of A is compared with each player of B by their returns; A
  wins the share of these comparisons in which its return is higher, draws counting half.
* `return`: the margin of A over B is the mean, over all their episodes, of A's return less the mean
  return of all players (where B plays one player: with the roles and the sign exchanged). In a
  two-player zero-sum game that is A's mean return against B, for one player the difference of
  the two returns. The rating of an agent is the mean of its margins over all agents, itself
  included with 0: the least-squares fit of margins as differences of ratings, in units of
  return. Their intervals take seeds as independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.agents import refusal_of
from playmat.train.evaluate import PARALLEL, Agent, PolicyAgent, Z, measure, shares

#: Prior of each rating: so many draws against an agent rated 0. It keeps ratings finite.
PRIOR = 1.0
#: Elo points per natural logarithm of odds.
ELO = 400 / math.log(10)
#: A number per episode, in arrays by arrangement; the k-th of each array is of the same seed.
Records = list[NDArray[np.float64]]


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
    games: int


@dataclass(frozen=True)
class RoundRobin:
    """A finished round robin of n agents."""

    agents: tuple[str, ...]
    measure: str
    #: [i, j]: episodes of i and j.
    games: NDArray[np.int64]
    #: [i, j]: how many of these i won.
    won: NDArray[np.float64]
    #: [i, j]: mean margin of i over j, and its standard error.
    margin: NDArray[np.float64]
    error: NDArray[np.float64]
    #: [i]: mean return of i in all its episodes, and its standard error.
    mean_return: NDArray[np.float64]
    return_error: NDArray[np.float64]

    def ratings(self) -> list[Rating]:
        """Best first."""
        n = len(self.agents)
        if self.measure == "win_rate":
            points, errors = bradley_terry(self.won)
        else:
            points, errors = self.margin.sum(1) / n, np.sqrt((self.error**2).sum(1)) / n
        rows = [
            Rating(
                name, self.measure, float(points[i]), float(Z * errors[i]),
                float(self.mean_return[i]), float(Z * self.return_error[i]),
                float(self.won[i].sum() / max(1, self.games[i].sum())), int(self.games[i].sum()),
            )
            for i, name in enumerate(self.agents)
        ]  # fmt: skip
        return sorted(rows, key=lambda row: -row.rating)


def bradley_terry(won: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings [n] in Elo points (mean 0) and their standard errors from episodes won [n, n].

    The mode of the posterior under ``PRIOR``, by Newton's method; errors from the curvature there.
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
    covariance = centre @ np.linalg.inv(hessian) @ centre
    return ELO * (strength - strength.mean()), ELO * np.sqrt(np.maximum(0, np.diag(covariance)))


def load_agent(spec: str, game: playmat.Game, play: str | None, seed: int) -> Agent | str:
    """The name of an agent of the engine, otherwise the agent of a checkpoint file.

    Raises:
        playmat.InvalidArgument: Neither an agent of the engine nor a file.
        playmat.WrongIdentity: The checkpoint is of another game or configuration.
    """
    reason = refusal_of(spec, game)
    if reason is None:
        return game.agent(spec).name
    path = Path(spec)
    if not path.is_file():
        raise playmat.InvalidArgument(f"argument `agents`: {reason}, or a checkpoint file")
    from playmat.train import checkpoint

    state = checkpoint.read(path)
    there = playmat.Game(state["game"], **state["options"])
    if there.name != game.name:
        raise playmat.WrongIdentity(
            f"checkpoint `{path}` does not fit: game is `{there.name}`, this is `{game.name}`"
        )
    here = (game.num_players, game.observation_layout.names, game.num_actions)
    if here != (there.num_players, there.observation_layout.names, there.num_actions):
        raise playmat.WrongIdentity(
            f"checkpoint `{path}` does not fit: it was trained with options {there.options}"
        )
    network = checkpoint.network_of(state, path)
    return PolicyAgent(network, play or checkpoint.config_of(state).play, seed, path.stem)


def round_robin(
    name: str, options: Mapping[str, Any], specs: Sequence[str], games: int, seed: int = 0,
    play: str | None = None, threads: int = 1,
) -> RoundRobin:  # fmt: skip
    """Plays exactly ``games`` episodes of each pair of agents (specs or checkpoint files),
    divided among the arrangements as evenly as possible.

    Raises:
        playmat.InvalidArgument: Fewer than two agents, or one twice.
    """
    game = playmat.Game(name, **options)
    # A search has several specs: each is compared by its name.
    names = [game.agent(spec).name if refusal_of(spec, game) is None else spec for spec in specs]
    if len(specs) < 2 or len(set(names)) < len(names):
        raise playmat.InvalidArgument(
            f"argument `agents`: got {', '.join(specs)}; wanted at least two, each once"
        )
    agents = [load_agent(spec, game, play, seed + i) for i, spec in enumerate(specs)]
    n = len(agents)
    won, played = np.zeros((n, n)), np.zeros((n, n), np.int64)
    margin, error = np.zeros((n, n)), np.zeros((n, n))
    returns: list[list[Records]] = [[] for _ in agents]
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for number, (i, j) in enumerate(pairs):
        pair = play_pair(game, agents[i], agents[j], games, seed + number, threads)
        played[i, j] = played[j, i] = games
        won[i, j], won[j, i] = pair.won, games - pair.won
        margin[i, j], error[i, j] = clustered([pair.margins])
        margin[j, i], error[j, i] = -margin[i, j], error[i, j]
        returns[i].append(pair.first)
        returns[j].append(pair.second)
    means = [clustered(records) for records in returns]
    return RoundRobin(
        tuple(_names(specs)), measure(game), played, won, margin, error,
        np.array([mean for mean, _ in means]), np.array([error for _, error in means]),
    )  # fmt: skip


def _names(specs: Sequence[str]) -> list[str]:
    """Short names, unless two of them are the same."""
    short = [Path(spec).stem if Path(spec).is_file() else spec for spec in specs]
    return short if len(set(short)) == len(short) else list(specs)


def clustered(groups: Sequence[Records]) -> tuple[float, float]:
    """Mean of all numbers of all groups, and its standard error: seeds are independent, episodes of
    the same seed in one group are not. Infinite for fewer than two seeds.
    """
    count = sum(len(games) for records in groups for games in records)
    mean = sum(float(games.sum()) for records in groups for games in records) / count
    seeds, squares = 0, 0.0
    for records in groups:
        total = np.zeros(max(len(games) for games in records))
        for games in records:
            total[: len(games)] += games - mean
        seeds += len(total)
        squares += float(np.square(total).sum())
    if seeds < 2:
        return mean, math.inf
    return mean, math.sqrt(squares * seeds / (seeds - 1)) / count


@dataclass(frozen=True)
class Pair:
    """The episodes of two agents."""

    #: Episodes that the first won, with fractions.
    won: float
    #: Margins of the first over the second.
    margins: Records
    #: Returns of the first and of the second: the mean of the players that it played.
    first: Records
    second: Records


def play_pair(
    game: playmat.Game, one: Agent | str, two: Agent | str, games: int, seed: int, threads: int
) -> Pair:
    """Plays exactly so many episodes of two agents."""
    players = game.num_players
    if players == 1:
        first, second = (
            play(game, [agent], games, games, seed, threads)[:, 0] for agent in (one, two)
        )
        won = float(np.sum(first > second)) + float(np.sum(first == second)) / 2
        return Pair(won, [first - second], [first], [second])
    # Whether the first agent plays one player, and which player one agent plays.
    arrangements = [(alone, player) for player in range(players) for alone in (True, False)]
    if players == 2:
        arrangements = [(True, 0), (True, 1)]
    won = 0.0
    pair = Pair(0.0, [], [], [])
    for (alone, player), count in zip(arrangements, shares(games, len(arrangements)), strict=True):
        single, rest = (one, two) if alone else (two, one)
        agents = [single if k == player else rest for k in range(players)]
        parallel = -(-games // len(arrangements))
        returns = play(game, agents, int(count), parallel, seed, threads)
        own, others = returns[:, player], np.delete(returns, player, axis=1)
        better = (own[:, None] > others) + (own[:, None] == others) / 2
        won += float((better if alone else 1 - better).mean(1).sum())
        ahead = own - returns.mean(1)
        pair.margins.append(ahead if alone else -ahead)
        (pair.first if alone else pair.second).append(own)
        (pair.second if alone else pair.first).append(others.mean(1))
    return replace(pair, won=won)


def play(
    game: playmat.Game, agents: Sequence[Agent | str], games: int, parallel: int, seed: int,
    threads: int,
) -> NDArray[np.float64]:  # fmt: skip
    """Plays episodes with these agents as players. Returns of all players [games, players], in the
    same order of seeds for the same ``parallel`` and ``seed``.
    """
    envs = min(parallel, PARALLEL)
    returns = np.zeros((games, game.num_players))
    if games == 0:
        return returns
    # Bots play inside the engine, but one player must act here: the random ones, which are as fast
    # here, or the first.
    here = [not isinstance(agent, str) for agent in agents]
    if not any(here):
        here = [agent == "random" for agent in agents]
    if not any(here):
        here[0] = True
    roles = ["learner" if acts else str(agent) for acts, agent in zip(here, agents, strict=True)]
    acting = {id(agent): agent for acts, agent in zip(here, agents, strict=True) if acts}
    engine = {agent: game.agent(agent) for agent in acting.values() if isinstance(agent, str)}
    with game.vec_env(envs, threads=threads, seats=roles) as venv:
        batch = venv.reset(seed=seed)
        quota, done = shares(games, envs), np.zeros(envs, np.int64)
        while (done < quota).any():
            actions = np.zeros(envs, np.int64)
            for agent in acting.values():
                players = [player for player, other in enumerate(agents) if other is agent]
                rows = np.isin(batch.player, players)
                if not rows.any():
                    continue
                if agent == "random":
                    actions[rows] = venv.sample_actions()[rows]
                elif isinstance(agent, str):
                    actions[rows] = engine[agent].act_batch(venv)[rows]
                else:
                    actions[rows] = agent.act(batch.obs[rows], batch.action_mask[rows])
            batch = venv.step(actions)
            ended = np.flatnonzero((batch.terminated | batch.truncated) & (done < quota))
            returns[ended + envs * done[ended]] = batch.episode_return[ended]
            done[ended] += 1
    return returns


def draw_ratings(ratings: Sequence[Rating], title: str, path: Path) -> None:
    """Draws ratings with their intervals."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.2 + 0.5 * len(ratings)), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    places = range(len(ratings))
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
    axis.set_title(title)
    axis.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=110)
