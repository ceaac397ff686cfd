"""Measures for docs/scaling.md: `python tests/ray/measure.py PART ...`, where PART is one of

- `speed`: trainings of one process and of workers, in turns: decisions per second, time by what it
  is spent on, bytes of an update; then the driver alone, with fake workers that sleep; and from both
  what runs of 8, 64 and 512 workers would need.
- `learning`: synchronous and asynchronous trainings of as many decisions, some seeds of each, and
  what the asynchronous ones reach more or less than the synchronous ones of the same seeds.
- `memory`: a long run of a tiny configuration, with the memory of all its processes.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np
import ray
import torch
from trainings import slow_down

import playmat
from playmat.cluster import Cluster
from playmat.train.cli import MAX_POLICY_LAG
from playmat.train.config import TrainConfig, preset
from playmat.train.ppo import PPO
from playmat.train.rollout import Arrays
from playmat.train.trainer import Trainer
from playmat.train.workers import DistributedPPO, packed

PARTS = ("inference", "environment", "transfer", "learning")
#: Student's t for a 95% interval of a mean, by degrees of freedom from 1.
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
ENDLESS: dict[str, Any] = {"minutes": 0, "total_decisions": 10**12, "torch_threads": 1}

#: Minibatches of the numbers in docs/scaling.md, where the preset has another number.
MINIBATCHES = {"connect_four": 8}


def self_play(game: str) -> TrainConfig:
    """What is measured of a game: self-play alone, in two shards."""
    count = MINIBATCHES.get(game, preset(game).num_minibatches)
    return preset(
        game, **ENDLESS, num_shards=2, num_minibatches=count, imitation_fraction=0.0,
        greedy_bonus=0, opponent_fraction=0.0,
    )  # fmt: skip


def workers(count: int, max_policy_lag: int = 0) -> Any:
    """The algorithm with ``count`` workers."""
    return functools.partial(
        DistributedPPO, cluster=Cluster("auto", count), max_policy_lag=max_policy_lag
    )


def table(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> None:
    """Prints a table in Markdown."""
    names = list(head)
    lines = [names, ["---"] + ["---:"] * (len(names) - 1), *rows]
    for row in lines:
        print(f"| {' | '.join(map(str, row))} |", flush=True)
    if len(lines) > 2:
        print(flush=True)


def trainings(game: str, rounds: int, updates: int) -> None:
    """Prints a row per training."""
    kinds: dict[str, Any] = {"one process": PPO}
    for count, name in ((1, "1 worker"), (2, "2 workers")):
        kinds |= {name: workers(count), f"{name}, `--async`": workers(count, MAX_POLICY_LAG)}
    config = self_play(game)
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


@dataclass
class Costs:
    """Of a shard: its size, and seconds of processor time."""

    decisions: int
    #: What travels, and what the driver's arrays of it take.
    megabytes: float
    unpacked: float
    playing: float
    learning: float
    #: What the driver needs to take it in.
    transfer: float = 0.0


def costs(game: str, updates: int) -> Costs:
    """Prints and returns what a shard costs in one process with one thread."""
    config = self_play(game)
    trainer = Trainer(game, {}, config)
    ppo = trainer.ppo

    @contextmanager
    def clock(self: Arrays, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.seconds[name] += time.process_time() - start

    # By the clock of the wall, other work on this machine would count.
    before, Arrays.clock = Arrays.clock, clock  # type: ignore[method-assign]
    try:
        trainer.update()
        ppo.seconds = dict.fromkeys(ppo.seconds, 0.0)
        for _ in range(updates):
            trainer.update()
    finally:
        Arrays.clock = before  # type: ignore[method-assign]
    shard, each = ppo.shards[0], {k: s / updates / 2 for k, s in ppo.seconds.items()}
    found = Costs(
        decisions=shard.action.size,
        megabytes=sum(array.nbytes for array in packed(shard).values()) / 1e6,
        unpacked=sum(getattr(shard, name).nbytes for name in Arrays.NAMES) / 1e6,
        playing=each["environment"] + each["inference"],
        learning=each["learning"],
    )
    print(
        f"A shard of {found.decisions:,} decisions, in seconds of processor time of one thread: "
        f"inference {each['inference']:.3f}, environment {each['environment']:.4f}, learning "
        f"{each['learning']:.3f}; {found.megabytes:.2f} MB travel, {found.unpacked:.2f} MB unpacked"
        ".\n", flush=True,
    )  # fmt: skip
    return found


class Fake:
    """Workers that sleep instead of playing: threads of one process."""

    def __init__(self, found: dict[str, Any], seconds: float) -> None:
        self.found = {**found, "environment": seconds, "inference": 0.0, "total": seconds}

    def play(self, *arguments: Any) -> dict[str, Any]:
        time.sleep(self.found["total"])
        return self.found


class Anywhere(Cluster):
    """A cluster that has cores enough."""

    def connect(self) -> bool:
        return False


class Faked(DistributedPPO):
    """The driver's own code, with fake workers."""

    def __init__(self, *arguments: Any, fakes: list[Any]) -> None:
        self.fakes = itertools.cycle(fakes)
        config = arguments[2]
        super().__init__(*arguments, cluster=Anywhere("auto", config.num_shards))

    def start_worker(self) -> Any:
        return next(self.fakes)


