"""Training: every game, masks, exact resume, interruption, that something is learnt, evaluation, ONNX."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx.reference import ReferenceEvaluator

import playmat
from playmat.cli import main
from playmat.train import TrainConfig, checkpoint
from playmat.train.bodies import EntityBody
from playmat.train.cli import summary
from playmat.train.config import PRESETS, preset
from playmat.train.evaluate import (
    Interrupted,
    PolicyAgent,
    draw,
    evaluate,
    mean_interval,
    measure,
    shares,
    wilson,
)
from playmat.train.export import export
from playmat.train.network import ILLEGAL, Network
from playmat.train.ppo import Trainer, resume
from playmat.train.report import draw_curve, line, points

TINY: dict[str, Any] = {
    "minutes": 0, "steps": 512, "envs": 8, "rollout": 16, "minibatch": 64, "imitate_minibatch": 0, "width": 16, "channels": 4,
    "eval_minutes": 0, "final_games": 6, "save_minutes": 0, "torch_threads": 1,
}  # fmt: skip

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("connect_four", {}),
    ("goofspiel", {}),
    ("goofspiel", {"players": 3}),
    ("graft", {}),
    ("graft", {"players": 2}),
    ("graft", {"players": 5}),
    ("graphia", {"players": 1}),
    ("graphia", {"players": 2}),
    ("graphia", {"players": 2, "observe_others": "summary"}),
    ("graphia", {"players": 4}),
    ("graven", {}),
    ("graven", {"players": 3, "decks": "random"}),
    ("gravitix", {}),
    ("gravitix", {"players": 1, "island_set": "1"}),
    ("kuhn_poker", {}),
    ("leduc_poker", {}),
    ("rafts", {"players": 2}),
    ("rafts", {}),
    ("tic_tac_toe", {}),
]


def tiny(name: str, **changes: Any) -> TrainConfig:
    return preset(name, **{**TINY, **changes})


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_game_trains_without_an_illegal_action(name: str, options: dict[str, Any]) -> None:
    trainer = Trainer(name, options, tiny(name, final_games=4))
    before = [p.clone() for p in trainer.network.parameters()]
    results = trainer.run()
    assert trainer.rows == 512 and trainer.updates == 4
    assert np.take_along_axis(trainer.mask[:-1], trainer.action[:, :, None], 2).all()
    assert all(np.isfinite(value) for key, value in trainer.metrics.items() if "losses" in key)
    assert any((p != q).any() for p, q in zip(before, trainer.network.parameters(), strict=True))
    assert set(results) == {"random", "greedy"}
    for result in results.values():
        assert result.games == 4
        alone = trainer.game.num_players == 1
        assert result.wins + result.draws + result.losses == (0 if alone else result.games)
        assert (result.opponent_returns is not None) == alone
        by_return = alone or name in ("kuhn_poker", "leduc_poker")
        assert result.measure == ("return" if by_return else "win_rate")
        assert result.measured == (result.returns if by_return else result.win_rate)
    assert sum(trainer.shares().values()) == pytest.approx(1)


def test_draws_follow_the_probabilities_and_never_take_a_zero() -> None:
    wanted = torch.tensor([0.0, 0.5, 0.0, 0.3, 0.2, 0.0])
    drawn = draw(wanted.expand(200_000, 6), torch.Generator().manual_seed(0))
    counts = torch.bincount(drawn, minlength=6)
    assert counts[[0, 2, 5]].sum() == 0
    # Five standard deviations of a share of 200,000 draws are below 0.006.
    assert (counts / 200_000 - wanted).abs().max() < 0.006


@pytest.mark.parametrize(
    ("imitate", "versus", "kickstart"),
    [(0.0, 0.0, 0.0), (0.7, 0.0, 0.0), (0.4, 0.6, 0.0), (0.3, 0.0, 0.5)],
)
def test_resume_goes_on_bit_by_bit(
    imitate: float, versus: float, kickstart: float, tmp_path: Path
) -> None:
    config = tiny("leduc_poker", steps=6 * 128, imitate=imitate, versus=versus, kickstart=kickstart)
    through = Trainer("leduc_poker", {}, config)
    for _ in range(6):
        through.update()
    first = Trainer("leduc_poker", {}, config, tmp_path)
    for _ in range(3):
        first.update()
    first.save()
    second = resume(tmp_path / "checkpoint.pt")
    assert (second.rows, second.updates) == (384, 3)
    # Playing for a result in between changes nothing.
    second.evaluate(4)
    for _ in range(3):
        second.update()
    for name, value in through.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    assert np.array_equal(through.obs, second.obs) and np.array_equal(through.action, second.action)
    assert through.fraction == second.fraction == 1
    losses = {key for key in through.metrics if key.startswith("losses/")}
    assert {key: through.metrics[key] for key in losses} == {
        key: second.metrics[key] for key in losses
    }


def test_imitation_comes_first_and_learns_what_greedy_does() -> None:
    config = tiny("connect_four", steps=40 * 128, imitate=0.9, lr=3e-3, width=64)
    trainer = Trainer("connect_four", {}, config)
    losses, imitated = [], []
    while not trainer.finished:
        imitated.append(trainer.imitating)
        trainer.update()
        # Two losses, two names; how far a policy moved from what it drew is nothing to ask of
        # actions that it did not draw.
        found = {name for name in trainer.metrics if name.startswith("losses/")}
        names = {"losses/value_loss", "losses/entropy", "losses/explained_variance"}
        drawn = {"policy_loss", "approx_kl", "old_approx_kl", "clipfrac"}
        phase = {"imitation_loss"} if imitated[-1] else drawn
        assert found == names | {f"losses/{name}" for name in phase}
        assert ("kl" in line(trainer.metrics, 0, "win_rate")) != imitated[-1]
        losses.append(trainer.metrics[f"losses/{'imitation' if imitated[-1] else 'policy'}_loss"])
        assert np.take_along_axis(trainer.mask[:-1], trainer.action[:, :, None], 2).all()
    assert imitated == [True] * 36 + [False] * 4
    # Seven columns at first, log 7 = 1.9; greedy takes wins, stops threats and draws otherwise.
    assert losses[0] > 1.4 and np.mean(losses[26:36]) < 1.1
    # A clipped surrogate starts near 0.
    assert all(abs(loss) < 0.3 for loss in losses[36:])


@pytest.mark.parametrize("kickstart", [0.0, 5.0])
def test_kickstart_keeps_listening_to_greedy(kickstart: float) -> None:
    """Without imitation and with rewards of next to nothing, what the bot would do is learnt only by its weight."""
    config = tiny(
        "connect_four", steps=40 * 128, lr=3e-3, width=64, kickstart=kickstart, reward_scale=1e-6
    )
    trainer = Trainer("connect_four", {}, config)
    agrees = []
    while not trainer.finished:
        trainer.update()
        agrees.append(trainer.metrics.get("losses/auxiliary_imitation_loss", math.nan))
        # The clipped surrogate alone: the other loss is five times 0.9 or more.
        assert abs(trainer.metrics["losses/policy_loss"]) < 0.3
        assert trainer.advice.any() == bool(kickstart)
        assert (
            not kickstart
            or np.take_along_axis(trainer.mask[:-1], trainer.advice[:, :, None], 2).all()
        )
    if kickstart:
        assert agrees[0] > 1.4 and np.mean(agrees[26:36]) < 1.2
    else:
        assert np.isnan(agrees).all()


class Spy:
    """An environment that remembers what its bots would have done."""

    def __init__(self, venv: playmat.VecEnv) -> None:
        self.venv = venv
        self.asked: dict[str, list[Any]] = {"random": [], "greedy": []}
        self.played: list[Any] = []

    def bot_actions(self, bot: str, out: Any = None) -> Any:
        self.asked[bot].append(self.venv.bot_actions(bot).copy())
        return self.asked[bot][-1]

    def step(self, actions: Any, out: Any) -> playmat.Batch:
        self.played.append(actions.copy())
        return self.venv.step(actions, out=out)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.venv, name)


def test_bots_play_all_seats_but_one() -> None:
    config = tiny("goofspiel", steps=512, versus=0.75, opponents="random,greedy")
    trainer = Trainer("goofspiel", {"players": 3}, config)
    # Six of eight episodes; the seat goes round first, then the bot.
    assert list(trainer.learner) == [0, 1, 2, 0, 1, 2, -1, -1]
    assert list(trainer.bot) == [0, 0, 0, 1, 1, 1, -1, -1]
    trainer.venv = spy = Spy(trainer.venv)
    trainer.update()
    bots = np.zeros(2, np.int64)
    for t in range(config.rollout):
        player = trainer.player[t]
        for env in range(8):
            own = env >= 6 or player[env] == env % 3
            assert trainer.own[t, env] == own
            if not own:
                name = config.opponents.split(",")[env // 3]
                assert spy.played[t][env] == spy.asked[name][t][env]
                bots[env // 3] += 1
    assert (bots > 20).all() and trainer.rows == 128

    # What is learnt does not depend on rows of bots.
    before = [p.detach().clone() for p in trainer.network.parameters()]
    drawn = trainer.generator.get_state()
    after = []
    for noise in (0.0, 5.0):
        with torch.no_grad():
            for p, q in zip(trainer.network.parameters(), before, strict=True):
                p.copy_(q)
        trainer.generator.set_state(drawn)
        trainer.optimizer = torch.optim.Adam(trainer.network.parameters(), lr=config.lr, eps=1e-5)
        trainer.advantage[~trainer.known] += noise
        trainer.returns[~trainer.known] += noise
        trainer.learn()
        after.append([p.detach().clone() for p in trainer.network.parameters()])
    assert all(torch.equal(p, q) for p, q in zip(*after, strict=True))
    assert any((p != q).any() for p, q in zip(before, after[0], strict=True))


@pytest.mark.parametrize("max_steps", [0, 7])
def test_values_are_those_of_decisions_alone(max_steps: int) -> None:
    """Brute force: what follows a seat's decision is its next one in the episode, or nothing at all."""
    config = tiny("connect_four", gamma=0.9, lam=0.8, rollout=40, steps=5000)
    trainer = Trainer("connect_four", {"max_steps": max_steps}, config)
    trainer.update()
    trainer.update()
    unfinished = 0
    for env in range(config.envs):
        advantage: dict[int, tuple[float, float]] = {}
        over, cut = False, False
        seen = np.zeros(2, np.bool_)
        earned = np.zeros(2)
        ended = np.zeros(2, np.bool_)
        for t in reversed(range(config.rollout)):
            if trainer.terminated[t, env] or trainer.truncated[t, env]:
                advantage, earned = {}, np.zeros(2)
                over, cut = True, bool(not trainer.terminated[t, env])
                seen[:], ended[:] = False, not cut
            earned += trainer.reward[t, env]
            seat = int(trainer.player[t, env])
            value = float(trainer.value[t, env])
            known = bool(trainer.known[t, env])
            if not seen[seat] and not ended[seat]:
                unfinished += 1
                assert not known and trainer.advantage[t, env] == pytest.approx(0, abs=1e-5)
                advantage[seat] = (0.0, value)
            else:
                follow, next_value = advantage.get(seat, (0.0, 0.0))
                delta = earned[seat] + 0.9 * next_value - value
                wanted = delta + 0.9 * 0.8 * follow
                assert known and trainer.advantage[t, env] == pytest.approx(wanted, abs=1e-4)
                advantage[seat] = (wanted, value)
            seen[seat], earned[seat] = True, 0
        assert over
    # Both seats at the end of the rollout; with a limit, of every episode too.
    assert unfinished == 16 if max_steps == 0 else unfinished > 60


