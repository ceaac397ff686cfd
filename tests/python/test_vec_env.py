"""`playmat.VecEnv`: equal to single environments in every view, mode and type; actions; configurations."""

from __future__ import annotations

import pickle
import signal
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
                    assert not batch.final_acting[i].any()
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


def test_single_player_view_of_a_game_for_one_counts_its_episodes() -> None:
    game = playmat.Game("graphia", players=1, max_steps=3, reward="score")
    venv = game.vec_env(8, view="single", opponents="random")
    with pytest.raises(playmat.OrderError, match="reset"):
        venv.state(0)
    venv.reset(seed=1)
    total = 0.0
    for _ in range(30):
        batch = venv.step(venv.sample_actions())
        ended = batch.terminated | batch.truncated
        total += float(batch.episode_return[ended].sum())
    results = venv.results()
    assert results["episodes"] == results["truncated"] == 80
    assert results["return_sum"] == pytest.approx(total)
    assert results["opponents"][0]["episodes"] == 0
    again = game.vec_env(8, view="single", opponents="random")
    again.load_bytes(venv.to_bytes())
    assert again.results() == results
    turn = game.vec_env(8)
    turn.reset(seed=1)
    for _ in range(3):
        turn.step(turn.sample_actions())
    # Nothing is counted there: the error says what to do.
    with pytest.raises(playmat.InvalidArgument, match="make the batch with opponents") as refused:
        turn.results()
    assert refused.value.argument == "opponents"
    turn.reset_results()


def test_joint_view_of_a_game_for_one_has_the_axis_of_players() -> None:
    """Whoever writes for any number of players meets no other shapes when there is one."""
    game = playmat.Game("graphia", players=1, max_steps=3)
    size, actions = game.observation_shape[0], game.num_actions
    joint, turn = game.vec_env(4, view="joint"), game.vec_env(4)
    batch, alone = joint.reset(seed=5), turn.reset(seed=5)
    shapes = {"obs": size, "final_obs": size, "action_mask": actions, "final_mask": actions}
    for name, last in shapes.items():
        assert batch[name].shape == (4, 1, last), name
        assert alone[name].shape == (4, last), name
    assert batch.reward.shape == batch.acting.shape == (4, 1)
    ended = 0
    for _ in range(8):
        drawn = joint.sample_actions()
        assert drawn.shape == (4, 1)
        assert joint.sample_actions(np.zeros((4, 1), np.int64)).shape == (4, 1)
        chosen = turn.sample_actions().copy()
        batch, alone = joint.step(chosen[:, None]), turn.step(chosen)
        ended += int(alone.truncated.sum())
        for name in shapes:
            assert np.array_equal(batch[name][:, 0], alone[name])
    assert ended
    for wrong in (chosen, chosen[None]):
        with pytest.raises(playmat.InvalidArgument, match=r"wanted \(4, 1\)"):
            joint.step(wrong)
    joint.step(joint.sample_actions().tolist())
    with pytest.raises(playmat.InvalidArgument, match=r"`obs`: got shape"):
        joint.step(joint.sample_actions(), out={"obs": np.zeros((4, size), np.uint8)})
    arrays = joint.rollout_arrays(2)
    assert arrays["obs"].shape == (2, 4, 1, size)
    assert arrays["action_mask"].shape == (2, 4, 1, actions)
    assert arrays["action"].shape == (2, 4, 1)
    joint.rollout("random", 2, out=arrays)
    mask, action = arrays["action_mask"], arrays["action"]
    assert np.take_along_axis(mask, action[..., None], axis=-1).all()


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


#: With fewer players these games may end within four decisions.
LONGER = {"kuhn_poker": {"players": 5}, "leduc_poker": {"players": 5}}


