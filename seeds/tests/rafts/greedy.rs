//! The greedy agent: how well it plays, and what it chooses.

use crate::fixture::{against_random, configured};
use playmat_conformance::testing::greedy_in_play;
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use playmat_rafts::action::Choice;
use playmat_rafts::effects::Effect;
use playmat_rafts::greedy::Value;
use playmat_rafts::state::{Deck, GoalKind, HAND, Kind, Phase, PlayerState, RAFT, State};
use serde_json::json;

#[test]
fn greedy_beats_random() {
    for player in 0..2 {
        let found = against_random(&json!({"players": 2}), player, 200);
        assert!(found.victories[player] > 0.9, "player {player}: {:?}", found.victories);
    }
}

#[test]
fn greedy_games_are_as_long_as_those_of_a_simple_player() {
    // Turns in the median for 2 to 6 players, as the rules file expects of one that keeps what it needs.
    for (players, turns) in [(2, 12), (3, 13), (4, 15), (5, 17), (6, 19)] {
        let configured = configured(&json!({"players": players}));
        let mut lengths: Vec<u16> = (0..101)
            .map(|seed| {
                let mut env = Env::new(configured.clone(), seed);
                while let Some(player) = env.current_player() {
                    let action = env.act(&Greedy, player).unwrap();
                    env.step(action.0.into()).unwrap();
                }
                env.state().turn
            })
            .collect();
        lengths.sort_unstable();
        let median = lengths[50];
        assert!(
            median.abs_diff(turns) <= turns / 2,
            "{players} players: {median} turns, expected about {turns}"
        );
    }
}

/// The agent without anything that is known from before: it plays every card on a copy of the position, and reads goals and hands kind by kind.
struct Plain<'a> {
    game: &'a Rafts,
    state: &'a State,
    player: Player,
    rng: &'a mut Rng,
    best: Option<(Value, Action)>,
    ties: u32,
}

