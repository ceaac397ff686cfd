//! The engine beside the reference, in every position of many episodes.

use crate::fixture::{configured, every_position};
use crate::reference::{CONTENT, PlainPosition, Reference, remove};
use playmat_core::game::{Game, Status};
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use playmat_rafts::state::{Phase, State};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How often something was compared.
type Counts = BTreeMap<String, usize>;

impl Reference {
    /// What the engine says otherwise about the scores and the end of a position.
    fn scoring(&self, game: &Rafts, state: &State, now: &PlainPosition, json: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let mut same = |what: &str, engine: Value, own: Value| {
            if engine != own {
                found.push(format!("{what}: engine {engine}, reference {own}: {json}"));
            }
        };
        let completions: Vec<i64> =
            (0..now.players.len()).map(|number| self.completion(now, number)).collect();
        for (number, player) in now.players.iter().enumerate() {
            let own = &json["players"][number];
            same("missing", own["missing"].clone(), self.missing(player).into());
            same("completion", own["completion"].clone(), completions[number].into());
            same("score", i64::from(game.scores(state)[number]).into(), completions[number].into());
        }
        let players = now.players.len() as u64;
        let limit = players * self.options["max_rounds"].as_u64().unwrap_or(60);
        // RA-R23: no card has moved in a quiet round, so a choice that a player had in its turn is there still.
        let has_choice = |number: usize| {
            let turn =
                PlainPosition { phase: "main".into(), turn_player: number, decides: number, ..now.clone() };
            let discards = self.options["discard_at_end"] == true && !now.players[number].hand.is_empty();
            discards || self.legal(&turn).len() > 1
        };
        let is_quiet = now.quiet_turns >= players && json["stirred"] == false;
        let dead = is_quiet && !(0..now.players.len()).any(has_choice);
        let late = now.turn >= limit;
        let turn_player = &now.players[now.turn_player];
        match now.phase.as_str() {
            "won" => same("achieved", true.into(), (self.missing(turn_player) == 0).into()),
            phase => {
                same("dead", (phase == "dead").into(), dead.into());
                same("limit", (phase == "limit").into(), (late && !dead).into());
            }
        }
        // RA-R18, R18d: the engine has not missed a victory.
        if now.phase == "main" && self.options["auto_claim"] != false {
            same("achieved", false.into(), (self.missing(turn_player) == 0).into());
        }
        let status = match now.phase.as_str() {
            "won" | "dead" => Status::Terminated,
            "limit" => Status::Truncated,
            _ => Status::Running,
        };
        same("status", format!("{:?}", game.status(state)).into(), format!("{status:?}").into());
        if now.is_over() {
            let best = completions.iter().max().unwrap();
            let shared = self.options["unfinished"] == "progress";
            let wins = |number: &usize| match now.phase.as_str() {
                "won" => *number == now.turn_player,
                _ => shared && completions[*number] == *best,
            };
            let winners: Vec<usize> = (0..completions.len()).filter(wins).collect();
            same(
                "winners",
                json!(game.winners(state).iter().map(Player::index).collect::<Vec<_>>()),
                json!(winners),
            );
        }
        found
    }

