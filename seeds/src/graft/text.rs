//! Texts of actions, events, and content: what people and other programs read.

use super::Graft;
use super::action::Choice;
use super::content::Effect;
use super::rules::Event;
use super::state::{Kind, Phase, SHIP_CODE, SLOTS, State, Zone};
use playmat_core::prelude::*;

/// What stands for the ship card where the JSON form has ids of cards.
pub(super) const SHIP_ID: &str = "ship";
/// What stands for no claim where the JSON form has ids of badges.
pub(super) const NO_CLAIM: &str = "nothing";
/// Texts of the actions that name neither card nor badge.
const FIXED: [(Choice, &str); 4] = [
    (Choice::Ship, "play the ship card"),
    (Choice::TakeBar, "take the bar back"),
    (Choice::Stop, "stop replanting"),
    (Choice::Decline, "claim nothing"),
];
/// What the name of a badge follows in the text of an action.
const CLAIM_WORD: &str = "claim ";
/// Words that a card's name may follow in the text of an action.
const CARD_WORDS: [&str; 6] = ["card ", "play ", "first ", "second ", "replant ", "ship "];

/// Words that no entry of a content's list may have as its `field`, with what they mean already: an id that the JSON form
/// would read as something else, a name with which an action would have the text of another one.
pub(super) fn taken_words(list: &str, field: &str) -> Vec<(String, String)> {
    let fixed = |words: &[&str]| {
        let after = |text: &str| words.iter().find_map(|word| text.strip_prefix(word)).map(String::from);
        let texts = FIXED.iter().filter_map(|(_, text)| Some((after(text)?, format!("the action `{text}`"))));
        texts.collect::<Vec<_>>()
    };
    match (list, field) {
        ("card", "id") => vec![(SHIP_ID.into(), "the ship card in positions".into())],
        ("badge", "id") => vec![(NO_CLAIM.into(), "claiming nothing in positions".into())],
        ("card", "name") => fixed(&CARD_WORDS),
        ("badge", "name") => {
            let slots = (0..SLOTS).map(|slot| format!("slot {slot}"));
            let slots = slots.map(|slot| (slot.clone(), format!("the action `{CLAIM_WORD}{slot}`")));
            fixed(&[CLAIM_WORD]).into_iter().chain(slots).collect()
        }
        _ => Vec::new(),
    }
}

/// Text of an action; with a state as the player would say it.
pub(super) fn action_text(game: &Graft, state: Option<(&State, Player)>, action: Action) -> String {
    match game.choice(action) {
        Choice::Card(kind) => format!("{}{}", game.card_word(state), game.text(kind).name),
        Choice::Claim(slot) => {
            let badge = state.map(|(state, _)| game.badge_text(state.slots[usize::from(slot)]));
            let name = badge.map_or_else(|| format!("slot {slot}"), |badge| badge.name.clone());
            format!("{CLAIM_WORD}{name}")
        }
        choice => {
            FIXED.iter().find(|fixed| fixed.0 == choice).map(|fixed| fixed.1.into()).unwrap_or_default()
        }
    }
}

