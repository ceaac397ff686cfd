//! Simulations: from a determinization down the tree.

use super::index::Key;
use super::tree::{Choice, Decider, Tree};
use super::{Plan, Prior, Rollout, Settings};
use crate::agent::{Knowledge, assert_legal};
use crate::bits::LegalSet;
use crate::game::{Game, Status};
use crate::info::RewardKind;
use crate::log::Silent;
use crate::network::Network;
use crate::outlined;
use crate::player::{Action, Player, Players};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::reward::{self, Rewards};
use crate::rng::Rng;

/// The state that a simulation begins with.
#[inline(always)]
fn determinization<G: Game>(known: &Knowledge<'_, G>, rng: &mut Rng) -> G::State {
    let mut state = known.sample_hidden(rng);
    // In the sample players before this one have chosen at random. In the tree they choose at their own nodes.
    for player in Player::all(known.player().index()) {
        known.game().take_back_choice(&mut state, player);
    }
    state
}

/// Plays one determinization to its end and adds its returns to the tree.
#[inline(always)]
pub(super) fn simulate<I: Isa, G: Game>(
    isa: I,
    tree: &mut Tree,
    known: &Knowledge<'_, G>,
    settings: &Settings,
    kind: RewardKind,
    rng: &mut Rng,
) {
    let (game, exploration) = (known.game(), settings.exploration());
    let mut state = determinization(known, rng);
    let mut path = std::mem::take(&mut tree.path);
    path.clear();
    // In a simultaneous turn several players decide at once.
    let simultaneous = game.info().simultaneous;
    // The players who decide at once with the one whose node is new: theirs are added too.
    let mut together: Option<Players> = None;
    // Whether the player who searches has decided: every simulation goes through its decision, the root, though players who
    // decide at once with it may have to choose before, in one step or several.
    let mut past_root = false;
    // The edge that the simulation has chosen last. It may tell the next node where neither chance nor what is hidden decides.
    let follows = !game.info().chance && !game.info().hidden;
    let mut edge = usize::MAX;
    // Where the player who searches decides alone, a simulation begins with its decision: who decides, what is legal and which node that is
    // follows from what the player knows.
    if let Some(root) = tree.root().filter(|_| !simultaneous && known.legal().len() > 1) {
        let (player, legal) = (known.player(), known.legal());
        let chosen = tree.select(isa, &mut path, root, Decider { player, legal }, exploration, rng);
        edge = chosen.edge;
        past_root = true;
        outlined::apply(isa, game, &mut state, player, chosen.action, rng, &mut Silent);
    }
    let is_over = loop {
        let acting = game.acting(&state);
        let Some(player) = acting.first() else { break true };
        let leaves = together.is_some_and(|others| acting.0 & !others.0 != 0);
        if past_root && leaves {
            break false;
        }
        let was_past_root = past_root;
        past_root |= player == known.player();
        let legal = game.legal(&state, player);
        let action = if legal.len() == 1 {
            isa.select(&legal, 0)
        } else {
            let key = tree.key(game, &state, player, &legal);
            let decider = Decider { player, legal: &legal };
            let found = if follows { tree.find_behind(edge, key) } else { tree.find(key) };
            let chosen = match found {
                Some(node) => tree.select(isa, &mut path, node, decider, exploration, rng),
                None if was_past_root && tree.is_full() => break false,
                None => {
                    let preferred = match settings.prior {
                        Prior::Greedy => Some(outlined::greedy(isa, game, &state, player, rng)),
                        Prior::Uniform => None,
                    };
                    let mut others = acting;
                    others.remove(player);
                    together = Some(others);
                    tree.add(isa, &mut path, key, decider, preferred, rng)
                }
            };
            edge = chosen.edge;
            chosen.action
        };
        outlined::apply(isa, game, &mut state, player, action, rng, &mut Silent);
        if let Some(others) = &mut together {
            if !simultaneous {
                break false;
            }
            others.remove(player);
        }
    };
    if !is_over {
        play_on(isa, game, &mut state, settings.rollout.unwrap_or_default(), rng);
    }
    let returns = returns_of(game, &state, kind);
    tree.back_up(&path, &returns, game.info().players);
    tree.path = path;
}

/// Plays a state to the end of the episode.
#[inline(always)]
fn play_on<I: Isa, G: Game>(isa: I, game: &G, state: &mut G::State, rollout: Rollout, rng: &mut Rng) {
    while let Some(player) = game.acting(state).first() {
        let action = match rollout {
            Rollout::Random => isa.pick(rng, &game.legal(state, player)),
            Rollout::Greedy => outlined::greedy(isa, game, state, player, rng),
        };
        game.apply(state, player, action, rng, &mut Silent);
    }
}

