"""What calls refuse: by the name of the argument, with what it got and what is allowed."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import playmat
from playmat.errors import invalid, one_of, wrong_identity

PACKAGE = Path(playmat.__file__).parent


@pytest.fixture
def venv(small: playmat.Game) -> playmat.VecEnv:
    venv = small.vec_env(4)
    venv.reset(seed=1)
    return venv


@pytest.fixture
def both() -> playmat.Env:
    """Two players who act at once."""
    env = playmat.Game("goofspiel").env(1)
    assert env.acting_players == [0, 1]
    return env


@pytest.mark.parametrize(
    "given",
    [
        lambda f: {"opponents": f},
        lambda f: {"opponents": [f]},
        lambda f: {"opponents": ("greedy", f)},
        lambda f: {"opponents": [("greedy", 1.0), (f, 1.0)]},
        lambda f: {"opponents": [["greedy", 1.0], [f, 1.0]]},
        lambda f: {"opponents": {"greedy": 1.0, f: 2.0}},
        lambda f: {"roles": ["learner", f], "opponents": "greedy"},
    ],
)
def test_functions_are_opponents_in_all_forms(given: Any) -> None:
    def lowest(obs: Any, mask: Any, player: Any) -> Any:
        return mask.argmax(1)

    game = playmat.Game("tic_tac_toe")
    arguments = given(lowest)
    venv = game.vec_env(2, learner=0 if next(iter(arguments)) == "opponents" else None, **arguments)
    venv.reset(seed=1)
    assert "lowest" in [opponent["name"] for opponent in venv.results()["opponents"]]


def test_agents_are_opponents_as_their_specs_are() -> None:
    game = playmat.Game("connect_four")
    greedy, search = game.agent("greedy"), game.agent("mcts:2")

    def played(**arguments: Any) -> Any:
        venv = game.vec_env(8, view="single", **arguments)
        batch = venv.reset(seed=1)
        for _ in range(30):
            batch = venv.step(venv.sample_actions())
        again = pickle.loads(pickle.dumps(venv))
        assert again.results() == venv.results()
        return batch.obs.tolist(), venv.results()

    for agents, specs in (
        (search, "mcts:2"),
        ([greedy, "mcts:2"], ["greedy", "mcts:2"]),
        (iter([(greedy, 3.0), [search, 1]]), [("greedy", 3.0), ("mcts:2", 1.0)]),
        ({greedy: 1.0, "mcts:2": 2.0}, {"greedy": 1.0, "mcts:2": 2.0}),
        ({"mcts:2": 2.0, search: 1.0}, [("mcts:2", 2.0), ("mcts:2", 1.0)]),
    ):
        given: Any = agents
        assert played(opponents=given) == played(opponents=specs)
    roles = [["learner", agent] for agent in (search, "mcts:2")]
    assert played(roles=roles[0]) == played(roles=roles[1])
    with pytest.raises(playmat.InvalidArgument) as caught:
        playmat.Game("tic_tac_toe").vec_env(2, learner=0, opponents=[greedy])
    assert str(caught.value) == (
        "argument `opponents`: `greedy` was made for playmat.Game('connect_four'); "
        "this environment plays playmat.Game('tic_tac_toe')"
    )
    bad: Any
    for bad, message in (
        ({3: 1.0}, "got a key of type `int`; wanted agents, their specs or functions as keys"),
        ([object()], "got an object of type `object`; wanted agents, their specs or functions"),
        ({greedy: "much"}, "got `much` as the weight of `greedy`; wanted a number"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=message):
            game.vec_env(2, learner=0, opponents=bad)


def test_what_does_not_fit_into_memory_is_no_panic(venv: playmat.VecEnv) -> None:
    for steps in (2**50, 2**60, 2**63 - 1):
        with pytest.raises(MemoryError, match=r"an array of shape \(\d+, 4.* does not fit"):
            venv.rollout_arrays(steps)
    # All of it still works.
    assert venv.rollout_arrays(2)["obs"].shape[:2] == (2, 4)
    venv.step(venv.sample_actions())


def odd(dtype: Any, *shape: int) -> Any:
    """A contiguous array whose elements begin at odd addresses."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    array = np.zeros(size + 1, np.uint8)[1:].view(dtype).reshape(shape)
    assert array.flags.c_contiguous
    assert not array.flags.aligned
    return array


