//! The interpreter of effects: costs, steps, decisions inside them (GV-R10, R12, R16, R20).

use super::Graven;
use super::action::Choice;
use super::cards::{By, Cost, Origin, Step, Target, To, Verb, Who};
use super::legal::Offer;
use super::rules::{Event, Flow, Play};
use super::state::{
    BACK, COST, Entry, FIRST, FRONT, MAX_PLAYERS, MAY, Meant, NONE, Phase, Running, Stage, State, Timing,
    What,
};
use playmat_core::prelude::*;

impl<L: Log<Graven>> Play<'_, L> {
    /// T uses a card of the own Back Line (GV-Q7, Q7a).
    pub(super) fn activate(&mut self, s: &mut State, kind: u8) {
        let costs = self.ability(kind, Timing::Activate);
        s.activations.add(kind);
        if !costs.is_some_and(|ability| ability.costs.contains(&Cost::DestroySelf)) {
            s.spent.add(kind);
        }
        let t = s.turn_player;
        self.begin_effect(s, t, (kind, Timing::Activate), NONE);
    }

    /// An effect begins: its limit is used up, unless its player may decline; a card in hand pays with itself (GV-R11, R12a).
    pub(super) fn begin_effect(&mut self, s: &mut State, player: u8, (kind, timing): (u8, Timing), that: u8) {
        let may = self.ability(kind, timing).is_some_and(|ability| ability.may);
        let stage = if may { MAY } else { COST };
        s.effect = Some(Running { player, kind, timing, stage, that, ..Running::NONE });
        if !may {
            self.take_up(s, player, kind, timing);
        }
        if matches!(timing, Timing::Hand | Timing::Window) {
            self.discard(s, player, kind);
        }
    }

    /// The limit of an effect is used up, and the log reports it.
    fn take_up(&mut self, s: &mut State, player: u8, kind: u8, timing: Timing) {
        if self.limited[timing as usize] >> kind & 1 != 0 {
            s.player_mut(player).used |= 1 << kind;
            let for_game = self.per_game >> kind & 1 != 0;
            self.log.rule(|| if for_game { "GV-R11a".into() } else { "GV-R11b".into() });
        }
        let game = self.game;
        self.log.rule(|| format!("effect {} {}", game.card(kind).id, timing.name()));
        self.log.event(s, || Event::Used { player, kind, timing });
    }

    /// The effect in progress up to its next decision, or its end.
    #[inline(never)]
    pub(super) fn run_effect(&mut self, s: &mut State) -> Flow {
        let Some(mut running) = s.effect else { return Flow::Go };
        if let Some(meant) = s.meant {
            let phase = if meant.line == NONE { Phase::Line } else { Phase::Owner };
            return self.put(s, phase, self.chooser(&running), false);
        }
        if running.stage == MAY {
            return self.put(s, Phase::May, running.player, false);
        }
        if running.stage == COST {
            if let Some(cost) = self.cost_of(&running) {
                return self.run_cost(s, running, cost);
            }
            running = Running { stage: FIRST, part: 0, left: 0, ..running };
            s.effect = Some(running);
        }
        let mut flow = Flow::Go;
        if let Some(step) = self.game.step_of(&running) {
            flow = self.run_step(s, running, step);
        }
        // In the same call: most effects have one step.
        if flow == Flow::Go && s.meant.is_none() && s.effect.is_some_and(|running| self.is_done(&running)) {
            s.effect = None;
        }
        flow
    }

    /// Whether all steps of an effect are done.
    #[inline]
    fn is_done(&self, running: &Running) -> bool {
        running.stage >= FIRST && self.step_of(running).is_none()
    }

    fn run_cost(&mut self, s: &mut State, running: Running, cost: Cost) -> Flow {
        let player = running.player;
        match cost {
            Cost::Discard(n) => {
                if s.player(player).hand.is_empty() {
                    s.effect = Some(Running { part: running.part + 1, left: 0, ..running });
                    return Flow::Go;
                }
                s.begin_choice(n);
                self.put_hand(s, player)
            }
            Cost::Mill(n) => {
                s.effect = Some(Running { part: running.part + 1, left: 0, ..running });
                self.mill(s, 1 << player, n.into());
                Flow::Go
            }
            Cost::DestroySelf => {
                s.effect = Some(Running { left: 1, ..running });
                let meant = Meant { player, line: BACK as u8, kind: running.kind };
                s.meant = Some(meant);
                if let Some(owner) = self.only_owner(s, meant) {
                    self.owner_chosen(s, owner);
                }
                Flow::Go
            }
        }
    }

    /// Whom a step is about, as a set of players; `Err` if an opponent must be chosen first or none can be.
    fn whom(&mut self, s: &mut State, running: Running, step: &Step) -> Result<u8, Flow> {
        let player = running.player;
        if step.who != Who::Opponent || running.opponent != NONE {
            return Ok(self.players_meant(s, &running, step));
        }
        let players = self.affected(s, step, player);
        if players == 0 {
            s.step_done();
            return Err(Flow::Go);
        }
        let offer = Offer { first: self.at.player, set: self.places_from(player, players), pass: false };
        Err(self.put_offer(s, Phase::Player, player, false, offer))
    }

    fn run_step(&mut self, s: &mut State, running: Running, step: &Step) -> Flow {
        let players = match self.whom(s, running, step) {
            Ok(players) => players,
            Err(flow) => return flow,
        };
        let n = step.n.unsigned_abs();
        if !step.chooses() {
            s.step_done();
        }
        match step.verb {
            Verb::Draw => {
                for player in self.among(s, players) {
                    self.draw_some(s, player, n.into());
                }
                self.settle(s);
            }
            Verb::Mill => self.mill(s, players, n.into()),
            Verb::Discard if step.by == By::Random => self.discard_randomly(s, players, n),
            Verb::Discard => return self.choose_discards(s, running, step, players),
            Verb::Reveal => {
                for player in self.among(s, players) {
                    s.player_mut(player).known = s.player(player).hand;
                    self.log.event(s, || Event::Revealed { player });
                }
                self.note_visible(s);
            }
            Verb::Survey => {
                for player in self.among(s, players) {
                    let modifier = &mut s.player_mut(player).modifier;
                    *modifier = modifier.saturating_add(step.n.into());
                    self.log.event(s, || Event::Modified { player, by: step.n });
                }
            }
            Verb::Plays => {
                let player = running.player;
                if s.stage == Stage::Play && s.turn_player == player && !self.restricted(s) {
                    s.extra = s.extra.saturating_add(n);
                    self.log.event(s, || Event::Granted { player, plays: step.n });
                }
            }
            Verb::Ward => {
                let player = running.player;
                let loss = &mut s.player_mut(player).loss;
                let by = (*loss).min(n.into()) as i8;
                *loss -= by as u16;
                self.log.event(s, || Event::Warded { player, by });
            }
            Verb::Destroy if step.held => {
                if let Some(chooser) = self.hold_choice(s, running, step, players) {
                    let sets = self.field_sets(s, step, chooser);
                    return self.put_fields(s, Phase::Field, chooser, (&sets, step.up_to));
                }
            }
            Verb::Destroy | Verb::Return | Verb::Move | Verb::Control => {
                let sets = self.field_sets(s, step, running.player);
                if sets != [0; 2 * MAX_PLAYERS] {
                    s.begin_choice(n);
                    return self.put_fields(s, Phase::Field, running.player, (&sets, step.up_to));
                }
                s.step_done();
            }
            // `self` and `that`: no card is chosen.
            Verb::Resurrect | Verb::Recover if step.target != Target::Choose => {
                let kind = if step.target == Target::That { running.that } else { running.kind };
                let there = s.player(running.player).discard.kinds() & step.kinds;
                if kind == NONE || there >> (kind & 63) & 1 == 0 {
                    s.step_done();
                } else {
                    s.begin_choice(1);
                    self.card_chosen(s, kind);
                }
            }
            Verb::Resurrect | Verb::Recover | Verb::Search | Verb::Recycle => {
                s.begin_choice(n);
                let search = self.options.all_decide && step.verb == Verb::Search;
                let (kinds, pass) = s.effect.map_or((0, true), |begun| self.card_choices(s, &begun));
                if kinds != 0 || search {
                    return self.put_cards(s, running.player, search, (kinds, pass));
                }
                s.step_done();
            }
        }
        Flow::Go
    }

    fn choose_discards(&mut self, s: &mut State, running: Running, step: &Step, players: u8) -> Flow {
        if step.by != By::You {
            let chooser = self.hold_choice(s, running, step, players);
            return chooser.map_or(Flow::Go, |chooser| self.put_hand(s, chooser));
        }
        if players == 0 || s.player(running.opponent).hand.is_empty() {
            s.step_done();
            return Flow::Go;
        }
        s.begin_choice(step.n.unsigned_abs());
        let kinds = s.player(running.opponent).hand.kinds();
        self.put_cards(s, running.player, false, (kinds, false))
    }

    /// A player chooses a card of the own hand.
    fn put_hand(&mut self, s: &mut State, player: u8) -> Flow {
        let hand = s.player(player).hand;
        let decides = self.options.all_decide && hand.total() > 1;
        self.put_cards(s, player, decides, (hand.kinds(), false))
    }

    /// Opens a decision about a kind in a hand, pile or deck.
    fn put_cards(&mut self, s: &mut State, player: u8, always: bool, (set, pass): (u64, bool)) -> Flow {
        let offer = Offer { first: self.at.card, set, pass };
        self.put_offer(s, Phase::Card, player, always, offer)
    }

    /// Answers to the decisions of effects.
    pub(super) fn answer_effect(&mut self, s: &mut State, phase: Phase, player: u8, choice: Choice) {
        let Some(running) = s.effect else {
            // The owner of a card that is sacrificed.
            if let (Some(invoking), Some(meant), Choice::Player(j)) = (s.invoking, s.meant, choice) {
                self.log.rule(|| "GV-Q19".into());
                self.sacrifice_of(s, invoking, meant, self.relative(player, j.into()));
            }
            return;
        };
        match (phase, choice) {
            (Phase::May, Choice::Yes) => {
                s.effect = Some(Running { stage: COST, ..running });
                self.take_up(s, player, running.kind, running.timing);
            }
            (Phase::May, _) => s.effect = None,
            (_, Choice::Pass) => s.step_done(),
            (Phase::Player, Choice::Player(j)) => {
                s.effect = Some(Running { opponent: self.relative(player, j.into()), ..running });
            }
            (Phase::Owner, Choice::Player(j)) => {
                self.log.rule(|| "GV-Q19".into());
                self.owner_chosen(s, self.relative(player, j.into()));
            }
            (_, Choice::Field(j, line, kind)) => {
                let meant = Meant { player: self.relative(player, j.into()), line, kind };
                s.meant = Some(meant);
                if let Some(owner) = self.only_owner(s, meant) {
                    self.owner_chosen(s, owner);
                }
            }
            (_, Choice::Card(kind)) => self.card_chosen(s, kind),
            (_, Choice::Line(line)) => {
                if let Some(meant) = s.meant.take() {
                    self.resurrect(s, meant.kind, line.into());
                }
            }
            _ => unreachable!("{choice:?} is no answer to {phase:?}"),
        }
    }

    /// A kind in a hand, pile or deck was chosen.
    fn card_chosen(&mut self, s: &mut State, kind: u8) {
        let Some(running) = s.effect else { return };
        let player = running.player;
        let Some(step) = self.game.step_of(&running) else {
            s.picked();
            return self.discard(s, player, kind);
        };
        match step.verb {
            Verb::Discard => {
                let whose = if step.by == By::You { running.opponent } else { running.chooser };
                s.picked();
                self.discard(s, whose, kind);
            }
            Verb::Resurrect => match step.lines {
                0b01 => self.resurrect(s, kind, FRONT),
                0b10 => self.resurrect(s, kind, BACK),
                _ => s.meant = Some(Meant { player: NONE, line: NONE, kind }),
            },
            Verb::Recover => {
                s.picked();
                let own = s.player_mut(player);
                own.discard.remove(kind);
                own.receive(kind);
                self.log.event(s, || Event::Recovered { player, kind });
                self.settle(s);
            }
            Verb::Search => {
                self.log.rule(|| "GV-R13".into());
                s.picked();
                let (shown, own) = (self.options.shows_search, s.player_mut(player));
                own.deck.remove(kind);
                own.hand.add(kind);
                if shown {
                    own.known.add(kind);
                }
                self.log.event(s, || Event::Found { player, kind, shown });
                self.settle(s);
            }
            _ => {
                if let Some(running) = &mut s.effect {
                    running.last = kind;
                }
                s.picked();
                let own = s.player_mut(player);
                own.discard.remove(kind);
                own.deck.add(kind);
                self.log.event(s, || Event::Recycled { player, kind });
                self.settle(s);
            }
        }
    }

    /// A Human comes back from the own discard pile: a step.
    fn resurrect(&mut self, s: &mut State, kind: u8, line: usize) {
        let Some(running) = s.effect else { return };
        let player = running.player;
        s.picked();
        s.player_mut(player).discard.remove(kind);
        s.field.add(player, line, player, kind);
        self.log.event(s, || Event::Resurrected { player, kind, line });
        self.settle(s);
        self.entered(s, player, kind, line);
    }

    /// A card on a field was chosen, and whose it is: a step. Moving and taking control neither play nor destroy it (GV-R10a).
    fn owner_chosen(&mut self, s: &mut State, owner: u8) {
        let (Some(running), Some(meant)) = (s.effect, s.meant.take()) else { return };
        let (from, line, kind) = (meant.player, usize::from(meant.line & 1), meant.kind);
        s.picked();
        if owner != from {
            self.log.rule(|| "GV-R15".into());
        }
        if running.stage == COST {
            // GV-Q7a: the copy that is used up this way is an unspent one.
            s.field.remove(from, line, owner, kind);
            return self.destroyed(s, running.player, (from, line, kind, owner));
        }
        let Some(step) = self.game.step_of(&running) else { return };
        self.leave(s, from, line, owner, kind);
        match step.verb {
            Verb::Destroy => return self.destroyed(s, running.player, (from, line, kind, owner)),
            Verb::Return => {
                let to_deck = step.to == To::Deck;
                let own = s.player_mut(owner);
                if to_deck {
                    own.deck.add(kind);
                } else {
                    own.receive(kind);
                }
                self.log.event(s, || Event::Returned { player: from, kind, line, owner, to_deck });
            }
            Verb::Move => {
                s.field.add(from, 1 - line, owner, kind);
                self.log.event(s, || Event::Moved { player: from, kind, to: 1 - line, owner });
            }
            _ => {
                let to = match step.to {
                    To::Front => FRONT,
                    To::Back => BACK,
                    _ => line,
                };
                let player = running.player;
                s.field.add(player, to, owner, kind);
                self.log.event(s, || Event::Taken { player, from, kind, to, owner });
            }
        }
        self.settle(s);
    }

    /// A card has left a field for its owner's discard pile by an effect of `by` (GV-R10, R15, R15a, R18a).
    fn destroyed(&mut self, s: &mut State, by: u8, (player, line, kind, owner): (u8, usize, u8, u8)) {
        s.player_mut(owner).discard.add(kind);
        self.log.event(s, || Event::Destroyed { player, kind, line, owner });
        self.settle(s);
        if self.triggers(kind, Origin::line(line)) {
            self.enqueue(s, Entry { player: owner, kind, what: What::Discarded });
        }
        let answered = owner == player && owner != by && self.human_kinds >> kind & 1 != 0;
        if answered && self.windows[super::cards::Moment::Destroyed as usize] != 0 {
            self.enqueue(s, Entry { player: owner, kind, what: What::Destroyed });
        }
    }
}

