"""`playmat.gae` beside its definition in plain Python, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import playmat

Arrays = dict[str, Any]


def random_rollout(steps: int, envs: int, players: int, seed: int) -> Arrays:
    rng = np.random.default_rng(seed)

    def floats(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    ends = rng.integers(0, 8, (steps, envs))
    return {
        "reward": floats(steps, envs, players),
        "value": floats(steps, envs),
        "player": rng.integers(-1, players, (steps, envs)).astype(np.int32),
        "terminated": ends == 0,
        "truncated": ends == 1,
        "next_value": floats(envs, players),
        "final_value": floats(steps, envs, players),
        "gamma": 0.9,
        "gae_lambda": 0.8,
    }


def test_one_player_is_the_textbook() -> None:
    rollout = random_rollout(20, 7, 1, 3)
    rollout["player"][:] = 0
    advantages, _ = playmat.gae(**rollout)
    wanted, later = np.zeros((20, 7)), np.zeros(7)
    after = rollout["next_value"][:, 0]
    for t in reversed(range(20)):
        over = rollout["terminated"][t] | rollout["truncated"][t]
        after = np.where(rollout["truncated"][t], rollout["final_value"][t, :, 0], after)
        after = np.where(rollout["terminated"][t], 0, after)
        delta = rollout["reward"][t, :, 0] + 0.9 * after - rollout["value"][t]
        later = delta + 0.9 * 0.8 * np.where(over, 0, later)
        wanted[t], after = later, rollout["value"][t]
    np.testing.assert_allclose(advantages, wanted, atol=1e-4)
    flat = {**rollout, "final_value": np.ascontiguousarray(rollout["final_value"][:, :, 0])}
    np.testing.assert_array_equal(playmat.gae(**flat)[0], advantages)


def test_a_real_rollout_sums_to_what_was_earned() -> None:
    # Without values and discount a decision's return is what its player still earned in the episode.
    game = playmat.Game("kuhn_poker")
    venv = game.vec_env(16)
    venv.reset(seed=5)
    arrays = venv.rollout_arrays(40, ["player", "reward", "terminated", "truncated"])
    venv.rollout("random", 40, out=arrays)
    zeros = np.zeros((40, 16), np.float32)
    _, returns = playmat.gae(
        arrays["reward"], zeros, arrays["player"], arrays["terminated"], arrays["truncated"],
        np.zeros((16, 2), np.float32), gamma=1.0, gae_lambda=1.0,
    )  # fmt: skip
    for env in range(16):
        ends = np.flatnonzero(arrays["terminated"][:, env])
        for first, last in zip([0, *(ends[:-1] + 1)], ends, strict=True):
            for t in range(first, last + 1):
                player = arrays["player"][t, env]
                assert returns[t, env] == arrays["reward"][first : last + 1, env, player].sum()


def test_out_is_written_in_place() -> None:
    rollout = random_rollout(6, 3, 2, 1)
    out = (np.empty((6, 3), np.float32), np.empty((6, 3), np.float32))
    results = playmat.gae(**rollout, out=out)
    assert results[0] is out[0] and results[1] is out[1]
    for got, wanted in zip(out, playmat.gae(**rollout), strict=True):
        np.testing.assert_array_equal(got, wanted)


def bad(name: str, value: Any) -> Arrays:
    return {**random_rollout(4, 3, 2, 0), name: value}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (bad("reward", 1), "`reward`: got `int`; wanted an array of shape (T, N, P)"),
        (bad("reward", np.zeros((4, 3), np.float32)), "`reward`: got shape (4, 3); wanted an array of shape"),
        (bad("reward", np.zeros((4, 3, 2))), "`reward`: got elements of type float64; wanted float32"),
        (bad("reward", np.zeros((4, 3, 9), np.float32)), "`next_value`: got shape (3, 2); wanted (3, 9)"),
        (bad("value", np.zeros((3, 4), np.float32)), "`value`: got shape (3, 4); wanted (4, 3)"),
        (bad("value", np.zeros((3, 4), np.float32).T), "`value`: the array is not C-contiguous"),
        (bad("player", np.zeros((4, 3), np.int64)), "`player`: got elements of type int64; wanted int32"),
        (bad("player", np.full((4, 3), 2, np.int32)), "`player`: got 2 at [0, 0]; allowed: -1 (no decision) to 1"),
        (bad("terminated", np.zeros((4, 3), np.int32)), "`terminated`: got elements of type int32; wanted bool or uint8"),
        (bad("truncated", np.zeros((4, 4), np.bool_)), "`truncated`: got shape (4, 4); wanted (4, 3)"),
        (bad("next_value", np.zeros(3, np.float32)), "`next_value`: got shape (3,); wanted (3, 2)"),
        (bad("final_value", np.zeros((4, 3), np.float32)), "`final_value`: got shape (4, 3); wanted (4, 3, 2)"),
        ({**bad("final_value", None), "truncated": np.ones((4, 3), np.bool_), "terminated": np.zeros((4, 3), np.bool_)},
         "`final_value`: got none; the episode cut off at [0, 0]"),
        (bad("gamma", 1.25), "`gamma`: got 1.25; allowed: 0 to 1"),
        (bad("gamma", "x"), "`gamma`: got an object of type `str`; wanted a number"),
        (bad("gae_lambda", None), "`gae_lambda`: got an object of type `NoneType`; wanted a number"),
        (bad("gae_lambda", -0.5), "`gae_lambda`: got -0.5; allowed: 0 to 1"),
        (bad("out", np.zeros((2, 4, 3), np.float32)), "`out`: got an object of type `ndarray`; wanted a tuple of two arrays"),
        (bad("out", (np.zeros((4, 3), np.float32), np.zeros((4, 3)))), "`out`: `returns`: got elements of type float64"),
    ],
)  # fmt: skip
def test_refusals(arguments: Arrays, message: str) -> None:
    with pytest.raises(playmat.InvalidArgument) as caught:
        playmat.gae(**arguments)
    assert message in str(caught.value)


def test_out_may_not_share_memory() -> None:
    rollout = random_rollout(4, 3, 2, 0)
    spare = np.zeros((4, 3), np.float32)
    before = rollout["value"].copy()
    for out in ((rollout["value"], spare), (spare, rollout["value"]), (spare, spare)):
        with pytest.raises(playmat.InvalidArgument, match="shares memory"):
            playmat.gae(**rollout, out=out)
    np.testing.assert_array_equal(rollout["value"], before)
