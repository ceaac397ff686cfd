"""playmat.sb3 keeps Stable-Baselines3's promises and changes nothing that the engine says."""

from __future__ import annotations

import doctest
import re
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_with_masks
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    VecCheckNan,
    VecMonitor,
    VecNormalize,
)

import playmat
import playmat.gymnasium
import playmat.sb3
from adapters import EPISODES, OPPONENTS, blocks, difference, engine, example, flat
from playmat.gymnasium import Env
from playmat.sb3 import VecEnv

torch.set_num_threads(1)


@pytest.fixture(params=playmat.games())
def game(request: pytest.FixtureRequest) -> playmat.Game:
    return playmat.Game(request.param)


# Stable-Baselines3's own checkers and environments. Warnings are errors here.


@pytest.mark.parametrize("name", playmat.games())
def test_check_env_finds_nothing_in_any_registered_id(name: str) -> None:
    env: Any = gymnasium.make(playmat.gymnasium.env_id(name), render_mode="ansi")
    check_env(env.unwrapped, skip_render_check=False)


def test_observations_are_finite(game: playmat.Game) -> None:
    env = VecCheckNan(VecEnv(game, 8), raise_exception=True)
    env.reset()
    for _ in range(20):
        env.step(env.unwrapped.sample_actions())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leduc_poker", {}),
        ("tic_tac_toe", {"observation": "dict", "dtype": "u8"}),
        ("goofspiel", {"learner": 1, "reward": "score_delta", "players": 3}),
        ("kuhn_poker", {"max_steps": 1}),
    ],
)
def test_like_dummy_vec_env_with_monitors(name: str, options: dict[str, Any]) -> None:
    class SeededEnv(Env):
        next_seed = 0

        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            return super().reset(seed=self.next_seed if seed is None else seed, options=options)

    rows = 6
    options = {"opponents": OPPONENTS, **options}
    begin, seconds = time.time(), 0.0
    ours = VecEnv(name, rows, **options)
    theirs = DummyVecEnv([lambda: Monitor(SeededEnv(name, **options))] * rows)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    ours.seed(11)
    theirs.seed(11)
    assert difference(ours.reset(), theirs.reset()) is None
    ends = 0
    for _ in range(150):
        actions = ours.sample_actions()
        assert difference(ours.env_method("action_masks")[0], ours.action_masks()[0]) is None
        obs, reward, done, infos = ours.step(actions)
        for row in range(rows):
            theirs.envs[row].unwrapped.next_seed = int(ours.venv.batch.episode_seed[row])
        other = theirs.step(actions)
        assert difference((obs, reward, done), tuple(other[:3])) is None
        for row, (mine, wanted) in enumerate(zip(infos, other[3], strict=True)):
            if not done[row]:
                assert mine == {}
                continue
            ends += 1
            assert mine.keys() == {"terminal_observation", "episode", "TimeLimit.truncated"}
            for key in ("terminal_observation", "TimeLimit.truncated"):
                assert difference(mine[key], wanted[key]) is None
            assert mine["episode"].keys() == wanted["episode"].keys()
            assert mine["episode"]["l"] == wanted["episode"]["l"]
            assert mine["episode"]["r"] == pytest.approx(wanted["episode"]["r"], abs=1e-5)
            # Seconds since the environments were made, rounded to microseconds.
            assert seconds <= mine["episode"]["t"] <= time.time() - begin + 1e-6
            seconds = mine["episode"]["t"]
    assert ends > 50
    assert seconds > 0


