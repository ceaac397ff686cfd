"""What training needs beyond numpy, and a clear word when it is missing."""

from __future__ import annotations

import importlib
import os

import playmat

#: Packages of the extra ``train``, by what uses them.
TRAINING = ("torch",)
REPORTS = ("matplotlib", "tensorboard")


def need(*packages: str, what: str, extra: str = "train") -> None:
    """Imports packages, or says which extra has them.

    Raises:
        playmat.MissingFeature: A package is not installed; ``feature`` is the extra.
    """
    # Threads of torch that wait asleep, not spinning: beside any other busy process spinning made
    # training on two cores up to fifty times slower, alone it gains little. Must be said before
    # torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for package in packages:
        try:
            importlib.import_module(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
            refusal = playmat.MissingFeature(
                f"{what} needs the package `{package}`, which is not installed: "
                f"pip install 'playmat[{extra}]'"
            )
            refusal.feature = extra
            raise refusal from error
