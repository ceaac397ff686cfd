//! A batch of environments and its operations, without the background thread that may own it.

use crate::agent::{Agent, Failure, Memories};
use crate::env::{Snapshot, Streams};
use crate::error::{Error, IllegalActions, Result};
use crate::game::{Game, Status};
use crate::log::Silent;
use crate::memory::filled;
use crate::player::{MAX_PLAYERS, Player, Players};
use crate::pool::{Isa, Kernel, Pool, dispatch};
use crate::rng::{self, EpisodeSeeds, Rng, Stream};
use crate::states::States;
use crate::vec::buffers::{Actions, Buffers, Rows, Sizes};
use crate::vec::reset::{Reset, Source};
use crate::vec::result_counts::ResultCounts;
use crate::vec::shard::{Part, Shard};
use crate::vec::slot::{EnvMeta, Slot};
use crate::vec::spec::VecSpec;
use crate::vec::step::{Check, Sample, step};
use crate::vec::streams::Streams as SampleStreams;
use crate::vec::write::WriteAll;

/// Largest number of shards of a batch.
const MAX_SHARDS: usize = 64;
/// Number of shards for two threads.
const FEW_SHARDS: usize = 8;
/// Tasks start at multiples of this: so no two threads write into the same cache line of a byte buffer.
const GRAIN: usize = 64;

/// The data of a [`VecEnv`](crate::vec::VecEnv) except the background thread.
#[derive(Debug)]
pub(crate) struct Core<G: Game> {
    pub(crate) spec: VecSpec<G>,
    pub(crate) shards: Vec<Shard<G>>,
    pub(crate) pool: Pool,
    pub(crate) sizes: Sizes,
    pub(super) started: bool,
    /// A step or reset that panicked left the batch half done.
    pub(crate) broken: bool,
    /// Whether `sample_actions` was used since the last step.
    pub(super) sampling: bool,
    /// Whether the last step drew ahead.
    pub(crate) drawn: bool,
    /// Whether these draws were taken and the shards have not swapped their streams yet. In the next step each shard swaps its own on the thread
    /// that plays it: on the caller's thread this would move cache lines there and back.
    pub(super) taken: bool,
    /// Whether an opponent can fail.
    pub(super) can_fail: bool,
    /// Why the last call failed, until the host takes it.
    pub(crate) failure: Option<Failure>,
}

const NOT_STARTED: Error = Error::Order("nothing was reset yet: `reset` first");
const BROKEN: Error = Error::Order("an earlier call failed half way: `reset` all environments first");

impl<G: Game> Core<G> {
    /// A batch that must be reset (or loaded) first.
    pub(crate) fn new(spec: VecSpec<G>, sizes: Sizes) -> Result<Core<G>> {
        Ok(Core {
            pool: Pool::new(spec.config.threads, spec.config.spin_us),
            shards: make_shards(&spec)?,
            can_fail: spec.opponents.iter().any(|opponent| opponent.agent.can_fail()),
            failure: None,
            spec,
            sizes,
            started: false,
            broken: false,
            sampling: false,
            drawn: false,
            taken: false,
        })
    }

    /// Splits shards, if they are too large for an agent that chooses in the batch: see [`Agent::parts_per_thread`].
    ///
    /// # Errors
    /// Those of memory.
    pub(crate) fn split_for(&mut self, agent: &dyn Agent<G>) -> Result<()> {
        let (threads, parts) = (self.spec.config.threads, agent.parts_per_thread());
        if threads == 1 || parts == 0 {
            return Ok(());
        }
        let envs = self.sizes.envs;
        let wanted = (threads * parts).min(MAX_SHARDS).min(envs);
        if self.shards.len() >= wanted {
            return Ok(());
        }
        let (most, mut at) = (envs.div_ceil(wanted), 0);
        while at < self.shards.len() && self.shards.len() < MAX_SHARDS {
            if self.shards[at].slots.len() > most {
                let rest = self.shards[at].split_off(&self.spec, most)?;
                self.shards.insert(at + 1, rest);
            }
            at += 1;
        }
        Ok(())
    }

