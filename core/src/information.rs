//! Information states: everything that one player has seen and chosen since the deal.
//!
//! The information state of a player is a list of entries:
//! - the start: the game, its version, its content and its options as the player knows them (those at their defaults left out), then the
//!   player's view of the first position;
//! - for an episode that was dealt here, the events of the deal that the player sees;
//! - for every choice of the player, the action;
//! - for every event that the player sees, the event as [`Show::event_json`] gives it, and the player's view right after it if that changed;
//! - the player's view now.
//!
//! A view is the position as [`Show::describe`] gives it for the player, the status of the episode, and whether the player must act. A step
//! that shows a player no event adds at most the player's own choice. So the order of the choices of a simultaneous turn does not show, nor
//! how many others had to choose in it.
//!
//! The key is a chain of XXH3-128 hashes over the entries, with the fields of every JSON object in alphabetical order. Sentences are not
//! part of it, so that a better wording does not change it. Keys are equal for the same game version on every platform.
//!
//! ```
//! use playmat_core::env::{ConfiguredGame, Env};
//! use playmat_core::toy::Toll;
//! use std::sync::Arc;
//!
//! let toll = Arc::new(ConfiguredGame::<Toll>::new(&serde_json::Map::new())?);
//! let env = Env::new(toll, 7);
//! let player = env.current_player().expect("an episode begins with a decision");
//! // A sample has other hidden cards, and the player cannot tell it from the true state.
//! let sample = env.sample_hidden(player, 1)?;
//! assert_eq!(sample.information_state_key(player)?, env.information_state_key(player)?);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::env::{ConfiguredGame, Env, Origin};
use crate::error::{Error, Result};
use crate::game::{Game, Status};
use crate::json::{self, hex};
use crate::log::{Events, Log};
use crate::outlined;
use crate::player::{Action, Player, Players};
use crate::pool::Baseline;
use crate::rng::{self, Rng, Stream};
use crate::show::Show;
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// A position on the way through an episode.
pub(crate) struct Cursor<G: Game> {
    pub(crate) state: G::State,
    pub(crate) rng: Rng,
    pub(crate) decisions: u32,
    pub(crate) status: Status,
    pub(crate) acting: Players,
}

// `derive` would add the bounds `G: Clone` and `G: Copy`.
impl<G: Game> Clone for Cursor<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Cursor<G> {}

impl<G: Game> Cursor<G> {
    pub(crate) fn new(
        configured: &ConfiguredGame<G>,
        state: G::State,
        rng: Rng,
        decisions: u32,
    ) -> Cursor<G> {
        let mut cursor = Cursor { state, rng, decisions, status: Status::Running, acting: Players::EMPTY };
        cursor.refresh(configured);
        cursor
    }

    fn refresh(&mut self, configured: &ConfiguredGame<G>) {
        let (game, limit) = (&configured.game, configured.max_steps);
        self.status = game.status(&self.state);
        if limit != 0 && self.decisions >= limit && self.status == Status::Running {
            self.status = Status::Truncated;
        }
        self.acting = if self.status == Status::Running { game.acting(&self.state) } else { Players::EMPTY };
    }

    /// Plays a legal action of an acting player.
    pub(crate) fn step<L: Log<G>>(
        &mut self,
        configured: &ConfiguredGame<G>,
        player: Player,
        action: Action,
        log: &mut L,
    ) {
        outlined::apply(Baseline, &*configured.game, &mut self.state, player, action, &mut self.rng, log);
        self.arrive(configured);
    }

    /// Counts a decision that led to the state.
    pub(crate) fn arrive(&mut self, configured: &ConfiguredGame<G>) {
        let longest = u32::try_from(configured.game.info().max_decisions).unwrap_or(u32::MAX);
        self.decisions = self.decisions.saturating_add(1).min(longest);
        self.refresh(configured);
    }
}

/// The key of an information state while it grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The key so far.
    key: u128,
    /// Hash of the position as the player saw it after the last event.
    state: u128,
}

