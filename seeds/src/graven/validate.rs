//! States from outside: everything that is wrong with one, card by card and decision by decision.

mod reachable;

use super::Graven;
use super::cards::{By, Cost, Moment, Target, Verb, Who};
use super::rules::MAX_TURN_DECISIONS;
use super::state::{
    BACK, COST, Cards, DECK, FIRST, MAX_KINDS, MAY, Meant, NONE, Phase, PlayerState, Running, Stage, State,
    Timing, What, bits,
};
use playmat_core::prelude::*;

/// Problems found so far.
type Found = Vec<Problem>;

fn wrong(found: &mut Found, path: impl Into<String>, message: impl Into<String>) {
    found.push(Problem::new(path, message));
}

/// Everything that is wrong with a state between two decisions.
pub(super) fn validate(game: &Graven, s: &State) -> Vec<Problem> {
    let mut found = game.zone_problems(s);
    if found.is_empty() {
        game.decision_problems(s, &mut found);
    }
    found
}

impl Graven {
    /// What is wrong wherever play stands, decisions aside.
    pub(super) fn zone_problems(&self, s: &State) -> Vec<Problem> {
        let mut found = Vec::new();
        self.range_problems(s, &mut found);
        if !found.is_empty() {
            return found;
        }
        for player in 0..self.players as u8 {
            self.card_problems(s, player, &mut found);
        }
        if s.stage == Stage::Build {
            self.build_problems(s, &mut found);
        } else {
            self.turn_problems(s, &mut found);
        }
        if found.is_empty() {
            self.end_problems(s, &mut found);
        }
        if found.is_empty() {
            self.pending_problems(s, &mut found);
        }
        if found.is_empty() {
            self.reach_problems(s, &mut found);
        }
        found
    }

    /// Players and kinds that do not exist.
    fn range_problems(&self, s: &State, found: &mut Found) {
        let players = self.players as u8;
        let player = |player: u8| player < players;
        if !player(s.turn_player) {
            wrong(found, "turn_player", format!("player {}; there are {players} players", s.turn_player));
        }
        // Whose loss the Survey stands at is the field `current_player` of the JSON.
        for value in [s.decider, s.ward] {
            if value != NONE && !player(value) {
                wrong(found, "current_player", format!("player {value}; there are {players} players"));
            }
        }
        let sets = s.in_game | s.had_turn | s.winners;
        if sets >> self.players != 0 {
            wrong(found, "players", "a player that does not exist");
        }
        for (at, own) in s.players.iter().enumerate() {
            if at >= self.players && *own != PlayerState::EMPTY {
                wrong(found, "players", format!("player {at} does not exist, but is not empty"));
            }
        }
        let mut kinds = s.spent.kinds() | s.activations.kinds();
        for own in &s.players {
            for cards in [own.hand, own.deck, own.discard, own.known, own.list] {
                kinds |= cards.kinds();
            }
            kinds |= own.used;
        }
        for (controller, lines) in s.field.iter().enumerate() {
            for (owner, cards) in lines.iter().flat_map(|line| line.iter().enumerate()) {
                kinds |= cards.kinds();
                if !cards.is_empty() && controller.max(owner) >= self.players {
                    wrong(found, "players", "cards of, or with, a player that does not exist");
                }
            }
        }
        if kinds & !self.all != 0 {
            wrong(found, "players", "cards that the content does not have");
        }
        let kind = |kind: u8| usize::from(kind) < self.cards.len();
        if !s.queue.iter().all(|entry| kind(entry.kind) && player(entry.player)) {
            wrong(found, "queue", "no such card or player");
        }
        if s.window.is_some_and(|(who, card)| !player(who) || !kind(card) || self.is_titan(card)) {
            wrong(found, "window", "no such player, or no Human");
        }
        if let Some(running) = &s.effect {
            let maybe = |value: u8| value == NONE || kind(value);
            let other =
                running.opponent == NONE || (player(running.opponent) && running.opponent != running.player);
            let fits = kind(running.kind) && player(running.player) && other && maybe(running.that);
            if !fits || !maybe(running.last) || !(running.chooser == NONE || player(running.chooser)) {
                wrong(found, "effect", "no such card or player");
            }
        }
        if let Some(invoking) = &s.invoking {
            let first =
                invoking.first.is_none_or(|(line, card, owner)| line < 2 && kind(card) && player(owner));
            if !kind(invoking.kind) || !self.is_titan(invoking.kind) || invoking.line > 1 || !first {
                wrong(found, "invoking", "no Titan, or no such card, line or player");
            }
        }
        if let Some(Meant { player: whose, line, kind: card }) = s.meant {
            let place = (line == NONE && whose == NONE) || (line < 2 && player(whose));
            if !kind(card) || !place {
                wrong(found, "subject", "no such card, line or player");
            }
        }
    }

