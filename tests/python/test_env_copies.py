"""Copies of a `playmat.Env`: clones, samples, pickles, bytes and JSON."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import playmat
from saved import position


def test_conf_c13_pickles_keep_the_past(game: playmat.Game) -> None:
    """History, where it began, the last step's events: after a deal, a reset, a load and a clone with a seed."""

    def play(env: playmat.Env, decisions: int) -> playmat.Env:
        for _ in range(decisions):
            if not env.done:
                env.step(env.sample_action())
        return env

    later = game.env(5)
    later.reset()
    loaded = game.env_from_bytes(play(game.env(6), 1).to_bytes())
    for env in (game.env(4), later, loaded, game.env(7).clone(seed=8)):
        play(env, 3)
        twin = pickle.loads(pickle.dumps(env))
        assert twin.to_bytes() == env.to_bytes()
        assert twin.history == env.history
        assert twin.replay() == env.replay()
        assert len(twin.replay()) == len(env.history) > 0
        assert twin.events() == env.events()
        assert np.array_equal(twin.rewards, env.rewards)
        assert np.array_equal(twin.returns, env.returns)
        play(twin, 1000)
        assert twin.replay().env().state_dict()["state"] == twin.state_dict()["state"]
        env.reset()
        twin = pickle.loads(pickle.dumps(env))
        twin.reset()
        env.reset()
        assert twin.episode_seed == env.episode_seed


def test_pickles_with_another_past_are_refused(small: playmat.Game) -> None:
    env = small.env(1)
    env.step(3)
    restore, (game, data, start, *_) = env.__reduce__()
    with pytest.raises(playmat.InvalidArgument, match="do not lead to the saved state"):
        restore(game, data, start, [(0, 4)], None)
    with pytest.raises(playmat.IllegalAction):
        restore(game, data, start, [(0, 99)], None)


def test_clones_are_independent(game: playmat.Game) -> None:
    env = game.env(4)

    def copies() -> tuple[bytes, playmat.Env, playmat.Env, playmat.Env]:
        return env.to_bytes(), env.clone(exact=True), copy.copy(env), copy.deepcopy(env)

    clones = [copies()]
    while not env.done:
        env.step(env.sample_action())
        clones.append(copies())
    for data, *twins in clones:
        assert all(twin.to_bytes() == data for twin in twins)
    data, one, two, _ = clones[0]
    for player, action in env.history:
        one.step(action, player)
    assert position(one) == position(env)
    assert two.to_bytes() == data


def test_fresh_chance_keeps_the_position(game: playmat.Game) -> None:
    env = game.env(4)
    clone = env.clone(seed=99)
    assert clone.state_dict()["state"] == env.state_dict()["state"]
    assert clone.state_dict()["rng"] != env.state_dict()["rng"]
    assert env.clone(seed=99).to_bytes() == clone.to_bytes()
    with pytest.raises(playmat.InvalidArgument, match="only without `seed`"):
        env.clone(99, exact=True)


def test_json_round_trip(game: playmat.Game) -> None:
    env = game.env(9)
    while not env.done:
        text = env.to_json()
        assert json.loads(text) == env.state_dict()
        for loaded in (game.env_from_json(text), game.env_from_json(env.state_dict())):
            assert position(loaded) == position(env)
        for player in range(game.num_players):
            with pytest.raises(playmat.Unreadable, match="what one player may see"):
                game.env_from_json(env.to_json(player))
        env.step(env.sample_action())


def test_conf_c13_bytes_and_pickle_round_trip(game: playmat.Game) -> None:
    env = game.env(9)
    for _ in range(3):
        env.step(env.sample_action())
        if env.done:
            break
    for loaded in (game.env_from_bytes(env.to_bytes()), pickle.loads(pickle.dumps(env))):
        assert loaded.to_bytes() == env.to_bytes()
        assert loaded.game == game
        assert loaded.decisions == env.decisions
        assert loaded.episode_seed == env.episode_seed
    assert game.env_from_bytes(bytearray(env.to_bytes())).to_bytes() == env.to_bytes()
