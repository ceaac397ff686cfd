//! Leduc poker for two to eight players: one private card, one public card, two rounds of betting.

mod show;

use playmat_classics_common::{all_deals, deal_cards, deals, rank_name};
use playmat_core::bits::select_in_word;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde::{Deserialize, Serialize};
use std::hint::select_unpredictable;

/// What the registry lists: a static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<LeducPoker>();

const FOLD: u16 = 0;
const CALL: u16 = 1;
const RAISE: u16 = 2;
const WORDS: &[(&str, u16)] =
    &[("fold", FOLD), ("call", CALL), ("raise", RAISE), ("check", CALL), ("bet", RAISE)];
/// LP-R3: at most two raises in a round.
const MOST_RAISES: u8 = 2;

/// The configured game.
#[derive(Debug)]
pub struct LeducPoker {
    info: GameInfo,
    players: usize,
    deals: u32,
}

/// One episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// By round, two bits for each decision, the first one lowest: 1 call, 2 raise, 3 fold. Also that part of the
    /// observation.
    pub history: [u64; 2],
    /// Private card by player: twice the rank plus the suit.
    pub cards: [u8; MAX_PLAYERS],
    /// Chips paid by player.
    pub paid: [u8; MAX_PLAYERS],
    /// The public card plus one, 0 before it lies there.
    pub public: u8,
    /// Players that have not folded.
    pub playing: u8,
    /// The player to act; after the end, the one that acted last.
    pub turn: u8,
    /// Chips that a player must have paid to stay in.
    pub stake: u8,
    /// Raises in this round.
    pub raises: u8,
    /// Decisions until the round closes if nobody raises; 0 after the end.
    pub waiting: u8,
}

impl State {
    /// 0 before the public card, then 1.
    #[inline(always)]
    fn round(&self) -> usize {
        usize::from(self.public != 0)
    }

    #[inline(always)]
    fn is_alone(&self) -> bool {
        self.playing & self.playing.wrapping_sub(1) == 0
    }

    #[inline(always)]
    fn card(&self, player: usize) -> u8 {
        self.cards[player & 7]
    }

    #[inline(always)]
    fn paid(&self, player: usize) -> u8 {
        self.paid[player & 7]
    }

    fn actions(&self, round: usize) -> impl Iterator<Item = u16> {
        let history = self.history[round];
        (0..decisions(history)).map(move |at| [9, CALL, RAISE, FOLD][(history >> (2 * at) & 3) as usize])
    }
}

/// Number of decisions in a round's history.
#[inline(always)]
fn decisions(history: u64) -> u32 {
    (65 - history.leading_zeros()) / 2
}

impl LeducPoker {
    /// Writes the observation of any number of players: also the slow twin of the form for two.
    #[inline(always)]
    pub fn observe_any(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let player = viewer.index() & 7;
        let (cards, round) = (2 * (self.players + 1), 2 * self.longest_round());
        let (position, out) = out.split_at_mut(self.players);
        let (own, out) = out.split_at_mut(cards);
        let (open, out) = out.split_at_mut(cards);
        let (first, second) = out.split_at_mut(round);
        expand(1 << player, position);
        expand(1u64 << (state.cards[player] & 31), own);
        expand(1u64 << (state.public & 31) >> 1, open);
        expand(state.history[0], first);
        expand(state.history[1], second);
    }

    #[inline(always)]
    fn start(&self, cards: [u8; MAX_PLAYERS]) -> State {
        let playing = Players::all(self.players).0;
        let paid =
            (u64::from_le_bytes([1; 8]) & (u64::MAX >> ((8 * (8 - self.players as u32)) & 63))).to_le_bytes();
        State { cards, paid, playing, stake: 1, waiting: self.players as u8, ..State::default() }
    }

