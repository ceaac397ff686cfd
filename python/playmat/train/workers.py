"""Rollouts played by Ray workers, for ``playmat train --ray``.

Each worker is a Ray actor that holds whole shards of the environments
(:class:`playmat.train.rollout.Shard`). For every update the driver sends the weights once through
Ray's object store, the workers play their shards, and the driver learns from as many rollouts of
shards as there are shards: the algorithm is :class:`playmat.train.ppo.PPO`, unchanged.

With a `max_policy_lag` of 0 the rollouts of an update are one of each shard, played by the newest
weights. What a shard plays does not depend on the worker that holds it, so the weights after any
update are bit for bit those of one process with as many shards, if `torch_threads` there is
`--worker-cpus` here. Above 0 the workers play on while the driver learns, and an update takes the
rollouts that arrived first (:class:`Schedule`).

The driver keeps the state of every shard before each rollout that is under way. A worker that is
lost is replaced, and its shards play the same rollouts again. If no replacement starts within
:data:`REPLACE_SECONDS`, because its node is gone, the other workers take its shards over.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray import exceptions
from ray.util.metrics import Gauge
from torch import Tensor

import playmat
from playmat.cluster import SLOW_SECONDS, Cluster, WorkersLost, reason, say
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.encoders.network import Network, placed
from playmat.train.files import refuse_files
from playmat.train.imitation import Imitation
from playmat.train.league import LeagueSnapshot
from playmat.train.ppo import PPO
from playmat.train.rollout import AHEAD, Arrays, Shard

#: How long the replacement of a lost worker may take to start.
REPLACE_SECONDS = 60.0
#: A worker is slow if its rollout of a shard takes SLOW_FACTOR times as long as those of the
#: others, and SLOWER_SECONDS longer, SLOW_ROLLOUTS times in a row.
SLOW_FACTOR, SLOWER_SECONDS, SLOW_ROLLOUTS = 3.0, 1.0, 3
#: Losses within one rollout after which the run ends: the cause is not the machine.
MAX_LOSSES = 8
#: Seconds between two looks for results while the driver learns.
POLL_SECONDS = 0.02
#: What Ray raises where a worker, its process, its node or its result is lost.
LOST = (
    exceptions.RayActorError,
    exceptions.WorkerCrashedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
    exceptions.NodeDiedError,
)
#: What Ray raises where the object store, or the disk that it overflows to, is full.
FULL = (exceptions.ObjectStoreFullError, exceptions.OutOfDiskError)


@dataclass(eq=False)
class Play:
    """A rollout of a shard: under way, or done and not learned from yet."""

    shard: int
    worker: int
    #: Updates of the weights that play it.
    updates: int
    #: The share of the run that was done when it began.
    progress: float
    #: The past selves of the league that it plays against.
    selves: tuple[int, ...] = ()
    #: What :meth:`Worker.play` returned.
    result: Mapping[str, Any] | None = None


class Schedule:
    """Decides which rollouts are played and learned from, so that none is older than ``max_lag``
    updates when it is learned from. An update learns from ``size`` rollouts, the oldest weights
    first; there are as many shards.

    A rollout by the weights of update v must be learned from in update v + ``max_lag`` at the
    latest. So no more than `size` rollouts may be left for the next update alone, 2 `size` for the
    next two, and so on. Both methods keep this rule, so that waiting always ends.
    """

    def __init__(self, size: int, max_lag: int) -> None:
        self.size, self.max_lag = size, max_lag
        #: Under way; done, in the order of arrival.
        self.running: list[Play] = []
        self.done: list[Play] = []

    def may_play(self, is_learning: bool) -> bool:
        """Whether a rollout may begin by the newest weights there are: those of the running
        update, which has chosen its rollouts already if it ``is_learning``.
        """
        most = (self.max_lag + (not is_learning)) * self.size
        return len(self.done) < self.size and len(self.done) + len(self.running) < most

    def choose(self, updates: int) -> list[Play] | None:
        """Takes out what the update after ``updates`` updates learns from; None: wait for more."""
        by_age = sorted(self.done, key=lambda play: play.updates)
        chosen, rest = by_age[: self.size], [*by_age[self.size :], *self.running]
        if len(chosen) < self.size:
            return None
        for more in range(self.max_lag + 1):
            oldest = updates + more - self.max_lag
            if sum(play.updates <= oldest for play in rest) > more * self.size:
                return None
        self.done = [play for play in self.done if play not in chosen]
        return chosen


class Worker:
    """The actor: shards by number, and a network that receives the driver's weights."""

    def __init__(self, game: playmat.Game, config: TrainConfig, threads: int) -> None:
        torch.set_num_threads(threads)
        self.game, self.config = game, config
        self.network: Network | None = None
        #: The number of the weights that the network has.
        self.version = -1
        self.shards: dict[int, Shard] = {}
        #: Weights of past selves, by the update that each was made after.
        self.selves: dict[int, Mapping[str, Tensor]] = {}

    def resolve(self, snapshot: LeagueSnapshot | None) -> LeagueSnapshot | None:
        """The league with the weights themselves; each past self is read from the store once."""
        if snapshot is None:
            return None
        new = {update: ref for update, ref in snapshot.selves if update not in self.selves}
        weights = dict(zip(new, ray.get(list(new.values())), strict=True))
        kept = {update: self.selves.get(update) for update, _ in snapshot.selves}
        self.selves = {
            update: old or {name: torch.tensor(part) for name, part in weights[update].items()}
            for update, old in kept.items()
        }
        return replace(snapshot, selves=tuple(self.selves.items()))

    def play(
        self,
        weights: Mapping[str, NDArray[Any]],
        version: int,
        progress: float,
        seconds: float,
        snapshot: LeagueSnapshot | None,
        index: int,
        state: Mapping[str, Tensor] | None,
    ) -> dict[str, Any]:
        """Plays the rollout of a shard.

        Args:
            weights: The network's, by name.
            version: Their number: the same weights are loaded once.
            progress: As of :meth:`playmat.train.rollout.Shard.play`.
            seconds: The time that is left.
            snapshot: The league, with past selves in the object store.
            index: The number of the shard.
            state: What it begins from. None: as its last rollout by this worker ended; empty: as
                a run begins.

        Returns:
            ``arrays``, ``episodes`` and ``state`` of the shard; ``environment``, ``inference``,
            ``total``: seconds.
        """
        started = time.perf_counter()
        if self.network is None:
            self.network = placed(Network(self.game, self.config), "cpu")
        if version != self.version:
            self.network.load_state_dict({k: torch.tensor(w) for k, w in weights.items()})
            self.version = version
        if index not in self.shards or state == {}:
            self.shards[index] = Shard(self.game, self.config, index)
        shard = self.shards[index]
        if state:
            shard.load(state)
        resolved = self.resolve(snapshot)
        episodes = shard.play(self.network, progress, started + seconds, resolved)
        arrays = packed(shard) if episodes is not None else {}
        found = {"arrays": arrays, "episodes": episodes, "state": shard.state(), **shard.seconds}
        return {**found, "total": time.perf_counter() - started}


