"""AlphaZero: tree search plays itself, and torch evaluates the leaves of all searches as one batch.

python examples/alphazero_selfplay.py --iterations 30
"""

import argparse

import numpy as np
import torch
from torch import nn

import playmat


def look_ahead(network, search, venv):
    """Searches in every row, with the network's logits and values at the leaves."""
    search.start(venv)
    while len(leaves := search.collect()):
        with torch.no_grad():
            out = network(torch.from_numpy(leaves.obs))
        search.feed(out[:, :-1].contiguous(), out[:, -1].tanh())


def play(network, search, venv, batch, steps):
    """Positions, the search's policy there, and what their players earned at the end."""
    played, positions, rows = [], [], np.arange(venv.num_envs)
    for _ in range(steps):
        look_ahead(network, search, venv)
        position = [batch.obs.copy(), search.policy(), batch.player.copy()]
        batch = venv.step(search.actions())
        played.append([*position, batch.terminated.copy(), batch.reward.copy()])
    earned, over = np.zeros_like(batch.reward), np.zeros(venv.num_envs, bool)
    for obs, policy, player, ended, reward in reversed(played):
        earned[ended], over = reward[ended], over | ended
        positions.append((obs[over], policy[over], earned[rows, player][over]))
    return [torch.from_numpy(np.concatenate(column)) for column in zip(*positions, strict=True)]


def train(game, iterations, envs=128, simulations=32, steps=12):
    size = game.observation_shape[0]
    network = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, game.num_actions + 1))
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    venv = game.vec_env(envs, dtype="f32")
    # Self-play explores: noise in the priors of the root, and actions drawn by their visits.
    spec = f"mcts:{simulations},dirichlet_alpha=1,temperature=1"
    search, batch = game.search(spec, envs, dtype="f32"), venv.reset(seed=1)
    for _ in range(iterations):
        obs, policy, earned = play(network, search, venv, batch, steps)
        for rows in torch.randperm(len(obs)).split(64):
            out = network(obs[rows])
            loss = nn.functional.cross_entropy(out[:, :-1], policy[rows])
            loss = loss + nn.functional.mse_loss(out[:, -1].tanh(), earned[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return network


def won(game, network, simulations=32, episodes=500):
    """The share of episodes that search with the network wins against random play."""
    venv = game.vec_env(64, view="single", learner="rotate", opponents="random", dtype="f32")
    search = game.search(f"mcts:{simulations}", 64, dtype="f32")
    venv.reset(seed=1)
    while venv.results()["episodes"] < episodes:
        look_ahead(network, search, venv)
        venv.step(search.actions())
    return venv.results()["wins"] / venv.results()["episodes"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=30)
    torch.manual_seed(1)
    game = playmat.Game("tic_tac_toe")
    network = train(game, parser.parse_args().iterations)
    print("won against random play:", won(game, network))