/// An information state as JSON while it grows.
#[derive(Clone, Debug)]
struct JsonForm {
    /// The game as the player knows it.
    header: Map<String, Value>,
    /// The first view.
    start: Value,
    /// The last view.
    last: Value,
    /// What the player saw and chose after the first view.
    entries: Vec<Value>,
}

/// What one player sees of an episode.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    player: Player,
    seen: Seen,
    json_form: Option<JsonForm>,
}

/// Kinds of entries, hashed before their content.
#[derive(Clone, Copy)]
enum Kind {
    Start = 1,
    Choice = 2,
    Event = 3,
    State = 4,
    Now = 5,
}

/// Data needed to show a player a step.
pub(crate) struct Shown<'a, G: Game> {
    pub(crate) before: &'a Cursor<G>,
    pub(crate) player: Player,
    pub(crate) action: Action,
    pub(crate) events: &'a Events<G>,
}

impl Observer {
    /// The information state at a first position; `deal` are the events of its deal. With `with_json` it is also saved as JSON.
    pub(crate) fn at<G: Show>(
        configured: &ConfiguredGame<G>,
        player: Player,
        first: &Cursor<G>,
        deal: Option<&Events<G>>,
        with_json: bool,
    ) -> Observer {
        let info = configured.game.info();
        let mut options = configured.rule_options();
        if let Some(options) = options.as_object_mut() {
            options.retain(|name, _| !configured.game.private_options().contains(&name.as_str()));
        }
        let header = json!({
            "game": info.id,
            "version": info.version,
            "content_hash": hex(info.content_hash),
            "options": options,
            "player": player.0,
        });
        // Options at their defaults are left out of the key, so that it stays the same when a game gets another option.
        let mut named = header.clone();
        if let Some(options) = named["options"].as_object_mut() {
            let default =
                |name: &str| configured.specs.iter().find(|spec| spec.name == name).map(|spec| &spec.default);
            options.retain(|name, value| name != "content" && default(name) != Some(value));
        }
        let state = configured.game.describe(&first.state, Some(player));
        let mut seen = Seen { key: 0, state: hash(&state) };
        seen.take(Kind::Start, &canonical(&named));
        seen.take(Kind::State, &seen.state.to_le_bytes());
        let start = view(&state, standing(first, player));
        let json_form = with_json.then(|| JsonForm {
            header: header.as_object().cloned().unwrap_or_default(),
            last: start.clone(),
            start,
            entries: Vec::new(),
        });
        let mut observer = Observer { player, seen, json_form };
        for (event, _) in deal.into_iter().flat_map(|deal| &deal.events) {
            observer.event(&*configured.game, event);
        }
        observer
    }

    /// Takes in an event; whether the player sees it.
    fn event<G: Show>(&mut self, game: &G, event: &G::Event) -> bool {
        let Some(mut entry) = game.event_json(event, Some(self.player)) else { return false };
        let shown = Value::Object(entry.clone());
        self.seen.take(Kind::Event, &canonical(&shown));
        if let Some(json_form) = &mut self.json_form {
            entry.insert("text".into(), game.event_text(&entry).into());
            entry.insert("changes".into(), Value::Array(Vec::new()));
            json_form.entries.push(Value::Object(entry));
        }
        true
    }

    /// Takes in the position as the player sees it after the event that was just taken in.
    fn take_state<G: Show>(&mut self, game: &G, state: &G::State) {
        let shown = game.describe(state, Some(self.player));
        let hash = hash(&shown);
        if hash == self.seen.state {
            return;
        }
        self.seen.state = hash;
        self.seen.take(Kind::State, &hash.to_le_bytes());
        let Some(json_form) = &mut self.json_form else { return };
        let mut next = json_form.last.clone();
        next["state"] = shown;
        let changes = json::patch(&json_form.last, &next);
        json_form.last = next;
        if let Some(entry) = json_form.entries.last_mut() {
            entry["changes"] = changes;
        }
    }

