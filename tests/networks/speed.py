"""Microseconds of processor time per decision of a network inside the engine, and of onnxruntime
in Python with one thread, on positions of random play: medians; then per step of an environment
against the network, with 1 and with 256 environments. ``python tests/networks/speed.py [GAME ...]``
prints the table of docs/benchmarks.md; it needs onnxruntime and the packages of ``playmat[train]``.
``--search`` prints that of searches with a network instead: microseconds per simulation.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime

import playmat
from playmat.train.config import preset
from playmat.train.encoders.network import build
from playmat.train.export import export

ROUNDS, SECONDS = 5, 0.3
SIMULATIONS = 50


def microseconds(call: Callable[[], object], decisions: int) -> float:
    """Median over rounds of the processor time of a call, per decision."""
    found = []
    for _ in range(ROUNDS):
        calls, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            call()
            calls += 1
        found.append(spent * 1e6 / calls / decisions)
    return float(np.median(found))


def measure(name: str, folder: Path) -> str:
    game = playmat.Game(name)
    # Without the time of the greedy agent, which onnxruntime does not ask.
    network = build(game, preset(name, device="cpu", greedy_bonus=0))
    path = folder / f"{name}.onnx"
    export(network, game, path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options)
    agent = game.agent(str(path))
    cells = []
    for envs in (1, 256):
        venv = game.vec_env(envs)
        batch = venv.reset(seed=1)
        for _ in range(4):
            batch = venv.step(venv.sample_actions())
        inputs = {"obs": batch.obs.copy(), "mask": batch.action_mask.astype(bool)}
        out = np.zeros(envs, np.int64)
        cells.append(microseconds(lambda v=venv, o=out: agent.act_batch(v, o), envs))
        cells.append(microseconds(lambda i=inputs: session.run(["logits"], i), envs))
    for envs in (1, 256):
        venv = game.vec_env(envs, learner="rotate", opponents=[str(path)])
        venv.reset(seed=1)
        cells.append(microseconds(lambda v=venv: v.step(v.sample_actions()), envs))
    body = type(network.body).__name__.removesuffix("Body").lower()
    numbers = " | ".join(f"{cell:.1f}" for cell in cells)
    return f"| {name} | {body} | {path.stat().st_size // 1000} kB | {numbers} |"


def search(name: str, folder: Path) -> str:
    """A search for each decision of the first moves of episodes, which are played on."""
    game = playmat.Game(name)
    path = folder / f"{name}.onnx"
    export(build(game, preset(name, device="cpu", greedy_bonus=0)), game, path)
    agent = game.agent(f"mcts:{SIMULATIONS},policy={path}")
    cells = []
    for envs in (1, 64):
        venv = game.vec_env(envs)
        venv.reset(seed=1)
        call = partial(play, venv, agent)
        cells.append(microseconds(call, envs * SIMULATIONS))
    return f"| {name} | {cells[0]:.2f} | {cells[1]:.2f} | {cells[0] / cells[1]:.2f} |"


def play(venv: playmat.VecEnv, agent: playmat.Agent) -> None:
    venv.step(agent.act_batch(venv))


def main() -> None:
    games = [name for name in sys.argv[1:] if name != "--search"] or playmat.games()
    if "--search" in sys.argv:
        print("| game | 1 environment | 64 environments | ratio |\n| --- | ---: | ---: | ---: |")
        with tempfile.TemporaryDirectory() as folder:
            for name in games:
                print(search(name, Path(folder)), flush=True)
        return
    measured = ["engine, 1", "onnxruntime, 1", "engine, 256", "onnxruntime, 256"]
    measured += ["step against it, 1", "step against it, 256"]
    print(f"| game | network | file | {' | '.join(measured)} |")
    print(f"| --- | --- | ---: |{' ---: |' * len(measured)}")
    with tempfile.TemporaryDirectory() as folder:
        for name in games:
            print(measure(name, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
