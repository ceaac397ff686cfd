//! What is wrong with a state that came from outside (GR-R23). Paths are those of the JSON form.

use super::Graft;
use super::action::Choice;
use super::content::Effect;
use super::legal::legal;
use super::state::{
    Counts, DECLINE_CODE, HAND, Hand, Kind, MAX_HAND, MAX_KINDS, MAX_PLAYERS, Phase, Row, SHIP_CODE, SLOTS,
    State,
};
use playmat_core::prelude::*;
use std::fmt::{Display, Formatter, Result};

/// Everything that is wrong with a state between two decisions.
pub(super) fn validate(game: &Graft, state: &State) -> Vec<Problem> {
    let mut check = Check { game, state, own: *state, found: Vec::new() };
    check.form();
    // What follows needs numbers that can be indices, and then cards that are there.
    if check.found.is_empty() {
        game.derive(&mut check.own);
        check.zones();
    }
    if check.found.is_empty() {
        check.badges();
        check.sizes();
        check.turn();
    }
    check.found
}

/// Looks at a state and collects what is wrong with it.
struct Check<'a> {
    game: &'a Graft,
    state: &'a State,
    /// The state with what follows from its cards and choices.
    own: State,
    found: Vec<Problem>,
}

/// A field of a player, as a path.
struct Of(Player, &'static str);

impl Display for Of {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "players[{}].{}", self.0, self.1)
    }
}

