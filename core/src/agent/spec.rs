//! The text form of agents.

use super::{Agent, Greedy, Mcts, NetworkAgent, NetworkSpec, Random};
use crate::env::ConfiguredGame;
use crate::error::{Error, Result, nearest};
use crate::game::Game;
use crate::search::Settings;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The parsed text of an agent. A new kind of agent needs a variant here, and nothing else in the engine or its bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// `random`: uniformly random legal actions.
    Random,
    /// `greedy`: the game's greedy agent.
    Greedy,
    /// `mcts:400`, `mcts:50ms`, with options: tree search ([`Settings`]).
    Mcts(Settings),
    /// `policy.onnx`, with options: a trained network ([`NetworkSpec`]).
    Network(NetworkSpec),
}

impl Spec {
    /// A spec of each kind that needs no file, in the order in which messages and help texts list them.
    pub const FORMS: [&str; 3] = ["random", "greedy", "mcts:400"];

    /// The agent for a game.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if it does not fit the game.
    pub fn agent<G: Game>(&self, configured: &ConfiguredGame<G>) -> Result<Arc<dyn Agent<G>>> {
        Ok(match self {
            Spec::Random => Arc::new(Random),
            Spec::Greedy => Arc::new(Greedy),
            Spec::Mcts(settings) => Arc::new(Mcts::of(settings.clone(), configured)?),
            Spec::Network(spec) => Arc::new(NetworkAgent::new(spec, configured)?),
        })
    }

    /// The specs of a list with commas. A piece like `threads=2` is an option of the spec before it.
    pub fn split(list: &str) -> Vec<String> {
        let mut specs: Vec<String> = Vec::new();
        for piece in list.split(',').map(str::trim) {
            match specs.last_mut() {
                Some(last) if (last.contains(':') || NetworkSpec::matches(last)) && piece.contains('=') => {
                    last.push(',');
                    last.push_str(piece);
                }
                _ => specs.push(piece.into()),
            }
        }
        specs
    }

    /// The allowed forms, for messages.
    pub(crate) fn allowed() -> String {
        Spec::FORMS.map(|form| format!("`{form}`")).join(", ") + ", `mcts:50ms`, `FILE.onnx`"
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
                if let Some(settings) = text.strip_prefix("mcts:") {
                    return settings.parse().map(Spec::Mcts);
                }
                if NetworkSpec::matches(text) {
                    return text.parse().map(Spec::Network);
                }
                let got: String = text.chars().take(60).collect();
                if let Some(message) = super::of_checkpoint(text) {
                    return Err(Error::argument("agent", format!("got `{got}`, {message}")));
                }
                let near = nearest(text, &Spec::FORMS);
                let path = if text.contains(',') { ", whose path has no comma" } else { "" };
                let allowed = Spec::allowed();
                Err(Error::argument("agent", format!("got `{got}`{near}; allowed: {allowed}{path}")))
            }
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Random => f.write_str("random"),
            Spec::Greedy => f.write_str("greedy"),
            Spec::Mcts(settings) => write!(f, "mcts:{settings}"),
            Spec::Network(spec) => spec.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toll;

    #[test]
    fn every_form_is_read_written_and_the_name_of_its_agent() {
        let game = ConfiguredGame::<Toll>::new(&Default::default()).unwrap();
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
            "argument `agent`: got `gredy` (did you mean `greedy`?); allowed: `random`, `greedy`, `mcts:400`, `mcts:50ms`, `FILE.onnx`"
        );
        assert_eq!(
            said("runs/a/checkpoint.pt,temperature=1"),
            "argument `agent`: got `runs/a/checkpoint.pt,temperature=1`, a checkpoint of `playmat train`; \
             the command `playmat export runs/a/checkpoint.pt` writes its network, `FILE.onnx`"
        );
        for text in ["", "Random", "greedy ", "mcts", "MCTS:4", "\u{1f916}"] {
            assert!(
                said(text).ends_with("; allowed: `random`, `greedy`, `mcts:400`, `mcts:50ms`, `FILE.onnx`"),
                "{text}"
            );
        }
        for text in ["a,b/c.onnx", "greedy,a.onnx", "mtcs:4,policy=a.onnx"] {
            assert!(
                said(text).ends_with("`mcts:400`, `mcts:50ms`, `FILE.onnx`, whose path has no comma"),
                "{text}"
            );
        }
        assert!(said(&"x".repeat(10_000)).len() < 200);
    }

    #[test]
    fn a_list_of_specs_is_split_before_each_agent() {
        let list = "greedy, mcts:400,threads=2,c=1 ,random,mcts:5ms";
        assert_eq!(Spec::split(list), ["greedy", "mcts:400,threads=2,c=1", "random", "mcts:5ms"]);
        assert_eq!(Spec::split("a.onnx,temperature=1, greedy"), ["a.onnx,temperature=1", "greedy"]);
        assert_eq!(Spec::split("random"), ["random"]);
        // What is no option of the spec before is refused as a spec of its own.
        assert_eq!(Spec::split("greedy,c=1"), ["greedy", "c=1"]);
    }
}
