"""Searches whose network is evaluated in Python."""

from __future__ import annotations

import copy
import importlib.util
import json
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import playmat
from playmat.train.config import preset
from playmat.train.encoders.network import build
from playmat.train.export import export

Evaluate = Callable[[Any], tuple[Any, Any]]


def hashed(actions: int) -> Evaluate:
    """A network: numbers that follow from a row alone."""

    def evaluate(obs: Any) -> tuple[Any, Any]:
        rows = np.asarray(obs, np.int64)
        sums = (rows * (np.arange(rows.shape[1]) * 7919 % 1009 + 1)).sum(1)[:, None]
        numbers = (sums * (np.arange(actions + 1) + 3) * 2654435761 >> 7) % 1024 / 512 - 1
        return numbers[:, :-1].astype(np.float32), numbers[:, -1].astype(np.float32).copy()

    return evaluate


def run(search: playmat.Search, evaluate: Evaluate, n: int | None = None) -> int:
    evaluated = 0
    while len(leaves := search.collect(n)):
        search.feed(*evaluate(leaves.obs))
        evaluated += len(leaves)
    return evaluated


@pytest.mark.parametrize("greedy_bonus", [0.0, 1.0])
@pytest.mark.parametrize(
    ("name", "players"),
    [("tic_tac_toe", 2), ("kuhn_poker", 2), ("leduc_poker", 2), ("goofspiel", 2), ("goofspiel", 3)],
)
def test_one_leaf_at_a_time_is_the_search_of_the_engine(
    name: str, players: int, greedy_bonus: float, tmp_path: Path
) -> None:
    game = playmat.Game(name, **({} if players == 2 else {"players": players}))
    config = preset(
        name, network="mlp", width=8, seed=1, device="cpu", precision="float32",
        greedy_bonus=greedy_bonus,
    )  # fmt: skip
    network = build(game, config)
    if network.bonus is not None:
        torch.nn.init.normal_(network.bonus.weight)
    # Sums of such numbers are exact, so torch and the engine get the same bits in any order.
    for weight in network.parameters():
        weight.data = (weight.data * 16).round() / 16
    path, scale = tmp_path / "policy.onnx", 0.25
    export(network, game, path, reward_scale=scale)

    def evaluate(leaves: playmat.Leaves) -> tuple[Any, Any]:
        with torch.no_grad():
            mask = torch.ones(len(leaves), game.num_actions, dtype=torch.bool)
            greedy = None if leaves.greedy is None else torch.from_numpy(leaves.greedy)
            logits, values = network(torch.from_numpy(leaves.obs), mask, greedy)
        # In the units of the game, as docs/agents.md says.
        return logits.contiguous(), values.contiguous() / scale

    agent = game.agent(f"mcts:30,policy={path}")
    search = game.search("mcts:30", greedy=network.takes_greedy)
    decisions = 0
    for seed in range(6):
        env, twin = game.env(seed=seed), game.env(seed=seed)
        while not env.done:
            player = env.current_player
            search.start(twin, [player])
            while len(leaves := search.collect()):
                search.feed(*evaluate(leaves))
            action = agent.act(env, player)
            assert search.actions().tolist() == [action]
            found = agent.statistics(env, player)
            visits, means, priors = search.visits(), search.mean_returns(), search.priors()
            assert visits.dtype == np.int32 and visits.shape == (1, game.num_actions)
            assert np.array_equal(visits[0, found.actions], found.visits)
            # torch's functions differ from the engine's in the last bits.
            for ours, theirs in ((means, found.mean_return), (priors, found.prior)):
                np.testing.assert_allclose(ours[0, found.actions], theirs, rtol=1e-4, atol=1e-6)
            for numbers in (visits, means, priors):
                assert not np.delete(numbers[0], found.actions).any(), "illegal actions have none"
            shares = visits / max(1, visits.sum())
            assert found.simulations == 0 or np.allclose(search.policy(), shares)
            env.step(action, player)
            twin.step(action, player)
            decisions += 1
    assert decisions >= 12


