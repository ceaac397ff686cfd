"""The compiled module. Docstrings are those of the Rust sources (`pybind/src`), copied by
`python tests/python/stubs.py --update`; signatures are written by hand.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import (
    Any,
    Final,
    Literal,
    NoReturn,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    final,
    overload,
)

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer, Self

from playmat.errors import Problem

class _SupportsDLPack(Protocol):
    def __dlpack__(self, *, stream: Any = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...

# Objects whose memory is used without a copy: tensors, memory views, arrays of the standard library.
_ForeignArray: TypeAlias = _SupportsDLPack | Buffer
_Obs: TypeAlias = NDArray[np.uint8] | NDArray[np.float32] | _ForeignArray
_Mask: TypeAlias = NDArray[np.bool_] | NDArray[np.uint8] | NDArray[np.int8] | _ForeignArray
_Truths: TypeAlias = NDArray[np.bool_] | NDArray[np.uint8] | _ForeignArray
_Floats: TypeAlias = NDArray[np.float32] | _ForeignArray
_Actions: TypeAlias = (
    NDArray[np.integer[Any]]
    | Sequence[SupportsIndex]
    | Sequence[Sequence[SupportsIndex]]
    | _ForeignArray
)
_Seeds: TypeAlias = (
    SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer[Any]] | _ForeignArray
)
#: A spec of an agent, or the path of a network.
_Spec: TypeAlias = str | os.PathLike[str]
#: A function of observations `[n, O]`, masks `[n, A]` and players `[n]` that chooses n actions.
_Function: TypeAlias = Callable[..., Any]
_Out: TypeAlias = Mapping[str, NDArray[Any] | _ForeignArray]
# What is given to be written is returned as it is.
_Given = TypeVar("_Given", bound=NDArray[Any] | _ForeignArray)
_Other = TypeVar("_Other", bound=NDArray[Any] | _ForeignArray)
_View: TypeAlias = Literal["turn", "joint", "single"]
_Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
_U8: TypeAlias = Literal["u8", "uint8"] | type[np.uint8] | np.dtype[np.uint8]
_F32: TypeAlias = Literal["f32", "float32"] | type[np.float32] | np.dtype[np.float32]

VERSION: Final[str]

def games() -> list[str]:
    """Registered names of all games, in their fixed order."""

@overload
def gae(
    reward: _Floats,
    value: _Floats,
    player: NDArray[np.int32] | _ForeignArray,
    terminated: _Truths,
    truncated: _Truths,
    next_value: _Floats,
    *,
    final_value: _Floats | None = None,
    gamma: float,
    gae_lambda: float,
    out: None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Generalized advantage estimation for any number of players over a turn-view rollout of T steps of N environments with P players.

    In the turn view a step is the decision of one player, and a player also gets rewards in the steps of other players. The decisions
    of each player form a trajectory of their own: a player's rewards from one of its decisions up to its next one belong to that
    decision, and `gamma` counts once per own decision, not per step. If the episode was terminated before the next decision, nothing
    follows; if it was truncated, the player's `final_value` is the bootstrap; at the end of the rollout, its `next_value` is. A step
    with both flags set is terminated, as in Gymnasium: nothing follows, and its `final_value` is not read. Players that never act are
    left out; a player's rewards before its first decision belong to no step.

    Arrays are C-contiguous, as a batch (`venv.step(actions, out={...})`) fills them. Tensors (DLPack) and objects with the buffer protocol
    are also read and written in place.

    Args:
        reward: float32 `[T, N, P]`, the reward of each player in step t.
        value: float32 `[T, N]`, value of the observation in step t for the player that acts.
        player: int32 `[T, N]`, the player that acts in step t; -1 for a step without a decision, whose results are 0.
        terminated: bool or uint8 `[T, N]`, whether the step ended the episode by the rules.
        truncated: bool or uint8 `[T, N]`, whether the step ended it by a limit; ignored where `terminated` is set.
        next_value: float32 `[N, P]`, value of the position after the last step for each player, acting or not
            (`venv.observe_all()` has the observations).
        final_value: float32 `[T, N, P]`, read only in truncated steps: value of the episode's last position for each player
            (field `final_obs_all`). `[T, N]` will do for one player; None if nothing was truncated.
        gamma: Discount per own decision, 0 to 1.
        gae_lambda: Lambda of the estimate, 0 to 1.
        out: Two float32 arrays `[T, N]` for the results; `value` or `reward` must not lie in the same memory.

    Returns:
        (advantages, returns): float32 `[T, N]` each; returns = advantages + value.

    Raises:
        InvalidArgument: Shape, type, layout, player or number out of range; nothing was written.

    >>> import numpy as np, playmat
    >>> reward = np.array([0, 0, 1], np.float32).reshape(3, 1, 1)
    >>> value, player = np.zeros((3, 1), np.float32), np.zeros((3, 1), np.int32)
    >>> terminated = np.array([[False], [False], [True]])
    >>> advantages, returns = playmat.gae(
    ...     reward, value, player, terminated, np.zeros_like(terminated), np.zeros((1, 1), np.float32),
    ...     gamma=0.5, gae_lambda=1.0)
    >>> returns[:, 0].tolist()
    [0.25, 0.5, 1.0]
    """

@overload
def gae(
    reward: _Floats,
    value: _Floats,
    player: NDArray[np.int32] | _ForeignArray,
    terminated: _Truths,
    truncated: _Truths,
    next_value: _Floats,
    *,
    final_value: _Floats | None = None,
    gamma: float,
    gae_lambda: float,
    out: tuple[_Given, _Other],
) -> tuple[_Given, _Other]: ...
def _restore_env(
    game: Game,
    data: bytes,
    start: bytes | None,
    history: Sequence[tuple[int, int]],
    before: str | None = None,
) -> Env: ...
def _restore_states(game: Game, states: Sequence[bytes]) -> States: ...
def _restore_vec_env(
    game: Game,
    arguments: dict[str, Any],
    data: bytes | None,
    seed: int | None,
    parts: list[tuple[str, Any, str]] = ...,
) -> VecEnv: ...
def _memset(buffer: NDArray[np.uint8], times: int) -> None: ...

