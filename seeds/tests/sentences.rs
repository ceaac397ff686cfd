//! What people read of every game: events as sentences, what actions and cards do.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

#[path = "common/chosen.rs"]
mod chosen;

use chosen::{chosen, with_more_options};
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use playmat_core::sentences;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn events_are_sentences_of_what_the_viewer_receives() {
    for entry in chosen() {
        let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for game in with_more_options(entry) {
            let agent = game.agent("greedy").unwrap();
            for seed in 0..6 {
                let mut env = game.env(seed);
                let mut draws = Rng::from_seed(seed);
                while let Some(player) = env.acting().first().filter(|_| env.decisions() < 400) {
                    let legal = env.legal_actions(player).unwrap();
                    // Greedy play reaches what random play does not, and the other way round.
                    let action = match draws.below(2) {
                        0 => legal[draws.below(legal.len() as u32) as usize],
                        _ => env.act(&agent, player).unwrap().0,
                    };
                    env.step(action.into()).unwrap();
                    for viewer in [None].into_iter().chain(Player::all(game.info().players).map(Some)) {
                        for event in env.events(viewer).unwrap() {
                            check(entry.id, &event, &mut texts);
                        }
                    }
                }
            }
        }
        assert!(!texts.is_empty(), "{}", entry.id);
        let plain: Vec<_> =
            texts.iter().filter(|(_, texts)| texts.is_empty()).map(|(kind, _)| kind).collect();
        assert!(plain.is_empty(), "{} has no words for {plain:?}", entry.id);
    }
}

/// An event has a sentence, in words, that names nobody whom its fields do not.
fn check(game: &str, event: &Value, texts: &mut BTreeMap<String, BTreeSet<String>>) {
    let mut fields = event.as_object().unwrap().clone();
    fields.remove("changes").unwrap();
    let kind = fields["event"].as_str().unwrap().to_string();
    if kind == "update" {
        assert!(fields.get("text").is_none(), "{event}");
        return;
    }
    let Some(Value::String(text)) = fields.remove("text") else { panic!("{game}: no sentence: {event}") };
    let first = text.chars().next().unwrap();
    assert!(first.is_uppercase() || first.is_ascii_digit() || first == '"', "{game}: {text}");
    assert!(text.ends_with('.') && !text.ends_with(". ."), "{game}: {text}");
    assert!(!text.to_lowercase().contains("seat") && !text.contains(['_', '{', '[']), "{game}: {text}");
    assert!(!text.contains("  ") && !text.contains(" ."), "{game}: {text}");
    let known = texts.entry(kind).or_default();
    if text != sentences::plain(&fields) || fields.len() == 1 {
        known.insert(text.clone());
    }
    let fields_text = Value::Object(fields).to_string();
    let words = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let names = text.to_lowercase();
    for number in words {
        if names.contains(&format!("player {number}")) {
            assert!(
                fields_text.contains(number)
                    || fields_text.contains("bids")
                    || fields_text.contains("scores"),
                "{game}: {text} of {fields_text}"
            );
        }
    }
}

#[test]
fn a_redacted_card_is_a_card() {
    let game = playmat_seeds::make("leduc_poker", &Default::default()).unwrap();
    let mut env = game.env(1);
    env.step(1).unwrap();
    let of = |viewer: u8| -> Vec<String> {
        let events = env.events(Some(Player(viewer))).unwrap();
        events.iter().filter_map(|event| event["text"].as_str().map(String::from)).collect()
    };
    assert_eq!(of(0), of(1), "public");
    // Graven: the draw of a turn is its player's.
    let game = playmat_seeds::make("graven", &Default::default()).unwrap();
    let agent = game.agent("greedy").unwrap();
    let mut env = game.env(1);
    let drawn = |viewer: Option<Player>, env: &dyn playmat_core::any::AnyEnv| -> Option<String> {
        let events = env.events(viewer).unwrap();
        let drawn = events.into_iter().find(|event| event["event"] == "drawn")?;
        drawn["text"].as_str().map(String::from)
    };
    while drawn(None, &*env).is_none() {
        let player = env.acting().first().unwrap();
        let action = env.act(&agent, player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    let texts: BTreeSet<String> =
        [Some(Player(0)), Some(Player(1))].iter().map(|viewer| drawn(*viewer, &*env).unwrap()).collect();
    assert_eq!(texts.iter().filter(|text| text.ends_with("draws a card.")).count(), 1, "{texts:?}");
    assert_eq!(texts.len(), 2, "{texts:?}");
}

#[test]
fn everything_in_a_content_is_explained() {
    for entry in chosen() {
        for game in with_more_options(entry) {
            let entries = game.content_entries();
            assert_eq!(entries.is_empty(), game.info().content_name.is_empty(), "{}", entry.id);
            let ids: BTreeSet<_> = entries.iter().map(|entry| (entry.kind, &entry.id)).collect();
            assert_eq!(ids.len(), entries.len(), "{}", entry.id);
            for own in &entries {
                assert!(!own.text.is_empty() && !own.name.is_empty(), "{own:?}");
                assert!(!own.text.contains("  ") && !own.text.ends_with([';', ' ', ':']), "{own:?}");
            }
        }
    }
}

#[test]
fn help_is_for_legal_actions_of_whoever_acts() {
    let game = playmat_seeds::make("graft", &Default::default()).unwrap();
    let env = game.env(3);
    let legal = env.legal_actions(Player(0)).unwrap();
    assert!(legal.iter().all(|&action| !env.action_help(Player(0), action.into()).unwrap().is_empty()));
    let other =
        (0..game.info().num_actions as i64).find(|&action| !legal.contains(&(action as u16))).unwrap();
    assert_eq!(env.action_help(Player(0), other).unwrap(), "", "it is not legal");
    assert!(env.action_help(Player(7), 0).is_err() && env.action_help(Player(0), 9999).is_err());
}