@pytest.mark.parametrize("name", playmat.games())
def test_leaves_tell_what_the_greedy_agent_would_do(name: str) -> None:
    """-1 where the row's player has no decision, otherwise a legal action; at the root the greedy
    agent's, where it draws nothing.
    """
    game = playmat.Game(name)
    venv, evaluate = game.vec_env(8), hashed(game.num_actions)
    greedy, at_roots = game.agent("greedy"), 0
    search = game.search("mcts:5", 8, greedy=True)
    room = 8 * game.num_players
    out = {"greedy": np.full(room, -9, np.int64)}
    batch, seen = venv.reset(seed=3), 0
    for _ in range(4):
        chosen = greedy.act_batch(venv)
        search.start(venv, keep=False)
        roots = True
        while len(leaves := search.collect(room, out)):
            assert leaves.greedy is not None and leaves.greedy.base is not None
            assert (leaves.greedy == out["greedy"][: len(leaves)]).all()
            decides = leaves.action_mask.any(1)
            rows = np.flatnonzero(decides)
            assert (leaves.greedy[rows] >= 0).all()
            assert leaves.action_mask[rows, leaves.greedy[rows]].all()
            assert (leaves.greedy[~decides] >= -1).all()
            if not game.info()["simultaneous"]:
                assert (leaves.greedy[~decides] == -1).all()
            if roots and name in ("goofspiel", "gravitix", "kuhn_poker", "leduc_poker"):
                assert (leaves.greedy[rows] == chosen[leaves.search[rows]]).all()
                at_roots += len(rows)
            seen, roots = seen + len(rows), False
            search.feed(*evaluate(leaves.obs))
        batch = venv.step(search.actions())
    assert seen >= 32 and batch is not None
    assert at_roots or name not in ("goofspiel", "gravitix", "kuhn_poker", "leduc_poker")


@pytest.mark.parametrize("name", playmat.games())
def test_every_game_is_searched_in_batches(name: str) -> None:
    game = playmat.Game(name)
    venv, evaluate = game.vec_env(12), hashed(game.num_actions)
    batch = venv.reset(seed=5)
    few, many = game.search("mcts:6", 12), game.search("mcts:6", 12, 3)
    for _ in range(3):
        saved = venv.to_bytes()
        policies = []
        for n in (None, few.leaves * game.num_players):
            venv.load_bytes(saved)
            few.start(venv, keep=False)
            run(few, evaluate, n)
            policies.append(few.policy())
        assert np.array_equal(policies[0], policies[1]), "the room changes nothing"
        many.start(venv)
        run(many, evaluate)
        for policy in (policies[0], many.policy()):
            assert not policy[~batch.action_mask].any()
            np.testing.assert_allclose(policy.sum(1), 1, rtol=1e-5)
        assert np.isfinite(many.values()).all()
        batch = venv.step(many.actions(temperature=1.0))


def test_leaves_are_what_a_player_sees() -> None:
    game = playmat.Game("leduc_poker")
    env = game.env(seed=3)
    search = game.search("mcts:2")
    search.start(env)
    leaves = search.collect()
    assert np.array_equal(leaves.obs[0], env.observation())
    assert np.array_equal(leaves.action_mask[0], env.action_mask())
    assert leaves.player.tolist() == [env.current_player] and leaves.search.tolist() == [0]
    assert (search.waiting, len(leaves), bool(leaves)) == (1, 1, True)


def test_outputs_go_where_the_caller_wants() -> None:
    game = playmat.Game("connect_four")
    evaluate = hashed(7)
    plain, search = game.search("mcts:9", 4), game.search("mcts:9", 4, dtype=np.float32)
    out: dict[str, Any] = {
        "obs": torch.zeros(5, *game.observation_shape),
        "player": np.zeros(5, np.int32),
    }
    plain.start([game.env(seed=k) for k in range(4)])
    search.start([game.env(seed=k) for k in range(4)])
    for _ in range(3):
        leaves, same = search.collect(5, out), plain.collect()
        assert isinstance(leaves.obs, torch.Tensor) and len(leaves.obs) == len(same.obs)
        assert leaves.obs.data_ptr() == out["obs"].data_ptr()
        assert np.array_equal(game.observation_layout.to_f32(same.obs), leaves.obs.numpy())
        search.feed(*evaluate(same.obs))
        plain.feed(*map(torch.from_numpy, evaluate(same.obs)))
    policy = torch.zeros(4, 7)
    assert search.policy(policy) is policy
    assert np.array_equal(policy.numpy(), plain.policy())


