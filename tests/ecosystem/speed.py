"""What each adapter costs over the engine's own loop, in one run.

python tests/ecosystem/speed.py [--seconds 0.3] [--rounds 7] [--games connect_four graft] [--only NAME ...] [--update]

Each adapter plays legal actions that the engine draws, in turns with the engine's own loop over the
same view, so that both meet the same machine. Seconds are those of this process: all loops have one
thread, and what other processes do does not count. ``--update`` rewrites the tables of docs/benchmarks.md;
it needs all libraries, as in the environment of requirements-old.txt.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import platform
import re
import statistics
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

# Torch's threads wait asleep; must be said before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np

import playmat

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
NUM_ENVS = 1024
SINGLE: dict[str, Any] = {"view": "single", "opponents": "random", "dtype": "f32"}

#: Plays some, and returns the number of decisions; of the learner, in the single-player view.
Play: TypeAlias = Callable[[], int]


class Adapter(NamedTuple):
    """A row of the table."""

    title: str
    plays: Callable[[playmat.Game], Play]
    native: Callable[[playmat.Game], Play]


def one(game: playmat.Game) -> Play:
    """The engine's `Env`: step, and observation and mask of the next player into the same arrays."""
    env = game.env(1)
    seen, mask = env.observation(), env.action_mask()

    def play() -> int:
        env.reset()
        while not env.step_into(env.sample_action(), seen, mask):
            pass
        return env.decisions

    return play


def batch(num_envs: int = NUM_ENVS, **arguments: Any) -> Callable[[playmat.Game], Play]:
    """The engine's `VecEnv`."""

    def plays(game: playmat.Game) -> Play:
        venv = game.vec_env(num_envs, **arguments)
        venv.reset(1)

        def play() -> int:
            venv.step(venv.sample_actions())
            return num_envs

        return play

    return plays


# One environment.


def gymnasium_env(game: playmat.Game) -> Play:
    from playmat.gymnasium import Env

    env = Env(game)

    def play() -> int:
        env.reset()
        steps, over = 0, False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.venv.sample_actions()[0])
            steps, over = steps + 1, terminated or truncated
        return steps

    return play


def turns(env: Any, draw: Callable[[Any], int]) -> Play:
    """PettingZoo's loop over agents; `draw` chooses from what an agent observes."""

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(draw(observation))
                decisions += 1
        return decisions

    return play


def pettingzoo_env(game: playmat.Game) -> Play:
    import playmat.pettingzoo

    env: Any = playmat.pettingzoo.env(game)
    return turns(env, lambda _: env._env.sample_action())


def pettingzoo_parallel(game: playmat.Game) -> Play:
    import playmat.pettingzoo

    env: Any = playmat.pettingzoo.parallel_env(game)

    def play() -> int:
        env.reset()
        while env.agents:
            acting = env._acting
            env.step({f"player_{player}": env._env.sample_action(player) for player in acting})
        return int(env._env.decisions)

    return play


def rllib(game: playmat.Game) -> Play:
    from playmat.rllib import PlaymatMultiAgentEnv

    env = PlaymatMultiAgentEnv({"game": game, "dtype": "u8"})

    def play() -> int:
        observations, _ = env.reset()
        over = False
        while not over:
            actions = {agent: env._env.sample_action(env._players[agent]) for agent in observations}
            observations, _, ends, cuts, _ = env.step(actions)
            over = ends["__all__"] or cuts["__all__"]
        return env._env.decisions

    return play


def openspiel(game: playmat.Game) -> Play:
    pyspiel = importlib.import_module("playmat.openspiel").pyspiel
    return walk(pyspiel.load_game(f"playmat_{game.name}"))


def walk(game: Any) -> Play:
    """Random play through pyspiel's methods."""
    drawn = cycling()

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[drawn() % len(outcomes)][0])
                continue
            actions = state.legal_actions()
            state.apply_action(actions[drawn() % len(actions)])
            decisions += 1
        return decisions

    return play


def cycling() -> Callable[[], int]:
    """A draw that costs little: large numbers that have all remainders."""
    number = 0

    def draw() -> int:
        nonlocal number
        number = (number * 1103515245 + 12345) % 2**31
        return number >> 8

    return draw


# Many environments.


