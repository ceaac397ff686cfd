//! `gae` against a slow implementation of its definition.

use playmat_core::error::Error;
use playmat_core::gae::{Trajectories, gae};
use proptest::prelude::*;

/// A rollout that owns its arrays.
#[derive(Clone, Debug)]
struct Rollout {
    steps: usize,
    envs: usize,
    players: usize,
    reward: Vec<f32>,
    value: Vec<f32>,
    player: Vec<i32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    next_value: Vec<f32>,
    final_value: Vec<f32>,
    gamma: f32,
    gae_lambda: f32,
}

impl Rollout {
    /// All zeros, player 0 in every row.
    fn zeros(steps: usize, envs: usize, players: usize) -> Rollout {
        let rows = steps * envs;
        Rollout {
            steps,
            envs,
            players,
            reward: vec![0.0; rows * players],
            value: vec![0.0; rows],
            player: vec![0; rows],
            terminated: vec![0; rows],
            truncated: vec![0; rows],
            next_value: vec![0.0; envs * players],
            final_value: vec![0.0; rows * players],
            gamma: 1.0,
            gae_lambda: 1.0,
        }
    }

    fn view(&self) -> Trajectories<'_> {
        Trajectories {
            steps: self.steps,
            envs: self.envs,
            players: self.players,
            reward: &self.reward,
            value: &self.value,
            player: &self.player,
            terminated: &self.terminated,
            truncated: &self.truncated,
            next_value: &self.next_value,
            final_value: &self.final_value,
            gamma: self.gamma,
            gae_lambda: self.gae_lambda,
        }
    }

    fn run(&self) -> (Vec<f32>, Vec<f32>) {
        let mut advantages = vec![f32::NAN; self.steps * self.envs];
        let mut returns = advantages.clone();
        gae(&self.view(), &mut advantages, &mut returns).expect("a good rollout");
        (advantages, returns)
    }

    /// The same forwards, from the definition: for each decision, look for the next one of the same player.
    fn slowly(&self) -> (Vec<f64>, Vec<f64>) {
        let rows = self.steps * self.envs;
        let (mut advantages, mut returns) = (vec![0.0; rows], vec![0.0; rows]);
        for row in 0..rows {
            if self.player[row] >= 0 {
                advantages[row] = self.advantage(row);
                returns[row] = advantages[row] + f64::from(self.value[row]);
            }
        }
        (advantages, returns)
    }

    fn advantage(&self, row: usize) -> f64 {
        let (first, env, player) = (row / self.envs, row % self.envs, self.player[row]);
        let seated = |row: usize| row * self.players + player as usize;
        let (gamma, gae_lambda) = (f64::from(self.gamma), f64::from(self.gae_lambda));
        let mut earned = 0.0;
        let mut after = f64::from(self.next_value[env * self.players + player as usize]);
        let mut later = 0.0;
        for t in first..self.steps {
            let at = t * self.envs + env;
            if t > first && self.player[at] == player {
                (after, later) = (f64::from(self.value[at]), self.advantage(at));
                break;
            }
            earned += f64::from(self.reward[seated(at)]);
            if self.terminated[at] != 0 {
                after = 0.0;
                break;
            }
            if self.truncated[at] != 0 {
                after = f64::from(self.final_value[seated(at)]);
                break;
            }
        }
        earned + gamma * after - f64::from(self.value[row]) + gamma * gae_lambda * later
    }
}

prop_compose! {
    fn rollouts()(steps in 0..12usize, envs in 1..40usize, players in 1..=8usize)(
        reward in prop::collection::vec(-1.0f32..1.0, steps * envs * players),
        value in prop::collection::vec(-1.0f32..1.0, steps * envs),
        player in prop::collection::vec(-1..players as i32, steps * envs),
        ends in prop::collection::vec(0..10u8, steps * envs),
        next_value in prop::collection::vec(-1.0f32..1.0, envs * players),
        final_value in prop::collection::vec(-1.0f32..1.0, steps * envs * players),
        gamma in 0.0f32..=1.0, gae_lambda in 0.0f32..=1.0,
        steps in Just(steps), envs in Just(envs), players in Just(players),
    ) -> Rollout {
        let terminated = ends.iter().map(|&end| u8::from(end == 0)).collect();
        let truncated = ends.iter().map(|&end| u8::from(end == 1)).collect();
        Rollout { steps, envs, players, reward, value, player, terminated, truncated, next_value, final_value, gamma, gae_lambda }
    }
}

