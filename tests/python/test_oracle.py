"""Graphia Genesis beside an independent implementation of its rules: whole games, byte for byte.

The other one (`oracle/graphia_reference`) is written from the rules alone, with lists and flood fills. It gets its chance from the
engine's events and must agree on everything that follows: who acts, what is legal, what everybody observes, what is scored.
"""

from __future__ import annotations

import random
from typing import Any

import graphia_reference as gg
import numpy as np
import pytest

import playmat


def letters(game: playmat.Game) -> dict[str, str]:
    """The engine's terrain names to the oracle's letters, by the order both share."""
    names = terrain_names(game)
    return dict(zip(names, gg.TERRAINS, strict=True))


def terrain_names(game: playmat.Game) -> list[str]:
    """All terrains in their order, as a new game has them in its deck (the first is already turned)."""
    for seed in range(100):
        state = game.env(seed).state_dict()["state"]
        if state["round"] == 1:
            left = state["terrain_left"]
            break
    else:
        raise AssertionError("no game begins with its first round")
    other = next(
        s
        for s in (game.env(seed).state_dict()["state"] for seed in range(100))
        if s["round"] == 1 and s["terrain"] != state["terrain"]
    )["terrain_left"]
    # Two decks that miss different cards: merged they show the whole order.
    missing = state["terrain"]
    at = other.index(missing)
    before = other[at - 1] if at else None
    place = left.index(before) + 1 if before is not None else 0
    full = [*left[:place], missing, *left[place:]]
    assert [t for t in full if t in other] == other
    return full


def begin(env: playmat.Env, options: gg.Options, names: dict[str, str]) -> gg.Position:
    """The oracle's position of a fresh episode."""
    state = env.state_dict()["state"]
    return gg.Position.from_dict(
        options,
        {
            "sheets": state["sheets"],
            "used": state["desolations_used"],
            "round": state["round"],
            "terrain_left": "".join(names[name] for name in state["terrain_left"]),
            "shapes_left": state["shapes_left"],
            "terrain": names[state["terrain"]],
            "pair": state["pair"],
            "number": state["number"],
        },
    )


def chance(env: playmat.Env, options: gg.Options, names: dict[str, str]) -> gg.ScriptedChance:
    """What chance decided in the last step, from the complete events."""
    kinds = {kind.id: k for k, kind in enumerate(options.kinds)}
    script: list[tuple[str, int]] = []
    terrain = ""
    for event in env.events():
        match event["event"]:
            case "terrain_turned":
                terrain = names[event["terrain"]]
                script.append(("terrain", gg.TERRAINS.index(terrain)))
            case "pair_shown":
                first, second = event["shapes"]
                script += [("first", kinds[first]), ("second", kinds[second])]
            case "die_rolled":
                script.append(("desolation" if terrain == "O" else "die", event["number"]))
    return gg.ScriptedChance(script)


def compare(env: playmat.Env, position: gg.Position) -> None:
    players = position.options.players
    assert env.acting_players == position.acting()
    assert env.done == position.is_over
    for player in range(players):
        assert env.legal_actions(player) == position.legal_actions(player)
        assert env.observation(player).tobytes() == position.observation(player)
        lines = position.score_lines(player)
        assert int(env.scores[player]) == sum(lines)
    state = env.state_dict()["state"]
    assert state["sheets"] == [list(sheet) for sheet in position.sheets]


CASES: list[dict[str, Any]] = [
    {"players": 1},
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 8},
    {"players": 2, "nexus_gate": "group"},
    {"players": 2, "nexus_gate": "both"},
    {"players": 3, "nexus_adjacency": "all"},
    {"players": 2, "desert_scoring": "pair"},
    {"players": 4, "observe_others": "summary"},
    {"players": 2, "nexus_gate": "both", "nexus_adjacency": "all", "desert_scoring": "pair"},
]


@pytest.mark.parametrize("case", CASES, ids=["-".join(map(str, case.values())) for case in CASES])
def test_whole_games(case: dict[str, Any]) -> None:
    # The outcome is not offered to one player.
    kinds = ["outcome", "score", "score_delta"] if case["players"] > 1 else ["score", "score_delta"]
    games = {kind: playmat.Game("graphia", **case, reward=kind) for kind in kinds}
    game = games[kinds[0]]
    options = gg.Options(**case)
    names = letters(game)
    assert game.num_actions == gg.Position(options).action_count
    decisions = 0
    for seed in range(4 if case["players"] < 8 else 2):
        draws = random.Random(seed)
        # The same episode under every kind of reward; all else is compared in the first.
        envs = {kind: games[kind].env(seed) for kind in kinds}
        env = envs[kinds[0]]
        position = begin(env, options, names)
        compare(env, position)
        while not env.done:
            player = draws.choice(env.acting_players)
            action = draws.choice(env.legal_actions(player))
            for other in envs.values():
                other.step(action, player)
            script = chance(env, options, names)
            position.apply(player, action, script)
            assert not script.queue, "the engine drew more than the rules ask for"
            compare(env, position)
            for kind, other in envs.items():
                assert np.allclose(other.rewards, position.returns(kind))
            decisions += 1
        for kind, other in envs.items():
            assert other.done
            if kind != "score_delta":
                assert np.allclose(other.returns, position.returns(kind))
        if case["players"] > 1:
            assert position.winners() == np.flatnonzero(env.scores == env.scores.max()).tolist()
    assert decisions > 50


def test_loaded_positions() -> None:
    """Positions that nobody dealt: filled at random, loaded into both."""
    game = playmat.Game("graphia", players=2)
    options = gg.Options(players=2)
    names = letters(game)
    draws = random.Random(7)
    template = next(
        document
        for document in (game.env(seed).state_dict() for seed in range(100))
        if document["state"]["pair"] is not None and document["state"]["round"] == 1
    )
    agreed = 0
    for _ in range(120):
        state = dict(template["state"])
        density = draws.random()
        used = sorted(draws.sample(range(1, 13), draws.randrange(4)))
        sheets = []
        for _ in range(2):
            sheet = [
                [draws.choice("MFRDTAX") if draws.random() < density else "." for _ in range(12)]
                for _ in range(12)
            ]
            for n in used:
                sheet[n - 1][n - 1] = "O"
            sheets.append(["".join(row) for row in sheet])
        number = draws.randrange(1, 13)
        state.update(
            sheets=sheets, desolations_used=used, number=number, round=draws.randrange(2, 40)
        )
        given = {
            key: state[key]
            for key in (
                "round",
                "terrain",
                "pair",
                "number",
                "terrain_left",
                "shapes_left",
                "desolations_used",
                "sheets",
            )
        }
        env = game.env_from_json({"state": given})
        position = begin(env, options, names)
        compare(env, position)
        agreed += 1
    assert agreed == 120
