"""Networks: what they read, on which device, and as ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
import torch.nn.functional as F
from onnx.reference import ReferenceEvaluator
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

import playmat
from playmat.train.config import preset
from playmat.train.encoders import network as networks
from playmat.train.encoders.bodies import ConvBody, EntityBody, Highest
from playmat.train.encoders.layout import Strips
from playmat.train.encoders.network import ILLEGAL, Network, build
from playmat.train.export import export
from playmat.train.trainer import Trainer
from training import tiny


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("graft", {}),
        ("graphia", {}),
        ("graphia", {"players": 1}),
        ("gravitix", {}),
        ("kuhn_poker", {}),
        ("connect_four", {}),
    ],
)
def test_onnx_computes_what_torch_computes(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    trainer = Trainer(name, options, tiny(name, precision="float32", greedy_bonus=0))
    trainer.update()
    path = tmp_path / "policy.onnx"
    export(trainer.network, trainer.game, path)
    obs, mask = trainer.ppo.obs[3], trainer.ppo.mask[3]
    logits, value = ReferenceEvaluator(str(path)).run(None, {"obs": obs, "mask": mask})
    with torch.no_grad():
        wanted = trainer.network(torch.from_numpy(obs), torch.from_numpy(mask))
    np.testing.assert_allclose(logits, wanted[0].numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(value, wanted[1].numpy(), rtol=1e-4, atol=1e-4)
    assert (logits[~mask] == np.float32(ILLEGAL)).all()
    properties = {p.key: p.value for p in onnx.load(str(path)).metadata_props}
    assert properties["playmat.game"] == name
    assert properties["playmat.version"] == str(trainer.game.version)


def bonus_networks(name: str, precision: str) -> tuple[Network, Network]:
    """A network, and one of the same seed with a bonus that depends on the observation."""
    game = playmat.Game(name)
    base, network = (
        build(game, tiny(name, precision=precision, greedy_bonus=start)) for start in (0.0, 2.5)
    )
    assert network.bonus is not None and not network.bonus.weight.any()
    nn.init.normal_(network.bonus.weight)
    return base, network


def seen_in_play(game: playmat.Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and the greedy agent's actions of 32 decisions."""
    with game.vec_env(32) as venv:
        venv.reset(seed=1)
        batch = venv.rollout("random", 9)
        greedy = game.agent("greedy").act_batch(venv)
        return batch.obs.copy(), batch.action_mask.copy(), greedy


@pytest.mark.parametrize("name", ["graphia", "gravitix", "leduc_poker"])
def test_a_bonus_changes_nothing_but_the_logit_of_the_greedy_action(name: str) -> None:
    game = playmat.Game(name)
    base, network = (build(game, tiny(name, greedy_bonus=start)) for start in (0.0, 2.5))
    assert network.takes_greedy and not base.takes_greedy
    own = network.state_dict()
    assert {*own} - {*base.state_dict()} == {"bonus.weight", "bonus.bias"}
    assert all(torch.equal(own[key], part) for key, part in base.state_dict().items())
    obs, mask, greedy = map(torch.from_numpy, seen_in_play(game))
    with torch.no_grad():
        logits, value = base(obs, mask)
        found, same = network(obs, mask, greedy)
        wanted = logits + 2.5 * F.one_hot(greedy, game.num_actions)
        assert torch.equal(found, wanted) and torch.equal(value, same)
        # What the agent chose for another row may be illegal here, and stays so.
        found, _ = network(obs, mask, greedy.roll(1))
        assert (found[~mask] == ILLEGAL).all()
        with pytest.raises(TypeError, match="a network with `greedy_bonus` needs `greedy`"):
            network(obs, mask)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_bonus_is_computed_in_float32(precision: str) -> None:
    base, network = bonus_networks("gravitix", precision)
    obs, mask, greedy = map(torch.from_numpy, seen_in_play(playmat.Game("gravitix")))
    plain = (obs[:, network.plain].float() - network.shift) * network.factor
    with torch.no_grad():
        assert network.bonus is not None
        bonus = network.bonus(plain)
        wanted = base(obs, mask)[0].scatter_add(1, greedy[:, None], bonus)
        torch.testing.assert_close(network(obs, mask, greedy)[0], wanted, rtol=1e-6, atol=1e-5)
    assert bonus.std() > 1


