"""Networks of other libraries as agents of the engine."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

import playmat
from playmat.onnx_graph import Rewriter
from playmat.policy_export import TOLERANCE, _positions, complete, export_policy

ROOT = Path(__file__).parents[2]
GAME = playmat.Game("tic_tac_toe")
(SIZE,), ACTIONS = GAME.observation_shape, GAME.num_actions


class Mlp(nn.Module):
    """The policy of Stable-Baselines3's `MlpPolicy`: two towers with the hyperbolic tangent."""

    def __init__(self, game: playmat.Game, act: Callable[[], nn.Module] = nn.Tanh) -> None:
        super().__init__()
        (size,) = game.observation_shape
        torch.manual_seed(1)
        self.policy_net = nn.Sequential(nn.Linear(size, 64), act(), nn.Linear(64, 64), act())
        self.value_net = nn.Sequential(nn.Linear(size, 64), act(), nn.Linear(64, 64), act())
        self.action, self.value = nn.Linear(64, game.num_actions), nn.Linear(64, 1)
        self.drop = nn.Dropout(0.5)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits = self.action(self.drop(self.policy_net(obs)))
        return 3 * logits, self.value(self.value_net(obs))


class Board(nn.Module):
    """Convolutions with a normalization, over the bytes, in shapes that follow the batch's."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(2)
        self.one = nn.Conv2d(3, 8, 3, padding=1)
        self.two = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.norm.running_mean.data.uniform_(-0.1, 0.1)
        self.action, self.value = nn.Linear(72, 9), nn.Linear(8, 1)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        batch = obs.size(0)
        x = torch.relu(self.one((obs.float() / 2.0).view(batch, 3, 3, 3)))
        x = torch.sigmoid(self.norm(self.two(x)))
        left, right = x.reshape(batch, -1)[:, :36], x.reshape(batch, -1)[:, 36:]
        logits = self.action(torch.cat([left, -right], dim=1))
        return logits, self.value(x.mean((2, 3))).squeeze(-1)


def legal_positions(game: playmat.Game, count: int) -> tuple[np.ndarray, np.ndarray, list[Any]]:
    """Observations, masks and environments of random play with another seed than the export's."""
    obs, masks, envs = [], [], []
    env = game.env(seed=99)
    while len(envs) < count:
        if env.done:
            env.reset()
        obs.append(env.observation().copy())
        masks.append(env.action_mask().copy())
        envs.append(env.clone())
        env.step(env.sample_action())
    return np.array(obs), np.array(masks), envs


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "graft", "graven"])
def test_a_module_of_torch_plays_its_likeliest_action(name: str, tmp_path: Path) -> None:
    game = playmat.Game(name)
    module = Mlp(game)
    module.value.eval()
    # What cannot be copied: policies of Stable-Baselines3 keep results of training.
    module.kept = module.action.weight.sum()
    weights = {key: array.clone() for key, array in module.state_dict().items()}
    found = playmat.export_policy(module, game, tmp_path / "deep" / "mlp.onnx")
    assert found.path == tmp_path / "deep" / "mlp.onnx" and found.positions == 256
    assert max(found.logits_error, found.value_error) < TOLERANCE
    assert [file.name for file in found.path.parent.iterdir()] == ["mlp.onnx"]
    # What was given is as it was: dropout is on again, and no weight changed.
    assert module.training and module.drop.training and not module.value.training
    assert all(torch.equal(array, weights[key]) for key, array in module.state_dict().items())
    module.eval()
    agent = game.agent(str(found.path))
    obs, masks, envs = legal_positions(game, 100)
    with torch.no_grad():
        logits, _ = module(torch.from_numpy(game.observation_layout.to_f32(obs)))
    wanted = np.where(masks, logits.numpy(), -np.inf)
    assert [agent.act(env) for env in envs] == wanted.argmax(1).tolist()
    assert game.agent(f"mcts:4,policy={found.path}").act(envs[0]) in envs[0].legal_actions()