/// All players' returns at the end of an episode.
#[inline(always)]
fn returns_of<G: Game>(game: &G, state: &G::State, kind: RewardKind) -> Rewards {
    reward::up_to(game, kind, state, game.status(state))
}

/// [`play_on`] and [`returns_of`] in the instructions of this machine, which make random rollouts faster.
struct RollOut<'s, G: Game> {
    game: &'s G,
    state: &'s mut G::State,
    rollout: Rollout,
    kind: RewardKind,
    rng: &'s mut Rng,
}

impl<G: Game> Kernel for RollOut<'_, G> {
    type Out = Rewards;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Rewards {
        play_on(isa, self.game, self.state, self.rollout, self.rng);
        returns_of(self.game, self.state, self.kind)
    }
}

/// The largest size of a value or a logit. A larger value, divided by the scale of its network, counts as 0, as one does that is not a number.
/// Any number of visits has a finite sum of such values, also as an `f32`.
pub(super) const LARGEST: f32 = 1e28;

/// The returns that a search with a network maximizes: without rollouts those that the network's values estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// Their kind.
    pub(super) kind: RewardKind,
    /// What they were multiplied by in training.
    pub(super) scale: f32,
    /// Whether they are a player's less the mean of the others'.
    pub(super) relative: bool,
    /// What training paid at the end of an episode, beside these, times the player's place.
    pub(super) win_bonus: f32,
}

impl Aim {
    /// The returns that the game pays.
    pub(super) fn of_game(kind: RewardKind) -> Aim {
        Aim { kind, scale: 1.0, relative: false, win_bonus: 0.0 }
    }

    /// That of a search with a network.
    pub(super) fn of(network: &Network, plan: &Plan<'_>) -> Aim {
        match plan.settings.rollout {
            None => Aim {
                kind: plan.kind,
                scale: network.reward_scale(),
                relative: network.relative(),
                win_bonus: network.win_bonus(),
            },
            Some(_) => Aim::of_game(plan.kind),
        }
    }

    /// The returns up to a state.
    fn up_to<G: Game>(self, game: &G, state: &G::State, status: Status) -> Rewards {
        let players = game.info().players;
        let returns = reward::up_to(game, self.kind, state, status);
        if !self.relative || players == 1 {
            return returns;
        }
        let sum: f32 = returns[..players].iter().sum();
        let mut relative = Rewards::default();
        for (to, own) in relative.iter_mut().zip(&returns[..players]) {
            *to = own - (sum - own) / (players - 1) as f32;
        }
        relative
    }

    /// The returns at the end of an episode.
    fn at_end<G: Game>(self, game: &G, state: &G::State) -> Rewards {
        let (players, status) = (game.info().players, game.status(state));
        let mut returns = self.up_to(game, state, status);
        if self.win_bonus > 0.0 {
            let places = reward::places(players, &reward::up_to(game, self.kind, state, status));
            for (to, place) in returns.iter_mut().zip(places) {
                *to += place * self.win_bonus / self.scale;
            }
        }
        returns
    }

    /// Whether the value of one player tells that of every other one.
    pub(super) fn one_value_is_enough<G: Game>(self, game: &G) -> bool {
        let zero_sum = self.kind == RewardKind::Outcome || game.info().score_zero_sum || self.relative;
        game.info().players == 1 || (game.info().players == 2 && zero_sum)
    }

    /// Whether a network must give every player's value at a leaf: neither where the simulation goes on, nor where the game pays its returns.
    pub(super) fn needs_all_players<G: Game>(
        self,
        game: &G,
        settings: &Settings,
        leaf: &Leaf<G::Legal>,
    ) -> bool {
        !leaf.is_root && settings.rollout.is_none() && !self.one_value_is_enough(game)
    }

    /// The returns to expect from a state where the value of `player` is `value`, and `other` gives that of another player, if it does not
    /// follow.
    pub(super) fn returns<G: Game>(
        self,
        game: &G,
        state: &G::State,
        player: Player,
        value: f32,
        mut other: impl FnMut(Player) -> f32,
    ) -> Rewards {
        let so_far = self.up_to(game, state, Status::Running);
        let enough = self.one_value_is_enough(game);
        let mut returns = Rewards::default();
        for each in Player::all(game.info().players) {
            let value = match each == player {
                true => value,
                false if enough => -value,
                false => other(each),
            };
            // The quotient of a finite value can be infinite.
            let value = value / self.scale;
            let value = if value.abs() <= LARGEST { value } else { 0.0 };
            returns[each.index()] = so_far[each.index()] + value;
        }
        returns
    }
}

