//! Configuration of a batch: size, threads, view, autoreset, element type, and who controls which player.

use crate::error::{Error, Result};
use crate::player::Player;

/// Which decisions the caller makes in a step, and the shape of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// One acting player per environment and step; of several that act at once, the lowest first.
    #[default]
    Turn,
    /// All acting players of an environment decide in the same step.
    Joint,
    /// The single-player view: one learner; an agent inside the engine plays every other player.
    Single,
}

/// Autoreset modes, as in Gymnasium 1.x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next episode starts in the same step: the row shows its first decision, `final_*` the end of the last.
    #[default]
    SameStep,
    /// The row shows the end; the next step ignores its action, starts the next episode and has reward 0.
    NextStep,
    /// The row shows the end; steps are refused until a reset with a mask starts the next episode.
    Disabled,
}

/// Element type of observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObsType {
    /// The engine's own bytes.
    #[default]
    U8,
    /// `(byte - bias) / scale`, in [-1, 1].
    F32,
}

macro_rules! names {
    ($kind:ty, $argument:literal, $($variant:ident = $name:literal $(or $other:literal)?),+) => {
        impl $kind {
            /// All values.
            pub const ALL: &'static [$kind] = &[$(<$kind>::$variant),+];

            /// Name in options and files.
            pub fn name(self) -> &'static str {
                match self { $(<$kind>::$variant => $name),+ }
            }

            /// The value with this name or alias.
            ///
            /// # Errors
            /// [`Error::InvalidArgument`] with the names that exist.
            pub fn parse(name: &str) -> Result<$kind> {
                match name {
                    $($name $(| $other)? => Ok(<$kind>::$variant),)+
                    _ => {
                        let allowed = [$(concat!("`", $name, "`" $(, " or `", $other, "`")?)),+].join(", ");
                        Err(Error::argument($argument, format!("got `{name}`; allowed: {allowed}")))
                    }
                }
            }
        }
    };
}

names!(View, "view", Turn = "turn", Joint = "joint", Single = "single");
names!(Autoreset, "autoreset", SameStep = "same_step", NextStep = "next_step", Disabled = "disabled");
names!(ObsType, "dtype", U8 = "u8" or "uint8", F32 = "f32" or "float32");

/// Who controls a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The caller's actions.
    Learner,
    /// An opponent drawn from the pool by weight, for every episode anew.
    Pool,
    /// Always the opponent with this index.
    Opponent(usize),
}

/// Who controls which player in which episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Learners {
    /// The caller controls every player.
    #[default]
    All,
    /// The caller controls this player; opponents drawn from the pool control the others.
    One(Player),
    /// The caller controls one player, another one in each episode: player `(first_env + env + episode) % players`.
    Rotating,
    /// One role per player, the same in every episode; at least one learner.
    Roles(Vec<Role>),
}

/// Configuration of a batch of environments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VecConfig {
    /// Number of environments, at least 1.
    pub num_envs: usize,
    /// Number of threads that step, including the caller's; 1 starts no thread except for asynchronous steps.
    pub threads: usize,
    /// The view: which decisions the caller makes in a step.
    pub view: View,
    /// What happens after the end of an episode.
    pub autoreset: Autoreset,
    /// Element type of observations.
    pub dtype: ObsType,
    /// Who controls which player. In [`View::Single`], `All` means `One(Player(0))`.
    pub learners: Learners,
    /// How long a worker waits for the next batch before it sleeps, in microseconds; it keeps a core busy meanwhile. At most
    /// [`VecConfig::MAX_SPIN_US`].
    pub spin_us: u32,
    /// Number of the first environment: environment i of this batch has the random streams, and in [`Learners::Rotating`] the learners,
    /// of environment `first_env + i` of a batch that begins at 0. So several batches can hold the parts of one. At most
    /// [`VecConfig::MAX_FIRST_ENV`].
    pub first_env: u64,
}

impl Default for VecConfig {
    fn default() -> Self {
        VecConfig {
            num_envs: 1,
            threads: 1,
            view: View::Turn,
            autoreset: Autoreset::SameStep,
            dtype: ObsType::U8,
            learners: Learners::All,
            spin_us: 50,
            first_env: 0,
        }
    }
}

