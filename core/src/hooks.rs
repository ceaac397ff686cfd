//! Hooks of a game for the conformance suite: facts that play cannot show, and checks that have no generic form.

use crate::options::Options;
use crate::player::{Action, Player};
use crate::show::Show;
use serde_json::{Map, Value};
use std::fmt::{Debug, Display};

/// States that a player considers possible, each with its probability.
pub type Determinizations<S> = Vec<(S, f64)>;

/// Facts and checks of a game for which the suite has no generic form. A check without its hook does not pass: the report says that the hook
/// is not given or, with a reason under `none`, that the check does not apply.
pub struct Hooks<G: Show> {
    /// Hooks that make no sense for this game (`relabel`, `determinizations`, ...), with the reason: their checks do not apply.
    pub none: &'static [(&'static str, &'static str)],
    /// M1, M2: pairs of options with values that exclude each other, with the reason. A value that is refused beside an option of such a
    /// pair must load when that option has its default or, for `players`, with some number of players. All other values must load together.
    pub apart: &'static [(&'static str, &'static str, &'static str)],
    /// E3: kinds of events that are redacted for a reason that sampling is too unlikely to find, with that reason.
    pub redacted: &'static [(&'static str, &'static str)],
    /// Other options, JSON objects, under which fields, events, texts or rules occur that the defaults do not have: tests of what people read
    /// play them too.
    pub shows_more: &'static [&'static str],
    /// M7: text of the default content.
    pub content: Option<fn() -> &'static str>,
    /// M8: names that rule coverage must show after the sweep.
    pub expected: Option<fn(&G) -> Vec<String>>,
    /// M8: expected names that random and greedy play need not reach, with the reason.
    pub unreached: &'static [(&'static str, &'static str)],
    /// Expected names and kinds of actions (`action PASS`) that some agents or options never reach although M8 does, or that M8 does not
    /// check, with the reason: for the balance report and the game's page.
    pub idle: &'static [(&'static str, &'static str)],
    /// M5: declared properties that play need not show, with the reason (`zero_sum`, `chance`, ...).
    pub unseen: &'static [(&'static str, &'static str)],
    /// T8: why the acting players may depend on hidden information.
    pub private_turns: Option<&'static str>,
    /// A11: whether these two legal actions may have the same effect.
    pub duplicates: Option<fn(&G, &G::State, Player, Action, Action) -> bool>,
    /// V8: public segments that show the viewer's own side of public facts and have no counterpart for other viewers. A `*` in a name stands
    /// for a number: `island*_own`.
    pub own_public: &'static [&'static str],
    /// V8: public segments in which an axis has the length of the number of players, but its entries are not players, such as a display with
    /// one card for each player.
    pub not_by_player: &'static [&'static str],
    /// V9: whether observations have perfect recall: they hold everything that the player ever saw.
    pub perfect_recall: bool,
    /// V10: removes facts from the viewer's JSON that cannot influence the player's decisions any more, such as an own choice that is
    /// final.
    pub useless: Option<fn(&G, &G::State, Player, &mut Value)>,
    /// V11: the same position with player `s` renamed to `s + r` (mod players); `None` if it cannot be.
    pub relabel: Option<fn(&G, &G::State, usize) -> Option<G::State>>,
    /// R7: why the player with the best score need not win.
    pub other_victory: Option<&'static str>,
    /// H3: whether the past choices of the others are consistent with a sample, the last argument. [`same`] compares what the player knows.
    pub consistent: Option<fn(&G, &G::State, Player, &G::State) -> Result<(), String>>,
    /// H4: why samples at the deal are distributed differently from deals.
    pub other_deal: Option<&'static str>,
    /// V14, H8: for a game with private options, other values of these that a player cannot distinguish from the given ones.
    pub other_private: Option<fn(&G, &Options, Player) -> Vec<Map<String, Value>>>,
    /// H4: all states that the player considers possible, if they are few.
    pub determinizations: Option<fn(&G, &G::State, Player) -> Option<Determinizations<G::State>>>,
}

/// Checks that `known` returns the same of the true state and of the sample; for the hook `consistent`. `what` names it in the error, which
/// prints both values with `Debug`: return numbers (`player.0`), not types of your own.
///
/// ```
/// use playmat_core::hooks::same;
///
/// let (state, sample) = (["ace", "king"], ["ace", "queen"]);
/// assert_eq!(same("the own card", &state, &sample, |cards| cards[0]), Ok(()));
/// let said = same("the other card", &state, &sample, |cards| cards[1]).unwrap_err();
/// assert_eq!(said, r#"the other card: "queen" in the sample, in truth "king""#);
/// ```
///
/// # Errors
/// Both values, if they differ.
pub fn same<S, K: PartialEq + Debug>(
    what: impl Display,
    state: &S,
    sample: &S,
    known: impl Fn(&S) -> K,
) -> Result<(), String> {
    let (truth, sampled) = (known(state), known(sample));
    if truth == sampled {
        return Ok(());
    }
    Err(format!("{what}: {sampled:?} in the sample, in truth {truth:?}"))
}

impl<G: Show> Default for Hooks<G> {
    fn default() -> Self {
        Hooks {
            none: &[],
            apart: &[],
            redacted: &[],
            shows_more: &[],
            content: None,
            expected: None,
            unreached: &[],
            idle: &[],
            unseen: &[],
            private_turns: None,
            duplicates: None,
            own_public: &[],
            not_by_player: &[],
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
    /// All names that play need not reach, with the reason: `unreached`, then `idle`.
    pub fn excuses(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.unreached.iter().chain(self.idle).copied()
    }

    /// Whether `own_public` names this segment.
    pub(crate) fn is_own_public(&self, segment: &str) -> bool {
        self.own_public.iter().any(|own| match own.split_once('*') {
            None => *own == segment,
            Some((before, after)) => {
                let number = segment.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Nim;

    #[test]
    fn a_star_in_the_name_of_a_segment_is_a_number() {
        let hooks = Hooks::<Nim> { own_public: &["my_turn", "island*_own"], ..Hooks::default() };
        let named = ["my_turn", "island0_own", "island11_own"];
        assert!(named.iter().all(|name| hooks.is_own_public(name)));
        let others = ["island_own", "island1_others", "islandx_own", "my_turns", "island1_own2"];
        assert!(!others.iter().any(|name| hooks.is_own_public(name)));
    }
}
