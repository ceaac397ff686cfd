//! The generic vectorized environment.

use crate::bot::{self, Bot};
use crate::env::{Configured, Env};
use crate::error::{Error, IllegalActions, Result};
use crate::game::{Game, Status};
use crate::info::{GameInfo, RewardKind};
use crate::log::Silent;
use crate::pool::{Level, Pool, dispatch};
use crate::rng::{self, Rng, Stream};
use crate::save::Snapshot;
use crate::seat::{MAX_SEATS, Seat, Seats};
use crate::vec::background::Background;
use crate::vec::buffers::{Actions, Buffers, Reset, Rows, Sizes, Source, Target};
use crate::vec::config::VecConfig;
use crate::vec::step::{Check, Part, Sample, Shard, ShowAll, Step, Tally};
use crate::vec::table::{Cold, Opponent, Slot, Table};
use crate::vec::{AnyVecEnv, EpisodeInfo, OpponentResult, Rollout, Waited};
use std::sync::Arc;

/// Most tasks that a batch is cut into.
const MAX_SHARDS: usize = 64;
/// Tasks start at multiples of this: no two threads then write into the same cache line of a buffer of bytes.
const GRAIN: usize = 64;

/// Everything but the thread that may hold it.
#[derive(Debug)]
pub(crate) struct Core<G: Game> {
    pub(crate) table: Table<G>,
    pub(crate) shards: Vec<Shard<G>>,
    pub(crate) pool: Pool,
    pub(crate) level: Level,
    pub(crate) sizes: Sizes,
    started: bool,
    /// A step or reset that panicked left the batch half done.
    pub(crate) broken: bool,
    /// Whether `sample_actions` was used since the last step.
    sampling: bool,
    /// Whether the last step drew ahead.
    pub(crate) drawn: bool,
}

/// N episodes of a game, stepped together. Everything it does is described at [`AnyVecEnv`].
#[derive(Debug)]
pub struct VecEnv<G: Game> {
    configured: Arc<Configured<G>>,
    config: VecConfig,
    sizes: Sizes,
    /// Away while an asynchronous step is under way.
    core: Option<Box<Core<G>>>,
    background: Option<Background<G>>,
    waiting: Option<Waited>,
}

impl<G: Game> VecEnv<G> {
    /// A vectorized environment; the first call must be a reset (or a load).
    ///
    /// `opponents` are bots with their weights (finite, not negative), drawn for seats that the caller does not play.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`], [`Error::InvalidSeat`] for a configuration that does not fit the game.
    pub fn new(
        configured: Arc<Configured<G>>,
        config: VecConfig,
        opponents: Vec<(Arc<dyn Bot<G>>, f64)>,
    ) -> Result<VecEnv<G>> {
        let info = configured.game.info();
        config.check(info.players, opponents.len())?;
        if !opponents.is_empty() {
            check_weights(opponents.iter().map(|(_, weight)| *weight))?;
        }
        check_memory::<G>(config.num_envs)?;
        let opponents = opponents.into_iter().map(|(bot, weight)| Opponent { bot, weight }).collect();
        let sizes = Sizes::new(info, &config);
        let table = Table::new(configured.clone(), config.clone(), opponents);
        let shards = cut(&table);
        let core = Core {
            pool: Pool::new(config.threads, config.spin_us),
            level: Level::detect(),
            table,
            shards,
            sizes,
            started: false,
            broken: false,
            sampling: false,
            drawn: false,
        };
        Ok(VecEnv { configured, config, sizes, core: Some(Box::new(core)), background: None, waiting: None })
    }

    /// Keeps to instructions that every machine of this architecture has. Results are the same.
    pub fn use_baseline_instructions(&mut self) {
        if let Some(core) = &mut self.core {
            core.level = Level::BASELINE;
        }
    }

    /// Shares every batch among the threads, worth it or not: for tests and measurements. Results are the same.
    pub fn share_always(&mut self) {
        if let Some(core) = &mut self.core {
            core.pool.share_always();
        }
    }

