"""The stubs say what may be written: checked with mypy on `typing/uses.py`."""

from __future__ import annotations

import pydoc
import re
from pathlib import Path

import numpy as np
import pytest
from mypy import api

import playmat

HERE = Path(__file__).parent


def test_what_is_documented_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = Path(playmat.__file__).parent.parent
    # mypy finds an installed package by itself, and refuses its folder on this path.
    if packages.name != "site-packages":
        monkeypatch.setenv("MYPYPATH", str(packages))
    options = ["--strict", "--no-error-summary", "--cache-dir", str(tmp_path)]
    out, err, status = api.run([*options, str(HERE / "typing" / "uses.py")])
    assert (status, out, err) == (0, "", "")


def test_errors_are_a_module_that_type_checkers_find() -> None:
    assert "errors" in playmat.__all__
    for name in vars(playmat.errors):
        thing = getattr(playmat.errors, name)
        if isinstance(thing, type) and issubclass(thing, playmat.Error):
            assert getattr(playmat, name) is thing
            # The overview of the module names each.
            assert name == "Error" or f"\n{name} " in (playmat.errors.__doc__ or "")


def test_help_is_not_mostly_about_what_exceptions_inherit() -> None:
    text = pydoc.plain(pydoc.render_doc(playmat))
    assert "add_note" not in text and "with_traceback" not in text
    assert "help(playmat.errors)" in text
    assert len(text.splitlines()) < 2000
    text = pydoc.plain(pydoc.render_doc(playmat.errors))
    assert "add_note" not in text and "with_traceback" not in text
    assert len(text.splitlines()) < 80


def test_the_overview_of_errors_names_their_attributes() -> None:
    overview = playmat.errors.__doc__ or ""
    *_, attributes, _ = overview.split("=\n")
    rows = dict(line.split(" ", 1) for line in attributes.splitlines() if " " in line)
    for error in playmat.Error.__subclasses__():
        for name in error.__annotations__.keys() - {"code"}:
            assert re.search(rf"\b{name}\b", rows[error.__name__]), (error, name)
    for item in (playmat.errors.Finding, playmat.errors.Problem, playmat.errors.Row):
        assert f"``{item.__name__}({', '.join(item._fields)})``" in overview


@pytest.mark.parametrize(
    ("given", "name"),
    [
        *((given, "u8") for given in ("u8", "uint8", np.uint8, np.dtype("u1"))),
        *((given, "f32") for given in ("f32", "float32", np.float32, np.dtype(np.float32))),
    ],
)
def test_element_types_have_all_their_names(small: playmat.Game, given: object, name: str) -> None:
    wanted = {"u8": np.uint8, "f32": np.float32}[name]
    venv = small.vec_env(2, dtype=given)  # type: ignore[arg-type]
    assert venv.dtype == name
    assert venv.reset(1).obs.dtype == wanted
    assert small.env(1).observation(dtype=given).dtype == wanted  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ("f64", "got `f64`; allowed: `u8` or `uint8`, `f32` or `float32`"),
        (np.float64, "got `float64`; allowed: `u8` or `uint8`"),
        (float, "got `float64`; allowed"),
        (np.dtype(">f4"), "got `>f4`; allowed"),
        (3, "got an object of type `int`; wanted a text or a type of numpy"),
    ],
)
def test_other_element_types_are_refused(small: playmat.Game, given: object, match: str) -> None:
    for call in (
        lambda: small.vec_env(2, dtype=given),  # type: ignore[arg-type]
        lambda: small.env(1).observation(dtype=given),  # type: ignore[call-overload]
    ):
        with pytest.raises(playmat.InvalidArgument, match=f"`dtype`: {match}"):
            call()


def test_seeds_that_cannot_be_are_shown_with_their_environment(small: playmat.Game) -> None:
    venv = small.vec_env(2)
    for seeds, message in (
        (np.array([-1, 2]), "got -1 for environment 0; allowed: whole numbers, 0 to 2"),
        ([2, -1], "got -1 for environment 1; allowed: whole numbers, 0 to 2"),
        ([2, 2**64], "got 18446744073709551616 for environment 1; allowed: whole numbers, 0 to 2"),
        ([2, "x"], "got an object of type `str` for environment 1; allowed: whole numbers, 0"),
        ([2, 1.0], "got an object of type `float` for environment 1; allowed: whole numbers, 0"),
        *(
            (np.arange(2, dtype=dtype), f"got elements of type {name}; wanted whole numbers; `.ast")
            for dtype, name in ((float, "float64"), (np.float32, "float32"), (bool, "bool"))
        ),
        (
            memoryview(np.arange(2.0)),
            "got elements of type d; wanted whole numbers; `numpy.asarray",
        ),
        (np.int64(-1), "got -1; allowed: whole numbers, 0 to 2"),
    ):
        with pytest.raises(playmat.InvalidArgument, match=f"`seed`: {message}"):
            venv.reset(seed=seeds)
    with pytest.raises(
        playmat.InvalidArgument, match="`seed`: got -1; allowed: whole numbers, 0 to 2"
    ):
        small.env(np.int64(-1))
    for dtype in (">i8", object):
        assert venv.reset(seed=np.array([1, 2], dtype)).episode_seed.tolist() == [1, 2]


def test_a_game_for_one_takes_opponents_that_never_play() -> None:
    game = playmat.Game("graphia", players=1)
    venv = game.vec_env(3, view="single", opponents={"random": 1, "greedy": 2})
    plain = game.vec_env(3, view="single")
    for _ in range(2):
        assert venv.reset(1).obs.tolist() == plain.reset(1).obs.tolist()
    for _ in range(100):
        actions = venv.sample_actions()
        assert actions.tolist() == plain.sample_actions().tolist()
        one, other = venv.step(actions), plain.step(actions)
        assert one.obs.tolist() == other.obs.tolist()
        assert one.reward.tolist() == other.reward.tolist()
        assert (one.opponent == -1).all()
    assert venv.add_opponent("greedy") == 2
    venv.set_weights([1, 2, 3])
    assert len(venv.results()["opponents"]) == 3
    game.vec_env(1, learner="rotate", opponents="random")
    with pytest.raises(playmat.InvalidArgument, match="the caller plays every player"):
        game.vec_env(1, opponents="random")
