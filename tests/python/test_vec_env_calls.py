"""`playmat.VecEnv`: calls beside `step`: asynchronous steps, rollouts, resets, observations, saves, order, threads."""

from __future__ import annotations

import pickle
import threading
from inspect import isdatadescriptor
from typing import Any

import numpy as np
import pytest

import playmat

N = 16


def test_async_equals_step(game: playmat.Game) -> None:
    for threads in (1, 2):
        venv, twin = game.vec_env(N, threads=threads), game.vec_env(N)
        venv.reset(seed=1)
        twin.reset(seed=1)
        for turn in range(20):
            actions = twin.sample_actions()
            assert np.array_equal(venv.sample_actions(), actions)
            out = {"reward": np.zeros((N, game.num_players), np.float32)} if turn % 2 else None
            assert venv.step_async(actions, out) is None
            assert venv.pending
            one, two = venv.step_wait(), twin.step(actions)
            assert not venv.pending
            assert all(np.array_equal(one[name], two[name]) for name in ("obs", "reward", "player"))
            assert (one.reward is venv.batch.reward) == (out is None)
        assert venv.to_bytes() == twin.to_bytes()


def test_calls_in_the_wrong_order(small: playmat.Game) -> None:
    for threads in (1, 2):
        venv = small.vec_env(N, threads=threads)
        with pytest.raises(playmat.OrderError, match="reset"):
            venv.step(np.zeros(N, np.int64))
        with pytest.raises(playmat.OrderError):
            venv.sample_actions()
        with pytest.raises(playmat.OrderError, match="step_async"):
            venv.step_wait()
        venv.reset(seed=1)
        actions = venv.sample_actions().copy()
        venv.step_async(actions)
        calls = [
            lambda: venv.step(actions),
            lambda: venv.step_async(actions),
            lambda: venv.reset(),
            lambda: venv.sample_actions(),
            lambda: venv.game.agent("greedy").act_batch(venv),
            lambda: venv.observe(0),
            lambda: venv.rollout("random", 1),
            lambda: venv.to_bytes(),
            lambda: venv.state(0),
            lambda: pickle.dumps(venv),
            lambda: venv._loop(1),
        ]
        for call in calls:
            with pytest.raises(playmat.OrderError, match="step_wait"):
                call()
        venv.step_wait()
        venv.step_async(np.full(N, 99))
        with pytest.raises(playmat.IllegalAction):
            venv.step_wait()
        venv.step(venv.sample_actions())


def test_conf_n7_use_after_close(small: playmat.Game) -> None:
    """Closing twice is allowed, also while a step is pending."""
    for threads in (1, 2):
        venv = small.vec_env(N, threads=threads)
        venv.reset(seed=1)
        actions = venv.sample_actions().copy()
        venv.step_async(actions)
        venv.close()
        venv.close()
        assert venv.closed
        calls = [
            lambda: venv.step(actions),
            lambda: venv.reset(),
            lambda: venv.state(0),
            lambda: venv.sample_actions(),
            lambda: venv.step_wait(),
        ]
        for call in calls:
            with pytest.raises(playmat.OrderError, match="closed"):
                call()


def test_conf_n14_each_started_step_is_received_once(small: playmat.Game) -> None:
    for threads in (1, 2):
        venv, twin = small.vec_env(N, threads=threads), small.vec_env(N)
        venv.reset(seed=1)
        twin.reset(seed=1)
        for _ in range(5):
            actions = twin.sample_actions()
            venv.sample_actions()
            venv.step_async(actions)
            with pytest.raises(playmat.OrderError, match="step_wait"):
                venv.step_async(actions)
            venv.step_wait()
            with pytest.raises(playmat.OrderError, match="step_async"):
                venv.step_wait()
            twin.step(actions)
            assert venv.to_bytes() == twin.to_bytes()


def test_rollout_equals_steps(game: playmat.Game) -> None:
    steps = 25
    for view in ("turn", "joint"):
        venv, twin = game.vec_env(N, view=view), game.vec_env(N, view=view)
        venv.reset(seed=6)
        batch = twin.reset(seed=6)
        arrays = venv.rollout_arrays(steps)
        last = venv.rollout("random", steps, out=arrays)
        for t in range(steps):
            for name in ("obs", "action_mask", "player"):
                assert np.array_equal(arrays[name][t], batch[name])
            actions = twin.sample_actions()
            assert np.array_equal(arrays["action"][t], actions)
            batch = twin.step(actions)
            for name in ("reward", "terminated", "truncated"):
                assert np.array_equal(arrays[name][t], batch[name])
        for name in ("obs", "action_mask", "player", "reward", "terminated", "episode_seed"):
            assert np.array_equal(last[name], batch[name])
        assert venv.to_bytes() == twin.to_bytes()


