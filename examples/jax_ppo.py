"""PPO in JAX: Connect Four against random play. python examples/jax_ppo.py [updates, default 40]"""

import sys

import jax
import jax.numpy as jnp
import optax

import playmat

NUM_ENVS, NUM_STEPS = 256, 32
optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))


@jax.jit
def network(params, obs, mask):
    hidden = jnp.tanh(jnp.tanh(obs @ params[0]) @ params[1])
    logits = jnp.where(mask, hidden @ params[2], -1e9)
    return jax.nn.log_softmax(logits), (hidden @ params[3])[..., 0]


@jax.jit
def learn(params, state, action, obs, mask, reward, over):
    old, value = network(params, obs, mask)
    rest = reward[1:, :, 0], jnp.where(over[1:], 0, 0.99), value[1:]  # row t + 1 is after action t
    td_lambda = lambda last, t: (t[0] + t[1] * (0.05 * t[2] + 0.95 * last),) * 2  # noqa: E731
    target = jax.lax.scan(td_lambda, value[-1], rest, reverse=True)[1]
    gain = (target - value[:-1]) / (target - value[:-1]).std()

    def loss(params):
        new, value = network(params, obs[:-1], mask[:-1])
        ratio = jnp.exp(jnp.take_along_axis(new - old[:-1], action[..., None], 2)[..., 0])
        policy = jnp.minimum(gain * ratio, gain * ratio.clip(0.8, 1.2))
        return (0.5 * (value - target) ** 2 - policy + 0.01 * (jnp.exp(new) * new).sum(-1)).mean()

    for _ in range(8):
        change, state = optimizer.update(jax.grad(loss)(params), state)
        params = optax.apply_updates(params, change)
    return params, state


venv = playmat.Game("connect_four").vec_env(NUM_ENVS, view="single", opponents="random")
arrays = venv.rollout_arrays(NUM_STEPS + 1, ["obs", "action_mask", "reward", "terminated"])
obs, mask, reward, over = arrays.values()  # this game is never truncated
shared = [jnp.from_dlpack(array, copy=False) for array in arrays.values()]  # the same memory
shapes = (obs.shape[-1], 128), (128, 128), (128, mask.shape[-1]), (128, 1)
params = list(map(jax.nn.initializers.orthogonal(), jax.random.split(jax.random.key(1), 4), shapes))
state = optimizer.init(params)
venv.reset(seed=1, out={name: array[0] for name, array in arrays.items()})
for update in range(int(sys.argv[1]) if len(sys.argv) > 1 else 40):
    actions = []
    for t in range(NUM_STEPS):
        log_probs, _ = network(params, obs[t], mask[t])
        key = jax.random.key(update * NUM_STEPS + t)
        actions.append(jax.random.categorical(key, log_probs))
        venv.step(actions[t], out={name: array[t + 1] for name, array in arrays.items()})
    params, state = jax.block_until_ready(learn(params, state, jnp.stack(actions), *shared))
    print(f"update {update + 1}: return {reward[1:, :, 0][over[1:]].mean():+.2f} against random")
    obs[0], mask[0] = obs[-1], mask[-1]
