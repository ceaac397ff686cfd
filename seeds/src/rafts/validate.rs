//! What is wrong with a state that came from outside: card by card, then phase by phase.

use super::Rafts;
use super::content::GENERICS;
use super::deal::DEALT;
use super::effects::Effect;
use super::state::{
    BACTERIUM, Deck, GENE, GoalKind, HAND, Kind, MAX_RESOURCES, Phase, PlayerState, RAFT, Stage, State,
};
use playmat_core::prelude::*;
use std::ops::Range;

/// What was found so far.
#[derive(Default)]
struct Found(Vec<Problem>);

impl Found {
    fn refuse(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem::new(path, message));
    }

    fn refuse_if(&mut self, is_wrong: bool, path: impl Into<String>, message: impl Into<String>) {
        if is_wrong {
            self.refuse(path, message);
        }
    }

    /// A number that is too large.
    fn check_number(&mut self, path: impl Into<String>, number: impl Into<u64>, most: impl Into<u64>) {
        let (number, most) = (number.into(), most.into());
        self.refuse_if(number > most, path, format!("{number}; allowed: 0 to {most}"));
    }

    /// A card, goal or player (`what`) that is none of those that can be there.
    fn check_index(&mut self, path: impl Into<String>, what: &str, index: Option<u8>, allowed: Range<usize>) {
        let is_wrong = index.is_some_and(|index| !allowed.contains(&index.into()));
        self.refuse_if(is_wrong, path, format!("no {what}"));
    }
}

/// Everything that is wrong with a state between two decisions. What is wrong with the cards hides what follows from them.
pub(super) fn validate(game: &Rafts, state: &State) -> Vec<Problem> {
    let parts =
        [Rafts::zone_problems, Rafts::derived_problems, Rafts::phase_problems, Rafts::settled_problems];
    parts.iter().map(|part| part(game, state)).find(|found| !found.is_empty()).unwrap_or_default()
}

