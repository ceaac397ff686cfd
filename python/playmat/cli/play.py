"""``playmat play GAME``: a person against bots, in the terminal."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.common import add_game, make_game, refusal

HELP = """  a number      plays the legal action with this number in the list
  a text        plays the action with this text (upper and lower case alike)
  list          lists all legal actions
  hint          what the greedy bot would play
  back          takes your last decision back
  board         draws the table again
  save FILE     writes the game so far as a replay
  quit          ends the game"""
SHOWN = 24


class Quit(Exception):
    """The person has had enough."""


def register(subparsers: Any) -> None:
    """Adds the command."""
    play = subparsers.add_parser(
        "play",
        help="play against bots in the terminal",
        description="Play a game against bots in the terminal. `help` there helps.",
    )
    add_game(play)
    play.add_argument(
        "--seat", type=int, action="append", help="your seat, from 0; may be repeated (default: 0)"
    )
    play.add_argument(
        "--bot", default="greedy", choices=["greedy", "random"], help="who plays the other seats"
    )
    play.add_argument("--seed", type=int, help="seed of the episode (default: a new one)")
    play.add_argument("--save", metavar="FILE", help="write the game as a replay when it ends")
    play.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays one game."""
    game = make_game(arguments)
    if arguments.save and not Path(arguments.save).resolve().parent.is_dir():
        # Told now, not after the last move.
        raise refusal("save", arguments.save, "a file in a folder that exists")
    seats = arguments.seat or [0]
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    env = game.env(seed)
    for seat in seats:
        env.action_mask(seat)  # refuses a seat that does not exist
    print(f"{game.title}, seed {seed}. You are player {', '.join(map(str, seats))}; `help` helps.")
    try:
        env = play_game(env, seats, arguments.bot)
    except (Quit, EOFError):
        print("\nGood bye.")
    if arguments.save:
        env.replay().save(arguments.save)
        print(f"Saved as {arguments.save}.")
    return 0


def save(env: playmat.Env, file: str) -> None:
    """Saves in the middle of a game, which goes on whether that can be or not."""
    try:
        env.replay().save(file)
    except OSError as error:
        print(f"  Not saved: {error}.")
    else:
        print(f"  Saved as {file}.")


def play_game(env: playmat.Env, seats: list[int], bot: str) -> playmat.Env:
    """Plays on to the end; returns the environment, which taking back may have replaced."""
    points: list[playmat.Env] = []
    while not env.done:
        player = env.current_player
        if player not in seats:
            env.step(env.bot_action(bot))
            tell(env, seats)
            continue
        print("\n" + env.render("ansi", player))
        print(f"Player {player}, it is your turn.")
        show_actions(env, SHOWN)
        action = ask(env, points)
        if action is None:
            env = points.pop()
            continue
        points.append(env.clone(exact=True))
        env.step(action)
        tell(env, seats)
    print("\n" + env.render("ansi"))
    scores = ", ".join(f"player {i}: {score}" for i, score in enumerate(env.scores.tolist()))
    print(f"The game is over. Scores: {scores}.")
    return env


def tell(env: playmat.Env, seats: list[int]) -> None:
    """Says what the last step changed, as the first of the persons may see it."""
    for event in env.events(seats[0]):
        if event["event"] == "update":
            continue
        details = [
            f"{key} {value}"
            for key, value in event.items()
            if key not in ("event", "changes") and value is not None
        ]
        print(f"  {event['event']}: {', '.join(details)}" if details else f"  {event['event']}")


def show_actions(env: playmat.Env, most: int | None) -> None:
    """Lists the legal actions, numbered from 1."""
    legal = env.legal_actions()
    for number, action in enumerate(legal[:most], 1):
        print(f"  {number:3} {env.action_text(action)}")
    if most is not None and len(legal) > most:
        print(f"      ... and {len(legal) - most} more: `list` shows all")


def ask(env: playmat.Env, points: list[playmat.Env]) -> int | None:
    """The action that the person wants, None to take the last one back."""
    while True:
        # Bytes that are no text become signs that no action has.
        words = input("> ").encode(errors="replace").decode().strip()
        legal = env.legal_actions()
        match words.split():
            case []:
                continue
            case ["quit" | "exit" | "q"]:
                raise Quit
            case ["help" | "?"]:
                print(HELP)
            case ["list"]:
                show_actions(env, None)
            case ["board"]:
                print(env.render("ansi", env.current_player))
            case ["hint"]:
                print(f"  {env.action_text(env.bot_action('greedy'))}")
            case ["back"]:
                if points:
                    return None
                print("  There is nothing to take back.")
            case ["save", file]:
                save(env, file)
            case [number] if number.isdecimal():
                if 1 <= int(number) <= len(legal):
                    return legal[int(number) - 1]
                print(f"  {number} is not in the list: 1 to {len(legal)}.")
            case _:
                try:
                    action = env.parse_action(words)
                except playmat.UnknownAction as error:
                    print(f"  {error}")
                    continue
                if action in legal:
                    return action
                print(f"  {env.action_text(action)} is not legal now: `list` shows what is.")