    /// Cards of an owner: copies, conservation, what is known (GV-R1a, R1c, K1).
    fn card_problems(&self, s: &State, player: u8, found: &mut Found) {
        let own = s.player(player);
        let path = |name: &str| format!("players[{player}].{name}");
        let mut counts = [0u32; MAX_KINDS];
        let mut add = |cards: Cards| {
            for (kind, copies) in cards.iter() {
                counts[usize::from(kind)] += u32::from(copies);
            }
        };
        for cards in [own.hand, own.deck, own.discard] {
            add(cards);
        }
        for lines in s.field.iter() {
            for line in lines {
                add(line[usize::from(player & 3)]);
            }
        }
        let mut total = 0;
        for (kind, card) in self.cards.iter().enumerate() {
            let most = if card.titan { 1 } else { 3 };
            total += counts[kind];
            if counts[kind] > most {
                let message = format!("{} cards `{}`; at most {most} of one owner", counts[kind], card.id);
                wrong(found, path("deck"), message);
            }
        }
        if total > DECK {
            wrong(found, path("deck"), format!("{total} cards; a player owns at most {DECK}"));
        }
        if own.known.more_than(own.hand) != 0 {
            wrong(found, path("known_hand"), "more known cards of a kind than the hand holds");
        }
        if own.used & !self.limited.iter().fold(0, |all, kinds| all | kinds) != 0 {
            wrong(found, path("used"), "a card whose effect has no limit");
        }
        let out = !s.plays(player);
        if out && !s.phase.is_over() && *own != PlayerState::EMPTY {
            wrong(found, format!("players[{player}]"), "cards or marks of a player who is out");
        }
        if out
            && !s.phase.is_over()
            && s.field[usize::from(player)] != [[Cards::EMPTY; super::state::MAX_PLAYERS]; 2]
        {
            wrong(
                found,
                format!("players[{player}]"),
                "cards of others under the control of a player who is out",
            );
        }
        if !found.is_empty() {
            return;
        }
        let owned = Self::owned(own, s.fielded(player));
        let visible = s.visible(player);
        if s.stage == Stage::Build {
            if !own.list.is_empty() {
                wrong(found, path("list"), "no list is known before the deal");
            }
        } else if self.is_open(player) && own.list != owned {
            wrong(found, path("list"), "not the player's cards in the game, although it is open");
        } else if visible.more_than(own.list) != 0 || own.list.more_than(owned) != 0 {
            wrong(found, path("list"), "fewer than are visible, or more than the player has");
        }
    }

