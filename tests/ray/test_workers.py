"""`playmat train --ray`: the weights of one process, whatever happens to the workers."""

from __future__ import annotations

import functools
import importlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
import yaml

import playmat
from playmat.cli import main
from playmat.cluster import Cluster, WorkersLost
from playmat.train import checkpoint, workers
from playmat.train.config import TrainConfig, preset
from playmat.train.trainer import Trainer, resume
from playmat.train.workers import DistributedPPO

#: 512 decisions an update, in four shards.
SMALL: dict[str, Any] = {
    "minutes": 0, "total_decisions": 4 * 512, "num_envs": 30, "num_shards": 4, "num_steps": 16,
    "num_minibatches": 2, "imitation_num_minibatches": 0, "width": 16, "channels": 4,
    "device": "cpu", "eval_minutes": 0, "final_games": 4, "save_minutes": 0, "torch_threads": 1,
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _ray() -> Iterator[None]:
    """One Ray for all tests, with more cores than this machine has: tests check results, not
    speed.
    """
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def small(name: str, **changes: Any) -> TrainConfig:
    return preset(name, **{**SMALL, **changes})


def distributed(count: int, **arguments: Any) -> Callable[..., DistributedPPO]:
    return functools.partial(DistributedPPO, cluster=Cluster("auto", count), **arguments)


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: part.clone() for name, part in trainer.network.state_dict().items()}


def assert_equal(found: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor]) -> None:
    assert found.keys() == wanted.keys()
    for name, part in found.items():
        assert torch.equal(part, wanted[name]), name


def finish(trainer: Trainer) -> Trainer:
    while not trainer.finished:
        trainer.update()
    trainer.ppo.close()
    return trainer


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("leduc_poker", {}, {}),
    ("goofspiel", {"players": 3}, {"versus": 0.5, "opponents": "random,greedy"}),
    ("connect_four", {}, {"imitation_fraction": 0.5, "imitation_coef": 0.5}),
    ("graphia", {}, {"num_envs": 6, "num_steps": 12}),
    ("goofspiel", {}, {"versus": 0.5, "league": 2, "league_updates": 1}),
    ("tic_tac_toe", {}, {"imitation_fraction": 1.0, "expert": "mcts:8,policy=self"}),
]


@pytest.mark.parametrize(("name", "options", "changes"), CASES)
def test_weights_are_those_of_one_process(
    name: str, options: dict[str, Any], changes: dict[str, Any]
) -> None:
    config = small(name, **changes)
    alone = Trainer(name, options, config)
    updates = 3
    metrics = []
    for _ in range(updates):
        alone.update()
        metrics.append(alone.ppo.metrics)
    for count in (1, 2, 4):
        trainer = Trainer(name, options, config, algorithm=distributed(count))
        for k in range(updates):
            trainer.update()
            for metric, value in metrics[k].items():
                assert trainer.ppo.metrics[metric] == value, (count, k, metric)
            assert trainer.ppo.metrics["ray/policy_lag"] == 0
        assert_equal(weights(trainer), weights(alone))
        trainer.ppo.close()


def kill_one(ppo: DistributedPPO, after: float) -> threading.Timer:
    """Kills the process of a worker some time from now."""
    actor = ppo.workers[sorted(ppo.workers)[0]]
    pid = ray.get(actor.__ray_call__.remote(lambda self: os.getpid()))
    timer = threading.Timer(after, os.kill, (pid, signal.SIGKILL))
    timer.start()
    return timer


def test_workers_that_are_killed_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    config = small("leduc_poker", total_decisions=6 * 480, num_steps=16)
    wanted = finish(Trainer("leduc_poker", {}, config))
    draw = np.random.default_rng(1)
    lost = 0
    for _ in range(int(os.environ.get("PLAYMAT_KILLS", "4"))):
        trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2))
        assert isinstance(trainer.ppo, DistributedPPO)
        while not trainer.finished:
            if trainer.ppo.updates == 2:
                kill_one(trainer.ppo, draw.uniform(0, 0.05)).join()
            trainer.update()
        assert_equal(weights(trainer), weights(wanted))
        assert trainer.ppo.decisions == wanted.ppo.decisions
        lost += trainer.ppo.lost
        trainer.ppo.close()
    assert lost > 0, "no worker was lost while it mattered"
    assert "is played again" in capsys.readouterr().err


