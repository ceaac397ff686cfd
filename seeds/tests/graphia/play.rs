//! What holds in every position of every game: updated scores, bounds, statistics of play, rules that take effect.

use crate::fixture::{Position, act, configured, full_but, over, sheet, variants};
use playmat_core::agent::{Agent, Greedy, Random};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::log::Coverage;
use playmat_core::prelude::{Player, Rng, Show};
use playmat_core::survey::survey;
use playmat_graphia::state::{Sheet, Terrain};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The slow twin of the score lines, from letters, without gates: terrain points M F R D T A X, largest groups.
fn slow_lines(rows: &[String], options: &Value) -> ([i32; 7], [i32; 6], [bool; 6]) {
    let grid: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let at = |r: i32, c: i32| {
        let inside = (0..12).contains(&r) && (0..12).contains(&c);
        if inside { grid[r as usize][c as usize] } else { ' ' }
    };
    let beside = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    let all = options["nexus_adjacency"] == "all";
    let near: Vec<(i32, i32)> = beside.into_iter().chain(corners.into_iter().filter(|_| all)).collect();
    let cells = || (0..12).flat_map(|r| (0..12).map(move |c| (r, c)));
    let next_to = |r: i32, c: i32, letter: char| {
        beside.iter().filter(|(x, y)| at(r + x, c + y) == letter).count() as i32
    };
    let (mut points, mut groups, mut touch) = ([0; 7], [0; 6], [false; 6]);
    for (r, c) in cells() {
        match at(r, c) {
            'M' => points[0] += i32::from(r == 0 || r == 11 || c == 0 || c == 11),
            'D' if options["desert_scoring"] == "pair" => points[3] -= next_to(r, c, 'T'),
            'D' => points[3] -= next_to(r, c, 'T').min(1),
            'T' => points[4] += next_to(r, c, 'M').min(1),
            'A' => points[5] += next_to(r, c, 'R').min(1),
            'X' => {
                let found: BTreeSet<char> = near.iter().map(|(x, y)| at(r + x, c + y)).collect();
                for (t, letter) in "MFRDTA".chars().enumerate() {
                    points[6] += i32::from(found.contains(&letter));
                    touch[t] |= found.contains(&letter);
                }
            }
            _ => {}
        }
    }
    for block in 0..9 {
        let (top, left) = (block / 3 * 4, block % 3 * 4);
        let forests =
            cells().filter(|&(r, c)| r / 4 * 4 == top && c / 4 * 4 == left && at(r, c) == 'F').count();
        points[1] += if forests >= 4 { 2 } else { 0 };
    }
    for (t, letter) in "MFRDTA".chars().enumerate() {
        let mut left: BTreeSet<(i32, i32)> = cells().filter(|&(r, c)| at(r, c) == letter).collect();
        while let Some(first) = left.pop_first() {
            let (mut group, mut next) = (vec![first], 0);
            while let Some(&(r, c)) = group.get(next) {
                next += 1;
                for (x, y) in beside {
                    if left.remove(&(r + x, c + y)) {
                        group.push((r + x, c + y));
                    }
                }
            }
            groups[t] = groups[t].max(group.len() as i32);
            let has = |wanted: &dyn Fn(&(i32, i32)) -> bool| group.iter().any(wanted);
            let crosses =
                has(&|s| s.0 == 0) && has(&|s| s.0 == 11) || has(&|s| s.1 == 0) && has(&|s| s.1 == 11);
            if letter == 'R' && crosses {
                points[2] = 12;
            }
        }
    }
    (points, groups, touch)
}

/// Total of the slow lines under the options.
fn slow_total(rows: &[String], options: &Value) -> i32 {
    let (points, groups, touch) = slow_lines(rows, options);
    let gate = options["nexus_gate"].as_str().unwrap_or("terrain");
    let mut total = points[6];
    for t in 0..6 {
        let open = touch[t];
        total += if open || t == 3 || gate == "group" { points[t] } else { 0 };
        total += if open || gate == "terrain" { groups[t] } else { 0 };
    }
    total
}

/// Sheets filled at random, sparse and dense, with few terrains and with many.
fn random_rows(rng: &mut Rng) -> Vec<String> {
    let (terrains, filled) = (1 + rng.below(7) as usize, 1 + rng.below(100));
    let letters: Vec<char> = {
        let mut letters: Vec<char> = "MFRDTAX".chars().collect();
        rng.shuffle(&mut letters);
        letters[..terrains].to_vec()
    };
    let mut square =
        |_| if rng.below(100) < filled { letters[rng.below(terrains as u32) as usize] } else { '.' };
    (0..12).map(|_| (0..12).map(&mut square).collect()).collect()
}

