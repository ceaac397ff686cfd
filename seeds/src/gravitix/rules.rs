//! The turn: who decides, the effect of a choice, what follows without a choice, the end.

use super::Gravitix;
use super::action::Choice;
use super::legal::legal;
use super::map::{Cell, SLOTS};
use super::state::{Ability, MARKERS, Pair, Payment, Pending, Phase, Resource, State, kinds_in, size};
use playmat_core::counts::nth;
use playmat_core::prelude::*;

/// All slots.
pub(super) const ALL_SLOTS: u16 = (1 << SLOTS) - 1;

/// What a host would animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A ship was placed on its start.
    Placed(Player, Cell),
    /// A card was played, and how far the ship may go with it.
    Sailed {
        /// Whose.
        player: Player,
        /// The card.
        kind: u8,
        /// Steps at most.
        range: u8,
    },
    /// A ship moved.
    Moved(Player, Cell, Cell),
    /// A card was drawn: its kind is for its owner.
    Drew(Player, u8),
    /// A supply began.
    SupplyBegan {
        /// Whose.
        player: Player,
        /// The island's slot.
        slot: u8,
        /// Whether doubled.
        doubled: bool,
    },
    /// A unit of discount.
    Discounted(Player, Resource),
    /// +1/-1 was used.
    Shifted(Player, Pair),
    /// Exchange was announced.
    Exchanged(Player, Pair),
    /// A +2 island was given up.
    GivenUp(Player, u8),
    /// A card was paid.
    Paid(Player, u8),
    /// An island was supplied.
    Claimed {
        /// Whose it is now.
        player: Player,
        /// Its slot.
        slot: u8,
        /// Whether two markers lie on it.
        doubled: bool,
    },
    /// A card was discarded for Swap or -1 card.
    Discarded(Player, u8),
    /// The wind moved a ship.
    Blown(Player, Cell, Cell),
    /// The score of a player changed.
    ScoreChanged {
        /// Whose.
        player: Player,
        /// Before.
        from: i32,
        /// Now.
        to: i32,
    },
    /// A player's turn began.
    TurnBegan(Player),
    /// The game is over.
    GameOver,
}

/// The player who must decide.
#[inline(always)]
pub(super) fn acting(_: &Gravitix, state: &State) -> Players {
    state.actor().map_or(Players::EMPTY, Players::one)
}

/// The game ends by its rules alone.
#[inline(always)]
pub(super) fn status(_: &Gravitix, state: &State) -> Status {
    if state.phase == Phase::End { Status::Terminated } else { Status::Running }
}

/// Applies a legal action and plays on until somebody must choose or the game is over.
#[inline]
pub(super) fn apply<L: Log<Gravitix>>(
    game: &Gravitix,
    state: &mut State,
    _: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    game.choose(state, game.choice(action), rng, log);
    game.play_on(state, rng, log);
}

impl Gravitix {
    /// The other player; the same with one player.
    #[inline(always)]
    pub(super) fn opponent(&self, player: Player) -> Player {
        if self.players == 1 { player } else { Player(1 - (player.0 & 1)) }
    }