@pytest.mark.parametrize(
    ("options", "cut"), [({"max_rounds": 2}, False), ({"max_steps": 20}, True)]
)
def test_what_a_games_own_limit_pays_is_final(options: dict[str, Any], cut: bool) -> None:
    trainer = Trainer("rafts", options, tiny("rafts", rollout=64, imitate=0.0))
    with trainer.game.vec_env(8) as venv:
        venv.reset(seed=1)
        flags = venv.rollout_arrays(64, ["truncated"])
        venv.rollout("random", 64, out=flags)
        assert flags["truncated"].any(), "both limits end episodes so soon"
    trainer.update()
    assert trainer.truncated.any() == cut
    assert (trainer.terminated | trainer.truncated).any()


def test_a_run_learns() -> None:
    trainer = Trainer("tic_tac_toe", {}, preset(
        "tic_tac_toe", minutes=0, steps=200_000, seed=3, eval_minutes=0, final_games=400, opponents="random",
        torch_threads=1, envs=128, rollout=32, minibatch=512, width=64, lr=3e-3,
    ))  # fmt: skip
    untrained = evaluate(trainer.judged, trainer.agent(), "random", 400, seed=9)
    trained = trainer.run()["random"]
    assert trained.games == 400
    assert trained.win_rate.low > 0.75 > untrained.win_rate.high


