//! Payments against a plain search over all sequences of steps.

use crate::fixture::{legal, visit_halves};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_gravitix::Gravitix;
use playmat_gravitix::state::{Ability, Phase, State};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// All that matters for the rest of a payment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Course {
    due: [u8; 3],
    hand: Vec<u8>,
    pair_left: u8,
    pair_first: Option<usize>,
    units: u8,
    shifts: u8,
    exchanges: u8,
    stores: BTreeSet<usize>,
    started: bool,
    announced: Option<(usize, usize)>,
}

const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];

/// Steps by action number with what follows, by the rules but for the one that all steps must lead to an end.
fn steps(game: &Gravitix, course: &Course) -> BTreeMap<u16, Course> {
    let mut found = BTreeMap::new();
    let due: Vec<usize> = (0..3).filter(|&r| course.due[r] > 0).collect();
    if course.pair_left + course.units > 0 {
        for &r in &due {
            let mut next = course.clone();
            next.due[r] -= 1;
            match (course.pair_left, due.len()) {
                (2, 1) => next.pair_left = 0,
                (2, _) if due.iter().any(|&later| later > r) => {
                    (next.pair_left, next.pair_first) = (1, Some(r));
                }
                (2, _) => continue,
                (1, _) if Some(r) > course.pair_first => (next.pair_left, next.pair_first) = (0, None),
                (1, _) => continue,
                _ => next.units -= 1,
            }
            found.insert(48 + r as u16, next);
        }
        return found;
    }
    for kind in 0..course.hand.len() {
        let mut values = game.kinds()[kind].values;
        if course.hand[kind] == 0 || course.announced.is_some_and(|(from, _)| values[from] == 0) {
            continue;
        }
        let mut next = course.clone();
        if let Some((from, to)) = next.announced.take() {
            values[to] += values[from];
            values[from] = 0;
            next.exchanges -= 1;
        }
        (0..3).for_each(|r| next.due[r] = next.due[r].saturating_sub(values[r]));
        if next.due == course.due {
            continue;
        }
        next.hand[kind] -= 1;
        next.started = true;
        found.insert(26 + kind as u16, next);
    }
    if course.announced.is_some() {
        return found;
    }
    for (at, &(first, second)) in PAIRS.iter().enumerate() {
        if course.exchanges > 0 && course.due[second] > 0 {
            let next = Course { announced: Some((first, second)), started: true, ..course.clone() };
            found.insert(57 + at as u16, next);
        }
        if !course.started && course.shifts > 0 && course.due[first] > 0 {
            let mut next = course.clone();
            next.due[first] -= 1;
            next.due[second] += 1;
            next.shifts -= 1;
            found.insert(51 + at as u16, next);
        }
    }
    for &slot in course.stores.iter().filter(|_| !course.started) {
        let mut next = course.clone();
        next.stores.remove(&slot);
        (0..3).for_each(|r| next.due[r] = next.due[r].saturating_sub(2));
        found.insert(63 + slot as u16, next);
    }
    found
}

/// Whether some sequence of steps pays everything.
fn ends(game: &Gravitix, course: &Course, known: &mut BTreeMap<Course, bool>) -> bool {
    if course.due == [0; 3] {
        return true;
    }
    if let Some(&known) = known.get(course) {
        return known;
    }
    let found = steps(game, course).values().any(|next| ends(game, next, known));
    known.insert(course.clone(), found);
    found
}

/// Slots of a player's islands with an ability.
fn own(game: &Gravitix, state: &State, player: Player, ability: Ability) -> BTreeSet<usize> {
    let has =
        |slot: &usize| state.owner(*slot) == Some(player) && game.face(state, *slot).ability == Some(ability);
    (0..12).filter(has).collect()
}

/// The course of the payment in a state.
fn course(game: &Gravitix, state: &State) -> Course {
    let (player, payment) = (state.turn, &state.payment);
    Course {
        due: payment.due,
        hand: state.hands[player.index()][..game.kinds().len()].to_vec(),
        pair_left: payment.pair_left,
        pair_first: payment.pair_first.checked_sub(1).map(usize::from),
        units: payment.units_left,
        shifts: payment.shifts,
        exchanges: payment.exchanges,
        stores: own(game, state, player, Ability::PlusTwoEach),
        started: payment.started,
        announced: payment.exchange.map(playmat_gravitix::state::Pair::split),
    }
}

