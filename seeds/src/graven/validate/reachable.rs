//! What play can reach (GV-R1c): the order of turns, and counters, marks, losses and winners that the rules allow.
//!
//! Cards that a position leaves out are out of the game, so nothing is concluded from a card that is missing.

use super::super::Graven;
use super::super::cards::{
    Ability, Card, Cond, Cost, Limit, Mod, ModKind, Moment, Stat, Step, To, Verb, Who,
};
use super::super::rules::MAX_TURN_DECISIONS;
use super::super::state::{
    BACK, Cards, FIRST, MAY, NONE, Phase, PlayerState, Stage, State, Timing, What, bits,
};
use playmat_core::prelude::*;

/// Problems found so far.
type Found = Vec<Problem>;

fn wrong(found: &mut Found, path: impl Into<String>, message: impl Into<String>) {
    found.push(Problem::new(path, message));
}

/// What changes of a Survey Score this turn can sum up to.
#[derive(Default)]
struct Changes {
    /// The least and the most.
    least: i64,
    most: i64,
    /// Every sum is a multiple of this; 0 if there is no change.
    unit: i64,
}

impl Changes {
    fn add(&mut self, n: i8, uses: i64) {
        if uses > 0 {
            let sum = i64::from(n) * uses;
            (self.least, self.most) = (self.least + sum.min(0), self.most + sum.max(0));
            let (mut a, mut b) = (self.unit, i64::from(n.unsigned_abs()));
            while b != 0 {
                (a, b) = (b, a % b);
            }
            self.unit = a;
        }
    }
}

impl Graven {
    /// Everything that no play leads to, in a state whose cards and decisions are possible by themselves.
    pub(super) fn reach_problems(&self, s: &State, found: &mut Found) {
        self.end_of_losers(s, found);
        if s.stage == Stage::Build {
            if self.options.first.is_some_and(|first| first != s.turn_player) {
                wrong(found, "turn_player", "not the first player, before the deal");
            }
            return;
        }
        self.order_problems(s, found);
        self.counter_problems(s, found);
        self.activation_problems(s, found);
        for player in (0..self.players as u8).filter(|&player| s.player(player) != &PlayerState::EMPTY) {
            self.used_problems(s, player, found);
            self.modifier_problems(s, player, found);
            self.known_problems(s, player, found);
        }
        if s.stage == Stage::Survey && !s.phase.is_over() && found.is_empty() {
            self.survey_problems(s, found);
        }
    }

    /// Whether nothing can have happened in this turn but its draw.
    fn is_calm(s: &State) -> bool {
        s.stage == Stage::Draw || (s.stage == Stage::Play && s.humans == 0 && !s.invoked)
    }

    /// Abilities with their kinds.
    fn abilities(&self) -> impl Iterator<Item = (u8, Timing, &Ability)> + Clone {
        self.cards.iter().enumerate().flat_map(|(kind, card)| {
            let all = Timing::ALL.into_iter();
            all.filter_map(move |timing| Some((kind as u8, timing, card.ability(timing)?)))
        })
    }

    /// Who is out of the game has lost by the own cards; what the earlier ones owned has left the game (GV-R2, Q5).
    fn end_of_losers(&self, s: &State, found: &mut Found) {
        for player in (0..self.players as u8).filter(|&player| !s.plays(player)) {
            let path = format!("players[{player}]");
            if !s.phase.is_over() {
                if !s.fielded(player).is_empty() {
                    wrong(found, path, "out of the game, but own cards lie on a field");
                }
                continue;
            }
            let own = s.player(player);
            if !own.deck.is_empty() && own.discard.of(self.titan_kinds).total() < 3 {
                wrong(
                    found,
                    path,
                    "out of the game with a deck and fewer than three Titans in the discard pile",
                );
            } else if s.in_game == 0 && s.winners >> player & 1 == 0 && self.is_last_loser(s, player) {
                wrong(found, path, "lost before those who share the victory, but has cards in the game");
            }
        }
    }

    /// Whether a player who is out lost in the step that ended the game: then the cards stay (GV-Q5).
    fn is_last_loser(&self, s: &State, player: u8) -> bool {
        s.phase.is_over()
            && !s.plays(player)
            && (*s.player(player) != PlayerState::EMPTY || !s.fielded(player).is_empty())
    }

