//! States, events and legal actions of the game under test without their types: checks that use these are compiled once, not once for each game.

use crate::bits::LegalSet;
use crate::game::Game;
use crate::player::Action;
use crate::rng::Rng;
use std::any::Any;
use std::fmt::Debug;

/// A state. States of one game can be copied and compared; [`TestedGame`](super::TestedGame) does everything else with them.
pub struct State(Box<dyn AnyState>);

/// What [`State`] needs of a state's type.
trait AnyState: Any {
    fn copied(&self) -> Box<dyn AnyState>;
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<S: Copy + Eq + 'static> AnyState for S {
    fn copied(&self) -> Box<dyn AnyState> {
        Box::new(*self)
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// Another game's state or event: only a mistake in the suite itself.
const OTHER_GAME: &str = "the suite tests one game";

impl State {
    pub fn new<G: Game>(state: G::State) -> State {
        State(Box::new(state))
    }

    /// The state with its type.
    pub fn of<G: Game>(&self) -> &G::State {
        let any: &dyn Any = &*self.0;
        any.downcast_ref().expect(OTHER_GAME)
    }

    /// The same, to change it.
    pub fn of_mut<G: Game>(&mut self) -> &mut G::State {
        let any: &mut dyn Any = &mut *self.0;
        any.downcast_mut().expect(OTHER_GAME)
    }
}

impl Clone for State {
    fn clone(&self) -> State {
        State(self.0.copied())
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let other: &dyn Any = &*other.0;
        self.0.equals(other)
    }
}

/// An event.
pub struct Event(Box<dyn Any>);

impl Event {
    pub fn new<G: Game>(event: G::Event) -> Event {
        Event(Box::new(event))
    }

    /// The event with its type.
    pub fn of<G: Game>(&self) -> &G::Event {
        self.0.downcast_ref().expect(OTHER_GAME)
    }
}

/// Events in order, each with the state right after it.
pub type Events = Vec<(Event, State)>;

/// Legal actions, as the game's own set counts and lists them.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal {
    list: Vec<Action>,
    count: usize,
}

impl Legal {
    pub fn new(legal: &impl LegalSet) -> Legal {
        let count = legal.len() as usize;
        let mut list = Vec::with_capacity(count);
        // Not `collect`: as the optimizer arranges it, Valgrind finds a jump that depends on an iterator which is not there.
        legal.iter().for_each(|action| list.push(action));
        Legal { list, count }
    }

    /// The actions, in the order of the set.
    pub fn iter(&self) -> impl Iterator<Item = Action> {
        self.list.iter().copied()
    }

    /// Number of actions, as the set counts them.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether `action` is listed.
    pub fn contains(&self, action: Action) -> bool {
        self.list.contains(&action)
    }

    /// A uniform draw, the same as [`Rng::pick`] makes from the set.
    pub fn pick(&self, draws: &mut Rng) -> Action {
        self.list[draws.below(self.count as u32) as usize]
    }
}