    /// The configured game.
    pub fn configured(&self) -> &Arc<Configured<G>> {
        &self.configured
    }

    /// One environment as it stands.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index beyond the batch; [`Error::Order`] while a step is under way.
    pub fn state(&self, env: usize) -> Result<Snapshot<G>> {
        let core = self.core()?;
        let (slot, cold) = core.row(env)?;
        let mut status = self.configured.game.status(&slot.state);
        let cut = status == Status::Running && slot.length >= core.table.limit;
        if cut {
            status = Status::Truncated;
        }
        // What is paid at the end alone is not kept beside the state.
        let at_end = status != Status::Running && self.configured.reward != RewardKind::ScoreDelta;
        let returns = if at_end { core.table.pay_end(&slot.state, status, cut) } else { cold.returns };
        Ok(Snapshot {
            state: slot.state,
            rng: slot.rng,
            seed: slot.seed,
            root: cold.root,
            episode: cold.next.wrapping_sub(1),
            decisions: slot.length,
            returns,
        })
    }

    /// Puts a running episode into one environment; shown by the next [`AnyVecEnv::show`] or step. Bots that are to act
    /// first do so.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index beyond the batch or an episode that is over, [`Error::InvalidState`].
    pub fn set_state(&mut self, env: usize, saved: &Snapshot<G>) -> Result<()> {
        let core = self.core_mut()?;
        core.row(env)?;
        core.check_saved(env, saved)?;
        core.put(env, saved);
        core.refresh();
        Ok(())
    }

    /// Appends an opponent; returns its index. It is drawn from the next episodes on.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a weight that is negative or not finite.
    pub fn push_opponent(&mut self, bot: Arc<dyn Bot<G>>, weight: f64) -> Result<usize> {
        let core = self.core_mut()?;
        let table = &mut core.table;
        check_weights(table.opponents.iter().map(|o| o.weight).chain([weight]))?;
        table.opponents.push(Opponent { bot, weight });
        table.weigh();
        for shard in &mut core.shards {
            shard.tallies.push(Tally::default());
        }
        Ok(core.table.opponents.len() - 1)
    }

    fn core(&self) -> Result<&Core<G>> {
        if self.waiting.is_some() {
            return Err(PENDING);
        }
        self.core.as_deref().ok_or(PENDING)
    }

    fn core_mut(&mut self) -> Result<&mut Core<G>> {
        if self.waiting.is_some() {
            return Err(PENDING);
        }
        self.core.as_deref_mut().ok_or(PENDING)
    }
}

const PENDING: Error = Error::Order("a step is under way: `step_wait` first");
const NOT_STARTED: Error = Error::Order("nothing was reset yet: `reset` first");
const BROKEN: Error = Error::Order("an earlier call failed half way: `reset` all environments first");

fn check_weights(weights: impl Iterator<Item = f64>) -> Result<()> {
    let weights: Vec<f64> = weights.collect();
    let fits = weights.iter().all(|w| w.is_finite() && *w >= 0.0);
    let total: f64 = weights.iter().sum();
    if !fits || total <= 0.0 || !total.is_finite() {
        return Err(Error::argument(
            "weights",
            format!("got {weights:?}; weights are finite, not negative and not all 0"),
        ));
    }
    Ok(())
}

/// Refuses more states than there can be memory for; filling it would end the process.
fn check_memory<G: Game>(envs: usize) -> Result<()> {
    let mut states: Vec<(Slot<G::State>, Cold, [Rng; 2], G::Legal)> = Vec::new();
    states.try_reserve_exact(envs).map_err(|_| {
        let bytes = envs.saturating_mul(size_of::<Slot<G::State>>());
        Error::argument(
            "num_envs",
            format!("got {envs}; their states do not fit into memory ({bytes} bytes)"),
        )
    })
}

