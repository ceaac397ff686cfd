//! Every function of `playmat.h`, with the games of this crate.

playmat::library!(liars_dice::GAMES);
