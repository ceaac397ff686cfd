"""Trained networks as agents of the engine."""

from __future__ import annotations

import pickle
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import playmat
from playmat.agents import split_agents
from playmat.train.config import preset
from playmat.train.encoders.network import build
from playmat.train.export import export

FOLDER = Path(__file__).parents[1] / "networks"
FILE = str(FOLDER / "tic_tac_toe.onnx")
spread = runpy.run_path(str(FOLDER / "make.py"))["spread"]
#: Every kind of body, on every game that has it.
BODIES = [
    *[(name, "mlp") for name in playmat.games()],
    ("graven", "entities"),
    ("gravitix", "entities"),
    ("rafts", "entities"),
    ("graphia", "conv"),
]


def small(game: playmat.Game, body: str, path: Path, seed: int = 1, bonus: float = 0) -> str:
    """The file of an untrained network."""
    config = preset(
        game.name, network=body, width=16, channels=4, pieces=2, seed=seed, device="cpu",
        greedy_bonus=bonus,
    )  # fmt: skip
    export(build(game, config), game, path)
    return str(path)


@pytest.mark.parametrize(("name", "body"), BODIES)
def test_it_chooses_what_onnxruntime_chooses(name: str, body: str, tmp_path: Path) -> None:
    """Networks of the size that is trained, with weights that make all of their parts matter."""
    game = playmat.Game(name)
    network = build(game, preset(name, network=body, seed=1, device="cpu", greedy_bonus=0))
    spread(network, seed=1)
    path = tmp_path / "policy.onnx"
    export(network, game, path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options)
    agent = game.agent(str(path))
    venv = game.vec_env(50)
    batch = venv.reset(seed=4)
    positions, deviations, clearly = 0, [], []
    while positions < 1000:
        acts = batch.action_mask.any(1)
        obs, mask = batch.obs[acts], batch.action_mask[acts].astype(bool)
        (logits,) = session.run(["logits"], {"obs": obs, "mask": mask})
        chosen = agent.act_batch(venv)[acts]
        rows = np.arange(len(chosen))
        assert mask[rows, chosen].all()
        # Sums in another order differ in their last bits: only ties may be broken differently.
        behind = logits.max(1) - logits[rows, chosen]
        assert behind.max() <= 1e-5 * max(1, np.abs(logits[mask]).max())
        order = np.sort(logits, 1)
        clear = order[:, -1] - order[:, -2] > 1e-4
        assert (chosen[clear] == logits.argmax(1)[clear]).all()
        positions += len(chosen)
        several = mask.sum(1) > 1
        rows_of = zip(logits[several], mask[several], strict=True)
        deviations += [row[legal].std() for row, legal in rows_of]
        clearly += clear[several].tolist()
        batch = venv.step(venv.sample_actions())
    # Actions are far from alike, so that a wrong sum anywhere would choose another one.
    assert np.median(deviations) > 0.1
    assert np.mean(clearly) > 0.99


@pytest.mark.parametrize("name", ["gravitix", "goofspiel", "leduc_poker"])
def test_a_network_with_a_bonus_reads_what_the_greedy_agent_chooses(
    name: str, tmp_path: Path
) -> None:
    """In these games the greedy agent draws nothing, so that it chooses alike whoever asks."""
    game = playmat.Game(name)
    network = build(game, preset(name, seed=1, device="cpu", greedy_bonus=1.0))
    spread(network, seed=1)
    path = tmp_path / "policy.onnx"
    export(network, game, path)
    session = onnxruntime.InferenceSession(str(path))
    agent, greedy = game.agent(str(path)), game.agent("greedy")
    with game.vec_env(50, learner="rotate", opponents=[str(path)]) as venv:
        batch = venv.reset(seed=4)
        differ = 0
        for _ in range(20):
            rows = np.arange(len(batch.obs))
            chosen = np.eye(game.num_actions, dtype=np.uint8)[greedy.act_batch(venv)]
            given = {"obs": batch.obs, "mask": batch.action_mask.astype(bool)}
            (logits,) = session.run(["logits"], {**given, "greedy": chosen})
            (without,) = session.run(["logits"], {**given, "greedy": np.zeros_like(chosen)})
            actions = agent.act_batch(venv)
            behind = logits.max(1) - logits[rows, actions]
            assert behind.max() <= 1e-5 * np.abs(logits[batch.action_mask.astype(bool)]).max()
            differ += int((without.argmax(1) != actions).sum())
            assert [agent.act(venv.state(at)) for at in range(5)] == actions[:5].tolist()
            batch = venv.step(venv.sample_actions())
    assert differ > 20


