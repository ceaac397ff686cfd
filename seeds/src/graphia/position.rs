//! Positions from outside (GG-R21, R22): JSON to a state, and what is wrong with a state.

use super::Graphia;
use super::board::{Board, CELLS, Cell, SIDE};
use super::state::{Kind, LAST_ROUND, MAX_KINDS, PLACEMENTS, Phase, Placement, Sheet, State, Terrain};
use playmat_core::fields::{Fields, Found, entries, items, typed};
use playmat_core::prelude::*;
use playmat_core::save::difference;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The JSON form of a position. What follows from the rest may be left out; given, it must agree.
struct Position {
    round: i64,
    terrain: String,
    pair: Option<Vec<String>>,
    number: Option<i64>,
    terrain_left: Vec<String>,
    shapes_left: BTreeMap<String, i64>,
    desolations_used: Vec<i64>,
    sheets: Vec<Vec<String>>,
    choices: Option<Vec<ChoiceJson>>,
    phase: Option<Value>,
    asked: Option<Value>,
    scores: Option<Value>,
}

impl Position {
    /// Reads every field, and says of all of them at once what is missing, mistyped or unknown. With the position come the fields that
    /// do not exist: they keep nothing else from being looked at.
    fn read(json: &Value) -> Result<(Position, Found), Found> {
        let names = |path: &str, value: &Value, found: &mut Found| items(path, value, found, typed::<String>);
        let mut fields = Fields::of(json);
        let round = fields.need("round", typed);
        let terrain = fields.need("terrain", typed);
        let pair = fields.may("pair", names);
        let number = fields.may("number", typed);
        let terrain_left = fields.need("terrain_left", names);
        let shapes_left = fields.need("shapes_left", entries);
        let desolations_used = fields.need("desolations_used", |p, v, found| items(p, v, found, typed));
        let sheets = fields.need("sheets", |p, v, found| items(p, v, found, names));
        let choices = fields.may("choices", |p, v, found| items(p, v, found, typed));
        let [phase, asked, scores] = ["phase", "asked", "scores"].map(|name| fields.may(name, typed));
        let (found, unknown) = fields.finish_apart();
        let whole = || {
            Some(Position {
                round: round?,
                terrain: terrain?,
                pair,
                number,
                terrain_left: terrain_left?,
                shapes_left: shapes_left?,
                desolations_used: desolations_used?,
                sheets: sheets?,
                choices,
                phase,
                asked,
                scores,
            })
        };
        match whole() {
            Some(position) if found.is_empty() => Ok((position, unknown)),
            _ => Err([found, unknown].concat()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceJson {
    shape: Option<String>,
    place: Option<PlaceJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceJson {
    turn: i64,
    row: i64,
    column: i64,
}

/// Choices of the running round by seat.
#[derive(Clone, Copy)]
struct Choices {
    shapes: [Option<Kind>; MAX_SEATS],
    places: [Option<Placement>; MAX_SEATS],
}

/// What is wrong with a choice: seat, whether it is the placement, why.
struct BadChoice {
    seat: Seat,
    is_place: bool,
    message: String,
}

impl BadChoice {
    /// The problem, under the name that the choices of a kind have in the form at hand.
    fn problem(&self, path: impl Fn(Seat, bool) -> String) -> Problem {
        Problem::new(path(self.seat, self.is_place), self.message.clone())
    }
}

impl Graphia {
    /// Reads a position and plays on until somebody must choose or the game is over.
    pub(super) fn load_position(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let (position, unknown) = Position::read(json)?;
        let mut reader = Reader { game: self, found: Vec::new() };
        let (base, choices) = reader.read(&position);
        if !reader.found.is_empty() {
            return Err([reader.found, unknown].concat());
        }
        let (mut state, bad) = self.rebuild(&base, &choices);
        let path =
            |seat: Seat, is_place| format!("choices[{seat}].{}", if is_place { "place" } else { "shape" });
        let mut problems: Vec<Problem> = bad.iter().map(|bad| bad.problem(path)).collect();
        if problems.is_empty() {
            let own = self.state_json(&state, None);
            let given =
                [("phase", &position.phase), ("asked", &position.asked), ("scores", &position.scores)];
            let wrong = |(name, value): (&str, &Option<Value>)| difference(name, value.as_ref()?, &own[name]);
            problems.extend(given.into_iter().filter_map(wrong));
        }
        problems.extend(unknown);
        if !problems.is_empty() {
            return Err(problems);
        }
        self.play_on(&mut state, rng, &mut Silent);
        Ok(state)
    }

    /// The round entered anew from its cards and number, with the choices that were made in it.
    fn rebuild(&self, base: &State, choices: &Choices) -> (State, Vec<BadChoice>) {
        let mut state = *base;
        let mut bad = Vec::new();
        self.enter_round(&mut state, &mut Silent);
        let may_choose = state.asked;
        for seat in Seat::all(self.players()) {
            let Some(kind) = choices.shapes[seat.index()] else { continue };
            let refuse = |message: String| BadChoice { seat, is_place: false, message };
            let pair = state.pair.unwrap_or([kind; 2]);
            if state.phase != Phase::Shape || !may_choose.contains(seat) {
                bad.push(refuse(format!("seat {seat} has no shape to choose in this round")));
            } else if !pair.contains(&kind) {
                let [a, b] = pair.map(|kind| &self.shape(kind).id);
                bad.push(refuse(format!("`{}` is not shown; allowed: `{a}`, `{b}`", self.shape(kind).id)));
            } else {
                state.shapes[seat.index()] = Some(kind);
                state.acting.remove(seat);
            }
        }
        if state.phase == Phase::Shape && state.acting.is_empty() {
            self.enter_place(&mut state, &mut Silent);
        }
        for seat in Seat::all(self.players()) {
            let Some(place) = choices.places[seat.index()] else { continue };
            let refuse = |message: String| BadChoice { seat, is_place: true, message };
            if state.phase == Phase::Shape {
                bad.push(refuse("somebody still owes a shape: nobody has placed one yet".into()));
            } else if !matches!(state.phase, Phase::Place | Phase::Nexus) || !state.asked.contains(seat) {
                bad.push(refuse(format!("seat {seat} has no placement to choose in this round")));
            } else if usize::from(place.0) >= PLACEMENTS
                || !self.legal_choices(&state, seat).contains(self.place_action(place))
            {
                bad.push(refuse("not a legal placement of this seat's shape".into()));
            } else {
                state.places[seat.index()] = Some(place);
                state.acting.remove(seat);
            }
        }
        (state, bad)
    }

    /// Everything that is wrong with a state between two decisions.
    pub(super) fn state_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut wrong = |path: &str, message: &str| found.push(Problem::new(path, message));
        if !(1..=LAST_ROUND).contains(&state.round) {
            wrong("round", &format!("{}; allowed: 1 to {LAST_ROUND}", state.round));
        }
        if state.used > 0xfff {
            wrong("used", "a number above 12");
        }
        let expected = self.expects(state.terrain, state.used);
        if state.terrain.is_none_or(|terrain| terrain == Terrain::Desolation) {
            wrong("terrain", "nobody decides anything in such a round");
        }
        if state.terrain.is_some_and(|terrain| state.terrains_left >> terrain.index() & 1 != 0) {
            wrong("terrains_left", "holds this round's terrain");
        }
        if state.number > 12 || (state.number != 0) != expected.number {
            wrong("number", "out of range, missing, or given where none is rolled");
        }
        if state.pair.is_some() != expected.pair {
            wrong("pair", "missing in a polyomino round, or given in another");
        }
        let pair = state.pair.unwrap_or_default();
        let count = |k: usize| pair.iter().filter(|kind| state.pair.is_some() && kind.index() == k).count();
        if pair.iter().any(|kind| kind.index() >= self.kinds()) || pair[0] > pair[1] {
            wrong("pair", "an unknown shape, or not in the order of the content");
        }
        for k in 0..MAX_KINDS {
            if usize::from(state.shapes_left[k]) + count(k) > usize::from(self.deck()[k]) {
                wrong(&format!("shapes_left[{k}]"), "more cards left and shown than the content has");
            }
        }
        if matches!(state.phase, Phase::Start) {
            wrong("phase", "nobody decides anything between two rounds");
        }
        self.sheet_problems(state, &mut found);
        if found.is_empty() {
            self.choice_problems(state, &mut found);
        }
        found
    }

    fn sheet_problems(&self, state: &State, found: &mut Vec<Problem>) {
        for (i, sheet) in state.sheets.iter().enumerate() {
            let mut wrong = |what: String| found.push(Problem::new(format!("sheets[{i}]"), what));
            if i >= self.players() {
                if *sheet != Sheet::default() {
                    wrong("not empty, but nobody sits there".into());
                }
                continue;
            }
            let mut filled = Board::EMPTY;
            for terrain in Terrain::ALL {
                if sheet.plane(terrain).meets(filled) {
                    wrong(format!("{} on a square that is filled twice", terrain.name()));
                }
                filled = filled.or(sheet.plane(terrain));
            }
            for message in desolation_problems(sheet, state.used) {
                wrong(message);
            }
            // The tally of a sheet that is none is not looked at.
            if found.is_empty() && sheet.tally != self.scoring().tally(sheet) {
                found.push(Problem::new(format!("sheets[{i}].tally"), "is not what the sheet scores"));
            }
        }
    }

    /// Compares what a state says of the running round with what its cards and choices lead to.
    fn choice_problems(&self, state: &State, found: &mut Vec<Problem>) {
        let cleared = State {
            shapes: [None; MAX_SEATS],
            places: [None; MAX_SEATS],
            phase: Phase::Start,
            acting: Seats::EMPTY,
            asked: Seats::EMPTY,
            chose: Seats::EMPTY,
            ..*state
        };
        let ends = state.phase == Phase::End;
        let mut choices = Choices { shapes: [None; MAX_SEATS], places: [None; MAX_SEATS] };
        for seat in Seat::all(self.players()).filter(|_| !ends) {
            let at = seat.index();
            choices.shapes[at] =
                state.shapes[at].filter(|kind| state.chose.contains(seat) && kind.index() < self.kinds());
            choices.places[at] = state.places[at].filter(|_| state.asked.contains(seat));
        }
        let (expected, bad) = self.rebuild(&cleared, &choices);
        let path = |seat: Seat, is_place| format!("{}[{seat}]", if is_place { "places" } else { "shapes" });
        found.extend(bad.iter().map(|bad| bad.problem(path)));
        let same = [
            ("phase", expected.phase == state.phase),
            ("chose", expected.chose == state.chose),
            ("asked", expected.asked == state.asked),
            ("acting", expected.acting == state.acting && state.acting.is_empty() == ends),
            ("shapes", expected.shapes == state.shapes),
            ("places", expected.places == state.places),
        ];
        for (name, same) in same {
            if !same {
                found.push(Problem::new(name, "does not follow from the sheets, the cards and the choices"));
            }
        }
    }

    /// What a round of this terrain needs when these numbers are used.
    fn expects(&self, terrain: Option<Terrain>, used: u16) -> Expected {
        Expected {
            pair: terrain.is_some_and(Terrain::is_six),
            number: terrain.is_some_and(|terrain| terrain != Terrain::Desolation || used != 0xfff),
        }
    }
}

/// Whether a round has a pair and a number.
struct Expected {
    pair: bool,
    number: bool,
}

/// Desolations that do not lie where the used numbers say (GG-R5, R5a).
fn desolation_problems(sheet: &Sheet, used: u16) -> Vec<String> {
    let mut found = Vec::new();
    let plane = sheet.plane(Terrain::Desolation);
    for cell in (0..CELLS as u8).map(Cell).filter(|&cell| plane.contains(cell)) {
        if cell.row() != cell.column() {
            found.push(format!("a Desolation at ({},{}), off the diagonal", cell.row(), cell.column()));
        }
    }
    for n in 1..=SIDE {
        let is_used = used >> (n - 1) & 1 != 0;
        if plane.contains(Cell::at(n, n)) != is_used {
            found.push(if is_used {
                format!("no Desolation at ({n},{n}) although {n} is used")
            } else {
                format!("a Desolation at ({n},{n}) although {n} is not used")
            });
        }
    }
    found
}

/// Turns the JSON form into a state and collects what is wrong with it.
struct Reader<'a> {
    game: &'a Graphia,
    found: Vec<Problem>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    fn read(&mut self, position: &Position) -> (State, Choices) {
        let players = self.game.players();
        let mut state = State::new(players, [0; MAX_KINDS]);
        if !(1..=i64::from(LAST_ROUND)).contains(&position.round) {
            self.wrong("round", format!("{}; allowed: 1 to {LAST_ROUND}", position.round));
        }
        state.round = position.round.clamp(1, LAST_ROUND.into()) as u16;
        state.used = self.used(&position.desolations_used);
        state.terrain = self.terrain("terrain", &position.terrain);
        state.terrains_left = 0;
        for (i, name) in position.terrain_left.iter().enumerate() {
            let path = format!("terrain_left[{i}]");
            let Some(terrain) = self.terrain(&path, name) else { continue };
            if state.terrain == Some(terrain) {
                self.wrong(path, format!("{name} is this round's terrain: it is not left"));
            } else if state.terrains_left >> terrain.index() & 1 != 0 {
                self.wrong(path, format!("{name} is there twice; there is one card of each terrain"));
            }
            state.terrains_left |= 1 << terrain.index();
        }
        let expected = self.game.expects(state.terrain, state.used);
        if state.terrain.is_some() {
            state.pair = self.pair(position.pair.as_deref(), expected.pair);
            state.number = self.number(position.number, expected.number, state.terrain, state.used);
        }
        self.shapes_left(&position.shapes_left, &mut state);
        self.sheets(&position.sheets, &mut state);
        let choices = self.choices(position.choices.as_deref().unwrap_or(&[]), position.choices.is_some());
        (state, choices)
    }

    fn terrain(&mut self, path: &str, name: &str) -> Option<Terrain> {
        let terrain = Terrain::ALL.into_iter().find(|terrain| terrain.name() == name);
        if terrain.is_none() {
            let names = Terrain::ALL.map(Terrain::name).join(", ");
            self.wrong(path, format!("no terrain is called `{name}`; allowed: {names}"));
        }
        terrain
    }

    fn kind(&mut self, path: String, id: &str) -> Option<Kind> {
        let kind = self.game.shapes().iter().position(|shape| shape.id == id).map(|k| Kind(k as u8));
        if kind.is_none() {
            let ids: Vec<&str> = self.game.shapes().iter().map(|shape| shape.id.as_str()).collect();
            self.wrong(path, format!("no shape is called `{id}`; allowed: {}", ids.join(", ")));
        }
        kind
    }

    fn used(&mut self, numbers: &[i64]) -> u16 {
        let mut used = 0u16;
        for (i, &number) in numbers.iter().enumerate() {
            let path = format!("desolations_used[{i}]");
            if !(1..=12).contains(&number) {
                self.wrong(path, format!("{number}; allowed: 1 to 12"));
                continue;
            }
            if used >> (number - 1) & 1 != 0 {
                self.wrong(path, format!("{number} is there twice"));
            }
            used |= 1 << (number - 1);
        }
        used
    }

    fn pair(&mut self, pair: Option<&[String]>, expected: bool) -> Option<[Kind; 2]> {
        match (pair, expected) {
            (None, true) => self.wrong("pair", "missing: a polyomino round shows two shapes"),
            (Some(_), false) => self.wrong("pair", "no shapes are shown in a Nexus or Desolation round"),
            (None, false) => {}
            (Some(pair), true) => {
                let mut kinds = Vec::new();
                for (i, id) in pair.iter().enumerate() {
                    kinds.extend(self.kind(format!("pair[{i}]"), id));
                }
                if let ([first, second], 2) = (kinds.as_slice(), pair.len()) {
                    return Some([*first.min(second), *first.max(second)]);
                }
                if pair.len() != 2 {
                    self.wrong("pair", format!("{} shapes; two are shown", pair.len()));
                }
            }
        }
        None
    }

    fn number(&mut self, number: Option<i64>, expected: bool, terrain: Option<Terrain>, used: u16) -> u8 {
        let desolation = terrain == Some(Terrain::Desolation);
        match (number, expected) {
            (None, true) => self.wrong("number", "missing: the die was rolled in this round"),
            (Some(_), false) => {
                self.wrong("number", "nothing is rolled in a Desolation round with all twelve numbers used");
            }
            (None, false) => {}
            (Some(n), true) if !(1..=12).contains(&n) => {
                self.wrong("number", format!("{n}; allowed: 1 to 12"));
            }
            (Some(n), true) if desolation && used >> (n - 1) & 1 != 0 => {
                self.wrong("number", format!("{n} was used by an earlier Desolation"));
            }
            (Some(n), true) => return n as u8,
        }
        0
    }

    fn shapes_left(&mut self, left: &BTreeMap<String, i64>, state: &mut State) {
        for (id, &count) in left {
            let path = format!("shapes_left.{id}");
            let Some(kind) = self.kind(path.clone(), id) else { continue };
            let copies = i64::from(self.game.shape(kind).copies);
            let shown = state.pair.into_iter().flatten().filter(|&shown| shown == kind).count() as i64;
            // More shown than there are is the pair's problem, told below.
            let allowed = (copies - shown).max(0);
            if !(0..=allowed).contains(&count) {
                let message = format!(
                    "{count} cards left; allowed: 0 to {allowed} ({copies} in the content, {shown} shown)"
                );
                self.wrong(path, message);
            }
            state.shapes_left[kind.index()] = count.clamp(0, copies) as u8;
        }
        if let Some([first, second]) = state.pair
            && first == second
            && self.game.shape(first).copies < 2
        {
            let shape = self.game.shape(first);
            let message = format!("`{}` is shown twice; the content has {} card", shape.id, shape.copies);
            self.wrong("pair", message);
        }
    }

    fn sheets(&mut self, sheets: &[Vec<String>], state: &mut State) {
        let players = self.game.players();
        if sheets.len() != players {
            self.wrong("sheets", format!("{} sheets for {players} players", sheets.len()));
        }
        for (i, rows) in sheets.iter().enumerate().take(players) {
            let before = self.found.len();
            let sheet = self.sheet(i, rows);
            if self.found.len() == before {
                for message in desolation_problems(&sheet, state.used) {
                    self.wrong(format!("sheets[{i}]"), message);
                }
                state.sheets[i] = sheet;
                state.sheets[i].tally = self.game.scoring().tally(&sheet);
            }
        }
    }

    fn sheet(&mut self, i: usize, rows: &[String]) -> Sheet {
        let mut sheet = Sheet::new();
        if rows.len() != SIDE {
            self.wrong(format!("sheets[{i}]"), format!("{} rows; a sheet has {SIDE}", rows.len()));
        }
        for (r, row) in rows.iter().enumerate().take(SIDE) {
            let path = format!("sheets[{i}][{r}]");
            let length = row.chars().count();
            if length != SIDE {
                self.wrong(path.clone(), format!("{length} letters; a row has {SIDE}"));
            }
            for (c, letter) in row.chars().enumerate().take(SIDE) {
                let cell = Cell::at(r + 1, c + 1);
                match Terrain::from_letter(letter) {
                    Some(terrain) => sheet.set_plane(terrain, sheet.plane(terrain).with(cell)),
                    None if letter == '.' => {}
                    None => {
                        let letter = letter.escape_debug();
                        let message = format!("`{letter}` in column {}; allowed: MFRDTAXO and `.`", c + 1);
                        self.wrong(path.clone(), message);
                    }
                }
            }
        }
        sheet
    }

    fn choices(&mut self, given: &[ChoiceJson], is_given: bool) -> Choices {
        let players = self.game.players();
        if is_given && given.len() != players {
            self.wrong("choices", format!("{} choices for {players} players", given.len()));
        }
        let mut choices = Choices { shapes: [None; MAX_SEATS], places: [None; MAX_SEATS] };
        for (i, choice) in given.iter().enumerate().take(players) {
            if let Some(id) = &choice.shape {
                choices.shapes[i] = self.kind(format!("choices[{i}].shape"), id);
            }
            if let Some(place) = &choice.place {
                let before = self.found.len();
                let within = [
                    ("turn", place.turn, 0, 3),
                    ("row", place.row, 1, SIDE as i64),
                    ("column", place.column, 1, SIDE as i64),
                ];
                for (name, value, min, max) in within {
                    if !(min..=max).contains(&value) {
                        let path = format!("choices[{i}].place.{name}");
                        self.wrong(path, format!("{value}; allowed: {min} to {max}"));
                    }
                }
                if self.found.len() == before {
                    let cell = Cell::at(place.row as usize, place.column as usize);
                    choices.places[i] = Some(Placement::new(place.turn as usize, cell));
                }
            }
        }
        choices
    }
}
