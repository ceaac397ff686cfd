"""PPO: every game, rollouts, agents as opponents, the bootstrap, metrics; and that it learns."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

import playmat
from ablation_bootstrap import EveryObservation
from playmat.train import PRESETS, ppo
from playmat.train.config import preset
from playmat.train.environments import places
from playmat.train.evaluate import draw, evaluate
from playmat.train.trainer import Trainer
from training import tiny

#: Every game, and with options that change who is trained or what a network is given.
GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in playmat.games()),
    ("goofspiel", {"players": 3}),
    ("graft", {"players": 2}),
    ("graft", {"players": 5}),
    ("graphia", {"players": 1}),
    ("graphia", {"players": 2, "observe_others": "summary"}),
    ("graphia", {"players": 4}),
    ("graven", {"players": 3, "decks": "random"}),
    ("gravitix", {"players": 1, "island_set": "1"}),
    ("rafts", {"players": 2}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_game_trains_without_an_illegal_action(name: str, options: dict[str, Any]) -> None:
    trainer = Trainer(name, options, tiny(name, final_episodes=4))
    before = [p.clone() for p in trainer.network.parameters()]
    results = trainer.run()
    assert trainer.ppo.decisions == 512 and trainer.ppo.updates == 4
    assert np.take_along_axis(trainer.ppo.mask[:-1], trainer.ppo.action[:, :, None], 2).all()
    assert all(np.isfinite(value) for key, value in trainer.ppo.metrics.items() if "loss" in key)
    assert any((p != q).any() for p, q in zip(before, trainer.network.parameters(), strict=True))
    assert set(results) == {"random", "greedy"}
    for result in results.values():
        assert result.episodes == 4
        alone = trainer.game.num_players == 1
        assert result.wins + result.draws + result.losses == (0 if alone else result.episodes)
        assert (result.opponent_returns is not None) == alone
        by_return = alone or trainer.game.info()["rewards"][0] == "score"
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


class Spy:
    """An agent that remembers what it has chosen."""

    def __init__(self, agent: playmat.Agent) -> None:
        self.agent = agent
        self.chosen: list[Any] = []

    def act_batch(self, venv: playmat.VecEnv, mask: Any) -> Any:
        self.chosen.append(self.agent.act_batch(venv, mask=mask))
        assert np.array_equal(self.chosen[-1] < 0, ~mask)
        return self.chosen[-1]


def test_agents_play_all_players_but_one() -> None:
    config = tiny(
        "goofspiel", total_decisions=512, opponent_fraction=0.75, opponents="random,greedy"
    )
    trainer = Trainer("goofspiel", {"players": 3}, config)
    # Six of eight environments: first each player, then each opponent.
    assert list(trainer.ppo.shards[0].opponents.learner) == [0, 1, 2, 0, 1, 2, -1, -1]
    assert list(trainer.ppo.shards[0].opponents.fixed) == [0, 0, 0, 1, 1, 1, -1, -1]
    spies = [Spy(agent) for agent in trainer.ppo.shards[0].opponents.agents]
    trainer.ppo.shards[0].opponents.agents = cast("list[playmat.Agent]", spies)
    trainer.update()
    counts = np.zeros(2, np.int64)
    for t in range(config.num_steps):
        player = trainer.ppo.player[t]
        for env in range(8):
            own = env >= 6 or player[env] == env % 3
            assert trainer.ppo.by_policy[t, env] == own
            if not own:
                assert trainer.ppo.action[t, env] == spies[env // 3].chosen[t][env]
                counts[env // 3] += 1
    assert (counts > 20).all() and trainer.ppo.decisions == 128

    # What is learned does not depend on decisions of opponents.
    before = [p.detach().clone() for p in trainer.network.parameters()]
    drawn = trainer.ppo.generator.get_state()
    after = []
    for noise in (0.0, 5.0):
        with torch.no_grad():
            for p, q in zip(trainer.network.parameters(), before, strict=True):
                p.copy_(q)
        trainer.ppo.generator.set_state(drawn)
        trainer.ppo.optimizer = torch.optim.Adam(
            trainer.network.parameters(), lr=config.learning_rate, eps=1e-5
        )
        trainer.ppo.advantage[~trainer.ppo.trainable] += noise
        trainer.ppo.returns[~trainer.ppo.trainable] += noise
        trainer.ppo.learn(left=0.5)
        after.append([p.detach().clone() for p in trainer.network.parameters()])
    assert all(torch.equal(p, q) for p, q in zip(*after, strict=True))
    assert any((p != q).any() for p, q in zip(before, after[0], strict=True))


@pytest.mark.parametrize("league", [0, 1])
def test_opponents_play_from_their_start_on(league: int) -> None:
    config = tiny(
        "goofspiel", total_decisions=4 * 128, opponent_fraction=0.75, opponents="random",
        opponent_start=0.5, league=league, league_updates=1,
    )  # fmt: skip
    trainer = Trainer("goofspiel", {}, config)
    for _ in range(2):
        trainer.update()
        assert trainer.ppo.by_policy.all()
    trainer.update()
    learner = np.where(np.arange(8) < 6, np.arange(8) % 2, trainer.ppo.player[:-1])
    assert np.array_equal(trainer.ppo.by_policy, trainer.ppo.player[:-1] == learner)
    assert not trainer.ppo.by_policy.all()


def test_only_decisions_of_the_policy_are_inferred() -> None:
    config = tiny("goofspiel", opponent_fraction=0.75, opponents="random", total_decisions=128)
    trainer = Trainer("goofspiel", {}, config)
    ppo = trainer.ppo
    hook = trainer.network.register_forward_hook(count := Rows())
    assert ppo.rollout(0.0)
    hook.remove()
    own = ppo.by_policy
    assert count.rows == own.sum() < own.size
    with torch.no_grad():
        logits, value = trainer.network(*(ppo.flat(array) for array in ppo.inputs(trainer.network)))
    log_prob = logits.log_softmax(1).gather(1, ppo.flat(ppo.action)[:, None]).numpy()
    expected = np.where(own, value.numpy().reshape(own.shape), 0)
    assert np.allclose(ppo.value, expected, atol=1e-5)
    assert np.allclose(ppo.log_prob[own], log_prob.reshape(own.shape)[own], atol=1e-5)


def test_a_rollout_has_steps_without_a_decision_of_the_policy() -> None:
    """One environment: in every other step its opponent decides, and no row is inferred."""
    config = tiny(
        "connect_four", num_envs=1, num_minibatches=1, opponent_fraction=1.0, opponents="random"
    )
    trainer = Trainer("connect_four", {}, config)
    assert trainer.ppo.rollout(0.0)
    own = trainer.ppo.by_policy[:, 0]
    assert own.any() and not own.all()
    assert (trainer.ppo.value[~own] == 0).all() and (trainer.ppo.value[own] != 0).all()


class Rows:
    """Counts the rows that a network is asked about."""

    rows = 0

    def __call__(self, _: torch.nn.Module, inputs: tuple[torch.Tensor, ...], __: object) -> None:
        self.rows += len(inputs[0])


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_a_bonus_is_of_the_greedy_agents_action(fraction: float) -> None:
    """In play and in learning: a network that is not changed yet has the same probabilities. During
    imitation there is no bonus: the other weights learn what the expert does.
    """
    config = tiny(
        "rafts", greedy_bonus=3.0, opponent_fraction=0.5, update_epochs=1, num_minibatches=1,
        imitation_num_minibatches=1, imitation_fraction=fraction, imitation_coef=0.0,
    )  # fmt: skip
    trainer = Trainer("rafts", {"players": 2}, config)
    ppo, network = trainer.ppo, trainer.network
    assert network.bonus is not None
    torch.nn.init.normal_(network.bonus.weight)
    shard, seen = ppo.shards[0], []
    greedy_agent = shard.greedy_agent
    assert greedy_agent is not None

    class Spied:
        def act_batch(self, venv: playmat.VecEnv, out: np.ndarray) -> None:
            seen.append(greedy_agent.act_batch(venv, out=out).copy())

    shard.greedy_agent = Spied()  # type: ignore[assignment]
    before = copy.deepcopy(network)
    trainer.update()
    if fraction:
        assert not seen and (ppo.greedy == -1).all()
    else:
        assert np.array_equal(np.stack(seen), ppo.greedy)
        assert np.take_along_axis(ppo.mask[:-1], ppo.greedy[:, :, None], 2).all()
    given = (torch.from_numpy(a).flatten(0, 1) for a in (ppo.obs[:-1], ppo.mask[:-1], ppo.greedy))
    with torch.no_grad():
        log_probs = before(*given)[0].log_softmax(1).unflatten(0, ppo.action.shape)
    wanted = log_probs.gather(2, torch.from_numpy(ppo.action)[:, :, None]).squeeze(2).numpy()
    own = ppo.by_policy
    if not fraction:  # PPO learns from what the policy chose, imitation from what the expert chose
        np.testing.assert_allclose(ppo.log_prob[own], wanted[own], rtol=1e-4, atol=1e-4)
    if fraction:
        assert ppo.metrics["imitation/loss"] == pytest.approx(-wanted[own].mean(), abs=1e-4)
    else:
        assert ppo.metrics["losses/approx_kl"] == pytest.approx(0, abs=1e-6)
        assert ppo.metrics["losses/clipfrac"] == 0
    changed = network.bonus.weight != cast("torch.nn.Linear", before.bonus).weight
    assert changed.any() == (fraction == 0)
    # Gradients of 0 would be steps of Adam, too.
    assert (network.bonus.weight in ppo.optimizer.state) == (fraction == 0)
    assert network.bonus.weight.requires_grad


def test_without_a_bonus_nobody_asks_the_greedy_agent() -> None:
    trainer = Trainer("leduc_poker", {}, tiny("leduc_poker"))
    trainer.update()
    assert trainer.ppo.shards[0].greedy_agent is None and (trainer.ppo.greedy == -1).all()


@pytest.mark.parametrize("name", ["goofspiel", "graphia"])
def test_a_run_with_a_bonus_trains_evaluates_and_exports(name: str, tmp_path: Path) -> None:
    trainer = Trainer(name, {}, tiny(name, greedy_bonus=2.0), tmp_path)
    results = trainer.run()
    assert {result.episodes for result in results.values()} == {6}
    assert trainer.ppo.updates == 4 and (tmp_path / "policy.onnx").stat().st_size > 0
    assert trainer.network.bonus is not None
    assert 1.5 < float(trainer.network.bonus.bias.detach()) < 2.5


@pytest.mark.parametrize("max_steps", [0, 7])
def test_the_bootstrap_is_the_value_of_each_players_last_decision(max_steps: int) -> None:
    """Brute force: a decision is followed by the player's next one in the episode, or by the end."""
    config = tiny("connect_four", gamma=0.9, gae_lambda=0.8, num_steps=40, total_decisions=5000)
    trainer = Trainer("connect_four", {"max_steps": max_steps}, config)
    trainer.update()
    trainer.update()
    unfinished = 0
    for env in range(config.num_envs):
        advantage: dict[int, tuple[float, float]] = {}
        over, cut = False, False
        seen = np.zeros(2, np.bool_)
        earned = np.zeros(2)
        ended = np.zeros(2, np.bool_)
        for t in reversed(range(config.num_steps)):
            if trainer.ppo.terminated[t, env] or trainer.ppo.truncated[t, env]:
                advantage, earned = {}, np.zeros(2)
                over, cut = True, bool(not trainer.ppo.terminated[t, env])
                seen[:], ended[:] = False, not cut
            earned += trainer.ppo.reward[t, env]
            player = int(trainer.ppo.player[t, env])
            value = float(trainer.ppo.value[t, env])
            known = bool(trainer.ppo.trainable[t, env])
            if not seen[player] and not ended[player]:
                unfinished += 1
                assert not known and trainer.ppo.advantage[t, env] == pytest.approx(0, abs=1e-5)
                advantage[player] = (0.0, value)
            else:
                follow, next_value = advantage.get(player, (0.0, 0.0))
                delta = earned[player] + 0.9 * next_value - value
                wanted = delta + 0.9 * 0.8 * follow
                assert known and trainer.ppo.advantage[t, env] == pytest.approx(wanted, abs=1e-4)
                advantage[player] = (wanted, value)
            seen[player], earned[player] = True, 0
        assert over
    # The players of the running episode at the end of the rollout; with a limit, of every episode.
    running = 0
    for env in range(config.num_envs):
        ends = np.flatnonzero(trainer.ppo.terminated[:, env])
        last = int(ends[-1]) + 1 if len(ends) else 0
        running += len(set(trainer.ppo.player[last : config.num_steps, env]))
    assert running > 8
    assert unfinished == running if max_steps == 0 else unfinished > 60


