//! The JSON form of a state: each field is declared once. The declaration writes, redacts, reads and checks it.

use super::Rafts;
use super::content::GENERICS;
use super::rules::Next;
use super::state::{Deck, GoalKind, Kind, MAX_GOALS, MAX_KINDS, Phase, PlayerState, Stage, State, Zone};
use playmat_core::document::{
    self, Document, Form, Names, Reading, counts, flag, name, name_or_null, name_set, number, number_set,
    redacted, with,
};
use playmat_core::prelude::*;
use std::ops::Range;

/// Whether fields were left out that follow from fields that are read later.
#[derive(Clone, Copy, Default)]
struct LeftOut {
    turn: bool,
    decider: bool,
    goals_left: bool,
    decks: bool,
    actions_played: bool,
}

/// The form for a viewer. It does not say whom the viewer does not see decide, nor how quiet the turns are.
pub(super) fn describe(game: &Rafts, state: &State, viewer: Option<Player>) -> Value {
    Document::write(viewer, |doc| {
        game.declare(&mut state.clone(), doc);
    })
}

/// Reads a position and plays on until somebody must choose or the game is over.
pub(super) fn restore(game: &Rafts, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
    let empty = State { deck: [0; MAX_KINDS], goals_left: [0; MAX_GOALS], ..game.empty_state() };
    let declare = |(state, left_out): &mut (State, LeftOut), doc: &mut Document<'_>| {
        *left_out = game.declare(state, doc);
    };
    let check = |(state, left_out): &mut (State, LeftOut), reading: &mut Reading<'_>| {
        if reading.is_fine() {
            game.fill_in(state, *left_out);
            reading.also(game.zone_problems(state));
        }
        if reading.is_fine() {
            game.derive(state);
            if left_out.decider {
                state.cursor = game.next_in_window(state).unwrap_or(state.active()).0;
            }
            if left_out.turn {
                state.turn = game.least_turn(state);
            }
            reading.also(game.phase_problems(state));
        }
    };
    let (mut state, _) = document::restore(json, (empty, LeftOut::default()), declare, check)?;
    let next = game.resume(&mut state);
    game.go_on(&mut state, next, rng, &mut Silent);
    Ok(state)
}

