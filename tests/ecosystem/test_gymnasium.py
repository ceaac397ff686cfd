"""playmat.gymnasium keeps Gymnasium's promises and changes nothing that the engine says."""

from __future__ import annotations

import doctest
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv

import playmat
import playmat.gymnasium
from adapters import EPISODES, OPPONENTS, blocks, difference, engine, example, flat, python
from playmat.gymnasium import Env, VectorEnv, env_id

IDS = [env_id(name) for name in playmat.games()]
MODES = {"NextStep": "next_step", "SameStep": "same_step", "Disabled": "disabled"}


@pytest.fixture(params=playmat.games())
def game(request: pytest.FixtureRequest) -> playmat.Game:
    return playmat.Game(request.param)


def over(state: playmat.Env, learner: int) -> tuple[bytes, float]:
    """What the engine's own episode says at its end: the last observation and the return."""
    return state.observation(learner, dtype="f32").tobytes(), float(state.returns[learner])


# The engine says the same, over many episodes of every game.


@pytest.mark.parametrize("mode", MODES)
def test_episodes_of_the_vector_env_are_those_of_the_engine(game: playmat.Game, mode: str) -> None:
    rows = 256
    ours = VectorEnv(game, rows, opponents=OPPONENTS, learner="rotate", autoreset_mode=mode)
    theirs = engine(game, rows, autoreset=MODES[mode])
    seeds = np.arange(7, 7 + rows)
    obs, info = ours.reset(seed=7)
    batch = theirs.reset(seed=seeds)
    totals, episodes, step = np.zeros(rows), 0, 0
    while episodes < EPISODES:
        assert obs.tobytes() == batch.obs.tobytes()
        assert info["action_mask"].tobytes() == batch.action_mask.tobytes()
        assert info["learner"].tolist() == batch.learner.tolist()
        row = step % rows
        state, learner = theirs.state(row), int(batch.learner[row])
        if not state.done:
            assert state.observation(learner, dtype="f32").tobytes() == obs[row].tobytes()
            assert (state.action_mask(learner) == info["action_mask"][row]).all()
        actions = theirs.sample_actions()
        obs, reward, terminated, truncated, info = ours.step(actions)
        batch = theirs.step(actions)
        assert (reward == batch.learner_reward).all()
        assert (terminated == batch.terminated).all()
        assert (truncated == batch.truncated).all()
        totals += reward
        ended = np.flatnonzero(terminated | truncated)
        wanted = batch.episode_return[ended, batch.final_player[ended]]
        np.testing.assert_allclose(totals[ended], wanted, atol=1e-4)
        for row in ended.tolist():
            if mode == "SameStep":
                last = info["final_obs"][row].tobytes()
                assert info["final_info"]["learner"][row] == batch.final_player[row]
            else:
                last = obs[row].tobytes()
                state = ours.venv.state(row)
                assert over(state, int(info["learner"][row])) == (last, wanted[ended == row][0])
            assert last == batch.final_obs[row].tobytes()
        totals[ended] = 0
        episodes += len(ended)
        if mode == "Disabled" and len(ended):
            mask = terminated | truncated
            obs, info = ours.reset(options={"reset_mask": mask})
            batch = theirs.reset(mask=mask)
        step += 1


def test_episodes_of_the_env_are_those_of_the_engine(game: playmat.Game) -> None:
    ours = Env(game, opponents=OPPONENTS, learner="rotate")
    theirs = engine(game, 1, autoreset="disabled")
    for episode in range(EPISODES):
        obs, info = ours.reset(seed=7 if episode == 0 else None)
        batch = theirs.reset([7] if episode == 0 else None)
        total, ended = 0.0, False
        while not ended:
            assert obs.tobytes() == batch.obs.tobytes()
            assert info["action_mask"].tobytes() == batch.action_mask.tobytes()
            action = theirs.sample_actions()
            obs, reward, terminated, truncated, info = ours.step(action[0])
            batch = theirs.step(action)
            total += reward
            assert reward == batch.learner_reward[0]
            assert [terminated, truncated] == [batch.terminated[0], batch.truncated[0]]
            ended = terminated or truncated
        last, wanted = over(ours.venv.state(0), info["learner"])
        assert obs.tobytes() == last
        assert abs(total - wanted) < 1e-4


