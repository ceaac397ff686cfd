//! The caller's arrays of `VecEnv.rollout`.

use crate::arrays::ForeignArray;
use crate::batch::{Field, Form, Place, Places, check_apart, for_each_item};
use crate::errors::{Result, argument};
use playmat_core::vec::{ObsType, Rollout, Sizes, VecConfig};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Where a rollout writes.
#[derive(Clone, Copy, Default)]
pub(super) struct RolloutPlaces {
    obs: Option<Place>,
    action_mask: Option<Place>,
    player: Option<Place>,
    action: Option<Place>,
    reward: Option<Place>,
    terminated: Option<Place>,
    truncated: Option<Place>,
}

impl RolloutPlaces {
    const NAMES: [&'static str; 7] =
        ["obs", "action_mask", "player", "action", "reward", "terminated", "truncated"];

    fn form(name: &str, sizes: &Sizes, config: &VecConfig, steps: usize) -> Option<Form> {
        let mut form = match name {
            "action" => Form::of_actions(sizes, config),
            name if RolloutPlaces::NAMES.contains(&name) => Form::of(Field::parse(name)?, sizes, config),
            _ => return None,
        };
        form.shape.insert(0, steps);
        Some(form)
    }

    fn slot(
        &mut self,
        name: &str,
        sizes: &Sizes,
        config: &VecConfig,
        steps: usize,
    ) -> Option<(&mut Option<Place>, Form)> {
        let form = RolloutPlaces::form(name, sizes, config, steps)?;
        let slot = match name {
            "obs" => &mut self.obs,
            "action_mask" => &mut self.action_mask,
            "player" => &mut self.player,
            "action" => &mut self.action,
            "reward" => &mut self.reward,
            "terminated" => &mut self.terminated,
            _ => &mut self.truncated,
        };
        Some((slot, form))
    }

    /// New arrays of zeros, as a dict by name: all fields, or those named.
    pub(super) fn arrays<'py>(
        py: Python<'py>,
        sizes: &Sizes,
        config: &VecConfig,
        steps: usize,
        fields: Option<Vec<String>>,
    ) -> Result<Bound<'py, PyDict>> {
        let names = fields.unwrap_or_else(|| RolloutPlaces::NAMES.map(String::from).to_vec());
        let arrays = PyDict::new(py);
        for name in names {
            let Some(form) = RolloutPlaces::form(&name, sizes, config, steps) else {
                let known = RolloutPlaces::NAMES.join(", ");
                return argument("fields", format!("got `{name}`; allowed: {known}"));
            };
            arrays.set_item(name, form.aligned_zeros(py)?)?;
        }
        Ok(arrays)
    }

    /// The caller's arrays as places, by name; none may share memory with `own`, the environment's batch. With what keeps the
    /// memory of those that are no numpy arrays.
    pub(super) fn read(
        out: &Bound<'_, PyAny>,
        own: &Places,
        sizes: &Sizes,
        config: &VecConfig,
        steps: usize,
    ) -> Result<(RolloutPlaces, Vec<Py<PyAny>>)> {
        let mut places = RolloutPlaces::default();
        let mut kept = Vec::new();
        let mut given = Vec::new();
        for_each_item(out, |name, array| {
            let Some((slot, form)) = places.slot(name, sizes, config, steps) else {
                let known = RolloutPlaces::NAMES.join(", ");
                return argument("out", format!("got a field `{name}`; allowed: {known}"));
            };
            let mut foreign = ForeignArray::default();
            let memory = form.check(name, &array, &mut foreign)?;
            check_apart(name, &memory.range(), &mut given, None)?;
            *slot = Some(Place::of(&memory));
            kept.extend(foreign.keep());
            Ok(())
        })?;
        if let Some((name, _)) = given.iter().find(|(_, range)| own.overlaps(range)) {
            return argument("out", format!("`{name}` shares memory with the environment's own batch"));
        }
        Ok((places, kept))
    }

    /// The steps `from .. from + count` of `steps` as slices.
    pub(super) fn rollout<'a>(&self, from: usize, count: usize, steps: usize, dtype: ObsType) -> Rollout<'a> {
        let cut = |place: Option<Place>| place.map(|place| place.part(from, count, steps));
        Rollout {
            steps: count,
            obs: Place::rows(cut(self.obs), dtype),
            action_mask: Place::slice(cut(self.action_mask)),
            player: Place::slice(cut(self.player)),
            action: Place::slice(cut(self.action)),
            reward: Place::slice(cut(self.reward)),
            terminated: Place::slice(cut(self.terminated)),
            truncated: Place::slice(cut(self.truncated)),
        }
    }
}
