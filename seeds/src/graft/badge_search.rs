//! Whether a badge can be met at all: a search for a legal row, so that a content with a dead badge is refused.
//!
//! Rows are built from the deck of two or three players, which every other deck contains. The search looks at types,
//! restrictions and what the needs count; it takes copies as unlimited, but checks their numbers need by need and never
//! places more of a named kind than there are. After a fixed number of rows it stops and accepts the badge. So every
//! refused badge cannot be met.

use super::content::{Effect, KindData};
use super::score::{Form, Need};
use super::state::{Kind, MAX_ROW, MAX_TYPES};
use std::collections::{BTreeSet, VecDeque};

/// Rows that are looked at in a straight search, and in the thorough one after it.
const PATIENCE: [usize; 2] = [2_000, 60_000];

/// No row with fewer cards meets all needs.
pub(super) fn least_cards(needs: &[Need]) -> u8 {
    let one = |need: &Need| match need.form {
        Form::Twins | Form::Adjacent(..) if need.bounds.min > 0 => need.bounds.min.saturating_add(1),
        _ => need.bounds.min,
    };
    // Counts of types that have nothing in common need different cards.
    let (mut used, mut sum) = (0u64, 0u8);
    for need in needs {
        if let Form::Count(what) = need.form
            && what.kind == 0
            && !what.unique
            && what.set & used == 0
        {
            used |= what.set;
            sum = sum.saturating_add(need.bounds.min);
        }
    }
    needs.iter().map(one).max().unwrap_or(0).max(sum).max(1)
}

/// Looks for a row that meets all needs.
///
/// # Errors
/// Why there is none.
pub(super) fn check(kinds: &[(KindData, [u8; 3])], needs: &[Need]) -> Result<(), String> {
    let deck = |mark: usize| -> usize {
        kinds.iter().map(|(_, c)| usize::from(c[..=mark].iter().sum::<u8>())).sum()
    };
    let longest = (0..3).map(|mark| deck(mark) / (mark + 3)).min().unwrap_or(0).min(MAX_ROW);
    let here: Vec<(usize, KindData, u8)> = kinds
        .iter()
        .enumerate()
        .filter(|(_, (_, copies))| copies[0] > 0)
        .map(|(at, (data, copies))| (at, *data, copies[0]))
        .collect();
    for need in needs {
        enough_cards(&here, need, longest)?;
    }
    // The largest type reaches the minimum if and only if some type does, so each type is tried.
    let most = needs.iter().position(|need| {
        matches!(need.form, Form::Most) && need.bounds.max == u8::MAX && need.bounds.parity_mask == 0
    });
    let Some(most) = most else { return search(&here, needs, longest) };
    let mut said = Ok(());
    for ty in 0..MAX_TYPES {
        let mut needs = needs.to_vec();
        let mut what = super::score::Count::ONE;
        (what.set, what.types) = (0xff << (8 * ty), 1 << ty);
        (what.region, what.place) = (super::score::Region::Row, 0);
        needs[most].form = Form::Count(what);
        if enough_cards(&here, &needs[most], longest).is_err() {
            continue;
        }
        said = search(&here, &needs, longest);
        if said.is_ok() {
            return Ok(());
        }
    }
    said
}

/// Whether the deck has as many cards as one need requires.
fn enough_cards(kinds: &[(usize, KindData, u8)], need: &Need, longest: usize) -> Result<(), String> {
    let copies = |which: &dyn Fn(usize, &KindData) -> bool| -> usize {
        kinds.iter().filter(|(at, data, _)| which(*at, data)).map(|kind| usize::from(kind.2)).sum()
    };
    let of_type = |ty: usize| copies(&|_, data| usize::from(data.ty) == ty);
    let there = match need.form {
        Form::Count(what) if what.kind != 0 => copies(&|at, _| at == Kind::of_code(what.kind).index()),
        Form::Count(what) if what.unique => (0..MAX_TYPES).filter(|&ty| of_type(ty) > 0).count(),
        Form::Count(what) => copies(&|_, data| data.unit & what.set != 0),
        Form::Most | Form::Run => (0..MAX_TYPES).map(of_type).max().unwrap_or(0),
        Form::Twins | Form::Adjacent(..) => longest.saturating_sub(1),
    };
    // The smallest count that the bounds allow: a parity may leave out `min` itself.
    let bounds = &need.bounds;
    let odd = usize::from(bounds.min & bounds.parity_mask != bounds.parity);
    let (wanted, there) = (usize::from(bounds.min) + odd, there.min(longest));
    if wanted > there {
        return Err(format!("it needs {wanted}, and at some player counts a row holds at most {there}"));
    }
    Ok(())
}

