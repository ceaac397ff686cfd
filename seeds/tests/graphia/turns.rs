//! The round: cards, who decides and who does not, the reveal, the end.

use crate::fixture::{
    Position, act, acting, blank, configured, event_names, full_but, legal_of, legal_texts_of, over, play,
    rows_of, seen, segment, sheet, squares_of, story, variants,
};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::prelude::{Player, Players, Show};
use playmat_graphia::rules::{Deck, Event};
use playmat_graphia::state::{Kind, Terrain};
use serde_json::{Value, json};

#[test]
fn gg_r1_cards_then_die_then_drawings() {
    let configured = configured(&json!({"players": 2}));
    for seed in 0..5 {
        let story = story(&configured, seed);
        let mut rest =
            story.iter().map(|(event, _)| event).filter(|event| !matches!(event, Event::DeckRenewed(_)));
        let Some(Event::TerrainTurned { round: 1, terrain }) = rest.next() else { panic!("{story:?}") };
        let mut terrain = *terrain;
        let mut rounds = 1;
        loop {
            if terrain.is_six() {
                assert!(matches!(rest.next(), Some(Event::PairShown(_))));
            }
            assert!(matches!(rest.next(), Some(Event::DieRolled(1..=12))));
            let next = rest.find_map(|event| match event {
                Event::TerrainTurned { round, terrain } => Some((*round, *terrain)),
                _ => None,
            });
            let Some((round, turned)) = next else { break };
            rounds += 1;
            assert_eq!(round, rounds);
            terrain = turned;
        }
        assert!(rounds > 20);
    }
}

#[test]
fn gg_r1a_terrain_pair_and_number_hold_for_all() {
    let mut env = Position::of(8, "Desert", 9).pair("S", "Z").load();
    assert_eq!(acting(&env), [0, 1, 2, 3, 4, 5, 6, 7]);
    for player in 1..8 {
        assert_eq!(legal_of(&env, player), legal_of(&env, 0));
    }
    play(&mut env, &["shape S"; 8]);
    for player in 1..8 {
        assert_eq!(legal_of(&env, player), legal_of(&env, 0));
    }
    play(&mut env, &["place S turned 0 at (9,1) as Desert"; 8]);
    for player in 0..8 {
        assert_eq!(squares_of(&rows_of(&env, player), 'D').len(), 4);
    }
}

#[test]
fn gg_r1b_no_shapes_are_turned_for_one_square() {
    let configured = configured(&json!({"players": 1}));
    let mut seen = [0; 2];
    for (event, state) in story(&configured, 3) {
        if matches!(event, Event::DieRolled(_)) && state.pair.is_none() {
            let terrain = state.terrain.unwrap();
            assert!(!terrain.is_six());
            seen[usize::from(terrain == Terrain::Nexus)] += 1;
        }
    }
    assert!(seen[0] > 2 && seen[1] > 2, "{seen:?}");
    let mut env = Position::of(1, "Nexus", 3).load();
    play(&mut env, &["nexus at (3,3)"]);
    assert_eq!(squares_of(&rows_of(&env, 0), 'X'), [(3, 3)]);
}

#[test]
fn gg_r1c_all_sheets_start_empty() {
    let configured = configured(&json!({"players": 3}));
    for seed in 0..100 {
        let env = Env::new(configured.clone(), seed);
        for player in 0..3 {
            // A Desolation may be the first card; nothing else is there before the first decision.
            assert!(rows_of(&env, player).join("").chars().all(|letter| letter == '.' || letter == 'O'));
        }
        assert_eq!(acting(&env), [0, 1, 2], "no first player");
    }
}

/// GG-Q13.
#[test]
fn gg_r1d_q13_turning_cards_passes_on_and_is_no_choice() {
    for round in [1, 2, 3, 4, 9999] {
        let env = Position::of(3, "Nexus", 3).set("round", round).load();
        assert_eq!(acting(&env), [0, 1, 2], "round {round}");
    }
}

/// The pairs of a random game, in the order they were shown.
fn pairs(options: &Value, seed: u64) -> Vec<[Kind; 2]> {
    let shown = |(event, _): (Event, _)| match event {
        Event::PairShown(pair) => Some(pair),
        _ => None,
    };
    story(&configured(options), seed).into_iter().filter_map(shown).collect()
}

