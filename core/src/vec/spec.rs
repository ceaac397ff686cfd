//! The data that all environments of a batch share.

use crate::agent::{Agent, Knowledge, assert_legal};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::game::{Draws, Game, Scores, Status};
use crate::info::RewardKind;
use crate::log::Silent;
use crate::outlined;
use crate::player::{Action, MAX_PLAYERS, Player, Players};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::reward::{self, Rewards};
use crate::rng::{self, Rng, Stream};
use crate::vec::buffers::Rows;
use crate::vec::config::{Autoreset, Learners, Role, VecConfig, View};
use crate::vec::floats::{Convert, Floats};
use crate::vec::result_counts::{ResultCounts, fixed};
use crate::vec::slot::{Begun, EnvMeta, Reached, Slot};
use std::sync::Arc;

/// Largest number of episodes in a row that may end before a learner decides.
pub(crate) const MAX_SKIPPED: usize = 1_000;

/// An opponent and its share of the draws.
#[derive(Debug)]
pub(crate) struct Opponent<G: Game> {
    pub(crate) agent: Arc<dyn Agent<G>>,
    pub(crate) weight: f64,
    /// Whether it chooses for many environments at once.
    batches: bool,
    /// Whether it is the agent `random`, which needs no call.
    is_random: bool,
}

impl<G: Game> Opponent<G> {
    pub(crate) fn new(agent: Arc<dyn Agent<G>>, weight: f64) -> Opponent<G> {
        let (batches, is_random) = (agent.prefers_batches(), agent.name() == "random" && !agent.can_fail());
        Opponent { agent, weight, batches, is_random }
    }
}

// `derive` would add a `G: Clone` bound.
impl<G: Game> Clone for Opponent<G> {
    fn clone(&self) -> Self {
        Opponent { agent: self.agent.clone(), ..*self }
    }
}

/// The data that does not change during a step.
#[derive(Debug)]
pub(crate) struct VecSpec<G: Game> {
    pub(crate) configured: Arc<ConfiguredGame<G>>,
    pub(crate) config: VecConfig,
    /// The instruction set of its steps.
    pub(crate) level: Level,
    pub(crate) players: usize,
    pub(crate) actions: usize,
    pub(crate) observation: usize,
    /// Rows per environment.
    pub(crate) lanes: usize,
    pub(crate) joint: bool,
    /// Decisions after which an episode is truncated; `u32::MAX` for no limit.
    pub(crate) limit: u32,
    /// The conversion of observations.
    pub(crate) floats: Floats,
    /// Reward of a winner and of each other player under `outcome`, by number of winners.
    shares: [(f32, f32); MAX_PLAYERS + 1],
    pub(crate) opponents: Vec<Opponent<G>>,
    /// Opponent k is drawn if the 32 bits drawn are below `draw[k]` and not below `draw[k - 1]`.
    draw: Vec<u64>,
    /// Whether opponents control any player.
    pub(crate) has_opponents: bool,
    /// Longest possible episode in decisions. Only a loaded position can have a larger count.
    pub(crate) longest: u32,
}

impl<G: Game> VecSpec<G> {
    pub(crate) fn new(
        configured: Arc<ConfiguredGame<G>>,
        config: VecConfig,
        opponents: Vec<Opponent<G>>,
    ) -> VecSpec<G> {
        let info = configured.game.info();
        let (players, actions, observation) = (info.players, info.num_actions, info.observation.size());
        let floats = Floats::new(&info.observation);
        let shares = std::array::from_fn(|won| reward::shares(players, won, info.sharing));
        let joint = config.view == View::Joint;
        let has_opponents = players > 1
            && match &config.learners {
                Learners::All => config.view == View::Single,
                Learners::One(_) | Learners::Rotating => true,
                Learners::Roles(roles) => roles.iter().any(|role| *role != Role::Learner),
            };
        let limit = if configured.max_steps == 0 { u32::MAX } else { configured.max_steps };
        let longest = u32::try_from(info.max_decisions).unwrap_or(u32::MAX);
        let mut spec = VecSpec {
            lanes: if joint { players } else { 1 },
            players,
            actions,
            observation,
            joint,
            limit,
            longest,
            floats,
            shares,
            draw: Vec::new(),
            has_opponents,
            opponents,
            configured,
            config,
            level: Level::detect(),
        };
        spec.update_draw();
        spec
    }

