//! `playmat.gae`: advantages and returns over arrays of a turn-view rollout.

use crate::arrays::{
    Element, ForeignArray, Memory, Scalar, check_out, dtype_names, element_text, hint, overlap, shape_text,
    type_text, zeros,
};
use crate::errors::{Result, argument};
use crate::scalars::{GAE_LAMBDA, GAMMA, Real};
use playmat_core::gae::Trajectories;
use pyo3::prelude::*;

/// Generalized advantage estimation for any number of players over a turn-view rollout of T steps of N environments with P players.
///
/// In the turn view a step is the decision of one player, and a player also gets rewards in the steps of other players. The decisions
/// of each player form a trajectory of their own: a player's rewards from one of its decisions up to its next one belong to that
/// decision, and `gamma` counts once per own decision, not per step. If the episode was terminated before the next decision, nothing
/// follows; if it was truncated, the player's `final_value` is the bootstrap; at the end of the rollout, its `next_value` is. A step
/// with both flags set is terminated, as in Gymnasium: nothing follows, and its `final_value` is not read. Players that never act are
/// left out; a player's rewards before its first decision belong to no step.
///
/// Arrays are C-contiguous, as a batch (`venv.step(actions, out={...})`) fills them. Tensors (DLPack) and objects with the buffer protocol
/// are also read and written in place.
///
/// Args:
///     reward: float32 `[T, N, P]`, the reward of each player in step t.
///     value: float32 `[T, N]`, value of the observation in step t for the player that acts.
///     player: int32 `[T, N]`, the player that acts in step t; -1 for a step without a decision, whose results are 0.
///     terminated: bool or uint8 `[T, N]`, whether the step ended the episode by the rules.
///     truncated: bool or uint8 `[T, N]`, whether the step ended it by a limit; ignored where `terminated` is set.
///     next_value: float32 `[N, P]`, value of the position after the last step for each player, acting or not
///         (`venv.observe_all()` has the observations).
///     final_value: float32 `[T, N, P]`, read only in truncated steps: value of the episode's last position for each player
///         (field `final_obs_all`). `[T, N]` will do for one player; None if nothing was truncated.
///     gamma: Discount per own decision, 0 to 1.
///     gae_lambda: Lambda of the estimate, 0 to 1.
///     out: Two float32 arrays `[T, N]` for the results; `value` or `reward` must not lie in the same memory.
///
/// Returns:
///     (advantages, returns): float32 `[T, N]` each; returns = advantages + value.
///
/// Raises:
///     InvalidArgument: Shape, type, layout, player or number out of range; nothing was written.
///
/// >>> import numpy as np, playmat
/// >>> reward = np.array([0, 0, 1], np.float32).reshape(3, 1, 1)
/// >>> value, player = np.zeros((3, 1), np.float32), np.zeros((3, 1), np.int32)
/// >>> terminated = np.array([[False], [False], [True]])
/// >>> advantages, returns = playmat.gae(
/// ...     reward, value, player, terminated, np.zeros_like(terminated), np.zeros((1, 1), np.float32),
/// ...     gamma=0.5, gae_lambda=1.0)
/// >>> returns[:, 0].tolist()
/// [0.25, 0.5, 1.0]
#[pyfunction]
#[pyo3(signature = (reward, value, player, terminated, truncated, next_value, *, final_value=None, gamma, gae_lambda, out=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
pub(crate) fn gae<'py>(
    py: Python<'py>,
    reward: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    player: &Bound<'py, PyAny>,
    terminated: &Bound<'py, PyAny>,
    truncated: &Bound<'py, PyAny>,
    next_value: &Bound<'py, PyAny>,
    final_value: Option<&Bound<'py, PyAny>>,
    gamma: Real<GAMMA>,
    gae_lambda: Real<GAE_LAMBDA>,
    out: Option<Bound<'py, PyAny>>,
) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    // Foreign arrays last for the call.
    let mut foreign: [ForeignArray<'py>; 9] = Default::default();
    let [
        of_reward,
        of_value,
        of_player,
        of_terminated,
        of_truncated,
        of_next,
        of_final,
        of_advantages,
        of_returns,
    ] = &mut foreign;
    let reward_memory = of_reward.memory("reward", reward)?;
    let Some(sizes) = reward_memory.map(|memory| memory.sizes()).filter(|sizes| sizes.len() == 3) else {
        let got = reward_memory.map_or_else(
            || type_text(reward) + &hint(reward, Element::F32),
            |memory| format!("shape {}", memory.shape_text()),
        );
        return argument("reward", format!("got {got}; wanted an array of shape (T, N, P)"));
    };
    let (steps, envs, players) = (sizes[0], sizes[1], sizes[2]);
    let rows = [steps, envs];
    let value = (of_value.memory("value", value)?, value);
    let player = (of_player.memory("player", player)?, player);
    let terminated = (of_terminated.memory("terminated", terminated)?, terminated);
    let truncated = (of_truncated.memory("truncated", truncated)?, truncated);
    let next_value = (of_next.memory("next_value", next_value)?, next_value);
    let final_value = match final_value {
        None => None,
        Some(array) => Some((of_final.memory("final_value", array)?, array)),
    };
    let rollout = Trajectories {
        steps,
        envs,
        players,
        reward: read("reward", (reward_memory, reward), &sizes)?,
        value: read("value", value, &rows)?,
        player: read("player", player, &rows)?,
        terminated: truths("terminated", terminated, &rows)?,
        truncated: truths("truncated", truncated, &rows)?,
        next_value: read("next_value", next_value, &[envs, players])?,
        final_value: match final_value {
            None => &[],
            // One player's final values have the same elements with or without the last axis.
            Some(array) if players == 1 && array.0.is_some_and(|memory| memory.has_shape(&rows)) => {
                read("final_value", array, &rows)?
            }
            Some(array) => read("final_value", array, &sizes)?,
        },
        gamma: gamma.0,
        gae_lambda: gae_lambda.0,
    };
    let given = out.is_some();
    let (advantages, returns) = match out {
        Some(out) => {
            let wanted = "a tuple of two arrays, for advantages and returns";
            let kind = out.get_type().name()?;
            let refuse = |_| argument("out", format!("got an object of type `{kind}`; wanted {wanted}"));
            out.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>().or_else(refuse)?
        }
        None => (zeros::<f32>(py, &rows)?, zeros::<f32>(py, &rows)?),
    };
    let advantage = check_out("out", "advantages", &advantages, of_advantages, &[Element::F32], &rows)?;
    let result = check_out("out", "returns", &returns, of_returns, &[Element::F32], &rows)?;
    if given {
        let inputs = [value, player, terminated, truncated, next_value].into_iter().chain(final_value);
        let inputs: Vec<Memory<'_>> = inputs.filter_map(|given| given.0).chain(reward_memory).collect();
        for (name, memory) in [("advantages", &advantage), ("returns", &result)] {
            let shared = inputs.iter().any(|input| input.overlaps(memory));
            if shared || overlap(&advantage.range(), &result.range()) {
                return argument("out", format!("`{name}` shares memory with another array of the call"));
            }
        }
    }
    let (to_advantages, to_returns) = (advantage.floats_mut(), result.floats_mut());
    py.detach(|| playmat_core::gae::gae(&rollout, to_advantages, to_returns))?;
    Ok((advantages, returns))
}

