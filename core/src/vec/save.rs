//! Everything about all environments of a batch as bytes, for pickling.

use crate::error::{Error, Problem, Result};
use crate::game::{Game, Scores, Status};
use crate::info::RewardKind;
use crate::rng::Rng;
use crate::seat::{MAX_SEATS, Seat, Seats};
use crate::vec::core::Core;
use serde::{Deserialize, Serialize};

const WHAT: &str = "saved batch";
const MAGIC: [u8; 4] = *b"PLMV";
/// Version of this form.
const FORMAT: u16 = 3;

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Row<G: Game> {
    state: G::State,
    rng: Rng,
    sample: Rng,
    bots: Rng,
    seed: u64,
    root: u64,
    next: u64,
    length: u32,
    acting: Seats,
    last: Seat,
    paid: Scores,
    opponents: [i32; MAX_SEATS],
    learners: Seats,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Batch<G: Game> {
    magic: [u8; 4],
    format: u16,
    /// Game, version, content, options; then the kind of reward, opponents and whether rows are joint.
    identity: [u64; 4],
    /// Those options, as JSON.
    options: String,
    reward: RewardKind,
    opponents: usize,
    joint: bool,
    rows: Vec<Row<G>>,
}

/// The bytes of a batch.
pub(crate) fn to_bytes<G: Game>(core: &Core<G>) -> Vec<u8> {
    let rows = core.shards.iter().flat_map(|shard| {
        shard.slots.iter().zip(&shard.cold).zip(&shard.sample).map(|((slot, cold), sample)| Row {
            state: slot.state,
            rng: slot.rng,
            sample: *sample,
            bots: cold.bots,
            seed: slot.seed,
            root: cold.root,
            next: cold.next,
            length: slot.length,
            acting: slot.acting,
            last: slot.last,
            paid: cold.paid,
            opponents: cold.opponents,
            learners: cold.learners,
        })
    });
    let batch = Batch::<G> {
        magic: MAGIC,
        format: FORMAT,
        identity: crate::save::identity(&core.table.configured).map(|(_, value)| value),
        options: core.table.configured.options_text.clone(),
        reward: core.table.configured.reward,
        opponents: core.table.opponents.len(),
        joint: core.table.joint,
        rows: rows.collect(),
    };
    let mut bytes = postcard::to_allocvec(&batch).expect("plain data of bounded size always encodes");
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Puts a batch back; nothing is changed if anything does not fit.
pub(crate) fn load_bytes<G: Game>(core: &mut Core<G>, bytes: &[u8]) -> Result<()> {
    let unreadable = |message: String| Error::Unreadable { what: WHAT, message };
    let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
        return Err(unreadable("fewer than 4 bytes".into()));
    };
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(unreadable("the checksum is wrong: bytes were changed".into()));
    }
    let batch: Batch<G> = postcard::from_bytes(body).map_err(|error| unreadable(error.to_string()))?;
    if batch.magic != MAGIC || batch.format != FORMAT {
        return Err(unreadable(format!("it is not of format {FORMAT}")));
    }
    let wrong = |field, found: String, expected: String| {
        Err(Error::WrongIdentity { what: WHAT, field, found, expected })
    };
    for ((field, expected), found) in
        crate::save::identity(&core.table.configured).into_iter().zip(batch.identity)
    {
        if field == "options" {
            crate::save::check_options(WHAT, &core.table.configured, found, batch.options.as_bytes())?;
        } else if found != expected {
            return wrong(field, format!("{found:016x}"), format!("{expected:016x}"));
        }
    }
    let reward = core.table.configured.reward;
    if batch.reward != reward {
        return wrong("reward", batch.reward.name().into(), reward.name().into());
    }
    let own = [
        ("num_envs", batch.rows.len(), core.sizes.envs),
        ("opponents", batch.opponents, core.table.opponents.len()),
        ("joint view", usize::from(batch.joint), usize::from(core.table.joint)),
    ];
    for (field, found, expected) in own {
        if found != expected {
            return wrong(field, found.to_string(), expected.to_string());
        }
    }
    let problems: Vec<Problem> =
        batch.rows.iter().enumerate().flat_map(|(env, row)| problems(core, env, row)).take(100).collect();
    if !problems.is_empty() {
        return Err(Error::InvalidState { problems });
    }
    let mut rows = batch.rows.into_iter();
    for shard in &mut core.shards {
        let places = shard.slots.iter_mut().zip(&mut shard.cold).zip(&mut shard.sample);
        for ((slot, cold), sample) in places {
            let row = rows.next().expect("counted above");
            (slot.state, slot.rng, slot.seed, slot.length) = (row.state, row.rng, row.seed, row.length);
            (slot.acting, slot.last) = (row.acting, row.last);
            (cold.root, cold.next, cold.paid, cold.bots) = (row.root, row.next, row.paid, row.bots);
            (cold.opponents, cold.learners) = (row.opponents, row.learners);
            *sample = row.sample;
        }
    }
    Ok(())
}

/// What is wrong with one row.
fn problems<G: Game>(core: &Core<G>, env: usize, row: &Row<G>) -> Vec<Problem> {
    let game = core.table.game();
    let at = |path: &str| format!("envs[{env}].{path}");
    let mut found: Vec<Problem> = game
        .validate(&row.state)
        .into_iter()
        .map(|problem| Problem::new(at(&format!("state.{}", problem.path)), problem.message))
        .collect();
    if !found.is_empty() {
        return found;
    }
    if [&row.rng, &row.sample, &row.bots].iter().any(|rng| rng.words == [0; 4]) {
        found.push(Problem::new(at("rng"), "all four words are zero"));
    }
    let counts = crate::save::beyond(game.info(), row.length, row.next.wrapping_sub(1));
    found.extend(counts.into_iter().map(|problem| Problem::new(at(&problem.path), problem.message)));
    let players = core.sizes.players;
    let bound = core.table.opponents.len() as i32;
    let seats_fit = (0..MAX_SEATS).all(|k| {
        let learner = row.learners.contains(Seat(k as u8));
        let range = if k < players && !learner { 0..bound } else { -1..0 };
        range.contains(&row.opponents[k])
    });
    let learners_fit = row.learners.0 & !Seats::all(players).0 == 0
        && !row.learners.is_empty()
        && (core.table.bound || row.learners == Seats::all(players));
    if !seats_fit || !learners_fit {
        found.push(Problem::new(at("opponents"), "a seat without player, or with one that does not exist"));
    }
    let running = game.status(&row.state) == Status::Running && row.length < core.table.limit;
    let acting = if running { game.acting(&row.state) } else { Seats::EMPTY };
    let asked = match acting.first() {
        Some(seat) if row.learners.contains(seat) => core.table.asked(acting, row.learners),
        _ => Seats::EMPTY,
    };
    let keeps_ends = core.table.config.autoreset != crate::vec::Autoreset::SameStep;
    if row.acting != asked || (asked.is_empty() && (running || !keeps_ends)) || row.last.index() >= players {
        found.push(Problem::new(at("acting"), "does not fit the state"));
    }
    // Only where bots may have opened the episode can something be left to pay.
    let settled = !core.table.bound;
    let dense = core.table.configured.reward == RewardKind::ScoreDelta;
    let beyond = row.paid[players..].iter().any(|&paid| paid != 0);
    if beyond || ((settled || !dense) && row.paid != core.table.scores_before(&row.state)) {
        found.push(Problem::new(at("paid"), "does not follow from the state and the kind of reward"));
    }
    found
}