impl VecConfig {
    /// Most environments of one batch.
    pub const MAX_ENVS: usize = 1 << 24;
    /// Most threads of one batch.
    pub const MAX_THREADS: usize = 256;
    /// Longest wait of a worker that does not sleep, in microseconds: a second.
    pub const MAX_SPIN_US: u32 = 1_000_000;
    /// Highest number of a first environment.
    pub const MAX_FIRST_ENV: u64 = 1 << 32;

    /// Checks the numbers that do not depend on the game, and the learners against its players and opponents.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the argument's name and what is allowed.
    pub fn check(&self, players: usize, opponents: usize) -> Result<()> {
        if !(1..=VecConfig::MAX_ENVS).contains(&self.num_envs) {
            return Err(range("num_envs", self.num_envs, 1, VecConfig::MAX_ENVS));
        }
        if !(1..=VecConfig::MAX_THREADS).contains(&self.threads) {
            return Err(range("threads", self.threads, 1, VecConfig::MAX_THREADS));
        }
        if self.spin_us > VecConfig::MAX_SPIN_US {
            return Err(range("spin_us", self.spin_us as usize, 0, VecConfig::MAX_SPIN_US as usize));
        }
        if self.first_env > VecConfig::MAX_FIRST_ENV {
            let (got, most) = (self.first_env, VecConfig::MAX_FIRST_ENV);
            return Err(Error::argument("first_env", format!("got {got}; allowed: 0 to {most}")));
        }
        match &self.learners {
            Learners::One(player) if player.index() >= players => {
                return Err(Error::InvalidPlayer { player: i64::from(player.0), players });
            }
            Learners::All | Learners::One(_) | Learners::Rotating => {}
            Learners::Roles(roles) => {
                if roles.len() != players {
                    return Err(Error::argument(
                        "learners",
                        format!("got {} roles; the game has {players} players", roles.len()),
                    ));
                }
                let learners = roles.iter().filter(|role| **role == Role::Learner).count();
                if learners == 0 || (self.view == View::Single && learners != 1) {
                    let allowed = if self.view == View::Single { "exactly one" } else { "at least one" };
                    return Err(Error::argument(
                        "learners",
                        format!("got {learners} learners; allowed: {allowed}"),
                    ));
                }
                for role in roles {
                    if let Role::Opponent(index) = role
                        && *index >= opponents
                    {
                        return Err(Error::argument(
                            "learners",
                            format!("got opponent {index}; there are {opponents} opponents"),
                        ));
                    }
                }
            }
        }
        if self.draws_opponents(players) && opponents == 0 {
            return Err(Error::argument(
                "opponents",
                "got none; at least one is needed for the players that the caller does not control",
            ));
        }
        Ok(())
    }
}

impl VecConfig {
    /// Whether any player is an opponent drawn from the pool.
    pub fn draws_opponents(&self, players: usize) -> bool {
        players > 1 && self.takes_pool()
    }

    /// Whether the configuration accepts a pool of opponents. A game for one player never uses opponents but accepts them, so that the same
    /// call works for any number of players.
    pub(crate) fn takes_pool(&self) -> bool {
        match &self.learners {
            Learners::All => self.view == View::Single,
            Learners::One(_) | Learners::Rotating => true,
            Learners::Roles(roles) => roles.contains(&Role::Pool),
        }
    }

    /// Whether the configuration accepts opponents, drawn or fixed.
    pub(crate) fn takes_opponents(&self) -> bool {
        let named = |role: &Role| matches!(role, Role::Opponent(_));
        let always = matches!(&self.learners, Learners::Roles(roles) if roles.iter().any(named));
        always || self.takes_pool()
    }
}

/// Checks the weights of a whole pool.
///
/// # Errors
/// [`Error::InvalidArgument`] of `weights`.
pub(crate) fn check_weights(weights: impl Iterator<Item = f64>) -> Result<()> {
    let weights: Vec<f64> = weights.collect();
    let fits = weights.iter().all(|w| w.is_finite() && *w >= 0.0);
    let total: f64 = weights.iter().sum();
    if !fits || total <= 0.0 || !total.is_finite() {
        return Err(Error::argument(
            "weights",
            format!("got {weights:?}; weights are finite, not negative and not all 0"),
        ));
    }
    Ok(())
}

fn range(argument: &'static str, got: usize, min: usize, max: usize) -> Error {
    Error::argument(argument, format!("got {got}; allowed: {min} to {max}"))
}
