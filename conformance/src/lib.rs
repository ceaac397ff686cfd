//! The conformance suite of playmat: what every game must satisfy, written once; and [`testing`], helpers for the tests of a game.
//!
//! Every check has a stable identifier, such as T6 or V7 ([`CHECKS`] lists them), and counts its coverage. A check without coverage fails; a
//! check that does not apply to a game gives the reason. A failure has seed, actions and a command that shows the position. `tests/mutants`
//! holds broken games and environments ("mutants"), which prove that each check can fail.
//!
//! An agent that reads the true state does not compile: [`Knowledge`](playmat_core::agent::Knowledge) does not give it. A search sees too much only
//! if it is given another game, whose samples are the true state, or if the game or its environment gives it too much. For all of these there are
//! mutants in `tests/mutants`: searches play on such another game (H7), `sample_hidden` gives the true state always (H5), sometimes or from some
//! point of the episode on (H6), or a part of it always or sometimes (H6), the greedy agent reads it (H7), copies (S11) or samples (S12) have the
//! future chance of the true episode, agents choose by it (S11), and agents draw from the stream of the deal (S12).
//!
//! H6 compares no frequencies, so no game fails it by chance: with equal draws, samples from two states that a player cannot distinguish must
//! be equal. The states are a position and a sample of it, two deals that the player sees alike, and a position and an earlier sample that was
//! played on beside it. The deals are compared only in games with few cards; in others no two deals look alike.
//!
//! In tests, one line per game makes a named test for every number of players and every set of options:
//!
//! ```text
//! playmat_conformance::conformance!(conf_graphia, entry("graphia"), players = 1..=8, options = [
//!     default = {},
//!     gate_group = {"nexus_gate": "group"},
//! ]);
//! ```
//!
//! Where a check has no generic form, the game provides it in [`Show::hooks`](playmat_core::show::Show::hooks).

mod actions;
mod catalogue;
mod chance;
mod config;
mod corrupted;
mod deal_events;
mod difference;
mod episodes;
mod filling;
mod fixture;
pub mod golden;
mod indistinguishable;
mod information;
mod information_states;
mod json;
mod metadata;
mod opponents;
mod outcomes;
mod pair;
mod places;
mod play;
mod redaction;
mod registered;
mod report;
mod rewards;
mod row_view;
mod sampling;
mod secrecy;
mod segments;
mod states;
mod stats;
pub mod testing;
mod turns;
mod twins;
mod vector;
mod vector_calls;

pub use catalogue::{CHECKS, CheckSpec, Coverage, IN_BINDINGS};
pub use config::{Draws, KeepGoing, MakeGame, SuiteConfig};
pub use registered::{assert_conforms, compare_golden};
pub use report::{Check, Failure, Recorder, Report, Trace};

use fixture::{Fixture, guarded};
use playmat_core::any::AnyGame;
use playmat_core::error::Result;
use playmat_core::registry::{self, Entry};
use playmat_core::tested::TestedGame;

/// Runs the suite on a game that one of the entries built.
///
/// # Errors
/// `UnknownGame` for a game of another registry.
pub fn check(entries: &[&Entry], game: &dyn AnyGame, config: &SuiteConfig) -> Result<Report> {
    Ok(run(&*registry::tested(entries, game)?, config))
}

/// Runs the suite on a configured game.
#[doc(hidden)]
pub fn run(game: &dyn TestedGame, config: &SuiteConfig) -> Report {
    run_on(game, config, &|options| game.with_options(options))
}

/// Runs the suite with environments that `make` builds, which may be mutants. `make` must build the game of `game`.
#[doc(hidden)]
pub fn run_on(game: &dyn TestedGame, config: &SuiteConfig, make: MakeGame<'_>) -> Report {
    let info = game.any().info();
    let mut options = game.any().options().non_default(game.any().specs());
    if game.any().specs().iter().any(|spec| spec.name == "players") {
        options["players"] = info.players.into();
    }
    let mut rec = Recorder::new(info.id, info.version, options);
    let fixture = Fixture::new(game, config, make, &mut rec);
    guarded("M1", &mut rec, |rec| metadata::run(&fixture, rec));
    turns::run(&fixture, &mut rec);
    actions::run(&fixture, &mut rec);
    information::run(&fixture, &mut rec);
    secrecy::run(&fixture, &mut rec);
    redaction::run(&fixture, &mut rec);
    deal_events::run(&fixture, &mut rec);
    indistinguishable::run(&fixture, &mut rec);
    rewards::run(&fixture, &mut rec);
    states::run(&fixture, &mut rec);
    json::run(&fixture, &mut rec);
    chance::run(&fixture, &mut rec);
    sampling::run(&fixture, &mut rec);
    twins::run(&fixture, &mut rec);
    vector::run(&fixture, &mut rec);
    rec.finish(|id| config.wants(id))
}

