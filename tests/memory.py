"""Memory of a batch: what `VecEnv.nbytes` states beside what is resident: `python tests/memory.py [GAME ...] [--num-envs N]`.

Each game runs in a process of its own, one after the other: 20 steps of random play with all default outputs, then every output is written once,
because the operating system gives memory only to pages that were written. Linux only: `/proc/self/statm` has the resident memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import playmat

STEPS = 20


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def play(venv: playmat.VecEnv) -> float:
    """Seconds of 20 steps."""
    venv.reset(seed=1)
    began = time.perf_counter()
    for _ in range(STEPS):
        venv.step(venv.sample_actions())
    return time.perf_counter() - began


def measure(name: str, num_envs: int) -> dict[str, Any]:
    """Measures in this process."""
    game = playmat.Game(name)
    # What belongs to the interpreter and the library is there before the count begins.
    play(game.vec_env(64))
    before = resident()
    venv = game.vec_env(num_envs)
    seconds = play(venv)
    for field in venv.batch:
        venv.batch[field].fill(0)
    return {
        "game": name,
        "num_envs": num_envs,
        "stated": venv.nbytes,
        "measured": resident() - before,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "steps_per_second": STEPS * num_envs / seconds,
    }


def measure_apart(name: str, num_envs: int) -> dict[str, Any]:
    """Measures in a process that has only this batch."""
    command = [sys.executable, __file__, name, "--num-envs", str(num_envs), "--here"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    parser.add_argument("--num-envs", type=int, default=100_000)
    parser.add_argument("--here", action="store_true", help="one game in this process, as JSON")
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(measure(arguments.games[0], arguments.num_envs)))
        return
    print("| game | environments | stated GB | measured GB | peak of the process GB | M steps/s |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in arguments.games or playmat.games():
        found = measure_apart(name, arguments.num_envs)
        sizes = " | ".join(f"{found[key] / 1e9:.3f}" for key in ("stated", "measured", "peak"))
        print(
            f"| {name} | {found['num_envs']:,} | {sizes} | {found['steps_per_second'] / 1e6:.2f} |"
        )


if __name__ == "__main__":
    main()
