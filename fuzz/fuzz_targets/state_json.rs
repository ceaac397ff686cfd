#![no_main]
mod common;
use libfuzzer_sys::fuzz_target;

// The first byte chooses the game, the rest is the text.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let games = common::games();
    let game = &games[usize::from(choice) % games.len()];
    if rest.len() % 8 == 0 {
        let long = common::stretched(text, 1 << 16);
        let _ = common::in_time(long.len(), || game.env_from_json(&long, 1));
        let _ = common::in_time(long.len(), || playmat_core::replay::Replay::parse(&long));
    }
    if let Ok(env) = common::in_time(text.len(), || game.env_from_json(text, 1)) {
        let again = game.env_from_json(&env.to_json(None).unwrap().to_string(), 2).unwrap();
        // Text does not hold the streams of samples and agents.
        assert_eq!(again.position_bytes(), env.position_bytes());
        common::play_on(env);
    }
});