def saturation(game: str, seconds: float, most: int) -> float:
    """Prints what the driver needs for the rollouts of up to ``most`` workers that play for ``seconds``.
    Returns its seconds of processor time for each of many.
    """
    config = self_play(game)
    trainer = Trainer(game, {}, config)
    shard = trainer.ppo.shards[0]
    episodes = shard.play(trainer.network, 0.0)
    found = ray.put({"arrays": packed(shard), "episodes": episodes, "state": shard.state()})
    kind = ray.remote(num_cpus=0, max_concurrency=32, enable_task_events=False)(Fake)
    fakes = [kind.remote(found, seconds) for _ in range(4)]
    rows, each = [], 0.0
    for count in (1, 2, 4, 8, 16, 32, 64, 128):
        if count > most:
            break
        shards = {"num_shards": count, "num_envs": count * config.num_envs // 2}
        algorithm = functools.partial(Faked, fakes=fakes)
        ppo = Trainer(game, {}, replace(config, **shards), algorithm=algorithm).ppo
        ppo.rollout(0.0)
        walls, busy = [], []
        for _ in range(5):
            start, then = time.perf_counter(), time.process_time()
            ppo.rollout(0.0)
            walls.append(time.perf_counter() - start - seconds)
            busy.append(time.process_time() - then)
        each = median(busy) / count
        wall = f"{median(walls):.3f}"
        rows.append([count, wall, f"{1000 * median(walls) / count:.2f}", f"{1000 * each:.2f}"])
    for fake in fakes:
        ray.kill(fake)
    head = [f"fake workers, {seconds} s of sleep", "update less the sleep, s", "per worker, ms"]
    table([*head, "the driver's processor time per worker, ms"], rows)
    return each


def projection(shard: Costs) -> None:
    """Prints what 8, 64 and 512 workers with one shard each would need, from what was measured."""
    for learner, speed in (("as fast as here", 1.0), ("that takes no time", math.inf)):
        rows, each = [], shard.learning / speed + shard.transfer
        for count in (8, 64, 512):
            moved, learning = count * shard.transfer, count * shard.learning / speed
            total = shard.playing + moved + learning
            overlapped = max(shard.playing, moved + learning)
            decisions = count * shard.decisions
            parts = {"playing": shard.playing, "transfer": moved, "learning": learning}
            limit = max(parts, key=lambda name: parts[name])
            rows.append([
                count, *(f"{part:.3g}" for part in parts.values()),
                f"{limit}, {parts[limit] / total:.0%}",
                f"{decisions / total:,.0f}", f"{decisions / overlapped:,.0f}",
                f"{count * shard.megabytes / total:,.0f}", f"{count * shard.unpacked / 1000:.2g}",
                *(f"{(count + 1) * t / decisions * 1e9 / 3600:,.1f}" for t in (total, overlapped)),
            ])  # fmt: skip
        head = [f"workers, a learner {learner}", "playing, s", "transfer, s", "learning, s"]
        head += ["limit", "decisions/s", "`--async`, decisions/s", "MB/s", "driver's arrays, GB"]
        table([*head, "core-hours for 1e9 decisions", "with `--async`"], rows)
        print(
            f"This driver is saturated by {shard.playing / each:.1f} workers: a worker needs "
            f"{shard.playing:.3g} s for a shard, the driver {each:.3g} s.\n", flush=True,
        )  # fmt: skip


def information_states(game: playmat.Game) -> dict[int, tuple[Any, Any, int]]:
    """By the key of each information state of a small game, observation and mask of one position,
    and what the greedy agent chooses there.
    """
    found: dict[int, tuple[Any, Any, int]] = {}
    greedy = game.agent("greedy")

    def visit(env: playmat.Env) -> None:
        if env.done:
            return
        seen = env.observation(), env.action_mask(), greedy.act(env)
        found.setdefault(env.information_state_key(), seen)
        for action in env.legal_actions():
            for after, _ in env.chance_outcomes(action):
                visit(after)

    for env, _ in game.chance_outcomes():
        visit(env)
    return found


def reached(trainer: Trainer) -> dict[str, float]:
    """What a trained policy is worth: its exact exploitability where chance is listed, otherwise
    its returns against fixed opponents.
    """
    if trainer.name in ("kuhn_poker", "leduc_poker"):
        states = information_states(trainer.eval_game)
        obs, mask, greedy = (np.stack(part) for part in zip(*states.values(), strict=True))
        given = (torch.from_numpy(part) for part in (obs, mask.astype(bool), greedy))
        with torch.no_grad():
            logits, _ = trainer.network(*given)
        chances = logits.double().softmax(1).numpy() * mask
        chances /= chances.sum(1, keepdims=True)
        policy = dict(zip(states, chances, strict=True))
        return {"exploitability": playmat.exploitability(trainer.eval_game, policy).exploitability}
    note = trainer.evaluate(trainer.config.final_episodes)
    return {
        f"return against {name.removeprefix('eval/return_')}": value
        for name, value in note.items()
        if name.startswith("eval/return_") and not name.endswith(("_low", "_high"))
    }


def learning(
    game: str, decisions: int, seeds: int, slow: float, hyperparameters: dict[str, Any]
) -> None:
    """Prints results of synchronous and asynchronous trainings, in turns; the ends of a 95%
    interval are those of Student's t.
    """
    config = {"minutes": 0, "total_decisions": decisions, "num_shards": 2, "torch_threads": 1}
    config |= {"eval_minutes": 0, "final_episodes": 2000, **hyperparameters}
    kinds = {
        "synchronous": workers(2),
        **{f"`--async --max-policy-lag {lag}`": workers(2, lag) for lag in (1, 2)},
        f"`--async --max-policy-lag 8`, a worker {slow} s late": workers(2, 8),
    }
    found: dict[str, dict[str, list[float]]] = {kind: {} for kind in kinds}
    for seed in range(1, seeds + 1):
        for kind, algorithm in kinds.items():
            trainer = Trainer(game, {}, preset(game, **config, seed=seed), algorithm=algorithm)
            if "late" in kind:
                slow_down(trainer.ppo, 1, slow)
            lagged, most, outside = [], 0.0, []
            while not trainer.finished:
                trainer.update()
                lagged.append(trainer.ppo.metrics["ray/policy_lag"])
                most = max(most, trainer.ppo.metrics["ray/max_policy_lag"])
                outside.append(trainer.ppo.metrics.get("losses/clipfrac", 0.0))
            trainer.ppo.close()
            results = {"policy lag": mean(lagged), "largest lag": most, "clipped": mean(outside)}
            results |= reached(trainer)
            for name, value in results.items():
                found[kind].setdefault(name, []).append(value)
            print(f"seed {seed}, {kind}: {results}", flush=True)
    names = list(found["synchronous"])
    rows = []
    for kind, values in found.items():
        row = [kind, *(f"{mean(values[n]):.3f} ± {stdev(values[n]):.3f}" for n in names)]
        for name in names[3:]:
            pairs = zip(values[name], found["synchronous"][name], strict=True)
            more = [one - other for one, other in pairs]
            margin = T_95[seeds - 2] * stdev(more) / seeds**0.5
            row.append(f"{mean(more):+.3f} ± {margin:.3f}" if kind != "synchronous" else "-")
        rows.append(row)
    differences = [f"{name}, minus synchronous" for name in names[3:]]
    table([f"{game}, {decisions:,} decisions, {seeds} seeds", *names, *differences], rows)


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
    table(["update", *kinds, "object store, MB", "seconds"], [])
    start = time.perf_counter()
    for update in range(updates + 1):
        trainer.update()
        if update in (10, 100) or (update * 10 % updates == 0 and update):
            row = [" and ".join(f"{resident(pid):.1f}" for pid in p) for p in kinds.values()]
            row.append(f"{sum(resident(pid, 'RssShmem') for pid in kinds['raylet, MB']):.1f}")
            cells = [f"{update:,}", *row, f"{time.perf_counter() - start:.0f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    ppo.close()


def resident(pid: int, part: str = "RssAnon") -> float:
    """Megabytes in memory that a process has for itself alone, or another part of them."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{part}:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["speed", "learning", "memory"])
    parser.add_argument("games", nargs="*", default=["graphia", "connect_four"])
    parser.add_argument("--rounds", type=int, default=5, help="speed: turns of each training")
    parser.add_argument("--updates", type=int, help="speed: of a turn (8); memory: of the run")
    parser.add_argument("--decisions", type=int, default=4_000_000, help="learning")
    parser.add_argument("--seeds", type=int, default=3, help="learning: 2 to 10")
    parser.add_argument("--slow", type=float, default=1.0, help="learning: seconds of a worker")
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
        trainings(game, arguments.rounds, arguments.updates or 8)
        shard = costs(game, arguments.updates or 8)
        # As many arrays of the driver as a machine with little memory has room for.
        shard.transfer = saturation(game, 0.5, int(2000 / shard.unpacked))
        projection(shard)
    if arguments.part == "learning":
        known = preset(arguments.games[-1])
        changes = dict(pair.split("=", 1) for pair in arguments.set)
        typed = {name: type(getattr(known, name))(value) for name, value in changes.items()}
        learning(arguments.games[-1], arguments.decisions, arguments.seeds, arguments.slow, typed)
    ray.shutdown()


if __name__ == "__main__":
    main()