    /// Turns go clockwise from the first player and skip who is out (GV-R5a, R8, Q14).
    fn order_problems(&self, s: &State, found: &mut Found) {
        let ended = s.turns - u16::from(s.phase == Phase::Cut && s.turns > 0);
        let mut firsts =
            (0..self.players as u8).filter(|&first| self.options.first.is_none_or(|f| f == first));
        if !firsts.any(|first| self.turns_fit(s, first, ended)) {
            let first = self.options.first.map_or("any player".into(), |first| format!("player {first}"));
            let message = format!(
                "{ended} turns have ended and player {} has a turn: that does not fit turns that go clockwise from {first}, \
                 or `had_turn` and `in_game`",
                s.turn_player
            );
            wrong(found, "turn", message);
        }
    }

    /// Whether `ended` turns can have ended, if this player was the first.
    fn turns_fit(&self, s: &State, first: u8, ended: u16) -> bool {
        let t = s.turn_player;
        // T has had `rounds` whole turns; everybody still there as many, and one more who comes before T.
        (0..=ended).any(|rounds| {
            let (mut least, mut most) = (0, 0);
            for player in 0..self.players as u8 {
                let before = self.distance(first, player) < self.distance(first, t);
                let turns = rounds + u16::from(before);
                if s.plays(player) || player == t || self.is_last_loser(s, player) {
                    if s.has_had(player) != (player == t || turns > 0) {
                        return false;
                    }
                    (least, most) = (least + turns, most + turns);
                } else if s.has_had(player) {
                    if turns == 0 {
                        return false;
                    }
                    (least, most) = (least + 1, most + turns);
                }
            }
            (least..=most).contains(&ended)
        })
    }

    /// The least number of turns that fits everything else, if one does; 0 otherwise.
    pub(crate) fn least_turns(&self, s: &State) -> u16 {
        let fits = |ended: &u16| {
            let mut firsts =
                (0..self.players as u8).filter(|&first| self.options.first.is_none_or(|f| f == first));
            firsts.any(|first| self.turns_fit(s, first, *ended))
        };
        (0..=4 * self.players as u16).find(fits).unwrap_or(0)
    }

    /// What is counted in a turn (GV-R3 to R5).
    fn counter_problems(&self, s: &State, found: &mut Found) {
        let mods = self.cards.iter().flat_map(Card::mods);
        let passive =
            mods.filter(|entry| entry.kind == ModKind::Plays).map(|entry| entry.n).max().unwrap_or(0);
        let most = 2 + u32::from(passive.max(0).unsigned_abs()) + u32::from(s.extra);
        if u32::from(s.humans) > most {
            let message = format!("{}; at most {most} with {} extra plays", s.humans, s.extra);
            wrong(found, "humans_played", message);
        }
        let most = if Self::is_calm(s) || self.restricted(s) { 0 } else { self.most_extra(s) };
        if u32::from(s.extra) > most {
            wrong(found, "extra_plays", format!("{}; effects can have granted at most {most}", s.extra));
        }
        let most = match s.stage {
            _ if s.phase.is_over() => MAX_TURN_DECISIONS,
            Stage::Draw => 0,
            // The number drawn; the Titan, and two cards to sacrifice with their owners, of which the last is decided.
            _ if Self::is_calm(s) => {
                if s.invoking.is_some() {
                    5
                } else {
                    1
                }
            }
            _ => MAX_TURN_DECISIONS,
        };
        if s.turn_decisions > most {
            wrong(found, "questions", format!("{}; at most {most} in this turn so far", s.turn_decisions));
        }
        if Self::is_calm(s) {
            let idle = s.queue.is_empty() && s.effect.is_none() && s.window.is_none();
            if !idle {
                wrong(found, "stage", "an effect or trigger, before anything was put into play in this turn");
            }
            if s.turns == 0 && s.invoking.is_none() && !s.phase.is_over() {
                self.deal_problems(s, found);
            }
        }
    }

    /// Before anybody has put a card into play there are hands and decks alone (GV-R1).
    fn deal_problems(&self, s: &State, found: &mut Found) {
        for player in 0..self.players as u8 {
            let own = s.player(player);
            let path = |name: &str| format!("players[{player}].{name}");
            for (name, is_empty) in [
                ("front", s.kinds_on(player, 0) == 0),
                ("back", s.kinds_on(player, BACK) == 0),
                ("discard", own.discard.is_empty()),
                ("known_hand", own.known.is_empty()),
                ("used", own.used == 0),
            ] {
                if !is_empty {
                    wrong(found, path(name), "not empty, although nothing has happened since the deal");
                }
            }
            let drew = player == s.turn_player && s.stage == Stage::Play;
            let (size, most) = (own.hand.total(), 7 + u32::from(drew));
            if size > most {
                wrong(found, path("hand"), format!("{size} cards; at most {most} so soon after the deal"));
            }
        }
    }