/// What matters of a row: restrictions, last type, what the needs have counted. A count that only grows is folded; the stretch
/// at the row's end and the cards of each type are cut at most, as the largest of folded counts is not the largest count folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trail {
    forbidden: u8,
    /// Type of the last card plus one.
    last: u8,
    /// Length of the stretch of one type at the end, as far as needs distinguish it.
    run: u8,
    seen: u8,
    counters: [u8; super::score_grammar::MAX_NEEDS],
    /// Cards of each type, as far as needs of the largest distinguish them.
    types: [u8; MAX_TYPES],
}

/// A count that only grows, as far as bounds distinguish it from others.
fn folded(count: u8, need: &Need) -> u8 {
    let (min, max) = (need.bounds.min, need.bounds.max);
    match (max, need.bounds.parity_mask) {
        (u8::MAX, 0) => count.min(min),
        (u8::MAX, _) if count > min.saturating_add(1) => count - 2,
        (u8::MAX, _) => count,
        _ => count.min(max.saturating_add(1)),
    }
}

/// From which size on all needs of a form hold alike, as far as they can; 0 if there are none.
fn enough(form: Form, needs: &[Need]) -> u8 {
    let open = |need: &Need| need.bounds.max == u8::MAX && need.bounds.parity_mask == 0;
    let of = needs.iter().filter(|need| need.form == form);
    of.map(|need| if open(need) { need.bounds.min } else { u8::MAX }).max().unwrap_or(0)
}

/// Straight on first, which finds a row quickly if there are many; then all rows, the shortest first.
fn search(kinds: &[(usize, KindData, u8)], needs: &[Need], longest: usize) -> Result<(), String> {
    // Kinds that no need distinguishes are one.
    let named = |at: usize| needs.iter().any(|need| names(need, at));
    let mut alike: Vec<(usize, KindData, u8)> = Vec::new();
    for kind in kinds {
        let key = |(at, data, _): &(usize, KindData, u8)| {
            (data.ty, data.forbids, data.effect == Effect::ZCoin, if named(*at) { Some(*at) } else { None })
        };
        if !alike.iter().any(|other| key(other) == key(kind)) {
            alike.push(*kind);
        }
    }
    if rows(&alike, needs, longest, false) == Some(true) {
        return Ok(());
    }
    match rows(&alike, needs, longest, true) {
        Some(false) => Err("no row that the restrictions allow meets all its needs".into()),
        _ => Ok(()),
    }
}

/// Whether a row meets all needs; `None` if not all were looked at.
fn rows(
    kinds: &[(usize, KindData, u8)],
    needs: &[Need],
    longest: usize,
    shortest_first: bool,
) -> Option<bool> {
    let mut known = BTreeSet::new();
    let mut open = VecDeque::from([(Trail::default(), 0)]);
    let mut looked = 0;
    let mut whole = true;
    while let Some((trail, length)) = if shortest_first { open.pop_front() } else { open.pop_back() } {
        if length > 0
            && needs.iter().enumerate().all(|(i, need)| need.bounds.holds(value(&trail, i, need) as i32))
        {
            return Some(true);
        }
        looked += 1;
        if looked > PATIENCE[usize::from(shortest_first)] {
            return None;
        }
        if length >= longest {
            // Shortest first, what is known was reached by its shortest row: nothing is cut off.
            whole = shortest_first;
            continue;
        }
        let mut next: Vec<(u32, Trail)> = Vec::new();
        for (at, data, copies) in kinds {
            let coin = data.effect == Effect::ZCoin;
            if trail.forbidden >> data.ty & 1 != 0 && !coin {
                continue;
            }
            let after = placed(&trail, *at, data, coin, needs);
            let beyond = |(i, need): (usize, &Need)| {
                let there = if names(need, *at) { u32::from(*copies) } else { u32::MAX };
                value(&after, i, need) > there.min(need.bounds.max.into())
            };
            if needs.iter().enumerate().any(beyond) || !known.insert(after) {
                continue;
            }
            let met = |(i, need): (usize, &Need)| value(&after, i, need).min(need.bounds.min.into());
            let progress: u32 = needs.iter().enumerate().map(met).sum();
            next.push((16 * progress + 8 - after.forbidden.count_ones(), after));
        }
        next.sort_unstable();
        open.extend(next.into_iter().map(|(_, trail)| (trail, length + 1)));
    }
    whole.then_some(false)
}

