//! A game with dice that are rolled again during an episode, hidden from the others, and four defects: one leaks chance, one leaks private
//! options, one declares that only the deal draws, one samples the true next roll.
//!
//! Two or three players have a die each under a cup, which only its owner sees. Option `lowest`: loaded dice, each with a lowest number
//! that only its owner knows.
//! - Rolls: in turn, each keeps the die or rolls it again, once.
//! - Claims: all choose at once, hidden, a number that is not below their die.
//! - End: dice and claims are shown. Score: twice the die minus the claim.

use playmat_core::prelude::*;
use playmat_core::rng::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const PLAYERS: usize = 3;
const SIDES: usize = 6;
/// Actions: six claims, keep, roll.
const TEXTS: [&str; 8] = ["claim 1", "claim 2", "claim 3", "claim 4", "claim 5", "claim 6", "keep", "roll"];
const KEEP: u16 = 6;

/// Where an episode of [`Cups`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Turns.
    Rolls,
    /// Simultaneous claims.
    Claims,
    /// The end.
    Over,
}

/// An episode of [`Cups`]. Places beyond the players are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CupsState {
    /// Phase.
    phase: Phase,
    /// The die of each player, 0 to 5.
    die: [u8; PLAYERS],
    /// Who has rolled again.
    rolled: Players,
    /// Whose turn it is in `Rolls`, otherwise 0.
    turn: u8,
    /// Claims; hidden until all are in.
    claim: [u8; PLAYERS],
    /// Who has claimed.
    chosen: Players,
    /// With option `ahead`: what each player rolls next, 0 after that; drawn by the deal and seen by nobody.
    next: [u8; PLAYERS],
}

/// What happens in [`Cups`].
#[derive(Clone, Copy, Debug)]
pub enum CupsEvent {
    /// A player rolled a number.
    Rolled(Player, u8),
    /// A player keeps its die.
    Kept(Player),
    /// A player chose its claim.
    Chosen(Player),
    /// Dice and claims were shown.
    Shown([u8; PLAYERS], [u8; PLAYERS]),
}

/// The game, see the module. `ONCE`: it declares that only the deal draws random numbers, a defect.
#[derive(Debug)]
pub struct Cups<const ONCE: bool = false> {
    info: GameInfo,
    /// Whether the events show all rolls: a defect.
    tells: bool,
    /// The lowest number of each die, minus 1; private.
    lowest: [u8; PLAYERS],
    /// Whether a sample copies the private option: a defect.
    keeps: bool,
    ahead: Ahead,
}

/// Option `ahead`: when the rolls of the turns are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    /// In the turns.
    No,
    /// In the deal.
    Sampled,
    /// In the deal, and samples have the true ones: a defect.
    Kept,
}

impl<const ONCE: bool> Cups<ONCE> {
    fn players(&self) -> usize {
        self.info.players
    }

    fn roll<L: Log<Self>>(&self, state: &mut CupsState, player: Player, rng: &mut Rng, log: &mut L) {
        let die = self.drawn(player, rng);
        log.chance();
        state.die[player.index()] = die;
        log.event(state, || CupsEvent::Rolled(player, die));
    }

    fn drawn(&self, player: Player, rng: &mut Rng) -> u8 {
        let lowest = self.lowest[player.index()];
        lowest + rng.below(SIDES as u32 - u32::from(lowest)) as u8
    }

    /// Whose next roll is drawn already.
    fn drawn_ahead(&self, state: &CupsState) -> impl Iterator<Item = Player> + use<ONCE> {
        let turn = state.turn;
        let ahead = self.ahead != Ahead::No && state.phase == Phase::Rolls;
        Player::all(self.players()).filter(move |player| ahead && player.0 >= turn)
    }

    /// The option `lowest` with this number for all but one player.
    fn lowest_with(&self, player: Player, number: u8) -> Value {
        let of = |each: Player| if each == player { self.lowest[each.index()] + 1 } else { number };
        Player::all(self.players()).map(of).collect()
    }

    fn knows(state: &CupsState, viewer: Option<Player>, player: Player) -> bool {
        state.phase == Phase::Over || viewer.is_none_or(|viewer| viewer == player)
    }
}