    /// Most extra plays that effects can have granted in this turn.
    fn most_extra(&self, s: &State) -> u32 {
        // In the Play Phase cards leave T's Back Line for a sacrifice, and by effects that could then go on without end.
        let in_play_phase = |timing: Timing, ability: &Ability| match timing {
            Timing::Enter | Timing::Discarded => true,
            Timing::Window => ability.event == Moment::Destroyed,
            _ => false,
        };
        let takes = |kind: u8, timing: Timing, step: &Step| {
            // A Titan enters in its own player's turn alone.
            let of_others = timing == Timing::Enter && self.is_titan(kind) && !step.held && !step.own;
            let leaves = matches!(step.verb, Verb::Destroy | Verb::Return | Verb::Move | Verb::Control);
            leaves && step.lines >> BACK & 1 != 0 && !of_others
        };
        let mut all = self.abilities().filter(|(_, timing, ability)| in_play_phase(*timing, ability));
        let endless =
            all.any(|(kind, timing, ability)| ability.steps().iter().any(|step| takes(kind, timing, step)));
        let again = if s.invoked { 2 } else { 0 };
        let (mut sum, mut titan) = (0, 0);
        for (kind, timing, ability) in
            self.abilities().filter(|(_, timing, ability)| in_play_phase(*timing, ability))
        {
            let steps = ability.steps().iter().filter(|step| step.verb == Verb::Plays);
            let n: u32 = steps.map(|step| u32::from(step.n.unsigned_abs())).sum();
            match (n, ability.limit, timing) {
                (0, ..) => {}
                (_, Limit::Turn | Limit::Game, _) => sum += n,
                (_, _, Timing::Enter) if self.is_titan(kind) => titan = n.max(titan),
                (_, _, Timing::Enter) if !endless => sum += n * (3 + again),
                _ => return u32::MAX,
            }
        }
        sum + if s.invoked { titan } else { 0 }
    }

    /// Cards that were activated more often, or by others, than their limits allow (GV-Q7, Q7a, R11a, R11b).
    fn activation_problems(&self, s: &State, found: &mut Found) {
        let t = s.turn_player;
        if !s.plays(t) && !s.phase.is_over() && (s.activations != Cards::EMPTY || s.spent != Cards::EMPTY) {
            wrong(found, "activations", "the turn player is out of the game");
        }
        for (kind, count) in s.activations.iter() {
            let Some(ability) = self.cards[usize::from(kind)].ability(Timing::Activate) else { continue };
            let id = &self.cards[usize::from(kind)].id;
            let limited = ability.limit != Limit::None;
            if limited && (count > 1 || s.player(t).used >> kind & 1 == 0) {
                let message = format!("{count}; its limit allows one, which is then among `used`");
                wrong(found, format!("activations.{id}"), message);
            }
            if ability.costs().contains(&Cost::DestroySelf) && s.spent.count(kind) > 0 {
                wrong(found, format!("spent.{id}"), "a copy that is activated is destroyed, not spent");
            }
        }
        // A Titan enters when the turn player invokes it, and nowhere else.
        let invoked = |player: u8, kind: u8| !self.is_titan(kind) || (s.invoked && player == t);
        for (at, entry) in s.queue.iter().enumerate() {
            if entry.what == What::Enter && !invoked(entry.player, entry.kind) {
                wrong(found, format!("queue[{at}]"), "a Titan that the turn player has not invoked");
            }
        }
        let Some(running) = s.effect else { return };
        if running.timing == Timing::Enter && !invoked(running.player, running.kind) {
            wrong(found, "effect", "a Titan that the turn player has not invoked");
        }
        let Some(ability) = self.cards[usize::from(running.kind)].ability(running.timing) else { return };
        if running.timing == Timing::Activate && s.activations.count(running.kind) == 0 {
            wrong(found, "activations", "without the effect that is being resolved");
        }
        let used = s.player(running.player).used >> running.kind & 1 != 0;
        if ability.limit != Limit::None && used == (running.stage == MAY) {
            let message = "a limit is used up when its effect begins, and not before";
            wrong(found, format!("players[{}].used", running.player), message);
        }
        let step = running.stage.wrapping_sub(FIRST);
        let steps = &ability.steps()[..ability.steps().len().min(usize::from(step.wrapping_add(1)))];
        if running.opponent != NONE && !steps.iter().any(|step| step.who == Who::Opponent) {
            wrong(found, "effect.opponent", "chosen, although no step so far needs one");
        }
        let takes_back = steps.iter().any(|step| {
            matches!(step.verb, Verb::Resurrect | Verb::Recover | Verb::Recycle | Verb::Return | Verb::Draw)
        });
        let from_hand = matches!(running.timing, Timing::Hand | Timing::Window);
        if from_hand && !takes_back && s.player(running.player).discard.count(running.kind) == 0 {
            let message = "without the card whose effect is being resolved, which was discarded first";
            wrong(found, format!("players[{}].discard", running.player), message);
        }
        if let Some(step) = steps.last().filter(|step| step.verb == Verb::Recycle) {
            let begun = running.left > 0 && running.left < step.n.unsigned_abs();
            if begun != (running.last != NONE) || (begun && step.kinds >> (running.last & 63) & 1 == 0) {
                wrong(found, "effect.last", "the card recycled last, if one was");
            }
        }
    }

