//! Golden playthroughs (M6): one readable episode per game with its default and its largest number of players, kept as a text file.
//!
//! Choices are uniformly random: a playthrough changes when the rules, the generator or the observations change, but not when the greedy agent
//! changes.

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::info::Segment;
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use std::fmt::Write;
use std::path::Path;

/// Decisions shown with their observation.
const SHOWN: usize = 3;
/// Decisions shown with a drawing, the first ones.
const DRAWN: usize = 2;
/// Decisions listed with action and digest alone; of longer episodes the end follows.
const LISTED_DECISIONS: usize = 40;
/// Legal actions that are listed with their text.
const LISTED: usize = 24;
/// Sequences of actions that are counted at most for one seed.
const COUNTED: u64 = 20_000;

/// The playthrough of seed 1 as text: metadata, counts, then per decision legal actions, choice, observation
/// segments of the acting player, rewards, digest of the state.
pub fn playthrough(game: &dyn AnyGame) -> String {
    let mut out = String::new();
    metadata(game, &mut out);
    for seed in 0..3 {
        let counts: Vec<String> = counts(game, seed).iter().map(u64::to_string).collect();
        line(&mut out, &format!("sequences of 1, 2, ... actions from seed {seed}: {}", counts.join(" ")));
    }
    let mut env = game.env(1);
    let mut draws = Rng::from_seed(1);
    while let Some(player) = env.acting().first() {
        let at = env.decisions() as usize;
        let legal = env.legal_actions(player).unwrap_or_default();
        let action = legal[draws.below(legal.len() as u32) as usize];
        if at < SHOWN {
            line(&mut out, &format!("\n## Decision {at}, player {player}\n"));
            if at < DRAWN {
                line(&mut out, env.draw_text(Some(player)).unwrap_or_default().trim_end());
            }
            actions(&*env, player, &legal, &mut out);
            observation(&*env, player, &mut out);
        } else if at == SHOWN {
            line(&mut out, "\n## Later decisions\n");
        }
        let text = action_text(&*env, player, action);
        if let Err(error) = env.step(action.into()) {
            line(&mut out, &format!("refused: {error}"));
            break;
        }
        let prefix = if at < SHOWN { "chosen" } else { &format!("decision {at}, player {player}") };
        let paid: Vec<String> = env.rewards().iter().map(f32::to_string).collect();
        let paid = if env.rewards().iter().all(|&r| r == 0.0) {
            String::new()
        } else {
            format!(", rewards [{}]", paid.join(", "))
        };
        if at < LISTED_DECISIONS || !paid.is_empty() {
            let state = crc32fast::hash(&env.position_bytes());
            line(&mut out, &format!("{prefix}: {action} `{text}`{paid}, state {state:08x}"));
        }
    }
    line(&mut out, "\n## End\n");
    line(&mut out, env.draw_text(None).unwrap_or_default().trim_end());
    line(&mut out, &format!("{:?} after {} decisions", env.status(), env.decisions()));
    line(&mut out, &format!("scores {:?}, returns {:?}", env.scores(), env.returns()));
    line(&mut out, &format!("state {:08x}", crc32fast::hash(&env.position_bytes())));
    out
}

