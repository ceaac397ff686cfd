//! The end of a game and its scores.

use crate::fixture::{
    Position, configured, event_names, legal, legal_texts, owner, phase, play, seen, sizes,
};
use playmat_core::game::{Game, Status};
use playmat_core::prelude::*;
use serde_json::json;

#[test]
fn gx_r8_r8a_e8_the_last_island_ends_the_game_before_cards_and_wind() {
    let position = Position::of("c").own(0, &[0]).own(1, &[1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
    let mut env = position.hand(0, "RRF FF G").land(5);
    play(&mut env, &["supply"]);
    assert_eq!(legal(&env), [29, 34, 36]);
    play(&mut env, &["pay RRF", "pay FF"]);
    assert_eq!((env.status(), owner(&env, 5), sizes(&env, 0)[0]), (Status::Terminated, Some(0), 0));
    assert_eq!(event_names(&env, None), ["paid", "paid", "claimed", "score_changed", "game_over", "update"]);
}

#[test]
fn gx_r8_q13_the_game_ends_when_nobody_has_cards() {
    let mut env = Position::of("a").hand(0, "R F").deck(0, "").hand(1, "").deck(1, "").load();
    play(&mut env, &["sail R", "go 0:2", "go 0:1"]);
    assert_eq!((env.status(), phase(&env)), (Status::Terminated, "end".into()));
    // Hard mode: decks do not help.
    let mut env = Position::of("a").hand(0, "R F").hand(1, "").option("hard", true).load();
    play(&mut env, &["sail R", "go 0:2", "go 0:1"]);
    assert_eq!((env.status(), sizes(&env, 0)[1]), (Status::Terminated, 30));
}

#[test]
fn gx_r8_q17_twelve_markers_end_the_game() {
    // Eleven markers of player 0 on ten islands, one of them doubled; its twelfth ends the game with c9 open.
    let own = [0, 1, 2, 4, 5, 6, 7, 8, 10, 11];
    let mut env = Position::of("c").own(0, &own).doubled(6).hand(0, "R GG F").land(3);
    play(&mut env, &["supply", "pay R"]);
    assert_eq!((env.status(), owner(&env, 9)), (Status::Terminated, None));
    assert_eq!(env.state().stock(Player(0)), 0);
}

#[test]
fn gx_q5_an_island_given_up_last_keeps_the_game_going() {
    // b2 is the last one open; giving up b4 for it leaves b4 open.
    let mut env = Position::of("b")
        .own(0, &[4])
        .own(1, &[0, 1, 3, 5, 6, 7, 8, 9, 10, 11])
        .hand(0, "")
        .landing(2)
        .load();
    play(&mut env, &["go 4:1", "supply"]);
    assert_eq!((env.status(), owner(&env, 2), owner(&env, 4)), (Status::Running, Some(0), None));
}

#[test]
fn gx_r9_e10_colours_score_by_their_number() {
    let env = Position::of("d").own(0, &[0, 1, 2, 4, 6, 7]).own(1, &[3]).load();
    assert_eq!(env.scores()[..2], [20, 3]);
    let each: Vec<i32> =
        (1..=6).map(|n| Position::of("d").own(0, &(0..n).collect::<Vec<_>>()).load().scores()[0]).collect();
    let own: Vec<i32> = [1, 2, 3, 5, 7, 10].to_vec();
    let sets: Vec<i32> = each.iter().zip(own).map(|(score, points)| score - points).collect();
    assert_eq!(sets, [1, 3, 6, 10, 15, 21]);
}

#[test]
fn gx_q15_a_doubled_island_is_one_of_its_colour() {
    let text = include_str!("../../content/gravitix.toml");
    let line = r#"id = "d0", name = "Coral Gate", points = 1, cards = 2, demand = [1, 1, 1], at = [0, 0], colour = "coral""#;
    let other = text.replace(line, &format!(r#"{line}, ability = "double""#));
    assert_ne!(text, other);
    let position = Position::of("d").option("content", other).own(0, &[0, 1, 2]);
    assert_eq!(position.load().scores()[0], 3 + 6);
    assert_eq!(position.doubled(1).load().scores()[0], 4 + 6, "its points twice, its colour once");
}

#[test]
fn gx_r9_e11_ties_go_to_unused_cards() {
    // Points 15 and 15 in set 0: a11 5, a10 4, a8 4, a1 2 and a5 3, a7 3, a9 3, a2 2, a4 2, a6 2.
    let position = Position::of("a").own(0, &[11, 10, 8, 1]).own(1, &[5, 7, 9, 2, 4, 6]).option("hard", true);
    // Hard mode and empty hands but for one card each side can still sail: the end comes with the last of them.
    let ended = |cards: [&str; 2], decks: [&str; 2]| {
        let mut env = position
            .clone()
            .hand(0, &format!("{} R", cards[0]))
            .hand(1, cards[1])
            .deck(0, decks[0])
            .deck(1, decks[1])
            .load();
        play(&mut env, &["go 0:2"]);
        while let Some(player) = env.current_player() {
            let action = env.legal(player).iter().next().unwrap();
            env.step(action.0.into()).unwrap();
        }
        (env.scores()[..2].to_vec(), env.returns()[..2].to_vec(), sizes(&env, 0), sizes(&env, 1))
    };
    let (scores, returns, ..) = ended(["", ""], ["F G RR W", "F G RR FF GG W"]);
    assert_eq!((scores, returns), (vec![15, 15], vec![-1.0, 1.0]));
    let (_, returns, ..) = ended(["", ""], ["F G RR W FF", "F G RR"]);
    assert_eq!(returns, [1.0, -1.0]);
    let (_, returns, ..) = ended(["", ""], ["F G RR", "F G RR"]);
    assert_eq!(returns, [0.0, 0.0], "shared");
    // The position of the example itself: cards of hand and deck count alike.
    let mut json =
        position.clone().hand(0, "R").deck(0, "F G RR").hand(1, "").deck(1, "F G RR FF GG W").whole();
    json["islands"][0]["owner"] = json!(0);
    json["islands"][3]["owner"] = json!(1);
    json["phase"] = "end".into();
    let game = &configured(&position.options).game;
    let state = game.restore(&json, &mut Rng::from_seed(1)).unwrap();
    assert_eq!(
        (game.scores(&state)[..2].to_vec(), game.winners(&state)),
        (vec![16, 16], Players::one(Player(1)))
    );
}

#[test]
fn gx_r9_the_score_changes_with_claims_and_sacrifices() {
    let mut env = Position::of("b").own(0, &[4, 5]).hand(0, "R RR").land(10);
    play(&mut env, &["supply", "sacrifice 5"]);
    assert_eq!(env.scores()[0], 2);
    assert!(event_names(&env, None).contains(&"score_changed".to_string()));
    play(&mut env, &["pay R"]);
    assert_eq!((env.scores()[0], legal_texts(&env).is_empty()), (4, false));
    assert_eq!(seen(&env, None)["scores"], json!([4, 0]));
}

#[test]
fn turns_and_decisions_stay_within_their_bounds() {
    for (i, options) in crate::fixture::variants().iter().enumerate() {
        let mut turns = 0;
        let mut last = None;
        let env = crate::fixture::visit_halves(options, 50 + i as u64, |env| {
            let now = (
                env.state().turn,
                crate::fixture::sizes(env, 0),
                crate::fixture::sizes(env, usize::from(env.info().players == 2)),
            );
            turns += usize::from(phase(env) == "turn" && last != Some(now));
            last = Some(now);
        });
        assert!(turns <= if env.info().players == 2 { 88 } else { 89 }, "{options}: {turns}");
        assert_eq!(env.info().max_decisions, 922);
    }
}
