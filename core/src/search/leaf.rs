//! Searches with a network outside the engine: they return leaves, and take logits and values.

mod buffers;
mod row;

pub use buffers::{LeafSizes, Leaves};

use super::settings::OPTIONS as OPTIONS_OF_SEARCHES;
use super::walk::{Aim, LARGEST};
use super::{Budget, Candidate, Settings, all_visits, choose, mean_of_all};
use crate::agent::{AnyAgent, Knowledge};
use crate::any::{AnyEnv, AnyLeafSearch, AnyVecEnv};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result, nearest};
use crate::game::Game;
use crate::player::Player;
use crate::pool::{Kind, Pool};
use crate::rng::Rng;
use crate::show::Show;
use row::{Flight, Recorded, Recorder, Row, Scope};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Microseconds that a worker without work stays awake.
const SPIN_US: u32 = 50;
/// Most leaves of one search that are under way at once.
const MOST_LEAVES: usize = 1_024;
const NOT_COLLECTED: Error = Error::Order("no leaves are waiting for a network: `collect` first");
const NOT_FED: Error = Error::Order("the leaves collected last are waiting for a network: `feed` first");
const NOT_STARTED: Error = Error::Order("no search was started: `start` first");

/// Searches of one game: see [`AnyLeafSearch`].
pub struct LeafSearch<G: Game> {
    configured: Arc<ConfiguredGame<G>>,
    settings: Settings,
    aim: Aim,
    simulations: u32,
    sizes: LeafSizes,
    recorder: Arc<Recorder<G>>,
    start: AnyAgent,
    check: AnyAgent,
    rows: Vec<Row<G>>,
    started: bool,
    /// The row at which the next `collect` begins.
    next: usize,
    /// The first row that the last `collect` has visited, and their number: no other has leaves that wait for the network.
    visited: (usize, usize),
    /// Rows of leaves that wait for the network.
    waiting_rows: usize,
    /// Plays searches side by side.
    pool: Pool,
    /// Entry of `recorder` for every row of a batch.
    places: Vec<i64>,
}

// `derive` would print states.
impl<G: Game> fmt::Debug for LeafSearch<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeafSearch").field("name", &self.recorder.name).finish_non_exhaustive()
    }
}

impl<G: Game> LeafSearch<G> {
    /// Creates `rows` searches of a spec (`mcts:400`, `mcts:400,c=2`), each with up to `leaves` leaves under way at once. With one leaf a search
    /// finds what `mcts:400,policy=FILE.onnx` finds with the same network. With several leaves, simulations under way count as lost (a
    /// virtual loss). The option `threads` shares the searches among threads; it changes no result.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `spec`, `rows`, `leaves`.
    pub fn new(
        configured: &Arc<ConfiguredGame<G>>,
        spec: &str,
        rows: usize,
        leaves: usize,
    ) -> Result<LeafSearch<G>> {
        let settings = read(spec)?;
        let Budget::Simulations(simulations) = settings.budget else {
            return Err(Error::argument(
                "spec",
                format!("got `{spec}`; a search with leaves ends after a number of simulations"),
            ));
        };
        let most_rows = i32::MAX as usize;
        if !(1..=most_rows).contains(&rows) {
            return Err(Error::argument("rows", format!("got {rows}; allowed: 1 to {most_rows}")));
        }
        if !(1..=MOST_LEAVES).contains(&leaves) {
            return Err(Error::argument("leaves", format!("got {leaves}; allowed: 1 to {MOST_LEAVES}")));
        }
        let game = &*configured.game;
        let aim = Aim::of_game(configured.reward);
        let leaf_rows = if aim.one_value_is_enough(game) { 1 } else { game.info().players };
        let (observation, actions) = (game.info().observation.size(), game.info().num_actions);
        let row = leaves * size_of::<Flight<G>>() + size_of::<Row<G>>();
        crate::memory::check("rows", rows, rows.checked_mul(row))?;
        let (recorder, checker) = (Recorder::new(&settings, true), Recorder::new(&settings, false));
        let pool = Pool::new(settings.threads as usize, SPIN_US);
        Ok(LeafSearch {
            start: AnyAgent::new(recorder.clone(), configured),
            check: AnyAgent::new(checker, configured),
            configured: configured.clone(),
            settings,
            aim,
            simulations,
            sizes: LeafSizes { rows, leaves, leaf_rows, observation, actions },
            recorder,
            rows: (0..rows).map(|_| Row::new()).collect(),
            started: false,
            next: 0,
            visited: (0, 0),
            waiting_rows: 0,
            pool,
            places: Vec::new(),
        })
    }