    /// [`Core::split_for`] an opponent. Steps in which it searches are shared from the first one on: before their times are known, some would
    /// run on one thread, each of them for seconds.
    ///
    /// # Errors
    /// Those of memory.
    pub(crate) fn split_for_opponent(&mut self, agent: &dyn Agent<G>) -> Result<()> {
        if agent.parts_per_thread() > 1 {
            self.pool.share_always();
        }
        self.split_for(agent)
    }

    /// The same for all opponents.
    ///
    /// # Errors
    /// Those of memory.
    pub(crate) fn split_for_opponents(&mut self) -> Result<()> {
        let agents: Vec<_> = self.spec.opponents.iter().map(|opponent| opponent.agent.clone()).collect();
        agents.iter().try_for_each(|agent| self.split_for_opponent(&**agent))
    }

    /// Continues from states that have just replaced all episodes.
    pub(crate) fn resume(&mut self) {
        for shard in &mut self.shards {
            shard.waiting_list.clear();
        }
        self.started = true;
        self.broken = false;
        self.sampling = false;
        self.refresh();
    }

    /// The results of all episodes.
    pub(crate) fn total(&self) -> ResultCounts {
        self.sum(0)
    }

    /// The results against one opponent.
    pub(crate) fn result_counts(&self, opponent: usize) -> ResultCounts {
        self.sum(1 + opponent)
    }

    /// The sum of one entry of the result counts over all shards.
    fn sum(&self, place: usize) -> ResultCounts {
        let mut sum = ResultCounts::default();
        for counted in self.shards.iter().map(|shard| &shard.result_counts[place]) {
            sum.episodes += counted.episodes;
            sum.wins += counted.wins;
            sum.draws += counted.draws;
            sum.losses += counted.losses;
            sum.truncated += counted.truncated;
            sum.return_sum += counted.return_sum;
        }
        sum
    }

    /// The data of one environment.
    pub(crate) fn row(&self, env: usize) -> Result<(&Slot<G::State>, &EnvMeta)> {
        let envs = self.sizes.envs;
        let shard = self
            .shards
            .iter()
            .find(|shard| (shard.first..shard.first + shard.slots.len()).contains(&env))
            .ok_or_else(|| {
                Error::argument("env", format!("got {env}; environments are 0 to {}", envs - 1))
            })?;
        Ok((&shard.slots[env - shard.first], &shard.meta[env - shard.first]))
    }

    /// Refuses a batch that was not reset yet or is broken.
    pub(crate) fn ready(&self) -> Result<()> {
        self.whole()?;
        if self.started { Ok(()) } else { Err(NOT_STARTED) }
    }

    /// Refuses a batch that is broken: a call panicked half way.
    pub(crate) fn whole(&self) -> Result<()> {
        if self.broken { Err(BROKEN) } else { Ok(()) }
    }

    /// Runs `work`; if it panics, the batch stays marked as broken.
    fn guarded<R>(&mut self, work: impl FnOnce(&mut Core<G>) -> R) -> R {
        self.broken = true;
        let result = work(self);
        self.broken = false;
        result
    }

    /// Refuses a wrong number of actions.
    pub(crate) fn check_actions(&self, len: usize) -> Result<()> {
        let wanted = self.sizes.envs * self.sizes.lanes;
        if len == wanted {
            return Ok(());
        }
        Err(Error::argument("actions", format!("got {len} actions; wanted {wanted}")))
    }

    /// Plays a step, or refuses it and changes nothing.
    pub(crate) fn step(&mut self, actions: Actions<'_>, out: Buffers<'_>) -> Result<()> {
        self.attempt(false, out, |core, out| core.play_step(actions, out))
    }

