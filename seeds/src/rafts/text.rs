//! Texts of actions and cards, and the events.

use super::Rafts;
use super::action::{Choice, PARTS};
use super::content::{Card, GENERICS};
use super::effects::{Effect, Loss, Part};
use super::rules::{Event, Why};
use super::state::{GENE, GoalKind, Kind, Phase, PlayerState, RAFT, State, Zone};
use playmat_core::prelude::*;

/// Names of the parts that can be stolen, without a state.
const PART_TEXTS: [&str; PARTS] = ["bacterium 0", "gene 0", "bacterium 1", "gene 1", "raft"];

/// Text of an action; with a state as the player sees it. Everything that it says of the state is public.
pub(super) fn action_text(game: &Rafts, state: Option<(&State, Player)>, action: Action) -> String {
    let player_at = |k: usize| state.map(|(_, player)| player.relative(k, game.players));
    let whom = |k: usize| player_at(k).map_or_else(|| format!("+{k}"), |player| format!("player {player}"));
    let card = |kind: Kind| if state.is_some() { game.full(kind) } else { game.id(kind).into() };
    match game.choice(action) {
        Choice::Play(kind) => format!("play {}", card(kind)),
        Choice::Claim => "claim victory".into(),
        Choice::EndTurn => "end turn".into(),
        Choice::Pass => "pass".into(),
        Choice::Draw(deck) => format!("draw {}", deck.name()),
        Choice::Bench(bench) => match state.and_then(|(state, _)| state.placing) {
            Some(kind) => format!("place {} on bench {bench}", game.full(kind)),
            None => format!("bench {bench}"),
        },
        Choice::Take(kind) => format!("take {}", card(kind)),
        Choice::Goal(goal) => match state.map(|(state, _)| state.phase) {
            Some(phase) => format!("{} {}", goal_verb(phase), game.full_goal(goal)),
            None => format!("goal {}", game.goal(goal).card.id),
        },
        Choice::Target(k) => format!("target {}", whom(k)),
        Choice::Steal(k, part) => {
            let lies =
                state.zip(player_at(k)).and_then(|((state, _), player)| stolen(state.player(player), part));
            let named = lies.map_or_else(String::new, |kind| format!(": {}", game.full(kind)));
            format!("steal {}{named} from {}", PART_TEXTS[part], whom(k))
        }
        Choice::Discard(kind) => format!("discard {}", card(kind)),
    }
}

