//! What is said against states that no JSON gives: the fields of a saved state, changed one by one.

use crate::fixture::{Position, act, configured, full_but, story};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::{MAX_PLAYERS, Player, Players, Show};
use playmat_graphia::Graphia;
use playmat_graphia::board::Board;
use playmat_graphia::state::{Kind, Phase, Placement, Sheet, State, Terrain};
use serde_json::json;

/// What is said against a state.
fn problems(game: &Graphia, state: &State) -> String {
    game.validate(state).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A round of two in which player 1 has placed a shape that it chose.
fn placed() -> Env<Graphia> {
    let mut env = Position::of(2, "Mountain", 6).pair("I", "O").load();
    act(&mut env, 0, "shape I");
    act(&mut env, 1, "shape O");
    act(&mut env, 1, "place turned 0 at (6,6)");
    env
}

/// Nothing is wrong with [`placed`]; each change is reported with these words.
fn is_said(cases: &[(&str, &dyn Fn(&mut State))]) {
    let env = placed();
    let (game, good) = (&env.configured().game, *env.state());
    assert_eq!(problems(game, &good), "");
    for (expected, change) in cases {
        let mut state = good;
        change(&mut state);
        let found = problems(game, &state);
        assert!(found.contains(expected), "`{expected}` is not said: {found}");
    }
}

#[test]
fn what_is_wrong_with_a_state_is_said() {
    let cases: [(&str, &dyn Fn(&mut State)); 18] = [
        ("choices[1].shape: `?` is not shown", &|s| s.shapes[1] = Some(Kind(200))),
        ("choices[1].shape: `T` is not shown", &|s| s.shapes[1] = Some(Kind(2))),
        ("choices[1].place: not a legal placement", &|s| s.places[1] = Some(Placement(60_000))),
        ("choices[1].place: not a legal placement", &|s| s.places[1] = Some(Placement(0))),
        ("choices: does not follow", &|s| s.places[5] = Some(Placement(0))),
        ("number: 77; allowed: 1 to 12", &|s| s.number = 77),
        ("number: missing", &|s| s.number = 0),
        ("terrain: missing", &|s| s.terrain = None),
        ("terrain: nobody decides anything", &|s| s.terrain = Some(Terrain::Desolation)),
        ("terrain_left: Mountain is this round's terrain", &|s| s.terrains_left |= 1),
        ("pair: missing", &|s| s.pair = None),
        ("pair: a shape that does not exist", &|s| s.pair = Some([Kind(0), Kind(99)])),
        ("shapes_left: cards of a shape that does not exist", &|s| s.shapes_left[15] = 1),
        ("round: 0", &|s| s.round = 0),
        ("desolations_used: a number above 12", &|s| s.used = 1 << 12),
        ("phase: nobody decides anything", &|s| s.phase = Phase::Start),
        ("deciders: does not follow", &|s| s.acting = Players(0b1001)),
        ("deciders: does not follow", &|s| s.deciders = Players(0b1)),
    ];
    is_said(&cases);
}

#[test]
fn what_is_wrong_with_a_sheet_is_said() {
    let cases: [(&str, &dyn Fn(&mut State)); 6] = [
        ("scores[1]: is not what the sheet scores", &|s| s.sheets[1].score.total = i16::MAX),
        ("scores[0]: is not what the sheet scores", &|s| s.sheets[0].score.touch = 0xff),
        ("sheets[0]: Forest on a square that is filled twice", &|s| {
            s.sheets[0].set_plane(Terrain::Mountain, Board::ALL);
            s.sheets[0].set_plane(Terrain::Forest, Board::row(3));
        }),
        ("sheets[0]: a Desolation at (1,2), off the diagonal", &|s| {
            s.sheets[0].set_plane(Terrain::Desolation, Board::row(1));
        }),
        ("sheets[1]: no Desolation at (5,5) although 5 is used", &|s| s.used = 1 << 4),
        ("sheets: player 4 does not exist", &|s| s.sheets[4] = Sheet::new()),
    ];
    is_said(&cases);
}

#[test]
fn an_end_that_is_none_is_refused_and_so_is_a_game_that_should_be_over() {
    let env = placed();
    let mut state = *env.state();
    (state.phase, state.acting, state.deciders) = (Phase::End, Players(0), Players(0));
    (state.shapes, state.places, state.chose) = ([None; MAX_PLAYERS], [None; MAX_PLAYERS], Players(0));
    assert!(problems(&env.configured().game, &state).contains("phase: does not follow"));
    let over =
        Position::of(2, "Farm", 6).pair("I", "O").sheet(0, full_but(&[])).sheet(1, full_but(&[])).load();
    let mut state = *over.state();
    assert_eq!(problems(&over.configured().game, &state), "");
    (state.phase, state.acting, state.deciders) = (Phase::Place, Players(1), Players(1));
    assert!(problems(&over.configured().game, &state).contains("phase: does not follow"));
}

#[test]
fn every_state_between_two_decisions_can_be_described_and_drawn() {
    for players in [1, 3] {
        let configured = configured(&json!({"players": players}));
        for (event, state) in story(&configured, 4) {
            for viewer in [None, Some(Player(0))] {
                assert!(configured.game.describe(&state, viewer)["round"].is_u64());
                assert!(!configured.game.draw_text(&state, viewer).is_empty());
                configured.game.event_json(&event, viewer);
            }
        }
    }
}
