"""Runs the jobs of the commands that take ``--ray``: in this process or in workers of Ray."""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import playmat
from playmat import extras
from playmat.errors import invalid

Job = TypeVar("Job")
Result = TypeVar("Result")

#: How often a job is given to another worker when a worker is lost.
RETRIES = 8
#: How many jobs for each worker may be begun after one that is not done.
AHEAD = 4
#: How long a host may take to answer at the address of a Ray.
CONNECT_SECONDS = 10.0
#: Seconds without a result after which a message says what is awaited.
SLOW_SECONDS = 60.0


class WorkersLost(playmat.Error, RuntimeError):
    """Workers were lost again and again, or none is left."""

    code = "workers_lost"


@dataclass(frozen=True)
class Cluster:
    """Where workers run, and how many."""

    #: ``local``: a Ray of its own on this machine, which ends with the command. ``auto``: the Ray
    #: that runs on this machine. Otherwise an address, such as ``ray://host:10001``.
    address: str = "local"
    #: Number of workers.
    workers: int = 2
    #: Cores that Ray reserves for a worker.
    worker_cpus: int = 1

    def __post_init__(self) -> None:
        for name, number, most in (
            ("workers", self.workers, 4096),
            ("worker_cpus", self.worker_cpus, 256),
        ):
            if not 1 <= number <= most:
                raise invalid(name, f"got {number}; allowed: 1 to {most}")

    def connect(self) -> bool:
        """Connects to Ray.

        Returns:
            Whether this made the connection; one that exists is used.

        Raises:
            playmat.InvalidArgument: There is no Ray at the address, or it has too few cores.
        """
        import ray

        made = not ray.is_initialized()
        if made:
            self.check_address()
            arguments: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
            if self.address == "local":
                arguments |= {"num_cpus": self.workers * self.worker_cpus}
                arguments |= {"include_dashboard": False}
            try:
                ray.init(address=self.address, **arguments)
            except (ConnectionError, ValueError, RuntimeError, OSError) as error:
                token = "a Ray that wants a token needs RAY_AUTH_MODE=token and RAY_AUTH_TOKEN"
                raise self.no_ray(f"{reason(error)}; {token}") from error
        resources: Any = ray.cluster_resources
        wanted, there = self.workers * self.worker_cpus, resources().get("CPU", 0)
        if wanted > there:
            if made:
                ray.shutdown()
            message = (
                f"got {self.workers} with {self.worker_cpus} cores each; Ray has {there:g} cores"
            )
            raise invalid("workers", message)
        if made:
            numbers = {"worker": self.workers, "core": self.worker_cpus}
            workers, cores = (f"{n} {name}{'s' * (n > 1)}" for name, n in numbers.items())
            say(f"{workers} of {cores}, in {self.place()}")
        return made

    def check_address(self) -> None:
        """Refuses an address where nothing listens: Ray itself would try for minutes."""
        host, colon, port = self.address.removeprefix("ray://").rpartition(":")
        if not (colon and port.isdecimal()):
            return
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
        except (OSError, OverflowError, UnicodeError) as error:
            raise self.no_ray(f"nothing answers there: {reason(error)}") from error

    def no_ray(self, why: str) -> playmat.InvalidArgument:
        """The exception for an address without a Ray."""
        allowed = "`local`, `auto` or the address of a running Ray"
        return invalid("ray", f"got `{self.address}`; allowed: {allowed} ({why})")

    def place(self) -> str:
        """The Ray that is connected, in words."""
        import ray

        if self.address == "local":
            return "a Ray of this command"
        nodes = sum(node["Alive"] for node in ray.nodes())
        return f"the Ray at `{self.address}` (nodes: {nodes})"

    @contextmanager
    def connection(self) -> Iterator[None]:
        """Connects to Ray for a block, and ends the connection if the block made it."""
        import ray

        made = self.connect()
        try:
            yield
        finally:
            if made:
                ray.shutdown()