def test_named_segments_are_the_flat_observation(game: playmat.Game) -> None:
    for dtype in ("f32", "u8"):
        named = VectorEnv(game, 8, observation="dict", dtype=dtype)
        plain = VectorEnv(game, 8, dtype=dtype)
        one, other = named.reset(seed=3), plain.reset(seed=3)
        space = named.single_observation_space
        for _ in range(20):
            assert list(space.keys()) == game.observation_layout.names
            assert flat(one[0]).tobytes() == other[0].tobytes()
            row = {name: part[0] for name, part in one[0].items()}
            assert space.contains(row)
            assert (
                spaces.flatten(space, row).astype(other[0].dtype).tobytes() == other[0][0].tobytes()
            )
            actions = plain.sample_actions()
            one, other = named.step(actions), plain.step(actions)


def test_bounds_are_those_of_the_layout(game: playmat.Game) -> None:
    small, large = (
        Env(game, dtype=dtype, observation=observation).observation_space
        for dtype, observation in (("u8", "flat"), ("f32", "flat"))
    )
    layout = game.observation_layout
    for segment in layout:
        at = slice(segment.offset, segment.offset + len(segment))
        low, high = max(segment.bias - segment.scale, 0), min(segment.bias + segment.scale, 255)
        assert set(small.low[at]) == {low}
        assert set(small.high[at]) == {high}
    assert (large.low == layout.to_f32(small.low)).all()
    assert (large.high == layout.to_f32(small.high)).all()
    assert large.low.min() >= -1
    assert large.high.max() <= 1
    assert (small.low.dtype, large.low.dtype) == (np.uint8, np.float32)


# Ids, options, seeds, masks.


def test_examples_of_the_docstrings_run() -> None:
    result = doctest.testmod(playmat.gymnasium)
    assert (result.failed, result.attempted) == (0, 7)


def test_every_game_has_an_id() -> None:
    assert len(set(IDS)) == len(playmat.games())
    assert {"playmat/Graft-v0", "playmat/ConnectFour-v0"} <= set(IDS)
    assert set(IDS) <= set(gymnasium.registry)


def test_ids_are_registered_by_import_and_by_module_name() -> None:
    code = (
        "import gymnasium\n"
        "assert 'playmat/Graft-v0' not in gymnasium.registry\n"
        "env = gymnasium.make('playmat.gymnasium:playmat/Graft-v0', opponents='greedy', players=4)\n"
        "assert env.unwrapped.game.num_players == 4\n"
        "import importlib, playmat.gymnasium\n"
        "importlib.reload(playmat.gymnasium)\n"
    )
    run = python(code)
    assert run.returncode == 0, run.stderr


def test_make_takes_options_of_the_game_and_of_the_view() -> None:
    env: Any = gymnasium.make("playmat/Graft-v0", opponents="greedy", players=3).unwrapped
    assert env.game == playmat.Game("graft", players=3)
    env.reset(seed=1)
    assert env.venv.batch.opponent.tolist() == [[-1, 0, 0]]
    assert env.venv.results()["opponents"][0]["name"] == "greedy"
    envs: Any = gymnasium.make_vec(
        "playmat/Graft-v0", 5, opponents={"random": 1, "greedy": 3}, autoreset_mode="SameStep"
    )
    assert isinstance(envs, VectorEnv)
    assert envs.num_envs == 5
    assert [one["weight"] for one in envs.venv.results()["opponents"]] == [1, 3]
    assert envs.spec.id == "playmat/Graft-v0"
    again = gymnasium.make_vec(envs.spec)
    assert difference(envs.reset(seed=2), again.reset(seed=2)) is None
    sync = gymnasium.make_vec("playmat/Graft-v0", 2, vectorization_mode="sync")
    assert isinstance(sync, SyncVectorEnv)
    limited = gymnasium.make("playmat/Rafts-v0", max_episode_steps=3)
    limited.reset(seed=1)
    ends = [limited.step(0)[3] for _ in range(3)]
    assert ends == [False, False, True]


