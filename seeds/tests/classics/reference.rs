//! Turns, legal actions, scores and winners a second time: slow and plain, by the rules page, from the options, the actions of an episode
//! and what was dealt.

use crate::fixture::{configured, legal_of, seen};
use playmat_classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker, TicTacToe};
use playmat_core::env::Env;
use playmat_core::game::Status;
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What a reference knows of an episode. It leaves out one rule: a test shows that each is missed.
struct Episode<'a> {
    options: &'a Value,
    players: usize,
    /// Cards and prizes, as the complete JSON has them.
    dealt: Value,
    actions: Vec<(usize, u16)>,
    without: &'a str,
}

impl Episode<'_> {
    fn has(&self, rule: &str) -> bool {
        self.without != rule
    }
}

/// What follows from the rules.
#[derive(Debug, PartialEq)]
struct Outcome {
    /// Of each player who must decide; empty at the end.
    legal: BTreeMap<usize, Vec<u16>>,
    scores: Vec<i32>,
    /// At the end.
    winners: Vec<usize>,
}

impl Outcome {
    fn running(legal: impl IntoIterator<Item = (usize, Vec<u16>)>, scores: Vec<i32>) -> Outcome {
        Outcome { legal: legal.into_iter().collect(), scores, winners: Vec::new() }
    }

    fn end(scores: Vec<i32>, winners: Vec<usize>) -> Outcome {
        Outcome { legal: BTreeMap::new(), scores, winners }
    }
}

type Rules = fn(&Episode) -> Outcome;

/// Cells of a board, by column and row.
type Cells = BTreeSet<(i32, i32)>;

/// Columns, rows and both diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

fn has_line(cells: &Cells, length: i32, directions: &[(i32, i32)]) -> bool {
    let line = |&(x, y): &(i32, i32), &(dx, dy): &(i32, i32)| {
        (0..length).all(|k| cells.contains(&(x + k * dx, y + k * dy)))
    };
    cells.iter().any(|cell| directions.iter().any(|direction| line(cell, direction)))
}

fn tic_tac_toe(episode: &Episode) -> Outcome {
    let mut marks = [Cells::new(), Cells::new()];
    for &(player, action) in &episode.actions {
        marks[player].insert((i32::from(action % 3), i32::from(action / 3)));
    }
    let directions = if episode.has("TT-R4 diagonals") { &DIRECTIONS[..] } else { &DIRECTIONS[..2] };
    let full = marks[0].len() + marks[1].len() == 9;
    let lines = marks.each_ref().map(|cells| has_line(cells, 3, directions));
    if (lines.contains(&true) && episode.has("TT-R4")) || (full && episode.has("TT-R5")) {
        return match lines {
            [true, _] if episode.has("TT-R6") => Outcome::end(vec![1, -1], vec![0]),
            [_, true] => Outcome::end(vec![-1, 1], vec![1]),
            _ => Outcome::end(vec![0, 0], if episode.has("TT-R6 draw") { vec![0, 1] } else { vec![] }),
        };
    }
    let is_empty = |cell: &u16| episode.actions.iter().all(|(_, action)| action != cell);
    let legal = (0..9).filter(|cell| is_empty(cell) || !episode.has("TT-R3")).collect();
    let turn = if episode.has("TT-R2") { episode.actions.len() % 2 } else { 0 };
    Outcome::running([(turn, legal)], vec![0, 0])
}

fn connect_four(episode: &Episode) -> Outcome {
    let mut discs = [Cells::new(), Cells::new()];
    let mut heights = [0; 7];
    for &(player, column) in &episode.actions {
        let height = &mut heights[usize::from(column)];
        let row = if episode.has("CF-R3 falls") { *height } else { 5 };
        discs[player].insert((column.into(), row));
        *height += 1;
    }
    let directions = if episode.has("CF-R4 diagonals") { &DIRECTIONS[..] } else { &DIRECTIONS[..2] };
    let length = if episode.has("CF-R4") { 4 } else { 3 };
    let lines = discs.each_ref().map(|cells| has_line(cells, length, directions));
    if lines.contains(&true) || (heights == [6; 7] && episode.has("CF-R5")) {
        return match lines {
            [true, _] if episode.has("CF-R6") => Outcome::end(vec![1, -1], vec![0]),
            [_, true] => Outcome::end(vec![-1, 1], vec![1]),
            _ => Outcome::end(vec![0, 0], if episode.has("CF-R6 draw") { vec![0, 1] } else { vec![] }),
        };
    }
    let has_room = |column: &u16| heights[usize::from(*column)] < 6 || !episode.has("CF-R3");
    let turn = if episode.has("CF-R2") { episode.actions.len() % 2 } else { 0 };
    Outcome::running([(turn, (0..7).filter(has_room).collect())], vec![0, 0])
}

/// The rank of a card, if there is one: its first letter.
fn rank(card: &Value) -> Option<usize> {
    "56789TJQK".find(card.as_str()?.chars().next()?)
}

