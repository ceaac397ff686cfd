"""PPO in plain torch on playmat's vector environment: Connect Four against the random agent.

python examples/gymnasium_ppo.py [updates, default: 30]
"""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

NUM_ENVS, NUM_STEPS, GAMMA, LAMBDA = 256, 32, 0.99, 0.95
updates = int(sys.argv[1]) if len(sys.argv) > 1 else 30
options = {"opponents": "random", "autoreset_mode": "SameStep"}
envs = gymnasium.make_vec("playmat.gymnasium:playmat/ConnectFour-v0", NUM_ENVS, **options)
torch.manual_seed(1)
torch.set_num_threads(1)  # the network is small
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
layers = nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
net = nn.Sequential(*layers, nn.Linear(128, actions + 1))  # logits, then the value
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


def forward(obs, mask):
    out = net(obs)
    return Categorical(logits=out[..., :-1].masked_fill(mask == 0, -1e9)), out[..., -1]


obs, info = envs.reset(seed=1)
for update in range(updates):
    steps, returns = [], []
    for _ in range(NUM_STEPS):
        seen = torch.from_numpy(obs), torch.from_numpy(info["action_mask"])
        with torch.no_grad():
            policy, value = forward(*seen)
            action = policy.sample()
        obs, reward, terminated, truncated, info = envs.step(action.numpy())
        done = terminated | truncated  # this game is never truncated: nothing to bootstrap
        returns += reward[done].tolist()
        reward, done = torch.from_numpy(reward).float(), torch.from_numpy(done).float()
        steps.append((*seen, action, policy.log_prob(action), value, reward, done))
    seen, mask, action, old, value, reward, done = map(torch.stack, zip(*steps, strict=True))
    with torch.no_grad():
        following, last = net(torch.from_numpy(obs))[:, -1], 0
        advantage = torch.zeros_like(value)
        for t in reversed(range(NUM_STEPS)):
            delta = reward[t] + GAMMA * following * (1 - done[t]) - value[t]
            advantage[t] = last = delta + GAMMA * LAMBDA * (1 - done[t]) * last
            following = value[t]
    for _ in range(4):
        policy, new = forward(seen, mask)
        ratio, scaled = (policy.log_prob(action) - old).exp(), advantage / (advantage.std() + 1e-8)
        gain = torch.min(ratio * scaled, ratio.clamp(0.8, 1.2) * scaled) + 0.01 * policy.entropy()
        loss = 0.5 * (new - advantage - value).pow(2).mean() - gain.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"update {update + 1}: return {sum(returns) / len(returns):+.2f} against random")