def run(
    function: Callable[[Job], Result], jobs: Iterable[Job], cluster: Cluster | None
) -> Iterator[tuple[int, Result]]:
    """Runs independent jobs, here or by the workers of a cluster.

    Yields:
        The number of a job and its result, as they are done; never more than :data:`AHEAD` jobs for
        each worker after one that is not done. A job whose worker is lost is run again. Results
        must depend on the job alone: then they do not depend on the cluster.

    Raises:
        WorkersLost: The workers of a job were lost again and again.
    """
    if cluster is None:
        yield from ((number, function(job)) for number, job in enumerate(jobs))
        return
    import ray
    from ray import exceptions

    def call(job: Job) -> Result:
        return function(job)

    with cluster.connection():
        # Without task events: Ray would keep some KB of each job.
        remote = ray.remote(
            num_cpus=cluster.worker_cpus, max_retries=RETRIES, enable_task_events=False
        )(call)
        waiting = enumerate(jobs)
        running: dict[Any, int] = {}
        begun, received = 0, time.perf_counter()
        try:
            while True:
                while (
                    len(running) < 2 * cluster.workers
                    and begun < min(running.values(), default=begun) + AHEAD * cluster.workers
                    and (job := next(waiting, None)) is not None
                ):
                    begun, running[remote.remote(job[1])] = job[0] + 1, job[0]
                if not running:
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=SLOW_SECONDS)
                if done:
                    received = time.perf_counter()
                else:
                    jobs_left = ", ".join(map(str, sorted(running.values())))
                    elapsed = time.perf_counter() - received
                    say(f"waiting for jobs {jobs_left}, {elapsed:.0f} s so far")
                for ref in done:
                    number = running.pop(ref)
                    try:
                        yield number, ray.get(ref)
                    except (exceptions.WorkerCrashedError, exceptions.OutOfMemoryError) as error:
                        raise WorkersLost(
                            f"the workers of job {number} were lost {RETRIES + 1} times; the last "
                            f"reason: {reason(error)}"
                        ) from error
                    except exceptions.RayTaskError as error:
                        raised: Any = error
                        raise raised.as_instanceof_cause() from error
        finally:
            for ref in running:
                ray.cancel(ref)


def in_order(results: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """The results of :func:`run` in the order of the jobs."""
    done: dict[int, Result] = {}
    wanted = 0
    for number, result in results:
        done[number] = result
        while wanted in done:
            yield done.pop(wanted)
            wanted += 1


def add_arguments(parser: Any) -> None:
    """Adds ``--ray``, ``--workers`` and ``--worker-cpus``."""
    parser.add_argument(
        "--ray", metavar="ADDRESS",
        help="run in processes of Ray (pip install 'playmat[ray]'). `local`: a Ray of its own on "
        "this machine; `auto`: the Ray that runs on this machine; or an address such as "
        "ray://host:10001",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, metavar="N", help="with --ray: number of processes (default: 2)"
    )
    parser.add_argument(
        "--worker-cpus", type=int, metavar="K", help="with --ray: cores of each (default: 1)"
    )


def from_arguments(arguments: argparse.Namespace, what: str) -> Cluster | None:
    """The cluster that a command line names; ``what`` is the command.

    Raises:
        playmat.InvalidArgument: Workers without ``--ray``, or numbers out of range.
        playmat.MissingFeature: Ray is not installed.
    """
    names = {"workers": arguments.workers, "worker_cpus": arguments.worker_cpus}
    numbers = {name: number for name, number in names.items() if number is not None}
    if arguments.ray is None:
        for name in numbers:
            raise invalid(name, "it needs --ray")
        return None
    cluster = Cluster(arguments.ray, **numbers)
    extras.need("ray", what=f"`{what} --ray`", extra="ray")
    return cluster


def say(message: str) -> None:
    """A line on standard error."""
    print(f"ray: {message}", file=sys.stderr, flush=True)


def reason(error: BaseException) -> str:
    """The first line of an error's message that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__
