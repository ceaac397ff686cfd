"""The command line, as a user calls it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import playmat
from playmat.cli import bench, main
from playmat.cli.balance import merge
from playmat.cli.bench import BATCH, SINGLE, marks, write
from playmat.cli.common import parse_options, table
from playmat.cli.play import Names
from saved import position


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


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
        "onnx",
        "hypothesis",
        "pytest",
    }
    assert not heavy & set(eval(run.stderr.strip().splitlines()[-1]))


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "games")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == playmat.games()
    _, out, _ = call(capsys, "games", "--json")
    assert [info["id"] for info in json.loads(out)] == playmat.games()


def test_info(capsys: pytest.CaptureFixture[str], game: playmat.Game) -> None:
    status, out, _ = call(capsys, "info", game.name)
    assert status == 0
    for segment in game.observation_layout:
        assert segment.name in out
    for actions in game.action_layout:
        assert actions.name in out
    for option in game.options:
        assert option in out
    assert all(len(line) <= 110 for line in out.splitlines())
    _, out, _ = call(capsys, "info", game.name, "--json")
    assert json.loads(out) == game.info()


def test_info_actions(capsys: pytest.CaptureFixture[str], game: playmat.Game) -> None:
    texts = [game.action_text(action) for action in range(game.num_actions)]
    _, out, _ = call(capsys, "info", game.name, "--actions", "--json")
    assert json.loads(out) == texts
    _, out, _ = call(capsys, "info", game.name, "--actions")
    lines = out.splitlines()[1:]
    assert [line.split(maxsplit=1) for line in lines] == [[str(n), t] for n, t in enumerate(texts)]


def test_info_with_options(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(
        capsys, "info", "graphia", "-o", "players=5", "-o", "nexus_gate=both", "--json"
    )
    info = json.loads(out)
    assert info["players"] == 5
    assert info["options"]["nexus_gate"] == "both"


@pytest.mark.parametrize(
    ("arguments", "told"),
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
        (["bench", "kuhn_poker", "--seconds", "-1"], "`--seconds`: got -1.0; wanted"),
        (["bench", "kuhn_poker", "--seconds", "nan"], "`--seconds`: got nan; wanted"),
        (["replay"], "wanted a replay or `--game`"),
        (
            ["replay", "a.json", "--html", "b", "--fork", "c"],
            "`--fork`: not together with `--html`",
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
def test_errors_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    status, _, err = call(capsys, *arguments)
    assert status == 2
    assert told in err
    assert len(err.strip().splitlines()) == 1


def test_options_are_read_by_their_look() -> None:
    pairs = ["a=3", "b=true", "c=word", "d=[1, 2]", "e=1.5", "f=a=b"]
    values = {"a": 3, "b": True, "c": "word", "d": [1, 2], "e": 1.5, "f": "a=b"}
    assert parse_options(pairs) == values
    assert parse_options(["island_set=1", "players=1"], "gravitix") == {
        "island_set": "1",
        "players": 1,
    }
    assert parse_options(['island_set="1"'], "gravitix") == {"island_set": "1"}


def test_an_option_that_is_given_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(
        capsys, "info", "graphia", "-o", "players=2", "-o", "reward=score", "-o", "players =3"
    )
    assert status != 0
    assert "`--option`: got `players=2` and `players=3`; each option once" in err


def test_balance(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(
        capsys, "balance", "connect_four", "--episodes", "300", "--agents", "random"
    )
    assert status == 0
    assert "victories" in out
    assert "decisions per game" in out
    assert "Everything that the game says should happen did." in out
    _, out, _ = call(capsys, "balance", "graphia", "--episodes", "30")
    assert "never happened" in out
    assert "a river from edge to edge needs a plan" in out
    _, out, _ = call(capsys, "balance", "graphia", "--episodes", "30", "--json")
    survey = json.loads(out)
    assert "a river" in survey["never"]["GG-R10"]
    assert not survey["never"].keys() & survey["coverage"].keys()
    assert survey["episodes"] == 30
    assert abs(sum(survey["victories"]) - 1) < 1e-6


def test_balance_of_choices(capsys: pytest.CaptureFixture[str]) -> None:
    """How often each action was taken, and how those fared who took it."""
    given = ["balance", "graven", "--episodes", "300", "--matrix-episodes", "0"]
    _, plain, _ = call(capsys, *given)
    assert "--choices tells them apart" in plain
    status, out, _ = call(capsys, *given, "--choices")
    assert status == 0
    assert "\nnumber" in out
    assert "--choices tells them apart" not in out
    _, front, _ = call(capsys, *given, "--choices", "front")
    _, out, _ = call(capsys, *given, "--choices", "front", "--json")
    survey = json.loads(out)
    (actions,) = [a for a in playmat.Game("graven").action_layout if a.name == "FRONT"]
    assert all(choice["action"] in actions for choice in survey["choices"])
    assert sum(choice["times"] for choice in survey["choices"]) == survey["actions"]["FRONT"]
    for choice in survey["choices"]:
        assert f"{choice['text']}  " in front
        assert 0 <= choice["share"] <= 1
        assert choice["seats"] <= 2 * choice["episodes"] <= 2 * min(300, choice["times"])
        assert (choice["margin"] is None) or choice["episodes"] >= 30
    assert any(choice["margin"] for choice in survey["choices"])
    _, out, _ = call(capsys, *given, "--json")
    assert "choices" not in json.loads(out)
    _, out, _ = call(
        capsys, "balance", "connect_four", "--episodes", "9", "--choices", "--agents", "random"
    )
    rows = out[out.index("\nnumber") :].strip().splitlines()
    rows = rows[1 : rows.index("")]
    assert len(rows) > 1
    assert all(row.endswith("  -") for row in rows), "nine games are too few for an interval"


def test_balance_of_choices_nobody_made(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["balance", "graven", "-o", "decks=siege", "--episodes", "10", "--matrix-episodes", "0"]
    _, out, _ = call(capsys, *given, "--choices", "LINE")
    assert "None of these actions was chosen." in out
    _, out, _ = call(
        capsys, "balance", "graphia", "-o", "players=1", "--episodes", "10", "--choices", "SHAPE"
    )
    assert "victories" not in out
    assert "\nnumber" in out


def test_balance_of_decks(capsys: pytest.CaptureFixture[str]) -> None:
    """A game whose seats can be given something of their own is compared value by value."""
    given = ["balance", "graven", "--episodes", "20", "--matrix-episodes"]
    status, out, _ = call(capsys, *given, "2")
    assert status == 0
    assert "A row's share of the victories against a column, 4 games each" in out
    _, out, _ = call(capsys, *given, "2", "--json")
    matrix = json.loads(out)["matrix"]
    assert (matrix["option"], matrix["episodes"]) == ("decks", 2)
    values = matrix["values"]
    assert len(values) == len(matrix["mean"]) == 5
    for a in range(len(values)):
        for b in range(len(values)):
            assert abs(matrix["shares"][a][b] + matrix["shares"][b][a] - 1) < 1e-9
    _, out, _ = call(capsys, *given, "0", "--json")
    assert json.loads(out)["matrix"] is None
    _, out, _ = call(capsys, "balance", "graphia", "--episodes", "10", "--json")
    assert json.loads(out)["matrix"] is None


def test_balance_of_one_player(capsys: pytest.CaptureFixture[str]) -> None:
    """Alone, victories and their fair share mean nothing."""
    status, out, _ = call(capsys, "balance", "graphia", "-o", "players=1", "--episodes", "10")
    assert status == 0
    assert "victories" not in out
    assert "fair" not in out
    assert "mean score" in out


def test_surveys_merge_exactly(small: playmat.Game) -> None:
    parts = [small.survey(50, seed=seed) for seed in (1, 2, 3)]
    merged = merge(merge(parts[0], parts[1]), parts[2])
    assert merged["episodes"] == 150
    means = [part["decisions"]["mean"] for part in parts]
    assert merged["decisions"]["mean"] == pytest.approx(sum(means) / 3)
    squares = sum(
        50 * (p["decisions"]["deviation"] ** 2 + p["decisions"]["mean"] ** 2) for p in parts
    )
    deviation = (squares / 150 - merged["decisions"]["mean"] ** 2) ** 0.5
    assert merged["decisions"]["deviation"] == pytest.approx(deviation)
    assert sum(merged["actions"].values()) == round(merged["decisions"]["mean"] * 150)
    for row in merged["worth"]:
        known = [w for p in parts for w in p["worth"] if w["name"] == row["name"]]
        for name in ("times", "points", "episodes", "seats"):
            assert row[name] == sum(w[name] for w in known)
    for choice in merged["choices"]:
        known = [c for part in parts for c in part["choices"] if c["action"] == choice["action"]]
        for name in ("times", "episodes", "seats"):
            assert choice[name] == sum(c[name] for c in known)
        victories = sum(c["share"] * c["seats"] for c in known)
        assert choice["share"] == pytest.approx(victories / choice["seats"])
        weighted = sum(c["per_time"] * c["times"] for c in known)
        assert choice["per_time"] == pytest.approx(weighted / choice["times"])


def test_surveys_of_halves_tell_the_interval_of_the_whole() -> None:
    """An interval put together from parts is the one of a survey of all of it."""
    game = playmat.Game("connect_four")
    whole = game.survey(200, seed=5)
    for choice in whole["choices"]:
        nothing = dict.fromkeys(("times", "episodes", "seats", "share", "per_time"), 0)
        empty = {**whole, "choices": [{**choice, **nothing, "moments": [0, 0, 0]}]}
        (same,) = [c for c in merge(whole, empty)["choices"] if c["action"] == choice["action"]]
        assert same["margin"] == pytest.approx(choice["margin"])


def test_digest_is_as_released(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "digest")
    assert "not in the table" not in out, "run: make generate"
    assert status == 0, out


def test_digest_tells_a_difference(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playmat.cli import digest

    file = tmp_path / "digests.json"
    assert call(capsys, "digest", "kuhn_poker", "--update", file)[0] == 0
    known = json.loads(file.read_text())
    (key,) = [k for k in known["games"]["kuhn_poker"]["digests"] if k == "players=2"]
    known["games"]["kuhn_poker"]["digests"][key] = "0" * 8
    file.write_text(json.dumps(known))
    monkeypatch.setattr(digest, "TABLE", file)
    status, out, _ = call(capsys, "digest", "kuhn_poker")
    assert status == 1
    assert "DIFFERS" in out


def test_play_a_whole_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    words = iter(
        [
            "help",
            "list",
            "hint",
            "board",
            "back",
            "99",
            "nonsense",
            "1",
            "back",
            "2",
            "drop in c",
            f"save {file}.half",
        ]
    )
    monkeypatch.setattr("builtins.input", lambda prompt: next(words, "1"))
    # Column A fills up: its number 1 is then another column.
    status, out, _ = call(
        capsys, "play", "connect_four", "--seed", "5", "--opponent", "random", "--save", file
    )
    assert status == 0
    for told in (
        "is not in the list: 1 to 7",
        "no action is called `nonsense`",
        "nothing to take back",
        "The game is over. Scores",
    ):
        assert told in out
    replay = playmat.Replay.load(file)
    assert replay.result["status"] == "terminated"
    assert [a for p, a, _ in replay.decisions if p == 0][:2] == [1, 2]
    assert len(playmat.Replay.load(f"{file}.half")) == 4


def test_play_goes_on_after_what_cannot_be_done(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "missing" / "game.json"
    words = iter([f"save {nowhere}", "\udcff\udcfe", f"save {tmp_path / 'game.json'}", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    status, out, _ = call(capsys, "play", "connect_four", "--seed", "1")
    assert status == 0
    assert "Not saved: " in out and str(nowhere) in out and "`??`" in out
    assert playmat.Replay.load(tmp_path / "game.json").env().decisions == 0
    # What is to be written at the end is looked at before the first move.
    status, _, err = call(capsys, "play", "connect_four", "--save", nowhere)
    assert status == 2
    assert f"argument `--save`: got {nowhere}; wanted a file in a folder that exists" in err


def test_play_ends_at_end_of_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nothing)
    status, out, _ = call(capsys, "play", "graphia", "--seed", "1", "--player", "1")
    assert status == 0
    assert "Good bye" in out
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    assert call(capsys, "play", "leduc_poker")[0] == 0


def test_play_tells_no_secrets(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "1")
    _, out, _ = call(capsys, "play", "kuhn_poker", "--seed", "3")
    env = playmat.Game("kuhn_poker").env(3)
    hidden = env.render("ansi")
    assert hidden not in out.partition("The game is over")[0].rpartition("\n\n")[0]


def play(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: Sequence[str],
    words: Iterable[str],
) -> str:
    """What a game prints; `> ` and what was typed included, `quit` at the end of the words."""
    given = iter(words)

    def typed(prompt: str) -> str:
        word = next(given, "quit")
        print(f"{prompt}{word}")
        return word

    monkeypatch.setattr("builtins.input", typed)
    status, out, _ = call(capsys, "play", *arguments)
    assert status == 0
    return out


def looks(out: str, player: str) -> list[str]:
    """What is on the screen while a player looks: from taking the keyboard to handing it over."""
    parts = out.split("\nPass the keyboard to ")
    return [part for part in parts[1:] if part.startswith(f"{player}.")]


@pytest.mark.parametrize("game", ["graphia", "goofspiel", "graft"])
def test_people_at_one_terminal_see_their_own_secrets_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Two tables whose player 0 makes another hidden choice are the same to player 1, and so is
    what is printed from that choice on.
    """
    compared = 0
    arguments = [game, "-o", "players=2", "--player", "0", "--player", "1", "--seed", "4"]
    for first in range(8):
        outs = []
        for own in ("1", "2"):
            # Enter at hand-overs, then whoever decides takes the first action, player 0 `own`.
            env = playmat.Game(game, players=2).env(4)
            words, reader = [], None
            for decision in range(first + 1):
                if env.done:
                    break
                if env.current_player != reader:
                    reader = env.current_player
                    words.append("")
                number = own if decision == first and reader == 0 else "1"
                number = number if len(env.legal_actions()) >= int(number) else "1"
                words.append(number)
                env.step(env.legal_actions()[int(number) - 1])
            others = [json.dumps(e, sort_keys=True) for e in env.events(1)]
            shown = env.render("ansi", 1), env.to_json(1), others
            outs.append((play(capsys, monkeypatch, arguments, [*words, ""]), shown))
        (one, seen), (two, seen_two) = outs
        if seen == seen_two and outs[0] != outs[1]:
            assert looks(one, "Player 1") == looks(two, "Player 1")
            after = [out.rpartition(f"> {own}\n")[2] for out, own in ((one, "1"), (two, "2"))]
            if "Pass the keyboard to Player 1" in after[0]:
                compared += 1
                assert after[0] == after[1]
    assert compared > 0


