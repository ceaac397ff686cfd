//! Ten thousand random games of every game and number of players: all end by the rules and keep every declared bound.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::AnyGame;
use playmat_core::info::RewardKind;
use playmat_core::vec::{Actions, Buffers, OwnedBuffers, Reset, Source, VecConfig};
use serde_json::json;

const GAMES: u64 = 10_000;
const ENVS: usize = 256;

/// Plays until `GAMES` episodes have ended, and checks the end of each.
fn play(game: &dyn AnyGame) {
    let info = game.info().clone();
    let what = format!("{} with {} players", info.id, info.players);
    // Some games have a limit of their own, which belongs to their rules.
    let has_limit = game.specs().iter().any(|spec| spec.name == "max_rounds");
    let mut venv = game.vec_env(VecConfig { num_envs: ENVS, ..VecConfig::default() }, &[]).unwrap();
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    let mut actions = vec![0; ENVS];
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut Buffers::default()).unwrap();
    let (least, most) = info.return_range(game.reward());
    let zero_sum = info.score_zero_sum || game.reward() == RewardKind::Outcome;
    let (mut ended, mut decisions, mut steps) = (0, 0, 0);
    while ended < GAMES {
        venv.sample_actions(&mut actions).unwrap();
        let mut results = Buffers {
            reward: &mut out.reward,
            terminated: &mut out.terminated,
            truncated: &mut out.truncated,
            episode_length: &mut out.episode_length,
            episode_return: &mut out.episode_return,
            ..Buffers::default()
        };
        venv.step(Actions::I64(&actions), &mut results).unwrap();
        steps += ENVS as u64;
        let cut = out.truncated.contains(&1);
        assert!(!cut || has_limit, "{what}: a game is cut off without a limit");
        for env in (0..ENVS).filter(|&env| out.terminated[env] | out.truncated[env] != 0) {
            let length = out.episode_length[env];
            assert!((1..=info.max_decisions as i32).contains(&length), "{what}: {length} decisions");
            let returns = &out.episode_return[env * info.players..][..info.players];
            assert!(returns.iter().all(|r| (least..=most).contains(r)), "{what}: {returns:?}");
            assert!(!zero_sum || returns.iter().sum::<f32>().abs() < 1e-4, "{what}: {returns:?}");
            ended += 1;
            decisions += length as u64;
        }
    }
    // Every step decided something in a game that has ended or still runs.
    let running: u64 = (0..ENVS).map(|env| u64::from(venv.episode(env).unwrap().length)).sum();
    assert_eq!(decisions + running, steps, "{what}");
}

/// All numbers of players of a registered game.
fn all_games(name: &str) {
    let (least, most) = playmat_seeds::make(name, &Default::default()).unwrap().info().player_range;
    for players in least..=most {
        let options = json!({ "players": players });
        let game = playmat_seeds::make(name, options.as_object().unwrap());
        // A game for one number of players has no such option.
        let game = game.or_else(|_| playmat_seeds::make(name, &Default::default())).unwrap();
        assert_eq!(game.info().players, players);
        play(&*game);
    }
}

macro_rules! games {
    ($($name:ident = $entry:path),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                all_games(stringify!($name));
            }
        )+
    };
}

playmat_seeds::registered_games!(games);
