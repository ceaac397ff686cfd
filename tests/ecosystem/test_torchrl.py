"""`playmat.torchrl`: TorchRL's own check, and play side by side with the engine."""

from __future__ import annotations

import doctest
import runpy
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import playmat

pytest.importorskip("torchrl")

import torch

from multi import EPISODES, FEW, ROOT, at_version, blocks, without

with warnings.catch_warnings():
    # TorchRL warns of parts of its own that it will drop.
    warnings.simplefilter("ignore", DeprecationWarning)
    from torchrl.envs import ActionMask, RewardSum, TransformedEnv
    from torchrl.envs.utils import check_env_specs

    import playmat.torchrl
    from playmat.torchrl import PlaymatEnv

torch.set_num_threads(1)


def opponents_of(players: int) -> list[str] | None:
    return ["random"] if players > 1 else None


# --- K1: TorchRL's own check ---


@pytest.mark.parametrize(("name", "players"), FEW)
@pytest.mark.parametrize("dtype", ["f32", "u8"])
def test_conf_k1_specs_hold(name: str, players: int, dtype: Any) -> None:
    for opponents in (None, opponents_of(players)):
        env = PlaymatEnv(name, 3, players=players, dtype=dtype, opponents=opponents, seed=1)
        check_env_specs(env)
        check_env_specs(env, break_when_any_done=False)
        check_env_specs(TransformedEnv(env, RewardSum()))
        env.close()


def test_random_actions_are_legal_over_many_episodes() -> None:
    torch.manual_seed(1)
    for name in playmat.games():
        env = PlaymatEnv(name, 16, opponents=["greedy"], seed=1)
        for outer in (env, TransformedEnv(env, RewardSum()), TransformedEnv(env, ActionMask())):
            told = outer.rollout(60, break_when_any_done=False)
            assert told.shape == (16, 60)
            chosen = told["action_mask"].gather(-1, told["action"].unsqueeze(-1))
            assert chosen.all()
    # Every legal action is drawn, and nothing but them; any where nothing is legal.
    env = PlaymatEnv("tic_tac_toe", 2)
    data = env.reset()
    data["action_mask"] = torch.tensor([[0, 1, 0, 0, 1, 0, 0, 0, 0], [0] * 9], dtype=torch.bool)
    drawn = torch.stack([env.rand_action(data.clone())["action"] for _ in range(200)], 1)
    assert set(drawn[0].tolist()) == {1, 4} and set(drawn[1].tolist()) == set(range(9))
    assert env.rand_action()["action"].shape == (2,)


# --- K4, R8: the engine, side by side ---


@pytest.mark.parametrize(("name", "players"), FEW)
def test_conf_k4_turns_are_those_of_the_engine(name: str, players: int) -> None:
    env = PlaymatEnv(name, 8, players=players, dtype="u8", seed=3)
    data = env.reset()
    alone = [env.game.env(env.venv.episode(i)["seed"]) for i in range(8)]
    returns = torch.zeros(8, players)
    ended = 0
    while ended < EPISODES:
        for row, engine in enumerate(alone):
            assert bytes(data["observation"][row].numpy()) == engine.observation().tobytes()
            assert bytes(data["action_mask"][row].numpy()) == engine.action_mask().tobytes()
            assert int(data["player"][row]) == engine.current_player
        data["action"] = torch.from_numpy(env.venv.sample_actions().copy())
        for engine, action in zip(alone, data["action"].tolist(), strict=True):
            engine.step(action)
        data, following = env.step_and_maybe_reset(data)
        last = data["next"]
        returns += last["reward"]
        for row, engine in enumerate(alone):
            assert last["reward"][row].tolist() == engine.rewards.tolist()
            assert bool(last["terminated"][row]) == engine.terminated
            assert bool(last["truncated"][row]) == engine.truncated
            assert bool(last["done"][row]) == engine.done
            if engine.done:
                ended += 1
                # The tensors of the end are those of the end, whatever was reset since.
                assert bytes(last["observation"][row].numpy()) == engine.observation().tobytes()
                assert not last["action_mask"][row].any() and int(last["player"][row]) == -1
                assert returns[row].tolist() == engine.returns.tolist()
                returns[row] = 0
                alone[row] = env.game.env(env.venv.episode(row)["seed"])
        data = following


