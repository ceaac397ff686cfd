//! What Graven adds to the conformance suite.

use super::Graven;
use super::cards::{ModKind, Moment};
use super::content;
use super::decks::Source;
use super::state::{MAX_PLAYERS, NONE, Phase, PlayerState, State, Timing};
use playmat_core::hooks::same;
use playmat_core::prelude::*;

/// Numbered rules that report themselves when they take effect.
const RULES: [&str; 17] = [
    "GV-R1", "GV-R2", "GV-R3", "GV-R3a", "GV-R4", "GV-R4c", "GV-R4d", "GV-R5", "GV-R6", "GV-R7", "GV-R7b",
    "GV-R8", "GV-R13", "GV-R15", "GV-R17", "GV-Q4", "GV-R7c",
];
/// Those that depend on the content, the players or the options.
const SOME: [(&str, fn(&Graven) -> bool); 10] = [
    ("GV-R1b", |game| game.builders != 0),
    ("GV-R11a", |game| game.per_game != 0),
    ("GV-R11b", |game| game.limited.iter().any(|kinds| kinds & !game.per_game != 0)),
    ("GV-R17a", |_| true),
    ("GV-R18a", |game| game.windows[Moment::Destroyed as usize] != 0),
    ("GV-R18b", |game| game.windows[Moment::SurveyLoss as usize] != 0),
    ("GV-R19", |game| game.with[ModKind::FrontPassives.index()] != 0),
    ("GV-Q5", |game| game.players > 2),
    ("GV-Q3", |_| true),
    ("GV-Q19", |_| true),
];

/// What play need not reach, the rules first.
const UNREACHED: [(&str, &str); 3] = [
    ("GV-Q19", "copies of two owners on one line are rare; tests show it"),
    ("GV-Q3", "two players rarely lose in one step"),
    ("effect BEL enter", "Belhame is in one of five decks and rarely worth two Humans; random decks show it"),
];
/// What greedy agents hardly ever do.
const IDLE: [(&str, &str); 4] = [
    ("effect CAT enter", FRONT_LINE),
    ("effect HES enter", FRONT_LINE),
    ("effect REI enter", FRONT_LINE),
    ("effect SAR enter", FRONT_LINE),
];
const FRONT_LINE: &str =
    "greedy agents place the card on the Front Line, where entering has no effect; random play shows it";

/// Whether players may be moved on by `turn`: whose list is open, and who builds, belongs to the players of the game.
fn turns(game: &Graven, turn: usize) -> bool {
    [game.open, game.builders].iter().all(|&set| turned(set, turn, game.players) == set)
}

/// The game's part of the suite.
pub(super) fn hooks(game: &Graven) -> Hooks<Graven> {
    const MISSING: [(&str, &str); 2] = [
        ("determinizations", "thirty cards leave too many; tests enumerate small positions"),
        ("relabel", "the decks of the players come from different sources"),
    ];
    let sources = &game.sources[..game.players];
    let lists = sources.iter().any(|source| matches!(source, Source::Random | Source::Build));
    let hidden = game.open != Players::all(game.players).0;
    let other_deal = (lists || hidden).then_some(
        "hidden lists are completed from all legal decks, not as the source of the deck would (GV-K2)",
    );
    let alike = (1..game.players).any(|turn| turns(game, turn));
    // Of cards that are not ours nothing is known.
    let is_ours = game.info.content_name == content::BUILTIN[0].0;
    Hooks {
        none: if alike { &MISSING[..1] } else { &MISSING },
        apart: &[
            ("players", "decks", "a list names a deck for each player"),
            ("players", "first_player", "the player must exist"),
        ],
        shows_more: &[
            r#"{"players": 3, "decks": "random"}"#,
            r#"{"decks": "build"}"#,
            r#"{"max_turns": 3}"#,
            r#"{"decks": "random", "players": 4}"#,
        ],
        content: Some(|| content::BUILTIN[0].1),
        expected: Some(expected),
        unreached: if is_ours { &UNREACHED } else { &UNREACHED[..2] },
        idle: if is_ours { &IDLE } else { &[] },
        private_turns: Some(
            "whoever decides in a window holds a card for it (GV-Q9a); no observation shows who does",
        ),
        useless: Some(useless),
        relabel: alike.then_some(relabel),
        other_victory: Some("the last one in the game wins, with any number of cards; whoever lost has 0"),
        consistent: Some(consistent),
        other_deal,
        other_private: Some(other_private),
        ..Hooks::default()
    }
}

/// Other sources of the decks of others.
fn other_private(game: &Graven, options: &Options, viewer: Player) -> Vec<Object> {
    let names = game.decks.iter().map(|deck| Value::from(deck.name.as_str())).take(2);
    let others = names.chain(["random".into()]).map(|source| {
        game.sources_with(options.get("decks"), |player| (player != viewer).then(|| source.clone()))
    });
    others.map(|decks| Object::from_iter([("decks".to_string(), decks)])).collect()
}

/// Every rule, and every effect of every card.
fn expected(game: &Graven) -> Vec<String> {
    let mut all: Vec<String> = RULES.iter().map(ToString::to_string).collect();
    all.extend(SOME.iter().filter(|(_, on)| on(game)).map(|(name, _)| (*name).to_string()));
    for card in &game.cards {
        for timing in Timing::ALL.into_iter().filter(|timing| card.ability(*timing).is_some()) {
            all.push(format!("effect {} {}", card.id, timing.name()));
        }
        if !card.mods.is_empty() {
            all.push(format!("effect {} passive", card.id));
        }
    }
    all
}

