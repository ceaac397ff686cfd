"""`playmat.Env`: one episode, its views, its steps, refusals, agents."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import playmat
from saved import position


def play_out(env: playmat.Env, spec: str = "random") -> None:
    while not env.done:
        env.step(env.game.agent(spec).act(env))


def test_loop_of_the_design(game: playmat.Game) -> None:
    env = game.env(seed=7)
    steps = 0
    total = np.zeros(game.num_players, np.float32)
    while not env.done:
        player = env.current_player
        assert player == env.acting_players[0]
        mask = env.action_mask()
        assert mask.dtype == np.bool_
        assert mask.shape == (game.num_actions,)
        assert env.legal_actions() == np.flatnonzero(mask).tolist()
        obs = env.observation()
        assert obs.dtype == np.uint8
        assert np.array_equal(obs, env.observation(player))
        for other in range(game.num_players):
            if other not in env.acting_players:
                assert not env.action_mask(other).any()
                assert env.legal_actions(other) == []
        assert env.step(env.sample_action()) is None
        total += env.rewards
        assert np.allclose(total, env.returns)
        steps += 1
    assert env.current_player == -1
    assert env.acting_players == []
    assert not env.action_mask().any()
    assert env.terminated
    assert not env.truncated
    assert env.decisions == steps == len(env.history)
    assert env.returns.dtype == np.float32
    assert env.scores.dtype == np.int32
    assert env.observation().shape == game.observation_shape
    assert env.validate() == []


def test_out_is_written_in_place_and_nowhere_else(game: playmat.Game) -> None:
    env = game.env(seed=1)
    size, actions = game.observation_shape[0], game.num_actions
    for dtype in (np.uint8, np.float32):
        memory = np.full(size + 32, 0xAA, dtype)
        out = memory[16:-16]
        assert env.observation(0, out) is out
        assert np.array_equal(out, env.observation(0, dtype="u8" if dtype is np.uint8 else "f32"))
        assert (memory[:16] == 0xAA).all()
        assert (memory[-16:] == 0xAA).all()
    for dtype in (np.bool_, np.uint8, np.int8):
        memory = np.ones(actions + 32, dtype)
        out = memory[16:-16]
        assert env.action_mask(None, out) is out
        assert np.array_equal(out.astype(bool), env.action_mask())
        assert memory[:16].all()
        assert memory[-16:].all()


def test_step_into_equals_three_calls(game: playmat.Game) -> None:
    one, two = game.env(seed=2), game.env(seed=2)
    obs = np.full(game.observation_shape, 0x55, np.uint8)
    mask = np.ones(game.num_actions, np.int8)
    done = False
    while not done:
        action = one.sample_action()
        done = one.step_into(action, obs, mask)
        two.step(action)
        assert done == two.done
        assert np.array_equal(obs, two.observation())
        assert np.array_equal(mask.astype(bool), two.action_mask())
    assert position(one) == position(two)


BAD_OUT = [
    (lambda n: np.zeros(n + 1, np.uint8), r"got shape \(\d+,\); wanted \(\d+,\)"),
    (lambda n: np.zeros((n, 1), np.uint8), r"got shape \(\d+, 1\); wanted \(\d+,\)"),
    (lambda n: np.zeros(n, np.int64), "got elements of type int64; wanted"),
    (lambda n: np.zeros(n, ">f4"), "got elements of type >f4; wanted"),
    (lambda n: np.zeros(2 * n, np.uint8)[::2], "not C-contiguous"),
    (lambda n: np.zeros(n, np.uint8)[::-1], "not C-contiguous"),
    (lambda n: np.broadcast_to(np.uint8(0), n), "not C-contiguous|read-only"),
    (lambda n: np.frombuffer(bytes(n), np.uint8), "read-only"),
    (lambda n: bytes(n), "read-only"),
    (lambda n: [0] * n, "wanted"),
    (lambda n: 3, "wanted"),
]


@pytest.mark.parametrize(("make", "message"), BAD_OUT)
def test_bad_out_is_refused(small: playmat.Game, make, message: str) -> None:
    env = small.env(seed=1)
    before = env.to_bytes()
    with pytest.raises(playmat.InvalidArgument, match=message) as caught:
        env.observation(0, make(small.observation_shape[0]))
    assert caught.value.argument == "out"
    with pytest.raises(playmat.InvalidArgument, match=message):
        env.action_mask(0, make(small.num_actions))
    good = np.zeros(small.observation_shape, np.uint8)
    with pytest.raises(playmat.InvalidArgument, match=message) as caught:
        env.step_into(0, good, make(small.num_actions))
    assert caught.value.argument == "mask"
    assert env.to_bytes() == before


def test_step_into_refuses_shared_memory(small: playmat.Game) -> None:
    env = small.env()
    memory = np.zeros(200, np.uint8)
    with pytest.raises(playmat.InvalidArgument, match="shares memory with `observation`"):
        env.step_into(0, memory[:126], memory[120:127])
    assert env.decisions == 0


def test_dtype_is_checked(small: playmat.Game) -> None:
    env = small.env()
    with pytest.raises(
        playmat.InvalidArgument, match="allowed: `u8` or `uint8`, `f32` or `float32`"
    ):
        env.observation(dtype="f64")
    with pytest.raises(playmat.InvalidArgument, match="only without `out`"):
        env.observation(0, np.zeros(126, np.uint8), dtype="u8")


def test_illegal_actions_are_refused_and_change_nothing(game: playmat.Game) -> None:
    env = game.env(seed=5)
    while not env.done:
        before = env.to_bytes()
        legal = env.legal_actions()
        for action in [-1, game.num_actions, 2**31, 2**63 - 1, 2**63, -(2**90)]:
            with pytest.raises(playmat.IllegalAction):
                env.step(action)
        illegal = [a for a in range(game.num_actions) if a not in legal]
        for action in illegal[:: max(1, len(illegal) // 5)]:
            with pytest.raises(playmat.IllegalAction) as caught:
                env.step(action)
            error = caught.value
            assert (error.action, error.player) == (action, env.current_player)
            assert error.legal == len(legal)
            assert error.example is not None
            assert error.example[0] in legal
            assert error.code == "illegal_action"
            assert isinstance(error, ValueError)
            assert str(action) in str(error)
        assert env.to_bytes() == before
        env.step(legal[-1])
    with pytest.raises(playmat.EpisodeOver, match="reset"):
        env.step(0)
    with pytest.raises(playmat.EpisodeOver):
        env.sample_action()


@pytest.mark.parametrize("action", ["0", None, 1.0, object(), np.float32(1), [[0]], {0: "x"}])
def test_actions_of_wrong_types(small: playmat.Game, action: object) -> None:
    env = small.env()
    with pytest.raises((playmat.InvalidArgument, TypeError)):
        env.step(action)
    assert env.decisions == 0


@pytest.mark.parametrize("action", [3, np.int64(3), np.int32(3), np.uint8(3), np.array(3)])
def test_actions_of_all_integer_types(small: playmat.Game, action: int) -> None:
    env = small.env()
    env.step(action)
    assert env.history == [(0, 3)]


@pytest.mark.parametrize("player", [-1, 2, 255, 256, 2**80, -(2**80)])
def test_unknown_players_are_refused(small: playmat.Game, player: int) -> None:
    env = small.env()
    calls = [
        lambda: env.observation(player),
        lambda: env.action_mask(player),
        lambda: env.legal_actions(player),
        lambda: env.step(0, player),
        lambda: env.sample_action(player),
        lambda: env.to_json(player),
        lambda: env.events(player),
        lambda: env.render("ansi", player),
        lambda: env.render("svg", player),
        lambda: env.sample_hidden(player, 0),
        lambda: env.action_text(0, player),
    ]
    for call in calls:
        with pytest.raises(playmat.InvalidPlayer, match="players 0 to 1"):
            call()
    with pytest.raises(playmat.NotActing) as caught:
        env.step(0, 1)
    assert str(caught.value) == "player 1 has nothing to decide now"
    assert vars(caught.value)["player"] == 1
    assert "acting" not in vars(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**64, "1", 1.5, True])
def test_bad_seeds(small: playmat.Game, seed: object) -> None:
    with pytest.raises((playmat.InvalidArgument, TypeError)):
        small.env(seed)


def test_seeds_and_episodes(game: playmat.Game) -> None:
    one, two = game.env(11), game.env(11)
    seeds = []
    for _ in range(3):
        seeds.append(one.episode_seed)
        assert one.to_bytes() == two.to_bytes()
        alone = game.env(one.episode_seed)
        assert alone.state_dict()["state"] == one.state_dict()["state"]
        play_out(one)
        play_out(two)
        assert one.to_bytes() == two.to_bytes()
        for player, action in one.history:
            alone.step(action, player)
        assert np.array_equal(alone.returns, one.returns)
        one.reset()
        two.reset()
    assert seeds[0] == 11
    assert len(set(seeds)) == 3
    one.reset(seed=11)
    assert one.to_bytes() == game.env(11).to_bytes()


def test_simultaneous_turns_in_any_order() -> None:
    game = playmat.Game("goofspiel")
    views = [game.env(3) for _ in range(5)]
    while not views[0].done:
        acting = views[0].acting_players
        choice = {p: int(views[0].sample_action(p)) for p in acting}
        listed = [choice.get(p) for p in range(game.num_players)]
        for p in acting:
            views[0].step(choice[p], p)
        for p in reversed(acting):
            views[1].step(choice[p], p)
        views[2].step(listed)
        views[3].step(choice)
        views[4].step(np.array([choice.get(p, -1) for p in range(game.num_players)]))
        assert len({position(view) for view in views}) == 1
    returns = [view.returns.tolist() for view in views]
    assert returns.count(returns[0]) == 5


def test_joint_step_is_a_transaction() -> None:
    env = playmat.Game("goofspiel").env(3)
    before = env.to_bytes()
    with pytest.raises(playmat.IllegalAction):
        env.step([0, 99])
    with pytest.raises(playmat.InvalidArgument, match="got no entry for player 1; every player"):
        env.step({0: 1})
    with pytest.raises(playmat.InvalidArgument, match="3 entries; wanted one per player, 2"):
        env.step([0, 1, 2])
    with pytest.raises(playmat.InvalidPlayer):
        env.step({0: 1, 2: 1})
    assert env.to_bytes() == before


@pytest.mark.parametrize("cut", [1, 2, 5])
def test_a_cut_shows_where_play_would_go_on(game: playmat.Game, cut: int) -> None:
    """What bootstraps must not look like an end by the rules; nothing can be played all the same."""
    short = playmat.Game(game.name, max_steps=cut)
    env, uncut = short.env(4), game.env(4)
    while not env.done:
        action = uncut.sample_action()
        env.step(action)
        uncut.step(action)
    if uncut.done:
        assert env.terminated
        return
    assert env.truncated
    for player in range(game.num_players):
        assert np.array_equal(env.observation(player), uncut.observation(player))
        assert not env.action_mask(player).any()
        assert env.legal_actions(player) == []
    if game.name in ("graphia", "gravitix"):
        phase = [
            game.observation_layout.split(env.observation(player))["phase"].any()
            for player in range(game.num_players)
        ]
        assert phase == [player in uncut.acting_players for player in range(game.num_players)]


def test_action_texts(game: playmat.Game) -> None:
    env = game.env(10)
    while not env.done:
        texts = [env.action_text(action) for action in env.legal_actions()]
        assert len(set(texts)) == len(texts)
        for action, text in zip(env.legal_actions(), texts, strict=True):
            assert env.parse_action(text) == action
            assert env.parse_action(text.upper()) == action
        env.step(env.sample_action())
    with pytest.raises(playmat.UnknownAction):
        env.parse_action("")


def test_an_environment_without_a_seed_draws_one_and_says_it(game: playmat.Game) -> None:
    env, other = game.env(), game.env()
    assert env.seed == env.episode_seed != other.seed
    again = game.env(env.seed)
    for _ in range(3):
        assert again.to_bytes() == env.to_bytes()
        assert again.seed == env.seed
        env.reset()
        again.reset()
    # A seed begins a stream, no seed goes on with it.
    env.reset(seed=5)
    env.reset()
    twin = game.env(5)
    twin.reset()
    assert (env.seed, env.to_bytes()) == (5, twin.to_bytes())


def test_pictures(game: playmat.Game) -> None:
    env = game.env(13)
    text = env.render()
    assert all(len(line) <= 100 for line in text.splitlines())
    svg = env.render("svg", 0)
    assert svg.startswith("<svg")
    pixels = env.render("rgb_array", 0, width=120)
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (120, 3)
    assert pixels.std() > 0
    with pytest.raises(playmat.InvalidArgument, match="allowed: `ansi`, `svg`, `rgb_array`"):
        env.render("human")
    with pytest.raises(playmat.InvalidArgument, match="width"):
        env.render("rgb_array", width=0)


def test_agents_choose_for_one_player_and_one_game(game: playmat.Game) -> None:
    agent = game.agent("greedy")
    assert (agent.name, agent.game) == ("greedy", game)
    assert repr(agent) == f'<playmat.Agent "greedy" for {game.name}>'
    assert isinstance(agent, playmat.Agent)
    loaded = pickle.loads(pickle.dumps(agent))
    env, twin = game.env(seed=3), game.env(seed=3)
    while not env.done:
        before = env.to_json()
        action = agent.act(env)
        assert env.to_json() == before and action in env.legal_actions()
        assert loaded.act(twin, twin.current_player) == action
        env.step(action)
        twin.step(action)
    assert env.to_bytes() == twin.to_bytes()
    with pytest.raises(playmat.EpisodeOver):
        agent.act(env)


def test_random_chooses_what_sample_action_does(small: playmat.Game) -> None:
    env, twin = small.env(seed=4), small.env(seed=4)
    agent, greedy = small.agent("random"), small.agent("greedy")
    for _ in range(50):
        greedy.act(env)
        assert agent.act(env) == twin.sample_action()


def test_bad_agents(small: playmat.Game) -> None:
    env, venv, agent = small.env(), small.vec_env(2), small.agent("greedy")
    idle = 1 - env.current_player
    other = playmat.Game("kuhn_poker").agent("random")
    three = playmat.Game("goofspiel", players=3)
    foreign: Any = 3
    refused: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (
            playmat.InvalidArgument,
            "`spec`: got `gredy` .did you mean `greedy`..; allowed: `random`, `greedy`",
            lambda: small.agent("gredy"),
        ),
        (
            playmat.InvalidArgument,
            "`spec`: got an object of type `int`; wanted the spec of an agent",
            lambda: small.agent(foreign),
        ),
        (
            playmat.InvalidArgument,
            "`env`: got an object of type `int`; wanted an Env",
            lambda: agent.act(foreign),
        ),
        (
            playmat.InvalidArgument,
            "`venv`: got an object of type `int`; wanted a VecEnv",
            lambda: agent.act_batch(foreign),
        ),
        (playmat.InvalidArgument, "`random` was made for `kuhn_poker`", lambda: other.act(env)),
        (
            playmat.InvalidArgument,
            "this environment has .*2",
            lambda: three.agent("random").act(playmat.Game("goofspiel", players=2).env()),
        ),
        (playmat.NotActing, "player", lambda: agent.act(env, idle)),
        (playmat.InvalidPlayer, "player 7", lambda: agent.act(env, 7)),
        (playmat.OrderError, "reset", lambda: agent.act_batch(venv)),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()
    venv.reset(seed=1)
    with pytest.raises(playmat.InvalidArgument, match="was made for"):
        other.act_batch(venv)
    with pytest.raises(playmat.InvalidArgument, match="was made for"):
        venv.rollout(other, 1)
