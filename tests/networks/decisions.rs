//! `decisions.txt`: episodes that agents play alike in all languages. A line names a game and specs of agents, where FILE stands for the
//! game's network, `GAME.onnx`; the lines after it are the actions of the episodes of seeds 0, 1, 2 and so on. In the episode of seed s,
//! player p is played by agent (s + p) modulo their number.
//!
//! `leaves.txt` is the same for searches whose network the host evaluates: a line names a game, its options, the spec of the search, the
//! number of its leaves, and `greedy` if the network reads the greedy agent's action, otherwise `plain`. The episodes are searched together, a
//! row for each, with trees that are kept. The network is a hash: `network` in `seeds/tests/networks.rs`.

use std::fs;
use std::path::{Path, PathBuf};

/// The episodes of one game.
pub(crate) struct Block {
    /// Game and specs, as they are in the file.
    pub(crate) heading: String,
    /// A line of actions per episode.
    pub(crate) episodes: Vec<String>,
}

impl Block {
    /// The game.
    pub(crate) fn game(&self) -> &str {
        self.heading.split(' ').next().expect("a heading has words")
    }

    /// The specs of the agents.
    pub(crate) fn specs(&self) -> Vec<String> {
        self.heading.split(' ').skip(1).map(|spec| with_file(spec, self.game())).collect()
    }

    /// The words of a heading of `leaves.txt`.
    #[allow(dead_code, reason = "of several tests one plays in Rust")]
    pub(crate) fn words(&self) -> [&str; 5] {
        let words: Vec<&str> = self.heading.split(' ').collect();
        words.try_into().expect("game, options, spec, leaves, inputs")
    }

    /// The episodes as the programs of all languages print them.
    pub(crate) fn text(&self) -> String {
        self.episodes.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Arguments of these programs.
    #[allow(dead_code, reason = "of several tests some run programs")]
    pub(crate) fn arguments(&self) -> Vec<String> {
        [vec![self.game().into(), self.episodes.len().to_string()], self.specs()].concat()
    }
}

/// Agents that the examples of all hosts play tic_tac_toe with.
#[allow(dead_code, reason = "of several tests some run the examples")]
pub(crate) fn example_specs() -> [String; 4] {
    ["greedy", "mcts:200", "FILE", "mcts:200,policy=FILE"].map(|spec| with_file(spec, "tic_tac_toe"))
}

/// Specs that the examples must refuse for connect_four, and the end of what they print about each.
#[allow(dead_code, reason = "of several tests some run the examples")]
pub(crate) fn refused_specs() -> [(String, &'static str); 4] {
    [
        (
            "gredy",
            "got `gredy` (did you mean `greedy`?); allowed: `random`, `greedy`, `mcts:400`, `mcts:50ms`, `FILE.onnx`",
        ),
        (
            "mcts:200,policy=none.onnx",
            "network `none.onnx`: cannot read it: No such file or directory (os error 2)",
        ),
        ("FILE", "it was trained for game `tic_tac_toe`; here it is `connect_four`"),
        ("--agent", "got `--agent`; allowed: `random`, `greedy`, `mcts:400`, `mcts:50ms`, `FILE.onnx`"),
    ]
    .map(|(spec, end)| (with_file(spec, "tic_tac_toe"), end))
}

/// The lines that the examples print for the choices of an agent that plays all players: the episode of seed 7, played here.
#[allow(dead_code, reason = "of several tests some run the examples")]
pub(crate) fn example_lines(game: &dyn playmat_core::any::AnyGame, spec: &str) -> Vec<String> {
    let agent = game.agent(spec).expect("an agent");
    let (mut env, mut lines) = (game.env(7), Vec::new());
    while let Some(player) = env.acting().first() {
        let action = i64::from(env.act(&agent, player).expect("an action").0);
        let text = env.action_text(Some(player), action).expect("a text");
        lines.push(format!("player {}: {text}", player.index()));
        env.step(action).expect("a legal action");
    }
    lines
}

/// Where the file lies.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in the tree").join("tests/networks")
}

fn with_file(spec: &str, game: &str) -> String {
    let file = folder().join(format!("{game}.onnx"));
    spec.replace("FILE", file.to_str().expect("the path of the tree is UTF-8"))
}

/// All blocks.
pub(crate) fn read() -> Vec<Block> {
    blocks_of("decisions.txt")
}

/// All blocks of the searches with leaves.
pub(crate) fn read_leaves() -> Vec<Block> {
    blocks_of("leaves.txt")
}

fn blocks_of(file: &str) -> Vec<Block> {
    let text = fs::read_to_string(folder().join(file)).expect("the file is in the tree");
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines() {
        match blocks.last_mut() {
            Some(block) if line.starts_with(|first: char| first.is_ascii_digit()) => {
                block.episodes.push(line.into());
            }
            _ => blocks.push(Block { heading: line.into(), episodes: Vec::new() }),
        }
    }
    assert!(blocks.len() > 3 && blocks.iter().all(|block| block.episodes.len() > 5), "{text}");
    blocks
}
