"""``playmat games`` and ``playmat info GAME``: what there is, and what is fixed about a game."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import Any

import playmat
from playmat.cli.common import add_game, content_lines, make_game, shape, table


def register(subparsers: Any) -> None:
    """Adds the commands."""
    games = subparsers.add_parser("games", help="list the games", description="Lists the games.")
    games.add_argument("--json", action="store_true", help="print JSON")
    games.set_defaults(run=run_games)
    info = subparsers.add_parser(
        "info",
        help="players, options, actions and observation of a game",
        description="Prints what is fixed about a game.",
    )
    add_game(info)
    info.add_argument("--json", action="store_true", help="print JSON")
    info.add_argument(
        "--actions", action="store_true", help="print the text of every action by its number"
    )
    info.add_argument(
        "--content", action="store_true", help="print the cards, tiles and goals with what they do"
    )
    info.set_defaults(run=run_info)


def run_games(arguments: argparse.Namespace) -> int:
    """Prints one line per game."""
    infos = [playmat.Game(name).info() for name in playmat.games()]
    if arguments.json:
        print(json.dumps(infos, indent=1))
        return 0
    rows = []
    for info in infos:
        low, high = info["player_range"]
        players = str(low) if low == high else f"{low} to {high}"
        row = [info["id"], info["title"], players, info["num_actions"], info["observation_size"]]
        rows.append([*row, info["version"]])
    print(table(["game", "title", "players", "actions", "observation", "version"], rows))
    return 0


def run_info(arguments: argparse.Namespace) -> int:
    """Prints a page about a game."""
    game = make_game(arguments)
    info = game.info()
    if arguments.actions:
        texts = [game.action_text(action) for action in range(game.num_actions)]
        print(
            json.dumps(texts, indent=1)
            if arguments.json
            else table(["number", "action"], list(enumerate(texts)))
        )
        return 0
    if arguments.content:
        entries = info["content_entries"]
        text = content_lines(entries) or f"{info['title']} has no cards, tiles or goals."
        print(json.dumps(entries, indent=1) if arguments.json else text)
        return 0
    if arguments.json:
        print(json.dumps(info, indent=1))
        return 0
    print(f"{info['title']} ({info['id']}), version {info['version']}")
    low, high = info["player_range"]
    print(
        f"\nPlayers: {info['players']} "
        f"(the game takes {low if low == high else f'{low} to {high}'})"
    )
    if info["content_name"]:
        title = f" ({info['content_title']})" if info["content_title"] else ""
        print(f"Content: {info['content_name']}{title}, hash {info['content_hash']}")
    traits = ("chance", "hidden", "simultaneous", "score_zero_sum")
    print("Has: " + ", ".join(trait.replace("_", "-") for trait in traits if info[trait]))
    low, high = game.return_range
    print(
        f"Rewards: {game.reward} (offered: {', '.join(info['rewards'])}); "
        f"returns {low:g} to {high:g}"
    )
    divisor = info["score_divisor"]
    print(
        f"Scores: {info['score_range'][0]} to {info['score_range'][1]}"
        + (f"; rewards of scores are divided by {divisor}" if divisor > 1 else "")
    )
    print(f"Longest episode: {info['max_decisions']} decisions, {info['max_chance']} chance events")
    print(
        f"A state: {info['state_bytes']} bytes; an environment of a batch: {info['env_bytes']}, "
        f"with its outputs {info['env_bytes_with_outputs']}"
    )
    print("\nOptions")
    for spec in info["option_specs"]:
        value = info["options"][spec["name"]]
        shown = value if len(str(value)) < 40 else "(text)"
        line = f"  {spec['name']} = {shown}   [{spec['allowed']}]"
        print(textwrap.fill(line, 100, subsequent_indent="      "))
        print(textwrap.indent(textwrap.fill(spec["doc"], 92), "      "))
    print(f"\nActions: {info['num_actions']}")
    rows = [
        [f"{a['start']} .. {a['start'] + a['len'] - 1}", a["name"], shape(a["shape"]), a["meaning"]]
        for a in info["actions"]
    ]
    print(_wrapped(["numbers", "name", "shape", "meaning"], rows))
    print(f"\nObservation: {info['observation_size']} bytes; value = (byte - bias) / scale")
    rows = [
        [s["offset"], s["name"], shape(s["shape"]), s["bias"], s["scale"], s["meaning"]]
        for s in info["observation"]["segments"]
    ]
    print(_wrapped(["offset", "name", "shape", "bias", "scale", "meaning"], rows))
    return 0


def _wrapped(head: list[str], rows: list[list[Any]]) -> str:
    """A table whose last column is wrapped."""
    left = [
        len(max([head[i], *(str(row[i]) for row in rows)], key=len)) for i in range(len(head) - 1)
    ]
    margin = sum(left) + 2 * len(left) + 2
    lines = []
    for line in table(head, rows).splitlines():
        if len(line) + 2 <= 110:
            lines.append("  " + line)
        else:
            indent = " " * margin
            lines += textwrap.wrap(
                "  " + line, 110, subsequent_indent=indent, drop_whitespace=False
            )
    return "\n".join(line.rstrip() for line in lines)
