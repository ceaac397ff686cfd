"""Tests of the reference: the worked examples of the rules page, and some more."""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

import graphia_reference as gg
import pytest
from graphia_reference import Kind, Options, Position, ScriptedChance, score_sheet

BAR, BOX, T, S, Z, J, L = range(7)
FULL_LEFT = {"I": 1, "O": 1, "T": 2, "S": 1, "Z": 1, "J": 1, "L": 1}
BLANK = tuple("." * 12 for _ in range(12))


def sheet_with(squares: dict[tuple[int, int], str], base: str = ".") -> list[str]:
    """A sheet from 1-based squares."""
    cells = [[base] * 12 for _ in range(12)]
    for (r, c), letter in squares.items():
        cells[r - 1][c - 1] = letter
    return ["".join(row) for row in cells]


def load(
    sheets: list[list[str]],
    terrain: str,
    pair: str,
    number: int | None,
    *,
    chance: gg.Chance | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Position:
    """A position with full decks otherwise."""
    left = Counter(FULL_LEFT)
    left.subtract(pair)
    data = {
        "options": {"players": len(sheets), **(options or {})},
        "sheets": sheets,
        "used": [],
        "round": 5,
        "terrain_left": gg.TERRAINS.replace(terrain, ""),
        "shapes_left": dict(left),
        "terrain": terrain,
        "pair": list(pair) or None,
        "number": number,
        **more,
    }
    return Position.from_dict(json.loads(json.dumps(data)), chance)


def count(kind: int, number: int, sheet: tuple[str, ...] = BLANK) -> int:
    return len(gg.shape_placements(sheet, gg.DEFAULT_KINDS[kind].rows, number))


def split(sheet: list[str] | str, **options: Any) -> tuple[list[int], list[int], int]:
    rows = sheet.split() if isinstance(sheet, str) else sheet
    lines = score_sheet(rows, Options(**options))
    return lines[:7], lines[7:], sum(lines)


# -- worked examples ----------------------------------------------------------------------------


def test_gg_e1_i_on_line_7() -> None:
    placements = gg.shape_placements(BLANK, gg.DEFAULT_KINDS[BAR].rows, 7)
    lying = [cell for t, cell in placements if t == 0]
    assert sum(1 for cell in lying if cell // 12 == 6) == 9
    assert sum(1 for cell in lying if cell // 12 != 6) == 44
    assert all(4 <= cell % 12 + 1 <= 7 for cell in lying if cell // 12 != 6)
    assert sum(1 for t, _ in placements if t == 1) == 53
    assert len(placements) == 106


def test_gg_e2_o_on_line_1() -> None:
    cells = [cell for _, cell in gg.shape_placements(BLANK, gg.DEFAULT_KINDS[BOX].rows, 1)]
    assert sum(1 for cell in cells if cell // 12 == 0) == 11
    assert sum(1 for cell in cells if cell % 12 == 0) == 11
    assert sum(1 for cell in cells if cell == 0) == 1
    assert len(cells) == 21


def test_gg_e3_full_line() -> None:
    walled = sheet_with({(1, n): "M" for n in range(1, 13)} | {(n, 1): "M" for n in range(1, 13)})
    assert all(count(kind, 1, tuple(walled)) == 0 for kind in range(7))
    assert load([walled], "F", "IT", 1).is_over
    # Nexus: nobody can draw, the game goes on.
    on = load([walled], "X", "", 1, chance=ScriptedChance.rounds([("F", (BAR, T), 2)]))
    assert not on.is_over and on.round == 6 and on.terrain == "F"
    # Two players: the walled one skips, the other draws.
    two = load([walled, list(BLANK)], "F", "IT", 1)
    assert two.acting() == [1] and two.phase(0) is None
    two.apply(1, BAR, ScriptedChance())
    assert two.acting() == [1]
    two.apply(1, two.place_action(0, 0), ScriptedChance.rounds([("D", (BOX, S), 7)]))
    assert list(gg.freeze(two.sheets[0])) == walled
    assert gg.freeze(two.sheets[1])[0] == "FFFF........"


def test_gg_e4_desolation_on_a_nexus() -> None:
    sheet = sheet_with({(5, 5): "X", (5, 4): "A", (5, 3): "A", (4, 3): "R", (6, 5): "R"})
    before = score_sheet(sheet)
    assert before == [0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 2]
    after = load([sheet], "O", "", 5, chance=ScriptedChance.rounds([("M", (T, T), 3)]))
    assert after.sheets[0][4][4] == "O" and after.used == [5] and after.round == 6
    assert after.score_lines(0) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2]
    assert after.last_delta == [-3]
    # A terrain that touches another Nexus keeps its gate.
    sheet[4] = "X" + sheet[4][1:]
    sheet[3] = "A" + sheet[3][1:]
    other = load([sheet], "O", "", 5, chance=ScriptedChance.rounds([("M", (T, T), 3)]))
    assert other.score_lines(0) == [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 2]


def test_gg_e5_all_twelve_numbers_used() -> None:
    sheet = sheet_with({(n, n): "O" for n in range(1, 13)})
    chance = ScriptedChance.rounds([("M", (T, S), 3)])
    position = load([sheet], "O", "", None, chance=chance, used=list(range(1, 13)))
    assert list(gg.freeze(position.sheets[0])) == sheet
    assert position.round == 6 and not chance.queue
    assert position.terrain_left == list("FRDTAX")
    # Drawn in play: no number is passed.
    left = load([sheet], "X", "", 1, used=list(range(1, 13)), terrain_left="O")
    chance = ScriptedChance.rounds([("O", (), None), ("R", (BAR, BOX), 12)])
    left.apply(0, left.legal_actions(0)[0], chance)
    assert left.round == 7 and left.terrain == "R" and not chance.queue
    assert left.terrain_left == list("MFDTAXO")


def test_gg_e6_river() -> None:
    squares = {(6, c): "R" for c in range(1, 13)} | {(6, 6): "O", (7, 1): "X"}
    lines = score_sheet(sheet_with(squares))
    assert (lines[2], lines[9]) == (0, 6)
    squares |= {(5, 5): "R", (5, 6): "R", (5, 7): "R"}
    lines = score_sheet(sheet_with(squares))
    assert (lines[2], lines[9]) == (12, 14)
    del squares[(7, 1)]
    lines = score_sheet(sheet_with(squares))
    assert (lines[2], lines[9]) == (0, 14)


def test_gg_e7_desert() -> None:
    squares = {(1, 1): "D", (1, 3): "D", (1, 2): "T"}
    for scoring, more, points in (
        ("square", False, -2),
        ("pair", False, -2),
        ("square", True, -2),
        ("pair", True, -3),
    ):
        sheet = sheet_with(squares | ({(2, 1): "T"} if more else {}))
        for gate in ("terrain", "group", "both"):
            options = Options(desert_scoring=scoring, nexus_gate=gate)
            assert score_sheet(sheet, options)[3] == points


def test_gg_e8_nexus() -> None:
    sheet = sheet_with({(2, 3): "X", (1, 3): "F", (2, 2): "O", (2, 4): "F", (3, 3): "R"})
    assert score_sheet(sheet)[6] == 2


def test_gg_e9_gate() -> None:
    bare = sheet_with({(1, c): "M" for c in range(1, 5)})
    gated = sheet_with({(1, c): "M" for c in range(1, 5)} | {(2, 1): "X"})
    assert split(bare) == ([0] * 7, [4, 0, 0, 0, 0, 0], 4)
    assert split(gated) == ([4, 0, 0, 0, 0, 0, 1], [4, 0, 0, 0, 0, 0], 9)
    assert split(bare, nexus_gate="group") == ([4] + [0] * 6, [0] * 6, 4)
    assert split(gated, nexus_gate="group")[2] == 9
    assert split(bare, nexus_gate="both")[2] == 0
    assert split(gated, nexus_gate="both")[2] == 9


E10 = """
TFDMMMDDDAMM
FDDDDDDDDRRA
FDOFDDT.....
RRRRRRRRRRRR
AADMMMMAXFRR
AAXMMOMFFFMR
DAADMTXAFFMR
.RAAARROFFAF
.TAAATRTTFFF
FRAFAAAMTTMM
FFFFFRDMTTTT
DF.MMRRRMMMM
"""


def test_gg_e10_sample() -> None:
    expected = ([12, 6, 12, -2, 8, 11, 10], [8, 12, 16, 15, 8, 16], 132)
    assert sum(expected[0]) == 57 and sum(expected[1]) == 75
    for gate in ("terrain", "group", "both"):
        for desert in ("square", "pair"):
            assert split(E10, nexus_gate=gate, desert_scoring=desert) == expected
            wide = split(E10, nexus_gate=gate, desert_scoring=desert, nexus_adjacency="all")
            assert wide == ([12, 6, 12, -2, 8, 11, 11], expected[1], 133)


class TerrainScript:
    """Chance with the terrain cards as given, all else random."""

    def __init__(self, terrains: list[str], rng: random.Random) -> None:
        self.terrains = terrains
        self.rng = rng

    def draw(self, what: str, choices: Sequence[int]) -> int:
        if what == "terrain" and self.terrains:
            return gg.TERRAINS.index(self.terrains.pop(0))
        return self.rng.choice(choices)


def test_gg_e11_decks() -> None:
    for seed in range(6):
        rng = random.Random(seed)
        terrains = list("MFRDTAO")
        rng.shuffle(terrains)
        terrains.append("X")  # so that round 8 can be looked at before any further card

        script = TerrainScript(terrains, rng)
        position = Position.new(Options(players=1), script)
        seen = {position.terrain}
        while position.round < 8:
            position.apply(0, rng.choice(position.legal_actions(0)), script)
            seen.add(position.terrain)
        assert position.round == 8 and position.terrain_left == []
        assert seen >= set("MFRDTAX")
        assert sum(position.shapes_left) == 4
        position.apply(0, position.legal_actions(0)[0], script)
        assert position.round >= 9 and len(position.terrain_left) == 16 - position.round


def test_gg_e12_placement_table() -> None:
    table = {
        1: [40, 21, 80, 40, 40, 80, 80],
        2: [62, 40, 152, 76, 76, 152, 152],
        3: [84, 40, 188, 94, 94, 188, 188],
    }
    for n in range(1, 13):
        row = table.get(min(n, 13 - n), [106, 40, 188, 94, 94, 188, 188])
        assert [count(kind, n) for kind in range(7)] == row


def play_place(kind: int, other: int, number: int, t: int, cell: tuple[int, int]) -> list[str]:
    names = "IOTSZJL"
    position = load([list(BLANK)], "F", names[kind] + names[other], number)
    position.apply(0, kind, ScriptedChance())
    action = position.place_action(t, 12 * (cell[0] - 1) + cell[1] - 1)
    position.apply(0, action, ScriptedChance.rounds([("X", (), 1)]))
    return list(gg.freeze(position.sheets[0]))


def test_gg_e13_action_numbers() -> None:
    position = load([list(BLANK)], "F", "TL", 7)
    assert position.action_count == 583
    assert position.place_action(3, 12 * 5 + 2) == 7 + 432 + 62 == 501
    assert position.place_action(2, 12 * 7 + 1) == 380
    assert play_place(T, L, 7, 3, (6, 3)) == sheet_with(
        {(6, 4): "F", (7, 3): "F", (7, 4): "F", (8, 4): "F"}
    )
    assert play_place(L, T, 8, 2, (8, 2)) == sheet_with(
        {(8, 2): "F", (8, 3): "F", (8, 4): "F", (9, 2): "F"}
    )
    nexus = load([list(BLANK)], "X", "", 4)
    assert 54 in nexus.legal_actions(0) and len(nexus.legal_actions(0)) == 23
    nexus.apply(0, 54, ScriptedChance.rounds([("F", (T, L), 1)]))
    assert list(gg.freeze(nexus.sheets[0])) == sheet_with({(4, 12): "X"})


NOOK = {(3, 5): ".", (3, 6): ".", (3, 7): ".", (4, 6): "."}
NEXT = [("A", (BAR, J), 1)]


def test_gg_e14_forced_draw() -> None:
    sheet = sheet_with(NOOK, "M")
    for roll in range(1, 13):
        position = load([sheet], "F", "TS", roll, chance=ScriptedChance.rounds(NEXT))
        assert position.is_over
        if 3 <= roll <= 7:
            assert position.round == 6
            assert list(gg.freeze(position.sheets[0])) == [row.replace(".", "F") for row in sheet]
        else:
            assert position.round == 5 and list(gg.freeze(position.sheets[0])) == sheet
            assert position.terrain == "F" and position.number == roll
    placements = gg.shape_placements(tuple(sheet), gg.DEFAULT_KINDS[T].rows, 3)
    assert placements == ((2, 12 * 2 + 4),)


E15 = """
MMMMTT......
X...TT......
FFFF........
.......A....
RRRRRRRRRRRR
AAA..D......
.....DTXD...
............
............
............
............
............
"""


def test_gg_e15_gates() -> None:
    groups = [4, 4, 12, 2, 4, 3]
    assert split(E15) == ([4, 2, 0, -1, 1, 0, 4], groups, 39)
    gated = [4, 4, 0, 2, 4, 0]
    assert split(E15, nexus_gate="group") == ([4, 2, 12, -1, 1, 4, 4], gated, 40)
    assert split(E15, nexus_gate="both") == ([4, 2, 0, -1, 1, 0, 4], gated, 24)


def test_gg_e16_adjacency() -> None:
    squares = {(4, 5): "X", (3, 5): "M", (4, 6): "M", (4, 7): "M", (3, 4): "F", (3, 6): "T"}
    squares |= {(5, 4): "R", (6, 4): "R", (5, 6): "D", (5, 7): "D", (5, 5): "O"}
    sheet = sheet_with(squares)
    assert split(sheet) == ([0, 0, 0, 0, 0, 0, 1], [2, 1, 2, 2, 1, 0], 9)
    wide = split(sheet, nexus_adjacency="all")
    assert wide == ([0, 0, 0, 0, 1, 0, 5], [2, 1, 2, 2, 1, 0], 14)


def test_gg_e17_single_placement() -> None:
    hole = {(9, 2): ".", (9, 3): ".", (10, 2): ".", (10, 3): "."}
    sheet = sheet_with(NOOK | hole, "M")
    one = load([sheet], "F", "TO", 3)
    assert one.phase(0) == "shape" and one.legal_actions(0) == [BOX, T]
    one.apply(0, T, ScriptedChance.rounds([("A", (BAR, J), 3)]))
    assert one.round == 6 and one.is_over
    assert list(gg.freeze(one.sheets[0])) == sheet_with(dict.fromkeys(NOOK, "F") | hole, "M")
    for shape, action in ((T, 323), (BOX, 104)):
        two = load([sheet, list(BLANK)], "F", "TO", 3)
        assert two.acting() == [0, 1]
        two.apply(0, shape, ScriptedChance())
        assert two.acting() == [1] and two.running_phase() == "shape"
        two.apply(1, BOX, ScriptedChance())
        assert two.acting() == [0, 1] and two.running_phase() == "place"
        assert two.legal_actions(0) == [action]


# -- end and scores -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games", "rounds", "bound"),
    [(1, 120, 32, 51), (2, 60, 35, 99), (4, 25, 38, 195), (8, 10, 41, 387)],
)
def test_section_8_random_play(players: int, games: int, rounds: int, bound: int) -> None:
    records = [gg.play_random(players, seed) for seed in range(games)]
    finals = [record.final for record in records]
    totals = [final.total(player) for final in finals for player in range(players)]
    decisions = [n for record in records for n in record.decisions]
    played = [final.round for final in finals]
    print(
        f"P={players} rounds {statistics.mean(played):.1f} max {max(played)}"
        f" decisions {statistics.mean(decisions):.1f} totals {statistics.mean(totals):.1f}"
        f" sd {statistics.pstdev(totals):.1f} crossings"
        f" {sum(f.score_lines(s)[2] > 0 for f in finals for s in range(players))}"
    )
    assert abs(statistics.mean(played) - rounds) < 3
    assert max(played) <= 56 and max(played) <= bound
    assert 44 <= statistics.mean(decisions) <= 55
    assert 46 <= statistics.mean(totals) <= 66
    assert 6 <= statistics.pstdev(totals) <= 14
    for record in records:
        sums = [record.final.total(player) for player in range(players)]
        assert record.delta_sums == sums
        assert record.steps <= 78 * players + 1
        assert record.final.round <= bound
        assert record.final.returns("score") == sums


# -- more -----------------------------------------------------------------------------------------


def test_section_9_counts() -> None:
    table = {
        "I": ["####", "#/#/#/#"],
        "O": ["##/##"],
        "T": [".#./###", "#./##/#.", "###/.#.", ".#/##/.#"],
        "S": [".##/##.", "#./##/.#"],
        "Z": ["##./.##", ".#/##/#."],
        "J": ["#../###", "##/#./#.", "###/..#", ".#/.#/##"],
        "L": ["..#/###", "#./#./##", "###/#..", "##/.#/.#"],
    }
    free: Counter[str] = Counter()
    ever: set[tuple[int, int]] = {(0, cell) for cell in range(144)}
    for kind in gg.DEFAULT_KINDS:
        turned = gg.orientations(kind.rows)
        assert ["/".join(rows) for _, rows in turned] == table[kind.id]
        assert [t for t, _ in turned] == list(range(len(turned)))
        every = {p for n in range(1, 13) for p in gg.shape_placements(BLANK, kind.rows, n)}
        free[kind.id] = len(every)
        ever |= every
    assert free == {"I": 216, "O": 121, "T": 440, "S": 220, "Z": 220, "J": 440, "L": 440}
    assert 7 + len(ever) == 490


def test_observation_sizes() -> None:
    for mode, each in (("full", 1172), ("summary", 20)):
        for players in range(1, 9):
            options = Options(players=players, observe_others=mode)
            position = Position.new(options, gg.random_chance(random.Random(players)))
            assert len(position.observation(players - 1)) == 1381 + each * (players - 1)


def test_observation_mid_round() -> None:
    position = load([list(BLANK)] * 3, "F", "TO", 3)
    start = [position.observation(player) for player in range(3)]
    position.apply(1, T, ScriptedChance())
    assert position.acting() == [0, 2]
    assert position.observation(0) == start[0] and position.observation(2) == start[2]
    mine = dict(position.observation_segments(1))
    assert mine["phase"] == [0, 0, 0] and mine["shape_chosen"] == [0] * 7
    position.apply(0, BOX, ScriptedChance())
    position.apply(2, T, ScriptedChance())
    mine = dict(position.observation_segments(1))
    assert mine["phase"] == [0, 1, 0] and mine["shape_chosen"] == [0, 0, 1, 0, 0, 0, 0]
    position.apply(1, position.legal_actions(1)[0], ScriptedChance())
    mine = dict(position.observation_segments(1))
    assert mine["phase"] == [0, 0, 0] and mine["shape_chosen"] == [0, 0, 1, 0, 0, 0, 0]
    assert mine["own_empty"] == [144] and mine["shapes_shown"] == [0, 1, 1, 0, 0, 0, 0]
    assert sum(mine["target"]) == 23


def test_gg_r2e_odd_deck() -> None:
    kinds = (Kind("a", 2, ("##",)), Kind("b", 1, ("#",)))
    chance = ScriptedChance.rounds([("M", (0, 0), 1)])
    position = Position.new(Options(players=1, kinds=kinds), chance)
    assert position.shapes_left == [0, 1] and position.phase(0) == "place"
    # The b left is first, the deck is renewed without it: {a, a}.
    with pytest.raises(ValueError, match="impossible"):
        position.copy().apply(0, 2, ScriptedChance.rounds([("F", (1, 1), 1)]))
    position.apply(0, 2, ScriptedChance.rounds([("F", (1, 0), 1)]))
    assert position.pair == (1, 0) and position.shapes_left == [1, 0]
    assert len(position.observation(0)) == 1381 - 3 * 5


def test_json_round_trip_and_replay() -> None:
    options = Options(players=3, nexus_gate="both", nexus_adjacency="all", desert_scoring="pair")
    record = gg.play_random(3, 77, options, turn_order=False)
    chance = ScriptedChance(record.chance_log)
    position = Position.new(options, chance)
    for player, action in record.actions:
        again = Position.from_dict(json.loads(json.dumps(position.to_dict())))
        assert again.to_dict() == position.to_dict()
        assert [again.observation(s) for s in range(3)] == [
            position.observation(s) for s in range(3)
        ]
        position.apply(player, action, chance)
    assert position.to_dict() == record.final.to_dict() and not chance.queue
    assert Position.from_dict(position.to_dict()).is_over
    assert abs(sum(position.returns("outcome"))) < 1e-9


def test_outcome_returns() -> None:
    def ended(bests: set[int], players: int) -> list[float]:
        full = sheet_with({}, "M")
        worse = sheet_with({(1, 2): "F", (2, 1): "F"}, "M")
        sheets = [full if player in bests else worse for player in range(players)]
        return load(sheets, "F", "TO", 3).returns("outcome")

    assert ended({0}, 2) == [1, -1] and ended({0, 1}, 2) == [0, 0]
    assert ended({1, 3}, 4) == pytest.approx([-1 / 3, 1 / 3, -1 / 3, 1 / 3])


@pytest.mark.parametrize(
    "change",
    [
        {"sheets": [list(BLANK)]},
        {"sheets": [list(BLANK), list(BLANK)[:11]]},
        {"sheets": [list(BLANK), sheet_with({(1, 1): "Q"})]},
        {"sheets": [list(BLANK), sheet_with({(1, 2): "O"})]},
        {"sheets": [list(BLANK), sheet_with({(1, 1): "O"})]},
        {"used": [4]},
        {"used": [4, 4]},
        {"used": [13]},
        {"number": None},
        {"number": 13},
        {"terrain_left": "FM"},
        {"terrain_left": "MM"},
        {"shapes_left": {"T": 2}},
        {"pair": None},
        {"terrain": "X", "terrain_left": ""},
        {"round": 0},
        {"shapes": ["I", None]},
        {"shapes": ["T", None], "places": [7 + 24, None]},
        {"shapes": ["T", "T"], "places": [7 + 100, None]},
    ],
)
def test_gg_r22_refused(change: dict[str, Any]) -> None:
    data = load([list(BLANK)] * 2, "F", "TO", 3).to_dict()
    Position.from_dict(data)
    with pytest.raises(ValueError):
        Position.from_dict({**data, **change})