    /// Before the deal.
    fn build_problems(&self, s: &State, found: &mut Found) {
        let mut waits = false;
        for player in 0..self.players as u8 {
            let own = s.player(player);
            let path = format!("players[{player}]");
            let builds = self.builders >> player & 1 != 0;
            let clean = own.hand.is_empty() && own.discard.is_empty() && s.fielded(player).is_empty();
            if !clean || own.used != 0 || own.modifier != 0 || own.loss != 0 {
                wrong(found, &path, "cards outside the deck, or marks, before the deal");
            }
            let (count, titans) = (own.deck.total(), own.deck.of(self.titan_kinds).total());
            let few = super::decks::TITANS.saturating_sub(titans);
            if builds {
                waits |= own.pick == NONE;
                if count >= DECK || DECK - count.min(DECK) < few {
                    wrong(found, format!("{path}.deck"), "no deck that is being built");
                }
                let fits =
                    own.pick == NONE || (own.pick < 64 && self.pickable(own.deck) >> own.pick & 1 != 0);
                if !fits {
                    wrong(found, format!("{path}.pick"), "no card that can be picked");
                }
            } else if count != DECK || few > 0 || own.pick != NONE {
                wrong(found, format!("{path}.deck"), "no legal deck");
            }
        }
        let first = self.empty_state();
        let bare = State { players: s.players, turn_player: s.turn_player, ..first };
        if *s != bare {
            wrong(found, "stage", "something has happened before the deal");
        }
        let builders = (0..self.players as u8).filter(|player| self.builders >> player & 1 != 0);
        let mut sizes: Vec<u32> = builders.map(|player| s.player(player).deck.total()).collect();
        sizes.dedup();
        if sizes.len() != 1 || !waits {
            wrong(
                found,
                "stage",
                "`build` needs players that build, in the same round, one of them without a pick",
            );
        }
    }

    /// Counters of the turn that do not fit where it stands.
    fn turn_problems(&self, s: &State, found: &mut Found) {
        for player in 0..self.players as u8 {
            let own = s.player(player);
            if own.pick != NONE {
                wrong(found, format!("players[{player}].pick"), "decks are built before the deal");
            }
            let survey = s.stage == Stage::Survey && !s.phase.is_over();
            if own.loss > 0 && !(survey && self.takes_part(s, player)) {
                wrong(
                    found,
                    format!("players[{player}].loss"),
                    "a loss outside the Survey, or of one who does not count",
                );
            }
        }
        if !s.has_had(s.turn_player) {
            let path = format!("players[{}].had_turn", s.turn_player);
            wrong(found, path, "the turn player has had a turn from its start on");
        }
        let t = s.turn_player;
        let before = matches!(s.stage, Stage::Draw | Stage::Play);
        if before && s.activations != Cards::EMPTY {
            wrong(found, "activations", "effects are activated in the Effect Phase");
        }
        // GV-R5: nothing lays a limit on a turn that has begun without one.
        if self.restricted(s) && s.humans.saturating_add(u8::from(s.invoked)) > 1 {
            wrong(found, "humans_played", "more than one card, while somebody has had no turn");
        }
        if s.stage == Stage::Draw && (s.humans > 0 || s.extra > 0 || s.invoked) {
            wrong(found, "humans_played", "nothing is played before the Draw Phase is over");
        }
        if s.activations.kinds() & !self.timed[Timing::Activate as usize] != 0 {
            wrong(found, "activations", "a card that cannot be activated");
        }
        let more = bits(s.spent.kinds()).any(|kind| s.spent.count(kind) > s.copies_on(t, BACK, kind));
        if s.spent.more_than(s.activations) != 0 || (more && s.plays(t)) {
            wrong(found, "spent", "more copies than were activated or lie on the turn player's Back Line");
        }
        if (s.stage == Stage::Survey && !s.phase.is_over()) != (s.ward != NONE) {
            wrong(found, "current_player", "the Survey stands at a player, and nothing else does");
        } else if s.ward != NONE && !s.plays(s.ward) {
            wrong(found, "current_player", "the Survey stands at a player who is out");
        }
        if s.turn_decisions >= MAX_TURN_DECISIONS && !s.phase.is_over() {
            wrong(
                found,
                "questions",
                format!("{}; a turn ends after {MAX_TURN_DECISIONS}", s.turn_decisions),
            );
        }
    }