def test_steps_of_imitation_may_be_smaller() -> None:
    """128 rows an update: two steps of 64 an epoch, eight of 16 while it imitates."""
    config = tiny("leduc_poker", steps=2 * 128, imitate=0.5, imitate_minibatch=16, epochs=1)
    trainer = Trainer("leduc_poker", {}, config)
    steps = []
    step = trainer.optimizer.step
    trainer.optimizer.step = lambda *args: (steps.append(trainer.updates), step(*args))[1]  # type: ignore[method-assign]
    trainer.update()
    assert trainer.own.all() and steps == [0] * 8
    trainer.update()
    assert steps[8:] == [1] * (int(trainer.known.sum()) // 64) and trainer.known.sum() >= 64


def test_the_folder_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in TINY.items()]
    assert main(["train", "kuhn_poker", "--out", str(out), *arguments]) == 0
    said = capsys.readouterr().out
    assert "against random: mean return" in said and ", won " in said
    assert "environment" in said and "512 decisions" in said
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    history = json.loads((out / "history.json").read_text())
    assert [entry["rows"] for entry in history if "losses/approx_kl" in entry] == [
        128,
        256,
        384,
        512,
    ]
    judged = [entry for entry in history if "eval" in entry]
    wanted = {
        f"eval/{what}_{bot}" for what in ("return", "win_rate") for bot in ("random", "greedy")
    }
    assert len(judged) == 1 and wanted < judged[0].keys()
    for name in wanted:
        assert judged[0][f"{name}_low"] < judged[0][name] < judged[0][f"{name}_high"]
    assert not any(name.startswith("eval/") for e in history if "eval" not in e for name in e)
    assert list(out.glob("events.out.tfevents.*"))
    assert onnx.load(str(out / "policy.onnx")).producer_name == "playmat"
    # On with it, to a later limit, in place.
    checkpoint_file = out / "checkpoint.pt"
    assert main(["train", "kuhn_poker", "--resume", str(checkpoint_file), "--steps=768"]) == 0
    assert checkpoint.read(checkpoint_file)["rows"] == 768
    capsys.readouterr()
    assert main(["train", "kuhn_poker", "--resume", str(checkpoint_file)]) == 0
    assert "nothing left to train: 768 decisions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "options", "changes", "wanted"),
    [
        ("connect_four", {}, {}, set()),
        ("connect_four", {}, {"versus": 0.5}, {"return_against_bots"}),
        ("leduc_poker", {}, {}, set()),
        ("goofspiel", {}, {"reward": "score"}, {"episodic_return"}),
        ("goofspiel", {}, {"reward": "score", "versus": 0.5},
         {"episodic_return", "return_against_bots"}),
        ("graphia", {"players": 1}, {"rollout": 128, "minibatch": 512, "imitate": 0}, {"episodic_return"}),
    ],
)  # fmt: skip
def test_what_self_play_earns_is_shown_where_it_is_not_0_by_the_rules(
    name: str, options: dict[str, Any], changes: dict[str, Any], wanted: set[str]
) -> None:
    trainer = Trainer(name, options, tiny(name, **{"rollout": 64, **changes}))
    trainer.update()
    shown = {n for n in trainer.metrics if n.startswith("charts/") and "return" in n}
    assert shown == {f"charts/{n}" for n in wanted}
    assert trainer.metrics["charts/episodic_length"] > 1
    if "return_against_bots" in wanted and not changes.get("reward"):
        assert -1 <= trainer.metrics["charts/return_against_bots"] <= 1


