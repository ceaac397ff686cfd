"""Imitation: DAgger learns what the expert does, the auxiliary loss holds on to it; searches as experts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import playmat
from playmat.train.evaluate import evaluate
from playmat.train.export import export
from playmat.train.report import line
from playmat.train.rollout import Shard
from playmat.train.trainer import Trainer
from training import resumed, tiny


def test_imitation_comes_first_and_learns_what_greedy_does() -> None:
    config = tiny(
        "connect_four",
        total_decisions=40 * 128,
        imitation_fraction=0.9,
        learning_rate=3e-3,
        width=64,
    )
    trainer = Trainer("connect_four", {}, config)
    losses, imitated = [], []
    while not trainer.finished:
        assert trainer.ppo.imitation is not None
        imitated.append(trainer.ppo.imitation.is_running(trainer.progress))
        trainer.update()
        # The policy did not sample the actions that it imitates: no ratio, no divergence.
        found = {n for n in trainer.ppo.metrics if n.startswith(("losses/", "imitation/"))}
        names = {"losses/value_loss", "losses/entropy", "losses/explained_variance"}
        sampled = {f"losses/{n}" for n in ("policy_loss", "approx_kl", "old_approx_kl", "clipfrac")}
        assert found == names | ({"imitation/loss"} if imitated[-1] else sampled)
        assert ("kl" in line(trainer.ppo.metrics, 0, "win_rate")) != imitated[-1]
        losses.append(
            trainer.ppo.metrics["imitation/loss" if imitated[-1] else "losses/policy_loss"]
        )
        assert np.take_along_axis(trainer.ppo.mask[:-1], trainer.ppo.action[:, :, None], 2).all()
    assert imitated == [True] * 36 + [False] * 4
    # Seven columns at first, log 7 = 1.9; greedy takes wins, stops threats and draws otherwise.
    assert losses[0] > 1.4 and np.mean(losses[26:36]) < 1.1
    # A clipped surrogate starts near 0.
    assert all(abs(loss) < 0.3 for loss in losses[36:])


@pytest.mark.parametrize("coefficient", [0.0, 5.0])
def test_the_auxiliary_loss_teaches_what_greedy_does(coefficient: float) -> None:
    """Without behaviour cloning and with tiny rewards, nothing else does."""
    config = tiny(
        "connect_four",
        total_decisions=40 * 128,
        learning_rate=3e-3,
        width=64,
        imitation_coef=coefficient,
        reward_scale=1e-6,
    )
    trainer = Trainer("connect_four", {}, config)
    agrees = []
    while not trainer.finished:
        trainer.update()
        agrees.append(trainer.ppo.metrics.get("imitation/auxiliary_loss", math.nan))
        # The clipped surrogate alone: the other loss is five times 0.9 or more.
        assert abs(trainer.ppo.metrics["losses/policy_loss"]) < 0.3
        imitation = trainer.ppo.imitation
        assert (imitation is not None) == bool(coefficient)
        if imitation is not None:
            expert = trainer.ppo.expert
            assert expert.any()
            mask = trainer.ppo.mask[:-1]
            assert np.take_along_axis(mask, expert[:, :, None], 2).all()
    if coefficient:
        assert agrees[0] > 1.4 and np.mean(agrees[26:36]) < 1.2
    else:
        assert np.isnan(agrees).all()


def test_minibatches_of_imitation_may_be_smaller() -> None:
    """128 decisions a rollout: two minibatches an epoch, eight during imitation."""
    config = tiny(
        "leduc_poker",
        total_decisions=2 * 128,
        imitation_fraction=0.5,
        imitation_num_minibatches=8,
        update_epochs=1,
    )
    trainer = Trainer("leduc_poker", {}, config)
    steps = []
    step = trainer.ppo.optimizer.step
    trainer.ppo.optimizer.step = lambda *args: (steps.append(trainer.ppo.updates), step(*args))[1]  # type: ignore[method-assign]
    trainer.update()
    assert trainer.ppo.by_policy.all() and steps == [0] * 8
    trainer.update()
    assert (
        steps[8:] == [1] * (int(trainer.ppo.trainable.sum()) // 64)
        and trainer.ppo.trainable.sum() >= 64
    )


def test_the_visits_of_the_expert_are_learned() -> None:
    """The target is the distribution of the visits, and the policy approaches it."""
    config = tiny(
        "tic_tac_toe", total_decisions=60 * 128, imitation_fraction=1.0, expert="mcts:32",
        expert_target="visits", learning_rate=0.01,
    )  # fmt: skip
    trainer = Trainer("tic_tac_toe", {}, config)
    shard, distances = trainer.ppo.shards[0], []
    while not trainer.finished:
        venv = trainer.game.vec_env(config.num_envs)
        venv.load_bytes(shard.venv.to_bytes())
        expert = trainer.game.agent("mcts:32")
        actions, found = expert.act_batch(venv), expert.statistics_batch(venv)
        trainer.update()
        visits, mask = trainer.ppo.expert_visits, trainer.ppo.mask[:-1]
        np.testing.assert_allclose(visits.sum(2), 1, rtol=1e-5)
        assert not visits[~mask].any()
        # The same search elsewhere; a single legal action is not searched.
        sums = found.visits.sum(1, keepdims=True)
        wanted = np.where(sums > 0, found.visits / np.maximum(sums, 1), np.eye(9)[actions])
        np.testing.assert_allclose(visits[0], wanted, rtol=1e-6)
        entropy = -(visits * np.log(np.maximum(visits, 1e-9))).sum(2).mean()
        distances.append(trainer.ppo.metrics["imitation/loss"] - entropy)
    assert distances[0] > 0.45 and np.mean(distances[-10:]) < 0.35, distances
    ppo, rows = trainer.ppo, torch.arange(0, 128, 3)
    assert ppo.imitation is not None
    log_probs = torch.randn(len(rows), 9).log_softmax(1)
    found = ppo.imitation.cross_entropy(ppo, log_probs, rows)
    wanted = -(visits.reshape(128, 9)[rows] * log_probs.numpy()).sum(1).mean()
    assert float(found) == pytest.approx(float(wanted), rel=1e-5)


@pytest.mark.parametrize(
    ("name", "expert", "bonus"),
    [
        ("connect_four", "random", 0),
        ("connect_four", "greedy", 0),
        ("connect_four", "mcts:16", 0),
        ("connect_four", "mcts:16,policy=self", 0),
        ("connect_four", "mcts:16,policy=self,rollout=random", 0),
        # Its greedy agent draws nothing, so asking it changes no random stream.
        ("goofspiel", "mcts:16,policy=self", 1.0),
    ],
)
def test_the_expert_is_the_agent_that_is_named(
    name: str, expert: str, bonus: float, tmp_path: Path
) -> None:
    """In the first step of a rollout it chooses what the same agent chooses elsewhere."""
    config = tiny(
        name, imitation_fraction=1.0, expert=expert, learning_rate=0.05, greedy_bonus=bonus
    )
    trainer = Trainer(name, {}, config)
    shard, chosen = trainer.ppo.shards[0], []
    for update in range(3):
        venv = trainer.game.vec_env(config.num_envs)
        venv.load_bytes(shard.venv.to_bytes())
        file = tmp_path / f"{update}.onnx"
        export(trainer.network, trainer.game, file)
        agent = trainer.game.agent(expert.replace("=self", f"={file}"))
        wanted = agent.act_batch(venv)
        trainer.update()
        assert np.array_equal(trainer.ppo.expert[0], wanted)
        assert np.take_along_axis(trainer.ppo.mask[:-1], trainer.ppo.expert[:, :, None], 2).all()
        # What is learned is what the expert would do.
        assert np.array_equal(trainer.ppo.action, trainer.ppo.expert)
        chosen.append(wanted)
    # An earlier network would have chosen otherwise: the test can tell them apart.
    if "self" in expert:
        venv = trainer.game.vec_env(64)
        files = [tmp_path / f"{k}.onnx" for k in (0, 2)]
        agents = [trainer.game.agent(expert.replace("=self", f"={file}")) for file in files]
        found = []
        for agent in agents:
            venv.reset(seed=3)
            found.append(agent.act_batch(venv))
        assert not np.array_equal(*found)


def test_a_search_is_imitated_to_play_as_well() -> None:
    """In tic_tac_toe search draws or wins; an untrained network loses most episodes to it."""
    config = tiny(
        "tic_tac_toe", total_decisions=60 * 1024, num_envs=64, num_minibatches=8, width=64,
        imitation_fraction=1.0, expert="mcts:100", imitation_random=0.1, learning_rate=5e-3,
    )  # fmt: skip
    trainer = Trainer("tic_tac_toe", {}, config)
    untrained = evaluate(trainer.eval_game, trainer.agent(), "greedy", 200, seed=1)
    while not trainer.finished:
        trainer.update()
    trained = evaluate(trainer.eval_game, trainer.agent(), "greedy", 200, seed=1)
    assert trained.win_rate.low > 0.4 > untrained.win_rate.high


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_of_the_decisions_is_played_at_random(share: float) -> None:
    """Shares are within five standard deviations, or exact."""
    config = tiny(
        "goofspiel", imitation_fraction=1.0, imitation_random=share, num_envs=256, num_minibatches=2
    )
    trainer = Trainer("goofspiel", {}, config)
    shard, others, decisions = trainer.ppo.shards[0], 0, 0
    step = shard.imitation.collect  # type: ignore[union-attr]

    def collect(shard: Shard, t: int, progress: float) -> Any:
        nonlocal others, decisions
        played = step(shard, t, 0.0)
        assert shard.mask[t][np.arange(len(played)), played].all()
        # By chance a random card is the expert's.
        legal = shard.mask[t].sum(1)
        others += float(((played != shard.expert[t]) / (1 - 1 / legal))[legal > 1].sum())
        decisions += int((legal > 1).sum())
        return played

    shard.imitation.collect = collect  # type: ignore[union-attr, method-assign]
    trainer.update()
    if share == 0:
        assert others == 0
    else:
        assert decisions > 3000 and others / decisions == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize(
    ("last", "progress", "share"),
    [(0.0, 0.25, 0.5), (0.0, 0.499, 0.002), (0.6, 0.25, 0.8), (1.0, 0.25, 1.0), (1.0, 0.499, 1.0)],
)
def test_the_expert_plays_its_share(last: float, progress: float, share: float) -> None:
    """Its share falls linearly from 1 to `expert_share`. Within five standard deviations."""
    config = tiny(
        "goofspiel", imitation_fraction=0.5, expert_share=last, num_envs=256, num_minibatches=2
    )
    trainer = Trainer("goofspiel", {}, config)
    shard = trainer.ppo.shards[0]
    step, by_expert, differ = shard.imitation.collect, 0, 0  # type: ignore[union-attr]

    def collect(shard: Shard, t: int, _: float) -> Any:
        nonlocal by_expert, differ
        policy = shard.action[t].copy()
        played = step(shard, t, progress)
        different = policy != shard.expert[t]
        assert ((played == policy) | (played == shard.expert[t])).all()
        by_expert += int((played == shard.expert[t])[different].sum())
        differ += int(different.sum())
        return played

    shard.imitation.collect = collect  # type: ignore[union-attr, method-assign]
    trainer.update()
    assert differ > 3000 and by_expert / differ == pytest.approx(
        share, abs=0.0 if share == 1 else 0.05
    )


@pytest.mark.parametrize("expert", ["mcts:8", "mcts:8,policy=self"])
def test_resume_with_a_search_continues_bit_by_bit(expert: str, tmp_path: Path) -> None:
    """Trees of the episodes that run are in no checkpoint."""
    config = tiny("tic_tac_toe", total_decisions=6 * 128, imitation_fraction=0.8, expert=expert)
    for through, second in resumed(config, 3, tmp_path):
        assert np.array_equal(through.ppo.expert, second.ppo.expert)


def test_experts_that_do_not_exist_are_refused() -> None:
    for expert, reason in [
        ("nobody", "argument `expert`: .*nobody"),
        ("mcts:0,policy=self", "argument `expert`: "),
        ("greedy,policy=self", "argument `expert`: got `greedy,policy=self`; `policy=self` is an option of"),
        ("mcts:8,policy=selv", "`policy=selv`.*; `policy=self` is the network that is being trained"),
    ]:  # fmt: skip
        with pytest.raises(playmat.InvalidArgument, match=reason):
            Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", imitation_fraction=0.5, expert=expert))
    with pytest.raises(
        playmat.InvalidArgument, match=r"`imitation_random`: got 2\.0; allowed: 0 to 1"
    ):
        tiny("tic_tac_toe", imitation_random=2.0)
    with pytest.raises(
        playmat.InvalidArgument,
        match=r"`expert_share`: got 0\.5; it needs `imitation_fraction` above 0",
    ):
        tiny("tic_tac_toe", expert_share=0.5)
