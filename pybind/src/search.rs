//! `playmat.Search`: tree searches whose network is evaluated in Python.

use crate::arrays::{Element, ForeignArray, check_out, overlap, type_text, zeros};
use crate::batch::{Batch, Place, for_each_item};
use crate::env::Env;
use crate::errors::{Refusal, Result, argument};
use crate::gae::read;
use crate::game::Game;
use crate::lock::{Guard, Lock, try_lock_all_for};
use crate::scalars::{Count, Flag, KEEP, PLAYER, ROOM, Real, TEMPERATURE, Whole, list};
use crate::signals::SharedSignals;
use crate::vec_env::VecEnv;
use playmat_core::any::AnyLeafSearch;
use playmat_core::search::LeafSizes;
use playmat_core::vec::ObsType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use std::cell::Cell;
use std::ops::Range;

thread_local! {
    /// How often a search of this thread has polled whether to go on. It looks for signals every 64th time, because reading the clock takes as
    /// long as a short simulation.
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

const BUSY: &str =
    "the search is in use by another call of this thread, which runs a signal handler or other Python code";

/// Positions that a network must evaluate, n of them: what `Search.collect` returns. P players, A actions, O observation bytes.
///
/// `len(leaves)` is n, 0 when all searches are done.
#[pyclass(frozen, module = "playmat", name = "Leaves")]
pub(crate) struct Leaves {
    count: usize,
    /// `[n, O]` what the row's player sees.
    #[pyo3(get)]
    obs: Py<PyAny>,
    /// bool `[n, A]` its legal actions. Where a leaf needs the values of other players too, their rows are all False; their logits are not
    /// read.
    #[pyo3(get)]
    action_mask: Py<PyAny>,
    /// int32 `[n]` the player.
    #[pyo3(get)]
    player: Py<PyAny>,
    /// int32 `[n]` the row of the search that it belongs to.
    #[pyo3(get)]
    search: Py<PyAny>,
    /// int64 `[n]` the action that the greedy agent would choose as the player, -1 where the player has no decision. None unless the searches
    /// were made with `greedy=True`. Where the greedy agent draws, it draws from the stream of the search.
    #[pyo3(get)]
    greedy: Option<Py<PyAny>>,
}

#[pymethods]
impl Leaves {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<playmat.Leaves: {} rows>", self.count)
    }
}

/// Tree searches, one per row, whose network is evaluated in Python: AlphaZero with any library. Made by `Game.search`.
///
/// `start` begins them. `collect` returns the positions that the network must evaluate, as one batch for all searches; `feed` takes logits
/// and values. When `collect` returns no rows, `policy`, `values` and `actions` return the results.
/// Calls from several threads wait for each other; threads which share a search must agree on who feeds what was collected.
///
/// >>> import numpy as np, playmat
/// >>> game = playmat.Game("connect_four")
/// >>> venv = game.vec_env(64)
/// >>> batch = venv.reset(seed=1)
/// >>> search = game.search("mcts:16", rows=64)
/// >>> search.start(venv)
/// >>> while len(leaves := search.collect()):
/// ...     n = len(leaves)
/// ...     logits, values = np.zeros((n, 7), np.float32), np.zeros(n, np.float32)
/// ...     search.feed(logits, values)
/// >>> search.policy().shape
/// (64, 7)
/// >>> batch = venv.step(search.actions())
#[pyclass(frozen, module = "playmat", name = "Search")]
pub(crate) struct Search {
    game: Py<Game>,
    sizes: LeafSizes,
    dtype: ObsType,
    greedy: bool,
    inner: Lock<Box<dyn AnyLeafSearch>>,
}

impl Search {
    pub(crate) fn of(game: Py<Game>, inner: Box<dyn AnyLeafSearch>, dtype: ObsType, greedy: bool) -> Search {
        Search { game, sizes: inner.sizes(), dtype, greedy, inner: Lock::new(inner, BUSY) }
    }

    fn lock<'a>(&'a self, py: Python<'_>) -> Result<Guard<'a, Box<dyn AnyLeafSearch>>> {
        self.inner.lock(py)
    }

    /// The element types and the shapes of the fields of `n` leaves.
    fn forms(&self, n: usize) -> Vec<(&'static str, Element, Vec<usize>)> {
        let obs = match self.dtype {
            ObsType::U8 => Element::U8,
            ObsType::F32 => Element::F32,
        };
        let mut forms = vec![
            ("obs", obs, vec![n, self.sizes.observation]),
            ("action_mask", Element::Bool, vec![n, self.sizes.actions]),
            ("player", Element::I32, vec![n]),
            ("search", Element::I32, vec![n]),
        ];
        if self.greedy {
            forms.push(("greedy", Element::I64, vec![n]));
        }
        forms
    }

