"""Docstrings of python/playmat/_native.pyi: `python tests/python/stubs.py --update` copies them from the compiled module.

Editors read the stub, not the compiled module, so what they show when the pointer rests on
`VecEnv.step` must be there. The Rust sources hold the text; a test compares both.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from playmat import _native

STUB = Path(__file__).resolve().parents[2] / "python" / "playmat" / "_native.pyi"
Documented: TypeAlias = ast.ClassDef | ast.FunctionDef


def definitions(tree: ast.Module) -> Iterator[tuple[str, Documented]]:
    """Public classes, methods, properties and functions, each with its dotted name; of a function
    with overloads the first, whose docstring editors show for all of them.
    """

    def within(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, Documented]]:
        before = ""
        for node in body:
            if isinstance(node, Documented) and not node.name.startswith("_"):
                if node.name != before:
                    yield owner + node.name, node
                before = node.name
                if isinstance(node, ast.ClassDef):
                    yield from within(node.body, f"{node.name}.")

    return within(tree.body, "")


def documentation(name: str) -> str:
    """The docstring of the compiled module, without its indentation."""
    owner: Any = _native
    for part in name.split("."):
        owner = inspect.getattr_static(owner, part)
    text = owner.__func__.__doc__ if isinstance(owner, staticmethod) else owner.__doc__
    return inspect.cleandoc(text or "")


def literal(text: str, indent: str) -> list[str]:
    """The lines of a docstring as source."""
    assert '"""' not in text and not text.endswith('"')
    quotes = 'r"""' if "\\" in text else '"""'
    lines = f"{quotes}{text}".splitlines()
    closing = '"""' if len(lines) == 1 else f'\n{indent}"""'
    body = [lines[0], *(f"{indent}{line}" if line else "" for line in lines[1:])]
    return f"{indent}{chr(10).join(body)}{closing}".split("\n")


def updated(text: str) -> str:
    """The stub with the docstrings of the compiled module."""
    lines = text.split("\n")
    # From the end, so that the numbers of the lines before stay.
    for name, node in sorted(definitions(ast.parse(text)), key=lambda pair: -pair[1].lineno):
        wanted = documentation(name)
        if not wanted:
            raise SystemExit(f"`{name}` has no docstring in the compiled module")
        indent = " " * (node.col_offset + 4)
        first = node.body[0]
        if ast.get_docstring(node) is not None:
            lines[first.lineno - 1 : first.end_lineno] = literal(wanted, indent)
        elif isinstance(node, ast.ClassDef):
            at = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))])
            lines[at - 1 : at - 1] = literal(wanted, indent)
        else:
            # `...`, on the line of the definition.
            at = first.lineno - 1
            lines[at : at + 1] = [lines[at].removesuffix("...").rstrip(), *literal(wanted, indent)]
    return "\n".join(lines)


def differing(text: str) -> list[str]:
    """Names whose docstring in the stub is not that of the compiled module."""
    pairs = definitions(ast.parse(text))
    return [name for name, node in pairs if (ast.get_docstring(node) or "") != documentation(name)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="rewrite the stub")
    args = parser.parse_args()
    text = STUB.read_text(encoding="utf-8")
    if args.update:
        STUB.write_text(updated(text), encoding="utf-8")
    elif names := differing(text):
        sys.exit(f"{', '.join(names)}: python tests/python/stubs.py --update")


if __name__ == "__main__":
    main()
