"""Arrays of states: what they hold is what environments hold."""

from __future__ import annotations

import copy
import pickle
import time
from typing import Any

import numpy as np
import pytest

import playmat


def played(game: playmat.Game, count: int) -> list[playmat.Env]:
    """Environments some decisions into their episodes, which are not over."""
    envs = []
    for seed in range(count):
        env = game.env(seed=seed)
        for _ in range(seed % 4):
            after = env.clone(exact=True)
            after.step(after.sample_action())
            if not after.done:
                env = after
        envs.append(env)
    return envs


def position(env: playmat.Env) -> Any:
    return env.to_json()


def each(states: playmat.States) -> list[playmat.Env]:
    return [states[at] for at in range(len(states))]


@pytest.mark.parametrize("name", playmat.games())
def test_samples_and_clones_are_those_of_environments(name: str) -> None:
    game = playmat.Game(name)
    envs = played(game, 6)
    states = game.states(envs)
    assert len(states) == 6 and states.game is game
    assert states.current_player.tolist() == [env.current_player for env in envs]
    assert [position(env) for env in each(states)] == [position(env) for env in envs]
    # Options of games can be private, and then samples are for one player.
    samples = states.sample_hidden(1 % game.num_players, seed=40)
    clones = states.clone([7, 8, 9, 10, 11, 12])
    for at, env in enumerate(envs):
        wanted = env.sample_hidden(1 % game.num_players, 40 + at)
        assert position(samples[at]) == position(wanted)
        assert samples[at].game.options == wanted.game.options
        assert position(clones[at]) == position(env.clone(7 + at))
    venv = samples.game.vec_env(6)
    batch = venv.reset(states=samples)
    wanted_batch = samples.game.vec_env(6).reset(states=each(samples))
    for field in ("obs", "action_mask", "player", "episode_seed"):
        assert np.array_equal(getattr(batch, field), getattr(wanted_batch, field)), field


def test_each_state_has_its_own_player_and_seed() -> None:
    game = playmat.Game("goofspiel", players=3)
    envs = played(game, 5)
    states = game.states(envs)
    players, seeds = [2, 0, 1, 2, 0], np.array([5, 2**63, 0, 9, 9], np.uint64)
    samples = states.sample_hidden(players, seed=seeds)
    for at, env in enumerate(envs):
        wanted = env.sample_hidden(players[at], int(seeds[at]))
        assert position(samples[at]) == position(wanted)
    current = states.sample_hidden(seed=3)
    for at, env in enumerate(envs):
        assert position(current[at]) == position(env.sample_hidden(env.current_player, 3 + at))


