"""Every hyperparameter of training, once: its doc line here is its help on the command line. Names
are CleanRL's where CleanRL has the hyperparameter.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playmat.errors import invalid
from playmat.processors import available_processors
from playmat.train.presets import PRESETS

#: The agent that is imitated if none is named.
EXPERT = "greedy"
#: `imitation_fraction` where an expert is named, `opponent_fraction` where there is a league, if
#: neither the preset nor the caller says how much: as in presets that have them.
IMITATION_FRACTION = OPPONENT_FRACTION = 0.5
#: Units of one entity in a network that reads entities with the same weights.
ENTITY_WIDTH = 64


def _p(default: Any, doc: str, low: float = -math.inf, high: float = math.inf) -> Any:
    """A hyperparameter with its doc line and range."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _choice(default: str, doc: str, *allowed: str) -> Any:
    """A hyperparameter that is one of some words."""
    return field(default=default, metadata={"doc": doc, "allowed": allowed})


@dataclass
class TrainConfig:
    """Hyperparameters of ``playmat train``. A decision is one choice of one player. The default of
    a new one must mean what training did before: checkpoints without it get the default.
    """

    minutes: float = _p(
        10.0, "wall time of training in minutes, checked at every step and gradient step; the last "
        "evaluation comes on top; 0: no limit", 0,
    )  # fmt: skip
    total_decisions: int = _p(
        0, "decisions to train for; 0: no limit. Exact resume needs this limit", 0
    )
    seed: int = _p(1, "seed of episodes, initial weights and draws", 0, 2**63 - 1)

    num_envs: int = _p(256, "environments that are stepped together", 1, 2**20)
    num_shards: int = _p(
        1, "parts of the environments, each with random streams of its own; workers play whole "
        "shards, and results depend on the number of shards, not on the number of workers", 1, 4096,
    )  # fmt: skip
    num_steps: int = _p(64, "steps of each environment in a rollout", 1, 2**16)
    update_epochs: int = _p(2, "passes over the decisions of a rollout", 1, 100)
    num_minibatches: int = _p(
        8, "minibatches of a rollout; each has num_envs x num_steps / num_minibatches decisions", 1
    )

    learning_rate: float = _p(1e-3, "learning rate of Adam at the start", 0, 1)
    muon_learning_rate: float = _p(
        0.0, "learning rate at the start of Muon, an optimizer for the weights between hidden "
        "units; Adam has the others. Good for runs of a few minutes. 0: Adam has all", 0, 1,
    )  # fmt: skip
    anneal_lr: bool = _p(True, "anneal learning rates to 0")
    anneal_power: float = _p(1.0, "power of the annealing: 1 is linear", 0, 8)
    gamma: float = _p(1.0, "discount per decision of the same player", 0, 1)
    gae_lambda: float = _p(0.95, "lambda of generalized advantage estimation", 0, 1)
    norm_adv: bool = _p(True, "normalize advantages in each minibatch")
    clip_coef: float = _p(0.2, "clipping coefficient of the probability ratio", 0, 10)
    ent_coef: float = _p(0.01, "coefficient of the entropy at the start", 0, 10)
    final_ent_share: float = _p(
        0.1, "share of `ent_coef` at the end; `ent_coef` is annealed linearly to it", 0, 1
    )
    vf_coef: float = _p(0.5, "coefficient of the value loss", 0, 100)
    learn_fraction: float = _p(
        1.0, "share of the decisions of a rollout that PPO learns from: those with the largest "
        "advantages, positive or negative", 0.01, 1,
    )  # fmt: skip
    max_grad_norm: float = _p(0.5, "maximum norm of a gradient", 0)
    target_kl: float = _p(
        0.0, "early stopping by approximate KL: no further epoch above this value; 0: never", 0
    )

    imitation_fraction: float = _p(
        0.0, "share of the run, at its start, that is imitation of `expert`: behaviour cloning at "
        "first, then DAgger with ever fewer decisions played by the expert (`expert_share`)", 0, 1,
    )  # fmt: skip
    expert: str = _p(
        EXPERT, "the agent that is imitated, such as `mcts:64`, a checkpoint file or a function "
        "(`path/to/file.py:function`; neither with --ray); with `policy=self` among the "
        "options of a search it searches with the network that is being trained, as it was before "
        "the rollout (expert iteration); with `expert_target` `visits`, `expert_share` 1 and "
        "`gae_lambda` 1 as in AlphaZero. Where neither "
        "the command nor the preset sets `imitation_fraction` or `imitation_coef`, an expert sets "
        f"`imitation_fraction` to {IMITATION_FRACTION}",
    )  # fmt: skip
    expert_target: str = _choice(
        "action", "what the policy learns of the expert: `action`, the action that it chooses, or "
        "`visits`, the distribution of the visits of its search; `visits` needs an expert that "
        "searches", "action", "visits",
    )  # fmt: skip
    expert_share: float = _p(
        0.0, "share of the decisions that the expert plays at the end of the imitation, from 1 at "
        "its start: 0 is DAgger; 1 is behaviour cloning, and with a search and `policy=self` the "
        "self-play of AlphaZero. Needs `imitation_fraction` above 0", 0, 1,
    )  # fmt: skip
    imitation_random: float = _p(
        0.0, "share of the decisions during imitation that are played at random; the policy still "
        "learns what the expert would do. Needs `imitation_fraction` above 0", 0, 1,
    )  # fmt: skip
    imitation_num_minibatches: int = _p(
        0, "minibatches of a rollout during imitation; 0: as `num_minibatches`", 0
    )
    imitation_coef: float = _p(
        0.0, "auxiliary imitation-loss coefficient after imitation, annealed to 0", 0, 10
    )
    opponent_fraction: float = _p(
        0.0, "share of the environments in which an agent of `opponents`, or a past self of the "
        "policy (`league`), plays all players but one", 0, 1,
    )  # fmt: skip
    opponent_start: float = _p(
        0.0, "share of the run, at its start, in which the policy still plays all players in these "
        "environments, too", 0, 1,
    )  # fmt: skip
    league: int = _p(
        0, "past selves of the policy that are kept as opponents beside the agents of `opponents`; "
        "each episode draws its opponent, more often one that wins more. Where neither the command "
        f"nor the preset sets `opponent_fraction`, a league sets it to {OPPONENT_FRACTION}. 0: no "
        "league, each agent of `opponents` plays in as many environments", 0, 1024,
    )  # fmt: skip
    league_updates: int = _p(20, "updates from one past self to the next", 1)

    greedy_bonus: float = _p(
        0.0, "bonus at the start on the logit of the greedy agent's action; the network learns how "
        "it depends on the observation. During imitation there is none. 0: the network does not "
        "see that action", 0, 100,
    )  # fmt: skip

    reward: str = _choice(
        "", "reward to train on; empty: the game's own", "", "outcome", "score", "score_delta"
    )
    reward_scale: float = _p(
        0.0, "factor on rewards; 0: measured in play, so that returns have standard deviation 1 "
        "(`Game.reward_scale`), and 1 for `outcome`", 0, 1e6,
    )  # fmt: skip
    win_bonus: float = _p(
        0.0, "bonus added to the scaled rewards of scores at the end of an episode: this number "
        "for a player with a higher return than all others, its negative for one with a lower "
        "return, in between by the share of the others who are lower and higher", 0, 1000,
    )  # fmt: skip
    relative: bool = _p(False, "train on the player's reward less the mean of the others'")

    network: str = _choice(
        "auto", "conv: convolutions over a board; entities: the same weights for each of several "
        "like things; mlp; auto: conv for large boards, entities for four or more",
        "auto", "conv", "entities", "mlp",
    )  # fmt: skip
    device: str = _choice(
        "auto", "device of the network; auto: cuda if there is one", "auto", "cpu", "cuda"
    )
    precision: str = _choice(
        "auto", "of the network; auto: bfloat16 on devices that multiply it faster than float32",
        "auto", "float32", "bfloat16",
    )  # fmt: skip
    width: int = _p(128, "units of a hidden layer", 1, 8192)
    channels: int = _p(32, "channels of a convolution", 1, 1024)
    reach: int = _p(
        4, "conv: squares, right of an action's square and below it, that the action may cover", 1,
        64,
    )  # fmt: skip
    pieces: int = _p(
        8, "conv: outputs of an action's square, mixed by what is not on the board", 1, 1024
    )
    pair_heads: int = _p(
        0, "entities: heads that mix their features, weighted by a number of each pair, such as "
        "the distance of islands, where the observation has one; a divisor of "
        f"{ENTITY_WIDTH}. 0: they do not", 0, ENTITY_WIDTH,
    )  # fmt: skip
    ignore: str = _p("", "observation segments to leave out: patterns such as `other*_sheet`, ...")

    eval_minutes: float = _p(1.0, "minutes between evaluations; 0: only at the end", 0)
    eval_episodes: int = _p(200, "episodes against each opponent in an evaluation", 1, 10**7)
    final_episodes: int = _p(1000, "episodes against each opponent at the end", 1, 10**7)
    opponents: str = _p(
        "random,greedy", "agents to evaluate against, separated by commas: specs such as `mcts:50` "
        "and `policy.onnx`, checkpoint files, and functions as `module:function` or "
        "`path/to/file.py:function`; with --opponent-fraction also to train against (with --ray "
        "only specs)",
    )  # fmt: skip
    play: str = _choice(
        "best", "actions in an evaluation, and of `policy.onnx`: best, the likeliest; sample, "
        "drawn from the policy", "best", "sample",
    )  # fmt: skip

    save_minutes: float = _p(1.0, "minutes between checkpoints; 0: only at the end", 0)
    torch_threads: int = _p(
        0, "threads of torch; 0: all cores, but at most 2 without a board", 0, 256
    )
    env_threads: int = _p(
        0, "threads of the environments; 0: all cores where an agent of `expert` or `opponents` "
        "searches and there is one shard, otherwise 1; results do not depend on it", 0, 256,
    )  # fmt: skip

    def check(self) -> None:
        """Refuses values out of range.

        Raises:
            playmat.InvalidArgument: Names the hyperparameter, its value and what is allowed.
        """
        for item in dataclasses.fields(self):
            value, meta = getattr(self, item.name), item.metadata
            if "allowed" in meta:
                if value not in meta["allowed"]:
                    words = ", ".join(f"`{word}`" for word in meta["allowed"])
                    raise invalid(item.name, f"got `{value}`; allowed: {words}")
            elif not isinstance(value, (str, bool)) and not meta["low"] <= value <= meta["high"]:
                raise invalid(
                    item.name, f"got {value}; allowed: {_range(meta['low'], meta['high'])}"
                )
        if self.minutes == 0 and self.total_decisions == 0:
            raise invalid(
                "minutes", "got 0 and no `total_decisions`; one of them must end the training"
            )
        if self.pair_heads and ENTITY_WIDTH % self.pair_heads:
            heads = (str(n) for n in range(1, ENTITY_WIDTH + 1) if ENTITY_WIDTH % n == 0)
            raise invalid("pair_heads", f"got {self.pair_heads}; allowed: 0, {', '.join(heads)}")
        if self.num_shards > self.num_envs:
            raise invalid(
                "num_shards", f"got {self.num_shards}; allowed: 1 to num_envs, {self.num_envs}"
            )
        if self.league and not self.opponent_fraction:
            needs = "`opponent_fraction` above 0, the share of the environments that it plays in"
            raise invalid("league", f"got {self.league}; it needs {needs}")
        if self.opponent_start and not self.opponent_fraction:
            share = "the share of the environments in which opponents play"
            needs = f"`opponent_fraction` above 0, {share}"
            raise invalid("opponent_start", f"got {self.opponent_start}; it needs {needs}")
        if self.expert != EXPERT and not self.imitation_fraction and not self.imitation_coef:
            share = "the share of the run that is imitation"
            needs = f"`imitation_fraction`, {share}, or `imitation_coef` above 0"
            raise invalid("expert", f"got `{self.expert}`; it needs {needs}")
        if self.expert_target == "visits" and not self.expert.startswith("mcts:"):
            needs = f"an `expert` that searches, such as `mcts:64`, and `expert` is `{self.expert}`"
            raise invalid("expert_target", f"got `visits`; it needs {needs}")
        for name in ("expert_share", "imitation_random"):
            if (got := getattr(self, name)) and not self.imitation_fraction:
                needs = "`imitation_fraction` above 0, the share of the run that is imitation"
                raise invalid(name, f"got {got}; it needs {needs}")
        batch = self.num_envs * self.num_steps
        for name in ("num_minibatches", "imitation_num_minibatches"):
            if (got := getattr(self, name)) > batch:
                raise invalid(
                    name, f"got {got}; a rollout has {batch} decisions (num_envs x num_steps)"
                )

    @property
    def temperature(self) -> float:
        """Of the policy that an evaluation draws actions from; 0: it takes the likeliest."""
        return 1.0 if self.play == "sample" else 0.0

    @property
    def threads(self) -> int:
        """Threads of the environments."""
        searches = "mcts:" in self.opponents or "mcts:" in self.expert
        return self.env_threads or (
            available_processors() if searches and self.num_shards == 1 else 1
        )

    def shard(self, index: int) -> slice:
        """The environments of a shard; the first shards have one more where it does not divide."""
        size, more = divmod(self.num_envs, self.num_shards)
        first = index * size + min(index, more)
        return slice(first, first + size + (index < more))


