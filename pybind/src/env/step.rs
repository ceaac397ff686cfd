//! The actions of a step: one number, or those of all players in a list, a dict, an array or a mapping.

use super::{Env, Inner};
use crate::arrays::{ForeignArray, read_actions};
use crate::errors::{Result, argument};
use crate::scalars::{PLAYER, Whole, whole_number};
use playmat_core::error::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyMapping, PyTuple};

impl Env {
    /// Plays the actions of all players; those who act need one. Refusals follow from the call alone, as those of the engine do.
    fn step_joint(inner: &mut Inner, given: &[Option<i64>]) -> Result<()> {
        let actions: Vec<i64> = given.iter().map(|action| action.unwrap_or(-1)).collect();
        match inner.env.step_joint(&actions) {
            Err(Error::IllegalJoint(refusal)) if given.contains(&None) => {
                let entry = |&(player, ..): &(u8, i64, Option<String>)| match given[usize::from(player)] {
                    None => format!("no entry for player {player}"),
                    Some(action) => format!("{action} for player {player}"),
                };
                let got: Vec<String> = refusal.entries.iter().map(entry).collect();
                let (got, last) = (got.join(", "), refusal.num_actions - 1);
                let wanted = format!("every player who must decide needs a legal action, of 0 to {last}");
                argument("action", format!("got {got}; {wanted}"))
            }
            outcome => Ok(outcome?),
        }
    }

    /// Notes a player's entry of a joint action.
    fn note(
        &self,
        player: &Bound<'_, PyAny>,
        action: &Bound<'_, PyAny>,
        actions: &mut [Option<i64>],
    ) -> Result<()> {
        let player = self.check_player(Whole::<PLAYER>(whole_number("action", player)?))?;
        actions[player.index()] = one_action(action)?;
        Ok(())
    }

    /// Plays an action given as a number, or the actions of all players.
    pub(super) fn step_any(
        &self,
        inner: &mut Inner,
        action: &Bound<'_, PyAny>,
        player: Option<Whole<PLAYER>>,
    ) -> Result<()> {
        if let Some(player) = player {
            let player = self.check_player(player)?;
            inner.env.step_player(player, whole_number("action", action)?)?;
            return Ok(());
        }
        if let Ok(number) = action.extract::<i64>()
            && !action.is_instance_of::<PyBool>()
        {
            inner.env.step(number)?;
        } else if let Ok(by_player) = action.cast::<PyDict>() {
            let mut actions = vec![None; self.players];
            for (player, action) in by_player.iter() {
                self.note(&player, &action, &mut actions)?;
            }
            Env::step_joint(inner, &actions)?;
        } else if action.is_instance_of::<PyList>() || action.is_instance_of::<PyTuple>() {
            let items = action.extract::<Vec<Bound<'_, PyAny>>>()?;
            if items.len() != self.players {
                let message = format!("got {} entries; wanted one per player, {}", items.len(), self.players);
                return argument("action", message);
            }
            Env::step_joint(inner, &items.iter().map(one_action).collect::<Result<Vec<_>>>()?)?;
        } else if ForeignArray::default()
            .memory("action", action)?
            .is_some_and(|memory| !memory.has_shape(&[]))
        {
            inner.env.step_joint(&read_actions("action", action, &[self.players])?)?;
        } else if let Ok(by_player) = action.cast::<PyMapping>() {
            let mut actions = vec![None; self.players];
            for item in by_player.items()?.iter() {
                let (player, action) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
                self.note(&player, &action, &mut actions)?;
            }
            Env::step_joint(inner, &actions)?;
        } else {
            inner.env.step(whole_number("action", action)?)?;
        }
        Ok(())
    }
}

/// An entry of a joint action.
fn one_action(action: &Bound<'_, PyAny>) -> Result<Option<i64>> {
    if action.is_none() { Ok(None) } else { whole_number("action", action).map(Some) }
}
