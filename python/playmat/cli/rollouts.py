"""``playmat rollouts GAME``: episodes of agents as a data set, for offline learning."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from playmat import cluster
from playmat.agents import refusal_of, split_agents
from playmat.cli.common import add_game, make_game, progress_bar, refusal
from playmat.extras import need


def register(subparsers: Any) -> None:
    """Adds the command."""
    rollouts = subparsers.add_parser(
        "rollouts",
        help="write episodes of agents as a data set for offline learning",
        description="Plays episodes and writes every decision (observation, legal action mask, "
        "action, player, agent, rewards, returns, seed) into Parquet files in a folder. "
        "`playmat.datasets.read` reads them. Ctrl-C and a crash lose no complete part: the same "
        "command goes on where it was, and the data set is the same as without the interruption, "
        "with any number of threads. Needs the extra `datasets`.",
    )
    add_game(rollouts)
    rollouts.add_argument(
        "--agents",
        default="greedy",
        help="agents (random, greedy, mcts:50), separated by commas. In episode e agent number "
        "(e + p) modulo their number plays player p, so that each of them plays every player "
        "(default: greedy)",
    )
    rollouts.add_argument("--episodes", type=int, default=1000, help="(default: 1000)")
    rollouts.add_argument("--seed", type=int, default=0, help="(default: 0)")
    rollouts.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        required=True,
        help="a new or empty folder, or one in which this command was interrupted",
    )
    rollouts.add_argument(
        "--format",
        choices=["parquet", "minari"],
        default="parquet",
        help="minari: also a Minari data set, in the folder `data` in DIR: one episode for each "
        "player and episode of play, with what this player sees and does. Needs the extra `minari`",
    )
    rollouts.add_argument(
        "--threads",
        type=int,
        default=1,
        help="threads that play: searches gain from several (default: 1)",
    )
    cluster.add_arguments(rollouts)
    rollouts.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays and writes."""
    game = make_game(arguments)
    agents = split_agents(arguments.agents)
    for spec in agents:
        if reason := refusal_of(spec, game):
            raise refusal("agents", f"`{spec}`", reason.partition("; allowed: ")[2] or reason)
    for name in ("episodes", "threads"):
        if getattr(arguments, name) < 1:
            raise refusal(name, getattr(arguments, name), "1 or more")
    if not 0 <= arguments.seed < 2**64:
        raise refusal("seed", arguments.seed, "a number from 0 to 2**64 - 1")
    from playmat import datasets

    need(*datasets.PACKAGES, what="`playmat rollouts`", extra="datasets")
    if arguments.format == "minari":
        need(*datasets.MINARI_PACKAGES, what="`playmat rollouts --format minari`", extra="minari")
    workers = cluster.from_arguments(arguments, "playmat rollouts")
    out, episodes = arguments.out, arguments.episodes
    try:
        with progress_bar(episodes, "playing") as progress:
            done = datasets.record(
                game, agents, episodes, out,
                seed=arguments.seed, threads=arguments.threads, workers=workers,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        there = datasets.read(out, game).num_episodes
        print(f"{out}: {there} of {episodes} episodes; the same command goes on from there")
        raise
    found = f" ({done.found} were there)" if done.found else ""
    print(f"{out}: {episodes} episodes{found}, {len(datasets.read(out, game))} decisions")
    if not done.identity.repeatable:
        print("A search with a time limit plays otherwise each time: so would this command.")
    if arguments.format == "minari":
        with progress_bar(episodes, "converting") as progress:
            print(f"{datasets.to_minari(out, progress=progress)}: a Minari data set")
    return 0
