"""The PPO of torchrl_ppo.py with workers of Ray, which may be on other machines, as collectors.

python examples/torchrl_ray.py --steps 200000 --workers 2 --address auto
"""

import argparse
import functools

import ray
import torch
from torchrl.collectors.distributed import RayCollector
from torchrl_ppo import train

from playmat.torchrl import PlaymatEnv


def make_env(seed, envs):
    return PlaymatEnv("connect_four", envs, opponents="random", seed=seed)


def collect(workers, env, actor, auto_register_policy_transforms, **settings):
    """Each worker plays its part of the environments, with a seed of its own and the newest
    weights.
    """
    envs = env.batch_size[0] // workers
    return RayCollector(
        [functools.partial(make_env, 2 + worker, envs) for worker in range(workers)],
        actor,
        sync=True,
        update_after_each_batch=True,
        remote_configs={"num_cpus": 1, "num_gpus": 0},
        collector_kwargs={"auto_register_policy_transforms": auto_register_policy_transforms},
        **settings,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--address", default="local", help="of a running Ray; local: one of its own"
    )
    args = parser.parse_args()
    ray.init(args.address)
    torch.manual_seed(1)
    train(make_env(1, 128), args.steps, collect=functools.partial(collect, args.workers))
    ray.shutdown()