@final
class Game:
    """A configured game: everything that is the same in all its episodes. It creates environments.

    Immutable and shared: any number of environments and threads may use one. Equal to another of the same name and options.

    Args:
        name: A registered name, see `playmat.games()`.
        **options: The options of the game and the common ones (`reward`, `max_steps`); see `playmat info GAME`. Option `content`
            takes a name, TOML text, or the path of a TOML file (an `os.PathLike`, or a text ending in `.toml`).

    Raises:
        UnknownGame, InvalidOption, ContentError: Each names what was given and what is allowed.

    >>> import playmat
    >>> game = playmat.Game("graphia", players=3)
    >>> game.num_players, game.num_actions, game.observation_shape, game.reward
    (3, 583, (3725,), 'outcome')
    >>> game.action_layout[0].name, game.observation_layout.names[0]
    ('SHAPE', 'phase')
    """
    def __new__(cls, name: str, /, **options: object) -> Self: ...
    @property
    def name(self) -> str:
        """Registered name."""
    @property
    def title(self) -> str:
        """Name as on the box."""
    @property
    def version(self) -> int:
        """Version of the rules; changes exactly when behaviour does."""
    @property
    def num_players(self) -> int:
        """Players of this configuration."""
    @property
    def player_range(self) -> tuple[int, int]:
        """Smallest and largest number of players of the game."""
    @property
    def num_actions(self) -> int:
        """Number of actions: actions are `0 .. num_actions - 1`."""
    @property
    def observation_shape(self) -> tuple[int]:
        """Shape of one observation: `(O,)`."""
    @property
    def observation_layout(self) -> ObservationLayout:
        """The named segments of an observation, in order and without holes."""
    @property
    def action_layout(self) -> list[ActionRange]:
        """The named ranges of the action space, in order and without holes."""
    @property
    def options(self) -> dict[str, Any]:
        """All options with their values, as a dict."""
    @property
    def reward(self) -> Literal["outcome", "score", "score_delta"]:
        """What the episodes pay: `"outcome"`, `"score"` or `"score_delta"`."""
    @property
    def return_range(self) -> tuple[float, float]:
        """Smallest and largest sum of a player's rewards in one episode. These are bounds; play often reaches less. Scale rewards by
        `reward_scale()`.
        """
    def info(self) -> dict[str, Any]:
        """Everything fixed, as a dict of plain values; `content_entries` are the cards, tiles and goals with what they do. `state_bytes` is the
        size of a state, `env_bytes` that of an environment of a batch in the engine (state, random streams, seeds, legal actions), and
        `env_bytes_with_outputs` that with its rows of all arrays that `vec_env` makes by default (turn view, uint8 observations). For
        another batch, `VecEnv.nbytes` has the sum.
        """
    def env(self, seed: SupportsIndex | None = None) -> Env:
        """An environment playing the episode of `seed`, a whole number below 2**64. Without one, the operating system draws it; `Env.seed`
        says which.
        """
    def env_from_bytes(self, data: Buffer) -> Env:
        """An environment from the bytes of `Env.to_bytes`, at most 64 KiB; its history begins here.

        Raises:
            Unreadable: Damaged, truncated, extended.
            WrongIdentity: Of another game, version, content or configuration.
            InvalidState: It breaks rules of the game; all reasons are listed.
        """
    def env_from_json(self, text: str | Mapping[str, Any], seed: SupportsIndex = 0) -> Env:
        """An environment from JSON: a text of at most 1 MiB, or the dict of `Env.state_dict`. `{"state": ...}` alone suffices. What the
        text does not hold comes from streams hashed from `seed` (and from the seed in the text): those of agents and of `sample_action`,
        and without a generator in it chance too. Its history begins here.

        Raises:
            Unreadable, WrongIdentity, InvalidState: As `env_from_bytes`, with the path of what is wrong.
        """
    def agent(self, spec: _Spec | _Function, dtype: _U8 | _F32 = "u8") -> Agent:
        """The agent of a spec or of a function, for this game.

        Args:
            spec: The text that names the agent, or the path (`pathlib.Path`) of a network:

                - `"random"`: uniformly random legal actions.
                - `"greedy"`: the game's greedy agent.
                - `"mcts:400"`, `"mcts:50ms"`: tree search with 400 simulations for each action, or for 50 milliseconds. It plays
                  determinizations (see `Env.sample_hidden`) and keeps its tree for the episode.
                - `"policy.onnx"`: a trained network, a file that `playmat train` wrote for this game with these options. It plays its
                  likeliest action, of several the lowest. With `"policy.onnx,temperature=1"` it draws actions from its policy, with
                  logits divided by the temperature (0, the likeliest action, or 0.01 to 100). A file may have a temperature that applies
                  without this option: `playmat train` writes 1 where it evaluates with `--play sample`. Decisions are the same on every
                  platform and in every batch. A path must not contain a comma.
                - `"mcts:400,policy=policy.onnx"`: tree search with the network's policy as priors, and its value in place of rollouts. It
                  maximizes the returns that the network was trained on.

                Options of a search follow, as in `"mcts:400,threads=2"`:

                - `rollout=greedy` or `random`: the agent that plays a simulation to its end (default: greedy; with `policy`, none).
                  Beside `policy`, the network gives only the priors, and the search maximizes the returns that the game pays.
                - `prior=greedy`: the greedy agent's choice is tried first and has half of the prior; or `uniform`.
                - `prior_temperature` (0.01 to 100): divides the network's logits before they become priors (1). Above 1, the search also
                  tries actions that the network thinks unlikely. Needs `policy`.
                - `c`: exploration constant, the factor of the bonus for rarely tried actions (1.5).
                - `threads`: number of trees searched in parallel (1).
                - `dirichlet_alpha` (0.01 to 100): mixes Dirichlet noise into the priors of the root, with the share
                  `dirichlet_fraction` (0.25).
                - `temperature` (0, or up to 100): draws the action in proportion to `visits ** (1 / temperature)`; 0: the most visited.
                - `temperature_drop` (1 to 1,000,000): draws only so many decisions of the player in an episode, the first ones; then it plays
                  the most visited action (default: all are drawn). Needs `temperature`.
                - `max_nodes`: most nodes of a tree, 1 to 1,048,576 (the default). A full tree is emptied before the next search.

                A function `(obs, mask, player) -> actions` chooses for the n decisions that it gets at once: `obs` `[n, O]`, `mask`
                bool `[n, A]` and `player` int32 `[n]`, arrays of its own; it returns n legal actions, whole numbers. At least two
                actions are legal in every row. Its choice in a row must follow from that row alone, because the number of threads decides
                which rows come together. With a true attribute `takes_greedy` it gets a fourth array: int64 `[n]`, the greedy agent's
                actions. Its name is its attribute `name`, `__name__` or the name of its class.
            dtype: Of the observations of a function: `"u8"` or `"f32"`.

        Raises:
            InvalidArgument: Names the specs that are allowed, or the file of a network and why it is refused.
        """
    def states(self, envs: Env | States | Iterable[Env | States]) -> States:
        """The states of environments as an array; `VecEnv.states` gives those of a batch. Arrays are put one after the other.

        Args:
            envs: An environment of this game, an array of its states, or a list of both.

        Raises:
            InvalidArgument: An environment or states of another game.
        """
    def search(
        self,
        spec: str,
        rows: SupportsIndex = 1,
        leaves: SupportsIndex = 1,
        *,
        dtype: _U8 | _F32 | None = None,
        greedy: bool = False,
    ) -> Search:
        """Tree searches whose network is evaluated in Python, for many positions at once.

        Args:
            spec: `"mcts:400"`: with 400 simulations for each action; with the options `prior_temperature`, `c`,
                `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop` and `max_nodes` of `agent`, as in
                `"mcts:400,c=2,dirichlet_alpha=0.3,temperature=1"`, and `threads`: with `threads=2` two threads share the searches in
                `collect` and `feed`, and what the searches find stays the same.
            rows: Number of searches.
            leaves: Most leaves of one search that are under way at once. With 1 a search finds what `"mcts:400,policy=policy.onnx"` does with
                the same network. With more, simulations under way count as lost until their values are known (a virtual loss), so that
                they spread.
            dtype: Of observations: `"u8"` or `"uint8"`, `"f32"` or `"float32"`, or numpy's own, such as `numpy.float32`.
            greedy: Whether leaves tell what the greedy agent would do there, for a network that reads it. The greedy agent of some games
                draws, from the stream of the search: a search then finds something else than without it.

        Raises:
            InvalidArgument: Names what is allowed.
        """
    def vec_env(
        self,
        num_envs: SupportsIndex,
        *,
        threads: SupportsIndex = 1,
        view: _View = "turn",
        dtype: _U8 | _F32 = "u8",
        autoreset: _Autoreset = "same_step",
        learner: SupportsIndex | Literal["rotate"] | None = None,
        roles: Sequence[_Spec | int | Agent | _Function] | None = None,
        opponents: _Spec
        | Agent
        | _Function
        | Mapping[str, float]
        | Mapping[Agent, float]
        | Mapping[_Function, float]
        | Mapping[str | Agent, float]
        | Mapping[_Spec, float]
        | Mapping[_Spec | Agent, float]
        | Mapping[_Spec | Agent | _Function, float]
        | Sequence[_Spec | Agent | _Function | tuple[_Spec | Agent | _Function, float]]
        | None = None,
        spin_us: SupportsIndex = 50,
        first_env: SupportsIndex = 0,
        fields: Iterable[str] | None = None,
    ) -> VecEnv:
        """Many environments of this game, stepped together.

        Args:
            num_envs: N.
            threads: Threads that step, the caller's included; 1 starts none, but for `step_async`. Results do not depend on it.
            view: `"turn"`: one acting player per environment and step, of several at once the lowest first. `"joint"`: all acting
                players of an environment decide in the same step. `"single"`: one learner, opponents are the other players.
            dtype: Of observations: `"u8"` or `"uint8"`, `"f32"` or `"float32"`, or numpy's own, such as `numpy.float32`.
            autoreset: `"same_step"`: the next episode starts in the step that ends one. `"next_step"`: the step after the end ignores
                the action and starts it. `"disabled"`: stepping is refused until `reset(mask=...)`.
            learner: The player that the caller plays, or `"rotate"`: another one in each episode. None: all (in the
                single-player view: 0).
            roles: Instead of `learner`, one entry per player: `"learner"`, `"pool"`, an agent or its spec, or an opponent's index.
            opponents: The pool for players that the caller does not play, drawn anew for every episode: agents, their specs or functions (see
                `agent`; functions read observations of `dtype`), pairs of agent and weight, or a dict from agents to weights. A function is
                called for many environments that wait for it at once, and must not use this batch. If it fails, the call raises its
                exception, and nothing was stepped or written.
            spin_us: How long a worker waits for the next step before it sleeps, at most a second (1,000,000).
            first_env: Number of the first environment, at most 2**32: environment i has the random streams, and with `learner="rotate"` the
                learners, of environment `first_env + i` of a batch that begins at 0. So several batches can play the parts of one.
            fields: Names of the `Batch` fields to hold; None for all but `final_obs_all` (and `acting`, except in the joint view, and
                `learner` and `learner_reward`, except in the single-player view).

        Returns:
            The environment; its first call must be `reset`.

        An episode that ends before the learner decides is not returned: it is only counted in `results`, and the next one follows.

        Raises:
            InvalidArgument, InvalidPlayer: Each names what was given and what is allowed; `learner` also where the learner never decides.
        """
    def action_text(self, action: SupportsIndex) -> str:
        """Text of an action without a position: it depends on the number of the action alone."""
    def parse_action(self, text: str) -> int:
        """The action with this text.

        Raises:
            UnknownAction: With examples of what would be understood.
        """
    def digest(self, episodes: SupportsIndex = 20) -> str:
        """Checksums of observations, masks, rewards and states of the episodes of seeds `0 .. episodes - 1`, as text. Equal on every
        machine and in every binding.
        """
    def survey(
        self,
        episodes: SupportsIndex = 1000,
        seed: SupportsIndex = 0,
        agents: Sequence[Agent | _Spec | _Function] | None = None,
    ) -> dict[str, Any]:
        """Self-play in numbers: lengths, scores, victories by player, how often each rule, content entry and action range happened.

        `choices` lists the actions that were chosen, by number: `times`; `episodes` in which it was; `players` that chose it, counted in
        each episode by itself; `share`, the mean of their victories (a victory of W winners is 1/W; fair is 1/players), with `margin`, half
        of its 95% interval, or None under 30 episodes and where they do not differ; `per_time`, the same mean over all times instead of
        players; `moments`, from which the interval of several surveys follows.

        Args:
            episodes: How many are played.
            seed: Their seeds derive from it.
            agents: An agent (or its spec) for each player; the last one also plays for the players after it. Without: `"random"`.

        Returns:
            A dict of plain values. Ctrl-C ends it early with KeyboardInterrupt.
        """
    def reward_scale(
        self, episodes: SupportsIndex = 256, seed: SupportsIndex = 0, relative: bool = False
    ) -> float:
        """The factor on rewards under which the returns of play have standard deviation 1; 1.0 if they do not differ.

        `return_range` bounds every episode, so it can be far wider than what play reaches, and rewards divided by it come out flat.
        This is measured: the agents `"random"` and `"greedy"` play every other episode, each for all players. The deviation is that of all
        players' returns around their common mean. The same game, `episodes` and `seed` give the same factor.

        Args:
            episodes: How many are played. The factor's relative error is about 1 / sqrt(2 * episodes * players).
            seed: Their seeds derive from it.
            relative: Measure the return of each player less the mean of the others', for a learner with such a relative reward.

        Returns:
            A float above 0. Ctrl-C ends the measurement with KeyboardInterrupt.

        Raises:
            InvalidArgument: No episodes.

        >>> import playmat
        >>> game = playmat.Game("leduc_poker")
        >>> game.return_range
        (-13.0, 13.0)
        >>> 0.2 < game.reward_scale() < 0.4
        True
        """
    def chance_outcomes(self) -> list[tuple[Env, float]]:
        """Every deal with its probability: a list of `(Env, float)`, environments in their first position. The probabilities sum to 1; a game
        without chance in the deal has one. `Env.chance_outcomes` goes on from there.

        Raises:
            MissingFeature: The game does not list its deals, because there are too many (more than 10,000): chance is sampled.

        >>> import playmat
        >>> deals = playmat.Game("kuhn_poker").chance_outcomes()
        >>> len(deals), round(sum(p for _, p in deals), 9)
        (6, 1.0)
        """
    def _exploitability(
        self,
        spec: str | None = None,
        table: Mapping[int, Sequence[float]] | None = None,
        decisions: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
    ) -> dict[str, Any]: ...
    def _evaluate(self, path: str, obs: bytes) -> tuple[bytes, bytes]: ...
    def _conformance(
        self,
        seed: SupportsIndex | None = None,
        episodes: SupportsIndex | None = None,
        only: Sequence[str] | None = None,
    ) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...

