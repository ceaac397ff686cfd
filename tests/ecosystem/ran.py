"""Checks that every test module here ran in at least one environment.

    python tests/ecosystem/ran.py REPORT.xml...

The reports are those of `pytest --junit-xml`. A test module may skip in one environment, where a
package does not exist or cannot live with the others, but then another one must run it. Prints
a line for each module, and with status 1 the modules that ran nowhere.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def passed(report: Path) -> dict[str, int]:
    """The number of tests that passed, by module."""
    counts: dict[str, int] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        if not any(case.find(kind) is not None for kind in ("skipped", "failure", "error")):
            # A class would follow the module: "tests.ecosystem.test_jax.TestSomething".
            for part in case.get("classname", "").split("."):
                if part.startswith("test_"):
                    counts[part] = counts.get(part, 0) + 1
                    break
    return counts


def check(reports: Sequence[Path], folder: Path = HERE) -> tuple[list[str], list[str]]:
    """A line for each module of the folder, and the names of those that ran nowhere."""
    counts = {report.stem: passed(report) for report in reports}
    lines, nowhere = [], []
    for module in sorted(path.stem for path in folder.glob("test_*.py")):
        where = {name: ran[module] for name, ran in counts.items() if module in ran}
        text = ", ".join(f"{number} tests in {name}" for name, number in where.items())
        lines.append(f"{module}: {text or 'ran nowhere'}")
        if not where:
            nowhere.append(module)
    return lines, nowhere


def main(arguments: Sequence[str]) -> int:
    """Prints what ran where."""
    if not arguments:
        print("no reports", file=sys.stderr)
        return 2
    lines, nowhere = check([Path(name) for name in arguments])
    print("\n".join(lines))
    if nowhere:
        print(f"ran in no environment: {', '.join(nowhere)}", file=sys.stderr)
    return 1 if nowhere else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
