"""Arenas that are saved, grow and go on, and the deals of their pairs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import playmat
from playmat.train.arena import (
    Match,
    Plan,
    RoundRobin,
    keys_of,
    round_robin,
)
from training import trained


def test_finished_matches_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, agents = tmp_path / "arena.jsonl", ["random", "greedy", "mcts:2"]
    wanted = round_robin("connect_four", {}, agents, episodes=40, seed=3)
    run, played = Plan.run, []

    def stops(self: Plan, match: Match) -> Any:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(match)
        return run(self, match)

    monkeypatch.setattr(Plan, "run", stops)
    with pytest.raises(KeyboardInterrupt):
        round_robin("connect_four", {}, agents, episodes=40, seed=3, save=file)
    assert len(file.read_bytes().splitlines()) == 1 + len(agents) + 3
    with open(file, "ab") as torn:
        torn.write(b'{"agents": [0, 1], "match"')
    progress: list[tuple[int, int]] = []
    monkeypatch.setattr(
        Plan, "run", lambda self, match: (played.append(match), run(self, match))[1]
    )
    found = round_robin(
        "connect_four",
        {},
        agents,
        episodes=40,
        seed=3,
        save=file,
        played=lambda *n: progress.append(n),
    )
    assert len(played) == len(set(played)) == 6 and progress[0] == (60, 120)
    assert progress[-1] == (120, 120)
    assert repr(found) == repr(wanted)
    again = round_robin("connect_four", {}, agents, episodes=40, seed=3, save=file)
    assert len(played) == 6 and repr(again) == repr(wanted)
    with pytest.raises(playmat.WrongIdentity, match="seed is `3`, here it is `4`") as caught:
        round_robin("connect_four", {}, agents, episodes=40, seed=4, save=file)
    assert (caught.value.field, caught.value.found, caught.value.expected) == ("seed", "3", "4")
    before = file.read_bytes()
    # A file of another format is not read as one of this: its matches have other entries.
    first, *rest = [json.loads(line) for line in before.splitlines()]
    old = [{**first, "playmat arena": 1}, *({k: e[k] for k in e if k != "repeated"} for e in rest)]
    file.write_text("".join(json.dumps(line) + "\n" for line in old))
    with pytest.raises(
        playmat.WrongIdentity,
        match="format is `1`, here it is `4`; older versions gave other deals",
    ):
        round_robin("connect_four", {}, agents, episodes=40, seed=3, save=file)
    for foreign in (b"[]\n", b"not JSON\n", b'{"game": "graft"}\n', before + b'{"match": 7}\n'):
        file.write_bytes(foreign)
        with pytest.raises(playmat.Unreadable, match=r"arena\.jsonl"):
            round_robin("connect_four", {}, agents, episodes=40, seed=3, save=file)
        assert file.read_bytes() == foreign


def test_a_saved_arena_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By agents, as if all had been there from the start, and by episodes."""
    network = Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx"
    moved, file = tmp_path / "moved.onnx", tmp_path / "arena.jsonl"
    moved.write_bytes(network.read_bytes())
    agents = ["random", "greedy", str(network), f"{network},temperature=1"]
    wanted = round_robin("tic_tac_toe", {}, [*agents, "mcts:2"], episodes=21, seed=3)
    run, played = Plan.run, [0]

    def counts(self: Plan, match: Match) -> Any:
        played.append(match.episodes)
        return run(self, match)

    monkeypatch.setattr(Plan, "run", counts)

    def new(specs: list[str], episodes: int) -> tuple[int, RoundRobin]:
        """How many episodes were played, and the result."""
        played.clear()
        found = round_robin("tic_tac_toe", {}, specs, episodes=episodes, seed=3, save=file)
        return sum(played), found

    assert new(agents, 21)[0] == 6 * 21
    grown, found = new([*agents, "mcts:2"], 21)
    assert grown == 4 * 21 and repr(found) == repr(wanted)
    # Agents are told apart by what they are: not by their order, nor by where a file lies.
    others = ["mcts:2,threads=1", f"{moved},temperature=1", str(moved), "greedy", "random"]
    assert new(others, 21)[0] == 0
    # With more episodes the first ones stay. An odd episode out belongs to no pair of equal deals.
    more, found = new(agents[:2], 60)
    assert more == 40 and found.episodes[0, 1] == 60
    fewer, found = new(agents[:2], 30)
    assert fewer == 0 and found.episodes[0, 1] == 30
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    pair = [e["match"][0] for e in entries if sorted(e.get("agents", ())) == [0, 1]]
    assert pair == [11, 10, 20, 20]


