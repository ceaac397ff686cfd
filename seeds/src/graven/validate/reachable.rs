//! What play can reach (GV-R1c): the order of turns, and counters, marks, losses and winners that the rules allow.
//!
//! Cards that a position leaves out are out of the game, so nothing is concluded from a card that is missing.

use super::super::Graven;
use super::super::cards::{Ability, Cond, Cost, Limit, Mod, ModKind, Moment, Stat, Step, To, Verb, Who};
use super::super::rules::MAX_TURN_DECISIONS;
use super::super::state::{
    BACK, Cards, FIRST, FRONT, MAY, NONE, Phase, PlayerState, Stage, State, Timing, What, bits,
};
use super::Check;
use playmat_core::prelude::*;

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

impl Check<'_> {
    /// Everything that no play leads to, in a state whose cards and decisions are possible by themselves.
    pub(super) fn reach(&mut self) {
        let s = self.s;
        self.losers();
        if s.stage == Stage::Build {
            let other = self.options.first.is_some_and(|first| first != s.turn_player);
            return self.wrong_if(other, "turn_player", "not the first player, before the deal");
        }
        self.order();
        self.counters();
        self.activations();
        for player in (0..self.players as u8).filter(|&player| s.player(player) != &PlayerState::EMPTY) {
            self.used(player);
            self.modifier(player);
            self.known(player);
        }
        if s.stage == Stage::Survey && !s.phase.is_over() && self.found.is_empty() {
            self.survey();
        }
    }

    /// Who is out of the game has lost by the own cards; what the earlier ones owned has left the game (GV-R2, Q5).
    fn losers(&mut self) {
        let s = self.s;
        for player in (0..self.players as u8).filter(|&player| !s.plays(player)) {
            let path = format!("players[{player}]");
            if !s.phase.is_over() {
                let lie = !s.fielded(player).is_empty();
                self.wrong_if(lie, path, "out of the game, but own cards lie on a field");
                continue;
            }
            let own = s.player(player);
            if !own.deck.is_empty() && own.discard.of(self.titan_kinds).total() < 3 {
                let message = "out of the game with a deck and fewer than three Titans in the discard pile";
                self.wrong(path, message);
            } else if s.in_game == 0 && s.winners >> player & 1 == 0 && Graven::is_last_loser(s, player) {
                self.wrong(path, "lost before those who share the victory, but has cards in the game");
            }
        }
    }

    /// Turns go clockwise from the first player and skip who is out (GV-R5a, R8, Q14).
    fn order(&mut self) {
        let s = self.s;
        let ended = s.turns - u16::from(s.phase == Phase::Cut && s.turns > 0);
        if !self.turns_fit(s, ended) {
            let first = self.options.first.map_or("any player".into(), |first| format!("player {first}"));
            let message = format!(
                "{ended} turns have ended and player {} has a turn: that does not fit turns that go clockwise from {first}, \
                 or `had_turn` and `in_game`",
                s.turn_player
            );
            self.wrong("turn", message);
        }
    }

    /// What is counted in a turn (GV-R3 to R5).
    fn counters(&mut self) {
        let (s, is_calm) = (self.s, Graven::is_calm(self.s));
        let mods =
            self.cards.iter().flat_map(|card| card.mods.iter()).filter(|entry| entry.kind == ModKind::Plays);
        let passive = mods.map(|entry| entry.n).max().unwrap_or(0);
        let most = 2 + u32::from(passive.max(0).unsigned_abs()) + u32::from(s.extra);
        if u32::from(s.humans) > most {
            let message = format!("{}; at most {most} with {} extra plays", s.humans, s.extra);
            self.wrong("humans_played", message);
        }
        let most = if is_calm || self.restricted(s) { 0 } else { self.most_extra(s) };
        if u32::from(s.extra) > most {
            self.wrong("extra_plays", format!("{}; effects can have granted at most {most}", s.extra));
        }
        let most = match s.stage {
            _ if s.phase.is_over() || !is_calm => MAX_TURN_DECISIONS,
            Stage::Draw => 0,
            // The number drawn; the Titan, and two cards to sacrifice with their owners, of which the last is decided.
            _ if s.invoking.is_some() => 5,
            _ => 1,
        };
        if s.turn_decisions > most {
            self.wrong("questions", format!("{}; at most {most} in this turn so far", s.turn_decisions));
        }
        if is_calm {
            let idle = s.queue.is_empty() && s.effect.is_none() && s.window.is_none();
            let message = "an effect or trigger, before anything was put into play in this turn";
            self.wrong_if(!idle, "stage", message);
            if s.turns == 0 && s.invoking.is_none() && !s.phase.is_over() {
                self.deal();
            }
        }
    }

    /// Before anybody has put a card into play there are hands and decks alone (GV-R1).
    fn deal(&mut self) {
        let s = self.s;
        for player in 0..self.players as u8 {
            let own = s.player(player);
            for (name, is_empty) in [
                ("front", s.kinds_on(player, FRONT) == 0),
                ("back", s.kinds_on(player, BACK) == 0),
                ("discard", own.discard.is_empty()),
                ("known_hand", own.known.is_empty()),
                ("used", own.used == 0),
            ] {
                let message = "not empty, although nothing has happened since the deal";
                self.wrong_if(!is_empty, (player, name), message);
            }
            let drew = player == s.turn_player && s.stage == Stage::Play;
            let (size, most) = (own.hand.total(), 7 + u32::from(drew));
            if size > most {
                self.wrong((player, "hand"), format!("{size} cards; at most {most} so soon after the deal"));
            }
        }
    }

    /// Cards that were activated more often, or by others, than their limits allow (GV-Q7, Q7a, R11a, R11b).
    fn activations(&mut self) {
        let (game, s, t) = (self.game, self.s, self.s.turn_player);
        let out = !s.plays(t) && !s.phase.is_over();
        let any = s.activations != Cards::EMPTY || s.spent != Cards::EMPTY;
        self.wrong_if(out && any, "activations", "the turn player is out of the game");
        for (kind, count) in s.activations.iter() {
            let Some(ability) = game.ability(kind, Timing::Activate) else { continue };
            let id = &game.card(kind).id;
            let limited = ability.limit != Limit::None;
            if limited && (count > 1 || s.player(t).used >> kind & 1 == 0) {
                let message = format!("{count}; its limit allows one, which is then among `used`");
                self.wrong(format!("activations.{id}"), message);
            }
            let destroyed = ability.costs.contains(&Cost::DestroySelf) && s.spent.count(kind) > 0;
            let message = "a copy that is activated is destroyed, not spent";
            self.wrong_if(destroyed, format!("spent.{id}"), message);
        }
        // A Titan enters when the turn player invokes it, and nowhere else.
        let not_invoked = |player: u8, kind: u8| game.is_titan(kind) && !(s.invoked && player == t);
        let message = "a Titan that the turn player has not invoked";
        for (at, entry) in s.queue.iter().enumerate() {
            let enters = entry.what == What::Enter && not_invoked(entry.player, entry.kind);
            self.wrong_if(enters, format!("queue[{at}]"), message);
        }
        let Some(running) = s.effect else { return };
        let (player, kind) = (running.player, running.kind);
        self.wrong_if(running.timing == Timing::Enter && not_invoked(player, kind), "effect", message);
        let Some(ability) = game.ability(kind, running.timing) else { return };
        let missing = running.timing == Timing::Activate && s.activations.count(kind) == 0;
        self.wrong_if(missing, "activations", "without the effect that is being resolved");
        let used = s.player(player).used >> kind & 1 != 0;
        let fits = ability.limit == Limit::None || used != (running.stage == MAY);
        self.wrong_if(!fits, (player, "used"), "a limit is used up when its effect begins, and not before");
        let step = running.stage.wrapping_sub(FIRST);
        let steps = &ability.steps[..ability.steps.len().min(usize::from(step.wrapping_add(1)))];
        let chosen = running.opponent != NONE && !steps.iter().any(|step| step.who == Who::Opponent);
        self.wrong_if(chosen, "effect.opponent", "chosen, although no step so far needs one");
        use Verb::{Draw, Recover, Recycle, Resurrect, Return};
        let takes_back =
            steps.iter().any(|step| matches!(step.verb, Resurrect | Recover | Recycle | Return | Draw));
        let from_hand = matches!(running.timing, Timing::Hand | Timing::Window);
        let gone = from_hand && !takes_back && s.player(player).discard.count(kind) == 0;
        let message = "without the card whose effect is being resolved, which was discarded first";
        self.wrong_if(gone, (player, "discard"), message);
        if let Some(step) = steps.last().filter(|step| step.verb == Verb::Recycle) {
            let begun = running.left > 0 && running.left < step.n.unsigned_abs();
            let other =
                begun != (running.last != NONE) || (begun && step.kinds >> (running.last & 63) & 1 == 0);
            self.wrong_if(other, "effect.last", "the card recycled last, if one was");
        }
    }

    /// Limits that this player cannot have used up yet (GV-R11a, R11b).
    fn used(&mut self, player: u8) {
        let (game, s, t) = (self.game, self.s, self.s.turn_player);
        for kind in bits(s.player(player).used) {
            let limited = game.abilities_of(kind).find(|(_, ability)| ability.limit != Limit::None);
            let Some((timing, ability)) = limited else { continue };
            let now = ability.limit == Limit::Turn;
            // Effects of the own Effect Phase, and of a Titan that was invoked.
            let own = timing.is_of_effect_phase();
            let invoked = timing == Timing::Enter && game.is_titan(kind);
            let early = matches!(s.stage, Stage::Draw | Stage::Play);
            let first = game.restricted(s) && player == t;
            let fits = if now {
                !Graven::is_calm(s)
                    && Graven::is_reached(s, timing, ability)
                    && (!own || player == t)
                    && (!invoked || (player == t && s.invoked))
                    && (timing != Timing::Activate || s.activations.count(kind) > 0 || !s.plays(t))
            } else {
                (!(own || invoked) || s.has_had(player))
                    && !(own && first && early)
                    && !(invoked && first && !s.invoked)
            };
            if !fits {
                let (id, when) = (&game.card(kind).id, if now { "this turn" } else { "the game" });
                self.wrong((player, "used"), format!("`{id}` cannot have been used in {when} by now"));
            }
        }
    }

    /// Modifiers are sums of what effects of this turn can have added (GV-R8).
    fn modifier(&mut self, player: u8) {
        let s = self.s;
        let modifier = i64::from(s.player(player).modifier);
        if modifier == 0 {
            return;
        }
        let mut changes = Changes::default();
        if !Graven::is_calm(s) {
            for (kind, timing, ability) in self.abilities() {
                for step in ability.steps.iter().filter(|step| step.verb == Verb::Survey) {
                    changes.add(step.n, self.uses_on(s, player, (kind, timing, ability), step));
                }
            }
        }
        let Changes { least, most, unit } = changes;
        if unit == 0 || modifier % unit != 0 || !(least..=most).contains(&modifier) {
            let steps = if unit > 1 { format!(" in steps of {unit}") } else { String::new() };
            let message = format!("{modifier}; effects of this turn give {least} to {most}{steps}");
            self.wrong((player, "modifier"), message);
        }
    }

    /// Cards are known in a hand because an effect brought or showed them, or a Titan is being invoked (GV-K1).
    fn known(&mut self, player: u8) {
        let s = self.s;
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
        if known != 0 && !self.abilities().any(|(.., ability)| ability.steps.iter().any(shows)) {
            self.wrong((player, "known_hand"), "no effect of the content shows a card of a hand");
        }
    }

    /// Losses of the Survey follow from the scores, less what its windows took off (GV-R7b, R18b).
    fn survey(&mut self) {
        let (game, s) = (self.game, self.s);
        let is_taking = |timing, event| timing == Timing::Window && event == Moment::SurveyLoss;
        let taking = game.abilities().filter(|(_, timing, ability)| is_taking(*timing, ability.event));
        // Scores, too, may have changed in the windows, unless they take off losses and nothing else.
        let fixed =
            taking.clone().all(|(.., ability)| ability.steps.iter().all(|step| step.verb == Verb::Ward));
        let changing = [ModKind::Survey, ModKind::SurveyPer, ModKind::Ward, ModKind::FrontPassives];
        let by_cards = |entry: &Mod| {
            changing.contains(&entry.kind)
                && entry.cond != Cond::ALWAYS
                && matches!(entry.cond.stat, Stat::Hand | Stat::Deck)
        };
        // A Titan discarded as a cost can lose the game for its player.
        let costs = taking.clone().any(|(.., ability)| !ability.costs.is_empty());
        let fixed = fixed && !costs && !game.cards.iter().flat_map(|card| card.mods.iter()).any(by_cards);
        let highest = game.highest(s);
        let here: Vec<u8> = game.in_order(s).filter(|&player| game.takes_part(s, player)).collect();
        if !fixed {
            let all_lose = here.iter().all(|&player| s.player(player).loss > 0);
            let all_play = s.in_game == Players::all(game.players).0;
            let message = "everybody loses in the Survey; the highest score loses nothing";
            return self.wrong_if(all_lose && all_play, "players", message);
        }
        let mut decider = true;
        for player in here {
            let full = (highest - game.survey_score(s, player) - game.wards(s, player)).max(0) as u32;
            let loss = u32::from(s.player(player).loss);
            let less = full.wrapping_sub(loss);
            // Cards that were used lie in the discard pile.
            let mut sums = vec![true];
            for (kind, _, ability) in taking.clone() {
                let n: usize = ability.steps.iter().map(|step| usize::from(step.n.unsigned_abs())).sum();
                for _ in 0..s.player(player).discard.count(kind) {
                    for at in (0..sums.len()).rev().filter(|&at| sums[at]).collect::<Vec<_>>() {
                        sums.resize(sums.len().max(at + n + 1), false);
                        sums[at + n] = true;
                    }
                }
            }
            let less_fits = match less as usize {
                _ if loss > full => false,
                0 => true,
                _ if !decider => false,
                less if loss == 0 => sums.len() > less,
                less => sums.get(less).copied().unwrap_or(false),
            };
            if !less_fits {
                let less = if decider && full > 0 { ", less what the windows took off" } else { "" };
                self.wrong((player, "loss"), format!("{loss}; scores and wards give {full}{less}"));
            }
            decider &= player != s.ward;
        }
    }
}

