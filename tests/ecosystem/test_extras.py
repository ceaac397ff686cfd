"""Optional packages: what happens without them, and that nothing imports them early."""

from __future__ import annotations

import re
from typing import Any

import pytest

import playmat
from adapters import ROOT, python
from playmat import extras

#: What needs each extra. The environment of `playmat.sb3` works without sb3-contrib.
USES = {
    "gymnasium": "import playmat.gymnasium as tried",
    "sb3": "import playmat.sb3 as tried",
    "pettingzoo": "import playmat.pettingzoo as tried",
    "torchrl": "import playmat.torchrl as tried",
    "rllib": "import playmat.rllib as tried",
    "openspiel": "import playmat.openspiel as tried",
    "datasets": "import playmat.datasets as d; d.record(playmat.Game('graft'), ['random'], 1, 'nowhere')",
    "minari": "import playmat.datasets as d; d.to_minari('nowhere')",
}
NEEDED = [
    (extra, requirement)
    for extra in USES
    for requirement in extras.EXTRAS[extra]
    if requirement.module != "sb3_contrib"
]

#: Tries a use beside other versions of a package, and then without it.
REFUSED = """
import importlib.metadata, sys
import playmat

def attempt():
    try:
        {use}
        print("works")
    except playmat.MissingFeature as error:
        print(error.feature + "; " + str(error))

real = importlib.metadata.version
for version in {versions}:
    importlib.metadata.version = lambda name: version if name == {package!r} else real(name)
    attempt()
importlib.metadata.version = real
sys.modules[{module!r}] = None
attempt()
"""


@pytest.mark.parametrize(
    ("extra", "needed"), NEEDED, ids=[f"{extra}-{one.module}" for extra, one in NEEDED]
)
def test_other_versions_and_missing_packages_are_named(
    extra: str, needed: extras.Requirement
) -> None:
    others = ["0.0.9"] if needed.below is None else ["0.0.9", needed.below, "99.0"]
    package = needed.package.partition("[")[0]
    code = REFUSED.format(use=USES[extra], versions=others, package=package, module=needed.module)
    run = python(code, "-W", "ignore")
    assert run.returncode == 0, run.stderr
    *wrong, missing = run.stdout.splitlines()
    what, install = (
        rf"{extra}; .* needs the package `{re.escape(needed.package)}`",
        re.escape(f": pip install 'playmat[{extra}]'"),
    )
    assert len(wrong) == len(others)
    for version, text in zip(others, wrong, strict=True):
        other = f" in another version than {version}: {needed.versions}"
        assert re.fullmatch(what + re.escape(other) + install, text), text
    assert re.fullmatch(what + ", which is not installed" + install, missing), missing


def test_rllib_without_its_own_packages_is_named() -> None:
    """Ray can be installed without what RLlib needs."""
    pytest.importorskip("ray", reason="ray[rllib] is in the other environment")
    code = REFUSED.format(use=USES["rllib"], versions=[], package="", module="tree")
    run = python(code, "-W", "ignore")
    wanted = "rllib; `playmat.rllib` needs `ray[rllib]`; Ray is installed without it ("
    assert run.stdout.startswith(wanted), run.stderr


def test_sb3_works_without_sb3_contrib() -> None:
    code = REFUSED.format(use=USES["sb3"], versions=[], package="", module="sb3_contrib")
    assert python(code, "-W", "ignore").stdout == "works\n"


@pytest.mark.parametrize("needed", {one for _, one in NEEDED}, ids=lambda one: one.package)
def test_the_limits_are_where_they_are_said_to_be(needed: extras.Requirement) -> None:
    assert needed.minimum is not None and needed.supports(needed.minimum)
    assert needed.below is None or not needed.supports(needed.below)


def test_the_version_of_a_loaded_package_counts() -> None:
    run = python("import gymnasium\ngymnasium.__version__ = '1.2.1'\nimport playmat.gymnasium")
    assert "in another version than 1.2.1: 1.2.2 or newer, below 2" in run.stderr


def test_an_import_error_inside_a_package_is_not_hidden() -> None:
    run = python("import sys\nsys.modules['gymnasium.spaces'] = None\nimport playmat.gymnasium")
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
        "print([name for name in ('gymnasium', 'stable_baselines3', 'sb3_contrib', 'torch', 'pyspiel',"
        " 'pettingzoo', 'torchrl', 'ray', 'pyarrow', 'minari') if name in sys.modules])\n"
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
