//! `playmat.Agent`: it chooses actions.

use crate::arrays::{Memory, type_text, zeros};
use crate::env::Env;
use crate::errors::{Result, argument};
use crate::function::{self, Functions};
use crate::game::Game;
use crate::scalars::{PLAYER, Whole, text};
use crate::vec_env::VecEnv;
use numpy::PyArray1;
use playmat_core::agent::{ActionStatistics, AnyAgent};
use playmat_core::vec::ObsType;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString, PyTuple, PyType};

/// An agent of one game: it chooses actions. Made by `Game.agent`, from a spec or from a function.
///
/// It knows only what the player for whom it chooses knows. It draws from random streams of the environment, which also holds its
/// memory. So it can act in any number of environments, and equal seeds give equal episodes.
///
/// >>> import playmat
/// >>> game = playmat.Game("connect_four")
/// >>> agent = game.agent("greedy")
/// >>> env = game.env(seed=7)
/// >>> while not env.done:
/// ...     env.step(agent.act(env))
/// >>> venv = game.vec_env(64)
/// >>> batch = venv.reset(seed=1)
/// >>> batch = venv.step(agent.act_batch(venv))
#[pyclass(frozen, module = "playmat", name = "Agent")]
pub(crate) struct Agent {
    game: Py<Game>,
    inner: AnyAgent,
    /// The function that chooses, and the type of the observations that it reads.
    function: Option<(Py<PyAny>, ObsType)>,
}

impl Agent {
    pub(crate) fn of(game: Py<Game>, inner: AnyAgent) -> Agent {
        Agent { game, inner, function: None }
    }

    /// The agent of a function, which reads observations of this type.
    pub(crate) fn of_function(game: Py<Game>, callable: &Bound<'_, PyAny>, dtype: ObsType) -> Result<Agent> {
        let name = function::name_of(callable, &|_| false)?;
        let inner = function::agent(&*game.get().inner, callable, &name, dtype)?;
        Ok(Agent { game, inner, function: Some((callable.clone().unbind(), dtype)) })
    }

    /// The function that an argument is, alone or as an agent for `game`, and the type of the observations that it reads: alone `dtype`.
    pub(crate) fn function<'a, 'py>(
        object: &'a Bound<'py, PyAny>,
        dtype: ObsType,
        game: &Game,
    ) -> Option<(&'a Bound<'py, PyAny>, ObsType)> {
        match object.cast::<Agent>() {
            Ok(agent) if !agent.get().game.get().same_as(game) => None,
            Ok(agent) => {
                agent.get().function.as_ref().map(|(callable, dtype)| (callable.bind(object.py()), *dtype))
            }
            Err(_) => is_function(object).then_some((object, dtype)),
        }
    }

    /// An argument that is an agent for `game`, the spec of one, or a function.
    pub(crate) fn read(name: &'static str, object: &Bound<'_, PyAny>, game: &Game) -> Result<AnyAgent> {
        Agent::read_with(name, object, game, ObsType::U8)
    }

    /// [`Agent::read`], where a function reads observations of this type.
    pub(crate) fn read_with(
        name: &'static str,
        object: &Bound<'_, PyAny>,
        game: &Game,
        dtype: ObsType,
    ) -> Result<AnyAgent> {
        if let Ok(agent) = object.cast::<Agent>() {
            return Ok(agent.get().inner.clone());
        }
        if is_function(object) {
            let own_name = function::name_of(object, &|_| false)?;
            return Ok(function::agent(&*game.inner, object, &own_name, dtype)?);
        }
        let spec = spec_or_path(object)?;
        Ok(game.inner.agent(text(name, &spec)?).map_err(|error| error.renamed("agent", name))?)
    }
}

/// What a search found out about the decision that it chose last: what `Agent.statistics` returns. The arrays have one row for each of n
/// legal actions.
#[pyclass(frozen, module = "playmat", name = "SearchStatistics")]
pub(crate) struct SearchStatistics {
    /// The player who decided.
    #[pyo3(get)]
    player: u32,
    /// The action that was chosen: with temperature 0 the most visited one.
    #[pyo3(get)]
    action: u16,
    /// Simulations of this search, of all threads together; 0 where one action was legal, which is not searched.
    #[pyo3(get)]
    simulations: u32,
    /// Visits of this decision in the trees that were kept from earlier decisions of the episode. With `simulations` they are the sum of
    /// `visits`.
    #[pyo3(get)]
    kept_visits: u32,
    /// Nodes in all trees, those kept from earlier decisions included.
    #[pyo3(get)]
    nodes: usize,
    /// The player's mean return in all visits, 0 without visits: of the kind of the game's option `reward`, or with a network of that which
    /// its training used.
    #[pyo3(get)]
    value: f32,
    /// int64 `[n]` all legal actions, ascending.
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
    /// int64 `[n]` simulations that chose the action.
    #[pyo3(get)]
    visits: Py<PyArray1<i64>>,
    /// float32 `[n]` its share in the priors, which sum to 1, with the noise of this search; the mean of all threads.
    #[pyo3(get)]
    prior: Py<PyArray1<f32>>,
    /// float32 `[n]` the player's mean return in its visits, 0 without visits.
    #[pyo3(get)]
    mean_return: Py<PyArray1<f32>>,
}