#[doc(hidden)]
pub use serde_json::{Value as __Value, json as __json};

/// Named conformance tests for a game, given as its [`Entry`](playmat_core::registry::Entry): `NAME::pCOUNT::OPTION`, one for every number of
/// players and set of options. The numbers are a range, as in `players = 2..=4`, or a list, as in `players = [2, 5]`.
/// `config = EXPRESSION` may follow the options. With more than three players there are [fewer positions](SuiteConfig::for_players).
#[macro_export]
macro_rules! conformance {
    ($name:ident, $entry:expr, players = $low:tt ..= $high:tt, options = $options:tt $(, config = $config:expr)? $(,)?) => {
        mod $name {
            $crate::__conformance_counts!(@conforms $entry $(, $config)?);
            $crate::__conformance_counts!($low, $high, $options);
        }
    };
    ($name:ident, $entry:expr, players = [$($count:tt),+], options = $options:tt $(, config = $config:expr)? $(,)?) => {
        mod $name {
            $crate::__conformance_counts!(@conforms $entry $(, $config)?);
            $($crate::__conformance_counts!(@count $count, $options);)+
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_counts {
    (@conforms $entry:expr $(, $config:expr)?) => {
        #[allow(unused_imports, reason = "what the expressions of entry and config name")]
        use super::*;
        fn conforms(players: usize, options: &$crate::__Value) {
            #[allow(unused_mut, unused_assignments, reason = "assigned if a config is given")]
            let mut config = $crate::SuiteConfig::default();
            $(config = $config;)?
            $crate::assert_conforms(&$entry, players, options, &config);
        }
    };
    (@one $module:ident, $players:tt, [$($option:ident = $json:tt),* $(,)?]) => {
        mod $module {
            $(
                #[test]
                fn $option() {
                    super::conforms($players, &$crate::__json!($json));
                }
            )*
        }
    };
    (@count 1, $o:tt) => { $crate::__conformance_counts!(@one p1, 1, $o); };
    (@count 2, $o:tt) => { $crate::__conformance_counts!(@one p2, 2, $o); };
    (@count 3, $o:tt) => { $crate::__conformance_counts!(@one p3, 3, $o); };
    (@count 4, $o:tt) => { $crate::__conformance_counts!(@one p4, 4, $o); };
    (@count 5, $o:tt) => { $crate::__conformance_counts!(@one p5, 5, $o); };
    (@count 6, $o:tt) => { $crate::__conformance_counts!(@one p6, 6, $o); };
    (@count 7, $o:tt) => { $crate::__conformance_counts!(@one p7, 7, $o); };
    (@count 8, $o:tt) => { $crate::__conformance_counts!(@one p8, 8, $o); };
    (@on 1, 1, $o:tt) => {};
    (@on 2, 2, $o:tt) => {};
    (@on 3, 3, $o:tt) => {};
    (@on 4, 4, $o:tt) => {};
    (@on 5, 5, $o:tt) => {};
    (@on 6, 6, $o:tt) => {};
    (@on 7, 7, $o:tt) => {};
    (@on 8, 8, $o:tt) => {};
    (@on 1, $high:tt, $o:tt) => { $crate::__conformance_counts!(2, $high, $o); };
    (@on 2, $high:tt, $o:tt) => { $crate::__conformance_counts!(3, $high, $o); };
    (@on 3, $high:tt, $o:tt) => { $crate::__conformance_counts!(4, $high, $o); };
    (@on 4, $high:tt, $o:tt) => { $crate::__conformance_counts!(5, $high, $o); };
    (@on 5, $high:tt, $o:tt) => { $crate::__conformance_counts!(6, $high, $o); };
    (@on 6, $high:tt, $o:tt) => { $crate::__conformance_counts!(7, $high, $o); };
    (@on 7, $high:tt, $o:tt) => { $crate::__conformance_counts!(8, $high, $o); };
    ($low:tt, $high:tt, $o:tt) => {
        $crate::__conformance_counts!(@count $low, $o);
        $crate::__conformance_counts!(@on $low, $high, $o);
    };
}

#[cfg(test)]
mod tests {
    use playmat_core::registry::Entry;
    use playmat_core::toy::{Nim, Toll};

    crate::conformance!(conf_nim_ends_early, Entry::of::<Nim>(), players = 2..=4, options = [default = {}]);
    crate::conformance!(conf_toll, Entry::of::<Toll>(), players = 2..=4, options = [default = {}]);
    crate::conformance!(conf_toll_options, Entry::of::<Toll>(), players = [2, 4], options = [no_swaps = {"swaps": false}]);
}
