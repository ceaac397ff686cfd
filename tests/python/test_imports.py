"""No circle of imports within a crate has more than three files: what a file needs can be read before the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Tests and what only they use may import everything.
FOR_TESTS = re.compile(r"(^|/)(tests|testing|toy)(/|\.rs$)|^pool/model\.rs$")

# Whichever begins first: a comment may hold a quote, and a string what looks like a comment.
LITERALS = re.compile(
    r"""
    //[^\n]* | /\*[\s\S]*?\*/                         # comments
    | \bb?r(?P<marks>\#*)"[\s\S]*?"(?P=marks)         # raw strings
    | "(?:\\[\s\S] | [^"\\])*"                       # strings
    | '(?:\\(?:u\{[^}]*\} | x.. | .) | [^'\\\n])'     # characters, but not lifetimes
    """,
    re.VERBOSE,
)

Name = tuple[str, ...]


def module(path: str) -> Name:
    """The module of a file: `vec/mod.rs` and `vec.rs` are both `("vec",)`."""
    parts = tuple(path.removesuffix(".rs").removesuffix("/mod").split("/"))
    return () if parts == ("lib",) else parts


def without_tests(text: str) -> str:
    """Rust without comments, strings, characters and what is compiled for tests only."""
    text = LITERALS.sub(lambda found: "" if found[0].startswith("/") else '""', text)
    while start := re.search(r"#\[cfg\((?:test|all\(test[^\]]*)\)\]", text):
        end = re.compile(r"[{;]").search(text, start.end())
        assert end is not None
        at, depth = end.end(), int(end[0] == "{")
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        text = text[: start.start()] + text[at:]
    return text


def names(tree: str) -> Iterator[str]:
    """Every path of a `use` tree: `a::{b, c::d}` has `a::b` and `a::c::d`."""
    if "{" not in tree:
        yield tree.strip().removesuffix("::self")
        return
    before, inside = tree.split("{", 1)
    depth, part = 0, ""
    for char in inside.rsplit("}", 1)[0] + ",":
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if part.strip():
                yield from names(before.strip() + part.strip())
            part = ""
        else:
            part += char


def imports(files: dict[str, str]) -> dict[str, set[str]]:
    """The files that each file imports, through re-exports."""
    by_module = {module(path): path for path in files}
    exported: dict[Name, dict[str, Name]] = {}
    used: dict[str, list[tuple[Name, bool]]] = {}

    def absolute(path: str, at: Name) -> Name | None:
        parts = tuple(part.strip() for part in path.split("::"))
        while parts[:1] == ("super",):
            at, parts = at[:-1], parts[1:]
        if parts[:1] == ("crate",):
            return parts[1:]
        if path.strip().startswith(("super", "self")):
            return at + parts[parts[:1] == ("self",) :]
        return at + parts if (*at, parts[0]) in by_module else None

    use = re.compile(r"(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
    for path, text in files.items():
        at = module(path)
        used[path] = []
        body = use.sub("", text)
        for public, tree in use.findall(text):
            for name in names(tree):
                name, _, alias = name.partition(" as ")
                target = absolute(name, at)
                if target is None:
                    continue
                last = alias.strip() or target[-1]
                exported.setdefault(at, {})[last] = target
                # A name that is only handed on is needed by those who import it from here.
                used[path].append(
                    (target, not public or re.search(rf"\b{last}\b", body) is not None)
                )
        for inline in re.findall(r"(?<![:\w])\w+(?:::\w+)+", body):
            target = absolute(inline, at)
            if target is not None:
                used[path].append((target, True))

    def file(name: Name) -> str | None:
        for length in range(len(name), -1, -1):
            if name[:length] in by_module:
                rest = name[length:]
                onward = exported.get(name[:length], {}).get(rest[0]) if rest else None
                return (
                    file((*onward, *rest[1:]))
                    if onward and onward != name
                    else by_module[name[:length]]
                )
        return None

    edges: dict[str, set[str]] = {}
    for path, list_ in used.items():
        targets = {file(target) for target, needed in list_ if needed}
        edges[path] = {target for target in targets if target is not None and target != path}
    return edges


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The sets of files in which each reaches each other one."""
    reach: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = edges[todo.pop()] - seen
            seen |= new
            todo += new
        reach[start] = seen
    found: list[set[str]] = []
    for start in edges:
        circle = {to for to in reach[start] if start in reach[to]}
        if circle and circle not in found:
            found.append(circle)
    return found


def imports_of(crate: str) -> dict[str, set[str]]:
    source = ROOT / crate / "src"
    paths = {str(path.relative_to(source)): path for path in sorted(source.rglob("*.rs"))}
    files = {
        name: without_tests(path.read_text())
        for name, path in paths.items()
        if not FOR_TESTS.search(name)
    }
    return imports(files)


@pytest.mark.parametrize(
    ("crate", "imported", "least"),
    [
        ("core", [("env.rs", "game.rs"), ("vec/env.rs", "vec/core.rs")], 700),
        ("conformance", [("sampling.rs", "fixture.rs"), ("fixture.rs", "config.rs")], 120),
    ],
)
def test_no_circle_of_imports_has_more_than_three_files(
    crate: str, imported: list[tuple[str, str]], least: int
) -> None:
    edges = imports_of(crate)
    # What this test reads is what the compiler reads.
    assert all(to in edges[file] for file, to in imported)
    assert sum(map(len, edges.values())) > least
    large = [sorted(circle) for circle in circles(edges) if len(circle) > 3]
    assert not large, large


def test_strings_and_characters_hide_nothing() -> None:
    """What follows a string, a character or a comment is read, and what is within it is not."""
    rust = r"""
        const A: &str = "http://host"; use crate::a; // "use crate::b;
        fn f<'a>(x: &'a str) -> bool { x == '"' || x == '\'' || x == '\u{22}' || x == '{' }
        /* " use crate::b; */ use crate::c; const B: &str = r##"use "# crate::b;"##;
        use crate::d; const C: &str = "\"//"; use crate::e;
    """
    text = without_tests(rust)
    files = {f"{name}.rs": "" for name in "abcde"}
    assert imports({**files, "f.rs": text})["f.rs"] == {"a.rs", "c.rs", "d.rs", "e.rs"}
    assert "<'a>(x: &'a str)" in text and text.count("{") == text.count("}") == 1


def test_a_circle_is_found() -> None:
    files = {
        "lib.rs": "pub mod a; pub mod b; pub mod c; pub mod d;",
        "a.rs": "use crate::b::{B, other::C};",
        "b.rs": "pub use crate::c::C as Renamed; pub struct B;",
        "c.rs": "fn f() { crate::d::g() }",
        "d.rs": "use super::b::Renamed; use crate::a;",
    }
    edges = imports(files)
    assert edges["b.rs"] == set()
    assert edges["d.rs"] == {"c.rs", "a.rs"}
    assert circles(edges) == [{"c.rs", "d.rs"}]