def test_a_seeded_reset_is_the_deal_of_that_seed(game: playmat.Game) -> None:
    shown = 0
    for seed in [*range(20), 2**64 - 1]:
        env = Env(game)
        obs, _ = env.reset(seed=seed)
        deal = game.env(seed)
        if deal.current_player == 0:
            assert obs.tobytes() == deal.observation(0, dtype="f32").tobytes()
            shown += 1
        assert env.venv.batch.episode_seed[0] == seed
    assert shown
    envs = VectorEnv(game, 3)
    envs.reset(seed=np.int64(40))
    assert envs.venv.batch.episode_seed.tolist() == [40, 41, 42]
    envs.reset(seed=[9, 9, 2**63])
    assert envs.venv.batch.episode_seed.tolist() == [9, 9, 2**63]


def test_unseeded_resets_do_not_repeat() -> None:
    def seeds(env: Any, first: int | None, count: int) -> list[int]:
        env.reset(seed=first)
        drawn = [env.venv.batch.episode_seed.tolist()]
        for _ in range(count - 1):
            env.reset()
            drawn.append(env.venv.batch.episode_seed.tolist())
        return [seed for row in drawn for seed in row]

    for make in (lambda: Env("graft"), lambda: VectorEnv("graft", 4)):
        drawn = [seed for _ in range(5) for seed in seeds(make(), None, 40)]
        assert len(set(drawn)) == len(drawn)
        assert seeds(make(), 5, 10) == seeds(make(), 5, 10)
    env = Env("graft")
    env.np_random = np.random.default_rng(3)
    env.reset()
    drawn_first = np.random.default_rng(3).integers(2**64, dtype=np.uint64)
    assert env.venv.batch.episode_seed[0] == drawn_first
    envs = VectorEnv("graft", 3)
    envs.reset(seed=[None, 7, None])
    chosen = envs.venv.batch.episode_seed.tolist()
    assert chosen[1] == 7
    assert len(set(chosen)) == 3


def test_masks_work_with_the_samples_of_the_spaces() -> None:
    env = Env("graft")
    _, info = env.reset(seed=4)
    legal = set(env.venv.state(0).legal_actions(0))
    assert difference(info["action_mask"], env.action_masks()) is None
    env.action_space.seed(1)
    assert {int(env.action_space.sample(info["action_mask"])) for _ in range(300)} == legal
    assert {int(env.action_space.sample(mask=env.action_masks())) for _ in range(300)} == legal
    envs = VectorEnv("connect_four", 4)
    _, info = envs.reset(seed=4)
    envs.action_space.seed(1)
    for _ in range(60):
        actions = envs.action_space.sample(tuple(info["action_mask"]))
        *_, info = envs.step(actions)


def test_returned_arrays_are_never_written_again() -> None:
    envs = VectorEnv("connect_four", 8, autoreset_mode="SameStep", illegal="replace")
    obs, info = envs.reset(seed=1)
    kept = [(obs, 0, 0, 0, info)]
    copies = [pickle.dumps(kept[0])]
    for _ in range(40):
        kept.append(envs.step(envs.sample_actions()))
        copies.append(pickle.dumps(kept[-1]))
    for one, copy in zip(kept, copies, strict=True):
        assert difference(one[0], pickle.loads(copy)[0]) is None
        assert difference(one[4], pickle.loads(copy)[4]) is None
    # Whoever changes what was returned changes no mask of the environment.
    kept[-1][4]["action_mask"][:] = 0
    assert envs.action_masks().any(axis=1).all()


