"""One environment of Gymnasium."""

from __future__ import annotations

from typing import Any, Literal, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.gymnasium.single_player import (
    METADATA,
    SinglePlayer,
    advised,
    read_options,
    whole_seed,
)
from playmat.opponents import Opponents


class Env(gymnasium.Env[Any, Any]):
    """One episode at a time in the single-player view: one learner, agents for all others.

    It holds no thread and no file, so ``close`` does nothing.

    Args:
        game: The game or its name.
        opponents: Agents for the other players, drawn anew for every episode: a spec
            (``"random"``, ``"greedy"``, ``"mcts:100"``), a function (see ``Game.agent``), a list of
            these, pairs of one and a weight, or a mapping to weights.
        learner: The player that the caller plays, or ``"rotate"``: the next one in each episode
            that was given neither a seed nor a state; an episode with one begins with player 0.
        observation: ``"flat"``: an array ``[O]``. ``"dict"``: the named segments of
            ``game.observation_layout``.
        dtype: ``"f32"``: values in -1..1. ``"u8"``: the engine's bytes.
        illegal: What an action that is not legal does: ``"raise"``, ``"replace"`` or
            ``"penalty"``; see ``help(playmat.gymnasium)``.
        penalty: What ``illegal="penalty"`` takes from the reward.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None. Pictures show what the learner
            may see.
        **options: Options of the game, if `game` is a name.

    ``info`` holds ``action_mask`` (int8 ``[A]``, all 0 at the end), ``learner`` (its player) and,
    unless illegal actions raise, ``illegal_action``.

    Raises:
        UnknownGame, InvalidOption, InvalidArgument, InvalidPlayer: Each names what was given and
            what is allowed.
    """

    metadata = METADATA

    def __init__(
        self,
        game: playmat.Game | str,
        *,
        opponents: Opponents = "random",
        learner: int | Literal["rotate"] = 0,
        observation: Literal["flat", "dict"] = "flat",
        dtype: Literal["f32", "u8"] = "f32",
        illegal: Literal["raise", "replace", "penalty"] = "raise",
        penalty: float = 1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self._play = SinglePlayer(
            game,
            1,
            autoreset="disabled",
            opponents=opponents,
            learner=learner,
            observation=observation,
            dtype=dtype,
            illegal=illegal,
            penalty=penalty,
            threads=1,
            render_mode=render_mode,
            options=options,
        )
        self.render_mode = render_mode
        self.action_space = self._play.action_space
        self.observation_space = self._play.observation_space

    @property
    def game(self) -> playmat.Game:
        """The game."""
        return self._play.game

    @property
    def venv(self) -> playmat.VecEnv:
        """The engine's batch of one environment. Do not step it."""
        return self._play.venv

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: The seed of the episode, 0 to 2**64 - 1, from which everything follows:
                ``game.env(seed)`` is its deal. None: the next episode of the stream that the last
                seed began; ``np_random`` draws the first one.
            options: ``{"state": ...}``: goes on from a saved state, bytes of ``Env.to_bytes`` or a
                ``playmat.Env``, instead of a deal. Chance and agents go on with the seed, without
                one with a number from ``np_random``, not with the chance that was saved.

        Returns:
            The observation of the learner's first decision, and ``info``.
        """
        state = read_options(options, ["state"]).get("state")
        seed = None if seed is None else whole_seed(seed)
        seeds: Any = None if seed is None else [seed]
        if seed is None and (state is not None or not self._play.started):
            seeds = self.np_random.integers(2**64, size=1, dtype=np.uint64)
        obs = self._play.reset(seeds, states=None if state is None else [state])
        super().reset(seed=seed)
        return self._play.observations(obs[0]), self._info(None)

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action and everything up to the learner's next decision.

        Returns:
            observation, reward, terminated, truncated and ``info``.

        Raises:
            IllegalAction: The action is not legal and `illegal` is ``"raise"``, or it is outside of
                the action space. Nothing was played.
            EpisodeOver: The episode is over.
            OrderError: ``reset`` was not called yet.
        """
        try:
            batch, reward, refused = self._play.step([action])
        except playmat.IllegalAction as refusal:
            raise self._named(action, refusal) from None
        return (
            self._play.observations(batch.obs[0]),
            float(reward[0]),
            bool(batch.terminated[0]),
            bool(batch.truncated[0]),
            self._info(refused),
        )

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions ``[A]`` as 0 and 1; ``action_space.sample`` takes it."""
        masks = self._play.action_masks()
        return masks.reshape(-1)

    def render(self) -> Any:
        """The position as the learner may see it, in the form of ``render_mode``."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode, for example "
                'gymnasium.make("playmat/ConnectFour-v0", render_mode="ansi")'
            )
            return None
        return self._play.render(0)

    def _named(self, action: SupportsIndex, refusal: playmat.IllegalAction) -> Exception:
        """The error of the same step of a single environment, which says what is legal: that of a
        batch names rows.
        """
        try:
            self.venv.state(0).step(action, int(self.venv.batch.learner[0]))
        except playmat.IllegalAction as named:
            return advised(named) if self._play.illegal == "raise" else named
        return refusal

    def _info(self, refused: NDArray[np.bool_] | None) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks(),
            "learner": int(self.venv.batch.learner[0]),
        }
        if self._play.illegal != "raise":
            info["illegal_action"] = refused is not None and bool(refused[0])
        return info
