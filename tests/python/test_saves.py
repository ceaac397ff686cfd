"""What is no save is refused with the reason: texts, Python values, saves of others. Checks C8 and C9 of the suite change saves."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import playmat
from saved import position


def test_states_of_others_are_refused(game: playmat.Game) -> None:
    data, text = game.env(1).to_bytes(), game.env(1).to_json()
    for name in playmat.games():
        if name == game.name:
            continue
        other = playmat.Game(name)
        with pytest.raises(playmat.WrongIdentity) as caught:
            other.env_from_bytes(data)
        assert caught.value.field == "game"
        with pytest.raises(playmat.WrongIdentity) as caught:
            other.env_from_json(text)
        assert (caught.value.found, caught.value.expected) == (game.name, name)
    longer = playmat.Game(game.name, max_steps=5)
    assert longer.env_from_json(text).to_bytes() is not None


def test_other_configurations_are_refused() -> None:
    two, three = playmat.Game("graphia"), playmat.Game("graphia", players=3)
    for load, saved in (
        (three.env_from_bytes, two.env(1).to_bytes()),
        (three.env_from_json, two.env(1).to_json()),
    ):
        with pytest.raises(playmat.WrongIdentity, match="options") as caught:
            load(saved)
        assert (caught.value.found, caught.value.expected) == ("players: 2", "players: 3")
    batch = two.vec_env(2)
    batch.reset(seed=1)
    with pytest.raises(playmat.WrongIdentity, match="`players: 2`, this game has `players: 3`"):
        three.vec_env(2).load_bytes(batch.to_bytes())


def test_problems_have_paths(game: playmat.Game) -> None:
    with pytest.raises(playmat.InvalidState) as caught:
        game.env_from_json({"state": {}})
    problems = caught.value.problems
    assert problems
    assert all(problem.path.startswith("state") and problem.message for problem in problems)
    assert all(problem.message in str(caught.value) for problem in problems[:20])


@given(
    text=st.one_of(st.text(max_size=80), st.binary(max_size=80).map(lambda b: b.decode("latin-1")))
)
def test_no_text_is_a_state(text: str) -> None:
    with pytest.raises((playmat.Unreadable, playmat.InvalidState)):
        playmat.Game("tic_tac_toe").env_from_json(text)
    with pytest.raises(playmat.Unreadable):
        playmat.Replay(text)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(value=json_values)
def test_python_values_go_through_json(value: Any) -> None:
    with pytest.raises((playmat.Unreadable, playmat.InvalidState, playmat.WrongIdentity)):
        playmat.Game("tic_tac_toe").env_from_json({"state": value})


def test_strange_python_objects_are_refused() -> None:
    game = playmat.Game("tic_tac_toe")
    endless: list[Any] = []
    endless.append(endless)
    for bad in (
        object(),
        {"state": object()},
        {1: 2},
        endless,
        {"state": float("nan")},
        {"state": 2**70},
    ):
        with pytest.raises((playmat.InvalidArgument, playmat.Unreadable, playmat.InvalidState)):
            game.env_from_json(bad)
    with pytest.raises(
        playmat.InvalidArgument, match="argument `data`: got an object of type `str`"
    ):
        game.env_from_bytes("text")


def test_deep_json_does_not_overflow_the_stack() -> None:
    with pytest.raises(playmat.Unreadable):
        playmat.Game("tic_tac_toe").env_from_json("[" * 200_000)


def test_loaded_states_support_everything(game: playmat.Game) -> None:
    env = game.env(6)
    env.step(env.sample_action())
    assert not env.done, "no game ends with its first decision"
    loaded = game.env_from_json(json.dumps(env.state_dict()))
    loaded.step(loaded.game.agent("greedy").act(loaded))
    assert loaded.events() != []
    assert len(loaded.history) == 1
    replay = loaded.replay()
    assert position(replay.env()) == position(loaded)
    assert loaded.clone(exact=True).to_bytes() == loaded.to_bytes()
    assert np.array_equal(loaded.sample_hidden(0, 1).observation(0), loaded.observation(0))


def test_keys_that_are_there_twice_are_refused(game: playmat.Game) -> None:
    """JSON leaves open which one counts; a position says what it means or is refused."""
    env = game.env(6)
    text, state = env.to_json(), env.state_dict()["state"]
    key, value = next((k, v) for k, v in state.items() if v)
    twice = text.replace('"state":{', f'"state":{{{json.dumps(key)}:{json.dumps(value)},', 1)
    assert json.loads(twice) == json.loads(text), "Python takes the last one"
    with pytest.raises(playmat.Unreadable, match=f"state.{key}: this key is there twice"):
        game.env_from_json(twice)
    replay = env.clone(seed=1).replay().to_json()
    twice = replay.replace('"state":{', f'"state":{{{json.dumps(key)}:{json.dumps(value)},', 1)
    assert twice != replay
    with pytest.raises(playmat.Unreadable, match=f"start.state.{key}: this key is there twice"):
        playmat.Replay(twice)


def test_counts_that_no_episode_has_are_refused() -> None:
    """A position from outside may carry any count of decisions up to the longest game."""
    game = playmat.Game("graphia")
    document, longest = game.env(3).state_dict(), game.info()["max_decisions"]
    document["decisions"] = longest
    env = game.env_from_json(document)
    env.step(env.legal_actions()[0])
    assert env.decisions == longest
    assert game.env_from_json(env.to_json()).to_bytes() == env.to_bytes()
    assert pickle.loads(pickle.dumps(env)).decisions == env.decisions
    for field, count in (("decisions", longest + 1), ("decisions", 2**32 - 1), ("episode", 2**63)):
        with pytest.raises(playmat.InvalidState, match=f"{field}: got {count}") as caught:
            game.env_from_json({**game.env(3).state_dict(), field: count})
        assert [problem.path for problem in caught.value.problems] == [field]


def test_unknown_fields_hide_nothing(game: playmat.Game) -> None:
    document = game.env(3).state_dict()
    document["state"] = {**document["state"], "colour": "red", "size": 3}
    document |= {"sead": 1, "episode": "first", "status": "terminated"}
    with pytest.raises(playmat.InvalidState) as caught:
        game.env_from_json(document)
    paths = {problem.path for problem in caught.value.problems}
    assert paths == {"state.colour", "state.size", "sead", "episode"}
    first = next(iter(document["state"]))
    document["state"][first] = "?"
    with pytest.raises(playmat.InvalidState) as caught:
        game.env_from_json(document)
    paths = {problem.path for problem in caught.value.problems}
    assert {"state.colour", "state.size", "sead", "episode"} < paths
    assert any(path.startswith(f"state.{first}") for path in paths)
