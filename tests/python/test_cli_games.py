"""`playmat games` and `playmat info`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import playmat
from conftest import WITH_CONTENT, Call, Play


def test_games(call: Call) -> None:
    status, out, _ = call("games")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == playmat.games()
    _, out, _ = call("games", "--json")
    assert [info["id"] for info in json.loads(out)] == playmat.games()


def test_info(call: Call, game: playmat.Game) -> None:
    status, out, _ = call("info", game.name)
    assert status == 0
    for segment in game.observation_layout:
        assert segment.name in out
    for actions in game.action_layout:
        assert actions.name in out
    for option in game.options:
        assert option in out
    assert all(len(line) <= 110 for line in out.splitlines())
    _, out, _ = call("info", game.name, "--json")
    assert json.loads(out) == game.info()


def test_info_actions(call: Call, game: playmat.Game) -> None:
    texts = [game.action_text(action) for action in range(game.num_actions)]
    _, out, _ = call("info", game.name, "--actions", "--json")
    assert json.loads(out) == texts
    _, out, _ = call("info", game.name, "--actions")
    lines = out.splitlines()[1:]
    assert [line.split(maxsplit=1) for line in lines] == [[str(n), t] for n, t in enumerate(texts)]


def test_info_with_options(call: Call) -> None:
    _, out, _ = call("info", "graphia", "-o", "players=5", "-o", "nexus_gate=both", "--json")
    info = json.loads(out)
    assert info["players"] == 5
    assert info["options"]["nexus_gate"] == "both"


@pytest.mark.parametrize("name", playmat.games())
def test_info_content(call: Call, name: str) -> None:
    entries = playmat.Game(name).info()["content_entries"]
    status, out, _ = call("info", name, "--content")
    assert status == 0
    assert all(entry["text"] and entry["name"] in out for entry in entries)
    assert max(map(len, out.splitlines())) <= 100
    assert bool(entries) == (playmat.Game(name).info()["content_name"] != "")
    _, out, _ = call("info", name, "--content", "--json")
    assert json.loads(out) == entries


def test_a_content_has_its_own_title(call: Call, play: Play) -> None:
    contents = Path(__file__).parents[2] / "seeds" / "content"
    for name in WITH_CONTENT:
        plain = playmat.Game(name)
        text = (contents / f"{name}.toml").read_text(encoding="utf-8")
        own = text.replace(f'name = "{name}"', f'name = "{name}"\ntitle = "Night & Day"', 1)
        game = playmat.Game(name, content=own)
        info = game.info()
        assert (info["content_title"], plain.info()["content_title"]) == ("Night & Day", "")
        assert info["content_hash"] != plain.info()["content_hash"]
        env = game.env(1)
        assert env.render("ansi").splitlines()[0].endswith(": Night & Day")
        assert ">Night &amp; Day</text>" in env.render("svg")
        assert "Night" not in plain.env(1).render("svg")
        page = playmat.replay_html(env.replay())
        assert ": Night &amp; Day, " in page
        with pytest.raises(playmat.ContentError, match="`title` must be 1 to 40 characters"):
            playmat.Game(name, content=own.replace("Night & Day", " "))
        given = ["-o", f"content={own}"]
        _, out, _ = call("info", name, *given)
        assert "Content: custom (Night & Day), hash" in out
        assert ": Night & Day\nYou are" in play([name, *given], [])