    /// What the engine says otherwise about who decides, and what is legal.
    fn legality(&self, game: &Rafts, state: &State, now: &PlainPosition, counts: &mut Counts) -> Vec<String> {
        let acting: Vec<usize> = game.acting(state).iter().map(Player::index).collect();
        if now.is_over() {
            return acting.iter().map(|player| format!("player {player} decides after the end")).collect();
        }
        let mut found = Vec::new();
        let resolving = now.resolving.as_deref().unwrap_or_default();
        let kind = self.effect(resolving, "kind");
        if acting != [now.decides] {
            found.push(format!("{acting:?} decide in {}, {} in the JSON", now.phase, now.decides));
        }
        let actions: Vec<Action> = game.legal(state, Player(now.decides as u8)).iter().collect();
        let engine: BTreeSet<String> = actions.iter().map(|action| game.action_text(None, *action)).collect();
        let own = self.legal(now);
        if engine != own {
            found.push(format!("{} {resolving}: engine {engine:?}, reference {own:?}", now.phase));
        }
        // The forced moves of the rules page: nobody decides where there is one option.
        let alone =
            self.options["windows"] == "possible" && (own.contains("pass") || own.contains("end turn"));
        if own.len() < 2 && !alone {
            found.push(format!("one option is no decision: {} {own:?}", now.phase));
        }
        let player = &now.players[now.decides];
        let others_decide = now.phase == "shield" || now.phase == "bench" && kind == "snatch";
        let allowed = match now.phase.as_str() {
            "snatch" => now.decides != now.turn_player,
            _ => now.decides == now.turn_player || others_decide,
        };
        let placed = now.placing.as_deref().and_then(|card| self.slot(card));
        let fitting = match now.phase.as_str() {
            "bench" => player.benches.iter().collect::<BTreeSet<_>>().len() == 2 && placed.is_some(),
            "draw" => player.hand.len() < 6,
            phase @ ("shield" | "snatch") => self.window(now, phase).contains(&now.decides),
            _ => true,
        };
        if !allowed || !fitting {
            found.push(format!("player {} cannot decide in {}", now.decides, now.phase));
        }
        *counts.entry(format!("{} {kind}", now.phase).trim_end().to_string()).or_insert(0) += 1;
        if now.phase == "main" {
            for card in player.hand.iter().collect::<BTreeSet<_>>() {
                let kind = self.effect(card, "kind");
                let kind = if kind.is_empty() { self.deck(card) } else { kind.as_str() };
                let what = if own.contains(&format!("play {card}")) { "playable" } else { "not playable" };
                *counts.entry(format!("{what}: {kind}")).or_insert(0) += 1;
            }
        }
        found
    }

    /// What the engine does otherwise about the choice that follows an action.
    fn choices(
        &self,
        before: &PlainPosition,
        action: &str,
        now: &PlainPosition,
        counts: &mut Counts,
    ) -> Vec<String> {
        let all = ["bench", "target", "steal", "receive", "give", "take", "goal"];
        let engine = Some(now.phase.as_str()).filter(|phase| all.contains(phase)).unwrap_or_default();
        let own = self.choice_after(before, action);
        let (verb, what) = action.split_once(' ').unwrap_or((action, ""));
        let card = if verb == "play" { what } else { before.resolving.as_deref().unwrap_or_default() };
        let kind = self.effect(card, "kind");
        let kind = if kind.is_empty() { "resource" } else { &kind };
        if all.contains(&before.phase.as_str()) || verb == "play" && before.phase == "main" {
            *counts
                .entry(format!("after {verb}, {kind}: {}", if own.is_empty() { "none" } else { own }))
                .or_insert(0) += 1;
        }
        if engine == own {
            vec![]
        } else {
            vec![format!("after {action}: engine {engine:?}, reference {own:?}")]
        }
    }

