"""playmat's games as Python games of OpenSpiel. docs/openspiel.md describes the conventions.

Importing this module registers them: ``playmat_graft``, ``playmat_leduc_poker``, and so on.

>>> import pyspiel
>>> import playmat.openspiel
>>> game = pyspiel.load_game("playmat_graft(players=4)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), state.chance_outcomes()
(True, [(0, 1.0)])
>>> state.apply_action(0)
>>> state.legal_actions() == state.env.legal_actions(0)
True
"""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.errors import invalid
from playmat.extras import need

need(what="`playmat.openspiel`", extra="openspiel")

import pyspiel  # noqa: E402

from playmat.openspiel_bot import PlaymatBot, bot  # noqa: E402

__all__ = ["PlaymatBot", "PlaymatGame", "PlaymatObserver", "PlaymatState", "bot", "register"]

_Parameter: TypeAlias = int | bool | str
_Type: TypeAlias = Any
PREFIX = "playmat_"

#: W winners of at most 8 players get fractions with denominators W * (P - 1) or W and P - W.
_OUTCOMES = math.lcm(*range(1, 8)) ** 2

#: The most outcomes that the parameter `chance_outcomes` allows: OpenSpiel asks for all of them at
#: every chance node.
_MOST_OUTCOMES = 100_000

#: The end of the message for an illegal action where chance is sampled.
_SAMPLED = (
    "Chance is sampled here, so a position that is reached again has other legal actions; a search "
    "that keeps them in a tree needs listed chance: the parameter chance_outcomes=16 of the game"
)

_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)


#: Text that OpenSpiel reads as text.
_WORD = re.compile(r"(?!(?i:true|false|nan|inf|infinity)$)[A-Za-z_][\w-]*")
#: Kinds of options whose values have one type, which is not text.
_PLAIN = frozenset({"int", "bool"})


def _parameter(value: object) -> _Parameter:
    """An option's value as a parameter that OpenSpiel writes into names and reads again."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    return _text(value)


def _text(value: object) -> str:
    """A value as text that OpenSpiel does not take for a number, a bool or several parameters."""
    return "json:" + quote(json.dumps(value, separators=(",", ":")), safe="")


def _parameter_of(as_text: bool, value: object) -> _Parameter:
    """A value in the type of its parameter: text, where the option takes more than one type."""
    return _text(value) if as_text and not isinstance(value, str) else _parameter(value)


def _option(game: str, name: str, value: _Parameter) -> object:
    """The option's value that a parameter stands for."""
    if not isinstance(value, str) or not value.startswith("json:"):
        return value
    try:
        return json.loads(unquote(value.removeprefix("json:")))
    except ValueError as problem:
        reason = f"got {value!r}; wanted `json:` and a JSON value: {problem}"
        raise _invalid(game, name, reason) from None


def _invalid(game: str, name: str, reason: str) -> playmat.InvalidOption:
    """The exception that names a parameter and what is allowed."""
    error = playmat.InvalidOption(f"option `{name}`: {reason}")
    error.game, error.option, error.reason = game, name, reason
    return error


@lru_cache(maxsize=64)
def _specification(name: str) -> dict[str, _Parameter]:
    """The parameters of a game with their defaults."""
    game = playmat.Game(name)
    info = game.info()
    texts = {one["name"] for one in info["option_specs"] if one["kind"] not in _PLAIN}
    parameters = {
        option: _parameter_of(option in texts, value) for option, value in game.options.items()
    }
    # Without joint actions a player of a simultaneous turn may decide again before the others have
    # chosen, which OpenSpiel's simultaneous nodes cannot show.
    if info["joint_actions"]:
        parameters["turn_based"] = False
    if info["chance"]:
        parameters["rng_seed"] = -1
        parameters["chance_outcomes"] = 0
    return parameters


def _mixed(stream: int, number: int) -> int:
    """The next number of a stream, which depends on everything mixed into it: splitmix64."""
    mixed = (stream + 0x9E3779B97F4A7C15 * (number + 1)) % 2**64
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
    return mixed ^ mixed >> 31