fn sheet_of(rows: &[String]) -> Sheet {
    let mut sheet = Sheet::new();
    for (r, row) in rows.iter().enumerate() {
        for (c, letter) in row.chars().enumerate() {
            if let Some(terrain) = Terrain::from_letter(letter) {
                let cell = playmat_graphia::board::Cell::at(r + 1, c + 1);
                sheet.set_plane(terrain, sheet.plane(terrain).with(cell));
            }
        }
    }
    sheet
}

#[test]
fn scores_equal_those_counted_square_by_square() {
    let mut rng = Rng::from_seed(6);
    let mut crossings = 0;
    for options in variants() {
        let game = &configured(&options).game;
        let (lowest, highest) = game.info().score_range;
        for _ in 0..400 {
            let rows = random_rows(&mut rng);
            let score = game.scoring().score(&sheet_of(&rows));
            let (points, groups, touch) = slow_lines(&rows, &options);
            assert_eq!(score.points.map(i32::from), points, "{options} {rows:?}");
            assert_eq!(score.groups.map(i32::from), groups, "{options} {rows:?}");
            assert_eq!(std::array::from_fn(|t| score.touch >> t & 1 != 0), touch);
            assert_eq!(i32::from(score.total), slow_total(&rows, &options), "{options} {rows:?}");
            assert!((lowest..=highest).contains(&i32::from(score.total)));
            crossings += i32::from(points[2] != 0);
        }
    }
    assert!(crossings > 15, "{crossings}");
}

#[test]
fn a_desolation_updates_what_a_count_from_nothing_gives() {
    let mut rng = Rng::from_seed(7);
    for options in variants() {
        let game = &configured(&options).game;
        for _ in 0..60 {
            let mut sheet = sheet_of(&random_rows(&mut rng));
            sheet.score = game.scoring().score(&sheet);
            let mut numbers: Vec<usize> = (1..=12).collect();
            rng.shuffle(&mut numbers);
            for n in numbers {
                use playmat_graphia::board::{Board, Cell};
                game.scoring().desolate(&mut sheet, Board::one(Cell::at(n, n)));
                assert_eq!(sheet.score, game.scoring().score(&sheet), "{options}");
            }
        }
    }
}

#[test]
fn declared_bounds_by_number_of_players() {
    let bounds = [75, 156, 243, 336, 435, 540, 651, 768];
    for players in 1..=8usize {
        let configured = configured(&json!({"players": players}));
        let info = configured.game.info();
        assert_eq!(info.max_decisions, bounds[players - 1]);
    }
}

#[test]
fn random_play_is_as_long_and_scores_as_much_as_it_should() {
    for (players, rounds, games) in [(1, 32.0, 300), (2, 35.0, 200), (4, 38.0, 100), (8, 41.0, 60)] {
        let configured = configured(&json!({"players": players}));
        let (mut sum, mut longest) = (0.0, 0);
        let mut totals = Vec::new();
        let mut decisions = 0;
        for seed in 0..games {
            let mut env = Env::new(configured.clone(), seed);
            while let Some(player) = env.current_player() {
                let action = env.sample_action(player).unwrap();
                env.step(action.0.into()).unwrap();
            }
            assert_eq!(env.status(), Status::Terminated);
            sum += f64::from(env.state().round);
            longest = longest.max(env.state().round);
            totals.extend(env.scores()[..players].iter().map(|&score| f64::from(score)));
            decisions += env.decisions();
        }
        let mean = sum / games as f64;
        assert!((mean - rounds).abs() < 1.5, "{players} players: {mean} rounds");
        assert!(longest <= 56, "{players} players: {longest} rounds");
        let each = f64::from(decisions) / totals.len() as f64;
        assert!((45.0..=54.0).contains(&each), "{players} players: {each} decisions each");
        let count = totals.len() as f64;
        let average = totals.iter().sum::<f64>() / count;
        let deviation = (totals.iter().map(|x| (x - average).powi(2)).sum::<f64>() / count).sqrt();
        assert!((49.0..=63.0).contains(&average), "{players} players: {average} points");
        assert!((8.5..=12.0).contains(&deviation), "{players} players: deviation {deviation}");
    }
}

/// What takes effect in games of agents: rules and content entries.
fn fired_in_play() -> BTreeSet<String> {
    let mut fired = BTreeSet::new();
    let mut games = variants().to_vec();
    games.extend([json!({"players": 1}), json!({"players": 5})]);
    // One terrain cycle holds more than an odd deck.
    games.push(json!({"content": "name = \"graphia\"\n\
        [[polyomino]]\nid = \"T\"\ncopies = 2\nrows = [\".#.\", \"###\"]\n\
        [[polyomino]]\nid = \"dot\"\ncopies = 1\nrows = [\"#\"]\n"}));
    for options in games {
        for agent in [&Random as &dyn Agent<_>, &Greedy] {
            fired.extend(survey(&configured(&options), 40, 1, &[agent]).coverage.into_keys());
        }
    }
    fired
}