impl Check<'_> {
    fn wrong(&mut self, path: impl Display, message: impl Into<String>) {
        self.found.push(Problem::new(path.to_string(), message));
    }

    fn claim(&mut self, path: impl Display, holds: bool, message: &str) {
        if !holds {
            self.wrong(path, message);
        }
    }

    fn players(&self) -> impl Iterator<Item = Player> + Clone + use<> {
        Player::all(self.game.players)
    }

    /// Numbers in range: whatever is used as an index can be.
    fn form(&mut self) {
        let (game, state) = (self.game, self.state);
        let (gold, badges) = (game.gold as u8, game.badges.len() as u8);
        let (front, back) = state.slots.split_at(2);
        let are_tiers = front.iter().all(|&b| b < gold) && back.iter().all(|b| (gold..badges).contains(b));
        let is_sorted = state.slots.is_sorted_by(|a, b| a < b);
        let order = "two gold and three silver badges, each in ascending order";
        self.claim("badges", are_tiers && is_sorted, order);
        self.claim("taken", state.taken < 1 << SLOTS, "names a slot that does not exist");
        self.claim("turn", usize::from(state.turn) < game.turns(), "beyond the last turn");
        for (path, set) in [
            ("unfinished", state.acting),
            ("players", state.bars),
            ("shippers", state.shippers),
            ("replaced", state.replaced),
            ("shipped", state.shipped),
        ] {
            self.claim(path, set.0 & !game.everybody() == 0, "names a player who does not exist");
        }
        for (path, counts) in [("pile", &state.pile), ("out", &state.out), ("pile", &state.secret)] {
            self.copies(path, counts);
        }
        for player in self.players() {
            self.player(player);
        }
        for at in game.players..MAX_PLAYERS {
            let place = |state: &State| {
                let cards = (state.hands[at], state.rows[at], state.composts[at], state.completed[at]);
                let sums =
                    (state.ends[at], state.row_points[at], state.recycles[at], state.compost_sizes[at]);
                let codes = [state.replacements[at], state.picks[at], state.offers[at], state.claiming[at]];
                (cards, sums, state.claims[at], state.cards[at], codes)
            };
            let is_empty = place(state) == place(&State::default());
            self.claim("players", is_empty, "a place beyond the players is not empty");
        }
    }

    fn copies(&mut self, path: impl Display, counts: &Counts) {
        let fits = counts.0.iter().zip(&self.game.deck.0).all(|(count, copies)| count <= copies);
        self.claim(path, fits, "more cards of a kind than the deck has");
    }

    /// The numbers of one player.
    fn player(&mut self, player: Player) {
        let (game, state, at) = (self.game, self.state, player.index());
        let is_card = |code: u8| code != 0 && usize::from(code) <= game.kinds();
        let fits = |cards: &[u8], len: usize| {
            let (cards, rest) = cards.split_at(len.min(cards.len()));
            len <= game.turns()
                && cards.iter().all(|&code| is_card(code))
                && rest.iter().all(|&code| code == 0)
        };
        let hand = "at most five cards, each with players that may know it";
        self.claim(Of(player, "hand"), self.fits_hand(&state.hands[at], player), hand);
        let row = &state.rows[at];
        let fits_row = fits(&row.cards, row.len.into());
        self.claim(Of(player, "row"), fits_row, "more cards than a row can have, or a gap");
        self.copies(Of(player, "compost"), &state.composts[at]);
        let fits_completed = fits(&state.completed[at], state.completed_len(player));
        self.claim(Of(player, "completed"), fits_completed, "more cards than a player can have, or a gap");
        let is_code = |code: u8| code == 0 || is_card(code);
        let are_cards = state.cards[at].iter().all(|&code| code == SHIP_CODE || is_code(code));
        let name = if state.phase == Phase::Choose { "chosen" } else { "waiting" };
        self.claim(Of(player, name), are_cards, "no such card");
        self.claim(Of(player, "replacement"), is_code(state.replacements[at]), "no such card");
        let claim = state.claiming[at];
        let is_slot = claim == DECLINE_CODE || usize::from(claim) <= SLOTS;
        self.claim(Of(player, "claim"), is_slot && state.offers[at] < 1 << SLOTS, "no such slot");
        let are_picks = usize::from(state.picks[at]) < MAX_KINDS;
        self.claim(Of(player, "picks"), are_picks, "more than there can be");
    }

    /// Sorted, known to its holder, and equal cards in the order of GR-R24: the better known one first.
    fn fits_hand(&self, hand: &Hand, player: Player) -> bool {
        let (len, everybody) = (usize::from(hand.len), self.game.everybody());
        let fits = |i: usize| {
            let (kind, known) = (hand.kinds[i], hand.known[i]);
            usize::from(kind.0) < self.game.kinds() && known & !everybody == 0 && known >> player.0 & 1 != 0
        };
        let is_sorted = |i: usize| {
            let (a, b) = (hand.kinds[i - 1], hand.kinds[i]);
            a < b || a == b && hand.known[i] & !hand.known[i - 1] == 0
        };
        len <= HAND
            && (0..len).all(fits)
            && (1..len).all(is_sorted)
            && (len..MAX_HAND).all(|i| hand.kinds[i] == Kind(0) && hand.known[i] == 0)
    }

    /// What follows from the cards, rows that can exist, and every card in one place (GR-R23 a, c).
    fn zones(&mut self) {
        let (game, state, own) = (self.game, self.state, self.own);
        let mut there = own.secret.0.map(u32::from);
        let not_built = "a card is not legal after those left of it";
        for player in self.players() {
            let at = player.index();
            let row = &state.rows[at];
            self.claim(Of(player, "row"), own.rows[at] == *row, "is not what follows from its cards");
            self.claim(Of(player, "row"), self.can_be_built(row.codes()), not_built);
            for (i, codes) in state.completed_rows(player).enumerate() {
                let path = format_args!("{}[{i}]", Of(player, "completed"));
                self.claim(path, self.can_be_built(codes), not_built);
            }
            let has_size = own.compost_sizes[at] == state.compost_sizes[at];
            self.claim(Of(player, "compost"), has_size, "its size is not the number of its cards");
            let scores = |state: &State| (state.row_points[at], state.recycles[at]);
            let has_points = scores(&own) == scores(state);
            self.claim(Of(player, "completed"), has_points, "its points are not what the rows score");
            let completed = &state.completed[at][..state.completed_len(player)];
            for code in row.codes().iter().chain(completed).copied().chain(self.waiting(player)) {
                there[Kind::of_code(code).index()] += 1;
            }
            for (there, &composted) in there.iter_mut().zip(&state.composts[at].0) {
                *there += u32::from(composted);
            }
        }
        // A finding about all cards needs a place in the JSON: the pile holds most of them.
        for (kind, (there, &deck)) in there.into_iter().zip(&game.deck.0).enumerate() {
            if there != u32::from(deck) {
                let id = &game.text(Kind(kind as u8)).id;
                self.wrong("pile", format!("{there} cards `{id}` in all zones; the deck has {deck}"));
            }
        }
        let secret = "the cards that lie nowhere in the open are counted otherwise";
        self.claim("pile", own.secret == state.secret, secret);
        let has_size = own.pile_size == state.pile_size;
        self.claim("pile", has_size, "its size is not the number of its cards");
    }

    /// The code of a revealed card that waits.
    fn waiting(&self, player: Player) -> Option<u8> {
        let [_, code] = self.state.cards[player.index()];
        Some(code).filter(|&code| self.state.phase != Phase::Choose && code != 0 && code != SHIP_CODE)
    }

    /// Whether the cards can be placed one after the other without a bust.
    fn can_be_built(&self, codes: &[u8]) -> bool {
        let mut row = Row::default();
        codes.iter().all(|&code| {
            let (kind, data) = (Kind::of_code(code), self.game.data(Kind::of_code(code)));
            let is_legal = self.game.is_legal(&row, kind);
            let kept = if data.effect == Effect::ZCoin { 0 } else { row.forbidden };
            row.forbidden = kept | data.forbids;
            is_legal
        })
    }

    /// GR-R23 f.
    fn badges(&mut self) {
        let (game, state) = (self.game, self.state);
        let (mut all, mut high) = (0u8, 0u8);
        for player in self.players() {
            let mut new = 0;
            for (slot, &value) in
                state.claims[player.index()].iter().enumerate().filter(|(_, value)| **value != 0)
            {
                let badge = &game.badges[usize::from(state.slots[slot])];
                let is_taken = state.taken >> slot & 1 != 0;
                all |= 1 << slot;
                high |= u8::from(value == badge.high) << slot;
                new += u32::from(!is_taken);
                let fits = value == badge.high || value == badge.low && is_taken;
                self.claim(Of(player, "claims"), fits, "a value that the badge did not have");
            }
            self.claim(Of(player, "claims"), new <= 1, "two badges claimed in one turn");
            let not_met = "not each badge is met by a completed row of its own";
            self.claim(Of(player, "claims"), self.claims_are_met(player), not_met);
        }
        let never_high = "a badge was claimed at its low value and never at its high one";
        self.claim("taken", all == high, never_high);
        let is_late = matches!(state.phase, Phase::Refill | Phase::End);
        let fits = if is_late { state.taken & !all == 0 } else { state.taken == all };
        self.claim("taken", fits, "is not what was claimed in earlier turns");
    }

    /// Whether the badges of a player are met by rows of their own: what was claimed in this turn by the row completed in it,
    /// the rest by rows before.
    fn claims_are_met(&self, player: Player) -> bool {
        let (game, state) = (self.game, self.state);
        let rows = state.completed_rows(player);
        let met: Vec<u8> = rows.map(|codes| game.row_of(codes, &state.slots).met).collect();
        let own = state.own_slots(player);
        let shipped = state.shipped.contains(player);
        // Whether the last row was completed in this turn, and whether its owner can have made a claim with it.
        let (is_fresh, has_decided) = match state.phase {
            Phase::Claim => (state.is_ending() || shipped, false),
            Phase::Refill => (true, shipped),
            Phase::End => (true, shipped || !self.ended_narrowly()),
            _ => (false, false),
        };
        let Some((last, before)) = met.split_last().filter(|_| is_fresh) else { return matching(own, &met) };
        let new = own & !state.taken;
        if new != 0 {
            return has_decided && last & new != 0 && matching(own & !new, before);
        }
        // A badge that others had claimed before earns its low value in this turn.
        let values = &state.claims[player.index()];
        let low = |slot: &usize| values[*slot] == game.badges[usize::from(state.slots[*slot])].low;
        let late = |slot: usize| last >> slot & 1 != 0 && matching(own & !(1 << slot), before);
        matching(own, before) || has_decided && (0..SLOTS).filter(low).any(late)
    }

    /// Whether a finished game certainly ended by a ship card (GR-R14) with claims for successful shippers alone. Otherwise
    /// it may have ended by GR-R13a, with empty hands and, if a ship card was revealed, a rest that left the game.
    fn ended_narrowly(&self) -> bool {
        let hands_ran_out = self.state.hands[0].len == 0 && self.state.out.total() > 0;
        !self.game.claims_at_end && !self.state.shippers.is_empty() && !hands_ran_out
    }

    /// Whether a player has revealed a ship card that is not replaced yet.
    fn is_pending(&self, player: Player) -> bool {
        self.state.shippers.contains(player) && !self.state.replaced.contains(player)
    }

    /// Cards of a hand at the start of the turn.
    fn hand_before(&self, player: Player) -> usize {
        let has_played = self.state.phase != Phase::Choose && !self.is_pending(player);
        self.state.hands[player.index()].size() + usize::from(has_played)
    }

    /// GR-R23 b and d: hands, pile, and how many cards every player has.
    fn sizes(&mut self) {
        let (game, state) = (self.game, self.state);
        let (pile, out) = (usize::from(state.pile_size), state.out.total() as usize);
        let fits = pile <= game.deck_size - HAND * game.players;
        self.claim("pile", fits, "more cards than the first hands leave");
        let fits = out == 0 || pile == 0 && out < game.players;
        self.claim("out", fits, "cards leave the game only as a rest that does not go round");
        let inside = usize::from(state.phase != Phase::Choose);
        let first = self.hand_before(Player(0));
        for player in self.players() {
            let own = state.rows[player.index()].size()
                + usize::from(state.compost_sizes[player.index()])
                + state.completed_len(player);
            let elsewhere =
                usize::from(self.is_pending(player)) + usize::from(self.waiting(player).is_some());
            let wanted = usize::from(state.turn) + inside;
            if own + elsewhere != wanted {
                let belong = wanted.saturating_sub(elsewhere);
                let message =
                    format!("{own} cards in row, compost and completed rows; {belong} belong there");
                self.wrong(Of(player, "row"), message);
            }
            let size = self.hand_before(player);
            let fits = size == first && (1..=HAND).contains(&size);
            let equal = "hands of equal size, one to five cards at the start of the turn";
            self.claim(Of(player, "hand"), fits, equal);
            let fits = state.phase != Phase::Refill || size == 1;
            self.claim(Of(player, "hand"), fits, "all hands are empty in this phase");
        }
    }

    /// GR-R23 g: the turn can have come here.
    fn turn(&mut self) {
        let state = self.state;
        let (is_open, nothing) = (state.phase != Phase::Choose, [0; MAX_PLAYERS]);
        let fits = !is_open || state.bars.is_empty();
        self.claim("phase", fits, "a bar is taken back before the reveal only");
        let fits = state.phase == Phase::Replant || state.picks == nothing;
        self.claim("phase", fits, "replant picks are left");
        let fits = state.phase == Phase::Replace || state.replacements == nothing;
        self.claim("phase", fits, "a replacement is chosen");
        let may_claim = matches!(state.phase, Phase::Claim | Phase::Refill);
        let fits = may_claim || (state.offers, state.claiming) == (nothing, nothing);
        self.claim("phase", fits, "a claim is chosen");
        let is_early = !may_claim && state.phase != Phase::End;
        let fits = state.replaced == state.shippers || is_early && state.replaced.is_empty();
        self.claim("replaced", fits, "all replacements are placed together");
        let fits = state.shipped.0 & !state.replaced.0 == 0;
        self.claim("shipped", fits, "a player who has placed no replacement");
        for player in self.players().filter(|_| is_open) {
            let [first, second] = state.cards[player.index()];
            let may_wait = state.picks[player.index()] != 0 && second != SHIP_CODE;
            let fits = first == 0 && (second == 0 || may_wait);
            self.claim(Of(player, "waiting"), fits, "only a second card waits, for replant picks");
        }
        if !self.found.is_empty() {
            return;
        }
        match state.phase {
            Phase::Choose => {
                let fits = state.shippers.is_empty();
                self.claim("shippers", fits, "nobody has revealed anything in this turn");
                self.players().for_each(|player| self.choices(player));
            }
            Phase::Replant => match state.replanting() {
                Some(now) => self.players().for_each(|player| self.replanting(player, now)),
                None => self.wrong("phase", "nobody has replant picks left"),
            },
            Phase::Replace => {
                let fits = state.replaced.is_empty() && !state.shippers.is_empty();
                self.claim("shippers", fits, "nobody has a ship card to replace");
                for player in self.players() {
                    let code = state.replacements[player.index()];
                    let fits =
                        code == 0 || state.shippers.contains(player) && self.allows(state, player, code);
                    let message = "not a card that may take the place of a ship card";
                    self.claim(Of(player, "replacement"), fits, message);
                }
            }
            Phase::Claim => self.claims(),
            Phase::Refill => {
                self.refill();
                self.claims();
            }
            Phase::End => self.end(),
        }
        self.claim("unfinished", self.own.acting == state.acting, "is not who still has to choose");
        let fits = state.acting.is_empty() == (state.phase == Phase::End);
        self.claim("unfinished", fits, "somebody has to decide until the game is over");
        self.players().filter(|_| is_open).for_each(|player| self.placed(player));
    }

    /// Whether a player could choose a card.
    fn allows(&self, state: &State, player: Player, code: u8) -> bool {
        let choice = if code == SHIP_CODE { Choice::Ship } else { Choice::Card(Kind::of_code(code)) };
        legal(self.game, state, player).contains(self.game.action(choice))
    }

    /// What lies face down: choices that were legal one after the other.
    fn choices(&mut self, player: Player) {
        let (state, at) = (self.state, player.index());
        let (has_bar, [first, second]) = (state.bars.contains(player), state.cards[at]);
        let fits = !has_bar || self.game.ends_in_bar(&state.rows[at]);
        self.claim(Of(player, "take_bar"), fits, "the row does not end in an Energy Bar");
        let mut before = *state;
        before.cards[at] = [0; 2];
        let fits_first = first == 0 || self.allows(&before, player, first);
        before.cards[at] = [first, 0];
        let fits =
            fits_first && (second == 0 || has_bar && first != 0 && self.allows(&before, player, second));
        self.claim(Of(player, "chosen"), fits, "not a choice that this hand allows");
    }

    fn replanting(&mut self, player: Player, now: Player) {
        let (game, state, at) = (self.game, self.state, player.index());
        let (codes, picks) = (state.rows[at].codes(), state.picks[at]);
        let last = codes.len().wrapping_sub(1);
        // Once the replacements are placed, whoever ships places cards; before, everybody else.
        let is_placing = state.replaced.is_empty() != state.shippers.contains(player);
        if picks != 0 {
            let has_pick = game.picks_of(state, player) != 0;
            self.claim(Of(player, "picks"), has_pick, "no card of the compost is legal");
            let fits = state.replaced.is_empty() || is_placing;
            self.claim(Of(player, "picks"), fits, "only replacements are placed now");
            let is_explained = if player == now {
                (0..codes.len()).any(|at| self.is_explained(player, codes, at, Some(picks)))
            } else {
                picks == 2 && self.is_explained(player, codes, last, Some(2))
            };
            self.claim(Of(player, "picks"), is_explained, "not what the Replants of the row leave");
        } else if player > now && is_placing {
            let stops = codes.last().is_some_and(|&code| self.has_effect(code, Effect::Replant));
            let fits = !stops || game.picks_of(state, player) == 0;
            self.claim(Of(player, "picks"), fits, "its Replant has legal picks left");
        }
    }

    fn has_effect(&self, code: u8, effect: Effect) -> bool {
        self.game.data(Kind::of_code(code)).effect == effect
    }

    /// Whether a row, from `at` on, is a Replant and picks of which `left` are left (`None`: stopped or ended early).
    fn is_explained(&self, player: Player, codes: &[u8], at: usize, left: Option<u8>) -> bool {
        let replants = |code: u8| if self.has_effect(code, Effect::Replant) { 2u8 } else { 0 };
        let Some((&first, picked)) = codes.get(at..).and_then(<[u8]>::split_first) else { return false };
        let pick = |picks: u8, &code: &u8| Some(picks.checked_sub(1)? + replants(code));
        let picks = picked.iter().try_fold(replants(first), pick);
        replants(first) != 0
            && picks.is_some_and(|picks| left.is_none_or(|left| left == picks))
            && self.bar_explains(player, &codes[..at])
    }

    /// A second card that waits, or a ship card after a first card, needs a bar that lay at the end of `before`.
    fn bar_explains(&self, player: Player, before: &[u8]) -> bool {
        let waiting = self.waiting(player);
        if waiting.is_none() && !self.is_pending(player) {
            return true;
        }
        let row = self.game.row_of(before, &self.state.slots);
        let held = self.state.hands[player.index()].cards().map(|card| card.0.code());
        let mut bars = held.chain(waiting).filter(|&code| self.has_effect(code, Effect::EnergyBar));
        bars.any(|code| self.game.is_legal(&row, Kind::of_code(code)))
    }

    /// The badges on offer, and the claims chosen of them.
    fn claims(&mut self) {
        let (state, own) = (self.state, self.own);
        for player in self.players() {
            let at = player.index();
            if self.has_completed(player) {
                self.claim(Of(player, "completed"), state.ends[at] != 0, "a row was completed just now");
                self.claim(Of(player, "row"), state.rows[at].len == 0, "was completed just now");
            }
            let (offers, claim) = (own.offers[at], state.claiming[at]);
            self.claim(Of(player, "claim"), offers == state.offers[at], "the badges on offer are others");
            let is_offered = claim == DECLINE_CODE || claim != 0 && offers >> (claim - 1) & 1 != 0;
            let fits = claim == 0 || offers != 0 && is_offered;
            self.claim(Of(player, "claim"), fits, "not a badge that may be claimed");
        }
    }

    /// Whether the row of a player was completed in this turn, in a phase after the placing of cards.
    fn has_completed(&self, player: Player) -> bool {
        let state = self.state;
        match state.phase {
            Phase::Claim => state.is_ending() || state.shipped.contains(player),
            Phase::Refill => !state.shipped.contains(player),
            _ => false,
        }
    }

    /// GR-R13, R11, R12: what must hold when all hands have run out.
    fn refill(&mut self) {
        let state = self.state;
        for player in self.players() {
            let is_empty = state.rows[player.index()].len == 0;
            self.claim(Of(player, "row"), is_empty, "all rows are completed in this phase");
        }
        let fits = match (state.shippers.is_empty(), state.shipped.is_empty()) {
            (_, false) => state.pile_size == 0 && state.out.total() > 0,
            (false, true) => state.pile_size > 0,
            (true, true) => true,
        };
        self.claim("pile", fits, "the turn would have ended otherwise with such a pile");
        let is_early = |player: Player| state.own_slots(player) & !state.taken != 0;
        let fits = self.players().all(|player| !is_early(player) || state.shipped.contains(player));
        self.claim("taken", fits, "only who has shipped in this turn can have claimed in it");
    }

    fn end(&mut self) {
        let state = self.state;
        self.claim("pile", state.pile_size == 0, "the game ends with an empty pile");
        let fits = !state.shippers.is_empty() || state.hands[0].len == 0;
        self.claim("shippers", fits, "the game ends with a ship card or without cards");
        for player in self.players() {
            let at = player.index();
            let is_empty = state.rows[at].len == 0;
            self.claim(Of(player, "row"), is_empty, "all rows are completed at the end");
            let fits = state.ends[at] != 0;
            self.claim(Of(player, "completed"), fits, "everybody has completed a row at the end");
        }
    }

    /// Every player has placed a card in this turn, and who failed to ship has lost a row.
    fn placed(&mut self, player: Player) {
        let (game, state, at) = (self.game, self.state, player.index());
        let row = &state.rows[at];
        let is_over = matches!(state.phase, Phase::Refill | Phase::End) || self.has_completed(player);
        let fits = is_over || self.is_pending(player) || row.len > 0;
        self.claim(Of(player, "row"), fits, "a card was placed on it in this turn");
        let has_failed = state.replaced.contains(player) && !state.shipped.contains(player);
        let (name, codes) = if is_over {
            ("completed", state.completed_rows(player).last().unwrap_or_default())
        } else {
            ("row", row.codes())
        };
        if has_failed && let Some((&first, picks)) = codes.split_first() {
            let is_alone = picks.is_empty() || self.is_explained(player, codes, 0, None);
            let first = Kind::of_code(first);
            let lost = (0..game.kinds()).filter(|&kind| state.composts[at].0[kind] > 0);
            let mut lost = lost.chain(picks.iter().map(|&code| Kind::of_code(code).index()));
            let is_forbidden = lost.any(|kind| game.cards[kind].forbids >> game.data(first).ty & 1 != 0);
            let may_fail = is_forbidden && game.legal_coins >> first.index() & 1 == 0;
            let message = "a failed ship starts a new row, and the old one is in the compost";
            self.claim(Of(player, name), is_alone && may_fail, message);
        }
    }
}

/// Whether each slot can have a completed row of its own that meets its badge: the slots of every set are met by as many rows as
/// there are slots in it (Hall's theorem).
fn matching(slots: u8, met: &[u8]) -> bool {
    let rows = |set: u8| met.iter().filter(|&met| met & set != 0).count();
    (1..1 << SLOTS).filter(|set| set & !slots == 0).all(|set: u8| rows(set) >= set.count_ones() as usize)
}
