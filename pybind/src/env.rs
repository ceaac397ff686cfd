//! `playmat.Env`: one episode at a time.

mod agents;
mod pickle;
mod step;
mod targets;

pub(crate) use pickle::_restore_env;

use crate::arrays::{Element, ForeignArray, Memory, check_out, zeros};
use crate::errors::{Result, argument, problem_list};
use crate::game::Game;
use crate::json::{list, to_python};
use crate::lock::{Guard, Lock};
use crate::replay::Replay;
use crate::scalars::{ACTION, Count, EXACT, Flag, PLAYER, Seed, VIEWER, WIDTH, Whole, dtype_text, text};
use crate::stepper::Stepper;
use numpy::PyArray1;
use playmat_core::any::AnyEnv;
use playmat_core::game::Status;
use playmat_core::player::Player;
use playmat_core::vec::ObsType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};

pub(crate) const BUSY: &str = "the environment is in use by another call of this thread, which runs a signal handler or other Python code";

const OBSERVATION: &[Element] = &[Element::U8, Element::F32];
const MASK: &[Element] = &[Element::Bool, Element::U8, Element::I8];

/// One environment: an episode that is being played, with its generator and history.
///
/// Made by `Game.env`, `Game.env_from_bytes` and `Game.env_from_json`. A refused call changes nothing. Calls from several threads take
/// turns; a signal handler that uses it during a call of the same thread gets an `OrderError`. `copy.copy`, `copy.deepcopy` and
/// `pickle` keep state, chance, seeds and history; `clone` gives a copy for search, with other future chance.
///
/// >>> import playmat
/// >>> env = playmat.Game("connect_four").env(seed=7)
/// >>> env.current_player, env.legal_actions(), env.action_text(3)
/// (0, [0, 1, 2, 3, 4, 5, 6], 'drop in D')
/// >>> env.step(3)
/// >>> env.current_player, env.observation().shape, int(env.action_mask().sum())
/// (1, (126,), 7)
/// >>> env.step(7)
/// Traceback (most recent call last):
///     ...
/// playmat.errors.IllegalAction: illegal action 7 (actions are 0 to 6) for player 1; 7 legal, for example 0 ("drop in A")
/// >>> agent = env.game.agent("greedy")
/// >>> while not env.done:
/// ...     env.step(agent.act(env))
/// >>> env.terminated, float(env.returns.sum())
/// (True, 0.0)
#[pyclass(frozen, module = "playmat", name = "Env")]
pub(crate) struct Env {
    game: Py<Game>,
    inner: Lock<Inner>,
    players: usize,
    num_actions: usize,
    observation: usize,
}

pub(crate) struct Inner {
    pub(crate) env: Box<dyn AnyEnv>,
    /// One observation as bytes, before the conversion to `float32`.
    scratch: Vec<u8>,
}

impl Env {
    pub(crate) fn of(game: Py<Game>, env: Box<dyn AnyEnv>) -> Env {
        let info = env.info();
        Env {
            players: info.players,
            num_actions: info.num_actions,
            observation: info.observation.size(),
            game,
            inner: Lock::new(Inner { env, scratch: Vec::new() }, BUSY),
        }
    }

    /// Whose turn it is.
    pub(crate) fn inner_lock(&self) -> &Lock<Inner> {
        &self.inner
    }

    /// The environment for one call.
    #[inline]
    pub(crate) fn lock<'a>(&'a self, py: Python<'_>) -> Result<Guard<'a, Inner>> {
        self.inner.lock(py)
    }

    #[inline]
    fn check_player<const N: usize>(&self, player: Whole<N>) -> Result<Player> {
        Game::check_player(self.players, player.0)
    }

    fn viewer<const N: usize>(&self, viewer: Option<Whole<N>>) -> Result<Option<Player>> {
        viewer.map(|player| self.check_player(player)).transpose()
    }

