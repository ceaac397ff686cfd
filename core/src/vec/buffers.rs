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

    fn copied(&self) -> OwnedRows {
        match self {
            Rows::U8(slice) => OwnedRows { bytes: slice.to_vec(), floats: Vec::new() },
            Rows::F32(slice) => OwnedRows { bytes: Vec::new(), floats: slice.to_vec() },
        }
    }

    fn write(&mut self, from: &OwnedRows) {
        match self {
            Rows::U8(slice) => slice.copy_from_slice(&from.bytes),
            Rows::F32(slice) => slice.copy_from_slice(&from.floats),
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

/// Observations in owned memory, as bytes or as floats; the other list is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnedRows {
    /// Used when observations are bytes.
    pub bytes: Vec<u8>,
    /// Used when observations are floats.
    pub floats: Vec<f32>,
}

fn have_equal_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

impl OwnedRows {
    fn new(len: usize, dtype: ObsType) -> OwnedRows {
        match dtype {
            ObsType::U8 => OwnedRows { bytes: vec![0; len], floats: Vec::new() },
            ObsType::F32 => OwnedRows { bytes: Vec::new(), floats: vec![0.0; len] },
        }
    }

    fn borrow(&mut self) -> Rows<'_> {
        if self.floats.is_empty() { Rows::U8(&mut self.bytes) } else { Rows::F32(&mut self.floats) }
    }

    /// Empties it: the output is unused.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.floats.clear();
    }
}

