//! `playmat.Game`: a configured game and what is fixed about it.

use crate::agent::{Agent, Names, is_function, spec_or_path};
use crate::arrays::type_text;
use crate::batch::output_bytes;
use crate::entries;
use crate::env::Env;
use crate::errors::{Result, argument};
use crate::function::{Functions, refusal_of};
use crate::json::{from_python, to_python};
use crate::layout::{ActionRange, ObservationLayout};
use crate::scalars::{
    ACTION, CHOICES, Count, EPISODES, Flag, GREEDY, LEAVES, MEASURED, RELATIVE, ROWS, Seed, Whole,
    dtype_text, text, texts,
};
use crate::search::Search;
use crate::signals::{SharedSignals, Signals};
use crate::states::States;
use crate::vec_env::VecEnv;
use playmat_conformance::{KeepGoing, SuiteConfig};
use playmat_core::agent::{AnyAgent, Spec};
use playmat_core::any::AnyGame;
use playmat_core::content::Content;
use playmat_core::error::Error;
use playmat_core::exploit::Policy;
use playmat_core::info;
use playmat_core::options::{OptionKind, OptionSpec, is_content_text};
use playmat_core::player::Player;
use playmat_core::registry;
use playmat_core::survey;
use playmat_core::vec::ObsType;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A configured game: everything that is the same in all its episodes. It creates environments.
///
/// Immutable and shared: any number of environments and threads may use one. Equal to another of the same name and options.
///
/// Args:
///     name: A registered name, see `playmat.games()`.
///     **options: The options of the game and the common ones (`reward`, `max_steps`); see `playmat info GAME`. Option `content`
///         takes a name, TOML text, or the path of a TOML file (an `os.PathLike`, or a text ending in `.toml`).
///
/// Raises:
///     UnknownGame, InvalidOption, ContentError: Each names what was given and what is allowed.
///
/// >>> import playmat
/// >>> game = playmat.Game("graphia", players=3)
/// >>> game.num_players, game.num_actions, game.observation_shape, game.reward
/// (3, 583, (3725,), 'outcome')
/// >>> game.action_layout[0].name, game.observation_layout.names[0]
/// ('SHAPE', 'phase')
#[pyclass(frozen, module = "playmat", name = "Game")]
pub(crate) struct Game {
    pub(crate) inner: Arc<dyn AnyGame>,
    layout: PyOnceLock<Py<ObservationLayout>>,
}

impl Game {
    pub(crate) fn of(inner: Box<dyn AnyGame>) -> Game {
        Game { inner: Arc::from(inner), layout: PyOnceLock::new() }
    }

    /// Builds a registered game from a JSON object.
    pub(crate) fn make(name: &str, options: &Map<String, Value>) -> Result<Game> {
        Ok(Game::of(registry::make(entries(), name, options)?))
    }

    /// A player number as the type of the core.
    #[inline]
    pub(crate) fn check_player(players: usize, player: i64) -> Result<Player> {
        if (0..players as i64).contains(&player) {
            return Ok(Player(player as u8));
        }
        Err(Error::InvalidPlayer { player, players }.into())
    }