WRONG: list[tuple[str, Callable[[playmat.Game, playmat.Env, playmat.VecEnv], Any], str]] = [
    ("name", lambda g, e, v: playmat.Game(3), "`int`; wanted a text"),
    ("name", lambda g, e, v: playmat.Game("gra\ud800phia"), "an unpaired surrogate; wanted a text"),
    ("data", lambda g, e, v: g.env_from_bytes("x"), "`str`; wanted bytes"),
    ("data", lambda g, e, v: v.load_bytes(3), "`int`; wanted bytes"),
    ("text", lambda g, e, v: g.env_from_json("\ud800"), "an unpaired surrogate"),
    ("weights", lambda g, e, v: v.set_weights(["a", 1]), "`str`; wanted a number"),
    ("weights", lambda g, e, v: v.set_weights(3), "`int`; wanted a list of numbers"),
    (
        "weight",
        lambda g, e, v: g.vec_env(2, view="single", opponents="random").add_opponent("greedy", "x"),
        "`str`",
    ),
    ("fields", lambda g, e, v: v.rollout_arrays(1, fields="obs"), "`str`; wanted a list of texts"),
    ("agents", lambda g, e, v: g.survey(1, agents=[3]), "`int`; wanted a text"),
    ("spin_us", lambda g, e, v: g.vec_env(2, spin_us=10**18), "allowed: 0 to 1000000"),
    ("spin_us", lambda g, e, v: g.vec_env(2, spin_us=-1), "allowed: 0 to 1000000"),
    ("first_env", lambda g, e, v: g.vec_env(2, first_env=2**32 + 1), "allowed: 0 to 4294967296"),
    ("first_env", lambda g, e, v: g.vec_env(2, first_env=-1), "allowed: 0 to 4294967296"),
    (
        "learner",
        lambda g, e, v: playmat.Game("tic_tac_toe", max_steps=1).vec_env(
            2, view="single", learner=1, opponents="random"
        ),
        "player 1 never decides with `max_steps` 1",
    ),
    ("seed", lambda g, e, v: g.env(seed=1.0), "`float`; allowed: whole numbers, 0 to"),
    ("seed", lambda g, e, v: g.env(seed=True), "`bool`; allowed: whole numbers, 0 to"),
    ("seed", lambda g, e, v: e.clone(seed="x"), "`str`; allowed"),
    ("exact", lambda g, e, v: e.clone(exact=1), "`int`; wanted True or False"),
    ("relative", lambda g, e, v: g.reward_scale(1, relative="no"), "`str`; wanted True or False"),
    ("greedy", lambda g, e, v: g.search("mcts:2", greedy=1), "`int`; wanted True or False"),
    ("keep", lambda g, e, v: g.search("mcts:2").start(e, keep=1), "`int`; wanted True or False"),
    (
        "temperature",
        lambda g, e, v: g.search("mcts:2").actions(temperature="x"),
        "`str`; wanted a number",
    ),
    ("dtype", lambda g, e, v: e.observation(dtype=3), "`int`; wanted a text"),
    ("dtype", lambda g, e, v: g.vec_env(4, dtype=3), "`int`; wanted a text"),
    ("view", lambda g, e, v: g.vec_env(4, view=3), "wanted a text"),
    ("autoreset", lambda g, e, v: g.vec_env(4, autoreset=1), "wanted a text"),
    ("mode", lambda g, e, v: e.render(3), "wanted a text"),
    ("width", lambda g, e, v: e.render("rgb_array", width=-1), "got -1; wanted 1 or more"),
    ("width", lambda g, e, v: e.render("rgb_array", width=0), "got 0; wanted 1 or more"),
    ("episodes", lambda g, e, v: g.reward_scale(0), "got 0; wanted 1 or more"),
    ("episodes", lambda g, e, v: g.reward_scale(-1), "got -1; wanted 1 or more"),
    ("width", lambda g, e, v: e.render("rgb_array", width=2**40), "1 to 16384"),
    (
        "width",
        lambda g, e, v: e.render("svg", width=100),
        "got 100 with mode `svg`; only `rgb_array`",
    ),
    ("width", lambda g, e, v: e.render(width=100), "got 100 with mode `ansi`; only `rgb_array`"),
    ("seed", lambda g, e, v: v.reset(seed="a"), "`str`; wanted a number or 4 numbers"),
    ("seed", lambda g, e, v: v.reset(seed=b"abcd"), "`bytes`; wanted a number or 4 numbers"),
    ("seed", lambda g, e, v: v.reset(seed=1.0), "`float`; wanted a number or 4 numbers"),
    ("actions", lambda g, e, v: v.step(odd(np.int64, 4)), "the array is not aligned"),
    ("out", lambda g, e, v: v.step([0] * 4, out={"reward": odd(np.float32, 4, 2)}), "not aligned"),
    ("env", lambda g, e, v: v.state(-1), "got -1; wanted 0 or more"),
    ("env", lambda g, e, v: v.episode(-1), "got -1; wanted 0 or more"),
    ("env", lambda g, e, v: v.state(9), "environments are 0 to 3"),
    ("steps", lambda g, e, v: v.rollout("random", -1), "got -1; wanted 1 or more"),
    ("steps", lambda g, e, v: v.rollout("random", 0), "got 0; wanted 1 or more"),
    ("steps", lambda g, e, v: v.rollout_arrays(-1), "got -1; wanted 1 or more"),
    ("steps", lambda g, e, v: v.rollout_arrays(0), "got 0; wanted 1 or more"),
    ("agent", lambda g, e, v: v.rollout("foo", 3), "got `foo`; allowed: `random`, `greedy`"),
    ("episodes", lambda g, e, v: g.digest(-1), "got -1; wanted 0 or more"),
    ("episodes", lambda g, e, v: g.survey(-1), "got -1; wanted 0 or more"),
    (
        "agents",
        lambda g, e, v: g.survey(1, agents=["foo"]),
        "got `foo`; allowed: `random`, `greedy`",
    ),
    ("agents", lambda g, e, v: g.survey(1, agents=["random"] * 9), "got 9 agents; the game has"),
    ("player", lambda g, e, v: e.observation("x"), "`str`; wanted a whole number"),
    ("player", lambda g, e, v: v.observe(True), "`bool`; wanted a whole number"),
    ("viewer", lambda g, e, v: e.to_json(1.5), "`float`; wanted a whole number"),
    ("spec", lambda g, e, v: g.agent(3), "wanted the spec of an agent"),
    ("spec", lambda g, e, v: g.agent("foo"), "got `foo`"),
    ("mask", lambda g, e, v: v.reset(mask=[True]), "got 1 entries; wanted 4"),
    (
        "roles",
        lambda g, e, v: g.vec_env(4, roles=["foo", "greedy"]),
        "got `foo`; allowed: `learner`",
    ),
    ("roles", lambda g, e, v: g.vec_env(4, roles=["random", "greedy"]), "got 0 learners"),
    ("opponents", lambda g, e, v: g.vec_env(4, learner=0, opponents=["foo"]), "got `foo`"),
    (
        "opponents",
        lambda g, e, v: g.vec_env(4, learner=0, opponents={"random": -1}),
        r"got \[-1.0\]; weights",
    ),
    ("text", lambda g, e, v: playmat.Replay(3), "wanted a text"),
    ("states", lambda g, e, v: v.reset(states=[e, None, e, e]), "got None for environment 1"),
    ("states", lambda g, e, v: v.reset(states=[e, e, 3, e]), "`int` for environment 2"),
]


