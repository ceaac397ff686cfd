"""`playmat.Game`: information, options, layouts, content."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from saved import position


def test_information_is_consistent(game: playmat.Game) -> None:
    info = game.info()
    assert info["id"] == game.name
    assert info["title"] == game.title
    assert info["num_actions"] == game.num_actions == sum(map(len, game.action_layout))
    assert (info["observation_size"],) == game.observation_shape
    assert info["players"] == game.num_players
    assert game.player_range[0] <= game.num_players <= game.player_range[1]
    assert game.version >= 1
    assert game.reward in info["rewards"]
    low, high = game.return_range
    assert low < high
    assert info["state_bytes"] <= 4096


@pytest.mark.parametrize("reward", ["score", "score_delta"])
@pytest.mark.parametrize(
    ("name", "options", "divisor"),
    [
        ("leduc_poker", {"players": 2}, 1),
        ("leduc_poker", {"players": 3}, 2),
        ("rafts", {"players": 3}, 100),
        ("goofspiel", {"returns_type": "point_difference", "players": 7}, 7),
        ("goofspiel", {"returns_type": "total_points", "players": 7}, 1),
    ],
)
def test_returns_are_fractions_of_scores(
    name: str, options: dict[str, object], divisor: int, reward: str
) -> None:
    game = playmat.Game(name, reward=reward, **options)
    info = game.info()
    assert info["score_divisor"] == divisor
    assert game.return_range == tuple(np.float32(s) / divisor for s in info["score_range"])
    venv = game.vec_env(1)
    batch = venv.reset(seed=[3])
    env, paid = game.env(3), np.zeros(game.num_players)
    while not env.done:
        actions = venv.sample_actions()
        env.step(int(actions[0]))
        batch = venv.step(actions)
        assert np.array_equal(batch.reward[0], env.rewards)
        paid += env.rewards
    assert env.scores.any(), "a hand in which nothing is won says nothing"
    assert np.array_equal(env.returns, env.scores.astype(np.float32) / np.float32(divisor))
    assert np.array_equal(batch.episode_return[0], env.returns)
    assert np.allclose(paid, env.returns, atol=1e-5)


def test_layouts_tile(game: playmat.Game) -> None:
    at = 0
    for segment in game.observation_layout:
        assert segment.offset == at
        assert len(segment) == int(np.prod(segment.shape))
        assert segment.meaning
        at += len(segment)
    assert at == game.observation_layout.size == game.observation_shape[0]
    at = 0
    for actions in game.action_layout:
        assert actions.start == at
        assert at in actions
        assert at + len(actions) not in actions
        at += len(actions)
    assert at == game.num_actions


def test_split_gives_views(game: playmat.Game) -> None:
    layout = game.observation_layout
    obs = np.zeros((3, 2, layout.size), np.uint8)
    parts = layout.split(obs)
    assert list(parts) == layout.names
    for number, (name, part) in enumerate(parts.items()):
        assert part.shape == (3, 2, *layout[name].shape)
        assert np.shares_memory(part, obs)
        part[:] = number % 251
    for number, segment in enumerate(layout):
        values = obs[..., segment.offset : segment.offset + len(segment)]
        assert (values == number % 251).all()


def test_split_refuses_other_sizes(small: playmat.Game) -> None:
    with pytest.raises(
        playmat.InvalidArgument, match=r"got shape \(125,\); wanted \(\.\.\., 126\)"
    ):
        small.observation_layout.split(np.zeros(125, np.uint8))
    with pytest.raises(playmat.InvalidArgument, match="wanted an array"):
        small.observation_layout.split([1, 2])
    with pytest.raises(
        playmat.InvalidArgument, match=r"got a?.*memoryview.*wanted an array that takes"
    ):
        small.observation_layout.split(memoryview(bytes(126)))


def test_layout_is_a_sequence(small: playmat.Game) -> None:
    layout = small.observation_layout
    assert layout[0].name == layout[layout.names[0]].name
    assert layout[-1].name == layout.names[-1]
    with pytest.raises(IndexError):
        layout[len(layout)]
    with pytest.raises(KeyError, match=f"no segment `nope`; segments: {layout.names[0]}"):
        layout["nope"]


def test_to_f32_is_the_formula(game: playmat.Game) -> None:
    layout = game.observation_layout
    env = game.env(3)
    obs = env.observation()
    floats = layout.to_f32(obs)
    assert floats.dtype == np.float32
    for segment in layout:
        part = slice(segment.offset, segment.offset + len(segment))
        wanted = (obs[part].astype(np.float32) - segment.bias) / np.float32(segment.scale)
        assert np.array_equal(floats[part], wanted)
    assert np.array_equal(floats, env.observation(dtype="f32"))
    assert np.abs(floats).max() <= 1
    out = np.full((2, layout.size), 7, np.float32)
    assert layout.to_f32(np.stack([obs, obs]), out) is out
    assert np.array_equal(out[1], floats)


def test_unknown_game_names_the_nearest() -> None:
    with pytest.raises(playmat.UnknownGame, match="did you mean `connect_four`") as caught:
        playmat.Game("conect_four")
    assert caught.value.code == "unknown_game"
    assert caught.value.name == "conect_four"
    assert caught.value.known == playmat.games()
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("options", "named", "reason"),
    [
        ({"players": 99}, "players", "a whole number from"),
        ({"players": "2"}, "players", 'got "2"'),
        ({"players": 2.5}, "players", "got 2.5"),
        ({"players": 2**80}, "players", "does not fit 64 bits"),
        ({"players": object()}, "players", "object of type `object`"),
        ({"player": 2}, "player", "did you mean `players`"),
        ({"reward": "win"}, "reward", "`outcome`"),
        ({"reward": float("nan")}, "reward", "no finite number"),
        ({"max_steps": -1}, "max_steps", "from 0 to"),
        ({"max_steps": True}, "max_steps", "got true"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], named: str, reason: str) -> None:
    with pytest.raises(playmat.InvalidOption) as caught:
        playmat.Game("graphia", **options)
    assert caught.value.option == named
    assert caught.value.game == "graphia"
    assert reason in caught.value.reason
    assert reason in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_numpy_numbers_are_options() -> None:
    assert playmat.Game("graphia", players=np.int64(3)).num_players == 3


CONTENT = Path(__file__).parents[2] / "seeds" / "content" / "graphia.toml"


def test_content_by_name_text_and_path(tmp_path: Path) -> None:
    text = CONTENT.read_text(encoding="utf-8")
    named = playmat.Game("graphia")
    given = playmat.Game("graphia", content=text)
    path = playmat.Game("graphia", content=CONTENT)
    string = playmat.Game("graphia", content=str(CONTENT))
    hashes = {one.info()["content_hash"] for one in (named, given, path, string)}
    assert len(hashes) == 1
    assert given.info()["content_name"] == "custom"
    assert given == path == string
    assert pickle.loads(pickle.dumps(given)) == given


def test_content_errors_list_all_findings(tmp_path: Path) -> None:
    text = CONTENT.read_text(encoding="utf-8").replace("copies = 1", "copies = 99")
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(playmat.ContentError) as caught:
        playmat.Game("graphia", content=file)
    findings = caught.value.findings
    assert findings
    for finding in findings:
        assert "copies = 99" in text.splitlines()[finding.line - 1]
        assert finding.message
        assert str(finding.line) in str(caught.value)
    assert any("99" in finding.message for finding in findings)
    with pytest.raises(playmat.ContentError) as caught:
        playmat.Game("graphia", content="this is = not [ toml")
    assert caught.value.findings[0].line == 1


def test_missing_content_file_is_an_option_error(tmp_path: Path) -> None:
    with pytest.raises(playmat.InvalidOption, match=r"cannot read .*nothing\.toml"):
        playmat.Game("graphia", content=tmp_path / "nothing.toml")
    with pytest.raises(playmat.InvalidOption, match="graphia"):
        playmat.Game("graphia", content="no_such_content")


def test_conf_c13_equality_pickle_copy(game: playmat.Game) -> None:
    again = playmat.Game(game.name)
    assert again == game
    assert hash(again) == hash(game)
    assert game != playmat.Game(game.name, max_steps=7)
    assert game != game.name
    assert pickle.loads(pickle.dumps(game)) == game
    assert copy.deepcopy(game) is game
    assert game.name in repr(game)


def test_action_texts_parse_back(game: playmat.Game) -> None:
    for action in range(0, game.num_actions, max(1, game.num_actions // 50)):
        assert game.parse_action(game.action_text(action)) == action
    for action in (-1, game.num_actions, 2**70, -(2**70)):
        with pytest.raises(playmat.InvalidArgument, match="actions are 0 to"):
            game.action_text(action)
    with pytest.raises(playmat.UnknownAction) as caught:
        game.parse_action("certainly no action")
    assert caught.value.text == "certainly no action"


def test_survey_counts(game: playmat.Game) -> None:
    survey = game.survey(40, seed=3)
    assert survey["episodes"] == 40
    assert survey["decisions"]["count"] == 40
    assert survey["decisions"]["max"] <= game.info()["max_decisions"]
    assert sum(survey["actions"].values()) == round(survey["decisions"]["mean"] * 40)
    assert sum(c["times"] for c in survey["choices"]) == sum(survey["actions"].values())
    assert [c["action"] for c in survey["choices"]] == sorted(
        c["action"] for c in survey["choices"]
    )
    assert survey == game.survey(40, seed=3)
    assert survey != game.survey(40, seed=4)
    with pytest.raises(playmat.InvalidArgument, match="allowed: `random`, `greedy`"):
        game.survey(1, agents=["nobody"])
    with pytest.raises(playmat.InvalidArgument, match="at least one"):
        game.survey(1, agents=[])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leduc_poker", {}),
        ("leduc_poker", {"players": 4}),
        ("graphia", {"reward": "score"}),
        ("gravitix", {"players": 1}),
        ("rafts", {"reward": "score_delta"}),
        ("graft", {}),
    ],
)
def test_scaled_returns_have_deviation_1(name: str, options: dict[str, Any]) -> None:
    """Against the surveys of other episodes, half of them played by each agent."""
    game = playmat.Game(name, **options)
    scale = game.reward_scale(400, seed=5)
    spreads = [s for spec in ("random", "greedy") for s in game.survey(400, 6, [spec])["returns"]]
    mean = np.mean([s["mean"] for s in spreads])
    squares = [s["deviation"] ** 2 + (s["mean"] - mean) ** 2 for s in spreads]
    assert scale * np.sqrt(np.mean(squares)) == pytest.approx(1, abs=0.12)
    assert scale == game.reward_scale(episodes=400, seed=5) != game.reward_scale(400, seed=6)
    assert game.reward_scale() == game.reward_scale(256, 0, False)


def test_the_scale_of_relative_returns() -> None:
    poker = playmat.Game("leduc_poker")
    # Of two players one earns what the other loses: twice as far apart.
    assert poker.reward_scale(relative=True) == pytest.approx(poker.reward_scale() / 2)
    four = playmat.Game("leduc_poker", players=4)
    # What the three others earn in the mean is a third of the loss: 4/3 of the return.
    assert four.reward_scale(relative=True) == pytest.approx(four.reward_scale() * 3 / 4)
    alone = playmat.Game("graphia", players=1)
    assert alone.reward_scale(50, relative=True) == alone.reward_scale(50)
    # One return has nothing to differ from.
    assert alone.reward_scale(1) == 1.0
    with pytest.raises(playmat.InvalidArgument, match="`episodes`: got 0; wanted 1 or more"):
        poker.reward_scale(0)


def test_digest_is_reproducible(game: playmat.Game) -> None:
    assert game.digest(3) == playmat.Game(game.name).digest(3)
    assert game.digest(3) != game.digest(2)


def test_digest_can_be_computed_from_python(game: playmat.Game) -> None:
    import zlib

    observations = masks = rewards = states = 0
    for seed in range(2):
        env = game.env(seed)
        while True:
            for player in range(game.num_players):
                observations = zlib.crc32(env.observation(player).tobytes(), observations)
            if env.decisions:
                rewards = zlib.crc32(env.rewards.astype("<f4").tobytes(), rewards)
            states = zlib.crc32(position(env), states)
            if env.done:
                break
            masks = zlib.crc32(env.action_mask().tobytes(), masks)
            env.step(env.sample_action())
    assert game.digest(2) == f"{observations:08x}-{masks:08x}-{rewards:08x}-{states:08x}"


def test_one_of_a_thing_is_singular(game: playmat.Game) -> None:
    several = re.compile(r"(?<!player )(?<![\d.,-])\b1 (cards|gems|islands|markers|points)\b")
    texts = [entry["text"] for entry in game.info()["content_entries"]]
    env = game.env(1)
    agents = [game.agent("random"), game.agent("greedy")]
    while not env.done:
        texts += [env.render(), *map(env.action_help, env.legal_actions())]
        env.step(agents[env.decisions % 2].act(env))
    texts.append(env.render())
    assert not [line for text in texts for line in text.splitlines() if several.search(line)]
