//! What a card does, in a few words, from its compiled effects: so it is right for every content.

use super::super::Graven;
use super::super::cards::{
    Ability, By, Cond, Cost, Limit, Mod, ModKind, Moment, Origin, Stat, Step, Target, To, Verb, Who,
};
use super::super::state::Timing;

/// One line for each ability: when it happens and what it does.
pub(super) fn abilities(game: &Graven, kind: u8) -> Vec<(String, String)> {
    let card = game.card(kind);
    let mut lines = Vec::new();
    if !card.mods.is_empty() {
        let words: Vec<String> = card.mods.iter().map(passive).collect();
        lines.push(("passive".into(), words.join("; ")));
    }
    for timing in Timing::ALL {
        let Some(ability) = card.ability(timing) else { continue };
        let label = match (timing, ability.event) {
            (Timing::Enter, _) => "enters".into(),
            (Timing::Activate, _) => "activate".into(),
            (Timing::Hand, _) => "hand".into(),
            (Timing::Window, Moment::Destroyed) => "hand, own Human destroyed".into(),
            (Timing::Window, Moment::SurveyLoss) => "hand, Survey loss".into(),
            (Timing::Discarded, _) => sent(ability.from),
        };
        lines.push((label, ability_words(game, ability)));
    }
    lines
}

/// How a card must come to the discard pile.
fn sent(from: u8) -> String {
    let has = |origin: Origin| from >> origin as u8 & 1 != 0;
    let destroyed = match (has(Origin::Front), has(Origin::Back)) {
        (true, true) => "destroyed or sacrificed",
        (true, false) => "destroyed or sacrificed in front",
        (false, _) => "destroyed or sacrificed behind",
    };
    let lies = has(Origin::Front) || has(Origin::Back);
    let ways = [(has(Origin::Deck), "milled"), (has(Origin::Hand), "discarded"), (lies, destroyed)];
    ways.into_iter().filter(|way| way.0).map(|way| way.1).collect::<Vec<_>>().join(" or ")
}

/// When a condition holds, after a word; nothing if always.
fn condition(cond: &Cond, lead: &str) -> String {
    let stat = match cond.stat {
        Stat::FrontHumans => "front Humans",
        Stat::Hand => "in hand",
        Stat::Deck => "in the deck",
        Stat::Gap => "behind in the Survey",
    };
    let least = if cond.min == i32::MIN { String::new() } else { format!(" {lead} {}+ {stat}", cond.min) };
    if cond.max == i32::MAX { least } else { format!("{least} {lead} at most {} {stat}", cond.max) }
}

fn ability_words(game: &Graven, ability: &Ability) -> String {
    let may = if ability.may { "may " } else { "" };
    let cost = |cost: &Cost| match cost {
        Cost::Discard(n) => format!("discard {n}: "),
        Cost::Mill(n) => format!("mill {n}: "),
        Cost::DestroySelf => "destroy this: ".into(),
    };
    let costs: String = ability.costs.iter().map(cost).collect();
    let steps: Vec<String> = ability.steps.iter().map(|step| step_words(game, step)).collect();
    let limit = match ability.limit {
        Limit::None => "",
        Limit::Turn => " (1 a turn)",
        Limit::Game => " (1 a game)",
    };
    format!("{may}{costs}{}{limit}{}", steps.join(", "), condition(&ability.cond, "if"))
}

fn passive(entry: &Mod) -> String {
    let n = entry.n;
    let words = match entry.kind {
        ModKind::Draw => format!("draw up to {n} more"),
        ModKind::Plays => format!("{n} more play"),
        ModKind::Survey => format!("Survey {n:+}"),
        ModKind::SurveyPer if n == 1 => format!("Survey +1 for each front Human, up to {}", entry.max),
        ModKind::SurveyPer => format!("Survey +1 for {n} front Humans, up to {}", entry.max),
        ModKind::Ward => format!("Survey loss -{n}"),
        ModKind::Protect => format!("other {}own cards cannot be chosen", line(entry.lines)),
        ModKind::Sacrifice => "a sacrifice by itself".into(),
        ModKind::FrontPassives if entry.any => "front passives are active".into(),
        ModKind::FrontPassives => "passives of front Humans are active".into(),
    };
    let both = if entry.either { " (on either line)" } else { "" };
    format!("{words}{}{both}", condition(&entry.cond, "with"))
}

