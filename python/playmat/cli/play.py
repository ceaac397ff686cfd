"""``playmat play GAME``: people at one terminal, against agents or each other."""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.common import add_game, content_lines, make_game, refusal
from playmat.cli.terminal import columns, cut, wrap
from playmat.train.named import is_checkpoint, load_agent
from playmat.train.need import TRAINING, need

HELP = """  a number      plays the legal action with this number in the list
  a text        plays the action with this text (upper and lower case alike)
  help WORDS    what a card, tile or goal does, by its name or a part of it; or an action, by number
  cards         all cards, tiles and goals, with what they do
  list          lists all legal actions
  hint          what the greedy agent would play
  undo          takes back your last decision and what followed it
  board         draws the position again
  save FILE     writes the game so far as a replay, with everything that is hidden
  quit          ends the game"""
#: Legal actions that are listed before a decision.
SHOWN = 24
#: Empties the terminal, the lines above the screen included.
CLEAR = "\033[2J\033[3J\033[H"
#: How texts of games name players: by number, one or several.
PLAYERS = re.compile(r"\b[Pp]layers? (?P<list>\d+(?:(?:, | and )\d+)*)\b")


class Quit(Exception):
    """The person typed `quit`."""


class Names:
    """Names of players, which replace their numbers in texts."""

    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def __getitem__(self, player: int) -> str:
        return self.names.get(player, f"Player {player}")

    def put(self, text: str) -> str:
        """The text with names in place of `player 1`."""
        return PLAYERS.sub(self._name, text)

    def _name(self, match: re.Match[str]) -> str:
        players = match["list"]
        if any(int(player) in self.names for player in re.findall(r"\d+", players)):
            return re.sub(r"\d+", lambda number: self[int(number[0])], players)
        return match[0]

    def draw(self, text: str) -> str:
        """The same for a drawing. Its columns stay where they are, and its lines stay short."""
        return "\n".join(self._line(line) for line in text.splitlines())

    def _line(self, line: str) -> str:
        """A name is cut where it would move the column of another player. Elsewhere a line that
        becomes too long is wrapped.
        """
        done, rest = "", line
        while match := PLAYERS.search(rest):
            before, rest = rest[: match.start()], rest[match.end() :]
            name, taken = self._name(match), len(match[0])
            follows = before.isspace() if done else before.strip() and before.endswith("  ")
            if follows and re.match(r" *$|  | [Pp]layers? \d", rest):
                # The head of a column of numbers, which end where the head ends.
                text = before.rstrip()
                taken += len(before) - len(text)
                name = self._cut(name, taken - 1, match[0])
                before = text + " " * (taken - columns(name))
            elif gap := re.search(r" {2,}", rest):
                free = len(gap[0]) - 1
                if PLAYERS.search(rest, gap.end()):
                    name = self._cut(name, taken + free, match[0])
                free = min(columns(name) - taken, free)
                rest = rest[: gap.start()] + " " * (len(gap[0]) - free) + rest[gap.end() :]
            done += before + name
        return wrap(done + rest, _indent(line)) if done else line

    def _cut(self, name: str, most: int, number: str) -> str:
        """A name in at most ``most`` columns; the number if another name is cut to the same."""
        short = cut(name, most)
        same = [other for other in self.names.values() if cut(other, most) == short]
        return short if len(same) < 2 else number

    def take(self, text: str) -> str:
        """The text that a person typed, with `player 1` in place of names."""
        for player, name in self.names.items():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {player}", text, flags=re.I)
        return text


def _indent(line: str) -> int:
    """Where a line of a drawing that is wrapped goes on: below its second column, if it has one."""
    first = re.match(r" *\S+(?: \S+)* {2,}", line)
    return first.end() if first and first.end() <= 40 else len(line) - len(line.lstrip()) or 4