impl Rafts {
    /// Every field. Returns which of those that follow from later ones were left out.
    fn declare(&self, state: &mut State, doc: &mut Document<'_>) -> LeftOut {
        let whole = *state;
        let viewer = doc.viewer();
        let phases = Names::new("phase", Phase::ALL.map(|phase| (phase.name(), phase)));
        let stages = Names::new("stage", [Stage::Main, Stage::Discard].map(|stage| (stage.name(), stage)));
        let (resources, actions) = (0..self.resources, self.resources..self.kinds);
        let resource_kinds = self.card_names("resource", resources.clone(), (0..).map(Kind));
        let resources = self.card_names("resource", resources, 0..);
        let action_kinds =
            self.card_names("action card", actions.clone(), (self.resources as u8..).map(Kind));
        let actions = self.card_names("action card", actions, 0..);
        let (goals, goal_kinds) = (self.goal_names(0..), self.goal_names((0..).map(GoalKind)));
        let last_player = self.players as i64 - 1;

        let has_turn = doc.optional("turn", number(&mut state.turn, 0..=self.options.turns.into()));
        doc.field("turn_player", number(&mut state.turn_player, 0..=last_player));
        let is_over = whole.phase.is_over();
        let phase =
            if is_over { Visibility::Public } else { Zone::Decision(Player(whole.cursor)).visibility() };
        doc.optional("phase", redacted(name(&mut state.phase, &phases), phase, viewer, || Value::Null));
        if doc.is_reading() {
            let turn_goes_on = matches!(state.phase, Phase::Main | Phase::Draw | Phase::Discard);
            state.stirred = !turn_goes_on && !state.phase.is_over();
            state.stage = if state.phase == Phase::Discard { Stage::Discard } else { Stage::Main };
        }
        let mut decider = Some(state.cursor).filter(|_| !doc.is_reading() && !is_over);
        doc.complete(|doc| {
            doc.optional("current_player", player_or_null(&mut decider, self.players));
            doc.optional("stage", name(&mut state.stage, &stages));
        });
        let quiet = number(&mut state.quiet, 0..=self.players as i64);
        doc.optional("quiet_turns", quiet);
        doc.optional("stirred", flag(&mut state.stirred));
        state.cursor = decider.unwrap_or(state.turn_player);
        doc.for_viewer("to_act", |viewer| whole.must_decide(viewer).into());
        doc.optional("resolving", name_or_null(&mut state.resolving, &action_kinds));
        doc.optional("placing", name_or_null(&mut state.placing, &resource_kinds));
        doc.optional("partner", player_or_null(&mut state.partner, self.players));
        doc.optional("receiving", name_or_null(&mut state.receiving, &goal_kinds));
        doc.optional("shielded", number_set(&mut state.shields, 0..=last_player));
        let left = &mut state.goals_left[..self.goals.len()];
        let has_goals_left = doc.optional("goals_left", counts(left, &goals, &self.goal_copies, false));
        let has_decks = doc.object("decks", true, |doc| {
            for deck in Deck::ALL {
                let range = self.range(deck);
                let names = self.card_names("card of this deck", range.clone(), 0..);
                let cards = counts(&mut state.deck[range.clone()], &names, &self.copies[range], false);
                let size = || whole.sizes[deck.index()].into();
                doc.optional(deck.name(), redacted(cards, Zone::Decks, viewer, size));
            }
        });
        doc.for_viewer("deck_bound", |viewer| {
            let bound = &mut self.deck_bound(&whole, viewer)[..self.resources];
            counts(bound, &resources, &self.copies, false).write()
        });
        let discards = &mut state.discards[..self.resources];
        doc.optional("discards", counts(discards, &resources, &self.copies, false));
        doc.optional("last_discard", name_or_null(&mut state.last, &resource_kinds));
        let (played, copies) =
            (&mut state.played[..self.kinds - self.resources], &self.copies[self.resources..]);
        let has_actions_played = doc.optional("actions_played", counts(played, &actions, copies, false));
        doc.each("players", self.players, "players", |i, doc| {
            self.declare_player(&whole, Player(i as u8), &mut state.players[i], doc);
        });
        LeftOut {
            turn: !has_turn,
            decider: decider.is_none(),
            goals_left: !has_goals_left,
            decks: !has_decks,
            actions_played: !has_actions_played,
        }
    }

    fn declare_player(&self, whole: &State, player: Player, own: &mut PlayerState, doc: &mut Document<'_>) {
        let bacteria = self.card_names("bacterium", 0..self.bacteria, (0..).map(Kind));
        let genes = self.card_names("gene", self.bacteria..self.specific, (self.bacteria as u8..).map(Kind));
        let resources = self.card_names("resource", 0..self.resources, 0..);
        let cards = self.card_names("card", 0..self.kinds, 0..);
        let generics = Names::new("generic", GENERICS.into_iter().zip(0..)).ignoring_case();
        let goals = self.goal_names(0..);

        let mut benches = own.benches[..1 + usize::from(own.lab)].to_vec();
        doc.list("benches", &mut benches, 2, Default::default, |[bacterium, gene], doc| {
            doc.optional("bacterium", name_or_null(bacterium, &bacteria));
            doc.optional("gene", name_or_null(gene, &genes));
        });
        own.lab = benches.len() > 1;
        doc.optional("lab_expansion", flag(&mut own.lab));
        if benches.len() > 1 && !own.lab {
            doc.problem("benches", "2 benches; allowed: 1 without a Lab expansion");
        }
        for (bench, given) in own.benches.iter_mut().zip(benches) {
            *bench = given;
        }
        let limit = self.limit(own);
        doc.optional("generics", counts(&mut own.generics, &generics, &[limit, limit, limit, 1], true));
        doc.field("goals", name_set(&mut own.goals, &goals));
        doc.derived("missing", || whole.player(player).missing.into());
        doc.derived("completion", || self.completion(whole, player).into());
        let hand = counts(&mut own.hand[..self.kinds], &cards, &self.copies, false);
        doc.field("hand", redacted(hand, Zone::Hand(player), doc.viewer(), || Value::Null));
        doc.derived("hand_sizes", || {
            let sizes = Deck::ALL.iter().zip(whole.player(player).held);
            sizes.map(|(deck, size)| (deck.name().to_string(), size.into())).collect::<Object>().into()
        });
        let known = &mut own.known[..self.resources];
        doc.optional("known_hand", counts(known, &resources, &self.copies, false));
        if doc.is_reading() {
            // A card of the hand that was not recovered came from the deck.
            for (k, drawn) in own.drawn[..self.resources].iter_mut().enumerate() {
                *drawn = own.hand[k].saturating_sub(own.known[k]);
            }
        }
        doc.complete(|doc| {
            let drawn = &mut own.drawn[..self.resources];
            doc.optional("drawn", counts(drawn, &resources, &self.copies, false));
        });
    }

