//! Handles: numbers in the type of pointers, so that every misuse of a handle can be detected.
//!
//! A handle is never dereferenced. From the lowest bit it holds 4 bits of kind, 20 bits of the place in a table, and a counter of the uses of
//! that place. A place keeps the handle of its object. Any other number does not match and is refused, such as that of a
//! destroyed object. A place whose uses are exhausted (2^40 on 64-bit machines, 255 on 32-bit ones) is never used again, so that a
//! destroyed handle never becomes valid again.
//!
//! Objects that belong to one thread at a time (environments, searches) are taken with one compare-and-swap for the duration of a
//! call: a second thread is refused instead of racing. Objects that all threads share (games, agents, cancel flags) are handed out as `Arc`.
//!
//! The first places lie in the library itself. So unloading it leaves nothing of the table behind, unless more handles were alive at
//! once.

#![expect(unsafe_code, reason = "objects in a table without a lock around it")]

use crate::agent::PlaymatAgent;
use crate::cancel::{Flag, PlaymatCancel};
use crate::env::PlaymatEnv;
use crate::game::PlaymatGame;
use crate::search::PlaymatSearch;
use crate::status::{Fault, PlaymatStatus, Result};
use crate::vec_env::PlaymatVecEnv;
use playmat_core::agent::AnyAgent;
use playmat_core::any::{AnyEnv, AnyGame, AnyLeafSearch, AnyVecEnv};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
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

/// A batch of environments and its game.
pub struct VecEnvObject {
    /// The environment.
    pub venv: Box<dyn AnyVecEnv>,
    /// Its game.
    pub game: Arc<dyn AnyGame>,
}

/// Tree searches.
pub struct SearchObject {
    /// The searches.
    pub search: Box<dyn AnyLeafSearch>,
}

/// What a place of the table holds.
enum Object {
    Game(Arc<dyn AnyGame>),
    Env(EnvObject),
    VecEnv(VecEnvObject),
    Agent(AnyAgent),
    Cancel(Flag),
    Search(SearchObject),
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
    7 VecEnv(VecEnvObject), PlaymatVecEnv, "batch of environments";
    9 Agent(AnyAgent), PlaymatAgent, "agent";
    10 Cancel(Flag), PlaymatCancel, "cancel flag";
    11 Search(SearchObject), PlaymatSearch, "search";
}

/// One place of the table. Empty ones are all zero, so that the first chunk takes no room in the file of the library.
struct Slot {
    /// The handle of what lives here; 0 if nothing does.
    handle: AtomicUsize,
    /// Whether a call works with it.
    busy: AtomicBool,
    /// Of a free place, the next free one plus 1, or 0; only read by a thread that has locked [`FREE`].
    next: AtomicUsize,
    /// How often the place was used; likewise.
    uses: AtomicUsize,
    /// There is one whenever `handle` is not 0, for a thread that has set `busy`.
    object: UnsafeCell<MaybeUninit<Wrapped>>,
}

impl Slot {
    const fn empty() -> Slot {
        Slot {
            handle: AtomicUsize::new(0),
            busy: AtomicBool::new(false),
            next: AtomicUsize::new(0),
            uses: AtomicUsize::new(0),
            object: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// Its object.
    ///
    /// # Safety
    /// The caller has set `busy` and seen a handle here since, and lets go of the object before it gives `busy` back.
    #[inline(always)]
    unsafe fn object(&self) -> &'static mut Wrapped {
        // SAFETY: there is an object where there is a handle, and no other thread uses it.
        unsafe { (*self.object.get()).assume_init_mut() }
    }
}

// SAFETY: `object` is used only by the thread that has set `busy`, and everything that may be in it can be sent to another thread.
unsafe impl Sync for Slot where Wrapped: Send {}

static FIRST: [Slot; CHUNK] = [const { Slot::empty() }; CHUNK];

/// All chunks but the first.
static MORE: [OnceLock<Box<[Slot]>>; CHUNKS - 1] = [const { OnceLock::new() }; CHUNKS - 1];

/// The places that no object lives at.
struct Free {
    /// One of them plus 1, which leads to the next; 0: none.
    head: usize,
    /// How many places were ever opened: those from here on are free too.
    opened: usize,
}

static FREE: Mutex<Free> = Mutex::new(Free { head: 0, opened: 0 });

#[inline(always)]
fn slot(place: usize) -> Option<&'static Slot> {
    match (place / CHUNK).checked_sub(1) {
        None => Some(&FIRST[place]),
        Some(chunk) => MORE[chunk].get().map(|chunk| &chunk[place % CHUNK]),
    }
}