/// Whether a need counts cards of one kind, this one.
fn names(need: &Need, at: usize) -> bool {
    matches!(need.form, Form::Count(what) if what.kind == Kind(at as u8).code())
}

/// What a need has counted.
pub(super) fn value(trail: &Trail, i: usize, need: &Need) -> u32 {
    match need.form {
        Form::Count(what) if what.unique => {
            let seen = (0..MAX_TYPES).filter(|ty| trail.seen >> ty & 1 != 0 && what.set >> (8 * ty) & 1 != 0);
            seen.count() as u32
        }
        Form::Most => trail.types.iter().copied().max().unwrap_or(0).into(),
        _ => trail.counters[i].into(),
    }
}

/// What matters of a row with one more card.
pub(super) fn placed(trail: &Trail, at: usize, data: &KindData, coin: bool, needs: &[Need]) -> Trail {
    let mut after = *trail;
    let (ty, before) = (data.ty, trail.last);
    after.forbidden = if coin { data.forbids } else { trail.forbidden | data.forbids };
    after.last = ty + 1;
    let stretch = if before == ty + 1 { trail.run + 1 } else { 1 };
    after.run = stretch.min(enough(Form::Run, needs));
    let cards = &mut after.types[usize::from(ty)];
    *cards = (*cards + 1).min(enough(Form::Most, needs));
    for (i, need) in needs.iter().enumerate() {
        let more = |count: bool| folded(trail.counters[i] + u8::from(count), need);
        let within = |set: u8, ty: u8| set >> ty & 1 != 0;
        match need.form {
            // Few copies: counted as they are.
            Form::Count(what) if what.kind != 0 => after.counters[i] += u8::from(names(need, at)),
            Form::Count(what) if what.unique => after.seen |= 1 << ty,
            Form::Count(what) => after.counters[i] = more(data.unit & what.set != 0),
            Form::Adjacent(a, b) => {
                let pair = |x: u8, y: u8| within(a, x) && within(b, y) || within(a, y) && within(b, x);
                after.counters[i] = more(before != 0 && pair(before - 1, ty));
            }
            Form::Twins => after.counters[i] = more(before == ty + 1),
            Form::Run => after.counters[i] = trail.counters[i].max(after.run),
            Form::Most => {}
        }
    }
    after
}

/// Without what later cards do not depend on, restrictions included; `None` if no later card can make the row meet the needs.
pub(super) fn settled(trail: &Trail, needs: &[Need]) -> Option<Trail> {
    // Counts do not fall: what exceeds its bound is lost.
    if needs.iter().enumerate().any(|(i, need)| value(trail, i, need) > need.bounds.max.into()) {
        return None;
    }
    let (mut seen, mut last) = (0, 0);
    for need in needs {
        match need.form {
            Form::Count(what) if what.unique => seen |= what.types,
            Form::Adjacent(a, b) => last |= a | b,
            Form::Run | Form::Twins => last = u8::MAX,
            _ => {}
        }
    }
    let mut trail = Trail { forbidden: u8::MAX, seen: trail.seen & seen, ..*trail };
    if last >> (trail.last - 1) & 1 == 0 {
        trail.last = 0;
    }
    for (i, need) in needs.iter().enumerate().filter(|(_, need)| matches!(need.form, Form::Count(_))) {
        trail.counters[i] = folded(trail.counters[i], need);
    }
    Some(trail)
}