#[test]
fn a_row_with_both_flags_is_terminated() {
    let mut rollout = Rollout::zeros(3, 1, 1);
    (rollout.reward, rollout.next_value) = (vec![1.0; 3], vec![7.0]);
    rollout.terminated[1] = 1;
    let terminated = rollout.run();
    rollout.truncated[1] = 1;
    rollout.final_value.fill(f32::NAN);
    assert_eq!(rollout.run(), terminated);
    // Its final values are not needed either.
    rollout.final_value.clear();
    assert_eq!(rollout.run(), terminated);
    assert_eq!(terminated.1, [2.0, 1.0, 8.0]);
}

proptest! {
    #[test]
    fn equals_the_definition(rollout in rollouts()) {
        let (advantages, returns) = rollout.run();
        let (slow_advantages, slow_returns) = rollout.slowly();
        for (row, (fast, slow)) in advantages.iter().zip(slow_advantages).enumerate() {
            prop_assert!((f64::from(*fast) - slow).abs() < 1e-4, "advantage of row {row}: {fast}, slowly {slow}");
        }
        for (row, (fast, slow)) in returns.iter().zip(slow_returns).enumerate() {
            prop_assert!((f64::from(*fast) - slow).abs() < 1e-4, "return of row {row}: {fast}, slowly {slow}");
        }
    }

    #[test]
    fn environments_do_not_mix(rollout in rollouts()) {
        let (advantages, _) = rollout.run();
        let env = rollout.envs - 1;
        let column = |list: &[f32], width: usize| -> Vec<f32> {
            list.chunks(width * rollout.envs).flat_map(|row| row[env * width..][..width].to_vec()).collect()
        };
        let bytes = |list: &[u8]| -> Vec<u8> { list.iter().skip(env).step_by(rollout.envs).copied().collect() };
        let alone = Rollout {
            envs: 1,
            reward: column(&rollout.reward, rollout.players),
            value: column(&rollout.value, 1),
            player: rollout.player.iter().skip(env).step_by(rollout.envs).copied().collect(),
            terminated: bytes(&rollout.terminated),
            truncated: bytes(&rollout.truncated),
            next_value: column(&rollout.next_value, rollout.players),
            final_value: column(&rollout.final_value, rollout.players),
            ..rollout.clone()
        };
        prop_assert_eq!(alone.run().0, column(&advantages, 1));
    }
}

#[test]
fn two_players_in_turn_have_opposite_advantages() {
    // Player 0, player 1, player 0 decides and wins: +1 for player 0, -1 for player 1, rewarded in player 0's row.
    let mut rollout = Rollout { player: vec![0, 1, 0], ..Rollout::zeros(3, 1, 2) };
    rollout.reward[4..].copy_from_slice(&[1.0, -1.0]);
    rollout.terminated[2] = 1;
    rollout.next_value = vec![9.0, 9.0];
    rollout.gamma = 0.5;
    let (advantages, returns) = rollout.run();
    assert_eq!(
        advantages,
        [0.5, -1.0, 1.0],
        "player 0 is one own decision away from its reward, player 1 none"
    );
    assert_eq!(returns, advantages, "all values are 0");
}