class _Rules:
    """A configured game and how OpenSpiel sees it."""

    def __init__(self, name: str, given: Mapping[str, _Parameter]) -> None:
        specification = _specification(name)
        values = {**specification, **given}
        own = ("turn_based", "rng_seed", "chance_outcomes")
        options = {key: _option(name, key, values[key]) for key in values if key not in own}
        self.game = game = playmat.Game(name, **options)
        info = game.info()
        #: The parameters that are not defaults: they are in the name of the game.
        self.parameters = {
            key: value
            if key in own
            else _parameter_of(isinstance(specification[key], str), options[key])
            for key, value in values.items()
            if value != specification[key]
        }
        self.name = name
        self.num_players = game.num_players
        self.turn_based = bool(values.get("turn_based", True))
        seed = int(values.get("rng_seed", -1))
        if seed < -1:
            reason = f"got {seed}; allowed: -1 for a random one, or 0 and above"
            raise _invalid(name, "rng_seed", reason)
        self._random = random.Random(seed) if seed >= 0 else random.SystemRandom()
        self.chance = bool(info["chance"])
        self.deals: list[playmat.Env] = []
        self.probabilities: list[float] = []
        if info["lists_chance"] or not self.chance:
            listed = game.chance_outcomes()
            self.deals = [env for env, _ in listed]
            self.probabilities = [probability for _, probability in listed]
        #: Outcomes of each chance node, drawn once for all; 0 where chance is listed or sampled.
        self.outcomes = int(values.get("chance_outcomes", 0))
        if not 0 <= self.outcomes <= _MOST_OUTCOMES:
            allowed = f"0 to sample chance, or up to {_MOST_OUTCOMES}"
            raise _invalid(name, "chance_outcomes", f"got {self.outcomes}; allowed: {allowed}")
        if self.outcomes and (self.deals or not self.chance):
            why = "lists all its chance" if self.chance else "has no chance"
            reason = f"got {self.outcomes}; allowed: 0, because this game {why}"
            raise _invalid(name, "chance_outcomes", reason)
        outcome = game.reward == "outcome"
        self._scale = _OUTCOMES if outcome else info["score_divisor"]
        self.zero_sum = game.num_players > 1 and (outcome or info["score_zero_sum"])
        self.info = info
        self.start = (
            _Position(self, None, stream=max(seed, 0))
            if self.chance
            else _Position(self, copy.copy(self.deals[0]))
        )

    @property
    def sampled(self) -> bool:
        """Whether chance nodes have one outcome, which draws when it is applied."""
        return self.chance and not self.deals and not self.outcomes

    def draw(self) -> int:
        """A seed for chance that is sampled."""
        return self._random.getrandbits(64)

    def returns(self, env: playmat.Env | None) -> list[float]:
        """The returns so far: the fractions that the engine rounds to float32, as doubles."""
        if env is None:
            return [0.0] * self.num_players
        return [round(value * self._scale) / self._scale for value in env.returns.tolist()]

    def __deepcopy__(self, memo: object) -> _Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules, (self.name, tuple(self.parameters.items()))


@lru_cache(maxsize=64)
def _rules(name: str, parameters: tuple[tuple[str, _Parameter], ...]) -> _Rules:
    return _Rules(name, dict(parameters))


_NOTHING: Mapping[int, int] = {}