impl Plain<'_> {
    fn decide(game: &Rafts, state: &State, player: Player, rng: &mut Rng) -> Action {
        let mut plain = Plain { game, state, player, rng, best: None, ties: 0 };
        let legal: Vec<Action> = game.legal(state, player).iter().collect();
        let of = |wanted: Choice| legal.iter().copied().find(|&action| game.choice(action) == wanted);
        let own = state.player(player);
        match state.phase {
            Phase::Main => plain.play(&legal),
            Phase::Shield => legal[0],
            Phase::Snatch => match game.choice(legal[0]) {
                Choice::Play(kind) if game.after_play(state, player, kind) > plain.value() => legal[0],
                _ => of(Choice::Pass).unwrap(),
            },
            Phase::Draw => {
                let wish = match (plain.reach(own, false), plain.reach(own, true)) {
                    (0, 0) => [Deck::Actions, Deck::Generic, Deck::Specific],
                    (0, _) => [Deck::Generic, Deck::Actions, Deck::Specific],
                    _ => [Deck::Specific, Deck::Generic, Deck::Actions],
                };
                wish.into_iter().find_map(|deck| of(Choice::Draw(deck))).unwrap()
            }
            Phase::Discard => {
                let useless = |action: &&Action| {
                    let Choice::Discard(kind) = game.choice(**action) else { return false };
                    let mut without = *own;
                    without.hand[kind.index()] -= 1;
                    let is_resource = kind.index() < game.resources();
                    is_resource
                        && plain.reach(&without, true) == plain.reach(own, true)
                        && !plain.wants(own, kind)
                };
                legal.iter().find(useless).copied().unwrap_or_else(|| of(Choice::Pass).unwrap())
            }
            _ => {
                for &action in &legal {
                    plain.offer(game.after_choice(state, player, action), action);
                }
                plain.best.unwrap().1
            }
        }
    }

    fn play(&mut self, legal: &[Action]) -> Action {
        let (game, state, player) = (self.game, self.state, self.player);
        if let Some(&claim) = legal.iter().find(|action| game.choice(**action) == Choice::Claim) {
            return claim;
        }
        let (own, now) = (state.player(player), self.value());
        let complete = self.reach(own, true) == 0;
        let plays = || {
            legal.iter().filter_map(|&action| match game.choice(action) {
                Choice::Play(kind) => Some((action, kind, kind.index() < game.resources())),
                _ => None,
            })
        };
        let after = |kind: Kind| game.after_play(state, player, kind);
        let mut resources = plays().filter(|play| play.2);
        if let Some((action, ..)) = resources.find(|play| complete && after(play.1).1 > now.1) {
            return action;
        }
        for (action, kind, is_resource) in plays() {
            let is_good = if is_resource {
                (complete || !self.wants(own, kind)) && after(kind) >= now
            } else {
                game.effect(kind) == Some(Effect::ExtraBench) || after(kind) > now
            };
            if is_good {
                self.offer(after(kind), action);
            }
        }
        if self.best.is_none() && own.hand.iter().sum::<u8>() == HAND {
            for (action, kind, _) in plays() {
                self.offer(after(kind), action);
            }
        }
        let end_turn = || legal.iter().find(|action| game.choice(**action) == Choice::EndTurn);
        self.best.map_or_else(|| *end_turn().unwrap(), |best| best.1)
    }

    fn lies_on_table(player: &PlayerState, kind: Kind) -> bool {
        player.benches.iter().flatten().any(|slot| *slot == Some(kind))
    }

    fn goals<'p>(&'p self, player: &PlayerState) -> impl Iterator<Item = GoalKind> + use<'p> {
        let goals = player.goals;
        (0..self.game.goals().len())
            .filter(move |goal| goals >> goal & 1 != 0)
            .map(|goal| GoalKind(goal as u8))
    }

    fn wants(&self, player: &PlayerState, kind: Kind) -> bool {
        let mut goals = self.goals(player);
        goals.any(|goal| self.game.goal(goal).needs.specific.contains(&kind))
            && !Self::lies_on_table(player, kind)
    }

    /// What the best goal lacks on the table and in the hand: bacterium and gene, and with `all` supplies, too.
    fn reach(&self, player: &PlayerState, all: bool) -> u8 {
        let first = self.game.range(Deck::Generic).start;
        let lacks = |goal: GoalKind| {
            let needs = &self.game.goal(goal).needs;
            let has = |kind: &Kind| player.hand[kind.index()] > 0 || Self::lies_on_table(player, *kind);
            let specific = needs.specific.iter().filter(|kind| !has(kind)).count() as u8;
            let have = |generic: usize| player.generics[generic] + player.hand[first + generic];
            let generics: u8 =
                (0..3).map(|generic| needs.generics[generic].saturating_sub(have(generic))).sum();
            specific + if all { generics.saturating_sub(u8::from(have(RAFT) > 0)) } else { 0 }
        };
        self.goals(player).map(lacks).min().unwrap_or(0)
    }

    fn value(&self) -> Value {
        let others = Player::all(self.game.players()).filter(|&other| other != self.player);
        let rival = others.map(|other| self.state.player(other).missing).min().unwrap();
        let own = self.state.player(self.player);
        (i32::from(rival) - i32::from(self.reach(own, true)), -i32::from(own.missing))
    }

    /// Draws for each offer that is not worse, also for the first one.
    fn offer(&mut self, value: Value, action: Action) {
        match self.best {
            Some((best, _)) if value < best => return,
            Some((best, _)) if value == best => self.ties += 1,
            _ => self.ties = 1,
        }
        if self.rng.below(self.ties) == 0 {
            self.best = Some((value, action));
        }
    }
}

#[test]
fn greedy_decides_and_draws_as_one_that_plays_every_card_on_a_copy() {
    let (mut decisions, mut drawn, mut full, mut labs, mut phases) = (0, 0, 0, 0, 0);
    for (number, options) in [
        json!({}),
        json!({"players": 2}),
        json!({"players": 6, "windows": "possible", "blank_sabotage": true}),
        json!({"players": 2, "gene_pairing": "any", "bioeconomy_to": "table", "discard_at_end": true}),
        json!({"players": 4, "auto_claim": false, "serendipity_timing": "any_moment"}),
        json!({"expansion_doubles_generics": true, "discard_at_end": true}),
    ]
    .iter()
    .enumerate()
    {
        let game = &*configured(options).game;
        let twin = |state: &State, player, rng: &mut Rng| Plain::decide(game, state, player, rng);
        greedy_in_play(game, number as u64, 3000, twin, |state, player, drew| {
            decisions += 1;
            drawn += u32::from(drew);
            let own = state.player(player);
            full += u32::from(state.phase == Phase::Main && own.hand_size() == HAND);
            labs += u32::from(state.phase == Phase::Main && own.chooses_bench());
            phases |= 1 << state.phase as u16;
        });
    }
    assert!(
        decisions > 17_000 && drawn > 3_000 && full > 1_000 && labs > 100,
        "{decisions} {drawn} {full} {labs}"
    );
    assert_eq!(phases, 0b1111_1111_1111, "every phase with decisions");
}