    /// Begins a search of a decision in row `row`, with an empty tree. One number is drawn from `rng`. The decision counts as the first one of its
    /// episode ([`Settings::temperature_drop`]).
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `row`.
    pub fn search(&mut self, row: usize, known: &Knowledge<'_, G>, rng: &mut Rng) -> Result<()> {
        self.check_row(row)?;
        let temperature = self.settings.temperature_at(1);
        self.begin(row, Some(Recorded::new(known, Arc::new(()), temperature, rng)), false);
        Ok(())
    }

    fn begin(&mut self, row: usize, decision: Option<Recorded<G>>, keep: bool) {
        self.withdraw();
        let LeafSearch { configured, settings, aim, simulations, sizes, rows, .. } = self;
        let scope = Scope::new(&*configured.game, settings, *aim, *simulations, *sizes);
        rows[row].start(&scope, decision, sizes.leaves, keep);
        self.started = true;
    }

    /// The actions that the search of a row has tried, the most visited first; empty if the row has no search.
    ///
    /// # Errors
    /// [`Error::Order`] before the first search and before the end of its first simulation; [`Error::InvalidArgument`] of `row`.
    pub fn candidates(&mut self, row: usize) -> Result<&[Candidate]> {
        self.is_started()?;
        self.check_row(row)?;
        Ok(self.rows[row].candidates()?.unwrap_or_default())
    }

    fn is_started(&self) -> Result<()> {
        if self.started { Ok(()) } else { Err(NOT_STARTED) }
    }

    fn check_row(&self, row: usize) -> Result<()> {
        let rows = self.sizes.rows;
        if row < rows {
            return Ok(());
        }
        Err(Error::argument("row", format!("got {row}; rows are 0 to {}", rows - 1)))
    }

    /// Refuses results of searches that have not begun, or have not ended a simulation, and room of another size.
    fn is_searched(&mut self, got: usize, wanted: usize) -> Result<()> {
        self.is_started()?;
        crate::env::check_len("out", got, wanted)?;
        self.rows.iter_mut().try_for_each(|row| row.candidates().map(drop))
    }

    /// Writes `[rows, A]`: a number of each action that was tried, otherwise 0.
    fn write_candidates<T: Copy + Default>(
        &mut self,
        out: &mut [T],
        number: impl Fn(&Candidate) -> T,
    ) -> Result<()> {
        self.is_searched(out.len(), self.sizes.rows * self.sizes.actions)?;
        out.fill(T::default());
        for (row, out) in self.rows.iter_mut().zip(out.chunks_exact_mut(self.sizes.actions)) {
            for candidate in row.candidates()?.unwrap_or_default() {
                out[candidate.action.index()] = number(candidate);
            }
        }
        Ok(())
    }

    /// Leaves that were handed out are collected anew.
    fn withdraw(&mut self) {
        for rows in visited(&mut self.rows, std::mem::take(&mut self.visited)) {
            rows.iter_mut().for_each(Row::withdraw);
        }
        self.waiting_rows = 0;
    }
}

/// The rows from the first one on, so many, in order; after the last row comes the first one.
fn visited<T>(rows: &mut [T], (first, count): (usize, usize)) -> [&mut [T]; 2] {
    let (begin, end) = rows.split_at_mut(first);
    let in_end = count.min(end.len());
    [&mut end[..in_end], &mut begin[..count - in_end]]
}

