//! The generic batch of environments.

use crate::agent::{Agent, AnyAgent, Failure, Until};
use crate::any::{AnyStates, AnyVecEnv};
use crate::env::Snapshot;
use crate::env::{ConfiguredGame, Env};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::info::{GameInfo, RewardKind};
use crate::memory;
use crate::player::Player;
use crate::pool::Level;
use crate::rng::Rng;
use crate::show::Show;
use crate::states::States;
use crate::vec::background::{self, Background};
use crate::vec::buffers::{Actions, Buffers, Rollout, Rows, Sizes, Target, Waited};
use crate::vec::config::{ObsType, VecConfig, check_weights};
use crate::vec::core::Core;
use crate::vec::request::NEVER_PLAYS;
use crate::vec::reset::Reset;
use crate::vec::result_counts::ResultCounts;
use crate::vec::results::{EpisodeInfo, OpponentResult, Results};
use crate::vec::slot::{EnvMeta, Slot};
use crate::vec::spec::{Opponent, VecSpec};
use crate::vec::statistics::BatchStatistics;
use crate::vec::streams::Streams;
use std::panic::resume_unwind;
use std::sync::Arc;

/// N episodes of a game, stepped together. See [`AnyVecEnv`] for its operations.
#[derive(Debug)]
pub struct VecEnv<G: Game> {
    configured: Arc<ConfiguredGame<G>>,
    config: VecConfig,
    sizes: Sizes,
    /// `None` while an asynchronous step is running.
    core: Option<Box<Core<G>>>,
    background: Option<Box<dyn background::Thread>>,
    /// Copy of the opponents, needed if an asynchronous step loses the batch.
    opponents: Vec<Opponent<G>>,
}

impl<G: Game> VecEnv<G> {
    /// A batch of environments; the first call must be a reset (or a load).
    ///
    /// `opponents` are agents with their weights (finite, not negative), drawn for players that the caller does not control.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`], [`Error::InvalidPlayer`] for a configuration that does not fit the game, or in which no learner ever
    /// decides: a thousand episodes of random play end before that, because `max_steps` is too small.
    pub fn new(
        configured: Arc<ConfiguredGame<G>>,
        config: VecConfig,
        opponents: Vec<(Arc<dyn Agent<G>>, f64)>,
    ) -> Result<VecEnv<G>> {
        let info = configured.game.info();
        config.check(info.players, opponents.len())?;
        if !opponents.is_empty() {
            check_weights(opponents.iter().map(|(_, weight)| *weight))?;
        }
        let opponents = opponents.into_iter().map(|(agent, weight)| Opponent::new(agent, weight)).collect();
        let sizes = Sizes::new(info, &config);
        memory::check("num_envs", config.num_envs, bytes_of::<G>(&config, &sizes))?;
        let spec = VecSpec::new(configured.clone(), config.clone(), opponents);
        if spec.has_opponents {
            spec.check_learners()?;
        }
        let mut core = Core::new(spec, sizes)?;
        core.split_for_opponents()?;
        Ok(VecEnv {
            configured,
            config,
            sizes,
            core: Some(Box::new(core)),
            background: None,
            opponents: Vec::new(),
        })
    }

    /// Uses only instructions that every machine of this architecture has. Results are the same.
    pub fn use_baseline_instructions(&mut self) {
        if let Some(core) = &mut self.core {
            core.spec.level = Level::BASELINE;
        }
    }

    /// The configured game.
    pub fn configured(&self) -> &Arc<ConfiguredGame<G>> {
        &self.configured
    }

    /// The current state of one environment.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index beyond the batch; [`Error::Order`] before the first reset and while a step is under way.
    pub fn state(&self, env: usize) -> Result<Snapshot<G>> {
        let core = self.core()?;
        core.ready()?;
        let (slot, meta) = core.row(env)?;
        Ok(Snapshot {
            state: slot.state,
            rng: core.spec.rng(slot),
            seed: slot.seed,
            root: meta.seeds.root(),
            episode: meta.next.wrapping_sub(1),
            decisions: slot.length.min(core.spec.longest),
            sampled: meta.sampled,
        })
    }

