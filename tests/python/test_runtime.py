"""What surrounds the engine: fork, threads, memory, errors as objects, types."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import playmat
import playmat.errors

ROOT = Path(__file__).parents[2]


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")


def growth(work, rounds: int = 6) -> int:
    """Bytes gained per round once things are warm: the least of several rounds, since others only add."""
    work()
    gains = []
    for _ in range(rounds):
        gc.collect()
        before = resident()
        work()
        gc.collect()
        gains.append(resident() - before)
    return min(gains)


@linux
def test_conf_n9_no_growth(small: playmat.Game) -> None:
    venv = small.vec_env(64)
    venv.reset(seed=1)
    env = small.env(1)
    out = np.zeros((64, 2), np.float32)
    text = env.to_json()

    def steps() -> None:
        for _ in range(2000):
            venv.step(venv.sample_actions(), out={"reward": out})
            venv.observe(0)

    def makes() -> None:
        for _ in range(300):
            small.vec_env(32).reset(seed=1)
            with small.vec_env(8, threads=2) as other:
                other.reset(seed=1)
                other.step_async(other.sample_actions())

    def singles() -> None:
        for seed in range(2000):
            one = small.env(seed)
            one.step(one.sample_action())
            one.clone().events(0)
            one.state_dict()
            one.observation()
            small.env_from_json(text)
            with pytest.raises(playmat.IllegalAction):
                one.step(99)

    for work in (steps, makes, singles):
        assert growth(work) < 256 * 1024, work.__name__


@linux
def test_conf_n9_million_resets_do_not_grow(small: playmat.Game) -> None:
    venv = small.vec_env(4096)

    def resets() -> None:
        for _ in range(60):
            venv.reset()

    assert growth(resets, 4) < 256 * 1024


@linux
def test_conf_n9_hundred_thousand_environments_do_not_grow(small: playmat.Game) -> None:
    """Ten bytes kept of each would show."""

    def lives() -> None:
        for seed in range(25_000):
            env = small.env(seed)
            env.step(env.sample_action())
            with small.vec_env(2) as venv:
                venv.reset(seed=seed)

    assert growth(lives, 3) < 256 * 1024


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_conf_n10b_fork_loses_the_step_under_way_and_goes_on(
    small: playmat.Game, threads: int
) -> None:
    """The child gets one error, that the step is lost; then it resets and plays, with its opponents.

    With one thread too: a step that was played in the call itself would not be lost.
    """
    venv = small.vec_env(64, threads=threads, learner=0, opponents={"random": 1.0, "greedy": 2.0})
    twin = small.vec_env(64, learner=0, opponents={"random": 1.0, "greedy": 2.0})
    venv.reset(seed=1)
    venv.step_async(venv.sample_actions())
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with pytest.raises(playmat.OrderError, match="is lost"):
                venv.step_wait()
            assert not venv.pending
            with pytest.raises(playmat.OrderError, match="nothing was reset yet"):
                venv.step([0] * 64)
            with pytest.raises(playmat.OrderError, match="`step_async` first"):
                venv.step_wait()
            twin.reset(seed=2)
            venv.reset(seed=2)
            for _ in range(20):
                venv.step(venv.sample_actions())
                twin.step(twin.sample_actions())
            venv.step_async(venv.sample_actions())
            twin.step(twin.sample_actions())
            venv.step_wait()
            assert [one["weight"] for one in venv.results()["opponents"]] == [1.0, 2.0]
            status = 0 if venv.to_bytes() == twin.to_bytes() else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    venv.step_wait()
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_conf_n10b_a_forked_child_draws_other_seeds(small: playmat.Game) -> None:
    small.env()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, str(small.env().seed).encode())
        finally:
            os._exit(0)
    os.close(write)
    drawn = os.read(read, 100)
    os.close(read)
    os.waitpid(child, 0)
    assert int(drawn) != small.env().seed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_conf_n10b_fork(small: playmat.Game) -> None:
    """A child goes on by itself with threads of its own; the parent does not notice."""
    venv = small.vec_env(256, threads=2)
    twin = small.vec_env(256)
    venv.reset(seed=1)
    twin.reset(seed=1)
    for _ in range(20):
        venv.step(venv.sample_actions())
        twin.step(twin.sample_actions())
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for _ in range(20):
                venv.step(venv.sample_actions())
            venv.step_async(venv.sample_actions())
            venv.step_wait()
            os.write(write, venv.to_bytes()[-8:])
            venv.close()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    for _ in range(21):
        venv.step(venv.sample_actions())
        twin.step(twin.sample_actions())
    assert os.read(read, 8) == venv.to_bytes()[-8:]
    assert venv.to_bytes() == twin.to_bytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_conf_n10b_searches_with_threads_work_after_a_fork(small: playmat.Game) -> None:
    """The workers of an agent and of a search do not exist in the child, which starts others."""
    agent = small.agent("mcts:60,threads=2")
    search = small.search("mcts:30,threads=2", rows=8, leaves=2)
    venv = small.vec_env(8)

    def begin() -> tuple[list[int], int]:
        """The actions of the agent, and the rows that the search waits for."""
        venv.reset(seed=1)
        actions = agent.act_batch(venv).tolist()
        search.start(venv, keep=False)
        return actions, len(search.collect())

    def finish(rows: int) -> list[int]:
        while rows:
            numbers = np.zeros((rows, small.num_actions), np.float32)
            search.feed(numbers, numbers[:, 0].copy())
            rows = len(search.collect())
        return search.actions().tolist()

    actions, rows = begin()
    first = finish(rows)
    wanted = repr((first, actions, first))
    _, rows = begin()
    read, write = os.pipe()
    # The fork comes between `collect` and `feed`: the child goes on with the search, and searches again.
    child = os.fork()
    if child == 0:
        status = 1
        try:
            first = finish(rows)
            actions, rows = begin()
            os.write(write, repr((first, actions, finish(rows))).encode())
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert os.read(read, 10_000).decode() == wanted
    assert finish(rows) == finish(begin()[1])


def test_conf_n10b_threads_share_a_game_and_an_env(small: playmat.Game) -> None:
    wanted = [small.env(seed).to_bytes() for seed in range(50)]
    shared = small.env(0)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            venv = small.vec_env(32)
            venv.reset(seed=number)
            for seed in range(50):
                assert small.env(seed).to_bytes() == wanted[seed]
                venv.step(venv.sample_actions())
                shared.observation(0)
                shared.to_json()
            trails[number] = venv.to_bytes()
        except BaseException as error:
            failures.append(error)

    trails: dict[int, bytes] = {}
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(set(trails.values())) == 8
    venv = small.vec_env(32)
    venv.reset(seed=3)
    for _ in range(50):
        venv.step(venv.sample_actions())
    assert venv.to_bytes() == trails[3]


def test_exceptions_are_one_family() -> None:
    classes = [
        value
        for value in vars(playmat.errors).values()
        if isinstance(value, type) and issubclass(value, playmat.Error)
    ]
    codes = [one.code for one in classes]
    assert len(set(codes)) == len(codes) == 15
    for one in classes:
        assert getattr(playmat, one.__name__) is one
        assert one.__doc__


def test_exceptions_survive_pickle(small: playmat.Game) -> None:
    with pytest.raises(playmat.IllegalAction) as caught:
        small.env(1).step(99)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is playmat.IllegalAction
    assert str(again) == str(caught.value)
    assert vars(again) == vars(caught.value)


def test_everything_public_is_documented() -> None:
    for name in playmat.__all__:
        value = getattr(playmat, name)
        if name == "__version__":
            continue
        assert value.__doc__, name
        if isinstance(value, type):
            for attribute, member in vars(value).items():
                if not attribute.startswith("_") and callable(member):
                    assert member.__doc__, f"{name}.{attribute}"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=ROOT
    )


@pytest.mark.timeout(600)
def test_stub_is_true() -> None:
    pytest.importorskip("mypy")
    allowed = "tests/python/stubtest.allow"
    done = run("mypy.stubtest", "playmat._native", "--ignore-missing-stub", "--allowlist", allowed)
    assert done.returncode == 0, done.stdout


def test_doctests() -> None:
    import doctest

    import playmat.testing

    for module in (playmat, playmat.testing):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0
