"""`playmat.VecEnv`: equal to single environments in every view, mode and type; refusals; memory."""

from __future__ import annotations

import gc
import pickle
import threading

import numpy as np
import pytest

import playmat

N = 16


def singles(batch: playmat.Batch, game: playmat.Game) -> list[playmat.Env]:
    """Single environments at the beginning of the batch's episodes."""
    return [game.env(int(seed)) for seed in batch.episode_seed]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", ["u8", "f32"])
def test_turn_view_equals_singles(game: playmat.Game, dtype: str, threads: int) -> None:
    with game.vec_env(N, threads=threads, dtype=dtype) as venv:
        batch = venv.reset(seed=3)
        assert batch is venv.batch
        envs = singles(batch, game)
        ended = 0
        for _ in range(120):
            for i, env in enumerate(envs):
                assert batch.player[i] == env.current_player
                assert np.array_equal(batch.obs[i], env.observation(dtype=dtype))
                assert np.array_equal(batch.action_mask[i], env.action_mask())
            actions = venv.sample_actions()
            assert actions.dtype == np.int64
            assert batch.action_mask[np.arange(N), actions].all()
            for env, action in zip(envs, actions, strict=True):
                env.step(int(action))
            batch = venv.step(actions)
            for i, env in enumerate(envs):
                assert np.array_equal(batch.reward[i], env.rewards)
                assert batch.terminated[i] == env.terminated
                assert batch.truncated[i] == env.truncated
                if env.done:
                    ended += 1
                    last = env.history[-1][0]
                    assert batch.final_player[i] == last
                    assert np.array_equal(batch.final_obs[i], env.observation(last, dtype=dtype))
                    assert not batch.final_mask[i].any()
                    assert np.array_equal(batch.episode_return[i], env.returns)
                    assert batch.episode_length[i] == env.decisions
                    assert batch.final_seed[i] == env.episode_seed
                    env.reset()
                    envs[i] = game.env(int(batch.episode_seed[i]))
        assert ended or game.info()["max_decisions"] > 120


def test_joint_view_equals_singles() -> None:
    game = playmat.Game("goofspiel")
    players = game.num_players
    venv = game.vec_env(N, view="joint")
    batch = venv.reset(seed=5)
    assert batch.obs.shape == (N, players, *game.observation_shape)
    assert batch.action_mask.shape == (N, players, game.num_actions)
    envs = singles(batch, game)
    for _ in range(60):
        for i, env in enumerate(envs):
            assert np.flatnonzero(batch.acting[i]).tolist() == env.acting_players
            for player in range(players):
                assert np.array_equal(batch.obs[i, player], env.observation(player))
                assert np.array_equal(batch.action_mask[i, player], env.action_mask(player))
        actions = venv.sample_actions()
        assert actions.shape == (N, players)
        for env, row in zip(envs, actions, strict=True):
            env.step(row)
        batch = venv.step(actions)
        for i, env in enumerate(envs):
            assert np.array_equal(batch.reward[i], env.rewards)
            assert batch.terminated[i] == env.done
            if env.done:
                envs[i] = game.env(int(batch.episode_seed[i]))


def test_results_do_not_depend_on_threads_and_batches(game: playmat.Game) -> None:
    trails = []
    for threads, out in ((1, False), (2, False), (3, True)):
        venv = game.vec_env(130, threads=threads)
        batch = venv.reset(seed=1)
        rows = []
        for _ in range(30):
            actions = venv.sample_actions()
            given = {"reward": np.zeros((130, game.num_players), np.float32)} if out else None
            batch = venv.step(actions, out=given)
            rows.append((actions.tobytes(), batch.obs.tobytes(), batch.reward.tobytes()))
        trails.append((rows, venv.to_bytes()))
        venv.close()
    assert trails[0] == trails[1] == trails[2]


