//! Statistics of self-play for game designers: balance, length of episodes, how often each rule takes effect.
//!
//! ```
//! use playmat_core::agent::Random;
//! use playmat_core::survey::survey;
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Nim;
//! # use std::sync::Arc;
//! # let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let found = survey(&nim, 200, 1, &[&Random]);
//! assert_eq!(found.episodes, 200);
//! println!("decisions an episode: {:?}, victories by player: {:?}", found.decisions, found.victories);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod choices;
mod scale;
mod worth;

pub use choices::Choice;
pub use scale::reward_scale;
pub use worth::Worth;

use crate::agent::{Agent, Random};
use crate::any::{AnyEnv, AnyGame};
use crate::bits::LegalSet;
use crate::env::{ConfiguredGame, Env};
use crate::game::Status;
use crate::log::Coverage;
use crate::player::{Action, MAX_PLAYERS, Player, Players};
use crate::show::{ContentEntry, Figure, Show};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Statistics of a number of episodes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Survey {
    /// Episodes played.
    pub episodes: u64,
    /// How many of these were truncated.
    pub truncated: u64,
    /// How many of these the rules ended without a winner.
    pub undecided: u64,
    /// Decisions per episode.
    pub decisions: Spread,
    /// Largest number of forced moves between two decisions.
    pub max_forced: usize,
    /// Chance events per episode.
    pub chance: Spread,
    /// Legal actions per decision.
    pub legal: Spread,
    /// By player: final scores.
    pub scores: Vec<Spread>,
    /// By player: outcome or score returns.
    pub returns: Vec<Spread>,
    /// By player: share of the victories (1/W of a victory shared by W).
    pub victories: Vec<f64>,
    /// How often each rule and content entry took effect.
    pub coverage: BTreeMap<String, u64>,
    /// The rules and content entries that must take effect according to the game ([`Hooks::expected`](crate::hooks::Hooks::expected)), with
    /// a reason for those that play between agents need not reach.
    pub expected: BTreeMap<String, Option<String>>,
    /// How often each action range was chosen.
    pub actions: BTreeMap<String, u64>,
    /// The actions that were chosen, by number, with the victories of the players that chose them.
    pub choices: Vec<Choice>,
    /// Points of parts of the game for the players at the end ([`Show::figures`]), by table and name.
    pub worth: Vec<Worth>,
    /// Copies in the game of what rules and content entries are named after (`card ARC`, `effect ARC enter`), where they are known
    /// ([`ContentEntry::copies`](crate::show::ContentEntry::copies)).
    pub copies: BTreeMap<String, u32>,
    /// Option values to play against each other, if the game has any ([`Show::matchups`]).
    pub matchups: Option<Matchups>,
}

/// An option that takes a value per player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Matchups {
    /// Name of the option; it takes a list with a value for each player.
    pub option: String,
    /// The values worth comparing.
    pub values: Vec<String>,
}

/// Mean, standard deviation and extremes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Number of values.
    pub count: u64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the values.
    pub deviation: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    #[serde(skip)]
    squares: f64,
}

impl Spread {
    /// Adds a value (Welford's recurrence).
    pub fn add(&mut self, x: f64) {
        (self.min, self.max) = if self.count == 0 { (x, x) } else { (self.min.min(x), self.max.max(x)) };
        self.count += 1;
        let delta = x - self.mean;
        self.mean += delta / self.count as f64;
        self.squares += delta * (x - self.mean);
        self.deviation = (self.squares / self.count as f64).sqrt();
    }
}

/// Plays `episodes` episodes with an agent for each player (the last one also plays for the players after it).
pub fn survey<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    episodes: u64,
    seed: u64,
    agents: &[&dyn Agent<G>],
) -> Survey {
    survey_while(configured, episodes, seed, agents, &mut || true)
}

/// Plays the episodes of [`survey`]. Calls `keep_going` before every episode and stops early when it returns `false`.
pub fn survey_while<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    episodes: u64,
    seed: u64,
    agents: &[&dyn Agent<G>],
    keep_going: &mut dyn FnMut() -> bool,
) -> Survey {
    collect(&Match { configured, agents }, episodes, seed, keep_going)
}

/// A game and who plays it, without its type: all that follows is compiled once.
trait Source {
    fn game(&self) -> &dyn AnyGame;
    /// See [`Show::matchups`].
    fn matchups(&self) -> Option<(&'static str, Vec<String>)>;
    /// See [`Hooks::expected`](crate::hooks::Hooks::expected).
    fn expected(&self) -> Vec<String>;
    /// A new episode; its deal is counted.
    fn begin(&self, seed: u64, coverage: &mut Coverage) -> Box<dyn Episode + '_>;
}

/// An episode of a [`Source`].
trait Episode {
    fn env(&self) -> &dyn AnyEnv;
    /// Makes and counts the next decision: the player, its number of legal actions, its action. `None` after the end.
    fn decide(&mut self, coverage: &mut Coverage) -> Option<(Player, u32, Action)>;
    /// The winners; only called after termination.
    fn winners(&self) -> Players;
    /// See [`Show::figures`].
    fn figures(&self) -> Vec<Figure>;
}

struct Match<'a, G: Show> {
    configured: &'a Arc<ConfiguredGame<G>>,
    agents: &'a [&'a dyn Agent<G>],
}

