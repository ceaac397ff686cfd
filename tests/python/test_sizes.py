"""What is read from outside has a largest size, and what is longer is refused by both numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import playmat
from conftest import WITH_CONTENT

CONTENT, STATE, SAVED, REPLAY = 2**18, 2**20, 2**16, 2**24


def test_contents(tmp_path: Path) -> None:
    said = "the text has 262145 bytes; allowed: 262144"
    with pytest.raises(playmat.ContentError, match=said) as refused:
        playmat.Game("graft", content="#" * CONTENT + "\n")
    assert len(refused.value.findings) == 1
    path = tmp_path / "long.toml"
    path.write_text("#" * (CONTENT + 9))
    for content in (path, str(path)):
        with pytest.raises(playmat.InvalidOption, match="it has 262153 bytes; allowed: 262144"):
            playmat.Game("graft", content=content)
    path.write_bytes(b"\xff = 1\n")
    with pytest.raises(playmat.InvalidOption, match="it is not a text in UTF-8"):
        playmat.Game("graft", content=path)
    with pytest.raises(playmat.InvalidOption, match="allowed: 262144"):
        playmat.Game("graft", content=Path("/dev/zero"))


def test_states_and_saves(small: playmat.Game) -> None:
    env = small.env(1)
    text = env.to_json()
    assert small.env_from_json(text + " " * (STATE - len(text))).to_json() == text
    with pytest.raises(playmat.Unreadable, match="1048577 bytes; allowed: 1048576"):
        small.env_from_json(text + " " * (STATE + 1 - len(text)))
    data = env.to_bytes()
    with pytest.raises(playmat.Unreadable, match="65537 bytes; allowed: 65536"):
        small.env_from_bytes(data + bytes(SAVED + 1 - len(data)))
    venv = small.vec_env(2)
    venv.reset(1)
    with pytest.raises(playmat.Unreadable, match="allowed for 2 environments: 196608"):
        venv.load_bytes(venv.to_bytes() + bytes(3 * SAVED))


def test_replays(small: playmat.Game, tmp_path: Path) -> None:
    text = small.env(1).replay().to_json()
    assert playmat.Replay(text + " " * 1000).to_json() == text
    with pytest.raises(playmat.Unreadable, match="16777217 bytes; allowed: 16777216"):
        playmat.Replay(text + " " * (REPLAY + 1 - len(text)))
    path = tmp_path / "long.json"
    path.write_text(text + " " * REPLAY)
    with pytest.raises(
        playmat.Unreadable, match=r"long\.json`: it has \d+ bytes; allowed: 16777216"
    ):
        playmat.Replay.load(path)
    with pytest.raises(playmat.Unreadable, match="trailing characters"):
        playmat.Replay(text + "{}")


def test_lists_that_hold_a_list_twice_are_not_followed_for_ever(small: playmat.Game) -> None:
    doubled: Any = [0]
    for _ in range(40):
        doubled = [doubled, doubled]
    for state in (doubled, [[0] * 1000] * 2000):
        with pytest.raises(playmat.InvalidArgument, match="got more than 1048576 values"):
            small.env_from_json({"state": state})
    itself: Any = []
    itself += [itself, itself]
    with pytest.raises(playmat.InvalidArgument, match="nested deeper than 64"):
        small.env_from_json({"state": itself})


@pytest.mark.parametrize("name", WITH_CONTENT)
def test_one_missing_bracket_is_one_finding(name: str) -> None:
    own = Path(__file__).parents[2] / "seeds" / "content" / f"{name}.toml"
    text = own.read_text()
    places = [
        at
        for at, sign in enumerate(text)
        if sign == "]" and "#" not in text[text.rfind("\n", 0, at) + 1 : at]
    ]
    for at in places[:: max(1, len(places) // 25)]:
        with pytest.raises(playmat.ContentError) as refused:
            playmat.Game(name, content=text[:at] + text[at + 1 :])
        assert len(refused.value.findings) == 1, refused.value


@pytest.mark.parametrize("content", ["x = 1\n" * 40_000, "name = 1\n" + "[[card]]\n" * 200])
def test_no_more_than_twenty_findings_are_looked_for(content: str) -> None:
    with pytest.raises(playmat.ContentError, match="at most 20 are listed") as refused:
        playmat.Game("graven", content=content)
    assert len(refused.value.findings) == 20