@pytest.mark.parametrize("bonus", [0.0, 2.0])
def test_the_ablation_bootstraps_from_every_observation(bonus: float) -> None:
    config = tiny("leduc_poker", gae_lambda=0.0, reward_scale=1.0, greedy_bonus=bonus)
    trainer = Trainer("leduc_poker", {}, config, algorithm=EveryObservation)
    assert trainer.update() and trainer.ppo.trainable.all()
    _, values, final_values = trainer.ppo.bootstrap(trainer.ppo.reward)
    assert not final_values.any() and trainer.ppo.trainable.all()
    with torch.no_grad():
        for player in range(2):
            obs = torch.from_numpy(trainer.ppo.shards[0].venv.observe(player))
            mask, greedy = trainer.ppo.mask[-1], trainer.ppo.greedy[-1]
            _, value = trainer.network(obs, torch.from_numpy(mask), torch.from_numpy(greedy))
            np.testing.assert_allclose(values[:, player], value.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "cut"), [({"max_rounds": 2}, False), ({"max_steps": 20}, True)]
)
def test_a_limit_of_the_rules_terminates(options: dict[str, Any], cut: bool) -> None:
    trainer = Trainer("rafts", options, tiny("rafts", num_steps=64, imitation_fraction=0.0))
    with trainer.game.vec_env(8) as venv:
        venv.reset(seed=1)
        flags = venv.rollout_arrays(64, ["truncated"])
        venv.rollout("random", 64, out=flags)
        assert flags["truncated"].any(), "both limits end episodes so soon"
    trainer.update()
    assert trainer.ppo.truncated.any() == cut
    assert (trainer.ppo.terminated | trainer.ppo.truncated).any()