def by_name(result: RoundRobin) -> dict[tuple[str, str], list[float]]:
    """By pair of names, what was won and by how much."""
    n = len(result.agents)
    return {
        (result.agents[i], result.agents[j]): [result.won[i, j], result.margin[i, j], result.error[i, j]]
        for i in range(n)
        for j in range(n)
        if i != j
    }  # fmt: skip


@pytest.mark.parametrize("episodes", [31, 600])
def test_the_order_of_agents_changes_nothing(episodes: int) -> None:
    """A game with chance, in which the odd episode out falls to one agent of each pair."""
    network = str(Path(__file__).parents[1] / "networks" / "kuhn_poker.onnx")
    agents = ["random", "greedy", f"{network},temperature=1", "mcts:2"]
    wanted = by_name(round_robin("kuhn_poker", {}, agents, episodes, seed=3))
    for order in ((3, 1, 2, 0), (2, 0, 3, 1)):
        found = by_name(round_robin("kuhn_poker", {}, [agents[k] for k in order], episodes, seed=3))
        for pair, values in wanted.items():
            assert found[pair] == pytest.approx(values, abs=1e-12)
    # Fewer agents: the same deals. Another seed: others.
    few = by_name(round_robin("kuhn_poker", {}, agents[2:0:-1], episodes, seed=3))
    assert few == {pair: pytest.approx(wanted[pair], abs=1e-12) for pair in few}
    other = by_name(round_robin("kuhn_poker", {}, agents[1:3], episodes, seed=4))
    assert all(other[pair][1] != wanted[pair][1] for pair in other)


def test_samples_of_a_checkpoint_do_not_depend_on_the_order(tmp_path: Path) -> None:
    file = trained("leduc_poker", {}, tmp_path)
    one, other = (
        by_name(round_robin("leduc_poker", {}, agents, 60, seed=3, play="sample"))
        for agents in (["random", file, "greedy"], ["greedy", "random", file])
    )
    assert one.keys() == other.keys()
    for pair, values in one.items():
        assert other[pair] == pytest.approx(values, abs=1e-12)


def test_pairs_have_deals_of_their_own() -> None:
    plan = Plan("leduc_poker", {}, ("a", "b", "c"), 10, 0, None, 1)
    seeds = [arrangements[0][2][0].seed for _, _, arrangements in plan.pairs(2)]
    assert len(set(seeds)) == 3 and all(0 <= seed < 2**63 for seed in seeds)
    # By hand: SHA-256 of the seed and the two keys; 63 bits of its first 8 bytes.
    digest = hashlib.sha256(b"0\0\0a\0\0b").digest()
    assert seeds[0] == sum(byte << 8 * k for k, byte in enumerate(digest[:8])) // 2
    # Two equal agents are two, each with deals of its own.
    keys = keys_of(["x", "y", "z"], ["greedy", "random", "greedy"], [None] * 3, ["x", "y", "z"])
    assert keys == ("greedy", "random", "greedy\x002")


def test_a_resumed_arena_plays_as_a_new_one_after_an_agent_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    body = "def f(obs, mask, player):\n    return {}\n"
    Path("bots.py").write_text(body.format("mask.argmax(1)"), encoding="utf-8")
    agents = ["bots.py:f", "random", "greedy"]
    save = Path("arena.jsonl")
    before = round_robin("leduc_poker", {}, agents, 40, seed=3, save=save)
    last = "mask.shape[1] - 1 - mask[:, ::-1].argmax(1)"
    Path("bots.py").write_text(body.format(last), encoding="utf-8")
    resumed = by_name(round_robin("leduc_poker", {}, agents, 40, seed=3, save=save))
    fresh = by_name(round_robin("leduc_poker", {}, agents, 40, seed=3))
    assert resumed == fresh
    changed = {pair for pair in fresh if fresh[pair] != by_name(before)[pair]}
    assert changed == {pair for pair in fresh if "bots.py:f" in pair}
