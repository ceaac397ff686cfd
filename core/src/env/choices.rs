//! Actions that the engine chooses in an environment: at random, or by an agent.

use super::Env;
use crate::agent::{Agent, Knowledge, Memories, SearchStatistics, evaluator_of};
use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::player::{Action, Player};

impl<G: Game> Env<G> {
    /// A uniformly random legal action of a player, from a stream that nothing else uses.
    ///
    /// # Errors
    /// `EpisodeOver`, `InvalidPlayer`, `NotActing`.
    pub fn sample_action(&mut self, player: Player) -> Result<Action> {
        self.check_acting(player)?;
        let legal = self.legal(player);
        Ok(self.streams.sample.pick(&legal))
    }

    /// The action that an agent chooses for a player that must act. The agent's memory is kept in this environment. The agent draws from
    /// the episode's agent stream (`random`: from the stream of [`Env::sample_action`]); nothing else changes.
    ///
    /// # Errors
    /// `EpisodeOver`, `InvalidPlayer`, `NotActing`; `InvalidArgument` of `agent` if the agent chose an illegal action.
    pub fn act(&mut self, agent: &dyn Agent<G>, player: Player) -> Result<Action> {
        self.check_acting(player)?;
        let legal = self.legal(player);
        let known = Knowledge::new(&*self.configured.game, &self.state, player, &legal);
        let rng = if agent.name() == "random" { &mut self.streams.sample } else { &mut self.streams.agents };
        let action = agent.act(&known, &mut self.memories.of(player, self.seed), rng);
        check_choice(agent.name(), &legal, action).map(|()| action)
    }

    /// Takes out what agents keep of this episode as a player, such as search trees, for [`Env::put_memories`].
    pub fn take_memories(&mut self, player: Player) -> Memories {
        self.memories.take(player, self.seed)
    }

    /// Puts in what agents have kept in another environment of the same game, so that they go on with it here. The caller promises that the
    /// position here follows, as far as that player knows, from those in which they chose there: agents may use what they knew.
    pub fn put_memories(&mut self, taken: Memories) {
        self.memories.put(taken, self.seed);
    }

    /// [`Env::act`] that can be ended early: it calls `keep_going` now and then, from any thread, and returns `None` soon after that has
    /// returned `false`. Then the environment is as before, except that a search has forgotten its trees of this episode as this player.
    ///
    /// # Errors
    /// Those of [`Env::act`].
    pub fn act_while(
        &mut self,
        agent: &dyn Agent<G>,
        player: Player,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>> {
        self.check_acting(player)?;
        let legal = self.legal(player);
        let known = Knowledge::new(&*self.configured.game, &self.state, player, &legal);
        let rng = if agent.name() == "random" { &mut self.streams.sample } else { &mut self.streams.agents };
        let before = *rng;
        let Some(action) = agent.act_while(&known, &mut self.memories.of(player, self.seed), rng, keep_going)
        else {
            *rng = before;
            return Ok(None);
        };
        check_choice(agent.name(), &legal, action).map(|()| Some(action))
    }

    /// The policy of a network's agent for an acting player, and the return that the network expects for it. Writes a probability for each
    /// action into `policy`, 0 for illegal ones: with the agent's temperature or, if that is 0, with 1. An empty `policy` is skipped.
    /// Nothing is drawn: the agent then chooses as without this call.
    ///
    /// The return is in the units of the game's rewards, of the kind that the network was [trained on](crate::network::Network::reward):
    /// relative to the other players' mean, and with a bonus for the place, if training was.
    ///
    /// # Errors
    /// `EpisodeOver`, `NotActing`, `InvalidPlayer`; `InvalidArgument` of `agent` if it plays no network, of `policy` for another length.
    pub fn evaluate(&self, agent: &dyn Agent<G>, player: Player, policy: &mut [f32]) -> Result<f32> {
        let network = evaluator_of(agent)?;
        self.check_acting(player)?;
        let (got, wanted) = (policy.len(), self.info().num_actions);
        if got != 0 && got != wanted {
            let message = format!("got {got} elements; wanted {wanted}, or none to skip it");
            return Err(Error::argument("policy", message));
        }
        let legal = self.legal(player);
        let known = Knowledge::new(&*self.configured.game, &self.state, player, &legal);
        let (mut row, mut logits, mut value) = (vec![0; network.row_size()], vec![0.0; wanted], [0.0]);
        network.read(&known, &mut self.streams.agents.clone(), &mut row);
        network.evaluate(&row, &mut logits, &mut value);
        if got != 0 {
            network.write_policy(&logits, &legal, policy);
        }
        Ok(value[0])
    }

    /// What an agent's search found at its last decision as `player` in this episode, also after later steps and at the end.
    ///
    /// # Errors
    /// `InvalidPlayer`; those of [`Agent::statistics`].
    pub fn search_statistics(&mut self, agent: &dyn Agent<G>, player: Player) -> Result<SearchStatistics> {
        let players = self.info().players;
        if player.index() >= players {
            return Err(Error::InvalidPlayer { player: player.0.into(), players });
        }
        agent.statistics(&self.memories.of(player, self.seed))
    }
}

/// Refuses an agent's choice that is not legal.
fn check_choice<L: LegalSet>(agent: &str, legal: &L, action: Action) -> Result<()> {
    if legal.contains(action) {
        return Ok(());
    }
    Err(Error::argument("agent", format!("`{agent}` chose action {action}, which is not legal")))
}
