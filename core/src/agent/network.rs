//! The agent that plays a trained network.

use super::{Agent, Decisions, Evaluator, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result, nearest};
use crate::game::Game;
use crate::network::{self, Network};
use crate::player::Action;
use crate::rng::Rng;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

/// The end of a file's name.
const SUFFIX: &str = ".onnx";
/// Hundredths.
const MOST_TEMPERATURE: u32 = 10_000;
const OPTIONS: [&str; 1] = ["temperature"];

/// Which network to play, and how. The text form is `policy.onnx` or `policy.onnx,temperature=0.5`. The path must not contain a comma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSpec {
    /// The file.
    pub path: String,
    /// Hundredths of the temperature of the policy that actions are drawn from: 0 to 10,000. With 0 the likeliest action is played, the
    /// lowest of several. `None`: that of the file ([`Network::temperature`]).
    pub temperature: Option<u32>,
}

impl NetworkSpec {
    /// Whether a text begins with the path of a network.
    pub(super) fn matches(text: &str) -> bool {
        text.split(',').next().is_some_and(|path| path.len() > SUFFIX.len() && path.ends_with(SUFFIX))
    }
}

/// The advice for a checkpoint of `playmat train` that was given in place of a network; `None` for other texts.
pub(crate) fn of_checkpoint(text: &str) -> Option<String> {
    let path = text.split(',').next().filter(|path| path.ends_with(".pt"))?;
    let path: String = path.chars().take(1000).collect();
    Some(format!(
        "a checkpoint of `playmat train`; the command `playmat export {path}` writes its network, `FILE.onnx`"
    ))
}

impl FromStr for NetworkSpec {
    type Err = Error;

    /// Reads a path with options.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent`: what was given, and what is allowed.
    fn from_str(text: &str) -> Result<NetworkSpec> {
        let refuse = |message: String| Err(Error::argument("agent", message));
        let short = |text: &str| text.chars().take(60).collect::<String>();
        if !NetworkSpec::matches(text) {
            return refuse(format!("got `{}`; the file of a network ends with `{SUFFIX}`", short(text)));
        }
        let mut parts = text.split(',');
        let path = parts.next().unwrap_or_default();
        let mut spec = NetworkSpec { path: path.into(), temperature: None };
        for option in parts {
            if option.is_empty() {
                let message = "an option of a network is missing after a comma; options are NAME=VALUE";
                return refuse(message.into());
            }
            let Some((name, value)) = option.split_once('=') else {
                return refuse(format!("got `{}` after a network; options are NAME=VALUE", short(option)));
            };
            if name != "temperature" {
                let near = nearest(name, &OPTIONS);
                return refuse(format!(
                    "got option `{}` of a network{near}; allowed: `temperature`",
                    short(name)
                ));
            }
            if spec.temperature.is_some() {
                return refuse("option `temperature` of a network is given twice".into());
            }
            let number = crate::search::hundredths(value).filter(|number| *number <= MOST_TEMPERATURE);
            let Some(number) = number else {
                let allowed = "0 to 100 with at most two decimals";
                return refuse(format!(
                    "got `{}` for `temperature` of a network; allowed: {allowed}",
                    short(value)
                ));
            };
            spec.temperature = Some(number);
        }
        Ok(spec)
    }
}

impl fmt::Display for NetworkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        match self.temperature {
            Some(hundredths) => write!(f, ",temperature={}", f64::from(hundredths) / 100.0),
            None => Ok(()),
        }
    }
}

/// Plays the actions of a trained network ([`Network`]).
#[derive(Debug)]
pub struct NetworkAgent {
    name: String,
    network: Network,
    temperature: f32,
    /// Buffers for reuse, as many as threads that choose at once.
    kept: Mutex<Vec<Buffers>>,
}

/// Buffers for a batch of decisions.
#[derive(Debug, Default)]
struct Buffers {
    rows: Vec<usize>,
    /// By row, the result of [`NetworkAgent::draw`]. It is drawn when the row is written, as for a single decision: players of one
    /// environment share a random stream, and the number of rows that are evaluated together depends on threads.
    draws: Vec<u32>,
    inputs: Vec<u8>,
    logits: Vec<f32>,
    values: Vec<f32>,
    probabilities: Vec<f32>,
}