    /// Appends an opponent; returns its index. It is drawn from the next episodes on.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a weight that is negative or not finite, or if no player is drawn from the pool.
    pub fn push_opponent(&mut self, agent: Arc<dyn Agent<G>>, weight: f64) -> Result<usize> {
        let draws = self.config.takes_pool();
        let core = self.core_mut()?;
        if !draws {
            return Err(Error::argument("agent", format!("got `{}`; {NEVER_PLAYS}", agent.name())));
        }
        let spec = &mut core.spec;
        let weights = spec.opponents.iter().map(|o| o.weight).chain([weight]);
        check_weights(weights).map_err(|error| error.renamed("weights", "weight"))?;
        // Before anything changes: memory may not suffice.
        core.split_for_opponent(&*agent)?;
        core.can_fail |= agent.can_fail();
        let spec = &mut core.spec;
        spec.opponents.push(Opponent::new(agent, weight));
        spec.update_draw();
        for shard in &mut core.shards {
            shard.result_counts.push(ResultCounts::default());
        }
        Ok(core.spec.opponents.len() - 1)
    }

    /// Replaces a batch that was lost with its background thread by a new one, which must be reset first.
    #[cold]
    fn begin_again(&mut self) {
        if let Some(old) = self.background.take() {
            old.abandon();
        }
        let opponents = std::mem::take(&mut self.opponents);
        let spec = VecSpec::new(self.configured.clone(), self.config.clone(), opponents);
        let new = Core::new(spec, self.sizes).and_then(|mut core| core.split_for_opponents().map(|()| core));
        let core = new.expect("the lost batch had as much memory");
        self.core = Some(Box::new(core));
    }

    pub(crate) fn core(&self) -> Result<&Core<G>> {
        self.core.as_deref().ok_or(PENDING)
    }

    /// For all but steps.
    pub(crate) fn core_mut(&mut self) -> Result<&mut Core<G>> {
        let core = self.core.as_deref_mut().ok_or(PENDING)?;
        core.settle();
        Ok(core)
    }
}

/// The message of the error of `results` without opponents.
const NOTHING_COUNTED: &str = "none play in this batch, so no results are counted: make the batch with opponents, or read the \
                               episode returns of the rows in which an episode ended";

const PENDING: Error = Error::Order("a step is under way: `step_wait` first");

/// Bytes that the engine keeps for one environment of a batch with this number of rows of legal actions; see [`AnyVecEnv::env_bytes`].
pub(crate) fn env_bytes<G: Game>(lanes: usize) -> usize {
    // `Shard` has a list of each of these.
    let streams = 2 * size_of::<Rng>();
    size_of::<Slot<G::State>>()
        + size_of::<EnvMeta>()
        + streams
        + lanes * (size_of::<G::Legal>() + size_of::<u16>())
}

/// Bytes of all environments, and of one batch of results, which lie in the caller's memory; `None` on overflow.
fn bytes_of<G: Game>(config: &VecConfig, sizes: &Sizes) -> Option<usize> {
    let element = match config.dtype {
        ObsType::U8 => 1,
        ObsType::F32 => 4,
    };
    let rows = sizes.lanes * 2 * (sizes.observation * element + sizes.actions) + 16 * sizes.players + 64;
    // The longest buffer of a batch; on 32-bit systems it alone may exceed the address space.
    let longest = sizes.players * sizes.observation.max(sizes.actions) * size_of::<u64>();
    config.num_envs.checked_mul(longest)?;
    config.num_envs.checked_mul(env_bytes::<G>(sizes.lanes) + rows)
}

impl<G: Show> AnyVecEnv for VecEnv<G> {
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

    fn env_bytes(&self) -> usize {
        env_bytes::<G>(self.sizes.lanes)
    }

    fn reset(&mut self, reset: Reset<'_>, out: &mut Buffers<'_>) -> Result<()> {
        self.core_mut()?.reset(reset, out.reborrow())
    }

