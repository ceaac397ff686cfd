//! The byte form of a batch: all environments, for pickling.

use crate::error::{Error, Problem, Result};
use crate::game::{Game, Scores, Status};
use crate::info::RewardKind;
use crate::player::{MAX_PLAYERS, Player, Players};
use crate::rng::{EpisodeSeeds, Rng};
use crate::vec::core::Core;
use crate::vec::result_counts::{ResultCounts, fixed};
use serde::{Deserialize, Serialize};

const WHAT: &str = "saved batch";
const MAGIC: [u8; 4] = *b"PLMV";
/// Version of this form.
const FORMAT: u16 = 6;

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Row<G: Game> {
    state: G::State,
    rng: Rng,
    sample: Rng,
    agents: Rng,
    seed: u64,
    root: u64,
    next: u64,
    length: u32,
    acting: Players,
    last: Player,
    delta_base: Scores,
    opponents: [i32; MAX_PLAYERS],
    learners: Players,
    sampled: u32,
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
    /// Results of all episodes.
    total: ResultCounts,
    /// Names, and the results against each.
    opponents: Vec<(String, ResultCounts)>,
    joint: bool,
    rows: Vec<Row<G>>,
}

/// The bytes of a batch.
pub(crate) fn to_bytes<G: Game>(core: &Core<G>) -> Vec<u8> {
    let rows = core.shards.iter().flat_map(|shard| {
        shard.slots.iter().zip(&shard.meta).enumerate().map(|(at, (slot, meta))| Row {
            state: slot.state,
            rng: core.spec.rng(slot),
            sample: core.sample_streams(shard).get(at),
            agents: meta.agents,
            seed: slot.seed,
            root: meta.seeds.root(),
            next: meta.next,
            length: slot.length,
            acting: slot.acting,
            last: slot.last,
            delta_base: meta.delta_base,
            opponents: meta.opponents,
            learners: meta.learners,
            sampled: meta.sampled,
        })
    });
    let batch = Batch::<G> {
        magic: MAGIC,
        format: FORMAT,
        identity: crate::save::identity(&core.spec.configured).map(|(_, value)| value),
        options: core.spec.configured.options_text.clone(),
        reward: core.spec.configured.reward,
        total: core.total(),
        opponents: names(core).into_iter().zip((0..).map(|k| core.result_counts(k))).collect(),
        joint: core.spec.joint,
        rows: rows.collect(),
    };
    let mut bytes = postcard::to_allocvec(&batch).expect("plain data of bounded size always encodes");
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

fn names<G: Game>(core: &Core<G>) -> Vec<String> {
    core.spec.opponents.iter().map(|opponent| opponent.agent.name().to_owned()).collect()
}

/// Loads a batch; on an error nothing is changed.
pub(crate) fn load_bytes<G: Game>(core: &mut Core<G>, bytes: &[u8]) -> Result<()> {
    let unreadable = |message: String| Error::Unreadable { what: WHAT, message };
    // The header of a batch needs less space than one environment.
    let most = (core.sizes.envs + 1).saturating_mul(crate::save::MAX_BYTES);
    if bytes.len() > most {
        let (got, envs) = (bytes.len(), core.sizes.envs);
        return Err(unreadable(format!("{got} bytes; allowed for {envs} environments: {most}")));
    }
    let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
        return Err(unreadable("fewer than 4 bytes".into()));
    };
    // The format is checked before the rest is decoded.
    match postcard::take_from_bytes::<([u8; 4], u16)>(body) {
        Ok(((MAGIC, FORMAT), _)) => {}
        Ok(((MAGIC, format), _)) => {
            return Err(unreadable(format!("format {format}; this build reads format {FORMAT}")));
        }
        _ => return Err(unreadable("it does not begin with `PLMV`".into())),
    }
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(unreadable("the checksum is wrong: bytes were changed".into()));
    }
    let batch: Batch<G> = postcard::from_bytes(body).map_err(|error| unreadable(error.to_string()))?;
    let wrong = |field, found: String, expected: String| {
        Err(Error::WrongIdentity { what: WHAT, field, found, expected })
    };
    for ((field, expected), found) in
        crate::save::identity(&core.spec.configured).into_iter().zip(batch.identity)
    {
        if field == "options" {
            crate::save::check_options(WHAT, &core.spec.configured, found, batch.options.as_bytes())?;
        } else if found != expected {
            return wrong(field, format!("{found:016x}"), format!("{expected:016x}"));
        }
    }
    let reward = core.spec.configured.reward;
    if batch.reward != reward {
        return wrong("reward", batch.reward.name().into(), reward.name().into());
    }
    let own = [
        ("num_envs", batch.rows.len(), core.sizes.envs),
        ("opponents", batch.opponents.len(), core.spec.opponents.len()),
        ("joint view", usize::from(batch.joint), usize::from(core.spec.joint)),
    ];
    for (field, found, expected) in own {
        if found != expected {
            return wrong(field, found.to_string(), expected.to_string());
        }
    }
    for (expected, (found, _)) in names(core).into_iter().zip(&batch.opponents) {
        if *found != expected {
            return wrong("opponent", found.clone(), expected);
        }
    }
    let results = unearned(core, "results", &batch.total)
        .into_iter()
        .chain(
            (0..)
                .zip(&batch.opponents)
                .filter_map(|(k, (_, counted))| unearned(core, &format!("results.opponents[{k}]"), counted)),
        )
        .chain(unshared(core, &batch));
    let rows = batch.rows.iter().enumerate().flat_map(|(env, row)| problems(core, env, row));
    let problems: Vec<Problem> = results.chain(rows).take(Error::LISTED).collect();
    if !problems.is_empty() {
        return Err(Error::impossible(problems));
    }
    let mut rows = batch.rows.into_iter();
    for shard in &mut core.shards {
        for (at, (slot, meta)) in shard.slots.iter_mut().zip(&mut shard.meta).enumerate() {
            let row = rows.next().expect("counted above");
            (slot.state, slot.rng, slot.seed, slot.length) = (row.state, row.rng, row.seed, row.length);
            (slot.acting, slot.last) = (row.acting, row.last);
            (meta.seeds, meta.next, meta.delta_base, meta.agents) =
                (EpisodeSeeds::new(row.root), row.next, row.delta_base, row.agents);
            meta.memories.clear();
            (meta.opponents, meta.learners, meta.sampled) = (row.opponents, row.learners, row.sampled);
            shard.sample.set(at, row.sample);
        }
    }
    // Only the sums over all shards are saved.
    for shard in &mut core.shards {
        shard.result_counts.fill(ResultCounts::default());
    }
    let result_counts =
        std::iter::once(batch.total).chain(batch.opponents.into_iter().map(|(_, counted)| counted));
    for (mine, counted) in core.shards[0].result_counts.iter_mut().zip(result_counts) {
        *mine = counted;
    }
    Ok(())
}