#[test]
fn gg_r2_r2c_a_cycle_of_shapes_lasts_four_pairs_across_terrain_cycles() {
    let mut cycles = 0;
    for seed in 0..10 {
        for cycle in pairs(&json!({"players": 2}), seed).chunks_exact(4) {
            let mut kinds: Vec<u8> = cycle.iter().flatten().map(|kind| kind.0).collect();
            kinds.sort_unstable();
            assert_eq!(kinds, [0, 1, 2, 2, 3, 4, 5, 6]);
            cycles += 1;
        }
    }
    assert!(cycles > 40, "{cycles}");
}

#[test]
fn gg_r2a_eight_rounds_turn_each_terrain_once() {
    for seed in 0..10 {
        let terrains: Vec<usize> = story(&configured(&json!({"players": 2})), seed)
            .into_iter()
            .filter_map(|(event, _)| match event {
                Event::TerrainTurned { terrain, .. } => Some(terrain.index()),
                _ => None,
            })
            .collect();
        for cycle in terrains.chunks_exact(8) {
            let mut cycle = cycle.to_vec();
            cycle.sort_unstable();
            assert_eq!(cycle, [0, 1, 2, 3, 4, 5, 6, 7]);
        }
    }
    // The last one is certain.
    for seed in 0..20 {
        let mut env = Position::of(1, "Nexus", 4).set("terrain_left", json!(["Tundra"])).load_with(seed);
        play(&mut env, &["nexus at (4,4)"]);
        assert_eq!(seen(&env, None)["terrain"], "Tundra");
    }
}