def _range(low: float, high: float) -> str:
    least, most = (f"{x:g}" if isinstance(x, float) else str(x) for x in (low, high))
    return f"at least {least}" if high == math.inf else f"{least} to {most}"


def preset(game: str, **changes: Any) -> TrainConfig:
    """The configuration for a game: defaults, the game's preset, then these changes.

    An expert among the changes begins the run with imitation (:data:`IMITATION_FRACTION`), and a
    league plays in :data:`OPPONENT_FRACTION` of the environments, where neither the preset nor the
    changes say how much.

    Raises:
        playmat.InvalidArgument: An unknown name or a value out of range.
    """
    known = sorted(item.name for item in dataclasses.fields(TrainConfig))
    for name in changes:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" (did you mean `{near[0]}`?)" if near else ""
            raise invalid(name, f"no such hyperparameter{hint}; known: {', '.join(known)}")
    values = {**PRESETS.get(game, {}), **changes}
    if "expert" in changes and not values.get("imitation_coef"):
        values.setdefault("imitation_fraction", IMITATION_FRACTION)
    if values.get("league"):
        values.setdefault("opponent_fraction", OPPONENT_FRACTION)
    config = TrainConfig(**values)
    config.check()
    return config


def add_arguments(parser: argparse.ArgumentParser, without: Sequence[str] = ()) -> None:
    """Adds an argument per hyperparameter; without a value on the command line it stays None."""
    group = parser.add_argument_group("hyperparameters (defaults before the game's preset)")
    for item in dataclasses.fields(TrainConfig):
        if item.name in without:
            continue
        name = "--" + item.name.replace("_", "-")
        shown = f"{item.metadata['doc']} (default: {item.default!r})".replace("%", "%%")
        if isinstance(item.default, bool):
            group.add_argument(
                name, action=argparse.BooleanOptionalAction, default=None, help=shown
            )
        else:
            kind = type(item.default)
            group.add_argument(name, type=kind, metavar=kind.__name__.upper(), help=shown)


def given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The hyperparameters that a command line sets."""
    names = [item.name for item in dataclasses.fields(TrainConfig)]
    found = {name: getattr(arguments, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}
