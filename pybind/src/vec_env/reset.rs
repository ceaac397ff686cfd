//! What `VecEnv.reset` takes: seeds, states and masks, one entry per environment.

use crate::arrays::{Element, Memory, Seed, shape_text, type_text};
use crate::env::Env;
use crate::errors::{Result, argument};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

/// One number per environment: seeds.
pub(super) fn seeds(seeds: &Bound<'_, PyAny>, envs: usize) -> Result<Vec<u64>> {
    let list = match Memory::of(seeds) {
        Some(memory) if memory.element == Element::U64 && memory.has_shape(&[envs]) => {
            memory.slice::<u64>().map(<[u64]>::to_vec)
        }
        Some(memory) if !memory.has_shape(&[envs]) => {
            let message = format!("got shape {}; wanted {}", memory.shape_text(), shape_text(&[envs]));
            return argument("seed", message);
        }
        _ => None,
    };
    if let Some(list) = list {
        return Ok(list);
    }
    // Their letters and bytes are no seeds.
    if seeds.is_instance_of::<PyString>() || seeds.is_instance_of::<PyBytes>() {
        return argument("seed", format!("got {}; wanted a number or {envs} numbers", type_text(seeds)));
    }
    let Ok(items) = seeds.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>) else {
        return argument("seed", format!("got {}; wanted a number or {envs} numbers", type_text(seeds)));
    };
    if items.len() != envs {
        return argument("seed", format!("got {} entries; wanted {envs}", items.len()));
    }
    Ok(items.iter().map(|item| item.extract::<Seed>().map(|seed| seed.0)).collect::<PyResult<_>>()?)
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
            return Ok(env.get().to_bytes(py).as_bytes().to_vec());
        }
        match item.extract::<PyBackedBytes>() {
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
    match Memory::of(mask) {
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
        Some(_) => argument("mask", format!("got elements of type {}; wanted bool", type_text(mask))),
        None => match mask.extract::<Vec<bool>>() {
            Ok(list) => Ok(list.into_iter().map(u8::from).collect()),
            Err(_) => argument("mask", format!("got {}; wanted {envs} truth values", type_text(mask))),
        },
    }
}
