"""Optional packages: what each extra installs, and a clear error when something is missing.

``import playmat`` imports none of them. A module that needs one calls :func:`need` first.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import sys
from typing import NamedTuple

import playmat

__all__ = ["EXTRAS", "Requirement", "need", "register_gymnasium"]


class Requirement(NamedTuple):
    """One package of an extra: its name for pip, with its own extras in brackets, its module,
    and the versions that work.
    """

    package: str
    module: str
    minimum: str | None = None
    """The oldest supported version; None for any."""
    below: str | None = None
    """The first version that is not supported; None for no limit."""

    @property
    def specifier(self) -> str:
        """The requirement as ``pyproject.toml`` writes it."""
        parts = [f">={self.minimum}"] if self.minimum else []
        parts += [f"<{self.below}"] if self.below else []
        return self.package + ",".join(parts)

    @property
    def versions(self) -> str:
        """The supported versions in words."""
        parts = [f"{self.minimum} or newer"] if self.minimum else []
        parts += [f"below {self.below}"] if self.below else []
        return ", ".join(parts)

    def supports(self, version: str) -> bool:
        """Whether a version is in range. Suffixes of pre-releases do not count."""
        number = release(version)
        return not (
            (self.minimum and number < release(self.minimum))
            or (self.below and number >= release(self.below))
        )


GYMNASIUM = Requirement("gymnasium", "gymnasium", "1.2.2", "2")
TORCH = Requirement("torch", "torch", "2.4")

#: What each extra of ``pyproject.toml`` needs. Their tools for reports, tests and progress bars are
#: named only there.
EXTRAS: dict[str, tuple[Requirement, ...]] = {
    "ray": (Requirement("ray", "ray", "2.50", "3"),),
    "pettingzoo": (Requirement("pettingzoo", "pettingzoo", "1.25", "2"),),
    "torchrl": (
        TORCH,
        Requirement("tensordict", "tensordict", "0.14.3", "0.15"),
        Requirement("torchrl", "torchrl", "0.14", "0.15"),
    ),
    "rllib": (TORCH, Requirement("ray[rllib]", "ray", "2.60", "3")),
    "datasets": (Requirement("pyarrow", "pyarrow", "17"),),
    "minari": (Requirement("pyarrow", "pyarrow", "17"), Requirement("minari", "minari", "0.5")),
    "openspiel": (Requirement("open_spiel", "pyspiel", "1.6.1", "3"),),
    "gymnasium": (GYMNASIUM,),
    "sb3": (
        GYMNASIUM,
        Requirement("stable-baselines3", "stable_baselines3", "2.7.1", "3"),
        Requirement("sb3-contrib", "sb3_contrib", "2.7.1", "3"),
    ),
}


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at the end.

    >>> release("1.4.0a1"), release("2") < release("2.0.1")
    ((1, 4), True)
    """
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(number) for number in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def installed(requirement: Requirement) -> str | None:
    """The version of a package that is loaded or installed; None where nothing says it."""
    loaded = getattr(sys.modules.get(requirement.module), "__version__", None)
    if isinstance(loaded, str):
        return loaded
    try:
        return importlib.metadata.version(requirement.package.partition("[")[0])
    except importlib.metadata.PackageNotFoundError:
        return None


def need(*modules: str, what: str, extra: str) -> None:
    """Imports modules of an extra, or says what is missing and how to install it.

    Args:
        modules: Names of modules; without any, all that :data:`EXTRAS` has.
        what: What needs them, as the error calls it.
        extra: The extra that installs them.

    Raises:
        playmat.MissingFeature: A package is not installed, or its version is not supported;
            ``feature`` is ``extra``.
    """
    known = {requirement.module: requirement for requirement in EXTRAS.get(extra, ())}
    for module in modules or known:
        requirement = known.get(module, Requirement(module, module))
        version = installed(requirement) if requirement.versions else None
        if version is not None and not requirement.supports(version):
            raise refusal(
                f"{what} needs the package `{requirement.package}` in another version than "
                f"{version}: {requirement.versions}",
                extra,
            )
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise refusal(
                f"{what} needs the package `{requirement.package}`, which is not installed",
                extra,
            ) from error


def refusal(reason: str, extra: str) -> playmat.MissingFeature:
    """The exception that names a reason and the command that installs the extra."""
    error = playmat.MissingFeature(f"{reason}: pip install 'playmat[{extra}]'")
    error.feature = extra
    return error


def register_gymnasium() -> None:
    """The entry point of the group ``gymnasium.envs``: registers the ids of
    ``playmat.gymnasium``.

    Does nothing if the installed version of Gymnasium is not supported: other programs of such an
    installation need not use playmat.
    """
    version = installed(GYMNASIUM)
    if version is not None and GYMNASIUM.supports(version):
        importlib.import_module("playmat.gymnasium")
