//! What an episode pays: the same for every game.

use crate::game::{Game, Scores, Status};
use crate::info::RewardKind;
use crate::seat::{MAX_SEATS, Seat, Seats};

/// One number per seat; places beyond the players are 0.
pub type Rewards = [f32; MAX_SEATS];

/// Zero-sum outcome: with W winners of P players a winner gets (P/W - 1)/(P - 1), everybody else
/// -1/(P - 1). Nobody gets anything if nobody wins or there is one player.
#[inline]
pub fn outcome(players: usize, winners: Seats) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    let won = winners.len();
    if won == 0 || players < 2 {
        return rewards;
    }
    let (players_f, won_f) = (players as f32, won as f32);
    // One division each, so that two players get exactly 1, -1 and 0.
    let win = (players_f - won_f) / (won_f * (players_f - 1.0));
    let lose = -1.0 / (players_f - 1.0);
    for seat in Seat::all(players) {
        rewards[seat.index()] = if winners.contains(seat) { win } else { lose };
    }
    rewards
}

/// What a change of the scores pays under `score` and `score_delta`.
#[inline(always)]
pub fn of_scores(before: &Scores, now: &Scores) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    for (reward, (now, before)) in rewards.iter_mut().zip(now.iter().zip(before)) {
        *reward = (now - before) as f32;
    }
    rewards
}

/// What the step that led to `state` pays. `before` are the scores before it, needed for
/// [`RewardKind::ScoreDelta`] only. `cut` says that the engine's own limit ended the episode.
#[inline(always)]
pub fn of_step<G: Game>(
    game: &G,
    kind: RewardKind,
    before: &Scores,
    state: &G::State,
    status: Status,
    cut: bool,
) -> Rewards {
    match kind {
        RewardKind::Outcome if status == Status::Running || cut => [0.0; MAX_SEATS],
        RewardKind::Outcome if status == Status::Truncated && !game.info().outcome_on_truncation => {
            [0.0; MAX_SEATS]
        }
        RewardKind::Outcome => outcome(game.info().players, game.winners(state)),
        RewardKind::Score if status == Status::Running && !cut => [0.0; MAX_SEATS],
        RewardKind::Score => of_scores(&[0; MAX_SEATS], &game.scores(state)),
        RewardKind::ScoreDelta => of_scores(before, &game.scores(state)),
    }
}

/// What an episode has paid up to `state`, all steps together. It follows from the state and the kind of reward alone,
/// because scores begin at 0: so nothing of it has to be saved, and a state may be loaded under another kind.
pub fn up_to<G: Game>(game: &G, kind: RewardKind, state: &G::State, status: Status) -> Rewards {
    let cut = status == Status::Truncated && game.status(state) == Status::Running;
    of_step(game, kind, &[0; MAX_SEATS], state, status, cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_is_the_zero_sum_formula() {
        assert_eq!(outcome(2, Seats(1))[..2], [1.0, -1.0]);
        assert_eq!(outcome(2, Seats(3))[..2], [0.0, 0.0]);
        assert_eq!(outcome(3, Seats(3))[..3], [0.25, 0.25, -0.5]);
        let third = 1.0 / 3.0;
        assert_eq!(outcome(4, Seats(3))[..4], [third, third, -third, -third]);
        assert_eq!(outcome(8, Seats(0)), [0.0; 8]);
        for players in 2..=8 {
            for winners in 1..1u16 << players {
                let rewards = outcome(players, Seats(winners as u8));
                assert!(rewards.iter().sum::<f32>().abs() < 1e-6);
                assert!(rewards.iter().all(|r| (-1.0..=1.0).contains(r)));
            }
        }
    }
}
