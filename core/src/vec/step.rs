//! A step of a contiguous range of environments: check actions, apply them, reset ended episodes, write results, draw ahead.
//!
//! This is the definition of a step; three pieces of code implement it. For each environment:
//! 1. The action is checked against the legal actions of the player who must act. If one of a batch is refused, no environment has stepped.
//! 2. The rules apply it and play on to the next decision or the end ([`Game::apply`]). `max_steps` may truncate the episode then.
//! 3. Rewards of all players are those since the previous decision ([`reward`](crate::reward)).
//! 4. If the episode is over, its last observations and results are kept as `final_*`, and by the mode of
//!    [`Autoreset`] the next episode is dealt from its own seed, now or in the next step.
//! 5. The row of the next player to act is written: observation, legal actions, player, and all other outputs that are used.
//!
//! [`Env::step`](crate::env::Env::step) does 1 to 3 for a single episode, with events and history. Check N1 of the suite compares it with both paths
//! here, on every game, in every view and mode, for every data type.
//!
//! A step has two paths with the same results: the fast path ([`fast::step`]) for the configuration that training loops use most, without
//! branches on the configuration, and the general path ([`general`]) for all others.

use crate::bits::LegalSet;
use crate::error::Result;
use crate::game::{Game, Status};
use crate::info::RewardKind;
use crate::player::{Action, MAX_PLAYERS, Player, Players};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::reward::Rewards;
use crate::vec::buffers::{Actions, Buffers};
use crate::vec::config::Autoreset;
use crate::vec::ends::{End, EndData, finish_episode, write_learner_reward, write_reward};
use crate::vec::fast;
use crate::vec::shard::{Part, Shard};
use crate::vec::slot::{Begun, EnvMeta, Slot};
use crate::vec::spec::VecSpec;
use crate::vec::tuning::SMALL_STATE;
use crate::vec::waiting_list::Stage;
use crate::vec::write::{clear_results, write_episode_info, write_row};

/// Checks the actions and stores them for the step. `true` if all are legal.
pub(crate) struct Check<'k, 'a, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) part: &'k mut Part<'a, G>,
}

impl<G: Game> Kernel for Check<'_, '_, G> {
    type Out = bool;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> bool {
        let Check { spec, part } = self;
        let actions = part.actions;
        match actions {
            Actions::I64(actions) => check(spec, part.shard, actions),
            Actions::I32(actions) => check(spec, part.shard, actions),
        }
    }
}

#[inline(always)]
fn check<G: Game, T: Copy + Into<i64>>(spec: &VecSpec<G>, shard: &mut Shard<G>, actions: &[T]) -> bool {
    // Without a branch or a sum that may overflow, so that compilers check several rows at once.
    let mut bad = false;
    for ((chosen, legal), &action) in shard.chosen.iter_mut().zip(&shard.legal).zip(actions) {
        let action: i64 = action.into();
        *chosen = action as u16;
        bad |= (action != i64::from(action as u16)) | !legal.contains(Action(action as u16));
    }
    shard.refused_count = 0;
    // Rows without a decision have no legal actions and count as bad: the slow check decides.
    !bad || find_illegal(spec, shard, actions)
}

#[cold]
#[inline(never)]
fn find_illegal<G: Game, T: Copy + Into<i64>>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    actions: &[T],
) -> bool {
    shard.refused.clear();
    let mut refuse = |env: usize, player: Player, action: i64| {
        shard.refused_count += 1;
        if shard.refused.len() < crate::error::IllegalActions::KEPT {
            shard.refused.push((env, player.0, action));
        }
    };
    for (i, slot) in shard.slots.iter().enumerate() {
        if slot.is_over() && spec.config.autoreset == Autoreset::Disabled {
            refuse(shard.first + i, slot.last, -1);
        }
        for player in slot.acting.iter() {
            let at = i * spec.lanes + if spec.joint { player.index() } else { 0 };
            let action: i64 = actions[at].into();
            let fits = action == i64::from(action as u16);
            if !(fits && shard.legal[at].contains(Action(action as u16))) {
                refuse(shard.first + i, player, action);
            }
        }
    }
    shard.refused_count == 0
}

