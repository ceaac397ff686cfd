"""`playmat export`, and checkpoints where an agent is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import pytest

import playmat
from conftest import Call
from playmat.train.arena import round_robin
from playmat.train.trainer import Trainer
from training import tiny


@pytest.mark.parametrize(
    ("name", "options", "changes"),
    [
        ("kuhn_poker", {}, {}),
        ("goofspiel", {"players": 3}, {"reward": "score", "relative": True}),
        ("gravitix", {}, {}),
    ],
)
def test_it_writes_what_the_run_writes(
    name: str, options: dict[str, Any], changes: dict[str, Any], tmp_path: Path, call: Call
) -> None:
    trainer = Trainer(name, options, tiny(name, total_decisions=128, **changes), tmp_path)
    trainer.update()
    trainer.save()
    trainer.export()
    wanted = (tmp_path / "policy.onnx").read_bytes()
    (tmp_path / "policy.onnx").unlink()
    path = tmp_path / "checkpoint.pt"
    assert call("export", path) == (0, f"{tmp_path / 'policy.onnx'}\n", "")
    assert (tmp_path / "policy.onnx").read_bytes() == wanted
    path.rename(tmp_path / "best.pt")
    assert call("export", tmp_path / "best.pt")[1] == f"{tmp_path / 'best.onnx'}\n"
    other = tmp_path / "deep" / "other.onnx"
    assert call("export", tmp_path / "best.pt", "--out", other) == (0, f"{other}\n", "")
    assert (tmp_path / "best.onnx").read_bytes() == other.read_bytes() == wanted
    # An agent that plays as evaluations do.
    props = {entry.key: entry.value for entry in onnx.load(str(other)).metadata_props}
    assert props["playmat.temperature"] == ("1.0" if trainer.config.play == "sample" else "0.0")
    game = playmat.Game(name, **options)
    assert game.agent(str(other)).act(game.env(seed=1)) in game.env(seed=1).legal_actions()


def test_ctrl_c_leaves_the_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer("kuhn_poker", {}, tiny("kuhn_poker", total_decisions=128), tmp_path)
    trainer.export()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert tmp_path / "policy.onnx" in before

    def stops(model: Any, path: str) -> None:
        Path(path).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr("onnx.save", stops)
    with pytest.raises(KeyboardInterrupt):
        trainer.export()
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_wrong_use(tmp_path: Path, call: Call) -> None:
    foreign = tmp_path / "foreign.pt"
    foreign.write_bytes(b"no checkpoint")
    status, _, said = call("export", foreign)
    assert status == 2 and "cannot read checkpoint" in said and "does not begin with" in said
    status, _, said = call("export", foreign, "--out", "policy.pt")
    assert status == 2 and "`out`: got `policy.pt`; wanted a path that ends in .onnx" in said
    exported = tmp_path / "exported.onnx"
    exported.write_bytes(b"x")
    status, _, said = call("export", exported)
    assert (
        status == 2 and "a network that is exported already; wanted a checkpoint, FILE.pt" in said
    )
    exported.unlink()
    status, _, said = call("export", tmp_path / "none.pt")
    assert status == 2 and "there is no such file" in said
    assert [file.name for file in tmp_path.iterdir()] == ["foreign.pt"]


def test_a_checkpoint_in_place_of_an_agent_is_refused_with_the_command(
    tmp_path: Path, call: Call
) -> None:
    game = playmat.Game("kuhn_poker")
    path = "runs/kuhn_poker/checkpoint.pt"
    does = f"a checkpoint of `playmat train`; the command `playmat export {path}` writes its network, `FILE.onnx`"

    def said(call: Any, *arguments: Any, **named: Any) -> str:
        with pytest.raises(playmat.InvalidArgument) as caught:
            call(*arguments, **named)
        return str(caught.value)

    assert said(game.agent, path) == f"argument `spec`: got `{path}`, {does}"
    for spec in (path, {path: 1}, [path, "random"]):
        refused = said(game.vec_env, 4, learner=0, opponents=spec)
        assert refused == f"argument `opponents`: got `{path}`, {does}"
    with game.vec_env(4, learner=0, opponents="random") as venv:
        assert does in said(venv.add_opponent, path)
    assert does in said(game.survey, 2, agents=[path])
    assert does in said(playmat.exploitability, game, path)
    guided = f"mcts:8,policy={path}"
    assert said(game.agent, guided).endswith(f"got `policy={path}` of `mcts`, {does}")
    status, _, error = call("play", "kuhn_poker", "--opponent", guided)
    assert status == 2 and f"of `mcts`, {does}" in error
    # These two load checkpoints themselves.
    for command, argument in [
        (["play", "kuhn_poker", "--opponent", path], "--opponent"),
        (["exploit", "kuhn_poker", path], "policy"),
    ]:
        status, _, error = call(*command)
        assert (
            status == 2
            and error == f"playmat: argument `{argument}`: got `{path}`; there is no such file\n"
        )
    for command in (
        ["rollouts", "kuhn_poker", "--agents", path, "--episodes", 2, "--out", tmp_path / "rows"],
        ["balance", "kuhn_poker", "--agents", path, "--episodes", 2],
    ):
        status, _, error = call(*command)
        assert status == 2 and does in error, command
    with pytest.raises(playmat.InvalidArgument, match=f"got `{path}`; there is no such file"):
        round_robin("kuhn_poker", {}, ["random", path], episodes=2)