def test_a_run_learns() -> None:
    trainer = Trainer("tic_tac_toe", {}, preset(
        "tic_tac_toe", minutes=0, total_decisions=200_000, seed=3, eval_minutes=0, final_episodes=400, opponents="random",
        torch_threads=1, num_envs=128, num_steps=32, num_minibatches=8, width=64, learning_rate=3e-3,
        opponent_fraction=0.0,
    ))  # fmt: skip
    untrained = evaluate(trainer.eval_game, trainer.agent(), "random", 400, seed=9)
    trained = trainer.run()["random"]
    assert trained.episodes == 400
    assert trained.win_rate.low > 0.75 > untrained.win_rate.high


def test_the_preset_of_a_small_game_gains_with_time() -> None:
    """Self-play alone plays few lines after a while and forgets the answers to all others: without
    the preset, the longer of these runs wins less against random play than the shorter one.
    """
    won = []
    for decisions in (40_960, 307_200):
        config = preset(
            "tic_tac_toe", minutes=0, total_decisions=decisions, seed=1, eval_minutes=0, final_episodes=400, device="cpu",
            torch_threads=1, precision="float32", num_envs=64, num_steps=32, num_minibatches=8, width=64, learning_rate=3e-3,
        )  # fmt: skip
        results = Trainer("tic_tac_toe", {}, config).run()
        won.append({name: result.win_rate.value for name, result in results.items()})
    short, long = won
    assert long["random"] > max(0.9, short["random"])
    # Equal agents have 50%.
    assert long["greedy"] > max(0.45, short["greedy"])


