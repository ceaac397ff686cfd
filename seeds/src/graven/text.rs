//! Texts of actions, events and cards: what people and other programs read.

use super::Graven;
use super::action::Choice;
use super::cards::Card;
use super::decks::Source;
use super::rules::Event;
use super::state::{Cards, LINES, State, Zone, bits};
use playmat_core::prelude::*;

/// Name of a line in texts.
const LINE_TEXTS: [&str; 2] = ["front", "back"];

/// Text of an action; with a state as the player sees it. Everything that it says of the state is public.
pub(super) fn action_text(game: &Graven, state: Option<(&State, Player)>, action: Action) -> String {
    // `ARC (Archer)`.
    let full = |card: &Card| format!("{} ({})", card.id, card.name);
    let card = |kind: u8| if state.is_some() { full(game.card(kind)) } else { game.id(kind).into() };
    let player = |j: u8| match state {
        Some((_, player)) => format!("player {}", game.relative(player.0, j.into())),
        None => format!("player +{j}"),
    };
    match game.choice(action) {
        Choice::Pass => "pass".into(),
        Choice::Yes => "yes".into(),
        Choice::Draw(n) => format!("draw {n}"),
        Choice::Line(line) => format!("line {}", LINE_TEXTS[usize::from(line)]),
        Choice::Front(kind) => format!("{} {} to front", game.verb(kind), card(kind)),
        Choice::Back(kind) => format!("{} {} to back", game.verb(kind), card(kind)),
        Choice::Activate(kind) => format!("activate {}", card(kind)),
        Choice::Hand(kind) => format!("use {} from hand", card(kind)),
        Choice::Card(kind) => format!("choose {}", card(kind)),
        Choice::Player(j) => player(j),
        Choice::Field(j, line, kind) => {
            format!("target {} on {} of {}", card(kind), LINE_TEXTS[usize::from(line)], player(j))
        }
    }
}

