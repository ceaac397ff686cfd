//! The triangular map, its numbers and distances; setup and starts.

use crate::fixture::{
    Position, chi_square, configured, legal, legal_texts, observed, phase, play, refused_options, seen, sizes,
};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::log::Coverage;
use playmat_core::prelude::*;
use playmat_gravitix::Gravitix;
use playmat_gravitix::map::{Cell, Formation, Map};
use serde_json::json;
use std::collections::BTreeMap;

fn maps() -> [Map; 3] {
    Formation::ALL.map(|formation| Map::new(formation, 16))
}

/// Number of the cell at strip s, k.
fn number(map: &Map, s: usize, k: usize) -> Option<u8> {
    map.cell(s, k).map(|cell| cell.0)
}

#[test]
fn gx_r1_r1a_sets_are_dealt_in_random_order_and_orientation() {
    for (set, known) in [("0", 12), ("3", 12), ("1+2", 24)] {
        let configured = configured(&json!({"island_set": set}));
        assert_eq!(configured.game.faces().len(), known);
        let (mut first, mut turned, mut ever) = (BTreeMap::new(), 0, [0u32; 24]);
        for seed in 0..1_200 {
            let env = Env::new(configured.clone(), seed);
            let state = env.state();
            let mut faces = state.faces.to_vec();
            faces.sort_unstable();
            faces.dedup();
            assert_eq!(faces.len(), 12, "twelve different faces");
            faces.iter().for_each(|&face| ever[usize::from(face)] += 1);
            *first.entry(state.faces[7]).or_insert(0u32) += 1;
            turned += state.turned.count_ones();
        }
        let expected: BTreeMap<u8, f64> = (0..known as u8).map(|face| (face, 1.0 / known as f64)).collect();
        // 99.9 % points with 11 and 23 degrees of freedom.
        let limit = if known == 12 { 31.3 } else { 49.7 };
        assert!(chi_square(&first, &expected) < limit, "{first:?}");
        let share = f64::from(turned) / 14_400.0;
        assert!((share - 0.5).abs() < 0.02, "{share}");
        let least = ever[..known].iter().min().unwrap();
        assert!(*least as usize > 1_000 * 12 / known, "{ever:?}");
    }
}

#[test]
fn gx_r1b_neighbours_of_triangles() {
    for map in maps() {
        for (i, &(s, k)) in map.cells.iter().enumerate() {
            let (s, k) = (i32::from(s), i32::from(k));
            let beyond = if (s + k) % 2 == 0 { s - 1 } else { s + 1 };
            let mut near: Vec<(i32, i32)> = map
                .neighbours(Cell(i as u8))
                .iter()
                .map(|c| map.cells[c.index()])
                .map(|(s, k)| (s.into(), k.into()))
                .collect();
            near.sort_unstable();
            let mut expected: Vec<(i32, i32)> = [(s, k - 1), (s, k + 1), (beyond, k)]
                .into_iter()
                .filter(|&(s, k)| s >= 0 && k >= 0 && map.cell(s as usize, k as usize).is_some())
                .collect();
            expected.sort_unstable();
            assert_eq!(near, expected);
        }
    }
}