def test_only_the_environments_of_a_mask_are_searched(small: playmat.Game) -> None:
    """What a search finds is what it finds without a mask."""
    venv, mask = small.vec_env(6), np.arange(6) % 3 == 0
    venv.reset(seed=2)
    saved = venv.to_bytes()
    policies = []
    for chosen in (None, mask):
        venv.load_bytes(saved)
        search = small.search("mcts:9", 6)
        search.start(venv, mask=chosen)
        run(search, hashed(7))
        policies.append(search.policy())
    assert np.array_equal(policies[1][mask], policies[0][mask])
    assert not policies[1][~mask].any() and not search.priors()[~mask].any()
    with pytest.raises(playmat.InvalidArgument, match=r"argument `mask`: got shape \(2,\)"):
        search.start(venv, mask=mask[:2])
    with pytest.raises(playmat.InvalidArgument, match="argument `mask`: only with a VecEnv"):
        search.start([None] * 6, mask=mask)  # type: ignore[call-overload]


def test_only_some_rows_are_searched() -> None:
    game = playmat.Game("tic_tac_toe")
    over = game.env(seed=1)
    while not over.done:
        over.step(over.sample_action())
    search = game.search("mcts:5", 3)
    search.start([None, game.env(seed=2), over])
    run(search, hashed(9))
    assert search.policy().sum(1).tolist() == [0, 1, 0]
    assert search.actions().tolist()[::2] == [0, 0]
    assert search.values()[0] == 0


def test_misuse_is_refused(small: playmat.Game) -> None:
    search = small.search("mcts:5", 2)
    envs = [small.env(seed=1), small.env(seed=2)]

    def refused(kind: type[Exception], call: Callable[[], object]) -> str:
        with pytest.raises(kind) as caught:
            call()
        return str(caught.value)

    f32, order, wrong = np.float32, playmat.OrderError, playmat.InvalidArgument
    assert "`start` first" in refused(order, search.collect)
    assert "`start` first" in refused(order, search.policy)
    assert "`collect` first" in refused(order, lambda: search.feed(None, None))
    say = refused(wrong, lambda: search.start(envs[:1]))
    assert "argument `envs`: got 1 environments; wanted 2, one per search" in say
    assert "wanted a VecEnv, an Env or a list" in refused(wrong, lambda: search.start(7))  # type: ignore[call-overload]
    other = [envs[0], playmat.Game("kuhn_poker").env(seed=1)]
    before = [env.to_bytes() for env in envs]
    say = refused(wrong, lambda: search.start(other))
    assert say.startswith("envs[1]: argument `env`: `search mcts:5` was made for `connect_four`")
    assert "player 1" in refused(playmat.NotActing, lambda: search.start(envs, [0, 1]))
    assert [env.to_bytes() for env in envs] == before, "nothing was drawn"
    venv = small.vec_env(2)
    assert "`reset` first" in refused(order, lambda: search.start(venv))
    venv.reset(seed=1)
    assert "argument `players`" in refused(wrong, lambda: search.start(venv, [0, 0]))  # type: ignore[call-overload]
    say = refused(wrong, lambda: search.start(small.vec_env(3)))
    assert say == "argument `envs`: got a batch with 3 rows; wanted 2"
    say = refused(wrong, lambda: search.start(venv.reset(seed=1)))  # type: ignore[arg-type]
    assert say == "argument `envs`: got a Batch, which is what a VecEnv returns; wanted the VecEnv"
    search.start(venv)
    assert "argument `n`: got 0; wanted at least 1" in refused(wrong, lambda: search.collect(0))
    obs = {"obs": np.zeros((3, 5), np.uint8)}
    assert "argument `out`: `obs`: got shape" in refused(wrong, lambda: search.collect(3, obs))
    say = refused(wrong, lambda: search.collect(3, {"mask": np.zeros(3)}))
    assert say.endswith("got `mask`; allowed: `obs`, `action_mask`, `player`, `search`")
    say = refused(wrong, lambda: search.collect(3, {"greedy": np.zeros(3, np.int64)}))
    assert say.endswith("got `greedy`; allowed: `obs`, `action_mask`, `player`, `search`")
    assert len(search.collect()) == 2
    assert "`feed` first" in refused(order, search.collect)
    logits, values = np.zeros((2, 7), f32), np.zeros(2, f32)
    for bad, good, message in [
        (logits[:1], values, "argument `logits`: got shape (1, 7); wanted (2, 7)"),
        (logits.astype(float), values, "argument `logits`: got elements of type float64"),
        (logits.tolist(), values, "wanted float32; `numpy.asarray(..., 'float32')` makes an array"),
        (None, values, "argument `logits`: got None; wanted an array of float32"),
        (logits, values[:, None], "argument `values`: got shape (2, 1); wanted (2,)"),
        (logits, values + f32(np.nan), "argument `values`: got NaN in row 0"),
        (logits + f32(np.inf), values, "for the legal action 0 in row 0; wanted a finite number"),
        (logits, values - f32(2e28), "in row 0; allowed: -1e28 to 1e28"),
    ]:
        assert message in refused(wrong, lambda bad=bad, good=good: search.feed(bad, good))  # type: ignore[misc]
    search.feed(logits, values)
    for temperature, message in [
        (-1, "got -1; allowed: 0 to 100"),
        (101, "got 101; allowed: 0 to 100"),
        (float("nan"), "got NaN; allowed: 0 to 100"),
        ("x", "got an object of type `str`; wanted a number"),
    ]:
        say = refused(wrong, lambda got=temperature: search.actions(temperature=got))  # type: ignore[misc]
        assert say == f"argument `temperature`: {message}"
    for keep in (1, "yes", None):
        with pytest.raises(playmat.InvalidArgument, match="; wanted True or False") as caught:
            search.start(venv, keep=keep)  # type: ignore[call-overload]
        assert caught.value.argument == "keep"
    search.start(venv, keep=np.bool_(True))  # type: ignore[call-overload]
    for rows in (0, -1):
        say = refused(wrong, lambda rows=rows: small.search("mcts:5", rows))  # type: ignore[misc]
        assert say == f"argument `rows`: got {rows}; wanted 1 or more"
    assert "argument `leaves`" in refused(wrong, lambda: small.search("mcts:5", 1, 2000))
    assert "argument `spec`" in refused(wrong, lambda: small.search("greedy"))
    assert repr(search) == '<playmat.Search "mcts:5" for 2 positions of connect_four>'