def test_curves_show_what_was_measured_when_it_was(tmp_path: Path) -> None:
    """Evaluations once each, the last one too; nothing of an earlier update again."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = tiny("connect_four", steps=6 * 128, imitate=0.5, eval_minutes=1e-9, eval_games=4)
    trainer = Trainer("connect_four", {}, config, tmp_path)
    trainer.run()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    steps = {tag: [event.step for event in events.Scalars(tag)] for tag in tags}
    rows = [128 * k for k in range(1, 7)]
    assert steps["losses/imitation_loss"] == rows[:3]
    assert steps["losses/policy_loss"] == steps["losses/approx_kl"] == rows[3:]
    assert steps["losses/entropy"] == rows
    for what in ("return", "win_rate"):
        for bot in ("random", "greedy"):
            assert steps[f"eval/{what}_{bot}"] == [*rows, rows[-1]]
    assert not {tag for tag in tags if tag.endswith(("_low", "_high"))}
    assert "charts/episodic_return" not in tags
    entries = [entry for entry in trainer.history if "eval/return_greedy" in entry]
    assert points(trainer.history, "eval/return_greedy")[1] == [
        entry["eval/return_greedy"] for entry in entries
    ]
    # As in the folder, of one player too.
    for players in (1, 3):
        draw_curve(trainer.history, tmp_path / f"{players}.png", "test", players)
        assert (tmp_path / f"{players}.png").read_bytes().startswith(b"\x89PNG")


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("playmat.train.ppo.time.perf_counter", lambda: self.now)


@pytest.mark.parametrize("imitate", [0.0, 1.0])
def test_minutes_end_a_rollout_at_the_next_row(
    imitate: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    config = tiny("connect_four", minutes=1, steps=0, rollout=50, imitate=imitate)
    trainer = Trainer("connect_four", {}, config, tmp_path)
    step, played = trainer.venv.step, []

    class Slow:
        """Every row takes a second, an update 50 and what is learnt no time."""

        def step(self, *args: Any, **options: Any) -> playmat.Batch:
            clock.now += 1
            played.append(clock.now)
            return step(*args, **options)

        def __getattr__(self, name: str) -> Any:
            return getattr(venv, name)

    venv, trainer.venv = trainer.venv, Slow()  # type: ignore[assignment]
    results = trainer.run()
    # One update whole; of the second ten rows, which do not count.
    assert len(played) == 60 and played[-1] == 1060
    assert (trainer.updates, trainer.rows, trainer.elapsed) == (1, 400, 60)
    assert [entry["rows"] for entry in trainer.history] == [400, 400]
    assert set(results) == {"random", "greedy"} and results["greedy"].games == 6
    # It goes on from where the environments are, here and from the checkpoint.
    state = checkpoint.read(tmp_path / "checkpoint.pt")
    assert (state["rows"], state["elapsed"]) == (400, 60)
    further = resume(tmp_path / "checkpoint.pt", minutes=10)
    for name in ("obs", "mask", "player"):
        np.testing.assert_array_equal(getattr(trainer, name)[-1], getattr(further, name)[-1])
    assert further.update() and further.rows == 800


def test_a_limit_shorter_than_one_update_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    trainer = Trainer("connect_four", {}, tiny("connect_four", minutes=1, steps=0))
    assert trainer.update()
    assert "nothing was learnt" not in summary(trainer)
    short = Trainer("connect_four", {}, tiny("connect_four", minutes=1, steps=0))
    monkeypatch.setattr(short, "rollout", lambda: (setattr(clock, "now", clock.now + 61), False)[1])
    short.run()
    assert (short.updates, short.rows, short.history[0].get("eval")) == (0, 0, 1.0)
    assert "nothing was learnt: the first update, of 128 decisions, was not" in summary(short)


def test_minutes_end_learning_at_the_next_gradient_step(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    config = tiny("connect_four", minutes=1, steps=0, epochs=100, minibatch=16)
    trainer = Trainer("connect_four", {}, config)
    step, taken = trainer.optimizer.step, []

    def slow() -> None:
        clock.now += 7
        taken.append(clock.now)
        step()

    trainer.optimizer.step = slow  # type: ignore[method-assign,assignment]
    trainer.run()
    # Nine steps of some hundreds; what they learnt stays, and the rows count.
    assert len(taken) == 9 and (trainer.updates, trainer.rows, trainer.elapsed) == (1, 128, 63)
    assert math.isfinite(trainer.metrics["losses/policy_loss"])


def test_minutes_end_an_evaluation_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    config = tiny(
        "connect_four", minutes=1, steps=0, eval_minutes=0.5, eval_games=50, final_games=3
    )
    trainer = Trainer("connect_four", {}, config)
    act, acted = PolicyAgent.act, []

    def slow(self: PolicyAgent, *args: Any) -> Any:
        clock.now += 4
        acted.append(clock.now)
        return act(self, *args)

    monkeypatch.setattr(PolicyAgent, "act", slow)
    learn = trainer.learn
    monkeypatch.setattr(trainer, "learn", lambda: (setattr(clock, "now", clock.now + 40), learn()))
    results = trainer.run()
    # It begins at 40 seconds and is given up at 60: nothing of it is shown. The last one is whole.
    assert acted[4] == 1060 and trainer.elapsed == 60 and len(acted) > 10
    assert [entry.get("eval") for entry in trainer.history] == [None, 1.0]
    assert {result.games for result in results.values()} == {3}


def test_rewards_are_scaled_by_what_play_earns() -> None:
    poker = playmat.Game("leduc_poker", reward="score")
    trainer = Trainer("leduc_poker", {}, tiny("leduc_poker"))
    assert trainer.reward_scale == poker.reward_scale(seed=1) != 1
    trainer.update()
    assert trainer.metrics["charts/reward_scale"] == trainer.reward_scale
    # What is given counts, and victories, from -1 to 1, stay as they are.
    assert Trainer("leduc_poker", {}, tiny("leduc_poker", reward_scale=0.5)).reward_scale == 0.5
    assert Trainer("connect_four", {}, tiny("connect_four")).reward_scale == 1
    assert (
        Trainer("graphia", {}, tiny("graphia")).reward_scale == PRESETS["graphia"]["reward_scale"]
    )
    # Measured on what is trained on.
    config = tiny("gravitix", reward_scale=0)
    game = playmat.Game("gravitix", reward="score_delta")
    relative = game.reward_scale(seed=1, relative=True)
    assert Trainer("gravitix", {}, config).reward_scale == relative != game.reward_scale(seed=1)
    alone = Trainer("gravitix", {"players": 1}, tiny("gravitix", reward_scale=0))
    assert alone.reward_scale == alone.game.reward_scale(seed=1)


def test_scaled_rewards_are_what_values_are_learnt_from() -> None:
    returns = []
    for scale in (1.0, 0.25):
        config = tiny("leduc_poker", reward_scale=scale, rollout=64, lam=1.0)
        trainer = Trainer("leduc_poker", {}, config)
        trainer.update()
        # Of decisions in episodes that end within the rollout, whatever the network thinks: none
        # is longer than eight.
        returns.append(trainer.returns[:-8])
    np.testing.assert_allclose(returns[1], returns[0] * 0.25, rtol=1e-4, atol=1e-5)


def test_interruption_leaves_a_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    settings = {**TINY, "minutes": 5, "steps": 0, "save_minutes": 0}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    child = subprocess.Popen(
        [sys.executable, "-m", "playmat", "train", "kuhn_poker", "--out", str(tmp_path), *arguments],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        # The first line of progress: training is under way.
        assert child.stderr is not None
        assert "rows" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=90)
    finally:
        child.kill()
    assert child.returncode == 130, err
    assert "interrupted" in err
    state = checkpoint.read(tmp_path / "checkpoint.pt")
    assert state["rows"] > 0
    trainer = resume(tmp_path / "checkpoint.pt", minutes=0, steps=state["rows"] + 128)
    trainer.run()
    assert trainer.rows == state["rows"] + 128


def test_a_second_interruption_is_not_caught() -> None:
    from playmat.train.report import Stop

    before = signal.getsignal(signal.SIGINT)
    with Stop() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("graft", {}),
        ("graphia", {}),
        ("graphia", {"players": 1}),
        ("gravitix", {}),
        ("kuhn_poker", {}),
        ("connect_four", {}),
    ],
)
def test_onnx_says_what_torch_says(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    trainer = Trainer(name, options, tiny(name, precision="float32"))
    trainer.update()
    path = tmp_path / "policy.onnx"
    export(trainer.network, trainer.game, path)
    obs, mask = trainer.obs[3], trainer.mask[3]
    logits, value = ReferenceEvaluator(str(path)).run(None, {"obs": obs, "mask": mask})
    with torch.no_grad():
        wanted = trainer.network(torch.from_numpy(obs), torch.from_numpy(mask))
    np.testing.assert_allclose(logits, wanted[0].numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(value, wanted[1].numpy(), rtol=1e-4, atol=1e-4)
    assert (logits[~mask] == np.float32(ILLEGAL)).all()
    properties = {p.key: p.value for p in onnx.load(str(path)).metadata_props}
    assert properties["playmat.game"] == name
    assert properties["playmat.version"] == str(trainer.game.version)


def test_like_things_are_looked_at_with_the_same_weights() -> None:
    game = playmat.Game("gravitix")
    network = Network(game, preset("gravitix", width=8, precision="float32"))
    entities = network.columns.entities
    assert entities is not None and isinstance(network.body, EntityBody)
    layout = {segment.name: segment for segment in game.observation_layout}
    # Twelve islands: what is said of each, and its row of the table of distances.
    row = np.arange(layout["island5_place"].offset, layout["island6_place"].offset)
    table = layout["island_distance"].offset + 5 * 12 + np.arange(12)
    assert entities.numbers.shape == (12, 36 + 12)
    assert list(network.columns.plain[entities.numbers[5]]) == [*row, *table]
    flags = ("place", "ability", "colour")
    found = [layout[f"island5_{name}"] for name in flags]
    assert list(entities.flags[5]) == [b for s in found for b in range(s.offset, s.offset + len(s))]

    # Two islands that change places change nothing in what is made of each.
    plain = torch.randn(1, len(network.columns.plain))
    swapped = plain.clone()
    swapped[:, network.body.numbers[[2, 7]]] = plain[:, network.body.numbers[[7, 2]]]
    with torch.no_grad():
        one, two = (network.body.read(x[:, network.body.numbers]) for x in (plain, swapped))
    assert torch.equal(one[:, [2, 7]], two[:, [7, 2]]) and not torch.equal(one, two)
    assert Network(game, preset("gravitix", network="mlp")).columns.entities is None
    # Few of them are taken only where that is asked for.
    rafts = playmat.Game("rafts")
    assert Network(rafts, preset("rafts")).columns.entities is None
    asked = Network(rafts, preset("rafts", network="entities")).columns.entities
    assert asked is not None and len(asked.numbers) == 3


def test_large_boards_get_convolutions_and_ignored_segments_are_not_read() -> None:
    game = playmat.Game("graphia")
    network = Network(game, preset("graphia", channels=4, width=8))
    columns = network.columns
    assert columns.board == (12, 12) and columns.heads == ((7, 4),)
    assert columns.planes.size == 9 * 144 and list(columns.rest) == list(range(7))
    rng = np.random.default_rng(0)
    obs = rng.integers(0, 2, (2, *game.observation_shape), np.uint8)
    mask = torch.ones((2, game.num_actions), dtype=torch.bool)
    other = game.observation_layout["other1_sheet"].offset
    changed = obs.copy()
    changed[:, other : other + 1152] ^= 1
    with torch.no_grad():
        one, two = network(torch.from_numpy(obs), mask), network(torch.from_numpy(changed), mask)
    assert torch.equal(one[0], two[0]) and torch.equal(one[1], two[1])
    assert Network(game, preset("graphia", network="mlp")).columns.board == (0, 0)


def test_wilson_by_hand() -> None:
    for successes, trials, low, high in [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0, 0.2775),
        (50, 100, 0.4038, 0.5962),
    ]:
        value, below, above = wilson(successes, trials)
        assert value == successes / trials
        assert (below, above) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0)[1:] == (0, 1)


class First:
    """Takes the first legal action."""

    name = "first"

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return mask.argmax(1)


class Marked:
    """A game whose episodes pay every player a number of its own: returns tell who was played."""

    def __init__(self, game: playmat.Game, marks: list[float]) -> None:
        self.game, self.marks = game, np.array(marks)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def vec_env(self, *args: Any, **options: Any) -> Any:
        self.venv = self.game.vec_env(*args, **options)
        return self

    def __enter__(self) -> Marked:
        return self

    def __exit__(self, *args: object) -> None:
        self.venv.close()

    def reset(self, seed: int) -> playmat.Batch:
        return self.venv.reset(seed=seed)

    def step(self, actions: np.ndarray) -> Any:
        batch = self.venv.step(actions)
        paid = np.broadcast_to(self.marks, batch.episode_return.shape)
        fields = ("obs", "action_mask", "terminated", "truncated", "final_opponent")
        return SimpleNamespace(
            episode_return=paid, **{name: getattr(batch, name) for name in fields}
        )


@pytest.mark.parametrize("games", [1, 2, 7, 200, 1001, 2000])
def test_evaluation_plays_exactly_so_many_games_every_player_equally_often(games: int) -> None:
    for players in (2, 3):
        game: Any = Marked(playmat.Game("goofspiel", players=players), [1.0, 1e4, 1e8][:players])
        result = evaluate(game, First(), "random", games, seed=2)
        assert result.games == games
        total = round(result.returns.value * games)
        each = [total % 10**4, total // 10**4 % 10**4, total // 10**8][:players]
        assert sum(each) == games and max(each) - min(each) <= 1
    assert list(shares(7, 3)) == [3, 2, 2] and list(shares(2, 3)) == [1, 1, 0]


def test_evaluation_counts_every_game_once() -> None:
    game = playmat.Game("tic_tac_toe")
    for games in (1, 7, 300):
        result = evaluate(game, First(), "random", games, seed=2)
        assert result.games == games
        assert result.wins + result.draws + result.losses == games
        # By victory or defeat, the return says the same.
        assert result.returns.value == pytest.approx((result.wins - result.losses) / games)
        assert result.measure == "win_rate" and result.measured == result.win_rate
    again = evaluate(game, First(), "random", 300, seed=2)
    assert again == result, "the same seed, the same games"
    asked = iter([True] * 3)
    with pytest.raises(Interrupted):
        evaluate(game, First(), "random", 300, seed=2, go_on=lambda: next(asked, False))


def test_evaluation_of_one_player_compares_mean_returns() -> None:
    game = playmat.Game("graphia", players=1)
    result = evaluate(game, First(), "random", 21, seed=2)
    assert result.games == 21 and result.measure == "return" and result.measured == result.returns
    assert result.returns.low <= result.returns.value <= result.returns.high
    bot = result.opponent_returns
    assert bot is not None and 20 < bot.low < bot.value < bot.high
    scores = game.survey(21, 2, ["random"])["returns"][0]
    assert bot.value - bot.low == pytest.approx(1.959964 * scores["deviation"] / math.sqrt(20))
    assert "21 games: mean return" in str(result) and "; random: " in str(result)


class Greedily:
    """Plays as the greedy bot does, of a batch that it is shown."""

    name = "greedily"

    def __init__(self, game: playmat.Game) -> None:
        self.game: Any = self
        self.of = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def vec_env(self, *args: Any, **options: Any) -> playmat.VecEnv:
        self.venv = self.of.vec_env(*args, **options)
        return self.venv

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return self.venv.bot_actions("greedy").copy()


def test_a_game_for_stakes_is_measured_by_returns_with_the_win_rate_beside_it() -> None:
    """Greedy wins more chips of Leduc Poker than random play, in fewer hands."""
    agent = Greedily(playmat.Game("leduc_poker"))
    result = evaluate(agent.game, agent, "random", 4000, seed=3)
    assert result.measure == "return" and result.measured == result.returns
    assert result.returns.low > 0.5 and result.returns.value == pytest.approx(0.84, abs=0.2)
    assert result.win_rate.high < 0.48
    said = str(result)
    assert said.startswith("against random: mean return 0.") and ", won 4" in said
    judged = Greedily(playmat.Game("leduc_poker", reward="outcome"))
    again = evaluate(judged.game, judged, "random", 4000, seed=3)
    assert again.measure == "win_rate" and again.win_rate == result.win_rate
    assert str(again).startswith("against random: won 4")
    assert measure(playmat.Game("graphia", players=1)) == "return"


def test_intervals_of_means_by_hand() -> None:
    # Deviation sqrt(2.5), five values.
    value, low, high = mean_interval([1, 2, 3, 4, 5])
    margin = 1.959964 * math.sqrt(2.5 / 5)
    assert (value, low, high) == pytest.approx((3, 3 - margin, 3 + margin))
    assert mean_interval([2.0]) == (2, -math.inf, math.inf)
    assert math.isnan(mean_interval([]).value)


def test_presets_are_valid_and_every_hyperparameter_has_a_doc_line() -> None:
    for name in PRESETS:
        preset(name)
        assert name in playmat.games()
    for item in TrainConfig.__dataclass_fields__.values():
        assert len(item.metadata["doc"]) > 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "graphja"], "unknown game `graphja` (did you mean `graphia`?)"),
        (["train", "kuhn_poker", "-o", "players=9"], "option `players`"),
        (["train", "kuhn_poker", "--lr=7"], "argument `lr`: got 7.0; allowed: 0 to 1"),
        (["train", "kuhn_poker", "--seed=9223372036854775808"],
         "argument `seed`: got 9223372036854775808; allowed: 0 to 9223372036854775807"),
        (["train", "kuhn_poker", "--kickstart=-1"], "argument `kickstart`: got -1.0; allowed: 0 to 10"),
        (["train", "kuhn_poker", "--envs=0"], "argument `envs`: got 0; allowed: 1 to 1048576"),
        (["train", "kuhn_poker", "--minibatch=100000"], "argument `minibatch`: got 100000; an update has 16384 rows"),
        (["train", "kuhn_poker", "--imitate-minibatch=16385"],
         "argument `imitate_minibatch`: got 16385; an update has 16384 rows"),
        (["train", "kuhn_poker", "--minutes=0"], "argument `minutes`: got 0 and no `steps`"),
        (["train", "kuhn_poker", "--network=big"], "argument `network`: got `big`; allowed: `auto`"),
        (["train", "kuhn_poker", "--rollout=2", "--minibatch=64"], "argument `rollout`: got 2; above 2, the number of"),
        (["train", "kuhn_poker", "--versus=1.5"], "argument `versus`: got 1.5; allowed: 0 to 1"),
        (["train", "kuhn_poker", "--network=entities"], "got `entities`; the game's observation"),
        (["train", "kuhn_poker", "--network=conv"], "argument `network`: got `conv`; the game has no"),
        (["train", "kuhn_poker", "--ignore=nothing*"], "argument `ignore`: got `nothing*`, which no segment matches"),
        (["train", "kuhn_poker", "--opponents=expert"], "argument `opponents`: got `expert`"),
        (["train", "kuhn_poker", "--resume=nowhere.pt"], "nowhere.pt"),
    ],
)  # fmt: skip
def test_wrong_use(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_checkpoints_that_do_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    assert main(["train", "leduc_poker", "--resume", str(path)]) == 2
    assert "game is `kuhn_poker`, asked for is `leduc_poker`" in capsys.readouterr().err
    with pytest.raises(playmat.InvalidArgument, match="`width`: got 99; the checkpoint has 16"):
        resume(path, width=99)
    state = checkpoint.read(path)
    checkpoint.write(path, {**state, "version": 999})
    with pytest.raises(playmat.WrongIdentity, match="version of kuhn_poker is `999`"):
        checkpoint.read(path)
    body = path.read_bytes()
    path.write_bytes(body.replace(b"checkpoint 2\n", b"checkpoint 1\n", 1))
    with pytest.raises(playmat.Unreadable, match="format 1; this version reads 2"):
        checkpoint.read(path)
    for foreign in (b"", b"not a checkpoint", b"root:x:0:0:root:/root:/bin/bash\n", bytes(4096)):
        path.write_bytes(foreign)
        for command in (
            ["train", "kuhn_poker", "--resume"],
            ["arena", "kuhn_poker", "--agents", "random"],
        ):
            assert main([*command, str(path)]) == 2
            said = capsys.readouterr().err
            assert f"cannot read checkpoint `{path}`: it does not begin with" in said


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    body = path.read_bytes()
    draws = np.random.default_rng(1)
    for _ in range(100):
        cut = bytearray(body[: draws.integers(len(body))])
        path.write_bytes(cut)
        with pytest.raises(playmat.Unreadable, match="cannot read checkpoint"):
            checkpoint.read(path)
        flipped = bytearray(body)
        flipped[draws.integers(len(body))] ^= 1 << int(draws.integers(8))
        path.write_bytes(flipped)
        with pytest.raises(playmat.Unreadable, match="cannot read checkpoint"):
            checkpoint.read(path)


def test_forged_checkpoints_are_refused(tmp_path: Path) -> None:
    """With a checksum of their own: what is missing, of another type, or no number."""
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    state = checkpoint.read(path)

    def refused(forged: dict[str, Any], reason: str) -> None:
        checkpoint.write(path, forged)
        with pytest.raises(playmat.Unreadable, match=reason):
            resume(path)

    for name in checkpoint.FIELDS:
        refused({key: value for key, value in state.items() if key != name}, f"`{name}` is missing")
        refused({**state, name: set()}, f"`{name}` is of type set")
    refused({**state, "rows": -1}, "`rows` is -1")
    refused({**state, "elapsed": float("nan")}, "`elapsed` is nan")
    refused({**state, "history": ["x"]}, "entries of `history`")
    refused({**state, "metrics": {"x": "y"}}, "`metrics` must map names to numbers")
    refused({**state, "game": "graft_"}, "graft_")
    refused({**state, "options": {1: 2}}, "does not fit")
    refused({**state, "network": {}}, "does not fit: Error")
    refused({**state, "optimizer": {}}, "does not fit")
    refused({**state, "generator": torch.zeros(3)}, "does not fit")
    refused({**state, "environments": torch.zeros(9, dtype=torch.uint8)}, "does not fit")
    name, weights = next(iter(state["network"].items()))
    refused(
        {**state, "network": {**state["network"], name: weights * torch.nan}}, f"`{name}` are not"
    )


def test_a_training_that_diverges_saves_nothing(tmp_path: Path) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    trainer.save()
    before = (tmp_path / "checkpoint.pt").read_bytes()
    with torch.no_grad():
        next(trainer.network.parameters()).fill_(torch.nan)
    with pytest.raises(playmat.Error, match="the training has diverged"):
        trainer.run()
    assert (tmp_path / "checkpoint.pt").read_bytes() == before


@pytest.mark.parametrize(
    "command", ["train kuhn_poker", "arena kuhn_poker --agents random FILE", "demo"]
)
def test_a_missing_package_is_named_with_its_extra(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    path = tmp_path / "checkpoint.pt"
    path.touch()
    assert main(command.replace("FILE", str(path)).split()) == 2
    said = capsys.readouterr().err
    assert "needs the package `torch`" in said and "pip install 'playmat[train]'" in said


def test_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, playmat.cli; playmat.cli.build_parser(); print('torch' in sys.modules or 'onnx' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
