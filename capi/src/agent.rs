//! Agents: they choose actions.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::cancel::{Cancellation, PlaymatCancel};
use crate::env::{PlaymatEnv, take};
use crate::ffi::{Growing, Out, border, put_struct, put_text, room_or_none, slice, slice_mut, text};
use crate::game::PlaymatGame;
use crate::handle::{self, VecEnvObject};
use crate::status::{PlaymatStatus, Result};
use crate::vec_buffers::Ranges;
use crate::vec_env::PlaymatVecEnv;
use playmat_core::agent::{AnyAgent, SearchStatistics};
use playmat_core::vec::BatchStatistics;
use std::ffi::c_char;
use std::mem::offset_of;

/// An agent for a configured game. Any threads may use one at once.
pub struct PlaymatAgent {
    _private: [u8; 0],
}

/// Creates an agent for a configured game.
///
/// Specs:
/// - "random": uniformly random legal actions.
/// - "greedy": the game's own greedy agent.
/// - "mcts:400", "mcts:50ms": tree search with 400 simulations for each action, or for 50 milliseconds. It plays determinizations, as
///   `playmat_env_sample_hidden` draws them, and keeps its tree for the episode. Simulations are played to the game's own end, also beyond
///   `max_steps`: the number of decisions so far can tell what others have chosen, so a player does not know how many are left.
/// - "policy.onnx": a trained network, a file that `playmat train` wrote for this game with these options, relative to the working folder.
///   It plays its likeliest action, of several the lowest. With "policy.onnx,temperature=1" it draws actions from its policy, with logits
///   divided by the temperature (0, the likeliest action, or 0.01 to 100). A file may have a temperature that applies without this option
///   (`playmat train` writes one where it evaluates with drawn actions). Decisions are the same on every platform and in every batch. A path
///   must not contain a comma. A library built without the feature `onnx` (`cmake -DPLAYMAT_ONNX=OFF`) refuses networks, and plays all other agents.
/// - "mcts:400,policy=policy.onnx": tree search with the network's policy as priors, and its value in place of rollouts. It maximizes the
///   returns that the network was trained on.
///
/// Options of a search follow, as in "mcts:400,threads=2":
/// - `rollout=greedy` or `random`: the agent that plays a simulation to its end (default: greedy; with `policy`, `none`). Beside `policy`,
///   the network gives only the priors, and the search maximizes the returns that the game pays.
/// - `prior=greedy`: the greedy agent's choice is tried first and has half of the prior; or `uniform`.
/// - `prior_temperature` (0.01 to 100): divides the network's logits before they become priors (1). Above 1, the search also tries actions that
///   the network thinks unlikely. Needs `policy`.
/// - `c`: exploration constant, the factor of the bonus for rarely tried actions (1.5).
/// - `threads`: number of trees searched in parallel (1).
/// - `dirichlet_alpha` (0.01 to 100): mixes Dirichlet noise into the priors of the root, with the share `dirichlet_fraction` (0.25).
/// - `temperature` (0, or up to 100): draws the action in proportion to visits^(1 / temperature); 0: the most visited.
/// - `temperature_drop` (1 to 1,000,000): draws only so many decisions of the player in an episode, the first ones; then it plays the most
///   visited action (default: all are drawn). Needs `temperature`.
/// - `max_nodes`: most nodes of a tree, 1 to 1,048,576 (the default). A full tree is emptied before the next search.
///
/// Parameters: `game`; `spec`, `spec_len` the spec; `out` receives the handle.
/// Returns: OK; INVALID_ARGUMENT (spec; a file of a network that cannot be read or does not fit: the message names it and the reason).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_create(
    game: *const PlaymatGame,
    spec: *const c_char,
    spec_len: usize,
    out: *mut *mut PlaymatAgent,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (spec, out) = unsafe { (text("spec", spec, spec_len)?, Out::new("out", out)?) };
        let agent =
            handle::game("game", game)?.agent(spec).map_err(|error| error.renamed("agent", "spec"))?;
        out.set(handle::create(agent)?);
        Ok(())
    })
}

/// Destroys an agent.
///
/// Parameters: `agent`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_destroy(agent: *mut PlaymatAgent) -> PlaymatStatus {
    border(|| handle::destroy_shared::<AnyAgent>("agent", agent))
}

