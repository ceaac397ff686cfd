"""``playmat replay FILE``: steps through a recorded episode, draws it as a web page, jumps,
and plays on. ``playmat replay --game NAME --seed N --actions 1,2,3``: shows the position that a
seed and actions lead to, as failures of the conformance suite print it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import playmat
from playmat.errors import invalid
from playmat.html import positions, replay_html


def register(subparsers: Any) -> None:
    """Adds the command."""
    replay = subparsers.add_parser(
        "replay",
        help="step through a recorded game, or make a web page of it",
        description="Steps through a recorded game in the terminal: return goes on, a number jumps,"
        " `b` goes back, `q` ends. With other options it prints or writes what they name.",
    )
    replay.add_argument("file", metavar="FILE", type=Path, nargs="?", help="a replay, as JSON")
    add_position(replay)
    replay.add_argument(
        "--viewer", type=int, help="show what this player sees (default: everything)"
    )
    replay.add_argument(
        "--html", metavar="OUT", type=Path, help="write one web page with all positions"
    )
    replay.add_argument(
        "--to",
        metavar="N",
        type=int,
        help="only the position after N decisions; negative: from the end",
    )
    replay.add_argument("--json", action="store_true", help="print the position as JSON")
    replay.add_argument("--svg", action="store_true", help="print the position as SVG")
    replay.add_argument(
        "--play-on",
        metavar="OUT",
        type=Path,
        help="play on from the position with an agent and write that game as a replay",
    )
    replay.add_argument(
        "--agent",
        default="greedy",
        help="with --play-on: the agent that plays on: greedy (default), random, or mcts:400",
    )
    replay.add_argument(
        "--seed",
        type=int,
        help="with --play-on: seed of new chance (default: chance as recorded); with --game: "
        "seed of the episode (default: 0)",
    )
    replay.set_defaults(run=run)


def add_position(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that stand for a file: what an episode is made of."""
    group = parser.add_argument_group("instead of FILE")
    group.add_argument("--game", metavar="NAME", help="a registered game")
    group.add_argument("--options", metavar="JSON", help="its options, as a JSON object")
    group.add_argument(
        "--actions",
        metavar="N,N,..",
        help="the decisions from the deal on, each of the current player",
    )


def load(arguments: argparse.Namespace) -> playmat.Replay:
    """The replay that the arguments name: a file, or game, options, seed and actions."""
    if arguments.game is None:
        for name in ("options", "actions"):
            if getattr(arguments, name) is not None:
                raise invalid(f"--{name}", "only with `--game`")
        if arguments.file is None:
            raise invalid("FILE", "got none; wanted a replay or `--game`")
        return playmat.Replay.load(arguments.file)
    if arguments.file is not None:
        raise invalid("--game", "only without FILE")
    env = playmat.Game(arguments.game, **read_options(arguments.options)).env(arguments.seed or 0)
    for place, action in enumerate(read_actions(arguments.actions)):
        try:
            env.step(action)
        except playmat.Error as error:
            raise invalid("--actions", f"number {place}: {error}") from error
    return env.replay()


def read_options(text: str | None) -> dict[str, Any]:
    """The options of a game from a JSON object."""
    try:
        options = json.loads(text or "{}")
    except ValueError as error:
        raise invalid("--options", f"no JSON: {error}") from error
    if not isinstance(options, dict):
        raise invalid("--options", f"got `{text}`; wanted a JSON object")
    return options


def read_actions(text: str | None) -> list[int]:
    """Whole numbers separated by commas."""
    words = [word.strip() for word in (text or "").split(",")] if text else []
    for word in words:
        if not word.isdecimal():
            wanted = "whole numbers, separated by commas"
            raise invalid("--actions", f"got `{word}`; wanted {wanted}")
    return [int(word) for word in words]


def run(arguments: argparse.Namespace) -> int:
    """Does what the arguments say."""
    names = ("html", "play-on", "json", "svg")
    outputs = [name for name in names if getattr(arguments, name.replace("-", "_"))]
    if len(outputs) > 1:
        reason = f"not together with `--{outputs[0]}`: one of them at a time"
        raise invalid(f"--{outputs[1]}", reason)
    if arguments.html and arguments.to is not None:
        raise invalid("--to", "not together with `--html`, which has all positions")
    if arguments.play_on and arguments.viewer is not None:
        raise invalid("--viewer", "not together with `--play-on`, which writes everything")
    replay = load(arguments)
    if arguments.html:
        arguments.html.write_text(replay_html(replay, arguments.viewer), encoding="utf-8")
        print(f"Wrote {arguments.html}: open it in a browser.")
        return 0
    if arguments.play_on:
        env = replay.env(arguments.to)
        if arguments.seed is not None and arguments.game is None:
            env = env.clone(arguments.seed)
        agent = env.game.agent(arguments.agent)
        while not env.done:
            env.step(agent.act(env))
        played = env.replay()
        played.save(arguments.play_on)
        print(f"Wrote {arguments.play_on}: {len(played)} decisions, scores {env.scores.tolist()}.")
        return 0
    if arguments.json or arguments.svg:
        env = replay.env(arguments.to)
        viewer = arguments.viewer
        print(
            env.to_json(viewer) if arguments.json else env.render("svg", viewer),
            end="\n" * arguments.json,
        )
        return 0
    places = list(texts(replay, arguments.viewer).items())
    if arguments.game or arguments.to is not None or not sys.stdin.isatty():
        wanted = len(replay.env(arguments.to).history)
        shown = [number for number, (place, _) in enumerate(places) if place <= wanted]
        show(replay, places, shown[-1], arguments.viewer)
        return 0
    walk(replay, places, arguments.viewer)
    return 0


def texts(replay: playmat.Replay, viewer: int | None) -> dict[int, str]:
    """The events before each position as a viewer sees them, by the number of decisions."""
    return {place: text for place, _, text in positions(replay, viewer)}


def show(
    replay: playmat.Replay, places: list[tuple[int, str]], number: int, viewer: int | None
) -> None:
    """Prints one position."""
    place, said = places[number]
    if not number:
        said = (
            replay.game.title if viewer is not None else f"{replay.game.title}, seed {replay.seed}"
        )
    print(f"\n{number} of {len(places) - 1}. {said}")
    print(replay.env(place).render("ansi", viewer))


def walk(replay: playmat.Replay, places: list[tuple[int, str]], viewer: int | None) -> None:
    """Steps through the positions as the keyboard says."""
    number = 0
    while True:
        show(replay, places, number, viewer)
        try:
            words = input("[return: on, b: back, number: jump, q: end] ").strip()
        except EOFError:
            return
        if words in ("q", "quit"):
            return
        if words.lstrip("-").isdecimal():
            number = int(words)
        else:
            number += -1 if words == "b" else 1
        if number >= len(places):
            return
        number = max(0, number)
