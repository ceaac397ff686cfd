//! The greedy agent: it plays the card after which its row is worth most, and ships when continuing is expected to score less.
//!
//! A row with s points and n cards is expected to grow by s/n with its next card, if one of the unseen cards may be placed
//! on it; otherwise it is lost. Shipping keeps s and what a badge earns. It knows only what its player knows.

use super::Graft;
use super::action::Choice;
use super::state::{HIGH, Kind, ONES, Phase, Row, SLOTS, State, kinds_in, sum};
use playmat_core::prelude::*;

/// Values are whole numbers in this many parts of a point.
const PARTS: i64 = 1000;

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Graft, state: &State, player: Player, rng: &mut Rng) -> Action {
    let mut best = Best { action: Action(0), value: i64::MIN, ties: 0, rng };
    let view = View::new(game, state, player);
    match state.phase {
        Phase::Choose => view.offer_choices(&mut best),
        Phase::Replant => view.offer_picks(&mut best),
        Phase::Replace => {
            for (kind, row) in view.placed(&state.rows[player.index()], game.replacements_of(state, player)) {
                best.offer(view.shipped(&row), game.action(Choice::Card(kind)));
            }
        }
        _ => {
            for slot in (0..SLOTS).filter(|slot| state.offers[player.index()] >> slot & 1 != 0) {
                best.offer(view.badges[slot], game.action(Choice::Claim(slot as u8)));
            }
        }
    }
    best.action
}

/// What the player knows when it chooses, and what is the same for every row that it compares.
struct View<'a> {
    game: &'a Graft,
    state: &'a State,
    player: Player,
    /// What a claim of each slot would earn.
    badges: [i64; SLOTS],
    /// Slots that the player has not claimed.
    open: u8,
    /// Points of a card in the own compost, in parts.
    compost_point: i64,
    /// Cards in the own compost.
    compost: i64,
}

/// The unseen cards.
struct Unseen {
    /// By type as bytes; without the coins that are always legal. A deck has at most 160 cards, so sums fit into a byte.
    types: u64,
    /// Coins that are always legal.
    coins: i64,
    /// All of them, at least 1.
    all: i64,
}

impl Unseen {
    /// Counted once for a decision. Counted kind by kind for every row, they took a third of its instructions.
    #[inline(always)]
    fn new(game: &Graft, state: &State, player: Player) -> Unseen {
        let unseen = game.unseen(state, player);
        let units =
            unseen.0.iter().zip(&game.cards).map(|(&count, card)| card.unit.wrapping_mul(count.into()));
        let mut types = units.fold(0, u64::wrapping_add);
        let all = sum(types) as i64;
        for kind in kinds_in(game.legal_coins) {
            let coins = u64::from(unseen.0[kind.index()]);
            types = types.wrapping_sub(game.data(kind).unit.wrapping_mul(coins));
        }
        Unseen { types, coins: all.wrapping_sub(sum(types) as i64), all: all.max(1) }
    }

    /// Cards that may be placed on a row that forbids some types.
    #[inline(always)]
    fn legal(&self, forbidden: u8) -> i64 {
        // Bit t of byte t, which then carries into the highest bit of its byte.
        let bits = u64::from(forbidden).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
        let banned = ((bits & !HIGH).wrapping_add(!HIGH) | bits) & HIGH;
        // 0xff in the bytes of the types that are banned.
        let banned = (banned >> 7).wrapping_mul(0xff);
        (sum(self.types & !banned) as i64).wrapping_add(self.coins)
    }
}

