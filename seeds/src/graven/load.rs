//! Positions from outside: JSON to a state, played on until somebody must choose.

use super::Graven;
use super::content::counted;
use super::rules::Context;
use super::state::{
    Cards, Entry, Invoking, LINES, Meant, NONE, Phase, Player, QUEUE, Running, Stage, State, Timing,
};
use super::text::{STAGES, WHATS};
use playmat_core::fields::{Fields, Found, items, typed};
use playmat_core::prelude::*;
use playmat_core::save::difference;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Counts by id.
type Counts = BTreeMap<String, i64>;

/// The JSON form of a position. What is not mentioned is empty; everybody is in the game and has had a turn, and it is the Play
/// Phase. What follows from the rest may be left out; given, it must agree.
struct Position {
    turn: Option<i64>,
    turn_player: i64,
    stage: Option<String>,
    phase: Option<String>,
    asked: Option<i64>,
    questions: Option<i64>,
    humans_played: Option<i64>,
    extra_plays: Option<i64>,
    invoked: Option<bool>,
    derived: Vec<(&'static str, Option<Value>)>,
    spent: Option<Counts>,
    activations: Option<Counts>,
    window: Option<WindowJson>,
    effect: Option<EffectJson>,
    invoking: Option<InvokingJson>,
    subject: Option<SubjectJson>,
    queue: Option<Vec<EntryJson>>,
    winners: Option<Vec<i64>>,
    seats: Vec<SeatJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowJson {
    seat: i64,
    card: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EffectJson {
    seat: i64,
    card: String,
    timing: String,
    stage: String,
    part: Option<i64>,
    left: Option<i64>,
    opponent: Option<i64>,
    chooser: Option<i64>,
    that: Option<String>,
    last: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstJson {
    line: String,
    card: String,
    owner: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InvokingJson {
    card: String,
    line: String,
    first: Option<FirstJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SubjectJson {
    card: String,
    line: Option<String>,
    seat: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryJson {
    seat: i64,
    card: String,
    timing: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForeignJson {
    card: String,
    owner: i64,
    copies: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatJson {
    in_game: Option<bool>,
    had_turn: Option<bool>,
    front: Option<Counts>,
    back: Option<Counts>,
    front_foreign: Option<Vec<ForeignJson>>,
    back_foreign: Option<Vec<ForeignJson>>,
    hand: Option<Counts>,
    hand_size: Option<Value>,
    known_hand: Option<Counts>,
    deck: Option<Counts>,
    deck_size: Option<Value>,
    discard: Option<Counts>,
    list: Option<Counts>,
    list_open: Option<Value>,
    used: Option<Vec<String>>,
    modifier: Option<i64>,
    survey: Option<Value>,
    loss: Option<i64>,
    pick: Option<String>,
}

impl Position {
    fn read(json: &Value) -> Result<Position, Found> {
        let mut fields = Fields::of(json);
        let turn_player = fields.need("turn_player", typed);
        let [turn, asked, questions, humans_played, extra_plays] =
            ["turn", "asked", "questions", "humans_played", "extra_plays"]
                .map(|name| fields.may(name, typed));
        let [stage, phase] = ["stage", "phase"].map(|name| fields.may(name, typed));
        let invoked = fields.may("invoked", typed);
        let names = ["plays_left", "invocation_left", "restricted"];
        let derived = names.map(|name| (name, fields.may(name, typed))).into();
        let [spent, activations] = ["spent", "activations"].map(|name| fields.may(name, typed));
        let window = fields.may("window", typed);
        let effect = fields.may("effect", typed);
        let invoking = fields.may("invoking", typed);
        let subject = fields.may("subject", typed);
        let queue = fields.may("queue", |path, value, found| items(path, value, found, typed));
        let winners = fields.may("winners", typed);
        let seats = fields.need("seats", |path, value, found| items(path, value, found, typed));
        let found = fields.finish();
        match (turn_player, seats) {
            (Some(turn_player), Some(seats)) if found.is_empty() => Ok(Position {
                turn,
                turn_player,
                stage,
                phase,
                asked,
                questions,
                humans_played,
                extra_plays,
                invoked,
                derived,
                spent,
                activations,
                window,
                effect,
                invoking,
                subject,
                queue,
                winners,
                seats,
            }),
            _ => Err(found),
        }
    }
}

impl Graven {
    /// Reads a position and plays on until somebody must choose or the game is over.
    pub(super) fn load_position(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let position = Position::read(json)?;
        let mut reader = Reader { game: self, turn: None, found: Vec::new() };
        let mut state = reader.read(&position);
        let mut found = reader.found;
        if found.is_empty() {
            found = self.table_problems(&state);
        }
        if found.is_empty() {
            self.agreement(&state, &position, &mut found);
        }
        if !found.is_empty() {
            return Err(found);
        }
        if !state.phase.is_over() {
            let mut cx = Context { rng, log: &mut Silent, queued: 0 };
            self.go_on(&mut state, &mut cx);
        }
        Ok(state)
    }

    /// What follows from the rest and was given.
    fn agreement(&self, state: &State, position: &Position, found: &mut Found) {
        let own = self.state_json(state, None);
        for (name, given) in &position.derived {
            if let Some(given) = given {
                found.extend(difference(name, given, &own[*name]));
            }
        }
        for (at, seat) in position.seats.iter().enumerate() {
            let given = [
                ("hand_size", &seat.hand_size),
                ("deck_size", &seat.deck_size),
                ("list_open", &seat.list_open),
                ("survey", &seat.survey),
            ];
            for (name, given) in given {
                let Some(given) = given else { continue };
                found.extend(difference(&format!("seats[{at}].{name}"), given, &own["seats"][at][name]));
            }
        }
        // What is asked, before what has a single answer is answered.
        let expected = self.question_of(state);
        let phase = expected.filter(|_| !state.phase.is_over()).map(|(phase, _)| phase.name());
        let seat = expected.map_or(NONE, |(_, seat)| if state.phase.is_over() { NONE } else { seat });
        if position.phase.is_some() && position.phase.as_deref() != phase && !state.phase.is_over() {
            let message = match phase {
                Some(phase) => format!("`{phase}` is asked, by what else the position says"),
                None => "nothing is asked yet, by what else the position says: leave it out".into(),
            };
            found.push(Problem::new("phase", message));
        } else if position.asked.is_some_and(|asked| seat == NONE || asked != i64::from(seat)) {
            let who = if seat == NONE { "no single player".into() } else { format!("player {seat}") };
            found.push(Problem::new("asked", format!("{who} is asked, by what else the position says")));
        }
    }
}

/// Turns the JSON form into a state and collects what is wrong with it.
struct Reader<'a> {
    game: &'a Graven,
    /// Turns ended, if the position says so.
    turn: Option<u16>,
    found: Found,
}

impl Reader<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    fn read(&mut self, position: &Position) -> State {
        let game = self.game;
        let mut s = game.empty_table();
        s.turns = self.number("turn", position.turn, u16::MAX.into()) as u16;
        self.turn = position.turn.map(|_| s.turns);
        s.turn_player = self.seat("turn_player", Some(position.turn_player));
        s.questions = self.number("questions", position.questions, u16::MAX.into()) as u16;
        s.humans = self.number("humans_played", position.humans_played, 255) as u8;
        s.extra = self.number("extra_plays", position.extra_plays, 255) as u8;
        s.invoked = position.invoked.unwrap_or(false);
        s.stage =
            self.word("stage", position.stage.as_deref(), &Stage::ALL.map(|x| (x.name(), x)), Stage::Play);
        let phases = Phase::ALL.map(|x| (x.name(), x));
        s.phase = self.word("phase", position.phase.as_deref(), &phases, Phase::Play);
        if !s.phase.is_over() {
            s.phase = if s.stage == Stage::Build { Phase::Build } else { Phase::Play };
        }
        s.spent = self.counts("spent", position.spent.as_ref());
        s.activations = self.counts("activations", position.activations.as_ref());
        s.in_game = 0;
        let count = position.seats.len();
        if count != game.players {
            self.wrong("seats", format!("{} for {} players", counted(count, "seat"), game.players));
            return s;
        }
        for (at, seat) in position.seats.iter().enumerate() {
            self.player(at, seat, &mut s);
        }
        self.pending(position, &mut s);
        for (at, seat) in position.winners.iter().flatten().enumerate() {
            let path = format!("winners[{at}]");
            let seat = self.seat(&path, Some(*seat));
            if seat != NONE && s.winners >> seat & 1 != 0 {
                self.wrong(path, format!("{seat} is there twice"));
            } else if seat != NONE && s.phase != Phase::Cut {
                s.winners |= 1 << seat;
            }
        }
        if s.phase == Phase::Cut && position.winners.is_some() {
            // Those in the game share: no part of the state.
            let in_game = (0..game.players as u8).filter(|&seat| s.plays(seat)).map(i64::from);
            if !in_game.eq(position.winners.iter().flatten().copied()) {
                self.wrong("winners", "at the limit of turns everybody in the game, in ascending order");
            }
        }
        if position.turn.is_none() && s.stage != Stage::Build && self.found.is_empty() {
            s.turns = game.least_turns(&s);
        }
        // Open lists are the cards that are there; hidden ones at least what is visible.
        for (at, seat) in position.seats.iter().enumerate() {
            let number = at as u8;
            if s.stage == Stage::Build || seat.list.is_some() || !self.found.is_empty() {
                continue;
            }
            let owned = Graven::owned(s.player(number), s.fielded(number));
            s.players[at].list = if game.is_open(number) { owned } else { s.visible(number) };
        }
        s
    }

    /// What is being resolved and what waits.
    fn pending(&mut self, position: &Position, s: &mut State) {
        if let Some(window) = &position.window {
            s.window = Some((
                self.seat("window.seat", Some(window.seat)),
                self.kind("window.card", Some(&window.card)),
            ));
        }
        if let Some(effect) = &position.effect {
            s.effect = Some(Running {
                seat: self.seat("effect.seat", Some(effect.seat)),
                kind: self.kind("effect.card", Some(&effect.card)),
                timing: {
                    let words = Timing::ALL.map(|timing| (timing.name(), timing));
                    self.word("effect.timing", Some(&effect.timing), &words, Timing::Enter)
                },
                stage: self.word("effect.stage", Some(&effect.stage), &STAGES, 0),
                part: self.number("effect.part", effect.part, 9) as u8,
                left: self.number("effect.left", effect.left, 9) as u8,
                opponent: self.seat("effect.opponent", effect.opponent),
                chooser: self.seat("effect.chooser", effect.chooser),
                that: self.kind("effect.that", effect.that.as_deref()),
                last: self.kind("effect.last", effect.last.as_deref()),
            });
        }
        if let Some(invoking) = &position.invoking {
            let first = invoking.first.as_ref().map(|first| {
                let line = self.line("invoking.first.line", Some(&first.line));
                let kind = self.kind("invoking.first.card", Some(&first.card));
                (line, kind, self.seat("invoking.first.owner", Some(first.owner)))
            });
            let kind = self.kind("invoking.card", Some(&invoking.card));
            s.invoking =
                Some(Invoking { kind, line: self.line("invoking.line", Some(&invoking.line)), first });
        }
        if let Some(subject) = &position.subject {
            s.meant = Some(Meant {
                seat: self.seat("subject.seat", subject.seat),
                line: self.line("subject.line", subject.line.as_deref()),
                kind: self.kind("subject.card", Some(&subject.card)),
            });
        }
        for (at, entry) in position.queue.iter().flatten().enumerate() {
            let path = format!("queue[{at}]");
            if at >= QUEUE {
                return self.wrong(path, format!("at most {QUEUE} wait"));
            }
            let what = self.word(&format!("{path}.timing"), Some(&entry.timing), &WHATS, WHATS[0].1);
            let kind = self.kind(&format!("{path}.card"), Some(&entry.card));
            s.queue.push(Entry { seat: self.seat(&format!("{path}.seat"), Some(entry.seat)), kind, what });
        }
        if s.stage == Stage::Survey && !s.phase.is_over() {
            // The windows go on with who is asked or answers.
            let asked = self.seat("asked", position.asked);
            s.ward = s.effect.map_or(asked, |running| running.seat);
            if s.ward == NONE {
                s.ward = s.turn_player;
            }
        }
    }

    fn player(&mut self, at: usize, json: &SeatJson, s: &mut State) {
        let path = |name: &str| format!("seats[{at}].{name}");
        let seat = at as u8;
        s.in_game |= u8::from(json.in_game.unwrap_or(true)) << seat;
        s.had_turn |= u8::from(json.had_turn.unwrap_or_else(|| self.had_turn(s, seat))) << seat;
        let mut player = Player::EMPTY;
        player.hand = self.counts(&path("hand"), json.hand.as_ref());
        player.deck = self.counts(&path("deck"), json.deck.as_ref());
        player.discard = self.counts(&path("discard"), json.discard.as_ref());
        player.known = self.counts(&path("known_hand"), json.known_hand.as_ref());
        player.list = self.counts(&path("list"), json.list.as_ref());
        let modifier = json.modifier.unwrap_or(0);
        if !(-30_000..=30_000).contains(&modifier) {
            self.wrong(path("modifier"), format!("{modifier}; allowed: -30000 to 30000"));
        }
        player.modifier = modifier.clamp(-30_000, 30_000) as i16;
        player.loss = self.number(&path("loss"), json.loss, u16::MAX.into()) as u16;
        player.pick = self.kind(&path("pick"), json.pick.as_deref());
        for (i, id) in json.used.iter().flatten().enumerate() {
            let path = path(&format!("used[{i}]"));
            let kind = self.kind(&path, Some(id));
            let bit = if kind == NONE { 0 } else { 1 << kind };
            if player.used & bit != 0 {
                self.wrong(path, "is there twice");
            }
            player.used |= bit;
        }
        s.players[at] = player;
        let lines = [(&json.front, &json.front_foreign), (&json.back, &json.back_foreign)];
        for (line, (own, foreign)) in lines.into_iter().enumerate() {
            let name = LINES[line];
            *s.place(seat, line, seat) = self.counts(&path(name), own.as_ref());
            for (i, card) in foreign.iter().flatten().enumerate() {
                let path = path(&format!("{name}_foreign[{i}]"));
                let kind = self.kind(&format!("{path}.card"), Some(&card.card));
                let owner = self.seat(&format!("{path}.owner"), Some(card.owner));
                let copies = card.copies.unwrap_or(1);
                if kind == NONE || owner == NONE {
                    continue;
                }
                let place = s.place(seat, line, owner);
                let together = copies.saturating_add(place.count(kind).into());
                if owner == seat || !(1..=3).contains(&together) || copies < 1 {
                    self.wrong(path, "the owner is another player, of 1 to 3 copies");
                    continue;
                }
                *place = place.with(kind, together as u8);
            }
        }
    }

    /// Whether a player has had a turn, if that is not said: in the first round by the number of turns, afterwards everybody.
    fn had_turn(&self, s: &State, seat: u8) -> bool {
        if s.stage == Stage::Build || s.turn_player == NONE {
            return false;
        }
        let Some(turns) = self.turn.filter(|&turns| turns < self.game.players as u16) else { return true };
        let first = self
            .game
            .options
            .first
            .unwrap_or_else(|| self.game.relative(s.turn_player, self.game.players - usize::from(turns)));
        self.game.distance(first, seat) <= usize::from(turns)
    }

    /// Counts by id.
    fn counts(&mut self, path: &str, given: Option<&Counts>) -> Cards {
        let (mut cards, mut seen) = (Cards::EMPTY, 0u64);
        for (id, &count) in given.into_iter().flatten() {
            let path = format!("{path}.{id}");
            let kind = self.kind(&path, Some(id));
            let count = self.number(&path, Some(count), 3) as u8;
            if kind == NONE {
                continue;
            }
            // Two spellings of one id would count once.
            if seen >> kind & 1 != 0 {
                self.wrong(path, "is there twice (upper and lower case are alike)");
            }
            seen |= 1 << kind;
            cards = cards.with(kind, count);
        }
        cards
    }

    fn number(&mut self, path: &str, given: Option<i64>, most: i64) -> i64 {
        let number = given.unwrap_or(0);
        if !(0..=most).contains(&number) {
            self.wrong(path, format!("{number}; allowed: 0 to {most}"));
        }
        number.clamp(0, most)
    }

    /// A seat; `NONE` if none is given.
    fn seat(&mut self, path: &str, given: Option<i64>) -> u8 {
        let Some(seat) = given else { return NONE };
        if (0..self.game.players as i64).contains(&seat) {
            return seat as u8;
        }
        self.wrong(path, format!("{seat}; allowed: 0 to {}", self.game.players - 1));
        NONE
    }

    /// A kind; `NONE` if none is given.
    fn kind(&mut self, path: &str, given: Option<&str>) -> u8 {
        let Some(id) = given else { return NONE };
        let found = self.game.kind(id);
        if found.is_none() {
            self.wrong(path, "no such card");
        }
        found.unwrap_or(NONE)
    }

    fn line(&mut self, path: &str, given: Option<&str>) -> u8 {
        self.word(path, given, &[(LINES[0], 0), (LINES[1], 1)], NONE)
    }

    fn word<T: Copy>(&mut self, path: &str, given: Option<&str>, words: &[(&str, T)], default: T) -> T {
        let Some(given) = given else { return default };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == given) {
            return *value;
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.wrong(path, format!("got `{}`; allowed: {}", super::content::quoted(given), known.join(", ")));
        default
    }
}