@final
class ActionRange:
    """A contiguous range of actions with one meaning."""
    @property
    def name(self) -> str:
        """Name, e.g. `PLACE`."""
    @property
    def start(self) -> int:
        """First action."""
    @property
    def shape(self) -> tuple[int, ...]:
        """How the range is indexed, outermost first; the product is the number of actions."""
    @property
    def meaning(self) -> str:
        """What its actions mean."""
    def __len__(self) -> int: ...
    def __contains__(self, action: int, /) -> bool: ...

@final
class Segment:
    """One named part of an observation: `value = (byte - bias) / scale`, in [-1, 1]."""
    @property
    def name(self) -> str:
        """Name, unique in the layout."""
    @property
    def offset(self) -> int:
        """First byte."""
    @property
    def shape(self) -> tuple[int, ...]:
        """Shape, row-major; the product is the number of bytes."""
    @property
    def bias(self) -> int:
        """Subtracted from the byte."""
    @property
    def scale(self) -> int:
        """Divides the difference."""
    @property
    def meaning(self) -> str:
        """What the segment shows."""
    @property
    def public(self) -> bool:
        """Whether every viewer of the same state reads the same facts here (players rotated)."""
    def __len__(self) -> int: ...

@final
class ObservationLayout:
    """The segments of an observation: a sequence, also indexed by name."""
    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str, /) -> Segment: ...
    def __iter__(self) -> Iterator[Segment]: ...
    @property
    def size(self) -> int:
        """Number of bytes of an observation."""
    @property
    def names(self) -> list[str]:
        """Names of the segments."""
    def split(self, obs: Any) -> dict[str, Any]:
        """Named, shaped views of observations, without a copy.

        Args:
            obs: Array of shape `(..., O)`, any dtype; also anything with `shape`, slicing and `reshape`, e.g. a tensor.

        Returns:
            A dict from name to a view of shape `(..., *segment.shape)`.
        """
    @overload
    def to_f32(
        self, obs: NDArray[np.uint8] | _ForeignArray, out: None = None
    ) -> NDArray[np.float32]:
        """The `float32` form of observations: `(byte - bias) / scale`, every value in [-1, 1].

        Args:
            obs: uint8 array of shape `(..., O)`, C-contiguous.
            out: float32 array of the same shape to write into; otherwise a new one.

        Returns:
            The float32 array.
        """
    @overload
    def to_f32(self, obs: NDArray[np.uint8] | _ForeignArray, out: _Given) -> _Given: ...

@final
class Agent:
    """An agent of one game: it chooses actions. Made by `Game.agent`, from a spec or from a function.

    It knows only what the player for whom it chooses knows. It draws from random streams of the environment, which also holds its
    memory. So it can act in any number of environments, and equal seeds give equal episodes.

    >>> import playmat
    >>> game = playmat.Game("connect_four")
    >>> agent = game.agent("greedy")
    >>> env = game.env(seed=7)
    >>> while not env.done:
    ...     env.step(agent.act(env))
    >>> venv = game.vec_env(64)
    >>> batch = venv.reset(seed=1)
    >>> batch = venv.step(agent.act_batch(venv))
    """
    @property
    def game(self) -> Game:
        """The game that it was made for."""
    @property
    def name(self) -> str:
        """Its spec, or the name of its function."""
    def act(self, env: Env, player: SupportsIndex | None = None) -> int:
        """The action that it chooses. `"random"` gives what `env.sample_action` gives.

        Ctrl-C ends a search within a fraction of a second with KeyboardInterrupt. The environment is then as before, but the agent has
        forgotten the tree that it kept of this episode.

        Args:
            env: An environment of its game; it is not stepped.
            player: The player for whom it chooses, who must be acting. Without: the current player.

        Raises:
            EpisodeOver, NotActing, InvalidPlayer, InvalidArgument: No player acts, or not this player, or the environment is of another game.
        """
    def statistics(self, env: Env, player: SupportsIndex | None = None) -> SearchStatistics:
        """What its search found out when it last chose for a player in this episode, also after later steps and at the end. Only a search
        (`"mcts:400"`, also with a network's policy) has statistics. After `act_batch` there is `statistics_batch`.

        >>> import playmat
        >>> game = playmat.Game("connect_four")
        >>> agent, env = game.agent("mcts:50"), game.env(seed=7)
        >>> action = agent.act(env)
        >>> found = agent.statistics(env)
        >>> bool(found.actions[found.visits.argmax()] == action), int(found.visits.sum())
        (True, 50)

        Args:
            env: An environment of its game.
            player: The player for whom it has chosen. Without: the current player; after the end the player who acted last. So read the
                statistics before the step, or name the player: after the step the current player is the next one.

        Raises:
            OrderError: The agent has not chosen for this player in this episode, or its last choice was cancelled.
            InvalidArgument, InvalidPlayer: The agent does not search, or the environment is of another game; no such player.
        """
    def statistics_batch(self, venv: VecEnv) -> BatchStatistics:
        """What its searches found out about the decisions that `act_batch` chose last: read it before the step. Only a search (`"mcts:400"`, also
        with a network's policy) has statistics.

        >>> import playmat
        >>> game = playmat.Game("connect_four")
        >>> agent, venv = game.agent("mcts:50"), game.vec_env(8)
        >>> batch = venv.reset(seed=1)
        >>> actions = agent.act_batch(venv)
        >>> found = agent.statistics_batch(venv)
        >>> found.visits.shape, bool((found.visits.sum(1) == 50).all()), bool((found.visits.argmax(1) == actions).all())
        ((8, 7), True, True)

        Args:
            venv: A batch of environments of its game.

        Raises:
            InvalidArgument: The agent does not search, or the batch is of another game.
            OrderError: The batch was not reset yet, or a step is under way.
        """
    @overload
    def evaluate(
        self, env: Env, player: SupportsIndex | None = None
    ) -> tuple[NDArray[np.float32], float]:
        """The policy and the value of a network at the pending decision, or in a batch at all of them. Nothing is drawn or stepped.

        The policy has the temperature of the agent or, if that is 0, 1. The value is in the units of the game's rewards, of the kind that
        training used (`relative` and `win_bonus` included). Searches have `statistics`.

        Args:
            env: An `Env` or a `VecEnv` of its game.
            player: In an `Env` the player who must be acting. Without: the current player.

        Returns:
            `(policy, value)`: float32 `[A]`, 0 for illegal actions, and a float. In a batch float32 `[N, A]` and `[N]`, in the joint view
            `[N, P, A]` and `[N, P]`; rows without legal actions are 0.

        Raises:
            EpisodeOver, NotActing, InvalidPlayer: No player acts, or not this player.
            InvalidArgument: The agent is no network (`"policy.onnx"`), `env` is of another game, or `player` was given for a batch.
        """
    @overload
    def evaluate(self, env: VecEnv) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...
    @overload
    def act_batch(
        self, venv: VecEnv, out: None = None, mask: _Mask | Sequence[bool] | None = None
    ) -> NDArray[np.int64]:
        """The action that it chooses in every row of the mask: labels for imitation learning, independent of who plays, or actions for `step`.

        Ctrl-C ends searches as in `act`; then nothing was written.

        `venv.step(agent.act_batch(venv))` plays as `venv.rollout(agent, 1)` does; `"random"` gives what `sample_actions` gives.

        Args:
            venv: A batch of environments of its game.
            out: int64 array `[N]` (joint view `[N, P]`) to write into; otherwise a new one.
            mask: N truth values, the environments to choose in; None for all. In the others nothing is computed.

        Returns:
            The array written; 0 where no player acts, -1 in environments that `mask` leaves out.
        """
    @overload
    def act_batch(
        self, venv: VecEnv, out: _Given, mask: _Mask | Sequence[bool] | None = None
    ) -> _Given: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class SearchStatistics:
    """What a search found out about the decision that it chose last: what `Agent.statistics` returns. The arrays have one row for each of n
    legal actions.
    """
    @property
    def player(self) -> int:
        """The player who decided."""
    @property
    def action(self) -> int:
        """The action that was chosen: with temperature 0 the most visited one."""
    @property
    def simulations(self) -> int:
        """Simulations of this search, of all threads together; 0 where one action was legal, which is not searched."""
    @property
    def kept_visits(self) -> int:
        """Visits of this decision in the trees that were kept from earlier decisions of the episode. With `simulations` they are the sum of
        `visits`.
        """
    @property
    def nodes(self) -> int:
        """Nodes in all trees, those kept from earlier decisions included."""
    @property
    def value(self) -> float:
        """The player's mean return in all visits, 0 without visits: of the kind of the game's option `reward`, or with a network of that which
        its training used.
        """
    @property
    def actions(self) -> NDArray[np.int64]:
        """int64 `[n]` all legal actions, ascending."""
    @property
    def visits(self) -> NDArray[np.int64]:
        """int64 `[n]` simulations that chose the action."""
    @property
    def prior(self) -> NDArray[np.float32]:
        """float32 `[n]` its share in the priors, which sum to 1, with the noise of this search; the mean of all threads."""
    @property
    def mean_return(self) -> NDArray[np.float32]:
        """float32 `[n]` the player's mean return in its visits, 0 without visits."""

