"""Functions that are named by texts: in `playmat arena`, `exploit` and `play`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat.functions import identity, load_function, names_function
from playmat.train.arena import Match, Plan, round_robin

Call = Callable[..., tuple[int, str, str]]

BOTS = """
import numpy as np
from helper_of_bots import SHIFT

def lowest(obs, mask, player):
    return mask.argmax(1) + SHIFT

def highest(obs, mask, player):
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)

def uniform(obs, mask, player):
    return mask / mask.sum(1, keepdims=True)

def greedily(obs, mask, player, greedy):
    return greedy

greedily.takes_greedy = True

def fails(obs, mask, player):
    return [][len(mask)]

class Policy:
    name = "another name"

    def __call__(self, obs, mask, player):
        return mask.argmax(1)

    @classmethod
    def first(cls, obs, mask, player):
        return mask.argmax(1)

policy = Policy()
NUMBER = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with functions, in which the command runs."""
    for name in ("bots.py", "bots_of_module.py"):
        (tmp_path / name).write_text(BOTS)
    (tmp_path / "helper_of_bots.py").write_text("SHIFT = 0\n")
    (tmp_path / "broken.py").write_text("import nowhere_to_be_found\n")
    (tmp_path / "wrong.py").write_text("def f(:\n")
    (tmp_path / "script.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("helper_of_bots", "bots_of_module", "broken", "script"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_texts_that_name_functions() -> None:
    for text in ("a:b", "a.b:c", "a.b:C.d", "a/b.py:c", "../x y/b.py:c", "C:\\a\\b.py:c", "_a:_b"):
        assert names_function(text), text
    for text in ("mcts:400", "mcts:50ms", "mcts:many", "mcts:8,policy=a.onnx", "a", "a.py", "a:", ":b",
                 "a:1", "a-b:c", "a/b:c", "a.onnx,temperature=1", "a:b,c=1",
                 "random:x", "greedy:fast"):  # fmt: skip
        assert not names_function(text), text


def test_the_arena_plays_functions(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same deals for texts and functions.
    monkeypatch.setattr(
        "playmat.train.arena.keys_of", lambda specs, *known: [str(k) for k in range(len(specs))]
    )
    agents = ["bots.py:lowest", str(folder / "bots.py:highest"), "bots_of_module:lowest", "random"]
    command = ("arena", "connect_four", "--episodes", "20", "--json", "--agents")
    status, out, error = call(*command, *agents[:2], ",".join(agents[2:]))
    assert (status, error) == (0, "")
    found = {row["agent"]: row for row in json.loads(out)}
    assert set(found) == {"bots.py:lowest", "bots.py:highest", "bots_of_module:lowest", "random"}
    # As the functions themselves.
    lowest = load_function("bots.py:lowest", "agents")
    highest = load_function("bots.py:highest", "agents")
    twins = {"a": lowest, "b": highest, "c": load_function("bots_of_module:lowest", "agents")}
    wanted = round_robin("connect_four", {}, {**twins, "random": "random"}, 20, seed=1, threads=1)
    names = dict(zip(wanted.agents, ("bots.py:lowest", "bots.py:highest", "bots_of_module:lowest",
                                     "random"), strict=True))  # fmt: skip
    for row in wanted.ratings():
        assert found[names[row.agent]]["rating"] == pytest.approx(row.rating)
    # Objects, methods and functions that read the greedy agent's action.
    texts = ["bots.py:policy", "bots.py:Policy.first", "bots.py:greedily", "greedy"]
    result = round_robin("goofspiel", {}, texts, 8)
    assert result.agents == tuple(texts)
    pairs = [round_robin("goofspiel", {}, [texts[0], who], 8) for who in texts[2:]]
    assert (pairs[0].won == pairs[1].won).all() and (pairs[0].margin == pairs[1].margin).all()
    # Of two files with the same name the folders tell which is which.
    (folder / "more").mkdir()
    (folder / "more" / "bots.py").write_text(BOTS)
    (folder / "more" / "helper_of_bots.py").write_text("SHIFT = 1\n")
    texts = ["bots.py:lowest", "more/bots.py:lowest"]
    assert round_robin("kuhn_poker", {}, texts, 4).agents == tuple(texts)
    # And each has the modules that lie beside it.
    mask = np.ones((1, 2), np.uint8)
    chosen = [load_function(text, "agents")(None, mask, 0).tolist() for text in texts]
    assert chosen == [[0], [1]]


def test_a_function_is_recognized_in_another_run(folder: Path) -> None:
    save = folder / "arena.jsonl"

    def play(first: str) -> list[int]:
        played: list[int] = []
        round_robin(
            "connect_four", {}, [first, "random"], 20, save=save,
            played=lambda done, total: played.append(done),
        )  # fmt: skip
        return played

    assert play("bots.py:lowest")[0] == 0
    assert play("bots.py:lowest") == [20]
    assert play(f"{folder}/bots.py:lowest") == [20], "wherever the file lies"
    assert play("bots.py:highest")[0] == 0, "another function"
    text = (
        "import sys; from playmat.train.arena import round_robin; from pathlib import Path\n"
        "round_robin('connect_four', {}, ['bots.py:lowest', 'random'], 20, save=Path('arena.jsonl'),"
        " played=lambda done, total: print(done))"
    )
    command = [sys.executable, "-c", text]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["20"], "in another process"
    changed = BOTS.replace("mask.argmax(1) + SHIFT", "mask.argmax(1)")
    (folder / "bots.py").write_text(changed)
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stdout.split()[0] == "0", "the file has changed"


def test_a_file_that_changes_is_another_function(folder: Path) -> None:
    def first_episodes(agent: str) -> int:
        played: list[int] = []
        round_robin(
            "connect_four", {}, [agent, "random"], 20, save=folder / "arena.jsonl",
            played=lambda done, total: played.append(done),
        )  # fmt: skip
        return played[0]

    assert first_episodes("bots.py:lowest") == 0
    assert first_episodes("bots.py:lowest") == 20
    (folder / "bots.py").write_text(BOTS.replace("mask.argmax(1) + SHIFT", "mask.argmax(1) + 0"))
    assert first_episodes("bots.py:lowest") == 0, "it is read again"
    # A module stays as it was imported.
    assert first_episodes("bots_of_module:lowest") == 20, "the first one, in another file"
    (folder / "bots_of_module.py").write_text(BOTS + "\n")
    with pytest.raises(playmat.InvalidArgument, match="has changed since it was imported"):
        first_episodes("bots_of_module:lowest")


def test_another_process_must_have_the_same_file(folder: Path) -> None:
    plan = Plan("connect_four", {}, ("bots.py:lowest", "random"), 4, 0, None, 1)
    match = Match((0, 1), 4, 4, 1, 0)
    assert plan.run(match).returns.shape == (4, 2)
    there = identity("bots.py:lowest", "agents")
    assert replace(plan, identities=(there, None)).run(match).returns.shape == (4, 2)
    (folder / "bots.py").write_text(BOTS + "\n")
    with pytest.raises(playmat.WrongIdentity, match="its file is not the one with which"):
        replace(plan, identities=(there, None)).run(match)


def test_exploitability_of_a_function(folder: Path, call: Call) -> None:
    def exploit(*arguments: str) -> dict[str, Any]:
        status, out, error = call("exploit", "kuhn_poker", *arguments, "--json")
        assert (status, error) == (0, "")
        found: dict[str, Any] = json.loads(out)
        return found

    assert exploit("bots.py:uniform")["nash_conv"] == pytest.approx(exploit("random")["nash_conv"])
    lowest = exploit("bots_of_module:lowest")
    assert exploit("bots_of_module:lowest", "--decisions", "3") == lowest
    direct = playmat.exploitability(
        playmat.Game("kuhn_poker"), lambda obs, mask, player: mask.argmax(1)
    )
    assert lowest["values"] == list(direct.values)


def test_a_function_is_an_opponent_at_the_terminal(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    status, out, _ = call("play", "tic_tac_toe", "--opponent", "bots.py:highest", "--seed", "1")
    assert status == 0
    assert "agent bots.py:highest plays the other" in out and "The seed was 1." in out


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("nowhere_at_all:f", "got `nowhere_at_all:f`; there is no module `nowhere_at_all`"),
        ("json.nothing:f", "got `json.nothing:f`; there is no module `json.nothing`"),
        ("nowhere.py:f", "got `nowhere.py:f`; there is no file `nowhere.py`"),
        (
            "bots.py:lowst",
            "got `bots.py:lowst`; there is no `lowst` in it (did you mean `lowest`?)",
        ),
        ("bots.py:policy.second", "there is no `second` in it"),
        ("bots.py:NUMBER", "got `bots.py:NUMBER`, which is int; wanted a function"),
        ("bots.py:Policy", "got `bots.py:Policy`, which is a class; wanted a function"),
        ("bots.py", "got `bots.py`; wanted a function in it, `bots.py:NAME`"),
        ("broken.py:f", "its module raised ModuleNotFoundError in "),
        ("script.py:f", "its module raised SystemExit in "),
        ("script.py:f", "script.py, line 2: 3"),
        ("script:f", "its module raised SystemExit in "),
        ("nowhere.py", "got `nowhere.py`; there is no such file"),
        ("broken:f", "broken.py, line 1: No module named 'nowhere_to_be_found'"),
        ("wrong.py:f", "got `wrong.py:f`; its module raised SyntaxError: "),
        ("bots.py:fails", "function `bots.py:fails` raised IndexError in "),
        ("bots.py:fails", "bots.py, line 20: list index out of range"),
        ("bots.py:lowest,x=1", "got `bots.py:lowest,x=1`; allowed: `random`"),
    ],
)
def test_functions_that_cannot_play(folder: Path, call: Call, agent: str, message: str) -> None:
    status, out, error = call(
        "arena", "tic_tac_toe", "--agents", agent, "random", "--episodes", "4"
    )
    assert (status, out) == (2, "")
    assert error.startswith("playmat: argument `agents`: ") and message in error
    assert error.count("\n") == 1


def test_other_refusals(folder: Path, call: Call) -> None:
    for command, message in [
        (("exploit", "kuhn_poker", "bots.py:f"), "`policy`: got `bots.py:f`; there is no `f` in it"),
        (("exploit", "kuhn_poker", "bots.py:fails"), "`policy`: function `bots.py:fails` raised"),
        (("exploit", "kuhn_poker", "bots.py:f", "--learn"), "`policy`: got `bots.py:f`; there is no `f` in it"),
        (("exploit", "kuhn_poker", "gone.pt"), "`policy`: got `gone.pt`; there is no such file"),
        (("exploit", "kuhn_poker", "bots.py", "--learn"), "`policy`: got `bots.py`; wanted a function in it"),
        (("play", "tic_tac_toe", "--opponent", "gone.pt"), "`--opponent`: got `gone.pt`; there is no such file"),
        (("exploit", "graft", "bots.py:lowest"), "chance"),
        (("exploit", "kuhn_poker", "bots.py:lowest", "--minutes", "1"), "`minutes`: it is for a learned best response"),
        (("play", "tic_tac_toe", "--opponent", "bots.py:f"), "`--opponent`: got `bots.py:f`; there is no `f` in it"),
        (("play", "tic_tac_toe", "--opponent", "gone:f"), "`--opponent`: got `gone:f`; there is no module `gone`"),
    ]:  # fmt: skip
        status, _, error = call(*command)
        assert status == 2 and message in error, error
    with pytest.raises(playmat.InvalidArgument, match="whose module has no file"):
        round_robin("kuhn_poker", {}, ["sys:intern", "random"], 4, save=folder / "a.jsonl")
    assert not (folder / "a.jsonl").exists()
