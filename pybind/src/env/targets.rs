//! Steps and positions of an environment, written into two arrays of the caller: `step_into` and `Stepper`.

use super::{Env, Inner, MASK, OBSERVATION};
use crate::arrays::{Element, ForeignArray, Memory, check_out};
use crate::errors::{Result, argument};
use pyo3::prelude::*;

impl Env {
    /// A call with two arrays to write a position into, which are checked.
    #[inline]
    pub(crate) fn with_targets<T>(
        &self,
        py: Python<'_>,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        call: impl FnOnce(&mut Inner, &Memory<'_>, &Memory<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut foreign = [ForeignArray::default(), ForeignArray::default()];
        let [one, other] = &mut foreign;
        // Both arrays are read after everything that lets other Python code run, which could move them.
        one.prepare("observation", observation)?;
        other.prepare("mask", mask)?;
        let mut inner = self.lock(py)?;
        let observation = check_out("observation", "", observation, one, OBSERVATION, &[self.observation])?;
        let mask = check_out("mask", "", mask, other, MASK, &[self.num_actions])?;
        if observation.overlaps(&mask) {
            return argument("mask", "shares memory with `observation`");
        }
        call(&mut inner, &observation, &mask)
    }

    /// Plays an action of the current player and writes the next position; whether the episode is over.
    #[inline]
    pub(crate) fn play_into(
        &self,
        inner: &mut Inner,
        action: i64,
        observation: &Memory<'_>,
        mask: &Memory<'_>,
    ) -> Result<bool> {
        let Inner { env, scratch } = inner;
        let next = if observation.element == Element::U8 {
            env.step_into(action, observation.bytes_mut(), mask.bytes_mut())?
        } else {
            scratch.resize(self.observation, 0);
            let next = env.step_into(action, scratch, mask.bytes_mut())?;
            env.info().observation.to_f32(scratch, observation.floats_mut());
            next
        };
        Ok(next.is_none())
    }

    /// Writes the position as its default player sees it.
    pub(crate) fn write_into(
        &self,
        inner: &mut Inner,
        observation: &Memory<'_>,
        mask: &Memory<'_>,
    ) -> Result<()> {
        let player = Env::default_player(inner);
        self.write_observation(inner, player, observation)?;
        Ok(inner.env.write_mask(player, mask.bytes_mut())?)
    }
}
