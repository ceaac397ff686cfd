"""Agents that search."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import playmat
from conftest import Call
from playmat.agents import split_agents


def won(game: playmat.Game, specs: list[str], episodes: int) -> float:
    """Mean return of the first of two agents, who play each player in turn."""
    total = 0.0
    for episode in range(episodes):
        env = game.env(seed=episode // 2)
        agents = [game.agent(spec) for spec in (specs if episode % 2 else specs[::-1])]
        while not env.done:
            player = env.acting_players[0]
            env.step(agents[player].act(env, player), player)
        total += float(env.returns[0 if episode % 2 else 1])
    return total / episodes


@pytest.mark.parametrize(
    ("name", "better", "worse", "episodes", "share"),
    [
        ("connect_four", "mcts:100", "greedy", 60, 0.7),
        ("connect_four", "mcts:1000", "mcts:100", 20, 0.6),
        ("goofspiel", "mcts:100", "greedy", 100, 0.65),
        ("graft", "mcts:50", "greedy", 20, 0.7),
    ],
)
def test_search_is_as_strong_as_the_pages_say(
    name: str, better: str, worse: str, episodes: int, share: float
) -> None:
    """Shares far below those of docs/agents.md, so that only another way of searching fails."""
    game = playmat.Game(name, **({"players": 2} if name == "graft" else {}))
    assert (won(game, [better, worse], episodes) + 1) / 2 > share


@pytest.mark.parametrize("name", playmat.games())
def test_equal_seeds_search_alike(name: str) -> None:
    game = playmat.Game(name)
    agent = game.agent("mcts:8,threads=2")
    env, twin = game.env(seed=5), game.env(seed=5)
    for _ in range(6):
        if env.done:
            break
        player = env.acting_players[0]
        # A copy has the trees and the random stream of the original.
        before, copy = env.to_json(), env.clone(exact=True)
        action = agent.act(env, player)
        assert action in env.legal_actions(player)
        assert env.to_json() == before
        assert agent.act(copy, player) == action
        assert agent.act(twin, player) == action
        env.step(action, player)
        twin.step(action, player)


@pytest.mark.parametrize("name", playmat.games())
@pytest.mark.parametrize("options", ["", ",rollout=random,prior=uniform", ",threads=2"])
def test_statistics_tell_why_an_action_was_chosen(name: str, options: str) -> None:
    game = playmat.Game(name)
    agent, env = game.agent(f"mcts:20{options}"), game.env(seed=3)
    for _ in range(8):
        if env.done:
            break
        player = env.acting_players[0]
        legal = env.legal_actions(player)
        action = agent.act(env, player)
        found = agent.statistics(env, player)
        assert (found.player, found.action) == (player, action)
        assert found.simulations == (20 if len(legal) > 1 else 0)
        assert found.actions.tolist() == list(legal)
        assert found.visits.sum() == found.simulations + found.kept_visits
        assert found.visits[found.actions == action] == found.visits.max()
        np.testing.assert_allclose(found.prior.sum(), 1.0, rtol=1e-5)
        mean = (found.visits * found.mean_return).sum() / max(1, found.visits.sum())
        np.testing.assert_allclose(found.value, mean, rtol=1e-4, atol=1e-4)
        assert found.nodes > 0 or not found.simulations
        env.step(action, player)
        # The player's last decision, whoever acts now.
        np.testing.assert_array_equal(agent.statistics(env, player).visits, found.visits)


def test_statistics_of_a_batch_in_the_joint_view() -> None:
    game = playmat.Game("goofspiel")
    agent, venv = game.agent("mcts:30"), game.vec_env(3, view="joint")
    batch = venv.reset(seed=1)
    actions = agent.act_batch(venv)
    found = agent.statistics_batch(venv)
    assert found.visits.shape == found.prior.shape == found.mean_return.shape
    assert found.visits.shape == batch.action_mask.shape == (3, 2, game.num_actions)
    assert found.visits.dtype == found.simulations.dtype == np.int32
    assert found.prior.dtype == found.mean_return.dtype == found.value.dtype == np.float32
    assert found.simulations.tolist() == [[30, 30]] * 3 and found.value.shape == (3, 2)
    chosen = np.take_along_axis(found.visits, actions[:, :, None], 2)[:, :, 0]
    np.testing.assert_array_equal(chosen, found.visits.max(2))
    assert repr(found) == f"<playmat.BatchStatistics: visits of shape {found.visits.shape}>"


def test_statistics_of_a_batch_are_refused_where_there_are_none(small: playmat.Game) -> None:
    agent, venv = small.agent("mcts:30"), small.vec_env(2)
    with pytest.raises(playmat.OrderError):
        agent.statistics_batch(venv)
    venv.reset(seed=1)
    assert not agent.statistics_batch(venv).visits.any()
    with pytest.raises(playmat.InvalidArgument, match="got `greedy`; only a search, for example"):
        small.agent("greedy").statistics_batch(venv)
    with pytest.raises(playmat.InvalidArgument, match="wanted a VecEnv"):
        agent.statistics_batch(small.env())  # type: ignore[arg-type]
    other = playmat.Game("kuhn_poker" if small.name != "kuhn_poker" else "tic_tac_toe")
    with pytest.raises(playmat.InvalidArgument, match="was made for"):
        agent.statistics_batch(other.vec_env(2))


def test_statistics_are_typed(small: playmat.Game) -> None:
    agent, env = small.agent("mcts:30"), small.env(seed=1)
    agent.act(env)
    found = agent.statistics(env)
    assert found.actions.dtype == found.visits.dtype == np.int64
    assert found.prior.dtype == found.mean_return.dtype == np.float32
    shapes = {
        array.shape for array in (found.actions, found.visits, found.prior, found.mean_return)
    }
    assert shapes == {(len(env.legal_actions()),)}
    assert repr(found).startswith("<playmat.SearchStatistics: player 0 chose ")


def test_statistics_without_a_search_are_refused(small: playmat.Game) -> None:
    env = small.env(seed=1)
    for spec in ("random", "greedy"):
        agent = small.agent(spec)
        agent.act(env)
        with pytest.raises(
            playmat.InvalidArgument, match=f"got `{spec}`; only a search, for example `mcts:400`"
        ):
            agent.statistics(env)
    agent = small.agent("mcts:30")
    with pytest.raises(
        playmat.OrderError,
        match="no decision as this player in this episode that it finished: `act` first",
    ):
        agent.statistics(env)
    agent.act(env)
    agent.statistics(env)
    with pytest.raises(playmat.OrderError, match="no decision as this player"):
        agent.statistics(env, 1)
    with pytest.raises(playmat.InvalidPlayer):
        agent.statistics(env, 9)
    with pytest.raises(playmat.InvalidArgument, match="wanted an Env"):
        agent.statistics(None)  # type: ignore[arg-type]
    env.reset(seed=1)
    with pytest.raises(playmat.OrderError, match="no decision as this player"):
        agent.statistics(env)


def test_names_are_canonical(small: playmat.Game) -> None:
    given = "mcts:050,threads=1,c=2.0,rollout=greedy,prior=uniform"
    assert small.agent(given).name == "mcts:50,prior=uniform,c=2"
    assert small.agent("mcts:20ms").name == "mcts:20ms"
    path = Path(__file__).parent.parent / "networks" / "tic_tac_toe.onnx"
    game = playmat.Game("tic_tac_toe")
    for given, name in [
        (f"mcts:8,policy={path},rollout=none", f"mcts:8,policy={path}"),
        (f"mcts:8,policy={path},rollout=greedy", f"mcts:8,rollout=greedy,policy={path}"),
        (f"mcts:8,policy={path},rollout=random", f"mcts:8,rollout=random,policy={path}"),
    ]:
        assert game.agent(given).name == name


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts", "got `mcts`"),
        ("mcts:", "got `` for `simulations` of `mcts`; allowed: 1 to 10000000"),
        ("mcts:0", "got `0` for `simulations`"),
        ("mcts:4s", "got `4s` for `simulations`"),
        ("mcts:0ms", "got `0` for `milliseconds` of `mcts`; allowed: 1 to 60000"),
        ("mcts:8,threads=0", "got `0` for `threads` of `mcts`; allowed: 1 to 64"),
        ("mcts:8,max_nodes=0", "got `0` for `max_nodes` of `mcts`; allowed: 1 to 1048576"),
        ("mcts:8,c=0", "got `0` for `c` of `mcts`; allowed: 0.01 to 100"),
        ("mcts:8,thread=2", "did you mean `threads`?"),
        ("mcts:8,rollout=wise", "allowed: `random`, `greedy`, `none`"),
        (
            "mcts:8,rollout=none",
            "got `rollout=none` of `mcts`, which needs `policy=FILE.onnx`; "
            "allowed without it: `random`, `greedy`",
        ),
        ("mcts:8,policy=a.onnx,prior=greedy", "gives the priors; allowed beside it: `rollout`"),
        ("mcts:8,prior=greedy,prior=greedy", "option `prior` of `mcts` is given twice"),
        (
            "mcts:8,dirichlet_alpha=0",
            "got `0` for `dirichlet_alpha` of `mcts`; allowed: 0.01 to 100",
        ),
        ("mcts:8,dirichlet_fraction=0.5", "`dirichlet_fraction` of `mcts`, which needs"),
        ("mcts:8,prior_temperature=2", "`prior_temperature` of `mcts`, which needs"),
        ("mcts:8,temprature=1", "did you mean `temperature`?"),
        ("mcts:8,temperature_drop=2", "which needs a `temperature` above 0"),
        (
            "mcts:8,temperature=1,temperature_drop=0",
            "got `0` for `temperature_drop` of `mcts`; allowed: 1 to 1000000",
        ),
    ],
)
def test_bad_specs(small: playmat.Game, spec: str, message: str) -> None:
    with pytest.raises(playmat.InvalidArgument) as refused:
        small.agent(spec)
    assert "argument `spec`: " in str(refused.value)
    assert message in str(refused.value)


def test_search_plays_in_batches() -> None:
    game = playmat.Game("connect_four")
    venv = game.vec_env(16, view="single", opponents=["mcts:10"], threads=2)
    batch = venv.reset(seed=1)
    while venv.results()["episodes"] < 16:
        batch = venv.step(venv.sample_actions())
    assert [opponent["name"] for opponent in venv.results()["opponents"]] == ["mcts:10"]
    assert venv.results()["wins"] < venv.results()["losses"]
    agent = game.agent("mcts:10")
    actions = agent.act_batch(venv)
    assert batch.action_mask[np.arange(16), actions].all()


def test_lists_of_agents_keep_options_together() -> None:
    assert split_agents("greedy, mcts:8,threads=2,c=1 ,random") == [
        "greedy",
        "mcts:8,threads=2,c=1",
        "random",
    ]
    assert split_agents("greedy,c=1") == ["greedy", "c=1"]
    assert split_agents("") == [""]


def test_the_command_line_takes_searches(call: Call) -> None:
    agents = "mcts:4,threads=2,random"
    status, out, _ = call(
        "balance", "tic_tac_toe", "--episodes", "20", "--agents", agents, "--json"
    )
    assert status == 0
    assert json.loads(out)["episodes"] == 20
    status, out, _ = call(
        "arena", "tic_tac_toe", "--agents", "random", "mcts:20", "--episodes", "20"
    )
    assert status == 0
    assert out.splitlines()[1].split()[0] == "mcts:20"
    status, _, error = call(
        "arena", "tic_tac_toe", "--agents", "random", "mcts:0", "--episodes", "20"
    )
    assert status == 2
    assert "argument `agents`: got `0` for `simulations` of `mcts`" in error


def test_noise_and_temperature_vary_the_choice_and_follow_from_the_seed() -> None:
    game = playmat.Game("tic_tac_toe")

    def openings(spec: str) -> list[int]:
        agent = game.agent(spec)
        return [agent.act(game.env(seed=seed)) for seed in range(60)]

    plain = openings("mcts:200")
    for options in ("temperature=1", "dirichlet_alpha=0.3,dirichlet_fraction=1,c=5"):
        varied = openings(f"mcts:200,{options}")
        assert openings(f"mcts:200,{options}") == varied
        assert len(set(varied)) > len(set(plain)), options
    agent = game.agent("mcts:9,temperature=0.50,dirichlet_fraction=0.25,dirichlet_alpha=0.3")
    assert agent.name == "mcts:9,dirichlet_alpha=0.3,temperature=0.5"


def test_a_temperature_drop_ends_the_draws_in_environments_and_batches() -> None:
    game = playmat.Game("tic_tac_toe")
    agent = game.agent("mcts:60,prior=uniform,temperature=100,temperature_drop=2")
    assert agent.name == "mcts:60,prior=uniform,temperature=100,temperature_drop=2"
    venv = game.vec_env(64)
    for seed in (1, 2):
        venv.reset(seed=seed)
        for step in range(5):
            chosen = agent.act_batch(venv)
            visits = agent.statistics_batch(venv).visits
            best = (visits[np.arange(64), chosen] == visits.max(1)).mean()
            # The first player's third decision.
            assert best == 1 if step == 4 else best < 0.7, step
            venv.step(chosen)
    drawn = 0
    env = game.env(seed=1)
    for seed in range(32):
        env.reset(seed=seed)
        for step in range(5):
            action = agent.act(env)
            found = agent.statistics(env)
            is_best = found.visits[found.actions == action].item() == found.visits.max()
            drawn += not is_best
            assert is_best or step < 4, (seed, step)
            env.step(action)
    assert drawn > 32


def child(code: str, *arguments: str) -> str:
    """What a program prints that runs in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def seconds_after_ctrl_c(prepare: str, call: str, check: str, *arguments: str) -> float:
    """Runs three lines of code in a child, which sends itself Ctrl-C a second after `call` began.

    The last line runs after the exception. Returns the seconds from the signal to the exception.
    """
    code = (
        "import numpy as np, os, playmat, signal, sys, threading, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "game = playmat.Game('connect_four')\n"
        f"{prepare}\n"
        "sent = []\n"
        "def send():\n"
        "    time.sleep(1)\n"
        "    sent.append(time.monotonic())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=send).start()\n"
        "try:\n"
        f"    {call}\n"
        "except KeyboardInterrupt:\n"
        "    late = time.monotonic() - sent[0]\n"
        f"    {check}\n"
        "    print(late)\n"
    )
    return float(child(code, *arguments))


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("call", ["act", "threads", "act_batch"])
def test_ctrl_c_ends_a_search_and_leaves_everything_usable(call: str) -> None:
    late = seconds_after_ctrl_c(
        "slow = game.agent('mcts:10000000' + (',threads=2' if sys.argv[1] == 'threads' else '')); "
        "env, venv = game.env(seed=1), game.vec_env(4, threads=2); "
        "venv.reset(seed=1); "
        "before = env.to_bytes(), venv.to_bytes()",
        "slow.act_batch(venv) if sys.argv[1] == 'act_batch' else slow.act(env)",
        "assert (env.to_bytes(), venv.to_bytes()) == before; "
        "agent = game.agent('mcts:50'); "
        "env.step(agent.act(env)); "
        "venv.step(agent.act_batch(venv))",
        call,
    )
    # A tenth of a second, and time for a machine that does other work.
    assert late < 5


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_the_searches_of_another_thread() -> None:
    """The thread that makes the call is done after 0.2 seconds; the other one would search for 10."""
    late = seconds_after_ctrl_c(
        "slow, venv = game.agent('mcts:200ms'), game.vec_env(192, threads=2); "
        "venv.reset(seed=1); "
        "before, out = venv.to_bytes(), np.full(192, 9); "
        "mask = np.isin(np.arange(192), [0, *range(64, 114)])",
        "slow.act_batch(venv, out=out, mask=mask)",
        "assert venv.to_bytes() == before and (out == 9).all()",
    )
    assert late < 4


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("call", ["act", "act_batch", "rollout", "feed"])
def test_a_call_within_a_call_is_refused(call: str) -> None:
    """The handler of a signal, or a foreign tensor, uses what a call is using. In a child: a call that waits for itself would never end."""
    code = (
        "import numpy as np, playmat, signal, sys, threading\n"
        "game = playmat.Game('connect_four')\n"
        "slow, other = game.agent('mcts:10000000'), game.env(seed=2)\n"
        "env, venv, search = game.env(seed=1), game.vec_env(4), game.search('mcts:50')\n"
        "venv.reset(seed=1)\n"
        "search.start(other)\n"
        "search.collect()\n"
        "class Foreign:\n"
        "    def __dlpack_device__(self):\n"
        "        handler()\n"
        "    __dlpack__ = None\n"
        "calls = {\n"
        "    'act': (env, lambda: slow.act(env), [lambda: env.step(0), lambda: env.done,\n"
        "        lambda: slow.act(env), lambda: game.states([other, env]), env.clone]),\n"
        "    'act_batch': (venv, lambda: slow.act_batch(venv), [venv.sample_actions, venv.close,\n"
        "        lambda: venv.reset(seed=2), lambda: slow.act_batch(venv), venv.states]),\n"
        "    'rollout': (venv, lambda: venv.rollout('random', 1000000000), [venv.sample_actions]),\n"
        "    'feed': (search, lambda: search.feed(Foreign(), np.zeros(1, np.float32)),\n"
        "        [search.policy, search.collect, lambda: search.start(other)]),\n"
        "}\n"
        "used, begin, uses = calls[sys.argv[1]]\n"
        "said = []\n"
        "def handler(*_):\n"
        "    if not repr(used).endswith(', in use>'):\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0.01)  # between two calls\n"
        "        return\n"
        "    other.sample_action()\n"
        "    for use in uses:\n"
        "        try:\n"
        "            use()\n"
        "        except playmat.OrderError as error:\n"
        "            said.append(str(error))\n"
        "    raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.2)\n"
        "try:\n"
        "    begin()\n"
        "except (KeyboardInterrupt, playmat.InvalidArgument):\n"
        # A call that was quick would leave the alarm to the end of the interpreter.
        "    signal.setitimer(signal.ITIMER_REAL, 0)\n"
        "    assert len(said) == len(uses), said\n"
        "    assert ', in use' not in repr(used)\n"
        "    print(*set(said))\n"
    )
    out = child(code, call)
    what = "search" if call == "feed" else "environment"
    assert out.startswith(f"the {what} is in use by another call of this thread"), out


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("call", ["envs", "venv", "states"])
def test_a_call_that_waits_holds_nothing(call: str) -> None:
    """Thread B waits for an environment that a slow call of the main thread uses. A signal handler of
    the main thread then uses whatever else B needs, which would never end if B held it. In a child,
    because of that.
    """
    code = (
        "import playmat, signal, sys, threading\n"
        "game = playmat.Game('connect_four')\n"
        "slow, venv, one = game.agent('mcts:10000000'), game.vec_env(2), game.search('mcts:50', rows=2)\n"
        "free, env = sorted([game.env(seed=1), game.env(seed=2)], key=id)\n"
        "venv.reset(seed=1)\n"
        "one.start([free, free])\n"
        "begin, waiting, use = {\n"
        "    'envs': (lambda: slow.act(env), lambda: one.start([free, env]),\n"
        "        lambda: (one.waiting, one.collect(), one.start([free, None]), free.sample_action())),\n"
        "    'venv': (lambda: slow.act_batch(venv), lambda: one.start(venv),\n"
        "        lambda: (one.waiting, one.collect(), one.start([free, free]))),\n"
        "    'states': (lambda: slow.act(env), lambda: game.states([free, env, free]),\n"
        "        lambda: (free.sample_action(), game.states([free]))),\n"
        "}[sys.argv[1]]\n"
        "used = venv if sys.argv[1] == 'venv' else env\n"
        "said, inside = [], threading.Event()\n"
        "def wait():\n"
        "    inside.wait()\n"
        "    said.append('waits')\n"
        "    waiting()\n"
        "    said.append('begins')\n"
        "def handler(*_):\n"
        "    if not said:\n"
        "        if repr(used).endswith(', in use>'):\n"
        "            inside.set()\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "        return\n"
        "    assert repr(used).endswith(', in use>')\n"
        "    use()\n"
        "    said.append('uses')\n"
        "    raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "thread = threading.Thread(target=wait, daemon=True)\n"
        "thread.start()\n"
        "try:\n"
        "    begin()\n"
        "except KeyboardInterrupt:\n"
        "    thread.join()\n"
        "    print(*said)\n"
    )
    assert child(code, call).split() == ["waits", "uses", "begins"]


