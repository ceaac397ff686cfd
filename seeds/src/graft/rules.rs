//! The turn (GR-R3a): choose, reveal, place, replace, complete, claim, pass, draw up.

use super::Graft;
use super::action::Choice;
use super::content::Effect;
use super::state::{DECLINE_CODE, Hand, Kind, MAX_PLAYERS, Phase, Row, SHIP_CODE, SLOTS, State, kinds_in};
use playmat_core::prelude::*;

playmat_core::named! {
    /// Where a placed card came from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum From {
        /// Chosen face down.
        Hand = "hand",
        /// The replacement of a ship card.
        Replacement = "replacement",
        /// Picked from the compost.
        Compost = "compost",
    }
}

/// What a host would animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A turn began; the number of turns before it.
    TurnBegan(u8),
    /// A player chose a card, the ship card, or to take a bar back: nobody else may learn it before the reveal.
    Chose(Player, Choice),
    /// A bar taken back went to its owner's hand.
    BarTaken(Player, Kind),
    /// A player's chosen cards were revealed, as codes.
    Revealed(Player, [u8; 2]),
    /// A row was lost; how many cards went to the compost.
    Busted(Player, u8),
    /// A card came to the right end of a row.
    Placed(Player, Kind, From),
    /// A player stopped replanting.
    Stopped(Player),
    /// A player chose what takes the place of its ship card: nobody else may learn it before all have.
    ReplacementChosen(Player, Kind),
    /// A row was completed for these points.
    Completed(Player, i32),
    /// A player chose the slot and badge that it claims, or none: nobody else may learn it before all have.
    ClaimChosen(Player, Option<(u8, u8)>),
    /// A player claimed a badge.
    Claimed {
        /// Who.
        player: Player,
        /// Where it lies.
        slot: u8,
        /// Its number.
        badge: u8,
        /// The points that it earned.
        value: u8,
    },
    /// A player claimed nothing.
    Declined(Player),
    /// All hands went to the left neighbours.
    Passed,
    /// A player drew a card, which nobody else sees.
    Drew(Player, Kind),
    /// How many cards left the game unseen.
    LeftOut(u8),
    /// The game is over.
    GameOver,
}

/// The players who must decide.
#[inline(always)]
pub(super) fn acting(_: &Graft, state: &State) -> Players {
    state.acting
}

/// The game ends by its rules alone (GR-R13a, R14).
#[inline(always)]
pub(super) fn status(_: &Graft, state: &State) -> Status {
    if state.phase == Phase::End { Status::Terminated } else { Status::Running }
}

/// Applies a legal action and plays on until somebody must choose or the game is over.
#[inline]
pub(super) fn apply<L: Log<Graft>>(
    game: &Graft,
    state: &mut State,
    player: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    // Most choices are the only card of a turn and followed by another player's: then there is no call.
    let card = action.index().cmp(&game.kinds());
    match state.cards.get_mut(player.index()) {
        Some(cards) if state.phase == Phase::Choose && card.is_le() && !state.bars.contains(player) => {
            cards[0] = if card.is_lt() { (action.0 as u8).wrapping_add(1) } else { SHIP_CODE };
            state.acting.remove(player);
            log.event(state, || Event::Chose(player, game.choice(action)));
        }
        _ => game.choose(state, player, action, log),
    }
    if state.acting.is_empty() {
        game.play_on(state, rng, log);
    }
}

impl Graft {
    /// The hand of a player as the player itself holds it: with a bar taken back, without a first card lying face down.
    #[inline]
    pub(super) fn own_hand(&self, state: &State, player: Player) -> Hand {
        let mut hand = state.hands[player.index()];
        if state.phase == Phase::Choose {
            if state.bars.contains(player)
                && let Some(bar) = state.rows[player.index()].last()
            {
                hand.take_back(bar, self.everybody());
            }
            for code in state.cards[player.index()].into_iter().filter(|&code| code != 0 && code != SHIP_CODE)
            {
                hand.remove(Kind::of_code(code));
            }
        } else if state.replacements[player.index()] != 0 {
            hand.remove(Kind::of_code(state.replacements[player.index()]));
        }
        hand
    }

