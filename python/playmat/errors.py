"""What playmat refuses, and why: one family of exceptions.

Every exception has a stable text ``code``, the same in all bindings of the engine, and attributes
with the details.
A call that raised one of them changed nothing.

================= ================================================== ============
exception         raised where                                       is also a
================= ================================================== ============
UnknownGame       no game of that name is registered                 ValueError
InvalidOption     an option of a game does not exist or fit          ValueError
ContentError      a content file does not say what it must           ValueError
IllegalAction     an action is not legal now                         ValueError
UnknownAction     a text names no action                             ValueError
InvalidPlayer     there is no player of that number                  ValueError
NotActing         the player has nothing to decide now               ValueError
EpisodeOver       the episode is over                                RuntimeError
Unreadable        bytes or text are damaged, too long, foreign       ValueError
WrongIdentity     they are of another game, version or configuration ValueError
InvalidState      a position breaks rules                            ValueError
InvalidArgument   an argument is of the wrong range, shape or type   ValueError
OrderError        a call came at the wrong time                      RuntimeError
MissingFeature    a feature or an optional package is not there      RuntimeError
================= ================================================== ============

================= =============================================================================
exception         attributes; ``help(playmat.IllegalAction)`` and so on describe them
================= =============================================================================
UnknownGame       name, known
InvalidOption     game, option, reason
ContentError      game, findings (list of Finding)
IllegalAction     action, text, player, num_actions, legal, example; rows (list of Row), count
UnknownAction     text, allowed
InvalidPlayer     player, num_players
NotActing         player
EpisodeOver       envs
Unreadable        what, reason
WrongIdentity     what, field, found, expected
InvalidState      problems (list of Problem)
InvalidArgument   argument, reason
MissingFeature    feature
================= =============================================================================

Lists hold named tuples: ``Finding(line, column, message)``, ``Problem(path, message)`` and
``Row(env, player, action)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

# Everything is left out, because `help` would spend a hundred lines on what each class inherits.
# Import by name.
__all__: list[str] = []


class Finding(NamedTuple):
    """One thing wrong in a content file. ``line`` and ``column`` are 1-based; 0 for the file as a
    whole.
    """

    line: int
    column: int
    message: str


class Problem(NamedTuple):
    """One broken rule of a position; ``path`` leads to it in the JSON form, empty for the whole."""

    path: str
    message: str


class Row(NamedTuple):
    """One refused action of a batch."""

    env: int
    player: int
    action: int


class Error(Exception):
    """Base of everything that playmat itself raises."""

    code: ClassVar[str] = "error"


class UnknownGame(Error, ValueError):
    """No game of that name is registered."""

    code: ClassVar[str] = "unknown_game"
    name: str
    known: list[str]


class InvalidOption(Error, ValueError):
    """An option does not exist, has the wrong type or is out of range."""

    code: ClassVar[str] = "invalid_option"
    game: str
    option: str
    reason: str


class ContentError(Error, ValueError):
    """A content file was refused; ``findings`` holds what is wrong with it, at most 20."""

    code: ClassVar[str] = "content"
    game: str
    findings: list[Finding]


class IllegalAction(Error, ValueError):
    """An action is not legal now.

    From a single environment: ``action``, ``text`` (None outside the action space), ``player``,
    ``legal`` (how many actions are) and ``example`` (one legal action and its text). From a joint
    step, whose refusal may reach all players: ``rows`` (of env 0) and ``count``, the entries of the
    call that are no actions, or all if there are none; the acting players are not named. From a
    batch: ``rows`` (at most 20) and ``count`` (all of them); nothing was stepped.
    """

    code: ClassVar[str] = "illegal_action"
    action: int
    text: str | None
    player: int
    num_actions: int
    legal: int
    example: tuple[int, str] | None
    rows: list[Row]
    count: int


class UnknownAction(Error, ValueError):
    """A text names no action; ``allowed`` holds some that would be understood."""

    code: ClassVar[str] = "unknown_action"
    text: str
    allowed: list[str]


class InvalidPlayer(Error, ValueError):
    """The game has no player of this number."""

    code: ClassVar[str] = "invalid_player"
    player: int
    num_players: int


class NotActing(Error, ValueError):
    """The player has no decision to make now. The acting players are not named: that could reveal
    who has chosen.
    """

    code: ClassVar[str] = "not_acting"
    player: int


class EpisodeOver(Error, RuntimeError):
    """The episode is over: only reset and reading are possible. From a batch: ``envs`` are the rows
    (at most 20).
    """

    code: ClassVar[str] = "episode_over"
    envs: list[int]


class Unreadable(Error, ValueError):
    """Bytes or text are damaged, truncated or of another format."""

    code: ClassVar[str] = "unreadable"
    what: str
    reason: str


class WrongIdentity(Error, ValueError):
    """A saved state or replay belongs to another game, version, content or configuration."""

    code: ClassVar[str] = "wrong_identity"
    what: str
    field: str
    found: str
    expected: str


class InvalidState(Error, ValueError):
    """A position breaks rules; ``problems`` holds what is wrong with it, at most 20."""

    code: ClassVar[str] = "invalid_state"
    problems: list[Problem]


class InvalidArgument(Error, ValueError):
    """An argument is out of range or of the wrong shape, type or layout."""

    code: ClassVar[str] = "invalid_argument"
    argument: str
    reason: str


class OrderError(Error, RuntimeError):
    """A call came at the wrong time, e.g. a step while another is pending, or after close."""

    code: ClassVar[str] = "order"


class MissingFeature(Error, RuntimeError):
    """The library was built without a feature, an optional package is not installed or only in a
    version that does not work, or a game does not list the outcomes of its chance (``feature`` is
    ``"chance_outcomes"``).
    """

    code: ClassVar[str] = "missing_feature"
    feature: str


def invalid(argument: str, reason: str) -> InvalidArgument:
    """The exception for an argument; the reason says what was given and what is allowed.

    Python code makes every InvalidArgument here, so that each has its attributes.
    """
    error = InvalidArgument(f"argument `{argument}`: {reason}")
    error.argument, error.reason = argument, reason
    return error


def wrong_identity(
    what: str, field: str, found: object, expected: object, reason: str
) -> WrongIdentity:
    """The exception for something of another game, version or configuration: ``field`` differs."""
    error = WrongIdentity(f"{what} does not fit: {reason}")
    error.what, error.field, error.found, error.expected = what, field, str(found), str(expected)
    return error


def one_of(argument: str, given: object, allowed: Sequence[object]) -> None:
    """Refuses a value that is none of those allowed."""
    if given not in allowed:
        names = ", ".join(f"`{one}`" if isinstance(one, str) else repr(one) for one in allowed)
        raise invalid(argument, f"got {given!r}; allowed: {names}")