    #[inline(always)]
    fn play_step(&mut self, actions: Actions<'_>, out: Buffers<'_>) -> Result<()> {
        self.ready()?;
        self.check_actions(actions.len())?;
        out.check(&self.sizes, self.spec.config.dtype)?;
        let draw = self.sampling && !out.drawn.is_empty();
        let fine = self.guarded(|core| core.run_step(actions, out, draw));
        if !fine {
            return Err(self.refusal());
        }
        self.drawn = draw;
        self.sampling = false;
        self.check_stuck()
    }

    /// Refuses further calls if in some environment all episodes end before a learner decides.
    pub(crate) fn check_stuck(&mut self) -> Result<()> {
        // Not written unless needed: the shards are in the caches of the threads that play them.
        match self.shards.iter().find_map(|shard| shard.stuck) {
            None => Ok(()),
            Some(env) => {
                self.shards.iter_mut().for_each(|shard| shard.stuck = None);
                self.broken = true;
                Err(self.spec.stuck_error(env))
            }
        }
    }

    fn run_step(&mut self, actions: Actions<'_>, out: Buffers<'_>, draw: bool) -> bool {
        let taken = std::mem::take(&mut self.taken);
        let (spec, level) = (&self.spec, self.spec.level);
        if let [shard] = &mut self.shards[..] {
            if taken {
                shard.take_drawn();
            }
            let part = &mut Part { shard, actions, out };
            let fine = dispatch(level, Check { spec, part: &mut *part });
            if fine {
                step(level, spec, part, draw);
            }
            return fine;
        }
        let pool = &mut self.pool;
        with_parts(&mut self.shards, actions, out, &self.sizes, |parts| {
            pool.run(
                parts,
                |part| {
                    let Some(part) = part else { return true };
                    if taken {
                        part.shard.take_drawn();
                    }
                    dispatch(level, Check { spec, part })
                },
                |part| {
                    if let Some(part) = part {
                        step(level, spec, part, draw);
                    }
                },
            )
        })
    }

    /// The error of the last check.
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

    /// Writes the current state of all environments.
    pub(crate) fn show(&mut self, out: Buffers<'_>) -> Result<()> {
        out.check(&self.sizes, self.spec.config.dtype)?;
        let (spec, level) = (&self.spec, self.spec.level);
        let pool = &mut self.pool;
        with_parts(&mut self.shards, Actions::I64(&[]), out, &self.sizes, |parts| {
            pool.each(parts, |part| {
                if let Some(part) = part {
                    dispatch(level, WriteAll { spec, part });
                }
            });
        });
        Ok(())
    }

    /// Recomputes the values cached beside the states, without writing to any buffer.
    pub(crate) fn refresh(&mut self) {
        self.drawn = false;
        self.show(Buffers::default()).expect("empty buffers fit");
    }

    /// Starts episodes, or continues from states, and writes all environments.
    pub(crate) fn reset(&mut self, reset: Reset<'_>, out: Buffers<'_>) -> Result<()> {
        self.attempt(false, out, |core, out| core.play_reset(reset, out))
    }

