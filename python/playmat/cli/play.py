"""``playmat play GAME``: people at one terminal, against agents or each other."""

from __future__ import annotations

import argparse
import re
import secrets
import sys
import textwrap
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.common import add_game, content_lines, make_game, refusal

HELP = """  a number      plays the legal action with this number in the list
  a text        plays the action with this text (upper and lower case alike)
  help WORDS    what a card, tile or goal does, by its name or a part of it; or an action, by number
  cards         all cards, tiles and goals, with what they do
  list          lists all legal actions
  hint          what the greedy agent would play
  undo          takes your last decision back, and what followed it
  board         draws the table again
  save FILE     writes the game so far as a replay, with everything that is hidden
  quit          ends the game"""
SHOWN = 24
WIDTH = 100
#: Empties the terminal, the lines above the screen included.
CLEAR = "\033[2J\033[3J\033[H"
#: How texts of games call players: by number, one or several.
CALLED = re.compile(r"\b[Pp]layers? (?P<list>\d+(?:(?:, | and )\d+)*)\b")


class Quit(Exception):
    """The person has had enough."""


class Names:
    """What the players are called, in place of their numbers."""

    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def __getitem__(self, player: int) -> str:
        return self.names.get(player, f"Player {player}")

    def put(self, text: str) -> str:
        """The text with names in place of `player 1`."""
        return CALLED.sub(self._called, text)

    def _called(self, match: re.Match[str]) -> str:
        players = match["list"]
        if any(int(player) in self.names for player in re.findall(r"\d+", players)):
            return re.sub(r"\d+", lambda number: self[int(number[0])], players)
        return match[0]

    def draw(self, text: str) -> str:
        """The same for a drawing, whose columns stay where they are if there is room."""
        return "\n".join(self._line(line) for line in text.splitlines())

    def _line(self, line: str) -> str:
        done = ""
        while match := CALLED.search(line):
            before, name, line = line[: match.start()], self._called(match), line[match.end() :]
            longer = len(name) - len(match[0])
            if not line or line.startswith("  "):
                # The head of a column of numbers, which are to the right.
                free = len(before) - len(before.rstrip()) - 1
                before = before[: len(before) - min(longer, max(free, 0))] if longer > 0 else before
                before += " " * max(-longer, 0)
            elif gap := re.search(r" {2,}", line):
                room = min(longer, len(gap[0]) - 1)
                line = line[: gap.start()] + " " * (len(gap[0]) - room) + line[gap.end() :]
            done += before + name
        return done + line

    def take(self, text: str) -> str:
        """What a person typed, with `player 1` in place of names."""
        for player, name in self.names.items():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {player}", text, flags=re.I)
        return text