@pytest.mark.parametrize(
    ("name", "options", "changes", "wanted"),
    [
        ("connect_four", {}, {}, set()),
        ("connect_four", {}, {"opponent_fraction": 0.5}, {"return_against_opponents"}),
        ("leduc_poker", {}, {}, set()),
        ("goofspiel", {}, {"reward": "score"}, {"episodic_return"}),
        ("goofspiel", {}, {"reward": "score", "opponent_fraction": 0.5},
         {"episodic_return", "return_against_opponents"}),
        ("graphia", {"players": 1}, {"num_steps": 128, "num_minibatches": 2, "imitation_fraction": 0}, {"episodic_return"}),
    ],
)  # fmt: skip
def test_what_self_play_earns_is_shown_where_it_is_not_0_by_the_rules(
    name: str, options: dict[str, Any], changes: dict[str, Any], wanted: set[str]
) -> None:
    trainer = Trainer(name, options, tiny(name, **{"num_steps": 64, **changes}))
    trainer.update()
    shown = {n for n in trainer.ppo.metrics if n.startswith("charts/") and "return" in n}
    assert shown == {f"charts/{n}" for n in wanted}
    assert trainer.ppo.metrics["charts/episodic_length"] > 1
    if "return_against_opponents" in wanted and not changes.get("reward"):
        assert -1 <= trainer.ppo.metrics["charts/return_against_opponents"] <= 1