impl View<'_> {
    #[inline(always)]
    fn new<'a>(game: &'a Graft, state: &'a State, player: Player) -> View<'a> {
        View {
            game,
            state,
            player,
            badges: std::array::from_fn(|slot| game.badge_value(state, slot).into()),
            open: !state.own_slots(player),
            compost_point: (1 + i64::from(state.recycles[player.index()])) * PARTS,
            compost: state.compost_sizes[player.index()].into(),
        }
    }

    /// The rows after each of some kinds.
    fn placed(&self, row: &Row, kinds: u64) -> impl Iterator<Item = (Kind, Row)> {
        let row = *row;
        kinds_in(kinds).map(move |kind| (kind, self.game.after(&row, kind, &self.state.slots)))
    }

    /// What a row is worth that is shipped as it is, the best badge included.
    #[inline(always)]
    fn shipped(&self, row: &Row) -> i64 {
        let open = row.met & self.open;
        let mut badge = 0;
        for (slot, &value) in self.badges.iter().enumerate() {
            badge = badge.max(if open >> slot & 1 != 0 { value } else { 0 });
        }
        let mut recycles = 0i64;
        for kind in kinds_in(self.game.recycles) {
            recycles = recycles.wrapping_add(row.counts.0[kind.index()].into());
        }
        i64::from(row.score)
            .wrapping_add(badge)
            .wrapping_add(recycles.wrapping_mul(self.compost))
            .wrapping_mul(PARTS)
    }

    /// What a row is worth that goes on: with the share of unseen cards that may be placed on it.
    #[inline(always)]
    fn kept(&self, unseen: &Unseen, row: &Row) -> i64 {
        let (legal, all) = (unseen.legal(row.forbidden), unseen.all);
        let now = self.shipped(row);
        let grown = now + now.max(0) / i64::from(row.len.max(1));
        // A lost row leaves its cards in the compost.
        let lost = i64::from(row.len) * self.compost_point;
        (grown * legal + lost * (all - legal)) / all
    }

    /// The same before the card comes down: what a bust adds to the compost counts.
    #[inline(always)]
    fn after_card(&self, unseen: &Unseen, before: &Row, kind: Kind, row: &Row) -> i64 {
        let bust = !self.game.is_legal(before, kind);
        self.kept(unseen, row) + if bust { i64::from(before.len) * self.compost_point } else { 0 }
    }

    fn offer_choices(&self, best: &mut Best<'_>) {
        let (game, state, player) = (self.game, self.state, self.player);
        let unseen = &Unseen::new(game, state, player);
        let hand = game.own_hand(state, player).set();
        let mut row = game.own_row(state, player);
        if state.bars.contains(player) && state.cards[player.index()][0] != 0 {
            row = game.after(&row, Kind::of_code(state.cards[player.index()][0]), &state.slots);
        }
        for (kind, after) in self.placed(&row, hand) {
            best.offer(self.after_card(unseen, &row, kind, &after), game.action(Choice::Card(kind)));
        }
        let legal = game.legal(state, player);
        if legal.contains(game.action(Choice::Ship)) {
            let replacements = hand & game.legal_kinds(&row);
            if let Some(value) = self.placed(&row, replacements).map(|(_, after)| self.shipped(&after)).max()
            {
                best.offer(value, game.action(Choice::Ship));
            }
        }
        if legal.contains(game.action(Choice::TakeBar)) {
            // The bar gives way to two cards: the better ones of the hand, one after the other.
            let without = game.without_last(&row, &state.slots);
            let worth = |row: &Row, kinds: u64| {
                self.placed(row, kinds)
                    .map(|(kind, after)| (self.after_card(unseen, row, kind, &after), kind, after))
                    .max_by_key(|v| v.0)
            };
            if let Some((first_value, first, after)) = worth(&without, hand) {
                let second =
                    worth(&after, hand & !(1 << first.index())).map_or(first_value, |second| second.0);
                best.offer(second, game.action(Choice::TakeBar));
            }
        }
    }

    /// A pick must bring more than the card is worth in the compost.
    fn offer_picks(&self, best: &mut Best<'_>) {
        let row = &self.state.rows[self.player.index()];
        best.offer(self.shipped(row), self.game.action(Choice::Stop));
        for (kind, after) in self.placed(row, self.game.picks_of(self.state, self.player)) {
            best.offer(self.shipped(&after) - self.compost_point, self.game.action(Choice::Card(kind)));
        }
    }
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    value: i64,
    ties: u32,
    rng: &'a mut Rng,
}

impl Best<'_> {
    fn offer(&mut self, value: i64, action: Action) {
        if value < self.value {
            return;
        }
        if value > self.value {
            (self.value, self.ties) = (value, 0);
        }
        self.ties += 1;
        if self.ties == 1 || self.rng.below(self.ties) == 0 {
            self.action = action;
        }
    }
}
