//! The turn: phases, windows, victory and the end. `effects` has what single cards do.

use super::Rafts;
use super::effects::Effect;
use super::state::{Deck, GoalKind, Kind, LegalCache, Phase, Stage, State};
use playmat_core::prelude::*;

/// Why a card went to the discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another card came to its slot (RA-R4).
    Displaced,
    /// Lost to sabotage (RA-R11a).
    Lost,
    /// Discarded from the hand (option `discard_at_end`).
    Chosen,
}

/// What a host would animate. A pass and a decision are no events (RA-R17e).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields say what they are by their names and types")]
pub enum Event {
    /// A goal was dealt.
    GoalDealt { player: Player, goal: GoalKind },
    /// A turn began.
    TurnBegan(Player),
    /// A card left the hand to be played.
    Played { player: Player, kind: Kind },
    /// A resource came to a table.
    Placed { player: Player, kind: Kind, bench: Option<u8> },
    /// A card left a table or hand for the discards, or as an action for the played actions.
    Discarded { player: Player, kind: Kind, why: Why },
    /// The victim of a sabotage or the partner of an exchange was named.
    Targeted { player: Player, other: Player },
    /// A card left another table to be placed.
    Stolen { player: Player, from: Player, kind: Kind },
    /// A card left the discards to be placed.
    Snatched { player: Player, kind: Kind },
    /// A card left the discards for the hand, or to be placed (option `bioeconomy_to`).
    Recovered { player: Player, kind: Kind },
    /// A shield exempts a player.
    Exempt { player: Player, from: Kind },
    /// Two players swapped goals.
    Exchanged { player: Player, partner: Player, received: GoalKind, given: GoalKind },
    /// A second goal was chosen.
    GoalChosen { player: Player, goal: GoalKind },
    /// A second bench.
    LabExpanded(Player),
    /// A card came from a deck to a hand: only its owner may learn which.
    Drawn { player: Player, deck: Deck, kind: Kind },
    /// The discards of a deck were shuffled into it.
    Renewed(Deck),
    /// Victory with this goal.
    Won { player: Player, goal: GoalKind },
    /// Nobody can do anything any more (RA-R23).
    DeadPosition,
    /// The limit of turns was reached (RA-R24).
    LimitReached,
}

/// How the turn goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Somebody must choose, or the episode is over.
    Decide,
    /// The card being resolved needs a choice, which may be forced.
    Choose,
    /// A play is resolved; whether it put a card into the discards.
    Resolved(bool),
    /// The shield window goes on with this place.
    Shield(u8),
    /// The snatch window goes on with this place.
    Snatch(u8),
    /// Back to the main phase or to the discarding.
    Stage,
    /// The main phase is over.
    MainOver,
    /// The draw phase goes on.
    Draw,
    /// The turn is over.
    TurnOver,
    /// A turn begins.
    Begin,
}

/// The player who must decide.
#[inline(always)]
pub(super) fn acting(_: &Rafts, state: &State) -> Players {
    if state.phase.is_over() { Players::EMPTY } else { Players::one(Player(state.cursor)) }
}

/// The rules end the game, or the option `max_rounds` cuts it off.
#[inline(always)]
pub(super) fn status(_: &Rafts, state: &State) -> Status {
    match state.phase {
        Phase::Won | Phase::Dead => Status::Terminated,
        Phase::Limit => Status::Truncated,
        _ => Status::Running,
    }
}

/// Applies a legal action and plays on.
#[inline]
pub(super) fn apply<L: Log<Rafts>>(
    game: &Rafts,
    state: &mut State,
    player: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    let at = &game.at;
    let a = action.index();
    state.legal = LegalCache::default();
    let next = if a < at.claim {
        match state.phase {
            Phase::Shield => game.play_shield(state, player, Kind(a as u8), log),
            _ => game.play(state, player, Kind(a as u8), log),
        }
    } else if state.phase == Phase::Draw {
        log.rule(|| "RA-R2d".into());
        let deck = Deck::ALL[(a - at.draw).min(2)];
        state.stirred = true;
        game.draw(state, player, deck, rng, log);
        Next::Draw
    } else {
        match state.phase {
            Phase::Main if a == at.claim => game.win(state, log),
            Phase::Main => Next::MainOver,
            Phase::Shield => Next::Shield(game.place(state, player) + 1),
            Phase::Snatch => Next::Snatch(game.place(state, player) + 1),
            Phase::Discard if a == at.pass => Next::Draw,
            _ => game.choose_for_card(state, player, action, log),
        }
    };
    game.go_on(state, next, rng, log);
}

