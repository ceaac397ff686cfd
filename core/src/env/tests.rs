//! Refusals of an environment, its random streams, and keys of information states.

use super::*;
use crate::save;
use crate::toy::Toll;
use serde_json::json;

fn toll(players: usize) -> Arc<ConfiguredGame<Toll>> {
    let options = json!({"players": players});
    Arc::new(ConfiguredGame::new(options.as_object().expect("an object")).expect("allowed options"))
}

/// Three players bid at once: an error message does not depend on who has bid already, nor on who acts later.
#[test]
fn conf_v7_errors_of_joint_steps_depend_on_the_call_alone() {
    let fresh = Env::new(toll(3), 7);
    let mut envs = vec![fresh.clone()];
    for bidders in [&[0][..], &[1], &[0, 2], &[0, 1, 2]] {
        let mut env = fresh.clone();
        for &player in bidders {
            env.step_player(Player(player), 1).unwrap();
        }
        envs.push(env);
    }
    let beyond = "every player who must decide needs a legal action; got";
    for (joint, listed) in [
        ([99, 99, 99], "99 for player 0, 99 for player 1, 99 for player 2 (actions are 0 to 5)"),
        ([1, 5000, -1], "5000 for player 1, -1 for player 2 (actions are 0 to 5)"),
        ([-1, -1, -1], "-1 for player 0, -1 for player 1, -1 for player 2 (actions are 0 to 5)"),
    ] {
        for env in &mut envs {
            let before = save::to_bytes(env);
            let refused = env.step_joint(&joint).unwrap_err();
            assert_eq!(refused.code(), "illegal_action");
            assert_eq!(refused.to_string(), format!("illegal joint action: {beyond} {listed}"));
            assert_eq!(save::to_bytes(env), before);
        }
    }
    // None of these is beyond the action space: all are named, and their texts are those of the actions.
    let texts: Vec<String> =
        envs[..4].iter_mut().map(|env| env.step_joint(&[3, 3, 3]).unwrap_err().to_string()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    assert_eq!(texts[0].matches("3 (\"").count(), 3, "{}", texts[0]);
    assert_eq!(fresh.clone().step_joint(&[1]).unwrap_err().code(), "invalid_argument");
    // The entries of players that need not act are ignored.
    let mut env = envs.swap_remove(1);
    env.step_joint(&[99, 1, 2]).unwrap();
    assert_eq!(env.decisions(), 3);
}

#[test]
fn conf_s12_a_save_counts_clones_without_a_seed() {
    let mut env = Env::new(toll(2), 7);
    let first: Vec<u64> = (0..3).map(|_| env.next_clone_seed()).collect();
    let mut loaded = save::from_bytes(env.configured(), &save::to_bytes(&env)).unwrap();
    let seed = loaded.next_clone_seed();
    assert_eq!(seed, env.clone().next_clone_seed());
    assert!(!first.contains(&seed), "{seed} of {first:?}");
    assert_eq!(
        save::position(&save::to_bytes(&loaded)),
        save::position(&save::to_bytes(&Env::new(toll(2), 7)))
    );
    // Another episode, and a clone with a seed, count from 0 again.
    env.reset(Some(7));
    assert_eq!(env.next_clone_seed(), first[0]);
    assert_ne!(env.clone_with_seed(1).next_clone_seed(), first[1]);
}

#[test]
fn conf_s12_a_sample_of_a_sample_has_another_stream() {
    let env = Env::new(toll(2), 7);
    let rng = |env: &Env<Toll>| env.rng.words;
    let sampled = env.sample_hidden(Player(0), 3).unwrap();
    let nested = sampled.sample_hidden(Player(0), 3).unwrap();
    let deeper = nested.sample_hidden(Player(0), 3).unwrap();
    assert!(rng(&sampled) != rng(&nested) && rng(&nested) != rng(&deeper) && rng(&sampled) != rng(&deeper));
    // It remains a sample when it is saved in any form, copied or played on.
    let bytes = save::from_bytes(env.configured(), &save::to_bytes(&sampled)).unwrap();
    let text = save::from_json(env.configured(), &sampled.to_json(None).unwrap().to_string(), 1).unwrap();
    let other = Env::new(toll(2), 8).sample_hidden(Player(1), 4).unwrap();
    for one in [bytes, text, other, sampled.clone_with_seed(5), sampled.clone()] {
        assert_eq!(one.sample_hidden(Player(0), 3).unwrap().seed, nested.seed);
    }
    let past = sampled.with_history(Some(&save::to_bytes(&sampled)), &[]).unwrap();
    assert_eq!(past.sample_hidden(Player(0), 3).unwrap().seed, nested.seed);
    // An episode dealt after it is not a sample.
    let mut next = sampled;
    next.reset(Some(7));
    assert_eq!(next.sample_hidden(Player(0), 3).unwrap().seed, env.sample_hidden(Player(0), 3).unwrap().seed);
    assert!(env.to_json(None).unwrap().get("sampled").is_none());
}

/// A key goes on from the last one of its player, here or in the environment that this is a copy of. The information state in JSON has the key
/// of a whole replay.
#[test]
fn keys_that_go_on_from_earlier_ones_are_those_of_a_whole_replay() {
    let players = 3;
    let mut rng = Rng::from_seed(5);
    let whole = |env: &Env<Toll>, player| {
        let state = env.information_state(player).unwrap();
        crate::information::parse_key(state["key"].as_str().unwrap()).unwrap()
    };
    let mut envs = vec![Env::new(toll(players), 7)];
    let mut compared = 0;
    for _ in 0..3_000 {
        let at = rng.below(envs.len() as u32) as usize;
        let (player, seed) = (Player(rng.below(players as u32) as u8), rng.next_u64());
        let env = &mut envs[at];
        match rng.below(12) {
            0 => env.reset(None),
            1 => env.reset(Some(seed)),
            2 => {
                let copy = env.clone();
                envs.push(copy);
            }
            3 => {
                let copy = env.clone_with_seed(seed);
                envs.push(copy);
            }
            4 => {
                let copy = env.sample_hidden(player, seed).unwrap();
                envs.push(copy);
            }
            5..8 => {
                assert_eq!(env.information_state_key(player).unwrap(), whole(env, player));
                compared += 1;
            }
            _ => {
                if let Some(chooser) = env.current_player() {
                    let action = rng.pick(&env.legal(chooser));
                    env.step(action.0.into()).unwrap();
                }
            }
        }
        if envs.len() > 6 {
            envs.swap_remove(rng.below(7) as usize);
        }
    }
    assert!(compared > 600);
}

/// A history that begins where that of a sample does has what was seen before it; one that begins later begins anew.
#[test]
fn a_history_keeps_what_was_seen_before_it_only_from_the_same_start() {
    let mut dealt = Env::new(toll(2), 7);
    dealt.step(1).unwrap();
    let player = Player(0);
    let mut sample = dealt.sample_hidden(player, 3).unwrap();
    let start = save::to_bytes(&sample);
    for _ in 0..2 {
        let chooser = sample.current_player().unwrap();
        let first = sample.legal(chooser).select(0);
        sample.step(first.0.into()).unwrap();
    }
    let key = |env: &Env<Toll>| env.information_state_key(player).unwrap();
    let bytes = save::to_bytes(&sample);
    let again = sample.with_history(Some(&start), sample.history()).unwrap();
    assert_eq!(key(&again), key(&sample));
    let later = sample.with_history(Some(&bytes), &[]).unwrap();
    assert_eq!(key(&later), key(&save::from_bytes(sample.configured(), &bytes).unwrap()));
    assert_ne!(key(&later), key(&sample));
}
