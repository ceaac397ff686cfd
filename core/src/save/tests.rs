//! Saves that come back, and saves that are refused.

use super::*;
use crate::toy::Toll;

fn toll(options: &Value) -> Arc<ConfiguredGame<Toll>> {
    Arc::new(ConfiguredGame::new(options.as_object().expect("an object")).expect("allowed options"))
}

/// An episode with this kind of reward, after `decisions` random decisions.
fn played(kind: &str, decisions: usize) -> Env<Toll> {
    let mut env = Env::new(toll(&json!({"reward": kind})), 7);
    for _ in 0..decisions {
        let Some(player) = env.current_player() else { break };
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    env
}

/// A longer episode of four players, after three decisions.
fn running() -> Env<Toll> {
    let mut env = Env::new(toll(&json!({"players": 4, "reward": "score"})), 7);
    for _ in 0..3 {
        let action = env.sample_action(env.current_player().unwrap()).unwrap();
        env.step(action.0.into()).unwrap();
    }
    assert_eq!(env.status(), Status::Running);
    env
}

#[test]
fn conf_c8_all_problems_of_a_document_are_reported_at_once() {
    let env = running();
    let mut json = env.to_json(None).unwrap();
    json["colour"] = "red".into();
    json["sead"] = 3.into();
    json["decisions"] = "many".into();
    json["episode"] = u64::MAX.into();
    json["rng"] = json!([0, 0, 0, 0]);
    json["status"] = "terminated".into();
    let Err(Error::InvalidState { problems }) = from_json(env.configured(), &json.to_string(), 0) else {
        panic!("not refused as impossible");
    };
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["decisions", "rng", "colour", "sead", "episode", "status"]);
    assert!(problems[3].message.contains("did you mean `seed`?"), "{problems:?}");
    json["state"]["deck"] = json!([0, 0]);
    let Err(Error::InvalidState { problems }) = from_json(env.configured(), &json.to_string(), 0) else {
        panic!("not refused as impossible");
    };
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    // A card twice, and one that a player holds.
    let state = ["state.deck[1]", "state.players[0].card"];
    assert_eq!(paths, [&["decisions", "rng", "colour", "sead"][..], &state, &["episode"]].concat());
}

#[test]
fn conf_c9_unreachable_counts_are_refused() {
    let env = running();
    let longest = env.info().max_decisions as u32;
    let with = |decisions: u32, episode: u64| {
        let body = Snapshot { decisions, episode, ..env.snapshot() };
        with_body(&to_bytes(&env), &postcard::to_allocvec(&body).unwrap())
    };
    for (decisions, episode, path) in
        [(longest + 1, 0, "decisions"), (u32::MAX, 0, "decisions"), (0, MAX_EPISODE + 1, "episode")]
    {
        let said = from_bytes(env.configured(), &with(decisions, episode)).unwrap_err().to_string();
        assert!(
            said.contains(&format!("\n  {path}: got ")) || said.contains(&format!("{path}: got ")),
            "{said}"
        );
        let value = if path == "decisions" { json!(decisions) } else { json!(episode) };
        assert!(refusal(&env, path, value).contains(&format!("{path}: got ")));
    }
    assert!(refusal(&env, "max_steps", 2.into()).contains("decisions: got 3; `max_steps` 2 ends"));
    // A loaded position may have any count up to there; after further steps it stays loadable.
    let mut far = from_bytes(env.configured(), &with(longest, MAX_EPISODE)).unwrap();
    let action = far.sample_action(far.current_player().unwrap()).unwrap();
    far.step(action.0.into()).unwrap();
    assert_eq!(far.decisions(), longest);
    assert_eq!(to_bytes(&from_bytes(env.configured(), &to_bytes(&far)).unwrap()), to_bytes(&far));
}

#[test]
fn conf_c12_other_options_are_named_for_bytes_too() {
    let env = Env::new(toll(&json!({"players": 3})), 7);
    let said = from_bytes(&toll(&json!({"players": 4})), &to_bytes(&env)).unwrap_err();
    assert_eq!(said.code(), "wrong_identity");
    let text = said.to_string();
    assert!(text.contains("options is `players: 3`, this game has `players: 4`"), "{text}");
    // A save with only a matching hash, or only a matching text, is refused.
    let configured = env.configured();
    let refused = |hash, text: &str| check_options(WHAT, configured, hash, text.as_bytes()).unwrap_err();
    assert_eq!(refused(1, &configured.options_text).code(), "unreadable");
    assert_eq!(refused(configured.options_hash, "{").code(), "unreadable");
    let other = configured.options_text.replace("3", "2");
    assert_eq!(refused(configured.options_hash, &other).code(), "wrong_identity");
    assert!(
        check_options(WHAT, configured, configured.options_hash, configured.options_text.as_bytes()).is_ok()
    );
    assert_eq!(to_bytes(&env)[HEADER..body_at(&to_bytes(&env))], *configured.options_text.as_bytes());
}

#[test]
fn saves_have_a_largest_size() {
    let env = played("score", 2);
    let mut bytes = to_bytes(&env);
    bytes.resize(MAX_BYTES, 0);
    let said = from_bytes(env.configured(), &bytes).unwrap_err().to_string();
    assert!(said.contains("bytes after the header, which says"), "{said}");
    bytes.push(0);
    let said = from_bytes(env.configured(), &bytes).unwrap_err().to_string();
    assert_eq!(said, "cannot read saved state: 65537 bytes; allowed: 65536");
}

