//! Goals: what they still lack, and how complete they are (RA-R18a, R25, R26).

use super::Rafts;
use super::content::Needs;
use super::state::{BACTERIUM, GENE, GoalKind, Kind, Phase, PlayerState, RAFT, State};
use playmat_core::prelude::*;

/// How complete the goals of each player are, in percent (RA-R26).
#[inline]
pub(super) fn scores(game: &Rafts, state: &State) -> Scores {
    let mut scores = [0; MAX_PLAYERS];
    for player in Player::all(game.players) {
        scores[player.index()] = game.completion(state, player).into();
    }
    scores
}

/// Who claimed the victory; without one, with `unfinished = "progress"`, those with the highest completion.
pub(super) fn winners(game: &Rafts, state: &State) -> Players {
    if state.phase == Phase::Won {
        return Players::one(state.active());
    }
    if !game.options.progress {
        return Players::EMPTY;
    }
    let scores = scores(game, state);
    let best = scores[..game.players].iter().max().copied().unwrap_or(0);
    Player::all(game.players).filter(|player| scores[player.index()] == best).collect()
}

impl Rafts {
    /// RA-R3, R25: cards that a player's table lacks for a goal; those in hand do not count.
    #[inline(always)]
    pub(super) fn missing_for(&self, player: &PlayerState, needs: &Needs) -> u8 {
        // Compared as numbers, without a branch on whether there is a card.
        let number = |card: Option<Kind>| card.map_or(u8::MAX, |kind| kind.0);
        let lacks = |bench: usize, slot: usize| number(player.benches[bench][slot]) != needs.specific[slot].0;
        let specific = if self.options.any_pairing {
            // RA-Q2: any own bacterium and any own gene.
            u8::from(lacks(0, BACTERIUM) & lacks(1, BACTERIUM)) + u8::from(lacks(0, GENE) & lacks(1, GENE))
        } else {
            // Without a Lab expansion bench 1 is empty, and an empty bench lacks most.
            let bench = |bench| u8::from(lacks(bench, BACTERIUM)) + u8::from(lacks(bench, GENE));
            bench(0).min(bench(1))
        };
        // RA-R6: a raft stands for one time, money or medium.
        let have = &player.generics;
        let deficit: u8 =
            needs.generics.iter().zip(have).map(|(&need, &have)| need.saturating_sub(have)).sum();
        specific + deficit.saturating_sub(have[RAFT])
    }

    /// RA-R25: the least that one of a player's goals lacks.
    #[inline(always)]
    pub(super) fn missing(&self, player: &PlayerState) -> u8 {
        let (mut left, mut least) = (player.goals, u8::MAX);
        while left != 0 {
            let goal = left.trailing_zeros() as usize;
            left &= left - 1;
            least = least.min(self.missing_for(player, &self.needs[goal & 15]));
        }
        least
    }

    /// Brings [`PlayerState::missing`] up to date after a table or its goals changed.
    #[inline(always)]
    pub(super) fn refresh(&self, state: &mut State, player: Player) {
        let missing = self.missing(state.player(player));
        state.players[player.index()].missing = missing;
    }

    /// The goals of a player, ascending.
    pub fn goals_of(player: &PlayerState) -> impl Iterator<Item = GoalKind> + use<> {
        let mut left = player.goals;
        std::iter::from_fn(move || {
            let goal = (left != 0).then(|| GoalKind(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(goal)
        })
    }

    /// RA-R26: the best of a player's goals in hundredths; 100 for the winner alone.
    #[inline]
    pub fn completion(&self, state: &State, player: Player) -> u8 {
        if state.phase == Phase::Won && state.active() == player {
            return 100;
        }
        let own = state.player(player);
        let (mut left, mut best) = (own.goals, 0);
        while left != 0 {
            let needs = &self.needs[left.trailing_zeros() as usize & 15];
            left &= left - 1;
            let required = u32::from(needs.required());
            let missing = u32::from(self.missing_for(own, needs));
            best = best.max(100 * (required - missing) / required);
        }
        best.min(99) as u8
    }
}
