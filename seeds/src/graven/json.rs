//! The JSON form of a state: each field is declared once. The declaration writes, reads and checks it.

use super::Graven;
use super::rules::Play;
use super::state::{
    COST, Cards, DECK, Entry, FIRST, Invoking, LINES, MAX_KINDS, MAX_PLAYERS, MAY, Meant, NONE, Phase,
    PlayerState, QUEUE, Running, Stage, State, Timing, What, Zone, bits,
};
use playmat_core::document::{
    Document, Form, Names, counts, flag, name, name_or_null, number, number_or_null, number_set, redacted,
    with,
};
use playmat_core::prelude::*;

/// Names of what waits in the queue.
const WHATS: [(&str, What); 3] =
    [("enter", What::Enter), ("discarded", What::Discarded), ("destroyed", What::Destroyed)];
/// Names of the stages of an effect.
const STAGES: [(&str, u8); 5] =
    [("may", MAY), ("cost", COST), ("step1", FIRST), ("step2", FIRST + 1), ("step3", FIRST + 2)];
/// Turns of a position that does not say how many have ended; more than an episode can have.
const UNKNOWN: u16 = u16::MAX;

/// What a document says about the decision that is due, and which fields it has.
#[derive(Debug)]
struct Given {
    /// What is decided; nothing for a viewer who may not know it.
    phase: Option<Phase>,
    /// Who decides.
    decider: u8,
    /// Bit p: the list of player p is given.
    lists: u8,
}

/// Names of cards and lines, as the fields of a document need them.
struct Words<'a> {
    kinds: Names<'a, u8>,
    indices: Names<'a, usize>,
    lines: Names<'a, u8>,
}

/// The form for a viewer. Of a window it says only to its player who decides, and about what.
pub(super) fn describe(game: &Graven, state: &State, viewer: Option<Player>) -> Value {
    let is_due = state.decider != NONE || state.phase.is_over() || state.phase == Phase::Build;
    let is_shown = !game.is_secret(state) || Zone::Decision(Player(state.decider)).is_seen_by(viewer);
    let phase = Some(state.phase).filter(|_| is_due && is_shown);
    let mut given = Given { phase, decider: state.decider, lists: 0 };
    Document::write(viewer, |doc| game.declare(&mut state.clone(), &mut given, doc))
}

/// Reads a position and plays on until somebody must choose or the game is over. What is not mentioned is empty; everybody is in
/// the game and has had a turn, and it is the Play Phase.
pub(super) fn restore(game: &Graven, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
    let mut state = State { turns: UNKNOWN, stage: Stage::Play, ..game.empty_state() };
    let mut given = Given { phase: None, decider: NONE, lists: 0 };
    let mut reading = Document::read(json, |doc| game.declare(&mut state, &mut given, doc));
    if reading.is_fine() {
        game.fill_in(&mut state, &given);
        reading.also(game.zone_problems(&state));
    }
    if reading.is_fine() {
        reading.compare(&describe(game, &state, None));
        reading.also(game.decision_problem(&state, &given));
    }
    reading.finish()?;
    Play { game, rng, log: &mut Silent, queued: 0 }.go_on(&mut state);
    Ok(state)
}

