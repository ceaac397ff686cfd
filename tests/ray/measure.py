"""Measures for docs/scaling.md: `python tests/ray/measure.py PART ...`, where PART is one of

- `speed`: trainings of one process and of workers, in turns: decisions per second, time by what it
  is spent on, bytes of an update; then the driver alone, with fake workers that sleep; and from both
  what runs of 8, 64 and 512 workers would need.
- `learning`: synchronous and asynchronous trainings of as many decisions, some seeds of each.
- `memory`: a long run of a tiny configuration, with the memory of all its processes.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np
import ray

from playmat.cluster import Cluster
from playmat.train.cli import MAX_POLICY_LAG
from playmat.train.config import preset
from playmat.train.ppo import PPO
from playmat.train.trainer import Trainer
from playmat.train.workers import DistributedPPO, packed, unpack

PARTS = ("inference", "environment", "transfer", "learning")
ENDLESS: dict[str, Any] = {"minutes": 0, "total_decisions": 10**12, "torch_threads": 1}


def workers(count: int, max_policy_lag: int = 0) -> Any:
    """The algorithm with so many workers."""
    return functools.partial(
        DistributedPPO, cluster=Cluster("auto", count), max_policy_lag=max_policy_lag
    )


def table(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> None:
    """Prints a table in Markdown."""
    names = list(head)
    for row in [names, ["---"] + ["---:"] * (len(names) - 1), *rows]:
        print(f"| {' | '.join(map(str, row))} |")
    print(flush=True)


def trainings(game: str, rounds: int, updates: int) -> dict[str, float]:
    """Prints a row per training; returns seconds, and megabytes, of a shard."""
    kinds: dict[str, Any] = {"one process": PPO}
    for count, name in ((1, "1 worker"), (2, "2 workers")):
        kinds |= {name: workers(count), f"{name}, `--async`": workers(count, MAX_POLICY_LAG)}
    config = preset(game, **ENDLESS, num_shards=2)
    trainers = {kind: Trainer(game, {}, config, algorithm=a) for kind, a in kinds.items()}
    speeds: dict[str, list[float]] = {kind: [] for kind in kinds}
    spent = {kind: dict.fromkeys(PARTS, 0.0) for kind in kinds}
    for _ in range(rounds):
        for kind, trainer in trainers.items():
            # Not measured: what follows on the pause while the others had their turn.
            trainer.update()
            trainer.ppo.seconds = dict.fromkeys(trainer.ppo.seconds, 0.0)
            start = time.perf_counter()
            for _ in range(updates):
                trainer.update()
            wall = time.perf_counter() - start
            speeds[kind].append(updates * trainer.ppo.action.size / wall)
            for part in PARTS:
                spent[kind][part] += trainer.ppo.seconds[part] / (rounds * updates)
            if isinstance(trainer.ppo, DistributedPPO) and (left := list(trainer.ppo.pending)):
                # What workers play ahead must not take the cores of the next training.
                ray.wait(left, num_returns=len(left))
    head = [game, "decisions/s", *(f"{part}, s" for part in PARTS)]
    rows = [
        [kind, f"{median(speeds[kind]):,.0f}", *(f"{spent[kind][part]:.3f}" for part in PARTS)]
        for kind in kinds
    ]
    table(head, rows)
    last = trainers["2 workers"].ppo
    rollout, sent = (last.metrics[f"ray/{n}_megabytes"] for n in ("rollout", "weights"))
    print(f"An update of {last.action.size:,} decisions moves {rollout:.2f} MB of rollouts and")
    print(f"{sent:.2f} MB of weights.\n", flush=True)
    for trainer in trainers.values():
        trainer.ppo.close()
    alone = spent["one process"]
    return {
        "decisions": last.action.size / 2,
        "megabytes": rollout / 2,
        "playing": (alone["inference"] + alone["environment"]) / 2,
        "learning": alone["learning"] / 2,
    }


class Fake:
    """A worker that sleeps instead of playing."""

    def play(self, weights: Any, arrays: dict[str, Any], seconds: float) -> dict[str, Any]:
        time.sleep(seconds)
        return {name: array.copy() for name, array in arrays.items()}


def saturation(game: str, seconds: float) -> float:
    """Prints what the driver needs for an update of so many workers that play for ``seconds``.
    Returns the seconds for each of many.
    """
    trainer = Trainer(game, {}, preset(game, **ENDLESS, num_shards=2))
    weights = {k: w.numpy() for k, w in trainer.network.state_dict().items()}
    shard = trainer.ppo.shards[0]
    shard.play(trainer.network, 0.0)
    arrays = ray.put(packed(shard))
    fake = ray.remote(num_cpus=0.01, enable_task_events=False)(Fake)
    rows, each = [], 0.0
    for count in (1, 2, 4, 8, 16, 32, 64):
        actors = [fake.remote() for _ in range(count)]
        ray.get([actor.play.remote(0, arrays, 0) for actor in actors])
        times = []
        for _ in range(5):
            start = time.perf_counter()
            ref = ray.put(weights)
            left = [actor.play.remote(ref, arrays, seconds) for actor in actors]
            while left:
                done, left = ray.wait(left, num_returns=1)
                unpack(ray.get(done[0]), trainer.ppo, shard.envs)
            times.append(time.perf_counter() - start)
        each = (median(times) - seconds) / count
        rows.append([count, f"{each * count:.3f}", f"{1000 * each:.2f}"])
        for actor in actors:
            ray.kill(actor)
    table([f"fake workers, {seconds} s of sleep", "update, s", "per worker, ms"], rows)
    return each


def projection(shard: dict[str, float], transfer: float) -> None:
    """Prints what so many workers with one shard each would need, from what was measured."""
    rows = []
    for count in (8, 64, 512):
        moved, learning = count * transfer, count * shard["learning"]
        total = shard["playing"] + moved + learning
        overlapped = max(shard["playing"], moved + learning)
        decisions = count * shard["decisions"]
        hours = (count + 1) * total / decisions * 1e9 / 3600
        rows.append([
            count, f"{shard['playing']:.2f}", f"{moved:.2f}", f"{learning:.2f}",
            f"{decisions / total:,.0f}", f"{decisions / overlapped:,.0f}",
            f"{count * shard['megabytes'] / total:.0f}", f"{hours:,.1f}",
        ])  # fmt: skip
    head = ["workers", "playing, s", "transfer, s", "learning, s", "decisions/s"]
    table([*head, "`--async`, decisions/s", "MB/s", "core-hours for 1e9 decisions"], rows)
    shards, made = 1 / transfer, shard["decisions"] / shard["playing"]
    print(
        f"A driver that does not learn takes in {shards:.0f} shards, "
        f"{shards * shard['megabytes']:.0f} MB or {shards * shard['decisions']:,.0f} decisions a "
        f"second; a worker makes {made:,.0f} decisions a second.\n", flush=True,
    )  # fmt: skip


def learning(game: str, decisions: int, seeds: int, hyperparameters: dict[str, Any]) -> None:
    """Prints results of synchronous and asynchronous trainings, in turns."""
    config = {"minutes": 0, "total_decisions": decisions, "num_shards": 2, "torch_threads": 1}
    config |= {"eval_minutes": 0, "final_games": 2000, **hyperparameters}
    kinds = {"synchronous": workers(2), "`--async`": workers(2, MAX_POLICY_LAG)}
    found: dict[str, dict[str, list[float]]] = {kind: {} for kind in kinds}
    for seed in range(1, seeds + 1):
        for kind, algorithm in kinds.items():
            trainer = Trainer(game, {}, preset(game, **config, seed=seed), algorithm=algorithm)
            start, lags, most = time.perf_counter(), [], 0.0
            while not trainer.finished:
                trainer.update()
                lags.append(trainer.ppo.metrics["ray/policy_lag"])
                most = max(most, trainer.ppo.metrics["ray/max_policy_lag"])
            results = {"seconds": time.perf_counter() - start, "policy lag": mean(lags)}
            results["largest lag"] = most
            trainer.ppo.close()
            note = trainer.evaluate(trainer.config.final_games)
            for name, value in note.items():
                if name.startswith("eval/return_") and not name.endswith(("_low", "_high")):
                    results[f"return against {name.removeprefix('eval/return_')}"] = value
            for name, value in results.items():
                found[kind].setdefault(name, []).append(value)
            print(f"seed {seed}, {kind}: {results}", flush=True)
    names = list(found["synchronous"])
    table(
        [f"{game}, {decisions:,} decisions, {seeds} seeds", *names],
        [
            [kind, *(f"{mean(v[n]):.3f} ± {stdev(v[n]):.3f}" for n in names)]
            for kind, v in found.items()
        ],
    )


def memory(updates: int, max_policy_lag: int) -> None:
    """Prints the memory of driver, workers and Ray's own processes over a run."""
    config = preset(
        "leduc_poker", **ENDLESS, num_envs=4, num_shards=2, num_steps=8, num_minibatches=1,
        update_epochs=1, width=16, device="cpu", eval_minutes=0, save_minutes=0,
    )  # fmt: skip
    trainer = Trainer("leduc_poker", {}, config, algorithm=workers(2, max_policy_lag))
    ppo = trainer.ppo
    assert isinstance(ppo, DistributedPPO)
    pids = [ray.get(a.__ray_call__.remote(lambda self: os.getpid())) for a in ppo.workers.values()]
    session = ray._private.worker._global_node.get_session_dir_path()
    kinds = {"driver, MB": [os.getpid()], "workers, MB": pids}
    for name, program in (("raylet, MB", "raylet/raylet"), ("GCS, MB", "gcs/gcs_server")):
        kinds[name] = [
            int(file.parent.name)
            for file in Path("/proc").glob("[0-9]*/cmdline")
            if program in (words := file.read_text().split("\0"))[0]
            and any(session in word for word in words)
        ]
    print(f"max_policy_lag {max_policy_lag}; memory of a process without what it shares")
    table(["update", *kinds, "seconds"], [])
    start = time.perf_counter()
    for update in range(updates + 1):
        trainer.update()
        if update in (10, 100) or (update * 10 % updates == 0 and update):
            row = [" and ".join(f"{private(pid):.1f}" for pid in p) for p in kinds.values()]
            cells = [f"{update:,}", *row, f"{time.perf_counter() - start:.0f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    ppo.close()


def private(pid: int) -> float:
    """Megabytes that a process has for itself alone."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["speed", "learning", "memory"])
    parser.add_argument("games", nargs="*", default=["graphia", "connect_four"])
    parser.add_argument("--rounds", type=int, default=5, help="speed: turns of each training")
    parser.add_argument("--updates", type=int, help="speed: of a turn (8); memory: of the run")
    parser.add_argument("--decisions", type=int, default=4_000_000, help="learning")
    parser.add_argument("--seeds", type=int, default=3, help="learning")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="learning")
    parser.add_argument("--max-policy-lag", type=int, default=0, help="memory")
    arguments = parser.parse_args()
    # Ray gives its workers the lowest priority. Beside other work, they would not get their share.
    os.environ.setdefault("RAY_worker_niceness", "0")
    ray.init(
        "local", num_cpus=8, include_dashboard=False, log_to_driver=False, logging_level="error"
    )
    versions = f"numpy {np.__version__}, ray {ray.__version__}"
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} at the start, {versions}\n", flush=True)
    if arguments.part == "memory":
        memory(arguments.updates or 10_000, arguments.max_policy_lag)
    for game in arguments.games if arguments.part == "speed" else ():
        shard = trainings(game, arguments.rounds, arguments.updates or 8)
        each = (
            "{decisions:,.0f} decisions: {playing:.3f} s of playing, {learning:.3f} s of learning"
        )
        print(f"A shard of one process, {each.format(**shard)}.\n")
        projection(shard, saturation(game, 0.5))
    if arguments.part == "learning":
        known = preset(arguments.games[-1])
        changes = dict(pair.split("=", 1) for pair in arguments.set)
        typed = {name: type(getattr(known, name))(value) for name, value in changes.items()}
        learning(arguments.games[-1], arguments.decisions, arguments.seeds, typed)
    ray.shutdown()


if __name__ == "__main__":
    main()
