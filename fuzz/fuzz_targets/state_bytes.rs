#![no_main]
mod common;
use libfuzzer_sys::fuzz_target;

// The first byte chooses the game; odd: the rest is the whole file, even: it is the body behind a correct header.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let games = common::games();
    let game = &games[usize::from(choice >> 1) % games.len()];
    let bytes = if choice & 1 == 1 {
        rest.to_vec()
    } else {
        playmat_core::save::with_body(&game.env(0).to_bytes(), rest)
    };
    if let Ok(env) = common::in_time(bytes.len(), || game.env_from_bytes(&bytes)) {
        assert_eq!(game.env_from_bytes(&env.to_bytes()).unwrap().to_bytes(), env.to_bytes());
        common::play_on(env);
    }
});
