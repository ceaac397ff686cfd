//! One episode at a time: a configured game, its state, its generators and its history.
//!
//! ```
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Nim;
//! # use std::sync::Arc;
//! # let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut env = Env::new(nim, 7);
//! let info = env.info();
//! let (mut observation, mut mask) = (vec![0; info.observation.size()], vec![0; info.num_actions]);
//! while let Some(player) = env.current_player() {
//!     env.write_observation(player, &mut observation)?;
//!     env.write_mask(player, &mut mask)?;
//!     let first_legal = mask.iter().position(|&legal| legal == 1).expect("a player who must act has a legal action");
//!     env.step(first_legal as i64)?;
//! }
//! assert!(env.step(0).is_err(), "the episode is over");
//! env.reset(Some(8));
//! assert_eq!(env.decisions(), 0);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod choices;
mod configured;
mod copies;
mod history;
mod show;
mod snapshot;
#[cfg(test)]
mod tests;
mod view;

pub use configured::ConfiguredGame;
pub(crate) use snapshot::LastStep;
#[doc(hidden)]
pub use snapshot::Streams;
pub use snapshot::{Origin, Snapshot};

use crate::agent::Memories;
use crate::bits::LegalSet;
use crate::error::{Error, IllegalAction, IllegalJoint, Problem, Result};
use crate::game::{Game, Scores, Status};
use crate::info::{GameInfo, RewardKind};
use crate::information::{Before, Earlier, Progress};
use crate::list::List;
use crate::log::Silent;
use crate::outlined;
use crate::player::{Action, MAX_PLAYERS, Player, Players};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::reward::{self, Rewards};
use crate::rng::{self, Rng, Stream};
use crate::show::Show;
use std::sync::{Arc, OnceLock};

/// One environment.
///
/// `Clone` copies exactly: the copy draws the same chance, so playing on it reveals future draws. Use it to save a position and return to
/// it. For search use [`Env::clone_with_seed`], which gives the copy its own random stream, or [`Env::sample_hidden`], which also resamples what a
/// player does not know.
#[derive(Debug)]
pub struct Env<G: Game> {
    pub(crate) configured: Arc<ConfiguredGame<G>>,
    pub(crate) state: G::State,
    pub(crate) rng: Rng,
    /// Seed from which later episodes are derived, number of this episode, and its own seed.
    pub(crate) root: u64,
    pub(crate) episode: u64,
    pub(crate) seed: u64,
    pub(crate) status: Status,
    /// Acting players, and the legal actions of the first of them; cached for masks and legality checks.
    acting: Players,
    legal: G::Legal,
    rewards: Rewards,
    pub(crate) returns: Rewards,
    pub(crate) decisions: u32,
    pub(crate) origin: Origin<G>,
    history: Vec<(Player, Action)>,
    /// What players have seen before the history begins; without, what they see there.
    pub(crate) earlier: Option<Arc<Earlier<G>>>,
    /// What was played until here, from the first copy that is made in this position on: later copies share it, so that a copy does not take
    /// longer after a longer history.
    pub(crate) before_copies: OnceLock<Arc<Before<G>>>,
    /// How far the keys of information states were computed.
    pub(crate) progress: Progress<G>,
    pub(crate) last: Option<LastStep<G>>,
    pub(crate) streams: Streams,
    memories: Memories,
    /// Number of nested samples (`sample_hidden`) that led here; 0 for a played state.
    pub(crate) sampled: u32,
    /// Bytes of an observation.
    observation: usize,
    /// The instruction set that writes observations.
    level: Level,
}

/// One decision, with the best instructions of the machine: rules count bits again and again.
struct Play<'a, G: Game> {
    env: &'a mut Env<G>,
    player: Player,
    action: Action,
}

impl<G: Game> Kernel for Play<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Play { env, player, action } = self;
        env.remember();
        let before = env.scores_before();
        env.advance(isa, player, action);
        env.pay(&before);
    }
}

/// The same for one decision of each of these players.
struct PlayJoint<'a, G: Game> {
    env: &'a mut Env<G>,
    acting: Players,
    actions: &'a [Action; MAX_PLAYERS],
}

impl<G: Game> Kernel for PlayJoint<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let PlayJoint { env, acting, actions } = self;
        env.remember();
        let before = env.scores_before();
        for player in acting.iter() {
            // `max_steps` can end an episode between the choices of one simultaneous turn.
            if !env.acting.contains(player) {
                break;
            }
            env.advance(isa, player, actions[player.index()]);
        }
        env.pay(&before);
    }
}

impl<G: Game> Clone for Env<G> {
    fn clone(&self) -> Self {
        Env {
            configured: self.configured.clone(),
            origin: self.origin.clone(),
            history: self.history.clone(),
            earlier: self.earlier.clone(),
            before_copies: self.before_copies.clone(),
            progress: self.progress.clone(),
            memories: self.memories.clone(),
            ..*self
        }
    }
}

