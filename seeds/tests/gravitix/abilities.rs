//! The abilities outside of payments, and Double.

use crate::fixture::{Position, act, due, events, legal, legal_texts, owner, phase, play, seen, sizes};
use playmat_core::prelude::*;
use serde_json::json;

#[test]
fn gx_r16_r16a_q7_e12_the_starting_cell_doubles_the_sail_of_its_owner() {
    // c1 lies on (3,5).
    let position = Position::of("c").ship(0, 3, 5).ship(1, 20, 4).hand(0, "RRR G");
    let range = |position: &Position| {
        let mut env = position.load();
        play(&mut env, &["sail RRR"]);
        (seen(&env, None)["range"].as_u64().unwrap(), legal_texts(&env).len())
    };
    assert_eq!(range(&position.clone().own(0, &[1])), (6, 32));
    assert_eq!(range(&position.clone().own(1, &[1])), (3, 13), "ships of others get nothing");
    assert_eq!(range(&position), (3, 13));
    // Not where the move ends.
    let mut env = Position::of("c").own(0, &[1]).ship(0, 3, 6).hand(0, "RRR G").load();
    play(&mut env, &["sail RRR"]);
    assert_eq!(seen(&env, None)["range"], 3);
}

#[test]
fn gx_r17_r17a_the_other_player_loses_a_card_of_that_ones_choice() {
    // c8 wants 3/0/1 and draws two.
    let position = Position::of("c").hand(0, "RRR G").hand(1, "R F GG");
    let mut env = position.clone().land(8);
    play(&mut env, &["supply", "pay RRR"]);
    assert_eq!((phase(&env), env.current_player(), sizes(&env, 0)[0]), ("lose".into(), Some(Player(1)), 2));
    assert_eq!(legal_texts(&env), ["discard R", "discard F", "discard GG"]);
    play(&mut env, &["discard F"]);
    assert_eq!(
        (phase(&env), env.current_player(), sizes(&env, 1)),
        ("turn".into(), Some(Player(1)), [2, 29, 1])
    );
    assert_eq!(seen(&env, Some(0))["discards"][1], json!({"F": 1}), "face up");
    // One kind is discarded by a forced move; an empty hand loses nothing, and its owner then takes cards.
    let mut env = position.clone().hand(1, "R R").land(8);
    play(&mut env, &["supply", "pay RRR"]);
    assert_eq!((env.current_player(), sizes(&env, 1)), (Some(Player(1)), [1, 30, 1]));
    let mut env = position.hand(1, "").land(8);
    play(&mut env, &["supply", "pay RRR"]);
    assert_eq!((env.current_player(), sizes(&env, 1)), (Some(Player(0)), [2, 30, 0]));
}

#[test]
fn gx_r18_r18a_q8_two_cards_for_two() {
    // c6 wants 2/1/0 and draws two.
    let position = Position::of("c").hand(0, "RRF W G");
    let mut env = position.clone().land(6);
    play(&mut env, &["supply"]);
    assert_eq!(
        (phase(&env), env.current_player(), sizes(&env, 0)),
        ("swap".into(), Some(Player(0)), [4, 26, 2])
    );
    assert!(legal_texts(&env).contains(&"decline".into()));
    play(&mut env, &["discard W"]);
    assert_eq!((phase(&env), sizes(&env, 0)), ("swap".into(), [3, 26, 3]));
    assert!(!legal_texts(&env).contains(&"decline".into()), "both or none");
    play(&mut env, &["discard G"]);
    assert_eq!((env.current_player(), sizes(&env, 0)), (Some(Player(1)), [4, 24, 4]));
    let mut env = position.clone().land(6);
    play(&mut env, &["supply", "decline"]);
    assert_eq!((env.current_player(), sizes(&env, 0)), (Some(Player(1)), [4, 26, 2]));
    // One card is left in the deck: one is drawn. None left, or one card in hand: not offered.
    let mut env = position.clone().deck(0, "R F GG").landing(6).load();
    play(&mut env, &["go 12:2", "supply", "discard W", "discard G"]);
    assert_eq!(sizes(&env, 0)[..2], [3, 0]);
    let mut env = position.clone().deck(0, "R F").landing(6).load();
    play(&mut env, &["go 12:2", "supply"]);
    assert_eq!((env.current_player(), sizes(&env, 0)[..2].to_vec()), (Some(Player(1)), vec![4, 0]));
    let mut env = Position::of("c").hand(0, "RRF").deck(0, "").option("hard", true).landing(6).load();
    play(&mut env, &["go 12:2", "supply"]);
    assert_eq!(env.current_player(), Some(Player(1)));
    // An island that grants one card, from other content: with that card alone in hand nothing is swapped.
    let text = include_str!("../../content/gravitix.toml");
    let poor = text.replace(
        r#"id = "c6", name = "New Crew", points = 1, cards = 2"#,
        r#"id = "c6", name = "New Crew", points = 1, cards = 1"#,
    );
    assert_ne!(text, poor);
    let position = Position::of("c").option("content", poor);
    let mut env = position.clone().hand(0, "RRF").land(6);
    play(&mut env, &["supply"]);
    assert_eq!((env.current_player(), sizes(&env, 0)), (Some(Player(1)), [1, 29, 2]));
    let mut env = position.hand(0, "RRF W").land(6);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), sizes(&env, 0)), ("swap".into(), [2, 28, 2]));
}