# The engine says the same, over many episodes of every game.


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_episodes_are_those_of_the_engine(game: playmat.Game, observation: Any) -> None:
    rows = 256
    ours = VecEnv(game, rows, opponents=OPPONENTS, learner="rotate", observation=observation)
    theirs = engine(game, rows, autoreset="same_step")
    ours.seed(7)
    obs = ours.reset()
    batch = theirs.reset(seed=np.arange(7, 7 + rows))
    lengths, episodes, step = np.zeros(rows, int), 0, 0
    # Named segments are views of the same arrays: fewer episodes.
    while episodes < (EPISODES if observation == "flat" else EPISODES // 4):
        assert flat(obs).tobytes() == batch.obs.tobytes()
        masks = np.stack(ours.env_method("action_masks"))
        assert masks.tobytes() == batch.action_mask.tobytes()
        row = step % rows
        state, learner = ours.venv.state(row), int(batch.learner[row])
        assert state.observation(learner, dtype="f32").tobytes() == flat(obs)[row].tobytes()
        assert (state.action_mask(learner) == masks[row]).all()
        actions = theirs.sample_actions()
        obs, reward, done, infos = ours.step(actions)
        batch = theirs.step(actions)
        lengths += 1
        assert (reward == batch.learner_reward).all()
        assert (done == (batch.terminated | batch.truncated)).all()
        for row, info in enumerate(infos):
            assert bool(info) == done[row]
            if info:
                last = info["terminal_observation"]
                if observation == "dict":
                    last = np.concatenate([part.ravel() for part in last.values()])
                assert last.tobytes() == batch.final_obs[row].tobytes()
                wanted = batch.episode_return[row, batch.final_player[row]]
                assert abs(info["episode"]["r"] - wanted) < 1e-4
                assert info["episode"]["l"] == lengths[row]
                assert info["TimeLimit.truncated"] == batch.truncated[row]
        lengths[done] = 0
        episodes += int(done.sum())
        step += 1


# What algorithms and wrappers call.


def test_examples_of_the_docstrings_run() -> None:
    result = doctest.testmod(playmat.sb3)
    assert (result.failed, result.attempted) == (0, 5)


def test_maskable_ppo_trains_and_chooses_legal_actions_only() -> None:
    for observation, policy in (("flat", "MlpPolicy"), ("dict", "MultiInputPolicy")):
        env = VecEnv("tic_tac_toe", 8, observation=observation)
        assert is_masking_supported(env)
        env.reset()
        assert difference(get_action_masks(env), env.action_masks()) is None
        # An illegal action would raise.
        model = MaskablePPO(policy, env, n_steps=32, batch_size=64, n_epochs=1, seed=1)
        model.learn(512)
        assert len(model.ep_info_buffer) > 20
        test = VecEnv("tic_tac_toe", 4, observation=observation)
        mean, _ = evaluate_with_masks(model, test, 20)
        assert -1 <= mean <= 1


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [
        (PPO, {"n_steps": 32, "batch_size": 64}),
        (A2C, {}),
        (DQN, {"learning_starts": 10, "buffer_size": 1000}),
    ],
)
def test_algorithms_without_masks_train(algorithm: Any, arguments: dict[str, Any]) -> None:
    env = VecEnv("tic_tac_toe", 4, illegal="penalty", penalty=0.5)
    model = algorithm("MlpPolicy", env, seed=1, **arguments)
    model.learn(256)
    assert model.num_timesteps >= 256
    assert model.ep_info_buffer
    mean, _ = evaluate_policy(model, env, 20)
    assert -4 <= mean <= 1


def test_truncated_episodes_bootstrap() -> None:
    env = VecEnv("connect_four", 8, max_steps=4)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=1)
    seen = []
    predict = model.policy.predict_values
    model.policy.predict_values = lambda obs: seen.append(len(obs)) or predict(obs)
    model.learn(128)
    # One call for each truncated row, one for the end of the rollout.
    assert seen.count(1) > 10


def test_evaluate_policy_counts_what_the_engine_counts() -> None:
    env = VecEnv("leduc_poker", 8, illegal="replace", opponents="greedy")
    model = PPO("MlpPolicy", env, n_steps=8, batch_size=64, seed=1)
    env.seed(3)
    env.venv.reset_results()
    returns, lengths = evaluate_policy(model, env, 100, return_episode_rewards=True)
    # It plays on until each row has had its share; the engine counts all.
    results = env.venv.results()
    assert len(returns) == 100
    assert results["episodes"] >= 100
    assert min(lengths) >= 1
    env.seed(3)
    again, _ = evaluate_policy(model, env, 100, return_episode_rewards=True)
    assert again == returns


def test_wrappers_work() -> None:
    env: Any = VecNormalize(VecEnv("goofspiel", 4, illegal="replace"))
    model = A2C("MlpPolicy", env, seed=1)
    model.learn(64)
    assert env.venv.get_attr("game") == [playmat.Game("goofspiel")] * 4
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        monitored = VecMonitor(VecEnv("tic_tac_toe", 4))
    monitored.reset()
    ends = 0
    for _ in range(30):
        *_, infos = monitored.step(monitored.unwrapped.sample_actions())
        ends += sum("episode" in info for info in infos)
    assert ends > 10


