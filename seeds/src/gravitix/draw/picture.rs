//! The whole table as a picture.
use super::Table;
use playmat_core::prelude::*;
pub(super) fn draw(table: &Table<'_>) -> String {
    let mut svg = Svg::new(100.0, 100.0);
    svg.text((10.0, 50.0), 12.0, Anchor::Start, "#000", true, &table.prompt());
    svg.finish()
}