def register(subparsers: Any) -> None:
    """Adds the command."""
    play = subparsers.add_parser(
        "play",
        help="play against agents or each other in the terminal",
        description="Play a game in the terminal, against agents or with several people at one "
        "keyboard. `help` there helps.",
    )
    add_game(play)
    play.add_argument(
        "--player",
        type=int,
        action="append",
        metavar="N",
        help="a player that a person plays, from 0 (default: 0); may be repeated. Where the game "
        "hides something, several people are asked to hand the keyboard over, and each is told "
        "what that player may know. In games that ask only who can answer (option `windows`), "
        "being asked tells the others that much",
    )
    play.add_argument(
        "--names",
        metavar="ADA,BOB",
        help="names of all players, or of the people among them, in order (default: Player 0, ...)",
    )
    play.add_argument(
        "--opponent",
        default="greedy",
        help="who plays the other players: greedy (default) or random",
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
    people = sorted(set(arguments.player or [0]))
    for player in people:
        if not 0 <= player < game.num_players:
            raise refusal("player", player, f"a player from 0 to {game.num_players - 1}")
    names = Names(_names(arguments.names, people, game.num_players))
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    table = Table(game.env(seed), people, names, game.agent(arguments.opponent))
    # Not the seed: it tells whoever plays what is hidden.
    print(f"{heading(game)}\n{introduction(table)} `help` helps.")
    try:
        table.play()
    except (Quit, EOFError):
        print("\nGood bye.")
    if arguments.save:
        table.env.replay().save(arguments.save)
        print(f"Saved as {arguments.save}.")
    # Everything hidden follows from the seed: it is told when nobody plays any more.
    print(f"The seed was {seed}.")
    return 0


def heading(game: playmat.Game) -> str:
    """The title, with what the content calls itself."""
    title: str = game.info()["content_title"]
    return f"{game.title}: {title}" if title else game.title


def introduction(table: Table) -> str:
    """Who plays."""
    people = [table.names[player] for player in table.people]
    others = table.game.num_players - len(people)
    you = f"You are {people[0]}" if len(people) == 1 else f"You are {_and(people)}"
    if not others:
        return f"{you}."
    return (
        f"{you}; agent {table.opponent.name} plays {'the other' if others == 1 else 'the others'}."
    )


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _names(given: str | None, people: list[int], players: int) -> dict[int, str]:
    """Names by player."""
    if given is None:
        return {}
    names = [name.strip() for name in given.split(",")]
    whose = list(range(players)) if len(names) == players else people
    if len(names) != len(whose):
        wanted = f"{players} names, or {len(people)} for the people"
        raise refusal("names", given, wanted if players != len(people) else f"{players} names")
    if any(not name.isprintable() or not 1 <= len(name) <= 20 for name in names):
        raise refusal("names", given, "names of 1 to 20 characters, separated by commas")
    if any(name.isdecimal() or CALLED.search(name) for name in names):
        raise refusal("names", given, "names that are not the number of a player")
    if len({name.lower() for name in names}) < len(names):
        raise refusal("names", given, "different names")
    return dict(zip(whose, names, strict=True))


def _fits(entry: dict[str, Any], word: str, rank: int) -> bool:
    """Whether an entry is called so (0), begins so (1), or holds the word (2)."""
    own = (entry["id"].lower(), entry["name"].lower())
    if rank == 0:
        return word in own
    return any(name.startswith(word) if rank == 1 else word in name for name in own)


def common(lists: list[list[str]]) -> list[str]:
    """What is in all lists, in order: what every one of some people may know."""
    shared = lists[0]
    for other in lists[1:]:
        blocks = SequenceMatcher(a=shared, b=other, autojunk=False).get_matching_blocks()
        shared = [line for block in blocks for line in shared[block.a : block.a + block.size]]
    return shared


@dataclass
class Point:
    """The table before a decision of a person."""

    player: int
    env: playmat.Env
    news: dict[int, list[str]]


@dataclass
class Table:
    """A game at one terminal.

    What happens is kept for each person as that person may see it. It is printed when that person
    decides; before others decide, only what all of them may know.
    """

    env: playmat.Env
    people: list[int]
    names: Names
    opponent: playmat.Agent
    #: Told to nobody yet, by person.
    news: dict[int, list[str]] = field(default_factory=dict)
    #: Of these, told to nobody yet at all.
    public: list[str] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    #: Who looks at the screen.
    reader: int | None = None

    def __post_init__(self) -> None:
        self.game = self.env.game
        self.news = {person: [] for person in self.people}
        #: Whether one person must not see what another one sees.
        self.secret = len(self.people) > 1 and self.game.info()["hidden"]

    def play(self) -> None:
        """Plays on to the end."""
        while not self.env.done:
            player = self.env.current_player
            if player not in self.people:
                self.step(self.opponent.act(self.env))
                continue
            if player != self.reader:
                self.hand_over(player)
            self.tell(player)
            print("\n" + self.names.draw(self.env.render("ansi", player)))
            print(f"\n{self.names[player]}, it is your turn.")
            self.show_actions(SHOWN)
            action = self.ask(player)
            if action is not None:
                news = {person: list(lines) for person, lines in self.news.items()}
                self.points.append(Point(player, self.env.clone(exact=True), news))
                self.step(action)
        self.flush()
        print("\n" + self.names.draw(self.env.render("ansi")))
        scores = [f"{self.names[i]}: {score}" for i, score in enumerate(self.env.scores.tolist())]
        print(f"\nThe game is over. Scores: {', '.join(scores)}.")

    def step(self, action: int) -> None:
        """A decision, and what everybody sees of it."""
        self.env.step(action)
        seen = {person: self.sentences(person) for person in self.people}
        for person, lines in seen.items():
            self.news[person] += lines
        self.public += common(list(seen.values()))

    def sentences(self, person: int) -> list[str]:
        """What the last step changed, as a person may see it."""
        events = self.env.events(person)
        return [self.names.put(event["text"]) for event in events if "text" in event]

    def hand_over(self, player: int) -> None:
        """Another person takes the keyboard: nobody sees what is not for them."""
        if self.secret:
            self.flush()
            print(f"\nPass the keyboard to {self.names[player]}.")
            if input("Press Enter, and nobody else looks. ").strip().lower() in ("quit", "q"):
                raise Quit
            if sys.stdout.isatty():
                print(CLEAR, end="")
        self.reader = player

    def tell(self, player: int) -> None:
        """Says what happened since this player was last told."""
        if self.news[player] and self.secret:
            print(f"\nSince your last turn, {self.names[player]}:")
        for line in self.news[player]:
            print(f"  {line}")
        self.public = []
        # Where nothing is hidden, what one person is told all are told.
        for person in self.people if not self.secret else [player]:
            self.news[person] = []

    def flush(self) -> None:
        """Says what all people may know and nobody was told."""
        for line in self.public:
            print(f"  {line}")
        self.public = []

    def undo(self, player: int) -> bool:
        """Goes back to before this player's last decision, if there is one."""
        mine = [at for at, point in enumerate(self.points) if point.player == player]
        if not mine:
            return False
        point = self.points[mine[-1]]
        del self.points[mine[-1] :]
        self.env, self.news, self.public = point.env, point.news, []
        return True

    def save(self, file: str) -> None:
        """Saves in the middle of a game, which goes on whether that can be or not."""
        try:
            self.env.replay().save(file)
        except OSError as error:
            print(f"  Not saved: {error}.")
        else:
            print(f"  Saved as {file}.")

    def text(self, action: int) -> str:
        """An action, with names."""
        return self.names.put(self.env.action_text(action))

    def show_actions(self, most: int | None) -> None:
        """Lists the legal actions, numbered from 1; long help is said once."""
        legal = self.env.legal_actions()
        texts = [self.text(action) for action in legal[:most]]
        width = max(map(len, texts))
        said = {""}
        for number, (action, text) in enumerate(zip(legal, texts, strict=False), 1):
            line = f"  {number:3} {text}"
            if (more := self.env.action_help(action)) not in said:
                said |= {more} if len(more) > 30 else set()
                start = f"{line:{width + 6}}  "
                narrow = min(len(start), 40)
                line = textwrap.fill(start + more, WIDTH, subsequent_indent=" " * narrow)
            print(line)
        if most is not None and len(legal) > most:
            print(f"      ... and {len(legal) - most} more: `list` shows all")

    def explain(self, words: str) -> None:
        """What a legal action does, by its number, or entries of the content, by name."""
        legal = self.env.legal_actions()
        if words.isdecimal() and 1 <= int(words) <= len(legal):
            action = legal[int(words) - 1]
            more = self.env.action_help(action) or "there is no more to say about it"
            print(textwrap.fill(f"  {self.text(action)}: {more}", WIDTH, subsequent_indent="    "))
            return
        entries = self.game.info()["content_entries"]
        word = words.lower()
        # The exact name first, then what begins with the word, then what holds it.
        found: list[dict[str, Any]] = []
        for rank in range(3):
            found = found or [entry for entry in entries if _fits(entry, word, rank)]
        if found:
            print(content_lines(found, WIDTH))
            return
        kinds = sorted({f"{entry['kind']}s" for entry in entries})
        known = f": `cards` lists the {_and(kinds)}" if kinds else ""
        print(f"  Nothing is called `{words}`{known}.")

    def ask(self, player: int) -> int | None:
        """The action that the person wants, None if the table is another one now."""
        while True:
            # Bytes that are no text become signs that no action has.
            words = input("> ").encode(errors="replace").decode().strip()
            legal = self.env.legal_actions()
            match words.split():
                case []:
                    continue
                case ["quit" | "exit" | "q"]:
                    raise Quit
                case ["help" | "?"]:
                    print(HELP)
                case ["help" | "?", *rest]:
                    self.explain(" ".join(rest))
                case ["cards" | "content"]:
                    entries = self.game.info()["content_entries"]
                    print(content_lines(entries, WIDTH) or "  The game has none.")
                case ["list"]:
                    self.show_actions(None)
                case ["board"]:
                    print(self.names.draw(self.env.render("ansi", player)))
                case ["hint"]:
                    print(f"  {self.text(self.game.agent('greedy').act(self.env))}")
                case ["undo" | "back"]:
                    if self.undo(player):
                        return None
                    print("  There is nothing to take back.")
                case ["save", file]:
                    self.save(file)
                case [number] if number.isdecimal():
                    if 1 <= int(number) <= len(legal):
                        return legal[int(number) - 1]
                    print(f"  {number} is not in the list: 1 to {len(legal)}.")
                case _:
                    action = self.parse(words)
                    if action in legal:
                        return action
                    if action is not None:
                        print(f"  {self.text(action)} is not legal now: `list` shows what is.")

    def parse(self, words: str) -> int | None:
        """The action with this text; what is wrong with it is said."""
        try:
            return self.env.parse_action(self.names.take(words))
        except playmat.UnknownAction as error:
            print(f"  {error}")
            return None