    /// The key at a position that the steps taken in have led to.
    pub(crate) fn key<G: Show>(&self, game: &G, at: &Cursor<G>) -> u128 {
        let mut seen = self.seen;
        seen.take(Kind::Now, &hash(&game.describe(&at.state, Some(self.player))).to_le_bytes());
        seen.take(Kind::Now, &[standing(at, self.player)]);
        seen.key
    }

    /// Takes in a step.
    pub(crate) fn step<G: Show>(&mut self, game: &G, step: &Shown<'_, G>) {
        if step.player == self.player {
            self.seen.take(Kind::Choice, &step.action.0.to_le_bytes());
            if let Some(json_form) = &mut self.json_form {
                let text = game.action_text(Some((&step.before.state, self.player)), step.action);
                json_form.entries.push(json!({"choice": step.action.0, "text": text}));
            }
        }
        for (event, state) in &step.events.events {
            if self.event(game, event) {
                self.take_state(game, state);
            }
        }
    }

    /// The information state at a position that the steps taken in have led to, as JSON.
    fn into_json<G: Show>(self, game: &G, at: &Cursor<G>) -> Value {
        let (key, player) = (self.key(game, at), self.player);
        let Some(json_form) = self.json_form else { return Value::Null };
        let mut whole = json_form.header;
        whole.insert("key".into(), key_text(key).into());
        whole.insert("start".into(), json_form.start);
        whole.insert("seen".into(), json_form.entries.into());
        whole.insert("now".into(), view(&game.describe(&at.state, Some(player)), standing(at, player)));
        Value::Object(whole)
    }

    /// The form that a pickle keeps.
    fn to_saved(&self) -> Value {
        let Some(json_form) = &self.json_form else { return Value::Null };
        json!({
            "player": self.player.0,
            "key": key_text(self.seen.key),
            "state": key_text(self.seen.state),
            "header": json_form.header,
            "start": json_form.start,
            "last": json_form.last,
            "seen": json_form.entries,
        })
    }

    fn of_saved(saved: &Value) -> Option<Observer> {
        let number = |name: &str| u8::try_from(saved.get(name)?.as_u64()?).ok();
        let key = |name: &str| parse_key(saved.get(name)?.as_str()?);
        let part = |name: &str| saved.get(name).cloned();
        let seen = Seen { key: key("key")?, state: key("state")? };
        let json_form = JsonForm {
            header: part("header")?.as_object()?.clone(),
            start: part("start")?,
            last: part("last")?,
            entries: part("seen")?.as_array()?.clone(),
        };
        Some(Observer { player: Player(number("player")?), seen, json_form: Some(json_form) })
    }
}

impl Seen {
    fn take(&mut self, kind: Kind, content: &[u8]) {
        let mut bytes = Vec::with_capacity(content.len() + 17);
        bytes.extend_from_slice(&self.key.to_le_bytes());
        bytes.push(kind as u8);
        bytes.extend_from_slice(content);
        self.key = xxh3_128(&bytes);
    }
}

/// A key as text: `0x` and 32 digits.
pub fn key_text(key: u128) -> String {
    format!("0x{key:032x}")
}

