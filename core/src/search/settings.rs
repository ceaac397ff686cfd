//! How to search: the text after `mcts:`.

use crate::error::{Error, Result, nearest};
use crate::info::RewardKind;
use crate::network::Network;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// When a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// After this many simulations, of all threads together.
    Simulations(u32),
    /// After this many milliseconds.
    Milliseconds(u32),
}

/// Who plays a simulation to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollout {
    /// All players play as the game's greedy agent: the returns say more about a position.
    #[default]
    Greedy,
    /// All players choose at random: many more simulations per second.
    Random,
}

/// Which actions a node tries first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// The greedy agent's choice has half of the prior, all other actions share the rest.
    #[default]
    Greedy,
    /// All actions have equal priors.
    Uniform,
}

/// How to search. The text form is `400` or `50ms`, followed by options: `400,rollout=random,prior=uniform,c=2,threads=2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// When to stop.
    pub budget: Budget,
    /// Who plays simulations to their end. `None`: the default, or with `policy` no rollout at all.
    pub rollout: Option<Rollout>,
    /// Which actions are tried first; unused with a policy.
    pub prior: Prior,
    /// The file of a trained network ([`Network`](crate::network::Network)). Its policy gives the priors; without `rollout` its value takes
    /// the place of rollouts.
    pub policy: Option<Arc<str>>,
    /// Hundredths of the temperature by which the network's logits are divided before they become priors: 1 to 10,000. Above 100 the priors are
    /// more even than the policy.
    pub prior_temperature: u32,
    /// Hundredths of the factor of PUCT's bonus for actions with few visits, for returns scaled to 0..1: 1 to 10,000.
    pub c: u32,
    /// Trees that are searched side by side, each with its part of the simulations; in a [`LeafSearch`](super::LeafSearch), threads that share
    /// its searches: 1 to 64.
    pub threads: u32,
    /// Hundredths of the parameter of the Dirichlet distribution whose draws are mixed into the priors of the root, so that other actions
    /// are searched too: 1 to 10,000; 0 for none.
    pub dirichlet_alpha: u32,
    /// Hundredths of the share that these draws have in the priors: 1 to 100; unused without them.
    pub dirichlet_fraction: u32,
    /// Hundredths of the temperature of the choice: 0 to 10,000. With 0 it is the most visited action, otherwise one drawn in proportion to
    /// `visits^(1 / temperature)`.
    pub temperature: u32,
    /// Decisions of its player in an episode that are drawn with this temperature, the first ones; from then on the choice is the most visited
    /// action. 1 to 1,000,000; 0 for all. For agents, and for searches that begin in environments: they count
    /// decisions. The caller of [`Search::choose`](super::Search::choose) gives the temperature.
    pub temperature_drop: u32,
    /// Most nodes of each tree: 1 to 1,048,576. Further simulations of a full tree go through its nodes and play on from where they leave them;
    /// before the next search it is emptied.
    pub max_nodes: u32,
}

/// Largest numbers that are accepted.
const MOST_SIMULATIONS: u32 = 10_000_000;
const MOST_MILLISECONDS: u32 = 60_000;
const MOST_THREADS: u32 = 64;
/// Hundredths.
const DEFAULT_C: u32 = 150;
const DEFAULT_FRACTION: u32 = 25;
/// As the network was trained.
const DEFAULT_PRIOR_TEMPERATURE: u32 = 100;
const MOST: u32 = 10_000;
const MOST_NODES: u32 = 1 << 20;
const MOST_DECISIONS: u32 = 1_000_000;
/// The first three are not for a search with leaves: its network is outside, and it has no rollouts.
pub(super) const OPTIONS: [&str; 11] = [
    "rollout",
    "prior",
    "policy",
    "prior_temperature",
    "c",
    "threads",
    "dirichlet_alpha",
    "dirichlet_fraction",
    "temperature",
    "temperature_drop",
    "max_nodes",
];

impl Settings {
    /// A search with this budget and all else at its default.
    pub fn new(budget: Budget) -> Settings {
        Settings {
            budget,
            rollout: None,
            prior: Prior::Greedy,
            policy: None,
            prior_temperature: DEFAULT_PRIOR_TEMPERATURE,
            c: DEFAULT_C,
            threads: 1,
            dirichlet_alpha: 0,
            dirichlet_fraction: DEFAULT_FRACTION,
            temperature: 0,
            temperature_drop: 0,
            max_nodes: MOST_NODES,
        }
    }