impl NetworkAgent {
    /// The agent of a spec.
    ///
    /// # Errors
    /// Those of [`Network::load`].
    pub fn new<G: Game>(spec: &NetworkSpec, configured: &ConfiguredGame<G>) -> Result<NetworkAgent> {
        let network = Network::load(&spec.path, configured)?;
        let given = spec.temperature.map(|hundredths| hundredths as f32 / 100.0);
        let temperature = given.unwrap_or_else(|| network.temperature());
        Ok(NetworkAgent { name: spec.to_string(), network, temperature, kept: Mutex::default() })
    }

    /// The agent that plays the likeliest action of a network under a name.
    pub(crate) fn of(name: &str, network: Network) -> NetworkAgent {
        NetworkAgent { name: name.into(), network, temperature: 0.0, kept: Mutex::default() }
    }

    /// The legal actions that it may choose, ascending, with their probabilities. Draws from `rng` only if the network reads the greedy
    /// agent's action and that agent draws.
    pub(crate) fn probabilities<G: Game>(
        &self,
        known: &Knowledge<'_, G>,
        rng: &mut Rng,
    ) -> Vec<(Action, f32)> {
        if known.legal().len() == 1 {
            return vec![(known.legal().select(0), 1.0)];
        }
        let logits = self.logits(known, rng);
        if self.temperature == 0.0 {
            return vec![(network::best(&logits, known.legal()), 1.0)];
        }
        let mut probabilities = Vec::new();
        network::policy(&logits, known.legal(), self.temperature, &mut probabilities);
        known.legal().iter().zip(probabilities).collect()
    }

    fn logits<G: Game>(&self, known: &Knowledge<'_, G>, rng: &mut Rng) -> Vec<f32> {
        let mut input = vec![0; self.network.input_size()];
        let mut logits = vec![0.0; self.network.actions()];
        self.network.write_input(known, rng, &mut input);
        self.network.evaluate(&input, &mut logits, &mut [0.0]);
        logits
    }

    /// The number that [`NetworkAgent::choose`] decides by; 0 without a temperature.
    fn draw(&self, rng: &mut Rng) -> u32 {
        if self.temperature == 0.0 { 0 } else { rng.next_u32() }
    }

    fn choose<L: LegalSet>(
        &self,
        logits: &[f32],
        legal: &L,
        probabilities: &mut Vec<f32>,
        drawn: u32,
    ) -> Action {
        if self.temperature == 0.0 {
            return network::best(logits, legal);
        }
        network::policy(logits, legal, self.temperature, probabilities);
        let mut left = drawn as f32 / 4_294_967_296.0;
        for (action, probability) in legal.iter().zip(&*probabilities) {
            if left < *probability {
                return action;
            }
            left -= probability;
        }
        // Rounding has left a little.
        network::best(logits, legal)
    }
}

impl<G: Game> Evaluator<G> for NetworkAgent {
    fn row_size(&self) -> usize {
        self.network.input_size()
    }

    fn rows(&self) -> usize {
        self.network.rows()
    }

    fn read(&self, known: &Knowledge<'_, G>, rng: &mut Rng, row: &mut [u8]) {
        if known.legal().len() == 1 {
            return self.network.write_input(known, &mut rng.clone(), row);
        }
        self.network.write_input(known, rng, row);
        self.draw(rng);
    }

    fn evaluate(&self, rows: &[u8], logits: &mut [f32], values: &mut [f32]) {
        self.network.evaluate(rows, logits, values);
        for value in values {
            *value /= self.network.reward_scale();
        }
    }

    fn write_policy(&self, logits: &[f32], legal: &G::Legal, out: &mut [f32]) {
        let mut probabilities = Vec::new();
        let temperature = if self.temperature == 0.0 { 1.0 } else { self.temperature };
        network::policy(logits, legal, temperature, &mut probabilities);
        out.fill(0.0);
        for (action, probability) in legal.iter().zip(probabilities) {
            out[action.index()] = probability;
        }
    }
}