impl Graven {
    fn declare(&self, s: &mut State, given: &mut Given, doc: &mut Document<'_>) {
        let ids = || self.cards.iter().map(|card| card.id.as_str());
        let words = Words {
            kinds: Names::new("card", ids().zip(0..)).ignoring_case(),
            indices: Names::new("card", ids().zip(0..)).ignoring_case(),
            lines: Names::new("line", LINES.into_iter().zip(0..)),
        };
        let stages = Names::new("stage", Stage::WORDS);
        let phases = Names::new("phase", Phase::WORDS);
        let players = 0..=self.players as i64 - 1;
        let whole = *s;
        doc.optional("turn", number_or_null(&mut s.turns, UNKNOWN, 0..=i64::from(UNKNOWN) - 1));
        doc.field("turn_player", number(&mut s.turn_player, players.clone()));
        doc.optional("stage", name(&mut s.stage, &stages));
        doc.optional("phase", name_or_null(&mut given.phase, &phases));
        doc.complete(|doc| {
            doc.optional("current_player", number_or_null(&mut given.decider, NONE, players.clone()));
        });
        doc.optional_zone(
            "questions",
            Zone::TurnDecisions,
            number(&mut s.turn_decisions, 0..=u16::MAX.into()),
        );
        doc.for_viewer("to_act", |viewer| self.acting(&whole).contains(viewer).into());
        doc.optional("humans_played", number(&mut s.humans, 0..=u8::MAX.into()));
        doc.optional("extra_plays", number(&mut s.extra, 0..=u8::MAX.into()));
        doc.optional("invoked", flag(&mut s.invoked));
        doc.derived("plays_left", || self.plays_left(&whole).into());
        doc.derived("invocation_left", || self.may_invoke(&whole).into());
        doc.derived("restricted", || self.restricted(&whole).into());
        doc.optional("spent", cards(&mut s.spent, &words.indices));
        doc.optional("activations", cards(&mut s.activations, &words.indices));
        self.declare_pending(s, &words, doc);
        if given.phase == Some(Phase::Cut) {
            doc.derived("winners", || self.winners(&whole).iter().map(|player| player.0).collect());
        } else {
            doc.optional("winners", number_set(&mut s.winners, players));
        }
        doc.each("players", self.players, "players", |i, doc| {
            self.declare_player(s, &whole, Player(i as u8), given, &words, doc);
        });
    }

    /// What is being resolved and what waits.
    fn declare_pending(&self, s: &mut State, words: &Words<'_>, doc: &mut Document<'_>) {
        let players = 0..=self.players as i64 - 1;
        let is_shown = |(player, _): (u8, u8)| Zone::Decision(Player(player)).is_seen_by(doc.viewer());
        let (is_open, mut window) = (s.window.is_some_and(is_shown), s.window.unwrap_or((NONE, NONE)));
        let is_open = doc.object("window", is_open, |doc| {
            doc.field("player", number(&mut window.0, players.clone()));
            doc.field("card", named(&mut window.1, &words.kinds));
        });
        let mut effect = s.effect.unwrap_or(Running::NONE);
        let is_running = doc.object("effect", s.effect.is_some(), |doc| {
            let timings = Names::new("timing", Timing::WORDS);
            let stages = Names::new("stage", STAGES);
            doc.field("player", number(&mut effect.player, players.clone()));
            doc.field("card", named(&mut effect.kind, &words.kinds));
            doc.field("timing", name(&mut effect.timing, &timings));
            doc.field("stage", named(&mut effect.stage, &stages));
            doc.optional("part", number(&mut effect.part, 0..=9));
            doc.optional("left", number(&mut effect.left, 0..=9));
            doc.optional("opponent", number_or_null(&mut effect.opponent, NONE, players.clone()));
            doc.optional("chooser", number_or_null(&mut effect.chooser, NONE, players.clone()));
            doc.optional("that", named(&mut effect.that, &words.kinds));
            doc.optional("last", named(&mut effect.last, &words.kinds));
        });
        let mut invoking = s.invoking.unwrap_or(Invoking { kind: NONE, line: NONE, first: None });
        let is_invoking = doc.object("invoking", s.invoking.is_some(), |doc| {
            doc.field("card", named(&mut invoking.kind, &words.kinds));
            doc.field("line", named(&mut invoking.line, &words.lines));
            let (has_first, mut first) =
                (invoking.first.is_some(), invoking.first.unwrap_or((NONE, NONE, NONE)));
            let has_first = doc.object("first", has_first, |doc| {
                doc.field("line", named(&mut first.0, &words.lines));
                doc.field("card", named(&mut first.1, &words.kinds));
                doc.field("owner", number(&mut first.2, players.clone()));
            });
            invoking.first = has_first.then_some(first);
        });
        let mut meant = s.meant.unwrap_or(Meant { player: NONE, line: NONE, kind: NONE });
        let is_meant = doc.object("subject", s.meant.is_some(), |doc| {
            doc.field("card", named(&mut meant.kind, &words.kinds));
            doc.optional("line", named(&mut meant.line, &words.lines));
            doc.optional("player", number_or_null(&mut meant.player, NONE, players.clone()));
        });
        let (mut queue, whats) = (s.queue.to_vec(), Names::new("trigger", WHATS));
        doc.list("queue", &mut queue, QUEUE, Entry::default, |entry, doc| {
            doc.field("player", number(&mut entry.player, players.clone()));
            doc.field("card", named(&mut entry.kind, &words.kinds));
            doc.field("timing", name(&mut entry.what, &whats));
        });
        if doc.is_reading() {
            s.window = is_open.then_some(window);
            s.effect = is_running.then_some(effect);
            s.invoking = is_invoking.then_some(invoking);
            s.meant = is_meant.then_some(meant);
            queue.into_iter().for_each(|entry| s.queue.push(entry));
        }
    }

