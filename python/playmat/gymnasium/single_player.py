"""The base of all adapters of the single-player view: spaces, illegal actions, resets, pictures."""

from __future__ import annotations

import math
import operator
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid, one_of
from playmat.opponents import Opponents

Observation: TypeAlias = Any

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 4}
ILLEGAL = ("raise", "replace", "penalty")
OBSERVATIONS = ("flat", "dict")
DTYPES = ("f32", "u8")


class SinglePlayer:
    """N episodes in the single-player view, with spaces of Gymnasium."""

    def __init__(
        self,
        game: playmat.Game | str,
        num_envs: int,
        *,
        autoreset: Literal["same_step", "next_step", "disabled"],
        opponents: Opponents,
        learner: int | Literal["rotate"],
        observation: str,
        dtype: str,
        illegal: str,
        penalty: float,
        threads: int,
        render_mode: str | None,
        options: Mapping[str, object],
    ) -> None:
        one_of("observation", observation, OBSERVATIONS)
        one_of("dtype", dtype, DTYPES)
        one_of("illegal", illegal, ILLEGAL)
        if render_mode is not None:
            one_of("render_mode", render_mode, METADATA["render_modes"])
        if not isinstance(game, playmat.Game):
            game = playmat.Game(game, **options)
        elif options:
            raise invalid("game", f"it has its options already, but got {', '.join(options)} too")
        self.game = game
        self.illegal = illegal
        self.penalty = positive("penalty", penalty)
        self.render_mode = render_mode
        self.observation = observation
        self.dtype = np.float32 if dtype == "f32" else np.uint8
        self.venv = game.vec_env(
            num_envs,
            threads=threads,
            view="single",
            dtype=self.dtype,
            autoreset=autoreset,
            learner=learner,
            opponents=opponents,
        )
        self.started = False
        self.action_space = spaces.Discrete(game.num_actions)
        self.observation_space = observation_space(game, self.dtype, observation)

    @property
    def num_envs(self) -> int:
        return self.venv.num_envs

    def arrays(self) -> dict[str, NDArray[Any]]:
        """New memory for observations, as ``out=`` takes it: nobody overwrites it later."""
        return {"obs": np.empty((self.num_envs, *self.game.observation_shape), self.dtype)}

    def observations(self, rows: NDArray[Any]) -> Observation:
        """Observations ``[.., O]`` as the space has them, without a copy."""
        # The layout itself cannot be pickled: ask the game.
        return rows if self.observation == "flat" else self.game.observation_layout.split(rows)

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions ``[N, A]`` as 0 and 1, in new memory."""
        return self.venv.batch.action_mask.astype(np.int8)

    def reset(
        self,
        seeds: Sequence[int] | NDArray[np.uint64] | None,
        *,
        states: Sequence[Any] | None = None,
        mask: NDArray[np.bool_] | None = None,
    ) -> NDArray[Any]:
        """Starts episodes: the next ones, those of seeds, or from states with chance from seeds.

        Returns new observations.
        """
        out = self.arrays()
        if states is None:
            self.venv.reset(seeds, mask=mask, out=out)
        else:
            assert seeds is not None
            self.venv.reset(states=self.loaded(states, seeds, mask), mask=mask, out=out)
        self.started = True
        return out["obs"]

    def loaded(
        self, states: Any, seeds: Any, mask: NDArray[np.bool_] | None
    ) -> list[playmat.Env | None]:
        """States with chance from seeds; None for rows that are not reset."""
        if not isinstance(states, Sequence) or len(states) != self.num_envs:
            raise invalid("states", f"wanted a list of {self.num_envs} saved states")
        loaded: list[playmat.Env | None] = []
        for row, (state, seed) in enumerate(zip(states, seeds, strict=True)):
            if mask is not None and not mask[row]:
                loaded.append(None)
            elif isinstance(state, playmat.Env):
                loaded.append(state.clone(int(seed)))
            elif isinstance(state, bytes | bytearray | memoryview):
                loaded.append(self.game.env_from_bytes(state).clone(int(seed)))
            else:
                kind = type(state).__name__
                raise invalid("states", f"got `{kind}` for row {row}; wanted bytes or playmat.Env")
        return loaded

    def step(
        self, actions: Any
    ) -> tuple[playmat.Batch, NDArray[np.float32], NDArray[np.bool_] | None]:
        """Plays a step.

        Returns:
            The batch, whose ``obs`` is new memory; the learner's rewards ``[N]``, in new memory;
            which rows gave an illegal action ``[N]``, None where such actions raise.
        """
        out = self.arrays()
        if self.illegal == "raise":
            try:
                batch = self.venv.step(actions, out)
            except playmat.IllegalAction as refusal:
                raise advised(refusal) from None
            return batch, batch.learner_reward.copy(), None
        try:
            batch = self.venv.step(actions, out)
        except playmat.IllegalAction as refusal:
            actions, refused = self.replaced(actions, refusal)
            batch = self.venv.step(actions, out)
        else:
            refused = np.zeros(self.num_envs, np.bool_)
        reward = batch.learner_reward.copy()
        if self.illegal == "penalty":
            reward[refused] -= self.penalty
        return batch, reward, refused

    def replaced(
        self, actions: Any, refusal: playmat.IllegalAction
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Actions with legal ones instead of illegal ones, and where these were.

        Raises `refusal` if a number is outside of the action space.
        """
        given = np.asarray(actions)
        mask = self.venv.batch.action_mask
        deciding = mask.any(axis=1)
        outside = (given < 0) | (given >= self.game.num_actions)
        if (outside & deciding).any():
            raise refusal
        given = np.where(outside, 0, given).astype(np.int64)
        refused = deciding & ~np.take_along_axis(mask, given[:, None], axis=1)[:, 0]
        return np.where(refused, self.venv.sample_actions(), given), refused

    def render(self, env: int) -> Any:
        """A picture of one environment as its learner may see it."""
        mode: Any = self.render_mode
        return self.venv.state(env).render(mode, viewer=int(self.venv.batch.learner[env]))


