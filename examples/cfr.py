"""CFR+: regrets are never below 0, iteration t has weight t.

python examples/cfr.py GAME [NAME=VALUE of its options ...] ITERATIONS [--save policy.json]
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import playmat
from playmat.cli.common import parse_options


def tree(env, chance):
    """A position: its chance, player, key (after the end: returns), and outcomes by action."""
    if env.done:
        return chance, None, env.returns.tolist(), {}
    children = {a: [tree(*one) for one in env.chance_outcomes(a)] for a in env.legal_actions()}
    return chance, env.current_player, env.information_state_key(), children


def normalized(weights):
    total = sum(weights.values())
    return {a: w / total if total else 1 / len(weights) for a, w in weights.items()}


class CFR:
    def __init__(self, game):
        playmat.exploitability(game, "random")  # refuses a game with more than 2,000,000 positions
        self.roots = [tree(*deal) for deal in game.chance_outcomes()]
        self.players, self.iterations = game.num_players, 0
        self.regrets, self.sums = defaultdict(Counter), defaultdict(Counter)

    def walk(self, node, learner, own, others, gains):
        """The learner's expected return, times chance."""
        chance, player, key, children = node
        others *= chance
        if player is None:
            return chance * key[learner]
        now = normalized({a: self.regrets[key][a] for a in children})
        worth = {}
        for a, outcomes in children.items():
            reach = (own * now[a], others) if player == learner else (own, others * now[a])
            worth[a] = sum(self.walk(child, learner, *reach, gains) for child in outcomes)
        value = sum(now[a] * worth[a] for a in now)
        for a in now if player == learner else ():
            gains[key, a] += others * (worth[a] - value)
            self.sums[key][a] += self.iterations * own * now[a]
        return chance * value

    def run(self, iterations):
        for _ in range(iterations):
            self.iterations += 1
            for learner in range(self.players):  # in turn
                gains = Counter()
                for root in self.roots:
                    self.walk(root, learner, 1.0, 1.0, gains)
                for (key, a), gain in gains.items():
                    self.regrets[key][a] = max(self.regrets[key][a] + gain, 0.0)
        return {key: normalized(total) for key, total in self.sums.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("iterations", type=int)
    parser.add_argument("--save", type=Path, help="a file for `playmat exploit GAME policy.json`")
    given = parser.parse_args()
    game = playmat.Game(given.game, **parse_options(given.options, given.game))
    policy = CFR(game).run(given.iterations)
    print(playmat.exploitability(game, policy))
    if given.save:
        given.save.write_text(json.dumps(policy))
