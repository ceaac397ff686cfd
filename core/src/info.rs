//! Static information of a game: every answer here is checked against play by the conformance suite.
//!
//! The layout of an observation, as a game declares it, and its bytes as numbers from 0 to 1:
//!
//! ```
//! use playmat_core::info::Layout;
//!
//! let mut layout = Layout::default();
//! layout.push("hand", &[3], 4, false, "own cards by kind, at most 4 of each");
//! layout.push("turn", &[1], 10, true, "turns played, of 10");
//! assert_eq!((layout.size(), layout.segment("turn").expect("declared above").offset), (4, 3));
//!
//! let mut numbers = [0.0; 4];
//! layout.to_f32(&[1, 0, 4, 5], &mut numbers);
//! assert_eq!(numbers, [0.25, 0.0, 1.0, 0.5]);
//! ```

use crate::error::{Error, Problem, Result};
use crate::options::Options;
use crate::player::Action;
use serde::{Deserialize, Serialize};

/// The kinds of reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewardKind {
    /// Zero-sum, in [-1, 1], only when the episode terminates: 1 for a single winner, -1/(P - 1) for each of the other P - 1 players.
    /// [`Sharing`] defines shared victories.
    Outcome,
    /// The final score divided by [`GameInfo::score_divisor`], only when the episode ends.
    Score,
    /// The difference of the current score at every step, divided in the same way; sums to the reward of [`RewardKind::Score`].
    ScoreDelta,
}

/// The rewards of a shared victory under [`RewardKind::Outcome`]. Both variants agree for a single winner, for two players, and if all win.
///
/// The loser gets -1 and all other players share 1, if `winners` returns everybody but the loser:
///
/// ```
/// use playmat_core::info::Sharing;
/// use playmat_core::player::Players;
/// use playmat_core::reward::outcome;
///
/// let but_the_last = Players(0b0111);
/// let third = 1.0 / 3.0;
/// assert_eq!(outcome(4, but_the_last, Sharing::Sides)[..4], [third, third, third, -1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// W winners of P players share the losses of the others: each winner gets (P/W - 1)/(P - 1), each other player gets -1/(P - 1) for any
    /// W.
    #[default]
    Pot,
    /// Both sides share 1: each of W winners gets 1/W, each of the others gets -1/(P - W). As in OpenSpiel's goofspiel.
    Sides,
}

impl RewardKind {
    /// All kinds.
    pub const ALL: [RewardKind; 3] = [RewardKind::Outcome, RewardKind::Score, RewardKind::ScoreDelta];