#[test]
fn gx_r19_r19a_q9_the_wind_blows_the_other_ship_up_to_two_steps() {
    // c3 wants 1/0/2. The other ship is on (24,5), two steps away from 24:6, 25:4, 25:6 and one from 24:4, 25:5.
    let position = Position::of("c").hand(0, "RGG W");
    let mut env = position.clone().land(3);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), env.current_player()), ("wind".into(), Some(Player(0))));
    let game = env.configured().game.clone();
    let map = game.map();
    let at = env.state().ships[1];
    let expected: Vec<String> = map
        .cells
        .iter()
        .enumerate()
        .filter(|(i, _)| (1..=2).contains(&map.distance(at, playmat_gravitix::map::Cell(*i as u8))))
        .map(|(_, (s, k))| format!("go {s}:{k}"))
        .collect();
    let mut all = vec!["decline".to_string()];
    all.extend(expected);
    assert_eq!(legal_texts(&env), all);
    assert!(!all.contains(&"go 24:5".into()) && all.contains(&"go 25:5".into()));
    let mut blown = env.clone();
    play(&mut blown, &["go 25:5"]);
    assert_eq!(
        (seen(&blown, None)["ships"][1].clone(), blown.current_player()),
        (json!([25, 5]), Some(Player(1)))
    );
    play(&mut env, &["decline"]);
    assert_eq!(
        (seen(&env, None)["ships"][1].clone(), env.current_player()),
        (json!([24, 5]), Some(Player(1)))
    );
    // Without a card in hand and deck the wind blows all the same.
    let mut env = Position::of("c").hand(0, "RGG").deck(0, "").landing(3).load();
    play(&mut env, &["go 7:4", "supply"]);
    assert_eq!((phase(&env), sizes(&env, 0)[..2].to_vec()), ("wind".into(), vec![0, 0]));
    // Not onto the own ship (c3 lies on (7,4)), unless ships share cells.
    let near = position.ship(1, 7, 3);
    let mut env = near.clone().land(3);
    play(&mut env, &["supply"]);
    assert!(!legal_texts(&env).contains(&"go 7:4".into()));
    let mut env = near.option("ships", "share").land(3);
    play(&mut env, &["supply"]);
    assert!(legal_texts(&env).contains(&"go 7:4".into()));
}

#[test]
fn gx_r19a_nothing_is_supplied_by_the_wind() {
    // Blown onto c11 (23,5), player 1 may supply it with a later card, staying there.
    let mut env = Position::of("c").hand(0, "RGG W").hand(1, "RRR R GG F").ship(1, 24, 4).land(3);
    play(&mut env, &["supply", "go 23:5"]);
    assert_eq!((phase(&env), env.current_player(), owner(&env, 11)), ("turn".into(), Some(Player(1)), None));
    play(&mut env, &["sail F", "go 23:5"]);
    assert_eq!((phase(&env), env.current_player()), ("supply".into(), Some(Player(1))));
}

