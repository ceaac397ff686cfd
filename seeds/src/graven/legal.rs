//! The legal actions of each phase, and whether an effect can be used (GV-R20).

use super::Graven;
use super::cards::{Ability, By, Cost, Moment, Step, Target, Verb, Who};
use super::rules::LEGAL_WORDS;
use super::state::{
    BACK, COST, Cards, FIRST, FRONT, Invoking, MAX_PLAYERS, Meant, NONE, Phase, Running, Stage, State,
    Timing, bits,
};
use playmat_core::prelude::*;
use std::cmp::Ordering;

/// How much of the hidden cards of a player a judgement may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// All: the player's own judgement.
    Own,
    /// What everybody knows: hand and deck by their sizes (5.3).
    All,
}

/// What a decision inside an effect offers: PASS, and kinds, players or answers as a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// The action of bit 0.
    pub(super) first: usize,
    pub(super) set: u64,
    pub(super) pass: bool,
}

/// Kinds on the lines of all players, counted from the one who decides: Front and Back Line of the first, of the second, ...
pub(super) type FieldSets = [u64; 2 * MAX_PLAYERS];

/// The legal actions of a player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Graven, s: &State, player: Player) -> Bits<LEGAL_WORDS> {
    s.legal.get().copied().unwrap_or_else(|| game.compute_legal(s, player.0))
}

/// A bit for each.
#[inline(always)]
fn set_of(kinds: impl Iterator<Item = u8>) -> u64 {
    kinds.fold(0, |set, kind| set | 1 << kind)
}

/// Activations left after the first of a turn, of any kind.
#[inline(never)]
fn left_on_back(s: &State) -> Cards {
    let t = s.turn_player;
    let left =
        if s.any_lent() { unspent(s.line(t, BACK), s.spent) } else { unspent(&[s.own_on(t, BACK)], s.spent) };
    left.least(s.activations.up_to_three())
}

/// Copies that were not used, whoever owns them; three if there are more.
#[inline(always)]
fn unspent(owners: &[Cards], mut spent: Cards) -> Cards {
    owners.iter().fold(Cards::EMPTY, |left, owned| {
        let here = owned.least(spent);
        spent = spent.minus(here);
        left.plus_up_to_three(owned.minus(here))
    })
}

impl Graven {
    /// The legal actions, without those kept in the state.
    #[inline(never)]
    pub(super) fn compute_legal(&self, s: &State, player: u8) -> Bits<LEGAL_WORDS> {
        let mut legal = Bits::default();
        match s.phase {
            Phase::Play => self.plays(self.playable(s), &mut legal),
            Phase::Effect => self.uses(self.usable_on_field(s), self.usable_in_hand(s), &mut legal),
            Phase::Draw => legal.insert_word(self.at.draw, self.draws(s) >> 1),
            Phase::Build => legal.insert_word(self.at.card, self.pickable(s.player(player).deck)),
            _ => self.legal_inside(s, player, &mut legal),
        }
        legal
    }

    /// The legal actions of the Play Phase with these kinds to play or invoke.
    #[inline(always)]
    pub(super) fn plays(&self, kinds: u64, legal: &mut Bits<LEGAL_WORDS>) {
        legal.insert(self.at.pass);
        legal.insert_word(self.at.front, kinds);
        legal.insert_word(self.at.back, kinds);
    }

    /// The legal actions of the Effect Phase with these kinds to use.
    #[inline(always)]
    pub(super) fn uses(&self, on_field: u64, in_hand: u64, legal: &mut Bits<LEGAL_WORDS>) {
        legal.insert(self.at.pass);
        legal.insert_word(self.at.activate, on_field);
        legal.insert_word(self.at.hand, in_hand);
    }

    /// The player `j` places after this one; `j` is at most the number of players.
    #[inline]
    pub(super) fn relative(&self, player: u8, j: usize) -> u8 {
        let place = usize::from(player) + j;
        (if place < self.players { place } else { place - self.players }) as u8
    }