@pytest.mark.parametrize("view", ["turn", "joint", "single"])
@pytest.mark.parametrize("threads", [1, 2])
def test_act_batch_is_what_the_agent_plays(game: playmat.Game, view: str, threads: int) -> None:
    roles: dict[str, Any] = {"learner": "rotate", "opponents": "greedy"} if view == "single" else {}
    venv, twin = (game.vec_env(N, view=view, threads=threads, **roles) for _ in range(2))
    mask = venv.reset(seed=6).action_mask.copy()
    twin.reset(seed=6)
    out = np.full(mask.shape[:-1], 7, np.int64)
    agent = game.agent("greedy")
    for turn in range(30):
        twin.rollout(agent if turn % 2 else "greedy", 1)
        assert agent.act_batch(venv, out=out) is out
        assert np.take_along_axis(mask, out[..., None], -1).squeeze(-1)[mask.any(-1)].all()
        assert not out[~mask.any(-1)].any()
        mask = venv.step(out).action_mask.copy()
        assert venv.to_bytes() == twin.to_bytes()
    # Two answers, one stream of draws: those of `random` are `sample_actions`.
    assert np.array_equal(game.agent("random").act_batch(venv), twin.sample_actions())
    venv.step(venv.sample_actions())
    twin.step(twin.sample_actions())
    assert venv.to_bytes() == twin.to_bytes()


