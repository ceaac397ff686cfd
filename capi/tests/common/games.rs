//! The games that programs are run with: all that are registered.

/// Options of a game instead of the defaults, as TOML or JSON; a game with several lines is run with each.
const OPTIONS: &[(&str, &str)] = &[
    ("leduc_poker", "players = 3"),
    ("goofspiel", "players = 3"),
    ("kuhn_poker", "{\"players\": 4}"),
    ("graft", "players = 4"),
    ("graphia", "{\"players\": 2}"),
    ("graphia", "{\"players\": 3}"),
    ("graven", "players = 3"),
    ("gravitix", "island_set = \"1+2\""),
    ("rafts", "{\"players\": 3, \"windows\": \"possible\", \"max_rounds\": 4}"),
];

/// Every registered game with its options.
pub(crate) fn games() -> Vec<(&'static str, &'static str)> {
    let of = |id: &'static str| {
        let own: Vec<_> = OPTIONS.iter().copied().filter(|(game, _)| *game == id).collect();
        if own.is_empty() { vec![(id, "")] } else { own }
    };
    let is_registered = |game: &str| playmat_seeds::GAMES.iter().any(|entry| entry.id == game);
    assert!(OPTIONS.iter().all(|(game, _)| is_registered(game)), "options of a game that is not registered");
    playmat_seeds::GAMES.iter().flat_map(|entry| of(entry.id)).collect()
}
