//! What a card does, in a few words, from its compiled effects: so it is right for every content.

use super::super::Graven;
use super::super::grammar::{
    Ability, By, Cost, Limit, Mod, ModKind, Moment, Stat, Step, Target, To, Verb, Who,
};
use super::super::state::{MAX_KINDS, Timing};

/// One line for each ability: when it happens and what it does.
pub(super) fn abilities(game: &Graven, kind: u8) -> Vec<(&'static str, String)> {
    let card = game.card(kind);
    let mut lines = Vec::new();
    if !card.mods().is_empty() {
        let words: Vec<String> = card.mods().iter().map(passive).collect();
        lines.push(("passive", words.join("; ")));
    }
    for timing in Timing::ALL {
        let Some(ability) = card.ability(timing) else { continue };
        let label = match (timing, ability.event) {
            (Timing::Enter, _) => "enters",
            (Timing::Activate, _) => "activate",
            (Timing::Hand, _) => "hand",
            (Timing::Window, Moment::Destroyed) => "when destroyed",
            (Timing::Window, Moment::SurveyLoss) => "Survey loss",
            (Timing::Discarded, _) => "discarded",
        };
        lines.push((label, ability_words(game, ability)));
    }
    lines
}

fn ability_words(game: &Graven, ability: &Ability) -> String {
    let mut parts: Vec<String> = Vec::new();
    if ability.may {
        parts.push("may".into());
    }
    for cost in ability.costs() {
        parts.push(match cost {
            Cost::Discard(n) => format!("discard {n}:"),
            Cost::Mill(n) => format!("mill {n}:"),
            Cost::DestroySelf => "destroy this:".into(),
        });
    }
    let steps: Vec<String> = ability.steps().iter().map(|step| step_words(game, step)).collect();
    parts.push(steps.join(", "));
    match ability.limit {
        Limit::None => {}
        Limit::Turn => parts.push("(1 a turn)".into()),
        Limit::Game => parts.push("(1 a game)".into()),
    }
    parts.join(" ")
}

fn passive(entry: &Mod) -> String {
    let n = entry.n;
    let mut words = match entry.kind {
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
    let (min, max) = (entry.cond.min, entry.cond.max);
    let stat = match entry.cond.stat {
        Stat::FrontHumans => "front Humans",
        Stat::Hand => "in hand",
        Stat::Deck => "in the deck",
        Stat::Gap => "behind",
    };
    if min != i32::MIN {
        words = format!("{words} with {min}+ {stat}");
    }
    if max != i32::MAX {
        words = format!("{words} with at most {max} {stat}");
    }
    words
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
    let all = game.cards().len().min(MAX_KINDS);
    let titans = (0..all as u8).filter(|&kind| game.is_titan(kind)).fold(0u64, |set, kind| set | 1 << kind);
    match (kinds & titans, kinds & !titans) {
        (0, _) => "Human",
        (_, 0) => "Titan",
        _ => "card",
    }
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
        Verb::Control => format!("take {what}"),
        Verb::Resurrect if step.target != Target::Choose => match step.lines {
            0b01 => "resurrect it to the front".into(),
            0b10 => "resurrect it to the back".into(),
            _ => "resurrect it".into(),
        },
        Verb::Resurrect => format!("resurrect {}{}", number(step), sorts(game, step)),
        Verb::Recover if step.target != Target::Choose => "recover it".into(),
        Verb::Recover => format!("recover {}{}", number(step), sorts(game, step)),
        Verb::Search => format!("search {}{}", number(step), sorts(game, step)),
        Verb::Recycle => format!("recycle {}{}", number(step), sorts(game, step)),
    }
}
