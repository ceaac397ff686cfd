//! What a player sees, as bytes: the layout and the only code that writes it, from bit planes. `playmat info graven` prints the layout.

use super::Graven;
use super::cards::Moment;
use super::state::{BACK, COST, Cards, FIRST, FRONT, MAY, NONE, Phase, Stage, State, What, Zone};
use playmat_core::prelude::*;

/// The layout and where its parts begin.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) layout: Layout,
    at: Parts,
    /// Whether the compiler knows the places of the parts: those of a content with [`KINDS`] kinds.
    pub(super) is_builtin: bool,
    /// The mask of [`spread32`], which the compiler must not know.
    nibble: u32,
    /// 2^32 divided by the number of turns, rounded up: for the clock, without a division.
    turn: u64,
}

/// First bytes of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    source: usize,
    timing: usize,
    stage: usize,
    remaining: usize,
    subject: usize,
    subject_line: usize,
    subject_player: usize,
    losses: usize,
    queued: usize,
    /// Hand, deck and activations left, one after the other.
    hand: usize,
    budget: usize,
    by_player: usize,
    /// Bytes of a player; its nine counts by kind come first, then nine single bytes.
    each: usize,
    kinds: usize,
}

impl Parts {
    /// The places with the built-in content. As the compiler knows them, a block of a player is written without places that are added up
    /// and compared with its end.
    #[inline(always)]
    const fn builtin(players: usize) -> Parts {
        let kinds = KINDS;
        let source = Phase::DECISIONS;
        let subject = source + kinds + 5 + 4 + 1;
        let subject_player = subject + kinds + 2;
        let losses = subject_player.wrapping_add(players);
        let queued = losses.wrapping_add(players);
        let hand = queued.wrapping_add(kinds);
        let budget = hand.wrapping_add(3 * kinds);
        Parts {
            source,
            timing: source + kinds,
            stage: source + kinds + 5,
            remaining: source + kinds + 5 + 4,
            subject,
            subject_line: subject + kinds,
            subject_player,
            losses,
            queued,
            hand,
            budget,
            by_player: budget.wrapping_add(4),
            each: COUNTS.len() * kinds + SINGLES,
            kinds,
        }
    }
}

/// Single bytes of a player.
const SINGLES: usize = 9;
/// Counts by kind of a player.
const COUNTS: [(&str, &str); 9] = [
    ("front", "cards on the Front Line"),
    ("back", "cards on the Back Line"),
    ("front_foreign", "of the Front Line, cards owned by others"),
    ("back_foreign", "of the Back Line, cards owned by others"),
    ("lent", "cards owned, under the control of others"),
    ("discard", "cards in the discard pile"),
    ("known_hand", "cards that the hand certainly holds"),
    ("unseen", "cards of the deck list that nobody sees"),
    ("used", "kinds whose limited effect is used up"),
];

