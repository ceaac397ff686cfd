"""A training run around :class:`playmat.train.ppo.PPO`: limits, evaluation against fixed opponents,
checkpoints, reports.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

import playmat
from playmat.errors import invalid, wrong_identity
from playmat.processors import available_processors
from playmat.train import checkpoint
from playmat.train.config import TrainConfig
from playmat.train.encoders.network import build
from playmat.train.environments import opponents_of
from playmat.train.evaluate import Interrupted, PolicyAgent, Result, evaluate
from playmat.train.files import CHECKPOINT, files_of
from playmat.train.ppo import PPO
from playmat.train.report import Reporter, Stop

#: What cannot change when a run is resumed: weights and environments depend on it.
FIXED = (
    "network", "width", "channels", "reach", "pieces", "pair_heads", "ignore", "num_envs",
    "num_shards", "reward", "seed", "league", "greedy_bonus",
)  # fmt: skip


class Diverged(playmat.Error, ArithmeticError):
    """A loss is NaN or infinite. Nothing is saved after that."""

    code = "diverged"


class Trainer:
    """A training run: ``Trainer("graphia", {"players": 2}, preset("graphia"),
    Path("runs/graphia")).run()``.

    :meth:`state` holds everything that the next update depends on: a run that is resumed from a
    checkpoint continues bit by bit as if it had not stopped, if `total_decisions` is its limit (a
    limit of minutes anneals by the clock).
    """

    def __init__(
        self, name: str, options: Mapping[str, Any], config: TrainConfig,
        out: Path | None = None, algorithm: Callable[..., PPO] = PPO,
    ) -> None:  # fmt: skip
        config.check()
        self.name, self.options, self.config, self.out = name, dict(options), config, out
        reward = {"reward": config.reward} if config.reward else {}
        self.game = playmat.Game(name, **{**self.options, **reward})
        #: What agents are evaluated in: the game's own reward, whatever they are trained on.
        self.eval_game = playmat.Game(name, **self.options)
        self.opponents = opponents_of(config, self.eval_game)
        #: What tells files of checkpoints and functions from later ones: a run that is resumed must
        #: play against the same.
        self.files = files_of(config, out)
        self.network = build(self.game, config)
        self.ppo = algorithm(self.game, self.network, config)
        # Two made 1.2 to 1.5 times as many decisions a second as one, with each network of the
        # presets. More were not measured; the layers of an MLP are small.
        cores = available_processors()
        most = cores if self.network.columns.planes.size else min(cores, 2)
        torch.set_num_threads(config.torch_threads or max(1, most // self.ppo.threads))
        self.elapsed = 0.0
        self.history: list[dict[str, float]] = []
        #: Means of the last evaluation, as curves name them.
        self.evaluated: dict[str, float] = {}
        self.results: dict[str, Result] = {}
        #: When the limit of minutes is reached, on the clock of ``time.perf_counter``.
        self.deadline = math.inf

    def run(self) -> dict[str, Result]:
        """Trains to the limit or to Ctrl-C (which raises KeyboardInterrupt when the checkpoint is
        written); then evaluates.

        Returns:
            Results of the final evaluation by opponent. With ``out``, that folder then holds
            ``checkpoint.pt``, ``learning_curve.png``, ``policy.onnx``, ``history.json`` and
            TensorBoard's events.
        """
        started, before, config = time.perf_counter(), self.elapsed, self.config
        saved = before
        evaluated = max([before, *(h["seconds"] for h in self.history if "eval" in h)])
        self.deadline = started + 60 * config.minutes - before if config.minutes else math.inf
        with Stop() as stop, Reporter(self) as reporter:

            def may_continue() -> bool:
                return not stop.requested and time.perf_counter() < self.deadline

            while not self.finished and not stop.requested:
                then = time.perf_counter()
                complete = self.update()
                now = time.perf_counter()
                self.elapsed = before + now - started
                if complete:
                    metrics = self.ppo.metrics
                    metrics["charts/SPS"] = self.ppo.action.size / (now - then)
                    self.history.append({**self._now(), **metrics})
                    reporter.update()
                if config.eval_minutes and self.elapsed - evaluated > 60 * config.eval_minutes:
                    reporter.evaluated(self.evaluate(config.eval_episodes, may_continue))
                    evaluated = self.elapsed = before + time.perf_counter() - started
                wait = 60 * config.save_minutes
                if self.out and wait and self.elapsed - saved > wait:
                    self.save()
                    reporter.curve()
                    saved = self.elapsed
            self.deadline = math.inf
            if self.out:
                self.save()
            if not stop.requested:
                reporter.evaluated(self.evaluate(config.final_episodes, may_continue))
            if stop.requested:
                reporter.curve()
                raise KeyboardInterrupt
            if self.out:
                self.save()
                self.export()
            reporter.curve()
            return self.results

    def update(self) -> bool:
        """One update of :class:`PPO`; False if time was up before its rollout was complete.

        Raises:
            Diverged: A loss is NaN or infinite.
        """
        complete, config = self.ppo.update(self.progress, self.deadline), self.config
        rates = f"`learning_rate` is {config.learning_rate:g}"
        if config.muon_learning_rate:
            rates += f", `muon_learning_rate` {config.muon_learning_rate:g}"
        for name, value in self.ppo.metrics.items():
            if name.endswith("loss") and not math.isfinite(value):
                raise Diverged(
                    f"`{name}` is {value} after {self.ppo.decisions:,} decisions: the training has "
                    f"diverged ({rates}); the last checkpoint is from before"
                )
        return complete

    @property
    def progress(self) -> float:
        """The share of the run that is done, 0 to 1."""
        done = 0.0
        if self.config.total_decisions:
            done = self.ppo.decisions / self.config.total_decisions
        if self.config.minutes:
            done = max(done, self.elapsed / (60 * self.config.minutes))
        return min(1.0, done)

    @property
    def finished(self) -> bool:
        """Whether a limit is reached."""
        return self.progress >= 1

    def agent(self, name: str = "policy") -> PolicyAgent:
        """The network as an agent."""
        return PolicyAgent(self.network, self.config.play, self.config.seed, name)

    def evaluate(
        self, episodes: int, may_continue: Callable[[], bool] | None = None
    ) -> dict[str, float]:
        """Plays against each of :attr:`opponents`, sets :attr:`results` and adds to the history. If
        ``may_continue``, called before every step, returns False, nothing is noted.

        Returns:
            By opponent and as :func:`playmat.train.evaluate.measure` names them, mean returns and
            win rates, each with the ends of its 95% interval: ``eval/return_greedy``,
            ``eval/return_greedy_low``, ...; for one player the opponent's returns as
            ``eval/bot_return_greedy``.
        """
        # Other episodes than those trained on, and the same ones each time.
        seed, threads, results = self.config.seed + 1_000_003, self.config.threads, {}
        try:
            with self.ppo.clock("evaluation"):
                for name, agent in self.opponents.items():
                    results[name] = evaluate(
                        self.eval_game, self.agent(), agent, episodes, seed, threads,
                        may_continue, name=name,
                    )  # fmt: skip
        except Interrupted:
            return {}
        note: dict[str, float] = {}
        for opponent, result in results.items():
            found = {"return": result.returns}
            if result.opponent_returns is None:
                found["win_rate"] = result.win_rate
            else:
                found["bot_return"] = result.opponent_returns
            for what, (value, low, high) in found.items():
                name = f"eval/{what}_{opponent}"
                note |= {name: value, f"{name}_low": low, f"{name}_high": high}
        self.evaluated = {k: v for k, v in note.items() if not k.endswith(("_low", "_high"))}
        self.history.append({**self._now(), "eval": 1.0, **note})
        self.results = results
        return note

    def _now(self) -> dict[str, float]:
        """The first items of every entry of the history."""
        return {"decisions": self.ppo.decisions, "seconds": self.elapsed}

    def shares(self) -> dict[str, float]:
        """Share of the measured time by what it was spent on."""
        total = sum(self.ppo.seconds.values()) or 1.0
        return {name: seconds / total for name, seconds in self.ppo.seconds.items()}

    def save(self) -> None:
        """Writes ``checkpoint.pt`` into the run's folder."""
        assert self.out is not None
        checkpoint.write(self.out / CHECKPOINT, self.state())

    def export(self) -> None:
        """Writes ``policy.onnx`` into the run's folder."""
        from playmat.train.export import export

        assert self.out is not None
        export(
            self.network,
            self.game,
            self.out / "policy.onnx",
            reward_scale=self.ppo.reward_scale,
            relative=self.config.relative,
            win_bonus=self.config.win_bonus,
            temperature=self.config.temperature,
        )

    def state(self) -> dict[str, Any]:
        """Everything that the next update depends on."""
        ppo = self.ppo
        return {
            **checkpoint.identity(self.name, self.options, self.eval_game, self.config),
            "files": dict(self.files),
            "network": self.network.state_dict(),
            "optimizer": ppo.optimizer.state_dict(),
            "muon": ppo.muon.state() if ppo.muon is not None else {},
            "generator": ppo.generator.get_state(),
            "shards": ppo.shard_states(),
            "league": ppo.league.state() if ppo.league is not None else {},
            "decisions": ppo.decisions,
            "updates": ppo.updates,
            "elapsed": self.elapsed,
            "seconds": dict(ppo.seconds),
            "history": list(self.history),
            "evaluated": dict(self.evaluated),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Continues from :meth:`state`, on whichever device it was made."""
        ppo = self.ppo
        self.network.load_state_dict(state["network"])
        ppo.optimizer.load_state_dict(state["optimizer"])
        if ppo.muon is not None:
            ppo.muon.load(state["muon"])
        ppo.generator.set_state(state["generator"])
        if ppo.league is not None:
            ppo.league.load(state["league"])
        ppo.load_shards(state["shards"])
        ppo.decisions, ppo.updates = state["decisions"], state["updates"]
        ppo.seconds = {**ppo.seconds, **state["seconds"]}
        self.elapsed, self.history = state["elapsed"], list(state["history"])
        self.evaluated = dict(state["evaluated"])


def resume(
    path: Path, out: Path | None = None, algorithm: Callable[..., PPO] = PPO, **changes: Any
) -> Trainer:
    """A trainer that continues from a checkpoint; ``changes`` to its configuration, such as longer
    limits. The device is not the checkpoint's but `auto`, unless ``changes`` names one.

    Raises:
        playmat.InvalidArgument: A change to what the checkpoint's network or episodes are made by.
        playmat.Unreadable: What the checkpoint holds does not fit together.
        playmat.WrongIdentity: The file of a checkpoint or function that plays in the run has
            changed.
    """
    state = checkpoint.read(path)
    for name in FIXED:
        had = state["config"].get(name)
        if name in changes and changes[name] != had:
            raise invalid(
                name, f"got {changes[name]!r}; the checkpoint has {had!r}, which cannot change"
            )
    had, name = state["config"].get("muon_learning_rate"), "muon_learning_rate"
    if bool(changes.get(name, had)) != bool(had):
        message = f"got {changes[name]}; the checkpoint has {had}, and weights stay with their"
        raise invalid(name, f"{message} optimizer: allowed are {'numbers above 0' if had else '0'}")
    with checkpoint.loading(path, bool(changes)):
        config = checkpoint.config_of(state, **changes)
    folder = out or path.parent
    here, there = files_of(config, folder), state.get("files", {})
    for spec in here.keys() & there.keys():
        if here[spec] != there[spec]:
            reason = "its file is not the one with which the run began"
            raise wrong_identity(f"`{spec}`", "file", here[spec], there[spec], reason)
    with checkpoint.loading(path, bool(changes)):
        trainer = Trainer(state["game"], state["options"], config, folder, algorithm)
        trainer.load(state)
    return trainer
