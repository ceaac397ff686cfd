"""``playmat demo``: from nothing to an agent, a curve and a replay, in minutes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import playmat
from playmat.train.config import TrainConfig
from playmat.train.evaluate import Agent
from playmat.train.trainer import Trainer


def record(game: playmat.Game, agent: Agent, player: int, opponent: str, seed: int) -> playmat.Env:
    """A finished episode in which the agent is one player and a bot all others."""
    env = game.env(seed)
    while not env.done:
        if env.current_player == player:
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
    player = int(np.random.default_rng(config.seed).integers(trainer.game.num_players))
    env = record(trainer.eval_game, trainer.agent(), player, "greedy", config.seed)
    replay = env.replay()
    replay.save(out / "replay.json")
    title = f"{trainer.game.title}: the trained agent (player {player}) against greedy"
    page = playmat.replay_html(replay, title=title)
    (out / "replay.html").write_text(page, encoding="utf-8")
    return trainer