impl Graven {
    /// Whether nothing can have happened in this turn but its draw.
    fn is_calm(s: &State) -> bool {
        s.stage == Stage::Draw || (s.stage == Stage::Play && s.humans == 0 && !s.invoked)
    }

    /// Abilities with their kinds.
    fn abilities(&self) -> impl Iterator<Item = (u8, Timing, &Ability)> + Clone {
        let kinds = 0..self.cards.len() as u8;
        kinds.flat_map(|kind| self.abilities_of(kind).map(move |(timing, ability)| (kind, timing, ability)))
    }

    /// Abilities of a kind.
    fn abilities_of(&self, kind: u8) -> impl Iterator<Item = (Timing, &Ability)> + Clone {
        Timing::ALL.into_iter().filter_map(move |timing| Some((timing, self.ability(kind, timing)?)))
    }

    /// Whether the turn has come to where an effect can happen.
    fn is_reached(s: &State, timing: Timing, ability: &Ability) -> bool {
        match timing {
            Timing::Activate | Timing::Hand => !matches!(s.stage, Stage::Draw | Stage::Play),
            Timing::Window if ability.event == Moment::SurveyLoss => {
                matches!(s.stage, Stage::Survey | Stage::Settle)
            }
            _ => true,
        }
    }

    /// Whether a player who is out lost in the step that ended the game: then the cards stay (GV-Q5).
    fn is_last_loser(s: &State, player: u8) -> bool {
        let has_cards = *s.player(player) != PlayerState::EMPTY || !s.fielded(player).is_empty();
        s.phase.is_over() && !s.plays(player) && has_cards
    }

