//! A million random bytes and ten thousand mutated texts per game and number of players: every function that reads them refuses or returns a playable
//! game. `fuzz/` does the same without a fixed amount.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::{Error, Result};
use playmat_core::game::Status;
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use playmat_core::save::{body_of, with_body};
use serde_json::json;

const RANDOM_BYTES: usize = 1_000_000;
const BODIES: usize = 20_000;
const TEXTS: usize = 10_000;

/// A registered game with its fewest and its most players.
fn configured(name: &str) -> Vec<Box<dyn AnyGame>> {
    let default = playmat_seeds::make(name, &Default::default()).unwrap();
    let (least, most) = default.info().player_range;
    if least == most {
        return vec![default];
    }
    let build = |players: usize| {
        let options = json!({ "players": players });
        playmat_seeds::make(name, options.as_object().unwrap()).unwrap()
    };
    vec![build(least), build(most)]
}

/// Saved games of all stages.
fn saved(game: &dyn AnyGame) -> Vec<Box<dyn AnyEnv>> {
    let mut env = game.env(5);
    let mut all = vec![env.clone_box()];
    while let Some(player) = env.acting().first() {
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
        all.push(env.clone_box());
    }
    let every = all.len().div_ceil(12);
    all.into_iter().step_by(every).collect()
}

/// What an entrance made of an input: refused as it should be, or accepted and then played. Returns whether it was accepted.
fn judged(game: &dyn AnyGame, outcome: Result<Box<dyn AnyEnv>>, draws: &mut Rng) -> bool {
    let mut env = match outcome {
        Ok(env) => env,
        Err(Error::Unreadable { .. } | Error::WrongIdentity { .. } | Error::InvalidState { .. }) => {
            return false;
        }
        Err(error) => panic!("{}: refused as {error}", game.info().id),
    };
    let again = game.env_from_bytes(&env.to_bytes()).unwrap();
    assert_eq!(again.to_bytes(), env.to_bytes());
    let mut observation = vec![0; game.info().observation.size()];
    // Most are like many others: a few moves show as much as the whole game.
    for _ in 0..if draws.below(16) == 0 { usize::MAX } else { 3 } {
        assert!(env.validate().is_empty(), "an accepted state breaks a law: {:?}", env.validate());
        for player in Player::all(game.info().players) {
            env.write_observation(player, &mut observation).unwrap();
        }
        let Some(player) = env.acting().first() else {
            assert_ne!(env.status(), Status::Running);
            break;
        };
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    true
}

/// Noise of up to `most` bytes.
fn noise(most: usize, draws: &mut Rng) -> Vec<u8> {
    // Small numbers are more often what a field may hold.
    let range = [256, 16, 2][draws.below(3) as usize];
    (0..draws.below(most as u32 + 1)).map(|_| draws.below(range) as u8).collect()
}

/// Changes some bytes: other bits, other values, one more, one less, a piece twice.
fn mutate(bytes: &mut Vec<u8>, letters: &[u8], draws: &mut Rng) {
    for _ in 0..=draws.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = draws.below(bytes.len() as u32) as usize;
        let other = letters[draws.below(letters.len() as u32) as usize];
        match draws.below(5) {
            0 => bytes[at] = other,
            1 => bytes.insert(at, other),
            2 => drop(bytes.remove(at)),
            3 => {
                let end = (at + 1 + draws.below(12) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = draws.below(bytes.len() as u32) as usize;
                bytes.splice(to..to, piece);
            }
            _ => bytes[at] = bytes[at].wrapping_add(1) & 0x7f,
        }
    }
}

/// Random bytes as a whole save and as the body of one, and saved bodies with changes.
fn bytes(game: &dyn AnyGame, draws: &mut Rng) {
    let saves: Vec<Vec<u8>> = saved(game).iter().map(|env| env.to_bytes()).collect();
    let most = saves.iter().map(Vec::len).max().unwrap() + 40;
    let mut left = RANDOM_BYTES;
    while left > 0 {
        let random = noise(most.min(left), draws);
        left -= random.len();
        assert!(!judged(game, game.env_from_bytes(&random), draws), "random bytes are a save");
        judged(game, game.env_from_bytes(&with_body(&saves[0], &random)), draws);
    }
    let values: Vec<u8> = (0..=255).collect();
    let mut accepted = 0;
    for number in 0..BODIES {
        let save = &saves[number % saves.len()];
        let mut body = body_of(save).to_vec();
        mutate(&mut body, &values, draws);
        accepted += usize::from(judged(game, game.env_from_bytes(&with_body(save, &body)), draws));
    }
    assert!(accepted > 0 && accepted < BODIES, "{accepted} of {BODIES} accepted: all were treated alike");
}

/// Saved texts with changes.
fn texts(game: &dyn AnyGame, draws: &mut Rng) {
    let saves: Vec<String> = saved(game).iter().map(|env| env.to_json(None).unwrap().to_string()).collect();
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..TEXTS {
        let mut text = saves[number % saves.len()].clone().into_bytes();
        mutate(&mut text, br#"0123456789-.eE{}[]",:x\ntrufals"#, draws);
        let Ok(text) = String::from_utf8(text) else { continue };
        match judged(game, game.env_from_json(&text, 1), draws) {
            true => accepted += 1,
            false => refused += 1,
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused: all were treated alike");
}

macro_rules! games {
    ($($name:ident = $entry:path),+ $(,)?) => {
        $(
            mod $name {
                #[test]
                fn conf_c9_bytes() {
                    for game in super::configured(stringify!($name)) {
                        super::bytes(&*game, &mut super::Rng::from_seed(0x6279));
                    }
                }

                #[test]
                fn conf_c8_texts() {
                    for game in super::configured(stringify!($name)) {
                        super::texts(&*game, &mut super::Rng::from_seed(0x7478));
                    }
                }
            }
        )+
    };
}

playmat_seeds::registered_games!(games);
