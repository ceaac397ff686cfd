"""What the README shows is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import readme


def test_tables_are_as_generated() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert readme.replaced(text) == text, "run: python tests/python/readme.py --update"


def test_example_runs(capsys) -> None:
    code = readme.example()
    assert len(code.strip().splitlines()) <= 15, "the README promises a short example"
    exec(compile(code, "README.md", "exec"), {"__name__": "readme_example"})
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_commands_named_exist() -> None:
    from playmat import cli

    text = readme.README.read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:playmat )?([a-z]+) (?:GAME|FILE)`", text))
    assert named, "the README names commands"
    assert named <= set(cli.commands()), "the README names a command that does not exist"


def test_pictures_exist() -> None:
    text = readme.README.read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert pictures
    for picture in pictures:
        assert (Path(readme.README).parent / picture).is_file(), picture