/// Plays the checked actions and writes the results. `draw`: whether to draw the next random actions.
pub(crate) fn step<G: Game>(level: Level, spec: &VecSpec<G>, part: &mut Part<'_, G>, draw: bool) {
    let Part { shard, out, .. } = part;
    clear_results(out);
    // The fast path writes observations together with who acts.
    let is_fast = spec.has_fast_path() && (out.obs.is_empty() || !out.player.is_empty());
    // Small games with two players get loops of their own: there the engine's share of a step is the larger one. Large games would pay for
    // them with code.
    if is_fast && spec.players == 2 && const { size_of::<G::State>() <= SMALL_STATE } {
        fast::step::<G, true>(level, spec, shard, out, draw);
    } else if is_fast {
        fast::step::<G, false>(level, spec, shard, out, draw);
    } else {
        dispatch(level, General { spec, shard, out, draw });
    }
}

/// Plays `steps` steps with random actions, the last of which writes `out`. Only for batches with a fast path
/// ([`VecSpec::has_fast_path`]).
pub(crate) fn play_random<G: Game>(level: Level, spec: &VecSpec<G>, part: &mut Part<'_, G>, steps: usize) {
    let silent = steps - usize::from(!part.out.is_empty());
    let shard = &mut *part.shard;
    if spec.players == 2 && const { size_of::<G::State>() <= SMALL_STATE } {
        fast::play_random::<G, true>(level, spec, shard, silent);
    } else {
        fast::play_random::<G, false>(level, spec, shard, silent);
    }
    if silent < steps && shard.stuck.is_none() {
        fast::draw(level, spec, shard);
        step(level, spec, part, false);
    }
}

/// A step on the general path.
struct General<'k, 'a, G: Game> {
    spec: &'k VecSpec<G>,
    shard: &'k mut Shard<G>,
    out: &'k mut Buffers<'a>,
    draw: bool,
}

impl<G: Game> Kernel for General<'_, '_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        general(self.spec, self.shard, self.out, isa, self.draw);
    }
}

/// The general path of a step: any configuration, any buffers.
#[inline(always)]
fn general<G: Game, I: Isa>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    isa: I,
    draw: bool,
) {
    let mut rows = 0..shard.slots.len();
    loop {
        // Each environment once, and then those that were put on the waiting list, so that the game's code is here once.
        let (at, mut stage) = match rows.next() {
            Some(at) if shard.slots[at].is_over() => (at, Stage::Deal), // next_step
            Some(at) => (at, Stage::Step { open: shard.slots[at].acting, viewer: shard.slots[at].last }),
            None => match shard.next_waiting(spec) {
                Some(next) => next,
                None => break,
            },
        };
        let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
        if let Stage::Step { open, viewer } = &mut stage {
            let chosen = &shard.chosen[at * spec.lanes..];
            let (status, reward) = match play(isa, spec, slot, meta, chosen, open, viewer) {
                Ok(played) => played,
                Err(waits) => {
                    shard.put_on_waiting_list(spec, at, waits, stage);
                    continue;
                }
            };
            write_reward(out.reward, at, spec.players, &reward);
            write_learner_reward(out.learner_reward, at, meta.learners, &reward);
            if status != Status::Running {
                let returns = match spec.configured.reward {
                    RewardKind::ScoreDelta => spec.returns(slot, status, false),
                    _ => reward,
                };
                let mut end = End { at, viewer: *viewer, status, returns };
                let Shard { first, slots, meta, result_counts, scratch, .. } = &mut *shard;
                let mut data = EndData { meta, result_counts, scratch, first: *first };
                finish_episode(isa, spec, &slots[at], &mut data, out, &mut end);
                if spec.config.autoreset == Autoreset::SameStep {
                    stage = Stage::Deal;
                } else {
                    let slot = &mut slots[at];
                    (slot.acting, slot.last) = (Players::EMPTY, end.viewer);
                }
            }
        }
        let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
        let (env, result_counts) = (shard.first + at, &mut shard.result_counts);
        let begun = match stage {
            Stage::Step { .. } => Begun::Learner,
            Stage::Deal => spec.begin(slot, meta, env, result_counts),
            Stage::Begin { skipped } => spec.find_decision(slot, meta, env, result_counts, skipped),
        };
        if !shard.note(spec, at, begun) {
            continue;
        }
        write_row(isa, spec, shard, out, at);
    }
    if draw {
        draw_ahead(spec, shard, out.drawn, isa);
    }
    write_episode_info::<G, false>(spec, shard, out, 0..shard.slots.len());
}

