//! Opponents that choose for many environments at once ([`Agent::prefers_batches`](crate::agent::Agent::prefers_batches)).
//!
//! An environment that reaches a decision of such an opponent waits. When all environments of a shard wait or have finished the step, each
//! opponent chooses for all environments that wait for it, and they continue. This repeats until no environment waits.

use crate::agent::{Decision, Decisions, Failure, Knowledge, assert_legal};
use crate::game::Game;
use crate::player::{Action, Player};
use crate::vec::shard::Shard;
use crate::vec::slot::{Begun, EnvMeta, Slot};
use crate::vec::spec::VecSpec;
use crate::vec::waiting_list::{Stage, Waiting};

impl<G: Game> Shard<G> {
    /// Puts an environment on the waiting list until the opponent that plays `player` has chosen.
    #[cold]
    #[inline(never)]
    pub(crate) fn put_on_waiting_list(&mut self, spec: &VecSpec<G>, at: usize, player: Player, stage: Stage) {
        let legal = spec.legal_outlined(&self.slots[at].state, player);
        let opponent = self.meta[at].opponents[player.index()];
        let waiting = &mut self.waiting_list.waiting;
        if waiting.is_empty() {
            // Once: later steps allocate nothing.
            waiting.reserve(self.slots.len());
        }
        waiting.push(Waiting { at, player, opponent, legal, action: -1, stage });
    }

    /// Applies an opponent's choice in an environment of the waiting list, which goes on from the stage that is returned. If there is
    /// none, all opponents choose first. `None` if no environment waits.
    pub(crate) fn next_waiting(&mut self, spec: &VecSpec<G>) -> Option<(usize, Stage)> {
        if self.waiting_list.chosen.is_empty() {
            if self.waiting_list.waiting.is_empty() {
                return None;
            }
            self.ask(spec);
            if self.failure.is_some() {
                // The call ends, and is taken back as a whole.
                self.waiting_list.clear();
                return None;
            }
        }
        let Waiting { at, player, legal, action, stage, .. } = self.waiting_list.chosen.pop()?;
        let action = Action(u16::try_from(action).expect("an agent chooses for every row"));
        assert_legal(&legal, action);
        spec.decide_outlined(&mut self.slots[at], player, action);
        Some((at, stage))
    }

    /// Lets each opponent choose for all environments that wait for it.
    fn ask(&mut self, spec: &VecSpec<G>) {
        let Shard { waiting_list, slots, meta, failure, .. } = self;
        std::mem::swap(&mut waiting_list.waiting, &mut waiting_list.chosen);
        waiting_list.chosen.sort_unstable_by_key(|row| (row.opponent, row.at));
        for rows in waiting_list.chosen.chunk_by_mut(|a, b| a.opponent == b.opponent) {
            let agent = &spec.opponents[rows[0].opponent as usize].agent;
            agent.act_batch(&mut Rows { spec, slots, meta, rows, failure });
            if failure.is_some() {
                return;
            }
        }
    }

    /// Starts the episodes of all environments that were put on the waiting list while they were dealt.
    pub(crate) fn begin_waiting(&mut self, spec: &VecSpec<G>) {
        while let Some((at, stage)) = self.next_waiting(spec) {
            let Stage::Begin { skipped } = stage else { continue };
            let env = self.first + at;
            let begun = spec.find_decision(
                &mut self.slots[at],
                &mut self.meta[at],
                env,
                &mut self.result_counts,
                skipped,
            );
            self.note(spec, at, begun);
        }
    }

    /// Notes where the start of an episode has led. `false` if the environment was put on the waiting list.
    #[inline(always)]
    pub(crate) fn note(&mut self, spec: &VecSpec<G>, at: usize, begun: Begun) -> bool {
        match begun {
            Begun::Learner => {}
            Begun::Never => self.stuck = self.stuck.max(Some(self.first + at)),
            Begun::Waits { player, skipped } => {
                self.put_on_waiting_list(spec, at, player, Stage::Begin { skipped });
                return false;
            }
        }
        true
    }
}

/// The environments that wait for one opponent.
struct Rows<'a, G: Game> {
    spec: &'a VecSpec<G>,
    slots: &'a [Slot<G::State>],
    meta: &'a mut [EnvMeta],
    rows: &'a mut [Waiting<G::Legal>],
    failure: &'a mut Option<Failure>,
}

impl<G: Game> Decisions<G> for Rows<'_, G> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn get(&mut self, row: usize) -> Option<Decision<'_, G>> {
        let Waiting { at, player, legal, action, .. } = &mut self.rows[row];
        let (slot, meta) = (&self.slots[*at], &mut self.meta[*at]);
        Some(Decision {
            known: Knowledge::new(self.spec.game(), &slot.state, *player, legal),
            memory: meta.memories.of(*player, slot.seed),
            rng: &mut meta.agents,
            chosen: action,
        })
    }

    fn fail(&mut self, failure: Failure) {
        *self.failure = Some(failure);
    }
}
