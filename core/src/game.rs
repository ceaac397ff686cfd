//! The contract of a game: one trait, and nothing else in this file.

use crate::bits::LegalSet;
use crate::error::{Problem, Result};
use crate::info::GameInfo;
use crate::log::{Log, Silent};
use crate::options::{OptionSpec, Options};
use crate::rng::Rng;
use crate::seat::{Action, MAX_SEATS, Seat, Seats};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Where an episode stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Somebody must act.
    Running,
    /// Ended by the rules.
    Terminated,
    /// Cut off by a limit: no outcome.
    Truncated,
}

impl Status {
    /// Its name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Terminated => "terminated",
            Status::Truncated => "truncated",
        }
    }
}

/// Where the rules of a game draw random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// In [`Game::deal`] at most.
    InDeal,
    /// In [`Game::deal`] and [`Game::apply`].
    Always,
}

/// One number per player, 0 at the deal; places beyond the players are 0. Rewards of kind `score` are scores divided by
/// [`GameInfo::score_divisor`](crate::info::GameInfo::score_divisor).
pub type Scores = [i32; MAX_SEATS];

/// States that chance can lead to, all different, each with its probability; their sum is 1.
pub type Outcomes<S> = Vec<(S, f64)>;

/// Most entries of [`Outcomes`]; a chance event with more of them is only sampled.
pub const MOST_OUTCOMES: usize = 10_000;