/// The place, whose chunk is made if it is the first one in it.
fn open(place: usize) -> &'static Slot {
    match (place / CHUNK).checked_sub(1) {
        None => &FIRST[place],
        Some(chunk) => {
            let chunk = MORE[chunk].get_or_init(|| (0..CHUNK).map(|_| Slot::empty()).collect());
            &chunk[place % CHUNK]
        }
    }
}

/// A free place and how often it was used.
fn find_place() -> Result<(usize, &'static Slot, usize)> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = match free.head.checked_sub(1) {
        Some(place) => {
            free.head = open(place).next.load(Ordering::Relaxed);
            place
        }
        None if free.opened < CHUNK * CHUNKS => {
            free.opened += 1;
            free.opened - 1
        }
        None => {
            let message = format!("{} handles are alive; destroy some", CHUNK * CHUNKS);
            return Err(Fault::Border(PlaymatStatus::TooManyHandles, message));
        }
    };
    let slot = open(place);
    Ok((place, slot, slot.uses.load(Ordering::Relaxed)))
}

/// Puts an object into the table and returns its handle.
///
/// # Errors
/// `TooManyHandles`.
pub fn create<K: Kind>(object: K) -> Result<*mut K::Handle> {
    let (place, slot, uses) = find_place()?;
    // No other thread uses a place after it left the list of free ones and before it gets a handle, except calls with stale
    // handles, which are refused at once.
    while slot.busy.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    // SAFETY: `busy` was just taken, and a free place has no object that would be lost.
    unsafe { (*slot.object.get()).write(object.wrap()) };
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
    // Refuse a stale handle before taking `busy`, so that it disturbs no other call.
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
            // SAFETY: `enter` has taken `busy`, which is given back when `Taken` is dropped, after the last use.
            let Some(object) = K::find(unsafe { slot.object() }) else {
                slot.busy.store(false, Ordering::Release);
                return Err(refusal(argument, K::NAME, handle.addr(), PlaymatStatus::InvalidHandle));
            };
            Ok(Taken { slot, object })
        }
        Err(status) => Err(refusal(argument, K::NAME, handle.addr(), status)),
    }
}

/// A copy of what all threads share (a game, an agent, a cancel flag), which stays alive while the call uses it, independent of other threads.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`.
pub fn share<K: Kind + Clone + 'static>(argument: &'static str, handle: *const K::Handle) -> Result<K> {
    loop {
        match enter(handle.addr(), K::TAG) {
            // Another thread is at its `Arc`, for no longer than it takes to copy it.
            Err(PlaymatStatus::HandleInUse) => std::hint::spin_loop(),
            Err(status) => return Err(refusal(argument, K::NAME, handle.addr(), status)),
            Ok(slot) => {
                // SAFETY: `enter` has taken `busy`, which is given back below, after the copy.
                let found = K::find(unsafe { slot.object() }).cloned();
                slot.busy.store(false, Ordering::Release);
                return found
                    .ok_or_else(|| refusal(argument, K::NAME, handle.addr(), PlaymatStatus::InvalidHandle));
            }
        }
    }
}

/// The game of a handle.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`.
pub fn game(argument: &'static str, handle: *const PlaymatGame) -> Result<Arc<dyn AnyGame>> {
    share(argument, handle)
}

