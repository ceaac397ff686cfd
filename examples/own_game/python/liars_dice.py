"""playmat with the games of this crate: import this module before `playmat`. As a program,
``python -m liars_dice``, it is playmat's command line with these games.

The compiled module takes the place of `playmat._native`, which has playmat's own games. It lies
beside this file, or where the environment variable LIARS_DICE_NATIVE says.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

NAME = "playmat._native"


def _load() -> None:
    beside = Path(__file__).with_name("_native.abi3.so")
    path = os.environ.get("LIARS_DICE_NATIVE", str(beside))
    loader = importlib.machinery.ExtensionFileLoader(NAME, path)
    spec = importlib.util.spec_from_file_location(NAME, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[NAME] = module


if "playmat" in sys.modules:
    raise ImportError(
        "import `liars_dice` before `playmat`, which has loaded its own games already"
    )
_load()

if __name__ == "__main__":
    from playmat.cli import main

    sys.exit(main())