def test_rotation_gives_each_player_a_turn() -> None:
    env = Env("graft", learner="rotate", players=3)
    learners = [env.reset(seed=5 if episode == 0 else None)[1]["learner"] for episode in range(7)]
    assert learners == [0, 1, 2, 0, 1, 2, 0]
    envs = VectorEnv("graft", 4, learner="rotate", players=3)
    assert envs.reset(seed=1)[1]["learner"].tolist() == [0, 1, 2, 0]
    assert envs.reset()[1]["learner"].tolist() == [1, 2, 0, 1]


def test_a_state_goes_on() -> None:
    game = playmat.Game("graft")
    played = game.env(3)
    for _ in range(10):
        played.step(played.sample_action())
    while played.current_player != 0:
        played.step(played.sample_action())
    for state in (played, played.to_bytes()):
        env = Env(game)
        for seed in (None, 5):
            obs, info = env.reset(seed=seed, options={"state": state})
            assert obs.tobytes() == played.observation(0, dtype="f32").tobytes()
            assert np.flatnonzero(info["action_mask"]).tolist() == played.legal_actions(0)
        envs = VectorEnv(game, 2, autoreset_mode="Disabled")
        obs, _ = envs.reset(options={"states": [state, state]})
        assert obs[1].tobytes() == played.observation(0, dtype="f32").tobytes()
        envs.reset(seed=1)
        mask = np.array([False, True])
        after, _ = envs.reset(options={"states": [None, state], "reset_mask": mask})
        assert after[1].tobytes() == obs[1].tobytes()
        assert after[0].tobytes() != obs[0].tobytes()


def test_resets_from_a_state_repeat_only_with_a_seed() -> None:
    state = playmat.Game("graft").env(3).to_bytes()

    def play(env: Any, seed: int | None, options: dict[str, Any]) -> list[bytes]:
        """What a learner sees that always takes its first action, and in the next episode."""
        seen = [env.reset(seed=seed, options=options)[0].tobytes()]
        for _ in range(15):
            actions = env.action_masks().argmax(axis=-1)
            seen.append(env.step(actions)[0].tobytes())
        return [*seen, env.reset()[0].tobytes()]

    envs = VectorEnv("graft", 2)
    for env, options in (
        (Env("graft"), {"state": state}),
        (envs, {"states": [state, state]}),
    ):
        first, again, other = (play(env, seed, options) for seed in (5, 5, 6))
        assert first == again
        assert first[0] == other[0]
        assert first[1:] != other[1:]
        assert first[-1] != other[-1]
        fresh = [play(pickle.loads(pickle.dumps(env)), None, options) for _ in range(2)]
        assert fresh[0] == fresh[1], "a copy has the same np_random"
        drawn = [play(env, None, options) for _ in range(4)]
        assert len({b"".join(one) for one in drawn}) == 4
        assert len({one[-1] for one in drawn}) == 4
    rows = envs.reset(options={"states": [state, state]})[0]
    for _ in range(15):
        rows = envs.step(envs.action_masks().argmax(axis=1))[0]
    assert rows[0].tobytes() != rows[1].tobytes()


@pytest.mark.parametrize("mode", MODES)
def test_pickled_environments_go_on_alike(mode: str) -> None:
    for options in ({}, {"observation": "dict", "illegal": "penalty"}):
        envs = VectorEnv("leduc_poker", 5, autoreset_mode=mode, **options)
        envs.reset(seed=2)
        envs.step(envs.sample_actions())
        copy = pickle.loads(pickle.dumps(envs))
        for _ in range(1 if mode == "Disabled" else 30):
            mask = envs.action_masks()
            if not mask.any(axis=1).all() and mode == "Disabled":
                break
            actions = mask.argmax(axis=1)
            assert difference(envs.step(actions), copy.step(actions)) is None
    env = Env("graft")
    env.reset(seed=2)
    copy = pickle.loads(pickle.dumps(env))
    action = int(env.action_masks().argmax())
    assert difference(env.step(action), copy.step(action)) is None
    assert difference(env.reset(), copy.reset()) is None