impl<G: Game> Agent<G> for NetworkAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        if known.legal().len() == 1 {
            return known.legal().select(0);
        }
        let logits = self.logits(known, rng);
        let drawn = self.draw(rng);
        self.choose(&logits, known.legal(), &mut Vec::new(), drawn)
    }

    fn evaluator(&self) -> Option<&dyn Evaluator<G>> {
        Some(self)
    }

    fn prefers_batches(&self) -> bool {
        true
    }

    // Evaluates the rows of a part together: the fewer parts, the better.
    fn parts_per_thread(&self) -> usize {
        1
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        let kept = self.kept.lock().ok().and_then(|mut kept| kept.pop());
        let mut buffers = kept.unwrap_or_default();
        let Buffers { rows, draws, inputs, logits, values, probabilities } = &mut buffers;
        rows.clear();
        draws.clear();
        let (together, last) = (self.network.rows(), decisions.rows());
        let (size, actions) = (self.network.input_size(), self.network.actions());
        for row in 0..last {
            if let Some(decision) = decisions.get(row) {
                let known = decision.known;
                if known.legal().len() == 1 {
                    decision.choose(known.legal().select(0));
                } else {
                    let (start, end) = (rows.len() * size, (rows.len() + 1) * size);
                    if inputs.len() < end {
                        inputs.resize(end, 0);
                    }
                    self.network.write_input(&known, decision.rng, &mut inputs[start..end]);
                    rows.push(row);
                    draws.push(self.draw(decision.rng));
                }
            }
            if rows.is_empty() || (rows.len() < together && row + 1 < last) {
                continue;
            }
            logits.resize(rows.len() * actions, 0.0);
            values.resize(rows.len(), 0.0);
            self.network.evaluate(&inputs[..rows.len() * size], logits, values);
            let evaluated = rows.drain(..).zip(draws.drain(..)).zip(logits.chunks_exact(actions));
            for ((row, drawn), logits) in evaluated {
                if let Some(decision) = decisions.get(row) {
                    let action = self.choose(logits, decision.known.legal(), probabilities, drawn);
                    decision.choose(action);
                }
            }
        }
        // A failed call of another thread has left them as they are.
        if let Ok(mut kept) = self.kept.lock() {
            kept.push(buffers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_of_networks_are_read_and_written_in_one_way() {
        for text in [
            "a.onnx",
            "a.onnx,temperature=0",
            "some where/b.onnx,temperature=0.5",
            "C:\\x.onnx",
            "a.onnx,temperature=100",
        ] {
            assert_eq!(text.parse::<NetworkSpec>().unwrap().to_string(), text);
        }
        let temperature = |text: &str| text.parse::<NetworkSpec>().unwrap().temperature;
        assert_eq!(["a.onnx", "a.onnx,temperature=0"].map(temperature), [None, Some(0)]);
    }

    #[test]
    fn bad_specs_of_networks_are_refused_with_what_is_allowed() {
        let said = |text: &str| text.parse::<NetworkSpec>().unwrap_err().to_string();
        for (text, message) in [
            ("a.onnx,sample", "got `sample` after a network; options are NAME=VALUE"),
            (
                "a.onnx,temperatur=1",
                "got option `temperatur` of a network (did you mean `temperature`?); allowed: `temperature`",
            ),
            ("a.onnx,", "an option of a network is missing after a comma; options are NAME=VALUE"),
            ("a.pt", "got `a.pt`; the file of a network ends with `.onnx`"),
            ("a.onnx,temperature=1,temperature=1", "option `temperature` of a network is given twice"),
            (
                "a.onnx,temperature=-1",
                "got `-1` for `temperature` of a network; allowed: 0 to 100 with at most two decimals",
            ),
            (".onnx", "got `.onnx`; the file of a network ends with `.onnx`"),
        ] {
            assert_eq!(said(text), format!("argument `agent`: {message}"));
        }
    }
}
