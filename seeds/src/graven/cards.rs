//! What a card can do: the closed vocabulary of effects, as compact values that the rules read.

use super::state::Timing;
use playmat_core::prelude::*;

/// Most costs of an ability.
pub const MAX_COSTS: usize = 4;
/// Most steps of an ability.
pub const MAX_STEPS: usize = 3;
/// Most entries of the `mods` of a passive.
pub const MAX_MODS: usize = 8;

/// How often an effect can be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// As often as its timing allows.
    #[default]
    None,
    /// Once in a turn by each player (GV-R11b).
    Turn,
    /// Once in the game by each player (GV-R11a).
    Game,
}

playmat_core::named! {
    /// What a condition looks at, of the player whose effect it is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Stat {
        /// Humans on the Front Line.
        #[default]
        FrontHumans = "front_humans",
        /// Cards in hand.
        Hand = "hand",
        /// Cards in the deck.
        Deck = "deck",
        /// Highest Survey Score minus the own.
        Gap = "gap",
    }
}

/// A condition: a number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cond {
    /// What is counted.
    pub stat: Stat,
    /// The least count that meets it.
    pub min: i32,
    /// The largest count that meets it.
    pub max: i32,
}

impl Cond {
    /// Always true.
    pub const ALWAYS: Cond = Cond { stat: Stat::Hand, min: i32::MIN, max: i32::MAX };
}

impl Default for Cond {
    fn default() -> Self {
        Cond::ALWAYS
    }
}

/// A part of what is paid before an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// This number of cards of the own hand, of own choice.
    Discard(u8),
    /// This number of cards of the own deck.
    Mill(u8),
    /// The card itself.
    DestroySelf,
}

impl Default for Cost {
    fn default() -> Self {
        Cost::Mill(0)
    }
}

playmat_core::named! {
    /// Whom a verb is about.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Who {
        /// The player of the effect.
        #[default]
        You = "you",
        /// One opponent, chosen at its first use.
        Opponent = "opponent",
        /// All opponents.
        EachOpponent = "each_opponent",
        /// Everybody.
        EachPlayer = "each_player",
    }
}

/// Who chooses a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Whoever has it.
    #[default]
    Holder,
    /// The player of the effect.
    You,
    /// Nobody.
    Random,
}

/// Which card a verb takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// A chosen one.
    #[default]
    Choose,
    /// The card whose effect it is.
    Itself,
    /// The destroyed Human of the window.
    That,
}

/// Where a card goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum To {
    /// The own line of the same name.
    #[default]
    Same,
    /// The own Front Line.
    Front,
    /// The own Back Line.
    Back,
    /// Its owner's hand.
    Hand,
    /// Its owner's deck.
    Deck,
}

playmat_core::named! {
    /// What a step does.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the rules explain each verb")]
    pub enum Verb {
        #[default]
        Draw = "draw",
        Mill = "mill",
        Discard = "discard",
        Reveal = "reveal",
        Survey = "survey",
        Plays = "plays",
        Ward = "ward",
        Destroy = "destroy",
        Return = "return",
        Move = "move",
        Control = "control",
        Resurrect = "resurrect",
        Recover = "recover",
        Search = "search",
        Recycle = "recycle",
    }
}

impl Verb {
    /// The parameters that the verb takes.
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Verb::Draw | Verb::Mill | Verb::Survey => &["n", "who"],
            Verb::Discard => &["n", "who", "by"],
            Verb::Reveal => &["who"],
            Verb::Plays | Verb::Ward => &["n"],
            Verb::Destroy => &["n", "line", "type", "side", "up_to", "who", "by"],
            Verb::Return => &["to", "n", "side", "line", "type", "up_to"],
            Verb::Move => &["n", "side", "line", "type", "up_to"],
            Verb::Control => &["side", "line", "type", "to"],
            Verb::Resurrect => &["n", "up_to", "target", "line"],
            Verb::Recover => &["n", "type", "up_to", "target"],
            Verb::Search => &["n", "type", "has", "up_to"],
            Verb::Recycle => &["n", "type", "up_to"],
        }
    }
}

