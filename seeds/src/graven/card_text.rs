//! What cards do, in words: the closed vocabulary of effects as people read it.

use super::Graven;
use super::cards::{Ability, By, Card, Cond, Cost, Limit, Mod, ModKind, Moment, Origin, Stat, Step, Target};
use super::cards::{To, Verb, Who};
use super::state::{BACK, FRONT, Timing};
use playmat_core::prelude::*;

/// A card: its type, its passive, its effects.
pub(super) fn card(game: &Graven, card: &Card) -> String {
    let mut parts: Vec<String> = card.mods.iter().map(passive).collect();
    let effects = Timing::ALL.into_iter().filter_map(|timing| Some((timing, card.ability(timing)?)));
    parts.extend(effects.map(|(timing, ability)| effect(game, timing, ability)));
    let kind = if card.titan { "Titan" } else { "Human" };
    if parts.is_empty() { kind.into() } else { format!("{kind}; {}", parts.join("; ")) }
}

fn passive(entry: &Mod) -> String {
    let n = entry.n;
    let what = match entry.kind {
        ModKind::Draw => format!("you may draw {n} more"),
        ModKind::Plays => format!("you may play {}", count(n.into(), "more Human")),
        ModKind::Survey => format!("{n:+} in the Survey"),
        ModKind::SurveyPer => {
            let most = entry.max;
            format!(
                "+1 in the Survey for each {} on your Front Line, at most {most}",
                count(n.into(), "Human")
            )
        }
        ModKind::Ward => format!("you lose {n} less in a Survey"),
        ModKind::Protect => format!("opponents cannot choose other cards of your {}", lines(entry.lines)),
        ModKind::Sacrifice => format!("is worth {n} in a sacrifice"),
        ModKind::FrontPassives if entry.any => "passives on your Front Line are active".into(),
        ModKind::FrontPassives => "passives of Humans on your Front Line are active".into(),
    };
    let where_ = if entry.either { "passive on both lines" } else { "passive" };
    format!("{where_}{}: {what}", condition(&entry.cond))
}

fn effect(game: &Graven, timing: Timing, ability: &Ability) -> String {
    let when = match timing {
        Timing::Enter => "entering the Back Line".to_string(),
        Timing::Activate => "activated on the Back Line".into(),
        Timing::Hand => "from the hand".into(),
        Timing::Window => match ability.event {
            Moment::Destroyed => "from the hand when a Human of yours is destroyed".into(),
            Moment::SurveyLoss => "from the hand when you lose a Survey".into(),
        },
        Timing::Discarded => {
            let from = Origin::ALL.into_iter().filter(|&origin| ability.from >> origin as u8 & 1 != 0);
            format!("discarded from {}", from.map(Origin::name).collect::<Vec<_>>().join(" or "))
        }
    };
    let limit = match ability.limit {
        Limit::None => "",
        Limit::Turn => ", once a turn",
        Limit::Game => ", once a game",
    };
    let may = if ability.may { "you may " } else { "" };
    let costs: Vec<String> = ability.costs.iter().map(cost).collect();
    let costs = if costs.is_empty() { String::new() } else { format!("{}, then ", and(&costs)) };
    let steps: Vec<String> = ability.steps.iter().map(|each| step(game, each)).collect();
    format!("{when}{limit}{}: {may}{costs}{}", condition(&ability.cond), steps.join(", then "))
}

fn condition(cond: &Cond) -> String {
    if *cond == Cond::ALWAYS {
        return String::new();
    }
    let stat = match cond.stat {
        Stat::FrontHumans => "Humans on your Front Line",
        Stat::Hand => "cards in your hand",
        Stat::Deck => "cards in your deck",
        Stat::Gap => "points behind in the Survey",
    };
    // Bounds that the content leaves out are beyond anything that a number can be.
    match (cond.min > 0, cond.max < 999) {
        (true, true) => format!(", with {} to {} {stat}", cond.min, cond.max),
        (true, false) => format!(", with {} or more {stat}", cond.min),
        (false, _) => format!(", with at most {} {stat}", cond.max),
    }
}