/// Writes the name of an agent, which is its spec.
///
/// Parameters: `agent`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_name(
    agent: *const PlaymatAgent,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(agent.name(), out, out_size, needed) }
    })
}

/// Chooses an action for an acting player; the environment does not step. The agent knows what the player may know. Its random stream
/// comes from the episode's seed, so that its choices repeat; "random" draws what `playmat_env_sample_action` draws.
///
/// Parameters: `agent`; `env` of the agent's game; `player` or PLAYMAT_CURRENT_PLAYER; `cancel` or null; `action` receives the action.
/// Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER; INVALID_ARGUMENT (agent: made for another game); CANCELLED: a search may
/// also have forgotten what it kept of this episode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_act(
    agent: *const PlaymatAgent,
    env: *mut PlaymatEnv,
    player: i32,
    cancel: *const PlaymatCancel,
    action: *mut i64,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("action", action)? };
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        let mut env = take(env)?;
        let player = env.check_player(player)?;
        let cancel = Cancellation::of(cancel)?;
        // An agent that chooses at once would never look.
        if !cancel.keeps_going() {
            return cancel.finish("the agent");
        }
        if let Some(action) = env.env.act_while(&agent, player, &|| cancel.keeps_going())? {
            out.set(action.0.into());
            return Ok(());
        }
        cancel.finish("the agent")
    })
}

/// Writes the policy of a network for an acting player, and the return that the network expects for it. Nothing is drawn: the agent then
/// chooses as without this call. Searches have `playmat_agent_statistics`.
///
/// Parameters: `agent`, made from a file "policy.onnx"; `env` of the agent's game; `player` or PLAYMAT_CURRENT_PLAYER; `policy`, `policy_len`
/// `num_actions` elements, or null with length 0 to skip it: the probability of each action, 0 for illegal ones, with the agent's temperature
/// or, if that is 0, with 1; `value` receives the return, in the units of the game's rewards, of the kind that training used (relative to the
/// others and with a bonus for the place, if it was), or is null to skip it.
/// Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER; INVALID_ARGUMENT (agent: no network; made for another game; length).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_evaluate(
    agent: *const PlaymatAgent,
    env: *mut PlaymatEnv,
    player: i32,
    policy: *mut f32,
    policy_len: usize,
    value: *mut f32,
) -> PlaymatStatus {
    border(|| {
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        let env = take(env)?;
        let player = env.check_player(player)?;
        let mut ranges = Ranges::new();
        ranges.add("policy", policy, policy_len)?;
        ranges.add("value", value, usize::from(!value.is_null()))?;
        // SAFETY: promised by the caller; overlaps were looked for.
        let (policy, value) = unsafe {
            (
                slice_mut("policy", policy, policy_len)?,
                slice_mut("value", value, usize::from(!value.is_null()))?,
            )
        };
        put_at(value, 0, env.env.evaluate(&agent, player, policy)?);
        Ok(())
    })
}

/// Writes the policy of a network, and the return that it expects for the player, in every row of the action mask: what
/// `playmat_agent_evaluate` writes for one environment. Rows without legal actions are 0.
///
/// Parameters: `agent`, made from a file "policy.onnx"; `venv` of the agent's game; buffers, each of which may be null with length 0 to skip it:
/// `policy`, `policy_len` [rows, A] the probability of each action; `value`, `value_len` [rows] the return.
/// Returns: OK; INVALID_ARGUMENT (agent: no network; made for another game; lengths; overlap); ORDER (the batch was not reset; a step is
/// under way).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_evaluate_batch(
    agent: *const PlaymatAgent,
    venv: *mut PlaymatVecEnv,
    policy: *mut f32,
    policy_len: usize,
    value: *mut f32,
    value_len: usize,
) -> PlaymatStatus {
    border(|| {
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        let mut venv = handle::take::<VecEnvObject>("venv", venv)?;
        let mut ranges = Ranges::new();
        ranges.add("policy", policy, policy_len)?;
        ranges.add("value", value, value_len)?;
        // SAFETY: promised by the caller; overlaps were looked for.
        let (policy, value) =
            unsafe { (slice_mut("policy", policy, policy_len)?, slice_mut("value", value, value_len)?) };
        Ok(venv.venv.evaluate(&agent, policy, value)?)
    })
}

