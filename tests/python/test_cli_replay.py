"""`playmat replay`."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import playmat
from conftest import Call
from saved import position


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    env = playmat.Game("connect_four").env(5)
    agent = env.game.agent("greedy")
    while not env.done:
        env.step(agent.act(env))
    env.replay().save(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_replay_positions(call: Call, recorded: Path) -> None:
    replay = playmat.Replay.load(recorded)
    _, out, _ = call("replay", recorded, "--to", "3", "--json")
    assert position(replay.game.env_from_json(out)) == position(replay.env(3))
    _, out, _ = call("replay", recorded, "--to", "3", "--svg")
    assert out == replay.env(3).render("svg")
    _, out, _ = call("replay", recorded, "--to", "-1", "--viewer", "1")
    assert replay.env(-1).render("ansi", 1) in out
    status, _, err = call("replay", recorded, "--to", "99")
    assert status == 2
    assert f"{len(replay)} decisions" in err


def test_replay_page_and_playing_on(call: Call, recorded: Path) -> None:
    page, played_on = recorded.with_suffix(".html"), recorded.with_name("played.json")
    assert call("replay", recorded, "--html", page)[0] == 0
    assert page.read_text(encoding="utf-8") == playmat.replay_html(playmat.Replay.load(recorded))
    arguments = ["--to", "4", "--play-on", played_on, "--agent", "random", "--seed", "9"]
    status, out, _ = call("replay", recorded, *arguments)
    assert status == 0
    played = playmat.Replay.load(played_on)
    assert f"{len(played)} decisions" in out
    assert (
        played.env(0).state_dict()["state"]
        == playmat.Replay.load(recorded).env(4).state_dict()["state"]
    )


def test_replay_of_seed_and_actions(call: Call) -> None:
    """What the conformance suite prints below a failure shows the position."""
    game = playmat.Game("graphia", players=3, nexus_gate="both")
    env = game.env(11)
    for _ in range(9):
        env.step(env.sample_action())
    actions = ",".join(str(action) for _, action in env.history)
    options = json.dumps({"players": 3, "nexus_gate": "both"})
    arguments = ["replay", "--game", "graphia", "--options", options, "--seed", "11"]
    status, out, _ = call(*arguments, "--actions", actions)
    assert status == 0
    assert env.render("ansi") in out
    _, out, _ = call(*arguments, "--actions", actions, "--json")
    assert position(game.env_from_json(out)) == position(env)
    status, out, _ = call(*arguments, "--actions", "")
    assert status == 0
    assert game.env(11).render("ansi") in out


def test_command_of_a_failure_runs() -> None:
    """A check that sees nothing fails; its command is run as a shell would."""
    found = playmat.Game("goofspiel", players=3)._conformance(episodes=0, only=["T1"])
    commands = [one["command"] for check in found["checks"] for one in check["failures"]]
    assert commands
    words = shlex.split(commands[0])
    assert words[:2] == ["playmat", "replay"]
    run = subprocess.run(
        [sys.executable, "-m", "playmat", *words[1:]], capture_output=True, text=True, check=True
    )
    assert playmat.Game("goofspiel", players=3).env(0).render("ansi") in run.stdout


def test_replay_walk(call: Call, recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter(["", "", "b", "5", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    status, out, _ = call("replay", recorded)
    assert status == 0
    places = [line.split()[0] for line in out.splitlines() if " of " in line]
    assert places == ["0", "1", "2", "1", "5"]
