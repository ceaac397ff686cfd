//! One episode as plain data: cards by owner and place, the turn, and the effect that is being resolved.

use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};

pub use super::multiset::{Cards, bits};
use super::rules::LEGAL_WORDS;

/// Most players.
pub const MAX_PLAYERS: usize = 4;
/// Most kinds of cards of a content: 40 Humans, 24 Titans.
pub const MAX_KINDS: usize = 64;
/// Cards of a deck (GV-R1a).
pub const DECK: u32 = 30;
/// Most triggers that wait, and that are queued from one decision to the next (GV-R17).
pub const QUEUE: usize = 64;
/// Nothing, where a player or a kind could be.
pub const NONE: u8 = u8::MAX;

/// The lines of a field.
pub const FRONT: usize = 0;
/// The lines of a field.
pub const BACK: usize = 1;
/// Names of the lines.
pub const LINES: [&str; 2] = ["front", "back"];

playmat_core::named! {
    /// What must be decided. The first thirteen are decisions, in the order of the observation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Phase {
        /// Everybody who builds a deck picks a card.
        Build = "build",
        /// T says how many cards are drawn.
        Draw = "draw",
        /// T plays, invokes, or ends the Play Phase.
        Play = "play",
        /// T chooses what is sacrificed.
        Sacrifice = "sacrifice",
        /// T uses an effect or ends the Effect Phase.
        Effect = "effect",
        /// A player may make its Survey loss smaller.
        Ward = "ward",
        /// A player may answer the destruction of a Human.
        Window = "window",
        /// A player may use a trigger.
        May = "may",
        /// An opponent is chosen.
        Player = "player",
        /// A card on a field is chosen.
        Field = "field",
        /// The owner of the card meant is chosen.
        Owner = "owner",
        /// A kind in a hand, discard pile or deck is chosen.
        Card = "card",
        /// The line of a resurrected Human is chosen.
        Line = "line",
        /// Nothing: the episode has ended by the rules.
        Over = "over",
        /// Nothing: the limit of turns cut the episode off.
        Cut = "cut",
    }
}

impl Phase {
    /// Number of phases in which somebody decides.
    pub const DECISIONS: usize = 13;

    /// Whether the episode is over.
    #[inline(always)]
    pub const fn is_over(self) -> bool {
        self as usize >= Phase::DECISIONS
    }
}

playmat_core::named! {
    /// Where the turn stands; decisions of effects come up inside.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Stage {
        /// Before the deal: decks are built.
        Build = "build",
        /// Draw Phase.
        Draw = "draw",
        /// Play Phase.
        Play = "play",
        /// Effect Phase.
        Effect = "effect",
        /// Survey Phase, until the losses are milled.
        Survey = "survey",
        /// What is still queued is resolved, then the turn ends.
        Settle = "settle",
    }
}

playmat_core::named! {
    /// When an effect happens, passives aside; in the order of the observation.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Timing {
        /// When the card enters the Back Line.
        #[default]
        Enter = "enter",
        /// In the own Effect Phase, from the own Back Line.
        Activate = "activate",
        /// In the own Effect Phase, from the hand.
        Hand = "hand",
        /// At an event, from the hand.
        Window = "window",
        /// When the card is sent to the discard pile.
        Discarded = "discarded",
    }
}

impl Timing {
    /// Whether T uses the effect in the Effect Phase.
    pub(super) const fn is_of_effect_phase(self) -> bool {
        matches!(self, Timing::Activate | Timing::Hand)
    }
}

/// What waits in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// An `enter` effect.
    #[default]
    Enter,
    /// A `discarded` effect.
    Discarded,
    /// The window for a destroyed Human.
    Destroyed,
}

/// An entry of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Whose trigger or window.
    pub player: u8,
    /// Kind of the card.
    pub kind: u8,
    /// What it is.
    pub what: What,
}

/// Stage of [`Running`] in which its player decides whether to use it.
pub const MAY: u8 = 0;
/// Stage of [`Running`] in which costs are paid.
pub const COST: u8 = 1;
/// Stage of [`Running`] of its first step.
pub const FIRST: u8 = 2;

/// The effect that is being resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Whose effect it is.
    pub player: u8,
    /// The card.
    pub kind: u8,
    /// Which of its effects.
    pub timing: Timing,
    /// [`MAY`], [`COST`], or [`FIRST`] plus the number of the step.
    pub stage: u8,
    /// Number of the cost being paid.
    pub part: u8,
    /// Cards still to be chosen in this cost or step by the one who chooses, the present one included; 0 before it began.
    pub left: u8,
    /// The opponent chosen for this effect.
    pub opponent: u8,
    /// Whose turn it is to choose, where everybody affected chooses.
    pub chooser: u8,
    /// The destroyed Human that a window is about.
    pub that: u8,
    /// The kind recycled last.
    pub last: u8,
}

