//! JSON, texts and pictures of goofspiel.

use super::sample::consistent;
use super::{Goofspiel, Order, State, place, values};
use playmat_classics_common::draw_card;
use playmat_core::document::{self, At, Document, Form, each, with};
use playmat_core::prelude::*;

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A prize was turned up.
    Prize(u8),
    /// A player laid a card face down.
    Bid(Player, u8),
    /// A prize went to a player or to nobody; the state with all bids before it did.
    Resolved(u8, Option<Player>, State),
}

impl Goofspiel {
    /// Plays a position from outside again; what is wrong with it, or the position reached. That may be one in which
    /// the next prize is still to be turned up.
    pub(super) fn replay(&self, prizes: &[u8], bids: &[Vec<u8>]) -> Result<State, Problem> {
        let mut state = self.deal_before_prize();
        if prizes.len() > self.turns {
            return Err(Problem::new("prizes", format!("{} prizes; at most {}", prizes.len(), self.turns)));
        }
        for (turn, &prize) in prizes.iter().enumerate() {
            if state.waiting != 0 {
                return Err(Problem::new(format!("prizes[{turn}]"), "turned up before everybody has bid"));
            }
            let deck = values(state.deck);
            let wanted = match self.order {
                Order::Random => deck.iter().position(|&value| value == prize),
                Order::Descending => {
                    deck.iter().rposition(|&value| value == prize).filter(|at| at + 1 == deck.len())
                }
                Order::Ascending => deck.iter().position(|&value| value == prize).filter(|at| *at == 0),
            };
            let Some(at) = wanted else {
                return Err(Problem::new(
                    format!("prizes[{turn}]"),
                    format!("{prize} cannot be turned up here"),
                ));
            };
            self.turn_up(&mut state, at as u32);
            state.waiting = self.everybody;
            for (player, list) in bids.iter().enumerate() {
                if let Some(&value) = list.get(turn) {
                    let path = format!("bids[{player}][{turn}]");
                    if !(1..=15).contains(&value) || state.hands[player] >> (value - 1) & 1 == 0 {
                        return Err(Problem::new(path, format!("card {value} is not in hand")));
                    }
                    state.bid(player, value);
                }
            }
            if state.waiting == 0 {
                self.resolve(&mut state);
            }
        }
        for (player, list) in bids.iter().enumerate() {
            if list.len() > prizes.len() {
                return Err(Problem::new(format!("bids[{player}]"), "more bids than prizes"));
            }
            // A gap would be a bid of a later turn without one of an earlier turn.
            if list.len() < usize::from(state.turn) {
                return Err(Problem::new(format!("bids[{player}]"), "fewer bids than decided prizes"));
            }
        }
        Ok(state)
    }

    /// Bids that `viewer` sees of a player: `None` for a hidden one.
    fn shown_bids(&self, state: &State, viewer: Option<Player>, player: Player) -> Vec<Option<u8>> {
        let own = self.bid_zone(player).is_seen_by(viewer);
        let past = (0..state.turn).map(|turn| place(state.bids[player.index()], turn));
        let shown = past.map(|value| self.past_zone(player).is_seen_by(viewer).then_some(value));
        let buffered = Some(state.buffered(player.index())).filter(|value| own && *value != 0);
        shown.chain(buffered.map(Some)).collect()
    }

    /// The hand as `viewer` sees it.
    fn shown_hand(&self, state: &State, viewer: Option<Player>, player: Player) -> Option<Vec<u16>> {
        let own = self.bid_zone(player).is_seen_by(viewer);
        let hand = if own { state.hands[player.index()] } else { state.public_hand(player.index()) };
        self.past_zone(player)
            .is_seen_by(viewer)
            .then(|| Bits([hand.into()]).iter().map(|card| card.0 + 1).collect())
    }
}

