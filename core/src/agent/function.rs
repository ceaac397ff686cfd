//! Agents that a host brings: a function of it chooses, for many decisions at once.

use super::{Agent, Decisions, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::error::Error;
use crate::game::Game;
use crate::player::Action;
use crate::rng::Rng;
use crate::vec::ObsType;
use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// Why a function has not chosen: an [`Error`] of the engine (it chose an illegal action), or whatever the host wants back, such as an exception.
pub type Failure = Box<dyn Any + Send + Sync>;

/// Most illegal actions that an error lists.
const LISTED: usize = 20;

/// Observations as bytes, or as floats in [-1, 1].
#[derive(Clone, Copy, Debug)]
pub enum Observations<'a> {
    /// Bytes.
    U8(&'a [u8]),
    /// Floats: [`Layout::to_f32`](crate::info::Layout::to_f32).
    F32(&'a [f32]),
}

/// The decisions that a function must make, a row for each of R. At least two actions are legal in every row.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRows<'a> {
    /// `[R, O]` observations of the players who must act.
    pub obs: Observations<'a>,
    /// `[R, A]` 1 for legal actions, 0 elsewhere.
    pub action_mask: &'a [u8],
    /// `[R]` these players.
    pub players: &'a [i32],
    /// `[R]` what the game's greedy agent would do, if the function reads it ([`Function::takes_greedy`]); otherwise empty.
    pub greedy: &'a [i64],
}

/// A function of a host.
///
/// Its choice in a row must follow from that row alone: which rows come together depends on the number of threads. It is called from any thread.
pub trait Function: Debug + Send + Sync {
    /// Writes the chosen action of each row.
    ///
    /// # Errors
    /// Anything that the host wants back.
    fn choose(&self, rows: &FunctionRows<'_>, actions: &mut [i64]) -> Result<(), Failure>;

    /// Whether it reads the greedy agent's actions.
    fn takes_greedy(&self) -> bool {
        false
    }
}

/// The failures of decisions outside of batches that nobody has taken yet, one for each thread at most. The agent and its object-safe form share
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures(Arc<Mutex<Vec<(ThreadId, Failure)>>>);

impl Failures {
    fn lock(&self) -> MutexGuard<'_, Vec<(ThreadId, Failure)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is one of the calling thread.
    pub(super) fn has_one(&self) -> bool {
        let this = thread::current().id();
        self.lock().iter().any(|(thread, _)| *thread == this)
    }

    /// Takes that of the calling thread.
    pub(super) fn take(&self) -> Option<Failure> {
        let (mut all, this) = (self.lock(), thread::current().id());
        let at = all.iter().position(|(thread, _)| *thread == this)?;
        Some(all.swap_remove(at).1)
    }

    fn put(&self, failure: Failure) {
        self.lock().push((thread::current().id(), failure));
    }
}

/// An agent whose choices are those of a function of the host. It keeps nothing, and draws only what the greedy agent draws. After a failure
/// outside of batches it does not call the function again on this thread until the failure is taken ([`AnyAgent::take_failure`](super::AnyAgent::take_failure)).
#[derive(Debug)]
pub struct FunctionAgent {
    name: String,
    function: Arc<dyn Function>,
    dtype: ObsType,
    pub(super) failures: Failures,
}

/// The rows of a call. Buffers are made anew: calling a function of the host costs more.
#[derive(Default)]
struct Collected {
    /// Their places among the decisions.
    places: Vec<usize>,
    bytes: Vec<u8>,
    floats: Vec<f32>,
    masks: Vec<u8>,
    players: Vec<i32>,
    greedy: Vec<i64>,
    /// One observation.
    row: Vec<u8>,
}

impl Collected {
    fn add<G: Game>(&mut self, place: usize, known: &Knowledge<'_, G>, agent: &FunctionAgent, rng: &mut Rng) {
        let layout = &known.game().info().observation;
        self.row.resize(layout.size(), 0);
        known.write_observation(&mut self.row);
        match agent.dtype {
            ObsType::U8 => self.bytes.extend(&self.row),
            ObsType::F32 => {
                let from = self.floats.len();
                self.floats.resize(from + self.row.len(), 0.0);
                layout.to_f32(&self.row, &mut self.floats[from..]);
            }
        }
        let from = self.masks.len();
        self.masks.resize(from + known.game().info().num_actions, 0);
        known.write_mask(&mut self.masks[from..]);
        if agent.function.takes_greedy() {
            self.greedy.push(known.greedy(rng).0.into());
        }
        self.players.push(known.player().0.into());
        self.places.push(place);
    }

    fn rows(&self, dtype: ObsType) -> FunctionRows<'_> {
        let obs = match dtype {
            ObsType::U8 => Observations::U8(&self.bytes),
            ObsType::F32 => Observations::F32(&self.floats),
        };
        FunctionRows { obs, action_mask: &self.masks, players: &self.players, greedy: &self.greedy }
    }
}

impl FunctionAgent {
    /// The agent of a function, which reads observations of this type. Results and saves of batches name it; let no spec be its name.
    pub fn new(name: &str, function: Arc<dyn Function>, dtype: ObsType) -> FunctionAgent {
        FunctionAgent { name: name.into(), function, dtype, failures: Failures::default() }
    }

    /// The legal choices of all rows.
    fn choose(&self, collected: &Collected) -> Result<Vec<i64>, Failure> {
        let mut actions = vec![-1; collected.players.len()];
        self.function.choose(&collected.rows(self.dtype), &mut actions)?;
        let size = collected.masks.len() / actions.len();
        let masks = collected.masks.chunks_exact(size);
        let is_legal = |mask: &[u8], action: i64| {
            usize::try_from(action).is_ok_and(|action| mask.get(action).is_some_and(|&legal| legal != 0))
        };
        let rows = masks.zip(&actions).zip(&collected.players);
        let illegal: Vec<String> = rows
            .filter(|((mask, action), _)| !is_legal(mask, **action))
            .map(|((_, action), player)| format!("[player {player}, action {action}]"))
            .collect();
        if illegal.is_empty() {
            return Ok(actions);
        }
        let (name, count, rows) = (&self.name, illegal.len(), actions.len());
        let listed = illegal[..count.min(LISTED)].join(", ");
        let message = format!("`{name}` chose illegal actions in {count} of {rows} rows: {listed}");
        Err(Box::new(Error::argument("agent", message)))
    }
}

impl<G: Game> Agent<G> for FunctionAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let chosen = Agent::<G>::act_while(self, known, memory, rng, &|| true);
        chosen.unwrap_or_else(|| known.legal().select(0))
    }

    fn act_while(
        &self,
        known: &Knowledge<'_, G>,
        _: &mut Memory<'_>,
        rng: &mut Rng,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Option<Action> {
        if known.legal().len() == 1 {
            return Some(known.legal().select(0));
        }
        if self.failures.has_one() {
            return None;
        }
        let mut collected = Collected::default();
        collected.add(0, known, self, rng);
        match self.choose(&collected) {
            Ok(actions) => u16::try_from(actions[0]).ok().map(Action),
            Err(failure) => {
                self.failures.put(failure);
                None
            }
        }
    }

    fn can_fail(&self) -> bool {
        true
    }

    fn prefers_batches(&self) -> bool {
        true
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        let mut collected = Collected::default();
        for row in 0..decisions.rows() {
            let Some(decision) = decisions.get(row) else { continue };
            let known = decision.known;
            match known.legal().len() {
                1 => decision.choose(known.legal().select(0)),
                _ => collected.add(row, &known, self, decision.rng),
            }
        }
        if collected.places.is_empty() {
            return;
        }
        match self.choose(&collected) {
            Ok(actions) => {
                for (row, action) in collected.places.into_iter().zip(actions) {
                    if let (Some(decision), Ok(action)) = (decisions.get(row), u16::try_from(action)) {
                        decision.choose(Action(action));
                    }
                }
            }
            Err(failure) => decisions.fail(failure),
        }
    }
}