@pytest.mark.parametrize(("name", "players"), FEW)
def test_conf_k4_single_player_is_that_of_the_engine(name: str, players: int) -> None:
    opponents, learner = opponents_of(players), "rotate" if players > 1 else None
    env = PlaymatEnv(name, 8, players=players, opponents=opponents, learner=learner, seed=3)
    engine = env.game.vec_env(
        8, view="single", opponents=opponents, learner=learner, dtype="f32", threads=2
    )
    batch, data = engine.reset(3), env.reset()
    returns = np.zeros(8, np.float32)
    ended = 0
    while ended < EPISODES:
        assert data["observation"].numpy().tobytes() == batch.obs.tobytes()
        assert data["action_mask"].numpy().tobytes() == batch.action_mask.tobytes()
        actions = env.venv.sample_actions().copy()
        players_before = batch.learner.copy()
        batch = engine.step(actions)
        data["action"] = torch.from_numpy(actions)
        data, following = env.step_and_maybe_reset(data)
        last = data["next"]
        assert last["reward"].numpy().tobytes() == batch.learner_reward.tobytes()
        assert last["terminated"].numpy().tobytes() == batch.terminated.tobytes()
        assert last["truncated"].numpy().tobytes() == batch.truncated.tobytes()
        returns += batch.learner_reward
        for row in np.flatnonzero(batch.terminated | batch.truncated):
            ended += 1
            assert last["observation"][row].numpy().tobytes() == batch.final_obs[row].tobytes()
            assert returns[row] == batch.episode_return[row, players_before[row]]
            returns[row] = 0
        data = following


def test_reset_of_some_leaves_the_others() -> None:
    for wrap in (lambda env: env, lambda env: TransformedEnv(env, RewardSum())):
        env = PlaymatEnv("kuhn_poker", 64, seed=1)
        outer = wrap(env)
        data = outer.reset()
        while True:
            data = outer.step(outer.rand_action(data))["next"]
            over = data["done"].clone()
            if over.sum() > 5:
                break
            data = outer.reset(data.set("_reset", over)) if over.any() else data
        some = over & (torch.arange(64).unsqueeze(-1) % 2 == 0)
        assert some.any() and (over & ~some).any()
        before = data.clone()
        after = outer.reset(data.set("_reset", some.clone()))
        others = ~some.squeeze(-1)
        for key in ("observation", "action_mask", "done", "terminated", "truncated", "player"):
            assert torch.equal(after[key][others], before[key][others]), key
        assert not after["done"][some.squeeze(-1)].any()
        assert "_reset" not in after
        with pytest.raises(playmat.EpisodeOver):
            outer.step(outer.rand_action(after))


# --- memory ---


def test_nothing_is_copied_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for opponents, paid in ((None, "reward"), (["random"], "learner_reward")):
        env = PlaymatEnv("graft", 4, opponents=opponents, seed=1)
        given: list[dict[str, torch.Tensor]] = []
        empty = env._empty

        def spy(pin_memory: bool, empty: Any = empty, given: Any = given) -> Any:
            given.append(empty(pin_memory))
            return given[-1]

        monkeypatch.setattr(env, "_empty", spy)
        data = env.reset()
        env.step(env.rand_action(data))
        assert len(given) == 2
        names = {"observation": "obs", "action_mask": "action_mask", "terminated": "terminated"}
        names |= {"truncated": "truncated"} | ({} if opponents else {"player": "player"})
        for told, lent in ((data, given[0]), (data["next"], given[1])):
            for key, name in names.items():
                assert told[key].data_ptr() == lent[name].data_ptr()
        assert data["next", "reward"].data_ptr() == given[1][paid].data_ptr()
        # What was told before is not overwritten.
        kept = data["observation"].clone()
        env.step(env.rand_action(data["next"].exclude("reward")))
        assert torch.equal(data["observation"], kept)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_gpu_shows_the_same() -> None:
    there = PlaymatEnv("graft", 32, device="cuda", seed=1)
    here = PlaymatEnv("graft", 32, seed=1, pin_memory=True)
    a, b = there.reset(), here.reset()
    assert a["observation"].device.type == "cuda" and b["observation"].is_pinned()
    for _ in range(200):
        action = torch.from_numpy(here.venv.sample_actions().copy())
        kept = a["observation"]
        copy = kept.clone()
        _, a = there.step_and_maybe_reset(a.set("action", action.cuda()))
        _, b = here.step_and_maybe_reset(b.set("action", action))
        for key in ("observation", "action_mask", "player", "done"):
            assert torch.equal(a[key].cpu(), b[key]), key
        assert torch.equal(kept, copy)
    check_env_specs(there)
    moved = PlaymatEnv("graft", 32, seed=1).to("cuda")
    assert moved.rollout(5)["observation"].device.type == "cuda"