    /// Name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            RewardKind::Outcome => "outcome",
            RewardKind::Score => "score",
            RewardKind::ScoreDelta => "score_delta",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<RewardKind> {
        RewardKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A contiguous range of actions with one meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionRange {
    /// Name, e.g. `PLACE`.
    pub name: &'static str,
    /// First action.
    pub start: usize,
    /// Number of actions.
    pub len: usize,
    /// How the range is indexed, outermost first, e.g. `[4, 144]` for PLACE(turn, cell).
    pub shape: Vec<usize>,
    /// What its actions mean.
    pub meaning: String,
}

impl ActionRange {
    /// Ranges one after the other, each by name, shape and meaning.
    pub fn tile(ranges: &[(&'static str, &[usize], &str)]) -> Vec<ActionRange> {
        let mut end = 0;
        let tile = |&(name, shape, meaning): &(&'static str, &[usize], &str)| {
            let (start, len) = (end, shape.iter().product());
            end += len;
            ActionRange { name, start, len, shape: shape.to_vec(), meaning: meaning.into() }
        };
        ranges.iter().map(tile).collect()
    }
}

/// One named part of an observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// Name, unique in the layout. `own_<rest>` is about the viewer, `other<N>_<rest>` about the player N places after it,
    /// `other_<rest>` about the only other one: check V8 of the conformance suite compares public segments of equal `<rest>` between
    /// viewers. In a segment with another name, an axis with an entry for each player (or for each other player) begins with the viewer (or the
    /// player after it); of two such axes, both do. V8 knows these axes by the shapes of the same segment with other numbers of players.
    pub name: String,
    /// First byte.
    pub offset: usize,
    /// Shape, row-major; the product is the number of bytes.
    pub shape: Vec<usize>,
    /// Subtracted from the byte.
    pub bias: u8,
    /// Divides the difference: value = (byte - bias) / scale, in [-1, 1].
    pub scale: u16,
    /// What the segment shows.
    pub meaning: String,
    /// Whether all viewers of a state read the same facts here, with players counted from the viewer on: nothing private.
    pub public: bool,
}

impl Segment {
    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the segment has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The observation: segments one after the other in a vector of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// The segments, without hole or overlap.
    pub segments: Vec<Segment>,
}

impl Layout {
    /// Appends a segment with bias 0 and returns its offset.
    pub fn push(
        &mut self,
        name: impl Into<String>,
        shape: &[usize],
        scale: usize,
        public: bool,
        meaning: impl Into<String>,
    ) -> usize {
        self.push_biased(name, shape, 0, scale, public, meaning)
    }

    /// Appends a segment and returns its offset. A scale of 0 becomes 1.
    pub fn push_biased(
        &mut self,
        name: impl Into<String>,
        shape: &[usize],
        bias: u8,
        scale: usize,
        public: bool,
        meaning: impl Into<String>,
    ) -> usize {
        let offset = self.size();
        self.segments.push(Segment {
            name: name.into(),
            offset,
            shape: shape.to_vec(),
            bias,
            scale: scale.max(1) as u16,
            meaning: meaning.into(),
            public,
        });
        offset
    }

    /// Number of bytes.
    pub fn size(&self) -> usize {
        self.segments.last().map_or(0, |s| s.offset + s.len())
    }

    /// The segment of this name.
    pub fn segment(&self, name: &str) -> Option<&Segment> {
        self.segments.iter().find(|s| s.name == name)
    }

    /// Writes the `f32` form of an observation: `(byte - bias) / scale`. Both slices have [`Layout::size`] places.
    pub fn to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        for s in &self.segments {
            let range = s.offset..s.offset + s.len();
            let (bias, scale) = (f32::from(s.bias), f32::from(s.scale));
            for (value, &byte) in out[range.clone()].iter_mut().zip(&bytes[range]) {
                *value = (f32::from(byte) - bias) / scale;
            }
        }
    }
}

/// The facts about a configured game that are the same in all its episodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameInfo {
    /// Registered name.
    pub id: &'static str,
    /// Name as on the box.
    pub title: &'static str,
    /// Version of the game; changes exactly when its behaviour changes.
    pub version: u32,
    /// Players of this configuration.
    pub players: usize,
    /// Smallest and largest number of players of the game.
    pub player_range: (usize, usize),
    /// Number of actions.
    pub num_actions: usize,
    /// The action space, in order and without holes.
    pub actions: Vec<ActionRange>,
    /// The observation of one player.
    pub observation: Layout,
    /// No episode has more decisions than this, all players together.
    pub max_decisions: usize,
    /// Between two decisions the engine executes at most this many forced moves.
    pub max_forced: usize,
    /// No episode has more chance events than this, the deal included (one card, die or draw each).
    pub max_chance: usize,
    /// Whether the game has chance events.
    pub chance: bool,
    /// Whether the game has imperfect information (buffered simultaneous choices count).
    pub hidden: bool,
    /// Whether several players can act at once.
    pub simultaneous: bool,
    /// Whether every simultaneous turn is one joint action: each acting player chooses once, and nobody chooses again before all have.
    /// Without it, some players may decide several times while others still must choose.
    pub joint_actions: bool,
    /// Whether the game lists all of its chance with probabilities ([`Game::deal_outcomes`](crate::game::Game::deal_outcomes),
    /// [`Game::outcomes`](crate::game::Game::outcomes)); false if some of it is only sampled, and without chance.
    pub lists_chance: bool,
    /// Whether the observations of a running episode tell the player's whole information state, earlier choices and events included.
    pub perfect_recall: bool,
    /// Whether final scores always sum to zero.
    pub score_zero_sum: bool,
    /// Whether an episode that the game's own limit truncates still has an `outcome` (its `winners` share it); otherwise the outcome of
    /// every player is 0.
    pub outcome_on_truncation: bool,
    /// The rewards of a shared victory.
    pub sharing: Sharing,
    /// Smallest and largest final score.
    pub score_range: (i32, i32),
    /// Divisor that turns scores into rewards, above 0: scores are whole numbers, returns may be fractions.
    pub score_divisor: u16,
    /// Rewards offered; the first is the default.
    pub rewards: Vec<RewardKind>,
    /// Name of the content (`custom` for text), empty without content.
    pub content_name: String,
    /// Title of the content (`title` in the file), empty without one.
    pub content_title: String,
    /// FNV-1a hash of the content text, 0 without content.
    pub content_hash: u64,
}

impl GameInfo {
    /// The most common values, without content, actions and scores: one number of players, version 1, no chance, no hidden information, no
    /// simultaneous turns, observations without perfect recall, and all kinds of reward that this number of players allows.
    pub fn new(id: &'static str, players: usize) -> GameInfo {
        let alone = usize::from(players == 1);
        GameInfo {
            id,
            title: "",
            version: 1,
            players,
            player_range: (players, players),
            num_actions: 0,
            actions: Vec::new(),
            observation: Layout::default(),
            max_decisions: 0,
            max_forced: 0,
            max_chance: 0,
            chance: false,
            hidden: false,
            simultaneous: false,
            joint_actions: false,
            lists_chance: false,
            perfect_recall: false,
            score_zero_sum: false,
            outcome_on_truncation: false,
            sharing: Sharing::Pot,
            score_range: (0, 0),
            score_divisor: 1,
            rewards: RewardKind::ALL[alone..].to_vec(),
            content_name: String::new(),
            content_title: String::new(),
            content_hash: 0,
        }
    }

