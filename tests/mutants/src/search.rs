//! Toll with searches that are given the true state: they play on the game whose samples are the true state ([`Defect::SamplerIsIdle`]), while
//! everything else is the correct game.

use crate::game::{BrokenToll, Defect};
use crate::{config, options, toy};
use playmat_conformance::{Report, SuiteConfig, run};
use playmat_core::any::{AnyGame, AnyLeafSearch};
use playmat_core::env::ConfiguredGame;
use playmat_core::error::{Problem, Result};
use playmat_core::game::{Outcomes, Scores, Status};
use playmat_core::log::Coverage;
use playmat_core::player::{Action, Player, Players};
use playmat_core::rng::Rng;
use playmat_core::search::Candidate;
use playmat_core::tested::{
    AgentKind, Chooser, Event, Events, Legal, State, Tested, TestedGame, TestedHooks,
};
use playmat_core::toy::Toll;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Which search is given the true state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searches {
    /// None.
    None,
    /// The agent `mcts`.
    Agent,
    /// What a search finds about each action.
    Candidates,
    /// The leaves of a search whose network stands outside.
    Leaves,
}

/// The game under test with such a search.
struct GivenTruth {
    correct: Tested<Toll>,
    idle: Tested<BrokenToll>,
    which: Searches,
}

impl GivenTruth {
    /// The game on which a search plays.
    fn searched(&self, search: Searches) -> &dyn TestedGame {
        if self.which == search { &self.idle } else { &self.correct }
    }
}

impl TestedGame for GivenTruth {
    playmat_core::forward! { (self.correct);
        fn any(&self) -> &dyn AnyGame;
        fn with_options(&self, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>>;
        fn id(&self) -> &'static str;
        fn hooks(&self) -> TestedHooks<'_>;
        fn deal(&self, rng: &mut Rng) -> State;
        fn deal_events(&self, rng: &mut Rng) -> (State, Events);
        fn deal_counted(&self, rng: &mut Rng, counts: &mut Coverage) -> State;
        fn acting(&self, state: &State) -> Players;
        fn status(&self, state: &State) -> Status;
        fn legal(&self, state: &State, player: Player) -> Legal;
        fn is_legal(&self, state: &State, player: Player, action: Action) -> bool;
        fn legal_places(&self) -> usize;
        fn apply(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng);
        fn apply_events(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng) -> Events;
        fn apply_counted(&self, state: &mut State, player: Player, action: Action, rng: &mut Rng, counts: &mut Coverage);
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
        fn to_bytes(&self, state: &State) -> Vec<u8>;
        fn read(&self, bytes: &[u8]) -> Option<State>;
    }

    fn agent(&self, kind: AgentKind) -> Box<dyn Chooser + '_> {
        let searches = matches!(kind, AgentKind::Search);
        if searches { self.searched(Searches::Agent) } else { &self.correct }.agent(kind)
    }

    fn search(&self, state: &State, player: Player) -> Vec<Candidate> {
        self.searched(Searches::Candidates).search(state, player)
    }

    fn leaf_search(&self, state: &State, player: Player) -> Result<Box<dyn AnyLeafSearch>> {
        self.searched(Searches::Leaves).leaf_search(state, player)
    }
}

/// What check H7 says of the game whose search is given the true state.
pub fn report_of_h7(which: Searches) -> Report {
    let given = options(&json!({ "players": 3, "defect": Defect::SamplerIsIdle.name() }));
    let idle =
        Arc::new(ConfiguredGame::<BrokenToll>::new(&given).expect("defects are options of their game"));
    let game = GivenTruth { correct: Tested::new(&toy()), idle: Tested::new(&idle), which };
    run(&game, &SuiteConfig { only: vec!["H7".into()], ..config() })
}
