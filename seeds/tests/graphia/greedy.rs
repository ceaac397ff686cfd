//! Graphia's greedy agent: how well it plays.

use crate::fixture::{against_random, configured};
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graphia::Graphia;
use playmat_graphia::action::Choice;
use playmat_graphia::board::Board;
use playmat_graphia::state::{Kind, Placement, State};
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

/// The most that the own sheet can score after a drawing that starts with this choice, counted from nothing.
fn best_after(game: &Graphia, state: &State, player: Player, action: Action) -> i16 {
    let sheet = &state.sheets[player.index()];
    let terrain = state.terrain.unwrap();
    let after = |squares: Board| {
        let mut sheet = *sheet;
        sheet.set_plane(terrain, sheet.plane(terrain).or(squares));
        game.scoring().score(&sheet).total
    };
    let place = |kind: Kind, place: Placement| {
        let (turn, cell) = (place.turn(), place.cell());
        after(game.shape(kind).squares_at(turn, cell.index()))
    };
    match (game.choice(action), state.shapes[player.index()]) {
        (Choice::Shape(kind), _) => {
            let shape = game.shape(kind);
            let all = (0..shape.turns).flat_map(|turn| {
                let corners = shape.corners(turn, state.number, &sheet.empty().movable());
                corners.iter().map(move |cell| Placement::new(turn, cell)).collect::<Vec<_>>()
            });
            all.map(|spot| place(kind, spot)).max().unwrap()
        }
        (Choice::Place(spot), Some(kind)) => place(kind, spot),
        (Choice::Place(spot), None) => after(Board::one(spot.cell())),
    }
}

#[test]
fn greedy_takes_a_drawing_that_scores_most_now() {
    let (mut decisions, mut distinct) = (0, 0);
    for (k, options) in [
        json!({}),
        json!({"nexus_gate": "both", "desert_scoring": "pair"}),
        json!({"nexus_gate": "group", "nexus_adjacency": "all"}),
    ]
    .iter()
    .enumerate()
    {
        let configured = configured(options);
        let mut env = Env::new(configured.clone(), k as u64);
        while let Some(player) = env.current_player() {
            let chosen = env.act(&Greedy, player).unwrap();
            let worth = |action| best_after(&configured.game, env.state(), player, action);
            let all: Vec<i16> = env.legal(player).iter().map(worth).collect();
            let most = all.iter().max().copied().unwrap();
            assert_eq!(worth(chosen), most, "decision {decisions} under {options}");
            distinct += usize::from(all.iter().any(|&score| score < most));
            decisions += 1;
            // Sheets that greedy players would not make are looked at as well.
            let action = if decisions % 3 == 0 { env.sample_action(player).unwrap() } else { chosen };
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(decisions > 300 && distinct > decisions / 2, "{distinct} of {decisions}");
}
