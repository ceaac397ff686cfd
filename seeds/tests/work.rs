//! Reading data from outside takes work in proportion to its length, whatever it contains. Work is counted in allocated bytes, which
//! are the same in every run; a time would depend on the machine. Steps of a batch and simulations of a search allocate nothing, copies do
//! not copy the history, and a batch allocates as many bytes as its game states.

use playmat_core::any::AnyGame;
use playmat_core::content::Content;
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::vec::{Actions, Buffers, Learners, OwnedBuffers, Reset, Source, VecConfig, View};
use serde_json::{Map, Value, json};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static REQUESTED: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// Counts for each thread by itself, since tests run side by side.
struct Counting;

#[expect(unsafe_code, reason = "an allocator that counts")]
// SAFETY: everything is handed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // An allocation costs something however small it is.
        let _ = REQUESTED.try_with(|requested| requested.set(requested.get() + 16 + layout.size() as u64));
        let _ = HELD.try_with(|held| held.set(held.get() + layout.size() as i64));
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let _ = HELD.try_with(|held| held.set(held.get() - layout.size() as i64));
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes asked for by a call.
fn work<T>(call: impl FnOnce() -> T) -> (u64, T) {
    let before = REQUESTED.with(Cell::get);
    let result = call();
    (REQUESTED.with(Cell::get) - before, result)
}

/// Twice the length may take twice the work, and what the growth of lists adds to it.
fn check_growth(what: &str, sizes: &[usize], mut read: impl FnMut(usize) -> u64) {
    let mut last = None;
    for &size in sizes {
        let now = read(size);
        if let Some(last) = last {
            let allowed = 3 * last + (1 << 18);
            assert!(now <= allowed, "{what}: {now} bytes asked for at {size}, {last} at half of it");
        }
        last = Some(now);
    }
}

/// Texts of about a length that repeat something.
fn repeated(length: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        let next = part(number);
        if text.len() + next.len() > length {
            break;
        }
        text.push_str(&next);
    }
    text
}

fn contents(game: &str, length: usize) -> Vec<(&'static str, String)> {
    let own = format!("name = '{game}'\n");
    let head = own.len() + 64;
    let lists = "card type badge polyomino deck face bacterium gene action goal".split(' ');
    let mut all = vec![
        ("one key", repeated(length, |_| "x=1\n".into())),
        ("many keys", own.clone() + &repeated(length - head, |i| format!("k{i}=1\n"))),
        ("headers", own.clone() + &repeated(length - head, |i| format!("[t{i}]\n"))),
        ("nested headers", own.clone() + &repeated(length - head, |i| format!("[a.b.c.d{i}.e]\n"))),
        ("open brackets", own.clone() + &repeated(length - head, |_| "a = [\n".into())),
        ("open texts", own.clone() + &repeated(length - head, |_| "a = '\n".into())),
        ("one line", own.clone() + &repeated(length - head, |i| format!("{{a{i}=1}},"))),
        ("a long name", format!("name = '{}'\n", "x".repeat(length - head))),
    ];
    for list in lists {
        let entry = |body: &str| {
            repeated(length - head, |i| format!("[[{list}]]\n{}", body.replace('#', &i.to_string())))
        };
        all.push(("empty entries", own.clone() + &entry("")));
        all.push(("entries", own.clone() + &entry("id='#'\nname='n#'\n")));
        all.push(("strange entries", own.clone() + &entry("id='#'\nx#=1\ny=[[[#]]]\n")));
        let deep = repeated(length - head, |i| format!("{{id='{i}',n=1}},"));
        all.push(("entries of one line", format!("{own}{list} = [{deep}]\n")));
        let names = repeated(length - head, |i| format!("n{i}=1,"));
        all.push(("a wide entry", format!("{own}{list} = [{{ id = 'a', cards = {{ {names} }} }}]\n")));
        let long = "n".repeat((length - head) / 200);
        let long = (0..150).map(|i| format!("[[{list}]]\nid='{long}{i}'\n")).collect::<String>();
        all.push(("long names", own.clone() + &long));
    }
    all
}

#[test]
fn contents_are_read_in_time_that_grows_with_their_length() {
    const SIZES: [usize; 4] = [1 << 15, 1 << 16, 1 << 17, 1 << 18];
    for entry in playmat_seeds::GAMES {
        if !(entry.specs)().iter().any(|spec| spec.name == "content") {
            continue;
        }
        let kinds = contents(entry.id, SIZES[0]).len();
        for kind in 0..kinds {
            let mut name = "";
            check_growth(entry.id, &SIZES, |size| {
                let (what, text) = contents(entry.id, size).swap_remove(kind);
                name = what;
                assert!(text.len() <= Content::MAX_BYTES && text.len() > size / 2, "{what}: {}", text.len());
                let given = json!({ "content": text });
                let (work, made) = work(|| playmat_seeds::make(entry.id, given.as_object().unwrap()).err());
                let Some(Error::Content { findings, .. }) = made else {
                    panic!("{}, {what}: {made:?}", entry.id)
                };
                assert!((1..=Error::LISTED).contains(&findings.len()), "{}, {what}: {findings:?}", entry.id);
                let longest = findings.iter().map(|finding| finding.message.len()).max();
                assert!(longest < Some(4000), "{}, {what}: a message of {longest:?} bytes", entry.id);
                work
            });
        }
    }
}