impl<G: Game> Env<G> {
    /// An environment whose first episode is that of `seed`.
    pub fn new(configured: Arc<ConfiguredGame<G>>, seed: u64) -> Env<G> {
        let mut rng = rng::stream(seed, Stream::Chance);
        let state = configured.game.deal(&mut rng, &mut Silent);
        let mut env = Env::from_parts(configured, state, rng);
        env.start(seed, 0, seed);
        env
    }

    /// An environment that begins in a state that was validated before.
    pub(crate) fn from_snapshot(configured: Arc<ConfiguredGame<G>>, first: Arc<Snapshot<G>>) -> Env<G> {
        let mut env = Env::from_parts(configured, first.state, first.rng);
        (env.decisions, env.sampled) = (first.decisions, first.sampled);
        env.start(first.root, first.episode, first.seed);
        env.refresh();
        env.returns = reward::up_to(&*env.configured.game, env.configured.reward, &env.state, env.status);
        env.origin = Origin::State(first);
        env
    }

    /// The part of the environment that is saved.
    pub(crate) fn snapshot(&self) -> Snapshot<G> {
        Snapshot {
            state: self.state,
            rng: self.rng,
            root: self.root,
            episode: self.episode,
            seed: self.seed,
            decisions: self.decisions,
            sampled: self.sampled,
        }
    }

    /// A fresh environment around a state; seeds are set by [`Env::start`].
    fn from_parts(configured: Arc<ConfiguredGame<G>>, state: G::State, rng: Rng) -> Env<G> {
        let mut env = Env {
            observation: configured.game.info().observation.size(),
            level: Level::detect(),
            configured,
            state,
            rng,
            root: 0,
            episode: 0,
            seed: 0,
            status: Status::Running,
            acting: Players::EMPTY,
            legal: G::Legal::default(),
            rewards: [0.0; MAX_PLAYERS],
            returns: [0.0; MAX_PLAYERS],
            decisions: 0,
            origin: Origin::Seed,
            history: Vec::new(),
            earlier: None,
            before_copies: OnceLock::new(),
            progress: Progress::default(),
            last: None,
            streams: Streams::of(0),
            memories: Memories::default(),
            sampled: 0,
        };
        env.refresh();
        env
    }

    /// Stores the seeds of the running episode and starts the random streams derived from them.
    fn start(&mut self, root: u64, episode: u64, seed: u64) {
        (self.root, self.episode, self.seed) = (root, episode, seed);
        self.streams = Streams::of(seed);
        self.before_copies.take();
        self.progress.clear();
        self.memories.clear();
    }

    /// Starts an episode: that of the given seed, or the next one of this environment's stream of episodes.
    pub fn reset(&mut self, seed: Option<u64>) {
        let (root, episode, seed) = match seed {
            Some(seed) => (seed, 0, seed),
            None => (self.root, self.episode + 1, rng::episode_seed(self.root, self.episode + 1)),
        };
        self.rng = rng::stream(seed, Stream::Chance);
        self.state = self.configured.game.deal(&mut self.rng, &mut Silent);
        self.rewards = [0.0; MAX_PLAYERS];
        self.returns = [0.0; MAX_PLAYERS];
        (self.decisions, self.sampled) = (0, 0);
        self.origin = Origin::Seed;
        self.earlier = None;
        self.history.clear();
        self.last = None;
        self.start(root, episode, seed);
        self.refresh();
    }

    /// Recomputes the values that are cached beside the state.
    #[inline(always)]
    fn refresh(&mut self) {
        self.status = self.configured.game.status(&self.state);
        if self.is_at_limit() {
            self.status = Status::Truncated;
        }
        self.acting = if self.status == Status::Running {
            self.configured.game.acting(&self.state)
        } else {
            Players::EMPTY
        };
        if let Some(player) = self.acting.first() {
            self.legal = self.configured.game.legal(&self.state, player);
        }
    }

    /// Whether `max_steps` ends the episode here.
    #[inline(always)]
    fn is_at_limit(&self) -> bool {
        let limit = self.configured.max_steps;
        limit != 0 && self.decisions >= limit && self.status == Status::Running
    }

    /// The configured game.
    pub fn configured(&self) -> &Arc<ConfiguredGame<G>> {
        &self.configured
    }

    /// The game's information.
    pub fn info(&self) -> &GameInfo {
        self.configured.game.info()
    }

    /// The state.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Whether the episode runs, or how it ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Players that must decide now.
    pub fn acting(&self) -> Players {
        self.acting
    }

    /// The player that acts next in the turn view.
    #[inline]
    pub fn current_player(&self) -> Option<Player> {
        self.acting.first()
    }

