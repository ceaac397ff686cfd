"""The classics against OpenSpiel's games of the same names, side by side, move by move.

Chance is ours: what a deal of playmat shows is the outcome of OpenSpiel's chance nodes. Compared at every decision: who is
to act, the legal actions, the tensors (where the two mean the same), the returns so far, and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel
import pytest

import playmat

Chance = Callable[[playmat.Env, Any], int]


def segments(env: playmat.Env, player: int) -> dict[str, np.ndarray]:
    """A player's observation by segment."""
    return env.game.observation_layout.split(env.observation(player))


def dealt_card(env: playmat.Env, state: Any) -> int:
    """The next card that a chance node deals: to players in order, then face up."""
    players = env.game.num_players
    at = len([entry for entry in state.full_history() if entry.player == pyspiel.PlayerId.CHANCE])
    part = segments(env, at)["card"] if at < players else segments(env, 0)["public"]
    assert part.sum() == 1, "the card that OpenSpiel waits for is on our table"
    return int(part.argmax())


def turned_prize(env: playmat.Env, state: Any) -> int:
    """The prize that was turned up, numbered from 0."""
    assert state.is_chance_node()
    return int(env.state_dict()["state"]["prizes"][-1]) - 1


def compare_planes(env: playmat.Env, state: Any, player: int, order: str) -> None:
    """Ours: own, other, empty. OpenSpiel's are the same for both players, in the given order."""
    parts = segments(env, player)
    named = {"e": parts["empty"], "x": parts["other"], "o": parts["own"]}
    if player == 0:
        named |= {"x": parts["own"], "o": parts["other"]}
    ours = np.concatenate([named[mark].ravel() for mark in order])
    np.testing.assert_array_equal(ours, np.asarray(state.observation_tensor(player)))


def board_of_three(env: playmat.Env, state: Any, player: int) -> None:
    compare_planes(env, state, player, "eox")


def board_of_four(env: playmat.Env, state: Any, player: int) -> None:
    compare_planes(env, state, player, "xoe")


def information_state(env: playmat.Env, state: Any, player: int) -> None:
    """The same numbers in the same order."""
    theirs = np.asarray(state.information_state_tensor(player))
    np.testing.assert_array_equal(env.observation(player), theirs)


def leduc_information_state(env: playmat.Env, state: Any, player: int) -> None:
    """The same as long as nobody folded: OpenSpiel's tensor does not show a fold."""
    folded = any(entry.player >= 0 and entry.action == 0 for entry in state.full_history())
    if not folded:
        information_state(env, state, player)


def hands_and_points(env: playmat.Env, state: Any, player: int) -> None:
    """OpenSpiel tells goofspiel as text: points, hands and the prizes so far."""
    shown = env.state_dict()["state"]
    text = str(state)
    for owner, hand in enumerate(shown["hands"]):
        line = next(line for line in text.splitlines() if line.startswith(f"P{owner} hand:"))
        assert [int(card) for card in line.split(":")[1].split()] == hand, player
    line = next(line for line in text.splitlines() if line.startswith("Points:"))
    assert [int(points) for points in line.split(":")[1].split()] == shown["points"]


@dataclass(frozen=True)
class Pair:
    """One game in both engines."""

    ours: str
    options: dict[str, Any]
    theirs: str
    compare: Callable[[playmat.Env, Any, int], None]
    chance: Chance | None = None
    episodes: int = 300
    # What a run must have seen at least once.
    must_see: frozenset[str] = field(default_factory=frozenset)

    @property
    def name(self) -> str:
        return "-".join([self.ours, *(f"{key}_{value}" for key, value in self.options.items())])


def pairs() -> Iterator[Pair]:
    ends = frozenset({"win", "loss", "draw"})
    decisive = frozenset({"win", "loss"})
    yield Pair("tic_tac_toe", {}, "tic_tac_toe", board_of_three, must_see=ends)
    yield Pair("connect_four", {}, "connect_four", board_of_four, must_see=decisive)
    for players in range(2, 9):
        options = {"players": players}
        yield Pair(
            "kuhn_poker",
            options,
            f"kuhn_poker(players={players})",
            information_state,
            dealt_card,
            must_see=decisive,
        )
        yield Pair(
            "leduc_poker",
            options,
            f"leduc_poker(players={players})",
            leduc_information_state,
            dealt_card,
            episodes=100 if players > 4 else 300,
            must_see=ends if players == 2 else decisive,
        )
        yield Pair(
            "goofspiel",
            options,
            f"goofspiel(players={players})",
            hands_and_points,
            turned_prize,
            episodes=60,
            must_see=decisive | {"shared"} if players > 2 else decisive,
        )
    for order in ("descending", "ascending"):
        yield Pair(
            "goofspiel",
            {"points_order": order, "num_cards": 5},
            f"goofspiel(points_order={order},num_cards=5)",
            hands_and_points,
            must_see=ends,
        )
    yield Pair(
        "goofspiel",
        {"num_cards": 8, "num_turns": 3},
        "goofspiel(num_cards=8,num_turns=3)",
        hands_and_points,
        turned_prize,
        must_see=ends,
    )
    for returns in ("point_difference", "total_points"):
        yield Pair(
            "goofspiel",
            {"returns_type": returns, "num_cards": 6},
            f"goofspiel(returns_type={returns},num_cards=6)",
            hands_and_points,
            turned_prize,
        )
        for players in (3, 5, 7):
            yield Pair(
                "goofspiel",
                {"returns_type": returns, "players": players},
                f"goofspiel(returns_type={returns},players={players})",
                hands_and_points,
                turned_prize,
                episodes=60,
            )
    yield Pair(
        "goofspiel",
        {"imp_info": True, "num_cards": 4},
        "goofspiel(imp_info=True,num_cards=4)",
        hands_and_points,
        turned_prize,
        must_see=ends,
    )


