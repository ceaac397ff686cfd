//! What players see of an environment as bytes, written with the best instructions of the machine.

use super::{Env, check_len, member};
use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::player::Player;
use crate::pool::{Isa, Kernel, dispatch};
use crate::show::Show;

/// Writes an observation and a mask; an empty slice skips this output. A step of one environment is short: a further call inside would cost 2%.
struct Write<'a, G: Game> {
    env: &'a Env<G>,
    player: Player,
    legal: &'a G::Legal,
    observation: &'a mut [u8],
    mask: &'a mut [u8],
}

impl<G: Game> Kernel for Write<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        if !self.observation.is_empty() {
            self.env.configured.game.observe(&self.env.state, self.player, self.observation);
        }
        self.legal.expand(self.mask);
    }
}

impl<G: Game> Env<G> {
    /// One byte per action: 1 legal, 0 not. All zero for a player who does not act.
    ///
    /// # Errors
    /// `InvalidPlayer`; `InvalidArgument` if `out` has not [`GameInfo::num_actions`](crate::info::GameInfo::num_actions) bytes.
    pub fn write_mask(&self, player: Player, out: &mut [u8]) -> Result<()> {
        self.check_player(player)?;
        check_len("mask", out.len(), self.info().num_actions)?;
        self.legal(player).expand(out);
        Ok(())
    }

    /// Writes the observation of a player.
    ///
    /// # Errors
    /// `InvalidPlayer`; `InvalidArgument` if `out` has not the observation's number of bytes.
    pub fn write_observation(&self, player: Player, out: &mut [u8]) -> Result<()> {
        self.check_player(player)?;
        check_len("observation", out.len(), self.observation)?;
        let nothing = G::Legal::default();
        dispatch(self.level, Write { env: self, player, legal: &nothing, observation: out, mask: &mut [] });
        Ok(())
    }

    /// [`Env::step`], and the observation and action mask of the player who acts next; returns that player. After the end the observation
    /// is that of the player who acted last, and the mask is all 0. An empty slice skips this output.
    ///
    /// One call replaces four; the mask is the one that the step has kept.
    ///
    /// # Errors
    /// `EpisodeOver`, `IllegalAction`; `InvalidArgument` for lengths. Nothing changed, nothing written.
    pub fn step_into(
        &mut self,
        action: i64,
        observation: &mut [u8],
        mask: &mut [u8],
    ) -> Result<Option<Player>>
    where
        G: Show,
    {
        if !observation.is_empty() {
            check_len("observation", observation.len(), self.observation)?;
        }
        if !mask.is_empty() {
            check_len("mask", mask.len(), self.info().num_actions)?;
        }
        let Some(player) = self.acting.first() else { return Err(Error::EpisodeOver) };
        // The kept set is that of the first acting player.
        let Some(action) = member(&self.legal, action) else { return Err(self.refusal(player, action)) };
        self.play(player, action);
        let next = self.acting.first();
        let nothing = G::Legal::default();
        let legal = if next.is_some() { &self.legal } else { &nothing };
        let viewer = next.unwrap_or(player);
        dispatch(self.level, Write { env: self, player: viewer, legal, observation, mask });
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::AnyEnv;
    use crate::env::ConfiguredGame;
    use crate::pool::Level;
    use crate::toy::Toll;
    use serde_json::json;
    use std::sync::Arc;

    /// An environment whose single steps and views are all that it has.
    fn slow(
        env: &mut Env<Toll>,
        action: i64,
        observation: &mut [u8],
        mask: &mut [u8],
    ) -> Result<Option<Player>> {
        let before = env.current_player();
        env.step(action)?;
        let next = env.current_player();
        let viewer = next.or(before).expect("a player has acted");
        env.write_observation(viewer, observation)?;
        env.write_mask(viewer, mask)?;
        Ok(next)
    }

    #[test]
    fn step_into_equals_step_observation_and_mask() {
        for (max_steps, level) in [(0, Level::detect()), (5, Level::detect()), (0, Level::BASELINE)] {
            let options = json!({"max_steps": max_steps});
            let configured =
                Arc::new(ConfiguredGame::<Toll>::new(options.as_object().expect("an object")).unwrap());
            let (size, actions) =
                (configured.game.info().observation.size(), configured.game.info().num_actions);
            for seed in 0..20 {
                let mut one = Env::new(configured.clone(), seed);
                one.level = level;
                let mut other = one.clone();
                let (mut seen, mut mask) = (vec![7; size], vec![7; actions]);
                let (mut seen_slow, mut mask_slow) = (seen.clone(), mask.clone());
                // Refused: nothing changed, nothing written.
                assert!(one.step_into(-1, &mut seen, &mut mask).is_err());
                assert!(one.step_into(0, &mut seen[1..], &mut mask).is_err());
                assert!(one.step_into(0, &mut seen, &mut mask[1..]).is_err());
                assert_eq!((&seen, &mask, one.decisions()), (&seen_slow, &mask_slow, 0));
                while let Some(player) = one.current_player() {
                    let action = one.sample_action(player).unwrap().0.into();
                    let fast = one.step_into(action, &mut seen, &mut mask).unwrap();
                    assert_eq!(fast, slow(&mut other, action, &mut seen_slow, &mut mask_slow).unwrap());
                    assert_eq!((&seen, &mask), (&seen_slow, &mask_slow));
                    assert_eq!(AnyEnv::to_json(&one, None), AnyEnv::to_json(&other, None));
                    assert_eq!(one.events(None), other.events(None));
                }
                assert!(mask.iter().all(|&byte| byte == 0));
                assert_eq!(one.step_into(0, &mut [], &mut []), Err(Error::EpisodeOver));
            }
        }
    }
}