/// The key of a text, hexadecimal after `0x` or decimal.
pub fn parse_key(text: &str) -> Option<u128> {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn standing<G: Game>(at: &Cursor<G>, player: Player) -> u8 {
    let status = match at.status {
        Status::Running => 0,
        Status::Terminated => 1,
        Status::Truncated => 2,
    };
    status << 1 | u8::from(at.acting.contains(player))
}

fn view(state: &Value, standing: u8) -> Value {
    let status = [Status::Running, Status::Terminated, Status::Truncated][usize::from(standing >> 1) % 3];
    json!({"status": status.name(), "to_act": standing & 1 != 0, "state": state})
}

fn hash(value: &Value) -> u128 {
    xxh3_128(&canonical(value))
}

/// JSON bytes with the fields of all objects in alphabetical order.
fn canonical(value: &Value) -> Vec<u8> {
    fn write(value: &Value, out: &mut Vec<u8>) {
        match value {
            Value::Object(map) => {
                let mut fields: Vec<_> = map.iter().collect();
                fields.sort_unstable_by_key(|(name, _)| name.as_str());
                out.push(b'{');
                for (name, value) in fields {
                    plain(name, out);
                    out.push(b':');
                    write(value, out);
                    out.push(b',');
                }
                out.push(b'}');
            }
            Value::Array(list) => {
                out.push(b'[');
                for value in list {
                    write(value, out);
                    out.push(b',');
                }
                out.push(b']');
            }
            other => plain(other, out),
        }
    }
    fn plain(value: &(impl serde::Serialize + ?Sized), out: &mut Vec<u8>) {
        serde_json::to_writer(out, value).expect("a vector takes all bytes");
    }
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

/// How far the keys of an episode were computed, at most one entry per player: the next key of the player replays only what was played
/// since. Copies share the entries.
pub(crate) struct Progress<G: Game>(Mutex<Vec<Arc<Reached<G>>>>);

/// The observer of a player after the first decisions of a history, and the position there.
struct Reached<G: Game> {
    decisions: usize,
    at: Cursor<G>,
    observer: Observer,
}

impl<G: Game> Progress<G> {
    /// Forgets everything, because another history begins.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Reached<G>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, player: Player) -> Option<Arc<Reached<G>>> {
        self.lock().iter().find(|reached| reached.observer.player == player).cloned()
    }

    fn store(&self, reached: Reached<G>) {
        let mut all = self.lock();
        all.retain(|other| other.observer.player != reached.observer.player);
        all.push(Arc::new(reached));
    }
}

impl<G: Game> Default for Progress<G> {
    fn default() -> Self {
        Progress(Mutex::default())
    }
}

impl<G: Game> Clone for Progress<G> {
    fn clone(&self) -> Self {
        Progress(Mutex::new(self.lock().clone()))
    }
}

// `derive` would print states.
impl<G: Game> fmt::Debug for Progress<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// What players have seen before the history of an environment begins.
#[derive(Debug)]
pub(crate) struct Earlier<G: Game> {
    /// Those whose information states go on; the others begin anew.
    players: Players,
    before: Arc<Before<G>>,
}

/// What was played before. All copies that are made of an environment in one position share it.
#[derive(Debug)]
pub(crate) enum Before<G: Game> {
    /// The episode that was played before, from its own beginning.
    Played {
        configured: Arc<ConfiguredGame<G>>,
        origin: Origin<G>,
        seed: u64,
        history: Vec<(Player, Action)>,
        earlier: Option<Arc<Earlier<G>>>,
        progress: Progress<G>,
    },
    /// Read from a pickle: one observer per player.
    Saved(Vec<Observer>),
}

impl<G: Game> Earlier<G> {
    /// What `players` have seen up to the position of an environment, for one whose history begins there.
    pub(crate) fn of(env: &Env<G>, players: Players) -> Option<Arc<Earlier<G>>> {
        if env.history().is_empty() && !matches!(env.origin(), Origin::Seed) {
            // Nothing was played since: no new link, so that copies of copies do not grow a chain.
            let earlier = env.earlier.as_ref()?;
            let left = Players(earlier.players.0 & players.0);
            return match left {
                _ if left == earlier.players => Some(earlier.clone()),
                _ if left.is_empty() => None,
                _ => Some(Arc::new(Earlier { players: left, before: earlier.before.clone() })),
            };
        }
        let played = || {
            Arc::new(Before::Played {
                configured: env.configured().clone(),
                origin: env.origin().clone(),
                seed: env.episode_seed(),
                history: env.history().to_vec(),
                earlier: env.earlier.clone(),
                progress: env.progress.clone(),
            })
        };
        let before = env.before_copies.get_or_init(played).clone();
        Some(Arc::new(Earlier { players, before }))
    }
}

impl<G: Show> Earlier<G> {
    fn observer(&self, player: Player, with_json: bool) -> Option<Observer> {
        // Not recursive: whoever copies an environment before each step of a long episode makes a chain as long as the episode.
        let (mut parts, mut next, mut observer) = (Vec::new(), Some(self), None);
        while let Some(earlier) = next.filter(|earlier| earlier.players.contains(player)) {
            next = match &*earlier.before {
                Before::Played { configured, origin, seed, history, earlier, progress } => {
                    let play = Play { configured, origin, seed: *seed, history, progress };
                    observer = play.known(player, with_json);
                    if observer.is_none() {
                        parts.push(play);
                    }
                    earlier.as_deref().filter(|_| observer.is_none())
                }
                Before::Saved(saved) => {
                    observer = saved.iter().find(|one| one.player == player).cloned();
                    None
                }
            };
        }
        for play in parts.into_iter().rev() {
            observer = Some(play.observe(observer, player, with_json));
        }
        observer
    }
}

impl<G: Game> Drop for Before<G> {
    /// Drops a long chain without recursion.
    fn drop(&mut self) {
        let mut next = self.take_earlier();
        while let Some(mut before) =
            next.and_then(Arc::into_inner).and_then(|earlier| Arc::into_inner(earlier.before))
        {
            next = before.take_earlier();
        }
    }
}

impl<G: Game> Before<G> {
    fn take_earlier(&mut self) -> Option<Arc<Earlier<G>>> {
        match self {
            Before::Played { earlier, .. } => earlier.take(),
            Before::Saved(_) => None,
        }
    }
}

/// An episode as far as it was played.
struct Play<'a, G: Game> {
    configured: &'a ConfiguredGame<G>,
    origin: &'a Origin<G>,
    seed: u64,
    history: &'a [(Player, Action)],
    progress: &'a Progress<G>,
}