    /// What the engine does otherwise about windows between two decisions (RA-R17, Q7, Q7b).
    fn windows(
        &self,
        before: &PlainPosition,
        action: &str,
        now: &PlainPosition,
        counts: &mut Counts,
    ) -> Vec<String> {
        let (mut found, same_turn) = (Vec::new(), before.turn == now.turn);
        let mut same = |what: &str, engine: Option<usize>, own: Option<usize>| {
            if engine != own {
                found.push(format!("{what} after {action}: engine {engine:?}, reference {own:?}"));
            }
            let end = if own.is_some() { "a player" } else { "nobody" };
            *counts.entry(format!("{what}: {end}")).or_insert(0) += 1;
        };
        let decides = |phase: &str| Some(now.decides).filter(|_| now.phase == phase && same_turn);
        // The position with the card of this action used, as nothing else has changed where a window goes on or opens.
        let mut used = before.clone();
        let card = action.strip_prefix("play ").filter(|card| self.deck(card) == "actions");
        if let Some(card) = card {
            remove(&mut used.players[before.decides].hand, card);
            used.played.push(card.into());
        }
        if before.phase == "shield" || before.phase == "snatch" && action == "pass" {
            let place = |player: usize| {
                let players = before.players.len();
                (player + players - before.turn_player + players - 1) % players
            };
            let rest = self.window(&used, &before.phase).into_iter();
            let mut rest = rest.filter(|player| place(*player) > place(before.decides));
            same(&format!("next in {}", before.phase), decides(&before.phase), rest.next());
        } else if card.is_some_and(|card| self.effect(card, "who") == "all") {
            used.resolving = card.map(String::from);
            same("first in shield", decides("shield"), self.window(&used, "shield").first().copied());
        }
        if action == "pass" || now.phase == "shield" {
            return found;
        }
        // A snatched or recovered card has left the discards; every other change is a card that came to them.
        let recovers = card.is_some_and(|card| self.effect(card, "kind") == "recover") && now.phase != "take";
        let snatches = card.is_some_and(|card| self.effect(card, "kind") == "snatch");
        let left = usize::from(recovers || snatches || action.starts_with("take "));
        let came = now.discards.len() + left > before.discards.len();
        let any_moment = self.options["serendipity_timing"] == "any_moment";
        let first = self.window(now, "snatch").first().copied();
        let what = if same_turn { "first in snatch" } else { "first before a turn" };
        let is_between = ["main", "discard", "draw", "won"].contains(&now.phase.as_str());
        if now.phase == "snatch" {
            let opens = if same_turn { came || any_moment } else { any_moment };
            same(what, Some(now.decides), first.filter(|_| opens));
        } else if is_between && same_turn && came || any_moment && now.phase == "main" {
            same(what, None, first);
        }
        found
    }
}

/// Plays an episode, random and greedy decisions mixed, and visits every position: its JSON, and the position before with the
/// text of the action, if there is one.
fn episode(
    game: &Rafts,
    seed: u64,
    mut visit: impl FnMut(&Rafts, &State, &Value, Option<(&PlainPosition, &str)>),
) {
    let greedy = 30 * (seed % 4) as u32;
    let (mut rng, mut draws) = (Rng::from_seed(seed), Rng::from_seed(seed ^ 0x7e));
    let mut state = game.deal(&mut rng, &mut Silent);
    let mut before: Option<(PlainPosition, String)> = None;
    loop {
        let json = game.describe(&state, None);
        visit(game, &state, &json, before.as_ref().map(|(position, action)| (position, action.as_str())));
        let Some(player) = game.acting(&state).first() else { return };
        let action = if draws.below(100) < greedy {
            game.greedy(&state, player, &mut draws)
        } else {
            draws.pick(&game.legal(&state, player))
        };
        before = Some((PlainPosition::of(&json), game.action_text(None, action)));
        game.apply(&mut state, player, action, &mut rng, &mut Silent);
    }
}

