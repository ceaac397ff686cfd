//! Rows: placing, restrictions, busts, shipping (GR-R5 to R8, Q1 to Q5).

use crate::fixture::{
    Position, SHIP, act, acting, compost, configured, field, hand, last_row, legal_of, others_play, play,
    points, row, story, visit,
};
use playmat_core::game::Game;
use playmat_core::save;
use playmat_graft::rules::Event;
use playmat_graft::state::{Kind, MAX_KINDS, MAX_TYPES, Row, State};
use serde_json::{Value, json};

/// After player 0 has played a card on a row: its row and its compost.
fn placed(row_before: &str, card: &str) -> (Vec<String>, Vec<String>) {
    let mut env = Position::of(3, 5).row(0, row_before).hand(0, card).load();
    play(&mut env, 0, card);
    others_play(&mut env);
    (row(&env, 0), compost(&env, 0))
}

#[test]
fn gr_r5a_q2_restrictions_of_all_cards_bind_every_later_card() {
    // Honeybug forbids Rations; two cards later that still holds.
    assert_eq!(placed("honeybug silver_fern comet_grape", "snack_pack").0, ["snack_pack"]);
    let env = Position::of(3, 5).row(0, "moonberry pig_iron").option("players", 3);
    assert!(env.refused().contains("players[0].row"), "Moonberry forbids Ore");
    let env = Position::of(3, 5).row(0, "shell_crab glass_pear star_plum").load();
    assert_eq!(field(&env, 0, "forbidden"), json!(["fungus", "critter", "ore", "gadget"]));
    assert_eq!(Position::of(3, 5).load().state().rows[0].forbidden, 0);
}

#[test]
fn gr_r5b_restrictions_bind_later_cards_of_the_same_row_only() {
    // Crown Pomelo forbids Fruit and is one itself; the Fruit before it stays.
    assert_eq!(placed("comet_grape", "crown_pomelo").0.len(), 2);
    assert_eq!(placed("comet_grape crown_pomelo", "sun_melon").0, ["sun_melon"]);
    // Another player's row does not care.
    let mut env = Position::of(3, 5).row(1, "honeybug").hand(0, "packed_lunch").load();
    play(&mut env, 0, "packed_lunch");
    others_play(&mut env);
    assert_eq!(compost(&env, 0).len(), 0);
}

#[test]
fn gr_r6_a_bust_takes_the_whole_row_and_its_restrictions() {
    let (row_after, lost) = placed("honeybug silver_fern", "packed_lunch");
    assert_eq!(
        (row_after, lost),
        (vec!["packed_lunch".into()], vec!["honeybug".into(), "silver_fern".into()])
    );
    let mut env =
        Position::of(3, 5).completed(0, "sun_melon").row(0, "honeybug").hand(0, "snack_pack").load();
    let before = points(&env, 0);
    play(&mut env, 0, "snack_pack");
    others_play(&mut env);
    assert_eq!(points(&env, 0), before + 1, "what was shipped stays; the compost counts one more");
    assert_eq!(field(&env, 0, "forbidden"), json!([]));
}

#[test]
fn gr_r6a_a_card_that_busts_may_be_chosen_on_purpose() {
    let env = Position::of(3, 2).row(0, "honeybug").hand(0, "packed_lunch sun_melon").load();
    assert_eq!(legal_of(&env, 0), [3, 42, SHIP]);
}

#[test]
fn gr_r7_q5_shipping_completes_the_row_with_the_replacement_and_its_effect() {
    let mut env = Position::of(3, 3)
        .row(0, "comet_grape")
        .hand(0, "replant silver_fern")
        .compost(0, "sun_melon lantern_moss")
        .load();
    let before = points(&env, 0);
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "replant");
    assert_eq!(acting(&env), [0], "the Replant of the replacement comes before completion");
    play(&mut env, 0, "sun_melon");
    play(&mut env, 0, "lantern_moss");
    assert_eq!(last_row(&env, 0), ["comet_grape", "replant", "sun_melon", "lantern_moss"]);
    // 2 + 0 + 3 + 2 x 2 Leaf, less two cards of the compost.
    assert_eq!(points(&env, 0) - before, 9 - 2);
    assert!(row(&env, 0).is_empty(), "the next card starts a new row");
    assert!(legal_of(&env, 0).contains(&SHIP), "the ship card is back");
}

#[test]
fn gr_r7a_only_legal_cards_are_offered_if_there_are_any() {
    let mut env = Position::of(3, 4)
        .row(0, "honeybug")
        .hand(0, "packed_lunch sun_melon silver_fern trail_jerky")
        .load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [3, 8]);
}

#[test]
fn gr_q1_a_restricted_coin_busts_like_any_card() {
    let position = Position::of(3, 5).row(0, "moonberry").hand(0, "z_coin");
    for (option, lost) in [("always", 0), ("restricted", 1)] {
        let mut env = position.clone().option("z_coin_placement", option).load();
        play(&mut env, 0, "z_coin");
        others_play(&mut env);
        assert_eq!(compost(&env, 0).len(), lost, "{option}");
    }
    let position = Position::of(3, 5).row(0, "moonberry z_coin");
    position.load();
    position.option("z_coin_placement", "restricted").refuses("not legal after");
}

