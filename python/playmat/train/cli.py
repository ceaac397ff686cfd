"""The commands ``playmat train``, ``export``, ``arena`` and ``demo``. Only a command that runs
imports torch.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import playmat
from playmat import cluster, extras
from playmat.agents import split_agents
from playmat.cli.common import add_game, parse_options, progress_bar, table
from playmat.errors import invalid, wrong_identity
from playmat.processors import available_processors
from playmat.train import config as configuration
from playmat.train.need import REPORTS, TRAINING, need

if TYPE_CHECKING:
    from playmat.train.ppo import PPO
    from playmat.train.ratings import Rating
    from playmat.train.trainer import Trainer

#: Updates between the weights that play and those that learn, with `--async`.
MAX_POLICY_LAG = 1


def register(subparsers: Any) -> None:
    """Adds the commands."""
    train = subparsers.add_parser(
        "train",
        help="train an agent by self-play (PPO)",
        description="Trains one network that plays all players of a game, by self-play (PPO), and "
        "evaluates it against built-in agents: by win rate where the game's reward is `outcome`, "
        "otherwise by mean return. Ctrl-C ends after the running update and leaves a checkpoint "
        "that --resume continues from. When --minutes are over, training ends within the update, "
        "at the next step or gradient step.",
        allow_abbrev=False,
    )
    add_game(train)
    train.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder of the results, which replace those in it (default: runs/GAME, with "
        "--resume the checkpoint's folder)",
    )
    train.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="continue from this checkpoint of the same game; --minutes and --total-decisions "
        "count from the beginning of the run",
    )
    _add_workers(train)
    configuration.add_arguments(train)
    train.set_defaults(run=run_train)

    export = subparsers.add_parser(
        "export",
        help="write the network of a checkpoint as an ONNX file, which plays as an agent",
        description="Writes the network of a checkpoint of `playmat train` as an ONNX file, which "
        "is an agent in every language. `playmat.export_policy` in Python does so for networks of "
        "other libraries.",
        allow_abbrev=False,
    )
    export.add_argument("checkpoint", type=Path, metavar="FILE", help="a checkpoint, FILE.pt")
    export.add_argument(
        "--out", type=Path, metavar="FILE",
        help="the ONNX file (default: policy.onnx beside checkpoint.pt, otherwise beside the "
        "checkpoint with its name)",
    )  # fmt: skip
    export.set_defaults(run=run_export)

    arena = subparsers.add_parser(
        "arena",
        help="rate agents by a round robin",
        description="Plays a round robin in which agents play every player in turn, and prints "
        "ratings with 95% intervals and a cross table. Where the game's reward is `outcome`, "
        "ratings are Bradley-Terry's on the scale of Elo, from win rates. Otherwise they are in "
        "units of "
        "return: the mean, over all agents, of the margin over each, which is the agent's return "
        "less the mean return of all players, itself included; mean return and win rate stand "
        "beside them. `-o reward=...` chooses another measure than the game's own.",
    )
    add_game(arena)
    arena.add_argument(
        "--agents", nargs="+", required=True, metavar="AGENT",
        help="`random`, `greedy`, a search such as `mcts:400`, a network such as `policy.onnx`, "
        "both (`mcts:400,policy=policy.onnx`), a checkpoint file, or the name of a Python "
        "function: `module:function` or `path/to/file.py:function` "
        "(`help(playmat.Game.agent)` says what it is called with); at least two, separated by "
        "spaces or commas",
    )  # fmt: skip
    arena.add_argument(
        "--episodes", type=int, default=400, help="episodes of each pair, exactly (default: 400)"
    )
    arena.add_argument("--seed", type=int, default=1, help="seed of the episodes (default: 1)")
    arena.add_argument(
        "--play", choices=["best", "sample"], help="how checkpoints play (default: as trained)"
    )
    arena.add_argument(
        "--threads", type=int,
        help="threads of the environments (default: one per processor that may be used; with "
        "--ray, of a worker's)",
    )  # fmt: skip
    arena.add_argument(
        "--out", type=Path, metavar="FILE", help="draw the ratings into this file, FILE.png"
    )
    arena.add_argument(
        "--save", type=Path, metavar="FILE",
        help="write finished matches into this file; the same command continues from it, also with "
        "other agents or more episodes: only new matches are played",
    )  # fmt: skip
    arena.add_argument("--json", action="store_true", help="print JSON")
    cluster.add_arguments(arena)
    arena.set_defaults(run=run_arena)

    demo = subparsers.add_parser(
        "demo",
        help="train Graphia for two minutes and show the result",
        description="Trains an agent for two-player Graphia, prints its win rates against greedy "
        "and random and leaves learning_curve.png and replay.html (an episode against greedy).",
        allow_abbrev=False,
    )
    demo.add_argument("--minutes", type=float, default=2.0, help="wall time of training")
    demo.add_argument("--out", type=Path, default=Path("demo"), metavar="FOLDER")
    _add_workers(demo)
    demo.set_defaults(run=run_demo, game="graphia", resume=None)
    configuration.add_arguments(demo, without=("minutes",))


def _add_workers(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of workers that play the rollouts."""
    ray = parser.add_argument_group(
        "workers of Ray, which play the rollouts; without --num-shards each has one shard"
    )
    cluster.add_arguments(ray)
    ray.add_argument(
        "--async", action="store_true", dest="asynchronous",
        help="play the next rollout while learning, by weights that are one update old. Without "
        "--ray a second thread does that, and results can be repeated bit by bit. With it, updates "
        "learn from the rollouts that arrive first: a slow worker does not hold the others up, and "
        "results cannot be repeated",
    )  # fmt: skip
    ray.add_argument(
        "--max-policy-lag", type=int, metavar="L",
        help="with --async: how many updates old the weights may be that played a rollout, when it "
        f"is learned from (default: {MAX_POLICY_LAG})",
    )  # fmt: skip


