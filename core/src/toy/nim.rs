//! Nim: a toy game that can end before a player has acted.
//!
//! A pile of 1 to 6 stones, drawn by chance, lies open. Clockwise from player 0, each takes one or two stones; whoever takes the last
//! wins. With three or four players, small piles leave the last players without a turn.

use crate::document::{self, Document, number};
use crate::error::{Problem, Result};
use crate::prelude::*;
use crate::rng::Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most players.
const PLAYERS: usize = 4;
/// Most stones.
const STONES: u8 = 6;

/// An episode of [`Nim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NimState {
    /// Stones that are left.
    pub stones: u8,
    /// Turns taken.
    pub turns: u8,
}

/// What happens in [`Nim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NimEvent {
    /// The pile was made.
    Piled(u8),
    /// A player took stones.
    Took(Player, u8),
}

/// The game, see the module.
#[derive(Debug)]
pub struct Nim {
    info: GameInfo,
}

impl Nim {
    fn players(&self) -> usize {
        self.info.players
    }

    /// The player to move after a number of turns.
    fn turn(&self, turns: u8) -> Player {
        Player(turns % self.players() as u8)
    }

    /// Whoever has taken the last stone.
    fn winner(&self, state: &NimState) -> Option<Player> {
        (state.stones == 0).then(|| self.turn(state.turns.wrapping_sub(1)))
    }
}

fn info(players: usize) -> GameInfo {
    let mut observation = Layout::default();
    observation.push("stones", &[1], STONES.into(), true, "stones that are left");
    observation.push("turns", &[1], STONES.into(), true, "turns taken");
    observation.push("turn", &[players], 1, true, "whose turn it is");
    observation.push("winner", &[players], 1, true, "who has won");
    GameInfo {
        title: "Nim",
        player_range: (2, PLAYERS),
        num_actions: 2,
        actions: ActionRange::tile(&[("TAKE", &[2], "take one stone, or two")]),
        observation,
        max_decisions: STONES.into(),
        max_chance: 1,
        chance: true,
        score_zero_sum: true,
        score_range: (-1, players as i32 - 1),
        ..GameInfo::new(Nim::ID, players)
    }
}

impl Game for Nim {
    const ID: &'static str = "nim";
    type State = NimState;
    type Legal = Bits<1>;
    type Event = NimEvent;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::int("players", 2, PLAYERS as i64, 3, "number of players")]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Nim { info: info(options.int("players") as usize) })
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> NimState {
        let state = NimState { stones: 1 + rng.below(STONES.into()) as u8, turns: 0 };
        log.chance();
        log.event(&state, || NimEvent::Piled(state.stones));
        state
    }

    fn acting(&self, state: &NimState) -> Players {
        if state.stones == 0 { Players::EMPTY } else { Players::one(self.turn(state.turns)) }
    }

    fn status(&self, state: &NimState) -> Status {
        if state.stones == 0 { Status::Terminated } else { Status::Running }
    }

    fn legal(&self, state: &NimState, _: Player) -> Bits<1> {
        Bits([if state.stones > 1 { 0b11 } else { 0b01 }])
    }

    fn apply<L: Log<Self>>(
        &self,
        state: &mut NimState,
        player: Player,
        action: Action,
        _: &mut Rng,
        log: &mut L,
    ) {
        let taken = action.0 as u8 + 1;
        state.stones -= taken;
        state.turns += 1;
        log.event(state, || NimEvent::Took(player, taken));
    }

    fn scores(&self, state: &NimState) -> Scores {
        let mut scores = [0; MAX_PLAYERS];
        if let Some(winner) = self.winner(state) {
            scores[..self.players()].fill(-1);
            scores[winner.index()] = self.players() as i32 - 1;
        }
        scores
    }

    /// All scores are 0 while the game runs.
    fn winners(&self, state: &NimState) -> Players {
        self.winner(state).map_or(Players::all(self.players()), Players::one)
    }

    fn observe(&self, state: &NimState, viewer: Player, out: &mut [u8]) {
        let players = self.players();
        out.fill(0);
        (out[0], out[1]) = (state.stones, state.turns);
        for j in 0..players {
            let player = viewer.relative(j, players);
            out[2 + j] = u8::from(self.acting(state).contains(player));
            out[2 + players + j] = u8::from(self.winner(state) == Some(player));
        }
    }

    fn sample_hidden(&self, state: &NimState, _: Player, _: &mut Rng) -> NimState {
        *state
    }

    fn validate(&self, state: &NimState) -> Vec<Problem> {
        let (stones, turns) = (u32::from(state.stones), u32::from(state.turns));
        // Each turn took one or two stones of a pile that had 1 to 6.
        if stones + turns > STONES.into() || stones + 2 * turns == 0 {
            return vec![Problem::new(
                "stones",
                format!("no pile of 1 to {STONES} leaves {stones} after {turns} turns"),
            )];
        }
        Vec::new()
    }

    /// Takes two stones if there are two.
    fn greedy(&self, state: &NimState, _: Player, _: &mut Rng) -> Action {
        Action(u16::from(state.stones > 1))
    }
}

fn declare(state: &mut NimState, doc: &mut Document<'_>) {
    doc.field("stones", number(&mut state.stones, 0..=STONES.into()));
    doc.field("turns", number(&mut state.turns, 0..=STONES.into()));
}

impl Show for Nim {
    fn describe(&self, state: &NimState, viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| declare(&mut state.clone(), doc))
    }

    fn restore(&self, value: &Value, _: &mut Rng) -> Result<NimState, Vec<Problem>> {
        document::restore(value, NimState { stones: 0, turns: 0 }, declare, |state, reading| {
            reading.also(self.validate(state));
        })
    }

    fn action_text(&self, _: Option<(&NimState, Player)>, action: Action) -> String {
        format!("take {}", action.0 + 1)
    }

    fn parse_action(&self, state: Option<(&NimState, Player)>, text: &str) -> Option<Action> {
        (0..2).map(Action).find(|action| self.action_text(state, *action).eq_ignore_ascii_case(text))
    }

    fn event_json(&self, event: &NimEvent, _: Option<Player>) -> Option<Object> {
        match *event {
            NimEvent::Piled(stones) => event!("piled", stones),
            NimEvent::Took(player, stones) => event!("took", player: player, stones),
        }
    }

    fn draw_text(&self, state: &NimState, _: Option<Player>) -> String {
        let whose = match self.winner(state) {
            Some(winner) => format!("player {winner} wins"),
            None => format!("player {} to move", self.turn(state.turns)),
        };
        format!("Nim, {} stones, {whose}\n", state.stones)
    }

    fn draw_svg(&self, state: &NimState, viewer: Option<Player>) -> String {
        let mut svg = Svg::new(400.0, 48.0);
        let text = self.draw_text(state, viewer);
        svg.text((10.0, 28.0), 14.0, Anchor::Start, "#222222", false, text.trim_end());
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            none: &[
                ("relabel", "player 0 always begins"),
                ("consistent", "nothing is hidden"),
                ("determinizations", "nothing is hidden"),
                ("expected", "no rules are numbered"),
            ],
            duplicates: Some(|_, _, _, _, _| false),
            ..Hooks::default()
        }
    }
}
