//! The turn: phases, steps and losses, the queue, windows, the Survey and the end. `effects` has what single effects do.

use super::Graven;
use super::action::Choice;
use super::cards::{Moment, Origin};
use super::legal::{FieldSets, Offer};
use super::state::{Cards, Invoking, MAX_PLAYERS, Meant, NONE, Phase, Stage, State, Timing, bits};
use playmat_core::prelude::*;

/// Words of a set of actions: room for every action that a content can have.
pub const LEGAL_WORDS: usize = 14;
/// Most decisions of one turn. The rules' own bound for the content of the library; what goes on longer, with cards of others, is
/// dropped, and the turn ends.
pub const MAX_TURN_DECISIONS: u16 = 400;

/// What a host would animate. Decisions and passes in windows are no events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields say what they are by their names and types")]
pub enum Event {
    /// A round of BUILD is complete: only its player may learn which card was picked.
    Picked { player: u8, kind: u8 },
    /// A card came from a deck to a hand: only its owner may learn which.
    Drawn { player: u8, kind: u8 },
    /// A turn began.
    TurnBegan { player: u8 },
    /// A Human was played.
    Played { player: u8, kind: u8, line: usize },
    /// A Titan was named for an invocation.
    Named { player: u8, kind: u8, line: usize },
    /// A card was sacrificed.
    Sacrificed { player: u8, kind: u8, line: usize, owner: u8 },
    /// A Titan entered.
    Invoked { player: u8, kind: u8, line: usize },
    /// An effect began.
    Used { player: u8, kind: u8, timing: Timing },
    /// The top of a deck went to the discard pile.
    Milled { player: u8, kind: u8 },
    /// A card went from a hand to the discard pile.
    Discarded { player: u8, kind: u8 },
    /// A card went from a field to its owner's discard pile.
    Destroyed { player: u8, kind: u8, line: usize, owner: u8 },
    /// A card went from a field to its owner's hand or deck.
    Returned { player: u8, kind: u8, line: usize, owner: u8, to_deck: bool },
    /// A card went to the other line of its controller.
    Moved { player: u8, kind: u8, to: usize, owner: u8 },
    /// A card came under the control of another player.
    Taken { player: u8, from: u8, kind: u8, to: usize, owner: u8 },
    /// A Human came back from the discard pile.
    Resurrected { player: u8, kind: u8, line: usize },
    /// A card went from the discard pile to the hand.
    Recovered { player: u8, kind: u8 },
    /// A card was found in a deck and went to the hand; whether it was shown.
    Found { player: u8, kind: u8, shown: bool },
    /// A card went from the discard pile to the deck.
    Recycled { player: u8, kind: u8 },
    /// A hand was shown to all.
    Revealed { player: u8 },
    /// A Survey Score changed for this turn.
    Modified { player: u8, by: i8 },
    /// Extra Human plays.
    Granted { player: u8, plays: i8 },
    /// A Survey loss became smaller.
    Warded { player: u8, by: i8 },
    /// The Survey: scores and losses by player, of those who count.
    Surveyed { scores: [i32; MAX_PLAYERS], losses: [u16; MAX_PLAYERS] },
    /// A player lost.
    Lost { player: u8 },
    /// The game is over; bits of the winners.
    Won { players: u8 },
    /// The limit of turns was reached.
    LimitReached,
}

/// How play goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Somebody must choose, or the episode is over.
    Decide,
    /// Something is left to be done.
    Go,
}

/// The game in one step of the environment: with chance, the listener, and how much was queued in the step.
pub(super) struct Play<'a, L> {
    pub(super) game: &'a Graven,
    pub(super) rng: &'a mut Rng,
    pub(super) log: &'a mut L,
    pub(super) queued: usize,
}

impl<L> std::ops::Deref for Play<'_, L> {
    type Target = Graven;

    #[inline(always)]
    fn deref(&self) -> &Graven {
        self.game
    }
}

/// Applies a legal action and plays on.
#[inline]
pub(super) fn apply<L: Log<Graven>>(
    game: &Graven,
    s: &mut State,
    player: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    let mut play = Play { game, rng, log, queued: 0 };
    if s.phase != Phase::Build {
        s.turn_decisions = s.turn_decisions.saturating_add(1);
    }
    s.legal.clear();
    if play.answer(s, player.0, action) == Flow::Go {
        play.advance_all(s);
    }
}

