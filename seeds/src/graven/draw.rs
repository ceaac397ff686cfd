//! The position as people see it: as text for a terminal and as a picture.
//!
//! Both draw a [`Scene`], which knows only what the viewer may know.

mod cards;
mod picture;
mod terminal;
mod words;

use super::Graven;
use super::state::{BACK, Cards, FRONT, MAX_PLAYERS, NONE, Phase, PlayerState, Stage, State, Zone, bits};
use playmat_core::prelude::*;

playmat_core::scene!(Graven);

/// Equal cards on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pile {
    kind: u8,
    copies: u8,
    /// The owner, if it is another player than the controller.
    lent_by: Option<u8>,
    /// Whether its passive is active, or its effect can be activated.
    speaks: bool,
    /// Copies that were used this turn.
    spent: u8,
}

impl<'a> Scene<'a> {
    fn player(&self, player: Player) -> &PlayerState {
        self.state.player(player.0)
    }

    /// All players from the top of the drawing down, the viewer's last: it sits at the lower edge.
    fn downwards(&self) -> Vec<Player> {
        let mut players = self.in_order();
        players.rotate_left(1);
        players
    }

    fn card_name(&self, kind: u8) -> &'a str {
        &self.game.card(kind).name
    }

    /// Kinds in a hand with their copies, if the viewer knows them.
    fn hand(&self, player: Player) -> Option<Cards> {
        Zone::Hand(player).is_seen_by(self.viewer).then(|| self.player(player).hand)
    }

    /// What is in a deck, if the viewer knows it.
    fn deck(&self, player: Player) -> Option<Cards> {
        let deck = self.player(player).deck;
        (Zone::Deck(player).is_seen_by(self.viewer) && !deck.is_empty()).then_some(deck)
    }

    /// Cards of a pile, Titans first: three of them lose the game.
    fn titans_first(&self, cards: Cards) -> Vec<(u8, u8)> {
        let titans = self.game.titan_kinds;
        cards.of(titans).iter().chain(cards.of(!titans).iter()).collect()
    }

    /// What the turn player may still put into play, while that is the decision.
    fn left(&self, player: Player) -> Option<String> {
        let (game, s) = (self.game, self.state);
        let plays =
            matches!(s.stage, Stage::Draw | Stage::Play) && s.turn_player == player.0 && !self.is_over();
        plays.then(|| {
            let humans = match game.plays_left(s) {
                0 => "no Human".into(),
                1 => "1 Human".into(),
                n => format!("{n} Humans"),
            };
            let titan = if game.may_invoke(s) { "1 Titan" } else { "no Titan" };
            format!("{humans}, {titan} left")
        })
    }

    /// Picks for a deck that is being built, if the viewer knows them.
    fn picks(&self, player: Player) -> Option<Cards> {
        let picks = self.player(player).deck;
        (Zone::Picks(player).is_seen_by(self.viewer) && !picks.is_empty()).then_some(picks)
    }

    /// Kinds whose limited effect a player has used up.
    fn used_up(&self, player: Player) -> impl Iterator<Item = u8> {
        bits(self.player(player).used & self.game.all)
    }

    /// The cards on a line.
    fn line(&self, player: Player, line: usize) -> Vec<Pile> {
        let (game, s) = (self.game, self.state);
        let active = game.active(s, player.0);
        let own_back = line == BACK && s.turn_player == player.0;
        let mut piles = Vec::new();
        for j in 0..MAX_PLAYERS {
            let owner = (player.index() + j) % MAX_PLAYERS;
            for (kind, copies) in s.line(player.0, line)[owner].iter() {
                let passive = game.passive >> kind & 1 != 0;
                let through = active.through >> kind & 1 != 0 || game.either >> kind & 1 != 0;
                let activates = game.card(kind).ability(super::state::Timing::Activate).is_some();
                piles.push(Pile {
                    kind,
                    copies,
                    lent_by: (owner != player.index()).then_some(owner as u8),
                    speaks: if line == FRONT { passive && through } else { passive || activates },
                    spent: 0,
                });
            }
        }
        piles.sort_by_key(|pile| (pile.kind, pile.lent_by));
        // Copies are equal whoever owns them (GV-Q7a): each that is used up is named once.
        let mut spent = if own_back { s.spent } else { Cards::EMPTY };
        for pile in &mut piles {
            while pile.spent < pile.copies && spent.count(pile.kind) > 0 {
                spent.remove(pile.kind);
                pile.spent += 1;
            }
        }
        piles
    }

    /// Whether a player has won.
    fn won(&self, player: Player) -> bool {
        self.is_over() && self.game.winners(self.state).contains(player)
    }

    /// Whether the viewer may see the decision that is due.
    fn shows_question(&self) -> bool {
        !self.game.is_secret(self.state) || Zone::Decision(Player(self.state.decider)).is_seen_by(self.viewer)
    }

    /// The turn that goes on, or after how many it ended.
    fn when(&self) -> String {
        match (self.state.phase, self.state.stage) {
            (Phase::Cut, _) => format!("After {} turns", self.state.turns),
            (_, Stage::Build) => "Before the deal".into(),
            _ => format!("Turn {}", self.state.turns + 1),
        }
    }

    /// Whether a player has lost and nothing lies there any more.
    fn is_gone(&self, player: Player) -> bool {
        let own = self.player(player);
        let piles = own.deck.is_empty() && own.discard.is_empty() && own.hand.is_empty();
        !self.state.plays(player.0)
            && (!self.is_over()
                || piles && [FRONT, BACK].iter().all(|&line| self.line(player, line).is_empty()))
    }

    /// What is going on and what must be decided, in a few words.
    fn prompt(&self) -> String {
        match self.decision() {
            Some(question) => format!("{}; {question}", self.happening()),
            None => self.happening(),
        }
    }

    /// What is going on.
    fn happening(&self) -> String {
        let s = self.state;
        if self.is_over() {
            let winners: Vec<String> = self.game.winners(s).iter().map(|player| player.to_string()).collect();
            let won = winners.join(" and ");
            return match s.phase {
                Phase::Cut => format!("the limit of turns is reached; players {won} share"),
                _ if winners.len() > 1 => format!("game over: players {won} lost together and share"),
                _ => format!("game over: player {won} wins"),
            };
        }
        if s.stage == Stage::Build {
            return "decks are being built".into();
        }
        let stage = match s.stage {
            Stage::Draw => "Draw Phase",
            Stage::Play => "Play Phase",
            Stage::Effect => "Effect Phase",
            Stage::Survey => "Survey Phase",
            _ => "End Phase",
        };
        let mut words = format!("{stage} of player {}", s.turn_player);
        if let Some(running) = s.effect {
            words = format!("{words}; {} of player {}", self.card_name(running.kind), running.player);
        }
        if let Some(invoking) = s.invoking {
            words = format!("{words}; {} is being invoked", self.card_name(invoking.kind));
        }
        words
    }

    /// Who must decide what.
    fn decision(&self) -> Option<String> {
        let s = self.state;
        if self.is_over() || s.stage == Stage::Build || s.decider == NONE || !self.shows_question() {
            return None;
        }
        let whom = if self.viewer == Some(Player(s.decider)) {
            "you".into()
        } else {
            format!("player {}", s.decider)
        };
        Some(format!("{whom} to {}", self.question()))
    }

    /// What the player who must act decides.
    fn question(&self) -> String {
        let name = |kind: u8| self.card_name(kind);
        let s = self.state;
        match s.phase {
            Phase::Draw => "draw".into(),
            Phase::Play => "play a Human, invoke, or pass".into(),
            Phase::Sacrifice => "choose a sacrifice".into(),
            Phase::Effect => "use an effect, or pass".into(),
            Phase::Ward => format!("ward off a loss of {}, or pass", s.player(s.decider).loss),
            Phase::Window => {
                let kind = s.window.map_or("a Human", |(_, kind)| name(kind));
                format!("answer the loss of {kind}, or pass")
            }
            Phase::May => "use it, or not".into(),
            Phase::Player => "choose an opponent".into(),
            Phase::Field => "choose a card on a field".into(),
            Phase::Owner => "say whose card is meant".into(),
            Phase::Card => "choose a card".into(),
            Phase::Line => "choose a line".into(),
            _ => "pick a card".into(),
        }
    }
}
