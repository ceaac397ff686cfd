//! The ids of all registered games for macros, which need them as words: a test for each game has the game's name.

/// Calls a macro with the ids, in the order of the registry.
macro_rules! registered_games {
    ($each:ident) => {
        $each! {
            connect_four,
            goofspiel,
            graft,
            graphia,
            graven,
            gravitix,
            kuhn_poker,
            leduc_poker,
            rafts,
            tic_tac_toe
        }
    };
}

macro_rules! names {
    ($($name:ident),+) => { [$(stringify!($name)),+] };
}

#[test]
fn every_registered_game_is_listed() {
    let listed = registered_games!(names);
    let registered: Vec<&str> = playmat_seeds::GAMES.iter().map(|entry| entry.id).collect();
    assert_eq!(registered, listed, "seeds/tests/common/games.rs");
}