def test_pickles_and_copies_are_refused(small: playmat.Game) -> None:
    search = small.search("mcts:5")
    for call in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"a `playmat\.Search` cannot be pickled or copied"):
            call(search)


def test_threads_that_share_a_search_wait_for_each_other(small: playmat.Game) -> None:
    venv = small.vec_env(8)
    search = small.search("mcts:60", 8, leaves=2)

    def begin() -> None:
        venv.reset(seed=3)
        search.start(venv, keep=False)

    def feed(n: int) -> None:
        search.feed(np.zeros((n, small.num_actions), np.float32), np.zeros(n, np.float32))

    begin()
    while n := len(search.collect()):
        feed(n)
    alone = search.policy()

    def work() -> None:
        for _ in range(300):
            try:
                # What it collects another thread may feed, because the network always says 0.
                n = search.waiting or len(search.collect())
                feed(n)
            except (playmat.OrderError, playmat.InvalidArgument):
                pass

    begin()
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(work) for _ in range(4)]:
            done.result()
    if search.waiting:
        feed(search.waiting)
    while n := len(search.collect()):
        feed(n)
    assert np.array_equal(search.policy(), alone)


@pytest.mark.parametrize(
    ("name", "arguments", "least"),
    [
        ("tic_tac_toe", "--search mcts:24 --iterations 10", (0.88, 0.35)),
        ("connect_four", "--search mcts:16,c=1 --iterations 12 --hidden 64", (0.85, 0.1)),
    ],
)
def test_the_example_learns(
    name: str, arguments: str, least: tuple[float, float], tmp_path: Path
) -> None:
    """Shares won against random and greedy; the saved network wins as often in the engine's search."""
    path = Path(__file__).parents[2] / "examples" / "alphazero_selfplay.py"
    spec = importlib.util.spec_from_file_location("alphazero_selfplay", path)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    threads, saved, episodes = torch.get_num_threads(), tmp_path / "policy.onnx", 200
    words = f"--game {name} {arguments} --envs 32 --evaluate 16 --episodes {episodes} --save"
    try:
        untrained, trained = example.main([*words.split(), str(saved)])
    finally:
        torch.set_num_threads(threads)
    for before, after, bound in zip(untrained, trained, least, strict=True):
        assert after.value > max(before.value, bound)

    game = playmat.Game(name)
    agent = game.agent(f"{arguments.split()[1]},policy={saved}")
    venv = game.vec_env(episodes, view="single", learner="rotate", opponents="greedy")
    venv.reset(seed=1)
    playing, wins = np.ones(episodes, bool), 0.0
    while playing.any():
        batch = venv.step(agent.act_batch(venv))
        wins += (batch.learner_reward[playing & batch.terminated] / 2 + 0.5).sum()
        playing &= ~batch.terminated
    assert abs(wins / episodes - trained[1].value) < 0.1


