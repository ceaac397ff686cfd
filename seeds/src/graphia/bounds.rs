//! How long episodes and chains of forced moves can get: the bounds of the metadata.

/// The longest that an episode can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) decisions: usize,
    pub(super) forced: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// For this number of players, and of squares of the smallest shape.
    ///
    /// Every polyomino round but the last fills at least one smallest shape on some sheet, so there are at most
    /// `N = P floor(144/s) + 1` of them, and `C = ceil(N/6)` Nexus and Desolation rounds each. A player with x
    /// Nexus squares decides at most `2 floor((144 - x)/s) + x` times.
    ///
    /// Forced moves between two decisions: a chain holds fewer rounds than the whole game. This bound is safe, not tight: play shows a
    /// tenth of it, but sheets of separate holes can force one round after the other. In a polyomino round each
    /// player is skipped, or has its shape and its placement forced, in a Nexus round one of the two, and a
    /// Desolation is one move: `2 P N + P C + C`.
    ///
    /// Chance: terrain, two cards and die in a polyomino round, terrain and number in the others.
    pub(super) fn new(players: usize, smallest: usize) -> Bounds {
        let polyomino_rounds = players * (144 / smallest) + 1;
        let cycles = polyomino_rounds.div_ceil(6);
        let of_one_player = (0..=cycles.min(144)).map(|x| 2 * ((144 - x) / smallest) + x).max().unwrap_or(0);
        Bounds {
            decisions: players * of_one_player,
            forced: 2 * players * polyomino_rounds + (players + 1) * cycles,
            chance: 4 * polyomino_rounds + 4 * cycles,
        }
    }
}