class _Position:
    """Where an episode is. It never changes, so that copies of a state share it.

    `env` is the engine's environment, None before the deal. `actions`, by player, were chosen there
    and wait for chance; without any, a player must decide, or the episode is over. With
    `chance_outcomes`, `stream` follows from everything so far, and chance from `stream`.
    """

    __slots__ = ("_listed", "actions", "before", "env", "keys", "player", "rules", "stream")

    def __init__(
        self,
        rules: _Rules,
        env: playmat.Env | None,
        actions: Mapping[int, int] = _NOTHING,
        before: playmat.Env | None = None,
        stream: int = 0,
    ) -> None:
        self.rules, self.env, self.actions, self.before = rules, env, actions, before
        self.stream = stream
        self.keys: dict[int, str] = {}
        self._listed: list[tuple[playmat.Env, float]] | None = None
        if env is None or actions:
            self.player = _CHANCE
        elif env.done:
            self.player = _TERMINAL
        elif not rules.turn_based and len(env.acting_players) > 1:
            self.player = _SIMULTANEOUS
        else:
            self.player = env.current_player

    def played(self, actions: Mapping[int, int]) -> _Position:
        """After actions of the current player and of those who act at the same time."""
        rules, env, stream = self.rules, self.decision(), self.stream
        if rules.outcomes:
            for action in actions.values():
                stream = _mixed(stream, action)
        listed: list[tuple[playmat.Env, float]] = []
        if rules.chance:
            try:
                listed = _outcomes(env, actions)
            except playmat.MissingFeature:
                return _Position(rules, env, actions, stream=stream)
        if len(listed) > 1:
            position = _Position(rules, env, actions, stream=stream)
            if rules.deals:
                position._listed = listed
            return position
        # Nothing is drawn. An exact copy keeps the history from the deal on.
        return _Position(rules, _step(copy.copy(env), actions), before=env, stream=stream)

    def chances(self) -> list[float]:
        """The probabilities of the outcomes of chance; one outcome if it is sampled."""
        count = self.rules.outcomes or 1
        if self.env is None:
            return self.rules.probabilities or [1 / count] * count
        return [probability for _, probability in self._outcomes()] or [1 / count] * count

    def drawn(self, outcome: int) -> _Position:
        """After chance."""
        rules = self.rules
        count = len(self.chances())
        if not 0 <= outcome < count:
            raise invalid("action", f"got {outcome}; outcomes of chance are 0 to {count - 1}")
        if self.env is None and rules.deals:
            return _Position(rules, rules.deals[outcome])
        listed = [] if self.env is None else self._outcomes()
        if listed:
            return _Position(rules, listed[outcome][0], before=self.env)
        stream = _mixed(self.stream, outcome)
        seed = stream if rules.outcomes else rules.draw()
        if self.env is None:
            return _Position(rules, rules.game.env(seed), stream=stream)
        env = _step(self.env.clone(seed), self.actions)
        return _Position(rules, env, before=self.env, stream=stream)

    def key(self, player: int) -> str:
        """The key of a player's information state; empty before the deal."""
        if self.env is None:
            return ""
        if player not in self.keys:
            self.keys[player] = f"{self.env.information_state_key(player):032x}"
        return self.keys[player]

    def decision(self) -> playmat.Env:
        """The environment, if nothing waits for chance."""
        if self.env is None or self.actions:
            raise playmat.OrderError("a chance node: apply one of chance_outcomes() first")
        return self.env

    def _outcomes(self) -> list[tuple[playmat.Env, float]]:
        """Listed outcomes of the actions that wait; none if chance is sampled, as in every game
        whose deals are not listed.
        """
        if self._listed is None:
            assert self.env is not None
            self._listed = _outcomes(self.env, self.actions) if self.rules.deals else []
        return self._listed

    def __deepcopy__(self, memo: object) -> _Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Position, (self.rules, self.env, self.actions, self.before, self.stream)


def _step(env: playmat.Env, actions: Mapping[int, int]) -> playmat.Env:
    for _ in actions:
        env.step(actions[env.current_player])
    return env


def _outcomes(env: playmat.Env, actions: Mapping[int, int]) -> list[tuple[playmat.Env, float]]:
    """The position after actions of players who act, one after the other in the engine's order."""
    found = [(env, 1.0)]
    for _ in actions:
        found = [
            (after, chance * probability)
            for before, chance in found
            for after, probability in before.chance_outcomes(actions[before.current_player])
        ]
    return found


