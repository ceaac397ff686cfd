//! The order of players, T first, then clockwise, wherever the rules need one: GV-R7b, R17, R18b, Q5 and every "each". With two
//! players there is only one such order, so these are positions of three and four in which T is not player 0.

use crate::fixture::{Position, configured, decider, effects, phase, play, player_state, standard};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::state::{Phase, Stage};
use serde_json::json;

/// Positions in which ascending numbers are another order than clockwise from T: players, T, and the order that is right.
const ORDERS: [(usize, usize, &[u64]); 3] =
    [(3, 1, &[1, 2, 0]), (4, 1, &[1, 2, 3, 0]), (4, 2, &[2, 3, 0, 1])];

/// Calls `check` with each of them.
fn in_each_order(check: impl Fn(Position, usize, &[u64])) {
    for (players, t, order) in ORDERS {
        check(Position::of(players).turn_of(t), t, order);
    }
}

/// The library's content with one line of it, which is there, replaced.
fn changed(old: &str, new: &str) -> String {
    assert!(standard().contains(old), "{old}");
    standard().replace(old, new)
}

/// Players of the events of one name in the last step, each named once.
fn whose(env: &Env<Graven>, name: &str) -> Vec<u64> {
    let mut players: Vec<u64> = Vec::new();
    for event in env.events(None).unwrap().iter().filter(|event| event["event"] == name) {
        let player = event["player"].as_u64().unwrap();
        if players.last() != Some(&player) {
            players.push(player);
        }
    }
    players
}

/// The players who decide, one after the other, while a phase lasts; each gives the first answer.
fn all_deciders(env: &mut Env<Graven>, wanted: Phase) -> Vec<u64> {
    let mut order = Vec::new();
    while phase(env) == wanted {
        order.push(decider(env).unwrap().into());
        let first = crate::fixture::legal(env)[0];
        env.step(first.into()).unwrap();
    }
    order
}

/// A Herald in T's hand with another effect than the library's.
fn each_player(base: Position, t: usize, effect: &str) -> Position {
    let old = "when = \"hand\"\n  do = [ { verb = \"survey\", n = 2, who = \"you\" } ]";
    let content = changed(old, &format!("when = \"hand\"\n  do = [ {effect} ]"));
    base.option("content", content).stage("effect").hand(t, "HER SHI")
}

#[test]
fn gv_r18b_windows_come_t_first_then_clockwise() {
    in_each_order(|base, t, order| {
        let last = *order.last().unwrap() as usize;
        let mut position = base.stage("effect").front(last, "SAR").back(t, "PLA");
        for &player in &order[..order.len() - 1] {
            position = position.hand(player as usize, "WAT PHY");
        }
        let mut env = position.load();
        play(&mut env, &["pass"]);
        assert_eq!(all_deciders(&mut env, Phase::Ward), order[..order.len() - 1]);
    });
}

#[test]
fn gv_r7b_losses_are_milled_t_first_then_clockwise() {
    in_each_order(|base, t, order| {
        let last = *order.last().unwrap() as usize;
        // Everybody but the last loses three.
        let mut env = base.stage("effect").front(last, "SAR").back(t, "PLA").load();
        play(&mut env, &["pass"]);
        assert_eq!(whose(&env, "milled"), order[..order.len() - 1]);
    });
}

#[test]
fn gv_r17_triggers_of_a_survey_wait_t_first_then_clockwise() {
    in_each_order(|base, t, order| {
        let last = *order.last().unwrap() as usize;
        let mut position = base.stage("effect").front(last, "SAR").back(t, "PLA");
        for &player in &order[..order.len() - 1] {
            position = position.cards(player as usize, "CON*3 PHY");
        }
        // Of three cards milled of four at least two are Conscripts, the second of which is dropped.
        let mut env = position.load();
        play(&mut env, &["pass"]);
        let expected: Vec<String> =
            order[..order.len() - 1].iter().map(|player| format!("CON {player}")).collect();
        assert_eq!(effects(&env), expected);
    });
}

#[test]
fn gv_r16_r17_what_happens_to_each_player_happens_clockwise_from_t() {
    in_each_order(|base, t, order| {
        let everybody =
            |base: Position| order.iter().fold(base, |p, &player| p.hand(player as usize, "SHI MER"));
        for (effect, event) in [
            ("{ verb = \"draw\", n = 1, who = \"each_player\" }", "drawn"),
            ("{ verb = \"mill\", n = 1, who = \"each_player\" }", "milled"),
            ("{ verb = \"survey\", n = 1, who = \"each_player\" }", "survey_changed"),
        ] {
            let mut env = each_player(everybody(base.clone()), t, effect).back(t, "PLA").load();
            play(&mut env, &["use HER from hand"]);
            assert_eq!(whose(&env, event), order, "{effect}");
        }
        // Before them T discards the Herald itself.
        let effect = "{ verb = \"discard\", n = 1, who = \"each_player\", by = \"random\" }";
        let mut env = each_player(everybody(base.clone()), t, effect).back(t, "PLA").load();
        play(&mut env, &["use HER from hand"]);
        assert_eq!(whose(&env, "discarded"), order);
    });
}