#[test]
fn gg_r2b_both_cards_are_put_aside() {
    for seed in 0..20 {
        let mut env = Position::of(1, "Mountain", 6)
            .pair("T", "S")
            .set("shapes_left", json!({"I": 1, "O": 1, "T": 1, "Z": 1}))
            .load_with(seed);
        play(&mut env, &["shape T", "place turned 0 at (6,6)"]);
        let next = seen(&env, None);
        let pair: Vec<&str> =
            next["pair"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        assert!(!pair.contains(&"S") && !pair.contains(&"J") && !pair.contains(&"L"), "{pair:?}");
        for id in ["I", "O", "T", "Z"] {
            let shown = pair.contains(&id);
            assert_eq!(next["shapes_left"][id], json!(u8::from(!shown)), "{id}");
        }
    }
}

#[test]
fn gg_r2d_a_deck_is_renewed_when_a_card_is_needed() {
    let mut env =
        Position::of(1, "Mountain", 6).pair("T", "S").set("terrain_left", json!(["Nexus", "Forest"])).load();
    let empty = json!({"I": 0, "O": 0, "T": 0, "S": 0, "Z": 0, "J": 0, "L": 0});
    assert_eq!(seen(&env, None)["shapes_left"], empty);
    play(&mut env, &["shape T", "place turned 0 at (6,6)"]);
    if seen(&env, None)["terrain"] == "Nexus" {
        assert_eq!(seen(&env, None)["shapes_left"], empty, "still empty");
        let text = legal_texts_of(&env, 0)[0].clone();
        play(&mut env, &[&text]);
    }
    assert!(event_names(&env, None).contains(&"deck_renewed".into()));
    let left = seen(&env, None)["shapes_left"]
        .as_object()
        .unwrap()
        .values()
        .map(|n| n.as_u64().unwrap())
        .sum::<u64>();
    assert_eq!(left, 6);
    // The terrain deck likewise.
    let mut env = Position::of(1, "Nexus", 6).set("terrain_left", json!([])).load();
    assert_eq!(seen(&env, None)["terrain_left"], json!([]));
    play(&mut env, &["nexus at (6,6)"]);
    assert_eq!(event_names(&env, None)[2..4], ["deck_renewed", "terrain_turned"]);
}

/// Three cards: an odd deck.
const ODD: &str = "name = \"graphia\"\n\
    [[polyomino]]\nid = \"one\"\ncopies = 1\nrows = [\"##\"]\n\
    [[polyomino]]\nid = \"two\"\ncopies = 2\nrows = [\"##\", \"##\"]\n";

/// GG-Q22.
#[test]
fn gg_r2e_q22_the_last_card_of_an_odd_deck_is_the_first_of_the_pair() {
    for seed in 0..20 {
        let mut env = Position::of(1, "Mountain", 6)
            .option("content", ODD)
            .pair("two", "two")
            .set("shapes_left", json!({"one": 1}))
            .load_with(seed);
        play(&mut env, &["place turned 0 at (6,6)"]);
        let next = seen(&env, None);
        // The second comes from all other cards: it cannot be the same one again.
        assert_eq!(next["pair"], json!(["one", "two"]));
        assert_eq!(next["shapes_left"], json!({"one": 0, "two": 1}));
    }
    // So it goes on to the end: the pair and the card left are always the whole deck.
    let configured = configured(&json!({"players": 1, "content": ODD}));
    let mut pairs = 0;
    for (event, state) in story(&configured, 1) {
        let Event::PairShown(pair) = event else { continue };
        let mut cards = state.shapes_left;
        for kind in pair {
            cards[kind.index()] += 1;
        }
        assert_eq!(cards[..3], [1, 2, 0]);
        pairs += 1;
    }
    assert!(pairs > 20, "{pairs}");
}

#[test]
fn gg_e11_after_a_cycle_of_terrains_four_shapes_are_left() {
    for seed in 0..10 {
        let ninth = story(&configured(&json!({"players": 1})), seed)
            .into_iter()
            .find(|(event, _)| matches!(event, Event::TerrainTurned { round: 9, .. }));
        let left: u8 = ninth.unwrap().1.shapes_left.iter().sum();
        assert_eq!(left, 4);
    }
}

/// GG-Q10.
#[test]
fn gg_r6_q10_a_shape_that_fits_nowhere_is_no_question() {
    let hole = [(5, 5), (5, 6), (6, 5), (6, 6), (9, 5), (9, 6), (10, 5), (10, 6)];
    let mut env = Position::of(2, "Forest", 5)
        .pair("O", "S")
        .set("shapes_left", json!({"I": 1}))
        .set("terrain_left", json!(["Nexus"]))
        .sheet(0, full_but(&hole))
        .load();
    assert_eq!(acting(&env), [1], "only the other has two shapes to choose from");
    play(&mut env, &["shape O"]);
    assert_eq!(acting(&env), [0, 1]);
    assert_eq!(
        legal_texts_of(&env, 0),
        ["place O turned 0 at (5,5) as Forest", "place O turned 0 at (9,5) as Forest"]
    );
    play(&mut env, &["place turned 0 at (9,5)", "place turned 0 at (5,5)"]);
    // Both cards are put aside all the same.
    assert_eq!(seen(&env, None)["shapes_left"]["S"], 0);
}

#[test]
fn gg_r6_without_a_placement_the_drawing_is_skipped() {
    let mut env = Position::of(2, "Forest", 5)
        .pair("O", "O")
        .option("content", PAIRS)
        .sheet(1, full_but(&[(1, 1)]))
        .load();
    assert_eq!(acting(&env), [0]);
    play(&mut env, &["place turned 0 at (5,5)"]);
    assert_eq!(rows_of(&env, 1), full_but(&[(1, 1)]));
}

/// Two kinds, two cards each.
const PAIRS: &str = "name = \"graphia\"\n\
    [[polyomino]]\nid = \"O\"\ncopies = 2\nrows = [\"##\", \"##\"]\n\
    [[polyomino]]\nid = \"I\"\ncopies = 2\nrows = [\"####\"]\n";

#[test]
fn gg_r6a_the_only_shape_that_fits_must_be_drawn() {
    let hole = [(5, 1), (5, 2), (5, 3), (5, 4), (5, 5)];
    let env = Position::of(1, "Forest", 5).pair("O", "I").sheet(0, full_but(&hole)).load();
    assert_eq!(seen(&env, None)["phase"], "place");
    assert_eq!(
        legal_texts_of(&env, 0),
        ["place I turned 0 at (5,1) as Forest", "place I turned 0 at (5,2) as Forest"]
    );
    // A shape fits if it does in any turn.
    let standing = [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)];
    let env = Position::of(1, "Forest", 2).pair("O", "I").sheet(0, full_but(&standing)).load();
    assert_eq!(
        legal_texts_of(&env, 0),
        ["place I turned 1 at (1,5) as Forest", "place I turned 1 at (2,5) as Forest"]
    );
}

