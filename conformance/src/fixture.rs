//! Shared data and helpers of the checks: recorded episodes, positions picked from them, and the game's hooks.

use super::config::{MakeGame, SuiteConfig};
use super::report::{Recorder, Trace};
use playmat_core::any::AnyGame;
use playmat_core::error::Result;
use playmat_core::game::{Scores, Status};
use playmat_core::info::{GameInfo, fnv1a};
use playmat_core::log::Coverage;
use playmat_core::options::OptionSpec;
use playmat_core::player::{Action, Player, Players};
use playmat_core::rng::{Rng, Stream, derive, stream};
use playmat_core::tested::{AgentKind, Chooser, State, TestedGame, TestedHooks};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// One episode with all its positions.
pub(crate) struct RecordedEpisode {
    /// Its seed.
    pub seed: u64,
    /// Its decisions.
    pub choices: Arc<Vec<(Player, Action)>>,
    /// State and generator before each decision, and at the end.
    pub points: Vec<(State, Rng)>,
}

/// A position of a played episode.
#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    /// The episode.
    pub played: &'a RecordedEpisode,
    /// Number of decisions made.
    pub index: usize,
}

impl<'a> Position<'a> {
    /// The state.
    pub(crate) fn state(&self) -> &'a State {
        &self.played.points[self.index].0
    }

    /// The generator.
    pub(crate) fn rng(&self) -> Rng {
        self.played.points[self.index].1
    }

    /// Its trace, for the report.
    pub(crate) fn trace(&self) -> Trace {
        Trace { seed: self.played.seed, choices: self.played.choices.clone(), len: self.index }
    }

    /// The decision made here and the state after it.
    pub(crate) fn next(&self) -> Option<(Player, Action, &'a State)> {
        let &(player, action) = self.played.choices.get(self.index)?;
        Some((player, action, &self.played.points[self.index + 1].0))
    }
}

/// The largest value seen, with the episode.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extreme {
    /// The value.
    pub value: usize,
    /// The end of the episode.
    pub trace: Trace,
}

impl Extreme {
    fn raise(&mut self, value: usize, seed: u64, choices: &[(Player, Action)]) {
        if value > self.value || (self.value == 0 && self.trace.choices.is_empty()) {
            *self = Extreme { value, trace: Trace::after(seed, choices) };
        }
    }
}

/// Statistics of the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    /// Episodes.
    pub episodes: usize,
    /// Decisions.
    pub decisions: usize,
    /// Longest episode.
    pub longest: Extreme,
    /// Most chance events in an episode.
    pub chance: Extreme,
    /// Most forced moves between two decisions.
    pub forced: Extreme,
    /// Most players that acted at once.
    pub most_acting: usize,
    /// Episodes whose final scores sum to zero, and others.
    pub zero_sum: usize,
    /// Episodes whose final scores do not.
    pub other_sum: usize,
    /// An episode whose scores do not sum to zero.
    pub other_sum_at: Trace,
    /// Final positions: trace, scores, status, winners.
    pub ends: Vec<(Trace, Scores, Status, Players)>,
    /// How often each rule took effect.
    pub rules: BTreeMap<String, u64>,
}

/// The data that all checks of a configured game share.
pub(crate) struct Fixture<'a> {
    /// The game with its options.
    pub(crate) game: &'a dyn TestedGame,
    /// The game's hooks.
    pub(crate) hooks: TestedHooks<'a>,
    /// The agents that play its episodes in turn.
    pub(crate) agents: [Box<dyn Chooser + 'a>; 3],
    /// Recorded episodes.
    pub(crate) recorded: Vec<RecordedEpisode>,
    /// Amounts.
    pub(crate) config: &'a SuiteConfig,
    /// Builds games without their type.
    pub(crate) make: MakeGame<'a>,
    /// The game's information.
    pub(crate) info: GameInfo,
    /// Its options.
    pub(crate) options: Map<String, Value>,
    /// Seeds and decisions of the recorded episodes.
    pub(crate) histories: Vec<(u64, Arc<Vec<(Player, Action)>>)>,
    /// Whether chance decides anything after the deal.
    pub(crate) later_chance: bool,
    /// Whether chance decides anything in the deal.
    pub(crate) random_deal: bool,
    /// Statistics of the sweep.
    pub(crate) sweep: Sweep,
    /// Per player, other private options that it cannot distinguish from the game's own.
    pub(crate) other_private: Vec<(Player, Map<String, Value>)>,
}