def register(subparsers: Any) -> None:
    """Adds the command."""
    play = subparsers.add_parser(
        "play",
        help="play against agents or each other in the terminal",
        description="Play a game in the terminal, against agents or with several people at one "
        "keyboard. Type `help` there for the commands.",
    )
    add_game(play)
    play.add_argument(
        "--player",
        type=int,
        action="append",
        metavar="N",
        help="a player that a person plays, from 0 (default: 0); may be repeated. Where the game "
        "hides something, people pass the keyboard on, and each sees what that player may know. "
        "With the option `windows=holders`, only players who hold a fitting card decide whether "
        "to play it: passing the keyboard shows that they hold one",
    )
    play.add_argument(
        "--names",
        metavar="ADA,BOB",
        help="names of all players, or of the people among them, in order (default: Player 0, ...)",
    )
    play.add_argument(
        "--opponent",
        action="append",
        metavar="AGENT",
        help="who plays the other players: greedy (default), random, a search such as mcts:400 "
        "(400 simulations for each action) or mcts:500ms, a trained network: policy.onnx, or both: "
        "mcts:400,policy=policy.onnx, a checkpoint file, or the name of a Python function: "
        "module:function or path/to/file.py:function (`help(playmat.Game.agent)` says what it is "
        "called with); given once, it plays all of them; given once for each of them, they are in "
        "order",
    )
    play.add_argument("--seed", type=int, help="seed of the episode (default: a new one)")
    play.add_argument("--save", metavar="FILE", help="write the game as a replay when it ends")
    play.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays one game."""
    game = make_game(arguments)
    if arguments.save and not Path(arguments.save).resolve().parent.is_dir():
        # Refused now, not after the last decision.
        raise refusal("save", arguments.save, "a file in a folder that exists")
    people = sorted(set(arguments.player or [0]))
    for player in people:
        if not 0 <= player < game.num_players:
            raise refusal("player", player, f"a player from 0 to {game.num_players - 1}")
    names = Names(_names(arguments.names, people, game.num_players))
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    opponents = _opponents(arguments.opponent, people, game, seed)
    session = Session(game.env(seed), people, names, opponents)
    # The seed is printed only at the end: everything hidden follows from it.
    print(f"{heading(game)}\n{wrap(f'{introduction(session)} `help` helps.')}")
    try:
        session.play()
    except (Quit, EOFError):
        print("\nGood bye.")
    if arguments.save:
        session.env.replay().save(arguments.save)
        print(f"Saved as {arguments.save}.")
    print(f"The seed was {seed}.")
    return 0


def heading(game: playmat.Game) -> str:
    """The title, with what the content calls itself."""
    title: str = game.info()["content_title"]
    return f"{game.title}: {title}" if title else game.title


def introduction(session: Session) -> str:
    """Who plays."""
    people = [session.names[player] for player in session.people]
    others = session.opponents
    if not others:
        return f"You are {_and(people)}."
    if len({agent.name for agent in others.values()}) > 1:
        who = [f"agent {agent.name} plays {session.names[i]}" for i, agent in others.items()]
        return f"You are {_and(people)}; {_and(who)}."
    whom = "the other" if len(others) == 1 else "the others"
    return f"You are {_and(people)}; agent {next(iter(others.values())).name} plays {whom}."


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _opponents(
    given: list[str] | None, people: list[int], game: playmat.Game, seed: int
) -> dict[int, playmat.Agent]:
    """The agents, by the players that they play; ``seed`` is that of the episode."""
    free = [player for player in range(game.num_players) if player not in people]
    specs = given or ["greedy"]
    agents = [_opponent(spec, game, seed + number) for number, spec in enumerate(specs)]
    if given and not free:
        raise refusal("opponent", ", ".join(given), "none: people play all players")
    if len(specs) not in (1, len(free)) and free:
        several = f", or {len(free)}: one for each player that no person plays"
        wanted = "one" + (several if len(free) > 1 else "")
        raise refusal("opponent", f"{len(specs)} agents ({', '.join(specs)})", wanted)
    return dict(zip(free, agents * len(free) if len(agents) == 1 else agents, strict=True))


def _opponent(spec: str, game: playmat.Game, seed: int) -> playmat.Agent:
    """The agent that a text names; ``seed`` is of what a checkpoint draws."""
    # Only a checkpoint needs torch.
    if is_checkpoint(spec) and Path(spec).is_file():
        need(*TRAINING, what="`playmat play` against a checkpoint")
    agent = load_agent(spec, game, None, seed, "--opponent")
    return agent if isinstance(agent, playmat.Agent) else game.agent(agent)


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
    if any(name.isdecimal() or PLAYERS.search(name) for name in names):
        raise refusal("names", given, "names that are not the number of a player")
    if len({name.lower() for name in names}) < len(names):
        raise refusal("names", given, "different names")
    return dict(zip(whose, names, strict=True))


def _fits(entry: dict[str, Any], word: str, rank: int) -> bool:
    """Whether the word is an entry's id or name (0), their beginning (1), or a part of them (2)."""
    own = (entry["id"].lower(), entry["name"].lower())
    if rank == 0:
        return word in own
    return any(name.startswith(word) if rank == 1 else word in name for name in own)