    /// The factor of the bonus.
    pub fn exploration(&self) -> f32 {
        self.c as f32 / 100.0
    }

    /// The temperature of the choice at the decision of its player that has this number in the episode, the first one 1.
    pub(super) fn temperature_at(&self, decision: u32) -> f32 {
        let dropped = self.temperature_drop != 0 && decision > self.temperature_drop;
        if dropped { 0.0 } else { self.temperature as f32 / 100.0 }
    }

    /// Sets an option by its name.
    fn set(&mut self, option: &str) -> Result<()> {
        if option.is_empty() {
            return Err(refuse(
                "an option of `mcts` is missing after a comma; options are NAME=VALUE".into(),
            ));
        }
        let Some((name, value)) = option.split_once('=') else {
            return Err(refuse(format!("got `{}` after `mcts`; options are NAME=VALUE", short(option))));
        };
        match name {
            "rollout" => {
                let words =
                    [("random", Some(Rollout::Random)), ("greedy", Some(Rollout::Greedy)), ("none", None)];
                self.rollout = choice(name, value, words)?;
            }
            "prior" => {
                self.prior = choice(name, value, [("greedy", Prior::Greedy), ("uniform", Prior::Uniform)])?;
            }
            "policy" => {
                if !value.ends_with(".onnx") {
                    let message = match crate::agent::of_checkpoint(value) {
                        Some(message) => format!(", {message}"),
                        None => "; the file of a network ends with `.onnx`, and its path has no comma".into(),
                    };
                    return Err(refuse(format!("got `policy={}` of `mcts`{message}", short(value))));
                }
                self.policy = Some(value.into());
            }
            "prior_temperature" => self.prior_temperature = decimal(name, value, 1, MOST)?,
            "threads" => self.threads = number(name, value, MOST_THREADS)?,
            "c" => self.c = decimal(name, value, 1, MOST)?,
            "dirichlet_alpha" => self.dirichlet_alpha = decimal(name, value, 1, MOST)?,
            "dirichlet_fraction" => self.dirichlet_fraction = decimal(name, value, 1, 100)?,
            "temperature" => self.temperature = decimal(name, value, 0, MOST)?,
            "temperature_drop" => self.temperature_drop = number(name, value, MOST_DECISIONS)?,
            "max_nodes" => self.max_nodes = number(name, value, MOST_NODES)?,
            _ => {
                let near = nearest(name, &OPTIONS);
                let options = OPTIONS.map(|name| format!("`{name}`")).join(", ");
                let name = short(name);
                return Err(refuse(format!("got option `{name}` of `mcts`{near}; allowed: {options}")));
            }
        }
        Ok(())
    }
}

/// A refusal of a spec.
fn refuse(message: String) -> Error {
    Error::argument("agent", message)
}

/// The beginning of a text that a message repeats.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A value that is one of some words.
fn choice<T: Copy, const N: usize>(name: &str, value: &str, words: [(&str, T); N]) -> Result<T> {
    let found = words.iter().find(|(word, _)| *word == value);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names = words.map(|(word, _)| word);
        let near = nearest(value, &names);
        let names = names.map(|name| format!("`{name}`")).join(", ");
        refuse(format!("got `{name}={}` of `mcts`{near}; allowed: {names}", short(value)))
    })
}

/// A number of simulations, where the budget may not be a time.
pub(super) fn simulations(value: &str) -> Result<u32> {
    number("simulations", value, MOST_SIMULATIONS)
}

/// An integer from 1 on, in digits only.
fn number(name: &str, value: &str, most: u32) -> Result<u32> {
    number_or(name, value, most, "")
}

/// The same; `other` is another form that is allowed.
fn number_or(name: &str, value: &str, most: u32, other: &str) -> Result<u32> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { value.parse().ok() } else { None };
    number.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        refuse(format!("got `{}` for `{name}` of `mcts`; allowed: 1 to {most}{other}", short(value)))
    })
}

/// A number below 1000 with at most two decimals, in hundredths.
pub(crate) fn hundredths(value: &str) -> Option<u32> {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, "0"));
    let plain = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    (plain(whole, 3) && plain(decimals, 2)).then(|| {
        let decimals = format!("{decimals:0<2}");
        whole.parse::<u32>().unwrap_or(0) * 100 + decimals.parse::<u32>().unwrap_or(0)
    })
}

