//! The interpreter of effects: costs, steps, decisions inside them (GV-R10, R12, R16, R20).

use super::Graven;
use super::action::Choice;
use super::cards::{By, Cost, Limit, Origin, Step, Target, To, Verb, Who};
use super::legal::Offer;
use super::rules::{Context, Event, Flow};
use super::state::{
    BACK, COST, Entry, FIRST, FRONT, MAX_PLAYERS, MAY, Meant, NONE, Phase, Running, Stage, State, Timing,
    What, bits,
};
use playmat_core::prelude::*;

impl Graven {
    /// T uses a card of the own Back Line (GV-Q7, Q7a).
    pub(super) fn activate<L: Log<Self>>(&self, s: &mut State, kind: u8, cx: &mut Context<'_, L>) {
        let costs = self.cards[usize::from(kind)].ability(Timing::Activate);
        s.activations.add(kind);
        if !costs.is_some_and(|ability| ability.costs().contains(&Cost::DestroySelf)) {
            s.spent.add(kind);
        }
        let t = s.turn_player;
        self.begin_effect(s, t, (kind, Timing::Activate), NONE, cx);
    }

    /// An effect begins: its limit is used up, unless its player may decline; a card in hand pays with itself (GV-R11, R12a).
    pub(super) fn begin_effect<L: Log<Self>>(
        &self,
        s: &mut State,
        player: u8,
        (kind, timing): (u8, Timing),
        that: u8,
        cx: &mut Context<'_, L>,
    ) {
        let may = self.cards[usize::from(kind)].ability(timing).is_some_and(|ability| ability.may);
        s.effect = Some(Running {
            player,
            kind,
            timing,
            stage: if may { MAY } else { COST },
            part: 0,
            left: 0,
            opponent: NONE,
            chooser: NONE,
            that,
            last: NONE,
        });
        if !may {
            self.take_up(s, player, kind, timing, cx);
        }
        if matches!(timing, Timing::Hand | Timing::Window) {
            self.discard(s, player, kind, cx);
        }
    }

    /// The limit of an effect is used up, and the log reports it.
    fn take_up<L: Log<Self>>(
        &self,
        s: &mut State,
        player: u8,
        kind: u8,
        timing: Timing,
        cx: &mut Context<'_, L>,
    ) {
        let card = &self.cards[usize::from(kind)];
        match card.ability(timing).map_or(Limit::None, |ability| ability.limit) {
            Limit::None => {}
            limit => {
                s.player_mut(player).used |= 1 << kind;
                cx.log.rule(|| if limit == Limit::Game { "GV-R11a".into() } else { "GV-R11b".into() });
            }
        }
        cx.log.rule(|| format!("effect {} {}", card.id, timing.name()));
        cx.log.event(s, || Event::Used { player, kind, timing });
    }

    /// The effect in progress up to its next decision, or its end.
    #[inline(never)]
    pub(super) fn run_effect<L: Log<Self>>(&self, s: &mut State, cx: &mut Context<'_, L>) -> Flow {
        let Some(running) = s.effect else { return Flow::Go };
        if let Some(meant) = s.meant {
            let phase = if meant.line == NONE { Phase::Line } else { Phase::Owner };
            return self.put(s, phase, self.chooser(&running), false, cx);
        }
        if running.stage == MAY {
            return self.put(s, Phase::May, running.player, false, cx);
        }
        let Some(ability) = self.cards[usize::from(running.kind)].ability(running.timing) else {
            s.effect = None;
            return Flow::Go;
        };
        if running.stage == COST {
            return match ability.costs().get(usize::from(running.part)) {
                Some(cost) => self.run_cost(s, running, *cost, cx),
                None => {
                    s.effect = Some(Running { stage: FIRST, part: 0, left: 0, ..running });
                    Flow::Go
                }
            };
        }
        match ability.steps().get(usize::from(running.stage - FIRST)) {
            Some(step) => self.run_step(s, running, step, cx),
            None => {
                s.effect = None;
                Flow::Go
            }
        }
    }

    /// Who chooses in the step being resolved.
    #[inline]
    pub(super) fn chooser(&self, running: &Running) -> u8 {
        if running.chooser == NONE { running.player } else { running.chooser }
    }

