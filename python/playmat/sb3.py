"""playmat's games for Stable-Baselines3: a vector environment that the engine steps.

>>> import playmat.sb3
>>> from sb3_contrib import MaskablePPO
>>> env = playmat.sb3.VecEnv("connect_four", 8, opponents="greedy")
>>> model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, seed=1)
>>> model.learn(128).num_timesteps
128

Algorithms without masks choose illegal actions: give them ``illegal="replace"`` or
``illegal="penalty"`` (see ``help(playmat.gymnasium)``).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from playmat.errors import invalid
from playmat.extras import need

need("gymnasium", "stable_baselines3", what="`playmat.sb3`", extra="sb3")

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from stable_baselines3.common import vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402

import playmat  # noqa: E402
from playmat.gymnasium.single_player import (  # noqa: E402
    SinglePlayer,
    read_options,
    whole_seed,
)
from playmat.opponents import Opponents  # noqa: E402

__all__ = ["VecEnv"]


class VecEnv(vec_env.VecEnv):
    """N episodes in the single-player view for the algorithms of Stable-Baselines3.

    An episode that ends is followed by the next one in the same step. The infos of rows that ended
    hold ``terminal_observation``, ``episode`` (``r``: sum of the rewards, ``l``: number of the
    learner's steps, ``t``: seconds since the environment was made) and ``TimeLimit.truncated``, as
    ``Monitor`` and ``DummyVecEnv`` give them; no ``VecMonitor`` is needed. The infos of all other
    rows are empty. Every returned array is new memory.

    ``env_method("action_masks")`` gives the legal actions, int8 ``[A]`` for each row.

    Args:
        game: The game or its name.
        num_envs: N.
        opponents: Agents for the other players, drawn anew for every episode: a spec
            (``"random"``, ``"greedy"``, ``"mcts:100"``), a function (see ``Game.agent``), a list of
            these, pairs of one and a weight, or a mapping to weights.
        learner: The player that the caller plays, or ``"rotate"``: another one in each episode.
        observation: ``"flat"``: an array ``[N, O]``. ``"dict"``: the named segments of
            ``game.observation_layout``, for ``MultiInputPolicy``.
        dtype: ``"f32"``: values in -1..1. ``"u8"``: the engine's bytes.
        illegal: What an action that is not legal does: ``"raise"``, ``"replace"`` or
            ``"penalty"``; see ``help(playmat.gymnasium)``.
        penalty: What ``illegal="penalty"`` takes from the reward.
        threads: Threads that step. Results do not depend on it.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None. Pictures show what the learner
            may see.
        **options: Options of the game, if `game` is a name.

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
        threads: int = 1,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        play = SinglePlayer(
            game,
            num_envs,
            autoreset="same_step",
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
        self._play = play
        self._rows = [_Row(play, index) for index in range(play.num_envs)]
        self._actions: Any = None
        self._start = time.time()
        self._random = np.random.default_rng()
        self._return = np.zeros(play.num_envs)
        self._length = np.zeros(play.num_envs, np.int64)
        super().__init__(play.num_envs, play.observation_space, play.action_space)

    @property
    def game(self) -> playmat.Game:
        """The game."""
        return self._play.game

    @property
    def venv(self) -> playmat.VecEnv:
        """The engine's batch. Do not step it: observations of the last step are not in it."""
        return self._play.venv

    def reset(self) -> Any:
        """Starts an episode in every row.

        The seeds are those of ``seed``, row i plays ``seed + i``; without them the next episodes of
        the streams that the last seeds began. ``set_options({"state": ...})`` goes on from a saved
        state (bytes of ``Env.to_bytes`` or a ``playmat.Env``) instead of a deal, once; it needs one
        for every row. Chance and agents go on with the seeds, not with the chance that was saved.

        Returns:
            Observations ``[N, O]``.
        """
        states = [read_options(options, ["state"]).get("state") for options in self._options]
        missing = [state is None for state in states]
        if any(missing) and not all(missing):
            raise invalid("options", f"there is no `state` for environment {missing.index(True)}")
        seeds: Any = None
        if self._seeds[0] is not None:
            seeds = [whole_seed(seed) for seed in self._seeds]
            self._random = np.random.default_rng(seeds)
        elif not all(missing):
            seeds = self._random.integers(2**64, size=self.num_envs, dtype=np.uint64)
        obs = self._play.reset(seeds, states=None if all(missing) else states)
        self._reset_seeds()
        self._reset_options()
        self._actions = None
        self._return[:] = 0
        self._length[:] = 0
        return self._play.observations(obs)

    def step_async(self, actions: Any) -> None:
        """Takes the actions of the next step, whole numbers ``[N]``."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the actions that ``step_async`` took.

        Returns:
            Observations, rewards (float32 ``[N]``), dones (bool ``[N]``) and infos.

        Raises:
            IllegalAction: Actions are not legal and `illegal` is ``"raise"``, or they are outside
                of the action space. Nothing was played in any row.
            InvalidArgument: Wrong shape or dtype.
            OrderError: ``reset`` or ``step_async`` was not called.
        """
        if self._actions is None:
            raise playmat.OrderError("step_wait() without actions: call step_async() first")
        actions, self._actions = self._actions, None
        batch, reward, _ = self._play.step(actions)
        self._return += reward
        self._length += 1
        done = batch.terminated | batch.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rows = np.flatnonzero(done)
        if rows.size:
            seconds = round(time.time() - self._start, 6)
            columns = (batch.final_obs[rows], self._return[rows], self._length[rows])
            truncated = batch.truncated[rows].tolist()
            for row, obs, total, length, cut in zip(
                rows.tolist(), *columns, truncated, strict=True
            ):
                infos[row] = {
                    "terminal_observation": self._play.observations(obs),
                    "episode": {"r": float(total), "l": int(length), "t": seconds},
                    "TimeLimit.truncated": cut,
                }
            self._return[rows] = 0
            self._length[rows] = 0
        return self._play.observations(batch.obs), reward, done, infos

    def close(self) -> None:
        """Ends the threads and frees the environments; closing twice is fine."""
        self._play.venv.close()

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every row ``[N]``, drawn uniformly by the engine."""
        return np.array(self.venv.sample_actions())

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions ``[N, A]`` as 0 and 1."""
        return self._play.action_masks()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Pictures ``[H, W, 3]`` of all rows, with ``render_mode="rgb_array"``."""
        if self.render_mode != "rgb_array":
            warnings.warn(
                f'pictures need render_mode="rgb_array"; it is {self.render_mode!r}', stacklevel=2
            )
            return [None] * self.num_envs
        return [self._play.render(row) for row in range(self.num_envs)]

    def get_attr(self, attr_name: str, indices: vec_env.base_vec_env.VecEnvIndices = None) -> Any:
        """An attribute of each row: ``game``, ``render_mode``, ``observation_space``,
        ``action_space``, ``spec`` (None) and the methods of ``env_method``.
        """
        return [getattr(row, attr_name) for row in self._chosen(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: vec_env.base_vec_env.VecEnvIndices = None
    ) -> None:
        """Refused: rows of a batch have no attributes of their own."""
        raise AttributeError(
            f"attribute `{attr_name}` cannot be set: options belong to the constructor"
        )

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: vec_env.base_vec_env.VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """The result of a method in each row: ``action_masks()`` or ``render()``."""
        if method_name == "action_masks" and indices is None:
            return list(self._play.action_masks(*method_args, **method_kwargs))
        return [
            getattr(row, method_name)(*method_args, **method_kwargs)
            for row in self._chosen(indices)
        ]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: vec_env.base_vec_env.VecEnvIndices = None
    ) -> list[bool]:
        """True for ``Monitor``, whose infos this environment gives itself; else False."""
        return [wrapper_class is Monitor for _ in self._chosen(indices)]

    def _chosen(self, indices: Any) -> list[_Row]:
        chosen: Iterable[int] = self._get_indices(indices)
        return [self._rows[index] for index in chosen]


class _Row:
    """One environment, as ``get_attr`` and ``env_method`` see it."""

    spec = None

    def __init__(self, play: SinglePlayer, index: int) -> None:
        self._play, self._index = play, index
        self.game = play.game
        self.render_mode = play.render_mode
        self.observation_space = play.observation_space
        self.action_space = play.action_space

    def __getattr__(self, name: str) -> Any:
        has = (
            "game, render_mode, observation_space, action_space, spec, action_masks() and render()"
        )
        raise AttributeError(f"environments of this batch have no `{name}`; they have {has}")

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions ``[A]`` as 0 and 1."""
        mask = self._play.venv.batch.action_mask[self._index]
        return np.array(mask, np.int8)

    def render(self) -> Any:
        """The position as the learner may see it."""
        return self._play.render(self._index)
