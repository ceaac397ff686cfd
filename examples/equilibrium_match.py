"""An agent against the equilibrium of a small game: `python examples/equilibrium_match.py
leduc_poker mcts:1000 20000`. It plays every player in turn. No agent has a positive mean return
against an equilibrium; the loss of an agent measures its mistakes.
"""

import random
import statistics
import sys

from cfr import CFR

import playmat


def match(game, agent, policy, hands):
    """The agent's return in each hand; in hand k it plays player k modulo the number of players."""
    agent, draws, returns = game.agent(agent), random.Random(1), []
    for hand in range(hands):
        env, player = game.env(hand), hand % game.num_players
        while not env.done:
            if env.current_player == player:
                env.step(agent.act(env))
            else:
                chances = policy[env.information_state_key()]
                env.step(draws.choices(list(chances), list(chances.values()))[0])
        returns.append(float(env.returns[player]))
    return returns


if __name__ == "__main__":
    name, agent, hands = sys.argv[1:4]
    game = playmat.Game(name)
    policy = CFR(game).run(100)
    rest = playmat.exploitability(game, policy).exploitability
    returns = match(game, agent, policy, int(hands))
    margin = 1.96 * statistics.stdev(returns) / len(returns) ** 0.5
    print(f"{agent}: mean return {statistics.fmean(returns):.4f} +- {margin:.4f} in {hands} hands")
    print(f"exploitability of the equilibrium, found by 100 iterations of CFR+: {rest:.4f}")