def test_threads_change_nothing() -> None:
    one, two = VectorEnv("graft", 64), VectorEnv("graft", 64, threads=2)
    assert difference(one.reset(seed=1), two.reset(seed=1)) is None
    for _ in range(30):
        actions = one.sample_actions()
        assert difference(one.step(actions), two.step(actions)) is None


# Illegal actions.


def full_column() -> tuple[bytes, int]:
    """A position of Connect Four in which player 0 must not drop into column 0."""
    env = playmat.Game("connect_four").env(1)
    for action in (0, 0, 0, 0, 0, 0):
        env.step(action)
    assert env.legal_actions() == [1, 2, 3, 4, 5, 6]
    return env.to_bytes(), 0


def test_illegal_actions_raise_and_change_nothing() -> None:
    state, action = full_column()
    env = Env("connect_four")
    before, info = env.reset(options={"state": state})
    for wrong in (action, 7, -1, 2**70):
        with pytest.raises(
            playmat.IllegalAction, match="for player 0; 6 legal, for example"
        ) as error:
            env.step(wrong)
        assert error.value.legal == 6 and error.value.action == min(wrong, 2**63 - 1)
        assert env.action_masks().tolist() == info["action_mask"].tolist()
        assert env.venv.state(0).observation(0, dtype="f32").tobytes() == before.tobytes()
    assert "illegal_action" not in info
    envs = VectorEnv("connect_four", 2)
    envs.reset(options={"states": [state, state]})
    with pytest.raises(playmat.IllegalAction, match='or play on with illegal="replace"') as error:
        envs.step([1, action])
    assert error.value.rows[0][0] == 1


@pytest.mark.parametrize("illegal", ["replace", "penalty"])
def test_illegal_actions_are_replaced(illegal: Any) -> None:
    state, action = full_column()
    cost = 0.25 if illegal == "penalty" else 0.0
    env = Env("connect_four", illegal=illegal, penalty=0.25)
    env.reset(options={"state": state})
    _, reward, _, _, info = env.step(action)
    assert (reward, info["illegal_action"]) == (-cost, True)
    assert env.venv.state(0).decisions == 8
    _, reward, _, _, info = env.step(int(env.action_masks().argmax()))
    assert (reward, info["illegal_action"]) == (0, False)
    assert env.reset()[1]["illegal_action"] is False

    rows = 3000
    envs = VectorEnv("connect_four", rows, illegal=illegal, penalty=0.25, autoreset_mode="Disabled")
    first, _ = envs.reset(options={"states": [state] * rows})
    actions = np.where(np.arange(rows) % 3 == 0, 3, action)
    obs, reward, terminated, _, info = envs.step(actions)
    assert not terminated.any()
    assert (info["illegal_action"] == (actions == action)).all()
    assert (reward == np.where(actions == action, -cost, 0)).all()
    own = envs.game.observation_layout["own"]
    there = slice(own.offset, own.offset + len(own))
    drops = (obs[:, there] - first[:, there]).reshape(rows, *own.shape).sum(axis=1)
    assert (drops.sum(axis=1) == 1).all()
    assert (drops[actions == 3].argmax(axis=1) == 3).all()
    counts = drops[actions == action].sum(axis=0)
    # Uniform over the six legal columns: 2000 draws, chi-squared with five degrees of freedom.
    assert counts[0] == 0
    expected = counts.sum() / 6
    assert ((counts[1:] - expected) ** 2 / expected).sum() < 30
    for wrong in (7, -1):
        with pytest.raises(playmat.IllegalAction):
            envs.step(np.full(rows, wrong))


def test_final_info_has_the_replaced_action_of_the_last_step() -> None:
    envs = VectorEnv("tic_tac_toe", 64, illegal="penalty", autoreset_mode="SameStep", penalty=3)
    envs.reset(seed=1)
    rewards, replaced = [], 0
    for _ in range(60):
        _, reward, terminated, _, info = envs.step(np.zeros(64, int))
        assert not info["illegal_action"][terminated].any()
        if terminated.any():
            refused = info["final_info"]["illegal_action"]
            assert not refused[~terminated].any()
            assert (reward[terminated & refused] <= -2).all()
            assert (reward[terminated & ~refused] >= -1).all()
            replaced += int(refused.sum())
        rewards.append(reward)
    assert replaced > 50
    assert set(np.unique(rewards)) <= {-4.0, -3.0, -2.0, -1.0, 0.0, 1.0}