/// A game is a pure transition system over plain data.
///
/// The game object holds what is fixed (options, compiled content, tables) and is shared by all its
/// episodes; a state holds one episode. Nothing here may read a clock, the environment or a global:
/// results depend on the arguments alone. How people see a game (JSON, text, pictures) is [`Show`](crate::show::Show).
///
/// # Speed
/// Batches and searches call `acting`, `status`, `legal`, `apply`, `observe`, `scores` and `sample_hidden` for every decision, from loops that are
/// compiled twice: for every machine of the architecture, and for x86-64 with AVX2, BMI, POPCNT and LZCNT, chosen at run time.
/// - Only what is inlined into these loops uses the wider instructions. Small functions on the way of a decision are `#[inline(always)]`: where
///   a whole step takes some tens of nanoseconds, the methods themselves too. In larger games only the ones that write rows and find legal actions;
///   the rules then are called.
/// - Both forms must give the same bits. Integers do by themselves. Floating-point numbers do as long as products and sums are written
///   apart: no `mul_add`, and no reordering.
/// - Nothing here allocates, locks, hashes, formats or calls through a `dyn` for a decision.
pub trait Game: Sized + Send + Sync + Debug + 'static {
    /// Registered name, also the name of its folder, content and rules file.
    const ID: &'static str;

    /// Where the rules draw random numbers. Batches keep no generator for a running episode that draws nothing more: its seed gives it back.
    /// If [`Game::apply`] draws although this says otherwise, all environments of a batch draw the same numbers; the suite finds it (N1).
    const DRAWS: Draws = Draws::Always;

    /// An episode: fixed capacity, no pointers, at most about 4 KiB. Equal positions are equal values.
    type State: Copy + Eq + Debug + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// [`Bits<W>`](crate::bits::Bits) with room for every action that any content of the game can have.
    type Legal: LegalSet;

    /// Something a host would animate. Holds everything, also what is hidden: [`Show::event_json`](crate::show::Show) redacts.
    type Event: Copy + Debug + Send + Sync;

    /// The options of the game, `players` first. The engine adds its common ones.
    fn options() -> Vec<OptionSpec>;

    /// Builds the game for checked options.
    ///
    /// # Errors
    /// `Content` for a bad content file (all findings), `InvalidOption` for what a declaration cannot express.
    fn new(options: &Options) -> Result<Self>;

    /// What is fixed for all episodes.
    fn info(&self) -> &GameInfo;

    /// A new episode, played on to the first decision. All chance comes from `rng`.
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> Self::State;

    /// The players that must decide now; none if and only if the episode is over.
    ///
    /// Several at once decide simultaneously: their choices are buffered in the state, invisible to each other, and may
    /// come in any order. In the turn view the lowest player decides first.
    fn acting(&self, state: &Self::State) -> Seats;

    /// Whether and how the episode is over.
    fn status(&self, state: &Self::State) -> Status;

    /// Legal actions of an acting player, never empty. Only called for acting players.
    fn legal(&self, state: &Self::State, player: Seat) -> Self::Legal;

    /// Applies a legal action of an acting player and plays on to the next decision or the end: what nobody chooses
    /// (effects, forced moves, chance) is executed. Only called with an action of [`Game::legal`].
    fn apply<L: Log<Self>>(
        &self,
        state: &mut Self::State,
        player: Seat,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    );

    /// Current scores, public at any time; the final ones when the episode is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// Winners of an episode that is over, all who share the victory; nobody wins if the set is empty. Only called
    /// after termination, and after truncation if `info().outcome_on_truncation`.
    fn winners(&self, state: &Self::State) -> Seats;

    /// Writes what `viewer` knows into `out`, which has exactly `info().observation.size()` bytes and may
    /// hold anything before: every byte is written. Depends only on what the viewer may know. Knows nothing of the engine's own
    /// limit: where `max_steps` cut an episode off, it shows the position in which play would go on, for bootstrapping.
    fn observe(&self, state: &Self::State, viewer: Seat, out: &mut [u8]);

    /// A state drawn from those consistent with everything that `viewer` knows; what was hidden from the viewer
    /// is not read. Equal to `state` where nothing is hidden. In a simultaneous turn it must not tell who has chosen:
    /// [`Seats::chosen_in_sample`] says who has.
    fn sample_hidden(&self, state: &Self::State, viewer: Seat, rng: &mut Rng) -> Self::State;

    /// Takes back what `player` has chosen in a simultaneous turn that others have still to choose in, so that it must choose again;
    /// nothing happens where there is nothing to take back. Search uses it on samples, in which the players before the viewer have
    /// chosen: each of them chooses again at its own node. Games without simultaneous turns need not implement it.
    fn take_back_choice(&self, state: &mut Self::State, player: Seat) {
        let _ = (state, player);
    }

    /// Every state that [`Game::deal`] can give, with its probability; `None` if chance is only sampled: there are more than
    /// [`MOST_OUTCOMES`], or the game does not list them. Without an own implementation: the one state of a deal without chance.
    fn deal_outcomes(&self) -> Option<Outcomes<Self::State>> {
        let (fresh, mut rng) = (Rng::from_seed(0), Rng::from_seed(0));
        let state = self.deal(&mut rng, &mut Silent);
        (rng == fresh).then(|| vec![(state, 1.0)])
    }

    /// Every state that [`Game::apply`] can lead to, with its probability; `None` if chance is only sampled, as with
    /// [`Game::deal_outcomes`]. Without an own implementation: the one state after an action that draws nothing.
    fn outcomes(&self, state: &Self::State, player: Seat, action: Action) -> Option<Outcomes<Self::State>> {
        let (fresh, mut rng, mut next) = (Rng::from_seed(0), Rng::from_seed(0), *state);
        self.apply(&mut next, player, action, &mut rng, &mut Silent);
        (rng == fresh).then(|| vec![(next, 1.0)])
    }

    /// Everything that is wrong with a state that came from outside: conservation laws, zones, phase. The state may hold
    /// any values its types allow: this must not panic, and what it accepts must be playable to the end. Also
    /// used after every step of the suites, where it must find nothing.
    fn validate(&self, state: &Self::State) -> Vec<Problem>;

    /// A decent legal action by a simple rule, the `greedy` agent. Knows only what `player` may know.
    fn heuristic(&self, state: &Self::State, player: Seat, rng: &mut Rng) -> Action;
}
