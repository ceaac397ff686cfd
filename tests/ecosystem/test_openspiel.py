"""playmat.openspiel keeps OpenSpiel's conventions and changes nothing that the engine says."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from open_spiel.python.observation import make_observation  # noqa: E402

import playmat  # noqa: E402
import playmat.openspiel  # noqa: E402
import playmat.openspiel_bot  # noqa: E402
from adapters import EPISODES, blocks, example, python  # noqa: E402
from openspiel_games import (  # noqa: E402
    DETERMINISTIC,
    EXPLICIT,
    KINDS,
    NAMES,
    SAMPLED,
    SEARCHED,
    load,
    random_state,
)

RECALL = pyspiel.IIGObservationType(perfect_recall=True)

#: Games and options of the comparisons, and the share of `EPISODES` in which everything is compared
#: for every player, strings and lists too. The plain names play all of `EPISODES`; in the rest of
#: them the numbers of who decides are compared.
CONFIGURED = {
    **dict.fromkeys(NAMES, 0.01),
    "playmat_connect_four": 0.1,
    "playmat_goofspiel": 0.1,
    "playmat_goofspiel(turn_based=true,players=3,returns_type=total_points)": 0.1,
    "playmat_goofspiel(points_order=descending,imp_info=true)": 0.1,
    "playmat_graft": 0.02,
    "playmat_graft(players=5,reward=score_delta)": 0.01,
    "playmat_graphia(players=4)": 0.005,
    "playmat_graven": 0.02,
    "playmat_graven(players=3)": 0.02,
    "playmat_gravitix(players=1,max_steps=40)": 0.05,
    "playmat_kuhn_poker": 1.0,
    "playmat_kuhn_poker(players=7,reward=outcome)": 0.5,
    "playmat_leduc_poker": 1.0,
    "playmat_leduc_poker(players=3)": 1.0,
    "playmat_leduc_poker(players=5,max_steps=7)": 0.3,
    "playmat_rafts(players=4,reward=score_delta,max_rounds=4)": 0.01,
    "playmat_rafts": 0.003,
    "playmat_tic_tac_toe": 1.0,
}


# OpenSpiel's own checks.


def test_all_games_are_registered() -> None:
    assert [f"playmat_{name}" for name in playmat.games()] == NAMES
    assert set(NAMES) <= set(pyspiel.registered_names())
    assert playmat.openspiel.register() == NAMES


@pytest.mark.parametrize("name", sorted(CONFIGURED))
def test_random_sim_test(name: str) -> None:
    game = pyspiel.load_game(name)
    sampled = game.get_type().chance_mode == SAMPLED
    # Each step asks for all strings of all players, so long episodes take seconds.
    sims = 1 if game.max_game_length() > 900 else 3
    pyspiel.random_sim_test(game, num_sims=sims, serialize=not sampled, verbose=False)


def type_of(name: str) -> tuple[str, str, Any, str, str]:
    """What OpenSpiel calls a game with its default options, from what the game says about itself."""
    game = playmat.Game(name)
    info = game.info()
    alone, outcome = game.num_players == 1, game.reward == "outcome"
    chance = EXPLICIT if info["lists_chance"] else SAMPLED if info["chance"] else DETERMINISTIC
    return (
        name,
        "SIMULTANEOUS" if info["joint_actions"] else "SEQUENTIAL",
        chance,
        "ZERO_SUM" if not alone and (outcome or info["score_zero_sum"]) else "GENERAL_SUM",
        "REWARDS" if game.reward == "score_delta" else "TERMINAL",
    )


#: What OpenSpiel calls each game, and some with options: dynamics, chance, utility, when it rewards.
TYPES = [
    *map(type_of, playmat.games()),
    ("goofspiel(points_order=ascending)", "SIMULTANEOUS", DETERMINISTIC, "ZERO_SUM", "TERMINAL"),
    ("goofspiel(turn_based=true)", "SEQUENTIAL", EXPLICIT, "ZERO_SUM", "TERMINAL"),
    ("graft(reward=score)", "SEQUENTIAL", SAMPLED, "GENERAL_SUM", "TERMINAL"),
    ("gravitix(players=1)", "SEQUENTIAL", SAMPLED, "GENERAL_SUM", "TERMINAL"),
    ("kuhn_poker(players=6)", "SEQUENTIAL", EXPLICIT, "ZERO_SUM", "TERMINAL"),
    ("kuhn_poker(players=7)", "SEQUENTIAL", SAMPLED, "ZERO_SUM", "TERMINAL"),
    ("leduc_poker(players=5)", "SEQUENTIAL", SAMPLED, "ZERO_SUM", "TERMINAL"),
    ("rafts(reward=score_delta)", "SEQUENTIAL", SAMPLED, "GENERAL_SUM", "REWARDS"),
    ("tic_tac_toe(reward=score)", "SEQUENTIAL", DETERMINISTIC, "ZERO_SUM", "TERMINAL"),
]


@pytest.mark.parametrize(("name", "dynamics", "chance", "utility", "rewards"), TYPES)
def test_game_types(name: str, dynamics: str, chance: Any, utility: str, rewards: str) -> None:
    game = pyspiel.load_game("playmat_" + name)
    kind = game.get_type()
    assert kind.dynamics == getattr(KINDS.Dynamics, dynamics)
    assert kind.chance_mode == chance
    assert kind.utility == getattr(KINDS.Utility, utility)
    assert kind.reward_model == getattr(KINDS.RewardModel, rewards)
    info = game.game.info()
    assert (kind.information == KINDS.Information.IMPERFECT_INFORMATION) == info["hidden"]
    assert (game.utility_sum() == 0) == (utility == "ZERO_SUM")
    assert (game.min_utility(), game.max_utility()) == game.game.return_range
    assert game.num_players() == game.game.num_players
    assert game.num_distinct_actions() == game.game.num_actions
    state = game.new_initial_state()
    assert state.is_chance_node() == (chance != DETERMINISTIC)
    if chance == SAMPLED:
        assert state.chance_outcomes() == [(0, 1.0)] and game.max_chance_outcomes() == 1
    if chance == EXPLICIT:
        assert len(state.chance_outcomes()) == game.max_chance_outcomes() > 1
    assert kind.provides_information_state_tensor == info["perfect_recall"]


# The engine says the same, over many episodes.


@pytest.mark.parametrize("name", CONFIGURED)
def test_episodes_are_those_of_the_engine(name: str) -> None:
    plain = pyspiel.load_game(name)
    kind, engine = plain.get_type(), plain.game
    chance = kind.chance_mode
    game = plain if chance == DETERMINISTIC else load(name, rng_seed=3)
    seeds, rng = random.Random(3), random.Random(5)
    observation = make_observation(game)
    joint, truncated = kind.dynamics == KINDS.Dynamics.SIMULTANEOUS, 0
    everything = max(3, int(EPISODES * CONFIGURED[name]))
    for episode in range(max(everything, EPISODES if name in NAMES else 0)):
        state = game.new_initial_state()
        if chance == DETERMINISTIC:
            env = engine.env(1)
        else:
            deal = rng.randrange(len(state.chance_outcomes()))
            if chance == EXPLICIT:
                env = engine.chance_outcomes()[deal][0]
            else:
                env = engine.env(seeds.getrandbits(64))
            state.apply_action(deal)
        while not env.done:
            acting = env.acting_players
            alone = not joint or len(acting) == 1
            assert state.current_player() == (
                env.current_player if alone else pyspiel.PlayerId.SIMULTANEOUS
            )
            chosen = [env.current_player] if alone else acting
            for player in range(engine.num_players) if episode < everything else chosen:
                observation.set_from(state, player)
                seen = env.observation(player, dtype="f32")
                assert observation.tensor.tobytes() == seen.tobytes()
                if player in chosen:
                    mask = np.array(state.legal_actions_mask(player), bool)
                    assert mask.tobytes() == env.action_mask(player).tobytes()
            if episode < everything:
                compare_the_rest(state, env, chosen, rng.randrange(engine.num_players))
            actions = {p: rng.choice(env.legal_actions(p)) for p in chosen}
            if alone:
                state.apply_action(actions[chosen[0]])
            else:
                state.apply_actions([actions.get(p, 0) for p in range(engine.num_players)])
            if not state.is_chance_node():
                step(env, actions)
            elif chance == EXPLICIT:
                *first, last = actions.values()
                before = env.clone(exact=True)
                for action in first:
                    before.step(action)
                outcome = rng.randrange(len(state.chance_outcomes()))
                listed = before.chance_outcomes(last)
                assert [p for _, p in state.chance_outcomes()] == [p for _, p in listed]
                env = listed[outcome][0]
                state.apply_action(outcome)
            else:
                assert state.rewards() == [0.0] * engine.num_players
                env = env.clone(seeds.getrandbits(64))
                step(env, actions)
                state.apply_action(0)
            assert np.array(state.returns(), np.float32).tobytes() == env.returns.tobytes()
            paid = zip(state.rewards(), env.rewards.tolist(), strict=True)
            assert all(abs(one - other) < 2e-6 for one, other in paid)
            assert state.is_terminal() == env.done
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.legal_actions() == []
        truncated += env.truncated
    # rafts has a limit of its own, which long episodes reach.
    assert truncated or "max_" not in name
    assert not truncated or "max_" in name or "rafts" in name


def compare_the_rest(state: Any, env: playmat.Env, chosen: list[int], player: int) -> None:
    """Legal actions of all players; the lists and strings of one."""
    for one in range(env.game.num_players):
        assert state.legal_actions(one) == (env.legal_actions(one) if one in chosen else [])
    tensor = np.array(state.observation_tensor(player), np.float32)
    assert tensor.tobytes() == env.observation(player, dtype="f32").tobytes()
    # A key takes milliseconds late in a long episode.
    if env.decisions < 4 or env.decisions % 32 == 0:
        key = f"{env.information_state_key(player):032x}"
        assert state.information_state_string(player) == key


def step(env: playmat.Env, actions: dict[int, int]) -> None:
    """The engine's step, of one player or of all who act."""
    env.step(actions if len(actions) > 1 else next(iter(actions.values())))


