"""``playmat bench``: environment steps per second, with the loop that users write.

What is counted: ``venv.step(venv.sample_actions())``, that is uniformly random legal play including
the draw of the action, the legal mask, the observation of the next acting player, rewards, ends and
automatic reset. For comparison, the same loop in Rust on the same memory, and a memset of the bytes
of a step are measured too. Rounds of all of them take turns. The speed of each is that of its best
round, because other work on the machine can only make a round slower. Python's share compares the
two loops within each round, because noise that outlasts a round slows both equally: the median over
the rounds, and the quartiles as its spread. If the spread is wider than the share, the share can be
negative.

``--single`` measures one episode at a time instead, as search and hosts play: a decision with the
next player's observation and mask, by ``stepper.step`` (``env.stepper``) into arrays that are
checked once, by ``env.step_into`` into arrays that are checked in every call, and by ``env.step``,
``env.observation`` and ``env.action_mask`` as new arrays.

``--search N`` measures tree search: simulations per second of `mcts:N` in the first decision of an
episode, and beside them the random episodes per second that ``venv.rollout`` plays from the deal.
A simulation draws a determinization, walks down the tree and plays the episode to its end. Both
take turns.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import playmat
from playmat._native import _memset
from playmat.cli.common import add_options, parse_options, progress, refusal, table
from playmat.processors import available_processors

#: Marks around a table in a file, by what was measured.
BATCH, SINGLE, SEARCH = "bench", "single", "search"
#: Fields that every step writes; the others are written where episodes end.
WRITTEN = (
    "obs", "action_mask", "player", "acting", "reward", "terminated", "truncated", "episode_seed",
    "opponent",
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """One row of the table."""

    game: str
    players: int
    num_envs: int
    threads: int
    observation: int
    actions: int
    python: float
    rust: float
    bytes_per_step: float
    memset: float
    #: Part of Python's loop that is Python: median, lower and upper quartile over the rounds.
    python_share: float
    share_low: float
    share_high: float


@dataclass(frozen=True)
class Single:
    """One row of the table of single environments. Times are nanoseconds per decision."""

    game: str
    players: int
    observation: int
    actions: int
    #: Mean number of decisions of an episode; times are without its reset.
    decisions: float
    stepper: float
    into: float
    fresh: float
    reset: float


@dataclass(frozen=True)
class Search:
    """One row of the table of searches, per second: best of several rounds."""

    game: str
    players: int
    #: Simulations of a search with the defaults, of one that plays at random, and of that on two
    #: threads; None where there is one processor.
    simulations: float
    random: float
    two_threads: float | None
    #: Random episodes from the deal.
    playouts: float


def register(subparsers: Any) -> None:
    """Adds the command."""
    bench = subparsers.add_parser(
        "bench",
        help="steps per second of the games on this machine",
        description="Measures venv.step(venv.sample_actions()) and the same loop in Rust.",
    )
    bench.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    add_options(bench)
    bench.add_argument(
        "--num-envs", type=int, default=1024, help="environments of a batch (default: 1024)"
    )
    bench.add_argument(
        "--threads", type=int, nargs="+", default=None, help="default: 1 2, or 1 on one processor"
    )
    bench.add_argument(
        "--seconds", type=float, default=2.0, help="approximate seconds per row (default: 2)"
    )
    bench.add_argument("--dtype", default="u8", choices=["u8", "f32"])
    bench.add_argument(
        "--single",
        action="store_true",
        help="measure one episode at a time: nanoseconds per decision with observation and mask",
    )
    bench.add_argument(
        "--search",
        type=int,
        metavar="N",
        help="measure tree search instead: simulations per second with N for each decision",
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help=f"also write the table there; if the file holds {marks(BATCH)[0]} (with --single "
        f"{marks(SINGLE)[0]}, with --search {marks(SEARCH)[0]}), between that and its end",
    )
    bench.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints."""
    if not 0 < arguments.seconds < float("inf"):
        raise refusal("seconds", arguments.seconds, "a number above 0")
    threads = arguments.threads or ([1, 2] if available_processors() > 1 else [1])
    games = [
        playmat.Game(name, **parse_options(arguments.options, name))
        for name in arguments.games or playmat.games()
    ]
    about = machine(available_processors())
    if arguments.search is not None:
        if arguments.threads or arguments.single:
            raise refusal("search", arguments.search, "neither --threads nor --single with it")
        if not 1 <= arguments.search <= 10**7:
            raise refusal("search", arguments.search, "1 to 10000000 simulations")
        return run_search(games, arguments, about)
    if arguments.single:
        if arguments.threads:
            raise refusal("threads", arguments.threads, "none with --single, which has one")
        return run_single(games, arguments, about)
    runs = [(game, count) for game in games for count in threads]
    results = [
        measure(game, arguments.num_envs, count, arguments.dtype, arguments.seconds)
        for game, count in progress(runs, "measuring")
    ]
    head = f"{about}; {arguments.num_envs} environments, {arguments.dtype} observations"
    command = f"playmat bench --num-envs {arguments.num_envs} --dtype {arguments.dtype}"
    report(arguments, BATCH, about, head, command, results, show)
    return 0