    /// Recomputes the draw of opponents from their weights.
    pub(crate) fn update_draw(&mut self) {
        let total: f64 = self.opponents.iter().map(|o| o.weight).sum();
        let mut sum = 0.0;
        self.draw.clear();
        for opponent in &self.opponents {
            sum += opponent.weight;
            self.draw.push((sum / total * 4_294_967_296.0) as u64);
        }
        // Rounding must not leave a gap at the end, nor assign it to an opponent of weight 0.
        if let Some(last) = self.opponents.iter().rposition(|o| o.weight > 0.0) {
            self.draw[last..].fill(1 << 32);
        }
    }

    #[inline(always)]
    pub(crate) fn game(&self) -> &G {
        &self.configured.game
    }

    /// Rewards under `outcome`: the precomputed form of [`reward::outcome`].
    #[inline(always)]
    pub(crate) fn outcome(&self, winners: Players) -> Rewards {
        let mut rewards = [0.0; MAX_PLAYERS];
        let (win, lose) = self.shares[winners.len()];
        for (k, reward) in rewards[..self.players].iter_mut().enumerate() {
            *reward = if winners.0 >> k & 1 != 0 { win } else { lose };
        }
        rewards
    }

    /// The status of the running episode by the game and `max_steps`; `true` if `max_steps` truncated it.
    #[inline(always)]
    pub(crate) fn status(&self, slot: &Slot<G::State>) -> (Status, bool) {
        match self.game().status(&slot.state) {
            Status::Running if slot.length >= self.limit => (Status::Truncated, true),
            status => (status, false),
        }
    }

    /// Rewards at the end of an episode under `outcome` and `score`; under `score_delta` the returns of the whole episode.
    #[inline(always)]
    pub(crate) fn end_rewards(&self, state: &G::State, status: Status, cut: bool) -> Rewards {
        if self.configured.reward == RewardKind::Outcome {
            let paid = !cut && (status == Status::Terminated || self.game().info().outcome_on_truncation);
            return if paid { self.outcome(self.game().winners(state)) } else { [0.0; MAX_PLAYERS] };
        }
        reward::of_scores(self.game().info(), &[0; MAX_PLAYERS], &self.game().scores(state))
    }

    /// Writes an observation into row `at`.
    #[inline(always)]
    pub(crate) fn observe<I: Isa>(
        &self,
        isa: I,
        state: &G::State,
        viewer: Player,
        rows: &mut Rows<'_>,
        at: usize,
        scratch: &mut [u8],
    ) {
        let size = self.observation;
        let row = match rows {
            Rows::U8(bytes) if !bytes.is_empty() => &mut bytes[at * size..][..size],
            Rows::F32(floats) if !floats.is_empty() => &mut scratch[..size],
            _ => return,
        };
        outlined::observe(isa, self.game(), state, viewer, row);
        if let Rows::F32(floats) = rows {
            let (bytes, rows) = (&scratch[..size], &mut floats[at * size..][..size]);
            isa.call(Convert { floats: &self.floats, bytes, rows });
        }
    }

    /// Starts the next episode of an environment's stream and plays on to the first decision of a learner. An episode that ends before it
    /// is counted and skipped.
    #[inline(always)]
    pub(crate) fn begin(
        &self,
        slot: &mut Slot<G::State>,
        meta: &mut EnvMeta,
        env: usize,
        result_counts: &mut [ResultCounts],
    ) -> Begun {
        let seed = self.next_seed(meta);
        self.begin_seed(slot, meta, env, seed, result_counts)
    }

    /// The seed of the next episode of an environment's stream.
    #[inline(always)]
    pub(crate) fn next_seed(&self, meta: &EnvMeta) -> u64 {
        meta.seeds.seed(meta.next)
    }

