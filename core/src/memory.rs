//! Checks that a batch fits into memory before anything is filled, because running out of memory ends the process.

mod free;

use crate::error::{Error, Result};

/// Below this number of bytes the operating system is not queried.
const SMALL: usize = 1 << 28;

/// Refuses an argument (`num_envs`, `steps`, the `width` of a picture) whose value needs more bytes than there are.
pub(crate) fn check(argument: &'static str, value: usize, bytes: Option<usize>) -> Result<()> {
    let refusal = |need: &str| Error::argument(argument, format!("got {value}; that needs {need}"));
    let Some(bytes) = bytes else { return Err(refusal("more memory than can be addressed")) };
    if bytes > SMALL
        && let Some(free) = free::available()
        && free < bytes
    {
        return Err(refusal(&format!("{} MiB of memory, and {} MiB are free", bytes >> 20, free >> 20)));
    }
    // All at once: systems that overcommit refuse at least what they can never provide.
    let mut all: Vec<u8> = Vec::new();
    all.try_reserve_exact(bytes)
        .map_err(|_| refusal(&format!("{} MiB of memory, which the system refuses", bytes >> 20)))
}

/// A list with room for exactly `len` items. An argument whose value needs more of them than fit into memory is refused.
pub(crate) fn reserved<T>(argument: &'static str, value: usize, len: Option<usize>) -> Result<Vec<T>> {
    check(argument, value, len.and_then(|len| len.checked_mul(size_of::<T>())))?;
    let mut list = Vec::new();
    // Between the check and this another thread may have taken the memory.
    list.try_reserve_exact(len.unwrap_or(usize::MAX)).map_err(|_| {
        Error::argument(argument, format!("got {value}; that needs more memory than the system gives"))
    })?;
    Ok(list)
}

/// `len` copies of a value, for a batch of `envs` environments.
pub(crate) fn filled<T: Clone>(envs: usize, value: T, len: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    if list.try_reserve_exact(len).is_err() {
        let message = format!("got {envs}; that needs more memory than the system gives");
        return Err(Error::argument("num_envs", message));
    }
    list.resize(len, value);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_allocations_are_refused_before_they_are_tried() {
        for bytes in [None, Some(usize::MAX), Some(isize::MAX as usize)] {
            let said = check("steps", 7, bytes).unwrap_err().to_string();
            assert!(said.starts_with("argument `steps`: got 7; that needs "), "{said}");
        }
        assert!(filled(7, [0u8; 4096], usize::MAX / 8192).is_err());
        assert_eq!(filled(3, 5u8, 3).unwrap(), [5, 5, 5]);
        for len in [None, Some(usize::MAX), Some(usize::MAX / 4096)] {
            let said = reserved::<[u8; 4096]>("times", 7, len).unwrap_err().to_string();
            assert!(said.starts_with("argument `times`: got 7; that needs "), "{said}");
        }
        assert_eq!(reserved::<u64>("times", 1, Some(1000)).unwrap().capacity(), 1000);
        check("steps", 1, Some(1 << 20)).unwrap();
    }
}
