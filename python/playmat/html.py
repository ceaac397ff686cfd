"""A replay as one web page: every position drawn, a slider, the arrow keys. Works offline, holds
everything itself.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator

from playmat._native import Env, Replay

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@TITLE@</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 80rem; }
  h1 { font-size: 1.2rem; margin: 0 0 .2rem; }
  #drawing { background: #fff; border-radius: 6px; text-align: center; }
  #drawing svg { max-width: 100%; height: auto; max-height: 78vh; }
  #bar { display: flex; gap: .5rem; align-items: center; margin: .6rem 0; }
  #bar input { flex: 1; }
  button { font: inherit; min-width: 2.4rem; }
  #count { font-variant-numeric: tabular-nums; white-space: nowrap; }
  #said { min-height: 1.4em; margin: 0; }
  small { opacity: .7; }
</style>
</head>
<body>
<h1>@TITLE@</h1>
<small>@SUBTITLE@</small>
<div id="bar">
  <button id="first" title="Home">&#8676;</button>
  <button id="back" title="left arrow">&#8592;</button>
  <button id="play" title="space">&#9654;</button>
  <button id="next" title="right arrow">&#8594;</button>
  <button id="last" title="End">&#8677;</button>
  <input id="slider" type="range" min="0" value="0" aria-label="position">
  <span id="count"></span>
</div>
<p id="said"></p>
<div id="drawing"></div>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const slider = at("slider");
let place = 0, timer = null;
slider.max = data.frames.length - 1;
function show(n) {
  place = Math.max(0, Math.min(data.frames.length - 1, n));
  slider.value = place;
  at("drawing").innerHTML = data.frames[place].map(i => data.parts[i]).join("\\n");
  at("said").textContent = data.said[place];
  at("count").textContent = place + " / " + (data.frames.length - 1);
  if (place === data.frames.length - 1) stop();
}
function stop() { clearInterval(timer); timer = null; at("play").textContent = "\\u25b6"; }
function play() {
  if (timer) { stop(); return; }
  if (place === data.frames.length - 1) show(0);
  timer = setInterval(() => show(place + 1), 900);
  at("play").textContent = "\\u23f8";
}
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
at("first").onclick = () => { stop(); show(0); };
at("back").onclick = () => { stop(); show(place - 1); };
at("next").onclick = () => { stop(); show(place + 1); };
at("last").onclick = () => { stop(); show(data.frames.length - 1); };
at("play").onclick = play;
addEventListener("keydown", event => {
  const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -9,
                  PageDown: 9 };
  const go = steps[event.key];
  if (go) { stop(); show(place + go); }
  else if (event.key === "Home") { stop(); show(0); }
  else if (event.key === "End") { stop(); show(data.frames.length - 1); }
  else if (event.key === " ") play();
  else return;
  event.preventDefault();
});
show(0);
</script>
</body>
</html>
"""


def positions(replay: Replay, viewer: int | None) -> Iterator[tuple[int, Env, str]]:
    """The positions of a replay: the number of decisions before, the environment, a text of what
    led there. All items are the same environment object, which each iteration advances.

    A viewer gets only positions that it can tell from the one before: a choice that another player
    has buffered or changed does not appear. The players who decided are not named, because that
    could reveal who chose when.
    """
    env = replay.env(0)
    yield 0, env, "The first position."
    seen = env.to_json(viewer)
    for place, (player, action, text) in enumerate(replay.decisions, 1):
        env.step(action, player)
        before, seen = seen, env.to_json(viewer)
        if viewer in (None, player):
            yield place, env, f"Player {player}: {text}"
        elif seen != before or env.events(viewer):
            yield place, env, "Others decide."


def replay_html(replay: Replay, viewer: int | None = None, title: str | None = None) -> str:
    """One self-contained HTML page with all positions of a replay.

    Args:
        replay: A replay, e.g. ``env.replay()``.
        viewer: The player whose view is drawn; None draws everything, hidden or not. The page of a
            viewer holds what this player was shown and nothing else: no seed, no decisions of
            others, and only positions in which something changed for the player.
        title: Heading; without one the game's title and players.

    Returns:
        The page. Lines of the drawings that repeat are stored once.
    """
    parts: dict[str, int] = {}
    frames: list[list[int]] = []
    said: list[str] = []
    for _, env, text in positions(replay, viewer):
        frames.append(_frame(env, viewer, parts))
        said.append(text)
    if env.done:
        scores = ", ".join(str(score) for score in env.scores.tolist())
        said[-1] += f" The end, scores by player: {scores}."
    game = replay.game
    if title is None:
        own = game.info()["content_title"]
        heading = f"{game.title}: {own}" if own else game.title
        title = f"{heading}, {game.num_players} player{'s' if game.num_players > 1 else ''}"
    if viewer is None:
        subtitle = f"seed {replay.seed}, {len(replay)} decisions, all open"
    else:
        subtitle = f"seen by player {viewer}"
    data = json.dumps(
        {"parts": list(parts), "frames": frames, "said": said},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    # Nothing inside the data may end the element that holds it.
    data = data.replace("<", "\\u003c")
    page = _PAGE.replace("@TITLE@", html.escape(title)).replace("@SUBTITLE@", html.escape(subtitle))
    return page.replace("@DATA@", data)


def _frame(env: Env, viewer: int | None, parts: dict[str, int]) -> list[int]:
    """The lines of a drawing as indices into ``parts``, which grows."""
    return [parts.setdefault(line, len(parts)) for line in env.render("svg", viewer).splitlines()]
