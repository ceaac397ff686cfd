"""``playmat rollouts``: what is refused before anything is played. Needs no extra package; what it
writes is tested in tests/ecosystem/test_datasets.py.
"""

from __future__ import annotations

import contextlib
import sys
import time
import types
from pathlib import Path

import pytest

import playmat
from conftest import Call
from playmat import datasets
from playmat.cli.common import progress_bar
from playmat.extras import need


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grafia"], "did you mean `graphia`"),
        (["graft", "-o", "players=9"], "from 2 to 5"),
        (["graft", "--agents", "nobody"], "`--agents`: got `nobody`; wanted `random`, `greedy`, "),
        (["graft", "--agents", "greedy,,random"], "`--agents`: got ``; wanted `random`, `greedy`"),
        (["graft", "--agents", "greedy,mcts:0"], "`--agents`: got `mcts:0`; wanted 1 to 10000000"),
        (["graft", "--episodes", "0"], "`--episodes`: got 0; wanted 1 or more"),
        (["graft", "--threads", "-1"], "`--threads`: got -1; wanted 1 or more"),
        (["graft", "--seed", "-1"], "`--seed`: got -1; wanted a number from 0 to 2**64 - 1"),
        (["graft", "--seed", str(2**64)], f"`--seed`: got {2**64}; wanted a number from 0 to"),
    ],
)
def test_refusals_are_one_line_and_leave_no_folder(
    call: Call, arguments: list[str], message: str, tmp_path: Path
) -> None:
    status, out, err = call("rollouts", *arguments, "--out", tmp_path / "data")
    assert status == 2 and not out
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_a_folder_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    from playmat.cli import main

    with pytest.raises(SystemExit) as refused:
        main(["rollouts", "graft"])
    assert refused.value.code == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        ([], "pyarrow", "datasets"),
        (["--format", "minari"], "minari", "minari"),
        (["--format", "minari"], "h5py", "minari"),
        (["--format", "minari"], "PIL", "minari"),
    ],
)
def test_missing_packages_name_their_extra(
    call: Call, arguments: list[str], package: str, extra: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ("pyarrow", "minari", "h5py", "PIL"):
        # As good as installed, but for the one.
        monkeypatch.setitem(sys.modules, name, sys)
    hide(monkeypatch, package)
    status, _, err = call("rollouts", "graft", "--out", tmp_path / "data", *arguments)
    assert status == 2
    assert f"needs the package `{package}`" in err and f"pip install 'playmat[{extra}]'" in err
    assert not (tmp_path / "data").exists()


def hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Makes a package one that is not installed."""
    monkeypatch.delitem(sys.modules, package, raising=False)

    class Finder:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])


def test_library_calls_name_their_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = playmat.Game("tic_tac_toe")
    hide(monkeypatch, "pyarrow")
    with pytest.raises(playmat.MissingFeature, match=r"recording a data set .*playmat\[datasets\]"):
        datasets.record(game, ["random"], 5, tmp_path / "data")
    assert not (tmp_path / "data").exists()
    manifest(tmp_path, game)
    with pytest.raises(playmat.MissingFeature, match=r"reading a data set") as refused:
        datasets.read(tmp_path, game)
    assert refused.value.feature == "datasets"
    # A wrong game is refused first: that needs no package.
    with pytest.raises(playmat.WrongIdentity, match="game is `tic_tac_toe`, this is `kuhn_poker`"):
        datasets.read(tmp_path, playmat.Game("kuhn_poker"))
    with pytest.raises(playmat.MissingFeature):
        datasets.to_minari(tmp_path)


def manifest(folder: Path, game: playmat.Game) -> None:
    """A data set of which nothing is played."""
    identity = datasets.Identity.of(game, ["random"], 1, 5)
    (folder / "manifest.json").write_text(identity.to_json())


def test_a_package_that_breaks_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "broken_package":
                raise ModuleNotFoundError("No module named 'inner'", name="inner")

    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match="inner"):
        need("broken_package", what="this test", extra="datasets")


def test_progress_without_tqdm_is_a_line_every_few_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with progress_bar(90, "playing") as progress:
        now += 5
        progress(10)
    # Nobody watches a file.
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress_bar(90, "playing") as progress:
        for done in range(0, 91, 10):
            progress(done)
            now += 1
    assert capsys.readouterr().err == "playing: 40 of 90\nplaying: 80 of 90\n"


def test_progress_with_tqdm_begins_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = []

    class Bar(contextlib.nullcontext):
        def __init__(self, **arguments: object) -> None:
            super().__init__(self)
            self.arguments, self.n, self.initial = arguments, 0, 0
            bars.append(self)

        def update(self, more: int) -> None:
            self.n += more

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress_bar(90, "playing") as progress:
        for done in (60, 75, 90):
            progress(done)
    (bar,) = bars
    assert bar.arguments == {"total": 90, "desc": "playing", "leave": False}
    # The speed is that of the 30 episodes that were played.
    assert (bar.n, bar.initial) == (90, 60)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": []}, r"`agents`: got \[\]; wanted a list of one spec or more"),
        ({"agents": "greedy"}, "`agents`: got 'greedy'; wanted a list"),
        ({"agents": ["nobody"]}, "got `nobody`; allowed: `random`"),
        ({"episodes": 0}, "`episodes`: got 0; wanted 1 or more"),
        ({"threads": 0}, "`threads`: got 0; wanted 1 or more"),
        ({"seed": -1}, "`seed`: got -1; wanted a number from 0"),
    ],
)
def test_library_refuses_bad_arguments(changes: dict, message: str, tmp_path: Path) -> None:
    arguments = {"agents": ["random"], "episodes": 5, "out": tmp_path / "data"} | changes
    with pytest.raises(playmat.InvalidArgument, match=message):
        datasets.record(playmat.Game("tic_tac_toe"), **arguments)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "from a library"), "[Errno 28] No space left on device: 'a/file'"),
        (OSError("a library's own words"), "a library's own words: 'a/file'"),
        (OSError(13, "Permission denied", "b"), "[Errno 13] Permission denied: 'b'"),
    ],
)
def test_errors_of_writing_name_a_path(error: OSError, message: str) -> None:
    with pytest.raises(OSError) as refused, datasets.recording.naming(Path("a/file")):
        raise error
    assert str(refused.value) == message


def test_seeds_of_episodes_are_those_of_the_formula() -> None:
    # SplitMix64 from 0: the first number of its published sequence, which is mix(0).
    assert datasets.identity._mix(0) == 0xE220A8397B1DCDAF
    assert datasets.episode_seed(0, 0) == datasets.identity._mix(0xE220A8397B1DCDAF)
    assert datasets.episode_seed(0, 5) == datasets.identity._mix(0xE220A8397B1DCDAF + 5)
    seeds = {datasets.episode_seed(2**64 - 1, episode) for episode in range(10_000)}
    assert len(seeds) == 10_000 and max(seeds) < 2**64


def test_searches_with_a_time_limit_do_not_repeat() -> None:
    game = playmat.Game("graft")
    for agents, repeatable in [
        (["random", "greedy"], True),
        (["mcts:50,threads=2"], True),
        (["greedy", "mcts:50ms"], False),
        (["mcts:50ms,c=2"], False),
    ]:
        assert datasets.Identity.of(game, agents, 0, 1).repeatable == repeatable