    /// Limits that this player cannot have used up yet (GV-R11a, R11b).
    fn used_problems(&self, s: &State, player: u8, found: &mut Found) {
        let t = s.turn_player;
        for kind in bits(s.player(player).used) {
            let limited =
                Timing::ALL.into_iter().find(|timing| self.limited[*timing as usize] >> kind & 1 != 0);
            let Some(timing) = limited else { continue };
            let Some(ability) = self.cards[usize::from(kind)].ability(timing) else { continue };
            let now = ability.limit == Limit::Turn;
            // Effects of the own Effect Phase, and of a Titan that was invoked.
            let own = matches!(timing, Timing::Activate | Timing::Hand);
            let invoked = timing == Timing::Enter && self.is_titan(kind);
            let survey = timing == Timing::Window && ability.event == Moment::SurveyLoss;
            let early = matches!(s.stage, Stage::Draw | Stage::Play);
            let first = self.restricted(s) && player == t;
            let fits = if now {
                !Self::is_calm(s)
                    && (!own || (player == t && !early))
                    && (!invoked || (player == t && s.invoked))
                    && (!survey || matches!(s.stage, Stage::Survey | Stage::Settle))
                    && (timing != Timing::Activate || s.activations.count(kind) > 0 || !s.plays(t))
            } else {
                (!(own || invoked) || s.has_had(player))
                    && !(own && first && early)
                    && !(invoked && first && !s.invoked)
            };
            if !fits {
                let id = &self.cards[usize::from(kind)].id;
                let when = if now { "this turn" } else { "the game" };
                let message = format!("`{id}` cannot have been used in {when} by now");
                wrong(found, format!("players[{player}].used"), message);
            }
        }
    }

    /// Modifiers are sums of what effects of this turn can have added (GV-R8).
    fn modifier_problems(&self, s: &State, player: u8, found: &mut Found) {
        let modifier = i64::from(s.player(player).modifier);
        if modifier == 0 {
            return;
        }
        let mut changes = Changes::default();
        if !Self::is_calm(s) {
            for (kind, timing, ability) in self.abilities() {
                for step in ability.steps().iter().filter(|step| step.verb == Verb::Survey) {
                    changes.add(step.n, self.uses_on(s, player, (kind, timing, ability), step));
                }
            }
        }
        let fits = changes.unit > 0
            && modifier % changes.unit == 0
            && (changes.least..=changes.most).contains(&modifier);
        if !fits {
            let Changes { least, most, unit } = changes;
            let steps = if unit > 1 { format!(" in steps of {unit}") } else { String::new() };
            let message = format!("{modifier}; effects of this turn give {least} to {most}{steps}");
            wrong(found, format!("players[{player}].modifier"), message);
        }
    }

    /// How often a step can have changed a player's Survey Score in this turn.
    fn uses_on(
        &self,
        s: &State,
        player: u8,
        (kind, timing, ability): (u8, Timing, &Ability),
        step: &Step,
    ) -> i64 {
        let t = s.turn_player;
        let own = matches!(timing, Timing::Activate | Timing::Hand);
        let invoked = timing == Timing::Enter && self.is_titan(kind);
        let reached = match timing {
            Timing::Activate | Timing::Hand => !matches!(s.stage, Stage::Draw | Stage::Play),
            Timing::Window if ability.event == Moment::SurveyLoss => {
                matches!(s.stage, Stage::Survey | Stage::Settle)
            }
            _ => true,
        };
        let hits = match (own || invoked, step.who) {
            (_, Who::Opponent) if !s.has_had(player) => false,
            (true, Who::You) => player == t,
            (true, Who::Opponent | Who::EachOpponent) => player != t,
            _ => true,
        };
        if !(reached && hits) {
            return 0;
        }
        let limited = ability.limit != Limit::None;
        match timing {
            Timing::Activate if s.plays(t) => s.activations.count(kind).into(),
            Timing::Activate => 3,
            _ if limited => {
                if own || invoked {
                    1
                } else {
                    self.players as i64
                }
            }
            Timing::Enter if invoked => s.invoked.into(),
            // Each use is an answer; of triggers at most 64 follow.
            Timing::Hand => MAX_TURN_DECISIONS.into(),
            _ => 65 * i64::from(MAX_TURN_DECISIONS),
        }
    }