# The classics are those of OpenSpiel.


def tell(ours: Any, theirs: Any) -> None:
    """Their chance nodes draw what ours have drawn."""
    while theirs.is_chance_node():
        game, env = ours.get_game().game, ours.env
        if game.name == "goofspiel":
            outcome = int(env.state_dict()["state"]["prizes"][-1]) - 1
        else:
            drawn = sum(entry.player < 0 for entry in theirs.full_history())
            player = drawn if drawn < game.num_players else 0
            part = game.observation_layout.split(env.observation(player))
            card = part["card"] if drawn < game.num_players else part["public"]
            assert card.sum() == 1
            outcome = int(card.argmax())
        assert outcome in theirs.legal_actions()
        theirs.apply_action(outcome)


@pytest.mark.parametrize(
    "parameters",
    [
        "tic_tac_toe",
        "connect_four",
        "kuhn_poker",
        "kuhn_poker(players=4)",
        "leduc_poker",
        "leduc_poker(players=3)",
        "goofspiel",
        "goofspiel(players=3)",
        "goofspiel(points_order=descending,num_cards=5)",
        "goofspiel(imp_info=true,num_cards=4,returns_type=point_difference)",
    ],
)
def test_classics_are_openspiels_move_by_move(parameters: str) -> None:
    rng = random.Random(2)
    games = pyspiel.load_game("playmat_" + parameters), pyspiel.load_game(parameters)
    assert games[0].num_players() == games[1].num_players()
    assert games[0].num_distinct_actions() == games[1].num_distinct_actions()
    for _ in range(max(20, EPISODES // 10)):
        ours, theirs = (game.new_initial_state() for game in games)
        while True:
            while ours.is_chance_node():
                ours.apply_action(rng.choice(ours.chance_outcomes())[0])
            tell(ours, theirs)
            assert ours.is_terminal() == theirs.is_terminal()
            assert ours.current_player() == theirs.current_player()
            np.testing.assert_allclose(ours.returns(), theirs.returns(), atol=1e-12)
            if ours.is_terminal():
                break
            players = range(ours.num_players())
            for player in players:
                assert ours.legal_actions(player) == theirs.legal_actions(player)
                folded = any(e.player >= 0 and e.action == 0 for e in theirs.full_history())
                if "kuhn" in parameters or ("leduc" in parameters and not folded):
                    tensor = ours.information_state_tensor(player)
                    assert tensor == theirs.information_state_tensor(player)
            if ours.is_simultaneous_node():
                actions = [rng.choice(ours.legal_actions(p)) for p in players]
                ours.apply_actions(actions)
                theirs.apply_actions(actions)
            else:
                action = rng.choice(ours.legal_actions())
                ours.apply_action(action)
                theirs.apply_action(action)


# Chance, samples, copies.


def test_sampled_chance_is_drawn_when_it_is_applied() -> None:
    start = pyspiel.load_game("playmat_graft").new_initial_state()
    deals = {str(start.child(0)) for _ in range(8)}
    assert len(deals) == 8, "copies of a chance node draw anew"


def test_rng_seed_repeats_the_episodes_of_a_game() -> None:
    def deals() -> list[str]:
        game = pyspiel.load_game("playmat_rafts(rng_seed=4)")
        return [str(game.new_initial_state().child(0)) for _ in range(3)]

    assert deals() == deals()
    assert len(set(deals())) == 3


#: Games in which a chance node has a number of outcomes that are drawn in advance.
DRAWN = {
    "playmat_graft(players=3,chance_outcomes=4)": 4,
    "playmat_graven(max_turns=4,chance_outcomes=3)": 3,
    "playmat_gravitix(players=1,max_steps=20,chance_outcomes=1)": 1,
    "playmat_leduc_poker(players=5,chance_outcomes=7,rng_seed=9)": 7,
}


@pytest.mark.parametrize(("name", "outcomes"), DRAWN.items())
def test_chance_outcomes_make_chance_explicit(name: str, outcomes: int) -> None:
    game = pyspiel.load_game(name)
    assert game.get_type().chance_mode == EXPLICIT and game.max_chance_outcomes() == outcomes
    assert game.new_initial_state().chance_outcomes() == [
        (outcome, 1 / outcomes) for outcome in range(outcomes)
    ]
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    # Outcomes differ, and the history decides: also the actions before it.
    state = random_state(name, 1)
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    children = [str(state.child(outcome)) for outcome in range(outcomes)]
    assert children == [str(state.clone().child(outcome)) for outcome in range(outcomes)]
    assert len(set(children)) > 1 or outcomes == 1
    assert any(entry.player == pyspiel.PlayerId.CHANCE for entry in state.full_history())


def test_drawn_outcomes_are_the_same_in_every_process_and_differ_by_seed() -> None:
    code = """
import pyspiel, playmat.openspiel
for seed in (-1, 0, 5):
    game = pyspiel.load_game(f"playmat_graven(max_turns=4,chance_outcomes=3,rng_seed={seed})")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    print(state.information_state_string(0), state.information_state_string(1), state.returns())
"""
    first, second = python(code), python(code)
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    # Without a seed it is 0: a game that is loaded twice is one game.
    lines = first.stdout.splitlines()
    assert lines[0] == lines[1] != lines[2]


def test_drawn_outcomes_are_as_likely_as_the_engine_draws_them() -> None:
    name = "playmat_leduc_poker(players=5,chance_outcomes=2400)"
    start, counts = pyspiel.load_game(name).new_initial_state(), Counter[int]()
    for outcome in range(2400):
        state = start.child(outcome)
        card = state.get_game().game.observation_layout.split(state.env.observation(0))["card"]
        counts[int(card.argmax())] += 1
    # Each of 12 cards 200 times, give or take four deviations.
    assert len(counts) == 12 and all(abs(count - 200) < 54 for count in counts.values()), counts


@pytest.mark.parametrize("name", [name for name in SEARCHED if "connect" not in name])
def test_resampling_keeps_what_the_player_knows(name: str) -> None:
    state = random_state(name, 1)
    player = state.current_player()
    rng = random.Random(1)
    samples = [state.resample_from_infostate(player, rng.random) for _ in range(30)]
    for sample in samples:
        assert sample.current_player() == player
        assert sample.legal_actions() == state.legal_actions()
        assert sample.observation_tensor(player) == state.observation_tensor(player)
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.history() == []
    if name != "playmat_tic_tac_toe" and "goofspiel" not in name:
        assert len({str(sample) for sample in samples}) > 1


@pytest.mark.parametrize("name", NAMES)
def test_copies_are_independent_and_equal(name: str) -> None:
    state = random_state(name, 2 if "kuhn" not in name else 1)
    text, history = str(state), state.history()
    same = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
    ]
    if state.get_game().get_type().chance_mode != SAMPLED:
        data = pyspiel.serialize_game_and_state(state.get_game(), state)
        same.append(pyspiel.deserialize_game_and_state(data)[1])
    for one in same:
        assert isinstance(one, playmat.openspiel.PlaymatState)
        assert (str(one), one.history(), one.move_number()) == (text, history, state.move_number())
        for player in range(one.num_players()):
            assert one.information_state_string(player) == state.information_state_string(player)
            assert one.observation_string(player) == state.observation_string(player)
        assert one.rewards() == state.rewards()
        players = range(one.num_players())
        if one.is_simultaneous_node():
            one.apply_actions([(one.legal_actions(p) or [0])[0] for p in players])
        else:
            one.apply_action(one.legal_actions()[0])
        assert (str(state), state.history()) == (text, history)


def test_pending_chance_is_pickled() -> None:
    state = random_state("playmat_leduc_poker", 1)
    state.apply_action(1)
    assert state.is_chance_node()
    other = pickle.loads(pickle.dumps(state))
    assert other.chance_outcomes() == state.chance_outcomes()
    assert len({str(state.child(a)) for a, _ in state.chance_outcomes()}) > 1
    for action, _ in state.chance_outcomes():
        assert str(other.child(action)) == str(state.child(action))


def test_the_engine_is_at_hand() -> None:
    state = pyspiel.load_game("playmat_leduc_poker").new_initial_state()
    assert state.env is None and state.information_state_string(0) == ""
    state.apply_action(3)
    env = state.env
    env.step(env.legal_actions()[0])
    assert state.current_player() == 0 and env.current_player == 1
    assert state.env.information_state(0)
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        state.env.action_text(a) for a in state.legal_actions()
    ]


