//! The standard deviation of returns in play, by which training scales rewards: `return_range` is often far wider.

use super::Spread;
use crate::any::AnyGame;
use crate::rng;

/// The factor on rewards under which the returns of play have standard deviation 1; 1 if they do not differ.
///
/// The bounds of returns ([`GameInfo::return_range`](crate::info::GameInfo::return_range)) hold for every episode, so they can be far
/// wider than what play reaches. This is measured: `episodes` episodes, of which the agents `random` and `greedy` play every
/// other one, for all players. The deviation is that of all players' returns around their common mean. So it covers what
/// a learner meets from its first moves to good play. The same game, `episodes` and `seed` give the same factor.
///
/// With `relative` it is measured on the return of each player less the mean of the others', for a learner with such a relative reward.
/// `keep_going` is called before every episode; the measurement ends early when it returns `false`.
pub fn reward_scale(
    game: &dyn AnyGame,
    episodes: u64,
    seed: u64,
    relative: bool,
    keep_going: &mut dyn FnMut() -> bool,
) -> f64 {
    let mut spread = Spread::default();
    let agents = ["random", "greedy"].map(|spec| game.agent(spec).expect("every game has these"));
    let mut env = game.env(seed);
    for episode in 0..episodes {
        if !keep_going() {
            break;
        }
        env.reset(Some(rng::episode_seed(seed, episode)));
        let agent = &agents[(episode % 2) as usize];
        while let Some(acting) = env.acting().first() {
            let action = env.act(agent, acting).expect("this player acts");
            env.step_player(acting, action.0.into()).expect("the action is legal");
        }
        let returns = env.returns();
        let others = returns.len().saturating_sub(1);
        let total: f64 = returns.iter().copied().map(f64::from).sum();
        for value in returns.iter().copied().map(f64::from) {
            let relative = relative && others > 0;
            spread.add(if relative { value - (total - value) / others as f64 } else { value });
        }
    }
    if spread.deviation > 0.0 { 1.0 / spread.deviation } else { 1.0 }
}