def test_autoreset_modes_tell_the_same_story(small: playmat.Game) -> None:
    stories = []
    for mode in ("same_step", "next_step", "disabled"):
        venv = small.vec_env(4, autoreset=mode)
        batch = venv.reset(seed=2)
        story: list[list[tuple[int, float, int]]] = [[] for _ in range(4)]
        while min(map(len, story)) < 4:
            over = batch.player < 0
            before = batch.copy()
            if mode == "disabled" and over.any():
                with pytest.raises(playmat.EpisodeOver) as caught:
                    venv.step(np.zeros(4, np.int64))
                assert caught.value.envs == np.flatnonzero(over).tolist()
                batch = venv.reset(mask=over)
                assert (batch.player >= 0).all()
                unchanged = ~over
                assert np.array_equal(batch.obs[unchanged], before.obs[unchanged])
                assert not batch.reward.any()
                continue
            batch = venv.step(venv.sample_actions())
            if mode == "next_step":
                # The step after the end pays nothing and shows the next episode.
                assert not batch.reward[over].any()
                assert not batch.terminated[over].any()
                assert (batch.player[over] >= 0).all()
            for i in np.flatnonzero(batch.terminated | batch.truncated):
                seed, length = int(batch.final_seed[i]), int(batch.episode_length[i])
                story[i].append((seed, float(batch.episode_return[i, 0]), length))
        stories.append([rows[:4] for rows in story])
    assert stories[0] == stories[1] == stories[2]


def test_truncation_is_not_termination() -> None:
    game = playmat.Game("connect_four", max_steps=6)
    venv = game.vec_env(
        8, fields=["truncated", "terminated", "final_obs_all", "final_mask", "final_player"]
    )
    batch = venv.reset(seed=1)
    for _ in range(6):
        batch = venv.step(venv.sample_actions())
    assert batch.truncated.all()
    assert not batch.terminated.any()
    assert batch.final_obs_all.shape == (8, 2, *game.observation_shape)
    # Six discs each way round: the seat that decided last is not the one that would have come next.
    assert (batch.final_player == 1).all()
    assert not batch.final_mask.any()
    joint = playmat.Game("goofspiel", max_steps=6).vec_env(
        8, view="joint", fields=["truncated", "final_mask"]
    )
    joint.reset(seed=1)
    for _ in range(3):
        cut = joint.step(joint.sample_actions())
    assert cut.truncated.all()
    assert (cut.final_mask.sum(axis=2) == 10).all(), "three of thirteen cards are spent"
    assert batch.final_obs_all.any()
    assert batch.reward is None
    assert "reward" not in batch
    assert sorted(batch.keys()) == sorted(["obs", *list(batch.keys())[1:]])


def test_seat_view_against_bots() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(64, view="seat", learner="rotate", opponents={"random": 1, "greedy": 3})
    batch = venv.reset(seed=4)
    seats = set()
    ended = 0
    for _ in range(80):
        learner = batch.opponent < 0
        assert (learner.sum(axis=1) == 1).all()
        assert (batch.player == learner.argmax(axis=1)).all()
        seats |= set(batch.player.tolist())
        batch = venv.step(venv.sample_actions())
        ended += int((batch.terminated | batch.truncated).sum())
    assert seats == {0, 1}
    results = {row["name"]: row for row in venv.results()}
    assert set(results) == {"random", "greedy"}
    assert sum(row["episodes"] for row in results.values()) == ended
    for row in results.values():
        assert row["wins"] + row["draws"] + row["losses"] + row["truncated"] == row["episodes"]
    assert results["greedy"]["episodes"] > results["random"]["episodes"]
    venv.reset_results()
    assert all(row["episodes"] == 0 for row in venv.results())
    assert venv.add_opponent("random", 0.5) == 2
    venv.set_weights([1, 0, 0])
    with pytest.raises(playmat.InvalidArgument, match="not all 0"):
        venv.set_weights([0, 0, 0])
    with pytest.raises(playmat.InvalidArgument, match="there are 3 opponents"):
        venv.set_weights([1])