    /// Whether `ended` turns can have ended.
    fn turns_fit(&self, s: &State, ended: u16) -> bool {
        let firsts = (0..self.players as u8).filter(|&first| self.options.first.is_none_or(|f| f == first));
        firsts.into_iter().any(|first| self.turns_fit_from(s, first, ended))
    }

    /// Whether `ended` turns can have ended, if this player was the first.
    fn turns_fit_from(&self, s: &State, first: u8, ended: u16) -> bool {
        let t = s.turn_player;
        // T has had `rounds` whole turns; everybody still there as many, and one more who comes before T.
        (0..=ended).any(|rounds| {
            let (mut least, mut most) = (0, 0);
            for player in 0..self.players as u8 {
                let before = self.distance(first, player) < self.distance(first, t);
                let turns = rounds + u16::from(before);
                if s.plays(player) || player == t || Self::is_last_loser(s, player) {
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
        (0..=4 * self.players as u16).find(|ended| self.turns_fit(s, *ended)).unwrap_or(0)
    }

    /// Most extra plays that effects can have granted in this turn.
    fn most_extra(&self, s: &State) -> u32 {
        // In the Play Phase cards leave T's Back Line for a sacrifice, and by effects that could then go on without end.
        let in_play_phase = self.abilities().filter(|(_, timing, ability)| match timing {
            Timing::Enter | Timing::Discarded => true,
            Timing::Window => ability.event == Moment::Destroyed,
            _ => false,
        });
        let endless = in_play_phase.clone().any(|(kind, timing, ability)| {
            // A Titan enters in its own player's turn alone.
            let titan = timing == Timing::Enter && self.is_titan(kind);
            let takes = |step: &Step| step.lines >> BACK & 1 != 0 && (!titan || step.held || step.own);
            ability.steps.iter().any(|step| step.is_about_field() && takes(step))
        });
        let again = if s.invoked { 2 } else { 0 };
        let (mut sum, mut titan) = (0, 0);
        for (kind, timing, ability) in in_play_phase {
            let steps = ability.steps.iter().filter(|step| step.verb == Verb::Plays);
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

    /// How often a step can have changed a player's Survey Score in this turn.
    fn uses_on(
        &self,
        s: &State,
        player: u8,
        (kind, timing, ability): (u8, Timing, &Ability),
        step: &Step,
    ) -> i64 {
        let t = s.turn_player;
        let own = timing.is_of_effect_phase();
        let invoked = timing == Timing::Enter && self.is_titan(kind);
        let hits = match (own || invoked, step.who) {
            (_, Who::Opponent) if !s.has_had(player) => false,
            (true, Who::You) => player == t,
            (true, Who::Opponent | Who::EachOpponent) => player != t,
            _ => true,
        };
        if !hits || !Self::is_reached(s, timing, ability) {
            return 0;
        }
        let limited = ability.limit != Limit::None;
        match timing {
            Timing::Activate if s.plays(t) => s.activations.count(kind).into(),
            Timing::Activate => 3,
            _ if limited && (own || invoked) => 1,
            _ if limited => self.players as i64,
            Timing::Enter if invoked => s.invoked.into(),
            // Each use is an answer; of triggers at most 64 follow.
            Timing::Hand => MAX_TURN_DECISIONS.into(),
            _ => 65 * i64::from(MAX_TURN_DECISIONS),
        }
    }
}