impl Running {
    /// No effect.
    pub const NONE: Running = Running {
        player: NONE,
        kind: NONE,
        timing: Timing::Enter,
        stage: MAY,
        part: 0,
        left: 0,
        opponent: NONE,
        chooser: NONE,
        that: NONE,
        last: NONE,
    };
}

/// A card on a field, or (without line and player) in a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meant {
    /// The field that it lies on.
    pub player: u8,
    /// The line.
    pub line: u8,
    /// The kind.
    pub kind: u8,
}

/// A Titan that has been named for an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invoking {
    /// The Titan.
    pub kind: u8,
    /// The line that it goes to.
    pub line: u8,
    /// The first card of two to be sacrificed: line, kind, owner.
    pub first: Option<(u8, u8, u8)>,
}

/// What a player owns, but for the cards on fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerState {
    /// Known to the owner.
    pub hand: Cards,
    /// Contents known to the owner; in BUILD the picks so far.
    pub deck: Cards,
    /// Open.
    pub discard: Cards,
    /// Cards that the hand certainly holds; open.
    pub known: Cards,
    /// The deck list if it is open; otherwise the most copies that were ever visible together.
    pub list: Cards,
    /// Bit k: the limited effect of kind k is used up for this player.
    pub used: u64,
    /// Added to the Survey Score this turn.
    pub modifier: i16,
    /// Survey loss still to be milled.
    pub loss: u16,
    /// The pick of a round of BUILD that is not complete.
    pub pick: u8,
}

impl PlayerState {
    /// Nobody.
    pub const EMPTY: PlayerState = PlayerState {
        hand: Cards::EMPTY,
        deck: Cards::EMPTY,
        discard: Cards::EMPTY,
        known: Cards::EMPTY,
        list: Cards::EMPTY,
        used: 0,
        modifier: 0,
        loss: 0,
        pick: NONE,
    };

    /// Takes a card out of the hand. If all players know the hand to hold this kind, one known copy is taken away (GV-K1).
    #[inline(always)]
    pub(super) fn release(&mut self, kind: u8) {
        self.hand.remove(kind);
        self.known = self.known.without_one(kind);
    }

    /// A card comes openly to the hand.
    #[inline(always)]
    pub(super) fn receive(&mut self, kind: u8) {
        self.hand.add(kind);
        self.known.add(kind);
    }
}

/// Cards by controller, line and owner.
pub type Places = [[[Cards; MAX_PLAYERS]; 2]; MAX_PLAYERS];

/// The cards on all fields, read as [`Places`]. What legality, scores and observations look up again and again is kept beside them and not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Places", into = "Places")]
pub struct Field {
    places: Places,
    /// Kinds by controller and line.
    kinds: [[u64; 2]; MAX_PLAYERS],
    /// Number of cards that are under the control of a player who does not own them.
    lent: u16,
    /// Cards on the Front Line by controller.
    front: [u8; MAX_PLAYERS],
}

impl From<Places> for Field {
    fn from(places: Places) -> Field {
        let (mut lent, mut front) = (0, [0u8; MAX_PLAYERS]);
        for (controller, lines) in places.iter().enumerate() {
            for cards in &lines[FRONT] {
                front[controller] = front[controller].saturating_add(cards.total() as u8);
            }
            for (owner, cards) in lines.iter().flat_map(|line| line.iter().enumerate()) {
                lent += if owner == controller { 0 } else { cards.total() as u16 };
            }
        }
        Field { places, kinds: places.map(|lines| lines.map(|line| kinds_of(&line))), lent, front }
    }
}

impl From<Field> for Places {
    fn from(field: Field) -> Places {
        field.places
    }
}

impl std::ops::Deref for Field {
    type Target = Places;

    #[inline(always)]
    fn deref(&self) -> &Places {
        &self.places
    }
}

#[inline(always)]
fn kinds_of([a, b, c, d]: &[Cards; MAX_PLAYERS]) -> u64 {
    a.kinds() | b.kinds() | c.kinds() | d.kinds()
}

impl Field {
    /// No card.
    pub const EMPTY: Field = Field {
        places: [[[Cards::EMPTY; MAX_PLAYERS]; 2]; MAX_PLAYERS],
        kinds: [[0; 2]; MAX_PLAYERS],
        lent: 0,
        front: [0; MAX_PLAYERS],
    };

