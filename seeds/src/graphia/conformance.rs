//! What Graphia adds to the conformance suite.

use super::Graphia;
use super::content;
use super::state::{Kind, State, Terrain};
use playmat_core::player::turned;
use playmat_core::prelude::*;

/// Numbered rules that report themselves when they take effect.
const RULES: [&str; 37] = [
    "GG-R1", "GG-R1a", "GG-R1b", "GG-R2", "GG-R2a", "GG-R2b", "GG-R2c", "GG-R2d", "GG-R3", "GG-R3a",
    "GG-R3c", "GG-R4", "GG-R5", "GG-R5a", "GG-R5b", "GG-R5c", "GG-R5d", "GG-R6a", "GG-R7", "GG-R7a", "GG-R8",
    "GG-R9", "GG-R10", "GG-R11", "GG-R12", "GG-R13", "GG-R14", "GG-R15a", "GG-R16", "GG-R17", "GG-R18",
    "GG-R18a", "GG-R19", "GG-R20", "GG-Q7", "GG-R2e", "GG-R7c",
];
/// Those that need a second player.
const SHARED: [&str; 3] = ["GG-R3e", "GG-R6", "GG-R7b"];

pub(super) fn hooks(_: &Graphia) -> Hooks<Graphia> {
    Hooks {
        none: &[("determinizations", "the orders of the cards still to come are too many")],
        shows_more: &[r#"{"players": 1}"#],
        content: Some(|| content::BUILTIN[0].1),
        expected: Some(expected),
        unreached: &[
            ("GG-R10", "a river from edge to edge needs a plan; the greedy agent does not plan"),
            ("GG-R18a", "needs more deserts beside tundra than all groups and all other points together"),
            ("GG-Q7", "needs thirteen Desolation rounds, so 97 rounds at the least; games last half as long"),
            ("GG-R2e", "the built-in deck is even; needs content with an odd deck"),
            (
                "GG-R7c",
                "needs a Nexus round whose line is full on every sheet; a polyomino round ends the game earlier",
            ),
            ("GG-R7b", "needs a pair of shapes that fits on only one sheet, late in a game"),
            ("GG-R6", "needs a player without room for a shape while another player has room"),
            ("GG-R5c", "needs a Desolation on a filled square, in a long game"),
        ],
        own_public: &["target"],
        useless: Some(useless),
        relabel: Some(relabel),
        consistent: Some(consistent),
        ..Hooks::default()
    }
}

/// Every rule, terrain and shape of the content.
fn expected(game: &Graphia) -> Vec<String> {
    let shared = if game.players() > 1 { &SHARED[..] } else { &[] };
    let gates = [("GG-R15", game.scoring().gates_terrain), ("GG-R15b", !game.scoring().gates_groups)];
    let gates = gates.iter().filter(|(_, on)| *on).map(|(name, _)| name);
    let rules = RULES.iter().chain(shared).chain(gates).map(ToString::to_string);
    let terrains = Terrain::ALL.into_iter().map(|terrain| format!("terrain {}", terrain.name()));
    rules.chain(terrains).chain(game.shapes().iter().map(|shape| format!("shape {}", shape.id))).collect()
}

/// A player who waits for the others has no use for its own choice, which it cannot take back and which is shown before the next
/// one, nor for the phase and for who of the others decides. A player who still has to place a shape has. With summaries of the
/// others, their sheets are left out on purpose.
fn useless(game: &Graphia, state: &State, viewer: Player, json: &mut Value) {
    let Some(map) = json.as_object_mut() else { return };
    if !state.acting.contains(viewer) {
        map.remove("own_choice");
        map.remove("phase");
    }
    if !state.acting.contains(viewer) || !game.observes_sheets {
        map.remove("deciders");
    }
    if !game.observes_sheets
        && let Some(sheets) = map.get_mut("sheets").and_then(Value::as_array_mut)
    {
        let others = sheets.iter_mut().enumerate().filter(|(player, _)| *player != viewer.index());
        others.for_each(|(_, sheet)| *sheet = Value::Null);
    }
}

/// The same position with player `s` in the place of player `s + turn`.
fn relabel(game: &Graphia, state: &State, turn: usize) -> Option<State> {
    let players = game.players();
    Some(State {
        sheets: turned(&state.sheets, turn, players),
        shapes: turned(&state.shapes, turn, players),
        places: turned(&state.places, turn, players),
        acting: state.acting.turned(turn, players),
        deciders: state.deciders.turned(turn, players),
        chose: state.chose.turned(turn, players),
        ..*state
    })
}

/// Buffered choices of the others in a sample are such as those players could have made; who decides nothing has what it had.
fn consistent(game: &Graphia, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    for player in Player::all(game.players()).filter(|&player| player != viewer) {
        let at = player.index();
        let (shape, place): (Option<Kind>, _) = (sample.shapes[at], sample.places[at]);
        if !state.deciders.contains(player) && (sample.acting.contains(player) || place != state.places[at]) {
            return Err(format!(
                "player {player} decides nothing in truth and has another placement in the sample"
            ));
        }
        if let (Some(kind), Some(pair)) = (shape, state.pair)
            && !pair.contains(&kind)
        {
            return Err(format!("player {player} has shape {kind:?}, which lies on no card"));
        }
        if let (Some(kind), Some(place)) = (shape, place) {
            let squares = game.shape(kind).squares_at(place.turn(), place.cell().index());
            if !squares.minus(sample.sheets[at].empty()).is_empty() || !squares.meets(sample.line()) {
                return Err(format!("player {player} places {kind:?} where it cannot lie"));
            }
        }
    }
    Ok(())
}