def packed(shard: Shard) -> dict[str, NDArray[Any]]:
    """The parts of a rollout that the learner needs; masks as bits."""
    steps = shard.config.num_steps
    arrays = {name: getattr(shard, name)[:steps] for name in Arrays.NAMES}
    arrays["mask"] = np.packbits(arrays["mask"], axis=-1)
    if shard.imitation is None:
        del arrays["expert"]
    if not Imitation.learns_visits(shard.config):
        del arrays["expert_visits"]
    if shard.greedy_agent is None:
        del arrays["greedy"]
    if not shard.config.win_bonus:
        del arrays["place"]
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

    Metrics, beside PPO's: `ray/lost_workers` since the start; `ray/policy_lag`, in updates, the
    mean over the rollouts of an update, and `ray/max_policy_lag`, the largest;
    `ray/rollout_megabytes` and `ray/weights_megabytes` of an update; `ray/slowest_worker_seconds`.
    Ray's dashboard has the same as gauges `playmat_*`.

    Args:
        max_policy_lag: 0: the workers wait while the driver learns. Above 0: they play on, and an
            update learns from the rollouts that arrived first, by weights that are at most
            this number of updates old.

    Raises:
        playmat.InvalidArgument: More workers than shards; shards of unequal size with a policy
            lag; or a checkpoint or function that would play in the workers.
    """

    def __init__(
        self, game: playmat.Game, network: Network, config: TrainConfig, cluster: Cluster,
        max_policy_lag: int = 0,
    ) -> None:  # fmt: skip
        if cluster.workers > config.num_shards:
            allowed = f"1 to {config.num_shards}, the number of shards (--num-shards)"
            raise invalid("workers", f"got {cluster.workers}; allowed: {allowed}")
        if not 0 <= max_policy_lag <= 1000:
            raise invalid("max_policy_lag", f"got {max_policy_lag}; allowed: 0 to 1000")
        if max_policy_lag and config.num_envs % config.num_shards:
            allowed = f"with --async multiples of num_shards, {config.num_shards}"
            raise invalid("num_envs", f"got {config.num_envs}; allowed: {allowed}")
        refuse_files(config)
        self.cluster, self.max_policy_lag = cluster, max_policy_lag
        self.schedule = Schedule(config.num_shards, max_policy_lag)
        #: Past selves in the object store, by the update that each was made after.
        self.selves: dict[int, Any] = {}
        #: Lost workers since the start, and since the last rollout was complete.
        self.lost = self.losses = 0
        #: Slow rollouts in a row, by worker.
        self.slow: Counter[int] = Counter()
        #: How often weights were sent.
        self.published = 0
        self.gauges: dict[str, Gauge] = {}
        #: When the driver last looked for results while learning, got one, and measured an update.
        self.polled = self.received = self.shown = 0.0
        super().__init__(game, network, config)

    def open(self) -> None:
        """Connects and starts the workers."""
        self.connected = self.cluster.connect()
        count, shards = self.cluster.workers, range(self.config.num_shards)
        #: The shards of each worker that lives.
        self.shards_of = {w: [i for i in shards if i % count == w] for w in range(count)}
        self.workers = {w: self.start_worker() for w in self.shards_of}
        #: Replacements that are starting: what tells that one is ready, and when it is given up.
        self.starting: dict[int, tuple[Any, float]] = {}
        #: What workers owe, by the reference to the result.
        self.pending: dict[Any, Play] = {}
        self.begin_from([None] * self.config.num_shards)

    def begin_from(self, states: Sequence[Mapping[str, Any] | None]) -> None:
        """Forgets all rollouts that are not learned from and lets the next ones begin from states
        of all shards; None: as a run begins.
        """
        #: By shard, the state after its last rollout that was learned from, and after its last one.
        self.states, self.ahead = list(states), list(states)
        #: Shards whose state the worker does not hold.
        self.unknown = set(range(len(states)))
        self.pending.clear()
        self.schedule = Schedule(len(states), self.max_policy_lag)

    def start_worker(self) -> Any:
        """A new actor. Without task events: Ray would keep some KB of each call."""
        cpus = self.cluster.worker_cpus
        options = ray.remote(
            num_cpus=cpus, max_restarts=0, max_task_retries=0, enable_task_events=False
        )(Worker)
        return options.remote(self.game, self.config, cpus)

    def rollout(self, progress: float) -> bool:
        """Has the workers play, replaces those that are lost, and fills the arrays."""
        started = self.received = time.perf_counter()
        self.publish(progress)
        self.fill(is_learning=False)
        while (chosen := self.schedule.choose(self.updates)) is None:
            self.receive()
            if any(play.result and play.result["episodes"] is None for play in self.schedule.done):
                # The deadline came. Nothing of this is learned: the next update plays it again.
                self.begin_from(self.states)
                return False
            self.fill(is_learning=False)
        # One of each shard: in their order, as one process has them.
        chosen.sort(key=lambda play: play.shard)
        results = [play.result for play in chosen if play.result is not None]
        for place, (play, result) in enumerate(zip(chosen, results, strict=True)):
            unpack(result["arrays"], self, self.config.shard(place))
            self.states[play.shard] = result["state"]
        self.played_at = min(play.progress for play in chosen)
        if self.imitation is not None:
            # What was played when imitation had another phase is not learned from.
            phase = self.imitation.is_running(self.played_at)
            for place, play in enumerate(chosen):
                if self.imitation.is_running(play.progress) != phase:
                    self.by_policy[:, self.config.shard(place)] = False
        self.note([self.episodes_of(play) for play in chosen])
        if self.max_policy_lag:
            self.fill(is_learning=True)
        self.losses = 0
        self.measure(chosen, time.perf_counter() - started)
        return True

    def publish(self, progress: float) -> None:
        """Puts weights and league into the object store, for the rollouts that begin from now."""
        weights = {k: w.cpu().numpy() for k, w in self.network.state_dict().items()}
        self.weights_bytes = sum(w.nbytes for w in weights.values())
        self.published += 1
        try:
            self.job = (ray.put(weights), self.published, progress)
            self.snapshot = self.stored_snapshot()
        except FULL as error:
            raise self.full(error) from error

    def stored_snapshot(self) -> LeagueSnapshot | None:
        """The league with its past selves in the object store, each put there once."""
        if self.league is None:
            return None
        snapshot = self.league.snapshot()
        self.selves = {
            update: self.selves.get(update)
            or ray.put({name: part.numpy() for name, part in weights.items()})
            for update, weights in snapshot.selves
        }
        return replace(snapshot, selves=tuple(self.selves.items()))

    def fill(self, is_learning: bool) -> None:
        """Lets shards that wait begin a rollout, as far as the schedule allows."""
        busy = {play.shard for play in self.schedule.running}
        for worker, shards in self.shards_of.items():
            for shard in shards:
                if shard not in busy and self.schedule.may_play(is_learning):
                    self.submit(worker, shard)

    def submit(self, worker: int, shard: int) -> None:
        """Lets a worker play a rollout of a shard."""
        state = (self.ahead[shard] or {}) if shard in self.unknown else None
        self.unknown.discard(shard)
        left = self.deadline - time.perf_counter()
        actor, selves = self.workers[worker], tuple(self.selves)
        ref = actor.play.remote(*self.job, left, self.snapshot, shard, state)
        play = Play(shard, worker, self.updates, self.job[2], selves)
        self.pending[ref] = play
        self.schedule.running.append(play)

    def receive(self, wait: bool = True) -> None:
        """Takes in the results that are there; with ``wait``, waits for one. Replaces workers that
        are lost.
        """
        limits = [until - time.perf_counter() for _, until in self.starting.values()]
        timeout = max(0.0, min([SLOW_SECONDS, *limits])) if wait else 0.0
        refs = [*self.pending, *(ready for ready, _ in self.starting.values())]
        if not refs:
            return
        done, _ = ray.wait(refs, num_returns=1 if wait else len(refs), timeout=timeout)
        now = time.perf_counter()
        if done:
            self.received = now
        elif wait and now - self.received >= SLOW_SECONDS:
            names = self.names(play.worker for play in self.pending.values())
            say(f"waiting for {names}, {now - self.received:.0f} s so far")
        for ref in done:
            owing = {ready: worker for worker, (ready, _) in self.starting.items()}
            owing |= {ref: play.worker for ref, play in self.pending.items()}
            if ref not in owing:
                continue  # its worker was found lost just now
            worker = owing[ref]
            try:
                result = ray.get(ref)
            except LOST as error:
                self.replace(worker, error)
            except FULL as error:
                raise self.full(error) from error
            except exceptions.RayTaskError as error:
                # What the worker itself raised, with its traceback as the cause.
                raised: Any = error
                raise raised.as_instanceof_cause() from error
            else:
                if ref not in self.pending:
                    del self.starting[worker]
                    continue
                play = self.pending.pop(ref)
                self.schedule.running.remove(play)
                # A copy: the state lies in the same object of the store as the arrays.
                state = {name: part.clone() for name, part in result["state"].items()}
                self.ahead[play.shard] = state
                play.result = {**result, "state": state}
                self.schedule.done.append(play)
        for worker, (_, until) in list(self.starting.items()):
            if time.perf_counter() >= until:
                self.give_up(worker)

    def descend(self, loss: Tensor) -> None:
        """One gradient step. With a policy lag, workers that are done then begin again."""
        super().descend(loss)
        if self.max_policy_lag and time.perf_counter() - self.polled > POLL_SECONDS:
            self.receive(wait=False)
            self.fill(is_learning=True)
            self.polled = time.perf_counter()

    def replace(self, worker: int, error: Exception) -> None:
        """Starts another worker in the place of a lost one; it plays what that one owed."""
        self.lost += 1
        self.losses += 1
        why = f"{type(error).__name__}: {reason(error)}"
        if self.losses > MAX_LOSSES:
            lost = f"{self.losses} workers were lost in one rollout"
            raise WorkersLost(f"{lost}; the last reason: {why}") from error
        say(f"{self.names([worker])} was lost ({why}); its part of the rollout is played again")
        self.slow[worker] = 0
        ray.kill(self.workers[worker])
        self.workers[worker] = self.start_worker()
        ready = self.workers[worker].__ray_ready__.remote()
        self.starting[worker] = (ready, time.perf_counter() + REPLACE_SECONDS)
        for shard in self.take_back(worker):
            self.submit(worker, shard)

    def give_up(self, worker: int) -> None:
        """Divides the shards of a worker that does not start among the others."""
        owed = self.take_back(worker)
        ray.kill(self.workers.pop(worker))
        del self.starting[worker]
        shards = self.shards_of.pop(worker)
        others = sorted(self.workers)
        if not others:
            raise WorkersLost("no worker is left, and Ray starts no new one")
        say(f"no worker replaces {self.names([worker])}; {self.names(others)} take its shards over")
        for k, shard in enumerate(shards):
            other = others[k % len(others)]
            self.shards_of[other].append(shard)
            if shard in owed:
                self.submit(other, shard)

    def take_back(self, worker: int) -> list[int]:
        """The shards that a worker owes a rollout of. They and its others begin from the states
        that the driver has.
        """
        owed = {ref: play for ref, play in self.pending.items() if play.worker == worker}
        for ref, play in owed.items():
            del self.pending[ref]
            self.schedule.running.remove(play)
        self.unknown.update(self.shards_of[worker])
        return [play.shard for play in owed.values()]

    def episodes_of(self, play: Play) -> Mapping[str, list[float]]:
        """The episodes of a rollout, without those against past selves that are replaced by now."""
        assert play.result is not None
        episodes: Mapping[str, list[float]] = play.result["episodes"]
        return episodes if self.league is None else self.league.known(episodes, play.selves)

    def measure(self, chosen: Sequence[Play], spent: float) -> None:
        """Notes times, bytes and lags of an update."""
        totals: dict[int, Counter[str]] = {}
        names, size = ("environment", "inference", "total"), 0
        for play in chosen:
            result = play.result or {}
            size += sum(array.nbytes for array in result["arrays"].values())
            seconds = {name: result[name] for name in names}
            totals.setdefault(play.worker, Counter()).update({**seconds, "rollouts": 1})
        self.report_slow({w: t["total"] / t["rollouts"] for w, t in totals.items()})
        slowest = max(totals.values(), key=lambda seconds: seconds["total"])
        # With a policy lag, workers played while the driver learned: it waited for less than all.
        share = min(1.0, spent / slowest["total"])
        for name in ("environment", "inference"):
            self.seconds[name] += slowest[name] * share
            spent -= slowest[name] * share
        self.seconds["transfer"] += spent
        lags = [self.updates - play.updates for play in chosen]
        self.metrics |= {
            "ray/lost_workers": float(self.lost),
            "ray/policy_lag": float(np.mean(lags)),
            "ray/max_policy_lag": float(max(lags)),
            "ray/rollout_megabytes": size / 1e6,
            "ray/weights_megabytes": self.weights_bytes / 1e6,
            "ray/slowest_worker_seconds": float(slowest["total"]),
            "ray/workers": float(len(self.workers) - len(self.starting)),
        }
        now = time.perf_counter()
        figures = {"decisions_per_second": self.action.size / max(now - self.shown, 1e-9)}
        self.shown = now
        for name in ("lost_workers", "policy_lag", "rollout_megabytes"):
            figures[name] = self.metrics[f"ray/{name}"]
        for name, value in figures.items():
            if name not in self.gauges:
                self.gauges[name] = Gauge(f"playmat_{name}", f"playmat: {name.replace('_', ' ')}")
            self.gauges[name].set(value)

    def report_slow(self, spent: Mapping[int, float]) -> None:
        """Says which workers have become slow; ``spent``: seconds of each for a shard's rollout."""
        for worker, own in spent.items():
            others = [seconds for other, seconds in spent.items() if other != worker]
            usual = float(np.median(others)) if others else own
            is_slow = own > SLOW_FACTOR * usual and own > usual + SLOWER_SECONDS
            self.slow[worker] = self.slow[worker] + 1 if is_slow else 0
            if self.slow[worker] == SLOW_ROLLOUTS:
                took = f"{own:.1f} s for a rollout of a shard, others {usual:.1f} s"
                say(f"{self.names([worker])} is slow: {took}, for {SLOW_ROLLOUTS} updates now")

    def full(self, error: Exception) -> playmat.Error:
        """The message where the object store or the disk under it is full."""
        config = self.config
        size = sum(getattr(self, name).nbytes for name in Arrays.NAMES) / 1e6
        return playmat.Error(
            f"Ray's object store is full: a rollout of {config.num_envs} environments and "
            f"{config.num_steps} steps has up to {size:,.0f} MB; lower --num-envs or --num-steps, "
            f"or start Ray with more object_store_memory ({reason(error)})"
        )

    @staticmethod
    def names(workers: Iterable[int]) -> str:
        """Workers as messages name them."""
        numbers = sorted(set(workers))
        return f"worker{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"

    def shard_states(self) -> list[dict[str, Any]]:
        """See :meth:`PPO.shard_states`. Rollouts that are not learned from do not count."""
        return [
            dict(state) if state is not None else Shard(self.game, self.config, index).state()
            for index, state in enumerate(self.states)
        ]

    def load_shards(self, states: Sequence[Mapping[str, Any]]) -> None:
        """See :meth:`PPO.load_shards`."""
        self.begin_from([{k: v for k, v in state.items() if k != AHEAD} for state in states])

    def close(self) -> None:
        """Ends the workers, and Ray if this run started it."""
        for worker in self.workers.values():
            ray.kill(worker)
        self.workers, self.starting = {}, {}
        self.pending.clear()
        if self.connected:
            ray.shutdown()