/// The options of a spec that a search with leaves has.
const OPTIONS: [&str; 8] = *OPTIONS_OF_SEARCHES.last_chunk().expect("at least as many");

/// The settings of a spec.
fn read(spec: &str) -> Result<Settings> {
    let got: String = spec.chars().take(60).collect();
    let refuse = |message: String| Error::argument("spec", format!("got `{got}`{message}"));
    let Some(settings) = spec.strip_prefix("mcts:") else {
        let wanted = "wanted `mcts:` and a number of simulations, for example `mcts:400`";
        return Err(refuse(format!("; only `mcts` has leaves: {wanted}")));
    };
    // By their names, also where an option has its default value.
    let names = settings.split(',').skip(1).filter_map(|option| option.split_once('='));
    for (name, _) in names {
        if !OPTIONS.contains(&name) {
            let (near, allowed) =
                (nearest(name, &OPTIONS), OPTIONS.map(|name| format!("`{name}`")).join(", "));
            let name: String = name.chars().take(60).collect();
            return Err(refuse(format!(
                "; a search with leaves has no option `{name}`{near}; allowed: {allowed}"
            )));
        }
    }
    let budget = settings.split(',').next().filter(|budget| !budget.ends_with("ms"));
    let checked = budget.map_or(Ok(0), super::settings::simulations);
    checked
        .and_then(|_| Settings::read(settings, true))
        .map_err(|error: Error| error.renamed("agent", "spec"))
}

/// Refuses a slice that has neither `wanted` elements nor none.
fn check_len(name: &'static str, got: usize, wanted: Option<usize>) -> Result<()> {
    if got == 0 || Some(got) == wanted {
        return Ok(());
    }
    let wanted = wanted.map_or("too many".into(), |wanted| wanted.to_string());
    Err(Error::argument(name, format!("got {got} elements; wanted {wanted} (or none)")))
}

/// Whether a search can calculate with this value or logit.
fn is_allowed(number: f32) -> bool {
    number.abs() <= LARGEST
}

/// What is wrong with a value or a logit that is not allowed.
fn wanted(number: f32) -> String {
    match number.is_finite() {
        true => format!("allowed: {:e} to {LARGEST:e}", -LARGEST),
        false => "wanted a finite number".into(),
    }
}

impl<G: Show> AnyLeafSearch for LeafSearch<G> {
    fn name(&self) -> &str {
        &self.recorder.name["search ".len()..]
    }

    fn sizes(&self) -> LeafSizes {
        self.sizes
    }

    fn start(&mut self, row: usize, env: &mut dyn AnyEnv, player: Player, keep: bool) -> Result<()> {
        self.check_row(row)?;
        self.recorder.take();
        env.act(&self.start, player).map_err(|error| error.renamed("agent", "env"))?;
        let decision = self.recorder.take().pop();
        self.begin(row, decision, keep);
        Ok(())
    }

    fn stop(&mut self, row: usize) -> Result<()> {
        self.check_row(row)?;
        self.begin(row, None, true);
        Ok(())
    }

    fn check(&self, row: usize, env: &mut dyn AnyEnv, player: Player) -> Result<()> {
        self.check_row(row)?;
        env.act(&self.check, player).map_err(|error| error.renamed("agent", "env")).map(drop)
    }

