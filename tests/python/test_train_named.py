"""Checkpoints and functions as agents of a training, of `exploit` and of `play`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat.train import load_policy
from playmat.train.arena import keys_of
from playmat.train.environments import names_of
from playmat.train.files import refuse_files
from playmat.train.named import agent_of, identity_of, is_checkpoint, load_agent, of_engine
from playmat.train.trainer import Trainer, resume
from training import tiny

pytest.importorskip("onnx")

BOTS = """
import numpy as np

def lowest(obs, mask, player):
    return mask.argmax(1)

def highest(obs, mask, player):
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Here functions are in `bots.py`, and a checkpoint is in `past`."""
    monkeypatch.chdir(tmp_path)
    Path("bots.py").write_text(BOTS, encoding="utf-8")
    past = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", seed=5), Path("past"))
    past.update()
    past.save()
    return tmp_path


def test_what_a_text_names(folder: Path) -> None:
    for text, checkpoint, engine in [
        ("gone.pt", True, False),
        ("past/checkpoint.pt", True, False),
        ("bots.py:lowest", False, False),
        ("bots.py", False, True),
        ("greedy", False, True),
        ("policy.onnx", False, True),
        ("mcts:5,policy=policy.onnx", False, True),
    ]:
        assert (is_checkpoint(text), of_engine(text)) == (checkpoint, engine), text
    assert (
        identity_of("greedy", "opponents") is None and identity_of("gone.pt", "opponents") is None
    )
    assert identity_of("bots.py:lowest", "a") != identity_of("bots.py:highest", "a")


def test_a_spec_names_no_file_and_a_file_is_one_agent(folder: Path, call: Any) -> None:
    game = playmat.Game("kuhn_poker")
    before = keys_of(["greedy", "random"], ["greedy", "random"], [None, None], ["a", "b"])
    for name in ("greedy", "random", "mcts:4"):
        Path(name).write_bytes(b"")
        assert not is_checkpoint(name) and of_engine(name) and identity_of(name, "a") is None
        assert load_agent(name, game, None, 1) == name
    assert before == keys_of(["greedy", "random"], ["greedy", "random"], [None, None], ["a", "b"])
    status, out, _ = call("exploit", "kuhn_poker", "random")
    assert status == 0 and "exploitability" in out
    with pytest.raises(playmat.InvalidArgument, match="of `mcts`, a checkpoint of `playmat train`"):
        load_agent("mcts:4,policy=past/checkpoint.pt", game, None, 1)
    Path("past,1").mkdir()
    file = str(Path("past/checkpoint.pt").rename("past,1/checkpoint.pt"))
    assert names_of(tiny("tic_tac_toe", opponents=file)) == [file]


def test_an_opponent_that_comes_twice_plays_twice_as_often(folder: Path) -> None:
    given = {"opponents": "greedy,random,greedy", "opponent_fraction": 1.0, "num_envs": 12}
    trainer = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", **given))
    opponents = trainer.ppo.shards[0].opponents
    assert [agent.name for agent in opponents.agents] == ["greedy", "random", "greedy"]
    league = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", league=1, **given))
    for _ in range(3):
        league.update()
    assert league.run().keys() == {"greedy", "random"}


@pytest.mark.parametrize("bonus", [0.0, 1.5])
def test_an_agent_of_a_checkpoint_plays_as_its_policy(bonus: float, tmp_path: Path) -> None:
    """Under another reward than that of its training, too."""
    run = Trainer("leduc_poker", {}, tiny("leduc_poker", greedy_bonus=bonus, play="best"), tmp_path)
    run.update()
    run.save()
    file = str(tmp_path / "checkpoint.pt")
    game = playmat.Game("leduc_poker", reward="outcome")
    agent, policy = agent_of(file, game, "opponents"), game.agent(load_policy(file, game))
    with game.vec_env(64) as venv:
        venv.reset(seed=3)
        chosen = []
        for _ in range(12):
            actions = agent.act_batch(venv)
            np.testing.assert_array_equal(actions, policy.act_batch(venv))
            chosen += actions.tolist()
            venv.step(venv.sample_actions())
    assert len(set(chosen)) > 1


class Spy:
    """An agent that notes what it chose, by environment."""

    def __init__(self, agent: playmat.Agent) -> None:
        self.agent, self.name, self.masks = agent, agent.name, np.zeros(8, int)

    def act_batch(self, venv: playmat.VecEnv, *, mask: Any) -> Any:
        self.masks += mask
        return self.agent.act_batch(venv, mask=mask)


def test_checkpoints_and_functions_are_opponents_of_a_training(folder: Path) -> None:
    config = tiny(
        "tic_tac_toe", opponents="past/checkpoint.pt,bots.py:lowest,greedy", opponent_fraction=0.75
    )
    trainer = Trainer("tic_tac_toe", {}, config, Path("run"))
    opponents = trainer.ppo.shards[0].opponents
    spies = [Spy(agent) for agent in opponents.agents]
    opponents.agents = spies  # type: ignore[assignment]
    trainer.run()
    # Each of the three plays in two environments, and nobody in the last two.
    for number, spy in enumerate(spies):
        assert np.flatnonzero(spy.masks).tolist() == [2 * number, 2 * number + 1]
    assert list(trainer.results) == ["past/checkpoint.pt", "bots.py:lowest", "greedy"]
    assert all(result.episodes == config.final_episodes for result in trainer.results.values())
    # What the function played in its environments: the lowest legal action.
    ppo = trainer.ppo
    theirs = ~ppo.by_policy[:, 2:4]
    lowest = ppo.mask[:-1, 2:4].argmax(2)
    assert theirs.sum() > 10 and (ppo.action[:, 2:4] == lowest)[theirs].all()


def test_a_league_has_them_too(folder: Path) -> None:
    config = tiny(
        "tic_tac_toe", opponents="past/checkpoint.pt,bots.py:lowest", opponent_fraction=0.5,
        league=1, league_updates=2,
    )  # fmt: skip
    trainer = Trainer("tic_tac_toe", {}, config)
    for _ in range(4):
        trainer.update()
    league = trainer.ppo.league
    assert league is not None and league.names[:2] == ["past/checkpoint.pt", "bots.py:lowest"]
    assert (league.episodes[:2] > 0).all()


def test_a_function_is_imitated(folder: Path) -> None:
    config = tiny("tic_tac_toe", expert="bots.py:lowest", imitation_fraction=1.0)
    trainer = Trainer("tic_tac_toe", {}, config)
    trainer.update()
    ppo = trainer.ppo
    assert (ppo.action == ppo.mask[:-1].argmax(2)).all()
    assert "imitation/loss" in ppo.metrics


@pytest.mark.parametrize("play", ["best", "sample"])
def test_a_run_against_a_checkpoint_resumes_bit_by_bit(folder: Path, play: str) -> None:
    past = Trainer("tic_tac_toe", {}, tiny("tic_tac_toe", play=play), Path("past"))
    past.update()
    past.save()
    config = tiny(
        "tic_tac_toe", opponents="past/checkpoint.pt,bots.py:lowest", opponent_fraction=1.0
    )
    through = Trainer("tic_tac_toe", {}, config)
    first = Trainer("tic_tac_toe", {}, config, Path("run"))
    for trainer in (through, first):
        trainer.update()
    first.save()
    second = resume(Path("run/checkpoint.pt"))
    for _ in range(2):
        through.update()
        second.update()
        assert through.ppo.metrics == second.ppo.metrics
        np.testing.assert_array_equal(through.ppo.action, second.ppo.action)
    # Not against another agent of the same name.
    Path("bots.py").write_text(BOTS + "# changed\n", encoding="utf-8")
    reason = "`bots.py:lowest`.*its file is not the one with which the run began"
    with pytest.raises(playmat.WrongIdentity, match=reason):
        resume(Path("run/checkpoint.pt"))
    Path("bots.py").write_text(BOTS, encoding="utf-8")
    past.update()
    past.save()
    with pytest.raises(playmat.WrongIdentity, match=r"`past/checkpoint\.pt`.*its file is not"):
        resume(Path("run/checkpoint.pt"))
    # Opponents can change, as agents of the engine can.
    other = resume(Path("run/checkpoint.pt"), opponents="bots.py:highest")
    assert list(other.opponents) == ["bots.py:highest"]


def test_what_is_refused(folder: Path) -> None:
    def made(**changes: Any) -> Trainer:
        config = tiny("tic_tac_toe", opponent_fraction=0.5, **changes)
        return Trainer("tic_tac_toe", {}, config, Path("past"))

    replaced = r"got `past/checkpoint\.pt`, which this run replaces; wanted a copy of it, or"
    with pytest.raises(playmat.InvalidArgument, match=f"`opponents`: {replaced}"):
        made(opponents="past/checkpoint.pt")
    with pytest.raises(playmat.InvalidArgument, match=f"`expert`: {replaced}"):
        made(expert="past/checkpoint.pt", imitation_fraction=0.5)
    for opponents, message in [
        ("gone.pt", "`opponents`: got `gone.pt`; there is no such file"),
        ("bots.py:f", "`opponents`: got `bots.py:f`; there is no `f` in it"),
        ("bots.py", "`opponents`: got `bots.py`; wanted a function in it, `bots.py:NAME`"),
    ]:
        with pytest.raises(playmat.InvalidArgument, match=message):
            made(opponents=opponents)
    with pytest.raises(playmat.InvalidArgument, match="`expert`: got `gone:f`; there is no module"):
        made(expert="gone:f", imitation_fraction=0.5)
    with pytest.raises(playmat.WrongIdentity, match="game is `tic_tac_toe`, this is `kuhn_poker`"):
        Trainer("kuhn_poker", {}, tiny("kuhn_poker", opponents="past/checkpoint.pt"))
    # A choice that is not legal ends the run and names the function.
    with open("bots.py", "a", encoding="utf-8") as file:
        file.write("\ndef fails(obs, mask, player):\n    raise RuntimeError('no idea')\n")
    trainer = made(opponents="bots.py:fails")
    with pytest.raises(
        playmat.InvalidArgument, match=r"function `bots\.py:fails` raised RuntimeErr"
    ):
        trainer.update()


def test_workers_of_ray_play_agents_of_the_engine_only(folder: Path) -> None:
    one = "which plays in one process; allowed: with --ray agents of the engine"
    for changes, message in [
        ({"opponents": "greedy,bots.py:lowest", "opponent_fraction": 0.5}, f"`bots.py:lowest`, {one}"),
        ({"opponents": "past/checkpoint.pt", "opponent_fraction": 0.5}, f"`past/checkpoint.pt`, {one}.*`playmat export`"),
        ({"expert": "bots.py:lowest", "imitation_fraction": 0.5}, f"`expert`: got `bots.py:lowest`, {one}"),
    ]:  # fmt: skip
        with pytest.raises(playmat.InvalidArgument, match=message):
            refuse_files(tiny("tic_tac_toe", **changes))
    # Evaluations are played where the learner is.
    refuse_files(tiny("tic_tac_toe", opponents="past/checkpoint.pt,bots.py:lowest"))
    refuse_files(tiny("tic_tac_toe", opponents="greedy,mcts:5", opponent_fraction=0.5))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    from playmat.cli import main

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_exploit_takes_checkpoints(tmp_path: Path, call: Any) -> None:
    game = playmat.Game("kuhn_poker")
    run = Trainer("kuhn_poker", {}, tiny("kuhn_poker"), tmp_path)
    run.update()
    run.save()
    file = str(tmp_path / "checkpoint.pt")
    status, out, _ = call("exploit", "kuhn_poker", file, "--json")
    assert status == 0
    wanted = playmat.exploitability(game, load_policy(file, game)).nash_conv
    assert json.loads(out)["nash_conv"] == pytest.approx(wanted, abs=1e-9)
    assert 0.01 < wanted < 3
    # Its samples are drawn with the seed.
    drawn = [
        call("exploit", "kuhn_poker", file, "--json", "--decisions", "50", "--seed", seed)[1]
        for seed in ("1", "1", "2")
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    status, _, error = call("exploit", "leduc_poker", file)
    assert status == 2 and "game is `kuhn_poker`, this is `leduc_poker`" in error
    (tmp_path / "wrong.pt").write_bytes(b"nothing")
    status, _, error = call("exploit", "kuhn_poker", str(tmp_path / "wrong.pt"))
    assert status == 2 and "it does not begin with `playmat checkpoint" in error


@pytest.mark.parametrize("agent", ["past/checkpoint.pt", "bots.py:lowest"])
def test_a_response_is_learned_to_them(folder: Path, call: Any, agent: str) -> None:
    few = ("--minutes", "0", "--total-decisions", "16384", "--final-episodes", "30", "--json")
    status, out, error = call("exploit", "tic_tac_toe", agent, "--learn", *few)
    assert status == 0, error
    found = json.loads(out)
    assert (found["agent"], found["episodes"]) == (agent, 30)


def test_a_checkpoint_plays_against_a_person(
    folder: Path, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    arguments = ("play", "tic_tac_toe", "--opponent", "past/checkpoint.pt", "--seed", "1")
    status, out, _ = call(*arguments)
    assert status == 0 and "agent checkpoint plays the other" in out
