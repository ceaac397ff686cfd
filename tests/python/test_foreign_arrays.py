"""Tensors of other libraries and whatever else lends its memory are read and written where they are."""

from __future__ import annotations

import array
import copy
import ctypes
import mmap
import sys
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import playmat

N, P, A, SIZE = 4, 2, 7, 126


class Tensor:
    """A tensor of a library that knows the protocol with versions, over the memory of an array."""

    def __init__(self, data: Any) -> None:
        self.data = np.asarray(data)
        self.given = 0

    def __dlpack__(self, **options: Any) -> Any:
        self.given += 1
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class Older(Tensor):
    """One that exports the older form, which does not say whether it may be written."""

    def __dlpack__(self, stream: Any = None) -> Any:
        self.given += 1
        return self.data.__dlpack__()


class Pinned(Older):
    """One in memory of this machine that an accelerator reads, too."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (3, 0)


class Elsewhere(Tensor):
    """One in the memory of an accelerator."""

    device = "cuda:0"

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("not to be called")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)


class Refusing(Tensor):
    """One that is not given away."""

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("Can't export this tensor")


class Tracked(Refusing):
    """One that a gradient runs through."""

    requires_grad = True


class Foreign:
    """Something that gives an array only through a method."""

    def numpy(self) -> Any:
        raise AssertionError("not to be called")


def view(data: Any) -> memoryview:
    return memoryview(np.ascontiguousarray(data))


KINDS = [Tensor, Older, Pinned, view]


@pytest.fixture
def venv(small: playmat.Game) -> playmat.VecEnv:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    return venv


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64])
def test_actions(small: playmat.Game, kind: Any, dtype: Any) -> None:
    one, other = small.vec_env(N), small.vec_env(N)
    for venv in (one, other):
        venv.reset(seed=1)
    actions = np.array([0, 6, 3, 3], dtype)
    one.step(kind(actions))
    other.step(actions)
    assert one.to_bytes() == other.to_bytes()
    one.step_async(kind(actions))
    one.step_wait()
    other.step(actions)
    assert one.to_bytes() == other.to_bytes()


def test_actions_of_the_standard_library(venv: playmat.VecEnv) -> None:
    shared = mmap.mmap(-1, N)
    shared[:] = bytes([0, 1, 2, 3])
    saves = set()
    for actions in (
        [0, 1, 2, 3],
        array.array("q", [0, 1, 2, 3]),
        bytearray([0, 1, 2, 3]),
        bytes([0, 1, 2, 3]),
        (ctypes.c_int32 * N)(0, 1, 2, 3),
        shared,
    ):
        venv.reset(seed=1)
        venv.step(actions)
        saves.add(venv.to_bytes())
    assert len(saves) == 1
    with pytest.raises(playmat.InvalidArgument, match="elements of type d; wanted whole numbers"):
        venv.step(array.array("d", [0, 1, 2, 3]))


@pytest.mark.parametrize("kind", KINDS)
def test_out_is_written_in_place_and_shown(venv: playmat.VecEnv, kind: Any) -> None:
    arrays = {
        "obs": np.zeros((N, SIZE), np.uint8),
        "reward": np.ones((N, P), np.float32),
        "player": np.zeros(N, np.int32),
        "action_mask": np.zeros((N, A), np.uint8),
        "terminated": np.ones(N, bool),
        "episode_seed": np.zeros(N, np.uint64),
    }
    lent = {name: kind(data) for name, data in arrays.items()}
    drawn = np.full(N, -1, np.int64)
    lent_drawn = kind(drawn)
    assert venv.sample_actions(out=lent_drawn) is lent_drawn
    assert (drawn >= 0).all()
    for call in (
        lambda: venv.reset(seed=3, out=lent),
        lambda: venv.step(drawn, out=lent),
        lambda: (venv.step_async(lent_drawn, out=lent), venv.step_wait())[1],
    ):
        batch = call()
        for name, data in arrays.items():
            assert batch[name] is lent[name]
            assert np.array_equal(data, getattr(shown := venv_copy(venv), name)), name
        assert shown.player.tolist() == arrays["player"].tolist()
        kept = batch.copy()
        assert np.array_equal(kept.obs, arrays["obs"])
        assert not np.shares_memory(kept.obs, arrays["obs"])
        assert "obs" in repr(batch)


def venv_copy(venv: playmat.VecEnv) -> Any:
    """The batch of a copy: what a step that nobody redirected shows."""
    return copy.deepcopy(venv).batch


@pytest.mark.parametrize("kind", KINDS)
def test_the_other_outputs(small: playmat.Game, venv: playmat.VecEnv, kind: Any) -> None:
    env = small.env(1)
    obs, floats = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.float32)
    mask = np.zeros(A, np.uint8)
    for out in (kind(obs), kind(floats)):
        assert env.observation(out=out) is out
    assert obs.any() and floats.any()
    out = kind(mask)
    assert env.action_mask(out=out) is out
    assert mask.all()
    assert env.step_into(3, kind(floats), kind(mask)) is False
    assert np.array_equal(floats, env.observation(dtype=np.float32))
    for call, shape in (
        (lambda out: venv.observe(1, out), (N, SIZE)),
        (venv.observe_all, (N, P, SIZE)),
    ):
        data = np.zeros(shape, np.uint8)
        call(kind(data))
        assert np.array_equal(data, call(None))
    data = np.full(N, -1, np.int64)
    venv.game.agent("greedy").act_batch(venv, kind(data))
    assert (data >= 0).all()
    layout = small.observation_layout
    floats[:] = -2
    layout.to_f32(kind(obs), kind(floats))
    assert np.array_equal(floats, layout.to_f32(obs))
    data = np.zeros((3, N, P), np.float32)
    drawn = np.full((3, N), -1, np.int64)
    venv.rollout("random", 3, out={"reward": kind(data), "action": kind(drawn)})
    assert (drawn >= 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_masks_and_bytes(small: playmat.Game, venv: playmat.VecEnv, kind: Any) -> None:
    found = []
    for seeds in ([5, 6, 7, 8], kind(np.arange(5, 9, dtype=np.uint64))):
        found.append(venv.reset(seed=seeds).episode_seed.tolist())
    for dtype in (np.int64, np.int32, np.uint8):
        found.append(venv.reset(seed=kind(np.arange(5, 9, dtype=dtype))).episode_seed.tolist())
    assert found == [[5, 6, 7, 8]] * 5
    with pytest.raises(playmat.InvalidArgument, match="argument `seed`: got -1 for environment 0"):
        venv.reset(seed=kind(np.arange(-1, 3)))
    for mask in (kind(np.array([1, 0, 0, 1], np.uint8)), bytes([1, 0, 0, 1])):
        venv.reset(seed=[5, 6, 7, 8])
        seeds = venv.reset(seed=[1, 2, 3, 4], mask=mask).episode_seed
        assert seeds.tolist() == [1, 6, 7, 4]
    env = small.env(1)
    env.step(3)
    data = memoryview(env.to_bytes())
    assert small.env_from_bytes(data).to_bytes() == data
    venv.reset(states=[data] * N)
    venv.load_bytes(memoryview(venv.to_bytes()))


@pytest.mark.parametrize("kind", KINDS)
def test_advantages(kind: Any) -> None:
    rng = np.random.default_rng(1)
    reward = rng.random((5, 3, 2), np.float32)
    value = rng.random((5, 3), np.float32)
    player = rng.integers(0, 2, (5, 3), np.int32)
    ended = rng.random((5, 3)) < 0.2
    cut = ~ended & (rng.random((5, 3)) < 0.2)
    following = rng.random((3, 2), np.float32)
    final = rng.random((5, 3, 2), np.float32)
    given = (reward, value, player, ended, cut, following)
    wanted = playmat.gae(*given, final_value=final, gamma=0.9, gae_lambda=0.8)
    out = (np.zeros((5, 3), np.float32), np.zeros((5, 3), np.float32))
    lent = (kind(out[0]), kind(out[1]))
    got = playmat.gae(
        *map(kind, given), final_value=kind(final), gamma=0.9, gae_lambda=0.8, out=lent
    )
    assert got[0] is lent[0] and got[1] is lent[1]
    assert np.array_equal(out, wanted)
    with pytest.raises(playmat.InvalidArgument, match="`advantages` shares memory"):
        playmat.gae(
            *given, final_value=final, gamma=0.9, gae_lambda=0.8, out=(kind(value), kind(out[1]))
        )


def test_joint_actions_of_one_environment() -> None:
    env = playmat.Game("goofspiel").env(1)
    for actions in (
        Tensor(np.array([1, 2])),
        array.array("i", [1, 2]),
        MappingProxyType({0: 1, 1: 2}),
        {np.int64(0): 1, 1: np.int8(2)},
    ):
        other = copy.copy(env)
        other.step(actions)
        assert other.history == [(0, 1), (1, 2)]


def test_what_is_lent_is_given_back(venv: playmat.VecEnv) -> None:
    tensor = Tensor(np.zeros((N, P), np.float32))
    count = sys.getrefcount(tensor.data)
    for _ in range(3):
        venv.step(venv.sample_actions(), out={"reward": tensor})
        venv.step_async(venv.sample_actions(), out={"reward": tensor})
        venv.step_wait()
    assert tensor.given == 6
    # Outside of the assertion, which holds on to what it shows.
    after = sys.getrefcount(tensor.data)
    assert after == count
    # A step under way keeps what it writes into, whatever becomes of the names.
    data = np.full((N, P), -1, np.float32)
    venv.step_async(venv.sample_actions(), out={"reward": Tensor(data)})
    venv.step_wait()
    assert (data >= 0).all()


REFUSED: list[tuple[Any, str]] = [
    (Elsewhere(np.zeros(N, np.int64)), r"in the memory of cuda:0; `\.cpu\(\)` makes a copy"),
    (
        Refusing(np.zeros(N, np.int64)),
        r"export this tensor; `\.contiguous\(\)` or `\.numpy\(\)` make one that does",
    ),
    (Tracked(np.zeros(N, np.int64)), r"export this tensor; `\.detach\(\)` makes one that does$"),
    (
        Tensor(np.zeros(2 * N, np.int64)[::2]),
        r"not C-contiguous; .* or `\.contiguous\(\)` of a tensor",
    ),
    (memoryview(np.zeros(2 * N, np.int64))[::2], "not C-contiguous"),
    (Tensor(np.zeros(N + 1, np.int64)), r"got shape \(5,\); wanted \(4,\)"),
    (Tensor(np.zeros(N, np.float16)), r"`Tensor`; wanted whole numbers; .*\.astype\('int64'\)`"),
    (Tensor(np.zeros(N, complex)), "DLPack type 5 of 128 bits in 1 lanes, which numpy lacks"),
    (np.zeros(N), r"float64; wanted whole numbers; `\.astype\('int64'\)`"),
    (np.zeros(N, ">f8"), r"of other machines, `\.astype\('int64'\)`"),
    (memoryview(np.zeros(N)), r"type d; wanted .*; `numpy\.asarray\(...\)\.astype\('int64'\)`"),
    (Foreign(), r"got `Foreign`; .*`\.numpy\(\)` makes an array of it"),
    (np.zeros(N, ">i8"), r"got elements of type >i8; .* of other machines, `\.astype\('int64'\)`"),
]


@pytest.mark.parametrize(("given", "match"), REFUSED)
def test_what_cannot_be_read_says_what_can(venv: playmat.VecEnv, given: Any, match: str) -> None:
    before = venv.to_bytes()
    for call in (venv.step, venv.step_async):
        with pytest.raises(playmat.InvalidArgument, match=f"`actions`: .*{match}"):
            call(given)
    assert venv.to_bytes() == before


def test_what_cannot_be_written_says_why(venv: playmat.VecEnv) -> None:
    fixed = np.zeros((N, P), np.float32)
    fixed.flags.writeable = False
    for out, match in (
        (Tensor(fixed), "`reward`: the array is read-only"),
        (memoryview(bytes(4 * N * P)).cast("f", (N, P)), "`reward`: the array is read-only"),
        (Elsewhere(fixed), r"`out`: got `Elsewhere` in the memory of cuda:0"),
        (Tensor(np.zeros((P, N), np.float32).T), "`reward`: the array is not C-contiguous"),
        (Tensor(np.zeros((N, P))), "`reward`: got elements of type .*; wanted float32"),
        (np.zeros((N, P)), r"`reward`: .* float64; wanted float32; `\.astype\('float32'\)` makes"),
        (Foreign(), r"`reward`: got elements of type `Foreign`; wanted float32; `\.numpy\(\)`"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=match):
            venv.step(venv.sample_actions(), out={"reward": out})


def test_memory_that_is_used_twice_is_refused(venv: playmat.VecEnv) -> None:
    data = np.zeros((N, P), np.float32)
    with pytest.raises(
        playmat.InvalidArgument, match="`episode_return` shares memory with `reward`"
    ):
        venv.step(venv.sample_actions(), out={"reward": Tensor(data), "episode_return": data})
    actions = np.zeros(N, np.int32)
    with pytest.raises(playmat.InvalidArgument, match="`player` shares memory with `actions`"):
        venv.step(Tensor(actions), out={"player": Older(actions)})


def test_tensors_of_torch(venv: playmat.VecEnv) -> None:
    torch = pytest.importorskip("torch")
    out = {"obs": torch.zeros((N, SIZE), dtype=torch.uint8), "reward": torch.ones((N, P))}
    batch = venv.step(torch.zeros(N, dtype=torch.int64), out=out)
    assert batch.obs is out["obs"]
    assert out["obs"].any() and not out["reward"].any()
    assert not batch.copy().reward.any()
    with pytest.raises(playmat.InvalidArgument, match=r"`\.detach\(\)`"):
        venv.step(torch.zeros(N), out={"reward": torch.zeros((N, P), requires_grad=True)})
    with pytest.raises(playmat.InvalidArgument, match=r"`\.contiguous\(\)`"):
        venv.step(torch.zeros((N, 2), dtype=torch.int64)[:, 0])


def advise(call: Any, *given: Any, match: str) -> None:
    with pytest.raises(playmat.InvalidArgument, match=match):
        call(*given)


def test_the_refusal_of_a_tensor_names_the_type_that_is_wanted(venv: playmat.VecEnv) -> None:
    """And what the message says is then taken."""
    torch = pytest.importorskip("torch")
    zeros = torch.zeros(N)
    for step in (venv.step, venv.step_async):
        advise(step, zeros, match=r"float32; wanted whole numbers; `\.to\(torch\.int64\)` makes")
    venv.step(zeros.to(torch.int64))
    obs = torch.zeros((N, SIZE))
    match = r"`obs`: .*float32; wanted uint8; `\.to\(torch\.uint8\)` makes"
    advise(venv.observe_all, torch.zeros((N, P, SIZE)), match=r"`\.to\(torch\.uint8\)`")
    advise(venv.step, [0] * N, {"obs": obs}, match=match)
    venv.step([0] * N, {"obs": obs.to(torch.uint8)})
    advise(
        venv.reset, zeros, match=r"`seed`: .*float32; wanted whole numbers; `\.to\(torch\.int64\)`"
    )
    venv.reset(zeros.to(torch.int64))
    floats, rows = torch.zeros((3, N, P)), torch.zeros((3, N))
    player, flags = torch.zeros((3, N), dtype=torch.int32), torch.zeros((3, N), dtype=torch.bool)

    def gae(
        reward: Any = floats, value: Any = rows, player: Any = player, ended: Any = flags
    ) -> Any:
        return playmat.gae(
            reward, value, player, ended, flags, floats[0], gamma=0.9, gae_lambda=0.9
        )

    for dtype in (torch.float64, torch.float16):
        match = rf"`reward`: .* {dtype}; wanted float32; `\.float\(\)` makes"
        advise(gae, floats.to(dtype), match=match)
    advise(gae, floats.to(torch.bfloat16), match=r"which numpy lacks; `\.float\(\)` makes")
    advise(gae, floats, rows.double(), match=r"`value`: .*`\.float\(\)` makes")
    advise(gae, floats, rows, player.long(), match=r"wanted int32; `\.to\(torch\.int32\)` makes")
    advise(gae, floats, rows, player, rows, match=r"bool or uint8; `\.to\(torch\.bool\)` makes")
    tracked = rows.clone().requires_grad_()
    advise(gae, floats, tracked, match=r"gradient.*; `\.detach\(\)` makes one that does$")
    gae(
        floats.double().float(),
        tracked.detach(),
        player.long().to(torch.int32),
        rows.to(torch.bool),
    )