impl<'a> Fixture<'a> {
    /// The game's information.
    pub(crate) fn info(&self) -> &GameInfo {
        &self.info
    }

    /// All declared options.
    pub(crate) fn specs(&self) -> &[OptionSpec] {
        self.game.any().specs()
    }

    /// Number of players.
    pub(crate) fn players(&self) -> usize {
        self.info.players
    }

    /// Whether to run a check: it is selected, and the suite was not stopped.
    pub(crate) fn wants(&self, id: &str) -> bool {
        self.config.wants(id) && self.config.keep_going.check()
    }

    /// Number of decisions after which an episode counts as endless.
    pub(crate) fn decision_limit(&self) -> usize {
        self.info.max_decisions.saturating_mul(2).saturating_add(100).min(200_000)
    }

    /// All players.
    pub(crate) fn each_player(&self) -> impl Iterator<Item = Player> + Clone + use<> {
        Player::all(self.info.players)
    }

    /// The game's options as an object, with some changed.
    pub(crate) fn options_with(&self, changes: &[(&str, Value)]) -> Map<String, Value> {
        let mut options = self.options.clone();
        for (name, value) in changes {
            options.insert((*name).into(), value.clone());
        }
        options
    }

    /// The game under test without its type, with some options changed.
    ///
    /// # Errors
    /// Those of building it.
    pub(crate) fn any(&self, changes: &[(&str, Value)]) -> Result<Box<dyn AnyGame>> {
        (self.make)(&self.options_with(changes))
    }

    /// The game under test; a load error is a failure of `id`.
    pub(crate) fn load(&self, id: &'static str, rec: &mut Recorder) -> Option<Box<dyn AnyGame>> {
        self.any(&[]).map_err(|error| rec.fail(id, format!("does not load: {error}"))).ok()
    }

    /// Reports a check whose hook is missing: not applicable if the game gives a reason, otherwise not given.
    pub(crate) fn missing(&self, id: &'static str, hook: &str, what: &str, rec: &mut Recorder) {
        match self.hooks.why_none(hook) {
            Some(reason) => rec.not_applicable(id, reason),
            None => rec.not_given(id, format!("the hook `{hook}` ({what})")),
        }
    }

