//! States from outside: everything that is wrong with one, card by card and decision by decision.

mod reachable;

use super::Graven;
use super::cards::{By, Cost, Moment, Step, Target, Verb, Who};
use super::rules::MAX_TURN_DECISIONS;
use super::state::{
    BACK, COST, Cards, DECK, FIRST, Invoking, MAX_KINDS, MAX_PLAYERS, MAY, Meant, NONE, Phase, PlayerState,
    Running, Stage, State, Timing, What, bits,
};
use playmat_core::prelude::*;

/// Everything that is wrong with a state between two decisions.
pub(super) fn validate(game: &Graven, s: &State) -> Vec<Problem> {
    let mut check = Check { game, s, found: game.zone_problems(s) };
    if check.found.is_empty() {
        check.decision();
    }
    check.found
}

/// Looks at a state and collects what is wrong with it. Paths are those of the JSON form.
struct Check<'a> {
    game: &'a Graven,
    s: &'a State,
    found: Vec<Problem>,
}

impl std::ops::Deref for Check<'_> {
    type Target = Graven;

    fn deref(&self) -> &Graven {
        self.game
    }
}

/// A place in the JSON form: its path, or the name of a field of a player.
trait Path {
    fn text(self) -> String;
}

impl Path for &str {
    fn text(self) -> String {
        self.into()
    }
}

impl Path for String {
    fn text(self) -> String {
        self
    }
}

impl Path for (u8, &str) {
    fn text(self) -> String {
        format!("players[{}].{}", self.0, self.1)
    }
}

