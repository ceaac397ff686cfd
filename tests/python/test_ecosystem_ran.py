"""The check that no test module of the ecosystem is skipped everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "ecosystem" / "ran.py"
TESTS = {
    "test_here": "def test_it(): pass\ndef test_other(): pass\n",
    "test_there": "import pytest\npytest.importorskip('no_such_package')\n",
    "test_failing": "def test_it(): assert False\n",
    "test_in_class": "class TestAll:\n    def test_it(self): pass\n",
}


def report(folder: Path, name: str) -> Path:
    """What pytest says about the modules of a folder."""
    path = folder / f"{name}.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    subprocess.run([*command, "--rootdir", folder, f"--junit-xml={path}"], capture_output=True)
    return path


def test_modules_that_ran_nowhere_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    for name, code in TESTS.items():
        (folder / f"{name}.py").write_text(code)
    # The script looks for modules beside itself.
    script = folder / "ran.py"
    script.write_text(SCRIPT.read_text())
    new = report(folder, "new")

    def run(*reports: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, script, *reports]
        return subprocess.run(command, capture_output=True, text=True)

    found = run(new)
    assert found.returncode == 1
    assert found.stdout.splitlines() == [
        "test_failing: ran nowhere",
        "test_here: 2 tests in new",
        "test_in_class: 1 tests in new",
        "test_there: ran nowhere",
    ]
    assert found.stderr == "ran in no environment: test_failing, test_there\n"
    # Another environment runs what this one skipped.
    (folder / "test_there.py").write_text("def test_it(): pass\n")
    (folder / "test_failing.py").write_text("def test_it(): pass\n")
    both = run(new, report(folder, "old"))
    assert both.returncode == 0 and not both.stderr
    assert "test_here: 2 tests in new, 2 tests in old" in both.stdout
    assert "test_there: 1 tests in old" in both.stdout
    assert run().returncode == 2
