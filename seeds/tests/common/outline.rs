//! A picture in a few lines: what a snapshot compares, so that moving a line by a pixel changes nothing.

use playmat_core::env::Env;
use playmat_core::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The size of an SVG, how many of each element it has by fill, and its texts in order.
pub(crate) fn outline(svg: &str) -> String {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0.to_string())
    };
    let mut counts: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
    let mut texts = Vec::new();
    for piece in svg.split('<').skip(1).filter(|piece| !piece.starts_with('/')) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        let fill = attribute(tag, "fill").unwrap_or_default();
        *counts.entry(name).or_default().entry(fill).or_default() += 1;
        texts.extend(Some(text.trim()).filter(|text| !text.is_empty()));
    }
    let size = svg.split_once('>').map(|(tag, _)| attribute(tag, "viewBox").unwrap_or_default());
    let mut out = format!("viewBox {}\n", size.unwrap_or_default());
    for (name, fills) in counts {
        let _ = write!(out, "{name} {}:", fills.values().sum::<u32>());
        fills.iter().for_each(|(fill, count)| out.push_str(&format!(" {fill} x{count}")));
        out.push('\n');
    }
    playmat_core::terminal::wrap_parts(&mut out, "texts: ", "  ", &texts, " | ");
    out
}

/// The text of a position for a viewer.
pub(crate) fn text<G: Show>(env: &Env<G>, viewer: Option<u8>) -> String {
    env.configured().game.draw_text(env.state(), viewer.map(Player))
}

/// The outline of the picture of a position for a viewer.
pub(crate) fn picture<G: Show>(env: &Env<G>, viewer: Option<u8>) -> String {
    outline(&env.configured().game.draw_svg(env.state(), viewer.map(Player)))
}

/// A test for each snapshot: its name, that of the snapshot, and whether text or picture of which position for which viewer.
macro_rules! snapshots {
    ($($test:ident: $name:literal = $form:ident($env:expr, $viewer:expr);)+) => {
        $(
            #[test]
            fn $test() {
                insta::assert_snapshot!($name, crate::outline::$form(&$env, $viewer));
            }
        )+
    };
}
pub(crate) use snapshots;