def gymnasium_vector(mode: str) -> Callable[[playmat.Game], Play]:
    def plays(game: playmat.Game) -> Play:
        from playmat.gymnasium import VectorEnv

        envs = VectorEnv(game, NUM_ENVS, autoreset_mode=mode)
        envs.reset(seed=1)

        def play() -> int:
            envs.step(envs.venv.sample_actions())
            return NUM_ENVS

        return play

    return plays


def sb3(masks: bool) -> Callable[[playmat.Game], Play]:
    """With `masks`: those that MaskablePPO asks for before every step."""

    def plays(game: playmat.Game) -> Play:
        from sb3_contrib.common.maskable.utils import get_action_masks

        from playmat.sb3 import VecEnv

        env = VecEnv(game, NUM_ENVS)
        env.reset()

        def play() -> int:
            if masks:
                get_action_masks(env)
            env.step(env.venv.sample_actions())
            return NUM_ENVS

        return play

    return plays


def torchrl(**arguments: Any) -> Callable[[playmat.Game], Play]:
    def plays(game: playmat.Game) -> Play:
        import torch

        from playmat.torchrl import PlaymatEnv

        torch.set_num_threads(1)
        env = PlaymatEnv(game, NUM_ENVS, seed=1, **arguments)
        data = env.reset()

        def play() -> int:
            nonlocal data
            actions = torch.from_numpy(env.venv.sample_actions())
            _, data = env.step_and_maybe_reset(data.set(env.action_key, actions))
            return NUM_ENVS

        return play

    return plays


def jax(game: playmat.Game) -> Play:
    """Each step into numpy arrays whose memory jax reads."""
    import jax.numpy as jnp

    venv = game.vec_env(NUM_ENVS, **SINGLE)
    venv.reset(1)
    names = ("obs", "action_mask", "learner_reward", "terminated", "truncated")

    def play() -> int:
        step = venv.step(venv.sample_actions())
        for name in names:
            jnp.from_dlpack(step[name], copy=False)
        return NUM_ENVS

    return play


ADAPTERS = [
    Adapter("Gymnasium `Env`", gymnasium_env, batch(1, **SINGLE)),
    Adapter(
        "Gymnasium `VectorEnv`, next step",
        gymnasium_vector("NextStep"),
        batch(autoreset="next_step", **SINGLE),
    ),
    Adapter("Gymnasium `VectorEnv`, same step", gymnasium_vector("SameStep"), batch(**SINGLE)),
    Adapter("Stable-Baselines3 `VecEnv`", sb3(masks=False), batch(**SINGLE)),
    Adapter("Stable-Baselines3, with `get_action_masks`", sb3(masks=True), batch(**SINGLE)),
    Adapter("TorchRL, one learner", torchrl(opponents="random"), batch(**SINGLE)),
    Adapter("TorchRL, turns", torchrl(dtype="u8"), batch()),
    Adapter("TorchRL, joint view", torchrl(dtype="u8", view="joint"), batch(view="joint")),
    Adapter("JAX, arrays through DLPack", jax, batch(**SINGLE)),
    Adapter("PettingZoo `env`", pettingzoo_env, one),
    Adapter("PettingZoo `parallel_env`", pettingzoo_parallel, one),
    Adapter("RLlib environment", rllib, one),
    Adapter("OpenSpiel state", openspiel, one),
]


# Games of other projects, in the same loop.


def mask_turns(env: Any) -> Play:
    drawn = cycling()

    def draw(observation: Any) -> int:
        legal = observation["action_mask"].nonzero()[0]
        return int(legal[drawn() % len(legal)])

    return turns(env, draw)


CLASSIC = {"connect_four": "connect_four_v3", "tic_tac_toe": "tictactoe_v3"}


def theirs_of_pettingzoo(game: str) -> tuple[Play, Play]:
    import playmat.pettingzoo

    module = importlib.import_module(f"pettingzoo.classic.{CLASSIC[game]}")
    return mask_turns(playmat.pettingzoo.env(game)), mask_turns(module.env())


def theirs_of_openspiel(game: str, other: str | None = None) -> tuple[Play, Play]:
    # Registers OpenSpiel's own game in Python.
    importlib.import_module("open_spiel.python.games.tic_tac_toe")
    pyspiel = importlib.import_module("playmat.openspiel").pyspiel
    return walk(pyspiel.load_game(f"playmat_{game}")), walk(pyspiel.load_game(other or game))


