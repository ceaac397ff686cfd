"""Speed of the adapters for several players beside the native loop, in one run.

python tests/ecosystem/overhead_multi.py [--seconds 1] [--rounds 3] [NAME ...]

Every function plays legal actions for about so many seconds and returns decisions per second. All
draw them with the engine's sampler, so that they differ by the adapter only, but for the two loops
that compare with PettingZoo's own games: these choose from the mask.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

# Torch's threads wait asleep; must be said before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np

import playmat

NUM_ENVS = 1024


def timed(rounds: Iterator[int], seconds: float) -> float:
    """Decisions per second of an endless iterator over numbers of decisions."""
    next(rounds)
    count, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        count += next(rounds)
    return count / passed


def native_single(game: str, seconds: float) -> float:
    """One `Env`: action, step, observation and mask of the next player into the same arrays."""

    def rounds() -> Iterator[int]:
        env = playmat.Game(game).env(1)
        seen, mask = env.observation(), env.action_mask()
        while True:
            done = False
            while not done:
                done = env.step_into(env.sample_action(), seen, mask)
            yield env.decisions
            env.reset()

    return timed(rounds(), seconds)


def native_batch(game: str, seconds: float) -> float:
    """`VecEnv` with 1,024 environments, one thread."""

    def rounds() -> Iterator[int]:
        venv = playmat.Game(game).vec_env(NUM_ENVS)
        venv.reset(1)
        while True:
            venv.step(venv.sample_actions())
            yield NUM_ENVS

    return timed(rounds(), seconds)


def _turns(env: Any, draw: Callable[[Any], int]) -> Iterator[int]:
    while True:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(draw(observation["action_mask"]))
                decisions += 1
        yield decisions


def pettingzoo_env(game: str, seconds: float) -> float:
    """`playmat.pettingzoo.env`, one agent after the other."""
    env: Any = playmat.pettingzoo.env(game)
    return timed(_turns(env, lambda _: env._env.sample_action()), seconds)


def pettingzoo_raw_env(game: str, seconds: float) -> float:
    """`playmat.pettingzoo.raw_env`."""
    env: Any = playmat.pettingzoo.raw_env(game)
    return timed(_turns(env, lambda _: env._env.sample_action()), seconds)


def pettingzoo_parallel(game: str, seconds: float) -> float:
    """`playmat.pettingzoo.parallel_env`; decisions, not steps, are counted."""

    def rounds() -> Iterator[int]:
        env: Any = playmat.pettingzoo.parallel_env(game)
        while True:
            env.reset()
            while env.agents:
                acting = env._acting
                env.step({f"player_{p}": env._env.sample_action(p) for p in acting})
            yield env._env.decisions

    return timed(rounds(), seconds)


def _cycling() -> Callable[[Any], int]:
    """A draw that costs little: the first legal action, the second, and so on."""
    count = 0

    def draw(mask: Any) -> int:
        nonlocal count
        count += 1
        legal = mask.nonzero()[0]
        return int(legal[count % len(legal)])

    return draw


def pettingzoo_masked(game: str, seconds: float) -> float:
    """`playmat.pettingzoo.env` in the loop over PettingZoo's own game, to compare the two."""
    return timed(_turns(playmat.pettingzoo.env(game), _cycling()), seconds)


CLASSIC = {"connect_four": "connect_four_v3", "tic_tac_toe": "tictactoe_v3"}


def pettingzoo_classic(game: str, seconds: float) -> float:
    """PettingZoo's own game; 0 where it has none."""
    if game not in CLASSIC:
        return 0.0
    module = importlib.import_module(f"pettingzoo.classic.{CLASSIC[game]}")
    return timed(_turns(module.env(), _cycling()), seconds)


def torchrl_turn(game: str, seconds: float) -> float:
    """`playmat.torchrl.PlaymatEnv`, 1,024 environments, with `step_and_maybe_reset`."""
    import torch

    torch.set_num_threads(1)

    def rounds() -> Iterator[int]:
        env = playmat.torchrl.PlaymatEnv(game, NUM_ENVS, dtype="u8", seed=1)
        data = env.reset()
        actions = torch.empty(NUM_ENVS, dtype=torch.int64)
        while True:
            env.venv.sample_actions(actions)
            data["action"] = actions
            _, data = env.step_and_maybe_reset(data)
            yield NUM_ENVS

    return timed(rounds(), seconds)


def rllib_env(game: str, seconds: float) -> float:
    """`playmat.rllib.PlaymatMultiAgentEnv`, one environment, without RLlib around it."""

    def rounds() -> Iterator[int]:
        env = playmat.rllib.PlaymatMultiAgentEnv({"game": game, "dtype": "u8"})
        while True:
            observations, _ = env.reset()
            over = False
            while not over:
                actions = {a: env._env.sample_action(env._players[a]) for a in observations}
                observations, _, ends, cuts, _ = env.step(actions)
                over = ends["__all__"] or cuts["__all__"]
            yield env._env.decisions

    return timed(rounds(), seconds)


#: What can be measured, what it needs, and the native loop that it is compared with.
MEASURED: dict[str, tuple[Callable[[str, float], float], str, str]] = {
    "native_single": (native_single, "numpy", "native_single"),
    "native_batch": (native_batch, "numpy", "native_batch"),
    "pettingzoo_env": (pettingzoo_env, "pettingzoo", "native_single"),
    "pettingzoo_raw_env": (pettingzoo_raw_env, "pettingzoo", "native_single"),
    "pettingzoo_parallel": (pettingzoo_parallel, "pettingzoo", "native_single"),
    "pettingzoo_masked": (pettingzoo_masked, "pettingzoo", "pettingzoo_classic"),
    "pettingzoo_classic": (pettingzoo_classic, "pettingzoo", "pettingzoo_classic"),
    "torchrl_turn": (torchrl_turn, "torchrl", "native_batch"),
    "rllib_env": (rllib_env, "ray", "native_single"),
}
GAMES = ("connect_four", "graft", "tic_tac_toe")


def measure(
    games: tuple[str, ...] = GAMES, seconds: float = 1.0, rounds: int = 3, names: Any = None
) -> dict[str, dict[str, float]]:
    """Medians of some rounds, by game and name; what is not installed is left out."""
    there = [
        name
        for name, (_, package, _) in MEASURED.items()
        if importlib.util.find_spec(package) and (not names or name in names)
    ]
    found: dict[str, dict[str, list[float]]] = {g: {name: [] for name in there} for g in games}
    # Round by round, so that a busy machine slows all of them.
    for _ in range(rounds):
        for game in games:
            for name in there:
                found[game][name].append(MEASURED[name][0](game, seconds))
    return {g: {n: float(np.median(x)) for n, x in by.items()} for g, by in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    found = measure(seconds=args.seconds, rounds=args.rounds, names=args.names)
    print("| game | loop | decisions/s | microseconds each | times the reference |")
    print("|---|---|---|---|---|")
    for game, speeds in found.items():
        for name, speed in speeds.items():
            reference = speeds.get(MEASURED[name][2], 0.0)
            if speed:
                ratio = f"{speed / reference:.3g}" if reference else "-"
                print(f"| {game} | {name} | {speed:,.0f} | {1e6 / speed:.3g} | {ratio} |")


if __name__ == "__main__":
    main()