    /// Legal actions of a player; empty if the player need not act.
    #[inline]
    pub fn legal(&self, player: Player) -> G::Legal {
        match self.acting.first() {
            Some(first) if first == player => self.legal,
            Some(_) if self.acting.contains(player) => self.configured.game.legal(&self.state, player),
            _ => G::Legal::default(),
        }
    }

    #[inline]
    fn check_player(&self, player: Player) -> Result<()> {
        let players = self.info().players;
        if player.index() < players {
            Ok(())
        } else {
            Err(Error::InvalidPlayer { player: player.0.into(), players })
        }
    }

    /// Applies an action of the current player.
    ///
    /// # Errors
    /// `EpisodeOver`, `IllegalAction`; nothing changed.
    #[inline]
    pub fn step(&mut self, action: i64) -> Result<()>
    where
        G: Show,
    {
        let Some(player) = self.acting.first() else { return Err(Error::EpisodeOver) };
        self.step_player(player, action)
    }

    /// Applies an action of any acting player (simultaneous choices may come in any order).
    ///
    /// # Errors
    /// `EpisodeOver`, `InvalidPlayer`, `NotActing`, `IllegalAction`; nothing changed.
    #[inline]
    pub fn step_player(&mut self, player: Player, action: i64) -> Result<()>
    where
        G: Show,
    {
        let action = self.check_action(player, action)?;
        self.play(player, action);
        Ok(())
    }

    /// Applies an action that was checked.
    #[inline]
    fn play(&mut self, player: Player, action: Action) {
        dispatch(self.level, Play { env: self, player, action });
    }

    /// Applies one action per player at once; entries of players that need not act are ignored.
    ///
    /// # Errors
    /// `EpisodeOver`, `InvalidArgument` (length), `IllegalJoint`, which describes the call and nothing of the position, because all players
    /// may see it; nothing changed.
    pub fn step_joint(&mut self, actions: &[i64]) -> Result<()>
    where
        G: Show,
    {
        let players = self.info().players;
        check_len("actions", actions.len(), players)?;
        if self.acting.is_empty() {
            return Err(Error::EpisodeOver);
        }
        let acting = self.acting;
        let mut checked = [Action(0); MAX_PLAYERS];
        for player in acting.iter() {
            let action = actions[player.index()];
            checked[player.index()] =
                self.legal_action(player, action).ok_or_else(|| self.joint_refusal(actions))?;
        }
        dispatch(self.level, PlayJoint { env: self, acting, actions: &checked });
        Ok(())
    }

    #[inline]
    fn check_action(&self, player: Player, action: i64) -> Result<Action>
    where
        G: Show,
    {
        self.check_acting(player)?;
        self.legal_action(player, action).ok_or_else(|| self.refusal(player, action))
    }

    /// The current player and its action, if that is legal.
    pub(crate) fn check_current(&self, action: i64) -> Result<(Player, Action)>
    where
        G: Show,
    {
        let Some(player) = self.acting.first() else { return Err(Error::EpisodeOver) };
        Ok((player, self.check_action(player, action)?))
    }

    /// The action of an acting player, if it is legal.
    #[inline(always)]
    fn legal_action(&self, player: Player, action: i64) -> Option<Action> {
        member(&self.legal(player), action)
    }

    /// All players may see this error, so it depends on the call alone. Naming the player whose action was illegal would reveal who has
    /// chosen before.
    #[cold]
    fn joint_refusal(&self, actions: &[i64]) -> Error
    where
        G: Show,
    {
        let num_actions = self.info().num_actions;
        let inside = |action: i64| (0..num_actions as i64).contains(&action);
        let strays = actions.iter().any(|&action| !inside(action));
        let named = (0..).zip(actions).filter(|&(_, &action)| !(strays && inside(action)));
        let entry = |(player, &action): (u8, &i64)| {
            let text = inside(action).then(|| self.configured.game.action_text(None, Action(action as u16)));
            (player, action, text)
        };
        Error::IllegalJoint(Box::new(IllegalJoint { entries: named.map(entry).collect(), num_actions }))
    }

    #[cold]
    fn refusal(&self, player: Player, action: i64) -> Error
    where
        G: Show,
    {
        let (game, num_actions) = (&self.configured.game, self.info().num_actions);
        let seen = Some((&self.state, player));
        let legal = self.legal(player);
        let text =
            (0..num_actions as i64).contains(&action).then(|| game.action_text(seen, Action(action as u16)));
        let example = legal.iter().next().map(|a| (a.0, game.action_text(seen, a)));
        Error::IllegalAction(Box::new(IllegalAction {
            action,
            text,
            player: player.0,
            num_actions,
            legal: legal.len() as usize,
            example,
        }))
    }

