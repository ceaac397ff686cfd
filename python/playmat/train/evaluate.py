"""Evaluation: episodes against the engine's agents in which an agent plays every player in turn,
and their statistics. Only networks need torch.

The measure follows the game's reward: the win rate if that is `outcome`, otherwise the mean return
with the win rate beside it. In a game for stakes, whoever wins more may have the lower return.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid, wrong_identity

if TYPE_CHECKING:
    import torch

    from playmat.train.encoders.network import Network

#: Standard deviations of a 95% interval.
Z = 1.959964
#: Episodes played at once.
PARALLEL = 256


class Interrupted(Exception):
    """An evaluation ended before its last episode: there is no result."""


class BatchPolicy(Protocol):
    """Chooses an action for each of a batch of observations."""

    name: str

    @property
    def takes_greedy(self) -> bool:
        """Whether it needs the greedy agent's actions."""
        ...

    def act(
        self, obs: NDArray[np.uint8], mask: NDArray[np.bool_],
        greedy: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Legal actions [N] for observations uint8 [N, O] and masks bool [N, A]; ``greedy``: the
        actions [N] of the greedy agent, given if it needs them.
        """
        ...


class PolicyAgent:
    """A trained network as an agent. ``play``: ``best`` takes the likeliest action, ``sample``
    samples one.
    """

    def __init__(self, network: Network, play: str = "best", seed: int = 0, name: str = "policy"):
        import torch

        self.network, self.play, self.name = network, play, name
        self.generator = torch.Generator().manual_seed(seed)

    @property
    def takes_greedy(self) -> bool:
        """Whether the network reads the greedy agent's actions."""
        return self.network.takes_greedy

    def act(
        self, obs: NDArray[np.uint8], mask: NDArray[np.bool_],
        greedy: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:  # fmt: skip
        """See :class:`BatchPolicy`.

        Raises:
            TypeError: The network reads the greedy agent's actions, and they are not given.
        """
        logits = self._logits(obs, mask, greedy)
        if self.play == "best":
            action = logits.argmax(1).cpu()
        else:
            action = draw(logits.softmax(1), self.generator)
        result: NDArray[np.int64] = action.numpy()
        return result

    def probabilities(
        self, obs: NDArray[np.uint8], mask: NDArray[np.bool_], player: NDArray[np.int32],
        greedy: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """The probability of each action [N, A], for :func:`playmat.exploitability`: 1 for the
        likeliest action with ``best``.
        """
        logits = self._logits(obs, mask, greedy)
        policy: NDArray[np.float64] = logits.double().softmax(1).cpu().numpy()
        if self.play == "best":
            policy = np.eye(logits.shape[1])[logits.argmax(1).cpu().numpy()]
        return policy

    def _logits(
        self, obs: NDArray[np.uint8], mask: NDArray[np.bool_], greedy: NDArray[np.int64] | None
    ) -> torch.Tensor:
        import torch

        given = [obs, mask] if greedy is None else [obs, mask, greedy]
        with torch.no_grad():
            device = self.network.device
            logits: torch.Tensor = self.network(
                *(torch.from_numpy(array).to(device) for array in given)
            )[0]
        return logits

    def __call__(
        self, obs: NDArray[np.uint8], mask: NDArray[np.bool_], player: NDArray[np.int32],
        greedy: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:  # fmt: skip
        """As an opponent of a batch, see ``Game.agent``."""
        return self.act(obs, mask, greedy)


def load_policy(
    file: str | Path, game: playmat.Game, play: str | None = None, seed: int = 0
) -> PolicyAgent:
    """The policy of a checkpoint, an opponent for ``Game.vec_env`` and ``VecEnv.add_opponent``.

    Args:
        play: ``best`` plays the likeliest action, ``sample`` samples one; without it what the
            training run evaluated with. Samples depend on how rows are divided into calls.
        seed: Of samples.

    Raises:
        playmat.InvalidArgument: There is no such file.
        playmat.Unreadable: It is no checkpoint.
        playmat.WrongIdentity: It is of another game or configuration.
    """
    from playmat.train import checkpoint

    path = Path(file)
    if not path.is_file():
        raise invalid("file", f"got `{path}`; there is no such file")
    state = checkpoint.read(path)
    there = playmat.Game(state["game"], **state["options"])
    if there.name != game.name:
        reason = f"game is `{there.name}`, this is `{game.name}`"
        raise wrong_identity(f"checkpoint `{path}`", "game", there.name, game.name, reason)
    here = (game.num_players, game.observation_layout.names, game.num_actions)
    if here != (there.num_players, there.observation_layout.names, there.num_actions):
        had, reason = there.options, f"it was trained with options {there.options}"
        raise wrong_identity(f"checkpoint `{path}`", "options", had, game.options, reason)
    network = checkpoint.network_of(state, path)
    return PolicyAgent(network, play or checkpoint.config_of(state).play, seed, str(file))


def draw(probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Samples one index per row of probabilities [N, A], never one of probability 0. Samples on the
    CPU, so that the same seed means the same on every device.
    """
    import torch

    upto = probabilities.cpu().cumsum(1)
    # One uniform number per row: a random number per action costs ten times as much.
    at = torch.rand(len(upto), 1, generator=generator) * upto[:, -1:]
    # Clamped for NaN only, which is larger than all: a run that diverges says so itself.
    return torch.searchsorted(upto, at, right=True).squeeze(1).clamp_max_(upto.shape[1] - 1)


class Interval(NamedTuple):
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    def percent(self) -> str:
        """As a share: ``67.3% (64.4% to 70.2%)``."""
        return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%})"

    def __str__(self) -> str:
        return f"{self.value:.3g} ({self.low:.3g} to {self.high:.3g})"


def mean_interval(values: Sequence[float] | NDArray[np.float64]) -> Interval:
    """Mean of independent values with its normal 95% interval; without bounds for fewer than two
    values.
    """
    if len(values) == 0:
        return Interval(math.nan, -math.inf, math.inf)
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    margin = Z * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - margin, mean + margin)


def wilson(successes: float, trials: float, z: float = Z) -> Interval:
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
    """The result of an agent against one opponent."""

    opponent: str
    episodes: int
    #: What the agent is measured by: `win_rate` or `return`, see :func:`measure`.
    measure: str
    #: The agent's mean return.
    returns: Interval
    #: Episodes in which no return was higher than the agent's and one was lower; in which all were
    #: equal; in which one was higher. All 0 in a one-player game.
    wins: int = 0
    draws: int = 0
    losses: int = 0
    #: In a one-player game: the mean return of the opponent in as many episodes of its own.
    opponent_returns: Interval | None = None

    @property
    def win_rate(self) -> Interval:
        """Share of episodes won, draws counting half."""
        return wilson(self.wins + self.draws / 2, self.episodes)

    @property
    def measured(self) -> Interval:
        """The measure with its interval."""
        return self.win_rate if self.measure == "win_rate" else self.returns

    def __str__(self) -> str:
        if self.opponent_returns is not None:
            return (
                f"{self.episodes} episodes: mean return {self.returns}; "
                f"{self.opponent}: {self.opponent_returns}"
            )
        won = f"won {self.win_rate.percent()} of {self.episodes} episodes"
        counts = f"({self.wins} won, {self.draws} drawn, {self.losses} lost)"
        if self.measure == "win_rate":
            return f"against {self.opponent}: {won} {counts}"
        return f"against {self.opponent}: mean return {self.returns}, {won} {counts}"


def measure(game: playmat.Game) -> str:
    """The measure of agents: `win_rate` if the reward is `outcome`, otherwise `return`."""
    return "win_rate" if game.reward == "outcome" else "return"


def shares(episodes: int, parts: int) -> NDArray[np.int64]:
    """A number divided as evenly as possible; the first parts get one more."""
    return episodes // parts + (np.arange(parts) < episodes % parts).astype(np.int64)


def evaluate(
    game: playmat.Game, agent: BatchPolicy, opponent: playmat.Agent | str, episodes: int, seed: int,
    threads: int = 1, may_continue: Callable[[], bool] | None = None, *, name: str | None = None,
) -> Result:  # fmt: skip
    """Plays exactly so many episodes against an opponent that plays all other players. The agent
    plays every player equally often, or one episode more of some players.

    How many episodes each environment plays as which player is fixed beforehand, so that long ones
    count as much as short ones. An episode that ends before the agent acts does not count. In a
    one-player game the opponent plays as many episodes of its own.

    Args:
        game: Its reward decides the measure, see :func:`measure`.
        opponent: An agent of the game or the spec of one: ``random`` or ``greedy``.
        may_continue: Called before every step.
        name: What the result calls the opponent; without, its name.

    Raises:
        Interrupted: ``may_continue`` returned False.
    """
    players = game.num_players
    envs = min(episodes, max(1, PARALLEL // players) * players)
    # The learner is the next player in each episode, beginning with the environment's number. All
    # environments play as many episodes or one more, and so does the agent as each player.
    left = np.zeros((envs, players), np.int64)
    for env, count in enumerate(shares(episodes, envs)):
        for episode in range(count):
            left[env, (env + episode) % players] += 1
    greedy_agent = game.agent("greedy") if agent.takes_greedy else None
    roles: dict[str, Any] = {} if players == 1 else {"learner": "rotate", "opponents": opponent}
    found: list[NDArray[np.float64]] = []
    own: list[NDArray[np.float64]] = []
    with game.vec_env(envs, threads=threads, **roles) as venv:
        batch = venv.reset(seed=seed)
        while left.any():
            if may_continue is not None and not may_continue():
                raise Interrupted
            greedy = greedy_agent.act_batch(venv) if greedy_agent is not None else None
            batch = venv.step(agent.act(batch.obs, batch.action_mask, greedy))
            ended = np.flatnonzero(batch.terminated | batch.truncated)
            player = (
                np.argmax(batch.final_opponent[ended] < 0, axis=1) if players > 1 else 0 * ended
            )
            wanted = left[ended, player] > 0
            ended, player = ended[wanted], player[wanted]
            left[ended, player] -= 1
            found.append(np.asarray(batch.episode_return[ended], np.float64))
            own.append(found[-1][np.arange(len(ended)), player])
    returns, mine = np.concatenate(found), np.concatenate(own)
    name = name or (opponent if isinstance(opponent, str) else opponent.name)
    result = Result(name, len(mine), measure(game), mean_interval(mine))
    if players == 1:
        alone = game.survey(episodes, seed, [opponent])["returns"][0]
        error = alone["deviation"] / math.sqrt(max(1, episodes - 1))
        margin = Z * error if episodes > 1 else math.inf
        mean = float(alone["mean"])
        return replace(result, opponent_returns=Interval(mean, mean - margin, mean + margin))
    best, least = returns.max(1), returns.min(1)
    wins, draws = int(np.sum((mine == best) & (mine > least))), int(np.sum(best == least))
    return replace(result, wins=wins, draws=draws, losses=len(mine) - wins - draws)