/// A simulation under way in a search with a network.
#[derive(Clone, Debug)]
pub(super) struct Walk<S> {
    pub(super) state: S,
    pub(super) path: Vec<Choice>,
    /// Whether the player who searches has decided: every simulation goes through its decision, the root.
    past_root: bool,
}

/// Where a simulation has stopped.
#[derive(Clone, Debug)]
pub(super) enum Stop<L> {
    /// At a decision that is not in the tree: the network must evaluate it.
    Leaf(Leaf<L>),
    /// At the end of the episode, with these returns.
    End(Rewards),
}

/// A decision that is not in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf<L> {
    pub(super) key: Key,
    pub(super) player: Player,
    pub(super) legal: L,
    /// The simulation goes on from it.
    pub(super) is_root: bool,
}

impl<S: Copy> Walk<S> {
    /// A simulation that begins, with the memory of `path`.
    pub(super) fn begin<G: Game<State = S>>(
        known: &Knowledge<'_, G>,
        mut path: Vec<Choice>,
        rng: &mut Rng,
    ) -> Walk<S> {
        path.clear();
        Walk { state: determinization(known, rng), path, past_root: false }
    }

    /// Plays on to the end or to a decision that is not in the tree, with the instructions of this level; its observation is then kept in the
    /// tree.
    #[expect(clippy::too_many_arguments, reason = "what a simulation consists of")]
    pub(super) fn down<G: Game<State = S>>(
        &mut self,
        level: Level,
        tree: &mut Tree,
        game: &G,
        searcher: Player,
        settings: &Settings,
        aim: Aim,
        rng: &mut Rng,
    ) -> Stop<G::Legal> {
        dispatch(level, Down { walk: self, tree, game, searcher, settings, aim, rng })
    }

    /// Adds the decision that the simulation has stopped at, and what the network says there: logits of the player who decides, the value of
    /// that player, and those of all other players in their order if they do not follow from it. Returns whether the simulation ends there,
    /// and its returns are added: it goes on from the root, so that every simulation chooses there, and there is a best action after the
    /// first.
    #[expect(clippy::too_many_arguments, reason = "what a simulation consists of")]
    pub(super) fn receive<G: Game<State = S>>(
        &mut self,
        level: Level,
        tree: &mut Tree,
        game: &G,
        settings: &Settings,
        aim: Aim,
        leaf: &Leaf<G::Legal>,
        (logits, values): (&[f32], &[f32]),
        rng: &mut Rng,
    ) -> bool {
        if leaf.is_root || !tree.is_full() {
            let temperature = settings.prior_temperature as f32 / 100.0;
            tree.add_with(&mut self.path, leaf.key, leaf.player, &leaf.legal, logits, temperature);
        }
        if leaf.is_root {
            return false;
        }
        let returns = match settings.rollout {
            Some(rollout) => {
                let state = &mut self.state;
                dispatch(level, RollOut { game, state, rollout, kind: aim.kind, rng })
            }
            None => {
                let mut others = values[1..].iter();
                let other = |_| *others.next().expect("a value of every player");
                aim.returns(game, &self.state, leaf.player, values[0], other)
            }
        };
        self.land(tree, &returns, game.info().players);
        true
    }

    /// Adds the returns of the simulation to the tree.
    pub(super) fn land(&mut self, tree: &mut Tree, returns: &Rewards, players: usize) {
        tree.leave(&self.path);
        tree.back_up(&self.path, returns, players);
    }
}

/// The arguments of [`Walk::down`].
struct Down<'w, G: Game> {
    walk: &'w mut Walk<G::State>,
    tree: &'w mut Tree,
    game: &'w G,
    searcher: Player,
    settings: &'w Settings,
    aim: Aim,
    rng: &'w mut Rng,
}

impl<G: Game> Kernel for Down<'_, G> {
    type Out = Stop<G::Legal>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Stop<G::Legal> {
        let Down { walk, tree, game, searcher, settings, aim, rng } = self;
        loop {
            let Some(player) = game.acting(&walk.state).first() else {
                return Stop::End(aim.at_end(game, &walk.state));
            };
            let legal = game.legal(&walk.state, player);
            let action = if legal.len() == 1 {
                isa.select(&legal, 0)
            } else {
                let key = tree.key(game, &walk.state, player, &legal);
                match tree.find(key) {
                    Some(node) => tree.select_with(&mut walk.path, node, player, settings.exploration()),
                    None => {
                        if game.short_observation(&walk.state, player).is_some() {
                            tree.see(game, &walk.state, player);
                        }
                        return Stop::Leaf(Leaf { key, player, legal, is_root: !walk.past_root });
                    }
                }
            };
            walk.past_root |= player == searcher;
            outlined::apply(isa, game, &mut walk.state, player, action, rng, &mut Silent);
        }
    }
}

