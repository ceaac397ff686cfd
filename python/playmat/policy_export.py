"""A policy of another library as an ONNX file that the engine plays, in every language.

Needs the package ``onnx``, and torch for modules of torch; both are imported when they are used.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from playmat import extras
from playmat._native import VERSION, Game
from playmat.errors import Error, InvalidArgument, invalid
from playmat.onnx_graph import OPSET, Rewriter, inputs, unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["ExportedPolicy", "export_policy"]

#: Form of the metadata; the engine reads this one.
FORMAT = "1"
#: Largest difference that is taken for rounding, as a share of the largest number beside it.
TOLERANCE = 1e-4
#: How far below the largest legal logit a logit still matters: the probability there is below
#: ``exp(-50)``.
DEPTH = 50.0
#: Environments of the positions that outputs are compared on, and steps of each at most, for games
#: whose random play hardly ends.
ENVS, STEPS = 32, 20_000

#: How warnings of torch's tracer begin that a module takes content or sizes of tensors to Python,
#: and those of single numbers.
CONVERTS = "Converting a tensor to a "
SCALARS = tuple(
    f"{CONVERTS}Python {kind}" for kind in ("boolean", "float", "index", "integer", "number")
)

#: Numbers of a batch of positions: observations uint8 ``[n, O]`` in, logits and values out.
Outputs: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
Policy: TypeAlias = "torch.nn.Module | str | os.PathLike[str] | bytes"


@dataclass(frozen=True)
class ExportedPolicy:
    """The result of :func:`export_policy`: the file, and how far the engine is from the policy."""

    #: The file: the spec of an agent.
    path: Path
    #: Number of positions that outputs were compared on.
    positions: int
    #: Largest difference of a legal action's logit, and of a value, between the engine and the
    #: policy that was given.
    logits_error: float
    value_error: float


def export_policy(
    policy: Policy,
    game: Game,
    path: str | os.PathLike[str],
    *,
    dtype: Literal["f32", "u8"] = "f32",
    obs: str | None = None,
    logits: str = "logits",
    value: str = "value",
    reward_scale: float = 1.0,
    relative: bool = False,
    win_bonus: float = 0.0,
    temperature: float = 0.0,
    positions: int = 256,
    seed: int = 0,
) -> ExportedPolicy:
    """Writes a policy as an ONNX file that plays as an agent in Python, C, C++ and C#, and as
    ``policy=FILE`` of a search. Before the file takes its place, the engine evaluates the network
    on positions of all phases of random episodes, and its logits and values are compared with
    those of the policy.

    The file takes ``obs`` uint8 ``[batch, O]`` and ``mask`` bool ``[batch, A]``, and gives
    ``logits`` float32 ``[batch, A]`` (-1e9 where the mask is false) and ``value`` float32
    ``[batch]``. Its metadata hold the game, its version, content, options and layouts; the engine
    refuses it for anything else.

    Args:
        policy: A ``torch.nn.Module`` whose ``forward(obs)`` returns ``(logits, value)``:
            logits ``[batch, A]``, values ``[batch]`` or ``[batch, 1]``, of the player that sees the
            observation. Or an ONNX file of another library, as path or bytes: one input of
            observations, float32 or uint8 ``[batch, O]``, and outputs of these shapes. It may also
            have an input bool ``[batch, A]``, the legal action mask, of which each row's logits
            may depend by ``Where`` only. A module is evaluated on the CPU and in evaluation mode;
            the one given is not changed.
        game: The game that it was trained for, with its options. ``game.reward`` names the returns
            that its values estimate.
        path: The file, which must end in ``.onnx`` and have no comma.
        dtype: What the policy takes. ``"f32"``: numbers of -1 to 1, as
            ``game.observation_layout.to_f32`` makes them and all adapters give them by default; the
            file then begins with this conversion. ``"u8"``: the engine's bytes, to a module as
            uint8, to an ONNX file as the type of its input.
        obs: Name of the input of observations of an ONNX file; not needed if there is only one.
            It, ``logits`` and ``value`` are for ONNX files only.
        logits: Name of the output of logits of an ONNX file.
        value: Name of the output of values of an ONNX file.
        reward_scale: The factor of rewards in training; a search divides values by it.
        relative: Whether it was trained on the player's reward minus the mean of the others'.
        win_bonus: Bonus that training added to the scaled reward at the end of an episode: this
            number for a player with a higher return than all others, its negative for one with a
            lower return, in between by the share of the others who are lower and higher.
        temperature: 0 to 100. The temperature of the policy that the file, as an agent, draws its
            actions from; 0: it plays the likeliest action. ``FILE,temperature=...`` names another.
        positions: How many positions are compared, at least 2, drawn from whole episodes.
        seed: Seed of their random play, and of which of its positions are compared.

    Returns:
        The path, and the largest differences that were found.

    Raises:
        MissingFeature: The package ``onnx`` is not installed, or torch for a module.
        InvalidArgument: ``policy`` cannot be exported, and why: an operator that the engine does
            not have, by name; a path without a file; an output that is missing or of another shape;
            numbers that are not finite; a choice in Python by the content of a tensor; outputs of
            the engine that differ from the policy's by more than rounding. Then no file is written,
            no folder is made, and a file that is there stays.
        OSError: The file cannot be read or written.
    """
    target = Path(path)
    if target.suffix != ".onnx" or "," in str(target):
        raise invalid("path", f"got `{target}`; wanted a path that ends in .onnx, without commas")
    of: object = game
    if not isinstance(of, Game):
        raise invalid("game", f"got {type(of).__name__}; wanted playmat.Game")
    if dtype not in ("f32", "u8"):
        raise invalid("dtype", f"got `{dtype}`; allowed: `f32`, `u8`")
    if not (0 < reward_scale < float("inf")):
        raise invalid("reward_scale", f"got {reward_scale}; allowed: numbers above 0")
    if not (0 <= win_bonus < float("inf")):
        raise invalid("win_bonus", f"got {win_bonus}; allowed: numbers of at least 0")
    if not (0 <= temperature <= 100):
        raise invalid("temperature", f"got {temperature}; allowed: 0 to 100")
    if positions < 2:
        # One alone would not show that rows of a batch are mixed.
        raise invalid("positions", f"got {positions}; allowed: at least 2")
    extras.need("onnx", what="`playmat.export_policy`", extra="train")
    seen, mask = _positions(game, positions, seed)
    if isinstance(policy, (str, bytes, os.PathLike)):
        file = _OnnxFile(policy, game, dtype, obs, logits, value)
        model, wanted = file.model, file.evaluate(seen, mask)
    else:
        for argument, name, usual in (
            ("obs", obs, None), ("logits", logits, "logits"), ("value", value, "value"),
        ):  # fmt: skip
            if name != usual:
                reason = f"got `{name}`; only ONNX files have names of inputs and outputs"
                raise invalid(argument, f"{reason}, and the policy is a {type(policy).__name__}")
        model, wanted = _traced(policy, game, dtype, seen)
    for what, numbers in zip(("logits", "value"), wanted, strict=True):
        if not np.isfinite(numbers[mask] if what == "logits" else numbers).all():
            raise invalid("policy", f"its `{what}` are not finite in positions of {game.name}")
    try:
        built = Rewriter(model, game, dtype, (obs, logits, value)).finish()
    except Error:
        raise
    except Exception as error:
        # A graph that is valid and still not as the rewriter takes it to be.
        reason = f"{type(error).__name__}: {error}"
        raise invalid("policy", f"its graph cannot be rewritten: {reason}") from error
    from onnx import helper

    helper.set_model_props(built, metadata(game, reward_scale, relative, win_bonus, temperature))
    with complete(target) as part:
        part.write_bytes(built.SerializeToString())
        errors = _compare(game, part, seen, mask, wanted)
    return ExportedPolicy(target, len(seen), *errors)


def metadata(
    game: Game, reward_scale: float, relative: bool, win_bonus: float, temperature: float
) -> dict[str, str]:
    """The metadata of a file: the game and configuration that it belongs to."""
    info = game.info()
    layout = [
        {"name": s.name, "shape": s.shape, "bias": s.bias, "scale": s.scale}
        for s in game.observation_layout
    ]
    actions = [{"name": a.name, "start": a.start, "shape": a.shape} for a in game.action_layout]
    return {
        "playmat.format": FORMAT,
        "playmat.library": VERSION,
        "playmat.game": game.name,
        "playmat.version": str(game.version),
        "playmat.players": str(game.num_players),
        "playmat.content": str(info["content_hash"]),
        "playmat.options": json.dumps(info["options"]),
        "playmat.observation": json.dumps(layout),
        "playmat.actions": json.dumps(actions),
        "playmat.reward": game.reward,
        "playmat.reward_scale": json.dumps(float(reward_scale)),
        "playmat.relative": json.dumps(relative),
        "playmat.win_bonus": json.dumps(float(win_bonus)),
        "playmat.temperature": json.dumps(float(temperature)),
    }


@contextmanager
def complete(target: Path) -> Iterator[Path]:
    """A file to be written, which takes the place of the target at the end. After an error, and
    after Ctrl-C, the target is as before, and no file or folder is left. Every call has a file of
    its own.
    """
    # Within a folder that is there, so that the target's own is made at the end only.
    place = next(folder for folder in target.parents if folder.is_dir())
    made = place / Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=place)).name
    try:
        part = made / target.name
        yield part
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(part, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _positions(game: Game, count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Observations [n, O] and masks [n, A] in which a player decides: a random sample, in the order
    of play, of random episodes from their beginnings to their ends.
    """
    rng = np.random.default_rng(seed)
    # Of all rows those with the smallest random numbers: a sample, of which little is kept.
    keys, obs, masks = np.empty(0), [], []
    limit, played, begun = 1.0, 0, 0
    with game.vec_env(min(count, ENVS)) as venv:
        batch = venv.reset(seed=seed)
        ended = np.zeros(len(batch.obs), np.bool_)
        while begun < count or (played < STEPS and not ended.all()):
            acts = np.flatnonzero(batch.action_mask.any(1))
            draws = rng.random(len(acts))
            begun += len(acts)
            taken = draws < limit
            keys = np.concatenate([keys, draws[taken]])
            obs += list(np.array(batch.obs[acts[taken]]))
            masks += list(np.array(batch.action_mask[acts[taken]], np.bool_))
            if len(keys) >= 2 * count:
                keys, obs, masks = _smallest(keys, obs, masks, count)
                limit = keys.max()
            batch = venv.step(venv.sample_actions())
            ended |= batch.terminated | batch.truncated
            played += 1
    _, obs, masks = _smallest(keys, obs, masks, count)
    return np.array(obs), np.array(masks)


