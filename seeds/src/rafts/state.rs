//! One episode as plain data: decks, discards, hands and tables, and what is being resolved.

use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// Most players (RA-R1a).
pub const MAX_PLAYERS: usize = 6;
/// Most resource kinds of a content: 8 bacteria, 12 genes, 4 generics.
pub const MAX_RESOURCES: usize = 24;
/// Most action kinds of a content.
pub const MAX_ACTIONS: usize = 16;
/// Most kinds of cards: resources, then actions.
pub const MAX_KINDS: usize = MAX_RESOURCES + MAX_ACTIONS;
/// Most goal kinds of a content.
pub const MAX_GOALS: usize = 16;
/// Cards in a full hand (RA-R2e).
pub const HAND: u8 = 6;

/// What a card is: bacteria in the order of the content, genes, time, money, medium, raft, actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub u8);

impl Kind {
    /// The kind as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a goal card is: its place in the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GoalKind(pub u8);

impl GoalKind {
    /// The kind as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

playmat_core::named! {
    /// The three decks that are drawn from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Deck {
        /// Action cards; never renewed.
        Actions = "actions",
        /// Bacteria and genes.
        Specific = "specific",
        /// Time, money, medium, Lipid Rafts.
        Generic = "generic",
    }
}

/// Slots of a bench.
pub const BACTERIUM: usize = 0;
/// Slots of a bench.
pub const GENE: usize = 1;

/// Places of the four generics in [`PlayerState::generics`].
pub const TIME: usize = 0;
/// Places of the four generics in [`PlayerState::generics`].
pub const MONEY: usize = 1;
/// Places of the four generics in [`PlayerState::generics`].
pub const MEDIUM: usize = 2;
/// Places of the four generics in [`PlayerState::generics`].
pub const RAFT: usize = 3;

playmat_core::named! {
    /// Where the turn stands: whose answer is waited for and to what. The first twelve are decisions, in the order of the
    /// observation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Phase {
        /// The turn player plays cards or ends the main phase.
        Main = "main",
        /// A player may play a shield against what is being resolved.
        Shield = "shield",
        /// A player may snatch the last discard.
        Snatch = "snatch",
        /// The owner says which bench the card being placed goes to.
        Bench = "bench",
        /// The turn player names a victim or a partner.
        Target = "target",
        /// The turn player names the goal received.
        Receive = "receive",
        /// The turn player names the goal given.
        Give = "give",
        /// The turn player says what is stolen.
        Steal = "steal",
        /// The turn player takes a card of the discards.
        Take = "take",
        /// The turn player chooses a second goal.
        Goal = "goal",
        /// The turn player may discard (option `discard_at_end`).
        Discard = "discard",
        /// The turn player names a deck.
        Draw = "draw",
        /// The turn player has won.
        Won = "won",
        /// Dead position (RA-R23).
        Dead = "dead",
        /// The limit of turns (RA-R24).
        Limit = "limit",
    }
}

impl Phase {
    /// Number of phases in which somebody decides.
    pub const DECISIONS: usize = 12;

    /// Whether the episode is over.
    #[inline(always)]
    pub const fn is_over(self) -> bool {
        self as usize >= Phase::DECISIONS
    }
}

playmat_core::named! {
    /// Where a turn goes on when a play, a discard or a window is over.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Stage {
        /// The main phase.
        Main = "main",
        /// The discarding after it (option `discard_at_end`).
        Discard = "discard",
    }
}

/// What a player has. Places of unknown kinds are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerState {
    /// Cards in hand by kind; known to the owner.
    #[serde(with = "BigArray")]
    pub hand: [u8; MAX_KINDS],
    /// Cards that the hand certainly holds, because they were recovered openly; known to all.
    pub known: [u8; MAX_RESOURCES],
    /// Own draws since the last shuffle of their deck, by resource kind; known to the owner.
    pub drawn: [u8; MAX_RESOURCES],
    /// Bit k: the hand holds kind k. Follows from `hand`.
    pub holds: u64,
    /// Cards in hand by deck; known to all. Follows from `hand`.
    pub held: [u8; 3],
    /// Bacterium and gene of bench 0 and bench 1.
    pub benches: [[Option<Kind>; 2]; 2],
    /// Whether a Lab expansion, at most one (RA-R12a), lies on the table: bench 1 can be used.
    pub lab: bool,
    /// Time, money, medium, rafts on the table.
    pub generics: [u8; 4],
    /// Bit g: owns a goal of kind g.
    pub goals: u16,
    /// What the best goal still lacks (RA-R25). Follows from table and goals.
    pub missing: u8,
}

impl PlayerState {
    /// Nobody, or somebody before the deal.
    pub const EMPTY: PlayerState = PlayerState {
        hand: [0; MAX_KINDS],
        known: [0; MAX_RESOURCES],
        drawn: [0; MAX_RESOURCES],
        holds: 0,
        held: [0; 3],
        benches: [[None; 2]; 2],
        lab: false,
        generics: [0; 4],
        goals: 0,
        missing: 0,
    };

    /// Cards in hand.
    #[inline(always)]
    pub fn hand_size(&self) -> u8 {
        self.held[0] + self.held[1] + self.held[2]
    }

    /// Adds a card to the hand.
    #[inline(always)]
    pub(super) fn take(&mut self, kind: Kind, deck: Deck) {
        self.hand[kind.index()] += 1;
        self.holds |= 1 << kind.index();
        self.held[deck.index()] += 1;
    }