def test_agents_decide_as_in_all_other_languages() -> None:
    """`decisions.rs` beside the file describes it."""
    played = ""
    text = (FOLDER / "decisions.txt").read_text()
    for block in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]:
        heading, *episodes = block.splitlines()
        name, *specs = heading.split()
        game = playmat.Game(name)
        agents = [game.agent(spec.replace("FILE", str(FOLDER / f"{name}.onnx"))) for spec in specs]
        played += heading + "\n"
        for seed in range(len(episodes)):
            env, actions = game.env(seed=seed), []
            while not env.done:
                actions.append(agents[(seed + env.current_player) % len(agents)].act(env))
                env.step(actions[-1])
            played += " ".join(map(str, actions)) + "\n"
    assert played == text


@pytest.mark.parametrize("options", [",temperature=0", ",temperature=0.5", ",temperature=1"])
@pytest.mark.parametrize(
    ("name", "bonus"), [("leduc_poker", 0.0), ("goofspiel", 0.0), ("rafts", 1.0)]
)
def test_a_network_tells_its_policy_and_its_value(
    name: str, bonus: float, options: str, tmp_path: Path
) -> None:
    """The policy is the softmax of its logits, the value that of the file without its scale."""
    game = playmat.Game(name)
    config = preset(name, seed=1, device="cpu", greedy_bonus=bonus, network="mlp")
    network = build(game, config)
    spread(network, seed=1)
    path = tmp_path / "policy.onnx"
    export(network, game, path, reward_scale=0.25)
    session = onnxruntime.InferenceSession(str(path))
    agent, twin = game.agent(f"{path}{options}"), game.agent(f"{path}{options}")
    temperature = float(options.split("=")[1]) or 1.0
    env, other = game.env(seed=3), game.env(seed=3)
    decisions = 0
    while not env.done:
        policy, value = agent.evaluate(env)
        mask = env.action_mask().astype(bool)
        given = {"obs": env.observation()[None], "mask": mask[None]}
        if bonus == 0:
            (logits,), (raw,) = session.run(["logits", "value"], given)
            weights = np.exp((logits[mask] - logits[mask].max()) / temperature)
            assert np.allclose(policy[mask], weights / weights.sum(), atol=1e-5)
            assert value == pytest.approx(raw / 0.25, rel=1e-4, abs=1e-4)
        assert policy.dtype == np.float32 and policy.shape == (game.num_actions,)
        assert not policy[~mask].any() and policy.sum() == pytest.approx(1, abs=1e-5)
        action = agent.act(env)
        # The call has drawn nothing.
        assert action == twin.act(other)
        if options == ",temperature=0":
            assert policy[action] == policy.max()
        env.step(action)
        other.step(action)
        decisions += 1
    assert decisions >= 2
    with pytest.raises(playmat.EpisodeOver):
        agent.evaluate(env)


@pytest.mark.parametrize("view", ["turn", "joint"])
def test_a_network_tells_its_policy_in_all_rows_of_a_batch(view: str, tmp_path: Path) -> None:
    game = playmat.Game("goofspiel", players=3)
    agent = game.agent(small(game, "mlp", tmp_path / "policy.onnx"))
    with game.vec_env(150, view=view, threads=2) as venv:
        batch = venv.reset(seed=5)
        for _ in range(6):
            policy, value = agent.evaluate(venv)
            assert policy.shape == batch.action_mask.shape and value.shape == policy.shape[:-1]
            assert (policy[batch.action_mask == 0] == 0).all()
            for at in (0, 1, 149):
                env = venv.state(at)
                for player in range(3) if view == "joint" else [env.current_player]:
                    own = (at, player) if view == "joint" else at
                    if batch.action_mask[own].any():
                        alone, expected = agent.evaluate(env, player)
                        assert (policy[own] == alone).all() and value[own] == np.float32(expected)
                    else:
                        assert not policy[own].any() and value[own] == 0
            batch = venv.step(venv.sample_actions())


