"""Text for a terminal: columns, and lines of at most :data:`WIDTH` columns."""

from __future__ import annotations

import textwrap
import unicodedata

#: Most columns of a line.
WIDTH = 100
#: Stands for the second column of a wide character while a text is wrapped.
_FILLER = "\0"


def columns(text: str) -> int:
    """The number of columns that a text takes: two for each wide character, none for a mark on the
    character before it.
    """
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "FW" else 1


def cut(text: str, most: int) -> str:
    """The text, or its beginning and an ellipsis, in at most ``most`` columns."""
    if columns(text) <= most:
        return text
    while columns(text) >= most:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, indent: int = 4) -> str:
    """The text in lines of at most :data:`WIDTH` columns, broken between words. Lines after the
    first begin with ``indent`` spaces.
    """
    # textwrap counts characters: with fillers there are as many of them as columns.
    filled = "".join(sign + _FILLER * (_columns(sign) - 1) for sign in text)
    lines = textwrap.wrap(filled, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return "\n".join(lines).replace(_FILLER, "")
