"""Files of checkpoints and functions that play in a training run, beside its policy."""

from __future__ import annotations

from pathlib import Path

from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.environments import names_of
from playmat.train.imitation import Imitation
from playmat.train.named import identity_of, is_checkpoint, of_engine

#: The name of a run's checkpoint in its folder.
CHECKPOINT = "checkpoint.pt"


def files_of(config: TrainConfig, out: Path | None) -> dict[str, str]:
    """What tells the files of checkpoints and functions from later ones, by the texts of
    `opponents` and `expert` that name them.

    Raises:
        playmat.InvalidArgument: One is the checkpoint that a run in the folder ``out`` replaces; or
            a function that cannot be recognized in another process.
    """
    used = [("opponents", name) for name in names_of(config)]
    used += [("expert", config.expert)] if Imitation.wanted(config) else []
    found = {}
    for argument, spec in used:
        if out and is_checkpoint(spec) and Path(spec).resolve() == (out / CHECKPOINT).resolve():
            wanted = "a copy of it, or another --out"
            raise invalid(argument, f"got `{spec}`, which this run replaces; wanted {wanted}")
        if (file := identity_of(spec, argument)) is not None:
            found[spec] = file
    return found


def refuse_files(config: TrainConfig) -> None:
    """Refuses checkpoints and functions that would play in the workers: a worker that starts later,
    or on another machine, might read another file of the same name. Evaluations are the driver's.
    """
    playing = [("opponents", name) for name in names_of(config) if config.opponent_fraction]
    playing += [("expert", config.expert)] if Imitation.wanted(config) else []
    for argument, spec in playing:
        if not of_engine(spec):
            allowed = "with --ray agents of the engine, such as `mcts:50` or `policy.onnx`"
            hint = "; `playmat export` makes one of a checkpoint" if is_checkpoint(spec) else ""
            raise invalid(
                argument, f"got `{spec}`, which plays in one process; allowed: {allowed}{hint}"
            )
