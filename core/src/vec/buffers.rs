//! Where a batch writes: slices of the caller's memory, one row per environment.

use crate::error::{Error, Result};
use crate::info::GameInfo;
use crate::vec::config::{ObsType, VecConfig, View};

/// A slice of observations of either element type.
#[derive(Debug)]
pub enum Rows<'a> {
    /// Bytes.
    U8(&'a mut [u8]),
    /// Floats in [-1, 1].
    F32(&'a mut [f32]),
}

impl Default for Rows<'_> {
    fn default() -> Self {
        Rows::U8(&mut [])
    }
}

impl<'a> Rows<'a> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Rows::U8(slice) => slice.len(),
            Rows::F32(slice) => slice.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type; `None` if empty, which fits both.
    pub fn dtype(&self) -> Option<ObsType> {
        match self {
            _ if self.is_empty() => None,
            Rows::U8(_) => Some(ObsType::U8),
            Rows::F32(_) => Some(ObsType::F32),
        }
    }

    /// Reborrows the same memory.
    pub fn reborrow(&mut self) -> Rows<'_> {
        match self {
            Rows::U8(slice) => Rows::U8(slice),
            Rows::F32(slice) => Rows::F32(slice),
        }
    }

    /// The first `at` elements and the rest.
    pub(crate) fn split_at(self, at: usize) -> (Rows<'a>, Rows<'a>) {
        match self {
            Rows::U8(slice) => {
                let (a, b) = slice.split_at_mut(at);
                (Rows::U8(a), Rows::U8(b))
            }
            Rows::F32(slice) => {
                let (a, b) = slice.split_at_mut(at);
                (Rows::F32(a), Rows::F32(b))
            }
        }
    }
}

/// Number of elements of every buffer of a batch: N environments, P players, A actions, O observation elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// N.
    pub envs: usize,
    /// P.
    pub players: usize,
    /// A.
    pub actions: usize,
    /// O.
    pub observation: usize,
    /// Rows of observation, mask and action per environment: P in the joint view, otherwise 1.
    pub lanes: usize,
}

impl Sizes {
    /// The sizes of a game under a configuration.
    pub fn new(info: &GameInfo, config: &VecConfig) -> Sizes {
        Sizes {
            envs: config.num_envs,
            players: info.players,
            actions: info.num_actions,
            observation: info.observation.size(),
            lanes: if config.view == View::Joint { info.players } else { 1 },
        }
    }
}

