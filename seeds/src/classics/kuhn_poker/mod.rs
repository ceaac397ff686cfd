//! Kuhn poker for two to eight players: one card each, one bet, two words of state.

use playmat_classics_common::poker::{self, hands, read_decisions, write_decisions};
use playmat_classics_common::{all_deals, deal_cards, deals, draw_card, find_word, names, rank_name};
use playmat_core::bits::select_in_word;
use playmat_core::document::{self, At, Document, Names, with};
use playmat_core::hooks::same;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde::{Deserialize, Serialize};
use std::hint::select_unpredictable;

/// What the registry lists: a static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<KuhnPoker>();

const PASS: u16 = 0;
const BET: u16 = 1;
const WORDS: &[(&str, u16)] = &[("pass", PASS), ("bet", BET), ("check", PASS), ("fold", PASS), ("call", BET)];
/// The bits of a history that say `bet`.
const BETS: u32 = 0xaaaa_aaaa;

/// The configured game.
#[derive(Debug)]
pub struct KuhnPoker {
    info: GameInfo,
    players: usize,
    deals: u32,
}

/// Cards and history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Rank by player, four bits each.
    pub cards: u32,
    /// Two bits for each decision, the first one lowest: 01 pass, 10 bet. Also that part of the observation.
    pub history: u32,
}

impl State {
    #[inline(always)]
    fn card(&self, player: usize) -> u32 {
        self.cards >> (4 * (player & 7)) & 15
    }

    #[inline(always)]
    const fn decisions(&self) -> u32 {
        (33 - self.history.leading_zeros()) / 2
    }

    /// The number of decisions before the first bet, 16 without one.
    #[inline(always)]
    const fn passes(&self) -> u32 {
        (self.history & BETS).trailing_zeros() / 2
    }

    /// Whether the episode is over, with `players` players.
    #[inline(always)]
    const fn is_over_with(&self, players: u32) -> bool {
        // Without a branch: the end of an episode is not predictable. The 16 passes of an episode without a bet count as 0.
        self.decisions() == players + (self.passes() & 15)
    }

    #[inline(always)]
    const fn turn_of(&self, players: u32) -> u32 {
        let at = self.decisions();
        if at >= players { at.wrapping_sub(players) & 7 } else { at }
    }

    #[inline(always)]
    const fn bettors_of(&self, players: u32) -> u32 {
        // The upper bits of the pairs, moved together: bit d for decision d. Whoever decides twice does so `players` decisions apart.
        let mut bets = self.history >> 1 & 0x5555_5555;
        bets = (bets | bets >> 1) & 0x3333_3333;
        bets = (bets | bets >> 2) & 0x0f0f_0f0f;
        bets = (bets | bets >> 4) & 0x00ff_00ff;
        bets = (bets | bets >> 8) & 0xffff;
        (bets | bets >> (players & 15)) & ((1 << (players & 15)) - 1)
    }

    fn actions(&self) -> impl Iterator<Item = u16> {
        let history = self.history;
        (0..self.decisions()).map(move |at| (history >> (2 * at + 1) & 1) as u16)
    }
}

/// What the history of two players says: bits 0 and 1 the set of the player to act, bits 2 and 3 the players that have bet.
const TWO_PLAYERS: [u8; 64] = {
    let mut table = [0; 64];
    let mut history = 0;
    while history < 64 {
        let state = State { cards: 0, history };
        let acting = if state.is_over_with(2) { 0 } else { 1 << state.turn_of(2) };
        table[history as usize] = acting | (state.bettors_of(2) as u8) << 2;
        history += 1;
    }
    table
};

impl KuhnPoker {
    /// The entry of [`TWO_PLAYERS`], where two play.
    #[inline(always)]
    fn two_players(&self, state: &State) -> Option<u8> {
        (self.players == 2).then(|| TWO_PLAYERS[state.history as usize & 63])
    }