    /// Cards are known in a hand because an effect brought or showed them, or a Titan is being invoked (GV-K1).
    fn known_problems(&self, s: &State, player: u8, found: &mut Found) {
        let shows = |step: &Step| match step.verb {
            Verb::Return => step.to == To::Hand,
            Verb::Recover | Verb::Reveal => true,
            Verb::Search => self.options.shows_search,
            // Of a loser's field cards of others go to their hands.
            Verb::Control => self.players > 2,
            _ => false,
        };
        let named =
            s.invoking.filter(|_| player == s.turn_player).map_or(0, |invoking| 1u64 << invoking.kind);
        let known = s.player(player).known.kinds() & !named;
        if known != 0 && !self.abilities().any(|(.., ability)| ability.steps().iter().any(shows)) {
            wrong(
                found,
                format!("players[{player}].known_hand"),
                "no effect of the content shows a card of a hand",
            );
        }
    }

    /// Losses of the Survey follow from the scores, less what its windows took off (GV-R7b, R18b).
    fn survey_problems(&self, s: &State, found: &mut Found) {
        let taking = self
            .abilities()
            .filter(|(_, timing, ability)| *timing == Timing::Window && ability.event == Moment::SurveyLoss);
        // Scores, too, may have changed in the windows, unless they take off losses and nothing else.
        let fixed =
            taking.clone().all(|(.., ability)| ability.steps().iter().all(|step| step.verb == Verb::Ward));
        let changing = [ModKind::Survey, ModKind::SurveyPer, ModKind::Ward, ModKind::FrontPassives];
        let by_cards = |entry: &Mod| {
            changing.contains(&entry.kind)
                && entry.cond != Cond::ALWAYS
                && matches!(entry.cond.stat, Stat::Hand | Stat::Deck)
        };
        // A Titan discarded as a cost can lose the game for its player.
        let costs = taking.clone().any(|(.., ability)| !ability.costs().is_empty());
        let fixed = fixed && !costs && !self.cards.iter().flat_map(Card::mods).any(by_cards);
        let highest = self.highest(s);
        let here: Vec<u8> = self.in_order(s).filter(|&player| self.takes_part(s, player)).collect();
        if !fixed {
            if !here.iter().any(|&player| s.player(player).loss == 0)
                && s.in_game == Players::all(self.players).0
            {
                wrong(found, "players", "everybody loses in the Survey; the highest score loses nothing");
            }
            return;
        }
        let mut decider = true;
        for player in here {
            let full = (highest - self.survey_score(s, player) - self.wards(s, player)).max(0) as u32;
            let loss = u32::from(s.player(player).loss);
            let less = full.wrapping_sub(loss);
            // Cards that were used lie in the discard pile.
            let mut sums = vec![true];
            for (kind, _, ability) in taking.clone() {
                let n: usize = ability.steps().iter().map(|step| usize::from(step.n.unsigned_abs())).sum();
                for _ in 0..s.player(player).discard.count(kind) {
                    for at in (0..sums.len()).rev().filter(|&at| sums[at]).collect::<Vec<_>>() {
                        sums.resize(sums.len().max(at + n + 1), false);
                        sums[at + n] = true;
                    }
                }
            }
            let less_fits = match usize::try_from(less) {
                _ if loss > full => false,
                _ if less == 0 => true,
                _ if !decider => false,
                Ok(less) if loss == 0 => sums.len() > less,
                Ok(less) => sums.get(less).copied().unwrap_or(false),
                Err(_) => false,
            };
            if !less_fits {
                let message = if decider && full > 0 {
                    format!("{loss}; scores and wards give {full}, less what the windows took off")
                } else {
                    format!("{loss}; scores and wards give {full}")
                };
                wrong(found, format!("players[{player}].loss"), message);
            }
            decider &= player != s.ward;
        }
    }
}
