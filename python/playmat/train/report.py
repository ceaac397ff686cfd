"""What a run tells while it goes on: progress, TensorBoard, the learning curve; and how Ctrl-C ends
it in good order.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playmat.train.ppo import Trainer

#: Seconds between plain lines of progress.
LINE_SECONDS = 10.0


class Stop:
    """While this lasts, the first Ctrl-C asks for an end after the running update; the second one
    interrupts at once.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("\nending after this update; once more to end at once", file=sys.stderr)

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
        shares = trainer.shares()
        trainer.metrics.update({f"time/{name}": share for name, share in shares.items()})
        if self.writer is not None:
            for name, value in trainer.metrics.items():
                self.writer.add_scalar(name, value, trainer.rows)
        if self.bar is not None:
            self.bar.set_postfix_str(line(trainer.metrics, trainer.rows))
            self.bar.update(trainer.fraction - self.bar.n)
        elif time.monotonic() - self.last > LINE_SECONDS:
            self.last = time.monotonic()
            text = f"{trainer.fraction:5.1%} {line(trainer.metrics, trainer.rows)}"
            print(text, file=sys.stderr, flush=True)

    def curve(self) -> None:
        """Writes history and learning curve."""
        trainer = self.trainer
        if trainer.out is None:
            return
        trainer.out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(trainer.history, allow_nan=True)
        (trainer.out / "history.json").write_text(text, encoding="utf-8")
        alone = trainer.game.num_players == 1
        draw_curve(trainer.history, trainer.out / "learning_curve.png", trainer.game.title, alone)

    def __exit__(self, *args: object) -> None:
        if self.writer is not None:
            self.writer.close()
        if self.bar is not None:
            self.bar.close()


def line(metrics: Mapping[str, float], rows: int) -> str:
    """The figures that one looks at first."""
    parts = [f"{rows:,} rows", f"{metrics.get('charts/SPS', 0):,.0f}/s"]
    if "charts/episodic_return" in metrics:
        parts.append(f"return {metrics['charts/episodic_return']:.3g}")
    if "losses/entropy" in metrics:
        parts.append(f"entropy {metrics['losses/entropy']:.2f}")
        parts.append(f"kl {metrics['losses/approx_kl']:.4f}")
        parts.append(f"variance explained {metrics['losses/explained_variance']:.2f}")
    for name, value in metrics.items():
        if name.startswith("eval/"):
            parts.append(f"{name[5:]} {value:.3g}")
    return ", ".join(parts)


def draw_curve(
    history: Sequence[Mapping[str, float]], path: Path, title: str, alone: bool = False
) -> None:
    """Draws evaluations and self-play returns over training time."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    del matplotlib
    figure = Figure(figsize=(8, 6), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True)
    judged = [entry for entry in history if "eval" in entry]
    for name in sorted({name for entry in judged for name in entry if name.startswith("eval/")}):
        points = [(e["seconds"] / 60, e[name]) for e in judged if name in e]
        above.plot(*zip(*points, strict=True), marker="o", label=name[5:])
    above.set_title(f"{title}: self-play training")
    above.set_ylabel("mean score" if alone else "share of games won")
    if not alone:
        above.set_ylim(0, 1.03)
    if judged:
        above.legend(title="compared with" if alone else "against")
    for name, label in (("charts/episodic_return", "return"), ("losses/entropy", "entropy")):
        points = [(e["seconds"] / 60, e[name]) for e in history if name in e]
        axis = below if label == "return" else below.twinx()
        colour = "C0" if label == "return" else "C1"
        if points:
            axis.plot(*zip(*points, strict=True), color=colour)
        axis.set_ylabel(f"{label} in self-play", color=colour)
    below.set_xlabel("minutes")
    for axis in (above, below):
        axis.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=110)