#[test]
fn gx_r1c_r1d_r1e_r1g_cells_of_every_formation() {
    // Strips with the k of their cells, number of cells, greatest distance: the table of GX-R1g.
    type Strips<'a> = &'a [(std::ops::RangeInclusive<u8>, &'a [std::ops::RangeInclusive<u8>])];
    let tables: [(Strips<'_>, usize, u8); 3] = [
        (&[(0..=1, &[0..=2]), (2..=23, &[0..=6]), (24..=25, &[4..=6])], 166, 51),
        (&[(0..=1, &[0..=2, 8..=10]), (2..=11, &[0..=14]), (12..=13, &[4..=6, 12..=14])], 174, 27),
        (&[(0..=1, &[0..=2, 8..=10]), (2..=15, &[0..=10]), (16..=17, &[4..=6])], 172, 35),
    ];
    for (map, (strips, count, greatest)) in maps().iter().zip(tables) {
        let mut expected = Vec::new();
        for (strips, ranges) in strips {
            for s in strips.clone() {
                expected.extend(ranges.iter().cloned().flatten().map(|k| (s, k)));
            }
        }
        assert_eq!(map.cells, expected, "numbered by strip, then k");
        assert_eq!(map.len(), count);
        let (columns, rows) = map.formation.size();
        assert_eq!(
            count,
            12 * 12 + (columns - 1) * (4 * rows - 2),
            "twelve in each tile, and those at seams"
        );
        let all = || (0..count as u8).map(Cell);
        let most = all().flat_map(|a| all().map(move |b| map.distance(a, b))).max();
        assert_eq!(most, Some(greatest));
    }
}

#[test]
fn gx_e1_the_map_of_two_by_six() {
    let map = &maps()[0];
    assert_eq!(map.len(), 166);
    let strip = |s: u8| map.cells.iter().filter(|at| at.0 == s).map(|at| at.1).collect::<Vec<_>>();
    assert_eq!(strip(0), [0, 1, 2]);
    assert_eq!(strip(2), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(number(map, 2, 3), Some(9));
    let islands = (0..12).flat_map(|slot| (0..12).map(move |place| (slot, place)));
    assert!(
        islands.into_iter().all(|(slot, place)| map.island(slot, place) != Cell(9)),
        "a cell at a seam is of no tile"
    );
    assert_eq!((number(map, 1, 3), number(map, 24, 3), number(map, 24, 4)), (None, None, Some(160)));
}

#[test]
fn gx_r1d_r1f_an_island_lies_on_its_triangle_either_way_up() {
    let islands = |map: &str| -> Vec<(u64, u64)> {
        let env = Position::of(map).load();
        let at = |island: &serde_json::Value| {
            (island["cell"][0].as_u64().unwrap(), island["cell"][1].as_u64().unwrap())
        };
        seen(&env, None)["islands"].as_array().unwrap().iter().map(at).collect()
    };
    // The four maps of the worked examples.
    assert_eq!(
        islands("a"),
        [
            (1, 1),
            (2, 4),
            (4, 1),
            (6, 6),
            (9, 0),
            (11, 6),
            (13, 1),
            (14, 4),
            (16, 1),
            (18, 6),
            (21, 0),
            (23, 6)
        ]
    );
    assert_eq!(
        islands("b"),
        [
            (0, 0),
            (3, 5),
            (4, 1),
            (7, 4),
            (8, 2),
            (11, 6),
            (13, 0),
            (14, 5),
            (17, 2),
            (18, 4),
            (21, 1),
            (22, 6)
        ]
    );
    assert_eq!(
        islands("c"),
        [
            (0, 1),
            (3, 5),
            (4, 2),
            (7, 4),
            (8, 0),
            (11, 6),
            (12, 2),
            (15, 4),
            (17, 2),
            (18, 5),
            (20, 0),
            (23, 5)
        ]
    );
    assert_eq!(
        islands("d"),
        [
            (0, 0),
            (3, 4),
            (5, 1),
            (6, 5),
            (9, 2),
            (10, 6),
            (13, 2),
            (14, 6),
            (16, 0),
            (19, 5),
            (21, 0),
            (22, 5)
        ]
    );
    // Half a turn: (s', k') becomes (3 - s', 2 - k').
    let mut position = Position::of("a");
    position.json["islands"][1]["turned"] = true.into();
    let state = position.state();
    let game = &configured(&json!({})).game;
    assert_eq!(game.map().cells[state.cells[1].index()], (5, 6));
    assert_eq!(game.map().cells[state.cells[0].index()], (1, 1));
}

#[test]
fn gx_r1h_distances_are_found_step_by_step() {
    for map in maps() {
        for from in (0..map.len() as u8).map(Cell) {
            // Plain breadth-first search from one cell.
            let mut steps = vec![None; map.len()];
            steps[from.index()] = Some(0u8);
            let mut queue = vec![from];
            let mut at = 0;
            while let Some(&cell) = queue.get(at) {
                at += 1;
                for &near in map.neighbours(cell) {
                    if steps[near.index()].is_none() {
                        steps[near.index()] = steps[cell.index()].map(|steps| steps + 1);
                        queue.push(near);
                    }
                }
            }
            for to in (0..map.len() as u8).map(Cell) {
                assert_eq!(Some(map.distance(from, to)), steps[to.index()]);
                for radius in [0, 1, 2, 5, 16] {
                    assert_eq!(map.disc(from, radius).contains(to), steps[to.index()] <= Some(radius));
                }
            }
            assert_eq!((map.distance(from, Cell::NONE), map.distance(Cell::NONE, from)), (64, 64));
        }
    }
}

#[test]
fn gx_r1h_the_observation_holds_distances_of_islands() {
    let env = Position::of("a").load();
    let (game, state) = (&env.configured().game, env.state());
    let bytes = observed(game, state, 0);
    for from in 0..12 {
        for to in 0..12 {
            let steps = game.map().distance(state.cells[from], state.cells[to]);
            assert_eq!(bytes[543 + 12 * from + to], steps);
        }
    }
}

#[test]
fn gx_r2_r2a_first_hands_and_handicap() {
    let hands = |options: serde_json::Value| {
        let env = Env::new(configured(&options), 3);
        [sizes(&env, 0), sizes(&env, 1)]
    };
    assert_eq!(hands(json!({})), [[8, 24, 0], [8, 24, 0]]);
    assert_eq!(hands(json!({"handicap": [0, 2]})), [[8, 24, 0], [10, 22, 0]]);
    assert_eq!(hands(json!({"handicap": [1, 0]})), [[9, 23, 0], [8, 24, 0]]);
    for bad in [
        json!([1, 1]),
        json!([3, 0]),
        json!([0]),
        json!([0, -1]),
        json!("2"),
        json!([0, 0, 0]),
        json!([0, "x"]),
    ] {
        let said = refused_options(&json!({"handicap": bad}));
        assert!(
            said.contains("option `handicap`") && said.contains("allowed: a list of two numbers"),
            "{said}"
        );
    }
}

#[test]
fn gx_r2_cards_are_drawn_by_their_number() {
    let configured = configured(&json!({}));
    let mut counts = BTreeMap::new();
    for seed in 0..2_000 {
        let env = Env::new(configured.clone(), seed);
        for (kind, &count) in env.state().hands[1][..22].iter().enumerate() {
            *counts.entry(kind).or_insert(0) += u32::from(count);
        }
    }
    let expected = configured
        .game
        .kinds()
        .iter()
        .enumerate()
        .map(|(k, kind)| (k, f64::from(kind.copies) / 32.0))
        .collect();
    // The 99.9 % point with 21 degrees of freedom; draws without replacement vary less.
    assert!(chi_square(&counts, &expected) < 46.8, "{counts:?}");
}

/// Where both ships start, by the order of k and the cells that are empty.
fn starts(game: &Gravitix, seed: u64, order: &[usize]) -> ([Cell; 2], bool) {
    let env = Env::new(configured(&json!({"formation": game.map().formation.name()})), seed);
    let state = env.state();
    let island = |k: usize| state.cells.contains(&game.map().cell(0, k).unwrap());
    let free: Vec<Cell> =
        order.iter().filter(|&&k| !island(k)).map(|&k| game.map().cell(0, k).unwrap()).collect();
    assert_eq!(phase(&env), "turn");
    (state.ships, state.ships == [free[0], free[1]])
}

#[test]
fn gx_r3_r3a_q3_e2_ships_start_next_to_the_centre_line() {
    let mut seen_orders = BTreeMap::new();
    for (formation, order) in [("2x6", &[2, 1, 0][..]), ("4x3", &[8, 9, 10, 2, 1, 0])] {
        let configured = configured(&json!({"formation": formation}));
        for seed in 0..200 {
            let (ships, right) = starts(&configured.game, seed, order);
            assert!(right, "{formation}, seed {seed}: {ships:?}");
            *seen_orders.entry((formation, ships.map(|ship| ship.0))).or_insert(0) += 1;
        }
    }
    // Map a: (0,2) and (0,1); an island on (0,1): (0,2) and (0,0); an island on (0,2): (0,1) and (0,0).
    for ships in [[2, 1], [2, 0], [1, 0]] {
        assert!(seen_orders.contains_key(&("2x6", ships)), "{seen_orders:?}");
    }
}

#[test]
fn gx_r3_q3_e3_equally_near_starts_are_chosen() {
    let mut position = Position::of("a").option("formation", "3x4").set("phase", "start");
    position.json["ships"] = json!([null, null]);
    let mut env = position.load();
    assert_eq!((legal(&env), env.current_player()), (vec![99, 100], Some(Player(0))));
    assert_eq!(legal_texts(&env), ["go 0:2", "go 0:8"]);
    play(&mut env, &["go 0:8"]);
    assert_eq!(seen(&env, None)["ships"], json!([[0, 8], [0, 2]]));
    assert_eq!((phase(&env), env.current_player()), ("turn".into(), Some(Player(0))));
    // With an island on (0,8) the first is forced and the second chooses between (0,1) and (0,9).
    position.json["islands"][2]["face"] = "a1".into();
    position.json["islands"][1]["face"] = "a2".into();
    position.json["ships"] = json!([[0, 2], null]);
    let env = position.set("turn", 1).load();
    assert_eq!(
        (legal_texts(&env), env.current_player()),
        (vec!["go 0:1".into(), "go 0:9".into()], Some(Player(1)))
    );
}

#[test]
fn gx_q18_who_is_first() {
    let first =
        |options: serde_json::Value, seed| Env::new(configured(&options), seed).current_player().unwrap().0;
    for seed in 0..20 {
        assert_eq!(first(json!({}), seed), 0);
        assert_eq!(first(json!({"first_player": 1}), seed), 1);
    }
    let ones = (0..400).filter(|&seed| first(json!({"first_player": "random"}), seed) == 1).count();
    assert!((150..=250).contains(&ones), "{ones}");
    let env = Env::new(configured(&json!({"first_player": 1})), 3);
    let ships = env.state().ships;
    let middle = |cell: Cell| env.configured().game.map().cells[cell.index()].1;
    assert!(middle(ships[1]) > middle(ships[0]), "the first player's ship is nearer to the centre line");
    for bad in [json!(2), json!("first"), json!(null)] {
        assert!(
            refused_options(&json!({"first_player": bad}))
                .contains("allowed: `random`, or a player from 0 to 1")
        );
    }
}

#[test]
fn gx_q19_q20_q21_sets_formations_and_open_sea() {
    // Any twelve of sets 1 and 2 lie together, in all proportions.
    let configured = configured(&json!({"island_set": "1+2"}));
    let mixes: std::collections::BTreeSet<usize> = (0..200)
        .map(|seed| {
            Env::new(configured.clone(), seed).state().faces.iter().filter(|&&face| face < 12).count()
        })
        .collect();
    assert!(mixes.len() >= 5, "{mixes:?}");
    // 4x3: four columns of three rows.
    assert_eq!((Formation::FourByThree.size(), Formation::ThreeByFour.size()), ((4, 3), (3, 4)));
    // Nothing but the border closes the sea: every whole triangle is a cell and has a neighbour.
    for map in maps() {
        assert!((0..map.len() as u8).all(|cell| !map.neighbours(Cell(cell)).is_empty()));
        assert!((0..12).all(|slot| (0..12).all(|place| map.holds(map.island(slot, place)))));
    }
}

#[test]
fn chance_of_the_deal_comes_in_the_order_of_the_rules() {
    // First player, faces, order, orientations, cards: as many events as each has.
    for (options, expected) in [
        (json!({}), 24 + 16),
        (json!({"island_set": "1+2"}), 36 + 16),
        (json!({"first_player": "random"}), 25 + 16),
        (json!({"players": 1}), 24 + 15),
        (json!({"handicap": [2, 0]}), 24 + 18),
    ] {
        let mut coverage = Coverage::default();
        configured(&options).game.deal(&mut Rng::from_seed(1), &mut coverage);
        assert_eq!(coverage.chance, expected, "{options}");
    }
}