impl SearchStatistics {
    fn of(py: Python<'_>, found: &playmat_core::agent::SearchStatistics) -> SearchStatistics {
        let actions = &found.actions;
        let numbers = |number: fn(&ActionStatistics) -> i64| {
            PyArray1::from_iter(py, actions.iter().map(number)).unbind()
        };
        let shares =
            |share: fn(&ActionStatistics) -> f32| PyArray1::from_iter(py, actions.iter().map(share)).unbind();
        SearchStatistics {
            player: found.player.0.into(),
            action: found.action.0,
            simulations: found.simulations,
            kept_visits: found.kept_visits,
            nodes: found.nodes,
            value: found.value,
            actions: numbers(|one| one.action.0.into()),
            visits: numbers(|one| one.visits.into()),
            prior: shares(|one| one.prior),
            mean_return: shares(|one| one.mean_return),
        }
    }
}

#[pymethods]
impl SearchStatistics {
    fn __repr__(&self) -> String {
        let SearchStatistics { player, action, simulations, value, .. } = self;
        format!(
            "<playmat.SearchStatistics: player {player} chose {action} after {simulations} simulations, value {value:.3}>"
        )
    }
}

/// What searches found out about the decisions of a batch that `Agent.act_batch` chose last: what `Agent.statistics_batch` returns. In the joint
/// view the arrays have an axis of P players after the first. A row is 0 where the decision was not searched: no player acts there, one action
/// is legal, or `mask` left it out.
#[pyclass(frozen, module = "playmat", name = "BatchStatistics")]
pub(crate) struct BatchStatistics {
    /// int32 `[N, A]` simulations that chose the action, those of earlier searches of the episode that came through the decision included.
    #[pyo3(get)]
    pub(crate) visits: Py<PyAny>,
    /// float32 `[N, A]` the player's mean return in them, 0 without visits.
    #[pyo3(get)]
    pub(crate) mean_return: Py<PyAny>,
    /// float32 `[N, A]` the action's share in the priors, which sum to 1 over the legal actions, with the noise of the search.
    #[pyo3(get)]
    pub(crate) prior: Py<PyAny>,
    /// float32 `[N]` the player's mean return in all visits: of the kind of the game's option `reward`, or with a network of that which its
    /// training used.
    #[pyo3(get)]
    pub(crate) value: Py<PyAny>,
    /// int32 `[N]` simulations of the last search, of all threads together; 0 where the decision was not searched.
    #[pyo3(get)]
    pub(crate) simulations: Py<PyAny>,
}

#[pymethods]
impl BatchStatistics {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shape = self.visits.bind(py).getattr("shape")?;
        Ok(format!("<playmat.BatchStatistics: visits of shape {shape}>"))
    }
}

/// Whether this is a function, or another object that can be called.
pub(crate) fn is_function(object: &Bound<'_, PyAny>) -> bool {
    object.is_callable() && !object.is_instance_of::<PyType>()
}

/// `opponents` or `roles` of `Game.vec_env` with a name in the place of each agent: its spec, or the name of a function, which is added to
/// `functions`.
pub(crate) struct Names<'a, 'py> {
    pub(crate) game: &'a Bound<'py, Game>,
    /// What functions read that are given as they are.
    pub(crate) dtype: ObsType,
    pub(crate) functions: &'a mut Functions,
}