impl<const ONCE: bool> Game for Cups<ONCE> {
    const ID: &'static str = "cups";
    const DRAWS: Draws = if ONCE { Draws::InDeal } else { Draws::Always };
    type State = CupsState;
    type Legal = Bits<1>;
    type Event = CupsEvent;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, PLAYERS as i64, 2, "number of players"),
            OptionSpec::bool("tells", false, "whether events show all rolls: a defect"),
            OptionSpec::json(
                "lowest",
                "a list of the lowest numbers of the dice, 1 to 6",
                json!([]),
                "loaded dice; each player knows its own",
            ),
            OptionSpec::bool("keeps", false, "whether a sample copies the true dice: a defect"),
            OptionSpec::choice(
                "ahead",
                &["no", "sampled", "kept"],
                "whether the deal draws all rolls; kept: a defect",
            ),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        let mut observation = Layout::default();
        observation.push("die", &[SIDES], 1, false, "own die, one-hot");
        observation.push("own_claim", &[SIDES], 1, false, "own claim, one-hot, from the moment it is chosen");
        observation.push("phase", &[3], 1, true, "rolls, claims, over, one-hot");
        observation.push("rolled", &[players], 1, true, "has rolled again");
        observation.push("turn", &[players], 1, true, "whose turn, in rolls");
        observation.push("dice", &[players], SIDES, true, "shown die, 0 while hidden");
        observation.push("claims", &[players], SIDES, true, "shown claim, 0 while hidden");
        let info = GameInfo {
            title: "Cups",
            player_range: (2, PLAYERS),
            num_actions: TEXTS.len(),
            actions: ActionRange::tile(&[
                ("CLAIM", &[SIDES], "a number, not below the own die"),
                ("KEEP", &[1], "keep the die"),
                ("ROLL", &[1], "roll it again"),
            ]),
            observation,
            max_decisions: 2 * players,
            max_chance: 2 * players,
            chance: true,
            hidden: true,
            simultaneous: true,
            joint_actions: true,
            score_range: (-5, 5),
            ..GameInfo::new(Self::ID, players)
        };
        let given = options.get("lowest").as_array().filter(|list| list.len() <= PLAYERS);
        let numbers = given.map(|list| list.iter().map(|n| n.as_u64().filter(|n| (1..=6).contains(n))));
        let Some(numbers) = numbers.and_then(Iterator::collect::<Option<Vec<u64>>>) else {
            return Err(options.refuse("lowest", "allowed: a list of at most 3 numbers from 1 to 6"));
        };
        let mut lowest = [0; PLAYERS];
        for (place, number) in lowest.iter_mut().zip(numbers) {
            *place = number as u8 - 1;
        }
        let ahead = match options.str("ahead") {
            "sampled" => Ahead::Sampled,
            "kept" => Ahead::Kept,
            _ => Ahead::No,
        };
        Ok(Cups { info, tells: options.bool("tells"), lowest, keeps: options.bool("keeps"), ahead })
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> CupsState {
        let mut state = CupsState {
            phase: Phase::Rolls,
            die: [0; PLAYERS],
            rolled: Players::EMPTY,
            turn: 0,
            claim: [0; PLAYERS],
            chosen: Players::EMPTY,
            next: [0; PLAYERS],
        };
        for player in Player::all(self.players()) {
            self.roll(&mut state, player, rng, log);
        }
        for player in self.drawn_ahead(&state) {
            log.chance();
            state.next[player.index()] = 1 + self.drawn(player, rng);
        }
        state
    }

    fn acting(&self, state: &CupsState) -> Players {
        match state.phase {
            Phase::Rolls => Players::one(Player(state.turn)),
            Phase::Claims => Players(Players::all(self.players()).0 & !state.chosen.0),
            Phase::Over => Players::EMPTY,
        }
    }

    fn status(&self, state: &CupsState) -> Status {
        if state.phase == Phase::Over { Status::Terminated } else { Status::Running }
    }

    fn legal(&self, state: &CupsState, player: Player) -> Bits<1> {
        match state.phase {
            Phase::Rolls => Bits([0b1100_0000]),
            _ => Bits([0b11_1111 & !((1 << state.die[player.index()]) - 1)]),
        }
    }

    fn apply<L: Log<Self>>(
        &self,
        state: &mut CupsState,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        if state.phase == Phase::Rolls {
            let next = std::mem::take(&mut state.next[player.index()]);
            if action.0 == KEEP {
                log.event(state, || CupsEvent::Kept(player));
            } else if next != 0 {
                state.rolled.insert(player);
                state.die[player.index()] = next - 1;
                log.event(state, || CupsEvent::Rolled(player, next - 1));
            } else {
                state.rolled.insert(player);
                self.roll(state, player, rng, log);
            }
            state.turn += 1;
            if usize::from(state.turn) == self.players() {
                (state.phase, state.turn) = (Phase::Claims, 0);
            }
            return;
        }
        state.claim[player.index()] = action.0 as u8;
        state.chosen.insert(player);
        log.event(state, || CupsEvent::Chosen(player));
        if state.chosen == Players::all(self.players()) {
            state.phase = Phase::Over;
            let (dice, claims) = (state.die, state.claim);
            log.event(state, || CupsEvent::Shown(dice, claims));
        }
    }

    fn scores(&self, state: &CupsState) -> Scores {
        let mut scores = Scores::default();
        if state.phase == Phase::Over {
            for (k, score) in scores[..self.players()].iter_mut().enumerate() {
                *score = 2 * i32::from(state.die[k]) - i32::from(state.claim[k]);
            }
        }
        scores
    }

    fn winners(&self, state: &CupsState) -> Players {
        let scores = self.scores(state);
        let best = scores[..self.players()].iter().max().copied().unwrap_or(0);
        Player::all(self.players()).filter(|player| scores[player.index()] == best).collect()
    }

    fn observe(&self, state: &CupsState, viewer: Player, out: &mut [u8]) {
        let (players, me) = (self.players(), viewer.index());
        out.fill(0);
        out[usize::from(state.die[me])] = 1;
        if state.chosen.contains(viewer) {
            out[6 + usize::from(state.claim[me])] = 1;
        }
        out[12 + state.phase as usize] = 1;
        let shown = u8::from(state.phase == Phase::Over);
        for (j, player) in (0..players).map(|j| (j, viewer.relative(j, players))) {
            let row = [
                u8::from(state.rolled.contains(player)),
                u8::from(state.phase == Phase::Rolls && state.turn == player.0),
                shown * (state.die[player.index()] + 1),
                shown * (state.claim[player.index()] + 1),
            ];
            for (segment, value) in row.into_iter().enumerate() {
                out[15 + segment * players + j] = value;
            }
        }
    }

    fn take_back_choice(&self, state: &mut CupsState, player: Player) {
        if state.phase == Phase::Claims && state.chosen.contains(player) {
            state.chosen.remove(player);
            state.claim[player.index()] = 0;
        }
    }

    fn sample_hidden(&self, state: &CupsState, viewer: Player, rng: &mut Rng) -> CupsState {
        let mut sampled = *state;
        if state.phase == Phase::Over {
            return sampled;
        }
        for player in self.drawn_ahead(state).filter(|_| self.ahead == Ahead::Sampled) {
            sampled.next[player.index()] = 1 + rng.below(SIDES as u32) as u8;
        }
        let players = Players::all(self.players());
        let viewer_must_claim = state.phase == Phase::Claims && !state.chosen.contains(viewer);
        let have_claimed = players.chosen_in_sample(viewer, viewer_must_claim);
        for player in players.iter().filter(|&player| player != viewer) {
            sampled.die[player.index()] = rng.below(SIDES as u32) as u8;
            sampled.claim[player.index()] = 0;
            sampled.chosen.remove(player);
            if have_claimed.contains(player) {
                sampled.claim[player.index()] = rng.pick(&self.legal(&sampled, player)).0 as u8;
                sampled.chosen.insert(player);
            }
        }
        sampled
    }

    fn validate(&self, state: &CupsState) -> Vec<Problem> {
        let mut found = Vec::new();
        let (players, all) = (self.players(), Players::all(self.players()));
        for k in 0..PLAYERS {
            let (die, claim) = (state.die[k], state.claim[k]);
            let fits =
                if state.chosen.contains(Player(k as u8)) { (die..6).contains(&claim) } else { claim == 0 };
            let ahead = self.drawn_ahead(state).any(|player| player.index() == k);
            let next = if ahead { (1..=SIDES as u8).contains(&state.next[k]) } else { state.next[k] == 0 };
            if usize::from(die) >= SIDES || !fits || !next || (k >= players && die != 0) {
                let path = if k < players { format!("players[{k}]") } else { "players".into() };
                found.push(Problem::new(path, "a die of 1 to 6, and a claim not below it"));
            }
        }
        if (state.rolled.0 | state.chosen.0) & !all.0 != 0 {
            found.push(Problem::new("", "a player too many"));
        }
        let turn = usize::from(state.turn);
        // The players before the current one have had their turn.
        let early = state.rolled.iter().all(|player| player.index() < turn) && turn < players;
        let fits = match state.phase {
            Phase::Rolls => early && state.chosen.is_empty(),
            Phase::Claims => turn == 0 && state.chosen != all,
            Phase::Over => turn == 0 && state.chosen == all,
        };
        if !fits {
            found.push(Problem::new("phase", "does not fit turns and claims"));
        }
        found
    }

    fn greedy(&self, state: &CupsState, player: Player, _: &mut Rng) -> Action {
        let die = u16::from(state.die[player.index()]);
        if state.phase == Phase::Rolls { Action(KEEP + u16::from(die < 3)) } else { Action(die) }
    }
}