def test_other_workers_take_over_what_nothing_replaces(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = small("leduc_poker")
    wanted = finish(Trainer("leduc_poker", {}, config))
    trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)
    trainer.update()
    monkeypatch.setattr(workers, "REPLACE_SECONDS", 0.5)
    # A worker that wants more cores than there are never starts.
    too_large = ray.remote(num_cpus=64)(workers.Worker)
    monkeypatch.setattr(ppo, "start_worker", lambda: too_large.remote(ppo.game, ppo.config, 1))
    kill_one(ppo, 0).join()
    while not trainer.finished:
        trainer.update()
    assert list(ppo.workers) == [1] and sorted(ppo.held[1]) == [0, 1, 2, 3]
    assert "worker 1 take its shards over" in capsys.readouterr().err
    assert_equal(weights(trainer), weights(wanted))
    kill_one(ppo, 0).join()
    with pytest.raises(WorkersLost, match="no worker is left"):
        trainer.update()
    ppo.close()


def test_a_run_continues_from_its_checkpoint_with_any_number_of_workers(tmp_path: Path) -> None:
    config = small("leduc_poker")
    wanted = finish(Trainer("leduc_poker", {}, config))
    trainer = Trainer("leduc_poker", {}, config, tmp_path, distributed(2))
    for _ in range(2):
        trainer.update()
    trainer.save()
    trainer.ppo.close()
    assert_equal(weights(finish(resume(tmp_path / "checkpoint.pt"))), weights(wanted))
    for count in (1, 4):
        again = resume(tmp_path / "checkpoint.pt", None, distributed(count))
        assert_equal(weights(finish(again)), weights(wanted))
    with pytest.raises(playmat.InvalidArgument, match="num_shards"):
        resume(tmp_path / "checkpoint.pt", num_shards=2)


def test_a_driver_that_is_killed_continues_from_its_checkpoint(tmp_path: Path) -> None:
    """SIGKILL at random points of a run; a local Ray of its own each time."""
    config = small("kuhn_poker", total_decisions=12 * 480)
    wanted = weights(finish(Trainer("kuhn_poker", {}, config)))
    values = {**SMALL, "total_decisions": 12 * 480, "save_minutes": 1e-9}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]
    command = [sys.executable, "-m", "playmat", "train", "kuhn_poker", "--ray=local", "--workers=2"]
    draw, saved = np.random.default_rng(2), tmp_path / "checkpoint.pt"
    kills = 0
    for _ in range(int(os.environ.get("PLAYMAT_KILLS", "2"))):
        more = ["--resume", str(saved)] if saved.exists() else [f"--out={tmp_path}"]
        before = saved.stat().st_mtime_ns if saved.exists() else 0
        run = subprocess.Popen([*command, *more, *arguments], stderr=subprocess.DEVNULL)
        # After its first checkpoint of its own, at any point of the updates that follow.
        while run.poll() is None and (not saved.exists() or saved.stat().st_mtime_ns == before):
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        kills += run.poll() is None
        run.kill()
        run.wait()
    assert kills > 0
    state = checkpoint.read(saved)
    assert 0 < state["decisions"] <= 12 * 480
    assert_equal(weights(finish(resume(saved, None, distributed(2)))), wanted)


def test_asynchronous_rollouts_are_one_update_old(tmp_path: Path) -> None:
    config = small("leduc_poker")
    found = []
    for count in (1, 2):
        trainer = Trainer(
            "leduc_poker", {}, config, algorithm=distributed(count, asynchronous=True)
        )
        lags = []
        while not trainer.finished:
            trainer.update()
            lags.append(trainer.ppo.metrics["ray/policy_lag"])
        assert lags == [0, 1, 1, 1, 1][: len(lags)] and len(lags) > 2
        found.append(weights(trainer))
        trainer.ppo.close()
    assert_equal(*found)
    synchronous = weights(finish(Trainer("leduc_poker", {}, config)))
    assert any(not torch.equal(part, synchronous[name]) for name, part in found[0].items())


def test_the_deadline_reaches_the_workers() -> None:
    trainer = Trainer("leduc_poker", {}, small("leduc_poker"), algorithm=distributed(2))
    assert not trainer.ppo.update(0.0, time.perf_counter())
    assert trainer.ppo.updates == 0 and trainer.ppo.decisions == 0
    assert trainer.ppo.update(0.0) and trainer.ppo.decisions == 30 * 16
    trainer.ppo.close()