fn cost(cost: &Cost) -> String {
    match cost {
        Cost::Discard(n) => format!("discard {}", count((*n).into(), "card")),
        Cost::Mill(n) => format!("mill {n}"),
        Cost::DestroySelf => "destroy this card".into(),
    }
}

fn lines(lines: u8) -> &'static str {
    match (lines >> FRONT & 1 != 0, lines >> BACK & 1 != 0) {
        (true, false) => "Front Line",
        (false, true) => "Back Line",
        _ => "field",
    }
}

/// How many cards of which kinds: `up to 2 Humans`, `a card`.
fn cards(game: &Graven, step: &Step) -> String {
    let kinds = step.kinds & game.all;
    let what = match () {
        () if kinds == 0 => "card",
        () if kinds & game.titan_kinds == 0 => "Human",
        () if kinds & game.human_kinds == 0 => "Titan",
        () => "card",
    };
    let most = if step.up_to { "up to " } else { "" };
    let has = match step.has {
        None => String::new(),
        Some("passive") => " with a passive effect".into(),
        Some(when) => format!(" with an effect of the timing `{when}`"),
    };
    format!("{most}{}{has}", count(step.n.into(), what))
}

/// Whose cards, and where they lie.
fn place(step: &Step) -> String {
    let whose = match (step.own, step.enemy) {
        (true, false) => "your",
        (false, true) => "an opponent's",
        _ => "anybody's",
    };
    format!("{whose} {}", lines(step.lines))
}

fn step(game: &Graven, step: &Step) -> String {
    let n = step.n;
    let (who, verb_s) = match step.who {
        Who::You => ("you", ""),
        Who::Opponent => ("an opponent", "s"),
        Who::EachOpponent => ("each opponent", "s"),
        Who::EachPlayer => ("each player", "s"),
    };
    match step.verb {
        Verb::Draw => format!("{who} draw{verb_s} {n}"),
        Verb::Mill => format!("{who} mill{verb_s} {n}"),
        Verb::Discard => {
            let by = match step.by {
                By::Holder => "",
                By::You => " that you choose",
                By::Random => " at random",
            };
            format!("{who} discard{verb_s} {}{by}", count(n.into(), "card"))
        }
        Verb::Reveal => format!("{who} reveal{verb_s} the hand"),
        Verb::Survey => format!("{n:+} in the next Survey for {who}"),
        Verb::Plays => format!("you may play {}", count(n.into(), "more Human")),
        Verb::Ward => format!("you lose {n} less"),
        Verb::Destroy if step.held => {
            let whose = if step.lines.count_ones() == 1 { lines(step.lines) } else { "field" };
            format!("{who} destroy{verb_s} {} of the own {whose}", cards(game, step))
        }
        Verb::Destroy => format!("destroy {} on {}", cards(game, step), place(step)),
        Verb::Return => {
            let to = if step.to == To::Deck { "deck" } else { "hand" };
            format!("return {} on {} to the owner's {to}", cards(game, step), place(step))
        }
        Verb::Move => format!("move {} on {} to the other line", cards(game, step), place(step)),
        Verb::Control => {
            let to = match step.to {
                To::Front => "to your Front Line",
                To::Back => "to your Back Line",
                _ => "to your same line",
            };
            format!("take control of {} on {}, {to}", cards(game, step), place(step))
        }
        Verb::Resurrect => {
            let what = match step.target {
                Target::Itself => "this card".into(),
                Target::That => "that Human".into(),
                Target::Choose => cards(game, &Step { kinds: game.human_kinds, ..*step }),
            };
            let to = if step.lines.count_ones() == 1 { lines(step.lines) } else { "field" };
            format!("resurrect {what} to your {to}")
        }
        Verb::Recover if step.target == Target::Itself => "recover this card to your hand".into(),
        Verb::Recover => format!("recover {} to your hand", cards(game, step)),
        Verb::Search => format!("search your deck for {}", cards(game, step)),
        Verb::Recycle => format!("put {} of your discard pile back into the deck", cards(game, step)),
    }
}