impl View {
    /// For these numbers of players, kinds and turns.
    pub(super) fn new(players: usize, kinds: usize, max_turns: u16) -> View {
        let mut layout = Layout::default();
        let l = &mut layout;
        let mut push = |name: &str, len: usize, scale: usize, public: bool, meaning: &str| {
            l.push(name, &[len], scale, public, meaning)
        };
        let decisions =
            "build, draw, play, sacrifice, effect, ward, window, may, player, field, owner, card, line";
        let phase =
            format!("what the viewer has to decide, one-hot: {decisions}; all zero if it is not to act");
        push("phase", Phase::DECISIONS, 1, false, &phase);
        let card = "the card whose effect is being resolved, or the Titan being invoked";
        let source = push("source", kinds, 1, true, card);
        let timing = push("timing", 5, 1, true, "of that effect: enter, activate, hand, window, discarded");
        let stage = push("stage", 4, 1, true, "cost, step 1, step 2, step 3");
        let left = "cards still to be chosen in this step or cost by the one who decides";
        let remaining = push("remaining", 1, 9, true, left);
        let kind = "the kind whose line or owner is chosen, the first card sacrificed, the destroyed Human of a window";
        let subject = push("subject", kinds, 1, false, kind);
        let subject_line = push("subject_line", 2, 1, true, "the line that it lies on");
        let player =
            "the field that it lies on, else the opponent chosen for this effect; counted from the viewer on";
        let subject_player = push("subject_player", players, 1, true, player);
        let loss = "Survey losses still to be milled, counted from the viewer on";
        let losses = push("losses", players, 30, true, loss);
        let queued = push("queued", kinds, 3 * players, true, "triggers waiting");
        let hand = push("hand", kinds, 3, false, "own hand");
        push("deck", kinds, 3, false, "contents of the own deck; while it is built the picks so far");
        push("ready", kinds, 3, true, "activations left to the turn player");
        let budget = push("budget_plays_left", 1, 8, true, "Humans that the turn player may still play");
        push("budget_invocation_left", 1, 1, true, "whether the turn player may still invoke");
        push("budget_restricted", 1, 1, true, "whether somebody in the game has had no turn");
        push("budget_clock", 1, 255, true, "turns ended, of those after which the episode is cut off");
        let by_player = l.size();
        for j in 0..players {
            let (owner, whose) = match j {
                0 => ("own".into(), "of the viewer".into()),
                _ => (format!("other{j}"), format!("of the player {j} places on")),
            };
            for (name, what) in COUNTS {
                let scale = match name {
                    "front" | "back" | "front_foreign" | "back_foreign" => 3 * players,
                    "used" => 1,
                    _ => 3,
                };
                l.push(format!("{owner}_{name}"), &[kinds], scale, true, format!("{what}, {whose}"));
            }
            let mut push = |name: &str, bias: u8, scale: usize, what: &str| {
                l.push_biased(format!("{owner}_{name}"), &[1], bias, scale, true, format!("{what}, {whose}"));
            };
            push("deck_size", 0, 30, "cards in the deck");
            push("hand_size", 0, 30, "cards in hand");
            push("titans", 0, 3, "Titans in the discard pile");
            push("survey", 0, 60, "Survey Score now");
            push("modifier", 32, 32, "change of the Survey Score this turn");
            push("had_turn", 0, 1, "whether there was a turn");
            push("in_game", 0, 1, "whether still in the game");
            push("is_turn", 0, 1, "whether it is the turn");
            push("list_open", 0, 1, "whether the deck list is known to all");
        }
        let each = (layout.size() - by_player) / players;
        let at = Parts {
            source,
            timing,
            stage,
            remaining,
            subject,
            subject_line,
            subject_player,
            losses,
            queued,
            hand,
            budget,
            by_player,
            each,
            kinds,
        };
        View {
            layout,
            at,
            is_builtin: at == Parts::builtin(players),
            nibble: 15,
            turn: (1 << 32) / u64::from(max_turns) + 1,
        }
    }
}

/// Thirty-two bits of two planes to thirty-two bytes of 0 to 3, by nibbles: vectors of 32-bit lanes do it at once.
///
/// `nibble` is 15. If the compiler knew it, it would shift the last lane apart, with six instructions more. The lower plane is subtracted as
/// its complement: of a sum, whose terms can be exchanged, the compiler would take terms of both planes together, with four more.
#[inline(always)]
fn spread32(lo: u32, hi: u32, nibble: u32, out: &mut [u8; 32]) {
    for (lane, bytes) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let not_low = (!(lo >> (4 * lane)) & nibble).wrapping_mul(0x0020_4081) & 0x0101_0101;
        let high = (hi >> (4 * lane) & nibble).wrapping_mul(0x0040_8102) & 0x0202_0202;
        *bytes = (high | 0x0101_0101).wrapping_sub(not_low).to_le_bytes();
    }
}

/// Kinds of the library's content, with which stores of fixed size at fixed places write a row.
const KINDS: usize = 34;
/// Two bytes of 0 to 3 by the lower bits of both, then the upper ones.
const TWO: [[u8; 2]; 16] = {
    let (mut all, mut bits) = ([[0; 2]; 16], 0);
    while bits < 16 {
        all[bits] = [(bits & 1 | bits >> 1 & 2) as u8, (bits >> 1 & 1 | bits >> 2 & 2) as u8];
        bits += 1;
    }
    all
};