def test_what_a_worker_raises_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer("leduc_poker", {}, small("leduc_poker"), algorithm=distributed(1))
    assert isinstance(trainer.ppo, DistributedPPO)
    with pytest.raises(RuntimeError, match="Error\\(s\\) in loading state_dict"):
        monkeypatch.setattr(trainer.ppo.network, "state_dict", dict)
        trainer.update()
    trainer.ppo.close()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--workers=2"], "workers.*needs --ray"),
        (["--async"], "async.*needs --ray"),
        (["--ray=auto", "--workers=0"], "workers.*got 0; allowed: 1 to 4096"),
        (["--ray=auto", "--workers=3", "--num-shards=2"], "workers.*got 3; allowed: 1 to 2"),
        (["--ray=auto", "--worker-cpus=0"], "worker_cpus.*got 0"),
        (["--ray=auto", "--workers=2", "--worker-cpus=9"], "Ray has 4 cores"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "kuhn_poker", f"--out={tmp_path}", *arguments]) == 2
    assert re.search(reason, capsys.readouterr().err)


def test_the_command_writes_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]
    command = ["train", "kuhn_poker", "--ray=auto", "--workers=2", f"--out={tmp_path}", *arguments]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "transfer" in said and "against random" in said
    state = checkpoint.read(tmp_path / "checkpoint.pt")
    assert len(state["shards"]) == 4
    assert ray.is_initialized(), "the command ends only a Ray that it started"


def test_an_arena_has_the_same_result_on_any_number_of_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["arena", "leduc_poker", "--agents", "random", "greedy", "mcts:5", "--games=60"]
    said = []
    for more in ([], ["--ray=auto", "--workers=1"], ["--ray=auto", "--workers=3"]):
        assert main([*command, "--json", *more]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("game", ["leduc_poker", "graven"])
def test_a_survey_has_the_same_result_on_any_number_of_workers(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["balance", game, "--episodes=120", "--matrix-episodes=2", "--json"]
    said = []
    for more in ([], ["--ray=auto", "--workers=1"], ["--ray=auto", "--workers=3"]):
        assert main([*command, *more]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


def test_a_data_set_has_the_same_rows_on_any_number_of_workers(tmp_path: Path) -> None:
    from playmat import datasets

    command = ["rollouts", "goofspiel", "--agents=random,greedy", "--episodes=300", "--seed=5"]
    tables = []
    for number, more in enumerate(
        ([], ["--ray=auto", "--workers=1"], ["--ray=auto", "--workers=3"])
    ):
        folder = tmp_path / str(number)
        assert main([*command, f"--out={folder}", *more]) == 0
        batches = list(datasets.read(folder).batches(100_000))
        tables.append({name: np.concatenate([b[name] for b in batches]) for name in batches[0]})
    for table in tables[1:]:
        assert table.keys() == tables[0].keys()
        for name, column in table.items():
            np.testing.assert_array_equal(column, tables[0][name])


def test_files_for_clusters_start_what_the_package_installs() -> None:
    """Everything but the address, the user and the image is there; the versions of Ray agree."""
    folder = Path(__file__).parents[2] / "deploy" / "ray"
    image = (folder / "Dockerfile").read_text(encoding="utf-8")
    launcher = yaml.safe_load((folder / "cluster.yaml").read_text(encoding="utf-8"))
    kubernetes = yaml.safe_load((folder / "kuberay.yaml").read_text(encoding="utf-8"))
    prepare_config = importlib.import_module("ray.autoscaler._private.util").prepare_config
    prepared = prepare_config(launcher)
    assert prepared["provider"]["type"] == "local" and prepared["max_workers"] == 1
    version = kubernetes["spec"]["rayVersion"]
    assert f"ARG RAY={version}" in image and ray.__version__.split(".")[0] == version.split(".")[0]
    groups = [kubernetes["spec"]["headGroupSpec"], *kubernetes["spec"]["workerGroupSpecs"]]
    containers = [c for g in groups for c in g["template"]["spec"]["containers"]]
    assert [c["image"] for c in containers] == ["IMAGE"] * 2
    assert launcher["docker"]["image"] == "IMAGE"