/// Problems of one entry of the result counts.
fn unearned<G: Game>(core: &Core<G>, path: &str, counted: &ResultCounts) -> Option<Problem> {
    let at = |field: &str, message: String| Some(Problem::new(format!("{path}.{field}"), message));
    let ResultCounts { episodes, wins, draws, losses, truncated, return_sum } = *counted;
    // Counting continues from here and must not overflow.
    if episodes > crate::save::MAX_EPISODE {
        return at("episodes", format!("got {episodes}; at most {}", crate::save::MAX_EPISODE));
    }
    let ends = [wins, draws, losses, truncated].map(u128::from).iter().sum::<u128>();
    if ends != u128::from(episodes) {
        let message = format!("got {episodes}; wins, draws, losses and truncated episodes are {ends}");
        return at("episodes", message);
    }
    // A truncated episode may have scores that no terminated one has, but they fit a score's type.
    let (least, most) = core.spec.game().info().return_range(core.spec.configured.reward);
    let span = |ended: f32, cut: f64| {
        let [ended, cut] = [f64::from(ended), cut].map(fixed);
        ended * i128::from(episodes - truncated) + cut * i128::from(truncated)
    };
    let (least, most) = (span(least, i32::MIN.into()), span(most, -f64::from(i32::MIN)));
    if !(least..=most).contains(&return_sum) {
        let message = format!("got {return_sum} / 2^32; {episodes} episodes pay {least} to {most} of these");
        return at("return_sum", message);
    }
    None
}

