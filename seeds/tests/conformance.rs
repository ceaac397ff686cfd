//! What the conformance suite says of all games together, and the table of their digests. With `UPDATE=1` the table is written.

use playmat_conformance::{CHECKS, IN_BINDINGS, golden};
use playmat_core::digest;
use playmat_seeds::GAMES;
use serde_json::{Map, json};
use std::fs;
use std::path::Path;

macro_rules! names {
    ($($id:ident = $entry:path),+ $(,)?) => { [$(stringify!($id)),+] };
}

#[test]
fn the_registry_names_each_game_by_its_id() {
    let ids: Vec<&str> = GAMES.iter().map(|entry| entry.id).collect();
    assert_eq!(ids, playmat_seeds::registered_games!(names), "seeds/src/lib.rs");
}

/// The suite itself, and the checks of pages, golden playthroughs and texts, run beside each game's other tests: `tests/<game>/conformance.rs`.
#[test]
fn every_game_has_its_lines() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for game in GAMES {
        let own = tests.join(game.id).join("conformance.rs");
        let (file, entry) = if own.exists() {
            (own, "ENTRY".to_string())
        } else {
            (tests.join("classics/conformance.rs"), game.id.to_uppercase())
        };
        let lines = fs::read_to_string(&file).expect("the folder of tests holds it");
        let lines: String = lines.split_whitespace().collect();
        for line in [format!(",{entry},players="), format!(",{entry},files({entry}.id));")] {
            assert!(lines.contains(&line), "no line for {} in {}: {line}", game.id, file.display());
        }
    }
}

/// Properties that only a binding has are tested there, under the identifier of the catalogue.
#[test]
fn every_check_of_the_bindings_has_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/python");
    let mut tests = String::new();
    for file in fs::read_dir(&folder).expect("the folder of the Python tests") {
        let path = file.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "py") {
            tests += &fs::read_to_string(path).expect("a text");
        }
    }
    for (id, title) in IN_BINDINGS {
        assert!(CHECKS.iter().all(|check| check.id != *id), "{id} is a check of the suite, too");
        let name = format!("\ndef test_conf_{}_", id.to_lowercase());
        assert!(tests.contains(&name), "{id} ({title}): no test in {}", folder.display());
    }
}

/// S9: the table of digests that is shipped with the Python package and compared there by `playmat digest`.
#[test]
fn conf_s9_digests() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/playmat/digests.json");
    let mut games = Map::new();
    for entry in GAMES {
        let (mut version, mut digests) = (0, Map::new());
        for given in entry.configurations().expect("defaults are allowed") {
            let game = (entry.make)(&given).expect("allowed options");
            version = game.info().version;
            digests.insert(digest::name_of(&given), game.digest(DIGEST_EPISODES).to_string().into());
        }
        games.insert(entry.id.into(), json!({ "version": version, "digests": digests }));
    }
    let table = json!({ "episodes": DIGEST_EPISODES, "games": games });
    let text = serde_json::to_string_pretty(&table).expect("plain JSON") + "\n";
    let update = std::env::var_os("UPDATE").is_some();
    golden::against_file(&file, &text, update).unwrap_or_else(|error| panic!("{error}"));
}

/// Episodes that each digest of the table runs over.
const DIGEST_EPISODES: u64 = 20;