def test_only_a_network_tells_its_policy() -> None:
    game = playmat.Game("tic_tac_toe")
    env, agent = game.env(seed=1), game.agent(FILE)
    for spec in ("random", "greedy", "mcts:8", f"mcts:8,policy={FILE}"):
        with pytest.raises(
            playmat.InvalidArgument, match=f"got `{re.escape(spec)}`; only a network"
        ):
            game.agent(spec).evaluate(env)
    with pytest.raises(playmat.NotActing):
        agent.evaluate(env, 1)
    with pytest.raises(playmat.InvalidPlayer):
        agent.evaluate(env, 2)
    with pytest.raises(playmat.InvalidArgument, match="wanted an Env or a VecEnv"):
        agent.evaluate(game)  # type: ignore[call-overload]
    with pytest.raises(playmat.InvalidArgument, match="made for"):
        agent.evaluate(playmat.Game("connect_four").env(seed=1))
    with game.vec_env(2) as venv:
        with pytest.raises(playmat.OrderError):
            agent.evaluate(venv)
        venv.reset(seed=1)
        with pytest.raises(playmat.InvalidArgument, match="`player`: is for an Env"):
            agent.evaluate(venv, 0)  # type: ignore[call-overload]


@pytest.mark.parametrize("options", ["", ",temperature=1"])
@pytest.mark.parametrize("name", ["graphia", "graft"])
def test_a_batch_with_draws_of_the_greedy_agent_decides_alike_on_all_threads(
    name: str, options: str, tmp_path: Path
) -> None:
    """Three players who choose at once share a random stream, and how many of their rows the network
    computes together depends on the number of threads and on the rows that are asked.
    """
    game, envs = playmat.Game(name, players=3), 1500
    agent = game.agent(small(game, "mlp", tmp_path / "policy.onnx", bonus=0.5) + options)
    found = []
    for threads, masked in ((1, False), (2, False), (3, False), (2, True)):
        with game.vec_env(envs, view="joint", threads=threads) as venv:
            venv.reset(seed=3)
            venv.rollout("random", 5)
            mask = np.ones(envs, np.bool_)
            if masked:
                mask[::3] = False
            found.append(agent.act_batch(venv, mask=mask)[mask])
    for one in found[1:3]:
        assert np.array_equal(found[0], one)
    asked = np.arange(envs) % 3 != 0
    assert np.array_equal(found[0][asked], found[3])


@pytest.mark.parametrize("name", ["graphia", "connect_four"])
def test_opponents_with_draws_of_the_greedy_agent_repeat(name: str) -> None:
    """Opponents inside a batch draw from their environment's stream, in order."""
    game, file = playmat.Game(name), str(FOLDER / f"{name}.onnx,temperature=1")
    found = []
    for threads, envs in ((1, 40), (2, 40), (1, 7)):
        with game.vec_env(envs, learner="rotate", opponents=[file], threads=threads) as venv:
            batch, seen = venv.reset(seed=3), []
            for _ in range(12):
                batch = venv.step(np.argmax(batch.action_mask, axis=1))
                seen.append(batch.obs[:7].copy())
            found.append(np.stack(seen))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


@pytest.mark.parametrize(("name", "body"), BODIES)
def test_opponents_of_a_batch_decide_as_in_single_environments(
    name: str, body: str, tmp_path: Path
) -> None:
    game = playmat.Game(name)
    files = [small(game, body, tmp_path / f"{seed}.onnx", seed) for seed in (1, 2)]
    agents = [game.agent(file) for file in files]
    for threads, envs, steps in ((1, 9, 40), (2, 130, 6)):
        venv = game.vec_env(envs, threads=threads, learner="rotate", opponents=files)
        batch = venv.reset(seed=4)
        singles = [game.env(seed=int(seed)) for seed in batch.episode_seed]
        opponent, ended = batch.opponent.copy(), np.zeros(envs, bool)
        decided = 0
        for _ in range(steps):
            for i, env in enumerate(singles):
                if ended[i]:
                    env.reset(seed=int(batch.episode_seed[i]))
                while opponent[i][env.current_player] >= 0:
                    env.step(agents[opponent[i][env.current_player]].act(env))
                    decided += 1
                assert np.array_equal(env.observation(), batch.obs[i])
            actions = venv.sample_actions().copy()
            batch = venv.step(actions)
            ended = batch.terminated | batch.truncated
            for i, env in enumerate(singles):
                env.step(int(actions[i]))
                while ended[i] and not env.done:
                    env.step(agents[opponent[i][env.current_player]].act(env))
                if ended[i]:
                    assert np.array_equal(env.returns, batch.episode_return[i])
            opponent = batch.opponent.copy()
        assert decided > envs
        venv.close()


