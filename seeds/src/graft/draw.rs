//! The table as people see it.

use super::Graft;
use super::state::State;
use playmat_core::prelude::*;

pub(super) fn text(_game: &Graft, _state: &State, _viewer: Option<Seat>) -> String {
    String::new()
}

pub(super) fn svg(_game: &Graft, _state: &State, _viewer: Option<Seat>) -> String {
    Svg::new(10.0, 10.0).finish()
}