/// A number with at most two decimals, in hundredths as the limits are.
fn decimal(name: &str, value: &str, least: u32, most: u32) -> Result<u32> {
    hundredths(value).filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let (least, most) = (f64::from(least) / 100.0, f64::from(most) / 100.0);
        let allowed = format!("{least} to {most} with at most two decimals");
        refuse(format!("got `{}` for `{name}` of `mcts`; allowed: {allowed}", short(value)))
    })
}

impl FromStr for Settings {
    type Err = Error;

    /// Reads what follows `mcts:`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent`: what was given, and what is allowed.
    fn from_str(text: &str) -> Result<Settings> {
        Settings::read(text, false)
    }
}

impl Settings {
    /// [`Settings::from_str`]; with `network_outside`, of a search whose logits come from its caller.
    pub(super) fn read(text: &str, network_outside: bool) -> Result<Settings> {
        let mut parts = text.split(',');
        let budget = parts.next().unwrap_or_default();
        let budget = match budget.strip_suffix("ms") {
            Some(_) if cfg!(all(target_family = "wasm", target_os = "unknown")) => {
                let message =
                    format!("got `{}` for `mcts`; there is no clock on this platform", short(budget));
                return Err(refuse(format!("{message}: give a number of simulations")));
            }
            Some(milliseconds) => {
                Budget::Milliseconds(number("milliseconds", milliseconds, MOST_MILLISECONDS)?)
            }
            None => {
                let time = format!(", or `1ms` to `{MOST_MILLISECONDS}ms`");
                Budget::Simulations(number_or("simulations", budget, MOST_SIMULATIONS, &time)?)
            }
        };
        let mut settings = Settings::new(budget);
        let mut given: Vec<&str> = Vec::new();
        let mut without = false;
        for option in parts {
            let name = option.split_once('=').map_or(option, |(name, _)| name);
            settings.set(option)?;
            without |= option == "rollout=none";
            if given.contains(&name) {
                return Err(refuse(format!("option `{name}` of `mcts` is given twice")));
            }
            given.push(name);
        }
        if settings.dirichlet_alpha == 0 && given.contains(&"dirichlet_fraction") {
            return Err(refuse("got `dirichlet_fraction` of `mcts`, which needs `dirichlet_alpha`".into()));
        }
        if settings.temperature == 0 && settings.temperature_drop != 0 {
            return Err(refuse(
                "got `temperature_drop` of `mcts`, which needs a `temperature` above 0".into(),
            ));
        }
        if settings.policy.is_none() && !network_outside && given.contains(&"prior_temperature") {
            return Err(refuse("got `prior_temperature` of `mcts`, which needs `policy=FILE.onnx`".into()));
        }
        match &settings.policy {
            None if without => {
                let message = "got `rollout=none` of `mcts`, which needs `policy=FILE.onnx`";
                Err(refuse(format!("{message}; allowed without it: `random`, `greedy`")))
            }
            Some(_) if given.contains(&"prior") => {
                let message = "`policy` of `mcts` gives the priors; allowed beside it";
                let others = OPTIONS.iter().filter(|name| !["prior", "policy"].contains(*name));
                let others: Vec<String> = others.map(|name| format!("`{name}`")).collect();
                Err(refuse(format!("{message}: {}", others.join(", "))))
            }
            // Equal searches have equal settings.
            None if settings.rollout == Some(Rollout::default()) => {
                Ok(Settings { rollout: None, ..settings })
            }
            _ => Ok(settings),
        }
    }
}

impl fmt::Display for Settings {
    /// The budget, and the options that differ from their defaults in a fixed order: equal settings have equal texts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings {
            budget,
            rollout,
            prior,
            policy,
            prior_temperature,
            c,
            threads,
            dirichlet_alpha,
            dirichlet_fraction,
            temperature,
            temperature_drop,
            max_nodes,
        } = self;
        match budget {
            Budget::Simulations(number) => write!(f, "{number}")?,
            Budget::Milliseconds(number) => write!(f, "{number}ms")?,
        }
        match rollout {
            None => {}
            Some(Rollout::Greedy) if policy.is_none() => {}
            Some(Rollout::Greedy) => f.write_str(",rollout=greedy")?,
            Some(Rollout::Random) => f.write_str(",rollout=random")?,
        }
        if *prior == Prior::Uniform {
            f.write_str(",prior=uniform")?;
        }
        if let Some(policy) = policy {
            write!(f, ",policy={policy}")?;
        }
        if *prior_temperature != DEFAULT_PRIOR_TEMPERATURE {
            write!(f, ",prior_temperature={}", f64::from(*prior_temperature) / 100.0)?;
        }
        if *c != DEFAULT_C {
            write!(f, ",c={}", f64::from(*c) / 100.0)?;
        }
        if *threads != 1 {
            write!(f, ",threads={threads}")?;
        }
        if *dirichlet_alpha != 0 {
            write!(f, ",dirichlet_alpha={}", f64::from(*dirichlet_alpha) / 100.0)?;
            if *dirichlet_fraction != DEFAULT_FRACTION {
                write!(f, ",dirichlet_fraction={}", f64::from(*dirichlet_fraction) / 100.0)?;
            }
        }
        if *temperature != 0 {
            write!(f, ",temperature={}", f64::from(*temperature) / 100.0)?;
        }
        if *temperature_drop != 0 {
            write!(f, ",temperature_drop={temperature_drop}")?;
        }
        if *max_nodes != MOST_NODES {
            write!(f, ",max_nodes={max_nodes}")?;
        }
        Ok(())
    }
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The kind of returns that it maximizes; [`Network::reward`] with a network whose values take the place of rollouts.
    pub kind: RewardKind,
    /// The network of [`Settings::policy`].
    pub network: Option<&'a Network>,
    /// Called now and then, by any thread of the search; `false` ends it without result.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