/// The players who must decide: all who have to pick a card of their deck, or the one of the decision that is due.
#[inline(always)]
pub(super) fn acting(game: &Graven, s: &State) -> Players {
    if s.phase == Phase::Build {
        let waits = |player: &Player| game.builders >> player.0 & 1 != 0 && s.player(player.0).pick == NONE;
        return Player::all(game.players).filter(waits).collect();
    }
    if s.phase.is_over() || s.decider == NONE { Players::EMPTY } else { Players::one(Player(s.decider)) }
}

/// The rules end the game, or the option `max_turns` cuts it off.
#[inline(always)]
pub(super) fn status(_: &Graven, state: &State) -> Status {
    match state.phase {
        Phase::Over => Status::Terminated,
        Phase::Cut => Status::Truncated,
        _ => Status::Running,
    }
}

impl<L: Log<Graven>> Play<'_, L> {
    /// What an answer does at once, and after most answers what follows up to the next decision; [`Play::advance`] does the rest.
    ///
    /// The kind of action comes first: most kinds belong to one phase, which then is not looked at.
    #[inline(never)]
    fn answer(&mut self, s: &mut State, player: u8, action: Action) -> Flow {
        s.decider = NONE;
        let choice = self.choice(action);
        if let Choice::Front(kind) | Choice::Back(kind) = choice {
            // The number of the line without a branch: the processor cannot know which of them a random player chooses.
            return self.play_card(s, kind, usize::from(choice == Choice::Back(kind)));
        }
        match choice {
            Choice::Draw(n) => {
                self.draw_phase(s, n.into());
                return self.after_draw(s);
            }
            Choice::Pass => return self.pass(s, player),
            Choice::Activate(kind) => {
                self.log.rule(|| "GV-R6".into());
                self.activate(s, kind);
            }
            Choice::Hand(kind) => {
                let that = s.window.take().map_or(NONE, |(_, that)| that);
                let timing = if s.phase == Phase::Effect { Timing::Hand } else { Timing::Window };
                self.begin_effect(s, player, (kind, timing), that);
            }
            Choice::Card(kind) if s.phase == Phase::Build => s.player_mut(player).pick = kind,
            Choice::Field(_, line, kind) if s.phase == Phase::Sacrifice => {
                s.meant = Some(Meant { player, line, kind });
            }
            _ => self.answer_effect(s, s.phase, player, choice),
        }
        Flow::Go
    }

    /// PASS.
    #[inline]
    fn pass(&mut self, s: &mut State, player: u8) -> Flow {
        match s.phase {
            Phase::Play => {
                s.stage = Stage::Effect;
                return self.run_effects(s);
            }
            Phase::Effect => {
                self.start_survey(s);
                return self.run_survey(s);
            }
            Phase::Ward => s.ward = self.after(s, player),
            Phase::Window => s.window = None,
            phase => self.answer_effect(s, phase, player, Choice::Pass),
        }
        Flow::Go
    }

    /// A card is played, or a Titan named: mostly nothing is triggered, and T goes on in the Play Phase.
    #[inline(never)]
    fn play_card(&mut self, s: &mut State, kind: u8, line: usize) -> Flow {
        self.put_into_play(s, kind, line);
        if s.invoking.is_some() {
            return self.run_invocation(s);
        }
        if s.queue.is_empty() { self.run_play(s) } else { Flow::Go }
    }

    /// Plays on until somebody must choose or the episode is over: T's next card comes after all that a card triggers (GV-R4a).
    #[inline(always)]
    pub(super) fn go_on(&mut self, s: &mut State) {
        s.legal.clear();
        self.advance_all(s);
    }

    #[inline(always)]
    fn advance_all(&mut self, s: &mut State) {
        while self.advance(s) == Flow::Go {}
    }

    #[inline(always)]
    fn advance(&mut self, s: &mut State) -> Flow {
        if s.phase.is_over() {
            return Flow::Decide;
        }
        if s.effect.is_some() {
            return self.run_effect(s);
        }
        if s.invoking.is_some() {
            return self.run_invocation(s);
        }
        if let Some((player, _)) = s.window {
            self.log.rule(|| "GV-R18a".into());
            return self.put(s, Phase::Window, player, self.options.all_decide);
        }
        if s.stage != Stage::Survey && !s.queue.is_empty() {
            self.next_entry(s);
            return Flow::Go;
        }
        self.run_turn(s)
    }

    /// The stages of the turn. Each calls the next one while nothing comes between, so that the loop over forced moves does not look for effects
    /// and triggers before every stage; after the Effect Phase this loop goes on, so that no number of turns without a decision nests calls.
    ///
    /// Not inlined into that loop: the compiler computed the places of all actions before it, at every step.
    #[inline(never)]
    fn run_turn(&mut self, s: &mut State) -> Flow {
        // Where most effects end. Of all stages in one place the compiler makes an indirect jump, which is mispredicted more often.
        match s.stage {
            Stage::Play => self.run_play(s),
            Stage::Effect => self.run_effects(s),
            _ => self.run_other(s),
        }
    }

    /// [`Play::run_turn`] from the other stages.
    #[inline(never)]
    fn run_other(&mut self, s: &mut State) -> Flow {
        match s.stage {
            Stage::Build => self.build(s),
            Stage::Survey => self.run_survey(s),
            Stage::Settle => self.end_turn(s),
            _ => self.run_draw(s),
        }
    }

    // The three decisions of every turn, without a set of actions where a single answer is forced. Each goes on with the next stage.

    #[inline]
    fn run_draw(&mut self, s: &mut State) -> Flow {
        let numbers = self.draws(s);
        if numbers & numbers.wrapping_sub(1) != 0 {
            s.legal.begin().insert_word(self.at.draw, numbers >> 1);
            return self.wait_for(s, Phase::Draw, s.turn_player);
        }
        self.log.forced();
        self.draw_phase(s, numbers.trailing_zeros() as usize);
        self.after_draw(s)
    }

    /// The Play Phase, unless somebody has lost by the draw.
    #[inline]
    fn after_draw(&mut self, s: &mut State) -> Flow {
        if s.stage == Stage::Play && !s.phase.is_over() { self.run_play(s) } else { Flow::Go }
    }

    #[inline(never)]
    fn run_play(&mut self, s: &mut State) -> Flow {
        let kinds = self.playable(s);
        if kinds != 0 || (self.options.all_decide && !s.player(s.turn_player).hand.is_empty()) {
            self.plays(kinds, s.legal.begin());
            return self.wait_for(s, Phase::Play, s.turn_player);
        }
        self.log.forced();
        s.stage = Stage::Effect;
        self.run_effects(s)
    }

    #[inline(never)]
    fn run_effects(&mut self, s: &mut State) -> Flow {
        let (on_field, in_hand) = (self.usable_on_field(s), self.usable_in_hand(s));
        let holds_cards = !s.player(s.turn_player).hand.is_empty();
        if on_field | in_hand != 0 || (self.options.all_decide && holds_cards) {
            self.uses(on_field, in_hand, s.legal.begin());
            return self.wait_for(s, Phase::Effect, s.turn_player);
        }
        self.log.forced();
        self.start_survey(s);
        Flow::Go
    }

    /// Opens a decision inside an effect or a window.
    pub(super) fn put(&mut self, s: &mut State, phase: Phase, player: u8, always: bool) -> Flow {
        s.phase = phase;
        let offer = self.offered(s, player);
        self.put_offer(s, phase, player, always, offer)
    }

    /// Opens a decision; the engine makes one with a single answer, unless that would reveal something (5.2, 5.3).
    #[inline(never)]
    pub(super) fn put_offer(
        &mut self,
        s: &mut State,
        phase: Phase,
        player: u8,
        always: bool,
        offer: Offer,
    ) -> Flow {
        s.phase = phase;
        let Offer { first, set, pass } = offer;
        if !always {
            assert!(pass || set != 0, "nothing to choose in {phase:?}");
            let several = set & set.wrapping_sub(1) != 0 || (pass && set != 0);
            if !several {
                let only = if pass { self.at.pass } else { first + set.trailing_zeros() as usize };
                return self.forced(s, player, only);
            }
        }
        self.insert_offer(offer, s.legal.begin());
        self.wait_for(s, phase, player)
    }

    /// [`Play::put_offer`] for cards on fields.
    #[inline(never)]
    pub(super) fn put_fields(
        &mut self,
        s: &mut State,
        phase: Phase,
        player: u8,
        (sets, pass): (&FieldSets, bool),
    ) -> Flow {
        s.phase = phase;
        let (mut kinds, mut twice) = (0, 0);
        for set in sets {
            twice |= kinds & set;
            kinds |= set;
        }
        assert!(pass || kinds != 0, "nothing to choose in {phase:?}");
        if (kinds & kinds.wrapping_sub(1)) | twice == 0 && pass != (kinds != 0) {
            let place = sets.iter().position(|&set| set != 0);
            let card = |place| self.at.field(place / 2, place % 2) + kinds.trailing_zeros() as usize;
            return self.forced(s, player, place.map_or(self.at.pass, card));
        }
        self.insert_fields(sets, pass, s.legal.begin());
        self.wait_for(s, phase, player)
    }

    /// Makes a choice with a single answer.
    #[inline]
    fn forced(&mut self, s: &mut State, player: u8, only: usize) -> Flow {
        self.log.forced();
        self.answer(s, player, Action(only as u16))
    }

    /// BUILD: completes a round when the last pick is in; after thirty the game is dealt.
    fn build(&mut self, s: &mut State) -> Flow {
        s.phase = Phase::Build;
        s.decider = NONE;
        let builders = self.builders.into();
        if bits(builders).any(|player| s.player(player).pick == NONE) {
            return Flow::Decide;
        }
        self.log.rule(|| "GV-R1b".into());
        let mut complete = true;
        for player in bits(builders) {
            let own = s.player_mut(player);
            let kind = own.pick;
            own.pick = NONE;
            own.deck.add(kind);
            complete &= own.deck.total() == super::state::DECK;
            self.log.event(s, || Event::Picked { player, kind });
        }
        if complete {
            self.deal_hands(s);
        }
        Flow::Go
    }

    #[inline]
    fn draw_phase(&mut self, s: &mut State, n: usize) {
        self.log.rule(|| if n == 1 { "GV-R3".into() } else { "GV-R3a".into() });
        let player = s.turn_player;
        s.stage = Stage::Play;
        self.draw_some(s, player, n);
        self.settle(s);
    }

    /// A new turn (GV-R5a, R11b, Q7a).
    #[inline]
    pub(super) fn begin_turn(&mut self, s: &mut State, player: u8) {
        s.turn_player = player;
        s.had_turn |= 1 << player;
        s.stage = Stage::Draw;
        s.spent = Cards::EMPTY;
        s.activations = Cards::EMPTY;
        (s.humans, s.extra, s.invoked, s.turn_decisions) = (0, 0, false, 0);
        self.each_player(|player| s.player_mut(player).used &= self.per_game);
        self.log.event(s, || Event::TurnBegan { player });
    }

    /// Puts a Human into play, or names a Titan for an invocation.
    #[inline]
    fn put_into_play(&mut self, s: &mut State, kind: u8, line: usize) {
        let player = s.turn_player;
        if self.restricted(s) {
            self.log.rule(|| "GV-R5".into());
        }
        if self.titan_kinds >> kind & 1 != 0 {
            let own = s.player_mut(player);
            if own.known.count(kind) == 0 {
                own.known.add(kind);
            }
            s.invoking = Some(Invoking { kind, line: line as u8, first: None });
            self.note_visible(s);
            self.log.event(s, || Event::Named { player, kind, line });
            return;
        }
        self.log.rule(|| "GV-R4".into());
        s.player_mut(player).release(kind);
        s.field.add(player, line, player, kind);
        s.humans = s.humans.saturating_add(1);
        self.log.event(s, || Event::Played { player, kind, line });
        // Nobody loses: no deck became smaller and no discard pile larger.
        self.note_visible(s);
        self.entered(s, player, kind, line);
    }

    /// A sacrifice in progress, then the Titan (GV-R4d).
    #[inline]
    fn run_invocation(&mut self, s: &mut State) -> Flow {
        let (t, Some(invoking)) = (s.turn_player, s.invoking) else { return Flow::Go };
        let Some(meant) = s.meant else {
            let sets = self.sacrifice_sets(s, &invoking);
            return self.put_fields(s, Phase::Sacrifice, t, (&sets, false));
        };
        let Some(owner) = self.only_owner(s, meant) else {
            return self.put(s, Phase::Owner, t, false);
        };
        self.sacrifice_of(s, invoking, meant, owner);
        Flow::Go
    }

    /// A card to be sacrificed is known with its owner.
    pub(super) fn sacrifice_of(&mut self, s: &mut State, invoking: Invoking, meant: Meant, owner: u8) {
        s.meant = None;
        let card = (meant.line, meant.kind, owner);
        let whole = self.worth_two(s)[usize::from(meant.line & 1)] >> meant.kind & 1 != 0;
        if invoking.first.is_none() && !whole {
            s.invoking = Some(Invoking { first: Some(card), ..invoking });
            return;
        }
        self.log.rule(|| "GV-R4d".into());
        let t = s.turn_player;
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        for (line, kind, owner) in invoking.first.into_iter().chain([card]) {
            let line = usize::from(line);
            self.leave(s, t, line, owner, kind);
            s.player_mut(owner).discard.add(kind);
            if self.triggers(kind, Origin::line(line)) {
                hits[usize::from(owner & 3)].add(kind);
            }
            if owner != t {
                self.log.rule(|| "GV-R15".into());
            }
            self.log.event(s, || Event::Sacrificed { player: t, kind, line, owner });
        }
        self.settle(s);
        self.discarded(s, &hits);
        if s.phase.is_over() || !s.plays(t) {
            return;
        }
        let (kind, line) = (invoking.kind, usize::from(invoking.line));
        s.invoking = None;
        s.invoked = true;
        s.player_mut(t).release(kind);
        s.field.add(t, line, t, kind);
        self.log.rule(|| "GV-R4c".into());
        self.log.event(s, || Event::Invoked { player: t, kind, line });
        self.note_visible(s);
        self.entered(s, t, kind, line);
    }

    /// Scores and losses, fixed for the phase (GV-R7, R7b).
    #[inline]
    fn start_survey(&mut self, s: &mut State) {
        self.log.rule(|| "GV-R7".into());
        if L::LISTENS {
            for _ in bits((s.in_game & !s.had_turn).into()) {
                self.log.rule(|| "GV-R7c".into());
            }
        }
        let mut scores = [0; MAX_PLAYERS];
        let mut highest = 0;
        self.each_player(|player| {
            let score = if self.takes_part(s, player) { self.survey_score(s, player) } else { 0 };
            scores[usize::from(player & 3)] = score;
            highest = highest.max(score);
        });
        if self.players == 2 {
            // At most one player has a loss: found without a branch, which would be mispredicted.
            let loser = u8::from(scores[1] < scores[0]);
            let gap = highest - scores[usize::from(loser)];
            let loss = (gap - self.wards(s, loser)).clamp(0, i32::from(u16::MAX)) as u16;
            s.player_mut(loser).loss = loss * u16::from((gap > 0) & self.takes_part(s, loser));
        } else {
            for player in 0..self.players as u8 {
                let gap = highest - scores[usize::from(player & 3)];
                if gap > 0 && self.takes_part(s, player) {
                    let loss = (gap - self.wards(s, player)).clamp(0, i32::from(u16::MAX));
                    s.player_mut(player).loss = loss as u16;
                }
            }
        }
        (s.stage, s.ward) = (Stage::Survey, s.turn_player);
        if L::LISTENS {
            self.log_passives(s);
        }
        let losses = s.players.map(|own| own.loss);
        self.log.event(s, || Event::Surveyed { scores, losses });
    }

    /// GV-R18b: the windows of the Survey one after the other, then the losses.
    #[inline(never)]
    fn run_survey(&mut self, s: &mut State) -> Flow {
        while s.ward != NONE && self.someone_may_ward(s) {
            let player = s.ward;
            if s.plays(player)
                && s.player(player).loss > 0
                && self.windows[Moment::SurveyLoss as usize] != 0
                && self.may_answer(s, player, Moment::SurveyLoss, NONE)
            {
                self.log.rule(|| "GV-R18b".into());
                return self.put(s, Phase::Ward, player, true);
            }
            s.ward = self.after(s, player);
        }
        s.ward = NONE;
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        let (first, players) = (s.turn_player, self.players);
        each_from(first, players, |player| {
            let loss = std::mem::take(&mut s.player_mut(player).loss);
            if loss > 0 {
                self.log.rule(|| "GV-R7b".into());
                hits[usize::from(player & 3)] = self.mill_some(s, player, loss.into());
            }
        });
        s.stage = Stage::Settle;
        self.settle(s);
        self.discarded(s, &hits);
        if s.queue.is_empty() && !s.phase.is_over() { self.end_turn(s) } else { Flow::Go }
    }

    /// End Phase, and the next turn (GV-R8, Q5).
    #[inline]
    fn end_turn(&mut self, s: &mut State) -> Flow {
        self.log.rule(|| "GV-R8".into());
        self.each_player(|player| s.player_mut(player).modifier = 0);
        s.turns += 1;
        if s.turns >= self.options.max_turns {
            (s.phase, s.decider) = (Phase::Cut, NONE);
            self.log.event(s, || Event::LimitReached);
            return Flow::Decide;
        }
        let mut next = s.turn_player;
        loop {
            next = self.relative(next, 1);
            if s.plays(next) {
                break;
            }
        }
        self.begin_turn(s, next);
        self.run_draw(s)
    }
}

