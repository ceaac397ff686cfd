"""JAX: rollouts in shared memory, and the example that learns from them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import playmat
from adapters import example

jax = pytest.importorskip("jax")
pytest.importorskip("optax")


def lend(array: Any) -> Any:
    """A jax array over the same memory; ValueError where jax would have to copy."""
    return jax.numpy.from_dlpack(array, copy=False)


def address(array: Any) -> int:
    """Where a jax array of the CPU begins."""
    return int(array.unsafe_buffer_pointer())


def test_jax_reads_rollouts_where_playmat_wrote_them() -> None:
    venv = playmat.Game("connect_four").vec_env(64)
    arrays = venv.rollout_arrays(20, ["obs", "action_mask", "reward", "terminated"])
    lent = {name: lend(array) for name, array in arrays.items()}
    venv.reset(seed=1, out={name: array[0] for name, array in arrays.items()})
    for t in range(1, 20):
        venv.step(venv.sample_actions(), out={name: array[t] for name, array in arrays.items()})
    for name, array in arrays.items():
        assert address(lent[name]) == array.ctypes.data, f"{name} was copied"
        assert lent[name].dtype == array.dtype and lent[name].shape == array.shape
        # The steps were played after the memory was lent: a copy would hold zeros.
        np.testing.assert_array_equal(np.asarray(lent[name] + 0), array + 0)
        for t in range(20):
            assert address(lend(array[t])) == array[t].ctypes.data
    assert arrays["obs"].any() and arrays["terminated"].any()


@pytest.mark.parametrize("view", ["turn", "joint", "single"])
def test_all_arrays_of_rollouts_can_be_lent(view: Any) -> None:
    for num_envs, dtype in ((1, "u8"), (3, "f32"), (100, "f32")):
        opponents = "random" if view == "single" else None
        venv = playmat.Game("graft").vec_env(num_envs, view=view, dtype=dtype, opponents=opponents)
        arrays = venv.rollout_arrays(5)
        for name, array in arrays.items():
            if array.dtype == np.int64:
                # jax has 64 bits only if `jax_enable_x64` is set.
                assert array.ctypes.data % 64 == 0, name
            else:
                assert address(lend(array)) == array.ctypes.data, name


def test_arrays_of_a_batch_are_aligned() -> None:
    """What `step` returns without `out=` can be lent, too."""
    for num_envs in (1, 3, 64, 1000):
        venv = playmat.Game("graft").vec_env(num_envs)
        batch = venv.reset(seed=1)
        for name in ("obs", "action_mask", "player", "reward", "terminated"):
            assert address(lend(batch[name])) == batch[name].ctypes.data, name


def test_a_copy_is_refused() -> None:
    memory = playmat.Game("graft").vec_env(3).rollout_arrays(2, ["action_mask"])["action_mask"]
    assert memory[1].ctypes.data % 64
    with pytest.raises(ValueError, match="not aligned to 64 bytes"):
        lend(memory[1])


def test_the_example_learns() -> None:
    run = example("jax_ppo.py", "16")
    assert run.returncode == 0, run.stderr
    returns = [float(found) for found in re.findall(r"return ([+-]\d\.\d\d)", run.stdout)]
    assert len(returns) == 16
    # Random play as the first player: 0.11 in the mean of many episodes.
    assert returns[0] < 0.3 and np.mean(returns[-3:]) > 0.6, returns
