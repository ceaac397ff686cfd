//! The text form of agents.

use super::{Agent, Greedy, Random};
use crate::error::{Error, Result, nearest};
use crate::game::Game;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An agent as its text names it. A new kind of agent is a variant here, and nothing else in the engine or its bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// `random`: uniformly random legal actions.
    Random,
    /// `greedy`: the game's heuristic.
    Greedy,
}

impl Spec {
    /// The forms of a spec, in the order in which messages and help texts list them.
    pub const FORMS: [&str; 2] = ["random", "greedy"];

    /// The agent for a game.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if it does not fit the game.
    pub fn agent<G: Game>(&self, _: &G) -> Result<Arc<dyn Agent<G>>> {
        Ok(match self {
            Spec::Random => Arc::new(Random),
            Spec::Greedy => Arc::new(Greedy),
        })
    }

    /// The allowed forms, for messages.
    pub(crate) fn allowed() -> String {
        Spec::FORMS.map(|form| format!("`{form}`")).join(", ")
    }
}

impl FromStr for Spec {
    type Err = Error;

    /// Reads a spec.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent`, with the nearest and the allowed forms.
    fn from_str(text: &str) -> Result<Spec> {
        match text {
            "random" => Ok(Spec::Random),
            "greedy" => Ok(Spec::Greedy),
            _ => {
                let near = nearest(text, &Spec::FORMS);
                let got: String = text.chars().take(60).collect();
                Err(Error::argument("agent", format!("got `{got}`{near}; allowed: {}", Spec::allowed())))
            }
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Spec::Random => "random",
            Spec::Greedy => "greedy",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toll;

    #[test]
    fn every_form_is_read_written_and_the_name_of_its_agent() {
        let game = Toll::new(
            &crate::options::Options::check("toll", &Toll::options(), &Default::default()).unwrap(),
        );
        let game = game.unwrap();
        for form in Spec::FORMS {
            let spec: Spec = form.parse().unwrap();
            assert_eq!((spec.to_string().as_str(), spec.agent(&game).unwrap().name()), (form, form));
        }
    }

    #[test]
    fn an_unknown_spec_is_refused_with_what_is_allowed() {
        let said = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert_eq!(
            said("gredy"),
            "argument `agent`: got `gredy` (did you mean `greedy`?); allowed: `random`, `greedy`"
        );
        for text in ["", "Random", "greedy ", "mcts:100", "\u{1f916}"] {
            assert!(said(text).ends_with("; allowed: `random`, `greedy`"), "{text}");
        }
        assert!(said(&"x".repeat(10_000)).len() < 200);
    }
}