def test_a_hidden_choice_is_not_printed_before_the_other_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ["--player", "0", "--player", "1", "--names", "Ada,Bob"]
    words = ["", "1", "", "2", "", "3", "", "4"]
    out = play(capsys, monkeypatch, ["graphia", *people, "--seed", "3"], words)
    (shape, place), (other, after) = looks(out, "Ada")[:2], looks(out, "Bob")[:2]
    assert "Ada chooses shape" not in shape + other + after, "nobody's business but hers"
    assert "Since your last turn, Ada:\n  Ada chooses shape Z.\n" in place
    assert "Since your last turn, Bob:\n  Bob chooses shape L.\n" in after
    assert "Bob chooses" not in place and "chooses where to draw" not in after
    # What has been shown is told to everybody: goofspiel.
    out = play(
        capsys, monkeypatch, ["goofspiel", *people, "--seed", "3"], ["", "2", "", "5", "", "1"]
    )
    first, second = looks(out, "Ada")
    assert "Ada bid 2 and Bob bid 5" not in looks(out, "Bob")[0].partition("> 5")[0]
    assert "Ada bid 2 and Bob bid 5: Bob gets the prize" in second
    assert "bid" not in first.partition("it is your turn")[0].replace("bids", "")


def test_nobody_hands_over_where_nothing_is_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ["--player", "0", "--player", "1", "--names", "Ada, Bob"]
    out = play(capsys, monkeypatch, ["connect_four", *people], ["1", "2", "1"])
    assert "Pass the keyboard" not in out
    assert out.count("Ada drops a disc to A1.") == 1 and "Bob drops a disc to B1." in out
    assert "You are Ada and Bob." in out and "Bob, it is your turn." in out


