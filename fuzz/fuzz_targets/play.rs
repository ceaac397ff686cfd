#![no_main]
mod common;
use libfuzzer_sys::fuzz_target;
use playmat_core::player::Player;

// Game, seed, then actions of two bytes each, legal or not: the mask says legal exactly when the step is accepted, and
// a refusal changes nothing.
fuzz_target!(|data: &[u8]| {
    let [choice, seed, rest @ ..] = data else { return };
    let games = common::games();
    let game = &games[usize::from(*choice) % games.len()];
    let mut env = game.env(u64::from(*seed));
    let mut mask = vec![0; game.info().num_actions];
    for pair in rest.chunks_exact(2) {
        let Some(player) = env.acting().first() else { return };
        env.write_mask(player, &mut mask).unwrap();
        // Half of the actions are folded onto the legal ones, so that games get anywhere.
        let mut action = i64::from(u16::from_le_bytes([pair[0], pair[1]]));
        if action & 1 == 0 {
            let legal = env.legal_actions(player).unwrap();
            action = legal[(action >> 1) as usize % legal.len()].into();
        }
        let legal = usize::try_from(action).ok().and_then(|a| mask.get(a)).is_some_and(|&m| m == 1);
        let before = env.to_bytes();
        assert_eq!(env.step(action).is_ok(), legal);
        if !legal {
            assert_eq!(env.to_bytes(), before);
        }
        assert!(env.sample_hidden(Player(0), action as u64).unwrap().validate().is_empty());
    }
});
