"""Imitation: DAgger learns what the greedy bot does, the auxiliary loss holds on to it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from playmat.train.report import line
from playmat.train.trainer import Trainer
from training import tiny


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
