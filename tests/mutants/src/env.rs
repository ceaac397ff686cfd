//! Mutants of environments around a correct game.

use crate::around::{Around, Lies};
use playmat_core::agent::{AnyAgent, Memories, SearchStatistics};
use playmat_core::any::{AnyEnv, AnyGame, AnyOutcomes};
use playmat_core::error::{Error, Problem, Result};
use playmat_core::game::Status;
use playmat_core::info::{GameInfo, RewardKind, fnv1a};
use playmat_core::player::{Action, Player, Players};
use playmat_core::replay::Replay;
use playmat_core::rng::{Rng, Stream, stream};
use playmat_core::save::STREAMS;
use serde_json::{Value, json};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The defect of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// No defect: the control.
    Nothing,
    /// The mask forgets one legal action.
    MaskForgets,
    /// A byte of the mask is 2.
    MaskOfTwos,
    /// An illegal action is applied silently (as another one).
    AppliesIllegal,
    /// A refused action leaves the generator advanced.
    RefusalDraws,
    /// A player that need not act has legal actions.
    IdleMayAct,
    /// A step after the end is accepted.
    StepsAfterEnd,
    /// The sampler always draws the first legal action.
    BiasedSampler,
    /// Every reward is doubled.
    PaysTwice,
    /// Outcomes do not sum to zero.
    NotZeroSum,
    /// There is a reward before the end.
    PaysEarly,
    /// A reward is not a number.
    PaysNan,
    /// A truncated episode has an outcome.
    PaysCut,
    /// An observation changes the state.
    LookingChanges,
    /// An unknown player gets an observation.
    AnyPlayer,
    /// The other player's card is in an error message.
    HandInRefusal,
    /// Clones share a counter.
    SharedClone,
    /// Loading forgets the generator.
    ForgetsGenerator,
    /// Loading forgets the number of decisions.
    ForgetsCounter,
    /// A viewer's JSON is loaded as a full state.
    LoadsViewer,
    /// The history lacks its first action.
    ForgetsHistory,
    /// The last event of a step is missing.
    ForgetsEvent,
    /// The events of the deal are missing.
    ForgetsDeal,
    /// The second episode repeats the first.
    Repeats,
    /// The reported seed is wrong.
    OtherSeed,
    /// A search clone sees the true next draw.
    SeesFuture,
    /// The list of legal actions descends.
    ListDescends,
    /// A clone has lost its history.
    CloneForgetsHistory,
    /// A reset with a seed starts another one.
    ResetForgetsSeed,
    /// In the joint view the action of the last player is ignored.
    JointIsDeaf,
    /// A replay lacks its last decision.
    ReplayLosesLast,
    /// Replays of any version are accepted.
    OldReplays,
    /// Any length is accepted for an observation.
    AnyLength,
    /// Damaged bytes load as a new episode.
    LoadsGarbage,
    /// An episode loaded from JSON cannot be replayed.
    LoadedHasNoReplay,
    /// Three times the reward, outside its range.
    PaysTooMuch,
    /// The last rewards stay after a reset.
    KeepsPaid,
    /// The scores are those of the next players.
    OtherScores,
    /// A loaded episode keeps the returns of the file under any kind of reward.
    KeepsReturns,
    /// Fields of a file other than the state are ignored.
    IgnoresDerived,
    /// There is a reward more than there are players.
    PaysNobody,
    /// Exact clones have a fresh random stream.
    CloneRerolls,
    /// A search clone is one decision ahead.
    ClonePlaysOn,
    /// Every second digest uses one more episode.
    DigestDrifts,
    /// Loading starts the streams of samples and agents anew.
    ForgetsStreams,
    /// A search clone has the stream of the deal with its seed.
    ClonePlaysTheDeal,
    /// A position that is loaded without a generator has the stream of the deal with its seed.
    LoadPlaysTheDeal,
    /// A sample has the stream of the deal with its seed.
    SamplePlaysTheDeal,
    /// Agents choose by the chance that is to come.
    AgentsSeeFuture,
    /// Agents draw from the stream of the deal.
    AgentsPlayTheDeal,
    /// A sample has the true chance that is to come, so that a search predicts the true next card.
    SampleSeesFuture,
    /// A sample has the true next number of chance, and others after it.
    SampleSeesNextChance,
    /// A sample has 0 nested samples, like a played state.
    SampleForgetsSampling,
    /// A sample keeps the true number of decisions.
    SampleKeepsDecisions,
    /// A sample keeps the true seed.
    SampleKeepsSeed,
    /// The episode's seed is in the text.
    SeedInText,
    /// The number of decisions is in a viewer's JSON.
    DecisionsInJson,
    /// The key of an information state is that of the last view alone.
    KeyForgets,
    /// The key of an information state depends on the episode's seed.
    KeyTellsSeed,
    /// The error of a joint step names only the acting players.
    JointRefusalListsActing,
    /// The error for a player that need not act names the acting players.
    RefusalListsActing,
    /// The next player's card is in the error of a joint step.
    HandInJointRefusal,
    /// An action has another text than it had in the golden playthrough.
    Rewords,
}

