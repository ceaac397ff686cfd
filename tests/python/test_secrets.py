"""What is made for one player holds nothing that regenerates what is hidden: pages, commands, views."""

from __future__ import annotations

import html
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import playmat
from playmat.cli import main
from saved import position

SEED = 0xC0FF_EE15_600D_F00D


def finished(env: playmat.Env) -> playmat.Replay:
    while not env.done:
        env.step(env.sample_action())
    return env.replay()


def numbers(replay: playmat.Replay) -> set[str]:
    """Everything that chance can be computed from, as a text could hold it."""
    document = replay.env().state_dict()
    words = [
        document["seed"],
        document["root"],
        *document["rng"],
        *replay.env(0).state_dict()["rng"],
    ]
    values = {int(word, 16) for word in words} | {replay.seed}
    return {text for value in values for text in (str(value), f"{value:x}", f"{value:016x}")}


def outputs(
    replay: playmat.Replay, viewer: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[str, str]]:
    """Everything that is made of a replay for one player, by name."""
    file, page = folder / "game.json", folder / "page.html"
    replay.save(file)

    def said(*arguments: str) -> str:
        words = ["replay", str(file), "--viewer", str(viewer), *arguments]
        assert main(words) == 0
        return capsys.readouterr().out

    yield "page", playmat.replay_html(replay, viewer)
    said("--html", str(page))
    yield "file of the page", page.read_text(encoding="utf-8")
    for place in (0, len(replay) // 2, len(replay)):
        for flags in ([], ["--json"], ["--svg"]):
            yield f"replay --to {place} {flags}", said("--to", str(place), *flags)
    yield "replay", said()
    env = replay.env(0)
    agent = env.game.agent("greedy")
    for player, action, _ in [*replay.decisions[:12], (0, -1, "")]:
        yield "text", env.render("ansi", viewer)
        yield "picture", str(env.render("svg", viewer))
        yield "JSON", env.to_json(viewer) + json.dumps(env.state_dict(viewer))
        yield "events", json.dumps(env.events(viewer))
        for call in (lambda: env.step(-1, viewer), lambda: agent.act(env, viewer)):
            try:
                call()
            except playmat.Error as error:
                yield "refusal", f"{error} {vars(error)}"
        if action >= 0:
            env.step(action, player)


def test_no_output_for_a_player_holds_a_seed(
    game: playmat.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env = game.env(1)
    env.reset(seed=SEED)
    env.reset()
    secrets = numbers(finished(env))
    for viewer in {0, game.num_players - 1}:
        for name, text in outputs(env.replay(), viewer, tmp_path, capsys):
            low = html.unescape(text).lower()
            assert not [secret for secret in secrets if secret in low], f"{name} of {game.name}"


def test_outputs_for_all_name_the_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that the test above looks where there is something to find."""
    replay = finished(playmat.Game("leduc_poker").env(SEED))
    assert str(SEED) in playmat.replay_html(replay)
    file = tmp_path / "game.json"
    replay.save(file)
    main(["replay", str(file), "--to", "0"])
    assert str(SEED) in capsys.readouterr().out


def test_outputs_are_the_same_whatever_the_seed_is(
    game: playmat.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same cards and the same draws under another seed, and with another number of decisions."""
    start = game.env(7).state_dict()
    other = {**start, "seed": 5, "root": 6, "episode": 3, "decisions": 1}
    one, two = game.env_from_json(start), game.env_from_json(other)
    while not one.done:
        player, action = one.current_player, one.sample_action()
        one.step(action, player)
        two.step(action, player)
    for viewer in range(min(game.num_players, 2)):
        first = list(outputs(one.replay(), viewer, tmp_path, capsys))
        assert first == list(outputs(two.replay(), viewer, tmp_path, capsys)), game.name


@pytest.mark.parametrize("viewer", [0, 2])
@pytest.mark.parametrize("name", ["goofspiel", "graft", "graphia"])
def test_pages_do_not_tell_who_chose_when(name: str, viewer: int) -> None:
    """The same simultaneous choices after that of the viewer, from the lowest player up or down."""
    game = playmat.Game(name, players=3)
    up, down = game.env(4), game.env(4)
    turns = 0
    while not up.done and turns < 30:
        acting = up.acting_players
        choices = {player: up.sample_action(player) for player in acting}
        first = [player for player in acting if player == viewer]
        others = [player for player in acting if player != viewer]
        for env, order in ((up, others), (down, others[::-1])):
            for player in first + order:
                env.step(choices[player], player)
        turns += 1
        assert position(up) == position(down)
    assert turns > 5
    assert playmat.replay_html(up.replay(), viewer) == playmat.replay_html(down.replay(), viewer)


def test_the_number_of_hidden_decisions_is_hidden() -> None:
    """In Graft a player may take a bar back and then choose two cards: two decisions more, unseen."""
    game = playmat.Game("graft", players=3)
    found = 0
    for seed in range(40):
        env = game.env(seed)
        while not env.done:
            player = env.current_player
            legal = {env.action_text(action): action for action in env.legal_actions()}
            bar = legal.pop("take the bar back", None)
            if bar is None or not legal or env.acting_players == [player]:
                env.step(env.sample_action())
                continue
            plain, busy = env.clone(exact=True), env.clone(exact=True)
            plain.step(next(iter(legal.values())), player)
            busy.step(bar, player)
            while player in busy.acting_players:
                busy.step(busy.legal_actions(player)[0], player)
            assert busy.decisions > plain.decisions
            for viewer in set(range(3)) - {player}:
                assert plain.to_json(viewer) == busy.to_json(viewer)
                pages = [playmat.replay_html(one.replay(), viewer) for one in (plain, busy)]
                assert pages[0] == pages[1]
                samples = [one.sample_hidden(viewer, 9) for one in (plain, busy)]
                assert samples[0].to_bytes() == samples[1].to_bytes()
                assert samples[0].to_json() == samples[1].to_json()
                assert samples[0].decisions == 0
            found += 1
            break
    assert found > 5


def test_hidden_decks_are_in_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for lists, shown in (("open", True), ("hidden", False)):
        game = playmat.Game("graven", players=2, open_decklists=lists)
        made = list(outputs(finished(game.env(3)), 0, tmp_path, capsys))
        assert any('"decks"' in text for _, text in made) == shown


def test_a_sample_holds_no_hidden_decks() -> None:
    decks = ["blight", "siege"]
    game = playmat.Game("graven", decks=decks, open_decklists="hidden")
    env = game.env(3)
    for viewer in range(2):
        known = [deck if player == viewer else "random" for player, deck in enumerate(decks)]
        sample = env.sample_hidden(viewer, 5)
        found = (
            sample.game.options,
            sample.state_dict()["options"],
            json.loads(sample.replay().to_json())["options"],
        )
        assert all(options["decks"] == known for options in found)
        texts = (
            repr(sample.game),
            json.dumps(sample.game.info()),
            sample.to_bytes().decode("latin-1"),
        )
        hidden = '"' + decks[1 - viewer] + '"'
        assert not any(hidden in text for text in texts)
        for copy in (sample.clone(), sample.clone(exact=True), pickle.loads(pickle.dumps(sample))):
            assert copy.game == sample.game != game
        assert sample.game.env_from_bytes(sample.to_bytes()).to_json() == sample.to_json()
        assert sample.replay().env(0).to_json() == sample.to_json()
        with pytest.raises(playmat.WrongIdentity, match="decks"):
            game.env_from_bytes(sample.to_bytes())
    plain = playmat.Game("graven", decks=decks).env(3)
    assert plain.sample_hidden(0, 5).game is plain.game


def test_a_replay_for_one_player_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    finished(playmat.Game("kuhn_poker").env(3)).save(file)
    words = ["replay", str(file), "--viewer", "0", "--play-on", str(tmp_path / "played.json")]
    assert main(words) == 2
    assert "`--play-on`, which writes everything" in capsys.readouterr().err
    assert not (tmp_path / "played.json").exists()


def test_joint_refusals_say_nothing_of_the_position() -> None:
    env = playmat.Game("goofspiel", players=3).env(3)
    beyond = "every player who must decide needs a legal action"
    with pytest.raises(playmat.IllegalAction) as caught:
        env.step([0, 0, 99])
    assert (caught.value.rows, caught.value.count) == ([(0, 2, 99)], 1)
    assert vars(caught.value).keys() == {"rows", "count", "num_actions"}
    got = "got 99 for player 2 (actions are 0 to 12)"
    assert str(caught.value) == f"illegal joint action: {beyond}; {got}"
    with pytest.raises(playmat.InvalidArgument) as missing:
        env.step({0: 0, 1: 5000})
    assert (
        missing.value.reason
        == f"got 5000 for player 1, no entry for player 2; {beyond}, of 0 to 12"
    )
    # Whoever has chosen already: the same refusal of the same call.
    standing = [env]
    for chosen in ([0], [1], [0, 1]):
        standing.append(env.clone(exact=True))
        for player in chosen:
            standing[-1].step(3, player)
    for call in (
        *({0: 0}, {1: 3}, {}, {0: 3, 1: 3}, [0, None, None], [None, 3, 99]),
        *([99, 99, 99], [0, 5000, -1], (0, 0, 13), np.array([99, 99, 99]), np.array([3, 3, -1])),
    ):
        refusals = []
        for one in standing:
            with pytest.raises((playmat.InvalidArgument, playmat.IllegalAction)) as caught_one:
                one.step(call)
            refusals.append((caught_one.type, str(caught_one.value), vars(caught_one.value)))
        assert refusals == [refusals[0]] * len(standing), call
    env.step(0, 0)
    before = env.clone(exact=True)
    env.step(0, 1)
    refusals = []
    for one in (before, env):
        with pytest.raises(playmat.NotActing) as refused:
            one.step(0, 0)
        refusals.append((str(refused.value), vars(refused.value)))
    assert refusals[0] == refusals[1]


def test_people_who_play_do_not_see_the_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = iter(["1", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(words))
    assert main(["play", "leduc_poker", "--seed", str(SEED)]) == 0
    *played, last = capsys.readouterr().out.splitlines()
    assert played and str(SEED) not in "\n".join(played)
    assert last == f"The seed was {SEED}."
