//! Pictures in which a host has written names in place of `player 1`.

/// The picture with a name of 20 letters for every player.
pub(crate) fn named(svg: &str) -> String {
    (0..8).fold(svg.to_string(), |svg, player| {
        let name = format!("Maximiliana Overby {player}");
        ["Player ", "player ", "players "]
            .iter()
            .fold(svg, |svg, called| svg.replace(&format!("{called}{player}"), &name))
            .replace(&format!(" and {player}"), &format!(" and {name}"))
    })
}