    fn run_cost<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        cost: Cost,
        cx: &mut Context<'_, L>,
    ) -> Flow {
        let player = running.player;
        match cost {
            Cost::Discard(n) => {
                let hand = s.player(player).hand;
                if hand.is_empty() {
                    s.effect = Some(Running { part: running.part + 1, left: 0, ..running });
                    return Flow::Go;
                }
                if running.left == 0 {
                    s.effect = Some(Running { left: n, ..running });
                }
                let decides = self.options.all_decide && hand.total() > 1;
                self.put_cards(s, player, decides, (hand.kinds(), false), cx)
            }
            Cost::Mill(n) => {
                s.effect = Some(Running { part: running.part + 1, left: 0, ..running });
                self.mill(s, 1 << player, n.into(), cx);
                Flow::Go
            }
            Cost::DestroySelf => {
                s.effect = Some(Running { left: 1, ..running });
                let meant = Meant { player, line: BACK as u8, kind: running.kind };
                s.meant = Some(meant);
                if let Some(owner) = self.only_owner(s, meant) {
                    self.owner_chosen(s, owner, cx);
                }
                Flow::Go
            }
        }
    }

    /// The next step.
    fn step_done(s: &mut State) {
        if let Some(running) = &mut s.effect {
            *running = Running {
                stage: running.stage.saturating_add(1),
                left: 0,
                chooser: NONE,
                last: NONE,
                ..*running
            };
        }
    }

    /// Whom a step is about, as a set of players; `Err` if an opponent must be chosen first or none can be.
    fn whom<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        step: &Step,
        cx: &mut Context<'_, L>,
    ) -> Result<u8, Flow> {
        let own = 1 << running.player;
        match step.who {
            Who::You => Ok(own),
            Who::EachOpponent => Ok(s.in_game & !own),
            Who::EachPlayer => Ok(s.in_game),
            Who::Opponent if running.opponent == NONE => {
                let player = running.player;
                let players = self.affected(s, step, player);
                if players == 0 {
                    Self::step_done(s);
                    return Err(Flow::Go);
                }
                let offer =
                    Offer { first: self.at.player, set: self.places_from(player, players), pass: false };
                Err(self.put_offer(s, Phase::Player, player, false, offer, cx))
            }
            Who::Opponent => Ok(s.in_game & (1 << running.opponent)),
        }
    }

    fn run_step<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        step: &Step,
        cx: &mut Context<'_, L>,
    ) -> Flow {
        let players = match self.whom(s, running, step, cx) {
            Ok(players) => players,
            Err(flow) => return flow,
        };
        let n = step.n.unsigned_abs();
        match step.verb {
            Verb::Draw => {
                Self::step_done(s);
                for player in self.in_order(s).filter(|player| players >> player & 1 != 0) {
                    self.draw_some(s, player, n.into(), cx);
                }
                self.settle(s, cx);
            }
            Verb::Mill => {
                Self::step_done(s);
                self.mill(s, players, n.into(), cx);
            }
            Verb::Discard if step.by == By::Random => {
                Self::step_done(s);
                self.discard_randomly(s, players, n, cx);
            }
            Verb::Discard => return self.choose_discards(s, running, step, players, cx),
            Verb::Reveal => {
                Self::step_done(s);
                for player in self.in_order(s).filter(|player| players >> player & 1 != 0) {
                    s.player_mut(player).known = s.player(player).hand;
                    cx.log.event(s, || Event::Revealed { player });
                }
                self.note_visible(s);
            }
            Verb::Survey => {
                Self::step_done(s);
                for player in self.in_order(s).filter(|player| players >> player & 1 != 0) {
                    let modifier = &mut s.player_mut(player).modifier;
                    *modifier = modifier.saturating_add(step.n.into());
                    cx.log.event(s, || Event::Modified { player, by: step.n });
                }
            }
            Verb::Plays => {
                Self::step_done(s);
                let player = running.player;
                if s.stage == Stage::Play && s.turn_player == player && !self.restricted(s) {
                    s.extra = s.extra.saturating_add(n);
                    cx.log.event(s, || Event::Granted { player, plays: step.n });
                }
            }
            Verb::Ward => {
                Self::step_done(s);
                let player = running.player;
                let loss = &mut s.player_mut(player).loss;
                let by = (*loss).min(n.into()) as i8;
                *loss -= by as u16;
                cx.log.event(s, || Event::Warded { player, by });
            }
            Verb::Destroy if step.held => return self.choose_held(s, running, step, players, cx),
            Verb::Destroy | Verb::Return | Verb::Move | Verb::Control => {
                let sets = self.field_sets(s, step, running.player);
                if sets == [0; 2 * MAX_PLAYERS] {
                    Self::step_done(s);
                    return Flow::Go;
                }
                if running.left == 0 {
                    s.effect = Some(Running { left: n, ..running });
                }
                return self.put_fields(s, Phase::Field, running.player, (&sets, step.up_to), cx);
            }
            Verb::Resurrect | Verb::Recover if step.target != Target::Choose => {
                return self.take_fixed(s, running, step, cx);
            }
            Verb::Resurrect | Verb::Recover | Verb::Search | Verb::Recycle => {
                if running.left == 0 {
                    s.effect = Some(Running { left: n, ..running });
                }
                let search = self.options.all_decide && step.verb == Verb::Search;
                let begun = Running { left: if running.left == 0 { n } else { running.left }, ..running };
                let (kinds, pass) = self.card_choices(s, &begun);
                if kinds == 0 && !search {
                    Self::step_done(s);
                    return Flow::Go;
                }
                return self.put_cards(s, running.player, search, (kinds, pass), cx);
            }
        }
        Flow::Go
    }

    /// The next in the order of the rules who must choose own cards and can.
    fn next_chooser(&self, s: &State, running: Running, step: &Step, players: u8) -> Option<u8> {
        let mut order = self.in_order(s);
        if running.chooser != NONE {
            order.find(|&player| player == running.chooser);
        }
        order.find(|&player| players >> player & 1 != 0 && self.affects(s, step, player))
    }

    /// Makes sure that somebody affected is choosing; `false` if nobody is left.
    fn hold_choice(&self, s: &mut State, running: Running, step: &Step, players: u8) -> bool {
        if running.left > 0 && self.affects(s, step, running.chooser) {
            return true;
        }
        let Some(chooser) = self.next_chooser(s, running, step, players) else {
            Self::step_done(s);
            return false;
        };
        s.effect = Some(Running { chooser, left: step.n.unsigned_abs(), ..running });
        true
    }

    fn choose_discards<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        step: &Step,
        players: u8,
        cx: &mut Context<'_, L>,
    ) -> Flow {
        if step.by == By::You {
            let none = players == 0 || s.player(running.opponent).hand.is_empty();
            if none {
                Self::step_done(s);
                return Flow::Go;
            }
            if running.left == 0 {
                s.effect = Some(Running { left: step.n.unsigned_abs(), ..running });
            }
            let kinds = s.player(running.opponent).hand.kinds();
            return self.put_cards(s, running.player, false, (kinds, false), cx);
        }
        if !self.hold_choice(s, running, step, players) {
            return Flow::Go;
        }
        let chooser = s.effect.map_or(NONE, |running| running.chooser);
        let hand = s.player(chooser).hand;
        let decides = self.options.all_decide && hand.total() > 1;
        self.put_cards(s, chooser, decides, (hand.kinds(), false), cx)
    }

    /// Opens a decision about a kind in a hand, pile or deck.
    fn put_cards<L: Log<Self>>(
        &self,
        s: &mut State,
        player: u8,
        always: bool,
        (set, pass): (u64, bool),
        cx: &mut Context<'_, L>,
    ) -> Flow {
        let offer = Offer { first: self.at.card, set, pass };
        self.put_offer(s, Phase::Card, player, always, offer, cx)
    }

    fn choose_held<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        step: &Step,
        players: u8,
        cx: &mut Context<'_, L>,
    ) -> Flow {
        if !self.hold_choice(s, running, step, players) {
            return Flow::Go;
        }
        let chooser = s.effect.map_or(NONE, |running| running.chooser);
        let sets = self.field_sets(s, step, chooser);
        self.put_fields(s, Phase::Field, chooser, (&sets, step.up_to), cx)
    }

    /// `self` and `that`: no card is chosen.
    fn take_fixed<L: Log<Self>>(
        &self,
        s: &mut State,
        running: Running,
        step: &Step,
        cx: &mut Context<'_, L>,
    ) -> Flow {
        let kind = if step.target == Target::That { running.that } else { running.kind };
        if kind == NONE || (s.player(running.player).discard.kinds() & step.kinds) >> (kind & 63) & 1 == 0 {
            Self::step_done(s);
            return Flow::Go;
        }
        s.effect = Some(Running { left: 1, ..running });
        self.card_chosen(s, kind, cx);
        Flow::Go
    }

    /// Answers to the decisions of effects.
    pub(super) fn answer_effect<L: Log<Self>>(
        &self,
        s: &mut State,
        phase: Phase,
        player: u8,
        choice: Choice,
        cx: &mut Context<'_, L>,
    ) {
        let Some(running) = s.effect else {
            // The owner of a card that is sacrificed.
            if let (Some(invoking), Some(meant), Choice::Player(j)) = (s.invoking, s.meant, choice) {
                cx.log.rule(|| "GV-Q19".into());
                self.sacrifice_of(s, invoking, meant, self.relative(player, j.into()), cx);
            }
            return;
        };
        match (phase, choice) {
            (Phase::May, Choice::Yes) => {
                s.effect = Some(Running { stage: COST, ..running });
                self.take_up(s, player, running.kind, running.timing, cx);
            }
            (Phase::May, _) => s.effect = None,
            (_, Choice::Pass) => Self::step_done(s),
            (Phase::Player, Choice::Player(j)) => {
                s.effect = Some(Running { opponent: self.relative(player, j.into()), ..running });
            }
            (Phase::Owner, Choice::Player(j)) => {
                cx.log.rule(|| "GV-Q19".into());
                self.owner_chosen(s, self.relative(player, j.into()), cx);
            }
            (_, Choice::Field(j, line, kind)) => {
                let meant = Meant { player: self.relative(player, j.into()), line, kind };
                s.meant = Some(meant);
                if let Some(owner) = self.only_owner(s, meant) {
                    self.owner_chosen(s, owner, cx);
                }
            }
            (_, Choice::Card(kind)) => self.card_chosen(s, kind, cx),
            (_, Choice::Line(line)) => {
                if let Some(meant) = s.meant.take() {
                    self.resurrect(s, meant.kind, line.into(), cx);
                }
            }
            _ => unreachable!("{choice:?} is no answer to {phase:?}"),
        }
    }

    /// One card of this step is done: the next card, the next to choose, or the next step.
    fn picked(&self, s: &mut State) {
        let Some(running) = &mut s.effect else { return };
        running.left = running.left.saturating_sub(1);
        if running.left > 0 {
            return;
        }
        if running.stage == COST {
            running.part += 1;
        } else if running.chooser == NONE {
            Self::step_done(s);
        }
    }

    /// A kind in a hand, pile or deck was chosen.
    fn card_chosen<L: Log<Self>>(&self, s: &mut State, kind: u8, cx: &mut Context<'_, L>) {
        let Some(running) = s.effect else { return };
        let player = running.player;
        if running.stage == COST {
            self.picked(s);
            self.discard(s, player, kind, cx);
            return;
        }
        let Some(step) = self.step_of(&running) else { return };
        match step.verb {
            Verb::Discard => {
                let whose = if step.by == By::You { running.opponent } else { running.chooser };
                self.picked(s);
                self.discard(s, whose, kind, cx);
            }
            Verb::Resurrect => match step.lines {
                0b01 => self.resurrect(s, kind, FRONT, cx),
                0b10 => self.resurrect(s, kind, BACK, cx),
                _ => s.meant = Some(Meant { player: NONE, line: NONE, kind }),
            },
            Verb::Recover => {
                self.picked(s);
                let own = s.player_mut(player);
                own.discard.remove(kind);
                own.receive(kind);
                cx.log.event(s, || Event::Recovered { player, kind });
                self.settle(s, cx);
            }
            Verb::Search => {
                cx.log.rule(|| "GV-R13".into());
                self.picked(s);
                let (shown, own) = (self.options.shows_search, s.player_mut(player));
                own.deck.remove(kind);
                own.hand.add(kind);
                if shown {
                    own.known.add(kind);
                }
                cx.log.event(s, || Event::Found { player, kind, shown });
                self.settle(s, cx);
            }
            _ => {
                if let Some(running) = &mut s.effect {
                    running.last = kind;
                }
                self.picked(s);
                let own = s.player_mut(player);
                own.discard.remove(kind);
                own.deck.add(kind);
                cx.log.event(s, || Event::Recycled { player, kind });
                self.settle(s, cx);
            }
        }
    }

    /// A Human comes back from the own discard pile: a step.
    fn resurrect<L: Log<Self>>(&self, s: &mut State, kind: u8, line: usize, cx: &mut Context<'_, L>) {
        let Some(running) = s.effect else { return };
        let player = running.player;
        self.picked(s);
        s.player_mut(player).discard.remove(kind);
        s.field.add(player, line, player, kind);
        cx.log.event(s, || Event::Resurrected { player, kind, line });
        self.settle(s, cx);
        self.entered(s, player, kind, line, cx);
    }

    /// A card on a field was chosen, and whose it is: a step. Moving and taking control neither play nor destroy it (GV-R10a).
    fn owner_chosen<L: Log<Self>>(&self, s: &mut State, owner: u8, cx: &mut Context<'_, L>) {
        let (Some(running), Some(meant)) = (s.effect, s.meant.take()) else { return };
        let (from, line, kind) = (meant.player, usize::from(meant.line & 1), meant.kind);
        self.picked(s);
        if owner != from {
            cx.log.rule(|| "GV-R15".into());
        }
        if running.stage == COST {
            // GV-Q7a: the copy that is used up this way is an unspent one.
            s.field.remove(from, line, owner, kind);
            return self.destroyed(s, running.player, (from, line, kind, owner), cx);
        }
        let Some(step) = self.step_of(&running) else { return };
        self.leave(s, from, line, owner, kind);
        match step.verb {
            Verb::Destroy => return self.destroyed(s, running.player, (from, line, kind, owner), cx),
            Verb::Return => {
                let to_deck = step.to == To::Deck;
                let own = s.player_mut(owner);
                if to_deck {
                    own.deck.add(kind);
                } else {
                    own.receive(kind);
                }
                cx.log.event(s, || Event::Returned { player: from, kind, line, owner, to_deck });
            }
            Verb::Move => {
                s.field.add(from, 1 - line, owner, kind);
                cx.log.event(s, || Event::Moved { player: from, kind, to: 1 - line, owner });
            }
            _ => {
                let to = match step.to {
                    To::Front => FRONT,
                    To::Back => BACK,
                    _ => line,
                };
                let player = running.player;
                s.field.add(player, to, owner, kind);
                cx.log.event(s, || Event::Taken { player, from, kind, to, owner });
            }
        }
        self.settle(s, cx);
    }

    /// A card has left a field for its owner's discard pile by an effect of `by` (GV-R10, R15, R15a, R18a).
    fn destroyed<L: Log<Self>>(
        &self,
        s: &mut State,
        by: u8,
        (player, line, kind, owner): (u8, usize, u8, u8),
        cx: &mut Context<'_, L>,
    ) {
        s.player_mut(owner).discard.add(kind);
        cx.log.event(s, || Event::Destroyed { player, kind, line, owner });
        self.settle(s, cx);
        if self.triggers(kind, Origin::line(line)) {
            self.enqueue(s, Entry { player: owner, kind, what: What::Discarded }, cx);
        }
        let answered = owner == player && owner != by && self.human_kinds >> kind & 1 != 0;
        if answered && self.windows[super::cards::Moment::Destroyed as usize] != 0 {
            self.enqueue(s, Entry { player: owner, kind, what: What::Destroyed }, cx);
        }
    }

    /// Players of a set, for those who read states.
    pub(super) fn players_of(set: u8) -> Vec<u8> {
        bits(set.into()).collect()
    }
}
