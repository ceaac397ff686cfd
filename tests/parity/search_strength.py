"""Matches of playmat's tree search against OpenSpiel's, with the same number of simulations for each decision.

OpenSpiel's is its IS-MCTS in C++ where players hide something, its MCTS elsewhere, both with random rollouts, as its own
tests and examples set them. playmat's plays twice: with the same (`rollout=random,prior=uniform`), and as it is by default, with the game's
greedy agent for rollouts and prior. Every deal is played twice with exchanged players, and the deals, whose chance is playmat's, are what intervals
take as independent. Run it where OpenSpiel is installed:

    python tests/parity/search_strength.py [GAME ...] [--simulations 100] [--deals 1000]
"""

from __future__ import annotations

import argparse
import math
import statistics
from typing import Any

import pyspiel

import playmat

GAMES = ["kuhn_poker", "leduc_poker", "tic_tac_toe", "connect_four"]
#: playmat's searches: like OpenSpiel's, and as it is by default.
FORMS = {"alike": ",rollout=random,prior=uniform", "default": ""}


class Theirs:
    """OpenSpiel's search of one player in one episode."""

    def __init__(self, game: Any, simulations: int, seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            uct = pyspiel.ChildSelectionPolicy.UCT
            # 2 for the bonus of rarely tried actions, 1,000 MB, and the solver, which finds what is proven.
            self.bot = pyspiel.MCTSBot(
                game, evaluator, 2.0, simulations, 1000, True, seed, False, uct
            )
        else:
            visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            self.bot = pyspiel.ISMCTSBot(
                seed, evaluator, 5.0, simulations, -1, visits, False, False
            )

    def act(self, state: Any) -> int:
        return int(self.bot.step(state))


def tell_chance(env: playmat.Env, state: Any) -> None:
    """Tells OpenSpiel the cards that playmat has dealt: to players in order, then face up."""
    while state.is_chance_node():
        dealt = sum(entry.player == pyspiel.PlayerId.CHANCE for entry in state.full_history())
        player = dealt if dealt < env.game.num_players else 0
        name = "card" if dealt < env.game.num_players else "public"
        card = env.game.observation_layout.split(env.observation(player))[name]
        state.apply_action(int(card.argmax()))


def episode(game: playmat.Game, agent: playmat.Agent, theirs: Any, deal: int, player: int, simulations: int) -> float:  # fmt: skip
    """playmat's return, which plays ``player``."""
    env, state = game.env(deal), theirs.new_initial_state()
    search = Theirs(theirs, simulations, 2 * deal + player + 1)
    tell_chance(env, state)
    while not env.done:
        assert state.current_player() == env.current_player
        assert state.legal_actions() == env.legal_actions()
        action = agent.act(env) if env.current_player == player else search.act(state)
        env.step(action)
        state.apply_action(action)
        tell_chance(env, state)
    assert state.is_terminal() and abs(state.returns()[0] - env.returns[0]) < 1e-6
    return float(env.returns[player])


def match(name: str, form: str, simulations: int, deals: int) -> tuple[float, float]:
    """playmat's mean return, and half of its 95% interval."""
    game, theirs = playmat.Game(name), pyspiel.load_game(name)
    agent = game.agent(f"mcts:{simulations}{form}")
    means = [
        statistics.fmean(episode(game, agent, theirs, deal, player, simulations) for player in (0, 1))
        for deal in range(deals)
    ]  # fmt: skip
    # Plus 0.0: no zero with a sign.
    return statistics.fmean(means) + 0.0, 1.959964 * statistics.stdev(means) / math.sqrt(deals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--deals", type=int, default=1000)
    given = parser.parse_args()
    print("| game | " + " | ".join(f"playmat, {form}" for form in FORMS) + " |")
    print("|---|" + "---|" * len(FORMS))
    for name in given.games:
        found = [match(name, form, given.simulations, given.deals) for form in FORMS.values()]
        cells = [f"{mean:+.3f} ± {margin:.3f}" for mean, margin in found]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
