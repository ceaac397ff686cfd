//! Victory, decks, discards and the end: RA-R18 to RA-R26 with their rulings.

use crate::fixture::{
    Position, configured, decider, discards, every_position, hand, last, legal, on_bench, phase,
    play_numbers, player_state, seen, segment, supplies,
};
use playmat_core::agent::Random;
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::survey::{Survey, survey};
use playmat_rafts::state::Phase;
use serde_json::json;

/// One card short of "probiotic".
fn almost() -> Position {
    Position::of(2).goals(0, &["probiotic"]).bench(0, "LL IL10").supplies(0, "time money").hand(1, "BS")
}

#[test]
fn ra_r18_q11_the_turn_player_wins_at_once_and_alone() {
    let mut env = almost().hand(0, "medium EC").load();
    play_numbers(&mut env, &[16]);
    assert_eq!((phase(&env), env.status()), (Phase::Won, Status::Terminated));
    assert_eq!((env.returns(), env.scores()[0], hand(&env, 0)), (&[1.0, -1.0][..], 100, json!({"EC": 1})));
    // Before the first play, too.
    assert_eq!(phase(&almost().supplies(0, "time money medium").hand(0, "EC").load()), Phase::Won);
    // Everything from the hand in one turn.
    let mut env = Position::of(3).goals(0, &["probiotic"]).hand(0, "LL IL10 time money medium").load();
    play_numbers(&mut env, &[5, 12, 14, 15]);
    assert_eq!(phase(&env), Phase::Main);
    play_numbers(&mut env, &[16]);
    assert_eq!(env.returns(), [1.0, -0.5, -0.5]);
}

#[test]
fn ra_r18a_q2_bacterium_and_gene_on_one_bench_surplus_does_no_harm() {
    let base =
        Position::of(2).goals(0, &["probiotic"]).hand(0, "EC").supplies(0, "time*2 money*2 medium*2 raft");
    assert_eq!(phase(&base.clone().lab(0, "LL nisA", "EC IL10").load()), Phase::Main);
    assert_eq!(phase(&base.clone().lab(0, "EC nisA", "LL IL10").load()), Phase::Won);
    let env = base.bench(0, "LL IL10").load();
    assert_eq!((phase(&env), supplies(&env, 0)), (Phase::Won, [2, 2, 2, 1]));
    // Two deficits and one raft.
    let env = almost().supplies(0, "time raft").hand(0, "EC").load();
    assert_eq!((phase(&env), player_state(&env, 0).missing), (Phase::Main, 1));
}

#[test]
fn ra_r18b_one_of_two_goals_suffices() {
    let env =
        almost().goals(0, &["blood", "probiotic"]).supplies(0, "time money medium").hand(0, "EC").load();
    assert_eq!(phase(&env), Phase::Won);
}

#[test]
fn ra_r18c_no_victory_while_drawing_or_in_anothers_turn() {
    // Loaded in the draw phase, the goal achieved: the next main phase decides.
    let achieved = almost().supplies(0, "time money medium").hand(0, "EC BS PP SY DR").set("phase", "draw");
    let mut env = achieved.load();
    assert_eq!((phase(&env), player_state(&env, 0).missing), (Phase::Draw, 0));
    play_numbers(&mut env, &[34]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Main, Some(1)));
    play_numbers(&mut env, &[32, 34, 34, 34, 34, 34]);
    assert_eq!((phase(&env), env.scores()[0]), (Phase::Won, 100));
    // If it is achieved no longer, there is no victory.
    let mut env = achieved.hand(1, "AS BS").load();
    play_numbers(&mut env, &[35, 21, 32, 34, 34, 34, 34, 34]);
    assert_eq!((phase(&env), decider(&env), on_bench(&env, 0, 0)), (Phase::Main, Some(0), "- IL10".into()));
}