/// Writes segments of counts by kind, one after the other.
///
/// Empty segments are written too: a branch around them would depend on the data and be mispredicted.
#[inline(always)]
fn put<const N: usize>(out: &mut [u8], kinds: usize, nibble: u32, segments: [Cards; N]) {
    if kinds != KINDS {
        return put_any(out, kinds, nibble, segments);
    }
    let mut rest = &mut out[..N * KINDS];
    for cards in segments {
        let (head, tail) = rest.split_first_chunk_mut::<32>().expect("a segment");
        spread32(cards.lo as u32, cards.hi as u32, nibble, head);
        let (two, next) = tail.split_first_chunk_mut::<{ KINDS - 32 }>().expect("the end of a segment");
        let [low, high] = [cards.lo, cards.hi].map(|plane| (plane >> 32) as u32);
        *two = TWO[(low.wrapping_add(high.wrapping_mul(4)) & 15) as usize];
        rest = next;
    }
}

/// [`put`] for any number of kinds.
#[inline(always)]
fn put_any<const N: usize>(out: &mut [u8], kinds: usize, nibble: u32, segments: [Cards; N]) {
    let mut rest = out;
    for cards in segments {
        let (here, next) = rest.split_at_mut(kinds);
        rest = next;
        if let Some(head) = here.first_chunk_mut::<32>() {
            spread32(cards.lo as u32, cards.hi as u32, nibble, head);
            // The last thirty-two overlap the first.
            if let Some(tail) = here.last_chunk_mut::<32>() {
                let from = (kinds - 32) & 63;
                spread32((cards.lo >> from) as u32, (cards.hi >> from) as u32, nibble, tail);
            }
        } else {
            put_few(here, cards);
        }
    }
}

/// [`put_any`] of a segment of fewer than thirty-two kinds.
#[inline(never)]
fn put_few(out: &mut [u8], cards: Cards) {
    for (kind, byte) in (0..32).zip(out) {
        *byte = cards.count(kind);
    }
}

/// One byte; the rest of its segment is 0.
#[inline(always)]
fn mark(out: &mut [u8], at: usize, index: usize) {
    out[at + index] = 1;
}

/// Most bytes before the hand with the built-in content: those of four players.
const HEAD: usize = 135;

/// Sets everything before the hand to 0, and maybe some of what is written next: a fill of variable length is a call.
#[inline(always)]
fn clear_head(out: &mut [u8], head: usize) {
    match out.first_chunk_mut::<HEAD>() {
        Some(bytes) if head <= HEAD => *bytes = [0; HEAD],
        _ => clear(&mut out[..head]),
    }
}

/// What is alike in most positions, so that the compiler makes a form for these.
#[derive(Clone, Copy)]
struct Case {
    /// No decks are built any more.
    built: bool,
    /// A card is under the control of a player who does not own it.
    lent: bool,
    /// There are two players, and the compiler knows the sizes.
    pair: bool,
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Graven, s: &State, viewer: Player, out: &mut [u8]) {
    let at = Parts::builtin(game.players);
    let pair = game.players == 2;
    match (game.view.is_builtin && s.stage != Stage::Build, s.any_lent()) {
        (true, false) => write(game, &at, Case { built: true, lent: false, pair }, s, viewer, out),
        (true, true) => write(game, &at, Case { built: true, lent: true, pair }, s, viewer, out),
        _ => write_any(game, s, viewer, out),
    }
}

/// [`observe`] for contents of other sizes, and while decks are built. A function of its own: inlined as well it would double the code of a batch.
#[inline(never)]
fn write_any(game: &Graven, s: &State, viewer: Player, out: &mut [u8]) {
    let case = Case { built: s.stage != Stage::Build, lent: s.any_lent(), pair: false };
    write(game, &game.view.at, case, s, viewer, out);
}