@final
class BatchStatistics:
    """What searches found out about the decisions of a batch that `Agent.act_batch` chose last: what `Agent.statistics_batch` returns. In the joint
    view the arrays have an axis of P players after the first. A row is 0 where the decision was not searched: no player acts there, one action
    is legal, or `mask` left it out.
    """
    @property
    def visits(self) -> NDArray[np.int32]:
        """int32 `[N, A]` simulations that chose the action, those of earlier searches of the episode that came through the decision included."""
    @property
    def mean_return(self) -> NDArray[np.float32]:
        """float32 `[N, A]` the player's mean return in them, 0 without visits."""
    @property
    def prior(self) -> NDArray[np.float32]:
        """float32 `[N, A]` the action's share in the priors, which sum to 1 over the legal actions, with the noise of the search."""
    @property
    def value(self) -> NDArray[np.float32]:
        """float32 `[N]` the player's mean return in all visits: of the kind of the game's option `reward`, or with a network of that which its
        training used.
        """
    @property
    def simulations(self) -> NDArray[np.int32]:
        """int32 `[N]` simulations of the last search, of all threads together; 0 where the decision was not searched."""

@final
class Leaves:
    """Positions that a network must evaluate, n of them: what `Search.collect` returns. P players, A actions, O observation bytes.

    `len(leaves)` is n, 0 when all searches are done.
    """
    @property
    def obs(self) -> Any:
        """`[n, O]` what the row's player sees."""
    @property
    def action_mask(self) -> Any:
        """bool `[n, A]` its legal actions. Where a leaf needs the values of other players too, their rows are all False; their logits are not
        read.
        """
    @property
    def player(self) -> Any:
        """int32 `[n]` the player."""
    @property
    def search(self) -> Any:
        """int32 `[n]` the row of the search that it belongs to."""
    @property
    def greedy(self) -> Any:
        """int64 `[n]` the action that the greedy agent would choose as the player, -1 where the player has no decision. None unless the searches
        were made with `greedy=True`. Where the greedy agent draws, it draws from the stream of the search.
        """
    def __len__(self) -> int: ...

@final
class Search:
    """Tree searches, one per row, whose network is evaluated in Python: AlphaZero with any library. Made by `Game.search`.

    `start` begins them. `collect` returns the positions that the network must evaluate, as one batch for all searches; `feed` takes logits
    and values. When `collect` returns no rows, `policy`, `values` and `actions` return the results.
    Calls from several threads wait for each other; threads which share a search must agree on who feeds what was collected.

    >>> import numpy as np, playmat
    >>> game = playmat.Game("connect_four")
    >>> venv = game.vec_env(64)
    >>> batch = venv.reset(seed=1)
    >>> search = game.search("mcts:16", rows=64)
    >>> search.start(venv)
    >>> while len(leaves := search.collect()):
    ...     n = len(leaves)
    ...     logits, values = np.zeros((n, 7), np.float32), np.zeros(n, np.float32)
    ...     search.feed(logits, values)
    >>> search.policy().shape
    (64, 7)
    >>> batch = venv.step(search.actions())
    """
    @property
    def game(self) -> Game:
        """The game that it searches."""
    @property
    def name(self) -> str:
        """Its spec."""
    @property
    def rows(self) -> int:
        """Number of searches."""
    @property
    def leaves(self) -> int:
        """Most leaves of one search that are under way at once."""
    @property
    def waiting(self) -> int:
        """Number of rows that were collected and not yet fed."""
    @overload
    def start(
        self,
        envs: VecEnv,
        players: None = None,
        *,
        keep: bool = True,
        mask: _Truths | None = None,
    ) -> None:
        """Begins a search in every row. The searches draw their seeds from the random streams of the environments, so they repeat with their
        seeds; nothing else of the environments changes. Whatever was under way ends without result.

        While another thread uses one of the environments, the call waits. After a tenth of a second it holds neither the search nor the other
        environments meanwhile.

        A search knows only what its player knows: it plays determinizations, as `"mcts"` does.

        Args:
            envs: A batch of environments with one row of its mask per search (joint view: N * P, in the order of the mask). Or one
                environment, or a list with one per search; None for no search. Where no player acts, there is no search.
            players: With environments: the searching players, one per search; None: the current player.
            keep: Whether a row keeps the tree of its player if it has searched the same episode before; its visits then count too.
            mask: With a batch: bool `[N]`, the environments to search; the others have no search. None: all.

        Raises:
            InvalidArgument, InvalidPlayer, NotActing, EpisodeOver: Another number of rows, an environment of another game, a player who
                does not act. Nothing was started.
        """
    @overload
    def start(
        self,
        envs: Env | Iterable[Env | None],
        players: Iterable[SupportsIndex | None] | None = None,
        *,
        keep: bool = True,
    ) -> None: ...
    def collect(
        self, n: SupportsIndex | None = None, out: Mapping[str, Any] | None = None
    ) -> Leaves:
        """Simulates until every search waits for the network, or is done, or there is no room for more leaves.

        What a search finds depends neither on `n` nor on the other searches.

        Args:
            n: Room for leaves, in rows; at least `leaves` times the rows of a leaf. Default: enough for all searches. A leaf is one row; or one
                row per player, where the value of one player does not tell that of the others: with three or more players, and where returns
                do not sum to zero.
            out: Arrays or tensors to write into: a mapping from some of `"obs"`, `"action_mask"`, `"player"`, `"search"`, and `"greedy"` with
                `greedy=True`, to arrays with n rows. The leaves are then their first rows; with `threads` in the spec, rows after them may be
                overwritten.

        Returns:
            The leaves. No rows when all searches are done.

        Raises:
            OrderError: Nothing was started, or the last leaves were not fed.
            InvalidArgument: `n` is too small; an array does not fit.
        """
    def feed(self, logits: Any, values: Any) -> None:
        """Takes what the network says about the leaves that were collected last.

        Args:
            logits: float32 `[n, A]`, an array or tensor in CPU memory (a tensor of a GPU needs `.cpu()`). Those of illegal actions are not read.
                Their softmax over the legal actions is the prior.
            values: float32 `[n]`, in CPU memory: the expected sum of the future rewards of the row's player, in the game's kind of reward.
                They are taken as they are: the exploration bonus is scaled by the range of all returns so far, so one value far outside of
                what the game pays makes the differences between all others small. Bound the network's values (`tanh` for `reward="outcome"`).

        Raises:
            OrderError: No leaves are waiting.
            InvalidArgument: Shape, type or layout; a number that is read is not within -1e28 to 1e28. Nothing was changed.
        """
    @overload
    def policy(self, out: None = None) -> NDArray[np.float32]:
        """The share of each action in the simulations: float32 `[rows, A]`, the target of a policy in AlphaZero. 1 for a single legal action, which is
        not searched; all 0 where there is no search.

        Args:
            out: float32 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
        """
    @overload
    def policy(self, out: _Given) -> _Given: ...
    @overload
    def visits(self, out: None = None) -> NDArray[np.int32]:
        """How many simulations chose each action: int32 `[rows, A]`, those of earlier searches of the episode that came through the position
        included; 0 where nothing was searched.

        Args:
            out: int32 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
        """
    @overload
    def visits(self, out: _Given) -> _Given: ...
    @overload
    def mean_returns(self, out: None = None) -> NDArray[np.float32]:
        """The mean return of the searching player in the simulations that chose each action: float32 `[rows, A]`; 0 for an action that none chose.

        Args:
            out: float32 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
        """
    @overload
    def mean_returns(self, out: _Given) -> _Given: ...
    @overload
    def priors(self, out: None = None) -> NDArray[np.float32]:
        """The prior of each action at the root, with Dirichlet noise: float32 `[rows, A]`; 1 for a single legal action, 0 for illegal ones and where
        there is no search.

        Args:
            out: float32 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
        """
    @overload
    def priors(self, out: _Given) -> _Given: ...
    @overload
    def values(self, out: None = None) -> NDArray[np.float32]:
        """The mean return of the searching player in the simulations: float32 `[rows]`; 0 where nothing was searched.

        Args:
            out: float32 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
        """
    @overload
    def values(self, out: _Given) -> _Given: ...
    @overload
    def actions(self, temperature: float | None = None, out: None = None) -> NDArray[np.int64]:
        """An action for every row: int64 `[rows]`; 0 where there is no search, which need not be legal: after `start(venv, mask=rows)` step with
        `np.where(rows, search.actions(), others)`. Before `collect` has returned no leaves, it follows from the simulations that have ended.

        Args:
            temperature: 0: the most visited action, of several the one with the highest mean return. Otherwise actions are drawn, in proportion to
                `visits ** (1 / temperature)`, from the search's own random stream; at most 100. None: that of the spec, 0 without,
                in each row as the spec's `temperature_drop` has it there.
            out: int64 array or tensor to write into; otherwise a new array.

        Raises:
            OrderError: Nothing was searched yet.
            InvalidArgument: A temperature that is not from 0 to 100; an array does not fit.
        """
    @overload
    def actions(self, temperature: float | None = None, *, out: _Given) -> _Given: ...
    @overload
    def actions(self, temperature: float | None, out: _Given) -> _Given: ...

