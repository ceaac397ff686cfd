"""Optional packages: what happens without them, and that nothing imports them early."""

from __future__ import annotations

import re
from typing import Any

import pytest

import playmat
from adapters import ROOT, python
from playmat import extras

ADAPTERS = [
    ("playmat.gymnasium", "gymnasium", "gymnasium"),
    ("playmat.sb3", "sb3", "gymnasium"),
    ("playmat.sb3", "sb3", "stable_baselines3"),
    ("playmat.openspiel", "openspiel", "pyspiel"),
]
PACKAGES = {
    "gymnasium": "gymnasium",
    "stable_baselines3": "stable-baselines3",
    "pyspiel": "open_spiel",
}

REFUSED = (
    "import playmat, sys\n"
    "{before}\n"
    "try:\n"
    "    import {adapter}\n"
    "except playmat.MissingFeature as error:\n"
    "    print(error.feature)\n"
    "    print(error)\n"
    "assert '{adapter}' not in sys.modules\n"
)


@pytest.mark.parametrize(("adapter", "extra", "module"), ADAPTERS)
def test_a_missing_package_is_named(adapter: str, extra: str, module: str) -> None:
    run = python(REFUSED.format(before=f"sys.modules['{module}'] = None", adapter=adapter))
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        extra,
        f"`{adapter}` needs the package `{PACKAGES[module]}`, which is not installed: "
        f"pip install 'playmat[{extra}]'",
    ]


@pytest.mark.parametrize(("adapter", "extra", "module"), ADAPTERS)
@pytest.mark.parametrize("version", ["0.29.1", "99.0"])
def test_a_wrong_version_is_named(adapter: str, extra: str, module: str, version: str) -> None:
    # The version that the metadata of the installed package says.
    before = (
        "import importlib.metadata\n"
        "real = importlib.metadata.version\n"
        f"importlib.metadata.version = lambda name: '{version}' if name == '{PACKAGES[module]}' "
        "else real(name)"
    )
    run = python(REFUSED.format(before=before, adapter=adapter))
    assert run.returncode == 0, run.stderr
    (one,) = {r for r in extras.EXTRAS[extra] if r.module == module}
    assert run.stdout.splitlines() == [
        extra,
        f"`{adapter}` needs the package `{PACKAGES[module]}` in another version than {version}: "
        f"{one.minimum} or newer, below {one.below}: pip install 'playmat[{extra}]'",
    ]


def test_the_version_of_a_loaded_package_counts() -> None:
    before = "import gymnasium\ngymnasium.__version__ = '1.2.1'"
    run = python(REFUSED.format(before=before, adapter="playmat.gymnasium"))
    assert "in another version than 1.2.1: 1.2.2 or newer, below 2" in run.stdout, run.stderr


def test_an_import_error_inside_a_package_is_not_hidden() -> None:
    before = "sys.modules['gymnasium.spaces'] = None"
    run = python(REFUSED.format(before=before, adapter="playmat.gymnasium"))
    assert run.returncode == 1
    assert "gymnasium.spaces" in run.stderr
    assert "MissingFeature" not in run.stderr


@pytest.mark.parametrize(
    ("version", "supported"),
    [
        ("1.2.2", True),
        ("1.2.1", False),
        ("1.2.10", True),
        ("1.2", False),
        ("1.10", True),
        ("1.4.0a1", True),
        ("2", False),
        ("2.0.0", False),
        ("10.1", False),
        ("unknown", False),
    ],
)
def test_versions_are_compared_as_numbers(version: str, supported: bool) -> None:
    assert extras.GYMNASIUM.supports(version) is supported


def test_nothing_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, playmat, playmat.extras, playmat.cli\n"
        "print([name for name in ('gymnasium', 'stable_baselines3', 'sb3_contrib', 'torch', 'pyspiel')"
        " if name in sys.modules])\n"
    )
    run = python(code)
    assert run.stdout == "[]\n", run.stderr
    code = "import sys, playmat.gymnasium\nprint('torch' in sys.modules)\n"
    assert python(code).stdout == "False\n"


def test_pyproject_has_the_same_requirements() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra, requirements in extras.EXTRAS.items():
        (line,) = re.findall(rf"^{extra} = \[(.*)\]$", text, re.MULTILINE)
        named = [one.specifier for one in requirements]
        assert set(named) <= set(re.findall(r'"([^"]+)"', line)), extra


def test_the_entry_point_registers_the_ids() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (target,) = re.findall(r'entry-points."gymnasium.envs"\]\n__root__ = "([\w.:]+)"', text)
    module, function = target.split(":")
    code = (
        f"import gymnasium, {module}, sys\n"
        "{before}"
        f"{module}.{function}()\n"
        "print('playmat/Graft-v0' in gymnasium.registry)\n"
    )
    run = python(code.format(before=""))
    assert run.stdout == "True\n", run.stderr
    run = python(code.format(before="gymnasium.__version__ = '0.29.1'\n"))
    assert run.stdout == "False\n", run.stderr


def test_training_still_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from playmat.train.need import need

    modules: dict[str, Any] = {"torch": None}
    monkeypatch.setitem(__import__("sys").modules, "torch", modules["torch"])
    with pytest.raises(playmat.MissingFeature, match="which is not installed") as error:
        need("torch", what="training")
    assert error.value.feature == "train"
