"""``playmat demo``: from nothing to an agent, a curve and a game to look at, in minutes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import playmat
from playmat.train.config import TrainConfig
from playmat.train.evaluate import Agent
from playmat.train.ppo import Trainer


def record(game: playmat.Game, agent: Agent, seat: int, opponent: str, seed: int) -> playmat.Env:
    """A finished episode of the agent in one seat and a bot in the others."""
    env = game.env(seed)
    while not env.done:
        if env.current_player == seat:
            action = agent.act(env.observation()[None], env.action_mask()[None])[0]
        else:
            action = env.bot_action(opponent)
        env.step(int(action))
    return env


def demo(name: str, config: TrainConfig, out: Path) -> Trainer:
    """Trains, then writes ``replay.html`` and ``replay.json`` beside what :meth:`Trainer.run`
    writes.
    """
    trainer = Trainer(name, {}, config, out)
    trainer.run()
    seat = int(np.random.default_rng(config.seed).integers(trainer.game.num_players))
    env = record(trainer.judged, trainer.agent(), seat, "greedy", config.seed)
    replay = env.replay()
    replay.save(out / "replay.json")
    title = f"{trainer.game.title}: the trained agent (player {seat}) against greedy"
    page = playmat.replay_html(replay, title=title)
    (out / "replay.html").write_text(page, encoding="utf-8")
    return trainer
