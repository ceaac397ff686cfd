"""Every entrance for foreign bytes and text: refused with the reason, or a state that plays on."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import playmat
from saved import STREAMS, position

#: Random inputs of all games together; `PLAYMAT_HYPOTHESIS=slow` changes only hypothesis.
RANDOM_INPUTS = 1_000_000


def plays_on(env: playmat.Env) -> None:
    """A loaded state must hold every promise that a played one holds."""
    assert env.validate() == []
    assert env.game.env_from_bytes(env.to_bytes()).to_bytes() == env.to_bytes()
    for player in range(env.game.num_players):
        assert env.observation(player).shape == env.game.observation_shape
        env.to_json(player)
    for _ in range(60):
        if env.done:
            break
        env.step(env.sample_action())
        assert env.validate() == []


def positions(game: playmat.Game) -> list[playmat.Env]:
    env = game.env(5)
    kept = [env.clone(exact=True)]
    while not env.done:
        env.step(env.sample_action())
        kept.append(env.clone(exact=True))
    return [kept[0], kept[len(kept) // 2], kept[-1]]


def test_random_bytes_never_load(game: playmat.Game) -> None:
    """Random bytes, and a true header before random bytes: both kinds reach another depth of the reader."""
    draws = random.Random(1)
    load = game.env_from_bytes
    true = game.env(1).to_bytes()
    rounds = RANDOM_INPUTS // len(playmat.games()) // 100
    refused = 0
    for _ in range(rounds):
        block = draws.randbytes(16_384)
        for i in range(100):
            size = (i * i) % 160
            data = block[i * 100 : i * 100 + size]
            if i % 2:
                data = true[: 8 + i % 37] + data
            try:
                load(data)
            except playmat.Unreadable:
                refused += 1
            except playmat.WrongIdentity:
                refused += 1
    assert refused == rounds * 100


def test_random_bodies_with_true_checksums(game: playmat.Game) -> None:
    """The checksum is no lock: bodies changed behind it are judged by the rules of the game."""
    import zlib

    draws = random.Random(2)
    outcomes = {"loaded": 0, "refused": 0}
    for env in positions(game):
        true = env.to_bytes()
        for _ in range(400):
            start = 48 + int.from_bytes(true[36:40], "little")
            body, streams = bytearray(true[start:-STREAMS]), true[-STREAMS:-4]
            for _ in range(draws.choice((1, 1, 1, 2, 8))):
                body[draws.randrange(len(body))] = draws.randrange(256)
            if draws.random() < 0.1:
                body = body[: draws.randrange(len(body))]
            header, options = true[:40] + len(body).to_bytes(4, "little"), true[48:start]
            checksum = zlib.crc32(header + options + bytes(body)).to_bytes(4, "little")
            tail = streams + zlib.crc32(streams + checksum).to_bytes(4, "little")
            try:
                loaded = game.env_from_bytes(header + checksum + options + bytes(body) + tail)
            except (playmat.Unreadable, playmat.InvalidState):
                outcomes["refused"] += 1
            else:
                outcomes["loaded"] += 1
                plays_on(loaded)
    assert outcomes["refused"] > 100
    assert outcomes["loaded"] > 10, "seeds and streams may have any value"


def test_every_flipped_bit_and_every_cut_is_refused(game: playmat.Game) -> None:
    for env in positions(game):
        data = env.to_bytes()
        step = max(1, len(data) // 150)
        for at in range(0, len(data), step):
            bad = bytearray(data)
            bad[at] ^= 1 << (at % 8)
            with pytest.raises((playmat.Unreadable, playmat.WrongIdentity)):
                game.env_from_bytes(bad)
            with pytest.raises(playmat.Unreadable):
                game.env_from_bytes(data[:at])
        with pytest.raises(playmat.Unreadable, match="bytes after the header"):
            game.env_from_bytes(data + b"\0")


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


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all values in a document."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            found += leaves(item, (*path, i))
    return found


STRANGE: list[Any] = [
    None, True, -1, 0, 1, 2, 255, 256, 2**31, 2**63, 2**64 - 1, -(2**63), 1.5, 1e308, "", "x", "0x0", "\u2603",
    [], {}, [[]], [0] * 40, {"x": 1},
]  # fmt: skip


def mutated(document: Any, path: tuple[Any, ...], draws: random.Random) -> Any:
    """A document with one change at a path."""
    document = copy.deepcopy(document)
    place = document
    for part in path[:-1]:
        place = place[part]
    last, old = path[-1], None
    old = place[last]
    match draws.randrange(6):
        case 0:
            del place[last]
        case 1 if isinstance(old, int) and not isinstance(old, bool):
            place[last] = old + draws.choice((-1, 1))
        case 2 if isinstance(place, list):
            place.insert(last, copy.deepcopy(old))
        case 3 if isinstance(old, str) and old:
            at = draws.randrange(len(old))
            place[last] = old[:at] + draws.choice("MFRDTAXO.ox+1 ") + old[at + 1 :]
        case 4 if isinstance(place, list) and len(place) > 1:
            other = draws.randrange(len(place))
            place[last], place[other] = place[other], place[last]
        case _:
            place[last] = draws.choice(STRANGE)
    return document


def test_mutated_json_is_refused_or_plays_on(game: playmat.Game) -> None:
    draws = random.Random(3)
    outcomes = {"loaded": 0, "refused": 0}
    for env in positions(game):
        document = env.state_dict()
        paths = leaves(document)
        for _ in range(400):
            changed = mutated(document, draws.choice(paths), draws)
            try:
                loaded = game.env_from_json(changed)
            except (playmat.Unreadable, playmat.InvalidState, playmat.WrongIdentity) as refusal:
                outcomes["refused" if str(refusal) else "refused without a word"] += 1
            else:
                outcomes["loaded"] += 1
                plays_on(loaded)
    assert outcomes["refused"] > 100
    assert outcomes["loaded"] > 10


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
