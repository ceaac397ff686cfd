//! Goofspiel for two to eight players: for each prize all players bid a card at the same time.
//!
//! Cards and prizes are the values 1 to at most 15, so that a sequence of them is one word of four-bit places in which
//! 0 means that there is no card yet.

mod sample;
mod show;

use playmat_classics_common::names;
use playmat_core::player::turned;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde::{Deserialize, Serialize};

/// What the registry lists: a static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Goofspiel>();

/// The game with its options.
#[derive(Debug)]
pub struct Goofspiel {
    info: GameInfo,
    players: usize,
    /// Cards in each hand and prizes in the deck.
    cards: usize,
    /// Prizes that are played for.
    turns: usize,
    order: Order,
    returns: Returns,
    /// GS-R8: past bids stay hidden.
    imp_info: bool,
    /// The state before the first prize is turned up.
    fresh: State,
    /// All players, a bit each.
    everybody: u8,
    /// Prizes that are played for with a choice.
    choices: u8,
    /// Whether these are the usual options: two players, 13 cards, open bids.
    is_usual: bool,
}

/// GS-R2: how prizes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Random,
    Descending,
    Ascending,
}

/// GS-R7: what the episodes pay by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    WinLoss,
    PointDifference,
    TotalPoints,
}

/// One episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// By player, the cards bid, four bits each, the first turn lowest; the buffered bid of this turn included.
    pub bids: [u64; MAX_PLAYERS],
    /// The prizes turned up, likewise.
    pub prizes: u64,
    /// The prizes still in the deck, likewise, ascending.
    pub deck: u64,
    /// The same as a set: bit `value - 1`.
    pub left: u16,
    /// By player, the cards in hand as a set; a buffered bid is no longer in it.
    pub hands: [u16; MAX_PLAYERS],
    /// Points by player.
    pub points: [u8; MAX_PLAYERS],
    /// Prizes decided so far.
    pub turn: u8,
    /// Players that must still bid; none when the game is over.
    pub waiting: u8,
}

/// The value at a place of a sequence, 0 if there is none.
#[inline(always)]
fn place(sequence: u64, at: u8) -> u8 {
    (sequence >> ((4 * u32::from(at)) & 63)) as u8 & 15
}

/// The values of a sequence.
fn values(sequence: u64) -> Vec<u8> {
    (0..16).map(|at| place(sequence, at)).take_while(|&value| value != 0).collect()
}

impl State {
    #[inline(always)]
    fn prize(&self) -> u8 {
        place(self.prizes, self.turn)
    }

    /// The bid that a player has made in this turn, 0 if it has not.
    #[inline(always)]
    fn buffered(&self, player: usize) -> u8 {
        place(self.bids[player & 7], self.turn)
    }

    /// The hand as the others see it: nobody knows whether a player has bid already.
    #[inline(always)]
    fn public_hand(&self, player: usize) -> u16 {
        self.hands[player & 7] | ((1u32 << self.buffered(player)) >> 1) as u16
    }

    #[inline(always)]
    fn bid(&mut self, player: usize, value: u8) {
        self.hands[player & 7] &= !(((1u32 << value) >> 1) as u16);
        self.bids[player & 7] |= u64::from(value) << ((4 * u32::from(self.turn)) & 63);
        self.waiting &= !(1 << (player & 7));
    }
}

impl Goofspiel {
    /// GS-R2: turns up the prize at a place of the deck.
    #[inline(always)]
    fn turn_up(&self, state: &mut State, at: u32) {
        let value = (state.deck >> ((at << 2) & 63)) & 15;
        let below = (1u64 << ((at << 2) & 63)) - 1;
        state.deck = state.deck & below | (state.deck >> 4) & !below;
        state.left &= !(((1u32 << value) >> 1) as u16);
        state.prizes |= value << ((4 * u32::from(state.turn)) & 63);
    }