    /// KP-R3, KP-R4: after the first bet everybody else decides once more; without one everybody decides once.
    #[inline(always)]
    fn is_over(&self, state: &State) -> bool {
        state.is_over_with(self.players as u32)
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Player {
        Player(state.turn_of(self.players as u32) as u8)
    }

    /// The players that have bet: each of them paid a second chip.
    #[inline(always)]
    fn bettors(&self, state: &State) -> u32 {
        match self.two_players(state) {
            Some(entry) => u32::from(entry >> 2),
            None => state.bettors_of(self.players as u32),
        }
    }

    /// KP-R5: the players whose cards are compared: those that have bet, or all if nobody has.
    #[inline(always)]
    fn contenders(&self, state: &State) -> Players {
        let bettors = self.bettors(state);
        select_unpredictable(bettors == 0, Players::all(self.players), Players(bettors as u8))
    }

    #[inline(always)]
    fn winner(&self, state: &State) -> usize {
        if let Some(entry) = self.two_players(state) {
            let bettors = usize::from(entry >> 2);
            let alone = bettors == 0b01 || bettors == 0b10;
            return select_unpredictable(alone, bettors >> 1, usize::from(state.card(1) > state.card(0)));
        }
        let contenders = self.contenders(state);
        let strength = |player: usize| (state.card(player) + 1) * u32::from(contenders.0 >> (player & 7) & 1);
        (1..self.players)
            .fold(0, |best, player| if strength(player) > strength(best) { player } else { best })
    }

    /// Whether everybody sees the card of `player`: more than one contender at the end, and it is one of them.
    #[inline(always)]
    fn is_revealed(&self, state: &State, player: Player) -> bool {
        if !self.is_over(state) {
            return false;
        }
        let contenders = self.contenders(state);
        contenders.len() > 1 && contenders.contains(player)
    }

    /// The one visibility rule: one's own card, and those shown at the end.
    #[inline(always)]
    fn card_zone(&self, state: &State, owner: Player) -> Visibility {
        if self.is_revealed(state, owner) { Visibility::Public } else { Visibility::Owner(owner) }
    }

    fn card_name(&self, card: u32) -> String {
        rank_name(card as usize, self.players + 1).to_string()
    }

    /// Every deal that is possible for `viewer`, all equally likely.
    fn determinizations(&self, state: &State, viewer: Player) -> Option<Determinizations<State>> {
        let hidden: Vec<Player> = Player::all(self.players)
            .filter(|&player| !self.card_zone(state, player).is_seen_by(Some(viewer)))
            .collect();
        let known = |card: u8| {
            let mut others = Player::all(self.players).filter(|player| !hidden.contains(player));
            others.any(|player| state.card(player.index()) == u32::from(card))
        };
        let unseen: Vec<u8> = (0..=self.players as u8).filter(|&card| !known(card)).collect();
        let lists = all_deals(&unseen, hidden.len())?;
        let p = 1.0 / lists.len() as f64;
        let sample = |list: Vec<u8>| {
            let mut sample = *state;
            for (player, card) in hidden.iter().zip(list) {
                let shift = 4 * player.index();
                sample.cards = sample.cards & !(15 << shift) | u32::from(card) << shift;
            }
            (sample, p)
        };
        Some(lists.into_iter().map(sample).collect())
    }

    /// Says what is wrong with a history; also the only way in for one from outside.
    fn replay(&self, cards: u32, actions: impl Iterator<Item = u16>) -> Option<State> {
        let mut state = State { cards, history: 0 };
        for action in actions {
            if self.is_over(&state) {
                return None;
            }
            state.history |= (1 + u32::from(action)) << (2 * state.decisions());
        }
        Some(state)
    }
}

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player was dealt a card of this rank.
    Dealt(Player, u8),
    /// A player passed or bet.
    Acted(Player, Action),
    /// A player showed its card.
    Revealed(Player, u8),
    /// A player took the pot.
    Won(Player, u8),
}

