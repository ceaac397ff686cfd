"""Reports of a run: progress, TensorBoard, the learning curve; and a Ctrl-C that ends it after an
update.
"""

from __future__ import annotations

import json
import math
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from playmat.train.evaluate import measure

if TYPE_CHECKING:
    from playmat.train.trainer import Trainer

#: Seconds between plain lines of progress.
LINE_SECONDS = 10.0


class Stop:
    """Inside this context, the first Ctrl-C sets :attr:`requested`; the second one interrupts at
    once.
    """

    def __init__(self) -> None:
        self.requested = False
        self._before: Any = None

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._request)
        return self

    def _request(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        print("\nending after this update; Ctrl-C again ends at once", file=sys.stderr)

    def __exit__(self, *args: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class Reporter:
    """Progress on the terminal and, with a folder, TensorBoard's events, ``history.json`` and
    ``learning_curve.png``.
    """

    def __init__(self, trainer: Trainer) -> None:
        self.trainer = trainer
        self.writer: Any = None
        self.bar: Any = None
        self.last = 0.0
        if trainer.out is not None:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(trainer.out))
            constants = {**asdict(trainer.config), "reward_scale": trainer.ppo.reward_scale}
            rows = [f"|{name}|{value}|" for name, value in constants.items()]
            self.writer.add_text("hyperparameters", "\n".join(["|name|value|", "|-|-|", *rows]))
        if sys.stderr.isatty():
            try:
                from tqdm import tqdm
            except ModuleNotFoundError:
                return
            form = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
            self.bar = tqdm(total=1.0, desc=trainer.name, bar_format=form)

    def __enter__(self) -> Reporter:
        return self

    def update(self) -> None:
        """After every update."""
        trainer = self.trainer
        decisions, metrics = trainer.ppo.decisions, trainer.ppo.metrics
        shares = {f"time/{name}": share for name, share in trainer.shares().items()}
        if self.writer is not None:
            for name, value in {**metrics, **shares}.items():
                self.writer.add_scalar(name, value, decisions)
        text = line({**metrics, **trainer.evaluated}, decisions, measure(trainer.eval_game))
        if self.bar is not None:
            self.bar.set_postfix_str(text)
            self.bar.update(trainer.progress - self.bar.n)
        elif time.monotonic() - self.last > LINE_SECONDS:
            self.last = time.monotonic()
            print(f"{trainer.progress:5.1%} {text}", file=sys.stderr, flush=True)

    def evaluated(self, note: Mapping[str, float]) -> None:
        """After an evaluation, with the result of :meth:`Trainer.evaluate`."""
        if self.writer is not None:
            for name, value in note.items():
                if not name.endswith(("_low", "_high")):
                    self.writer.add_scalar(name, value, self.trainer.ppo.decisions)

    def curve(self) -> None:
        """Writes history and learning curve."""
        trainer = self.trainer
        if trainer.out is None:
            return
        trainer.out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(trainer.history, allow_nan=True)
        (trainer.out / "history.json").write_text(text, encoding="utf-8")
        path = trainer.out / "learning_curve.png"
        draw_curve(trainer.history, path, trainer.game.title, trainer.game.num_players)

    def __exit__(self, *args: object) -> None:
        if self.writer is not None:
            self.writer.close()
        if self.bar is not None:
            self.bar.close()


def line(metrics: Mapping[str, float], decisions: int, measured: str) -> str:
    """The most important figures; of evaluations only what the game is measured by."""
    parts = [f"{decisions:,} decisions", f"{metrics.get('charts/SPS', 0):,.0f}/s"]
    for name, label, form in (
        ("charts/episodic_return", "return", ".3g"),
        ("charts/episodic_length", "length", ".3g"),
        ("losses/entropy", "entropy", ".2f"),
        ("imitation/loss", "imitation loss", ".2f"),
        ("league/rating", "rating", ".0f"),
        ("losses/approx_kl", "kl", ".4f"),
        ("losses/explained_variance", "variance explained", ".2f"),
        ("ray/workers", "workers", ".0f"),
        ("ray/policy_lag", "policy lag", ".2g"),
        ("ray/lost_workers", "lost workers", ".0f"),
    ):
        # Of workers' faults only what is out of the ordinary.
        if name in metrics and (metrics[name] or not name.startswith("ray/")):
            parts.append(f"{label} {metrics[name]:{form}}")
    label = measured.replace("_", " ")
    for name, value in metrics.items():
        if name.startswith(f"eval/{measured}_"):
            parts.append(f"{label} against {name.removeprefix(f'eval/{measured}_')} {value:.3g}")
    return ", ".join(parts)


def draw_curve(
    history: Sequence[Mapping[str, float]], path: Path, title: str, players: int = 2
) -> None:
    """Draws over training time the agent's mean return and win rate against fixed opponents, with
    95% intervals, its rating in the league if there is one, and the policy's entropy and the length
    of episodes.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    alone = players == 1
    panels = [("return", "mean return")]
    if not alone:
        panels.append(("win_rate", "win rate"))
    rated = any("league/rating" in entry for entry in history)
    rows = len(panels) + rated + 1
    figure = Figure(figsize=(8, 0.5 + 2.5 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    *above, below = figure.subplots(rows, 1, sharex=True)
    league = above.pop() if rated else None
    evaluated = [entry for entry in history if "eval" in entry]
    for axis, (what, label) in zip(above, panels, strict=True):
        start = f"eval/{what}_"
        names = {name for entry in evaluated for name in entry if name.startswith(start)}
        for name in sorted(n for n in names if not n.endswith(("_low", "_high"))):
            draw_interval(axis, evaluated, name, name.removeprefix(start))
        if alone:
            for name in sorted(
                {n for e in evaluated for n in e if n.startswith("eval/bot_return_")}
            ):
                if not name.endswith(("_low", "_high")):
                    style = {"linestyle": "--", "label": f"{name[16:]} itself"}
                    axis.plot(*points(evaluated, name), **style)
        axis.set_ylabel(label)
        if evaluated:
            axis.legend(title="trained agent, beside" if alone else "against")
    above[0].set_title(f"{title}: the trained agent against fixed opponents")
    if alone:
        above[0].set_title(f"{title}: the trained agent")
    else:
        above[1].set_ylim(0, 1.03)
        above[1].axhline(1 / players, color="grey", linestyle=":")
    if league is not None:
        league.plot(*points(history, "league/rating"), marker="o", color="C2")
        league.set_ylabel("Elo points above the\nbest agent of the league")
        league.grid(alpha=0.3)
    for axis, name, label, colour in (
        (below, "losses/entropy", "entropy of the policy", "C0"),
        (below.twinx(), "charts/episodic_length", "episode length, decisions", "C1"),
    ):
        axis.plot(*points(history, name), color=colour)
        axis.set_ylabel(label, color=colour)
    below.set_xlabel("minutes")
    for axis in (*above, below):
        axis.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=110)


def points(history: Sequence[Mapping[str, float]], name: str) -> tuple[list[float], list[float]]:
    """Minutes and values of one metric, where it was measured."""
    found = [entry for entry in history if name in entry]
    return [entry["seconds"] / 60 for entry in found], [entry[name] for entry in found]


def draw_interval(axis: Any, history: Sequence[Mapping[str, float]], name: str, label: str) -> None:
    """Draws one metric with its interval, where that is known."""
    minutes, values = points(history, name)
    lows, highs = points(history, f"{name}_low")[1], points(history, f"{name}_high")[1]
    bounds = [[v - w for v, w in zip(values, lows, strict=True)]]
    bounds.append([w - v for v, w in zip(values, highs, strict=True)])
    # A share of 0 or 1 may lie a rounding error outside of its interval.
    known = [[max(0.0, size) if math.isfinite(size) else 0.0 for size in side] for side in bounds]
    axis.errorbar(minutes, values, yerr=known, marker="o", capsize=3, label=label)
