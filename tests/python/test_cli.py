"""The command line as a whole: wrong use, options, what it imports, interrupts."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import playmat
from conftest import Call
from playmat.cli import build_parser
from playmat.cli.common import parse_options, table


def test_module_and_version() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "playmat", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == f"playmat {playmat.__version__}"


def test_numpy_is_all_that_is_imported() -> None:
    code = (
        "import sys, playmat, playmat.cli, playmat.testing\n"
        "playmat.cli.main(['games'])\n"
        "known = set(sys.stdlib_module_names) | {'playmat', 'numpy'}\n"
        "extra = {name.partition('.')[0] for name in sys.modules} - known\n"
        "print(sorted(name for name in extra if not name.startswith('_')), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", "import site; site.main()\n" + code],
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {
        "torch",
        "tqdm",
        "matplotlib",
        "gymnasium",
        "pettingzoo",
        "pyspiel",
        "onnx",
        "hypothesis",
        "pyarrow",
        "minari",
        "pytest",
    }
    assert not heavy & set(eval(run.stderr.strip().splitlines()[-1]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "grafia"], "did you mean `graphia`"),
        (["info", "graphia", "-o", "players=9"], "from 1 to 8"),
        (["info", "graphia", "-o", "players"], "wanted NAME=VALUE"),
        (["balance", "graphia", "--agents", "nobody"], "allowed: `random`, `greedy`"),
        (["replay", "no such file"], "'no such file'"),
        (["play", "connect_four", "--player", "7"], "got 7; wanted a player from 0 to 1"),
        (["play", "connect_four", "--names", "Ada,Ada"], "wanted different names"),
        (["play", "connect_four", "--names", "a,b,c"], "wanted 2 names, or 1 for the people"),
        (["play", "connect_four", "--names", "Player 1"], "not the number of a player"),
        (["play", "connect_four", "--names", ""], "names of 1 to 20 characters"),
        (["digest", "chess"], "unknown game"),
        (["balance", "graven", "--choices", "CARDS"], "one of PASS, YES, DRAW, LINE, FRONT"),
        (["balance", "graphia", "--episodes", "0"], "`--episodes`: got 0; wanted 1 or more"),
        (["balance", "graphia", "--agents", "greedy,random,random"], "at most 2 agents"),
        (["balance", "graven", "--matrix-episodes", "-1"], "got -1; wanted 0 or more"),
        (["bench", "kuhn_poker", "--seconds", "-1"], "`--seconds`: got -1.0; wanted"),
        (["bench", "kuhn_poker", "--seconds", "nan"], "`--seconds`: got nan; wanted"),
        (["replay"], "wanted a replay or `--game`"),
        (
            ["replay", "a.json", "--html", "b", "--play-on", "c"],
            "`--play-on`: not together with `--html`",
        ),
        (["replay", "a.json", "--json", "--svg"], "`--svg`: not together with `--json`"),
        (["replay", "a.json", "--html", "b", "--to", "1"], "`--to`: not together with `--html`"),
        (["replay", "a.json", "--actions", "1"], "`--actions`: only with `--game`"),
        (["replay", "a.json", "--game", "kuhn_poker"], "only without FILE"),
        (["replay", "--game", "kuhn_poker", "--options", "3"], "wanted a JSON object"),
        (["replay", "--game", "kuhn_poker", "--options", "{"], "no JSON"),
        (["replay", "--game", "kuhn_poker", "--actions", "1,x"], "got `x`"),
        (["replay", "--game", "kuhn_poker", "--actions", "1,9"], "number 1: illegal action 9"),
    ],
)
def test_errors_are_one_line(call: Call, arguments: list[str], message: str) -> None:
    status, _, err = call(*arguments)
    assert status == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


#: Arguments of every command that has `--seed`.
SEEDED = {
    "play": ["kuhn_poker"],
    "replay": ["--game", "kuhn_poker"],
    "balance": ["kuhn_poker", "--episodes", "2"],
    "exploit": ["kuhn_poker", "greedy", "--decisions", "2"],
    "rollouts": ["kuhn_poker", "--episodes", "2", "--out", "data"],
    "train": ["kuhn_poker", "--out", "run"],
    "arena": ["kuhn_poker", "--agents", "random", "greedy", "--episodes", "2"],
    "demo": ["--out", "run"],
}


def test_every_command_refuses_a_seed_out_of_range(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (action,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    have = {name for name, parser in action.choices.items() if "--seed" in parser.format_help()}
    assert have == set(SEEDED)
    for command, arguments in SEEDED.items():
        for seed in (-1, 2**64):
            status, out, err = call(command, *arguments, "--seed", str(seed))
            assert (status, out) == (2, ""), command
            assert re.search(f"argument `(--)?seed`: got {seed}; (allowed|wanted)", err), err
            assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_options_are_read_by_their_look() -> None:
    pairs = ["a=3", "b=true", "c=word", "d=[1, 2]", "e=1.5", "f=a=b"]
    values = {"a": 3, "b": True, "c": "word", "d": [1, 2], "e": 1.5, "f": "a=b"}
    assert parse_options(pairs) == values
    assert parse_options(["island_set=1", "players=1"], "gravitix") == {
        "island_set": "1",
        "players": 1,
    }
    assert parse_options(['island_set="1"'], "gravitix") == {"island_set": "1"}


def test_an_option_that_is_given_twice_is_refused(call: Call) -> None:
    status, _, err = call(
        "info", "graphia", "-o", "players=2", "-o", "reward=score", "-o", "players =3"
    )
    assert status != 0
    assert "`--option`: got `players=2` and `players=3`; each option once" in err


def test_closed_pipe_is_no_error() -> None:
    """`playmat info GAME | head -1`."""
    command = [sys.executable, "-m", "playmat", "info", "graphia", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(timeout=60) == 0


def test_arena_help_has_one_percent_sign() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "playmat", "arena", "--help"], capture_output=True, text=True
    )
    assert run.returncode == 0
    assert "95% intervals" in run.stdout


def test_extras_are_used() -> None:
    """What an extra installs is named somewhere in the package."""
    text = " ".join(path.read_text() for path in Path(playmat.__file__).parent.rglob("*.py"))
    for requirement in importlib.metadata.requires("playmat") or []:
        name, _, condition = requirement.partition(";")
        # Metadata may have a hyphen where pyproject.toml has an underscore.
        package = re.split(r"[<>=~! \[]", name.strip())[0].replace("-", "[-_]")
        if "extra" in condition and "test" not in condition:
            assert re.search(rf"\b{package}\b", text), requirement


def test_tables() -> None:
    text = table(["name", "n"], [["a", 1], ["bcd", 22]])
    assert text.splitlines() == ["name   n", "a      1", "bcd   22"]
    marked = table(["name", "n"], [["a", 1]], markdown=True)
    assert marked.splitlines()[1] == "| ---- | : |".replace(":", ":") or "|" in marked


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_long_calls() -> None:
    code = (
        "import playmat, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "game = playmat.Game('connect_four')\n"
        "venv = game.vec_env(256)\n"
        "venv.reset(seed=1)\n"
        "print('ready', flush=True)\n"
        "calls = {'survey': lambda: game.survey(10**9), 'scale': lambda: game.reward_scale(10**9),\n"
        "         'digest': lambda: game.digest(10**9),\n"
        "         'rollout': lambda: venv.rollout('random', 10**8), 'loop': lambda: venv._loop(10**9),\n"
        "         'suite': lambda: game._conformance(1, 10**6)}\n"
        "try:\n"
        "    calls[sys.argv[1]]()\n"
        "except KeyboardInterrupt:\n"
        "    venv.step(venv.sample_actions())\n"
        "    assert game.env(1).legal_actions()\n"
        "    print('usable', flush=True)\n"
    )
    for name in ("survey", "scale", "digest", "rollout", "loop", "suite"):
        child = subprocess.Popen(
            [sys.executable, "-c", code, name], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        assert out == "usable\n", name
        assert child.returncode == 0