/// Calls a function for all players, in the order of the rules if `first` is the turn player. Two players have no loop: its end would be
/// mispredicted.
#[inline(always)]
fn each_from(first: u8, players: usize, mut with: impl FnMut(u8)) {
    let count = players as u8;
    let next = |player: u8| if player + 1 < count { player + 1 } else { 0 };
    with(first);
    let mut player = next(first);
    with(player);
    for _ in 2..players {
        player = next(player);
        with(player);
    }
}

impl Graven {
    /// Calls a function for all players, ascending.
    #[inline(always)]
    pub(super) fn each_player(&self, with: impl FnMut(u8)) {
        each_from(0, self.players, with);
    }

    /// Whether a window of the Survey may open: somebody with a loss has a card that answers it, or could have one. Mostly nobody, and the
    /// players need not be asked one by one.
    #[inline(always)]
    fn someone_may_ward(&self, s: &State) -> bool {
        let kinds = self.windows[Moment::SurveyLoss as usize];
        let mut answers = 0;
        self.each_player(|player| {
            let own = s.player(player);
            answers |= own.hand.kinds() & u64::from(own.loss == 0).wrapping_sub(1);
        });
        answers & kinds != 0 || self.options.all_decide
    }

    /// Players in the order of the rules: T first, then clockwise. Play thus does not depend on who is called player 0.
    #[inline]
    pub(super) fn in_order(&self, s: &State) -> impl Iterator<Item = u8> + use<> {
        let first = s.turn_player;
        let players = self.players as u8;
        (first..players).chain(0..first.min(players))
    }

