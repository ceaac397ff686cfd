"""Rollouts played by Ray workers, for ``playmat train --ray``.

Each worker is a Ray actor that holds whole shards of the environments
(:class:`playmat.train.rollout.Shard`). For every update the driver sends the weights once through
Ray's object store, the workers play the rollout, and the driver learns from it: the algorithm is
:class:`playmat.train.ppo.PPO`, unchanged. What a shard plays does not depend on the worker that
holds it, so the weights after any update are bit for bit those of one process with as many shards,
if `torch_threads` there is `--worker-cpus` here.

The driver keeps the state of every shard before the running rollout. A worker that is lost is
replaced, and its shards play the same rollout again. If no replacement starts within
:data:`REPLACE_SECONDS`, because its node is gone, the other workers take its shards over.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray import exceptions
from ray.util.metrics import Gauge
from torch import Tensor

import playmat
from playmat.cluster import Cluster, WorkersLost, reason
from playmat.train.config import TrainConfig, refuse
from playmat.train.encoders.network import Network, placed
from playmat.train.league import Opposition
from playmat.train.ppo import PPO
from playmat.train.rollout import Arrays, Shard

#: After so many seconds without a result, a message names the workers that are awaited.
SLOW_SECONDS = 60.0
#: How long the replacement of a lost worker may take to start.
REPLACE_SECONDS = 60.0
#: After so many losses within one rollout the run ends: the cause is not the machine.
MAX_LOSSES = 8
#: What Ray raises where a worker, its process, its node or its result is lost.
LOST = (
    exceptions.RayActorError,
    exceptions.WorkerCrashedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
    exceptions.NodeDiedError,
)


class Worker:
    """The actor: shards by number, and a network that receives the driver's weights."""

    def __init__(self, game: playmat.Game, config: TrainConfig, threads: int) -> None:
        torch.set_num_threads(threads)
        self.game, self.config = game, config
        self.network: Network | None = None
        self.shards: dict[int, Shard] = {}
        #: Weights of past selves, by the update that each was made after.
        self.selves: dict[int, Mapping[str, Tensor]] = {}

    def resolve(self, opposition: Opposition | None) -> Opposition | None:
        """The league with the weights themselves; each past self is read from the store once."""
        if opposition is None:
            return None
        new = {update: ref for update, ref in opposition.selves if update not in self.selves}
        weights = dict(zip(new, ray.get(list(new.values())), strict=True))
        kept = {update: self.selves.get(update) for update, _ in opposition.selves}
        self.selves = {
            update: old or {name: torch.tensor(part) for name, part in weights[update].items()}
            for update, old in kept.items()
        }
        return replace(opposition, selves=tuple(self.selves.items()))

    def state_of(self, index: int) -> dict[str, Tensor]:
        """The state of a shard, which begins here if this worker does not hold it."""
        if index not in self.shards:
            self.shards[index] = Shard(self.game, self.config, index)
        return self.shards[index].state()

    def play(
        self,
        weights: Mapping[str, NDArray[Any]],
        progress: float,
        seconds: float,
        opposition: Opposition | None,
        shards: Sequence[tuple[int, Mapping[str, Tensor] | None]],
    ) -> dict[str, Any]:
        """Plays the rollout of some shards.

        Args:
            weights: The network's, by name.
            progress: As of :meth:`playmat.train.rollout.Shard.play`.
            seconds: The time that is left.
            opposition: The league, with past selves in the object store.
            shards: Their numbers, each with the state to begin from; None: as the last one ended.

        Returns:
            ``shards``, by number: arrays, episodes, state. ``environment``, ``inference``,
            ``total``: seconds.
        """
        started = time.perf_counter()
        if self.network is None:
            self.network = placed(Network(self.game, self.config), "cpu")
        self.network.load_state_dict({k: torch.tensor(w) for k, w in weights.items()})
        opposition = self.resolve(opposition)
        found: dict[int, dict[str, Any]] = {}
        spent: Counter[str] = Counter()
        for index, state in shards:
            if state is not None:
                self.state_of(index)
                self.shards[index].load(state)
            shard = self.shards[index]
            episodes = shard.play(self.network, progress, started + seconds, opposition)
            spent.update(shard.seconds)
            arrays = packed(shard) if episodes is not None else {}
            found[index] = {"arrays": arrays, "episodes": episodes, "state": shard.state()}
        return {"shards": found, **spent, "total": time.perf_counter() - started}


def packed(shard: Shard) -> dict[str, NDArray[Any]]:
    """What the learner needs of a rollout; masks as bits."""
    steps = shard.config.num_steps
    arrays = {name: getattr(shard, name)[:steps] for name in Arrays.NAMES}
    arrays["mask"] = np.packbits(arrays["mask"], axis=-1)
    if shard.imitation is None:
        del arrays["expert"]
    return arrays