def test_rewards_are_scaled_by_what_play_earns() -> None:
    poker = playmat.Game("leduc_poker", reward="score")
    trainer = Trainer("leduc_poker", {}, tiny("leduc_poker"))
    assert trainer.ppo.reward_scale == poker.reward_scale(seed=1) != 1
    for name, changes, scale in [
        ("leduc_poker", {"reward_scale": 0.5}, 0.5),
        ("connect_four", {}, 1),
        ("graphia", {}, PRESETS["graphia"]["reward_scale"]),
    ]:
        assert Trainer(name, {}, tiny(name, **changes)).ppo.reward_scale == scale
    # Measured on the reward of the training.
    config = tiny("gravitix", reward_scale=0)
    game = playmat.Game("gravitix", reward="score_delta")
    relative = game.reward_scale(seed=1, relative=True)
    assert Trainer("gravitix", {}, config).ppo.reward_scale == relative != game.reward_scale(seed=1)
    alone = Trainer("gravitix", {"players": 1}, tiny("gravitix", reward_scale=0))
    assert alone.ppo.reward_scale == alone.game.reward_scale(seed=1)


def test_places_compare_returns_with_those_of_the_others() -> None:
    for returns, wanted in [
        ([[4.0]], [[0]]),
        ([[3, 1], [2, 2], [-1, 0]], [[1, -1], [0, 0], [-1, 1]]),
        ([[1, 7, 4], [7, 7, 4]], [[-1, 1, 0], [0.5, 0.5, -1]]),
    ]:
        assert places(np.array(returns)).tolist() == wanted
    assert places(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("name", "options"), [("gravitix", {}), ("graphia", {"players": 3}), ("kuhn_poker", {})]
)
def test_a_win_bonus_is_paid_at_the_end_of_an_episode(name: str, options: dict[str, Any]) -> None:
    returns = {}
    for bonus in (0.0, 2.0):
        config = tiny(
            name, num_steps=256, num_envs=4, gamma=1.0, gae_lambda=1.0, win_bonus=bonus,
            imitation_fraction=0, num_minibatches=1, total_decisions=4096,
        )  # fmt: skip
        ppo = Trainer(name, options, config).ppo
        ppo.rollout(0.0)
        ppo.estimate()
        returns[bonus] = ppo.returns.copy()
    gained, paid = returns[2.0] - returns[0.0], np.zeros((4, ppo.game.num_players), np.float32)
    some = 0
    for t in reversed(range(256)):
        ended = ppo.terminated[t]
        paid[ended] = 2 * ppo.place[t, ended]
        assert not ppo.place[t, ~ended].any()
        some += int(ended.sum())
        known = some > 0 and ppo.terminated[t:].any(0) & ppo.trainable[t]
        own = paid[np.arange(4), ppo.player[t]]
        np.testing.assert_allclose(gained[t][known], own[known], atol=1e-3)
    assert some > 4 and ppo.place.any()


def test_a_win_bonus_beside_victories_is_refused() -> None:
    with pytest.raises(playmat.InvalidArgument, match=r"`win_bonus`: got 1; the reward `outcome`"):
        Trainer("connect_four", {}, tiny("connect_four", win_bonus=1.0))