    /// How many places a player comes after another.
    #[inline]
    pub(super) fn distance(&self, from: u8, to: u8) -> usize {
        let places = usize::from(to) + self.players - usize::from(from);
        if places < self.players { places } else { places - self.players }
    }

    /// Kinds on both lines of a player that a selector finds, chosen by `chooser`.
    #[inline]
    pub(super) fn targets(&self, s: &State, step: &Step, chooser: u8, player: u8) -> [u64; 2] {
        let own = player == chooser;
        let on_this_side = if own { step.own || step.held } else { step.enemy && !step.held };
        if !on_this_side || !s.plays(player) {
            return [0; 2];
        }
        let on = |line: usize| {
            let is_meant = u64::from(step.lines >> line & 1);
            s.kinds_on(player, line) & step.kinds & is_meant.wrapping_neg()
        };
        let mut kinds = [on(FRONT), on(BACK)];
        if !own && kinds != [0; 2] && self.protects(s, player) {
            for line in [FRONT, BACK] {
                kinds[line] &= !self.protected(s, player, line);
            }
        }
        kinds
    }

    /// Kinds on all lines that a selector finds, chosen by `chooser`.
    #[inline]
    pub(super) fn field_sets(&self, s: &State, step: &Step, chooser: u8) -> FieldSets {
        let mut sets = [0; 2 * MAX_PLAYERS];
        for j in 0..self.players {
            let kinds = self.targets(s, step, chooser, self.relative(chooser, j));
            sets[2 * j..][..2].copy_from_slice(&kinds);
        }
        sets
    }

    /// Whether a selector finds anything.
    #[inline]
    pub(super) fn finds(&self, s: &State, step: &Step, chooser: u8) -> bool {
        (0..self.players as u8).any(|player| self.targets(s, step, chooser, player) != [0; 2])
    }

    /// Whether a step could do something to a player (5.2).
    #[inline]
    pub(super) fn affects(&self, s: &State, step: &Step, player: u8) -> bool {
        if !s.plays(player) {
            return false;
        }
        match step.verb {
            Verb::Discard | Verb::Reveal => !s.player(player).hand.is_empty(),
            Verb::Destroy => self.finds(s, step, player),
            Verb::Survey => s.has_had(player) && (step.n >= 0 || self.survey_score(s, player) > 0),
            _ => true,
        }
    }

    /// Opponents to whom a step could do something, a bit each.
    #[inline]
    pub(super) fn affected(&self, s: &State, step: &Step, player: u8) -> u8 {
        let all = 0..self.players as u8;
        set_of(all.filter(|&other| other != player && self.affects(s, step, other))) as u8
    }

    /// Cards of a pile, deck or hand that a step takes from its player's own.
    #[inline]
    fn pile(s: &State, step: &Step, player: u8) -> Cards {
        let own = s.player(player);
        match step.verb {
            Verb::Search => own.deck,
            _ => own.discard,
        }
        .of(step.kinds)
    }

    /// Whether the first step of an effect could do something (GV-R20, 5.2).
    #[inline]
    fn could(&self, s: &State, step: &Step, player: u8, kind: u8, that: u8, sight: Sight) -> bool {
        let by_who = |itself: bool| match step.who {
            Who::You => itself,
            Who::Opponent | Who::EachOpponent => self.affected(s, step, player) != 0,
            Who::EachPlayer => itself || self.affected(s, step, player) != 0,
        };
        match step.verb {
            Verb::Draw | Verb::Mill | Verb::Ward => true,
            Verb::Plays => s.stage == Stage::Play && s.turn_player == player,
            Verb::Survey | Verb::Discard | Verb::Reveal => by_who(self.affects(s, step, player)),
            Verb::Destroy if step.held => by_who(self.affects(s, step, player)),
            Verb::Destroy | Verb::Return | Verb::Move | Verb::Control => self.finds(s, step, player),
            Verb::Search => sight == Sight::All || !Self::pile(s, step, player).is_empty(),
            Verb::Resurrect | Verb::Recover | Verb::Recycle => {
                let pile = Self::pile(s, step, player);
                match step.target {
                    Target::Choose => !pile.is_empty(),
                    Target::Itself => pile.kinds() >> (kind & 63) & 1 != 0,
                    Target::That => that != NONE && pile.kinds() >> (that & 63) & 1 != 0,
                }
            }
        }
    }

