//! The engine beside the reference, in every position of many games.

use crate::fixture::{Position, configured, standard};
use crate::reference::{Reference, Said};
use playmat_conformance::testing::every_position;
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::state::State;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What the engine says of every position of games.
fn visit(options: &Value, seeds: Range<u64>, mut look: impl FnMut(&Said)) {
    let game = configured(options).game.clone();
    for seed in seeds {
        let state = game.deal(&mut Rng::from_seed(seed), &mut Silent);
        play_on(&game, state, options["windows"] == "possible", seed, &mut look);
    }
}

/// Plays a game to its end, by the seed at random or mostly greedily, and says what the engine says of every position.
fn play_on(game: &Graven, mut state: State, possible: bool, seed: u64, look: &mut impl FnMut(&Said)) {
    let (mut rng, mut draws) = (Rng::from_seed(seed ^ 0x5a), Rng::from_seed(seed ^ 0x67));
    let mut survey = json!(null);
    loop {
        let mut said = say(game, &state, possible);
        let turn = said.json["turn"].clone();
        let is_survey = said.json["stage"] == "survey" && said.json["phase"] == "ward";
        said.survey_begins = is_survey && turn != survey;
        if is_survey {
            survey = turn;
        }
        look(&said);
        let Some(player) = game.acting(&state).first() else { return };
        let action = if draws.below(100) < 30 * (seed as u32 % 3) {
            game.greedy(&state, player, &mut draws)
        } else {
            draws.pick(&game.legal(&state, player))
        };
        game.apply(&mut state, player, action, &mut rng, &mut Silent);
    }
}

fn say(game: &Graven, state: &State, possible: bool) -> Said {
    let acting = game.acting(state);
    let texts = |player: Player| {
        game.legal(state, player).iter().map(|action| game.action_text(None, action)).collect()
    };
    let winners = if acting.is_empty() { game.winners(state) } else { acting };
    Said {
        json: game.describe(state, None),
        legal: acting.iter().map(|player| (player.index(), texts(player))).collect(),
        scores: game.scores(state)[..game.players()].iter().map(|&score| score.into()).collect(),
        winners: winners.iter().map(Player::index).collect(),
        survey_begins: false,
        possible,
    }
}

/// Other abilities than those of the library's content, so that more of what a content can say is compared.
const OTHER_ABILITIES: &str = r#"
ACO { when = "passive", mods = [ { mod = "sacrifice", n = 2, if = { stat = "front_humans", max = 2 } } ] }, { when = "activate", do = [ { verb = "resurrect", line = "front" } ] }
ARC { when = "activate", cost = [ { kind = "mill" } ], do = [ { verb = "destroy", who = "opponent", type = "human" } ] }
DEF { when = "hand", do = [ { verb = "control", line = "front", type = "human", to = "back" } ] }
DRI { when = "activate", do = [ { verb = "move", side = "any", up_to = true } ] }
GAR { when = "activate", limit = "game", do = [ { verb = "recycle", n = 3 } ] }
GRA { when = "hand", do = [ { verb = "survey", n = -2 }, { verb = "draw", n = 2 } ] }
JES { when = "activate", if = { stat = "gap", min = 1 }, cost = [ { kind = "discard" } ], do = [ { verb = "survey", n = -3, who = "opponent" } ] }
MER { when = "passive", mods = [ { mod = "draw", n = 2, if = { stat = "deck", min = 12 } } ] }
NUR { when = "activate", if = { stat = "hand", max = 3 }, do = [ { verb = "discard", who = "each_opponent" } ] }
OMB { when = "activate", do = [ { verb = "destroy", n = 2, side = "any", up_to = true } ] }
PHY { when = "window", event = "destroyed", limit = "turn", if = { stat = "front_humans", max = 2 }, do = [ { verb = "resurrect", target = "that" } ] }
PLA { when = "activate", if = { stat = "deck", max = 15 }, cost = [ { kind = "mill", n = 2 } ], do = [ { verb = "mill", n = 3, who = "opponent" } ] }
PRI { when = "activate", limit = "game", do = [ { verb = "recover", n = 2, type = "titan" } ] }
REC { when = "activate", cost = [ { kind = "mill" } ], do = [ { verb = "plays" }, { verb = "draw" } ] }
SAP { when = "activate", cost = [ { kind = "destroy_self" }, { kind = "discard" } ], do = [ { verb = "destroy", side = "any", line = "back" } ] }
SCO { when = "enter", do = [ { verb = "search", n = 2, has = "enter" } ] }
SHI { when = "passive", mods = [ { mod = "ward", n = 2, either_line = true } ] }
VIR { when = "passive", mods = [ { mod = "survey_per", per = 2, max = 3 } ] }
WAR { when = "passive", mods = [ { mod = "protect", line = "any", either_line = true } ] }
WAT { when = "window", event = "survey_loss", cost = [ { kind = "discard" } ], do = [ { verb = "ward", n = 5 } ] }
"#;