#[test]
fn every_rule_that_is_reported_takes_effect() {
    let fired = fired_in_play();
    let ids: BTreeSet<String> = fired.iter().filter(|name| name.starts_with("GG-")).cloned().collect();
    let missing: BTreeSet<String> = reported().difference(&ids).cloned().collect();
    assert!(missing.is_subset(&rarely()), "not seen in play, and nothing says why: {missing:?}");
    assert!(ids.is_subset(&reported()));
    for terrain in Terrain::ALL {
        assert!(fired.contains(&format!("terrain {}", terrain.name())));
    }
    for id in ["I", "O", "T", "S", "Z", "J", "L"] {
        assert!(fired.contains(&format!("shape {id}")));
    }
}

#[test]
fn what_play_does_not_show_takes_effect_in_positions_made_for_it() {
    let diagonal: Vec<_> = (1..=12).map(|n| (n, n)).collect();
    let idle = Position::of(1, "Nexus", 6)
        .sheet(0, sheet(&[('O', &diagonal)]))
        .set("desolations_used", json!((1..=12).collect::<Vec<_>>()))
        .set("terrain_left", json!(["Desolation"]));
    // Deserts and tundras in turn, and two squares for a Nexus.
    let chequered: Vec<String> =
        (0..12).map(|r| (0..12).map(|c| if (r + c) % 2 == 0 { 'D' } else { 'T' }).collect()).collect();
    let poor = Position::of(1, "Nexus", 6).sheet(0, over(chequered, &[('.', &[(6, 1), (6, 12)])]));
    // After the I no number from 3 to 12 has an empty square in its line.
    let corner: Vec<_> =
        [(1, 1), (1, 2), (2, 1), (2, 2)].into_iter().chain((5..=8).map(|r| (r, 1))).collect();
    let crowded = Position::of(1, "Farm", 1)
        .sheet(0, full_but(&corner))
        .set("pair", json!(["O", "I"]))
        .set("terrain_left", json!(["Nexus"]));
    let mut fired = BTreeSet::new();
    for (position, action) in [(idle, "nexus at (6,1)"), (poor, "nexus at (6,1)"), (crowded, "shape I")] {
        let mut env = position.load();
        act(&mut env, 0, action);
        let mut coverage = Coverage::default();
        assert!(env.replay_last_step(&mut coverage));
        fired.extend(coverage.rules.into_keys());
    }
    let missing: BTreeSet<String> = reported().difference(&fired_in_play()).cloned().collect();
    assert!(!missing.is_empty() && missing.is_subset(&fired), "{missing:?} {fired:?}");
}

/// Rule numbers that the code reports: every string of the form `GG-R1a` outside of comments.
fn reported() -> BTreeSet<String> {
    let sources = [
        include_str!("../../src/graphia/deal.rs"),
        include_str!("../../src/graphia/rules.rs"),
        include_str!("../../src/graphia/score.rs"),
    ];
    let mut found = BTreeSet::new();
    for line in sources.iter().flat_map(|source| source.lines()) {
        let code = line.split("//").next().unwrap_or("");
        for (at, _) in code.match_indices("\"GG-") {
            let rest = &code[at + 1..];
            found.insert(rest[..rest.find('"').expect("a string ends")].to_string());
        }
    }
    found
}

/// Rules that play need not show, for the reasons that the page gives.
fn rarely() -> BTreeSet<String> {
    let excused = configured(&json!({})).game.hooks().unreached;
    excused.iter().filter(|(name, _)| name.starts_with("GG-")).map(|(name, _)| name.to_string()).collect()
}

#[test]
fn texts_of_actions_must_fit_the_position() {
    let configured = configured(&json!({"players": 2}));
    let game = &configured.game;
    // The long forms must fit the position.
    let place = Position::of(1, "Farm", 3).pair("T", "T").load();
    let nexus = Position::of(1, "Nexus", 3).load();
    for (env, text, other) in [
        (&place, "place T turned 0 at (3,3) as Farm", "nexus at (3,3)"),
        (&nexus, "nexus at (3,3)", "place T turned 0 at (3,3) as Farm"),
    ] {
        assert!(env.parse_action(Some(Player(0)), text).is_ok(), "{text}");
        assert!(env.parse_action(Some(Player(0)), other).is_err(), "{other}");
    }
    assert_eq!(game.parse_action(None, "place turned 4 at (1,1)"), None);
    assert_eq!(game.parse_action(None, "place turned 0 at (0,13)"), None);
}
