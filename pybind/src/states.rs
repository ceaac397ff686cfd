//! `playmat.States`: arrays of states, for searches that are written in Python.

use crate::arrays::{Element, ForeignArray, type_text};
use crate::env::Env;
use crate::errors::{Result, argument};
use crate::game::Game;
use crate::lock::lock_all;
use crate::scalars::{Count, PLAYER, REPEATS, Seed, Whole, list, whole_number};
use crate::vec_env::reset;
use numpy::PyArray1;
use playmat_core::any::{AnyEnv, AnyStates};
use playmat_core::player::Player;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes, PyList, PySlice};

/// States of one game in one block of memory: thousands of positions without a Python object for each. Made by `VecEnv.states` and
/// `Game.states`; `VecEnv.reset(states=...)` continues from them.
///
/// An array never changes: every operation makes a new one. A state has the position and its random stream of chance, but no history. The
/// streams of `sample_action` and of agents begin anew with its seed. `pickle` works; in a pickle each state is what `Env.to_bytes` gives.
///
/// >>> import playmat
/// >>> game = playmat.Game("leduc_poker")
/// >>> venv = game.vec_env(64)
/// >>> batch = venv.reset(seed=1)
/// >>> now = venv.states()
/// >>> samples = now.repeat(8).sample_hidden(seed=5)
/// >>> sampled = game.vec_env(512)
/// >>> batch = sampled.reset(states=samples)
/// >>> len(samples[:8]), samples[0].current_player
/// (8, 0)
#[pyclass(frozen, module = "playmat", name = "States")]
pub(crate) struct States {
    game: Py<Game>,
    pub(crate) inner: Box<dyn AnyStates>,
}

impl States {
    pub(crate) fn of(game: Py<Game>, inner: Box<dyn AnyStates>) -> States {
        States { game, inner }
    }

    /// The states of environments, of which one may come more than once, and of arrays, one after the other.
    pub(crate) fn of_all(py: Python<'_>, game: &Py<Game>, given: &Bound<'_, PyAny>) -> Result<States> {
        let wanted = "an Env, States, or a list of them";
        let items = match given.is_instance_of::<Env>() || given.is_instance_of::<States>() {
            true => vec![given.clone()],
            false => list("envs", given, wanted)?,
        };
        // Neighbours that are environments become one array.
        let (mut envs, mut parts): (Vec<Py<Env>>, Vec<Py<States>>) = Default::default();
        for item in &items {
            if let Ok(env) = item.cast::<Env>() {
                envs.push(env.clone().unbind());
            } else if let Ok(states) = item.cast::<States>() {
                if !envs.is_empty() {
                    parts.push(Py::new(py, Self::of_envs(py, game, &std::mem::take(&mut envs))?)?);
                }
                parts.push(states.clone().unbind());
            } else {
                return argument(
                    "envs",
                    format!("got an object of type {}; wanted {wanted}", type_text(item)),
                );
            }
        }
        let last = Self::of_envs(py, game, &envs)?;
        if parts.is_empty() {
            return Ok(last);
        }
        let none = game.get().inner.states(&[])?;
        let all: Vec<&dyn AnyStates> =
            parts.iter().map(|part| &*part.get().inner).chain([&*last.inner]).collect();
        let inner = none.concatenate(&all).map_err(|error| error.renamed("states", "envs"))?;
        Ok(States { game: game.clone_ref(py), inner })
    }

    fn of_envs(py: Python<'_>, game: &Py<Game>, envs: &[Py<Env>]) -> Result<States> {
        // Each is taken once.
        let mut unique: Vec<&Py<Env>> = envs.iter().collect();
        unique.sort_unstable_by_key(|env| env.as_ptr());
        unique.dedup_by_key(|env| env.as_ptr());
        let locks: Vec<_> = unique.iter().map(|env| env.get().inner_lock()).collect();
        let guards = lock_all(py, &locks)?;
        let place = |env: &Py<Env>| unique.partition_point(|other| other.as_ptr() < env.as_ptr());
        let all: Vec<&dyn AnyEnv> = envs.iter().map(|env| &*guards[place(env)].env).collect();
        let inner = game.get().inner.states(&all)?;
        Ok(States { game: game.clone_ref(py), inner })
    }

    fn another(&self, py: Python<'_>, inner: Box<dyn AnyStates>) -> States {
        States { game: self.game.clone_ref(py), inner }
    }

    /// One seed per state: numbers, or those that follow a number.
    fn seeds(&self, seed: &Bound<'_, PyAny>) -> Result<Vec<u64>> {
        let len = self.inner.len();
        match seed.extract::<Seed>() {
            Ok(Seed(first)) => Ok((0..len as u64).map(|at| first.wrapping_add(at)).collect()),
            Err(error) if seed.call_method0("__index__").is_ok() => Err(error.into()),
            Err(_) => reset::numbered(seed, len, "state"),
        }
    }

