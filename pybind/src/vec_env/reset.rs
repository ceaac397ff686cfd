//! What `VecEnv.reset` takes: seeds, states and masks, one entry per environment.

use crate::arrays::{Element, ForeignArray, element_text, hint, shape_text, type_text};
use crate::env::Env;
use crate::errors::{Result, argument};
use crate::scalars::{SEEDS, Seed, bytes};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

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