def test_a_fraction_of_the_decisions_is_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with the largest advantages, of either sign."""
    config = tiny("leduc_poker", learn_fraction=0.25, num_minibatches=1, update_epochs=1)
    ppo = Trainer("leduc_poker", {}, config).ppo
    learned: list[np.ndarray] = []
    minibatches = ppo.minibatches

    def spied(of: np.ndarray, count: int) -> Any:
        learned.append(of.copy())
        return minibatches(of, count)

    monkeypatch.setattr(ppo, "minibatches", spied)
    ppo.update(0.0)
    (chosen,), size = learned, np.abs(ppo.advantage)
    assert not (chosen & ~ppo.trainable).any()
    assert chosen.sum() == pytest.approx(ppo.trainable.sum() / 4, abs=2)
    assert size[chosen].min() >= size[ppo.trainable & ~chosen].max()
    signs = np.sign(ppo.advantage[chosen])
    assert (signs > 0).any() and (signs < 0).any()


def test_scaled_rewards_are_what_values_are_learned_from() -> None:
    returns = []
    for scale in (1.0, 0.25):
        config = tiny("leduc_poker", reward_scale=scale, num_steps=64, gae_lambda=1.0)
        trainer = Trainer("leduc_poker", {}, config)
        trainer.update()
        # No episode is longer than eight decisions: these end within the rollout, so that no value
        # of the network is in their returns.
        returns.append(trainer.ppo.returns[:-8])
    np.testing.assert_allclose(returns[1], returns[0] * 0.25, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("norm_adv", [False, True])
def test_advantages_are_normalized_by_default(norm_adv: bool) -> None:
    trainer = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", norm_adv=norm_adv, ent_coef=0.0))
    trainer.update()
    before = [p.detach().clone() for p in trainer.network.parameters()]
    drawn, results = trainer.ppo.generator.get_state(), []
    for factor in (1.0, 100.0):
        trainer.ppo.generator.set_state(drawn)
        with torch.no_grad():
            for p, q in zip(trainer.network.parameters(), before, strict=True):
                p.copy_(q)
        trainer.ppo.optimizer = torch.optim.SGD(trainer.network.parameters(), lr=1e-4)
        trainer.ppo.advantage *= factor
        results.append(np.mean(trainer.ppo.learn(left=1.0)["losses/policy_loss"]))
    assert (results[1] == pytest.approx(results[0], abs=1e-3)) == norm_adv


def test_the_learning_rate_is_annealed_by_default() -> None:
    for changes, wanted in [
        ({}, [1, 0.75, 0.5, 0.25]),
        ({"anneal_power": 2.0}, [1, 0.5625, 0.25, 0.0625]),
        ({"anneal_lr": False}, [1, 1, 1, 1]),
    ]:
        trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker", **changes))
        rates = []
        while not trainer.finished:
            trainer.update()
            rates.append(trainer.ppo.metrics["charts/learning_rate"])
            assert trainer.ppo.optimizer.param_groups[0]["lr"] == rates[-1]
        assert rates == pytest.approx([1e-3 * share for share in wanted])


def test_a_high_divergence_stops_the_epochs() -> None:
    for target, epochs in [(0.0, 5), (1e9, 5), (1e-9, 1)]:
        config = tiny(
            "kuhn_poker", target_kl=target, update_epochs=5, learning_rate=0.1, num_minibatches=4
        )
        trainer = Trainer("kuhn_poker", {}, config)
        steps: list[int] = []
        step = trainer.ppo.optimizer.step
        trainer.ppo.optimizer.step = lambda *args: (steps.append(1), step(*args))[1]  # type: ignore[method-assign]
        trainer.update()
        assert len(steps) == epochs * (int(trainer.ppo.trainable.sum()) // 32)


def test_a_copy_of_the_file_trains(tmp_path: Path) -> None:
    """It is one file of at most 300 lines, for others to change."""
    source = Path(ppo.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    copy = tmp_path / "my_ppo.py"
    copy.write_text(source, encoding="utf-8")
    options = "leduc_poker --total-decisions=512 --num-envs=8 --num-steps=16 --num-minibatches=2"
    run = subprocess.run(
        [sys.executable, str(copy), *options.split()], capture_output=True, text=True, check=True
    )
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["128", "256", "384", "512"]
    assert "losses/policy_loss" in run.stdout