#[test]
fn at_most_twenty_problems_are_listed() {
    let env = running();
    let mut json = env.to_json(None).unwrap();
    for number in 0..50 {
        json[format!("strange{number}")] = number.into();
        json["state"][format!("strange{number}")] = number.into();
    }
    let error = from_json(env.configured(), &json.to_string(), 0).unwrap_err();
    assert!(error.to_string().ends_with("at most 20 are listed: there may be more"), "{error}");
    let Error::InvalidState { problems } = error else { panic!("{error}") };
    assert_eq!(problems.len(), Error::LISTED);
}

#[test]
fn the_previous_format_is_refused_by_number() {
    let env = played("score", 2);
    let mut bytes = to_bytes(&env);
    bytes[4] = 1;
    let said = from_bytes(env.configured(), &bytes).unwrap_err().to_string();
    assert!(said.contains("format 1.0; this build reads format 2.0"), "{said}");
}

const KINDS: [&str; 3] = ["outcome", "score", "score_delta"];

#[test]
fn conf_c15_returns_depend_on_the_kind_of_reward_of_the_loader() {
    let mut differing = 0;
    for (from, to) in KINDS.iter().flat_map(|from| KINDS.iter().map(move |to| (from, to))) {
        for decisions in [0, 3, 8, 1000] {
            let (saved, truth) = (played(from, decisions), played(to, decisions));
            differing += usize::from(saved.returns() != truth.returns());
            let bytes = from_bytes(truth.configured(), &to_bytes(&saved)).unwrap();
            let text = saved.to_json(None).unwrap().to_string();
            let json = from_json(truth.configured(), &text, 0).unwrap();
            for mut loaded in [bytes, json] {
                assert_eq!(loaded.returns(), truth.returns(), "{from} as {to} after {decisions}");
                let mut truth = truth.clone();
                while let Some(player) = truth.current_player() {
                    let action = truth.sample_action(player).unwrap();
                    truth.step(action.0.into()).unwrap();
                    loaded.step(action.0.into()).unwrap();
                }
                assert_eq!(loaded.returns(), truth.returns(), "{from} as {to} at the end");
            }
        }
    }
    assert!(differing > 4, "{differing}: the kinds must differ for this to say anything");
}

/// The refusal of a document with one value changed.
fn refusal(env: &Env<Toll>, name: &str, value: Value) -> String {
    let mut json = env.to_json(None).unwrap();
    json[name] = value;
    from_json(env.configured(), &json.to_string(), 0).unwrap_err().to_string()
}

#[test]
fn conf_c8_derived_fields_must_agree() {
    let env = played("score_delta", 1000);
    assert_eq!(env.status(), Status::Terminated);
    let returns = env.returns().to_vec();
    let must = |text: &str| format!("what it follows from gives {text}: leave it out, or give that");
    assert!(
        refusal(&env, "status", "running".into())
            .contains(&format!("status: got \"running\"; {}", must("\"terminated\"")))
    );
    assert!(refusal(&env, "acting", json!([0])).contains(&format!("acting: got [0]; {}", must("[]"))));
    let mut other = returns.clone();
    other[1] += 1.0;
    let said = refusal(&env, "returns", json!(other));
    assert!(
        said.contains("returns[1]: got") && said.contains(&must(&format!("{:.1}", returns[1]))),
        "{said}"
    );
    assert!(refusal(&env, "returns", json!([1])).contains("returns: got [1]"));
    assert!(refusal(&env, "returns", json!("many")).contains("returns: got \"many\""));
    assert!(refusal(&env, "reward", json!("outcome")).contains("returns[0]: got"));
    assert!(refusal(&env, "reward", json!("money")).contains("reward: got \"money\"; allowed: `outcome`"));
    // All of them at once, and none of them.
    let mut json = env.to_json(None).unwrap();
    (json["status"], json["acting"], json["returns"]) = (json!(1), json!(1), json!(1));
    let said = from_json(env.configured(), &json.to_string(), 0).unwrap_err().to_string();
    assert_eq!(said.lines().count(), 4, "{said}");
    for name in ["status", "acting", "returns", "reward", "max_steps"] {
        json.as_object_mut().unwrap().shift_remove(name);
    }
    let loaded = from_json(env.configured(), &json.to_string(), 0).unwrap();
    assert_eq!((loaded.status(), loaded.returns()), (env.status(), env.returns()));
}

#[test]
fn conf_c8_a_repeated_key_is_refused() {
    let env = played("score", 2);
    let text = env.to_json(None).unwrap().to_string();
    let state = env.to_json(None).unwrap()["state"].to_string();
    let doubled = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        from_json(env.configured(), &text.replacen(from, to, 1), 0).unwrap_err().to_string()
    };
    let said = doubled(r#""state":{"#, r#""state":{"turn":0,"#);
    assert!(said.contains("saved state: state.turn: this key is there twice"), "{said}");
    let said = doubled(r#""options":{"#, r#""options":{"players":2,"#);
    assert!(said.contains("saved state: options.players: this key is there twice"), "{said}");
    let said = doubled(r#""seed":"#, &format!(r#""state":{state},"seed":"#));
    assert!(said.contains("saved state: state: this key is there twice"), "{said}");
}

#[test]
fn conf_c6_a_truncated_episode_continues_with_a_larger_max_steps() {
    let short = toll(&json!({"max_steps": 2}));
    let mut env = Env::new(short.clone(), 7);
    while let Some(player) = env.current_player() {
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    let text = env.to_json(None).unwrap().to_string();
    assert_eq!(from_json(&short, &text, 0).unwrap().status(), Status::Truncated);
    assert_eq!(from_json(&toll(&json!({})), &text, 0).unwrap().status(), Status::Running);
    assert!(refusal(&env, "max_steps", 0.into()).contains("status: got \"truncated\""));
}
