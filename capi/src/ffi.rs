//! The FFI boundary (`border` in the code): all reads of the caller's pointers and all writes of outputs are here.
//!
//! The functions that take pointers are `unsafe` because lengths cannot be checked from inside. Every detectable misuse is refused: null,
//! misaligned, too short, overlapping, not UTF-8.

#![expect(unsafe_code, reason = "reads and writes the caller's memory")]

use crate::status::{Fault, PlaymatStatus, Result, keep, refuse};
use playmat_core::error::Error;
use playmat_core::player::Player;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// As the length of a text: it ends with its first zero byte.
pub const PLAYMAT_NTS: usize = usize::MAX;

/// As a player: the one who acts next; after the end the one who acted last.
pub const PLAYMAT_CURRENT_PLAYER: i32 = -1;

/// As a viewer: sees everything.
pub const PLAYMAT_VIEW_ALL: i32 = -2;

/// Bytes of a name in a struct, its terminating zero included.
pub const PLAYMAT_NAME_SIZE: usize = 64;

/// Most axes of a shape in a struct.
pub const PLAYMAT_MAX_AXES: usize = 8;

/// Runs the inside of an exported function: an error or a panic becomes a status.
#[inline(always)]
pub fn border(inside: impl FnOnce() -> Result<()>) -> PlaymatStatus {
    silence();
    match catch_unwind(AssertUnwindSafe(inside)) {
        Ok(Ok(())) => PlaymatStatus::Ok,
        Ok(Err(fault)) => refuse(fault),
        Err(panic) => panicked(panic.as_ref()),
    }
}

#[cold]
fn panicked(panic: &(dyn std::any::Any + Send)) -> PlaymatStatus {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    keep(&format!("a defect of the library, please report it: {said}"));
    PlaymatStatus::Panic
}

/// Keeps panics from being printed: what went wrong is in the status and its message. The hook belongs to the library's own
/// runtime; a Rust host has another. Every function does so, because any call may be a process's first; it costs one comparison.
#[inline(always)]
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}

#[cold]
fn null(argument: &str) -> Fault {
    Fault::Border(PlaymatStatus::NullPointer, format!("argument `{argument}`: null"))
}

#[cold]
fn too_small(argument: &str, given: usize, needed: usize, unit: &str) -> Fault {
    let message = format!("argument `{argument}`: room for {given} {unit}; {needed} are needed");
    Fault::Border(PlaymatStatus::BufferTooSmall, message)
}

/// A text of the caller; null with length 0 is empty.
///
/// # Safety
/// `text` is null or has `len` readable bytes, or ends with a zero byte if `len` is [`PLAYMAT_NTS`]; nobody writes them during the
/// call.
pub unsafe fn text<'a>(argument: &str, text: *const c_char, len: usize) -> Result<&'a str> {
    let bytes = if len == PLAYMAT_NTS && !text.is_null() {
        // SAFETY: not null, and the caller promises a terminating zero.
        unsafe { std::ffi::CStr::from_ptr(text) }.to_bytes()
    } else {
        // SAFETY: the caller promises `len` readable bytes.
        unsafe { slice(argument, text.cast::<u8>(), len)? }
    };
    std::str::from_utf8(bytes).map_err(|error| {
        let message =
            format!("argument `{argument}`: not UTF-8; the first bad byte is at {}", error.valid_up_to());
        Fault::Border(PlaymatStatus::InvalidUtf8, message)
    })
}

/// The same, `None` for null with length 0 or [`PLAYMAT_NTS`]; null with another length is an error.
///
/// # Safety
/// As [`text`].
pub unsafe fn text_or_none<'a>(argument: &str, given: *const c_char, len: usize) -> Result<Option<&'a str>> {
    if given.is_null() && (len == 0 || len == PLAYMAT_NTS) {
        return Ok(None);
    }
    // SAFETY: as promised to this function.
    unsafe { text(argument, given, len) }.map(Some)
}

#[inline(always)]
fn check_place<T>(argument: &str, address: usize, len: usize) -> Result<()> {
    let most = isize::MAX as usize / size_of::<T>();
    if address != 0 && address.is_multiple_of(align_of::<T>()) && len <= most {
        return Ok(());
    }
    Err(bad_place(argument, address, len, align_of::<T>()))
}

#[cold]
fn bad_place(argument: &str, address: usize, len: usize, align: usize) -> Fault {
    if address == 0 {
        null(argument)
    } else if !address.is_multiple_of(align) {
        Fault::argument(argument, format!("not aligned to {align} bytes"))
    } else {
        Fault::argument(argument, format!("a length of {len} is more than memory can hold"))
    }
}