@pytest.mark.parametrize(
    ("amx", "avx512", "vendor", "reduced"),
    [
        (True, True, "GenuineIntel", True),
        (False, True, "AuthenticAMD", True),
        (False, True, "GenuineIntel", False),
        (False, False, "AuthenticAMD", False),
    ],
)
def test_bfloat16_is_used_where_it_is_faster(
    amx: bool, avx512: bool, vendor: str, reduced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, has in (("_is_amx_tile_supported", amx), ("_is_avx512_bf16_supported", avx512)):
        monkeypatch.setattr(torch.cpu, name, lambda has=has: has, raising=False)
    monkeypatch.setattr(networks, "_processors", lambda: f"vendor_id: {vendor}")
    assert networks._multiplies_bfloat16.__wrapped__("cpu") == reduced


@pytest.mark.parametrize("name", ["graphia", "gravitix", "leduc_poker"])
def test_onnx_reads_the_greedy_agents_action(name: str, tmp_path: Path) -> None:
    game, path = playmat.Game(name), tmp_path / "policy.onnx"
    base, network = bonus_networks(name, "float32")
    export(network, game, path)
    obs, mask, greedy = seen_in_play(game)
    chosen = np.eye(game.num_actions, dtype=np.uint8)[greedy]
    chosen[5] = 0  # nothing was chosen here
    given = {"obs": obs, "mask": mask, "greedy": chosen}
    logits, value = ReferenceEvaluator(str(path)).run(None, given)
    with torch.no_grad():
        tensors = [torch.from_numpy(array) for array in (obs, mask, greedy)]
        wanted, values = network(*tensors)
        wanted[5] = base(*tensors[:2])[0][5]
    np.testing.assert_allclose(logits, wanted.numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(value, values.numpy(), rtol=1e-4, atol=1e-4)
    (third,) = onnx.load(str(path)).graph.input[2:]
    assert (third.name, third.type.tensor_type.elem_type) == ("greedy", onnx.TensorProto.UINT8)
    export(base, game, path)
    assert [given.name for given in onnx.load(str(path)).graph.input] == ["obs", "mask"]


@pytest.mark.parametrize(
    ("indices", "parts"),
    [
        ([3, 4, 5, 9, 10], 2),  # one row
        ([[3, 4, 12], [5, 6, 16]], 2),  # rows two apart, then four
        ([[3, 4], [6, 7], [8, 9]], 0),  # three apart, then two: no views
        ([[8, 9], [3, 4]], 0),
        ([5, 4, 4], 3),
        ([], 0),
    ],
)
def test_strips_take_the_columns_that_indexing_takes(indices: list[Any], parts: int) -> None:
    columns = np.array(indices, np.int64)
    strips = Strips.of(columns)
    assert len(strips.parts) == parts
    x = torch.arange(40, dtype=torch.uint8).reshape(2, 20)
    assert torch.equal(strips.take(x), x[:, torch.from_numpy(np.atleast_2d(columns))])


@pytest.mark.parametrize("heads", [1, 4])
def test_entities_read_each_other_by_the_number_of_the_two(heads: int) -> None:
    """Pair by pair, head by head."""
    game = playmat.Game("gravitix")
    config = preset("gravitix", width=8, precision="float32", pair_heads=heads)
    network = Network(game, config)
    assert network.columns.entities is not None and isinstance(network.body, EntityBody)
    pairs = network.body.pairs
    assert pairs is not None
    plain, each = torch.randn(3, len(network.columns.plain)), torch.randn(3, 12, 64)
    with torch.no_grad():
        got = pairs(plain, each)
        sent, size = pairs.send(each).relu(), 64 // heads
        wanted = torch.zeros(3, 12, 64)
        for i in range(12):
            for j in range(12):
                number = plain[:, network.columns.entities.pairs[12 * i + j]]
                for head in range(heads):
                    scale, shift = pairs.near.weight[head, 0], pairs.near.bias[head]
                    units = slice(head * size, (head + 1) * size)
                    weight = (number * scale + shift).sigmoid()[:, None]
                    wanted[:, i, units] += weight * sent[:, j, units] / 6
        wanted = pairs.receive(wanted)
    torch.testing.assert_close(got, wanted, rtol=1e-4, atol=1e-5)


def test_without_heads_or_numbers_of_pairs_entities_do_not_read_each_other() -> None:
    for game, changes in [
        (playmat.Game("gravitix"), {"pair_heads": 0}),
        (playmat.Game("rafts"), {"network": "entities", "pair_heads": 4}),
    ]:
        body = Network(game, preset(game.name, width=8, **changes)).body  # type: ignore[arg-type]
        assert isinstance(body, EntityBody) and body.pairs is None


def test_like_things_are_read_with_the_same_weights() -> None:
    game = playmat.Game("gravitix")
    network = Network(game, preset("gravitix", width=8, precision="float32"))
    entities = network.columns.entities
    assert entities is not None and isinstance(network.body, EntityBody)
    layout = {segment.name: segment for segment in game.observation_layout}
    # Twelve islands: the segments of each, and its row of the matrix of distances.
    row = np.arange(layout["island5_place"].offset, layout["island6_place"].offset)
    table = layout["island_distance"].offset + 5 * 12 + np.arange(12)
    assert entities.numbers.shape == (12, 36 + 12)
    assert list(network.columns.plain[entities.numbers[5]]) == [*row, *table]
    flags = ("place", "ability", "colour")
    found = [layout[f"island5_{name}"] for name in flags]
    assert list(entities.flags[5]) == [b for s in found for b in range(s.offset, s.offset + len(s))]

    # Two islands that change places: the units of each stay the same.
    plain = torch.randn(1, len(network.columns.plain))
    swapped = plain.clone()
    swapped[:, network.body.numbers[[2, 7]]] = plain[:, network.body.numbers[[7, 2]]]
    with torch.no_grad():
        one, two = (network.body.read(x[:, network.body.numbers]) for x in (plain, swapped))
    assert torch.equal(one[:, [2, 7]], two[:, [7, 2]]) and not torch.equal(one, two)
    # Every pair's number, row by row.
    assert list(network.columns.plain[entities.pairs]) == [
        *range(layout["island_distance"].offset, layout["island_distance"].offset + 144)
    ]
    assert Network(game, preset("gravitix", network="mlp")).columns.entities is None
    # Fewer than four are read one by one only if the configuration says so.
    rafts = playmat.Game("rafts")
    assert Network(rafts, preset("rafts")).columns.entities is None
    three = Network(rafts, preset("rafts", network="entities")).columns.entities
    assert three is not None and len(three.numbers) == 3
    # The viewer's own segments belong to the group of the others', from two players on.
    for players, size in ((2, None), (4, 4)):
        graven = playmat.Game("graven", players=players)
        found = Network(graven, preset("graven")).columns.entities
        assert (found and len(found.numbers)) == size
        two = Network(graven, preset("graven", network="entities")).columns.entities
        assert two is not None and len(two.numbers) == players


def test_the_gradient_of_a_maximum_goes_to_every_highest_row() -> None:
    x = torch.tensor([[[1.0, 5.0], [3.0, 5.0], [2.0, 4.0]]], requires_grad=True)
    highest = Highest.apply(x)
    assert highest.tolist() == [[3.0, 5.0]]
    highest.backward(torch.tensor([[10.0, 7.0]]))
    assert x.grad is not None
    assert x.grad.tolist() == [[[0.0, 7.0], [10.0, 7.0], [0.0, 0.0]]]

    rows = torch.randn(6, 4, 5, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(6, 5, dtype=torch.float64)
    ours, torchs = (
        torch.autograd.grad((f(rows) * weights).sum(), rows)[0]
        for f in (Highest.apply, lambda x: x.amax(1))
    )
    assert torch.equal(ours, torchs)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_squares_are_left_out_only_where_no_action_is_on_one(share: float) -> None:
    game = playmat.Game("graphia", players=2)
    network = Network(game, tiny("graphia", precision="float32", greedy_bonus=0))
    body = network.body
    assert isinstance(body, ConvBody) and body.on_squares == [(7, game.num_actions)]
    nn.init.normal_(body.piece.weight)
    obs = torch.randint(0, 2, (100, *game.observation_shape), dtype=torch.uint8)
    mask = torch.zeros(100, game.num_actions, dtype=torch.bool)
    on_squares = torch.arange(100) < 100 * share
    mask[~on_squares, :2] = True
    mask[on_squares, 300:310] = True
    seen: list[int] = []
    body.wanted.register_forward_hook(lambda module, given, result: seen.append(len(result)))

    def run(mask: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        network.zero_grad()
        logits, value = network(obs, mask)
        (logits.log_softmax(1)[on_legal].sum() + value.sum()).backward()
        return logits, [p.grad.clone() for p in network.parameters() if p.grad is not None]

    on_legal = mask
    some, some_gradients = run(mask)
    # A square for all: then nothing is left out.
    body.on_squares = [(0, game.num_actions)]
    every, gradients = run(mask)
    assert seen == [{0.0: 32, 0.3: 32, 1.0: 100}[share], 100]
    torch.testing.assert_close(some[mask], every[mask])
    for one, other in zip(some_gradients, gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_large_boards_get_convolutions_and_ignored_segments_are_not_read() -> None:
    game = playmat.Game("graphia")
    network = Network(game, preset("graphia", channels=4, width=8, greedy_bonus=0))
    columns = network.columns
    assert columns.board == (12, 12) and columns.heads == ((7, 4),)
    assert columns.planes.size == 9 * 144 and list(columns.rest) == list(range(7))
    rng = np.random.default_rng(0)
    obs = rng.integers(0, 2, (2, *game.observation_shape), np.uint8)
    mask = torch.ones((2, game.num_actions), dtype=torch.bool)
    other = game.observation_layout["other1_sheet"].offset
    changed = obs.copy()
    changed[:, other : other + 1152] ^= 1
    with torch.no_grad():
        one, two = network(torch.from_numpy(obs), mask), network(torch.from_numpy(changed), mask)
    assert torch.equal(one[0], two[0]) and torch.equal(one[1], two[1])
    assert Network(game, preset("graphia", network="mlp")).columns.board == (0, 0)


@pytest.mark.parametrize("name", ["graphia", "gravitix", "connect_four"])
def test_all_of_a_network_moves_to_another_device(name: str) -> None:
    """With tensors that have a device and no data, as there may be no such device here."""
    game = playmat.Game(name)
    network = Network(game, preset(name, width=8, channels=4, precision="float32", greedy_bonus=0))
    assert network.device.type == "cpu"
    with FakeTensorMode():
        for module in network.modules():
            for tensors in (module._parameters, module._buffers):
                for key, tensor in tensors.items():
                    if tensor is not None:
                        tensors[key] = torch.empty(tensor.shape, dtype=tensor.dtype, device="cuda")
        assert network.device.type == "cuda"
        obs = torch.zeros((2, *game.observation_shape), dtype=torch.uint8, device="cuda")
        mask = torch.ones((2, game.num_actions), dtype=torch.bool, device="cuda")
        with torch.no_grad():
            logits, value = network(obs, mask)
    assert logits.device.type == value.device.type == "cuda"
    assert logits.shape == (2, game.num_actions) and value.shape == (2,)
