"""Writes data sets: parts under a temporary name, complete or not there at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.cluster import Cluster
from playmat.datasets.identity import (
    MANIFEST,
    UNFINISHED,
    Identity,
    part_name,
    parts,
    read_manifest,
)
from playmat.datasets.playing import Piece, pieces
from playmat.errors import invalid
from playmat.extras import need

#: Limits of a row group, which is encoded together: bytes before compression, and rows. Writing and
#: reading have a few row groups in memory.
GROUP_BYTES, GROUP_ROWS = 16 << 20, 65_536
#: Bytes of rows, before compression, after which a part is complete.
PART_BYTES = 256 << 20
#: Seconds after which a part is complete: the most that is lost when the process is killed, but for
#: the episodes that are being played.
PART_SECONDS = 60.0
#: On Windows the file that the process that writes holds.
LOCK = ".lock"


@dataclass(frozen=True)
class Recorded:
    """The result of a call of :func:`record`."""

    identity: Identity
    #: Episodes that were there before, and that this call played.
    found: int
    played: int
    #: Decisions that this call wrote.
    rows: int


def record(
    game: playmat.Game,
    agents: Sequence[str],
    episodes: int,
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    threads: int = 1,
    workers: Cluster | None = None,
    progress: Callable[[int], None] | None = None,
) -> Recorded:
    """Plays episodes and writes them into a folder, as :mod:`playmat.datasets` describes.

    The rows follow from `game`, `agents`, `episodes` and `seed`, whatever `threads` and `workers`
    are. The memory that it takes does not grow with `episodes`. An interrupted call goes on where
    it was when it is repeated with the same arguments; one for a complete data set does nothing.

    Args:
        game: The configured game.
        agents: Specs, which rotate over the players: see :mod:`playmat.datasets`.
        episodes: How many the data set has in the end, 1 or more.
        out: A new or empty folder, or one with a part of this data set.
        seed: From 0 to 2**64 - 1.
        threads: Threads that play. Searches gain from several, agents that choose within
            microseconds do not.
        workers: A Ray cluster (:mod:`playmat.cluster`) whose processes play instead of threads.
        progress: Is called with the number of complete episodes, now and then.

    Returns:
        What was found, and what was played now.

    Raises:
        playmat.InvalidArgument: An argument is out of range, or `out` holds other files.
        playmat.WrongIdentity: `out` holds another data set; the message names every difference.
        playmat.Unreadable: Its manifest or parts are damaged.
        playmat.OrderError: Another process writes into it.
        playmat.MissingFeature: The extra ``datasets`` is not installed.
        OSError: A file cannot be written, for example because the disk is full; names its path.
        KeyboardInterrupt: Ctrl-C. What was played is complete in the folder, whole episodes only.
    """
    if not agents or isinstance(agents, str):
        raise invalid("agents", f"got {agents!r}; wanted a list of one spec or more")
    if episodes < 1:
        raise invalid("episodes", f"got {episodes}; wanted 1 or more")
    if threads < 1:
        raise invalid("threads", f"got {threads}; wanted 1 or more")
    if not 0 <= seed < 2**64:
        raise invalid("seed", f"got {seed}; wanted a number from 0 to 2**64 - 1")
    identity = Identity.of(game, agents, seed, episodes)
    need("pyarrow", what="recording a data set", extra="datasets")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _refuse_others(folder)
    with locked(folder):
        found = _begin(folder, identity)
        if found == episodes:
            return Recorded(identity, found, 0, 0)
        if progress:
            progress(found)
        # An error in here leaves an unfinished part, which counts for nothing.
        with _stopped_by_ctrl_c() as stop, _Writer(folder, identity, game, found) as writer:
            todo = range(found, episodes)
            for piece in pieces(game, identity.agents, seed, todo, threads, stop, workers):
                writer.add(piece)
                if progress:
                    progress(piece.last + 1)
            writer.finish_part()
            if stop:
                raise KeyboardInterrupt
        return Recorded(identity, found, writer.next - found, writer.rows)


def _refuse_others(folder: Path) -> None:
    """Refuses a folder with other files than those of a data set."""
    names = sorted(path.name for path in folder.iterdir())
    others = [name for name in names if name != LOCK and not name.startswith(UNFINISHED)]
    if others and MANIFEST not in others:
        reason = f"`{folder}` holds `{others[0]}` and no data set; wanted a new or empty folder"
        raise invalid("out", reason)


def _begin(folder: Path, identity: Identity) -> int:
    """Checks what is in the folder, and makes the manifest of a new data set. Returns the number of
    complete episodes.
    """
    for path in sorted(folder.glob(f"{UNFINISHED}*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not (folder / MANIFEST).exists():
        path = folder / f"{UNFINISHED}{MANIFEST}"
        with naming(path), path.open("wb") as file:
            file.write(identity.to_json().encode())
            _finish(file, folder / MANIFEST)
        return 0
    read_manifest(folder).check(identity, f"data set `{folder}`", "the call says")
    complete = parts(folder, identity.episodes)
    return complete[-1][1] + 1 if complete else 0


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of writing name the path."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno is None:
            raise OSError(f"{error}: '{path}'") from error
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def _finish(file: Any, path: Path) -> None:
    """Gives a file that was written under a temporary name its own, once its bytes are on disk."""
    file.flush()
    os.fsync(file.fileno())
    if os.name == "nt":
        # Windows renames no open file.
        file.close()
    os.replace(file.name, path)
    # The new name has to be on disk, too.
    sync(path.parent)


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on disk."""
    if os.name == "nt" and path.is_dir():
        # Windows has no such call for folders.
        return
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the folder. The lock goes with the process, however that ends."""
    windows = os.name == "nt"
    # Windows locks no folders.
    flags = os.O_RDWR | os.O_CREAT if windows else os.O_RDONLY
    descriptor = os.open(folder / LOCK if windows else folder, flags)
    try:
        try:
            if windows:
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            message = f"data set `{folder}`: another process is writing it"
            raise playmat.OrderError(message) from error
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _stopped_by_ctrl_c() -> Iterator[list[bool]]:
    """A list that Ctrl-C puts something into, so that it interrupts nothing but the play. A second
    one interrupts at once.
    """
    stop: list[bool] = []
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread gets signals.
        yield stop
        return

    def handle(number: int, frame: object) -> None:
        if stop:
            raise KeyboardInterrupt
        stop.append(True)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def row_bytes(game: playmat.Game) -> int:
    """Bytes of a row before compression."""
    return game.observation_shape[0] + game.num_actions + 42 + 12 * game.num_players


class _Writer:
    """Collects pieces, encodes them in the background, finishes parts."""

    def __init__(self, folder: Path, identity: Identity, game: playmat.Game, first: int) -> None:
        import pyarrow as pa

        self.pa, self.folder, self.identity = pa, folder, identity
        self.schema = _schema(game)
        self.row_bytes = row_bytes(game)
        self.group_rows = min(GROUP_ROWS, max(1, GROUP_BYTES // self.row_bytes))
        #: The next episode, and the first one of the part that is being written.
        self.next = self.first = first
        self.rows = self.part_rows = 0
        self.waiting: list[Piece] = []
        self.waiting_rows = 0
        self.file: Any = None
        self.parquet: Any = None
        self.pool = ThreadPoolExecutor(1, "playmat-parquet")
        self.under_way: Future[None] | None = None
        self.began = time.monotonic()

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)
        if self.file is not None:
            # Without a footer it is no part. What the disk has no room for needs no second message.
            with contextlib.suppress(Exception):
                self.parquet.close()
            with contextlib.suppress(OSError):
                self.file.close()
            with contextlib.suppress(OSError):
                os.unlink(self.file.name)

    def add(self, piece: Piece) -> None:
        """Takes the next episodes."""
        assert piece.first == self.next
        self.next = piece.last + 1
        self.waiting.append(piece)
        self.waiting_rows += piece.rows
        if self.waiting_rows >= self.group_rows:
            self._flush()
        full = self.part_rows * self.row_bytes >= PART_BYTES
        if full or time.monotonic() - self.began > PART_SECONDS:
            self.finish_part()

    def _flush(self) -> None:
        """Encodes what waits, once the group before it is encoded."""
        if not self.waiting:
            return
        group, self.waiting = self.waiting, []
        self.rows += self.waiting_rows
        self.part_rows += self.waiting_rows
        self.waiting_rows = 0
        self._wait()
        self.under_way = self.pool.submit(self._encode, group)

    def _wait(self) -> None:
        if self.under_way is not None:
            self.under_way.result()
            self.under_way = None

    def _encode(self, group: list[Piece]) -> None:
        path = self.folder / f"{UNFINISHED}part"
        with naming(path):
            names = self.schema.names
            if self.parquet is None:
                import pyarrow.parquet as pq

                self.file = path.open("wb")
                self.parquet = pq.ParquetWriter(
                    self.file, self.schema, compression="zstd", compression_level=1,
                    # Few different values: a dictionary takes less. Bytes are left to zstd.
                    use_dictionary=[name for name in names if name not in ("obs", "action_mask")],
                    write_statistics=["episode"],
                )  # fmt: skip
            columns = {n: np.concatenate([piece.columns[n] for piece in group]) for n in names}
            arrays = [_array(columns[name], self.schema.field(name).type) for name in names]
            table = self.pa.Table.from_arrays(arrays, schema=self.schema)
            self.parquet.write_table(table, row_group_size=max(1, table.num_rows))

    def finish_part(self) -> None:
        """Writes what waits and makes it a part: from now on these episodes are there."""
        if self.next == self.first:
            return
        self._flush()
        self._wait()
        path = self.folder / f"{UNFINISHED}part"
        with naming(path):
            about = {
                "playmat": self.identity.to_json(),
                "first_episode": str(self.first),
                "last_episode": str(self.next - 1),
            }
            self.parquet.add_key_value_metadata(about)
            self.parquet.close()
            _finish(self.file, self.folder / part_name(self.first, self.next - 1))
            self.file.close()
        self.file = self.parquet = None
        self.first, self.part_rows, self.began = self.next, 0, time.monotonic()


def _schema(game: playmat.Game) -> Any:
    """The columns of :mod:`playmat.datasets` as files have them."""
    import pyarrow as pa

    players = game.num_players
    kinds = {
        "episode": pa.int64(),
        "decision": pa.int32(),
        "player": pa.int32(),
        "agent": pa.int32(),
        "obs": pa.binary(game.observation_shape[0]),
        "action_mask": pa.binary(game.num_actions),
        "action": pa.int64(),
        "reward": pa.list_(pa.field("element", pa.float32(), nullable=False), players),
        "terminated": pa.bool_(),
        "truncated": pa.bool_(),
        "returns": pa.list_(pa.field("element", pa.float32(), nullable=False), players),
        "agents": pa.list_(pa.field("element", pa.int32(), nullable=False), players),
        "episode_seed": pa.uint64(),
    }
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])


def _array(values: NDArray[Any], kind: Any) -> Any:
    """A column; bytes and lists are not copied."""
    import pyarrow as pa

    if pa.types.is_fixed_size_binary(kind):
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    if pa.types.is_fixed_size_list(kind):
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), type=kind)
    return pa.array(values, kind)