/// Number of different sequences of one, two, ... actions from the deal of a seed, in the turn view, as long as the
/// sum stays small. Ended episodes are not counted further.
fn counts(game: &dyn AnyGame, seed: u64) -> Vec<u64> {
    let mut layer = vec![game.env(seed)];
    let mut counts = Vec::new();
    let mut sum = 0;
    loop {
        let moves = |env: &dyn AnyEnv| match env.acting().first() {
            Some(player) => env.legal_actions(player).unwrap_or_default(),
            None => Vec::new(),
        };
        let count: u64 = layer.iter().map(|env| moves(&**env).len() as u64).sum();
        sum += count;
        if count == 0 || sum > COUNTED {
            return counts;
        }
        counts.push(count);
        let mut next = Vec::with_capacity(count as usize);
        for env in &layer {
            for action in moves(&**env) {
                let mut after = env.clone_box();
                if after.step(action.into()).is_ok() {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
}

fn action_text(env: &dyn AnyEnv, player: Player, action: u16) -> String {
    env.action_text(Some(player), action.into()).unwrap_or_default()
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// How many of the first segments, `island0_...`, come again as `island1_...`, `island2_...`, equal but for that number and their offsets, and
/// how often they are there in all.
fn repeated(segments: &[Segment]) -> Option<(usize, usize)> {
    fn part<'a>(word: &str, at: usize, segment: &'a Segment) -> Option<&'a str> {
        segment.name.strip_prefix(&format!("{word}{at}_"))
    }
    let (word, _) = segments.first()?.name.split_once("0_")?;
    let block = segments.iter().take_while(|segment| part(word, 0, segment).is_some()).count();
    let bytes: usize = segments[..block].iter().map(Segment::len).sum();
    let is_again = |(at, blocks): &(usize, &[Segment])| {
        let same = |(first, again): (&Segment, &Segment)| {
            let of = |s: &Segment| (s.shape.clone(), s.bias, s.scale, s.public);
            part(word, *at, again) == part(word, 0, first)
                && again.offset == first.offset + at * bytes
                && of(again) == of(first)
        };
        blocks.len() == block && segments.iter().zip(*blocks).all(same)
    };
    let times = segments.chunks(block).enumerate().take_while(is_again).count();
    (times > 2).then_some((block, times))
}

fn metadata(game: &dyn AnyGame, out: &mut String) {
    let info = game.info();
    line(out, &format!("# {} ({}), version {}, {} players", info.title, info.id, info.version, info.players));
    line(out, &format!("options {}", game.options().non_default(game.specs())));
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
    let mut rest = &info.observation.segments[..];
    while let Some((first, _)) = rest.split_first() {
        let (block, times) = repeated(rest).unwrap_or((1, 1));
        for s in &rest[..block] {
            let privacy = if s.public { "public" } else { "private" };
            line(
                out,
                &format!(
                    "  {} {} {:?} bias {} scale {} {privacy}",
                    s.offset, s.name, s.shape, s.bias, s.scale
                ),
            );
        }
        if times > 1 {
            let bytes = rest[block].offset - first.offset;
            line(
                out,
                &format!(
                    "  the last {block} segments {times} times, every {bytes} bytes: 1_, 2_, ... for 0_"
                ),
            );
        }
        rest = &rest[block * times..];
    }
    line(out, &format!("digest of 4 episodes {}", game.digest(4)));
}

fn actions(env: &dyn AnyEnv, player: Player, legal: &[u16], out: &mut String) {
    line(out, &format!("{} legal:", legal.len()));
    for &action in legal.iter().take(LISTED) {
        line(out, &format!("  {action} `{}`", action_text(env, player, action)));
    }
    if legal.len() > LISTED {
        line(out, &format!("  and {} more", legal.len() - LISTED));
    }
}

fn observation(env: &dyn AnyEnv, player: Player, out: &mut String) {
    let layout = &env.info().observation;
    let mut bytes = vec![0; layout.size()];
    if let Err(error) = env.write_observation(player, &mut bytes) {
        return line(out, &error.to_string());
    }
    line(out, &format!("observed by player {player} (segments that are not zero):"));
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

/// Compares the playthrough of a configured game with `<folder>/<game>_p<players>.txt`, or writes that file if `update` says so.
///
/// # Errors
/// The file is missing, or differs: then with the first line that does.
pub fn compare(game: &dyn AnyGame, folder: &Path, update: bool) -> Result<(), String> {
    let file = format!("{}_p{}.txt", game.info().id, game.info().players);
    against_file(&folder.join(file), &playthrough(game), update)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two segments for each of four things; of one the second segment is shorter.
    fn layout(odd: usize) -> Vec<Segment> {
        let segment = |name: String, offset: usize, bytes: usize| {
            let (shape, meaning) = (vec![bytes], String::new());
            Segment { name, offset, shape, bias: 0, scale: 1, meaning, public: true }
        };
        let two = |at: usize| {
            let bytes = if at == odd { 1 } else { 2 };
            [segment(format!("a{at}_x"), 3 * at, 1), segment(format!("a{at}_y"), 3 * at + 1, bytes)]
        };
        (0..4).flat_map(two).collect()
    }

    #[test]
    fn segments_that_differ_are_written_one_by_one() {
        assert_eq!(repeated(&layout(9)), Some((2, 4)));
        assert_eq!(repeated(&layout(3)), Some((2, 3)));
        assert_eq!((repeated(&layout(2)), repeated(&layout(9)[1..])), (None, None));
    }
}
