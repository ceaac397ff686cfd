//! Handles: numbers in the disguise of pointers, so that every misuse of one can be told.
//!
//! A handle is never read through. It holds, from the lowest bit: 4 bits of kind, 20 bits of place in a table, and in all bits
//! above how often the place was used. A place keeps the handle of the object that lives there; any other number, the one of an object
//! that was destroyed included, finds something else there and is refused. A place whose uses are exhausted (2^40 on 64-bit
//! machines, 255 on 32-bit ones) is given up, so that a freed handle never comes to life again.
//!
//! Objects that belong to one thread at a time (environments, bots) are taken with one compare-and-swap for the duration of a
//! call: a second thread is refused instead of racing. Objects that all threads share (games) are handed out as `Arc`.

#![expect(unsafe_code, reason = "objects in a table without a lock around it")]

use crate::bot::PlaymatBot;
use crate::env::PlaymatEnv;
use crate::game::PlaymatGame;
use crate::status::{Fault, PlaymatStatus, Result};
use crate::vec_env::PlaymatVecEnv;
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::survey::Player;
use playmat_core::vec::AnyVecEnv;
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 20;
const CHUNK: usize = 1 << 10;
const CHUNKS: usize = (1 << PLACE_BITS) / CHUNK;
const MAX_USES: usize = usize::MAX >> (KIND_BITS + PLACE_BITS);

/// An environment and what its calls need at hand.
pub struct EnvObject {
    /// The environment.
    pub env: Box<dyn AnyEnv>,
    /// Its game, as it was given.
    pub game: Arc<dyn AnyGame>,
    /// Number of players.
    pub players: usize,
    /// Number of actions.
    pub actions: usize,
    /// Bytes of an observation.
    pub observation: usize,
    /// One observation as bytes, on its way to floats.
    pub scratch: Vec<u8>,
}

/// A vectorized environment and its game.
pub struct VecEnvObject {
    /// The environment.
    pub venv: Box<dyn AnyVecEnv>,
    /// Its game.
    pub game: Arc<dyn AnyGame>,
}

/// What a place of the table holds.
enum Object {
    Game(Arc<dyn AnyGame>),
    Env(EnvObject),
    VecEnv(VecEnvObject),
    Bot(Player),
}

/// A kind of object: its handle type, its number, and the way to it.
pub trait Kind: Sized {
    /// The opaque type that the header declares.
    type Handle;
    /// Its bits in a handle, not 0.
    const TAG: usize;
    /// What messages call it.
    const NAME: &'static str;
    #[doc(hidden)]
    fn wrap(self) -> Wrapped;
    #[doc(hidden)]
    fn find(object: &mut Wrapped) -> Option<&mut Self>;
}

/// An object of any kind; only this module looks inside.
pub struct Wrapped(Object);

macro_rules! kinds {
    ($($tag:literal $variant:ident($object:ty), $handle:ty, $name:literal;)+) => {
        $(impl Kind for $object {
            type Handle = $handle;
            const TAG: usize = $tag;
            const NAME: &'static str = $name;
            fn wrap(self) -> Wrapped {
                Wrapped(Object::$variant(self))
            }
            #[inline(always)]
            fn find(object: &mut Wrapped) -> Option<&mut Self> {
                match &mut object.0 {
                    Object::$variant(found) => Some(found),
                    _ => None,
                }
            }
        })+

        fn name_of(tag: usize) -> Option<&'static str> {
            match tag {
                $($tag => Some($name),)+
                _ => None,
            }
        }
    };
}

kinds! {
    5 Game(Arc<dyn AnyGame>), PlaymatGame, "game";
    6 Env(EnvObject), PlaymatEnv, "environment";
    7 VecEnv(VecEnvObject), PlaymatVecEnv, "vectorized environment";
    9 Bot(Player), PlaymatBot, "bot";
}

/// One place of the table.
struct Slot {
    /// The handle of what lives here; 0 if nothing does.
    handle: AtomicUsize,
    /// Whether a call works with it.
    busy: AtomicBool,
    object: UnsafeCell<Option<Wrapped>>,
}

// SAFETY: `object` is touched only by who has set `busy`, and everything that may be in it can be sent to another thread.
unsafe impl Sync for Slot where Wrapped: Send {}

static TABLE: [OnceLock<Box<[Slot; CHUNK]>>; CHUNKS] = [const { OnceLock::new() }; CHUNKS];

/// Places that are free, with the number of their next use, and how many were ever opened.
static FREE: Mutex<(Vec<(usize, usize)>, usize)> = Mutex::new((Vec::new(), 0));