#[test]
fn gx_r20_r20a_r6i_e14_double() {
    let position = Position::of("c").own(0, &[10]).pending(0, "double").hand(0, "RR GG GG");
    let mut env = position.clone().land(3);
    assert_eq!(legal(&env), [23, 24, 25]);
    play(&mut env, &["supply double"]);
    assert_eq!((due(&env), legal(&env)), ([2, 0, 4], vec![33, 35]));
    play(&mut env, &["pay RR"]);
    // Both GG are forced: two markers, twice two points and the one of c10, one card drawn, then Wind.
    assert_eq!((phase(&env), env.scores()[0], sizes(&env, 0)[0]), ("wind".into(), 5, 1));
    assert_eq!((env.state().doubled, env.state().stock(Player(0))), (1 << 3, 9));
    assert_eq!(seen(&env, None)["pending"], json!([null, null]));
    // Supplied plainly, Double is spent too.
    let mut env = position.land(3);
    play(&mut env, &["supply"]);
    assert_eq!(due(&env), [1, 0, 2]);
    play(&mut env, &["pay RR"]);
    assert_eq!(
        (phase(&env), env.scores()[0], seen(&env, None)["pending"][0].is_null()),
        ("wind".into(), 3, true)
    );
    assert_eq!(sizes(&env, 0)[0], 2, "one GG was enough");
}

#[test]
fn gx_q10_double_need_not_and_may_not_always_be_used() {
    // Twice the demand cannot be paid: only the plain supply is offered.
    let env = Position::of("c").own(0, &[10]).pending(0, "double").hand(0, "RR GG").land(3);
    assert_eq!(legal(&env), [23, 25]);
    // A Double island sets Double for the supply after it.
    let mut env = Position::of("c").hand(0, "F GGG").land(10);
    play(&mut env, &["supply", "pay F"]);
    assert_eq!(seen(&env, None)["pending"][0], "double");
}

#[test]
fn gx_r20a_double_needs_two_markers() {
    // Ten islands and one doubled: eleven markers; Double pending from the second Double island.
    let own = [0, 1, 2, 4, 5, 6, 7, 9, 10, 11];
    let position = Position::of("c").own(0, &own).doubled(6).pending(0, "double").hand(0, "RR GG GG");
    let env = position.clone().land(3);
    assert_eq!((env.state().stock(Player(0)), legal(&env)), (1, vec![23, 25]));
    let mut fewer = position;
    fewer.json["islands"][9]["owner"] = json!(1);
    let env = fewer.land(3);
    assert_eq!((env.state().stock(Player(0)), legal(&env)), (2, vec![23, 24, 25]));
}

#[test]
fn gx_r6g_claim_in_its_order() {
    // c9 lies on (18,5): points, cards, then the ability.
    let mut env = Position::of("c").hand(0, "RR FF FF G").land(9);
    play(&mut env, &["supply", "pay RR", "pay FF", "pay FF"]);
    let names: Vec<String> =
        events(&env, None).iter().map(|event| event["event"].as_str().unwrap().into()).collect();
    assert_eq!(names[..6], ["paid", "paid", "claimed", "score_changed", "drew", "drew"]);
    assert_eq!((phase(&env), owner(&env, 9)), ("lose".into(), Some(0)));
    act(&mut env, 1, "discard R");
    assert_eq!(env.current_player(), Some(Player(1)));
}

#[test]
fn gx_q14_a_grant_larger_than_the_deck() {
    let mut env = Position::of("a").hand(0, "RRF FF GG G").deck(0, "R").landing(6).load();
    let game = env.configured().game.clone();
    let (s, k) = game.map().cells[env.state().cells[6].index()];
    play(&mut env, &[&format!("go {s}:{k}"), "supply", "pay G", "pay RRF"]);
    assert_eq!((owner(&env, 6), sizes(&env, 0)[1]), (Some(0), 0), "one card instead of four");
}