#[test]
fn gr_q3_a_legal_replacement_must_be_given_if_there_is_one() {
    let mut env = Position::of(3, 2).row(0, "honeybug").hand(0, "packed_lunch sun_melon").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    // One kind is possible: a forced move.
    assert_eq!(
        (acting(&env), last_row(&env, 0)),
        (vec![0, 1, 2], vec!["honeybug".into(), "sun_melon".into()])
    );
}

#[test]
fn gr_q4_with_a_hand_there_is_always_a_replacement() {
    let mut env = Position::of(3, 1).row(0, "comet_grape").hand(0, "sun_melon").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(last_row(&env, 0), ["comet_grape", "sun_melon"]);
    // After a two-card turn, too.
    let mut env = Position::of(3, 1).row(0, "comet_grape energy_bar").hand(0, "sun_melon").load();
    act(&mut env, 0, crate::fixture::TAKE_BAR);
    play(&mut env, 0, "sun_melon");
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(last_row(&env, 0), ["comet_grape", "sun_melon", "energy_bar"]);
    assert_eq!(hand(&env, 1).len(), 5);
}

/// Counts every placement of whole games against a reading of the rules card by card.
#[test]
fn gr_r5_r6_rows_of_whole_games_follow_the_restrictions() {
    let configured = configured(&json!({"players": 4}));
    let game = &configured.game;
    let (mut kept, mut busts) = (0, 0);
    for seed in 0..20 {
        let mut rows: Vec<Vec<Kind>> = vec![Vec::new(); 4];
        for (event, state) in story(&configured, seed, 30) {
            match event {
                Event::Placed(player, kind, _) => {
                    let row = &mut rows[usize::from(player.0)];
                    let id = |kind: Kind| game.text(kind).id.as_str();
                    let from = row.iter().rposition(|&kind| id(kind) == "z_coin").unwrap_or(0);
                    let banned =
                        row[from..].iter().any(|&k| game.data(k).forbids >> game.data(kind).ty & 1 != 0);
                    if banned && id(kind) != "z_coin" {
                        row.clear();
                        busts += 1;
                    }
                    row.push(kind);
                    kept += 1;
                }
                Event::Completed(player, _) => rows[usize::from(player.0)].clear(),
                Event::BarTaken(player, _) => {
                    rows[usize::from(player.0)].pop();
                }
                Event::TurnBegan(_) => {
                    for (player, row) in rows.iter().enumerate() {
                        let codes: Vec<u8> = row.iter().map(|kind| kind.code()).collect();
                        assert_eq!(state.rows[player].codes(), codes);
                    }
                }
                _ => {}
            }
        }
    }
    assert!(kept > 1000 && busts > 100, "{kept} {busts}");
}

#[test]
fn rows_count_their_cards_in_play_and_after_loading() {
    let recount = |row: &Row| {
        let mut counts = [0; MAX_KINDS];
        row.codes().iter().for_each(|&code| counts[usize::from(code) - 1] += 1);
        counts
    };
    let mut cards = 0;
    for players in 2..=5 {
        visit(&json!({"players": players}), 11, 30, |game, state| {
            for row in &state.rows {
                assert_eq!(row.counts.0, recount(row), "{row:?}");
                let types = row.codes().iter().map(|&code| game.data(Kind(code - 1)).ty);
                let mut positions = [0; MAX_TYPES];
                types.clone().zip(0..).for_each(|(ty, at)| positions[usize::from(ty)] |= 1 << at);
                assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|ty| row.positions(ty)), positions, "{row:?}");
                let twins = types.clone().zip(types.skip(1)).zip(1..).filter(|((a, b), _)| a == b);
                assert_eq!(row.twins, twins.fold(0, |set, (_, at)| set | 1 << at), "{row:?}");
                cards += row.size();
            }
        });
    }
    assert!(cards > 1_000, "{cards}");
    let env = Position::of(3, 5).row(0, "replant silver_fern replant").row(1, "comet_grape").load();
    let loaded = save::from_bytes(env.configured(), &save::to_bytes(&env)).unwrap();
    for (loaded, row) in loaded.state().rows.iter().zip(&env.state().rows) {
        assert_eq!((loaded, loaded.counts.0), (row, recount(row)));
    }
}

#[test]
fn saved_positions_by_type_must_be_those_of_the_cards() {
    let env = Position::of(3, 5).row(0, "replant silver_fern replant").row(1, "comet_grape").load();
    let saved = json!(env.state());
    let read = |saved: &Value| serde_json::from_value::<State>(saved.clone()).unwrap();
    let game = &env.configured().game;
    assert!(game.validate(&read(&saved)).is_empty());
    let masks = saved["rows"][0]["masks"].as_array().unwrap().clone();
    let of = |ty: usize| masks[ty].as_u64().unwrap();
    let (used, unused) = ((0..8).find(|&ty| of(ty) != 0).unwrap(), (0..8).find(|&ty| of(ty) == 0).unwrap());
    // A card with two types, with none, with another one, and a type where no card is.
    for (ty, mask) in [(unused, of(used)), (used, 0), (unused, 1 << 20)] {
        let mut changed = saved.clone();
        changed["rows"][0]["masks"][ty] = json!(mask);
        assert!(!game.validate(&read(&changed)).is_empty(), "type {ty}: {mask}");
    }
    let mut exchanged = saved.clone();
    (exchanged["rows"][0]["masks"][used], exchanged["rows"][0]["masks"][unused]) =
        (json!(0), json!(of(used)));
    assert!(!game.validate(&read(&exchanged)).is_empty());
}
