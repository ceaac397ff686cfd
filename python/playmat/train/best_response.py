"""A learned best response: PPO that plays one player against a fixed agent, which plays all others.

What it gains over the agent itself is a lower bound, up to the interval, on what a best response
gains. Where the outcomes of chance are listed, :func:`playmat.exploitability` is exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import playmat
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.evaluate import Interval, mean_interval
from playmat.train.named import agent_of

if TYPE_CHECKING:
    from playmat.train.trainer import Trainer

#: Hyperparameters that a best response fixes: who plays, and how it is evaluated.
FIXED = ("opponent_fraction", "league", "league_updates", "opponents", "play")
#: Most environments of the agent's episodes against itself.
PARALLEL = 256


@dataclass(frozen=True)
class BestResponse:
    """The gain of a policy that was trained against an agent, in returns of the game."""

    #: The text that names the agent that is exploited.
    agent: str
    #: Episodes of the learner, in which it plays every player in turn.
    episodes: int
    #: Decisions that it was trained on.
    decisions: int
    #: The learner's mean return; the agent plays all other players.
    learned: Interval
    #: The agent's mean return in as many episodes among itself.
    own: Interval
    #: `learned` less `own`: what one player wins by leaving the agent's policy.
    gain: Interval


def best_response(
    name: str, options: Mapping[str, Any], agent: str, config: TrainConfig, out: Path | None = None
) -> tuple[BestResponse, Trainer]:
    """Trains a best response and measures it in ``config.final_episodes`` episodes.

    Args:
        name: The id of a game for two players or more.
        options: Its options; the gain is in returns of its reward.
        agent: The spec of the agent (``greedy``, ``mcts:50``, ``policy.onnx``, ...), a checkpoint
            file, or a text that names a function.
        config: Hyperparameters; those of :data:`FIXED` are set here.
        out: The folder of the run's results, see :class:`playmat.train.trainer.Trainer`.

    Returns:
        The result, and the trainer with the learned network.

    Raises:
        playmat.InvalidArgument: An unknown agent, or a game for one player.
    """
    from playmat.train.trainer import Trainer

    game = playmat.Game(name, **options)
    if game.num_players == 1:
        raise invalid(
            "game", f"`{name}` for one player has no opponents; wanted two players or more"
        )
    player = agent_of(agent, game, "policy")
    config.opponent_fraction, config.league, config.opponents, config.play = 1.0, 0, agent, "best"
    trainer = Trainer(name, options, config, out)
    learned = trainer.run()[agent]
    own = self_play(game, player, learned.episodes, config.seed + 2_000_003, config.threads)
    gain = learned.returns.value - own.value
    margin = math.hypot(
        learned.returns.high - learned.returns.value,
        own.high - own.value,
    )
    result = BestResponse(
        agent=agent,
        episodes=learned.episodes,
        decisions=trainer.ppo.decisions,
        learned=learned.returns,
        own=own,
        gain=Interval(gain, gain - margin, gain + margin),
    )
    return result, trainer


def self_play(
    game: playmat.Game, agent: playmat.Agent, episodes: int, seed: int, threads: int = 1
) -> Interval:
    """The mean return of an agent that plays all players: the mean over the players of each
    episode, so that it is exact where all episodes have the same sum.
    """
    # Each environment plays as many episodes or one more, so that long ones count as short ones.
    envs = min(episodes, PARALLEL)
    left = np.full(envs, episodes // envs) + (np.arange(envs) < episodes % envs)
    found: list[float] = []
    with game.vec_env(envs, threads=threads) as venv:
        venv.reset(seed=seed)
        while left.any():
            batch = venv.step(agent.act_batch(venv))
            ended = (batch.terminated | batch.truncated) & (left > 0)
            left[ended] -= 1
            found += batch.episode_return[ended].mean(1).tolist()
    return mean_interval(found)
