"""The examples in docstrings run and print what they say, those of the compiled classes too."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

import playmat
import playmat.testing
import stubs

# What a newcomer looks up first: each shows itself in use.
SHOWN = ["Batch", "Env", "Game", "Replay", "VecEnv", "gae"]


def documented() -> Iterator[tuple[str, str]]:
    """Names and docstrings of everything public, members included."""
    for module in (playmat, playmat.testing):
        yield module.__name__, inspect.getdoc(module) or ""
    for name in playmat.__all__:
        thing = getattr(playmat, name)
        if inspect.ismodule(thing) or isinstance(thing, str):
            continue
        yield name, inspect.getdoc(thing) or ""
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and getattr(value, "__doc__", None):
                    yield f"{name}.{member}", inspect.getdoc(value) or ""


EXAMPLES = {name: text for name, text in documented() if ">>>" in text}


def test_what_is_looked_up_first_has_an_example() -> None:
    assert set(SHOWN) <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_do_what_they_say(name: str) -> None:
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    printed: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=printed.append)
    assert result.attempted > 2
    assert not result.failed, "".join(printed)


def test_the_stub_has_the_docstrings_of_the_compiled_module() -> None:
    """Editors show those of the stub."""
    text = stubs.STUB.read_text(encoding="utf-8")
    assert not stubs.differing(text), "run: python tests/python/stubs.py --update"
    assert stubs.updated(text) == text


def test_docstrings_are_written_into_stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "A": "A class.\n\nWith lines.",
        "A.f": 'Has "quotes" in it.',
        "A.g": "A \\ in it.",
        "A.p": "A property.",
    }
    monkeypatch.setattr(stubs, "documentation", texts.__getitem__)
    before = """\
class A:
    @overload
    def f(self, a: None = None) -> int: ...
    @overload
    def f(
        self, a: int
    ) -> str: ...
    def g(self) -> None:
        \"\"\"Old
        text.\"\"\"
    @property
    def p(self) -> int: ...
    def _private(self) -> None: ...
"""
    expected = """\
class A:
    \"\"\"A class.

    With lines.
    \"\"\"
    @overload
    def f(self, a: None = None) -> int:
        \"\"\"Has "quotes" in it.\"\"\"
    @overload
    def f(
        self, a: int
    ) -> str: ...
    def g(self) -> None:
        r\"\"\"A \\ in it.\"\"\"
    @property
    def p(self) -> int:
        \"\"\"A property.\"\"\"
    def _private(self) -> None: ...
"""
    after = stubs.updated(before)
    assert after == expected
    assert stubs.differing(before) == ["A", "A.f", "A.g", "A.p"]
    assert not stubs.differing(after)
    texts["A.p"] = ""
    with pytest.raises(SystemExit, match=r"`A\.p` has no docstring"):
        stubs.updated(before)