    #[inline(always)]
    fn remember(&mut self) {
        let (state, rng, status) = (&self.state, &self.rng, self.status);
        let (decisions, returns) = (self.decisions, &self.returns);
        // Written in place: a temporary would be written with small stores and copied with large loads, which stall.
        if let Some(last) = &mut self.last {
            last.state = *state;
            last.rng = *rng;
            last.status = status;
            last.decisions = decisions;
            last.returns = *returns;
            last.choices.clear();
        } else {
            let choices = List::default();
            self.last =
                Some(LastStep { state: *state, rng: *rng, status, decisions, returns: *returns, choices });
        }
    }

    /// The scores before the step, for rewards that are score differences.
    #[inline(always)]
    fn scores_before(&self) -> Scores {
        match self.configured.reward {
            RewardKind::ScoreDelta => self.configured.game.scores(&self.state),
            _ => [0; MAX_PLAYERS],
        }
    }

    #[inline(always)]
    fn advance(&mut self, isa: impl Isa, player: Player, action: Action) {
        let game = &*self.configured.game;
        outlined::apply(isa, game, &mut self.state, player, action, &mut self.rng, &mut Silent);
        // A loaded position may have a count that play cannot reach: it is capped at the longest episode.
        self.decisions = self.decisions.saturating_add(1).min(self.configured.longest);
        self.history.push((player, action));
        self.before_copies.take();
        if let Some(last) = &mut self.last {
            last.choices.push((player.0, action.0));
        }
        self.refresh();
    }

    /// Stores the rewards of a step and the returns so far. Returns are computed from the state and not summed, so that a loaded episode
    /// and a played one agree to the last bit.
    #[inline(always)]
    fn pay(&mut self, before: &Scores) {
        let (game, kind) = (&*self.configured.game, self.configured.reward);
        let cut = self.status == Status::Truncated && game.status(&self.state) == Status::Running;
        self.rewards = reward::of_step(game, kind, before, &self.state, self.status, cut);
        self.returns = reward::up_to(game, kind, &self.state, self.status);
    }

    /// Reward of the last step, per player.
    pub fn rewards(&self) -> &[f32] {
        &self.rewards[..self.info().players]
    }

    /// Return of the episode so far, per player.
    pub fn returns(&self) -> &[f32] {
        &self.returns[..self.info().players]
    }

    /// Current scores.
    pub fn scores(&self) -> Scores {
        self.configured.game.scores(&self.state)
    }

    /// Number of decisions so far, of all players, counted from the deal (also in a loaded episode).
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The seed that replays this episode alone.
    pub fn episode_seed(&self) -> u64 {
        self.seed
    }

    /// Where the episode began: its seed, or a loaded state.
    pub fn origin(&self) -> &Origin<G> {
        &self.origin
    }

    /// The decisions made since [`Env::origin`]; [`Env::decisions`] counts all since the deal. A save does not hold the history, so a
    /// loaded episode begins a new one. [`replay::record`](crate::replay::record) keeps the state in which the history began;
    /// [`Env::with_history`] restores the history.
    pub fn history(&self) -> &[(Player, Action)] {
        &self.history
    }

    #[inline]
    pub(crate) fn check_acting(&self, player: Player) -> Result<()> {
        if self.acting.contains(player) { Ok(()) } else { Err(self.not_acting(player)) }
    }

    #[cold]
    fn not_acting(&self, player: Player) -> Error {
        match self.check_player(player) {
            Err(error) => error,
            Ok(()) if self.acting.is_empty() => Error::EpisodeOver,
            Ok(()) => Error::NotActing { player: player.0 },
        }
    }

    /// Problems of the state; empty for every state that play reaches.
    pub fn validate(&self) -> Vec<Problem> {
        self.configured.game.validate(&self.state)
    }

    /// The seed of this environment's stream of episodes. The first episode plays this seed; later ones ([`Env::reset`] without a seed) are
    /// derived from it. An environment made with it plays the same episodes. For a loaded state it is that of the environment that was
    /// saved.
    pub fn root_seed(&self) -> u64 {
        self.root
    }
}

/// The action with this number, if it is in a set.
#[inline(always)]
fn member(legal: &impl LegalSet, action: i64) -> Option<Action> {
    let checked = Action(action as u16);
    (action == i64::from(checked.0) && legal.contains(checked)).then_some(checked)
}

#[inline]
pub(crate) fn check_len(argument: &'static str, given: usize, expected: usize) -> Result<()> {
    if given == expected { Ok(()) } else { Err(wrong_len(argument, given, expected)) }
}

#[cold]
fn wrong_len(argument: &'static str, given: usize, expected: usize) -> Error {
    Error::argument(argument, format!("has {given} entries; expected {expected}"))
}