    /// Whether the cost of an effect can be paid. The card itself does not count as one in hand.
    #[inline]
    pub(super) fn can_pay(&self, s: &State, player: u8, ability: &Ability, timing: Timing) -> bool {
        let own = u32::from(matches!(timing, Timing::Hand | Timing::Window));
        let discards = |cost: &Cost| if let Cost::Discard(n) = cost { u32::from(*n) } else { 0 };
        let discards: u32 = ability.costs.iter().map(discards).sum();
        discards == 0 || s.player(player).hand.total() >= discards + own
    }

    /// Whether the limit of a kind's effect is used up.
    #[inline]
    pub(super) fn is_used(&self, s: &State, player: u8, kind: u8, timing: Timing) -> bool {
        self.limited[timing as usize] >> kind & 1 != 0 && s.player(player).used >> kind & 1 != 0
    }

    /// GV-R20 whole: limit, condition, cost, first step.
    #[inline]
    pub(super) fn usable(
        &self,
        s: &State,
        player: u8,
        (kind, timing): (u8, Timing),
        that: u8,
        sight: Sight,
    ) -> bool {
        if self.is_used(s, player, kind, timing) {
            return false;
        }
        let Some(ability) = self.ability(kind, timing) else { return false };
        let Some(first) = ability.steps.first() else { return false };
        self.holds(s, player, &ability.cond)
            && self.can_pay(s, player, ability, timing)
            && self.could(s, first, player, kind, that, sight)
    }

    /// Those of these kinds whose effect a player can use.
    #[inline(always)]
    fn usable_of(&self, s: &State, player: u8, kinds: u64, timing: Timing, that: u8) -> u64 {
        set_of(bits(kinds).filter(|&kind| self.usable(s, player, (kind, timing), that, Sight::Own)))
    }

    /// Kinds in T's hand with a usable `hand` effect.
    #[inline]
    pub(super) fn usable_in_hand(&self, s: &State) -> u64 {
        let t = s.turn_player;
        let all = s.player(t).hand.kinds() & self.timed[Timing::Hand as usize];
        self.usable_of(s, t, all, Timing::Hand, NONE)
    }

    /// Activations left of each kind on T's Back Line (GV-Q7, Q7a).
    #[inline(always)]
    pub(super) fn ready(&self, s: &State) -> Cards {
        let t = s.turn_player;
        let at = Timing::Activate as usize;
        let kinds = self.timed[at] & !(self.limited[at] & s.player(t).used);
        let left = if s.activations.is_empty() { s.up_to_three_on(t, BACK) } else { left_on_back(s) };
        left.of(kinds)
    }

    /// Kinds on T's Back Line that can be activated.
    #[inline]
    pub(super) fn usable_on_field(&self, s: &State) -> u64 {
        self.usable_of(s, s.turn_player, self.ready(s).kinds(), Timing::Activate, NONE)
    }

    /// Kinds in a hand that answer an event.
    #[inline]
    pub(super) fn answers(&self, s: &State, player: u8, moment: Moment, that: u8) -> u64 {
        let all = s.player(player).hand.kinds() & self.windows[moment as usize];
        self.usable_of(s, player, all, Timing::Window, that)
    }

    /// Kinds that answer an event as far as everybody knows.
    pub(super) fn could_answer(&self, s: &State, player: u8, moment: Moment, that: u8) -> u64 {
        let all = bits(self.windows[moment as usize]);
        set_of(all.filter(|&kind| self.usable(s, player, (kind, Timing::Window), that, Sight::All)))
    }