def unpack(arrays: Mapping[str, NDArray[Any]], into: Arrays, envs: slice) -> None:
    """Writes :func:`packed` arrays into the environments of a whole rollout."""
    for name, array in arrays.items():
        whole = getattr(into, name)
        if name == "mask":
            array = np.unpackbits(array, axis=-1, count=whole.shape[-1]).view(np.bool_)
        whole[: len(array), envs] = array


class DistributedPPO(PPO):
    """PPO whose rollouts Ray workers play. Call :meth:`close` at the end.

    Metrics, beside PPO's: `ray/lost_workers` since the start, `ray/policy_lag` in updates (0, or 1
    with ``asynchronous``), `ray/rollout_megabytes` and `ray/weights_megabytes` of an update,
    `ray/slowest_worker_seconds`. Ray's dashboard has the same as gauges `playmat_*`.
    """

    def __init__(
        self, game: playmat.Game, network: Network, config: TrainConfig, cluster: Cluster,
        asynchronous: bool = False,
    ) -> None:  # fmt: skip
        if cluster.workers > config.num_shards:
            allowed = f"1 to {config.num_shards}, the number of shards (--num-shards)"
            refuse("workers", f"got {cluster.workers}; allowed: {allowed}")
        #: ``asynchronous``: the workers play the next rollout while this one is learnt from.
        self.cluster, self.asynchronous = cluster, asynchronous
        #: The rollout that workers are playing: which worker owes which result.
        self.pending: dict[Any, int] = {}
        #: Past selves in the object store, by the update that each was made after.
        self.selves: dict[int, Any] = {}
        self.lost = 0
        self.gauges: dict[str, Gauge] = {}
        super().__init__(game, network, config)

    def open(self) -> None:
        """Connects, starts the workers and the shards in them."""
        self.connected = self.cluster.connect()
        count, shards = self.cluster.workers, range(self.config.num_shards)
        #: The shards of each worker that lives.
        self.held = {w: [i for i in shards if i % count == w] for w in range(count)}
        self.workers = {w: self.start_worker() for w in self.held}
        refs = [self.workers[w].state_of.remote(i) for w in self.held for i in self.held[w]]
        order = [i for w in self.held for i in self.held[w]]
        #: The state of every shard before the running rollout.
        self.states: list[Mapping[str, Any]] = [
            state for _, state in sorted(zip(order, ray.get(refs), strict=True), key=lambda x: x[0])
        ]
        #: Shards whose state the worker does not hold.
        self.unknown: set[int] = set()

    def start_worker(self) -> Any:
        """A new actor."""
        cpus = self.cluster.worker_cpus
        options = ray.remote(num_cpus=cpus, max_restarts=0, max_task_retries=0)(Worker)
        return options.remote(self.game, self.config, cpus)

    def rollout(self, progress: float) -> bool:
        """Has the workers play, replaces those that are lost, and fills the arrays."""
        started = time.perf_counter()
        lag = bool(self.pending)
        if not self.pending:
            self.dispatch(progress)
        results = self.gather()
        slowest = max(results, key=lambda result: float(result["total"]))
        found = {index: shard for result in results for index, shard in result["shards"].items()}
        for index, shard in found.items():
            # A copy: the state lies in the same object of the store as the arrays.
            self.states[index] = {name: part.clone() for name, part in shard["state"].items()}
            unpack(shard["arrays"], self, self.config.shard(index))
        complete = self.note([found[index]["episodes"] for index in sorted(found)])
        if self.asynchronous and complete:
            self.dispatch(progress)
        spent = time.perf_counter() - started
        for name in ("environment", "inference"):
            self.seconds[name] += min(slowest[name], spent)
        self.seconds["transfer"] += max(0.0, spent - slowest["total"])
        arrays = [array for shard in found.values() for array in shard["arrays"].values()]
        self.metrics |= {
            "ray/lost_workers": float(self.lost),
            "ray/policy_lag": float(lag),
            "ray/rollout_megabytes": sum(array.nbytes for array in arrays) / 1e6,
            "ray/weights_megabytes": self.weights_bytes / 1e6,
            "ray/slowest_worker_seconds": float(slowest["total"]),
        }
        self.show(spent)
        return complete

    def dispatch(self, progress: float) -> None:
        """Sends the weights and lets every worker begin a rollout."""
        weights = {k: w.cpu().numpy() for k, w in self.network.state_dict().items()}
        self.weights_bytes = sum(w.nbytes for w in weights.values())
        try:
            self.job = (ray.put(weights), progress)
            self.opposition = self.stored_opposition()
        except (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError) as error:
            raise self.full(error) from error
        self.pending = {self.submit(worker): worker for worker in self.workers}

    def stored_opposition(self) -> Opposition | None:
        """The league with its past selves in the object store, each put there once."""
        if self.league is None:
            return None
        opposition = self.league.opposition()
        self.selves = {
            update: self.selves.get(update)
            or ray.put({name: part.numpy() for name, part in weights.items()})
            for update, weights in opposition.selves
        }
        return replace(opposition, selves=tuple(self.selves.items()))

    def submit(self, worker: int) -> Any:
        """Lets a worker play the running rollout."""
        left = self.deadline - time.perf_counter()
        shards = [(i, self.states[i] if i in self.unknown else None) for i in self.held[worker]]
        self.unknown.difference_update(self.held[worker])
        return self.workers[worker].play.remote(*self.job, left, self.opposition, shards)

    def gather(self) -> list[dict[str, Any]]:
        """The results of the running rollout; lost workers are replaced on the way."""
        results, lost = [], 0
        while self.pending:
            done, _ = ray.wait(list(self.pending), num_returns=1, timeout=SLOW_SECONDS)
            if not done:
                self.say(
                    f"waiting for {self.names(self.pending.values())}, {SLOW_SECONDS:g} s so far"
                )
            for ref in done:
                worker = self.pending.pop(ref)
                try:
                    results.append(ray.get(ref))
                except LOST as error:
                    lost += 1
                    if lost > MAX_LOSSES:
                        raise WorkersLost(
                            f"{lost} workers were lost in one rollout; the last reason: "
                            f"{type(error).__name__}: {reason(error)}"
                        ) from error
                    self.replace(worker, error)
                except (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError) as error:
                    raise self.full(error) from error
                except exceptions.RayTaskError as error:
                    # What the worker itself raised, with its traceback as the cause.
                    raised: Any = error
                    raise raised.as_instanceof_cause() from error
        return results

    def replace(self, worker: int, error: Exception) -> None:
        """Replaces a lost worker, or divides its shards among the others."""
        self.lost += 1
        self.say(f"{self.names([worker])} was lost ({type(error).__name__}: {reason(error)}); "
                 "its part of the rollout is played again")  # fmt: skip
        shards = self.held[worker]
        self.unknown.update(shards)
        ray.kill(self.workers[worker])
        self.workers[worker] = self.start_worker()
        try:
            ray.get(self.workers[worker].__ray_ready__.remote(), timeout=REPLACE_SECONDS)
        except (*LOST, exceptions.GetTimeoutError) as failure:
            ray.kill(self.workers.pop(worker))
            del self.held[worker]
            if not self.workers:
                raise WorkersLost("no worker is left, and Ray starts no new one") from failure
            others = sorted(self.workers)
            self.say(f"no worker replaces it; {self.names(others)} take its shards over")
            for k, shard in enumerate(shards):
                worker = others[k % len(others)]
                job = [(shard, self.states[shard])]
                self.held[worker].append(shard)
                self.unknown.discard(shard)
                left = self.deadline - time.perf_counter()
                ref = self.workers[worker].play.remote(*self.job, left, self.opposition, job)
                self.pending[ref] = worker
            return
        self.pending[self.submit(worker)] = worker

    def full(self, error: Exception) -> playmat.Error:
        """The message where the object store or the disk under it is full."""
        config = self.config
        size = sum(getattr(self, name).nbytes for name in Arrays.NAMES) / 1e6
        return playmat.Error(
            f"Ray's object store is full: a rollout of {config.num_envs} environments and "
            f"{config.num_steps} steps has up to {size:,.0f} MB; lower --num-envs or --num-steps, "
            f"or start Ray with more object_store_memory ({reason(error)})"
        )

    def show(self, spent: float) -> None:
        """Sets the gauges of Ray's dashboard."""
        figures = {"decisions_per_second": self.action.size / max(spent, 1e-9)}
        for name in ("lost_workers", "policy_lag", "rollout_megabytes"):
            figures[name] = self.metrics[f"ray/{name}"]
        for name, value in figures.items():
            if name not in self.gauges:
                self.gauges[name] = Gauge(f"playmat_{name}", f"playmat: {name.replace('_', ' ')}")
            self.gauges[name].set(value)

    @staticmethod
    def names(workers: Any) -> str:
        """Workers as messages name them."""
        numbers = sorted(set(workers))
        return f"worker{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"

    @staticmethod
    def say(message: str) -> None:
        """A line on standard error."""
        print(f"ray: {message}", file=sys.stderr, flush=True)

    def shard_states(self) -> list[dict[str, Tensor]]:
        """See :meth:`PPO.shard_states`."""
        return [dict(state) for state in self.states]

    def load_shards(self, states: Sequence[Mapping[str, Any]]) -> None:
        """See :meth:`PPO.load_shards`."""
        self.pending.clear()
        self.states = list(states)
        self.unknown = set(range(len(states)))

    def close(self) -> None:
        """Ends the workers, and Ray if this run started it."""
        for worker in self.workers.values():
            ray.kill(worker)
        self.workers, self.pending = {}, {}
        if self.connected:
            ray.shutdown()