/// Elements of the caller to read; null with length 0 is empty.
///
/// # Safety
/// `start` is null or has `len` readable elements that nobody writes during the call.
#[inline(always)]
pub unsafe fn slice<'a, T: Copy>(argument: &str, start: *const T, len: usize) -> Result<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    check_place::<T>(argument, start.addr(), len)?;
    // SAFETY: not null, aligned, and the caller promises `len` readable elements.
    Ok(unsafe { std::slice::from_raw_parts(start, len) })
}

/// Elements of the caller to write; null with length 0 is empty.
///
/// # Safety
/// `start` is null or has `len` writable elements that nothing else touches during the call.
#[inline(always)]
pub unsafe fn slice_mut<'a, T: Copy>(argument: &str, start: *mut T, len: usize) -> Result<&'a mut [T]> {
    if len == 0 {
        return Ok(&mut []);
    }
    check_place::<T>(argument, start.addr(), len)?;
    // SAFETY: not null, aligned, and the caller promises `len` writable elements.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, len) })
}

/// The first `wanted` elements of a buffer of the caller.
///
/// # Errors
/// `NullPointer`, `BufferTooSmall`, `InvalidArgument` (alignment).
///
/// # Safety
/// As [`slice_mut`].
#[inline(always)]
pub unsafe fn room<'a, T: Copy>(
    argument: &str,
    start: *mut T,
    len: usize,
    wanted: usize,
) -> Result<&'a mut [T]> {
    if start.is_null() && wanted > 0 {
        return Err(null(argument));
    }
    if len < wanted {
        return Err(too_small(argument, len, wanted, "elements"));
    }
    // SAFETY: the caller promises `len` elements, and `wanted` are not more.
    unsafe { slice_mut(argument, start, wanted) }
}

/// [`room`], or nothing if both are null and 0: a buffer that may be left out.
///
/// # Errors
/// As [`room`].
///
/// # Safety
/// As [`slice_mut`].
#[inline(always)]
pub unsafe fn room_or_none<'a, T: Copy>(
    argument: &str,
    start: *mut T,
    len: usize,
    wanted: usize,
) -> Result<&'a mut [T]> {
    if start.is_null() && len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as promised to this function.
    unsafe { room(argument, start, len, wanted) }
}

/// Refuses two buffers that share memory.
///
/// # Errors
/// `InvalidArgument`.
#[inline(always)]
pub fn apart(name: &str, a: (*const u8, usize), other: &str, b: (*const u8, usize)) -> Result<()> {
    let (start_a, start_b) = (a.0.addr(), b.0.addr());
    // Lengths were checked against what memory can hold.
    if a.1 == 0
        || b.1 == 0
        || start_a.saturating_add(a.1) <= start_b
        || start_b.saturating_add(b.1) <= start_a
    {
        return Ok(());
    }
    Err(overlap(name, other))
}

/// Refuses a place of one value inside a buffer, in one comparison; null is in none.
///
/// # Errors
/// `InvalidArgument`.
#[inline(always)]
pub fn outside<T>(name: &str, place: *mut T, other: &str, buffer: (*const u8, usize)) -> Result<()> {
    // From the first place that would reach into the buffer to the last: below that the difference wraps around.
    let reach = size_of::<T>() - 1;
    if place.addr().wrapping_add(reach).wrapping_sub(buffer.0.addr()) < buffer.1 + reach {
        return Err(overlap(name, other));
    }
    Ok(())
}

#[cold]
fn overlap(name: &str, other: &str) -> Fault {
    Fault::argument(name, format!("overlaps `{other}`; buffers must lie apart"))
}

