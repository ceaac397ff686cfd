"""A vector environment of Gymnasium, stepped by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid, one_of
from playmat.gymnasium.single_player import (
    METADATA,
    SinglePlayer,
    read_options,
    whole_seed,
)
from playmat.opponents import Opponents

_MODES: dict[AutoresetMode, Literal["same_step", "next_step", "disabled"]] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """N episodes in the single-player view, stepped together by the engine.

    Values, dtypes and ``info`` are those of Gymnasium's ``SyncVectorEnv`` over N times
    :class:`Env`, for each autoreset mode; only the seeds of the episodes that follow the first ones
    are others. Every returned array is new memory.

    Args:
        game: The game or its name.
        num_envs: N.
        autoreset_mode: An ``AutoresetMode`` or its value. ``"NextStep"``: the step after the end
            ignores the action and starts the next episode. ``"SameStep"``: the step that ends an
            episode starts the next one; ``final_obs`` and ``final_info`` hold the end.
            ``"Disabled"``: rows that are over must be reset with ``reset_mask``.
        threads: Threads that step. Results do not depend on it.
        opponents, learner, observation, dtype, illegal, penalty, render_mode, **options: As in
            :class:`Env`; ``"rotate"`` begins with another player in each row.

    ``info`` holds ``action_mask`` (int8 ``[N, A]``), ``learner`` (int64 ``[N]``) and, unless
    illegal actions raise, ``illegal_action`` (bool ``[N]``), each with its mask ``_action_mask``
    and so on.

    Raises:
        UnknownGame, InvalidOption, InvalidArgument, InvalidPlayer: Each names what was given and
            what is allowed.
    """

    def __init__(
        self,
        game: playmat.Game | str,
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        learner: int | Literal["rotate"] = 0,
        observation: Literal["flat", "dict"] = "flat",
        dtype: Literal["f32", "u8"] = "f32",
        illegal: Literal["raise", "replace", "penalty"] = "raise",
        penalty: float = 1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if not isinstance(autoreset_mode, AutoresetMode):
            one_of("autoreset_mode", autoreset_mode, [mode.value for mode in AutoresetMode])
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self._play = SinglePlayer(
            game,
            num_envs,
            autoreset=_MODES[self.autoreset_mode],
            opponents=opponents,
            learner=learner,
            observation=observation,
            dtype=dtype,
            illegal=illegal,
            penalty=penalty,
            threads=threads,
            render_mode=render_mode,
            options=options,
        )
        self.num_envs = self._play.num_envs
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_action_space = self._play.action_space
        self.single_observation_space = self._play.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    @property
    def game(self) -> playmat.Game:
        """The game."""
        return self._play.game

    @property
    def venv(self) -> playmat.VecEnv:
        """The engine's batch. Do not step it: observations of the last step are not in it."""
        return self._play.venv

    def reset(  # type: ignore[override, unused-ignore]
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts episodes.

        Args:
            seed: One number: row i plays the episode of ``seed + i``. A list: each row its own
                number; None draws one from ``np_random``. None: the next episodes of the streams
                that the last seeds began; ``np_random`` draws the first ones. Numbers from 0 to
                2**64 - 1.
            options: ``reset_mask``: bool array ``[N]``, the rows to reset, at least one.
                ``states``: a list of N saved states to go on from instead of a deal, bytes of
                ``Env.to_bytes`` or ``playmat.Env`` (rows that are not reset ignore theirs). Chance
                and agents go on with the seeds, without them with numbers from ``np_random``.

        Returns:
            Observations and ``info``. Rows that were not reset are shown as they stand; the masks
            of ``info`` are False there.
        """
        given = read_options(options, ["reset_mask", "states"])
        mask, states = given.get("reset_mask"), given.get("states")
        if mask is not None:
            self._check_mask(mask)
        seeds = self._seeds(seed, draw=states is not None or not self._play.started)
        obs = self._play.reset(seeds, states=states, mask=mask)
        if isinstance(seed, Sequence | np.ndarray):
            self.np_random = np.random.default_rng([int(number) for number in seeds])
        elif seed is not None:
            super().reset(seed=whole_seed(seed))
        there = np.ones(self.num_envs, np.bool_) if mask is None else mask
        infos = self._infos(self.venv.batch.learner, np.zeros(self.num_envs, np.bool_), there)
        return self._play.observations(obs), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every row, and everything up to the learner's next decision.

        Args:
            actions: Whole numbers ``[N]``, an array, tensor or list.

        Returns:
            Observations, rewards (float64 ``[N]``), terminations, truncations (bool ``[N]``) and
            ``info``.

        Raises:
            IllegalAction: Actions are not legal and `illegal` is ``"raise"``, or they are outside
                of the action space. Nothing was played in any row.
            EpisodeOver: With ``"Disabled"``, rows are over.
            InvalidArgument: Wrong shape or dtype.
            OrderError: ``reset`` was not called yet.
        """
        batch, reward, refused = self._play.step(actions)
        terminated, truncated = batch.terminated.copy(), batch.truncated.copy()
        everywhere = np.ones(self.num_envs, np.bool_)
        refused = ~everywhere if refused is None else refused
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = terminated | truncated
            if ended.any():
                infos = self._final(batch, ended, refused)
                refused = refused & ~ended
        infos |= self._infos(batch.learner, refused, everywhere)
        return (
            self._play.observations(batch.obs),
            reward.astype(np.float64),
            terminated,
            truncated,
            infos,
        )

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions ``[N, A]`` as 0 and 1."""
        return self._play.action_masks()

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every row ``[N]``, drawn uniformly by the engine: faster than
        ``action_space.sample(mask)``.
        """
        return np.array(self.venv.sample_actions())

    def render(self) -> tuple[Any, ...] | None:
        """The positions as their learners may see them, in the form of ``render_mode``."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, for example "
                'gymnasium.make_vec("playmat/ConnectFour-v0", render_mode="ansi")'
            )
            return None
        return tuple(self._play.render(env) for env in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads and frees the environments."""
        # Older Gymnasium closes an environment that was never made, too.
        if hasattr(self, "_play"):
            self.venv.close()

    def _seeds(self, seed: Any, draw: bool) -> Any:
        """The seed of each row; None for the next episodes, unless `draw`."""
        if seed is None:
            return self._draw(self.num_envs) if draw else None
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise invalid("seed", f"got {len(seed)} numbers; wanted {self.num_envs}")
            return [self._draw(1)[0] if one is None else whole_seed(one) for one in seed]
        first = whole_seed(seed)
        return [first + row for row in range(self.num_envs)]

    def _draw(self, count: int) -> Any:
        return self.np_random.integers(2**64, size=count, dtype=np.uint64)

    def _check_mask(self, mask: Any) -> None:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            got = f"an array of {mask.dtype}" if isinstance(mask, np.ndarray) else repr(type(mask))
            raise invalid("reset_mask", f"got {got}; wanted a numpy array of bool")
        if mask.shape != (self.num_envs,):
            raise invalid("reset_mask", f"got shape {mask.shape}; wanted ({self.num_envs},)")
        if not mask.any():
            raise invalid("reset_mask", "no row is True; wanted at least one")

    def _infos(
        self, learner: NDArray[np.int32], refused: NDArray[np.bool_], there: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """``info`` of running episodes; `there` is its mask."""
        infos: dict[str, Any] = {
            "action_mask": self._play.action_masks(),
            "_action_mask": there.copy(),
            "learner": learner.astype(np.int64),
            "_learner": there.copy(),
        }
        if self._play.illegal != "raise":
            infos["illegal_action"], infos["_illegal_action"] = refused.copy(), there.copy()
        return infos

    def _final(
        self, batch: playmat.Batch, ended: NDArray[np.bool_], refused: NDArray[np.bool_]
    ) -> dict[str, Any]:
        """``final_obs`` and ``final_info`` of the rows that ended."""
        rows = np.flatnonzero(ended)
        last = batch.final_obs[rows]
        final_obs = np.full(self.num_envs, None, dtype=object)
        for row, obs in zip(rows.tolist(), last, strict=True):
            final_obs[row] = self._play.observations(obs)
        final_info: dict[str, Any] = {
            "action_mask": np.zeros((self.num_envs, self.game.num_actions), np.int8),
            "_action_mask": ended.copy(),
            "learner": np.where(ended, batch.final_player, 0).astype(np.int64),
            "_learner": ended.copy(),
        }
        if self._play.illegal != "raise":
            final_info["illegal_action"] = refused & ended
            final_info["_illegal_action"] = ended.copy()
        return {
            "final_obs": final_obs,
            "_final_obs": ended.copy(),
            "final_info": final_info,
            "_final_info": ended.copy(),
        }