/// Applies the decisions of `open` players and then those of opponents, up to the next decision of a learner. `viewer` becomes the player of
/// the caller's last decision. Returns the status of the episode and the rewards, or the player whose opponent the environment waits for.
#[inline(always)]
fn play<G: Game>(
    isa: impl Isa,
    spec: &VecSpec<G>,
    slot: &mut Slot<G::State>,
    meta: &mut EnvMeta,
    chosen: &[u16],
    open: &mut Players,
    viewer: &mut Player,
) -> Result<(Status, Rewards), Player> {
    let (status, cut) = loop {
        let (status, cut) = spec.status(slot);
        if status != Status::Running {
            break (status, cut);
        }
        let acting = spec.game().acting(&slot.state);
        if acting.is_empty() {
            break (status, cut);
        }
        // A player that acts again must not block the choices of higher players. Once those are applied, players decide in ascending order,
        // as in the turn view: opponents after a learner wait for it.
        let learners = if spec.has_opponents { meta.learners } else { Players(u8::MAX) };
        let waits = acting.0 & open.0 == 0 && acting.first().is_some_and(|player| learners.contains(player));
        let playable = if waits { Players::EMPTY } else { Players(acting.0 & (open.0 | !learners.0)) };
        let Some(player) = playable.first() else {
            slot.acting = spec.caller_decides(acting, learners);
            break (status, cut);
        };
        if learners.contains(player) {
            open.remove(player);
            *viewer = player;
            let lane = if spec.joint { player.index() } else { 0 };
            spec.decide(isa, slot, player, Action(chosen[lane]));
        } else if !spec.play_opponent(slot, meta, player) {
            return Err(player);
        }
    };
    let reward = match spec.configured.reward {
        RewardKind::ScoreDelta => {
            let reward = spec.score_delta(&meta.delta_base, &slot.state);
            meta.delta_base = spec.delta_base(&slot.state);
            reward
        }
        _ if status == Status::Running => [0.0; MAX_PLAYERS],
        _ => spec.end_rewards(&slot.state, status, cut),
    };
    Ok((status, reward))
}

/// Draws from the streams into `drawn`; stores the advanced streams separately.
#[inline(always)]
fn draw_ahead<G: Game, I: Isa>(spec: &VecSpec<G>, shard: &mut Shard<G>, drawn: &mut [i64], isa: I) {
    let rows = shard.legal.chunks_exact(spec.lanes).zip(drawn.chunks_exact_mut(spec.lanes));
    for (at, (legal, drawn)) in rows.enumerate() {
        let mut rng = shard.sample.get(at);
        for (legal, drawn) in legal.iter().zip(drawn) {
            *drawn = match legal.is_empty() {
                true => 0,
                false => i64::from(isa.pick(&mut rng, legal).0),
            };
        }
        shard.ahead.set(at, rng);
    }
}

/// Draws a uniform legal action per row.
pub(crate) struct Sample<'k, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) shard: &'k mut Shard<G>,
    pub(crate) out: &'k mut [i64],
}

impl<G: Game> Kernel for Sample<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        draw_ahead(self.spec, self.shard, self.out, isa);
    }
}