/// What the search of an agent found out about the decision that it chose last as a player.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatSearchStatistics {
    /// The action that was chosen: with temperature 0 the most visited one.
    pub action: i64,
    /// The player that decided.
    pub player: i32,
    /// The player's mean return in all visits, 0 without visits: of the kind of the game's option `reward`, or with a network of that which
    /// its training used.
    pub value: f32,
    /// Number of legal actions: elements that `playmat_agent_action_statistics` writes.
    pub actions: usize,
    /// Simulations of this search, of all threads together; 0 where one action was legal, which is not searched.
    pub simulations: usize,
    /// Visits of this decision in the trees that were kept from earlier decisions of the episode. With `simulations` they are the sum of
    /// the visits of all actions.
    pub kept_visits: usize,
    /// Nodes in all trees, those kept from earlier decisions included.
    pub nodes: usize,
}

impl Growing for PlaymatSearchStatistics {
    const LEAST: usize = offset_of!(PlaymatSearchStatistics, nodes);
}

/// Writes what the search of an agent found out when it last chose for a player in this episode with `playmat_agent_act`, also after
/// later steps and at the end.
///
/// Parameters: `agent`; `env` of the agent's game; `player`, or PLAYMAT_CURRENT_PLAYER, after the end the player who acted last; `out`,
/// `out_size` a struct and its size, `sizeof(PlaymatSearchStatistics)`.
/// Returns: OK; ORDER (the agent has not chosen for this player in this episode); INVALID_PLAYER; INVALID_ARGUMENT (agent: made for another
/// game; does not search).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_statistics(
    agent: *const PlaymatAgent,
    env: *mut PlaymatEnv,
    player: i32,
    out: *mut PlaymatSearchStatistics,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let found = statistics(agent, env, player)?;
        let written = PlaymatSearchStatistics {
            action: found.action.0.into(),
            player: found.player.0.into(),
            value: found.value,
            actions: found.actions.len(),
            simulations: found.simulations as usize,
            kept_visits: found.kept_visits as usize,
            nodes: found.nodes,
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &written) }
    })
}

fn statistics(agent: *const PlaymatAgent, env: *mut PlaymatEnv, player: i32) -> Result<SearchStatistics> {
    let agent = handle::share::<AnyAgent>("agent", agent)?;
    let mut env = take(env)?;
    let player = env.check_player(player)?;
    Ok(env.env.search_statistics(&agent, player)?)
}

/// Writes what `playmat_agent_statistics` tells of each legal action, in ascending order.
///
/// Parameters: `agent`, `env`, `player` as for `playmat_agent_statistics`, which also tells the number of actions (`num_actions` always
/// suffices). Each buffer has room for all of them, or is null with length 0 to skip it: `actions`, `actions_len` the action; `visits`,
/// `visits_len` simulations that chose it, also those of earlier searches that came through this decision; `prior`, `prior_len` its
/// share in the priors, which sum to 1, with the noise of this search, the mean of all threads; `mean_return`, `mean_return_len` the
/// player's mean return in its visits, 0 without visits.
/// Returns: OK; those of `playmat_agent_statistics`; BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_action_statistics(
    agent: *const PlaymatAgent,
    env: *mut PlaymatEnv,
    player: i32,
    actions: *mut i64,
    actions_len: usize,
    visits: *mut u32,
    visits_len: usize,
    prior: *mut f32,
    prior_len: usize,
    mean_return: *mut f32,
    mean_return_len: usize,
) -> PlaymatStatus {
    border(|| {
        let found = statistics(agent, env, player)?.actions;
        let mut ranges = Ranges::new();
        ranges.add("actions", actions, actions_len)?;
        ranges.add("visits", visits, visits_len)?;
        ranges.add("prior", prior, prior_len)?;
        ranges.add("mean_return", mean_return, mean_return_len)?;
        let wanted = found.len();
        // SAFETY: promised by the caller; overlaps were looked for.
        let (actions, visits, prior, mean_return) = unsafe {
            (
                room_or_none("actions", actions, actions_len, wanted)?,
                room_or_none("visits", visits, visits_len, wanted)?,
                room_or_none("prior", prior, prior_len, wanted)?,
                room_or_none("mean_return", mean_return, mean_return_len, wanted)?,
            )
        };
        for (at, one) in found.iter().enumerate() {
            put_at(actions, at, one.action.0.into());
            put_at(visits, at, one.visits);
            put_at(prior, at, one.prior);
            put_at(mean_return, at, one.mean_return);
        }
        Ok(())
    })
}