PAIRS = list(pairs())


def tell_chance(pair: Pair, env: playmat.Env, state: Any) -> None:
    while state.is_chance_node():
        assert pair.chance is not None
        outcome = pair.chance(env, state)
        assert outcome in state.legal_actions()
        state.apply_action(outcome)


def compare(pair: Pair, env: playmat.Env, state: Any) -> None:
    assert env.done == state.is_terminal()
    np.testing.assert_allclose(env.returns, state.returns(), rtol=1e-6, atol=1e-6)
    if env.done:
        return
    if state.is_simultaneous_node():
        assert env.acting_players == list(range(env.game.num_players))
    else:
        assert env.current_player == state.current_player()
        assert env.acting_players == [state.current_player()]
    for player in range(env.game.num_players):
        acts = player in env.acting_players
        assert env.legal_actions(player) == (state.legal_actions(player) if acts else [])
        if acts:
            mask = np.flatnonzero(np.asarray(state.legal_actions_mask(player)))
            assert mask.tolist() == np.flatnonzero(env.action_mask(player)).tolist()
        pair.compare(env, state, player)


def advance(env: playmat.Env, state: Any, actions: dict[int, int]) -> None:
    if state.is_simultaneous_node():
        state.apply_actions([actions[player] for player in range(env.game.num_players)])
    else:
        state.apply_action(actions[env.current_player])
    env.step(actions)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_random_play_is_the_same_move_by_move(pair: Pair) -> None:
    game = playmat.Game(pair.ours, **pair.options)
    theirs = pyspiel.load_game(pair.theirs)
    assert game.num_players == theirs.num_players()
    assert game.num_actions == theirs.num_distinct_actions()
    rng = np.random.default_rng(5)
    seen: set[str] = set()
    for seed in range(pair.episodes):
        env, state = game.env(seed), theirs.new_initial_state()
        while True:
            tell_chance(pair, env, state)
            compare(pair, env, state)
            if env.done:
                break
            advance(
                env, state, {p: int(rng.choice(env.legal_actions(p))) for p in env.acting_players}
            )
        first = float(env.returns[0])
        seen.add("win" if first > 0 else "loss" if first < 0 else "draw")
        if 1 < int((env.returns > 0).sum()) < game.num_players:
            seen.add("shared")
    assert seen >= pair.must_see, "the run was too short to say anything"


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("connect_four", 4)])
def test_every_line_of_play_is_the_same(name: str, depth: int) -> None:
    pair = next(pair for pair in PAIRS if pair.ours == name)
    visited = 0

    def walk(env: playmat.Env, state: Any, left: int) -> None:
        nonlocal visited
        visited += 1
        compare(pair, env, state)
        if env.done or left == 0:
            return
        for action in env.legal_actions():
            walk_env, walk_state = env.clone(), state.clone()
            advance(walk_env, walk_state, {env.current_player: action})
            walk(walk_env, walk_state, left - 1)

    walk(playmat.Game(name).env(), pyspiel.load_game(name).new_initial_state(), depth)
    # 1 + 9 + 9*8 + ... and 1 + 7 + 49 + ...: nobody wins earlier, no column is full.
    assert visited == {"tic_tac_toe": 18730, "connect_four": 2801}[name]


@pytest.mark.parametrize("players", [2, 3])
def test_every_line_of_kuhn_poker_is_the_same_on_every_deal(players: int) -> None:
    pair = next(p for p in PAIRS if p.ours == "kuhn_poker" and p.options["players"] == players)
    game, theirs = playmat.Game("kuhn_poker", players=players), pyspiel.load_game(pair.theirs)
    deals: set[tuple[int, ...]] = set()
    ends = 0

    def walk(env: playmat.Env, state: Any) -> int:
        compare(pair, env, state)
        if env.done:
            return 1
        found = 0
        for action in env.legal_actions():
            walk_env, walk_state = env.clone(), state.clone()
            advance(walk_env, walk_state, {env.current_player: action})
            found += walk(walk_env, walk_state)
        return found

    for seed in range(600):
        env = game.env(seed)
        deal = tuple(int(segments(env, player)["card"].argmax()) for player in range(players))
        if deal in deals:
            continue
        deals.add(deal)
        state = theirs.new_initial_state()
        tell_chance(pair, env, state)
        ends += walk(env, state)
    assert len(deals) == {2: 6, 3: 24}[players], "every deal happened"
    assert ends == {2: 6 * 5, 3: 24 * 13}[players]
