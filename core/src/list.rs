//! A list of fixed capacity that is plain data: what states use where a `Vec` would be.
//!
//! ```
//! use playmat_core::list::List;
//!
//! let mut discards = List::<u8, 8>::default();
//! discards.push(3);
//! discards.push(5);
//! assert_eq!((discards.remove(0), &discards[..]), (3, &[5][..]));
//! ```

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Up to `N` (at most 255) values in order. Unused places hold the default value, so that equal lists
/// are equal bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct List<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        List { len: 0, items: [T::default(); N] }
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Appends a value.
    ///
    /// # Panics
    /// If the list is full: capacities are bounds that the rules guarantee.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items[self.len as usize] = item;
        self.len += 1;
    }

    /// Takes the last value.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(std::mem::take(&mut self.items[self.len as usize]))
    }

    /// Takes the value at `index` and closes the gap; order is kept.
    ///
    /// # Panics
    /// If `index` is not below the length.
    pub fn remove(&mut self, index: usize) -> T {
        let item = self[index];
        self.items.copy_within(index + 1..self.len as usize, index);
        self.len -= 1;
        self.items[self.len as usize] = T::default();
        item
    }

    /// Takes the value at `index`. The last value comes in its place.
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> T {
        let item = self[index];
        let last = self.pop().expect("it has a value at `index`");
        if index < self.len() {
            self[index] = last;
        }
        item
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        *self = List::default();
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len as usize]
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().collect::<Vec<_>>().fmt(f)
    }
}

impl<T: Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.len as usize))?;
        for item in self.iter() {
            seq.serialize_element(item)?;
        }
        seq.end()
    }
}

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de> for Items<T, N> {
            type Value = List<T, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {N} values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T, N>, A::Error> {
                let mut list = List::default();
                while let Some(item) = seq.next_element()? {
                    if list.len as usize == N {
                        return Err(A::Error::custom(format!("more than {N} values")));
                    }
                    list.push(item);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_entries_are_cleared() {
        let mut a = List::<u8, 4>::default();
        for x in [3, 4, 5] {
            a.push(x);
        }
        assert_eq!(a.remove(0), 3);
        let mut b = List::<u8, 4>::default();
        b.push(4);
        b.push(5);
        assert_eq!(a, b);
        for (index, taken, left) in [(0, 6, &[8, 7][..]), (1, 7, &[6, 8]), (2, 8, &[6, 7])] {
            let (mut list, mut rest) = (List::<u8, 4>::default(), List::<u8, 4>::default());
            for x in [6, 7, 8] {
                list.push(x);
            }
            left.iter().for_each(|&x| rest.push(x));
            assert_eq!((list.swap_remove(index), list), (taken, rest));
        }
        assert_eq!(postcard::from_bytes::<List<u8, 4>>(&postcard::to_allocvec(&a).unwrap()).unwrap(), a);
        assert!(postcard::from_bytes::<List<u8, 1>>(&postcard::to_allocvec(&a).unwrap()).is_err());
    }
}
