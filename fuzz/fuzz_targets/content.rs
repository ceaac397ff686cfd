#![no_main]
mod common;
use libfuzzer_sys::fuzz_target;

// A content file for each game that has one; what is accepted is played.
fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Each is also read as a long one, now and then: short ones tell nothing of times.
    let long = (data.len() % 8 == 0).then(|| common::stretched(text, playmat_core::content::Content::MAX_BYTES));
    for text in long.as_deref().into_iter().chain([text]) {
        for entry in playmat_seeds::GAMES {
            if (entry.specs)().iter().any(|spec| spec.name == "content") {
                let given = serde_json::json!({ "content": text });
                let make = || playmat_seeds::make(entry.id, given.as_object().unwrap());
                if let Ok(game) = common::in_time(text.len(), make) {
                    assert!(game.info().problems().is_empty());
                    common::play_on(game.env(0));
                }
            }
        }
    }
});
