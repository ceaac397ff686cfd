"""`playmat.torchrl`: TorchRL's own check, and play side by side with the engine."""

from __future__ import annotations

import doctest
import os
import runpy
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import playmat

pytest.importorskip("torchrl")

import torch

from adapters import FEW, ROOT, blocks, episodes

with warnings.catch_warnings():
    # TorchRL warns of parts of its own that it will drop.
    warnings.simplefilter("ignore", DeprecationWarning)
    from torchrl.collectors import Collector
    from torchrl.envs import ActionMask, RewardSum, TransformedEnv
    from torchrl.envs.utils import check_env_specs

    import playmat.torchrl
    from playmat.torchrl import PlaymatEnv

torch.set_num_threads(1)


#: The views and how they are asked for.
VIEWS: dict[str, Any] = {"turn": "turn", "joint": "joint", "single": None}


def opponents_of(players: int) -> list[str] | None:
    return ["random"] if players > 1 else None


# --- K1: TorchRL's own check ---


@pytest.mark.parametrize(("name", "players"), FEW)
@pytest.mark.parametrize("dtype", ["f32", "u8"])
def test_conf_k1_specs_hold(name: str, players: int, dtype: Any) -> None:
    for how in ({}, {"opponents": opponents_of(players)}, {"view": "joint"}):
        env = PlaymatEnv(name, 3, players=players, dtype=dtype, seed=1, **how)
        check_env_specs(env)
        check_env_specs(env, break_when_any_done=False)
        check_env_specs(TransformedEnv(env, RewardSum(in_keys=[env.reward_key])))
        env.close()


def test_random_actions_are_legal_over_many_episodes() -> None:
    torch.manual_seed(1)
    for name in playmat.games():
        env = PlaymatEnv(name, 16, opponents=["greedy"], seed=1)
        for outer in (env, TransformedEnv(env, RewardSum()), TransformedEnv(env, ActionMask())):
            data = outer.rollout(60, break_when_any_done=False)
            assert data.shape == (16, 60)
            chosen = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
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
@pytest.mark.parametrize("view", ["turn", "joint", "single"])
def test_conf_k4_episodes_are_those_of_the_engine(view: str, name: str, players: int) -> None:
    rows, ended, together = 256, 0, 0
    how: dict[str, Any] = {"dtype": "f32" if view == "single" else "u8"}
    if view == "single":
        how |= {"opponents": opponents_of(players), "learner": "rotate" if players > 1 else None}
    env = PlaymatEnv(name, rows, players=players, seed=3, **how, view=VIEWS[view])
    engine = env.game.vec_env(rows, view=view, **how)
    batch, data = engine.reset(3), env.reset()
    paid = "learner_reward" if view == "single" else "reward"
    returns = np.zeros(batch[paid].shape, np.float32)
    while ended < episodes(name, players):
        seen = data["agents"] if view == "joint" else data
        mask = batch.action_mask
        if view == "joint":
            # Players who do not act may choose anything.
            mask = mask | ~batch.acting[:, :, None]
            assert seen["mask"].numpy().tobytes() == batch.acting.tobytes()
            together = max(together, int(batch.acting.sum(1).max()))
        elif view == "turn":
            assert seen["player"].numpy().tobytes() == batch.player.tobytes()
        assert seen["observation"].numpy().tobytes() == batch.obs.tobytes()
        assert seen["action_mask"].numpy().tobytes() == mask.tobytes()
        # One of them beside a single environment, too.
        row = ended % rows
        alone = env.venv.state(row)
        for player in alone.acting_players if view == "joint" else [alone.current_player]:
            at = (row, player) if view == "joint" else row
            wanted = alone.observation(player, dtype=how["dtype"])
            assert seen["observation"][at].numpy().tobytes() == wanted.tobytes()
            wanted = alone.action_mask(player)
            assert seen["action_mask"][at].numpy().tobytes() == wanted.tobytes()

        players_before = batch.learner.copy() if view == "single" else None
        actions = env.venv.sample_actions().copy()
        batch = engine.step(actions)
        data[env.action_key] = torch.from_numpy(actions)
        data, following = env.step_and_maybe_reset(data)
        last = data["next"]
        seen = last["agents"] if view == "joint" else last
        assert seen["reward"].numpy().tobytes() == batch[paid].tobytes()
        assert last["terminated"].numpy().tobytes() == batch.terminated.tobytes()
        assert last["truncated"].numpy().tobytes() == batch.truncated.tobytes()
        over = batch.terminated | batch.truncated
        assert last["done"].numpy().tobytes() == over.tobytes()
        returns += batch[paid]
        for row in np.flatnonzero(over):
            ended += 1
            # The tensors of the end are those of the end, whatever was reset since.
            assert seen["observation"][row].numpy().tobytes() == batch.final_obs[row].tobytes()
            wanted = batch.episode_return[row]
            if players_before is not None:
                wanted = wanted[players_before[row]]
            assert (returns[row] == wanted).all()
            returns[row] = 0
            if view == "turn":
                assert not seen["action_mask"][row].any() and int(seen["player"][row]) == -1
            elif view == "joint":
                assert not seen["mask"][row].any() and seen["action_mask"][row].all()
        data = following
    simultaneous = env.game.info()["simultaneous"] and players > 1
    assert (together > 1) == (simultaneous and view == "joint")


