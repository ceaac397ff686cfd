"""Simulations per second of playmat's tree search and of OpenSpiel's on the same games, in one run on one thread.

Both decide the first decisions of the same number of episodes with the same number of simulations, from an empty tree, with random rollouts. OpenSpiel's
is its IS-MCTS in C++ where players hide something, its MCTS elsewhere; its IS-MCTS cannot draw what is hidden in goofspiel. The engines take
turns, and the median of the rounds is printed: machines are noisy. Run it where OpenSpiel is installed:

    python tests/parity/search_speed.py [--simulations 1000] [--seconds 1] [--rounds 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

GAMES = ["kuhn_poker", "leduc_poker", "tic_tac_toe", "connect_four"]
Decide = Callable[[int], None]


def playmat_search(game: str, simulations: int) -> Decide:
    import playmat

    env = playmat.Game(game).env(seed=0)
    agent = env.game.agent(f"mcts:{simulations},rollout=random,prior=uniform")

    def decide(seed: int) -> None:
        env.reset(seed=seed)
        agent.act(env, env.acting_players[0])

    return decide


def openspiel_search(game: str, simulations: int) -> Decide:
    import pyspiel

    loaded = pyspiel.load_game(game)
    hidden = loaded.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    if hidden:
        most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(1, evaluator, 1.4, simulations, -1, most_visited, False, False)
    else:
        # No solver, which ends searches early; 1,000 MB of memory.
        puct = pyspiel.ChildSelectionPolicy.PUCT
        bot = pyspiel.MCTSBot(loaded, evaluator, 1.4, simulations, 1000, False, 1, False, puct)

    def decide(seed: int) -> None:
        chance, state = random.Random(seed), loaded.new_initial_state()
        while state.is_chance_node():
            state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
        bot.step(state)

    return decide


def measure(decide: Decide, simulations: int, seconds: float) -> float:
    """Million simulations per second."""
    decide(0)
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += 1
        decide(done)
    return done * simulations / spent / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| million simulations/s | playmat | OpenSpiel | ratio |\n|---|---|---|---|")
    for game in GAMES:
        engines = [make(game, given.simulations) for make in (playmat_search, openspiel_search)]
        rounds = [
            [measure(decide, given.simulations, given.seconds) for decide in engines]
            for _ in range(given.rounds)
        ]
        own, other = (statistics.median(values) for values in zip(*rounds, strict=True))
        print(f"| {game} | {own:.2f} | {other:.2f} | {own / other:.1f} |", flush=True)


if __name__ == "__main__":
    main()
