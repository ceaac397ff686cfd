"""PPO with TorchRL: one player learns Connect Four against the engine's random agent.

python examples/torchrl_ppo.py --steps 200000
"""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from playmat.torchrl import PlaymatEnv


def network(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, outputs))


def train(env, steps, epochs=4, minibatch=512, collect=Collector):
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    logits = TensorDictModule(network(size, actions), in_keys=["observation"], out_keys=["logits"])
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec_unbatched,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(size, 1), in_keys=["observation"])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    frames = 16 * env.batch_size[0]
    settings = {"frames_per_batch": frames, "total_frames": steps // frames * frames}
    collector = collect(env, actor, auto_register_policy_transforms=False, **settings)
    for batch in collector:
        done = batch["next", "done"]
        print(f"mean return {batch['next', 'reward'][done].mean():.2f}, {done.sum()} episodes")
        with torch.no_grad():
            advantage(batch)
        data = batch.reshape(-1)
        for _ in range(epochs):
            for part in data[torch.randperm(len(data))].split(minibatch):
                losses = loss(part)
                sum(value for key, value in losses.items() if key.startswith("loss_")).backward()
                optimizer.step()
                optimizer.zero_grad()
    collector.shutdown()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200_000)
    torch.manual_seed(1)
    train(PlaymatEnv("connect_four", 128, opponents="random", seed=1), parser.parse_args().steps)
