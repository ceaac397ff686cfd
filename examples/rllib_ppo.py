"""PPO with RLlib: one policy, all players, two actors. examples/rllib_ppo.py --game leduc_poker"""

import argparse

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from playmat.rllib import MaskedPPOModule, PlaymatMultiAgentEnv


def config_of(game, runners):
    module = RLModuleSpec(module_class=MaskedPPOModule, model_config={"fcnet_hiddens": [64, 64]})
    return (
        PPOConfig()
        .environment(PlaymatMultiAgentEnv, env_config={"game": game})
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=8)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
        .training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=4, lr=1e-3)
        .debugging(seed=1)
    )


def evaluate(module, game, episodes=500):
    """Mean return of the policy against the random agent, each player in turn."""
    env, total, random = PlaymatMultiAgentEnv({"game": game}), 0.0, np.random.default_rng(1)
    for seed in range(episodes):
        learner, over = env.agents[seed % len(env.agents)], False
        observations, _ = env.reset(seed=seed)
        while not over:
            actions = {}
            for agent, seen in observations.items():
                batch = {"obs": {key: torch.from_numpy(v)[None] for key, v in seen.items()}}
                best = int(module.forward_inference(batch)["action_dist_inputs"].argmax())
                drawn = random.choice(np.flatnonzero(seen["action_mask"]))
                actions[agent] = best if agent == learner else drawn
            observations, rewards, ends, _, _ = env.step(actions)
            total, over = total + rewards.get(learner, 0.0), ends["__all__"]
    return total / episodes


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="leduc_poker")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--runners", type=int, default=2)
    args = parser.parse_args()
    algorithm = config_of(args.game, args.runners).build_algo()
    for k in range(args.iterations):
        found = algorithm.train()["env_runners"]
        alive = algorithm.env_runner_group.num_healthy_remote_env_runners()
        print(f"{k}: {found['num_env_steps_sampled']:.0f} steps by {alive} env runners")
    print("return against random play:", evaluate(algorithm.get_module("shared"), args.game))
    algorithm.stop()
    ray.shutdown()