/// The memory of an argument, if it has any, and the argument.
pub(crate) type Given<'a, 'py> = (Option<Memory<'a>>, &'a Bound<'py, PyAny>);

/// The elements of an array of a type and shape.
pub(crate) fn read<'a, T: Scalar>(
    name: &'static str,
    array: Given<'a, '_>,
    shape: &[usize],
) -> Result<&'a [T]> {
    let memory = check_in(name, array, &[T::ELEMENT], shape)?;
    match memory.slice() {
        Some(slice) => Ok(slice),
        None => argument(name, memory.unfit()),
    }
}

/// Truth values, a byte each.
fn truths<'a>(name: &'static str, array: Given<'a, '_>, shape: &[usize]) -> Result<&'a [u8]> {
    let memory = check_in(name, array, &[Element::Bool, Element::U8], shape)?;
    match memory.truths() {
        Some(slice) => Ok(slice),
        None => argument(name, memory.unfit()),
    }
}

/// Refuses what has another element type or shape.
fn check_in<'a>(
    name: &'static str,
    array: Given<'a, '_>,
    wanted: &[Element],
    shape: &[usize],
) -> Result<Memory<'a>> {
    let (memory, object) = array;
    let Some(memory) = memory.filter(|memory| wanted.contains(&memory.element)) else {
        let (kind, hint) = (element_text(memory, object), hint(object, wanted[0]));
        let wanted = dtype_names(wanted);
        if object.is_none() {
            return argument(name, format!("got None; wanted an array of {wanted}"));
        }
        return argument(name, format!("got elements of type {kind}; wanted {wanted}{hint}"));
    };
    if !memory.has_shape(shape) {
        return argument(name, format!("got shape {}; wanted {}", memory.shape_text(), shape_text(shape)));
    }
    Ok(memory)
}
