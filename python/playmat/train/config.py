"""Every hyperparameter of training, once: its doc line here is its help on the command line."""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import playmat


def _p(default: Any, doc: str, low: float = -math.inf, high: float = math.inf) -> Any:
    """A hyperparameter with its doc line and range."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _choice(default: str, doc: str, *allowed: str) -> Any:
    """A hyperparameter that is one of some words."""
    return field(default=default, metadata={"doc": doc, "allowed": allowed})


@dataclass
class TrainConfig:
    """Hyperparameters of ``playmat train``. A row is one decision of one seat."""

    minutes: float = _p(
        10.0, "wall time of training in minutes, looked at in every row and gradient step; the "
        "last evaluation comes on top; 0: no limit", 0,
    )  # fmt: skip
    steps: int = _p(0, "rows to train for; 0: no limit. Exact resume needs this limit", 0)
    seed: int = _p(1, "seed of everything: episodes, initial weights, draws", 0, 2**63 - 1)

    envs: int = _p(256, "episodes played at once", 1, 2**20)
    rollout: int = _p(64, "rows of each episode between two updates", 1, 2**16)
    epochs: int = _p(2, "passes over the rows of an update", 1, 100)
    minibatch: int = _p(2048, "rows of one gradient step", 1, 2**24)

    lr: float = _p(1e-3, "learning rate of Adam at the start", 0, 1)
    final_lr: float = _p(0.0, "share of `lr` that is left at the end", 0, 1)
    lr_power: float = _p(
        1.0, "power of the share of the run that is left with which the learning rate falls", 0, 8
    )
    gamma: float = _p(1.0, "discount per own decision", 0, 1)
    lam: float = _p(0.95, "lambda of the advantages", 0, 1)
    clip: float = _p(0.2, "clip of the probability ratio", 0, 10)
    entropy: float = _p(0.01, "weight of the entropy at the start", 0, 10)
    final_entropy: float = _p(0.1, "share of `entropy` that is left at the end", 0, 1)
    value: float = _p(0.5, "weight of the value loss", 0, 100)
    max_grad: float = _p(0.5, "largest norm of a gradient", 0)
    target_kl: float = _p(
        0.0, "no more epochs after this divergence from the rollout's policy; 0: never", 0
    )

    imitate: float = _p(
        0.0, "share of the run, at its start, in which the network learns to choose as the greedy "
        "bot does; of its rows the bot plays all at first, none at last", 0, 1,
    )  # fmt: skip

    imitate_minibatch: int = _p(
        0, "rows of one gradient step while imitating; 0: as `minibatch`", 0, 2**24
    )

    kickstart: float = _p(
        0.0, "weight, after imitation, of what the greedy bot would do, beside the rewards; falls "
        "to 0 at the end", 0, 10,
    )  # fmt: skip

    versus: float = _p(
        0.0, "share of the episodes in which the bots of `opponents`, one of them each, play all "
        "seats but one", 0, 1,
    )  # fmt: skip

    reward: str = _choice(
        "", "reward to train on; empty: the game's own", "", "outcome", "score", "score_delta"
    )
    reward_scale: float = _p(
        0.0, "factor on rewards; 0: measured from play, so that returns have standard deviation 1 "
        "(`Game.reward_scale`); `outcome`, whose returns are -1 to 1, then stays as it is", 0, 1e6,
    )  # fmt: skip
    relative: bool = _p(False, "train on the own reward less the mean of the others'")

    network: str = _choice(
        "auto",
        "conv: boards as pictures; entities: like things with the same weights; mlp; auto: "
        "conv for large boards, entities for four or more",
        "auto",
        "conv",
        "entities",
        "mlp",
    )
    precision: str = _choice(
        "auto", "of the network; auto: bfloat16 on processors that multiply matrices of it",
        "auto", "float32", "bfloat16",
    )  # fmt: skip
    width: int = _p(128, "units of a hidden layer", 1, 8192)
    channels: int = _p(32, "channels of a convolution", 1, 1024)
    ignore: str = _p("", "observation segments to leave out: patterns such as `other*_sheet`, ...")

    eval_minutes: float = _p(1.0, "minutes between evaluations; 0: only at the end", 0)
    eval_games: int = _p(200, "games against each bot in an evaluation", 1, 10**7)
    final_games: int = _p(1000, "games against each bot at the end", 1, 10**7)
    opponents: str = _p("random,greedy", "bots to evaluate against, separated by commas")
    play: str = _choice(
        "best", "how the agent plays when it is evaluated: likeliest action, or drawn",
        "best", "sample",
    )  # fmt: skip

    save_minutes: float = _p(1.0, "minutes between checkpoints", 0)
    torch_threads: int = _p(0, "threads of torch; 0: all cores, but one for an mlp", 0, 256)
    env_threads: int = _p(1, "threads of the environments", 1, 256)

    def check(self) -> None:
        """Refuses values out of range.

        Raises:
            playmat.InvalidArgument: Names the hyperparameter, its value and what is allowed.
        """
        for item in dataclasses.fields(self):
            value, meta = getattr(self, item.name), item.metadata
            if "allowed" in meta:
                if value not in meta["allowed"]:
                    words = ", ".join(f"`{word}`" for word in meta["allowed"])
                    refuse(item.name, f"got `{value}`; allowed: {words}")
            elif not isinstance(value, (str, bool)) and not meta["low"] <= value <= meta["high"]:
                refuse(item.name, f"got {value}; allowed: {_range(meta['low'], meta['high'])}")
        if self.minutes == 0 and self.steps == 0:
            refuse("minutes", "got 0 and no `steps`; one of the two must end the training")
        rows = self.envs * self.rollout
        for name in ("minibatch", "imitate_minibatch"):
            if getattr(self, name) > rows:
                had = getattr(self, name)
                refuse(name, f"got {had}; an update has {rows} rows (envs x rollout)")


def refuse(name: str, reason: str) -> None:
    """Raises InvalidArgument for a hyperparameter."""
    error = playmat.InvalidArgument(f"argument `{name}`: {reason}")
    error.argument, error.reason = name, reason
    raise error


def _range(low: float, high: float) -> str:
    least, most = (f"{x:g}" if isinstance(x, float) else str(x) for x in (low, high))
    return f"at least {least}" if high == math.inf else f"{least} to {most}"


#: What differs from the defaults for a game, by its id. Found by trial on two cores.
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "graphia": {
        "reward": "score_delta",
        "reward_scale": 0.05,
        "ignore": "other*_sheet",
        "channels": 16,
        "rollout": 32,
        "minibatch": 512,
        "lr": 2.5e-3,
        "lr_power": 2.0,
        "gamma": 0.99,
        "lam": 0.9,
        "entropy": 0.005,
        "imitate": 0.25,
    },
    "gravitix": {
        "reward": "score_delta",
        "reward_scale": 0.1,
        "relative": True,
        "width": 256,
        "rollout": 32,
        "minibatch": 512,
        "lr": 2.5e-3,
        "lr_power": 2.0,
        "gamma": 0.99,
        "lam": 0.9,
        "entropy": 0.002,
        "imitate": 0.5,
    },
    "graft": {
        "width": 256,
        "minibatch": 1024,
        "lr": 2e-3,
        "lr_power": 2.0,
        "gamma": 0.999,
        "imitate": 0.5,
    },
    # Mostly luck: a step needs many rows to point anywhere, and what the bot does is seldom wrong.
    "rafts": {
        "width": 256,
        "envs": 1024,
        "minibatch": 8192,
        "lr": 3e-3,
        "gamma": 0.999,
        "lam": 0.97,
        "entropy": 0.0,
        "imitate": 0.25,
        "imitate_minibatch": 1024,
        "kickstart": 0.1,
        "versus": 0.25,
    },
    "kuhn_poker": {"play": "sample", "reward": "score"},
    "leduc_poker": {"play": "sample", "reward": "score"},
    "goofspiel": {"play": "sample"},
}


def preset(game: str, **changes: Any) -> TrainConfig:
    """The configuration for a game: defaults, the game's preset, then these changes.

    Raises:
        playmat.InvalidArgument: An unknown name or a value out of range.
    """
    known = {item.name for item in dataclasses.fields(TrainConfig)}
    for name in changes:
        if name not in known:
            refuse(name, f"no such hyperparameter; known: {', '.join(sorted(known))}")
    config = TrainConfig(**{**PRESETS.get(game, {}), **changes})
    config.check()
    return config


def add_arguments(parser: argparse.ArgumentParser, without: Sequence[str] = ()) -> None:
    """Adds an argument per hyperparameter; what is not given stays None."""
    group = parser.add_argument_group("hyperparameters (defaults before the game's preset)")
    for item in dataclasses.fields(TrainConfig):
        if item.name in without:
            continue
        name = "--" + item.name.replace("_", "-")
        shown = f"{item.metadata['doc']} (default: {item.default!r})".replace("%", "%%")
        if isinstance(item.default, bool):
            group.add_argument(
                name, action=argparse.BooleanOptionalAction, default=None, help=shown
            )
        else:
            kind = type(item.default)
            group.add_argument(name, type=kind, metavar=kind.__name__.upper(), help=shown)


def given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The hyperparameters that a command line sets."""
    names = [item.name for item in dataclasses.fields(TrainConfig)]
    found = {name: getattr(arguments, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def from_arguments(game: str, arguments: argparse.Namespace) -> TrainConfig:
    """The configuration that a command line asks for."""
    return preset(game, **given(arguments))