    /// Turns up the next prize; everybody must bid.
    #[inline(always)]
    fn next_prize<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let left = (self.cards as u32).wrapping_sub(state.turn.into());
        let at = match self.order {
            Order::Random if left > 1 => {
                log.chance();
                rng.below(left)
            }
            Order::Descending => left.wrapping_sub(1),
            _ => 0,
        };
        self.turn_up(state, at);
        log.rule(|| "GS-R2".into());
        log.event(state, || show::Event::Prize(state.prize()));
        state.waiting = self.everybody;
    }

    /// GS-R2: the states after the next prize is turned up. In random order every prize left is equally likely.
    fn prizes(&self, state: &State) -> Outcomes<State> {
        let left = (self.cards as u32).wrapping_sub(state.turn.into());
        let places = match self.order {
            Order::Random => 0..left,
            Order::Descending => left - 1..left,
            Order::Ascending => 0..1,
        };
        let p = 1.0 / f64::from(places.len() as u32);
        let turned_up = |at| {
            let mut next = *state;
            self.turn_up(&mut next, at);
            next.waiting = self.everybody;
            (next, p)
        };
        places.map(turned_up).collect()
    }

    /// GS-R4: the highest bid takes the prize; if several are highest, nobody does. The player, if any.
    #[inline(always)]
    fn resolve(&self, state: &mut State) -> Option<Player> {
        let prize = state.prize();
        let winner = if self.players == 2 {
            let (a, b) = (state.buffered(0), state.buffered(1));
            // Who wins is random. Of a comparison the compiler made a branch, which was mispredicted every other time: a fifth of a step. Upper bits of
            // a difference are all 1 or all 0 without one.
            let more = |bid: u8, other: u8| (u32::from(other).wrapping_sub(u32::from(bid)) >> 16) as u8;
            state.points[0] = state.points[0].wrapping_add(prize & more(a, b));
            state.points[1] = state.points[1].wrapping_add(prize & more(b, a));
            (a != b).then_some(Player(u8::from(b > a)))
        } else {
            let bids: [u8; MAX_PLAYERS] = std::array::from_fn(|player| state.buffered(player));
            let highest = bids.iter().fold(0, |most, &bid| most.max(bid));
            let players = bids.iter().rev().fold(0u8, |set, &bid| set << 1 | u8::from(bid == highest));
            let alone = players & players.wrapping_sub(1) == 0;
            let winner = players.trailing_zeros() as usize & 7;
            state.points[winner] = state.points[winner].wrapping_add(if alone { prize } else { 0 });
            alone.then_some(Player(winner as u8))
        };
        state.turn = state.turn.wrapping_add(1);
        winner
    }

    /// Resolves a turn in which everybody has bid, and reports it to the log.
    #[inline(always)]
    fn resolve_and_log<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let before = *state;
        let winner = self.resolve(state);
        log.rule(|| if winner.is_some() { "GS-R4a".into() } else { "GS-R4b".into() });
        log.event(state, || show::Event::Resolved(before.prize(), winner, before));
    }

    /// What follows the last bid of a turn, up to the next decision or the end.
    #[inline(always)]
    fn go_on<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        if state.turn < self.choices {
            self.next_prize(state, rng, log);
        } else {
            self.finish(state, rng, log);
        }
    }

    /// The end, after the cards that play themselves. A function of its own: inlined, it took registers from the steps before it.
    #[inline(never)]
    fn finish<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        if usize::from(state.turn) < self.turns {
            // GS-R5: the last cards play themselves; everybody knows what they are.
            self.next_prize(state, rng, log);
            for player in Player::all(self.players) {
                let value = 16 - state.hands[player.index()].leading_zeros() as u8;
                state.bid(player.index(), value);
                log.forced();
                log.event(state, || show::Event::Bid(player, value));
            }
            log.rule(|| "GS-R5".into());
            self.resolve_and_log(state, log);
        }
        log.rule(|| if self.turns < self.cards { "GS-R6".into() } else { "GS-R7".into() });
    }

    /// The rules that play must show under these options.
    fn rules(&self) -> Vec<String> {
        let mut rules = vec!["GS-R1", "GS-R2", "GS-R3", "GS-R4a", "GS-R4b"];
        rules.push(if self.turns < self.cards { "GS-R6" } else { "GS-R7" });
        rules.extend((self.turns == self.cards).then_some("GS-R5"));
        names(&rules)
    }

    /// The same position with player `s` in the place of player `s + turn`.
    fn relabelled(&self, state: &State, turn: usize) -> Option<State> {
        Some(State {
            bids: turned(&state.bids, turn, self.players),
            hands: turned(&state.hands, turn, self.players),
            points: turned(&state.points, turn, self.players),
            waiting: Players(state.waiting).turned(turn, self.players).0,
            ..*state
        })
    }

    #[inline(always)]
    fn deal_before_prize(&self) -> State {
        self.fresh
    }

    /// GS-R8: who sees the past bids of a player, and with them its hand.
    #[inline(always)]
    fn past_zone(&self, owner: Player) -> Visibility {
        if self.imp_info { Visibility::Owner(owner) } else { Visibility::Public }
    }

    /// GS-R8: who sees what a player bids in the running turn.
    fn bid_zone(&self, owner: Player) -> Visibility {
        Visibility::Owner(owner)
    }

    /// The player that took the prize of a past turn.
    fn taker(&self, state: &State, turn: u8) -> Option<Player> {
        let bid = |player: &Player| place(state.bids[player.index()], turn);
        let highest = Player::all(self.players).map(|player| bid(&player)).max();
        let mut best = Player::all(self.players).filter(|player| Some(bid(player)) == highest);
        best.next().filter(|_| best.next().is_none())
    }

    fn total(&self) -> usize {
        self.cards * (self.cards + 1) / 2
    }

    fn layout(&self) -> Layout {
        let (players, cards) = (self.players, self.cards);
        let mut layout = Layout::default();
        layout.push(
            "hand",
            &[cards],
            1,
            false,
            "cards in the viewer's hand, ascending; its bid of this turn is not",
        );
        if !self.imp_info {
            let meaning =
                "cards in the other hands, next player first; bids of this turn still count as in hand";
            layout.push("others", &[players - 1, cards], 1, false, meaning);
        }
        layout.push("left", &[cards], 1, true, "prizes still in the deck, ascending");
        layout.push("prize", &[cards], 1, true, "one-hot: the prize that is played for");
        layout.push("bid", &[1], cards, false, "what the viewer has bid in this turn, 0 for nothing yet");
        layout.push("points", &[players], self.total(), true, "points by player, the viewer first");
        if self.imp_info {
            let meaning = "for each prize the turn in which it was decided, from 1; 0 for not yet";
            layout.push("decided", &[cards], cards, true, meaning);
            layout.push("paid", &[cards], cards, false, "for each decided prize what the viewer bid");
            layout.push(
                "taken",
                &[players, cards],
                1,
                true,
                "one-hot by player, the viewer first: who took each prize",
            );
        }
        layout
    }

    /// Writes the observation under any options: also the slow twin of the form that it has under the usual ones.
    pub fn observe_any(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let (players, cards) = (self.players, self.cards);
        let mut out = out;
        let mut take = |len: usize| {
            let (head, tail) = std::mem::take(&mut out).split_at_mut(len);
            out = tail;
            head
        };
        expand(state.hands[viewer.index()].into(), take(cards));
        for j in 1..if self.imp_info { 1 } else { players } {
            expand(state.public_hand(viewer.relative(j, players).index()).into(), take(cards));
        }
        expand(state.left.into(), take(cards));
        expand(1 << state.prize() >> 1, take(cards));
        take(1)[0] = state.buffered(viewer.index());
        for (j, points) in take(players).iter_mut().enumerate() {
            *points = state.points[viewer.relative(j, players).index()];
        }
        if self.imp_info {
            let (decided, paid) = (take(cards), take(cards));
            let taken = take(players * cards);
            decided.fill(0);
            paid.fill(0);
            taken.fill(0);
            for turn in 0..state.turn {
                let prize = usize::from(place(state.prizes, turn)) - 1;
                decided[prize] = turn + 1;
                paid[prize] = place(state.bids[viewer.index()], turn);
                if let Some(player) = self.taker(state, turn) {
                    let j = (player.index() + players - viewer.index()) % players;
                    taken[j * cards + prize] = 1;
                }
            }
        }
    }
}

