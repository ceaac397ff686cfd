"""JAX: rollouts in shared memory, and the example that learns from them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat

jax = pytest.importorskip("jax")
pytest.importorskip("optax")

EXAMPLE = Path(__file__).parents[2] / "examples" / "jax_ppo.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


def lend(array: Any) -> Any:
    """A jax array over the same memory; ValueError where jax would have to copy."""
    return jax.numpy.from_dlpack(array, copy=False)


def address(array: Any) -> int:
    """Where a jax array of the CPU begins."""
    return int(array.unsafe_buffer_pointer())


def test_jax_reads_rollouts_where_playmat_wrote_them(example: dict[str, Any]) -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(64)
    shapes = {"obs": ((20, 64, 126), np.uint8), "action_mask": ((20, 64, 7), np.bool_)}
    shapes |= {"reward": ((20, 64, 2), np.float32), "terminated": ((20, 64), np.bool_)}
    arrays = {name: example["aligned"](*shape) for name, shape in shapes.items()}
    lent = {name: lend(array) for name, array in arrays.items()}
    venv.reset(seed=1, out={name: array[0] for name, array in arrays.items()})
    for t in range(1, 20):
        venv.step(venv.sample_actions(), out={name: array[t] for name, array in arrays.items()})
    for name, array in arrays.items():
        assert array.ctypes.data % 64 == 0
        assert address(lent[name]) == array.ctypes.data, f"{name} was copied"
        assert lent[name].dtype == array.dtype and lent[name].shape == array.shape
        # The steps were played after the memory was lent: a copy would hold zeros.
        np.testing.assert_array_equal(np.asarray(lent[name] + 0), array + 0)
        for t in range(20):
            assert address(lend(array[t])) == array[t].ctypes.data
    assert arrays["obs"].any() and arrays["terminated"].any()


def test_arrays_of_a_batch_are_aligned() -> None:
    """What `step` returns without `out=` can be lent, too."""
    for num_envs in (1, 3, 64, 1000):
        venv = playmat.Game("graft").vec_env(num_envs)
        batch = venv.reset(seed=1)
        for name in ("obs", "action_mask", "player", "reward", "terminated"):
            assert address(lend(batch[name])) == batch[name].ctypes.data, name


def test_a_copy_is_refused(example: dict[str, Any]) -> None:
    memory = example["aligned"]((128,), np.uint8)
    with pytest.raises(ValueError, match="not aligned to 64 bytes"):
        lend(memory[1:65])
    # 100 environments: the second step begins elsewhere.
    with pytest.raises(ValueError, match="not aligned to 64 bytes"):
        example["train"](1, num_envs=100)


def test_a_short_run_learns(example: dict[str, Any]) -> None:
    said: list[str] = []
    # Who does not learn wins about half of its episodes.
    assert example["train"](20, num_envs=128, seed=1, report=said.append) > 0.7
    assert len(said) == 1 and said[0].startswith("81,920 decisions, won ")
