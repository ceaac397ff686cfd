//! How a position of Graphia looks, and that a picture shows a viewer nothing that is hidden.

use crate::fixture::configured;
use crate::{drawn, outline};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::prelude::{MAX_SEATS, Rng, Seat, Show};
use playmat_core::testing;
use playmat_graphia::Graphia;
use playmat_graphia::board::{Board, Cell};
use playmat_graphia::draw::icons;
use playmat_graphia::state::State;
use serde_json::{Value, json};
use std::sync::Arc;

fn position(options: &Value, json: &Value) -> (Arc<Graphia>, State) {
    let game = Arc::clone(&configured(options).game);
    let state = game.restore(json, &mut Rng::from_seed(0)).unwrap_or_else(|problems| panic!("{problems:?}"));
    (game, state)
}

/// Both players place a farm of shape S; player 0 has said where.
fn farm_round() -> (Arc<Graphia>, State) {
    let json = json!({
        "round": 21, "terrain": "Farm", "pair": ["T", "S"], "number": 11,
        "terrain_left": ["Desert", "Tundra", "Desolation"],
        "shapes_left": {"I": 0, "O": 1, "T": 1, "S": 0, "Z": 0, "J": 1, "L": 0},
        "desolations_used": [6, 8],
        "sheets": [
            ["..A.MMMRRRR.", ".AA.MMMMM...", "..AF...DD...", ".XFF..DD....", ".D.F........", "DD...O..F.R.",
             "XDR...T.FFRR", "..RRRTTO.FR.", "FF....T..AAA", ".FF..X...A..", ".....MMMM...", ".TTTT......."],
            ["....AAA...MM", ".TTTTA...FMM", "DDDRF.FFFF..", "D..RF.X.FF.X", "..RRFF...F..", ".....O....MM",
             ".D..M.....MM", "DDD.M.TOT...", "....M..T....", "..RRM....X..", "AARR..RRRR..", ".AA........."]
        ],
        "choices": [
            {"shape": "S", "place": {"turn": 1, "row": 10, "column": 11}},
            {"shape": "S", "place": null}
        ]
    });
    position(&json!({}), &json)
}

/// A game of three that is over: player 0 wins.
fn last_round() -> (Arc<Graphia>, State) {
    let json = json!({
        "round": 36, "terrain": "Tundra", "pair": ["I", "O"], "number": 10,
        "terrain_left": ["Mountain", "River", "Nexus", "Desolation"],
        "shapes_left": {"I": 0, "O": 0, "T": 0, "S": 0, "Z": 0, "J": 0, "L": 0},
        "desolations_used": [2, 4, 10, 11],
        "sheets": [
            ["..DAA.TTT...", ".ODAA..TT.FF", "FDDAAAATTFF.", "FFFO.MMTT.MM", "MXFF.MMTTTM.", "MMFRR.RRDDMX",
             "AMF.RRRRXDM.", "ADDDR.RRRDMM", "AAD..FFAAAAM", "RRRR.FFFAOAA", "X..TTF.FDDO.", "..TT.F..DD.."],
            ["..TFFF.RFFFF", ".OT.MFRRRFFF", "R.T.MMD.A.F.", "RR.OMDDAA.X.", ".R.X.DTA.MTT", "AX.DDTTTMM.T",
             "AA.DD.R.MA.T", "A.TT.RRRAAA.", "DDDTTDDD.AAA", ".D..FFDRXOA.", "DDDD.FRRMMO.", ".....FRMM..."],
            [".RRRRM.FD.MM", ".O.DMMFFDMMT", "MM.DMXFFDTTT", "MMDO.FFFD.M.", "X.AAAAR..MMM", "AAADDRRR.AX.",
             "TA.DDAAAAAA.", "TTTDDAFFX.FF", "TTTDDFF.R..F", ".T.TTRRRRO.F", ".AAATRRRFFO.", "..A.T..FF..."]
        ]
    });
    let (game, state) = position(&json!({"players": 3}), &json);
    assert_eq!(game.status(&state), Status::Terminated);
    (game, state)
}

