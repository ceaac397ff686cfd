//! What is wrong with a state that came from outside (GG-R21, R22).

use super::Graphia;
use super::board::{Board, CELLS, Cell, SIDE};
use super::state::{LAST_ROUND, PLACEMENTS, Phase, Sheet, State, Terrain};
use playmat_core::prelude::*;

/// Everything that is wrong with a state between two decisions. Whether cards can have led to its sheets is not checked (GG-R22a).
pub(super) fn validate(game: &Graphia, state: &State) -> Vec<Problem> {
    let mut found = game.card_problems(state);
    found.extend(game.sheet_problems(state));
    for (i, sheet) in state.sheets.iter().enumerate() {
        if i >= game.players && *sheet != Sheet::default() {
            found.push(Problem::new("sheets", format!("player {i} does not exist, but has a sheet")));
        }
        // The score of a sheet that is none is not looked at.
        if i < game.players && found.is_empty() && sheet.score != game.scoring.score(sheet) {
            found.push(Problem::new(format!("scores[{i}]"), "is not what the sheet scores"));
        }
    }
    if state.terrain == Some(Terrain::Desolation) {
        found.push(Problem::new("terrain", "nobody decides anything in a Desolation round"));
    }
    if state.phase == Phase::Start {
        found.push(Problem::new("phase", "nobody decides anything between two rounds"));
    }
    if found.is_empty() {
        game.choice_problems(state, &mut found);
    }
    found
}

