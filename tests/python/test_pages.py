"""The pages: links lead somewhere, code runs, what they list is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat import cli

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: Folders of builds, and of packages of other people.
BUILT = {"target", "dist", "build", "demo", "runs", "node_modules", "__pycache__"}


def pages(folder: Path) -> list[Path]:
    """All markdown files below a folder that belong to this repository."""
    found = [path for path in folder.iterdir() if path.suffix == ".md" and path.is_file()]
    for inner in folder.iterdir():
        if inner.is_dir() and inner.name not in BUILT and not inner.name.startswith("."):
            found += pages(inner)
    return sorted(found)


def prose(text: str) -> str:
    """A page without its code."""
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "code", text)


def anchors(text: str) -> set[str]:
    """What a link may name after `#`, as GitHub makes it from the headings."""
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.*)$", text, re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")
        number, anchor = 0, name
        while anchor in found:
            number += 1
            anchor = f"{name}-{number}"
        found.add(anchor)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def broken(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    wrong = []
    for link in re.findall(r"\]\(([^()\s]+)\)", prose(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (
            anchor and anchor not in anchors(target.read_text(encoding="utf-8"))
        ):
            wrong.append(link)
    return wrong


def blocks(page: str) -> list[str]:
    """The Python blocks of a page of docs/."""
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert not broken(page)


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text(
        "# In C, C++\n\n## `mcts:400`, twice\n\n## Twice\n\n## Twice\n"
    )
    page = tmp_path / "page.md"
    good = ["there.md", "there.md#in-c-c", "there.md#mcts400-twice", "there.md#twice-1", "#here"]
    bad = ["gone.md", "there.md#twice-2", "#there", "there.md#in-c-c++"]
    links = " ".join(f"[a]({link})" for link in [*good, *bad, "https://example.org/#x"])
    page.write_text(f"# Here\n\n{links} `[no](link.md)`\n\n```\n[no](link.md)\n# Not here\n```\n")
    assert broken(page) == bad


def test_the_list_of_pages_has_all() -> None:
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in text, page.name


def test_the_page_of_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("python.md")
    assert len(code) == 3
    for block in code:
        exec(compile(block, "docs/python.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


def test_the_page_of_python_lists_all_commands() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    named = re.findall(r"`playmat ([a-z]+)(?: [A-Z. a-z]+)?`", text.split("## Command line")[1])
    assert set(named) == set(cli.commands())


def test_the_page_of_agents_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    game = playmat.Game("tic_tac_toe")
    venv = game.vec_env(4)
    venv.reset(seed=1)

    def network(obs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(obs), game.num_actions), np.float32), np.zeros(len(obs), np.float32)

    functions, _, search, trained, choose, samples = blocks("agents.md")
    played: dict[str, Any] = {"__name__": "page"}
    exec(compile(functions, "docs/agents.md", "exec"), played)
    assert played["venv"].results()["opponents"][0]["name"] == "lowest"
    names = {"game": game, "venv": venv, "network": network, "__name__": "page"}
    exec(compile(search, "docs/agents.md", "exec"), names)
    assert names["batch"].obs.shape[0] == 4
    (tmp_path / "policy.onnx").write_bytes((ROOT / "tests/networks/tic_tac_toe.onnx").read_bytes())
    monkeypatch.chdir(tmp_path)
    exec(compile(trained, "docs/agents.md", "exec"), names)
    search_of_page = game.search("mcts:16", rows=4)
    search_of_page.start(venv)
    while len(leaves := search_of_page.collect()):
        search_of_page.feed(*names["trained"](leaves))
    agent = game.agent("mcts:16,policy=policy.onnx")
    assert search_of_page.actions().tolist() == agent.act_batch(venv).tolist()
    exec(compile(choose, "docs/agents.md", "exec"), names)
    assert names["actions"].shape == (256,)
    exec(compile(samples, "docs/agents.md", "exec"), names)
    assert len(game.states(names["envs"])) == 256
    assert names["batch"].obs.shape[0] == 32