    /// A player: cards, marks, and the lines of the field.
    fn declare_player(
        &self,
        s: &mut State,
        whole: &State,
        player: Player,
        given: &mut Given,
        words: &Words<'_>,
        doc: &mut Document<'_>,
    ) {
        let (at, viewer, ids) = (player.index(), doc.viewer(), &words.indices);
        if doc.is_reading() {
            s.had_turn |= u8::from(self.has_had_turn(s, player.0)) << at;
        }
        doc.optional("in_game", bit(&mut s.in_game, at));
        doc.optional("had_turn", bit(&mut s.had_turn, at));
        let mut field = *s.field;
        let [front, back] = &mut field[at];
        doc.optional("front", cards(&mut front[at], ids));
        doc.optional("back", cards(&mut back[at], ids));
        self.declare_foreign("front_foreign", front, player, words, doc);
        self.declare_foreign("back_foreign", back, player, words, doc);
        s.field = field.into();
        let own = &mut s.players[at];
        let PlayerState { hand, deck, .. } = *own;
        let null = || Value::Null;
        doc.optional("hand", redacted(cards(&mut own.hand, ids), Zone::Hand(player), viewer, null));
        doc.derived("hand_size", || hand.total().into());
        doc.optional("known_hand", cards(&mut own.known, ids));
        doc.optional("deck", redacted(cards(&mut own.deck, ids), Zone::Deck(player), viewer, null));
        doc.derived("deck_size", || deck.total().into());
        doc.optional("discard", cards(&mut own.discard, ids));
        let list = with(
            &mut own.list,
            |list| cards(&mut { *list }, ids).write(),
            |list, json, at| {
                cards(list, ids).read(json, at);
                given.lists |= 1 << player.0;
            },
        );
        doc.optional("list", list);
        doc.derived("list_open", || (whole.stage != Stage::Build && self.is_open(player.0)).into());
        doc.optional("used", set(&mut own.used, &words.kinds));
        doc.optional("modifier", number(&mut own.modifier, -30_000..=30_000));
        doc.derived("survey", || self.survey_score(whole, player.0).into());
        doc.optional("loss", number(&mut own.loss, 0..=u16::MAX.into()));
        // A pick counts for its own player, too, when its round is complete.
        doc.complete(|doc| {
            doc.optional("pick", named(&mut own.pick, &words.kinds));
        });
    }

    /// Cards of others on a line.
    fn declare_foreign(
        &self,
        name: &'static str,
        line: &mut [Cards; MAX_PLAYERS],
        player: Player,
        words: &Words<'_>,
        doc: &mut Document<'_>,
    ) {
        let others = (0..MAX_PLAYERS as u8).filter(|&owner| owner != player.0);
        let of = |owner: u8| line[usize::from(owner)].iter().map(move |(kind, copies)| (kind, owner, copies));
        let mut list: Vec<(u8, u8, u8)> = others.flat_map(of).collect();
        let most = (self.players - 1) * DECK as usize;
        doc.list(
            name,
            &mut list,
            most,
            || (NONE, NONE, 1),
            |(kind, owner, copies), doc| {
                doc.field("card", named(kind, &words.kinds));
                doc.field("owner", number(owner, 0..=self.players as i64 - 1));
                doc.optional("copies", number(copies, 1..=3));
                if !doc.is_reading() || *kind == NONE || *owner == NONE {
                    return;
                }
                let place = &mut line[usize::from(*owner)];
                let together = place.count(*kind) + *copies;
                if *owner == player.0 || together > 3 {
                    doc.problem("", "the owner is another player, of 1 to 3 copies");
                } else {
                    *place = place.with(*kind, together);
                }
            },
        );
    }