def test_play_calls_players_by_their_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = play(capsys, monkeypatch, ["graft", "--names", "Ada", "--seed", "3"], ["1", "1"])
    assert "Ada places Moonberry." in out and "Player 1 reveals Lantern Moss." in out
    assert "Ada (you)" in out and "The seed was 3." in out.splitlines()[-1]
    for name in ("graft", "graphia", "graven", "gravitix", "rafts", "kuhn_poker", "leduc_poker"):
        out = play(capsys, monkeypatch, [name, "--seed", "3", "--opponent", "random"], ["1"] * 12)
        assert not re.search(r"\b[Ss]eats? \d", out), name
        assert not re.search(r"[{}]|\b[a-z]+_[a-z]+\b", out.split("Good bye")[0]), name
    rafts = ["rafts", "--names", "Ada,Bob,Cy", "--seed", "3"]
    assert "Bob" in play(capsys, monkeypatch, rafts, ["end turn"])


def test_names_keep_the_columns_of_a_drawing() -> None:
    names = Names({0: "Bartholomew", 1: "Al"})
    assert names.draw("Score   Player 0   Player 1") == "Score Bartholomew         Al"
    assert names.draw("Score         Player 0   Player 1") == "Score      Bartholomew         Al"
    assert names.draw("Player 0 (you): 3      Player 1: 4") == "Bartholomew (you): 3   Al: 4"
    assert Names({}).draw("Player 0: 3   Player 2: 4") == "Player 0: 3   Player 2: 4"
    assert names.put("the turn of player 1 begins, players 0 and 2 wait") == (
        "the turn of Al begins, Bartholomew and Player 2 wait"
    )
    assert names.take("steal raft from al") == "steal raft from player 1"


