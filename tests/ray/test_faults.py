"""Workers, drivers and nodes that are lost: a run ends as if nothing had happened. Stores and disks
that are full, slow workers and wrong addresses are reported in words.
"""

from __future__ import annotations

import copy
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster as Nodes
from trainings import (
    SMALL,
    assert_equal,
    distributed,
    finish,
    free_port,
    slow_down,
    small,
    weights,
)

import playmat
from playmat import cluster
from playmat.cli import main
from playmat.cluster import Cluster, WorkersLost, in_order, run
from playmat.train import checkpoint, workers
from playmat.train.trainer import Trainer, resume
from playmat.train.workers import DistributedPPO

#: How often workers and drivers are killed.
KILLS = int(os.environ.get("PLAYMAT_KILLS", "20"))
COMMAND = [sys.executable, "-m", "playmat", "train", "kuhn_poker"]


@pytest.fixture(autouse=True)
def _no_ray_is_left() -> Iterator[None]:
    yield
    ray.shutdown()


@pytest.fixture
def here() -> None:
    """A Ray with more cores than this machine has: tests check results, not speed."""
    start_ray()


def start_ray(**more: Any) -> None:
    """A Ray of this process."""
    settings = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
    ray.init("local", num_cpus=4, **settings, **more)


def pid_of(ppo: DistributedPPO, worker: int) -> int:
    pid: int = ray.get(ppo.workers[worker].__ray_call__.remote(lambda self: os.getpid()))
    return pid


def flags(values: dict[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("max_lag", [0, 2])
def test_workers_that_are_killed_change_nothing(
    max_lag: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL at a random point of each of many runs, while workers play or the driver learns."""
    config = small("leduc_poker", num_envs=32, num_steps=64, total_decisions=8 * 2048)
    wanted = finish(Trainer("leduc_poker", {}, config))
    trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2, max_policy_lag=max_lag))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)
    # The same workers play all runs, but for those that are lost: most of the time they start.
    start = copy.deepcopy(trainer.state())
    trainer.update()
    draw = np.random.default_rng(1)
    for k in range(KILLS if max_lag == 0 else max(1, KILLS // 4)):
        trainer.load(start)
        victim = pid_of(ppo, int(draw.integers(2)))
        at, after = int(draw.integers(8)), draw.uniform(0, 0.06)

        def kill(at: int = at, after: float = after, victim: int = victim) -> None:
            while ppo.updates < at:
                time.sleep(0.001)
            time.sleep(after)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        while not trainer.finished:
            trainer.update()
        killer.join()
        assert ppo.decisions == wanted.ppo.decisions
        assert ppo.updates == wanted.ppo.updates == 8
        if max_lag == 0:
            assert_equal(weights(trainer), weights(wanted))
        if ppo.lost == k:
            # It was killed after its last rollout: the next run finds out.
            trainer.load(start)
            trainer.update()
        assert ppo.lost == k + 1
    ppo.close()
    assert "is played again" in capsys.readouterr().err


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("here")
def test_drivers_that_are_killed_continue_from_their_checkpoint(tmp_path: Path) -> None:
    """SIGKILL at random points, again and again in one run; Ray ends the workers of each."""
    limit = (5 + 4 * KILLS) * 480
    config = small("kuhn_poker", total_decisions=limit)
    wanted = weights(finish(Trainer("kuhn_poker", {}, config)))
    values = {**SMALL, "total_decisions": limit, "save_minutes": 1e-9}
    address = ray.get_runtime_context().gcs_address
    command = [*COMMAND, f"--ray={address}", "--workers=2", *flags(values)]
    draw, saved = np.random.default_rng(2), tmp_path / "checkpoint.pt"
    kills = 0
    for _ in range(KILLS):
        more = ["--resume", str(saved)] if saved.exists() else [f"--out={tmp_path}"]
        before = saved.stat().st_mtime_ns if saved.exists() else 0
        driver = subprocess.Popen([*command, *more], stderr=subprocess.DEVNULL)
        # After its first checkpoint of its own, at any point of the updates that follow.
        while driver.poll() is None and (not saved.exists() or saved.stat().st_mtime_ns == before):
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.5))
        kills += driver.poll() is None
        driver.kill()
        driver.wait()
    assert kills == KILLS, "the run ended before the last kill"
    state = checkpoint.read(saved)
    assert 0 < state["decisions"] <= limit
    assert_equal(weights(finish(resume(saved, None, distributed(2)))), wanted)
    until = time.monotonic() + 60
    while ray.available_resources().get("CPU") != 4 and time.monotonic() < until:
        time.sleep(0.2)
    assert ray.available_resources()["CPU"] == 4, "workers of a killed driver live on"


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """A cluster of several nodes on this machine; the driver's has no cores for workers."""
    health = {"health_check_initial_delay_ms": 0, "health_check_failure_threshold": 3}
    made = Nodes(
        initialize_head=True,
        head_node_args={
            "num_cpus": 0,
            "include_dashboard": False,
            "_system_config": {**health, "health_check_period_ms": 500},
        },
    )
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_node_that_is_lost_does_not_end_the_run(
    nodes: Nodes, is_replaced: bool, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    config = small("leduc_poker", total_decisions=6 * 480)
    wanted = weights(finish(Trainer("leduc_poker", {}, config)))
    both = [nodes.add_node(num_cpus=1) for _ in range(2)]
    nodes.wait_for_nodes()
    there = Cluster(nodes.address, 2)
    with there.connection():
        trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2))
        ppo = trainer.ppo
        assert isinstance(ppo, DistributedPPO)
        trainer.update()
        if is_replaced:
            nodes.add_node(num_cpus=1)
        else:
            monkeypatch.setattr(workers, "REPLACE_SECONDS", 3.0)
        # Busy when the node goes: what they owe goes with it.
        for worker in (0, 1):
            slow_down(ppo, worker, 0.2)
        lost = threading.Timer(0.3, nodes.remove_node, (both[0], False))
        lost.start()
        while not trainer.finished:
            trainer.update()
        lost.join()
        assert_equal(weights(trainer), wanted)
        assert ppo.lost >= 1
        ppo.close()
    said = capsys.readouterr().err
    assert "is played again" in said
    assert ("take its shards over" in said) != is_replaced


@pytest.mark.usefixtures("here")
def test_a_run_without_any_worker_ends_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer("leduc_poker", {}, small("leduc_poker"), algorithm=distributed(1))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)
    trainer.update()
    monkeypatch.setattr(workers, "REPLACE_SECONDS", 0.5)
    # A worker that wants more cores than there are never starts.
    too_large = ray.remote(num_cpus=64)(workers.Worker)
    monkeypatch.setattr(ppo, "start_worker", lambda: too_large.remote(ppo.game, ppo.config, 1))
    os.kill(pid_of(ppo, 0), signal.SIGKILL)
    with pytest.raises(WorkersLost, match="no worker is left"):
        trainer.update()
    ppo.close()


@pytest.mark.usefixtures("here")
def test_workers_that_are_lost_again_and_again_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MAX_LOSSES", 2)
    trainer = Trainer("leduc_poker", {}, small("leduc_poker"), algorithm=distributed(1))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)

    class Dying(workers.Worker):
        def play(self, *arguments: Any) -> Any:
            os._exit(1)

    dying = ray.remote(Dying)
    monkeypatch.setattr(ppo, "start_worker", lambda: dying.remote(ppo.game, ppo.config, 1))
    os.kill(pid_of(ppo, 0), signal.SIGKILL)
    with pytest.raises(WorkersLost, match="3 workers were lost in one rollout; the last reason"):
        trainer.update()
    ppo.close()


