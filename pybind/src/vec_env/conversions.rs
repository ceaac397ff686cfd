//! Conversions of actions that come from Python, and of observations that go there.

use super::VecEnv;
use crate::arrays::{Element, ForeignArray, Memory, read_actions};
use crate::batch::{Form, Place};
use crate::errors::Result;
use playmat_core::player::Player;
use playmat_core::vec::{Actions, View};
use pyo3::prelude::*;

impl VecEnv {
    /// Shape of actions, and its number of axes.
    fn actions_shape(&self) -> ([usize; 2], usize) {
        ([self.sizes.envs, self.sizes.players], if self.config.view == View::Joint { 2 } else { 1 })
    }

    /// Copies actions of any integer type.
    pub(super) fn copy_actions(&self, actions: &Bound<'_, PyAny>) -> Result<Vec<i64>> {
        let (shape, axes) = self.actions_shape();
        read_actions("actions", actions, &shape[..axes])
    }

    /// Actions that can be read where they are.
    #[inline]
    pub(super) fn view_actions<'a>(&self, memory: Option<&Memory<'a>>) -> Option<Actions<'a>> {
        let (shape, axes) = self.actions_shape();
        let memory = memory.filter(|memory| memory.has_shape(&shape[..axes]))?;
        match memory.element {
            Element::I64 => memory.slice().map(Actions::I64),
            Element::I32 => memory.slice().map(Actions::I32),
            _ => None,
        }
    }

    /// Observations of one player or of all, into the caller's array or a new one.
    pub(super) fn observe_into<'py>(
        &self,
        py: Python<'py>,
        player: Option<Player>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let mut form = Form::of_all_observations(&self.sizes, &self.config);
        if player.is_some() {
            form.shape.remove(1);
        }
        let out = match out {
            Some(out) => out,
            None => form.zeros(py)?,
        };
        let mut foreign = ForeignArray::default();
        let place = Place::of(&form.check("", &out, &mut foreign)?);
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        let rows = Place::rows(Some(place), self.config.dtype);
        py.detach(|| match player {
            Some(player) => venv.observe(player, rows),
            None => venv.observe_all(rows),
        })?;
        Ok(out)
    }
}