macro_rules! buffers {
    ($($(#[$doc:meta])* $name:ident: $element:ty, |$s:ident| $size:expr;)+) => {
        /// The results of a step or reset, in the caller's memory.
        ///
        /// Every slice is either complete (`Sizes`) or empty, which means that it is unused. Shapes below are for the turn view and the
        /// single-player view; in the joint view `obs`, `action_mask`, `final_obs`, `final_mask` and `drawn` have a row per environment and
        /// player (`[N, P, ..]`). Outputs marked *meaningful where ended* are written only in rows with `terminated` or `truncated` set;
        /// other rows keep their old values.
        #[derive(Debug, Default)]
        pub struct Buffers<'a> {
            /// `[N, O]` observation of the acting player; joint view: `[N, P, O]`, all players, acting or not.
            pub obs: Rows<'a>,
            /// `[N, O]`, meaningful where ended: the last observation of `final_player`.
            pub final_obs: Rows<'a>,
            /// `[N, P, O]`, meaningful where ended: the last observation of every player.
            pub final_obs_all: Rows<'a>,
            $($(#[$doc])* pub $name: &'a mut [$element],)+
        }

        /// The same results in owned memory; an emptied field is unused.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct OwnedBuffers {
            /// See [`Buffers::obs`]; used when observations are bytes.
            pub obs_u8: Vec<u8>,
            /// See [`Buffers::obs`]; used when observations are floats.
            pub obs_f32: Vec<f32>,
            /// See [`Buffers::final_obs`].
            pub final_obs_u8: Vec<u8>,
            /// See [`Buffers::final_obs`].
            pub final_obs_f32: Vec<f32>,
            /// See [`Buffers::final_obs_all`].
            pub final_obs_all_u8: Vec<u8>,
            /// See [`Buffers::final_obs_all`].
            pub final_obs_all_f32: Vec<f32>,
            $(#[doc = concat!("See [`Buffers::", stringify!($name), "`].")] pub $name: Vec<$element>,)+
        }

        impl OwnedBuffers {
            /// All buffers of a batch, filled with zeros.
            pub fn new(sizes: &Sizes, dtype: ObsType) -> OwnedBuffers {
                let lanes = sizes.envs * sizes.lanes * sizes.observation;
                let seats = sizes.envs * sizes.players * sizes.observation;
                let (u8s, f32s) = match dtype {
                    ObsType::U8 => (1, 0),
                    ObsType::F32 => (0, 1),
                };
                OwnedBuffers {
                    obs_u8: vec![0; lanes * u8s],
                    obs_f32: vec![0.0; lanes * f32s],
                    final_obs_u8: vec![0; lanes * u8s],
                    final_obs_f32: vec![0.0; lanes * f32s],
                    final_obs_all_u8: vec![0; seats * u8s],
                    final_obs_all_f32: vec![0.0; seats * f32s],
                    $($name: { let $s = sizes; vec![<$element>::default(); $size] },)+
                }
            }

            /// The buffers as slices to write into.
            pub fn borrow(&mut self) -> Buffers<'_> {
                fn rows<'a>(bytes: &'a mut [u8], floats: &'a mut [f32]) -> Rows<'a> {
                    if floats.is_empty() { Rows::U8(bytes) } else { Rows::F32(floats) }
                }
                Buffers {
                    obs: rows(&mut self.obs_u8, &mut self.obs_f32),
                    final_obs: rows(&mut self.final_obs_u8, &mut self.final_obs_f32),
                    final_obs_all: rows(&mut self.final_obs_all_u8, &mut self.final_obs_all_f32),
                    $($name: &mut self.$name,)+
                }
            }
        }

        impl<'a> Buffers<'a> {
            /// Reborrows the same memory.
            pub fn reborrow(&mut self) -> Buffers<'_> {
                Buffers {
                    obs: self.obs.reborrow(),
                    final_obs: self.final_obs.reborrow(),
                    final_obs_all: self.final_obs_all.reborrow(),
                    $($name: self.$name,)+
                }
            }

            /// Checks every length and element type: complete or empty.
            ///
            /// # Errors
            /// [`Error::InvalidArgument`] with the buffer's name and both lengths or types.
            pub fn check(&self, sizes: &Sizes, dtype: ObsType) -> Result<()> {
                let lanes = sizes.envs * sizes.lanes * sizes.observation;
                let seats = sizes.envs * sizes.players * sizes.observation;
                for (name, rows, size) in [
                    ("obs", &self.obs, lanes),
                    ("final_obs", &self.final_obs, lanes),
                    ("final_obs_all", &self.final_obs_all, seats),
                ] {
                    check_len(name, rows.len(), size)?;
                    if let Some(got) = rows.dtype()
                        && got != dtype
                    {
                        let (got, wanted) = (got.name(), dtype.name());
                        return Err(Error::argument(name, format!("got elements of type {got}; wanted {wanted}")));
                    }
                }
                $({ let $s = sizes; check_len(stringify!($name), self.$name.len(), $size)?; })+
                Ok(())
            }

            /// The first `envs` environments and the rest.
            pub(crate) fn split_at(self, envs: usize, sizes: &Sizes) -> (Buffers<'a>, Buffers<'a>) {
                let sizes = &Sizes { envs, ..*sizes };
                let at = |len: usize, per_env: usize| if len == 0 { 0 } else { envs * per_env };
                let lanes = at(self.obs.len(), sizes.lanes * sizes.observation);
                let (obs_a, obs_b) = self.obs.split_at(lanes);
                let lanes = at(self.final_obs.len(), sizes.lanes * sizes.observation);
                let (final_obs_a, final_obs_b) = self.final_obs.split_at(lanes);
                let seats = at(self.final_obs_all.len(), sizes.players * sizes.observation);
                let (all_a, all_b) = self.final_obs_all.split_at(seats);
                $(let $name = {
                    let $s = sizes;
                    self.$name.split_at_mut(if self.$name.is_empty() { 0 } else { $size })
                };)+
                (
                    Buffers { obs: obs_a, final_obs: final_obs_a, final_obs_all: all_a, $($name: $name.0,)+ },
                    Buffers { obs: obs_b, final_obs: final_obs_b, final_obs_all: all_b, $($name: $name.1,)+ },
                )
            }
        }
    };
}

buffers! {
    /// `[N, A]` 1 for a legal action of the acting player, 0 elsewhere; all 0 where the episode is over.
    action_mask: u8, |s| s.envs * s.lanes * s.actions;
    /// `[N]` the player that must act, -1 where the episode is over. In the joint view the lowest acting player.
    player: i32, |s| s.envs;
    /// `[N, P]` 1 for each player that the caller must act for now.
    acting: u8, |s| s.envs * s.players;
    /// `[N, P]` reward of each player since the last step.
    reward: f32, |s| s.envs * s.players;
    /// `[N]` the only player that the caller plays in the running episode, -1 where it plays several. In the single-player view never
    /// -1.
    learner: i32, |s| s.envs;
    /// `[N]` reward of that player since the last step; in a step that ended an episode, the reward of that episode's learner, which is
    /// `final_player` in the single-player view. 0 where the caller plays several.
    learner_reward: f32, |s| s.envs;
    /// `[N]` 1 where the rules ended the episode in this step.
    terminated: u8, |s| s.envs;
    /// `[N]` 1 where `max_steps` truncated the episode in this step; never together with `terminated`.
    truncated: u8, |s| s.envs;
    /// `[N]`, meaningful where ended: the player of `final_obs` and `final_mask`. Where `max_steps` truncated the episode, the player that
    /// the caller would decide for next, of several the lowest. Elsewhere, or if opponents would decide next, the player of the caller's
    /// last decision. In the single-player view always the learner.
    final_player: i32, |s| s.envs;
    /// `[N, A]`, meaningful where ended: legal actions of `final_player` where `max_steps` truncated the episode; all 0 elsewhere, and
    /// where opponents would decide next. In the joint view (`[N, P, A]`) the same for each player that the caller would decide for.
    final_mask: u8, |s| s.envs * s.lanes * s.actions;
    /// `[N, P]`, meaningful where ended: 1 for each player, opponents included, that would have to decide next where `max_steps` truncated
    /// the episode; all 0 elsewhere.
    final_acting: u8, |s| s.envs * s.players;
    /// `[N, P]`, meaningful where ended: sum of the episode's rewards.
    episode_return: f32, |s| s.envs * s.players;
    /// `[N]`, meaningful where ended: decisions of all players in the episode.
    episode_length: i32, |s| s.envs;
    /// `[N]` seed of the running episode: given to a single environment, it replays the episode alone.
    episode_seed: u64, |s| s.envs;
    /// `[N]`, meaningful where ended: seed of the episode that ended.
    final_seed: u64, |s| s.envs;
    /// `[N, P]` index of the opponent that controls each player in the running episode, -1 for the caller.
    opponent: i32, |s| s.envs * s.players;
    /// `[N, P]`, meaningful where ended: `opponent` of the episode that ended.
    final_opponent: i32, |s| s.envs * s.players;
    /// `[N]` the next uniform actions, drawn in the same pass. Written only by steps that follow a use of
    /// `sample_actions`, see [`AnyVecEnv::take_drawn`](crate::any::AnyVecEnv::take_drawn).
    drawn: i64, |s| s.envs * s.lanes;
}

fn check_len(name: &'static str, got: usize, wanted: usize) -> Result<()> {
    if got == 0 || got == wanted {
        return Ok(());
    }
    Err(Error::argument(name, format!("got {got} elements; wanted {wanted} (or none)")))
}

/// Sets an output to 0, if it is used. With AVX-512 the C library's `memset` of no bytes stores under an empty mask, and where the pointer
/// points to no memory, as that of an unused output does, the processor needs microseconds to find that nothing is stored.
#[inline(always)]
pub(crate) fn clear<T: Copy + Default>(output: &mut [T]) {
    if !output.is_empty() {
        output.fill(T::default());
    }
}

/// Memory that an asynchronous step may write into: owned, so that it lives as long as the step.
pub trait Target: Send {
    /// The memory as slices.
    fn buffers(&mut self) -> Buffers<'_>;
}

impl Target for OwnedBuffers {
    fn buffers(&mut self) -> Buffers<'_> {
        self.borrow()
    }
}