def common(lists: list[list[str]]) -> list[str]:
    """The items that are in all lists, in order."""
    shared = lists[0]
    for other in lists[1:]:
        blocks = SequenceMatcher(a=shared, b=other, autojunk=False).get_matching_blocks()
        shared = [line for block in blocks for line in shared[block.a : block.a + block.size]]
    return shared


@dataclass
class Checkpoint:
    """The session before a decision of a person."""

    player: int
    env: playmat.Env
    unseen: dict[int, list[str]]


@dataclass
class Session:
    """An episode at one terminal.

    Events are kept for each person, redacted for that player. They are printed when that person
    decides; before other people decide, only those that all people may see.
    """

    env: playmat.Env
    people: list[int]
    names: Names
    #: By player that no person plays.
    opponents: dict[int, playmat.Agent]
    #: Sentences of events that a person has not seen, by person.
    unseen: dict[int, list[str]] = field(default_factory=dict)
    #: Of these, the ones that all people may see and none has seen.
    public: list[str] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    #: The person who sees the screen.
    viewer: int | None = None

    def __post_init__(self) -> None:
        self.game = self.env.game
        self.unseen = {person: [] for person in self.people}
        #: Whether one person must not see what another one sees.
        self.hidden = len(self.people) > 1 and self.game.info()["hidden"]

    def play(self) -> None:
        """Plays to the end of the episode."""
        while not self.env.done:
            player = self.env.current_player
            if player not in self.people:
                self.step(self.opponents[player].act(self.env))
                continue
            if player != self.viewer:
                self.hand_over(player)
            self.print_unseen(player)
            print("\n" + self.names.draw(self.env.render("ansi", player)))
            print(f"\n{self.names[player]}, it is your turn.")
            self.show_actions(SHOWN)
            action = self.read_action(player)
            if action is not None:
                unseen = {person: list(lines) for person, lines in self.unseen.items()}
                self.checkpoints.append(Checkpoint(player, self.env.clone(exact=True), unseen))
                self.step(action)
        self.print_public()
        print("\n" + self.names.draw(self.env.render("ansi")))
        scores = [f"{self.names[i]}: {score}" for i, score in enumerate(self.env.scores.tolist())]
        print("\n" + wrap(f"The game is over. Scores: {', '.join(scores)}."))

    def step(self, action: int) -> None:
        """Makes a decision and keeps its events for each person."""
        self.env.step(action)
        seen = {person: self.sentences(person) for person in self.people}
        for person, lines in seen.items():
            self.unseen[person] += lines
        self.public += common(list(seen.values()))

    def sentences(self, person: int) -> list[str]:
        """The events of the last step, redacted for a person."""
        events = self.env.events(person)
        return [self.names.put(event["text"]) for event in events if "text" in event]

    def hand_over(self, player: int) -> None:
        """Passes the keyboard to another person, and hides what the one before saw."""
        if self.hidden:
            self.print_public()
            print(f"\nPass the keyboard to {self.names[player]}.")
            typed = input("Press Enter when only you can see the screen. ")
            if typed.strip().lower() in ("quit", "q"):
                raise Quit
            if sys.stdout.isatty():
                print(CLEAR, end="")
        self.viewer = player

    def print_unseen(self, player: int) -> None:
        """Prints the events that this person has not seen."""
        if self.unseen[player] and self.hidden:
            print(f"\nSince your last turn, {self.names[player]}:")
        for line in self.unseen[player]:
            print(wrap(f"  {line}"))
        self.public = []
        # Where nothing is hidden, all people see the screen.
        for person in self.people if not self.hidden else [player]:
            self.unseen[person] = []

    def print_public(self) -> None:
        """Prints the events that all people may see and none has seen."""
        for line in self.public:
            print(wrap(f"  {line}"))
        self.public = []

    def undo(self, player: int) -> bool:
        """Goes back to before this player's last decision, if there is one."""
        mine = [at for at, point in enumerate(self.checkpoints) if point.player == player]
        if not mine:
            return False
        point = self.checkpoints[mine[-1]]
        del self.checkpoints[mine[-1] :]
        self.env, self.unseen, self.public = point.env, point.unseen, []
        return True

    def save(self, file: str) -> None:
        """Saves the episode so far. It goes on, even if the file cannot be written."""
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
        """Lists the legal actions, numbered from 1; long help that repeats is printed once."""
        legal = self.env.legal_actions()
        texts = [self.text(action) for action in legal[:most]]
        width = max(map(columns, texts))
        printed = {""}
        for number, (action, text) in enumerate(zip(legal, texts, strict=False), 1):
            line = f"  {number:3} {text}"
            if (more := self.env.action_help(action)) not in printed:
                printed |= {more} if len(more) > 30 else set()
                line += " " * (width - columns(text)) + "  "
                print(wrap(line + more, min(width + 8, 40)))
            else:
                print(wrap(line, 8))
        if most is not None and len(legal) > most:
            print(f"      ... and {len(legal) - most} more: `list` shows all")

    def explain(self, words: str) -> None:
        """The help of a legal action, by its number, or of entries of the content, by name."""
        legal = self.env.legal_actions()
        if words.isdecimal() and 1 <= int(words) <= len(legal):
            action = legal[int(words) - 1]
            more = self.env.action_help(action) or "there is no more to say about it"
            print(wrap(f"  {self.text(action)}: {more}"))
            return
        entries = self.game.info()["content_entries"]
        word = words.lower()
        # The exact name first, then names that begin with the word, then names that contain it.
        found: list[dict[str, Any]] = []
        for rank in range(3):
            found = found or [entry for entry in entries if _fits(entry, word, rank)]
        if found:
            print(content_lines(found))
            return
        kinds = sorted({f"{entry['kind']}s" for entry in entries})
        known = f": `cards` lists the {_and(kinds)}" if kinds else ""
        print(wrap(f"  Nothing is called `{words}`{known}."))

    def read_action(self, player: int) -> int | None:
        """The action that the person types; None if the position has changed."""
        while True:
            # Bytes that are no text become characters that no action has.
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
                    print(content_lines(entries) or "  The game has none.")
                case ["list"]:
                    self.show_actions(None)
                case ["board"]:
                    print(self.names.draw(self.env.render("ansi", player)))
                case ["hint"]:
                    print(wrap(f"  {self.text(self.game.agent('greedy').act(self.env))}"))
                case ["undo" | "back"]:
                    if self.undo(player):
                        return None
                    print("  There is nothing to take back.")
                case ["save", file]:
                    self.save(file)
                case [number] if number.isdecimal():
                    if 1 <= int(number) <= len(legal):
                        return legal[int(number) - 1]
                    print(wrap(f"  {number} is not in the list: 1 to {len(legal)}."))
                case _:
                    action = self.parse(words)
                    if action in legal:
                        return action
                    if action is not None:
                        text = f"  {self.text(action)} is not legal now"
                        print(wrap(f"{text}: `list` shows the legal actions."))

    def parse(self, words: str) -> int | None:
        """The action with this text; None, and a message, if there is none."""
        try:
            return self.env.parse_action(self.names.take(words))
        except playmat.UnknownAction as error:
            print(wrap(f"  {error}"))
            return None