/// The shards of a batch: one for a single thread, otherwise several per thread.
fn cut<G: Game>(table: &Table<G>) -> Vec<Shard<G>> {
    let envs = table.config.num_envs;
    let threads = table.config.threads;
    let wanted = if threads == 1 { 1 } else { (threads * 4).min(MAX_SHARDS) };
    let grains = envs.div_ceil(GRAIN);
    let shards = wanted.min(grains);
    let game = table.game();
    (0..shards)
        .map(|k| {
            let first = k * grains / shards * GRAIN;
            let end = ((k + 1) * grains / shards * GRAIN).min(envs);
            let cold = Cold {
                root: 0,
                next: 0,
                returns: [0.0; MAX_SEATS],
                owed: [0.0; MAX_SEATS],
                bots: Rng::from_seed(0),
                opponents: [-1; MAX_SEATS],
                learners: Seats::all(table.players),
            };
            let mut rng = Rng::from_seed(0);
            let state = game.deal(&mut rng, &mut Silent);
            let slot = Slot { state, rng, seed: 0, length: 0, acting: Seats::EMPTY, last: Seat(0) };
            Shard::new(
                table,
                first,
                vec![slot; end - first],
                vec![cold; end - first],
                vec![Rng::from_seed(0); end - first],
            )
        })
        .collect()
}

/// Cuts buffers and actions along the shards; only as many places as there are shards are filled.
fn parts<'a, G: Game>(
    shards: &'a mut [Shard<G>],
    mut actions: Actions<'a>,
    mut out: Buffers<'a>,
    sizes: &Sizes,
) -> [Option<Part<'a, G>>; MAX_SHARDS] {
    let mut parts = [const { None }; MAX_SHARDS];
    for (part, shard) in parts.iter_mut().zip(shards) {
        let envs = shard.slots.len();
        let (mine, rest) = out.split_at(envs, sizes);
        out = rest;
        let at = (envs * sizes.lanes).min(actions.len());
        let (my_actions, rest) = match actions {
            Actions::I64(a) => (Actions::I64(&a[..at]), Actions::I64(&a[at..])),
            Actions::I32(a) => (Actions::I32(&a[..at]), Actions::I32(&a[at..])),
        };
        actions = rest;
        *part = Some(Part { shard, actions: my_actions, out: mine });
    }
    parts
}

impl<G: Game> Core<G> {
    fn row(&self, env: usize) -> Result<(&Slot<G::State>, &Cold)> {
        let envs = self.sizes.envs;
        let shard = self
            .shards
            .iter()
            .find(|shard| (shard.first..shard.first + shard.slots.len()).contains(&env))
            .ok_or_else(|| {
                Error::argument("env", format!("got {env}; environments are 0 to {}", envs - 1))
            })?;
        Ok((&shard.slots[env - shard.first], &shard.cold[env - shard.first]))
    }

    pub(crate) fn ready(&self) -> Result<()> {
        match () {
            () if self.broken => Err(BROKEN),
            () if !self.started => Err(NOT_STARTED),
            () => Ok(()),
        }
    }

    /// Runs something that must not stop half way.
    fn guarded<R>(&mut self, work: impl FnOnce(&mut Core<G>) -> R) -> R {
        self.broken = true;
        let result = work(self);
        self.broken = false;
        result
    }

    pub(crate) fn step(&mut self, actions: Actions<'_>, out: Buffers<'_>) -> Result<()> {
        self.ready()?;
        let wanted = self.sizes.envs * self.sizes.lanes;
        if actions.len() != wanted {
            return Err(Error::argument(
                "actions",
                format!("got {} actions; wanted {wanted}", actions.len()),
            ));
        }
        out.check(&self.sizes, self.table.config.dtype)?;
        let draw = self.sampling && !out.drawn.is_empty();
        let fine = self.guarded(|core| core.run_step(actions, out, draw));
        if !fine {
            return Err(self.refusal());
        }
        self.drawn = draw;
        self.sampling = false;
        Ok(())
    }

