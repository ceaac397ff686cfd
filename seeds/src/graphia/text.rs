//! Texts of actions, events and shapes.

use super::Graphia;
use super::action::Choice;
use super::board::{Cell, SIDE};
use super::json::place_json;
use super::rules::{Deck, Event};
use super::score::POINT_LINES;
use super::state::{Phase, Placement, State, Terrain};
use playmat_core::prelude::*;

/// Text of an action; with a state as the player sees it.
pub(super) fn action_text(game: &Graphia, state: Option<(&State, Seat)>, action: Action) -> String {
    let place = match game.choice(action) {
        Choice::Shape(kind) => return format!("shape {}", game.shape(kind).id),
        Choice::Place(place) => place,
    };
    let (turn, square) = (place.turn(), square(place.cell()));
    match state.map(|(state, seat)| (state, state.phase, state.shapes[seat.index()], state.terrain)) {
        Some((_, Phase::Nexus, ..)) if turn == 0 => format!("nexus at {square}"),
        Some((_, Phase::Place, Some(kind), Some(terrain))) => {
            format!("place {} turned {turn} at {square} as {}", game.shape(kind).id, terrain.name())
        }
        _ => format!("place turned {turn} at {square}"),
    }
}

/// The action of a text; with a state, the long forms must fit it.
pub(super) fn parse_action(game: &Graphia, state: Option<(&State, Seat)>, text: &str) -> Option<Action> {
    let text = text.trim().to_lowercase();
    if let Some(id) = text.strip_prefix("shape ") {
        return game.kind(id).map(|kind| game.shape_action(kind));
    }
    if let Some(square) = text.strip_prefix("nexus at ") {
        let cell = parse_square(square)?;
        let fits = state.is_none_or(|(state, _)| state.phase == Phase::Nexus);
        return fits.then(|| game.place_action(Placement::new(0, cell)));
    }
    let rest = text.strip_prefix("place ")?;
    // Names of shapes may hold any words: the fixed ones are looked for from the end.
    let (rest, terrain) = match rest.rsplit_once(" as ") {
        Some((rest, name)) if rest.ends_with(')') => {
            (rest, Some(Terrain::ALL.into_iter().find(|t| t.is_six() && t.name().to_lowercase() == name)?))
        }
        _ => (rest, None),
    };
    let (rest, square) = rest.rsplit_once(" at ")?;
    let (shape, turn) = match rest.strip_prefix("turned ") {
        Some(turn) if !turn.contains(' ') => (None, turn),
        _ => {
            let (id, turn) = rest.rsplit_once(" turned ")?;
            (Some(game.kind(id)?), turn)
        }
    };
    let turn = ["0", "1", "2", "3"].iter().position(|&t| t == turn)?;
    if let (Some((state, seat)), true) = (state, shape.is_some() || terrain.is_some()) {
        let fits = state.phase == Phase::Place
            && (shape.is_none() || shape == state.shapes[seat.index()])
            && (terrain.is_none() || terrain == state.terrain);
        if !fits {
            return None;
        }
    }
    Some(game.place_action(Placement::new(turn, parse_square(square)?)))
}

/// One event for a viewer.
pub(super) fn event_json(game: &Graphia, event: &Event, viewer: Option<Seat>) -> Option<Object> {
    let hidden_from = |seat: Seat| viewer.is_some_and(|viewer| viewer != seat);
    let id = |kind| game.shape(kind).id.as_str();
    match *event {
        Event::DeckRenewed(deck) => {
            let deck = if deck == Deck::Terrain { "terrain" } else { "polyomino" };
            event!("deck_renewed", deck)
        }
        Event::TerrainTurned { round, terrain } => {
            event!("terrain_turned", round, terrain: terrain.name())
        }
        Event::PairShown([a, b]) => {
            // In the order of the content, as in a position: no view holds which card was turned first.
            let [first, second] = [a.min(b), a.max(b)];
            event!("pair_shown", shapes: [id(first), id(second)])
        }
        Event::DieRolled(number) => event!("die_rolled", number),
        Event::Desolation(Some(n)) => event!("desolation", number: n, square: [n, n]),
        Event::Desolation(None) => event!("desolation", number: Value::Null, square: Value::Null),
        Event::ShapeChosen(seat, _) | Event::PlacementChosen(seat, _) if hidden_from(seat) => None,
        Event::ShapeChosen(seat, kind) => {
            event!("shape_chosen", seat, shape: id(kind))
        }
        Event::ShapeForced(seat, kind) => {
            event!("shape_forced", seat, shape: id(kind))
        }
        Event::PlacementChosen(seat, place) => {
            event!("placement_chosen", seat, place: place_json(place))
        }
        Event::Drawn { seat, terrain, shape, place } => {
            event!("drawn", seat, terrain: terrain.name(), shape: shape.map(id), place: place_json(place), squares: game.covered(shape, place))
        }
        Event::Skipped(seat) => event!("skipped", seat),
        Event::ScoreChanged { seat, from, to } => {
            event!("score_changed", seat, from, to)
        }
        Event::GameOver => event!("game_over"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(_: &Graphia, fields: EventFields<'_>) -> String {
    let who = fields.player("seat");
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
    let entry = |shape: &super::content::Shape| ContentEntry {
        kind: "shape",
        id: shape.id.clone(),
        name: shape.id.clone(),
        copies: Some(shape.copies.into()),
        text: format!("{}: {}", count(shape.squares as i64, "square"), rows(shape)),
    };
    game.shapes().iter().map(entry).collect()
}

/// What the lines of the score sheets brought.
pub(super) fn figures(game: &Graphia, state: &State) -> Vec<Figure> {
    let mut figures = Vec::new();
    for player in Seat::all(game.players()) {
        let lines = game.lines(&state.sheets[player.index()].tally);
        let (points, groups) = lines.split_at(POINT_LINES);
        for (table, lines) in [("terrain", points), ("largest group of terrain", groups)] {
            figures.extend(Terrain::ALL.iter().zip(lines).map(|(terrain, &points)| Figure {
                table,
                name: terrain.name().into(),
                player,
                times: 1,
                points: points.into(),
            }));
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

/// The square of `(row,column)`.
fn parse_square(text: &str) -> Option<Cell> {
    let (row, column) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let number = |text: &str| {
        let text = text.trim();
        (1..=SIDE).find(|n| n.to_string() == text)
    };
    Some(Cell::at(number(row)?, number(column)?))
}
