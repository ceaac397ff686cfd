//! JSON, texts and pictures of Leduc poker.

use super::{CALL, Event, LeducPoker, RAISE, State, WORDS};
use playmat_classics_common::poker::{self, hands, read_decisions, write_decisions};
use playmat_classics_common::{draw_card, find_word, names};
use playmat_core::document::{self, Document, Names, each, name_or_null};
use playmat_core::hooks::same;
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;

impl LeducPoker {
    /// The JSON of a state. What is read is the cards and the decisions; the rest of the state follows from them.
    fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let whole = *state;
        let ids: Vec<String> = (0..2 * (self.players as u8 + 1)).map(|card| self.card_name(card)).collect();
        let ids = Names::new("card", ids.iter().map(String::as_str).zip(0..));
        let words = Names::new("decision", WORDS[..3].iter().copied());
        let mut cards: Vec<(u8, Visibility)> = Player::all(self.players)
            .map(|player| (whole.card(player.index()), self.card_zone(&whole, player)))
            .collect();
        let mut public = whole.public.checked_sub(1);
        let mut rounds: [Vec<u16>; 2] = [0, 1].map(|round| whole.actions(round).collect());
        let viewer = doc.viewer();
        doc.field("cards", hands(&mut cards, &ids, viewer));
        doc.field("public", name_or_null(&mut public, &ids));
        let write = |actions: &Vec<u16>| write_decisions(actions, &words);
        doc.field(
            "actions",
            each(&mut rounds, "rounds", write, |actions, given, at| {
                read_decisions(actions, &words, self.longest_round(), given, at);
            }),
        );
        if doc.is_reading() {
            state.cards.iter_mut().zip(&cards).for_each(|(place, (card, _))| *place = *card);
            state.public = public.map_or(0, |card| card + 1);
            let symbol = |action| match action {
                CALL => 1,
                RAISE => 2,
                _ => 3,
            };
            let word =
                |actions: Vec<u16>| actions.iter().rev().fold(0, |word, &action| word << 2 | symbol(action));
            state.history = rounds.map(word);
        }
        doc.derived("paid", || whole.paid[..self.players].to_vec().into());
        doc.derived("playing", || Players(whole.playing).iter().map(|player| player.0).collect());
        doc.derived("turn", || (whole.waiting != 0).then_some(whole.turn).into());
    }
}

