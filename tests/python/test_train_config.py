"""Hyperparameters and presets; wrong use of the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import playmat
from playmat.cli import main
from playmat.train.config import TrainConfig, preset
from playmat.train.encoders.network import device_of
from playmat.train.presets import PRESETS


def test_presets_are_valid_and_every_hyperparameter_has_a_doc_line() -> None:
    for name in PRESETS:
        preset(name)
        assert name in playmat.games()
    for item in TrainConfig.__dataclass_fields__.values():
        assert len(item.metadata["doc"]) > 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "graphja"], "unknown game `graphja` (did you mean `graphia`?)"),
        (["train", "kuhn_poker", "-o", "players=9"], "option `players`"),
        (["train", "kuhn_poker", "--learning-rate=7"], "argument `learning_rate`: got 7.0; allowed: 0 to 1"),
        (["train", "kuhn_poker", "--seed=9223372036854775808"],
         "argument `seed`: got 9223372036854775808; allowed: 0 to 9223372036854775807"),
        (["train", "kuhn_poker", "--imitation-coef=-1"], "argument `imitation_coef`: got -1.0; allowed: 0 to 10"),
        (["train", "kuhn_poker", "--greedy-bonus=-1"], "argument `greedy_bonus`: got -1.0; allowed: 0 to 100"),
        (["train", "kuhn_poker", "--greedy-bonus=101"], "argument `greedy_bonus`: got 101.0; allowed: 0 to 100"),
        (["train", "kuhn_poker", "--greedy-bonus=nan"], "argument `greedy_bonus`: got nan; allowed: 0 to 100"),
        (["train", "kuhn_poker", "--win-bonus=-1"], "argument `win_bonus`: got -1.0; allowed: 0 to 1000"),
        (["train", "graven", "--win-bonus=1"], "argument `win_bonus`: got 1; the reward `outcome` pays nothing but"),
        (["train", "kuhn_poker", "--learn-fraction=0"], "argument `learn_fraction`: got 0.0; allowed: 0.01 to 1"),
        (["train", "gravitix", "--pair-heads=3"], "argument `pair_heads`: got 3; allowed: 0, 1, 2, 4, 8, 16, 32, 64"),
        (["train", "kuhn_poker", "--num-envs=0"], "argument `num_envs`: got 0; allowed: 1 to 1048576"),
        (["train", "kuhn_poker", "--num-minibatches=100000"],
         "argument `num_minibatches`: got 100000; a rollout has 16384 decisions (num_envs x num_steps)"),
        (["train", "kuhn_poker", "--imitation-num-minibatches=16385"],
         "argument `imitation_num_minibatches`: got 16385; a rollout has 16384 decisions"),
        (["train", "kuhn_poker", "--minutes=0"], "argument `minutes`: got 0 and no `total_decisions`"),
        (["train", "kuhn_poker", "--network=big"], "argument `network`: got `big`; allowed: `auto`"),
        (["train", "kuhn_poker", "--num-steps=2"], "argument `num_steps`: got 2; above 2, the number of"),
        (["train", "kuhn_poker", "--opponent-start=0.5"], "argument `opponent_start`: got 0.5; it needs `opponent_fraction` above 0"),
        (["train", "kuhn_poker", "--opponent-fraction=1.5"], "argument `opponent_fraction`: got 1.5; allowed: 0 to 1"),
        (["train", "kuhn_poker", "--network=entities"], "got `entities`; the game's observation"),
        (["train", "kuhn_poker", "--network=conv"], "argument `network`: got `conv`; the game has no"),
        (["train", "kuhn_poker", "--ignore=nothing*"], "argument `ignore`: got `nothing*`, which no segment matches"),
        (["train", "kuhn_poker", "--opponents=expert"], "argument `opponents`: got `expert`"),
        (["train", "kuhn_poker", "--resume=nowhere.pt"], "argument `resume`: got `nowhere.pt`; there is no such file"),
        (["train", "kuhn_poker", "--expert=mcts:16", "--imitation-fraction=0"],
         "argument `expert`: got `mcts:16`; it needs `imitation_fraction`, the share of the run that is imitation, or `imitation_coef`"),
        (["train", "kuhn_poker", "--league=2", "--opponent-fraction=0"], "argument `league`: got 2; it needs `opponent_fraction` above 0"),
        (["train", "graft", "--expert=mcts:16", "--imitation-fraction=0", "--imitation-coef=0"], "argument `expert`: got `mcts:16`; it needs"),
        (["train", "kuhn_poker", "--expert=nobody"], "argument `expert`: got `nobody`"),
        (["train", "kuhn_poker", "--imitation-fraction=1", "--expert-target=visits"],
         "argument `expert_target`: got `visits`; it needs an `expert` that searches, such as `mcts:64`, and `expert` is `greedy`"),
        (["train", "kuhn_poker", "--expert=nobody", "--imitation-coef=0.1"], "argument `expert`: got `nobody`; allowed"),
        (["train", "kuhn_poker", "--imitation-random=0.1", "--imitation-coef=0.1"],
         "argument `imitation_random`: got 0.1; it needs `imitation_fraction` above 0"),
    ],
)  # fmt: skip
def test_wrong_use(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", ["--lr=1e-3", "--envs=8", "--anneal=1", "--steps=9", "--value=1"]
)
def test_names_are_whole_and_have_no_aliases(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An abbreviation could mean another hyperparameter."""
    with pytest.raises(SystemExit) as refused:
        main(["train", "kuhn_poker", option])
    assert refused.value.code == 2
    assert f"unrecognized arguments: {option}" in capsys.readouterr().err
    with pytest.raises(playmat.InvalidArgument, match=r"`num_env`: no such .*mean `num_envs`\?"):
        preset("kuhn_poker", num_env=8)


