//! The round: cards and die, who decides what, the reveal, the end.

use super::Graphia;
use super::action::Choice;
use super::board::{Board, Cell};
use super::state::{Kind, Phase, Placement, State, Terrain};
use playmat_core::prelude::*;

/// One of the two decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// The eight terrains.
    Terrain,
    /// The shapes.
    Polyomino,
}

/// What a host would animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A deck was used up and shuffled anew (GG-R2).
    DeckRenewed(Deck),
    /// A round began with this terrain.
    TerrainTurned {
        /// The round.
        round: u16,
        /// Its terrain.
        terrain: Terrain,
    },
    /// The two shapes of the round, in the order they were turned.
    PairShown([Kind; 2]),
    /// The die's line.
    DieRolled(u8),
    /// Square (n, n) became a Desolation on every sheet; `None`: all twelve were used before (GG-Q7).
    Desolation(Option<u8>),
    /// A player chose a shape: nobody else may learn it before the reveal.
    ShapeChosen(Player, Kind),
    /// Only one shape of the pair fits on this sheet (GG-R6a).
    ShapeForced(Player, Kind),
    /// A player chose where to draw: nobody else may learn it before the reveal.
    PlacementChosen(Player, Placement),
    /// A drawing was revealed.
    Drawn {
        /// Whose.
        player: Player,
        /// What the squares were filled with.
        terrain: Terrain,
        /// The shape; `None` for a Nexus.
        shape: Option<Kind>,
        /// Where.
        place: Placement,
    },
    /// A player cannot draw in this round (GG-R6).
    Skipped(Player),
    /// The current score of a player changed (GG-R20).
    ScoreChanged {
        /// Whose.
        player: Player,
        /// Before.
        from: i16,
        /// Now.
        to: i16,
    },
    /// Nobody can draw: the sheets are scored (GG-R7).
    GameOver,
}

/// The players who must decide.
#[inline(always)]
pub(super) fn acting(_: &Graphia, state: &State) -> Players {
    state.acting
}

/// The game ends by its rules alone (GG-R7).
#[inline(always)]
pub(super) fn status(_: &Graphia, state: &State) -> Status {
    if state.phase == Phase::End { Status::Terminated } else { Status::Running }
}

/// Applies a legal action and plays on until somebody must choose or the game is over.
#[inline(always)]
pub(super) fn apply<L: Log<Graphia>>(
    game: &Graphia,
    state: &mut State,
    player: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    game.choose(state, player, game.choice(action), log);
    game.play_on(state, rng, log);
}

