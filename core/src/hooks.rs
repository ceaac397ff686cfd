//! What a game tells the conformance suite: facts that play cannot show, and checks that have no generic form.

use crate::options::Options;
use crate::rng::Rng;
use crate::seat::{Action, Seat};
use crate::show::Show;
use serde_json::{Map, Value};

/// Worlds that a seat holds possible, each with its probability.
pub type Determinizations<S> = Vec<(S, f64)>;

/// What a game adds to the suite where no generic form exists. A check whose hook is missing says so in
/// the report instead of passing: that it is not given, or, with a reason under `none`, that it does not apply.
pub struct Hooks<G: Show> {
    /// Hooks that there cannot be for this game (`relabel`, `compound`, ...), with the reason: their checks do not apply.
    pub none: &'static [(&'static str, &'static str)],
    /// M1, M2: pairs of options of which not every value goes with every value of the other, with the reason. A value that is refused beside
    /// an option of such a pair must load where that option has its default, or, if it is `players`, with some number of them. All
    /// other values of options must load together.
    pub apart: &'static [(&'static str, &'static str, &'static str)],
    /// E3: kinds of events that are hidden, though worlds that show it are too rare to be found, with the reason.
    pub redacted: &'static [(&'static str, &'static str)],
    /// M7: text of the default content.
    pub content: Option<fn() -> &'static str>,
    /// M8: names that rule coverage must show after the sweep.
    pub expected: Option<fn(&G) -> Vec<String>>,
    /// M8: expected names that random and heuristic play need not reach, with the reason.
    pub unreached: &'static [(&'static str, &'static str)],
    /// Expected names and kinds of actions (`action PASS`) that M8 reaches, or does not look at, but that some agents or some options
    /// never show, with the reason: for the balance report and the game's page.
    pub idle: &'static [(&'static str, &'static str)],
    /// M5: declared facts that play need not show, with the reason (`zero_sum`, `chance`, ...).
    pub unseen: &'static [(&'static str, &'static str)],
    /// T8: why who is asked may depend on hidden things.
    pub private_turns: Option<&'static str>,
    /// A10: checks an offered compound move against its parts.
    pub compound: Option<fn(&G, &G::State, &mut Rng) -> Result<usize, String>>,
    /// A11: whether these two legal actions may have the same effect.
    pub duplicates: Option<fn(&G, &G::State, Seat, Action, Action) -> bool>,
    /// V8: public segments that show the viewer's own side of public facts and have no counterpart for other viewers.
    pub own_public: &'static [&'static str],
    /// V9: whether observations remember everything that the seat ever saw.
    pub perfect_recall: bool,
    /// V10: removes from the viewer's JSON of a state what the seat has no use for, such as a choice that it made and
    /// cannot take back.
    pub useless: Option<fn(&G, &G::State, Seat, &mut Value)>,
    /// V11: the same position with seat `s` renamed to `s + r` (mod players); `None` if it cannot be.
    pub relabel: Option<fn(&G, &G::State, usize) -> Option<G::State>>,
    /// R7: why the best score need not win.
    pub other_victory: Option<&'static str>,
    /// H3: whether what others did before fits the sampled world; the argument after the state is the sample.
    pub consistent: Option<fn(&G, &G::State, Seat, &G::State) -> Result<(), String>>,
    /// H4: why worlds sampled at the deal are distributed otherwise than dealt ones.
    pub other_deal: Option<&'static str>,
    /// V14, H8, for a game with private options: other values of these, between which and its own (the argument) a player cannot tell.
    pub other_private: Option<fn(&G, &Options, Seat) -> Vec<Map<String, Value>>>,
    /// H4: all worlds that the seat holds possible, if there are few.
    pub determinizations: Option<fn(&G, &G::State, Seat) -> Option<Determinizations<G::State>>>,
}

impl<G: Show> Default for Hooks<G> {
    fn default() -> Self {
        Hooks {
            none: &[],
            apart: &[],
            redacted: &[],
            content: None,
            expected: None,
            unreached: &[],
            idle: &[],
            unseen: &[],
            private_turns: None,
            compound: None,
            duplicates: None,
            own_public: &[],
            perfect_recall: false,
            useless: None,
            relabel: None,
            other_victory: None,
            consistent: None,
            other_deal: None,
            other_private: None,
            determinizations: None,
        }
    }
}

impl<G: Show> Hooks<G> {
    /// Everything that play need not show, with the reason: what M8 excuses, then what it does not look at.
    pub fn excuses(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.unreached.iter().chain(self.idle).copied()
    }

    /// Why there cannot be such a hook, if the game says so.
    pub fn why_none(&self, hook: &str) -> Option<&'static str> {
        self.none.iter().find(|(name, _)| *name == hook).map(|(_, reason)| *reason)
    }
}