def run_train(arguments: argparse.Namespace) -> int:
    """Trains, or continues from a checkpoint."""
    options = parse_options(arguments.options, arguments.game)
    playmat.Game(arguments.game, **options)
    if arguments.resume is not None and not arguments.resume.is_file():
        raise invalid("resume", f"got `{arguments.resume}`; there is no such file")
    given = configuration.given(arguments)
    algorithm = _algorithm(arguments, given, "playmat train")
    config = configuration.preset(arguments.game, **given)
    need(*TRAINING, *REPORTS, "onnx", what="`playmat train`")
    if arguments.resume is None:
        from playmat.train.trainer import Trainer

        out = arguments.out or Path("runs") / arguments.game
        _finish(Trainer(arguments.game, options, config, out, algorithm()))
        return 0
    from playmat.train import checkpoint
    from playmat.train.trainer import resume

    state = checkpoint.read(arguments.resume)
    for field, wanted in (("game", arguments.game), ("options", options or state["options"])):
        if state[field] != wanted:
            what, found = f"checkpoint `{arguments.resume}`", state[field]
            reason = f"{field} is `{found}`, the command says `{wanted}`"
            raise wrong_identity(what, field, found, wanted, reason)
    _finish(resume(arguments.resume, arguments.out, algorithm(), **given))
    return 0


def _algorithm(
    arguments: argparse.Namespace, given: dict[str, Any], what: str
) -> Callable[[], Callable[..., PPO]]:
    """The algorithm that the arguments of the command ``what`` name, to be called when torch is
    known to be there. Adds the number of shards to the hyperparameters, where workers are given but
    no shards.
    """
    ray = cluster.from_arguments(arguments, what)
    lag = arguments.max_policy_lag
    if lag is not None and not (arguments.asynchronous and ray is not None):
        raise invalid("max_policy_lag", "it needs --ray and --async")
    if lag is not None and lag < 1:
        raise invalid("max_policy_lag", f"got {lag}; allowed: at least 1")
    if arguments.asynchronous and lag is None:
        lag = MAX_POLICY_LAG
    if ray is not None and arguments.resume is None:
        given.setdefault("num_shards", ray.workers)

    def algorithm() -> Callable[..., PPO]:
        if ray is None and arguments.asynchronous:
            from playmat.train.asynchronous import AsyncPPO

            return AsyncPPO
        if ray is None:
            from playmat.train.ppo import PPO

            return PPO
        from playmat.train.workers import DistributedPPO

        return functools.partial(DistributedPPO, cluster=ray, max_policy_lag=lag or 0)

    return algorithm