@pytest.mark.parametrize("name", NAMES)
def test_strings_tell_a_player_only_what_is_seen(name: str) -> None:
    state = random_state(name, 1)
    for player in range(state.num_players()):
        assert state.observation_string(player) == state.env.to_json(viewer=player)
        key = state.information_state_string(player)
        assert len(key) == 32 and int(key, 16) == state.env.information_state_key(player)


# Observers, parameters, errors.


def test_observers() -> None:
    game = pyspiel.load_game("playmat_graft")
    state = game.new_initial_state()
    observer = make_observation(game)
    observer.set_from(state, 0)
    assert not observer.tensor.any() and observer.string_from(state, 0) == ""
    state.apply_action(0)
    observer.set_from(state, 1)
    layout = game.game.observation_layout
    assert list(observer.dict) == layout.names
    parts = layout.split(state.env.observation(1, dtype="f32"))
    for name, part in observer.dict.items():
        assert part.base is not None and part.tobytes() == parts[name].tobytes()
    recall = make_observation(game, RECALL)
    recall.set_from(state, 0)
    assert recall.tensor is None
    assert recall.string_from(state, 0) == state.information_state_string(0)
    with pytest.raises(ValueError, match=r"observation parameters: got \{'a': 1\}"):
        make_observation(game, None, {"a": 1})
    for wanted in (
        pyspiel.IIGObservationType(perfect_recall=False, public_info=False),
        pyspiel.IIGObservationType(
            perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
        ),
    ):
        with pytest.raises(ValueError, match="allowed: public_info=True and private_info"):
            make_observation(game, wanted)


