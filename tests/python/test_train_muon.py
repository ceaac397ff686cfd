"""Muon for hidden layers: which weights it has, what a step does, and what a checkpoint keeps of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import playmat
from playmat.train.encoders.network import build
from playmat.train.muon import Muon, hidden
from playmat.train.trainer import Trainer, resume
from training import tiny


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("leduc_poker", ["one", "two"]),
        ("gravitix", ["one", "context", "read", "judge", "two"]),
        ("graphia", ["context", "count", "one", "two", "hidden"]),
    ],
)
def test_hidden_layers_are_those_between_hidden_units(game: str, names: list[str]) -> None:
    network = build(playmat.Game(game), tiny(game, greedy_bonus=2.0))
    wanted = [network.get_parameter(f"body.{name}.weight") for name in names]
    found = hidden(network)
    assert len(found) == len(wanted)
    assert all(p is q for p, q in zip(found, wanted, strict=True))


@pytest.mark.parametrize("form", [torch.contiguous_format, torch.channels_last])
def test_a_kernel_moves_as_the_matrix_of_its_outputs(form: torch.memory_format) -> None:
    torch.manual_seed(1)
    kernel = nn.Conv2d(3, 5, 3).to(memory_format=form).weight  # type: ignore[call-overload]
    matrix = nn.Parameter(kernel.detach().clone().contiguous().flatten(1))
    own = Muon([kernel], 0.1)
    other = torch.optim.Muon([matrix], lr=0.1, weight_decay=0.0)
    for step in range(3):
        gradient = torch.randn(5, 3, 3, 3)
        # A gradient has the memory format of its weight, or another one.
        kernel.grad = gradient.to(memory_format=form) if step else gradient
        matrix.grad = gradient.flatten(1)
        before = kernel.detach().clone()
        own.set_learning_rate(0.1 / (step + 1))
        other.param_groups[0]["lr"] = 0.1 / (step + 1)
        own.step()
        other.step()
        assert (kernel != before).any()
        # The order of the columns differs, and with it the rounding of products in bfloat16.
        assert torch.allclose(kernel.detach().flatten(1), matrix.detach(), atol=4e-3)
    moved = kernel.detach() - before
    size = torch.linalg.svdvals(moved.flatten(1)) / (0.1 / 3)
    assert ((size > 0.6) & (size < 1.3)).all(), size


def test_adam_has_the_other_weights() -> None:
    config = tiny("leduc_poker", total_decisions=512, muon_learning_rate=0.05, learning_rate=0.0)
    trainer = Trainer("leduc_poker", {}, config)
    before = {name: p.detach().clone() for name, p in trainer.network.named_parameters()}
    trainer.update()
    moved = {name for name, p in trainer.network.named_parameters() if (p != before[name]).any()}
    assert moved == {"body.one.weight", "body.two.weight"}
    # Its learning rate is annealed with Adam's.
    muon = trainer.ppo.muon
    assert muon is not None and muon.optimizer.param_groups[0]["lr"] == 0.05
    trainer.update()
    assert muon.optimizer.param_groups[0]["lr"] == pytest.approx(0.05 * (1 - 128 / 512))


def test_averages_load_in_another_memory_format() -> None:
    torch.manual_seed(2)
    plain = nn.Conv2d(3, 5, 3).weight
    last = nn.Parameter(plain.detach().clone().to(memory_format=torch.channels_last))
    one, other, fresh = (Muon([weight], 0.1) for weight in (plain, last, last))
    gradients = torch.randn(2, 5, 3, 3, 3)
    plain.grad = gradients[0].clone()
    one.step()
    with torch.no_grad():
        last.copy_(plain)
    state = one.state()
    other.load(state)
    assert torch.equal(other.state()["averages"][0], state["averages"][0])
    before = plain.detach().clone()
    for muon in (one, other, fresh):
        with torch.no_grad():
            last.copy_(before)
        plain.grad, last.grad = gradients[1].clone(), gradients[1].clone()
        muon.step()
        if muon is not one:
            # Rounding in bfloat16, or another average.
            assert torch.allclose(last, plain, atol=4e-3) == (muon is other)
    with pytest.raises(ValueError, match="other shapes"):
        Muon([nn.Conv2d(3, 5, 2).weight], 0.1).load(state)


def test_resume_continues_bit_by_bit(tmp_path: Path) -> None:
    config = tiny("leduc_poker", total_decisions=4 * 128, muon_learning_rate=0.02)
    through, first = (
        Trainer("leduc_poker", {}, config),
        Trainer("leduc_poker", {}, config, tmp_path),
    )
    for _ in range(4):
        through.update()
    for _ in range(2):
        first.update()
    first.save()
    path = tmp_path / "checkpoint.pt"
    second = resume(path)
    for _ in range(2):
        second.update()
    for name, value in through.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    with pytest.raises(playmat.InvalidArgument, match=r"`muon_learning_rate`: got 0\.0; the check"):
        resume(path, muon_learning_rate=0.0)
    Trainer("leduc_poker", {}, tiny("leduc_poker"), tmp_path).save()
    with pytest.raises(
        playmat.InvalidArgument, match=r"`muon_learning_rate`: got 0\.02; the check"
    ):
        resume(path, muon_learning_rate=0.02)


def test_torch_without_muon_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch.optim, "Muon")
    with pytest.raises(
        playmat.InvalidArgument, match=r"`muon_learning_rate`: got 0\.02; it needs torch"
    ):
        Trainer("leduc_poker", {}, tiny("leduc_poker", muon_learning_rate=0.02))
    Trainer("leduc_poker", {}, tiny("leduc_poker"))