    /// The players of a set, in the order of the rules.
    #[inline]
    pub(super) fn among(&self, s: &State, players: u8) -> impl Iterator<Item = u8> + use<> {
        self.in_order(s).filter(move |player| players >> player & 1 != 0)
    }

    /// Waits for a decision, whose legal actions are in the state, unless the turn has gone on for too long.
    #[inline]
    fn wait_for(&self, s: &mut State, phase: Phase, player: u8) -> Flow {
        if s.turn_decisions >= MAX_TURN_DECISIONS {
            s.legal.clear();
            self.drop_turn(s);
            return Flow::Go;
        }
        (s.phase, s.decider) = (phase, player);
        Flow::Decide
    }

    /// Ends a turn that does not end by itself: with the content of the library none gets here.
    pub(super) fn drop_turn(&self, s: &mut State) {
        s.effect = None;
        s.invoking = None;
        s.meant = None;
        s.window = None;
        s.queue.clear();
        s.ward = NONE;
        for player in &mut s.players {
            player.loss = 0;
        }
        s.stage = Stage::Settle;
    }

    /// The player after this one in the order of the rules; `NONE` after the last.
    fn after(&self, s: &State, player: u8) -> u8 {
        let next = self.relative(player, 1);
        if next == s.turn_player { NONE } else { next }
    }
}