#[test]
fn ra_r18d_claims_are_made_by_the_engine_unless_an_option_says_otherwise() {
    let position = almost().supplies(0, "time money medium").hand(0, "EC");
    assert_eq!(phase(&position.load()), Phase::Won);
    let mut env = position.option("auto_claim", false).load();
    assert_eq!(legal(&env), [0, 31, 32]);
    play_numbers(&mut env, &[31]);
    assert_eq!((phase(&env), env.returns()), (Phase::Won, &[1.0, -1.0][..]));
    // A claim is never forced, and never possible without a goal.
    let mut env = almost().supplies(0, "time money medium").option("auto_claim", false).load();
    assert_eq!(legal(&env), [31, 32]);
    play_numbers(&mut env, &[32]);
    assert_eq!(phase(&env), Phase::Draw);
    assert_eq!(legal(&almost().hand(0, "EC").option("auto_claim", false).load()), [0, 32]);
}

#[test]
fn ra_r20_q14a_decks_are_renewed_when_a_card_is_wanted_each_by_itself() {
    let mut env = Position::of(2)
        .set("phase", "draw")
        .hand(0, "EC BS")
        .hand(1, "EC")
        .discards("lux*2 time*2", Some("time"))
        .decks("", "DR", "money")
        .load();
    // The last card of the deck does not renew it.
    play_numbers(&mut env, &[35]);
    assert_eq!((env.state().sizes, discards(&env)), ([0, 0, 1], json!({"lux": 2, "time": 2})));
    assert_eq!(legal(&env), [35, 36]);
    play_numbers(&mut env, &[35]);
    assert_eq!((env.state().sizes, discards(&env)), ([0, 1, 1], json!({"time": 2})));
    assert_eq!((hand(&env, 0)["lux"].clone(), last(&env)), (json!(1), Some("time".into())));
    // The action deck never is.
    let mut env = Position::of(2)
        .set("phase", "draw")
        .hand(0, "EC BS")
        .hand(1, "EC")
        .set("actions_played", json!({"PO": 4}))
        .decks("", "DR*2", "")
        .load();
    assert_eq!(decider(&env), Some(1), "one deck is a forced move");
    play_numbers(&mut env, &[32]);
    assert_eq!(env.state().sizes, [0, 0, 0]);
    assert_eq!(seen(&env, None)["actions_played"], json!({"PO": 4}));
}

#[test]
fn ra_r20_renewed_decks_hold_what_was_discarded() {
    let mut renewed = 0;
    every_position(&json!({"players": 6}), 0..4, |env| {
        let reported = env.events(None).unwrap_or_default();
        renewed += reported.iter().filter(|event| event["event"] == "deck_renewed").count();
        assert!(!reported.iter().any(|event| event["event"] == "deck_renewed" && event["deck"] == "actions"));
    });
    assert!(renewed > 0);
}

#[test]
fn ra_r21_q6_the_card_beneath_never_becomes_the_last_one() {
    let mut env = Position::of(2).hand(0, "SE EC").discards("lux phaC", Some("lux")).load();
    play_numbers(&mut env, &[27]);
    assert_eq!((last(&env), discards(&env)), (None, json!({"phaC": 1})));
    assert_eq!(segment(&env, 0, "last_discard"), [0; 18]);
    // There is none at the start.
    let configured = configured(&json!({"players": 3}));
    assert!((0..5).all(|seed| Env::new(configured.clone(), seed).state().last.is_none()));
}

#[test]
fn ra_r21_q6a_recovering_the_kind_of_the_last_discard_takes_it() {
    let position = Position::of(2).hand(0, "BE SE EC").discards("lux*2 time", Some("lux"));
    let mut env = position.load();
    play_numbers(&mut env, &[25, 45]);
    assert_eq!((last(&env), discards(&env)), (None, json!({"lux": 1, "time": 1})));
    let mut env = position.load();
    play_numbers(&mut env, &[25, 53]);
    assert_eq!((last(&env), discards(&env)), (Some("lux".into()), json!({"lux": 2})));
}

#[test]
fn ra_q6b_q6c_lost_displaced_and_own_cards_count_actions_never() {
    let mut env = Position::of(2).hand(0, "UE LE SE EC").supplies(0, "money").load();
    play_numbers(&mut env, &[23]);
    assert_eq!(last(&env), Some("money".into()));
    play_numbers(&mut env, &[24]);
    assert_eq!(last(&env), Some("money".into()), "an action card is no discard");
    play_numbers(&mut env, &[27]);
    assert_eq!(supplies(&env, 0)[1], 1);
    assert_eq!(env.info().action_range(45).map(|(range, _)| (range.name, range.len)), Some(("TAKE", 18)));
}