    /// Whether a player has had a turn, if that is not said: in the first round by the number of turns, afterwards everybody.
    fn has_had_turn(&self, s: &State, player: u8) -> bool {
        if s.stage == Stage::Build {
            return false;
        }
        if usize::from(s.turns) >= self.players {
            return true;
        }
        let turns = usize::from(s.turns);
        let first = self.options.first.unwrap_or_else(|| self.relative(s.turn_player, self.players - turns));
        self.distance(first, player) <= turns
    }

    /// Adds to a state that was read what follows from it and may be left out.
    fn fill_in(&self, s: &mut State, given: &Given) {
        s.phase = match given.phase {
            Some(phase) if phase.is_over() => phase,
            _ if s.stage == Stage::Build => Phase::Build,
            _ => Phase::Play,
        };
        if s.stage == Stage::Survey && !s.phase.is_over() {
            // The windows go on with the player who decides or answers.
            s.ward = s.effect.map_or(given.decider, |running| running.player);
            if s.ward == NONE {
                s.ward = s.turn_player;
            }
        }
        if s.turns == UNKNOWN {
            s.turns = if s.stage == Stage::Build { 0 } else { self.least_turns(s) };
        }
        // Open lists are the cards that are there; hidden ones at least what is visible.
        for player in (0..self.players as u8).filter(|player| given.lists >> player & 1 == 0) {
            if s.stage != Stage::Build {
                let owned = Graven::owned(s.player(player), s.fielded(player));
                s.player_mut(player).list = if self.is_open(player) { owned } else { s.visible(player) };
            }
        }
    }

    /// A decision that was given and does not follow from the state, before what has a single answer is answered.
    fn decision_problem(&self, s: &State, given: &Given) -> Option<Problem> {
        let due = self.decision_of(s).filter(|_| !s.phase.is_over());
        let (phase, player) = due.map_or((None, NONE), |(phase, player)| (Some(phase), player));
        if given.phase.is_some() && given.phase != phase && !s.phase.is_over() {
            let message = match phase {
                Some(phase) => format!("the decision is `{}`, by what else the position says", phase.name()),
                None => "nobody must decide yet, by what else the position says: leave it out".into(),
            };
            return Some(Problem::new("phase", message));
        }
        let who = if player == NONE { "no single player".into() } else { format!("player {player}") };
        let message = format!("{who} must decide, by what else the position says");
        (given.decider != NONE && given.decider != player).then(|| Problem::new("current_player", message))
    }
}

/// Cards by id; kinds of which there is none are left out.
fn cards<'a>(value: &'a mut Cards, ids: &'a Names<'a, usize>) -> impl Form + 'a {
    let copies = |cards: Cards| -> [u8; MAX_KINDS] { std::array::from_fn(|kind| cards.count(kind as u8)) };
    with(
        value,
        move |cards| counts(&mut copies(*cards), ids, &[3; MAX_KINDS], false).write(),
        move |cards, given, at| {
            let mut copies = [0; MAX_KINDS];
            counts(&mut copies, ids, &[3; MAX_KINDS], false).read(given, at);
            *cards = (0..).zip(copies).fold(Cards::EMPTY, |all, (kind, count)| all.with(kind, count));
        },
    )
}

/// The number of a thing by its name; `NONE` is `null`.
fn named<'a>(value: &'a mut u8, names: &'a Names<'a, u8>) -> impl Form + 'a {
    with(
        value,
        |value| (*value != NONE).then(|| names.name_of(*value)).into(),
        |value, given, at| *value = at.name(given, names).unwrap_or(*value),
    )
}

/// A set of cards as a list of ids without repetition.
fn set<'a>(value: &'a mut u64, kinds: &'a Names<'a, u8>) -> impl Form + 'a {
    with(
        value,
        |set| bits(*set).map(|kind| kinds.name_of(kind)).collect(),
        |set, given, at| {
            for (i, given) in at.list(given).into_iter().flatten().enumerate() {
                let mut at = at.entry(i);
                let Some(kind) = at.name(given, kinds) else { continue };
                if *set >> kind & 1 != 0 {
                    at.problem("is there twice");
                }
                *set |= 1 << kind;
            }
        },
    )
}

/// Whether a player belongs to a set.
fn bit(set: &mut u8, player: usize) -> impl Form + '_ {
    with(
        set,
        move |set| (set >> player & 1 != 0).into(),
        move |set, given, at| {
            if let Some(is_in) = at.flag(given) {
                *set = *set & !(1 << player) | u8::from(is_in) << player;
            }
        },
    )
}
