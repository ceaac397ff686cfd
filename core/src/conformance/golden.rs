//! Golden playthroughs (M6): one readable episode per game and number of players, kept as a text file.

use crate::bits::LegalSet;
use crate::digest;
use crate::env::{Configured, Env};
use crate::info::Segment;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::show::Show;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Decisions told with a drawing and observations; of the others, only the action and the digest.
const TOLD: usize = 12;
/// Legal actions that are listed with their text.
const LISTED: usize = 24;

/// The playthrough of seed 1 as text: metadata, then per decision drawing, legal actions, choice, observation segments
/// of the acting seat, rewards, digest of the state.
pub fn playthrough<G: Show>(table: &Arc<Configured<G>>) -> String {
    let mut out = String::new();
    metadata(table, &mut out);
    let mut env = Env::new(table.clone(), 1);
    let mut draws = Rng::from_seed(1);
    while let Some(seat) = env.current_player() {
        let at = env.decisions() as usize;
        let legal = env.legal(seat);
        // One choice in four is the heuristic's, so that the episode shows more than chance.
        let action = match draws.below(4) {
            0 => table.game.heuristic(env.state(), seat, &mut draws),
            _ => draws.pick(&legal),
        };
        let text = table.game.action_text(Some((env.state(), seat)), action);
        if at < TOLD {
            line(&mut out, &format!("\n## Decision {at}, seat {seat}\n"));
            line(&mut out, table.game.draw_text(env.state(), None).trim_end());
            actions(&env, seat, &mut out);
            observation(&env, seat, &mut out);
        }
        if let Err(error) = env.step(action.0.into()) {
            line(&mut out, &format!("refused: {error}"));
            break;
        }
        let prefix = if at < TOLD { "chosen" } else { &format!("decision {at}, seat {seat}") };
        let paid: Vec<String> = env.rewards().iter().map(f32::to_string).collect();
        let paid = if env.rewards().iter().all(|&r| r == 0.0) {
            String::new()
        } else {
            format!(", rewards [{}]", paid.join(", "))
        };
        line(&mut out, &format!("{prefix}: {action} `{text}`{paid}, state {:08x}", digest::of_state(&env)));
    }
    line(&mut out, "\n## End\n");
    line(&mut out, table.game.draw_text(env.state(), None).trim_end());
    let players = env.info().players;
    line(&mut out, &format!("{:?} after {} decisions", env.status(), env.decisions()));
    line(&mut out, &format!("scores {:?}, returns {:?}", &env.scores()[..players], env.returns()));
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn metadata<G: Show>(table: &Arc<Configured<G>>, out: &mut String) {
    let info = table.game.info();
    line(out, &format!("# {} ({}), version {}, {} players", info.title, info.id, info.version, info.players));
    line(out, &format!("options {}", table.options.non_default(&table.specs)));
    line(
        out,
        &format!(
            "chance {}, hidden {}, simultaneous {}, score zero-sum {}, scores {} to {}",
            info.chance,
            info.hidden,
            info.simultaneous,
            info.score_zero_sum,
            info.score_range.0,
            info.score_range.1
        ),
    );
    line(
        out,
        &format!(
            "at most {} decisions, {} chance events, {} forced moves in a row",
            info.max_decisions, info.max_chance, info.max_forced
        ),
    );
    line(out, &format!("content `{}` {:016x}", info.content_name, info.content_hash));
    line(out, &format!("{} actions:", info.num_actions));
    for range in &info.actions {
        line(
            out,
            &format!("  {}..{} {} {:?}", range.start, range.start + range.len, range.name, range.shape),
        );
    }
    line(out, &format!("{} observation bytes:", info.observation.size()));
    for s in &info.observation.segments {
        let privacy = if s.public { "public" } else { "private" };
        line(
            out,
            &format!("  {} {} {:?} bias {} scale {} {privacy}", s.offset, s.name, s.shape, s.bias, s.scale),
        );
    }
    line(out, &format!("digest of 4 episodes {}", digest::digest(table, 4)));
}

fn actions<G: Show>(env: &Env<G>, seat: Seat, out: &mut String) {
    let legal = env.legal(seat);
    let game = &env.table().game;
    line(out, &format!("{} legal:", legal.len()));
    for action in legal.iter().take(LISTED) {
        line(out, &format!("  {action} `{}`", game.action_text(Some((env.state(), seat)), action)));
    }
    if legal.len() as usize > LISTED {
        line(out, &format!("  and {} more", legal.len() as usize - LISTED));
    }
}

fn observation<G: Show>(env: &Env<G>, seat: Seat, out: &mut String) {
    let layout = &env.info().observation;
    let mut bytes = vec![0; layout.size()];
    env.table().game.observe(env.state(), seat, &mut bytes);
    line(out, &format!("observed by seat {seat} (segments that are not zero):"));
    for segment in &layout.segments {
        let part = &bytes[segment.offset..segment.offset + segment.len()];
        if part.iter().any(|&b| b != 0) {
            line(out, &format!("  {} {}", segment.name, compact(segment, part)));
        }
    }
}

/// Short segments as numbers; long ones as places and values of what is not zero.
fn compact(segment: &Segment, bytes: &[u8]) -> String {
    if bytes.len() <= 24 {
        return format!("{bytes:?}");
    }
    let mut text = format!("{:?}:", segment.shape);
    for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        if text.len() > 300 {
            text.push_str(" ...");
            break;
        }
        let _ = if *byte == 1 { write!(text, " {at}") } else { write!(text, " {at}={byte}") };
    }
    text
}

/// Compares the playthrough of a game with `<dir>/<game>_p<players>.txt`, or writes the file if `update` says so.
///
/// # Errors
/// The file is missing (a game without a golden playthrough fails), or differs: then with the first line that does.
pub fn compare<G: Show>(dir: &Path, players: usize, update: bool) -> Result<(), String> {
    let mut options = Map::new();
    if G::options().iter().any(|spec| spec.name == "players") {
        options.insert("players".into(), json!(players));
    }
    let table = Configured::<G>::new(&options).map_err(|error| error.to_string())?;
    let path = dir.join(format!("{}_p{players}.txt", G::ID));
    against_file(&path, &playthrough(&Arc::new(table)), update)
}

/// Compares a text with a file, or writes the file.
///
/// # Errors
/// Missing, unwritable, or different.
pub fn against_file(path: &Path, text: &str, update: bool) -> Result<(), String> {
    if update {
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        }
        return std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    let kept = std::fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}; write it with UPDATE=1", path.display()))?;
    if kept == text {
        return Ok(());
    }
    let differs = kept.lines().zip(text.lines()).enumerate().find(|(_, (a, b))| a != b);
    Err(match differs {
        Some((at, (a, b))) => {
            format!("{}: line {}:\n  kept: {a}\n  now:  {b}\nreview, then UPDATE=1", path.display(), at + 1)
        }
        None => format!("{}: one is longer than the other; review, then UPDATE=1", path.display()),
    })
}

/// The same for every number of players of a game, all differences together.
///
/// # Errors
/// What [`compare`] says, a line for each number of players.
pub fn compare_all<G: Show>(dir: &Path, update: bool) -> Result<(), String> {
    let info = Configured::<G>::new(&Map::<String, Value>::new()).map_err(|error| error.to_string())?;
    let (low, high) = info.game.info().player_range;
    let wrong: Vec<String> =
        (low..=high).filter_map(|players| compare::<G>(dir, players, update).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