impl State {
    /// The next step.
    fn step_done(&mut self) {
        if let Some(running) = &mut self.effect {
            let stage = running.stage.saturating_add(1);
            *running = Running { stage, left: 0, chooser: NONE, last: NONE, ..*running };
        }
    }

    /// This many cards are to be chosen, unless it has begun.
    fn begin_choice(&mut self, n: u8) {
        if let Some(running) = self.effect.as_mut().filter(|running| running.left == 0) {
            running.left = n;
        }
    }

    /// One card of this step is done: the next card, the next to choose, or the next step.
    fn picked(&mut self) {
        let Some(running) = &mut self.effect else { return };
        running.left = running.left.saturating_sub(1);
        if running.left > 0 {
            return;
        }
        if running.stage == COST {
            running.part += 1;
        } else if running.chooser == NONE {
            self.step_done();
        }
    }
}

impl Graven {
    /// Who chooses in the step being resolved.
    #[inline]
    pub(super) fn chooser(&self, running: &Running) -> u8 {
        if running.chooser == NONE { running.player } else { running.chooser }
    }

    /// The players whom a step is about, once an opponent that it needs is chosen.
    #[inline]
    pub(super) fn players_meant(&self, s: &State, running: &Running, step: &Step) -> u8 {
        let own = 1 << running.player;
        match step.who {
            Who::You => own,
            Who::Opponent => s.in_game & (1 << running.opponent),
            Who::EachOpponent => s.in_game & !own,
            Who::EachPlayer => s.in_game,
        }
    }

    /// Makes sure that somebody affected is choosing: the same as before, or the next in the order of the rules who can.
    fn hold_choice(&self, s: &mut State, running: Running, step: &Step, players: u8) -> Option<u8> {
        let before = running.chooser;
        if running.left > 0 && self.affects(s, step, before) {
            return Some(before);
        }
        let mut order = self.in_order(s);
        if before != NONE {
            order.find(|&player| player == before);
        }
        let chooser = order.find(|&player| players >> player & 1 != 0 && self.affects(s, step, player));
        match chooser {
            Some(chooser) => s.effect = Some(Running { chooser, left: step.n.unsigned_abs(), ..running }),
            None => s.step_done(),
        }
        chooser
    }
}