@pytest.mark.parametrize("opset", [13, 14, 17, 18, 20])
def test_a_file_of_any_operator_set_is_rewritten(opset: int, tmp_path: Path) -> None:
    module, buffer = Board().eval(), io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, (torch.zeros(2, SIZE),), buffer, opset_version=opset, dynamo=False,
            input_names=["board"], output_names=["p", "v"], dynamic_axes={"board": {0: "n"}},
        )  # fmt: skip
    path = tmp_path / "board.onnx"
    found = export_policy(buffer.getvalue(), GAME, path, dtype="u8", logits="p", value="v")
    assert max(found.logits_error, found.value_error) < 1e-5
    written = onnx.load(str(path))
    kinds = {node.op_type for node in written.graph.node}
    assert "Sigmoid" in kinds and not kinds & {"Shape", "Constant", "Div", "Identity", "Neg"}
    assert [entry.version for entry in written.opset_import] == [17]
    # Every other runtime reads it, with what the page promises.
    onnx.checker.check_model(written, full_check=True)
    import onnxruntime

    obs, masks, _ = legal_positions(GAME, 20)
    session = onnxruntime.InferenceSession(str(path))
    logits, value = session.run(["logits", "value"], {"obs": obs, "mask": masks})
    with torch.no_grad():
        wanted = module(torch.from_numpy(obs))
    np.testing.assert_allclose(logits[masks], wanted[0].numpy()[masks], atol=1e-5)
    assert (logits[~masks] == -1e9).all()
    np.testing.assert_allclose(value, wanted[1].numpy(), atol=1e-5)


def test_a_module_takes_bytes_or_numbers(tmp_path: Path) -> None:
    board = export_policy(Board(), GAME, tmp_path / "board.onnx", dtype="u8", positions=40)
    assert board.positions == 40
    game = playmat.Game("gravitix")
    seen = []

    class Counts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(game.observation_shape[0], game.num_actions + 1)

        def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            seen.append(obs)
            result = self.layer(obs.float())
            return result[:, 1:], result[:, 0]

    for dtype, kind in (("f32", torch.float32), ("u8", torch.uint8)):
        export_policy(Counts(), game, tmp_path / "counts.onnx", dtype=dtype)
        assert {obs.dtype for obs in seen} == {kind}
        # Numbers of the layout, not bytes, unless bytes are asked for.
        assert bool((seen[-1].float().abs() <= 1).all()) == (dtype == "f32")
        seen.clear()


def model(
    nodes: list[Any],
    constants: dict[str, np.ndarray],
    inputs: list[tuple[str, int, list[Any]]],
    outputs: tuple[str, ...] = ("logits", "value"),
    opset: int = 17,
) -> bytes:
    """An ONNX file, written by hand."""
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", "w"]) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 8
    return made.SerializeToString()


RNG = np.random.default_rng(5)
W1 = RNG.normal(0, 1, (16, SIZE)).astype(np.float32)
W2 = RNG.normal(0, 1, (16, ACTIONS)).astype(np.float32)
W3 = RNG.normal(0, 1, (16, 1)).astype(np.float32)
X = ("x", TensorProto.FLOAT, ["n", SIZE])
LEGAL = ("legal", TensorProto.BOOL, ["n", ACTIONS])