#[test]
fn the_end_of_the_rollout_bootstraps_every_player() {
    let mut rollout = Rollout { player: vec![0, 1], ..Rollout::zeros(2, 1, 2) };
    rollout.next_value = vec![2.0, 4.0];
    rollout.gamma = 0.5;
    assert_eq!(rollout.run().0, [1.0, 2.0]);
    rollout.truncated[1] = 1;
    rollout.final_value[2..].copy_from_slice(&[6.0, 8.0]);
    assert_eq!(rollout.run().0, [3.0, 4.0], "truncated: the values of the episode's end");
    rollout.terminated[1] = 1;
    assert_eq!(rollout.run().0, [0.0, 0.0], "terminated: nothing follows");
}

#[test]
fn rewards_before_the_first_decision_belong_to_no_row() {
    // Player 1 has a reward of 5 before its first decision; a new episode begins after row 1.
    let mut rollout = Rollout { player: vec![0, 0, 1], ..Rollout::zeros(3, 1, 2) };
    rollout.reward = vec![0.0, 5.0, 0.0, 5.0, 0.0, 1.0];
    rollout.terminated = vec![0, 1, 1];
    assert_eq!(rollout.run().0, [0.0, 0.0, 1.0]);
}

fn refused(rollout: &Rollout) -> String {
    let rows = rollout.steps * rollout.envs;
    let (mut advantages, mut returns) = (vec![7.0; rows], vec![7.0; rows]);
    let error = gae(&rollout.view(), &mut advantages, &mut returns).expect_err("a bad rollout");
    assert!(matches!(error, Error::InvalidArgument { .. }));
    assert!(advantages.iter().chain(&returns).all(|&x| x == 7.0), "nothing is written");
    error.to_string()
}

/// Sizes whose products overflow: each product, also if another factor makes the whole 0.
#[test]
fn overflowing_shapes_are_refused() {
    const MOST: usize = usize::MAX;
    for (steps, envs, players, name) in [
        (0, MOST, 2, "envs"),
        (0, MOST / 2 + 1, 2, "envs"),
        (MOST, 0, 2, "reward"),
        (MOST, 1, 2, "steps"),
        (MOST, MOST, 1, "steps"),
        (MOST / 4, 2, 8, "steps"),
        (2, MOST / 8, 8, "steps"),
        (1, MOST, 8, "envs"),
    ] {
        // One element where there should be none, so that sizes without overflow are refused too.
        let rollout = Rollout { reward: vec![0.0], ..Rollout::zeros(0, 0, 0) };
        let given = Trajectories { steps, envs, players, ..rollout.view() };
        let said = gae(&given, &mut [], &mut []).expect_err("no array is that long").to_string();
        assert!(said.starts_with(&format!("argument `{name}`: got ")), "{steps} {envs} {players}: {said}");
    }
}

#[test]
fn refusals_name_argument_value_and_what_is_allowed() {
    let good = Rollout::zeros(3, 2, 2);
    let cases: [(&str, fn(&mut Rollout)); 9] = [
        ("`players`: got 9; allowed: 1 to 8", |r| r.players = 9),
        ("`players`: got 0; allowed: 1 to 8", |r| r.players = 0),
        ("`gamma`: got 1.5; allowed: 0 to 1", |r| r.gamma = 1.5),
        ("`gae_lambda`: got NaN; allowed: 0 to 1", |r| r.gae_lambda = f32::NAN),
        ("`reward`: got 11 elements; wanted 12 (T = 3, N = 2, P = 2)", |r| r.reward.truncate(11)),
        ("`next_value`: got 3 elements; wanted 4", |r| r.next_value.truncate(3)),
        ("`player`: got 2 at [1, 1]; allowed: -1 (no decision) to 1", |r| r.player[3] = 2),
        ("`final_value`: got 11 elements; wanted 12 (or none)", |r| r.final_value.truncate(11)),
        ("`final_value`: got none; the episode cut off at [2, 0] needs the values of its end", |r| {
            r.final_value.clear();
            r.truncated[4] = 1;
        }),
    ];
    for (wanted, spoil) in cases {
        let mut bad = good.clone();
        spoil(&mut bad);
        let message = refused(&bad);
        assert!(message.contains(wanted), "{message}");
    }
}
