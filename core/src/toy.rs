//! Toy games for tests: [`Nim`], which can end before a player has acted, and Toll: small enough to check by hand, with hidden information,
//! chance, simultaneous turns and forced moves.
//!
//! Two to four players get three coins and a private card from 0 to 5.
//! - Bids: all choose at once, hidden, how many coins (0 to 2) they pay into the pot.
//! - Play: from the highest bidder (of several the lowest) clockwise, at most two turns each. A turn is: pass and leave; raise, pay a coin
//!   and add 2 to one's strength; or swap, pay a coin, put the card aside and draw another one. A player without coins passes as a forced
//!   move. The round ends when one player is left or no player has a turn.
//! - End: those who are left show their cards; the strongest (card + 2 per raise) of them share the pot, a remainder is
//!   lost. Score: coins won or lost since the start.

mod nim;
mod show;
mod suite;

pub use nim::{Nim, NimEvent, NimState};

use crate::error::{Problem, Result};
use crate::prelude::*;
use crate::rng::Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Most players.
const PLAYERS: usize = 4;
/// Cards 0 to 5, one of each.
const CARDS: usize = 6;
/// Coins at the start.
const COINS: u8 = 3;
/// Turns of a player after the bids.
const TURNS: u8 = 2;
/// Actions: three bids, pass, raise, swap.
const TEXTS: [&str; 6] = ["bid 0", "bid 1", "bid 2", "pass", "raise", "swap"];
const PASS: u16 = 3;
const RAISE: u16 = 4;
const SWAP: u16 = 5;

/// Where an episode of [`Toll`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Simultaneous bids.
    Bids,
    /// Turns.
    Play,
    /// The end.
    Over,
}

/// An episode of [`Toll`]. Entries beyond the last player are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TollState {
    /// Phase.
    pub phase: Phase,
    /// Private card of each player.
    pub card: [u8; PLAYERS],
    /// Cards that each player put aside, a bit per card; known to the player.
    pub aside: [u8; PLAYERS],
    /// Cards that no player has seen, a bit per card.
    pub deck: u8,
    /// Coins.
    pub coins: [u8; PLAYERS],
    /// Bids; hidden until all are in.
    pub bid: [u8; PLAYERS],
    /// Who has bid.
    pub chosen: Players,
    /// Raises.
    pub raises: [u8; PLAYERS],
    /// Turns taken, the forced ones too.
    pub turns: [u8; PLAYERS],
    /// Who has not passed.
    pub inside: Players,
    /// Whose turn it is in `Play`; the last one afterwards.
    pub turn: u8,
}

/// What happens in [`Toll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TollEvent {
    /// A card went from the deck to a player.
    Drawn(Player, u8),
    /// A player chose its bid.
    Chosen(Player),
    /// All bids were shown and paid.
    Bids([u8; PLAYERS]),
    /// A player passed, by choice or as a forced move.
    Passed(Player),
    /// A player raised.
    Raised(Player),
    /// The pot was shared.
    Won(Players),
}

/// The game, see the module.
#[derive(Debug)]
pub struct Toll {
    info: GameInfo,
    swaps: bool,
}

impl TollState {
    /// Whether this player's card is public.
    fn shows(&self, player: Player) -> bool {
        self.phase == Phase::Over && self.inside.contains(player)
    }
}

impl Toll {
    /// The game for a number of players (2 to 4) with all other options at their defaults.
    ///
    /// # Panics
    /// For any other number.
    pub fn with_players(players: usize) -> Toll {
        let given = json!({ "players": players });
        let options = Options::check(Self::ID, &Self::options(), given.as_object().expect("an object"))
            .expect("2 to 4 players");
        Self::new(&options).expect("checked options")
    }

    fn players(&self) -> usize {
        self.info.players
    }

    /// The state before the cards are dealt.
    fn fresh(&self) -> TollState {
        let mut state = TollState {
            phase: Phase::Bids,
            card: [0; PLAYERS],
            aside: [0; PLAYERS],
            deck: (1 << CARDS) - 1,
            coins: [0; PLAYERS],
            bid: [0; PLAYERS],
            chosen: Players::EMPTY,
            raises: [0; PLAYERS],
            turns: [0; PLAYERS],
            inside: Players::all(self.players()),
            turn: 0,
        };
        state.coins[..self.players()].fill(COINS);
        state
    }