/// The library's content with these abilities.
pub(crate) fn other_content() -> String {
    let other: BTreeMap<&str, &str> =
        OTHER_ABILITIES.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut blocks = Vec::new();
    for block in standard().split("\n[[card]]\n") {
        let id = block.strip_prefix("id = \"").and_then(|rest| rest.split('"').next());
        blocks.push(match id.and_then(|id| other.get(id)) {
            // Id, name and type stay.
            Some(ability) => {
                let head: Vec<&str> = block.lines().take(3).collect();
                format!("{}\nability = [ {ability} ]\n", head.join("\n"))
            }
            None => block.to_string(),
        });
    }
    blocks.join("\n[[card]]\n")
}

/// A deck of few names, among them thieves: cards of several owners lie on one line.
pub(crate) fn thieves() -> Value {
    json!({"ARC": 3, "DEF": 3, "DRI": 3, "HAR": 3, "JES": 3, "PHY": 3, "PLA": 3, "SAP": 3, "WAT": 3,
        "HES": 1, "OMB": 1, "YSM": 1})
}

/// Compares every position of some games, and counts decisions by their kind.
fn compare(options: &Value, seeds: Range<u64>, count: &mut BTreeMap<String, usize>) {
    let reference = Reference::new(options["content"].as_str().unwrap_or(standard()), "");
    visit(options, seeds, |said| {
        let differences = reference.differences(said);
        assert!(differences.is_empty(), "{}\n{}", differences.join("\n"), said.json);
        *count.entry(reference.decision(&said.json)).or_default() += said.legal.len().max(1);
        *count.entry("losses".into()).or_default() += usize::from(said.survey_begins);
    });
}

/// Asserts that of each kind of decision at least the listed number were compared, and none of a kind that is not listed.
fn check_counts(count: &BTreeMap<String, usize>, least: &[(&str, usize)]) {
    let names: Vec<&str> = least.iter().map(|(name, _)| *name).collect();
    assert_eq!(count.keys().collect::<Vec<_>>(), names);
    let few: Vec<_> = least.iter().filter(|(name, least)| count[*name] < *least).collect();
    assert!(few.is_empty(), "{few:?} of {count:?}");
}

#[test]
fn gv_r1a_r3a_r4b_r4d_r5_r7a_r7b_r20_q3_the_reference_agrees_in_every_position() {
    let mut count = BTreeMap::new();
    let sources = [json!("any"), json!("random"), json!("chapel"), thieves(), json!("build")];
    for (number, decks) in sources.iter().cycle().take(15).enumerate() {
        let options = json!({
            "players": 2 + number / 5,
            "decks": decks,
            "windows": if number % 2 == 0 { "holders" } else { "possible" },
            "first_player": "random",
            "max_turns": if number % 4 == 0 { 14 } else { 200 },
        });
        // Building a deck is sixty decisions or more.
        compare(&options, 0..if decks == "build" { 6 } else { 40 }, &mut count);
    }
    let least = [
        ("build", 1700),
        ("card cost", 7),
        ("card discard", 90),
        ("card recover", 130),
        ("card recycle", 200),
        ("card resurrect", 200),
        ("card search", 120),
        ("cut", 16),
        ("draw", 160),
        ("effect", 3000),
        ("field control", 120),
        ("field destroy", 200),
        ("field move", 200),
        ("field return", 60),
        ("line", 200),
        ("losses", 900),
        ("may", 12),
        ("over", 200),
        ("owner", 5),
        ("owner sacrifice", 1),
        ("play", 8000),
        ("player mill", 70),
        ("player reveal", 20),
        ("player survey", 70),
        ("sacrifice", 800),
        ("ward", 1400),
        ("window", 150),
    ];
    check_counts(&count, &least);
}