@pytest.mark.parametrize(
    ("name", "view", "options"),
    [
        *((name, "turn", LONGER.get(name, {})) for name in playmat.games()),
        ("goofspiel", "joint", {}),
        ("graphia", "turn", {"players": 1}),
        ("rafts", "turn", {"players": 4}),
    ],
)
def test_truncation_is_not_termination(name: str, view: str, options: dict[str, int]) -> None:
    """Final rows are those of the player who would decide next, in a state where the game itself goes on."""
    fields = ["terminated", "truncated", "final_obs", "final_obs_all", "final_player"]
    fields += ["final_mask", "final_acting"]
    uncut = playmat.Game(name, **options)
    venv = playmat.Game(name, max_steps=4, **options).vec_env(8, view=view, fields=fields)
    batch = venv.reset(seed=1)
    assert set(batch.keys()) == set(fields)
    assert batch.reward is None
    twins = [uncut.env(venv.episode(i)["seed"]) for i in range(8)]
    players = range(uncut.num_players)
    while not batch.truncated.any():
        actions = venv.sample_actions()
        for env, action in zip(twins, actions.tolist(), strict=True):
            env.step(action)
        batch = venv.step(actions)
    assert batch.truncated.all()
    assert not batch.terminated.any()
    for i, env in enumerate(twins):
        assert not env.done
        assert env.decisions == 4
        # Observation, mask and player speak of one player: what a value of actions bootstraps with.
        player = batch.final_player[i]
        assert player == env.current_player
        everything = [env.observation(player) for player in players]
        assert np.array_equal(batch.final_obs_all[i], everything)
        masks = [env.action_mask(player) for player in players]
        assert np.flatnonzero(batch.final_acting[i]).tolist() == env.acting_players
        joint = view == "joint"
        assert np.array_equal(batch.final_obs[i], everything if joint else everything[player])
        assert np.array_equal(batch.final_mask[i], masks if joint else masks[player])
        assert batch.final_mask[i].any()


def test_single_player_view_against_agents() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(64, view="single", learner="rotate", opponents={"random": 1, "greedy": 3})
    batch = venv.reset(seed=4)
    players = set()
    ended = 0
    for _ in range(80):
        learner = batch.opponent < 0
        assert (learner.sum(axis=1) == 1).all()
        assert (batch.player == learner.argmax(axis=1)).all()
        assert (batch.learner == batch.player).all()
        players |= set(batch.player.tolist())
        played = batch.learner.copy()
        batch = venv.step(venv.sample_actions())
        assert np.array_equal(batch.learner_reward, batch.reward[np.arange(64), played])
        over = batch.terminated | batch.truncated
        assert np.array_equal(batch.final_player[over], played[over])
        ended += int((batch.terminated | batch.truncated).sum())
    assert players == {0, 1}
    assert venv.view == "single"
    total = venv.results()
    results = {row["name"]: row for row in total["opponents"]}
    assert set(results) == {"random", "greedy"}
    # Two players: an episode has one opponent.
    assert sum(row["episodes"] for row in results.values()) == ended == total["episodes"]
    for row in (total, *results.values()):
        assert row["wins"] + row["draws"] + row["losses"] + row["truncated"] == row["episodes"]
    assert results["greedy"]["episodes"] > results["random"]["episodes"]
    venv.reset_results()
    assert all(row["episodes"] == 0 for row in [venv.results(), *venv.results()["opponents"]])
    assert venv.add_opponent("random", 0.5) == 2
    venv.set_weights([1, 0, 0])
    with pytest.raises(playmat.InvalidArgument, match="not all 0"):
        venv.set_weights([0, 0, 0])
    with pytest.raises(playmat.InvalidArgument, match="there are 3 opponents"):
        venv.set_weights([1])


def test_roles_by_name() -> None:
    game = playmat.Game("graphia", players=3)
    venv = game.vec_env(4, roles=["learner", "greedy", "pool"], opponents=["random"])
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


@pytest.mark.parametrize(("change", "message"), BAD_ACTIONS)
def test_bad_actions_are_refused(small: playmat.Game, change, message: str) -> None:
    venv = small.vec_env(N)
    venv.reset(seed=1)
    before = venv.to_bytes()
    for step in (venv.step, venv.step_async):
        with pytest.raises(playmat.InvalidArgument, match=message) as caught:
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
        ({"view": "side"}, "allowed: `turn`, `joint`, `single`"),
        ({"dtype": "f16"}, "allowed: `u8` or `uint8`, `f32` or `float32`"),
        ({"autoreset": "never"}, "allowed: `same_step`"),
        ({"learner": "me"}, "rotate"),
        ({"learner": players, "opponents": "random"}, "player"),
        ({"learner": 0}, "opponents"),
        ({"learner": 0, "roles": ["learner"]}, "only without `learner`"),
        ({"roles": ["learner"] * (players + 1)}, "roles"),
        ({"roles": ["random"] * players}, "learners"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"opponents": {"random": -1}}, "weights"),
        ({"opponents": [("random", float("inf"))]}, "finite"),
        ({"opponents": 3}, "opponents"),
        ({"fields": ["observation"]}, "allowed: obs"),
    ]
    for options, message in bad:
        with pytest.raises(playmat.Error, match=message):
            game.vec_env(**{"num_envs": 2, **options})
    with pytest.raises(TypeError):
        game.vec_env(2, thread=2)