/// A value of a state's JSON in the place of every field in turn.
fn replaced(value: &Value, with: &Value, to: &mut dyn FnMut(Value)) {
    to(with.clone());
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                replaced(inner, with, &mut |changed| {
                    let mut map = map.clone();
                    map.insert(key.clone(), changed);
                    to(map.into());
                });
            }
        }
        Value::Array(list) => {
            for inner in list.iter().take(1) {
                replaced(inner, with, &mut |changed| {
                    let mut list = list.clone();
                    list[0] = changed;
                    to(list.into());
                });
            }
        }
        _ => {}
    }
}

fn values(length: usize) -> [Value; 4] {
    let keys: Map<String, Value> = (0..length / 16).map(|i| (format!("k{i}"), i.into())).collect();
    [vec![7; length / 2].into(), vec!["zz"; length / 5].into(), "a".repeat(length).into(), keys.into()]
}

#[test]
fn states_are_read_in_time_that_grows_with_their_length() {
    const SIZES: [usize; 3] = [1 << 13, 1 << 14, 1 << 15];
    for entry in playmat_seeds::GAMES {
        let game = playmat_seeds::make(entry.id, &Map::new()).unwrap();
        let state = game.env(1).to_json(None).unwrap();
        for kind in 0..values(SIZES[0]).len() {
            let mut measured: Vec<Vec<u64>> = Vec::new();
            for size in SIZES {
                let mut works = Vec::new();
                replaced(&state, &values(size)[kind], &mut |changed| {
                    let text = changed.to_string();
                    let (work, made) = work(|| game.env_from_json(&text, 0).err());
                    if let Some(Error::InvalidState { problems }) = made {
                        assert!((1..=Error::LISTED).contains(&problems.len()), "{}: {problems:?}", entry.id);
                    }
                    works.push(work);
                });
                measured.push(works);
            }
            for place in 0..measured[0].len() {
                let mut works = measured.iter().map(|works| works[place]);
                check_growth(&format!("{}, value {kind}, place {place}", entry.id), &SIZES, |_| {
                    works.next().unwrap()
                });
            }
        }
    }
}

#[test]
fn options_and_replays_are_read_in_time_that_grows_with_their_length() {
    const SIZES: [usize; 3] = [1 << 16, 1 << 17, 1 << 18];
    for entry in playmat_seeds::GAMES {
        for spec in (entry.specs)() {
            for kind in 0..values(16).len() {
                check_growth(&format!("{}, option {}", entry.id, spec.name), &SIZES, |size| {
                    let given = json!({ (spec.name): values(size)[kind].clone() });
                    let (work, made) =
                        work(|| playmat_seeds::make(entry.id, given.as_object().unwrap()).is_ok());
                    assert!(!made, "{}: {}", entry.id, spec.name);
                    work
                });
            }
        }
    }
    let mut env = playmat_seeds::make("tic_tac_toe", &Map::new()).unwrap().env(1);
    env.step(4).unwrap();
    let replay = env.replay().unwrap().to_text();
    let decision = r#"    {"player":0,"action":4,"text":"mark B2"}"#;
    assert!(replay.contains(decision), "{replay}");
    let game = playmat_seeds::make("tic_tac_toe", &Map::new()).unwrap();
    check_growth("replay", &SIZES, |size| {
        let text = replay.replace(decision, &vec![decision; size / decision.len()].join(",\n"));
        let (work, read) = work(|| {
            let replay = playmat_core::replay::Replay::parse(&text).unwrap();
            game.env_from_replay(&replay, 0).err()
        });
        assert!(read.is_some_and(|error| error.to_string().contains("decisions[1]")));
        work
    });
}

/// A search makes many copies of one position: all but the first take as much work after a long history as after a short one.
#[test]
fn copies_do_not_depend_on_the_length_of_the_history() {
    for entry in playmat_seeds::GAMES {
        let game = playmat_seeds::make(entry.id, &Map::new()).unwrap();
        let mut env = game.env(3);
        let mut works = Vec::new();
        while let Some(player) = env.acting().first() {
            let copies = || (env.clone_with_seed(1), env.sample_hidden(player, 1));
            drop(copies());
            works.push(work(copies).0);
            let action = env.sample_action(player).expect("the player must act");
            env.step_player(player, action.0.into()).expect("the action is legal");
        }
        assert!(works.iter().all(|&bytes| bytes == works[0]), "{}: bytes {works:?}", entry.id);
    }
}

