//! What Rafts! adds to the conformance suite.

use super::Rafts;
use super::content;
use super::effects::Effect;
use super::state::State;
use playmat_core::hooks::same;
use playmat_core::player::turned;
use playmat_core::prelude::*;

/// Numbered rules that report themselves when they take effect.
const RULES: [&str; 36] = [
    "RA-R1", "RA-R1b", "RA-R1c", "RA-R2", "RA-R2b", "RA-R2c", "RA-R2d", "RA-R4", "RA-R5", "RA-R7", "RA-R7a",
    "RA-R7b", "RA-R8", "RA-R9", "RA-R10", "RA-R11", "RA-R12", "RA-R13", "RA-R14", "RA-R15", "RA-R17",
    "RA-R17b", "RA-R18", "RA-R18a", "RA-R18b", "RA-R20", "RA-R21", "RA-R22", "RA-Q17", "RA-Q6a", "RA-R12b",
    "RA-R16", "RA-R17a", "RA-R23", "RA-R24", "RA-R2f",
];
/// Those of the options at their defaults.
const BY_OPTION: [(&str, fn(&Rafts) -> bool); 5] = [
    ("RA-R1d", |game| game.options.first.is_none()),
    ("RA-R18d", |game| game.options.auto_claim),
    ("RA-R15a", |_| true),
    ("option blank_sabotage", |game| game.options.blank_sabotage),
    ("option discard_at_end", |game| game.options.discards),
];

pub(super) fn hooks(_: &Rafts) -> Hooks<Rafts> {
    Hooks {
        none: &[("determinizations", "too many once a deck was reshuffled; tests enumerate small positions")],
        apart: &[("players", "first_player", "the player must exist")],
        shows_more: &[
            r#"{"players": 2, "discard_at_end": true}"#,
            r#"{"max_rounds": 2}"#,
            r#"{"bioeconomy_to": "table"}"#,
        ],
        content: Some(|| content::BUILTIN[0].1),
        expected: Some(expected),
        unreached: &[
            ("RA-R23", "needs as many quiet turns in a row as there are players"),
            ("RA-R24", "needs the limit of turns (option `max_rounds`); greedy agents win much earlier"),
            ("RA-R2f", "needs three empty decks and no discards that renew one"),
        ],
        idle: &[
            ("action CLAIM", "the engine claims by itself (RA-R18d); players do with `auto_claim` off"),
            ("action TARGET_1", "with a single opponent the target is a forced move"),
        ],
        private_turns: Some(
            "whoever decides about a fast card holds it (RA-Q8); no observation shows who does",
        ),
        useless: Some(useless),
        relabel: Some(relabel),
        other_victory: Some("a dead position has no winner (RA-R23)"),
        consistent: Some(consistent),
        ..Hooks::default()
    }
}

/// Every rule, card and goal of the content.
fn expected(game: &Rafts) -> Vec<String> {
    let rules = RULES.iter().map(ToString::to_string);
    let options = BY_OPTION.iter().filter(|(_, on)| on(game)).map(|(name, _)| (*name).to_string());
    let cards = game.cards().iter().map(|card| format!("card {}", card.id));
    let goals = game.goals().iter().map(|goal| format!("goal {}", goal.card.id));
    rules.chain(options).chain(cards).chain(goals).collect()
}

/// The clock shows the share of the turns that have ended, not their number; completion follows from tables and goals, and
/// so does what is missing.
fn useless(_: &Rafts, _: &State, _: Player, json: &mut Value) {
    if let Some(map) = json.as_object_mut() {
        map.remove("turn");
    }
}

/// The same position with player `s` in the place of player `s + turn`.
fn relabel(game: &Rafts, state: &State, turn: usize) -> Option<State> {
    let players = game.players();
    let moved = |player: u8| Player(player).relative(turn % players, players).0;
    Some(State {
        players: turned(&state.players, turn, players),
        turn_player: moved(state.turn_player),
        cursor: moved(state.cursor),
        partner: state.partner.map(moved),
        shields: Players(state.shields).turned(turn, players).0,
        ..*state
    })
}

/// Hands of a sample are as large as the true ones by deck, hold what is known of them, and whoever decides about a
/// fast card holds it.
fn consistent(game: &Rafts, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    for player in Player::all(game.players()) {
        let (truth, sampled) = (state.player(player), sample.player(player));
        same(format_args!("cards of player {player} by deck, and those known"), truth, sampled, |hidden| {
            (hidden.held, hidden.known)
        })?;
        if (0..game.resources()).any(|k| sampled.hand[k] < sampled.known[k]) {
            return Err(format!("player {player} lost a card that it certainly holds"));
        }
        same(format_args!("cards that player {player} drew"), truth, sampled, |hidden| {
            let sum = |range: std::ops::Range<usize>| hidden.drawn[range].iter().sum::<u8>();
            [sum(0..game.specific), sum(game.specific..game.resources)]
        })?;
    }
    let bound = game.deck_bound(state, viewer);
    if let Some(k) = (0..game.resources()).find(|&k| sample.deck[k] > bound[k]) {
        return Err(format!("{} `{}` in the deck, at most {}", sample.deck[k], game.cards()[k].id, bound[k]));
    }
    let fast = |effect: Effect| matches!(effect, Effect::Snatch | Effect::Shield { .. });
    let decider = Player(sample.cursor);
    let holds = (game.resources()..game.kinds())
        .any(|k| fast(game.effects[k - game.resources]) && sample.player(decider).hand[k] > 0);
    let window = matches!(state.phase, super::state::Phase::Shield | super::state::Phase::Snatch);
    if window && !game.options.all_decide && !holds {
        return Err(format!("player {decider} decides about a fast card and holds none"));
    }
    Ok(())
}