def by_hand(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    hidden = np.maximum(x @ W1.T / 2 + 0.5, 0)
    return hidden @ W2, -(hidden @ W3)[:, 0]


def nodes(hidden: str = "Relu", start: str = "x") -> list[Any]:
    """What a converter of another library may write: layers without bias, weights that are turned,
    divisions, copies.
    """
    node = helper.make_node
    return [
        node("Transpose", ["w1"], ["turned"], perm=[1, 0]),
        node("Constant", [], ["half"], value=numpy_helper.from_array(np.float32(0.5))),
        node("MatMul", [start, "turned"], ["a"]),
        node("Div", ["a", "two"], ["b"]),
        node("Add", ["half", "b"], ["c"]),
        node(hidden, ["c"], ["d"]),
        node("Identity", ["d"], ["obs"]),
        node("Gemm", ["obs", "w2"], ["logits"]),
        node("Gemm", ["obs", "w3"], ["e"], alpha=-1.0),
        node("Identity", ["e"], ["value"]),
    ]


CONSTANTS = {"w1": W1, "w2": W2, "w3": W3, "two": np.float32(2)}


def test_a_file_that_numpy_wrote_plays(tmp_path: Path) -> None:
    """Names within the graph may be those that the engine gives its inputs."""
    given, path = tmp_path / "given.onnx", tmp_path / "policy.onnx"
    given.write_bytes(model(nodes(), CONSTANTS, [X]))
    obs, masks, envs = legal_positions(GAME, 60)
    for dtype, numbers in (("f32", GAME.observation_layout.to_f32(obs)), ("u8", obs)):
        found = export_policy(given, GAME, path, dtype=dtype)
        assert max(found.logits_error, found.value_error) < 1e-4
        logits, value = by_hand(numbers.astype(np.float32))
        raw = GAME._evaluate(str(path), obs.tobytes())
        engine = [np.frombuffer(part, "<f4") for part in raw]
        np.testing.assert_allclose(engine[0].reshape(60, -1), logits, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(engine[1], value, rtol=1e-4, atol=1e-4)
        agent = GAME.agent(str(path))
        wanted = np.where(masks, logits, -np.inf).argmax(1)
        assert [agent.act(env) for env in envs] == wanted.tolist()


def test_inputs_of_a_file_may_be_bytes_a_mask_and_a_batch_of_one(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    floats = [helper.make_node("Cast", ["board"], ["x"], to=TensorProto.FLOAT), *nodes()]
    board = ("board", TensorProto.UINT8, [1, SIZE])
    found = export_policy(model(floats, CONSTANTS, [board]), GAME, path, dtype="u8")
    assert found.logits_error < 1e-4
    masked = nodes()
    masked[7].output[0] = "raw"
    masked.append(helper.make_node("Where", ["legal", "raw", "low"], ["logits"]))
    constants = {**CONSTANTS, "low": np.float32(-1e8)}
    found = export_policy(model(masked, constants, [X, LEGAL]), GAME, path)
    assert found.logits_error < 1e-4
    assert GAME.agent(str(path)).name == str(path)


def test_a_policy_without_values_may_give_zeros(tmp_path: Path) -> None:
    class Zeros(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(SIZE, ACTIONS)

        def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return self.layer(obs), torch.zeros(obs.size(0))

    path = tmp_path / "zeros.onnx"
    assert export_policy(Zeros(), GAME, path).value_error == 0
    buffer: Any = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Zeros().eval(), (torch.zeros(2, SIZE),), buffer, opset_version=17, dynamo=False,
            input_names=["x"], output_names=["logits", "value"], dynamic_axes={"x": {0: "n"}},
        )  # fmt: skip
    assert export_policy(buffer.getvalue(), GAME, path).value_error == 0
    obs, _, _ = legal_positions(GAME, 9)
    assert GAME._evaluate(str(path), obs.tobytes())[1] == bytes(36)


def test_it_works_without_onnxruntime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    found = export_policy(model(nodes(), CONSTANTS, [X]), GAME, tmp_path / "p.onnx", positions=30)
    assert found.logits_error < 1e-4


def test_the_file_says_what_it_is_for(tmp_path: Path) -> None:
    game = playmat.Game("goofspiel", players=3, reward="score")
    path = tmp_path / "policy.onnx"
    export_policy(
        Mlp(game), game, path, reward_scale=0.25, relative=True, win_bonus=1.5, temperature=0.5
    )
    said = {entry.key: entry.value for entry in onnx.load(str(path)).metadata_props}
    assert (said["playmat.game"], said["playmat.players"]) == ("goofspiel", "3")
    assert (said["playmat.reward"], said["playmat.reward_scale"]) == ("score", "0.25")
    assert (said["playmat.relative"], said["playmat.win_bonus"]) == ("true", "1.5")
    assert said["playmat.temperature"] == "0.5"
    with pytest.raises(playmat.InvalidArgument, match="was trained for players `3`; here it is"):
        playmat.Game("goofspiel").agent(str(path))
    with pytest.raises(playmat.InvalidArgument, match="was trained for game `goofspiel`"):
        playmat.Game("tic_tac_toe").agent(str(path))


def test_the_file_says_whether_its_agent_draws(tmp_path: Path) -> None:
    game, mlp, chosen = playmat.Game("tic_tac_toe"), Mlp(playmat.Game("tic_tac_toe")), {}
    for name, temperature in [("best", 0.0), ("drawn", 1.0)]:
        path = tmp_path / f"{name}.onnx"
        export_policy(mlp, game, path, temperature=temperature)
        for option in ("", ",temperature=0", ",temperature=1"):
            venv = game.vec_env(400)
            venv.reset(seed=1)
            chosen[name + option] = game.agent(f"{path}{option}").act_batch(venv).tolist()
    assert chosen["best"] == chosen["best,temperature=0"] == chosen["drawn,temperature=0"]
    assert chosen["drawn"] == chosen["drawn,temperature=1"] == chosen["best,temperature=1"]
    assert len(set(chosen["best"])) == 1 < len(set(chosen["drawn"]))
    for wrong in (-0.1, 100.5, float("nan")):
        with pytest.raises(
            playmat.InvalidArgument, match=r"`temperature`: got .*; allowed: 0 to 100"
        ):
            export_policy(mlp, game, tmp_path / "c.onnx", temperature=wrong)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("reward_scale", "0", "is not a number above 0"),
        ("relative", "1", "is neither true nor false"),
        ("win_bonus", "-1", "is not a number of at least 0"),
        ("win_bonus", "true", "is not a number of at least 0"),
        ("win_bonus", "1e99", "is not a number of at least 0"),
        ("win_bonus", "none", "is not JSON"),
        ("temperature", "-0.5", "is not a number from 0 to 100"),
        ("temperature", "100.5", "is not a number from 0 to 100"),
        ("temperature", "null", "is not a number from 0 to 100"),
    ],
)
def test_the_engine_refuses_wrong_metadata(
    key: str, value: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "policy.onnx"
    export_policy(Mlp(GAME), GAME, path)
    model = onnx.load(str(path))
    for entry in model.metadata_props:
        if entry.key == f"playmat.{key}":
            entry.value = value
    onnx.save(model, str(path))
    with pytest.raises(playmat.InvalidArgument, match=f"its metadata `playmat.{key}` {message}"):
        GAME.agent(str(path))


class Returns(nn.Module):
    """A module that returns what a function makes of its input."""

    def __init__(self, made: Callable[[torch.Tensor], Any]) -> None:
        super().__init__()
        self.made, self.layer = made, nn.Linear(1, 1)

    def forward(self, obs: torch.Tensor) -> Any:
        return self.made(obs)


def zeros(*shape: int) -> torch.Tensor:
    return torch.zeros(shape)


def by_batch(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What tracing does not see: a choice by the size of the batch."""
    filled = obs[:, 18:] * (5.0 if len(obs) > 1 else 1.0)
    return filled, obs[:, 0]


def by_content(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A choice that the positions do not show."""
    return obs[:, :9] * (2.0 if obs.sum() < -1e6 else 1.0), obs[:, 0]


def by_numpy(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return obs[:, :9] * float(obs.numpy().max() < 9), obs[:, 0]


class Recurrent(nn.Module):
    """One step of a network that reads sequences."""

    def __init__(self, kind: type[nn.RNNBase]) -> None:
        super().__init__()
        self.body: Any = kind(SIZE, 8, batch_first=True)  # type: ignore[call-arg]
        self.logits, self.value = nn.Linear(8, ACTIONS), nn.Linear(8, 1)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(obs[:, None])[0][:, -1]
        return self.logits(hidden), self.value(hidden)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Returns(lambda obs: (obs[:, :7], obs[:, 0])), "its `logits` have the shape [2, 7] for 2 observations; tic_tac_toe has 9 actions, so wanted [2, 9]"),
        (Returns(lambda obs: obs[:, :9]), "its `forward` returns one output; wanted (logits, value)"),
        (Returns(lambda obs: (obs, obs, obs)), "its `forward` returns 3 outputs; wanted (logits, value)"),
        (Returns(lambda obs: {"logits": obs}), "its `forward` returns a dict; wanted (logits, value)"),
        (Returns(lambda obs: (obs[:, :9], None)), "its `forward` returns (Tensor, NoneType); wanted two tensors"),
        (Returns(lambda obs: (obs[:, :9], obs[:, :2])), "its `value` has the shape [2, 2] for 2 observations; wanted [2] or [2, 1]"),
        (Returns(lambda obs: (obs[:, :9] / 0, obs[:, 0])), "its `logits` are not finite in positions of tic_tac_toe"),
        (Returns(lambda obs: (obs[:, :9], obs[:, 0] / 0)), "its `value` are not finite in positions of tic_tac_toe"),
        (Returns(by_batch), "the engine's `logits` differ from the policy's by 4 in position "),
        (Returns(by_content), "it takes the content of a tensor to Python, which a graph does not hold; torch: Converting a tensor to a Python boolean might"),
        (Returns(by_numpy), "it takes the content of a tensor to Python, which a graph does not hold; torch: Converting a tensor to a NumPy array might"),
        (Returns(lambda obs: (torch.sin(obs[:, :9]), obs[:, 0])), "the engine refuses its network: operator `Sin`: it is not supported; allowed: Abs, Add, "),
        (Returns(lambda obs: (torch.sort(obs[:, :9]).values, obs[:, 0])), "the engine refuses its network: operator `TopK`: it is not supported; allowed: Abs, Add, "),
        (Returns(lambda obs: ((obs[:, :9] + 2) ** 0.3, obs[:, 0])), "the engine refuses its network: operator `Pow`: it is supported, but not with these inputs or attributes; docs/own-networks.md"),
        (Recurrent(nn.LSTM), "the engine has no operator `LSTM`: a recurrent network cannot be an agent"),
        (Recurrent(nn.GRU), "the engine has no operator `GRU`: a recurrent network cannot be an agent"),
        (Recurrent(nn.RNN), "the engine has no operator `RNN`: a recurrent network cannot be an agent"),
        ("none.onnx", "got `none.onnx`; there is no such file"),
        (Mlp(playmat.Game("connect_four")), "torch cannot evaluate or export it: RuntimeError: "),
        (7, "got int; wanted a torch.nn.Module, or the path or the bytes of an ONNX file"),
        (b"no file", "it is not a valid ONNX file: "),
        (model(nodes("Sin"), CONSTANTS, [X]), "the engine refuses its network: operator `Sin`: it is not supported; "),
        (model(nodes(), CONSTANTS, [X], ("logits", "obs")), "argument `value`: there is no output `value`; the file has `logits`, `obs`; a policy without values needs an output of zeros"),
        (model(nodes(), CONSTANTS, [X], ("value",)), "argument `logits`: there is no output `logits`; the file has `value`"),
        (model(nodes(), {**CONSTANTS, "w2": W2[:, :8].copy()}, [X]), "its `logits` have the shape [256, 8] for 256 observations; tic_tac_toe has 9 actions"),
        (model(nodes(), CONSTANTS, [("x", TensorProto.FLOAT, ["n", 28])]), "its input `x` has the shape [n, 28]; tic_tac_toe has 27 observation bytes, so wanted [batch, 27]"),
        (model(nodes(), CONSTANTS, [("x", TensorProto.FLOAT, [4, SIZE])]), "its input `x` has a fixed batch of 4; export it with a batch that is open, or of 1"),
        (model(nodes(), CONSTANTS, [("x", TensorProto.DOUBLE, ["n", SIZE])]), "its input `x` takes double; wanted float or uint8"),
        (model(nodes(), CONSTANTS, [X, ("y", TensorProto.FLOAT, ["n", 2])]), "argument `obs`: there is not exactly one input of observations; the file has `x`, `y`"),
        (model(nodes(), CONSTANTS, [("x", TensorProto.BOOL, ["n", SIZE])]), "argument `obs`: there is not exactly one input of observations; the file has `x`"),
        (model(nodes(), CONSTANTS, [X, LEGAL, ("other", TensorProto.BOOL, ["n", ACTIONS])]), "the engine gives no such input as its `other`; the file has `x`, `legal`, `other`; wanted observations (`x`) and at most one bool input, the mask"),
        (model(nodes(), CONSTANTS, [X], opset=12), "it uses operator set 12; allowed: 13 to 26"),
        (model([helper.make_node("Cast", ["board"], ["x"], to=TensorProto.FLOAT), *nodes()], CONSTANTS, [("board", TensorProto.UINT8, ["n", SIZE])]), "argument `dtype`: its input `board` takes uint8; give `dtype=\"u8\"`"),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_is_refused_by_its_reason(
    policy: Any, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(b"before")
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(policy, GAME, path)
    start = "" if message.startswith("argument") else "argument `policy`: "
    assert str(caught.value).startswith(start + message)
    assert caught.value.argument and caught.value.reason
    # A file that is there stays, and nothing is left beside it.
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == ["policy.onnx"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "policy.pt"}, "`path`: got `policy.pt`; wanted a path that ends in .onnx, without commas"),
        ({"path": "a,b.onnx"}, "`path`: got `a,b.onnx`; wanted a path that ends in .onnx, without commas"),
        ({"game": "leduc_poker"}, "`game`: got str; wanted playmat.Game"),
        ({"dtype": "f64"}, "`dtype`: got `f64`; allowed: `f32`, `u8`"),
        ({"positions": 1}, "`positions`: got 1; allowed: at least 2"),
        ({"reward_scale": 0}, "`reward_scale`: got 0; allowed: numbers above 0"),
        ({"reward_scale": float("nan")}, "`reward_scale`: got nan; allowed: numbers above 0"),
        ({"win_bonus": -0.5}, "`win_bonus`: got -0.5; allowed: numbers of at least 0"),
        ({"win_bonus": float("inf")}, "`win_bonus`: got inf; allowed: numbers of at least 0"),
    ],
)  # fmt: skip
def test_wrong_arguments(arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"path": tmp_path / "p.onnx", **arguments}
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(model(nodes(), CONSTANTS, [X]), given.pop("game", GAME), **given)
    assert str(caught.value) == f"argument {message}"
    assert list(tmp_path.iterdir()) == []


def test_the_input_of_observations_is_chosen_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "p.onnx"

    def said(inputs: list[Any], obs: str) -> str:
        with pytest.raises(playmat.InvalidArgument) as caught:
            export_policy(model(nodes(), CONSTANTS, inputs), GAME, path, obs=obs)
        return str(caught.value)

    other = ("y", TensorProto.FLOAT, ["n", 2])
    for both in ([X, other], [other, X]):
        refused = said(both, "x")
        assert refused.startswith("argument `policy`: the engine gives no such input as its `y`; ")
    assert said([X], "y") == "argument `obs`: there is no input `y`; the file has `x`"
    refused = said([X, LEGAL], "legal")
    assert refused.startswith("argument `policy`: the engine gives no such input as its `x`; ")
    seen = ("x", TensorProto.BOOL, ["n", SIZE])
    assert said([seen], "x") == "argument `obs`: its input `x` takes bool; wanted float or uint8"
    assert export_policy(model(nodes(), CONSTANTS, [X]), GAME, path, obs="x").positions == 256


def test_a_file_that_reads_the_greedy_agents_action_is_refused(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "networks" / "connect_four.onnx"
    for obs in (None, "obs"):
        with pytest.raises(playmat.InvalidArgument) as caught:
            export_policy(file, playmat.Game("connect_four"), tmp_path / "p.onnx", obs=obs)
        assert str(caught.value) == (
            "argument `policy`: it has an input `greedy`, the action of the greedy agent: only "
            "`playmat train` writes such files, and they are agents already"
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("argument", ["obs", "logits", "value"])
def test_a_module_has_no_names_of_inputs_and_outputs(argument: str, tmp_path: Path) -> None:
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(Mlp(GAME), GAME, tmp_path / "p.onnx", **{argument: "p"})
    wanted = "only ONNX files have names of inputs and outputs, and the policy is a Mlp"
    assert str(caught.value) == f"argument `{argument}`: got `p`; {wanted}"


def test_a_graph_that_surprises_the_rewriter_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rewriter, "_node", lambda self, node: {}[node.op_type])
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(model(nodes(), CONSTANTS, [X]), GAME, tmp_path / "p.onnx")
    wanted = "argument `policy`: its graph cannot be rewritten: KeyError: 'Transpose'"
    assert str(caught.value) == wanted
    assert list(tmp_path.iterdir()) == []


def test_a_module_may_assert_sizes(tmp_path: Path) -> None:
    """The tracer warns of sizes as it does of contents."""

    def sized(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        assert obs.shape[1] == SIZE and int(obs.shape[0]) > 0
        return obs[:, :9], obs[:, 0]

    assert export_policy(Returns(sized), GAME, tmp_path / "p.onnx").logits_error == 0


def test_positions_are_of_all_phases_of_episodes() -> None:
    game = playmat.Game("connect_four")
    obs, masks = _positions(game, 256, 0)
    assert obs.shape == (256, *game.observation_shape) and masks.shape == (256, 7)
    assert masks.any(1).all()
    pieces = obs[:, :84].sum(1)
    # Beginnings, and ends of long games.
    assert pieces.min() == 0 and pieces.max() >= 25
    assert 20 < (pieces < 4).sum() < 120
    again, other = _positions(game, 256, 0), _positions(game, 256, 1)
    np.testing.assert_array_equal(again[0], obs)
    np.testing.assert_array_equal(again[1], masks)
    assert (other[0] != obs).any()
    # More rows than the first episodes have, and a single one.
    many, _ = _positions(game, 3000, 0)
    assert len(many) == 3000 and many[:, :84].sum(1).max() >= 25
    assert len(_positions(game, 1, 0)[0]) == 1


def test_what_goes_wrong_late_in_episodes_is_refused(tmp_path: Path) -> None:
    game = playmat.Game("connect_four")

    def late(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        # NaN from the 16th piece on.
        pieces = obs[:, :84].float().sum(1)
        return obs[:, :7].float(), torch.sqrt(15 - pieces)

    with pytest.raises(playmat.InvalidArgument, match="its `value` are not finite in positions"):
        export_policy(Returns(late), game, tmp_path / "p.onnx", dtype="u8")


def test_an_action_that_is_never_chosen_hides_no_difference(tmp_path: Path) -> None:
    game = playmat.Game("kuhn_poker")

    def made(factor: Callable[[torch.Tensor], float]) -> nn.Module:
        def outputs(obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            # Both actions are always legal.
            logits = (obs[:, :1] + 1) * factor(obs)
            return torch.cat([logits, logits - 1e9], 1), obs[:, 0]

        return Returns(outputs)

    path = tmp_path / "p.onnx"
    with pytest.raises(playmat.InvalidArgument, match="the engine's `logits` differ"):
        export_policy(made(lambda obs: 5.0 if len(obs) > 1 else 1.0), game, path)
    # By itself it is nothing wrong.
    assert export_policy(made(lambda obs: 5.0), game, path).logits_error < 1e-5


def test_inputs_that_nodes_do_without(tmp_path: Path) -> None:
    """With an empty name, in every place; sizes of rows that only the game knows, too."""
    node = helper.make_node
    made = nodes()
    made[3:4] = [
        node("Clip", ["two", "", "ten"], ["clipped"]),
        node("Div", ["a", "clipped"], ["b"]),
    ]
    made[8] = node("Gemm", ["obs", "w2", ""], ["logits"])
    made[7] = node("Slice", ["d", "from", "to", "", "steps"], ["obs"])
    made[:0] = [
        node("Shape", ["board"], ["shape"]),
        node("Reshape", ["board", "shape"], ["x"]),
    ]
    constants = {
        **CONSTANTS, "ten": np.float32(10), "from": np.array([0, 0]), "to": np.array([2**63 - 1, 16]),
        "steps": np.array([1, 1]),
    }  # fmt: skip
    board = ("board", TensorProto.FLOAT, ["n", "width"])
    found = export_policy(model(made, constants, [board]), GAME, tmp_path / "p.onnx", positions=60)
    assert max(found.logits_error, found.value_error) < 1e-4


def test_every_export_has_a_file_of_its_own(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "p.onnx"
    with complete(target) as one:
        one.write_bytes(b"one")
        with complete(target) as two:
            two.write_bytes(b"two")
        assert target.read_bytes() == b"two"
    assert target.read_bytes() == b"one"
    with pytest.raises(KeyboardInterrupt), complete(target) as part:
        part.write_bytes(b"ha")
        raise KeyboardInterrupt
    assert target.read_bytes() == b"one"
    assert sorted(tmp_path.rglob("*")) == [target.parent, target]
    # Others may read it as they may read any new file.
    (tmp_path / "usual").touch()
    assert target.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_refusal_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(playmat.InvalidArgument, match="operator `Sin`"):
        given = model(nodes("Sin"), CONSTANTS, [X])
        export_policy(given, GAME, tmp_path / "deep" / "deeper" / "p.onnx")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    none = tmp_path / "none.onnx"
    with pytest.raises(playmat.InvalidArgument) as caught:
        export_policy(none, GAME, tmp_path / "p.onnx")
    assert str(caught.value) == f"argument `policy`: got `{none}`; there is no such file"
    with pytest.raises(IsADirectoryError):
        export_policy(tmp_path, GAME, tmp_path / "p.onnx")


def test_an_operator_of_another_domain_is_named(tmp_path: Path) -> None:
    made = onnx.load_model_from_string(model(nodes(), CONSTANTS, [X]))
    made.graph.node[5].domain, made.graph.node[5].op_type = "com.microsoft", "Gelu"
    made.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    with pytest.raises(playmat.InvalidArgument, match=r"has no operator `com\.microsoft\.Gelu`"):
        export_policy(made.SerializeToString(), GAME, tmp_path / "p.onnx")


def test_without_onnx_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(playmat.MissingFeature, match=r"pip install 'playmat\[train\]'") as caught:
        export_policy(Mlp(GAME), GAME, tmp_path / "p.onnx")
    assert caught.value.feature == "train"


def test_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "own-networks.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "own-networks.md", "exec"), {"__name__": "page"})
    assert sorted(file.name for file in tmp_path.iterdir()) == ["linear.onnx", "mine.onnx"]
    agents = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n([^`]*export_policy[^`]*)```", agents)
    exec(compile(block, "agents.md", "exec"), {"module": Mlp(GAME), "__name__": "page"})
    assert Path("policy.onnx").is_file()
