//! Trained networks: ONNX files that `playmat train` and `playmat.export_policy` write, evaluated by the engine.
//!
//! A file carries the game that it was trained for ([`Network::load`] refuses every other one), reads an observation and gives logits
//! of all actions and a value. It may also read which action the greedy agent would choose ([`Network::takes_greedy`]). Rows of a batch do
//! not influence each other, and a row's numbers have the same bits in every batch and on every processor. Evaluation starts no thread.

mod kernel;
mod onnx;
mod plan;

use crate::agent::{Knowledge, assert_legal};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::float;
use crate::game::Game;
use crate::info::{GameInfo, RewardKind};
use crate::player::Action;
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::rng::Rng;
use onnx::{Attribute, Constant, Data, Model, Node, Refusal, Tensor, short};
use plan::{Plan, Scratch};
use serde_json::{Map, Value, json};
use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// The form of the metadata that this version reads and writes.
const FORMAT: &str = "1";
/// Largest temperature of a file.
const MOST_TEMPERATURE: f32 = 100.0;
/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 28;
/// Buffers that are kept for reuse: as many as threads that evaluate at once.
const MOST_SCRATCH: usize = 64;

/// A trained network for a configured game.
pub struct Network {
    plan: Plan,
    level: Level,
    reward: RewardKind,
    reward_scale: f32,
    relative: bool,
    win_bonus: f32,
    temperature: f32,
    /// Of the bytes of its file.
    identity: u64,
    scratch: Mutex<Vec<Scratch>>,
}

/// The metadata of a file.
struct Metadata<'a>(&'a [(&'a str, &'a str)]);

impl<'a> Metadata<'a> {
    fn text(&self, key: &str) -> std::result::Result<&'a str, Refusal> {
        let found = self.0.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| *value).ok_or_else(|| {
            format!("its metadata lacks `{key}`; `playmat.export_policy` in Python adds it").into()
        })
    }

    /// A number from 0 to `most`; 0 in a file from before there was one.
    fn number(&self, key: &str, most: f32) -> std::result::Result<f32, Refusal> {
        if self.text(key).is_err() {
            return Ok(0.0);
        }
        let number = self.json(key)?.as_f64().map(|number| number as f32);
        number.filter(|number| (0.0..=most).contains(number)).ok_or_else(|| {
            let allowed = if most == f32::MAX { "of at least 0".into() } else { format!("from 0 to {most}") };
            format!("its metadata `{key}` is not a number {allowed}").into()
        })
    }

    fn json(&self, key: &str) -> std::result::Result<Value, Refusal> {
        serde_json::from_str(self.text(key)?).map_err(|_| format!("its metadata `{key}` is not JSON").into())
    }
}

impl Network {
    /// Reads a file and checks that it was trained for the configured game. `reward` and `max_steps` of the game may differ.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent`: names the file and the reason. It cannot be read; it is malformed; it has an operator that
    /// is not supported; it was trained for another game, version, content, options, observation or actions; this library was built
    /// without the feature `onnx`.
    pub fn load<G: Game>(path: &str, configured: &ConfiguredGame<G>) -> Result<Network> {
        let refuse = |reason: &str| {
            let name: String = path.chars().take(1000).collect();
            Error::argument("agent", format!("network `{name}`: {reason}"))
        };
        if !cfg!(feature = "onnx") {
            return Err(refuse("this library was built without networks; build it with the feature `onnx`"));
        }
        let read = read(Path::new(path))
            .and_then(|bytes| Network::parse(&bytes, configured.game.info(), &configured.own_options()));
        read.map_err(|reason| refuse(&reason))
    }

    /// Without the type of the game, so that it is compiled once.
    fn parse(
        bytes: &[u8],
        info: &GameInfo,
        options: &Map<String, Value>,
    ) -> std::result::Result<Network, Refusal> {
        let model = Model::parse(bytes)?;
        let metadata = Metadata(&model.metadata);
        check(&metadata, info, options)?;
        let name = metadata.text("playmat.reward")?;
        let reward = RewardKind::parse(name);
        let reward = reward.ok_or_else(|| format!("its metadata `playmat.reward` is `{}`", short(name)))?;
        let Some(reward_scale) = metadata.json("playmat.reward_scale")?.as_f64().filter(|&scale| {
            let scale = scale as f32;
            scale.is_finite() && scale > 0.0 && (1.0 / scale).is_finite()
        }) else {
            return Err("its metadata `playmat.reward_scale` is not a number above 0".into());
        };
        let Some(relative) = metadata.json("playmat.relative")?.as_bool() else {
            return Err("its metadata `playmat.relative` is neither true nor false".into());
        };
        let win_bonus = metadata.number("playmat.win_bonus", f32::MAX)?;
        let temperature = metadata.number("playmat.temperature", MOST_TEMPERATURE)?;
        let plan = Plan::new(model, info.observation.size(), info.num_actions)?;
        Ok(Network {
            plan,
            level: Level::detect(),
            reward,
            reward_scale: reward_scale as f32,
            relative,
            win_bonus,
            temperature,
            identity: xxh3_64(bytes).max(1),
            scratch: Mutex::default(),
        })
    }