def test_act_batch_leaves_whoever_plays_alone(small: playmat.Game) -> None:
    venv, twin = small.vec_env(N), small.vec_env(N)
    agent = small.agent("greedy")
    venv.reset(seed=2)
    twin.reset(seed=2)
    for _ in range(20):
        agent.act_batch(venv)
        actions = np.argmax(venv.batch.action_mask, axis=1)
        assert np.array_equal(venv.step(actions).obs, twin.step(actions).obs)
    for call, message in (
        (lambda: agent.act_batch(venv, out=np.zeros(N + 1, np.int64)), "got shape"),
        (lambda: agent.act_batch(venv, out=np.zeros(N, np.int32)), "int64"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=message):
            call()
    with pytest.raises(playmat.OrderError, match="reset"):
        agent.act_batch(small.vec_env(2))


@pytest.mark.parametrize("view", ["turn", "joint"])
@pytest.mark.parametrize("spec", ["random", "greedy", "mcts:8"])
def test_act_batch_decides_for_the_chosen_environments_alone(
    game: playmat.Game, view: str, spec: str
) -> None:
    venv, twin = (game.vec_env(N, view=view) for _ in range(2))
    venv.reset(seed=3)
    twin.reset(seed=3)
    agent = game.agent(spec)
    for turn in range(5):
        mask = np.arange(N) % 3 == turn % 3
        wanted, some = agent.act_batch(twin), agent.act_batch(venv, mask=mask)
        rest = agent.act_batch(venv, mask=list(~mask))
        assert (some[~mask] == -1).all() and (rest[mask] == -1).all()
        assert np.array_equal(some[mask], wanted[mask])
        assert np.array_equal(rest[~mask], wanted[~mask])
        venv.step(wanted)
        twin.step(wanted)
        assert venv.to_bytes() == twin.to_bytes()
    for bad, message in (
        (np.ones(N + 1, bool), rf"argument `mask`: got shape \({N + 1},\)"),
        (np.ones(N), "argument `mask`: got elements of type f.*; wanted bool"),
        ("x", "argument `mask`: got .*; wanted .* truth values"),
        ([True], "argument `mask`: got 1 entries; wanted"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=message):
            agent.act_batch(venv, mask=bad)  # type: ignore[call-overload]
        assert venv.to_bytes() == twin.to_bytes()


def test_arrays_of_rollouts_begin_at_multiples_of_64_bytes(game: playmat.Game) -> None:
    for num_envs, steps in ((1, 1), (N, 3), (33, 7)):
        venv = game.vec_env(num_envs)
        for name, array in venv.rollout_arrays(steps).items():
            assert array.ctypes.data % 64 == 0, name
            assert array.shape[:2] == (steps, num_envs) and not array.any()
            assert array.flags.c_contiguous and array.flags.writeable


def test_bad_rollouts(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    before = venv.to_bytes()
    arrays = venv.rollout_arrays(4, ["obs", "reward"])
    assert list(arrays) == ["obs", "reward"]
    bad = [
        (lambda: venv.rollout("nobody", 4), "allowed: `random`, `greedy`"),
        (lambda: venv.rollout("random", 0), "got 0; wanted 1 or more"),
        (lambda: venv.rollout("random", 5, out=arrays), r"`obs`: got shape \(4, 16, 126\)"),
        (lambda: venv.rollout("random", 4, out={"value": arrays["reward"]}), "allowed: obs"),
        (lambda: venv.rollout("random", 1, out={"obs": venv.batch.obs[None]}), "shares memory"),
        (lambda: venv.rollout_arrays(4, ["value"]), "allowed: obs"),
    ]
    for call, message in bad:
        with pytest.raises(playmat.InvalidArgument, match=message):
            call()
    assert venv.to_bytes() == before


def test_observe(game: playmat.Game) -> None:
    venv = game.vec_env(N)
    venv.reset(seed=1)
    for _ in range(5):
        venv.step(venv.sample_actions())
    everything = venv.observe_all()
    assert everything.shape == (N, game.num_players, *game.observation_shape)
    for player in range(game.num_players):
        out = np.full((N, *game.observation_shape), 0xAA, np.uint8)
        assert venv.observe(player, out) is out
        assert np.array_equal(out, everything[:, player])
        for i in range(N):
            assert np.array_equal(out[i], venv.state(i).observation(player))
    with pytest.raises(playmat.InvalidPlayer):
        venv.observe(game.num_players)
    with pytest.raises(playmat.InvalidArgument, match="got shape"):
        venv.observe_all(np.zeros((N, 1), np.uint8))


def test_reset_from_seeds_and_states(game: playmat.Game) -> None:
    venv = game.vec_env(4)
    seeds = [5, 2**64 - 1, 0, 5]
    for given in (seeds, np.array(seeds, np.uint64)):
        batch = venv.reset(seed=given)
        assert batch.episode_seed.tolist() == seeds
        for i, seed in enumerate(seeds):
            assert np.array_equal(batch.obs[i], game.env(seed).observation())
    states = [game.env(seed) for seed in (1, 2, 3, 4)]
    for env in states[:2]:
        env.step(env.sample_action())
    assert not any(env.done for env in states), "one decision ends no game"
    batch = venv.reset(states=[states[0], states[1].to_bytes(), states[2], states[3]])
    for i, env in enumerate(states):
        assert np.array_equal(batch.obs[i], env.observation())
        assert venv.state(i).state_dict()["state"] == env.state_dict()["state"]
    mask = np.array([False, True, False, False])
    batch = venv.reset(states=[None, states[0], None, None], mask=mask)
    assert np.array_equal(batch.obs[1], states[0].observation())
    assert np.array_equal(batch.obs[2], states[2].observation())
    assert venv.episode(2)["seed"] == 3


def test_bad_resets(small: playmat.Game) -> None:
    venv = small.vec_env(4)
    over = small.env(1)
    while not over.done:
        over.step(over.sample_action())
    other = playmat.Game("tic_tac_toe").env(1)
    bad = [
        (lambda: venv.reset(seed=-1), "allowed: whole numbers, 0 to"),
        (lambda: venv.reset(seed=[1, 2]), "got 2 entries; wanted 4"),
        (lambda: venv.reset(seed=np.zeros((4, 1), np.uint64)), r"got shape \(4, 1\)"),
        (lambda: venv.reset(seed=[1, 2, 3, -4]), "allowed: .*0 to"),
        (lambda: venv.reset(seed=1, states=[b""] * 4), "only without `seed`"),
        (lambda: venv.reset(states=[b""]), "got 1 entries"),
        (lambda: venv.reset(states=[b"x"] * 4), "header"),
        (lambda: venv.reset(states=[1] * 4), "wanted bytes or an Env"),
        (lambda: venv.reset(states=[other] * 4), "does not fit"),
        (lambda: venv.reset(states=[over] * 4), "is over"),
        (lambda: venv.reset(mask=np.zeros(3, bool)), r"got shape \(3,\)"),
        (lambda: venv.reset(mask=np.zeros(4)), "wanted bool"),
        (lambda: venv.reset(mask=[True]), "got 1 entries"),
    ]
    venv.reset(seed=1)
    before = venv.to_bytes()
    for call, message in bad:
        with pytest.raises((playmat.Error, ValueError), match=message):
            call()
    assert venv.to_bytes() == before


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_conf_c13_pickle_continues_exactly(game: playmat.Game, autoreset: Any) -> None:
    limited = playmat.Game(game.name, max_steps=11)
    fields = [name for name, kind in vars(playmat.Batch).items() if isdatadescriptor(kind)]
    ends = {
        "final_obs",
        "final_obs_all",
        "final_player",
        "final_mask",
        "final_acting",
        "final_seed",
        "final_opponent",
    }
    ends |= {"episode_return", "episode_length"}
    venv = limited.vec_env(
        N,
        threads=2,
        learner="rotate",
        opponents=["random", ("greedy", 2.0)],
        autoreset=autoreset,
        fields=fields,
    )
    fresh = pickle.loads(pickle.dumps(venv))
    assert fresh.results() == venv.results()
    assert fresh.reset(seed=3).obs.tobytes() == venv.reset(seed=3).obs.tobytes()
    for _ in range(14):
        venv.step(venv.sample_actions())
    results = venv.results()
    assert results["episodes"] > 0
    data = venv.to_bytes()
    twin = pickle.loads(pickle.dumps(venv))
    loaded = limited.vec_env(
        N, learner="rotate", opponents=["random", "greedy"], autoreset=autoreset, fields=fields
    )
    loaded.load_bytes(data)
    assert repr(twin) == repr(venv)
    assert set(twin.batch) == set(fields) > ends
    assert twin.results() == results
    assert twin.to_bytes() == loaded.to_bytes() == data
    # As documented: nothing is paid or ended in the batch after a load, and the fields of ends are empty.
    for name in venv.batch:
        expected = venv.batch[name]
        if name in {"reward", "learner_reward", "terminated", "truncated"} | ends:
            expected = np.zeros_like(expected)
        assert np.array_equal(twin.batch[name], expected), name
        assert np.array_equal(loaded.batch[name], expected), name
    loaded.set_weights([1.0, 2.0])
    for _ in range(30):
        one, *others = (v.step(v.sample_actions()) for v in (venv, twin, loaded))
        ended = one.terminated | one.truncated
        for two in others:
            for name in one:
                rows = ended if name in ends else slice(None)
                assert np.array_equal(one[name][rows], two[name][rows]), name
    assert venv.results() == twin.results() == loaded.results() != results
    assert venv.to_bytes() == twin.to_bytes() == loaded.to_bytes()


def test_load_bytes_refuses_damage(small: playmat.Game) -> None:
    venv = small.vec_env(4)
    venv.reset(seed=1)
    data = venv.to_bytes()
    batch = venv.load_bytes(data)
    assert batch is venv.batch
    draws = np.random.default_rng(0)
    for _ in range(200):
        bad = bytearray(data)
        bad[draws.integers(len(bad))] ^= 1 << int(draws.integers(8))
        with pytest.raises(playmat.Error):
            venv.load_bytes(bad)
    for end in range(0, len(data), 17):
        with pytest.raises(playmat.Error):
            venv.load_bytes(data[:end])
    with pytest.raises(playmat.Error):
        small.vec_env(5).load_bytes(data)
    assert venv.to_bytes() == data


def test_conf_n10b_many_threads_wait_for_each_other(small: playmat.Game) -> None:
    venv = small.vec_env(64, threads=2)
    venv.reset(seed=1)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                venv._loop(2)
                venv.observe(0)
                venv.episode(3)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    twin = small.vec_env(64)
    twin.reset(seed=1)
    for _ in range(400):
        twin.step(twin.sample_actions())
    assert venv.to_bytes() == twin.to_bytes()


@pytest.mark.parametrize("name", ["graft", "kuhn_poker"])
def test_a_rollout_writes_the_same_whichever_arrays_it_gets(name: str) -> None:
    game = playmat.Game(name)
    names = list(game.vec_env(1).rollout_arrays(1))

    def play(given: list[str]) -> tuple[dict[str, Any], bytes]:
        with game.vec_env(130) as venv:
            venv.reset(seed=6)
            arrays = venv.rollout_arrays(12, given)
            venv.rollout("random", 12, out=arrays)
            return arrays, venv.to_bytes()

    whole, state = play(names)
    for one in names:
        for given in ([one], [other for other in names if other != one]):
            arrays, own = play(given)
            assert own == state, given
            assert all(np.array_equal(arrays[key], whole[key]) for key in given), given