class PlaymatState(pyspiel.State):
    """A position of a playmat game. Make it with ``game.new_initial_state()``.

    All methods are those of ``pyspiel.State``. Rewards and returns are doubles: the fractions that
    the engine rounds to float32.
    """

    def __init__(self, game: PlaymatGame) -> None:
        super().__init__(game)
        self._position: _Position = game._rules.start

    @property
    def env(self) -> playmat.Env | None:
        """A copy of the engine's environment; None before the deal.

        At a chance node it is the environment before the actions that wait for chance.
        """
        return copy.copy(self._position.env)

    def current_player(self) -> int:
        """Who must decide: a player, or ``pyspiel.PlayerId.CHANCE``, ``SIMULTANEOUS``,
        ``TERMINAL``.
        """
        return self._position.player

    def is_terminal(self) -> bool:
        """Whether the episode has ended, by the rules or by ``max_steps``."""
        return self._position.player == _TERMINAL

    # OpenSpiel's own versions of the next four call Python several times for one answer.

    def is_chance_node(self) -> bool:
        """Whether chance must be drawn."""
        return self._position.player == _CHANCE

    def is_player_node(self) -> bool:
        """Whether one player must decide."""
        return self._position.player >= 0

    def is_simultaneous_node(self) -> bool:
        """Whether several players choose together."""
        return self._position.player == _SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Legal actions of a player, ascending; without one, of the current player or of chance."""
        current = self._position.player
        if current >= 0 and (player is None or player == current):
            return self._legal_actions(current)
        actions: list[int] = super().legal_actions(current if player is None else player)
        return actions

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.decision().legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes with their probabilities; ``[(0, 1.0)]`` where chance is sampled.

        With the parameter ``chance_outcomes`` chance is not sampled: there are as many
        outcomes of equal probability, which follow from ``rng_seed`` and the history.
        """
        return list(enumerate(self._position.chances()))

    def _apply_action(self, action: int) -> None:
        position = self._position
        if position.player == _SIMULTANEOUS:
            raise playmat.OrderError(
                "apply_action() where players choose together: apply_actions()"
            )
        if position.player == _CHANCE:
            self._position = position.drawn(action)
        else:
            try:
                self._position = position.played({position.decision().current_player: action})
            except playmat.IllegalAction as error:
                if position.rules.sampled:
                    # MCTSBot: its tree has the legal actions of the draw that it met first.
                    error.args = (f"{error}. {_SAMPLED}",)
                raise

    def _apply_actions(self, actions: Sequence[int]) -> None:
        position = self._position
        if position.player != _SIMULTANEOUS:
            raise playmat.OrderError(
                "apply_actions() where nobody chooses together: apply_action()"
            )
        if len(actions) != position.rules.num_players:
            wanted = f"{position.rules.num_players}, one per player"
            raise invalid("actions", f"got {len(actions)} actions; wanted {wanted}")
        acting = position.decision().acting_players
        self._position = position.played({player: actions[player] for player in acting})

    def _action_to_string(self, player: int, action: int) -> str:
        env = self._position.env
        if player == _CHANCE:
            return f"{'deal' if env is None else 'outcome'} {action}"
        if env is not None and player in env.acting_players:
            return env.action_text(action, player)
        return self._position.rules.game.action_text(action)

    def returns(self) -> list[float]:
        """The return of each player so far."""
        return self._position.rules.returns(self._position.env)

    def rewards(self) -> list[float]:
        """The reward of each player for the last decision and the chance after it."""
        position = self._position
        if position.player == _CHANCE or position.before is None:
            return [0.0] * position.rules.num_players
        before = position.rules.returns(position.before)
        return [now - then for now, then in zip(self.returns(), before, strict=True)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> PlaymatState:
        """A state drawn from those consistent with everything that a player knows.

        Its ``history()`` begins there. Chance after it is independent of the real episode's.

        Args:
            player: The player.
            sampler: Returns numbers from 0 to below 1.

        Raises:
            playmat.OrderError: Chance must be drawn first.
        """
        position = self._position
        state: PlaymatState = self.get_game().new_initial_state()
        number = int(sampler() * 2**53)
        sample = position.decision().sample_hidden(player, number)
        state._position = _Position(position.rules, sample, stream=_mixed(position.stream, number))
        return state

    def __str__(self) -> str:
        position = self._position
        if position.env is None:
            return "chance: deal"
        text = position.env.render("ansi")
        waiting = [f"player {player}: {action}" for player, action in position.actions.items()]
        return f"{text}\nchance after {', '.join(waiting)}" if waiting else text

    def __copy__(self) -> PlaymatState:
        copied: PlaymatState = self.clone()
        return copied

    def __deepcopy__(self, memo: object) -> PlaymatState:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_state, (self.get_game(), self.serialize())


class PlaymatGame(pyspiel.Game):
    """A configured playmat game. Make it with ``pyspiel.load_game("playmat_NAME(...)")``.

    Args:
        params: Parameters that are not defaults. docs/openspiel.md lists them.

    Raises:
        playmat.UnknownGame, playmat.InvalidOption: Each names what was given and what is allowed.
    """

    #: The game's name in playmat.
    playmat_name: str

    def __init__(self, params: Mapping[str, _Parameter] | None = None) -> None:
        self._rules = rules = _Rules(self.playmat_name, params or {})
        low, high = rules.game.return_range
        super().__init__(
            _game_type(rules),
            pyspiel.GameInfo(
                num_distinct_actions=rules.game.num_actions,
                max_chance_outcomes=max(1, len(rules.deals), rules.outcomes) if rules.chance else 0,
                num_players=rules.num_players,
                min_utility=low,
                max_utility=high,
                utility_sum=0.0 if rules.zero_sum else None,
                max_game_length=_longest(rules),
            ),
            rules.parameters,
        )

    @property
    def game(self) -> playmat.Game:
        """The engine's game."""
        return self._rules.game

    def new_initial_state(self) -> PlaymatState:
        """The start of an episode: a chance node, unless the game has no chance."""
        return PlaymatState(self)

    def max_chance_nodes_in_history(self) -> int:
        """An upper limit of the chance nodes of an episode: the deal, and one per decision."""
        return 1 + _longest(self._rules) if self._rules.chance else 0

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> PlaymatObserver:
        """What a player sees now, or has seen so far (``perfect_recall``).

        Raises:
            ValueError: Parameters, or another choice of public and private information.
        """
        return PlaymatObserver(self._rules, iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self._rules.name, self._rules.parameters)


def _longest(rules: _Rules) -> int:
    """The largest number of decisions."""
    longest, limit = rules.info["max_decisions"], rules.info["max_steps"]
    return int(min(longest, limit) if limit else longest)


class PlaymatObserver:
    """Observations of a player, with the interface of OpenSpiel's Python observers.

    `tensor`: float32, the engine's observation with values in -1..1, all 0 before the deal. `dict`:
    its segments by name, views of `tensor`. With ``perfect_recall`` both exist only in games whose
    observations have it (``Game.info()["perfect_recall"]``: Kuhn and Leduc poker); `tensor` is None
    elsewhere.
    """

    def __init__(
        self, rules: _Rules, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> None:
        if params:
            raise ValueError(f"observation parameters: got {dict(params)}; there are none")
        self._recall = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        if iig_obs_type is not None and not (
            iig_obs_type.public_info
            and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            raise ValueError(
                f"observation type: got {iig_obs_type}; allowed: public_info=True and "
                "private_info=SINGLE_PLAYER, with perfect_recall or without"
            )
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not self._recall or rules.info["perfect_recall"]:
            self.tensor = np.zeros(rules.game.observation_shape[0], np.float32)
            self.dict = rules.game.observation_layout.split(self.tensor)

    def set_from(self, state: PlaymatState, player: int) -> None:
        """Writes what a player sees into `tensor`."""
        if self.tensor is None:
            return
        env = state._position.env
        if env is None:
            self.tensor.fill(0)
        else:
            env.observation(player, out=self.tensor)

    def string_from(self, state: PlaymatState, player: int) -> str:
        """What a player sees, as JSON; with ``perfect_recall`` the key of the information state,
        32 hexadecimal digits. Empty before the deal.
        """
        position = state._position
        if self._recall:
            return position.key(player)
        return "" if position.env is None else position.env.to_json(viewer=player)


def _game_type(rules: _Rules) -> _Type:
    kinds = pyspiel.GameType
    if not rules.chance:
        chance = kinds.ChanceMode.DETERMINISTIC
    elif rules.sampled:
        chance = kinds.ChanceMode.SAMPLED_STOCHASTIC
    else:
        chance = kinds.ChanceMode.EXPLICIT_STOCHASTIC
    low, high = rules.game.player_range
    return kinds(
        short_name=PREFIX + rules.name,
        long_name=f"{rules.game.title} (playmat)",
        dynamics=kinds.Dynamics.SEQUENTIAL if rules.turn_based else kinds.Dynamics.SIMULTANEOUS,
        chance_mode=chance,
        information=kinds.Information.IMPERFECT_INFORMATION
        if rules.info["hidden"]
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if rules.zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS
        if rules.game.reward == "score_delta"
        else kinds.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=rules.info["perfect_recall"],
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(rules.name),
        provides_factored_observation_string=False,
    )


def _load(name: str, parameters: Mapping[str, _Parameter]) -> Any:
    return pyspiel.load_game(PREFIX + name, dict(parameters))


def _restore_state(game: PlaymatGame, text: str) -> Any:
    return game.deserialize_state(text)


@cache
def _class(name: str) -> type[PlaymatGame]:
    """What makes a game for OpenSpiel. It drops this when the interpreter has ended already, so it
    must not be the last to have it: a class refers to itself, a function does not.
    """
    return type(f"PlaymatGame_{name}", (PlaymatGame,), {"playmat_name": name})


def register() -> list[str]:
    """Registers all games with pyspiel, as importing this module does.

    Returns:
        The names, for ``pyspiel.load_game``.
    """
    for name in playmat.games():
        pyspiel.register_game(_game_type(_rules(name, ())), _class(name))
    return [PREFIX + name for name in playmat.games()]


register()