    /// A small network with random weights, for the returns of the configured game. Checks of agents use it in place of a file. Every byte
    /// of an observation has an influence on all logits; with `takes_greedy`, so has the greedy agent's action.
    pub(crate) fn random<G: Game>(configured: &ConfiguredGame<G>, takes_greedy: bool, seed: u64) -> Network {
        Network::random_for(configured.game.info(), configured.reward, takes_greedy, seed)
    }

    fn random_for(info: &GameInfo, reward: RewardKind, takes_greedy: bool, seed: u64) -> Network {
        const UNITS: usize = 8;
        let (observation, actions) = (info.observation.size(), info.num_actions);
        let mut rng = Rng::from_seed(seed);
        let mut numbers = |name, shape: &[usize]| {
            let count = shape.iter().product();
            let data = (0..count).map(|_| rng.next_u32() as f32 / 2_147_483_648.0 - 1.0).collect();
            Constant { name, shape: shape.to_vec(), data: Data::F32(data) }
        };
        let flat = Constant { name: "flat", shape: vec![1], data: Data::I64(vec![-1]) };
        let mut constants = vec![
            numbers("w1", &[observation, UNITS]),
            numbers("b1", &[UNITS]),
            numbers("w2", &[UNITS, actions]),
            numbers("b2", &[actions]),
            numbers("w3", &[UNITS, 1]),
            numbers("b3", &[1]),
            flat,
        ];
        if takes_greedy {
            constants.push(numbers("w4", &[actions, UNITS]));
        }
        let node = |kind, inputs: &[&'static str], output, attributes| Node {
            kind,
            inputs: inputs.to_vec(),
            outputs: vec![output],
            attributes,
        };
        let to_float = || vec![("to", Attribute::Int(onnx::FLOAT))];
        let mut nodes = vec![
            node("Cast", &["obs"], "numbers", to_float()),
            node("Gemm", &["numbers", "w1", "b1"], "seen", vec![]),
        ];
        let hidden = if takes_greedy {
            nodes.push(node("Cast", &["greedy"], "chosen", to_float()));
            nodes.push(node("MatMul", &["chosen", "w4"], "bonus", vec![]));
            nodes.push(node("Add", &["seen", "bonus"], "hidden", vec![]));
            "hidden"
        } else {
            "seen"
        };
        nodes.extend([
            node("Gemm", &[hidden, "w2", "b2"], "logits", vec![]),
            node("Gemm", &[hidden, "w3", "b3"], "column", vec![]),
            node("Reshape", &["column", "flat"], "value", vec![]),
        ]);
        let tensor = |name, dtype, shape: &[usize]| Tensor {
            name,
            dtype,
            shape: [None].into_iter().chain(shape.iter().map(|&size| Some(size as i64))).collect(),
        };
        let mut inputs =
            vec![tensor("obs", onnx::UINT8, &[observation]), tensor("mask", onnx::BOOL, &[actions])];
        if takes_greedy {
            inputs.push(tensor("greedy", onnx::UINT8, &[actions]));
        }
        let model = Model {
            opset: 13,
            metadata: Vec::new(),
            nodes,
            constants,
            inputs,
            outputs: vec![tensor("logits", onnx::FLOAT, &[actions]), tensor("value", onnx::FLOAT, &[])],
        };
        let plan = Plan::new(model, observation, actions).expect("the layers fit together");
        Network {
            plan,
            level: Level::detect(),
            reward,
            reward_scale: 1.0,
            relative: false,
            win_bonus: 0.0,
            temperature: 0.0,
            identity: seed.max(1),
            scratch: Mutex::default(),
        }
    }

