"""`playmat bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import playmat
from conftest import Call
from playmat.cli import bench
from playmat.cli.bench import BATCH, SEARCH, SINGLE, marks, write
from playmat.processors import available_processors


def test_bench(call: Call, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    begin, end = marks(BATCH)
    page.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    arguments = [
        "bench",
        "kuhn_poker",
        "--seconds",
        "0.05",
        "--num-envs",
        "64",
        "--threads",
        "1",
        "2",
    ]
    status, out, _ = call(*arguments, "--markdown", page)
    assert status == 0
    assert out.count("kuhn_poker") == 2
    text = page.read_text()
    assert text.startswith(f"before\n{begin}\n| game")
    assert text.endswith(f"{end}\nafter\n")
    assert "old" not in text
    _, out, _ = call(*arguments, "--json")
    for row in json.loads(out)["results"]:
        assert row["python"] > 0
        assert row["rust"] > 0
        assert row["memset"] > 0
        assert row["share_low"] <= row["python_share"] <= row["share_high"]
    write(tmp_path / "new.md", BATCH, "text")
    assert (tmp_path / "new.md").read_text() == "text"


def test_bench_of_searches(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    begin, end = marks(SEARCH)
    page.write_text(f"kept\n{begin}\nold\n{end}\n")
    arguments = ["bench", "kuhn_poker", "--search", "8", "--seconds", "0.05"]
    status, out, _ = call(*arguments, "--markdown", page)
    assert status == 0
    assert out.count("kuhn_poker") == 1
    assert page.read_text().startswith(f"kept\n{begin}\n| game")
    assert "playmat bench --search 8" in page.read_text()
    _, out, _ = call(*arguments, "--json")
    (row,) = json.loads(out)["results"]
    assert row["simulations"] > 0
    assert row["random"] > 0
    assert (row["two_threads"] or 0) > 0 or available_processors() == 1
    assert row["playouts"] > 0
    monkeypatch.setattr(bench, "available_processors", lambda: 1)
    status, out, _ = call(*arguments, "--json")
    assert json.loads(out)["results"][0]["two_threads"] is None
    _, out, _ = call(*arguments)
    assert "times" not in out
    for more, message in (("--single", "--single"), ("--threads=2", "--threads")):
        status, _, err = call(*arguments, more)
        assert status == 2
        assert message in err
    status, _, err = call("bench", "kuhn_poker", "--search", "0")
    assert status == 2
    assert "got 0; wanted 1 to 10000000 simulations" in err


@pytest.mark.parametrize("dtype", ["u8", "f32"])
def test_bench_of_single_environments(call: Call, tmp_path: Path, dtype: str) -> None:
    page = tmp_path / "page.md"
    (other, _), (begin, end) = marks(BATCH), marks(SINGLE)
    page.write_text(f"{other}\nkept\n{begin}\nold\n{end}\n")
    arguments = ["bench", "kuhn_poker", "--single", "--seconds", "0.05", "--dtype", dtype]
    status, out, _ = call(*arguments, "--markdown", page)
    assert status == 0
    assert out.count("kuhn_poker") == 1
    assert page.read_text().startswith(f"{other}\nkept\n{begin}\n| game")
    assert f"playmat bench --single --dtype {dtype}" in page.read_text()
    status, _, err = call(*arguments, "--threads", "2")
    assert status == 2
    assert "argument `--threads`: got [2]; wanted none with --single" in err
    _, out, _ = call(*arguments, "--json")
    (row,) = json.loads(out)["results"]
    assert 2 <= row["decisions"] <= 3
    assert min(row["stepper"], row["into"], row["fresh"], row["reset"]) > 0


@pytest.mark.parametrize(("dtype", "passed"), [("u8", None), ("f32", "f32")])
def test_bench_of_single_environments_makes_arrays_of_the_type(
    dtype: str, passed: str | None
) -> None:
    """Arrays that are made anew are of the type that those used again are of."""
    seen = set()

    class Env:
        def __init__(self, env: playmat.Env) -> None:
            self.env = env

        def __getattr__(self, name: str) -> Any:
            return getattr(self.env, name)

        def observation(self, dtype: Any = None) -> Any:
            seen.add(dtype)
            return self.env.observation(dtype=dtype)

        def stepper(self, obs: Any, mask: Any) -> playmat.Stepper:
            seen.add(obs.dtype.name)
            return self.env.stepper(obs, mask)

        def step_into(self, action: int, obs: Any, mask: Any) -> bool:
            seen.add(obs.dtype.name)
            return self.env.step_into(action, obs, mask)

    class Game:
        def __getattr__(self, name: str) -> Any:
            return getattr(playmat.Game("kuhn_poker"), name)

        def env(self, seed: int) -> Any:
            return Env(playmat.Game("kuhn_poker").env(seed))

    bench.measure_single(Game(), dtype, 0.01)  # type: ignore[arg-type]
    assert seen == {passed, "float32" if passed else "uint8"}


def test_share_of_python_is_paired_and_not_clamped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds are compared with themselves: one that is slow for both loops changes nothing."""
    times = iter(
        t for slow in (1, 9, 1, 1, 5, 1, 1, 1, 1) for t in (0.9 * slow, 1.0 * slow, 0.1 * slow)
    )
    monkeypatch.setattr(bench, "timed", lambda call: next(times))
    monkeypatch.setattr(bench, "calibrate", lambda loop, seconds: 1)
    row = bench.measure(playmat.Game("kuhn_poker"), 8, 1, "u8", 1.0)
    assert row.python_share == pytest.approx(1 - 1.0 / 0.9)
    assert row.share_low == pytest.approx(row.python_share)
    assert row.share_high == pytest.approx(row.python_share)
    assert "-11.1%" in bench.show([row], markdown=False)