/// GG-Q5, GG-R6b.
#[test]
fn gg_r6b_q5_who_can_draw_must() {
    let env = Position::of(1, "Forest", 5).pair("T", "T").load();
    assert!(legal_texts_of(&env, 0).iter().all(|text| text.starts_with("place T turned")));
    // No action of the whole space is a pass.
    for action in 0..583 {
        let text = env.action_text(None, action).unwrap();
        assert!(text.starts_with("shape ") || text.starts_with("place turned "), "{text}");
    }
    // A skip has no effect later: the player that skipped decides in the next round as soon as it has a choice.
    let hole: Vec<_> = (1..=4).flat_map(|c| [(9, c), (10, c)]).collect();
    let mut decided = 0;
    for seed in 0..12 {
        let mut env = Position::of(2, "Forest", 5)
            .pair("O", "O")
            .option("content", PAIRS)
            .set("terrain_left", json!(["Nexus"]))
            .sheet(1, full_but(&hole))
            .load_with(seed);
        assert_eq!(acting(&env), [0]);
        play(&mut env, &["place turned 0 at (5,5)"]);
        let number = seen(&env, None)["number"].as_u64().unwrap();
        assert_eq!(acting(&env).contains(&1), matches!(number, 1..=4 | 9 | 10), "{number}");
        decided += usize::from(acting(&env).contains(&1));
    }
    assert!(decided > 0);
}

#[test]
fn gg_r6_r7_e3_a_full_line_skips_or_ends() {
    let line: Vec<_> = (1..=12).flat_map(|i| [(1, i), (i, 1)]).collect();
    let full = sheet(&[('M', &line)]);
    // Two players: one skips.
    let env = Position::of(2, "Forest", 1).pair("I", "O").sheet(0, full.clone()).load();
    assert_eq!(acting(&env), [1]);
    // Alone: over.
    let env = Position::of(1, "Forest", 1).pair("I", "O").sheet(0, full.clone()).load();
    assert_eq!(env.status(), Status::Terminated);
    // A Nexus round goes on, until the line is rolled again in another.
    for seed in 0..20 {
        let env = Position::of(1, "Nexus", 1).sheet(0, full.clone()).load_with(seed);
        let next = seen(&env, None);
        assert_eq!((&next["terrain"], &next["round"]), (&json!("Forest"), &json!(6)));
        assert_eq!(env.status() == Status::Terminated, next["number"] == 1, "{next}");
    }
}

#[test]
fn gg_r7_the_first_round_in_which_nobody_can_draw_ends_the_game() {
    let line: Vec<_> = (1..=12).flat_map(|i| [(1, i), (i, 1)]).collect();
    let env = Position::of(2, "Farm", 1)
        .pair("I", "O")
        .sheet(0, sheet(&[('M', &line)]))
        .sheet(1, sheet(&[('R', &line)]))
        .load();
    assert_eq!(env.status(), Status::Terminated);
    assert_eq!(seen(&env, None)["scores"][0]["empty"], 121, "rooms elsewhere remain");
}