    /// A number that another file does not have; never 0.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// The kind of reward that it was trained on: the returns that its values estimate.
    pub fn reward(&self) -> RewardKind {
        self.reward
    }

    /// The factor by which training multiplied rewards.
    pub fn reward_scale(&self) -> f32 {
        self.reward_scale
    }

    /// Whether it was trained on relative rewards: the player's reward minus the mean of the others'.
    pub fn relative(&self) -> bool {
        self.relative
    }

    /// What training paid at the end of an episode beside the scaled rewards, times the player's [place](crate::reward::places).
    pub fn win_bonus(&self) -> f32 {
        self.win_bonus
    }

    /// The temperature of the policy that the agent of this file draws actions from, unless its spec has another: 0 to 100. With 0 it plays the
    /// likeliest action. A search with the network does not use it.
    pub fn temperature(&self) -> f32 {
        self.temperature
    }

    /// Number of actions.
    pub fn actions(&self) -> usize {
        self.plan.actions
    }

    /// Whether it reads which action the greedy agent would choose: the file has an input `greedy`, uint8 `[batch, A]`.
    pub fn takes_greedy(&self) -> bool {
        self.plan.takes_greedy
    }

    /// Bytes of a row that [`Network::evaluate`] reads: an observation and, if the network takes the greedy agent's action, one byte per
    /// action after it.
    pub fn input_size(&self) -> usize {
        self.plan.input()
    }

    /// Fills the part of a row after the observation: 1 at the action of the greedy agent, 0 elsewhere; nothing if the network does not
    /// take it.
    ///
    /// # Panics
    /// If the row has not [`Network::input_size`] bytes, or the game has no such action.
    pub fn write_greedy(&self, row: &mut [u8], chosen: Option<Action>) {
        assert_eq!(row.len(), self.plan.input(), "bytes of a row");
        let actions = &mut row[self.plan.observation..];
        if self.plan.takes_greedy {
            actions.fill(0);
            if let Some(chosen) = chosen {
                actions[chosen.index()] = 1;
            }
        }
    }

    /// Writes the row that the network reads for a decision. Draws from `rng` only if the network reads the greedy agent's action and that
    /// agent draws.
    ///
    /// # Panics
    /// If the greedy agent chooses an illegal action.
    pub(crate) fn write_input<G: Game>(&self, known: &Knowledge<'_, G>, rng: &mut Rng, row: &mut [u8]) {
        known.write_observation(&mut row[..self.plan.observation]);
        if self.plan.takes_greedy {
            let chosen = known.greedy(rng);
            assert_legal(known.legal(), chosen);
            self.write_greedy(row, Some(chosen));
        }
    }

    /// Rows that [`Network::evaluate`] computes together: a batch of fewer takes longer per row.
    pub fn rows(&self) -> usize {
        self.plan.chunk()
    }

    /// Writes logits `[rows, A]` and values `[rows]`, of the player that sees the observation, for rows of [`Network::input_size`] bytes:
    /// observations, and what [`Network::write_greedy`] writes. Logits of illegal actions have no meaning.
    ///
    /// # Panics
    /// If a slice has another length.
    pub fn evaluate(&self, inputs: &[u8], logits: &mut [f32], values: &mut [f32]) {
        let (size, actions, rows) = (self.plan.input(), self.plan.actions, values.len());
        assert_eq!(inputs.len(), rows * size, "bytes of all rows");
        assert_eq!(logits.len(), rows * actions, "number of logits");
        let kept = self.scratch.lock().ok().and_then(|mut kept| kept.pop());
        let mut scratch = kept.unwrap_or_default();
        let mut at = 0;
        while at < rows {
            let end = (at + self.plan.chunk()).min(rows);
            let run = Run {
                plan: &self.plan,
                inputs: &inputs[at * size..end * size],
                scratch: &mut scratch,
                logits: &mut logits[at * actions..end * actions],
                values: &mut values[at..end],
            };
            dispatch(self.level, run);
            at = end;
        }
        if let Ok(mut kept) = self.scratch.lock()
            && kept.len() < MOST_SCRATCH
        {
            kept.push(scratch);
        }
    }
}

struct Run<'a> {
    plan: &'a Plan,
    inputs: &'a [u8],
    scratch: &'a mut Scratch,
    logits: &'a mut [f32],
    values: &'a mut [f32],
}

impl Kernel for Run<'_> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Run { plan, inputs, scratch, logits, values } = self;
        plan.run(inputs, values.len(), scratch, logits, values);
    }
}

