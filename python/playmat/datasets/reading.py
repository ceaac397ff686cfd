"""Reads data sets in batches of numpy arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.datasets.identity import Identity, parts, read_manifest, unreadable
from playmat.errors import invalid
from playmat.extras import need

#: All columns, as :mod:`playmat.datasets` describes them.
FIELDS = (
    "episode", "decision", "player", "agent", "obs", "action_mask", "action", "reward",
    "terminated", "truncated", "returns", "agents", "episode_seed",
)  # fmt: skip


def read(path: str | os.PathLike[str], game: playmat.Game | None = None) -> Dataset:
    """Opens a data set. Reads no rows yet.

    Args:
        path: Its folder. One whose recording was interrupted, or goes on, has fewer episodes:
            see :attr:`Dataset.complete`.
        game: The game that it must be a record of.

    Raises:
        playmat.WrongIdentity: It is of another game, version, content or other options; the message
            names each difference.
        playmat.Unreadable: It is no data set, or damaged; names the path.
        playmat.MissingFeature: The extra ``datasets`` is not installed.
        OSError: A file cannot be read; names its path.
    """
    return Dataset(path, game)


class Dataset:
    """The episodes of a folder; made by :func:`read`.

    Attributes:
        path: The folder.
        identity: What it is a record of.
        num_episodes: Episodes that are there, from 0 on without gaps.
        num_rows: Decisions in them.
        complete: Whether all episodes of the identity are there.
    """

    def __init__(self, path: str | os.PathLike[str], game: playmat.Game | None = None) -> None:
        self.path = Path(path)
        self.identity = read_manifest(self.path)
        self._what = f"data set `{self.path}`"
        if game is not None:
            self.identity.check_game(game, self._what)
        need("pyarrow", what="reading a data set", extra="datasets")
        #: Part and number of every row group, in order, and its rows.
        self._groups: list[tuple[Path, int, int]] = []
        self.num_episodes = self.num_rows = 0
        for first, last, file in parts(self.path, self.identity.episodes):
            with _open(file) as part:
                self._check(part, file, first, last)
                metadata = part.metadata
                for group in range(metadata.num_row_groups):
                    self._groups.append((file, group, metadata.row_group(group).num_rows))
                self.num_rows += metadata.num_rows
            self.num_episodes = last + 1
        self.complete = self.num_episodes == self.identity.episodes

    def _check(self, part: Any, file: Path, first: int, last: int) -> None:
        """Refuses a part that is of another data set or was renamed."""
        about = part.metadata.metadata or {}
        if b"playmat" not in about:
            raise unreadable(file, "it is no part of a data set of playmat")
        own = Identity.from_json(about[b"playmat"], file)
        own.check(self.identity, f"part `{file}`", "the manifest says")
        within = tuple(
            about.get(f"{end}_episode".encode(), b"").decode() for end in ("first", "last")
        )
        if within != (str(first), str(last)):
            raise unreadable(
                file, f"it holds the episodes {' to '.join(within)}, not those it is named after"
            )
        if tuple(part.schema_arrow.names) != FIELDS:
            names = ", ".join(part.schema_arrow.names)
            raise unreadable(file, f"its columns are {names}; wanted {', '.join(FIELDS)}")

    def __len__(self) -> int:
        """The number of rows."""
        return self.num_rows

    def __repr__(self) -> str:
        return (
            f"<playmat.datasets.Dataset {str(self.path)!r}: {self.identity.game} by "
            f"{', '.join(self.identity.agents)}, {self.num_episodes} of {self.identity.episodes} "
            f"episodes, {self.num_rows} rows>"
        )

    def game(self) -> playmat.Game:
        """The recorded game.

        Raises:
            playmat.WrongIdentity: This playmat has another version of it.
        """
        game = playmat.Game(self.identity.game, **self.identity.options)
        self.identity.check_game(game, self._what)
        return game

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """All rows, in batches of 4096."""
        return self.batches()

    def batches(
        self,
        rows: int = 4096,
        *,
        fields: Sequence[str] = FIELDS,
        shuffle: int | None = None,
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """All rows, in batches. A few row groups of 16 MiB are in memory at a time.

        Args:
            rows: Rows of a batch; the last one has fewer.
            fields: Names of the columns to read.
            shuffle: A seed. The order of row groups, and of the rows within each, is drawn from it.
                None: the order of play.

        Returns:
            Dicts from names to arrays ``[rows, ...]``, which are the caller's to keep and change;
            :mod:`playmat.datasets` lists shapes and dtypes.

        Raises:
            playmat.InvalidArgument: `rows` is less than 1, or there is no such field.
            playmat.Unreadable: A part is damaged; names the path.
        """
        if rows < 1:
            raise invalid("rows", f"got {rows}; wanted 1 or more")
        for name in fields:
            if name not in FIELDS:
                allowed = ", ".join(FIELDS)
                raise invalid("fields", f"got `{name}`; allowed: {allowed}")
        return self._batches(rows, list(dict.fromkeys(fields)), shuffle)

    def _batches(
        self, rows: int, fields: list[str], shuffle: int | None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Cuts groups into batches; what a group leaves over goes into the next batch."""
        rest: dict[str, NDArray[Any]] = {}
        kept = 0
        for group, count in self._read_groups(fields, shuffle):
            at = 0
            if kept:
                at = min(rows - kept, count)
                rest = {name: np.concatenate([rest[name], group[name][:at]]) for name in fields}
                kept += at
                if kept == rows:
                    yield rest
                    kept = 0
            if kept:
                continue
            while count - at >= rows:
                yield {name: group[name][at : at + rows].copy() for name in fields}
                at += rows
            kept = count - at
            rest = {name: group[name][at:].copy() for name in fields}
        if kept:
            yield rest

    def _read_groups(
        self, fields: list[str], shuffle: int | None
    ) -> Iterator[tuple[dict[str, NDArray[Any]], int]]:
        """Columns and rows of one row group after the other."""
        generator = None if shuffle is None else np.random.default_rng(shuffle)
        order = range(len(self._groups))
        numbers = order if generator is None else generator.permutation(len(order)).tolist()
        for number in numbers:
            file, group, count = self._groups[number]
            with _open(file) as part:
                try:
                    table = part.read_row_group(group, columns=fields, use_threads=False)
                except (OSError, ValueError) as error:
                    raise unreadable(file, f"row group {group}: {error}") from error
            columns = {name: _values(table[name].combine_chunks()) for name in fields}
            if "action_mask" in columns:
                columns["action_mask"] = columns["action_mask"].view(np.bool_)
            if generator is not None:
                drawn = generator.permutation(count)
                columns = {name: values[drawn] for name, values in columns.items()}
            yield columns, count


def _open(file: Path) -> Any:
    """A part, to be closed.

    Raises:
        playmat.Unreadable: It is damaged.
        OSError: It cannot be opened.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = file.open("rb")
    try:
        return _Closing(pq.ParquetFile(source, pre_buffer=False), source)
    except (pa.ArrowException, OSError) as error:
        source.close()
        raise unreadable(file, str(error)) from error


class _Closing:
    """A part and its file."""

    def __init__(self, part: Any, source: Any) -> None:
        self.part, self.source = part, source

    def __enter__(self) -> Any:
        return self.part

    def __exit__(self, *_: object) -> None:
        self.part.close()
        self.source.close()


def _values(column: Any) -> NDArray[Any]:
    """A column as an array; `obs`, `action_mask` and lists get their second axis."""
    import pyarrow as pa

    kind, count = column.type, len(column)
    if pa.types.is_fixed_size_binary(kind):
        size = kind.byte_width
        start = column.offset * size
        data = np.frombuffer(column.buffers()[1], np.uint8)[start : start + count * size]
        return data.reshape(count, size)
    if pa.types.is_fixed_size_list(kind):
        flat: NDArray[Any] = column.flatten().to_numpy(zero_copy_only=False)
        return flat.reshape(count, kind.list_size)
    values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values
