"""`playmat.pettingzoo`: PettingZoo's own suite, and play side by side with the engine."""

from __future__ import annotations

import contextlib
import doctest
import functools
import io
import pickle
import runpy
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import playmat

pytest.importorskip("pettingzoo")

from adapters import FEW, ROOT, blocks, episodes

with warnings.catch_warnings():
    # PettingZoo's tests import one of its games in a way that it warns of.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
        test_save_obs as save_obs_test,
    )
    from pettingzoo.test.state_test import state_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import playmat.pettingzoo as pz

#: Most decisions of an episode that is so short that PettingZoo's suite is run with every number of
#: players.
SHORT = 50


def players_of(name: str) -> list[int]:
    """All numbers of players of a short game; the default, the smallest and the largest of others."""
    game = playmat.Game(name)
    least, most = game.player_range
    is_short = game.info()["max_decisions"] <= SHORT
    return list(range(least, most + 1)) if is_short else sorted({least, game.num_players, most})


#: Every game with its numbers of players.
ALL = [(name, players) for name in playmat.games() for players in players_of(name)]

#: `api_test` warns of every observation that is a dict unless the environment bears the name of one
#: of PettingZoo's own classic games.
OF_DICTS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}


@contextlib.contextmanager
def warned(allowed: set[str]) -> Iterator[None]:
    """Shows nothing, and fails after other warnings than those allowed."""
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("always")
        yield
    assert {str(warning.message) for warning in caught} <= allowed


# --- K1, K2: PettingZoo's own suite ---


@pytest.mark.parametrize(("name", "players"), ALL)
@pytest.mark.parametrize("place", ["observation", "info"])
def test_conf_k1_own_suite_passes(name: str, players: int, place: str) -> None:
    env = functools.partial(pz.env, name, players=players, action_mask=place)
    parallel = functools.partial(pz.parallel_env, name, players=players, action_mask=place)
    if place == "info":
        # `parallel_api_test` then chooses without a mask.
        parallel = functools.partial(parallel, illegal_action="random")
    with warned(OF_DICTS if place == "observation" else set()):
        api_test(env(), num_cycles=100)
    with warned(set()):
        parallel_api_test(parallel(), num_cycles=200)
        seed_test(env, num_cycles=100)
        parallel_seed_test(parallel, num_cycles=100)
        save_obs_test(env())
        state_test(env(), parallel())


@pytest.mark.parametrize(("name", "players"), FEW)
def test_conf_k6_renders_in_every_mode(name: str, players: int) -> None:
    with warned(set()):
        render_test(functools.partial(pz.env, name, players=players))


# Games that never end within the four cycles that the test plays.
@pytest.mark.parametrize("name", ["goofspiel", "graphia", "gravitix"])
def test_conf_k1_max_cycles(name: str) -> None:
    module = types.SimpleNamespace(
        env=functools.partial(pz.env, name, illegal_action="random"),
        parallel_env=functools.partial(pz.parallel_env, name, illegal_action="random"),
    )
    with warned(set()):
        if name == "gravitix":
            # Players of this game do not alternate: the median of their turns is another.
            cycles(module)
        else:
            max_cycles_test(module)


def cycles(module: Any) -> None:
    env = module.env(max_cycles=4)
    env.reset()
    while not any(env.truncations.values()):
        env.step(env.unwrapped._env.sample_action())
    assert env.unwrapped._env.decisions == 8 and not any(env.terminations.values())


# --- K4, R8: the engine, side by side ---


