"""Proximal policy optimization in self-play, for any game of the engine and any number of seats.
One network plays all seats. It may begin with imitation: the policy learns what the greedy bot
would do, in rows that the bot plays at first and the network more and more. In some episodes bots
may play all seats but one.

Read from top to bottom: what a run consists of (:class:`Trainer`), a rollout, advantages, learning,
and the loop around them. A row is one decision of one seat. What seats earn between their own
decisions is sorted out by :func:`playmat.gae`.
"""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import playmat
from playmat.train import checkpoint
from playmat.train.config import TrainConfig, refuse
from playmat.train.evaluate import BOTS, Interrupted, PolicyAgent, Result, draw, evaluate
from playmat.train.network import Network
from playmat.train.report import Reporter, Stop

#: What wall time is spent on.
SHARES = ("environment", "inference", "learning", "evaluation")
#: What cannot change when a run is resumed.
FIXED = ("network", "width", "channels", "ignore", "envs", "reward", "seed")
#: Rows of random play that the network's inputs are scaled by.
FIT_ROWS = 8192
#: Points of an episode that environments start from.
STAGGER = 32


class Diverged(playmat.Error, ArithmeticError):
    """Weights became so large that losses are no numbers. Nothing is saved after that."""

    code = "diverged"


class Trainer:
    """A training run: ``Trainer("graphia", {"players": 2}, preset("graphia"),
    Path("runs/graphia")).run()``.

    Everything that the next update depends on is in :meth:`state`, so that a run that is resumed
    from a checkpoint goes on bit by bit as if it had not stopped (with `steps` as its limit: a
    limit of minutes anneals by the clock).
    """

    def __init__(
        self, name: str, options: Mapping[str, Any], config: TrainConfig, out: Path | None = None
    ) -> None:
        config.check()
        self.name, self.options, self.config, self.out = name, dict(options), config, out
        reward = {"reward": config.reward} if config.reward else {}
        self.game = playmat.Game(name, **{**self.options, **reward})
        # What agents are judged by is the game's own reward, whatever they are trained on.
        self.judged = playmat.Game(name, **self.options)
        for bot in self.bots:
            if bot not in BOTS:
                refuse("opponents", f"got `{bot}`; known bots: {', '.join(BOTS)}")

        # What is learnt, and by what.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            self.network = Network(self.game, config)
        # A convolution is about a fifth faster this way on the machines tried.
        self.network = self.network.to(memory_format=torch.channels_last)
        # An MLP's layers are too small to be worth dividing.
        cores = os.cpu_count() or 1 if self.network.columns.planes.size else 1
        torch.set_num_threads(config.torch_threads or cores)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.lr, eps=1e-5, fused=True
        )
        self.generator = torch.Generator().manual_seed(config.seed)

        # A rollout: T rows of N environments, and the observation after the last. Filled in place.
        t, n = config.rollout, config.envs
        players, actions = self.game.num_players, self.game.num_actions
        if t <= players:
            message = f"got {t}; above {players}, the number of players, so that seats decide twice"
            refuse("rollout", message)
        self.obs = np.zeros((t + 1, n, self.game.observation_shape[0]), np.uint8)
        self.mask = np.zeros((t + 1, n, actions), np.bool_)
        self.player = np.zeros((t + 1, n), np.int32)
        self.action = np.zeros((t, n), np.int64)
        # What the greedy bot would do, while it is listened to.
        self.advice = np.zeros((t, n), np.int64)
        self.log_prob = np.zeros((t, n), np.float32)
        self.value = np.zeros((t, n), np.float32)
        self.reward = np.zeros((t, n, players), np.float32)
        self.terminated = np.zeros((t, n), np.bool_)
        self.truncated = np.zeros((t, n), np.bool_)
        self.final_value = np.zeros((t, n, players), np.float32)
        self.advantage = np.zeros((t, n), np.float32)
        self.returns = np.zeros((t, n), np.float32)
        # Rows of seats that no bot plays, and of these those whose outcome is known well enough to
        # learn from.
        self.own = np.ones((t, n), np.bool_)
        self.known = np.ones((t, n), np.bool_)
        self.learner, self.bot = self._seating()
        info = self.game.info()
        # Whether a limit from outside cuts episodes off.
        self.cuts = info["max_steps"] > 0
        # Whether the mean of all players' returns is 0, whoever plays.
        self.zero_sum = players > 1 and (self.game.reward == "outcome" or info["score_zero_sum"])
        self.reward_scale = config.reward_scale or self._measured_scale()
        fields = ["obs", "action_mask", "player", "reward", "terminated", "truncated"]
        fields += ["episode_return", "episode_length"]
        self.venv = self.game.vec_env(n, threads=config.env_threads, fields=fields)
        self._show(self._stagger())

        # How far the run is.
        self.rows = self.updates = 0
        self.elapsed = 0.0
        self.seconds = dict.fromkeys(SHARES, 0.0)
        self.history: list[dict[str, float]] = []
        self.metrics: dict[str, float] = {}
        self.results: dict[str, Result] = {}
        # When the limit of minutes is reached, on the clock of time.perf_counter.
        self.deadline = math.inf
        self._fit()

    def _seating(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """For each environment the seat that is not a bot's, and which bot plays the others; -1 for
        self-play.
        """
        count, players = self.config.envs, self.game.num_players
        versus = round(self.config.versus * count) if players > 1 and self.bots else 0
        env = np.arange(count)
        against = env < versus
        learner = np.where(against, env % players, -1)
        bot = np.where(against, env // players % max(1, len(self.bots)), -1)
        return learner, bot

    def _stagger(self) -> playmat.Batch:
        """Starts the environments at different points of an episode: in lockstep, a rollout would
        show openings only, the next one endings only. The first episodes begin with random play for
        that.
        """
        length = self.game.survey(32, self.config.seed, ["random"])["decisions"]["mean"]
        groups = min(self.config.envs, STAGGER)
        group = np.arange(self.config.envs) % groups
        self.venv.reset(seed=self.config.seed)
        for k in range(groups):
            self.venv.rollout("random", max(1, round(length / groups)))
            batch = self.venv.reset(mask=group == k)
        return batch

    def _measured_scale(self) -> float:
        """The factor on rewards that :meth:`playmat.Game.reward_scale` measures."""
        if self.game.reward == "outcome":
            return 1.0
        relative = self.config.relative and self.game.num_players > 1
        return self.game.reward_scale(seed=self.config.seed, relative=relative)

    def _fit(self) -> None:
        """Scales the network's inputs by what random play sees."""
        envs = min(64, FIT_ROWS)
        with self.game.vec_env(envs) as venv:
            venv.reset(seed=self.config.seed)
            arrays = venv.rollout_arrays(FIT_ROWS // envs, ["obs"])
            venv.rollout("random", FIT_ROWS // envs, out=arrays)
        self.network.fit(arrays["obs"].reshape(FIT_ROWS, -1))

    # One update

    def rollout(self) -> bool:
        """Plays T rows of every environment with the network in all seats; while it still imitates,
        with the greedy bot in ever fewer rows.

        Returns:
            False if time was up before the last row. The rows played so far are dropped then.
        """
        ended: dict[str, list[float]] = defaultdict(list)
        for t in range(self.config.rollout):
            if self._is_time_up():
                # The environments stay where they are, and so does what they show.
                self.obs[-1], self.mask[-1], self.player[-1] = (
                    self.obs[t], self.mask[t], self.player[t]
                )  # fmt: skip
                return False
            with self._clock("inference"), torch.no_grad():
                mask = torch.from_numpy(self.mask[t])
                logits, value = self.network(torch.from_numpy(self.obs[t]), mask)
                log_probs = logits.log_softmax(1)
                self.value[t] = value.numpy()
                self.action[t] = draw(logits.softmax(1), self.generator).numpy()
            with self._clock("environment"):
                self._seat_bots(t)
                if self.imitating or self.config.kickstart:
                    self.venv.bot_actions("greedy", out=self.advice[t])
                batch = self._imitated(t) if self.imitating else self._step(t, self.action[t])
            action = torch.from_numpy(self.action[t])
            self.log_prob[t] = log_probs.gather(1, action[:, None]).squeeze(1).numpy()
            over = np.flatnonzero(self.terminated[t] | self.truncated[t])
            if over.size:
                self._note_ended(ended, over, batch)
        self.metrics.update({name: float(np.mean(found)) for name, found in ended.items()})
        return True

    def _note_ended(
        self, ended: dict[str, list[float]], over: np.ndarray[Any, Any], batch: playmat.Batch
    ) -> None:
        """Notes lengths and returns of episodes that ended. What players earn among themselves is
        noted only where it is not 0 by the rules.
        """
        ended["charts/episodic_length"].extend(batch.episode_length[over].tolist())
        against = over[self.bot[over] >= 0]
        if against.size:
            earned = batch.episode_return[against, self.learner[against]]
            ended["charts/return_against_bots"].extend(earned.tolist())
        among = over[self.bot[over] < 0]
        if among.size and not self.zero_sum:
            earned = batch.episode_return[among].mean(1)
            ended["charts/episodic_return"].extend(earned.tolist())

    def _step(self, t: int, actions: np.ndarray[Any, np.dtype[np.int64]]) -> playmat.Batch:
        """Plays row t."""
        out = {
            "obs": self.obs[t + 1],
            "action_mask": self.mask[t + 1],
            "player": self.player[t + 1],
            "reward": self.reward[t],
            "terminated": self.terminated[t],
            "truncated": self.truncated[t],
        }
        return self.venv.step(actions, out=out)

    def _seat_bots(self, t: int) -> None:
        """Lets bots choose in the rows of row t that are theirs."""
        self.own[t] = (self.bot < 0) | (self.player[t] == self.learner)
        for i, name in enumerate(self.bots):
            theirs = (self.bot == i) & ~self.own[t]
            if theirs.any():
                self.action[t, theirs] = self.venv.bot_actions(name)[theirs]

    def _imitated(self, t: int) -> playmat.Batch:
        """Plays row t, here the greedy bot, there the network: it is to know what to do where its
        own play leads (DAgger). The row's action is what the bot would do.
        """
        drawn = self.action[t].copy()
        self.action[t] = self.advice[t]
        share = 1 - self.fraction / self.config.imitate
        bots = torch.rand(len(drawn), generator=self.generator).numpy() < share
        return self._step(t, np.where(bots & self.own[t], self.action[t], drawn))

    def estimate(self) -> None:
        """Advantages and returns of the rollout, per seat; see :func:`playmat.gae`."""
        config = self.config
        with self._clock("learning"):
            reward = self.reward
            if config.relative and self.game.num_players > 1:
                others = reward.sum(2, keepdims=True) - reward
                reward = reward - others / (self.game.num_players - 1)
            if self.reward_scale != 1:
                reward = reward * np.float32(self.reward_scale)
            if not self.cuts:
                # The game's own limit is a rule: what it pays is final. If values followed from
                # values there, a position in which nothing happens any more could be worth anything
                # (in Rafts! agents learned to wait for the limit).
                self.terminated |= self.truncated
                self.truncated[:] = False
            next_value = self._leave_open(reward)
            playmat.gae(
                reward, self.value, self.player[:-1], self.terminated, self.truncated, next_value,
                final_value=self.final_value, gamma=config.gamma, lam=config.lam,
                out=(self.advantage, self.returns),
            )  # fmt: skip

    def _leave_open(self, reward: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, Any]:
        """Takes the last decision of each seat out of what is learnt where an episode goes on after
        it: at the rollout's end, and where `max_steps` cuts it off.

        The network is never taught values of observations of seats that do not act, and what it
        makes of them can run away: everything would follow, as values are learnt from values. So
        such a decision is worth what the network said when it was made. The values returned
        [N, P], and :attr:`final_value`, are those that make its advantage 0.
        """
        self.known[:] = self.own
        steps, envs = self.action.shape
        every = np.arange(envs)
        gamma = self.config.gamma or 1.0
        # By seat: whether a decision that was not followed by another is still looked for, where
        # the value that makes up for it goes, and what it earned since.
        open_ = np.ones((envs, self.game.num_players), np.bool_)
        goes = np.full(envs, -1)
        earned = np.zeros((envs, self.game.num_players), np.float32)
        next_value = np.zeros((envs, self.game.num_players), np.float32)
        self.final_value[:] = 0
        for t in reversed(range(steps)):
            ended = self.terminated[t] | self.truncated[t]
            open_[ended] = ~self.terminated[t, ended, None]
            goes[ended], earned[ended] = t, 0
            earned += reward[t]
            seat = self.player[t]
            found = np.flatnonzero(open_[every, seat])
            worth = (self.value[t, found] - earned[found, seat[found]]) / gamma
            last = goes[found] < 0
            next_value[found[last], seat[found[last]]] = worth[last]
            later = found[~last]
            self.final_value[goes[later], later, seat[later]] = worth[~last]
            self.known[t, found] = False
            open_[found, seat[found]] = False
        return next_value

    def learn(self) -> None:
        """Some epochs of clipped policy-gradient steps on the rollout; while greedy is imitated, of
        steps towards its choices. With `kickstart` its choices go on to count for something: where
        the rewards say little, the policy does not wander off.

        Metrics, means over the gradient steps of this update: while greedy is imitated
        ``losses/imitation_loss``, the cross-entropy of its choices; afterwards
        ``losses/policy_loss``, the clipped surrogate alone, ``losses/auxiliary_imitation_loss``,
        the cross-entropy that `kickstart` adds (before its coefficient), and how far the policy
        moved away from the one that drew the actions: ``losses/approx_kl`` (of the last epoch),
        ``losses/old_approx_kl``, ``losses/clipfrac``. Always ``losses/value_loss`` and
        ``losses/entropy``.
        """
        config = self.config
        left = 1 - self.fraction
        lr = config.lr * (config.final_lr + (1 - config.final_lr) * left**config.lr_power)
        entropy_weight = config.entropy * (config.final_entropy + (1 - config.final_entropy) * left)
        self.optimizer.param_groups[0]["lr"] = lr
        total = self.action.size
        obs = torch.from_numpy(self.obs[:-1]).view(total, -1)
        mask = torch.from_numpy(self.mask[:-1]).view(total, -1)
        action = torch.from_numpy(self.action).view(-1)
        advice = torch.from_numpy(self.advice).view(-1)
        old_log_prob = torch.from_numpy(self.log_prob).view(-1)
        advantage = torch.from_numpy(self.advantage).view(-1)
        returns = torch.from_numpy(self.returns).view(-1)
        sums: dict[str, list[float]] = defaultdict(list)
        own = torch.from_numpy(np.flatnonzero(self.own if self.imitating else self.known))
        if not len(own):
            return
        size = config.minibatch
        if self.imitating:
            size = config.imitate_minibatch or size
        size = min(size, len(own))
        for _ in range(config.epochs):
            order = own[torch.randperm(len(own), generator=self.generator)]
            divergence = []
            for at in range(0, len(own) - size + 1, size):
                if sums and self._is_time_up():
                    break
                rows = order[at : at + size]
                logits, value = self.network(obs[rows], mask[rows])
                log_probs = logits.log_softmax(1)
                log_prob = log_probs.gather(1, action[rows][:, None]).squeeze(1)
                value_loss = 0.5 * (value - returns[rows]).square().mean()
                # Not exp(log_probs): exp is slow where it underflows, that is at illegal actions.
                entropy = -(logits.softmax(1) * log_probs).sum(1).mean()
                loss = config.value * value_loss
                if self.imitating:
                    # The actions are the bot's: ratios to what the policy drew say nothing here.
                    imitation_loss = -log_prob.mean()
                    loss = loss + imitation_loss
                    sums["losses/imitation_loss"].append(float(imitation_loss.detach()))
                else:
                    log_ratio = log_prob - old_log_prob[rows]
                    ratio = log_ratio.exp()
                    gain = advantage[rows]
                    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                    policy_loss = -torch.min(gain * ratio, gain * clipped).mean()
                    loss = loss + policy_loss - entropy_weight * entropy
                    if config.kickstart:
                        auxiliary = -log_probs.gather(1, advice[rows][:, None]).mean()
                        loss = loss + config.kickstart * left * auxiliary
                        sums["losses/auxiliary_imitation_loss"].append(float(auxiliary.detach()))
                    with torch.no_grad():
                        divergence.append(float((ratio - 1 - log_ratio).mean()))
                        changed = ((ratio - 1).abs() > config.clip).float().mean()
                    sums["losses/policy_loss"].append(float(policy_loss.detach()))
                    sums["losses/old_approx_kl"].append(float(-log_ratio.detach().mean()))
                    sums["losses/clipfrac"].append(float(changed))
                sums["losses/value_loss"].append(float(value_loss.detach()))
                sums["losses/entropy"].append(float(entropy.detach()))

                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad)
                self.optimizer.step()
            if divergence:
                sums["losses/approx_kl"] = divergence
                if config.target_kl and np.mean(divergence) > config.target_kl:
                    break
            if self._is_time_up():
                break
        found = {name: float(np.mean(values)) for name, values in sums.items()}
        if not all(math.isfinite(loss) for name, loss in found.items() if name.endswith("_loss")):
            raise Diverged(
                f"a loss is NaN or infinite after {self.rows:,} rows: the training has diverged "
                f"(`lr` is {config.lr:g}); the last checkpoint is from before"
            )
        self.metrics.update(found)
        spread = float(np.var(self.returns[self.known]))
        unexplained = float(np.var((self.returns - self.value)[self.known]))
        self.metrics["losses/explained_variance"] = 1 - unexplained / spread if spread else math.nan
        self.metrics["charts/learning_rate"] = lr
        self.metrics["charts/gamma"] = config.gamma
        self.metrics["charts/reward_scale"] = self.reward_scale

    # The run

    def run(self) -> dict[str, Result]:
        """Trains to the limit or to Ctrl-C (which raises KeyboardInterrupt when the checkpoint is
        written); then evaluates.

        Returns:
            Results of the final evaluation by opponent. With ``out``, that folder then holds
            ``checkpoint.pt``, ``learning_curve.png``, ``policy.onnx``, ``history.json`` and
            TensorBoard's events.
        """
        started, before = time.perf_counter(), self.elapsed
        saved, judged = before, max([before, *(h["seconds"] for h in self.history if "eval" in h)])
        config = self.config
        self.deadline = started + 60 * config.minutes - before if config.minutes else math.inf
        with Stop() as stop, Reporter(self) as reporter:
            while not self.finished and not stop.asked:
                rows, then = self.rows, time.perf_counter()
                learnt = self.update()
                now = time.perf_counter()
                self.elapsed = before + now - started
                if learnt:
                    self.metrics["charts/SPS"] = (self.rows - rows) / (now - then)
                    self.history.append(
                        {"rows": self.rows, "seconds": self.elapsed, **self._measured_now()}
                    )
                    reporter.update()
                if config.eval_minutes and self.elapsed - judged > 60 * config.eval_minutes:
                    note = self.evaluate(
                        config.eval_games, lambda: not stop.asked and not self._is_time_up()
                    )
                    reporter.evaluated(note)
                    judged = self.elapsed = before + time.perf_counter() - started
                if (
                    self.out
                    and config.save_minutes
                    and self.elapsed - saved > 60 * config.save_minutes
                ):
                    self.save()
                    reporter.curve()
                    saved = self.elapsed
            self.deadline = math.inf
            if self.out:
                self.save()
            if not stop.asked:
                reporter.evaluated(self.evaluate(config.final_games, lambda: not stop.asked))
            if stop.asked:
                reporter.curve()
                raise KeyboardInterrupt
            if self.out:
                self.save()
                self.export()
            reporter.curve()
            return self.results

    def update(self) -> bool:
        """One rollout and what is learnt from it.

        Returns:
            False if time was up before the rollout was complete: nothing was learnt and nothing is
            counted then. Where time is up later, what was learnt so far stays.
        """
        # What is not measured in this update is not shown for it.
        self.metrics = {k: v for k, v in self.metrics.items() if k.startswith("eval/")}
        # The observation after the last rollout is the first of this one.
        self.obs[0], self.mask[0], self.player[0] = self.obs[-1], self.mask[-1], self.player[-1]
        if not self.rollout():
            return False
        self.estimate()
        with self._clock("learning"):
            self.learn()
        self.updates += 1
        self.rows += self.action.size
        return True

    def _is_time_up(self) -> bool:
        return time.perf_counter() >= self.deadline

    def _measured_now(self) -> dict[str, float]:
        """The metrics of this update."""
        return {k: v for k, v in self.metrics.items() if not k.startswith("eval/")}

    @property
    def fraction(self) -> float:
        """How much of the run is done, 0 to 1."""
        done = [0.0]
        if self.config.steps:
            done.append(self.rows / self.config.steps)
        if self.config.minutes:
            done.append(self.elapsed / (60 * self.config.minutes))
        return min(1.0, max(done))

    @property
    def imitating(self) -> bool:
        """Whether the greedy bot plays, as :attr:`TrainConfig.imitate` says."""
        return self.fraction < self.config.imitate

    @property
    def finished(self) -> bool:
        """Whether a limit is reached."""
        return self.fraction >= 1

    @property
    def bots(self) -> list[str]:
        """The bots to evaluate against."""
        return [word.strip() for word in self.config.opponents.split(",") if word.strip()]

    def agent(self, name: str = "policy") -> PolicyAgent:
        """The network as a player."""
        return PolicyAgent(self.network, self.config.play, self.config.seed, name)

    def evaluate(self, games: int, go_on: Callable[[], bool] | None = None) -> dict[str, float]:
        """Plays against the configured bots, each in all other seats; :attr:`results` then holds
        what came of it, and the history what is returned. Where ``go_on``, asked in every step,
        says no, nothing is noted.

        Returns:
            By opponent and as :func:`playmat.train.evaluate.measure` names them, mean returns and
            win rates, each with the ends of its 95% interval: ``eval/return_greedy``,
            ``eval/return_greedy_low``, ...; for one player the bot's returns as
            ``eval/bot_return_greedy``.
        """
        results = {}
        try:
            with self._clock("evaluation"):
                for bot in self.bots:
                    # Other episodes than those trained on, and the same each time.
                    seed = self.config.seed + 1_000_003
                    results[bot] = evaluate(
                        self.judged, self.agent(), bot, games, seed, self.config.env_threads, go_on
                    )
        except Interrupted:
            return {}
        note: dict[str, float] = {}
        for bot, result in results.items():
            found = {"return": result.returns}
            if result.opponent_returns is None:
                found["win_rate"] = result.win_rate
            else:
                found["bot_return"] = result.opponent_returns
            for what, (value, low, high) in found.items():
                name = f"eval/{what}_{bot}"
                note |= {name: value, f"{name}_low": low, f"{name}_high": high}
        self.metrics.update({k: v for k, v in note.items() if not k.endswith(("_low", "_high"))})
        self.history.append({"rows": self.rows, "seconds": self.elapsed, "eval": 1.0, **note})
        self.results = results
        return note

    def shares(self) -> dict[str, float]:
        """Share of the measured time by what it was spent on."""
        total = sum(self.seconds.values()) or 1.0
        return {name: seconds / total for name, seconds in self.seconds.items()}

    @contextmanager
    def _clock(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - start

    # Saving

    def save(self) -> None:
        """Writes ``checkpoint.pt`` into the run's folder."""
        assert self.out is not None
        checkpoint.write(self.out / "checkpoint.pt", self.state())

    def export(self) -> None:
        """Writes ``policy.onnx`` into the run's folder."""
        from playmat.train.export import export

        assert self.out is not None
        export(self.network, self.game, self.out / "policy.onnx")

    def state(self) -> dict[str, Any]:
        """Everything that the next update depends on."""
        return {
            **checkpoint.identity(self.name, self.options, self.judged, self.config),
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "environments": torch.frombuffer(bytearray(self.venv.to_bytes()), dtype=torch.uint8),
            "rows": self.rows,
            "updates": self.updates,
            "elapsed": self.elapsed,
            "seconds": dict(self.seconds),
            "history": list(self.history),
            "metrics": dict(self.metrics),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Goes on from :meth:`state`."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self._show(self.venv.load_bytes(state["environments"].numpy().tobytes()))
        self.rows, self.updates = state["rows"], state["updates"]
        self.elapsed = state["elapsed"]
        self.seconds, self.history = dict(state["seconds"]), list(state["history"])
        self.metrics = dict(state["metrics"])

    def _show(self, batch: playmat.Batch) -> None:
        """Takes a batch as what the next rollout starts from."""
        self.obs[-1], self.mask[-1], self.player[-1] = batch.obs, batch.action_mask, batch.player


def resume(path: Path, out: Path | None = None, **changes: Any) -> Trainer:
    """A trainer that goes on from a checkpoint; ``changes`` to its configuration, such as longer
    limits.

    Raises:
        playmat.InvalidArgument: A change to what the checkpoint's network or episodes are made by.
        playmat.Unreadable: What the checkpoint holds does not fit together.
    """
    state = checkpoint.read(path)
    for name in FIXED:
        if name in changes and changes[name] != state["config"][name]:
            was = state["config"][name]
            refuse(name, f"got {changes[name]!r}; the checkpoint has {was!r}, which cannot change")
    with checkpoint.loading(path, bool(changes)):
        config = checkpoint.config_of(state, **changes)
        trainer = Trainer(state["game"], state["options"], config, out or path.parent)
        trainer.load(state)
    return trainer