    /// One decision of the player whose turn it is. True if the first round closed and the public card is due.
    #[inline(always)]
    fn act(&self, state: &mut State, action: u16) -> bool {
        let (player, round) = (usize::from(state.turn & 7), state.round());
        let (folds, raises) = (u8::from(action == FOLD), u8::from(action == RAISE));
        let symbol = 0b10_01_11u64 >> ((2 * action) & 7) & 3;
        let [first, second] = state.history;
        let now = select_unpredictable(round == 0, first, second);
        let next = now | symbol << ((2 * decisions(now)) & 63);
        state.history = select_unpredictable(round == 0, [next, second], [first, next]);
        state.stake = state.stake.wrapping_add(raises << (1 + round)); // LP-R3
        let paid = select_unpredictable(folds != 0, state.paid(player), state.stake);
        state.paid[player] = paid;
        state.playing &= !(folds << player);
        state.raises = state.raises.wrapping_add(raises);
        if self.players == 2 {
            // Whether the round or the episode is over is random: no branch hangs on it, except the caller's on what is returned.
            let raised = raises.wrapping_neg();
            let waiting = (state.waiting & !raised | 2 & raised).wrapping_sub(1); // LP-R4
            let over = folds | u8::from(waiting == 0);
            state.waiting = waiting & folds.wrapping_sub(1); // LP-R6
            state.turn ^= over ^ 1;
            return over & (folds ^ 1) & u8::from(round == 0) != 0;
        }
        // LP-R4: a raise gives everybody else one more decision.
        let others = state.playing.count_ones() as u8;
        state.waiting = if raises != 0 { others } else { state.waiting }.wrapping_sub(1);
        if state.is_alone() {
            state.waiting = 0; // LP-R6
            return false;
        }
        if state.waiting == 0 {
            return round == 0;
        }
        // The next player that still plays: the first one in two rounds of the players, beyond this one.
        let table = u32::from(state.playing) | u32::from(state.playing) << self.players;
        let next = (table >> (player + 1) & 0xffff).trailing_zeros() as usize + player + 1;
        state.turn = (if next >= self.players { next.wrapping_sub(self.players) } else { next }) as u8;
        false
    }

    /// LP-R5: the public card opens the second round, which begins with the lowest player that still plays.
    #[inline(always)]
    fn open(&self, state: &mut State, public: u8) {
        state.public = public + 1;
        state.raises = 0;
        state.waiting = state.playing.count_ones() as u8;
        state.turn = state.playing.trailing_zeros() as u8;
    }

    /// Every deal that is possible for `viewer`, all equally likely.
    fn determinizations(&self, state: &State, viewer: Player) -> Option<Determinizations<State>> {
        let hidden: Vec<Player> = Player::all(self.players)
            .filter(|&player| !self.card_zone(state, player).is_seen_by(Some(viewer)))
            .collect();
        let known = |card: u8| {
            let mut others = Player::all(self.players).filter(|player| !hidden.contains(player));
            state.public == card + 1 || others.any(|player| state.card(player.index()) == card)
        };
        let unseen: Vec<u8> = (0..2 * (self.players as u8 + 1)).filter(|&card| !known(card)).collect();
        let lists = all_deals(&unseen, hidden.len())?;
        let p = 1.0 / lists.len() as f64;
        let sample = |list: Vec<u8>| {
            let mut sample = *state;
            for (player, card) in hidden.iter().zip(list) {
                sample.cards[player.index()] = card;
            }
            (sample, p)
        };
        Some(lists.into_iter().map(sample).collect())
    }

    /// A uniform draw from the cards that nobody holds.
    #[inline(always)]
    fn draw_public(&self, state: &State, rng: &mut Rng) -> u8 {
        if self.players == 2 {
            let (a, b) = (state.cards[0], state.cards[1]);
            let card = rng.below(4) as u8;
            let card = card + u8::from(card >= a.min(b));
            return card + u8::from(card >= a.max(b));
        }
        let held = state.cards[..self.players & 15].iter().fold(0u32, |set, card| set | 1 << (card & 31));
        let deck = (1u32 << (2 * (self.players + 1))) - 1;
        select_in_word(u64::from(deck & !held), rng.below(self.players as u32 + 2)) as u8
    }

    /// LP-R7: a pair with the public card beats everything, then the higher rank; equal ranks share.
    #[inline(always)]
    fn winning(&self, state: &State) -> Players {
        let strength = |player: usize| {
            let rank = state.card(player) >> 1;
            let pair = u8::from(state.public != 0 && rank == (state.public.wrapping_sub(1)) >> 1);
            (1 + rank + (pair << 5)) * (state.playing >> player & 1)
        };
        if self.players == 2 {
            let (first, second) = (strength(0), strength(1));
            return Players(u8::from(first >= second) | u8::from(second >= first) << 1);
        }
        let mut strengths = [0; MAX_PLAYERS];
        for (player, place) in strengths.iter_mut().enumerate().take(self.players) {
            *place = strength(player);
        }
        let best = strengths.iter().fold(0, |best, &strength| best.max(strength));
        let mut players = 0;
        for (player, strength) in strengths.iter().enumerate().take(self.players) {
            players |= u8::from(*strength == best) << player;
        }
        Players(players)
    }

