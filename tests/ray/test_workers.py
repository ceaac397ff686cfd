"""`playmat train --ray`: the weights of one process, for any number of workers."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from trainings import SMALL, assert_equal, distributed, finish, slow_down, small, weights

import playmat
from playmat.cli import main
from playmat.train import checkpoint
from playmat.train.report import line
from playmat.train.rollout import Arrays, Shard
from playmat.train.trainer import Trainer, resume
from playmat.train.workers import DistributedPPO, Play, Schedule, packed, unpack


@pytest.fixture(scope="module", autouse=True)
def _ray() -> Iterator[None]:
    """One Ray for all tests, with more cores than this machine has: tests check results, not
    speed.
    """
    ray.init(
        "local", num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="error"
    )
    yield
    ray.shutdown()


CASES: list[tuple[str, dict[str, Any], dict[str, Any], tuple[int, ...]]] = [
    ("leduc_poker", {}, {}, (1, 2, 4)),
    ("goofspiel", {"players": 3}, {"opponent_fraction": 0.5, "opponents": "random,greedy"}, (3,)),
    ("connect_four", {}, {"imitation_fraction": 0.5, "imitation_coef": 0.5}, (1, 2, 4)),
    ("graphia", {}, {"num_envs": 6, "num_steps": 12}, (3,)),
    ("goofspiel", {}, {"opponent_fraction": 0.5, "league": 2, "league_updates": 1}, (3,)),
    ("tic_tac_toe", {}, {"imitation_fraction": 1.0, "expert": "mcts:8,policy=self"}, (2,)),
    (
        "tic_tac_toe",
        {},
        {"greedy_bonus": 2.0, "opponent_fraction": 0.5, "league": 2, "league_updates": 1},
        (2,),
    ),
]


@pytest.mark.parametrize(("name", "options", "changes", "counts"), CASES)
def test_weights_are_those_of_one_process(
    name: str, options: dict[str, Any], changes: dict[str, Any], counts: tuple[int, ...]
) -> None:
    config = small(name, **changes)
    alone = Trainer(name, options, config)
    updates = 3
    metrics = []
    for _ in range(updates):
        alone.update()
        metrics.append(alone.ppo.metrics)
    for count in counts:
        trainer = Trainer(name, options, config, algorithm=distributed(count))
        for k in range(updates):
            trainer.update()
            for metric, value in metrics[k].items():
                assert trainer.ppo.metrics[metric] == value, (count, k, metric)
            assert trainer.ppo.metrics["ray/policy_lag"] == 0
        assert_equal(weights(trainer), weights(alone))
        trainer.ppo.close()


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [
        ({}, {"expert", "expert_visits", "greedy", "place"}),
        ({"imitation_coef": 0.5}, {"expert_visits", "greedy", "place"}),
        ({"greedy_bonus": 2.0}, {"expert", "expert_visits", "place"}),
        ({"win_bonus": 1.0}, {"expert", "expert_visits", "greedy"}),
    ],
)
def test_what_the_learner_does_not_read_does_not_travel(
    changes: dict[str, Any], left_out: set[str]
) -> None:
    # A game that pays scores, to which a bonus for victories is added.
    config = small("leduc_poker", **changes)
    trainer = Trainer("leduc_poker", {}, config)
    shard = Shard(trainer.game, config, 1)
    shard.play(trainer.network, 0.0)
    arrays = packed(shard)
    assert {*Arrays.NAMES} - {*arrays} == left_out
    into = Arrays(trainer.game, config, config.num_envs)
    unpack(arrays, into, shard.envs)
    for name in arrays:
        there = getattr(into, name)[: config.num_steps, shard.envs]
        assert np.array_equal(there, getattr(shard, name)[: config.num_steps]), name
    assert (into.greedy >= 0).any() == ("greedy" in arrays)


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


@pytest.mark.parametrize("max_lag", [0, 1, 2, 5])
def test_the_schedule_keeps_to_its_lag_and_never_stops(max_lag: int) -> None:
    """Rollouts that take any time, any of them lost on the way."""
    draw = np.random.default_rng(max_lag)
    for size in (1, 2, 3, 7):
        schedule, played, waits = Schedule(size, max_lag), [0] * size, 0

        def begin(updates: int, is_learning: bool) -> None:
            busy = {play.shard for play in schedule.running}
            for shard in range(size):
                if shard not in busy and schedule.may_play(is_learning):
                    schedule.running.append(Play(shard, 0, updates, 0.0))

        def end() -> None:
            # The first shard is the slowest, by far.
            weights = [1 if play.shard else 0.05 for play in schedule.running]
            k = int(draw.choice(len(weights), p=np.array(weights) / sum(weights)))
            play = schedule.running.pop(k)
            if draw.random() < 0.1:
                schedule.running.append(Play(play.shard, 1, updates, 0.0))
            else:
                schedule.done.append(play)

        for updates in range(200):
            begin(updates, False)
            while (chosen := schedule.choose(updates)) is None:
                assert schedule.running, "nothing is left to wait for"
                waits += 1
                end()
                begin(updates, False)
            assert len(chosen) == size
            assert all(0 <= updates - play.updates <= max_lag for play in chosen)
            for play in chosen:
                played[play.shard] += 1
            begin(updates, True)
            for _ in range(int(draw.integers(0, 2 * size))):
                if schedule.running:
                    end()
                    begin(updates, True)
        assert sum(played) == 200 * size and waits
        if max_lag == 0:
            assert set(played) == {200}
        elif size > 1:
            assert played[0] < 200, "the slow one holds the others up"


@pytest.mark.parametrize("max_lag", [1, 3])
def test_asynchronous_rollouts_are_bounded_in_age(max_lag: int) -> None:
    """A slow worker does not hold the other up; every rollout of a shard is learned from once, in
    order.
    """
    config = small("leduc_poker", num_envs=32, total_decisions=12 * 512)
    trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2, max_policy_lag=max_lag))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)
    slow_down(ppo, 0, 0.3)
    played: list[tuple[int, int]] = []
    states = [Shard(ppo.game, config, index) for index in range(4)]
    lags = []
    while not trainer.finished:
        choose, chosen = ppo.schedule.choose, []

        def note(updates: int) -> list[Play] | None:
            found = choose(updates)
            chosen.extend(found or [])
            return found

        ppo.schedule.choose = note  # type: ignore[method-assign]
        trainer.update()
        ppo.schedule.choose = choose  # type: ignore[method-assign]
        played += [(play.shard, play.worker) for play in chosen]
        for play in chosen:
            assert play.result is not None
            # Of all its rollouts since the start, this is the next one.
            begins = play.result["arrays"]["obs"][0]
            np.testing.assert_array_equal(begins, states[play.shard].obs[-1])
            states[play.shard].load(play.result["state"])
        assert len(chosen) == 4
        lags.append(trainer.ppo.metrics["ray/max_policy_lag"])
        assert 0 <= trainer.ppo.metrics["ray/policy_lag"] <= lags[-1]
    assert 1 <= max(lags) <= max_lag
    assert trainer.ppo.decisions == 512 * len(lags)
    by_worker = [sum(worker == w for _, worker in played) for w in range(2)]
    assert by_worker[0] < by_worker[1]
    ppo.close()


def test_synchronous_rollouts_wait_for_a_slow_worker() -> None:
    config = small("leduc_poker")
    wanted = finish(Trainer("leduc_poker", {}, config))
    trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2))
    assert isinstance(trainer.ppo, DistributedPPO)
    slow_down(trainer.ppo, 1, 0.2)
    assert_equal(weights(finish(trainer)), weights(wanted))


def test_asynchronous_training_changes_from_imitation_and_between_past_selves(
    tmp_path: Path,
) -> None:
    """Rollouts of the phase before are not learned from as if they were of this one."""
    changes = {"num_envs": 32, "imitation_fraction": 0.5, "opponent_fraction": 0.5, "league": 2}
    config = small("goofspiel", **changes, league_updates=1, total_decisions=12 * 512)
    trainer = Trainer("goofspiel", {}, config, tmp_path, distributed(2, max_policy_lag=2))
    phases, part = [], 0
    while not trainer.finished:
        trainer.update()
        ppo = trainer.ppo
        phases.append("imitation/loss" in ppo.metrics)
        played = ppo.by_policy.reshape(16, 4, 8).any((0, 2))
        part += bool(phases[-1] == phases[0] and not played.all())
    assert phases == sorted(phases, reverse=True) and set(phases) == {True, False}
    assert all(np.isfinite(value) for value in ppo.metrics.values())
    ppo.close()
    trainer.save()
    again = resume(tmp_path / "checkpoint.pt", None, distributed(2, max_policy_lag=1))
    assert again.ppo.decisions == trainer.ppo.decisions
    again.ppo.close()


def test_what_travels_is_small() -> None:
    """Observations as bytes, masks as bits, and the weights once for an update."""
    config = small("connect_four", num_envs=32)
    trainer = Trainer("connect_four", {}, config, algorithm=distributed(2))
    trainer.update()
    game, decisions = trainer.game, 16 * 32
    size = game.observation_shape[0] + -(-game.num_actions // 8) + 4 + 8 + 4 + 4 + 4 * 2 + 3
    assert trainer.ppo.metrics["ray/rollout_megabytes"] == decisions * size / 1e6
    parts = sum(part.nbytes for part in trainer.network.state_dict().values())
    assert trainer.ppo.metrics["ray/weights_megabytes"] == parts / 1e6
    trainer.ppo.close()


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
        (["--async", "--max-policy-lag=2"], "max_policy_lag.*needs --ray and --async"),
        (["--ray=auto", "--max-policy-lag=2"], "max_policy_lag.*needs --ray and --async"),
        (["--ray=auto", "--async", "--max-policy-lag=0"], "max_policy_lag.*got 0; allowed: at"),
        (["--ray=auto", "--async", "--num-envs=9"], "num_envs.*got 9; allowed: .*multiples of"),
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
    (tmp_path / "bots.py").write_text("def lowest(obs, mask, player):\n    return mask.argmax(1)\n")
    agents = ["random", "greedy", "mcts:5", f"{tmp_path / 'bots.py'}:lowest"]
    command = ["arena", "leduc_poker", "--agents", *agents, "--episodes=60"]
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


def test_progress_names_lost_workers_and_policy_lag() -> None:
    metrics = {"charts/SPS": 10.0, "ray/policy_lag": 0.0, "ray/lost_workers": 0.0}
    assert line(metrics, 7, "return") == "7 decisions, 10/s"
    metrics |= {"ray/workers": 3.0, "ray/policy_lag": 1.25, "ray/lost_workers": 2.0}
    found = line(metrics, 7, "return")
    assert found == "7 decisions, 10/s, workers 3, policy lag 1.2, lost workers 2"