@final
class States:
    """States of one game in one block of memory: thousands of positions without a Python object for each. Made by `VecEnv.states` and
    `Game.states`; `VecEnv.reset(states=...)` continues from them.

    An array never changes: every operation makes a new one. A state has the position and its random stream of chance, but no history. The
    streams of `sample_action` and of agents begin anew with its seed. `pickle` works; in a pickle each state is what `Env.to_bytes` gives.

    >>> import playmat
    >>> game = playmat.Game("leduc_poker")
    >>> venv = game.vec_env(64)
    >>> batch = venv.reset(seed=1)
    >>> now = venv.states()
    >>> samples = now.repeat(8).sample_hidden(seed=5)
    >>> sampled = game.vec_env(512)
    >>> batch = sampled.reset(states=samples)
    >>> len(samples[:8]), samples[0].current_player
    (8, 0)
    """
    @property
    def game(self) -> Game:
        """Their game."""
    @property
    def current_player(self) -> NDArray[np.int32]:
        """The current player of each state: int32 `[n]`; -1 where the episode is over."""
    @property
    def nbytes(self) -> int:
        """Bytes of all states in memory."""
    def search_keys(self) -> NDArray[np.uint64]:
        """Keys for the nodes of a search tree: uint64 [N], equal for states in which the same player must act and sees the same observation and legal
        actions, as in the engine's own search; 0 where the episode is over. A key is a hash of 64 bits, which may change with
        the version of playmat.

        >>> import playmat
        >>> game = playmat.Game("kuhn_poker")
        >>> samples = game.states(game.env(seed=7)).repeat(3).sample_hidden(seed=5)
        >>> len(set(samples.search_keys().tolist()))
        1
        """

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any], /) -> Env: ...
    @overload
    def __getitem__(
        self,
        index: slice | Sequence[int] | NDArray[np.integer[Any]] | NDArray[np.bool_] | _ForeignArray,
        /,
    ) -> States: ...
    def put(
        self,
        index: SupportsIndex
        | slice
        | Sequence[int]
        | NDArray[np.integer[Any]]
        | NDArray[np.bool_]
        | _ForeignArray,
        states: States,
    ) -> States:
        """These states with others at some places, as `numpy.put` does it, but as a new array: a search writes the children of its leaves among its
        nodes.

        Args:
            index: Places, as in `states[index]`: whole numbers, a slice, or one truth value per state.
            states: As many states of the same game. Of a place that comes twice the last one counts.

        Raises:
            IndexError: One number beyond the states.
            InvalidArgument: Other places that do not exist, another number of states, or states of another game.
        """
    def repeat(self, repeats: SupportsIndex) -> States:
        """Each state repeated this many times, as `numpy.repeat` does."""
    def clone(self, seed: _Seeds) -> States:
        """Copies for search, with chance from fresh random streams: what `Env.clone` gives for each state.

        Args:
            seed: A number, from which state i has `seed + i`; or one number per state.
        """
    def sample_hidden(
        self,
        player: SupportsIndex | Iterable[SupportsIndex] | None = None,
        *,
        seed: _Seeds,
    ) -> States:
        """Determinizations: what `Env.sample_hidden` gives for each state.

        Args:
            player: The player whose knowledge decides, or one per state; None: the current player of each.
            seed: A number, from which state i has `seed + i`; or one number per state. Seeds of two calls should lie at least `len(states)`
                apart: with equal seeds two samples for a player have equal chance.

        Returns:
            States. Their `game` is the same one, unless options are private: see `Env.sample_hidden`. Then all states need the same player.
        """
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __reduce__(self) -> tuple[Any, tuple[Game, list[bytes]]]: ...