@pytest.mark.usefixtures("here")
def test_jobs_of_killed_workers_are_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What arena, rollouts and balance run on: each result once, in spite of dying processes."""

    def job(number: int) -> int:
        time.sleep(0.05)
        mark = tmp_path / str(number)
        if number % 5 == 0 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    found = list(in_order(run(job, range(20), Cluster("auto", 2))))
    assert found == [number * number for number in range(20)]
    monkeypatch.setattr(cluster, "RETRIES", 1)

    def dying(number: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(WorkersLost, match="the workers of job 0 were lost 2 times"):
        list(run(dying, [0], Cluster("auto", 1)))
    monkeypatch.setattr(cluster, "SLOW_SECONDS", 0.2)

    def slow(number: int) -> int:
        time.sleep(1.0)
        return number

    assert list(run(slow, [7], Cluster("auto", 1))) == [(0, 7)]
    assert re.search(r"ray: waiting for jobs 0, \d+ s so far", capsys.readouterr().err)


@pytest.mark.usefixtures("here")
def test_slow_workers_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = Trainer("leduc_poker", {}, small("leduc_poker"), algorithm=distributed(2))
    assert isinstance(trainer.ppo, DistributedPPO)
    trainer.update()
    capsys.readouterr()
    slow_down(trainer.ppo, 1, 1.2)
    monkeypatch.setattr(workers, "SLOW_SECONDS", 0.5)
    trainer.update()
    said = capsys.readouterr().err
    assert re.search(r"ray: waiting for worker 1, [12] s so far", said) and "workers" not in said
    trainer.ppo.close()


@pytest.mark.usefixtures("here")
def test_workers_that_are_slower_than_the_others_are_named_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Long before a result is awaited for a minute."""
    config = small("leduc_poker", total_decisions=10**6)
    trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2))
    assert isinstance(trainer.ppo, DistributedPPO)
    monkeypatch.setattr(workers, "SLOWER_SECONDS", 0.3)
    for _ in range(4):
        trainer.update()
    assert "slow" not in capsys.readouterr().err
    slow_down(trainer.ppo, 1, 0.8)
    for _ in range(5):
        trainer.update()
    said = capsys.readouterr().err
    form = r"ray: worker 1 is slow: (\S+) s for a rollout of a shard, others (\S+) s, for 3 updates"
    (((own, others)),) = re.findall(form, said)
    assert float(own) >= 0.8 and float(others) < float(own) / 3
    assert said.count("is slow") == 1
    trainer.ppo.close()