impl Game for KuhnPoker {
    const ID: &'static str = "kuhn_poker";
    const DRAWS: Draws = Draws::InDeal;
    type State = State;
    type Legal = Bits<1>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::int("players", 2, MAX_PLAYERS as i64, 2, "number of players")]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        let longest = 2 * players - 1;
        let mut observation = Layout::default();
        observation.push(
            "position",
            &[players],
            1,
            false,
            "one-hot: the viewer's place in the order of betting",
        );
        observation.push("card", &[players + 1], 1, false, "one-hot: rank of the viewer's card, ascending");
        let meaning = "one-hot for each decision so far, in order: pass, bet";
        observation.push("history", &[longest, 2], 1, true, meaning);
        let deals = deals(players, players as u32 + 1);
        let info = GameInfo {
            title: "Kuhn Poker",
            player_range: (2, MAX_PLAYERS),
            num_actions: 2,
            actions: ActionRange::tile(&[
                ("PASS", &[1], "check; after a bet: fold"),
                ("BET", &[1], "bet one chip; after a bet: call it"),
            ]),
            observation,
            max_decisions: longest,
            max_chance: players,
            chance: true,
            hidden: true,
            lists_chance: deals as usize <= MOST_OUTCOMES,
            perfect_recall: true,
            score_zero_sum: true,
            score_range: (-2, 2 * (players as i32 - 1)),
            rewards: vec![RewardKind::Score, RewardKind::ScoreDelta, RewardKind::Outcome],
            ..GameInfo::new(Self::ID, players)
        };
        Ok(KuhnPoker { info, players, deals })
    }

    #[inline(always)]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    /// KP-R1: one card each from a deck of one more, by a single bounded draw.
    #[inline(always)]
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        let cards = if self.players == 2 {
            let cards = deal_cards(2, 3, rng.below(const { deals(2, 3) }));
            u32::from(cards[0]) | u32::from(cards[1]) << 4
        } else {
            let cards = deal_cards(self.players, self.players as u32 + 1, rng.below(self.deals));
            cards.iter().rev().fold(0, |word, &card| word << 4 | u32::from(card))
        };
        let state = State { cards, history: 0 };
        for player in Player::all(if L::LISTENS { self.players } else { 0 }) {
            log.chance();
            log.event(&state, || Event::Dealt(player, state.card(player.index()) as u8));
        }
        log.rule(|| "KP-R1".into());
        state
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Players {
        match self.two_players(state) {
            Some(entry) => Players(entry & 3),
            None => Players(u8::from(!self.is_over(state)) << (self.turn(state).0 & 7)),
        }
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        if self.acting(state).is_empty() { Status::Terminated } else { Status::Running }
    }

    /// KP-R2: both, always.
    #[inline(always)]
    fn legal(&self, _: &State, _: Player) -> Bits<1> {
        Bits([0b11])
    }

    #[inline(always)]
    fn apply<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        _: &mut Rng,
        log: &mut L,
    ) {
        state.history |= (1 + u32::from(action.0 & 1)) << ((2 * state.decisions()) & 31);
        log.rule(|| "KP-R2".into());
        log.event(state, || Event::Acted(player, action));
        if L::LISTENS && self.is_over(state) {
            log.rule(|| if state.passes() < 16 { "KP-R4".into() } else { "KP-R3".into() });
            log.rule(|| "KP-R5".into());
            for shown in Player::all(self.players).filter(|player| self.is_revealed(state, *player)) {
                log.event(state, || Event::Revealed(shown, state.card(shown.index()) as u8));
            }
            let pot = self.players as u32 + self.bettors(state).count_ones();
            log.event(state, || Event::Won(Player(self.winner(state) as u8), pot as u8));
        }
    }

    /// KP-R6: chips won or lost; 0 for all players before the end.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        if !self.acting(state).is_empty() {
            return [0; MAX_PLAYERS];
        }
        let (bettors, winner) = (self.bettors(state), self.winner(state));
        if self.players == 2 {
            // What the other player has paid.
            let gain = 1 + i32::from(bettors == 0b11);
            let lead = if winner == 0 { gain } else { -gain };
            return [lead, -lead, 0, 0, 0, 0, 0, 0];
        }
        let pot = (self.players as u32 + bettors.count_ones()) as i32;
        // The same arithmetic for every entry, in vector instructions: separate stores would cause a store-forwarding stall when
        // the scores are read as rewards.
        let mut scores = [0; MAX_PLAYERS];
        for (player, score) in scores.iter_mut().enumerate() {
            let paid = i32::from(player < self.players).wrapping_add((bettors >> player & 1) as i32);
            *score = if player == winner { pot } else { 0 }.wrapping_sub(paid);
        }
        scores
    }

    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        Players(1 << (self.winner(state) & 7))
    }

    #[inline(always)]
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        Some([state.history.into(), state.card(viewer.index()).into()])
    }

    /// KP-R7: the own position and card, and all actions.
    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let player = viewer.index() & 7;
        let word = |players: usize| {
            let known = 1u64 << player | 1 << (players + state.card(player) as usize);
            known | u64::from(state.history) << (2 * players + 1)
        };
        match out.first_chunk_mut::<11>() {
            Some(out) if self.players == 2 => expand_to(word(2), out),
            _ => expand(word(self.players & 15), out),
        }
    }

    /// Exact: every deal of the cards that the viewer has not seen is equally likely.
    #[inline(always)]
    fn sample_hidden(&self, state: &State, viewer: Player, rng: &mut Rng) -> State {
        if self.players == 2 && !self.is_over(state) {
            // The other player has one of two cards.
            let own = state.card(viewer.index());
            let card = rng.below(2);
            let shift = 4 * (viewer.0 & 1 ^ 1);
            let card = (card + u32::from(card >= own)) << shift;
            return State { cards: state.cards & !(15 << shift) | card, ..*state };
        }
        let (mut hidden, mut unseen) = (Players::EMPTY, (2u32 << self.players) - 1);
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
            let shift = 4 * player.index();
            sample.cards = sample.cards & !(15 << shift) | card << shift;
        }
        sample
    }

    /// KP-R1: every hand of cards is equally likely.
    fn deal_outcomes(&self) -> Option<Outcomes<State>> {
        let deals = self.deals;
        if deals as usize > MOST_OUTCOMES {
            return None;
        }
        let state = |number| {
            let cards = deal_cards(self.players, self.players as u32 + 1, number);
            State { cards: cards.iter().rev().fold(0, |word, &card| word << 4 | u32::from(card)), history: 0 }
        };
        Some((0..deals).map(|number| (state(number), 1.0 / f64::from(deals))).collect())
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        let mut problems = Vec::new();
        for player in 0..self.players {
            let card = state.card(player);
            if card > self.players as u32 {
                problems.push(Problem::new(format!("cards[{player}]"), "no such card in the deck"));
            } else if (0..player).any(|other| state.card(other) == card) {
                problems.push(Problem::new(
                    format!("cards[{player}]"),
                    "another player has the only card of this rank",
                ));
            }
        }
        if u64::from(state.cards) >> (4 * self.players) != 0 {
            problems.push(Problem::new("cards", "a player that does not exist has a card"));
        }
        if self.replay(state.cards, state.actions()) != Some(*state) {
            problems.push(Problem::new("actions", "not a sequence of decisions of the game"));
        }
        problems
    }

    /// Bets the highest card, calls with the upper half of the ranks.
    fn greedy(&self, state: &State, player: Player, _: &mut Rng) -> Action {
        let card = state.card(player.index()) as usize;
        let strong = if state.passes() < 16 { 2 * card >= self.players } else { card == self.players };
        Action(if strong { BET } else { PASS })
    }
}

