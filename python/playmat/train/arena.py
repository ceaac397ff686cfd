"""Who beats whom: a round robin of agents with seats in rotation, and ratings with intervals from
it.

Every pair meets twice: A in one seat (each in turn) and B in all the others, then the other way
round. In a game each of A's seats is compared with each of B's by what they were paid: a duel, won,
drawn or lost. Ratings are Bradley-Terry's on the scale of Elo: 400 points more are ten times the
odds in a duel. For one player, both play the same deals. Bots need no torch, checkpoints do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.train.evaluate import BOTS, PARALLEL, Agent, PolicyAgent, Z, evaluation_game

#: Duels drawn against an agent rated 0 that every agent is given: without them one that won all
#: would be rated infinity.
PRIOR = 1.0
#: Elo points per natural logarithm of odds.
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Rating:
    """An agent's rating: Elo points, mean of all agents 0, with its 95% interval, and its share of
    all duels.
    """

    agent: str
    elo: float
    margin: float
    share: float
    games: int


@dataclass(frozen=True)
class Table:
    """A finished round robin. ``won[i, j]``: duels that i won against j, draws counting half."""

    agents: tuple[str, ...]
    won: NDArray[np.float64]
    games: NDArray[np.int64]

    def ratings(self) -> list[Rating]:
        """Best first."""
        points, errors = bradley_terry(self.won)
        duels = self.won + self.won.T
        rows = [
            Rating(
                name, float(points[i]), float(Z * errors[i]),
                float(self.won[i].sum() / max(1.0, duels[i].sum())), int(self.games[i].sum()),
            )
            for i, name in enumerate(self.agents)
        ]  # fmt: skip
        return sorted(rows, key=lambda row: -row.elo)


def bradley_terry(won: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings [n] in Elo points (mean 0) and their standard errors from duels won [n, n].

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
    """A bot's name as it is, otherwise the agent of a checkpoint file.

    Raises:
        playmat.InvalidArgument: Neither a bot nor a file.
        playmat.WrongIdentity: The checkpoint is of another game or configuration.
    """
    if spec in BOTS:
        return spec
    path = Path(spec)
    if not path.is_file():
        raise playmat.InvalidArgument(
            f"argument `agents`: got `{spec}`; wanted a bot "
            f"({', '.join(BOTS)}) or a checkpoint file"
        )
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
    name: str,
    options: Mapping[str, Any],
    specs: Sequence[str],
    games: int,
    seed: int = 0,
    play: str | None = None,
    threads: int = 1,
) -> Table:
    """Lets all pairs of agents (bots or checkpoint files) play at least ``games`` games each.

    Raises:
        playmat.InvalidArgument: Fewer than two agents, or one twice.
    """
    for spec in specs:
        if len(specs) < 2 or specs.count(spec) > 1:
            got = ", ".join(specs)
            raise playmat.InvalidArgument(
                f"argument `agents`: got {got}; wanted at least two, each once"
            )
    game = evaluation_game(name, options)
    agents = [load_agent(spec, game, play, seed + i) for i, spec in enumerate(specs)]
    n = len(agents)
    won, played = np.zeros((n, n)), np.zeros((n, n), np.int64)
    alone = [_alone(game, agent, games, seed) for agent in agents] if game.num_players == 1 else []
    for i in range(n):
        for j in range(i + 1, n):
            if alone:
                won[i, j] = np.sum(alone[i] > alone[j]) + np.sum(alone[i] == alone[j]) / 2
                won[j, i], played[i, j] = games - won[i, j], games
            else:
                for one, rest in ((i, j), (j, i)):
                    duels = _meet(game, agents[one], agents[rest], -(-games // 2), seed, threads)
                    won[one, rest] += duels[0]
                    won[rest, one] += duels[1]
                    played[i, j] += duels[2]
            played[j, i] = played[i, j]
    return Table(tuple(_names(specs)), won, played)


def _names(specs: Sequence[str]) -> list[str]:
    """Short names, unless two of them are the same."""
    short = [spec if spec in BOTS else Path(spec).stem for spec in specs]
    return short if len(set(short)) == len(short) else list(specs)


def _meet(
    game: playmat.Game, one: Agent | str, rest: Agent | str, games: int, seed: int, threads: int
) -> tuple[float, float, int]:
    """``one`` in each seat in turn, ``rest`` in all the others: duels won and lost by ``one``, and
    games played.
    """
    players = game.num_players
    envs = min(-(-games // players), PARALLEL)
    quota = -(-games // (envs * players))
    won = lost = 0.0
    for seat in range(players):
        table = [one if k == seat else rest for k in range(players)]
        # Bots play inside the engine. Somebody must be asked, and random play is drawn here as
        # fast.
        asked = [not isinstance(agent, str) for agent in table]
        if not any(asked):
            asked = [agent == "random" for agent in table]
        roles = ["learner" if ask else str(agent) for ask, agent in zip(asked, table, strict=True)]
        with game.vec_env(envs, threads=threads, seats=roles) as venv:
            batch = venv.reset(seed=seed)
            done = np.zeros(envs, np.int64)
            while (done < quota).any():
                actions = venv.sample_actions().copy()
                for agent, rows in ((one, batch.player == seat), (rest, batch.player != seat)):
                    if not isinstance(agent, str) and rows.any():
                        actions[rows] = agent.act(batch.obs[rows], batch.action_mask[rows])
                batch = venv.step(actions)
                ended = np.flatnonzero((batch.terminated | batch.truncated) & (done < quota))
                done[ended] += 1
                paid = batch.episode_return[ended]
                own, others = paid[:, seat : seat + 1], np.delete(paid, seat, axis=1)
                level = float(np.sum(own == others)) / 2
                won += float(np.sum(own > others)) + level
                lost += float(np.sum(own < others)) + level
    return won, lost, envs * quota * players


def _alone(game: playmat.Game, agent: Agent | str, games: int, seed: int) -> NDArray[np.float64]:
    """Scores of a one-player game, the same deals for every agent."""
    with game.vec_env(games) as venv:
        batch = venv.reset(seed=seed)
        if isinstance(agent, str):
            steps = game.info()["max_decisions"]
            arrays = venv.rollout_arrays(steps, ["reward", "terminated", "truncated"])
            venv.rollout(agent, steps, out=arrays)
            ended = arrays["terminated"] | arrays["truncated"]
            before = np.cumsum(ended, axis=0) - ended
            return np.asarray((arrays["reward"][:, :, 0] * (before == 0)).sum(0), np.float64)
        scores, done = np.zeros(games), np.zeros(games, np.bool_)
        while not done.all():
            batch = venv.step(agent.act(batch.obs, batch.action_mask))
            ended = (batch.terminated | batch.truncated) & ~done
            scores[ended] = batch.episode_return[ended, 0]
            done |= ended
        return scores


def draw_ratings(ratings: Sequence[Rating], title: str, path: Path) -> None:
    """Draws ratings with their intervals."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.2 + 0.5 * len(ratings)), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    places = range(len(ratings))
    axis.errorbar(
        [r.elo for r in ratings], places, xerr=[r.margin for r in ratings], fmt="o", capsize=4
    )
    axis.set_yticks(list(places), [r.agent for r in ratings])
    axis.invert_yaxis()
    axis.set_xlabel("rating (Elo, mean 0) with 95% interval")
    axis.set_title(title)
    axis.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=110)