@pytest.mark.parametrize("name", playmat.games())
def test_every_option_is_a_parameter(name: str) -> None:
    specification = {
        kind.short_name: kind.parameter_specification for kind in pyspiel.registered_games()
    }[f"playmat_{name}"]
    options = playmat.Game(name).options
    assert (
        set(options)
        <= set(specification)
        <= {
            *options,
            "turn_based",
            "rng_seed",
            "chance_outcomes",
        }
    )
    game = pyspiel.load_game(f"playmat_{name}", dict(specification))
    assert game.game == playmat.Game(name)
    assert str(game) == f"playmat_{name}()"


@pytest.mark.parametrize(
    ("name", "parameters", "options"),
    [
        ("graft", {"players": 5, "reward": "score"}, {"players": 5, "reward": "score"}),
        ("gravitix", {"hard": True, "island_set": "1+2"}, {"hard": True, "island_set": "1+2"}),
        ("gravitix", {"handicap": "json:[1,0]"}, {"handicap": [1, 0]}),
        ("gravitix", {"first_player": "random"}, {"first_player": "random"}),
        ("rafts", {"first_player": "json:2"}, {"first_player": 2}),
    ],
)
def test_parameters_are_options_and_survive_names(
    name: str, parameters: dict[str, Any], options: dict[str, Any]
) -> None:
    game = pyspiel.load_game(f"playmat_{name}", parameters)
    assert game.game == playmat.Game(name, **options)
    for other in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game))):
        assert other == game and other.game == game.game