    /// One more card of a kind.
    #[inline(always)]
    pub(super) fn add(&mut self, controller: u8, line: usize, owner: u8, kind: u8) {
        let at = (controller & 3) as usize;
        self.places[at][line & 1][(owner & 3) as usize].add(kind);
        self.kinds[at][line & 1] |= 1 << kind;
        self.lent += u16::from(owner != controller);
        self.front[at] += u8::from(line & 1 == FRONT);
    }

    /// One card of a kind less; there is one.
    #[inline(always)]
    pub(super) fn remove(&mut self, controller: u8, line: usize, owner: u8, kind: u8) {
        let at = (controller & 3) as usize;
        self.places[at][line & 1][(owner & 3) as usize].remove(kind);
        self.kinds[at][line & 1] = kinds_of(&self.places[at][line & 1]);
        self.lent -= u16::from(owner != controller);
        self.front[at] -= u8::from(line & 1 == FRONT);
    }
}

/// The legal actions of the decision that is due. The rules compute them to find out whether somebody must choose, and keep them for
/// [`Game::legal`]. They follow from the rest of the state: they are not saved, and any two are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct LegalCache {
    is_set: bool,
    actions: Bits<LEGAL_WORDS>,
}

impl PartialEq for LegalCache {
    fn eq(&self, _: &LegalCache) -> bool {
        true
    }
}

impl Eq for LegalCache {}

impl LegalCache {
    /// An empty set, into which all legal actions are inserted next.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> &mut Bits<LEGAL_WORDS> {
        (self.is_set, self.actions) = (true, Bits::default());
        &mut self.actions
    }

    /// The legal actions, if they have been computed.
    #[inline(always)]
    pub(super) fn get(&self) -> Option<&Bits<LEGAL_WORDS>> {
        self.is_set.then_some(&self.actions)
    }

    /// The state changes.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.is_set = false;
    }
}

/// An episode. Places beyond the players are [`PlayerState::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// By player.
    pub players: [PlayerState; MAX_PLAYERS],
    /// Cards on the fields.
    pub field: Field,
    /// What waits to be resolved, first in first out.
    pub queue: List<Entry, QUEUE>,
    /// The effect being resolved.
    pub effect: Option<Running>,
    /// The Titan being invoked.
    pub invoking: Option<Invoking>,
    /// The card that OWNER or LINE is about.
    pub meant: Option<Meant>,
    /// The player who decides about a destroyed Human, and its kind.
    pub window: Option<(u8, u8)>,
    /// What must be decided.
    pub phase: Phase,
    /// The player who must decide; `NONE` in BUILD and when nobody must.
    pub decider: u8,
    /// Where the turn stands.
    pub stage: Stage,
    /// Whose turn it is.
    pub turn_player: u8,
    /// Turns ended.
    pub turns: u16,
    /// Copies on T's Back Line that were used this turn.
    pub spent: Cards,
    /// Activations by name this turn.
    pub activations: Cards,
    /// Humans played this turn.
    pub humans: u8,
    /// Extra plays granted this turn.
    pub extra: u8,
    /// Whether a Titan was invoked this turn.
    pub invoked: bool,
    /// The player whose Survey windows are open; `NONE` when all are through or it is no Survey.
    pub ward: u8,
    /// Decisions made in this turn; shown to nobody.
    pub turn_decisions: u16,
    /// Bit s: player s has had a turn.
    pub had_turn: u8,
    /// Bit s: player s is in the game.
    pub in_game: u8,
    /// Bit s: player s has won.
    pub winners: u8,
    /// Legal actions that are already computed.
    #[serde(skip)]
    pub(super) legal: LegalCache,
}

impl State {
    /// A player.
    #[inline(always)]
    pub fn player(&self, player: u8) -> &PlayerState {
        &self.players[(player & 3) as usize]
    }

    #[inline(always)]
    pub(super) fn player_mut(&mut self, player: u8) -> &mut PlayerState {
        &mut self.players[(player & 3) as usize]
    }

    /// Cards on a line of a field, by owner.
    #[inline(always)]
    pub fn line(&self, player: u8, line: usize) -> &[Cards; MAX_PLAYERS] {
        &self.field[(player & 3) as usize][line & 1]
    }

    /// Cards on a line of a field by owner, or only those of its controller if no card is lent.
    #[inline(always)]
    fn owners_on(&self, player: u8, line: usize) -> &[Cards] {
        let line = self.line(player, line);
        if self.field.lent == 0 { std::slice::from_ref(&line[(player & 3) as usize]) } else { line }
    }

    /// Bit k: a card of kind k lies on this line.
    #[inline(always)]
    pub fn kinds_on(&self, player: u8, line: usize) -> u64 {
        self.field.kinds[(player & 3) as usize][line & 1]
    }

