//! How a position of Graphia looks, and that a picture shows a viewer nothing that is hidden.

use crate::drawn;
use crate::fixture::{configured, visit_episode};
use crate::outline::{snapshots, text};
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::game::Status;
use playmat_core::prelude::{MAX_PLAYERS, Show};
use playmat_graphia::Graphia;
use playmat_graphia::board::{Board, Cell};
use playmat_graphia::draw::icons;
use serde_json::{Value, json};

fn position(options: &Value, json: &Value) -> Env<Graphia> {
    testing::load(&configured(options), json, 0)
}

fn svg(env: &Env<Graphia>) -> String {
    env.configured().game.draw_svg(env.state(), None)
}

/// Both players place a farm of shape S; player 0 has said where.
fn farm_round() -> Env<Graphia> {
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
fn last_round() -> Env<Graphia> {
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
    let env = position(&json!({"players": 3}), &json);
    assert_eq!(env.status(), Status::Terminated);
    env
}

snapshots! {
    text_of_a_running_round: "text_farm_round_player_0" = text(farm_round(), Some(0));
    text_of_the_end: "text_last_round" = text(last_round(), None);
    picture_of_a_running_round: "svg_farm_round_player_0" = picture(farm_round(), Some(0));
    picture_of_the_end: "svg_last_round" = picture(last_round(), None);
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
    visit_episode(&json!({"content": LONG}), 1, 2, |env| {
        let svg = svg(env);
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
    for players in 1..=MAX_PLAYERS {
        for options in [json!({"players": players}), json!({"players": players, "content": LONG})] {
            visit_episode(&options, 4, 2, |env| {
                if env.decisions() % (29 * players as u32) == 0 || env.status() != Status::Running {
                    texts += drawn::check(env);
                }
            });
        }
    }
    assert!(texts > 5000, "{texts}");
}

#[test]
fn the_nine_blocks_of_a_sheet_look_alike() {
    let svg = svg(&farm_round());
    // Paper below everything, and no other ground below single blocks.
    let whole = format!(r##"<path d="{}" fill="#fff"/>"##, icons::area(Board::ALL));
    assert_eq!(svg.matches(&whole).count(), 2);
    for &block in &Board::BLOCKS {
        assert!(!svg.contains(&icons::area(block)), "a ground for one block");
    }
}

#[test]
fn numbers_that_do_not_count_stand_in_brackets() {
    let env = last_round();
    let (svg, text) = (svg(&env), text(&env, None));
    let bracketed = |drawn: &str, from: &str, sign: &str| {
        let (_, drawn) = drawn.split_once(from).expect("a score table");
        drawn.matches(sign).count()
    };
    let in_text = bracketed(&text, "Terrain points", "(");
    // The legend of each has one more.
    assert_eq!(bracketed(&svg, ">Terrain points<", ">("), in_text);
    assert!(in_text > 1, "{text}");
}
