//! States from outside: everything that is wrong with one, card by card and phase by phase.

use super::Rafts;
use super::effect::Effect;
use super::state::{
    BACTERIUM, Deck, GENE, HAND, Kind, MAX_KINDS, MAX_RESOURCES, Phase, Player, RAFT, SEATS, Stage, State,
};
use playmat_core::prelude::*;

/// Problems found so far.
type Found = Vec<Problem>;

fn wrong(found: &mut Found, path: impl Into<String>, message: impl Into<String>) {
    found.push(Problem::new(path, message));
}

impl Rafts {
    /// Everything that is wrong with a state between two decisions.
    pub(super) fn state_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = self.table_problems(state);
        if found.is_empty() {
            self.derived_problems(state, &mut found);
        }
        if found.is_empty() {
            self.phase_problems(state, &mut found);
        }
        if found.is_empty() {
            self.settled_problems(state, &mut found);
        }
        found
    }

    /// Numbers out of range, and cards of which there are too many. What follows from others is not looked at.
    pub(super) fn table_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Vec::new();
        self.range_problems(state, &mut found);
        for (at, player) in state.players.iter().enumerate() {
            if at < self.players {
                self.player_problems(player, &format!("seats[{at}]"), &mut found);
            } else if *player != Player::EMPTY {
                wrong(&mut found, "seats", format!("seat {at} is not empty, but nobody sits there"));
            }
        }
        if found.is_empty() {
            self.copy_problems(state, &mut found);
        }
        found
    }

    /// Kinds and seats that do not exist.
    fn range_problems(&self, state: &State, found: &mut Found) {
        let resource = |kind: Option<Kind>| kind.is_none_or(|kind| kind.index() < self.resources);
        let unknown = "there is no such card";
        if !resource(state.last) {
            wrong(found, "last_discard", unknown);
        } else if let Some(last) = state.last
            && state.discards[last.index()] == 0
        {
            wrong(found, "last_discard", format!("`{}` is not in the discards", self.card(last).id));
        }
        if !resource(state.placing) {
            wrong(found, "placing", unknown);
        }
        let action = |kind: Kind| (self.resources..self.kinds).contains(&kind.index());
        if !state.resolving.is_none_or(action) {
            wrong(found, "resolving", "no action card");
        }
        if state.receiving.is_some_and(|goal| goal.index() >= self.goals.len()) {
            wrong(found, "receiving", "there is no such goal");
        }
        for (name, seat) in [("turn_player", state.turn_player), ("asked", state.cursor)] {
            if usize::from(seat) >= self.players {
                wrong(found, name, format!("seat {seat}; there are {} players", self.players));
            }
        }
        if state.partner.is_some_and(|seat| usize::from(seat) >= self.players || seat == state.turn_player) {
            wrong(found, "partner", "not another seat of the table");
        }
        if usize::from(state.shields) >> self.players != 0 {
            wrong(found, "shielded", "a seat where nobody sits");
        }
        if state.turn > self.options.turns {
            wrong(found, "turn", format!("{}; the episode ends after {}", state.turn, self.options.turns));
        }
        if usize::from(state.quiet) > self.players {
            wrong(found, "quiet_turns", format!("{}; at most {}", state.quiet, self.players));
        }
        if state.stage == Stage::Discard && !self.options.discards {
            wrong(found, "stage", "`discard` needs the option `discard_at_end`");
        }
        let goals = &state.goals_left[self.goals.len()..];
        let actions = &state.played[self.kinds - self.resources..];
        let beyond = [&state.discards[self.resources..], &state.shuffled[self.resources..], goals, actions];
        if beyond.iter().any(|counts| counts.iter().any(|&count| count > 0)) {
            wrong(found, "discards", "cards beyond those of the content");
        }
    }

    /// A table or hand that cannot be (RA-R2e, R4, R5, R12, R19).
    fn player_problems(&self, player: &Player, path: &str, found: &mut Found) {
        for (b, bench) in player.benches.iter().enumerate() {
            for (slot, name) in [(BACTERIUM, "bacterium"), (GENE, "gene")] {
                let range = if slot == BACTERIUM { 0..self.bacteria } else { self.bacteria..self.specific };
                if bench[slot].is_some_and(|kind| !range.contains(&kind.index())) {
                    wrong(found, format!("{path}.benches[{b}].{name}"), format!("no {name}"));
                }
            }
        }
        if !player.lab && player.benches[1] != [None; 2] {
            wrong(found, format!("{path}.benches[1]"), "there is no bench 1 without a Lab expansion");
        }
        let limit = self.limit(player);
        for (generic, &count) in player.generics.iter().enumerate() {
            let most = if generic == RAFT { 1 } else { limit };
            if count > most {
                let name = super::content::GENERICS[generic];
                wrong(found, format!("{path}.generics.{name}"), format!("{count}; at most {most}"));
            }
        }
        if u32::from(player.goals) >> self.goals.len() != 0 {
            wrong(found, format!("{path}.goals"), "a goal that the content does not have");
        }
        if !(1..=2).contains(&player.goal_count()) {
            wrong(found, format!("{path}.goals"), format!("{} goals; one or two", player.goal_count()));
        }
        let size = player.hand.iter().map(|&count| u32::from(count)).sum::<u32>();
        if size > HAND.into() {
            wrong(found, format!("{path}.hand"), format!("{size} cards; at most {HAND}"));
        }
        if player.hand[self.kinds..].iter().any(|&count| count > 0) {
            wrong(found, format!("{path}.hand"), "cards beyond those of the content");
        }
        for k in 0..MAX_RESOURCES {
            if player.known[k] > player.hand[k] || (k >= self.resources && player.known[k] > 0) {
                wrong(found, format!("{path}.known_hand"), "more known cards of a kind than the hand holds");
            }
            if self.options.to_table && player.known[k] > 0 {
                let message = "no card comes openly to a hand with `bioeconomy_to` = \"table\"";
                wrong(found, format!("{path}.known_hand"), message);
            }
            if k >= self.resources && player.drawn[k] > 0 {
                wrong(found, format!("{path}.drawn"), "cards beyond those of the content");
            }
        }
    }

    /// More cards of a kind than the content has; fewer are allowed.
    fn copy_problems(&self, state: &State, found: &mut Found) {
        let add = |sum: u32, count: u8| sum + u32::from(count);
        for k in 0..MAX_KINDS {
            let mut there = add(0, state.deck[k]);
            for player in &state.players {
                there = add(there, player.hand[k]);
            }
            let mut drawn = add(0, state.deck[k]);
            if k < self.resources {
                let kind = Some(Kind(k as u8));
                there = add(there, state.discards[k]) + u32::from(state.placing == kind);
                for player in &state.players {
                    there += player.benches.iter().flatten().filter(|slot| **slot == kind).count() as u32;
                    let generic = k.checked_sub(self.specific);
                    there = add(there, generic.map_or(0, |generic| player.generics[generic & 3]));
                    drawn = add(drawn, player.drawn[k]);
                }
            } else if k < self.kinds {
                there = add(there, state.played[k - self.resources]);
            }
            let copies = u32::from(self.copies[k]);
            let name = self.cards.get(k).map_or("?", |card| card.id.as_str());
            if there > copies {
                wrong(found, self.deck_path(k), format!("{there} cards `{name}`; the content has {copies}"));
            }
            if drawn > copies {
                let message = format!(
                    "{drawn} cards `{name}` in the deck and drawn since it was shuffled; the content has {copies}"
                );
                wrong(found, self.drawn_path(state, k), message);
            }
        }
        for (g, goal) in self.goals.iter().enumerate() {
            let owned = state.players.iter().filter(|player| player.goals >> g & 1 != 0).count();
            let (there, copies) = (owned + usize::from(state.goals_left[g]), goal.card.copies.into());
            if there > copies {
                let message = format!("{there} goals `{}`; the content has {copies}", goal.card.id);
                wrong(found, "goals_left", message);
            }
        }
        for k in 0..self.resources {
            let drawn: u32 = state.players.iter().map(|player| u32::from(player.drawn[k])).sum();
            let placing = u32::from(state.placing == Some(Kind(k as u8)));
            let there = state.players.iter().map(|player| {
                let kind = Some(Kind(k as u8));
                let benches = player.benches.iter().flatten().filter(|slot| **slot == kind).count() as u32;
                let generic = k.checked_sub(self.specific).map_or(0, |generic| player.generics[generic & 3]);
                benches + u32::from(player.hand[k]) + u32::from(generic)
            });
            let there: u32 = there.sum::<u32>() + placing + u32::from(state.discards[k]);
            if drawn > there {
                let id = &self.cards[k].id;
                let message = format!(
                    "{drawn} cards `{id}` drawn since the last shuffle; {there} lie outside the deck"
                );
                wrong(found, self.drawn_path(state, k), message);
            }
        }
        self.trace_problems(state, found);
    }

    /// What cards with this effect have left behind, if they do: Lab expansions, second goals, cards known in hands.
    pub(super) fn traces(&self, state: &State, effect: Effect) -> Option<u32> {
        let players = &state.players[..self.players.min(SEATS)];
        let count = |of: &dyn Fn(&Player) -> u32| players.iter().map(of).sum();
        match effect {
            Effect::ExtraBench => Some(count(&|player| player.lab.into())),
            Effect::ExtraGoal => Some(count(&|player| u32::from(player.goal_count() > 1))),
            Effect::Recover => {
                Some(count(&|player| player.known.iter().map(|&count| u32::from(count)).sum()))
            }
            _ => None,
        }
    }

    /// Used cards that do not fit what they have left behind (RA-R12, R13, R14, R16).
    fn trace_problems(&self, state: &State, found: &mut Found) {
        for effect in [Effect::ExtraBench, Effect::ExtraGoal, Effect::Recover] {
            let actions = &self.effects[..self.kinds - self.resources];
            let action = actions.iter().position(|other| *other == effect);
            let resolving =
                action.is_some_and(|at| state.resolving == Some(Kind((self.resources + at) as u8)));
            let used = action.map_or(0, |at| u32::from(state.played[at]));
            let done = used.saturating_sub(resolving.into());
            let left = self.traces(state, effect).unwrap_or(0);
            // A card that is recovered may be played again; a bench and a goal stay. A card may be discarded unused.
            let stays = effect != Effect::Recover && !self.options.discards;
            if left > done || (stays && left < done) {
                let what = match effect {
                    Effect::ExtraBench => "Lab expansions lie on tables",
                    Effect::ExtraGoal => "players have a second goal",
                    _ => "cards are known in hands (`known_hand`)",
                };
                let id = action.map_or("no card", |at| &self.cards[self.resources + at].id);
                wrong(found, "actions_played", format!("`{id}` was used {done} times, but {left} {what}"));
            }
        }
        for (action, shield) in self.shields.iter().enumerate() {
            let Some(shield) = shield.filter(|_| !self.options.discards) else { continue };
            let used = u32::from(state.played[shield.index() - self.resources]);
            let against = u32::from(state.played[action]);
            if used > against * self.players as u32 {
                let [shield, card] = [shield.index(), self.resources + action].map(|k| &self.cards[k].id);
                let message = format!(
                    "`{shield}` was used {used} times, but `{card}`, which it answers, {against} times"
                );
                wrong(found, "actions_played", message);
            }
        }
    }

    /// Where the most cards of a kind are that were drawn; the deck if there are none.
    fn drawn_path(&self, state: &State, kind: usize) -> String {
        let drawn = |seat: usize| state.players[seat].drawn.get(kind).copied().unwrap_or(0);
        match (0..self.players.min(SEATS)).max_by_key(|&seat| (drawn(seat), std::cmp::Reverse(seat))) {
            Some(seat) if drawn(seat) > 0 && kind < self.resources => {
                format!("seats[{seat}].drawn.{}", self.cards[kind].id)
            }
            _ => self.deck_path(kind),
        }
    }

    /// Where a kind of card is counted.
    fn deck_path(&self, kind: usize) -> String {
        let id = self.cards.get(kind).map(|card| card.id.as_str());
        id.map_or("decks".into(), |id| format!("decks.{}.{id}", self.deck_of(Kind(kind as u8)).name()))
    }

    /// Numbers that follow from others and do not.
    fn derived_problems(&self, state: &State, found: &mut Found) {
        let mut right = *state;
        self.derive(&mut right);
        if right.sizes != state.sizes {
            wrong(found, "decks", "sizes that are not those of the decks");
        }
        if right.closed != state.closed {
            wrong(found, "discards", "a count of the cards that are not open which is not theirs");
        }
        if right.shuffled != state.shuffled {
            wrong(found, "decks", "a shuffle that did not hold the deck and what was drawn from it");
        }
        for (at, (player, right)) in state.players.iter().zip(&right.players).enumerate() {
            if player != right {
                wrong(
                    found,
                    format!("seats[{at}]"),
                    "`holds`, `held` or `missing` do not follow from the rest",
                );
            }
        }
    }

    /// Fills in everything that follows from where the cards lie.
    pub(super) fn derive(&self, state: &mut State) {
        let range = |deck| self.range(deck);
        state.sizes = Deck::ALL.map(|deck| state.deck[range(deck)].iter().sum());
        for k in 0..self.resources {
            let kind = Some(Kind(k as u8));
            let mut open = state.discards[k] + u8::from(state.placing == kind);
            let mut drawn = state.deck[k];
            for player in &state.players {
                open += player.benches.iter().flatten().filter(|slot| **slot == kind).count() as u8;
                open += k.checked_sub(self.specific).map_or(0, |generic| player.generics[generic & 3]);
                drawn += player.drawn[k];
            }
            state.closed[k] = self.copies[k] - open;
            state.shuffled[k] = drawn;
        }
        for at in 0..self.players.min(SEATS) {
            let player = &mut state.players[at];
            player.holds = (0..self.kinds).filter(|&k| player.hand[k] > 0).fold(0, |set, k| set | 1 << k);
            player.held = Deck::ALL.map(|deck| player.hand[range(deck)].iter().sum());
            self.refresh(state, Seat(at as u8));
        }
    }

    /// What is asked does not fit what lies on the table.
    pub(super) fn phase_problems(&self, state: &State, found: &mut Found) {
        let active = state.cursor == state.turn_player;
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        let (resolving, placing) = (state.resolving.is_some(), state.placing.is_some());
        let others = active && !placing;
        let fits = match state.phase {
            Phase::Main => others && !resolving && state.stage == Stage::Main,
            Phase::Draw => others && !resolving && state.stage == Stage::Main,
            Phase::Discard => others && !resolving && state.stage == Stage::Discard,
            Phase::Shield => {
                !placing
                    && matches!(effect, Some(Effect::Lose { all: true, .. }))
                    && self.may_shield(state, Seat(state.cursor))
            }
            Phase::Snatch => !placing && !resolving && !active && self.may_snatch(state, Seat(state.cursor)),
            Phase::Bench => placing && self.placer_fits(state, effect),
            Phase::Target => {
                others && matches!(effect, Some(Effect::Exchange | Effect::Lose { all: false, .. }))
            }
            Phase::Receive | Phase::Give => others && effect == Some(Effect::Exchange),
            Phase::Steal => others && matches!(effect, Some(Effect::Steal(_))),
            Phase::Take => others && effect == Some(Effect::Recover),
            Phase::Goal => {
                others && effect == Some(Effect::ExtraGoal) && state.player(state.active()).goal_count() == 1
            }
            Phase::Won | Phase::Dead | Phase::Limit => others && !resolving && state.stage == Stage::Main,
        };
        if !fits {
            let message = format!(
                "`{}` does not fit who is asked, the card being resolved or placed, or the stage",
                state.phase.name()
            );
            wrong(found, "phase", message);
        }
        if state.stage == Stage::Discard
            && !matches!(state.phase, Phase::Discard | Phase::Snatch | Phase::Bench)
        {
            wrong(found, "stage", "`discard` is over, or has not begun");
        }
        if state.partner.is_some() != matches!(state.phase, Phase::Receive | Phase::Give) {
            wrong(found, "partner", "missing in an exchange, or given in another phase");
        }
        if state.receiving.is_some() != (state.phase == Phase::Give) {
            wrong(found, "receiving", "missing when a goal is given, or given in another phase");
        }
        if let (Some(partner), Some(goal)) = (state.partner, state.receiving) {
            let (own, other) = (state.player(state.active()).goals, state.player(Seat(partner)).goals);
            if (other & !own) >> goal.0 & 1 == 0 {
                wrong(found, "receiving", "no goal that can be received from the partner");
            }
        }
        self.used_problems(state, found);
        self.count_problems(state, found);
        self.quiet_problems(state, found);
        self.moment_problems(state, effect, found);
    }

    /// What cannot be at the moment of the phase: cards that have just left a hand or the top of the discards.
    fn moment_problems(&self, state: &State, effect: Option<Effect>, found: &mut Found) {
        use Phase::{Bench, Give, Goal, Receive, Shield, Snatch, Steal, Take, Target};
        let on_discard = !self.options.any_moment;
        // RA-R2e: a hand of six has played, discarded or snatched nothing in this moment.
        let after_a_card = match state.phase {
            Shield | Target | Receive | Give | Steal | Take | Goal => true,
            Bench | Snatch => on_discard,
            _ => false,
        };
        let placer = (state.phase == Bench).then_some(state.cursor);
        for seat in after_a_card.then_some(state.turn_player).into_iter().chain(placer) {
            if state.player(Seat(seat)).hand_size() >= HAND {
                let phase = state.phase.name();
                wrong(
                    found,
                    format!("seats[{seat}].hand"),
                    format!("{HAND} cards; a card was played before `{phase}`"),
                );
                break;
            }
        }
        if state.phase == Bench && effect == Some(Effect::Snatch) && state.last.is_some() {
            wrong(found, "last_discard", "the last discard has just been snatched");
        }
    }

    /// Whether somebody can be placing a card.
    fn placer_fits(&self, state: &State, effect: Option<Effect>) -> bool {
        let active = state.cursor == state.turn_player;
        let specific = state.placing.is_some_and(|kind| kind.index() < self.specific);
        let stage = state.stage == Stage::Main || (!active && effect == Some(Effect::Snatch));
        let by_card = match effect {
            None | Some(Effect::Steal(_)) => active,
            Some(Effect::Recover) => active && self.options.to_table,
            Some(Effect::Snatch) => true,
            _ => false,
        };
        specific && stage && by_card
    }

    /// Cards being resolved and shields that were played are among the played actions.
    fn used_problems(&self, state: &State, found: &mut Found) {
        let played = |kind: Kind| state.played[kind.index() - self.resources];
        if let Some(kind) = state.resolving
            && played(kind) == 0
        {
            wrong(found, "actions_played", format!("`{}` is being resolved", self.card(kind).id));
        }
        if state.shields == 0 {
            return;
        }
        let shield = state.resolving.and_then(|kind| self.shields[(kind.index() - self.resources) & 15]);
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        let (Phase::Shield, Some(shield), Some(Effect::Lose { what, .. })) = (state.phase, shield, effect)
        else {
            return wrong(found, "shielded", "seats are exempt in a shield window only");
        };
        if u32::from(played(shield)) < state.shields.count_ones() {
            wrong(found, "actions_played", format!("fewer `{}` than seats exempt", self.card(shield).id));
        }
        let asked = self.place(state, Seat(state.cursor));
        for seat in Seat::all(self.players).filter(|seat| state.shields >> seat.0 & 1 != 0) {
            if self.place(state, seat) >= asked || !Self::would_lose(state.player(seat), what) {
                wrong(found, "shielded", format!("seat {seat} was not asked before, or has nothing to lose"));
            }
        }
    }

    /// Quiet turns, and a first turn, in which something must have happened (RA-R1, R23).
    fn quiet_problems(&self, state: &State, found: &mut Found) {
        // Hands that nobody has touched since were full, or could not be filled, when their turns ended.
        let over = matches!(state.phase, Phase::Dead | Phase::Limit);
        let can_draw = Deck::ALL.iter().any(|&deck| self.can_draw(state, deck));
        if !state.stirred && can_draw && state.phase != Phase::Won {
            for back in 0..usize::from(state.quiet).min(self.players) {
                let place = self.players + usize::from(!over) * (self.players - 1) - back;
                let seat = self.after(state, place);
                let size = state.player(seat).hand_size();
                if size < HAND {
                    let message =
                        format!("{size} cards after a quiet turn, in which the player would have drawn");
                    wrong(found, format!("seats[{seat}].hand"), message);
                }
            }
        }
        let player = state.player(state.active());
        let recovered = player.known.iter().any(|&count| count > 0);
        let asked_before = self.options.any_moment;
        if state.phase == Phase::Main
            && state.stirred
            && !asked_before
            && player.hand_size() >= HAND
            && !recovered
        {
            wrong(found, "stirred", "nothing was played in this turn from a hand of six");
        }
        if state.turn == 0 && !state.stirred && !self.is_dealt(state) {
            wrong(found, "turn", "0, but more than the deal has happened before the first play");
        }
    }

    /// Whether nothing but the deal has happened: open goals and hands of two cards of each deck, or fewer.
    fn is_dealt(&self, state: &State) -> bool {
        let none = |counts: &[u8]| counts.iter().all(|&count| count == 0);
        let bare = |player: &Player| {
            player.benches == [[None; 2]; 2]
                && none(&player.generics)
                && none(&player.known)
                && player.goal_count() < 2
                && player.held.iter().all(|&count| count <= 2)
        };
        none(&state.discards) && none(&state.played) && state.players.iter().all(bare)
    }

    /// The number of turns of a position that does not say it: the least that fits whose turn it is and what has happened.
    pub(super) fn least_turns(&self, state: &State) -> u16 {
        let (over, last) = (matches!(state.phase, Phase::Dead | Phase::Limit), self.options.turns);
        let mut filled = *state;
        for player in &mut filled.players {
            player.held = Deck::ALL.map(|deck| player.hand[self.range(deck)].iter().sum());
        }
        let fresh = self.is_dealt(&filled);
        let least = u16::from(state.quiet).max(u16::from(!fresh && !state.stirred)).max(u16::from(over));
        let fits = |turn: &u16| {
            let begun = usize::from(turn - u16::from(over));
            (state.phase != Phase::Limit || *turn == last)
                && self
                    .options
                    .first
                    .is_none_or(|first| first.relative(begun % self.players, self.players) == state.active())
        };
        (least..=last).find(fits).unwrap_or(0)
    }

    /// Counters that do not fit the phase.
    fn count_problems(&self, state: &State, found: &mut Found) {
        let (turn, last) = (state.turn, self.options.turns);
        let quiet = usize::from(state.quiet);
        let fits = match state.phase {
            Phase::Dead => quiet == self.players && turn > 0,
            Phase::Limit => turn == last && quiet < self.players,
            _ => turn < last && quiet < self.players,
        };
        if !fits {
            wrong(
                found,
                "turn",
                format!("{turn} turns, {quiet} of them quiet: that is not `{}`", state.phase.name()),
            );
        }
        // RA-R1d, RA-R2: turns go round from the first seat; the last turn of an episode ends without another beginning.
        let begun = turn - u16::from(matches!(state.phase, Phase::Dead | Phase::Limit) && turn > 0);
        if let Some(first) = self.options.first
            && first.relative(usize::from(begun) % self.players, self.players) != state.active()
        {
            let message = format!("not who has turn {begun} after seat {first} has begun");
            wrong(found, "turn_player", message);
        }
        if usize::from(turn) < quiet {
            wrong(found, "quiet_turns", format!("{quiet} quiet turns of {turn}"));
        }
        let resolves = matches!(
            state.phase,
            Phase::Main | Phase::Draw | Phase::Discard | Phase::Won | Phase::Dead | Phase::Limit
        );
        let before_a_turn = state.phase == Phase::Snatch && self.options.any_moment;
        if !(resolves || state.stirred || before_a_turn) {
            wrong(found, "stirred", "a card was played in this turn");
        }
        if matches!(state.phase, Phase::Dead | Phase::Limit) && state.stirred {
            wrong(found, "stirred", "no turn is under way");
        }
        if state.phase == Phase::Won && state.player(state.active()).missing > 0 {
            wrong(found, "phase", "the turn player has achieved no goal");
        }
    }

    /// Things that the engine would have done before it asks.
    fn settled_problems(&self, state: &State, found: &mut Found) {
        let seat = Seat(state.cursor);
        if state.phase.is_over() {
            return;
        }
        let player = state.player(seat);
        let choices = self.legal_choices(state, seat).len();
        let settled = match state.phase {
            Phase::Main => {
                let claims = player.missing == 0;
                // END_TURN alone may be asked of a hand that somebody else imagines.
                !(claims && self.options.auto_claim) && (player.hand_size() > 0 || claims)
            }
            Phase::Shield | Phase::Snatch => true,
            Phase::Bench => player.chooses_bench(),
            Phase::Discard => player.hand_size() > 0,
            _ => choices > 1,
        };
        if !settled {
            wrong(found, "phase", "nothing is left to decide here");
        }
    }
}
