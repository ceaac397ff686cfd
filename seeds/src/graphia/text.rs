//! Texts of actions, events and shapes.

use super::Graphia;
use super::action::Choice;
use super::board::{Cell, SIDE};
use super::json::place_json;
use super::rules::{Deck, Event};
use super::score::POINT_LINES;
use super::state::{Phase, Placement, State, Terrain, Zone};
use playmat_core::prelude::*;

/// Text of an action; with a state as the player sees it.
pub(super) fn action_text(game: &Graphia, state: Option<(&State, Player)>, action: Action) -> String {
    let place = match game.choice(action) {
        Choice::Shape(kind) => return format!("shape {}", game.shape(kind).id),
        Choice::Place(place) => place,
    };
    let (turn, square) = (place.turn(), square(place.cell()));
    match state.map(|(state, player)| (state, state.phase, state.shapes[player.index()], state.terrain)) {
        Some((_, Phase::Nexus, ..)) if turn == 0 => format!("nexus at {square}"),
        Some((_, Phase::Place, Some(kind), Some(terrain))) => {
            format!("place {} turned {turn} at {square} as {}", game.shape(kind).id, terrain.name())
        }
        _ => format!("place turned {turn} at {square}"),
    }
}

/// One event for a viewer.
pub(super) fn event_json(game: &Graphia, event: &Event, viewer: Option<Player>) -> Option<Object> {
    let sees_choice = |player: Player| Zone::Choice(player).is_seen_by(viewer);
    let id = |kind| game.shape(kind).id.as_str();
    match *event {
        Event::DeckRenewed(deck) => {
            let deck = if deck == Deck::Terrain { "terrain" } else { "polyomino" };
            event!("deck_renewed", deck)
        }
        Event::TerrainTurned { round, terrain } => event!("terrain_turned", round, terrain: terrain.name()),
        Event::PairShown([a, b]) => {
            // In the order of the content, as in a position: no view holds which card was turned first.
            let [first, second] = [a.min(b), a.max(b)];
            event!("pair_shown", shapes: [id(first), id(second)])
        }
        Event::DieRolled(number) => event!("die_rolled", number),
        Event::Desolation(Some(n)) => event!("desolation", number: n, square: [n, n]),
        Event::Desolation(None) => event!("desolation", number: Value::Null, square: Value::Null),
        Event::ShapeChosen(player, _) | Event::PlacementChosen(player, _) if !sees_choice(player) => None,
        Event::ShapeChosen(player, kind) => event!("shape_chosen", player: player, shape: id(kind)),
        Event::ShapeForced(player, kind) => event!("shape_forced", player: player, shape: id(kind)),
        Event::PlacementChosen(player, place) => {
            event!("placement_chosen", player: player, place: place_json(place))
        }
        Event::Drawn { player, terrain, shape, place } => {
            event!("drawn", player: player, terrain: terrain.name(), shape: shape.map(id), place: place_json(place), squares: game.covered(shape, place))
        }
        Event::Skipped(player) => event!("skipped", player: player),
        Event::ScoreChanged { player, from, to } => event!("score_changed", player: player, from, to),
        Event::GameOver => event!("game_over"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(_: &Graphia, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    let (shape, terrain) = (fields.text("shape"), fields.text("terrain").unwrap_or_default());
    let at = |place: &Value| format!("({},{})", place["row"], place["column"]);
    let place = fields.0.get("place").map(at).unwrap_or_default();
    let number = fields.number("number");
    sentence(&match fields.event() {
        "deck_renewed" => format!("the {} cards are shuffled", fields.text("deck").unwrap_or_default()),
        "terrain_turned" => format!("round {}: the terrain is {terrain}", fields.number("round")),
        "pair_shown" => format!("the shapes are {}", and(&fields.list("shapes"))),
        "die_rolled" => format!("the die shows {number}"),
        "desolation" if number == 0 => "no square is left for the Desolation".into(),
        "desolation" => format!("a Desolation lies on ({number},{number}) of every sheet"),
        "shape_chosen" => format!("{who} chooses shape {}", shape.unwrap_or_default()),
        "shape_forced" => format!("{who} can draw only shape {}", shape.unwrap_or_default()),
        "placement_chosen" => format!("{who} chooses where to draw: {place}"),
        "drawn" => match shape {
            Some(shape) => format!("{who} draws shape {shape} as {terrain} at {place}"),
            None => format!("{who} draws a {terrain} at {place}"),
        },
        "skipped" => format!("{who} cannot draw in this round"),
        "score_changed" => {
            let (from, to) = (fields.number("from"), fields.number("to"));
            format!("{who} has {}, {:+}", count(to, "point"), to - from)
        }
        "game_over" => "the game is over".into(),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}

/// The shapes for people.
pub(super) fn content_entries(game: &Graphia) -> Vec<ContentEntry> {
    let rows = |shape: &super::content::Shape| {
        let flat = &shape.orientations[0];
        let squares = &flat.offsets[..shape.squares];
        let mark = |row: usize, column: usize| {
            if squares.contains(&((row * SIDE + column) as u8)) { '#' } else { '.' }
        };
        let row = |row| (0..usize::from(flat.width)).map(|column| mark(row, column)).collect::<String>();
        (0..usize::from(flat.height)).map(row).collect::<Vec<_>>().join(" / ")
    };
    let entry = |shape: &super::content::Shape| {
        let text = format!("{}: {}", count(shape.squares as i64, "square"), rows(shape));
        ContentEntry::new("shape", &shape.id, &shape.id, Some(shape.copies.into()), text)
    };
    game.shapes().iter().map(entry).collect()
}

/// What the lines of the score sheets brought.
pub(super) fn figures(game: &Graphia, state: &State) -> Vec<Figure> {
    let mut figures = Vec::new();
    for player in Player::all(game.players()) {
        let lines = game.lines(&state.sheets[player.index()].score);
        let (points, groups) = lines.split_at(POINT_LINES);
        for (table, lines) in [("terrain", points), ("largest group of terrain", groups)] {
            let figure = |(terrain, &points): (&Terrain, &_)| {
                Figure::new(table, terrain.name(), player, i32::from(points))
            };
            figures.extend(Terrain::ALL.iter().zip(lines).map(figure));
        }
    }
    figures
}

impl Graphia {
    /// Row and column of each square that a drawing covers; without a shape it is one square.
    fn covered(&self, shape: Option<super::state::Kind>, place: Placement) -> Vec<[usize; 2]> {
        let squares = match shape {
            Some(kind) => self.shape(kind).squares_at(place.turn(), place.cell().index()),
            None => super::board::Board::one(place.cell()),
        };
        squares.iter().map(|cell| [cell.row(), cell.column()]).collect()
    }
}

/// `(row,column)`.
fn square(cell: Cell) -> String {
    format!("({},{})", cell.row(), cell.column())
}