/// One event for a viewer.
pub(super) fn event_json(game: &Graven, event: &Event, viewer: Option<Player>) -> Option<Object> {
    let id = |kind: u8| game.id(kind);
    let name = |line: usize| LINES[line & 1];
    match *event {
        Event::Picked { player, kind } => {
            let card = Zone::Picks(Player(player)).is_seen_by(viewer).then(|| id(kind));
            event!("picked", player, card)
        }
        Event::Drawn { player, kind } => {
            let card = Zone::Hand(Player(player)).is_seen_by(viewer).then(|| id(kind));
            event!("drawn", player, card)
        }
        Event::TurnBegan { player } => event!("turn_began", player),
        Event::Played { player, kind, line } => event!("played", player, card: id(kind), line: name(line)),
        Event::Named { player, kind, line } => {
            event!("titan_named", player, card: id(kind), line: name(line))
        }
        Event::Sacrificed { player, kind, line, owner } => {
            event!("sacrificed", player, card: id(kind), line: name(line), owner)
        }
        Event::Invoked { player, kind, line } => event!("invoked", player, card: id(kind), line: name(line)),
        Event::Used { player, kind, timing } => {
            event!("effect", player, card: id(kind), timing: timing.name())
        }
        Event::Milled { player, kind } => event!("milled", player, card: id(kind)),
        Event::Discarded { player, kind } => event!("discarded", player, card: id(kind)),
        Event::Destroyed { player, kind, line, owner } => {
            event!("destroyed", player, card: id(kind), line: name(line), owner)
        }
        Event::Returned { player, kind, line, owner, to_deck } => {
            event!("returned", player, card: id(kind), line: name(line), owner, to: if to_deck { "deck" } else { "hand" })
        }
        Event::Moved { player, kind, to, owner } => {
            event!("moved", player, card: id(kind), to: name(to), owner)
        }
        Event::Taken { player, from, kind, to, owner } => {
            event!("taken", player, from, card: id(kind), to: name(to), owner)
        }
        Event::Resurrected { player, kind, line } => {
            event!("resurrected", player, card: id(kind), line: name(line))
        }
        Event::Recovered { player, kind } => event!("recovered", player, card: id(kind)),
        Event::Found { player, kind, shown } => {
            let card = (shown || Zone::Hand(Player(player)).is_seen_by(viewer)).then(|| id(kind));
            event!("found", player, card, shown)
        }
        Event::Recycled { player, kind } => event!("recycled", player, card: id(kind)),
        Event::Revealed { player } => event!("hand_revealed", player),
        Event::Modified { player, by } => event!("survey_changed", player, by),
        Event::Granted { player, plays } => event!("plays_granted", player, plays),
        Event::Warded { player, by } => event!("loss_reduced", player, by),
        Event::Surveyed { scores, losses } => {
            event!("survey", scores: scores[..game.players], losses: losses[..game.players])
        }
        Event::Lost { player } => event!("lost", player),
        Event::Won { players } => event!("won", players: bits(players.into()).collect::<Vec<u8>>()),
        Event::LimitReached => event!("limit_reached"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(game: &Graven, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    let found = |id: &str| game.cards.iter().find(|card| card.id == id);
    let card = fields.text("card").map_or("a card", |id| found(id).map_or(id, |card| &card.name));
    let line =
        |field: &str| format!("{} Line", if fields.text(field) == Some("back") { "Back" } else { "Front" });
    // What lies on a field may belong to somebody else.
    let owned = |whose: &str| {
        let (owner, holder) = (fields.number("owner"), fields.number(whose));
        if owner == holder { card.to_string() } else { format!("{card} of player {owner}") }
    };
    let by = fields.number("by");
    sentence(&match fields.event() {
        "picked" => format!("{who} picks {card} for the deck"),
        "drawn" => format!("{who} draws {card}"),
        "turn_began" => format!("the turn of {who} begins"),
        "played" => format!("{who} plays {card} to the {}", line("line")),
        "titan_named" => format!("{who} is going to invoke {card} to the {}", line("line")),
        "sacrificed" => format!("{who} sacrifices {} on the {}", owned("player"), line("line")),
        "invoked" => format!("{who} invokes {card} to the {}", line("line")),
        "effect" => match fields.text("timing") {
            Some("enter") => format!("{card} of {who} takes effect as it enters"),
            Some("activate") => format!("{who} activates {card}"),
            Some("hand" | "window") => format!("{who} uses {card} from the hand"),
            _ => format!("{card} of {who} takes effect as it is discarded"),
        },
        "milled" => format!("{who} mills {card}"),
        "discarded" => format!("{who} discards {card}"),
        "destroyed" => format!("{} on the {} of {who} is destroyed", owned("player"), line("line")),
        "returned" => {
            let to = fields.text("to").unwrap_or_default();
            format!("{} on the {} of {who} goes back to its owner's {to}", owned("player"), line("line"))
        }
        "moved" => format!("{} of {who} moves to the {}", owned("player"), line("to")),
        "taken" => {
            let from = fields.player("from");
            format!("{who} takes control of {} from {from}, to the {}", owned("from"), line("to"))
        }
        "resurrected" => format!("{who} resurrects {card} to the {}", line("line")),
        "recovered" => format!("{who} recovers {card} from the discard pile"),
        "found" => format!("{who} searches the deck and takes {card}"),
        "recycled" => format!("{who} puts {card} back into the deck"),
        "hand_revealed" => format!("{who} reveals the hand"),
        "survey_changed" => format!("the Survey Score of {who} changes by {by:+}"),
        "plays_granted" => format!("{who} may play {}", count(fields.number("plays"), "more Human")),
        "loss_reduced" => format!("{who} reduces the loss by {by}"),
        "survey" => {
            let totals = fields.list("scores").into_iter().zip(fields.list("losses")).enumerate();
            let each = totals.map(|(player, (score, loss))| match loss.as_str() {
                "0" => format!("player {player} has {score}"),
                _ => format!("player {player} has {score} and is to mill {loss}"),
            });
            format!("survey: {}", each.collect::<Vec<_>>().join(", "))
        }
        "lost" => format!("{who} has lost"),
        "won" => match fields.list("players").len() {
            0 => "nobody wins".into(),
            1 => format!("{} wins", fields.players("players")),
            _ => format!("{} share the victory", fields.players("players")),
        },
        "limit_reached" => "the limit of turns is reached: the game ends".into(),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}

/// What a choice is about: the text of its card.
pub(super) fn action_help(game: &Graven, _: &State, _: Player, action: Action) -> String {
    match game.choice(action) {
        Choice::Front(kind)
        | Choice::Back(kind)
        | Choice::Activate(kind)
        | Choice::Hand(kind)
        | Choice::Card(kind)
        | Choice::Field(_, _, kind) => super::card_text::card(game, game.card(kind)),
        _ => String::new(),
    }
}

/// The cards for people. Copies are known where everybody's deck is a list that is open.
pub(super) fn content_entries(game: &Graven) -> Vec<ContentEntry> {
    let fixed = |source: &Source| match source {
        Source::Fixed(cards) if !game.options.hides_lists => Some(*cards),
        _ => None,
    };
    let lists: Option<Vec<Cards>> = game.sources[..game.players].iter().map(fixed).collect();
    let copies = |kind: usize| {
        let lists = lists.as_ref()?;
        Some(lists.iter().map(|cards| u32::from(cards.count(kind as u8))).sum())
    };
    let entry = |(kind, card): (usize, &Card)| {
        ContentEntry::new("card", &card.id, &card.name, copies(kind), super::card_text::card(game, card))
    };
    game.cards.iter().enumerate().map(entry).collect()
}

impl Graven {
    pub(super) fn id(&self, kind: u8) -> &str {
        self.cards.get(usize::from(kind)).map_or("?", |card| &card.id)
    }

    fn verb(&self, kind: u8) -> &'static str {
        if self.is_titan(kind) { "invoke" } else { "play" }
    }
}
