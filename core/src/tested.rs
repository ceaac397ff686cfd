//! A game as the conformance suite sees it: without its types, so that the suite is compiled once and not once for each game. The suite is the
//! crate `playmat-conformance`; [`Tested`] is all of it that a game compiles.

mod erased;

pub use erased::{Event, Events, Legal, State};

use crate::agent::{Agent, Greedy, Knowledge, Mcts, Memories, Memory, NetworkAgent, Random};
use crate::any::{AnyGame, AnyLeafSearch};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Problem, Result};
use crate::game::{Game, Outcomes, Scores, Status};
use crate::hooks::{Determinizations, Hooks};
use crate::log::{self, Coverage, Silent};
use crate::network::Network;
use crate::outlined;
use crate::player::{Action, Player, Players};
use crate::pool::Baseline;
use crate::rng::Rng;
use crate::search::{Budget, Candidate, LeafSearch, Rollout, Search, Settings};
use crate::show::Show;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::sync::Arc;

/// The game under test. A method without a comment calls the method of [`Game`] or [`Show`] that has its name.
pub trait TestedGame {
    /// The configured game.
    fn any(&self) -> &dyn AnyGame;
    /// The game with other options, without any defect of the environment.
    fn with_options(&self, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>>;
    /// Its registered name.
    fn id(&self) -> &'static str;
    /// What it tells the suite.
    fn hooks(&self) -> TestedHooks<'_>;

    fn deal(&self, rng: &mut Rng) -> State;
    /// [`TestedGame::deal`], and the events of the deal.
    fn deal_events(&self, rng: &mut Rng) -> (State, Events);
    /// [`TestedGame::deal`] with a count of what happens.
    fn deal_counted(&self, rng: &mut Rng, counts: &mut Coverage) -> State;
    fn acting(&self, state: &State) -> Players;
    fn status(&self, state: &State) -> Status;
    fn legal(&self, state: &State, player: Player) -> Legal;
    /// Whether the game's own set of legal actions has this one.
    fn is_legal(&self, state: &State, player: Player, action: Action) -> bool;
    /// Number of actions that its set has places for.
    fn legal_places(&self) -> usize;
    fn apply(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng);
    /// [`TestedGame::apply`], and the events of the step.
    fn apply_events(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng) -> Events;
    /// [`TestedGame::apply`] with a count of what happens.
    fn apply_counted(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        counts: &mut Coverage,
    );
    fn scores(&self, state: &State) -> Scores;
    fn winners(&self, state: &State) -> Players;
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]);
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]>;
    fn sample_hidden(&self, state: &State, viewer: Player, rng: &mut Rng) -> State;
    fn take_back_choice(&self, state: &mut State, player: Player);
    fn deal_outcomes(&self) -> Option<Outcomes<State>>;
    fn outcomes(&self, state: &State, player: Player, action: Action) -> Option<Outcomes<State>>;
    fn validate(&self, state: &State) -> Vec<Problem>;

    fn describe(&self, state: &State, viewer: Option<Player>) -> Value;
    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>>;
    fn event_json(&self, event: &Event, viewer: Option<Player>) -> Option<Map<String, Value>>;
    fn event_text(&self, event: &Map<String, Value>) -> String;
    fn action_text(&self, state: Option<(&State, Player)>, action: Action) -> String;
    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action>;
    fn draw_text(&self, state: &State, viewer: Option<Player>) -> String;
    fn draw_svg(&self, state: &State, viewer: Option<Player>) -> String;

    /// The bytes of a state alone.
    fn to_bytes(&self, state: &State) -> Vec<u8>;
    /// The state of these bytes, which may be invalid; `None` if they are not read.
    fn read(&self, bytes: &[u8]) -> Option<State>;

    fn agent(&self, kind: AgentKind) -> Box<dyn Chooser + '_>;
    /// What a search of [`SIMULATIONS`] finds about each action that it tries.
    fn search(&self, state: &State, player: Player) -> Vec<Candidate>;
    /// A search whose network stands outside, begun.
    fn leaf_search(&self, state: &State, player: Player) -> Result<Box<dyn AnyLeafSearch>>;
}

/// Simulations of the searches that H7 makes.
pub const SIMULATIONS: u32 = 4;

/// How these searches play.
fn settings() -> Settings {
    Settings { rollout: Some(Rollout::Random), ..Settings::new(Budget::Simulations(SIMULATIONS)) }
}