def network(leaves: playmat.Leaves, actions: int) -> tuple[Any, Any]:
    """`network` of `seeds/tests/networks.rs`: the same bits in every language."""
    obs = leaves.obs
    greedy = np.full(len(obs), -1) if leaves.greedy is None else leaves.greedy
    hashes = (8 + greedy).astype(np.uint64)
    for column in np.asarray(obs).T:
        hashes = (hashes ^ column.astype(np.uint64)) * np.uint64(0x100000001B3)
    places = np.arange(actions + 1, dtype=np.uint64) << np.uint64(32)
    mixed = (hashes[:, None] ^ places) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)
    numbers = mixed.astype(np.float32) / np.float32(8388608) - np.float32(1)
    return np.ascontiguousarray(numbers[:, :-1]), np.ascontiguousarray(numbers[:, -1])


def test_decisions_are_those_of_all_other_languages() -> None:
    """`tests/networks/decisions.rs` describes the file."""
    played = ""
    text = (Path(__file__).parents[1] / "networks" / "leaves.txt").read_text()
    for block in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]:
        heading, *episodes = block.splitlines()
        name, options, spec, leaves, inputs = heading.split()
        game = playmat.Game(name, **json.loads(options))
        envs = [game.env(seed=seed) for seed in range(len(episodes))]
        search = game.search(spec, len(envs), int(leaves), greedy=inputs == "greedy")
        actions: list[list[int]] = [[] for _ in envs]
        while not all(env.done for env in envs):
            search.start(envs)
            while len(found := search.collect()):
                search.feed(*network(found, game.num_actions))
            for env, list_, action in zip(envs, actions, search.actions().tolist(), strict=True):
                if not env.done:
                    env.step(action)
                    list_.append(action)
        played += heading + "\n" + "".join(" ".join(map(str, row)) + "\n" for row in actions)
    assert played == text


def test_a_temperature_drop_holds_for_the_default_temperature_in_each_row() -> None:
    game = playmat.Game("tic_tac_toe")
    venv = game.vec_env(64)
    batch = venv.reset(seed=1)
    search = game.search("mcts:60,temperature=100,temperature_drop=1", rows=64)
    assert search.name == "mcts:60,temperature=100,temperature_drop=1"
    rows = np.arange(64)
    # In every other environment the first decision of each player is not searched, and not counted.
    late = rows % 2 == 1
    for step in range(5):
        search.start(venv, mask=~late if step < 2 else None)
        run(search, hashed(9))
        chosen, visits = search.actions(), search.visits()
        best = visits[rows, chosen] == visits.max(1)
        assert (best[~late].mean() < 0.7) == (step < 2), step
        if step >= 2:
            assert (best[late].mean() < 0.7) == (step < 4), step
            if step == 4:
                assert best.all()
        drawn = search.actions(100)
        assert (visits[rows, drawn] == visits.max(1)).mean() < 0.8, "as the caller says"
        legal = batch.action_mask.argmax(1)
        batch = venv.step(np.where(late & (step < 2), legal, chosen))


def test_the_temperature_of_the_spec_is_the_default() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(32)
    venv.reset(seed=1)
    found = []
    for spec in ("mcts:30", "mcts:30,temperature=2"):
        search = game.search(spec, rows=32)
        start = venv.to_bytes()
        search.start(venv, keep=False)
        run(search, hashed(7))
        found.append(search.actions().tolist())
        assert search.actions(0).tolist() == found[0]
        venv.load_bytes(start)
    assert found[0] != found[1]
