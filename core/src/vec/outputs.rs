//! The outputs of a batch, declared once: [`batch_outputs!`](crate::batch_outputs!). Code that visits every output is made from this list, here
//! and in the bindings. A test compares the parts of the bindings that are written by hand with [`OUTPUTS`].

use crate::vec::buffers::Sizes;
use crate::vec::config::View;

/// Calls a macro with the declaration of all outputs: the outputs that callers read in braces, then `drawn` (the actions drawn ahead) in braces.
///
/// Each is `NAME: KIND [AXES];` with its documentation before it. Kinds: `observation` (bytes or floats, by the batch's element type), `flag`
/// (0 or 1 in a byte) and types of numbers. Axes after N, the environments: `player` P, `action` A, `observation` O, and `lane`, which is P in
/// the joint view and absent in the other views.
#[macro_export]
macro_rules! batch_outputs {
    ($call:ident) => {
        $call! {
            {
                /// `[N, O]` observation of the acting player; joint view: `[N, P, O]`, all players, acting or not.
                obs: observation [lane, observation];
                /// `[N, A]` 1 for a legal action of the acting player, 0 elsewhere; all 0 where the episode is over.
                action_mask: flag [lane, action];
                /// `[N]` the player that must act, -1 where the episode is over. In the joint view the lowest acting player.
                player: i32 [];
                /// `[N, P]` 1 for each player that the caller must act for now.
                acting: flag [player];
                /// `[N, P]` reward of each player since the last step.
                reward: f32 [player];
                /// `[N]` 1 where the rules ended the episode in this step.
                terminated: flag [];
                /// `[N]` 1 where `max_steps` truncated the episode in this step; never together with `terminated`.
                truncated: flag [];
                /// `[N, O]`, meaningful where ended: the last observation of `final_player`.
                final_obs: observation [lane, observation];
                /// `[N, P, O]`, meaningful where ended: the last observation of every player.
                final_obs_all: observation [player, observation];
                /// `[N]`, meaningful where ended: the player of `final_obs` and `final_mask`. Where `max_steps` truncated the episode, the
                /// player that the caller would decide for next, of several the lowest. Elsewhere, or if opponents would decide next, the
                /// player of the caller's last decision. In the single-player view always the learner.
                final_player: i32 [];
                /// `[N, A]`, meaningful where ended: legal actions of `final_player` where `max_steps` truncated the episode; all 0
                /// elsewhere, and where opponents would decide next. In the joint view (`[N, P, A]`) the same for each player that the
                /// caller would decide for.
                final_mask: flag [lane, action];
                /// `[N, P]`, meaningful where ended: 1 for each player, opponents included, that would have to decide next where
                /// `max_steps` truncated the episode; all 0 elsewhere.
                final_acting: flag [player];
                /// `[N, P]`, meaningful where ended: sum of the episode's rewards.
                episode_return: f32 [player];
                /// `[N]`, meaningful where ended: decisions of all players in the episode.
                episode_length: i32 [];
                /// `[N]` seed of the running episode: given to a single environment, it replays the episode alone.
                episode_seed: u64 [];
                /// `[N]`, meaningful where ended: seed of the episode that ended.
                final_seed: u64 [];
                /// `[N, P]` index of the opponent that controls each player in the running episode, -1 for the caller.
                opponent: i32 [player];
                /// `[N, P]`, meaningful where ended: `opponent` of the episode that ended.
                final_opponent: i32 [player];
                /// `[N]` the only player that the caller plays in the running episode, -1 where it plays several. In the single-player view
                /// never -1.
                learner: i32 [];
                /// `[N]` reward of that player since the last step; in a step that ended an episode, the reward of that episode's learner,
                /// which is `final_player` in the single-player view. 0 where the caller plays several.
                learner_reward: f32 [];
            }
            {
                /// `[N]` the next uniform actions, drawn in the same pass. Written only by steps that follow a use of
                /// `sample_actions`, see [`AnyVecEnv::take_drawn`](crate::any::AnyVecEnv::take_drawn).
                drawn: i64 [lane];
            }
        }
    };
}

/// What the elements of an output are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Observations: bytes or floats, by the element type of the batch.
    Observation,
    /// 0 or 1, in a byte.
    Flag,
    /// Signed 32-bit integers.
    I32,
    /// Signed 64-bit integers.
    I64,
    /// Unsigned 64-bit integers.
    U64,
    /// 32-bit floats.
    F32,
}

/// An axis of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputAxis {
    /// In the joint view P, players; otherwise there is no such axis.
    Lane,
    /// P, players.
    Player,
    /// A, actions.
    Action,
    /// O, elements of an observation.
    Observation,
}

/// An output of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name; languages with another style of names change the case.
    pub name: &'static str,
    /// What its elements are.
    pub kind: OutputKind,
    /// Its axes after N, the environments.
    pub axes: &'static [OutputAxis],
}

impl Output {
    /// Its shape in a batch of these sizes.
    pub fn shape(&self, sizes: &Sizes, view: View) -> Vec<usize> {
        let axis = |axis: &OutputAxis| match axis {
            OutputAxis::Lane => (view == View::Joint).then_some(sizes.players),
            OutputAxis::Player => Some(sizes.players),
            OutputAxis::Action => Some(sizes.actions),
            OutputAxis::Observation => Some(sizes.observation),
        };
        std::iter::once(sizes.envs).chain(self.axes.iter().filter_map(axis)).collect()
    }
}

macro_rules! outputs {
    ({ $($shown:tt)* } { $($ahead:tt)* }) => {
        outputs! { @all $($shown)* $($ahead)* }
    };
    (@all $($(#[$doc:meta])* $name:ident: $kind:ident [$($axis:ident),*];)+) => {
        /// All outputs, in the order of their declaration; the last one is `drawn`.
        pub const OUTPUTS: &[Output] = &[$(Output {
            name: stringify!($name),
            kind: outputs!(@kind $kind),
            axes: &[$(outputs!(@axis $axis)),*],
        }),+];
    };
    (@kind observation) => { OutputKind::Observation };
    (@kind flag) => { OutputKind::Flag };
    (@kind i32) => { OutputKind::I32 };
    (@kind i64) => { OutputKind::I64 };
    (@kind u64) => { OutputKind::U64 };
    (@kind f32) => { OutputKind::F32 };
    (@axis lane) => { OutputAxis::Lane };
    (@axis player) => { OutputAxis::Player };
    (@axis action) => { OutputAxis::Action };
    (@axis observation) => { OutputAxis::Observation };
}

batch_outputs!(outputs);