/// Problems between the total and the results by opponent. Every episode counts once in the total, and once for each opponent that played
/// in it: at least one, except in the single-player view of a game for one player.
fn unshared<G: Game>(core: &Core<G>, batch: &Batch<G>) -> Option<Problem> {
    let alone = core.spec.plays_alone();
    let counts = |counted: &ResultCounts| {
        let ResultCounts { episodes, wins, draws, losses, truncated, .. } = *counted;
        [episodes, wins, draws, losses, truncated]
    };
    let names = ["episodes", "wins", "draws", "losses", "truncated"];
    names.into_iter().zip(counts(&batch.total)).enumerate().find_map(|(at, (name, total))| {
        let each = batch.opponents.iter().map(|(_, counted)| counts(counted)[at]);
        let (most, sum) = (each.clone().max().unwrap_or(0), each.map(u128::from).sum::<u128>());
        let fits = most <= total && (alone || u128::from(total) <= sum);
        (!fits).then(|| {
            let message = format!("got {total}; the opponents have at most {most}, and {sum} together");
            Problem::new(format!("results.{name}"), message)
        })
    })
}

/// Problems of one row.
fn problems<G: Game>(core: &Core<G>, env: usize, row: &Row<G>) -> Vec<Problem> {
    let game = core.spec.game();
    let at = |path: &str| format!("envs[{env}].{path}");
    let mut found: Vec<Problem> =
        game.validate(&row.state).into_iter().map(|problem| problem.under(&at("state"))).collect();
    if !found.is_empty() {
        return found;
    }
    if [&row.rng, &row.sample, &row.agents].iter().any(|rng| rng.words == [0; 4]) {
        found.push(Problem::new(at("rng"), "all four words are zero"));
    }
    let counts = crate::save::beyond(game.info(), row.length, row.next.wrapping_sub(1));
    found.extend(counts.into_iter().map(|problem| Problem::new(at(&problem.path), problem.message)));
    let players = core.sizes.players;
    let bound = core.spec.opponents.len() as i32;
    let players_fit = (0..MAX_PLAYERS).all(|k| {
        let learner = row.learners.contains(Player(k as u8));
        let range = if k < players && !learner { 0..bound } else { -1..0 };
        range.contains(&row.opponents[k])
    });
    let learners_fit = row.learners.0 & !Players::all(players).0 == 0
        && !row.learners.is_empty()
        && (core.spec.has_opponents || row.learners == Players::all(players));
    if !players_fit || !learners_fit {
        found.push(Problem::new(
            at("opponents"),
            "a player is controlled by neither the caller nor an existing opponent",
        ));
    }
    let running = game.status(&row.state) == Status::Running && row.length < core.spec.limit;
    let acting = if running { game.acting(&row.state) } else { Players::EMPTY };
    let must_act = match acting.first() {
        Some(player) if row.learners.contains(player) => core.spec.caller_decides(acting, row.learners),
        _ => Players::EMPTY,
    };
    let keeps_ends = core.spec.config.autoreset != crate::vec::Autoreset::SameStep;
    if row.acting != must_act
        || (must_act.is_empty() && (running || !keeps_ends))
        || row.last.index() >= players
    {
        found.push(Problem::new(at("acting"), "does not fit the state"));
    }
    // Rewards can be pending only if opponents may have opened the episode.
    let settled = !core.spec.has_opponents;
    let dense = core.spec.configured.reward == RewardKind::ScoreDelta;
    let beyond = row.delta_base[players..].iter().any(|&paid| paid != 0);
    if beyond || ((settled || !dense) && row.delta_base != core.spec.delta_base(&row.state)) {
        found.push(Problem::new(at("delta_base"), "does not follow from the state and the kind of reward"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::FORMAT;
    use crate::agent::Spec;
    use crate::any::AnyVecEnv;
    use crate::env::ConfiguredGame;
    use crate::player::Player;
    use crate::toy::Toll;
    use crate::vec::result_counts::ResultCounts;
    use crate::vec::{Actions, Learners, ObsType, OwnedBuffers, Reset, Source, VecConfig, VecEnv, View};
    use serde_json::json;
    use std::sync::Arc;

    const ENVS: usize = 300;

    fn batch(reward: &str, threads: usize, opponents: &[&str]) -> VecEnv<Toll> {
        let options = json!({"players": 3, "reward": reward, "max_steps": 9});
        let configured = Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap());
        let (view, learners) = (View::Single, Learners::One(Player(1)));
        let config = VecConfig { num_envs: ENVS, threads, view, learners, ..VecConfig::default() };
        let agent = |spec: &&str| spec.parse::<Spec>().unwrap().agent(&configured).unwrap();
        let pool = opponents.iter().map(|spec| (agent(spec), 1.0)).collect();
        let mut venv = VecEnv::new(configured, config, pool).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
        venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).unwrap();
        venv
    }

    fn play(venv: &mut VecEnv<Toll>, steps: usize) -> OwnedBuffers {
        let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
        let mut actions = vec![0; ENVS];
        for _ in 0..steps {
            venv.sample_actions(&mut actions).unwrap();
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        }
        out
    }

    #[test]
    fn results_are_saved_and_continue() {
        for (reward, threads) in [("outcome", 1), ("score", 2), ("score_delta", 2)] {
            let mut venv = batch(reward, threads, &["random", "greedy"]);
            play(&mut venv, 12);
            let results = venv.results().unwrap();
            assert!(results.opponents.iter().all(|result| result.record.episodes > 100), "{results:?}");
            assert!(results.total.episodes > 100, "{results:?}");
            let bytes = venv.to_bytes().unwrap();
            // Its own results do not continue.
            let mut twin = batch(reward, 3 - threads, &["random", "greedy"]);
            play(&mut twin, 5);
            twin.load_bytes(&bytes).unwrap();
            assert_eq!(twin.results().unwrap(), results);
            assert_eq!(twin.to_bytes().unwrap(), bytes);
            play(&mut venv, 8);
            play(&mut twin, 8);
            assert_ne!(venv.results().unwrap(), results);
            assert_eq!(venv.results().unwrap(), twin.results().unwrap());
            assert_eq!(venv.to_bytes().unwrap(), twin.to_bytes().unwrap());
        }
    }

    #[test]
    fn impossible_results_are_refused_by_name() {
        let mut venv = batch("outcome", 1, &["random"]);
        play(&mut venv, 12);
        let good = venv.to_bytes().unwrap();
        let counted = venv.core().unwrap().result_counts(0);
        // There is one opponent only: it was in every episode, and once although it plays two of the three.
        assert_eq!(venv.core().unwrap().total(), counted);
        let one = 1i128 << 32;
        let all = i128::from(counted.episodes - counted.truncated) * one;
        type Corruption = (fn(&mut ResultCounts, i128), i128, &'static str);
        let corruptions: [Corruption; 5] = [
            (|counted, _| counted.episodes += 1, 0, "episodes: got"),
            (|counted, _| counted.wins = u64::MAX, 0, "episodes: got"),
            (
                |counted, _| (counted.episodes, counted.truncated) = (u64::MAX, u64::MAX),
                0,
                "at most 9223372036854775807",
            ),
            (|counted, sum| counted.return_sum = sum, i128::MAX, "return_sum: got"),
            (|counted, sum| counted.return_sum = sum, i128::MIN, "return_sum: got"),
        ];
        for (place, path) in ["results.", "results.opponents[0]."].into_iter().enumerate() {
            for (corrupt, sum, expected) in corruptions {
                corrupt(&mut venv.core_mut().unwrap().shards[0].result_counts[place], sum);
                let corrupted = venv.to_bytes().unwrap();
                venv.core_mut().unwrap().shards[0].result_counts[place] = counted;
                let said = venv.load_bytes(&corrupted).unwrap_err().to_string();
                assert!(said.contains(expected) && said.contains(path), "{said}");
                assert_eq!(venv.to_bytes().unwrap(), good);
            }
        }
        // An episode too few, and one too many, for what the opponent has.
        for (change, expected) in [(-1i64, "got"), (1, "together")] {
            let other = ResultCounts {
                episodes: counted.episodes.wrapping_add_signed(change),
                losses: counted.losses.wrapping_add_signed(change),
                ..counted
            };
            venv.core_mut().unwrap().shards[0].result_counts[0] = ResultCounts { return_sum: 0, ..other };
            let corrupted = venv.to_bytes().unwrap();
            venv.core_mut().unwrap().shards[0].result_counts[0] = counted;
            let said = venv.load_bytes(&corrupted).unwrap_err().to_string();
            assert!(said.contains("results.episodes: got") && said.contains(expected), "{said}");
        }
        // Winning all episodes is possible; a larger sum is not, without truncated episodes.
        let counted = ResultCounts { truncated: 0, losses: counted.losses + counted.truncated, ..counted };
        let all = all + i128::from(venv.core().unwrap().result_counts(0).truncated) * one;
        for (sum, loads) in [(all, true), (-all, true), (all + 1, false), (-all - 1, false)] {
            venv.core_mut().unwrap().shards[0]
                .result_counts
                .fill(ResultCounts { return_sum: sum, ..counted });
            let corrupted = venv.to_bytes().unwrap();
            assert_eq!(venv.load_bytes(&corrupted).is_ok(), loads, "{sum}");
        }
    }

    #[test]
    fn a_saved_batch_has_a_largest_size() {
        let mut venv = batch("outcome", 1, &["random", "greedy"]);
        let good = venv.to_bytes().unwrap();
        let most = (venv.sizes().envs + 1) * crate::save::MAX_BYTES;
        assert!(good.len() < most);
        let mut long = good.clone();
        long.resize(most, 0);
        assert!(venv.load_bytes(&long).unwrap_err().to_string().contains("the checksum is wrong"));
        long.push(0);
        let said = venv.load_bytes(&long).unwrap_err().to_string();
        assert!(said.contains(&format!("{} bytes; allowed for", most + 1)), "{said}");
        assert_eq!(venv.to_bytes().unwrap(), good);
    }

    #[test]
    fn other_formats_and_other_opponents_are_refused_by_name() {
        let mut venv = batch("outcome", 1, &["random", "greedy"]);
        let bytes = venv.to_bytes().unwrap();
        assert_eq!(bytes[..5], [b'P', b'L', b'M', b'V', FORMAT as u8]);
        for format in (0..10).filter(|&format| u16::from(format) != FORMAT) {
            let mut other = bytes[..bytes.len() - 4].to_vec();
            other[4] = format;
            other.extend_from_slice(&crc32fast::hash(&other).to_le_bytes());
            let said = venv.load_bytes(&other).unwrap_err().to_string();
            assert!(said.contains(&format!("format {format}; this build reads format {FORMAT}")), "{said}");
        }
        let said = venv.load_bytes(&[&[b'P'; 4], &bytes[4..]].concat()).unwrap_err().to_string();
        assert!(said.contains("it does not begin with `PLMV`"), "{said}");
        let said = batch("outcome", 1, &["random", "random"]).load_bytes(&bytes).unwrap_err().to_string();
        assert!(said.contains("opponent is `greedy`, this game has `random`"), "{said}");
        let said = batch("outcome", 1, &["random"]).load_bytes(&bytes).unwrap_err().to_string();
        assert!(said.contains("opponents is `2`, this game has `1`"), "{said}");
    }
}