#[test]
fn ra_r23_q15_quiet_turns_end_the_game_without_a_winner() {
    let base = Position::of(3)
        .set("turn", 12)
        .decks("", "", "")
        .hand(0, "time*2 BG AR SV money")
        .supplies(0, "time*2 money*2")
        .hand(1, "time*2 SV AR money*2")
        .supplies(1, "time*2 money*2")
        .hand(2, "time*2 medium money raft BG")
        .supplies(2, "time*2 money*2 medium*2 raft");
    let env = base.load();
    assert_eq!((phase(&env), env.status(), env.returns()), (Phase::Dead, Status::Terminated, &[0.0; 3][..]));
    // One who can do something begins the count anew; earlier quiet turns count.
    let mut env = base.clone().hand(2, "EC BG").load();
    assert_eq!((decider(&env), env.state().quiet), (Some(2), 2));
    play_numbers(&mut env, &[0]);
    assert_eq!((phase(&env), env.state().turn_player), (Phase::Dead, 2), "after three more quiet turns");
    assert_eq!(env.state().turn, 12 + 6);
    let env = base.set("quiet_turns", 2).load();
    assert_eq!((phase(&env), env.state().turn, env.state().turn_player), (Phase::Dead, 13, 0));
}

#[test]
fn ra_r23_quiet_rounds_with_a_choice_do_not_end_the_game() {
    let game = |hand| {
        let position = Position::of(2).option("windows", "possible").decks("", "", "").set("turn", 4);
        position.hand(0, hand).supplies(0, "time*2").hand(1, "time").supplies(1, "time*2").load()
    };
    // Player 0 could play its bacterium, or nothing; it ends its turn.
    for (hand, end) in [("EC time", Phase::Main), ("time*2", Phase::Dead)] {
        let mut env = game(hand);
        for turn in 0..6 {
            assert!(!env.state().stirred);
            // The count is public, and no higher than the number of players.
            assert_eq!(seen(&env, Some(1))["quiet_turns"], turn.min(2));
            if phase(&env) == Phase::Dead {
                break;
            }
            play_numbers(&mut env, &[32]);
        }
        assert_eq!(phase(&env), end, "{hand}");
    }
    // As soon as a card is played the count begins anew.
    let mut env = game("EC time");
    play_numbers(&mut env, &[32, 32, 32, 32, 0]);
    assert!(env.state().stirred && env.state().quiet == 2);
    play_numbers(&mut env, &[32]);
    assert_eq!((env.state().stirred, env.state().quiet), (false, 0));
    play_numbers(&mut env, &[32, 32]);
    assert_eq!(phase(&env), Phase::Dead, "now nobody can play anything");
}

#[test]
fn ra_r23_a_drawn_card_is_not_quiet() {
    let env = Position::of(2)
        .hand(0, "BG time")
        .supplies(0, "time*2")
        .hand(1, "time")
        .supplies(1, "time*2")
        .decks("BG", "", "")
        .load();
    // Player 0 draws the one card by a forced move; then everybody is quiet twice.
    assert_eq!((phase(&env), env.state().turn, player_state(&env, 0).hand_size()), (Phase::Dead, 3 + 3, 3));
}

#[test]
fn ra_r24_the_limit_truncates() {
    let base =
        Position::of(2).hand(0, "EC BS PP SY DR LL").hand(1, "EC*2 BS PP SY DR").option("max_rounds", 2);
    let mut env = base.load();
    play_numbers(&mut env, &[32]);
    assert_eq!(
        (phase(&env), env.status(), env.returns()),
        (Phase::Limit, Status::Truncated, &[0.0, 0.0][..])
    );
    assert_eq!((env.state().turn, env.state().turn_player), (4, 0));
    assert_eq!(segment(&env, 0, "clock"), [255]);
    // If both ends come together it is a termination.
    let stuck = Position::of(2)
        .hand(0, "time*4 BG*2")
        .supplies(0, "time*2")
        .hand(1, "medium*3 raft SV*2")
        .supplies(1, "medium*2 raft")
        .set("turn", 2)
        .option("max_rounds", 2);
    assert_eq!(phase(&stuck.load()), Phase::Dead);
    let message = base.set("turn", 5).refused();
    assert!(message.contains("turn: 5; allowed: 0 to 4"), "{message}");
}

