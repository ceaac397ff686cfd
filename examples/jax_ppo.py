"""PPO in JAX against random play. numpy and jax share the memory of the rollouts, without copies.

playmat writes each step into numpy arrays (`out=`), and jax reads the same memory through DLPack,
where it begins at a multiple of 64 bytes: `copy=False` fails elsewhere.

python examples/jax_ppo.py --updates 100        needs `pip install playmat 'jax[cpu]' optax`
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax

import playmat

OPTIMIZER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))


def aligned(shape, dtype):
    """A numpy array of zeros that begins at a multiple of 64 bytes."""
    memory = np.zeros(int(np.prod(shape)) * np.dtype(dtype).itemsize + 64, np.uint8)
    return memory[-memory.ctypes.data % 64 :][: memory.size - 64].view(dtype).reshape(shape)


def network(params, obs, mask):
    """Log-probabilities of the legal actions, and values."""
    hidden = jnp.tanh(jnp.tanh(obs.astype(jnp.float32) @ params[0]) @ params[1])
    logits = jnp.where(mask, hidden @ params[2], -1e9)
    return jax.nn.log_softmax(logits), (hidden @ params[3])[..., 0]


@jax.jit
def act(params, obs, mask, key):
    """Actions drawn from the policy, their log-probabilities, and values."""
    log_probs, value = network(params, obs, mask)
    action = jax.random.categorical(key, log_probs)
    return action, jnp.take_along_axis(log_probs, action[:, None], 1)[:, 0], value


def loss(params, obs, mask, action, old, advantage, target):
    log_probs, value = network(params, obs, mask)
    ratio = jnp.exp(jnp.take_along_axis(log_probs, action[:, None], 1)[:, 0] - old)
    gain = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    policy = jnp.minimum(gain * ratio, gain * jnp.clip(ratio, 0.8, 1.2)).mean()
    entropy = -jnp.where(mask, jnp.exp(log_probs) * log_probs, 0).sum(1).mean()
    return 0.5 * jnp.square(value - target).mean() - policy - 0.01 * entropy


@jax.jit
def update(params, state, rows, places):
    """One minibatch."""
    gradient = jax.grad(loss)(params, *(row.reshape(-1, *row.shape[2:])[places] for row in rows))
    change, state = OPTIMIZER.update(gradient, state, params)
    return optax.apply_updates(params, change), state


def train(updates, num_envs=256, steps=32, seed=0, report=print):
    """Learns connect_four. Returns the share of episodes won at the end, draws as halves."""
    game = playmat.Game("connect_four")
    # The learner plays each player in turn; the engine plays the others between its decisions.
    venv = game.vec_env(num_envs, view="single", learner="rotate", opponents="random")
    size, actions = game.observation_shape[0], game.num_actions
    obs = aligned((steps + 1, num_envs, size), np.uint8)
    mask = aligned((steps + 1, num_envs, actions), bool)
    action = aligned((steps, num_envs), np.int32)
    old, value, advantage, target = aligned((4, steps, num_envs), np.float32)
    reward, player = np.zeros((steps, num_envs, 1), np.float32), np.zeros_like(action)
    over, cut = np.zeros((2, steps, num_envs), bool)  # connect_four is never cut off
    now = [[jnp.from_dlpack(one[t], copy=False) for one in (obs, mask)] for t in range(steps + 1)]
    rows = [obs[:steps], mask[:steps], action, old, advantage, target]
    rows = [jnp.from_dlpack(array, copy=False) for array in rows]

    make, keys = jax.nn.initializers.orthogonal(), jax.random.split(jax.random.key(seed), 5)
    shapes = [(size, 128), (128, 128), (128, actions), (128, 1)]
    params = [make(key, shape) for key, shape in zip(keys, shapes, strict=False)]
    params[2] *= 0.01
    state, rng, counts = OPTIMIZER.init(params), np.random.default_rng(seed), []
    venv.reset(seed=seed, out={"obs": obs[steps], "action_mask": mask[steps]})
    for number in range(updates):
        obs[0], mask[0] = obs[steps], mask[steps]
        for t in range(steps):
            draw = jax.random.fold_in(keys[4], number * steps + t)
            action[t], old[t], value[t] = act(params, *now[t], draw)
            out = {"obs": obs[t + 1], "action_mask": mask[t + 1], "learner_reward": reward[t, :, 0]}
            venv.step(action[t], out={**out, "terminated": over[t], "truncated": cut[t]})
        last = np.array(act(params, *now[steps], keys[4])[2])[:, None]
        playmat.gae(
            reward, value, player, over, cut, last, gamma=0.99, lam=0.95, out=(advantage, target)
        )
        for _ in range(4):
            for places in rng.permutation(steps * num_envs).reshape(4, -1):
                params, state = update(params, state, rows, places)
        # Until here jax reads the arrays; the next step writes them again.
        jax.block_until_ready(params)
        results = venv.results()
        counts.append((results["wins"] + results["draws"] / 2, results["episodes"]))
        (won, played), (before, then) = counts[-1], counts[max(0, number - 10)]
        rate = (won - before) / max(1, played - then)
        if number % 20 == 19:
            report(f"{(number + 1) * steps * num_envs:,} decisions, won {rate:.1%}")
    return rate


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=100)
    train(parser.parse_args().updates)