/// Options under which other things are legal, each with the number of players; the last ones have other cards.
fn configurations() -> Vec<Value> {
    let other = [
        (r#"parts = ["bacterium", "gene", "raft"]"#, r#"parts = ["gene", "raft"]"#),
        (r#"what = "medium", who = "one""#, r#"what = "bacterium", who = "one""#),
        (r#"what = "bacterium", who = "all""#, r#"what = "gene", who = "all""#),
        (r#"what = "money", who = "all""#, r#"what = "medium", who = "all""#),
        (r#""Research exchange", copies = 4"#, r#""Research exchange", copies = 12"#),
        (r#""European funding", copies = 3"#, r#""European funding", copies = 9"#),
        (r#""Lab expansion", copies = 3"#, r#""Lab expansion", copies = 9"#),
    ];
    let other = other.iter().fold(CONTENT.to_string(), |text, (from, to)| changed(&text, from, to));
    let mut all: Vec<Value> = (2..=6).map(|players| json!({"players": players})).collect();
    all.extend([
        json!({"players": 4, "windows": "possible"}),
        json!({"players": 3, "serendipity_timing": "any_moment"}),
        json!({"players": 5, "windows": "possible", "serendipity_timing": "any_moment", "discard_at_end": true}),
        json!({"players": 3, "bioeconomy_to": "table", "blank_sabotage": true}),
        json!({"players": 2, "discard_at_end": true, "auto_claim": false, "unfinished": "progress"}),
        json!({"players": 4, "expansion_doubles_generics": true, "gene_pairing": "any"}),
        json!({"players": 6, "max_rounds": 5, "unfinished": "progress"}),
        json!({"players": 3, "content": other}),
        json!({"players": 4, "content": other, "windows": "possible", "bioeconomy_to": "table"}),
    ]);
    all
}

fn changed(content: &str, from: &str, to: &str) -> String {
    assert!(content.contains(from), "{from}");
    content.replace(from, to)
}

/// Each of these was compared at least so often.
fn reached(counts: &Counts, least: usize, all: &[&str]) {
    for what in all {
        let count = counts.get(*what).copied().unwrap_or(0);
        assert!(count >= least, "{what}: {count}; allowed: {least} or more; all: {counts:#?}");
    }
}

/// Compares all positions of an episode for each configuration and seed, and asserts that nothing differs.
fn compare(
    seeds: Range<u64>,
    mut differences: impl FnMut(&Reference, &Rafts, &State, &Value, Option<(&PlainPosition, &str)>) -> Vec<String>,
) {
    for options in configurations() {
        let (reference, configured) = (Reference::new(&options), configured(&options));
        for seed in seeds.clone() {
            episode(&configured.game, seed, |game, state, json, before| {
                let found = differences(&reference, game, state, json, before);
                assert!(found.is_empty(), "{options} seed {seed}: {found:#?}\n{json}");
            });
        }
    }
}

#[test]
fn ra_r2f_r5a_r7c_r8a_r11b_legal_actions_are_those_of_the_reference() {
    let mut counts = Counts::new();
    compare(0..8, |reference, game, state, json, before| {
        let now = PlainPosition::of(json);
        let mut found = reference.legality(game, state, &now, &mut counts);
        if let Some((before, action)) = before {
            found.extend(reference.choices(before, action, &now, &mut counts));
        }
        found
    });
    // Each kind of decision, with the effect of the card that is being resolved.
    reached(&counts, 3_000, &["main", "draw"]);
    reached(&counts, 500, &["bench", "discard", "snatch"]);
    reached(
        &counts,
        50,
        &["shield lose", "target exchange_goal", "target lose", "steal steal", "take recover"],
    );
    reached(&counts, 25, &["goal extra_goal", "receive exchange_goal", "give exchange_goal", "bench steal"]);
    reached(&counts, 10, &["bench snatch"]);
    reached(&counts, 3, &["bench recover"]);
    // Cards in the hand of a player in the main phase.
    reached(&counts, 1_000, &["playable: specific", "playable: generic", "not playable: generic"]);
    for kind in ["lose", "extra_bench", "extra_goal", "recover", "snatch", "steal"] {
        reached(&counts, 40, &[&format!("playable: {kind}"), &format!("not playable: {kind}")]);
    }
    reached(&counts, 300, &["playable: exchange_goal", "not playable: shield"]);
    reached(&counts, 7, &["not playable: exchange_goal"]);
    // The choices of a play, and forced moves instead of them.
    let choices = [
        ("play, exchange_goal", vec!["target", "receive", "give", "none"]),
        ("target, exchange_goal", vec!["receive", "give", "none"]),
        ("goal, exchange_goal", vec!["give", "none"]),
        ("play, steal", vec!["steal", "bench", "none"]),
        ("steal, steal", vec!["bench", "none"]),
        ("play, recover", vec!["take", "none"]),
        ("take, recover", vec!["bench", "none"]),
        ("play, resource", vec!["bench", "none"]),
        ("play, snatch", vec!["bench", "none"]),
        ("play, lose", vec!["target", "none"]),
        ("play, extra_goal", vec!["goal"]),
    ];
    for (action, next) in choices {
        next.iter().for_each(|next| reached(&counts, 3, &[&format!("after {action}: {next}")]));
    }
}

#[test]
fn ra_r17a_r17b_r17d_q8_who_decides_in_windows_is_as_in_the_reference() {
    let mut counts = Counts::new();
    compare(8..16, |reference, _, _, json, before| {
        let now = PlainPosition::of(json);
        before.map_or(Vec::new(), |(before, action)| reference.windows(before, action, &now, &mut counts))
    });
    for what in
        ["first in snatch", "first before a turn", "first in shield", "next in snatch", "next in shield"]
    {
        reached(&counts, 40, &[&format!("{what}: a player"), &format!("{what}: nobody")]);
    }
}

#[test]
fn ra_r24_r25_r26_scores_and_ends_are_those_of_the_reference() {
    let mut counts = Counts::new();
    compare(16..24, |reference, game, state, json, _| {
        let now = PlainPosition::of(json);
        *counts.entry(if now.is_over() { now.phase.clone() } else { "running".into() }).or_insert(0) += 1;
        reference.scoring(game, state, &now, json)
    });
    reached(&counts, 10_000, &["running"]);
    reached(&counts, 30, &["won"]);
    reached(&counts, 2, &["dead", "limit"]);
}

/// What a comparison looks at.
#[derive(Clone, Copy, Debug)]
enum Part {
    Legality,
    Choices,
    Windows,
    Scoring,
}

/// Whether the engine and a reference that is told something else differ in a part, in one of some episodes.
fn differ(options: &Value, reference: &Reference, part: Part, change: impl Fn(&mut Value)) -> bool {
    let (configured, mut counts) = (configured(options), Counts::new());
    (0..40).any(|seed| {
        let mut found = false;
        episode(&configured.game, seed, |game, state, json, before| {
            let mut json = json.clone();
            change(&mut json);
            let now = PlainPosition::of(&json);
            let differences = match (part, before) {
                (Part::Legality, _) => reference.legality(game, state, &now, &mut counts),
                (Part::Scoring, _) => reference.scoring(game, state, &now, &json),
                (Part::Choices, Some((before, action))) => {
                    reference.choices(before, action, &now, &mut counts)
                }
                (Part::Windows, Some((before, action))) => {
                    reference.windows(before, action, &now, &mut counts)
                }
                (_, None) => vec![],
            };
            found |= !differences.is_empty();
        });
        found
    })
}

#[test]
fn a_reference_with_other_options_is_caught() {
    let options = [
        ("windows", json!("holders"), json!("possible"), Part::Windows),
        ("windows", json!("possible"), json!("holders"), Part::Legality),
        ("serendipity_timing", json!("on_discard"), json!("any_moment"), Part::Windows),
        ("serendipity_timing", json!("any_moment"), json!("on_discard"), Part::Windows),
        ("bioeconomy_to", json!("hand"), json!("table"), Part::Legality),
        ("bioeconomy_to", json!("table"), json!("hand"), Part::Choices),
        ("blank_sabotage", json!(false), json!(true), Part::Legality),
        ("expansion_doubles_generics", json!(false), json!(true), Part::Legality),
        ("auto_claim", json!(false), json!(true), Part::Legality),
        ("gene_pairing", json!("bench"), json!("any"), Part::Scoring),
        ("unfinished", json!("draw"), json!("progress"), Part::Scoring),
        ("max_rounds", json!(60), json!(4), Part::Scoring),
    ];
    for (name, engine, believed, part) in options {
        let reference = Reference::new(&json!({name: believed}));
        let found = differ(&json!({"players": 2, name: engine}), &reference, part, |_| {});
        assert!(found, "{name}: {engine} for {believed} in {part:?}");
    }
}

#[test]
fn a_reference_with_other_cards_is_caught() {
    let cards = [
        (r#"parts = ["bacterium", "gene", "raft"]"#, r#"parts = ["bacterium", "raft"]"#, Part::Legality),
        (r#"parts = ["bacterium", "gene", "raft"]"#, r#"parts = ["gene", "raft"]"#, Part::Choices),
        (r#"what = "medium", who = "one""#, r#"what = "time", who = "one""#, Part::Legality),
        (r#"what = "medium", who = "one""#, r#"what = "medium", who = "all""#, Part::Choices),
        (r#"what = "bacterium", who = "all""#, r#"what = "gene", who = "all""#, Part::Windows),
        (r#"against = "PO""#, r#"against = "UE""#, Part::Windows),
        (r#"kind = "snatch""#, r#"kind = "recover""#, Part::Windows),
        (r#"kind = "extra_bench""#, r#"kind = "extra_goal""#, Part::Legality),
        (r#"kind = "exchange_goal""#, r#"kind = "recover""#, Part::Legality),
        (r#"gene = "lux", medium = 2"#, r#"gene = "lux", medium = 1"#, Part::Scoring),
        (r#"bacterium = "LL", gene = "nisA""#, r#"bacterium = "LL", gene = "IL10""#, Part::Scoring),
    ];
    for (from, to, part) in cards {
        let reference = Reference::new(&json!({"content": changed(CONTENT, from, to)}));
        assert!(differ(&json!({"players": 4}), &reference, part, |_| {}), "{from} for {to} in {part:?}");
    }
}

#[test]
fn a_reference_that_reads_another_position_is_caught() {
    // Fields that decide what is legal, each with another value.
    let changes = [
        ("/goals_left", json!({})),
        ("/discards", json!({})),
        ("/last_discard", json!(null)),
        ("/decks/actions", json!({})),
        ("/resolving", json!("LE")),
        ("/receiving", json!("blood")),
        ("/players/0/hand", json!({"time": 1})),
        ("/players/0/lab_expansion", json!(true)),
        ("/players/1/generics", json!({"time": 2, "money": 2, "medium": 2, "raft": 1})),
        ("/players/1/goals", json!(["blood"])),
        ("/players/2/benches", json!([{"bacterium": "EC", "gene": "lux"}])),
    ];
    for (path, value) in changes {
        let change = |json: &mut Value| *json.pointer_mut(path).unwrap() = value.clone();
        let found = differ(&json!({"players": 3}), &Reference::new(&json!({})), Part::Legality, change);
        assert!(found, "{path}: {value}");
    }
}

/// A state keeps the legal actions, which are not saved: whoever reads them from a loaded or sampled state computes them.
#[test]
fn what_a_state_keeps_is_what_loading_computes() {
    let reloaded = |state: &State| -> State { serde_json::from_value(json!(state)).unwrap() };
    let mut seen = BTreeMap::<Phase, usize>::new();
    for options in configurations() {
        every_position(&options, 0..6, |env| {
            let (game, state) = (&env.configured().game, env.state());
            let mut rng = Rng::from_seed(env.decisions().into());
            let samples =
                Player::all(game.players()).map(|viewer| game.sample_hidden(state, viewer, &mut rng));
            for state in samples.chain([*state]) {
                let bare = reloaded(&state);
                assert_eq!(bare, state);
                for player in game.acting(&state).iter() {
                    assert_eq!(game.legal(&bare, player), game.legal(&state, player));
                }
            }
            *seen.entry(state.phase).or_default() += 1;
        });
    }
    let decisions = seen.iter().filter(|(phase, count)| !phase.is_over() && **count >= 10);
    assert_eq!(decisions.count(), Phase::DECISIONS, "{seen:?}");
}