def test_one_environment_may_stand_in_several_rows() -> None:
    """Every environment is taken once, however often it comes."""
    game = playmat.Game("connect_four")
    env, other = game.env(seed=1), game.env(seed=2)
    search = game.search("mcts:8", rows=4)
    search.start([env, other, env, None])
    assert len(search.collect()) == 3
    with pytest.raises(playmat.NotActing, match=r"envs\[2\]"):
        search.start([env, other, env, None], players=[0, 0, 1, None])
    assert search.waiting == 3  # refused: nothing has changed


@pytest.mark.parametrize("call", ["start", "states"])
def test_environments_that_others_use_again_and_again_are_had(call: str) -> None:
    """Each of them is free for moments, all of them together almost never."""
    game = playmat.Game("connect_four")
    envs = [game.env(seed=seed) for seed in range(6)]
    search, over = game.search("mcts:8", rows=6), threading.Event()

    def use(env: playmat.Env) -> None:
        agent = game.agent("mcts:5ms")
        while not over.wait(0.0005):
            agent.act(env)

    threads = [threading.Thread(target=use, args=(env,)) for env in envs]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            if call == "start":
                search.start(envs)
            else:
                assert len(game.states(envs)) == 6
    finally:
        over.set()
        for thread in threads:
            thread.join()
