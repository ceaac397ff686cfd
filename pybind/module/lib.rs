//! The Python module `playmat._native`: the engine and the games of playmat.

playmat_python::module!(playmat_seeds::GAMES);
