"""How well an agent plays: games against the engine's bots with seats in rotation, and what the
numbers are worth. Needs torch only where a network plays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import playmat

if TYPE_CHECKING:
    import torch

    from playmat.train.network import Network

#: Bots that the engine plays itself.
BOTS = ("random", "greedy")
#: Standard deviations of a 95% interval.
Z = 1.959964
#: Episodes played at once.
PARALLEL = 256


class Agent(Protocol):
    """Anything that plays: an action per row of observations."""

    name: str

    def act(self, obs: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Legal actions [N] for observations uint8 [N, O] and masks bool [N, A]."""
        ...


class PolicyAgent:
    """A trained network as a player. ``play``: ``best`` takes the likeliest action, ``sample``
    draws one.
    """

    def __init__(self, network: Network, play: str = "best", seed: int = 0, name: str = "policy"):
        import torch

        self.network, self.play, self.name = network, play, name
        self.generator = torch.Generator().manual_seed(seed)

    def act(self, obs: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """See :class:`Agent`."""
        import torch

        with torch.no_grad():
            logits, _ = self.network(torch.from_numpy(obs), torch.from_numpy(mask))
            if self.play == "best":
                action = logits.argmax(1)
            else:
                action = draw(logits.softmax(1), self.generator)
        result: NDArray[np.int64] = action.numpy()
        return result


def draw(probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """One index per row with these probabilities [N, A]; never one of probability 0."""
    import torch

    race = torch.empty_like(probabilities).exponential_(generator=generator)
    # The one that arrives first: rates are the probabilities.
    return (probabilities / race.clamp_min_(1e-30)).argmax(1)


class Interval(NamedTuple):
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"


def wilson(successes: float, trials: int, z: float = Z) -> Interval:
    """Wilson's score interval of a share; half successes (draws) are allowed."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    share = successes / trials
    scale = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    margin = z / scale * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    return Interval(share, max(0.0, middle - margin), min(1.0, middle + margin))


@dataclass(frozen=True)
class Result:
    """What an agent reached against one opponent."""

    opponent: str
    games: int
    #: By the agent's outcome: above, at or below 0. All 0 in a one-player game.
    wins: int = 0
    draws: int = 0
    losses: int = 0
    #: One-player games: mean score with its interval, and the bot's.
    score: Interval | None = None
    opponent_score: float = math.nan

    @property
    def rate(self) -> Interval:
        """Share of games won, draws counting half."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def summary(self) -> float:
        """What a learning curve shows: share of games won, for one player the mean score."""
        return self.rate.value if self.score is None else self.score.value

    def __str__(self) -> str:
        if self.score is not None:
            mean, low, high = self.score
            return (
                f"{self.games} games: mean score {mean:.2f} ({low:.2f} to {high:.2f}); "
                f"{self.opponent}: {self.opponent_score:.2f}"
            )
        return (
            f"against {self.opponent}: won {self.rate} of {self.games} games "
            f"({self.wins} won, {self.draws} drawn, {self.losses} lost)"
        )


def evaluation_game(name: str, options: Mapping[str, Any]) -> playmat.Game:
    """The game as it is judged: by outcome, for one player by score."""
    alone = playmat.Game(name, **options).num_players == 1
    return playmat.Game(name, **{**options, "reward": "score" if alone else "outcome"})


def evaluate(
    game: playmat.Game, agent: Agent, opponent: str, games: int, seed: int, threads: int = 1
) -> Result:
    """Plays at least ``games`` episodes against a bot in all other seats, the agent in every seat
    equally often.

    Every environment plays the same number of episodes, so that long ones count as much as short
    ones. For one player the bot plays as many episodes of its own.

    Args:
        game: As :func:`evaluation_game` makes it.
        opponent: A bot of the engine: ``random`` or ``greedy``.
    """
    players = game.num_players
    quota = -(-games // PARALLEL)
    # The seat goes round with the number of the environment.
    envs = -(-games // (quota * players)) * players
    seats: dict[str, Any] = {} if players == 1 else {"learner": "rotate", "opponents": opponent}
    paid: list[float] = []
    with game.vec_env(envs, threads=threads, **seats) as venv:
        batch = venv.reset(seed=seed)
        done = np.zeros(envs, np.int64)
        while (done < quota).any():
            batch = venv.step(agent.act(batch.obs, batch.action_mask))
            ended = np.flatnonzero((batch.terminated | batch.truncated) & (done < quota))
            done[ended] += 1
            seat = np.argmax(batch.final_opponent[ended] < 0, axis=1)
            paid.extend(batch.episode_return[ended, seat].tolist())
    if players > 1:
        returns = np.array(paid)
        wins, draws, losses = (
            int(n) for n in (sum(returns > 0), sum(returns == 0), sum(returns < 0))
        )
        return Result(opponent, len(paid), wins, draws, losses)
    margin = Z * float(np.std(paid)) / math.sqrt(len(paid))
    mean = float(np.mean(paid))
    bot = game.survey(len(paid), seed, [opponent])["scores"][0]["mean"]
    score = Interval(mean, mean - margin, mean + margin)
    return Result(opponent, len(paid), score=score, opponent_score=float(bot))