/// Writes an element of a buffer that may be skipped.
fn put_at<T>(out: &mut [T], at: usize, value: T) {
    if let Some(place) = out.get_mut(at) {
        *place = value;
    }
}

/// Writes the action of an agent for every row of the action mask, 0 for rows without legal actions: labels for imitation learning,
/// independent of who plays. A step with these actions equals a rollout of one step with the agent.
///
/// Parameters: `agent`; `venv` of the agent's game; `mask`, `mask_len` one byte per environment: where it is 0 nothing is computed and -1
/// written; null for all; `cancel` or null; `out`, `out_len` as many as a step takes.
/// Returns: OK; INVALID_ARGUMENT (agent: made for another game; lengths; overlap); ORDER; CANCELLED: searches may also have forgotten what
/// they kept of the running episodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_act_batch(
    agent: *const PlaymatAgent,
    venv: *mut PlaymatVecEnv,
    mask: *const u8,
    mask_len: usize,
    cancel: *const PlaymatCancel,
    out: *mut i64,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        let mut venv = handle::take::<VecEnvObject>("venv", venv)?;
        let mut ranges = Ranges::new();
        ranges.add("out", out, out_len)?;
        ranges.spare("mask", mask, mask_len)?;
        // SAFETY: promised by the caller.
        let (bytes, out) = unsafe { (slice("mask", mask, mask_len)?, slice_mut("out", out, out_len)?) };
        let mask = (!mask.is_null()).then_some(bytes);
        let cancel = Cancellation::of(cancel)?;
        if !cancel.keeps_going() {
            return cancel.finish("the agent");
        }
        match venv.venv.act_batch_while(&agent, mask, out, &|| cancel.keeps_going())? {
            true => Ok(()),
            false => cancel.finish("the agent"),
        }
    })
}

/// Writes what the searches of an agent found out about the decisions of a batch that `playmat_agent_act_batch` chose last: call it before the
/// step. There is a row for each row of the action mask. A row is 0 where the agent has not searched the decision: no player acts, one action
/// is legal, or the mask of that call left it out.
///
/// Parameters: `agent`; `venv` of the agent's game; buffers, each of which may be null with length 0 to skip it: `visits`, `visits_len` [rows, A]
/// simulations that chose the action, also those of earlier searches that came through the decision; `mean_return`, `mean_return_len`
/// [rows, A] the player's mean return in them; `prior`, `prior_len` [rows, A] the action's share in the priors, which sum to 1 over the legal
/// actions, with the noise of the search; `value`, `value_len` [rows] the player's mean return in all visits; `simulations`,
/// `simulations_len` [rows] simulations of the last search, of all threads together.
/// Returns: OK; INVALID_ARGUMENT (agent: does not search; made for another game; lengths; overlap); ORDER (the batch was not reset; a step is
/// under way).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_agent_statistics_batch(
    agent: *const PlaymatAgent,
    venv: *mut PlaymatVecEnv,
    visits: *mut i32,
    visits_len: usize,
    mean_return: *mut f32,
    mean_return_len: usize,
    prior: *mut f32,
    prior_len: usize,
    value: *mut f32,
    value_len: usize,
    simulations: *mut i32,
    simulations_len: usize,
) -> PlaymatStatus {
    border(|| {
        let agent = handle::share::<AnyAgent>("agent", agent)?;
        let mut venv = handle::take::<VecEnvObject>("venv", venv)?;
        let mut ranges = Ranges::new();
        ranges.add("visits", visits, visits_len)?;
        ranges.add("mean_return", mean_return, mean_return_len)?;
        ranges.add("prior", prior, prior_len)?;
        ranges.add("value", value, value_len)?;
        ranges.add("simulations", simulations, simulations_len)?;
        // SAFETY: promised by the caller; overlaps were looked for.
        let mut out = unsafe {
            BatchStatistics {
                visits: slice_mut("visits", visits, visits_len)?,
                mean_return: slice_mut("mean_return", mean_return, mean_return_len)?,
                prior: slice_mut("prior", prior, prior_len)?,
                value: slice_mut("value", value, value_len)?,
                simulations: slice_mut("simulations", simulations, simulations_len)?,
            }
        };
        Ok(venv.venv.search_statistics(&agent, &mut out)?)
    })
}