    /// Whether everybody sees the card of `player`: it takes part in a showdown.
    #[inline(always)]
    fn is_revealed(&self, state: &State, player: Player) -> bool {
        state.waiting == 0
            && state.public != 0
            && !state.is_alone()
            && Players(state.playing).contains(player)
    }

    /// The one visibility rule: one's own card, and those of a showdown.
    #[inline(always)]
    fn card_zone(&self, state: &State, owner: Player) -> Visibility {
        if self.is_revealed(state, owner) { Visibility::Public } else { Visibility::Owner(owner) }
    }

    fn card_name(&self, card: u8) -> String {
        format!("{}{}", rank_name(usize::from(card / 2), self.players + 1), ['s', 'h'][usize::from(card % 2)])
    }

    fn longest_round(&self) -> usize {
        3 * self.players - 2
    }

    /// Replays the decisions of a position from outside. Returns the position reached, or what is wrong with them.
    fn replay(
        &self,
        cards: [u8; MAX_PLAYERS],
        public: Option<u8>,
        actions: &[Vec<u16>; 2],
    ) -> Result<State, Problem> {
        let mut state = self.start(cards);
        let mut due = false;
        for (round, list) in actions.iter().enumerate() {
            for (at, &action) in list.iter().enumerate() {
                let path = format!("actions[{round}][{at}]");
                if state.waiting == 0 || state.round() != round {
                    return Err(Problem::new(path, "nobody is to act in this round"));
                }
                if !self.legal(&state, Player(state.turn)).contains(Action(action)) {
                    return Err(Problem::new(path, "not legal here"));
                }
                due |= self.act(&mut state, action);
            }
            if let (true, 0, Some(card)) = (due, round, public) {
                self.open(&mut state, card);
            }
        }
        if public.is_some() && !due {
            return Err(Problem::new("public", "the card lies open before the first round is over"));
        }
        Ok(state)
    }

    fn check_cards(&self, cards: &[u8], public: Option<u8>) -> Vec<Problem> {
        let mut problems = Vec::new();
        let all: Vec<(String, u8)> = (cards.iter().enumerate().map(|(i, &c)| (format!("cards[{i}]"), c)))
            .chain(public.map(|card| ("public".into(), card)))
            .collect();
        for (i, (path, card)) in all.iter().enumerate() {
            if usize::from(*card) >= 2 * (self.players + 1) {
                problems.push(Problem::new(path.as_str(), "no such card in the deck"));
            } else if all[..i].iter().any(|(_, other)| other == card) {
                problems.push(Problem::new(path.as_str(), "the same card lies elsewhere"));
            }
        }
        problems
    }
}

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player was dealt a card.
    Dealt(Player, u8),
    /// A player folded, called or raised.
    Acted(Player, Action),
    /// The public card was turned up.
    Opened(u8),
    /// A player showed its card.
    Revealed(Player, u8),
    /// Players took a pot together.
    Won(Players, u8),
}

