//! `playmat.VecEnv`: many episodes of one game, stepped together.

mod arguments;
mod asynchronous;
mod conversions;
mod pickle;
pub(crate) mod reset;
mod results;
mod rollout;

pub(crate) use arguments::arguments;
pub(crate) use pickle::_restore_vec_env;

use crate::agent::{Agent, BatchStatistics};
use crate::arrays::{ForeignArray, Memory, zeros};
use crate::batch::{Batch, Form, Place, Places, Store};
use crate::env::{BUSY, Env};
use crate::errors::{Refusal, Result};
use crate::function::{Functions, refusal_of};
use crate::game::Game;
use crate::lock::{Guard, Lock, is_within_function};
use crate::scalars::{Count, ENV, PLAYER, STEPS, Whole, bytes, number, numbers, texts};
use crate::signals::{Pieces, SharedSignals, Signals};
use crate::states::States;
use arguments::Arguments;
use playmat_core::agent::AnyAgent;
use playmat_core::any::AnyVecEnv;
use playmat_core::error::Error;
use playmat_core::vec::{Actions, Buffers, Sizes, VecConfig};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rollout::RolloutPlaces;
use serde_json::Value;

const CLOSED: Error = Error::Order("the environment is closed");
/// The refusal of what would wait for a step whose function asks for it.
const IN_USE: Error =
    Error::Order("a function that chooses for an agent may not wait for a step, or close the environment");

/// N episodes of one game, stepped together by a pool of threads, with the interpreter's lock released. Made by `Game.vec_env`.
///
/// Results are written into arrays that are allocated once, or into the caller's (`out=`). A step is a transaction: a refused step
/// leaves the whole batch and all arrays unchanged. Results do not depend on the number of threads. Calls from several threads
/// wait for each other; a signal handler that uses it during a call of the same thread gets an `OrderError`. Works after `os.fork`, and with
/// `pickle` and as a context manager.
///
/// >>> import playmat
/// >>> venv = playmat.Game("leduc_poker").vec_env(64, threads=2)
/// >>> batch = venv.reset(seed=1)
/// >>> batch.obs.shape, batch.action_mask.shape, batch.reward.shape
/// ((64, 30), (64, 3), (64, 2))
/// >>> ended = 0
/// >>> for _ in range(100):
/// ...     batch = venv.step(venv.sample_actions())
/// ...     ended += int(batch.terminated.sum())
/// >>> ended > 1000
/// True
/// >>> venv.close()
#[pyclass(frozen, module = "playmat", name = "VecEnv")]
pub(crate) struct VecEnv {
    game: Py<Game>,
    store: Store,
    sizes: Sizes,
    config: VecConfig,
    /// The arguments that made it, for pickling.
    arguments: Value,
    inner: Lock<Inner>,
}

struct Inner {
    venv: Option<Box<dyn AnyVecEnv>>,
    /// Which of the two buffers of drawn actions was handed out last.
    handed: usize,
    /// What the asynchronous step under way will return.
    pending: Option<Py<Batch>>,
    /// Whether the batch was reset or loaded.
    begun: bool,
    /// The number that the streams began with, if it was one.
    seed: Option<u64>,
    /// The functions among the opponents.
    functions: Functions,
    /// How far the last rollout played between two looks for signals.
    piece: Option<Piece>,
}

/// Steps of an agent that take about as long as a signal may wait.
struct Piece {
    agent: String,
    steps: usize,
}

/// The result of a call in which functions may have chosen for agents; `argument` names these in errors.
fn outcome<T>(
    venv: &mut dyn AnyVecEnv,
    result: std::result::Result<T, Error>,
    argument: &'static str,
) -> Result<T> {
    result.map_err(|error| match venv.take_failure() {
        Some(failure) => refusal_of(failure, argument),
        None => error.into(),
    })
}

impl Drop for Inner {
    /// A step under way may wait for the interpreter, to call a function: it must not be held while the step ends.
    fn drop(&mut self) {
        let mut venv = self.venv.take();
        if self.functions.is_empty() || !venv.as_ref().is_some_and(|venv| venv.is_pending()) {
            return;
        }
        let done = Python::try_attach(|py| {
            let venv = venv.take();
            py.detach(|| drop(venv));
        });
        if done.is_none() {
            // The interpreter ends, and the step gets no further.
            std::mem::forget(venv);
        }
    }
}

