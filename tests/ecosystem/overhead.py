"""What adapters cost: their loop beside the engine's own loop on the same view, in one run.

python tests/ecosystem/overhead.py [--games connect_four graft] [--num-envs 1024] [--seconds 0.3] [--rounds 7]

An adapter is one function in ADAPTERS. It makes an environment, resets it, and returns a function
that plays one step with legal actions drawn by the engine, and the engine's own environment of the
same view for the comparison.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from typing import TypeAlias

import playmat

#: Plays one step of N environments.
Step: TypeAlias = Callable[[], object]
#: From the game and N to the adapter's step, and the engine's environment of the same view.
Adapter: TypeAlias = Callable[[playmat.Game, int], tuple[Step, playmat.VecEnv]]

OPPONENTS = "random"


def native(game: playmat.Game, num_envs: int, autoreset: str) -> playmat.VecEnv:
    """The engine's environment of the single-player view."""
    return game.vec_env(
        num_envs, view="single", opponents=OPPONENTS, dtype="f32", autoreset=autoreset
    )


def gymnasium_same_step(game: playmat.Game, num_envs: int) -> tuple[Step, playmat.VecEnv]:
    """``playmat.gymnasium.VectorEnv``; the step that ends an episode starts the next one."""
    from playmat.gymnasium import VectorEnv

    envs = VectorEnv(game, num_envs, opponents=OPPONENTS, autoreset_mode="SameStep")
    envs.reset(seed=1)
    return lambda: envs.step(envs.venv.sample_actions()), native(game, num_envs, "same_step")


def gymnasium_next_step(game: playmat.Game, num_envs: int) -> tuple[Step, playmat.VecEnv]:
    """``playmat.gymnasium.VectorEnv``; the step after the end starts the next episode."""
    from playmat.gymnasium import VectorEnv

    envs = VectorEnv(game, num_envs, opponents=OPPONENTS)
    envs.reset(seed=1)
    return lambda: envs.step(envs.venv.sample_actions()), native(game, num_envs, "next_step")


def sb3(game: playmat.Game, num_envs: int) -> tuple[Step, playmat.VecEnv]:
    """``playmat.sb3.VecEnv``."""
    from playmat.sb3 import VecEnv

    env = VecEnv(game, num_envs, opponents=OPPONENTS)
    env.reset()
    return lambda: env.step(env.venv.sample_actions()), native(game, num_envs, "same_step")


def sb3_masks(game: playmat.Game, num_envs: int) -> tuple[Step, playmat.VecEnv]:
    """The same, with the masks that MaskablePPO asks for before every step."""
    from sb3_contrib.common.maskable.utils import get_action_masks

    from playmat.sb3 import VecEnv

    env = VecEnv(game, num_envs, opponents=OPPONENTS)
    env.reset()

    def step() -> None:
        get_action_masks(env)
        env.step(env.venv.sample_actions())

    return step, native(game, num_envs, "same_step")


ADAPTERS: list[Adapter] = [gymnasium_same_step, gymnasium_next_step, sb3, sb3_masks]


def seconds_per_step(step: Step, seconds: float) -> float:
    """The mean over about so many seconds of this process: all loops have one thread, and what
    other processes do on the machine does not count.
    """
    count, start = 0, time.process_time()
    while (passed := time.process_time() - start) < seconds:
        step()
        count += 1
    return passed / count


def row(adapter: Adapter, game: playmat.Game, num_envs: int, seconds: float, rounds: int) -> str:
    """A line of the table: both loops in turns, so that both meet the same machine."""
    step, venv = adapter(game, num_envs)
    venv.reset(seed=1)
    loops: list[Step] = [step, lambda: venv.step(venv.sample_actions())]
    for loop in loops:
        seconds_per_step(loop, seconds / 3)
    pairs = [[seconds_per_step(loop, seconds) for loop in loops] for _ in range(rounds)]
    extra = statistics.median(ours / theirs - 1 for ours, theirs in pairs)
    ours, theirs = (min(times) for times in zip(*pairs, strict=True))
    return (
        f"| {adapter.__name__} | {game.name} | {num_envs / ours / 1e6:.2f} | "
        f"{num_envs / theirs / 1e6:.2f} | {extra:.0%} | {(ours - theirs) * 1e6:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", nargs="+", default=["connect_four", "graft"])
    parser.add_argument("--num-envs", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--adapters", nargs="+", help="names of functions; without: all")
    given = parser.parse_args()
    print("| adapter | game | M steps/s | engine's loop | extra time | extra us a step |")
    print("|---|---|---:|---:|---:|---:|")
    for adapter in ADAPTERS:
        if given.adapters is None or adapter.__name__ in given.adapters:
            for name in given.games:
                game = playmat.Game(name)
                print(row(adapter, game, given.num_envs, given.seconds, given.rounds), flush=True)
    print(
        f"\nSeconds of CPU. Steps of the learner, batch {given.num_envs}, one thread: best of {given.rounds} rounds; "
        f"extra time: median of paired rounds. Python {platform.python_version()}, "
        f"playmat {playmat.__version__}."
    )


if __name__ == "__main__":
    main()