    /// The default player: the current player; after the end the player who acted last.
    #[inline]
    fn default_player(inner: &Inner) -> Player {
        let acting = inner.env.acting().first();
        acting.unwrap_or_else(|| inner.env.history().last().map_or(Player(0), |&(player, _)| player))
    }

    /// The player of a call, or the default one.
    #[inline]
    fn player_or_default<const N: usize>(&self, inner: &Inner, given: Option<Whole<N>>) -> Result<Player> {
        given.map_or_else(|| Ok(Env::default_player(inner)), |player| self.check_player(player))
    }

    fn another(&self, py: Python<'_>, env: Box<dyn AnyEnv>) -> Env {
        Env::of(self.game.clone_ref(py), env)
    }

    /// A copy of everything.
    fn exact(&self, py: Python<'_>) -> Result<Env> {
        let env = self.lock(py)?.env.clone_box();
        Ok(self.another(py, env))
    }

    #[inline]
    fn write_observation(&self, inner: &mut Inner, player: Player, out: &Memory<'_>) -> Result<()> {
        if out.element == Element::U8 {
            inner.env.write_observation(player, out.bytes_mut())?;
        } else {
            inner.scratch.resize(self.observation, 0);
            inner.env.write_observation(player, &mut inner.scratch)?;
            inner.env.info().observation.to_f32(&inner.scratch, out.floats_mut());
        }
        Ok(())
    }
}

#[pymethods]
impl Env {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Whether the episode is over: terminated or truncated.
    #[getter]
    fn done(&self, py: Python<'_>) -> Result<bool> {
        Ok(self.lock(py)?.env.status() != Status::Running)
    }

