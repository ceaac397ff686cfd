//! Positions, plays and views that the tests share.

use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::log::Events;
use playmat_core::prelude::*;
use playmat_graphia::Graphia;
use playmat_graphia::rules::Event;
use playmat_graphia::state::State;
use serde_json::{Value, json};

pub(crate) use crate::position::{Position, against_random, configured, visit_episode};
pub(crate) use playmat_conformance::testing::{
    act, acting, chi_square, event_names, legal_of, legal_texts_of, play, seen, segment,
};

pub(crate) type Tested = Graphia;

/// A sheet: twelve rows of letters.
pub(crate) type Rows = Vec<String>;

/// Every option that changes what the rules say.
pub(crate) fn variants() -> [Value; 5] {
    [
        json!({}),
        json!({"nexus_gate": "group"}),
        json!({"nexus_gate": "both"}),
        json!({"nexus_adjacency": "all"}),
        json!({"desert_scoring": "pair"}),
    ]
}

pub(crate) fn blank() -> Rows {
    vec![".".repeat(12); 12]
}

/// A sheet from its text, rows separated by space.
pub(crate) fn rows(text: &str) -> Rows {
    text.split_whitespace().map(String::from).collect()
}

/// A sheet with these squares, (row, column), put over a ground.
pub(crate) fn over(mut ground: Rows, fill: &[(char, &[(usize, usize)])]) -> Rows {
    for &(letter, squares) in fill {
        for &(row, column) in squares {
            ground[row - 1].replace_range(column - 1..column, &letter.to_string());
        }
    }
    ground
}

/// An empty sheet with these squares.
pub(crate) fn sheet(fill: &[(char, &[(usize, usize)])]) -> Rows {
    over(blank(), fill)
}

/// A sheet of farms with these squares empty.
pub(crate) fn full_but(open: &[(usize, usize)]) -> Rows {
    over(vec!["A".repeat(12); 12], &[('.', open)])
}

/// The position of a rule, built up by what it needs.
impl Position {
    /// Empty sheets in a round of this terrain and number; after it comes a Forest, after a Forest a Farm.
    pub(crate) fn of(players: usize, terrain: &str, number: impl Into<Value>) -> Position {
        let next = if terrain == "Forest" { "Farm" } else { "Forest" };
        Position {
            json: json!({
                "round": 5, "terrain": terrain, "pair": null, "number": number.into(),
                "terrain_left": [next], "shapes_left": {}, "desolations_used": [],
                "sheets": vec![blank(); players],
            }),
            options: json!({"players": players}),
        }
    }

    pub(crate) fn pair(self, first: &str, second: &str) -> Position {
        self.set("pair", json!([first, second]))
    }

    pub(crate) fn sheet(self, player: usize, rows: Rows) -> Position {
        self.of_player("sheets", player, rows)
    }

    /// As it is given.
    pub(crate) fn whole(&self) -> Value {
        self.json.clone()
    }
}

/// Rows of a sheet as they are now.
pub(crate) fn rows_of(env: &Env<Graphia>, player: usize) -> Rows {
    serde_json::from_value(seen(env, None)["sheets"][player].clone()).unwrap()
}

/// Squares of a sheet that hold a letter, (row, column).
pub(crate) fn squares_of(rows: &Rows, letter: char) -> Vec<(usize, usize)> {
    let at = |r: usize, c: usize| (r + 1, c + 1);
    rows.iter()
        .enumerate()
        .flat_map(|(r, row)| {
            row.chars().enumerate().filter(|&(_, x)| x == letter).map(move |(c, _)| at(r, c))
        })
        .collect()
}

/// Everything that happens in a random game, each with the state right after it.
pub(crate) fn story(configured: &ConfiguredGame<Graphia>, seed: u64) -> Vec<(Event, State)> {
    let (mut rng, mut log) = (Rng::from_seed(seed), Events::default());
    let mut state = configured.game.deal(&mut rng, &mut log);
    while let Some(player) = configured.game.acting(&state).first() {
        let action = rng.pick(&configured.game.legal(&state, player));
        configured.game.apply(&mut state, player, action, &mut rng, &mut log);
    }
    log.events
}

/// Score lines and total of a sheet, as the rules file writes them: `points / groups = total`.
pub(crate) fn score(options: &Value, rows: &Rows) -> String {
    let used: Vec<usize> = squares_of(rows, 'O').iter().map(|square| square.0).collect();
    // A Nexus round with two squares to choose from changes nothing, nor does the last round of a full sheet.
    let roomy = |n: &usize| squares_of(rows, '.').iter().filter(|(r, c)| r == n || c == n).count() >= 2;
    let position = match (1..=12).find(roomy) {
        Some(n) => Position::of(1, "Nexus", n),
        None => Position::of(1, "Mountain", 1).pair("I", "O"),
    };
    let mut position = position.sheet(0, rows.clone()).set("desolations_used", used);
    for (name, value) in options.as_object().unwrap() {
        position = position.option(name, value.clone());
    }
    let env = position.load();
    assert_eq!(rows_of(&env, 0), *rows, "the sheet changed");
    let text = |part: &Value, names: &str| {
        let list: Vec<String> = names.split(' ').map(|name| part[name].to_string()).collect();
        list.join(" ")
    };
    let scores = &seen(&env, None)["scores"][0];
    let six = "Mountain Forest River Desert Tundra Farm";
    let points = text(&scores["points"], &format!("{six} Nexus"));
    assert_eq!(scores["total"], env.scores()[0]);
    format!("{points} / {} = {}", text(&scores["groups"], six), scores["total"])
}