impl Show for LeducPoker {
    fn describe(&self, state: &State, viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| self.declare(&mut state.clone(), doc))
    }

    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let declare = |state: &mut State, doc: &mut Document<'_>| self.declare(state, doc);
        let mut state = document::restore(json, State::default(), declare, |state, reading| {
            if reading.is_fine() {
                let public = state.public.checked_sub(1);
                reading.also(self.check_cards(&state.cards[..self.players], public));
                let rounds = [0, 1].map(|round| state.actions(round).collect());
                match self.replay(state.cards, public, &rounds) {
                    Ok(reached) => *state = reached,
                    Err(problem) => reading.also([problem]),
                }
            }
        })?;
        if state.waiting == 0 && !state.is_alone() && state.public == 0 {
            let public = self.draw_public(&state, rng);
            self.open(&mut state, public);
        }
        Ok(state)
    }

    fn action_text(&self, state: Option<(&State, Player)>, action: Action) -> String {
        let owes = state.is_none_or(|(state, player)| state.stake > state.paid[player.index() & 7]);
        match action.0 {
            CALL if !owes => "check".into(),
            other => WORDS[usize::from(other) % 3].0.into(),
        }
    }

    fn parse_action(&self, _: Option<(&State, Player)>, text: &str) -> Option<Action> {
        find_word(text, WORDS)
    }

    fn event_json(&self, event: &Event, viewer: Option<Player>) -> Option<Object> {
        match *event {
            Event::Dealt(player, card) => {
                let card = Visibility::Owner(player).is_seen_by(viewer).then(|| self.card_name(card));
                event!("dealt", player: player, card)
            }
            Event::Acted(player, action) => {
                event!("acted", player: player, action: WORDS[action.index() % 3].0)
            }
            Event::Opened(card) => event!("opened", card: self.card_name(card)),
            Event::Revealed(player, card) => {
                event!("revealed", player: player, card: self.card_name(card))
            }
            Event::Won(players, pot) => {
                let players: Vec<Player> = players.iter().collect();
                event!("won", players: players, pot)
            }
        }
    }

    fn event_text(&self, event: &Object) -> String {
        if let Some(text) = poker::event_text(event) {
            return sentence(&text);
        }
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "acted" => format!("{who} {}s", fields.text("action").unwrap_or_default()),
            "opened" => format!("the public card is {}", fields.text("card").unwrap_or_default()),
            "won" => match fields.list("players").len() {
                1 => format!("{} wins the pot of {}", fields.players("players"), fields.number("pot")),
                _ => format!("{} share the pot of {}", fields.players("players"), fields.number("pot")),
            },
            _ => return playmat_core::sentences::plain(event),
        })
    }

    fn draw_text(&self, state: &State, viewer: Option<Player>) -> String {
        let public = state.public.checked_sub(1).map_or("--".into(), |card| self.card_name(card));
        let pot: u8 = state.paid.iter().sum();
        let mut text = format!("public [{public}] pot {pot} to stay in {}\n", state.stake);
        let scores = self.scores(state);
        for player in Player::all(self.players) {
            let i = player.index();
            let card = if self.card_zone(state, player).is_seen_by(viewer) {
                self.card_name(state.card(i))
            } else {
                "??".into()
            };
            let mark = if self.acting(state).contains(player) { '>' } else { ' ' };
            let folded = if Players(state.playing).contains(player) { "" } else { " folded" };
            text.push_str(&format!("{mark} player {i} [{card}] paid {}{folded}", state.paid[i]));
            if state.waiting == 0 {
                text.push_str(&format!(" => {}", self.chips(scores[i])));
            }
            text.push('\n');
        }
        for round in 0..=state.round() {
            let said: Vec<_> = state.actions(round).map(|a| WORDS[usize::from(a)].0).collect();
            wrap(&mut text, &format!("round {}: {}", round + 1, said.join(", ")), "  ");
        }
        text
    }

    fn draw_svg(&self, state: &State, viewer: Option<Player>) -> String {
        let width = (80.0 * self.players as f64 + 20.0).max(180.0);
        let mut svg = Svg::new(width, 260.0);
        svg.rect(0.0, 0.0, width, 260.0, "#2f6b4f", "");
        let public = state.public.checked_sub(1).map(|card| self.card_name(card));
        draw_card(&mut svg, width / 2.0 - 24.0, 14.0, public.as_deref());
        let pot: u8 = state.paid.iter().sum();
        svg.text((width / 2.0, 100.0), 14.0, Anchor::Middle, "#fff", true, &format!("pot {pot}"));
        let scores = self.scores(state);
        for player in Player::all(self.players) {
            let (i, x) = (player.index(), 30.0 + 80.0 * player.index() as f64);
            let folded = !Players(state.playing).contains(player);
            let name =
                self.card_zone(state, player).is_seen_by(viewer).then(|| self.card_name(state.card(i)));
            let colour = if self.acting(state).contains(player) { "#ffe08a" } else { "#fff" };
            svg.text((x + 24.0, 128.0), 13.0, Anchor::Middle, colour, true, &format!("player {i}"));
            draw_card(&mut svg, x, 138.0, name.as_deref());
            let said = match (state.waiting == 0, folded) {
                (true, _) => self.chips(scores[i]),
                (_, true) => "folded".into(),
                _ => format!("paid {}", state.paid[i]),
            };
            svg.text((x + 24.0, 230.0), 13.0, Anchor::Middle, "#fff", false, &said);
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        let rules =
            |_: &Self| names(&["LP-R1", "LP-R2", "LP-R3", "LP-R4", "LP-R5", "LP-R6", "LP-R7", "LP-R8"]);
        Hooks {
            none: &[("relabel", "player 0 always decides first: no position has its players renamed")],
            consistent: Some(|_, state, viewer, sample| {
                let open = |state: &State| (state.history, state.public, state.paid, state.playing);
                let known = |state: &State| (open(state), state.cards[viewer.index()]);
                same("the decisions and the cards that the player sees", state, sample, known)
            }),
            expected: Some(rules),
            perfect_recall: true,
            determinizations: Some(Self::determinizations),
            ..Hooks::default()
        }
    }
}

impl LeducPoker {
    /// A score as signed chips.
    fn chips(&self, score: i32) -> String {
        if self.players == 2 { format!("{score:+}") } else { format!("{:+}", f64::from(score) / 2.0) }
    }
}