impl<G: Show> Source for Match<'_, G> {
    fn game(&self) -> &dyn AnyGame {
        self.configured
    }
    fn matchups(&self) -> Option<(&'static str, Vec<String>)> {
        self.configured.game.matchups()
    }
    fn expected(&self) -> Vec<String> {
        let game = &*self.configured.game;
        game.hooks().expected.map(|expected| expected(game)).unwrap_or_default()
    }
    fn begin(&self, seed: u64, coverage: &mut Coverage) -> Box<dyn Episode + '_> {
        let env = Env::new(self.configured.clone(), seed);
        env.replay_deal(coverage);
        Box::new(Played { env, agents: self.agents })
    }
}

struct Played<'a, G: Show> {
    env: Env<G>,
    agents: &'a [&'a dyn Agent<G>],
}

impl<G: Show> Episode for Played<'_, G> {
    fn env(&self) -> &dyn AnyEnv {
        &self.env
    }
    fn decide(&mut self, coverage: &mut Coverage) -> Option<(Player, u32, Action)> {
        let player = self.env.current_player()?;
        let agent = self.agents.get(player.index()).or(self.agents.last()).copied().unwrap_or(&Random);
        let legal = self.env.legal(player).len();
        let action =
            self.env.act(agent, player).expect("the current player acts, and agents choose legal actions");
        self.env.step(action.0.into()).expect("the action is legal");
        self.env.replay_last_step(coverage);
        Some((player, legal, action))
    }
    fn winners(&self) -> Players {
        self.env.configured.game.winners(self.env.state())
    }
    fn figures(&self) -> Vec<Figure> {
        self.env.configured.game.figures(self.env.state())
    }
}

fn collect(source: &dyn Source, episodes: u64, seed: u64, keep_going: &mut dyn FnMut() -> bool) -> Survey {
    let info = source.game().info();
    let mut survey = Survey {
        scores: vec![Spread::default(); info.players],
        returns: vec![Spread::default(); info.players],
        victories: vec![0.0; info.players],
        matchups: source.matchups().map(|(option, values)| Matchups { option: option.into(), values }),
        ..Survey::default()
    };
    let excuses = source.game().excuses();
    for name in source.expected() {
        let reason = excuses.iter().find(|(excused, _)| *excused == name);
        survey.expected.insert(name, reason.map(|(_, reason)| reason.to_string()));
    }
    let actions = excuses.iter().filter(|(name, _)| name.starts_with("action "));
    survey.expected.extend(actions.map(|(name, reason)| (name.to_string(), Some(reason.to_string()))));
    let mut coverage = Coverage::default();
    let mut counts = choices::ChoiceCounts::new(info.num_actions, info.players);
    let mut worth = worth::Sums::default();
    for number in 0..episodes {
        if !keep_going() {
            break;
        }
        let before = coverage.chance;
        let mut episode = source.begin(crate::rng::episode_seed(seed, number), &mut coverage);
        let mut forced = coverage.forced;
        while let Some((player, legal, action)) = episode.decide(&mut coverage) {
            survey.legal.add(f64::from(legal));
            if let Some((range, _)) = info.action_range(action.index()) {
                *survey.actions.entry(range.name.into()).or_insert(0) += 1;
            }
            counts.add(player.index(), action.index());
            survey.max_forced = survey.max_forced.max(coverage.forced - forced);
            forced = coverage.forced;
        }
        let env = episode.env();
        survey.episodes += 1;
        survey.truncated += u64::from(env.status() == Status::Truncated);
        survey.decisions.add(env.decisions().into());
        survey.chance.add((coverage.chance - before) as f64);
        let winners = match env.status() {
            Status::Terminated => episode.winners(),
            _ => Players::EMPTY,
        };
        survey.undecided += u64::from(env.status() == Status::Terminated && winners.is_empty());
        let mut victories = [0.0; MAX_PLAYERS];
        for ((player, score), &paid) in Player::all(info.players).zip(env.scores()).zip(env.returns()) {
            let i = player.index();
            survey.scores[i].add(score.into());
            survey.returns[i].add(paid.into());
            if winners.contains(player) {
                victories[i] = 1.0 / winners.len() as f64;
                survey.victories[i] += victories[i];
            }
        }
        counts.finish(&victories);
        worth.add(episode.figures(), &victories);
    }
    survey.worth = worth.finish();
    survey.choices = counts.choices();
    for share in &mut survey.victories {
        *share /= survey.episodes.max(1) as f64;
    }
    survey.coverage = coverage.rules;
    let names = survey.coverage.keys().chain(survey.expected.keys());
    let entries = source.game().content_entries();
    survey.copies = names.filter_map(|name| Some((name.clone(), copies_of(&entries, name)?))).collect();
    survey
}

/// Copies of the entry that a rule or content entry is named after: its id follows the first word.
fn copies_of(entries: &[ContentEntry], name: &str) -> Option<u32> {
    let (kind, rest) = name.split_once(' ')?;
    let id = |entry: &&ContentEntry| {
        rest.strip_prefix(entry.id.as_str()).is_some_and(|after| after.is_empty() || after.starts_with(' '))
    };
    // Ids of different kinds of entries may be equal.
    let found = entries.iter().filter(id).find(|entry| entry.kind == kind).or(entries.iter().find(id));
    found?.copies
}