    /// Coins paid so far.
    fn pot(&self, state: &TollState) -> u8 {
        COINS * self.players() as u8 - state.coins.iter().sum::<u8>()
    }

    /// Players that share the pot.
    fn strongest(&self, state: &TollState) -> Players {
        let strength = |player: Player| state.card[player.index()] + 2 * state.raises[player.index()];
        let best = state.inside.iter().map(strength).max().unwrap_or(0);
        state.inside.iter().filter(|&player| strength(player) == best).collect()
    }

    fn draw<L: Log<Self>>(&self, state: &mut TollState, player: Player, rng: &mut Rng, log: &mut L) {
        let deck = Bits([u64::from(state.deck)]);
        let card = rng.pick(&deck).0 as u8;
        log.chance();
        state.deck &= !(1 << card);
        state.card[player.index()] = card;
        log.event(state, || TollEvent::Drawn(player, card));
    }

    /// The next player from `from` on that has a turn left.
    fn next_turn(&self, state: &TollState, from: Player) -> Option<Player> {
        (0..self.players())
            .map(|j| from.relative(j, self.players()))
            .find(|&player| state.inside.contains(player) && state.turns[player.index()] < TURNS)
    }

    /// Continues from player `from` to the next decision or the end.
    fn go_on<L: Log<Self>>(&self, state: &mut TollState, from: Player, log: &mut L) {
        let mut from = from;
        while state.inside.len() > 1
            && let Some(player) = self.next_turn(state, from)
        {
            state.turn = player.0;
            if state.coins[player.index()] > 0 {
                return;
            }
            log.forced();
            log.rule(|| "TOLL-F1".into());
            self.pass(state, player, log);
            from = player.relative(1, self.players());
        }
        state.phase = Phase::Over;
        let winners = self.strongest(state);
        log.event(state, || TollEvent::Won(winners));
    }

    fn pass<L: Log<Self>>(&self, state: &mut TollState, player: Player, log: &mut L) {
        state.turns[player.index()] += 1;
        state.inside.remove(player);
        log.event(state, || TollEvent::Passed(player));
    }
}

fn info(players: usize, swaps: bool) -> GameInfo {
    let mut observation = Layout::default();
    observation.push("card", &[CARDS], 1, false, "own card, one-hot");
    observation.push("aside", &[CARDS], 1, false, "cards that the viewer put aside");
    observation.push("own_bid", &[3], 1, false, "own bid, one-hot, from the moment it is chosen");
    observation.push("phase", &[3], 1, true, "bids, play, over, one-hot");
    observation.push_biased("coins", &[players], COINS, COINS as usize, true, "coins, minus the first three");
    observation.push("bid", &[players], 3, true, "shown bid plus 1, 0 while hidden");
    observation.push("raises", &[players], 2, true, "raises");
    observation.push("aside_count", &[players], 2, true, "cards put aside");
    observation.push("turns", &[players], 2, true, "turns taken");
    observation.push("inside", &[players], 1, true, "has not passed");
    observation.push("turn", &[players], 1, true, "whose turn, in play");
    observation.push("shown", &[players], CARDS, true, "card plus 1 of who was left at the end, else 0");
    GameInfo {
        title: "Toll",
        player_range: (2, PLAYERS),
        num_actions: TEXTS.len(),
        actions: ActionRange::tile(&[
            ("BID", &[3], "coins to pay, 0 to 2"),
            ("PASS", &[1], "leave"),
            ("RAISE", &[1], "pay 1, add 2 to the strength"),
            ("SWAP", &[1], "pay 1, put the card aside, draw another"),
        ]),
        observation,
        max_decisions: players * (1 + TURNS as usize),
        max_forced: players,
        max_chance: if swaps { CARDS } else { players },
        chance: true,
        hidden: true,
        simultaneous: true,
        joint_actions: true,
        lists_chance: true,
        score_range: (-i32::from(COINS), i32::from(COINS) * (players as i32 - 1)),
        ..GameInfo::new(Toll::ID, players)
    }
}

