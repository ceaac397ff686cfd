"""Batches whose opponents may be functions."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import playmat
from playmat.pool import PoolEnv
from playmat.train.config import preset
from playmat.train.export import export_checkpoint
from playmat.train.trainer import Trainer

NETWORK = str(Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx")
N = 40


def lowest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.argmax(1)


def highest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


def by_seed(batch: Any) -> Any:
    """Legal actions that follow from the seed and the observation."""
    number = batch.episode_seed % 1000 + batch.obs.sum(1, dtype=np.uint64)
    rank = number % batch.action_mask.sum(1, dtype=np.uint64)
    return (batch.action_mask.cumsum(1) > rank[:, None]).argmax(1)


@pytest.mark.parametrize("learner", [0, "rotate"])
@pytest.mark.parametrize("kind", ["spec", "agent", "function"])
def test_its_episodes_are_those_of_the_engine(learner: Any, kind: str) -> None:
    """The same seeds, learners and opponent end alike, with the same results."""
    game = playmat.Game("tic_tac_toe")
    opponent: Any = NETWORK
    if kind == "agent":
        opponent = game.agent(NETWORK)
    elif kind == "function":
        session = onnxruntime.InferenceSession(NETWORK)

        def opponent(obs: Any, mask: Any, player: Any) -> Any:
            (logits,) = session.run(["logits"], {"obs": obs, "mask": mask})
            return np.where(mask, logits, -np.inf).argmax(1)

    returns: list[dict[int, Any]] = []
    venv = game.vec_env(8, view="single", learner=learner, opponents=NETWORK)
    pool = PoolEnv(game, 8, learner=learner, opponents=opponent)
    for env, steps in ((venv, 60), (pool, 130)):
        ended: dict[int, Any] = {}
        batch = env.reset(seed=3)
        for _ in range(steps):
            batch = env.step(by_seed(batch))
            for i in np.flatnonzero(batch.terminated):
                ended[int(batch.final_seed[i])] = (
                    batch.episode_return[i].tolist(),
                    batch.final_opponent[i].tolist(),
                    int(batch.episode_length[i]),
                )
        returns.append(ended)
    both = returns[0].keys() & returns[1].keys()
    assert len(both) > 80 and len({str(returns[0][seed]) for seed in both}) > 4
    assert all(returns[0][seed] == returns[1][seed] for seed in both)
    results = pool.results()
    assert results["episodes"] == len(returns[1])
    assert min(results[kind] for kind in ("wins", "losses")) > 5


@pytest.mark.parametrize("name", ["goofspiel", "leduc_poker", "graft"])
def test_who_plays_follows_from_seeds(name: str) -> None:
    """Episodes neither depend on the batch nor on threads; every field says who has played."""
    game = playmat.Game(name)
    players = game.num_players
    pool: Any = {lowest: 1.0, "greedy": 0.0, highest: 3.0}
    found: list[dict[int, Any]] = []
    for envs, threads in ((N, 1), (130, 2)):
        env = PoolEnv(game, envs, opponents=pool, threads=threads)
        batch = env.reset(seed=5)
        ended: dict[int, Any] = {}
        decisions = np.zeros(3, np.int64)
        for _ in range(250):
            acts = batch.player == batch.learner
            assert ((batch.opponent < 0).sum(1) == 1).all()
            assert (batch.opponent[np.arange(envs), batch.learner] == -1).all()
            opponent, learner = batch.opponent.copy(), batch.learner.copy()
            decisions += np.bincount(opponent[np.arange(envs), batch.player][~acts], minlength=3)
            batch = env.step(highest(None, batch.action_mask, None))
            rows = np.arange(envs)
            assert np.array_equal(batch.learner_reward, batch.reward[rows, learner])
            over = batch.terminated | batch.truncated
            assert np.array_equal(batch.opponent[~over], opponent[~over])
            assert np.array_equal(batch.final_opponent[over], opponent[over])
            for i in np.flatnonzero(over):
                record = (opponent[i].tolist(), batch.episode_return[i].tolist())
                ended[int(batch.final_seed[i])] = record
        assert decisions[0] > 0 and decisions[1] == 0 and decisions[2] > decisions[0]
        results = env.results()
        assert (
            results["episodes"]
            == len(ended)
            == sum(results[kind] for kind in ("wins", "draws", "losses", "truncated"))
        )
        by_opponent = [sum(k in opponents for opponents, _ in ended.values()) for k in range(3)]
        assert [o["episodes"] for o in results["opponents"]] == by_opponent
        mine = sum(paid[opponents.index(-1)] for opponents, paid in ended.values())
        assert results["return_sum"] == pytest.approx(mine, abs=1e-3)
        env.reset_results()
        assert env.results()["episodes"] == 0
        found.append(ended)
    both = found[0].keys() & found[1].keys()
    assert len(both) > (5 if players > 2 else 50)
    assert all(found[0][seed] == found[1][seed] for seed in both)


def test_a_function_is_called_once_for_all_environments_that_wait() -> None:
    game = playmat.Game("connect_four")
    calls: list[tuple[int, ...]] = []

    def spy(obs: Any, mask: Any, player: Any) -> Any:
        assert (obs.dtype, mask.dtype, player.dtype) == (np.uint8, np.bool_, np.int32)
        assert obs.shape[1:] == game.observation_shape and mask.shape[1:] == (7,)
        calls.append(tuple(player))
        obs[:], mask[:], player[:] = 9, True, 9  # its own arrays
        return [0] * len(player)

    env = PoolEnv(game, N, opponents=spy, learner=1)
    batch = env.reset(seed=1)
    for step in range(6):
        batch = env.step(np.full(N, 1))
        assert len(calls) == 1 + step // 2 and calls[-1] == (0,) * N
    assert not (batch.obs == 9).any()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            lambda mask: mask.argmax(1)[:-1],
            r"opponent `bad` returned shape \(\d+,\); wanted \(\d+,\)",
        ),
        (lambda mask: mask, r"opponent `bad` returned shape \(\d+, 7\); wanted"),
        (lambda mask: None, r"opponent `bad` returned shape \(\); wanted"),
        (lambda mask: mask.argmax(1) * 1.0, "opponent `bad` returned dtype float64; wanted whole"),
        (
            lambda mask: np.where(np.arange(len(mask)), mask.argmax(1), 7),
            r"chose illegal actions in 1 of \d+ rows",
        ),
        (lambda mask: np.full(len(mask), -1), r", action -1\]"),
        (lambda mask: 1 / 0, "division by zero"),
    ],
)
def test_a_function_that_fails_leaves_everything_as_it_was(bad: Any, message: str) -> None:
    game = playmat.Game("connect_four")
    fails = [False]

    def choose(obs: Any, mask: Any, player: Any) -> Any:
        return bad(mask) if fails[0] else lowest(obs, mask, player)

    choose.__name__ = "bad"
    env, twin = (PoolEnv(game, N, opponents=["random", choose]) for _ in range(2))
    for each in (env, twin):
        each.reset(seed=2)
    for turn in range(20):
        before = {name: array.copy() for name, array in zip(*_fields(env), strict=True)}
        saved = env.venv.to_bytes()
        fails[0] = True
        with pytest.raises((playmat.InvalidArgument, ZeroDivisionError), match=message):
            # Whether or not a function is called in this step.
            while True:
                env.step(lowest(None, env.batch.action_mask, None))
                twin.step(lowest(None, twin.batch.action_mask, None))
                saved = env.venv.to_bytes()
                before = {name: array.copy() for name, array in zip(*_fields(env), strict=True)}
        fails[0] = False
        assert env.venv.to_bytes() == saved
        for name, array in zip(*_fields(env), strict=True):
            assert np.array_equal(array, before[name]), name
        for each in (env, twin):
            each.step(lowest(None, each.batch.action_mask, None))
        assert env.venv.to_bytes() == twin.venv.to_bytes(), turn
    assert env.results()["episodes"] == twin.results()["episodes"]


def _fields(env: PoolEnv) -> tuple[list[str], list[Any]]:
    names = env.batch.keys()
    return names, [env.batch[name] for name in names]


def test_bad_calls_are_refused_and_change_nothing() -> None:
    game = playmat.Game("connect_four")
    env = PoolEnv(game, 4, opponents=[lowest])
    with pytest.raises(playmat.OrderError, match="`reset` first"):
        env.step([0] * 4)
    env.reset(seed=1)
    saved = env.venv.to_bytes()
    own = env.batch.player == env.batch.learner
    assert own.tolist() == [True, False, True, False]
    for actions, error, message in (
        ([0] * 3, playmat.InvalidArgument, r"`actions`: got shape \(3,\); wanted \(4,\)"),
        ([0.0] * 4, playmat.InvalidArgument, "`actions`: got dtype float64; wanted whole numbers"),
        ([9, 9, 0, 9], playmat.IllegalAction, r"in 1 of the rows.*\[env 0, player 0, action 9\]"),
    ):
        with pytest.raises(error, match=message):
            env.step(actions)
        assert env.venv.to_bytes() == saved
    # What stands where an opponent decides is not read.
    env.step([0, 99, 0, -5])
    for make, argument in (
        (lambda: PoolEnv(game, 4, opponents=[]), "opponents"),
        (lambda: PoolEnv(game, 4, opponents=3), "opponents"),
        (lambda: PoolEnv(game, 4, opponents=["wise"]), "opponents"),
        (lambda: PoolEnv(game, 4, opponents={lowest: -1.0}), "weights"),
        (lambda: PoolEnv(game, 4, opponents={lowest: 0.0}), "weights"),
        (lambda: PoolEnv(game, 4, opponents={lowest: "x"}), "weights"),
        (lambda: PoolEnv(game, 4, opponents=lowest, learner=2), "learner"),
        (lambda: PoolEnv(playmat.Game("gravitix", players=1), 4, opponents=lowest), "game"),
        (lambda: env.set_weights([1.0, 2.0]), "weights"),
        (lambda: env.add_opponent(highest, float("nan")), "weight"),
        (lambda: env.add_opponent(playmat.Game("tic_tac_toe").agent("greedy")), "agent"),
    ):
        with pytest.raises(playmat.InvalidArgument) as caught:
            make()  # type: ignore[no-untyped-call]
        assert caught.value.argument == argument, caught.value

    def meddles(obs: Any, mask: Any, player: Any) -> Any:
        env.step([0] * 4)

    assert env.add_opponent(meddles, 5.0) == 1
    env.set_weights([0, 1])
    env.reset()
    with pytest.raises(playmat.OrderError, match="an opponent chooses: its function may not call"):
        for _ in range(2):
            env.step([0] * 4)
    env.close()
    with pytest.raises(playmat.OrderError, match="closed"):
        env.step([0] * 4)


def test_a_league_grows_and_travels() -> None:
    """Past selves join the pool; a pickled environment goes on alike."""
    game = playmat.Game("goofspiel")
    env = PoolEnv(game, N, opponents=["random"])
    batch = env.reset(seed=7)
    for step in range(120):
        if step == 40:
            assert env.add_opponent(highest, 3.0) == 1
        batch = env.step(lowest(None, batch.action_mask, None))
    record = env.results()["opponents"]
    assert [o["name"] for o in record] == ["random", "highest"]
    assert [o["weight"] for o in record] == [1.0, 3.0]
    assert min(o["episodes"] for o in record) > 20
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.batch.opponent, batch.opponent)
    for _ in range(60):
        batch = env.step(lowest(None, batch.action_mask, None))
        other = again.step(lowest(None, again.batch.action_mask, None))
        assert np.array_equal(batch.obs, other.obs) and np.array_equal(batch.reward, other.reward)
        assert np.array_equal(batch.opponent, other.opponent)
    assert env.results() == again.results()


@pytest.mark.parametrize("bonus", [0.0, 2.0])
def test_a_checkpoint_plays_as_its_network_does(bonus: float, tmp_path: Path) -> None:
    """As the engine plays the network that the checkpoint holds."""
    config = preset(
        "goofspiel", minutes=0, total_decisions=64, num_envs=8, num_steps=8, num_minibatches=1,
        width=16, torch_threads=1, greedy_bonus=bonus, play="best", precision="float32",
    )  # fmt: skip
    trainer = Trainer("goofspiel", {}, config, tmp_path)
    trainer.update()
    trainer.save()
    checkpoint, network = str(tmp_path / "checkpoint.pt"), str(tmp_path / "policy.onnx")
    export_checkpoint(Path(checkpoint), Path(network))
    game, totals = playmat.Game("goofspiel"), []
    for opponent in (checkpoint, network):
        env = PoolEnv(game, N, opponents=[opponent, "random"])
        assert env.results()["opponents"][0]["name"] == opponent
        batch = env.reset(seed=3)
        for _ in range(100):
            batch = env.step(by_seed(batch))
        totals.append([{**entry, "name": ""} for entry in env.results()["opponents"]])
        again = pickle.loads(pickle.dumps(env))
        assert np.array_equal(again.step(by_seed(batch)).obs, env.step(by_seed(batch)).obs)
    assert totals[0] == totals[1] and totals[0][0]["episodes"] > 20
    with pytest.raises(playmat.WrongIdentity, match="game is `goofspiel`, this is `leduc_poker`"):
        PoolEnv(playmat.Game("leduc_poker"), 4, opponents=checkpoint)
    with pytest.raises(playmat.InvalidArgument, match="wanted dtype `u8`"):
        PoolEnv(game, 4, opponents=checkpoint, dtype="f32")
    with pytest.raises(playmat.InvalidArgument, match=r"`opponents`: got `no\.pt`; there is no"):
        env.add_opponent("no.pt")


def test_environments_are_reset_alone() -> None:
    game = playmat.Game("leduc_poker", players=2)
    env, part = (
        PoolEnv(game, 8, opponents=[lowest]),
        PoolEnv(game, 4, opponents=[lowest], first_env=4),
    )
    for each in (env, part):
        each.reset(seed=3)
    assert np.array_equal(env.batch.learner[4:], part.batch.learner)
    mask = np.arange(8) % 2 == 0
    env.step(highest(None, env.batch.action_mask, None))
    seeds, learner = env.batch.episode_seed.copy(), env.batch.learner.copy()
    batch = env.reset(mask=mask)
    assert (batch.episode_seed[mask] != seeds[mask]).all()
    assert (batch.learner[mask] != learner[mask]).all()
    assert np.array_equal(batch.episode_seed[~mask], seeds[~mask])
    assert np.array_equal(batch.learner[~mask], learner[~mask])


def test_sampled_actions_are_legal_and_repeat_with_the_seed() -> None:
    played = []
    for _ in range(2):
        with PoolEnv(playmat.Game("connect_four"), 16, opponents="random") as env:
            batch = env.reset(seed=3)
            for _ in range(60):
                actions = env.sample_actions()
                assert batch.action_mask[np.arange(16), actions].all()
                batch = env.step(actions)
            played.append((actions.copy(), env.results()["episodes"]))
    assert np.array_equal(played[0][0], played[1][0]) and played[0][1] == played[1][1] > 0


def test_results_tell_functions_of_one_name_apart() -> None:
    functions = [lambda *given: lowest(*given), lambda *given: highest(*given)]
    env = PoolEnv(playmat.Game("tic_tac_toe"), 8, opponents=[*functions, "random"])
    batch = env.reset(seed=1)
    for _ in range(40):
        batch = env.step(highest(None, batch.action_mask, None))
    named = {opponent["name"]: opponent for opponent in env.results()["opponents"]}
    assert list(named) == ["<lambda>", "<lambda> (2)", "random"]
    for opponents in (Path(NETWORK), [Path(NETWORK)], {Path(NETWORK): 1}):
        pool = PoolEnv(env.game, 2, opponents=opponents)
        assert [opponent["name"] for opponent in pool.results()["opponents"]] == [NETWORK]
    assert sum(opponent["episodes"] for opponent in named.values()) == env.results()["episodes"]
