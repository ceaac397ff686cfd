"""`playmat play`."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from pathlib import Path

import pytest

import playmat
from conftest import Call, Play
from playmat.cli.play import Names


def test_play_a_whole_game(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        "play", "connect_four", "--seed", "5", "--opponent", "random", "--save", file
    )
    assert status == 0
    for message in (
        "is not in the list: 1 to 7",
        "no action is called `nonsense`",
        "nothing to take back",
        "The game is over. Scores",
    ):
        assert message in out
    replay = playmat.Replay.load(file)
    assert replay.result["status"] == "terminated"
    assert [a for p, a, _ in replay.decisions if p == 0][:2] == [1, 2]
    assert len(playmat.Replay.load(f"{file}.half")) == 4


def test_play_goes_on_after_what_cannot_be_done(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "missing" / "game.json"
    words = iter([f"save {nowhere}", "\udcff\udcfe", f"save {tmp_path / 'game.json'}", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    status, out, _ = call("play", "connect_four", "--seed", "1")
    assert status == 0
    assert "Not saved: " in out and str(nowhere) in out and "`??`" in out
    assert playmat.Replay.load(tmp_path / "game.json").env().decisions == 0
    # What is to be written at the end is looked at before the first move.
    status, _, err = call("play", "connect_four", "--save", nowhere)
    assert status == 2
    assert f"argument `--save`: got {nowhere}; wanted a file in a folder that exists" in err
    status, _, err = call("play", "connect_four", "--opponent", "nobody.onnx")
    assert status == 2 and "argument `--opponent`: network `nobody.onnx`: cannot read it" in err


def test_play_ends_at_end_of_input(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nothing)
    status, out, _ = call("play", "graphia", "--seed", "1", "--player", "1")
    assert status == 0
    assert "Good bye" in out
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    assert call("play", "leduc_poker")[0] == 0


def test_play_with_an_opponent_for_each_free_player(play: Play) -> None:
    two = ["graft", "-o", "players=3", "--seed", "5", "--player", "1"]
    out = play([*two, "--opponent", "random", "--opponent", "greedy"], ["quit"])
    assert "You are Player 1; agent random plays Player 0 and agent greedy plays Player 2." in out
    out = play([*two, "--opponent", "random"], ["quit"])
    assert "You are Player 1; agent random plays the others." in out
    # Each plays its own player.
    game = playmat.Game("graft", players=3)
    agents = {0: game.agent("random"), 2: game.agent("greedy")}
    env, texts = game.env(5), []
    while env.current_player != 1:
        env.step(agents[env.current_player].act(env))
        texts += [event["text"] for event in env.events(1) if "text" in event]
    out = " ".join(play([*two, "--opponent", "random", "--opponent", "greedy"], ["quit"]).split())
    assert all(" ".join(text.split()) in out for text in texts)


def test_opponents_that_would_not_play_are_refused(call: Call) -> None:
    both = ("--player", "0", "--player", "1")
    for arguments, message in [
        (("connect_four", *both, "--opponent", "mcts:10"),
         "argument `--opponent`: got mcts:10; wanted none: people play all players"),
        (("graft", "-o", "players=4", "--opponent", "greedy", "--opponent", "random"),
         "argument `--opponent`: got 2 agents (greedy, random); wanted one, or 3: one for each player that no person plays"),
        (("connect_four", "--opponent", "greedy", "--opponent", "random"), "(greedy, random); wanted one"),
        (("connect_four", "--opponent", "gredy"), "argument `--opponent`: got `gredy`"),
    ]:  # fmt: skip
        status, _, error = call("play", *arguments)
        assert status == 2
        assert message in " ".join(error.split())


def test_play_shows_no_secrets(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "1")
    _, out, _ = call("play", "kuhn_poker", "--seed", "3")
    env = playmat.Game("kuhn_poker").env(3)
    hidden = env.render("ansi")
    assert hidden not in out.partition("The game is over")[0].rpartition("\n\n")[0]


def looks(out: str, player: str) -> list[str]:
    """What is on the screen while a player looks: from taking the keyboard to handing it over."""
    parts = out.split("\nPass the keyboard to ")
    return [part for part in parts[1:] if part.startswith(f"{player}.")]


@pytest.mark.parametrize("game", ["graphia", "goofspiel", "graft"])
def test_people_at_one_terminal_see_their_own_secrets_alone(play: Play, game: str) -> None:
    """Two episodes in which player 0 makes another hidden choice are the same to player 1, and so
    is what is printed from that choice on.
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
            outs.append((play(arguments, [*words, ""]), shown))
        (one, seen), (two, seen_two) = outs
        if seen == seen_two and outs[0] != outs[1]:
            assert looks(one, "Player 1") == looks(two, "Player 1")
            after = [out.rpartition(f"> {own}\n")[2] for out, own in ((one, "1"), (two, "2"))]
            if "Pass the keyboard to Player 1" in after[0]:
                compared += 1
                assert after[0] == after[1]
    assert compared > 0