def test_an_expert_and_a_league_need_no_further_option() -> None:
    def shares(name: str, **changes: Any) -> tuple[float, float, float]:
        config = preset(name, **changes)
        return config.imitation_fraction, config.imitation_coef, config.opponent_fraction

    assert shares("graven") == (0, 0, 0)
    assert shares("graven", expert="mcts:16") == (0.5, 0, 0)
    assert shares("graven", expert="mcts:16", imitation_coef=0.0) == (0.5, 0, 0)
    assert shares("graven", expert="greedy") == (0.5, 0, 0)
    assert shares("graven", league=2) == (0, 0, 0.5)
    assert shares("graven", league=0) == (0, 0, 0)
    # What the caller or the preset says counts.
    assert shares("graven", expert="mcts:16", imitation_coef=0.1) == (0, 0.1, 0)
    assert shares("graven", expert="mcts:16", imitation_fraction=0.2) == (0.2, 0, 0)
    assert shares("rafts", expert="mcts:16", league=2) == (0.25, 0.1, 0.25)
    assert shares("graven", league=2, opponent_fraction=0.1) == (0, 0, 0.1)


def test_names_are_those_of_cleanrl() -> None:
    names = set(TrainConfig.__dataclass_fields__)
    assert names >= {
        "seed", "learning_rate", "num_envs", "num_steps", "anneal_lr", "gamma", "gae_lambda",
        "num_minibatches", "update_epochs", "norm_adv", "clip_coef", "ent_coef", "vf_coef",
        "max_grad_norm", "target_kl",
    }  # fmt: skip


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_is_refused_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert device_of(TrainConfig()).type == device_of(TrainConfig(device="cpu")).type == "cpu"
    assert main(["train", "kuhn_poker", "--device=cuda"]) == 2
    assert "argument `device`: got `cuda`; torch finds no CUDA" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["train kuhn_poker", "arena kuhn_poker --agents random FILE", "demo"]
)
def test_a_missing_package_is_named_with_its_extra(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    path = tmp_path / "checkpoint.pt"
    path.touch()
    assert main(command.replace("FILE", str(path)).split()) == 2
    said = capsys.readouterr().err
    assert "needs the package `torch`" in said and "pip install 'playmat[train]'" in said


def test_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, playmat.cli; playmat.cli.build_parser(); print('torch' in sys.modules or 'onnx' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
