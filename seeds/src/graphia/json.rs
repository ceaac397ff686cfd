//! The JSON form of a state (GG-R21): each field is declared once. The declaration writes, reads and checks it.

use super::Graphia;
use super::board::{CELLS, Cell, SIDE};
use super::score::POINT_LINES;
use super::state::{Kind, LAST_ROUND, MAX_KINDS, Placement, Sheet, State, Terrain};
use playmat_core::document::{
    self, At, Document, Form, Names, counts, each, name_or_null, name_set, number, number_or_null,
    number_set, with,
};
use playmat_core::prelude::*;

/// The form for a viewer. It says who has to choose, which is public, not who has chosen.
pub(super) fn describe(game: &Graphia, state: &State, viewer: Option<Player>) -> Value {
    Document::write(viewer, |doc| game.declare(&mut state.clone(), doc))
}

/// Reads a position and plays on until somebody must choose or the game is over.
pub(super) fn restore(game: &Graphia, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
    let empty = State { terrains_left: 0, ..State::new(game.players, [0; MAX_KINDS]) };
    let declare = |state: &mut State, doc: &mut Document<'_>| game.declare(state, doc);
    let mut state = document::restore(json, empty, declare, |state, reading| {
        reading.also(game.card_problems(state));
        reading.also(game.sheet_problems(state));
        if reading.is_fine() {
            for sheet in &mut state.sheets[..game.players] {
                sheet.score = game.scoring.score(sheet);
            }
            let (entered, problems) = game.enter_with_choices(state);
            *state = entered;
            reading.also(problems);
        }
    })?;
    game.play_on(&mut state, rng, &mut Silent);
    Ok(state)
}

impl Graphia {
    fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let terrains = Names::new("terrain", Terrain::ALL.map(|terrain| (terrain.name(), terrain)));
        let bits = Names::new("terrain", Terrain::ALL.map(|terrain| (terrain.name(), terrain.index() as u8)));
        let ids = || self.shapes.iter().map(|shape| shape.id.as_str());
        let kinds = Names::new("shape", ids().zip((0..).map(Kind)));
        let indices = Names::new("shape", ids().zip(0..));
        let whole = *state;
        let players = self.players;
        doc.field("round", number(&mut state.round, 1..=LAST_ROUND.into()));
        doc.field("terrain", name_or_null(&mut state.terrain, &terrains));
        doc.optional("pair", pair(&mut state.pair, &kinds));
        doc.optional("number", number_or_null(&mut state.number, 0, 1..=12));
        doc.field("terrain_left", name_set(&mut state.terrains_left, &bits));
        doc.field("shapes_left", counts(&mut state.shapes_left, &indices, &self.deck, true));
        doc.field("desolations_used", number_set(&mut state.used, 1..=12));
        doc.field(
            "sheets",
            each(&mut state.sheets[..players], "players", |sheet| rows(sheet).into(), read_sheet),
        );
        let (mut shapes, mut places) = (whole.shapes, whole.places);
        for player in Player::all(players) {
            // What was forced follows from the rest.
            shapes[player.index()] = shapes[player.index()].filter(|_| whole.chose.contains(player));
            places[player.index()] = places[player.index()].filter(|_| whole.deciders.contains(player));
        }
        doc.complete(|doc| {
            doc.optional_each("choices", players, "players", |i, doc| {
                doc.optional("shape", name_or_null(&mut shapes[i], &kinds));
                doc.optional("place", place(&mut places[i]));
            });
        });
        doc.for_viewer("own_choice", |viewer| {
            let shape = whole.shapes[viewer.index()].map(|kind| kinds.name_of(kind));
            json!({ "shape": shape, "place": whole.places[viewer.index()].map(place_json) })
        });
        if doc.is_reading() {
            (state.shapes, state.places) = (shapes, places);
        }
        doc.derived("phase", || whole.phase.name().into());
        doc.derived("deciders", || whole.deciders.iter().map(|player| player.0).collect());
        doc.derived("scores", || {
            whole.sheets[..players].iter().map(|sheet| self.score_json(sheet)).collect()
        });
    }

    /// The score sheet, lines as they count under the options.
    fn score_json(&self, sheet: &Sheet) -> Value {
        let lines = self.lines(&sheet.score);
        let named = |lines: &[i16]| -> Object {
            Terrain::ALL.iter().zip(lines).map(|(t, &line)| (t.name().into(), line.into())).collect()
        };
        let touches: Vec<&str> = Terrain::ALL[..Terrain::SIX]
            .iter()
            .filter(|t| sheet.score.touch >> t.index() & 1 != 0)
            .map(|t| t.name())
            .collect();
        json!({
            "points": named(&lines[..POINT_LINES]),
            "groups": named(&lines[POINT_LINES..]),
            "touches_nexus": touches,
            "empty": sheet.score.empty,
            "total": sheet.score.total,
        })
    }
}