impl Inner {
    fn open(&mut self) -> Result<&mut Box<dyn AnyVecEnv>> {
        self.venv.as_mut().ok_or(Refusal::Engine(CLOSED))
    }
}

impl VecEnv {
    /// A batch of environments from the keyword arguments of `Game.vec_env`, as JSON, in which functions have names.
    pub(crate) fn make(
        py: Python<'_>,
        game: Py<Game>,
        arguments: Value,
        functions: Functions,
    ) -> Result<VecEnv> {
        let info = game.get().inner.info();
        let Arguments { request, fields } = Arguments::read(&arguments, info.players, &functions.names())?;
        let config = request.config.clone();
        let sizes = Sizes::new(info, &config);
        // The arrays first: what does not fit is refused before anything is filled.
        let store = Store::new(py, &sizes, &config, fields)?;
        let agent = |name: &str| match functions.get(name) {
            Some(agent) => Ok(agent.clone()),
            None => game.get().inner.agent(name).map_err(|error| error.renamed("agent", "opponents")),
        };
        let pool = request.pool().into_iter().map(|(name, weight)| Ok((agent(name)?, weight)));
        let pool = pool.collect::<std::result::Result<Vec<_>, Error>>()?;
        let venv = game.get().inner.vec_env_of(request.config.clone(), &pool)?;
        let inner = Inner {
            venv: Some(venv),
            handed: 0,
            pending: None,
            begun: false,
            seed: None,
            functions,
            piece: None,
        };
        Ok(VecEnv { game, store, sizes, config, arguments, inner: Lock::new(inner, BUSY) })
    }

    /// The environment for one call.
    #[inline]
    fn lock<'a>(&'a self, py: Python<'_>) -> Result<Guard<'a, Inner>> {
        self.inner.lock(py)
    }

    /// Writes what an agent chooses in every row, or in those of `mask`, into `out`, or a new array.
    pub(crate) fn act_batch<'py>(
        &self,
        py: Python<'py>,
        agent: &AnyAgent,
        out: Option<Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let mask = mask.map(|mask| self.read_mask(mask)).transpose()?;
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        let form = Form::of_actions(&self.sizes, &self.config);
        let out = match out {
            Some(out) => out,
            None => form.zeros(py)?,
        };
        let mut foreign = ForeignArray::default();
        let target: &mut [i64] = Place::slice(Some(Place::of(&form.check("", &out, &mut foreign)?)));
        let signals = SharedSignals::new();
        let done =
            py.detach(|| venv.act_batch_while(agent, mask.as_deref(), target, &|| signals.keeps_going()));
        outcome(&mut **venv, done, "agent")?;
        signals.finish()?;
        Ok(out)
    }

    /// The policy and the values of a network's agent: arrays `[N, A]` and `[N]`, in the joint view `[N, P, A]` and `[N, P]`.
    pub(crate) fn evaluate<'py>(
        &self,
        py: Python<'py>,
        agent: &AnyAgent,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let by_row = Form::of_actions(&self.sizes, &self.config).shape;
        let by_action = [&by_row[..], &[self.sizes.actions]].concat();
        let arrays = [zeros::<f32>(py, &by_action)?, zeros::<f32>(py, &by_row)?];
        let numbers = |array| Memory::of(array).expect("an array of numpy").floats_mut();
        let [policy, value] = arrays.each_ref().map(numbers);
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        py.detach(|| venv.evaluate(agent, policy, value))?;
        let [policy, value] = arrays;
        Ok((policy, value))
    }

    /// What an agent's searches found about the decisions that it chose last, in new arrays.
    pub(crate) fn search_statistics(&self, py: Python<'_>, agent: &AnyAgent) -> Result<BatchStatistics> {
        let by_row = Form::of_actions(&self.sizes, &self.config).shape;
        let by_action = [&by_row[..], &[self.sizes.actions]].concat();
        let counts = [zeros::<i32>(py, &by_action)?, zeros::<i32>(py, &by_row)?];
        let numbers =
            [zeros::<f32>(py, &by_action)?, zeros::<f32>(py, &by_action)?, zeros::<f32>(py, &by_row)?];
        let memory = |array| Memory::of(array).expect("an array of numpy");
        let [visits, simulations] =
            counts.each_ref().map(|array| Place::slice(Some(Place::of(&memory(array)))));
        let [mean_return, prior, value] = numbers.each_ref().map(|array| memory(array).floats_mut());
        let out = &mut playmat_core::vec::BatchStatistics { visits, mean_return, prior, value, simulations };
        self.lock(py)?.open()?.search_statistics(agent, out)?;
        let [visits, simulations] = counts.map(Bound::unbind);
        let [mean_return, prior, value] = numbers.map(Bound::unbind);
        Ok(BatchStatistics { visits, mean_return, prior, value, simulations })
    }

    /// A truth value for each environment.
    pub(crate) fn read_mask(&self, mask: &Bound<'_, PyAny>) -> Result<Vec<u8>> {
        reset::mask(mask, self.sizes.envs)
    }

    /// Does something with the batch, which no other call uses meanwhile; `None` if another thread uses it too long ([`Lock::try_lock_for`]).
    pub(crate) fn try_with<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyVecEnv) -> Result<R>,
    ) -> Result<Option<R>> {
        self.inner.try_lock_for(py)?.map(|mut inner| work(&mut **inner.open()?)).transpose()
    }

    /// Waits until no call uses the batch.
    pub(crate) fn wait_until_free(&self, py: Python<'_>) -> Result<()> {
        self.inner.wait_until_free(py)
    }

    /// Continues from saved bytes, and shows the batch.
    fn load(&self, py: Python<'_>, data: &[u8], seed: Option<u64>) -> Result<Py<Batch>> {
        let own = Places { fields: self.store.places, drawn: None };
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        py.detach(|| {
            venv.load_bytes(data)?;
            venv.show(&mut own.buffers(self.config.dtype))
        })?;
        (inner.begun, inner.seed) = (true, seed);
        Ok(self.store.batch.clone_ref(py))
    }
}

