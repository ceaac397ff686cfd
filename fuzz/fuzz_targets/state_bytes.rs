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
        let mut bytes = game.env(0).to_bytes()[..36].to_vec();
        bytes.extend_from_slice(&(rest.len() as u32).to_le_bytes());
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes);
        crc.update(rest);
        bytes.extend_from_slice(&crc.finalize().to_le_bytes());
        bytes.extend_from_slice(rest);
        bytes
    };
    if let Ok(env) = game.env_from_bytes(&bytes) {
        assert_eq!(game.env_from_bytes(&env.to_bytes()).unwrap().to_bytes(), env.to_bytes());
        common::play_on(env);
    }
});
