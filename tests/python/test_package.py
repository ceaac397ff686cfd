"""What the wheel carries besides the package itself."""

from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.md"]


def test_the_wheel_lists_licences_and_third_party_notices():
    line = next(
        line
        for line in (ROOT / "pyproject.toml").read_text().splitlines()
        if line.startswith("license-files")
    )
    assert line == "license-files = [" + ", ".join(f'"{name}"' for name in TEXTS) + "]"


def test_the_installed_wheel_has_licences_and_third_party_notices():
    try:
        files = metadata.files("playmat") or []
    except metadata.PackageNotFoundError:
        pytest.skip("this playmat is a checkout, not an installed wheel")
    for name in TEXTS:
        found = [file for file in files if file.name == name and ".dist-info" in str(file)]
        assert len(found) == 1, name
        assert found[0].read_text() == (ROOT / name).read_text()