impl<const ONCE: bool> Show for Cups<ONCE> {
    fn describe(&self, state: &CupsState, viewer: Option<Player>) -> Value {
        let players: Vec<Value> = Player::all(self.players())
            .map(|player| {
                let (k, knows) = (player.index(), Self::knows(state, viewer, player));
                json!({
                    "die": knows.then_some(state.die[k] + 1),
                    "rolled": state.rolled.contains(player),
                    "next": (viewer.is_none() && state.next[k] > 0).then_some(state.next[k]),
                    "claim": (knows && state.chosen.contains(player)).then_some(state.claim[k] + 1),
                })
            })
            .collect();
        json!({ "phase": state.phase, "turn": state.turn, "players": players })
    }

    fn restore(&self, value: &Value, _: &mut Rng) -> Result<CupsState, Vec<Problem>> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Cup {
            die: u8,
            rolled: bool,
            next: Option<u8>,
            claim: Option<u8>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            phase: Phase,
            turn: u8,
            players: Vec<Cup>,
        }
        let table =
            Table::deserialize(value).map_err(|error| vec![Problem::new("players", error.to_string())])?;
        if table.players.len() != self.players() {
            return Err(vec![Problem::new("players", format!("must be {}", self.players()))]);
        }
        let mut state = self.deal(&mut Rng::from_seed(0), &mut Silent);
        (state.phase, state.turn) = (table.phase, table.turn);
        for (k, cup) in table.players.iter().enumerate() {
            state.die[k] = cup.die.wrapping_sub(1);
            state.next[k] = cup.next.unwrap_or(0);
            if cup.rolled {
                state.rolled.insert(Player(k as u8));
            }
            if let Some(claim) = cup.claim {
                state.claim[k] = claim.wrapping_sub(1);
                state.chosen.insert(Player(k as u8));
            }
        }
        match self.validate(&state) {
            found if found.is_empty() => Ok(state),
            found => Err(found),
        }
    }

    fn action_text(&self, _: Option<(&CupsState, Player)>, action: Action) -> String {
        TEXTS[action.index()].into()
    }

    fn parse_action(&self, _: Option<(&CupsState, Player)>, text: &str) -> Option<Action> {
        TEXTS.iter().position(|t| t.eq_ignore_ascii_case(text)).map(|at| Action(at as u16))
    }

    fn event_json(&self, event: &CupsEvent, viewer: Option<Player>) -> Option<Object> {
        let own = |player: Player| viewer.is_none_or(|viewer| viewer == player);
        match *event {
            CupsEvent::Rolled(player, die) => {
                event!("rolled", player: player, die: (own(player) || self.tells).then_some(die + 1))
            }
            CupsEvent::Kept(player) => event!("kept", player: player),
            CupsEvent::Chosen(player) if own(player) => event!("chosen", player: player),
            CupsEvent::Chosen(_) => None,
            CupsEvent::Shown(dice, claims) => {
                let seen =
                    |list: [u8; PLAYERS]| list[..self.players()].iter().map(|n| n + 1).collect::<Vec<_>>();
                event!("shown", dice: seen(dice), claims: seen(claims))
            }
        }
    }

    fn draw_text(&self, state: &CupsState, viewer: Option<Player>) -> String {
        let mut text = format!("Cups, {:?}\n", state.phase);
        for player in Player::all(self.players()) {
            let known = Self::knows(state, viewer, player);
            let die = if known { (state.die[player.index()] + 1).to_string() } else { "?".into() };
            let again = if state.rolled.contains(player) { ", rolled again" } else { "" };
            text.push_str(&format!("player {player}: die {die}{again}\n"));
        }
        text
    }

    fn draw_svg(&self, state: &CupsState, viewer: Option<Player>) -> String {
        let mut svg = Svg::new(300.0, 24.0 * (self.players() + 2) as f64);
        for (row, line) in self.draw_text(state, viewer).lines().enumerate() {
            svg.text((10.0, 24.0 * (row + 1) as f64), 14.0, Anchor::Start, "#222222", false, line);
        }
        svg.finish()
    }

    fn private_options(&self) -> &'static [&'static str] {
        &["lowest"]
    }

    fn option_known_to(&self, _: &str, value: &Value, player: Player) -> Option<Value> {
        Some(if self.keeps { value.clone() } else { self.lowest_with(player, 1) })
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            none: &[
                ("relabel", "player 0 rolls first"),
                ("consistent", "others show nothing but that they rolled"),
                ("determinizations", "dice of the others are independent"),
            ],
            duplicates: Some(|_, _, _, _, _| true),
            other_deal: Some("no player knows how the dice of others are loaded")
                .filter(|_| self.lowest != [0; PLAYERS]),
            other_private: Some(|game, _, player| {
                let others = [2, 5]
                    .map(|number| Map::from_iter([("lowest".into(), game.lowest_with(player, number))]));
                others.to_vec()
            }),
            ..Hooks::default()
        }
    }
}