/// Where one value goes.
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// The place of a value, checked before anything happens.
    ///
    /// # Errors
    /// `NullPointer`.
    ///
    /// # Safety
    /// `place` is null or writable until the call returns.
    #[inline(always)]
    pub unsafe fn new(argument: &str, place: *mut T) -> Result<Out<T>> {
        if place.is_null() { Err(null(argument)) } else { Ok(Out(place)) }
    }

    /// The same for a value that a null place skips.
    ///
    /// # Safety
    /// As [`Out::new`].
    #[inline(always)]
    pub unsafe fn or_none(place: *mut T) -> Option<Out<T>> {
        if place.is_null() { None } else { Some(Out(place)) }
    }

    /// Writes the value.
    #[inline(always)]
    pub fn set(self, value: T) {
        // SAFETY: not null, and promised writable to `new`; it may be misaligned.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// A struct that crosses the border with its size and may grow at its end, so that programs and libraries of different versions
/// understand each other.
pub trait Growing: Copy {
    /// Bytes that no version of it is without. Less is a mistake, such as the size of a pointer.
    const LEAST: usize;
}

/// More bytes than any struct of the interface will ever have: a larger size is a mistake.
const MOST_STRUCT: usize = 4096;

/// Whether a struct of some version can have this size: every `sizeof` is a multiple of the alignment, so no field is cut.
fn can_be<T: Growing>(size: usize) -> bool {
    (T::LEAST..=MOST_STRUCT).contains(&size) && size.is_multiple_of(align_of::<T>())
}

/// What a struct's size may be.
#[cold]
fn wrong_size<T: Growing>(argument: &str, size: usize) -> Fault {
    let (least, unit) = (T::LEAST, align_of::<T>());
    let message = format!(
        "got a struct of {size} bytes; allowed: its sizeof, {least} to {MOST_STRUCT} in steps of {unit}"
    );
    Fault::argument(argument, message)
}

/// Writes as much of a struct as the caller knows of; what the caller knows beyond this library is 0.
///
/// # Errors
/// `NullPointer`; `BufferTooSmall` if the caller's is smaller than any version of it; `InvalidArgument` if it is larger than any
/// struct.
///
/// # Safety
/// `place` is null or has `size` writable bytes.
pub unsafe fn put_struct<T: Growing>(argument: &str, place: *mut T, size: usize, value: &T) -> Result<()> {
    if place.is_null() {
        return Err(null(argument));
    }
    if size < T::LEAST {
        return Err(too_small(argument, size, T::LEAST, "bytes"));
    }
    if !can_be::<T>(size) {
        return Err(wrong_size::<T>(argument, size));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: promised `size` writable bytes, of which `known`, and then the rest, are written; the struct has as many to read.
    unsafe {
        std::ptr::copy_nonoverlapping(std::ptr::from_ref(value).cast::<u8>(), place.cast(), known);
        place.cast::<u8>().add(known).write_bytes(0, size - known);
    };
    Ok(())
}

/// Reads a struct of the caller. Fields unknown to the caller read as 0; fields unknown to the library must be 0.
///
/// # Errors
/// `NullPointer`; `InvalidArgument` for a size that the struct cannot have, or if a field unknown to the library is not 0.
///
/// # Safety
/// `place` is null or has `size` readable bytes; `T` holds only numbers and pointers, for which zero is a value.
pub unsafe fn read_struct<T: Growing>(argument: &str, place: *const T, size: usize) -> Result<T> {
    if place.is_null() {
        return Err(null(argument));
    }
    if !can_be::<T>(size) {
        return Err(wrong_size::<T>(argument, size));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: promised `size` readable bytes.
    let beyond = unsafe { std::slice::from_raw_parts(place.cast::<u8>().add(known), size - known) };
    if let Some(at) = beyond.iter().position(|&byte| byte != 0) {
        let message = format!(
            "byte {} of {size} is not 0; this library knows the first {known} and refuses what it cannot honour",
            known + at
        );
        return Err(Fault::argument(argument, message));
    }
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: `known` is at most `size`, which the caller promises to be readable, and at most `size_of::<T>()`.
    unsafe { std::ptr::copy_nonoverlapping(place.cast::<u8>(), value.as_mut_ptr().cast(), known) };
    // SAFETY: all bytes are set, and zero is a value of all its fields.
    Ok(unsafe { value.assume_init() })
}

/// Writes bytes, and how many there are.
///
/// # Errors
/// `BufferTooSmall`, with `needed` set; `NullPointer`.
///
/// # Safety
/// `out` is null or has `size` writable bytes; `needed` is null or writable.
pub unsafe fn put_bytes(bytes: &[u8], out: *mut u8, size: usize, needed: *mut usize) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { put(bytes, &[], out, size, needed) }
}

/// Writes a text and a terminating zero, and how many bytes both have.
///
/// # Errors
/// `BufferTooSmall`, with `needed` set; `NullPointer`.
///
/// # Safety
/// `out` is null or has `size` writable bytes; `needed` is null or writable.
pub unsafe fn put_text(text: &str, out: *mut c_char, size: usize, needed: *mut usize) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { put(text.as_bytes(), &[0], out.cast(), size, needed) }
}

/// # Safety
/// As [`put_bytes`].
unsafe fn put(bytes: &[u8], end: &[u8], out: *mut u8, size: usize, needed: *mut usize) -> Result<()> {
    let wanted = bytes.len() + end.len();
    if out.is_null() && size > 0 {
        return Err(null("out"));
    }
    if !needed.is_null() {
        apart("needed", (needed.cast_const().cast(), size_of::<usize>()), "out", (out, size))?;
        // SAFETY: not null, so promised writable.
        unsafe { needed.write_unaligned(wanted) };
    }
    if size < wanted {
        return Err(too_small("out", size, wanted, "bytes"));
    }
    // SAFETY: `size` writable bytes are promised, and these are not more; without any there is nothing to write.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
        std::ptr::copy_nonoverlapping(end.as_ptr(), out.wrapping_add(bytes.len()), end.len());
    }
    Ok(())
}