    /// Copies of a kind on a line, whoever owns them.
    #[inline(always)]
    pub fn copies_on(&self, player: u8, line: usize, kind: u8) -> u8 {
        self.owners_on(player, line).iter().map(|cards| cards.count(kind)).sum()
    }

    /// Copies of each kind on a line, whoever owns them; three if there are more.
    #[inline(always)]
    pub fn up_to_three_on(&self, player: u8, line: usize) -> Cards {
        if self.any_lent() { up_to_three(self.line(player, line)) } else { self.own_on(player, line) }
    }

    /// Cards of these kinds on a line.
    #[inline(always)]
    pub fn number_on(&self, player: u8, line: usize, kinds: u64) -> u32 {
        // Two forms, and sums that wrap: the greedy agent counts the cards of every position that it looks at.
        if self.any_lent() {
            let counts = self.line(player, line).iter().map(|cards| cards.of(kinds).total());
            return counts.fold(0, u32::wrapping_add);
        }
        self.own_on(player, line).of(kinds).total()
    }

    /// Cards of a player on a line of the own.
    #[inline(always)]
    pub fn own_on(&self, player: u8, line: usize) -> Cards {
        self.line(player, line)[(player & 3) as usize]
    }

    /// Cards of an owner on both lines of a controller.
    #[inline(always)]
    pub(super) fn owned_on(&self, controller: u8, owner: u8) -> [Cards; 2] {
        [FRONT, BACK].map(|line| self.line(controller, line)[(owner & 3) as usize])
    }

    /// Cards on the Front Line of a player.
    #[inline(always)]
    pub fn number_in_front(&self, player: u8) -> u32 {
        self.field.front[(player & 3) as usize].into()
    }

    /// Whether a player is in the game.
    #[inline(always)]
    pub fn plays(&self, player: u8) -> bool {
        self.in_game >> (player & 7) & 1 != 0
    }

    /// Whether a player has had a turn.
    #[inline(always)]
    pub fn has_had(&self, player: u8) -> bool {
        self.had_turn >> (player & 7) & 1 != 0
    }

    /// Whether a card is under the control of a player who does not own it.
    #[inline(always)]
    pub fn any_lent(&self) -> bool {
        self.field.lent != 0
    }

    /// All cards of an owner that lie on fields.
    #[inline(always)]
    pub fn fielded(&self, owner: u8) -> Cards {
        if self.any_lent() { on_all_fields(&self.field, owner) } else { self.at_home(owner) }
    }

    /// Cards of a player on both lines of the own.
    #[inline(always)]
    pub fn at_home(&self, player: u8) -> Cards {
        self.own_on(player, FRONT).plus(self.own_on(player, BACK))
    }

    /// Cards of an owner that everybody sees: on fields, in the discard pile, known in the hand.
    #[inline(always)]
    pub fn visible(&self, owner: u8) -> Cards {
        let player = self.player(owner);
        self.fielded(owner).plus(player.discard).plus(player.known)
    }

    /// Whether this player must decide now (not in BUILD).
    #[inline(always)]
    pub fn must_decide(&self, player: Player) -> bool {
        self.decider == player.0 && !self.phase.is_over()
    }
}

// Two sums over all owners or fields, which few positions need: inlined, they made a batch's loops run out of registers.

/// Copies of each kind, whoever owns them; three if there are more.
#[inline(never)]
fn up_to_three(owners: &[Cards; MAX_PLAYERS]) -> Cards {
    owners.iter().fold(Cards::EMPTY, |sum, cards| sum.plus_up_to_three(*cards))
}

/// All cards of an owner.
#[inline(never)]
fn on_all_fields(field: &Field, owner: u8) -> Cards {
    let lines = field.iter().flatten();
    lines.fold(Cards::EMPTY, |all, line| all.plus(line[(owner & 3) as usize]))
}

/// What is not public; everything else is. The one place that says who may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Kinds in a hand, and the cards drawn to it.
    Hand(Player),
    /// Contents of a deck.
    Deck(Player),
    /// Picks for a deck that is being built.
    Picks(Player),
    /// That a player decides in a window, and about what.
    Decision(Player),
    /// Decisions of this turn.
    TurnDecisions,
}

impl playmat_core::visibility::Zone for Zone {
    #[inline(always)]
    fn visibility(self) -> Visibility {
        match self {
            Zone::Hand(player) | Zone::Deck(player) | Zone::Picks(player) | Zone::Decision(player) => {
                Visibility::Owner(player)
            }
            Zone::TurnDecisions => Visibility::Nobody,
        }
    }
}