fn kuhn_poker(episode: &Episode) -> Outcome {
    let players = episode.players;
    let first = episode.actions.iter().position(|(_, action)| *action == 1);
    let decisions = match first {
        Some(first) if episode.has("KP-R4") => first + players,
        None if !episode.has("KP-R3") => players + 1,
        _ => players,
    };
    let bet = |player: &usize| episode.actions.contains(&(*player, 1));
    let paid = |player: usize| 1 + i32::from(bet(&player) && episode.has("KP-R2"));
    if episode.actions.len() < decisions {
        let scores =
            if episode.has("KP-R6") { vec![0; players] } else { (0..players).map(|p| -paid(p)).collect() };
        return Outcome::running([(episode.actions.len() % players, vec![0, 1])], scores);
    }
    let compared = (0..players).filter(|player| first.is_none() || bet(player) || !episode.has("KP-R5"));
    let winner = compared.max_by_key(|&player| rank(&episode.dealt["cards"][player])).unwrap();
    let pot = (0..players).map(paid).sum::<i32>();
    let scores = (0..players).map(|player| if player == winner { pot } else { 0 } - paid(player));
    Outcome::end(scores.collect(), vec![winner])
}

fn leduc_poker(episode: &Episode) -> Outcome {
    let players = episode.players;
    let (mut paid, mut playing) = (vec![1; players], BTreeSet::from_iter(0..players));
    let mut actions = episode.actions.iter().map(|(_, action)| *action);
    for round in 0..2 {
        let raise = if round == 1 && episode.has("LP-R3 second round") { 4 } else { 2 };
        let most = if episode.has("LP-R3 two raises") { 2 } else { 3 };
        let (mut raises, mut left) = (0, playing.iter().copied().collect::<VecDeque<usize>>());
        if round == 1 && !episode.has("LP-R5") {
            left.rotate_left(1);
        }
        while playing.len() > 1 || !episode.has("LP-R6") {
            let Some(player) = left.pop_front() else { break };
            let stake = *paid.iter().max().unwrap();
            let allowed = [paid[player] < stake || !episode.has("LP-R3 fold"), true, raises < most];
            match actions.next() {
                None => {
                    let legal = (0..3).filter(|&action| allowed[usize::from(action)]).collect();
                    return Outcome::running([(player, legal)], vec![0; players]);
                }
                Some(0) => playing.retain(|&other| other != player),
                Some(1) => paid[player] = stake,
                Some(_) => {
                    (paid[player], raises) = (stake + raise, raises + 1);
                    let others = (1..players).map(|k| (player + k) % players);
                    if episode.has("LP-R4") {
                        left = others.filter(|other| playing.contains(other)).collect();
                    }
                }
            }
        }
    }
    let strength = |player: &usize| {
        let own = rank(&episode.dealt["cards"][*player]);
        let is_pair = playing.len() > 1 && own == rank(&episode.dealt["public"]) && episode.has("LP-R7");
        (is_pair, own)
    };
    let best = playing.iter().map(strength).max();
    let mut winners: Vec<usize> =
        playing.iter().copied().filter(|player| Some(strength(player)) == best).collect();
    winners.truncate(if episode.has("LP-R8") { players } else { 1 });
    let unit = if players > 2 && episode.has("LP-R8 half chips") { 2 } else { 1 };
    let share = unit * paid.iter().sum::<i32>() / winners.len() as i32;
    let scores =
        (0..players).map(|player| if winners.contains(&player) { share } else { 0 } - unit * paid[player]);
    Outcome::end(scores.collect(), winners)
}

fn goofspiel(episode: &Episode) -> Outcome {
    let (players, options) = (episode.players, episode.options);
    let cards = options["num_cards"].as_u64().unwrap_or(13) as u16;
    let turns = match options["num_turns"].as_u64().unwrap_or(0) as u16 {
        1.. if !episode.has("GS-R6") => cards,
        0 => cards,
        turns => turns.min(cards),
    };
    let prize = |turn: u16| match options["points_order"].as_str() {
        Some("descending") if episode.has("GS-R2") => cards - turn,
        Some("ascending" | "descending") => turn + 1,
        _ => episode.dealt["prizes"][usize::from(turn)].as_u64().unwrap() as u16,
    };
    let mut hands = vec![BTreeSet::from_iter(1..=cards); players];
    let mut points = vec![0; players];
    let score = |points: &[i32]| match options["returns_type"].as_str() {
        Some("point_difference") if episode.has("GS-R7") => {
            points.iter().map(|own| own * players as i32 - points.iter().sum::<i32>()).collect()
        }
        _ => points.to_vec(),
    };
    for turn in 0..turns {
        let bids: BTreeMap<usize, u16> = if turn + 1 == cards && episode.has("GS-R5") {
            (0..players).map(|player| (player, *hands[player].first().unwrap())).collect()
        } else {
            let bid = |player: usize| {
                let mut own = episode.actions.iter().filter(|(other, _)| *other == player);
                Some((player, own.nth(turn.into())?.1 + 1))
            };
            (0..players).filter_map(bid).collect()
        };
        if bids.len() < players {
            let waiting = (0..players).filter(|player| !bids.contains_key(player));
            let legal = waiting.map(|player| (player, hands[player].iter().map(|card| card - 1).collect()));
            return Outcome::running(
                legal.take(if episode.has("GS-R3") { players } else { 1 }),
                score(&points),
            );
        }
        let highest = bids.values().max().unwrap();
        let bidders: Vec<usize> = (0..players).filter(|player| bids[player] == *highest).collect();
        if bidders.len() == 1 || !episode.has("GS-R4b") {
            points[bidders[0]] += i32::from(prize(turn));
        }
        for (player, bid) in &bids {
            hands[*player].remove(bid);
        }
    }
    let most = points.iter().max().unwrap();
    Outcome::end(score(&points), (0..players).filter(|&player| points[player] == *most).collect())
}

