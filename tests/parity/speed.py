"""Steps per second of playmat and of other engines on the same games, in one run.

A step is: draw a uniformly random legal action, apply it, and have the next acting player's observation and legal
action mask, the rewards and the end of the episode as numpy arrays, with automatic reset. Engines take turns, several
rounds each, and the median is printed: machines are noisy. Run it where the engines are installed:

    python tests/parity/speed.py [--seconds 2] [--rounds 3] [--batch 1024] [--games connect_four,...] [--markdown docs/benchmarks.md]
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from playmat.cli.bench import write

GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "goofspiel", "graphia"]
Loop = Callable[[float], float]


def _timed(steps: Callable[[], int], seconds: float) -> float:
    """Million steps per second of calls to `steps`, which says how many it made; one call is a warm-up."""
    steps()
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += steps()
    return done / spent / 1e6


def playmat_loop(game: str, batch: int, threads: int) -> Loop:
    import playmat

    env = playmat.Game(game).vec_env(batch, threads=threads)
    env.reset(seed=1)

    def steps() -> int:
        for _ in range(64):
            env.step(env.sample_actions())
        return 64 * batch

    return lambda seconds: _timed(steps, seconds)


def openspiel_loop(game: str) -> Loop:
    import pyspiel

    loaded = pyspiel.load_game(game)
    hidden = loaded.get_type().provides_information_state_tensor

    def observe(state: pyspiel.State) -> None:
        if not state.is_terminal() and not state.is_chance_node():
            player = max(state.current_player(), 0)
            mask = np.asarray(state.legal_actions_mask(player))
            tensor = (
                state.information_state_tensor(player)
                if hidden
                else state.observation_tensor(player)
            )
            assert mask.size and np.asarray(tensor, dtype=np.float32).size

    def steps() -> int:
        made = 0
        while made < 2000:
            state = loaded.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, weights)[0])
                    continue
                if state.is_simultaneous_node():
                    players = range(loaded.num_players())
                    state.apply_actions([random.choice(state.legal_actions(p)) for p in players])
                    made += loaded.num_players()
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    made += 1
                observe(state)
                state.rewards()
            state.returns()
        return made

    return lambda seconds: _timed(steps, seconds)


def pgx_loop(game: str, batch: int, inside: bool) -> Loop:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    names = {"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four"}
    names |= {"kuhn_poker": "kuhn_poker", "leduc_poker": "leduc_holdem"}
    env = pgx.make(names[game])
    stepped = jax.vmap(auto_reset(env.step, env.init))

    def one(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
        draw, reset = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(draw, logits, axis=-1)
        state = stepped(state, action, jax.random.split(reset, batch))
        return state, state.rewards

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    key = jax.random.PRNGKey(1)
    if inside:
        many = jax.jit(lambda s, k: jax.lax.scan(one, s, jax.random.split(k, 64)))

        def steps() -> int:
            nonlocal state, key
            key, own = jax.random.split(key)
            state, rewards = many(state, own)
            rewards.block_until_ready()
            return 64 * batch

    else:
        single = jax.jit(one)

        def steps() -> int:
            nonlocal state, key
            for _ in range(16):
                key, own = jax.random.split(key)
                state, rewards = single(state, own)
                for array in (
                    state.observation,
                    state.legal_action_mask,
                    rewards,
                    state.terminated,
                ):
                    np.asarray(array)
            return 16 * batch

    return lambda seconds: _timed(steps, seconds)


def envpool_loop(game: str, batch: int, threads: int) -> Loop:
    import envpool

    names = {"tic_tac_toe": "TicTacToe-v1", "connect_four": "ConnectFour-v1"}
    names |= {"kuhn_poker": "KuhnPoker-v1", "leduc_poker": "LeducHoldem-v1"}
    env = envpool.make_gymnasium(names[game], num_envs=batch, num_threads=threads, seed=1)
    rng = np.random.default_rng(1)
    _, info = env.reset()

    def steps() -> int:
        nonlocal info
        for _ in range(16):
            mask = info["legal_action_mask"]
            actions = np.argmax(rng.random(mask.shape, dtype=np.float32) * mask, axis=1).astype(
                np.int32
            )
            info = env.step(actions)[4]
        return 16 * batch

    return lambda seconds: _timed(steps, seconds)


def pettingzoo_loop(game: str) -> Loop:
    from pettingzoo.classic import connect_four_v3, leduc_holdem_v4, tictactoe_v3

    module = {
        "tic_tac_toe": tictactoe_v3,
        "connect_four": connect_four_v3,
        "leduc_poker": leduc_holdem_v4,
    }[game]
    env = module.env()

    def steps() -> int:
        made = 0
        while made < 500:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                made += 1
        return made

    return lambda seconds: _timed(steps, seconds)


def contestants(game: str, batch: int) -> dict[str, tuple[str, Callable[[], Loop]]]:
    """Column name -> (module it needs, how to make its loop), for the games the engine has."""
    both = {
        "playmat, 1 thread": ("playmat", lambda: playmat_loop(game, batch, 1)),
        "playmat, 2 threads": ("playmat", lambda: playmat_loop(game, batch, 2)),
    }
    if game != "graphia":
        both["OpenSpiel"] = ("pyspiel", lambda: openspiel_loop(game))
    if game not in ("goofspiel", "graphia"):
        both["Pgx to numpy"] = ("pgx", lambda: pgx_loop(game, batch, inside=False))
        both["Pgx inside XLA"] = ("pgx", lambda: pgx_loop(game, batch, inside=True))
        both["EnvPool, 1 thread"] = ("envpool", lambda: envpool_loop(game, batch, 1))
    if game in ("tic_tac_toe", "connect_four", "leduc_poker"):
        both["PettingZoo"] = ("pettingzoo", lambda: pettingzoo_loop(game))
    return both


def described(args: argparse.Namespace) -> str:
    """What the table is, and how to repeat it."""
    versions = []
    for title, package in [("OpenSpiel", "open_spiel"), ("Pgx", "pgx"), ("EnvPool", "envpool")]:
        if importlib.util.find_spec("pyspiel" if package == "open_spiel" else package):
            versions.append(f"{title} {importlib.metadata.version(package)}")
    return (
        f"Million steps per second, batch {args.batch}, medians of {args.rounds} rounds of {args.seconds:g} s, "
        f"same machine: {', '.join(versions) or 'no other engine'}.\n"
        "OpenSpiel and PettingZoo play step by step from Python, Pgx is jit-compiled on the CPU, EnvPool has one "
        f"thread. Repeat with\n`python tests/parity/speed.py --seconds {args.seconds:g} --rounds {args.rounds}`."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="seconds per engine, game and round"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="also write the table there, between its marks",
    )
    args = parser.parse_args()
    games = args.games.split(",")
    columns: list[str] = []
    table: dict[str, dict[str, float]] = {}
    for game in games:
        loops: dict[str, Loop] = {}
        for name, (module, make) in contestants(game, args.batch).items():
            if importlib.util.find_spec(module):
                loops[name] = make()
                columns += [name] if name not in columns else []
        rates: dict[str, list[float]] = {name: [] for name in loops}
        for _ in range(args.rounds):
            for name, loop in loops.items():
                rates[name].append(loop(args.seconds))
        table[game] = {name: statistics.median(values) for name, values in rates.items()}
    lines = ["| million steps/s | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for game in games:
        cells = [f"{table[game][c]:.2f}" if c in table[game] else "-" for c in columns]
        lines.append(f"| {game} | " + " | ".join(cells) + " |")
    lines += ["", described(args)]
    print("\n".join(lines))
    if args.markdown:
        write(args.markdown, "peers", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