def observation_space(game: playmat.Game, dtype: Any, observation: str) -> spaces.Space[Any]:
    """The space of one observation. Bounds are those of each segment: values in -1..1 as float32,
    bytes from ``bias - scale`` to ``bias + scale``.
    """
    layout = game.observation_layout
    low: NDArray[Any] = np.zeros(layout.size, np.uint8)
    high: NDArray[Any] = np.zeros(layout.size, np.uint8)
    for segment in layout:
        there = slice(segment.offset, segment.offset + len(segment))
        low[there] = max(segment.bias - segment.scale, 0)
        high[there] = min(segment.bias + segment.scale, 255)
    if dtype == np.float32:
        low, high = (layout.to_f32(bound) for bound in (low, high))
    if observation == "flat":
        return spaces.Box(low, high, dtype=dtype)
    parts = zip(layout.split(low).items(), layout.split(high).values(), strict=True)
    # Only an OrderedDict keeps the order of the layout.
    return spaces.Dict(OrderedDict((name, spaces.Box(a, b, dtype=dtype)) for (name, a), b in parts))


def advised(refusal: playmat.IllegalAction) -> playmat.IllegalAction:
    """The error with what an algorithm without masks can do."""
    advice = 'choose with the action mask, or play on with illegal="replace" or illegal="penalty"'
    refusal.args = (f"{refusal}; {advice}",)
    return refusal


def positive(argument: str, given: object) -> float:
    """A finite number from 0 on; refuses everything else."""
    if isinstance(given, Real) and 0 <= float(given) < math.inf:
        return float(given)
    raise invalid(argument, f"got {given!r}; allowed: finite numbers from 0")


def whole_seed(given: object) -> int:
    """A seed of an episode; refuses everything else, as the engine does."""
    try:
        seed = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        seed = -1
    if 0 <= seed < 2**64:
        return seed
    raise invalid("seed", f"got {given!r}; allowed: whole numbers, 0 to 2**64 - 1")


def read_options(options: Mapping[str, Any] | None, allowed: Sequence[str]) -> dict[str, Any]:
    """The options of a reset, without those that are None."""
    options = options or {}
    for name in options:
        if name not in allowed:
            words = ", ".join(f"`{word}`" for word in allowed)
            raise invalid("options", f"got `{name}`; allowed: {words}")
    return {name: value for name, value in options.items() if value is not None}
