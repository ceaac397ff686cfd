//! The JSON form of a state (GR-R23): each field is declared once. The declaration writes, reads and checks it.

use super::Graft;
use super::content::Effect;
use super::state::{
    Counts, DECLINE_CODE, HAND, Hand, Kind, MAX_KINDS, MAX_ROW, Phase, Row, SHIP_CODE, SLOTS, State, Zone,
};
use super::text::{NO_CLAIM, SHIP_ID};
use super::validate::validate;
use playmat_core::document::{
    self, At, Document, Form, Names, counts, each, flag, name, name_set, number, one_of, players, with,
};
use playmat_core::prelude::*;

/// Stands in a state that is read for a set that is left out: it follows from the rest.
const LEFT_OUT: u8 = u8::MAX;

/// Names that the fields of a player hold.
struct Words<'a> {
    kinds: Names<'a, usize>,
    /// Codes of cards.
    cards: Names<'a, u8>,
    /// Codes of what may lie face down: cards and the ship card.
    face_down: Names<'a, u8>,
    types: Names<'a, u8>,
    /// Slots by their badge.
    slots: Names<'a, u8>,
    /// Codes of claims.
    claims: Names<'a, u8>,
}

/// The form for a viewer; complete without one.
pub(super) fn describe(game: &Graft, state: &State, viewer: Option<Player>) -> Value {
    Document::write(viewer, |doc| game.declare(&mut state.clone(), doc))
}

/// Reads a position. Unless it says who must decide, forced moves are made until somebody must choose or the game is over.
pub(super) fn restore(game: &Graft, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
    let empty = State { taken: LEFT_OUT, acting: Players(LEFT_OUT), ..State::default() };
    let declare = |state: &mut State, doc: &mut Document<'_>| game.declare(state, doc);
    let mut unfinished = empty.acting;
    let mut state = document::restore(json, empty, declare, |state, reading| {
        unfinished = state.acting;
        if state.taken == LEFT_OUT {
            state.taken = state.claimed_slots(game.players);
        }
        game.derive(state);
        if ![state.acting, Players(LEFT_OUT)].contains(&unfinished) {
            let left: Vec<u8> = state.acting.iter().map(|player| player.0).collect();
            reading.also([Problem::new("unfinished", format!("the choices leave {left:?}"))]);
        }
        if reading.is_fine() {
            reading.also(validate(game, state));
        }
    })?;
    if unfinished == Players(LEFT_OUT) {
        game.force(&mut state);
        game.play_on(&mut state, rng, &mut Silent);
    }
    Ok(state)
}

impl Graft {
    /// Forced moves of the players who must decide.
    fn force(&self, state: &mut State) {
        if state.phase == Phase::Replace {
            self.force_replacements(state, &mut Silent);
        }
        for player in state.bars.iter() {
            if state.cards[player.index()][0] == 0 {
                self.force_first(state, player, &mut Silent);
            }
        }
    }

    /// What follows from the fields of the JSON form: sizes, scores, badges on offer, who must decide.
    pub(super) fn derive(&self, state: &mut State) {
        let all = Player::all(self.players);
        let size = |counts: &Counts| counts.total().min(255) as u8;
        state.pile_size = size(&state.pile);
        state.secret = state.pile;
        for kind in 0..MAX_KINDS {
            state.secret.0[kind] = state.secret.0[kind].saturating_add(state.out.0[kind]);
        }
        for player in all.clone() {
            let at = player.index();
            for (kind, _) in state.hands[at].cards() {
                state.secret.0[kind.index()] = state.secret.0[kind.index()].saturating_add(1);
            }
            state.rows[at] = self.row_of(state.rows[at].codes(), &state.slots);
            state.compost_sizes[at] = size(&state.composts[at]);
            let rows: Vec<Row> =
                state.completed_rows(player).map(|codes| self.row_of(codes, &state.slots)).collect();
            let recycles = |code: &&u8| self.data(Kind::of_code(**code)).effect == Effect::Recycle;
            state.row_points[at] = rows.iter().map(|row| row.score).sum();
            state.recycles[at] = rows.iter().flat_map(Row::codes).filter(recycles).count() as u8;
            let shipped = state.shipped.contains(player);
            let may_claim = match state.phase {
                Phase::Claim => shipped || state.is_ending() && self.claims_at_end,
                Phase::Refill => !shipped,
                _ => false,
            };
            let met = rows.last().filter(|_| may_claim).map_or(0, |row| row.met);
            state.offers[at] = met & !state.own_slots(player);
        }
        let has_chosen = |player: &Player| {
            let at = player.index();
            match state.phase {
                Phase::Choose => state.cards[at][usize::from(state.bars.contains(*player))] != 0,
                Phase::Replant => state.replanting() != Some(*player),
                Phase::Replace => state.replacements[at] != 0 || !state.shippers.contains(*player),
                Phase::Claim | Phase::Refill => state.claiming[at] != 0 || state.offers[at] == 0,
                Phase::End => true,
            }
        };
        state.acting = all.filter(|player| !has_chosen(player)).collect();
    }

