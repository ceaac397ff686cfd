"""OpenSpiel's CFR+ on a playmat game; OpenSpiel and playmat compute its exploitability.

python examples/openspiel_cfr.py [game, default: playmat_leduc_poker] [iterations, default: 1000]
"""

import sys

import pyspiel

import playmat
import playmat.openspiel

name = sys.argv[1] if len(sys.argv) > 1 else "playmat_leduc_poker"
iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
game = pyspiel.load_game(name)
tree = pyspiel.convert_to_cached_tree(game)  # in C++: no Python in the iterations
solver = pyspiel.CFRPlusSolver(tree)

for iteration in range(1, iterations + 1):
    solver.evaluate_and_update_policy()
    if iteration == iterations or iteration % 200 == 0:
        policy = solver.average_policy()
        exploitability = pyspiel.exploitability(tree, policy)
        print(f"iteration {iteration}: exploitability {exploitability:.6f}")

# The strings of information states are playmat's keys, so playmat can evaluate the policy too.
policy = solver.tabular_average_policy().policy_table()
table = {int(key, 16): dict(pairs) for key, pairs in policy.items()}
found = playmat.exploitability(game.game, table)
print(f"{len(table)} information states, exploitability {found.exploitability:.6f}")
print(f"values {found.values[0]:+.6f} {found.values[1]:+.6f}")