@pytest.mark.parametrize("view", VIEWS)
def test_collectors_give_what_the_engine_plays(view: str) -> None:
    torch.manual_seed(1)
    opponents = ["random"] if view == "single" else None
    env = PlaymatEnv("graft", 8, seed=3, opponents=opponents, view=VIEWS[view])
    engine = env.game.vec_env(8, dtype="f32", opponents=opponents, view=view)
    batch, ended = engine.reset(3), 0
    collector = Collector(env, env.rand_action, frames_per_batch=400, total_frames=1200)
    for collected in collector:
        assert collected.shape == (8, 50)
        for t in range(50):
            now, after = collected[:, t], collected["next"][:, t]
            done = after["done"].squeeze(-1)
            if view == "joint":
                now, after = now["agents"], after["agents"]
            assert now["observation"].numpy().tobytes() == batch.obs.tobytes()
            batch = engine.step(now["action"].contiguous())
            paid = batch.learner_reward if view == "single" else batch.reward
            assert after["reward"].numpy().tobytes() == paid.tobytes()
            assert done.numpy().tobytes() == (batch.terminated | batch.truncated).tobytes()
            for row in np.flatnonzero(done):
                ended += 1
                assert after["observation"][row].numpy().tobytes() == batch.final_obs[row].tobytes()
    assert ended > 8
    collector.shutdown()


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


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_copied_on_the_cpu(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opponents = ["random"] if view == "single" else None
    env = PlaymatEnv("graft", 4, opponents=opponents, view=VIEWS[view], seed=1)
    given: list[dict[str, torch.Tensor]] = []
    empty = env._empty

    def spy(pin_memory: bool) -> Any:
        given.append(empty(pin_memory))
        return given[-1]

    monkeypatch.setattr(env, "_empty", spy)
    data = env.reset()
    env.step(env.rand_action(data))
    assert len(given) == 2
    names = {env._key("observation"): "obs", env._key("action_mask"): "action_mask"}
    names |= {"terminated": "terminated", "truncated": "truncated"}
    names |= {"turn": {"player": "player"}, "joint": {("agents", "mask"): "acting"}}.get(view, {})
    for seen, lent in ((data, given[0]), (data["next"], given[1])):
        for key, name in names.items():
            assert seen[key].data_ptr() == lent[name].data_ptr()
    assert data["next"][env.reward_key].data_ptr() == given[1][env._reward_field].data_ptr()
    # Earlier data are not overwritten.
    kept = data[env._key("observation")].clone()
    env.step(env.rand_action(data["next"].exclude(env.reward_key)))
    assert torch.equal(data[env._key("observation")], kept)


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
    data = env._step_data(first, None, with_reward=False)
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
        parts = [env.rollout(12, break_when_any_done=False) for _ in range(2)]
        return [part["observation"].numpy().tobytes() for part in parts]

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
    with pytest.raises(playmat.InvalidArgument, match="`view`: got 'single'; allowed: `turn`, `jo"):
        PlaymatEnv("connect_four", 2, view="single")  # type: ignore[arg-type]
    with pytest.raises(playmat.InvalidArgument, match="`view`: got 'joint'; with opponents"):
        PlaymatEnv("connect_four", 2, view="joint", opponents="random")
    game = playmat.Game("graft", players=2)
    assert PlaymatEnv(game, 2).game is game
    assert PlaymatEnv(game, 2, players=4).game.num_players == 4


# --- pages, examples ---


def test_docstring_runs() -> None:
    ran = doctest.testmod(playmat.torchrl)
    assert ran.attempted >= 3 and ran.failed == 0


def test_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("torchrl.md")
    assert len(code) >= 3
    for block in code:
        exec(compile(block, "docs/torchrl.md", "exec"), {"__name__": "page"})
    shown = capsys.readouterr().out
    assert "torch.Size([64, 20, 1])" in shown and "torch.Size([64, 20, 3, 1])" in shown


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


def test_example_with_ray_trains() -> None:
    """Two workers of a local Ray, as TorchRL's collectors, which play a half each."""
    pytest.importorskip("ray")
    path = ROOT / "examples" / "torchrl_ray.py"
    settings = {"RAY_USAGE_STATS_ENABLED": "0", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, str(path), "--steps", "8192", "--workers", "2"],
        env={**os.environ, **settings}, capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    lines = [line for line in ran.stdout.splitlines() if line.startswith("mean return")]
    assert len(lines) == 4
    assert all(int(line.split(", ")[1].split()[0]) > 0 for line in lines)