    fn play_reset(&mut self, reset: Reset<'_>, out: Buffers<'_>) -> Result<()> {
        let envs = self.sizes.envs;
        let list = |name, len: usize| match len {
            len if len == envs => Ok(()),
            _ => Err(Error::argument(name, format!("got {len} entries; wanted {envs}"))),
        };
        if let Some(mask) = reset.mask {
            list("reset_mask", mask.len())?;
        }
        out.check(&self.sizes, self.spec.config.dtype)?;
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
        let states: Vec<Snapshot<G>> = match source {
            Source::Seeds(seeds) => list("seeds", seeds.len()).map(|()| Vec::new())?,
            Source::States(states) => {
                list("states", states.len())?;
                (0..envs)
                    .filter(|&env| chosen(env))
                    .map(|env| self.read_state(env, states[env]))
                    .collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        let array = match source {
            Source::Array(states) => {
                let states = States::read(states, &self.spec.configured)?;
                list("states", states.len())?;
                (0..envs)
                    .filter(|&env| chosen(env))
                    .try_for_each(|env| self.check_running(env, &states[env]))?;
                states
            }
            _ => &[],
        };
        // Environments that were never reset start with those that are.
        let started = self.started;
        let chosen = |env: usize| !started || chosen(env);
        self.guarded(|core| match source {
            Source::States(_) => {
                core.load_states((0..envs).filter(|&env| chosen(env)).zip(&states));
            }
            Source::Array(_) => {
                core.load_states((0..envs).filter(|&env| chosen(env)).map(|env| (env, &array[env])));
            }
            _ => core.deal(source, &chosen),
        });
        if self.has_failed() {
            return Ok(());
        }
        self.started = true;
        self.drawn = false;
        self.check_stuck()?;
        self.show(out)
    }

    /// Starts episodes from seeds or streams.
    fn deal(&mut self, source: Source<'_>, chosen: &(dyn Fn(usize) -> bool + Sync)) {
        let spec = &self.spec;
        self.pool.each(&mut self.shards, |shard| {
            shard.waiting_list.clear();
            for at in 0..shard.slots.len() {
                let env = shard.first + at;
                if !chosen(env) {
                    continue;
                }
                let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
                // The index is part of the stream, so that rows with equal seeds play different later episodes.
                let given = match source {
                    Source::Seed(seed) => Some(seed),
                    Source::Seeds(seeds) => Some(seeds[env]),
                    _ => None,
                };
                meta.memories.clear();
                if let Some(seed) = given {
                    let root = rng::environment_root(seed, spec.number(env));
                    (meta.seeds, meta.next) = (EpisodeSeeds::new(root), 0);
                    shard.sample.set(at, rng::stream(root, Stream::Sample));
                }
                let result_counts = &mut shard.result_counts;
                let begun = match source {
                    Source::Seeds(seeds) => spec.begin_seed(slot, meta, env, seeds[env], result_counts),
                    _ => spec.begin(slot, meta, env, result_counts),
                };
                shard.note(spec, at, begun);
            }
            shard.begin_waiting(spec);
        });
    }

    fn read_state(&self, env: usize, bytes: &[u8]) -> Result<Snapshot<G>> {
        let saved = crate::save::from_bytes(&self.spec.configured, bytes)?.snapshot();
        self.check_running(env, &saved)?;
        Ok(saved)
    }

    fn check_running(&self, env: usize, saved: &Snapshot<G>) -> Result<()> {
        let over = self.spec.game().status(&saved.state) != Status::Running
            || self.spec.game().acting(&saved.state).is_empty()
            || saved.decisions >= self.spec.limit;
        match over {
            true => Err(Error::argument("states", format!("the episode of environment {env} is over"))),
            false => Ok(()),
        }
    }

    /// Continues from saved states in some environments.
    pub(crate) fn load_states<'a>(&mut self, states: impl Iterator<Item = (usize, &'a Snapshot<G>)>) {
        for shard in &mut self.shards {
            shard.waiting_list.clear();
        }
        for (env, saved) in states {
            self.load_state(env, saved);
        }
        let spec = &self.spec;
        self.pool.each(&mut self.shards, |shard| shard.begin_waiting(spec));
    }

    fn load_state(&mut self, env: usize, saved: &Snapshot<G>) {
        let spec = &self.spec;
        for shard in &mut self.shards {
            if !(shard.first..shard.first + shard.slots.len()).contains(&env) {
                continue;
            }
            let at = env - shard.first;
            let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
            (slot.state, slot.rng, slot.seed) = (saved.state, saved.rng, saved.seed);
            (slot.length, slot.last, meta.sampled) = (saved.decisions, Player(0), saved.sampled);
            meta.memories.clear();
            // As with seeds: rows with equal states have separate streams.
            let root = rng::states_root(saved.root, spec.number(env));
            meta.seeds = EpisodeSeeds::new(root);
            (meta.next, meta.delta_base) = (saved.episode.wrapping_add(1), spec.delta_base(&saved.state));
            shard.sample.set(at, rng::stream(root, Stream::Sample));
            if spec.has_opponents {
                // No later episode has the number of this one.
                spec.assign_opponents(meta, env, meta.seeds.seed(saved.episode));
            }
            let begun = spec.find_decision(slot, meta, env, &mut shard.result_counts, 0);
            shard.note(spec, at, begun);
        }
    }