    /// The generator of the running episode.
    pub(crate) fn rng(&self, slot: &Slot<G::State>) -> Rng {
        match slot.rng {
            Rng::UNSET if const { !matches!(G::DRAWS, Draws::Always) } => self.deal_of(slot.seed).1,
            rng => rng,
        }
    }

    /// The deal of a seed, and the generator after it.
    #[inline(always)]
    fn deal_of(&self, seed: u64) -> (G::State, Rng) {
        let mut rng = rng::stream(seed, Stream::Chance);
        let state = self.game().deal(&mut rng, &mut Silent);
        (state, rng)
    }

    /// Starts the episode of a seed; see [`VecSpec::begin`].
    #[inline(always)]
    pub(crate) fn begin_seed(
        &self,
        slot: &mut Slot<G::State>,
        meta: &mut EnvMeta,
        env: usize,
        seed: u64,
        result_counts: &mut [ResultCounts],
    ) -> Begun {
        self.deal(slot, meta, seed);
        if self.has_opponents {
            self.assign_opponents(meta, env, slot.seed);
        }
        self.find_decision(slot, meta, env, result_counts, 0)
    }

    /// Continues the start of an episode, after `skipped` episodes that ended before a learner decided.
    #[inline(always)]
    pub(crate) fn find_decision(
        &self,
        slot: &mut Slot<G::State>,
        meta: &mut EnvMeta,
        env: usize,
        result_counts: &mut [ResultCounts],
        skipped: usize,
    ) -> Begun {
        match self.find_learner(slot, meta) {
            Reached::Learner => Begun::Learner,
            Reached::Waits(player) => Begun::Waits { player, skipped },
            Reached::End => self.skip_episodes(slot, meta, env, result_counts, skipped),
        }
    }

    #[inline(always)]
    fn deal(&self, slot: &mut Slot<G::State>, meta: &mut EnvMeta, seed: u64) {
        (meta.next, meta.sampled) = (meta.next.wrapping_add(1), 0);
        let (state, rng) = self.deal_of(seed);
        (slot.state, slot.seed, slot.length) = (state, seed, 0);
        slot.rng = if const { matches!(G::DRAWS, Draws::Always) } { rng } else { Rng::UNSET };
        if self.configured.reward == RewardKind::ScoreDelta {
            meta.delta_base = [0; MAX_PLAYERS];
        }
    }

    /// Counts an episode that ended before a learner decided, and skips to the next episode in which a learner decides.
    #[cold]
    #[inline(never)]
    fn skip_episodes(
        &self,
        slot: &mut Slot<G::State>,
        meta: &mut EnvMeta,
        env: usize,
        result_counts: &mut [ResultCounts],
        mut skipped: usize,
    ) -> Begun {
        loop {
            self.count_skipped(slot, meta, result_counts);
            skipped += 1;
            if skipped == MAX_SKIPPED {
                return Begun::Never;
            }
            let seed = self.next_seed(meta);
            self.deal(slot, meta, seed);
            if self.has_opponents {
                self.assign_opponents(meta, env, slot.seed);
            }
            match self.find_learner(slot, meta) {
                Reached::Learner => return Begun::Learner,
                Reached::Waits(player) => return Begun::Waits { player, skipped },
                Reached::End => {}
            }
        }
    }

    /// Counts a skipped episode, which is not returned to the caller.
    fn count_skipped(&self, slot: &Slot<G::State>, meta: &EnvMeta, result_counts: &mut [ResultCounts]) {
        if self.has_opponents {
            let (status, cut) = self.status(slot);
            let returns = self.returns(slot, status, cut);
            self.count_results(slot, meta, result_counts, status, &returns);
        }
    }

