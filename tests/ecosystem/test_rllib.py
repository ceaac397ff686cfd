"""`playmat.rllib`: RLlib's own check, play side by side with the engine, a short training."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import playmat

pytest.importorskip("ray.rllib")

import torch

from adapters import FEW, FULL, ROOT, blocks, episodes

with warnings.catch_warnings():
    # Ray warns of Python features and of parts of its own that it will drop.
    warnings.simplefilter("ignore")
    from gymnasium import spaces
    from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments
    from ray.rllib.utils.torch_utils import FLOAT_MIN

    import playmat.rllib
    from playmat.rllib import MaskedPPOModule, PlaymatMultiAgentEnv

torch.set_num_threads(1)


@pytest.mark.parametrize(("name", "players"), FEW)
@pytest.mark.parametrize("dtype", ["f32", "u8"])
def test_conf_k1_own_check_passes(name: str, players: int, dtype: str) -> None:
    env = PlaymatMultiAgentEnv({"game": name, "players": players, "dtype": dtype})
    check_multiagent_environments(env)
    observations, _ = env.reset(seed=1)
    for agent, seen in observations.items():
        assert env.get_observation_space(agent).contains(seen)


@pytest.mark.parametrize(("name", "players"), FEW)
@pytest.mark.parametrize("dtype", ["u8", "f32"])
def test_conf_k4_steps_are_those_of_the_engine(name: str, players: int, dtype: Any) -> None:
    env = PlaymatMultiAgentEnv({"game": name, "players": players, "dtype": dtype})
    together = 0
    for seed in range(episodes(name, players, FULL) if dtype == "u8" else 2):
        engine = env.game.env(seed)
        observations, infos = env.reset(seed=seed)
        # RLlib's own record of the episode: what a learner is given.
        record = MultiAgentEpisode(
            observation_space=env.observation_spaces, action_space=env.action_spaces
        )
        record.add_env_reset(observations=observations, infos=infos)
        paid = dict.fromkeys(env.agents, 0.0)
        acted = set()
        while not record.is_done:
            acting = engine.acting_players
            together = max(together, len(acting))
            assert list(observations) == [f"player_{player}" for player in acting]
            compare(observations, engine, dtype)
            actions = {f"player_{p}": engine.sample_action(p) for p in acting}
            acted |= set(actions)
            for player in reversed(acting):
                engine.step(actions[f"player_{player}"], player)
            observations, rewards, terminations, truncations, infos = env.step(actions)
            assert (terminations["__all__"], truncations["__all__"]) == (
                engine.terminated,
                engine.truncated,
            )
            assert set(infos) == set(observations)
            for agent, amount in rewards.items():
                paid[agent] += amount
            record.add_env_step(
                observations, actions, rewards, infos, terminateds=terminations,
                truncateds=truncations,
            )  # fmt: skip
        assert list(observations) == env.agents
        compare(observations, engine, dtype)
        assert not any(seen["action_mask"].any() for seen in observations.values())
        assert list(paid.values()) == engine.returns.tolist()
        for agent in acted:
            player = env.agents.index(agent)
            steps = record.agent_episodes[agent]
            assert steps.get_return() == pytest.approx(float(engine.returns[player]), abs=1e-6)
            assert len(steps) == sum(who == player for who, _ in engine.history)
            assert (steps.is_terminated, steps.is_truncated) == (
                engine.terminated,
                engine.truncated,
            )
    assert (together > 1) == (env.game.info()["simultaneous"] and players > 1)


def compare(observations: dict[str, Any], engine: playmat.Env, dtype: Any) -> None:
    for agent, seen in observations.items():
        player = int(agent.removeprefix("player_"))
        expected = engine.observation(player, dtype=dtype)
        assert seen["observations"].tobytes() == expected.tobytes()
        assert seen["action_mask"].dtype == np.float32
        assert seen["action_mask"].tolist() == engine.action_mask(player).tolist()


def test_truncated_episodes_are_not_terminated() -> None:
    env = PlaymatMultiAgentEnv({"game": "connect_four", "max_steps": 3})
    observations, infos = env.reset(seed=1)
    record = MultiAgentEpisode()
    record.add_env_reset(observations=observations, infos=infos)
    for action in (0, 1, 2):
        actions = dict.fromkeys(observations, action)
        observations, rewards, terminateds, truncateds, infos = env.step(actions)
        record.add_env_step(
            observations, actions, rewards, infos, terminateds=terminateds, truncateds=truncateds
        )
    for episode in (record, *record.agent_episodes.values()):
        assert (episode.is_terminated, episode.is_truncated) == (False, True)


# --- refusals ---


def test_illegal_actions_end_the_episode_or_are_refused_or_replaced() -> None:
    env = PlaymatMultiAgentEnv({"game": "goofspiel", "players": 3})
    env.reset(seed=1)
    observations, rewards, terminations, truncations, _ = env.step(
        {"player_0": 1, "player_1": 13, "player_2": 99}
    )
    assert rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": -1.0}
    assert terminations == {"__all__": True} and truncations == {"__all__": False}
    assert set(observations) == set(env.agents)
    with pytest.raises(playmat.EpisodeOver):
        env.step({"player_0": 1, "player_1": 1, "player_2": 1})

    env = PlaymatMultiAgentEnv({"game": "goofspiel", "illegal_action": "raise"})
    env.reset(seed=1)
    before = env._env.to_bytes()
    with pytest.raises(playmat.IllegalAction):
        env.step({"player_0": 1, "player_1": 13})
    with pytest.raises(playmat.InvalidArgument):
        env.step({"player_0": 1})
    assert env._env.to_bytes() == before

    env = PlaymatMultiAgentEnv({"game": "goofspiel", "illegal_action": "random"})
    env.reset(seed=1)
    env.step({"player_0": 1, "player_1": 13})
    assert env._env.decisions == 2 and env._env.history[0] == (0, 1)


def test_bad_configurations_are_named() -> None:
    for bad, error, text in (
        ({}, playmat.InvalidArgument, "argument `game`"),
        ({"game": 3}, playmat.InvalidArgument, "argument `game`"),
        ({"game": "connect_five"}, playmat.UnknownGame, "connect_five"),
        ({"game": "graft", "players": 9}, playmat.InvalidOption, "players"),
        ({"game": "graft", "dtype": "f16"}, playmat.InvalidArgument, "argument `dtype`"),
        ({"game": "graft", "illegal_action": "x"}, playmat.InvalidArgument, "illegal_action"),
        ({"game": "graft", "render_mode": "svg"}, playmat.InvalidArgument, "render_mode"),
    ):
        with pytest.raises(error, match=text):
            PlaymatMultiAgentEnv(bad)
    game = playmat.Game("graft", players=2)
    assert PlaymatMultiAgentEnv({"game": game}).game is game
    assert PlaymatMultiAgentEnv({"game": game, "players": 4}).game.num_players == 4


def test_resets_and_pictures() -> None:
    starts = set()
    for _ in range(2):
        env = PlaymatMultiAgentEnv({"game": "graft", "render_mode": "ansi"})
        for _ in range(2):
            env.reset()
            starts.add(env._env.episode_seed)
    assert len(starts) == 4
    env.reset(seed=np.int64(5))
    assert env.render() == env.game.env(5).render()
    pixels = PlaymatMultiAgentEnv({"game": "graft", "render_mode": "rgb_array"})
    pixels.reset(seed=5)
    assert pixels.render().shape[2] == 3
    assert PlaymatMultiAgentEnv({"game": "graft"}).render() is None


# --- the module ---


@pytest.mark.parametrize("dtype", ["f32", "u8"])
def test_module_gives_illegal_actions_no_probability(dtype: str) -> None:
    env = PlaymatMultiAgentEnv({"game": "graft", "dtype": dtype})
    module = MaskedPPOModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config={"fcnet_hiddens": [16]},
    )
    assert module.observation_space == env.observation_spaces["player_0"]
    observations, _ = env.reset(seed=1)
    seen = list(observations.values())
    batch = {
        "obs": {key: torch.from_numpy(np.stack([each[key] for each in seen])) for key in seen[0]}
    }
    before = {key: tensor.clone() for key, tensor in batch["obs"].items()}
    legal = batch["obs"]["action_mask"] > 0
    assert legal.any() and not legal.all()
    for forward in (module.forward_inference, module.forward_exploration, module.forward_train):
        logits = forward(batch)["action_dist_inputs"]
        assert (logits[~legal] == FLOAT_MIN).all() and (logits[legal] > -1e3).all()
        odds = torch.softmax(logits, -1)
        assert (odds[~legal] == 0).all() and torch.isfinite(odds).all()
    assert module.compute_values(batch).shape == (len(seen),)
    assert set(batch) == {"obs"} and set(batch["obs"]) == set(before)
    assert all(torch.equal(batch["obs"][key], before[key]) for key in before)

    with pytest.raises(playmat.InvalidArgument, match="observation_space"):
        MaskedPPOModule(
            observation_space=spaces.Box(0.0, 1.0, (3,)),
            action_space=env.action_spaces["player_0"],
        )


# --- pages, examples ---


def test_docstring_runs() -> None:
    ran = doctest.testmod(playmat.rllib)
    assert ran.attempted >= 3 and ran.failed == 0


def run(code: list[str]) -> str:
    """Runs a program that starts Ray, in an interpreter of its own, and waits for the end of both."""
    settings = {"RAY_DEDUP_LOGS": "0", "RAY_USAGE_STATS_ENABLED": "0", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, *code],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


def test_example_trains() -> None:
    path = ROOT / "examples" / "rllib_ppo.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    shown = run([str(path), "--iterations", "2", "--runners", "2"])
    steps = re.findall(r"^\d: (\d+) steps by 2 env runners$", shown, re.MULTILINE)
    assert len(steps) == 2 and all(int(number) >= 1024 for number in steps)
    assert -13.0 <= float(shown.split()[-1]) <= 13.0


def test_page_runs() -> None:
    code = blocks("rllib.md")
    assert len(code) >= 3
    # One after the other in one program, so that Ray starts once.
    run(["-c", "\n".join(code)])
