"""The identity of a data set, and the names of its files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import playmat

#: Name and version of the layout of the files.
FORMAT = "playmat-rollouts/1"
#: The file that says what a data set is a record of.
MANIFEST = "manifest.json"
#: Names of files that are being written. They count for nothing.
UNFINISHED = ".unfinished-"
#: Names of parts: first and last episode.
_PART = re.compile(r"part-(\d{8,})-(\d{8,})\.parquet")
_MASK = 2**64 - 1


def episode_seed(seed: int, episode: int) -> int:
    """The seed of an episode: ``mix(mix(seed) + episode)`` modulo 2**64, where ``mix`` is a step of
    SplitMix64. Different episodes of a data set have different seeds.

    >>> episode_seed(1, 0), episode_seed(1, 1)
    (6791897765849424158, 9716232063330790915)
    """
    return _mix((_mix(seed) + episode) & _MASK)


def _mix(number: int) -> int:
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & _MASK
    return number ^ (number >> 31)


def part_name(first: int, last: int) -> str:
    """The name of the part with these episodes."""
    return f"part-{first:08}-{last:08}.parquet"


@dataclass(frozen=True)
class Identity:
    """The game, agents and seeds that a data set records. Two data sets of equal identities have
    equal rows, unless an agent searches for a time (``repeatable``).
    """

    #: Name and version of the layout of the files.
    format: str
    #: The version of playmat that plays.
    playmat_version: str
    #: Name, version, content hash and all options of the game.
    game: str
    version: int
    #: None: a game without content.
    content_hash: str | None
    options: dict[str, Any]
    #: Specs of the agents, which rotate over the players.
    agents: list[str]
    #: What the seeds of the episodes are hashed from.
    seed: int
    #: How many episodes the complete data set has.
    episodes: int

    @classmethod
    def of(cls, game: playmat.Game, agents: Sequence[str], seed: int, episodes: int) -> Identity:
        """The identity of a data set of this play."""
        info = game.info()
        return cls(
            format=FORMAT,
            playmat_version=playmat.__version__,
            game=game.name,
            version=game.version,
            content_hash=info["content_hash"],
            # As it will be read again.
            options=json.loads(json.dumps(game.options)),
            agents=[game.agent(spec).name for spec in agents],
            seed=seed,
            episodes=episodes,
        )

    @property
    def repeatable(self) -> bool:
        """Whether the same arguments give the same rows. A search with a time limit
        (``"mcts:50ms"``) plays otherwise each time.
        """
        return not any(re.match(r"[^:]+:[^,]*ms(,|$)", agent) for agent in self.agents)

    def to_json(self) -> str:
        """As text, which :meth:`from_json` reads."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, path: Path) -> Identity:
        """Reads an identity.

        Raises:
            playmat.Unreadable: It is none, or of another format; names the path.
        """
        try:
            data = json.loads(text)
        except ValueError as error:
            raise unreadable(path, f"no JSON: {error}") from error
        if not isinstance(data, dict) or not isinstance(data.get("format"), str):
            raise unreadable(path, "it does not say its format")
        if data["format"] != FORMAT:
            raise unreadable(path, f"its format is `{data['format']}`; wanted `{FORMAT}`")
        kinds: dict[str, type] = {"version": int, "seed": int, "episodes": int}
        kinds |= {"options": dict, "agents": list}
        for field in fields(cls):
            kind = kinds.get(field.name, str)
            if field.name == "content_hash" and field.name in data and data[field.name] is None:
                continue
            if type(data.get(field.name)) is not kind:
                raise unreadable(path, f"`{field.name}` is missing or no {kind.__name__}")
        if not data["agents"] or not all(isinstance(agent, str) for agent in data["agents"]):
            raise unreadable(path, "`agents` is no list of specs")
        return cls(**{field.name: data[field.name] for field in fields(cls)})

    def check(self, wanted: Identity, what: str, who: str, names: Sequence[str] = ()) -> None:
        """Compares with another identity, in all fields or those named.

        Raises:
            playmat.WrongIdentity: They differ; the message names every difference.
        """
        differences = []
        for name in names or [field.name for field in fields(self)]:
            found, expected = getattr(self, name), getattr(wanted, name)
            if isinstance(found, dict):
                differences += _differences(found, expected)
            elif found != expected:
                differences.append((name, _text(found), _text(expected)))
        if not differences:
            return
        texts = [f"{name} is {found}, {who} {expected}" for name, found, expected in differences]
        refusal = playmat.WrongIdentity(f"{what} does not fit: {'; '.join(texts)}")
        refusal.what = what
        refusal.field, refusal.found, refusal.expected = differences[0]
        raise refusal

    def check_game(self, game: playmat.Game, what: str) -> None:
        """Refuses a game that is not the recorded one.

        Raises:
            playmat.WrongIdentity: Names what differs.
        """
        here = Identity.of(game, [], self.seed, self.episodes)
        self.check(here, what, "this is", ("game", "version", "content_hash", "options"))


def _differences(
    found: Mapping[str, Any], expected: Mapping[str, Any]
) -> list[tuple[str, str, str]]:
    """Options that differ. Those of another game are not comparable: one of them is enough."""
    rows = []
    for name in dict.fromkeys([*found, *expected]):
        if found.get(name) != expected.get(name):
            row = (f"option {name}", _text(found.get(name)), _text(expected.get(name)))
            rows.append(row)
    return rows


def _text(value: object) -> str:
    """A value in a message; long contents are cut."""
    text = ",".join(value) if isinstance(value, list) else str(value)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def unreadable(path: Path, reason: str) -> playmat.Unreadable:
    """The refusal of a file."""
    refusal = playmat.Unreadable(f"cannot read `{path}`: {reason}")
    refusal.what, refusal.reason = str(path), reason
    return refusal


def read_manifest(folder: Path) -> Identity:
    """The identity of the data set in a folder.

    Raises:
        OSError: The folder or its manifest cannot be read.
        playmat.Unreadable: It is no data set; names the path.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise unreadable(folder, f"it is no data set: there is no {MANIFEST}") from error
    return Identity.from_json(text, path)


def parts(folder: Path, episodes: int) -> list[tuple[int, int, Path]]:
    """First and last episode and path of every part, in order.

    Raises:
        playmat.Unreadable: Parts are missing between others, overlap, or lie beyond the end.
    """
    found = []
    for path in folder.iterdir():
        if match := _PART.fullmatch(path.name):
            found.append((int(match[1]), int(match[2]), path))
    found.sort()
    wanted = 0
    for first, last, path in found:
        if first != wanted or last < first or last >= episodes:
            expected = f"a part that begins with episode {wanted}" if wanted < episodes else "none"
            raise unreadable(
                path, f"it holds the episodes {first} to {last}; wanted {expected} of {episodes}"
            )
        wanted = last + 1
    return found
