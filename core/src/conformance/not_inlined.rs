//! The game under test behind functions that are not inlined: the suite has a hundred calls, and inlining the rules in each would make it
//! slow to compile.

use crate::error::Problem;
use crate::game::{Scores, Status};
use crate::log::Log;
use crate::outlined;
use crate::player::{Action, Player, Players};
use crate::pool::Baseline;
use crate::rng::Rng;
use crate::show::Show;
use serde_json::{Map, Value};

/// The game. Methods are those of [`Game`](crate::game::Game) and [`Show`].
pub(crate) struct NotInlined<'a, G: Show>(pub(crate) &'a G);

impl<G: Show> Clone for NotInlined<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Show> Copy for NotInlined<'_, G> {}

impl<G: Show> NotInlined<'_, G> {
    crate::forward! { (self.0);
        #[inline(never)]
        pub(crate) fn acting(&self, state: &G::State) -> Players;
        #[inline(never)]
        pub(crate) fn status(&self, state: &G::State) -> Status;
        #[inline(never)]
        pub(crate) fn legal(&self, state: &G::State, player: Player) -> G::Legal;
        #[inline(never)]
        pub(crate) fn take_back_choice(&self, state: &mut G::State, player: Player);
        #[inline(never)]
        pub(crate) fn scores(&self, state: &G::State) -> Scores;
        #[inline(never)]
        pub(crate) fn winners(&self, state: &G::State) -> Players;
        #[inline(never)]
        pub(crate) fn observe(&self, state: &G::State, viewer: Player, out: &mut [u8]);
        #[inline(never)]
        pub(crate) fn short_observation(&self, state: &G::State, viewer: Player) -> Option<[u64; 2]>;
        #[inline(never)]
        pub(crate) fn sample_hidden(&self, state: &G::State, viewer: Player, rng: &mut Rng) -> G::State;
        #[inline(never)]
        pub(crate) fn validate(&self, state: &G::State) -> Vec<Problem>;
        #[inline(never)]
        pub(crate) fn describe(&self, state: &G::State, viewer: Option<Player>) -> Value;
        #[inline(never)]
        pub(crate) fn restore(&self, json: &Value, rng: &mut Rng) -> Result<G::State, Vec<Problem>>;
        #[inline(never)]
        pub(crate) fn event_json(&self, event: &G::Event, viewer: Option<Player>) -> Option<Map<String, Value>>;
        #[inline(never)]
        pub(crate) fn draw_text(&self, state: &G::State, viewer: Option<Player>) -> String;
        #[inline(never)]
        pub(crate) fn draw_svg(&self, state: &G::State, viewer: Option<Player>) -> String;
    }

    #[inline(never)]
    pub(crate) fn deal<L: Log<G>>(self, rng: &mut Rng, log: &mut L) -> G::State {
        self.0.deal(rng, log)
    }

    #[inline(never)]
    pub(crate) fn apply<L: Log<G>>(
        self,
        state: &mut G::State,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        outlined::apply(Baseline, self.0, state, player, action, rng, log);
    }

    #[inline(never)]
    pub(crate) fn action_text(self, state: Option<(&G::State, Player)>, action: Action) -> String {
        self.0.action_text(state, action)
    }

    #[inline(never)]
    pub(crate) fn parse_action(self, state: Option<(&G::State, Player)>, text: &str) -> Option<Action> {
        self.0.parse_action(state, text)
    }
}