impl KuhnPoker {
    /// The JSON of a state.
    fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let whole = *state;
        let ranks: Vec<String> = (0..=self.players as u32).map(|card| self.card_name(card)).collect();
        let ranks = Names::new("card", ranks.iter().map(String::as_str).zip(0..));
        let words = Names::new("decision", WORDS[..2].iter().copied());
        let mut cards: Vec<(u8, Visibility)> = Player::all(self.players)
            .map(|player| (whole.card(player.index()) as u8, self.card_zone(&whole, player)))
            .collect();
        let mut actions: Vec<u16> = whole.actions().collect();
        let viewer = doc.viewer();
        doc.field("cards", hands(&mut cards, &ranks, viewer));
        let read = |actions: &mut Vec<u16>, given: &Value, at: &mut At<'_>| {
            read_decisions(actions, &words, 2 * self.players - 1, given, at);
        };
        doc.field("actions", with(&mut actions, |actions| write_decisions(actions, &words), read));
        if doc.is_reading() {
            state.cards = cards.iter().rev().fold(0, |word, &(card, _)| word << 4 | u32::from(card));
            state.history = actions.iter().rev().fold(0, |word, &action| word << 2 | (1 + u32::from(action)));
        }
        doc.derived("paid", || {
            (0..self.players).map(|player| 1 + (self.bettors(&whole) >> player & 1)).collect()
        });
        doc.derived("turn", || (!self.is_over(&whole)).then(|| self.turn(&whole).0).into());
    }
}