def _finish(trainer: Trainer) -> None:
    """Runs a training and prints the result."""
    if trainer.finished:
        print(
            f"nothing left to train: {trainer.ppo.decisions:,} decisions in "
            f"{trainer.elapsed / 60:.1f} minutes reach the limit; raise --minutes or "
            "--total-decisions, which count from the beginning"
        )
    with closing(trainer.ppo):
        trainer.run()
    print(summary(trainer))


def summary(trainer: Trainer) -> str:
    """Results, speed, shares of the time, and the files."""
    lines = [str(result) for result in trainer.results.values()]
    if not trainer.ppo.updates:
        lines.append(
            f"nothing was learned: the first rollout, of {trainer.ppo.action.size:,} decisions, "
            "was not complete when time was up; raise --minutes or lower --num-envs or --num-steps"
        )
    decisions, speed = trainer.ppo.decisions, trainer.ppo.decisions / max(trainer.elapsed, 1e-9)
    lines.append(f"{decisions:,} decisions in {trainer.elapsed:.0f} s: {speed:,.0f} per second")
    shares = ", ".join(f"{name} {share:.1%}" for name, share in trainer.shares().items())
    lines.append(f"time: {shares}")
    if trainer.out is not None:
        files = "checkpoint.pt, policy.onnx, learning_curve.png, history.json"
        lines.append(f"in {trainer.out}: {files}")
    return "\n".join(lines)


def run_arena(arguments: argparse.Namespace) -> int:
    """Plays the round robin."""
    # A file is one agent, whatever its name.
    arguments.agents = [
        spec
        for word in arguments.agents
        for spec in ([word] if os.path.isfile(word) else split_agents(word))
    ]
    options = parse_options(arguments.options, arguments.game)
    game = playmat.Game(arguments.game, **options)
    ray = cluster.from_arguments(arguments, "playmat arena")
    if arguments.threads is None:
        arguments.threads = ray.worker_cpus if ray is not None else available_processors()
    for name, number in (("episodes", arguments.episodes), ("threads", arguments.threads)):
        if number < 1:
            raise invalid(name, f"got {number}; allowed: at least 1")
    if arguments.out and arguments.out.suffix.lower() != ".png":
        raise invalid("out", f"got `{arguments.out}`; wanted the name of a PNG, FILE.png")
    from playmat.train.arena import round_robin
    from playmat.train.ratings import draw_ratings

    # Agents of the engine need no torch; checkpoints do.
    trained = any(
        Path(agent).is_file() and Path(agent).suffix not in (".onnx", ".py")
        for agent in arguments.agents
    )
    need(*(TRAINING if trained else ()), what="`playmat arena`")
    if arguments.out:
        extras.need("matplotlib", what="`playmat arena --out`", extra="plot")
    pairs = len(arguments.agents) * (len(arguments.agents) - 1) // 2
    total = pairs * arguments.episodes * (2 if game.num_players == 1 else 1)
    with progress_bar(total, "playing") as show:
        results = round_robin(
            arguments.game, options, arguments.agents, arguments.episodes, arguments.seed,
            arguments.play, arguments.threads, cluster=ray, save=arguments.save,
            played=lambda done, _: show(done),
        )  # fmt: skip
    ratings = results.ratings()
    if arguments.out:
        draw_ratings(ratings, f"{game.title}, {game.num_players} players", arguments.out)
    if arguments.json:
        print(json.dumps([_finite(dataclasses.asdict(r)) for r in ratings], indent=1))
        return 0
    print(show_ratings(ratings))
    repeats = int((results.distinct < results.episodes).sum()) // 2
    if repeats:
        count = "1 pair repeats" if repeats == 1 else f"{repeats} pairs repeat"
        print(
            f"\n{game.name} has no chance, and {count} the same episode for each arrangement of "
            "players: intervals count it once"
        )
    return 0