    fn step(&mut self, actions: Actions<'_>, out: &mut Buffers<'_>) -> Result<()> {
        self.core.as_deref_mut().ok_or(PENDING)?.step(actions, out.reborrow())
    }

    fn step_async(&mut self, actions: Vec<i64>, mut target: Box<dyn Target>) -> Result<()> {
        let (sizes, dtype) = (self.sizes, self.config.dtype);
        let core = self.core()?;
        core.ready()?;
        core.check_actions(actions.len())?;
        target.buffers().check(&sizes, dtype)?;
        let background = match &mut self.background {
            Some(background) if background.is_alive() => background,
            other => {
                // A forked child does not have its parent's thread: it is not joined.
                if let Some(old) = other.take() {
                    old.abandon();
                }
                other.insert(Background::start()?)
            }
        };
        if let Some(core) = self.core.take() {
            // Reuses the previous list, so that a step allocates nothing.
            self.opponents.clone_from(&core.spec.opponents);
            background.send(core, actions, target);
        }
        Ok(())
    }

    fn step_wait(&mut self) -> Result<Waited> {
        match &mut self.background {
            Some(background) if self.core.is_none() => match background.receive() {
                Ok((batch, result)) => {
                    // Restored before the panic resumes, so that no caller waits for it a second time.
                    self.core = Some(background::returned(batch));
                    match result {
                        Ok(waited) => Ok(waited),
                        Err(panic) => resume_unwind(panic),
                    }
                }
                Err(lost) => {
                    self.begin_again();
                    Err(lost)
                }
            },
            _ => {
                self.core()?.whole()?;
                Err(Error::Order("no step is under way: `step_async` first"))
            }
        }
    }

    fn is_pending(&self) -> bool {
        self.core.is_none()
    }

    fn show(&mut self, out: &mut Buffers<'_>) -> Result<()> {
        let core = self.core_mut()?;
        core.ready()?;
        core.show(out.reborrow())
    }

    fn sample_actions(&mut self, out: &mut [i64]) -> Result<()> {
        self.core_mut()?.sample(out)
    }

    fn act_batch(&mut self, agent: &AnyAgent, mask: Option<&[u8]>, out: &mut [i64]) -> Result<()> {
        if agent.can_fail() {
            return self.act_batch_while(agent, mask, out, &|| true).map(|_| ());
        }
        let typed = agent.of(&self.configured)?;
        let core = self.core_mut()?;
        core.split_for(&**typed)?;
        match mask {
            None if agent.name() == "random" => core.sample(out),
            _ => core.act_batch(&**typed, mask, out, || {}),
        }
    }