    /// Whether a player decides in a window (GV-R18, 5.3).
    #[inline]
    pub(super) fn may_answer(&self, s: &State, player: u8, moment: Moment, that: u8) -> bool {
        if !self.options.all_decide {
            return self.answers(s, player, moment, that) != 0;
        }
        let own = s.player(player);
        if own.hand.is_empty() {
            return false;
        }
        let could = self.could_answer(s, player, moment, that);
        let list = if self.is_open(player) { own.list } else { self.allowed() };
        let hidden = list.minus(s.visible(player)).kinds();
        could & (own.known.kinds() | hidden) != 0
    }

    /// Numbers that T may draw: bit n (GV-R3a).
    #[inline]
    pub(super) fn draws(&self, s: &State) -> u64 {
        let player = s.player(s.turn_player);
        let bonus = self.draw_bonus(s, s.turn_player);
        let mut numbers = ((1u64 << (bonus + 1)) - 1) << 1;
        if player.hand.is_empty() {
            numbers |= ((1u64 << (bonus + 1)) - 1) << 3;
        }
        if numbers == 0b10 {
            return numbers;
        }
        // Of those that would empty the deck the smallest.
        let deck = player.deck.total().min(63);
        let emptying = numbers & (u64::MAX << deck);
        (numbers & !(u64::MAX << deck)) | (emptying & emptying.wrapping_neg())
    }

    /// Kinds in T's hand that can be played or invoked, a bit each.
    #[inline]
    pub(super) fn playable(&self, s: &State) -> u64 {
        self.playable_humans(s) | self.playable_titans(s)
    }

    /// Humans in T's hand that can be played, a bit each.
    #[inline]
    pub(super) fn playable_humans(&self, s: &State) -> u64 {
        let humans = s.player(s.turn_player).hand.kinds() & self.human_kinds;
        if humans != 0 && self.plays_left(s) > 0 { humans } else { 0 }
    }

    /// Titans in T's hand that can be invoked, a bit each.
    #[inline]
    pub(super) fn playable_titans(&self, s: &State) -> u64 {
        let titans = s.player(s.turn_player).hand.kinds() & self.titan_kinds;
        if titans != 0 && self.may_invoke(s) && self.can_sacrifice(s) { titans } else { 0 }
    }

    /// Kinds on a line of T that can be sacrificed next (GV-R4d).
    #[inline]
    fn sacrificed_next(&self, s: &State, invoking: &Invoking, two: &[u64; 2], line: usize) -> u64 {
        if let Some(first) = invoking.first {
            return self.seconds(s, two, first, line);
        }
        // Before the last card of worth 1, each has a second one after it; the last one has itself, if there are two of it.
        let ones = s.kinds_on(s.turn_player, line) & !two[line];
        if ones == 0 || (line == FRONT && s.kinds_on(s.turn_player, BACK) & !two[BACK] != 0) {
            return ones | two[line];
        }
        let last = 63 - ones.leading_zeros() as u8;
        let alone = s.copies_on(s.turn_player, line, last) < 2;
        two[line] | ones & !(u64::from(alone) << last)
    }

    /// Owners of a card on T's field that can be sacrificed next, by line and kind (GV-R4d).
    #[inline]
    pub(super) fn sacrifices(&self, s: &State, line: usize, kind: u8) -> u8 {
        let Some(invoking) = s.invoking else { return 0 };
        let two = self.worth_two(s);
        let player = s.turn_player;
        let there = |owner: &u8| s.line(player, line)[usize::from(owner & 3)].count(kind) > 0;
        let owners = (0..self.players as u8).filter(there);
        let worth_two = two[line & 1] >> kind & 1 != 0;
        match invoking.first {
            None if worth_two => set_of(owners) as u8,
            None => set_of(owners.filter(|&owner| {
                let first = (line as u8, kind, owner);
                self.seconds(s, &two, first, FRONT) | self.seconds(s, &two, first, BACK) != 0
            })) as u8,
            Some(_) if worth_two => 0,
            Some(first) => {
                set_of(owners.filter(|&owner| self.may_follow(s, first, (line as u8, kind, owner)))) as u8
            }
        }
    }

