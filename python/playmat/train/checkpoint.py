"""Checkpoints: what is in them, writing them whole or not at all, and reading them with precise
refusals.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

import playmat
from playmat.train.config import TrainConfig, preset
from playmat.train.network import Network

#: Changes when older checkpoints can no longer be read.
FORMAT = 1


def identity(
    name: str, options: Mapping[str, Any], game: playmat.Game, config: TrainConfig
) -> dict[str, Any]:
    """What a checkpoint says about where it belongs."""
    return {
        "format": FORMAT,
        "game": name,
        "version": game.version,
        "content": game.info()["content_hash"],
        "options": dict(options),
        "config": dataclasses.asdict(config),
    }


def write(path: Path, state: Mapping[str, Any]) -> None:
    """Writes a checkpoint; whatever interrupts it leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(dict(state), part)
    os.replace(part, path)


def read(path: Path) -> dict[str, Any]:
    """Reads a checkpoint.

    Raises:
        OSError: It cannot be opened.
        playmat.Unreadable: It is not a checkpoint of this format.
        playmat.WrongIdentity: It was trained on another version or content of the game.
    """
    with open(path, "rb") as file:
        try:
            state = torch.load(file, weights_only=True)
        except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
            raise playmat.Unreadable(f"cannot read checkpoint `{path}`: {error}") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        found = state.get("format") if isinstance(state, dict) else None
        raise playmat.Unreadable(
            f"cannot read checkpoint `{path}`: format {found}; this version reads {FORMAT}"
        )
    game = playmat.Game(state["game"], **state["options"])
    for field, here in (("version", game.version), ("content", game.info()["content_hash"])):
        if state[field] != here:
            raise playmat.WrongIdentity(
                f"checkpoint `{path}` does not fit: {field} of {state['game']} is "
                f"`{state[field]}`, here it is `{here}`"
            )
    return state


def config_of(state: Mapping[str, Any], **changes: Any) -> TrainConfig:
    """The configuration of a checkpoint, with changes."""
    return preset(state["game"], **{**state["config"], **changes})


def network_of(state: Mapping[str, Any]) -> Network:
    """The trained network of a checkpoint."""
    network = Network(playmat.Game(state["game"], **state["options"]), config_of(state))
    network.load_state_dict(state["network"])
    return network.eval()
