//! Graphia's greedy agent: how well it plays.

use crate::content::MIXED;
use crate::fixture::{against_random, configured};
use playmat_conformance::testing::{greedy_as, greedy_in_play};
use playmat_core::prelude::*;
use playmat_graphia::Graphia;
use playmat_graphia::board::{Board, CELLS, Cell};
use playmat_graphia::state::{Kind, Phase, Placement, Sheet, State, Terrain};
use serde_json::json;

#[test]
fn greedy_wins_nine_games_in_ten_as_either_player() {
    for player in 0..2 {
        let found = against_random(&json!({}), player, 200);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
        let (own, other) = (found.scores[player].mean, found.scores[1 - player].mean);
        assert!(own > 90.0 && own > other + 30.0, "player {player}: {own} against {other}");
    }
}

#[test]
fn greedy_wins_under_every_option() {
    for options in [
        json!({"nexus_gate": "group"}),
        json!({"nexus_gate": "both"}),
        json!({"nexus_adjacency": "all"}),
        json!({"desert_scoring": "pair"}),
    ] {
        let found = against_random(&options, 1, 40);
        assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
    }
}

#[test]
fn greedy_wins_with_eight_players() {
    let found = against_random(&json!({"players": 8}), 5, 20);
    assert!(found.victories[5] >= 0.9, "{:?}", found.victories);
}

/// The greedy agent's decision, from sheets with each of the drawings.
fn plain(game: &Graphia, state: &State, player: Player, rng: &mut Rng) -> Action {
    let sheet = &state.sheets[player.index()];
    let kinds = match (state.phase, state.pair, state.shapes[player.index()]) {
        (Phase::Shape, Some(pair), _) => pair.to_vec(),
        (Phase::Place, _, Some(kind)) => vec![kind],
        _ => vec![],
    };
    let mut offers = Vec::new();
    for kind in kinds {
        let shape = game.shape(kind);
        for turn in 0..shape.turns {
            for cell in shape.corners(turn, state.number, &sheet.empty().movable()).iter() {
                let mut after = *sheet;
                let squares = shape.squares_at(turn, cell.index());
                game.scoring().draw_shape(&mut after, state.terrain.unwrap(), squares);
                let action = match state.phase {
                    Phase::Shape => game.shape_action(kind),
                    _ => game.place_action(Placement::new(turn, cell)),
                };
                offers.push((after.score.total, action));
            }
        }
    }
    if state.phase == Phase::Nexus {
        for cell in sheet.empty().and(state.line()).iter() {
            let mut after = *sheet;
            game.scoring().draw_nexus(&mut after, Board::one(cell));
            offers.push((after.score.total, game.place_action(Placement::new(0, cell))));
        }
    }
    let (mut best, mut chosen, mut ties) = (i16::MIN, Action(0), 0);
    for (score, action) in offers {
        if score > best {
            (best, ties) = (score, 0);
        }
        if score == best {
            ties += 1;
            if ties == 1 || rng.below(ties) == 0 {
                chosen = action;
            }
        }
    }
    chosen
}

/// A sheet with terrains of a few kinds, of any density, in single squares or side by side.
fn any_sheet(game: &Graphia, rng: &mut Rng) -> Sheet {
    let (density, apart, kinds) = (rng.below(101), rng.below(3) == 0, 1 + rng.below(8));
    let first = rng.below(8);
    let mut sheet = Sheet::new();
    for cell in (0..CELLS as u8).map(Cell) {
        let skipped = apart && (cell.row() + cell.column()) % 2 == 0;
        if !skipped && rng.below(100) < density {
            let terrain = Terrain::ALL[((first + rng.below(kinds)) % 8) as usize];
            sheet.set_plane(terrain, sheet.plane(terrain).with(cell));
        }
    }
    sheet.score = game.scoring().score(&sheet);
    sheet
}

#[test]
fn greedy_decides_and_draws_as_one_that_makes_every_drawing() {
    let (mut decisions, mut most_groups) = (0, 0);
    for options in [
        json!({}),
        json!({"content": MIXED}),
        json!({"nexus_gate": "both", "desert_scoring": "pair", "content": MIXED}),
        json!({"nexus_gate": "group", "nexus_adjacency": "all"}),
        json!({"nexus_gate": "both", "nexus_adjacency": "all"}),
        json!({"desert_scoring": "pair"}),
    ] {
        let game = &*configured(&options).game;
        let twin = |state: &State, player, rng: &mut Rng| plain(game, state, player, rng);
        greedy_in_play(game, decisions, 200, twin, |_, _, _| ());
        let mut rng = Rng::from_seed(decisions);
        for _ in 0..4_000 {
            let mut state = game.deal(&mut rng, &mut Silent);
            let player = Player(0);
            state.sheets[0] = any_sheet(game, &mut rng);
            let terrain = Terrain::ALL[rng.below(6) as usize];
            let kinds = game.kinds() as u32;
            let pair = [Kind(rng.below(kinds) as u8), Kind(rng.below(kinds) as u8)];
            state.phase = [Phase::Shape, Phase::Place, Phase::Nexus][rng.below(3) as usize];
            state.terrain = Some(if state.phase == Phase::Nexus { Terrain::Nexus } else { terrain });
            state.pair = (state.phase != Phase::Nexus).then_some(pair);
            state.shapes[0] = (state.phase == Phase::Place).then_some(pair[0]);
            state.number = 1 + rng.below(12) as u8;
            let before = rng;
            greedy_as(game, &state, player, &mut rng, twin);
            if rng != before && state.phase != Phase::Nexus {
                most_groups = most_groups.max(groups(state.sheets[0].plane(terrain)));
            }
            decisions += u64::from(rng != before);
        }
    }
    // Of many decisions some are on sheets with more groups than the agent has bits for.
    assert!(decisions > 8_000 && most_groups > 60, "{decisions} decisions, up to {most_groups} groups");
}

/// Parts that are connected by edges.
fn groups(mut plane: Board) -> u32 {
    let mut count = 0;
    while let Some(cell) = plane.first() {
        plane = plane.minus(Board::one(cell).flood(plane));
        count += 1;
    }
    count
}