    fn run_step(&mut self, actions: Actions<'_>, out: Buffers<'_>, draw: bool) -> bool {
        let (table, level) = (&self.table, self.level);
        if let [shard] = &mut self.shards[..] {
            let part = &mut Part { shard, actions, out };
            let fine = dispatch(level, Check { table, part: &mut *part });
            if fine {
                dispatch(level, Step { table, part, draw });
            }
            return fine;
        }
        let count = self.shards.len();
        let mut parts = parts(&mut self.shards, actions, out, &self.sizes);
        self.pool.run(
            &mut parts[..count],
            |part| part.as_mut().is_none_or(|part| dispatch(level, Check { table, part })),
            |part| {
                if let Some(part) = part {
                    dispatch(level, Step { table, part, draw });
                }
            },
        )
    }

    /// What the last check refused.
    #[cold]
    fn refusal(&self) -> Error {
        let count = self.shards.iter().map(|shard| shard.refused_count).sum();
        let rows =
            self.shards.iter().flat_map(|shard| shard.refused.iter().take(shard.refused_count).copied());
        let rows: Vec<_> = rows.take(IllegalActions::KEPT).collect();
        let over = |env: usize| self.row(env).is_ok_and(|(slot, _)| slot.is_over());
        let envs: Vec<usize> = rows.iter().map(|row| row.0).filter(|&env| over(env)).collect();
        if envs.is_empty() {
            Error::IllegalActions(Box::new(IllegalActions { rows, count }))
        } else {
            Error::EpisodesOver { envs }
        }
    }

    fn show(&mut self, out: Buffers<'_>) -> Result<()> {
        out.check(&self.sizes, self.table.config.dtype)?;
        let (table, level) = (&self.table, self.level);
        let count = self.shards.len();
        let mut parts = parts(&mut self.shards, Actions::I64(&[]), out, &self.sizes);
        self.pool.each(&mut parts[..count], |part| {
            if let Some(part) = part {
                dispatch(level, ShowAll { table, part });
            }
        });
        Ok(())
    }

    /// Recomputes what is kept beside the states, without writing anywhere.
    fn refresh(&mut self) {
        self.drawn = false;
        self.show(Buffers::default()).expect("empty buffers fit");
    }