/// An agent of the game under test, with an empty memory at every decision.
pub trait Chooser {
    /// Its spec text.
    fn name(&self) -> &str;

    /// Its action, which need not be legal.
    fn choose(&self, state: &State, player: Player, draws: &mut Rng) -> Action;
}

/// The agents of the suite.
#[derive(Clone, Copy)]
pub enum AgentKind {
    Random,
    Greedy,
    /// `random` or `greedy`, by a coin for each decision.
    Mixed,
    Network,
    /// A network that also reads what the greedy agent would choose.
    NetworkWithGreedy,
    Search,
    /// A search with rollouts and the policy of a network.
    SearchWithPolicy,
    /// A search with policy and value of a network.
    SearchWithValue,
    /// A search with policy and value of a network that also reads what the greedy agent would choose.
    SearchWithGreedy,
}

/// `random` or `greedy`, by a coin for each decision.
#[derive(Debug)]
struct Mixed;

impl<G: Game> Agent<G> for Mixed {
    fn name(&self) -> &str {
        "random or greedy"
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        if rng.below(2) == 0 { Greedy.act(known, memory, rng) } else { Random.act(known, memory, rng) }
    }
}

/// An agent and its game.
struct AgentOf<'a, G: Game> {
    game: &'a G,
    agent: Box<dyn Agent<G> + 'a>,
}

impl<G: Game> Chooser for AgentOf<'_, G> {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn choose(&self, state: &State, player: Player, draws: &mut Rng) -> Action {
        let state = state.of::<G>();
        let legal = self.game.legal(state, player);
        let known = Knowledge::new(self.game, state, player, &legal);
        self.agent.act(&known, &mut Memories::default().of(player, 0), draws)
    }
}

/// Begins a search whose network stands outside.
fn begin_leaf_search<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    known: &Knowledge<'_, G>,
) -> Result<Box<dyn AnyLeafSearch>> {
    let mut search = LeafSearch::new(configured, "mcts:6", 1, 2)?;
    search.search(0, known, &mut Rng::from_seed(7))?;
    Ok(Box::new(search))
}

/// The game under test with its type.
pub struct Tested<G: Show> {
    configured: Arc<ConfiguredGame<G>>,
    hooks: Hooks<G>,
}

/// Events and states without their types.
fn erased<G: Game>(log: log::Events<G>) -> Events {
    let events = log.events.into_iter();
    events.map(|(event, state)| (Event::new::<G>(event), State::new::<G>(state))).collect()
}

fn states<G: Game>(listed: Vec<(G::State, f64)>) -> Vec<(State, f64)> {
    listed.into_iter().map(|(state, share)| (State::new::<G>(state), share)).collect()
}

impl<G: Show> Tested<G> {
    /// A game with its hooks.
    pub fn new(configured: &Arc<ConfiguredGame<G>>) -> Tested<G> {
        Tested { configured: configured.clone(), hooks: configured.game.hooks() }
    }

    fn game(&self) -> &G {
        &self.configured.game
    }
}