def _smallest(
    keys: NDArray[np.float64], obs: list[Any], masks: list[Any], count: int
) -> tuple[NDArray[np.float64], list[Any], list[Any]]:
    """The rows with the smallest keys, in the same order."""
    kept = np.sort(np.argsort(keys)[:count])
    return keys[kept], [obs[k] for k in kept], [masks[k] for k in kept]


def _fed(game: Game, dtype: str, obs: NDArray[np.uint8]) -> NDArray[Any]:
    """Observations as the policy takes them."""
    return game.observation_layout.to_f32(obs) if dtype == "f32" else obs


def _checked(game: Game, logits: Any, value: Any, rows: int) -> Outputs:
    """Outputs as arrays of the promised shapes."""
    logits, value = np.asarray(logits), np.asarray(value)
    for name, array in (("logits", logits), ("value", value)):
        if array.dtype.kind != "f":
            raise invalid("policy", f"its `{name}` are {array.dtype}; wanted float32")
    if logits.shape != (rows, game.num_actions):
        found = f"its `logits` have the shape {list(logits.shape)} for {rows} observations"
        wanted = f"{game.name} has {game.num_actions} actions"
        raise invalid("policy", f"{found}; {wanted}, so wanted [{rows}, {game.num_actions}]")
    if value.shape not in ((rows,), (rows, 1)):
        found = f"its `value` has the shape {list(value.shape)} for {rows} observations"
        raise invalid("policy", f"{found}; wanted [{rows}] or [{rows}, 1]")
    return logits.astype(np.float32), value.astype(np.float32).reshape(rows)