impl Check<'_> {
    fn wrong(&mut self, path: impl Path, message: impl Into<String>) {
        self.found.push(Problem::new(path.text(), message));
    }

    /// A finding, if something is so.
    fn wrong_if(&mut self, is_so: bool, path: impl Path, message: &str) {
        if is_so {
            self.wrong(path, message);
        }
    }

    /// Players and kinds that do not exist.
    fn ranges(&mut self) {
        let (s, players) = (self.s, self.players as u8);
        let player = |player: u8| player < players;
        let none_or_player = |value: u8| value == NONE || player(value);
        let missing = |player: u8| format!("player {player}; there are {players} players");
        if !player(s.turn_player) {
            self.wrong("turn_player", missing(s.turn_player));
        }
        // Whose loss the Survey stands at is the field `current_player` of the JSON.
        for value in [s.decider, s.ward] {
            if !none_or_player(value) {
                self.wrong("current_player", missing(value));
            }
        }
        let sets = s.in_game | s.had_turn | s.winners;
        self.wrong_if(sets >> players != 0, "players", "a player that does not exist");
        for (at, own) in s.players.iter().enumerate().skip(self.players) {
            if *own != PlayerState::EMPTY {
                self.wrong("players", format!("player {at} does not exist, but is not empty"));
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
                let is_out = !cards.is_empty() && controller.max(owner) >= self.players;
                self.wrong_if(is_out, "players", "cards of, or with, a player that does not exist");
            }
        }
        self.wrong_if(kinds & !self.all != 0, "players", "cards that the content does not have");
        let count = self.cards.len();
        let kind = |kind: u8| usize::from(kind) < count;
        let none_or_kind = |value: u8| value == NONE || kind(value);
        let fits = s.queue.iter().all(|entry| kind(entry.kind) && player(entry.player));
        self.wrong_if(!fits, "queue", "no such card or player");
        let fits = s.window.is_none_or(|(who, card)| player(who) && kind(card) && !self.is_titan(card));
        self.wrong_if(!fits, "window", "no such player, or no Human");
        let fits = s.effect.is_none_or(|effect| {
            let others = none_or_player(effect.opponent) && none_or_player(effect.chooser);
            let cards = kind(effect.kind) && none_or_kind(effect.that) && none_or_kind(effect.last);
            player(effect.player) && effect.opponent != effect.player && others && cards
        });
        self.wrong_if(!fits, "effect", "no such card or player");
        let fits = s.invoking.is_none_or(|Invoking { kind: titan, line, first }| {
            let fits = |(line, card, owner)| line < 2 && kind(card) && player(owner);
            kind(titan) && self.is_titan(titan) && line < 2 && first.is_none_or(fits)
        });
        self.wrong_if(!fits, "invoking", "no Titan, or no such card, line or player");
        let fits = s.meant.is_none_or(|Meant { player: whose, line, kind: card }| {
            kind(card) && ((line == NONE && whose == NONE) || (line < 2 && player(whose)))
        });
        self.wrong_if(!fits, "subject", "no such card, line or player");
    }

    /// Cards of an owner: copies, conservation, what is known (GV-R1a, R1c, K1).
    fn cards_of(&mut self, player: u8) {
        let (s, own) = (self.s, self.s.player(player));
        let mut counts = [0u32; MAX_KINDS];
        let fielded = s.field.iter().flatten().map(|line| line[usize::from(player & 3)]);
        for (kind, copies) in fielded.chain([own.hand, own.deck, own.discard]).flat_map(Cards::iter) {
            counts[usize::from(kind)] += u32::from(copies);
        }
        for (card, count) in self.game.cards.iter().zip(counts) {
            let most = if card.titan { 1 } else { 3 };
            if count > most {
                let message = format!("{count} cards `{}`; at most {most} of one owner", card.id);
                self.wrong((player, "deck"), message);
            }
        }
        let total: u32 = counts.iter().sum();
        if total > DECK {
            self.wrong((player, "deck"), format!("{total} cards; a player owns at most {DECK}"));
        }
        let unheld = own.known.more_than(own.hand) != 0;
        self.wrong_if(unheld, (player, "known_hand"), "more known cards of a kind than the hand holds");
        let unlimited = own.used & !self.limited.iter().fold(0, |all, kinds| all | kinds) != 0;
        self.wrong_if(unlimited, (player, "used"), "a card whose effect has no limit");
        let path = || format!("players[{player}]");
        if !s.plays(player) && !s.phase.is_over() {
            self.wrong_if(*own != PlayerState::EMPTY, path(), "cards or marks of a player who is out");
            let controls = s.field[usize::from(player)] != [[Cards::EMPTY; MAX_PLAYERS]; 2];
            self.wrong_if(controls, path(), "cards of others under the control of a player who is out");
        }
        if !self.found.is_empty() {
            return;
        }
        let owned = Graven::owned(own, s.fielded(player));
        let is_wrong = |visible: Cards| visible.more_than(own.list) != 0 || own.list.more_than(owned) != 0;
        if s.stage == Stage::Build {
            self.wrong_if(!own.list.is_empty(), (player, "list"), "no list is known before the deal");
        } else if self.is_open(player) && own.list != owned {
            self.wrong((player, "list"), "not the player's cards in the game, although it is open");
        } else if is_wrong(s.visible(player)) {
            self.wrong((player, "list"), "fewer than are visible, or more than the player has");
        }
    }

    /// Before the deal.
    fn building(&mut self) {
        let (s, mut waits, mut sizes) = (self.s, false, Vec::new());
        for player in 0..self.players as u8 {
            let own = s.player(player);
            let clean = own.hand.is_empty() && own.discard.is_empty() && s.fielded(player).is_empty();
            if !clean || own.used != 0 || own.modifier != 0 || own.loss != 0 {
                let message = "cards outside the deck, or marks, before the deal";
                self.wrong(format!("players[{player}]"), message);
            }
            let (count, titans) = (own.deck.total(), own.deck.of(self.titan_kinds).total());
            let few = super::decks::TITANS.saturating_sub(titans);
            if self.builders >> player & 1 != 0 {
                waits |= own.pick == NONE;
                sizes.push(count);
                let no_deck = count >= DECK || DECK - count.min(DECK) < few;
                self.wrong_if(no_deck, (player, "deck"), "no deck that is being built");
                let fits =
                    own.pick == NONE || (own.pick < 64 && self.pickable(own.deck) >> own.pick & 1 != 0);
                self.wrong_if(!fits, (player, "pick"), "no card that can be picked");
            } else {
                let fits = count == DECK && few == 0 && own.pick == NONE;
                self.wrong_if(!fits, (player, "deck"), "no legal deck");
            }
        }
        let bare = State { players: s.players, turn_player: s.turn_player, ..self.empty_state() };
        self.wrong_if(*s != bare, "stage", "something has happened before the deal");
        sizes.dedup();
        let message = "`build` needs players that build, in the same round, one of them without a pick";
        self.wrong_if(sizes.len() != 1 || !waits, "stage", message);
    }

    /// Counters of the turn that do not fit where it stands.
    fn turn(&mut self) {
        let (s, t) = (self.s, self.s.turn_player);
        let survey = s.stage == Stage::Survey && !s.phase.is_over();
        for player in 0..self.players as u8 {
            let own = s.player(player);
            self.wrong_if(own.pick != NONE, (player, "pick"), "decks are built before the deal");
            let no_loss = own.loss > 0 && !(survey && self.takes_part(s, player));
            let message = "a loss outside the Survey, or of one who does not count";
            self.wrong_if(no_loss, (player, "loss"), message);
        }
        let message = "the turn player has had a turn from its start on";
        self.wrong_if(!s.has_had(t), (t, "had_turn"), message);
        let early = matches!(s.stage, Stage::Draw | Stage::Play) && s.activations != Cards::EMPTY;
        self.wrong_if(early, "activations", "effects are activated in the Effect Phase");
        // GV-R5: nothing lays a limit on a turn that has begun without one.
        let more = self.restricted(s) && s.humans.saturating_add(u8::from(s.invoked)) > 1;
        self.wrong_if(more, "humans_played", "more than one card, while somebody has had no turn");
        let early = s.stage == Stage::Draw && (s.humans > 0 || s.extra > 0 || s.invoked);
        self.wrong_if(early, "humans_played", "nothing is played before the Draw Phase is over");
        let other = s.activations.kinds() & !self.timed[Timing::Activate as usize] != 0;
        self.wrong_if(other, "activations", "a card that cannot be activated");
        let more = bits(s.spent.kinds()).any(|kind| s.spent.count(kind) > s.copies_on(t, BACK, kind));
        let more = s.spent.more_than(s.activations) != 0 || (more && s.plays(t));
        let message = "more copies than were activated or lie on the turn player's Back Line";
        self.wrong_if(more, "spent", message);
        if survey != (s.ward != NONE) {
            self.wrong("current_player", "the Survey stands at a player, and nothing else does");
        } else if s.ward != NONE && !s.plays(s.ward) {
            self.wrong("current_player", "the Survey stands at a player who is out");
        }
        if s.turn_decisions >= MAX_TURN_DECISIONS && !s.phase.is_over() {
            let message = format!("{}; a turn ends after {MAX_TURN_DECISIONS}", s.turn_decisions);
            self.wrong("questions", message);
        }
    }

    /// Who is in the game, and whether it is over (GV-R1c, R2).
    fn end(&mut self) {
        let s = self.s;
        for player in (0..self.players as u8).filter(|&player| s.plays(player)) {
            let own = s.player(player);
            let is_empty = own.deck.is_empty() && s.stage != Stage::Build;
            self.wrong_if(is_empty, (player, "deck"), "empty: the player has lost already");
            let titans = own.discard.of(self.titan_kinds).total();
            if titans >= 3 {
                let message = format!("{titans} Titans: the player has lost already");
                self.wrong((player, "discard"), message);
            }
        }
        let left = s.in_game.count_ones();
        if s.winners != 0 && s.phase != Phase::Over {
            return self.wrong("winners", "nobody has won: the game is not over by the rules");
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
        let message = "does not fit who is in the game, who has won, or the number of turns";
        self.wrong_if(!fits, "phase", message);
        if s.phase != Phase::Cut && turns >= most {
            self.wrong("turn", format!("{turns}; the episode ends after {most}"));
        } else if turns > self.most_turns {
            let most = self.most_turns;
            self.wrong("turn", format!("{turns}; every turn draws a card: allowed: at most {most}"));
        }
        let modified = s.phase == Phase::Cut && s.players.iter().any(|own| own.modifier != 0);
        self.wrong_if(modified, "players", "modifiers vanish in the End Phase");
        let settled = s.stage == Stage::Settle || s.phase == Phase::Over || s.plays(s.turn_player);
        self.wrong_if(!settled, "turn_player", "out of the game, but the turn goes on");
        let idle = s.queue.is_empty() && s.effect.is_none() && s.invoking.is_none() && s.window.is_none();
        let goes_on = !idle || s.meant.is_some() || s.decider != NONE || s.ward != NONE;
        self.wrong_if(s.phase.is_over() && goes_on, "phase", "over, but something is still being resolved");
    }

    /// What is being resolved and what waits.
    fn pending(&mut self) {
        let s = self.s;
        if s.phase.is_over() || s.stage == Stage::Build {
            return;
        }
        for (at, entry) in s.queue.iter().enumerate() {
            let kinds = match entry.what {
                What::Enter => self.timed[Timing::Enter as usize],
                What::Discarded => self.timed[Timing::Discarded as usize],
                What::Destroyed if self.windows[Moment::Destroyed as usize] != 0 => self.human_kinds,
                What::Destroyed => 0,
            };
            let fits = kinds >> entry.kind & 1 != 0 && s.plays(entry.player);
            let message = "a card without that effect, or a player who is out";
            self.wrong_if(!fits, format!("queue[{at}]"), message);
        }
        let early = s.stage == Stage::Draw && !(s.queue.is_empty() && s.effect.is_none());
        self.wrong_if(early, "queue", "nothing is resolved in the Draw Phase");
        let all = [s.effect.is_some(), s.invoking.is_some(), s.window.is_some()];
        let several = all.into_iter().filter(|is_some| *is_some).count();
        let meant = s.meant.is_some() && (several == 0 || s.window.is_some());
        let message = "one of `effect`, `invoking` and `window` at a time; `subject` inside one";
        self.wrong_if(several > 1 || meant, "effect", message);
        if let Some((player, _)) = s.window {
            let unfit = !s.plays(player) || matches!(s.stage, Stage::Draw | Stage::Survey);
            let message = "a player who is out, or a phase in which nothing is destroyed";
            self.wrong_if(unfit, "window", message);
        }
        if let Some(invoking) = s.invoking {
            self.invocation(invoking);
        }
        if let Some(running) = &s.effect {
            self.effect(running);
        }
    }

    fn invocation(&mut self, invoking: Invoking) {
        let (s, t) = (self.s, self.s.turn_player);
        let named = s.player(t).known.count(invoking.kind) > 0;
        if s.stage != Stage::Play || !s.queue.is_empty() || !self.may_invoke(s) || !named {
            return self.wrong("invoking", "no Titan known in the hand of a turn player who may invoke");
        }
        if let Some((line, kind, owner)) = invoking.first {
            let alone = State { invoking: Some(Invoking { first: None, ..invoking }), ..*s };
            let one = self.worth_two(s)[usize::from(line)] >> kind & 1 == 0;
            if !one || self.sacrifices(&alone, usize::from(line), kind) >> owner & 1 == 0 {
                return self.wrong("invoking.first", "no first of two cards that can be sacrificed");
            }
        } else if !self.can_sacrifice(s) {
            return self.wrong("invoking", "nothing can be sacrificed");
        }
        let other = s.meant.is_some_and(|meant| meant.player != t || self.owners(s) == 0);
        self.wrong_if(other, "subject", "no card that can be sacrificed");
    }

    fn effect(&mut self, running: &Running) {
        let s = self.s;
        let Some(ability) = self.game.ability(running.kind, running.timing) else {
            return self.wrong("effect", "the card has no such effect");
        };
        if !s.plays(running.player) {
            return self.wrong("effect.player", "a player who is out");
        }
        let own = running.timing.is_of_effect_phase();
        let survey = running.timing == Timing::Window && ability.event == Moment::SurveyLoss;
        let place = match s.stage {
            Stage::Survey => survey && s.ward == running.player,
            Stage::Effect => !survey,
            // GV-Q5a: the turn player has lost while another's effect of the Survey runs.
            Stage::Settle => !own && (!survey || !s.plays(s.turn_player)),
            _ => !survey && !own,
        };
        if !place || (own && running.player != s.turn_player) {
            return self.wrong("effect", "does not fit the phase of the turn, or whose turn it is");
        }
        let destroyed = running.timing == Timing::Window && ability.event == Moment::Destroyed;
        if destroyed != (running.that != NONE) || (destroyed && self.is_titan(running.that)) {
            return self.wrong("effect.that", "a Human in a `destroyed` window, and only there");
        }
        let stage = match running.stage {
            MAY => ability.may && running.part == 0,
            COST => usize::from(running.part) < ability.costs.len(),
            step => usize::from(step - FIRST) < ability.steps.len() && running.part == 0,
        };
        if !stage || running.left > 9 {
            return self.wrong("effect.stage", "no such cost or step");
        }
        self.wrong_if(!self.decides_inside(s, running), "effect", "nothing to choose there");
    }

    /// The decision does not follow from the rest.
    fn decision(&mut self) {
        let s = self.s;
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
            return self.wrong("phase", message);
        }
        for player in self.acting(s).iter() {
            if self.legal(s, player).is_empty() {
                self.wrong("phase", format!("player {player} has nothing to choose"));
            }
        }
    }
}