/// [`destroy`] of what all threads share.
///
/// # Errors
/// `InvalidHandle`, `WrongHandle`.
pub fn destroy_shared<K: Kind + Clone + 'static>(
    argument: &'static str,
    handle: *const K::Handle,
) -> Result<()> {
    loop {
        match destroy::<K>(argument, handle) {
            // Another thread is copying its reference, which takes some nanoseconds.
            Err(Fault::Border(PlaymatStatus::HandleInUse, _)) => std::hint::spin_loop(),
            done => return done,
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
    // SAFETY: `enter` has taken `busy` and seen the handle, so there is an object; without the handle no call finds it again.
    let object = unsafe { (*slot.object.get()).assume_init_read() };
    slot.handle.store(0, Ordering::Relaxed);
    slot.busy.store(false, Ordering::Release);
    let place = number >> KIND_BITS & ((1 << PLACE_BITS) - 1);
    let uses = (number >> (KIND_BITS + PLACE_BITS)) + 1;
    if uses <= MAX_USES {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        slot.uses.store(uses, Ordering::Relaxed);
        slot.next.store(free.head, Ordering::Relaxed);
        free.head = place + 1;
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

    /// An object that is cheap to make and to tell apart.
    fn flag(up: bool) -> Flag {
        Arc::new(AtomicBool::new(up))
    }

    #[test]
    fn a_destroyed_handle_never_lives_again() {
        let first = create(flag(false)).unwrap();
        destroy::<Flag>("cancel", first).unwrap();
        for _ in 0..1000 {
            let next = create(flag(true)).unwrap();
            assert_ne!(first, next);
            assert_eq!(take::<Flag>("cancel", first).err().map(status), Some(PlaymatStatus::InvalidHandle));
            assert!(take::<Flag>("cancel", next).unwrap().load(Ordering::Relaxed));
            destroy::<Flag>("cancel", next).unwrap();
        }
        assert_eq!(destroy::<Flag>("cancel", first).err().map(status), Some(PlaymatStatus::InvalidHandle));
    }

    #[test]
    fn many_handles_are_alive_at_once() {
        let all: Vec<_> = (0..3 * CHUNK).map(|_| create(flag(true)).unwrap()).collect();
        let mut sorted: Vec<usize> = all.iter().map(|handle| handle.addr()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), all.len());
        for &object in all.iter().rev() {
            assert!(take::<Flag>("cancel", object).unwrap().load(Ordering::Relaxed));
            destroy::<Flag>("cancel", object).unwrap();
            assert_eq!(take::<Flag>("cancel", object).err().map(status), Some(PlaymatStatus::InvalidHandle));
        }
        // Their places are used again, under other handles.
        let next = create(flag(false)).unwrap();
        assert!(sorted.binary_search(&next.addr()).is_err());
        destroy::<Flag>("cancel", next).unwrap();
    }

    #[test]
    fn an_object_is_in_one_call_at_a_time() {
        let object = create(flag(false)).unwrap();
        let taken = take::<Flag>("cancel", object).unwrap();
        assert_eq!(take::<Flag>("cancel", object).err().map(status), Some(PlaymatStatus::HandleInUse));
        assert_eq!(destroy::<Flag>("cancel", object).err().map(status), Some(PlaymatStatus::HandleInUse));
        drop(taken);
        destroy::<Flag>("cancel", object).unwrap();
    }

    #[test]
    fn numbers_that_are_no_handles_are_refused() {
        for number in [0usize, 1, 10, 0xdead_beef, usize::MAX, usize::MAX - 5, 10 + (1 << 23)] {
            let handle = std::ptr::without_provenance(number);
            let found = take::<Flag>("cancel", handle).err().map(status);
            assert_eq!(found, Some(PlaymatStatus::InvalidHandle), "{number:x}");
        }
        let object = create(flag(false)).unwrap();
        match take::<EnvObject>("env", object.cast()).err() {
            Some(Fault::Border(PlaymatStatus::WrongHandle, said)) => {
                assert_eq!(said, "argument `env`: got the handle of a cancel flag; wanted an environment");
            }
            other => panic!("{other:?}"),
        }
        destroy::<Flag>("cancel", object).unwrap();
    }
}
