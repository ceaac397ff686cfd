"""Agents of the engine as bots of OpenSpiel."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

import playmat  # noqa: E402
from openspiel_games import SEARCHED  # noqa: E402
from playmat.openspiel import PlaymatBot, bot  # noqa: E402


def lowest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.argmax(1)


def follow(state: Any, bots: list[Any], rng: Any) -> list[tuple[int, bool]]:
    """Plays an episode; by choice of bot 0, how many actions are legal and whether its tree was kept."""
    kept = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
            continue
        if state.is_simultaneous_node():
            state.apply_actions([one.step(state) for one in bots])
            continue
        player = state.current_player()
        action = bots[player].step(state)
        assert action in state.legal_actions()
        if player == 0:
            legal, found = len(state.legal_actions()), None
            if legal > 1:
                found = bots[0].agent.statistics(bots[0]._env, 0)
                assert found.action == action
            kept.append((legal, found is not None and found.kept_visits > 0))
        state.apply_action(action)
    return kept


@pytest.mark.parametrize("name", [*SEARCHED, "playmat_goofspiel"])
def test_bots_play_every_game(name: str) -> None:
    game = pyspiel.load_game(name)
    others = ["random", "greedy", lowest, game.game.agent("random")]
    players = range(game.num_players())
    bots = [bot(game, 0, "mcts:3"), *(bot(game, p, others[p % 4]) for p in players[1:])]
    for seed in range(2):
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        assert len(returns) == game.num_players()
        assert all(game.min_utility() <= one <= game.max_utility() for one in returns)


def test_a_search_wins() -> None:
    for name in ("playmat_tic_tac_toe", "playmat_connect_four", "playmat_goofspiel(num_cards=5)"):
        game = pyspiel.load_game(name)
        total = 0.0
        for seed in range(20):
            bots = [bot(game, 0, "mcts:100", seed=seed), bot(game, 1, "random", seed=seed)]
            total += pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0]
        assert total >= 10, name


def test_the_tree_is_kept_through_an_episode() -> None:
    rng = np.random.default_rng(1)
    for name in (
        "playmat_connect_four",
        "playmat_goofspiel(points_order=ascending,turn_based=true)",
    ):
        game = pyspiel.load_game(name)
        bots = [bot(game, 0, "mcts:300", seed=1), bot(game, 1, "greedy", seed=2)]
        for _ in range(2):
            kept = follow(game.new_initial_state(), bots, rng)
            # A new episode begins anew, without a call of restart.
            assert not kept[0][1] and all(one for legal, one in kept[1:] if legal > 1)
    # Also where chance is listed or sampled, as in an environment of the engine. A search that has not
    # come to a position has no visits there.
    for name, simulations, episodes, least in (
        ("playmat_leduc_poker", 2000, 10, 1.0),
        ("playmat_graven", 300, 1, 0.3),
        ("playmat_rafts(chance_outcomes=16)", 300, 1, 0.3),
    ):
        game = pyspiel.load_game(name)
        spec = f"mcts:{simulations},rollout=random"
        bots = [bot(game, 0, spec, seed=1), *(bot(game, p, "random", seed=2) for p in range(1, game.num_players()))]  # fmt: skip
        later: list[bool] = []
        for _ in range(episodes):
            kept = follow(game.new_initial_state(), bots, rng)
            assert not kept[0][1]
            later += [one for legal, one in kept[1:] if legal > 1]
        assert sum(later) >= least * len(later) > 0, (name, sum(later), len(later))


def test_a_tree_is_kept_only_where_the_player_knows_that_the_episode_goes_on() -> None:
    game = pyspiel.load_game("playmat_leduc_poker")
    one = bot(game, 0, "mcts:500", seed=1)

    def position(*actions: int) -> Any:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    def kept(state: Any) -> bool:
        one.step(state)
        return bool(one.agent.statistics(one._env, 0).kept_visits)

    outcomes = position().chance_outcomes()
    cards = {deal: position(deal).env.to_json(viewer=0) for deal, _ in outcomes}
    deal = outcomes[0][0]
    same = [other for other in cards if cards[other] == cards[deal]]
    others = [other for other in cards if cards[other] != cards[deal]]
    assert len(same) > 1 and others
    # Both call; then a card is drawn, whichever.
    first, both = position(deal), (1, 1)
    for draw in range(2):
        one.restart()
        assert not kept(first)
        later = position(deal, *both)
        later.apply_action(later.chance_outcomes()[draw][0])
        assert kept(later), "the draw differs from that of the bot's own copy at least once"
    # Another hidden card of the other player: the player cannot tell.
    one.restart()
    assert not kept(first)
    later = position(same[1], *both)
    later.apply_action(later.chance_outcomes()[0][0])
    assert kept(later)
    # Another card of its own: another episode.
    one.restart()
    assert not kept(first)
    later = position(others[0], *both)
    later.apply_action(later.chance_outcomes()[0][0])
    assert not kept(later)
    # An earlier position: another episode, also with the same cards.
    assert not kept(first)


def test_a_temperature_drop_counts_through_draws_of_chance() -> None:
    game = pyspiel.load_game("playmat_graven")
    players, rng = range(game.num_players()), np.random.default_rng(3)
    spec = "mcts:40,prior=uniform,rollout=random,temperature=100,temperature_drop=3"
    bots = [bot(game, player, spec, seed=player) for player in players]
    state, best = game.new_initial_state(), {player: [] for player in players}
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
            continue
        acting = state.env.acting_players
        actions = [0 for _ in players]
        for player in acting:
            actions[player] = bots[player].step(state)
            if len(state.legal_actions(player)) > 1:
                found = bots[player].agent.statistics(bots[player]._env, player)
                chosen = found.visits[found.actions == found.action].item()
                best[player].append(chosen == found.visits.max())
            else:
                best[player].append(True)
        if state.is_simultaneous_node():
            state.apply_actions(actions)
        else:
            state.apply_action(actions[acting[0]])
    assert all(len(one) > 3 and all(one[3:]) for one in best.values())
    assert not all(choice for one in best.values() for choice in one[:3])


def test_an_episode_of_a_search_is_that_of_the_engine() -> None:
    """With the tree of earlier choices, as an environment plays it."""
    game = pyspiel.load_game("playmat_connect_four")
    agent = game.game.agent("mcts:60")
    one, state = bot(game, 0, agent, seed=5), game.new_initial_state()
    action, env = one.step(state), None
    while not state.is_terminal():
        if env is None:
            # The environment that the bot began with, before it chose.
            env = state.env.clone(random.Random(5).getrandbits(63))
        if state.current_player() == 0:
            action = one.step(state) if env.decisions else action
            assert action == agent.act(env)
        else:
            action = state.legal_actions()[0]
        env.step(action)
        state.apply_action(action)


def test_draws_differ_and_can_be_repeated() -> None:
    game = pyspiel.load_game("playmat_tic_tac_toe")
    state = game.new_initial_state()

    def actions(**seed: int) -> list[int]:
        one = bot(game, 0, "random", **seed)
        found = []
        for _ in range(20):
            one.restart_at(state)
            found.append(one.step(state))
        return found

    assert actions(seed=3) == actions(seed=3) != actions(seed=4)
    assert len(set(actions(seed=3))) > 3 and actions() != actions()


def test_a_bot_can_be_asked_anywhere() -> None:
    """In any order of positions and of episodes, and where its player does not act."""
    game = pyspiel.load_game("playmat_leduc_poker")
    one = bot(game, 1, "mcts:20", seed=1)
    assert isinstance(one, PlaymatBot) and one.player_id() == 1
    assert not one.provides_policy() and not one.provides_force_action() and not one.is_clonable()
    state = game.new_initial_state()
    assert one.step(state) == pyspiel.INVALID_ACTION
    state.apply_action(3)
    assert one.step(state) == pyspiel.INVALID_ACTION
    state.apply_action(1)
    later = state.clone()
    text = str(state), state.history()
    for _ in range(2):
        assert one.step(state) in state.legal_actions()
    later.apply_action(1)
    later.apply_action(0)
    later.apply_action(1)
    assert one.step(later) in later.legal_actions()
    assert one.step(state) in state.legal_actions()
    one.inform_action(state, 0, 1)
    one.restart()
    sample = state.resample_from_infostate(1, lambda: 0.3)
    assert one.step(sample) in sample.legal_actions()
    assert (str(state), state.history()) == text


def test_what_is_refused() -> None:
    game = pyspiel.load_game("playmat_kuhn_poker")
    other = pyspiel.load_game("playmat_leduc_poker")
    given: Any
    for given, more, argument, reason in [
        (("playmat_kuhn_poker", 0, "random"), {}, "game", "got str; wanted a playmat game"),
        ((pyspiel.load_game("kuhn_poker"), 0, "random"), {}, "game", "wanted a playmat game of pyspiel"),
        ((game, 2, "random"), {}, "player", "got 2; allowed: 0 to 1"),
        ((game, -1, "random"), {}, "player", "got -1; allowed: 0 to 1"),
        ((game, "0", "random"), {}, "player", "got str; wanted a whole number"),
        ((game, 0, "gredy"), {}, "spec", "got `gredy` (did you mean `greedy`?)"),
        ((game, 0, other.game.agent("greedy")), {}, "spec", f"got an agent of {other.game!r}; wanted one of {game.game!r}"),
        ((game, 0, "random"), {"seed": -1}, "seed", "got -1; allowed: 0 to 18446744073709551615"),
        ((game, 0, "random"), {"seed": 0.5}, "seed", "got float; wanted a whole number"),
    ]:  # fmt: skip
        with pytest.raises(playmat.InvalidArgument) as caught:
            bot(*given, **more)
        assert caught.value.argument == argument and reason in caught.value.reason
    one = bot(game, 0, "random")
    for state, reason in [
        (other.new_initial_state(), f"got one of {other.game!r}; wanted a state of {game.game!r}"),
        (pyspiel.load_game("kuhn_poker").new_initial_state(), f"wanted a state of {game.game!r}"),
        (None, "got NoneType; wanted a state"),
    ]:
        with pytest.raises(playmat.InvalidArgument) as caught:
            one.step(state)
        assert caught.value.argument == "state" and reason in caught.value.reason
