"""How many processors this process may use: the default of what runs in threads."""

from __future__ import annotations

import os

__all__ = ["available_processors"]


def available_processors() -> int:
    """The number of processors that this process may use, which may be fewer than the machine
    has: in a container, or under ``taskset``.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
