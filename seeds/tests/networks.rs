//! Trained networks as agents, with the files that the tests of all hosts play (`tests/networks/make.py`).

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

#[path = "../../tests/networks/decisions.rs"]
mod decisions;

use playmat_core::any::AnyGame;
use playmat_core::rng::Rng;
use playmat_core::search::Leaves;
use playmat_core::vec::{Actions, Buffers, Reset, Rows, Source, VecConfig};
use std::fs;
use std::path::Path;

fn file() -> String {
    decisions::folder().join("tic_tac_toe.onnx").to_str().unwrap().into()
}

fn game(name: &str) -> Box<dyn AnyGame> {
    playmat_seeds::make(name, &Default::default()).unwrap()
}

/// A file of a test with these bytes; returns its path.
fn written(name: &str, bytes: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().into()
}

/// What a spec is refused with, without the path.
fn refusal(game: &dyn AnyGame, path: &str) -> String {
    let said = game.agent(path).unwrap_err().to_string();
    let shown: String = path.chars().take(60).collect();
    let start = format!("argument `agent`: network `{shown}`: ");
    said.strip_prefix(&start).unwrap_or_else(|| panic!("{said}")).into()
}

#[test]
fn agents_decide_as_in_all_other_languages() {
    let mut text = String::new();
    let blocks = decisions::read();
    for block in &blocks {
        let game = game(block.game());
        let agents: Vec<_> = block.specs().iter().map(|spec| game.agent(spec).unwrap()).collect();
        text += &format!("{}\n", block.heading);
        for seed in 0..block.episodes.len() {
            let (mut env, mut actions) = (game.env(seed as u64), Vec::new());
            while let Some(player) = env.acting().first() {
                let action = env.act(&agents[(seed + player.index()) % agents.len()], player).unwrap();
                actions.push(action.0.to_string());
                env.step(action.0.into()).unwrap();
            }
            text += &format!("{}\n", actions.join(" "));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(decisions::folder().join("decisions.txt"), &text).unwrap();
    }
    let wanted: String = blocks.iter().map(|b| format!("{}\n{}", b.heading, b.text())).collect();
    assert_eq!(text, wanted);
}

#[test]
fn every_network_of_the_tree_is_played_in_all_languages() {
    let files = fs::read_dir(decisions::folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    files.retain(|name| name.ends_with(".onnx"));
    assert_eq!(files.len(), 6, "of each kind of body, and of games of all kinds: {files:?}");
    let headings: Vec<String> = decisions::read().into_iter().map(|block| block.heading).collect();
    for name in files {
        let game = name.trim_end_matches(".onnx");
        for form in ["FILE", "FILE,temperature=1", "policy=FILE"] {
            let plays = |heading: &String| {
                let (of, specs) = heading.split_once(' ').unwrap();
                of == game && specs.split(' ').any(|spec| spec == form || spec.ends_with(&format!(",{form}")))
            };
            assert!(headings.iter().any(plays), "{game} {form}: {headings:?}");
        }
    }
}

/// Logits and the value of an observation and the greedy agent's action (-1 for none): numbers from -1 to 1 from a hash. A host in any
/// language has it in five lines, and gets the same bits.
fn network(observation: &[u8], greedy: i64, actions: usize) -> Vec<f32> {
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = observation.iter().fold((8 + greedy) as u64, hash);
    let number = |k: u64| (hash ^ (k << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    (0..=actions as u64).map(|k| number(k) as f32 / 8_388_608.0 - 1.0).collect()
}

#[test]
fn searches_with_a_network_of_the_host_decide_as_in_all_other_languages() {
    let mut text = String::new();
    let blocks = decisions::read_leaves();
    for block in &blocks {
        let [name, options, spec, leaves, inputs] = block.words();
        let options: serde_json::Value = serde_json::from_str(options).unwrap();
        let game = playmat_seeds::make(name, options.as_object().unwrap()).unwrap();
        let count = block.episodes.len();
        let mut search = game.leaf_search(spec, count, leaves.parse().unwrap()).unwrap();
        let sizes = search.sizes();
        let rows = sizes.leaves * sizes.leaf_rows * 2;
        let mut obs = vec![0; rows * sizes.observation];
        let mut greedy = vec![-1; rows];
        let mut envs: Vec<_> = (0..count).map(|seed| game.env(seed as u64)).collect();
        let mut played = vec![Vec::new(); count];
        while envs.iter().any(|env| !env.acting().is_empty()) {
            for (row, env) in envs.iter_mut().enumerate() {
                match env.acting().first() {
                    Some(player) => search.start(row, &mut **env, player, true).unwrap(),
                    None => search.stop(row).unwrap(),
                }
            }
            loop {
                let mut room = Leaves { rows, obs: Rows::U8(&mut obs), ..Leaves::default() };
                if inputs == "greedy" {
                    room.greedy = &mut greedy;
                }
                let found = search.collect(&mut room).unwrap();
                if found == 0 {
                    break;
                }
                let (mut logits, mut values) = (Vec::new(), Vec::new());
                for (row, &greedy) in obs.chunks_exact(sizes.observation).zip(&greedy).take(found) {
                    let numbers = network(row, greedy, sizes.actions);
                    logits.extend_from_slice(&numbers[..sizes.actions]);
                    values.push(numbers[sizes.actions]);
                }
                search.feed(&logits, &values).unwrap();
            }
            let mut actions = vec![0; count];
            search.actions(None, &mut actions).unwrap();
            for ((env, played), action) in envs.iter_mut().zip(&mut played).zip(actions) {
                if !env.acting().is_empty() {
                    env.step(action).unwrap();
                    played.push(action.to_string());
                }
            }
        }
        text += &format!("{}\n", block.heading);
        for actions in played {
            text += &format!("{}\n", actions.join(" "));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(decisions::folder().join("leaves.txt"), &text).unwrap();
    }
    let wanted: String = blocks.iter().map(|b| format!("{}\n{}", b.heading, b.text())).collect();
    assert_eq!(text, wanted);
}

#[test]
fn a_leaf_that_is_collected_again_has_the_same_greedy_action() {
    let game = game("tic_tac_toe");
    // A start takes back what was collected; the greedy agent of this game draws.
    let policy = |seed: u64, collected: bool| {
        let mut search = game.leaf_search("mcts:20", 2, 1).unwrap();
        let sizes = search.sizes();
        let (mut obs, mut greedy) = (vec![0; 2 * sizes.observation], vec![-1; 2]);
        let mut envs = [game.env(seed), game.env(seed + 1)];
        for (row, env) in envs.iter_mut().enumerate() {
            let player = env.acting().first().unwrap();
            search.start(row, &mut **env, player, false).unwrap();
            if collected && row == 0 {
                let obs = Rows::U8(&mut obs);
                let room = &mut Leaves { rows: 2, obs, greedy: &mut greedy, ..Leaves::default() };
                assert_eq!(search.collect(room).unwrap(), 1);
            }
        }
        loop {
            let rows = Rows::U8(&mut obs);
            let room = &mut Leaves { rows: 2, obs: rows, greedy: &mut greedy, ..Leaves::default() };
            let found = search.collect(room).unwrap();
            if found == 0 {
                break;
            }
            let rows = obs.chunks_exact(sizes.observation).zip(&greedy).take(found);
            let numbers: Vec<_> = rows.map(|(row, greedy)| network(row, *greedy, sizes.actions)).collect();
            let logits: Vec<f32> = numbers.iter().flat_map(|row| row[..sizes.actions].to_vec()).collect();
            let values: Vec<f32> = numbers.iter().map(|row| row[sizes.actions]).collect();
            search.feed(&logits, &values).unwrap();
        }
        let mut policy = vec![0.0; 2 * sizes.actions];
        search.policy(&mut policy).unwrap();
        policy
    };
    for seed in 0..8 {
        assert_eq!(policy(seed, true), policy(seed, false));
    }
}

#[test]
fn a_batch_decides_as_each_environment_does() {
    let game = game("tic_tac_toe");
    for options in ["", ",temperature=2"] {
        let agent = game.agent(&(file() + options)).unwrap();
        for envs in [1, 3, 64, 131] {
            let config = VecConfig { num_envs: envs, ..VecConfig::default() };
            let mut venv = game.vec_env(config, &[]).unwrap();
            let reset = Reset { from: Source::Seed(9), mask: None };
            venv.reset(reset, &mut Buffers::default()).unwrap();
            for _ in 0..12 {
                let (mut batch, mut single) = (vec![0; envs], Vec::new());
                for at in 0..envs {
                    let mut env = game.env_from_bytes(&venv.state_bytes(at).unwrap()).unwrap();
                    let player = env.acting().first().unwrap();
                    single.push(i64::from(env.act(&agent, player).unwrap().0));
                }
                venv.act_batch(&agent, None, &mut batch).unwrap();
                // What is drawn in a batch comes from another stream.
                if options.is_empty() {
                    assert_eq!(batch, single, "{envs} environments");
                }
                venv.step(Actions::I64(&batch), &mut Buffers::default()).unwrap();
            }
        }
    }
}

#[test]
fn a_file_for_another_game_is_refused_by_what_differs() {
    assert_eq!(
        refusal(&*game("connect_four"), &file()),
        "it was trained for game `tic_tac_toe`; here it is `connect_four`"
    );
    let changed = |name: &str, from: &[u8], to: &[u8]| {
        assert_eq!(from.len(), to.len());
        let mut bytes = fs::read(decisions::folder().join(format!("{name}.onnx"))).unwrap();
        let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to);
        refusal(&*game(name), &written("changed.onnx", &bytes))
    };
    for (from, to, reason) in [
        (
            "playmat.game",
            "playmat.gama",
            "its metadata lacks `playmat.game`; `playmat.export_policy` in Python adds it",
        ),
        ("\"players\": 2", "\"players\": 3", "it was trained with option `players` 3; here it is 2"),
        ("\"players\": 2", "\"playerz\": 2", "it was trained with option `players` absent; here it is 2"),
        ("\"bias\": 0", "\"bias\": 1", "it was trained with another layout of the observation"),
        ("\"start\": 0", "\"start\": 1", "it was trained with another layout of the actions"),
        ("outcome", "outcame", "its metadata `playmat.reward` is `outcame`"),
        ("Gather", "Gatter", "operator `Gatter`: it is not supported; allowed: "),
        ("Where", "Wherf", "operator `Wherf`: it is not supported; allowed: "),
    ] {
        let said = changed("tic_tac_toe", from.as_bytes(), to.as_bytes());
        assert!(said.starts_with(reason), "{said}");
    }
    // A value of the metadata follows the tag of its field and its length.
    for name in ["tic_tac_toe", "rafts"] {
        let version = game(name).info().version.to_string();
        let named = |version: &str| format!("playmat.version\x12\x01{version}");
        assert_eq!(
            changed(name, named(&version).as_bytes(), named("9").as_bytes()),
            format!("it was trained for version `9`; here it is `{version}`")
        );
    }
    let hash = format!("0x{:016x}", game("rafts").info().content_hash);
    let other = "0x0123456789abcdef";
    assert_eq!(
        changed("rafts", hash.as_bytes(), other.as_bytes()),
        format!("it was trained for content `{other}`; here it is `{hash}`")
    );
}

#[test]
fn what_is_no_network_is_refused() {
    let game = game("tic_tac_toe");
    let missing = refusal(&*game, "/nowhere/a.onnx");
    assert!(missing.starts_with("cannot read it: "), "{missing}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder.onnx");
    fs::create_dir_all(&folder).unwrap();
    assert_eq!(refusal(&*game, folder.to_str().unwrap()), "it is not a file");
    assert_eq!(refusal(&*game, &written("empty.onnx", b"")), "it holds no graph, so it is not an ONNX file");
}

#[test]
fn a_file_that_is_cut_short_or_changed_is_refused_or_played_and_never_panics() {
    // The second one reads the greedy agent's action.
    for name in ["tic_tac_toe", "connect_four"] {
        let game = game(name);
        let bytes = fs::read(decisions::folder().join(format!("{name}.onnx"))).unwrap();
        for length in (0..bytes.len()).step_by(if name == "tic_tac_toe" { 1 } else { 7 }) {
            // A cut between two fields of the file leaves a file without its end: the metadata are there.
            let path = written("cut.onnx", &bytes[..length]);
            assert!(!refusal(&*game, &path).is_empty(), "{name}, {length} bytes");
        }
        let mut rng = Rng::from_seed(3);
        let (mut played, mut refused) = (0, 0);
        for _ in 0..5_000 {
            let mut bytes = bytes.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len() as u32) as usize;
                bytes[at] ^= 1 << rng.below(8);
            }
            match game.agent(&written("flipped.onnx", &bytes)) {
                Err(_) => refused += 1,
                Ok(agent) => {
                    let mut env = game.env(1);
                    while let Some(player) = env.acting().first() {
                        let action = env.act(&agent, player).unwrap();
                        env.step(action.0.into()).unwrap();
                    }
                    played += 1;
                }
            }
        }
        assert!(played > 100 && refused > 100, "{name}: {played} played, {refused} refused");
    }
}

#[test]
fn a_search_with_a_policy_repeats_and_finds_the_winning_move() {
    let game = game("tic_tac_toe");
    for options in ["", ",rollout=random", ",rollout=greedy", ",rollout=greedy,threads=2"] {
        let search = game.agent(&format!("mcts:200,policy={}{options}", file())).unwrap();
        let choose = || {
            let mut env = game.env(0);
            // The second player threatens nothing; the first has two in a row.
            for action in [0, 3, 1, 4] {
                env.step(action).unwrap();
            }
            let player = env.acting().first().unwrap();
            let action = env.act(&search, player).unwrap();
            (action.0, env.search_statistics(&search, player).unwrap())
        };
        let (first, again) = (choose(), choose());
        assert_eq!(first.0, 2, "{options}");
        assert_eq!(first, again, "{options}");
    }
}