    /// Whether a second card may follow the first: no smaller index, and another copy.
    #[inline]
    fn may_follow(&self, s: &State, first: (u8, u8, u8), second: (u8, u8, u8)) -> bool {
        let index = |(line, kind, owner): (u8, u8, u8)| (line, kind, self.distance(s.turn_player, owner));
        let there = s.line(s.turn_player, usize::from(second.0))[usize::from(second.2 & 3)].count(second.1);
        index(second) > index(first) || (second == first && there > 1)
    }

    /// Kinds of worth 1 on a line of T that may follow a first card.
    #[inline]
    fn seconds(&self, s: &State, two: &[u64; 2], first: (u8, u8, u8), line: usize) -> u64 {
        let ones = s.kinds_on(s.turn_player, line) & !two[line];
        match usize::from(first.0).cmp(&line) {
            Ordering::Less => ones,
            Ordering::Greater => 0,
            Ordering::Equal => {
                let here = s.line(s.turn_player, line);
                let follows = |owner: u8| {
                    here[usize::from(owner & 3)].count(first.1) > 0
                        && self.may_follow(s, first, (first.0, first.1, owner))
                };
                let again = ones >> first.1 & 1 != 0 && (0..self.players as u8).any(follows);
                let later = (u64::MAX << first.1) << 1;
                ones & (later | u64::from(again) << first.1)
            }
        }
    }

    /// Kinds that the card decision offers, and whether PASS is offered.
    #[inline]
    pub(super) fn card_choices(&self, s: &State, running: &Running) -> (u64, bool) {
        if running.stage == COST {
            return (s.player(running.player).hand.kinds(), false);
        }
        let Some(step) = self.step_of(running) else { return (0, true) };
        match step.verb {
            Verb::Discard if step.by == By::You => (s.player(running.opponent).hand.kinds(), false),
            Verb::Discard => (s.player(running.chooser).hand.kinds(), false),
            Verb::Recycle => {
                let pile = Self::pile(s, step, running.player);
                let from = u64::MAX << running.last.min(63);
                let mut kinds = pile.kinds() & if running.last == NONE { u64::MAX } else { from };
                if !step.up_to {
                    // Only picks after which as many as must be can still be reached.
                    let needed = u32::from(running.left).min(pile.total());
                    let reach = |kind: &u8| pile.of(u64::MAX << kind).total() >= needed;
                    kinds = set_of(bits(kinds).filter(reach));
                }
                (kinds, step.up_to)
            }
            _ => {
                let kinds = Self::pile(s, step, running.player).kinds();
                let blank = self.options.all_decide && step.verb == Verb::Search && kinds == 0;
                (kinds, step.up_to || blank)
            }
        }
    }

    /// The step of an effect that is being resolved.
    #[inline]
    pub(super) fn step_of(&self, running: &Running) -> Option<&Step> {
        let ability = self.ability(running.kind, running.timing)?;
        ability.steps.get(usize::from(running.stage.wrapping_sub(FIRST)))
    }

    /// The cost of an effect that is being paid.
    #[inline]
    pub(super) fn cost_of(&self, running: &Running) -> Option<Cost> {
        self.ability(running.kind, running.timing)?.costs.get(usize::from(running.part)).copied()
    }

    /// Owners of copies of the card meant, a bit each by player.
    #[inline]
    pub(super) fn owners(&self, s: &State) -> u8 {
        let Some(meant) = s.meant else { return 0 };
        if s.invoking.is_some() {
            return self.sacrifices(s, usize::from(meant.line), meant.kind);
        }
        let line = s.line(meant.player, usize::from(meant.line));
        set_of((0..).zip(line).filter(|(_, cards)| cards.count(meant.kind) > 0).map(|(owner, _)| owner)) as u8
    }