    fn start_batch(&mut self, venv: &mut dyn AnyVecEnv, mask: Option<&[u8]>, keep: bool) -> Result<()> {
        let (sizes, rows) = (venv.sizes(), self.sizes.rows);
        let got = sizes.envs * sizes.lanes;
        if got != rows {
            return Err(Error::argument("venv", format!("got a batch with {got} rows; wanted {rows}")));
        }
        self.places.resize(rows, 0);
        self.recorder.take();
        venv.act_batch(&self.start, mask, &mut self.places)
            .map_err(|error| error.renamed("agent", "venv"))?;
        let mut recorded: Vec<_> = self.recorder.take().into_iter().map(Some).collect();
        self.withdraw();
        let LeafSearch { configured, settings, aim, simulations, sizes, rows, places, .. } = self;
        let scope = Scope::new(&*configured.game, settings, *aim, *simulations, *sizes);
        for (row, &number) in rows.iter_mut().zip(&*places) {
            let decision = usize::try_from(number - 1).ok().and_then(|at| recorded[at].take());
            row.start(&scope, decision, sizes.leaves, keep);
        }
        self.started = true;
        Ok(())
    }

    fn collect_while(
        &mut self,
        out: &mut Leaves<'_>,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<usize> {
        self.is_started()?;
        if self.waiting_rows > 0 {
            return Err(NOT_FED);
        }
        // There are leaves only if a call has panicked.
        self.withdraw();
        let LeafSizes { rows, leaves, leaf_rows, observation, actions } = self.sizes;
        let room = out.rows;
        // So that room in `out` does not decide how many simulations are under way at once.
        let needed = leaves * leaf_rows;
        if room < needed {
            return Err(Error::argument("n", format!("got {room}; wanted at least {needed}")));
        }
        check_len("obs", out.obs.len(), room.checked_mul(observation))?;
        check_len("action_mask", out.action_mask.len(), room.checked_mul(actions))?;
        check_len("player", out.player.len(), Some(room))?;
        check_len("search", out.search.len(), Some(room))?;
        check_len("greedy", out.greedy.len(), Some(room))?;
        let stopped = AtomicBool::new(false);
        let goes_on = || {
            if !stopped.load(Relaxed) && !keep_going() {
                stopped.store(true, Relaxed);
            }
            !stopped.load(Relaxed)
        };
        let LeafSearch { configured, settings, aim, simulations, sizes, pool, .. } = self;
        let (game, sizes) = (&*configured.game, *sizes);
        let scope = Scope::new(game, settings, *aim, *simulations, sizes);
        let (mut at, mut left) = (0, rows);
        self.visited = (self.next, 0);
        while left > 0 && room - at >= needed {
            // Those that fit, whatever each of them writes: so the rows are the same for any number of threads.
            let fit = if settings.threads == 1 { 1 } else { (room - at) / needed };
            let first = self.next;
            let together = fit.min(left).min(rows - first);
            self.visited.1 += together;
            let searches = &mut self.rows[first..first + together];
            if let [search] = searches {
                search.collect(&scope, first, &mut out.part(at, needed, &sizes), &goes_on);
            } else {
                let mut free = out.part(at, together * needed, &sizes);
                let mut parts = Vec::with_capacity(together);
                for (number, search) in (first..).zip(&mut *searches) {
                    let (own, others) = free.split_at(needed, &sizes);
                    free = others;
                    parts.push((search, number, own));
                }
                let collect = |(search, number, own): &mut (&mut Row<G>, usize, Leaves<'_>)| {
                    search.collect(&scope, *number, own, &goes_on);
                };
                pool.run_kind(Kind::Long, &mut parts, collect, || {
                    goes_on();
                });
            }
            let written = (at..).step_by(needed);
            for (from, search) in written.zip(searches) {
                let count = search.count_from(at);
                if from != at {
                    out.shift(from, at, count, &sizes);
                }
                at += count;
            }
            if stopped.load(Relaxed) {
                self.withdraw();
                return Ok(0);
            }
            self.next = (first + together) % rows;
            left -= together;
        }
        self.waiting_rows = at;
        Ok(at)
    }

    fn waiting(&self) -> usize {
        self.waiting_rows
    }

    fn share_always(&mut self) {
        self.pool.share_always();
    }