#[test]
fn gv_r19_r20_q12_the_reference_agrees_with_other_abilities() {
    let mut count = BTreeMap::new();
    for (number, decks) in [json!("random"), thieves()].iter().cycle().take(6).enumerate() {
        for windows in ["holders", "possible"] {
            let options = json!({
                "players": 2 + number / 2,
                "decks": decks,
                "windows": windows,
                "content": other_content(),
            });
            compare(&options, 0..40, &mut count);
        }
    }
    let least = [
        ("card cost", 500),
        ("card discard", 90),
        ("card recover", 15),
        ("card recycle", 90),
        ("card resurrect", 150),
        ("card search", 110),
        ("draw", 200),
        ("effect", 3000),
        ("field control", 170),
        ("field destroy", 400),
        ("field move", 300),
        ("field return", 110),
        ("line", 70),
        ("losses", 1100),
        ("may", 10),
        ("over", 200),
        ("owner", 13),
        ("owner sacrifice", 5),
        ("play", 7000),
        ("player destroy", 70),
        ("player mill", 50),
        ("player reveal", 20),
        ("player survey", 40),
        ("sacrifice", 700),
        ("ward", 1600),
        ("window", 160),
    ];
    check_counts(&count, &least);
}

/// In dealt games hardly anything lies on the field of a player who has had no turn.
#[test]
fn gv_r5_r7c_the_reference_agrees_before_everybody_has_had_a_turn() {
    let position = Position::of(4).turn_of(1).player(2, "had_turn", false).player(3, "had_turn", false);
    let position = position.hand(1, "NUR ARC DRI WAT").front(1, "SCO").back(1, "JES SAP");
    let position = position.front(0, "ARC JES").front(2, "OMB SCO").back(2, "JES").front(3, "DRI HES");
    let position = position.hand(2, "YSM JES PHY").hand(3, "DEF DRI GOL").hand(0, "WAT");
    let reference = Reference::new(standard(), "");
    let (mut invoked, mut effects) = (0, 0);
    for seed in 0..60 {
        let env = position.load_with(seed);
        play_on(&env.configured().game, *env.state(), false, seed, &mut |said: &Said| {
            let differences = reference.differences(said);
            assert!(differences.is_empty(), "{}\n{}", differences.join("\n"), said.json);
            let restricted = said.json["restricted"] == true;
            invoked += usize::from(restricted && said.json["invoked"] == true);
            effects += usize::from(restricted && reference.decision(&said.json) == "effect");
        });
    }
    assert!(invoked > 10 && effects > 20, "{invoked} {effects}");
}

/// A comparison that says nothing of a missing rule would not find the engine without it, either.
#[test]
fn a_reference_without_a_rule_differs() {
    // Those that the reference can leave out.
    let named = include_str!("reference.rs").split("keeps(\"").skip(1);
    let mut rules: BTreeSet<&str> = named.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(rules.len() >= 18, "{rules:?}");
    for (players, decks, content) in [
        (2, json!("build"), standard().to_string()),
        (3, json!("random"), standard().to_string()),
        (3, thieves(), standard().to_string()),
        (2, json!("vanguard"), standard().to_string()),
        (4, thieves(), other_content()),
        (2, json!("random"), other_content()),
    ] {
        let options = json!({"players": players, "decks": decks, "content": content});
        let mut unnoticed: Vec<Reference> = rules.iter().map(|rule| Reference::new(&content, rule)).collect();
        visit(&options, 0..40, |said| unnoticed.retain(|reference| reference.differences(said).is_empty()));
        rules = unnoticed.iter().map(|reference| reference.without).collect();
    }
    assert!(rules.is_empty(), "{rules:?}");
}

/// A state keeps legal actions and counts of the fields that are not saved. Loading computes the counts again, and the legal actions are computed
/// when somebody reads them.
#[test]
fn what_a_state_keeps_is_what_loading_computes() {
    let reloaded = |state: &State| -> State { serde_json::from_value(json!(state)).unwrap() };
    let mut positions = [0; 2];
    for options in
        [json!({}), json!({"players": 4, "decks": "random"}), json!({"players": 3, "windows": "possible"})]
    {
        every_position(&configured(&options), 0..12, |env| {
            let (game, state) = (&env.configured().game, env.state());
            let mut rng = Rng::from_seed(positions[0]);
            let samples =
                Player::all(game.players()).map(|viewer| game.sample_hidden(state, viewer, &mut rng));
            for state in samples.chain([*state]) {
                let bare = reloaded(&state);
                assert_eq!(bare, state);
                for player in game.acting(&state).iter() {
                    assert_eq!(game.legal(&bare, player), game.legal(&state, player));
                }
            }
            positions[0] += 1;
            positions[1] += u64::from(state.any_lent());
        });
    }
    assert!(positions[0] > 1_000 && positions[1] > 50, "{positions:?}");
}