#[inline(always)]
fn slot(place: usize) -> Option<&'static Slot> {
    TABLE[place / CHUNK].get().map(|chunk| &chunk[place % CHUNK])
}

/// Puts an object into the table and returns its handle.
///
/// # Errors
/// `TooManyHandles`.
pub fn create<K: Kind>(object: K) -> Result<*mut K::Handle> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let (place, uses) = match free.0.pop() {
        Some(found) => found,
        None if free.1 < CHUNK * CHUNKS => {
            free.1 += 1;
            (free.1 - 1, 0)
        }
        None => {
            let message = format!("{} handles are alive; destroy some", CHUNK * CHUNKS);
            return Err(Fault::Border(PlaymatStatus::TooManyHandles, message));
        }
    };
    drop(free);
    let chunk = TABLE[place / CHUNK].get_or_init(|| {
        let empty = || Slot {
            handle: AtomicUsize::new(0),
            busy: AtomicBool::new(false),
            object: UnsafeCell::new(None),
        };
        let chunk: Box<[Slot]> = (0..CHUNK).map(|_| empty()).collect();
        chunk.try_into().unwrap_or_else(|_| unreachable!("a chunk has as many places as were made"))
    });
    let slot = &chunk[place % CHUNK];
    // Nobody else touches a place between leaving the list of free ones and getting a handle, except for calls with old
    // handles, which look and go.
    while slot.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    // SAFETY: `busy` was just taken.
    unsafe { *slot.object.get() = Some(object.wrap()) };
    let handle = (uses << PLACE_BITS | place) << KIND_BITS | K::TAG;
    slot.handle.store(handle, Ordering::Relaxed);
    slot.busy.store(false, Ordering::Release);
    Ok(std::ptr::without_provenance_mut(handle))
}

/// An object that a call works with; given back when dropped.
pub struct Taken<K: 'static> {
    slot: &'static Slot,
    object: &'static mut K,
}

impl<K> Deref for Taken<K> {
    type Target = K;
    #[inline(always)]
    fn deref(&self) -> &K {
        self.object
    }
}

impl<K> DerefMut for Taken<K> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut K {
        self.object
    }
}

impl<K> Drop for Taken<K> {
    #[inline(always)]
    fn drop(&mut self) {
        self.slot.busy.store(false, Ordering::Release);
    }
}

/// Takes `busy` of the place that a handle names, if the handle is the one that lives there.
#[inline(always)]
fn enter(handle: usize, tag: usize) -> Result<&'static Slot, PlaymatStatus> {
    if handle & ((1 << KIND_BITS) - 1) != tag {
        return Err(PlaymatStatus::WrongHandle);
    }
    let place = handle >> KIND_BITS & ((1 << PLACE_BITS) - 1);
    let slot = slot(place).ok_or(PlaymatStatus::InvalidHandle)?;
    // A handle of the past is told before anything is taken, so that it disturbs nobody.
    if slot.handle.load(Ordering::Relaxed) != handle {
        return Err(PlaymatStatus::InvalidHandle);
    }
    if slot.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        return Err(PlaymatStatus::HandleInUse);
    }
    if slot.handle.load(Ordering::Relaxed) != handle {
        slot.busy.store(false, Ordering::Release);
        return Err(PlaymatStatus::InvalidHandle);
    }
    Ok(slot)
}

/// The object of a handle, for one call.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`, `HandleInUse`.
#[inline(always)]
pub fn take<K: Kind + 'static>(argument: &'static str, handle: *const K::Handle) -> Result<Taken<K>> {
    match enter(handle.addr(), K::TAG) {
        Ok(slot) => {
            // SAFETY: `busy` was taken by `enter` and is given back when `Taken` is dropped, after the last use.
            let object = unsafe { &mut *slot.object.get() };
            let Some(object) = object.as_mut().and_then(K::find) else {
                slot.busy.store(false, Ordering::Release);
                return Err(refusal(argument, K::NAME, handle.addr(), PlaymatStatus::InvalidHandle));
            };
            Ok(Taken { slot, object })
        }
        Err(status) => Err(refusal(argument, K::NAME, handle.addr(), status)),
    }
}

/// The game of a handle, which stays alive while the call uses it, whatever other threads do.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`.
pub fn game(argument: &'static str, handle: *const PlaymatGame) -> Result<Arc<dyn AnyGame>> {
    loop {
        match enter(handle.addr(), <Arc<dyn AnyGame>>::TAG) {
            // Another thread is at its `Arc`, for no longer than it takes to copy it.
            Err(PlaymatStatus::HandleInUse) => std::hint::spin_loop(),
            Err(status) => return Err(refusal(argument, "game", handle.addr(), status)),
            Ok(slot) => {
                // SAFETY: `busy` was taken by `enter` and is given back below.
                let object = unsafe { &mut *slot.object.get() };
                let found = object.as_mut().and_then(<Arc<dyn AnyGame>>::find).cloned();
                slot.busy.store(false, Ordering::Release);
                return found
                    .ok_or_else(|| refusal(argument, "game", handle.addr(), PlaymatStatus::InvalidHandle));
            }
        }
    }
}