impl Graphia {
    /// Plays on until somebody must choose or the game is over.
    #[inline(always)]
    pub(super) fn play_on<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        while state.acting.is_empty() {
            match state.phase {
                Phase::End => return,
                Phase::Start => {
                    // GG-R1d: whose task this is decides nothing, so the state does not say it.
                    self.turn_cards(state, rng, log);
                    self.enter_round(state, log);
                }
                Phase::Shape => self.enter_place(state, log),
                Phase::Place | Phase::Nexus => self.reveal(state, log),
            }
        }
    }

    /// What follows from the cards and the number without chance: a Desolation, or who decides first.
    #[inline(always)]
    pub(super) fn enter_round<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        match state.terrain {
            Some(Terrain::Desolation) => self.desolate_sheets(state, log),
            Some(Terrain::Nexus) => self.enter_nexus(state, log),
            _ => self.enter_polyomino(state, log),
        }
    }

    /// GG-R5: square (n, n) of every sheet.
    fn desolate_sheets<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        log.rule(|| "GG-R5".into());
        log.forced();
        let number = state.number;
        if number == 0 {
            log.rule(|| "GG-Q7".into());
            log.event(state, || Event::Desolation(None));
            return;
        }
        state.used |= 1 << (number - 1);
        let square = Board::one(Cell::at(number.into(), number.into()));
        let mut before = Scores::default();
        for (sheet, before) in state.sheets[..self.players].iter_mut().zip(&mut before) {
            if L::LISTENS {
                *before = sheet.score.total.into();
                let empty = sheet.empty().meets(square);
                log.rule(|| if empty { "GG-R5d".into() } else { "GG-R5c".into() });
            }
            self.scoring.desolate(sheet, square);
        }
        log.rule(|| "GG-R5a".into());
        log.rule(|| "GG-R19".into());
        log.event(state, || Event::Desolation(Some(number)));
        self.report_scores(state, &before, log);
    }

    /// GG-R4: whoever has two or more empty squares in line n decides.
    #[inline(always)]
    fn enter_nexus<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        log.rule(|| "GG-R1b".into());
        log.rule(|| "GG-R4".into());
        let line = state.line();
        let mut deciders = Players::EMPTY;
        for player in Player::all(self.players) {
            let targets = state.sheets[player.index()].empty().and(line);
            match targets.len() {
                0 => skip(state, player, log),
                1 => {
                    let cell = targets.first().expect("one square is in the set");
                    state.places[player.index()] = Some(Placement::new(0, cell));
                    log.forced();
                }
                _ => deciders.insert(player),
            }
        }
        if L::LISTENS && deciders.is_empty() && state.places == [None; MAX_PLAYERS] {
            log.rule(|| "GG-R7c".into());
        }
        open(state, Phase::Nexus, deciders);
    }

    /// Who can draw which shape of the pair: nobody ends the game, both is a decision.
    #[inline(always)]
    fn enter_polyomino<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let [a, b] = state.pair.expect("a polyomino round has a pair");
        let (mut both, mut one) = (Players::EMPTY, Players::EMPTY);
        for player in Player::all(self.players) {
            let empty = state.sheets[player.index()].empty().movable();
            let fits_a = self.shape(a).fits(state.number, &empty);
            // GG-Q11: two equal kinds are one choice.
            let fits_b = a != b && self.shape(b).fits(state.number, &empty);
            if fits_a && fits_b {
                both.insert(player);
            } else if fits_a || fits_b {
                one.insert(player);
                state.shapes[player.index()] = Some(if fits_a { a } else { b });
            }
        }
        let drawing = Players(both.0 | one.0);
        if drawing.is_empty() {
            self.finish(state, log);
            return;
        }
        if L::LISTENS {
            if drawing.len() == 1 && self.players > 1 {
                log.rule(|| "GG-R7b".into());
            }
            for player in Player::all(self.players).filter(|&player| !drawing.contains(player)) {
                skip(state, player, log);
            }
            for player in one.iter().filter(|_| a != b) {
                let kind = state.shapes[player.index()].unwrap_or(a);
                log.forced();
                log.rule(|| "GG-R6a".into());
                log.event(state, || Event::ShapeForced(player, kind));
            }
        }
        state.chose = both;
        open(state, Phase::Shape, both);
    }

    /// Every player with a shape decides where to draw it, except where only one placement is left and the others know it
    /// ("Forced moves" of the rules page).
    #[inline(always)]
    pub(super) fn enter_place<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let mut deciders = Players::EMPTY;
        for player in Player::all(self.players) {
            let Some(kind) = state.shapes[player.index()] else { continue };
            // A forced move would show the others which shape was chosen.
            let secret = self.players >= 2 && state.chose.contains(player);
            let only = if secret { None } else { self.only_placement(state, player, kind) };
            match only {
                Some(place) => {
                    state.places[player.index()] = Some(place);
                    log.forced();
                }
                None => deciders.insert(player),
            }
        }
        open(state, Phase::Place, deciders);
    }

    /// The placement of a shape on a sheet, if there is exactly one.
    fn only_placement(&self, state: &State, player: Player, kind: Kind) -> Option<Placement> {
        let shape = self.shape(kind);
        let empty = state.sheets[player.index()].empty().movable();
        let mut only = None;
        for turn in 0..shape.turns {
            let corners = shape.corners(turn, state.number, &empty);
            match corners.len() {
                0 => {}
                1 if only.is_none() => only = corners.first().map(|cell| Placement::new(turn, cell)),
                _ => return None,
            }
        }
        only
    }

    /// Buffers a choice (GG-Q9): nothing changes before all are in.
    #[inline(always)]
    pub(super) fn choose<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        choice: Choice,
        log: &mut L,
    ) {
        state.acting.remove(player);
        match choice {
            Choice::Shape(kind) => {
                state.shapes[player.index()] = Some(kind);
                log.event(state, || Event::ShapeChosen(player, kind));
            }
            Choice::Place(place) => {
                state.places[player.index()] = Some(place);
                log.event(state, || Event::PlacementChosen(player, place));
            }
        }
    }

    /// All drawings of the round at once.
    #[inline(always)]
    fn reveal<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        let terrain = state.terrain.expect("a round has a terrain");
        let before = if L::LISTENS { self.scores(state) } else { Scores::default() };
        if L::LISTENS && differ(state) {
            log.rule(|| "GG-R3e".into());
        }
        for player in Player::all(self.players) {
            let Some(place) = state.places[player.index()].take() else { continue };
            let shape = state.shapes[player.index()];
            let sheet = &mut state.sheets[player.index()];
            match shape {
                None => self.scoring.draw_nexus(sheet, Board::one(place.cell())),
                Some(kind) => {
                    let squares = self.shape(kind).squares_at(place.turn(), place.cell().index());
                    self.scoring.draw_shape(sheet, terrain, squares);
                }
            }
            if shape.is_some() {
                log.rule(|| "GG-R3".into());
                if place.turn() > 0 {
                    log.rule(|| "GG-R3a".into());
                }
            }
            log.event(state, || Event::Drawn { player, terrain, shape, place });
        }
        log.rule(|| "GG-R1a".into());
        self.report_scores(state, &before, log);
        state.shapes = [None; MAX_PLAYERS];
        state.chose = Players::EMPTY;
        state.deciders = Players::EMPTY;
        state.phase = Phase::Start;
    }

    /// GG-R7: nobody can draw either shape.
    fn finish<L: Log<Self>>(&self, state: &mut State, log: &mut L) {
        state.phase = Phase::End;
        if L::LISTENS {
            for player in Player::all(self.players) {
                for rule in self.scoring.rules(&state.sheets[player.index()].score) {
                    log.rule(|| rule.into());
                }
            }
            log.rule(|| "GG-R7".into());
            log.rule(|| "GG-R7a".into());
            log.event(state, || Event::GameOver);
        }
    }

    /// GG-R20: scores change at a reveal and at a Desolation only.
    fn report_scores<L: Log<Self>>(&self, state: &State, before: &Scores, log: &mut L) {
        if !L::LISTENS {
            return;
        }
        log.rule(|| "GG-R20".into());
        for player in Player::all(self.players) {
            let (from, to) = (before[player.index()] as i16, state.sheets[player.index()].score.total);
            if from != to {
                log.event(state, || Event::ScoreChanged { player, from, to });
            }
        }
    }
}

/// GG-R6: a player that cannot draw.
#[inline(always)]
fn skip<L: Log<Graphia>>(state: &State, player: Player, log: &mut L) {
    log.forced();
    log.rule(|| "GG-R6".into());
    log.event(state, || Event::Skipped(player));
}

/// Opens a phase.
#[inline(always)]
fn open(state: &mut State, phase: Phase, deciders: Players) {
    state.phase = phase;
    state.deciders = deciders;
    state.acting = deciders;
}

/// Whether two players draw different shapes of the pair.
fn differ(state: &State) -> bool {
    let mut drawn = state.shapes.into_iter().flatten();
    drawn.next().is_some_and(|first| drawn.any(|other| other != first))
}
