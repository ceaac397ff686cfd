"""MaskablePPO of sb3-contrib on playmat: Connect Four against the random and the greedy agent.

python examples/sb3_maskable_ppo.py [steps, default: 100000]
"""

import sys

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

import playmat.sb3

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
torch.set_num_threads(1)  # the network is small
opponents = {"random": 1, "greedy": 1}
env = playmat.sb3.VecEnv("connect_four", 64, opponents=opponents, learner="rotate")
model = MaskablePPO(
    "MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=4, learning_rate=1e-3, seed=1
)


def judge(moment: str) -> None:
    """Prints the mean return of 400 episodes against each agent."""
    for agent in opponents:
        test = playmat.sb3.VecEnv("connect_four", 64, opponents=agent, learner="rotate")
        test.seed(2)
        mean, deviation = evaluate_policy(model, test, 400)
        print(f"{moment}: return {mean:+.2f} (deviation {deviation:.2f}) against {agent}")


judge("before training")
model.learn(steps)
judge(f"after {model.num_timesteps} steps")