impl Graphia {
    /// What is wrong with the round, its cards and its number.
    pub(super) fn card_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut wrong = |path: &str, message: String| found.push(Problem::new(path, message));
        if !(1..=LAST_ROUND).contains(&state.round) {
            wrong("round", format!("{}; allowed: 1 to {LAST_ROUND}", state.round));
        }
        if state.used > 0xfff {
            wrong("desolations_used", "a number above 12".into());
        }
        let Some(terrain) = state.terrain else {
            wrong("terrain", "missing: every round has a terrain".into());
            return found;
        };
        if state.terrains_left >> terrain.index() & 1 != 0 {
            wrong("terrain_left", format!("{} is this round's terrain: it is not left", terrain.name()));
        }
        let all_used = terrain == Terrain::Desolation && state.used == 0xfff;
        match state.number {
            0 if !all_used => wrong("number", "missing: the die was rolled in this round".into()),
            0 => {}
            _ if all_used => {
                wrong(
                    "number",
                    "nothing is rolled in a Desolation round with all twelve numbers used".into(),
                );
            }
            n @ 1..=12 => {
                if terrain == Terrain::Desolation && state.used >> (n - 1) & 1 != 0 {
                    wrong("number", format!("{n} was used by an earlier Desolation"));
                }
            }
            n => wrong("number", format!("{n}; allowed: 1 to 12")),
        }
        match state.pair {
            None if terrain.is_six() => wrong("pair", "missing: a polyomino round shows two shapes".into()),
            Some(_) if !terrain.is_six() => {
                wrong("pair", "no shapes are shown in a Nexus or Desolation round".into());
            }
            Some(pair) if pair.iter().any(|kind| kind.index() >= self.kinds()) => {
                wrong("pair", "a shape that does not exist".into());
                return found;
            }
            Some([first, second]) if first > second => {
                wrong("pair", "not in the order of the content".into());
            }
            Some([first, second]) if first == second && self.shape(first).copies < 2 => {
                let shape = self.shape(first);
                wrong(
                    "pair",
                    format!("`{}` is shown twice; the content has {} card", shape.id, shape.copies),
                );
            }
            _ => {}
        }
        for (k, shape) in self.shapes.iter().enumerate() {
            let (left, copies) = (state.shapes_left[k], shape.copies);
            let shown = state.pair.into_iter().flatten().filter(|kind| kind.index() == k).count() as u8;
            // More shown than there are is the pair's problem.
            let most = copies.saturating_sub(shown);
            if left > most {
                let path = format!("shapes_left.{}", shape.id);
                wrong(
                    &path,
                    format!(
                        "{left} cards left; allowed: 0 to {most} ({copies} in the content, {shown} shown)"
                    ),
                );
            }
        }
        if state.shapes_left[self.kinds()..].iter().any(|&left| left != 0) {
            wrong("shapes_left", "cards of a shape that does not exist".into());
        }
        found
    }

    /// What is wrong with what lies on the sheets.
    pub(super) fn sheet_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Vec::new();
        for (i, sheet) in state.sheets[..self.players].iter().enumerate() {
            let mut filled = Board::EMPTY;
            let mut messages = desolation_problems(sheet, state.used);
            for terrain in Terrain::ALL {
                if sheet.plane(terrain).meets(filled) {
                    messages.push(format!("{} on a square that is filled twice", terrain.name()));
                }
                filled = filled.or(sheet.plane(terrain));
            }
            found.extend(messages.into_iter().map(|message| Problem::new(format!("sheets[{i}]"), message)));
        }
        found
    }

    /// The round entered anew from its cards and number, with the shapes and placements of `state` as the choices made in it.
    pub(super) fn enter_with_choices(&self, given: &State) -> (State, Vec<Problem>) {
        let mut state = State {
            shapes: [None; MAX_PLAYERS],
            places: [None; MAX_PLAYERS],
            phase: Phase::Start,
            acting: Players::EMPTY,
            deciders: Players::EMPTY,
            chose: Players::EMPTY,
            ..*given
        };
        let mut found = Vec::new();
        let mut refuse = |player: Player, field, message: String| {
            found.push(Problem::new(format!("choices[{player}].{field}"), message));
        };
        self.enter_round(&mut state, &mut Silent);
        let may_choose = state.deciders;
        for player in Player::all(self.players) {
            let Some(kind) = given.shapes[player.index()] else { continue };
            let pair = state.pair.unwrap_or([kind; 2]);
            if state.phase != Phase::Shape || !may_choose.contains(player) {
                refuse(player, "shape", format!("player {player} has no shape to choose in this round"));
            } else if !pair.contains(&kind) {
                let [a, b] = pair.map(|kind| &self.shape(kind).id);
                let id = self.shapes.get(kind.index()).map_or("?", |shape| &shape.id);
                refuse(player, "shape", format!("`{id}` is not shown; allowed: `{a}`, `{b}`"));
            } else {
                state.shapes[player.index()] = Some(kind);
                state.acting.remove(player);
            }
        }
        if state.phase == Phase::Shape && state.acting.is_empty() {
            self.enter_place(&mut state, &mut Silent);
        }
        for player in Player::all(self.players) {
            let Some(place) = given.places[player.index()] else { continue };
            let may_place =
                matches!(state.phase, Phase::Place | Phase::Nexus) && state.deciders.contains(player);
            let is_legal = || {
                usize::from(place.0) < PLACEMENTS
                    && self.legal(&state, player).contains(self.place_action(place))
            };
            if state.phase == Phase::Shape {
                refuse(
                    player,
                    "place",
                    "a player still has to choose a shape: nobody has placed one yet".into(),
                );
            } else if !may_place {
                refuse(player, "place", format!("player {player} has no placement to choose in this round"));
            } else if !is_legal() {
                refuse(player, "place", "not a legal placement of this player's shape".into());
            } else {
                state.places[player.index()] = Some(place);
                state.acting.remove(player);
            }
        }
        (state, found)
    }

    /// Compares what a state says of the running round with what its cards and choices lead to.
    fn choice_problems(&self, state: &State, found: &mut Vec<Problem>) {
        let ends = state.phase == Phase::End;
        let mut given = *state;
        for player in Player::all(MAX_PLAYERS) {
            let at = player.index();
            given.shapes[at] = given.shapes[at].filter(|_| !ends && state.chose.contains(player));
            given.places[at] = given.places[at].filter(|_| !ends && state.deciders.contains(player));
        }
        let (expected, problems) = self.enter_with_choices(&given);
        found.extend(problems);
        let same = [
            ("phase", expected.phase == state.phase),
            ("deciders", expected.deciders == state.deciders && expected.acting == state.acting),
            ("choices", expected.chose == state.chose && expected.shapes == state.shapes),
            ("choices", expected.places == state.places),
            ("phase", state.acting.is_empty() == ends),
        ];
        for (name, _) in same.iter().filter(|(_, same)| !same) {
            found.push(Problem::new(*name, "does not follow from the sheets, the cards and the choices"));
        }
    }
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