impl Graven {
    /// What is wrong wherever play stands, decisions aside.
    pub(super) fn zone_problems(&self, s: &State) -> Vec<Problem> {
        let mut check = Check { game: self, s, found: Vec::new() };
        check.ranges();
        if !check.found.is_empty() {
            return check.found;
        }
        for player in 0..self.players as u8 {
            check.cards_of(player);
        }
        if s.stage == Stage::Build {
            check.building();
        } else {
            check.turn();
        }
        // What follows needs cards and counters that are possible.
        for part in [Check::end, Check::pending, Check::reach] {
            if check.found.is_empty() {
                part(&mut check);
            }
        }
        check.found
    }

    /// Whether an effect stands at a decision, with everything that the decision needs.
    fn decides_inside(&self, s: &State, running: &Running) -> bool {
        let waits = running.left > 0;
        let free = running.chooser == NONE;
        let (player, last) = (running.player, running.last);
        if running.stage == MAY {
            return !waits && free && s.meant.is_none() && running.opponent == NONE;
        }
        let Some(step) = self.step_of(running) else {
            if last != NONE || !waits || !free {
                return false;
            }
            return match (self.cost_of(running), s.meant) {
                (Some(Cost::Discard(n)), None) => running.left <= n && !s.player(player).hand.is_empty(),
                (Some(Cost::DestroySelf), Some(meant)) => {
                    let own = meant.player == player && usize::from(meant.line) == BACK;
                    own && meant.kind == running.kind && self.owners(s) != 0
                }
                _ => false,
            };
        };
        if last != NONE && step.verb != Verb::Recycle {
            return false;
        }
        if step.who == Who::Opponent && running.opponent == NONE {
            return !waits && free && s.meant.is_none() && self.affected(s, step, player) != 0;
        }
        if !waits || running.left > step.n.unsigned_abs().max(1) {
            return false;
        }
        let whom = self.players_meant(s, running, step);
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
                free && self.finds(s, step, player) && self.means(s, step, player)
            }
            Verb::Resurrect | Verb::Recover if step.target != Target::Choose => {
                let kind = if step.target == Target::That { running.that } else { running.kind };
                free && self.means_human(s, step, player) && s.meant.is_some_and(|meant| meant.kind == kind)
            }
            Verb::Resurrect => {
                let any = self.card_choices(s, running).0 != 0;
                free && (self.means_human(s, step, player) || (s.meant.is_none() && any))
            }
            Verb::Recover | Verb::Search | Verb::Recycle => {
                let (kinds, pass) = self.card_choices(s, running);
                free && s.meant.is_none() && (kinds != 0 || (pass && self.options.all_decide))
            }
            _ => false,
        }
    }

    /// No card is meant, or one on a field that can be chosen.
    fn means(&self, s: &State, step: &Step, chooser: u8) -> bool {
        s.meant.is_none_or(|Meant { player, line, kind }| {
            line != NONE && self.targets(s, step, chooser, player)[usize::from(line)] >> kind & 1 != 0
        })
    }

    /// The LINE decision is about a Human of the own discard pile.
    fn means_human(&self, s: &State, step: &Step, player: u8) -> bool {
        let there = s.player(player).discard.kinds() & step.kinds;
        step.verb == Verb::Resurrect
            && step.lines == 0b11
            && s.meant.is_some_and(|meant| meant.line == NONE && there >> meant.kind & 1 != 0)
    }

    /// The decision and its player, as they follow from everything else.
    pub(super) fn decision_of(&self, s: &State) -> Option<(Phase, u8)> {
        let t = s.turn_player;
        if s.stage == Stage::Build {
            return Some((Phase::Build, NONE));
        }
        if let Some(running) = &s.effect {
            let step = self.step_of(running);
            let phase = match (s.meant, step) {
                (Some(meant), _) if meant.line == NONE => Phase::Line,
                (Some(_), _) => Phase::Owner,
                _ if running.stage == MAY => Phase::May,
                (_, Some(step)) if step.who == Who::Opponent && running.opponent == NONE => Phase::Player,
                (_, Some(step)) if step.is_about_field() => Phase::Field,
                _ => Phase::Card,
            };
            return Some((phase, self.chooser(running)));
        }
        if s.invoking.is_some() {
            return Some((if s.meant.is_some() { Phase::Owner } else { Phase::Sacrifice }, t));
        }
        if let Some((player, _)) = s.window {
            return Some((Phase::Window, player));
        }
        match s.stage {
            Stage::Survey if s.player(s.ward).loss > 0 => Some((Phase::Ward, s.ward)),
            _ if !s.queue.is_empty() => None,
            Stage::Draw => Some((Phase::Draw, t)),
            Stage::Play => Some((Phase::Play, t)),
            Stage::Effect => Some((Phase::Effect, t)),
            _ => None,
        }
    }
}
