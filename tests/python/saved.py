"""What tests compare of saves."""

from __future__ import annotations

import playmat

#: Bytes at the end of a save: the streams of ``sample_action`` and of agents, and counts of copies and samples.
STREAMS = 84


def position(env: playmat.Env) -> bytes:
    """The save without the streams: equal in equal positions, whatever was drawn there."""
    return env.to_bytes()[:-STREAMS]
