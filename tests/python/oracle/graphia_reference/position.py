"""A position of the game: who decides what, what follows, what is observed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .chance import ScriptedChance
from .content import Options, turn_clockwise
from .scoring import score_frozen, squares_of, touches_nexus
from .sheet import (
    CELLS,
    DESOLATION,
    EMPTY,
    NEXUS,
    SIX,
    SIZE,
    TERRAINS,
    Frozen,
    covered,
    drawn,
    freeze,
    in_line,
    nexus_cells,
    shape_placements,
)

MAX_ROUND = 9999


class Position:
    """A position of the game as in GG-R21; phase and who is to act follow from the fields.

    ``from_dict`` returns a settled position (somebody must choose, or the game is over) and
    ``apply`` leaves a settled one.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        players = options.players
        self.sheets: list[Frozen] = [(EMPTY * SIZE,) * SIZE] * players
        self.used: list[int] = []
        """Used Desolation numbers, ascending."""
        self.round: int = 0
        self.terrain_left: list[str] = list(TERRAINS)
        """Terrain cards left, in terrain order."""
        self.shapes_left: list[int] = [kind.copies for kind in options.kinds]
        """Polyomino cards left, by kind."""
        self.terrain: str = ""
        self.pair: tuple[int, int] | None = None
        self.number: int | None = None
        self.shapes: list[int | None] = [None] * players
        """Kind chosen by each player in this round's ``shape`` phase, else None."""
        self.places: list[int | None] = [None] * players
        """PLACE action chosen by each player in this round, else None."""
        self.last_delta: list[int] = [0] * players
        """Change of each player's current score in the last ``from_dict`` or ``apply``."""

    # -- construction ---------------------------------------------------------------------

    @staticmethod
    def from_dict(options: Options, data: dict[str, Any]) -> Position:
        """A settled position (GG-R21). Terrains are letters, kinds are ids; nobody has chosen yet."""
        position = Position(options)
        index = {kind.id: k for k, kind in enumerate(options.kinds)}
        position.sheets = [freeze(sheet) for sheet in data["sheets"]]
        position.used = sorted(data["used"])
        position.round = data["round"]
        position.terrain_left = sorted(data["terrain_left"], key=TERRAINS.index)
        position.shapes_left = [data["shapes_left"].get(kind.id, 0) for kind in options.kinds]
        position.terrain = data["terrain"]
        if data["pair"]:
            first, second = data["pair"]
            position.pair = (index[first], index[second])
        position.number = data["number"]
        position._settle(ScriptedChance([]))
        return position

    # -- what is legal in this round --------------------------------------------------------

    def _turns_and_cells(self, player: int, kind: int) -> tuple[tuple[int, int], ...]:
        assert self.number is not None
        return shape_placements(self.sheets[player], self.options.kinds[kind].rows, self.number)

    def placements(self, player: int, kind: int) -> list[int]:
        """All legal PLACE actions of a kind on this player's sheet in this polyomino round."""
        return sorted(self.place_action(t, cell) for t, cell in self._turns_and_cells(player, kind))

    def placeable(self, player: int) -> list[int]:
        """The different kinds of the pair that the player can draw."""
        assert self.pair is not None
        return [kind for kind in sorted(set(self.pair)) if self._turns_and_cells(player, kind)]

    def _shape_choices(self, player: int) -> list[int]:
        """The two kinds if the player takes part in this round's ``shape`` phase, else []."""
        if self.terrain not in SIX:
            return []
        kinds = self.placeable(player)
        return kinds if len(kinds) == 2 else []

    def _owes_shape(self, player: int) -> bool:
        return bool(self._shape_choices(player)) and self.shapes[player] is None

    def shape_of(self, player: int) -> int | None:
        """The player's shape of this polyomino round: chosen, or the only placeable one."""
        if self.terrain not in SIX:
            return None
        if self.shapes[player] is not None:
            return self.shapes[player]
        kinds = self.placeable(player)
        return kinds[0] if len(kinds) == 1 else None

    def _place_actions(self, player: int) -> list[int]:
        kind = self.shape_of(player)
        return [] if kind is None else self.placements(player, kind)

    def _must_place(self, player: int) -> bool:
        """Must the player decide in ``place``, all shapes being known (5.1, 5.2)?"""
        count = len(self._place_actions(player))
        if count == 0:
            return False
        if count >= 2:
            return True
        return self.options.players >= 2 and self.shapes[player] is not None

    def _nexus_actions(self, player: int) -> list[int]:
        assert self.number is not None
        return [
            self.place_action(0, cell) for cell in nexus_cells(self.sheets[player], self.number)
        ]

    def _must_place_nexus(self, player: int) -> bool:
        return len(self._nexus_actions(player)) >= 2

    def place_action(self, t: int, cell: int) -> int:
        """The number of PLACE(t, cell) (5.3)."""
        return len(self.options.kinds) + CELLS * t + cell

    def decode_place(self, action: int) -> tuple[int, int]:
        """(t, cell) of a PLACE action."""
        rest = action - len(self.options.kinds)
        return rest // CELLS, rest % CELLS

    @property
    def action_count(self) -> int:
        """Size of the action space."""
        return len(self.options.kinds) + 4 * CELLS

    # -- phases -----------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """GG-R7: a polyomino round in which nobody can draw either shape."""
        return self.terrain in SIX and all(
            not self.placeable(player) for player in range(self.options.players)
        )

    def running_phase(self) -> str:
        """One of "shape", "place", "nexus", "end"; before settling "desolation", "reveal" too."""
        players = range(self.options.players)
        if self.terrain == DESOLATION:
            return "desolation"
        if self.terrain == NEXUS:
            if any(self._must_place_nexus(s) and self.places[s] is None for s in players):
                return "nexus"
            return "reveal"
        if self.is_over:
            return "end"
        if any(self._owes_shape(s) for s in players):
            return "shape"
        if any(self._must_place(s) and self.places[s] is None for s in players):
            return "place"
        return "reveal"

    def phase(self, player: int) -> str | None:
        """The decision this player owes in the running phase: "shape", "place", "nexus" or None."""
        running = self.running_phase()
        if running == "shape" and self._owes_shape(player):
            return "shape"
        if running == "place" and self._must_place(player) and self.places[player] is None:
            return "place"
        if running == "nexus" and self._must_place_nexus(player) and self.places[player] is None:
            return "nexus"
        return None

    def acting(self) -> list[int]:
        """The players that must decide now, simultaneously (in the turn view the first one decides)."""
        return [player for player in range(self.options.players) if self.phase(player) is not None]

    def legal_actions(self, player: int) -> list[int]:
        """Sorted legal actions of the player now; [] if it owes no decision."""
        phase = self.phase(player)
        if phase == "shape":
            return self._shape_choices(player)
        if phase == "place":
            return self._place_actions(player)
        if phase == "nexus":
            return self._nexus_actions(player)
        return []

    def apply(self, player: int, action: int, chance: ScriptedChance) -> None:
        """Buffer one decision and run on until somebody must choose or the game is over."""
        phase = self.phase(player)
        if action not in self.legal_actions(player):
            raise ValueError(f"action {action} of player {player} is not legal")
        if phase == "shape":
            self.shapes[player] = action
        else:
            self.places[player] = action
        self._settle(chance)

    # -- what runs without a choice -----------------------------------------------------------

    def _begin_round(self, chance: ScriptedChance) -> None:
        """All chance of the next round, in the order of the rules page."""
        players = self.options.players
        self.round = min(self.round + 1, MAX_ROUND)
        self.shapes = [None] * players
        self.places = [None] * players
        self.pair = None
        self.number = None
        if not self.terrain_left:
            self.terrain_left = list(TERRAINS)
        code = chance.draw("terrain", [TERRAINS.index(t) for t in self.terrain_left])
        self.terrain = TERRAINS[code]
        self.terrain_left.remove(self.terrain)
        if self.terrain == DESOLATION:
            unused = [n for n in range(1, 13) if n not in self.used]
            if unused:
                self.number = chance.draw("desolation", unused)
            return
        if self.terrain in SIX:
            first = self._draw_card("first", chance, None)
            second = self._draw_card("second", chance, first)
            self.pair = (first, second)
        self.number = chance.draw("die", list(range(1, 13)))

    def _draw_card(self, what: str, chance: ScriptedChance, kept: int | None) -> int:
        """Draw a polyomino card; renew an empty deck without the card ``kept`` (GG-R2d, R2e)."""
        if sum(self.shapes_left) == 0:
            self.shapes_left = [kind.copies for kind in self.options.kinds]
            if kept is not None:
                self.shapes_left[kept] -= 1
        cards = [kind for kind, n in enumerate(self.shapes_left) for _ in range(n)]
        card = chance.draw(what, cards)
        self.shapes_left[card] -= 1
        return card

    def _draw_desolation(self) -> None:
        """GG-R5, GG-Q7."""
        if self.number is None:
            return
        square = (self.number - 1, self.number - 1)
        self.sheets = [drawn(sheet, [square], DESOLATION) for sheet in self.sheets]
        self.used = sorted([*self.used, self.number])

    def _reveal(self) -> None:
        """Draw all choices and forced placements of the round at once."""
        drawings: list[int | None] = []
        for player in range(self.options.players):
            action = self.places[player]
            if action is None:
                nexus = self.terrain == NEXUS
                actions = self._nexus_actions(player) if nexus else self._place_actions(player)
                assert len(actions) <= 1
                action = actions[0] if actions else None
            drawings.append(action)
        shapes = [self.shape_of(player) for player in range(self.options.players)]
        for player, action in enumerate(drawings):
            if action is None:
                continue
            t, cell = self.decode_place(action)
            shape = shapes[player]
            rows: tuple[str, ...] = ("#",) if shape is None else self.options.kinds[shape].rows
            for _ in range(t):
                rows = turn_clockwise(rows)
            squares = covered(rows, cell)
            assert all(self.sheets[player][r][c] == EMPTY for r, c in squares)
            self.sheets[player] = drawn(self.sheets[player], squares, self.terrain)

    def _settle(self, chance: ScriptedChance) -> None:
        before = [self.total(player) for player in range(self.options.players)]
        while True:
            running = self.running_phase()
            if running in ("shape", "place", "nexus", "end"):
                break
            if running == "desolation":
                self._draw_desolation()
            else:
                self._reveal()
            self._begin_round(chance)
        after = [self.total(player) for player in range(self.options.players)]
        self.last_delta = [b - a for a, b in zip(before, after, strict=True)]

    # -- scores and returns -----------------------------------------------------------------

    def score_lines(self, player: int) -> list[int]:
        """The 13 current score lines (GG-R20): terrain points MFRDTAX, groups MFRDTA."""
        return score_frozen(self.sheets[player], self.options)

    def total(self, player: int) -> int:
        """The current total (GG-R18)."""
        return sum(self.score_lines(player))

    def winners(self) -> list[int]:
        """All players with the highest total."""
        totals = [self.total(player) for player in range(self.options.players)]
        return [player for player, total in enumerate(totals) if total == max(totals)]

    def returns(self, kind: str) -> list[float]:
        """Rewards per player after the last step.

        "outcome" and "score" are 0 before the end; "score_delta" is the change of the current
        score in the last ``apply`` (or in the start / loading).
        """
        players = self.options.players
        if kind == "score_delta":
            return [float(delta) for delta in self.last_delta]
        if kind == "score":
            if not self.is_over:
                return [0.0] * players
            return [float(self.total(player)) for player in range(players)]
        if kind == "outcome":
            if players == 1:
                raise ValueError("outcome is not offered to one player")
            if not self.is_over:
                return [0.0] * players
            winners = self.winners()
            values = [1 / len(winners) if player in winners else 0.0 for player in range(players)]
            return [(players * v - 1) / (players - 1) for v in values]
        raise ValueError(f"unknown returns {kind}")

    # -- observation --------------------------------------------------------------------------

    def observation_segments(self, viewer: int) -> list[tuple[str, Sequence[int]]]:
        """The observation of a player as (segment name, bytes) in order."""
        kinds = range(len(self.options.kinds))
        running = self.running_phase()
        owed = self.phase(viewer)
        sheet = self.sheets[viewer]
        number = self.number
        shape = self.shape_of(viewer) if running == "place" else None
        target = [
            int(sheet[r][c] == EMPTY and number is not None and in_line(r, c, number))
            for r in range(SIZE)
            for c in range(SIZE)
        ]
        segments: list[tuple[str, Sequence[int]]] = [
            ("phase", [int(owed == name) for name in ("shape", "place", "nexus")]),
            ("own_sheet", _planes(sheet)),
            ("target", target),
            ("terrain", [int(t == self.terrain) for t in TERRAINS]),
            ("shapes_shown", [(self.pair or ()).count(k) for k in kinds]),
            ("shape_chosen", [int(k == shape) for k in kinds]),
            ("die", [int(n == number) for n in range(1, 13)]),
            ("terrain_left", [int(t in self.terrain_left) for t in TERRAINS]),
            ("shapes_left", list(self.shapes_left)),
            ("desolations_used", [int(n in self.used) for n in range(1, 13)]),
            ("round", [min(self.round, 255)]),
            ("own_lines", self._line_bytes(viewer)),
            ("own_touch", self._touch_bytes(viewer)),
            ("own_empty", [_empty(sheet)]),
        ]
        players = self.options.players
        for step in range(1, players):
            other = (viewer + step) % players
            if self.options.observe_others == "full":
                segments.append((f"other{step}_sheet", _planes(self.sheets[other])))
            segments.append((f"other{step}_lines", self._line_bytes(other)))
            segments.append((f"other{step}_touch", self._touch_bytes(other)))
            segments.append((f"other{step}_empty", [_empty(self.sheets[other])]))
        return segments

    def observation(self, player: int) -> bytes:
        """The observation vector of a player."""
        return b"".join(bytes(part) for _, part in self.observation_segments(player))

    def _line_bytes(self, player: int) -> list[int]:
        lines = self.score_lines(player)
        lines[3] = -lines[3]  # the points lost by deserts
        return [min(line, 144) for line in lines]

    def _touch_bytes(self, player: int) -> bytes:
        return _touch(self.sheets[player], self.options.nexus_adjacency)


# Every player observes every sheet after every decision, and sheets rarely change.


@lru_cache(maxsize=20_000)
def _planes(sheet: Frozen) -> bytes:
    return bytes(
        sheet[r][c] == terrain for terrain in TERRAINS for r in range(SIZE) for c in range(SIZE)
    )


@lru_cache(maxsize=20_000)
def _touch(sheet: Frozen, adjacency: str) -> bytes:
    return bytes(touches_nexus(sheet, terrain, adjacency) for terrain in SIX)


@lru_cache(maxsize=20_000)
def _empty(sheet: Frozen) -> int:
    return len(squares_of(sheet, EMPTY))