    /// The form of a state. A viewer's form holds nothing of what others have chosen, nor whether they have.
    pub(super) fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let phases = Names::new("phase", Phase::ALL.map(|phase| (phase.name(), phase)));
        let badges = Names::new("badge", self.badge_texts.iter().map(|badge| badge.id.as_str()).zip(0..));
        doc.field("turn", number(&mut state.turn, 0..=self.turns() as i64 - 1));
        doc.optional("phase", name(&mut state.phase, &phases));
        let slots = each(
            &mut state.slots,
            "slots",
            |badge| badges.name_of(*badge).into(),
            |badge, given, at| name(badge, &badges).read(given, at),
        );
        doc.field("badges", slots);
        let words = self.words(state.slots.map(|badge| badges.name_of(badge)));
        doc.optional("taken", name_set(&mut state.taken, &words.slots));
        let (kinds, deck) = (&words.kinds, &self.deck.0);
        doc.complete(|doc| {
            doc.field("pile", counts(&mut state.pile.0, kinds, deck, false));
            doc.optional("out", counts(&mut state.out.0, kinds, deck, false));
        });
        doc.for_viewer("pile_size", |_| state.pile_size.into());
        doc.for_viewer("unseen", |viewer| {
            counts(&mut self.unseen(state, viewer).0, kinds, deck, false).write()
        });
        doc.each("players", self.players, "players", |i, doc| {
            self.declare_player(state, Player(i as u8), &words, doc);
        });
        doc.optional("shippers", players(&mut state.shippers, self.players));
        doc.optional("shipped", players(&mut state.shipped, self.players));
        let shippers = state.shippers;
        if doc.is_reading() && matches!(state.phase, Phase::Claim | Phase::Refill | Phase::End) {
            state.replaced = shippers;
        }
        let replaced = with(
            &mut state.replaced,
            |replaced| (!replaced.is_empty()).into(),
            |replaced, given, at| match at.flag(given) {
                Some(true) if shippers.is_empty() => at.problem("nobody has revealed a ship card"),
                Some(true) => *replaced = shippers,
                Some(false) => *replaced = Players::EMPTY,
                None => {}
            },
        );
        doc.optional("replaced", replaced);
        doc.complete(|doc| {
            doc.optional("unfinished", players(&mut state.acting, self.players));
        });
    }

    /// One player of it. The player's own form has a bar that it has taken back in the hand and not in the row.
    fn declare_player(&self, state: &mut State, player: Player, words: &Words<'_>, doc: &mut Document<'_>) {
        let (at, choice) = (player.index(), Zone::Choice(player));
        let is_own = doc.viewer() == Some(player);
        let is_choosing = state.phase == Phase::Choose;
        let (slots, longest) = (state.slots, self.turns().min(MAX_ROW));
        let mut hand = if is_own { self.own_hand(state, player) } else { state.hands[at] };
        let mut row = if is_own { self.own_row(state, player) } else { state.rows[at] };
        let mut has_bar = state.bars.contains(player);
        let (mut chosen, mut waiting) = match (state.phase, state.cards[at]) {
            (Phase::Choose, cards) => (cards, 0),
            (_, [_, waiting]) => ([0; 2], waiting),
        };
        let cards = &words.cards;
        let held = with(
            &mut hand,
            |hand| ids(hand.cards().map(|card| card.0.code()), cards),
            |hand, given, at| {
                for code in read_cards(given, at, cards, HAND) {
                    hand.draw(Kind::of_code(code), 1 << player.0);
                }
            },
        );
        doc.zone("hand", Zone::Hand(player), held);
        if !is_own {
            doc.optional("known", self.known(&mut hand, player, doc.viewer(), cards));
            doc.for_viewer("hidden", |viewer| hand.hidden_from(viewer).into());
        }
        let placed = with(
            &mut row,
            |row| ids(row.codes().iter().copied(), cards),
            |row, given, at| *row = self.row_of(&read_cards(given, at, cards, longest), &slots),
        );
        doc.field("row", placed);
        doc.field("compost", counts(&mut state.composts[at].0, &words.kinds, &self.deck.0, false));
        let completed = with(
            &mut *state,
            |state| state.completed_rows(player).map(|row| ids(row.iter().copied(), cards)).collect(),
            |state, given, place| {
                let mut from = 0;
                for (i, given) in place.list(given).into_iter().flatten().enumerate() {
                    let codes = read_cards(given, &mut place.entry(i), cards, longest - from);
                    if *given == json!([]) {
                        place.entry(i).problem("an empty row is never completed");
                    }
                    let to = from + codes.len();
                    state.completed[at][from..to].copy_from_slice(&codes);
                    state.ends[at] |= if to > from { 1 << (to - 1) } else { 0 };
                    from = to;
                }
            },
        );
        doc.field("completed", completed);
        doc.optional("claims", self.claims(&mut state.claims[at], slots, &words.slots));
        doc.optional("waiting", code(&mut waiting, cards));
        doc.optional("picks", number(&mut state.picks[at], 0..=MAX_KINDS as i64 - 1));
        doc.derived("forbidden", || name_set(&mut row.forbidden.clone(), &words.types).write());
        doc.derived("row_score", || row.score.into());
        doc.derived("row_badges", || name_set(&mut row.met.clone(), &words.slots).write());
        doc.derived("points", || state.points(player).into());
        doc.optional_zone("take_bar", choice, flag(&mut has_bar));
        let face_down = with(
            &mut chosen,
            |chosen| ids(chosen.iter().copied().filter(|&code| code != 0), &words.face_down),
            |chosen, given, at| {
                let codes = read_cards(given, at, &words.face_down, 1 + usize::from(has_bar));
                chosen[..codes.len()].copy_from_slice(&codes);
            },
        );
        doc.optional_zone("chosen", choice, face_down);
        doc.optional_zone("replacement", choice, code(&mut state.replacements[at], cards));
        doc.optional_zone("claim", choice, code(&mut state.claiming[at], &words.claims));
        if doc.is_reading() {
            if is_choosing && waiting != 0 {
                doc.problem("waiting", "nothing is revealed yet");
            }
            if !is_choosing && chosen != [0; 2] {
                doc.problem("chosen", "nothing lies face down in this phase");
            }
            state.cards[at] = if is_choosing { chosen } else { [0, waiting] };
            (state.hands[at], state.rows[at]) = (hand, row);
            if has_bar {
                state.bars.insert(player);
            }
        }
    }

    /// Names of cards, types and claims, with the badges in play.
    fn words<'a>(&'a self, badges: [&'a str; SLOTS]) -> Words<'a> {
        let ids = || self.texts.iter().map(|card| card.id.as_str());
        let types = self.types.iter().map(|ty| ty.id.as_str());
        Words {
            kinds: Names::new("card", ids().zip(0..)),
            cards: Names::new("card", ids().zip(1..)),
            face_down: Names::new("card", ids().zip(1..).chain([(SHIP_ID, SHIP_CODE)])),
            types: Names::new("type", types.zip(0..)),
            slots: Names::new("badge in play", badges.into_iter().zip(0..)),
            claims: Names::new(
                "badge in play",
                badges.into_iter().zip(1..).chain([(NO_CLAIM, DECLINE_CODE)]),
            ),
        }
    }

    /// What a viewer knows of a hand, or what each other player knows of it.
    fn known<'a>(
        &'a self,
        hand: &'a mut Hand,
        owner: Player,
        viewer: Option<Player>,
        cards: &'a Names<'a, u8>,
    ) -> impl Form + 'a {
        let others = move || Player::all(self.players).filter(move |&other| other != owner);
        let known_to = |hand: &Hand, viewer: Player| {
            ids(hand.cards().filter(|card| card.1 >> viewer.0 & 1 != 0).map(|card| card.0.code()), cards)
        };
        let write = move |hand: &Hand| match viewer {
            Some(viewer) => known_to(hand, viewer),
            None => others().map(|other| (other.to_string(), known_to(hand, other))).collect(),
        };
        with(hand, write, move |hand, given, at| {
            for (name, given) in at.object(given).into_iter().flatten() {
                let mut at = at.field(name);
                let Some(other) = others().find(|other| other.to_string() == *name) else {
                    at.problem("names no other player");
                    continue;
                };
                for (i, given) in at.list(given).into_iter().flatten().enumerate() {
                    let mut at = at.entry(i);
                    let Some(kind) = at.name(given, cards).map(Kind::of_code) else { continue };
                    // The best known card of the kind that this player does not know yet.
                    let is_new = |&i: &usize| hand.kinds[i] == kind && hand.known[i] >> other.0 & 1 == 0;
                    match (0..hand.size()).find(is_new) {
                        Some(i) => hand.known[i] |= 1 << other.0,
                        None => at
                            .problem(format!("`{}` is not in the hand so often", cards.name_of(kind.code()))),
                    }
                }
            }
        })
    }

    /// What each badge has earned that was claimed.
    fn claims<'a>(
        &'a self,
        claims: &'a mut [u8; SLOTS],
        badges: [u8; SLOTS],
        slots: &'a Names<'a, u8>,
    ) -> impl Form + 'a {
        let write = |claims: &[u8; SLOTS]| {
            let claimed = (0u8..).zip(claims).filter(|(_, value)| **value != 0);
            claimed.map(|(slot, &value)| (slots.name_of(slot), value)).collect()
        };
        with(claims, write, move |claims, given, at| {
            for (id, given) in at.object(given).into_iter().flatten() {
                let mut at = at.field(id);
                match slots.find(id).map(usize::from) {
                    Some(slot) => {
                        let [high, low] = self.values[usize::from(badges[slot])];
                        let allowed = format!("{high} or {low}");
                        one_of(&mut claims[slot], [high, low], Value::from, &allowed).read(given, &mut at);
                    }
                    None => at.problem(slots.refusal(id)),
                }
            }
        })
    }
}

/// Cards by their codes, as a list of ids.
fn ids(codes: impl Iterator<Item = u8>, names: &Names<'_, u8>) -> Value {
    codes.map(|code| names.name_of(code)).collect()
}

/// The codes of a list of at most `most` ids.
fn read_cards(given: &Value, at: &mut At<'_>, names: &Names<'_, u8>, most: usize) -> Vec<u8> {
    let list = at.list(given).unwrap_or_default();
    if list.len() > most {
        at.problem(format!("{} cards; at most {most}", list.len()));
        return Vec::new();
    }
    list.iter().enumerate().filter_map(|(i, id)| at.entry(i).name(id, names)).collect()
}

/// The name of a code; 0 is `null`.
fn code<'a>(code: &'a mut u8, names: &'a Names<'a, u8>) -> impl Form + 'a {
    with(
        code,
        |code| (*code != 0).then(|| names.name_of(*code)).into(),
        |code, given, at| name(code, names).read(given, at),
    )
}
