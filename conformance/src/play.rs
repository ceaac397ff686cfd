//! Plays random episodes through the type-erased environment, as hosts and bindings do.

use super::fixture::{Fixture, guarded};
use super::report::{Recorder, Trace};
use playmat_core::any::AnyEnv;
use playmat_core::error::Result;
use playmat_core::player::{Action, Player};
use playmat_core::rng::{Rng, derive};

/// Plays episodes and calls `check` at about `SuiteConfig::positions` positions, including the first and last of each episode.
pub(crate) fn visit(
    fixture: &Fixture<'_>,
    id: &'static str,
    rec: &mut Recorder,
    mut check: impl FnMut(&mut Box<dyn AnyEnv>, &mut Recorder),
) {
    let episodes = fixture.histories.len().clamp(1, 3);
    let lengths: usize = fixture.histories.iter().take(episodes).map(|(_, choices)| choices.len()).sum();
    let every = (lengths / fixture.config.positions).max(1);
    for number in 0..episodes as u64 {
        let seed = derive(fixture.config.seed ^ 0x74_6162_6c65, number);
        rec.at(&Trace::start(seed));
        let game = match fixture.any(&[]) {
            Ok(game) => game,
            Err(error) => return rec.fail(id, format!("does not load: {error}")),
        };
        let mut env = game.env(seed);
        let mut draws = Rng::from_seed(seed);
        let mut next = 0;
        for decision in 0..fixture.decision_limit() {
            let player = env.acting().first();
            if decision >= next || player.is_none() {
                if !fixture.config.keep_going.check() {
                    return;
                }
                next = decision + 1 + draws.below(2 * every as u32) as usize;
                rec.at(&Trace::after(seed, env.history()));
                guarded(id, rec, |rec| check(&mut env, rec));
            }
            let Some(player) = player else { break };
            if !step_randomly(id, &mut *env, player, &mut draws, rec) {
                return;
            }
        }
    }
}

/// Makes one uniformly random legal step; returns `false` if it was refused.
pub(crate) fn step_randomly(
    id: &'static str,
    env: &mut dyn AnyEnv,
    player: Player,
    draws: &mut Rng,
    rec: &mut Recorder,
) -> bool {
    let legal = env.legal_actions(player).unwrap_or_default();
    if legal.is_empty() {
        rec.at(&Trace::after(env.episode_seed(), env.history()));
        rec.fail(id, format!("player {player} must act but has no legal action"));
        return false;
    }
    let action = legal[draws.below(legal.len() as u32) as usize];
    let seed = env.episode_seed();
    let before = env.history().len();
    if let Err(error) = env.step_player(player, action.into()) {
        rec.at(&Trace::after(seed, &env.history()[..before.min(env.history().len())]));
        rec.fail(id, format!("legal action {action} of player {player} was refused: {error}"));
        return false;
    }
    true
}

/// Plays at most `limit` uniformly random steps of the lowest acting player; returns their number, or the failure.
pub(crate) fn play_on(env: &mut dyn AnyEnv, draws: &mut Rng, limit: usize) -> Result<usize, String> {
    for played in 0..limit {
        let Some(player) = env.acting().first() else { return Ok(played) };
        let legal = env.legal_actions(player).map_err(|error| error.to_string())?;
        if legal.is_empty() {
            return Err(format!("player {player} must act but has no legal action"));
        }
        let action = legal[draws.below(legal.len() as u32) as usize];
        env.step_player(player, action.into()).map_err(|error| error.to_string())?;
    }
    Ok(limit)
}

/// The mask of a player.
pub(crate) fn mask_of(env: &dyn AnyEnv, player: Player) -> Vec<u8> {
    let mut mask = vec![0xaa; env.info().num_actions];
    match env.write_mask(player, &mut mask) {
        Ok(()) => mask,
        Err(_) => Vec::new(),
    }
}

/// The observation of a player.
pub(crate) fn observation_of(env: &dyn AnyEnv, player: Player) -> Vec<u8> {
    let mut out = vec![0xaa; env.info().observation.size()];
    match env.write_observation(player, &mut out) {
        Ok(()) => out,
        Err(_) => Vec::new(),
    }
}

/// The action that the agent of a spec chooses for a player.
pub(super) fn act(env: &mut dyn AnyEnv, spec: &str, player: Player) -> Result<Action> {
    let agent = env.game().agent(spec)?;
    env.act(&agent, player)
}