def test_other_devices_are_staged() -> None:
    # The way of an accelerator, without one: `meta` holds no data, but takes the same copies.
    env = PlaymatEnv("graft", 4, seed=1)
    env._device = torch.device("meta")
    first = env._storage()
    env.venv.reset(1, out=first)
    data = env._told(first, None, with_reward=False)
    assert data["observation"].device.type == "meta" and env._storage() is first
    assert first["obs"].any() and data["done"].shape == (4, 1)


def test_closing_twice_is_fine() -> None:
    env = PlaymatEnv("graft", 4, threads=2)
    env.reset()
    env.close()
    env.close()
    assert env.venv.closed


# --- seeds, refusals ---


def test_seeds_repeat_and_go_on() -> None:
    def story(env: Any, seed: int) -> list[bytes]:
        env.set_seed(seed)
        torch.manual_seed(seed)
        told = [env.rollout(12, break_when_any_done=False) for _ in range(2)]
        return [part["observation"].numpy().tobytes() for part in told]

    env = PlaymatEnv("leduc_poker", 8)
    first = story(env, 5)
    assert first[0] != first[1]
    assert story(env, 5) == first != story(env, 6)
    assert story(PlaymatEnv("leduc_poker", 8), 5) == first
    unseeded = [PlaymatEnv("graft", 8).reset()["observation"].numpy().tobytes() for _ in range(2)]
    assert unseeded[0] != unseeded[1]


def test_refusals_name_what_is_wrong() -> None:
    env = PlaymatEnv("connect_four", 2, seed=1)
    data = env.reset()
    with pytest.raises(playmat.IllegalAction) as refused:
        env.step(data.clone().set("action", torch.tensor([0, 7])))
    assert [row.env for row in refused.value.rows] == [1]
    assert env.venv.episode(0)["length"] == 0
    part = data.clone().set("action", torch.tensor([0, 0]))
    with pytest.raises(playmat.InvalidArgument, match="argument `_step`"):
        env.step(part.set("_step", torch.tensor([True, False])))
    with pytest.raises(playmat.InvalidArgument, match="dtype"):
        PlaymatEnv("connect_four", 2, dtype="f64")  # type: ignore[arg-type]
    with pytest.raises(playmat.InvalidArgument, match="num_envs"):
        PlaymatEnv("connect_four", 0)
    with pytest.raises(playmat.InvalidOption):
        PlaymatEnv("connect_four", 2, players=3)
    if not torch.cuda.is_available():
        for bad in ({"pin_memory": True}, {"device": "cuda"}):
            with pytest.raises(playmat.InvalidArgument, match=f"argument `{next(iter(bad))}`"):
                PlaymatEnv("connect_four", 2, **bad)
    game = playmat.Game("graft", players=2)
    assert PlaymatEnv(game, 2).game is game
    assert PlaymatEnv(game, 2, players=4).game.num_players == 4


# --- pages, examples, packages ---


def test_docstring_runs() -> None:
    ran = doctest.testmod(playmat.torchrl)
    assert ran.attempted >= 3 and ran.failed == 0


def test_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("torchrl.md")
    assert len(code) >= 3
    for block in code:
        exec(compile(block, "docs/torchrl.md", "exec"), {"__name__": "page"})
    assert "torch.Size([64, 20, 1])" in capsys.readouterr().out


def test_example_learns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / "torchrl_ppo.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    monkeypatch.setattr(sys, "argv", [str(path), "--steps", "40000"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runpy.run_path(str(path), run_name="__main__")
    lines = [float(line.split()[2].rstrip(",")) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 19
    assert sum(lines[-3:]) / 3 > sum(lines[:3]) / 3 + 0.1


def test_conf_k5_package_is_missing_or_old() -> None:
    use = "import playmat.torchrl"
    message = without("torchrl", use)
    assert message == (
        "torchrl: `playmat.torchrl` needs the package `torchrl`, which is not installed: "
        "pip install 'playmat[torchrl]'"
    )
    assert "`tensordict`, which is not installed" in without("tensordict", use)
    for version in ("0.13.3", "0.15.0"):
        message = at_version("torchrl", version, use)
        assert f"`torchrl` in another version than {version}: 0.14 or newer, below 0.15" in message