def _compare(
    game: Game, path: Path, obs: NDArray[np.uint8], mask: NDArray[np.bool_], wanted: Outputs
) -> tuple[float, float]:
    """The largest differences between the engine's outputs and those wanted."""
    try:
        raw = game._evaluate(str(path), obs.tobytes())
    except InvalidArgument as error:
        reason = str(error).partition(f"`{path}`: ")[2] or str(error)
        reason = unsupported(reason) or reason
        raise invalid("policy", f"the engine refuses its network: {reason}") from None
    logits, value = (np.frombuffer(numbers, "<f4") for numbers in raw)
    # What no agent ever chooses does not count, so that no huge number hides the others.
    lowest = np.where(mask, wanted[0], -np.inf).max(1, keepdims=True) - DEPTH
    logits = np.where(mask, np.maximum(logits.reshape(len(obs), -1), lowest), 0)
    likely = np.where(mask, np.maximum(wanted[0], lowest), 0)
    found = []
    for name, engine, given in (
        ("logits", logits, likely),
        ("value", value[:, None], wanted[1][:, None]),
    ):
        far = np.abs(engine - given).max(1)
        allowed = TOLERANCE * np.maximum(1, np.abs(given).max(1))
        # Written so that NaN is refused, too.
        bad = np.flatnonzero(~(far <= allowed))
        if bad.size:
            raise invalid(
                "policy",
                f"the engine's `{name}` differ from the policy's by {far[bad[0]]:.3g} in "
                f"position {bad[0]} of random play, and in {bad.size} of {len(obs)} by more than "
                "rounding: the policy does something that its graph does not hold, such as a "
                "choice by its input, or state that it keeps",
            )
        found.append(float(far.max()))
    return found[0], found[1]