@pytest.mark.parametrize(("name", "call", "message"), WRONG)
def test_refusals_name_the_argument(
    small: playmat.Game, venv: playmat.VecEnv, name: str, call: Callable[..., Any], message: str
) -> None:
    env = small.env(1)
    before = venv.to_bytes(), env.to_bytes()
    with pytest.raises(playmat.InvalidArgument, match=message) as caught:
        call(small, env, venv)
    assert caught.value.argument == name
    assert str(caught.value).startswith(f"argument `{name}`: ")
    assert (venv.to_bytes(), env.to_bytes()) == before


def test_what_python_refuses_has_attributes() -> None:
    with pytest.raises(playmat.InvalidArgument) as caught:
        raise invalid("seed", "got -1; allowed: 0 and above")
    assert str(caught.value) == "argument `seed`: got -1; allowed: 0 and above"
    assert (caught.value.argument, caught.value.reason) == ("seed", "got -1; allowed: 0 and above")
    one_of("mode", "ansi", (None, "ansi"))
    with pytest.raises(playmat.InvalidArgument) as caught:
        one_of("mode", "gif", (None, "ansi", 3))
    assert str(caught.value) == "argument `mode`: got 'gif'; allowed: None, `ansi`, 3"
    assert caught.value.argument == "mode"