    /// The only owner of copies of a card on a field, which is there: its controller, if nothing is lent.
    #[inline]
    pub(super) fn only_owner(&self, s: &State, meant: Meant) -> Option<u8> {
        if !s.any_lent() {
            return Some(meant.player);
        }
        let owners = self.owners(s);
        (owners.count_ones() == 1).then(|| owners.trailing_zeros() as u8)
    }

    /// Players as counted from the one who decides.
    #[inline]
    pub(super) fn places_from(&self, from: u8, players: u8) -> u64 {
        let players = u64::from(players);
        (players >> from | players << (self.players as u8).wrapping_sub(from)) & ((1 << self.players) - 1)
    }

    /// Kinds on both lines of T that can be sacrificed next.
    #[inline]
    pub(super) fn sacrifice_sets(&self, s: &State, invoking: &Invoking) -> FieldSets {
        let two = self.worth_two(s);
        let mut sets = [0; 2 * MAX_PLAYERS];
        for line in [FRONT, BACK] {
            sets[line] = self.sacrificed_next(s, invoking, &two, line);
        }
        sets
    }

    /// What a decision inside an effect or a window offers, decisions about cards on fields aside.
    #[inline(never)]
    pub(super) fn offered(&self, s: &State, player: u8) -> Offer {
        let at = &self.at;
        match (s.phase, s.effect) {
            (Phase::Ward, _) => {
                Offer { first: at.hand, set: self.answers(s, player, Moment::SurveyLoss, NONE), pass: true }
            }
            (Phase::Window, _) => {
                let that = s.window.map_or(NONE, |(_, kind)| kind);
                Offer { first: at.hand, set: self.answers(s, player, Moment::Destroyed, that), pass: true }
            }
            (Phase::Owner, _) => {
                Offer { first: at.player, set: self.places_from(player, self.owners(s)), pass: false }
            }
            (Phase::Line, _) => Offer { first: at.line, set: 0b11, pass: false },
            // YES comes after PASS.
            (Phase::May, _) => Offer { first: at.pass, set: 0b11, pass: false },
            (Phase::Player, Some(running)) => {
                let players = self.step_of(&running).map_or(0, |step| self.affected(s, step, running.player));
                Offer { first: at.player, set: self.places_from(player, players), pass: false }
            }
            (Phase::Card, Some(running)) => {
                let (set, pass) = self.card_choices(s, &running);
                Offer { first: at.card, set, pass }
            }
            _ => Offer { first: 0, set: 0, pass: false },
        }
    }

    /// Decisions inside effects, windows and invocations.
    fn legal_inside(&self, s: &State, player: u8, legal: &mut Bits<LEGAL_WORDS>) {
        let step = s.effect.as_ref().and_then(|running| self.step_of(running));
        match (s.phase, step, &s.invoking) {
            (Phase::Field, Some(step), _) => {
                self.insert_fields(&self.field_sets(s, step, player), step.up_to, legal);
            }
            (Phase::Sacrifice, _, Some(invoking)) => {
                self.insert_fields(&self.sacrifice_sets(s, invoking), false, legal);
            }
            _ => self.insert_offer(self.offered(s, player), legal),
        }
    }

    /// The actions of an offer.
    #[inline]
    pub(super) fn insert_offer(&self, offer: Offer, legal: &mut Bits<LEGAL_WORDS>) {
        legal.insert_word(self.at.pass, offer.pass.into());
        legal.insert_word(offer.first, offer.set);
    }

    /// The actions that choose a card on a field, and maybe PASS.
    #[inline]
    pub(super) fn insert_fields(&self, sets: &FieldSets, pass: bool, legal: &mut Bits<LEGAL_WORDS>) {
        legal.insert_word(self.at.pass, pass.into());
        for (place, set) in sets.iter().enumerate().take(2 * self.players) {
            legal.insert_word(self.at.field(place / 2, place % 2), *set);
        }
    }
}
