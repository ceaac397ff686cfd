//! Rewards and returns, the same for every game.

use crate::game::{Game, Scores, Status};
use crate::info::{GameInfo, RewardKind, Sharing};
use crate::player::{MAX_PLAYERS, Player, Players};

/// One number per player; entries beyond the last player are 0.
pub type Rewards = [f32; MAX_PLAYERS];

/// The reward of a winner and of each other player, with `won` winners; 0 if no player or every player wins.
pub(crate) fn shares(players: usize, won: usize, sharing: Sharing) -> (f32, f32) {
    if won == 0 || won >= players {
        return (0.0, 0.0);
    }
    let (players, won) = (players as f32, won as f32);
    // One division each, so that two players get exactly 1, -1 and 0.
    match sharing {
        Sharing::Pot => ((players - won) / (won * (players - 1.0)), -1.0 / (players - 1.0)),
        Sharing::Sides => (1.0 / won, -1.0 / (players - won)),
    }
}

/// Zero-sum outcome of a victory, see [`Sharing`]. All 0 if no player wins or there is only one player.
#[inline(always)]
pub fn outcome(players: usize, winners: Players, sharing: Sharing) -> Rewards {
    if players == 2 {
        let won = |player: usize| f32::from(winners.0 >> player & 1);
        return [won(0) - won(1), won(1) - won(0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    }
    outcome_of_many(players, winners, sharing)
}

/// [`outcome`] of any number of players.
fn outcome_of_many(players: usize, winners: Players, sharing: Sharing) -> Rewards {
    let mut rewards = [0.0; MAX_PLAYERS];
    let (win, lose) = shares(players, winners.len(), sharing);
    for player in Player::all(players) {
        rewards[player.index()] = if winners.contains(player) { win } else { lose };
    }
    rewards
}

/// The reward for a change of the scores under `score` and `score_delta`: one division per player, so that a return is the nearest number
/// to the score's fraction.
#[inline(always)]
pub fn of_scores(info: &GameInfo, before: &Scores, now: &Scores) -> Rewards {
    let mut rewards = [0.0; MAX_PLAYERS];
    for (reward, (now, before)) in rewards.iter_mut().zip(now.iter().zip(before)) {
        *reward = (now - before) as f32;
    }
    // Most games have no fractions.
    if info.score_divisor != 1 {
        let divisor = f32::from(info.score_divisor);
        rewards = rewards.map(|reward| reward / divisor);
    }
    rewards
}

/// The rewards of the step that led to `state`. `before` are the scores before it, needed for [`RewardKind::ScoreDelta`] only. `by_max_steps`:
/// whether `max_steps` truncated the episode.
#[inline(always)]
pub fn of_step<G: Game>(
    game: &G,
    kind: RewardKind,
    before: &Scores,
    state: &G::State,
    status: Status,
    by_max_steps: bool,
) -> Rewards {
    match kind {
        RewardKind::Outcome if status == Status::Running || by_max_steps => [0.0; MAX_PLAYERS],
        RewardKind::Outcome if status == Status::Truncated && !game.info().outcome_on_truncation => {
            [0.0; MAX_PLAYERS]
        }
        RewardKind::Outcome => outcome(game.info().players, game.winners(state), game.info().sharing),
        RewardKind::Score if status == Status::Running && !by_max_steps => [0.0; MAX_PLAYERS],
        RewardKind::Score => of_scores(game.info(), &[0; MAX_PLAYERS], &game.scores(state)),
        RewardKind::ScoreDelta => of_scores(game.info(), before, &game.scores(state)),
    }
}

/// The returns up to `state`. They depend only on the state and the kind of reward, because scores begin at 0: so returns are not saved,
/// and a state may be loaded under another kind of reward.
#[inline(always)]
pub fn up_to<G: Game>(game: &G, kind: RewardKind, state: &G::State, status: Status) -> Rewards {
    let by_max_steps = status == Status::Truncated && game.status(state) == Status::Running;
    of_step(game, kind, &[0; MAX_PLAYERS], state, status, by_max_steps)
}

/// By player, the share of the other players with lower returns, less the share of those with higher ones: 1 for a return above all
/// others, -1 for one below. With one player 0.
pub fn places(players: usize, returns: &Rewards) -> Rewards {
    let mut places = Rewards::default();
    if players < 2 {
        return places;
    }
    for (place, own) in places.iter_mut().zip(&returns[..players]) {
        let others = returns[..players].iter();
        let sum: f32 = others.map(|other| f32::from(own > other) - f32::from(own < other)).sum();
        *place = sum / (players - 1) as f32;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_compare_each_return_with_all_others() {
        let places = |returns: &[f32]| {
            let mut all = Rewards::default();
            all[..returns.len()].copy_from_slice(returns);
            places(returns.len(), &all)[..returns.len()].to_vec()
        };
        assert_eq!(places(&[5.0]), [0.0]);
        assert_eq!(places(&[3.0, 2.5]), [1.0, -1.0]);
        assert_eq!(places(&[-2.0, -2.0]), [0.0, 0.0]);
        assert_eq!(places(&[1.0, 7.0, 4.0]), [-1.0, 1.0, 0.0]);
        assert_eq!(places(&[7.0, 7.0, 4.0]), [0.5, 0.5, -1.0]);
    }

    #[test]
    fn outcome_is_the_zero_sum_formula() {
        let (pot, sides) = (Sharing::Pot, Sharing::Sides);
        for sharing in [pot, sides] {
            assert_eq!(outcome(2, Players(1), sharing)[..2], [1.0, -1.0]);
            assert_eq!(outcome(2, Players(3), sharing)[..2], [0.0, 0.0]);
            assert_eq!(outcome(3, Players(2), sharing)[..3], [-0.5, 1.0, -0.5]);
            assert_eq!(outcome(3, Players(7), sharing)[..3], [0.0; 3]);
            assert_eq!(outcome(8, Players(0), sharing), [0.0; 8]);
            assert_eq!(outcome(1, Players(1), sharing), [0.0; 8]);
        }
        let third = 1.0 / 3.0;
        assert_eq!(outcome(3, Players(3), pot)[..3], [0.25, 0.25, -0.5]);
        assert_eq!(outcome(3, Players(3), sides)[..3], [0.5, 0.5, -1.0]);
        assert_eq!(outcome(4, Players(3), pot)[..4], [third, third, -third, -third]);
        assert_eq!(outcome(4, Players(7), sides)[..4], [third, third, third, -1.0]);
        for players in 2..=8 {
            for (winners, sharing) in (1..1u16 << players).flat_map(|won| [(won, pot), (won, sides)]) {
                let rewards = outcome(players, Players(winners as u8), sharing);
                assert!(rewards.iter().sum::<f32>().abs() < 1e-6);
                assert!(rewards.iter().all(|r| (-1.0..=1.0).contains(r)));
            }
        }
    }
}
