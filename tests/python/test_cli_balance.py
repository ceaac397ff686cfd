"""`playmat balance`."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import playmat
from conftest import Call
from playmat.cli.balance import merge


def test_balance(call: Call) -> None:
    status, out, _ = call("balance", "connect_four", "--episodes", "300", "--agents", "random")
    assert status == 0
    assert "victories" in out
    assert "decisions per game" in out
    assert "Everything that the game says should happen did." in out
    _, out, _ = call("balance", "graphia", "--episodes", "30")
    assert "never happened" in out
    assert "a river from edge to edge needs a plan" in out
    _, out, _ = call("balance", "graphia", "--episodes", "30", "--json")
    survey = json.loads(out)
    assert "a river" in survey["never"]["GG-R10"]
    assert not survey["never"].keys() & survey["coverage"].keys()
    assert survey["episodes"] == 30
    assert abs(sum(survey["victories"]) - 1) < 1e-6


def test_balance_of_few_episodes_calls_nothing_unexplained(call: Call) -> None:
    few = ["balance", "graven", "--matrix-episodes", "0", "--episodes"]
    _, out, _ = call(*few, 10)
    assert re.search(r"^action PLAYER +not seen in 10 episodes$", out, flags=re.M)
    assert "Belhame is in one of five decks" in out, "known reasons are printed anyway"
    assert "no reason is known" not in out
    _, out, _ = call(*few, 1)
    assert re.search(r"^GV-R13 +not seen in 1 episode$", out, flags=re.M)
    _, out, _ = call(*few, 10, "--json")
    assert json.loads(out)["never"]["action PLAYER"] is None


def test_balance_of_many_episodes_calls_what_is_missing_unexplained(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = playmat.Game

    class Game:
        """A game in whose surveys no rule takes effect."""

        def __init__(self, name: str, **options: Any) -> None:
            self.game = known(name, **options)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.game, name)

        def survey(self, *arguments: Any) -> dict[str, Any]:
            return {**self.game.survey(*arguments), "coverage": {}, "expected": {"LP-R5": None}}

    monkeypatch.setattr(playmat, "Game", Game)
    for episodes, why in ((999, "not seen in 999 episodes"), (1000, "no reason is known")):
        _, out, _ = call("balance", "leduc_poker", "--episodes", episodes)
        assert re.search(rf"^LP-R5 +{why}$", out, flags=re.M)


def test_balance_of_choices(call: Call) -> None:
    """How often each action was taken, and how those fared who took it."""
    given = ["balance", "graven", "--episodes", "300", "--matrix-episodes", "0"]
    _, plain, _ = call(*given)
    assert "--choices tells them apart" in plain
    status, out, _ = call(*given, "--choices")
    assert status == 0
    assert "\nnumber" in out
    assert "--choices tells them apart" not in out
    _, front, _ = call(*given, "--choices", "front")
    _, out, _ = call(*given, "--choices", "front", "--json")
    survey = json.loads(out)
    (actions,) = [a for a in playmat.Game("graven").action_layout if a.name == "FRONT"]
    assert all(choice["action"] in actions for choice in survey["choices"])
    assert sum(choice["times"] for choice in survey["choices"]) == survey["actions"]["FRONT"]
    for choice in survey["choices"]:
        assert f"{choice['text']}  " in front
        assert 0 <= choice["share"] <= 1
        assert choice["players"] <= 2 * choice["episodes"] <= 2 * min(300, choice["times"])
        assert (choice["margin"] is None) or choice["episodes"] >= 30
    assert any(choice["margin"] for choice in survey["choices"])
    _, out, _ = call(*given, "--json")
    assert "choices" not in json.loads(out)
    _, out, _ = call(
        "balance", "connect_four", "--episodes", "9", "--choices", "--agents", "random"
    )
    rows = out[out.index("\nnumber") :].strip().splitlines()
    rows = rows[1 : rows.index("")]
    assert len(rows) > 1
    assert all(row.endswith("  -") for row in rows), "nine games are too few for an interval"


def test_balance_of_choices_nobody_made(call: Call) -> None:
    given = ["balance", "graven", "-o", "decks=siege", "--episodes", "10", "--matrix-episodes", "0"]
    _, out, _ = call(*given, "--choices", "LINE")
    assert "None of these actions was chosen." in out
    _, out, _ = call(
        "balance", "graphia", "-o", "players=1", "--episodes", "10", "--choices", "SHAPE"
    )
    assert "victories" not in out
    assert "\nnumber" in out


def test_balance_of_decks(call: Call) -> None:
    """A game whose players can be given something of their own is compared value by value."""
    given = ["balance", "graven", "--episodes", "20", "--matrix-episodes"]
    status, out, _ = call(*given, "2")
    assert status == 0
    assert "A row's share of the victories against a column, 4 episodes each" in out
    _, out, _ = call(*given, "2", "--json")
    matrix = json.loads(out)["matrix"]
    assert (matrix["option"], matrix["episodes"]) == ("decks", 2)
    values = matrix["values"]
    assert len(values) == len(matrix["mean"]) == 5
    for a in range(len(values)):
        for b in range(len(values)):
            assert abs(matrix["shares"][a][b] + matrix["shares"][b][a] - 1) < 1e-9
    _, out, _ = call(*given, "0", "--json")
    assert json.loads(out)["matrix"] is None
    _, out, _ = call("balance", "graphia", "--episodes", "10", "--json")
    assert json.loads(out)["matrix"] is None


def test_balance_of_one_player(call: Call) -> None:
    """Alone, victories and their fair share mean nothing."""
    status, out, _ = call("balance", "graphia", "-o", "players=1", "--episodes", "10")
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
        for name in ("times", "points", "episodes", "players"):
            assert row[name] == sum(w[name] for w in known)
    for choice in merged["choices"]:
        known = [c for part in parts for c in part["choices"] if c["action"] == choice["action"]]
        for name in ("times", "episodes", "players"):
            assert choice[name] == sum(c[name] for c in known)
        victories = sum(c["share"] * c["players"] for c in known)
        assert choice["share"] == pytest.approx(victories / choice["players"])
        weighted = sum(c["per_time"] * c["times"] for c in known)
        assert choice["per_time"] == pytest.approx(weighted / choice["times"])


def test_surveys_of_halves_tell_the_interval_of_the_whole() -> None:
    """An interval put together from parts is the one of a survey of all of it."""
    game = playmat.Game("connect_four")
    whole = game.survey(200, seed=5)
    for choice in whole["choices"]:
        nothing = dict.fromkeys(("times", "episodes", "players", "share", "per_time"), 0)
        empty = {**whole, "choices": [{**choice, **nothing, "moments": [0, 0, 0]}]}
        (same,) = [c for c in merge(whole, empty)["choices"] if c["action"] == choice["action"]]
        assert same["margin"] == pytest.approx(choice["margin"])


def test_balance_tells_what_parts_were_worth(call: Call) -> None:
    for name, heads in (
        ("graphia", ["terrain ", "largest group of terrain"]),
        ("gravitix", ["island at the end"]),
        ("graft", ["card in a completed row", "badge "]),
        ("rafts", ["goal at the end"]),
    ):
        _, out, _ = call("balance", name, "--episodes", "40")
        for head in heads:
            assert f"\n{head}" in out, name
        _, out, _ = call("balance", name, "--episodes", "40", "--json")
        assert json.loads(out)["worth"]
    # The points of all parts are the scores: graphia has no others.
    game = playmat.Game("graphia", players=3)
    survey = game.survey(30, 1, ["greedy"])
    points = sum(row["points"] for row in survey["worth"])
    scores = sum(score["mean"] * score["count"] for score in survey["scores"])
    assert points == pytest.approx(scores)
    # Shares of parts that everybody has are those of the players.
    assert all(row["share"] == pytest.approx(1 / 3) for row in survey["worth"])


def test_balance_tells_rates_by_copy(call: Call) -> None:
    _, out, _ = call("balance", "rafts", "--episodes", "30")
    (line,) = [line for line in out.splitlines() if line.startswith("card EC ")]
    _, _, times, rate, copies, each = line.split()
    assert (int(copies), float(rate)) == (5, pytest.approx(int(times) / 30, abs=1e-3))
    assert float(each) == pytest.approx(int(times) / 30 / 5, abs=1e-3)
    assert [line.split()[-1] for line in out.splitlines() if line.startswith("RA-R1 ")] == ["1.000"]