def test_a_hidden_choice_is_not_printed_before_the_other_one(play: Play) -> None:
    people = ["--player", "0", "--player", "1", "--names", "Ada,Bob"]
    words = ["", "1", "", "2", "", "3", "", "4"]
    out = play(["graphia", *people, "--seed", "3"], words)
    (shape, place), (other, after) = looks(out, "Ada")[:2], looks(out, "Bob")[:2]
    assert "Ada chooses shape" not in shape + other + after, "nobody's business but hers"
    assert "Since your last turn, Ada:\n  Ada chooses shape Z.\n" in place
    assert "Since your last turn, Bob:\n  Bob chooses shape L.\n" in after
    assert "Bob chooses" not in place and "chooses where to draw" not in after
    # Everybody sees the events of what is open: goofspiel.
    out = play(["goofspiel", *people, "--seed", "3"], ["", "2", "", "5", "", "1"])
    first, second = looks(out, "Ada")
    assert "Ada bid 2 and Bob bid 5" not in looks(out, "Bob")[0].partition("> 5")[0]
    assert "Ada bid 2 and Bob bid 5: Bob gets the prize" in second
    assert "bid" not in first.partition("it is your turn")[0].replace("bids", "")


def test_nobody_hands_over_where_nothing_is_hidden(play: Play) -> None:
    people = ["--player", "0", "--player", "1", "--names", "Ada, Bob"]
    out = play(["connect_four", *people], ["1", "2", "1"])
    assert "Pass the keyboard" not in out
    assert out.count("Ada drops a disc to A1.") == 1 and "Bob drops a disc to B1." in out
    assert "You are Ada and Bob." in out and "Bob, it is your turn." in out


def test_play_calls_players_by_their_names(play: Play) -> None:
    out = play(["graft", "--names", "Ada", "--seed", "3"], ["1", "1"])
    assert "Ada places Moonberry." in out and "Player 1 reveals Lantern Moss." in out
    assert "Ada (you)" in out and "The seed was 3." in out.splitlines()[-1]
    for name in playmat.games():
        out = play([name, "--seed", "3", "--opponent", "random"], ["1"] * 12)
        assert not re.search(r"\b[Ss]eats? \d", out), name
        assert not re.search(r"[{}]|\b[a-z]+_[a-z]+\b", out.split("Good bye")[0]), name
    rafts = ["rafts", "--names", "Ada,Bob,Cy", "--seed", "3"]
    assert "Bob" in play(rafts, ["end turn"])


def test_names_keep_the_columns_of_a_drawing() -> None:
    names = Names({0: "Bartholomew", 1: "Al"})
    assert names.draw("Score         Player 0   Player 1") == "Score      Bartholomew         Al"
    assert names.draw("Score   Player 0   Player 1") == "Score Bartholom…         Al"
    assert names.draw("Score   Player 1 Player 0") == "Score         Al Barthol…"
    assert names.draw("Player 0 (you): 3      Player 1: 4") == "Bartholomew (you): 3   Al: 4"
    assert names.draw("Player 0: 3   Player 1: 4") == "Bartholom…: 3 Al: 4"
    assert names.draw("Player 0  lost") == "Bartholomew lost"
    assert names.draw("Player 1  lost") == "Al        lost"
    assert Names({}).draw("Player 0: 3   Player 2: 4") == "Player 0: 3   Player 2: 4"
    alike = Names({0: "Queen of Hearts", 1: "Queen of Spades", 2: "棋棋棋棋棋"})
    assert alike.draw("Score  Player 0 Player 1 Player 2") == "Score  Player 0 Player 1  棋棋棋…"
    assert names.put("the turn of player 1 begins, players 0 and 2 wait") == (
        "the turn of Al begins, Bartholomew and Player 2 wait"
    )
    assert names.take("steal raft from al") == "steal raft from player 1"