impl<'py> Names<'_, 'py> {
    pub(crate) fn of(&mut self, name: &'static str, given: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        let py = given.py();
        if let Ok(weights) = given.cast::<PyDict>() {
            let is_agent = |key: &Bound<'_, PyAny>| is_agent(key) || is_function(key);
            if let Some(key) = weights.keys().iter().find(|key| !is_agent(key)) {
                let kind = type_text(&key);
                return argument(
                    name,
                    format!("got a key of type {kind}; wanted agents, their specs or functions as keys"),
                );
            }
            // Pairs: an agent and its spec may both be keys.
            let pairs = weights.iter().map(|(agent, weight)| self.pair(name, &agent, weight));
            return Ok(PyList::new(py, pairs.collect::<Result<Vec<_>>>()?)?.into_any());
        }
        if is_agent(given) || is_function(given) {
            return self.one(name, given);
        }
        let Ok(items) = given.try_iter() else { return Ok(given.clone()) };
        let items = items.map(|item| {
            let item = item?;
            // A pair of an agent and its weight.
            let first = items_of(&item).next();
            match (first, item.len()) {
                (Some(first), Ok(2)) => self.pair(name, &first, item.get_item(1)?),
                _ => self.one(name, &item),
            }
        });
        Ok(PyList::new(py, items.collect::<Result<Vec<_>>>()?)?.into_any())
    }

    fn pair(
        &mut self,
        name: &'static str,
        agent: &Bound<'py, PyAny>,
        weight: Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>> {
        Ok(PyTuple::new(agent.py(), [self.one(name, agent)?, weight])?.into_any())
    }

    /// The name of an agent for the game; any other object as it is.
    fn one(&mut self, name: &'static str, object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        let py = object.py();
        let named = |found: &AnyAgent| PyString::new(py, found.name()).into_any();
        let game = &*self.game.get().inner;
        let Ok(agent) = object.cast::<Agent>() else {
            if is_function(object) {
                return Ok(named(self.functions.add(game, object, self.dtype)?));
            }
            return Ok(spec_or_path(object)?);
        };
        let Agent { game: own, inner, function } = agent.get();
        if !own.get().same_as(self.game.get()) {
            let (spec, own) = (inner.name(), own.bind(py).repr()?);
            return argument(
                name,
                format!("`{spec}` was made for {own}; this environment plays {}", self.game.repr()?),
            );
        }
        match function {
            Some((callable, dtype)) => Ok(named(self.functions.add(game, callable.bind(py), *dtype)?)),
            None => Ok(named(inner)),
        }
    }
}

/// Whether this is an agent, a text or a path.
fn is_agent(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<Agent>() || object.is_instance_of::<PyString>() || is_path(object)
}

/// Whether this is a path (`os.PathLike`), such as the file of a network.
fn is_path(object: &Bound<'_, PyAny>) -> bool {
    !object.is_instance_of::<PyType>() && object.hasattr("__fspath__").unwrap_or(false)
}

/// The text of a path; any other object as it is.
pub(crate) fn spec_or_path<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if is_path(object) { object.call_method0("__fspath__") } else { Ok(object.clone()) }
}

/// The items of a list or tuple; nothing of any other object.
fn items_of<'py>(object: &Bound<'py, PyAny>) -> impl Iterator<Item = Bound<'py, PyAny>> {
    let list = object.cast::<PyList>().into_iter().flatten();
    list.chain(object.cast::<PyTuple>().into_iter().flatten())
}

#[pymethods]
impl Agent {
    /// The game that it was made for.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Its spec, or the name of its function.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The action that it chooses. `"random"` gives what `env.sample_action` gives.
    ///
    /// Ctrl-C ends a search within a fraction of a second with KeyboardInterrupt. The environment is then as before, but the agent has
    /// forgotten the tree that it kept of this episode.
    ///
    /// Args:
    ///     env: An environment of its game; it is not stepped.
    ///     player: The player for whom it chooses, who must be acting. Without: the current player.
    ///
    /// Raises:
    ///     EpisodeOver, NotActing, InvalidPlayer, InvalidArgument: No player acts, or not this player, or the environment is of another game.
    #[pyo3(signature = (env, player=None))]
    fn act(&self, py: Python<'_>, env: &Bound<'_, PyAny>, player: Option<Whole<PLAYER>>) -> Result<u16> {
        match env.cast::<Env>() {
            Ok(env) => env.get().act(py, &self.inner, player),
            Err(_) => argument("env", format!("got an object of type {}; wanted an Env", type_text(env))),
        }
    }

    /// What its search found out when it last chose for a player in this episode, also after later steps and at the end. Only a search
    /// (`"mcts:400"`, also with a network's policy) has statistics. After `act_batch` there is `statistics_batch`.
    ///
    /// >>> import playmat
    /// >>> game = playmat.Game("connect_four")
    /// >>> agent, env = game.agent("mcts:50"), game.env(seed=7)
    /// >>> action = agent.act(env)
    /// >>> found = agent.statistics(env)
    /// >>> bool(found.actions[found.visits.argmax()] == action), int(found.visits.sum())
    /// (True, 50)
    ///
    /// Args:
    ///     env: An environment of its game.
    ///     player: The player for whom it has chosen. Without: the current player; after the end the player who acted last. So read the
    ///         statistics before the step, or name the player: after the step the current player is the next one.
    ///
    /// Raises:
    ///     OrderError: The agent has not chosen for this player in this episode, or its last choice was cancelled.
    ///     InvalidArgument, InvalidPlayer: The agent does not search, or the environment is of another game; no such player.
    #[pyo3(signature = (env, player=None))]
    fn statistics(
        &self,
        py: Python<'_>,
        env: &Bound<'_, PyAny>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<SearchStatistics> {
        match env.cast::<Env>() {
            Ok(env) => Ok(SearchStatistics::of(py, &env.get().search_statistics(py, &self.inner, player)?)),
            Err(_) => argument("env", format!("got an object of type {}; wanted an Env", type_text(env))),
        }
    }

