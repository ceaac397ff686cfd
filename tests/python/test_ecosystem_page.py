"""docs/ecosystem.md names the versions that `make test-ecosystem` installs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ecosystem.md"
#: Only run the tests.
TOOLS = {"pytest", "pytest-timeout", "hypothesis", "tqdm", "pillow", "h5py"}


def pins(name: str) -> dict[str, str]:
    """Package and version of each line of a requirement file."""
    lines = (ROOT / "tests" / "ecosystem" / f"requirements-{name}.txt").read_text().splitlines()
    wanted = [line for line in lines if not line.startswith("#")]
    for line in wanted:
        assert re.fullmatch(r"[\w\-\[\]]+==[\w.]+", line), f"no exact pin: {line}"
    return {package: version for package, _, version in (line.partition("==") for line in wanted)}


def test_table_of_versions_is_what_is_installed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = re.search(r"<!-- versions:begin.*?-->(.*)<!-- versions:end -->", text, re.S)
    assert table is not None
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[1].splitlines()[3:]]
    new, old = pins("new"), pins("old")
    expected = {name: (new.get(name, "-"), old.get(name, "-")) for name in [*new, *old]}
    shown = {name: (first, second) for name, first, second in rows}
    assert shown == {name: pair for name, pair in expected.items() if name not in TOOLS}


def test_the_old_environment_differs_as_the_page_says() -> None:
    new, old = pins("new"), pins("old")
    assert old["gymnasium"] == "1.2.2" != new["gymnasium"]
    assert set(old) - set(new) == {"ray[rllib]"}
    assert not set(new) - set(old)
    differing = {name for name in set(new) & set(old) if new[name] != old[name]}
    assert differing == {"gymnasium"}


def test_the_table_of_overhead_has_every_adapter() -> None:
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"<!-- overhead:begin.*?-->\n(.*?)<!-- overhead:end -->", text, re.S)
    script = (ROOT / "tests" / "ecosystem" / "speed.py").read_text(encoding="utf-8")
    titles = [
        *re.findall(r"Adapter\(\s*\"(.*?)\"", script),
        *re.findall(r"^    \(?\s*\(?\"(\w+'s `.*?)\"", script, re.M),
    ]
    assert len(titles) >= 18
    assert re.findall(r"^\| ([A-Z].*?) \|", table, re.M) == titles


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib")
def test_extras_of_data_sets_are_those_of_the_package() -> None:
    import tomllib

    from playmat import datasets

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = {
        extra: {re.split(r"[<>=\[]", word)[0] for word in extras[extra]} - {"tqdm"}
        for extra in ("datasets", "minari")
    }
    assert names["datasets"] == set(datasets.PACKAGES)
    modules = {"pillow": "PIL"}
    assert {modules.get(n, n) for n in names["minari"]} == set(datasets.MINARI_PACKAGES)