#[test]
fn text_of_a_running_round() {
    let (game, state) = farm_round();
    insta::assert_snapshot!("text_farm_round_seat_0", game.draw_text(&state, Some(Seat(0))));
}

#[test]
fn text_of_the_end() {
    let (game, state) = last_round();
    insta::assert_snapshot!("text_last_round", game.draw_text(&state, None));
}

#[test]
fn picture_of_a_running_round() {
    let (game, state) = farm_round();
    insta::assert_snapshot!("svg_farm_round_seat_0", outline::outline(&game.draw_svg(&state, Some(Seat(0)))));
}

#[test]
fn picture_of_the_end() {
    let (game, state) = last_round();
    insta::assert_snapshot!("svg_last_round", outline::outline(&game.draw_svg(&state, None)));
}

/// Plays a game, mostly with the greedy agent, and shows every position.
fn play(options: &Value, seed: u64, mut visit: impl FnMut(&Graphia, &Env<Graphia>)) {
    testing::visit_episode(&configured(options), seed, |env| visit(&env.configured().game, env));
}

/// Sixteen cards with the longest names, and signs that mean something in XML.
const LONG: &str = r#"
name = "graphia"
[[polyomino]]
id = "<a name & more!>"
copies = 3
rows = ['######']
[[polyomino]]
id = "\"another long 1\""
copies = 4
rows = ['##', '##', '##']
[[polyomino]]
id = "one more 'long'1"
copies = 5
rows = ['#']
[[polyomino]]
id = "]]> the last one"
copies = 4
rows = ['.#.', '###', '.#.']
"#;

#[test]
fn names_from_content_cannot_break_the_picture() {
    let mut shown = 0;
    play(&json!({"content": LONG}), 1, |game, env| {
        let svg = game.draw_svg(env.state(), None);
        assert!(!svg.contains("<a name") && !svg.contains("& more"), "{svg}");
        shown += usize::from(svg.contains("&lt;a name &amp; more!&gt;"));
    });
    assert!(shown > 0);
}

#[test]
fn an_area_is_its_runs_and_an_outline_its_edges() {
    let squares = Board::one(Cell::at(1, 1)).with(Cell::at(1, 2)).with(Cell::at(2, 2));
    assert_eq!(icons::area(squares), "M0 0h40v20h-40zM20 20h20v20h-20z");
    assert_eq!(icons::outline(squares), "M0 0h40M0 0v20M0 20h20M20 20v20M20 40h20M40 0v40");
    assert_eq!(icons::outline(Board::ALL), "M0 0h240M0 0v240M0 240h240M240 0v240");
}

#[test]
fn drawings_keep_their_form_whatever_the_names() {
    let mut texts = 0;
    for players in 1..=MAX_SEATS {
        for options in [json!({"players": players}), json!({"players": players, "content": LONG})] {
            play(&options, 4, |_, env| {
                if env.decisions() % (13 * players as u32) == 0 || env.status() != Status::Running {
                    texts += drawn::check(env);
                }
            });
        }
    }
    assert!(texts > 5000, "{texts}");
}

#[test]
fn the_nine_blocks_of_a_sheet_look_alike() {
    let (game, state) = farm_round();
    let svg = game.draw_svg(&state, None);
    // Paper below everything, and no other ground below single blocks.
    let whole = format!(r##"<path d="{}" fill="#fff"/>"##, icons::area(Board::ALL));
    assert_eq!(svg.matches(&whole).count(), 2);
    for &block in &Board::BLOCKS {
        assert!(!svg.contains(&icons::area(block)), "a ground for one block");
    }
}

#[test]
fn numbers_that_do_not_count_stand_in_brackets() {
    let (game, state) = last_round();
    let svg = game.draw_svg(&state, None);
    let text = game.draw_text(&state, None);
    let bracketed = |drawn: &str, from: &str, sign: &str| {
        let (_, drawn) = drawn.split_once(from).expect("a score table");
        drawn.matches(sign).count()
    };
    let in_text = bracketed(&text, "Terrain points", "(");
    // The legend of each has one more.
    assert_eq!(bracketed(&svg, ">Terrain points<", ">("), in_text);
    assert!(in_text > 1, "{text}");
}
