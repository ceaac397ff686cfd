"""`playmat.VecEnv`: whose memory results are written into, and how long it lives."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import playmat

N = 16


def full_out(venv: playmat.VecEnv) -> dict[str, np.ndarray]:
    return {name: np.full_like(venv.batch[name], 1) for name in venv.batch}


def test_out_replaces_own_arrays(game: playmat.Game) -> None:
    venv, twin = game.vec_env(N), game.vec_env(N)
    out = full_out(twin)
    one, two = venv.reset(seed=1), twin.reset(seed=1, out=out)
    own = {name: twin.batch[name].copy() for name in twin.batch}
    for _ in range(40):
        for name in ("obs", "action_mask", "player", "reward", "terminated", "episode_seed"):
            assert two[name] is out[name]
            assert np.array_equal(one[name], two[name])
        ended = one.terminated | one.truncated
        for name in ("final_obs", "episode_return", "final_seed", "final_mask"):
            assert np.array_equal(one[name][ended], two[name][ended])
        actions = venv.sample_actions()
        one = venv.step(actions)
        two = twin.step(actions, out=out)
    for name, array in own.items():
        assert np.array_equal(array, twin.batch[name]), f"{name}: own array was written"


def test_out_neighbours_stay_untouched(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    storage = np.full((5, N, 126), 0xAA, np.uint8)
    masks = np.full((5, N, 7), 0x55, np.uint8)
    venv.step(venv.sample_actions(), out={"obs": storage[2], "action_mask": masks[2]})
    assert (storage[[0, 1, 3, 4]] == 0xAA).all()
    assert (masks[[0, 1, 3, 4]] == 0x55).all()
    assert storage[2].max() <= 1
    assert masks[2].max() <= 1


def shared(name: str, other: str):
    def make(venv: playmat.VecEnv) -> dict[str, np.ndarray]:
        memory = np.zeros(100_000, np.uint8)
        return {
            name: memory[: N * 126].reshape(N, 126),
            other: memory[64 : 64 + N * 7].reshape(N, 7),
        }

    return make


BAD_OUTS = [
    (
        lambda v: {"obs": np.zeros((N, 125), np.uint8)},
        r"`obs`: got shape \(16, 125\); wanted \(16, 126\)",
    ),
    (lambda v: {"obs": np.zeros((N + 1, 126), np.uint8)}, "`obs`: got shape"),
    (
        lambda v: {"obs": np.zeros((N, 126), np.float32)},
        "`obs`: got elements of type float32; wanted uint8",
    ),
    (
        lambda v: {"obs": np.zeros((N, 126), np.uint8, order="F")},
        "`obs`: the array is not C-contiguous",
    ),
    (
        lambda v: {"obs": np.zeros((N, 252), np.uint8)[:, ::2]},
        "`obs`: the array is not C-contiguous",
    ),
    (
        lambda v: {"obs": np.frombuffer(bytes(N * 126), np.uint8).reshape(N, 126)},
        "`obs`: the array is read-only",
    ),
    (lambda v: {"reward": np.zeros((N, 2), np.float64)}, "`reward`: got elements of type float64"),
    (
        lambda v: {"player": np.zeros(N, np.int64)},
        "`player`: got elements of type int64; wanted int32",
    ),
    (lambda v: {"episode_seed": np.zeros(N, np.int64)}, "wanted uint64"),
    (lambda v: {"terminated": np.zeros(N, np.float32)}, "wanted bool or uint8 or int8"),
    (
        lambda v: {"observation": np.zeros((N, 126), np.uint8)},
        "got a field `observation`; allowed: obs",
    ),
    (lambda v: {3: np.zeros(1)}, "wanted field names"),
    (lambda v: [np.zeros(1)], "wanted a mapping"),
    (lambda v: {"obs": [0]}, "`obs`: got elements of type `list`"),
    (shared("obs", "action_mask"), "`action_mask` shares memory with `obs`"),
    (lambda v: {"obs": v.batch.final_obs}, "`obs` shares memory with another field"),
]


@pytest.mark.parametrize(("make", "message"), BAD_OUTS)
def test_bad_out_is_refused(small: playmat.Game, make, message: str) -> None:
    venv = small.vec_env(N)
    shown = venv.reset(seed=1).copy()
    before = venv.to_bytes()
    actions = np.zeros(N, np.int64)
    calls = [
        lambda: venv.step(actions, out=make(venv)),
        lambda: venv.step_async(actions, out=make(venv)),
        lambda: venv.reset(seed=9, out=make(venv)),
    ]
    for call in calls:
        with pytest.raises(playmat.InvalidArgument, match=message) as caught:
            call()
        assert caught.value.argument == "out"
    assert venv.to_bytes() == before
    assert all(np.array_equal(venv.batch[name], shown[name]) for name in shown)


def test_out_may_not_be_the_actions(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    actions = np.zeros(N, np.int32)
    with pytest.raises(playmat.InvalidArgument, match="`player` shares memory with `actions`"):
        venv.step(actions, out={"player": actions})


def test_own_arrays_as_actions_and_out(small: playmat.Game) -> None:
    venv, twin = small.vec_env(N), small.vec_env(N)
    batch = venv.reset(seed=1)
    twin.reset(seed=1)
    batch.player[:] = np.arange(N) % 7
    wanted = batch.player.copy()
    batch = venv.step(batch.player, out={"reward": batch.reward})
    twin.step(wanted)
    assert venv.to_bytes() == twin.to_bytes()
    assert batch.reward is venv.batch.reward
    # What a user writes into the mask changes nothing that is played.
    venv.batch.action_mask[:] = False
    venv.step(venv.sample_actions())


def test_too_large_is_a_memory_error() -> None:
    game = playmat.Game("graphia", players=8)
    # Five terabytes: refused before a single page is touched.
    with pytest.raises(MemoryError, match="bytes does not fit into memory"):
        game.vec_env(2**24, dtype="f32", fields=["final_obs_all", "obs", "final_obs"])


def test_conf_n8_arrays_outlive_the_environment(small: playmat.Game) -> None:
    venv = small.vec_env(512)
    obs = venv.reset(seed=1).obs
    wanted = obs.copy()
    actions = venv.sample_actions()
    venv.close()
    del venv
    gc.collect()
    _ = [np.ones(1 << 16) for _ in range(50)]
    assert np.array_equal(obs, wanted)
    assert actions.max() < 7
    assert obs.ctypes.data % 64 == 0


def test_nothing_is_allocated_per_step(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    batch = venv.reset(seed=1)
    pointers = {name: batch[name].ctypes.data for name in batch}
    for _ in range(10):
        again = venv.step(venv.sample_actions())
        assert again is batch
    assert {name: batch[name].ctypes.data for name in batch} == pointers


def test_batch_is_a_mapping(small: playmat.Game) -> None:
    batch = small.vec_env(2).reset(seed=1)
    assert dict(batch).keys() == set(batch.keys())
    assert len(batch) == len(batch.keys())
    assert "obs" in batch
    assert "final_obs_all" not in batch
    assert batch.final_obs_all is None
    with pytest.raises(KeyError):
        batch["final_obs_all"]
    kept = batch.copy()
    assert not np.shares_memory(kept.obs, batch.obs)
    assert "obs: uint8" in repr(batch)