impl<G: Show> TestedGame for Tested<G> {
    fn any(&self) -> &dyn AnyGame {
        &self.configured
    }
    fn with_options(&self, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>> {
        Ok(Box::new(Arc::new(ConfiguredGame::<G>::new(options)?)))
    }
    fn id(&self) -> &'static str {
        G::ID
    }
    fn hooks(&self) -> TestedHooks<'_> {
        TestedHooks::new(self)
    }

    fn deal(&self, rng: &mut Rng) -> State {
        State::new::<G>(self.game().deal(rng, &mut Silent))
    }
    fn deal_events(&self, rng: &mut Rng) -> (State, Events) {
        let mut log = log::Events::<G>::default();
        let state = self.game().deal(rng, &mut log);
        (State::new::<G>(state), erased(log))
    }
    fn deal_counted(&self, rng: &mut Rng, counts: &mut Coverage) -> State {
        State::new::<G>(self.game().deal(rng, counts))
    }
    fn acting(&self, state: &State) -> Players {
        self.game().acting(state.of::<G>())
    }
    fn status(&self, state: &State) -> Status {
        self.game().status(state.of::<G>())
    }
    fn legal(&self, state: &State, player: Player) -> Legal {
        Legal::new(&self.game().legal(state.of::<G>(), player))
    }
    fn is_legal(&self, state: &State, player: Player, action: Action) -> bool {
        self.game().legal(state.of::<G>(), player).contains(action)
    }
    fn legal_places(&self) -> usize {
        G::Legal::default().words().len() * 64
    }
    fn apply(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng) {
        outlined::apply(Baseline, self.game(), state.of_mut::<G>(), player, action, rng, &mut Silent);
    }
    fn apply_events(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng) -> Events {
        let mut log = log::Events::<G>::default();
        outlined::apply(Baseline, self.game(), state.of_mut::<G>(), player, action, rng, &mut log);
        erased(log)
    }
    fn apply_counted(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        counts: &mut Coverage,
    ) {
        outlined::apply(Baseline, self.game(), state.of_mut::<G>(), player, action, rng, counts);
    }
    fn scores(&self, state: &State) -> Scores {
        self.game().scores(state.of::<G>())
    }
    fn winners(&self, state: &State) -> Players {
        self.game().winners(state.of::<G>())
    }
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        outlined::observe(Baseline, self.game(), state.of::<G>(), viewer, out);
    }
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        self.game().short_observation(state.of::<G>(), viewer)
    }
    fn sample_hidden(&self, state: &State, viewer: Player, rng: &mut Rng) -> State {
        State::new::<G>(self.game().sample_hidden(state.of::<G>(), viewer, rng))
    }
    fn take_back_choice(&self, state: &mut State, player: Player) {
        self.game().take_back_choice(state.of_mut::<G>(), player);
    }
    fn deal_outcomes(&self) -> Option<Outcomes<State>> {
        self.game().deal_outcomes().map(states::<G>)
    }
    fn outcomes(&self, state: &State, player: Player, action: Action) -> Option<Outcomes<State>> {
        self.game().outcomes(state.of::<G>(), player, action).map(states::<G>)
    }
    fn validate(&self, state: &State) -> Vec<Problem> {
        self.game().validate(state.of::<G>())
    }

    fn describe(&self, state: &State, viewer: Option<Player>) -> Value {
        self.game().describe(state.of::<G>(), viewer)
    }
    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        self.game().restore(json, rng).map(State::new::<G>)
    }
    fn event_json(&self, event: &Event, viewer: Option<Player>) -> Option<Map<String, Value>> {
        self.game().event_json(event.of::<G>(), viewer)
    }
    fn event_text(&self, event: &Map<String, Value>) -> String {
        self.game().event_text(event)
    }
    fn action_text(&self, state: Option<(&State, Player)>, action: Action) -> String {
        self.game().action_text(state.map(|(state, player)| (state.of::<G>(), player)), action)
    }
    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        self.game().parse_action(state.map(|(state, player)| (state.of::<G>(), player)), text)
    }
    fn draw_text(&self, state: &State, viewer: Option<Player>) -> String {
        self.game().draw_text(state.of::<G>(), viewer)
    }
    fn draw_svg(&self, state: &State, viewer: Option<Player>) -> String {
        self.game().draw_svg(state.of::<G>(), viewer)
    }

    fn to_bytes(&self, state: &State) -> Vec<u8> {
        postcard::to_allocvec(state.of::<G>()).expect("plain data always encodes")
    }
    fn read(&self, bytes: &[u8]) -> Option<State> {
        postcard::from_bytes(bytes).ok().map(State::new::<G>)
    }

    fn agent(&self, kind: AgentKind) -> Box<dyn Chooser + '_> {
        let name = |takes_greedy| if takes_greedy { "with_greedy.onnx" } else { "random.onnx" };
        let network = |takes_greedy| Network::random(&self.configured, takes_greedy, 7);
        let search = |takes_greedy: Option<bool>, rollout| -> Box<dyn Agent<G>> {
            let settings =
                Settings { policy: takes_greedy.map(|takes| name(takes).into()), rollout, ..settings() };
            Box::new(Mcts::with(settings, takes_greedy.map(network), self.game().info().rewards[0]))
        };
        let agent: Box<dyn Agent<G>> = match kind {
            AgentKind::Random => Box::new(Random),
            AgentKind::Greedy => Box::new(Greedy),
            AgentKind::Mixed => Box::new(Mixed),
            AgentKind::Network => Box::new(NetworkAgent::of(name(false), network(false))),
            AgentKind::NetworkWithGreedy => Box::new(NetworkAgent::of(name(true), network(true))),
            AgentKind::Search => search(None, settings().rollout),
            AgentKind::SearchWithPolicy => search(Some(false), settings().rollout),
            AgentKind::SearchWithValue => search(Some(false), None),
            AgentKind::SearchWithGreedy => search(Some(true), None),
        };
        Box::new(AgentOf { game: self.game(), agent })
    }
    fn search(&self, state: &State, player: Player) -> Vec<Candidate> {
        let state = state.of::<G>();
        let legal = self.game().legal(state, player);
        let known = Knowledge::new(self.game(), state, player, &legal);
        let (mut search, mut rng) = (Search::default(), Rng::from_seed(7));
        search.run(&known, &settings(), self.game().info().rewards[0], None, &mut rng).to_vec()
    }
    fn leaf_search(&self, state: &State, player: Player) -> Result<Box<dyn AnyLeafSearch>> {
        let state = state.of::<G>();
        let legal = self.game().legal(state, player);
        begin_leaf_search(&self.configured, &Knowledge::new(self.game(), state, player, &legal))
    }
}