#[pymethods]
impl VecEnv {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Number of environments, N.
    #[getter]
    fn num_envs(&self) -> usize {
        self.sizes.envs
    }

    /// Number of threads that step, the caller's included.
    #[getter]
    fn threads(&self) -> usize {
        self.config.threads
    }

    /// What the caller sees and decides: `"turn"`, `"joint"` or `"single"`.
    #[getter]
    fn view(&self) -> &'static str {
        self.config.view.name()
    }

    /// What happens after an episode's end: `"same_step"`, `"next_step"` or `"disabled"`.
    #[getter]
    fn autoreset(&self) -> &'static str {
        self.config.autoreset.name()
    }

    /// Element type of observations: `"u8"` or `"f32"`.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.config.dtype.name()
    }

    /// The number that the streams of episodes began with: that of the last `reset` with one number, or the one that the first `reset`
    /// without any drew. `reset(seed=venv.seed)` plays the same episodes again. None before, and after a reset from a list of seeds or
    /// from states and after `load_bytes`, where there is no such number; `batch.episode_seed` says each episode's own at any time.
    #[getter]
    fn seed(&self, py: Python<'_>) -> Result<Option<u64>> {
        Ok(self.lock(py)?.seed)
    }

    /// The batch that steps and resets without `out` write and return, always the same object.
    #[getter]
    fn batch(&self, py: Python<'_>) -> Py<Batch> {
        self.store.batch.clone_ref(py)
    }

    /// Bytes of memory that the environments take: what the engine keeps for each (`env_bytes` of `Game.info`; in the joint view more), and
    /// the arrays that this environment has allocated for its outputs, those of `fields`. After `close` only the arrays. Not counted:
    /// arrays that are passed as `out`, what agents remember of an episode, networks, and some KiB for each thread.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> Result<usize> {
        let kept = self.lock(py)?.venv.as_ref().map_or(0, |venv| venv.env_bytes() * self.sizes.envs);
        Ok(kept + self.store.arena.range().len())
    }

    /// Whether an asynchronous step is under way.
    #[getter]
    fn pending(&self, py: Python<'_>) -> Result<bool> {
        Ok(self.lock(py)?.venv.as_ref().is_some_and(|venv| venv.is_pending()))
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self, py: Python<'_>) -> Result<bool> {
        Ok(self.lock(py)?.venv.is_none())
    }

    /// Starts new episodes.
    ///
    /// Args:
    ///     seed: One number: environment i starts its own stream of episodes, hashed from it and i. A list or array of N numbers: the
    ///         seeds of the very next episodes; what comes after them, and `sample_actions`, is hashed from the environment's own
    ///         number and i, so that environments with equal seeds play equal first episodes only. None: the next episode of each
    ///         environment's own stream; in the first reset of all, streams of a number that the operating system draws (`seed` says it).
    ///     states: Instead of seeds, N saved states (`States`, or bytes of `Env.to_bytes` and `Env` objects) to continue from. Their episodes
    ///         continue with the saved random stream of chance: a state draws here what its own episode will draw, so pass states of `Env.clone` or
    ///         `Env.sample_hidden` for search, which must not look ahead. Opponents, `sample_actions` and later episodes get streams of
    ///         their own, hashed with i as well, so that equal states continue differently.
    ///     mask: N truth values, which environments to reset; None for all. Lists still have N entries.
    ///     out: As in `step`.
    ///
    /// Returns:
    ///     The batch; environments that were not reset are shown as they stand, with reward 0.
    #[pyo3(signature = (seed=None, *, states=None, mask=None, out=None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<Py<Batch>> {
        self.begin(py, seed, states, mask, out)
    }

    /// Plays one step of every environment.
    ///
    /// Args:
    ///     actions: Array or tensor (any integer dtype, C-contiguous) or list, `[N]`; in the joint view `[N, P]`. Entries of
    ///         environments that are over (`next_step`) and of players who do not act are ignored.
    ///     out: Mapping from names of `Batch` fields to C-contiguous, writable arrays or tensors of the same shape and dtype (bool
    ///         fields also uint8 or int8), which are written instead of the environment's own. They may not overlap.
    ///
    /// Tensors of other libraries (DLPack) and objects with the buffer protocol are read and written in place, here and in every other
    /// argument that takes an array. Tensors of an accelerator need `.cpu()`.
    ///
    /// Returns:
    ///     The batch: the environment's own, whose arrays the next step or reset overwrites, or with `out` one that shows the given
    ///     arrays. Copy what must last, or collect it through `out`.
    ///
    /// Raises:
    ///     IllegalAction: `rows` lists environments, players and actions. Nothing was stepped, no array written.
    ///     EpisodeOver: With `autoreset="disabled"`, rows are over and must be reset.
    ///     InvalidArgument: Wrong shape, dtype, layout, overlap, read-only.
    ///     OrderError: Nothing was reset yet, a step is under way, or the environment is closed.
    #[pyo3(signature = (actions, out=None))]
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<Py<Batch>> {
        let mut foreign = ForeignArray::default();
        let memory = foreign.memory("actions", actions)?;
        let viewed = self.view_actions(memory.as_ref());
        let reads = memory.filter(|_| viewed.is_some()).map(|memory| memory.range());
        let (mut places, batch, _kept) = self.store.with_out(py, out, reads.as_ref())?;
        let mut inner = self.lock(py)?;
        // Drawn into the buffer that was not handed out last: that one may hold the actions.
        places.drawn = Some(self.store.drawn[1 - inner.handed]);
        // Actions in memory that is written now (an array of the own batch, say) are read before.
        let in_place = viewed.filter(|_| reads.is_some_and(|reads| !places.overlaps(&reads)));
        let copied;
        let actions = match in_place {
            Some(actions) => actions,
            None => {
                copied = self.copy_actions(actions)?;
                Actions::I64(&copied)
            }
        };
        let venv = inner.open()?;
        let mut buffers = places.buffers(self.config.dtype);
        let done = py.detach(|| venv.step(actions, &mut buffers));
        outcome(&mut **venv, done, "opponents")?;
        Ok(batch)
    }

    /// Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where no player acts.
    ///
    /// Args:
    ///     out: int64 array `[N]` (joint view `[N, P]`) to write into; otherwise one of two own arrays, in turns, so that the actions
    ///         of one step stay readable until the step after the next.
    ///
    /// Returns:
    ///     The array written.
    #[pyo3(signature = (out=None))]
    fn sample_actions<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let mut inner = self.lock(py)?;
        let other = 1 - inner.handed;
        let venv = inner.open()?;
        if let Some(out) = out {
            let form = Form::of_actions(&self.sizes, &self.config);
            let mut foreign = ForeignArray::default();
            let target: &mut [i64] = Place::slice(Some(Place::of(&form.check("", &out, &mut foreign)?)));
            py.detach(|| venv.sample_actions(target))?;
            return Ok(out);
        }
        if !venv.take_drawn() {
            let target: &mut [i64] = Place::slice(Some(self.store.drawn[other]));
            py.detach(|| venv.sample_actions(target))?;
        }
        inner.handed = other;
        Ok(self.store.drawn_arrays[other].bind(py).clone())
    }

    /// Starts a step that runs in the background, for any `threads`; `step_wait` returns its batch.
    ///
    /// The step runs on a thread of its own, which the first call starts and `close` ends. Handing a step over and back costs more than
    /// stepping a few small environments: use it for large batches, or where the caller does slow work meanwhile. Arguments and errors as
    /// in `step`, but an illegal action is reported by `step_wait`. The arrays must not be touched in between.
    #[pyo3(signature = (actions, out=None))]
    fn step_async(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<()> {
        self.start_step(py, actions, out)
    }

    /// Waits for the step that `step_async` started.
    ///
    /// Returns:
    ///     The batch, as `step` would.
    ///
    /// Raises:
    ///     OrderError: No step was started. All errors of the step.
    fn step_wait(&self, py: Python<'_>) -> Result<Py<Batch>> {
        self.finish_step(py)
    }

    /// Plays `steps` steps with an agent for all players that the caller would play, without Python in between.
    ///
    /// `"random"` takes the same actions as `step(sample_actions())` would.
    ///
    /// Args:
    ///     agent: The agent, its spec, or a function (see `Game.agent`).
    ///     steps: T, 1 or more.
    ///     out: Mapping from names to arrays to fill, any of: `obs` `[T, N, O]`, `action_mask` `[T, N, A]`, `player` `[T, N]` (all
    ///         three before the action), `action` int64 `[T, N]`, `reward` `[T, N, P]`, `terminated` `[T, N]`, `truncated` `[T, N]`;
    ///         in the joint view `obs`, `action_mask` and `action` have an axis P after N. See `rollout_arrays`.
    ///
    /// Returns:
    ///     The batch after the last step. Ctrl-C ends it between steps with KeyboardInterrupt; what was played stays played. If a function
    ///     fails that is the agent or an opponent, its exception is raised, and the environments are as before the call; `out` has steps
    ///     that were taken back. With such functions Ctrl-C ends the call, in the same way, when one of them is called next.
    #[pyo3(signature = (agent, steps, out=None))]
    fn rollout(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        steps: Count<STEPS>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<Py<Batch>> {
        let agent = Agent::read_with("agent", agent, self.game.get(), self.config.dtype)?;
        let Count(steps) = steps;
        let given = out.filter(|out| !out.is_none());
        let own = Places { fields: self.store.places, drawn: None };
        let dtype = self.config.dtype;
        let read = |out| RolloutPlaces::read(out, &own, &self.sizes, &self.config, steps);
        let (places, _kept) = given.map(read).transpose()?.unwrap_or_default();
        let mut inner = self.lock(py)?;
        // A call that fails is taken back as a whole.
        let can_fail = agent.can_fail() || !inner.functions.is_empty();
        let piece = inner.piece.take().filter(|piece| piece.agent == agent.name());
        let mut piece = piece.unwrap_or_else(|| Piece { agent: agent.name().to_owned(), steps: 1 });
        let venv = inner.open()?;
        let (mut signals, mut pieces) = (Signals::new(), Pieces::new(piece.steps));
        let done = py.detach(|| {
            let mut from = 0;
            loop {
                let count = if can_fail { steps } else { pieces.begin(steps - from) };
                let mut part = places.rollout(from, count, steps, dtype);
                from += count;
                let mut last = if from == steps { own.buffers(dtype) } else { Buffers::default() };
                venv.rollout(&agent, &mut part, &mut last)?;
                pieces.end();
                if from == steps {
                    return Ok(());
                }
                if !signals.keeps_going() {
                    return venv.show(&mut own.buffers(dtype));
                }
            }
        });
        outcome(&mut **venv, done, if agent.can_fail() { "agent" } else { "opponents" })?;
        piece.steps = pieces.size();
        inner.piece = Some(piece);
        signals.finish()?;
        Ok(self.store.batch.clone_ref(py))
    }

    /// New arrays for `rollout`, as a dict by name: all fields, or those named.
    ///
    /// Each begins at a multiple of 64 bytes, where jax shares its memory (DLPack).
    #[pyo3(signature = (steps, fields=None))]
    fn rollout_arrays<'py>(
        &self,
        py: Python<'py>,
        steps: Count<STEPS>,
        fields: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyDict>> {
        let fields = fields.map(|fields| texts("fields", fields)).transpose()?;
        RolloutPlaces::arrays(py, &self.sizes, &self.config, steps.0, fields)
    }

    /// What one player knows in every environment, acting or not: `[N, O]`.
    #[pyo3(signature = (player, out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        player: Whole<PLAYER>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let player = Game::check_player(self.sizes.players, player.0)?;
        self.observe_into(py, Some(player), out)
    }

    /// What all players know in every environment: `[N, P, O]`.
    #[pyo3(signature = (out=None))]
    fn observe_all<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>> {
        self.observe_into(py, None, out)
    }

    /// Environment `env` as a single one: the same state, chance and seeds. Independent of this one. A batch keeps no history, so history,
    /// replay and information states begin here.
    fn state(&self, py: Python<'_>, env: Count<ENV>) -> Result<Env> {
        let bytes = self.lock(py)?.open()?.state_bytes(env.0)?;
        let single = self.game.get().inner.env_from_bytes(&bytes)?;
        Ok(Env::of(self.game.clone_ref(py), single))
    }

    /// The states of all environments, as an array that is independent of this batch. Information states begin there.
    fn states(&self, py: Python<'_>) -> Result<States> {
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        let states = py.detach(move || venv.states())?;
        Ok(States::of(self.game.clone_ref(py), states))
    }

    /// Where the running episode of environment `env` stands: a dict with `seed`, `length`, `over`, `opponents`.
    fn episode<'py>(&self, py: Python<'py>, env: Count<ENV>) -> Result<Bound<'py, PyDict>> {
        let episode = self.lock(py)?.open()?.episode(env.0)?;
        let dict = PyDict::new(py);
        dict.set_item("seed", episode.seed)?;
        dict.set_item("length", episode.length)?;
        dict.set_item("over", episode.over)?;
        dict.set_item("opponents", episode.opponents)?;
        Ok(dict)
    }

    /// Adds an agent, that of a spec, or a function, to the pool of opponents; returns its index. It is drawn from the next episodes on.
    #[pyo3(signature = (agent, weight=None), text_signature = "($self, agent, weight=1.0)")]
    fn add_opponent(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        weight: Option<&Bound<'_, PyAny>>,
    ) -> Result<usize> {
        let weight = weight.map_or(Ok(1.0), |weight| number("weight", weight))?;
        let mut inner = self.lock(py)?;
        inner.open()?;
        let (game, before) = (self.game.get(), inner.functions.len());
        let agent = match Agent::function(agent, self.config.dtype, game) {
            Some((callable, dtype)) => inner.functions.add(&*game.inner, callable, dtype)?.clone(),
            None => Agent::read("agent", agent, game)?,
        };
        let added = inner.open()?.add_opponent(&agent, weight);
        if added.is_err() {
            inner.functions.truncate(before);
        }
        Ok(added.map_err(|error| error.renamed("weights", "weight"))?)
    }

    /// Sets the weights of all opponents for the next episodes: finite, not negative, not all 0.
    fn set_weights(&self, py: Python<'_>, weights: &Bound<'_, PyAny>) -> Result<()> {
        let weights = numbers("weights", weights)?;
        Ok(self.lock(py)?.open()?.set_weights(&weights)?)
    }

    /// Results of the episodes that ended since the last `reset_results`, in which opponents play: a dict with `episodes`, `wins`,
    /// `draws`, `losses`, `truncated`, `return_sum` and `opponents`, a list of dicts with `name`, `weight` and the same counts of the
    /// episodes in which that opponent played, in the order of the pool: two opponents with one spec have one name.
    ///
    /// Each episode counts once in the total, and once with each of its opponents, of which there can be several: their counts can
    /// add up to more than the total. Episodes that ended before the learner decided are among them. Where the caller plays several
    /// players, the best result among them counts, and the mean of their returns. The single-player view of a game for one counts its
    /// episodes too, without opponents: as draws, because one player neither wins nor loses against others.
    ///
    /// Raises:
    ///     InvalidArgument: Nothing is counted, because no opponents play in this batch: make it with `opponents` or `roles`, or read
    ///         `episode_return` of the rows in which an episode ended.
    fn results<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let results = self.lock(py)?.open()?.results()?;
        results::dict(py, results)
    }

    /// Empties the table of results.
    fn reset_results(&self, py: Python<'_>) -> Result<()> {
        Ok(self.lock(py)?.open()?.reset_results()?)
    }

    /// Everything about all environments (states, streams, episodes, `results`) as bytes, for `load_bytes`. The configuration, the
    /// weights of opponents, the outputs of the last step and what agents keep, such as search trees, are not included.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.lock(py)?.open()?.to_bytes()?))
    }

    /// Continues from `to_bytes` of an environment with the same game, configuration and opponents.
    ///
    /// Returns:
    ///     The current batch, with reward 0 and no ended rows: `final_*`, `episode_return` and `episode_length` are meaningless in all
    ///     rows and keep their old values (zeros after `pickle`).
    fn load_bytes(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<Py<Batch>> {
        let data = bytes("data", data)?;
        self.load(py, &data, None)
    }

    /// Ends the threads and frees the environments; closing twice is fine. Arrays stay readable.
    fn close(&self, py: Python<'_>) -> Result<()> {
        let mut inner = self.lock(py)?;
        if is_within_function() && inner.venv.as_ref().is_some_and(|venv| venv.is_pending()) {
            return Err(IN_USE.into());
        }
        inner.pending = None;
        let venv = inner.venv.take();
        py.detach(|| drop(venv));
        Ok(())
    }

    /// `steps` times `step(sample_actions())` with the loop in Rust: what `playmat bench` compares Python's own loop with.
    fn _loop(&self, py: Python<'_>, steps: u64) -> Result<()> {
        let dtype = self.config.dtype;
        let mut inner = self.lock(py)?;
        let mut handed = inner.handed;
        let venv = inner.open()?;
        let (mut signals, mut pieces) = (Signals::new(), Pieces::new(1));
        let done = py.detach(|| {
            let mut left = usize::try_from(steps).unwrap_or(usize::MAX);
            while left > 0 && signals.keeps_going() {
                let count = pieces.begin(left);
                for _ in 0..count {
                    let other = 1 - handed;
                    let actions: &mut [i64] = Place::slice(Some(self.store.drawn[other]));
                    if !venv.take_drawn() {
                        venv.sample_actions(actions)?;
                    }
                    handed = other;
                    let drawn = Some(self.store.drawn[1 - handed]);
                    let places = Places { fields: self.store.places, drawn };
                    venv.step(Actions::I64(actions), &mut places.buffers(dtype))?;
                }
                pieces.end();
                left -= count;
            }
            Ok::<(), Error>(())
        });
        outcome(&mut **venv, done, "opponents")?;
        inner.handed = handed;
        Ok(signals.finish()?)
    }

    fn __len__(&self) -> usize {
        self.sizes.envs
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*args))]
    fn __exit__(&self, py: Python<'_>, args: &Bound<'_, PyAny>) -> Result<()> {
        let _ = args;
        self.close(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        slf.get().reduce(slf.py())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let game = self.game.get().inner.info().id;
        let VecConfig { num_envs, threads, view, autoreset, .. } = &self.config;
        let (view, autoreset) = (view.name(), autoreset.name());
        let state = match self.closed(py) {
            Ok(true) => ", closed",
            Ok(false) => "",
            Err(_) => ", in use",
        };
        format!(
            "<playmat.VecEnv of '{game}', {num_envs} environments, threads={threads}, view='{view}', autoreset='{autoreset}'{state}>"
        )
    }
}