/// Shows each position of random episodes: what a reference knows, and what the engine says. Of several who must decide anyone is next.
fn visit<G: Show>(options: &Value, seeds: u64, show: &mut impl FnMut(&mut Episode, &Outcome)) {
    let configured = configured::<G>(options);
    let players = configured.game.info().players;
    for seed in 0..seeds {
        let (mut env, mut draws) = (Env::new(configured.clone(), seed), Rng::from_seed(seed));
        loop {
            let json = seen(&env, None);
            let dealt = json!({"cards": json["cards"], "public": json["public"], "prizes": json["prizes"]});
            let actions = env.history().iter().map(|(player, action)| (player.index(), action.0)).collect();
            let acting: Vec<Player> = env.acting().iter().collect();
            let is_over = env.status() != Status::Running;
            let winners = if is_over { env.configured().game.winners(env.state()) } else { Players::EMPTY };
            let engine = Outcome {
                legal: acting.iter().map(|&player| (player.index(), legal_of(&env, player.0))).collect(),
                scores: env.scores()[..players].to_vec(),
                winners: winners.iter().map(Player::index).collect(),
            };
            show(&mut Episode { options, players, dealt, actions, without: "" }, &engine);
            if is_over {
                break;
            }
            let next = acting[draws.below(acting.len() as u32) as usize];
            let action = env.sample_action(next).unwrap();
            env.step_player(next, action.0.into()).unwrap();
        }
    }
}

/// All numbers of players with all options that change the rules.
fn goofspiel_options() -> Vec<Value> {
    let mut all = Vec::new();
    for players in 2..=8 {
        for (cards, turns) in [(13, 0), (2, 0), (5, 3), (4, 15), (15, 1)] {
            for order in ["random", "descending", "ascending"] {
                let returns = ["win_loss", "point_difference", "total_points"][all.len() % 3];
                all.push(json!({
                    "players": players, "num_cards": cards, "num_turns": turns, "points_order": order,
                    "returns_type": returns, "imp_info": players == 2 && all.len() % 2 == 0,
                }));
            }
        }
    }
    all
}

/// The engine agrees with a reference in every position, and differs somewhere from a reference without any one of the rules of this prefix.
fn compare<G: Show>(rules: Rules, prefix: &str, configurations: &[Value], seeds: u64) {
    let named = include_str!("reference.rs").split("episode.has(\"").skip(1);
    let named = named.map(|rest| rest.split('"').next().unwrap()).filter(|rule| rule.starts_with(prefix));
    let mut unnoticed: BTreeSet<&str> = named.collect();
    assert!(unnoticed.len() >= 5, "{unnoticed:?}");
    let (mut positions, mut ends) = (0, BTreeSet::new());
    for options in configurations {
        visit::<G>(options, seeds, &mut |episode, engine| {
            assert_eq!(*engine, rules(episode), "{options} {} {:?}", episode.dealt, episode.actions);
            unnoticed.retain(|rule| {
                episode.without = rule;
                rules(episode) == *engine
            });
            positions += 1;
            ends.extend(Some(engine.winners.clone()).filter(|winners| !winners.is_empty()));
        });
    }
    assert!(unnoticed.is_empty(), "no position needs {unnoticed:?}");
    assert!(positions > 1_000 && ends.len() > 2, "{positions} positions, winners {ends:?}");
}

fn with_players() -> Vec<Value> {
    (2..=8).map(|players| json!({"players": players})).collect()
}

#[test]
fn tic_tac_toe_is_that_of_the_reference() {
    compare::<TicTacToe>(tic_tac_toe, "TT", &[json!({})], 300);
}

#[test]
fn connect_four_is_that_of_the_reference() {
    compare::<ConnectFour>(connect_four, "CF", &[json!({})], 2_000);
}

#[test]
fn kuhn_poker_is_that_of_the_reference() {
    compare::<KuhnPoker>(kuhn_poker, "KP", &with_players(), 300);
}

#[test]
fn leduc_poker_is_that_of_the_reference() {
    compare::<LeducPoker>(leduc_poker, "LP", &with_players(), 300);
}

#[test]
fn goofspiel_is_that_of_the_reference() {
    compare::<Goofspiel>(goofspiel, "GS", &goofspiel_options(), 20);
}