@contextmanager
def _reading() -> Iterator[list[Any]]:
    """The operators, as they come, by which Python reads a number of a tensor."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[Any] = []

    def dispatch(
        self: Any, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if func is torch.ops.aten._local_scalar_dense.default:
            found.append(func)
        return func(*args, **(kwargs or {}))

    with type("Reading", (TorchDispatchMode,), {"__torch_dispatch__": dispatch})():
        yield found


@contextmanager
def _evaluating(module: torch.nn.Module) -> Iterator[None]:
    """A module in evaluation mode and on the CPU; afterwards it is as before. A copy would do, but
    not every module can be copied: policies of Stable-Baselines3 keep results of training.
    """
    modes = [(part, part.training) for part in module.modules()]
    tensors = [*module.parameters(), *module.buffers()]
    data = [(tensor, tensor.data) for tensor in tensors if tensor.device.type != "cpu"]
    try:
        module.eval()
        for tensor, numbers in data:
            tensor.data = numbers.cpu()
        yield
    finally:
        for tensor, numbers in data:
            tensor.data = numbers
        for part, training in modes:
            part.training = training


def _traced(policy: Any, game: Game, dtype: str, seen: NDArray[np.uint8]) -> tuple[Any, Outputs]:
    """The graph of a module, as torch exports it for one observation, and its outputs."""
    extras.need("torch", what="`playmat.export_policy` of a module", extra="train")
    import onnx
    import torch

    if not isinstance(policy, torch.nn.Module):
        wanted = "a torch.nn.Module, or the path or the bytes of an ONNX file"
        raise invalid("policy", f"got {type(policy).__name__}; wanted {wanted}")

    def run(obs: NDArray[np.uint8]) -> Outputs:
        with torch.no_grad():
            result = policy(torch.from_numpy(np.array(_fed(game, dtype, obs))))
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            got = f"{len(result)} outputs" if isinstance(result, (tuple, list)) else "one output"
            if not isinstance(result, (tuple, list, torch.Tensor)):
                got = f"a {type(result).__name__}"
            raise invalid("policy", f"its `forward` returns {got}; wanted (logits, value)")
        if not all(isinstance(part, torch.Tensor) for part in result):
            kinds = ", ".join(type(part).__name__ for part in result)
            raise invalid("policy", f"its `forward` returns ({kinds}); wanted two tensors")
        logits, value = (part.float().numpy() for part in result)
        return _checked(game, logits, value, len(obs))

    try:
        buffer: Any = io.BytesIO()
        with _evaluating(policy):
            run(seen[:2])
            with _reading() as reads:
                outputs = run(seen)
            with warnings.catch_warnings(record=True) as caught:
                # The newer exporter needs one more package, and rewrites less.
                warnings.simplefilter("always")
                torch.onnx.export(
                    policy, (torch.from_numpy(np.array(_fed(game, dtype, seen[:1]))),), buffer,
                    input_names=["obs"], output_names=["logits", "value"], opset_version=OPSET,
                    dynamo=False,
                )  # fmt: skip
        for warning in caught:
            said = str(warning.message).partition("\n")[0]
            if warning.category.__name__ != "TracerWarning":
                continue
            # The tracer says the same of sizes, such as those that a module asserts.
            if said.startswith(CONVERTS) and (reads or not said.startswith(SCALARS)):
                reason = "it takes the content of a tensor to Python, which a graph does not hold"
                raise invalid("policy", f"{reason}; torch: {said}")
    except Error:
        raise
    except Exception as error:
        lines = str(error).strip().splitlines()
        reason = f"{type(error).__name__}: {lines[0] if lines else ''}"
        raise invalid("policy", f"torch cannot evaluate or export it: {reason}") from error
    return onnx.load_model_from_string(buffer.getvalue()), outputs


class _OnnxFile:
    """An ONNX file, and its evaluation by onnxruntime, or by the package ``onnx`` without it."""

    def __init__(
        self, given: str | os.PathLike[str] | bytes, game: Game, dtype: str,
        obs: str | None, logits: str, value: str,
    ) -> None:  # fmt: skip
        import onnx

        try:
            if isinstance(given, bytes):
                self.model = onnx.load_model_from_string(given)
            else:
                if not Path(given).exists():
                    raise invalid("policy", f"got `{os.fspath(given)}`; there is no such file")
                self.model = onnx.load(os.fspath(given))
            onnx.checker.check_model(self.model)
        except (OSError, Error):
            raise
        except Exception as error:
            # What protobuf and the checker raise has no common base.
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error)
            raise invalid("policy", f"it is not a valid ONNX file: {reason}") from error
        graph = self.model.graph
        there = [output.name for output in graph.output]
        for argument, name in (("logits", logits), ("value", value)):
            if name not in there:
                listed = ", ".join(f"`{other}`" for other in there)
                reason = f"there is no output `{name}`; the file has {listed}"
                hint = "; a policy without values needs an output of zeros" * (argument == "value")
                raise invalid(argument, reason + hint)
        self.game, self.dtype, self.outputs = game, dtype, [logits, value]
        self.obs, self.mask = inputs(graph, game, obs)
        kind = self.obs.type.tensor_type.elem_type
        if dtype == "f32" and kind == onnx.TensorProto.UINT8:
            reason = f'its input `{self.obs.name}` takes uint8; give `dtype="u8"`'
            raise invalid("dtype", reason)
        self.kind = np.uint8 if kind == onnx.TensorProto.UINT8 else np.float32
        first = self.obs.type.tensor_type.shape.dim[0]
        self.single = first.HasField("dim_value")

    def evaluate(self, obs: NDArray[np.uint8], mask: NDArray[np.bool_]) -> Outputs:
        """The outputs of the file for these inputs."""
        try:
            import onnxruntime
        except ImportError:
            from onnx.reference import ReferenceEvaluator

            session = ReferenceEvaluator(self.model)
        else:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 3
            try:
                session = onnxruntime.InferenceSession(
                    self.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
                )
            except Exception as error:
                reason = str(error).strip().splitlines()[0]
                raise invalid("policy", f"onnxruntime cannot read it: {reason}") from error
        rows = _fed(self.game, self.dtype, obs).astype(self.kind)
        step = 1 if self.single else len(rows)
        parts = []
        for at in range(0, len(rows), step):
            feed: dict[str, Any] = {self.obs.name: rows[at : at + step]}
            if self.mask:
                feed[self.mask] = mask[at : at + step]
            try:
                outputs = session.run(self.outputs, feed)
            except Exception as error:
                reason = str(error).strip().splitlines()[0]
                raise invalid("policy", f"it cannot be evaluated: {reason}") from error
            logits, value = outputs
            parts.append(_checked(self.game, logits, value, len(rows[at : at + step])))
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