    fn reset(&mut self, reset: Reset<'_>, out: Buffers<'_>) -> Result<()> {
        let envs = self.sizes.envs;
        let list = |name, len: usize| match len {
            len if len == envs => Ok(()),
            _ => Err(Error::argument(name, format!("got {len} entries; wanted {envs}"))),
        };
        if let Some(mask) = reset.mask {
            list("reset_mask", mask.len())?;
        }
        out.check(&self.sizes, self.table.config.dtype)?;
        let chosen = |env: usize| reset.mask.is_none_or(|mask| mask[env] != 0);
        let all = (0..envs).all(chosen);
        if self.broken && !all {
            return Err(BROKEN);
        }
        if !self.started && !all && !matches!(reset.from, Source::Seed(_) | Source::Streams) {
            return Err(NOT_STARTED);
        }
        let source = match reset.from {
            Source::Streams if !self.started => Source::Seed(0),
            source => source,
        };
        let states = match source {
            Source::Seeds(seeds) => list("seeds", seeds.len()).map(|()| Vec::new())?,
            Source::States(states) => {
                list("states", states.len())?;
                (0..envs)
                    .filter(|&env| chosen(env))
                    .map(|env| self.read(env, states[env]))
                    .collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        // Environments that were never reset start with those that are.
        let started = self.started;
        let chosen = |env: usize| !started || chosen(env);
        self.guarded(|core| match source {
            Source::States(_) => {
                for (env, saved) in (0..envs).filter(|&env| chosen(env)).zip(&states) {
                    core.put(env, saved);
                }
            }
            _ => core.deal(source, &chosen),
        });
        self.started = true;
        self.drawn = false;
        self.show(out)
    }

    /// Starts episodes from seeds or streams.
    fn deal(&mut self, source: Source<'_>, chosen: &(dyn Fn(usize) -> bool + Sync)) {
        let table = &self.table;
        self.pool.each(&mut self.shards, |shard| {
            for at in 0..shard.slots.len() {
                let env = shard.first + at;
                if !chosen(env) {
                    continue;
                }
                let (slot, cold) = (&mut shard.slots[at], &mut shard.cold[at]);
                let own = match source {
                    Source::Seed(seed) => Some((rng::environment_root(seed, env as u64), None)),
                    Source::Seeds(seeds) => Some((seeds[env], Some(seeds[env]))),
                    _ => None,
                };
                if let Some((root, _)) = own {
                    (cold.root, cold.next) = (root, 0);
                    shard.sample[at] = rng::stream(root, Stream::Sample);
                }
                match own {
                    Some((_, Some(seed))) => table.begin_seed(slot, cold, env, seed),
                    _ => table.begin(slot, cold, env),
                }
            }
        });
    }

    fn read(&self, env: usize, bytes: &[u8]) -> Result<Snapshot<G>> {
        let saved = crate::save::from_bytes(&self.table.configured, bytes)?.snapshot();
        self.check_running(env, &saved)?;
        Ok(saved)
    }

    fn check_saved(&self, env: usize, saved: &Snapshot<G>) -> Result<()> {
        let problems = self.table.game().validate(&saved.state);
        if !problems.is_empty() {
            return Err(Error::InvalidState { problems });
        }
        self.check_running(env, saved)
    }

    fn check_running(&self, env: usize, saved: &Snapshot<G>) -> Result<()> {
        let over = self.table.game().status(&saved.state) != Status::Running
            || self.table.game().acting(&saved.state).is_empty()
            || saved.decisions >= self.table.limit;
        match over {
            true => Err(Error::argument("states", format!("the episode of environment {env} is over"))),
            false => Ok(()),
        }
    }

    fn put(&mut self, env: usize, saved: &Snapshot<G>) {
        let table = &self.table;
        for shard in &mut self.shards {
            if !(shard.first..shard.first + shard.slots.len()).contains(&env) {
                continue;
            }
            let at = env - shard.first;
            let (slot, cold) = (&mut shard.slots[at], &mut shard.cold[at]);
            (slot.state, slot.rng, slot.seed) = (saved.state, saved.rng, saved.seed);
            (slot.length, slot.last) = (saved.decisions, Seat(0));
            (cold.root, cold.next, cold.returns) = (saved.root, saved.episode.wrapping_add(1), saved.returns);
            shard.sample[at] = rng::stream(saved.root, Stream::Sample);
            if table.bound {
                table.seat_opponents(cold, env, saved.seed);
            }
            if !table.find_learner(slot, cold) {
                table.begin(slot, cold, env);
            }
        }
    }

    fn sample(&mut self, out: &mut [i64]) -> Result<()> {
        self.ready()?;
        let wanted = self.sizes.envs * self.sizes.lanes;
        if out.len() != wanted {
            return Err(Error::argument("out", format!("got {} elements; wanted {wanted}", out.len())));
        }
        let (table, level) = (&self.table, self.level);
        let buffers = Buffers { drawn: out, ..Buffers::default() };
        let count = self.shards.len();
        let mut parts = parts(&mut self.shards, Actions::I64(&[]), buffers, &self.sizes);
        self.pool.each(&mut parts[..count], |part| {
            if let Some(Part { shard, out, .. }) = part {
                dispatch(level, Sample { table, shard, out: out.drawn });
            }
        });
        self.take();
        Ok(())
    }

    /// Makes the draws ahead the ones that count.
    fn take(&mut self) {
        for shard in &mut self.shards {
            std::mem::swap(&mut shard.sample, &mut shard.ahead);
        }
        self.drawn = false;
        self.sampling = true;
    }

    fn observe(&mut self, seat: Option<Seat>, out: Rows<'_>) -> Result<()> {
        self.ready()?;
        let (players, observation) = (self.sizes.players, self.sizes.observation);
        if let Some(seat) = seat
            && seat.index() >= players
        {
            return Err(Error::InvalidSeat { seat: i64::from(seat.0), players });
        }
        // The same check and cut as for the buffer of all seats, with one seat per row if only one is wanted.
        let wanted = self.sizes.envs * observation * if seat.is_none() { players } else { 1 };
        if out.len() != wanted {
            return Err(Error::argument("out", format!("got {} elements; wanted {wanted}", out.len())));
        }
        if let Some(got) = out.dtype()
            && got != self.table.config.dtype
        {
            let (got, wanted) = (got.name(), self.table.config.dtype.name());
            return Err(Error::argument("out", format!("got elements of type {got}; wanted {wanted}")));
        }
        let sizes = Sizes { players: if seat.is_none() { players } else { 1 }, ..self.sizes };
        let buffers = Buffers { final_obs_all: out, ..Buffers::default() };
        let table = &self.table;
        let count = self.shards.len();
        let mut parts = parts(&mut self.shards, Actions::I64(&[]), buffers, &sizes);
        self.pool.each(&mut parts[..count], |part| {
            let Some(Part { shard, out, .. }) = part else { return };
            let Shard { slots, scratch, .. } = &mut **shard;
            for (at, slot) in slots.iter().enumerate() {
                match seat {
                    Some(seat) => table.observe(&slot.state, seat, &mut out.final_obs_all, at, scratch),
                    None => {
                        for seat in Seat::all(players) {
                            let row = at * players + seat.index();
                            table.observe(&slot.state, seat, &mut out.final_obs_all, row, scratch);
                        }
                    }
                }
            }
        });
        Ok(())
    }
}

impl<G: Game> AnyVecEnv for VecEnv<G> {
    fn info(&self) -> &GameInfo {
        self.configured.game.info()
    }

    fn config(&self) -> &VecConfig {
        &self.config
    }

    fn reward(&self) -> RewardKind {
        self.configured.reward
    }

    fn max_steps(&self) -> u32 {
        self.configured.max_steps
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn reset(&mut self, reset: Reset<'_>, out: &mut Buffers<'_>) -> Result<()> {
        self.core_mut()?.reset(reset, out.reborrow())
    }

    fn step(&mut self, actions: Actions<'_>, out: &mut Buffers<'_>) -> Result<()> {
        self.core_mut()?.step(actions, out.reborrow())
    }

    fn step_async(&mut self, actions: Vec<i64>, mut target: Box<dyn Target>) -> Result<()> {
        let alone = self.config.threads == 1;
        let core = self.core_mut()?;
        core.ready()?;
        if alone {
            let result = core.step(Actions::I64(&actions), target.buffers());
            self.waiting = Some(Waited { target, result });
            return Ok(());
        }
        let background = match &mut self.background {
            Some(background) if background.is_alive() => background,
            other => {
                // The thread of a parent process is not in its child: it is left alone, not joined.
                if let Some(old) = other.take() {
                    old.abandon();
                }
                other.insert(Background::start()?)
            }
        };
        if let Some(core) = self.core.take() {
            background.send(core, actions, target);
        }
        Ok(())
    }

    fn step_wait(&mut self) -> Result<Waited> {
        if let Some(waited) = self.waiting.take() {
            return Ok(waited);
        }
        match &mut self.background {
            Some(background) if self.core.is_none() => {
                let (core, waited) = background.receive()?;
                self.core = Some(core);
                Ok(waited)
            }
            _ => Err(Error::Order("no step is under way: `step_async` first")),
        }
    }

    fn is_pending(&self) -> bool {
        self.core.is_none() || self.waiting.is_some()
    }

    fn show(&mut self, out: &mut Buffers<'_>) -> Result<()> {
        let core = self.core_mut()?;
        core.ready()?;
        core.show(out.reborrow())
    }

    fn sample_actions(&mut self, out: &mut [i64]) -> Result<()> {
        self.core_mut()?.sample(out)
    }

    fn take_drawn(&mut self) -> bool {
        match self.core_mut() {
            Ok(core) if core.drawn => {
                core.take();
                true
            }
            _ => false,
        }
    }

    fn prepare(&mut self) {
        if let Ok(core) = self.core_mut() {
            core.pool.wake();
        }
    }

    fn observe(&mut self, seat: Seat, out: Rows<'_>) -> Result<()> {
        self.core_mut()?.observe(Some(seat), out)
    }

    fn observe_all(&mut self, out: Rows<'_>) -> Result<()> {
        self.core_mut()?.observe(None, out)
    }

    fn rollout(&mut self, policy: &str, out: &mut Rollout<'_>, last: &mut Buffers<'_>) -> Result<()> {
        let bot = bot::parse::<G>(policy)?;
        let core = self.core_mut()?;
        core.ready()?;
        let random = policy == "random";
        core.rollout(if random { None } else { Some(&*bot) }, out, last)
    }

    fn episode(&self, env: usize) -> Result<EpisodeInfo> {
        let core = self.core()?;
        let (slot, cold) = core.row(env)?;
        Ok(EpisodeInfo {
            seed: slot.seed,
            length: slot.length,
            over: slot.is_over(),
            opponents: cold.opponents[..core.sizes.players].to_vec(),
        })
    }

    fn state_bytes(&self, env: usize) -> Result<Vec<u8>> {
        let saved = self.state(env)?;
        let single = Env::from_snapshot(self.configured.clone(), Arc::new(saved));
        Ok(crate::save::to_bytes(&single))
    }

    fn add_opponent(&mut self, bot: &str, weight: f64) -> Result<usize> {
        self.push_opponent(bot::parse::<G>(bot)?, weight)
    }

    fn set_weights(&mut self, weights: &[f64]) -> Result<()> {
        let table = &mut self.core_mut()?.table;
        if weights.len() != table.opponents.len() {
            let (got, wanted) = (weights.len(), table.opponents.len());
            return Err(Error::argument("weights", format!("got {got}; there are {wanted} opponents")));
        }
        check_weights(weights.iter().copied())?;
        for (opponent, &weight) in table.opponents.iter_mut().zip(weights) {
            opponent.weight = weight;
        }
        table.weigh();
        Ok(())
    }

    fn results(&self) -> Result<Vec<OpponentResult>> {
        let core = self.core()?;
        let results = core.table.opponents.iter().enumerate().map(|(k, opponent)| {
            let mut sum = Tally::default();
            for tally in core.shards.iter().map(|shard| &shard.tallies[k]) {
                sum.episodes += tally.episodes;
                sum.wins += tally.wins;
                sum.draws += tally.draws;
                sum.losses += tally.losses;
                sum.truncated += tally.truncated;
                sum.return_sum += tally.return_sum;
            }
            OpponentResult {
                name: opponent.bot.name(),
                weight: opponent.weight,
                episodes: sum.episodes,
                wins: sum.wins,
                draws: sum.draws,
                losses: sum.losses,
                truncated: sum.truncated,
                return_sum: sum.return_sum as f64 / 4_294_967_296.0,
            }
        });
        Ok(results.collect())
    }

    fn reset_results(&mut self) -> Result<()> {
        for shard in &mut self.core_mut()?.shards {
            shard.tallies.fill(Tally::default());
        }
        Ok(())
    }

    fn to_bytes(&self) -> Result<Vec<u8>> {
        let core = self.core()?;
        core.ready()?;
        Ok(crate::vec::save::to_bytes(core))
    }

    fn load_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let core = self.core_mut()?;
        crate::vec::save::load_bytes(core, bytes)?;
        core.started = true;
        core.broken = false;
        core.sampling = false;
        core.refresh();
        Ok(())
    }
}