    /// Names of the cards of a range, and what they stand for.
    fn card_names<T: Copy>(
        &self,
        what: &'static str,
        range: Range<usize>,
        things: impl IntoIterator<Item = T>,
    ) -> Names<'_, T> {
        Names::new(what, self.cards[range].iter().map(|card| card.id.as_str()).zip(things)).ignoring_case()
    }

    /// Names of the goals, and what they stand for.
    fn goal_names<T: Copy>(&self, things: impl IntoIterator<Item = T>) -> Names<'_, T> {
        Names::new("goal", self.goals.iter().map(|goal| goal.card.id.as_str()).zip(things)).ignoring_case()
    }

    /// What was left out: cards that are mentioned nowhere lie in their decks, and cards that have left something behind were
    /// used.
    fn fill_in(&self, state: &mut State, left_out: LeftOut) {
        if left_out.actions_played {
            for (action, effect) in self.effects[..self.kinds - self.resources].iter().enumerate() {
                state.played[action] = self.traces(state, *effect).unwrap_or(0).min(255) as u8;
            }
            // So were the card being resolved and the shields against it.
            if let Some(action) = state.resolving.map(|kind| kind.index() - self.resources) {
                state.played[action] = state.played[action].saturating_add(1);
                if let Some(shield) = self.shields[action] {
                    let played = &mut state.played[shield.index() - self.resources];
                    *played = played.saturating_add(state.shields.count_ones() as u8);
                }
            }
        }
        if left_out.decks {
            for k in 0..self.kinds {
                let outside = self.copies_outside(state, Kind(k as u8));
                state.deck[k] = u32::from(self.copies[k]).saturating_sub(outside) as u8;
            }
        }
        if left_out.goals_left {
            for (g, goal) in self.goals.iter().enumerate() {
                let owned = self.owners(state, GoalKind(g as u8));
                state.goals_left[g] = u32::from(goal.card.copies).saturating_sub(owned) as u8;
            }
        }
    }

    /// The player who decides in a window that does not say it: the next who can.
    fn next_in_window(&self, state: &State) -> Option<Player> {
        let mut players = (1..=self.players as u8).map(|place| self.after(state, place));
        match state.phase {
            Phase::Snatch => {
                players.find(|&player| player != state.active() && self.may_snatch(state, player))
            }
            Phase::Shield => players.find(|&player| self.may_shield(state, player)),
            _ => None,
        }
    }

    /// How play goes on from the phase of a position.
    fn resume(&self, state: &mut State) -> Next {
        let player = Player(state.cursor);
        match state.phase {
            Phase::Main | Phase::Discard => Next::Stage,
            Phase::Draw => Next::Draw,
            Phase::Shield => Next::Shield(self.place(state, player)),
            Phase::Snatch => Next::Snatch(self.place(state, player)),
            // Equal benches leave nothing to choose.
            Phase::Bench if !state.player(player).chooses_bench() => {
                self.place_chosen(state, player, 0, &mut Silent)
            }
            Phase::Bench | Phase::Won | Phase::Dead | Phase::Limit => Next::Decide,
            _ => Next::Choose,
        }
    }
}

/// The number of a player, or `null`.
fn player_or_null(player: &mut Option<u8>, num_players: usize) -> impl Form + '_ {
    with(
        player,
        |player| (*player).into(),
        move |player, given, at| *player = at.number(given, &(0..=num_players as i64 - 1)).map(|p| p as u8),
    )
}
