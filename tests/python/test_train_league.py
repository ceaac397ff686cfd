"""The league: past selves, priorities, points, ratings; exact resume; bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import playmat
from playmat.train import checkpoint
from playmat.train.environments import points_of
from playmat.train.league import LEAST, League, LeagueSnapshot
from playmat.train.trainer import Trainer, resume
from training import resumed, tiny

LEAGUE: dict[str, Any] = {
    "league": 2, "league_updates": 2, "opponent_fraction": 0.75, "total_decisions": 8 * 128,
}  # fmt: skip


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: part.clone() for name, part in trainer.network.state_dict().items()}


def test_past_selves_are_the_policy_as_it_was() -> None:
    trainer = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", **LEAGUE))
    league = trainer.ppo.league
    assert league is not None and league.names == ["random", "greedy"]
    made: dict[int, dict[str, torch.Tensor]] = {}
    for update in range(1, 9):
        trainer.update()
        assert ("league/rating" in trainer.ppo.metrics) == (update % 2 == 0)
        if update % 2 == 0:
            made[update] = weights(trainer)
        for number, past in league.selves:
            assert all(torch.equal(past[name], part) for name, part in made[number].items())
    updates = {number for number, _ in league.selves}
    assert len(updates) == 2 and 8 in updates
    assert [name for name, _ in league.record] == [f"update {k}" for k in (2, 4, 6, 8)]


def test_one_player_is_the_policys_and_past_selves_play_the_others() -> None:
    """Each action of a past self is legal, not the policy's, and drawn from its own network."""
    config = tiny("goofspiel", **{**LEAGUE, "opponents": "", "total_decisions": 128 * 40})
    trainer = Trainer("goofspiel", {"players": 3}, config)
    opponents = trainer.ppo.shards[0].opponents
    assert list(opponents.learner) == [0, 1, 2, 0, 1, 2, -1, -1]
    trainer.update()
    # There is nobody to play against yet.
    assert (opponents.opponent == -1).all() and trainer.ppo.by_policy.all()
    trainer.update()
    # A past self that plays the lowest legal card shows which decisions it made.
    league = trainer.ppo.league
    assert league is not None and len(league.selves) == 1
    trainer.update()
    loaded, network = opponents.selves[0]
    assert (
        loaded == 2 and (opponents.opponent[:6] == 0).all() and (opponents.opponent[6:] < 0).all()
    )

    def lowest(obs: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        assert len(obs) == len(mask) > 0
        order = torch.arange(mask.shape[1], 0, -1).float() * 100
        return torch.where(mask, order, torch.tensor(-1e9)), torch.zeros(len(obs))

    network.forward = lowest  # type: ignore[method-assign, assignment]
    # No new past self takes its place within this update.
    trainer.ppo.updates = 2
    trainer.update()
    ppo, theirs = trainer.ppo, 0
    for t in range(config.num_steps):
        for env in range(config.num_envs):
            own = env >= 6 or ppo.player[t, env] == env % 3
            assert ppo.by_policy[t, env] == own
            assert ppo.mask[t, env, ppo.action[t, env]]
            if not own:
                assert ppo.action[t, env] == np.flatnonzero(ppo.mask[t, env])[0]
                theirs += 1
    assert theirs > 40


def test_past_selves_read_the_greedy_agents_actions() -> None:
    """Those with a large bonus play nothing else; the policy plays something else, too."""
    config = tiny("goofspiel", **{**LEAGUE, "opponents": "", "greedy_bonus": 1e-3})
    trainer = Trainer("goofspiel", {"players": 3}, config)
    shard, past = trainer.ppo.shards[0], weights(trainer)
    past["bonus.bias"] += 1e6
    shard.play(trainer.network, 0.0, snapshot=LeagueSnapshot(np.array([1.0]), [(1, past)]))
    same = trainer.ppo.action == trainer.ppo.greedy
    theirs = ~trainer.ppo.by_policy
    assert theirs.sum() > 40 and same[theirs].all() and not same[~theirs].all()


def test_opponents_that_win_more_are_drawn_more_often() -> None:
    config = tiny("connect_four", league=2, opponent_fraction=0.5, league_updates=1)
    game = playmat.Game("connect_four")
    league = League(game, config)
    assert league.priorities().tolist() == [0.5, 0.5, 0, 0]
    league.note([{points_of(0): [1.0] * 998, points_of(1): [0.0] * 8}, None])
    league.note([{points_of(1): [0.5] * 20}])
    np.testing.assert_allclose(league.priorities(), [LEAST, 1 - 11 / 30, 0, 0])
    chances = league.snapshot().chances
    assert chances.sum() == pytest.approx(1) and chances[1] > 10 * chances[0]

    # Environments draw in proportion; 300,000 draws, five standard deviations.
    trainer = Trainer("connect_four", {}, config)
    shard = trainer.ppo.shards[0]
    shard.opponents.chances = np.array([0.1, 0.0, 0.7, 0.2])
    drawn = np.zeros(4)
    for _ in range(75_000):
        shard.opponents.draw(shard, np.arange(8) < 4)
        drawn += np.bincount(shard.opponents.opponent[:4], minlength=4)
    np.testing.assert_allclose(drawn / drawn.sum(), [0.1, 0, 0.7, 0.2], atol=5e-3)
    assert drawn[1] == 0 and (shard.opponents.opponent[4:] == -1).all()


def test_a_new_past_self_replaces_the_one_that_is_beaten_most() -> None:
    config = tiny("connect_four", league=2, opponent_fraction=0.5, league_updates=1, opponents="")
    league = League(playmat.Game("connect_four"), config)
    network = torch.nn.Linear(1, 1)
    league.end_update(network, 1)
    league.end_update(network, 2)
    league.note([{points_of(0): [0.25] * 100, points_of(1): [0.875] * 100}])
    league.end_update(network, 3)
    assert [update for update, _ in league.selves] == [1, 3]
    # Old results count half; those of the one that left do not count.
    assert league.episodes.tolist() == [50, 0] and league.points.tolist() == [12.5, 0]


@pytest.mark.parametrize("players", [2, 3])
def test_points_are_comparisons_of_returns(players: int) -> None:
    # Room for all past selves: none is replaced.
    changes = {"opponent_fraction": 1.0, "opponents": "random", "num_envs": 12, "league": 99}
    config = tiny("goofspiel", **{**LEAGUE, **changes})
    trainer = Trainer("goofspiel", {"players": players}, config)
    shard, wanted = trainer.ppo.shards[0], []
    step = shard.venv.step

    def spy(actions: Any, **arguments: Any) -> playmat.Batch:
        batch = step(actions, **arguments)
        for env in np.flatnonzero(batch.terminated):
            returns = batch.episode_return[env]
            own = returns[env % players]
            others = np.delete(returns, env % players)
            wanted.append(float(np.mean((own > others) + 0.5 * (own == others))))
        return batch

    class Spied:
        def __getattr__(self, name: str) -> Any:
            return spy if name == "step" else getattr(venv, name)

    venv, shard.venv = shard.venv, Spied()  # type: ignore[assignment]
    league = trainer.ppo.league
    assert league is not None
    # Agents act for the environment itself.
    act = shard.opponents.agents[0]

    class Agent:
        def act_batch(self, _: Any, mask: Any) -> Any:
            return act.act_batch(venv, mask=mask)

    shard.opponents.agents = [Agent()]  # type: ignore[list-item]
    while not wanted or trainer.ppo.updates < 6:
        trainer.update()
        found = [episodes for _, episodes in league.record]
    shown = sum(p for results in found for _, p in results.values())
    shown += sum(p for _, p in league.recent.values())
    assert len(wanted) > 10 and shown == pytest.approx(sum(wanted))
    assert all(0 <= p <= 1 for p in wanted) and len(set(wanted)) > 1


def test_an_episode_against_a_replaced_past_self_counts_for_nobody() -> None:
    config = tiny(
        "tic_tac_toe", **{**LEAGUE, "league": 1, "opponent_fraction": 1.0, "opponents": ""}
    )
    trainer = Trainer("tic_tac_toe", {}, config)
    shard, network = trainer.ppo.shards[0], trainer.network
    points: list[int] = []
    for update in (1, 1, 2, 2):
        league = LeagueSnapshot(np.array([1.0]), [(update, network.state_dict())])
        found = shard.play(network, 0.0, snapshot=league)
        assert found is not None
        points.append(len(found["charts/episodic_length"]) - len(found[points_of(0)]))
    # No episode is longer than the rollout: each environment ends one that began before.
    assert config.num_steps > 9 and points == [0, 0, config.num_envs, 0]


def test_ratings_order_past_selves_by_their_results() -> None:
    config = tiny(
        "connect_four", league=3, opponent_fraction=0.5, league_updates=1, opponents="random,greedy"
    )
    league = League(playmat.Game("connect_four"), config)
    network, ratings = torch.nn.Linear(1, 1), []
    # Against random and greedy: ever more points.
    for k, (easy, hard) in enumerate([(0.5, 0.1), (0.8, 0.3), (0.95, 0.5), (0.99, 0.8)], 1):
        league.note([{points_of(0): [easy] * 200, points_of(1): [hard] * 200}])
        ratings.append(league.end_update(network, k)["league/rating"])
    assert ratings == sorted(ratings)
    # Even with greedy, the best agent: 0. Odds of 4: 241 points.
    assert abs(ratings[2]) < 40 and 170 < ratings[3] < 300


@pytest.mark.parametrize(
    ("opponents", "bonus"),
    [("random,greedy", 0.0), ("mcts:8", 0.0), ("", 0.0), ("random,greedy", 2.0)],
)
def test_resume_continues_bit_by_bit(opponents: str, bonus: float, tmp_path: Path) -> None:
    config = tiny("tic_tac_toe", **{**LEAGUE, "opponents": opponents, "greedy_bonus": bonus})
    *_, (through, second) = resumed(config, 5, tmp_path)
    for name, part in weights(through).items():
        assert torch.equal(part, second.network.state_dict()[name]), name
    assert through.progress == second.progress == 1


def test_bad_leagues_are_refused(tmp_path: Path) -> None:
    for changes, reason in [
        ({"league": 2}, r"argument `league`: got 2; it needs `opponent_fraction` above 0"),
        ({"league": -1, "opponent_fraction": 0.5}, "argument `league`: got -1; allowed: 0 to 1024"),
        ({"league_updates": 0}, "argument `league_updates`: got 0; allowed: at least 1"),
    ]:
        with pytest.raises(playmat.InvalidArgument, match=reason):
            tiny("tic_tac_toe", **changes)
    with pytest.raises(playmat.InvalidArgument, match="a game for one player has no opponents"):
        Trainer("graphia", {"players": 1}, tiny("graphia", league=2, opponent_fraction=0.5))
    with pytest.raises(playmat.InvalidArgument, match="argument `opponents`: "):
        Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", **{**LEAGUE, "opponents": "nobody"}))

    trainer = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", **LEAGUE), tmp_path)
    for _ in range(3):
        trainer.update()
    trainer.save()
    path = tmp_path / "checkpoint.pt"
    with pytest.raises(playmat.InvalidArgument, match="has `random,greedy`, which cannot change"):
        resume(path, opponents="greedy")
    with pytest.raises(playmat.InvalidArgument, match="`league`: got 5; the checkpoint has 2"):
        resume(path, league=5)
    state = checkpoint.read(path)
    league = state["league"]
    (update, past), *_ = league["selves"]
    name = next(iter(past))
    nan = {**past, name: torch.full_like(past[name].float(), float("nan"))}
    shard = state["shards"][0]
    for corrupted in [
        {**state, "league": {}},
        {**state, "league": {**league, "selves": [[update, past]] * 3}},
        {**state, "league": {**league, "selves": [[update, nan]]}},
        {**state, "league": {**league, "episodes": torch.zeros(1)}},
        {**state, "league": {**league, "points": -league["points"] - 1}},
        {**state, "shards": [{**shard, "opponents": shard["opponents"] + 9}]},
        {**state, "shards": [{**shard, "opponents": shard["opponents"][:, :3]}]},
        {**state, "shards": [{k: v for k, v in shard.items() if k != "opponents"}]},
    ]:
        checkpoint.write(path, corrupted)
        with pytest.raises(playmat.Unreadable, match="what it holds does not fit"):
            resume(path)