@pytest.mark.parametrize(
    ("name", "parameters", "error", "match"),
    [
        (
            "graft",
            {"players": 9},
            playmat.InvalidOption,
            "got 9; allowed: a whole number from 2 to 5",
        ),
        ("graft", {"players": "3"}, pyspiel.SpielError, "Wrong type for parameter players"),
        ("graft", {"nobody": 3}, pyspiel.SpielError, "Unknown parameter 'nobody'. Available"),
        ("graft", {"reward": "more"}, playmat.InvalidOption, "`reward`"),
        ("gravitix", {"handicap": "json:[1"}, playmat.InvalidOption, "wanted `json:` and a JSON"),
        ("kuhn_poker", {"rng_seed": -2}, playmat.InvalidOption, "`rng_seed`: got -2; allowed: -1"),
        (
            "graft",
            {"chance_outcomes": -1},
            playmat.InvalidOption,
            "`chance_outcomes`: got -1; allowed: 0 to sample chance, or up to 100000",
        ),
        (
            "kuhn_poker",
            {"chance_outcomes": 5},
            playmat.InvalidOption,
            "got 5; allowed: 0, because this game lists all its chance",
        ),
        (
            "goofspiel",
            {"chance_outcomes": 5, "points_order": "ascending"},
            playmat.InvalidOption,
            "got 5; allowed: 0, because this game has no chance",
        ),
        ("connect_four", {"chance_outcomes": 5}, pyspiel.SpielError, "Unknown parameter"),
    ],
)
def test_bad_parameters_are_named(
    name: str, parameters: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        pyspiel.load_game(f"playmat_{name}", parameters)


@pytest.mark.parametrize("name", ["playmat_goofspiel", "playmat_graft"])
def test_short_cuts_answer_as_openspiel_does(name: str) -> None:
    base, rng = pyspiel.State, random.Random(1)
    state, seen = pyspiel.load_game(name).new_initial_state(), set()
    while True:
        for method in ("is_chance_node", "is_player_node", "is_simultaneous_node"):
            answer = getattr(state, method)()
            assert answer is getattr(base, method)(state)
            seen.add((method, answer))
        for player in range(state.num_players()):
            assert state.legal_actions(player) == base.legal_actions(state, player)
        if state.is_simultaneous_node():
            players = range(state.num_players())
            state.apply_actions([rng.choice(state.legal_actions(p) or [0]) for p in players])
            continue
        assert state.legal_actions() == base.legal_actions(state)
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(seen) == 5


def test_bad_actions_change_nothing() -> None:
    state = random_state("playmat_leduc_poker", 0)
    text, history = str(state), state.history()
    with pytest.raises(playmat.IllegalAction, match="illegal action 0"):
        state.apply_action(0)
    start = pyspiel.load_game("playmat_leduc_poker").new_initial_state()
    with pytest.raises(playmat.InvalidArgument, match="got 30; outcomes of chance are 0 to 29"):
        start.apply_action(30)
    with pytest.raises(playmat.OrderError, match="chance node: apply one of"):
        start.resample_from_infostate(0, random.random)
    with pytest.raises(playmat.OrderError, match=r"apply_actions\(\) where nobody"):
        state.apply_actions([1, 1])
    assert state.history() == history and start.history() == []
    together = random_state("playmat_goofspiel", 1)
    moves = together.history()
    with pytest.raises(playmat.OrderError, match=r"apply_action\(\) where players choose"):
        together.apply_action(together.legal_actions(0)[0])
    with pytest.raises(playmat.InvalidArgument, match="got 1 actions; wanted 2, one per player"):
        together.apply_actions([1])
    assert together.history() == moves and together.is_simultaneous_node()
    with pytest.raises(pyspiel.SpielError, match="pseudo-player -3"):
        state.legal_actions(-3)
    assert str(state) == text and start.is_chance_node()
    assert state.legal_actions() == [1, 2]


def test_the_interpreter_ends_quietly() -> None:
    for rest in ("", "playmat.openspiel.register(); pyspiel.load_game('playmat_graft')"):
        run = python(f"import pyspiel, playmat.openspiel\n{rest}")
        assert (run.returncode, run.stderr) == (0, "")


# The page and the example.


def test_doctest() -> None:
    for module, number in ((playmat.openspiel, 7), (playmat.openspiel_bot, 6)):
        result = doctest.testmod(module)
        assert (result.failed, result.attempted) == (0, number)


@pytest.mark.parametrize("number", range(len(blocks("openspiel.md"))))
def test_blocks_of_the_page_run(number: int) -> None:
    code = blocks("openspiel.md")[number]
    exec(compile(code, f"docs/openspiel.md, block {number}", "exec"), {"__name__": "page"})


def test_example_trains() -> None:
    run = example("openspiel_cfr.py", "playmat_kuhn_poker", "200")
    assert run.returncode == 0, run.stderr
    assert "12 information states, exploitability 0.00" in run.stdout
