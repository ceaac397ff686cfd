"""Replays: jump, play on, files, the web page."""

from __future__ import annotations

import json
import pickle
from html.parser import HTMLParser
from pathlib import Path

import pytest

import playmat
from saved import position


def finished(game: playmat.Game, seed: int = 3) -> playmat.Env:
    env = game.env(seed)
    while not env.done:
        env.step(env.game.agent("greedy").act(env))
    return env


def test_round_trip(game: playmat.Game, tmp_path: Path) -> None:
    env = finished(game)
    replay = env.replay()
    assert len(replay) == env.decisions
    assert replay.seed == 3
    assert [(player, action) for player, action, _ in replay.decisions] == env.history
    assert replay.result["status"] == "terminated"
    file = tmp_path / "game.json"
    replay.save(file)
    again = playmat.Replay.load(file)
    assert again == replay == playmat.Replay(replay.to_json()) == pickle.loads(pickle.dumps(replay))
    assert again.game == game
    assert position(again.env()) == position(env)


def test_jump_and_play_on(game: playmat.Game) -> None:
    env = game.env(4)
    trail = [position(env)]
    while not env.done:
        env.step(env.sample_action())
        trail.append(position(env))
    replay = env.replay()
    for place, data in enumerate(trail):
        assert position(replay.env(place)) == data
        if place < len(replay):
            assert position(replay.env(place - len(replay))) == data
    played = replay.env(len(replay) // 2)
    while not played.done:
        played.step(played.game.agent("greedy").act(played))
    assert position(played.replay().env()) == position(played)
    for place in (len(replay) + 1, -len(replay) - 1, 2**70, -(2**70)):
        with pytest.raises(playmat.InvalidArgument, match=f"{len(replay)} decisions"):
            replay.env(place)


def test_copies_with_fresh_chance_replay(game: playmat.Game) -> None:
    env = game.env(4).clone(seed=77)
    while not env.done:
        env.step(env.sample_action())
    assert position(env.replay().env()) == position(env)


def test_replays_begin_where_the_history_does(game: playmat.Game) -> None:
    """At the deal, or at the state that was loaded, sampled, or copied with chance of its own."""
    env = game.env(4)
    assert env.replay().start is None
    env.step(env.sample_action())
    venv = game.vec_env(2)
    venv.reset(states=[env, env])
    begun = {
        "bytes": game.env_from_bytes(env.to_bytes()),
        "JSON": game.env_from_json(env.to_json()),
        "clone": env.clone(),
        "sample": env.sample_hidden(0, seed=1),
        "batch": venv.state(1),
    }
    for name, later in begun.items():
        start, data = later.state_dict(), position(later)
        # Of a sample not even the number of decisions is known.
        made = 0 if name == "sample" else 1
        assert (later.history, later.decisions) == ([], made), name
        while not later.done:
            later.step(later.sample_action())
            assert later.decisions - len(later.history) == made
        replay = playmat.Replay(later.replay().to_json())
        assert replay.start == start, name
        assert replay.start["decisions"] == made
        assert [(player, action) for player, action, _ in replay.decisions] == later.history
        assert position(replay.env(0)) == data
        assert position(replay.env()) == position(later)
    kept = env.clone(exact=True)
    assert (kept.history, kept.replay().start) == (env.history, None)


def test_changed_replays_are_refused(small: playmat.Game) -> None:
    document = json.loads(finished(small).replay().to_json())

    def refused(error: type[Exception], message: str, **changes: object) -> None:
        with pytest.raises(error, match=message):
            playmat.Replay(json.dumps({**document, **changes}))

    refused(playmat.WrongIdentity, "version", version=99)
    refused(playmat.WrongIdentity, "content_hash", content_hash="0x0000000000000001")
    refused(playmat.WrongIdentity, "generator", generator="dice")
    refused(playmat.WrongIdentity, "format", format="playmat-replay/9")
    refused(playmat.UnknownGame, "did you mean", game="conect_four")
    refused(playmat.InvalidOption, "players", options={"players": 77})
    refused(playmat.Unreadable, "decisions", decisions="none")
    refused(playmat.Unreadable, "unknown field", more=1)
    refused(playmat.Unreadable, "seed", seed="seven")
    document["decisions"][1]["action"] = 99
    with pytest.raises(playmat.Unreadable, match=r"decisions\[1\]: illegal action 99"):
        playmat.Replay(json.dumps(document))
    document = json.loads(finished(small).replay().to_json())
    document["result"]["scores"] = [7, 7]
    with pytest.raises(playmat.Unreadable, match=r"result\.scores\[0\]"):
        playmat.Replay(json.dumps(document))


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.inside = ""
        self.data = ""
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = dict(attributes)
        self.inside = names.get("id") or ""
        self.links += [value for name, value in attributes if name in ("src", "href") and value]

    def handle_data(self, data: str) -> None:
        if self.inside == "data":
            self.data += data


def test_page_holds_every_position(game: playmat.Game) -> None:
    replay = finished(game).replay()
    text = playmat.replay_html(replay)
    page = Page(text)
    assert page.links == [], "works offline"
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    data = json.loads(page.data)
    assert len(data["frames"]) == len(data["said"]) == len(replay) + 1
    for place in (0, len(replay) // 2, len(replay)):
        drawn = "\n".join(data["parts"][i] for i in data["frames"][place])
        assert drawn == replay.env(place).render("svg").rstrip("\n")
    assert "</script" not in page.data
    assert text.count("<script") == 2
    assert {"input", "button"} <= set(page.tags)
    for key in ("ArrowLeft", "ArrowRight"):
        assert key in text


def test_page_of_one_viewer_keeps_secrets() -> None:
    replay = finished(playmat.Game("leduc_poker")).replay()
    page = json.loads(Page(playmat.replay_html(replay, viewer=0)).data)
    frames = ["\n".join(page["parts"][i] for i in frame) for frame in page["frames"]]
    views = [replay.env(place).render("svg", 0).rstrip("\n") for place in range(len(replay) + 1)]
    # All positions that the viewer can tell apart, in their order.
    assert frames == [view for i, view in enumerate(views) if i == 0 or view != views[i - 1]]
    assert any(said.startswith("Others decide.") for said in page["said"])
    assert not any("Player 1:" in said for said in page["said"])


def test_title_is_escaped(small: playmat.Game) -> None:
    text = playmat.replay_html(finished(small).replay(), title="<b>&</b>")
    assert "<title>&lt;b&gt;&amp;&lt;/b&gt;</title>" in text