    /// The policy and the value of a network at the pending decision, or in a batch at all of them. Nothing is drawn or stepped.
    ///
    /// The policy has the temperature of the agent or, if that is 0, 1. The value is in the units of the game's rewards, of the kind that
    /// training used (`relative` and `win_bonus` included). Searches have `statistics`.
    ///
    /// Args:
    ///     env: An `Env` or a `VecEnv` of its game.
    ///     player: In an `Env` the player who must be acting. Without: the current player.
    ///
    /// Returns:
    ///     `(policy, value)`: float32 `[A]`, 0 for illegal actions, and a float. In a batch float32 `[N, A]` and `[N]`, in the joint view
    ///     `[N, P, A]` and `[N, P]`; rows without legal actions are 0.
    ///
    /// Raises:
    ///     EpisodeOver, NotActing, InvalidPlayer: No player acts, or not this player.
    ///     InvalidArgument: The agent is no network (`"policy.onnx"`), `env` is of another game, or `player` was given for a batch.
    #[pyo3(signature = (env, player=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        env: &Bound<'py, PyAny>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        if let Ok(env) = env.cast::<Env>() {
            let policy = zeros::<f32>(py, &[self.game.get().inner.info().num_actions])?;
            let numbers = Memory::of(&policy).expect("an array of numpy").floats_mut();
            let value = env.get().evaluate(py, &self.inner, player, numbers)?;
            return Ok((policy, PyFloat::new(py, value.into()).into_any()));
        }
        let Ok(venv) = env.cast::<VecEnv>() else {
            return argument(
                "env",
                format!("got an object of type {}; wanted an Env or a VecEnv", type_text(env)),
            );
        };
        if player.is_some() {
            return argument("player", "is for an Env; a VecEnv has a row for each player who acts");
        }
        venv.get().evaluate(py, &self.inner)
    }

    /// The action that it chooses in every row of the mask: labels for imitation learning, independent of who plays, or actions for `step`.
    ///
    /// Ctrl-C ends searches as in `act`; then nothing was written.
    ///
    /// `venv.step(agent.act_batch(venv))` plays as `venv.rollout(agent, 1)` does; `"random"` gives what `sample_actions` gives.
    ///
    /// Args:
    ///     venv: A batch of environments of its game.
    ///     out: int64 array `[N]` (joint view `[N, P]`) to write into; otherwise a new one.
    ///     mask: N truth values, the environments to choose in; None for all. In the others nothing is computed.
    ///
    /// Returns:
    ///     The array written; 0 where no player acts, -1 in environments that `mask` leaves out.
    #[pyo3(signature = (venv, out=None, mask=None))]
    fn act_batch<'py>(
        &self,
        py: Python<'py>,
        venv: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        match venv.cast::<VecEnv>() {
            Ok(venv) => venv.get().act_batch(py, &self.inner, out, mask),
            Err(_) => argument("venv", format!("got an object of type {}; wanted a VecEnv", type_text(venv))),
        }
    }

    /// What its searches found out about the decisions that `act_batch` chose last: read it before the step. Only a search (`"mcts:400"`, also
    /// with a network's policy) has statistics.
    ///
    /// >>> import playmat
    /// >>> game = playmat.Game("connect_four")
    /// >>> agent, venv = game.agent("mcts:50"), game.vec_env(8)
    /// >>> batch = venv.reset(seed=1)
    /// >>> actions = agent.act_batch(venv)
    /// >>> found = agent.statistics_batch(venv)
    /// >>> found.visits.shape, bool((found.visits.sum(1) == 50).all()), bool((found.visits.argmax(1) == actions).all())
    /// ((8, 7), True, True)
    ///
    /// Args:
    ///     venv: A batch of environments of its game.
    ///
    /// Raises:
    ///     InvalidArgument: The agent does not search, or the batch is of another game.
    ///     OrderError: The batch was not reset yet, or a step is under way.
    fn statistics_batch(&self, py: Python<'_>, venv: &Bound<'_, PyAny>) -> Result<BatchStatistics> {
        match venv.cast::<VecEnv>() {
            Ok(venv) => venv.get().search_statistics(py, &self.inner),
            Err(_) => argument("venv", format!("got an object of type {}; wanted a VecEnv", type_text(venv))),
        }
    }

    fn __repr__(&self) -> String {
        format!("<playmat.Agent {:?} for {}>", self.inner.name(), self.game.get().inner.info().id)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let arguments = match &self.function {
            Some((callable, dtype)) => (callable, dtype.name()).into_pyobject(py)?,
            None => PyTuple::new(py, [self.inner.name()])?,
        };
        Ok((self.game.bind(py).getattr("agent")?, arguments))
    }
}