    fn feed(&mut self, logits: &[f32], values: &[f32]) -> Result<()> {
        if self.waiting_rows == 0 {
            return Err(NOT_COLLECTED);
        }
        let (actions, rows) = (self.sizes.actions, self.waiting_rows);
        for (name, got, wanted) in [("logits", logits.len(), rows * actions), ("values", values.len(), rows)]
        {
            if got != wanted {
                return Err(Error::argument(name, format!("got {got} elements; wanted {wanted}")));
            }
        }
        if let Some(row) = values.iter().position(|&value| !is_allowed(value)) {
            let got = values[row];
            return Err(Error::argument("values", format!("got {got} in row {row}; {}", wanted(got))));
        }
        let bad = |(at, legal): (usize, G::Legal)| {
            let bad = legal.iter().find(|action| !is_allowed(logits[at * actions + action.index()]));
            bad.map(|action| (at, action))
        };
        let [rows, more] = visited(&mut self.rows, self.visited);
        if let Some((at, action)) = rows.iter().chain(&*more).flat_map(Row::waiting).filter_map(bad).next() {
            let got = logits[at * actions + action.index()];
            let message = format!("got {got} for the legal action {action} in row {at}; {}", wanted(got));
            return Err(Error::argument("logits", message));
        }
        let LeafSearch { configured, settings, aim, simulations, sizes, pool, .. } = self;
        let scope = Scope::new(&*configured.game, settings, *aim, *simulations, *sizes);
        self.waiting_rows = 0;
        for rows in visited(&mut self.rows, self.visited) {
            pool.run_kind(Kind::Short, rows, |search| search.feed(&scope, logits, values), || ());
        }
        Ok(())
    }

    fn policy(&mut self, out: &mut [f32]) -> Result<()> {
        let actions = self.sizes.actions;
        self.is_searched(out.len(), self.sizes.rows * actions)?;
        out.fill(0.0);
        for (row, out) in self.rows.iter_mut().zip(out.chunks_exact_mut(actions)) {
            if let Some(action) = row.forced() {
                out[action.index()] = 1.0;
            } else if let Some(candidates) = row.candidates()? {
                let all = all_visits(candidates);
                for candidate in candidates {
                    out[candidate.action.index()] = candidate.visits as f32 / all as f32;
                }
            }
        }
        Ok(())
    }

    fn values(&mut self, out: &mut [f32]) -> Result<()> {
        self.is_searched(out.len(), self.sizes.rows)?;
        for (row, out) in self.rows.iter_mut().zip(out) {
            *out = mean_of_all(row.candidates()?.unwrap_or_default());
        }
        Ok(())
    }

    fn visits(&mut self, out: &mut [i32]) -> Result<()> {
        self.write_candidates(out, |candidate| i32::try_from(candidate.visits).unwrap_or(i32::MAX))
    }

    fn mean_returns(&mut self, out: &mut [f32]) -> Result<()> {
        self.write_candidates(out, |candidate| candidate.mean_return)
    }

    fn priors(&mut self, out: &mut [f32]) -> Result<()> {
        self.is_searched(out.len(), self.sizes.rows * self.sizes.actions)?;
        out.fill(0.0);
        for (row, out) in self.rows.iter().zip(out.chunks_exact_mut(self.sizes.actions)) {
            row.priors(|action, prior| out[action.index()] = prior);
        }
        Ok(())
    }

    fn actions(&mut self, temperature: Option<f32>, out: &mut [i64]) -> Result<()> {
        if let Some(wrong) = temperature.filter(|given| !(0.0..=100.0).contains(given)) {
            return Err(Error::argument("temperature", format!("got {wrong}; allowed: 0 to 100")));
        }
        self.is_searched(out.len(), self.sizes.rows)?;
        for (row, out) in self.rows.iter_mut().zip(out) {
            let mut rng = row.rng;
            let (forced, temperature) = (row.forced(), temperature.unwrap_or(row.temperature));
            let chosen = match row.candidates()? {
                Some(candidates) => choose(candidates, temperature, &mut rng),
                None => forced,
            };
            row.rng = rng;
            *out = chosen.map_or(0, |action| action.0.into());
        }
        Ok(())
    }
}
