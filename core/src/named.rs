//! Small enums of games whose values have names.

/// Declares an enum and, from one list, its values, their names, their number and the methods `index` and `name`.
///
/// ```
/// playmat_core::named! {
///     /// What islands want.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Resource {
///         /// A drink.
///         Rum = "rum",
///         /// A stone.
///         Gems = "gems",
///     }
/// }
///
/// assert_eq!(Resource::ALL, [Resource::Rum, Resource::Gems]);
/// assert_eq!((Resource::NAMES, Resource::NUM), (["rum", "gems"], 2));
/// assert_eq!(Resource::WORDS, [("rum", Resource::Rum), ("gems", Resource::Gems)]);
/// assert_eq!((Resource::Gems.index(), Resource::Gems.name()), (1, "gems"));
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$attr:meta])* $vis:vis enum $kind:ident { $($(#[$note:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$attr])*
        $vis enum $kind {
            $($(#[$note])* $value,)+
        }

        impl $kind {
            /// All values, in order.
            pub const ALL: [$kind; $kind::NUM] = [$($kind::$value),+];
            /// Their names, in the same order: in texts, JSON, content and options.
            pub const NAMES: [&'static str; $kind::NUM] = [$($name),+];
            /// Values by their names, as [`Reader::one_of`]($crate::content::Reader::one_of) takes them.
            pub const WORDS: [(&'static str, $kind); $kind::NUM] = [$(($name, $kind::$value)),+];
            /// Number of values.
            pub const NUM: usize = [$($name),+].len();

            /// Number of the value, from 0.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Name of the value.
            pub const fn name(self) -> &'static str {
                $kind::NAMES[self as usize]
            }
        }
    };
}
