"""Round robins of Python functions and agents beside specs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat.cluster import Cluster
from playmat.train.arena import round_robin

NETWORK = str(Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx")


def lowest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.argmax(1)


def highest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


def greedily(obs: Any, mask: Any, player: Any, greedy: Any) -> Any:
    return greedy


greedily.takes_greedy = True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "options"),
    [("leduc_poker", {}), ("goofspiel", {"players": 3}), ("graphia", {"players": 1})],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_function_plays_as_the_agent_that_it_follows(
    name: str, options: dict[str, Any], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The greedy agents of the first two games draw nothing."""
    # The same deals for both.
    monkeypatch.setattr("playmat.train.arena.keys_of", lambda *known: ("a", "b"))
    found = round_robin(name, options, [greedily, lowest], 40, seed=3, threads=threads)
    assert found.agents == ("greedily", "lowest")
    if name != "graphia":
        wanted = round_robin(name, options, ["greedy", lowest], 40, seed=3, threads=threads)
        np.testing.assert_array_equal(found.margin, wanted.margin)
        np.testing.assert_array_equal(found.won, wanted.won)
    else:
        assert found.margin[0, 1] > 0


def test_all_kinds_of_agents_play_together(tmp_path: Path) -> None:
    game = playmat.Game("tic_tac_toe")
    agents = [lowest, game.agent(highest), "random", game.agent("greedy"), Path(NETWORK)]
    result = round_robin("tic_tac_toe", {}, agents, episodes=31, seed=2)
    assert result.agents == ("lowest", "highest", "random", "greedy", "tic_tac_toe")
    assert (result.episodes == 31 * (1 - np.eye(5))).all()
    ratings = {row.agent: row for row in result.ratings()}
    assert ratings["greedy"].rating > ratings["lowest"].rating
    # Two that always choose alike repeat the episode of each arrangement.
    assert result.distinct[0, 1] == 2 and result.distinct[0, 2] == 31
    again = round_robin("tic_tac_toe", {}, agents, episodes=31, seed=2)
    assert repr(again) == repr(result)
    # Agents of specs are specs: they can be saved.
    for _ in range(2):
        few = round_robin(
            "tic_tac_toe", {}, [game.agent("greedy"), "random"], 6, save=tmp_path / "a.jsonl"
        )
        assert few.agents == ("greedy", "random")


def test_a_mapping_gives_names() -> None:
    made = [lambda obs, mask, player, k=k: (lowest, highest)[k](obs, mask, player) for k in (0, 1)]
    # Deals follow from the names of functions, and from the specs of others.
    agents = {"lowest": made[0], "highest": made[1], "search": "mcts:5"}
    result = round_robin("connect_four", {}, agents, episodes=6, seed=1)
    assert result.agents == ("lowest", "highest", "search")
    plain = round_robin("connect_four", {}, [lowest, highest, "mcts:5"], episodes=6, seed=1)
    np.testing.assert_array_equal(result.won, plain.won)
    # A name that is also a spec stands for what it is given.
    named = round_robin("connect_four", {}, {"greedy": lowest, "random": highest}, 6, seed=1)
    assert named.won[0, 1] == plain.won[0, 1]


def test_checkpoints_are_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from playmat.train import load_policy
    from playmat.train.config import preset
    from playmat.train.trainer import Trainer

    config = preset(
        "leduc_poker", minutes=0, total_decisions=64, num_envs=8, num_steps=8, num_minibatches=1, width=16,
        torch_threads=1,
    )  # fmt: skip
    trainer = Trainer("leduc_poker", {}, config, tmp_path)
    trainer.update()
    trainer.save()
    file = tmp_path / "checkpoint.pt"
    policy = load_policy(file, playmat.Game("leduc_poker"), "best")
    # The same deals for both.
    monkeypatch.setattr("playmat.train.arena.keys_of", lambda *known: ("a", "b"))
    found = round_robin("leduc_poker", {}, {"a": policy, "b": "random"}, 50, seed=1)
    wanted = round_robin("leduc_poker", {}, [str(file), "random"], 50, seed=1, play="best")
    np.testing.assert_array_equal(found.margin, wanted.margin)


def test_what_is_refused(tmp_path: Path) -> None:
    kuhn, leduc = playmat.Game("kuhn_poker"), playmat.Game("leduc_poker")
    file = tmp_path / "arena.jsonl"

    def same(function: Any) -> Any:
        def twin(obs: Any, mask: Any, player: Any) -> Any:
            return function(obs, mask, player)

        return twin

    def fails(obs: Any, mask: Any, player: Any) -> Any:
        raise ZeroDivisionError

    agents: Any
    for agents, more, argument, reason in [
        ([lowest, "random"], {"save": file}, "save", "function `lowest` cannot be recognized in another process; allowed with specs, checkpoint files and functions named by a text such as `module:function` only"),
        ([kuhn.agent(lowest), "random"], {"cluster": Cluster()}, "cluster", "function `lowest` plays in this process only; allowed with"),
        ([lowest], {}, "agents", "got lowest; wanted at least two, each once"),
        ([lowest, lowest], {}, "agents", "got lowest, lowest; wanted at least two, each once; functions of one name need a mapping"),
        ([same(lowest), same(highest)], {}, "agents", "a mapping from names: {'twin 1': ...}"),
        ([kuhn.agent("greedy"), "greedy"], {}, "agents", "got greedy, greedy; wanted at least two, each once"),
        ({"a": "greedy", "b": "greedy"}, {}, "agents", "got greedy, greedy; wanted at least two, each once"),
        ({"": "greedy", "b": "random"}, {}, "agents", "got name ''; wanted texts that are not empty"),
        ({1: "greedy", "b": "random"}, {}, "agents", "got name 1; wanted texts"),
        ([leduc.agent("greedy"), lowest], {}, "agents", f"got an agent of {leduc!r}; wanted agents of {kuhn!r}"),
        ([lowest, 3], {}, "agents", "got int; wanted specs, checkpoint files, agents and functions"),
        ([lowest, int], {}, "agents", "got type; wanted specs"),
        ("random", {}, "agents", "got str; wanted a list of specs"),
        ([lowest, "gredy"], {}, "agents", "got `gredy`"),
        ([lambda obs, mask, player: player * 0 + 9, "random"], {}, "agent", "`<lambda>`"),
        ([lambda obs, mask, player: 0.5, "random"], {}, "agent", "what `<lambda>` returned"),
    ]:  # fmt: skip
        with pytest.raises(playmat.InvalidArgument) as caught:
            round_robin("kuhn_poker", {}, agents, 4, **more)
        assert caught.value.argument == argument and reason in caught.value.reason
        assert not file.exists()
    with pytest.raises(ZeroDivisionError):
        round_robin("kuhn_poker", {}, [fails, "random"], 4)
