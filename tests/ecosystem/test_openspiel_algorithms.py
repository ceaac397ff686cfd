"""OpenSpiel's algorithms on playmat's games: CFR, searches, environments for learners."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    get_all_states,
    ismcts,
    mcts,
)

import playmat  # noqa: E402
import playmat.openspiel  # noqa: E402
from openspiel_games import KINDS, NAMES, SAMPLED, SEARCHED, random_state  # noqa: E402


def information_states(name: str) -> int:
    """The number of information states in which a player decides."""
    states = get_all_states.get_all_states(
        pyspiel.load_game(name),
        include_terminals=False,
        to_string=lambda state: state.history_str(),
    )
    return len({(s.current_player(), s.information_state_string()) for s in states.values()})


@pytest.mark.parametrize(
    ("name", "number"), [("kuhn_poker", 12), ("kuhn_poker(players=3)", 48), ("leduc_poker", 936)]
)
def test_numbers_of_information_states(name: str, number: int) -> None:
    assert information_states("playmat_" + name) == information_states(name) == number


@pytest.mark.parametrize("turns", ["ascending", "random"])
def test_turn_based_goofspiel_is_openspiels_conversion(turns: str) -> None:
    own = f"playmat_goofspiel(num_cards=3,points_order={turns}"
    names = [
        own + ",turn_based=true)",
        f"turn_based_simultaneous_game(game={own}))",
        f"turn_based_simultaneous_game(game=goofspiel(num_cards=3,points_order={turns}))",
    ]
    found = []
    for name in names:
        game = pyspiel.load_game(name)
        solver = cfr.CFRPlusSolver(game)
        for _ in range(5):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] > 1e-4
    assert found == pytest.approx([found[2]] * 3, abs=1e-9)


@pytest.mark.parametrize("solver", [cfr.CFRSolver, cfr.CFRPlusSolver])
def test_cfr_in_python_is_that_of_openspiels_game(solver: Any) -> None:
    found = []
    for name in ("playmat_kuhn_poker", "kuhn_poker"):
        game = pyspiel.load_game(name)
        made = solver(game)
        for _ in range(100):
            made.evaluate_and_update_policy()
        policy = made.average_policy()
        values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
        found.append((exploitability.exploitability(game, policy), *values))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert found[0][0] < 0.02
    assert found[0][1] == pytest.approx(-1 / 18, abs=5e-3)


@pytest.mark.parametrize(
    ("name", "iterations", "value", "bound", "near"),
    [("kuhn_poker", 500, -1 / 18, 3e-4, 1e-4), ("leduc_poker", 400, -0.0856, 2.5e-3, 5e-4)],
)
def test_cfr_in_cpp_finds_the_equilibrium(
    name: str, iterations: int, value: float, bound: float, near: float
) -> None:
    found = []
    for full in ("playmat_" + name, name):
        tree = pyspiel.convert_to_cached_tree(pyspiel.load_game(full))
        solver = pyspiel.CFRPlusSolver(tree)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        values = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, True)
        found.append((pyspiel.exploitability(tree, policy), values[0]))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert found[0][0] < bound
    assert found[0][1] == pytest.approx(value, abs=near)


def test_cfr_in_cpp_without_a_cached_tree() -> None:
    game = pyspiel.load_game("playmat_kuhn_poker")
    solver = pyspiel.CFRSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.05


def test_sampling_cfr_lowers_exploitability() -> None:
    game = pyspiel.load_game("playmat_kuhn_poker")
    np.random.seed(1)  # noqa: NPY002, OpenSpiel draws from it
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(500):
        solver.iteration()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.15


@pytest.mark.parametrize("name", NAMES)
def test_rl_environment_plays_episodes(name: str) -> None:
    rng = random.Random(1)
    env = rl_environment.Environment(name)
    assert (
        env.action_spec()["num_actions"] == playmat.Game(name.removeprefix("playmat_")).num_actions
    )
    for _ in range(2):
        step, total = env.reset(), np.zeros(env.num_players)
        while not step.last():
            legal = step.observations["legal_actions"]
            turn = step.current_player()
            players = range(env.num_players) if turn == pyspiel.PlayerId.SIMULTANEOUS else [turn]
            step = env.step([rng.choice(legal[player] or [0]) for player in players])
            total += step.rewards
        np.testing.assert_allclose(total, env.get_state.returns(), atol=1e-9)
        assert env.get_state.is_terminal()


def search(name: str, bot: type, simulations: int = 20) -> Any:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    game, rng = pyspiel.load_game(name), np.random.RandomState(2)
    if bot is mcts.MCTSBot:
        return bot(game, 2.0, simulations, evaluator, random_state=rng)
    return bot(game, evaluator, 2.0, simulations, random_state=rng)


def drawn(name: str, outcomes: int = 4) -> str:
    """The game with ``outcomes`` outcomes at each chance node instead of sampled ones."""
    name, _, options = name.rstrip(")").partition("(")
    return f"{name}({options}{options and ','}chance_outcomes={outcomes})"


def searches() -> Iterator[tuple[type, str]]:
    """Every search with the games that it is for."""
    for name in SEARCHED:
        kind = pyspiel.load_game(name).get_type()
        yield mcts.MCTSBot, drawn(name) if kind.chance_mode == SAMPLED else name
        if kind.information == KINDS.Information.IMPERFECT_INFORMATION:
            yield ismcts.ISMCTSBot, name


@pytest.mark.parametrize(("bot", "name"), list(searches()))
def test_searches_choose_legal_actions(name: str, bot: type) -> None:
    for decisions in (0, 1):
        state = random_state(name, decisions)
        before = str(state), state.history()
        assert search(name, bot).step(state) in state.legal_actions()
        assert (str(state), state.history()) == before


def test_mcts_in_openspiel_needs_listed_chance() -> None:
    """Its tree keeps the legal actions of one draw, and a copy of the state draws another."""
    name = "playmat_graven(max_turns=4,rng_seed=1)"
    with pytest.raises(playmat.IllegalAction, match="the parameter chance_outcomes=16"):
        search(name, mcts.MCTSBot, 2000).step(random_state(name, 0))
    state = random_state(drawn(name), 0)
    assert search(drawn(name), mcts.MCTSBot, 2000).step(state) in state.legal_actions()
    # The engine's own search needs neither, also where nothing is hidden, so that IS-MCTS refuses.
    for name in ("playmat_graven(max_turns=4)", "playmat_gravitix(players=1)"):
        state = random_state(name, 1)
        agent = state.get_game().game.agent("mcts:50")
        assert agent.act(state.env) in state.legal_actions()


def test_mcts_beats_random_play_where_chance_is_drawn() -> None:
    name, rng, total = "playmat_graft(chance_outcomes=8)", random.Random(1), 0.0
    bot = search(name, mcts.MCTSBot, 30)
    for episode in range(10):
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            if state.current_player() == episode % 2:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        total += state.returns()[episode % 2]
    assert total > 5


def test_mcts_finds_a_win() -> None:
    state = pyspiel.load_game("playmat_connect_four").new_initial_state()
    for action in (3, 0, 3, 0, 3, 0):
        state.apply_action(action)
    assert search("playmat_connect_four", mcts.MCTSBot, 100).step(state) == 3
