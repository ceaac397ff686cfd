//! Which actions were chosen, and how often their choosers won: reveals unplayed and dominated cards.

use serde::Serialize;

/// Games that a [`Choice::margin`] needs at least.
const ENOUGH: u64 = 30;

/// An action that was chosen, and the victories of the players that chose it.
///
/// A player's victory is 1 over the number of winners, as in [`Survey::victories`](crate::survey::Survey::victories); where every game has
/// a winner, 1 over the number of players is neither good nor bad. A player about to win may prefer an action that does not help: a share
/// tells who chose the action, not its effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Choice {
    /// Its number.
    pub action: u16,
    /// How often it was chosen.
    pub times: u64,
    /// Mean, over the times it was chosen, of the chooser's victory.
    pub per_time: f64,
    /// Episodes in which it was chosen.
    pub episodes: u64,
    /// Players that chose it, once or more often, counted in each episode by itself.
    pub players: u64,
    /// Mean of the victories of these players.
    pub share: f64,
    /// Half of the 95% interval around `share`, episodes taken as what is independent; `None` under 30 episodes, and where they do
    /// not differ (every player always chose it, or none of them won).
    pub margin: Option<f64>,
    /// Over the episodes, with n players that chose it and v their victories together: sums of v v, v n and n n, from which `margin` follows.
    pub moments: [f64; 3],
}

/// Half of the 95% interval of a mean that is a ratio of sums over independent episodes.
pub(super) fn margin([vv, vn, nn]: [f64; 3], share: f64, episodes: u64, players: u64) -> Option<f64> {
    let squares = vv - 2.0 * share * vn + share * share * nn;
    let some = episodes >= ENOUGH && squares > 1e-9;
    some.then(|| 1.96 * squares.sqrt() / players as f64)
}

/// Counts choices: of the episode in progress by player, of those before by action.
pub(super) struct ChoiceCounts {
    actions: usize,
    /// By player and action: times in this episode.
    now: Vec<u32>,
    /// Places in `now` that are not 0.
    touched: Vec<usize>,
    /// By action; `per_time` and `share` are sums until the end.
    all: Vec<Choice>,
    /// By action: players and victories in this episode.
    episode: Vec<(u32, f64)>,
}

impl ChoiceCounts {
    pub(super) fn new(actions: usize, players: usize) -> ChoiceCounts {
        ChoiceCounts {
            actions,
            now: vec![0; actions * players],
            touched: Vec::new(),
            all: vec![Choice::default(); actions],
            episode: vec![(0, 0.0); actions],
        }
    }

    /// A player chooses an action.
    pub(super) fn add(&mut self, player: usize, action: usize) {
        let place = player * self.actions + action;
        if self.now[place] == 0 {
            self.touched.push(place);
        }
        self.now[place] += 1;
    }

    /// The episode is over, with the victories of all players.
    pub(super) fn finish(&mut self, victories: &[f64]) {
        for &place in &self.touched {
            let (player, action) = (place / self.actions, place % self.actions);
            let (times, won) = (std::mem::take(&mut self.now[place]), victories[player]);
            let choice = &mut self.all[action];
            choice.times += u64::from(times);
            choice.per_time += f64::from(times) * won;
            choice.players += 1;
            choice.share += won;
            self.episode[action].0 += 1;
            self.episode[action].1 += won;
        }
        for place in self.touched.drain(..) {
            let action = place % self.actions;
            let (players, won) = std::mem::take(&mut self.episode[action]);
            if players == 0 {
                continue;
            }
            let (n, choice) = (f64::from(players), &mut self.all[action]);
            choice.episodes += 1;
            let [vv, vn, nn] = choice.moments;
            choice.moments = [vv + won * won, vn + won * n, nn + n * n];
        }
    }

    /// The actions that occurred, by number.
    pub(super) fn choices(self) -> Vec<Choice> {
        let occurred = self.all.into_iter().enumerate().filter(|(_, choice)| choice.times > 0);
        let done = occurred.map(|(action, mut choice)| {
            choice.action = action as u16;
            choice.per_time /= choice.times as f64;
            choice.share /= choice.players as f64;
            choice.margin = margin(choice.moments, choice.share, choice.episodes, choice.players);
            choice
        });
        done.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players, three actions: player 0 always chooses 0, both choose 1, who wins chooses 2 twice.
    fn played(episodes: usize) -> Vec<Choice> {
        let mut counts = ChoiceCounts::new(4, 2);
        for episode in 0..episodes {
            let winner = usize::from(episode % 4 == 0);
            for (player, action) in [(0, 0), (0, 1), (1, 1), (winner, 2), (winner, 2)] {
                counts.add(player, action);
            }
            let mut victories = [0.0; 2];
            victories[winner] = 1.0;
            counts.finish(&victories);
        }
        counts.choices()
    }

    #[test]
    fn choices_are_counted_by_player_and_episode() {
        let choices = played(40);
        let numbers: Vec<_> = choices.iter().map(|c| (c.action, c.times, c.episodes, c.players)).collect();
        assert_eq!(
            numbers,
            [(0, 40, 40, 40), (1, 80, 40, 80), (2, 80, 40, 40)],
            "actions that were never chosen are left out"
        );
        let shares: Vec<f64> = choices.iter().map(|choice| choice.share).collect();
        assert_eq!(shares, [0.75, 0.5, 1.0]);
        assert_eq!(choices.iter().map(|choice| choice.per_time).collect::<Vec<_>>(), [0.75, 0.5, 1.0]);
        // A proportion of 40 independent games.
        let expected = 1.96 * (0.75_f64 * 0.25 / 40.0).sqrt();
        assert!((choices[0].margin.unwrap() - expected).abs() < 1e-9);
        assert_eq!((choices[1].margin, choices[2].margin), (None, None), "no game differs from another");
        assert!(played(ENOUGH as usize - 1).iter().all(|choice| choice.margin.is_none()), "too few games");
    }

    #[test]
    fn choices_of_one_episode_are_not_independent() {
        // The winner of each game chooses ten times as often: per time that counts, per player it does not.
        let mut counts = ChoiceCounts::new(1, 2);
        for episode in 0..100 {
            let winner = usize::from(episode % 2 == 0);
            (0..10).for_each(|_| counts.add(winner, 0));
            if episode % 5 == 0 {
                counts.add(1 - winner, 0);
            }
            counts.finish(&[1.0 - winner as f64, winner as f64]);
        }
        let choice = &counts.choices()[0];
        assert_eq!((choice.times, choice.episodes, choice.players), (1020, 100, 120));
        assert!(
            (choice.per_time - 1000.0 / 1020.0).abs() < 1e-9 && (choice.share - 100.0 / 120.0).abs() < 1e-9
        );
        // By hand: 80 games with 1 of 1 player, 20 with 1 of 2, around 5/6.
        let squares = 80.0 / 36.0 + 20.0 * 4.0 / 9.0;
        assert!((choice.margin.unwrap() - 1.96 * f64::sqrt(squares) / 120.0).abs() < 1e-9);
    }
}
