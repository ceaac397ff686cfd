//! The keys of nodes, and the table that finds a node by its key.

use crate::agent::Knowledge;
use crate::bits::LegalSet;
use crate::game::Game;
use crate::player::Player;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The key of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// Nodes are equal if it is.
    pub(super) hash: u64,
    /// Where the table looks first: its upper bits. It is known before the hash, so that the processor reads the node, which it compares with
    /// the hash, and goes on with it before it knows the hash.
    pub(super) place: u32,
}

impl Key {
    #[inline(always)]
    pub(super) fn of_short(seed: u64, short: [u64; 2]) -> Key {
        let [first, second] = short;
        let sum = first
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(second.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Key { hash: mix(seed, short), place: (sum >> 32) as u32 }
    }

    #[inline(always)]
    pub(super) fn of_observation(seed: u64, observation: &[u8]) -> Key {
        let hash = xxh3_64_with_seed(observation, seed);
        Key { hash, place: (hash >> 32) as u32 }
    }
}

/// The part of a key that holds the player and its legal actions.
#[inline(always)]
pub(super) fn seed<L: LegalSet>(player: Player, legal: &L) -> u64 {
    // A player changes many bits, so that it cannot be confused with one more or fewer legal action.
    let player = (1 + u64::from(player.0)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let add = |hash: u64, &word: &u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    legal.words().iter().fold(player, add)
}

/// A hash of two words: two rounds of what wyhash does with 16 bytes, a multiplication to 128 bits whose halves are added without carries.
#[inline(always)]
pub(super) fn mix(seed: u64, words: [u64; 2]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let first = fold(words[0] ^ 0xa076_1d64_78bd_642f, words[1] ^ seed);
    fold(first ^ 0xe703_7ed1_a0b4_28db, seed ^ 0x8ebc_6af0_9c88_c6e3)
}

/// The key of what a player knows; `observation` is the memory for its observation.
pub(super) fn key_of<G: Game>(known: &Knowledge<'_, G>, observation: &mut Vec<u8>) -> Key {
    let seed = seed(known.player(), known.legal());
    if let Some(short) = known.short_observation() {
        return Key::of_short(seed, short);
    }
    observation.resize(known.game().info().observation.size(), 0);
    known.write_observation(observation);
    Key::of_observation(seed, observation)
}

/// An empty slot.
const EMPTY: u32 = u32::MAX;
/// Slots of the first table.
const FIRST_SLOTS: usize = 64;
/// A table holds few nodes if it has more slots than this for each.
const FEW: usize = 32;

/// Numbers of nodes by key, in a table with linear probing that is at most half full. Keys are hashes already, and the nodes hold them: a slot
/// is four bytes, and the node that it leads to is read anyway.
///
/// Slow twin: a map of the standard library, in the test below.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// None, or a power of two.
    slots: Vec<u32>,
    /// A place without these lower bits is the number of a slot.
    lower: u32,
}

impl Index {
    /// Forgets all nodes, which have these places; the table stays allocated. A table that was made for a large tree and holds a small one is not
    /// written as a whole.
    pub(super) fn clear(&mut self, places: impl ExactSizeIterator<Item = u32>) {
        if places.len() >= self.slots.len() / FEW {
            return self.slots.fill(EMPTY);
        }
        let mask = self.slots.len().wrapping_sub(1);
        for place in places {
            // The node lies between here and the next empty slot.
            let mut at = (place >> self.lower) as usize & mask;
            while self.slots[at] != EMPTY {
                self.slots[at] = EMPTY;
                at = at.wrapping_add(1) & mask;
            }
        }
    }

    /// The node of a key; `hash_of` tells the hash of a node.
    #[inline(always)]
    pub(super) fn find(&self, key: Key, hash_of: impl Fn(u32) -> u64) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = (key.place >> (self.lower & 31)) as usize & mask;
        loop {
            let node = *self.slots.get(at)?;
            if node == EMPTY {
                return None;
            }
            if hash_of(node) == key.hash {
                return Some(node);
            }
            at = at.wrapping_add(1) & mask;
        }
    }

    /// Adds `node`, whose key has this place and is not in the table yet. The nodes before it are those in the table.
    #[inline(always)]
    pub(super) fn insert(&mut self, place: u32, node: u32, place_of: impl Fn(u32) -> u32) {
        if 2 * node as usize >= self.slots.len() {
            self.grow(node, place_of);
        }
        self.put(place, node);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, nodes: u32, place_of: impl Fn(u32) -> u32) {
        let slots = (2 * self.slots.len()).max(FIRST_SLOTS);
        self.lower = 32 - slots.trailing_zeros();
        self.slots.clear();
        self.slots.resize(slots, EMPTY);
        for node in 0..nodes {
            self.put(place_of(node), node);
        }
    }

    #[inline(always)]
    fn put(&mut self, place: u32, node: u32) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = (place >> (self.lower & 31)) as usize & mask;
        while self.slots[at] != EMPTY {
            at = at.wrapping_add(1) & mask;
        }
        self.slots[at] = node;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;
    use crate::rng::Rng;
    use std::collections::{BTreeMap, BTreeSet};

    /// One observation, other players and other legal actions: also sets that differ in the lowest bits, as players do.
    #[test]
    fn a_player_is_no_legal_action_more_or_less() {
        let mut keys = BTreeSet::new();
        for (player, legal) in (0..4).flat_map(|player| (0..8).map(move |legal| (player, legal))) {
            let seed = seed(Player(player), &Bits([legal]));
            keys.insert(xxh3_64_with_seed(&[0; 9], seed));
            keys.extend([[0, 0], [0, 1], [1, 0], [1, 1]].map(|short| mix(seed, short)));
        }
        assert_eq!(keys.len(), 5 * 32);
    }

    #[test]
    fn it_finds_what_a_map_finds() {
        let (mut index, mut rng) = (Index::default(), Rng::from_seed(1));
        let none = Key { hash: 0, place: 0 };
        assert_eq!(index.find(none, |_| unreachable!("there is no node")), None);
        for draws in [5_000, 5_000, 90, 5_000, 1, 0, 70, 5_000] {
            let (mut keys, mut map): (Vec<Key>, _) = (Vec::new(), BTreeMap::new());
            for _ in 0..draws {
                // Many keys that begin at the same slot, and keys that come again.
                let hash = u64::from(rng.below(40)) << 8 | u64::from(rng.below(200));
                let key = Key { hash, place: (hash as u32 & 0xff) << 24 };
                let found = index.find(key, |node| keys[node as usize].hash);
                assert_eq!(found, map.get(&hash).copied());
                if found.is_none() {
                    let node = keys.len() as u32;
                    index.insert(key.place, node, |node| keys[node as usize].place);
                    keys.push(key);
                    map.insert(hash, node);
                }
            }
            assert!(keys.len() >= draws / 5);
            index.clear(keys.iter().map(|key| key.place));
            assert!(index.slots.iter().all(|&slot| slot == EMPTY));
            assert!(keys.iter().all(|&key| index.find(key, |node| keys[node as usize].hash).is_none()));
        }
    }
}