    /// Writes a number of each action, float32 `[rows, A]`.
    fn by_action<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        write: impl FnOnce(&mut dyn AnyLeafSearch, &mut [f32]) -> playmat_core::error::Result<()>,
    ) -> Result<Bound<'py, PyAny>> {
        let shape = [self.sizes.rows, self.sizes.actions];
        let out = out.map_or_else(|| zeros::<f32>(py, &shape), Ok)?;
        let mut foreign = ForeignArray::default();
        let target = check_out("out", "", &out, &mut foreign, &[Element::F32], &shape)?.floats_mut();
        write(&mut **self.lock(py)?, target)?;
        Ok(out)
    }

    /// Begins the searches of a list of environments.
    fn start_envs(
        &self,
        py: Python<'_>,
        envs: &[Option<Py<Env>>],
        players: &[Option<i64>],
        keep: bool,
    ) -> Result<()> {
        let mut unique: Vec<&Py<Env>> = envs.iter().flatten().collect();
        unique.sort_unstable_by_key(|env| env.as_ptr());
        unique.dedup_by_key(|env| env.as_ptr());
        let locks: Vec<_> = unique.iter().map(|env| env.get().inner_lock()).collect();
        let (mut search, mut guards) = loop {
            let search = self.lock(py)?;
            match try_lock_all_for(py, &locks)? {
                Ok(guards) => break (search, guards),
                Err(held) => {
                    drop(search);
                    held.wait_until_free(py)?;
                }
            }
        };
        // First a look at all of them: what is refused changes nothing.
        for check in [true, false] {
            for (row, (env, player)) in envs.iter().zip(players).enumerate() {
                let place = |error| match envs.len() {
                    1 => Refusal::Engine(error),
                    _ => Refusal::At(format!("envs[{row}]"), error),
                };
                let Some(env) = env else {
                    if !check {
                        search.stop(row).map_err(place)?;
                    }
                    continue;
                };
                let at = unique.partition_point(|other| other.as_ptr() < env.as_ptr());
                let env = &mut *guards[at].env;
                let player = match player {
                    Some(player) => Some(Game::check_player(env.info().players, *player)?),
                    None => env.acting().first(),
                };
                let done = match (check, player) {
                    (true, Some(player)) => search.check(row, env, player),
                    (true, None) => Ok(()),
                    (false, Some(player)) => search.start(row, env, player, keep),
                    (false, None) => search.stop(row),
                };
                done.map_err(place)?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Search {
    /// The game that it searches.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Its spec.
    #[getter]
    fn name(&self, py: Python<'_>) -> Result<String> {
        Ok(self.lock(py)?.name().to_owned())
    }

    /// Number of searches.
    #[getter]
    fn rows(&self) -> usize {
        self.sizes.rows
    }

    /// Most leaves of one search that are under way at once.
    #[getter]
    fn leaves(&self) -> usize {
        self.sizes.leaves
    }

    /// Begins a search in every row. The searches draw their seeds from the random streams of the environments, so they repeat with their
    /// seeds; nothing else of the environments changes. Whatever was under way ends without result.
    ///
    /// While another thread uses one of the environments, the call waits. After a tenth of a second it holds neither the search nor the other
    /// environments meanwhile.
    ///
    /// A search knows only what its player knows: it plays determinizations, as `"mcts"` does.
    ///
    /// Args:
    ///     envs: A batch of environments with one row of its mask per search (joint view: N * P, in the order of the mask). Or one
    ///         environment, or a list with one per search; None for no search. Where no player acts, there is no search.
    ///     players: With environments: the searching players, one per search; None: the current player.
    ///     keep: Whether a row keeps the tree of its player if it has searched the same episode before; its visits then count too.
    ///     mask: With a batch: bool `[N]`, the environments to search; the others have no search. None: all.
    ///
    /// Raises:
    ///     InvalidArgument, InvalidPlayer, NotActing, EpisodeOver: Another number of rows, an environment of another game, a player who
    ///         does not act. Nothing was started.
    #[pyo3(
        signature = (envs, players=None, *, keep=Flag(true), mask=None),
        text_signature = "($self, envs, players=None, *, keep=True, mask=None)"
    )]
    fn start(
        &self,
        py: Python<'_>,
        envs: &Bound<'_, PyAny>,
        players: Option<&Bound<'_, PyAny>>,
        keep: Flag<KEEP>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> Result<()> {
        if let Ok(venv) = envs.cast::<VecEnv>() {
            if players.is_some() {
                return argument(
                    "players",
                    "only with environments; a vectorized one has the players of its mask",
                );
            }
            let venv = venv.get();
            let mask = mask.map(|mask| venv.read_mask(mask)).transpose()?;
            loop {
                let mut search = self.lock(py)?;
                let inner = &mut **search;
                let started = venv.try_with(py, |venv| {
                    let started = py.detach(|| inner.start_batch(venv, mask.as_deref(), keep.0));
                    Ok(started.map_err(|error| error.renamed("venv", "envs"))?)
                })?;
                if started.is_some() {
                    return Ok(());
                }
                drop(search);
                venv.wait_until_free(py)?;
            }
        }
        if envs.is_instance_of::<Batch>() {
            return argument("envs", "got a Batch, which is what a VecEnv returns; wanted the VecEnv");
        }
        if mask.is_some() {
            return argument("mask", "only with a VecEnv; of environments, None in the list has no search");
        }
        let wanted = "a VecEnv, an Env or a list of them";
        let items = match envs.cast::<Env>() {
            Ok(_) => vec![envs.clone()],
            Err(_) => list("envs", envs, wanted)?,
        };
        let read = |item: &Bound<'_, PyAny>| match item.cast::<Env>() {
            Ok(env) => Ok(Some(env.clone().unbind())),
            Err(_) if item.is_none() => Ok(None),
            Err(_) => argument("envs", format!("got an object of type {}; wanted {wanted}", type_text(item))),
        };
        let items = items.iter().map(read).collect::<Result<Vec<_>>>()?;
        let rows = self.sizes.rows;
        if items.len() != rows {
            return argument(
                "envs",
                format!("got {} environments; wanted {rows}, one per search", items.len()),
            );
        }
        let players = match players {
            None => vec![None; rows],
            Some(players) => {
                let items = list("players", players, "a list of players")?;
                if items.len() != rows {
                    return argument("players", format!("got {} players; wanted {rows}", items.len()));
                }
                let read = |item: &Bound<'_, PyAny>| match item.is_none() {
                    true => Ok(None),
                    false => Ok(Some(item.extract::<Whole<PLAYER>>()?.0)),
                };
                items.iter().map(read).collect::<Result<Vec<_>>>()?
            }
        };
        self.start_envs(py, &items, &players, keep.0)
    }

    /// Simulates until every search waits for the network, or is done, or there is no room for more leaves.
    ///
    /// What a search finds depends neither on `n` nor on the other searches.
    ///
    /// Args:
    ///     n: Room for leaves, in rows; at least `leaves` times the rows of a leaf. Default: enough for all searches. A leaf is one row; or one
    ///         row per player, where the value of one player does not tell that of the others: with three or more players, and where returns
    ///         do not sum to zero.
    ///     out: Arrays or tensors to write into: a mapping from some of `"obs"`, `"action_mask"`, `"player"`, `"search"`, and `"greedy"` with
    ///         `greedy=True`, to arrays with n rows. The leaves are then their first rows; with `threads` in the spec, rows after them may be
    ///         overwritten.
    ///
    /// Returns:
    ///     The leaves. No rows when all searches are done.
    ///
    /// Raises:
    ///     OrderError: Nothing was started, or the last leaves were not fed.
    ///     InvalidArgument: `n` is too small; an array does not fit.
    #[pyo3(signature = (n=None, out=None))]
    fn collect<'py>(
        &self,
        py: Python<'py>,
        n: Option<Count<ROOM>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Leaves> {
        let LeafSizes { rows, leaves, leaf_rows, .. } = self.sizes;
        let n = n.map_or(rows * leaves * leaf_rows, |n| n.0);
        let forms = self.forms(n);
        let mut given: [Option<Bound<'py, PyAny>>; 5] = Default::default();
        if let Some(out) = out {
            for_each_item(out, |name, array| match forms.iter().position(|form| form.0 == name) {
                Some(at) => {
                    given[at] = Some(array);
                    Ok(())
                }
                None => {
                    let allowed: Vec<_> = forms.iter().map(|form| format!("`{}`", form.0)).collect();
                    argument("out", format!("got `{name}`; allowed: {}", allowed.join(", ")))
                }
            })?;
        }
        let mut search = self.lock(py)?;
        let mut arrays = Vec::with_capacity(forms.len());
        for (given, (_, element, shape)) in given.into_iter().zip(&forms) {
            arrays.push(match (given, element) {
                (Some(array), _) => array,
                (None, Element::U8) => zeros::<u8>(py, shape)?,
                (None, Element::F32) => zeros::<f32>(py, shape)?,
                (None, Element::Bool) => zeros::<bool>(py, shape)?,
                (None, Element::I64) => zeros::<i64>(py, shape)?,
                (None, _) => zeros::<i32>(py, shape)?,
            });
        }
        let mut foreign: [ForeignArray<'py>; 5] = Default::default();
        let mut places = [None; 5];
        let mut ranges: Vec<(&str, Range<usize>)> = Vec::new();
        for (at, ((name, element, shape), foreign)) in forms.iter().zip(&mut foreign).enumerate() {
            let elements: &[Element] = match element {
                Element::Bool => &[Element::Bool, Element::U8],
                element => std::slice::from_ref(element),
            };
            let memory = check_out("out", name, &arrays[at], foreign, elements, shape)?;
            let range = memory.range();
            if let Some((other, _)) = ranges.iter().find(|(_, other)| overlap(other, &range)) {
                return argument("out", format!("`{name}` shares memory with `{other}`"));
            }
            ranges.push((name, range));
            places[at] = Some(Place::of(&memory));
        }
        let [obs, action_mask, player, of, greedy] = places;
        let mut leaves = playmat_core::search::Leaves {
            rows: n,
            obs: Place::rows(obs, self.dtype),
            action_mask: Place::slice(action_mask),
            player: Place::slice(player),
            search: Place::slice(of),
            greedy: Place::slice(greedy),
        };
        let signals = SharedSignals::new();
        let inner = &mut **search;
        let goes_on = || {
            let polls = POLLS.get();
            POLLS.set(polls.wrapping_add(1));
            !polls.is_multiple_of(64) || signals.keeps_going()
        };
        let count = py.detach(|| inner.collect_while(&mut leaves, &goes_on))?;
        signals.finish()?;
        let first = PySlice::new(py, 0, count as isize, 1);
        let mut rows =
            arrays.into_iter().map(|array| -> PyResult<Py<PyAny>> { Ok(array.get_item(&first)?.unbind()) });
        let mut next = || rows.next().expect("a field");
        Ok::<_, Refusal>(Leaves {
            count,
            obs: next()?,
            action_mask: next()?,
            player: next()?,
            search: next()?,
            greedy: if self.greedy { Some(next()?) } else { None },
        })
    }

    /// Takes what the network says about the leaves that were collected last.
    ///
    /// Args:
    ///     logits: float32 `[n, A]`, an array or tensor in CPU memory (a tensor of a GPU needs `.cpu()`). Those of illegal actions are not read.
    ///         Their softmax over the legal actions is the prior.
    ///     values: float32 `[n]`, in CPU memory: the expected sum of the future rewards of the row's player, in the game's kind of reward.
    ///         They are taken as they are: the exploration bonus is scaled by the range of all returns so far, so one value far outside of
    ///         what the game pays makes the differences between all others small. Bound the network's values (`tanh` for `reward="outcome"`).
    ///
    /// Raises:
    ///     OrderError: No leaves are waiting.
    ///     InvalidArgument: Shape, type or layout; a number that is read is not within -1e28 to 1e28. Nothing was changed.
    fn feed(&self, py: Python<'_>, logits: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> Result<()> {
        let mut search = self.lock(py)?;
        let n = search.waiting();
        let mut foreign: [ForeignArray<'_>; 2] = Default::default();
        let [of_logits, of_values] = &mut foreign;
        let (of_logits, of_values) =
            (of_logits.memory("logits", logits)?, of_values.memory("values", values)?);
        // Without leaves the engine says so, whatever is given.
        let (logits, values) = match n {
            0 => (&[][..], &[][..]),
            n => (
                read("logits", (of_logits, logits), &[n, self.sizes.actions])?,
                read("values", (of_values, values), &[n])?,
            ),
        };
        let inner = &mut **search;
        Ok(py.detach(|| inner.feed(logits, values))?)
    }

    /// Number of rows that were collected and not yet fed.
    #[getter]
    fn waiting(&self, py: Python<'_>) -> Result<usize> {
        Ok(self.lock(py)?.waiting())
    }

    /// The share of each action in the simulations: float32 `[rows, A]`, the target of a policy in AlphaZero. 1 for a single legal action, which is
    /// not searched; all 0 where there is no search.
    ///
    /// Args:
    ///     out: float32 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    #[pyo3(signature = (out=None))]
    fn policy<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>> {
        self.by_action(py, out, |search, target| search.policy(target))
    }

    /// How many simulations chose each action: int32 `[rows, A]`, those of earlier searches of the episode that came through the position
    /// included; 0 where nothing was searched.
    ///
    /// Args:
    ///     out: int32 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    #[pyo3(signature = (out=None))]
    fn visits<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>> {
        let shape = [self.sizes.rows, self.sizes.actions];
        let out = out.map_or_else(|| zeros::<i32>(py, &shape), Ok)?;
        let mut foreign = ForeignArray::default();
        let memory = check_out("out", "", &out, &mut foreign, &[Element::I32], &shape)?;
        self.lock(py)?.visits(Place::slice(Some(Place::of(&memory))))?;
        Ok(out)
    }

    /// The mean return of the searching player in the simulations that chose each action: float32 `[rows, A]`; 0 for an action that none chose.
    ///
    /// Args:
    ///     out: float32 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    #[pyo3(signature = (out=None))]
    fn mean_returns<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        self.by_action(py, out, |search, target| search.mean_returns(target))
    }

    /// The prior of each action at the root, with Dirichlet noise: float32 `[rows, A]`; 1 for a single legal action, 0 for illegal ones and where
    /// there is no search.
    ///
    /// Args:
    ///     out: float32 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    #[pyo3(signature = (out=None))]
    fn priors<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>> {
        self.by_action(py, out, |search, target| search.priors(target))
    }

    /// The mean return of the searching player in the simulations: float32 `[rows]`; 0 where nothing was searched.
    ///
    /// Args:
    ///     out: float32 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    #[pyo3(signature = (out=None))]
    fn values<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> Result<Bound<'py, PyAny>> {
        let shape = [self.sizes.rows];
        let out = out.map_or_else(|| zeros::<f32>(py, &shape), Ok)?;
        let mut foreign = ForeignArray::default();
        let target = check_out("out", "", &out, &mut foreign, &[Element::F32], &shape)?.floats_mut();
        self.lock(py)?.values(target)?;
        Ok(out)
    }

    /// An action for every row: int64 `[rows]`; 0 where there is no search, which need not be legal: after `start(venv, mask=rows)` step with
    /// `np.where(rows, search.actions(), others)`. Before `collect` has returned no leaves, it follows from the simulations that have ended.
    ///
    /// Args:
    ///     temperature: 0: the most visited action, of several the one with the highest mean return. Otherwise actions are drawn, in proportion to
    ///         `visits ** (1 / temperature)`, from the search's own random stream; at most 100. None: that of the spec, 0 without,
    ///         in each row as the spec's `temperature_drop` has it there.
    ///     out: int64 array or tensor to write into; otherwise a new array.
    ///
    /// Raises:
    ///     OrderError: Nothing was searched yet.
    ///     InvalidArgument: A temperature that is not from 0 to 100; an array does not fit.
    #[pyo3(signature = (temperature=None, out=None))]
    fn actions<'py>(
        &self,
        py: Python<'py>,
        temperature: Option<Real<TEMPERATURE>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let shape = [self.sizes.rows];
        let out = out.map_or_else(|| zeros::<i64>(py, &shape), Ok)?;
        let mut foreign = ForeignArray::default();
        let memory = check_out("out", "", &out, &mut foreign, &[Element::I64], &shape)?;
        let mut search = self.lock(py)?;
        search
            .actions(temperature.map(|temperature| temperature.0), Place::slice(Some(Place::of(&memory))))?;
        Ok(out)
    }

    fn __reduce__(&self) -> PyResult<()> {
        let message =
            "a `playmat.Search` cannot be pickled or copied: pickle its game, and call `search` of it";
        Err(PyTypeError::new_err(message))
    }

    /// Does not wait for the lock: a debugger may call it during any call.
    fn __repr__(&self) -> String {
        let (rows, game) = (self.sizes.rows, self.game.get().inner.info().id);
        match self.inner.try_lock() {
            Some(search) => format!("<playmat.Search {:?} for {rows} positions of {game}>", search.name()),
            None => format!("<playmat.Search for {rows} positions of {game}, in use>"),
        }
    }
}