def run_single(games: list[playmat.Game], arguments: argparse.Namespace, about: str) -> int:
    """Measures single environments and prints."""
    results = [
        measure_single(game, arguments.dtype, arguments.seconds)
        for game in progress(games, "measuring")
    ]
    head = f"{about}; single environments, {arguments.dtype} observations"
    command = f"playmat bench --single --dtype {arguments.dtype}"
    report(arguments, SINGLE, about, head, command, results, show_single)
    return 0


def run_search(games: list[playmat.Game], arguments: argparse.Namespace, about: str) -> int:
    """Measures tree searches and prints."""
    number = arguments.search
    results = [
        measure_search(game, number, arguments.seconds) for game in progress(games, "measuring")
    ]
    head = f"{about}; searches of {number} simulations"
    report(arguments, SEARCH, about, head, f"playmat bench --search {number}", results, show_search)
    return 0


def report(
    arguments: argparse.Namespace,
    what: str,
    about: str,
    head: str,
    command: str,
    results: Any,
    show: Callable[[Any, bool], str],
) -> None:
    """Prints results, and writes them into the file of ``--markdown``."""
    if arguments.json:
        rows = [asdict(result) for result in results]
        print(json.dumps({"machine": about, "results": rows}, indent=1))
    else:
        print(f"{head}\n\n{show(results, False)}")
    if arguments.markdown:
        text = f"{show(results, True)}\n\nMeasured by `{command}` on: {about}.\n"
        write(arguments.markdown, what, text)