    /// Counts an ended episode once, and once for each opponent that played in it. Of several learners the best result counts, and
    /// the mean of their returns.
    pub(crate) fn count_results(
        &self,
        slot: &Slot<G::State>,
        meta: &EnvMeta,
        result_counts: &mut [ResultCounts],
        status: Status,
        returns: &Rewards,
    ) {
        let cut = status == Status::Truncated
            && (self.game().status(&slot.state) == Status::Running
                || !self.game().info().outcome_on_truncation);
        let outcome = if cut { [0.0; MAX_PLAYERS] } else { self.outcome(self.game().winners(&slot.state)) };
        let best =
            meta.learners.iter().map(|player| outcome[player.index()]).fold(f32::NEG_INFINITY, f32::max);
        let sum: i128 = meta.learners.iter().map(|player| fixed(returns[player.index()].into())).sum();
        let mean = sum / meta.learners.len() as i128;
        let count = |counted: &mut ResultCounts| {
            counted.episodes += 1;
            counted.return_sum += mean;
            let end = match best {
                _ if cut => &mut counted.truncated,
                value if value > 0.0 => &mut counted.wins,
                value if value < 0.0 => &mut counted.losses,
                _ => &mut counted.draws,
            };
            *end += 1;
        };
        let Some((total, by_opponent)) = result_counts.split_first_mut() else { return };
        count(total);
        let opponents = &meta.opponents[..self.players];
        for (k, &opponent) in opponents.iter().enumerate() {
            // An opponent that controls several players has played one episode.
            if opponent >= 0 && !opponents[..k].contains(&opponent) {
                count(&mut by_opponent[opponent as usize]);
            }
        }
    }

    /// Returns of an episode that is over.
    #[inline(always)]
    pub(crate) fn returns(&self, slot: &Slot<G::State>, status: Status, cut: bool) -> Rewards {
        self.end_rewards(&slot.state, status, cut && self.configured.reward != RewardKind::ScoreDelta)
    }

    /// Refuses a configuration under which random play never reaches a decision of a learner.
    pub(crate) fn check_learners(&self) -> Result<()> {
        let mut players = Players::EMPTY;
        for episode in 0..MAX_SKIPPED as u64 {
            let seed = rng::episode_seed(rng::environment_root(0, 0), episode);
            let (mut rng, mut draws) = (rng::stream(seed, Stream::Chance), rng::stream(seed, Stream::Sample));
            let state = self.game().deal(&mut rng, &mut Silent);
            let mut slot = Slot { state, rng, seed, length: 0, acting: Players::EMPTY, last: Player(0) };
            let learners = self.learners(0, episode);
            players.0 |= learners.0;
            while self.status(&slot).0 == Status::Running {
                let Some(player) = self.game().acting(&slot.state).first() else { break };
                if learners.contains(player) {
                    return Ok(());
                }
                let action = draws.pick(&self.game().legal(&slot.state, player));
                self.decide_outlined(&mut slot, player, action);
            }
        }
        Err(Error::argument(
            "learner",
            format!(
                "{}: {MAX_SKIPPED} episodes of random play ended before it",
                never_decides(self, players)
            ),
        ))
    }

    /// The error for a configuration whose opponents end every episode before a decision of a learner.
    #[cold]
    pub(crate) fn stuck_error(&self, env: usize) -> Error {
        let learners =
            (0..self.players as u64).fold(0, |players, episode| players | self.learners(env, episode).0);
        let message = format!(
            "{}: in environment {env} {MAX_SKIPPED} episodes in a row ended before it; `reset` all environments first",
            never_decides(self, Players(learners))
        );
        Error::argument("learner", message)
    }

    /// Players that the caller controls in an episode of an environment.
    fn learners(&self, env: usize, episode: u64) -> Players {
        let mut learners = Players::EMPTY;
        for player in
            Player::all(self.players).filter(|&player| self.role(player, env, episode) == Role::Learner)
        {
            learners.insert(player);
        }
        learners
    }

    /// The number of an environment of this batch among all environments of its seed.
    #[inline]
    pub(crate) fn number(&self, env: usize) -> u64 {
        self.config.first_env + env as u64
    }