def test_a_full_store_and_a_full_disk_under_it_end_the_run_in_words(tmp_path: Path) -> None:
    """Ray takes the disk for full: what does not fit into a small store has no place."""
    full = {"local_fs_capacity_threshold": 0.0, "local_fs_monitor_interval_ms": 100}
    start_ray(object_store_memory=80 * 2**20, _system_config=full)
    config = small("graphia", num_envs=512, num_steps=64, num_shards=1)
    trainer = Trainer("graphia", {}, config, algorithm=distributed(1))
    expected = r"object store is full: a rollout of 512 environments and 64 steps has up to \d+ MB"
    with pytest.raises(playmat.Error, match=expected + ".*lower --num-envs"):
        trainer.update()
    assert trainer.ppo.updates == 0
    trainer.ppo.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.usefixtures("here")
def test_a_full_disk_of_the_driver_keeps_the_last_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "kuhn_poker", "--ray=auto", "--workers=2", f"--out={tmp_path}"]
    assert main([*command, *flags({**SMALL, "total_decisions": 960})]) == 0
    saved = tmp_path / "checkpoint.pt"
    before = saved.read_bytes()
    (tmp_path / "checkpoint.part").symlink_to("/dev/full")
    again = [*command[:-1], f"--resume={saved}", "--total-decisions=1920"]
    capsys.readouterr()
    assert main(again) == 2
    said = capsys.readouterr().err
    assert re.search("cannot write checkpoint `.*checkpoint.pt`.*No space left on device", said)
    assert "the last one is from" in said
    assert saved.read_bytes() == before
    assert not (tmp_path / "checkpoint.part").is_symlink(), "a part of it takes the place"


@pytest.mark.parametrize(
    "address", ["127.0.0.1:{}", "ray://127.0.0.1:{}", "no-such-host.invalid:{}"]
)
def test_an_address_without_a_ray_is_refused_at_once(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = address.format(free_port())
    start = time.monotonic()
    assert main(["train", "kuhn_poker", f"--ray={address}", f"--out={tmp_path / 'none'}"]) == 2
    assert time.monotonic() - start < 30
    said = capsys.readouterr().err
    assert f"argument `ray`: got `{address}`; allowed:" in said and "nothing answers there" in said
    assert not (tmp_path / "none").exists()


@pytest.mark.timeout(300)
def test_an_address_with_a_token(tmp_path: Path) -> None:
    """A Ray that somebody else started and that wants a token, by HOST:PORT and by ray://."""
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 4}
    environment, port, client = {**os.environ, **token}, free_port(), free_port()
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    started = "import sys; from ray.scripts.scripts import main; sys.exit(main())"
    head = subprocess.Popen(
        [
            sys.executable, "-c", started, "start", "--head", "--block", f"--port={port}",
            "--num-cpus=2", "--include-dashboard=false", f"--ray-client-server-port={client}",
            # A folder of its own, or `auto` would find this Ray; a socket's path must be short.
            "--disable-usage-stats", f"--temp-dir={folder}",
        ],
        env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert head.stdout is not None
        lines = []
        while "Ray runtime started" not in (line := head.stdout.readline()):
            lines.append(line)
            assert line, "Ray did not start: " + "".join(lines)
        values = flags({**SMALL, "total_decisions": 960})
        saved = []
        for number, address in enumerate((f"127.0.0.1:{port}", f"ray://127.0.0.1:{client}")):
            out = tmp_path / str(number)
            command = [*COMMAND, f"--ray={address}", "--workers=2", f"--out={out}", *values]
            subprocess.run(command, env=environment, check=True, capture_output=True)
            saved.append(checkpoint.read(out / "checkpoint.pt")["network"])
        wanted = weights(
            finish(Trainer("kuhn_poker", {}, small("kuhn_poker", total_decisions=960)))
        )
        for found in saved:
            assert_equal(found, wanted)
        command = [*COMMAND, f"--ray=127.0.0.1:{port}", f"--out={tmp_path / 'none'}"]
        bare = {k: v for k, v in environment.items() if k not in token}
        refused = subprocess.run(command, env=bare, capture_output=True, text=True)
        assert refused.returncode == 2
        assert f"argument `ray`: got `127.0.0.1:{port}`; allowed:" in refused.stderr
        assert "RAY_AUTH_MODE=token" in refused.stderr
        assert not (tmp_path / "none").exists()
    finally:
        os.killpg(head.pid, signal.SIGTERM)
        head.wait()
        head.stdout.close() if head.stdout else None
        shutil.rmtree(folder, ignore_errors=True)