def test_attributes_and_methods_of_rows() -> None:
    env = VecEnv("graft", 3, render_mode="ansi", learner="rotate")
    env.reset()
    assert env.get_attr("render_mode") == ["ansi"] * 3
    assert env.get_attr("game", [0, 2]) == [env.game] * 2
    assert env.get_attr("spec", 1) == [None]
    assert env.get_attr("action_space", 1) == [env.action_space]
    assert not env.has_attr("nothing")
    assert env.has_attr("action_masks")
    masks = env.action_masks()
    assert [row.tolist() for row in env.env_method("action_masks")] == masks.tolist()
    (row,) = env.env_method("action_masks", indices=2)
    assert difference(row, masks[2]) is None
    texts = [env.venv.state(row).render("ansi", viewer=row) for row in range(3)]
    assert env.env_method("render") == texts
    assert env.env_is_wrapped(Monitor, [0]) == [True]
    assert env.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False] * 3
    with pytest.raises(AttributeError, match="no `nothing`; they have game, render_mode"):
        env.env_method("nothing")
    with pytest.raises(AttributeError, match="attribute `render_mode` cannot be set"):
        env.set_attr("render_mode", "svg")


def test_pictures_are_tiled() -> None:
    env = VecEnv("tic_tac_toe", 4, render_mode="rgb_array")
    env.reset()
    one = env.get_images()[0]
    assert one is not None
    tiled = env.render()
    assert tiled is not None
    assert tiled.shape == (2 * one.shape[0], 2 * one.shape[1], 3)
    with pytest.warns(UserWarning, match='render_mode="rgb_array"'):
        assert VecEnv("tic_tac_toe", 2).get_images() == [None, None]


def test_seeds() -> None:
    env = VecEnv("graft", 3)
    env.seed(40)
    first = env.reset()
    assert env.venv.batch.episode_seed.tolist() == [40, 41, 42]
    env.reset()
    drawn = env.venv.batch.episode_seed.tolist()
    assert len({*drawn, 40, 41, 42}) == 6
    env.seed(40)
    assert difference(env.reset(), first) is None
    env.reset()
    assert env.venv.batch.episode_seed.tolist() == drawn
    fresh = [VecEnv("graft", 3) for _ in range(3)]
    for one in fresh:
        one.reset()
    assert len({seed for one in fresh for seed in one.venv.batch.episode_seed.tolist()}) == 9


def test_a_state_goes_on() -> None:
    game = playmat.Game("connect_four")
    state = game.env(1)
    state.step(3)
    state.step(3)
    env = VecEnv(game, 2)
    env.set_options({"state": state.to_bytes()})
    obs = env.reset()
    assert obs[1].tobytes() == state.observation(0, dtype="f32").tobytes()
    assert env.reset()[1].tobytes() != obs[1].tobytes()
    next_seeds = []
    for seed in (5, 5, None, None):
        env.set_options({"state": state})
        if seed is not None:
            env.seed(seed)
        env.reset()
        env.reset()
        next_seeds.append(env.venv.batch.episode_seed.tolist())
    assert next_seeds[0] == next_seeds[1]
    assert len({seed for row in next_seeds[1:] for seed in row}) == 6
    env.set_options([{"state": state}, {}])
    with pytest.raises(playmat.InvalidArgument, match="no `state` for environment 1"):
        env.reset()
    env.set_options({"colour": 1})
    with pytest.raises(playmat.InvalidArgument, match="got `colour`; allowed: `state`"):
        env.reset()


def test_returned_values_belong_to_the_caller() -> None:
    env = VecEnv("tic_tac_toe", 8)
    obs = env.reset()
    kept = [(obs, obs.copy())]
    for _ in range(30):
        masks = env.env_method("action_masks")
        masks[0][:] = 0
        obs, reward, done, infos = env.step(env.sample_actions())
        kept += [(obs, obs.copy()), (reward, reward.copy()), (done, done.copy())]
        # Whoever writes into an info or a mask changes no other row and no later step.
        for row, info in enumerate(infos):
            assert "mark" not in info
            info["mark"] = row
        assert env.action_masks().any(axis=1).all()
    for one, copy in kept:
        assert difference(one, copy) is None