impl Game for Toll {
    const ID: &'static str = "toll";
    type State = TollState;
    type Legal = Bits<1>;
    type Event = TollEvent;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, PLAYERS as i64, 2, "number of players"),
            OptionSpec::bool("swaps", true, "whether cards may be swapped"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let swaps = options.bool("swaps");
        Ok(Toll { info: info(options.int("players") as usize, swaps), swaps })
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> TollState {
        let mut state = self.fresh();
        for player in Player::all(self.players()) {
            self.draw(&mut state, player, rng, log);
        }
        state
    }

    fn acting(&self, state: &TollState) -> Players {
        match state.phase {
            Phase::Bids => Players(Players::all(self.players()).0 & !state.chosen.0),
            Phase::Play => Players::one(Player(state.turn)),
            Phase::Over => Players::EMPTY,
        }
    }

    fn status(&self, state: &TollState) -> Status {
        if state.phase == Phase::Over { Status::Terminated } else { Status::Running }
    }

    fn legal(&self, state: &TollState, _: Player) -> Bits<1> {
        match state.phase {
            Phase::Bids => Bits([0b111]),
            _ => Bits([0b011_000 | u64::from(self.swaps && state.deck != 0) << SWAP]),
        }
    }

    fn apply<L: Log<Self>>(
        &self,
        state: &mut TollState,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        let at = player.index();
        if state.phase == Phase::Bids {
            state.bid[at] = action.0 as u8;
            state.chosen.insert(player);
            log.event(state, || TollEvent::Chosen(player));
            if state.chosen != Players::all(self.players()) {
                return;
            }
            for player in 0..self.players() {
                state.coins[player] -= state.bid[player];
            }
            state.phase = Phase::Play;
            let bids = state.bid;
            log.event(state, || TollEvent::Bids(bids));
            let best = bids.iter().max().copied().unwrap_or(0);
            let first = bids.iter().position(|&bid| bid == best).unwrap_or(0);
            return self.go_on(state, Player(first as u8), log);
        }
        match action.0 {
            PASS => self.pass(state, player, log),
            RAISE => {
                state.turns[at] += 1;
                state.coins[at] -= 1;
                state.raises[at] += 1;
                log.event(state, || TollEvent::Raised(player));
            }
            _ => {
                state.turns[at] += 1;
                state.coins[at] -= 1;
                state.aside[at] |= 1 << state.card[at];
                self.draw(state, player, rng, log);
            }
        }
        self.go_on(state, player.relative(1, self.players()), log);
    }

    fn scores(&self, state: &TollState) -> Scores {
        let mut scores = [0; MAX_PLAYERS];
        for (score, &coins) in scores.iter_mut().zip(&state.coins[..self.players()]) {
            *score = i32::from(coins) - i32::from(COINS);
        }
        if state.phase == Phase::Over {
            let winners = self.strongest(state);
            for player in winners.iter() {
                scores[player.index()] += i32::from(self.pot(state)) / winners.len() as i32;
            }
        }
        scores
    }

    fn winners(&self, state: &TollState) -> Players {
        let scores = self.scores(state);
        let best = scores[..self.players()].iter().max().copied().unwrap_or(0);
        Player::all(self.players()).filter(|player| scores[player.index()] == best).collect()
    }

    fn observe(&self, state: &TollState, viewer: Player, out: &mut [u8]) {
        let players = self.players();
        let me = viewer.index();
        out.fill(0);
        out[usize::from(state.card[me])] = 1;
        for card in 0..CARDS {
            out[CARDS + card] = state.aside[me] >> card & 1;
        }
        if state.chosen.contains(viewer) {
            out[12 + usize::from(state.bid[me])] = 1;
        }
        out[15 + state.phase as usize] = 1;
        let shown = u8::from(state.phase != Phase::Bids);
        for (j, player) in (0..players).map(|j| (j, viewer.relative(j, players))) {
            let k = player.index();
            let row = [
                state.coins[k],
                shown * (state.bid[k] + 1),
                state.raises[k],
                state.aside[k].count_ones() as u8,
                state.turns[k],
                u8::from(state.inside.contains(player)),
                u8::from(state.phase == Phase::Play && state.turn == player.0),
                if state.shows(player) { state.card[k] + 1 } else { 0 },
            ];
            for (segment, value) in row.into_iter().enumerate() {
                out[18 + segment * players + j] = value;
            }
        }
    }

    fn take_back_choice(&self, state: &mut TollState, player: Player) {
        if state.phase == Phase::Bids && state.chosen.contains(player) {
            state.chosen.remove(player);
            state.bid[player.index()] = 0;
        }
    }

    fn sample_hidden(&self, state: &TollState, viewer: Player, rng: &mut Rng) -> TollState {
        let mut sampled = *state;
        let me = viewer.index();
        let shown: u64 = Player::all(self.players())
            .filter(|&player| player == viewer || state.shows(player))
            .fold(0, |set, player| set | 1 << state.card[player.index()]);
        let mut unknown = Bits([((1 << CARDS) - 1) & !shown & !u64::from(state.aside[me])]);
        let mut take = |rng: &mut Rng| {
            let card = rng.pick(&unknown).0;
            unknown.0[0] &= !(1 << card);
            card as u8
        };
        let players = Players::all(self.players());
        let have_bid = players.chosen_in_sample(viewer, !state.chosen.contains(viewer));
        for player in players.iter().filter(|&player| player != viewer) {
            let k = player.index();
            if !state.shows(player) {
                sampled.card[k] = take(rng);
            }
            sampled.aside[k] = (0..state.aside[k].count_ones()).fold(0, |set, _| set | 1 << take(rng));
            if state.phase == Phase::Bids {
                sampled.bid[k] = 0;
                sampled.chosen.remove(player);
                if have_bid.contains(player) {
                    sampled.bid[k] = rng.below(3) as u8;
                    sampled.chosen.insert(player);
                }
            }
        }
        sampled.deck = unknown.0[0] as u8;
        sampled
    }

    fn deal_outcomes(&self) -> Option<Outcomes<TollState>> {
        let mut hands = vec![self.fresh()];
        for player in Player::all(self.players()) {
            let dealt = |state: TollState| {
                Bits([u64::from(state.deck)])
                    .iter()
                    .map(move |card| {
                        let mut next = state;
                        next.deck &= !(1 << card.0);
                        next.card[player.index()] = card.0 as u8;
                        next
                    })
                    .collect::<Vec<_>>()
            };
            hands = hands.into_iter().flat_map(dealt).collect();
        }
        let p = 1.0 / hands.len() as f64;
        Some(hands.into_iter().map(|state| (state, p)).collect())
    }

    fn outcomes(&self, state: &TollState, player: Player, action: Action) -> Option<Outcomes<TollState>> {
        if action.0 != SWAP || state.phase == Phase::Bids {
            let mut next = *state;
            self.apply(&mut next, player, action, &mut Rng::from_seed(0), &mut Silent);
            return Some(vec![(next, 1.0)]);
        }
        let (at, p) = (player.index(), 1.0 / f64::from(state.deck.count_ones()));
        let swapped = |card: Action| {
            let mut next = *state;
            next.turns[at] += 1;
            next.coins[at] -= 1;
            next.aside[at] |= 1 << next.card[at];
            next.deck &= !(1 << card.0);
            next.card[at] = card.0 as u8;
            self.go_on(&mut next, player.relative(1, self.players()), &mut Silent);
            (next, p)
        };
        Some(Bits([u64::from(state.deck)]).iter().map(swapped).collect())
    }

    fn validate(&self, state: &TollState) -> Vec<Problem> {
        let mut found = Vec::new();
        let players = self.players();
        let mut seen = state.deck;
        for k in 0..players {
            let card = 1u8.checked_shl(u32::from(state.card[k])).unwrap_or(0);
            for (name, cards) in [("card", card), ("aside", state.aside[k])] {
                if seen & cards != 0 || cards >> CARDS != 0 {
                    found.push(Problem::new(
                        format!("players[{k}].{name}"),
                        "a card twice, or none of 0 to 5",
                    ));
                }
                seen |= cards;
            }
            let chosen = state.chosen.contains(Player(k as u8));
            let paid = if state.phase == Phase::Bids { 0 } else { state.bid[k] };
            let spent = u16::from(paid) + u16::from(state.raises[k]) + state.aside[k].count_ones() as u16;
            if u16::from(state.coins[k]) + spent != u16::from(COINS) {
                found.push(Problem::new(
                    format!("players[{k}].coins"),
                    format!("must be 3 minus the {spent} spent"),
                ));
            }
            if state.bid[k] > 2 || (!chosen && state.bid[k] != 0) {
                found.push(Problem::new(
                    format!("players[{k}].bid"),
                    "must be 0 to 2, and 0 before it is chosen",
                ));
            }
            let passed = u32::from(!state.inside.contains(Player(k as u8)));
            let turns = u32::from(state.raises[k]) + passed + state.aside[k].count_ones();
            if u32::from(state.turns[k]) != turns || turns > u32::from(TURNS) {
                found.push(Problem::new(
                    format!("players[{k}].turns"),
                    format!("must be the {turns} taken, at most 2"),
                ));
            }
        }
        if seen != (1 << CARDS) - 1 {
            found.push(Problem::new("deck", "a card is missing"));
        }
        let idle = |places: &[u8]| places[players..].iter().all(|&x| x == 0);
        let arrays = [&state.card, &state.aside, &state.coins, &state.bid, &state.raises, &state.turns];
        let all = Players::all(players).0;
        if !arrays.into_iter().all(|a| idle(a)) || (state.chosen.0 | state.inside.0) & !all != 0 {
            found.push(Problem::new("", "an entry beyond the last player is not empty"));
        }
        if found.is_empty() {
            found.extend(self.validate_phase(state));
        }
        found
    }

    fn greedy(&self, state: &TollState, player: Player, _: &mut Rng) -> Action {
        let card = state.card[player.index()];
        if state.phase == Phase::Bids {
            return Action(u16::from(card >= 3) + u16::from(card >= 5));
        }
        let may_swap = self.legal(state, player).contains(Action(SWAP));
        Action(match card {
            0..=2 if may_swap => SWAP,
            0..=1 => PASS,
            _ => RAISE,
        })
    }
}

