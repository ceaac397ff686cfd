//! Buffers for the results of a batch, filled with values that no step writes, so that unwritten elements are found.

use playmat_core::any::AnyVecEnv;
use playmat_core::vec::OwnedBuffers;

/// Buffers filled with values that no step writes.
pub(super) fn dirty(venv: &dyn AnyVecEnv, filling: u8) -> OwnedBuffers {
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    fill(&mut out, filling);
    out
}

macro_rules! fill {
    ({ $($shown:tt)* } { $($ahead:tt)* }) => {
        fill! { @all $($shown)* $($ahead)* }
    };
    (@all $($(#[$doc:meta])* $name:ident: $kind:ident [$($axis:ident),*];)+) => {
        /// Overwrites every element of every buffer.
        pub(super) fn fill(out: &mut OwnedBuffers, filling: u8) {
            $(fill!(@$kind out.$name, filling);)+
        }
    };
    (@observation $rows:expr, $filling:ident) => {
        fill!(@flag $rows.bytes, $filling);
        fill!(@f32 $rows.floats, $filling);
    };
    (@flag $bytes:expr, $filling:ident) => { $bytes.fill($filling) };
    (@f32 $floats:expr, $filling:ident) => { $floats.fill(1e9 + f32::from($filling)) };
    (@i32 $ints:expr, $filling:ident) => { $ints.fill(-1000 - i32::from($filling)) };
    (@i64 $ints:expr, $filling:ident) => { $ints.fill(-1000 - i64::from($filling)) };
    (@u64 $seeds:expr, $filling:ident) => { $seeds.fill(u64::from($filling)) };
}

playmat_core::batch_outputs!(fill);
