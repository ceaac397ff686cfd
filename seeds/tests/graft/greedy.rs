//! How well the greedy agent plays, and what it chooses.

use crate::fixture::{TAKE_BAR, configured};
use playmat_conformance::testing::{against_random, greedy_in_play};
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::action::Choice;
use playmat_graft::content::Effect;
use playmat_graft::state::{Counts, Kind, Phase, Row, State};
use serde_json::json;

#[test]
fn greedy_wins_nine_games_in_ten_as_every_player() {
    for player in 0..3 {
        let found = against_random(&configured(&json!({})), player, 150);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
    }
    for player in 0..2 {
        let found = against_random(&configured(&json!({"players": 2})), player, 150);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
    }
}

#[test]
fn greedy_wins_with_many_players_and_under_every_option() {
    for options in [
        json!({"players": 5}),
        json!({"players": 4, "end_of_game_claims": false}),
        json!({"z_coin_placement": "restricted"}),
    ] {
        let found = against_random(&configured(&options), 1, 60);
        assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
    }
}

/// The agent card by card: for each row it asks of every kind whether it may be placed, and adds up the unseen cards again.
struct Plain<'a> {
    game: &'a Graft,
    state: &'a State,
    player: Player,
    unseen: Counts,
    rng: &'a mut Rng,
    best: Option<(i64, Action)>,
    ties: u32,
}

impl Plain<'_> {
    fn decide(game: &Graft, state: &State, player: Player, rng: &mut Rng) -> Action {
        let mut unseen = state.secret;
        for hand in &state.hands {
            for (kind, _) in hand.cards().filter(|card| card.1 >> player.0 & 1 != 0) {
                unseen.0[kind.index()] -= 1;
            }
        }
        let mut plain = Plain { game, state, player, unseen, rng, best: None, ties: 0 };
        let row = state.rows[player.index()];
        let legal = game.legal(state, player);
        let kinds: Vec<Kind> =
            (0..game.kinds() as u8).filter(|&kind| legal.contains(Action(kind.into()))).map(Kind).collect();
        match state.phase {
            Phase::Choose => plain.choose(&row, &kinds, &legal),
            Phase::Replant => {
                let compost = 1000 * (1 + i64::from(state.recycles[player.index()]));
                plain.offer(plain.shipped(&row), Choice::Stop);
                for kind in kinds {
                    plain.offer(plain.shipped(&plain.after(&row, kind)) - compost, Choice::Card(kind));
                }
            }
            Phase::Replace => {
                for kind in kinds {
                    plain.offer(plain.shipped(&plain.after(&row, kind)), Choice::Card(kind));
                }
            }
            _ => {
                for slot in (0..5).filter(|slot| state.offers[player.index()] >> slot & 1 != 0) {
                    plain.offer(game.badge_value(state, slot).into(), Choice::Claim(slot as u8));
                }
            }
        }
        plain.best.unwrap().1
    }

    fn after(&self, row: &Row, kind: Kind) -> Row {
        self.game.after(row, kind, &self.state.slots)
    }

    fn without_last(&self, row: &Row) -> Row {
        let kept = &row.codes()[..row.codes().len() - 1];
        kept.iter().fold(Row::default(), |row, &code| self.after(&row, Kind::of_code(code)))
    }

    fn choose(&mut self, row: &Row, kinds: &[Kind], legal: &Bits<2>) {
        let mut row = *row;
        if self.state.bars.contains(self.player) {
            row = self.without_last(&row);
            let code = self.state.cards[self.player.index()][0];
            row = if code == 0 { row } else { self.after(&row, Kind::of_code(code)) };
        }
        for &kind in kinds {
            self.offer(self.after_card(&row, kind), Choice::Card(kind));
        }
        if legal.contains(self.game.action(Choice::Ship)) {
            let fits = kinds.iter().filter(|&&kind| self.game.is_legal(&row, kind));
            let values = fits.map(|&kind| self.shipped(&self.after(&row, kind)));
            if let Some(value) = values.max() {
                self.offer(value, Choice::Ship);
            }
        }
        if legal.contains(self.game.action(Choice::TakeBar)) {
            let without = self.without_last(&row);
            let values = |row: &Row, kinds: &[Kind]| {
                kinds.iter().map(|&kind| (self.after_card(row, kind), kind)).max_by_key(|value| value.0)
            };
            if let Some((first_value, first)) = values(&without, kinds) {
                let others: Vec<Kind> = kinds.iter().copied().filter(|&kind| kind != first).collect();
                let second = values(&self.after(&without, first), &others);
                self.offer(second.map_or(first_value, |second| second.0), Choice::TakeBar);
            }
        }
    }

    fn shipped(&self, row: &Row) -> i64 {
        let open =
            |slot: &usize| row.met >> slot & 1 != 0 && self.state.claims[self.player.index()][*slot] == 0;
        let badges = (0..5).filter(open).map(|slot| self.game.badge_value(self.state, slot));
        let is_recycle = |code: &&u8| self.game.data(Kind::of_code(**code)).effect == Effect::Recycle;
        let recycles = row.codes().iter().filter(is_recycle).count() as i64;
        let compost = recycles * i64::from(self.state.compost_sizes[self.player.index()]);
        1000 * (i64::from(row.score) + i64::from(badges.max().unwrap_or(0)) + compost)
    }

    fn after_card(&self, before: &Row, kind: Kind) -> i64 {
        let row = self.after(before, kind);
        let fits = (0..self.game.kinds()).filter(|&kind| self.game.is_legal(&row, Kind(kind as u8)));
        let legal: i64 = fits.map(|kind| i64::from(self.unseen.0[kind])).sum();
        let all = i64::from(self.unseen.total()).max(1);
        let now = self.shipped(&row);
        let grown = now + now.max(0) / i64::from(row.len.max(1));
        let point = 1000 * (1 + i64::from(self.state.recycles[self.player.index()]));
        let bust = if self.game.is_legal(before, kind) { 0 } else { i64::from(before.len) * point };
        (grown * legal + i64::from(row.len) * point * (all - legal)) / all + bust
    }

    fn offer(&mut self, value: i64, choice: Choice) {
        let action = self.game.action(choice);
        match self.best {
            Some((best, _)) if value < best => return,
            Some((best, _)) if value == best => self.ties += 1,
            _ => self.ties = 1,
        }
        if self.ties == 1 || self.rng.below(self.ties) == 0 {
            self.best = Some((value, action));
        }
    }
}

#[test]
fn greedy_decides_and_draws_as_one_that_asks_of_every_kind() {
    let (mut decisions, mut tied, mut bars, mut phases) = (0, 0, 0, 0);
    for (number, options) in [
        json!({}),
        json!({"players": 2}),
        json!({"players": 5}),
        json!({"players": 4, "end_of_game_claims": false}),
        json!({"z_coin_placement": "restricted"}),
    ]
    .iter()
    .enumerate()
    {
        let game = &*configured(options).game;
        let twin = |state: &State, player, rng: &mut Rng| Plain::decide(game, state, player, rng);
        greedy_in_play(game, number as u64, 3000, twin, |state, player, drew| {
            decisions += 1;
            tied += u32::from(drew);
            let can_take = game.legal(state, player).contains(Action(TAKE_BAR));
            bars += u32::from(can_take || state.bars.contains(player));
            phases |= 1 << state.phase as u8;
        });
    }
    assert!(decisions > 14_000 && tied > 100 && bars > 100, "{decisions} {tied} {bars}");
    assert_eq!(phases, 0b1_1111, "every phase with decisions");
}
