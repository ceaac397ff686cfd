//! The action space: PASS, YES, DRAW, LINE, FRONT, BACK, ACTIVATE, HAND, CARD by kind, PLAYER, FIELD by player, line and kind.

use super::Graven;
use playmat_core::prelude::*;

/// What an action number means. Players are counted from the one who decides.
///
/// Four bytes: the table of all actions is read at a random place at every decision and shares the fastest cache with the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// End the phase, decline, enough.
    Pass,
    /// Use an effect that its player may decline.
    Yes,
    /// Draw this number of cards.
    Draw(u8),
    /// This line.
    Line(u8),
    /// Put a card of this kind into play on the Front Line.
    Front(u8),
    /// Put a card of this kind into play on the Back Line.
    Back(u8),
    /// Use a card of this kind of the Back Line.
    Activate(u8),
    /// Use a card of this kind from the hand.
    Hand(u8),
    /// A card of this kind in a hand, discard pile or deck; BUILD.
    Card(u8),
    /// The player this number of places clockwise.
    Player(u8),
    /// The player this number of places clockwise, one of its lines, a card of this kind there.
    Field(u8, u8, u8),
}

/// Where the parts of the action space begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    pub(super) pass: usize,
    pub(super) draw: usize,
    pub(super) line: usize,
    pub(super) front: usize,
    pub(super) back: usize,
    pub(super) activate: usize,
    pub(super) hand: usize,
    pub(super) card: usize,
    pub(super) player: usize,
    field: usize,
    kinds: usize,
    pub(super) end: usize,
}

/// Largest number of cards that can be drawn at a time.
const DRAWS: usize = 6;

impl Offsets {
    /// For these numbers of kinds and players.
    pub(super) fn new(kinds: usize, players: usize) -> Offsets {
        let front = 4 + DRAWS;
        let player = front + 5 * kinds;
        let field = player + players;
        Offsets {
            pass: 0,
            draw: 2,
            line: 2 + DRAWS,
            front,
            back: front + kinds,
            activate: front + 2 * kinds,
            hand: front + 3 * kinds,
            card: front + 4 * kinds,
            player,
            field,
            kinds,
            end: field + 2 * players * kinds,
        }
    }

    /// What each action number means.
    pub(super) fn choices(&self, players: usize) -> Vec<Choice> {
        let kinds = 0..self.kinds as u8;
        let mut all = vec![Choice::Pass, Choice::Yes];
        all.extend((1..=DRAWS as u8).map(Choice::Draw));
        all.extend((0..2).map(Choice::Line));
        for choice in [Choice::Front, Choice::Back, Choice::Activate, Choice::Hand, Choice::Card] {
            all.extend(kinds.clone().map(choice));
        }
        all.extend((0..players as u8).map(Choice::Player));
        for place in 0..2 * players as u8 {
            all.extend(kinds.clone().map(|kind| Choice::Field(place / 2, place % 2, kind)));
        }
        all
    }

    /// The number of FIELD(j, line, 0).
    #[inline(always)]
    pub(super) fn field(&self, j: usize, line: usize) -> usize {
        self.field + (2 * j + line) * self.kinds
    }
}

impl Graven {
    /// The meaning of an action number below `num_actions`: from a table, because the comparisons were mispredicted once per decision.
    #[inline(always)]
    pub fn choice(&self, action: Action) -> Choice {
        self.choices[action.index()]
    }

    /// The number of a choice.
    pub fn action(&self, choice: Choice) -> Action {
        let at = &self.at;
        Action(match choice {
            Choice::Pass => 0,
            Choice::Yes => 1,
            Choice::Draw(n) => at.draw + usize::from(n) - 1,
            Choice::Line(line) => at.line + usize::from(line),
            Choice::Front(kind) => at.front + usize::from(kind),
            Choice::Back(kind) => at.back + usize::from(kind),
            Choice::Activate(kind) => at.activate + usize::from(kind),
            Choice::Hand(kind) => at.hand + usize::from(kind),
            Choice::Card(kind) => at.card + usize::from(kind),
            Choice::Player(j) => at.player + usize::from(j),
            Choice::Field(j, line, kind) => at.field(j.into(), line.into()) + usize::from(kind),
        } as u16)
    }

    pub(super) fn action_ranges(kinds: usize, players: usize) -> Vec<ActionRange> {
        let front = "play a Human, or invoke a Titan, of this kind to the Front Line; Humans come before Titans, in the order of the content";
        let card =
            "choose a card of this kind in a hand, discard pile or deck; the next card of a deck being built";
        let player = "choose the player this number of places clockwise (0 is oneself): an opponent, or the owner of a card";
        let field = "choose a card of this kind on the Front or Back Line of the player this number of places clockwise";
        ActionRange::tile(&[
            ("PASS", &[1], "end the Play or Effect Phase, decline, enough"),
            ("YES", &[1], "use an effect that may be used"),
            ("DRAW", &[DRAWS], "draw 1 to 6 cards"),
            ("LINE", &[2], "the Human resurrected goes to the Front, to the Back Line"),
            ("FRONT", &[kinds], front),
            ("BACK", &[kinds], "the same to the Back Line"),
            ("ACTIVATE", &[kinds], "use the effect of a card of this kind on the own Back Line"),
            ("HAND", &[kinds], "use the effect of a card of this kind in the hand"),
            ("CARD", &[kinds], card),
            ("PLAYER", &[players], player),
            ("FIELD", &[players, 2, kinds], field),
        ])
    }
}
