"""The packages that training needs besides numpy, and a clear error when one is missing."""

from __future__ import annotations

import os

from playmat import extras

#: Packages of the extra ``train``, by what uses them.
TRAINING = ("torch",)
REPORTS = ("matplotlib", "tensorboard")


def need(*packages: str, what: str) -> None:
    """Imports packages, or says which extra has them.

    Raises:
        playmat.MissingFeature: A package is not installed; ``feature`` is ``"train"``.
    """
    # Threads of torch that wait asleep, not spinning: beside any other busy process spinning made
    # training on two cores up to fifty times slower, alone it gains little. Must be said before
    # torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    extras.need(*packages, what=what, extra="train")
