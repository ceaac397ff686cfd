//! Tests of the engine through its public interface, with toy games.

mod agent;
mod functions;
mod gae;
mod leaf;
mod leaf_misuse;
mod outputs;
mod search;
mod search_batches;
mod states;
mod vec;
mod vec_rows;

use std::collections::BTreeSet;
use std::path::Path;

/// A file without a line above would not be compiled, and nothing else would say so.
#[test]
fn every_file_of_this_folder_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the folder of this file")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".rs").map(String::from))
        .filter(|name| name != "main" && name != "allocations")
        .collect();
    let lines = include_str!("main.rs").lines();
    let named = lines.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';').map(String::from));
    assert_eq!(files, named.collect());
}