/// One step of an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub verb: Verb,
    /// How many, or by how much.
    pub n: i8,
    /// To whom.
    pub who: Who,
    /// Chosen by whom.
    pub by: By,
    /// Whether everybody affected chooses own cards on the field (`destroy` with `who`).
    pub held: bool,
    /// Whether own cards can be chosen.
    pub own: bool,
    /// Whether opponents' cards can be chosen.
    pub enemy: bool,
    /// Bit l: cards on line l can be chosen; of `resurrect`: lines that the Human can go to.
    pub lines: u8,
    /// Kinds that can be chosen.
    pub kinds: u64,
    /// The timing that all of these kinds have, if the content names one.
    pub has: Option<&'static str>,
    /// Whether fewer may be chosen.
    pub up_to: bool,
    /// Which card.
    pub target: Target,
    /// Where to.
    pub to: To,
}

impl Step {
    /// Whether cards on fields are chosen.
    #[inline]
    pub(super) fn is_about_field(&self) -> bool {
        matches!(self.verb, Verb::Destroy | Verb::Return | Verb::Move | Verb::Control)
    }

    /// Whether somebody chooses cards.
    #[inline]
    pub(super) fn chooses(&self) -> bool {
        use Verb::{Draw, Mill, Plays, Reveal, Survey, Ward};
        !matches!(self.verb, Draw | Mill | Reveal | Survey | Plays | Ward) && self.by != By::Random
    }
}

playmat_core::named! {
    /// The place that a card comes from when it is sent to the discard pile; bits of [`Ability::from`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Origin {
        /// Destroyed or sacrificed on the Front Line.
        Front = "front",
        /// Destroyed or sacrificed on the Back Line.
        Back = "back",
        /// Milled.
        Deck = "deck",
        /// Discarded.
        Hand = "hand",
    }
}

impl Origin {
    /// The place of a line.
    #[inline(always)]
    pub const fn line(line: usize) -> Origin {
        if line == 0 { Origin::Front } else { Origin::Back }
    }
}

/// What a `window` effect answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// A Human of the own was destroyed (GV-R18a).
    #[default]
    Destroyed,
    /// A Survey loss is to be milled (GV-R18b).
    SurveyLoss,
}

/// An effect of a card, passives aside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ability {
    /// How often.
    pub limit: Limit,
    /// When it can be used.
    pub cond: Cond,
    /// Whether its player may decline it.
    pub may: bool,
    /// Bits of [`Origin`]: where the card comes from.
    pub from: u8,
    /// What a window answers.
    pub event: Moment,
    /// What is paid.
    pub costs: List<Cost, MAX_COSTS>,
    /// What is done.
    pub steps: List<Step, MAX_STEPS>,
}

playmat_core::named! {
    /// What a passive changes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ModKind {
        /// How many more cards may be drawn (GV-R3a).
        #[default]
        Draw = "draw",
        /// How many more Humans may be played (GV-R4b).
        Plays = "plays",
        /// Survey Score.
        Survey = "survey",
        /// Survey Score by Humans on the own Front Line.
        SurveyPer = "survey_per",
        /// How much less of a Survey loss is milled (GV-R7b).
        Ward = "ward",
        /// Cards that opponents cannot choose.
        Protect = "protect",
        /// The card is worth two in a sacrifice (GV-R4d).
        Sacrifice = "sacrifice",
        /// Passives of cards on the Front Line are active (GV-R19).
        FrontPassives = "front_passives",
    }
}

/// One entry of a passive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mod {
    /// What it changes.
    pub kind: ModKind,
    /// By how much; of `survey_per`: the number of Humans that count one.
    pub n: i8,
    /// Of `survey_per`: at most.
    pub max: u8,
    /// Of `protect`: lines, a bit each.
    pub lines: u8,
    /// Of `front_passives`: whether Titans' passives, too.
    pub any: bool,
    /// Whether it is active on both lines by itself.
    pub either: bool,
    /// When it is active.
    pub cond: Cond,
}

/// A card with everything that it does.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// Short name, unique, upper and lower case alike.
    pub id: String,
    /// Name as printed.
    pub name: String,
    /// Whether it is a Titan.
    pub titan: bool,
    /// By timing.
    pub abilities: [Option<Ability>; 5],
    /// The entries of the passive.
    pub mods: List<Mod, MAX_MODS>,
}

impl Card {
    /// The effect of a timing.
    #[inline(always)]
    pub fn ability(&self, timing: Timing) -> Option<&Ability> {
        self.abilities[timing as usize].as_ref()
    }
}
