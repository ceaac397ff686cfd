//! Observations and legal actions are those of a plain reading of the state, byte by byte and square by square.

use crate::fixture::variants;
use crate::position::every_position;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graphia::Graphia;
use playmat_graphia::board::{CELLS, Cell};
use playmat_graphia::state::{Phase, Placement, Sheet, State, Terrain};
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

/// Appends a byte for each of `len` numbers: whether the condition holds.
fn flags(out: &mut Vec<u8>, len: usize, holds: impl Fn(usize) -> bool) {
    out.extend((0..len).map(|i| u8::from(holds(i))));
}

fn push_sheet(out: &mut Vec<u8>, sheet: &Sheet) {
    for terrain in Terrain::ALL {
        flags(out, CELLS, |cell| sheet.at(Cell(cell as u8)) == Some(terrain));
    }
}

fn push_score(out: &mut Vec<u8>, game: &Graphia, sheet: &Sheet) {
    out.extend(game.lines(&sheet.score).map(|line| line.unsigned_abs().min(144) as u8));
    flags(out, 6, |terrain| sheet.score.touch >> terrain & 1 != 0);
    out.push(sheet.score.empty);
}

/// The observation of a viewer, as its layout says.
fn plain_observation(game: &Graphia, state: &State, viewer: Player, full: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let (kinds, own) = (game.kinds(), &state.sheets[viewer.index()]);
    let decides = [Phase::Shape, Phase::Place, Phase::Nexus];
    flags(&mut out, 3, |i| state.acting.contains(viewer) && state.phase == decides[i]);
    push_sheet(&mut out, own);
    flags(&mut out, CELLS, |cell| {
        let (cell, number) = (Cell(cell as u8), usize::from(state.number));
        (cell.row() == number || cell.column() == number) && own.at(cell).is_none()
    });
    flags(&mut out, 8, |i| state.terrain == Some(Terrain::ALL[i]));
    let shown =
        |kind: usize| state.pair.into_iter().flatten().filter(|one| one.index() == kind).count() as u8;
    out.extend((0..kinds).map(shown));
    let chosen = state.shapes[viewer.index()].filter(|_| state.phase == Phase::Place);
    flags(&mut out, kinds, |i| chosen.is_some_and(|kind| kind.index() == i));
    flags(&mut out, 12, |i| usize::from(state.number) == i + 1);
    flags(&mut out, 8, |i| state.terrains_left >> i & 1 != 0);
    out.extend(&state.shapes_left[..kinds]);
    flags(&mut out, 12, |i| state.used >> i & 1 != 0);
    out.push(state.round.min(255) as u8);
    push_score(&mut out, game, own);
    for j in 1..game.players() {
        let sheet = &state.sheets[(viewer.index() + j) % game.players()];
        if full {
            push_sheet(&mut out, sheet);
        }
        push_score(&mut out, game, sheet);
    }
    out
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

/// Compares a position; the row of the observation holds other bytes before.
fn compare(env: &Env<Graphia>, full: bool) {
    let (game, state) = (&env.configured().game, env.state());
    for viewer in Player::all(game.players()) {
        let mut out = vec![0xaa; game.info().observation.size()];
        game.observe(state, viewer, &mut out);
        assert!(out == plain_observation(game, state, viewer, full), "player {}: {state:?}", viewer.0);
    }
    for player in env.acting().iter() {
        let legal: BTreeSet<Action> = game.legal(state, player).iter().collect();
        assert_eq!(legal, plain_legal(game, state, player), "{state:?}");
    }
}

/// Compares random play under these options. Returns the phases that were seen.
fn compare_in_play(options: &Value, full: bool) -> BTreeSet<&'static str> {
    let mut phases = BTreeSet::new();
    every_position(options, 0..6, |env| {
        compare(env, full);
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
            let phases = compare_in_play(&options, others == "full");
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
            compare_in_play(&options, true);
        }
    }
}