    /// Takes a card out of the hand. If all players know the hand to hold this kind, one known copy is taken away.
    #[inline(always)]
    pub(super) fn release(&mut self, kind: Kind, deck: Deck) {
        let left = self.hand[kind.index()] - 1;
        self.hand[kind.index()] = left;
        self.holds &= !(u64::from(left == 0) << kind.index());
        self.held[deck.index()] -= 1;
        if deck != Deck::Actions {
            let known = &mut self.known[kind.index()];
            *known = known.saturating_sub(1);
        }
    }

    /// What lies on the table, a byte for each: not 0 if there is a bacterium, a gene, then the generics. Bytes of several players can be joined
    /// before [`counts::not_zero`] makes bits of them.
    #[inline(always)]
    pub(super) fn table(&self) -> u64 {
        let [first, second] = &self.benches;
        let slot = |slot: usize| u64::from(first[slot].is_some() | second[slot].is_some()) << (8 * slot);
        let generics = u64::from(u32::from_le_bytes(self.generics));
        slot(BACTERIUM) | slot(GENE) | generics << (8 * PlayerState::has_generic(0))
    }

    /// The byte of a generic in [`PlayerState::table`].
    pub(super) const fn has_generic(generic: usize) -> u8 {
        2 + generic as u8
    }

    /// Number of goals.
    #[inline(always)]
    pub fn goal_count(&self) -> u32 {
        self.goals.count_ones()
    }

    /// Whether a card to be placed has a choice of bench that matters (RA-R12b).
    #[inline(always)]
    pub fn chooses_bench(&self) -> bool {
        self.lab && self.benches[0] != self.benches[1]
    }
}

/// The legal actions of the decision that is due: the rules look for them to find out whether somebody must choose, and keep them for
/// [`Game::legal`]; none if nobody has computed them. They follow from the rest of the state: they are not saved, and any two are equal. Without them
/// a step took 1.1 times as long.
#[derive(Clone, Copy, Debug, Default)]
pub struct LegalCache(pub(super) Bits<3>);

impl PartialEq for LegalCache {
    fn eq(&self, _: &LegalCache) -> bool {
        true
    }
}

impl Eq for LegalCache {}

/// An episode. Places beyond the players are [`PlayerState::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// By player.
    pub players: [PlayerState; MAX_PLAYERS],
    /// The three decks by kind.
    #[serde(with = "BigArray")]
    pub deck: [u8; MAX_KINDS],
    /// Contents of the resource decks when they were last shuffled: the deck and everybody's draws since.
    pub shuffled: [u8; MAX_RESOURCES],
    /// Resources discarded.
    pub discards: [u8; MAX_RESOURCES],
    /// Copies that lie neither on a table nor in the discards nor are being placed. Follows from these and the content.
    pub closed: [u8; MAX_RESOURCES],
    /// Action cards used.
    pub played: [u8; MAX_ACTIONS],
    /// Goals in their deck.
    pub goals_left: [u8; MAX_GOALS],
    /// Cards in the action, specific and generic deck. Follows from `deck`.
    pub sizes: [u8; 3],
    /// The card discarded last, if it is still there (RA-R21).
    pub last: Option<Kind>,
    /// Whose turn it is.
    pub turn_player: u8,
    /// The player who must decide; the turn player when the episode is over.
    pub cursor: u8,
    /// Turns ended.
    pub turn: u16,
    /// Quiet turns in a row before this one (RA-R23); at most as many as there are players.
    pub quiet: u8,
    /// Whether a card was played, discarded or drawn in this turn, so that it is not quiet.
    pub stirred: bool,
    /// What must be decided.
    pub phase: Phase,
    /// Where the turn goes on.
    pub stage: Stage,
    /// Bit s: player s is exempt by a shield in this window.
    pub shields: u8,
    /// The action card being resolved.
    pub resolving: Option<Kind>,
    /// The resource being placed.
    pub placing: Option<Kind>,
    /// The partner of an exchange.
    pub partner: Option<u8>,
    /// The goal to be received in an exchange.
    pub receiving: Option<GoalKind>,
    /// Legal actions that are already computed.
    #[serde(skip)]
    pub(super) legal: LegalCache,
}

impl State {
    /// A player.
    #[inline(always)]
    pub fn player(&self, player: Player) -> &PlayerState {
        &self.players[player.index()]
    }

    /// The turn player.
    #[inline(always)]
    pub fn active(&self) -> Player {
        Player(self.turn_player)
    }

    /// Whether this player must decide now.
    #[inline(always)]
    pub fn must_decide(&self, player: Player) -> bool {
        !self.phase.is_over() && self.cursor == player.0
    }
}

/// What is not public; everything else is. The one place that says who may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Kinds in a hand.
    Hand(Player),
    /// What a player drew since the last shuffle, and the card that it draws.
    Draws(Player),
    /// Contents of the action, specific and generic deck.
    Decks,
    /// That a player must decide, and about what.
    Decision(Player),
}

impl playmat_core::visibility::Zone for Zone {
    #[inline(always)]
    fn visibility(self) -> Visibility {
        match self {
            Zone::Hand(player) | Zone::Draws(player) | Zone::Decision(player) => Visibility::Owner(player),
            Zone::Decks => Visibility::Nobody,
        }
    }
}