    pub(crate) fn same_as(&self, other: &Game) -> bool {
        self.inner.info().id == other.inner.info().id && self.inner.options() == other.inner.options()
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, /, **options))]
    fn new(name: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> Result<Game> {
        let name = text("name", name)?;
        let specs = entries().iter().find(|entry| entry.id == name).map(|entry| (entry.specs)());
        let mut given = Map::new();
        for (key, value) in options.into_iter().flatten() {
            let key = text("options", &key)?.to_owned();
            let spec = specs.iter().flatten().find(|spec| spec.name == key);
            let value = option_value(&value, spec).map_err(|message| Error::InvalidOption {
                game: name.into(),
                option: key.clone(),
                message,
            })?;
            given.insert(key, value);
        }
        Game::make(name, &given)
    }

    /// Registered name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.info().id
    }

    /// Name as on the box.
    #[getter]
    fn title(&self) -> &str {
        self.inner.info().title
    }

    /// Version of the rules; changes exactly when behaviour does.
    #[getter]
    fn version(&self) -> u32 {
        self.inner.info().version
    }

    /// Players of this configuration.
    #[getter]
    fn num_players(&self) -> usize {
        self.inner.info().players
    }

    /// Smallest and largest number of players of the game.
    #[getter]
    fn player_range(&self) -> (usize, usize) {
        self.inner.info().player_range
    }

    /// Number of actions: actions are `0 .. num_actions - 1`.
    #[getter]
    fn num_actions(&self) -> usize {
        self.inner.info().num_actions
    }

    /// Shape of one observation: `(O,)`.
    #[getter]
    fn observation_shape(&self) -> (usize,) {
        (self.inner.info().observation.size(),)
    }

    /// The named segments of an observation, in order and without holes.
    #[getter]
    fn observation_layout(&self, py: Python<'_>) -> Result<Py<ObservationLayout>> {
        let layout =
            self.layout.get_or_try_init(py, || ObservationLayout::new(py, &self.inner.info().observation))?;
        Ok(layout.clone_ref(py))
    }

    /// The named ranges of the action space, in order and without holes.
    #[getter]
    fn action_layout(&self) -> Vec<ActionRange> {
        self.inner.info().actions.iter().cloned().map(ActionRange::new).collect()
    }

    /// All options with their values, as a dict.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.options().to_json())
    }

    /// What the episodes pay: `"outcome"`, `"score"` or `"score_delta"`.
    #[getter]
    fn reward(&self) -> &'static str {
        self.inner.reward().name()
    }

    /// Smallest and largest sum of a player's rewards in one episode. These are bounds; play often reaches less. Scale rewards by
    /// `reward_scale()`.
    #[getter]
    fn return_range(&self) -> (f32, f32) {
        self.inner.info().return_range(self.inner.reward())
    }

    /// Everything fixed, as a dict of plain values; `content_entries` are the cards, tiles and goals with what they do. `state_bytes` is the
    /// size of a state, `env_bytes` that of an environment of a batch in the engine (state, random streams, seeds, legal actions), and
    /// `env_bytes_with_outputs` that with its rows of all arrays that `vec_env` makes by default (turn view, uint8 observations). For
    /// another batch, `VecEnv.nbytes` has the sum.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.inner.info();
        let mut value = serde_json::to_value(info).unwrap_or_default();
        let hash = format!("0x{:016x}", info.content_hash);
        value["content_hash"] = if info.content_name.is_empty() { Value::Null } else { hash.into() };
        value["content_entries"] = serde_json::to_value(self.inner.content_entries()).unwrap_or_default();
        value["observation_size"] = info.observation.size().into();
        value["options"] = self.inner.options().to_json();
        value["option_specs"] = self.inner.specs().iter().map(OptionSpec::to_json).collect();
        value["reward"] = self.inner.reward().name().into();
        value["max_steps"] = self.inner.max_steps().into();
        value["state_bytes"] = self.inner.state_size().into();
        value["env_bytes"] = self.inner.env_bytes().into();
        value["env_bytes_with_outputs"] = (self.inner.env_bytes() + output_bytes(info)).into();
        to_python(py, &value)
    }

    /// An environment playing the episode of `seed`, a whole number below 2**64. Without one, the operating system draws it; `Env.seed`
    /// says which.
    #[pyo3(signature = (seed=None))]
    fn env(slf: Bound<'_, Self>, seed: Option<Seed>) -> Result<Env> {
        let seed = seed.map_or_else(|| crate::fresh_seed(slf.py()), |Seed(seed)| Ok(seed))?;
        let inner = slf.get().inner.env(seed);
        Ok(Env::of(slf.unbind(), inner))
    }

    /// An environment from the bytes of `Env.to_bytes`, at most 64 KiB; its history begins here.
    ///
    /// Raises:
    ///     Unreadable: Damaged, truncated, extended.
    ///     WrongIdentity: Of another game, version, content or configuration.
    ///     InvalidState: It breaks rules of the game; all reasons are listed.
    fn env_from_bytes(slf: Bound<'_, Self>, data: &Bound<'_, PyAny>) -> Result<Env> {
        let data = crate::scalars::bytes("data", data)?;
        let inner = slf.get().inner.env_from_bytes(&data)?;
        Ok(Env::of(slf.unbind(), inner))
    }

    /// An environment from JSON: a text of at most 1 MiB, or the dict of `Env.state_dict`. `{"state": ...}` alone suffices. What the
    /// text does not hold comes from streams hashed from `seed` (and from the seed in the text): those of agents and of `sample_action`,
    /// and without a generator in it chance too. Its history begins here.
    ///
    /// Raises:
    ///     Unreadable, WrongIdentity, InvalidState: As `env_from_bytes`, with the path of what is wrong.
    #[pyo3(signature = (text, seed=Seed(0)), text_signature = "($self, text, seed=0)")]
    fn env_from_json(slf: Bound<'_, Self>, text: &Bound<'_, PyAny>, seed: Seed) -> Result<Env> {
        let inner = match text.cast::<PyString>() {
            Ok(given) => slf.get().inner.env_from_json(crate::scalars::text("text", given)?, seed.0)?,
            Err(_) => match from_python(text) {
                Ok(value) => slf.get().inner.env_from_json(&value.to_string(), seed.0)?,
                Err(message) => return argument("text", format!("{message}; wanted JSON text or a dict")),
            },
        };
        Ok(Env::of(slf.unbind(), inner))
    }

    /// The agent of a spec or of a function, for this game.
    ///
    /// Args:
    ///     spec: The text that names the agent, or the path (`pathlib.Path`) of a network:
    ///
    ///         - `"random"`: uniformly random legal actions.
    ///         - `"greedy"`: the game's greedy agent.
    ///         - `"mcts:400"`, `"mcts:50ms"`: tree search with 400 simulations for each action, or for 50 milliseconds. It plays
    ///           determinizations (see `Env.sample_hidden`) and keeps its tree for the episode.
    ///         - `"policy.onnx"`: a trained network, a file that `playmat train` wrote for this game with these options. It plays its
    ///           likeliest action, of several the lowest. With `"policy.onnx,temperature=1"` it draws actions from its policy, with
    ///           logits divided by the temperature (0, the likeliest action, or 0.01 to 100). A file may have a temperature that applies
    ///           without this option: `playmat train` writes 1 where it evaluates with `--play sample`. Decisions are the same on every
    ///           platform and in every batch. A path must not contain a comma.
    ///         - `"mcts:400,policy=policy.onnx"`: tree search with the network's policy as priors, and its value in place of rollouts. It
    ///           maximizes the returns that the network was trained on.
    ///
    ///         Options of a search follow, as in `"mcts:400,threads=2"`:
    ///
    ///         - `rollout=greedy` or `random`: the agent that plays a simulation to its end (default: greedy; with `policy`, none).
    ///           Beside `policy`, the network gives only the priors, and the search maximizes the returns that the game pays.
    ///         - `prior=greedy`: the greedy agent's choice is tried first and has half of the prior; or `uniform`.
    ///         - `prior_temperature` (0.01 to 100): divides the network's logits before they become priors (1). Above 1, the search also
    ///           tries actions that the network thinks unlikely. Needs `policy`.
    ///         - `c`: exploration constant, the factor of the bonus for rarely tried actions (1.5).
    ///         - `threads`: number of trees searched in parallel (1).
    ///         - `dirichlet_alpha` (0.01 to 100): mixes Dirichlet noise into the priors of the root, with the share
    ///           `dirichlet_fraction` (0.25).
    ///         - `temperature` (0, or up to 100): draws the action in proportion to `visits ** (1 / temperature)`; 0: the most visited.
    ///         - `temperature_drop` (1 to 1,000,000): draws only so many decisions of the player in an episode, the first ones; then it plays
    ///           the most visited action (default: all are drawn). Needs `temperature`.
    ///         - `max_nodes`: most nodes of a tree, 1 to 1,048,576 (the default). A full tree is emptied before the next search.
    ///
    ///         A function `(obs, mask, player) -> actions` chooses for the n decisions that it gets at once: `obs` `[n, O]`, `mask`
    ///         bool `[n, A]` and `player` int32 `[n]`, arrays of its own; it returns n legal actions, whole numbers. At least two
    ///         actions are legal in every row. Its choice in a row must follow from that row alone, because the number of threads decides
    ///         which rows come together. With a true attribute `takes_greedy` it gets a fourth array: int64 `[n]`, the greedy agent's
    ///         actions. Its name is its attribute `name`, `__name__` or the name of its class.
    ///     dtype: Of the observations of a function: `"u8"` or `"f32"`.
    ///
    /// Raises:
    ///     InvalidArgument: Names the specs that are allowed, or the file of a network and why it is refused.
    #[pyo3(signature = (spec, dtype=None), text_signature = "($self, spec, dtype='u8')")]
    fn agent(
        slf: &Bound<'_, Self>,
        spec: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> Result<Agent> {
        if is_function(spec) {
            let dtype = match dtype {
                None => ObsType::U8,
                Some(dtype) => ObsType::parse(&dtype_text("dtype", dtype)?)?,
            };
            return Agent::of_function(slf.clone().unbind(), spec, dtype);
        }
        if dtype.is_some() {
            return argument("dtype", "is for functions only: other agents read what they need");
        }
        let spec = spec_or_path(spec)?;
        if !spec.is_instance_of::<PyString>() {
            let wanted = "wanted the spec of an agent, such as `greedy` or `mcts:400`, the path of a network, or a function";
            return argument("spec", format!("got an object of type {}; {wanted}", type_text(&spec)));
        }
        let inner =
            slf.get().inner.agent(text("spec", &spec)?).map_err(|error| error.renamed("agent", "spec"))?;
        Ok(Agent::of(slf.clone().unbind(), inner))
    }

    /// The states of environments as an array; `VecEnv.states` gives those of a batch. Arrays are put one after the other.
    ///
    /// Args:
    ///     envs: An environment of this game, an array of its states, or a list of both.
    ///
    /// Raises:
    ///     InvalidArgument: An environment or states of another game.
    fn states(slf: &Bound<'_, Self>, envs: &Bound<'_, PyAny>) -> Result<States> {
        States::of_all(slf.py(), slf.as_unbound(), envs)
    }

    /// Tree searches whose network is evaluated in Python, for many positions at once.
    ///
    /// Args:
    ///     spec: `"mcts:400"`: with 400 simulations for each action; with the options `prior_temperature`, `c`,
    ///         `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop` and `max_nodes` of `agent`, as in
    ///         `"mcts:400,c=2,dirichlet_alpha=0.3,temperature=1"`, and `threads`: with `threads=2` two threads share the searches in
    ///         `collect` and `feed`, and what the searches find stays the same.
    ///     rows: Number of searches.
    ///     leaves: Most leaves of one search that are under way at once. With 1 a search finds what `"mcts:400,policy=policy.onnx"` does with
    ///         the same network. With more, simulations under way count as lost until their values are known (a virtual loss), so that
    ///         they spread.
    ///     dtype: Of observations: `"u8"` or `"uint8"`, `"f32"` or `"float32"`, or numpy's own, such as `numpy.float32`.
    ///     greedy: Whether leaves tell what the greedy agent would do there, for a network that reads it. The greedy agent of some games
    ///         draws, from the stream of the search: a search then finds something else than without it.
    ///
    /// Raises:
    ///     InvalidArgument: Names what is allowed.
    #[pyo3(
        signature = (spec, rows=Count(1), leaves=Count(1), *, dtype=None, greedy=Flag(false)),
        text_signature = "($self, spec, rows=1, leaves=1, *, dtype=None, greedy=False)"
    )]
    fn search(
        slf: &Bound<'_, Self>,
        spec: &Bound<'_, PyAny>,
        rows: Count<ROWS>,
        leaves: Count<LEAVES>,
        dtype: Option<&Bound<'_, PyAny>>,
        greedy: Flag<GREEDY>,
    ) -> Result<Search> {
        let dtype = match dtype {
            None => ObsType::U8,
            Some(dtype) => ObsType::parse(&dtype_text("dtype", dtype)?)?,
        };
        let inner = slf.get().inner.leaf_search(text("spec", spec)?, rows.0, leaves.0)?;
        Ok(Search::of(slf.clone().unbind(), inner, dtype, greedy.0))
    }

    /// Many environments of this game, stepped together.
    ///
    /// Args:
    ///     num_envs: N.
    ///     threads: Threads that step, the caller's included; 1 starts none, but for `step_async`. Results do not depend on it.
    ///     view: `"turn"`: one acting player per environment and step, of several at once the lowest first. `"joint"`: all acting
    ///         players of an environment decide in the same step. `"single"`: one learner, opponents are the other players.
    ///     dtype: Of observations: `"u8"` or `"uint8"`, `"f32"` or `"float32"`, or numpy's own, such as `numpy.float32`.
    ///     autoreset: `"same_step"`: the next episode starts in the step that ends one. `"next_step"`: the step after the end ignores
    ///         the action and starts it. `"disabled"`: stepping is refused until `reset(mask=...)`.
    ///     learner: The player that the caller plays, or `"rotate"`: another one in each episode. None: all (in the
    ///         single-player view: 0).
    ///     roles: Instead of `learner`, one entry per player: `"learner"`, `"pool"`, an agent or its spec, or an opponent's index.
    ///     opponents: The pool for players that the caller does not play, drawn anew for every episode: agents, their specs or functions (see
    ///         `agent`; functions read observations of `dtype`), pairs of agent and weight, or a dict from agents to weights. A function is
    ///         called for many environments that wait for it at once, and must not use this batch. If it fails, the call raises its
    ///         exception, and nothing was stepped or written.
    ///     spin_us: How long a worker waits for the next step before it sleeps, at most a second (1,000,000).
    ///     first_env: Number of the first environment, at most 2**32: environment i has the random streams, and with `learner="rotate"` the
    ///         learners, of environment `first_env + i` of a batch that begins at 0. So several batches can play the parts of one.
    ///     fields: Names of the `Batch` fields to hold; None for all but `final_obs_all` (and `acting`, except in the joint view, and
    ///         `learner` and `learner_reward`, except in the single-player view).
    ///
    /// Returns:
    ///     The environment; its first call must be `reset`.
    ///
    /// An episode that ends before the learner decides is not returned: it is only counted in `results`, and the next one follows.
    ///
    /// Raises:
    ///     InvalidArgument, InvalidPlayer: Each names what was given and what is allowed; `learner` also where the learner never decides.
    #[pyo3(signature = (num_envs, *, threads=None, view=None, dtype=None, autoreset=None, learner=None, roles=None, opponents=None, spin_us=None, first_env=None, fields=None),
           text_signature = "($self, num_envs, *, threads=1, view='turn', dtype='u8', autoreset='same_step', learner=None, roles=None, opponents=None, spin_us=50, first_env=0, fields=None)")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn vec_env<'py>(
        slf: &Bound<'py, Self>,
        num_envs: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        view: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
        autoreset: Option<&Bound<'_, PyAny>>,
        learner: Option<&Bound<'_, PyAny>>,
        roles: Option<&Bound<'py, PyAny>>,
        opponents: Option<&Bound<'py, PyAny>>,
        spin_us: Option<&Bound<'_, PyAny>>,
        first_env: Option<&Bound<'_, PyAny>>,
        fields: Option<&Bound<'_, PyAny>>,
    ) -> Result<VecEnv> {
        let dtype = dtype.map(|dtype| dtype_text("dtype", dtype)).transpose()?;
        // A wrong one is refused with the other arguments.
        let read = dtype.as_deref().map_or(ObsType::U8, |dtype| ObsType::parse(dtype).unwrap_or(ObsType::U8));
        let mut functions = Functions::default();
        let mut names = Names { game: slf, dtype: read, functions: &mut functions };
        let opponents = opponents.map(|given| names.of("opponents", given)).transpose()?;
        let roles = roles.map(|given| names.of("roles", given)).transpose()?;
        let mut arguments = crate::vec_env::arguments(&[
            ("num_envs", Some(num_envs)),
            ("threads", threads),
            ("learner", learner),
            ("roles", roles.as_ref()),
            ("opponents", opponents.as_ref()),
            ("spin_us", spin_us),
            ("first_env", first_env),
            ("fields", fields),
        ])?;
        for (name, given) in [("view", view), ("autoreset", autoreset)] {
            arguments[name] = given.map(|given| text(name, given)).transpose()?.into();
        }
        arguments["dtype"] = dtype.into();
        VecEnv::make(slf.py(), slf.clone().unbind(), arguments, functions)
    }

    /// Text of an action without a position: it depends on the number of the action alone.
    fn action_text(&self, action: Whole<ACTION>) -> Result<String> {
        Ok(self.inner.action_text(action.0)?)
    }

    /// The action with this text.
    ///
    /// Raises:
    ///     UnknownAction: With examples of what would be understood.
    fn parse_action(&self, text: &Bound<'_, PyAny>) -> Result<u16> {
        Ok(self.inner.parse_action(crate::scalars::text("text", text)?)?.0)
    }

    /// Checksums of observations, masks, rewards and states of the episodes of seeds `0 .. episodes - 1`, as text. Equal on every
    /// machine and in every binding.
    #[pyo3(signature = (episodes=Count(20)), text_signature = "($self, episodes=20)")]
    fn digest(&self, py: Python<'_>, episodes: Count<EPISODES>) -> Result<String> {
        let episodes = episodes.0 as u64;
        let mut signals = Signals::new();
        let digest = py.detach(|| self.inner.digest_while(episodes, &mut || signals.keeps_going()));
        signals.finish()?;
        Ok(digest.to_string())
    }

    /// Self-play in numbers: lengths, scores, victories by player, how often each rule, content entry and action range happened.
    ///
    /// `choices` lists the actions that were chosen, by number: `times`; `episodes` in which it was; `players` that chose it, counted in
    /// each episode by itself; `share`, the mean of their victories (a victory of W winners is 1/W; fair is 1/players), with `margin`, half
    /// of its 95% interval, or None under 30 episodes and where they do not differ; `per_time`, the same mean over all times instead of
    /// players; `moments`, from which the interval of several surveys follows.
    ///
    /// Args:
    ///     episodes: How many are played.
    ///     seed: Their seeds derive from it.
    ///     agents: An agent (or its spec) for each player; the last one also plays for the players after it. Without: `"random"`.
    ///
    /// Returns:
    ///     A dict of plain values. Ctrl-C ends it early with KeyboardInterrupt.
    #[pyo3(signature = (episodes=Count(1000), seed=Seed(0), agents=None), text_signature = "($self, episodes=1000, seed=0, agents=None)")]
    fn survey<'py>(
        &self,
        py: Python<'py>,
        episodes: Count<EPISODES>,
        seed: Seed,
        agents: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let episodes = episodes.0 as u64;
        let agents = match agents {
            None => vec![self.inner.agent("random")?],
            Some(agents) => crate::scalars::list("agents", agents, "a list of agents")?
                .iter()
                .map(|agent| Agent::read("agents", agent, self))
                .collect::<Result<_>>()?,
        };
        if agents.is_empty() {
            return argument("agents", "got none; wanted at least one agent");
        }
        let players = self.inner.info().players;
        if agents.len() > players {
            return argument(
                "agents",
                format!("got {} agents; the game has {players} players", agents.len()),
            );
        }
        let mut signals = Signals::new();
        let failures = || agents.iter().filter_map(AnyAgent::take_failure).collect::<Vec<_>>();
        drop(failures());
        let survey = py.detach(|| {
            let has_failed = || agents.iter().any(AnyAgent::has_failed);
            let mut goes_on = || signals.keeps_going() && !has_failed();
            self.inner.survey_while(episodes, seed.0, &agents, &mut goes_on)
        });
        if let Some(failure) = failures().into_iter().next() {
            return Err(refusal_of(failure, "agents"));
        }
        signals.finish()?;
        let survey = survey.map_err(|error| error.renamed("agent", "agents"))?;
        Ok(to_python(py, &serde_json::to_value(&survey).unwrap_or_default())?)
    }

    /// The factor on rewards under which the returns of play have standard deviation 1; 1.0 if they do not differ.
    ///
    /// `return_range` bounds every episode, so it can be far wider than what play reaches, and rewards divided by it come out flat.
    /// This is measured: the agents `"random"` and `"greedy"` play every other episode, each for all players. The deviation is that of all
    /// players' returns around their common mean. The same game, `episodes` and `seed` give the same factor.
    ///
    /// Args:
    ///     episodes: How many are played. The factor's relative error is about 1 / sqrt(2 * episodes * players).
    ///     seed: Their seeds derive from it.
    ///     relative: Measure the return of each player less the mean of the others', for a learner with such a relative reward.
    ///
    /// Returns:
    ///     A float above 0. Ctrl-C ends the measurement with KeyboardInterrupt.
    ///
    /// Raises:
    ///     InvalidArgument: No episodes.
    ///
    /// >>> import playmat
    /// >>> game = playmat.Game("leduc_poker")
    /// >>> game.return_range
    /// (-13.0, 13.0)
    /// >>> 0.2 < game.reward_scale() < 0.4
    /// True
    #[pyo3(signature = (episodes=Count(256), seed=Seed(0), relative=Flag(false)), text_signature = "($self, episodes=256, seed=0, relative=False)")]
    fn reward_scale(
        &self,
        py: Python<'_>,
        episodes: Count<MEASURED>,
        seed: Seed,
        relative: Flag<RELATIVE>,
    ) -> Result<f64> {
        let episodes = episodes.0 as u64;
        let mut signals = Signals::new();
        let scale = py.detach(|| {
            survey::reward_scale(&*self.inner, episodes, seed.0, relative.0, &mut || signals.keeps_going())
        });
        signals.finish()?;
        Ok(scale)
    }

    /// Every deal with its probability: a list of `(Env, float)`, environments in their first position. The probabilities sum to 1; a game
    /// without chance in the deal has one. `Env.chance_outcomes` goes on from there.
    ///
    /// Raises:
    ///     MissingFeature: The game does not list its deals, because there are too many (more than 10,000): chance is sampled.
    ///
    /// >>> import playmat
    /// >>> deals = playmat.Game("kuhn_poker").chance_outcomes()
    /// >>> len(deals), round(sum(p for _, p in deals), 9)
    /// (6, 1.0)
    fn chance_outcomes(slf: Bound<'_, Self>) -> Result<Vec<(Env, f64)>> {
        let outcomes = slf.get().inner.chance_outcomes()?;
        let game = slf.unbind();
        Ok(Python::attach(|py| {
            outcomes.into_iter().map(|(env, p)| (Env::of(game.clone_ref(py), env), p)).collect()
        }))
    }

    /// What `playmat.exploitability` shows. A policy is the spec of an agent or a table of probabilities; with `decisions` the spec of any
    /// agent, whose probabilities are estimated.
    #[pyo3(signature = (spec=None, table=None, decisions=None, seed=None))]
    fn _exploitability<'py>(
        &self,
        py: Python<'py>,
        spec: Option<&Bound<'py, PyAny>>,
        table: Option<BTreeMap<u128, Vec<f64>>>,
        decisions: Option<Count<CHOICES>>,
        seed: Option<Seed>,
    ) -> Result<Bound<'py, PyAny>> {
        let policy = match (spec, table) {
            (Some(spec), _) => {
                let spec = crate::scalars::text("policy", spec)?.parse::<Spec>();
                let agent = spec.map_err(|error| error.renamed("agent", "policy"))?;
                match decisions {
                    Some(Count(count)) => {
                        let Some(decisions) = u32::try_from(count).ok().and_then(NonZeroU32::new) else {
                            return argument("decisions", format!("got {count}; allowed: 1 to {}", u32::MAX));
                        };
                        Policy::Decisions { agent, decisions, seed: seed.map_or(0, |seed| seed.0) }
                    }
                    None => Policy::Agent(agent),
                }
            }
            (None, table) => Policy::Table(table.unwrap_or_default()),
        };
        let signals = SharedSignals::new();
        let result = py.detach(|| self.inner.exploitability_while(&policy, &|| signals.keeps_going()));
        signals.finish()?;
        Ok(to_python(py, &serde_json::to_value(result?).unwrap_or_default())?)
    }

    /// Logits `[n, A]` and values `[n]` that a network's file gives for observations `[n, O]`, as bytes of little-endian float32: what
    /// `playmat.export_policy` compares. If the file has an input `greedy`, its bytes follow each observation.
    fn _evaluate<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        obs: &[u8],
    ) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let info = self.inner.info();
        let (logits, values) = py.detach(|| {
            let network = self.inner.network(path)?;
            let rows = obs.len() / network.input_size().max(1);
            let obs = &obs[..rows * network.input_size()];
            let (mut logits, mut values) = (vec![0.0; rows * info.num_actions], vec![0.0; rows]);
            network.evaluate(obs, &mut logits, &mut values);
            Ok::<_, Error>((logits, values))
        })?;
        let bytes = |numbers: &[f32]| {
            PyBytes::new(py, &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
        };
        Ok((bytes(&logits), bytes(&values)))
    }

    /// The engine's conformance suite on this game: what `playmat.testing.check` shows. Ctrl-C ends it between two episodes or checks.
    #[pyo3(signature = (seed=None, episodes=None, only=None))]
    fn _conformance<'py>(
        &self,
        py: Python<'py>,
        seed: Option<Seed>,
        episodes: Option<Count<EPISODES>>,
        only: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let only = only.map(|only| texts("only", only)).transpose()?;
        let mut config = SuiteConfig { only: only.unwrap_or_default(), ..SuiteConfig::default() };
        config.check_only()?;
        if let Some(Seed(seed)) = seed {
            config.seed = seed;
        }
        if let Some(Count(episodes)) = episodes {
            (config.episodes, config.sweep) = (episodes, episodes * 64);
        }
        let signals = Arc::new(Mutex::new(Signals::new()));
        let shared = signals.clone();
        config.keep_going = KeepGoing(Some(Arc::new(move || {
            shared.lock().unwrap_or_else(PoisonError::into_inner).keeps_going()
        })));
        let report = py.detach(|| playmat_conformance::check(entries(), &*self.inner, &config));
        let mut signals = signals.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *signals, Signals::new()).finish()?;
        Ok(to_python(py, &serde_json::to_value(report?).unwrap_or_default())?)
    }

    fn __repr__(&self) -> String {
        let mut text = format!("playmat.Game('{}'", self.inner.info().id);
        let given = self.inner.options().non_default(self.inner.specs());
        for (name, value) in given.as_object().into_iter().flatten() {
            let shown = match value {
                Value::String(text) if is_content_text(text) => "<TOML text>".into(),
                Value::String(text) => format!("'{text}'"),
                Value::Bool(true) => "True".into(),
                Value::Bool(false) => "False".into(),
                other => other.to_string(),
            };
            text.push_str(&format!(", {name}={shown}"));
        }
        text + ")"
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.same_as(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let text = format!("{}{}", self.inner.info().id, self.inner.options().to_json());
        info::fnv1a(text.as_bytes())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyAny>)> {
        let given = self.inner.options().non_default(self.inner.specs());
        Ok((PyTuple::new(py, [self.inner.info().id])?, to_python(py, &given)?))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        slf
    }
}

/// An option's value as JSON; the path of a content file becomes its text.
fn option_value(value: &Bound<'_, PyAny>, spec: Option<&OptionSpec>) -> std::result::Result<Value, String> {
    if let Some(OptionSpec { kind: OptionKind::Content(_), .. }) = spec {
        let path = match value.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_str().map_err(|error| error.to_string())?;
                let is_path = text.ends_with(".toml") && !is_content_text(text);
                is_path.then(|| PathBuf::from(text))
            }
            Err(_) => value.extract::<PathBuf>().ok(),
        };
        if let Some(path) = path {
            let read = read_file(&path, Content::MAX_BYTES).and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not a text in UTF-8"))
            });
            let text = read.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
            // EventFields apart from a name even if the file is empty or one word.
            return Ok(Value::String(if is_content_text(&text) { text } else { text + "\n" }));
        }
    }
    from_python(value)
}

/// Reads a file of at most `most` bytes; longer ones, and those without an end, are refused.
pub(crate) fn read_file(path: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let size = file.metadata()?.len().max(bytes.len() as u64);
        return Err(std::io::Error::other(format!("it has {size} bytes; allowed: {most}")));
    }
    Ok(bytes)
}