@pytest.mark.parametrize(("name", "players"), FEW)
@pytest.mark.parametrize("dtype", ["u8", "f32"])
def test_conf_k4_turns_are_those_of_the_engine(name: str, players: int, dtype: str) -> None:
    env = pz.env(name, players=players, dtype=dtype)
    game = playmat.Game(name, players=players)
    seen = 0
    for seed in range(episodes(name, players) if dtype == "u8" else 2):
        engine = game.env(seed)
        env.reset(seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        received = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            received[agent] += reward
            assert info == {} and (termination or truncation) == engine.done
            for other, player in zip(env.possible_agents, range(players), strict=True):
                compare(env.observe(other), engine, player, dtype)
                seen += 1
            if termination or truncation:
                assert (termination, truncation) == (engine.terminated, engine.truncated)
                env.step(None)
                continue
            assert agent == f"player_{engine.current_player}"
            assert observation["action_mask"].any()
            action = engine.sample_action()
            engine.step(action)
            env.step(np.int64(action))
            for other, amount in env.rewards.items():
                paid[other] += amount
        assert engine.done and not env.agents
        assert list(paid.values()) == list(received.values()) == engine.returns.tolist()
    assert seen > 0


def compare(observation: Any, engine: playmat.Env, player: int, dtype: Any) -> None:
    """An observation's bytes and mask are those of the engine."""
    assert observation["observation"].tobytes() == engine.observation(player, dtype=dtype).tobytes()
    mask = observation["action_mask"]
    assert mask.dtype == np.int8
    assert mask[: engine.game.num_actions].tobytes() == engine.action_mask(player).tobytes()


@pytest.mark.parametrize(("name", "players"), FEW)
def test_conf_k4_parallel_steps_are_those_of_the_engine(name: str, players: int) -> None:
    env = pz.parallel_env(name, players=players)
    game = playmat.Game(name, players=players)
    together = 0
    for seed in range(episodes(name, players)):
        engine = game.env(seed)
        observations, infos = env.reset(seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            acting = engine.acting_players
            together = max(together, len(acting))
            actions = {}
            for player, agent in enumerate(env.possible_agents):
                compare(observations[agent], engine, player, "u8")
                mask = observations[agent]["action_mask"]
                # The no-op is legal exactly for those who do not act, and is all that is then.
                assert bool(mask[env.noop]) == (player not in acting) and mask.any()
                actions[agent] = engine.sample_action(player) if player in acting else env.noop
            assert infos == {agent: {} for agent in env.possible_agents}
            # In the order that another view takes, one after the other.
            for player in reversed(acting):
                engine.step(actions[f"player_{player}"], player)
            observations, rewards, terminations, truncations, infos = env.step(actions)
            for agent, amount in rewards.items():
                paid[agent] += amount
            assert set(terminations.values()) == {engine.terminated}
            assert set(truncations.values()) == {engine.truncated}
        assert engine.done
        for player, agent in enumerate(env.possible_agents):
            compare(observations[agent], engine, player, "u8")
            assert not observations[agent]["action_mask"].any()
        assert list(paid.values()) == engine.returns.tolist()
    assert (together > 1) == (game.info()["simultaneous"] and players > 1)


def test_rewards_of_every_kind_add_up() -> None:
    for reward in ("outcome", "score", "score_delta"):
        env = pz.raw_env("goofspiel", players=3, reward=reward)
        env.reset(3)
        paid = dict.fromkeys(env.agents, 0.0)
        nonzero = 0
        while not any(env.terminations.values()):
            env.step(env._env.sample_action())
            nonzero += any(env.rewards.values())
            for agent, amount in env.rewards.items():
                paid[agent] += amount
        assert list(paid.values()) == env._env.returns.tolist()
        assert (nonzero > 1) == (reward == "score_delta")


# --- what wrappers of PettingZoo would do ---


def story(env: Any, choose: Callable[[int, Any], Any]) -> list[Any]:
    """Everything that happens in five episodes, errors included."""
    seen: list[Any] = []
    for seed in range(5):
        env.reset(seed=seed)
        for turn, agent in enumerate(env.agent_iter()):
            observation, *rest = env.last()
            action = choose(turn, observation["action_mask"])
            seen.append((agent, observation["observation"].tobytes(), *rest, action))
            over = env.terminations[agent] or env.truncations[agent]
            try:
                env.step(None if over else action)
            except AssertionError as error:
                seen.append(str(error))
                # The action was none; a good one follows.
                env.step(int(np.flatnonzero(observation["action_mask"])[0]))
            seen.append((dict(env.rewards), dict(env.terminations), dict(env.truncations)))
            seen.append((list(env.agents), dict(env._cumulative_rewards), env.agent_selection))
    return seen


@pytest.mark.parametrize(
    "name", ["connect_four", "goofspiel", "graft", "kuhn_poker", "tic_tac_toe"]
)
def test_env_behaves_as_raw_env_in_wrappers(name: str) -> None:
    wrapped: Any = pz.raw_env(name)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    wrapped = wrappers.OrderEnforcingWrapper(wrapped)
    size = playmat.Game(name).num_actions
    ends = set()
    for attempt in range(30):

        def choose(turn: int, mask: Any, attempt: int = attempt) -> Any:
            random = np.random.default_rng([attempt, turn])
            if random.random() < 0.05:
                return [None, -1, size, 1.0, "0"][random.integers(5)]
            if random.random() < 0.1:
                return np.int64(random.integers(size))
            return int(random.choice(np.flatnonzero(mask))) if mask.any() else None

        EnvLogger.mqueue.clear()
        expected = story(wrapped, choose)
        logged = list(EnvLogger.mqueue)
        EnvLogger.mqueue.clear()
        assert story(pz.env(name), choose) == expected
        assert logged == EnvLogger.mqueue
        ends |= {bool(logged), "action is not in action space" in expected}
    assert ends == {True, False}


ORDER = [
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "agent_selection",
    "num_agents",
    "agents",
]


def test_order_is_enforced() -> None:
    env = pz.env("graft", render_mode="ansi")
    for name in ORDER:
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    wrapped = wrappers.OrderEnforcingWrapper(pz.raw_env("graft", render_mode="ansi"))
    for call in ("last", "render", "state", "agent_iter", "step(0)", "observe('player_0')"):
        code = f"env.{call}" if call.endswith(")") else f"env.{call}()"
        with pytest.raises((AttributeError, AssertionError)) as expected:
            eval(code, {"env": wrapped})
        with pytest.raises(expected.type, match="before"):
            eval(code, {"env": env})
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        env.nothing  # noqa: B018
    env.reset()
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            pass
    assert len(list(env.agent_iter(0))) == 0
    while env.agents:
        over = env.terminations[env.agent_selection]
        env.step(None if over else env._env.sample_action())
    EnvLogger.mqueue.clear()
    env.step(None)
    assert len(EnvLogger.mqueue) == 1


def test_registered_names_make_the_same() -> None:
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    for name in playmat.games():
        game = playmat.Game(name)
        env = pettingzoo.make("aec", f"playmat/{name}-v{game.version}", players=game.num_players)
        assert type(env) is type(pz.env(name)) and env.game == game
        both = pettingzoo.make("parallel", f"playmat/{name}", render_mode="ansi")
        assert type(both) is type(pz.parallel_env(name)) and both.render_mode == "ansi"


# --- refusals ---


def test_raw_forms_refuse_and_stay_as_they_were() -> None:
    raw = pz.raw_env("connect_four")
    with pytest.raises(playmat.OrderError):
        raw.step(0)
    raw.reset(1)
    before = raw._env.to_bytes()
    for action in (7, -1, 2**40):
        with pytest.raises((playmat.IllegalAction, playmat.InvalidArgument)):
            raw.step(action)
    with pytest.raises(playmat.InvalidArgument):
        raw.step(None)
    assert raw._env.to_bytes() == before and raw.agent_selection == "player_0"
    for _ in range(6):
        raw.step(0)
    before = raw._env.to_bytes()
    with pytest.raises(playmat.IllegalAction):
        raw.step(0)
    assert raw._env.to_bytes() == before and not any(raw.terminations.values())

    both = pz.raw_parallel_env("goofspiel")
    with pytest.raises(playmat.EpisodeOver):
        both.step({})
    both.reset(1)
    before = both._env.to_bytes()
    for choices in ({"player_0": 1, "player_1": 13}, {"player_0": -1, "player_1": 1}):
        with pytest.raises(playmat.IllegalAction):
            both.step(choices)
    with pytest.raises(playmat.InvalidArgument):
        both.step({"player_0": 1})
    assert both._env.to_bytes() == before and len(both.agents) == 2


def test_illegal_actions_end_the_parallel_form_or_are_replaced() -> None:
    env = pz.parallel_env("goofspiel", players=3)
    env.reset(1)
    observations, rewards, terminations, truncations, _ = env.step(
        {"player_0": 1, "player_1": env.noop, "player_2": 99}
    )
    assert rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": -1.0}
    assert set(terminations.values()) == set(truncations.values()) == {True} and env.agents == []
    assert not any(o["action_mask"].any() for o in observations.values())

    env = pz.parallel_env("goofspiel", players=3, illegal_action="random")
    env.reset(1)
    env.step({"player_0": 1, "player_1": env.noop, "player_2": 99})
    assert env._env.decisions == 3 and env._env.history[0] == (0, 1)

    turns = pz.parallel_env("connect_four")
    turns.reset(1)
    # What players who do not act choose is ignored, and may be left out.
    turns.step({"player_0": 3, "player_1": 3})
    turns.step({"player_1": 3})
    assert turns._env.history == [(0, 3), (1, 3)]


def test_bad_arguments_are_named() -> None:
    for make in (pz.env, pz.raw_env, pz.parallel_env, pz.raw_parallel_env):
        for bad in (
            {"render_mode": "svg"},
            {"dtype": "f64"},
            {"action_mask": "obs"},
            {"illegal_action": "ignore"},
            {"viewer": 2},
            {"max_cycles": 0},
            {"max_cycles": "4"},
        ):
            with pytest.raises(
                playmat.InvalidArgument, match=f"argument `{next(iter(bad))}`: got "
            ):
                make("connect_four", **bad)
        with pytest.raises(playmat.UnknownGame):
            make("connect_five")
        with pytest.raises(playmat.InvalidOption):
            make("connect_four", players=3)
        with pytest.raises(playmat.InvalidArgument, match="argument `seed`"):
            make("connect_four").reset(seed=-1)


# --- seeds, rendering, pickles ---


def test_reset_without_a_seed_draws_new_episodes() -> None:
    env = pz.env("graft")
    starts = set()
    for _ in range(4):
        env.reset()
        starts.add(env._env.episode_seed)
    env = pz.env("graft")
    env.reset()
    starts.add(env._env.episode_seed)
    assert len(starts) == 5
    env.reset(seed=5)
    first = env.state().tobytes()
    env.reset()
    assert env.state().tobytes() != first
    env.reset(seed=5)
    assert env.state().tobytes() == first


def test_pictures_are_redacted_for_the_viewer(capsys: pytest.CaptureFixture[str]) -> None:
    game = playmat.Game("leduc_poker")
    for viewer in (None, 0, 1):
        env = pz.env(game, render_mode="ansi", viewer=viewer)
        env.reset(seed=4)
        assert env.render() == game.env(4).render("ansi", viewer)
        pixels = pz.env(game, render_mode="rgb_array", viewer=viewer)
        pixels.reset(seed=4)
        assert np.array_equal(pixels.render(), game.env(4).render("rgb_array", viewer))
    both = pz.parallel_env(game, render_mode="human", viewer=1)
    both.reset(seed=4)
    assert capsys.readouterr().out == game.env(4).render("ansi", 1) + "\n"
    both.step({"player_0": 1})
    assert capsys.readouterr().out != ""
    both.close()


def test_pickles_go_on_where_they_stood() -> None:
    for env in (pz.env("graft"), pz.raw_env("graft")):
        env.reset(seed=2)
        env.step(env._env.sample_action())
        copy = pickle.loads(pickle.dumps(env))
        while env.agents:
            over = env.terminations[env.agent_selection]
            action = None if over else env._env.sample_action()
            env.step(action)
            copy.step(action)
            assert copy.agents == env.agents and copy.rewards == env.rewards
            assert copy.state().tobytes() == env.state().tobytes()


# --- pages, examples ---


def test_docstring_runs() -> None:
    ran = doctest.testmod(pz)
    assert ran.attempted >= 3 and ran.failed == 0


def test_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("pettingzoo.md")
    assert len(code) >= 3
    for block in code:
        exec(compile(block, "docs/pettingzoo.md", "exec"), {"__name__": "page"})


def test_example_learns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / "pettingzoo_selfplay.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    monkeypatch.setattr(sys, "argv", [str(path), "--episodes", "3000"])
    runpy.run_path(str(path), run_name="__main__")
    # Random play earns nothing against random play.
    assert float(capsys.readouterr().out.split()[-1]) > 0.05