impl Rafts {
    /// Choices of the card being resolved, forced or not, and the rarer ones.
    #[inline]
    pub(super) fn choose_for_card<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        log: &mut L,
    ) -> Next {
        let (at, a) = (&self.at, action.index());
        // What an action means follows from the phase: comparisons with all ranges were branches on a random action.
        match state.phase {
            Phase::Bench => {
                log.rule(|| "RA-R12b".into());
                self.place_chosen(state, player, a - at.bench, log)
            }
            Phase::Target => {
                let (k, _) = at.of_other(a);
                self.target(state, player, player.relative(k, self.players), log)
            }
            Phase::Steal => {
                let (k, place) = at.of_other(a);
                self.steal(state, player, player.relative(k, self.players), place - 1, log)
            }
            Phase::Take => self.recover(state, player, Kind((a - at.take) as u8), log),
            Phase::Discard => self.discard_from_hand(state, player, Kind((a - at.discard) as u8), log),
            Phase::Receive | Phase::Give | Phase::Goal => {
                self.choose_goal(state, player, GoalKind((a - at.goal) as u8), log)
            }
            _ => unreachable!("other phases have other choices"),
        }
    }

    /// Plays on until somebody must choose or the episode is over.
    ///
    /// The stages stand in the order in which they follow each other: a loop over a match of `next` was a jump to a random place for each
    /// (with the draws, two mispredicted branches a step more). What
    /// is not part of most steps is in functions of their own: inlined, what they take from the game is computed at every step.
    #[inline(always)]
    pub(super) fn go_on<L: Log<Self>>(&self, state: &mut State, next: Next, rng: &mut Rng, log: &mut L) {
        let mut next = next;
        if matches!(next, Next::Choose | Next::Shield(_)) {
            next = self.resolve(state, next, log);
        }
        next = self.settle(state, next, rng, log);
        while next != Next::Decide {
            next = self.next_turn(state, next, rng, log);
        }
    }

    /// The choices of a card or the answers to it, until it is resolved or somebody must choose.
    #[inline(never)]
    fn resolve<L: Log<Self>>(&self, state: &mut State, next: Next, log: &mut L) -> Next {
        let mut next = next;
        while next == Next::Choose {
            next = self.force(state, log);
        }
        if let Next::Shield(place) = next { self.offer_shield(state, place, log) } else { next }
    }

    /// From a resolved play to the end of the turn.
    #[inline(always)]
    fn settle<L: Log<Self>>(&self, state: &mut State, next: Next, rng: &mut Rng, log: &mut L) -> Next {
        let mut next = next;
        if let Next::Resolved(discarded) = next {
            next = self.resolved(state, discarded);
        }
        if let Next::Snatch(place) = next {
            next = self.offer_snatch(state, place, log);
        }
        if next == Next::Stage {
            next = self.enter_stage(state, log);
        }
        if next == Next::MainOver {
            next = Next::Draw;
            if self.options.discards {
                state.stage = Stage::Discard;
                return Next::Stage;
            }
        }
        if next == Next::Draw {
            next = self.enter_draw(state, rng, log);
        }
        next
    }

    /// The end of a turn and the next one, up to its first decision or its end; the discarding, too. Without a loop over turns in which nobody
    /// has a choice: what it takes from the game would be computed before it, for the one turn that most calls play.
    #[inline(never)]
    fn next_turn<L: Log<Self>>(&self, state: &mut State, next: Next, rng: &mut Rng, log: &mut L) -> Next {
        let mut next = next;
        if next == Next::TurnOver {
            next = self.end_turn(state, log);
        }
        if next == Next::Begin {
            next = self.begin_turn(state, log);
        }
        self.settle(state, next, rng, log)
    }

    /// The engine makes a single choice of the card being resolved ("Forced moves" of the rules page).
    #[inline(always)]
    fn force<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        let player = Player(state.cursor);
        let mut legal = Bits::default();
        self.legal_of_card(state, player, &mut legal);
        if legal.len() != 1 {
            state.legal = LegalCache(legal);
            return Next::Decide;
        }
        log.forced();
        self.choose_for_card(state, player, legal.select(0), log)
    }

    /// Opens the snatch window that a resolved play causes, a play in a window too (RA-R17b, R17c, RA-Q7b). Choices of a play, draws and a victory
    /// open none (RA-R17f).
    #[inline(always)]
    fn resolved(&self, state: &mut State, discarded: bool) -> Next {
        state.resolving = None;
        let due = discarded || self.options.any_moment;
        if due && state.last.is_some() && self.snatch.is_some() { Next::Snatch(1) } else { Next::Stage }
    }

    /// RA-R17b, R17d: the next eligible player before the turn player.
    #[inline(always)]
    fn offer_snatch<L: Log<Self>>(&self, state: &mut State, from: u8, log: &mut L) -> Next {
        for place in from..self.players as u8 {
            let player = self.after(state, place);
            if self.may_snatch(state, player) {
                (state.phase, state.cursor) = (Phase::Snatch, player.0);
                state.legal = LegalCache(self.legal_in_window(state, player, self.snatch));
                log.rule(|| "RA-R17b".into());
                return Next::Decide;
            }
        }
        Next::Stage
    }

    /// Whether a player decides in a snatch window (RA-R17d).
    #[inline(always)]
    pub(super) fn may_snatch(&self, state: &State, player: Player) -> bool {
        let Some(snatch) = self.snatch else { return false };
        self.may_hold(state, player, snatch) && self.can_snatch(state, player)
    }

    /// RA-R17a: the next eligible player, the turn player last; then the losses.
    #[inline(always)]
    fn offer_shield<L: Log<Self>>(&self, state: &mut State, from: u8, log: &mut L) -> Next {
        for place in from..=self.players as u8 {
            let player = self.after(state, place);
            if self.may_shield(state, player) {
                (state.phase, state.cursor) = (Phase::Shield, player.0);
                state.legal = LegalCache(self.legal_in_window(state, player, self.shield_due(state)));
                log.rule(|| "RA-R17a".into());
                return Next::Decide;
            }
        }
        self.all_lose(state, log)
    }

    /// Whether a player decides in a shield window (RA-R16, R17d).
    #[inline(always)]
    pub(super) fn may_shield(&self, state: &State, player: Player) -> bool {
        let Some(kind) = state.resolving else { return false };
        let Some(Effect::Lose { what, all: true }) = self.effect(kind) else { return false };
        let Some(shield) = self.shields[(kind.index() - self.resources) & 15] else { return false };
        self.may_hold(state, player, shield) && Self::would_lose(state.player(player), what)
    }

    /// Whether a player holds a fast card, or with `windows = "possible"` could hold it by what everybody knows.
    #[inline(always)]
    fn may_hold(&self, state: &State, player: Player, fast: Kind) -> bool {
        let own = state.player(player);
        if self.options.all_decide {
            let action = (fast.index() - self.resources) & 15;
            return own.held[Deck::Actions.index()] > 0 && state.played[action] < self.copies[fast.index()];
        }
        own.holds >> fast.0 & 1 != 0
    }

    /// Back to the main phase, or to the discarding: what was played is finished, windows included (RA-R2a).
    #[inline(always)]
    fn enter_stage<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        let player = state.active();
        state.cursor = player.0;
        let (size, missing) = (state.player(player).hand_size(), state.player(player).missing);
        if state.stage == Stage::Discard {
            if size == 0 {
                return Next::Draw;
            }
            state.phase = Phase::Discard;
            state.legal = LegalCache(self.legal_discards(state, player));
            return Next::Decide;
        }
        // RA-R18, R18c, R18d: at any moment between plays of the own main phase.
        let claims = missing == 0;
        if claims && self.options.auto_claim {
            log.rule(|| "RA-R18d".into());
            return self.win(state, log);
        }
        state.phase = Phase::Main;
        // "Forced moves" of the rules page: END_TURN alone. With cards in hand, the decision reveals nothing under `windows = "possible"`.
        let playable = self.playable(state, player);
        let alone = !claims && if self.options.all_decide { size == 0 } else { playable == 0 };
        if alone {
            log.forced();
            return Next::MainOver;
        }
        state.legal = LegalCache(self.legal_in_main(state, playable));
        Next::Decide
    }

    /// RA-R2, R2f: draws until the hand is full, in whichever turn its cards were played (RA-R2h), or no deck has a card.
    #[inline(always)]
    fn enter_draw<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) -> Next {
        let player = state.active();
        (state.stage, state.cursor) = (Stage::Main, player.0);
        loop {
            let decks = self.drawable(state);
            if decks == 0 {
                if L::LISTENS && state.player(player).hand_size() < super::state::HAND {
                    log.rule(|| "RA-R2f".into());
                }
                return Next::TurnOver;
            }
            if decks & (decks - 1) != 0 {
                state.phase = Phase::Draw;
                state.legal = LegalCache(self.legal_draws(decks));
                return Next::Decide;
            }
            log.forced();
            state.stirred = true;
            self.draw(state, player, Deck::ALL[decks.trailing_zeros() as usize % 3], rng, log);
        }
    }

    /// RA-R23, R24: the end of a turn may be the end of the game; neither end begins another turn.
    #[inline(always)]
    fn end_turn<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        state.quiet = if state.stirred { 0 } else { (state.quiet + 1).min(self.players as u8) };
        state.stirred = false;
        state.turn += 1;
        if usize::from(state.quiet) >= self.players && !self.somebody_has_a_choice(state) {
            state.phase = Phase::Dead;
            log.rule(|| "RA-R23".into());
            log.event(state, || Event::DeadPosition);
            return Next::Decide;
        }
        if state.turn >= self.options.turns {
            state.phase = Phase::Limit;
            log.rule(|| "RA-R24".into());
            log.event(state, || Event::LimitReached);
            return Next::Decide;
        }
        state.turn_player = state.active().relative(1, self.players).0;
        Next::Begin
    }

    /// RA-R23: whether a player had two or more legal actions in the last round, in which no card has moved: what a player can do now it could
    /// do in its own turn. Whoever could snatch in the turn of another can play the card in its own, too.
    #[cold]
    #[inline(never)]
    fn somebody_has_a_choice(&self, state: &State) -> bool {
        Player::all(self.players).any(|player| {
            let own = state.player(player);
            let claims = own.missing == 0 && !self.options.auto_claim;
            let discards = self.options.discards && own.hand_size() > 0;
            claims || discards || self.playable(state, player) != 0
        })
    }

    #[inline(always)]
    fn begin_turn<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        let player = state.active();
        (state.cursor, state.phase, state.stage) = (player.0, Phase::Main, Stage::Main);
        log.rule(|| "RA-R2".into());
        log.event(state, || Event::TurnBegan(player));
        // RA-Q7b: one window at the start of every turn.
        if self.options.any_moment && state.last.is_some() { Next::Snatch(1) } else { Next::Stage }
    }

    /// RA-R18: the turn player is the only winner.
    fn win<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        let player = state.active();
        (state.phase, state.cursor) = (Phase::Won, player.0);
        if L::LISTENS {
            let own = state.player(player);
            let achieved = |goal: &GoalKind| self.missing_for(own, &self.needs[goal.index()]) == 0;
            let goal = Self::goals_of(own).find(achieved).unwrap_or_default();
            log.rule(|| "RA-R18".into());
            log.rule(|| "RA-R18a".into());
            if own.goal_count() > 1 {
                log.rule(|| "RA-R18b".into());
            }
            log.rule(|| format!("goal {}", self.goal(goal).card.id));
            log.event(state, || Event::Won { player, goal });
        }
        Next::Decide
    }
}