def test_a_search_forgets_what_a_network_found_whose_file_has_changed(tmp_path: Path) -> None:
    game = playmat.Game("connect_four")
    file = tmp_path / "policy.onnx"
    env = game.env(seed=1)
    venv = game.vec_env(4)
    venv.reset(seed=1)

    def found(env: playmat.Env, venv: playmat.VecEnv, seed: int) -> list[Any]:
        agent = game.agent(f"mcts:40,policy={small(game, 'mlp', file, seed)}")
        with pytest.raises(playmat.OrderError):
            agent.statistics(env)
        agent.act_batch(venv)
        agent.act(env)
        all_found = [agent.statistics(env), agent.statistics_batch(venv)]
        return [[one.visits.tolist(), one.prior.tolist()] for one in all_found]

    old, new = (found(env, venv, seed) for seed in (1, 2))
    fresh = game.vec_env(4)
    fresh.reset(seed=1)
    assert found(game.env(seed=1), fresh, 2) == new != old


def test_it_plays_wherever_an_agent_plays(tmp_path: Path) -> None:
    game = playmat.Game("tic_tac_toe")
    with game.vec_env(8, learner="rotate", opponents={FILE: 1, "random": 1}) as venv:
        venv.reset(seed=1)
        for _ in range(20):
            venv.step(venv.sample_actions())
        assert [o["name"] for o in venv.results()["opponents"]] == [FILE, "random"]
        assert venv.add_opponent(f"{FILE},temperature=2") == 2
        assert venv.add_opponent(Path(FILE)) == 3
    assert game.agent(Path(FILE)).name == FILE
    for opponents in (Path(FILE), [Path(FILE)], [(Path(FILE), 2.0)], {Path(FILE): 1}):
        with game.vec_env(2, learner="rotate", opponents=opponents) as venv:
            venv.reset(seed=1)
            assert [o["name"] for o in venv.results()["opponents"]] == [FILE]
    with pytest.raises(
        playmat.InvalidArgument, match=r"got an object of type .*; wanted the spec of an agent"
    ):
        game.agent(Path)  # type: ignore[arg-type]
    assert game.survey(4, agents=[FILE, f"mcts:8,policy={FILE}"])["episodes"] == 4
    again = pickle.loads(pickle.dumps(game.agent(FILE)))
    env = game.env(seed=5)
    assert again.name == FILE and again.act(env) == game.agent(FILE).act(env)
    command = [sys.executable, "-m", "playmat", "arena", "tic_tac_toe", "--episodes", "4"]
    command += ["--agents", FILE, "random"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "random" in done.stdout, done.stderr


def test_a_list_of_agents_may_have_networks_with_options() -> None:
    text = "a.onnx,temperature=1, greedy,b.onnx"
    assert split_agents(text) == ["a.onnx,temperature=1", "greedy", "b.onnx"]


def test_rollouts_beside_a_network_are_for_what_the_game_pays(tmp_path: Path) -> None:
    """The network's values are for the returns that it was trained on, whatever the game pays."""
    trained = playmat.Game("goofspiel", reward="outcome")
    path = small(trained, "mlp", tmp_path / "goofspiel.onnx")
    found = {}
    for reward in ("outcome", "score"):
        game = playmat.Game("goofspiel", reward=reward)
        for options in ("", ",rollout=greedy"):
            agent, env = game.agent(f"mcts:60,policy={path}{options}"), game.env(seed=2)
            agent.act(env)
            statistics = agent.statistics(env)
            found[reward, options] = statistics.mean_return[statistics.visits > 0]
    assert np.array_equal(found["outcome", ""], found["score", ""])
    assert (
        abs(found["outcome", ",rollout=greedy"]).max()
        <= 1
        < abs(found["score", ",rollout=greedy"]).max()
    )


def test_a_file_for_something_else_is_refused_by_what_differs(tmp_path: Path) -> None:
    def reason(game: playmat.Game, spec: str) -> str:
        with pytest.raises(playmat.InvalidArgument) as caught:
            game.agent(spec)
        return str(caught.value)

    assert reason(playmat.Game("connect_four"), FILE).endswith(
        "it was trained for game `tic_tac_toe`; here it is `connect_four`"
    )
    path = small(playmat.Game("graphia", players=2), "mlp", tmp_path / "graphia.onnx")
    assert "it was trained for players `2`; here it is `3`" in reason(
        playmat.Game("graphia", players=3), path
    )
    goofspiel = playmat.Game("goofspiel")
    path = small(goofspiel, "mlp", tmp_path / "goofspiel.onnx")
    # What an episode pays, and how long it may be, does not matter.
    assert playmat.Game("goofspiel", reward="score", max_steps=9).agent(path).name == path
    missing = reason(playmat.Game("tic_tac_toe"), str(tmp_path / "none.onnx"))
    assert "cannot read it" in missing
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    assert "bad.onnx" in reason(playmat.Game("tic_tac_toe"), str(tmp_path / "bad.onnx"))


def test_a_file_that_was_cut_short_is_called_damaged(tmp_path: Path) -> None:
    game, file = playmat.Game("tic_tac_toe"), tmp_path / "cut.onnx"
    whole = (Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx").read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 40):
        file.write_bytes(whole[:size])
        with pytest.raises(playmat.InvalidArgument) as refused:
            game.agent(str(file))
        assert "it is damaged or incomplete: it ends inside a field" in str(refused.value)


def test_a_file_with_a_bad_greedy_input_is_refused(tmp_path: Path) -> None:
    game, path = playmat.Game("connect_four"), tmp_path / "changed.onnx"

    def reason(change: Callable[[onnx.ModelProto], None]) -> str:
        model = onnx.load(str(FOLDER / "connect_four.onnx"))
        change(model)
        path.write_bytes(model.SerializeToString())
        with pytest.raises(playmat.InvalidArgument) as caught:
            game.agent(str(path))
        return str(caught.value).partition(f"`{path}`: ")[2]

    def retyped(model: onnx.ModelProto) -> None:
        model.graph.input[2].type.tensor_type.elem_type = onnx.TensorProto.FLOAT

    def wider(model: onnx.ModelProto) -> None:
        model.graph.input[2].type.tensor_type.shape.dim[1].dim_value = 8

    def renamed(model: onnx.ModelProto) -> None:
        model.graph.input[2].name = "gredy"

    def missing(model: onnx.ModelProto) -> None:
        del model.graph.input[2]

    def integers(model: onnx.ModelProto) -> None:
        (cast,) = (node for node in model.graph.node if list(node.input) == ["greedy"])
        cast.attribute[0].i = onnx.TensorProto.INT64

    def computed(model: onnx.ModelProto) -> None:
        model.graph.node[0].output[0] = "greedy"

    assert reason(retyped) == reason(wider) == "its input `greedy` is not uint8 [batch, 7]"
    assert reason(renamed) == "it has an input `gredy`; allowed: `obs`, `mask`, `greedy`"
    assert reason(missing) == "operator `Cast`: its input `greedy` comes from nowhere"
    only = "operator `Cast`: only `obs` and `greedy` may be cast, and only to float32"
    assert reason(integers) == only
    assert reason(computed).endswith("its output `greedy` exists already")

    # An input that nothing reads does no harm.
    model = onnx.load(str(FOLDER / "connect_four.onnx"))
    logits = next(node for node in model.graph.node if "mask" in node.input)
    total = next(node for node in model.graph.node if node.output[0] == logits.input[1])
    logits.input[1] = total.input[0]
    path.write_bytes(model.SerializeToString())
    with game.vec_env(30) as venv:
        venv.reset(seed=1)
        assert game.agent(str(path)).act_batch(venv).max() < 7


@pytest.mark.parametrize(("name", "players"), [("gravitix", 2), ("graft", 3), ("goofspiel", 2)])
def test_searches_of_a_batch_share_the_network_and_choose_as_alone(
    tmp_path: Path, name: str, players: int
) -> None:
    """In batches of any size, and as opponents with any number of threads."""
    game = playmat.Game(name, players=players)
    spec = f"mcts:12,policy={small(game, 'mlp', tmp_path / 'small.onnx')}"
    agent = game.agent(spec)
    rows = np.arange(20)
    with game.vec_env(20) as many, game.vec_env(20) as single:
        many.reset(seed=7)
        single.reset(seed=7)
        for _ in range(6):
            together = agent.act_batch(many)
            alone = [agent.act_batch(single, mask=rows == row)[row] for row in rows]
            assert together.tolist() == alone
            found = [agent.statistics_batch(venv).visits for venv in (many, single)]
            assert (found[0] == found[1]).all()
            assert found[0].sum(1).max() >= 12
            many.step(together)
            single.step(together)
    results = []
    for threads in (1, 2):
        with game.vec_env(24, view="single", opponents=[spec], threads=threads) as venv:
            venv.reset(seed=3)
            for _ in range(8):
                batch = venv.step(venv.sample_actions())
            results.append((venv.to_bytes(), batch.obs.copy()))
    assert results[0][0] == results[1][0]
    assert (results[0][1] == results[1][1]).all()
