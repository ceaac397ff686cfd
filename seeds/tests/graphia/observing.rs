//! Observations and legal actions are those of a plain reading of the state, segment by segment and square by square.

use crate::fixture::variants;
use crate::position::{every_position, observed};
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graphia::Graphia;
use playmat_graphia::board::{CELLS, Cell};
use playmat_graphia::state::{Phase, Placement, State, Terrain};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// One row for each shape, rows of a shape separated by `/`: as many kinds as a content can have.
const SHAPES: [&str; 16] = [
    "#",
    "##",
    "###",
    "####",
    "######",
    "##/##",
    ".#./###",
    ".##/##.",
    "##./.##",
    "#../###",
    "..#/###",
    "#####",
    ".#./###/.#.",
    "##/##/#.",
    "#.#/###",
    "###/.#./.#.",
];

/// A content with the first kinds of [`SHAPES`], two cards of the first one.
fn content(kinds: usize) -> String {
    let mut text = String::from("name = \"graphia\"\n");
    for (k, shape) in SHAPES[..kinds].iter().enumerate() {
        let rows: Vec<&str> = shape.split('/').collect();
        let copies = if k == 0 && kinds < SHAPES.len() { 2 } else { 1 };
        text += &format!("[[polyomino]]\nid = \"s{k}\"\ncopies = {copies}\nrows = {rows:?}\n");
    }
    text
}

/// A byte for each of `len` numbers: whether the condition holds.
fn flags(len: usize, holds: impl Fn(usize) -> bool) -> Vec<u8> {
    (0..len).map(|i| u8::from(holds(i))).collect()
}

/// What a segment of `len` bytes must hold.
fn expected(game: &Graphia, state: &State, viewer: Player, name: &str, len: usize) -> Vec<u8> {
    if let Some((j, part)) = testing::subject(name) {
        let sheet = &state.sheets[(viewer.index() + j) % game.players()];
        return match part {
            "sheet" => flags(len, |i| sheet.at(Cell((i % CELLS) as u8)) == Some(Terrain::ALL[i / CELLS])),
            "lines" => game.lines(&sheet.score).map(|line| line.unsigned_abs().min(144) as u8).to_vec(),
            "touch" => flags(len, |terrain| sheet.score.touch >> terrain & 1 != 0),
            "empty" => vec![sheet.score.empty],
            _ => panic!("{name}"),
        };
    }
    let number = usize::from(state.number);
    match name {
        "phase" => {
            let decides = [Phase::Shape, Phase::Place, Phase::Nexus];
            flags(len, |i| state.acting.contains(viewer) && state.phase == decides[i])
        }
        "target" => flags(len, |cell| {
            let cell = Cell(cell as u8);
            (cell.row() == number || cell.column() == number)
                && state.sheets[viewer.index()].at(cell).is_none()
        }),
        "terrain" => flags(len, |i| state.terrain == Some(Terrain::ALL[i])),
        "shapes_shown" => {
            let shown = |kind| state.pair.into_iter().flatten().filter(|one| one.index() == kind).count();
            (0..len).map(|kind| shown(kind) as u8).collect()
        }
        "shape_chosen" => {
            let chosen = state.shapes[viewer.index()].filter(|_| state.phase == Phase::Place);
            flags(len, |i| chosen.is_some_and(|kind| kind.index() == i))
        }
        "die" => flags(len, |i| number == i + 1),
        "terrain_left" => flags(len, |i| state.terrains_left >> i & 1 != 0),
        "shapes_left" => state.shapes_left[..len].to_vec(),
        "desolations_used" => flags(len, |i| state.used >> i & 1 != 0),
        "round" => vec![state.round.min(255) as u8],
        _ => panic!("{name}"),
    }
}

/// The legal actions of a player who must decide.
fn plain_legal(game: &Graphia, state: &State, player: Player) -> BTreeSet<Action> {
    let sheet = &state.sheets[player.index()];
    let in_line = |cell: Cell| state.line().contains(cell);
    let is_empty = |cell: Cell| sheet.at(cell).is_none();
    let cells = || (0..CELLS as u8).map(Cell);
    match (state.phase, state.shapes[player.index()]) {
        (Phase::Shape, _) => state.pair.into_iter().flatten().map(|kind| game.shape_action(kind)).collect(),
        (Phase::Place, Some(kind)) => {
            let shape = game.shape(kind);
            let fits = |turn: usize, corner: Cell| {
                let turned = &shape.orientations[turn];
                let squares = || {
                    turned.offsets[..shape.squares].iter().map(|offset| Cell(corner.0.wrapping_add(*offset)))
                };
                corner.row() + usize::from(turned.height) <= 13
                    && corner.column() + usize::from(turned.width) <= 13
                    && squares().all(is_empty)
                    && squares().any(in_line)
            };
            (0..shape.turns)
                .flat_map(|turn| cells().map(move |corner| (turn, corner)))
                .filter(|&(turn, corner)| fits(turn, corner))
                .map(|(turn, corner)| game.place_action(Placement::new(turn, corner)))
                .collect()
        }
        (Phase::Nexus, _) => cells()
            .filter(|&cell| is_empty(cell) && in_line(cell))
            .map(|cell| game.place_action(Placement::new(0, cell)))
            .collect(),
        _ => BTreeSet::new(),
    }
}

/// Compares a position.
fn compare(env: &Env<Graphia>) {
    let (game, state) = (&env.configured().game, env.state());
    for viewer in Player::all(game.players()) {
        let out = observed(game, state, viewer.0);
        for segment in &game.info().observation.segments {
            let expected = expected(game, state, viewer, &segment.name, segment.len());
            let found = &out[segment.offset..][..segment.len()];
            assert_eq!(found, expected, "{} of player {}: {state:?}", segment.name, viewer.0);
        }
    }
    for player in env.acting().iter() {
        let legal: BTreeSet<Action> = game.legal(state, player).iter().collect();
        assert_eq!(legal, plain_legal(game, state, player), "{state:?}");
    }
}

/// Compares random play under these options. Returns the phases that were seen.
fn compare_in_play(options: &Value) -> BTreeSet<&'static str> {
    let mut phases = BTreeSet::new();
    every_position(options, 0..6, |env| {
        compare(env);
        phases.insert(env.state().phase.name());
    });
    phases
}

#[test]
fn observations_and_legal_actions_are_those_of_a_plain_reading() {
    for mut options in variants() {
        for (players, others) in [(1, "full"), (2, "full"), (3, "summary"), (8, "full")] {
            options["players"] = json!(players);
            options["observe_others"] = json!(others);
            let phases = compare_in_play(&options);
            assert_eq!(
                phases.into_iter().collect::<Vec<_>>(),
                ["end", "nexus", "place", "shape"],
                "{options}"
            );
        }
    }
}

#[test]
fn contents_of_any_number_of_kinds_are_read_alike() {
    for kinds in [1, 2, 3, 7, 15, 16] {
        for players in [1, 2] {
            let options = json!({"players": players, "content": content(kinds)});
            compare_in_play(&options);
        }
    }
}
