//! What players know of hands that are passed on (GR-R24, R24a, R24b, Q13), compared with a record of every card.

use crate::fixture::{Position, SHIP, act, acting, configured, others_play, play, seen, segment};
use playmat_core::game::Game;
use playmat_core::log::Events;
use playmat_core::prelude::{Player, Rng};
use playmat_graft::rules::{Event, From};
use playmat_graft::state::{Phase, SHIP_CODE, State};
use serde_json::json;

/// For each hand and viewer the number of cards of each kind that the viewer knows of, from events alone.
struct Diary {
    players: usize,
    known: Vec<Vec<[i32; 64]>>,
}

impl Diary {
    fn new(players: usize) -> Diary {
        Diary { players, known: vec![vec![[0; 64]; players]; players] }
    }

    fn hears(&mut self, event: Event, before: &State) {
        match event {
            Event::Drew(player, kind) => {
                self.known[usize::from(player.0)][usize::from(player.0)][kind.index()] += 1;
            }
            Event::Passed => {
                self.known.rotate_right(1);
                for holder in 0..self.players {
                    // The new holder sees every card.
                    let mut all = [0; 64];
                    let from = (holder + self.players - 1) % self.players;
                    for (kind, _) in before.hands[from].cards() {
                        all[kind.index()] += 1;
                    }
                    self.known[holder][holder] = all;
                }
            }
            Event::BarTaken(player, kind) => {
                for viewer in 0..self.players {
                    self.known[usize::from(player.0)][viewer][kind.index()] += 1;
                }
            }
            Event::Revealed(player, codes) => {
                for code in codes.into_iter().filter(|&code| code != 0 && code != SHIP_CODE) {
                    self.loses(player, usize::from(code) - 1);
                }
            }
            Event::Placed(player, kind, From::Replacement) => self.loses(player, kind.index()),
            _ => {}
        }
    }

    fn loses(&mut self, player: Player, kind: usize) {
        for viewer in 0..self.players {
            let known = &mut self.known[usize::from(player.0)][viewer][kind];
            *known = (*known - 1).max(0);
        }
    }
}

#[test]
fn gr_r24_r24a_r24b_knowledge_is_that_of_a_diary() {
    let mut compared = 0;
    for players in 2..=5usize {
        let configured = configured(&json!({"players": players}));
        let game = &configured.game;
        for seed in 0..25 {
            let (mut rng, mut log) = (Rng::from_seed(seed), Events::default());
            let mut draws = Rng::from_seed(seed ^ 77);
            let mut state = game.deal(&mut rng, &mut log);
            let mut diary = Diary::new(players);
            let mut before = State::default();
            loop {
                for (event, after) in log.events.drain(..) {
                    diary.hears(event, &before);
                    before = after;
                }
                if state.phase == Phase::Choose || state.phase == Phase::Claim {
                    compare(game, &state, &diary);
                    compared += 1;
                }
                let Some(player) = game.acting(&state).first() else { break };
                let action = draws.pick(&game.legal(&state, player));
                before = state;
                game.apply(&mut state, player, action, &mut rng, &mut log);
            }
        }
    }
    assert!(compared > 4000, "{compared}");
}

/// Segments `hands`, `hidden`, `unseen` of every viewer.
fn compare(game: &playmat_graft::Graft, state: &State, diary: &Diary) {
    let (players, kinds) = (game.players(), game.kinds());
    let layout = &game.info().observation;
    let mut out = vec![0; layout.size()];
    for viewer in 0..players {
        game.observe(state, Player(viewer as u8), &mut out);
        let part = |name: &str| {
            let segment = layout.segment(name).unwrap();
            &out[segment.offset..segment.offset + segment.len()]
        };
        let (hands, hidden, unseen) = (part("hands"), part("hidden"), part("unseen"));
        let mut sum = 0;
        // What lies open, and the own hand with what lies face down.
        let mut left: Vec<i32> = game.deck().0[..kinds].iter().map(|&copies| copies.into()).collect();
        state.hands[viewer].cards().for_each(|card| left[card.0.index()] -= 1);
        for player in 0..players {
            let completed = &state.completed[player][..state.completed_len(Player(player as u8))];
            let open = state.rows[player].codes().iter().chain(completed);
            open.for_each(|&code| left[usize::from(code) - 1] -= 1);
            left.iter_mut()
                .zip(&state.composts[player].0)
                .for_each(|(left, &count)| *left -= i32::from(count));
        }
        for j in 1..players {
            let holder = (viewer + j) % players;
            let known = &diary.known[holder][viewer];
            let line: Vec<i32> =
                hands[j * kinds..(j + 1) * kinds].iter().map(|&count| count.into()).collect();
            assert_eq!(line, known[..kinds], "viewer {viewer} of hand {holder}");
            let size = state.hands[holder].size() as i32;
            assert_eq!(i32::from(hidden[j]), size - known.iter().sum::<i32>());
            sum += u32::from(hidden[j]);
            left.iter_mut().zip(known).for_each(|(left, &count)| *left -= count);
        }
        assert_eq!(unseen.iter().map(|&count| i32::from(count)).collect::<Vec<_>>(), left, "viewer {viewer}");
        let total: u32 = unseen.iter().map(|&count| u32::from(count)).sum();
        assert_eq!(total, u32::from(state.pile_size) + state.out.total() + sum, "viewer {viewer}");
    }
}

#[test]
fn gr_q13_composts_rows_and_badges_are_open() {
    let env = Position::of(3, 3).row(0, "comet_grape").compost(0, "geode").completed(1, "sun_melon").load();
    let json = seen(&env, Some(2));
    assert_eq!(json["players"][0]["compost"], json!({"geode": 1}));
    assert_eq!(json["players"][0]["row"], json!(["comet_grape"]));
    assert_eq!(json["players"][1]["completed"][0], json!(["sun_melon"]));
    assert!(json["players"][0]["hand"].is_null() && json["pile"].is_null());
}

#[test]
fn gr_r24a_a_failed_ship_says_nothing_of_the_hand() {
    let mut env = Position::of(3, 3).row(0, "honeybug").hand(0, "packed_lunch snack_pack energy_bar").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "packed_lunch");
    assert_eq!(acting(&env), [0, 1, 2]);
    // Player 2 holds none of that hand and knows of no card in it.
    assert!(segment(&env, 2, "hands")[2 * 44..].iter().all(|&count| count == 0));
    let game = env.configured().game.clone();
    let fits = (0..60).any(|seed| {
        let sample = game.sample_hidden(env.state(), Player(2), &mut Rng::from_seed(seed));
        sample.hands[1].cards().any(|card| game.text(card.0).id == "sun_melon" || game.data(card.0).ty != 6)
    });
    assert!(fits, "samples put cards there that would have been legal");
}
