"""Data sets of play: the rows against play by hand, interruptions, damage, Minari."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmat
from playmat import datasets
from playmat.cli import main, rollouts
from playmat.datasets import playing, recording

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

#: Several players at once with scores on the way, several rounds, one player, a limit on decisions.
OPTIONS: dict[str, dict[str, Any]] = {
    "goofspiel": {"players": 3, "reward": "score_delta"},
    "leduc_poker": {"players": 3},
    "gravitix": {"players": 1},
    "rafts": {"max_steps": 40},
}
GAMES = [(name, OPTIONS.get(name, {})) for name in playmat.games()]


def rows(path: Path, **arguments: Any) -> dict[str, np.ndarray]:
    """All rows of a data set."""
    batches = list(datasets.read(path).batches(**arguments))
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def assert_equal(one: dict[str, np.ndarray], two: dict[str, np.ndarray]) -> None:
    assert list(one) == list(two)
    for name in one:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)


def by_hand(game: playmat.Game, agents: list[str], seed: int, episodes: int) -> dict[str, Any]:
    """The same rows with the plain methods of an environment."""
    columns: dict[str, list[Any]] = {name: [] for name in datasets.reading.FIELDS}
    for episode in range(episodes):
        number = datasets.episode_seed(seed, episode)
        env = game.env(number)
        who = [(episode + player) % len(agents) for player in range(game.num_players)]
        first = len(columns["episode"])
        while not env.done:
            player = env.current_player
            row: dict[str, Any] = {"episode": episode, "decision": env.decisions, "player": player}
            row |= {"agent": who[player], "agents": who, "episode_seed": number}
            row |= {"obs": env.observation(player), "action_mask": env.action_mask(player)}
            row["action"] = game.agent(agents[who[player]]).act(env)
            env.step(row["action"])
            row |= {"reward": env.rewards, "terminated": env.terminated}
            row["truncated"] = env.truncated
            for name, value in row.items():
                columns[name].append(value)
        columns["returns"] += [env.returns] * (len(columns["episode"]) - first)
    return {name: np.array(values) for name, values in columns.items()}


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_rows_are_those_of_play_by_hand(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = playmat.Game(name, **options)
    agents = ["greedy", "random", "mcts:5"][: 3 if name == "leduc_poker" else 2]
    done = datasets.record(game, agents, 20, tmp_path / "data", seed=5)
    found = rows(tmp_path / "data")
    wanted = by_hand(game, agents, 5, 20)
    assert list(found) == list(datasets.reading.FIELDS)
    assert_equal(found, wanted)
    assert done == recording.Recorded(done.identity, 0, 20, len(found["episode"]))
    size, actions, players = game.observation_shape[0], game.num_actions, game.num_players
    shapes = {"obs": (size,), "action_mask": (actions,)}
    shapes |= dict.fromkeys(("reward", "returns", "agents"), (players,))
    dtypes = {"obs": "uint8", "action_mask": "bool", "episode": "int64", "action": "int64"}
    dtypes |= {"terminated": "bool", "truncated": "bool", "reward": "float32", "returns": "float32"}
    dtypes["episode_seed"] = "uint64"
    for column, values in found.items():
        assert values.shape[1:] == shapes.get(column, ()), column
        assert values.dtype == dtypes.get(column, "int32"), column
    assert found["truncated"].any() == ("max_steps" in options)
    # Every agent plays every player.
    pairs = set(zip(found["agent"].tolist(), found["player"].tolist(), strict=True))
    assert pairs == set(itertools.product(range(len(agents)), range(players)))


def test_rewards_add_up_to_returns(tmp_path: Path) -> None:
    game = playmat.Game("goofspiel", players=3, reward="score_delta")
    datasets.record(game, ["random"], 30, tmp_path / "data")
    found = rows(tmp_path / "data")
    for episode in range(30):
        mine = found["episode"] == episode
        np.testing.assert_allclose(found["reward"][mine].sum(0), found["returns"][mine][0], 1e-6)
        assert found["terminated"][mine].tolist() == [False] * (mine.sum() - 1) + [True]


def test_threads_and_sizes_of_files_change_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = playmat.Game("graft")
    agents = ["mcts:4,threads=2", "random", "greedy"]
    datasets.record(game, agents, 33, tmp_path / "one", seed=9)
    wanted = rows(tmp_path / "one")
    assert [path.name for path in sorted((tmp_path / "one").glob("part*"))] == [
        "part-00000000-00000032.parquet"
    ]
    monkeypatch.setattr(recording, "GROUP_ROWS", 150)
    monkeypatch.setattr(recording, "PART_BYTES", 400_000)
    # The arrays of a player grow within an episode.
    monkeypatch.setattr(playing, "ROWS", 8)
    datasets.record(game, agents, 33, tmp_path / "many", seed=9, threads=3)
    assert len(list((tmp_path / "many").glob("part*"))) > 2
    assert_equal(rows(tmp_path / "many"), wanted)
    # The end of a batch falls anywhere within a row group.
    for size in (1, 7, 149, 150, 151, 400, 10**6):
        assert_equal(rows(tmp_path / "many", rows=size), wanted)
        lengths = [len(b["action"]) for b in datasets.read(tmp_path / "many").batches(size)]
        assert set(lengths[:-1]) <= {size} and 0 < lengths[-1] <= size


def test_shuffled_rows_are_the_same_rows_in_another_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "GROUP_ROWS", 200)
    datasets.record(playmat.Game("connect_four"), ["random"], 100, tmp_path / "data")
    wanted = rows(tmp_path / "data")
    drawn = rows(tmp_path / "data", shuffle=1)
    assert_equal(rows(tmp_path / "data", shuffle=1), drawn)
    assert (rows(tmp_path / "data", shuffle=2)["episode"] != drawn["episode"]).any()
    assert (drawn["episode"] != wanted["episode"]).any()
    order = np.lexsort((drawn["decision"], drawn["episode"]))
    assert_equal({name: values[order] for name, values in drawn.items()}, wanted)


def test_fields_are_read_alone_and_batches_are_the_callers(tmp_path: Path) -> None:
    datasets.record(playmat.Game("tic_tac_toe"), ["random"], 10, tmp_path / "data")
    data = datasets.read(tmp_path / "data", playmat.Game("tic_tac_toe"))
    (batch,) = data.batches(fields=["action", "obs", "action"])
    assert list(batch) == ["action", "obs"]
    batch["obs"][:] = 7
    (again,) = data.batches(fields=["obs"], shuffle=3)
    assert again["obs"].max() <= 1
    again["obs"][:] = 7
    assert len(data) == data.num_rows == len(batch["action"]) == sum(len(b["obs"]) for b in data)
    assert data.complete and data.num_episodes == 10 and data.game() == playmat.Game("tic_tac_toe")
    assert "tic_tac_toe by random, 10 of 10 episodes" in repr(data)
    with pytest.raises(playmat.InvalidArgument, match="`fields`: got `observation`; allowed: epis"):
        data.batches(fields=["observation"])
    with pytest.raises(playmat.InvalidArgument, match="`rows`: got 0; wanted 1 or more"):
        data.batches(0)


#: Records a data set with many small parts. Before each episode it prints a line and reads one, so
#: that the test knows how far it is at most. Arguments: folder, seconds of a part, threads.
RECORD = """
import sys
import pyarrow.parquet
import playmat
from playmat import datasets
from playmat.datasets import recording
recording.PART_SECONDS, recording.GROUP_ROWS = float(sys.argv[2]), 100
game = playmat.Game("graft", players=2)
datasets.record(
    game, ["mcts:6", "greedy"], 150, sys.argv[1], seed=2, threads=int(sys.argv[3]),
    progress=lambda done: (print(done, flush=True), sys.stdin.readline()),
)
print("complete", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_interruptions_change_no_row(threads: int, tmp_path: Path) -> None:
    """Ctrl-C and SIGKILL at random moments, until the data set is complete."""
    undisturbed = [sys.executable, "-c", RECORD, str(tmp_path / "whole"), "1000", "1"]
    subprocess.run(undisturbed, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    wanted = rows(tmp_path / "whole")
    rng = random.Random(threads)
    out, killed, lost = tmp_path / "pieces", 0, []
    command = [sys.executable, "-c", RECORD, str(out), "0.02", str(threads)]
    for attempt in range(100):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        with subprocess.Popen(command, bufsize=0, **pipes) as child:
            assert child.stdin and child.stdout and child.stderr
            # After some episodes, anywhere within the next three.
            episodes = rng.randint(1, 40)
            child.stdin.write(b"\n" * (episodes + 3))
            said = b"".join(child.stdout.readline() for _ in range(episodes))
            time.sleep(rng.uniform(0, 0.02))
            number = (signal.SIGINT, signal.SIGKILL)[attempt % 2]
            child.send_signal(number)
            child.stdin.close()
            # A signal may still meet the end of an interpreter that has recorded everything.
            done = (said + child.stdout.read()).endswith(b"complete\n")
            errors = child.stderr.read().decode()
        if (out / "manifest.json").exists():
            data = datasets.read(out)
            if number == signal.SIGINT and not done:
                assert "KeyboardInterrupt" in errors
            lost.append(data.num_episodes)
            # What is there is a beginning of the whole.
            if data.num_rows:
                assert_equal(rows(out), {n: v[: data.num_rows] for n, v in wanted.items()})
        if done:
            break
        killed += 1
    assert killed >= 3 and lost == sorted(lost)
    assert datasets.read(out).complete
    assert_equal(rows(out), wanted)
    # Once more: there is nothing left to play.
    before = sorted(out.iterdir())
    game = playmat.Game("graft", players=2)
    again = datasets.record(game, ["mcts:6", "greedy"], 150, out, seed=2)
    assert (again.found, again.played, again.rows) == (150, 0, 0)
    assert sorted(out.iterdir()) == before


def test_ctrl_c_keeps_whole_episodes(tmp_path: Path) -> None:
    game, out = playmat.Game("connect_four"), tmp_path / "data"

    def interrupt(done: int) -> None:
        if done >= 64:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        datasets.record(game, ["random"], 1000, out, progress=interrupt)
    assert signal.getsignal(signal.SIGINT) is before
    data = datasets.read(out, game)
    assert not data.complete and data.num_episodes >= 64
    assert sorted(path.name for path in out.iterdir()) == [
        "manifest.json",
        f"part-00000000-{data.num_episodes - 1:08}.parquet",
    ]


def test_outside_of_the_main_thread_signals_are_left_alone(tmp_path: Path) -> None:
    game = playmat.Game("tic_tac_toe")
    work = threading.Thread(target=datasets.record, args=(game, ["random"], 50, tmp_path / "data"))
    work.start()
    work.join()
    assert datasets.read(tmp_path / "data", game).complete


def recorded(path: Path, name: str = "leduc_poker", **options: Any) -> Path:
    datasets.record(playmat.Game(name, **options), ["greedy", "random"], 40, path, seed=1)
    return path


def test_a_resume_with_other_arguments_says_what_differs(tmp_path: Path) -> None:
    out = recorded(tmp_path / "data")
    before = {path: path.read_bytes() for path in out.iterdir()}
    game = playmat.Game("leduc_poker")
    cases: list[tuple[playmat.Game, list[str], int, int, list[str]]] = [
        (playmat.Game("kuhn_poker"), ["greedy", "random"], 40, 1, ["game is `leduc_poker`, the call says `kuhn_poker`"]),
        (playmat.Game("leduc_poker", players=3), ["greedy", "random"], 40, 1, ["option players is `2`, the call says `3`"]),
        (game, ["greedy"], 40, 1, ["agents is `greedy,random`, the call says `greedy`"]),
        (game, ["greedy", "random"], 41, 7, ["seed is `1`, the call says `7`", "episodes is `40`, the call says `41`"]),
    ]  # fmt: skip
    for other, agents, episodes, seed, messages in cases:
        with pytest.raises(playmat.WrongIdentity) as refused:
            datasets.record(other, agents, episodes, out, seed=seed)
        assert str(refused.value).startswith(f"data set `{out}` does not fit: ")
        for message in messages:
            assert message in str(refused.value)
        assert refused.value.what == f"data set `{out}`" and refused.value.found
    datasets.record(game, ["greedy", "random"], 40, out, seed=1, threads=2)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_a_data_set_of_another_game_is_refused(tmp_path: Path) -> None:
    out = recorded(tmp_path / "data", "graft", players=3)
    datasets.read(out, playmat.Game("graft", players=3))
    for game, message in [
        (playmat.Game("leduc_poker"), "game is `graft`, this is `leduc_poker`"),
        (playmat.Game("graft", players=2), "option players is `3`, this is `2`"),
        (playmat.Game("graft", max_steps=9), "option max_steps is `0`, this is `9`"),
    ]:
        with pytest.raises(playmat.WrongIdentity, match="does not fit: ") as refused:
            datasets.read(out, game)
        assert message in str(refused.value)
    change = {"version": 2, "content_hash": "0x1"}
    edited = json.loads((out / "manifest.json").read_text()) | change
    (out / "manifest.json").write_text(json.dumps(edited))
    with pytest.raises(playmat.WrongIdentity, match="version is `2`, this is `1`; content_hash is"):
        datasets.read(out, playmat.Game("graft", players=3))
    # A part that the manifest does not tell of, too.
    with pytest.raises(playmat.WrongIdentity, match=r"part .* version is `1`, the manifest says"):
        datasets.read(out)


def test_damage_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "PART_BYTES", 1)
    monkeypatch.setattr(recording, "GROUP_ROWS", 1)
    out = recorded(tmp_path / "data")
    first, second, *_ = sorted(out.glob("part*"))
    whole, manifest = first.read_bytes(), (out / "manifest.json").read_text()

    def refuse(reason: str, path: Path) -> None:
        with pytest.raises(playmat.Unreadable, match=reason) as refused:
            for _ in datasets.read(out):
                pass
        assert f"`{path}`" in str(refused.value) and refused.value.what == str(path)

    first.write_bytes(whole[: len(whole) // 2])
    refuse("cannot read", first)
    first.write_bytes(b"")
    refuse("cannot read", first)
    # The footer is whole, the data is not.
    first.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])
    refuse("cannot read", first)
    first.unlink()
    refuse("wanted a part that begins with episode 0", second)
    first.write_bytes(whole)
    first.write_bytes(second.read_bytes())
    refuse("it holds the episodes 16 to 31, not those it is named after", first)
    first.write_bytes(whole)
    pq.write_table(pq.read_table(first), first)
    refuse("no part of a data set of playmat", first)
    first.write_bytes(whole)
    for text, reason in [
        ("{", "no JSON"),
        ("[]", "does not say its format"),
        (manifest.replace("rollouts/1", "rollouts/2"), "wanted `playmat-rollouts/1`"),
        (manifest.replace('"seed": 1', '"seed": "1"'), "`seed` is missing or no int"),
        (manifest.replace("content_hash", "hash"), "`content_hash` is missing"),
        (manifest.replace('"greedy"', "3"), "`agents` is no list of specs"),
    ]:
        (out / "manifest.json").write_text(text)
        refuse(reason, out / "manifest.json")
    (out / "manifest.json").unlink()
    refuse("there is no manifest.json", out)
    with pytest.raises(playmat.Unreadable, match="nowhere`: it is no data set"):
        datasets.read(tmp_path / "nowhere")


def test_folders_with_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(playmat.InvalidArgument, match=r"holds `thesis.txt` and no data set"):
        datasets.record(playmat.Game("tic_tac_toe"), ["random"], 5, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_names_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "data"
    game = playmat.Game("connect_four")
    with pytest.MonkeyPatch.context() as patch:
        # Whatever is written goes to a device without room.
        opened = Path.open

        def full(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
            there = path if "w" not in mode else Path("/dev/full")
            return opened(there, mode, *rest, **more)

        patch.setattr(Path, "open", full)
        with pytest.raises(OSError, match="No space left on device") as refused:
            datasets.record(game, ["random"], 10, out)
        assert str(out) in str(refused.value)
        arguments = ["rollouts", "connect_four", "--agents", "random", "--out", str(out)]
        assert main(arguments) == 2
        message = capsys.readouterr().err
        assert "No space left on device" in message and str(out) in message
        assert len(message.strip().splitlines()) == 1
    assert list(out.iterdir()) == []
    datasets.record(game, ["random"], 10, out)
    assert datasets.read(out, game).complete


@pytest.mark.skipif(os.name == "nt", reason="limits of processes")
def test_a_disk_that_fills_up_leaves_what_was_complete(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk with little room."""
    out = tmp_path / "data"
    code = (
        "import resource, signal, sys\n"
        "from playmat.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["rollouts", "graft", "--agents", "random", "--episodes", "300", "--out", str(out)]
    command = [sys.executable, "-c", code, *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    assert "File too large" in run.stderr and f"{out}" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert [path.name for path in out.iterdir()] == ["manifest.json"]
    subprocess.run([sys.executable, "-m", "playmat", *arguments], check=True, capture_output=True)
    assert datasets.read(out).num_episodes == 300


def test_folders_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OSError) as refused:
            datasets.record(playmat.Game("tic_tac_toe"), ["random"], 5, out)
        assert str(out) in str(refused.value)


@pytest.mark.skipif(os.name == "nt", reason="another way to lock")
def test_two_processes_do_not_write_one_data_set(tmp_path: Path) -> None:
    out = tmp_path / "data"
    command = [sys.executable, "-c", RECORD, str(out), "1000", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        # It waits until somebody lets it play.
        assert child.stdout.readline() == b"0\n"
        try:
            with pytest.raises(playmat.OrderError, match="another process is writing it"):
                datasets.record(playmat.Game("graft", players=2), ["random"], 5, out)
        finally:
            child.kill()
    # The lock went with the process.
    game = playmat.Game("graft", players=2)
    with pytest.raises(playmat.WrongIdentity):
        datasets.record(game, ["random"], 5, out)


def test_memory_does_not_grow_with_the_number_of_episodes(tmp_path: Path) -> None:
    code = (
        "import resource, sys, playmat\n"
        "from playmat import datasets\n"
        "from playmat.datasets import recording\n"
        "recording.GROUP_BYTES = recording.PART_BYTES = 1 << 20\n"
        "game = playmat.Game('graft')\n"
        "datasets.record(game, ['random'], int(sys.argv[1]), sys.argv[2])\n"
        "written = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "rows = sum(len(batch['obs']) for batch in datasets.read(sys.argv[2], game))\n"
        "print(rows, written, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )

    def run(episodes: int) -> tuple[int, int, int]:
        command = [sys.executable, "-c", code, str(episodes), str(tmp_path / str(episodes))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows, written, read = map(int, done.stdout.split())
        return rows, written, read

    run(100)
    short, long = run(300), run(3000)
    # 3,000 episodes are 160 MB of rows before compression.
    assert long[0] * 920 > 150e6
    for before, after in zip(short[1:], long[1:], strict=True):
        assert after - before < 40_000, "kilobytes"


def test_command_writes_resumes_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "data"
    arguments = ["rollouts", "kuhn_poker", "-o", "players=3", "--agents", "mcts:5,threads=2,random"]
    arguments += ["--episodes", "50", "--seed", "3", "--out", str(out)]
    assert main(arguments) == 0
    said = capsys.readouterr()
    data = datasets.read(out, playmat.Game("kuhn_poker", players=3))
    assert data.identity.agents == ["mcts:5,threads=2", "random"] and data.identity.seed == 3
    assert said.out == f"{out}: 50 episodes, {len(data)} decisions\n" and not said.err
    assert main([*arguments, "--threads", "2"]) == 0
    assert "50 episodes (50 were there)" in capsys.readouterr().out
    assert main([*arguments, "--episodes", "51"]) == 2
    assert "episodes is `50`, the call says `51`" in capsys.readouterr().err
    timed = ["rollouts", "kuhn_poker", "--agents", "mcts:1ms", "--episodes", "1"]
    assert main([*timed, "--out", str(tmp_path / "timed")]) == 0
    assert "plays otherwise each time" in capsys.readouterr().out
    assert not datasets.read(tmp_path / "timed").identity.repeatable
    assert data.identity.repeatable


def test_ctrl_c_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "data"
    arguments = ["rollouts", "tic_tac_toe", "--episodes", "1000", "--out", str(out)]

    @contextlib.contextmanager
    def press(total: int, what: str) -> Iterator[Any]:
        yield lambda done: signal.raise_signal(signal.SIGINT) if done == 112 else None

    with monkeypatch.context() as patch:
        patch.setattr(rollouts, "progress_bar", press)
        assert main(arguments) == 130
    found = datasets.read(out).num_episodes
    assert found == 112
    said = capsys.readouterr()
    assert said.out == f"{out}: {found} of 1000 episodes; the same command goes on from there\n"
    assert main(arguments) == 0
    assert f"1000 episodes ({found} were there)" in capsys.readouterr().out


@pytest.fixture
def minari(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Minari with its data sets in the folder of the test."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    for package in datasets.MINARI_PACKAGES:
        pytest.importorskip(package)
    return pytest.importorskip("minari")


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_minari_has_what_each_player_lives_through(
    minari: Any, name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    game = playmat.Game(name, **options)
    out = tmp_path / f"{name}-v3"
    datasets.record(game, ["greedy", "random"], 12, out, seed=4)
    assert datasets.to_minari(out) == out / "data"
    data = minari.load_dataset(f"{name}-v3")
    assert data.spec.total_steps == len(datasets.read(out))
    metadata = list(data.storage.get_episode_metadata(range(data.total_episodes)))
    at = 0
    for episode in range(12):
        seed = datasets.episode_seed(4, episode)
        who = [["greedy", "random"][(episode + p) % 2] for p in range(game.num_players)]
        agents = [game.agent(spec) for spec in who]
        env = game.env(seed)
        lives: list[dict[str, list[Any]]] = [
            {"obs": [], "mask": [], "action": [], "reward": []} for _ in who
        ]
        while not env.done:
            player = env.current_player
            life = lives[player]
            life["obs"].append(env.observation(player))
            life["mask"].append(env.action_mask(player))
            life["action"].append(agents[player].act(env))
            life["reward"].append(0.0)
            env.step(life["action"][-1])
            for paid, other in zip(env.rewards, lives, strict=True):
                if other["reward"]:
                    other["reward"][-1] += paid
        for player, life in enumerate(lives):
            if not life["action"]:
                continue
            found, about = data[at], metadata[at]
            at += 1
            observations = np.array([*life["obs"], env.observation(player)])
            np.testing.assert_array_equal(found.observations["observation"], observations)
            masks = np.array([*life["mask"], np.zeros(game.num_actions)])
            np.testing.assert_array_equal(found.observations["action_mask"], masks)
            np.testing.assert_array_equal(found.actions, life["action"])
            np.testing.assert_allclose(found.rewards, life["reward"], atol=1e-6)
            last = [False] * (len(life["action"]) - 1)
            assert found.terminations.tolist() == [*last, env.terminated]
            assert found.truncations.tolist() == [*last, env.truncated]
            assert (about["seed"], about["player"], about["episode"]) == (seed, player, episode)
            assert about["agent"] == who[player]
            assert about["return"] == pytest.approx(float(env.returns[player]))
            assert data.observation_space.contains({k: v[0] for k, v in found.observations.items()})
            assert data.action_space.contains(found.actions[0])
    assert at == data.total_episodes


def test_minari_is_written_whole_or_not_at_all(
    minari: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "data"
    command = ["rollouts", "leduc_poker", "--episodes", "400", "--out", str(out)]
    assert main(command) == 0

    class Broken(Exception):
        pass

    def fail(done: int) -> None:
        raise Broken

    with pytest.raises(Broken):
        datasets.to_minari(out, progress=fail)
    assert not list(out.glob("data")) and not list(out.glob(".unfinished*"))
    # What a killed process leaves is removed.
    (out / ".unfinished-data").mkdir()
    (out / ".unfinished-data" / "metadata.json").write_text("{}")
    # The files of a Minari data set appear where they are asked for, although the id is another.
    monkeypatch.chdir(tmp_path)
    assert main([*command[:-1], "data", "--format", "minari"]) == 0
    data = minari.MinariDataset(out / "data")
    assert data.spec.dataset_id == "leduc_poker-v0" and data.total_episodes == 800
    before = (out / "data" / "main_data.hdf5").stat().st_mtime_ns
    assert datasets.to_minari(out) == out / "data"
    assert (out / "data" / "main_data.hdf5").stat().st_mtime_ns == before
    assert not list(out.glob(".unfinished*"))


def test_minari_refuses_what_it_cannot_hold(minari: Any, tmp_path: Path) -> None:
    out = recorded(tmp_path / "data")
    for wrong in ("graft", "a b-v0", "x/graft", "/graft-v0"):
        with pytest.raises(playmat.InvalidArgument, match=f"got `{wrong}`; wanted NAME-vNUMBER"):
            datasets.to_minari(out, dataset_id=wrong)
    assert datasets.to_minari(out, dataset_id="playmat/leduc/greedy-v0") == out / "data"
    assert minari.MinariDataset(out / "data").spec.namespace == "playmat/leduc"

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    game = playmat.Game("leduc_poker")
    with pytest.raises(KeyboardInterrupt):
        datasets.record(game, ["random"], 40, tmp_path / "part", progress=interrupt)
    with pytest.raises(playmat.InvalidArgument, match=r"has 0 of 40 episodes; wanted a complete"):
        datasets.to_minari(tmp_path / "part")


def test_minari_refuses_rows_that_do_not_replay(minari: Any, tmp_path: Path) -> None:
    out = recorded(tmp_path / "data", "connect_four")
    (part,) = out.glob("part*")
    table = pq.read_table(part)
    about = pq.read_metadata(part).metadata
    own = {k: v for k, v in about.items() if k != b"ARROW:schema"}
    place = table.schema.get_field_index("action")
    # A column holds six pieces, and every episode has more decisions.
    first = pa.array([0] * len(table))
    edited = table.set_column(place, table.schema.field("action"), first)
    with pq.ParquetWriter(part, edited.schema) as writer:
        writer.write_table(edited)
        writer.add_key_value_metadata(own)
    with pytest.raises(playmat.Unreadable, match=r"episode 0 does not replay: illegal action 0"):
        datasets.to_minari(out)
    assert not (out / "data").exists()


def test_a_clone_of_greedy_beats_random(tmp_path: Path) -> None:
    """The example, with less of everything: random play alone would win half of its episodes."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    path = Path(__file__).parents[2] / "examples" / "offline_cloning.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    example = runpy.run_path(str(path))
    rate = example["main"]("connect_four", 600, tmp_path / "data", 3, 500)
    assert rate > 0.65