def test_what_differs_has_attributes() -> None:
    with pytest.raises(playmat.WrongIdentity) as caught:
        raise wrong_identity("file `a`", "seed", 3, 4, "seed is `3`, here it is `4`")
    error = caught.value
    assert str(error) == "file `a` does not fit: seed is `3`, here it is `4`"
    assert (error.what, error.field, error.found, error.expected) == ("file `a`", "seed", "3", "4")


def made(source: str) -> list[int]:
    """Lines that make or raise an InvalidArgument without `invalid`."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Call, ast.Raise)):
            of = node.func if isinstance(node, ast.Call) else node.exc
            name = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
            if name == "InvalidArgument":
                lines.append(node.lineno)
    return lines


def test_python_makes_every_invalid_argument_with_its_attributes() -> None:
    assert made("raise InvalidArgument('a')") == made("x = playmat.InvalidArgument('a')") == [1]
    assert made("raise playmat.InvalidArgument") == [1]
    assert made("raise invalid('a', 'b')") == made("try: f()\nexcept InvalidArgument: raise") == []
    files = {str(path.relative_to(PACKAGE)): path for path in PACKAGE.rglob("*.py")}
    found = {name: lines for name, path in files.items() if (lines := made(path.read_text()))}
    assert list(found) == ["errors.py"], found
    assert len(found["errors.py"]) == 1


def test_weight_of_one_opponent(small: playmat.Game) -> None:
    venv = small.vec_env(2, learner=0, opponents="random")
    with pytest.raises(playmat.InvalidArgument, match="not negative") as caught:
        venv.add_opponent("greedy", -1)
    assert caught.value.argument == "weight"


def test_states_of_a_reset_are_named(small: playmat.Game, venv: playmat.VecEnv) -> None:
    env = small.env(1)
    before = venv.to_bytes()
    with pytest.raises(playmat.Unreadable, match=r"^states\[1\]: cannot read saved state: 1 bytes"):
        venv.reset(states=[env, b"a", env, env])
    with pytest.raises(playmat.Unreadable, match=r"^states\[3\]: "):
        venv.reset(states=[env, b"a", env, b"b"], mask=[True, False, True, True])
    other = playmat.Game("tic_tac_toe").env()
    with pytest.raises(playmat.WrongIdentity, match=r"^states\[2\]: .*`tic_tac_toe`"):
        venv.reset(states=[env, env, other, env])
    assert venv.to_bytes() == before
    venv.reset(states=[env, None, env, None], mask=[True, False, True, False])
    # But for the stream of later episodes, which is the row's own.
    assert venv.state(2).state_dict() == {**env.state_dict(), "root": mock.ANY}


def test_games_of_saves_are_named(small: playmat.Game) -> None:
    with pytest.raises(playmat.WrongIdentity) as caught:
        small.env_from_bytes(playmat.Game("tic_tac_toe").env().to_bytes())
    assert "of game `tic_tac_toe`, this game is `connect_four`" in str(caught.value)
    assert (caught.value.found, caught.value.expected) == ("tic_tac_toe", "connect_four")


def test_numbers_beyond_64_bits(small: playmat.Game, venv: playmat.VecEnv) -> None:
    env = small.env(1)
    for call in (lambda: env.step(2**70), lambda: venv.step([2**70, 0, 0, 0])):
        with pytest.raises(playmat.IllegalAction, match="action 9223372036854775807 or more"):
            call()
    with pytest.raises(playmat.IllegalAction, match="action -9223372036854775808 or less"):
        env.step(-(2**70))
    with pytest.raises(playmat.InvalidPlayer, match="9223372036854775807 or more"):
        env.observation(2**70)


@pytest.mark.parametrize("actions", [{0: 1}, {}, [1, None], (None, 1), {1: None, 0: 3}])
def test_missing_entries_of_joint_actions(both: playmat.Env, actions: Any) -> None:
    with pytest.raises(
        playmat.InvalidArgument, match=r"got no entry for player [01].*; every player"
    ):
        both.step(actions)
    with pytest.raises(playmat.InvalidArgument, match="got 1 entries; wanted one per player, 2"):
        both.step([1])
    assert both.decisions == 0
    both.step({0: 1, 1: 2})
    assert both.decisions == 2


def test_truth_values_are_no_actions(small: playmat.Game, both: playmat.Env) -> None:
    env = small.env(1)
    obs, mask = np.zeros(small.observation_shape, np.uint8), np.zeros(small.num_actions, np.uint8)
    for action in (True, False, np.True_):
        with pytest.raises(playmat.InvalidArgument, match="wanted a whole number"):
            env.step(action)
        with pytest.raises(playmat.InvalidArgument, match="wanted a whole number"):
            env.step(action, 0)
        with pytest.raises(playmat.InvalidArgument, match="wanted a whole number"):
            env.step_into(action, obs, mask)
        with pytest.raises(playmat.InvalidArgument, match="wanted a whole number"):
            env.stepper(obs, mask).step(action)
        with pytest.raises(playmat.InvalidArgument, match="wanted a whole number"):
            both.step([action, action])
    assert env.decisions == both.decisions == 0


def test_files_are_named(tmp_path: Path, small: playmat.Game) -> None:
    missing = tmp_path / "none.json"
    with pytest.raises(FileNotFoundError) as caught:
        playmat.Replay.load(missing)
    assert caught.value.filename == str(missing)
    with pytest.raises(OSError, match=r"none"):
        small.env().replay().save(missing / "deeper")
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(playmat.Unreadable, match=r"binary\.json"):
        playmat.Replay.load(binary)


def test_opponents_who_would_never_play(small: playmat.Game) -> None:
    for options in ({}, {"view": "joint"}, {"roles": ["learner", "learner"]}):
        with pytest.raises(
            playmat.InvalidArgument, match="the caller plays every player"
        ) as caught:
            small.vec_env(2, opponents=["greedy"], **options)
        assert caught.value.argument == "opponents"
    for options in ({}, {"roles": ["learner", "random"]}):
        venv = small.vec_env(2, **options)
        with pytest.raises(playmat.InvalidArgument, match="got `greedy`"):
            venv.add_opponent("greedy")
        if options:
            assert [opponent["name"] for opponent in venv.results()["opponents"]] == ["random"]
    for options in ({"view": "single"}, {"learner": 1}, {"roles": ["learner", "pool"]}):
        assert small.vec_env(2, opponents=["random"], **options).add_opponent("greedy") == 1
    small.vec_env(2, opponents=["greedy"], roles=[0, "learner"]).reset(seed=1)


def test_masks_of_all_byte_types(venv: playmat.VecEnv) -> None:
    """The types that the stub promises."""
    seeds = venv.batch.episode_seed.copy()
    for dtype in (np.bool_, np.uint8, np.int8):
        batch = venv.reset(mask=np.array([1, 0, 0, 1], dtype))
        assert ((batch.episode_seed != seeds) == [True, False, False, True]).all()
        seeds = batch.episode_seed.copy()
    with pytest.raises(playmat.InvalidArgument, match="wanted bool"):
        venv.reset(mask=np.ones(4, np.int16))