    /// Plays the episodes that the checks use.
    pub(crate) fn new(
        game: &'a dyn TestedGame,
        config: &'a SuiteConfig,
        make: MakeGame<'a>,
        rec: &mut Recorder,
    ) -> Fixture<'a> {
        let mut fixture = Fixture {
            game,
            hooks: game.hooks(),
            agents: [AgentKind::Random, AgentKind::Mixed, AgentKind::Greedy].map(|kind| game.agent(kind)),
            recorded: Vec::new(),
            config,
            make,
            info: game.any().info().clone(),
            options: game.any().options().to_json().as_object().cloned().unwrap_or_default(),
            histories: Vec::new(),
            later_chance: false,
            random_deal: false,
            sweep: Sweep::default(),
            other_private: Vec::new(),
        };
        for number in 0..config.episodes {
            if !config.keep_going.check() {
                break;
            }
            fixture.record(derive(config.seed, number as u64), number, rec);
        }
        fixture.fill_sweep(rec);
        fixture.fill_private(rec);
        fixture.histories =
            fixture.recorded.iter().map(|played| (played.seed, played.choices.clone())).collect();
        // The generator changes exactly when chance is drawn.
        fixture.later_chance = fixture.recorded.iter().any(|played| {
            played.points.first().map(|point| point.1) != played.points.last().map(|point| point.1)
        });
        fixture.random_deal = fixture
            .recorded
            .iter()
            .any(|played| played.points.first().map(|p| p.1) != Some(stream(played.seed, Stream::Chance)));
        fixture
    }

    /// Collects private options that a player cannot distinguish.
    fn fill_private(&mut self, rec: &mut Recorder) {
        let private = self.game.any().private_options();
        let alike = self.hooks.other_private.as_ref().filter(|_| !private.is_empty());
        for player in self.each_player() {
            let found = alike.map_or_else(Vec::new, |alike| alike(player));
            self.other_private.extend(found.into_iter().map(|changes| (player, changes)));
        }
        let others = &self.other_private;
        for name in private {
            let varied = |(_, changes): &(Player, Map<String, Value>)| {
                changes.get(*name).is_some_and(|value| value != self.game.any().options().get(name))
            };
            rec.claim("H8", others.iter().any(varied), || {
                format!(
                    "option `{name}` is private, and the hook `other_private` gives no other value for it"
                )
            });
        }
    }

    /// The agent that plays the episode with this number.
    fn agent(&self, number: usize) -> &dyn Chooser {
        &*self.agents[number % 3]
    }

    /// Plays and records an episode. A failure is reported as A4 (a legal action was not applied) or, for an illegal choice of the
    /// greedy agent, as H7.
    fn record(&mut self, seed: u64, number: usize, rec: &mut Recorder) {
        let mut rng = stream(seed, Stream::Chance);
        let mut draws = stream(seed, Stream::Agents);
        let (game, agent) = (self.game, self.agent(number));
        rec.at(&Trace::start(seed));
        let mut choices: Vec<(Player, Action)> = Vec::new();
        let mut points: Vec<(State, Rng)> = Vec::new();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut state = game.deal(&mut rng);
            points.push((state.clone(), rng));
            while let Some(player) = game.acting(&state).first() {
                if choices.len() > self.decision_limit() {
                    return;
                }
                let action = agent.choose(&state, player, &mut draws);
                if !game.legal(&state, player).contains(action) {
                    rec.at(&Trace::after(seed, &choices));
                    rec.fail(
                        "H7",
                        format!("the greedy agent chose illegal action {action} for player {player}"),
                    );
                    return;
                }
                choices.push((player, action));
                game.apply(&mut state, player, action, &mut rng);
                points.push((state.clone(), rng));
            }
        }));
        if let Err(panic) = outcome {
            rec.at(&Trace::after(seed, &choices));
            rec.fail("A4", format!("playing panicked: {}", panic_text(&*panic)));
            choices.truncate(points.len().saturating_sub(1));
        }
        if !points.is_empty() {
            self.recorded.push(RecordedEpisode { seed, choices: Arc::new(choices), points });
        }
    }

    fn fill_sweep(&mut self, rec: &mut Recorder) {
        let mut sweep = Sweep::default();
        for number in 0..self.config.sweep {
            if sweep.decisions >= self.config.sweep_decisions || !self.config.keep_going.check() {
                break;
            }
            let seed = derive(self.config.seed ^ 0x53_5745_4550, number as u64);
            rec.at(&Trace::start(seed));
            let run = catch_unwind(AssertUnwindSafe(|| self.sweep_one(seed, number, &mut sweep)));
            if let Err(panic) = run {
                rec.fail("A4", format!("playing panicked: {}", panic_text(&*panic)));
                break;
            }
        }
        self.sweep = sweep;
    }

    fn sweep_one(&self, seed: u64, number: usize, sweep: &mut Sweep) {
        let (game, agent) = (self.game, self.agent(number));
        let (mut rng, mut draws) = (stream(seed, Stream::Chance), stream(seed, Stream::Agents));
        let mut counts = Coverage { rules: std::mem::take(&mut sweep.rules), ..Coverage::default() };
        let mut state = game.deal_counted(&mut rng, &mut counts);
        let mut choices: Vec<(Player, Action)> = Vec::new();
        let mut forced = counts.forced;
        sweep.forced.raise(forced, seed, &choices);
        loop {
            let acting = game.acting(&state);
            sweep.most_acting = sweep.most_acting.max(acting.len());
            let Some(player) = acting.first() else { break };
            if choices.len() > self.decision_limit() {
                break;
            }
            let action = agent.choose(&state, player, &mut draws);
            choices.push((player, action));
            game.apply_counted(&mut state, player, action, &mut rng, &mut counts);
            sweep.forced.raise(counts.forced - forced, seed, &choices);
            forced = counts.forced;
        }
        sweep.rules = counts.rules;
        sweep.episodes += 1;
        sweep.decisions += choices.len();
        sweep.longest.raise(choices.len(), seed, &choices);
        sweep.chance.raise(counts.chance, seed, &choices);
        let (scores, status) = (game.scores(&state), game.status(&state));
        let trace = Trace::after(seed, &choices);
        if status == Status::Running {
            return;
        }
        if scores.iter().sum::<i32>() == 0 {
            sweep.zero_sum += 1;
        } else {
            sweep.other_sum += 1;
            sweep.other_sum_at = trace.clone();
        }
        let won = status == Status::Terminated || self.info().outcome_on_truncation;
        let winners = if won { game.winners(&state) } else { Players::EMPTY };
        sweep.ends.push((trace, scores, status, winners));
    }

    /// Up to `n` positions of the recorded episodes, including the first and last of each; each check gets its own selection.
    pub(crate) fn positions(&self, id: &str, n: usize) -> impl Iterator<Item = Position<'_>> {
        self.picked_positions(id, n).into_iter().take_while(|_| self.config.keep_going.check())
    }

    fn picked_positions(&self, id: &str, n: usize) -> Vec<Position<'_>> {
        let all = self
            .recorded
            .iter()
            .flat_map(|played| (0..played.points.len()).map(move |index| Position { played, index }));
        let total: usize = self.recorded.iter().map(|played| played.points.len()).sum();
        if total <= n {
            return all.collect();
        }
        let mut draws = Rng::from_seed(fnv1a(id.as_bytes()));
        let ends = (2 * self.recorded.len()).min(n / 2);
        let mut room = ends;
        all.filter(|position| {
            let is_end = position.index == 0 || position.index + 1 == position.played.points.len();
            if is_end && room > 0 {
                room -= 1;
                return true;
            }
            (draws.below(total as u32) as usize) < n - ends
        })
        .collect()
    }

    /// Positions with acting players.
    pub(crate) fn decisions(&self, id: &str, n: usize) -> impl Iterator<Item = Position<'_>> {
        let positions = self.positions(id, n + 2 * self.recorded.len());
        positions.filter(|position| !self.game.acting(position.state()).is_empty())
    }

    /// The observation of a player.
    pub(crate) fn observe(&self, state: &State, player: Player) -> Vec<u8> {
        let mut out = vec![0; self.info().observation.size()];
        self.game.observe(state, player, &mut out);
        out
    }

    /// Legal actions of a player; empty if it need not act.
    pub(crate) fn legal(&self, state: &State, player: Player) -> Vec<Action> {
        if self.game.acting(state).contains(player) {
            self.game.legal(state, player).iter().collect()
        } else {
            Vec::new()
        }
    }

    /// Plays at most `limit` uniformly random moves; returns their number, or the failure.
    pub(crate) fn play_on(&self, state: &mut State, rng: &mut Rng, limit: usize) -> Result<usize, String> {
        let game = self.game;
        let mut played = 0;
        let mut draws = Rng { words: rng.words };
        draws.next_u64();
        while played < limit {
            let acting = game.acting(state);
            let running = game.status(state) == Status::Running;
            if running == acting.is_empty() {
                return Err("status and acting players disagree".into());
            }
            let Some(player) = acting.first() else { return Ok(played) };
            let legal = game.legal(state, player);
            if legal.is_empty() {
                return Err(format!("player {player} must act but has no legal action"));
            }
            let action = legal.pick(&mut draws);
            game.apply(state, player, action, rng);
            played += 1;
        }
        Ok(played)
    }
}

/// The text of a caught panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}

/// Runs a part of a check; a panic is a failure of `id` at the last reported trace.
pub(crate) fn guarded(id: &'static str, rec: &mut Recorder, work: impl FnOnce(&mut Recorder)) {
    let outcome = catch_unwind(AssertUnwindSafe(|| work(rec)));
    if let Err(panic) = outcome {
        rec.fail(id, format!("panicked: {}", panic_text(&*panic)));
    }
}
