"""Differences from the defaults of :class:`playmat.train.config.TrainConfig`, by the id of a game.
Found by trial on two cores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# fmt: off
PRESETS: Mapping[str, Mapping[str, Any]] = {
    # One epoch: in the same time a policy learns more from new decisions than from the same twice.
    "graphia": {
        "reward": "score_delta", "reward_scale": 0.05, "ignore": "other*_sheet", "channels": 16,
        "num_steps": 32, "update_epochs": 1, "num_minibatches": 16, "learning_rate": 2.5e-3,
        "anneal_power": 2.0, "gamma": 0.99, "gae_lambda": 0.9, "greedy_bonus": 2.0,
    },
    "gravitix": {
        "reward": "score_delta", "reward_scale": 0.1, "relative": True, "width": 256,
        "pair_heads": 4, "num_steps": 32, "update_epochs": 1, "num_minibatches": 16,
        "learning_rate": 2.5e-3, "anneal_power": 2.0, "gamma": 0.997, "ent_coef": 0.002,
        "imitation_fraction": 0.5, "greedy_bonus": 1.0, "win_bonus": 1.0, "learn_fraction": 0.5,
    },
    "graft": {
        "width": 256, "num_minibatches": 16, "learning_rate": 2e-3, "anneal_power": 2.0,
        "gamma": 0.999, "imitation_fraction": 0.5,
    },
    # Luck decides most episodes: a gradient needs many decisions to point anywhere, and the greedy
    # agent's choice is seldom wrong.
    "rafts": {
        "width": 256, "num_envs": 1024, "learning_rate": 3e-3, "gamma": 0.999, "gae_lambda": 0.97,
        "ent_coef": 0.0, "imitation_fraction": 0.25, "imitation_num_minibatches": 64,
        "imitation_coef": 0.1, "opponent_fraction": 0.25,
    },
    # In self-play alone the policy soon plays few lines and forgets how to answer the others, more
    # so the longer it trains. Two things together prevent that: agents play the other player in
    # half of the environments, and the coefficient of the entropy is constant.
    "connect_four": {
        "opponent_fraction": 0.5, "ent_coef": 0.03, "final_ent_share": 1.0, "num_minibatches": 32,
    },
    "tic_tac_toe": {"opponent_fraction": 0.5, "ent_coef": 0.03, "final_ent_share": 1.0},
    "kuhn_poker": {"play": "sample", "reward": "score"},
    "leduc_poker": {"play": "sample", "reward": "score"},
    "goofspiel": {"play": "sample"},
}
# fmt: on