def test_seats_by_name() -> None:
    game = playmat.Game("graphia", players=3)
    venv = game.vec_env(4, seats=["learner", "greedy", "pool"], opponents=["random"])
    batch = venv.reset(seed=1)
    assert (batch.opponent == [-1, 1, 0]).all()
    assert (batch.player == 0).all()


def test_sampled_actions_stay_until_the_step_after_next(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    one = venv.sample_actions()
    kept = one.copy()
    venv.step(one)
    two = venv.sample_actions()
    assert two is not one
    assert np.array_equal(one, kept)
    venv.step(two)
    assert venv.sample_actions() is one


def test_sampling_twice_and_into_out(small: playmat.Game) -> None:
    venv, twin = small.vec_env(N), small.vec_env(N)
    venv.reset(seed=1)
    twin.reset(seed=1)
    out = np.zeros(N, np.int64)
    for _ in range(20):
        assert venv.sample_actions(out) is out
        assert np.array_equal(out, twin.sample_actions())
        venv.step(out)
        twin.step(out)
    with pytest.raises(playmat.InvalidArgument, match="wanted int64"):
        venv.sample_actions(np.zeros(N, np.int32))


def test_sampling_is_uniform(small: playmat.Game) -> None:
    venv = small.vec_env(7000)
    venv.reset(seed=1)
    counts = np.bincount(venv.sample_actions(), minlength=7)
    chi_square = float(((counts - 1000) ** 2 / 1000).sum())
    assert chi_square < 22.5, "six degrees of freedom, p = 0.001"


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)
def test_actions_of_all_integer_types(small: playmat.Game, dtype: type) -> None:
    venv, twin = small.vec_env(N), small.vec_env(N)
    venv.reset(seed=1)
    twin.reset(seed=1)
    actions = venv.sample_actions()
    assert twin.sample_actions().tolist() == actions.tolist()
    venv.step(actions.astype(dtype))
    twin.step(actions.tolist())
    assert venv.to_bytes() == twin.to_bytes()


BAD_ACTIONS = [
    (lambda a: a[:-1], r"got shape \(15,\); wanted \(16,\)"),
    (lambda a: a[:, None], r"got shape \(16, 1\); wanted \(16,\)"),
    (lambda a: a.astype(float), "got elements of type float64; wanted whole numbers"),
    (lambda a: a.astype(bool), "got elements of type bool; wanted whole numbers"),
    (lambda a: a.astype(">i8"), "wanted whole numbers"),
    (lambda a: np.repeat(a, 2)[::2], "not C-contiguous"),
    (lambda a: a.tolist()[:-1], "got 15 entries"),
    (lambda a: [*a.tolist()[:-1], "x"], "type `str`"),
    (lambda a: 3, "wanted whole numbers"),
    (lambda a: None, "wanted whole numbers"),
]


@pytest.mark.parametrize(("change", "told"), BAD_ACTIONS)
def test_bad_actions_are_refused(small: playmat.Game, change, told: str) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    before = venv.to_bytes()
    for step in (venv.step, venv.step_async):
        with pytest.raises(playmat.InvalidArgument, match=told) as caught:
            step(change(venv.sample_actions()))
        assert caught.value.argument == "actions"
    assert not venv.pending
    venv.reset(seed=1)
    assert venv.to_bytes() == before


def test_step_is_a_transaction(game: playmat.Game) -> None:
    for threads in (1, 2):
        venv = game.vec_env(200, threads=threads)
        venv.reset(seed=1)
        batch = venv.step(venv.sample_actions())
        actions = venv.sample_actions().copy()
        before, shown = venv.to_bytes(), batch.copy()
        bad = [3, 77, 199]
        actions[bad] = [game.num_actions, -1, 2**40]
        for _ in range(2):
            with pytest.raises(playmat.IllegalAction) as caught:
                venv.step(actions)
            rows = caught.value.rows
            assert [row.env for row in rows] == bad
            assert [row.action for row in rows] == [game.num_actions, -1, 2**40]
            assert [row.player for row in rows] == batch.player[bad].tolist()
            assert caught.value.count == 3
        assert all(np.array_equal(batch[name], shown[name]) for name in batch)
        assert venv.to_bytes() == before


