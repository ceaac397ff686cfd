//! The action space: PLAY, CLAIM, END_TURN, PASS, DRAW, BENCH, TAKE, GOAL, then TARGET and STEAL for each opponent, and
//! DISCARD with the house rule.

use super::Rafts;
use super::state::{Deck, GoalKind, Kind};
use playmat_core::prelude::*;

/// Parts of a table that can be stolen: bacterium and gene of bench 0, of bench 1, raft.
pub const PARTS: usize = 5;
/// The raft among the parts.
pub const RAFT_PART: usize = 4;
/// Actions for each opponent.
const EACH: usize = 1 + PARTS;

/// What an action number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play a card of the kind from the hand.
    Play(Kind),
    /// Claim victory.
    Claim,
    /// End the main phase.
    EndTurn,
    /// Decline in a window; end discarding.
    Pass,
    /// Draw from this deck.
    Draw(Deck),
    /// The card being placed goes to this bench.
    Bench(usize),
    /// Take a card of the kind from the discards.
    Take(Kind),
    /// This goal: chosen, received or given.
    Goal(GoalKind),
    /// The player this number of places clockwise.
    Target(usize),
    /// That player's part.
    Steal(usize, usize),
    /// Discard a card of the kind from the hand.
    Discard(Kind),
}

/// Where the parts of the action space begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    pub(super) claim: usize,
    pub(super) end_turn: usize,
    pub(super) pass: usize,
    pub(super) draw: usize,
    pub(super) bench: usize,
    pub(super) take: usize,
    pub(super) goal: usize,
    pub(super) others: usize,
    pub(super) discard: usize,
    pub(super) end: usize,
}

impl Offsets {
    /// For these numbers of kinds of cards, resources, goals and players.
    pub(super) fn new(
        kinds: usize,
        resources: usize,
        goals: usize,
        players: usize,
        discards: bool,
    ) -> Offsets {
        let claim = kinds;
        let bench = claim + 6;
        let take = bench + 2;
        let goal = take + resources;
        let others = goal + goals;
        let discard = others + EACH * (players - 1);
        let end = discard + if discards { kinds } else { 0 };
        Offsets {
            claim,
            end_turn: claim + 1,
            pass: claim + 2,
            draw: claim + 3,
            bench,
            take,
            goal,
            others,
            discard,
            end,
        }
    }

    /// The number of TARGET(k).
    #[inline(always)]
    pub(super) fn target(&self, k: usize) -> usize {
        self.others + EACH * (k - 1)
    }

    /// The opponent of an action of TARGET or STEAL, and the place of the action among those of the opponent, TARGET first.
    #[inline(always)]
    pub(super) fn of_other(&self, action: usize) -> (usize, usize) {
        (1 + (action - self.others) / EACH, (action - self.others) % EACH)
    }

    /// The number of STEAL(k, 0).
    #[inline(always)]
    pub(super) fn steal(&self, k: usize) -> usize {
        self.target(k) + 1
    }
}

/// Names of the ranges of each opponent.
const TARGETS: [&str; 5] = ["TARGET_1", "TARGET_2", "TARGET_3", "TARGET_4", "TARGET_5"];
/// Names of the ranges of each opponent.
const STEALS: [&str; 5] = ["STEAL_1", "STEAL_2", "STEAL_3", "STEAL_4", "STEAL_5"];

impl Rafts {
    /// The meaning of an action number below `num_actions`.
    pub fn choice(&self, action: Action) -> Choice {
        let (at, a) = (&self.at, action.index());
        match a {
            _ if a < at.claim => Choice::Play(Kind(a as u8)),
            _ if a == at.claim => Choice::Claim,
            _ if a == at.end_turn => Choice::EndTurn,
            _ if a == at.pass => Choice::Pass,
            _ if a < at.bench => Choice::Draw(Deck::ALL[a - at.draw]),
            _ if a < at.take => Choice::Bench(a - at.bench),
            _ if a < at.goal => Choice::Take(Kind((a - at.take) as u8)),
            _ if a < at.others => Choice::Goal(GoalKind((a - at.goal) as u8)),
            _ if a < at.discard => match at.of_other(a) {
                (k, 0) => Choice::Target(k),
                (k, place) => Choice::Steal(k, place - 1),
            },
            _ => Choice::Discard(Kind((a - at.discard) as u8)),
        }
    }

    /// The number of a choice.
    pub fn action(&self, choice: Choice) -> Action {
        let at = &self.at;
        Action(match choice {
            Choice::Play(kind) => kind.index(),
            Choice::Claim => at.claim,
            Choice::EndTurn => at.end_turn,
            Choice::Pass => at.pass,
            Choice::Draw(deck) => at.draw + deck.index(),
            Choice::Bench(bench) => at.bench + bench,
            Choice::Take(kind) => at.take + kind.index(),
            Choice::Goal(goal) => at.goal + goal.index(),
            Choice::Target(k) => at.target(k),
            Choice::Steal(k, part) => at.steal(k) + part,
            Choice::Discard(kind) => at.discard + kind.index(),
        } as u16)
    }

    pub(super) fn action_ranges(at: &Offsets, players: usize) -> Vec<ActionRange> {
        let (takes, goals, discards) = ([at.goal - at.take], [at.others - at.goal], [at.end - at.discard]);
        let play = "play a card of this kind from the hand: bacteria and genes in the order of the content, time, money, medium, raft, actions in the order of the content; fast kinds also in their windows";
        let each = (1..players).map(|k| {
            let whom = format!("the player {k} places clockwise");
            let parts = "bacterium and gene of bench 0, of bench 1, Lipid Raft";
            [format!("{whom} is the victim or the partner"), format!("steal from {whom}: {parts}")]
        });
        let each: Vec<[String; 2]> = each.collect();
        let mut ranges: Vec<(&str, &[usize], &str)> = vec![
            ("PLAY", std::slice::from_ref(&at.claim), play),
            ("CLAIM", &[1], "claim victory"),
            ("END_TURN", &[1], "end the main phase"),
            ("PASS", &[1], "decline in a window; end discarding"),
            ("DRAW", &[3], "draw a card: actions, specific, generic"),
            ("BENCH", &[2], "the card being placed goes to this bench"),
            ("TAKE", &takes, "take a card of this resource kind from the discards"),
            ("GOAL", &goals, "this goal: chosen for funding, received or given in an exchange"),
        ];
        for (k, [target, steal]) in each.iter().enumerate() {
            ranges.push((TARGETS[k], &[1], target));
            ranges.push((STEALS[k], &[PARTS], steal));
        }
        if at.end > at.discard {
            ranges.push(("DISCARD", &discards, "discard a card of this kind from the hand"));
        }
        ActionRange::tile(&ranges)
    }
}