def _finite(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with null for infinite margins, which JSON has no number for."""
    plain = {
        name: _finite(value) if isinstance(value, Mapping) else value for name, value in row.items()
    }
    return {name: None if value == math.inf else value for name, value in plain.items()}


def show_ratings(ratings: Sequence[Rating]) -> str:
    """The table of ratings; first what the game is measured by."""
    from playmat.train.ratings import margin, rounded

    won = [f"{r.win_rate:.1%}" for r in ratings]
    if ratings[0].measure == "win_rate":
        head = ["agent", "Elo", "+-", "win rate", "episodes"]
        rows = [
            [r.agent, f"{rounded(r.rating, 0):.0f}", margin(r.rating_margin, 0), share, r.episodes]
            for r, share in zip(ratings, won, strict=True)
        ]
        return f"{table(head, rows)}{cross_table(ratings, 'won against')}"
    head = ["agent", "mean return", "+-", "rating", "+-", "win rate", "episodes"]
    rows = [
        [
            r.agent, f"{rounded(r.mean_return, 3):.3f}", margin(r.return_margin),
            f"{rounded(r.rating, 3):.3f}", margin(r.rating_margin), share, r.episodes,
        ]
        for r, share in zip(ratings, won, strict=True)
    ]  # fmt: skip
    note = (
        "rating: mean, over all agents, of the margin over each: the agent's return less the mean "
        "return of all players, itself included"
    )
    return f"{table(head, rows)}\n\n{note}{cross_table(ratings, 'margin over')}"


def cross_table(ratings: Sequence[Rating], what: str) -> str:
    """Every agent against every other, in the order of the ratings; empty for two, whose ratings
    say it.
    """
    from playmat.train.ratings import cell

    if len(ratings) == 2:
        return ""
    names = [r.agent for r in ratings]
    rows = [[r.agent, *(cell(r, name) or "-" for name in names)] for r in ratings]
    return "\n\n" + table([what, *names], rows)


def run_export(arguments: argparse.Namespace) -> int:
    """Writes the network of a checkpoint."""
    if not arguments.checkpoint.is_file():
        got = arguments.checkpoint
        raise invalid("checkpoint", f"got `{got}`; there is no such file")
    if arguments.checkpoint.suffix == ".onnx":
        got = arguments.checkpoint
        raise invalid(
            "checkpoint",
            f"got `{got}`, a network that is exported already; wanted a checkpoint, FILE.pt",
        )
    need(*TRAINING, "onnx", what="`playmat export`")
    from playmat.train.export import export_checkpoint

    print(export_checkpoint(arguments.checkpoint, arguments.out))
    return 0


def run_demo(arguments: argparse.Namespace) -> int:
    """Trains and writes a replay page."""
    changes: dict[str, Any] = {
        "eval_minutes": max(0.05, arguments.minutes / 6),
        "eval_episodes": 100,
    }
    changes |= {"minutes": arguments.minutes, **configuration.given(arguments)}
    algorithm = _algorithm(arguments, changes, "playmat demo")
    config = configuration.preset(arguments.game, **changes)
    need(*TRAINING, *REPORTS, "onnx", what="`playmat demo`")
    from playmat.train.trainer import Trainer

    trainer = Trainer(arguments.game, {}, config, arguments.out, algorithm())
    with closing(trainer.ppo):
        trainer.run()
    print(summary(trainer))
    env, agent = trainer.eval_game.env(config.seed), trainer.agent()
    greedy = env.game.agent("greedy")
    player = config.seed % env.game.num_players
    while not env.done:
        if env.current_player == player:
            given = np.array([greedy.act(env)], np.int64) if agent.takes_greedy else None
            seen = env.observation()[None], env.action_mask()[None]
            env.step(int(agent.act(*seen, given)[0]))
        else:
            env.step(greedy.act(env))
    env.replay().save(arguments.out / "replay.json")
    title = f"{env.game.title}: the trained agent (player {player}) against greedy"
    page = arguments.out / "replay.html"
    page.write_text(playmat.replay_html(env.replay(), title=title), encoding="utf-8")
    print(f"open {page} in a browser: an episode against greedy")
    return 0