fn join<T: ToString>(list: &[T]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl Goofspiel {
    /// The JSON of a state. What is read is prizes and bids; the rest of the state follows from them.
    fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let (whole, viewer) = (*state, doc.viewer());
        let read = |word: &mut u64, given: &Value, at: &mut At<'_>| self.read_values(word, given, at);
        doc.field("prizes", with(&mut state.prizes, |word| values(*word).into(), read));
        let shown = |_: &[u64]| {
            Player::all(self.players).map(|player| self.shown_bids(&whole, viewer, player)).collect()
        };
        let bids = &mut state.bids[..self.players];
        doc.field(
            "bids",
            with(bids, shown, |bids, given, at| each(bids, "players", |_| Value::Null, read).read(given, at)),
        );
        doc.derived("hands", || {
            Player::all(self.players).map(|player| self.shown_hand(&whole, viewer, player)).collect()
        });
        doc.derived("points", || whole.points[..self.players].to_vec().into());
        doc.derived("takers", || {
            (0..whole.turn).map(|turn| self.taker(&whole, turn).map(|player| player.0)).collect()
        });
    }

    /// Reads a list of cards into a sequence.
    fn read_values(&self, word: &mut u64, given: &Value, at: &mut At<'_>) {
        let Some(list) = at.list(given) else { return };
        if list.len() > self.cards {
            at.problem(format!("{} entries; allowed: at most {}", list.len(), self.cards));
            return;
        }
        let read = list.iter().enumerate();
        let read = read.filter_map(|(i, value)| at.entry(i).number(value, &(1..=self.cards as i64)));
        *word = read.collect::<Vec<_>>().iter().rev().fold(0, |word, &value| word << 4 | value as u64);
    }
}