    /// The current streams of `sample_actions` in a shard.
    pub(crate) fn sample_streams<'a>(&self, shard: &'a Shard<G>) -> &'a SampleStreams {
        if self.taken { &shard.ahead } else { &shard.sample }
    }

    /// The current random streams of an environment.
    pub(crate) fn streams(&self, env: usize) -> Result<Streams> {
        let (slot, meta) = self.row(env)?;
        let holder = self.shards.iter().rev().find(|shard| shard.first <= env).expect("the row is there");
        let sample = self.sample_streams(holder).get(env - holder.first);
        // Without opponents nothing draws from the agent stream.
        let agents = if self.spec.has_opponents { meta.agents } else { Streams::of(slot.seed).agents };
        Ok(Streams { sample, agents, clones: 0 })
    }

    /// Draws a legal action for every acting player.
    pub(crate) fn sample(&mut self, out: &mut [i64]) -> Result<()> {
        self.ready()?;
        self.check_out(out)?;
        let (spec, level) = (&self.spec, self.spec.level);
        let buffers = Buffers { drawn: out, ..Buffers::default() };
        let pool = &mut self.pool;
        with_parts(&mut self.shards, Actions::I64(&[]), buffers, &self.sizes, |parts| {
            pool.each(parts, |part| {
                if let Some(Part { shard, out, .. }) = part {
                    dispatch(level, Sample { spec, shard, out: out.drawn });
                }
            });
        });
        self.shards.iter_mut().for_each(Shard::take_drawn);
        self.drawn = false;
        self.sampling = true;
        Ok(())
    }

    pub(crate) fn check_out(&self, out: &[i64]) -> Result<()> {
        let wanted = self.sizes.envs * self.sizes.lanes;
        if out.len() == wanted {
            return Ok(());
        }
        Err(Error::argument("out", format!("got {} elements; wanted {wanted}", out.len())))
    }

    /// Takes the draws made ahead, if there are any.
    pub(crate) fn take_drawn(&mut self) -> bool {
        let taken = self.drawn;
        (self.taken, self.sampling) = (self.taken | taken, self.sampling | taken);
        self.drawn = false;
        taken
    }

    /// Swaps the streams of all shards if their draws were taken. Whatever uses the streams, other than a step, must come after this.
    pub(crate) fn settle(&mut self) {
        if std::mem::take(&mut self.taken) {
            self.shards.iter_mut().for_each(Shard::take_drawn);
        }
    }

    /// Writes the observation of one player, or of every player, in every environment.
    pub(crate) fn observe(&mut self, player: Option<Player>, out: Rows<'_>) -> Result<()> {
        self.ready()?;
        let (players, observation) = (self.sizes.players, self.sizes.observation);
        if let Some(player) = player
            && player.index() >= players
        {
            return Err(Error::InvalidPlayer { player: i64::from(player.0), players });
        }
        // The same check and split as for `final_obs_all`, with one player per row if `player` is given.
        let wanted = self.sizes.envs * observation * if player.is_none() { players } else { 1 };
        if out.len() != wanted {
            return Err(Error::argument("out", format!("got {} elements; wanted {wanted}", out.len())));
        }
        if let Some(got) = out.dtype()
            && got != self.spec.config.dtype
        {
            let (got, wanted) = (got.name(), self.spec.config.dtype.name());
            return Err(Error::argument("out", format!("got elements of type {got}; wanted {wanted}")));
        }
        let sizes = Sizes { players: if player.is_none() { players } else { 1 }, ..self.sizes };
        let buffers = Buffers { final_obs_all: out, ..Buffers::default() };
        let (spec, level) = (&self.spec, self.spec.level);
        let pool = &mut self.pool;
        with_parts(&mut self.shards, Actions::I64(&[]), buffers, &sizes, |parts| {
            pool.each(parts, |part| {
                if let Some(part) = part {
                    dispatch(level, ObserveAll { spec, part, viewer: player });
                }
            });
        });
        Ok(())
    }
}