/// A finished asynchronous step.
pub struct Waited {
    /// The memory passed to the call.
    pub target: Box<dyn Target>,
    /// The result of the step; on an error nothing was stepped or written.
    pub result: Result<()>,
}

impl std::fmt::Debug for Waited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waited").field("result", &self.result).finish_non_exhaustive()
    }
}

/// Actions of a step, one per row of `Buffers::action_mask`; entries of players that do not act are ignored.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// 64-bit, what numpy and `sample_actions` use.
    I64(&'a [i64]),
    /// 32-bit.
    I32(&'a [i32]),
}

impl Actions<'_> {
    /// Number of actions.
    pub fn len(&self) -> usize {
        match self {
            Actions::I64(slice) => slice.len(),
            Actions::I32(slice) => slice.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where [`AnyVecEnv::rollout`](crate::any::AnyVecEnv::rollout) writes: T steps of N environments; an empty slice skips this output.
#[derive(Debug, Default)]
pub struct Rollout<'a> {
    /// T.
    pub steps: usize,
    /// `[T, N, O]` (joint view `[T, N, P, O]`) before the action.
    pub obs: Rows<'a>,
    /// `[T, N, A]` (joint view `[T, N, P, A]`) before the action.
    pub action_mask: &'a mut [u8],
    /// `[T, N]` the acting player; -1 if the episode was over.
    pub player: &'a mut [i32],
    /// `[T, N]` (joint view `[T, N, P]`) the action; 0 for players who do not act.
    pub action: &'a mut [i64],
    /// `[T, N, P]` reward of each player for the action.
    pub reward: &'a mut [f32],
    /// `[T, N]` whether the rules ended the episode with it.
    pub terminated: &'a mut [u8],
    /// `[T, N]` whether `max_steps` did.
    pub truncated: &'a mut [u8],
}
