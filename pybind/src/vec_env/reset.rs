//! `VecEnv.reset`, and what it takes: seeds, states and masks, one entry per environment.

use super::VecEnv;
use crate::arrays::{Element, ForeignArray, element_text, hint, shape_text, type_text};
use crate::batch::Batch;
use crate::env::Env;
use crate::errors::{Refusal, Result, argument};
use crate::function::refusal_of;
use crate::scalars::{SEEDS, Seed, bytes};
use crate::states::States;
use playmat_core::error::Error;
use playmat_core::vec::{Reset, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

impl VecEnv {
    /// [`VecEnv::reset`].
    pub(super) fn begin(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<Py<Batch>> {
        if seed.is_some() && states.is_some() {
            return argument("states", "only without `seed`");
        }
        let envs = self.sizes.envs;
        let mask = mask.map(|mask| self::mask(mask, envs)).transpose()?;
        let array = states.and_then(|states| states.cast::<States>().ok());
        let states = states.filter(|_| array.is_none());
        let states = states.map(|states| self::states(states, envs, mask.as_deref())).transpose()?;
        let states: Option<Vec<&[u8]>> =
            states.as_ref().map(|states| states.iter().map(Vec::as_slice).collect());
        let mut seeds = Vec::new();
        let begun = self.lock(py)?.begun;
        let from = match (seed, &states, array) {
            (None, _, Some(array)) => Source::Array(&*array.get().inner),
            (None, None, None) if !begun => Source::Seed(crate::fresh_seed(py)?),
            (None, None, None) => Source::Streams,
            (None, Some(states), None) => Source::States(states),
            (Some(seed), _, _) => match seed.extract::<Seed>() {
                Ok(Seed(seed)) => Source::Seed(seed),
                Err(error) if seed.call_method0("__index__").is_ok() => return Err(error.into()),
                Err(_) => {
                    seeds = self::seeds(seed, envs)?;
                    Source::Seeds(&seeds)
                }
            },
        };
        let (places, batch, _kept) = self.store.with_out(py, out, None)?;
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        let mut buffers = places.buffers(self.config.dtype);
        let done = py.detach(|| venv.reset(Reset { from, mask: mask.as_deref() }, &mut buffers));
        if let Err(error) = done {
            return Err(match venv.take_failure() {
                Some(failure) => refusal_of(failure, "opponents"),
                None => {
                    self.place_of(error.renamed("reset_mask", "mask"), states.as_deref(), mask.as_deref())
                }
            });
        }
        match from {
            Source::Seed(seed) => inner.seed = Some(seed),
            Source::Streams => {}
            _ => inner.seed = None,
        }
        inner.begun = true;
        drop(seeds);
        Ok(batch)
    }

    /// The refusal of a reset; if one of the states is to blame, it says which.
    #[cold]
    fn place_of(&self, error: Error, states: Option<&[&[u8]]>, mask: Option<&[u8]>) -> Refusal {
        let about_states = matches!(
            error,
            Error::Unreadable { .. } | Error::WrongIdentity { .. } | Error::InvalidState { .. }
        );
        let game = &self.game.get().inner;
        let chosen = |&env: &usize| mask.is_none_or(|mask| mask[env] != 0);
        let bad = |(env, bytes): (usize, &&[u8])| {
            (chosen(&env) && game.env_from_bytes(bytes).is_err()).then_some(env)
        };
        let found =
            states.filter(|_| about_states).and_then(|states| states.iter().enumerate().find_map(bad));
        match found {
            Some(env) => Refusal::At(format!("states[{env}]"), error),
            None => error.into(),
        }
    }
}

/// One number per environment: seeds.
pub(super) fn seeds(seeds: &Bound<'_, PyAny>, envs: usize) -> Result<Vec<u64>> {
    numbered(seeds, envs, "environment")
}

/// One seed for each of `envs` things.
pub(crate) fn numbered(seeds: &Bound<'_, PyAny>, envs: usize, thing: &str) -> Result<Vec<u64>> {
    let refuse = || {
        let (kind, hint) = (type_text(seeds), hint(seeds, Element::I64));
        argument("seed", format!("got {kind}; wanted a number or {envs} numbers{hint}"))
    };
    // Their letters and bytes are no seeds.
    if seeds.is_instance_of::<PyString>() || seeds.is_instance_of::<PyBytes>() {
        return refuse();
    }
    let mut foreign = ForeignArray::default();
    match foreign.memory("seed", seeds)? {
        Some(memory) if !memory.has_shape(&[envs]) => {
            let message = format!("got shape {}; wanted {}", memory.shape_text(), shape_text(&[envs]));
            return argument("seed", message);
        }
        Some(memory) if memory.element == Element::U64 => {
            if let Some(list) = memory.slice::<u64>() {
                return Ok(list.to_vec());
            }
        }
        // Memory of an object that has no items, as DLPack lends it.
        Some(memory) if seeds.try_iter().is_err() => {
            if let Some(list) = memory.whole_numbers() {
                let read = |(env, number): (usize, i64)| {
                    let refuse = |_| argument("seed", format!("got {number} for {thing} {env}; {SEEDS}"));
                    u64::try_from(number).or_else(refuse)
                };
                return list.into_iter().enumerate().map(read).collect();
            }
        }
        Some(memory) if matches!(memory.element, Element::Bool | Element::F32 | Element::Other) => {
            let found = element_text(Some(memory), seeds);
            // Whole numbers in the byte order of other machines, and Python's own, are read one by one.
            if !whole_dtype(seeds) {
                let hint = hint(seeds, Element::I64);
                return argument("seed", format!("got elements of type {found}; wanted whole numbers{hint}"));
            }
        }
        _ => {}
    }
    let Ok(items) = seeds.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>) else {
        return refuse();
    };
    if items.len() != envs {
        return argument("seed", format!("got {} entries; wanted {envs}", items.len()));
    }
    let read = |(env, item): (usize, &Bound<'_, PyAny>)| match item.extract::<Seed>() {
        Ok(seed) => Ok(seed.0),
        Err(_) => argument("seed", format!("got {} for {thing} {env}; {SEEDS}", Seed::shown(item))),
    };
    items.iter().enumerate().map(read).collect()
}

/// Whether the elements are whole numbers, or objects that may be.
fn whole_dtype(seeds: &Bound<'_, PyAny>) -> bool {
    let kind = seeds.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    kind.and_then(|kind| kind.extract::<char>()).is_ok_and(|kind| "iuO".contains(kind))
}

/// One state per environment: bytes or single environments; None for environments that are not reset, as the mask says.
pub(super) fn states(states: &Bound<'_, PyAny>, envs: usize, mask: Option<&[u8]>) -> Result<Vec<Vec<u8>>> {
    let py = states.py();
    let Ok(items) = states.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>) else {
        return argument("states", format!("got {}; wanted {envs} states", type_text(states)));
    };
    if items.len() != envs {
        return argument("states", format!("got {} entries; wanted {envs}", items.len()));
    }
    let read = |(env, item): (usize, &Bound<'_, PyAny>)| -> Result<Vec<u8>> {
        if item.is_none() {
            if mask.is_none_or(|mask| mask.get(env) != Some(&0)) {
                let message =
                    format!("got None for environment {env}, which is reset; `mask` can leave it out");
                return argument("states", message);
            }
            return Ok(Vec::new());
        }
        if let Ok(env) = item.cast::<Env>() {
            return Ok(env.get().to_bytes(py)?.as_bytes().to_vec());
        }
        match bytes("states", item) {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(_) => {
                let message =
                    format!("got {} for environment {env}; wanted bytes or an Env", type_text(item));
                argument("states", message)
            }
        }
    };
    items.iter().enumerate().map(read).collect()
}

/// One truth value per environment, as bytes.
pub(super) fn mask(mask: &Bound<'_, PyAny>, envs: usize) -> Result<Vec<u8>> {
    let mut foreign = ForeignArray::default();
    match foreign.memory("mask", mask)? {
        Some(memory) if matches!(memory.element, Element::Bool | Element::U8 | Element::I8) => {
            if !memory.has_shape(&[envs]) {
                let message = format!("got shape {}; wanted {}", memory.shape_text(), shape_text(&[envs]));
                return argument("mask", message);
            }
            match memory.truths() {
                Some(truths) => Ok(truths.to_vec()),
                None => argument("mask", memory.unfit()),
            }
        }
        Some(memory) => {
            let (kind, hint) = (element_text(Some(memory), mask), hint(mask, Element::Bool));
            argument("mask", format!("got elements of type {kind}; wanted bool{hint}"))
        }
        None => match mask.extract::<Vec<bool>>() {
            Ok(list) => Ok(list.into_iter().map(u8::from).collect()),
            Err(_) => {
                let (kind, hint) = (type_text(mask), hint(mask, Element::Bool));
                argument("mask", format!("got {kind}; wanted {envs} truth values{hint}"))
            }
        },
    }
}