def test_heads_of_a_score_table_end_where_its_columns_end() -> None:
    plain = playmat.Game("graphia", players=8).env(3).render("ansi")
    named = Names({player: f"{player}. Bartholomew of York" for player in range(8)}).draw(plain)
    (head,) = [line for line in plain.splitlines() if line.startswith("Score")]
    (cut,) = [line for line in named.splitlines() if line.startswith("Score")]
    ends = [match.end() for match in re.finditer(r"Player \d", head)]
    assert [match.end() for match in re.finditer("…", cut)] == ends
    assert [match[0] for match in re.finditer(r"\d\. Bart", cut)] == [
        f"{n}. Bart" for n in range(8)
    ]


def test_names_wrap_a_line_of_a_drawing_that_they_make_too_long() -> None:
    names = Names({0: "Bartholomew of York"})
    line = "Game  " + "play phase of player 0; " * 4 + "player 0 to play a card"
    first, second = names.draw(line).splitlines()
    assert len(first) <= 100 and second.startswith("      ") and second[6] != " "
    assert f"{first} {second.strip()}" == names.put(line)
    untouched = "x " * 60
    assert names.draw(untouched) == untouched


def test_undo_goes_back_to_the_own_last_decision(play: Play, tmp_path: Path) -> None:
    game = ["connect_four", "--seed", "5", "--save", str(tmp_path / "game.json")]
    out = play(game, ["undo", "1", "1", "undo", "2", "undo", "undo", "3"])
    assert "nothing to take back" in out
    actions = [
        action for player, action, _ in playmat.Replay.load(game[-1]).decisions if not player
    ]
    assert actions == [2]
    people = ["--player", "0", "--player", "1"]
    out = play([*game, *people], ["1", "2", "undo", "3"])
    decisions = [d[:2] for d in playmat.Replay.load(game[-1]).decisions]
    assert decisions == [(0, 2)], "Player 0 takes back a decision, and what player 1 answered"
    assert out.count("nothing to take back") == 0


def test_help_explains_cards_and_actions(play: Play) -> None:
    words = ["help moonberry", "help 1", "help mo", "help zzz", "cards", "help"]
    out = play(["graft", "--seed", "3"], words)
    assert out.count("Moonberry (moonberry), card, 2 in the game: Fruit; forbids Ore") >= 2
    assert "play Moonberry: Fruit; forbids Ore; scores 2 x Fruit; the row then scores 2" in out
    assert "Nothing is called `zzz`: `cards` lists the badges and cards." in out
    assert "help WORDS" in out and "undo" in out
    out = play(["graven", "--seed", "3"], ["help spy", "help ACO"])
    assert "Spy (SPY), card" in out and "Acolyte (ACO), card" in out
    out = play(["kuhn_poker", "--seed", "3"], ["help spy", "cards"])
    assert "Nothing is called `spy`." in out and "The game has none." in out


def test_the_list_of_actions_says_what_busts() -> None:
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
                    or state["players"][player]["take_bar"]
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
                    busts = any(e["player"] == player for e in busted)
                    assert ("BUSTS" in more) == busts, (seed, text, more)
                    seen[busts] += 1
            env.step(agent.act(env))
    assert min(seen.values()) >= 5


def columns(line: str) -> int:
    """The columns of a terminal that a line takes."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "FW")
        for sign in line
    )


NAMES = {
    "default": lambda player: f"Player {player}",
    "long": lambda player: f"{player}. Bartholomew of York"[:20],
    "alike": lambda player: f"Queen of the Seas no {'abcdefgh'[player]}"[-20:],
    "wide": lambda player: f"{'零一二三四五六七'[player]}" + 19 * "棋",
}


def most_players(name: str) -> int:
    (spec,) = [s for s in playmat.Game(name).info()["option_specs"] if s["name"] == "players"]
    return int(spec["range"][1])


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("name", playmat.games())
def test_play_prints_at_most_100_columns(play: Play, name: str, names: str) -> None:
    """Whole games of the most players against both agents; then the first decisions of people alone."""
    players = most_players(name)
    given = ["-o", f"players={players}", "--seed", "3"]
    if names != "default":
        given += ["--names", ",".join(NAMES[names](player) for player in range(players))]
    words = ["list", "help 1", "cards", "help", "hint", "board", "nonsense", "help nonsense", "999"]
    draws = random.Random(7)
    numbers = [str(draws.randint(1, 9)) for _ in range(10000)]
    for case in (["--opponent", "random"], ["--opponent", "greedy"]):
        out = play([name, *given, *case], [*words, *numbers])
        assert "The game is over. Scores: " in out
        assert max(map(columns, out.splitlines())) <= 100
    people = [word for player in range(players) for word in ("--player", str(player))]
    out = play([name, *given, *people], ["", *words, *numbers[:200]])
    assert max(map(columns, out.splitlines())) <= 100