impl<G: Show> Play<'_, G> {
    /// The observer of a player, if it was computed up to the end.
    fn known(&self, player: Player, with_json: bool) -> Option<Observer> {
        let reached = self.progress.of(player).filter(|reached| reached.decisions == self.history.len());
        reached.filter(|_| !with_json).map(|reached| reached.observer.clone())
    }

    /// Replays the episode for one player. `begun`: what the player has seen before, if the episode began at a state.
    fn observe(&self, begun: Option<Observer>, player: Player, with_json: bool) -> Observer {
        let reached = self.progress.of(player).filter(|_| !with_json);
        let (mut at, mut observer, played) = match &reached {
            Some(reached) => (reached.at, reached.observer.clone(), reached.decisions),
            None => {
                let (at, observer) = self.begin(begun, player, with_json);
                (at, observer, 0)
            }
        };
        if !with_json {
            // What a pickle had.
            observer.json_form = None;
        }
        for &(chooser, action) in &self.history[played..] {
            let (before, mut events) = (at, Events::<G>::default());
            at.step(self.configured, chooser, action, &mut events);
            let step = Shown { before: &before, player: chooser, action, events: &events };
            observer.step(&*self.configured.game, &step);
        }
        if !with_json {
            let decisions = self.history.len();
            self.progress.store(Reached { decisions, at, observer: observer.clone() });
        }
        observer
    }

    fn begin(&self, begun: Option<Observer>, player: Player, with_json: bool) -> (Cursor<G>, Observer) {
        let configured = self.configured;
        match self.origin {
            Origin::Seed => {
                let mut rng = rng::stream(self.seed, Stream::Chance);
                let mut deal = Events::<G>::default();
                let state = configured.game.deal(&mut rng, &mut deal);
                let first = Cursor::new(configured, state, rng, 0);
                (first, Observer::at(configured, player, &first, Some(&deal), with_json))
            }
            Origin::State(snapshot) => {
                let first = Cursor::new(configured, snapshot.state, snapshot.rng, snapshot.decisions);
                let fresh = || Observer::at(configured, player, &first, None, with_json);
                (first, begun.unwrap_or_else(fresh))
            }
        }
    }
}