@final
class Env:
    """One environment: an episode that is being played, with its generator and history.

    Made by `Game.env`, `Game.env_from_bytes` and `Game.env_from_json`. A refused call changes nothing. Calls from several threads take
    turns; a signal handler that uses it during a call of the same thread gets an `OrderError`. `copy.copy`, `copy.deepcopy` and
    `pickle` keep state, chance, seeds and history; `clone` gives a copy for search, with other future chance.

    >>> import playmat
    >>> env = playmat.Game("connect_four").env(seed=7)
    >>> env.current_player, env.legal_actions(), env.action_text(3)
    (0, [0, 1, 2, 3, 4, 5, 6], 'drop in D')
    >>> env.step(3)
    >>> env.current_player, env.observation().shape, int(env.action_mask().sum())
    (1, (126,), 7)
    >>> env.step(7)
    Traceback (most recent call last):
        ...
    playmat.errors.IllegalAction: illegal action 7 (actions are 0 to 6) for player 1; 7 legal, for example 0 ("drop in A")
    >>> agent = env.game.agent("greedy")
    >>> while not env.done:
    ...     env.step(agent.act(env))
    >>> env.terminated, float(env.returns.sum())
    (True, 0.0)
    """
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def done(self) -> bool:
        """Whether the episode is over: terminated or truncated."""
    @property
    def terminated(self) -> bool:
        """Whether the rules ended the episode."""
    @property
    def truncated(self) -> bool:
        """Whether a limit cut the episode off; never together with `terminated`."""
    @property
    def current_player(self) -> int:
        """The player who acts next in the turn view (of several, the lowest), 0-based; -1 when the episode is over."""
    @property
    def acting_players(self) -> list[int]:
        """All players who must decide now, ascending; empty when the episode is over."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """The reward of each player in the last step: float32 `[P]`."""
    @property
    def returns(self) -> NDArray[np.float32]:
        """The return of each player so far: float32 `[P]`."""
    @property
    def scores(self) -> NDArray[np.int32]:
        """Current scores in points of the game: int32 `[P]`."""
    @property
    def decisions(self) -> int:
        """Decisions of all players since the deal, those before a load included. After `sample_hidden` they count from 0: how many were
        made in truth can tell what others have chosen.
        """
    @property
    def history(self) -> list[tuple[int, int]]:
        """The decisions as `(player, action)`, since the deal or since the state that was loaded, sampled, or copied with chance of its
        own: `decisions - len(history)` were made before, and a saved state does not say which. Pickles and exact copies keep it.
        """
    @property
    def episode_seed(self) -> int:
        """Seed of the running episode: `game.env(seed)` with it replays the episode alone. A copy, a sample and a position loaded without
        a seed have one that was hashed from theirs, for their streams.
        """
    @property
    def seed(self) -> int:
        """The seed that this environment's stream of episodes began with, given or drawn: `game.env(env.seed)` plays the same episodes
        again, one `reset()` after the other. Of a loaded environment, the one of the environment that was saved.
        """
    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Starts an episode: that of `seed`, which begins a stream of episodes, or without one the next of this environment's own stream."""
    @overload
    def observation(
        self, player: SupportsIndex | None = None, out: None = None, *, dtype: _U8 | None = None
    ) -> NDArray[np.uint8]:
        """The observation of a player, as an array `[O]`. After truncation by `max_steps` it is still the position in which play would
        continue, with its open decisions, so that a value can be learned; the mask is all False.

        Args:
            player: The viewer, any player at any time. Default: the current player; after the end the player who acted last.
            out: uint8 or float32 array or tensor `[O]`, C-contiguous, to write into; otherwise a new array.
            dtype: Of a new array: `"u8"` or `"uint8"` (the engine's bytes), `"f32"` or `"float32"` (`(byte - bias) / scale`, in
                [-1, 1]); or numpy's own, such as `numpy.float32`.

        Returns:
            The array written.
        """
    @overload
    def observation(
        self, player: SupportsIndex | None = None, out: None = None, *, dtype: _F32
    ) -> NDArray[np.float32]: ...
    @overload
    def observation(self, player: SupportsIndex | None, out: _Given) -> _Given: ...
    @overload
    def observation(self, player: SupportsIndex | None = None, *, out: _Given) -> _Given: ...
    @overload
    def action_mask(
        self, player: SupportsIndex | None = None, out: None = None
    ) -> NDArray[np.bool_]:
        """The legal actions of a player as an array `[A]`: True where legal; all False for a player who does not act.

        Args:
            player: Default: the current player.
            out: bool, uint8 or int8 array or tensor `[A]`, C-contiguous, to write 0 and 1 into; otherwise a new bool array.

        Returns:
            The array written.
        """
    @overload
    def action_mask(self, player: SupportsIndex | None, out: _Given) -> _Given: ...
    @overload
    def action_mask(self, player: SupportsIndex | None = None, *, out: _Given) -> _Given: ...
    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """The legal actions of a player (default: the current player), ascending; empty for a player who does not act."""
    def step(
        self,
        action: SupportsIndex
        | Sequence[SupportsIndex | None]
        | NDArray[np.integer[Any]]
        | Mapping[int, SupportsIndex | None]
        | _ForeignArray,
        player: SupportsIndex | None = None,
    ) -> None:
        """Plays one decision and everything that follows from it up to the next.

        Args:
            action: The action of the current player (or of `player`); or one entry per player, list, tuple, array or tensor, or a
                mapping from player to action: a whole simultaneous turn at once. Entries of players who do not act are ignored and
                may be None.
            player: An acting player other than the current one: simultaneous choices may come in any order.

        Raises:
            IllegalAction, NotActing, InvalidPlayer, EpisodeOver: Nothing changed.
        """
    def step_into(self, action: SupportsIndex, observation: _Obs, mask: _Mask) -> bool:
        """`step`, then the observation and the mask of the next current player, in one call. `stepper` is faster, if the arrays stay the same.

        Args:
            action: The action of the current player.
            observation: uint8 or float32 array or tensor `[O]`, C-contiguous; after the end, the view of the player who acted last.
            mask: bool, uint8 or int8 array or tensor `[A]`, C-contiguous; all 0 after the end.

        Returns:
            Whether the episode is over.
        """
    def stepper(self, observation: _Obs, mask: _Mask) -> Stepper:
        """Checks two arrays, and makes a `Stepper`, whose `step(action)` writes the next observation and mask into them without checking them
        again: the fastest way to play one environment.

        Both arrays are filled at once: with the observation and mask of the current player, after the end with the view of the player who
        acted last and zeros.

        Args:
            observation: uint8 or float32 array or tensor `[O]`, C-contiguous.
            mask: bool, uint8 or int8 array or tensor `[A]`, C-contiguous. Numpy arrays are fast; tensors are checked in every step, because
                their memory can move. For a tensor of torch give `tensor.numpy()`, which is its memory as an array.

        Returns:
            The stepper.

        Raises:
            InvalidArgument: Another type, shape or layout, a read-only array, or two arrays that share memory.
        """
    def sample_action(self, player: SupportsIndex | None = None) -> int:
        """A legal action drawn uniformly from this environment's own stream, which play does not touch. `to_bytes` and `pickle` keep it,
        `to_json` does not.
        """
    def clone(self, seed: SupportsIndex | None = None, *, exact: bool = False) -> Env:
        """An independent copy for search: the same state, but chance from a fresh random stream, so that playing on a clone does not reveal
        the next card. Its history begins here. It still holds the hidden information of other players: see `sample_hidden`.

        Args:
            seed: The fresh stream is hashed from it and from the episode's seed: it is not that of `game.env(seed)`, of a load or of a
                sample with this seed. Without: from the number of copies made before in the episode, which `to_bytes`, `pickle` and exact
                copies keep, so that each has another one.
            exact: Copies everything, including future chance and history, as `copy.copy` does, and `clone` without a seed in C, C++ and
                C#: to save a position and return to it.
        """
    def sample_hidden(self, player: SupportsIndex, seed: SupportsIndex) -> Env:
        """A determinization: an environment in a state drawn from those consistent with everything that `player` knows, with chance from a
        random stream hashed from `seed`. Its history begins there.

        It depends only on what the player sees and on `seed`. Its `decisions` count from 0, and `max_steps` counts from there. It does not
        reveal who has chosen in a simultaneous turn: while `player` must act, exactly the deciding players with lower numbers have chosen in
        the sample; otherwise no other player has.

        Its `game` is the same one, unless options are private, like hidden deck lists: then it is a game with what the player knows of
        them, which loads the sample's saves and replays. A sample of a sample has another random stream than the sample itself, even
        with the same player and seed, so that a search that samples again does not see what the sample will draw.
        """
    def chance_outcomes(self, action: SupportsIndex) -> list[tuple[Env, float]]:
        """Every outcome of an action of the current player, with its probability: a list of `(Env, float)`. The environments are copies, as
        `clone` makes them, that have made the action; the probabilities sum to 1. An action without chance has one outcome.

        Raises:
            IllegalAction, EpisodeOver: As `step`.
            MissingFeature: The game does not list the outcomes of this action, because there are too many: chance is sampled.
        """
    def information_state_key(self, player: SupportsIndex | None = None) -> int:
        """The key of a player's information state: everything that the player has seen and chosen since the deal (perfect recall).

        Two histories have equal keys exactly if the player cannot tell them apart. The key is the same on every platform and in every version
        of the library with the same version of the game: it can index tables that are saved. A call replays what was played since the last call for the player.

        Exact copies, `clone`, `pickle` and replays from the deal keep it; `sample_hidden(player)` keeps the key of that player. For the
        other players of a sample, and in a loaded state for all, the information state begins anew, with what the player sees there.

        Args:
            player: Any player, also one who does not act. Default: the current player; after the end the player who acted last.

        Returns:
            A whole number below 2**128.

        Raises:
            InvalidPlayer: No such player.

        >>> import playmat
        >>> env = playmat.Game("kuhn_poker").env(seed=7)
        >>> key = env.information_state_key(0)
        >>> env.sample_hidden(0, seed=1).information_state_key(0) == key
        True
        >>> env.step(1)
        >>> env.information_state_key(0) == key
        False
        """
    def information_state(self, player: SupportsIndex | None = None) -> dict[str, Any]:
        """A player's information state as a dict: `game`, `version`, `content_hash`, `options`, `player`, `key` (text: `0x` and 32 digits),
        `start`, the first view (`status`, `to_act`, `state`), `seen`, a list of the player's own choices (`choice`, `text`) and of the
        events that the player saw, as in `events`, and `now`, the present view. The `changes` of an event lead from the state after the
        event before to the state after this one.

        Args:
            player: As in `information_state_key`.

        Raises:
            InvalidPlayer: No such player.
        """
    def _take_memories(self, of: Env, player: SupportsIndex) -> None: ...
    def action_text(self, action: SupportsIndex, player: SupportsIndex | None = None) -> str:
        """Text of an action in this position, redacted for `player` (default: the current player)."""
    def action_help(self, action: SupportsIndex, player: SupportsIndex | None = None) -> str:
        """What a legal action would do, as far as `player` (default: the current player) knows: the text of its card, whether
        it busts. Empty if the action's own text is enough, and for illegal actions.
        """
    def parse_action(self, text: str, player: SupportsIndex | None = None) -> int:
        """The action with this text, upper and lower case alike.

        Raises:
            UnknownAction: With examples of what would be understood.
        """
    def to_bytes(self) -> bytes:
        """State, generator, seeds and counters as bytes, for `Game.env_from_bytes`; in the last 84 bytes the streams of `sample_action` and
        of agents and the counts behind those of `clone` and `sample_hidden`, so that environments in equal positions have equal bytes
        before these. The history is not included: a loaded environment begins a new one. `pickle` and `replay` keep it.
        What agents keep, such as search trees, is not included either: a search begins with an empty tree.
        """
    def to_json(self, viewer: SupportsIndex | None = None) -> str:
        """The state as JSON text: complete, or with `viewer` what that player may see. Only the complete form can be loaded. The history
        is not in it, as with `to_bytes`, nor are the streams of `sample_action` and of agents.
        """
    def state_dict(self, viewer: SupportsIndex | None = None) -> dict[str, Any]:
        """The JSON of `to_json` as a dict."""
    def events(self, viewer: SupportsIndex | None = None) -> list[dict[str, Any]]:
        """What the last step changed, in order, complete or as `viewer` may see it: a list of dicts with `event`, its details,
        `text`, a sentence for players (an `update` has none; players are called `player 1`), and `changes`, a JSON patch (RFC 6902). All
        patches applied in order to `to_json(viewer)` before the step give it after it.

        After a reset, before the first step, these are the events of the deal, for a program that animates it. Their `changes` are
        empty, because there is no JSON before the deal: `to_json(viewer)` shows where they lead. A state that was loaded, sampled or
        copied with chance of its own has no events before its first step.
        """
    def validate(self) -> list[Problem]:
        """Problems of the state, as `playmat.errors.Problem`; empty for every state that play and loading reach."""
    def replay(self) -> Replay:
        """What was played as a replay: the `history` with texts, and what it began with: the seed of the deal, or the complete state
        that was loaded, sampled or copied with chance of its own.
        """
    @overload
    def render(
        self,
        mode: Literal["ansi", "svg"] = "ansi",
        viewer: SupportsIndex | None = None,
        *,
        width: SupportsIndex | None = None,
    ) -> str:
        """Draws the position, all open or redacted for `viewer`.

        Args:
            mode: `"ansi"` (text of at most 100 columns), `"svg"` (one document as text) or `"rgb_array"` (uint8 `[H, W, 3]`).
            viewer: A player, or None for everything.
            width: Of the `rgb_array` in pixels, without: the drawing's own; only with this mode.
        """
    @overload
    def render(
        self,
        mode: Literal["rgb_array"],
        viewer: SupportsIndex | None = None,
        *,
        width: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]: ...
    def __copy__(self) -> Env: ...
    def __deepcopy__(self, memo: object) -> Env: ...
    def __reduce__(self) -> tuple[Any, Any]: ...