impl Rafts {
    /// Numbers out of range, and cards of which there are too many. What follows from others is not looked at.
    pub(super) fn zone_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Found::default();
        self.range_problems(state, &mut found);
        for (i, player) in state.players[..self.players].iter().enumerate() {
            self.player_problems(player, |name| format!("players[{i}].{name}"), &mut found);
        }
        if found.0.is_empty() {
            self.copy_problems(state, &mut found);
            self.trace_problems(state, &mut found);
        }
        found.0
    }

    /// Kinds and players that do not exist.
    fn range_problems(&self, state: &State, found: &mut Found) {
        let (resources, last_player) = (0..self.resources, self.players as u64 - 1);
        let index = |kind: Option<Kind>| kind.map(|kind| kind.0);
        found.check_number("turn_player", state.turn_player, last_player);
        found.check_number("current_player", state.cursor, last_player);
        found.check_number("turn", state.turn, self.options.turns);
        found.check_number("quiet_turns", state.quiet, self.players as u64);
        found.check_index("last_discard", "resource", index(state.last), resources.clone());
        found.check_index("placing", "resource", index(state.placing), resources);
        found.check_index("resolving", "action card", index(state.resolving), self.resources..self.kinds);
        found.check_index("receiving", "goal", state.receiving.map(|goal| goal.0), 0..self.goals.len());
        found.check_index("partner", "player", state.partner, 0..self.players);
        found.refuse_if(state.partner == Some(state.turn_player), "partner", "the turn player");
        found.refuse_if(state.shields >> self.players != 0, "shielded", "a player who does not exist");
        let gone = state.last.filter(|kind| state.discards.get(kind.index()) == Some(&0));
        if let Some(card) = gone.and_then(|kind| self.cards.get(kind.index())) {
            found.refuse("last_discard", format!("`{}` is not in the discards", card.id));
        }
        let has_stage = state.stage == Stage::Main || self.options.discards;
        found.refuse_if(!has_stage, "stage", "`discard` needs the option `discard_at_end`");
    }

    /// A table or hand that cannot be (RA-R2e, R4, R5, R12, R19).
    fn player_problems(&self, player: &PlayerState, at: impl Fn(&str) -> String, found: &mut Found) {
        for (b, bench) in player.benches.iter().enumerate() {
            let [bacterium, gene] = [BACTERIUM, GENE].map(|slot| bench[slot].map(|kind| kind.0));
            let at = |name: &str| at(&format!("benches[{b}].{name}"));
            found.check_index(at("bacterium"), "bacterium", bacterium, 0..self.bacteria);
            found.check_index(at("gene"), "gene", gene, self.bacteria..self.specific);
        }
        let has_bench = player.lab || player.benches[1] == [None; 2];
        found.refuse_if(!has_bench, at("benches"), "2 benches; allowed: 1 without a Lab expansion");
        for (generic, &count) in player.generics.iter().enumerate() {
            let most = if generic == RAFT { 1 } else { self.limit(player) };
            found.check_number(at(&format!("generics.{}", GENERICS[generic])), count, most);
        }
        let goals = player.goal_count();
        let is_wrong = !(1..=2).contains(&goals) || u32::from(player.goals) >> self.goals.len() != 0;
        found.refuse_if(is_wrong, at("goals"), format!("{goals} goals; allowed: 1 or 2 of the content"));
        let size = player.hand.iter().map(|&count| u64::from(count)).sum::<u64>();
        found.refuse_if(size > HAND.into(), at("hand"), format!("{size} cards; allowed: 0 to {HAND}"));
        let surplus = player.known.iter().zip(&player.hand).any(|(known, hand)| known > hand);
        found.refuse_if(surplus, at("known_hand"), "more known cards of a kind than the hand holds");
        let opens = self.options.to_table && player.known != [0; MAX_RESOURCES];
        let message = "no card comes openly to a hand with `bioeconomy_to` = \"table\"";
        found.refuse_if(opens, at("known_hand"), message);
    }

    /// Copies of a kind that lie open: on tables, being placed, in the discards or among the played actions.
    fn copies_open(&self, state: &State, kind: Kind) -> u32 {
        if let Some(action) = kind.index().checked_sub(self.resources) {
            return state.played[action].into();
        }
        let generic = self.generic(kind);
        let tables = state.players[..self.players].iter().map(|player| {
            let benches = player.benches.iter().flatten().filter(|slot| **slot == Some(kind)).count() as u32;
            benches + generic.map_or(0, |generic| player.generics[generic].into())
        });
        let placing = u32::from(state.placing == Some(kind));
        tables.sum::<u32>() + u32::from(state.discards[kind.index()]) + placing
    }

    /// Copies of a kind that lie outside their deck.
    pub(super) fn copies_outside(&self, state: &State, kind: Kind) -> u32 {
        let hands = state.players[..self.players].iter().map(|player| u32::from(player.hand[kind.index()]));
        hands.sum::<u32>() + self.copies_open(state, kind)
    }

    /// How many players have a goal of a kind.
    pub(super) fn owners(&self, state: &State, goal: GoalKind) -> u32 {
        state.players[..self.players].iter().filter(|player| player.goals >> goal.0 & 1 != 0).count() as u32
    }

    /// More cards of a kind than the content has; fewer are allowed.
    fn copy_problems(&self, state: &State, found: &mut Found) {
        for (k, card) in self.cards.iter().enumerate() {
            let (id, copies, outside) = (&card.id, card.copies, self.copies_outside(state, Kind(k as u8)));
            let there = outside + u32::from(state.deck[k]);
            let path = format!("decks.{}.{id}", self.deck_of(Kind(k as u8)).name());
            let message = format!("{there} cards `{id}`; the content has {copies}");
            found.refuse_if(there > copies.into(), path, message);
            let draws = || (0..self.players).filter_map(|i| Some((*state.players[i].drawn.get(k)?, i)));
            let drawn = draws().map(|(drawn, _)| u32::from(drawn)).sum::<u32>();
            let path = format!("players[{}].drawn.{id}", draws().max().map_or(0, |(_, i)| i));
            let message =
                format!("{drawn} cards `{id}` drawn since the last shuffle; {outside} lie outside the deck");
            found.refuse_if(k < self.resources && drawn > outside, path, message);
        }
        for (g, goal) in self.goals.iter().enumerate() {
            let (id, copies) = (&goal.card.id, goal.card.copies);
            let there = self.owners(state, GoalKind(g as u8)) + u32::from(state.goals_left[g]);
            let message = format!("{there} goals `{id}`; the content has {copies}");
            found.refuse_if(there > copies.into(), format!("goals_left.{id}"), message);
        }
    }

    /// How many traces played cards with this effect have left: Lab expansions, second goals, cards known in hands. `None` for effects
    /// that leave none.
    pub(super) fn traces(&self, state: &State, effect: Effect) -> Option<u32> {
        let count = |of: fn(&PlayerState) -> u32| Some(state.players[..self.players].iter().map(of).sum());
        match effect {
            Effect::ExtraBench => count(|player| player.lab.into()),
            Effect::ExtraGoal => count(|player| u32::from(player.goal_count() > 1)),
            Effect::Recover => count(|player| player.known.iter().map(|&known| u32::from(known)).sum()),
            _ => None,
        }
    }

    /// Used cards that do not fit what they have left behind (RA-R12, R13, R14, R16).
    fn trace_problems(&self, state: &State, found: &mut Found) {
        let actions = &self.effects[..self.kinds - self.resources];
        for (effect, what) in [
            (Effect::ExtraBench, "Lab expansions lie on tables"),
            (Effect::ExtraGoal, "players have a second goal"),
            (Effect::Recover, "cards are known in hands (`known_hand`)"),
        ] {
            let kind = actions.iter().position(|other| *other == effect);
            let kind = kind.map(|action| Kind((self.resources + action) as u8));
            let used = kind.map_or(0, |kind| self.copies_open(state, kind));
            let done = used.saturating_sub((kind.is_some() && state.resolving == kind).into());
            let left = self.traces(state, effect).unwrap_or(0);
            // A card that is recovered may be played again; a bench and a goal stay. A card may be discarded unused.
            let stays = effect != Effect::Recover && !self.options.discards;
            let id = kind.map_or("no card", |kind| &self.card(kind).id);
            let message = format!("`{id}` was used {done} times, but {left} {what}");
            found.refuse_if(left > done || (stays && left < done), "actions_played", message);
        }
        for (action, shield) in self.shields.iter().enumerate() {
            let Some(shield) = shield.filter(|_| !self.options.discards) else { continue };
            let kinds = [shield, Kind((self.resources + action) as u8)];
            let [used, against] = kinds.map(|kind| self.copies_open(state, kind));
            let [shield, card] = kinds.map(|kind| &self.card(kind).id);
            let message =
                format!("`{shield}` was used {used} times, but `{card}`, which it answers, {against} times");
            found.refuse_if(used > against * self.players as u32, "actions_played", message);
        }
    }

    /// Numbers that follow from others and do not, and cards and players that do not exist.
    fn derived_problems(&self, state: &State) -> Vec<Problem> {
        let (mut right, mut found) = (*state, Found::default());
        self.derive(&mut right);
        for (field, path, fits) in [
            ("sizes", "decks", right.sizes == state.sizes),
            ("shuffled", "decks", right.shuffled == state.shuffled),
            ("deck", "decks", right.deck == state.deck),
            ("closed", "discards", right.closed == state.closed),
            ("discards", "discards", right.discards == state.discards),
            ("played", "actions_played", right.played == state.played),
            ("goals_left", "goals_left", right.goals_left == state.goals_left),
        ] {
            found.refuse_if(!fits, path, format!("`{field}` does not follow from where the cards lie"));
        }
        for (i, (player, right)) in state.players.iter().zip(&right.players).enumerate() {
            let (path, message) = if i < self.players {
                (format!("players[{i}]"), "`holds`, `held` or `missing` do not follow from the rest".into())
            } else {
                ("players".into(), format!("player {i} does not exist, but has something"))
            };
            found.refuse_if(player != right, path, message);
        }
        found.0
    }

    /// Fills in everything that follows from where the cards lie, and empties the places of what does not exist.
    pub(super) fn derive(&self, state: &mut State) {
        let (resources, kinds) = (self.resources, self.kinds);
        for counts in [&mut state.discards, &mut state.closed, &mut state.shuffled] {
            counts[resources..].fill(0);
        }
        state.deck[kinds..].fill(0);
        state.played[kinds - resources..].fill(0);
        state.goals_left[self.goals.len()..].fill(0);
        state.players[self.players..].fill(PlayerState::EMPTY);
        state.sizes = Deck::ALL.map(|deck| state.deck[self.range(deck)].iter().sum());
        for k in 0..resources {
            state.closed[k] = self.copies[k] - self.copies_open(state, Kind(k as u8)) as u8;
            state.shuffled[k] = state.deck[k] + state.players.iter().map(|own| own.drawn[k]).sum::<u8>();
        }
        for player in Player::all(self.players) {
            let own = &mut state.players[player.index()];
            own.hand[kinds..].fill(0);
            own.known[resources..].fill(0);
            own.drawn[resources..].fill(0);
            own.holds = (0..kinds).filter(|&k| own.hand[k] > 0).fold(0, |set, k| set | 1 << k);
            own.held = Deck::ALL.map(|deck| own.hand[self.range(deck)].iter().sum());
            self.refresh(state, player);
        }
    }

    /// What does not fit the phase: who decides, the cards under way, the turns that have ended.
    pub(super) fn phase_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Found::default();
        let (phase, name, decider) = (state.phase, state.phase.name(), Player(state.cursor));
        let is_active = decider == state.active();
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        let (resolves, places) = (state.resolving.is_some(), state.placing.is_some());
        let chooses = is_active && !places;
        let fits = match phase {
            Phase::Shield => !places && self.may_shield(state, decider),
            Phase::Snatch => !places && !resolves && !is_active && self.may_snatch(state, decider),
            Phase::Bench => self.can_place(state, effect),
            Phase::Target => {
                chooses && matches!(effect, Some(Effect::Exchange | Effect::Lose { all: false, .. }))
            }
            Phase::Receive | Phase::Give => chooses && effect == Some(Effect::Exchange),
            Phase::Steal => chooses && matches!(effect, Some(Effect::Steal(_))),
            Phase::Take => chooses && effect == Some(Effect::Recover),
            Phase::Goal => {
                chooses && effect == Some(Effect::ExtraGoal) && state.player(decider).goal_count() == 1
            }
            _ => chooses && !resolves && (state.stage == Stage::Discard) == (phase == Phase::Discard),
        };
        let message = "does not fit who decides, the card being resolved or placed, or the stage";
        found.refuse_if(!fits, "phase", format!("`{name}` {message}"));
        let is_over =
            state.stage == Stage::Discard && !matches!(phase, Phase::Discard | Phase::Snatch | Phase::Bench);
        found.refuse_if(is_over, "stage", "`discard` is over, or has not begun");
        let is_wrong = state.partner.is_some() != matches!(phase, Phase::Receive | Phase::Give);
        found.refuse_if(is_wrong, "partner", "missing in an exchange, or given in another phase");
        let is_wrong = state.receiving.is_some() != (phase == Phase::Give);
        found.refuse_if(is_wrong, "receiving", "missing when a goal is given, or given in another phase");
        let is_wrong = state.partner.zip(state.receiving).is_some_and(|(partner, goal)| {
            let (own, other) = (state.player(state.active()).goals, state.player(Player(partner)).goals);
            (other & !own) >> goal.0 & 1 == 0
        });
        found.refuse_if(is_wrong, "receiving", "no goal that can be received from the partner");
        let is_wrong = phase == Phase::Won && state.player(state.active()).missing > 0;
        found.refuse_if(is_wrong, "phase", "the turn player has achieved no goal");
        let is_wrong = phase == Phase::Bench && effect == Some(Effect::Snatch) && state.last.is_some();
        found.refuse_if(is_wrong, "last_discard", "the last discard has just been snatched");
        self.used_problems(state, effect, &mut found);
        found.0.extend(self.turn_problems(state));
        self.stirred_problems(state, &mut found);
        self.hand_problems(state, &mut found);
        let is_stuck = fits && effect.is_some() && chooses && self.legal(state, decider).is_empty();
        let message = "the card being resolved could not be played: nothing to choose";
        found.refuse_if(is_stuck, "phase", message);
        found.0
    }

    /// Whether the player who decides can be placing a card.
    fn can_place(&self, state: &State, effect: Option<Effect>) -> bool {
        let is_active = state.cursor == state.turn_player;
        let is_specific = state.placing.is_some_and(|kind| kind.index() < self.specific);
        let in_stage = state.stage == Stage::Main || (!is_active && effect == Some(Effect::Snatch));
        let by_card = match effect {
            None | Some(Effect::Steal(_)) => is_active,
            Some(Effect::Recover) => is_active && self.options.to_table,
            Some(Effect::Snatch) => true,
            _ => false,
        };
        is_specific && in_stage && by_card
    }

    /// The card being resolved and the shields against it: they are among the played actions.
    fn used_problems(&self, state: &State, effect: Option<Effect>, found: &mut Found) {
        let played = |kind: Kind| self.copies_open(state, kind) as usize;
        if let Some(kind) = state.resolving.filter(|&kind| played(kind) == 0) {
            found.refuse("actions_played", format!("`{}` is being resolved", self.card(kind).id));
        }
        if state.shields == 0 {
            return;
        }
        let shield = state.resolving.and_then(|kind| self.shields[kind.index() - self.resources]);
        let (Phase::Shield, Some(shield), Some(Effect::Lose { what, .. })) = (state.phase, shield, effect)
        else {
            return found.refuse("shielded", "players are exempt in a shield window only");
        };
        let exempt: Vec<Player> =
            Player::all(self.players).filter(|player| state.shields >> player.0 & 1 != 0).collect();
        let message = format!("fewer `{}` than players exempt", self.card(shield).id);
        found.refuse_if(played(shield) < exempt.len(), "actions_played", message);
        let decider = self.place(state, Player(state.cursor));
        for player in exempt {
            let is_wrong =
                self.place(state, player) >= decider || !Self::would_lose(state.player(player), what);
            let message = format!(
                "player {player} does not come before the player who decides, or has nothing to lose"
            );
            found.refuse_if(is_wrong, "shielded", message);
        }
    }

    /// Hands that have just lost a card, or that would have been filled in a quiet turn (RA-R2, R2e, R23).
    fn hand_problems(&self, state: &State, found: &mut Found) {
        use Phase::{Bench, Dead, Discard, Draw, Limit, Main, Snatch, Won};
        let size = |player: Player| state.player(player).hand_size();
        // A hand of six has played, discarded or snatched nothing in this moment.
        let after_a_card = match state.phase {
            Main | Discard | Draw | Won | Dead | Limit => false,
            Bench | Snatch => !self.options.any_moment,
            _ => true,
        };
        let players = [(after_a_card, state.active()), (state.phase == Bench, Player(state.cursor))];
        if let Some((_, player)) = players.into_iter().find(|&(lost, player)| lost && size(player) >= HAND) {
            let message = format!("{HAND} cards; a card was played before `{}`", state.phase.name());
            found.refuse(format!("players[{player}].hand"), message);
        }
        // Hands that nobody has touched since were full, or could not be filled, when their turns ended.
        let can_draw = Deck::ALL.iter().any(|&deck| self.can_draw(state, deck));
        if state.stirred || !can_draw || state.phase == Won {
            return;
        }
        let latest = usize::from(!matches!(state.phase, Dead | Limit));
        for back in latest..latest + usize::from(state.quiet) {
            let player = self.after(state, ((2 * self.players - back) % self.players) as u8);
            let message =
                format!("{} cards after a quiet turn, in which the player would have drawn", size(player));
            found.refuse_if(size(player) < HAND, format!("players[{player}].hand"), message);
        }
    }

    /// What does not fit whether something has happened in this turn.
    fn stirred_problems(&self, state: &State, found: &mut Found) {
        use Phase::{Dead, Discard, Draw, Limit, Main, Snatch, Won};
        let (is_over, stirred) = (matches!(state.phase, Dead | Limit), state.stirred);
        let begins = matches!(state.phase, Main | Draw | Discard | Won)
            || (state.phase == Snatch && self.options.any_moment);
        found.refuse_if(!is_over && !begins && !stirred, "stirred", "a card was played in this turn");
        found.refuse_if(is_over && stirred, "stirred", "no turn is under way");
        let player = state.player(state.active());
        let is_full = player.hand_size() >= HAND && player.known == [0; MAX_RESOURCES];
        let untouched = state.phase == Main && is_full && !self.options.any_moment;
        let message = "nothing was played in this turn from a hand of six";
        found.refuse_if(untouched && stirred, "stirred", message);
    }

    /// What does not fit the number of turns that have ended (RA-R1d, R2, R23, R24).
    fn turn_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Found::default();
        let (turn, last, quiet) = (state.turn, self.options.turns, usize::from(state.quiet));
        let (fits, is_over) = match state.phase {
            Phase::Dead => (quiet == self.players && turn > 0, true),
            // After a quiet round somebody has a choice; in a sample that may be a hand that nobody has.
            Phase::Limit => (turn == last, true),
            _ => (turn < last, false),
        };
        let message = format!("{turn} turns, {quiet} of them quiet: that is not `{}`", state.phase.name());
        found.refuse_if(!fits, "turn", message);
        // Turns go round from the first player; the last turn of an episode ends without another beginning.
        let begun = turn.saturating_sub(is_over.into());
        if let Some(first) = self.options.first {
            let player = first.relative(usize::from(begun) % self.players, self.players);
            let message = format!("player {player} has turn {begun} after player {first} has begun");
            found.refuse_if(player != state.active(), "turn_player", message);
        }
        let least = self.turns_needed(state);
        let message = format!("{turn}; quiet turns and the cards drawn and played take at least {least}");
        found.refuse_if(turn < least, "turn", message);
        found.0
    }

    /// The number of turns of a position that does not say it: the least that fits.
    pub(super) fn least_turn(&self, state: &State) -> u16 {
        let fits = |&turn: &u16| self.turn_problems(&State { turn, ..*state }).is_empty();
        (self.turns_needed(state)..=self.options.turns).find(fits).unwrap_or(0)
    }

    /// The fewest turns that can have ended. In a turn its player plays or discards at most a hand of six cards and draws as many
    /// (RA-R2, R2e). Only fast cards leave the other hands. In quiet turns no card moves.
    fn turns_needed(&self, state: &State) -> u16 {
        let hand = u32::from(HAND);
        let size = u32::from(state.player(state.active()).hand_size());
        // What the turn under way can have played and drawn.
        let (played_now, drawn_now) = match state.phase {
            _ if !state.stirred => (0, 0),
            Phase::Draw => (hand, size),
            _ => (hand - size, 0),
        };
        let is_fast = |kind| matches!(self.effect(kind), Some(Effect::Snatch | Effect::Shield { .. }));
        let (mut fast, mut played, mut drawn) = (0, 0, 0);
        for deck in Deck::ALL {
            let mut outside = 0;
            for kind in self.range(deck).map(|k| Kind(k as u8)) {
                *(if is_fast(kind) { &mut fast } else { &mut played }) += self.copies_open(state, kind);
                outside += self.copies_outside(state, kind);
            }
            // The deal accounts for the first cards of each deck.
            drawn += outside.saturating_sub((DEALT * self.players) as u32);
        }
        let turns = |cards: u32, now: u32| cards.saturating_sub(now).div_ceil(hand);
        let turns = turns(played, played_now).max(turns(drawn, drawn_now));
        // Before the first play there is nothing but the deal.
        let most = |player: &PlayerState| player.held.iter().any(|&held| usize::from(held) > DEALT);
        let is_dealt = fast + played == 0 && !state.players.iter().any(most);
        let turns = turns.max((!state.stirred && !is_dealt).into());
        let is_over = matches!(state.phase, Phase::Dead | Phase::Limit);
        (u32::from(state.quiet) + turns).max(is_over.into()) as u16
    }

    /// What the engine would have done before it waits for a decision.
    fn settled_problems(&self, state: &State) -> Vec<Problem> {
        let mut found = Found::default();
        let player = Player(state.cursor);
        let own = state.player(player);
        let is_settled = match state.phase {
            Phase::Main => {
                let claims = own.missing == 0;
                // In a determinization, END_TURN may be the only legal action.
                !(claims && self.options.auto_claim) && (own.hand_size() > 0 || claims)
            }
            Phase::Shield | Phase::Snatch | Phase::Won | Phase::Dead | Phase::Limit => true,
            Phase::Bench => own.chooses_bench(),
            Phase::Discard => own.hand_size() > 0,
            _ => self.legal(state, player).len() > 1,
        };
        found.refuse_if(!is_settled, "phase", "nothing is left to decide here");
        found.0
    }
}