impl Game for LeducPoker {
    const ID: &'static str = "leduc_poker";
    type State = State;
    type Legal = Bits<1>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::int("players", 2, MAX_PLAYERS as i64, 2, "number of players")]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        let (cards, longest) = (2 * (players + 1), 3 * players - 2);
        let mut observation = Layout::default();
        observation.push(
            "position",
            &[players],
            1,
            false,
            "one-hot: the viewer's place in the order of betting",
        );
        observation.push("card", &[players + 1, 2], 1, false, "one-hot: the viewer's card by rank and suit");
        observation.push(
            "public",
            &[players + 1, 2],
            1,
            true,
            "one-hot: the public card; all 0 before it is turned up",
        );
        let meaning = "each decision so far by round, in order: 1 0 call, 0 1 raise, 1 1 fold";
        observation.push("history", &[2, longest, 2], 1, true, meaning);
        // LP-R8: a pot of an odd number of chips can be shared by three or more players only.
        let unit = if players == 2 { 1 } else { 2 };
        let deals = deals(players, cards as u32);
        let info = GameInfo {
            title: "Leduc Poker",
            version: 2,
            player_range: (2, MAX_PLAYERS),
            num_actions: 3,
            actions: ActionRange::tile(&[
                ("FOLD", &[1], "give up the hand; only if others have paid more"),
                ("CALL", &[1], "pay as much as the others have, or check"),
                ("RAISE", &[1], "pay 2 chips more than that, 4 in the second round"),
            ]),
            observation,
            max_decisions: 2 * longest,
            max_chance: players + 1,
            chance: true,
            hidden: true,
            lists_chance: deals as usize <= MOST_OUTCOMES,
            perfect_recall: true,
            score_zero_sum: true,
            score_range: (-13 * unit, 13 * unit * (players as i32 - 1)),
            score_divisor: unit as u16,
            rewards: vec![RewardKind::Score, RewardKind::ScoreDelta, RewardKind::Outcome],
            ..GameInfo::new(Self::ID, players)
        };
        Ok(LeducPoker { info, players, deals })
    }

    #[inline(always)]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    /// LP-R1, LP-R2: everybody pays one chip and gets a card, all by a single bounded draw.
    #[inline(always)]
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        let cards = if self.players == 2 {
            deal_cards(2, 6, rng.below(const { deals(2, 6) }))
        } else {
            deal_cards(self.players, 2 * (self.players as u32 + 1), rng.below(self.deals))
        };
        let state = self.start(cards);
        for player in Player::all(if L::LISTENS { self.players } else { 0 }) {
            log.chance();
            log.event(&state, || Event::Dealt(player, state.card(player.index())));
        }
        log.rule(|| "LP-R1".into());
        log.rule(|| "LP-R2".into());
        state
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Players {
        Players(u8::from(state.waiting != 0) << (state.turn & 7))
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        if state.waiting == 0 { Status::Terminated } else { Status::Running }
    }

    /// LP-R3: fold only when there is something to pay, raise while raises are left.
    #[inline(always)]
    fn legal(&self, state: &State, player: Player) -> Bits<1> {
        let owes = state.stake > state.paid(player.index());
        Bits([u64::from(owes) | 0b010 | u64::from(state.raises < MOST_RAISES) << 2])
    }

    #[inline(always)]
    fn apply<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        let due = self.act(state, action.0);
        log.rule(|| if action.0 == RAISE { "LP-R4".into() } else { "LP-R3".into() });
        log.event(state, || Event::Acted(player, action));
        if due {
            let public = self.draw_public(state, rng);
            self.open(state, public);
            log.chance();
            log.rule(|| "LP-R5".into());
            log.event(state, || Event::Opened(public));
        }
        if L::LISTENS && state.waiting == 0 {
            log.rule(|| if state.is_alone() { "LP-R6".into() } else { "LP-R7".into() });
            for shown in Player::all(self.players).filter(|player| self.is_revealed(state, *player)) {
                log.event(state, || Event::Revealed(shown, state.card(shown.index())));
            }
            let winning = self.winning(state);
            if winning.len() > 1 {
                log.rule(|| "LP-R8".into());
            }
            log.event(state, || Event::Won(winning, state.paid.iter().sum()));
        }
    }

    /// LP-R8: chips won or lost (half chips with three or more players, paid as chips); 0 for all players before the end.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        let mut scores = [0; MAX_PLAYERS];
        if state.waiting == 0 && self.players == 2 {
            // The winner gets what the other player has paid. Two winners have paid the same.
            let lead = match self.winning(state).0 {
                0b01 => i32::from(state.paid[1]),
                0b10 => -i32::from(state.paid[0]),
                _ => 0,
            };
            (scores[0], scores[1]) = (lead, -lead);
        } else if state.waiting == 0 {
            let winning = self.winning(state);
            let pot: i32 = state.paid.iter().map(|&chips| i32::from(chips)).sum();
            // At most two players share: there are two cards of a rank.
            let share = (pot << 1) >> u32::from(winning.0 & winning.0.wrapping_sub(1) != 0);
            for (player, score) in scores.iter_mut().enumerate().take(self.players) {
                let won = -i32::from(winning.0 >> player & 1);
                *score = (share & won) - (i32::from(state.paid(player)) << 1);
            }
        }
        scores
    }

    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        self.winning(state)
    }

    /// LP-R9: the own position and card, the public card and all actions.
    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let player = viewer.index() & 7;
        let card = 1u64 << (state.card(player) & 31);
        let public = 1u64 << (state.public & 31) >> 1;
        if let (2, Some(out)) = (self.players, out.first_chunk_mut::<30>()) {
            let known = 1u64 << player | card << 2 | public << 8;
            return expand_to(known | state.history[0] << 14 | state.history[1] << 22, out);
        }
        self.observe_any(state, viewer, out);
    }

    #[inline(always)]
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        // The longest round has 22 decisions.
        let card = u64::from(state.card(viewer.index()));
        Some([state.history[0] | card << 48, state.history[1] | u64::from(state.public) << 48])
    }

    /// Exact: every deal of the cards that the viewer has not seen is equally likely.
    #[inline(always)]
    fn sample_hidden(&self, state: &State, viewer: Player, rng: &mut Rng) -> State {
        if self.players == 2 && state.waiting != 0 {
            // The other player has one of the cards that are neither the viewer's nor public.
            let (own, public) = (state.card(viewer.index()), state.public.wrapping_sub(1));
            let card = rng.below(5 - u32::from(state.public != 0)) as u8;
            let card = card + u8::from(card >= own.min(public));
            let mut sample = *state;
            let card = card + u8::from(card >= own.max(public));
            sample.cards[usize::from(viewer.0 & 1 ^ 1)] = card;
            return sample;
        }
        let deck = (4u32 << (2 * self.players)) - 1;
        let (mut hidden, mut unseen) = (Players::EMPTY, deck & !(1 << state.public >> 1));
        for player in Player::all(self.players) {
            match self.card_zone(state, player).is_seen_by(Some(viewer)) {
                true => unseen &= !(1 << state.card(player.index())),
                false => hidden.insert(player),
            }
        }
        let mut sample = *state;
        for player in hidden.iter() {
            let card = select_in_word(unseen.into(), rng.below(unseen.count_ones()));
            unseen &= !(1 << card);
            sample.cards[player.index()] = card as u8;
        }
        sample
    }

    /// LP-R1: every hand of cards is equally likely.
    fn deal_outcomes(&self) -> Option<Outcomes<State>> {
        let deals = self.deals;
        if deals as usize > MOST_OUTCOMES {
            return None;
        }
        let state = |number| self.start(deal_cards(self.players, 2 * (self.players as u32 + 1), number));
        Some((0..deals).map(|number| (state(number), 1.0 / f64::from(deals))).collect())
    }

    /// LP-R5: every card that nobody holds is equally likely to be the public card.
    fn outcomes(&self, state: &State, _: Player, action: Action) -> Option<Outcomes<State>> {
        let mut next = *state;
        if !self.act(&mut next, action.0) {
            return Some(vec![(next, 1.0)]);
        }
        let held = &state.cards[..self.players];
        let left: Vec<u8> = (0..2 * (self.players as u8 + 1)).filter(|card| !held.contains(card)).collect();
        let opened = |&card: &u8| {
            let mut opened = next;
            self.open(&mut opened, card);
            (opened, 1.0 / left.len() as f64)
        };
        Some(left.iter().map(opened).collect())
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        let public = state.public.checked_sub(1);
        let mut problems = self.check_cards(&state.cards[..self.players], public);
        if state.cards[self.players..].iter().any(|&card| card != 0) {
            problems.push(Problem::new("cards", "a player that does not exist has a card"));
        }
        let actions = [state.actions(0).collect(), state.actions(1).collect()];
        match self.replay(state.cards, public, &actions) {
            Err(problem) => problems.push(problem),
            Ok(reached) if reached != *state => {
                problems.push(Problem::new("actions", "the rest of the position does not follow from them"));
            }
            Ok(_) if state.waiting == 0 && state.public == 0 && !state.is_alone() => {
                problems.push(Problem::new("public", "the second round has no public card"));
            }
            Ok(_) => {}
        }
        problems
    }

    /// Raises with a pair or, before the public card, with the highest rank; pays with the upper half of the ranks.
    fn greedy(&self, state: &State, player: Player, _: &mut Rng) -> Action {
        let rank = usize::from(state.card(player.index()) / 2);
        let pair = state.public != 0 && rank == usize::from((state.public - 1) / 2);
        let legal = self.legal(state, player);
        let raises = pair || (state.public == 0 && rank == self.players);
        let calls = pair || 2 * rank >= self.players + usize::from(state.public != 0);
        let wishes = [(raises, RAISE), (!calls, FOLD), (true, CALL)];
        let wish = wishes.into_iter().find(|(wanted, action)| *wanted && legal.contains(Action(*action)));
        Action(wish.map_or(CALL, |(_, action)| action))
    }
}
