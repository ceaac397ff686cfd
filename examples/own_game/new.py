#!/usr/bin/env python3
"""Copies this folder as the beginning of another game: ``python3 new.py skull ~/skull``.

The name is that of ``playmat.Game("skull")``: lower-case letters and underscores.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Not copied: what was built, playthroughs of this game, and this program.
LEFT = shutil.ignore_patterns(
    "target", "new.py", "liars_dice_p*.txt", "__pycache__", "*.so", "*.pyd"
)


def main() -> int:
    usage = "usage: new.py NAME FOLDER   (NAME: lower-case letters and underscores)"
    if len(sys.argv) != 3 or not re.fullmatch("[a-z]+(_[a-z]+)*", sys.argv[1]):
        print(usage, file=sys.stderr)
        return 2
    name, there = sys.argv[1], Path(sys.argv[2]).resolve()
    if there.exists() or HERE in [there, *there.parents]:
        reason = "it exists" if there.exists() else "it is in the folder that is copied"
        wanted = f"name a folder that does not exist, outside {HERE}"
        print(f"{there}: {reason}; {wanted}", file=sys.stderr)
        return 2
    root = HERE.parents[1].as_posix()
    words = name.replace("_", " ").title()
    # What the numbers of its rules begin with: Skull has SK-R1, Other Game has OG-R1.
    initials = "".join(word[0] for word in name.split("_"))
    letters = (initials if len(initials) > 1 else name.ljust(2, "x"))[:2]
    renamed = [
        # Before the name, which may have these letters.
        ("LD-R", f"{letters.upper()}-R"), ("ld_r", f"{letters}_r"),
        ("Liar's Dice", words), ("LiarsDice", words.replace(" ", "")),
        ("liars-dice", name.replace("_", "-")), ("LIARS_DICE", name.upper()), ("liars_dice", name),
        # Paths to playmat, in Cargo.toml, in the script and on the page.
        ('path = "../../../', f'path = "{root}/'), ('path = "../../', f'path = "{root}/'),
        ("root=$(cd ../.. && pwd)", f"root='{root}'"),
        ("PYTHON=../../.venv", f"PYTHON='{root}'/.venv"), ("](../../", f"]({root}/"),
    ]  # fmt: skip
    shutil.copytree(HERE, there, ignore=LEFT)
    shutil.copy(HERE.parents[1] / "rustfmt.toml", there)
    for path in [path for path in there.rglob("*") if path.is_file()]:
        text = path.read_text(encoding="utf-8")
        if path.name == "README.md":
            text = re.sub("To begin a game of your own.*?```\n\n", "", text, flags=re.DOTALL)
        for old, new in renamed:
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        path.rename(path.with_name(path.name.replace("liars_dice", name)))
    shown = os.fspath(there)
    print(f"{shown}: change rules.md, src/, tests/ and python/test_*.py; then")
    print("UPDATE=1 cargo test --release page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