def test_the_learner_is_named_in_every_view_on_request() -> None:
    game = playmat.Game("goofspiel")
    fields = ["learner", "learner_reward", "reward", "terminated"]
    for options, learner in (
        ({"view": "joint"}, -1),
        ({"view": "turn"}, -1),
        ({"view": "turn", "learner": 1, "opponents": "greedy"}, 1),
        ({"view": "single", "learner": 1, "opponents": "greedy"}, 1),
    ):
        venv = game.vec_env(8, fields=fields, **options)
        batch = venv.reset(seed=1)
        wins = 0
        for _ in range(60):
            assert (batch.learner == learner).all()
            batch = venv.step(venv.sample_actions())
            paid = batch.reward[:, learner] if learner >= 0 else np.zeros(8)
            assert np.array_equal(batch.learner_reward, paid)
            wins += int((paid > 0).sum())
        assert wins > 0 or learner < 0
    # Own arrays, and None without a request.
    own = {"learner": np.zeros(8, np.int32), "learner_reward": np.zeros(8, np.float32)}
    venv = game.vec_env(8, view="single", learner="rotate", opponents="random")
    assert venv.reset(seed=1, out=own).learner is own["learner"]
    assert set(own["learner"].tolist()) == {0, 1}
    assert game.vec_env(8).batch.learner is None


def test_a_batch_without_a_seed_draws_one_and_says_it(game: playmat.Game) -> None:
    venv = game.vec_env(4)
    assert venv.seed is None
    first = venv.reset().episode_seed.tolist()
    seed = venv.seed
    assert isinstance(seed, int)
    assert game.vec_env(4).reset().episode_seed.tolist() != first
    second = venv.reset().episode_seed.tolist()
    assert second != first
    assert venv.seed == seed
    again = pickle.loads(pickle.dumps(venv))
    assert again.seed == seed
    assert again.reset(seed=seed).episode_seed.tolist() == first
    assert again.reset().episode_seed.tolist() == second
    # Without such a number, `seed` is None.
    assert venv.reset(seed=9).episode_seed.tolist() != first
    assert venv.seed == 9
    venv.reset(seed=[1, 2, 3, 4])
    assert venv.seed is None
    venv.reset(seed=9)
    venv.load_bytes(venv.to_bytes())
    assert venv.seed is None
    data = venv.to_bytes()
    venv.reset()
    assert venv.to_bytes() != data


def test_the_first_reset_with_a_mask_draws_a_seed_too() -> None:
    venv = playmat.Game("connect_four").vec_env(2)
    venv.reset(mask=[True, False])
    assert isinstance(venv.seed, int)


def test_a_refused_reset_draws_nothing() -> None:
    venv = playmat.Game("connect_four").vec_env(2)
    with pytest.raises(playmat.InvalidArgument):
        venv.reset(mask=[True])
    assert venv.seed is None
    venv.reset(seed=1)
    with pytest.raises(playmat.InvalidArgument):
        venv.reset(seed=2, mask=[True])
    assert venv.seed == 1


def test_an_interrupt_ends_a_rollout_early() -> None:
    """However slow the agent: a rollout is cut into pieces by the time that they take."""
    game = playmat.Game("graphia", players=2)
    venv = game.vec_env(1024)
    venv.reset(seed=1)
    steps = 20_000
    rows = np.full((steps, 1024), -2, np.int8).view(bool)
    # A shell that starts the tests in the background has them ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            venv.rollout("greedy", steps, out={"terminated": rows})
    finally:
        signal.signal(signal.SIGINT, before)
    timer.join()
    played = int(np.argmax(rows.view(np.int8)[:, 0] == -2))
    assert 0 < played < 1024, "as many as were one piece when all pieces were of one size"
    venv.step(venv.sample_actions())


def test_conf_s4_batches_with_first_env_play_the_parts_of_one_batch():
    game = playmat.Game("leduc_poker")
    roles = {"learner": "rotate", "opponents": "random"}
    for arguments in ({}, roles):
        whole = game.vec_env(5, **arguments)
        parts = [game.vec_env(2, **arguments), game.vec_env(3, first_env=2, **arguments)]
        for venv in (whole, *parts):
            venv.reset(seed=7)
        for _ in range(40):
            actions = whole.sample_actions()
            drawn = np.concatenate([part.sample_actions() for part in parts])
            np.testing.assert_array_equal(drawn, actions)
            batch = whole.step(actions)
            found = [parts[0].step(actions[:2]), parts[1].step(actions[2:])]
            for name in ("obs", "player", "reward", "episode_seed", "terminated"):
                np.testing.assert_array_equal(
                    np.concatenate([part[name] for part in found]), batch[name]
                )
        again = pickle.loads(pickle.dumps(parts[1]))
        np.testing.assert_array_equal(again.sample_actions(), parts[1].sample_actions())