    /// The action of a number.
    ///
    /// # Errors
    /// `InvalidArgument` for a number outside the action space.
    pub fn check_action(&self, action: i64) -> Result<Action> {
        if (0..self.num_actions as i64).contains(&action) {
            return Ok(Action(action as u16));
        }
        Err(Error::argument("action", format!("got {action}; actions are 0 to {}", self.num_actions - 1)))
    }

    /// The name as on the box with the title of the content: the heading of pages and drawings.
    pub fn heading(&self) -> String {
        if self.content_title.is_empty() {
            self.title.into()
        } else {
            format!("{}: {}", self.title, self.content_title)
        }
    }

    /// Smallest and largest return of a player under a kind of reward.
    pub fn return_range(&self, reward: RewardKind) -> (f32, f32) {
        match reward {
            RewardKind::Outcome => (-1.0, 1.0),
            _ => {
                let divisor = f32::from(self.score_divisor);
                (self.score_range.0 as f32 / divisor, self.score_range.1 as f32 / divisor)
            }
        }
    }

    /// The action range that `action` lies in, and its index there.
    pub fn action_range(&self, action: usize) -> Option<(&ActionRange, usize)> {
        let range = self.actions.iter().find(|r| (r.start..r.start + r.len).contains(&action))?;
        Some((range, action - range.start))
    }

    /// Whether the answers are consistent in themselves (ranges tile, segments tile, counts in range).
    pub fn problems(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut at = 0;
        for range in &self.actions {
            if range.start != at || range.shape.iter().product::<usize>() != range.len {
                found.push(Problem::new(
                    format!("actions.{}", range.name),
                    "does not start where the last ended",
                ));
            }
            at += range.len;
        }
        if at != self.num_actions {
            found.push(Problem::new("actions", format!("ranges cover {at} of {} actions", self.num_actions)));
        }
        let mut at = 0;
        for segment in &self.observation.segments {
            if segment.offset != at {
                found.push(Problem::new(format!("observation.{}", segment.name), "hole or overlap"));
            }
            at += segment.len();
            if self.observation.segments.iter().filter(|s| s.name == segment.name).count() > 1 {
                found.push(Problem::new(format!("observation.{}", segment.name), "name used twice"));
            }
        }
        if !(self.player_range.0..=self.player_range.1).contains(&self.players) {
            found.push(Problem::new("players", "outside the declared range"));
        }
        if self.joint_actions && !self.simultaneous {
            found.push(Problem::new("joint_actions", "declared without simultaneous turns"));
        }
        if self.lists_chance && !self.chance {
            found.push(Problem::new("lists_chance", "declared without chance"));
        }
        if self.score_range.0 >= self.score_range.1 {
            found.push(Problem::new("score_range", "smallest score is not below the largest"));
        }
        if self.score_divisor == 0 {
            found.push(Problem::new("score_divisor", "got 0; scores are divided by it"));
        }
        if self.rewards.is_empty() || (self.players == 1 && self.rewards.contains(&RewardKind::Outcome)) {
            found.push(Problem::new("rewards", "none, or `outcome` for a single player"));
        }
        found
    }
}

/// FNV-1a, 64 bits: the hash of contents and configurations.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Hash of the options that decide how a game plays (everything but the content text, which has its own
/// hash, and the engine's common options).
pub fn options_hash(options: &Options, own: &[&str]) -> u64 {
    let mut text = String::new();
    for name in own.iter().filter(|&&name| name != "content") {
        text.push_str(&format!("{name}={};", options.get(name)));
    }
    fnv1a(text.as_bytes())
}