impl<G: Show> Env<G> {
    fn observer(&self, player: Player, with_json: bool) -> Result<Observer> {
        let players = self.info().players;
        if player.index() >= players {
            return Err(Error::InvalidPlayer { player: player.0.into(), players });
        }
        let play = Play {
            configured: self.configured(),
            origin: self.origin(),
            seed: self.episode_seed(),
            history: self.history(),
            progress: &self.progress,
        };
        // What was seen before the history only matters where nothing of the history was computed yet.
        let begins = with_json || self.progress.of(player).is_none();
        let earlier = self.earlier.as_ref().filter(|_| begins);
        let begun = earlier.and_then(|earlier| earlier.observer(player, with_json));
        Ok(play.observe(begun, player, with_json))
    }

    fn here(&self) -> Cursor<G> {
        Cursor::new(self.configured(), *self.state(), Rng::from_seed(0), self.decisions())
    }

    /// The key of a player's [information state](crate::information): equal for two histories of the same game exactly if the player cannot
    /// tell them apart (up to collisions of a hash of 128 bits). Computed by replaying what was played since the last call for the player, here or
    /// in the environment that this is a copy of.
    ///
    /// A clone, a pickle and a replay from the deal keep it. A sample ([`Env::sample_hidden`]) keeps that of the player that
    /// it was drawn for. For the other players, and in a loaded state for all, the information state begins with what the player sees
    /// there.
    ///
    /// # Errors
    /// `InvalidPlayer`.
    pub fn information_state_key(&self, player: Player) -> Result<u128> {
        Ok(self.observer(player, false)?.key(&*self.configured().game, &self.here()))
    }

    /// A player's [information state](crate::information) as JSON: `game`, `version`, `content_hash`, `options`, `player`, `key` (as
    /// [`key_text`] writes it), `start` (the first view: `status`, `to_act`, `state`), `seen`, a list of the player's choices (`choice`,
    /// `text`) and of events (`event`, details, `text`, and `changes`, the JSON patch from the state after the event before to the state
    /// after this one), and `now`, the present view.
    ///
    /// # Errors
    /// `InvalidPlayer`.
    pub fn information_state(&self, player: Player) -> Result<Value> {
        Ok(self.observer(player, true)?.into_json(&*self.configured().game, &self.here()))
    }

    /// What the players have seen before the history begins, as text for [`Env::restore_seen_before`]; `None` if it begins at the deal or in a loaded
    /// state. Holds nothing that players whose information states begin anew may know.
    pub fn seen_before(&self) -> Option<String> {
        let earlier = self.earlier.as_ref()?;
        let saved = earlier.players.iter().filter_map(|player| earlier.observer(player, true));
        Some(Value::Array(saved.map(|one| one.to_saved()).collect()).to_string())
    }

    /// Restores what [`Env::seen_before`] has written, in an environment with the same origin.
    ///
    /// # Errors
    /// `Unreadable`.
    pub fn restore_seen_before(&mut self, text: &str) -> Result<()> {
        let saved = read_saved(text, self.info().players).ok_or_else(|| Error::Unreadable {
            what: "information state",
            message: "not what an environment has written".into(),
        })?;
        let players = saved.iter().map(|one| one.player).collect::<Players>();
        self.earlier = Some(Arc::new(Earlier { players, before: Arc::new(Before::Saved(saved)) }));
        self.before_copies.take();
        self.progress.clear();
        Ok(())
    }
}

/// What [`Env::seen_before`] has written. Without the type of the game, so that it is compiled once.
fn read_saved(text: &str, players: usize) -> Option<Vec<Observer>> {
    let saved: Value = serde_json::from_str(text).ok()?;
    let saved: Vec<Observer> = saved.as_array()?.iter().map(Observer::of_saved).collect::<Option<_>>()?;
    saved.iter().all(|one| one.player.index() < players).then_some(saved)
}
