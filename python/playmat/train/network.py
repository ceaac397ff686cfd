"""Policy and value of any game, built from its observation and action layout.

Observations come in as the engine's bytes and become numbers in [-1, 1] here, so that rollouts are
stored at a byte each. Three bodies: an MLP; for games with a large board (planes ``[.., H, W]`` in
the observation, and actions with the same last two axes) a convolutional one whose head gives an
output per square: what was learnt in one corner holds in all; and for games whose observation lists
like things by number one that looks at each with the same weights.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import playmat
from playmat.train.bodies import ConvBody, EntityBody, Kind, MlpBody
from playmat.train.config import TrainConfig
from playmat.train.layout import columns

#: Logit of an illegal action: exp of it is 0, and no NaN comes from it as from -inf.
ILLEGAL = -1e9


class Network(nn.Module):
    """``forward(obs, mask)``: obs uint8 [B, O], mask bool [B, A] -> logits float32 [B, A] with
    ILLEGAL where the mask is 0, value float32 [B] for the seat that sees the observation.
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
        # f32 form of the engine, then the spread of what is seen in play, see `fit`.
        self.register_buffer("plain", torch.from_numpy(c.plain))
        self.register_buffer("shift", torch.from_numpy(bias[c.plain].astype(np.float32)))
        self.register_buffer("factor", torch.from_numpy(1 / scale[c.plain].astype(np.float32)))
        #: Whether to compute in bfloat16, which only pays where the processor multiplies it.
        self.reduced = config.precision == "bfloat16" or (
            config.precision == "auto" and _multiplies_bfloat16()
        )
        self.body: ConvBody | EntityBody | MlpBody
        if c.planes.size:
            first = int(c.planes[0])
            # Planes mostly lie side by side: a view is cheaper than a gather.
            self.contiguous = bool((np.diff(c.planes) == 1).all())
            self.plane_start, self.plane_len = first, len(c.planes)
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
            self.body = EntityBody(c, c.entities, config)
        else:
            self.body = MlpBody(c, config)

    def fit(self, obs: NDArray[np.uint8]) -> None:
        """Sets shift and factor of the plain numbers to mean and spread of these observations: a
        round counter that the layout scales by 255 speaks as loudly as a flag. Spreads below 0.05
        count as that.
        """
        seen = obs[:, self.columns.plain].astype(np.float32)
        self.shift.copy_(torch.from_numpy(seen.mean(0)))
        scale = 1 / self.factor.numpy()
        spread = np.maximum(seen.std(0), 0.05 * scale)
        self.factor.copy_(torch.from_numpy(1 / spread))

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.reduced):
            logits, value = self._judge(obs)
        return logits.float().masked_fill(~mask, ILLEGAL), value.float()

    def _judge(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        plain = (obs[:, self.plain].float() - self.shift) * self.factor
        if isinstance(self.body, ConvBody):
            height, width = self.columns.board
            if self.contiguous:
                taken = obs[:, self.plane_start : self.plane_start + self.plane_len]
            else:
                taken = obs[:, self.planes]
            dtype = torch.bfloat16 if self.reduced else torch.float32
            board = taken.reshape(len(obs), -1, height, width).to(dtype)
            board = board * self.plane_factor.to(dtype)
            parts = [board]
            for i, (_, stack) in enumerate(self.columns.chosen):
                flags = obs[:, self.get_buffer(f"flags_{i}")].to(dtype)
                parts.extend(self.kinds[i](flags, board, int(stack[0]), int(stack[-1]) + 1))
            result: tuple[Tensor, Tensor] = self.body(torch.cat(parts, 1), plain)
        elif isinstance(self.body, EntityBody):
            result = self.body(plain, obs[:, self.flags].to(plain.dtype))
        else:
            result = self.body(plain)
        return result


def _multiplies_bfloat16() -> bool:
    """Whether the processor multiplies matrices of bfloat16, as far as this torch can tell."""
    tell = getattr(torch.cpu, "_is_amx_tile_supported", None)
    return tell is not None and bool(tell())