def test_an_array_is_indexed_as_numpy_is() -> None:
    game = playmat.Game("leduc_poker")
    venv = game.vec_env(10)
    venv.reset(seed=3)
    states = venv.states()
    numbers = np.arange(10)
    all_of_them = [position(state) for state in each(states)]
    assert all_of_them == [position(venv.state(env)) for env in range(10)]
    truths = numbers % 3 == 0
    for index in (
        slice(2, 5),
        slice(None, None, -3),
        slice(20, 30),
        [3, 0, -1, 3],
        np.array([4, -2]),
        np.array([], np.int64),
        np.array([9], np.uint8),
        truths,
        truths.tolist(),
        np.stack([truths, ~truths], axis=1)[:, 0],
    ):
        picked = states[index]
        assert [position(state) for state in each(picked)] == [
            all_of_them[at] for at in numbers[index]
        ]
    for one in (np.int64(-1), np.array(-1), np.array(9, np.uint8)):
        assert position(states[one]) == all_of_them[9]
    repeated = states[:2].repeat(3)
    assert [position(state) for state in each(repeated)] == [
        all_of_them[at] for at in (0, 0, 0, 1, 1, 1)
    ]
    assert len(states.repeat(0)) == 0 and states.nbytes == 10 * (states.nbytes // 10) > 0
    assert repr(states) == "<playmat.States: 10 of leduc_poker>"


def test_arrays_are_joined_and_overwritten() -> None:
    game = playmat.Game("graft")
    envs = played(game, 6)
    states = game.states(envs)

    def saved(some: playmat.States) -> list[bytes]:
        return [env.to_bytes() for env in each(some)]

    everything = saved(states)
    joined = game.states([envs[5], states, envs[0], envs[1], states[:2]])
    assert saved(joined) == [
        everything[5],
        *everything,
        everything[0],
        everything[1],
        *everything[:2],
    ]
    assert saved(game.states(states)) == everything
    assert len(game.states([states[:0], states[:0]])) == 0
    places: list[Any] = [2, np.int64(-1), [4, 0, 4], slice(None, None, 2), np.arange(6) > 3]
    for index in places:
        wanted = np.arange(6)
        # Of a place that comes twice the last one counts, as in numpy.
        new = np.arange(6)[::-1][: np.size(wanted[index])]
        wanted[index] = new if np.ndim(wanted[index]) else new[0]
        assert saved(states.put(index, states[new])) == [everything[at] for at in wanted]
    assert saved(states) == everything, "an array never changes"


def test_a_tensor_is_an_index_as_an_array_is() -> None:
    torch = pytest.importorskip("torch")
    venv = playmat.Game("leduc_poker").vec_env(10)
    venv.reset(seed=3)
    states = venv.states()
    assert position(states[torch.tensor(4)]) == position(states[4])
    # Those of one element pass as numbers, but name a list of states.
    for index in (torch.tensor([4]), torch.tensor([4, -1]), torch.arange(10) == 4):
        picked = states[index]
        assert isinstance(picked, playmat.States)
        assert position(picked[0]) == position(states[4]) and len(picked) == len(
            states[index.numpy()]
        )
    one = venv.states()[:1]
    assert isinstance(one[torch.tensor([True])], playmat.States)
    for index, message in (
        (torch.tensor([[4]]), r"got an array of shape \(1, 1\); wanted one axis"),
        (np.array([[4]]), r"got an array of shape \(1, 1\); wanted one axis"),
        (torch.tensor(True), r"got truth values of shape \(\); wanted \(10,\)"),
        (np.array(True), r"got truth values of shape \(\); wanted \(10,\)"),
        (torch.tensor(1.5), "wanted a whole number, a slice"),
        (torch.tensor([1.5]), "wanted a whole number"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=message):
            states[index]


def test_a_batch_goes_back_to_its_states() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(8)
    first = np.array(venv.reset(seed=2).obs)
    for _ in range(5):
        venv.step(venv.sample_actions())
    states = venv.states()
    obs = np.array(venv.batch.obs)
    for _ in range(3):
        venv.step(venv.sample_actions())
    assert not np.array_equal(venv.batch.obs, obs)
    mask = np.arange(8) < 4
    moved = np.array(venv.batch.obs)
    shown = venv.reset(states=states, mask=mask)
    assert np.array_equal(shown.obs[:4], obs[:4]) and np.array_equal(shown.obs[4:], moved[4:])
    assert np.array_equal(venv.reset(states=states).obs, obs)
    assert not np.array_equal(obs, first)


def test_repeated_states_draw_the_same_chance_and_clones_do_not() -> None:
    game = playmat.Game("leduc_poker")

    def boards(states: playmat.States) -> set[str]:
        venv = game.vec_env(64)
        venv.reset(states=states)
        # Both players call, and a card is dealt.
        for _ in range(2):
            venv.step(np.ones(64, np.int64))
        return {venv.state(env).state_dict()["state"]["public"] for env in range(64)}

    one = game.states(game.env(seed=3)).repeat(64)
    assert len(boards(one)) == 1
    assert len(boards(one.clone(1))) > 1


def test_bad_arguments_are_refused() -> None:
    game = playmat.Game("leduc_poker")
    venv = game.vec_env(4)
    with pytest.raises(playmat.OrderError, match="nothing was reset yet"):
        venv.states()
    venv.reset(seed=1)
    states = venv.states()
    other = playmat.Game("kuhn_poker")
    cases: list[tuple[Any, str]] = [
        (lambda: states.clone([1, 2, 3]), r"argument `seed`: got 3 entries; wanted 4"),
        (lambda: states.clone(-1), "seed"),
        (lambda: states.clone([1, 2, 3, -1]), "got -1 for state 3; allowed: whole numbers"),
        (lambda: states.clone("abcd"), "wanted a number or 4 numbers"),
        (lambda: states.sample_hidden([0, 1], seed=1), "got 2 players; wanted 4, one per state"),
        (lambda: states.repeat(-1), "argument `repeats`: got -1; wanted 0 or more"),
        (lambda: states.repeat(2**62), r"argument `repeats`: got 4611686018427387904; that needs"),
        (lambda: states[[4]], "argument `index`: got 4; there are 4 states"),
        (lambda: states[np.ones(3, bool)], r"got truth values of shape \(3,\); wanted \(4,\)"),
        (lambda: states[[False] * 3], "got 3 truth values; wanted 4"),
        (lambda: states[[True, 2]], "got an object of type `bool`; wanted a whole number"),
        (lambda: states[1.5], "wanted a whole number, a slice"),
        (lambda: states["one"], "wanted a whole number, a slice"),
        (lambda: game.states([other.env(seed=1)]), "number 0 plays `kuhn_poker`; wanted"),
        (lambda: game.states([1]), "got an object of type `int`; wanted an Env, States, or a list"),
        (
            lambda: game.states([states, 1]),
            "got an object of type `int`; wanted an Env, States, or a list",
        ),
        (
            lambda: other.states([states]),
            "argument `envs`: they are of `leduc_poker`; wanted states of `kuhn_poker`",
        ),
        (lambda: states.put([0, 4], states[:2]), "argument `index`: got 4; there are 4 states"),
        (
            lambda: states.put([0], states),
            "argument `states`: got 4 states; wanted 1, one per index",
        ),
        (
            lambda: states.put(0, other.states(other.env(seed=1))),
            "they are of `kuhn_poker`; wanted states of",
        ),
        (lambda: states.put(0.5, states[:1]), "wanted a whole number, a slice"),
        (
            lambda: game.states(playmat.Game("leduc_poker", players=3).env(seed=1)),
            "number 0 plays `leduc_poker` with",
        ),
        (lambda: other.vec_env(4).reset(states=states), "they are of `leduc_poker`"),
        (lambda: venv.reset(states=states[:3]), "argument `states`: got 3 entries; wanted 4"),
        (lambda: venv.reset(1, states=states), "only without `seed`"),
    ]
    for call, message in cases:
        with pytest.raises(playmat.InvalidArgument, match=message):
            call()
    for place in (4, -5, 2**80):
        with pytest.raises(IndexError):
            states[place]
        with pytest.raises(IndexError):
            states.put(place, states[:1])
    with pytest.raises(playmat.InvalidPlayer):
        states.sample_hidden(2, seed=1)
    with pytest.raises(TypeError):
        states.sample_hidden(0)
    env = game.env(seed=1)
    while not env.done:
        env.step(env.sample_action())
    over = game.states([env, game.env(seed=2), env, env])
    assert over.current_player.tolist() == [-1, game.env(seed=2).current_player, -1, -1]
    with pytest.raises(playmat.InvalidArgument, match="no player acts in state 0: name one"):
        over.sample_hidden(seed=1)
    with pytest.raises(playmat.InvalidArgument, match="episode of environment 0 is over"):
        venv.reset(states=over)


def test_samples_where_options_are_private_are_for_one_player() -> None:
    game = playmat.Game("graven", open_decklists="hidden", decks="random")
    states = game.states(played(game, 2))
    samples = states.sample_hidden([1, 1], seed=1)
    assert samples.game.options != game.options
    with pytest.raises(playmat.InvalidArgument, match="options are private"):
        states.sample_hidden([0, 1], seed=1)


def test_states_are_faster_than_an_object_for_each() -> None:
    game = playmat.Game("leduc_poker")
    venv = game.vec_env(1024)
    venv.reset(seed=1)

    def by_array() -> None:
        venv.reset(states=venv.states().sample_hidden(seed=3))

    def by_objects() -> None:
        envs = [venv.state(env) for env in range(1024)]
        venv.reset(states=[env.sample_hidden(env.current_player, 3) for env in envs])

    def seconds(call: Any) -> float:
        times = []
        for _ in range(3):
            begun = time.process_time()
            call()
            times.append(time.process_time() - begun)
        return min(times)

    assert seconds(by_array) * 2 < seconds(by_objects)


@pytest.mark.parametrize("name", playmat.games())
def test_states_are_copied_and_pickled(name: str) -> None:
    game = playmat.Game(name)
    states = game.states(played(game, 6)).sample_hidden(0, seed=3)
    assert copy.copy(states) is states and copy.deepcopy([states])[0] is states
    again = pickle.loads(pickle.dumps(states))
    assert again.game == states.game and len(again) == 6
    assert [env.to_bytes() for env in each(again)] == [env.to_bytes() for env in each(states)]
    # What chance does next is in a state, and so is that it is a sample.
    nested = [s.sample_hidden(0, seed=5) for s in (states, again)]
    assert [position(env) for env in each(nested[0])] == [position(env) for env in each(nested[1])]
    assert len(pickle.loads(pickle.dumps(states[:0]))) == 0


def test_pickled_states_of_another_game_are_refused() -> None:
    """A pickle names its game; these bytes were put beside another one."""
    kuhn = playmat.Game("kuhn_poker")
    states = kuhn.states(kuhn.env(1))
    restore, (_, data) = states.__reduce__()
    with pytest.raises(playmat.WrongIdentity):
        restore(playmat.Game("leduc_poker"), data)
    with pytest.raises(playmat.Unreadable):
        restore(states.game, [data[0][:-1]])


def test_search_keys_are_numbers_of_64_bits() -> None:
    game = playmat.Game("leduc_poker")
    states = game.states(played(game, 6))
    keys = states.search_keys()
    assert keys.dtype == np.uint64 and keys.shape == (6,) and keys.all()
    # Determinizations for a player are one node of its tree.
    assert np.array_equal(states.sample_hidden(seed=3).search_keys(), keys)
    over = game.env(seed=1)
    while not over.done:
        over.step(over.sample_action())
    assert game.states(over).search_keys().tolist() == [0]