impl Toll {
    /// Problems with the phase, in a state that is otherwise valid.
    fn validate_phase(&self, state: &TollState) -> Option<Problem> {
        let all = Players::all(self.players());
        let untouched = state.turns == [0; PLAYERS] && state.turn == 0;
        let next = self.next_turn(state, Player(0));
        match state.phase {
            Phase::Bids if state.chosen == all || !untouched => {
                Some(Problem::new("phase", "bids are over when all have bid or a turn was taken"))
            }
            Phase::Play | Phase::Over if state.chosen != all => {
                Some(Problem::new("players", "all have bid before the first turn"))
            }
            Phase::Play => {
                let player = Player(state.turn);
                let may = state.inside.contains(player) && state.turns[player.index()] < TURNS;
                let acts = may && state.coins[player.index()] > 0 && state.inside.len() > 1;
                (!acts).then(|| Problem::new("turn", "this player has nothing to decide"))
            }
            Phase::Over if state.inside.len() > 1 && next.is_some() => {
                Some(Problem::new("phase", "a player still has a turn"))
            }
            Phase::Over if usize::from(state.turn) >= self.players() || state.inside.is_empty() => {
                Some(Problem::new("players", "no player is left"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_games_keep_every_declaration() {
        for players in 2..=PLAYERS {
            let game = Toll::with_players(players);
            assert_eq!(game.info().problems(), []);
            let mut longest = 0;
            for seed in 0..2_000 {
                let mut rng = Rng::from_seed(seed);
                let mut state = game.deal(&mut rng, &mut Silent);
                let mut decisions = 0;
                while let Some(player) = game.acting(&state).first() {
                    assert_eq!(game.validate(&state), []);
                    let json = game.describe(&state, None);
                    assert_eq!(game.restore(&json, &mut Rng::from_seed(0)).as_ref(), Ok(&state));
                    let (mut a, mut b) = (vec![0xaa; 18 + 8 * players], vec![0x55; 18 + 8 * players]);
                    game.observe(&state, player, &mut a);
                    let sampled = game.sample_hidden(&state, player, &mut rng);
                    assert_eq!(game.validate(&sampled), []);
                    game.observe(&sampled, player, &mut b);
                    assert_eq!(
                        (a, game.describe(&state, Some(player))),
                        (b, game.describe(&sampled, Some(player)))
                    );
                    let action = rng.pick(&game.legal(&state, player));
                    game.apply(&mut state, player, action, &mut rng, &mut Silent);
                    decisions += 1;
                }
                assert_eq!(game.validate(&state), []);
                let scores = game.scores(&state);
                assert!(scores.iter().sum::<i32>() <= 0);
                assert!(!game.winners(&state).is_empty());
                longest = longest.max(decisions);
            }
            assert_eq!(longest, game.info().max_decisions);
        }
    }
}