def test_penalties_are_part_of_the_return() -> None:
    env = VecEnv("tic_tac_toe", 32, illegal="penalty", penalty=2)
    env.reset()
    total, totals, penalised = np.zeros(32), [], 0
    for _ in range(60):
        _, reward, done, infos = env.step(np.zeros(32, int))
        total += reward
        penalised += int((reward <= -1.5).sum())
        totals += [(infos[row]["episode"]["r"], total[row]) for row in np.flatnonzero(done)]
        total[done] = 0
    assert penalised > 100
    assert len(totals) > 100
    assert all(one == pytest.approx(other) for one, other in totals)


def test_single_environments_work_through_make_vec_env() -> None:
    name = "playmat.gymnasium:playmat/TicTacToe-v0"
    arguments = {"illegal": "raise", "learner": 1}
    env = make_vec_env(name, n_envs=3, seed=1, env_kwargs=arguments)
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, n_epochs=1, seed=1)
    model.learn(96)
    mean, _ = evaluate_with_masks(model, env, 10)
    assert -1 <= mean <= 1


# Bad input.


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"game": "chess"}, "chess"),
        ({"num_envs": 0}, "num_envs"),
        ({"opponents": "strong"}, "strong"),
        ({"learner": 2}, "2"),
        ({"observation": "image"}, "allowed: `flat`, `dict`"),
        ({"illegal": "ignore"}, "allowed: `raise`, `replace`, `penalty`"),
        ({"render_mode": "human"}, "allowed: `ansi`, `rgb_array`, `svg`"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
def test_bad_options_are_named(options: dict[str, Any], text: str) -> None:
    with pytest.raises(playmat.Error) as error:
        VecEnv(**{"game": "connect_four", **options})
    assert text in str(error.value)


def test_bad_calls_are_named_and_change_nothing() -> None:
    env = VecEnv("connect_four", 2)
    with pytest.raises(playmat.OrderError, match="reset"):
        env.step(np.zeros(2, int))
    with pytest.raises(playmat.OrderError, match="step_async"):
        env.step_wait()
    env.reset()
    before = env.venv.to_bytes()
    for actions in (np.zeros(3, int), np.zeros(2), [0, None]):
        with pytest.raises(playmat.InvalidArgument, match="actions"):
            env.step(actions)
    for actions in (np.array([0, 7]), np.array([-1, 0])):
        with pytest.raises(playmat.IllegalAction):
            env.step(actions)
    env.seed(-5)
    with pytest.raises(playmat.InvalidArgument, match="seed"):
        env.reset()
    assert env.venv.to_bytes() == before
    env.close()
    env.close()
    with pytest.raises(playmat.OrderError):
        env.step(np.zeros(2, int))


# The page and the example.


@pytest.mark.parametrize("number", range(len(blocks("sb3.md"))))
def test_blocks_of_the_page_run(number: int) -> None:
    code = blocks("sb3.md")[number]
    exec(compile(code, f"docs/sb3.md, block {number}", "exec"), {"__name__": "page"})


def test_example_learns() -> None:
    run = example("sb3_maskable_ppo.py", "20480")
    assert run.returncode == 0, run.stderr
    against = r"^(before training|after 20480 steps): return ([+-][\d.]+) .* against random$"
    (_, before), (_, after) = re.findall(against, run.stdout, re.MULTILINE)
    assert float(after) > float(before) + 0.2, run.stdout


def test_a_trained_policy_plays_in_the_engine(tmp_path: Path) -> None:
    """With the module of the page, from numbers and from bytes."""
    text = (Path(__file__).parents[2] / "docs" / "own-networks.md").read_text(encoding="utf-8")
    found = re.search(r"```\n(class FromSb3.*?)```", text, re.DOTALL)
    assert found is not None
    page: dict[str, Any] = {"nn": torch.nn}
    exec(compile(found[1], "own-networks.md", "exec"), page)
    game = playmat.Game("connect_four")
    for dtype in ("f32", "u8"):
        model = MaskablePPO(
            "MlpPolicy", VecEnv(game, 8, dtype=dtype), n_steps=16, batch_size=64, seed=1
        )
        model.learn(128)
        path = tmp_path / f"{dtype}.onnx"
        done = playmat.export_policy(page["FromSb3"](model), game, path, dtype=dtype)
        assert max(done.logits_error, done.value_error) < 1e-4
        agent, env = game.agent(str(path)), game.env(seed=3)
        while not env.done:
            obs = env.observation(dtype=dtype)[None]
            chosen, _ = model.predict(obs, action_masks=env.action_mask()[None], deterministic=True)
            assert agent.act(env) == chosen[0]
            env.step(env.sample_action())
