"""Gymnasium's own checks and vector environments beside playmat.gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import playmat
import playmat.gymnasium
from adapters import OPPONENTS, difference
from playmat.extras import release
from playmat.gymnasium import Env, VectorEnv, env_id

IDS = [env_id(name) for name in playmat.games()]
MODES = {"NextStep": "next_step", "SameStep": "same_step", "Disabled": "disabled"}

# Gymnasium's own checkers. Its warnings are errors here.


@pytest.mark.parametrize("name", IDS)
def test_check_env_finds_nothing_in_any_registered_id(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize(
    "options",
    [
        {"observation": "dict"},
        {"dtype": "u8"},
        {"observation": "dict", "dtype": "u8"},
        {"illegal": "penalty", "penalty": 0.5},
        {"learner": "rotate", "opponents": OPPONENTS},
        {"players": 2, "learner": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["connect_four", "graft"])
def test_check_env_finds_nothing_with_options(name: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(env_id(name), **options).unwrapped)


@pytest.mark.parametrize("name", ["gravitix", "graphia"])
def test_check_env_finds_nothing_with_one_player(name: str) -> None:
    env: Any = gymnasium.make(env_id(name), players=1).unwrapped
    assert env.game.num_players == 1
    check_env(env)


@pytest.mark.parametrize("name", IDS)
def test_passive_checker_finds_nothing_in_whole_episodes(name: str) -> None:
    env = gymnasium.make(name, render_mode="ansi")
    assert "PassiveEnvChecker" in str(env)
    for seed in (3, None):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            action = env.action_space.sample(info["action_mask"])
            _, _, terminated, truncated, info = env.step(action)
            assert not info["illegal_action"]
            ended = terminated or truncated
        assert not info["action_mask"].any()
        assert isinstance(env.render(), str)
    env.close()


def test_checker_finds_an_environment_that_is_wrong() -> None:
    class Wrong(Env):
        def step(self, action: Any) -> Any:
            obs, *rest = super().step(action)
            return (obs + 5, *rest)

    with pytest.raises(UserWarning, match="not within the observation space"):
        check_env(Wrong("connect_four", illegal="replace"))


# Gymnasium's own vector environment gives the same, to the byte.


class SeededEnv(Env):
    """An environment whose unseeded resets start the episode of `next_seed`."""

    next_seed = 0

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return super().reset(seed=self.next_seed if seed is None else seed, options=options)


def both(name: str, mode: str, rows: int, **options: Any) -> tuple[VectorEnv, SyncVectorEnv]:
    ours = VectorEnv(name, rows, autoreset_mode=mode, **options)
    envs: list[Callable[[], SeededEnv]] = [lambda: SeededEnv(name, **options)] * rows
    return ours, SyncVectorEnv(envs, autoreset_mode=mode)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("observation", ["flat", "dict"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leduc_poker", {}),
        ("tic_tac_toe", {"illegal": "replace", "dtype": "u8"}),
        ("kuhn_poker", {"max_steps": 1, "illegal": "penalty"}),
        ("goofspiel", {"learner": 1, "reward": "score_delta", "players": 3}),
        ("graven", {}),
    ],
)
def test_like_sync_vector_env(name: str, options: Any, observation: Any, mode: str) -> None:
    rows, ends = 6, {"terminated": 0, "truncated": 0}
    ours, theirs = both(
        name, mode, rows, **{"opponents": OPPONENTS, "observation": observation, **options}
    )
    assert ours.metadata == theirs.metadata
    assert ours.metadata["autoreset_mode"] is AutoresetMode(mode)
    for space in ("observation", "action", "single_observation", "single_action"):
        assert getattr(ours, f"{space}_space") == getattr(theirs, f"{space}_space")
    for seed in (11, [5, 4, 3, 2, 1, 0]):
        assert difference(ours.reset(seed=seed), theirs.reset(seed=seed)) is None
        for _ in range(120):
            actions = ours.sample_actions()
            one = ours.step(actions)
            for row, env in enumerate(theirs.envs):
                env.next_seed = int(ours.venv.batch.episode_seed[row])
            assert difference(one, theirs.step(actions)) is None
            ends["terminated"] += int(one[2].sum())
            ends["truncated"] += int(one[3].sum())
            assert ours.observation_space.contains(one[0])
    wanted = "truncated" if "max_steps" in options else "terminated"
    assert ends[wanted] > 20


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_like_sync_vector_env_with_masked_resets(observation: str) -> None:
    ours, theirs = both("leduc_poker", "Disabled", 6, observation=observation, opponents=OPPONENTS)
    assert difference(ours.reset(seed=1), theirs.reset(seed=1)) is None
    resets = 0
    for step in range(100):
        actions = ours.sample_actions()
        one = ours.step(actions)
        assert difference(one, theirs.step(actions)) is None
        ended = one[2] | one[3]
        if ended.any():
            seed = 1000 + 10 * step
            mine = ours.reset(seed=seed, options={"reset_mask": ended})
            other = theirs.reset(seed=seed, options={"reset_mask": ended})
            assert difference(mine[0], other[0]) is None
            for key, value in other[1].items():
                # Rows that were not reset: zeros there, what stands here.
                rows = slice(None) if key.startswith("_") else ended
                assert difference(mine[1][key][rows], value[rows]) is None
            assert difference(mine[1]["action_mask"], ours.action_masks()) is None
            assert mine[1].keys() == other[1].keys()
            resets += 1
    assert resets > 20


@pytest.mark.parametrize("mode", MODES)
def test_episode_statistics_of_gymnasium_are_the_returns_of_the_engine(mode: str) -> None:
    if mode == "SameStep" and release(gymnasium.__version__) < (1, 4):
        pytest.skip(
            "this wrapper knows the mode since Gymnasium 1.4: it drops first rewards before"
        )
    envs = RecordEpisodeStatistics(
        VectorEnv("leduc_poker", 16, autoreset_mode=mode, reward="score_delta")
    )
    inner: Any = envs.unwrapped
    envs.reset(seed=1)
    seen = 0
    for _ in range(60):
        _, _, terminated, truncated, info = envs.step(inner.sample_actions())
        ended = terminated | truncated
        if ended.any():
            batch = inner.venv.batch
            wanted = batch.episode_return[np.arange(16), batch.final_player]
            np.testing.assert_allclose(info["episode"]["r"][ended], wanted[ended], atol=1e-5)
            seen += int(ended.sum())
            if mode == "Disabled":
                envs.reset(options={"reset_mask": ended})
    assert seen > 100