/// Writes parts at known places in a known case.
#[inline(always)]
fn write(game: &Graven, at: &Parts, case: Case, s: &State, viewer: Player, out: &mut [u8]) {
    let nibble = game.view.nibble;
    clear_head(out, at.hand);
    let own = s.player(viewer.0);
    let [hand, deck] = if s.plays(viewer.0) { [own.hand, own.deck] } else { [Cards::EMPTY; 2] };
    let played = case.built && s.plays(s.turn_player);
    let ready = if played { game.ready(s) } else { Cards::EMPTY };
    put(&mut out[at.hand..], at.kinds, nibble, [hand, deck, ready]);
    game.write_turn(at, played, s, out);
    let (mut player, mut rest) = (viewer.0, &mut out[at.by_player..]);
    for _ in 0..game.players {
        let (block, next) = rest.split_at_mut(at.each);
        rest = next;
        match s.plays(player) {
            true => game.write_player(at.kinds, case, s, player, block),
            false => clear(block),
        }
        player = game.relative(player, 1);
    }
    let decider =
        s.decider == viewer.0 || (!case.built && s.phase == Phase::Build && game.acting(s).contains(viewer));
    if decider && !s.phase.is_over() {
        mark(out, 0, s.phase as usize);
    }
    if s.stage == Stage::Survey {
        for player in 0..game.players as u8 {
            let loss = s.player(player).loss.min(30) as u8;
            out[at.losses + game.distance(viewer.0, player)] = loss;
        }
    }
    for entry in s.queue.iter().filter(|entry| entry.what != What::Destroyed) {
        let byte = &mut out[at.queued + usize::from(entry.kind)];
        *byte = (*byte + 1).min(3 * game.players as u8);
    }
    game.write_effect(at, s, viewer, out);
}

/// Adds the cards of others to the lines of a player.
#[inline(never)]
fn add_foreign(kinds: usize, s: &State, player: u8, out: &mut [u8]) {
    for line in [FRONT, BACK] {
        let owners = s.line(player, line).iter().enumerate();
        for (_, cards) in owners.filter(|(owner, _)| *owner != usize::from(player & 3)) {
            for (kind, copies) in cards.iter() {
                out[line * kinds + usize::from(kind)] += copies;
                out[(2 + line) * kinds + usize::from(kind)] += copies;
            }
        }
    }
}

/// [`add_foreign`] where the cards of the one other player are written already.
#[inline(always)]
fn add_foreign_of_one(out: &mut [u8]) {
    let (own, rest) = out.split_at_mut(2 * KINDS);
    for (count, foreign) in own.iter_mut().zip(&rest[..2 * KINDS]) {
        *count = count.wrapping_add(*foreign);
    }
}

/// Sets bytes to 0. A function of its own, so that the compiler does not make a call of stores of fixed size beside it.
#[cold]
#[inline(never)]
fn clear(bytes: &mut [u8]) {
    bytes.fill(0);
}

impl Graven {
    /// What T can still do.
    #[inline(always)]
    fn write_turn(&self, at: &Parts, can_play: bool, s: &State, out: &mut [u8]) {
        let budget = [
            if can_play { self.plays_left(s).min(8) as u8 } else { 0 },
            u8::from(can_play && self.may_invoke(s)),
            self.restricted(s).into(),
            // `255 * turns / max_turns`. What the factor is too large by is too little to reach the next whole number.
            ((255 * u64::from(s.turns)).wrapping_mul(self.view.turn) >> 32) as u8,
        ];
        out[at.budget..][..4].copy_from_slice(&budget);
    }

