//! What the names of an observation's segments say.

/// The player that a segment of an observation is about, counted from the viewer, and the rest of its name: 2 and `hand` for `other2_hand`,
/// 0 and `hand` for `own_hand`. `None` where the segment is about no single player.
pub fn subject(name: &str) -> Option<(usize, &str)> {
    match name {
        "own" => return Some((0, "")),
        "other" => return Some((1, "")),
        _ => {}
    }
    if let Some(rest) = name.strip_prefix("own_") {
        return Some((0, rest));
    }
    // With two players, the other one needs no number.
    if let Some(rest) = name.strip_prefix("other_") {
        return Some((1, rest));
    }
    let digits = name.strip_prefix("other")?;
    let (number, rest) = digits.split_once('_')?;
    Some((number.parse().ok()?, rest))
}