/// Writes the entries of a list, and how many there are.
///
/// # Errors
/// `BufferTooSmall`, with `count` set; `NullPointer`, `InvalidArgument` (alignment).
///
/// # Safety
/// `out` is null or has `len` writable elements; `count` is null or writable.
pub unsafe fn put_list<T: Copy>(
    items: impl ExactSizeIterator<Item = T>,
    out: *mut T,
    len: usize,
    count: *mut usize,
) -> Result<()> {
    let bytes = len.saturating_mul(size_of::<T>());
    apart("count", (count.cast_const().cast(), size_of::<usize>()), "out", (out.cast_const().cast(), bytes))?;
    // SAFETY: as promised to this function.
    let (count, all) = unsafe { (Out::new("count", count)?, slice_mut("out", out, len)?) };
    let wanted = items.len();
    count.set(wanted);
    if len < wanted {
        return Err(too_small("out", len, wanted, "elements"));
    }
    for (to, item) in all.iter_mut().zip(items) {
        *to = item;
    }
    Ok(())
}

/// A player by number.
///
/// # Errors
/// `InvalidPlayer`.
#[inline(always)]
pub fn check_player(player: i32, players: usize) -> Result<Player> {
    if (0..players as i32).contains(&player) {
        return Ok(Player(player as u8));
    }
    Err(no_player(player, players))
}

#[cold]
fn no_player(player: i32, players: usize) -> Fault {
    Error::InvalidPlayer { player: player.into(), players }.into()
}

/// A viewer by number, or `None` for [`PLAYMAT_VIEW_ALL`].
///
/// # Errors
/// `InvalidPlayer`.
pub fn viewer(viewer: i32, players: usize) -> Result<Option<Player>> {
    if viewer == PLAYMAT_VIEW_ALL { Ok(None) } else { check_player(viewer, players).map(Some) }
}

/// A name for a struct: cut, at a character, to what fits with a terminating zero.
pub fn name(text: &str) -> [c_char; PLAYMAT_NAME_SIZE] {
    let mut end = text.len().min(PLAYMAT_NAME_SIZE - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut name = [0; PLAYMAT_NAME_SIZE];
    for (to, &byte) in name.iter_mut().zip(&text.as_bytes()[..end]) {
        *to = byte as c_char;
    }
    name
}

/// A shape for a struct and its number of axes; shapes have at most [`PLAYMAT_MAX_AXES`].
pub fn shape(given: &[usize]) -> ([usize; PLAYMAT_MAX_AXES], usize) {
    let mut shape = [0; PLAYMAT_MAX_AXES];
    for (to, &from) in shape.iter_mut().zip(given) {
        *to = from;
    }
    (shape, given.len().min(PLAYMAT_MAX_AXES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let status = border(|| panic!("{} is wrong", 7));
        assert_eq!(status, PlaymatStatus::Panic);
        // SAFETY: the message of this thread, which no other call replaces.
        let said = unsafe { std::ffi::CStr::from_ptr(crate::status::message()) };
        assert_eq!(said.to_str().unwrap(), "a defect of the library, please report it: 7 is wrong");
    }

    #[test]
    fn a_value_inside_a_buffer_is_found() {
        let memory = [0u8; 64];
        let buffer = (memory[16..].as_ptr(), 8);
        for at in 0..64 - size_of::<i32>() {
            let place = memory[at..].as_ptr().cast::<i32>().cast_mut();
            let inside = at + size_of::<i32>() > 16 && at < 24;
            assert_eq!(outside("next", place, "mask", buffer).is_err(), inside, "{at}");
            assert!(outside("next", place, "mask", (std::ptr::null(), 0)).is_ok(), "{at}");
        }
        assert!(outside("next", std::ptr::null_mut::<i32>(), "mask", buffer).is_ok());
        assert!(outside("next", std::ptr::null_mut::<i32>(), "mask", (std::ptr::null(), 0)).is_ok());
    }

    #[test]
    fn names_are_cut_at_a_character() {
        let long = "é".repeat(40);
        let cut = name(&long);
        assert_eq!(cut.iter().filter(|&&byte| byte != 0).count(), 62);
    }
}