/// Takes an object out of the table: its handle is refused from now on. Null is nothing to destroy.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`, `HandleInUse`; the object lives on.
pub fn destroy<K: Kind + 'static>(argument: &'static str, handle: *const K::Handle) -> Result<()> {
    let number = handle.addr();
    if number == 0 {
        return Ok(());
    }
    let slot = enter(number, K::TAG).map_err(|status| refusal(argument, K::NAME, number, status))?;
    // SAFETY: `busy` was taken by `enter` and is given back below.
    let object = unsafe { (*slot.object.get()).take() };
    slot.handle.store(0, Ordering::Relaxed);
    slot.busy.store(false, Ordering::Release);
    let place = number >> KIND_BITS & ((1 << PLACE_BITS) - 1);
    let uses = (number >> (KIND_BITS + PLACE_BITS)) + 1;
    if uses <= MAX_USES {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).0.push((place, uses));
    }
    drop(object);
    Ok(())
}

/// "a game", "an environment".
fn with_article(kind: &str) -> String {
    format!("{} {kind}", if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

#[cold]
fn refusal(argument: &'static str, wanted: &'static str, handle: usize, status: PlaymatStatus) -> Fault {
    if handle == 0 {
        let message = format!("argument `{argument}`: null; wanted {}", with_article(wanted));
        return Fault::Border(PlaymatStatus::InvalidHandle, message);
    }
    let found = name_of(handle & ((1 << KIND_BITS) - 1));
    let (status, message) = match (status, found) {
        (PlaymatStatus::WrongHandle, Some(found)) => {
            (status, format!("got the handle of {}; wanted {}", with_article(found), with_article(wanted)))
        }
        (PlaymatStatus::HandleInUse, _) => {
            (status, format!("another thread is in a call with this {wanted}; one at a time"))
        }
        _ => (PlaymatStatus::InvalidHandle, format!("no living {wanted}: destroyed, or never created")),
    };
    Fault::Border(status, format!("argument `{argument}`: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(fault: Fault) -> PlaymatStatus {
        match fault {
            Fault::Border(status, _) => status,
            Fault::Engine(error) => PlaymatStatus::of(&error),
        }
    }

    #[test]
    fn a_destroyed_handle_never_lives_again() {
        let first = create(Player::Random).unwrap();
        destroy::<Player>("bot", first).unwrap();
        for _ in 0..1000 {
            let next = create(Player::Greedy).unwrap();
            assert_ne!(first, next);
            assert_eq!(take::<Player>("bot", first).err().map(status), Some(PlaymatStatus::InvalidHandle));
            assert_eq!(*take::<Player>("bot", next).unwrap(), Player::Greedy);
            destroy::<Player>("bot", next).unwrap();
        }
        assert_eq!(destroy::<Player>("bot", first).err().map(status), Some(PlaymatStatus::InvalidHandle));
    }

    #[test]
    fn an_object_is_in_one_call_at_a_time() {
        let bot = create(Player::Random).unwrap();
        let taken = take::<Player>("bot", bot).unwrap();
        assert_eq!(take::<Player>("bot", bot).err().map(status), Some(PlaymatStatus::HandleInUse));
        assert_eq!(destroy::<Player>("bot", bot).err().map(status), Some(PlaymatStatus::HandleInUse));
        drop(taken);
        destroy::<Player>("bot", bot).unwrap();
    }

    #[test]
    fn numbers_that_are_no_handles_are_refused() {
        for number in [0usize, 1, 9, 0xdead_beef, usize::MAX, usize::MAX - 6, 9 + (1 << 23)] {
            let handle = std::ptr::without_provenance(number);
            let found = take::<Player>("bot", handle).err().map(status);
            assert_eq!(found, Some(PlaymatStatus::InvalidHandle), "{number:x}");
        }
        let bot = create(Player::Random).unwrap();
        match take::<EnvObject>("env", bot.cast()).err() {
            Some(Fault::Border(PlaymatStatus::WrongHandle, said)) => {
                assert_eq!(said, "argument `env`: got the handle of a bot; wanted an environment");
            }
            other => panic!("{other:?}"),
        }
        destroy::<Player>("bot", bot).unwrap();
    }
}
