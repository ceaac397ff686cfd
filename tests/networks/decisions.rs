//! `decisions.txt`: episodes that agents play alike in all languages. A line names a game and specs of agents, where FILE stands for
//! `tic_tac_toe.onnx`; the lines after it are the actions of the episodes of seeds 0, 1, 2 and so on. In the episode of seed s, player p is played by
//! agent (s + p) modulo their number.

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
        let file = folder().join("tic_tac_toe.onnx");
        let file = file.to_str().expect("the path of the tree is UTF-8");
        self.heading.split(' ').skip(1).map(|spec| spec.replace("FILE", file)).collect()
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

/// Where the file lies.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in the tree").join("tests/networks")
}

/// All blocks.
pub(crate) fn read() -> Vec<Block> {
    let text = fs::read_to_string(folder().join("decisions.txt")).expect("the file is in the tree");
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