    /// One player per state.
    fn players(&self, player: Option<&Bound<'_, PyAny>>) -> Result<Vec<Player>> {
        let (len, players) = (self.inner.len(), self.inner.info().players);
        let Some(player) = player else {
            let current = self.inner.current_players().into_iter().enumerate();
            let read = |(at, player): (usize, Option<Player>)| match player {
                Some(player) => Ok(player),
                None => argument("player", format!("got None; no player acts in state {at}: name one")),
            };
            return current.map(read).collect();
        };
        if player.call_method0("__index__").is_ok() {
            let player = Game::check_player(players, player.extract::<Whole<PLAYER>>()?.0)?;
            return Ok(vec![player; len]);
        }
        let items = list("player", player, "a player or a list of players")?;
        if items.len() != len {
            return argument("player", format!("got {} players; wanted {len}, one per state", items.len()));
        }
        items.iter().map(|item| Game::check_player(players, item.extract::<Whole<PLAYER>>()?.0)).collect()
    }

    /// The places of a slice.
    fn sliced(&self, slice: &Bound<'_, PySlice>) -> Result<Vec<usize>> {
        let found = slice.indices(self.inner.len() as isize)?;
        let at = |k: usize| (found.start + k as isize * found.step) as usize;
        Ok((0..found.slicelength).map(at).collect())
    }

    /// Places in the array: whole numbers, negative ones from the end, or one truth value per state.
    fn places(&self, index: &Bound<'_, PyAny>) -> Result<Vec<usize>> {
        let len = self.inner.len();
        let wanted = "a whole number, a slice, whole numbers, or one truth value per state";
        let mut foreign = ForeignArray::default();
        let numbers = match foreign.memory("index", index)? {
            Some(memory) if memory.element == Element::Bool => {
                if !memory.has_shape(&[len]) {
                    let shape = memory.shape_text();
                    return argument("index", format!("got truth values of shape {shape}; wanted ({len},)"));
                }
                match memory.truths() {
                    Some(truths) => return Ok((0..len).filter(|&at| truths[at] != 0).collect()),
                    // A column of a larger array: its items are read one by one.
                    None => None,
                }
            }
            Some(memory) if memory.sizes().len() > 1 => {
                let shape = memory.shape_text();
                return argument("index", format!("got an array of shape {shape}; wanted one axis"));
            }
            Some(memory) => memory.whole_numbers().filter(|_| memory.sizes().len() == 1),
            None => None,
        };
        let numbers = match numbers {
            Some(numbers) => numbers,
            None => {
                let items = list("index", index, wanted)?;
                let truths: Vec<bool> = items.iter().map_while(|item| is_true(item)).collect();
                if !items.is_empty() && truths.len() == items.len() {
                    if truths.len() != len {
                        let got = truths.len();
                        return argument("index", format!("got {got} truth values; wanted {len}"));
                    }
                    return Ok((0..len).filter(|&at| truths[at]).collect());
                }
                items.iter().map(|item| whole_number("index", item)).collect::<Result<_>>()?
            }
        };
        let read = |&number: &i64| match self.place(number) {
            Some(place) => Ok(place),
            None => argument("index", format!("got {number}; there are {len} states")),
        };
        numbers.iter().map(read).collect()
    }

    /// Whether this can name one state. Tensors of one element pass as numbers everywhere, but as here in numpy, those with an axis name
    /// several states, and truth values are no numbers.
    fn names_one(index: &Bound<'_, PyAny>) -> Result<bool> {
        let mut foreign = ForeignArray::default();
        Ok(match foreign.memory("index", index)? {
            Some(memory) => memory.sizes().is_empty() && memory.element != Element::Bool,
            None => !index.is_instance_of::<PyBool>(),
        })
    }

    /// The place, if this names one state.
    fn single(&self, index: &Bound<'_, PyAny>) -> Result<Option<usize>> {
        if !Self::names_one(index)? {
            return Ok(None);
        }
        let Ok(number) = index.call_method0("__index__") else { return Ok(None) };
        match number.extract::<i64>().ok().and_then(|number| self.place(number)) {
            Some(place) => Ok(Some(place)),
            None => {
                let len = self.inner.len();
                Err(PyIndexError::new_err(format!("got {number}; there are {len} states")).into())
            }
        }
    }

    fn place(&self, number: i64) -> Option<usize> {
        let len = self.inner.len();
        let number = if number < 0 { number + len as i64 } else { number };
        usize::try_from(number).ok().filter(|&place| place < len)
    }
}

/// The truth value of a Python or numpy bool; None for anything else.
fn is_true(item: &Bound<'_, PyAny>) -> Option<bool> {
    item.extract::<bool>().ok()
}

