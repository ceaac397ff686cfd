"""PPO in JAX against random play. numpy and jax share the memory of the rollouts, without copies.

playmat writes each step into numpy arrays (`out=`), and jax reads the same memory through DLPack.
Two things make that work: jax takes CPU memory without a copy only where it begins at a multiple of
64 bytes (`aligned`, and a number of environments that keeps every step there), and nothing
may be written while jax still reads (`block_until_ready`). `lend` fails where jax would copy.

Needs `pip install playmat 'jax[cpu]' optax`. Learns connect_four in about a minute of CPU time.
"""

import argparse
import functools
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import playmat

ALIGNMENT = 64
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.2, 0.01, 0.5
EPOCHS, MINIBATCHES = 4, 4
OPTIMIZER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3, eps=1e-5))


def aligned(shape, dtype):
    """A numpy array of zeros that begins at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + size].view(dtype).reshape(shape)


def lend(array):
    """A jax array over the same memory. Raises ValueError where jax would have to copy."""
    return jnp.from_dlpack(array, copy=False)


def initialize(key, inputs, actions, width=128):
    """Parameters of a network with two hidden layers, a policy and a value."""
    sizes = [
        (inputs, width, 2**0.5),
        (width, width, 2**0.5),
        (width, actions, 0.01),
        (width, 1, 1.0),
    ]
    weight = [jax.nn.initializers.orthogonal(gain) for _, _, gain in sizes]
    keys = jax.random.split(key, len(sizes))
    return [
        (make(k, (rows, columns)), jnp.zeros(columns))
        for make, k, (rows, columns, _) in zip(weight, keys, sizes, strict=True)
    ]


def network(params, obs, mask):
    """Log-probabilities of the legal actions, and values, of observations as bytes."""
    first, second, policy, value = params
    x = jnp.tanh(obs.astype(jnp.float32) @ first[0] + first[1])
    x = jnp.tanh(x @ second[0] + second[1])
    logits = jnp.where(mask, x @ policy[0] + policy[1], -1e9)
    return jax.nn.log_softmax(logits), (x @ value[0] + value[1])[..., 0]


@jax.jit
def act(params, obs, mask, key):
    """Actions drawn from the policy, their log-probabilities, and values."""
    log_probs, value = network(params, obs, mask)
    action = jax.random.categorical(key, log_probs)
    return action, jnp.take_along_axis(log_probs, action[:, None], 1)[:, 0], value


def advantages(reward, value, over):
    """Generalized advantage estimates [T, N]; `value` is [T + 1, N]. Ends are not bootstrapped."""

    def back(after, step):
        reward, value, next_value, over = step
        delta = reward + GAMMA * next_value * ~over - value
        advantage = delta + GAMMA * LAMBDA * ~over * after
        return advantage, advantage

    steps = (reward, value[:-1], value[1:], over)
    return jax.lax.scan(back, jnp.zeros_like(value[0]), steps, reverse=True)[1]


def loss_of(params, batch):
    """PPO's loss of a minibatch."""
    log_probs, value = network(params, batch["obs"], batch["mask"])
    log_prob = jnp.take_along_axis(log_probs, batch["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(log_prob - batch["log_prob"])
    gain = batch["advantage"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy = -jnp.minimum(gain * ratio, gain * jnp.clip(ratio, 1 - CLIP, 1 + CLIP)).mean()
    entropy = -jnp.where(batch["mask"], jnp.exp(log_probs) * log_probs, 0).sum(1).mean()
    return policy + VALUE * jnp.square(value - batch["target"]).mean() - ENTROPY * entropy


@jax.jit
def update(params, state, rollout, key):
    """All epochs over a rollout."""
    reward, value, over = rollout["reward"], rollout["value"], rollout["over"]
    advantage = advantages(reward, value, over)
    rows = {name: rollout[name][: len(reward)] for name in ("obs", "mask", "action", "log_prob")}
    rows |= {"advantage": advantage, "target": advantage + value[:-1]}
    rows = {name: array.reshape(-1, *array.shape[2:]) for name, array in rows.items()}

    def step(carry, places):
        params, state = carry
        batch = {name: array[places] for name, array in rows.items()}
        loss, gradient = jax.value_and_grad(loss_of)(params, batch)
        change, state = OPTIMIZER.update(gradient, state, params)
        return (optax.apply_updates(params, change), state), loss

    orders = [jax.random.permutation(k, reward.size) for k in jax.random.split(key, EPOCHS)]
    places = jnp.concatenate(orders).reshape(EPOCHS * MINIBATCHES, -1)
    (params, state), losses = jax.lax.scan(step, (params, state), places)
    return params, state, losses.mean()


def win_rate(params, game, episodes=1000):
    """Share of episodes won against random play, draws as halves, by the likeliest actions."""
    best = jax.jit(lambda params, obs, mask: network(params, obs, mask)[0].argmax(1))
    venv = game.vec_env(64, view="single", learner="rotate", opponents="random")
    batch = venv.reset(seed=10**6)
    while (results := venv.results())["episodes"] < episodes:
        batch = venv.step(np.asarray(best(params, batch.obs, batch.action_mask)))
    return (results["wins"] + results["draws"] / 2) / results["episodes"]


def train(name="connect_four", updates=100, num_envs=256, num_steps=32, seed=0, report=print):
    """Learns against random play. Returns the game and the parameters."""
    if num_envs % ALIGNMENT:
        raise ValueError(f"num_envs is {num_envs}; wanted a multiple of {ALIGNMENT}")
    game = playmat.Game(name)
    # The learner plays each player in turn; the engine plays the others between its decisions.
    venv = game.vec_env(num_envs, view="single", learner="rotate", opponents="random")
    size, actions = game.observation_shape[0], game.num_actions
    steps, envs = num_steps, num_envs
    obs, mask = (
        aligned((steps + 1, envs, size), np.uint8),
        aligned((steps + 1, envs, actions), bool),
    )
    action, log_prob = aligned((steps, envs), np.int32), aligned((steps, envs), np.float32)
    value, reward = aligned((steps + 1, envs), np.float32), aligned((steps, envs), np.float32)
    terminated, truncated = aligned((steps, envs), bool), aligned((steps, envs), bool)
    arrays = {"obs": obs, "mask": mask, "action": action, "log_prob": log_prob}
    # connect_four is never cut off. Elsewhere an episode that is cut off counts as over here.
    arrays |= {"value": value, "reward": reward, "over": terminated}
    lent = {name: lend(array) for name, array in arrays.items()}
    lent_obs, lent_mask = [lend(row) for row in obs], [lend(row) for row in mask]

    key, start = jax.random.split(jax.random.key(seed))
    params = initialize(start, size, actions)
    state = OPTIMIZER.init(params)
    venv.reset(seed=seed, out={"obs": obs[steps], "action_mask": mask[steps]})
    began = time.perf_counter()
    for number in range(updates):
        obs[0], mask[0] = obs[steps], mask[steps]
        for t in range(steps + 1):
            key, draw = jax.random.split(key)
            outputs = act(params, lent_obs[t], lent_mask[t], draw)
            value[t] = outputs[2]
            if t == steps:
                break
            action[t], log_prob[t] = outputs[:2]
            after = {"obs": obs[t + 1], "action_mask": mask[t + 1], "learner_reward": reward[t]}
            venv.step(
                action[t], out=after | {"terminated": terminated[t], "truncated": truncated[t]}
            )
        terminated |= truncated
        key, draw = jax.random.split(key)
        # From here to the end of `update` jax reads the arrays, then they are written again.
        params, state, loss = jax.block_until_ready(update(params, state, lent, draw))
        if (number + 1) % 20 == 0:
            decisions = (number + 1) * steps * envs
            speed = decisions / (time.perf_counter() - began)
            report(f"{decisions:,} decisions, {speed:,.0f} per second, loss {loss:.3f}, "
                   f"won {win_rate(params, game):.1%}")  # fmt: skip
    return game, params


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print_now = functools.partial(print, flush=True)
    game, params = train(given.game, given.updates, seed=given.seed, report=print_now)
    print(f"wins {win_rate(params, game, 4000):.1%} of its episodes of {given.game} against random")