    /// Executes what has one legal action until somebody must choose or the game is over (section "Forced moves"). Whether a
    /// supply is possible shows cards of the hand, so it is never forced: it can be declined.
    #[inline(always)]
    pub(super) fn play_on<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        while let Some(choice) = self.forced(state) {
            log.forced();
            self.choose(state, choice, rng, log);
        }
    }

    /// The only legal choice, if there is but one.
    #[inline(always)]
    fn forced(&self, state: &State) -> Option<Choice> {
        let player = state.turn.index() & 1;
        let several = match state.phase {
            Phase::Turn => {
                let kinds = kinds_in(&state.hands[player]);
                kinds & kinds.wrapping_sub(1) != 0 || (kinds != 0 && self.may_take(state, state.turn))
            }
            // Three cells or more lie within two steps of any cell, and the other ship is on one of them at most.
            Phase::Move => state.range > 1 || self.reach(state, state.range).len() > 1,
            Phase::Supply | Phase::End => true,
            _ => false,
        };
        if several { None } else { self.only_choice(state) }
    }

    /// The same for phases without a shortcut.
    ///
    /// A function of its own: inlined into the loop of [`Self::play_on`], what it takes from the game is computed before the loop.
    #[inline(never)]
    fn only_choice(&self, state: &State) -> Option<Choice> {
        let legal = legal(self, state, state.turn);
        (legal.len() == 1).then(|| self.choice(legal.select(0)))
    }

    /// Does what a legal choice of the acting player says.
    #[inline(always)]
    pub(super) fn choose<L: Log<Self>>(&self, state: &mut State, choice: Choice, rng: &mut Rng, log: &mut L) {
        match (state.phase, choice) {
            (Phase::Turn, Choice::Sail(kind)) => self.sail(state, kind, log),
            (Phase::Turn, _) => self.take(state, rng, log),
            (Phase::Move, Choice::Go(cell)) => self.land(state, cell, log),
            _ => self.choose_rarely(state, choice, rng, log),
        }
    }

    fn choose_rarely<L: Log<Self>>(&self, state: &mut State, choice: Choice, rng: &mut Rng, log: &mut L) {
        match (state.phase, choice) {
            (Phase::Start, Choice::Go(cell)) => self.place(state, cell, log),
            (Phase::Supply, Choice::Decline) => {
                log.rule(|| "GX-Q25".into());
                self.end_turn(state, log);
            }
            (Phase::Supply, choice) => self.begin_supply(state, choice == Choice::Double, rng, log),
            (Phase::Discount, Choice::Minus(resource)) => self.minus(state, resource, rng, log),
            (Phase::Pay, choice) => self.pay(state, choice, rng, log),
            (Phase::Lose, Choice::Discard(kind)) => {
                let player = self.opponent(state.turn);
                self.discard(state, player, kind, log);
                self.end_turn(state, log);
            }
            (Phase::Swap, Choice::Discard(kind)) => self.swap(state, kind, rng, log),
            (Phase::Wind, Choice::Go(cell)) => {
                let player = self.opponent(state.turn);
                let from = std::mem::replace(&mut state.ships[player.index()], cell);
                log.event(state, || Event::Blown(player, from, cell));
                log.rule(|| "GX-R19a".into());
                self.end_turn(state, log);
            }
            _ => self.end_turn(state, log),
        }
    }

    /// GX-R3: ships start one after the other; then the first player's turn begins.
    fn place<L: Log<Self>>(&self, state: &mut State, cell: Cell, log: &mut L) {
        let player = state.turn;
        state.ships[player.index()] = cell;
        log.event(state, || Event::Placed(player, cell));
        log.rule(|| "GX-R3".into());
        let other = self.opponent(player);
        if state.ships[other.index()].is_some() {
            self.end_turn(state, log);
        } else {
            state.turn = other;
        }
    }

    /// GX-R5: the card goes out of the game.
    #[inline(always)]
    fn sail<L: Log<Self>>(&self, state: &mut State, kind: u8, log: &mut L) {
        let (player, i) = (state.turn, state.turn.index() & 1);
        state.hands[i][usize::from(kind)] -= 1;
        state.discards[i][usize::from(kind)] += 1;
        state.sailed[i] += 1;
        let doubled = self.doubles_sail(state, player);
        state.range = self.kinds[usize::from(kind)].sail << u8::from(doubled);
        state.phase = Phase::Move;
        let range = state.range;
        log.event(state, || Event::Sailed { player, kind, range });
        if L::LISTENS {
            log.rule(|| "GX-R5".into());
            log.rule(|| if doubled { "GX-R16".into() } else { "GX-R5a".into() });
            log.rule(|| format!("card {}", self.kinds[usize::from(kind)].id));
        }
    }

    /// GX-R16, R16a: whether a move of this player starts on an own island that doubles it.
    #[inline(always)]
    pub(super) fn doubles_sail(&self, state: &State, player: Player) -> bool {
        let own = state.owned[player.index() & 1];
        own != 0 && self.has_ability[Ability::DoubleSail as usize] && {
            let here = state.slot_at(state.ships[player.index() & 1]);
            here.is_some_and(|slot| (own & self.having(state, Ability::DoubleSail)) >> slot & 1 != 0)
        }
    }

    /// GX-R7: the top two cards, or one if only one is left.
    #[inline(always)]
    fn take<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        log.rule(|| "GX-R7".into());
        self.draw(state, state.turn, 2, rng, log);
        self.end_turn(state, log);
    }

    /// Draws `count` cards, or all that are left (GX-Q14).
    #[inline(always)]
    pub(super) fn draw<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        count: u8,
        rng: &mut Rng,
        log: &mut L,
    ) {
        let i = player.index() & 1;
        let there = size(&state.decks[i]);
        if L::LISTENS && there < u32::from(count) {
            log.rule(|| "GX-Q14".into());
        }
        for drawn in 0..u32::from(count).min(there) {
            let kind = nth(&state.decks[i], 0, rng.below(there - drawn));
            state.decks[i][usize::from(kind)] -= 1;
            state.hands[i][usize::from(kind)] += 1;
            log.chance();
            log.event(state, || Event::Drew(player, kind));
        }
    }

    /// GX-R6: where the move ends the island may be supplied, if that can be done.
    #[inline(always)]
    fn land<L: Log<Self>>(&self, state: &mut State, cell: Cell, log: &mut L) {
        let (player, i) = (state.turn, state.turn.index() & 1);
        let from = std::mem::replace(&mut state.ships[i], cell);
        state.range = 0;
        log.event(state, || Event::Moved(player, from, cell));
        if L::LISTENS && from == cell {
            log.rule(|| "GX-Q2".into());
        }
        let island = state.slot_at(cell).filter(|slot| state.marked() >> slot & 1 == 0);
        match island {
            Some(slot) if self.can_supply(state, player, slot, false, &state.hands[i]) => {
                state.phase = Phase::Supply;
                log.rule(|| "GX-R6b".into());
            }
            _ => self.end_turn(state, log),
        }
    }

    /// The payment begins: the pending effect is spent (GX-R6c, R6i).
    fn begin_supply<L: Log<Self>>(&self, state: &mut State, doubled: bool, rng: &mut Rng, log: &mut L) {
        let (player, i) = (state.turn, state.turn.index() & 1);
        let Some(slot) = state.slot_at(state.ships[i]) else { return };
        state.payment = self.begin_payment(state, player, slot, doubled);
        let spent = std::mem::take(&mut state.pending[i]);
        state.phase = Phase::Discount;
        log.event(state, || Event::SupplyBegan { player, slot: slot as u8, doubled });
        if L::LISTENS {
            log.rule(|| "GX-R6".into());
            match spent {
                Pending::MinusOne => log.rule(|| "GX-R13".into()),
                Pending::MinusTwo => log.rule(|| "GX-R14".into()),
                Pending::Double if doubled => {
                    log.rule(|| "GX-R20".into());
                    log.rule(|| "GX-R20a".into());
                }
                Pending::Double => log.rule(|| "GX-Q10".into()),
                Pending::None => {}
            }
            if self.count(state, player, Ability::MinusOne) > 0 {
                log.rule(|| "GX-R11".into());
            }
        }
        self.go_on_paying(state, rng, log);
    }

    /// A unit of discount (GX-R6c).
    fn minus<L: Log<Self>>(&self, state: &mut State, resource: Resource, rng: &mut Rng, log: &mut L) {
        let player = state.turn;
        state.payment = state.payment.discount(resource.index());
        log.event(state, || Event::Discounted(player, resource));
        log.rule(|| "GX-R6c".into());
        self.go_on_paying(state, rng, log);
    }

    /// What comes after a step of a payment (GX-R6c to R6f).
    fn go_on_paying<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let payment = &state.payment;
        if payment.is_paid() {
            if !payment.started {
                log.rule(|| "GX-Q12".into());
            }
            self.claim(state, rng, log);
        } else if payment.unnamed() == 0 {
            state.phase = Phase::Pay;
        }
    }

    /// Swaps, sacrifices and cards (GX-R6d, R6e).
    fn pay<L: Log<Self>>(&self, state: &mut State, choice: Choice, rng: &mut Rng, log: &mut L) {
        let (player, i) = (state.turn, state.turn.index() & 1);
        match choice {
            Choice::Shift(pair) => {
                state.payment = state.payment.shift(pair);
                log.event(state, || Event::Shifted(player, pair));
                log.rule(|| "GX-R15".into());
            }
            Choice::Sacrifice(slot) => {
                let before = self.points_before::<L>(state);
                state.owned[i] &= !(1 << slot);
                state.doubled &= !(1 << slot);
                state.payment = state.payment.give_up();
                log.event(state, || Event::GivenUp(player, slot));
                log.rule(|| "GX-R12".into());
                self.log_points(state, before, log);
            }
            Choice::Exchange(pair) => {
                state.payment = state.payment.announce(pair);
                log.event(state, || Event::Exchanged(player, pair));
                log.rule(|| "GX-R10".into());
            }
            Choice::Pay(kind) => self.pay_card(state, kind, log),
            _ => {}
        }
        self.go_on_paying(state, rng, log);
    }

    /// GX-R6e: what exceeds the demand is lost.
    fn pay_card<L: Log<Self>>(&self, state: &mut State, kind: u8, log: &mut L) {
        let (player, i, kind) = (state.turn, state.turn.index() & 1, usize::from(kind));
        state.payment = state.payment.pay(self.kinds[kind].values);
        state.hands[i][kind] -= 1;
        state.discards[i][kind] += 1;
        log.event(state, || Event::Paid(player, kind as u8));
        log.rule(|| "GX-R6e".into());
        log.rule(|| format!("card {}", self.kinds[kind].id));
    }

    /// GX-R6g: marker, end, cards, the ability that works once, end of the turn.
    fn claim<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let (player, i) = (state.turn, state.turn.index() & 1);
        let Payment { slot, doubled, .. } = state.payment;
        let before = self.points_before::<L>(state);
        let face = self.face(state, slot.into());
        state.payment = Payment::NONE;
        state.owned[i] |= 1 << slot;
        state.doubled |= u16::from(doubled) << slot;
        let effect = Pending::set_by(face.ability);
        // GX-R21a: there are no points to double in the puzzle.
        state.pending[i] =
            if self.players == 1 && effect == Pending::Double { Pending::None } else { effect };
        log.event(state, || Event::Claimed { player, slot, doubled });
        self.log_points(state, before, log);
        log.rule(|| "GX-R6g".into());
        log.rule(|| format!("face {}", face.id));
        // GX-R8a: before cards and ability.
        if state.marked() == ALL_SLOTS || state.markers(player) >= MARKERS {
            log.rule(|| if state.marked() == ALL_SLOTS { "GX-R8".into() } else { "GX-Q17".into() });
            self.finish_game(state, log);
            return;
        }
        self.draw(state, player, face.cards, rng, log);
        match face.ability {
            Some(Ability::LoseCard) if self.players == 2 => {
                log.rule(|| "GX-R17".into());
                // GX-R17a: the other player chooses the card; without cards nothing happens.
                if size(&state.hands[self.opponent(player).index()]) > 0 {
                    state.phase = Phase::Lose;
                    return;
                }
            }
            Some(Ability::SwapTwo) if size(&state.hands[i]) >= 2 && size(&state.decks[i]) > 0 => {
                log.rule(|| "GX-R18".into());
                state.phase = Phase::Swap;
                state.swap_left = 2;
                return;
            }
            Some(Ability::Wind) if self.players == 2 => {
                log.rule(|| "GX-R19".into());
                state.phase = Phase::Wind;
                return;
            }
            _ => {}
        }
        self.end_turn(state, log);
    }

    fn discard<L: Log<Self>>(&self, state: &mut State, player: Player, kind: u8, log: &mut L) {
        state.hands[player.index()][usize::from(kind)] -= 1;
        state.discards[player.index()][usize::from(kind)] += 1;
        log.event(state, || Event::Discarded(player, kind));
    }

    /// GX-R18a: two cards out, then two drawn.
    fn swap<L: Log<Self>>(&self, state: &mut State, kind: u8, rng: &mut Rng, log: &mut L) {
        state.swap_left -= 1;
        self.discard(state, state.turn, kind, log);
        if state.swap_left == 0 {
            log.rule(|| "GX-R18a".into());
            self.draw(state, state.turn, 2, rng, log);
            self.end_turn(state, log);
        }
    }

    /// GX-R4, R4a, R8: the other player's turn, or the same one's again, or the end.
    #[inline(always)]
    pub(super) fn end_turn<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        state.swap_left = 0;
        let other = self.opponent(state.turn);
        if self.has_turn(state, other) {
            state.turn = other;
        } else if !self.has_turn(state, state.turn) {
            log.rule(|| "GX-Q13".into());
            self.finish_game(state, log);
            return;
        } else {
            log.rule(|| "GX-R4a".into());
        }
        state.phase = Phase::Turn;
        let player = state.turn;
        log.event(state, || Event::TurnBegan(player));
    }

    fn finish_game<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let before = self.points_before::<L>(state);
        state.phase = Phase::End;
        // The puzzle's bonus comes with its end.
        self.log_points(state, before, log);
        log.rule(|| "GX-R9".into());
        log.event(state, || Event::GameOver);
    }

    fn points_before<L: Log<Self>>(&self, state: &State) -> Scores {
        if L::LISTENS { self.scores(state) } else { Scores::default() }
    }

    fn log_points<L: Log<Self>>(&self, state: &State, before: Scores, log: &mut L) {
        if !L::LISTENS {
            return;
        }
        let now = self.scores(state);
        for player in Player::all(self.players) {
            let (from, to) = (before[player.index()], now[player.index()]);
            if from != to {
                log.event(state, || Event::ScoreChanged { player, from, to });
            }
        }
    }
}