/// [`Hooks`] without the type of their game.
pub struct TestedHooks<'a> {
    pub none: &'static [(&'static str, &'static str)],
    pub apart: &'static [(&'static str, &'static str, &'static str)],
    pub redacted: &'static [(&'static str, &'static str)],
    pub content: Option<fn() -> &'static str>,
    pub expected: Option<Box<dyn Fn() -> Vec<String> + 'a>>,
    pub unreached: &'static [(&'static str, &'static str)],
    pub unseen: &'static [(&'static str, &'static str)],
    pub private_turns: Option<&'static str>,
    pub duplicates: Option<Box<dyn Fn(&State, Player, Action, Action) -> bool + 'a>>,
    pub is_own_public: Box<dyn Fn(&str) -> bool + 'a>,
    pub not_by_player: &'static [&'static str],
    pub perfect_recall: bool,
    pub useless: Option<Box<dyn Fn(&State, Player, &mut Value) + 'a>>,
    pub relabel: Option<Box<dyn Fn(&State, usize) -> Option<State> + 'a>>,
    pub other_victory: Option<&'static str>,
    pub consistent: Option<Box<dyn Fn(&State, Player, &State) -> Result<(), String> + 'a>>,
    pub other_deal: Option<&'static str>,
    pub other_private: Option<Box<dyn Fn(Player) -> Vec<Map<String, Value>> + 'a>>,
    pub determinizations: Option<Box<dyn Fn(&State, Player) -> Option<Determinizations<State>> + 'a>>,
}

impl TestedHooks<'_> {
    /// Why the game has no such hook, if it gives a reason under `none`.
    pub fn why_none(&self, hook: &str) -> Option<&'static str> {
        self.none.iter().find(|(name, _)| *name == hook).map(|(_, reason)| *reason)
    }
}

impl<'a> TestedHooks<'a> {
    fn new<G: Show>(tested: &'a Tested<G>) -> TestedHooks<'a> {
        let Tested { configured, hooks } = tested;
        let game = &*configured.game;
        TestedHooks {
            none: hooks.none,
            apart: hooks.apart,
            redacted: hooks.redacted,
            content: hooks.content,
            expected: hooks.expected.map(|hook| Box::new(move || hook(game)) as _),
            unreached: hooks.unreached,
            unseen: hooks.unseen,
            private_turns: hooks.private_turns,
            duplicates: hooks.duplicates.map(|hook| {
                Box::new(move |state: &State, player, one, other| {
                    hook(game, state.of::<G>(), player, one, other)
                }) as _
            }),
            is_own_public: Box::new(|segment| hooks.is_own_public(segment)),
            not_by_player: hooks.not_by_player,
            perfect_recall: hooks.perfect_recall,
            useless: hooks.useless.map(|hook| {
                Box::new(move |state: &State, player, json: &mut Value| {
                    hook(game, state.of::<G>(), player, json);
                }) as _
            }),
            relabel: hooks.relabel.map(|hook| {
                Box::new(move |state: &State, turn| hook(game, state.of::<G>(), turn).map(State::new::<G>))
                    as _
            }),
            other_victory: hooks.other_victory,
            consistent: hooks.consistent.map(|hook| {
                Box::new(move |state: &State, player, sample: &State| {
                    hook(game, state.of::<G>(), player, sample.of::<G>())
                }) as _
            }),
            other_deal: hooks.other_deal,
            other_private: hooks
                .other_private
                .map(|hook| Box::new(move |player| hook(game, &configured.options, player)) as _),
            determinizations: hooks.determinizations.map(|hook| {
                Box::new(move |state: &State, player| hook(game, state.of::<G>(), player).map(states::<G>))
                    as _
            }),
        }
    }
}