/// The greedy agent's action as a player, if the player has a decision.
pub(super) fn greedy_action<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    rng: &mut Rng,
) -> Option<Action> {
    if !game.acting(state).contains(player) {
        return None;
    }
    let chosen = outlined::greedy_of_machine(game, state, player, rng);
    assert_legal(&game.legal(state, player), chosen);
    Some(chosen)
}

/// Walks down one determinization to a node that is new, evaluates it and adds its value, or the returns of a rollout from it, to the tree.
pub(super) fn simulate_with<G: Game>(
    level: Level,
    tree: &mut Tree,
    known: &Knowledge<'_, G>,
    plan: &Plan<'_>,
    network: &Network,
    rng: &mut Rng,
) {
    let (game, settings, aim) = (known.game(), plan.settings, Aim::of(network, plan));
    let mut walk = Walk::begin(known, std::mem::take(&mut tree.path), rng);
    let mut evaluation = std::mem::take(&mut tree.evaluation);
    loop {
        match walk.down(level, tree, game, known.player(), settings, aim, rng) {
            Stop::End(returns) => {
                walk.land(tree, &returns, game.info().players);
                break;
            }
            Stop::Leaf(leaf) => {
                evaluation.clear();
                let all_players = aim.needs_all_players(game, settings, &leaf);
                let rows = evaluation.push_leaf(network, tree, game, &walk, &leaf, all_players, rng);
                evaluation.run(network);
                let outputs = evaluation.outputs(network, 0, rows);
                if walk.receive(level, tree, game, settings, aim, &leaf, outputs, rng) {
                    break;
                }
            }
        }
    }
    (tree.path, tree.evaluation) = (walk.path, evaluation);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toll;

    /// The state at the end of an episode of random play.
    fn ended(game: &Toll, seed: u64) -> <Toll as Game>::State {
        let mut rng = Rng::from_seed(seed);
        let mut state = game.deal(&mut rng, &mut Silent);
        while let Some(player) = game.acting(&state).first() {
            let action = rng.pick(&game.legal(&state, player));
            game.apply(&mut state, player, action, &mut rng, &mut Silent);
        }
        state
    }

    /// The values of a network are divided by its scale: also what is then infinite counts as 0.
    #[test]
    fn values_that_are_no_numbers_or_too_large_count_as_0() {
        let game = Toll::with_players(3);
        let mut rng = Rng::from_seed(1);
        let state = game.deal(&mut rng, &mut Silent);
        let aim = Aim { kind: RewardKind::Outcome, scale: 1e-3, relative: false, win_bonus: 0.0 };
        for (value, expected) in [
            (2.0, 2_000.0),
            (-1e24, -1e27),
            (1e38, 0.0),
            (-1e38, 0.0),
            (f32::NAN, 0.0),
            (f32::INFINITY, 0.0),
            (f32::NEG_INFINITY, 0.0),
        ] {
            let returns = aim.returns(&game, &state, Player(0), value, |_| value);
            let near = |found: f32| (found - expected).abs() <= 1e-6 * f32::abs(expected);
            assert!(returns[..3].iter().all(|&found| near(found)), "{value}: {returns:?}");
        }
    }

    #[test]
    fn the_end_of_an_episode_pays_the_bonus_for_winning_in_units_of_returns() {
        for players in 2..=4 {
            let game = Toll::with_players(players);
            for (seed, relative) in (0..40).map(|seed| (seed, seed % 2 == 0)) {
                let state = ended(&game, seed);
                let plain = Aim { kind: RewardKind::Score, scale: 0.5, relative, win_bonus: 0.0 };
                let with_bonus = Aim { win_bonus: 3.0, ..plain };
                let paid = reward::up_to(&game, RewardKind::Score, &state, game.status(&state));
                let places = reward::places(players, &paid);
                let (without, with) = (plain.at_end(&game, &state), with_bonus.at_end(&game, &state));
                for player in 0..players {
                    assert!((with[player] - without[player] - 6.0 * places[player]).abs() < 1e-5);
                }
                // Before the end nothing is paid.
                let running = Status::Running;
                assert_eq!(with_bonus.up_to(&game, &state, running), plain.up_to(&game, &state, running));
            }
        }
    }
}
