"""Agents that search."""

from __future__ import annotations

import json

import numpy as np
import pytest

import playmat
from conftest import Call
from playmat.agents import split_agents


def won(game: playmat.Game, specs: list[str], episodes: int) -> float:
    """Mean return of the first of two agents, who play each player in turn."""
    total = 0.0
    for episode in range(episodes):
        env = game.env(seed=episode // 2)
        agents = [game.agent(spec) for spec in (specs if episode % 2 else specs[::-1])]
        while not env.done:
            player = env.acting_players[0]
            env.step(agents[player].act(env, player), player)
        total += float(env.returns[0 if episode % 2 else 1])
    return total / episodes


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "goofspiel", "leduc_poker"])
def test_search_beats_random_play(name: str) -> None:
    assert won(playmat.Game(name), ["mcts:100", "random"], 40) > 0.2


@pytest.mark.parametrize("name", playmat.games())
def test_equal_seeds_search_alike(name: str) -> None:
    game = playmat.Game(name)
    agent = game.agent("mcts:8,threads=2")
    env, twin = game.env(seed=5), game.env(seed=5)
    for _ in range(6):
        if env.done:
            break
        player = env.acting_players[0]
        # A copy has the trees and the random stream of the original.
        before, copy = env.to_json(), env.clone(exact=True)
        action = agent.act(env, player)
        assert action in env.legal_actions(player)
        assert env.to_json() == before
        assert agent.act(copy, player) == action
        assert agent.act(twin, player) == action
        env.step(action, player)
        twin.step(action, player)


def test_names_are_canonical(small: playmat.Game) -> None:
    given = "mcts:050,threads=1,c=2.0,rollout=greedy,prior=uniform"
    assert small.agent(given).name == "mcts:50,prior=uniform,c=2"
    assert small.agent("mcts:20ms").name == "mcts:20ms"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts", "got `mcts`"),
        ("mcts:", "got `` for `simulations` of `mcts`; allowed: 1 to 10000000"),
        ("mcts:0", "got `0` for `simulations`"),
        ("mcts:4s", "got `4s` for `simulations`"),
        ("mcts:0ms", "got `0` for `milliseconds` of `mcts`; allowed: 1 to 60000"),
        ("mcts:8,threads=0", "got `0` for `threads` of `mcts`; allowed: 1 to 64"),
        ("mcts:8,c=0", "got `0` for `c` of `mcts`; allowed: 0.01 to 100"),
        ("mcts:8,thread=2", "did you mean `threads`?"),
        ("mcts:8,rollout=wise", "allowed: `random`, `greedy`"),
        ("mcts:8,prior=greedy,prior=greedy", "option `prior` of `mcts` is given twice"),
    ],
)
def test_bad_specs(small: playmat.Game, spec: str, message: str) -> None:
    with pytest.raises(playmat.InvalidArgument) as refused:
        small.agent(spec)
    assert "argument `spec`: " in str(refused.value)
    assert message in str(refused.value)


def test_search_plays_in_batches() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(16, view="single", opponents=["mcts:10"], threads=2)
    batch = venv.reset(seed=1)
    while venv.results()["episodes"] < 16:
        batch = venv.step(venv.sample_actions())
    assert [opponent["name"] for opponent in venv.results()["opponents"]] == ["mcts:10"]
    assert venv.results()["wins"] < venv.results()["losses"]
    agent = game.agent("mcts:10")
    actions = agent.act_batch(venv)
    assert batch.action_mask[np.arange(16), actions].all()


def test_lists_of_agents_keep_options_together() -> None:
    assert split_agents("greedy, mcts:8,threads=2,c=1 ,random") == [
        "greedy",
        "mcts:8,threads=2,c=1",
        "random",
    ]
    assert split_agents("greedy,c=1") == ["greedy", "c=1"]
    assert split_agents("") == [""]


def test_the_command_line_takes_searches(call: Call) -> None:
    agents = "mcts:4,threads=2,random"
    status, out, _ = call(
        "balance", "tic_tac_toe", "--episodes", "20", "--agents", agents, "--json"
    )
    assert status == 0
    assert json.loads(out)["episodes"] == 20
    status, out, _ = call("arena", "tic_tac_toe", "--agents", "random", "mcts:20", "--games", "20")
    assert status == 0
    assert out.splitlines()[1].split()[0] == "mcts:20"
    status, _, error = call("arena", "tic_tac_toe", "--agents", "random", "mcts:0", "--games", "20")
    assert status == 2
    assert "argument `agents`: got `0` for `simulations` of `mcts`" in error