    /// Who is in the game, and whether it is over (GV-R1c, R2).
    fn end_problems(&self, s: &State, found: &mut Found) {
        for player in (0..self.players as u8).filter(|&player| s.plays(player)) {
            let own = s.player(player);
            let titans = own.discard.of(self.titan_kinds).total();
            if own.deck.is_empty() && s.stage != Stage::Build {
                wrong(found, format!("players[{player}].deck"), "empty: the player has lost already");
            }
            if titans >= 3 {
                let message = format!("{titans} Titans: the player has lost already");
                wrong(found, format!("players[{player}].discard"), message);
            }
        }
        let left = s.in_game.count_ones();
        if s.winners != 0 && s.phase != Phase::Over {
            wrong(found, "winners", "nobody has won: the game is not over by the rules");
            return;
        }
        let (turns, most) = (s.turns, self.options.max_turns);
        let fits = match s.phase {
            Phase::Over => {
                let won = if left == 1 { s.in_game } else { s.winners };
                left <= 1 && s.winners == won && s.winners != 0 && (left == 1 || s.winners.count_ones() > 1)
            }
            Phase::Cut => left >= 2 && turns == most,
            _ => left >= 2,
        };
        if !fits {
            wrong(found, "phase", "does not fit who is in the game, who has won, or the number of turns");
        }
        if s.phase != Phase::Cut && turns >= most {
            wrong(found, "turn", format!("{turns}; the episode ends after {most}"));
        } else if turns > self.most_turns {
            wrong(
                found,
                "turn",
                format!("{turns}; every turn draws a card: allowed: at most {}", self.most_turns),
            );
        }
        if s.phase == Phase::Cut && s.players.iter().any(|own| own.modifier != 0) {
            wrong(found, "players", "modifiers vanish in the End Phase");
        }
        let settled = s.stage == Stage::Settle || s.phase == Phase::Over || s.plays(s.turn_player);
        if !settled {
            wrong(found, "turn_player", "out of the game, but the turn goes on");
        }
        let idle = s.queue.is_empty() && s.effect.is_none() && s.invoking.is_none() && s.window.is_none();
        if s.phase.is_over() && (!idle || s.meant.is_some() || s.decider != NONE || s.ward != NONE) {
            wrong(found, "phase", "over, but something is still being resolved");
        }
    }

    /// What is being resolved and what waits.
    fn pending_problems(&self, s: &State, found: &mut Found) {
        if s.phase.is_over() || s.stage == Stage::Build {
            return;
        }
        for (at, entry) in s.queue.iter().enumerate() {
            let fits = match entry.what {
                What::Enter => self.timed[Timing::Enter as usize] >> entry.kind & 1 != 0,
                What::Discarded => self.timed[Timing::Discarded as usize] >> entry.kind & 1 != 0,
                What::Destroyed => {
                    !self.is_titan(entry.kind) && self.windows[Moment::Destroyed as usize] != 0
                }
            };
            if !fits || !s.plays(entry.player) {
                wrong(found, format!("queue[{at}]"), "a card without that effect, or a player who is out");
            }
        }
        if s.stage == Stage::Draw && !(s.queue.is_empty() && s.effect.is_none()) {
            wrong(found, "queue", "nothing is resolved in the Draw Phase");
        }
        let several = usize::from(s.effect.is_some())
            + usize::from(s.invoking.is_some())
            + usize::from(s.window.is_some());
        if several > 1 || (several == 0 && s.meant.is_some()) || (s.window.is_some() && s.meant.is_some()) {
            wrong(
                found,
                "effect",
                "one of `effect`, `invoking` and `window` at a time; `subject` inside one",
            );
        }
        if let Some((player, _)) = s.window
            && (!s.plays(player) || matches!(s.stage, Stage::Draw | Stage::Survey))
        {
            wrong(found, "window", "a player who is out, or a phase in which nothing is destroyed");
        }
        if s.invoking.is_some() {
            self.invocation_problems(s, found);
        }
        if let Some(running) = &s.effect {
            self.effect_problems(s, running, found);
        }
    }

    fn invocation_problems(&self, s: &State, found: &mut Found) {
        let Some(invoking) = s.invoking else { return };
        let t = s.turn_player;
        let named = s.player(t).known.count(invoking.kind) > 0;
        if s.stage != Stage::Play || !s.queue.is_empty() || !self.may_invoke(s) || !named {
            return wrong(found, "invoking", "no Titan known in the hand of a turn player who may invoke");
        }
        if let Some((line, kind, owner)) = invoking.first {
            let alone = State { invoking: Some(super::state::Invoking { first: None, ..invoking }), ..*s };
            let one = self.worth_two(s)[usize::from(line)] >> kind & 1 == 0;
            if !one || self.sacrifices(&alone, usize::from(line), kind) >> owner & 1 == 0 {
                return wrong(found, "invoking.first", "no first of two cards that can be sacrificed");
            }
        } else if !self.can_sacrifice(s) {
            return wrong(found, "invoking", "nothing can be sacrificed");
        }
        if s.meant.is_some_and(|meant| meant.player != t) || (s.meant.is_some() && self.owners(s) == 0) {
            wrong(found, "subject", "no card that can be sacrificed");
        }
    }

