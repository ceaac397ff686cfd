"""AlphaZero: tree search plays itself, and torch evaluates the leaves of all searches as one batch.

python examples/alphazero_selfplay.py --game connect_four --save policy.onnx
playmat arena connect_four --agents greedy mcts:100 mcts:64,c=1,policy=policy.onnx

For two players. The reward is the outcome: one player wins what the other loses.
"""

import argparse
import random
import time
from collections import deque

import numpy as np
import torch
from torch import nn

import playmat
from playmat.train.evaluate import wilson

OPTIONS = {  # They suit connect_four; other games change some of them.
    "iterations": 300, "evaluate": 30, "episodes": 400, "search": "mcts:64,c=1", "explore": 8,
    "envs": 128, "steps": 16, "window": 40_000, "reuse": 8, "batch": 256, "hidden": 256, "seed": 1,
}  # fmt: skip
GAMES = {"tic_tac_toe": {"iterations": 30, "evaluate": 10, "search": "mcts:32", "hidden": 64}}


class Network(nn.Module):
    """Logits, and values of -1 to 1, of the player that sees the observation."""

    def __init__(self, game, hidden):
        super().__init__()
        first, second = nn.Linear(*game.observation_shape, hidden), nn.Linear(hidden, hidden)
        self.body = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        self.logits, self.value = nn.Linear(hidden, game.num_actions), nn.Linear(hidden, 1)

    def forward(self, obs):
        hidden = self.body(obs)
        return self.logits(hidden), self.value(hidden).squeeze(1).tanh()


def look_ahead(network, search, venv, mask=None):
    search.start(venv, mask=mask)
    while len(leaves := search.collect()):
        with torch.no_grad():
            search.feed(*network(torch.from_numpy(leaves.obs)))


def self_play(game, network, options):
    """Of the episodes that ended: positions, the search's policy, and what their player earned."""
    search = game.search(f"{options.search},dirichlet_alpha=1", options.envs, dtype="f32")
    venv = game.vec_env(options.envs, dtype="f32")
    batch, episodes = venv.reset(seed=options.seed), [[] for _ in range(options.envs)]
    for _ in range(options.iterations):
        ended = []
        for _ in range(options.steps):
            look_ahead(network, search, venv)
            policy, best, drawn = search.policy(), search.actions(0), search.actions(1)
            # Openings vary. Later the best action is played, so that the outcome tells who led.
            early = np.array([len(episode) < options.explore for episode in episodes])
            for row, episode in enumerate(episodes):
                episode.append((batch.obs[row].copy(), policy[row], batch.player[row]))
            batch = venv.step(np.where(early, drawn, best))
            for row in np.flatnonzero(batch.terminated):
                earned = batch.reward[row].copy()
                ended += [(obs, target, earned[player]) for obs, target, player in episodes[row]]
                episodes[row] = []
        yield ended


def train(game, options):
    """Yields the network, first untrained and then after every iteration."""
    network, window = Network(game, options.hidden), deque(maxlen=options.window)
    optimizer = torch.optim.Adam(network.parameters())
    yield network
    for ended in self_play(game, network, options):
        window.extend(ended)
        for _ in range(options.reuse * len(ended) // options.batch):
            columns = zip(*random.choices(window, k=options.batch), strict=True)
            obs, policy, earned = (torch.from_numpy(np.stack(column)) for column in columns)
            logits, values = network(obs)
            loss = nn.functional.cross_entropy(logits, policy)
            loss = loss + nn.functional.mse_loss(values, earned)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        yield network


def won(game, network, opponent, options):
    """The share of episodes that the search wins (draws count half), with its 95% interval."""
    rows = options.episodes  # One episode each: otherwise short ones would count more often.
    venv = game.vec_env(rows, view="single", learner="rotate", opponents=opponent, dtype="f32")
    search = game.search(options.search, rows, dtype="f32")
    playing, wins = np.ones(rows, bool), 0.0
    venv.reset(seed=options.seed)
    while playing.any():
        look_ahead(network, search, venv, playing)
        batch = venv.step(np.where(playing, search.actions(), venv.sample_actions()))
        over = playing & batch.terminated
        wins += (batch.learner_reward[over] / 2 + 0.5).sum()
        playing &= ~over
    return wilson(wins, rows)


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="tic_tac_toe")
    parser.add_argument("--save", metavar="policy.onnx")
    for name, default in OPTIONS.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.set_defaults(**GAMES.get(parser.parse_args(arguments).game, {}))
    options = parser.parse_args(arguments)
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # The network is small.
    game = playmat.Game(options.game, players=2, reward="outcome")
    shares, minutes, start = [], 0, time.process_time()
    for iteration, network in enumerate(train(game, options)):
        if iteration % options.evaluate == 0 or iteration == options.iterations:
            minutes += (time.process_time() - start) / 60
            shares.append([won(game, network, agent, options) for agent in ("random", "greedy")])
            text = "won {} against random, {} against greedy".format(
                *(s.percent() for s in shares[-1])
            )
            print(f"iteration {iteration}, {minutes:.1f} minutes: {text}", flush=True)
            start = time.process_time()
    if options.save:
        print(playmat.export_policy(network, game, options.save))
    return shares


if __name__ == "__main__":
    main()