@final
class Stepper:
    """Steps of an environment into two arrays that the caller reuses: the fastest way to play one environment. Made by `Env.stepper`.

    `step` and `reset` do what `env.step_into` and `env.reset` do, but the arrays are checked once. The environment stays usable beside the
    stepper: other changes to it reach the arrays only with the next `step`, `reset` or `write`. The stepper keeps the environment and both
    arrays alive. It cannot be pickled or copied, because a copy would write into the same arrays.

    Arrays that have become unusable are refused, as `env.step_into` refuses them: an array that was made read-only, and one with another
    type or shape. Make the array writable again to go on. After any other change, such as a resize and back, steps work, but are as slow as
    `step_into`: make a new stepper.

    >>> import numpy, playmat
    >>> env = playmat.Game("connect_four").env(seed=7)
    >>> observation, mask = numpy.zeros(126, numpy.uint8), numpy.zeros(7, bool)
    >>> stepper = env.stepper(observation, mask)
    >>> stepper.reset(seed=7)
    >>> while not stepper.step(int(mask.argmax())):
    ...     pass
    >>> env.decisions, env.terminated, int(mask.sum())
    (19, True, 0)
    """
    @property
    def env(self) -> Env:
        """The environment."""
    @property
    def observation(self) -> Any:
        """The array of observations, as it was given."""
    @property
    def mask(self) -> Any:
        """The array of action masks, as it was given."""
    def step(self, action: SupportsIndex, /) -> bool:
        """Plays one decision, and writes the observation and the mask of the next current player: `env.step_into`.

        Args:
            action: The action of the current player.

        Returns:
            Whether the episode is over: then the arrays hold the view of the player who acted last, and a mask that is all 0.

        Raises:
            IllegalAction, EpisodeOver, InvalidArgument: Nothing changed, nothing written.
        """
    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Starts an episode, and writes its first observation and mask.

        Args:
            seed: As in `env.reset`: of the episode; without, the next of the environment's own stream.

        Raises:
            InvalidArgument: Nothing changed, nothing written.
        """
    def write(self) -> None:
        """Writes the observation and the mask of the present position, for a program that has also changed the environment elsewhere.

        Raises:
            InvalidArgument: Nothing written.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Replay:
    """A recorded episode: game, options, where it began, its decisions. As JSON it is a readable file.

    Args:
        text: The JSON text of a replay, at most 16 MiB.

    Raises:
        Unreadable: Not a replay, with the path and line of what is wrong; a decision that is not legal where it stands or has another
            text; an end that is not the recorded one. The whole recording is played and compared here, once for all.
        WrongIdentity: Recorded by another version, content or generator.
        UnknownGame, InvalidOption, ContentError: Its game cannot be built here.

    >>> import playmat
    >>> env = playmat.Game("tic_tac_toe").env(seed=1)
    >>> for action in (4, 0, 8):
    ...     env.step(action)
    >>> replay = env.replay()
    >>> replay.decisions
    [(0, 4, 'mark B2'), (1, 0, 'mark A1'), (0, 8, 'mark C3')]
    >>> replay.env(1).legal_actions()
    [0, 1, 2, 3, 5, 6, 7, 8]
    >>> playmat.Replay(replay.to_json()) == replay
    True
    """
    def __new__(cls, text: str) -> Self: ...
    @staticmethod
    def load(path: str | os.PathLike[str]) -> Replay:
        """Reads a file written by `save`."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON text to a file."""
    def to_json(self) -> str:
        """The JSON text, one decision a line."""
    @property
    def game(self) -> Game:
        """The game, with the options of the recording."""
    @property
    def seed(self) -> int:
        """Seed of the episode. It dealt the first state unless there is a `start`."""
    @property
    def start(self) -> dict[str, Any] | None:
        """The complete state that the recording begins with, as a dict, for what was loaded, sampled or copied with chance of its own;
        None if it begins with the deal of the seed.
        """
    @property
    def decisions(self) -> list[tuple[int, int, str]]:
        """The decisions since then, as `(player, action, text)`."""
    @property
    def result(self) -> dict[str, Any]:
        """How it stood when it was recorded: a dict with `status`, `returns`, `scores`."""
    def __len__(self) -> int: ...
    def env(self, decisions: SupportsIndex | None = None) -> Env:
        """The environment after the first `decisions` decisions (without: after all; negative: from the end). Playing on from there is
        another episode; with the recorded actions it is the recorded episode.

        Raises:
            InvalidArgument: There are fewer decisions.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Batch:
    """The results of a step or reset of N environments: one row each. P players, A actions, O observation bytes.

    Every field is an array over memory that belongs to the environment and is **overwritten by its next step or reset**: copy what
    you want to keep, or pass your own arrays with `out=`. Arrays stay readable after the environment is freed. In the joint view `obs`,
    `action_mask`, `final_obs` and `final_mask` have one row per environment and player (`[N, P, ..]`). Fields that
    `VecEnv` was not created with are None.

    When an episode ends, `terminated` or `truncated` is set in its row. With `autoreset="same_step"` the same step starts the next episode,
    so `obs`, `action_mask` and `player` belong to the next episode, and `final_*`, `episode_return` and `episode_length` describe the one that ended.
    These fields are meaningful only in such rows; other rows keep their old values.

    >>> import playmat
    >>> venv = playmat.Game("tic_tac_toe").vec_env(2)
    >>> first = venv.reset(seed=1).copy()
    >>> batch = venv.step([4, 0])
    >>> first.player.tolist(), batch.player.tolist(), batch["action_mask"].sum(axis=1).tolist()
    ([0, 0], [1, 1], [8, 8])
    """
    @property
    def obs(self) -> NDArray[Any]:
        """uint8 (or float32) `[N, O]`: the observation of the acting player."""
    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool `[N, A]`: the legal actions of the acting player; all False where the episode is over."""
    @property
    def player(self) -> NDArray[np.int32]:
        """int32 `[N]`: the acting player, -1 where the episode is over. In the joint view the lowest acting player."""
    @property
    def acting(self) -> NDArray[np.bool_]:
        """bool `[N, P]`: the players that the caller must act for now."""
    @property
    def reward(self) -> NDArray[np.float32]:
        """float32 `[N, P]`: the reward of each player since the last step."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """bool `[N]`: the rules ended the episode in this step."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """bool `[N]`: a limit truncated the episode in this step; never together with `terminated`."""
    @property
    def final_obs(self) -> NDArray[Any]:
        """uint8 (or float32) `[N, O]`, where ended: the last observation of `final_player`. Where truncated, the position in which play
        would continue: bootstrap from its value.
        """
    @property
    def final_obs_all(self) -> NDArray[Any]:
        """uint8 (or float32) `[N, P, O]`, where ended: the last observation of every player. Only on request (`fields`)."""
    @property
    def final_player(self) -> NDArray[np.int32]:
        """int32 `[N]`, where ended: the player of `final_obs` and `final_mask`. Where `max_steps` truncated the episode, the player
        that the caller would decide for next, of several the lowest; elsewhere, or if opponents would decide next, the player of the
        caller's last decision. In the single-player view always the learner.
        """
    @property
    def final_mask(self) -> NDArray[np.bool_]:
        """bool `[N, A]`, where ended: the legal actions of `final_player` where `max_steps` truncated the episode; all False elsewhere, and
        where opponents would decide next. In the joint view the same for each player that the caller would decide for.
        """
    @property
    def final_acting(self) -> NDArray[np.bool_]:
        """bool `[N, P]`, where ended: the players, opponents included, who would have to decide next where `max_steps` truncated the episode;
        all False elsewhere.
        """
    @property
    def episode_return(self) -> NDArray[np.float32]:
        """float32 `[N, P]`, where ended: sum of the episode's rewards."""
    @property
    def episode_length(self) -> NDArray[np.int32]:
        """int32 `[N]`, where ended: decisions of all players in the episode."""
    @property
    def episode_seed(self) -> NDArray[np.uint64]:
        """uint64 `[N]`: seed of the running episode; `game.env(seed)` replays it alone."""
    @property
    def final_seed(self) -> NDArray[np.uint64]:
        """uint64 `[N]`, where ended: seed of the episode that ended."""
    @property
    def opponent(self) -> NDArray[np.int32]:
        """int32 `[N, P]`: index of the opponent that plays this player in the running episode, -1 for the caller."""
    @property
    def final_opponent(self) -> NDArray[np.int32]:
        """int32 `[N, P]`, where ended: `opponent` of the episode that ended."""
    @property
    def learner(self) -> NDArray[np.int32]:
        """int32 `[N]`: the only player that the caller plays in the running episode, -1 if it plays several. In the single-player
        view, elsewhere on request (`fields`).
        """
    @property
    def learner_reward(self) -> NDArray[np.float32]:
        """float32 `[N]`: what the learner earned since the last step; in a step that ended an episode, the learner of the episode that
        ended, `final_player`. 0 where the caller plays several players. In the single-player view, elsewhere on request (`fields`).
        """
    def keys(self) -> list[str]:
        """Names of the fields in the batch."""
    def copy(self) -> Batch:
        """A batch with copies of the arrays."""
    def __getitem__(self, name: str, /) -> NDArray[Any]: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class VecEnv:
    """N episodes of one game, stepped together by a pool of threads, with the interpreter's lock released. Made by `Game.vec_env`.

    Results are written into arrays that are allocated once, or into the caller's (`out=`). A step is a transaction: a refused step
    leaves the whole batch and all arrays unchanged. Results do not depend on the number of threads. Calls from several threads
    wait for each other; a signal handler that uses it during a call of the same thread gets an `OrderError`. Works after `os.fork`, and with
    `pickle` and as a context manager.

    >>> import playmat
    >>> venv = playmat.Game("leduc_poker").vec_env(64, threads=2)
    >>> batch = venv.reset(seed=1)
    >>> batch.obs.shape, batch.action_mask.shape, batch.reward.shape
    ((64, 30), (64, 3), (64, 2))
    >>> ended = 0
    >>> for _ in range(100):
    ...     batch = venv.step(venv.sample_actions())
    ...     ended += int(batch.terminated.sum())
    >>> ended > 1000
    True
    >>> venv.close()
    """
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def num_envs(self) -> int:
        """Number of environments, N."""
    @property
    def threads(self) -> int:
        """Number of threads that step, the caller's included."""
    @property
    def view(self) -> Literal["turn", "joint", "single"]:
        """What the caller sees and decides: `"turn"`, `"joint"` or `"single"`."""
    @property
    def autoreset(self) -> _Autoreset:
        """What happens after an episode's end: `"same_step"`, `"next_step"` or `"disabled"`."""
    @property
    def dtype(self) -> Literal["u8", "f32"]:
        """Element type of observations: `"u8"` or `"f32"`."""
    @property
    def seed(self) -> int | None:
        """The number that the streams of episodes began with: that of the last `reset` with one number, or the one that the first `reset`
        without any drew. `reset(seed=venv.seed)` plays the same episodes again. None before, and after a reset from a list of seeds or
        from states and after `load_bytes`, where there is no such number; `batch.episode_seed` says each episode's own at any time.
        """
    @property
    def batch(self) -> Batch:
        """The batch that steps and resets without `out` write and return, always the same object."""
    @property
    def nbytes(self) -> int:
        """Bytes of memory that the environments take: what the engine keeps for each (`env_bytes` of `Game.info`; in the joint view more), and
        the arrays that this environment has allocated for its outputs, those of `fields`. After `close` only the arrays. Not counted:
        arrays that are passed as `out`, what agents remember of an episode, networks, and some KiB for each thread.
        """
    @property
    def pending(self) -> bool:
        """Whether an asynchronous step is under way."""
    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
    def reset(
        self,
        seed: _Seeds | None = None,
        *,
        states: States | Sequence[Buffer | Env | None] | None = None,
        mask: _Mask | Sequence[bool] | None = None,
        out: _Out | None = None,
    ) -> Batch:
        """Starts new episodes.

        Args:
            seed: One number: environment i starts its own stream of episodes, hashed from it and i. A list or array of N numbers: the
                seeds of the very next episodes; what comes after them, and `sample_actions`, is hashed from the environment's own
                number and i, so that environments with equal seeds play equal first episodes only. None: the next episode of each
                environment's own stream; in the first reset of all, streams of a number that the operating system draws (`seed` says it).
            states: Instead of seeds, N saved states (`States`, or bytes of `Env.to_bytes` and `Env` objects) to continue from. Their episodes
                continue with the saved random stream of chance: a state draws here what its own episode will draw, so pass states of `Env.clone` or
                `Env.sample_hidden` for search, which must not look ahead. Opponents, `sample_actions` and later episodes get streams of
                their own, hashed with i as well, so that equal states continue differently.
            mask: N truth values, which environments to reset; None for all. Lists still have N entries.
            out: As in `step`.

        Returns:
            The batch; environments that were not reset are shown as they stand, with reward 0.
        """
    def step(self, actions: _Actions, out: _Out | None = None) -> Batch:
        """Plays one step of every environment.

        Args:
            actions: Array or tensor (any integer dtype, C-contiguous) or list, `[N]`; in the joint view `[N, P]`. Entries of
                environments that are over (`next_step`) and of players who do not act are ignored.
            out: Mapping from names of `Batch` fields to C-contiguous, writable arrays or tensors of the same shape and dtype (bool
                fields also uint8 or int8), which are written instead of the environment's own. They may not overlap.

        Tensors of other libraries (DLPack) and objects with the buffer protocol are read and written in place, here and in every other
        argument that takes an array. Tensors of an accelerator need `.cpu()`.

        Returns:
            The batch: the environment's own, whose arrays the next step or reset overwrites, or with `out` one that shows the given
            arrays. Copy what must last, or collect it through `out`.

        Raises:
            IllegalAction: `rows` lists environments, players and actions. Nothing was stepped, no array written.
            EpisodeOver: With `autoreset="disabled"`, rows are over and must be reset.
            InvalidArgument: Wrong shape, dtype, layout, overlap, read-only.
            OrderError: Nothing was reset yet, a step is under way, or the environment is closed.
        """
    @overload
    def sample_actions(self, out: None = None) -> NDArray[np.int64]:
        """Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where no player acts.

        Args:
            out: int64 array `[N]` (joint view `[N, P]`) to write into; otherwise one of two own arrays, in turns, so that the actions
                of one step stay readable until the step after the next.

        Returns:
            The array written.
        """
    @overload
    def sample_actions(self, out: _Given) -> _Given: ...
    def step_async(self, actions: _Actions, out: _Out | None = None) -> None:
        """Starts a step that runs in the background, for any `threads`; `step_wait` returns its batch.

        The step runs on a thread of its own, which the first call starts and `close` ends. Handing a step over and back costs more than
        stepping a few small environments: use it for large batches, or where the caller does slow work meanwhile. Arguments and errors as
        in `step`, but an illegal action is reported by `step_wait`. The arrays must not be touched in between.
        """
    def step_wait(self) -> Batch:
        """Waits for the step that `step_async` started.

        Returns:
            The batch, as `step` would.

        Raises:
            OrderError: No step was started. All errors of the step.
        """
    def rollout(
        self, agent: Agent | _Spec | _Function, steps: SupportsIndex, out: _Out | None = None
    ) -> Batch:
        """Plays `steps` steps with an agent for all players that the caller would play, without Python in between.

        `"random"` takes the same actions as `step(sample_actions())` would.

        Args:
            agent: The agent, its spec, or a function (see `Game.agent`).
            steps: T, 1 or more.
            out: Mapping from names to arrays to fill, any of: `obs` `[T, N, O]`, `action_mask` `[T, N, A]`, `player` `[T, N]` (all
                three before the action), `action` int64 `[T, N]`, `reward` `[T, N, P]`, `terminated` `[T, N]`, `truncated` `[T, N]`;
                in the joint view `obs`, `action_mask` and `action` have an axis P after N. See `rollout_arrays`.

        Returns:
            The batch after the last step. Ctrl-C ends it between steps with KeyboardInterrupt; what was played stays played. If a function
            fails that is the agent or an opponent, its exception is raised, and the environments are as before the call; `out` has steps
            that were taken back. With such functions Ctrl-C ends the call, in the same way, when one of them is called next.
        """
    def rollout_arrays(
        self, steps: SupportsIndex, fields: Sequence[str] | None = None
    ) -> dict[str, NDArray[Any]]:
        """New arrays for `rollout`, as a dict by name: all fields, or those named.

        Each begins at a multiple of 64 bytes, where jax shares its memory (DLPack).
        """
    @overload
    def observe(self, player: SupportsIndex, out: None = None) -> NDArray[Any]:
        """What one player knows in every environment, acting or not: `[N, O]`."""
    @overload
    def observe(self, player: SupportsIndex, out: _Given) -> _Given: ...
    @overload
    def observe_all(self, out: None = None) -> NDArray[Any]:
        """What all players know in every environment: `[N, P, O]`."""
    @overload
    def observe_all(self, out: _Given) -> _Given: ...
    def state(self, env: SupportsIndex) -> Env:
        """Environment `env` as a single one: the same state, chance and seeds. Independent of this one. A batch keeps no history, so history,
        replay and information states begin here.
        """
    def states(self) -> States:
        """The states of all environments, as an array that is independent of this batch. Information states begin there."""
    def episode(self, env: SupportsIndex) -> dict[str, Any]:
        """Where the running episode of environment `env` stands: a dict with `seed`, `length`, `over`, `opponents`."""
    def add_opponent(self, agent: Agent | _Spec | _Function, weight: float = 1.0) -> int:
        """Adds an agent, that of a spec, or a function, to the pool of opponents; returns its index. It is drawn from the next episodes on."""
    def set_weights(self, weights: Sequence[float]) -> None:
        """Sets the weights of all opponents for the next episodes: finite, not negative, not all 0."""
    def results(self) -> dict[str, Any]:
        """Results of the episodes that ended since the last `reset_results`, in which opponents play: a dict with `episodes`, `wins`,
        `draws`, `losses`, `truncated`, `return_sum` and `opponents`, a list of dicts with `name`, `weight` and the same counts of the
        episodes in which that opponent played, in the order of the pool: two opponents with one spec have one name.

        Each episode counts once in the total, and once with each of its opponents, of which there can be several: their counts can
        add up to more than the total. Episodes that ended before the learner decided are among them. Where the caller plays several
        players, the best result among them counts, and the mean of their returns. The single-player view of a game for one counts its
        episodes too, without opponents: as draws, because one player neither wins nor loses against others.

        Raises:
            InvalidArgument: Nothing is counted, because no opponents play in this batch: make it with `opponents` or `roles`, or read
                `episode_return` of the rows in which an episode ended.
        """
    def reset_results(self) -> None:
        """Empties the table of results."""
    def to_bytes(self) -> bytes:
        """Everything about all environments (states, streams, episodes, `results`) as bytes, for `load_bytes`. The configuration, the
        weights of opponents, the outputs of the last step and what agents keep, such as search trees, are not included.
        """
    def load_bytes(self, data: Buffer) -> Batch:
        """Continues from `to_bytes` of an environment with the same game, configuration and opponents.

        Returns:
            The current batch, with reward 0 and no ended rows: `final_*`, `episode_return` and `episode_length` are meaningless in all
            rows and keep their old values (zeros after `pickle`).
        """
    def close(self) -> None:
        """Ends the threads and frees the environments; closing twice is fine. Arrays stay readable."""
    def _loop(self, steps: SupportsIndex) -> None: ...
    def __len__(self) -> int: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def __reduce__(self) -> tuple[Any, Any]: ...
