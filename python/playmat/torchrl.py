"""Every game as a batched TorchRL environment: ``PlaymatEnv``. docs/torchrl.md describes the
conventions.

>>> import playmat.torchrl
>>> env = playmat.torchrl.PlaymatEnv("graft", num_envs=16, opponents=["greedy"])
>>> env.rollout(5, break_when_any_done=False)["next", "reward"].shape
torch.Size([16, 5, 1])
"""

from __future__ import annotations

from typing import Any, Literal, SupportsIndex

import playmat
from playmat.errors import invalid, one_of
from playmat.extras import need
from playmat.opponents import Opponents

need(what="`playmat.torchrl`", extra="torchrl")

import torch  # noqa: E402
from tensordict import TensorDict, TensorDictBase  # noqa: E402
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded  # noqa: E402
from torchrl.envs import EnvBase  # noqa: E402

__all__ = ["PlaymatEnv"]


class _Actions(Categorical):
    """The actions of a game. A mask belongs to a position, not to the space, so it does not count
    in comparisons: TransformedEnv compares its spec with that of the environment before it uses
    ``rand_action``, and the transform ActionMask changes the mask of one of the two.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Actions) and all(
            getattr(self, name) == getattr(other, name)
            for name in ("shape", "space", "device", "dtype", "domain")
        )


class PlaymatEnv(EnvBase):
    """N episodes of one game, stepped together: ``batch_size`` is ``[N]``.

    ``observation`` ``[N, O]``, ``action_mask`` bool ``[N, A]`` and ``action`` int64 ``[N]`` belong
    to the player who decides. The engine writes each step into new tensors: nothing is copied.

    With opponents, or for one player, this is the single-player view: the caller plays one player,
    agents of the engine play the others, and ``reward`` ``[N, 1]`` is the learner's. Without, it is
    the turn view: the caller plays all players, ``player`` int32 ``[N, 1]`` says whose decision it
    is (-1 where the episode is over), and ``reward`` ``[N, P]`` has an entry for each player.

    ``view="joint"`` shows all players at once, in the group ``"agents"``, as TorchRL's environments
    for several agents do: ``("agents", "observation")`` ``[N, P, O]``, ``action_mask``
    ``[N, P, A]``, ``action`` ``[N, P]``, ``reward`` ``[N, P, 1]``, and ``mask`` bool ``[N, P]``:
    who must decide. Actions of the others are ignored, so their mask allows everything.

    Args:
        game: A registered name, or a configured game.
        num_envs: N.
        opponents: As in ``Game.vec_env``.
        learner: The player that the caller plays (0), or ``"rotate"``: another one in each episode.
            Only with opponents.
        view: ``"turn"`` or ``"joint"``, see above. Only without opponents.
        threads: Threads that step.
        dtype: Of observations: ``"f32"``, in [-1, 1], or ``"u8"``, the engine's bytes.
        device: Where the tensors are. For an accelerator the engine writes into pinned memory, from
            which they are copied.
        pin_memory: On the CPU, whether the tensors lie in pinned memory, so that
            ``.to("cuda", non_blocking=True)`` does not wait.
        seed: As ``set_seed``.
        **options: Options of the game, such as ``players``.

    Raises:
        playmat.UnknownGame, playmat.InvalidOption, playmat.InvalidArgument: Each names what was
            given and what is allowed.
    """

    def __init__(
        self,
        game: str | playmat.Game,
        num_envs: int = 1,
        *,
        opponents: Opponents | None = None,
        learner: SupportsIndex | Literal["rotate"] | None = None,
        view: Literal["turn", "joint"] | None = None,
        threads: int = 1,
        dtype: Literal["f32", "u8"] = "f32",
        device: Any = "cpu",
        pin_memory: bool = False,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        if isinstance(game, str):
            game = playmat.Game(game, **options)
        elif options:
            game = playmat.Game(game.name, **{**game.options, **options})
        where = torch.device(device)
        if (pin_memory or where.type == "cuda") and not torch.cuda.is_available():
            argument = "pin_memory" if pin_memory else "device"
            given = pin_memory if pin_memory else device
            raise invalid(argument, f"got {given!r}; torch finds no GPU here")
        if view is not None:
            one_of("view", view, ("turn", "joint"))
        if view is not None and opponents is not None:
            raise invalid("view", f"got {view!r}; with opponents the view is that of the learner")
        self._joint = view == "joint"
        self._single = opponents is not None or (game.num_players == 1 and view is None)
        self._reward_field = "learner_reward" if self._single else "reward"
        fields = ["obs", "action_mask", self._reward_field, "terminated", "truncated"]
        fields += [] if self._single else ["acting" if self._joint else "player"]
        venv = game.vec_env(
            num_envs,
            view="single" if self._single else view or "turn",
            opponents=opponents,
            learner=learner,
            threads=threads,
            dtype=dtype,
            autoreset="disabled",
            fields=fields,
        )
        super().__init__(device=where, batch_size=[venv.num_envs])
        self.game, self.venv = game, venv
        self._staging: dict[str, torch.Tensor] | None = None
        #: What a GPU reaches after the copies of the last step.
        self._copied: torch.cuda.Event | None = None
        self._pinned = pin_memory
        self._seed: int | None = seed
        self._ended: tuple[torch.Tensor, ...] = ()
        self._started = False
        #: The names of the agents, as TorchRL's algorithms for several agents look for them.
        self.group_map: dict[str, list[str]] = {}
        if self._joint:
            self.group_map = {"agents": [f"player_{p}" for p in range(game.num_players)]}
        self._make_specs()
        self._mask = torch.ones(self._rows(game.num_actions), dtype=torch.bool, device=self.device)

    def _rows(self, *sizes: int) -> tuple[int, ...]:
        """The shape of something that each environment has, in the joint view each player of it."""
        players = (self.game.num_players,) if self._joint else ()
        return (self.venv.num_envs, *players, *sizes)

    def _key(self, name: str) -> Any:
        """Where something of the players is in a tensordict."""
        return ("agents", name) if self._joint else name

    def _empty(self, pin_memory: bool) -> dict[str, torch.Tensor]:
        """Tensors for the results of one step, by the names of the engine's fields."""
        n, players = self.venv.num_envs, self.game.num_players
        floats = torch.float32 if self.venv.dtype == "f32" else torch.uint8
        shapes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
            "obs": (self._rows(*self.game.observation_shape), floats),
            "action_mask": (self._rows(self.game.num_actions), torch.bool),
            self._reward_field: ((n,) if self._single else (n, players), torch.float32),
            "terminated": ((n,), torch.bool),
            "truncated": ((n,), torch.bool),
        }
        if self._joint:
            shapes["acting"] = ((n, players), torch.bool)
        elif not self._single:
            shapes["player"] = ((n,), torch.int32)
        return {
            name: torch.empty(shape, dtype=dtype, pin_memory=pin_memory)
            for name, (shape, dtype) in shapes.items()
        }

    def _make_specs(self) -> None:
        n, players = self.venv.num_envs, self.game.num_players
        floats = self.venv.dtype == "f32"
        where = {"device": self.device}
        observation = Bounded(
            -1.0 if floats else 0,
            1.0 if floats else 255,
            shape=self._rows(*self.game.observation_shape),
            dtype=torch.float32 if floats else torch.uint8,
            **where,
        )
        mask = Binary(shape=self._rows(self.game.num_actions), dtype=torch.bool, **where)
        spec = Composite(observation=observation, action_mask=mask, shape=self._rows(), **where)
        action = _Actions(self.game.num_actions, shape=self._rows(), **where)
        shape = (n, players) if not (self._single or self._joint) else self._rows(1)
        reward = Unbounded(shape=shape, **where)
        if self._joint:
            spec["mask"] = Binary(shape=(n, players), dtype=torch.bool, **where)
            spec = Composite(agents=spec, shape=(n,), **where)
            action, reward = (
                Composite(
                    agents=Composite({name: leaf}, shape=(n, players), **where), shape=(n,), **where
                )
                for name, leaf in (("action", action), ("reward", reward))
            )
        elif not self._single:
            spec["player"] = Bounded(-1, players - 1, shape=(n, 1), dtype=torch.int32, **where)
        self.observation_spec, self.action_spec, self.reward_spec = spec, action, reward
        flag = Binary(shape=(n, 1), dtype=torch.bool, **where)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=(n,), **where
        )

    def _storage(self) -> dict[str, torch.Tensor]:
        """The memory that the engine writes: new tensors on the CPU, else memory to copy from."""
        if self.device.type == "cpu":
            return self._empty(self._pinned)
        if self._copied is not None:
            self._copied.synchronize()
        if self._staging is None:
            self._staging = self._empty(pin_memory=self.device.type == "cuda")
        return self._staging

    def _step_data(
        self, written: dict[str, torch.Tensor], reset: torch.Tensor | None, with_reward: bool
    ) -> TensorDictBase:
        """The tensors of a step, or of a reset of some environments, under TorchRL's names."""
        if self.device.type != "cpu":
            written = {
                name: tensor.to(self.device, non_blocking=self.device.type == "cuda")
                for name, tensor in written.items()
            }
        if self.device.type == "cuda":
            self._copied = torch.cuda.Event()  # type: ignore[no-untyped-call, unused-ignore]
            self._copied.record(torch.cuda.current_stream(self.device))
        terminated = written["terminated"].unsqueeze(-1)
        truncated = written["truncated"].unsqueeze(-1)
        if reset is not None:
            # The engine's flags are those of one step; TorchRL's stay until the reset.
            terminated, truncated = (flag.to(reset.device) & ~reset for flag in self._ended)
        self._ended = terminated, truncated
        done = terminated | truncated
        self._mask = written["action_mask"]
        values = {"observation": written["obs"], "action_mask": self._mask}
        if self._joint:
            values["mask"] = written["acting"]
            # Who does not act may choose anything: a distribution needs a legal action.
            self._mask |= ~values["mask"].unsqueeze(-1)
        elif not self._single:
            values["player"] = written["player"].unsqueeze(-1)
        if with_reward:
            reward = written[self._reward_field]
            values["reward"] = reward.unsqueeze(-1) if self._single or self._joint else reward
        if self._joint:
            agents = TensorDict(values, batch_size=self._rows(), device=self.device)
            values = {"agents": agents}
        values |= {"done": done, "terminated": terminated, "truncated": truncated}
        return TensorDict(values, batch_size=self.batch_size, device=self.device)

    def _reset(self, tensordict: TensorDictBase | None, **kwargs: Any) -> TensorDictBase:
        reset = None
        if self._started and tensordict is not None:
            reset = tensordict.get("_reset", None)
        out = self._storage()
        if reset is None or bool(reset.all()):
            self.venv.reset(self._seed, out=out)
            self._seed, self._started, reset = None, True, None
        else:
            self.venv.reset(mask=reset.reshape(-1).cpu(), out=out)
            reset = reset.reshape(-1, 1)
        return self._step_data(out, reset, with_reward=False)

    def _reset_proc_data(
        self, tensordict: TensorDictBase | None, tensordict_reset: TensorDictBase
    ) -> TensorDictBase:
        """The engine shows all environments after a reset of some, so there is nothing to merge:
        TorchRL would choose between two values of everything, which takes longer than a step.
        """
        if tensordict is None:
            return tensordict_reset
        tensordict.pop("_reset", None)
        return tensordict.update(tensordict_reset)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        if tensordict.get("_step", None) is not None:
            reason = "a step of some environments only is not possible; step all of them"
            raise invalid("_step", reason)
        out = self._storage()
        actions = tensordict[self._key("action")].reshape(self._rows())
        self.venv.step(actions.cpu().contiguous(), out=out)
        return self._step_data(out, None, with_reward=True)

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """Draws a legal action for every environment, with torch's random numbers.

        Args:
            tensordict: Its ``action_mask`` counts; without it the mask of the last step or reset.
                Where an episode is over, and nothing is legal, the action is any.

        Returns:
            The tensordict, with ``action``.
        """
        if tensordict is None:
            tensordict = TensorDict(batch_size=self.batch_size, device=self.device)
        mask = tensordict.get(self._key("action_mask"), None)
        if mask is None:
            mask = self._mask
        # The spec itself stays without a mask: transforms keep copies of it.
        spec = self.full_action_spec[self._key("action")].clone()
        spec.update_mask(mask | ~mask.any(-1, keepdim=True))
        return tensordict.set(self._key("action"), spec.rand())

    def _set_seed(self, seed: int | None) -> None:
        """The next reset of all environments starts the streams of this number."""
        self._seed = seed

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Ends the threads of the engine."""
        self.venv.close()
        super().close(raise_if_closed=raise_if_closed)