    fn effect_problems(&self, s: &State, running: &Running, found: &mut Found) {
        let Some(ability) = self.cards[usize::from(running.kind)].ability(running.timing) else {
            return wrong(found, "effect", "the card has no such effect");
        };
        if !s.plays(running.player) {
            return wrong(found, "effect.player", "a player who is out");
        }
        let own = matches!(running.timing, Timing::Activate | Timing::Hand);
        let survey = running.timing == Timing::Window && ability.event == Moment::SurveyLoss;
        let place = match s.stage {
            Stage::Survey => survey && s.ward == running.player,
            Stage::Effect => !survey,
            // GV-Q5a: the turn player has lost while another's effect of the Survey runs.
            Stage::Settle => !own && (!survey || !s.plays(s.turn_player)),
            _ => !survey && !own,
        };
        if !place || (own && running.player != s.turn_player) {
            return wrong(found, "effect", "does not fit the phase of the turn, or whose turn it is");
        }
        let destroyed = running.timing == Timing::Window && ability.event == Moment::Destroyed;
        if destroyed != (running.that != NONE) || (destroyed && self.is_titan(running.that)) {
            return wrong(found, "effect.that", "a Human in a `destroyed` window, and only there");
        }
        let stage = match running.stage {
            MAY => ability.may && running.part == 0,
            COST => usize::from(running.part) < ability.costs().len(),
            step => usize::from(step - FIRST) < ability.steps().len() && running.part == 0,
        };
        if !stage || running.left > 9 {
            return wrong(found, "effect.stage", "no such cost or step");
        }
        if !self.decides_inside(s, running) {
            wrong(found, "effect", "nothing to choose there");
        }
    }

    /// Whether an effect stands at a decision, with everything that the decision needs.
    fn decides_inside(&self, s: &State, running: &Running) -> bool {
        let waits = running.left > 0;
        let free = running.chooser == NONE;
        if running.stage == MAY {
            return !waits && free && s.meant.is_none() && running.opponent == NONE;
        }
        let last = running.last;
        let Some(step) = self.step_of(running) else {
            let costs = self.cards[usize::from(running.kind)].ability(running.timing);
            let cost = costs.and_then(|ability| ability.costs().get(usize::from(running.part)));
            if last != NONE || !waits || !free {
                return false;
            }
            return match (cost, s.meant) {
                (Some(Cost::Discard(n)), None) => {
                    running.left <= *n && !s.player(running.player).hand.is_empty()
                }
                (Some(Cost::DestroySelf), Some(meant)) => {
                    let own = meant.player == running.player && usize::from(meant.line) == BACK;
                    own && meant.kind == running.kind && self.owners(s) != 0
                }
                _ => false,
            };
        };
        if (last != NONE) && step.verb != Verb::Recycle {
            return false;
        }
        if step.who == Who::Opponent && running.opponent == NONE {
            return !waits && free && s.meant.is_none() && self.affected(s, step, running.player) != 0;
        }
        if !waits || running.left > step.n.unsigned_abs().max(1) {
            return false;
        }
        let whom = match step.who {
            Who::You => 1 << running.player,
            Who::Opponent => 1 << running.opponent,
            Who::EachOpponent => s.in_game & !(1 << running.player),
            Who::EachPlayer => s.in_game,
        };
        let held = !free && whom >> running.chooser & 1 != 0 && self.affects(s, step, running.chooser);
        match step.verb {
            Verb::Discard if step.by == By::You => {
                free && s.meant.is_none()
                    && s.plays(running.opponent)
                    && self.affects(s, step, running.opponent)
            }
            Verb::Discard if step.by == By::Holder => held && s.meant.is_none(),
            Verb::Destroy if step.held => held && self.means(s, step, running.chooser),
            Verb::Destroy | Verb::Return | Verb::Move | Verb::Control => {
                free && self.finds(s, step, running.player) && self.means(s, step, running.player)
            }
            Verb::Resurrect | Verb::Recover if step.target != Target::Choose => {
                let kind = if step.target == Target::That { running.that } else { running.kind };
                free && self.means_human(s, step, running.player)
                    && s.meant.is_some_and(|meant| meant.kind == kind)
            }
            Verb::Resurrect => {
                let any = self.card_choices(s, running).0 != 0;
                free && (self.means_human(s, step, running.player) || (s.meant.is_none() && any))
            }
            Verb::Recover | Verb::Search | Verb::Recycle => {
                let (kinds, pass) = self.card_choices(s, running);
                free && s.meant.is_none() && (kinds != 0 || (pass && self.options.all_decide))
            }
            _ => false,
        }
    }