/// One event for a viewer.
pub(super) fn event_json(game: &Graft, event: &Event, viewer: Option<Player>) -> Option<Object> {
    let sees = |zone: Zone| zone.is_seen_by(viewer);
    let badge_id = |badge: u8| game.badge_text(badge).id.as_str();
    match *event {
        Event::TurnBegan(turn) => event!("turn_began", turn),
        Event::Chose(player, _) | Event::ReplacementChosen(player, _) | Event::ClaimChosen(player, _)
            if !sees(Zone::Choice(player)) =>
        {
            None
        }
        Event::Chose(player, Choice::TakeBar) => event!("bar_chosen", player: player),
        Event::Chose(player, Choice::Card(kind)) => event!("chose", player: player, card: game.id(kind)),
        Event::Chose(player, _) => event!("chose", player: player, card: SHIP_ID),
        Event::BarTaken(player, kind) => event!("bar_taken", player: player, card: game.id(kind)),
        Event::Revealed(player, codes) => {
            let codes: Vec<u8> = codes.into_iter().filter(|&code| code != 0).collect();
            event!("revealed", player: player, cards: game.ids(&codes))
        }
        Event::Busted(player, cards) => event!("busted", player: player, cards),
        Event::Placed(player, kind, from) => {
            event!("placed", player: player, card: game.id(kind), from: from.name())
        }
        Event::Stopped(player) => event!("replant_stopped", player: player),
        Event::ReplacementChosen(player, kind) => {
            event!("replacement_chosen", player: player, card: game.id(kind))
        }
        Event::Completed(player, points) => event!("completed", player: player, points),
        Event::ClaimChosen(player, claim) => {
            let (slot, badge) = (claim.map(|claim| claim.0), claim.map(|claim| badge_id(claim.1)));
            event!("claim_chosen", player: player, slot, badge)
        }
        Event::Claimed { player, slot, badge, value } => {
            let badge = badge_id(badge);
            event!("claimed", player: player, slot, badge, value)
        }
        Event::Declined(player) => event!("declined", player: player),
        Event::Passed => event!("hands_passed"),
        Event::Drew(player, kind) => {
            event!("drew", player: player, card: sees(Zone::Hand(player)).then(|| game.id(kind)))
        }
        Event::LeftOut(cards) => event!("left_out", cards),
        Event::GameOver => event!("game_over"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(game: &Graft, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    let name = |id: &str| match game.texts.iter().find(|card| card.id == id) {
        Some(card) => card.name.clone(),
        None if id == SHIP_ID => "the ship card".into(),
        None => id.into(),
    };
    let card = fields.text("card").map_or("a card".into(), name);
    let badge = fields.text("badge").map(|id| {
        let found = game.badge_texts.iter().find(|badge| badge.id == id);
        found.map_or_else(|| id.to_string(), |badge| badge.name.clone())
    });
    let cards = count(fields.number("cards"), "card");
    let points = |field: &str| count(fields.number(field), "point");
    sentence(&match fields.event() {
        "turn_began" => format!("turn {} begins", fields.number("turn") + 1),
        "bar_chosen" => format!("{who} is going to take the bar back and play two cards"),
        "chose" => format!("{who} chooses {card}"),
        "bar_taken" => format!("{who} takes {card} back"),
        "revealed" => {
            let cards: Vec<String> = fields.list("cards").iter().map(|id| name(id)).collect();
            format!("{who} reveals {}", and(&cards))
        }
        "busted" => {
            let verb = if fields.number("cards") == 1 { "goes" } else { "go" };
            format!("the row of {who} busts: {cards} {verb} to the compost")
        }
        "placed" => match fields.text("from") {
            Some("compost") => format!("{who} replants {card}"),
            Some("replacement") => format!("{who} places {card} instead of the ship card"),
            _ => format!("{who} places {card}"),
        },
        "replant_stopped" => format!("{who} stops replanting"),
        "replacement_chosen" => format!("{who} chooses {card} for the place of the ship card"),
        "completed" => format!("{who} completes a row for {}", points("points")),
        "claim_chosen" => format!("{who} chooses to claim {}", badge.unwrap_or("nothing".into())),
        "claimed" => format!("{who} claims {} for {}", badge.unwrap_or_default(), points("value")),
        "declined" => format!("{who} claims nothing"),
        "hands_passed" => "all hands go to the left".into(),
        "drew" => format!("{who} draws {card}"),
        "left_out" => format!("{cards} leave the game unseen"),
        "game_over" => "the game is over".into(),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}

/// What a choice would do: the card, and what becomes of the row of whoever chooses.
pub(super) fn action_help(game: &Graft, state: &State, player: Player, action: Action) -> String {
    let kind = match game.choice(action) {
        Choice::Card(kind) => kind,
        Choice::Claim(slot) => return game.badge_words(state.slots[usize::from(slot)]),
        Choice::Ship => return "a card of your hand takes its place, and the row is completed".into(),
        Choice::TakeBar => return "the bar comes back to your hand, and you play two cards".into(),
        Choice::Stop | Choice::Decline => return String::new(),
    };
    let first = state.cards[player.index()][0];
    let mut row = game.own_row(state, player);
    if state.phase == Phase::Choose && first != 0 && first != SHIP_CODE {
        row = game.after(&row, Kind::of_code(first), &state.slots);
    }
    let then = game.after(&row, kind, &state.slots).score;
    let outcome = if game.is_legal(&row, kind) {
        format!("the row then scores {then}")
    } else {
        format!("BUSTS your row of {}; the new row scores {then}", count(row.size() as i64, "card"))
    };
    format!("{}; {outcome}", game.card_words(kind))
}

/// Cards and badges for people.
pub(super) fn content_entries(game: &Graft) -> Vec<ContentEntry> {
    let cards = (0..game.kinds() as u8).map(Kind).map(|kind| {
        let (text, copies) = (game.text(kind), game.deck().0[kind.index()].into());
        ContentEntry::new("card", &text.id, &text.name, Some(copies), game.card_words(kind))
    });
    let badges = (0..game.badges().len() as u8).map(|badge| {
        let text = game.badge_text(badge);
        ContentEntry::new("badge", &text.id, &text.name, Some(1), game.badge_words(badge))
    });
    cards.chain(badges).collect()
}

/// What cards scored in completed rows, and what badges brought.
pub(super) fn figures(game: &Graft, state: &State) -> Vec<Figure> {
    let mut figures = Vec::new();
    for player in Player::all(game.players) {
        for codes in state.completed_rows(player) {
            let points = game.points_by_card(&game.row_of(codes, &state.slots));
            let ids = codes.iter().map(|&code| game.id(Kind::of_code(code)));
            let scored = ids.zip(points);
            figures.extend(
                scored.map(|(id, points)| Figure::new("card in a completed row", id, player, points)),
            );
        }
        let claims = state.claims[player.index()].iter().enumerate().filter(|(_, value)| **value != 0);
        let badge = |slot: usize| &game.badge_text(state.slots[slot]).id;
        figures.extend(claims.map(|(slot, &value)| Figure::new("badge", badge(slot), player, value.into())));
    }
    figures
}

impl Graft {
    /// What a card is chosen for.
    fn card_word(&self, state: Option<(&State, Player)>) -> &'static str {
        let Some((state, player)) = state else { return CARD_WORDS[0] };
        match state.phase {
            Phase::Choose if !state.bars.contains(player) => CARD_WORDS[1],
            Phase::Choose if state.cards[player.index()][0] == 0 => CARD_WORDS[2],
            Phase::Choose => CARD_WORDS[3],
            Phase::Replant => CARD_WORDS[4],
            Phase::Replace => CARD_WORDS[5],
            _ => CARD_WORDS[0],
        }
    }

    fn id(&self, kind: Kind) -> &str {
        &self.text(kind).id
    }

    /// Codes as ids.
    fn ids(&self, codes: &[u8]) -> Vec<&str> {
        let id = |&code: &u8| if code == SHIP_CODE { SHIP_ID } else { self.id(Kind::of_code(code)) };
        codes.iter().map(id).collect()
    }

    /// A card in words: its type, what it forbids, what it scores, what it does.
    fn card_words(&self, kind: Kind) -> String {
        let (text, data) = (self.text(kind), self.data(kind));
        let types = |set: u8| {
            let names = self.types.iter().enumerate().filter(|(ty, _)| set >> ty & 1 != 0);
            and(&names.map(|(_, ty)| ty.name.clone()).collect::<Vec<_>>())
        };
        let mut words = vec![types(1 << data.ty)];
        if data.forbids != 0 {
            words.push(format!("forbids {}", types(data.forbids)));
        }
        words.push(match text.clauses.as_slice() {
            [] => "scores nothing".into(),
            clauses => format!("scores {}", and(clauses)),
        });
        words.extend(match data.effect {
            Effect::None => None,
            Effect::EnergyBar => Some("may be taken back to play two cards".into()),
            Effect::Recycle => Some("each card of the compost counts 1 more".into()),
            Effect::Replant => Some("places up to two cards of the compost".into()),
            Effect::ZCoin => Some("lifts what cards to its left forbid".to_string()),
        });
        words.join("; ")
    }

    /// A badge in words.
    fn badge_words(&self, badge: u8) -> String {
        let needs: Vec<String> = self.badge_text(badge).needs.clone();
        let data = &self.badges()[usize::from(badge)];
        format!(
            "needs {}; {} in the turn of its first claim, {} later",
            and(&needs),
            count(data.high.into(), "point"),
            data.low
        )
    }
}
