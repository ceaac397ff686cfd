//! The list of checks: stable identifiers, what each claims, and what it must have seen to count.

/// What a check has to have seen at least once to count as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Positions.
    States,
    /// Positions, each from at least one seat.
    Players,
    /// Actions.
    Actions,
    /// Positions, seats and actions.
    All,
}

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct CheckSpec {
    /// Identifier, e.g. `A4`.
    pub id: &'static str,
    /// What must hold.
    pub title: &'static str,
    /// What the check must have seen.
    pub needs: Coverage,
}

const fn states(id: &'static str, title: &'static str) -> CheckSpec {
    CheckSpec { id, title, needs: Coverage::States }
}
const fn players(id: &'static str, title: &'static str) -> CheckSpec {
    CheckSpec { id, title, needs: Coverage::Players }
}
const fn actions(id: &'static str, title: &'static str) -> CheckSpec {
    CheckSpec { id, title, needs: Coverage::Actions }
}
const fn all(id: &'static str, title: &'static str) -> CheckSpec {
    CheckSpec { id, title, needs: Coverage::All }
}

/// All checks, in the order of the report.
pub const CHECKS: &[CheckSpec] = &[
    states("M1", "loads with every allowed option and refuses every other by name"),
    states("M2", "every number of players plays to the end"),
    states("M3", "information is consistent in itself; smallest score below largest"),
    states("M4", "declared sizes never change and are equal in a second object of the same options"),
    states("M5", "chance, hidden, simultaneous and zero-sum are as declared, and seen"),
    states("M6", "golden playthrough"),
    states("M7", "the content's hash is part of the identity"),
    states("M8", "rules and content entries are reached by self-play"),
    players("T1", "somebody acts exactly while the episode runs"),
    players("T2", "whoever acts has a legal action; at the end nobody has"),
    players("T3", "no legal action for a seat that is not to act"),
    all("T4", "simultaneous choices may come in any order"),
    all("T5", "a buffered choice changes nothing that another seat receives"),
    actions("T6", "turn, joint and single-player view end in the same bytes and rewards"),
    all("T7", "no episode is longer than declared, in decisions, chance and forced moves"),
    players("T8", "who must act follows from what everybody knows"),
    actions("T9", "truncated and terminated exclude each other; a cut episode has no outcome"),
    actions("T10", "a choice of a simultaneous turn can be taken back, and nothing else"),
    all("A1", "a mask has one byte per action, 0 or 1, ones exactly at the legal actions"),
    all("A2", "legal actions are ascending and unique"),
    all("A3", "list, mask and single tests of legality agree, also outside the action space"),
    all("A4", "every legal action is applied, every other is refused and changes nothing"),
    states("A5", "after the end everything is refused as over and changes nothing"),
    all("A6", "texts of actions are unique, parse back, and garbage is refused"),
    actions("A7", "the ranges of the action space tile it"),
    all("A8", "the sampler is uniform over legal actions, never illegal, and seeded"),
    all("A9", "the batch's sampler equals the single one"),
    actions("A10", "parts of a compound move reach the state of the whole"),
    all("A11", "no two legal actions do the same (report)"),
    players("V1", "observations have their declared size at every state"),
    players("V2", "the f32 form is finite and in [-1, 1]"),
    players("V3", "bytes survive the way to f32 and back"),
    players("V4", "segments tile the observation and hold values of their range"),
    players("V5", "observing twice gives the same and changes nothing"),
    players("V6", "an unknown seat is refused"),
    players("V7", "nothing hidden reaches a seat: resampling changes nothing that it receives"),
    players(
        "V8",
        "public segments are the same facts for all seats; private ones exist iff something is hidden",
    ),
    players("V9", "information states that differ never merge"),
    players("V10", "whatever a seat's JSON tells is in its observation"),
    players("V11", "relabelling the seats relabels the observations"),
    players("V12", "no stale byte is left in the output"),
    players("V13", "the output's neighbours are untouched"),
    players("V14", "nothing made for one seat regenerates what is hidden from it"),
    all("R1", "one reward, return and score per seat"),
    all("R2", "rewards since the start sum to the returns"),
    all("R3", "returns lie in their declared range"),
    all("R4", "outcome sums to zero; scores do if declared"),
    all("R5", "outcome and score pay nothing before the end"),
    all("R6", "rewards are finite"),
    all("R7", "score_delta sums to score; winners are those with the best score"),
    players("R8", "what was paid in an episode is the return, whatever the view"),
    states("R9", "after the end nothing is paid"),
    states("C1", "a clone is equal"),
    actions("C2", "the same action on a clone gives an equal state"),
    actions("C3", "acting on a clone never changes the original, nor older clones"),
    states("C4", "a clone with a fresh stream looks the same"),
    actions("C5", "bytes make a round trip, with the same future"),
    actions("C6", "JSON makes a round trip, with the same future; a viewer's JSON is not loaded"),
    actions("C7", "a loaded state supports what a played one does"),
    states("C8", "a changed JSON state is refused with paths of places that exist, or is playable"),
    states("C9", "changed bytes are refused with paths of the JSON, or are playable; never a panic"),
    actions("C10", "a prefix of the actions gives the prefix's state"),
    actions("C11", "the recorded actions are those applied"),
    states("C12", "a replay of another release is refused by version"),
    states("C13", "pickling"),
    states("C14", "every reached state is valid"),
    players("C15", "a state loaded under another kind of reward has that kind's returns"),
    all("E1", "the patches of events lead from the JSON before a step to the JSON after it"),
    players("E2", "events tell a seat nothing beyond its own views"),
    players("E3", "what is redacted of an event is hidden from the player"),
    actions("S1", "same seed and actions, same bytes"),
    states("S2", "other seeds and later episodes differ"),
    states("S3", "environment i of seed s is not environment 0 of seed s + i"),
    actions("S4", "nothing depends on threads, batch, other environments or looking"),
    states("S5", "reset without seed goes on, with seed starts again"),
    actions("S6", "an episode's own seed replays it alone"),
    states("S7", "explicit chance outcomes sum to one"),
    states("S8", "draws and shuffles are uniform"),
    states("S9", "digests are reproducible"),
    states("S10", "the generator's first numbers are pinned"),
    states("S11", "search cannot see the future"),
    states("S12", "equal seeds given for different things share no stream"),
    players("H1", "V7 at random and greedy decisions"),
    players("H2", "a sample is valid and keeps what is public"),
    players("H3", "others' past choices are legal in the sample"),
    players("H4", "samples are distributed as declared"),
    players("H5", "samples vary iff something is hidden"),
    players("H6", "the sampler does not read what is hidden"),
    all("H7", "a sample can be played to the end"),
    players("H8", "everything in a sample follows from the seat's view and the sampler's seed"),
    all("N1", "a batch equals its environments alone"),
    actions("N2", "the three ways of auto-reset tell the same story"),
    states("N3", "disabled: finished environments are refused until reset"),
    actions("N4", "an illegal action in one row moves nothing"),
    states("N5", "wrong lengths are refused by name"),
    states("N6", "asynchronous calls in the wrong order are refused"),
    states("N7", "use after close"),
    states("N8", "views outlive the environment"),
    states("N9", "memory does not grow"),
    states("N10", "fork, spawn, threads"),
    actions("N11", "episode statistics are right"),
    actions("N12", "opponents change at episode borders; results are recounted"),
    states("N13", "a failure in the middle leaves the batch usable"),
    states("N14", "partial receives"),
    all("K4", "mask and observation of a row belong to the seat that acts"),
];

/// The entry of an identifier.
pub(crate) fn entry(id: &str) -> &'static CheckSpec {
    CHECKS.iter().find(|entry| entry.id == id).expect("checks are recorded under catalogued identifiers")
}
