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


def test_every_clone_has_chance_of_its_own(game: playmat.Game) -> None:
    env, twin = game.env(4), game.env(4)
    before = position(env)
    clones = [env.clone() for _ in range(8)]
    assert position(env) == before
    streams = {
        tuple(one.state_dict()["rng"]) for one in (env, *clones, *(c.clone() for c in clones))
    }
    assert len(streams) == 17, "no copy has the chance of another, nor the true one"
    for clone in clones:
        assert clone.state_dict()["state"] == env.state_dict()["state"]
        assert clone.decisions == env.decisions
        assert np.array_equal(clone.returns, env.returns)
        assert position(clone) == position(twin.clone()), "equal calls, equal copies"
    kept = copy.copy(env)
    assert kept.clone().to_bytes() == env.clone().to_bytes()
    env.reset(4)
    assert env.clone().to_bytes() == game.env(4).clone().to_bytes()


def test_saves_count_the_copies_that_were_made(game: playmat.Game) -> None:
    """A loaded environment does not repeat the copies of the one that was saved."""
    env = game.env(4)
    first = [env.clone().episode_seed for _ in range(3)]
    saved = pickle.dumps(env), env.to_bytes(), env.clone(exact=True)
    assert position(env) == position(game.env(4))
    following = env.clone().episode_seed
    assert following not in first
    loaded = [pickle.loads(saved[0]), game.env_from_bytes(saved[1]), saved[2], copy.copy(saved[2])]
    for one in loaded:
        assert one.clone().episode_seed == following
        one.reset(4)
        assert one.clone().episode_seed == first[0]


def test_a_sample_of_a_sample_is_another(game: playmat.Game) -> None:
    """A search that samples again in a sample does not get the chance of that sample."""
    env = game.env(4)
    sampled = env.sample_hidden(0, 5)
    nested = sampled.sample_hidden(0, 5)
    deeper = nested.sample_hidden(0, 5)
    assert len({tuple(one.state_dict()["rng"]) for one in (sampled, nested, deeper)}) == 3
    venv = game.vec_env(2)
    venv.reset(states=[sampled, env])
    for batch in (venv, pickle.loads(pickle.dumps(venv))):
        assert batch.state(0).sample_hidden(0, 5).episode_seed == nested.episode_seed
        assert batch.state(1).sample_hidden(0, 5).episode_seed == sampled.episode_seed
    replayed = sampled.replay().env()
    for one in (
        pickle.loads(pickle.dumps(sampled)),
        replayed,
        game.env_from_json(sampled.to_json()),
    ):
        assert one.sample_hidden(0, 5).episode_seed == nested.episode_seed
    venv.reset(1)
    fresh = game.env(int(venv.batch.episode_seed[0]))
    again = venv.state(0).sample_hidden(0, 5)
    assert again.episode_seed == fresh.sample_hidden(0, 5).episode_seed == sampled.episode_seed


def test_playing_on_a_clone_tells_nothing_of_the_next_card() -> None:
    """The public card of Leduc poker, four cards left to choose from."""
    game = playmat.Game("leduc_poker")
    call = game.parse_action("call")

    def public(env: playmat.Env) -> str:
        env.step(call)
        env.step(call)
        return str(env.state_dict()["state"]["public"])

    same = {"clone": 0, "exact": 0}
    for seed in range(400):
        env = game.env(seed)
        seen, exact = public(env.clone()), public(env.clone(exact=True))
        truth = public(env)
        same["clone"] += seen == truth
        same["exact"] += exact == truth
    assert same["exact"] == 400
    # A guess hits one in four: 100 with a deviation of 8.7.
    assert 65 < same["clone"] < 135, same


def test_determinizations_look_the_same_to_their_player(game: playmat.Game) -> None:
    env = game.env(8)
    while not env.done:
        for player in range(game.num_players):
            sample = env.sample_hidden(player, seed=17)
            assert sample.validate() == []
            assert np.array_equal(sample.observation(player), env.observation(player))
            assert np.array_equal(sample.action_mask(player), env.action_mask(player))
            assert sample.to_json(player) == env.to_json(player)
            assert sample.render("ansi", player) == env.render("ansi", player)
        env.step(env.sample_action())


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