/// The two shapes that are shown, or `null`.
fn pair<'a>(pair: &'a mut Option<[Kind; 2]>, kinds: &'a Names<'a, Kind>) -> impl Form + 'a {
    with(
        pair,
        |pair| json!(pair.map(|pair| pair.map(|kind| kinds.name_of(kind)))),
        |pair, given, at| {
            let Some(list) = at.list(given) else { return };
            let shown = list.iter().enumerate().filter_map(|(i, id)| at.entry(i).name(id, kinds));
            match shown.collect::<Vec<_>>()[..] {
                // In the order of the content: no view holds which card was turned first.
                [a, b] if list.len() == 2 => *pair = Some([a.min(b), a.max(b)]),
                _ if list.len() != 2 => at.problem(format!("{} shapes; two are shown", list.len())),
                _ => {}
            }
        },
    )
}

/// A placement, or `null`.
fn place(place: &mut Option<Placement>) -> impl Form + '_ {
    with(
        place,
        |place| place.map(place_json).into(),
        |place, given, at| {
            let mut fields = [0; 3];
            let declare = |doc: &mut Document<'_>| {
                let [turn, row, column] = &mut fields;
                doc.field("turn", number(turn, 0..=3));
                doc.field("row", number(row, 1..=SIDE as i64));
                doc.field("column", number(column, 1..=SIDE as i64));
            };
            if at.document(given, declare) {
                let [turn, row, column] = fields.map(|field: i64| field as usize);
                *place = Some(Placement::new(turn, Cell::at(row, column)));
            }
        },
    )
}

/// A placement in JSON.
pub(super) fn place_json(place: Placement) -> Value {
    let cell = place.cell();
    json!({ "turn": place.turn(), "row": cell.row(), "column": cell.column() })
}

/// A sheet as twelve rows of letters.
pub(super) fn rows(sheet: &Sheet) -> Vec<String> {
    let letters: Vec<char> =
        (0..CELLS as u8).map(|cell| sheet.at(Cell(cell)).map_or('.', Terrain::letter)).collect();
    letters.chunks(SIDE).map(|row| row.iter().collect()).collect()
}

fn read_sheet(sheet: &mut Sheet, given: &Value, at: &mut At<'_>) {
    let Some(rows) = at.list(given) else { return };
    if rows.len() != SIDE {
        at.problem(format!("{} rows; a sheet has {SIDE}", rows.len()));
    }
    for (r, row) in rows.iter().enumerate().take(SIDE) {
        let mut at = at.entry(r);
        let Some(row) = at.text(row) else { continue };
        let length = row.chars().count();
        if length != SIDE {
            at.problem(format!("{length} letters; a row has {SIDE}"));
        }
        for (c, letter) in row.chars().enumerate().take(SIDE).filter(|(_, letter)| *letter != '.') {
            match Terrain::from_letter(letter) {
                Some(terrain) => sheet.set_plane(terrain, sheet.plane(terrain).with(Cell::at(r + 1, c + 1))),
                None => {
                    let letter = letter.escape_debug();
                    at.problem(format!("`{letter}` in column {}; allowed: MFRDTAXO and `.`", c + 1));
                }
            }
        }
    }
}
