//! The contract of a game: the trait [`Game`] and the types of its methods.

use crate::bits::LegalSet;
use crate::error::{Problem, Result};
use crate::info::GameInfo;
use crate::log::{Log, Silent};
use crate::options::{OptionSpec, Options};
use crate::outlined;
use crate::player::{Action, MAX_PLAYERS, Player, Players};
use crate::pool::Baseline;
use crate::rng::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Where an episode stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At least one player must act.
    Running,
    /// Ended by the rules.
    Terminated,
    /// Ended by a limit. It has no winners, unless `info().outcome_on_truncation`.
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

/// One number per player, 0 at the deal; entries beyond the number of players are 0. Rewards of kind `score` are scores divided by
/// [`GameInfo::score_divisor`](crate::info::GameInfo::score_divisor).
pub type Scores = [i32; MAX_PLAYERS];

/// States that chance can lead to, all different, each with its probability. The probabilities sum to 1.
pub type Outcomes<S> = Vec<(S, f64)>;

/// Largest number of entries of [`Outcomes`]; a chance event with more outcomes is only sampled.
pub const MOST_OUTCOMES: usize = 10_000;

/// A game is a pure transition system over plain data.
///
/// The game object holds what is fixed (options, compiled content, tables) and is shared by all its
/// episodes; a state holds one episode. Nothing here may read a clock, the environment or a global:
/// results depend on the arguments alone. JSON, texts, pictures and events of a game are in [`Show`](crate::show::Show).
///
/// # Speed
/// Batches and searches call `acting`, `status`, `legal`, `apply`, `observe`, `scores` and `sample_hidden` for every decision, from loops that are
/// compiled twice: for every machine of the architecture, and for x86-64 with AVX2, BMI, POPCNT and LZCNT, chosen at run time.
/// - Only code that is inlined into these loops uses the wider instructions. Small functions that a decision calls are `#[inline(always)]`. Where
///   a whole step takes some tens of nanoseconds, the methods themselves are too. In larger games `observe` and `legal` are inlined. Their
///   rules are called, except where measurements show that the wider instructions pay: then `apply` is inlined too.
/// - `greedy` is called through one function per instruction set, into which it is inlined: whatever in it counts or moves bits is
///   `#[inline(always)]` as well, and does not call itself.
/// - Both forms must give the same bits. Integers always do. Floating-point numbers do if products and sums are separate operations:
///   no `mul_add`, and no reordering.
/// - Nothing here allocates, locks, hashes, formats or calls through a `dyn` for a decision.
pub trait Game: Sized + Send + Sync + Debug + 'static {
    /// Registered name, also the name of its folder, content and rules file.
    const ID: &'static str;

    /// Where the rules draw random numbers. With [`Draws::InDeal`] a batch keeps no generator for a running episode, because the seed of
    /// the episode determines it. If [`Game::apply`] draws although this says otherwise, all environments of a batch draw the same numbers;
    /// the suite finds it (N1).
    const DRAWS: Draws = Draws::Always;

    /// An episode: fixed capacity, no pointers, at most about 4 KiB. Equal positions are equal values.
    type State: Copy + Eq + Debug + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// [`Bits<W>`](crate::bits::Bits) with room for every action that any content of the game can have.
    type Legal: LegalSet;

    /// Something a host would animate. Holds everything, hidden information included: [`Show::event_json`](crate::show::Show) redacts it.
    type Event: Copy + Debug + Send + Sync;

    /// The options of the game, `players` first. The engine adds its common ones.
    fn options() -> Vec<OptionSpec>;

    /// Builds the game for checked options.
    ///
    /// # Errors
    /// `Content` for a bad content file (all findings), `InvalidOption` for what a declaration cannot express.
    fn new(options: &Options) -> Result<Self>;

    /// Everything that is the same in all episodes.
    fn info(&self) -> &GameInfo;

    /// A new episode, played to its first decision. All random numbers come from `rng`.
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> Self::State;

    /// The players that must decide now; none if and only if the episode is over.
    ///
    /// Several players at once decide simultaneously: their choices are buffered in the state, invisible to each other, and may
    /// arrive in any order. In the turn view the lowest player decides first.
    fn acting(&self, state: &Self::State) -> Players;

    /// Whether and how the episode is over.
    fn status(&self, state: &Self::State) -> Status;

    /// Legal actions of an acting player, never empty. Only called for acting players.
    fn legal(&self, state: &Self::State, player: Player) -> Self::Legal;

    /// Applies a legal action of an acting player, then executes everything that no player chooses (effects, forced moves,
    /// chance) up to the next decision or the end. Only called with an action of [`Game::legal`].
    fn apply<L: Log<Self>>(
        &self,
        state: &mut Self::State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    );

    /// Current scores, which are public at any time; the final scores when the episode is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// Winners of an episode that is over: all players who share the victory. If the set is empty, no player wins. Only called
    /// after termination, and after truncation if `info().outcome_on_truncation`.
    fn winners(&self, state: &Self::State) -> Players;

    /// Writes the observation of `viewer` into `out`, which has exactly `info().observation.size()` bytes. Every byte must be
    /// written, because `out` may hold anything before. Depends only on what the viewer may know. Does not depend on the engine's limit
    /// `max_steps`: after truncation the observation shows the position in which play would continue, for bootstrapping.
    fn observe(&self, state: &Self::State, viewer: Player, out: &mut [u8]);

    /// The observation of `viewer` in two words, for the keys of searches: equal in two states exactly if the observations are. `None` in all
    /// states, the default, if a game has no such form: then keys are hashes of observations. It pays in games of small states, where writing and
    /// hashing an observation takes longer than a move.
    #[inline(always)]
    fn short_observation(&self, state: &Self::State, viewer: Player) -> Option<[u64; 2]> {
        let _ = (state, viewer);
        None
    }

    /// A determinization: a state drawn from those consistent with everything that `viewer` knows. It must not depend on what is
    /// hidden from the viewer. Equal to `state` if nothing is hidden. In a simultaneous turn it must not reveal who has chosen:
    /// [`Players::chosen_in_sample`] decides which players have chosen in the sample.
    fn sample_hidden(&self, state: &Self::State, viewer: Player, rng: &mut Rng) -> Self::State;

    /// Takes back the choice of `player` in a simultaneous turn in which other players must still choose, so that `player` must choose
    /// again. Does nothing if there is no such choice. Search calls it on samples, in which the players before the viewer have
    /// chosen: each of them chooses again at its own node. Games without simultaneous turns need not implement it.
    fn take_back_choice(&self, state: &mut Self::State, player: Player) {
        let _ = (state, player);
    }

    /// Every state that [`Game::deal`] can give, with its probability; `None` if chance is only sampled: there are more than
    /// [`MOST_OUTCOMES`], or the game does not list them. Default: the one state of a deal without chance.
    fn deal_outcomes(&self) -> Option<Outcomes<Self::State>> {
        let (fresh, mut rng) = (Rng::from_seed(0), Rng::from_seed(0));
        let state = self.deal(&mut rng, &mut Silent);
        (rng == fresh).then(|| vec![(state, 1.0)])
    }

    /// Every state that [`Game::apply`] can lead to, with its probability; `None` if chance is only sampled, as with
    /// [`Game::deal_outcomes`]. Default: the one state after an action that draws nothing.
    fn outcomes(&self, state: &Self::State, player: Player, action: Action) -> Option<Outcomes<Self::State>> {
        let (fresh, mut rng, mut next) = (Rng::from_seed(0), Rng::from_seed(0), *state);
        outlined::apply(Baseline, self, &mut next, player, action, &mut rng, &mut Silent);
        (rng == fresh).then(|| vec![(next, 1.0)])
    }

    /// All problems of a state that came from outside: conservation laws, zones, phase. The state may hold
    /// any values that its types allow. This must not panic, and a state without problems must be playable to the end. The suite also
    /// calls it after every step, where it must find nothing.
    fn validate(&self, state: &Self::State) -> Vec<Problem>;

    /// The action of the `greedy` agent: a decent legal action by a simple rule. Must depend only on what `player` may know.
    fn greedy(&self, state: &Self::State, player: Player, rng: &mut Rng) -> Action;
}