def test_actions_of_rows_that_are_over_are_not_illegal() -> None:
    envs = VectorEnv("tic_tac_toe", 64, illegal="penalty", autoreset_mode="NextStep")
    envs.reset(seed=1)
    ended, starts = np.zeros(64, bool), 0
    for _ in range(60):
        actions = np.where(ended, 8, envs.sample_actions())
        actions[0] = 0 if not ended[0] else 99
        _, reward, terminated, _, info = envs.step(actions)
        assert not info["illegal_action"][ended].any()
        assert (reward[ended] == 0).all()
        starts += int(ended.sum())
        ended = terminated
    assert starts > 100


# Pictures.


def test_pictures_show_what_the_learner_may_see() -> None:
    assert Env.metadata["render_modes"] == ["ansi", "rgb_array", "svg"]
    for mode in ("ansi", "svg"):
        env = Env("leduc_poker", render_mode=mode, learner=1)
        env.reset(seed=3)
        state = env.venv.state(0)
        assert env.render() == state.render(mode, viewer=1)
        assert env.render() != state.render(mode, viewer=0)
        assert env.render() != state.render(mode)
    env = Env("connect_four", render_mode="rgb_array")
    env.reset(seed=3)
    assert (env.render().dtype, env.render().ndim) == (np.uint8, 3)
    envs = VectorEnv("leduc_poker", 3, render_mode="ansi", learner="rotate")
    envs.reset(seed=3)
    texts = tuple(envs.venv.state(row).render("ansi", viewer=row % 2) for row in range(3))
    assert envs.render() == texts
    for silent in (Env("leduc_poker"), VectorEnv("leduc_poker", 2)):
        silent.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode"):
            assert silent.render() is None


# Bad input.


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"game": "chess"}, "chess"),
        ({"opponents": "strong"}, "strong"),
        ({"opponents": {}}, "opponents"),
        ({"opponents": {"random": -1}}, "weight"),
        ({"learner": 2}, "2"),
        ({"learner": "all"}, "all"),
        ({"observation": "image"}, "argument `observation`: got 'image'; allowed: `flat`, `dict`"),
        ({"dtype": "float64"}, "argument `dtype`: got 'float64'; allowed: `f32`, `u8`"),
        ({"illegal": "ignore"}, "allowed: `raise`, `replace`, `penalty`"),
        ({"penalty": -1}, "argument `penalty`: got -1; allowed: finite numbers from 0"),
        ({"penalty": float("nan")}, "nan"),
        ({"penalty": "much"}, "'much'"),
        ({"render_mode": "human"}, "allowed: `ansi`, `rgb_array`, `svg`"),
        ({"colour": "red"}, "colour"),
        ({"threads": 0}, "threads"),
        ({"game": playmat.Game("connect_four"), "max_steps": 3}, "max_steps"),
    ],
    ids=str,
)
def test_bad_options_are_named(options: dict[str, Any], text: str) -> None:
    for make in (Env, VectorEnv):
        with pytest.raises(playmat.Error) as error:
            make(**{"game": "connect_four", **options})
        assert text in str(error.value)