impl Game for Goofspiel {
    const ID: &'static str = "goofspiel";
    type State = State;
    type Legal = Bits<1>;
    type Event = show::Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, MAX_PLAYERS as i64, 2, "number of players"),
            OptionSpec::int("num_cards", 2, 15, 13, "cards in each hand, and prizes"),
            OptionSpec::int("num_turns", 0, 15, 0, "prizes played for; 0 or more than there are: all"),
            OptionSpec::choice(
                "points_order",
                &["random", "descending", "ascending"],
                "in which order prizes are turned up",
            ),
            OptionSpec::choice(
                "returns_type",
                &["win_loss", "point_difference", "total_points"],
                "default reward: outcome, or the points minus everybody's mean (scores are that times players), or \
                 the points",
            ),
            OptionSpec::bool("imp_info", false, "past bids stay hidden; two players only"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let (players, cards) = (options.int("players") as usize, options.int("num_cards") as usize);
        let turns = match options.int("num_turns") as usize {
            0 => cards,
            turns => turns.min(cards),
        };
        let order = match options.str("points_order") {
            "descending" => Order::Descending,
            "ascending" => Order::Ascending,
            _ => Order::Random,
        };
        let returns = match options.str("returns_type") {
            "point_difference" => Returns::PointDifference,
            "total_points" => Returns::TotalPoints,
            _ => Returns::WinLoss,
        };
        let imp_info = options.bool("imp_info");
        if imp_info && players > 2 {
            return Err(options.refuse(
                "imp_info",
                format!("got true with {players} players; allowed: false, or 2 players"),
            ));
        }
        let mut fresh = State { left: ((1u32 << cards) - 1) as u16, ..State::default() };
        fresh.hands[..players].fill(fresh.left);
        fresh.deck = (1..=cards as u64).rev().fold(0, |deck, value| deck << 4 | value);
        let turns_with_choice = turns - usize::from(turns == cards);
        let total = (cards - turns + 1..=cards).sum::<usize>() as i32;
        // Hands are equal: who outbids everybody with every other card loses the prize of 1.
        let most = if turns == cards { (total - 1).max(1) } else { total };
        let rewards = match returns {
            Returns::WinLoss => [RewardKind::Outcome, RewardKind::Score, RewardKind::ScoreDelta],
            _ => [RewardKind::Score, RewardKind::ScoreDelta, RewardKind::Outcome],
        };
        let info = GameInfo {
            title: "Goofspiel",
            version: 2,
            player_range: (2, MAX_PLAYERS),
            num_actions: cards,
            actions: ActionRange::tile(&[("BID", &[cards], "bid this card, the lowest one first")]),
            observation: Layout::default(),
            max_decisions: players * turns_with_choice,
            max_forced: if turns == cards { players } else { 0 },
            max_chance: if order == Order::Random { turns_with_choice } else { 0 },
            chance: order == Order::Random,
            hidden: true,
            simultaneous: true,
            joint_actions: true,
            lists_chance: order == Order::Random,
            score_zero_sum: returns == Returns::PointDifference,
            sharing: Sharing::Sides,
            score_range: match returns {
                // With two players the other one has what is missing.
                Returns::PointDifference if players == 2 => (total - 2 * most, 2 * most - total),
                Returns::PointDifference => (-total, most * (players as i32 - 1)),
                _ => (0, most),
            },
            score_divisor: if returns == Returns::PointDifference { players as u16 } else { 1 },
            rewards: rewards.to_vec(),
            ..GameInfo::new(Self::ID, players)
        };
        let mut game = Goofspiel {
            info,
            players,
            cards,
            turns,
            order,
            returns,
            imp_info,
            fresh,
            everybody: Players::all(players).0,
            choices: turns_with_choice as u8,
            is_usual: players == 2 && cards == 13 && !imp_info,
        };
        game.info.observation = game.layout();
        Ok(game)
    }

    #[inline(always)]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    #[inline(always)]
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        let mut state = self.deal_before_prize();
        log.rule(|| "GS-R1".into());
        self.next_prize(&mut state, rng, log);
        state
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Players {
        Players(state.waiting)
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        if state.waiting == 0 { Status::Terminated } else { Status::Running }
    }

    #[inline(always)]
    fn legal(&self, state: &State, player: Player) -> Bits<1> {
        Bits([state.hands[player.index() & 7].into()])
    }

    /// GS-R3: a bid is buffered until everybody has made one.
    #[inline(always)]
    fn apply<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        let value = action.0 as u8 & 15;
        let value = (value + 1) & 15;
        state.bid(player.index(), value);
        log.rule(|| "GS-R3".into());
        log.event(state, || show::Event::Bid(player, value));
        if state.waiting == 0 {
            self.resolve_and_log(state, log);
            self.go_on(state, rng, log);
        }
    }

    /// GS-R7: points, or points times players minus everybody's points.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        let mut scores = state.points.map(i32::from);
        if self.returns == Returns::PointDifference {
            let total: i32 = scores.iter().sum();
            for score in scores.iter_mut().take(self.players) {
                *score = *score * self.players as i32 - total;
            }
        }
        scores
    }

    /// GS-R7: everybody with the most points.
    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        if self.players == 2 {
            let (a, b) = (state.points[0], state.points[1]);
            return Players(u8::from(a >= b) | u8::from(b >= a) << 1);
        }
        let most = state.points.iter().fold(0, |most, &points| most.max(points));
        let best = state.points.iter().rev().fold(0, |set, &points| set << 1 | u8::from(points == most));
        Players(best & Players::all(self.players).0)
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        if let (Some([cards, numbers]), Some(out)) =
            (self.short_observation(state, viewer), out.first_chunk_mut::<55>())
        {
            // The word's spare bits fill bytes 52 to 54, which are then written.
            expand_to(cards, out);
            out[52] = numbers as u8;
            out[53] = (numbers >> 8) as u8;
            out[54] = (numbers >> 16) as u8;
            return;
        }
        self.observe_any(state, viewer, out);
    }

    #[inline(always)]
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        let (own, other) = (viewer.index() & 1, viewer.index() & 1 ^ 1);
        let hands = u64::from(state.hands[own]) | u64::from(state.public_hand(other)) << 13;
        let prizes = u64::from(state.left) << 26 | 1u64 << state.prize() >> 1 << 39;
        let points = u64::from(state.points[own]) << 8 | u64::from(state.points[other]) << 16;
        self.is_usual.then_some([hands | prizes, u64::from(state.buffered(own)) | points])
    }

    fn take_back_choice(&self, state: &mut State, player: Player) {
        let at = player.index() & 7;
        if state.waiting != 0 && state.waiting >> at & 1 == 0 && at < self.players {
            let value = u32::from(state.buffered(at));
            state.hands[at] |= ((1u32 << value) >> 1) as u16;
            state.bids[at] &= !(15 << ((4 * u32::from(state.turn)) & 63));
            state.waiting |= 1 << at;
        }
    }

    fn sample_hidden(&self, state: &State, viewer: Player, rng: &mut Rng) -> State {
        sample::sample(self, state, viewer, rng)
    }

    fn deal_outcomes(&self) -> Option<Outcomes<State>> {
        Some(self.prizes(&self.fresh))
    }

    fn outcomes(&self, state: &State, player: Player, action: Action) -> Option<Outcomes<State>> {
        let (fresh, mut rng, mut next) = (Rng::from_seed(0), Rng::from_seed(0), *state);
        self.apply(&mut next, player, action, &mut rng, &mut Silent);
        if rng == fresh {
            return Some(vec![(next, 1.0)]);
        }
        // The last bid of a turn: a prize is turned up.
        let mut decided = *state;
        decided.bid(player.index(), action.0 as u8 + 1);
        self.resolve(&mut decided);
        Some(self.prizes(&decided))
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        let bids: Vec<Vec<u8>> = state.bids[..self.players].iter().map(|&bids| values(bids)).collect();
        let mut problems = Vec::new();
        match self.replay(&values(state.prizes), &bids) {
            Err(problem) => problems.push(problem),
            Ok(reached) if reached != *state => {
                problems.push(Problem::new("", "hands, points or deck do not follow from prizes and bids"));
            }
            Ok(reached) if reached.waiting == 0 && usize::from(reached.turn) < self.turns => {
                problems.push(Problem::new("prizes", "the next prize is not turned up"));
            }
            Ok(_) => {}
        }
        problems
    }

    /// Bids the value of the prize, else the nearest higher card, else the lowest one.
    fn greedy(&self, state: &State, player: Player, _: &mut Rng) -> Action {
        let hand = u32::from(state.hands[player.index()]);
        let enough = hand & (u32::MAX << state.prize() >> 1);
        Action(if enough != 0 { enough } else { hand }.trailing_zeros() as u16)
    }
}