    /// Buffers a choice, or makes an open one.
    #[inline(never)]
    pub(super) fn choose<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        log: &mut L,
    ) {
        let choice = self.choice(action);
        let at = player.index();
        match (state.phase, choice) {
            (Phase::Choose, Choice::TakeBar) => {
                state.bars.insert(player);
                log.event(state, || Event::Chose(player, choice));
                self.force_first(state, player, log);
            }
            (Phase::Choose, _) => {
                let code = if let Choice::Card(kind) = choice { kind.code() } else { SHIP_CODE };
                let second = state.cards[at][0] != 0;
                state.cards[at][usize::from(second)] = code;
                if second || !state.bars.contains(player) {
                    state.acting.remove(player);
                }
                log.event(state, || Event::Chose(player, choice));
            }
            (Phase::Replant, Choice::Card(kind)) => self.replant(state, player, kind, log),
            (Phase::Replant, _) => {
                state.picks[at] = 0;
                state.acting.remove(player);
                log.event(state, || Event::Stopped(player));
                log.rule(|| "GR-Q14".into());
                self.place_waiting(state, player, log);
            }
            (Phase::Replace, Choice::Card(kind)) => {
                state.replacements[at] = kind.code();
                state.acting.remove(player);
                log.event(state, || Event::ReplacementChosen(player, kind));
            }
            (_, Choice::Claim(slot)) => {
                state.claiming[at] = slot + 1;
                state.acting.remove(player);
                log.event(state, || Event::ClaimChosen(player, Some((slot, state.slots[usize::from(slot)]))));
            }
            _ => {
                state.claiming[at] = DECLINE_CODE;
                state.acting.remove(player);
                log.event(state, || Event::ClaimChosen(player, None));
            }
        }
    }

    /// FIRST with cards of one kind is no decision ("Decisions and actions" of the rules page).
    pub(super) fn force_first<L: Log<Self>>(&self, state: &mut State, player: Player, log: &mut L) {
        let kinds = self.own_hand(state, player).set();
        if kinds.is_power_of_two() {
            let kind = Kind(kinds.trailing_zeros() as u8);
            state.cards[player.index()][0] = kind.code();
            log.forced();
            log.event(state, || Event::Chose(player, Choice::Card(kind)));
        }
    }

    /// Plays on until somebody must choose or the game is over.
    #[inline(never)]
    pub(super) fn play_on<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        while state.acting.is_empty() {
            match state.phase {
                Phase::End => return,
                Phase::Choose => {
                    self.reveal(state, log);
                    // Mostly nobody replants or ships. Then nobody completes a row or claims, and what follows is known without a look at
                    // the phase, which the processor would have to guess three times.
                    if state.shippers.is_empty() && state.replanting().is_none() {
                        state.phase = Phase::Claim;
                        self.after_claims(state, rng, log);
                    }
                }
                Phase::Replant => self.go_on_replanting(state, log),
                Phase::Replace => self.place_replacements(state, log),
                Phase::Claim => {
                    self.resolve_claims(state, log);
                    self.after_claims(state, rng, log);
                }
                Phase::Refill => {
                    self.resolve_claims(state, log);
                    self.after_refill(state, rng, log);
                }
            }
        }
    }

    /// GR-R3a steps 2 and 3, pass 1.
    #[inline(always)]
    fn reveal<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        log.rule(|| "GR-R3".into());
        let mut taken = [Kind::default(); MAX_PLAYERS];
        for player in state.bars.iter() {
            let row = &mut state.rows[player.index()];
            let Some(bar) = row.last() else { continue };
            taken[player.index()] = bar;
            *row = self.without_last(row, &state.slots);
            state.hands[player.index()].take_back(bar, self.everybody());
            state.secret.0[bar.index()] += 1;
        }
        // From here on the chosen cards are open.
        let bars = std::mem::take(&mut state.bars);
        state.phase = Phase::Replant;
        for player in Player::all(self.players) {
            let at = player.index();
            let codes = state.cards[at];
            if L::LISTENS && bars.contains(player) {
                log.rule(|| "GR-R16".into());
                log.event(state, || Event::BarTaken(player, taken[at]));
            }
            for code in codes {
                if code == SHIP_CODE {
                    state.shippers.insert(player);
                } else if code != 0 {
                    let kind = Kind::of_code(code);
                    state.hands[at].remove(kind);
                    state.secret.0[kind.index()] -= 1;
                }
            }
            for code in &mut state.cards[at] {
                *code = if *code == SHIP_CODE { 0 } else { *code };
            }
            log.event(state, || Event::Revealed(player, codes));
        }
        for player in Player::all(self.players) {
            self.place_chosen(state, player, log);
        }
    }

    /// Places the revealed cards of a player in order, up to a Replant that has a legal pick.
    fn place_chosen<L: Log<Self>>(&self, state: &mut State, player: Player, log: &mut L) {
        for i in 0..2 {
            let code = std::mem::take(&mut state.cards[player.index()][i]);
            if code == 0 {
                continue;
            }
            self.place(state, player, Kind::of_code(code), From::Hand, log);
            if state.picks[player.index()] != 0 {
                return;
            }
        }
    }

    /// A second card that waited for replant picks and may bust because of them (GR-R18e).
    fn place_waiting<L: Log<Self>>(&self, state: &mut State, player: Player, log: &mut L) {
        if state.picks[player.index()] == 0 {
            self.place_chosen(state, player, log);
        }
    }

    /// Puts a card on a row, busting it if it must, and counts replant picks (GR-R5, R6, R18).
    #[inline]
    fn place<L: Log<Self>>(&self, state: &mut State, player: Player, kind: Kind, from: From, log: &mut L) {
        let at = player.index();
        let is_empty = state.rows[at].len == 0;
        if !is_empty && self.is_legal(&state.rows[at], kind) {
            let before = if L::LISTENS { Some(state.rows[at]) } else { None };
            self.push(&mut state.rows[at], kind, &state.slots);
            if let Some(row) = before {
                self.log_placed(state, player, &row, kind, from, log);
            }
        } else {
            if !is_empty {
                let len = state.rows[at].len;
                state.composts[at].add(&state.rows[at].counts);
                state.compost_sizes[at] += len;
                if L::LISTENS {
                    state.rows[at] = Row::default();
                }
                log.rule(|| "GR-R6".into());
                log.event(state, || Event::Busted(player, len));
                log.rule(|| format!("bust by {}", self.text(kind).id));
            }
            self.begin_row(&mut state.rows[at], kind, &state.slots);
            if is_empty && L::LISTENS {
                self.log_placed(state, player, &Row::default(), kind, from, log);
            }
        }
        log.rule(|| format!("card {}", self.text(kind).id));
        log.event(state, || Event::Placed(player, kind, from));
        if self.replants >> kind.index() & 1 != 0 {
            // The cards of a row that was just lost lie in the compost by now (GR-R18c).
            state.picks[at] += 2;
            self.end_picks_without_cards(state, player, log);
        }
    }

    fn log_placed<L: Log<Self>>(
        &self,
        state: &State,
        player: Player,
        before: &Row,
        kind: Kind,
        from: From,
        log: &mut L,
    ) {
        log.rule(|| "GR-R5".into());
        let data = self.data(kind);
        if data.effect == Effect::ZCoin && before.len > 0 {
            log.rule(|| "GR-R19".into());
            if before.forbidden >> data.ty & 1 != 0 {
                log.rule(|| "GR-R19a".into());
            }
        }
        if from == From::Compost {
            log.rule(|| "GR-R18".into());
            if data.effect == Effect::Replant && state.picks[player.index()] != 0 {
                log.rule(|| "GR-R18a".into());
            }
        }
    }

    /// GR-R18b: without a legal card in the compost the picks end silently.
    #[inline]
    fn end_picks_without_cards<L: Log<Self>>(&self, state: &mut State, player: Player, log: &mut L) {
        if state.picks[player.index()] != 0 && self.picks_of(state, player) == 0 {
            state.picks[player.index()] = 0;
            log.rule(|| "GR-R18b".into());
        }
    }

    /// One replant pick.
    fn replant<L: Log<Self>>(&self, state: &mut State, player: Player, kind: Kind, log: &mut L) {
        let at = player.index();
        state.acting.remove(player);
        state.composts[at].0[kind.index()] -= 1;
        state.compost_sizes[at] -= 1;
        state.picks[at] -= 1;
        self.place(state, player, kind, From::Compost, log);
        self.end_picks_without_cards(state, player, log);
        self.place_waiting(state, player, log);
    }

    /// Lets the next stopped player choose, or goes on with what follows the placing of cards.
    fn go_on_replanting<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        if let Some(player) = state.replanting() {
            state.acting = Players::one(player);
        } else if state.replaced == state.shippers {
            self.complete(state, log);
        } else {
            self.enter_replace(state, log);
            self.force_replacements(state, log);
        }
    }

    /// GR-R3a step 4: whoever revealed the ship card chooses a replacement.
    pub(super) fn enter_replace<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        state.phase = Phase::Replace;
        state.acting = state.shippers;
        log.rule(|| "GR-R7".into());
    }

    /// One kind offered is no decision ("Decisions and actions" of the rules page).
    pub(super) fn force_replacements<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        for player in state.acting.iter() {
            let kinds = self.replacements_of(state, player);
            if kinds.is_power_of_two() {
                let kind = Kind(kinds.trailing_zeros() as u8);
                state.replacements[player.index()] = kind.code();
                state.acting.remove(player);
                log.forced();
                log.event(state, || Event::ReplacementChosen(player, kind));
            }
        }
    }

    fn place_replacements<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        // The picks of a Replant come before the rows are completed (GR-R18d).
        state.phase = Phase::Replant;
        state.replaced = state.shippers;
        let codes = std::mem::take(&mut state.replacements);
        for player in state.shippers.iter() {
            let kind = Kind::of_code(codes[player.index()]);
            state.hands[player.index()].remove(kind);
            state.secret.0[kind.index()] -= 1;
            let row = &state.rows[player.index()];
            if self.is_legal(row, kind) {
                state.shipped.insert(player);
                if L::LISTENS && row.len == 0 {
                    log.rule(|| "GR-R8".into());
                }
            } else {
                log.rule(|| "GR-R7b".into());
            }
            // What still lies face down would be shown by the state at this point: it is open now.
            self.place(state, player, kind, From::Replacement, log);
        }
    }

    /// GR-R3a step 5: rows leave play, and whoever may claim decides.
    fn complete<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let ending = state.is_ending();
        let closed = if ending { Players::all(self.players) } else { state.shipped };
        state.phase = Phase::Claim;
        let claimants = if ending && !self.claims_at_end { state.shipped } else { closed };
        if ending {
            log.rule(|| "GR-R14".into());
        }
        self.close_rows(state, closed, claimants, log);
    }

    /// Completes the rows of some players (GR-R7, R13, R14) and offers badges to some of these (GR-R9, Q8).
    fn close_rows<L: Log<Self>>(&self, state: &mut State, closed: Players, claimants: Players, log: &mut L) {
        for player in closed.iter() {
            let at = player.index();
            if state.rows[at].len == 0 {
                continue;
            }
            let before = if L::LISTENS { Some(state.rows[at]) } else { None };
            let (from, own_slots, row) =
                (state.completed_len(player), state.own_slots(player), &state.rows[at]);
            let to = (from + row.size()).min(state.completed[at].len());
            state.completed[at][from..to].copy_from_slice(&row.codes()[..to - from]);
            state.ends[at] |= 1 << (to - 1);
            state.row_points[at] += row.score;
            for kind in kinds_in(self.recycles) {
                state.recycles[at] += row.counts.0[kind.index()];
            }
            if claimants.contains(player) {
                state.offers[at] = row.met & !own_slots;
                if state.offers[at] != 0 {
                    state.acting.insert(player);
                }
            }
            state.rows[at] = Row::EMPTY;
            if let Some(row) = before {
                self.log_completed(&row, log);
                log.event(state, || Event::Completed(player, row.score));
            }
        }
    }

    fn log_completed<L: Log<Self>>(&self, row: &Row, log: &mut L) {
        for &code in row.codes() {
            let kind = Kind::of_code(code);
            log.rule(|| format!("shipped {}", self.text(kind).id));
            for icon in self.text(kind).icons.iter().flatten() {
                log.rule(|| format!("icon {icon}"));
            }
            if self.data(kind).effect == Effect::Recycle {
                log.rule(|| "GR-R17".into());
            }
        }
    }

    /// GR-R3a step 6: all claims at once.
    fn resolve_claims<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        for player in Player::all(self.players) {
            let at = player.index();
            let code = std::mem::take(&mut state.claiming[at]);
            state.offers[at] = 0;
            if code == 0 {
                continue;
            }
            if code == DECLINE_CODE {
                log.rule(|| "GR-Q11".into());
                log.event(state, || Event::Declined(player));
                continue;
            }
            let slot = usize::from(code - 1) % SLOTS;
            let value = self.badge_value(state, slot);
            state.claims[at][slot] = value;
            log.rule(|| "GR-R9".into());
            log.rule(|| if state.taken >> slot & 1 != 0 { "GR-R10 low".into() } else { "GR-R10".into() });
            log.rule(|| format!("badge {}", self.badge_text(state.slots[slot]).id));
            let badge = state.slots[slot];
            log.event(state, || Event::Claimed { player, slot: slot as u8, badge, value });
        }
    }

    /// GR-R3a steps 7 to 10.
    fn after_claims<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        if state.is_ending() {
            return self.finish(state, log);
        }
        self.pass(state, log);
        if !state.shipped.is_empty() {
            log.rule(|| "GR-R11".into());
            self.draw_up(state, rng, log);
        }
        if state.hands[0].len != 0 {
            return self.next_turn(state, log);
        }
        // GR-R13: a row is empty only if its owner has just shipped.
        log.rule(|| "GR-R13".into());
        state.phase = Phase::Refill;
        let all = Players::all(self.players);
        self.close_rows(state, all, all, log);
    }

    fn after_refill<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let was_empty = state.pile_size == 0;
        self.draw_up(state, rng, log);
        if was_empty || state.hands[0].len == 0 {
            log.rule(|| "GR-R13a".into());
            return self.finish(state, log);
        }
        self.next_turn(state, log);
    }

    fn finish<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        state.phase = Phase::End;
        log.rule(|| "GR-R15".into());
        log.event(state, || Event::GameOver);
    }

    /// GR-R3a step 8: the hand of a player goes to its left neighbour, who sees it.
    fn pass<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let last = state.hands[self.players - 1];
        for at in (1..self.players).rev() {
            state.hands[at] = state.hands[at - 1];
        }
        state.hands[0] = last;
        for player in Player::all(self.players) {
            state.hands[player.index()].show_to(player);
        }
        log.event(state, || Event::Passed);
    }

    fn next_turn<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        state.turn += 1;
        // Nobody claims in a turn in which no row was completed.
        if !state.shipped.is_empty() || state.phase == Phase::Refill {
            state.taken = state.claimed_slots(self.players);
        }
        state.phase = Phase::Choose;
        (state.shippers, state.replaced, state.shipped) = (Players::EMPTY, Players::EMPTY, Players::EMPTY);
        state.acting = Players::all(self.players);
        log.event(state, || Event::TurnBegan(state.turn));
    }
}
