//! What every drawing keeps, whatever the position and the names of a content. It measures texts with resvg: a dev-dependency of the game.

#[path = "boxes.rs"]
pub(crate) mod boxes;

use playmat_core::env::Env;
use playmat_core::prelude::*;

/// Asserts that lines of the text fit a terminal, and that pictures can share a page, in both of which neither ids nor names of a content
/// mean anything, and that their texts are apart. For who sees all and for player 0. Returns how many texts the pictures have.
pub(crate) fn check<G: Show>(env: &Env<G>) -> usize {
    let (game, state, mut texts) = (&env.configured().game, env.state(), 0);
    for viewer in [None, Some(Player(0))] {
        let text = game.draw_text(state, viewer);
        let is_short = |line: &str| line.chars().count() <= 100 && line.trim_end() == line;
        assert!(text.lines().all(is_short), "{text}");
        let svg = game.draw_svg(state, viewer);
        assert!(
            ![" id=", "url(", "href", "NaN"].iter().any(|name| svg.contains(name)),
            "ids could collide: {svg}"
        );
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(svg.len() < 40_000 * (1 + game.info().players), "{} bytes", svg.len());
        texts += boxes::texts_are_apart(&svg);
    }
    texts
}
