//! What is wrong with a state that came from outside (GR-R23). Paths are those of the JSON form.

use super::Graft;
use super::content::Effect;
use super::state::{
    Counts, DECLINE_CODE, HAND, Hand, Kind, MAX_HAND, MAX_KINDS, MAX_PLAYERS, Phase, Row, SHIP_CODE, SLOTS,
    State,
};
use playmat_core::prelude::*;

/// Collects what is wrong.
struct Found(Vec<Problem>);

impl Found {
    fn at(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem::new(path, message));
    }

    fn claim(&mut self, holds: bool, path: impl FnOnce() -> String, message: &str) {
        if !holds {
            self.at(path(), message);
        }
    }
}

fn of(seat: Seat, field: &str) -> String {
    format!("seats[{seat}].{field}")
}

impl Graft {
    /// Everything that is wrong with a state between two decisions.
    pub(super) fn state_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Found(Vec::new());
        self.form(state, &mut found);
        if found.0.is_empty() {
            self.zones(state, &mut found);
        }
        if found.0.is_empty() {
            self.badges_fit(state, &mut found);
            self.sizes_fit(state, &mut found);
            self.phase_fits(state, &mut found);
        }
        found.0
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        Seat::all(self.players)
    }

    /// Numbers in range: whatever is used as an index can be.
    fn form(&self, state: &State, found: &mut Found) {
        let (gold, badges) = (self.gold as u8, self.badges.len() as u8);
        let slots = &state.slots;
        let tiers =
            slots[..2].iter().all(|&b| b < gold) && slots[2..].iter().all(|b| (gold..badges).contains(b));
        found.claim(
            tiers && slots.is_sorted_by(|a, b| a < b),
            || "badges".into(),
            "two gold and three silver badges, each in ascending order",
        );
        found.claim(state.taken < 1 << SLOTS, || "taken".into(), "names a slot that does not exist");
        found.claim(usize::from(state.turn) < self.turns(), || "turn".into(), "beyond the last turn");
        let all = Seats::all(self.players).0;
        let sets = [
            ("unfinished", state.acting),
            ("seats", state.bars),
            ("shippers", state.shippers),
            ("replaced", state.replaced),
            ("shipped", state.shipped),
        ];
        for (name, set) in sets {
            found.claim(set.0 & !all == 0, || name.into(), "names a seat that does not exist");
        }
        for (name, counts) in [("pile", &state.pile), ("out", &state.out), ("pile", &state.secret)] {
            self.counts_in_deck(counts, name.into(), found);
        }
        for seat in self.seats() {
            self.seat_form(state, seat, found);
        }
        let empty = State::default();
        for at in self.players..MAX_PLAYERS {
            let same = state.hands[at] == empty.hands[at]
                && state.rows[at] == empty.rows[at]
                && state.composts[at] == empty.composts[at]
                && state.completed[at] == empty.completed[at]
                && (state.ends[at], state.row_points[at], state.recycles[at], state.compost_sizes[at])
                    == (0, 0, 0, 0)
                && (state.claims[at], state.cards[at]) == ([0; SLOTS], [0; 2])
                && (state.replacements[at], state.picks[at], state.offers[at], state.claiming[at])
                    == (0, 0, 0, 0);
            found.claim(same, || "seats".into(), "a place beyond the players is not empty");
        }
    }

    fn counts_in_deck(&self, counts: &Counts, path: String, found: &mut Found) {
        let within = (0..MAX_KINDS).all(|kind| counts.0[kind] <= self.deck.0[kind]);
        found.claim(within, || path, "more cards of a kind than the deck has");
    }

    fn is_card(&self, code: u8) -> bool {
        code != 0 && usize::from(code) <= self.kinds()
    }

    fn seat_form(&self, state: &State, seat: Seat, found: &mut Found) {
        let at = seat.index();
        let hand = &state.hands[at];
        found.claim(
            self.hand_form(hand, seat),
            || of(seat, "hand"),
            "at most five cards, each with seats that may know it",
        );
        let row = &state.rows[at];
        let len = usize::from(row.len);
        let fits = len <= self.turns()
            && row.cards[..len.min(row.cards.len())].iter().all(|&code| self.is_card(code))
            && row.cards[len.min(row.cards.len())..].iter().all(|&code| code == 0);
        found.claim(fits, || of(seat, "row"), "more cards than a row can have, or a gap");
        self.counts_in_deck(&state.composts[at], of(seat, "compost"), found);
        let len = state.completed_len(seat);
        let fits = len <= self.turns()
            && state.completed[at][..len].iter().all(|&code| self.is_card(code))
            && state.completed[at][len..].iter().all(|&code| code == 0);
        found.claim(fits, || of(seat, "completed"), "more cards than a player can have, or a gap");
        let code = |code: u8| code == 0 || self.is_card(code);
        let chosen = state.cards[at].iter().all(|&c| c == SHIP_CODE || code(c));
        let name = if state.phase == Phase::Choose { "chosen" } else { "waiting" };
        found.claim(chosen, || of(seat, name), "no such card");
        found.claim(code(state.replacements[at]), || of(seat, "replacement"), "no such card");
        let claiming = state.claiming[at];
        let known = claiming == DECLINE_CODE || usize::from(claiming) <= SLOTS;
        found.claim(known && state.offers[at] < 1 << SLOTS, || of(seat, "claim"), "no such slot");
        found.claim(usize::from(state.picks[at]) < MAX_KINDS, || of(seat, "picks"), "more than there can be");
    }

    /// Sorted, known to its holder, and equal cards in the order of GR-R24: the better known one first.
    fn hand_form(&self, hand: &Hand, seat: Seat) -> bool {
        let len = usize::from(hand.len);
        if len > HAND {
            return false;
        }
        let everybody = self.everybody();
        let cards = (0..len).all(|i| {
            let (kind, known) = (hand.kinds[i], hand.known[i]);
            usize::from(kind.0) < self.kinds() && known & !everybody == 0 && known >> seat.0 & 1 != 0
        });
        let order = (1..len).all(|i| {
            let (a, b) = (hand.kinds[i - 1], hand.kinds[i]);
            a < b || a == b && hand.known[i] & !hand.known[i - 1] == 0
        });
        let rest = (len..MAX_HAND).all(|i| hand.kinds[i] == Kind(0) && hand.known[i] == 0);
        cards && order && rest
    }

    /// What follows from the cards, rows that can exist, and every card in one place (GR-R23 a, c).
    fn zones(&self, state: &State, found: &mut Found) {
        let mut seen = [0u32; MAX_KINDS];
        let mut secret = [0u32; MAX_KINDS];
        for (count, (&pile, &out)) in secret.iter_mut().zip(state.pile.0.iter().zip(&state.out.0)) {
            *count += u32::from(pile) + u32::from(out);
        }
        for seat in self.seats() {
            let at = seat.index();
            for (kind, _) in state.hands[at].cards() {
                secret[kind.index()] += 1;
            }
            let row = &state.rows[at];
            found.claim(
                self.row_of(row.codes(), &state.slots) == *row,
                || of(seat, "row"),
                "is not what follows from its cards",
            );
            found.claim(
                self.can_be_built(row.codes()),
                || of(seat, "row"),
                "a card is not legal after those left of it",
            );
            let open = if state.phase == Phase::Choose { 0 } else { state.cards[at][1] };
            let cards = row.codes().iter().chain(&state.completed[at][..state.completed_len(seat)]);
            for &code in cards.chain((open != 0 && open != SHIP_CODE).then_some(&open)) {
                seen[Kind::of_code(code).index()] += 1;
            }
            for (kind, seen) in seen.iter_mut().enumerate() {
                *seen += u32::from(state.composts[at].0[kind]);
            }
            let size = u32::from(state.compost_sizes[at]) == state.composts[at].total();
            found.claim(size, || of(seat, "compost"), "its size is not the number of its cards");
            let (mut points, mut recycles) = (0, 0);
            for (i, codes) in state.completed_rows(seat).enumerate() {
                let built = self.can_be_built(codes);
                found.claim(
                    built,
                    || format!("{}[{i}]", of(seat, "completed")),
                    "a card is not legal after those left of it",
                );
                points += self.row_of(codes, &state.slots).score;
                let recycle = |code: &&u8| self.data(Kind::of_code(**code)).effect == Effect::Recycle;
                recycles += codes.iter().filter(recycle).count() as u32;
            }
            let follows = points == state.row_points[at] && recycles == u32::from(state.recycles[at]);
            found.claim(follows, || of(seat, "completed"), "its points are not what the rows score");
        }
        for kind in 0..MAX_KINDS {
            let (there, deck) = (seen[kind] + secret[kind], u32::from(self.deck.0[kind]));
            if there != deck {
                let id = &self.text(Kind(kind as u8)).id;
                found.at("", format!("{there} cards `{id}` in all zones; the deck has {deck}"));
            }
            let same = secret[kind] == u32::from(state.secret.0[kind]);
            found.claim(
                same,
                || "pile".into(),
                "the cards that lie nowhere in the open are counted otherwise",
            );
        }
        // The whole table is no place in the JSON: the pile is where most cards are.
        for problem in &mut found.0 {
            if problem.path.is_empty() {
                problem.path = "pile".into();
            }
        }
        let size = u32::from(state.pile_size) == state.pile.total();
        found.claim(size, || "pile".into(), "its size is not the number of its cards");
    }

    /// Whether the cards can be placed one after the other without a bust.
    fn can_be_built(&self, codes: &[u8]) -> bool {
        let mut row = Row::default();
        codes.iter().all(|&code| {
            let kind = Kind::of_code(code);
            let legal = self.is_legal(&row, kind);
            let data = self.data(kind);
            let kept = if data.effect == Effect::ZCoin { 0 } else { row.forbidden };
            row.forbidden = kept | data.forbids;
            legal
        })
    }

    /// GR-R23 f.
    fn badges_fit(&self, state: &State, found: &mut Found) {
        let (mut all, mut high) = (0u8, 0u8);
        let this_turn = matches!(state.phase, Phase::Refill | Phase::End);
        for seat in self.seats() {
            let claims = &state.claims[seat.index()];
            let mut new = 0;
            for (slot, &value) in claims.iter().enumerate().filter(|(_, value)| **value != 0) {
                let badge = &self.badges[usize::from(state.slots[slot])];
                all |= 1 << slot;
                high |= u8::from(value == badge.high) << slot;
                let taken = state.taken >> slot & 1 != 0;
                let fits = value == badge.high || value == badge.low && taken;
                found.claim(fits, || of(seat, "claims"), "a value that the badge did not have");
                new += u32::from(!taken);
            }
            found.claim(new <= 1, || of(seat, "claims"), "two badges claimed in one turn");
            found.claim(
                self.claims_are_met(state, seat),
                || of(seat, "claims"),
                "not each badge is met by a completed row of its own",
            );
        }
        found.claim(
            all == high,
            || "taken".into(),
            "a badge was claimed at its low value and never at its high one",
        );
        let fits = if this_turn { state.taken & !all == 0 } else { state.taken == all };
        found.claim(fits, || "taken".into(), "is not what was claimed in earlier turns");
    }

    /// Whether the badges of a seat are met by rows of their own: what was claimed in this turn by the row completed in it,
    /// the rest by rows before.
    fn claims_are_met(&self, state: &State, seat: Seat) -> bool {
        let rows: Vec<Row> =
            state.completed_rows(seat).map(|codes| self.row_of(codes, &state.slots)).collect();
        let own = state.own_slots(seat);
        let shipped = state.shipped.contains(seat);
        // Whether the last row was completed in this turn, and whether its owner can have made a claim with it.
        let (fresh, decided) = match state.phase {
            Phase::Claim => (state.is_ending() || shipped, false),
            Phase::Refill => (true, shipped),
            Phase::End => (true, shipped || !self.ended_narrowly(state)),
            _ => (false, false),
        };
        let Some((last, before)) = rows.split_last().filter(|_| fresh) else { return matching(own, &rows) };
        let new = own & !state.taken;
        if new != 0 {
            return decided && last.met & new != 0 && matching(own & !new, before);
        }
        // A badge that others had claimed before earns its low value in this turn.
        let values = &state.claims[seat.index()];
        let low = |slot: &usize| values[*slot] == self.badges[usize::from(state.slots[*slot])].low;
        let late = |slot: usize| last.met >> slot & 1 != 0 && matching(own & !(1 << slot), before);
        matching(own, before) || decided && (0..SLOTS).filter(low).any(late)
    }

    /// Whether a finished game certainly ended by a ship card (GR-R14) with claims for successful shippers alone. Otherwise
    /// it may have ended by GR-R13a, with empty hands and, if a ship card was revealed, a rest that left the game.
    fn ended_narrowly(&self, state: &State) -> bool {
        let hands_ran_out = state.hands[0].len == 0 && state.out.total() > 0;
        !self.claims_at_end && !state.shippers.is_empty() && !hands_ran_out
    }

    /// GR-R23 b and d: hands, pile, and how many cards every player has.
    fn sizes_fit(&self, state: &State, found: &mut Found) {
        let (pile, out) = (usize::from(state.pile_size), state.out.total() as usize);
        found.claim(
            pile <= self.deck_size - HAND * self.players,
            || "pile".into(),
            "more cards than the first hands leave",
        );
        found.claim(
            out == 0 || pile == 0 && out < self.players,
            || "out".into(),
            "cards leave the game only as a rest that does not go round",
        );
        let inside = state.phase != Phase::Choose;
        let mut sizes = Vec::new();
        for seat in self.seats() {
            let pending = usize::from(state.shippers.contains(seat) && !state.replaced.contains(seat));
            let waiting = usize::from(inside && state.cards[seat.index()][1] != 0);
            let own = state.rows[seat.index()].size()
                + usize::from(state.compost_sizes[seat.index()])
                + state.completed_len(seat);
            let wanted = usize::from(state.turn) + usize::from(inside);
            if own + pending + waiting != wanted {
                let message = format!(
                    "{own} cards in row, compost and completed rows; {} belong there",
                    wanted.saturating_sub(pending + waiting)
                );
                found.at(of(seat, "row"), message);
            }
            sizes.push((
                seat,
                state.hands[seat.index()].size() + usize::from(inside) - pending.min(usize::from(inside)),
            ));
        }
        let passed = matches!(state.phase, Phase::Refill);
        let first = sizes[0].1;
        for (seat, size) in sizes {
            let fits = size == first && (1..=HAND).contains(&size);
            found.claim(
                fits,
                || of(seat, "hand"),
                "hands of equal size, one to five cards at the start of the turn",
            );
            if passed {
                found.claim(size == 1, || of(seat, "hand"), "all hands are empty in this phase");
            }
        }
    }

    /// GR-R23 g: the turn can have come here.
    fn phase_fits(&self, state: &State, found: &mut Found) {
        let open = state.phase != Phase::Choose;
        found.claim(
            !open || state.bars.is_empty(),
            || "phase".into(),
            "a bar is taken back before the reveal only",
        );
        let nothing = |list: &[u8; MAX_PLAYERS]| *list == [0; MAX_PLAYERS];
        let replanting = state.phase == Phase::Replant;
        found.claim(replanting || nothing(&state.picks), || "phase".into(), "replant picks are left");
        let replacing = state.phase == Phase::Replace;
        found.claim(replacing || nothing(&state.replacements), || "phase".into(), "a replacement is chosen");
        let claiming = matches!(state.phase, Phase::Claim | Phase::Refill);
        found.claim(
            claiming || nothing(&state.offers) && nothing(&state.claiming),
            || "phase".into(),
            "a claim is chosen",
        );
        let placed = state.replaced == Seats::EMPTY || state.replaced == state.shippers;
        let late = matches!(state.phase, Phase::Claim | Phase::Refill | Phase::End);
        found.claim(
            placed && (!late || state.replaced == state.shippers),
            || "replaced".into(),
            "all replacements are placed together",
        );
        found.claim(
            state.shipped.0 & !state.replaced.0 == 0,
            || "shipped".into(),
            "a seat that has placed no replacement",
        );
        for seat in self.seats().filter(|_| open) {
            let [first, second] = state.cards[seat.index()];
            let waits = first == 0 && second != SHIP_CODE && (second == 0 || state.picks[seat.index()] != 0);
            found.claim(waits, || of(seat, "waiting"), "only a second card waits, for replant picks");
        }
        if !found.0.is_empty() {
            return;
        }
        match state.phase {
            Phase::Choose => self.choices_fit(state, found),
            Phase::Replant => self.replanting_fits(state, found),
            Phase::Replace => self.replacing_fits(state, found),
            Phase::Claim | Phase::Refill => self.claiming_fits(state, found),
            Phase::End => self.end_fits(state, found),
        }
        let over = state.phase == Phase::End;
        found.claim(
            state.acting.is_empty() == over,
            || "unfinished".into(),
            "somebody has to decide until the game is over",
        );
        if open {
            for seat in self.seats() {
                self.placed_fits(state, seat, found);
            }
        }
    }

    fn choices_fit(&self, state: &State, found: &mut Found) {
        let none = Seats::EMPTY;
        found.claim(
            state.shippers == none,
            || "shippers".into(),
            "nobody has revealed anything in this turn",
        );
        for seat in self.seats() {
            let at = seat.index();
            let (bar, [first, second]) = (state.bars.contains(seat), state.cards[at]);
            found.claim(
                !bar || self.ends_in_bar(&state.rows[at]),
                || of(seat, "take_bar"),
                "the row does not end in an Energy Bar",
            );
            let mut before = *state;
            before.cards[at] = [0; 2];
            let held = |state: &State, code: u8| {
                self.own_hand(state, seat).set() >> Kind::of_code(code).index() & 1 != 0
            };
            let first_fits = first == 0 || if first == SHIP_CODE { !bar } else { held(&before, first) };
            before.cards[at] = [first, 0];
            let second_fits = second == 0
                || bar
                    && first != 0
                    && first != SHIP_CODE
                    && (second == SHIP_CODE || first_fits && held(&before, second));
            found.claim(
                first_fits && second_fits,
                || of(seat, "chosen"),
                "not a choice that this hand allows",
            );
            let done = if bar { second != 0 } else { first != 0 };
            found.claim(
                state.acting.contains(seat) != done,
                || "unfinished".into(),
                "is not who still has to choose",
            );
        }
    }

    fn replanting_fits(&self, state: &State, found: &mut Found) {
        let Some(now) = state.replanting() else {
            return found.at("phase", "nobody has replant picks left");
        };
        found.claim(
            state.acting == Seats::one(now),
            || "unfinished".into(),
            "the lowest seat with picks left is asked",
        );
        for seat in self.seats() {
            let at = seat.index();
            let (row, picks) = (&state.rows[at], state.picks[at]);
            let late = state.replaced != Seats::EMPTY;
            if picks != 0 {
                found.claim(
                    self.picks_of(state, seat) != 0,
                    || of(seat, "picks"),
                    "no card of the compost is legal",
                );
                found.claim(
                    !late || state.shippers.contains(seat),
                    || of(seat, "picks"),
                    "only replacements are placed now",
                );
                let codes = row.codes();
                let explained = if seat == now {
                    (0..codes.len()).any(|at| self.explained(state, seat, (codes, at), Some(picks)))
                } else {
                    let last = codes.len().wrapping_sub(1);
                    picks == 2 && self.explained(state, seat, (codes, last), Some(2))
                };
                found.claim(explained, || of(seat, "picks"), "not what the Replants of the row leave");
            } else if seat > now && self.has_placed_last(state, seat) {
                let stops = row.last().is_some_and(|kind| self.data(kind).effect == Effect::Replant)
                    && self.picks_of(state, seat) != 0;
                found.claim(!stops, || of(seat, "picks"), "its Replant has legal picks left");
            }
        }
    }

    /// Whether the last card of a row certainly came down in the running step.
    fn has_placed_last(&self, state: &State, seat: Seat) -> bool {
        if state.replaced == Seats::EMPTY {
            !state.shippers.contains(seat)
        } else {
            state.shippers.contains(seat)
        }
    }

    /// Whether a row, from one place on, is a Replant and picks that leave so many (`None`: stopped or ended early).
    fn explained(&self, state: &State, seat: Seat, (codes, at): (&[u8], usize), left: Option<u8>) -> bool {
        let replant = |code: u8| self.data(Kind::of_code(code)).effect == Effect::Replant;
        if at >= codes.len() || !replant(codes[at]) {
            return false;
        }
        let mut picks = 2u8;
        for &code in &codes[at + 1..] {
            if picks == 0 {
                return false;
            }
            picks = picks - 1 + if replant(code) { 2 } else { 0 };
        }
        left.is_none_or(|left| left == picks) && self.bar_explains(state, seat, &codes[..at])
    }

    /// A second card that waits, or a ship card after a first card, needs a bar that lay at the end of `before`.
    fn bar_explains(&self, state: &State, seat: Seat, before: &[u8]) -> bool {
        let waiting = state.cards[seat.index()][1];
        let pending = state.shippers.contains(seat) && !state.replaced.contains(seat);
        if waiting == 0 && !pending {
            return true;
        }
        let bar = |kind: Kind| self.data(kind).effect == Effect::EnergyBar;
        let mut row = Row::default();
        for &code in before {
            row.forbidden |= self.data(Kind::of_code(code)).forbids;
            if self.data(Kind::of_code(code)).effect == Effect::ZCoin {
                row.forbidden = self.data(Kind::of_code(code)).forbids;
            }
        }
        let held = state.hands[seat.index()].cards().map(|card| card.0);
        let mut bars = held.chain((waiting != 0).then(|| Kind::of_code(waiting))).filter(|&kind| bar(kind));
        bars.any(|kind| before.is_empty() || self.is_legal(&row, kind))
    }

    fn replacing_fits(&self, state: &State, found: &mut Found) {
        found.claim(
            state.replaced.is_empty() && !state.shippers.is_empty(),
            || "shippers".into(),
            "nobody has a ship card to replace",
        );
        for seat in self.seats() {
            let code = state.replacements[seat.index()];
            let shipper = state.shippers.contains(seat);
            let fits = code == 0
                || shipper && self.replacements_of(state, seat) >> Kind::of_code(code).index() & 1 != 0;
            found.claim(
                fits,
                || of(seat, "replacement"),
                "not a card that may take the place of a ship card",
            );
            let asked = shipper && code == 0;
            found.claim(
                state.acting.contains(seat) == asked,
                || "unfinished".into(),
                "is not who still has to choose",
            );
        }
    }

    fn claiming_fits(&self, state: &State, found: &mut Found) {
        let ending = state.phase == Phase::Claim && state.is_ending();
        let all = Seats::all(self.players);
        let closed = match state.phase {
            Phase::Claim if ending => all,
            Phase::Claim => state.shipped,
            _ => Seats(all.0 & !state.shipped.0),
        };
        if state.phase == Phase::Refill {
            self.refill_fits(state, found);
        }
        for seat in self.seats() {
            let at = seat.index();
            let mut offers = 0;
            if closed.contains(seat) {
                found.claim(state.ends[at] != 0, || of(seat, "completed"), "a row was completed just now");
                found.claim(state.rows[at].len == 0, || of(seat, "row"), "was completed just now");
                if !ending || self.claims_at_end || state.shipped.contains(seat) {
                    let last = state.completed_rows(seat).last().unwrap_or_default();
                    offers = self.row_of(last, &state.slots).met & !state.own_slots(seat);
                }
            }
            found.claim(offers == state.offers[at], || of(seat, "claim"), "the badges on offer are others");
            let chosen = state.claiming[at];
            let fits =
                chosen == 0 || offers != 0 && (chosen == DECLINE_CODE || offers >> (chosen - 1) & 1 != 0);
            found.claim(fits, || of(seat, "claim"), "not a badge that may be claimed");
            let asked = offers != 0 && chosen == 0;
            found.claim(
                state.acting.contains(seat) == asked,
                || "unfinished".into(),
                "is not who still has to choose",
            );
        }
    }

    /// GR-R13, R11, R12: what must hold when all hands have run out.
    fn refill_fits(&self, state: &State, found: &mut Found) {
        for seat in self.seats() {
            found.claim(
                state.rows[seat.index()].len == 0,
                || of(seat, "row"),
                "all rows are completed in this phase",
            );
        }
        let (pile, out) = (state.pile_size > 0, state.out.total() > 0);
        let fits = match (state.shippers.is_empty(), state.shipped.is_empty()) {
            (_, false) => !pile && out,
            (false, true) => pile,
            (true, true) => true,
        };
        found.claim(fits, || "pile".into(), "the turn would have ended otherwise with such a pile");
        let new = |seat: Seat| state.own_slots(seat) & !state.taken != 0;
        let early = self.seats().all(|seat| !new(seat) || state.shipped.contains(seat));
        found.claim(early, || "taken".into(), "only who has shipped in this turn can have claimed in it");
    }

    fn end_fits(&self, state: &State, found: &mut Found) {
        let none_left = state.hands[0].len == 0;
        found.claim(state.pile_size == 0, || "pile".into(), "the game ends with an empty pile");
        found.claim(
            !state.shippers.is_empty() || none_left,
            || "shippers".into(),
            "the game ends with a ship card or without cards",
        );
        for seat in self.seats() {
            found.claim(
                state.rows[seat.index()].len == 0,
                || of(seat, "row"),
                "all rows are completed at the end",
            );
            found.claim(
                state.ends[seat.index()] != 0,
                || of(seat, "completed"),
                "everybody has completed a row at the end",
            );
        }
    }

    /// Every seat has placed a card in this turn, and who failed to ship has lost a row.
    fn placed_fits(&self, state: &State, seat: Seat, found: &mut Found) {
        let at = seat.index();
        let row = &state.rows[at];
        let pending = state.shippers.contains(seat) && !state.replaced.contains(seat);
        let left = match state.phase {
            Phase::Claim => state.is_ending() || state.shipped.contains(seat),
            Phase::Refill | Phase::End => true,
            _ => false,
        };
        if !left && !pending {
            found.claim(row.len > 0, || of(seat, "row"), "a card was placed on it in this turn");
        }
        let failed = state.replaced.contains(seat) && !state.shipped.contains(seat);
        let codes = if left { state.completed_rows(seat).last().unwrap_or_default() } else { row.codes() };
        if failed && let Some((&first, picks)) = codes.split_first() {
            let alone = picks.is_empty() || self.explained(state, seat, (codes, 0), None);
            let coin = self.legal_coins >> Kind::of_code(first).index() & 1 != 0;
            let first = self.data(Kind::of_code(first));
            let composted = (0..self.kinds()).filter(|&kind| state.composts[at].0[kind] > 0);
            let picked = picks.iter().map(|&code| Kind::of_code(code).index());
            let forbidden = composted.chain(picked).any(|kind| self.cards[kind].forbids >> first.ty & 1 != 0);
            found.claim(
                alone && forbidden && !coin,
                || of(seat, if left { "completed" } else { "row" }),
                "a failed ship starts a new row, and the old one is in the compost",
            );
        }
    }
}

/// Whether each slot can have a completed row of its own that meets its badge.
fn matching(slots: u8, rows: &[Row]) -> bool {
    fn place(slot: u8, rows: &[Row], tried: &mut Vec<usize>, owner: &mut [Option<u8>]) -> bool {
        for (i, row) in rows.iter().enumerate() {
            if row.met >> slot & 1 == 0 || tried.contains(&i) {
                continue;
            }
            tried.push(i);
            let free = match owner[i] {
                None => true,
                Some(other) => place(other, rows, tried, owner),
            };
            if free {
                owner[i] = Some(slot);
                return true;
            }
        }
        false
    }
    let mut owner = vec![None; rows.len()];
    (0..SLOTS as u8)
        .filter(|slot| slots >> slot & 1 != 0)
        .all(|slot| place(slot, rows, &mut Vec::new(), &mut owner))
}