def test_bad_calls_are_named_and_change_nothing() -> None:
    with pytest.raises(
        playmat.InvalidArgument, match="allowed: `NextStep`, `SameStep`, `Disabled`"
    ):
        VectorEnv("connect_four", autoreset_mode="sometimes")
    with pytest.raises(playmat.InvalidArgument, match="num_envs"):
        VectorEnv("connect_four", 0)
    envs = VectorEnv("connect_four", 3, autoreset_mode="Disabled")
    with pytest.raises(playmat.OrderError):
        envs.step([0, 0, 0])
    envs.reset(seed=1)
    before = envs.venv.to_bytes()
    masks: list[Any] = [
        [True, False, True],
        np.array([1, 0, 1]),
        np.array([True, False]),
        np.zeros(3, bool),
    ]
    for mask in masks:
        with pytest.raises(playmat.InvalidArgument, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    for seed in (-1, 1.5, "1", [1, 2], [1, 2, -3], [1, 2, 3.5], 2**64):
        with pytest.raises(playmat.InvalidArgument, match="seed"):
            envs.reset(seed=seed)
    with pytest.raises(playmat.InvalidArgument, match="allowed: `reset_mask`, `states`"):
        envs.reset(options={"state": b""})
    with pytest.raises(playmat.Unreadable):
        envs.reset(options={"states": [b"", b"", b""]})
    saved = envs.game.env(1).to_bytes()
    for states in ([saved], saved, [saved, saved, None], [saved, saved, 5]):
        with pytest.raises(playmat.InvalidArgument, match="states"):
            envs.reset(options={"states": states})
    with pytest.raises(playmat.WrongIdentity):
        envs.reset(options={"states": [playmat.Game("graft").env(1).to_bytes()] * 3})
    with pytest.raises(playmat.WrongIdentity):
        envs.reset(options={"states": [playmat.Game("graft").env(1)] * 3})
    for seed in (-1, [1, 2], "123"):
        with pytest.raises(playmat.InvalidArgument, match="seed"):
            envs.reset(seed=seed, options={"states": [saved] * 3})
    for actions in ([0, 0], [0.5, 0, 0], np.zeros(3), None, "000"):
        with pytest.raises(playmat.InvalidArgument, match="actions"):
            envs.step(actions)
    assert envs.venv.to_bytes() == before
    while not (ended := envs.step(envs.sample_actions())[2]).any():
        pass
    with pytest.raises(playmat.EpisodeOver) as error:
        envs.step(envs.sample_actions())
    assert error.value.envs == np.flatnonzero(ended).tolist()

    env = Env("connect_four")
    with pytest.raises(playmat.OrderError):
        env.step(0)
    env.reset(seed=1)
    before = env.venv.to_bytes()
    state = env.np_random.bit_generator.state
    for seed in (-1, 1.5, "1", 2**64):
        with pytest.raises(playmat.InvalidArgument, match="seed"):
            env.reset(seed=seed)
        with pytest.raises(playmat.InvalidArgument, match="seed"):
            env.reset(seed=seed, options={"state": saved})
    with pytest.raises(playmat.InvalidArgument, match="allowed: `state`"):
        env.reset(options={"reset_mask": None})
    for action in (0.5, None, "a", np.zeros(1)):
        with pytest.raises(playmat.InvalidArgument, match="actions"):
            env.step(action)
    assert env.venv.to_bytes() == before
    assert env.np_random.bit_generator.state == state


def test_closing() -> None:
    envs = VectorEnv("connect_four", 2, threads=2)
    envs.reset(seed=1)
    envs.close()
    envs.close()
    assert envs.closed
    with pytest.raises(playmat.OrderError):
        envs.reset(seed=1)
    # Checkers of other libraries reset a single environment after closing it.
    env = Env("connect_four")
    env.close()
    env.reset(seed=1)


# The page and the example.


@pytest.mark.parametrize("number", range(len(blocks("gymnasium.md"))))
def test_blocks_of_the_page_run(number: int) -> None:
    code = blocks("gymnasium.md")[number]
    exec(compile(code, f"docs/gymnasium.md, block {number}", "exec"), {"__name__": "page"})


def test_example_learns() -> None:
    run = example("gymnasium_ppo.py", "8")
    assert run.returncode == 0, run.stderr
    returns = [float(found) for found in re.findall(r"return ([+-][\d.]+)", run.stdout)]
    assert len(returns) == 8 and sum(returns[-2:]) > sum(returns[:2]) + 0.4, returns