    /// Who controls a player in an episode of an environment.
    #[inline(always)]
    fn role(&self, player: Player, env: usize, episode: u64) -> Role {
        match &self.config.learners {
            Learners::All if self.config.view != View::Single => Role::Learner,
            Learners::All if player == Player(0) => Role::Learner,
            Learners::One(learner) if *learner == player => Role::Learner,
            Learners::Rotating
                if self.number(env).wrapping_add(episode) % self.players as u64 == u64::from(player.0) =>
            {
                Role::Learner
            }
            Learners::Roles(roles) => roles[player.index()],
            _ => Role::Pool,
        }
    }

    /// Draws the opponent of each player in the episode of this seed.
    pub(crate) fn assign_opponents(&self, meta: &mut EnvMeta, env: usize, seed: u64) {
        meta.agents = rng::stream(seed, Stream::Agents);
        meta.learners = Players::EMPTY;
        meta.opponents = [-1; MAX_PLAYERS];
        let episode = meta.next.wrapping_sub(1);
        for player in Player::all(self.players) {
            meta.opponents[player.index()] = match self.role(player, env, episode) {
                Role::Learner => {
                    meta.learners.insert(player);
                    -1
                }
                Role::Opponent(index) => index as i32,
                Role::Pool => {
                    let bits = u64::from(meta.agents.next_u32());
                    self.draw.partition_point(|&below| below <= bits) as i32
                }
            };
        }
    }

    /// Lets opponents play until a learner must act, and stores the acting learners.
    #[inline(always)]
    fn find_learner(&self, slot: &mut Slot<G::State>, meta: &mut EnvMeta) -> Reached {
        if self.has_opponents {
            return self.play_opponents(slot, meta);
        }
        let acting = self.game().acting(&slot.state);
        slot.acting = self.caller_decides(acting, Players(u8::MAX));
        if acting.is_empty() { Reached::End } else { Reached::Learner }
    }

    /// Scores from which the next [`VecSpec::score_delta`] is measured; computed only for the reward kind `score_delta`.
    #[inline(always)]
    pub(crate) fn delta_base(&self, state: &G::State) -> Scores {
        match self.configured.reward {
            RewardKind::ScoreDelta => self.game().scores(state),
            _ => [0; MAX_PLAYERS],
        }
    }

    /// Change of the scores since `before`, for the reward kind `score_delta`; otherwise 0.
    #[inline(always)]
    pub(crate) fn score_delta(&self, before: &Scores, state: &G::State) -> Rewards {
        match self.configured.reward {
            RewardKind::ScoreDelta => {
                reward::of_scores(self.game().info(), before, &self.game().scores(state))
            }
            _ => [0.0; MAX_PLAYERS],
        }
    }

    /// The acting players for whom the caller must decide now.
    #[inline(always)]
    pub(crate) fn caller_decides(&self, acting: Players, learners: Players) -> Players {
        if self.joint { Players(acting.0 & learners.0) } else { lowest(acting) }
    }

    fn play_opponents(&self, slot: &mut Slot<G::State>, meta: &mut EnvMeta) -> Reached {
        while self.status(slot).0 == Status::Running {
            let acting = self.game().acting(&slot.state);
            let Some(player) = acting.first() else { break };
            if meta.learners.contains(player) {
                slot.acting = self.caller_decides(acting, meta.learners);
                return Reached::Learner;
            }
            if !self.play_opponent(slot, meta, player) {
                return Reached::Waits(player);
            }
        }
        slot.acting = Players::EMPTY;
        Reached::End
    }

    /// One decision of the opponent that controls the player `player`. `false` if the environment must wait, because this opponent chooses for many
    /// environments at once.
    #[must_use]
    pub(crate) fn play_opponent(
        &self,
        slot: &mut Slot<G::State>,
        meta: &mut EnvMeta,
        player: Player,
    ) -> bool {
        dispatch(self.level, PlayOpponent { spec: self, slot, meta, player })
    }

    /// [`VecSpec::decide`] outside of the step loop: not inlined, to compile the game's code once less.
    pub(crate) fn decide_outlined(&self, slot: &mut Slot<G::State>, player: Player, action: Action) {
        dispatch(self.level, Decide { spec: self, slot, player, action });
    }