THEIRS: list[tuple[str, Callable[[], tuple[Play, Play]]]] = [
    ("PettingZoo's `connect_four_v3`", lambda: theirs_of_pettingzoo("connect_four")),
    ("PettingZoo's `tictactoe_v3`", lambda: theirs_of_pettingzoo("tic_tac_toe")),
    ("OpenSpiel's `connect_four`, in C++", lambda: theirs_of_openspiel("connect_four")),
    ("OpenSpiel's `leduc_poker`, in C++", lambda: theirs_of_openspiel("leduc_poker")),
    (
        "OpenSpiel's `python_tic_tac_toe`",
        lambda: theirs_of_openspiel("tic_tac_toe", "python_tic_tac_toe"),
    ),
]


# Measuring.


def seconds_per_decision(play: Play, seconds: float) -> float:
    """The mean over about ``seconds`` of processor time of this process."""
    count, start = 0, time.process_time()
    while (passed := time.process_time() - start) < seconds:
        count += play()
    return passed / count


def pair(mine: Play, other: Play, seconds: float, rounds: int) -> tuple[float, float, float]:
    """Decisions per second of both, medians of rounds in turns, and the median of their ratios."""
    for play in (mine, other):
        seconds_per_decision(play, seconds / 3)
    times = [
        (seconds_per_decision(mine, seconds), seconds_per_decision(other, seconds))
        for _ in range(rounds)
    ]
    first, second = (1 / statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(a / b for a, b in times)


def digits(number: float) -> str:
    """Three digits of a number of decisions or of a ratio."""
    rounded = float(f"{number:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:.3g}"


def adapters_table(games: Iterable[str], seconds: float, rounds: int, only: list[str]) -> list[str]:
    games = list(games)
    heads = [
        f"`{game}`: adapter, decisions/s | engine, decisions/s "
        "| time of a decision, adapter / engine"
        for game in games
    ]
    lines = [
        "| adapter | " + " | ".join(heads) + " |",
        "|---|" + "---:|---:|---:|" * len(games),
    ]
    for adapter in ADAPTERS:
        if only and not any(word in adapter.title for word in only):
            continue
        cells = []
        try:
            for name in games:
                game = playmat.Game(name)
                mine, native, ratio = pair(
                    adapter.plays(game), adapter.native(game), seconds, rounds
                )
                cells += [
                    digits(mine),
                    digits(native),
                    f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}",
                ]
        except playmat.MissingFeature as error:
            cells = [str(error)]
        lines.append(f"| {adapter.title} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines


def theirs_table(seconds: float, rounds: int, only: list[str]) -> list[str]:
    lines = [
        "| game of the other library | its decisions/s | playmat's decisions/s "
        "| speed, playmat / other |",
        "|---|---:|---:|---:|",
    ]
    for title, make in THEIRS:
        if only and not any(word in title for word in only):
            continue
        try:
            mine, other, ratio = pair(*make(), seconds, rounds)
        except playmat.MissingFeature as error:
            lines.append(f"| {title} | {error} |")
        else:
            lines.append(f"| {title} | {digits(other)} | {digits(mine)} | {1 / ratio:.2g} |")
        print(lines[-1], flush=True)
    return lines


def versions() -> str:
    names = ("gymnasium", "stable-baselines3", "torchrl", "jax", "pettingzoo", "ray", "open_spiel")
    found = []
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {name}")
    return f"Python {platform.python_version()}, numpy {np.__version__}, {', '.join(found)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", default=["connect_four", "graft"])
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", default=[], help="words of the titles of rows")
    parser.add_argument(
        "--update", action="store_true", help="write the tables of docs/benchmarks.md"
    )
    given = parser.parse_args()
    if given.update and given.only:
        parser.error("--update writes all rows: without --only")
    # Libraries warn of parts of their own that they will drop.
    warnings.simplefilter("ignore")
    lines = adapters_table(given.games, given.seconds, given.rounds, given.only)
    theirs = theirs_table(given.seconds, given.rounds, given.only)
    shown = "\n".join([*lines, "", *theirs, "", f"{versions()}."])
    print("\n" + shown)
    if given.update:
        if "pip install" in shown:
            parser.error("--update needs all libraries: docs/benchmarks.md is as it was")
        text = PAGE.read_text(encoding="utf-8")
        marks = re.compile(r"(<!-- overhead:begin.*?-->\n).*?(<!-- overhead:end -->)", re.DOTALL)
        PAGE.write_text(marks.sub(lambda at: f"{at[1]}{shown}\n{at[2]}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
