"""What users write and type checkers must take, and what they must refuse: read, never run.

A line that must be refused has a `type: ignore` of the code that mypy gives; strict mode reports those that nothing needs.
"""

from __future__ import annotations

import array
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import playmat
from playmat import errors


class Tensor:
    """As of another library."""

    def __dlpack__(self, *, stream: Any = -1, max_version: tuple[int, int] | None = None) -> object:
        raise NotImplementedError

    def __dlpack_device__(self) -> tuple[int, int]:
        raise NotImplementedError


def actions(env: playmat.Env, venv: playmat.VecEnv, tensor: Tensor) -> None:
    env.step(3)
    env.step(np.int64(3))
    env.step(np.array(3))
    env.step([1, None])
    env.step({0: 1, 1: None})
    env.step({0: 1})
    env.step(MappingProxyType({0: 1, 1: None}))
    env.step(np.array([1, 2], np.uint8))
    env.step(tensor)
    env.step(3, player=1)
    env.step("drop in A")  # type: ignore[arg-type]
    env.step({"0": 1})  # type: ignore[dict-item]
    venv.step([1, 2])
    venv.step([[1, 2], [3, 4]])
    venv.step(np.zeros(2, np.int32))
    venv.step(tensor)
    venv.step(memoryview(b"\0\1"))
    venv.step_async(array.array("q", [1, 2]))
    venv.step(3)  # type: ignore[arg-type]


def outputs(env: playmat.Env, venv: playmat.VecEnv, tensor: Tensor) -> None:
    assert_type(env.action_mask(), NDArray[np.bool_])
    mask = np.zeros(7, np.uint8)
    assert_type(env.action_mask(out=mask), np.ndarray[tuple[int], np.dtype[np.uint8]])
    assert_type(env.action_mask(0, tensor), Tensor)
    assert_type(env.observation(), NDArray[np.uint8])
    assert_type(env.observation(out=tensor), Tensor)
    assert_type(venv.sample_actions(), NDArray[np.int64])
    assert_type(venv.sample_actions(tensor), Tensor)
    assert_type(venv.game.agent("greedy").act_batch(venv, out=tensor), Tensor)
    assert_type(venv.observe_all(tensor), Tensor)
    venv.step([1], out={"reward": tensor, "obs": np.zeros(3), "player": memoryview(b"")})
    venv.reset(1, mask=tensor, out={"obs": tensor})
    venv.step([1], out={"reward": 3})  # type: ignore[dict-item]


def element_types(game: playmat.Game, env: playmat.Env) -> None:
    assert_type(env.observation(dtype="u8"), NDArray[np.uint8])
    assert_type(env.observation(dtype="uint8"), NDArray[np.uint8])
    assert_type(env.observation(dtype=np.uint8), NDArray[np.uint8])
    assert_type(env.observation(dtype="f32"), NDArray[np.float32])
    assert_type(env.observation(dtype="float32"), NDArray[np.float32])
    assert_type(env.observation(dtype=np.float32), NDArray[np.float32])
    assert_type(env.observation(dtype=np.dtype(np.float32)), NDArray[np.float32])
    for venv in (
        game.vec_env(1, dtype="u8"),
        game.vec_env(1, dtype="uint8"),
        game.vec_env(1, dtype=np.uint8),
        game.vec_env(1, dtype="f32"),
        game.vec_env(1, dtype="float32"),
        game.vec_env(1, dtype=np.float32),
    ):
        print(venv.dtype == "u8")
    game.vec_env(1, dtype="float64")  # type: ignore[arg-type]
    game.vec_env(1, dtype=np.float64)  # type: ignore[arg-type]


def seeds(game: playmat.Game, env: playmat.Env, venv: playmat.VecEnv, tensor: Tensor) -> None:
    venv.reset(np.uint64(7))
    venv.reset([1, 2])
    venv.reset(seed=np.array([1, 2]))
    venv.reset(seed=tensor)
    venv.reset(states=[env, b"", bytearray(), memoryview(b""), None], mask=[True, False])
    game.env_from_bytes(memoryview(env.to_bytes()))
    venv.reset(seed="1")  # type: ignore[arg-type]


def counts(game: playmat.Game, env: playmat.Env, venv: playmat.VecEnv) -> None:
    number = np.int64(2)
    game.digest(number)
    game.survey(number, agents=["random"])
    game.reward_scale(number)
    env.render(width=None)
    assert_type(env.render("rgb_array", width=number), NDArray[np.uint8])
    venv.rollout("random", number, out=venv.rollout_arrays(number))
    assert_type(venv.state(number), playmat.Env)
    venv.episode(number)
    venv.rollout("random", 2.0)  # type: ignore[arg-type]


def advantages(tensor: Tensor, floats: NDArray[np.float32]) -> None:
    found = playmat.gae(floats, floats, tensor, tensor, tensor, floats, gamma=0.9, gae_lambda=0.9)
    assert_type(found, tuple[NDArray[np.float32], NDArray[np.float32]])
    given = playmat.gae(
        tensor, tensor, tensor, tensor, tensor, tensor, gamma=1, gae_lambda=1, out=(tensor, floats)
    )
    assert_type(given, tuple[Tensor, NDArray[np.float32]])


def refusals(game: playmat.Game) -> None:
    try:
        game.env(1)
    except playmat.IllegalAction as refused:
        assert_type(refused.rows, list[errors.Row])
    except playmat.errors.ContentError as refused:
        assert_type(refused.findings, list[playmat.errors.Finding])
    except (playmat.Error, errors.InvalidState, ValueError):
        print(playmat.errors.InvalidState.code)


def states(game: playmat.Game, env: playmat.Env, venv: playmat.VecEnv) -> None:
    array = venv.states()
    assert_type(array, playmat.States)
    assert_type(game.states([env, env]), playmat.States)
    assert_type(array[0], playmat.Env)
    array[np.int64(0)]
    assert_type(array[1:], playmat.States)
    assert_type(array[[0, 1]], playmat.States)
    assert_type(array[array.current_player >= 0], playmat.States)
    assert_type(array.repeat(2).clone(seed=1).sample_hidden(seed=[1, 2]), playmat.States)
    assert_type(array.sample_hidden(0, seed=np.arange(3)), playmat.States)
    venv.reset(states=array)
    array.sample_hidden(0)  # type: ignore[call-arg]
    array["one"]  # type: ignore[index]
    search = game.search("mcts:8")
    assert_type(search.actions(), NDArray[np.int64])
    assert_type(search.actions(1.0), NDArray[np.int64])
    search.actions(out=np.zeros(1, np.int64))


def networks(game: playmat.Game) -> None:
    done = playmat.export_policy("given.onnx", game, "policy.onnx", dtype="u8", obs="x")
    assert_type(done, playmat.ExportedPolicy)
    assert_type(done.logits_error, float)
    playmat.export_policy(b"", game, done.path, logits="p", value="v", relative=True)
    playmat.export_policy(7, game, "policy.onnx")  # type: ignore[arg-type]
    playmat.export_policy("a.onnx", game, "b.onnx", dtype="f64")  # type: ignore[arg-type]
