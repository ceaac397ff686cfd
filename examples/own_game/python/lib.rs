//! `playmat._native` with the games of this crate.

playmat_python::module!(liars_dice::GAMES);
