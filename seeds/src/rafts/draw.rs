//! The position as people see it: as text for a terminal and as a picture.
//!
//! Both draw a [`Scene`], which knows only what the viewer may know.

mod icons;
mod picture;
mod terminal;

use super::Rafts;
use super::state::{BACTERIUM, Deck, GENE, GoalKind, Kind, Phase, PlayerState, RAFT, State, Zone};
use playmat_core::prelude::*;

playmat_core::scene!(Rafts);

/// One line of a goal: what it needs and whether it lies there.
struct Line {
    kind: Kind,
    /// Copies that it needs, and those that lie there or that a raft stands for.
    need: u8,
    have: u8,
    /// Of these, stood for by a raft.
    raft: u8,
}

impl<'a> Scene<'a> {
    fn player(&self, player: Player) -> &PlayerState {
        self.state.player(player)
    }

    fn id(&self, kind: Kind) -> &'a str {
        &self.game.card(kind).id
    }

    fn card_name(&self, kind: Kind) -> &'a str {
        &self.game.card(kind).name
    }

    /// What a card is called in a sentence: a gene by its id, as the drawings write it.
    fn said(&self, kind: Kind) -> &'a str {
        let game = self.game;
        let gene = (game.bacteria..game.specific).contains(&kind.index());
        if gene { self.id(kind) } else { self.card_name(kind) }
    }

    fn goal_name(&self, goal: GoalKind) -> &'a str {
        &self.game.goal(goal).card.name
    }

    /// Goals that the viewer has to choose from, if that is the decision.
    fn offered_goals(&self) -> Vec<GoalKind> {
        let player = Player(self.state.cursor);
        if self.state.phase != Phase::Goal || !self.shows_decision(player) {
            return Vec::new();
        }
        let offered = self.game.choosable_goals(self.state, player);
        (0..16).filter(|g| offered >> g & 1 != 0).map(GoalKind).collect()
    }

    /// Kinds in a hand, one for each card, if the viewer knows them.
    fn hand(&self, player: Player) -> Option<Vec<Kind>> {
        if !Zone::Hand(player).is_seen_by(self.viewer) {
            return None;
        }
        let hand = &self.player(player).hand;
        let copies = |k: usize| std::iter::repeat_n(Kind(k as u8), hand[k].into());
        Some((0..self.game.kinds()).flat_map(copies).collect())
    }

    /// What everybody knows of a hand: backs of cards by deck, recovered cards open.
    fn backs(&self, player: Player) -> Vec<(Deck, Option<Kind>)> {
        let own = self.player(player);
        let mut cards = Vec::new();
        for deck in Deck::ALL {
            let mut known = Vec::new();
            if deck != Deck::Actions {
                for k in self.game.range(deck) {
                    known.extend(std::iter::repeat_n(Kind(k as u8), own.known[k].into()));
                }
            }
            let hidden = usize::from(own.held[deck.index()]).saturating_sub(known.len());
            cards.extend(known.into_iter().map(|kind| (deck, Some(kind))));
            cards.extend(std::iter::repeat_n((deck, None), hidden));
        }
        cards
    }

    /// The card being resolved and the one being placed, each with the word for it.
    fn under_way(&self) -> impl Iterator<Item = (Kind, &'static str)> + use<> {
        let resolving = self.state.resolving.map(|kind| (kind, "in play"));
        let placing = self.state.placing.map(|kind| (kind, "to place"));
        resolving.into_iter().chain(placing)
    }

    /// Whether a player has won.
    fn won(&self, player: Player) -> bool {
        self.state.phase == Phase::Won && self.state.active() == player
    }

    /// Whether the viewer may see that this player must decide.
    fn shows_decision(&self, player: Player) -> bool {
        self.state.must_decide(player) && Zone::Decision(player).is_seen_by(self.viewer)
    }

    /// What a goal needs on the bench that suits it best.
    fn lines(&self, player: &PlayerState, goal: GoalKind) -> Vec<Line> {
        let needs = &self.game.goal(goal).needs;
        let has = |bench: usize, slot: usize| player.benches[bench][slot] == Some(needs.specific[slot]);
        let count = |bench: usize| u8::from(has(bench, BACTERIUM)) + u8::from(has(bench, GENE));
        let bench = usize::from(player.lab && count(1) > count(0));
        let there = |slot: usize| {
            if self.game.options.any_pairing { has(0, slot) || has(1, slot) } else { has(bench, slot) }
        };
        let mut lines: Vec<Line> = [BACTERIUM, GENE]
            .into_iter()
            .map(|slot| Line { kind: needs.specific[slot], need: 1, have: there(slot).into(), raft: 0 })
            .collect();
        let mut rafts = player.generics[RAFT];
        for (generic, &need) in needs.generics.iter().enumerate().filter(|(_, need)| **need > 0) {
            let have = need.min(player.generics[generic]);
            let raft = rafts.min(need - have);
            rafts -= raft;
            let kind = Kind((self.game.specific + generic) as u8);
            lines.push(Line { kind, need, have: have + raft, raft });
        }
        lines
    }

    /// The turn that goes on, or after how many the game ended without a winner.
    fn when(&self) -> String {
        match self.state.phase {
            Phase::Dead | Phase::Limit => format!("After {} turns", self.state.turn),
            _ => format!("Turn {}", self.state.turn + 1),
        }
    }

    /// What is going on, in a few words.
    fn prompt(&self) -> String {
        let state = self.state;
        match state.phase {
            Phase::Won => return format!("Game over: player {} wins", state.turn_player),
            Phase::Dead => return "Game over: nobody can do anything any more".into(),
            Phase::Limit => return "Game over: the limit of turns is reached".into(),
            _ => {}
        }
        let decider = Player(state.cursor);
        if !self.shows_decision(decider) {
            return self.what_goes_on();
        }
        let what = self.question();
        if self.viewer.is_some() { what } else { format!("Player {decider}: {what}") }
    }

    /// What everybody sees happen, whoever decides: cards and goals that lie nowhere for the moment are named here.
    fn what_goes_on(&self) -> String {
        let state = self.state;
        let resolving = state.resolving.map(|kind| self.card_name(kind));
        match (resolving, state.placing, state.partner) {
            (Some(card), Some(placed), _) => format!("{card}: {} is being placed", self.said(placed)),
            (None, Some(placed), _) => format!("{} is being placed", self.said(placed)),
            (Some(card), None, Some(partner)) => match state.receiving {
                Some(goal) => format!("{card} with player {partner} for {}", self.goal_name(goal)),
                None => format!("{card} with player {partner}"),
            },
            (Some(card), None, None) => format!("{card} is being resolved"),
            (None, None, _) => format!("Turn of player {}", state.turn_player),
        }
    }

    /// What the player who must act decides.
    fn question(&self) -> String {
        let name = |kind: Option<Kind>| kind.map_or("", |kind| self.said(kind));
        let state = self.state;
        match state.phase {
            Phase::Main => "Play a card, or end the turn".into(),
            Phase::Shield => format!("{}: protect yourself?", name(state.resolving)),
            Phase::Snatch => format!("Snatch {}?", name(state.last)),
            Phase::Bench => format!("Which bench does {} go to?", name(state.placing)),
            Phase::Target => format!("{}: choose a player", name(state.resolving)),
            Phase::Receive => {
                let partner = state.partner.map_or(String::new(), |player| format!(" from player {player}"));
                format!("Choose the goal you receive{partner}")
            }
            Phase::Give => {
                let received = state.receiving.map_or("", |goal| self.goal_name(goal));
                format!("Choose the goal you give for {received}")
            }
            Phase::Steal => "Choose what to steal".into(),
            Phase::Take => "Take a card from the discards".into(),
            Phase::Goal => "Choose a second goal".into(),
            Phase::Discard => "Discard a card, or go on".into(),
            _ => "Draw a card".into(),
        }
    }
}
