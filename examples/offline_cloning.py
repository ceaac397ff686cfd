"""Behaviour cloning: records greedy play as a data set, learns from it, plays against random.

Needs `pip install 'playmat[datasets]' torch`.
"""

import argparse
import tempfile

import numpy as np
import torch

import playmat
from playmat import datasets


def learn(data: datasets.Dataset, game: playmat.Game, epochs: int) -> torch.nn.Module:
    """A network from observations to logits that imitates the recorded actions."""
    torch.manual_seed(0)
    first = torch.nn.Linear(game.observation_shape[0], 256)
    net = torch.nn.Sequential(first, torch.nn.ReLU(), torch.nn.Linear(256, game.num_actions))
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(epochs):
        for batch in data.batches(512, fields=["obs", "action_mask", "action"], shuffle=epoch):
            logits = net(torch.from_numpy(batch["obs"]).float())
            logits = logits.masked_fill(~torch.from_numpy(batch["action_mask"]), -1e9)
            loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(batch["action"]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")
    return net


def win_rate(net: torch.nn.Module, game: playmat.Game, episodes: int) -> float:
    """Share of episodes won against random play, draws as halves; every player in turn."""
    venv = game.vec_env(64, view="single", learner="rotate", opponents="random")
    batch = venv.reset(seed=1)
    while (results := venv.results())["episodes"] < episodes:
        with torch.no_grad():
            logits = net(torch.from_numpy(batch.obs).float()).numpy()
        batch = venv.step(np.where(batch.action_mask, logits, -np.inf).argmax(1))
    return (results["wins"] + results["draws"] / 2) / results["episodes"]


def main(name: str, episodes: int, out: str, epochs: int = 4, eval_episodes: int = 1000) -> float:
    game = playmat.Game(name)
    datasets.record(game, ["greedy"], episodes, out, seed=1)
    net = learn(datasets.read(out, game), game, epochs)
    return win_rate(net, game, eval_episodes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--episodes", type=int, default=3000)
    parser.add_argument("--out", default=tempfile.mkdtemp())
    given = parser.parse_args()
    rate = main(given.game, given.episodes, given.out)
    print(f"the clone of greedy wins {rate:.1%} of its episodes of {given.game} against random")