#[test]
fn ra_r25_missing_is_the_best_bench_and_the_best_goal() {
    let base = Position::of(2).hand(0, "BS");
    let missing = |position: &Position| player_state(&position.load(), 0).missing;
    let blood = base.clone().goals(0, &["blood"]);
    assert_eq!(missing(&blood), 7);
    assert_eq!(missing(&blood.clone().bench(0, "EC lux")), 6);
    assert_eq!(missing(&blood.clone().bench(0, "- HBB")), 6);
    assert_eq!(missing(&blood.clone().lab(0, "EC lux", "PP HBB")), 6);
    assert_eq!(missing(&blood.clone().lab(0, "EC lux", "EC HBB")), 5);
    assert_eq!(missing(&blood.clone().bench(0, "EC HBB").supplies(0, "time medium raft")), 2);
    assert_eq!(missing(&base.goals(0, &["blood", "probiotic"]).bench(0, "EC HBB")), 5);
}

#[test]
fn ra_r26_q16_completion_is_the_score() {
    let env = Position::of(2).goals(0, &["blood"]).hand(0, "BS").bench(0, "EC HBB").load();
    assert_eq!(
        (&env.scores()[..2], seen(&env, None)["players"][0]["completion"].clone()),
        (&[28, 0][..], json!(28))
    );
    // 100 for the winner alone: whoever has achieved a goal in anothers turn has 99.
    let env = almost()
        .supplies(0, "time money medium")
        .hand(0, "BS")
        .goals(1, &["preservative"])
        .bench(1, "LL nisA")
        .supplies(1, "time money medium")
        .load();
    assert_eq!(env.scores()[..2], [100, 99]);
    assert_eq!((env.info().score_divisor, env.info().score_range), (100, (0, 100)));
}

fn random_games(players: usize, options: &serde_json::Value) -> Survey {
    let mut options = options.clone();
    options["players"] = players.into();
    survey(&configured(&options), 200, 3, &[&Random])
}

#[test]
fn ra_r23_r24_games_end_as_the_rules_file_says() {
    // "Uniformly random play takes 190 to 500 decisions on average and ends by a victory in about 27, 49, 53, 96, 99 % of
    // the games, otherwise nearly always in a dead position."
    for (players, won) in [(2, 0.27), (3, 0.49), (4, 0.53), (5, 0.96), (6, 0.99)] {
        let survey = random_games(players, &json!({}));
        let victories: f64 = survey.victories.iter().sum();
        assert!((victories - won).abs() < 0.1, "{players} players: {victories}");
        assert!((150.0..550.0).contains(&survey.decisions.mean), "{players}: {:?}", survey.decisions);
        // "Otherwise nearly always": a game that is not over in time has hands full of cards that nobody needs.
        let dead = survey.undecided as f64 / 200.0;
        assert!(
            (1.0 - victories - dead).abs() < 0.06,
            "{players}: {dead} dead, {} truncated",
            survey.truncated
        );
    }
}

#[test]
fn no_episode_is_longer_than_declared() {
    let declared = [(2, 3297), (3, 6138), (4, 9819), (5, 14_340), (6, 19_701)];
    for (players, longest) in declared {
        let info = configured(&json!({"players": players})).game.info().clone();
        assert_eq!(info.max_decisions, longest);
        assert_eq!(info.num_actions, 69 + 6 * (players - 1));
        assert_eq!(info.observation.size(), 169 + 70 * players);
        let house = configured(&json!({"players": players, "discard_at_end": true})).game.info().clone();
        assert_eq!(house.max_decisions, longest + 60 * players);
        assert_eq!(house.num_actions, 69 + 6 * (players - 1) + 31);
    }
}