/// One event for a viewer.
pub(super) fn event_json(game: &Rafts, event: &Event, viewer: Option<Player>) -> Option<Object> {
    let id = |kind: Kind| game.id(kind);
    let goal = |goal: GoalKind| game.goal(goal).card.id.as_str();
    match *event {
        Event::GoalDealt { player, goal: kind } => event!("goal_dealt", player: player, goal: goal(kind)),
        Event::TurnBegan(player) => event!("turn_began", player: player),
        Event::Played { player, kind } => event!("played", player: player, card: id(kind)),
        Event::Placed { player, kind, bench } => event!("placed", player: player, card: id(kind), bench),
        Event::Discarded { player, kind, why } => {
            let why = match why {
                Why::Displaced => "displaced",
                Why::Lost => "lost",
                Why::Chosen => "chosen",
            };
            event!("discarded", player: player, card: id(kind), why)
        }
        Event::Targeted { player, other } => event!("targeted", player: player, target: other),
        Event::Stolen { player, from, kind } => event!("stolen", player: player, from, card: id(kind)),
        Event::Snatched { player, kind } => event!("snatched", player: player, card: id(kind)),
        Event::Recovered { player, kind } => event!("recovered", player: player, card: id(kind)),
        Event::Exempt { player, from } => event!("exempt", player: player, from: id(from)),
        Event::Exchanged { player, partner, received, given } => {
            event!("goals_exchanged", player: player, partner, received: goal(received), given: goal(given))
        }
        Event::GoalChosen { player, goal: kind } => event!("goal_chosen", player: player, goal: goal(kind)),
        Event::LabExpanded(player) => event!("lab_expanded", player: player),
        Event::Drawn { player, deck, kind } => {
            let card = Zone::Draws(player).is_seen_by(viewer).then(|| id(kind));
            event!("drawn", player: player, deck: deck.name(), card)
        }
        Event::Renewed(deck) => event!("deck_renewed", deck: deck.name()),
        Event::Won { player, goal: kind } => event!("won", player: player, goal: goal(kind)),
        Event::DeadPosition => event!("dead_position"),
        Event::LimitReached => event!("limit_reached"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(game: &Rafts, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    let full = |id: &str| game.kind(id).map_or_else(|| id.to_string(), |kind| game.full(kind));
    let goal_name = |id: &str| match game.goal_kind(id) {
        Some(goal) => format!("\"{}\"", game.goal(goal).card.name),
        None => id.into(),
    };
    let card = fields.text("card").map_or("a card".into(), full);
    let goal = |field: &str| fields.text(field).map_or_else(String::new, goal_name);
    let deck = fields.text("deck").unwrap_or_default();
    sentence(&match fields.event() {
        "goal_dealt" => format!("{who} gets the goal {}", goal("goal")),
        "turn_began" => format!("the turn of {who} begins"),
        "played" => format!("{who} plays {card}"),
        "placed" if fields.0.get("bench").is_none_or(Value::is_null) => {
            format!("{who} places {card} on the table")
        }
        "placed" => format!("{who} places {card} on bench {}", fields.number("bench")),
        "discarded" => match fields.text("why") {
            Some("displaced") => format!("{who} discards {card}, which makes room"),
            Some("lost") => format!("{who} loses {card}"),
            _ => format!("{who} discards {card}"),
        },
        "targeted" => format!("{who} chooses {}", fields.player("target")),
        "stolen" => format!("{who} steals {card} from {}", fields.player("from")),
        "snatched" => format!("{who} snatches {card} from the discards"),
        "recovered" => format!("{who} takes {card} from the discards"),
        "exempt" => {
            format!("{who} is shielded from {}", fields.text("from").map_or_else(String::new, full))
        }
        "goals_exchanged" => {
            let (partner, given, received) = (fields.player("partner"), goal("given"), goal("received"));
            format!("{who} gives {partner} the goal {given} for {received}")
        }
        "goal_chosen" => format!("{who} takes {} as a second goal", goal("goal")),
        "lab_expanded" => format!("{who} has a second bench"),
        "drawn" if fields.text("card").is_none() => format!("{who} draws a card of the {deck} deck"),
        "drawn" => format!("{who} draws {card}"),
        "deck_renewed" => format!("the discards become the new {deck} deck"),
        "won" => format!("{who} wins with {}", goal("goal")),
        "dead_position" => "nobody can win any more: the game ends without a winner".into(),
        "limit_reached" => "the limit of turns is reached: the game ends".into(),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}

/// What a choice is about.
pub(super) fn action_help(game: &Rafts, _: &State, _: Player, action: Action) -> String {
    match game.choice(action) {
        Choice::Play(kind) | Choice::Discard(kind) | Choice::Take(kind) => game.card_words(kind),
        Choice::Goal(goal) => game.goal_words(goal),
        _ => String::new(),
    }
}

/// Cards and goals for people.
pub(super) fn content_entries(game: &Rafts) -> Vec<ContentEntry> {
    let entry = |kind, card: &Card, text| {
        ContentEntry::new(kind, &card.id, &card.name, Some(card.copies.into()), text)
    };
    let cards = game.cards().iter().enumerate();
    let cards = cards.map(|(kind, card)| entry("card", card, game.card_words(Kind(kind as u8))));
    let goals = game.goals().iter().enumerate();
    let goals = goals.map(|(kind, goal)| entry("goal", &goal.card, game.goal_words(GoalKind(kind as u8))));
    cards.chain(goals).collect()
}

/// The goals that players had at the end.
pub(super) fn figures(game: &Rafts, state: &State) -> Vec<Figure> {
    let of = |player: Player| {
        let figure = move |goal| Figure::new("goal at the end", &game.goal(goal).card.id, player, 0);
        Rafts::goals_of(state.player(player)).map(figure)
    };
    Player::all(game.players).flat_map(of).collect()
}

impl Rafts {
    fn id(&self, kind: Kind) -> &str {
        &self.card(kind).id
    }

    /// `EC (Escherichia coli)`; for generics, whose names say it all, the id alone.
    pub(super) fn full(&self, kind: Kind) -> String {
        let card = self.card(kind);
        if self.generic(kind).is_some() { card.id.clone() } else { format!("{} ({})", card.id, card.name) }
    }

    fn full_goal(&self, goal: GoalKind) -> String {
        let card = &self.goal(goal).card;
        format!("{} ({})", card.id, card.name)
    }

    /// What an action card does, in words.
    fn effect_words(&self, effect: Effect) -> String {
        match effect {
            Effect::Steal(parts) => {
                let named = Part::ALL.into_iter().filter(|part| parts & part.bit() != 0);
                let named: Vec<String> = named.map(|part| format!("a {}", part.name())).collect();
                format!("steals from another table: {}", named.join(" or "))
            }
            Effect::Exchange => "swaps one of your goals for one of another player".into(),
            Effect::Lose { what, all } => {
                let who = if all { "all players lose" } else { "another player loses" };
                match what {
                    Loss::Specific(_) if what.name() == "gene" => format!("{who} their genes"),
                    Loss::Specific(_) => format!("{who} their bacteria"),
                    Loss::Generic(_) => format!("{who} one {}", what.name()),
                }
            }
            Effect::ExtraBench => "gives you a second bench".into(),
            Effect::Recover => "takes one resource of the discards into your hand".into(),
            Effect::ExtraGoal => "gives you a second goal of your choice".into(),
            Effect::Snatch => "fast: takes the last discard to your table".into(),
            Effect::Shield { against } => format!("fast: exempts you from {}", self.full(against)),
        }
    }

    /// A card in words.
    fn card_words(&self, kind: Kind) -> String {
        match (self.effect(kind), self.generic(kind)) {
            (Some(effect), _) => self.effect_words(effect),
            (None, Some(RAFT)) => "generic: stands for one time, money or medium".into(),
            (None, Some(_)) => "generic resource".into(),
            (None, None) if self.slot(kind) == GENE => "gene".into(),
            (None, None) => "bacterium".into(),
        }
    }

    /// What a goal needs.
    fn goal_words(&self, goal: GoalKind) -> String {
        let needs = self.goal(goal).needs;
        let mut parts: Vec<String> = needs.specific.iter().map(|&kind| self.full(kind)).collect();
        let generics = GENERICS.iter().zip(needs.generics).filter(|(_, amount)| *amount > 0);
        parts.extend(generics.map(|(name, amount)| format!("{amount} {name}")));
        format!("needs {}", and(&parts))
    }
}

/// How a goal is named in a phase.
fn goal_verb(phase: Phase) -> &'static str {
    match phase {
        Phase::Receive => "receive",
        Phase::Give => "give",
        _ => "choose",
    }
}

/// What lies where a part is stolen from.
fn stolen(victim: &PlayerState, part: usize) -> Option<Kind> {
    victim.benches.get(part / 2)?[part % 2]
}
