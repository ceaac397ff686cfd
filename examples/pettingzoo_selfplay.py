"""Self-play with PettingZoo's API: tabular policy gradient for Kuhn poker.

python examples/pettingzoo_selfplay.py --episodes 20000
"""

import argparse
from collections import defaultdict

import numpy as np

import playmat.pettingzoo


def policy(table, observation):
    """Probabilities of the legal actions from what one player sees."""
    logits = np.where(observation["action_mask"], table[observation["observation"].tobytes()], -1e9)
    odds = np.exp(logits - logits.max())
    return odds / odds.sum()


def train(env, episodes, rate, random):
    """One table plays all players; every choice is weighted with what its player earned."""
    table = defaultdict(lambda: np.zeros(env.action_space("player_0").n))
    for _ in range(episodes):
        env.reset(seed=int(random.integers(2**32)))
        choices, returns = [], {}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            returns[agent] = returns.get(agent, 0.0) + reward
            action = None
            if not (termination or truncation):
                odds = policy(table, observation)
                action = random.choice(len(odds), p=odds)
                choices.append((agent, observation["observation"].tobytes(), action, odds))
            env.step(action)
        for agent, key, action, odds in choices:
            table[key] += rate * returns[agent] * (np.eye(len(odds))[action] - odds)
    return table


def evaluate(game, table, random, episodes=2000):
    """Mean return of the table against the random agent, each player in turn."""
    total = 0.0
    for episode in range(episodes):
        env, learner = game.env(episode), episode % game.num_players
        while not env.done:
            seen = {"observation": env.observation(), "action_mask": env.action_mask()}
            odds = policy(table, seen) if env.current_player == learner else None
            env.step(env.sample_action() if odds is None else random.choice(len(odds), p=odds))
        total += env.returns[learner]
    return total / episodes


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=20000)
    env, random = playmat.pettingzoo.env("kuhn_poker"), np.random.default_rng(1)
    table = train(env, parser.parse_args().episodes, 0.05, random)
    print("chips a hand against random play:", evaluate(env.game, table, random))