#[test]
fn gv_r17_triggers_of_one_step_wait_t_first_then_clockwise() {
    in_each_order(|base, t, order| {
        // A mill that hits everybody's Conscript.
        let effect = "{ verb = \"mill\", n = 3, who = \"each_player\" }";
        let mut position = each_player(base.clone(), t, effect).back(t, "PLA");
        for &player in order {
            position = position.cards(player as usize, "CON*3 PHY");
        }
        let mut env = position.load();
        play(&mut env, &["use HER from hand"]);
        let expected: Vec<String> = order.iter().map(|player| format!("CON {player}")).collect();
        assert_eq!(effects(&env)[1..], expected);
        // Two cards of one sacrifice whose owners are not T: whoever comes next after T, not the lower number.
        let [next, last] = [order[1] as usize, *order.last().unwrap() as usize];
        let mut env = base
            .hand(t, "NUR PHY")
            .foreign(t, "front", "MAR", last)
            .foreign(t, "back", "MAR", next)
            .set("humans_played", 2)
            .load();
        play(&mut env, &["invoke NUR to front"]);
        assert_eq!(effects(&env), [format!("MAR {next}"), format!("MAR {last}")]);
    });
}

#[test]
fn gv_r16_by_own_choice_t_decides_first_then_clockwise() {
    in_each_order(|base, t, order| {
        // Tarvok: everybody destroys two of three own front cards.
        let mut position = base.clone().hand(t, "TAR PHY").back(t, "HER*2");
        for &player in order {
            position = position.front(player as usize, "SHI MER DRI");
        }
        let mut env = position.load();
        play(&mut env, &["invoke TAR to back"]);
        while phase(&env) == Phase::Sacrifice {
            play(&mut env, &[&format!("target HER on back of player {t}")]);
        }
        let twice: Vec<u64> = order.iter().flat_map(|&player| [player, player]).collect();
        assert_eq!(all_deciders(&mut env, Phase::Field), twice);
        // Belhame: each opponent discards a card of own choice.
        let mut position = base.hand(t, "BEL PHY").back(t, "HER*2");
        for &player in &order[1..] {
            position = position.hand(player as usize, "SHI MER");
        }
        let mut env = position.load();
        play(&mut env, &["invoke BEL to back"]);
        assert_eq!(all_deciders(&mut env, Phase::Card), order[1..]);
    });
}

#[test]
fn gv_r17_the_order_begins_with_t_whoever_uses_the_effect() {
    in_each_order(|base, t, order| {
        // The Martyr of the player before T falls: T mills first all the same.
        let last = *order.last().unwrap() as usize;
        let mut env = base.stage("effect").back(t, "ARC PLA").front(last, "MAR").load();
        play(&mut env, &["activate ARC"]);
        let milled: Vec<u64> = whose(&env, "milled");
        assert_eq!(milled, [&order[..1], order].concat()[1..].to_vec(), "cost and effect of T are one run");
    });
}

#[test]
fn gv_q5_players_who_lose_together_are_reported_t_first_then_clockwise() {
    in_each_order(|base, t, order| {
        // Nuruk mills five: all opponents but the next lose, and return what they hold of others.
        let mut position = base.stage("effect").back(t, "NUR").hand(t, "DEF").deck(order[1] as usize, 15);
        for &player in &order[2..] {
            let player = player as usize;
            position = position.deck(player, 4).foreign(player, "front", "SAP", order[1] as usize);
            position = position.foreign(player, "front", "JES", t);
        }
        let mut env = position.load();
        play(&mut env, &["activate NUR"]);
        assert_eq!(whose(&env, "lost"), order[2..]);
        let returned = env.events(None).unwrap();
        let owners: Vec<u64> = returned
            .iter()
            .filter(|event| event["event"] == "returned")
            .map(|event| event["owner"].as_u64().unwrap())
            .collect();
        assert_eq!(owners, [t as u64, order[1]].repeat(order.len() - 2));
        assert_eq!(player_state(&env, t).known.total() as usize, order.len() - 2);
    });
}

#[test]
fn gv_r17_play_moved_one_player_on_is_the_same_play() {
    for options in [
        json!({"decks": "random"}),
        json!({"windows": "possible"}),
        json!({"decks": "random", "open_decklists": "hidden", "search_reveals": false}),
    ] {
        for players in 2..=4usize {
            let mut options = options.clone();
            options["players"] = players.into();
            let configured = configured(&options);
            let game = &configured.game;
            let relabel = game.hooks().relabel.expect("the hook is given");
            let mut compared = 0;
            for seed in 0..25 {
                let mut env = Env::new(configured.clone(), seed);
                while let Some(player) = env.current_player() {
                    let action = env.sample_action(player).unwrap();
                    let before = *env.state();
                    assert_ne!(before.stage, Stage::Build, "hands are dealt by ascending numbers");
                    for turn in 1..players {
                        let moved = |player: Player| Player(((player.index() + turn) % players) as u8);
                        let mut other = relabel(game, &before, turn).expect("the decks are alike");
                        assert_eq!(game.acting(&other), Players::one(moved(player)));
                        assert_eq!(game.legal(&other, moved(player)), game.legal(&before, player));
                        let mut after = before;
                        let mut streams = [Rng::from_seed(seed ^ 77), Rng::from_seed(seed ^ 77)];
                        game.apply(&mut after, player, action, &mut streams[0], &mut Silent);
                        game.apply(&mut other, moved(player), action, &mut streams[1], &mut Silent);
                        assert_eq!(streams[0], streams[1], "the same draws");
                        let expected = relabel(game, &after, turn).expect("the decks are alike");
                        assert_eq!(other, expected, "{options}, seed {seed}, moved on by {turn}");
                        compared += 1;
                    }
                    env.step_player(player, action.0.into()).unwrap();
                }
            }
            assert!(compared > 500, "{compared}");
        }
    }
}