impl Show for Goofspiel {
    fn describe(&self, state: &State, viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| self.declare(&mut state.clone(), doc))
    }

    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let declare = |state: &mut State, doc: &mut Document<'_>| self.declare(state, doc);
        let mut state = document::restore(json, State::default(), declare, |state, reading| {
            if reading.is_fine() {
                let bids: Vec<Vec<u8>> =
                    state.bids[..self.players].iter().map(|&word| values(word)).collect();
                match self.replay(&values(state.prizes), &bids) {
                    Ok(reached) => *state = reached,
                    Err(problem) => reading.also([problem]),
                }
            }
        })?;
        if state.waiting == 0 {
            self.go_on(&mut state, rng, &mut Silent);
        }
        Ok(state)
    }

    fn action_text(&self, _: Option<(&State, Player)>, action: Action) -> String {
        format!("bid {}", action.0 + 1)
    }

    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        let text = text.trim();
        (0..self.cards as u16).map(Action).find(|a| self.action_text(state, *a).eq_ignore_ascii_case(text))
    }

    fn event_json(&self, event: &Event, viewer: Option<Player>) -> Option<Object> {
        match event {
            Event::Prize(value) => event!("prize", value),
            // Not even that it happened: who has bid already is nobody else's business.
            Event::Bid(player, _) if !self.bid_zone(*player).is_seen_by(viewer) => None,
            Event::Bid(player, value) => event!("bid", player: player, value),
            Event::Resolved(prize, winner, table) => {
                let bid = |player: Player| {
                    self.past_zone(player).is_seen_by(viewer).then(|| table.buffered(player.index()))
                };
                let bids: Vec<_> = Player::all(self.players).map(bid).collect();
                event!("resolved", prize, bids, winner)
            }
        }
    }

    fn event_text(&self, event: &Object) -> String {
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "prize" => format!("the prize is {}", fields.number("value")),
            "bid" => format!("{who} bids {}", fields.number("value")),
            "resolved" => {
                // Of bids that are not shown it is known only who won.
                let bids = event["bids"].as_array().map(Vec::as_slice).unwrap_or_default();
                let shown = bids.iter().enumerate().filter(|(_, bid)| !bid.is_null());
                let shown: Vec<String> =
                    shown.map(|(player, bid)| format!("player {player} bid {bid}")).collect();
                let listed_bids = if shown.is_empty() { String::new() } else { format!("{}: ", and(&shown)) };
                match event["winner"].is_null() {
                    true => format!("{listed_bids}nobody gets the prize of {}", fields.number("prize")),
                    false => {
                        format!(
                            "{listed_bids}{} gets the prize of {}",
                            fields.player("winner"),
                            fields.number("prize")
                        )
                    }
                }
            }
            _ => return playmat_core::sentences::plain(event),
        })
    }

    fn draw_text(&self, state: &State, viewer: Option<Player>) -> String {
        let mut text = match state.prize() {
            0 => String::from("no prize left\n"),
            prize => format!("prize {prize}\n"),
        };
        text.push_str(&format!("prizes so far: {}\n", join(&values(state.prizes))));
        for player in Player::all(self.players) {
            let bids = self.shown_bids(state, viewer, player);
            let bids: Vec<_> =
                bids.iter().map(|bid| bid.map_or("?".into(), |value| value.to_string())).collect();
            let hand = self.shown_hand(state, viewer, player).map_or("?".into(), |hand| join(&hand));
            let points = state.points[player.index()];
            text.push_str(&format!(
                "  player {player} points {points:3} hand {hand}\n           bids {}\n",
                join(&bids)
            ));
        }
        text
    }

    fn draw_svg(&self, state: &State, viewer: Option<Player>) -> String {
        let width = (140.0 + 30.0 * self.cards as f64).max(320.0);
        let height = 100.0 + 56.0 * self.players as f64;
        let mut svg = Svg::new(width, height);
        svg.rect(0.0, 0.0, width, height, "#2f6b4f", "");
        svg.text((20.0, 52.0), 16.0, Anchor::Start, "#fff", true, "prize");
        let prize = Some(state.prize()).filter(|prize| *prize != 0).map(|prize| prize.to_string());
        if let Some(prize) = &prize {
            draw_card(&mut svg, 80.0, 14.0, Some(prize));
        }
        let left: Vec<u8> = values(state.deck);
        svg.text((150.0, 52.0), 13.0, Anchor::Start, "#dfe", false, &format!("left: {}", join(&left)));
        for player in Player::all(self.players) {
            let y = 100.0 + 56.0 * player.index() as f64;
            let points = state.points[player.index()];
            svg.text((20.0, y + 20.0), 14.0, Anchor::Start, "#fff", true, &format!("player {player}"));
            svg.text((20.0, y + 38.0), 12.0, Anchor::Start, "#dfe", false, &format!("{points} points"));
            let hand = self.shown_hand(state, viewer, player);
            for card in 1..=self.cards as u16 {
                let x = 100.0 + 30.0 * f64::from(card - 1);
                let (fill, ink) = match &hand {
                    None => ("#3b5b92", "#3b5b92"),
                    Some(hand) if hand.contains(&card) => ("#fffdf6", "#222"),
                    Some(_) => ("#3d7a5d", "#5f9a7d"),
                };
                svg.rect(x, y, 26.0, 40.0, fill, r##"stroke="#264" rx="4""##);
                svg.text((x + 13.0, y + 26.0), 14.0, Anchor::Middle, ink, true, &card.to_string());
            }
            if let Some(Some(bid)) = self.shown_bids(state, viewer, player).get(usize::from(state.turn)) {
                svg.text((width - 8.0, y + 26.0), 14.0, Anchor::End, "#ffe08a", true, &format!("bids {bid}"));
            }
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            shows_more: &[r#"{"imp_info": true, "players": 2}"#, r#"{"imp_info": true}"#],
            none: &[(
                "determinizations",
                "whoever bids at once with others holds too many hands and bids possible",
            )],
            apart: &[("players", "imp_info", "bids stay hidden with two players")],
            idle: &[("GS-R4a", "two greedy agents bid alike, so that nobody gets a prize")],
            expected: Some(Self::rules),
            relabel: Some(Self::relabelled),
            consistent: Some(consistent),
            ..Hooks::default()
        }
    }
}