#[pymethods]
impl States {
    /// Their game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The current player of each state: int32 `[n]`; -1 where the episode is over.
    #[getter]
    fn current_player<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let players = self.inner.current_players();
        PyArray1::from_iter(py, players.into_iter().map(|player| player.map_or(-1, |player| player.0.into())))
    }

    /// Bytes of all states in memory.
    #[getter]
    fn nbytes(&self) -> usize {
        self.inner.len() * self.inner.state_size()
    }

    /// Keys for the nodes of a search tree: uint64 [N], equal for states in which the same player must act and sees the same observation and legal
    /// actions, as in the engine's own search; 0 where the episode is over. A key is a hash of 64 bits, which may change with
    /// the version of playmat.
    ///
    /// >>> import playmat
    /// >>> game = playmat.Game("kuhn_poker")
    /// >>> samples = game.states(game.env(seed=7)).repeat(3).sample_hidden(seed=5)
    /// >>> len(set(samples.search_keys().tolist()))
    /// 1
    fn search_keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_vec(py, py.detach(|| self.inner.search_keys()))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// One state as an `Env`, or several as `States`: of a slice, of whole numbers, or of one truth value per state.
    ///
    /// Raises:
    ///     IndexError: A number beyond the states.
    ///     InvalidArgument: Anything else that names no states.
    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let places = self.sliced(slice)?;
            return Ok(Bound::new(py, self.another(py, self.inner.select(&places)?))?.into_any());
        }
        if let Some(place) = self.single(index)? {
            let env = Env::of(self.game.clone_ref(py), self.inner.env(place)?);
            return Ok(Bound::new(py, env)?.into_any());
        }
        let places = self.places(index)?;
        Ok(Bound::new(py, self.another(py, self.inner.select(&places)?))?.into_any())
    }

    /// These states with others at some places, as `numpy.put` does it, but as a new array: a search writes the children of its leaves among its
    /// nodes.
    ///
    /// Args:
    ///     index: Places, as in `states[index]`: whole numbers, a slice, or one truth value per state.
    ///     states: As many states of the same game. Of a place that comes twice the last one counts.
    ///
    /// Raises:
    ///     IndexError: One number beyond the states.
    ///     InvalidArgument: Other places that do not exist, another number of states, or states of another game.
    fn put(&self, py: Python<'_>, index: &Bound<'_, PyAny>, states: &States) -> Result<States> {
        let places = match (index.cast::<PySlice>(), self.single(index)?) {
            (Ok(slice), _) => self.sliced(slice)?,
            (_, Some(place)) => vec![place],
            _ => self.places(index)?,
        };
        let inner = py.detach(|| self.inner.put(&places, &*states.inner))?;
        Ok(self.another(py, inner))
    }

    /// Each state repeated this many times, as `numpy.repeat` does.
    fn repeat(&self, py: Python<'_>, repeats: Count<REPEATS>) -> Result<States> {
        let inner = py.detach(|| self.inner.repeat(repeats.0));
        let inner = inner.map_err(|error| error.renamed("times", "repeats"))?;
        Ok(self.another(py, inner))
    }

    /// Copies for search, with chance from fresh random streams: what `Env.clone` gives for each state.
    ///
    /// Args:
    ///     seed: A number, from which state i has `seed + i`; or one number per state.
    fn clone(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> Result<States> {
        let seeds = self.seeds(seed)?;
        let inner = py.detach(|| self.inner.clone_with_seeds(&seeds))?;
        Ok(self.another(py, inner))
    }

    /// Determinizations: what `Env.sample_hidden` gives for each state.
    ///
    /// Args:
    ///     player: The player whose knowledge decides, or one per state; None: the current player of each.
    ///     seed: A number, from which state i has `seed + i`; or one number per state. Seeds of two calls should lie at least `len(states)`
    ///         apart: with equal seeds two samples for a player have equal chance.
    ///
    /// Returns:
    ///     States. Their `game` is the same one, unless options are private: see `Env.sample_hidden`. Then all states need the same player.
    #[pyo3(signature = (player=None, *, seed))]
    fn sample_hidden(
        &self,
        py: Python<'_>,
        player: Option<&Bound<'_, PyAny>>,
        seed: &Bound<'_, PyAny>,
    ) -> Result<States> {
        let (players, seeds) = (self.players(player)?, self.seeds(seed)?);
        let inner = py.detach(|| self.inner.sample_hidden(&players, &seeds))?;
        if self.game.get().inner.private_options().is_empty() {
            return Ok(self.another(py, inner));
        }
        Ok(States { game: Py::new(py, Game::of(inner.game()))?, inner })
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        slf
    }

    /// The function that rebuilds them, and its arguments: the bytes that [`Env::to_bytes`] gives for each.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let restore = PyModule::import(py, "playmat._native")?.getattr("_restore_states")?;
        let bytes = |at| Ok(PyBytes::new(py, &self.inner.env(at)?.to_bytes()));
        let states = PyList::new(py, (0..self.inner.len()).map(bytes).collect::<Result<Vec<_>>>()?)?;
        Ok((restore, (self.game.clone_ref(py), states).into_pyobject(py)?.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("<playmat.States: {} of {}>", self.inner.len(), self.game.get().inner.info().id)
    }
}

/// Rebuilds pickled states.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "hold what Python gives")]
pub(crate) fn _restore_states(py: Python<'_>, game: Py<Game>, states: Vec<PyBackedBytes>) -> Result<States> {
    let own = &game.get().inner;
    let envs = states.iter().map(|bytes| Ok(own.env_from_bytes(bytes)?)).collect::<Result<Vec<_>>>()?;
    let inner = own.states(&envs.iter().map(|env| &**env).collect::<Vec<_>>())?;
    Ok(States { game: game.clone_ref(py), inner })
}
