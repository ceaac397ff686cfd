"""Policy and value of any game, built from its observation and action layout.

Observations are the engine's bytes. The network scales them to numbers in [-1, 1], so that rollouts
are stored at a byte each. There are three bodies: an MLP; convolutions for games with a large board
(planes ``[.., H, W]`` in the observation, and actions with the same last two axes), with an output
per square, so that what is learned in one corner holds in all; and the same weights for each of
several like things that an observation lists by number.
"""

from __future__ import annotations

import functools
import platform
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import playmat
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.encoders.bodies import ConvBody, EntityBody, Kind, MlpBody
from playmat.train.encoders.layout import Strips, columns

#: Decisions of random play that the inputs are scaled by.
FIT_DECISIONS = 8192

#: Logit of an illegal action: exp of it is 0, and no NaN comes from it as from -inf.
ILLEGAL = -1e9


class Network(nn.Module):
    """``forward(obs, mask)``: obs uint8 [B, O], mask bool [B, A] -> logits float32 [B, A] with
    ILLEGAL where the mask is 0, value float32 [B] for the player that sees the observation.

    With `greedy_bonus` it is ``forward(obs, mask, greedy)``: greedy int64 [B], the action that the
    greedy agent chooses. A bonus, linear in the plain numbers, is added to its logit; -1: to none.
    """

    plain: Tensor
    planes: Tensor
    shift: Tensor
    factor: Tensor
    plane_factor: Tensor
    flags: Tensor

    def __init__(self, game: playmat.Game, config: TrainConfig) -> None:
        super().__init__()
        self.columns = columns(game, config)
        c = self.columns
        bias = np.concatenate([np.full(len(s), s.bias) for s in game.observation_layout])
        scale = np.concatenate([np.full(len(s), s.scale) for s in game.observation_layout])
        # f32 form of the engine, then mean and spread in play, see `fit`.
        self.register_buffer("plain", torch.from_numpy(c.plain))
        self.register_buffer("shift", torch.from_numpy(bias[c.plain].astype(np.float32)))
        self.register_buffer("factor", torch.from_numpy(1 / scale[c.plain].astype(np.float32)))
        self.plain_strips = Strips.of(c.plain)
        self.precision = config.precision
        self.body: ConvBody | EntityBody | MlpBody
        if c.planes.size:
            self.plane_strips = Strips.of(c.planes)
            self.register_buffer("planes", torch.from_numpy(c.planes))
            squares = c.board[0] * c.board[1]
            plane_scale = scale[c.planes].reshape(-1, squares)[:, 0].astype(np.float32)
            self.register_buffer("plane_factor", torch.from_numpy(1 / plane_scale)[:, None, None])
            for i, (flags, _) in enumerate(c.chosen):
                self.register_buffer(f"flags_{i}", torch.from_numpy(flags))
            planes = len(plane_scale)
            self.kinds = nn.ModuleList(Kind(len(flags), planes, c.board) for flags, _ in c.chosen)
            self.body = ConvBody(c, planes, config)
        elif c.entities:
            self.register_buffer("flags", torch.from_numpy(c.entities.flags))
            self.flag_strips = Strips.of(c.entities.flags)
            self.body = EntityBody(c, c.entities, config)
        else:
            self.body = MlpBody(c, config)
        self.bonus: nn.Linear | None = None
        if config.greedy_bonus:
            # Draws no random numbers: the other weights are those of a network without it.
            layer = nn.utils.skip_init(nn.Linear, len(c.plain), 1)  # type: ignore[no-untyped-call]
            self.bonus = layer
            nn.init.zeros_(self.bonus.weight)
            nn.init.constant_(self.bonus.bias, config.greedy_bonus)

    def fit(self, obs: NDArray[np.uint8]) -> None:
        """Normalizes the plain numbers by mean and spread of these observations, so that a round
        counter that the layout scales by 255 weighs as much as a flag. The smallest spread is 0.05.
        """
        seen = obs[:, self.columns.plain].astype(np.float32)
        self.shift.copy_(torch.from_numpy(seen.mean(0)))
        scale = 1 / self.factor.numpy()
        spread = np.maximum(seen.std(0), 0.05 * scale)
        self.factor.copy_(torch.from_numpy(1 / spread))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.shift.device

    @property
    def takes_greedy(self) -> bool:
        """Whether it reads the greedy agent's actions."""
        return self.bonus is not None

    def is_reduced(self, device: str) -> bool:
        """Whether it computes in bfloat16 on a device."""
        auto = self.precision == "auto" and _multiplies_bfloat16(device)
        return auto or self.precision == "bfloat16"

    def forward(
        self, obs: Tensor, mask: Tensor, greedy: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        if self.bonus is not None and greedy is None:
            raise TypeError("a network with `greedy_bonus` needs `greedy`, the agent's actions")
        reduced = self.is_reduced(obs.device.type)
        # In place: three arrays of this size would each be written to memory that was not in use.
        plain = self.plain_strips.take(obs).squeeze(1).float().sub_(self.shift).mul_(self.factor)
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=reduced):
            dtype = torch.bfloat16 if reduced else torch.float32
            logits, value = self._evaluate(obs, mask, plain.to(dtype), dtype)
        logits = logits.float()
        if self.bonus is not None and greedy is not None:
            at = greedy.unsqueeze(1)
            logits = logits.scatter_add(1, at.clamp(min=0), self.bonus(plain) * (at >= 0))
        return logits.masked_fill(~mask, ILLEGAL), value.float()

    def _evaluate(
        self, obs: Tensor, mask: Tensor, plain: Tensor, dtype: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        if isinstance(self.body, ConvBody):
            height, width = self.columns.board
            board = self.plane_strips.take(obs).reshape(len(obs), -1, height, width).to(dtype)
            board = board * self.plane_factor.to(dtype)
            parts = [board]
            for i, (_, stack) in enumerate(self.columns.chosen):
                flags = obs[:, self.get_buffer(f"flags_{i}")].to(dtype)
                parts.extend(self.kinds[i](flags, board, int(stack[0]), int(stack[-1]) + 1))
            result: tuple[Tensor, Tensor] = self.body(torch.cat(parts, 1), plain, mask)
        elif isinstance(self.body, EntityBody):
            result = self.body(plain, self.flag_strips.take(obs).to(dtype))
        else:
            result = self.body(plain)
        return result


@functools.cache
def _multiplies_bfloat16(device: str) -> bool:
    """Whether the device multiplies matrices of bfloat16, as far as this torch can tell."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if getattr(torch.cpu, "_is_amx_tile_supported", bool)():
        return True
    # With the instructions of AVX-512 alone bfloat16 was faster on an AMD EPYC. An Intel Xeon made
    # 1.2 to 1.5 times as many decisions a second in float32, with the networks of all presets.
    has_instructions = getattr(torch.cpu, "_is_avx512_bf16_supported", bool)()
    return has_instructions and "GenuineIntel" not in _processors()


def _processors() -> str:
    """What the system says about the processors; empty if it does not."""
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()


def device_of(config: TrainConfig) -> torch.device:
    """The device of the configuration.

    Raises:
        playmat.InvalidArgument: It is `cuda`, and there is none.
    """
    available = torch.cuda.is_available()
    if config.device == "cuda" and not available:
        raise invalid(
            "device", "got `cuda`; torch finds no CUDA device here; allowed: `auto`, `cpu`"
        )
    return torch.device("cuda" if available and config.device != "cpu" else "cpu")


def build(game: playmat.Game, config: TrainConfig) -> Network:
    """A new network on the device of the configuration. Its weights depend on ``config.seed``
    only; its inputs are normalized by random play.
    """
    device, threads = device_of(config), torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        torch.set_num_threads(1)  # orthogonal weights depend on the number of threads
        network = Network(game, config)
        torch.set_num_threads(threads)
    envs = 64
    with game.vec_env(envs) as venv:
        venv.reset(seed=config.seed)
        arrays = venv.rollout_arrays(FIT_DECISIONS // envs, ["obs"])
        venv.rollout("random", FIT_DECISIONS // envs, out=arrays)
    network.fit(arrays["obs"].reshape(FIT_DECISIONS, -1))
    return placed(network, device)


def placed(network: Network, device: torch.device | str) -> Network:
    """The network on a device, in the memory format that is faster there: a gradient step of
    Graphia's on a processor took 105 ms with channels last and 133 ms without in float32, 72 and
    58 ms in bfloat16.
    """
    reduced = torch.device(device).type == "cpu" and network.is_reduced("cpu")
    form = torch.contiguous_format if reduced else torch.channels_last
    return network.to(device, memory_format=form)  # type: ignore[call-overload,no-any-return]