#[test]
fn a_batch_holds_the_bytes_that_its_game_states() {
    const ENVS: usize = 10_000;
    for entry in playmat_seeds::GAMES {
        let game = playmat_seeds::make(entry.id, &Map::new()).unwrap();
        for (view, threads) in [(View::Turn, 1), (View::Turn, 2), (View::Joint, 1)] {
            let before = HELD.with(Cell::get);
            let config = VecConfig { num_envs: ENVS, view, threads, ..VecConfig::default() };
            let mut venv = game.vec_env(config, &[]).unwrap();
            let mut out = Buffers::default();
            venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out).unwrap();
            let mut actions = vec![0; ENVS * venv.sizes().lanes];
            for _ in 0..5 {
                venv.sample_actions(&mut actions).unwrap();
                venv.step(Actions::I64(&actions), &mut out).unwrap();
            }
            drop(actions);
            let held = (HELD.with(Cell::get) - before) as f64 / ENVS as f64;
            let stated = venv.env_bytes();
            let what =
                format!("{}, {view:?}, {threads} threads: {held} bytes are held, {stated} stated", entry.id);
            assert!((0.0..0.03 * stated as f64).contains(&(held - stated as f64)), "{what}");
            if view == View::Turn {
                assert_eq!(stated, game.env_bytes(), "{}", entry.id);
            }
        }
    }
}

#[test]
fn steps_against_a_network_ask_for_no_memory() {
    let game = playmat_seeds::make("tic_tac_toe", &Map::new()).expect("a game");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/networks/tic_tac_toe.onnx");
    // Before the first step all environments wait for the opponent: never more later.
    let config = VecConfig { num_envs: 100, learners: Learners::One(Player(1)), ..VecConfig::default() };
    let mut venv = game.vec_env(config, &[(file, 1.0)]).expect("a batch");
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).expect("episodes");
    let mut actions = vec![0; 100];
    let mut play = || {
        for _ in 0..50 {
            venv.sample_actions(&mut actions).expect("legal actions");
            venv.step(Actions::I64(&actions), &mut out.borrow()).expect("a step");
        }
    };
    play();
    assert_eq!(work(play).0, 0);
}

/// Bytes that a choice of an agent asks for at some positions of an episode, once its memory is large enough.
fn work_of_choices(game: &dyn AnyGame, spec: &str) -> Vec<u64> {
    let agent = game.agent(spec).expect("the spec fits every game");
    let mut env = game.env(5);
    let mut play = || {
        // Equal seeds give equal positions and equal searches. The trees of the last episode are forgotten, their memory is kept.
        env.reset(Some(5));
        let mut works = Vec::new();
        for decision in 0..12 {
            let Some(player) = env.acting().first() else { break };
            if decision % 3 == 0 {
                works.push(work(|| env.act(&agent, player).expect("the player must act")).0);
            }
            let action = env.sample_action(player).expect("the player must act");
            env.step_player(player, action.0.into()).expect("the action is legal");
        }
        works
    };
    play();
    play();
    play()
}

/// The work of a search does not depend on its number of simulations, whoever plays them to their end: no simulation asks for memory, in
/// the rules, samples and greedy agent of no game.
fn check_simulations(game: &dyn AnyGame, what: &str, options: &str) {
    let [few, many] = [10, 150].map(|number| work_of_choices(game, &format!("mcts:{number}{options}")));
    assert!(!few.is_empty(), "{what}");
    assert_eq!(few, many, "{what} with `mcts{options}`: bytes at each decision");
}

#[test]
fn simulations_ask_for_no_memory_in_any_game() {
    for entry in playmat_seeds::GAMES {
        let game = playmat_seeds::make(entry.id, &Map::new()).unwrap();
        for options in ["", ",rollout=random", ",rollout=random,prior=uniform", ",dirichlet_alpha=0.3"] {
            check_simulations(&*game, entry.id, options);
        }
    }
}

#[test]
fn simulations_ask_for_no_memory_with_any_option() {
    for entry in playmat_seeds::GAMES {
        for given in entry.configurations().expect("defaults are allowed") {
            let game = playmat_seeds::make(entry.id, &given).expect("its own options");
            let what = format!("{} {}", entry.id, Value::from(given));
            for options in ["", ",rollout=random"] {
                check_simulations(&*game, &what, options);
            }
        }
    }
}

/// The same with a network, whether its value or a rollout tells the returns of a new node.
#[test]
fn simulations_with_a_network_ask_for_no_memory() {
    for id in ["tic_tac_toe", "graven", "rafts"] {
        let game = playmat_seeds::make(id, &Map::new()).unwrap();
        let file = format!("{}/../tests/networks/{id}.onnx", env!("CARGO_MANIFEST_DIR"));
        for options in ["", ",rollout=greedy", ",rollout=random"] {
            let [few, many] = [10, 150]
                .map(|number| work_of_choices(&*game, &format!("mcts:{number},policy={file}{options}")));
            assert!(!few.is_empty(), "{id}");
            assert_eq!(few, many, "{id} with `mcts:policy{options}`: bytes at each decision");
        }
    }
}
