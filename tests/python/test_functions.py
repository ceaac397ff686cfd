"""Functions as agents: opponents of a batch in every view, `act`, `act_batch`, rollouts, surveys."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import playmat
from playmat.train import load_policy
from playmat.train.config import preset
from playmat.train.export import export_checkpoint
from playmat.train.trainer import Trainer

NETWORK = str(Path(__file__).parents[1] / "networks" / "tic_tac_toe.onnx")
N = 40
#: Batches in which opponents play, with the learner of each.
VIEWS: list[dict[str, Any]] = [
    {"view": "single", "learner": "rotate"},
    {"view": "turn", "learner": "rotate"},
    {"view": "joint", "learner": "rotate"},
]


def lowest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.argmax(1)


def highest(obs: Any, mask: Any, player: Any) -> Any:
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


class Fails:
    """Plays the lowest action until it is told to fail."""

    name = "fails"

    def __init__(self, how: Callable[[Any], Any]) -> None:
        self.how, self.on = how, False

    def __call__(self, obs: Any, mask: Any, player: Any) -> Any:
        return self.how(mask) if self.on else mask.argmax(1)


def arrays(batch: Any) -> dict[str, Any]:
    return {name: batch[name].copy() for name in batch}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", VIEWS, ids=lambda options: options["view"])
def test_a_network_plays_alike_inside_and_outside_of_the_engine(
    options: dict[str, Any], threads: int
) -> None:
    session = onnxruntime.InferenceSession(NETWORK)

    def network(obs: Any, mask: Any, player: Any) -> Any:
        (logits,) = session.run(["logits"], {"obs": obs, "mask": mask})
        return np.where(mask, logits, -np.inf).argmax(1)

    game = playmat.Game("tic_tac_toe")
    outside, inside = (
        game.vec_env(N, threads=threads, opponents={agent: 2, "random": 1}, **options)
        for agent in (network, NETWORK)
    )
    batches = [venv.reset(seed=3) for venv in (outside, inside)]
    for _ in range(60):
        batches = [venv.step(venv.sample_actions()) for venv in (outside, inside)]
        for name, array in arrays(batches[0]).items():
            assert np.array_equal(array, batches[1][name]), name
    results = outside.results()
    assert [opponent["name"] for opponent in results["opponents"]] == ["network", "random"]
    assert results["opponents"][0]["episodes"] > 50 and min(results["wins"], results["losses"]) > 5
    assert results["return_sum"] == inside.results()["return_sum"]


@pytest.mark.parametrize("name", ["goofspiel", "leduc_poker", "graft"])
def test_results_do_not_depend_on_threads(name: str) -> None:
    game = playmat.Game(name)
    pool: dict[Any, float] = {lowest: 1.0, "greedy": 0.0, highest: 3.0}
    found = []
    for threads in (1, 2):
        venv = game.vec_env(130, view="single", learner="rotate", opponents=pool, threads=threads)
        batch = venv.reset(seed=5)
        for _ in range(80):
            batch = venv.step(highest(None, batch.action_mask, None))
        found.append((venv.results(), venv.to_bytes()))
    assert found[0] == found[1]
    first, greedy, second = found[0][0]["opponents"]
    assert second["episodes"] > first["episodes"] > 0 == greedy["episodes"]


def test_a_function_gets_all_decisions_that_wait_in_arrays_of_its_own() -> None:
    game = playmat.Game("connect_four")
    calls: list[tuple[int, ...]] = []

    def spy(obs: Any, mask: Any, player: Any) -> Any:
        assert (obs.dtype, mask.dtype, player.dtype) == (np.uint8, np.bool_, np.int32)
        assert obs.shape[1:] == game.observation_shape and mask.shape[1:] == (7,)
        calls.append(tuple(player))
        chosen = mask.argmax(1)
        obs[:], mask[:], player[:] = 9, True, 9
        return chosen

    venv = game.vec_env(N, view="single", learner=1, opponents=spy)
    batch = venv.reset(seed=1)
    assert calls == [(0,) * N]
    for step in range(2):
        batch = venv.step(np.full(N, 1))
        assert len(calls) == 2 + step and calls[-1] == (0,) * N
    assert not (batch.obs == 9).any()


def test_a_function_reads_the_observations_of_its_batch() -> None:
    game = playmat.Game("leduc_poker")
    seen: list[Any] = []

    def spy(obs: Any, mask: Any, player: Any) -> Any:
        seen.append((obs, player))
        return lowest(obs, mask, player)

    dtypes: list[Any] = []
    for dtype, agent in (("u8", spy), ("f32", spy), ("f32", game.agent(spy, "u8"))):
        venv = game.vec_env(N, view="single", learner=1, opponents=agent, dtype=dtype)
        venv.reset(seed=4)
        dtypes.append(seen[-1][0].dtype)
    assert dtypes == [np.uint8, np.float32, np.uint8]
    assert np.array_equal(game.observation_layout.to_f32(seen[0][0]), seen[1][0])
    assert np.array_equal(seen[0][0], seen[2][0])


def test_the_greedy_agents_actions_are_given_where_they_are_read() -> None:
    class Greedy:
        takes_greedy = True

        def __call__(self, obs: Any, mask: Any, player: Any, greedy: Any) -> Any:
            assert greedy.dtype == np.int64 and mask[np.arange(len(mask)), greedy].all()
            return greedy

    game = playmat.Game("graft")
    ended = []
    for agent in (Greedy(), "greedy"):
        venv = game.vec_env(N, view="single", opponents=agent)
        venv.reset(seed=2)
        for _ in range(60):
            venv.step(venv.sample_actions())
        ended.append(venv.results()["return_sum"])
    assert ended[0] == ended[1] != 0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", VIEWS, ids=lambda options: options["view"])
@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda mask: mask.argmax(1)[:-1], r"what `fails` returned: got shape \(\d+,\); wanted"),
        (lambda mask: None, "what `fails` returned: got `NoneType`; wanted whole numbers of shape"),
        (lambda mask: mask.argmax(1) * 1.0, "what `fails` returned: got elements of type float64"),
        (
            lambda mask: np.where(np.arange(len(mask)), mask.argmax(1), 7),
            r"`fails` chose illegal actions in 1 of \d+ rows: \[player \d, action 7\]",
        ),
        (lambda mask: np.full(len(mask), -1), r", action -1\]"),
        (lambda mask: 1 / 0, "division by zero"),
    ],
    ids=["shape", "none", "dtype", "illegal", "negative", "raises"],
)
def test_a_function_that_fails_leaves_everything_as_it_was(
    how: Callable[[Any], Any], message: str, options: dict[str, Any], threads: int
) -> None:
    game = playmat.Game("connect_four")
    fails = Fails(how)
    venv, twin = (
        game.vec_env(130, opponents=["random", fails], threads=threads, **options) for _ in range(2)
    )
    errors = (playmat.InvalidArgument, ZeroDivisionError)
    fails.on = True
    with pytest.raises(errors, match=message):
        venv.reset(seed=2)
    with pytest.raises(playmat.OrderError, match="`reset` first"):
        venv.sample_actions()
    fails.on = False
    for each in (venv, twin):
        each.reset(seed=2)
    steps = venv.rollout_arrays(9)
    for step in range(8):
        actions = [each.sample_actions().copy() for each in (venv, twin)]
        assert np.array_equal(*actions)
        before, saved = arrays(venv.batch), venv.to_bytes()
        fails.on = True
        calls: list[Callable[[], Any]] = [
            lambda: venv.step(actions[0]),
            lambda: venv.rollout("random", 9, out=steps),
            lambda: venv.reset(),
            lambda: venv.reset(mask=np.arange(130) < 90),
            lambda: (venv.step_async(actions[0]), venv.step_wait()),
        ]
        for call in calls:
            with pytest.raises(errors, match=message) as caught:
                call()
            if isinstance(caught.value, playmat.InvalidArgument):
                assert caught.value.argument == "opponents"
            assert venv.to_bytes() == saved
            for name, array in arrays(venv.batch).items():
                assert np.array_equal(array, before[name]), name
        fails.on = False
        for each in (venv, twin):
            each.step(actions[0])
        assert venv.to_bytes() == twin.to_bytes(), step
    assert venv.results() == twin.results()


def test_a_failure_with_searches_as_opponents_repeats() -> None:
    """Other opponents forget their trees; batches that fail alike stay alike."""
    game = playmat.Game("tic_tac_toe")
    fails = Fails(lambda mask: 1 / 0)
    venv, twin = (
        game.vec_env(N, view="single", opponents=["mcts:20", fails], learner=1) for _ in range(2)
    )
    for each in (venv, twin):
        each.reset(seed=1)
        for _ in range(3):
            actions = each.sample_actions().copy()
            fails.on = True
            with pytest.raises(ZeroDivisionError):
                each.step(actions)
            fails.on = False
            each.step(actions)
    assert venv.to_bytes() == twin.to_bytes()


def test_a_function_may_not_use_its_batch() -> None:
    game = playmat.Game("connect_four")
    for threads in (1, 2):
        used: list[Any] = []

        def meddles(obs: Any, mask: Any, player: Any, used: list[Any] = used) -> Any:
            used[0].step([0] * 130)

        venv = game.vec_env(130, view="single", learner=0, opponents=meddles, threads=threads)
        used.append(venv)
        venv.reset(seed=1)
        saved = venv.to_bytes()
        with pytest.raises(playmat.OrderError, match="in use by another call"):
            venv.step([0] * 130)
        venv.step_async([0] * 130)
        with pytest.raises(playmat.OrderError):
            venv.step_wait()
        assert venv.to_bytes() == saved


@pytest.mark.timeout(60)
def test_steps_under_way_end_with_their_batch() -> None:
    """A function needs the interpreter, which whoever drops the batch holds."""
    game = playmat.Game("connect_four")
    for threads in (1, 2):
        for _ in range(5):
            venv = game.vec_env(300, view="single", opponents=lowest, threads=threads)
            venv.reset(seed=1)
            venv.step_async(venv.sample_actions())
            del venv
        waits: list[Any] = []

        def meddles(obs: Any, mask: Any, player: Any, waits: list[Any] = waits) -> Any:
            for call in (waits[0].step_wait, waits[0].close):
                with pytest.raises(
                    playmat.OrderError, match=r"in use by another|may not wait for a step"
                ):
                    call()
            return mask.argmax(1)

        venv = game.vec_env(130, view="single", learner=0, opponents=meddles, threads=threads)
        waits.append(venv)
        venv.reset(seed=1)
        venv.step_async([0] * 130)
        venv.step_wait()
        waits.clear()


def test_what_a_refused_function_leaves() -> None:
    game = playmat.Game("graft", players=2)

    class Greedy:
        takes_greedy = True

        def __call__(self, obs: Any, mask: Any, player: Any, greedy: Any) -> Any:
            raise ZeroDivisionError

    venv = game.vec_env(N)
    venv.reset(seed=1)
    for _ in range(5):
        venv.step(venv.sample_actions())
        saved, out = venv.to_bytes(), np.full(N, -7)
        with pytest.raises(ZeroDivisionError):
            game.agent(Greedy()).act_batch(venv, out=out)
        assert venv.to_bytes() == saved and (out == -7).all()
    pool = game.vec_env(N, view="single", opponents="random")
    pool.reset(seed=1)
    with pytest.raises(playmat.InvalidArgument):
        pool.add_opponent(lambda obs, mask, player: mask.argmax(1), -1.0)
    assert pickle.loads(pickle.dumps(pool)).to_bytes() == pool.to_bytes()
    agent = game.agent(lambda obs, mask, player: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            game.survey(4, agents=[agent])
    with pytest.raises(ZeroDivisionError):
        agent.act(game.env(seed=1))


def test_methods_and_types_of_observations() -> None:
    class Policy:
        def __init__(self) -> None:
            self.dtypes: set[Any] = set()

        def act(self, obs: Any, mask: Any, player: Any) -> Any:
            self.dtypes.add(obs.dtype)
            return mask.argmax(1)

    game, policy = playmat.Game("connect_four"), Policy()
    venv = game.vec_env(8, view="single", opponents=[policy.act, "random"], dtype="f32")
    assert venv.add_opponent(policy.act) == 2
    venv.reset(seed=1)
    venv.rollout(policy.act, 3)
    assert policy.dtypes == {np.dtype(np.float32)}
    assert [o["name"] for o in venv.results()["opponents"]] == ["act", "random", "act"]


def test_a_function_may_use_other_environments() -> None:
    game = playmat.Game("connect_four")
    inner = game.vec_env(8)
    inner.reset(seed=1)

    def plans(obs: Any, mask: Any, player: Any) -> Any:
        inner.step(inner.sample_actions())
        return mask.argmax(1)

    venv = game.vec_env(130, view="single", opponents=plans, threads=2)
    venv.reset(seed=1)
    for _ in range(5):
        venv.step(venv.sample_actions())
    assert inner.states() is not None


def test_a_function_is_an_agent() -> None:
    game = playmat.Game("leduc_poker")
    agent, env = game.agent(highest), game.env(seed=1)
    assert (agent.name, repr(agent)) == ("highest", '<playmat.Agent "highest" for leduc_poker>')
    assert agent.act(env) == int(np.flatnonzero(env.action_mask())[-1])
    again = pickle.loads(pickle.dumps(agent))
    assert again.name == "highest" and again.act(env) == agent.act(env)
    venv, twin = game.vec_env(N), game.vec_env(N)
    batch, other = venv.reset(seed=1), twin.reset(seed=1)
    for _ in range(20):
        chosen = agent.act_batch(venv)
        assert np.array_equal(chosen, highest(None, batch.action_mask, None))
        batch, other = venv.step(chosen), twin.rollout(highest, 1)
        assert np.array_equal(batch.obs, other.obs)
    assert game.survey(20, agents=[highest, lowest])["episodes"] == 20
    saved = venv.to_bytes()
    for call in (
        lambda: game.agent(lambda obs, mask, player: [9]).act(env),
        lambda: game.agent(lambda obs, mask, player: [9] * len(obs)).act_batch(venv),
        lambda: venv.rollout(lambda obs, mask, player: [9] * len(obs), 3),
    ):
        with pytest.raises(playmat.InvalidArgument, match="`<lambda>` chose illegal") as caught:
            call()  # type: ignore[no-untyped-call]
        assert caught.value.argument == "agent" and venv.to_bytes() == saved
    with pytest.raises(playmat.InvalidArgument, match="`<lambda>` chose illegal") as caught:
        game.survey(20, agents=[lambda obs, mask, player: [9]])
    assert caught.value.argument == "agents"
    with pytest.raises(ZeroDivisionError):
        game.agent(lambda obs, mask, player: 1 / 0).act(env)
    with pytest.raises(playmat.InvalidArgument, match="`dtype`: is for functions only"):
        game.agent("greedy", "f32")
    with pytest.raises(playmat.InvalidArgument, match="`dtype`: got `f64`"):
        game.agent(highest, "f64")  # type: ignore[arg-type]
    other_game = playmat.Game("kuhn_poker").agent(lowest)
    with pytest.raises(playmat.InvalidArgument, match="was made for"):
        game.vec_env(4, view="single", opponents=other_game)
    pool = game.vec_env(4, view="single", opponents=lowest)
    with pytest.raises(playmat.InvalidArgument, match="was made for `kuhn_poker`"):
        pool.add_opponent(other_game)


def test_names_of_functions_name_nothing_else() -> None:
    game = playmat.Game("tic_tac_toe")

    def random(obs: Any, mask: Any, player: Any) -> Any:
        return highest(obs, mask, player)

    def pool(obs: Any, mask: Any, player: Any) -> Any:
        return lowest(obs, mask, player)

    functions = [lambda *given: lowest(*given), lambda *given: highest(*given)]
    venv = game.vec_env(
        8, view="single", opponents=[*functions, "random", random, pool, functions[0]]
    )
    batch = venv.reset(seed=1)
    for _ in range(40):
        batch = venv.step(highest(None, batch.action_mask, None))
    named = [opponent["name"] for opponent in venv.results()["opponents"]]
    assert named == [
        "<lambda>", "<lambda> (2)", "random", "random (function)", "pool (function)", "<lambda>",
    ]  # fmt: skip
    roles = game.vec_env(8, view="single", roles=[pool, "learner"])
    roles.reset(seed=1)
    assert roles.results()["opponents"][0]["name"] == "pool (function)"


def test_a_league_grows_and_travels() -> None:
    """Past selves join the pool; a pickled environment goes on alike."""
    game = playmat.Game("goofspiel")
    venv = game.vec_env(N, view="single", learner="rotate", opponents=["random"])
    batch = venv.reset(seed=7)
    for step in range(120):
        if step == 40:
            assert venv.add_opponent(highest, 3.0) == 1
        batch = venv.step(lowest(None, batch.action_mask, None))
    record = venv.results()["opponents"]
    assert [o["name"] for o in record] == ["random", "highest"]
    assert [o["weight"] for o in record] == [1.0, 3.0]
    assert min(o["episodes"] for o in record) > 20
    again = pickle.loads(pickle.dumps(venv))
    assert again.to_bytes() == venv.to_bytes()
    for _ in range(60):
        batch = venv.step(lowest(None, batch.action_mask, None))
        other = again.step(lowest(None, again.batch.action_mask, None))
        assert np.array_equal(batch.obs, other.obs) and np.array_equal(batch.reward, other.reward)
        assert np.array_equal(batch.opponent, other.opponent)
    assert venv.results() == again.results()
    with pytest.raises(playmat.InvalidArgument) as caught:
        venv.add_opponent(lowest, float("nan"))
    assert caught.value.argument == "weight" and len(venv.results()["opponents"]) == 2


@pytest.mark.parametrize("bonus", [0.0, 2.0])
def test_a_checkpoint_plays_as_its_network_does(bonus: float, tmp_path: Path) -> None:
    """As the engine plays the network that the checkpoint holds."""
    config = preset(
        "goofspiel", minutes=0, total_decisions=64, num_envs=8, num_steps=8, num_minibatches=1,
        width=16, torch_threads=1, greedy_bonus=bonus, play="best", precision="float32",
    )  # fmt: skip
    trainer = Trainer("goofspiel", {}, config, tmp_path)
    trainer.update()
    trainer.save()
    file, network = str(tmp_path / "checkpoint.pt"), str(tmp_path / "policy.onnx")
    export_checkpoint(Path(file), Path(network))
    game, found = playmat.Game("goofspiel"), []
    policy = load_policy(file, game)
    for opponent in (policy, network):
        venv = game.vec_env(N, view="single", learner="rotate", opponents=[opponent, "random"])
        venv.reset(seed=3)
        for _ in range(100):
            venv.step(venv.sample_actions())
        record = venv.results()["opponents"]
        assert record[0]["name"] == getattr(opponent, "name", opponent)
        found.append([{**entry, "name": ""} for entry in record])
        again = pickle.loads(pickle.dumps(venv))
        assert np.array_equal(
            again.step(again.sample_actions()).obs, venv.step(venv.sample_actions()).obs
        )
    assert found[0] == found[1] and found[0][0]["episodes"] > 20
    with pytest.raises(playmat.WrongIdentity, match="game is `goofspiel`, this is `leduc_poker`"):
        load_policy(file, playmat.Game("leduc_poker"))
    with pytest.raises(playmat.InvalidArgument, match=r"`file`: got `no\.pt`; there is no"):
        load_policy("no.pt", game)
    with pytest.raises(playmat.InvalidArgument, match="playmat export"):
        game.vec_env(4, view="single", opponents=file)
