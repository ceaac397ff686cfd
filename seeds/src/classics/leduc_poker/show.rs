//! JSON, texts and pictures of Leduc poker.

use super::{CALL, Event, LeducPoker, State, WORDS};
use playmat_classics_common::{draw_card, find_word, names};
use playmat_core::fields::{Fields, Found, list, word};
use playmat_core::hooks::same;
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;

impl Show for LeducPoker {
    fn describe(&self, state: &State, viewer: Option<Player>) -> Value {
        let shown = |player: Player| {
            self.card_zone(state, player)
                .is_seen_by(viewer)
                .then(|| self.card_name(state.card(player.index())))
        };
        let said = |round: usize| state.actions(round).map(|a| WORDS[usize::from(a)].0).collect::<Vec<_>>();
        json!({
            "cards": Player::all(self.players).map(shown).collect::<Vec<_>>(),
            "public": state.public.checked_sub(1).map(|card| self.card_name(card)),
            "actions": [said(0), said(1)],
            "paid": state.paid[..self.players],
            "playing": Players(state.playing).iter().map(|player| player.0).collect::<Vec<_>>(),
            "turn": (state.waiting != 0).then_some(state.turn),
        })
    }

    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let names: Vec<String> = (0..2 * (self.players as u8 + 1)).map(|card| self.card_name(card)).collect();
        let words: Vec<String> = WORDS[..3].iter().map(|(word, _)| (*word).to_string()).collect();
        let mut fields = Fields::of(json);
        let given = fields.need("cards", list(self.players..=self.players, word(&names))).unwrap_or_default();
        let public = fields.need("public", |path, card, found| {
            if card.is_null() { Some(None) } else { word(&names)(path, card, found).map(Some) }
        });
        let public = public.flatten().map(|card| card as u8);
        let actions = fields.need("actions", list(2..=2, list(0..=self.longest_round(), word(&words))));
        let actions = actions.unwrap_or_default();
        let build = |found: &mut Found| {
            let mut cards = [0; MAX_PLAYERS];
            cards.iter_mut().zip(&given).for_each(|(card, &given)| *card = given as u8);
            found.extend(self.check_cards(&cards[..self.players], public));
            let rounds = [0, 1].map(|round| actions[round].iter().map(|&action| action as u16).collect());
            self.replay(cards, public, &rounds).map_err(|problem| found.push(problem)).ok()
        };
        let derived = ["paid", "playing", "turn"];
        let mut state = fields.state(&derived, build, |state| self.describe(state, None))?;
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
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "dealt" => match fields.text("card") {
                Some(card) => format!("{who} is dealt {card}"),
                None => format!("{who} is dealt a card"),
            },
            "acted" => format!("{who} {}s", fields.text("action").unwrap_or_default()),
            "opened" => format!("the public card is {}", fields.text("card").unwrap_or_default()),
            "revealed" => format!("{who} shows {}", fields.text("card").unwrap_or_default()),
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