// `keep_going` is a function.
impl std::fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("settings", &self.settings)
            .field("kind", &self.kind)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Settings {
        text.parse().unwrap()
    }

    #[test]
    fn settings_are_read_and_written_in_one_way() {
        for text in ["1", "400", "50ms", "400,rollout=random", "10000000", "8,c=0.01", "8,c=100", "8,c=2.5"] {
            assert_eq!(read(text).to_string(), text);
        }
        let all = read("50ms,threads=2,c=1.25,prior=uniform,rollout=random");
        assert_eq!(all.to_string(), "50ms,rollout=random,prior=uniform,c=1.25,threads=2");
        let noisy = read("8,temperature=0.5,dirichlet_fraction=0.4,dirichlet_alpha=0.30");
        assert_eq!(noisy.to_string(), "8,dirichlet_alpha=0.3,dirichlet_fraction=0.4,temperature=0.5");
        assert_eq!(read(&noisy.to_string()), noisy);
        assert_eq!(read("8,dirichlet_alpha=100,policy=a.onnx").dirichlet_fraction, 25);
        let plain = read("8,dirichlet_alpha=1,dirichlet_fraction=0.25,temperature=0");
        assert_eq!(plain.to_string(), "8,dirichlet_alpha=1");
        assert_eq!(read(&all.to_string()), all);
        assert_eq!(read("8,threads=2,rollout=none,policy=a.onnx").to_string(), "8,policy=a.onnx,threads=2");
        let even = read("8,c=2,prior_temperature=4.0,policy=a.onnx");
        assert_eq!(even.to_string(), "8,policy=a.onnx,prior_temperature=4,c=2");
        assert_eq!(read(&even.to_string()), even);
        assert_eq!(read("8,max_nodes=500,temperature=1").to_string(), "8,temperature=1,max_nodes=500");
        let opening = read("8,temperature_drop=030,max_nodes=9,temperature=1");
        assert_eq!(opening.to_string(), "8,temperature=1,temperature_drop=30,max_nodes=9");
        assert_eq!(read(&opening.to_string()), opening);
        let temperatures = [1, 30, 31, u32::MAX].map(|decision| opening.temperature_at(decision));
        assert_eq!(temperatures, [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(read("8,temperature=0.5").temperature_at(u32::MAX), 0.5);
        assert_eq!(read("8,max_nodes=1048576"), read("8"));
        assert_eq!(read("8,prior_temperature=1,policy=a.onnx"), read("8,policy=a.onnx"));
        for rollout in ["greedy", "random"] {
            let guided = read(&format!("8,policy=a.onnx,rollout={rollout}"));
            assert_eq!(guided.to_string(), format!("8,rollout={rollout},policy=a.onnx"));
            assert_eq!(read(&guided.to_string()), guided);
        }
        // What is the default anyway is not written.
        let default = "007,rollout=greedy,prior=greedy,c=1.50,threads=1";
        assert_eq!((read(default).to_string().as_str(), read(default)), ("7", read("7")));
        assert_eq!((read("9,c=0.7").c, read("9,c=0.07").c, read("9,c=3").exploration()), (70, 7, 3.0));
    }

    #[test]
    fn bad_settings_are_refused_with_what_is_allowed() {
        let said = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
        let simulations = "for `simulations` of `mcts`; allowed: 1 to 10000000, or `1ms` to `60000ms`";
        for text in ["", "0", "-1", "+4", "4.0", "10000001", "99999999999", "many", " 4", "4 "] {
            assert_eq!(said(text), format!("argument `agent`: got `{text}` {simulations}"));
        }
        let cases = [
            ("0ms", "got `0` for `milliseconds` of `mcts`; allowed: 1 to 60000"),
            ("ms", "got `` for `milliseconds` of `mcts`; allowed: 1 to 60000"),
            ("8,", "an option of `mcts` is missing after a comma; options are NAME=VALUE"),
            ("8,greedy", "got `greedy` after `mcts`; options are NAME=VALUE"),
            (
                "8,thread=2",
                "got option `thread` of `mcts` (did you mean `threads`?); allowed: `rollout`, `prior`, `policy`, `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
            ),
            (
                "8,rollout=gredy",
                "got `rollout=gredy` of `mcts` (did you mean `greedy`?); allowed: `random`, `greedy`, `none`",
            ),
            ("8,prior=", "got `prior=` of `mcts`; allowed: `greedy`, `uniform`"),
            (
                "8,rollout=none",
                "got `rollout=none` of `mcts`, which needs `policy=FILE.onnx`; allowed without it: `random`, `greedy`",
            ),
            (
                "8,policy=a.pt",
                "got `policy=a.pt` of `mcts`, a checkpoint of `playmat train`; the command `playmat export a.pt` writes its network, `FILE.onnx`",
            ),
            (
                "8,policy=a",
                "got `policy=a` of `mcts`; the file of a network ends with `.onnx`, and its path has no comma",
            ),
            (
                "8,policy=a.onnx,prior=greedy",
                "`policy` of `mcts` gives the priors; allowed beside it: `rollout`, `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
            ),
            ("8,dirichlet_fraction=0.5", "got `dirichlet_fraction` of `mcts`, which needs `dirichlet_alpha`"),
            ("8,prior_temperature=2", "got `prior_temperature` of `mcts`, which needs `policy=FILE.onnx`"),
            (
                "8,policy=a.onnx,prior_temperature=0",
                "got `0` for `prior_temperature` of `mcts`; allowed: 0.01 to 100 with at most two decimals",
            ),
            (
                "8,dirichlet_alpha=0",
                "got `0` for `dirichlet_alpha` of `mcts`; allowed: 0.01 to 100 with at most two decimals",
            ),
            (
                "8,dirichlet_alpha=1,dirichlet_fraction=1.01",
                "got `1.01` for `dirichlet_fraction` of `mcts`; allowed: 0.01 to 1 with at most two decimals",
            ),
            (
                "8,temperature=100.5",
                "got `100.5` for `temperature` of `mcts`; allowed: 0 to 100 with at most two decimals",
            ),
            ("8,temperature_drop=3", "got `temperature_drop` of `mcts`, which needs a `temperature` above 0"),
            (
                "8,temperature_drop=3,temperature=0",
                "got `temperature_drop` of `mcts`, which needs a `temperature` above 0",
            ),
            (
                "8,temperature=1,temperature_drop=0",
                "got `0` for `temperature_drop` of `mcts`; allowed: 1 to 1000000",
            ),
            (
                "8,temperature=1,temperature_drop=1000001",
                "got `1000001` for `temperature_drop` of `mcts`; allowed: 1 to 1000000",
            ),
            (
                "8,temperature=1,temperature_drop=2.5",
                "got `2.5` for `temperature_drop` of `mcts`; allowed: 1 to 1000000",
            ),
            ("8,max_nodes=0", "got `0` for `max_nodes` of `mcts`; allowed: 1 to 1048576"),
            ("8,max_nodes=1048577", "got `1048577` for `max_nodes` of `mcts`; allowed: 1 to 1048576"),
            ("8,threads=65", "got `65` for `threads` of `mcts`; allowed: 1 to 64"),
            ("8,threads=2,threads=2", "option `threads` of `mcts` is given twice"),
        ];
        for (text, message) in cases {
            assert_eq!(said(text), format!("argument `agent`: {message}"));
        }
        for c in ["0", "0.00", "100.01", "1.234", "1.", ".5", "-1", "1e2", "nan", "inf", ""] {
            let message =
                format!("got `{c}` for `c` of `mcts`; allowed: 0.01 to 100 with at most two decimals");
            assert_eq!(said(&format!("8,c={c}")), format!("argument `agent`: {message}"));
        }
        assert!(said(&format!("8,{}=1", "x".repeat(10_000))).len() < 300);
    }
}