def full_out(venv: playmat.VecEnv) -> dict[str, np.ndarray]:
    return {name: np.full_like(venv.batch[name], 1) for name in venv.batch}


def test_out_replaces_own_arrays(game: playmat.Game) -> None:
    venv, twin = game.vec_env(N), game.vec_env(N)
    out = full_out(twin)
    one, two = venv.reset(seed=1), twin.reset(seed=1, out=out)
    own = {name: twin.batch[name].copy() for name in twin.batch}
    for _ in range(40):
        for name in ("obs", "action_mask", "player", "reward", "terminated", "episode_seed"):
            assert two[name] is out[name]
            assert np.array_equal(one[name], two[name])
        ended = one.terminated | one.truncated
        for name in ("final_obs", "episode_return", "final_seed", "final_mask"):
            assert np.array_equal(one[name][ended], two[name][ended])
        actions = venv.sample_actions()
        one = venv.step(actions)
        two = twin.step(actions, out=out)
    for name, array in own.items():
        assert np.array_equal(array, twin.batch[name]), f"{name}: own array was written"


def test_out_neighbours_stay_untouched(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    storage = np.full((5, N, 126), 0xAA, np.uint8)
    masks = np.full((5, N, 7), 0x55, np.uint8)
    venv.step(venv.sample_actions(), out={"obs": storage[2], "action_mask": masks[2]})
    assert (storage[[0, 1, 3, 4]] == 0xAA).all()
    assert (masks[[0, 1, 3, 4]] == 0x55).all()
    assert storage[2].max() <= 1
    assert masks[2].max() <= 1


def shared(name: str, other: str):
    def make(venv: playmat.VecEnv) -> dict[str, np.ndarray]:
        memory = np.zeros(100_000, np.uint8)
        return {
            name: memory[: N * 126].reshape(N, 126),
            other: memory[64 : 64 + N * 7].reshape(N, 7),
        }

    return make


BAD_OUTS = [
    (
        lambda v: {"obs": np.zeros((N, 125), np.uint8)},
        r"`obs`: got shape \(16, 125\); wanted \(16, 126\)",
    ),
    (lambda v: {"obs": np.zeros((N + 1, 126), np.uint8)}, "`obs`: got shape"),
    (
        lambda v: {"obs": np.zeros((N, 126), np.float32)},
        "`obs`: got elements of type float32; wanted uint8",
    ),
    (
        lambda v: {"obs": np.zeros((N, 126), np.uint8, order="F")},
        "`obs`: the array is not C-contiguous",
    ),
    (
        lambda v: {"obs": np.zeros((N, 252), np.uint8)[:, ::2]},
        "`obs`: the array is not C-contiguous",
    ),
    (
        lambda v: {"obs": np.frombuffer(bytes(N * 126), np.uint8).reshape(N, 126)},
        "`obs`: the array is read-only",
    ),
    (lambda v: {"reward": np.zeros((N, 2), np.float64)}, "`reward`: got elements of type float64"),
    (
        lambda v: {"player": np.zeros(N, np.int64)},
        "`player`: got elements of type int64; wanted int32",
    ),
    (lambda v: {"episode_seed": np.zeros(N, np.int64)}, "wanted uint64"),
    (lambda v: {"terminated": np.zeros(N, np.float32)}, "wanted bool or uint8 or int8"),
    (
        lambda v: {"observation": np.zeros((N, 126), np.uint8)},
        "got a field `observation`; allowed: obs",
    ),
    (lambda v: {3: np.zeros(1)}, "wanted field names"),
    (lambda v: [np.zeros(1)], "wanted a mapping"),
    (lambda v: {"obs": [0]}, "`obs`: got elements of type `list`"),
    (shared("obs", "action_mask"), "`action_mask` shares memory with `obs`"),
    (lambda v: {"obs": v.batch.final_obs}, "`obs` shares memory with another field"),
]


@pytest.mark.parametrize(("make", "told"), BAD_OUTS)
def test_bad_out_is_refused(small: playmat.Game, make, told: str) -> None:
    venv = small.vec_env(N)
    shown = venv.reset(seed=1).copy()
    before = venv.to_bytes()
    actions = np.zeros(N, np.int64)
    calls = [
        lambda: venv.step(actions, out=make(venv)),
        lambda: venv.step_async(actions, out=make(venv)),
        lambda: venv.reset(seed=9, out=make(venv)),
    ]
    for call in calls:
        with pytest.raises(playmat.InvalidArgument, match=told) as caught:
            call()
        assert caught.value.argument == "out"
    assert venv.to_bytes() == before
    assert all(np.array_equal(venv.batch[name], shown[name]) for name in shown)


def test_out_may_not_be_the_actions(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    actions = np.zeros(N, np.int32)
    with pytest.raises(playmat.InvalidArgument, match="`player` shares memory with `actions`"):
        venv.step(actions, out={"player": actions})


def test_own_arrays_as_actions_and_out(small: playmat.Game) -> None:
    venv, twin = small.vec_env(N), small.vec_env(N)
    batch = venv.reset(seed=1)
    twin.reset(seed=1)
    batch.player[:] = np.arange(N) % 7
    wanted = batch.player.copy()
    batch = venv.step(batch.player, out={"reward": batch.reward})
    twin.step(wanted)
    assert venv.to_bytes() == twin.to_bytes()
    assert batch.reward is venv.batch.reward
    # What a user writes into the mask changes nothing that is played.
    venv.batch.action_mask[:] = False
    venv.step(venv.sample_actions())


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
        venv.step_async(venv.sample_actions())
        venv.close()
        venv.close()
        assert venv.closed
        for call in (lambda: venv.step(actions), lambda: venv.reset(), lambda: venv.state(0)):
            with pytest.raises(playmat.OrderError, match="closed"):
                call()


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


def test_bad_rollouts(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    before = venv.to_bytes()
    arrays = venv.rollout_arrays(4, ["obs", "reward"])
    assert list(arrays) == ["obs", "reward"]
    bad = [
        (lambda: venv.rollout("nobody", 4), "allowed: `random`, `greedy`"),
        (lambda: venv.rollout("random", 0), "at least 1 step"),
        (lambda: venv.rollout("random", 5, out=arrays), r"`obs`: got shape \(4, 16, 126\)"),
        (lambda: venv.rollout("random", 4, out={"value": arrays["reward"]}), "allowed: obs"),
        (lambda: venv.rollout("random", 1, out={"obs": venv.batch.obs[None]}), "shares memory"),
        (lambda: venv.rollout_arrays(4, ["value"]), "allowed: obs"),
    ]
    for call, told in bad:
        with pytest.raises(playmat.InvalidArgument, match=told):
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
    with pytest.raises(playmat.InvalidSeat):
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
    if any(env.done for env in states):
        pytest.skip("an episode is over after one decision")
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
        (lambda: venv.reset(seed=-1), "allowed: 0 to"),
        (lambda: venv.reset(seed=[1, 2]), "got 2 entries; wanted 4"),
        (lambda: venv.reset(seed=np.zeros((4, 1), np.uint64)), r"got shape \(4, 1\)"),
        (lambda: venv.reset(seed=[1, 2, 3, -4]), "allowed: 0 to"),
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
    for call, told in bad:
        with pytest.raises((playmat.Error, ValueError), match=told):
            call()
    assert venv.to_bytes() == before


def test_streams_are_hashed_not_added(game: playmat.Game) -> None:
    one = game.vec_env(4).reset(seed=7).episode_seed.tolist()
    two = game.vec_env(4).reset(seed=8).episode_seed.tolist()
    assert len({*one, *two}) == 8
    venv = game.vec_env(4)
    first = venv.reset(seed=7).episode_seed.tolist()
    second = venv.reset().episode_seed.tolist()
    assert first == one
    assert not set(first) & set(second)
    assert venv.reset(seed=7).episode_seed.tolist() == first


def test_bad_configurations(game: playmat.Game) -> None:
    players = game.num_players
    bad = [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": -1}, "num_envs"),
        ({"num_envs": 2**30}, "num_envs"),
        ({"num_envs": 1.5}, "num_envs"),
        ({"num_envs": "4"}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"threads": 100_000}, "threads"),
        ({"view": "side"}, "allowed: `turn`, `joint`, `seat`"),
        ({"dtype": "f16"}, "allowed: `u8`, `f32`"),
        ({"autoreset": "never"}, "allowed: `same_step`"),
        ({"learner": "me"}, "rotate"),
        ({"learner": players, "opponents": "random"}, "seat"),
        ({"learner": 0}, "opponents"),
        ({"learner": 0, "seats": ["learner"]}, "only without `learner`"),
        ({"seats": ["learner"] * (players + 1)}, "roles"),
        ({"seats": ["random"] * players}, "learners"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"opponents": {"random": -1}}, "weights"),
        ({"opponents": [("random", float("inf"))]}, "finite"),
        ({"opponents": 3}, "opponents"),
        ({"fields": ["observation"]}, "allowed: obs"),
    ]
    for options, told in bad:
        with pytest.raises(playmat.Error, match=told):
            game.vec_env(**{"num_envs": 2, **options})
    with pytest.raises(TypeError):
        game.vec_env(2, thread=2)


def test_too_large_is_a_memory_error() -> None:
    game = playmat.Game("graphia", players=8)
    # Five terabytes: refused before a single page is touched.
    with pytest.raises(MemoryError, match="bytes does not fit into memory"):
        game.vec_env(2**24, dtype="f32", fields=["final_obs_all", "obs", "final_obs"])


def test_pickle_continues_exactly(game: playmat.Game) -> None:
    venv = game.vec_env(N, threads=2, opponents=["random"], fields=["obs", "reward", "player"])
    fresh = pickle.loads(pickle.dumps(venv))
    assert fresh.reset(seed=3).obs.tobytes() == venv.reset(seed=3).obs.tobytes()
    for _ in range(7):
        venv.step(venv.sample_actions())
    twin = pickle.loads(pickle.dumps(venv))
    assert repr(twin) == repr(venv)
    assert np.array_equal(twin.batch.obs, venv.batch.obs)
    for _ in range(30):
        one, two = venv.step(venv.sample_actions()), twin.step(twin.sample_actions())
        assert all(np.array_equal(one[name], two[name]) for name in one)


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


def test_arrays_outlive_the_environment(small: playmat.Game) -> None:
    venv = small.vec_env(512)
    obs = venv.reset(seed=1).obs
    wanted = obs.copy()
    actions = venv.sample_actions()
    venv.close()
    del venv
    gc.collect()
    _ = [np.ones(1 << 16) for _ in range(50)]
    assert np.array_equal(obs, wanted)
    assert actions.max() < 7
    assert obs.ctypes.data % 64 == 0


def test_nothing_is_allocated_per_step(small: playmat.Game) -> None:
    venv = small.vec_env(N)
    batch = venv.reset(seed=1)
    pointers = {name: batch[name].ctypes.data for name in batch}
    for _ in range(10):
        again = venv.step(venv.sample_actions())
        assert again is batch
    assert {name: batch[name].ctypes.data for name in batch} == pointers


def test_batch_is_a_mapping(small: playmat.Game) -> None:
    batch = small.vec_env(2).reset(seed=1)
    assert dict(batch).keys() == set(batch.keys())
    assert len(batch) == len(batch.keys())
    assert "obs" in batch
    assert "final_obs_all" not in batch
    assert batch.final_obs_all is None
    with pytest.raises(KeyError):
        batch["final_obs_all"]
    kept = batch.copy()
    assert not np.shares_memory(kept.obs, batch.obs)
    assert "obs: uint8" in repr(batch)


def test_many_threads_take_turns(small: playmat.Game) -> None:
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