def machine(processors: int) -> str:
    """Processor, system, versions."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    python = platform.python_version()
    versions = f"Python {python}, playmat {playmat.__version__}"
    return f"{model}, {processors} processors, {platform.system()}, {versions}"


def measure(game: playmat.Game, num_envs: int, threads: int, dtype: Any, seconds: float) -> Result:
    """One row: best of several rounds of every loop."""
    venv = game.vec_env(num_envs, threads=threads, dtype=dtype)
    venv.reset(seed=1)
    stagger(venv)
    written = sum(venv.batch[name].nbytes for name in WRITTEN if name in venv.batch)
    memory = np.zeros(written, np.uint8)
    rounds = 9
    slot = seconds / rounds / 2
    pieces = calibrate(lambda n: python_loop(venv, n), slot)
    sets = calibrate(lambda n: _memset(memory, n), slot / 10)
    python, rust, memset = [], [], []
    for _ in range(rounds):
        python.append(timed(lambda: python_loop(venv, pieces)))
        rust.append(timed(lambda: venv._loop(pieces)))
        memset.append(timed(lambda: _memset(memory, sets)))
    venv.close()
    steps = pieces * num_envs
    shares = [1 - inside / outside for inside, outside in zip(rust, python, strict=True)]
    low, median, high = (float(share) for share in np.percentile(shares, [25, 50, 75]))
    return Result(
        game=game.name,
        players=game.num_players,
        num_envs=num_envs,
        threads=threads,
        observation=game.observation_shape[0],
        actions=game.num_actions,
        python=steps / min(python),
        rust=steps / min(rust),
        bytes_per_step=written / num_envs,
        memset=written * sets / min(memset),
        python_share=median,
        share_low=low,
        share_high=high,
    )


def measure_single(game: playmat.Game, dtype: Any, seconds: float) -> Single:
    """One row: random episodes played again and again, best of several rounds."""
    env = game.env(seed=0)
    obs = np.zeros(game.observation_shape, np.uint8 if dtype == "u8" else np.float32)
    mask = np.zeros(game.num_actions, np.bool_)
    episodes = []
    for seed in range(32):
        env.reset(seed=seed)
        actions = []
        while not env.done:
            actions.append(env.sample_action())
            env.step(actions[-1])
        episodes.append((seed, actions))
    decisions = sum(len(actions) for _, actions in episodes)

    stepper = env.stepper(obs, mask)

    def bound(turns: int) -> None:
        reset, step = stepper.reset, stepper.step
        for _ in range(turns):
            for seed, actions in episodes:
                reset(seed)
                for action in actions:
                    step(action)

    def into(turns: int) -> None:
        reset, step = env.reset, env.step_into
        for _ in range(turns):
            for seed, actions in episodes:
                reset(seed)
                for action in actions:
                    step(action, obs, mask)

    def fresh(turns: int) -> None:
        reset, step, action_mask = env.reset, env.step, env.action_mask
        # The default type is not passed: passing it would be measured too.
        observation = env.observation if dtype == "u8" else partial(env.observation, dtype=dtype)
        for _ in range(turns):
            for seed, actions in episodes:
                reset(seed)
                for action in actions:
                    step(action)
                    observation()
                    action_mask()

    def resets(reset: Callable[[int], None], turns: int) -> None:
        for _ in range(turns):
            for seed, _actions in episodes:
                reset(seed)

    rounds = 9
    best = []
    loops = (bound, into, fresh, partial(resets, stepper.reset), partial(resets, env.reset))
    for loop in loops:
        turns = calibrate(loop, seconds / rounds / len(loops))
        took = min(timed(partial(loop, turns)) for _ in range(rounds))
        best.append(took / turns * 1e9)
    reset = best[4]
    return Single(
        game=game.name,
        players=game.num_players,
        observation=game.observation_shape[0],
        actions=game.num_actions,
        decisions=decisions / len(episodes),
        stepper=(best[0] - best[3]) / decisions,
        into=(best[1] - reset) / decisions,
        fresh=(best[2] - reset) / decisions,
        reset=reset / len(episodes),
    )


def measure_search(game: playmat.Game, number: int, seconds: float) -> Search:
    """One row: first decisions of episodes, and random episodes."""
    env = game.env(seed=0)
    random = f"mcts:{number},rollout=random,prior=uniform"
    specs = [f"mcts:{number}", random]
    if available_processors() > 1:
        specs.append(f"{random},threads=2")
    searches = [game.agent(spec) for spec in specs]
    venv = game.vec_env(1024, fields=["terminated", "truncated"])
    venv.reset(seed=1)
    stagger(venv)

    def search(agent: playmat.Agent, turns: int) -> None:
        for seed in range(turns):
            env.reset(seed=seed)
            agent.act(env, env.acting_players[0])

    def play(turns: int) -> None:
        for _ in range(turns):
            venv.rollout("random", 64)

    # Episodes per rollout, counted outside of the measurement: outputs cost time.
    flags, ended, counted = venv.rollout_arrays(64, ["terminated", "truncated"]), 0, 16
    for _ in range(counted):
        venv.rollout("random", 64, out=flags)
        ended += int(flags["terminated"].sum()) + int(flags["truncated"].sum())
    rounds = 5
    slot = seconds / rounds / (len(specs) + 1)
    loops = [partial(search, agent) for agent in searches]
    turns = [calibrate(loop, slot) for loop in loops]
    pieces = calibrate(play, slot)
    best = [0.0] * (len(specs) + 1)
    for _ in range(rounds):
        for at, loop in enumerate(loops):
            took = timed(partial(loop, turns[at]))
            best[at] = max(best[at], turns[at] * number / took)
        took = timed(partial(play, pieces))
        best[-1] = max(best[-1], pieces * ended / counted / took)
    threads = best[2] if len(specs) == 3 else None
    return Search(game.name, game.num_players, best[0], best[1], threads, best[-1])


def python_loop(venv: playmat.VecEnv, steps: int) -> None:
    """The loop that users write."""
    for _ in range(steps):
        venv.step(venv.sample_actions())


def stagger(venv: playmat.VecEnv) -> None:
    """Gives the environments different numbers of decisions: if all episodes of a batch are at the
    same decision, branch prediction works better than in normal use.
    """
    draws = np.random.default_rng(0)
    for _ in range(64):
        python_loop(venv, 1)
        venv.reset(mask=draws.random(venv.num_envs) < 1 / 24)


def calibrate(loop: Any, seconds: float) -> int:
    """How many turns of a loop take about so long."""
    turns = 1
    while True:
        began = time.perf_counter()
        loop(turns)
        took = time.perf_counter() - began
        if took > seconds / 4:
            return max(1, int(turns * seconds / took))
        turns *= 4


def timed(call: Any) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def show(results: list[Result], markdown: bool) -> str:
    """The table."""
    head = [
        "game", "players", "observation", "actions", "threads", "M steps/s", "in Rust",
        "Python's share", "its spread", "GB/s written", "GB/s memset",
    ]  # fmt: skip
    rows = [
        [
            r.game, r.players, r.observation, r.actions, r.threads, f"{r.python / 1e6:.2f}",
            f"{r.rust / 1e6:.2f}", f"{100 * r.python_share:.1f}%",
            f"{100 * r.share_low:.1f} to {100 * r.share_high:.1f}%",
            f"{r.python * r.bytes_per_step / 1e9:.2f}", f"{r.memset / 1e9:.2f}",
        ]
        for r in results
    ]  # fmt: skip
    return table(head, rows, markdown)


def show_single(results: list[Single], markdown: bool) -> str:
    """The table of single environments."""
    head = [
        "game", "players", "observation", "actions", "ns with a stepper", "ns into used arrays",
        "ns as new arrays", "ns a reset",
    ]  # fmt: skip
    rows = [
        [
            r.game, r.players, r.observation, r.actions, f"{r.stepper:.0f}", f"{r.into:.0f}",
            f"{r.fresh:.0f}", f"{r.reset:.0f}",
        ]
        for r in results
    ]  # fmt: skip
    return table(head, rows, markdown)


def show_search(results: list[Search], markdown: bool) -> str:
    """The table of searches."""
    head = [
        "game", "players", "simulations/s", "with random play", "on 2 threads", "random episodes/s",
        "ratio",
    ]  # fmt: skip
    rows = [
        [
            r.game, r.players, f"{r.simulations:,.0f}", f"{r.random:,.0f}",
            "-" if r.two_threads is None else f"{r.two_threads / r.random:.2f} times",
            f"{r.playouts:,.0f}",
            f"{r.random / r.playouts:.2f}",
        ]
        for r in results
    ]  # fmt: skip
    return table(head, rows, markdown)


def marks(what: str) -> tuple[str, str]:
    """The comments before and after a generated table in a file."""
    return f"<!-- {what}:begin -->", f"<!-- {what}:end -->"


def write(path: Path, what: str, text: str) -> None:
    """Writes a file, or the part of it between the marks."""
    begin, end = marks(what)
    if path.exists() and begin in (old := path.read_text(encoding="utf-8")):
        before, _, rest = old.partition(begin)
        after = rest.partition(end)[2]
        text = f"{before}{begin}\n{text}{end}{after}"
    path.write_text(text, encoding="utf-8")