/// Clones and digests that were made.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// A correct game with broken environments.
pub type BrokenGame = Around<Defect>;

/// The same position with other values beside its state.
fn with_values(game: &BrokenGame, env: &dyn AnyEnv, values: &[(&str, Value)]) -> Result<Box<dyn AnyEnv>> {
    let mut json = env.to_json(None)?;
    for (name, value) in values {
        json[*name] = value.clone();
    }
    game.configured.env_from_json(&json.to_string(), 0)
}

/// Chance of the deal with a seed.
fn dealt_words(seed: u64) -> Value {
    stream(seed, Stream::Chance).words.to_vec().into()
}

/// Puts another stream of agents into what `to_bytes` wrote.
fn give_agents(saved: &mut [u8], agents: Rng) {
    let checksum = saved[44..48].to_vec();
    let at = saved.len() - STREAMS;
    let (streams, sum) = saved[at..].split_at_mut(STREAMS - 4);
    for (place, word) in streams[36..68].chunks_exact_mut(8).zip(agents.words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(streams);
    crc.update(&checksum);
    sum.copy_from_slice(&crc.finalize().to_le_bytes());
}

fn wrap(game: &BrokenGame, inner: Box<dyn AnyEnv>, loaded: bool) -> Box<dyn AnyEnv> {
    Box::new(BrokenEnv::new(game.clone(), inner, Arc::default(), loaded))
}

impl Lies for Defect {
    fn digest_episodes(game: &BrokenGame, episodes: u64) -> u64 {
        let drifts = game.defect == Defect::DigestDrifts;
        if drifts { episodes + (MADE.fetch_add(1, Ordering::Relaxed) & 1) as u64 } else { episodes }
    }

    fn env(game: &BrokenGame, seed: u64) -> Box<dyn AnyEnv> {
        wrap(game, game.configured.env(seed), false)
    }

    fn chance_outcomes(game: &BrokenGame) -> Result<AnyOutcomes> {
        let deals = AnyGame::chance_outcomes(&game.configured)?;
        // Other defects are not looked for in listed outcomes.
        if ![Defect::KeyForgets, Defect::KeyTellsSeed].contains(&game.defect) {
            return Ok(deals);
        }
        Ok(deals.into_iter().map(|(env, p)| (wrap(game, env, false), p)).collect())
    }

    fn env_from_bytes(game: &BrokenGame, bytes: &[u8]) -> Result<Box<dyn AnyEnv>> {
        let inner = match game.configured.env_from_bytes(bytes) {
            Err(_) if game.defect == Defect::LoadsGarbage => game.configured.env(0),
            other => other?,
        };
        let inner = match game.defect {
            Defect::ForgetsGenerator => inner.clone_with_seed(0),
            Defect::ForgetsStreams => with_values(game, &*inner, &[])?,
            _ => inner,
        };
        Ok(wrap(game, inner, true))
    }

    fn env_from_json(game: &BrokenGame, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>> {
        let mut given = serde_json::from_str::<Value>(text).unwrap_or_default();
        match game.defect {
            Defect::LoadsViewer if given["viewer"].is_u64() => return Ok(game.env(seed)),
            Defect::KeepsReturns if given["returns"].is_array() => {
                let inner = game.configured.env_from_json(text, seed)?;
                let mut env = BrokenEnv::new(game.clone(), inner, Arc::default(), false);
                let paid = given["returns"].as_array().into_iter().flatten();
                env.returns = paid.map(|paid| paid.as_f64().unwrap_or_default() as f32).collect();
                return Ok(Box::new(env));
            }
            Defect::LoadPlaysTheDeal if given["state"].is_object() && given["rng"].is_null() => {
                let inner = game.configured.env_from_json(text, seed)?;
                return Ok(wrap(game, with_values(game, &*inner, &[("rng", dealt_words(seed))])?, false));
            }
            Defect::IgnoresDerived if given.is_object() => {
                for derived in ["status", "acting", "returns"] {
                    given.as_object_mut().and_then(|map| map.shift_remove(derived));
                }
                return Ok(wrap(game, game.configured.env_from_json(&given.to_string(), seed)?, false));
            }
            _ => {}
        }
        let loaded = game.defect == Defect::LoadedHasNoReplay;
        Ok(wrap(game, game.configured.env_from_json(text, seed)?, loaded))
    }

    fn env_from_replay(game: &BrokenGame, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>> {
        let present = Replay { version: game.info().version, ..replay.clone() };
        let replay = if game.defect == Defect::OldReplays { &present } else { replay };
        Ok(wrap(game, game.configured.env_from_replay(replay, decisions)?, false))
    }
}

/// One broken environment.
struct BrokenEnv {
    game: BrokenGame,
    /// The environment, and its replacement after it is read.
    inner: Box<dyn AnyEnv>,
    looked_at: Option<Box<dyn AnyEnv>>,
    looks: AtomicUsize,
    /// Steps of all that share it.
    steps: Arc<AtomicUsize>,
    loaded: bool,
    rewards: Vec<f32>,
    returns: Vec<f32>,
    first: u64,
    /// Whether the history is hidden.
    forgets: bool,
}

impl BrokenEnv {
    fn new(game: BrokenGame, inner: Box<dyn AnyEnv>, steps: Arc<AtomicUsize>, loaded: bool) -> BrokenEnv {
        let first = inner.episode_seed();
        let mut env = BrokenEnv {
            game,
            inner,
            looked_at: None,
            looks: AtomicUsize::new(0),
            steps,
            loaded,
            rewards: Vec::new(),
            returns: Vec::new(),
            first,
            forgets: false,
        };
        env.settle();
        env
    }

    fn is(&self, defect: Defect) -> bool {
        self.game.defect == defect
    }

    fn now(&self) -> &dyn AnyEnv {
        match &self.looked_at {
            Some(other) if self.looks.load(Ordering::Relaxed) > 0 => &**other,
            _ => &*self.inner,
        }
    }

    /// Makes what it turned into the environment.
    fn turn(&mut self) {
        if self.looks.swap(0, Ordering::Relaxed) > 0
            && let Some(other) = self.looked_at.take()
        {
            self.inner = other;
        }
    }

    /// Recomputes what is kept after a change.
    fn settle(&mut self) {
        self.rewards = self.inner.rewards().to_vec();
        self.returns = self.inner.returns().to_vec();
        let outcome = self.game.reward() == RewardKind::Outcome;
        let stepped = !self.inner.history().is_empty();
        match self.game.defect {
            Defect::PaysTooMuch => {
                self.rewards.iter_mut().chain(&mut self.returns).for_each(|r| *r *= 3.0);
            }
            Defect::PaysNobody => self.rewards.push(0.0),
            Defect::PaysTwice => self.rewards.iter_mut().for_each(|r| *r *= 2.0),
            Defect::NotZeroSum if outcome => {
                let halve = |r: &mut f32| *r *= if *r > 0.0 { 0.5 } else { 1.0 };
                self.rewards.iter_mut().for_each(halve);
                self.returns.iter_mut().for_each(halve);
            }
            Defect::PaysEarly if outcome && self.inner.history().len() == 1 => {
                (self.rewards[0], self.rewards[1]) = (0.5, -0.5);
                (self.returns[0], self.returns[1]) = (0.5, -0.5);
            }
            Defect::PaysEarly if outcome && self.inner.history().len() == 2 => {
                (self.rewards[0], self.rewards[1]) = (-0.5, 0.5);
            }
            Defect::PaysNan if stepped && self.inner.status() != Status::Running => {
                self.rewards[0] = f32::NAN;
            }
            Defect::PaysCut if self.inner.status() == Status::Truncated => {
                (self.rewards[0], self.rewards[1]) = (1.0, -1.0);
                (self.returns[0], self.returns[1]) = (1.0, -1.0);
            }
            _ => {}
        }
        if self.is(Defect::LookingChanges) {
            self.looked_at = Some(self.inner.clone_with_seed(1));
        }
    }

    fn after(&mut self, player: Option<Player>, outcome: Result<()>) -> Result<()> {
        let outcome = match outcome {
            Err(Error::IllegalAction(mut refusal)) => match self.game.defect {
                Defect::AppliesIllegal => {
                    let player = player.or(self.inner.acting().first()).unwrap_or(Player(0));
                    let legal = self.inner.legal_actions(player)?;
                    self.inner.step_player(player, legal[0].into())
                }
                Defect::RefusalDraws => {
                    self.inner = self.inner.clone_with_seed(7);
                    Err(Error::IllegalAction(refusal))
                }
                Defect::HandInRefusal => {
                    let left = (usize::from(refusal.player) + 1) % self.game.info().players;
                    let json = self.inner.to_json(None)?;
                    refusal.text = Some(format!("against {}", json["state"]["players"][left]["card"]));
                    Err(Error::IllegalAction(refusal))
                }
                _ => Err(Error::IllegalAction(refusal)),
            },
            Err(Error::EpisodeOver) if self.is(Defect::StepsAfterEnd) => Ok(()),
            Err(Error::NotActing { player }) if self.is(Defect::RefusalListsActing) => {
                let acting: Vec<u8> = self.inner.acting().iter().map(|player| player.0).collect();
                let message = format!("got {player}; to act are {acting:?}");
                Err(Error::InvalidArgument { argument: "player", message })
            }
            other => other,
        };
        self.steps.fetch_add(usize::from(outcome.is_ok()), Ordering::Relaxed);
        self.settle();
        outcome
    }
}

impl AnyEnv for BrokenEnv {
    playmat_core::forward! { (self.now());
        fn status(&self) -> Status;
        fn root_seed(&self) -> u64;
        fn start_bytes(&self) -> Option<Vec<u8>>;
        fn validate(&self) -> Vec<Problem>;
        fn information_state(&self, player: Player) -> Result<Value>;
        fn action_help(&self, player: Player, action: i64) -> Result<String>;
        fn draw_svg(&self, viewer: Option<Player>) -> Result<String>;
        fn acting(&self) -> Players;
        fn is_from_seed(&self) -> bool;
        fn seen_before(&self) -> Option<String>;
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
    fn game(&self) -> Box<dyn AnyGame> {
        Box::new(self.game.clone())
    }
    fn info(&self) -> &GameInfo {
        self.game.info()
    }
    fn reset(&mut self, seed: Option<u64>) {
        self.turn();
        let seed = match seed {
            None if self.is(Defect::Repeats) => Some(self.first),
            Some(seed) if self.is(Defect::ResetForgetsSeed) => Some(seed ^ 1),
            other => other,
        };
        let paid = self.rewards.clone();
        self.inner.reset(seed);
        self.loaded = false;
        self.settle();
        if self.is(Defect::KeepsPaid) {
            self.rewards = paid;
        }
    }
    fn step(&mut self, action: i64) -> Result<()> {
        self.turn();
        let outcome = self.inner.step(action);
        self.after(None, outcome)
    }
    fn step_player(&mut self, player: Player, action: i64) -> Result<()> {
        self.turn();
        let outcome = self.inner.step_player(player, action);
        self.after(Some(player), outcome)
    }
    fn step_joint(&mut self, actions: &[i64]) -> Result<()> {
        self.turn();
        let mut heard = actions.to_vec();
        if self.is(Defect::JointIsDeaf)
            && let Some(last) = self.inner.acting().iter().last()
            && let Some(&first) = self.inner.legal_actions(last)?.first()
            && heard.len() > last.index()
        {
            heard[last.index()] = first.into();
        }
        let outcome = self.inner.step_joint(&heard);
        self.settle();
        match outcome {
            Err(Error::IllegalJoint(mut refusal)) if self.is(Defect::HandInJointRefusal) => {
                let (player, _, text) = &mut refusal.entries[0];
                let left = (usize::from(*player) + 1) % self.game.info().players;
                let json = self.inner.to_json(None)?;
                *text = Some(format!("against {}", json["state"]["players"][left]["card"]));
                Err(Error::IllegalJoint(refusal))
            }
            Err(Error::IllegalJoint(mut refusal)) if self.is(Defect::JointRefusalListsActing) => {
                let acting = self.inner.acting();
                refusal.entries.retain(|&(player, ..)| acting.contains(Player(player)));
                Err(Error::IllegalJoint(refusal))
            }
            other => other,
        }
    }
    fn write_mask(&self, player: Player, out: &mut [u8]) -> Result<()> {
        self.now().write_mask(player, out)?;
        let last = out.iter().rposition(|&m| m == 1);
        if let Some(last) = last {
            match self.game.defect {
                Defect::MaskForgets => out[last] = 0,
                Defect::MaskOfTwos => out[last] = 2,
                _ => {}
            }
        } else if self.is(Defect::IdleMayAct) && self.now().status() == Status::Running {
            out[0] = 1;
        }
        Ok(())
    }
    fn legal_actions(&self, player: Player) -> Result<Vec<u16>> {
        let mut list = self.now().legal_actions(player)?;
        if self.is(Defect::ListDescends) {
            list.reverse();
        }
        Ok(list)
    }
    fn write_observation(&self, player: Player, out: &mut [u8]) -> Result<()> {
        let player =
            if self.is(Defect::AnyPlayer) { Player(player.0 % self.info().players as u8) } else { player };
        let size = self.info().observation.size();
        let outcome = if self.is(Defect::AnyLength) && out.len() < size {
            let mut whole = vec![0; size];
            let outcome = self.now().write_observation(player, &mut whole);
            out.copy_from_slice(&whole[..out.len()]);
            outcome
        } else {
            self.now().write_observation(player, out)
        };
        self.looks.fetch_add(1, Ordering::Relaxed);
        outcome
    }
    fn rewards(&self) -> &[f32] {
        &self.rewards
    }
    fn returns(&self) -> &[f32] {
        &self.returns
    }
    fn scores(&self) -> Vec<i32> {
        let mut scores = self.now().scores();
        if self.is(Defect::OtherScores) {
            scores.rotate_left(1);
        }
        scores
    }
    fn decisions(&self) -> u32 {
        if self.loaded && self.is(Defect::ForgetsCounter) { 0 } else { self.now().decisions() }
    }
    fn episode_seed(&self) -> u64 {
        self.now().episode_seed() ^ u64::from(self.is(Defect::OtherSeed))
    }
    fn history(&self) -> &[(Player, Action)] {
        let all = self.now().history();
        match self.game.defect {
            Defect::ForgetsHistory if all.len() > 1 => &all[1..],
            Defect::CloneForgetsHistory if self.forgets => &[],
            _ => all,
        }
    }
    fn sample_action(&mut self, player: Player) -> Result<Action> {
        self.turn();
        let drawn = self.inner.sample_action(player)?;
        if self.is(Defect::BiasedSampler) {
            Ok(Action(self.inner.legal_actions(player)?[0]))
        } else {
            Ok(drawn)
        }
    }
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.now().to_bytes();
        if self.is(Defect::AgentsPlayTheDeal) {
            give_agents(&mut bytes, stream(self.now().episode_seed(), Stream::Chance));
        }
        bytes
    }
    fn act(&mut self, agent: &AnyAgent, player: Player) -> Result<Action> {
        self.turn();
        let legal = self.inner.legal_actions(player).unwrap_or_default();
        let searches = agent.name().starts_with("mcts");
        if self.is(Defect::AgentsSeeFuture) && searches && !legal.is_empty() {
            let word = self.inner.to_json(None)?["rng"][0].to_string();
            return Ok(Action(legal[(fnv1a(word.as_bytes()) % legal.len() as u64) as usize]));
        }
        self.inner.act(agent, player)
    }
    fn act_while(
        &mut self,
        agent: &AnyAgent,
        player: Player,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>> {
        self.turn();
        self.inner.act_while(agent, player, keep_going)
    }
    fn clone_box(&self) -> Box<dyn AnyEnv> {
        let steps = self.steps.load(Ordering::Relaxed);
        let steps =
            if self.is(Defect::SharedClone) { self.steps.clone() } else { Arc::new(AtomicUsize::new(steps)) };
        let inner = if self.is(Defect::CloneRerolls) {
            self.now().clone_with_seed(MADE.fetch_add(1, Ordering::Relaxed) as u64)
        } else {
            self.now().clone_box()
        };
        let mut clone = BrokenEnv::new(self.game.clone(), inner, steps, self.loaded);
        clone.first = self.first;
        clone.forgets = self.is(Defect::CloneForgetsHistory);
        Box::new(clone)
    }
    fn clone_with_seed(&self, seed: u64) -> Box<dyn AnyEnv> {
        if self.is(Defect::SeesFuture) {
            return self.clone_box();
        }
        let mut inner = self.now().clone_with_seed(seed);
        if self.is(Defect::ClonePlaysTheDeal) {
            inner = with_values(&self.game, &*inner, &[("rng", dealt_words(seed))])
                .expect("only chance is another");
        }
        if self.is(Defect::ClonePlaysOn)
            && let Some(player) = inner.acting().first()
            && let Ok(action) = inner.sample_action(player)
        {
            let _ = inner.step_player(player, action.0.into());
        }
        wrap(&self.game, inner, self.loaded)
    }
    fn evaluate(&self, agent: &AnyAgent, player: Player, policy: &mut [f32]) -> Result<f32> {
        self.inner.evaluate(agent, player, policy)
    }
    fn search_statistics(&mut self, agent: &AnyAgent, player: Player) -> Result<SearchStatistics> {
        self.inner.search_statistics(agent, player)
    }
    fn next_clone_seed(&mut self) -> u64 {
        self.inner.next_clone_seed()
    }
    fn take_memories(&mut self, player: Player) -> Memories {
        self.inner.take_memories(player)
    }
    fn put_memories(&mut self, taken: Memories) {
        self.inner.put_memories(taken);
    }
    fn sample_hidden(&self, player: Player, seed: u64) -> Result<Box<dyn AnyEnv>> {
        let sampled = self.now().sample_hidden(player, seed)?;
        let copied = match self.game.defect {
            Defect::SamplePlaysTheDeal => ("rng", dealt_words(seed)),
            Defect::SampleSeesFuture => ("rng", self.now().to_json(None)?["rng"].clone()),
            Defect::SampleSeesNextChance => {
                // The next number of the generator follows from its first and its last word.
                let truth = self.now().to_json(None)?["rng"].clone();
                let own = sampled.to_json(None)?["rng"].clone();
                ("rng", json!([truth[0], own[1], own[2], truth[3]]))
            }
            Defect::SampleForgetsSampling => ("sampled", 0.into()),
            Defect::SampleKeepsDecisions => ("decisions", self.now().decisions().into()),
            Defect::SampleKeepsSeed => ("seed", self.now().episode_seed().into()),
            _ => return Ok(wrap(&self.game, sampled, false)),
        };
        Ok(wrap(&self.game, with_values(&self.game, &*sampled, &[copied])?, false))
    }
    fn to_json(&self, viewer: Option<Player>) -> Result<Value> {
        let mut json = self.now().to_json(viewer)?;
        if self.is(Defect::DecisionsInJson) && viewer.is_some() {
            json["decisions"] = self.now().decisions().into();
        }
        Ok(json)
    }
    fn events(&self, viewer: Option<Player>) -> Result<Vec<Value>> {
        let mut events = self.now().events(viewer)?;
        if self.is(Defect::ForgetsEvent) {
            events.pop();
        }
        if self.is(Defect::ForgetsDeal) && self.now().history().is_empty() {
            events.clear();
        }
        Ok(events)
    }
    fn search_key(&self, player: Player) -> Result<u64> {
        self.now().search_key(player)
    }
    fn information_state_key(&self, player: Player) -> Result<u128> {
        if self.is(Defect::KeyForgets) {
            // What the player sees now, and nothing of what it saw before.
            let seen = self.now().to_json(Some(player))?.to_string();
            return Ok(u128::from(fnv1a(seen.as_bytes())) << 8 | u128::from(player.0));
        }
        if self.is(Defect::KeyTellsSeed) {
            return Ok(self.now().information_state_key(player)? ^ u128::from(self.now().episode_seed()));
        }
        self.now().information_state_key(player)
    }
    fn restore_seen_before(&mut self, text: &str) -> Result<()> {
        self.inner.restore_seen_before(text)
    }
    fn chance_outcomes(&self, action: i64) -> Result<AnyOutcomes> {
        let outcomes = self.now().chance_outcomes(action)?;
        Ok(outcomes.into_iter().map(|(env, p)| (wrap(&self.game, env, false), p)).collect())
    }
    fn replay(&self) -> Result<Replay> {
        if self.loaded && self.is(Defect::LoadedHasNoReplay) {
            return Err(Error::Order("there is no replay"));
        }
        let mut replay = self.now().replay()?;
        if self.is(Defect::ReplayLosesLast) {
            replay.decisions.pop();
        }
        Ok(replay)
    }
    fn action_text(&self, player: Option<Player>, action: i64) -> Result<String> {
        let text = self.now().action_text(player, action)?;
        Ok(if self.is(Defect::Rewords) && text == "pass" { "leave".into() } else { text })
    }
    fn parse_action(&self, player: Option<Player>, text: &str) -> Result<Action> {
        let text = if self.is(Defect::Rewords) && text == "leave" { "pass" } else { text };
        self.now().parse_action(player, text)
    }
    fn draw_text(&self, viewer: Option<Player>) -> Result<String> {
        let mut text = self.now().draw_text(viewer)?;
        if self.is(Defect::SeedInText) && viewer.is_some() {
            text.push_str(&format!("seed {}\n", self.now().episode_seed()));
        }
        if self.is(Defect::SharedClone) && viewer.is_none() {
            text.push_str(&format!("steps {}\n", self.steps.load(Ordering::Relaxed)));
        }
        Ok(text)
    }
}
