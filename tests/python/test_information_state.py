"""What a player knows: keys, JSON, samples, pickles; and listed outcomes of chance."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from collections.abc import Callable
from functools import partial

import pytest

import playmat


def keys(env: playmat.Env) -> list[int]:
    return [env.information_state_key(player) for player in range(env.game.num_players)]


def played(game: playmat.Game, seed: int, decisions: int) -> playmat.Env:
    env = game.env(seed)
    for _ in range(decisions):
        if env.done:
            break
        env.step(env.sample_action())
    return env


@pytest.mark.parametrize("decisions", [0, 5, 12])
def test_copies_keep_keys_and_loads_begin_anew(game: playmat.Game, decisions: int) -> None:
    env = played(game, 7, decisions)
    own = keys(env)
    assert len(set(own)) == len(own), "every player has its own"
    assert all(0 <= key < 1 << 128 for key in own)
    for kept in (copy.copy(env), copy.deepcopy(env), env.clone(3), env.clone(exact=True)):
        assert keys(kept) == own
    assert keys(pickle.loads(pickle.dumps(env))) == own
    assert keys(pickle.loads(pickle.dumps(env.clone(3)))) == own
    assert keys(env.replay().env()) == own
    loaded = game.env_from_bytes(env.to_bytes())
    # What a player saw before is lost, so its key is another one as soon as it has seen something.
    assert decisions == 0 or keys(loaded) != own


def test_a_sample_keeps_the_key_of_its_player(game: playmat.Game) -> None:
    env = played(game, 3, 6)
    own = keys(env)
    for player in range(game.num_players):
        sample = env.sample_hidden(player, seed=11)
        assert sample.information_state_key(player) == own[player]
        assert keys(pickle.loads(pickle.dumps(sample))) == keys(sample)
        # A pickle of it holds nothing that the others saw.
        assert sample.clone(1).information_state_key(player) == own[player]
    if game.num_players > 1 and env.game.info()["hidden"]:
        assert env.sample_hidden(0, seed=11).information_state_key(1) != own[1]


def test_the_default_player_and_wrong_ones() -> None:
    env = playmat.Game("leduc_poker").env(2)
    assert env.information_state_key() == env.information_state_key(0)
    env.step(1)
    assert env.information_state_key() == env.information_state_key(1)
    while not env.done:
        env.step(1)
    last = env.history[-1][0]
    assert env.information_state_key() == env.information_state_key(last)
    for player in (2, -1, 99):
        with pytest.raises(playmat.InvalidPlayer):
            env.information_state_key(player)
        with pytest.raises(playmat.InvalidPlayer):
            env.information_state(player)


def test_keys_are_those_of_all_other_languages() -> None:
    env = playmat.Game("kuhn_poker").env(0)
    assert env.information_state_key(0) == 0xFF60BD2911B2F4A28C1F4E976133673F
    assert env.information_state_key(1) == 0x790E53EC9F1202B406D4E761487709D4
    env.step(1)
    assert env.information_state_key() == 0x4877D99E0FFE27B615416FABCD306F4C


def test_the_dict_holds_choices_and_events() -> None:
    env = playmat.Game("kuhn_poker").env(7)
    env.step(0)
    env.step(1)
    for player in (0, 1):
        information = env.information_state(player)
        assert int(information["key"], 16) == env.information_state_key(player)
        assert (information["game"], information["player"], information["options"]) == (
            "kuhn_poker",
            player,
            {"players": 2},
        )
        choices = [
            (entry["choice"], entry["text"]) for entry in information["seen"] if "choice" in entry
        ]
        assert choices == [[(0, "check")], [(1, "bet")]][player]
        said = [entry["action"] for entry in information["seen"] if entry.get("event") == "acted"]
        assert said == ["pass", "bet"]
        # The other card is nowhere.
        cards = env.state_dict()["state"]["cards"]
        assert json.dumps(information).count(f'"{cards[1 - player]}"') == 0


def test_outcomes_have_probabilities_and_go_on() -> None:
    game = playmat.Game("leduc_poker")
    deals = game.chance_outcomes()
    assert len(deals) == 30
    assert sum(p for _, p in deals) == pytest.approx(1)
    env = deals[0][0]
    before = env.to_bytes()
    [(checked, p)] = env.chance_outcomes(1)
    assert p == 1.0
    opened = checked.chance_outcomes(1)
    assert [p for _, p in opened] == [0.25] * 4
    assert len({after.state_dict()["state"]["public"] for after, _ in opened}) == 4
    assert env.to_bytes() == before
    with pytest.raises(playmat.IllegalAction):
        env.chance_outcomes(0)
    while not env.done:
        env.step(1)
    with pytest.raises(playmat.EpisodeOver):
        env.chance_outcomes(1)


def test_games_without_chance_have_one_outcome() -> None:
    for name in ("tic_tac_toe", "connect_four"):
        [(env, p)] = playmat.Game(name).chance_outcomes()
        assert (p, env.decisions) == (1.0, 0)
        [(after, p)] = env.chance_outcomes(4)
        assert (p, after.decisions, after.current_player) == (1.0, 1, 1)


def refusal(outcomes: Callable[[], list[tuple[playmat.Env, float]]]) -> str | None:
    """What refuses to list outcomes; None if they are listed, with probability 1 in sum."""
    try:
        listed = outcomes()
    except playmat.MissingFeature as refused:
        return f"{refused.feature}: {refused}"
    assert math.isclose(math.fsum(probability for _, probability in listed), 1)
    return None


def test_chance_is_listed_as_declared_or_refused_by_name(game: playmat.Game) -> None:
    answers = [refusal(game.chance_outcomes)]
    for seed in range(3):
        env = game.env(seed)
        while not env.done:
            action = env.sample_action()
            answers.append(refusal(partial(env.chance_outcomes, action)))
            env.step(action)
    refusals = list(filter(None, answers))
    info = game.info()
    assert bool(refusals) == (info["chance"] and not info["lists_chance"])
    said = re.compile(f"chance_outcomes: .* in game `{game.name}` .* is sampled")
    assert all(said.match(text) for text in refusals)


def test_a_doctored_pickle_is_refused() -> None:
    env = playmat.Game("kuhn_poker").env(1).clone(2)
    restore, (game, data, start, history, before) = env.__reduce__()
    assert restore(game, data, start, history, before).information_state_key(
        0
    ) == env.information_state_key(0)
    for text in ("", "{}", "[1]", '[{"player": 9}]', before.replace('"player":0', '"player":7', 1)):
        with pytest.raises(playmat.Unreadable):
            restore(game, data, start, history, text)