/// The structs of all outputs, and the methods that visit every output.
macro_rules! buffers {
    ({ $($shown:tt)* } { $($ahead:tt)* }) => {
        buffers! { @all $($shown)* $($ahead)* }
    };
    (@all $($(#[$doc:meta])* $name:ident: $kind:ident [$($axis:ident),*];)+) => {
        /// The results of a step or reset, in the caller's memory.
        ///
        /// Every slice is either complete (`Sizes`) or empty, which means that it is unused. Shapes below are for the turn view and the
        /// single-player view; in the joint view `obs`, `action_mask`, `final_obs`, `final_mask` and `drawn` have a row per environment and
        /// player (`[N, P, ..]`). Outputs marked *meaningful where ended* are written only in rows with `terminated` or `truncated` set;
        /// other rows keep their old values.
        #[derive(Debug, Default)]
        pub struct Buffers<'a> {
            $($(#[$doc])* pub $name: buffers!(@slice $kind 'a),)+
        }

        /// The same results in owned memory; an emptied field is unused.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct OwnedBuffers {
            $(#[doc = concat!("See [`Buffers::", stringify!($name), "`].")] pub $name: buffers!(@owned $kind),)+
        }

        impl OwnedBuffers {
            /// All buffers of a batch, filled with zeros.
            pub fn new(sizes: &Sizes, dtype: ObsType) -> OwnedBuffers {
                OwnedBuffers { $($name: buffers!(@zeros $kind buffers!(@len sizes $($axis)*), dtype),)+ }
            }

            /// Whether all elements have the same bits: other than by `==`, a NaN equals itself, and 0 does not equal -0.
            pub fn has_bits_of(&self, other: &OwnedBuffers) -> bool {
                true $(&& buffers!(@bits $kind self.$name, other.$name))+
            }

            /// The buffers as slices to write into.
            pub fn borrow(&mut self) -> Buffers<'_> {
                Buffers { $($name: buffers!(@borrow $kind self.$name),)+ }
            }
        }

        impl<'a> Buffers<'a> {
            /// Reborrows the same memory.
            pub fn reborrow(&mut self) -> Buffers<'_> {
                Buffers { $($name: buffers!(@reborrow $kind self.$name),)+ }
            }

            /// A copy of the results.
            pub(crate) fn copied(&self) -> OwnedBuffers {
                OwnedBuffers { $($name: buffers!(@copied $kind self.$name),)+ }
            }

            /// Writes copied results ([`Buffers::copied`]) back.
            pub(crate) fn write(&mut self, from: &OwnedBuffers) {
                $(buffers!(@write $kind self.$name, from.$name);)+
            }

            /// Checks every length and element type: complete or empty.
            ///
            /// # Errors
            /// [`Error::InvalidArgument`] with the buffer's name and both lengths or types.
            pub fn check(&self, sizes: &Sizes, dtype: ObsType) -> Result<()> {
                $(
                    check_len(stringify!($name), self.$name.len(), buffers!(@len sizes $($axis)*))?;
                    buffers!(@check $kind stringify!($name), self.$name, dtype);
                )+
                Ok(())
            }

            /// Whether all outputs are unused.
            pub(crate) fn is_empty(&self) -> bool {
                true $(&& self.$name.is_empty())+
            }

            /// The first `envs` environments and the rest.
            pub(crate) fn split_at(self, envs: usize, sizes: &Sizes) -> (Buffers<'a>, Buffers<'a>) {
                let sizes = &Sizes { envs, ..*sizes };
                $(
                    let at = if self.$name.is_empty() { 0 } else { buffers!(@len sizes $($axis)*) };
                    let $name = buffers!(@split $kind self.$name, at);
                )+
                (Buffers { $($name: $name.0,)+ }, Buffers { $($name: $name.1,)+ })
            }
        }
    };
    (@slice observation $a:lifetime) => { Rows<$a> };
    (@slice flag $a:lifetime) => { &$a mut [u8] };
    (@slice $number:ident $a:lifetime) => { &$a mut [$number] };
    (@owned observation) => { OwnedRows };
    (@owned flag) => { Vec<u8> };
    (@owned $number:ident) => { Vec<$number> };
    (@bits observation $a:expr, $b:expr) => { $a.bytes == $b.bytes && have_equal_bits(&$a.floats, &$b.floats) };
    (@bits f32 $a:expr, $b:expr) => { have_equal_bits(&$a, &$b) };
    (@bits $number:ident $a:expr, $b:expr) => { $a == $b };
    (@len $sizes:ident $($axis:ident)*) => { $sizes.envs $(* buffers!(@axis $sizes $axis))* };
    (@axis $sizes:ident lane) => { $sizes.lanes };
    (@axis $sizes:ident player) => { $sizes.players };
    (@axis $sizes:ident action) => { $sizes.actions };
    (@axis $sizes:ident observation) => { $sizes.observation };
    (@zeros observation $len:expr, $dtype:ident) => { OwnedRows::new($len, $dtype) };
    (@zeros $number:ident $len:expr, $dtype:ident) => { vec![Default::default(); $len] };
    (@borrow observation $rows:expr) => { $rows.borrow() };
    (@borrow $number:ident $slice:expr) => { &mut $slice };
    (@reborrow observation $rows:expr) => { $rows.reborrow() };
    (@reborrow $number:ident $slice:expr) => { $slice };
    (@copied observation $rows:expr) => { $rows.copied() };
    (@copied $number:ident $slice:expr) => { $slice.to_vec() };
    (@write observation $rows:expr, $from:expr) => { $rows.write(&$from) };
    (@write $number:ident $slice:expr, $from:expr) => { $slice.copy_from_slice(&$from) };
    (@check observation $name:expr, $rows:expr, $dtype:ident) => { check_dtype($name, &$rows, $dtype)? };
    (@check $number:ident $name:expr, $slice:expr, $dtype:ident) => {};
    (@split observation $rows:expr, $at:ident) => { $rows.split_at($at) };
    (@split $number:ident $slice:expr, $at:ident) => { $slice.split_at_mut($at) };
}

crate::batch_outputs!(buffers);

/// Refuses observations of another element type.
fn check_dtype(name: &'static str, rows: &Rows<'_>, wanted: ObsType) -> Result<()> {
    match rows.dtype() {
        Some(got) if got != wanted => {
            let (got, wanted) = (got.name(), wanted.name());
            Err(Error::argument(name, format!("got elements of type {got}; wanted {wanted}")))
        }
        _ => Ok(()),
    }
}

fn check_len(name: &'static str, got: usize, wanted: usize) -> Result<()> {
    if got == 0 || got == wanted {
        return Ok(());
    }
    Err(Error::argument(name, format!("got {got} elements; wanted {wanted} (or none)")))
}

/// Sets an output to 0, if it is used. With AVX-512 the C library's `memset` of no bytes stores under an empty mask. The pointer of an unused
/// output points to no memory: then the processor needs microseconds to find that nothing is stored.
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
    /// `[T, N]` whether the rules ended the episode after the action.
    pub terminated: &'a mut [u8],
    /// `[T, N]` whether `max_steps` truncated the episode after the action.
    pub truncated: &'a mut [u8],
}