/// The clock shows the share of the turns that have ended, not their number. Of what was played and activated only what is left
/// of it matters, of a modifier beyond bounds only that it is, and of the queue which cards wait.
fn useless(game: &Graven, state: &State, viewer: Player, json: &mut Value) {
    let Some(map) = json.as_object_mut() else { return };
    // What others have to decide.
    if !game.acting(state).contains(viewer) {
        map.remove("phase");
    }
    for name in ["turn", "humans_played", "extra_plays", "invoked", "spent", "activations", "stage"] {
        map.remove(name);
    }
    map.remove("queue");
    if let Some(effect) = map.get_mut("effect").and_then(Value::as_object_mut) {
        for name in ["part", "last", "chooser", "that", "player"] {
            effect.remove(name);
        }
        // Shown in decisions about a card on no field.
        if state.meant.is_some_and(|meant| meant.player != NONE) {
            effect.remove("opponent");
        }
    }
    if let Some(invoking) = map.get_mut("invoking").and_then(Value::as_object_mut) {
        invoking.remove("line");
        let first = invoking.get_mut("first").and_then(Value::as_object_mut);
        if let Some(first) = first {
            first.remove("owner");
        }
        if state.meant.is_some() {
            invoking.remove("first");
        }
    }
    for player in map.get_mut("players").and_then(Value::as_array_mut).into_iter().flatten() {
        let out = player["in_game"] == json!(false);
        for name in ["modifier", "survey", "loss", "list", "had_turn"] {
            if let Some(player) = player.as_object_mut() {
                player.remove(name);
            }
        }
        // Whose a foreign card is follows from what everybody has lent, but where two have lent the same.
        if let Some(player) = player.as_object_mut().filter(|_| game.players > 2) {
            player.remove("front_foreign");
            player.remove("back_foreign");
        }
        if out {
            *player = json!({});
        }
    }
}

/// Players moved on by `turn`.
fn turned(set: u8, turn: usize, players: usize) -> u8 {
    let members = Player::all(players).filter(|player| set >> player.0 & 1 != 0);
    members.fold(0, |all, player| all | 1 << ((player.index() + turn) % players))
}

/// The same position with player `s` in the place of player `s + turn`.
fn relabel(game: &Graven, state: &State, turn: usize) -> Option<State> {
    let players = game.players;
    let moved =
        |player: u8| if player == NONE { NONE } else { ((usize::from(player) + turn) % players) as u8 };
    if !turns(game, turn) {
        return None;
    }
    let (mut other, mut field) = (*state, *state.field);
    other.legal.clear();
    for player in 0..players.min(MAX_PLAYERS) {
        let to = usize::from(moved(player as u8));
        other.players[to] = state.players[player];
        for line in [0, 1] {
            for owner in 0..players.min(MAX_PLAYERS) {
                field[to][line][usize::from(moved(owner as u8))] = state.field[player][line][owner];
            }
        }
    }
    other.field = field.into();
    let mut mentioned = vec![&mut other.decider, &mut other.turn_player, &mut other.ward];
    mentioned.extend(other.queue.iter_mut().map(|entry| &mut entry.player));
    if let Some(running) = &mut other.effect {
        mentioned.extend([&mut running.player, &mut running.opponent, &mut running.chooser]);
    }
    mentioned
        .extend(other.invoking.iter_mut().flat_map(|invoking| &mut invoking.first).map(|card| &mut card.2));
    mentioned.extend(other.meant.iter_mut().map(|meant| &mut meant.player));
    mentioned.extend(other.window.iter_mut().map(|window| &mut window.0));
    for player in mentioned {
        *player = moved(*player);
    }
    for set in [&mut other.had_turn, &mut other.in_game, &mut other.winners] {
        *set = turned(*set, turn, players);
    }
    Some(other)
}

/// Hands and decks of a sample are as large as the true ones, hold what is known of them, and whoever decides in a window
/// holds a card for it.
fn consistent(game: &Graven, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    for player in Player::all(game.players) {
        let (truth, sampled) = (state.player(player.0), sample.player(player.0));
        same(format_args!("cards of player {player} in hand and deck"), truth, sampled, |own| {
            (own.hand.total(), own.deck.total())
        })?;
        let open = |own: &PlayerState| (own.discard, own.known, own.list, own.used);
        if open(truth) != open(sampled) {
            let what = "the discard pile, known cards, deck list or used effects";
            return Err(format!("{what} of player {player} are different"));
        }
        if sampled.known.more_than(sampled.hand) != 0 {
            return Err(format!("player {player} lost a card that it certainly holds"));
        }
        if player == viewer && truth != sampled {
            return Err(format!("the own cards of player {player} are different"));
        }
        let all = |s: &State| Graven::owned(s.player(player.0), s.fielded(player.0));
        if game.is_open(player.0) && state.stage != super::state::Stage::Build && all(state) != all(sample) {
            return Err(format!("the open list of player {player} is different"));
        }
    }
    if !game.options.all_decide
        && matches!(state.phase, Phase::Ward | Phase::Window)
        && state.decider != viewer.0
    {
        let (moment, that) = game.moment(sample);
        let fits = game.could_answer(sample, sample.decider, moment, that);
        if sample.player(sample.decider).hand.kinds() & fits == 0 {
            return Err(format!("player {} decides in a window and holds no card for it", sample.decider));
        }
    }
    Ok(())
}
