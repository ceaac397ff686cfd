//! Where two documents, texts or observations differ, in words.

use playmat_core::info::GameInfo;
use serde_json::Value;

/// `None` if equal, otherwise where two JSON values differ first and how.
pub(crate) fn json_difference(a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            for (key, value) in x {
                let Some(other) = y.get(key) else { return Some(format!(".{key} only in one")) };
                if let Some(at) = json_difference(value, other) {
                    return Some(format!(".{key}{at}"));
                }
            }
            y.keys().find(|key| !x.contains_key(*key)).map(|key| format!(".{key} only in the other"))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => x
            .iter()
            .zip(y)
            .enumerate()
            .find_map(|(i, (value, other))| json_difference(value, other).map(|at| format!("[{i}]{at}"))),
        _ if a == b => None,
        _ => Some(format!(": {} and {}", cut(&a.to_string()), cut(&b.to_string()))),
    }
}

/// A text for a message, cut to 80 characters.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}

/// Where two texts differ first, for a message.
pub(crate) fn text_difference(a: &str, b: &str) -> String {
    let at = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let from = at.saturating_sub(20);
    let piece = |text: &str| text.chars().skip(from).take(60).collect::<String>();
    format!("at character {at}: `{}` and `{}`", piece(a), piece(b))
}

/// The segment that holds a byte of the observation, and where in it.
pub(crate) fn segment_at(info: &GameInfo, byte: usize) -> String {
    let found = info.observation.segments.iter().find(|s| (s.offset..s.offset + s.len()).contains(&byte));
    found.map_or_else(|| format!("byte {byte}"), |s| format!("{}[{}]", s.name, byte - s.offset))
}

/// Where two observations differ first.
pub(crate) fn observation_difference(info: &GameInfo, a: &[u8], b: &[u8]) -> Option<String> {
    let at = a.iter().zip(b).position(|(x, y)| x != y)?;
    Some(format!("{}: {} and {}", segment_at(info, at), a[at], b[at]))
}
