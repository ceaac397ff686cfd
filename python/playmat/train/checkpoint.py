"""Checkpoints: what they hold, atomic writing, and reading with precise refusals."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import NoneType
from typing import Any

import torch

import playmat
from playmat.errors import wrong_identity
from playmat.train.config import TrainConfig, preset
from playmat.train.encoders.network import Network, device_of

#: Raised when older checkpoints can no longer be read.
FORMAT = 6
#: Names of hyperparameters in older checkpoints, and what they are called now.
RENAMED = {"eval_games": "eval_episodes", "final_games": "final_episodes"}
#: What a file begins with; then the format in digits, a line feed, the SHA-256 of the rest, and
#: the rest, which torch wrote.
MAGIC = b"playmat checkpoint "
#: What is in a checkpoint, see :meth:`playmat.train.trainer.Trainer.state`.
FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "game": str, "version": int, "content": (str, int, NoneType), "options": dict, "config": dict,
    "network": dict, "optimizer": dict, "muon": dict, "generator": torch.Tensor, "shards": list,
    "league": dict,
    "decisions": int, "updates": int, "elapsed": float, "seconds": dict, "history": list,
    "evaluated": dict,
}  # fmt: skip


def identity(
    name: str, options: Mapping[str, Any], game: playmat.Game, config: TrainConfig
) -> dict[str, Any]:
    """The game and configuration that a checkpoint belongs to."""
    return {
        "game": name,
        "version": game.version,
        "content": game.info()["content_hash"],
        "options": dict(options),
        "config": dataclasses.asdict(config),
    }


def write(path: Path, state: Mapping[str, Any]) -> None:
    """Writes a checkpoint; whatever interrupts it leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    torch.save(dict(state), buffer)
    body = buffer.getvalue()
    part = path.with_suffix(".part")
    try:
        with open(part, "wb") as file:
            file.write(MAGIC + b"%d\n" % FORMAT + hashlib.sha256(body).digest() + body)
        os.replace(part, path)
    except OSError as error:
        # What was written of it would take the place that is lacking.
        with suppress(OSError):
            part.unlink()
        kept = "there is none yet"
        if path.exists():
            minutes = (time.time() - path.stat().st_mtime) / 60
            kept = f"the last one is from {minutes:.0f} minutes ago"
        raise OSError(
            f"cannot write checkpoint `{path}`, {len(body) / 1e6:.1f} MB: {error.strerror}; {kept}"
        ) from error


def read(path: Path) -> dict[str, Any]:
    """Reads a checkpoint.

    Raises:
        OSError: It cannot be opened.
        playmat.Unreadable: It is not a checkpoint of this format, it was changed or cut short, or
            it lacks something, or its weights are not numbers.
        playmat.WrongIdentity: It was trained on another version or content of the game.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        state = _parse(data)
    except ValueError as error:
        raise _unreadable(path, error) from error
    # Hyperparameters that the file lacks are newer than it. They get the defaults, which mean
    # training without them, not the values of the game's preset.
    given = {RENAMED.get(name, name): value for name, value in state["config"].items()}
    state["config"] = {**dataclasses.asdict(TrainConfig()), **given}
    with loading(path):
        game = playmat.Game(state["game"], **state["options"])
    for field, here in (("version", game.version), ("content", game.info()["content_hash"])):
        if state[field] != here:
            found = state[field]
            reason = f"{field} of {state['game']} is `{found}`, here it is `{here}`"
            raise wrong_identity(f"checkpoint `{path}`", field, found, here, reason)
    return state


def _parse(data: bytes) -> dict[str, Any]:
    """The content of a file. Raises ValueError with the reason."""
    head, _, rest = data.partition(b"\n")
    if not head.startswith(MAGIC):
        raise ValueError(f"it does not begin with `{MAGIC.decode()}{FORMAT}`")
    found = head.removeprefix(MAGIC).decode("ascii", "replace")
    if found != str(FORMAT):
        raise ValueError(f"format {found}; this version reads {FORMAT}")
    digest, body = rest[:32], rest[32:]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError("it was changed or cut short: its checksum is another")
    try:
        state = torch.load(io.BytesIO(body), map_location="cpu", weights_only=True)
    except Exception as error:
        # What torch raises for foreign bytes is of any kind, and advises to load without safety.
        raise ValueError(f"torch cannot load it: {type(error).__name__}") from error
    if not isinstance(state, dict):
        raise ValueError(f"it holds a {type(state).__name__}; wanted a dict")
    for name, kind in FIELDS.items():
        if name not in state:
            raise ValueError(f"`{name}` is missing")
        if not isinstance(state[name], kind):
            raise ValueError(f"`{name}` is of type {type(state[name]).__name__}")
    if not _is_numbers(state["seconds"]) or not _is_numbers(state["evaluated"]):
        raise ValueError("`seconds` and `evaluated` must map names to numbers")
    for entry in state["history"]:
        if not _is_numbers(entry) or not {"decisions", "seconds"} <= entry.keys():
            raise ValueError(
                "entries of `history` must be numbers by name, with `decisions` and `seconds`"
            )
    for name in ("decisions", "updates", "elapsed"):
        if not 0 <= state[name] < float("inf"):
            raise ValueError(f"`{name}` is {state[name]}")
    for name, value in state["network"].items():
        if not isinstance(value, torch.Tensor) or not bool(value.isfinite().all()):
            raise ValueError(f"weights `{name}` are not finite numbers")
    return state


def _is_numbers(value: object) -> bool:
    """Whether it maps names to numbers."""
    return isinstance(value, dict) and all(
        isinstance(name, str) and isinstance(number, (int, float)) for name, number in value.items()
    )


def _unreadable(path: Path, reason: object) -> playmat.Unreadable:
    error = playmat.Unreadable(f"cannot read checkpoint `{path}`: {reason}")
    error.what, error.reason = f"checkpoint `{path}`", str(reason)
    return error


@contextmanager
def loading(path: Path, changed: bool = False) -> Iterator[None]:
    """Names the file when what it holds does not fit together. With changes by the caller, an
    argument that is refused is the caller's.
    """
    try:
        yield
    except (playmat.Error, RuntimeError, TypeError, ValueError, KeyError, AttributeError) as error:
        if changed and isinstance(error, playmat.InvalidArgument):
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise _unreadable(path, f"what it holds does not fit: {reason}") from error


def config_of(state: Mapping[str, Any], **changes: Any) -> TrainConfig:
    """The configuration of a checkpoint, with changes; its device is `auto`, whatever it was."""
    return preset(state["game"], **{**state["config"], "device": "auto", **changes})


def network_of(state: Mapping[str, Any], path: Path) -> Network:
    """The trained network of a checkpoint that was read from a file, on the device of `auto`.

    Raises:
        playmat.Unreadable: Its weights are not those of its configuration.
    """
    with loading(path):
        config = config_of(state)
        network = Network(playmat.Game(state["game"], **state["options"]), config)
        network.load_state_dict(state["network"])
    return network.to(device_of(config)).eval()
