//! The position as people see it: as text for a terminal and as a picture.
//!
//! Both draw a [`Scene`], which knows only what the viewer may know: the choices of other players in the running round
//! come from it, never from the state.

pub mod icons;
mod picture;
mod sheet;
mod terminal;

use super::Graphia;
use super::board::Board;
use super::score::{LINES, POINT_LINES};
use super::state::{Kind, Phase, Sheet, State, Terrain, Zone};
use playmat_core::prelude::*;

playmat_core::scene!(Graphia);

/// What a player does in this round, as far as the viewer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// Must choose a shape.
    ChoosesShape,
    /// Must say where.
    Places,
    /// Has decided all that there is to decide so far.
    Ready,
    /// Has no legal placement (GG-R6).
    Skips,
    /// The game is over.
    Done,
}

impl Doing {
    fn words(self) -> &'static str {
        match self {
            Doing::ChoosesShape => "chooses a shape",
            Doing::Places => "places",
            Doing::Ready => "ready",
            Doing::Skips => "cannot draw",
            Doing::Done => "",
        }
    }
}

/// One score line of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// What it would count if it were open.
    value: i16,
    /// Whether it counts (GG-R15).
    open: bool,
    /// Whether a gate decides that under the options.
    gated: bool,
}

impl<'a> Scene<'a> {
    /// Who has won; nobody before the end. A single player has nobody to win against.
    fn winners(&self) -> Players {
        let won = self.is_over() && self.players() > 1;
        if won { self.game.winners(self.state) } else { Players::EMPTY }
    }

    /// Whether the viewer knows the running choices of a player.
    fn sees(&self, player: Player) -> bool {
        Zone::Choice(player).is_seen_by(self.viewer)
    }

    fn sheet(&self, player: Player) -> &Sheet {
        &self.state.sheets[player.index()]
    }

    fn total(&self, player: Player) -> i16 {
        self.sheet(player).score.total
    }

    /// The round's terrain.
    fn terrain(&self) -> Option<Terrain> {
        self.state.terrain
    }

    /// The kinds on the two cards shown; empty in Nexus and Desolation rounds.
    fn pair(&self) -> &[Kind] {
        self.state.pair.as_ref().map_or(&[], |pair| pair)
    }

    /// The shape that a player draws in this round, as far as the viewer knows it.
    fn shape(&self, player: Player) -> Option<Kind> {
        self.state.shapes[player.index()].filter(|_| self.sees(player))
    }

    /// The line that everybody draws on now; none when the game is over.
    fn line(&self) -> Board {
        if self.is_over() { Board::EMPTY } else { self.state.line() }
    }

    /// The squares that a player is about to fill, as far as the viewer knows them.
    fn ghost(&self, player: Player) -> Board {
        let Some(place) = self.state.places[player.index()].filter(|_| self.sees(player)) else {
            return Board::EMPTY;
        };
        match self.state.shapes[player.index()] {
            Some(kind) => self.game.shape(kind).squares_at(place.turn(), place.cell().index()),
            None => Board::one(place.cell()),
        }
    }

    /// The kinds that a player may still draw, as far as the viewer knows.
    fn choices(&self, player: Player) -> Vec<Kind> {
        match self.shape(player) {
            Some(kind) => vec![kind],
            None => self.pair().to_vec(),
        }
    }

    /// Squares of the rolled line that a legal placement of this player can fill: those it will touch the line with.
    fn targets(&self, player: Player) -> Board {
        let empty = self.sheet(player).empty();
        let line = self.line();
        if line.is_empty() || !self.ghost(player).is_empty() {
            return Board::EMPTY;
        }
        if self.terrain() == Some(Terrain::Nexus) {
            return empty.and(line);
        }
        let (mut reached, empty) = (Board::EMPTY, empty.movable());
        for kind in self.choices(player) {
            let shape = self.game.shape(kind);
            for turn in 0..shape.turns {
                for corner in shape.corners(turn, self.state.number, &empty).iter() {
                    reached = reached.or(shape.squares_at(turn, corner.index()));
                }
            }
        }
        reached.and(line)
    }

    fn doing(&self, player: Player) -> Doing {
        // Of the others a viewer learns who decides in this phase, not who has chosen already.
        let owes = if self.sees(player) { self.state.acting } else { self.state.deciders };
        match self.state.phase {
            Phase::End => return Doing::Done,
            Phase::Shape if owes.contains(player) => return Doing::ChoosesShape,
            _ if owes.contains(player) => return Doing::Places,
            _ => {}
        }
        // Everything below follows from the sheet and the cards: nothing that anybody hides.
        let empty = self.sheet(player).empty();
        let number = self.state.number;
        let can = match self.terrain() {
            Some(Terrain::Nexus) => empty.meets(self.state.line()),
            Some(terrain) if terrain.is_six() && number > 0 => {
                self.pair().iter().any(|&kind| self.game.shape(kind).fits(number, &empty.movable()))
            }
            _ => true,
        };
        if can { Doing::Ready } else { Doing::Skips }
    }

    /// What a player does, with its shape if the viewer knows it.
    fn status(&self, player: Player) -> String {
        let doing = self.doing(player);
        match (doing, self.shape(player)) {
            (Doing::Places | Doing::Ready, Some(kind)) => {
                format!("{} {}", doing.words(), self.game.shape(kind).id)
            }
            _ => doing.words().into(),
        }
    }

    /// What is going on, in a few words.
    fn prompt(&self) -> String {
        if self.is_over() {
            let names: Vec<_> = self.winners().iter().map(|player| player.to_string()).collect();
            return match names.as_slice() {
                [] => format!("Game over: {}", count(self.total(Player(0)).into(), "point")),
                [one] => format!("Game over: player {one} wins"),
                many => format!("Game over: players {} win", many.join(", ")),
            };
        }
        match (self.state.phase, self.viewer.map(|player| self.doing(player))) {
            (_, Some(Doing::ChoosesShape)) => "Choose a shape".into(),
            (Phase::Nexus, Some(Doing::Places)) => "Place a Nexus".into(),
            (_, Some(Doing::Places)) => "Place your shape".into(),
            (_, Some(Doing::Skips)) => "You cannot draw".into(),
            (_, Some(_)) => "Waiting for the others".into(),
            (Phase::Shape, None) => "Choosing shapes".into(),
            (Phase::Nexus, None) => "Placing Nexuses".into(),
            (_, None) => "Placing shapes".into(),
        }
    }

    /// The thirteen score lines of a player.
    fn lines(&self, player: Player) -> [Line; LINES] {
        let score = &self.sheet(player).score;
        let scoring = self.game.scoring();
        let (open, closed) = (scoring.open(score.touch), scoring.open(0));
        std::array::from_fn(|i| Line {
            value: match i.checked_sub(POINT_LINES) {
                None => score.points[i],
                Some(group) => score.groups[group].into(),
            },
            open: open >> i & 1 != 0,
            gated: closed >> i & 1 == 0,
        })
    }
}

/// The terrain of a score line, and whether it is the line of its largest group.
fn line_terrain(line: usize) -> (Terrain, bool) {
    match line.checked_sub(POINT_LINES) {
        None => (Terrain::ALL[line], false),
        Some(group) => (Terrain::ALL[group], true),
    }
}
