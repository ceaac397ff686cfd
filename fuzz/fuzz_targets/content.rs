#![no_main]
mod common;
use libfuzzer_sys::fuzz_target;

// A content file for each game that has one; what is accepted is played.
fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for entry in playmat_seeds::GAMES {
        if (entry.specs)().iter().any(|spec| spec.name == "content") {
            let given = serde_json::json!({ "content": text });
            if let Ok(game) = playmat_seeds::make(entry.id, given.as_object().unwrap()) {
                assert!(game.info().problems().is_empty());
                common::play_on(game.env(0));
            }
        }
    }
});