    /// The legal actions of a player, in a function that is not inlined.
    pub(crate) fn legal_outlined(&self, state: &G::State, player: Player) -> G::Legal {
        dispatch(self.level, Legal { game: self.game(), state, player })
    }

    /// One decision.
    #[inline(always)]
    pub(crate) fn decide(&self, isa: impl Isa, slot: &mut Slot<G::State>, player: Player, action: Action) {
        outlined::apply(isa, self.game(), &mut slot.state, player, action, &mut slot.rng, &mut Silent);
        slot.count_decision();
    }

    /// Whether results are counted: if opponents play, and in the single-player view of a game for one player. Otherwise the caller controls
    /// all players, so no player wins or loses against it, and `results` refuses.
    pub(crate) fn counts_results(&self) -> bool {
        self.has_opponents || self.plays_alone()
    }

    /// Whether results are counted although there are no opponents: in the single-player view of a game for one.
    pub(crate) fn plays_alone(&self) -> bool {
        self.players == 1 && self.config.view == View::Single
    }

    /// Whether steps may take the fast path: turn view, no opponents, autoreset in the same step, and observations that are not empty.
    pub(crate) fn has_fast_path(&self) -> bool {
        !self.joint
            && !self.has_opponents
            && self.config.autoreset == Autoreset::SameStep
            && self.observation > 0
    }
}

/// [`VecSpec::play_opponent`] as a function of its own for each instruction set, so that the game's code is not part of all its callers.
struct PlayOpponent<'k, G: Game> {
    spec: &'k VecSpec<G>,
    slot: &'k mut Slot<G::State>,
    meta: &'k mut EnvMeta,
    player: Player,
}

impl<G: Game> Kernel for PlayOpponent<'_, G> {
    type Out = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let PlayOpponent { spec, slot, meta, player } = self;
        let game = spec.game();
        let legal = game.legal(&slot.state, player);
        let opponent = &spec.opponents[meta.opponents[player.index()] as usize];
        let action = if opponent.is_random {
            isa.pick(&mut meta.agents, &legal)
        } else if opponent.batches && legal.len() > 1 {
            return false; // A choice of one needs no batch.
        } else {
            let known = Knowledge::new(game, &slot.state, player, &legal);
            let mut memory = meta.memories.of(player, slot.seed);
            let action = opponent.agent.act(&known, &mut memory, &mut meta.agents);
            assert_legal(&legal, action);
            action
        };
        spec.decide(isa, slot, player, action);
        true
    }
}

/// The arguments of [`VecSpec::decide`].
struct Decide<'k, G: Game> {
    spec: &'k VecSpec<G>,
    slot: &'k mut Slot<G::State>,
    player: Player,
    action: Action,
}

impl<G: Game> Kernel for Decide<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        self.spec.decide(isa, self.slot, self.player, self.action);
    }
}

/// The arguments of [`Game::legal`].
struct Legal<'k, G: Game> {
    game: &'k G,
    state: &'k G::State,
    player: Player,
}

impl<G: Game> Kernel for Legal<'_, G> {
    type Out = G::Legal;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> G::Legal {
        self.game.legal(self.state, self.player)
    }
}

/// The set of its lowest player: who decides first in the turn view.
#[inline(always)]
pub(crate) fn lowest(players: Players) -> Players {
    Players(players.0 & players.0.wrapping_neg())
}

/// The message that learners never decide, and under which limit.
fn never_decides<G: Game>(spec: &VecSpec<G>, learners: Players) -> String {
    let players: Vec<String> = learners.iter().map(|player| player.0.to_string()).collect();
    let who =
        format!("{} {}", if players.len() == 1 { "player" } else { "none of players" }, players.join(", "));
    let verb = if players.len() == 1 { "never decides" } else { "ever decides" };
    match spec.configured.max_steps {
        0 => format!("{who} {verb}"),
        limit => format!("{who} {verb} with `max_steps` {limit}"),
    }
}