/// Writes the observations of a shard's states: of one viewer, or of all.
struct ObserveAll<'k, 'a, G: Game> {
    spec: &'k VecSpec<G>,
    part: &'k mut Part<'a, G>,
    viewer: Option<Player>,
}

impl<G: Game> Kernel for ObserveAll<'_, '_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let ObserveAll { spec, part: Part { shard, out, .. }, viewer: only } = self;
        let Shard { slots, scratch, .. } = &mut **shard;
        let viewers = Player::all(spec.players).filter(|&viewer| only.is_none_or(|only| only == viewer));
        let rows = slots.iter().flat_map(|slot| viewers.clone().map(move |viewer| (slot, viewer)));
        for (row, (slot, viewer)) in rows.enumerate() {
            spec.observe(isa, &slot.state, viewer, &mut out.final_obs_all, row, scratch);
        }
    }
}

/// The shards of a batch: one for a single thread, otherwise several per thread.
fn make_shards<G: Game>(spec: &VecSpec<G>) -> Result<Vec<Shard<G>>> {
    let envs = spec.config.num_envs;
    let threads = spec.config.threads;
    let wanted = if threads == 1 { 1 } else { (threads * 4).min(MAX_SHARDS) };
    let grains = envs.div_ceil(GRAIN);
    let shards = wanted.min(grains);
    let game = spec.game();
    (0..shards)
        .map(|k| {
            let first = k * grains / shards * GRAIN;
            let end = ((k + 1) * grains / shards * GRAIN).min(envs);
            let meta = EnvMeta {
                seeds: EpisodeSeeds::new(0),
                next: 0,
                delta_base: [0; MAX_PLAYERS],
                agents: Rng::from_seed(0),
                memories: Memories::default(),
                opponents: [-1; MAX_PLAYERS],
                learners: Players::all(spec.players),
                sampled: 0,
            };
            let mut rng = Rng::from_seed(0);
            let state = game.deal(&mut rng, &mut Silent);
            let slot = Slot { state, rng, seed: 0, length: 0, acting: Players::EMPTY, last: Player(0) };
            Shard::new(spec, first, filled(envs, slot, end - first)?, filled(envs, meta, end - first)?)
        })
        .collect()
}

/// Calls `work` with one part per shard. Few shards get a short array: the long one has 25 kB, and marking it as empty takes as long as 30
/// steps of a small game.
#[inline(always)]
pub(crate) fn with_parts<'a, G: Game, R>(
    shards: &'a mut [Shard<G>],
    actions: Actions<'a>,
    out: Buffers<'a>,
    sizes: &Sizes,
    work: impl FnOnce(&mut [Option<Part<'a, G>>]) -> R,
) -> R {
    let count = shards.len();
    match count <= FEW_SHARDS {
        true => work(&mut parts::<G, FEW_SHARDS>(shards, actions, out, sizes)[..count]),
        false => work(&mut parts::<G, MAX_SHARDS>(shards, actions, out, sizes)[..count]),
    }
}

/// Splits buffers and actions along the shards; entries beyond the number of shards are `None`.
#[inline(always)]
fn parts<'a, G: Game, const MOST: usize>(
    shards: &'a mut [Shard<G>],
    mut actions: Actions<'a>,
    mut out: Buffers<'a>,
    sizes: &Sizes,
) -> [Option<Part<'a, G>>; MOST] {
    let mut parts = [const { None }; MOST];
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