/// GG-Q24.
#[test]
fn gg_r7a_q24_the_last_round_changes_no_sheet_and_stays_shown() {
    let position = Position::of(1, "Farm", 1)
        .pair("O", "I")
        .set("shapes_left", json!({"T": 1, "J": 1}))
        .set("terrain_left", json!(["Nexus"]))
        .sheet(0, full_but(&[(6, 6)]));
    let env = position.load();
    let end = seen(&env, None);
    assert_eq!(end["phase"], "end");
    assert_eq!(rows_of(&env, 0), full_but(&[(6, 6)]));
    assert_eq!(
        (&end["terrain"], &end["pair"], &end["number"]),
        (&json!("Farm"), &json!(["I", "O"]), &json!(1))
    );
    assert_eq!((&end["round"], &end["terrain_left"]), (&json!(5), &json!(["Nexus"])));
    assert_eq!((&end["shapes_left"]["T"], &end["shapes_left"]["I"]), (&json!(1), &json!(0)));
    assert_eq!(segment(&env, 0, "phase"), [0, 0, 0]);
    assert_eq!(segment(&env, 0, "shapes_shown"), [1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(segment(&env, 0, "die"), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/// GG-Q23.
#[test]
fn gg_r7b_q23_while_one_can_draw_the_game_goes_on() {
    let mut env = Position::of(3, "Farm", 6)
        .pair("I", "O")
        .sheet(0, full_but(&[]))
        .sheet(2, full_but(&[(1, 1)]))
        .load();
    assert_eq!((env.status(), acting(&env)), (Status::Running, vec![1]));
    play(&mut env, &["shape I", "place turned 0 at (6,1)"]);
    assert_eq!(squares_of(&rows_of(&env, 1), 'A').len(), 4);
}

/// GG-Q6.
#[test]
fn gg_r7c_q6_other_rounds_never_end_the_game() {
    // Nobody has room for a Nexus, and then nobody for a shape: only the second ends it.
    let position = Position::of(1, "Nexus", 6).sheet(0, full_but(&[]));
    let env = position.load();
    assert_eq!((env.status(), &seen(&env, None)["terrain"]), (Status::Terminated, &json!("Forest")));
    assert_eq!(seen(&env, None)["round"], 6);
    let env = position.set("terrain", "Desolation").load();
    assert_eq!((env.status(), &seen(&env, None)["terrain"]), (Status::Terminated, &json!("Forest")));
}

#[test]
fn gg_q7_e5_with_all_numbers_used_a_desolation_round_does_nothing() {
    let diagonal: Vec<_> = (1..=12).map(|n| (n, n)).collect();
    let ground = sheet(&[('O', &diagonal)]);
    let all: Vec<_> = (1..=12).collect();
    let position = Position::of(2, "Nexus", 6)
        .sheet(0, ground.clone())
        .sheet(1, ground.clone())
        .set("desolations_used", all)
        .set("terrain_left", json!(["Desolation"]));
    let mut env = position.load();
    play(&mut env, &["nexus at (6,1)", "nexus at (6,2)"]);
    let reported: Vec<Value> = env.events(None).unwrap();
    let event = reported.iter().find(|event| event["event"] == "desolation").unwrap();
    assert_eq!(event["number"], Value::Null);
    let turn = reported.iter().position(|event| event["event"] == "desolation").unwrap();
    assert_ne!(reported[turn - 1]["event"], "die_rolled", "nothing is rolled");
    assert_eq!(rows_of(&env, 0), over(ground, &[('X', &[(6, 1)])]));
    // The card is used up: the terrain deck had to be renewed for the next round.
    assert!(reported[turn + 1..].iter().any(|event| event["event"] == "deck_renewed"));
    let position = position.set("terrain", "Desolation").set("terrain_left", json!(["Farm"]));
    let env = position.set("number", Value::Null).load();
    assert_eq!((env.status(), &seen(&env, None)["terrain"]), (Status::Running, &json!("Farm")));
}

#[test]
fn gg_q9_choices_are_simultaneous_and_all_sheets_change_at_once() {
    let mut env = Position::of(3, "Farm", 6).pair("I", "I").option("content", PAIRS).load();
    act(&mut env, 2, "place turned 0 at (6,1)");
    act(&mut env, 0, "place turned 0 at (6,1)");
    for player in 0..3 {
        assert_eq!(rows_of(&env, player), blank());
        let reported = seen(&env, Some(player as u8));
        assert_eq!(reported["deciders"], json!([0, 1, 2]), "not who has chosen");
        assert_eq!(reported["own_choice"]["place"].is_null(), player == 1);
    }
    assert_eq!(env.events(Some(Player(1))).unwrap(), Vec::<Value>::new(), "nothing to see for who waits");
    act(&mut env, 1, "place turned 1 at (6,1)");
    for player in 0..3 {
        assert_eq!(squares_of(&rows_of(&env, player), 'A').len(), 4);
    }
    assert_eq!(event_names(&env, None)[..4], ["placement_chosen", "drawn", "drawn", "drawn"]);
}

#[test]
fn gg_q11_a_pair_of_equal_kinds_is_one_choice() {
    let env = Position::of(2, "Farm", 6).pair("T", "T").load();
    assert_eq!(seen(&env, None)["phase"], "place");
    assert!(legal_of(&env, 0).iter().all(|&action| action >= 7));
}

/// GG-Q12.
#[test]
fn gg_q12_equal_totals_share_the_victory() {
    let env = Position::of(3, "Farm", 1)
        .pair("I", "O")
        .sheet(0, full_but(&[]))
        .sheet(1, full_but(&[]))
        .sheet(2, over(full_but(&[]), &[('.', &[(1, 12)])]))
        .load();
    assert_eq!(env.scores()[..3], [144, 144, 143]);
    let winners: Players = [Player(0), Player(1)].into_iter().collect();
    assert_eq!(env.configured().game.winners(env.state()), winners);
}

/// GG-Q14.
#[test]
fn gg_q14_the_shape_is_chosen_after_the_roll() {
    let mut env = Position::of(1, "Farm", 6).pair("I", "O").load();
    assert_eq!((&seen(&env, None)["phase"], &seen(&env, None)["number"]), (&json!("shape"), &json!(6)));
    play(&mut env, &["shape O"]);
    assert_eq!((&seen(&env, None)["phase"], &seen(&env, None)["number"]), (&json!("place"), &json!(6)));
    assert!(!event_names(&env, None).contains(&"die_rolled".into()));
}

/// GG-Q25.
#[test]
fn gg_q25_only_what_is_public_forces_a_move() {
    // One empty square in the line of a Nexus: a forced move, drawn with all others at the reveal.
    let mut env = Position::of(2, "Nexus", 6).sheet(1, full_but(&[(6, 4)])).load();
    assert_eq!(acting(&env), [0]);
    assert_eq!(squares_of(&rows_of(&env, 1), 'X'), [], "not before the reveal");
    play(&mut env, &["nexus at (6,1)"]);
    assert_eq!(squares_of(&rows_of(&env, 1), 'X'), [(6, 4)]);
    // A single placement of the only shape that fits: the same.
    let hole = [(6, 4), (6, 5), (6, 6), (6, 7)];
    let mut env =
        Position::of(2, "Farm", 6).pair("I", "I").option("content", PAIRS).sheet(1, full_but(&hole)).load();
    assert_eq!(acting(&env), [0]);
    play(&mut env, &["place turned 0 at (6,1)"]);
    assert_eq!(rows_of(&env, 1), full_but(&[]));
}

#[test]
fn gg_q25_every_other_decision_has_two_actions() {
    let mut single = 0;
    for options in variants().into_iter().take(1).chain([json!({"players": 1}), json!({"players": 4})]) {
        let alone = options["players"] == 1;
        let configured = configured(&options);
        for seed in 0..10 {
            let mut env = Env::new(configured.clone(), seed);
            while let Some(player) = env.current_player() {
                let legal = legal_of(&env, player.0);
                if legal.len() == 1 {
                    assert!(!alone && env.state().chose.contains(player), "{options}");
                    single += 1;
                }
                let action = env.sample_action(player).unwrap();
                env.step(action.0.into()).unwrap();
            }
        }
    }
    assert!(single > 5, "{single}");
}

/// GG-Q26.
#[test]
fn gg_q26_one_player_plays_for_the_score() {
    let refused = |reward: &str| {
        let options = json!({"players": 1, "reward": reward});
        playmat_core::env::ConfiguredGame::<playmat_graphia::Graphia>::new(options.as_object().unwrap()).err()
    };
    assert!(refused("outcome").unwrap().to_string().contains("offered: score, score_delta"));
    assert!(refused("score_delta").is_none());
    let env = Position::of(1, "Farm", 1).pair("I", "O").sheet(0, full_but(&[])).load();
    assert_eq!(env.configured().reward.name(), "score");
}

#[test]
fn events_report_a_round_in_order_and_hide_what_is_hidden() {
    let mut env = Position::of(2, "Mountain", 6).pair("I", "O").load();
    act(&mut env, 1, "shape I");
    assert_eq!(env.events(Some(Player(0))).unwrap(), Vec::<Value>::new());
    assert_eq!(env.events(Some(Player(1))).unwrap()[0]["shape"], "I");
    act(&mut env, 0, "shape O");
    act(&mut env, 0, "place turned 0 at (6,1)");
    assert_eq!(env.events(Some(Player(1))).unwrap(), Vec::<Value>::new());
    act(&mut env, 1, "place turned 1 at (6,1)");
    let reported: Vec<Value> = env.events(Some(Player(0))).unwrap();
    let names: Vec<&str> = reported.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let expected = [
        "drawn",
        "drawn",
        "score_changed",
        "score_changed",
        "terrain_turned",
        "deck_renewed",
        "pair_shown",
        "die_rolled",
    ];
    assert_eq!(names[..8], expected);
    let squares = [[6, 1], [6, 2], [7, 1], [7, 2]];
    assert_eq!(
        (&reported[0]["player"], &reported[0]["shape"], &reported[0]["squares"]),
        (&json!(0), &json!("O"), &json!(squares))
    );
    assert_eq!((&reported[2]["from"], &reported[2]["to"]), (&json!(0), &json!(4)));
    // A deck's event says which.
    let game = &env.configured().game;
    let map = game.event_json(&Event::DeckRenewed(Deck::Terrain), Some(Player(0))).unwrap();
    assert_eq!(map["deck"], "terrain");
}