/// The course that supplying the island under the turn player's ship would begin with.
fn begun(game: &Gravitix, state: &State, slot: usize, doubled: bool) -> Course {
    let player = state.turn;
    let pending = state.pending[player.index()].ability();
    let count = |ability| own(game, state, player, ability).len() as u8;
    Course {
        due: game.face(state, slot).demand.map(|units| units * (1 + u8::from(doubled))),
        pair_left: if pending == Some(Ability::NextMinusTwo) { 2 } else { 0 },
        pair_first: None,
        units: count(Ability::MinusOne) + u8::from(pending == Some(Ability::NextMinusOne)),
        shifts: count(Ability::PlusMinus),
        exchanges: count(Ability::Exchange),
        started: false,
        announced: None,
        ..course(game, state)
    }
}

/// Steps that lead to an end, with what follows.
fn good_steps(game: &Gravitix, course: &Course, known: &mut BTreeMap<Course, bool>) -> BTreeMap<u16, Course> {
    let all = steps(game, course).into_iter();
    all.filter(|(_, next)| next.due == [0; 3] || ends(game, next, known)).collect()
}

/// A step, and those after it that are the only ones (GX-R6f: until nothing is due).
fn follow(game: &Gravitix, next: &Course, known: &mut BTreeMap<Course, bool>) -> Course {
    let mut next = next.clone();
    while next.due != [0; 3] {
        let mut good = good_steps(game, &next, known);
        match (good.len(), good.pop_first()) {
            (1, Some((_, only))) => next = only,
            _ => break,
        }
    }
    next
}

/// Asserts that the engine is where the plain search is after a step.
fn compare(game: &Gravitix, state: &State, step: u16, expected: &Course) {
    let (player, slot) = (state.turn, usize::from(state.payment.slot));
    let mut after = *state;
    game.apply(&mut after, player, Action(step), &mut Rng::from_seed(1), &mut Silent);
    if expected.due == [0; 3] {
        assert_eq!(after.owner(slot), Some(player), "step {step} of {:?}", state.payment);
    } else {
        assert_eq!(&course(game, &after), expected, "step {step} of {:?}", state.payment);
    }
}

#[test]
fn gx_r6h_offered_steps_are_those_that_a_plain_search_finds() {
    let (mut steps_seen, mut landings, mut refused) = (BTreeMap::new(), 0, 0);
    for (i, set) in ["1", "1+2", "1", "2"].iter().cycle().take(40).enumerate() {
        let formation = ["2x6", "4x3"][i % 2];
        let options = json!({"island_set": set, "formation": formation});
        visit_halves(&options, 900 + i as u64, |env| {
            let (game, state) = (&env.configured().game, env.state());
            let hand: u32 = state.hands[state.turn.index()].iter().map(|&count| u32::from(count)).sum();
            // The plain search is exponential in the hand.
            if hand > 11 {
                return;
            }
            let mut known = BTreeMap::new();
            match state.phase {
                Phase::Discount | Phase::Pay => {
                    let course = course(game, state);
                    let good = good_steps(game, &course, &mut known);
                    assert_eq!(legal(env), good.keys().copied().collect::<Vec<_>>(), "{course:?}");
                    for (step, next) in good {
                        compare(game, state, step, &follow(game, &next, &mut known));
                        *steps_seen.entry(if step < 48 { 26 } else { step }).or_insert(0) += 1;
                    }
                }
                Phase::Move => {
                    // Every island that the ship can reach: offered exactly if it can be paid.
                    for action in game.legal(state, state.turn).iter() {
                        let mut after = *state;
                        let cell = game.map().cells[usize::from(action.0) - 97];
                        let cell = game.map().cell(cell.0.into(), cell.1.into()).unwrap();
                        let Some(slot) = state.slot_at(cell).filter(|&slot| state.owner(slot).is_none())
                        else {
                            continue;
                        };
                        game.apply(&mut after, state.turn, action, &mut Rng::from_seed(1), &mut Silent);
                        let offered = after.phase == Phase::Supply;
                        assert_eq!(offered, ends(game, &begun(game, state, slot, false), &mut known));
                        landings += 1;
                        refused += usize::from(!offered);
                        if offered {
                            let double = game.legal(&after, state.turn).contains(Action(24));
                            let may = after.pending[state.turn.index()].ability() == Some(Ability::Double)
                                && after.stock(state.turn) >= 2
                                && ends(game, &begun(game, &after, slot, true), &mut known);
                            assert_eq!(double, may);
                        }
                    }
                }
                _ => {}
            }
        });
    }
    assert!(landings > 200 && refused > 50, "{landings} landings, {refused} refused");
    // Cards, each discount, shifts, exchanges and sacrifices were among the steps.
    let of = |range: std::ops::Range<u16>| steps_seen.iter().filter(|(at, _)| range.contains(at)).count();
    assert!(
        of(26..27) == 1 && of(48..51) == 3 && of(51..57) >= 3 && of(57..63) >= 3 && of(63..75) >= 1,
        "{steps_seen:?}"
    );
}
