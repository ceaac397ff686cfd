//! How many points parts of a game gave (terrains, islands, cards), and how often their owners won.

use super::choices::margin;
use crate::player::MAX_PLAYERS;
use crate::show::Figure;
use serde::Serialize;
use std::collections::BTreeMap;

/// One row of a table of [`Show::figures`](crate::show::Show::figures), over all episodes.
///
/// A player's victory is 1 over the number of winners. A player about to win may have more of everything: a share tells who had it, not its
/// effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Worth {
    /// The table.
    pub table: String,
    /// The row: a terrain, a card, an island.
    pub name: String,
    /// How many there were.
    pub times: u64,
    /// Points of all of them.
    pub points: i64,
    /// Episodes in which a player had one.
    pub episodes: u64,
    /// Players who had one, once or more often, counted in each episode by itself.
    pub players: u64,
    /// Mean of the victories of these players.
    pub share: f64,
    /// Half of the 95% interval around `share`, as of [`Choice::margin`](super::Choice::margin).
    pub margin: Option<f64>,
    /// What `margin` follows from, as of [`Choice::moments`](super::Choice::moments).
    pub moments: [f64; 3],
}

/// Sums by table and name.
#[derive(Default)]
pub(super) struct Sums(BTreeMap<(&'static str, String), Worth>);

impl Sums {
    /// An episode is over, with the victories of all players.
    pub(super) fn add(&mut self, figures: Vec<Figure>, victories: &[f64; MAX_PLAYERS]) {
        let mut here: BTreeMap<(&'static str, String), u8> = BTreeMap::new();
        for figure in figures.into_iter().filter(|figure| figure.times > 0) {
            let key = (figure.table, figure.name);
            let row = self.0.entry(key.clone()).or_default();
            row.times += u64::from(figure.times);
            row.points += i64::from(figure.points);
            *here.entry(key).or_default() |= 1 << figure.player.index();
        }
        for (key, players) in here {
            let row = self.0.entry(key).or_default();
            let (n, had) = (f64::from(players.count_ones()), |player: &usize| players >> player & 1 != 0);
            let won: f64 = (0..MAX_PLAYERS).filter(had).map(|player| victories[player]).sum();
            row.episodes += 1;
            row.players += u64::from(players.count_ones());
            row.share += won;
            let [vv, vn, nn] = row.moments;
            row.moments = [vv + won * won, vn + won * n, nn + n * n];
        }
    }

    /// The rows.
    pub(super) fn finish(self) -> Vec<Worth> {
        let done = self.0.into_iter().map(|((table, name), mut row)| {
            (row.table, row.name) = (table.into(), name);
            row.share /= row.players as f64;
            row.margin = margin(row.moments, row.share, row.episodes, row.players);
            row
        });
        done.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;

    #[test]
    fn points_and_victories_are_summed_by_table_and_name() {
        let mut sums = Sums::default();
        let figure = |name: &str, player, times, points| Figure {
            table: "island",
            name: name.into(),
            player: Player(player),
            times,
            points,
        };
        let victories = |winner: usize| std::array::from_fn(|player| f64::from(u8::from(player == winner)));
        for _ in 0..20 {
            sums.add(vec![figure("a", 0, 1, 3), figure("b", 1, 0, 0)], &victories(0));
            sums.add(vec![figure("a", 1, 2, 4), figure("a", 0, 1, 3)], &victories(0));
            sums.add(vec![figure("a", 1, 1, 2)], &victories(0));
        }
        let rows = sums.finish();
        let [row] = rows.as_slice() else { panic!("things that no player had are left out: {rows:?}") };
        assert_eq!((row.table.as_str(), row.name.as_str()), ("island", "a"));
        assert_eq!((row.times, row.points, row.episodes, row.players), (100, 240, 60, 80));
        assert!((row.share - 0.5).abs() < 1e-9);
        // Around 1/2: 20 games with 1 of 1, 20 with 1 of 2, 20 with 0 of 1.
        let expected = 1.96 * f64::sqrt(20.0 * 0.25 + 20.0 * 0.25) / 80.0;
        assert!((row.margin.expect("enough games") - expected).abs() < 1e-9, "{row:?}");
    }
}
