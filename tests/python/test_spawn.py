"""Environments that are sent to another process, which starts an interpreter of its own (`spawn`)."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np

import playmat

STEPS = 12


def play_on(game: playmat.Game, env: playmat.Env, venv: playmat.VecEnv) -> list[Any]:
    """Plays on; returns all that an outsider can compare."""
    story: list[Any] = [repr(game), game.options, game.digest(2)]
    while not env.done:
        story.append((env.observation(), env.action_mask(), env.rewards))
        # Not `sample_action`, whose stream is no part of what is saved.
        legal = env.legal_actions()
        env.step(legal[env.decisions % len(legal)])
    story.append((env.returns, env.to_bytes(), env.history))
    for _ in range(STEPS):
        batch = venv.step(venv.sample_actions())
        ended = batch.terminated | batch.truncated
        plain = {
            "obs",
            "action_mask",
            "player",
            "reward",
            "terminated",
            "truncated",
            "episode_seed",
        }
        story.append([batch[name].copy() for name in sorted(plain)])
        story.append((batch.final_obs[ended], batch.episode_return[ended]))
    return [*story, venv.results(), venv.to_bytes()]


def same(one: Any, two: Any) -> bool:
    """Whether two stories are equal, arrays included."""
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and np.array_equal(one, two)
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    return bool(one == two)


def test_conf_n10b_a_spawned_process_goes_on_exactly() -> None:
    game = playmat.Game("graft", players=3, reward="score")
    env = game.env(5)
    for _ in range(9):
        env.step(env.sample_action())
    venv = game.vec_env(40, threads=2, learner=1, opponents=["random", ("greedy", 2.0)])
    venv.reset(seed=3)
    for _ in range(40):
        venv.step(venv.sample_actions())
    assert venv.results()["episodes"] > 0
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(play_on, (game, env, venv))
    here = play_on(game, env, venv)
    assert same(there, here)
    # The comparison notices the smallest thing.
    changed = list(here)
    changed[3] = (here[3][0] ^ 1, *here[3][1:])
    assert not same(there, changed)