    fn act_batch_while(
        &mut self,
        agent: &AnyAgent,
        mask: Option<&[u8]>,
        out: &mut [i64],
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool> {
        // They are done sooner than anybody could stop them.
        if matches!(agent.name(), "random" | "greedy") && !agent.can_fail() {
            return self.act_batch(agent, mask, out).map(|()| true);
        }
        let typed = agent.of(&self.configured)?;
        let core = self.core_mut()?;
        core.split_for(&**typed)?;
        let until = Until::new(&**typed, keep_going);
        let mut chosen = vec![0; out.len()];
        let before: Vec<Streams> = core.shards.iter().map(|shard| shard.sample.clone()).collect();
        let done = core.act_batch(&until, mask, &mut chosen, || {
            until.goes_on();
        });
        if until.is_stopped() || done.is_err() {
            for (shard, before) in core.shards.iter_mut().zip(before) {
                shard.sample = before;
                shard.meta.iter_mut().for_each(|meta| meta.memories.forget(agent.name()));
            }
            return done.map(|()| false);
        }
        out.copy_from_slice(&chosen);
        Ok(true)
    }

    fn evaluate(&mut self, agent: &AnyAgent, policy: &mut [f32], value: &mut [f32]) -> Result<()> {
        let typed = agent.of(&self.configured)?;
        let core = self.core_mut()?;
        core.split_for(&**typed)?;
        core.evaluate(&**typed, policy, value)
    }

    fn search_statistics(&mut self, agent: &AnyAgent, out: &mut BatchStatistics<'_>) -> Result<()> {
        let typed = agent.of(&self.configured)?;
        self.core_mut()?.search_statistics(&**typed, out)
    }

    fn take_failure(&mut self) -> Option<Failure> {
        self.core.as_deref_mut()?.failure.take()
    }

    fn take_drawn(&mut self) -> bool {
        self.core.as_deref_mut().is_some_and(Core::take_drawn)
    }

    fn prepare(&mut self) {
        if let Some(core) = &mut self.core {
            core.pool.wake();
        }
    }

    fn share_always(&mut self) {
        if let Some(core) = &mut self.core {
            core.pool.share_always();
        }
    }

    fn observe(&mut self, player: Player, out: Rows<'_>) -> Result<()> {
        self.core_mut()?.observe(Some(player), out)
    }

    fn observe_all(&mut self, out: Rows<'_>) -> Result<()> {
        self.core_mut()?.observe(None, out)
    }

    fn rollout(&mut self, agent: &AnyAgent, out: &mut Rollout<'_>, last: &mut Buffers<'_>) -> Result<()> {
        let typed = agent.of(&self.configured)?;
        let core = self.core_mut()?;
        core.ready()?;
        core.split_for(&**typed)?;
        let random = agent.name() == "random" && !agent.can_fail();
        core.rollout(if random { None } else { Some(&**typed) }, out, last)
    }

    fn episode(&self, env: usize) -> Result<EpisodeInfo> {
        let core = self.core()?;
        let (slot, meta) = core.row(env)?;
        Ok(EpisodeInfo {
            seed: slot.seed,
            length: slot.length.min(core.spec.longest),
            over: slot.is_over(),
            opponents: meta.opponents[..core.sizes.players].to_vec(),
        })
    }

    fn state_bytes(&self, env: usize) -> Result<Vec<u8>> {
        let saved = self.state(env)?;
        let mut single = Env::from_snapshot(self.configured.clone(), Arc::new(saved));
        single.streams = self.core()?.streams(env)?;
        Ok(crate::save::to_bytes(&single))
    }

    fn states(&self) -> Result<Box<dyn AnyStates>> {
        self.core()?.ready()?;
        Ok(Box::new(States::of(&self.configured, self.sizes.envs, |env| self.state(env))?))
    }

    fn add_opponent(&mut self, agent: &AnyAgent, weight: f64) -> Result<usize> {
        let typed = agent.of(&self.configured)?.clone();
        self.push_opponent(typed, weight)
    }

    fn set_weights(&mut self, weights: &[f64]) -> Result<()> {
        let spec = &mut self.core_mut()?.spec;
        if weights.len() != spec.opponents.len() {
            let (got, wanted) = (weights.len(), spec.opponents.len());
            return Err(Error::argument("weights", format!("got {got}; there are {wanted} opponents")));
        }
        check_weights(weights.iter().copied())?;
        for (opponent, &weight) in spec.opponents.iter_mut().zip(weights) {
            opponent.weight = weight;
        }
        spec.update_draw();
        Ok(())
    }

    fn results(&self) -> Result<Results> {
        let core = self.core()?;
        if !core.spec.counts_results() {
            return Err(Error::argument("opponents", NOTHING_COUNTED));
        }
        let opponents = core.spec.opponents.iter().enumerate().map(|(k, opponent)| OpponentResult {
            name: opponent.agent.name().to_owned(),
            weight: opponent.weight,
            record: core.result_counts(k).record(),
        });
        Ok(Results { total: core.total().record(), opponents: opponents.collect() })
    }

    fn reset_results(&mut self) -> Result<()> {
        for shard in &mut self.core_mut()?.shards {
            shard.result_counts.fill(ResultCounts::default());
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
        core.resume();
        Ok(())
    }
}