    /// The effect or invocation in course, and what the decision is about.
    #[inline(always)]
    fn write_effect(&self, at: &Parts, s: &State, viewer: Player, out: &mut [u8]) {
        if let Some(running) = s.effect {
            mark(out, at.source, running.kind.into());
            mark(out, at.timing, running.timing as usize);
            match running.stage {
                MAY => {}
                COST => mark(out, at.stage, 0),
                step => mark(out, at.stage, 1 + usize::from(step - FIRST).min(2)),
            }
            out[at.remaining] = running.left.min(9);
            if running.opponent != NONE && s.meant.is_none_or(|meant| meant.player == NONE) {
                mark(out, at.subject_player, self.distance(viewer.0, running.opponent));
            }
        } else if let Some(invoking) = s.invoking {
            mark(out, at.source, invoking.kind.into());
            if let Some((line, kind, _)) = invoking.first.filter(|_| s.meant.is_none()) {
                mark(out, at.subject, kind.into());
                mark(out, at.subject_line, line.into());
                mark(out, at.subject_player, self.distance(viewer.0, s.turn_player));
            }
        } else if let Some((player, kind)) = s.window
            && Zone::Decision(Player(player)).is_seen_by(Some(viewer))
        {
            mark(out, at.subject, kind.into());
        }
        if let Some(meant) = s.meant {
            mark(out, at.subject, meant.kind.into());
            if meant.line != NONE {
                mark(out, at.subject_line, meant.line.into());
                mark(out, at.subject_player, self.distance(viewer.0, meant.player));
            }
        }
    }

    /// The block of a player that is in the game.
    #[inline(always)]
    fn write_player(&self, kinds: usize, case: Case, s: &State, player: u8, out: &mut [u8]) {
        let nibble = self.view.nibble;
        let own = s.player(player);
        let [front, back] = [s.own_on(player, FRONT), s.own_on(player, BACK)];
        let (mut fielded, mut titans) = (front.plus(back), self.titans_of(front));
        put(out, kinds, nibble, [front, back]);
        if case.lent && case.pair && kinds == KINDS {
            // What one other player owns are sets, too. The loops of `add_foreign` over owners and kinds depend on the data: 0.7 of the
            // 15.8 mispredicted branches of a step were there.
            let other = (player ^ 1) & 1;
            let [theirs, lent] =
                [(player, other), (other, player)].map(|(controller, owner)| s.owned_on(controller, owner));
            put(
                &mut out[2 * KINDS..],
                KINDS,
                nibble,
                [theirs[FRONT], theirs[BACK], lent[FRONT].plus(lent[BACK])],
            );
            add_foreign_of_one(out);
            fielded = fielded.plus(lent[FRONT]).plus(lent[BACK]);
            titans = titans.wrapping_add(self.titans_of(theirs[FRONT]));
        } else {
            out[2 * kinds..5 * kinds].fill(0);
            if case.lent {
                (fielded, titans) = (s.fielded(player), self.count_titans(s, player));
                put(&mut out[4 * kinds..], kinds, nibble, [fielded.minus(s.at_home(player))]);
                add_foreign(kinds, s, player, out);
            }
        }
        let visible = fielded.plus(own.discard).plus(own.known);
        let unseen = if case.built { own.list.minus(visible) } else { Cards::EMPTY };
        let used = Cards { lo: own.used, hi: 0 };
        put(&mut out[5 * kinds..], kinds, nibble, [own.discard, own.known, unseen, used]);
        let single = out.last_chunk_mut::<SINGLES>().expect("nine bytes");
        *single = [
            own.deck.total() as u8,
            own.hand.total() as u8,
            self.titans_of(own.discard) as u8,
            if case.built { self.score_with(s, player, titans).min(60) as u8 } else { 0 },
            (own.modifier.clamp(-32, 32) + 32) as u8,
            s.has_had(player).into(),
            1,
            u8::from(s.turn_player == player),
            u8::from(case.built && self.is_open(player)),
        ];
    }

    /// Whether a player decides in a window, which only that player learns.
    #[inline(always)]
    pub(super) fn is_secret(&self, s: &State) -> bool {
        matches!(s.phase, Phase::Ward | Phase::Window) && s.decider != NONE
    }

    /// What a window is about.
    pub(super) fn moment(&self, s: &State) -> (Moment, u8) {
        match s.window {
            Some((_, kind)) => (Moment::Destroyed, kind),
            None => (Moment::SurveyLoss, NONE),
        }
    }
}