fn line(lines: u8) -> &'static str {
    match lines {
        0b01 => "front ",
        0b10 => "back ",
        _ => "",
    }
}

/// `up to 2 `, or nothing for one.
fn number(step: &Step) -> String {
    match (step.up_to, step.n) {
        (true, n) => format!("up to {n} "),
        (false, 1) => String::new(),
        (false, n) => format!("{n} "),
    }
}

/// `Humans` for more than one.
fn sorts(game: &Graven, step: &Step) -> String {
    let s = if step.n > 1 { "s" } else { "" };
    format!("{}{s}", sort(game, step.kinds))
}

/// `Human`, `Titan`, `card`.
fn sort(game: &Graven, kinds: u64) -> &'static str {
    match (kinds & game.titan_kinds, kinds & !game.titan_kinds) {
        (0, _) => "Human",
        (_, 0) => "Titan",
        _ => "card",
    }
}

/// ` with passive`: what a `search` by timing requires of a card.
fn having(game: &Graven, kinds: u64) -> String {
    let types = [game.all, game.human_kinds, game.titan_kinds];
    if types.contains(&kinds) {
        return String::new();
    }
    let timings = Timing::ALL.map(|timing| (timing.name(), game.timed[timing as usize]));
    let mut all = timings.into_iter().chain([("passive", game.passive)]);
    let found = all.find(|(_, set)| types.iter().any(|of| set & of == kinds));
    found.map_or(String::new(), |(name, _)| format!(" with {name}"))
}

fn step_words(game: &Graven, step: &Step) -> String {
    let n = step.n;
    let who = match step.who {
        Who::You => "",
        Who::Opponent => "an opponent: ",
        Who::EachOpponent => "opponents: ",
        Who::EachPlayer => "all: ",
    };
    let side = match (step.own, step.enemy) {
        (true, true) => "",
        (true, false) => "own ",
        _ => "enemy ",
    };
    let what = format!("{}{side}{}{}", number(step), line(step.lines), sorts(game, step));
    match step.verb {
        Verb::Draw => format!("{who}draw {n}"),
        Verb::Mill => format!("{who}mill {n}"),
        Verb::Discard if step.by == By::Random => format!("{who}discard {n} at random"),
        Verb::Discard if step.by == By::You => format!("discard {n} of it"),
        Verb::Discard => format!("{who}discard {n}"),
        Verb::Reveal => "see a hand".into(),
        Verb::Survey => format!("{who}Survey {n:+}"),
        Verb::Plays => format!("{n} more play"),
        Verb::Ward => format!("loss -{n}"),
        Verb::Destroy if step.held => {
            format!("{who}destroy {n} own {}{}", line(step.lines), sorts(game, step))
        }
        Verb::Destroy => format!("destroy {what}"),
        Verb::Return if step.to == To::Deck => format!("{what} to its deck"),
        Verb::Return => format!("{what} to its hand"),
        Verb::Move => format!("move {what}"),
        Verb::Control => match step.to {
            To::Front => format!("take {what} to your front"),
            To::Back => format!("take {what} to your back"),
            _ => format!("take {what}"),
        },
        Verb::Resurrect => {
            let what = match step.target {
                Target::Choose => format!("{}{}", number(step), sorts(game, step)),
                _ => "it".into(),
            };
            match step.lines {
                0b01 => format!("resurrect {what} to the front"),
                0b10 => format!("resurrect {what} to the back"),
                _ => format!("resurrect {what}"),
            }
        }
        Verb::Recover if step.target != Target::Choose => "recover it".into(),
        Verb::Recover => format!("recover {}{}", number(step), sorts(game, step)),
        Verb::Search => format!("search {}{}{}", number(step), sorts(game, step), having(game, step.kinds)),
        Verb::Recycle => format!("recycle {}{}", number(step), sorts(game, step)),
    }
}