// The weights are many.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("reward", &self.reward).finish_non_exhaustive()
    }
}

/// The bytes of a file.
fn read(path: &Path) -> std::result::Result<Vec<u8>, Refusal> {
    let cannot = |error: std::io::Error| Refusal::from(format!("cannot read it: {error}"));
    let about = std::fs::metadata(path).map_err(cannot)?;
    // A pipe would wait for a writer.
    if !about.is_file() {
        return Err("it is not a file".into());
    }
    if about.len() > MOST_BYTES {
        return Err(format!("it has {} bytes; allowed: at most {MOST_BYTES}", about.len()).into());
    }
    std::fs::read(path).map_err(cannot)
}

/// Refuses a file that was trained for another game or configuration.
fn check(
    metadata: &Metadata<'_>,
    info: &GameInfo,
    here: &Map<String, Value>,
) -> std::result::Result<(), Refusal> {
    let format = metadata.text("playmat.format")?;
    if format != FORMAT {
        return Err(
            format!("its metadata has format `{}`; this version reads `{FORMAT}`", short(format)).into()
        );
    }
    let content = match info.content_name.is_empty() {
        true => "None".into(),
        false => crate::json::hex(info.content_hash),
    };
    for (what, key, here) in [
        ("game", "playmat.game", info.id.into()),
        ("version", "playmat.version", info.version.to_string()),
        ("players", "playmat.players", info.players.to_string()),
        ("content", "playmat.content", content),
    ] {
        let there = metadata.text(key)?;
        if there != here {
            return Err(format!("it was trained for {what} `{}`; here it is `{here}`", short(there)).into());
        }
    }
    let Value::Object(there) = metadata.json("playmat.options")? else {
        return Err("its metadata `playmat.options` is not a JSON object".into());
    };
    let own = |options: &Map<String, Value>, name: &str| {
        options.get(name).map_or("absent".into(), Value::to_string)
    };
    let foreign = there.keys().filter(|name| !matches!(name.as_str(), "content" | "reward" | "max_steps"));
    for name in here.keys().chain(foreign) {
        if there.get(name) != here.get(name) {
            let (there, here, name) = (own(&there, name), own(here, name), short(name));
            return Err(
                format!("it was trained with option `{name}` {}; here it is {here}", short(&there)).into()
            );
        }
    }
    for (what, key, here) in [
        ("observation", "playmat.observation", observation(info)),
        ("actions", "playmat.actions", actions(info)),
    ] {
        if metadata.json(key)? != here {
            return Err(format!("it was trained with another layout of the {what}").into());
        }
    }
    Ok(())
}

/// The layout of an observation: names, shapes, and what turns bytes into numbers.
fn observation(info: &GameInfo) -> Value {
    let segments = info.observation.segments.iter();
    segments.map(|s| json!({"name": s.name, "shape": s.shape, "bias": s.bias, "scale": s.scale})).collect()
}

fn actions(info: &GameInfo) -> Value {
    info.actions.iter().map(|a| json!({"name": a.name, "start": a.start, "shape": a.shape})).collect()
}

/// The legal action with the highest logit; the lowest of several.
pub fn best<L: LegalSet>(logits: &[f32], legal: &L) -> Action {
    let mut best = legal.select(0);
    for action in legal.iter() {
        if logits[action.index()] > logits[best.index()] {
            best = action;
        }
    }
    best
}

/// The policy: a probability for each legal action, ascending, from logits divided by `temperature`. It is computed with additions,
/// multiplications and divisions only, so that all platforms get the same bits.
pub fn policy<L: LegalSet>(logits: &[f32], legal: &L, temperature: f32, out: &mut Vec<f32>) {
    let highest = logits[best(logits, legal).index()];
    out.clear();
    out.extend(legal.iter().map(|action| weight((logits[action.index()] - highest) / temperature)));
    let sum: f32 = out.iter().sum();
    let even = 1.0 / out.len().max(1) as f32;
    for probability in out {
        // Weights so large that logits overflow leave nothing to choose by.
        *probability = if sum.is_finite() && sum > 0.0 { *probability / sum } else { even };
    }
}

/// The exponential of a number up to 0, to nearly the precision of f32.
fn weight(x: f32) -> f32 {
    if x.is_nan() { f32::NAN } else { float::exp(f64::from(x.clamp(-100.0, 0.0))) as f32 }
}

#[cfg(test)]
pub(crate) mod tests;