impl Show for KuhnPoker {
    fn describe(&self, state: &State, viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| self.declare(&mut state.clone(), doc))
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        let declare = |state: &mut State, doc: &mut Document<'_>| self.declare(state, doc);
        document::restore(json, State { cards: 0, history: 0 }, declare, |state, reading| {
            match self.replay(state.cards, state.actions()) {
                _ if !reading.is_fine() => {}
                Some(_) => reading.also(self.validate(state)),
                None => reading.also([Problem::new("actions", "decisions after the end of the episode")]),
            }
        })
    }

    fn action_text(&self, state: Option<(&State, Player)>, action: Action) -> String {
        let text = match (state.map(|(state, _)| state.passes() < 16), action.0) {
            (Some(true), PASS) => "fold",
            (Some(true), _) => "call",
            (Some(false), PASS) => "check",
            (None, PASS) => "pass",
            _ => "bet",
        };
        text.into()
    }

    fn parse_action(&self, _: Option<(&State, Player)>, text: &str) -> Option<Action> {
        find_word(text, WORDS)
    }

    fn event_json(&self, event: &Event, viewer: Option<Player>) -> Option<Object> {
        let name = |card: u8| self.card_name(card.into());
        match *event {
            Event::Dealt(player, card) => {
                let card = Visibility::Owner(player).is_seen_by(viewer).then(|| name(card));
                event!("dealt", player: player, card)
            }
            Event::Acted(player, action) => {
                event!("acted", player: player, action: WORDS[action.index() & 1].0)
            }
            Event::Revealed(player, card) => event!("revealed", player: player, card: name(card)),
            Event::Won(player, pot) => event!("won", player: player, pot),
        }
    }

    fn event_text(&self, event: &Object) -> String {
        if let Some(text) = poker::event_text(event) {
            return sentence(&text);
        }
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "acted" if fields.text("action") == Some("bet") => format!("{who} bets"),
            "acted" => format!("{who} passes"),
            "won" => format!("{who} wins the pot of {}", fields.number("pot")),
            _ => return playmat_core::sentences::plain(event),
        })
    }

    fn draw_text(&self, state: &State, viewer: Option<Player>) -> String {
        let bettors = self.bettors(state);
        let pot = self.players as u32 + bettors.count_ones();
        let mut text = format!(
            "pot {pot}, deck {}\n",
            (0..=self.players as u32).map(|c| self.card_name(c)).collect::<String>()
        );
        let scores = self.scores(state);
        for player in Player::all(self.players) {
            let i = player.index();
            let card = if self.card_zone(state, player).is_seen_by(viewer) {
                self.card_name(state.card(i))
            } else {
                "?".into()
            };
            let said: Vec<_> =
                state.actions().skip(i).step_by(self.players).map(|a| WORDS[usize::from(a)].0).collect();
            let mark = if self.acting(state).contains(player) { '>' } else { ' ' };
            text.push_str(&format!(
                "{mark} player {i} [{card}] paid {} {}",
                1 + (bettors >> i & 1),
                said.join(", ")
            ));
            text.push_str(&if self.is_over(state) { format!(" => {:+}\n", scores[i]) } else { "\n".into() });
        }
        text
    }

    fn draw_svg(&self, state: &State, viewer: Option<Player>) -> String {
        let mut svg = Svg::new(80.0 * self.players as f64 + 20.0, 170.0);
        svg.rect(0.0, 0.0, 80.0 * self.players as f64 + 20.0, 170.0, "#2f6b4f", "");
        let bettors = self.bettors(state);
        let scores = self.scores(state);
        for player in Player::all(self.players) {
            let (i, x) = (player.index(), 30.0 + 80.0 * player.index() as f64);
            let name =
                self.card_zone(state, player).is_seen_by(viewer).then(|| self.card_name(state.card(i)));
            let colour = if self.acting(state).contains(player) { "#ffe08a" } else { "#fff" };
            svg.text((x + 24.0, 24.0), 13.0, Anchor::Middle, colour, true, &format!("player {i}"));
            draw_card(&mut svg, x, 34.0, name.as_deref());
            for chip in 0..1 + (bettors >> i & 1) {
                svg.circle(
                    x + 12.0 + 24.0 * f64::from(chip),
                    124.0,
                    9.0,
                    "#d8462f",
                    r##"stroke="#fff" stroke-width="2""##,
                );
            }
            let last = state.actions().skip(i).step_by(self.players).last();
            let said = match self.is_over(state) {
                true => format!("{:+}", scores[i]),
                false => last.map_or_else(String::new, |a| WORDS[usize::from(a)].0.into()),
            };
            svg.text((x + 24.0, 156.0), 13.0, Anchor::Middle, "#fff", false, &said);
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            none: &[("relabel", "player 0 always decides first: no position has its players renamed")],
            consistent: Some(|_, state, viewer, sample| {
                let known = |state: &State| (state.history, state.card(viewer.index()));
                same("the decisions and the own card", state, sample, known)
            }),
            expected: Some(|_| names(&["KP-R1", "KP-R2", "KP-R3", "KP-R4", "KP-R5"])),
            perfect_recall: true,
            determinizations: Some(Self::determinizations),
            ..Hooks::default()
        }
    }
}