def test_undo_goes_back_to_the_own_last_decision(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = ["connect_four", "--seed", "5", "--save", str(tmp_path / "game.json")]
    out = play(capsys, monkeypatch, game, ["undo", "1", "1", "undo", "2", "undo", "undo", "3"])
    assert "nothing to take back" in out
    actions = [
        action for player, action, _ in playmat.Replay.load(game[-1]).decisions if not player
    ]
    assert actions == [2]
    people = ["--player", "0", "--player", "1"]
    out = play(capsys, monkeypatch, [*game, *people], ["1", "2", "undo", "3"])
    decisions = [d[:2] for d in playmat.Replay.load(game[-1]).decisions]
    assert decisions == [(0, 2)], "Player 0 takes back a decision, and what player 1 answered"
    assert out.count("nothing to take back") == 0


def test_help_explains_cards_and_actions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["help moonberry", "help 1", "help mo", "help zzz", "cards", "help"]
    out = play(capsys, monkeypatch, ["graft", "--seed", "3"], words)
    assert out.count("Moonberry (moonberry), card, 2 in the game: Fruit; forbids Ore") >= 2
    assert "play Moonberry: Fruit; forbids Ore; scores 2 x Fruit; the row then scores 2" in out
    assert "Nothing is called `zzz`: `cards` lists the badges and cards." in out
    assert "help WORDS" in out and "undo" in out
    out = play(capsys, monkeypatch, ["graven", "--seed", "3"], ["help spy", "help ACO"])
    assert "Spy (SPY), card" in out and "Acolyte (ACO), card" in out
    out = play(capsys, monkeypatch, ["kuhn_poker", "--seed", "3"], ["help spy", "cards"])
    assert "Nothing is called `spy`." in out and "The game has none." in out


def test_the_list_of_actions_says_what_busts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Random seeds until a card of the hand busts a row; the list must agree with what then happens.
    game = playmat.Game("graft", players=2)
    agent = game.agent("random")
    seen = {True: 0, False: 0}
    for seed in range(6):
        env = game.env(seed)
        while not env.done and min(seen.values()) < 5:
            player, legal = env.current_player, env.legal_actions()
            state = env.state_dict(player)["state"]
            for action in legal if state["phase"] == "choose" else []:
                text, more = env.action_text(action), env.action_help(action)
                if (
                    not text.startswith("play ")
                    or "ship" in text
                    or state["seats"][player]["take_bar"]
                ):
                    continue
                after = env.clone(exact=True)
                after.step(action)
                events = []
                while not after.done and not events:
                    events = [e for e in after.events() if e["event"] == "revealed"]
                    busted = [e for e in after.events() if e["event"] == "busted"]
                    if not events:
                        after.step(agent.act(after))
                if events:
                    busts = any(e["seat"] == player for e in busted)
                    assert ("BUSTS" in more) == busts, (seed, text, more)
                    seen[busts] += 1
            env.step(agent.act(env))
    assert min(seen.values()) >= 5


@pytest.mark.parametrize("name", playmat.games())
def test_info_content(capsys: pytest.CaptureFixture[str], name: str) -> None:
    entries = playmat.Game(name).info()["content_entries"]
    status, out, _ = call(capsys, "info", name, "--content")
    assert status == 0
    assert all(entry["text"] and entry["name"] in out for entry in entries)
    assert max(map(len, out.splitlines())) <= 100
    assert bool(entries) == (playmat.Game(name).info()["content_name"] != "")
    _, out, _ = call(capsys, "info", name, "--content", "--json")
    assert json.loads(out) == entries


def test_a_content_has_its_own_title(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = Path(__file__).parents[2] / "seeds" / "content"
    for name in ("graft", "graphia", "graven", "gravitix", "rafts"):
        plain = playmat.Game(name)
        text = (contents / f"{name}.toml").read_text(encoding="utf-8")
        own = text.replace(f'name = "{name}"', f'name = "{name}"\ntitle = "Night & Day"', 1)
        game = playmat.Game(name, content=own)
        info = game.info()
        assert (info["content_title"], plain.info()["content_title"]) == ("Night & Day", "")
        assert info["content_hash"] != plain.info()["content_hash"]
        env = game.env(1)
        assert env.render("ansi").splitlines()[0].endswith(": Night & Day")
        assert ">Night &amp; Day</text>" in env.render("svg")
        assert "Night" not in plain.env(1).render("svg")
        page = playmat.replay_html(env.replay())
        assert ": Night &amp; Day, " in page
        with pytest.raises(playmat.ContentError, match="`title` must be 1 to 40 characters"):
            playmat.Game(name, content=own.replace("Night & Day", " "))
        given = ["-o", f"content={own}"]
        _, out, _ = call(capsys, "info", name, *given)
        assert "Content: custom (Night & Day), hash" in out
        assert ": Night & Day\nYou are" in play(capsys, monkeypatch, [name, *given], [])


def test_balance_tells_what_parts_were_worth(capsys: pytest.CaptureFixture[str]) -> None:
    for name, heads in (
        ("graphia", ["terrain ", "largest group of terrain"]),
        ("gravitix", ["island at the end"]),
        ("graft", ["card in a completed row", "badge "]),
        ("rafts", ["goal at the end"]),
    ):
        _, out, _ = call(capsys, "balance", name, "--episodes", "40")
        for head in heads:
            assert f"\n{head}" in out, name
        _, out, _ = call(capsys, "balance", name, "--episodes", "40", "--json")
        assert json.loads(out)["worth"]
    # The points of all parts are the scores: graphia has no others.
    game = playmat.Game("graphia", players=3)
    survey = game.survey(30, 1, ["greedy"])
    points = sum(row["points"] for row in survey["worth"])
    scores = sum(score["mean"] * score["count"] for score in survey["scores"])
    assert points == pytest.approx(scores)
    # Shares of parts that everybody has are those of the players.
    assert all(row["share"] == pytest.approx(1 / 3) for row in survey["worth"])


def test_balance_tells_rates_by_copy(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "balance", "rafts", "--episodes", "30")
    (line,) = [line for line in out.splitlines() if line.startswith("card EC ")]
    _, _, times, rate, copies, each = line.split()
    assert (int(copies), float(rate)) == (5, pytest.approx(int(times) / 30, abs=1e-3))
    assert float(each) == pytest.approx(int(times) / 30 / 5, abs=1e-3)
    assert [line.split()[-1] for line in out.splitlines() if line.startswith("RA-R1 ")] == ["1.000"]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    env = playmat.Game("connect_four").env(5)
    agent = env.game.agent("greedy")
    while not env.done:
        env.step(agent.act(env))
    env.replay().save(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_replay_positions(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    replay = playmat.Replay.load(recorded)
    _, out, _ = call(capsys, "replay", recorded, "--to", "3", "--json")
    assert position(replay.game.env_from_json(out)) == position(replay.env(3))
    _, out, _ = call(capsys, "replay", recorded, "--to", "3", "--svg")
    assert out == replay.env(3).render("svg")
    _, out, _ = call(capsys, "replay", recorded, "--to", "-1", "--viewer", "1")
    assert replay.env(-1).render("ansi", 1) in out
    status, _, err = call(capsys, "replay", recorded, "--to", "99")
    assert status == 2
    assert f"{len(replay)} decisions" in err


def test_replay_page_and_fork(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    page, fork = recorded.with_suffix(".html"), recorded.with_name("fork.json")
    assert call(capsys, "replay", recorded, "--html", page)[0] == 0
    assert page.read_text(encoding="utf-8") == playmat.replay_html(playmat.Replay.load(recorded))
    arguments = ["--to", "4", "--fork", fork, "--agent", "random", "--seed", "9"]
    status, out, _ = call(capsys, "replay", recorded, *arguments)
    assert status == 0
    forked = playmat.Replay.load(fork)
    assert f"{len(forked)} decisions" in out
    assert (
        forked.env(0).state_dict()["state"]
        == playmat.Replay.load(recorded).env(4).state_dict()["state"]
    )


def test_replay_of_seed_and_actions(capsys: pytest.CaptureFixture[str]) -> None:
    """What the conformance suite prints below a failure shows the position."""
    game = playmat.Game("graphia", players=3, nexus_gate="both")
    env = game.env(11)
    for _ in range(9):
        env.step(env.sample_action())
    actions = ",".join(str(action) for _, action in env.history)
    options = json.dumps({"players": 3, "nexus_gate": "both"})
    arguments = ["replay", "--game", "graphia", "--options", options, "--seed", "11"]
    status, out, _ = call(capsys, *arguments, "--actions", actions)
    assert status == 0
    assert env.render("ansi") in out
    _, out, _ = call(capsys, *arguments, "--actions", actions, "--json")
    assert position(game.env_from_json(out)) == position(env)
    status, out, _ = call(capsys, *arguments, "--actions", "")
    assert status == 0
    assert game.env(11).render("ansi") in out


def test_command_of_a_failure_runs() -> None:
    """A check that sees nothing fails; its command is run as a shell would."""
    found = playmat.Game("goofspiel", players=3)._conformance(episodes=0, only=["T1"])
    commands = [one["command"] for check in found["checks"] for one in check["failures"]]
    assert commands
    words = shlex.split(commands[0])
    assert words[:2] == ["playmat", "replay"]
    run = subprocess.run(
        [sys.executable, "-m", "playmat", *words[1:]], capture_output=True, text=True, check=True
    )
    assert playmat.Game("goofspiel", players=3).env(0).render("ansi") in run.stdout


def test_replay_walk(
    capsys: pytest.CaptureFixture[str], recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = iter(["", "", "b", "5", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    status, out, _ = call(capsys, "replay", recorded)
    assert status == 0
    places = [line.split()[0] for line in out.splitlines() if " of " in line]
    assert places == ["0", "1", "2", "1", "5"]


def test_bench(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    begin, end = marks(BATCH)
    page.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    arguments = [
        "bench",
        "kuhn_poker",
        "--seconds",
        "0.05",
        "--num-envs",
        "64",
        "--threads",
        "1",
        "2",
    ]
    status, out, _ = call(capsys, *arguments, "--markdown", page)
    assert status == 0
    assert out.count("kuhn_poker") == 2
    text = page.read_text()
    assert text.startswith(f"before\n{begin}\n| game")
    assert text.endswith(f"{end}\nafter\n")
    assert "old" not in text
    _, out, _ = call(capsys, *arguments, "--json")
    for row in json.loads(out)["results"]:
        assert row["python"] > 0
        assert row["rust"] > 0
        assert row["memset"] > 0
        assert row["share_low"] <= row["python_share"] <= row["share_high"]
    write(tmp_path / "new.md", BATCH, "text")
    assert (tmp_path / "new.md").read_text() == "text"


@pytest.mark.parametrize("dtype", ["u8", "f32"])
def test_bench_of_single_environments(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, dtype: str
) -> None:
    page = tmp_path / "page.md"
    (other, _), (begin, end) = marks(BATCH), marks(SINGLE)
    page.write_text(f"{other}\nkept\n{begin}\nold\n{end}\n")
    arguments = ["bench", "kuhn_poker", "--single", "--seconds", "0.05", "--dtype", dtype]
    status, out, _ = call(capsys, *arguments, "--markdown", page)
    assert status == 0
    assert out.count("kuhn_poker") == 1
    assert page.read_text().startswith(f"{other}\nkept\n{begin}\n| game")
    assert f"playmat bench --single --dtype {dtype}" in page.read_text()
    status, _, err = call(capsys, *arguments, "--threads", "2")
    assert status == 2
    assert "argument `--threads`: got [2]; wanted none with --single" in err
    _, out, _ = call(capsys, *arguments, "--json")
    (row,) = json.loads(out)["results"]
    assert 2 <= row["decisions"] <= 3
    assert min(row["into"], row["fresh"], row["reset"]) > 0


@pytest.mark.parametrize(("dtype", "asked"), [("u8", None), ("f32", "f32")])
def test_bench_of_single_environments_makes_arrays_of_the_type(
    dtype: str, asked: str | None
) -> None:
    """Arrays that are made anew are of the type that those used again are of."""
    seen = set()

    class Env:
        def __init__(self, env: playmat.Env) -> None:
            self.env = env

        def __getattr__(self, name: str) -> Any:
            return getattr(self.env, name)

        def observation(self, dtype: Any = None) -> Any:
            seen.add(dtype)
            return self.env.observation(dtype=dtype)

        def step_into(self, action: int, obs: Any, mask: Any) -> bool:
            seen.add(obs.dtype.name)
            return self.env.step_into(action, obs, mask)

    class Game:
        def __getattr__(self, name: str) -> Any:
            return getattr(playmat.Game("kuhn_poker"), name)

        def env(self, seed: int) -> Any:
            return Env(playmat.Game("kuhn_poker").env(seed))

    bench.measure_single(Game(), dtype, 0.01)  # type: ignore[arg-type]
    assert seen == {asked, "float32" if asked else "uint8"}


def test_share_of_python_is_paired_and_not_clamped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds are compared with themselves: one that is slow for both loops changes nothing."""
    times = iter(
        t for slow in (1, 9, 1, 1, 5, 1, 1, 1, 1) for t in (0.9 * slow, 1.0 * slow, 0.1 * slow)
    )
    monkeypatch.setattr(bench, "timed", lambda call: next(times))
    monkeypatch.setattr(bench, "calibrate", lambda loop, seconds: 1)
    row = bench.measure(playmat.Game("kuhn_poker"), 8, 1, "u8", 1.0)
    assert row.python_share == pytest.approx(1 - 1.0 / 0.9)
    assert row.share_low == pytest.approx(row.python_share)
    assert row.share_high == pytest.approx(row.python_share)
    assert "-11.1%" in bench.show([row], markdown=False)


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
        package = re.split(r"[<>=~! ]", name.strip())[0]
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