    /// Whether the rules ended the episode.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Result<bool> {
        Ok(self.lock(py)?.env.status() == Status::Terminated)
    }

    /// Whether a limit cut the episode off; never together with `terminated`.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Result<bool> {
        Ok(self.lock(py)?.env.status() == Status::Truncated)
    }

    /// The player who acts next in the turn view (of several, the lowest), 0-based; -1 when the episode is over.
    #[getter]
    fn current_player(&self, py: Python<'_>) -> Result<i64> {
        Ok(self.lock(py)?.env.acting().first().map_or(-1, |player| player.0.into()))
    }

    /// All players who must decide now, ascending; empty when the episode is over.
    #[getter]
    fn acting_players(&self, py: Python<'_>) -> Result<Vec<usize>> {
        Ok(self.lock(py)?.env.acting().iter().map(Player::index).collect())
    }

    /// The reward of each player in the last step: float32 `[P]`.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_slice(py, self.lock(py)?.env.rewards()))
    }

    /// The return of each player so far: float32 `[P]`.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_slice(py, self.lock(py)?.env.returns()))
    }

    /// Current scores in points of the game: int32 `[P]`.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<i32>>> {
        Ok(PyArray1::from_vec(py, self.lock(py)?.env.scores()))
    }

    /// Decisions of all players since the deal, those before a load included. After `sample_hidden` they count from 0: how many were
    /// made in truth can tell what others have chosen.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> Result<u32> {
        Ok(self.lock(py)?.env.decisions())
    }

    /// The decisions as `(player, action)`, since the deal or since the state that was loaded, sampled, or copied with chance of its
    /// own: `decisions - len(history)` were made before, and a saved state does not say which. Pickles and exact copies keep it.
    #[getter]
    fn history(&self, py: Python<'_>) -> Result<Vec<(usize, u16)>> {
        Ok(self.lock(py)?.env.history().iter().map(|&(player, action)| (player.index(), action.0)).collect())
    }

    /// Seed of the running episode: `game.env(seed)` with it replays the episode alone. A copy, a sample and a position loaded without
    /// a seed have one that was hashed from theirs, for their streams.
    #[getter]
    fn episode_seed(&self, py: Python<'_>) -> Result<u64> {
        Ok(self.lock(py)?.env.episode_seed())
    }

    /// The seed that this environment's stream of episodes began with, given or drawn: `game.env(env.seed)` plays the same episodes
    /// again, one `reset()` after the other. Of a loaded environment, the one of the environment that was saved.
    #[getter]
    fn seed(&self, py: Python<'_>) -> Result<u64> {
        Ok(self.lock(py)?.env.root_seed())
    }

    /// Starts an episode: that of `seed`, which begins a stream of episodes, or without one the next of this environment's own stream.
    #[pyo3(signature = (seed=None))]
    fn reset(&self, py: Python<'_>, seed: Option<Seed>) -> Result<()> {
        self.lock(py)?.env.reset(seed.map(|seed| seed.0));
        Ok(())
    }

    /// The observation of a player, as an array `[O]`. After truncation by `max_steps` it is still the position in which play would
    /// continue, with its open decisions, so that a value can be learned; the mask is all False.
    ///
    /// Args:
    ///     player: The viewer, any player at any time. Default: the current player; after the end the player who acted last.
    ///     out: uint8 or float32 array or tensor `[O]`, C-contiguous, to write into; otherwise a new array.
    ///     dtype: Of a new array: `"u8"` or `"uint8"` (the engine's bytes), `"f32"` or `"float32"` (`(byte - bias) / scale`, in
    ///         [-1, 1]); or numpy's own, such as `numpy.float32`.
    ///
    /// Returns:
    ///     The array written.
    #[pyo3(signature = (player=None, out=None, *, dtype=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<PLAYER>>,
        out: Option<Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let out = match (out, dtype) {
            (Some(out), None) => out,
            (Some(_), Some(_)) => return argument("dtype", "only without `out`, which has its own"),
            (None, None) => zeros::<u8>(py, &[self.observation])?,
            (None, Some(dtype)) => match ObsType::parse(&dtype_text("dtype", dtype)?)? {
                ObsType::U8 => zeros::<u8>(py, &[self.observation])?,
                ObsType::F32 => zeros::<f32>(py, &[self.observation])?,
            },
        };
        let mut foreign = ForeignArray::default();
        let target = check_out("out", "", &out, &mut foreign, OBSERVATION, &[self.observation])?;
        let mut inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        self.write_observation(&mut inner, player, &target)?;
        Ok(out)
    }

    /// The legal actions of a player as an array `[A]`: True where legal; all False for a player who does not act.
    ///
    /// Args:
    ///     player: Default: the current player.
    ///     out: bool, uint8 or int8 array or tensor `[A]`, C-contiguous, to write 0 and 1 into; otherwise a new bool array.
    ///
    /// Returns:
    ///     The array written.
    #[pyo3(signature = (player=None, out=None))]
    fn action_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<PLAYER>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let out = match out {
            Some(out) => out,
            None => zeros::<bool>(py, &[self.num_actions])?,
        };
        let mut foreign = ForeignArray::default();
        let target = check_out("out", "", &out, &mut foreign, MASK, &[self.num_actions])?;
        let inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        inner.env.write_mask(player, target.bytes_mut())?;
        Ok(out)
    }

    /// The legal actions of a player (default: the current player), ascending; empty for a player who does not act.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, py: Python<'_>, player: Option<Whole<PLAYER>>) -> Result<Vec<u16>> {
        let inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        Ok(inner.env.legal_actions(player)?)
    }

    /// Plays one decision and everything that follows from it up to the next.
    ///
    /// Args:
    ///     action: The action of the current player (or of `player`); or one entry per player, list, tuple, array or tensor, or a
    ///         mapping from player to action: a whole simultaneous turn at once. Entries of players who do not act are ignored and
    ///         may be None.
    ///     player: An acting player other than the current one: simultaneous choices may come in any order.
    ///
    /// Raises:
    ///     IllegalAction, NotActing, InvalidPlayer, EpisodeOver: Nothing changed.
    #[pyo3(signature = (action, player=None))]
    fn step(&self, py: Python<'_>, action: &Bound<'_, PyAny>, player: Option<Whole<PLAYER>>) -> Result<()> {
        let mut inner = self.lock(py)?;
        if player.is_none()
            && action.is_exact_instance_of::<PyInt>()
            && let Ok(action) = action.extract::<i64>()
        {
            inner.env.step(action)?;
            return Ok(());
        }
        self.step_any(&mut inner, action, player)
    }

    /// `step`, then the observation and the mask of the next current player, in one call. `stepper` is faster, if the arrays stay the same.
    ///
    /// Args:
    ///     action: The action of the current player.
    ///     observation: uint8 or float32 array or tensor `[O]`, C-contiguous; after the end, the view of the player who acted last.
    ///     mask: bool, uint8 or int8 array or tensor `[A]`, C-contiguous; all 0 after the end.
    ///
    /// Returns:
    ///     Whether the episode is over.
    #[pyo3(signature = (action, observation, mask))]
    fn step_into(
        &self,
        py: Python<'_>,
        action: Whole<ACTION>,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
    ) -> Result<bool> {
        self.with_targets(py, observation, mask, |inner, observation, mask| {
            self.play_into(inner, action.0, observation, mask)
        })
    }

    /// Checks two arrays, and makes a `Stepper`, whose `step(action)` writes the next observation and mask into them without checking them
    /// again: the fastest way to play one environment.
    ///
    /// Both arrays are filled at once: with the observation and mask of the current player, after the end with the view of the player who
    /// acted last and zeros.
    ///
    /// Args:
    ///     observation: uint8 or float32 array or tensor `[O]`, C-contiguous.
    ///     mask: bool, uint8 or int8 array or tensor `[A]`, C-contiguous. Numpy arrays are fast; tensors are checked in every step, because
    ///         their memory can move. For a tensor of torch give `tensor.numpy()`, which is its memory as an array.
    ///
    /// Returns:
    ///     The stepper.
    ///
    /// Raises:
    ///     InvalidArgument: Another type, shape or layout, a read-only array, or two arrays that share memory.
    fn stepper(
        slf: &Bound<'_, Self>,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
    ) -> Result<Stepper> {
        Stepper::new(slf, observation, mask)
    }

    /// A legal action drawn uniformly from this environment's own stream, which play does not touch. `to_bytes` and `pickle` keep it,
    /// `to_json` does not.
    #[pyo3(signature = (player=None))]
    fn sample_action(&self, py: Python<'_>, player: Option<Whole<PLAYER>>) -> Result<u16> {
        let mut inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        Ok(inner.env.sample_action(player)?.0)
    }

    /// An independent copy for search: the same state, but chance from a fresh random stream, so that playing on a clone does not reveal
    /// the next card. Its history begins here. It still holds the hidden information of other players: see `sample_hidden`.
    ///
    /// Args:
    ///     seed: The fresh stream is hashed from it and from the episode's seed: it is not that of `game.env(seed)`, of a load or of a
    ///         sample with this seed. Without: from the number of copies made before in the episode, which `to_bytes`, `pickle` and exact
    ///         copies keep, so that each has another one.
    ///     exact: Copies everything, including future chance and history, as `copy.copy` does, and `clone` without a seed in C, C++ and
    ///         C#: to save a position and return to it.
    #[pyo3(signature = (seed=None, *, exact=Flag(false)), text_signature = "($self, seed=None, *, exact=False)")]
    fn clone(&self, py: Python<'_>, seed: Option<Seed>, exact: Flag<EXACT>) -> Result<Env> {
        if exact.0 {
            return match seed {
                None => self.exact(py),
                Some(_) => argument("exact", "got True; only without `seed`"),
            };
        }
        let mut inner = self.lock(py)?;
        let seed = seed.map_or_else(|| inner.env.next_clone_seed(), |seed| seed.0);
        let env = inner.env.clone_with_seed(seed);
        drop(inner);
        Ok(self.another(py, env))
    }

    /// A determinization: an environment in a state drawn from those consistent with everything that `player` knows, with chance from a
    /// random stream hashed from `seed`. Its history begins there.
    ///
    /// It depends only on what the player sees and on `seed`. Its `decisions` count from 0, and `max_steps` counts from there. It does not
    /// reveal who has chosen in a simultaneous turn: while `player` must act, exactly the deciding players with lower numbers have chosen in
    /// the sample; otherwise no other player has.
    ///
    /// Its `game` is the same one, unless options are private, like hidden deck lists: then it is a game with what the player knows of
    /// them, which loads the sample's saves and replays. A sample of a sample has another random stream than the sample itself, even
    /// with the same player and seed, so that a search that samples again does not see what the sample will draw.
    fn sample_hidden(&self, py: Python<'_>, player: Whole<PLAYER>, seed: Seed) -> Result<Env> {
        let player = self.check_player(player)?;
        let env = self.lock(py)?.env.sample_hidden(player, seed.0)?;
        if self.game.get().inner.private_options().is_empty() {
            return Ok(self.another(py, env));
        }
        Ok(Env::of(Py::new(py, Game::of(env.game()))?, env))
    }

    /// Text of an action in this position, redacted for `player` (default: the current player).
    #[pyo3(signature = (action, player=None))]
    fn action_text(
        &self,
        py: Python<'_>,
        action: Whole<ACTION>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<String> {
        let player = self.viewer(player)?;
        let inner = self.lock(py)?;
        let player = player.unwrap_or_else(|| Env::default_player(&inner));
        Ok(inner.env.action_text(Some(player), action.0)?)
    }

    /// What a legal action would do, as far as `player` (default: the current player) knows: the text of its card, whether
    /// it busts. Empty if the action's own text is enough, and for illegal actions.
    #[pyo3(signature = (action, player=None))]
    fn action_help(
        &self,
        py: Python<'_>,
        action: Whole<ACTION>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<String> {
        let player = self.viewer(player)?;
        let inner = self.lock(py)?;
        let player = player.unwrap_or_else(|| Env::default_player(&inner));
        Ok(inner.env.action_help(player, action.0)?)
    }

    /// The action with this text, upper and lower case alike.
    ///
    /// Raises:
    ///     UnknownAction: With examples of what would be understood.
    #[pyo3(signature = (text, player=None))]
    fn parse_action(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<u16> {
        let player = self.viewer(player)?;
        let inner = self.lock(py)?;
        let player = player.unwrap_or_else(|| Env::default_player(&inner));
        Ok(inner.env.parse_action(Some(player), crate::scalars::text("text", text)?)?.0)
    }

    /// State, generator, seeds and counters as bytes, for `Game.env_from_bytes`; in the last 84 bytes the streams of `sample_action` and
    /// of agents and the counts behind those of `clone` and `sample_hidden`, so that environments in equal positions have equal bytes
    /// before these. The history is not included: a loaded environment begins a new one. `pickle` and `replay` keep it.
    /// What agents keep, such as search trees, is not included either: a search begins with an empty tree.
    pub(crate) fn to_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.lock(py)?.env.to_bytes()))
    }

    /// The state as JSON text: complete, or with `viewer` what that player may see. Only the complete form can be loaded. The history
    /// is not in it, as with `to_bytes`, nor are the streams of `sample_action` and of agents.
    #[pyo3(signature = (viewer=None))]
    fn to_json(&self, py: Python<'_>, viewer: Option<Whole<VIEWER>>) -> Result<String> {
        let viewer = self.viewer(viewer)?;
        Ok(self.lock(py)?.env.to_json(viewer)?.to_string())
    }

    /// The JSON of `to_json` as a dict.
    #[pyo3(signature = (viewer=None))]
    fn state_dict<'py>(&self, py: Python<'py>, viewer: Option<Whole<VIEWER>>) -> Result<Bound<'py, PyAny>> {
        let viewer = self.viewer(viewer)?;
        let value = self.lock(py)?.env.to_json(viewer)?;
        Ok(to_python(py, &value)?)
    }

    /// What the last step changed, in order, complete or as `viewer` may see it: a list of dicts with `event`, its details,
    /// `text`, a sentence for players (an `update` has none; players are called `player 1`), and `changes`, a JSON patch (RFC 6902). All
    /// patches applied in order to `to_json(viewer)` before the step give it after it.
    ///
    /// After a reset, before the first step, these are the events of the deal, for a program that animates it. Their `changes` are
    /// empty, because there is no JSON before the deal: `to_json(viewer)` shows where they lead. A state that was loaded, sampled or
    /// copied with chance of its own has no events before its first step.
    #[pyo3(signature = (viewer=None))]
    fn events<'py>(&self, py: Python<'py>, viewer: Option<Whole<VIEWER>>) -> Result<Bound<'py, PyList>> {
        let viewer = self.viewer(viewer)?;
        let events = self.lock(py)?.env.events(viewer)?;
        Ok(list(py, &events)?)
    }

    /// The key of a player's information state: everything that the player has seen and chosen since the deal (perfect recall).
    ///
    /// Two histories have equal keys exactly if the player cannot tell them apart. The key is the same on every platform and in every version
    /// of the library with the same version of the game: it can index tables that are saved. A call replays what was played since the last call for the player.
    ///
    /// Exact copies, `clone`, `pickle` and replays from the deal keep it; `sample_hidden(player)` keeps the key of that player. For the
    /// other players of a sample, and in a loaded state for all, the information state begins anew, with what the player sees there.
    ///
    /// Args:
    ///     player: Any player, also one who does not act. Default: the current player; after the end the player who acted last.
    ///
    /// Returns:
    ///     A whole number below 2**128.
    ///
    /// Raises:
    ///     InvalidPlayer: No such player.
    ///
    /// >>> import playmat
    /// >>> env = playmat.Game("kuhn_poker").env(seed=7)
    /// >>> key = env.information_state_key(0)
    /// >>> env.sample_hidden(0, seed=1).information_state_key(0) == key
    /// True
    /// >>> env.step(1)
    /// >>> env.information_state_key(0) == key
    /// False
    #[pyo3(signature = (player=None))]
    fn information_state_key(&self, py: Python<'_>, player: Option<Whole<PLAYER>>) -> Result<u128> {
        let inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        Ok(inner.env.information_state_key(player)?)
    }

    /// A player's information state as a dict: `game`, `version`, `content_hash`, `options`, `player`, `key` (text: `0x` and 32 digits),
    /// `start`, the first view (`status`, `to_act`, `state`), `seen`, a list of the player's own choices (`choice`, `text`) and of the
    /// events that the player saw, as in `events`, and `now`, the present view. The `changes` of an event lead from the state after the
    /// event before to the state after this one.
    ///
    /// Args:
    ///     player: As in `information_state_key`.
    ///
    /// Raises:
    ///     InvalidPlayer: No such player.
    #[pyo3(signature = (player=None))]
    fn information_state<'py>(
        &self,
        py: Python<'py>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<Bound<'py, PyAny>> {
        let shown = {
            let inner = self.lock(py)?;
            let player = self.player_or_default(&inner, player)?;
            inner.env.information_state(player)?
        };
        Ok(to_python(py, &shown)?)
    }

    /// Every outcome of an action of the current player, with its probability: a list of `(Env, float)`. The environments are copies, as
    /// `clone` makes them, that have made the action; the probabilities sum to 1. An action without chance has one outcome.
    ///
    /// Raises:
    ///     IllegalAction, EpisodeOver: As `step`.
    ///     MissingFeature: The game does not list the outcomes of this action, because there are too many: chance is sampled.
    fn chance_outcomes(&self, py: Python<'_>, action: Whole<ACTION>) -> Result<Vec<(Env, f64)>> {
        let outcomes = self.lock(py)?.env.chance_outcomes(action.0)?;
        Ok(outcomes.into_iter().map(|(env, p)| (self.another(py, env), p)).collect())
    }

    /// Problems of the state, as `playmat.errors.Problem`; empty for every state that play and loading reach.
    fn validate<'py>(&self, py: Python<'py>) -> Result<Vec<Bound<'py, PyAny>>> {
        let problems = self.lock(py)?.env.validate();
        Ok(problem_list(py, &problems)?)
    }

    /// What was played as a replay: the `history` with texts, and what it began with: the seed of the deal, or the complete state
    /// that was loaded, sampled or copied with chance of its own.
    fn replay(&self, py: Python<'_>) -> Result<Replay> {
        let replay = self.lock(py)?.env.replay()?;
        Ok(Replay::of(self.game.clone_ref(py), replay))
    }

    /// Draws the position, all open or redacted for `viewer`.
    ///
    /// Args:
    ///     mode: `"ansi"` (text of at most 100 columns), `"svg"` (one document as text) or `"rgb_array"` (uint8 `[H, W, 3]`).
    ///     viewer: A player, or None for everything.
    ///     width: Of the `rgb_array` in pixels, without: the drawing's own; only with this mode.
    #[pyo3(signature = (mode=None, viewer=None, *, width=None),
           text_signature = "($self, mode='ansi', viewer=None, *, width=None)")]
    fn render<'py>(
        &self,
        py: Python<'py>,
        mode: Option<&Bound<'py, PyAny>>,
        viewer: Option<Whole<VIEWER>>,
        width: Option<Count<WIDTH>>,
    ) -> Result<Bound<'py, PyAny>> {
        let viewer = self.viewer(viewer)?;
        let mode = mode.map_or(Ok("ansi"), |mode| text("mode", mode))?;
        if let Some(Count(width)) = width
            && ["ansi", "svg"].contains(&mode)
        {
            return argument("width", format!("got {width} with mode `{mode}`; only `rgb_array` has one"));
        }
        match mode {
            "ansi" => Ok(self.lock(py)?.env.draw_text(viewer)?.into_pyobject(py)?.into_any()),
            "svg" => Ok(self.lock(py)?.env.draw_svg(viewer)?.into_pyobject(py)?.into_any()),
            "rgb_array" => {
                let svg = self.lock(py)?.env.draw_svg(viewer)?;
                let width = width.map(|Count(width)| u32::try_from(width).unwrap_or(u32::MAX));
                crate::raster::pixels(py, &svg, width)
            }
            mode => argument("mode", format!("got `{mode}`; allowed: `ansi`, `svg`, `rgb_array`")),
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Result<Env> {
        self.exact(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> Result<Env> {
        let _ = memo;
        self.exact(py)
    }

    /// Moves what agents keep as a player, such as search trees, from another environment of the game to this one, which that player may know
    /// to follow from it.
    fn _take_memories(&self, py: Python<'_>, of: &Bound<'_, Env>, player: Whole<PLAYER>) -> Result<()> {
        let player = self.check_player(player)?;
        let of = of.get();
        if !self.game.get().same_as(of.game.get()) {
            return argument("of", "an environment of another game");
        }
        // One after the other: they may be the same.
        let taken = of.lock(py)?.env.take_memories(player);
        self.lock(py)?.env.put_memories(taken);
        Ok(())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.reduce(py)
    }

    /// Does not wait for a lock: a debugger may call it during any call.
    fn __repr__(&self) -> String {
        let Some(inner) = self.inner.try_lock() else {
            return format!("<playmat.Env of '{}', in use>", self.game.get().inner.info().id);
        };
        let standing = match inner.env.status() {
            Status::Running => {
                let acting: Vec<_> = inner.env.acting().iter().map(|player| player.to_string()).collect();
                format!("to act: {}", acting.join(", "))
            }
            Status::Terminated => "terminated".into(),
            Status::Truncated => "truncated".into(),
        };
        format!(
            "<playmat.Env of '{}', seed {}, {} decisions, {standing}>",
            inner.env.info().id,
            inner.env.episode_seed(),
            inner.env.decisions()
        )
    }
}