    /// No card is meant, or one on a field that can be chosen.
    fn means(&self, s: &State, step: &super::cards::Step, chooser: u8) -> bool {
        s.meant.is_none_or(|meant| {
            meant.line != NONE
                && self.targets(s, step, chooser, meant.player)[usize::from(meant.line)] >> meant.kind & 1
                    != 0
        })
    }

    /// The LINE decision is about a Human of the own discard pile.
    fn means_human(&self, s: &State, step: &super::cards::Step, player: u8) -> bool {
        let there = s.player(player).discard.kinds() & step.kinds;
        step.verb == Verb::Resurrect
            && step.lines == 0b11
            && s.meant.is_some_and(|meant| meant.line == NONE && there >> meant.kind & 1 != 0)
    }

    /// The decision and its player, as they follow from everything else.
    pub(super) fn decision_of(&self, s: &State) -> Option<(Phase, u8)> {
        if s.stage == Stage::Build {
            return Some((Phase::Build, NONE));
        }
        if let Some(running) = &s.effect {
            let chooser = self.chooser(running);
            if let Some(meant) = s.meant {
                return Some((if meant.line == NONE { Phase::Line } else { Phase::Owner }, chooser));
            }
            if running.stage == MAY {
                return Some((Phase::May, running.player));
            }
            let Some(step) = self.step_of(running) else { return Some((Phase::Card, running.player)) };
            if step.who == Who::Opponent && running.opponent == NONE {
                return Some((Phase::Player, running.player));
            }
            return Some(match step.verb {
                Verb::Destroy | Verb::Return | Verb::Move | Verb::Control => (Phase::Field, chooser),
                _ => (Phase::Card, chooser),
            });
        }
        let t = s.turn_player;
        if s.invoking.is_some() {
            return Some((if s.meant.is_some() { Phase::Owner } else { Phase::Sacrifice }, t));
        }
        if let Some((player, _)) = s.window {
            return Some((Phase::Window, player));
        }
        if !s.queue.is_empty() && s.stage != Stage::Survey {
            return None;
        }
        match s.stage {
            Stage::Draw => Some((Phase::Draw, t)),
            Stage::Play => Some((Phase::Play, t)),
            Stage::Effect => Some((Phase::Effect, t)),
            Stage::Survey if s.player(s.ward).loss > 0 => Some((Phase::Ward, s.ward)),
            _ => None,
        }
    }

    /// The decision does not follow from the rest.
    fn decision_problems(&self, s: &State, found: &mut Found) {
        if s.phase.is_over() {
            return;
        }
        let expected = self.decision_of(s);
        if expected != Some((s.phase, s.decider)) {
            let message = match expected {
                Some((phase, NONE)) => format!("the decision is `{}`", phase.name()),
                Some((phase, player)) => format!("the decision is `{}`, of player {player}", phase.name()),
                None => "nobody must decide there".into(),
            };
            return wrong(found, "phase", message);
        }
        for player in self.acting(s).iter() {
            if self.legal(s, player).is_empty() {
                wrong(found, "phase", format!("player {player} has nothing to choose"));
            }
        }
    }
}
