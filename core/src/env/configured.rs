//! A game with checked options.

use crate::error::Result;
use crate::game::Game;
use crate::info::RewardKind;
use crate::options::{OptionSpec, Options};
use crate::player::{MAX_PLAYERS, Player};
use crate::show::Show;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};

/// A game with checked options and the engine's common ones; shared by all its environments.
#[derive(Debug)]
pub struct ConfiguredGame<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// All options, the common ones included.
    pub options: Options,
    /// Their declarations.
    pub specs: Vec<OptionSpec>,
    /// The kind of reward.
    pub reward: RewardKind,
    /// Number of decisions, of all players together, after which an episode is truncated; 0: never.
    pub max_steps: u32,
    /// [`GameInfo::max_decisions`](crate::info::GameInfo::max_decisions), as environments count.
    pub(crate) longest: u32,
    /// Hash of the options that decide how the game plays.
    pub options_hash: u64,
    /// These options as JSON, in the order of their declaration.
    pub options_text: String,
    /// Per player, built on first use: the game as that player knows it; `None` if it equals this one.
    known: [OnceLock<Option<Arc<ConfiguredGame<G>>>>; MAX_PLAYERS],
}

impl<G: Game> ConfiguredGame<G> {
    /// The game's options and the common ones.
    pub fn specs() -> Vec<OptionSpec> {
        let mut specs = G::options();
        specs.push(OptionSpec::choice(
            "reward",
            &["default", "outcome", "score", "score_delta"],
            "what the episodes pay; `default` is the first kind that the game offers",
        ));
        specs.push(OptionSpec::int(
            "max_steps",
            0,
            1_000_000,
            0,
            "decisions of all players after which an episode is truncated; 0: never",
        ));
        specs
    }

    /// Checks the options, a JSON object, and builds the game.
    ///
    /// # Errors
    /// `InvalidOption`, `Content`.
    pub fn new(given: &Map<String, Value>) -> Result<ConfiguredGame<G>> {
        let specs = Self::specs();
        let options = Options::check(G::ID, &specs, given)?;
        let game = G::new(&options)?;
        let offered = &game.info().rewards;
        let reward = match RewardKind::parse(options.str("reward")) {
            None => offered[0],
            Some(kind) if offered.contains(&kind) => kind,
            Some(kind) => {
                let names: Vec<_> = offered.iter().map(|kind| kind.name()).collect();
                let message = format!("got `{}`; offered: {}", kind.name(), names.join(", "));
                return Err(options.refuse("reward", message));
            }
        };
        let max_steps = options.int("max_steps") as u32;
        let own: Vec<_> =
            specs.iter().map(|spec| spec.name).filter(|n| !["reward", "max_steps"].contains(n)).collect();
        let options_hash = crate::info::options_hash(&options, &own);
        let mut configured = ConfiguredGame {
            longest: u32::try_from(game.info().max_decisions).unwrap_or(u32::MAX),
            game: Arc::new(game),
            options,
            specs,
            reward,
            max_steps,
            options_hash,
            options_text: String::new(),
            known: Default::default(),
        };
        configured.options_text = Value::Object(configured.own_options()).to_string();
        Ok(configured)
    }

    /// The game as a player knows it: private options are replaced by the result of [`Show::option_known_to`]. Returns this game if no
    /// option is private.
    ///
    /// # Errors
    /// Those of [`ConfiguredGame::new`] for the replaced options; such an error is a defect of the game.
    pub fn known_to(self: &Arc<Self>, player: Player) -> Result<Arc<ConfiguredGame<G>>>
    where
        G: Show,
    {
        let private = self.game.private_options();
        if private.is_empty() {
            return Ok(self.clone());
        }
        let made = &self.known[player.index()];
        let known = match made.get() {
            Some(known) => known,
            None => {
                let mut options = self.options.values().clone();
                for &name in private {
                    let known = self.game.option_known_to(name, self.options.get(name), player);
                    let spec = self.specs.iter().find(|spec| spec.name == name);
                    let default = || spec.map_or(Value::Null, |spec| spec.default.clone());
                    options.insert(name.into(), known.unwrap_or_else(default));
                }
                let other = options != *self.options.values();
                let other = other.then(|| ConfiguredGame::new(&options)).transpose()?;
                made.get_or_init(|| other.map(Arc::new))
            }
        };
        Ok(known.as_ref().unwrap_or(self).clone())
    }

    /// The options that decide how the game plays, without content text (its hash stands beside them).
    pub(crate) fn rule_options(&self) -> Value {
        let mut options = self.options.to_json();
        if let Some(map) = options.as_object_mut() {
            map.remove("reward");
            map.remove("max_steps");
            if map.contains_key("content") {
                map.insert("content".into(), self.game.info().content_name.clone().into());
            }
        }
        options
    }

    /// The options that are hashed: those that decide how the game plays, except the content, which has its own hash.
    pub(crate) fn own_options(&self) -> Map<String, Value> {
        let mut options = match self.rule_options() {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        options.shift_remove("content");
        options
    }
}
