//! The list of checks: stable identifiers, titles, and the coverage that each needs.

/// What a check must have covered at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Positions.
    States,
    /// Positions, each from at least one player.
    Players,
    /// Actions.
    Actions,
    /// Positions, players and actions.
    All,
}

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct CheckSpec {
    /// Identifier, e.g. `A4`.
    pub id: &'static str,
    /// What must hold.
    pub title: &'static str,
    /// The coverage that the check needs.
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
    states("M2", "episodes end with every declared number of players"),
    states("M3", "`GameInfo` is consistent; smallest score below largest"),
    states("M4", "declared sizes never change and are equal in a second game object with the same options"),
    states(
        "M5",
        "chance, hidden information, simultaneous turns, joint actions and zero-sum scores are as declared, and occur in play",
    ),
    states("M6", "the playthrough is the golden one"),
    states("M7", "the content hash is part of the game's identity"),
    states("M8", "self-play reaches all rules and content entries"),
    players("T1", "there are acting players exactly while the episode runs"),
    players("T2", "every acting player has a legal action; after the end no player has"),
    players("T3", "a player that need not act has no legal action"),
    all("T4", "simultaneous choices give the same result in any order"),
    all("T5", "a buffered simultaneous choice changes nothing that another player receives"),
    actions("T6", "turn view, joint view and single-player view end with equal bytes and rewards"),
    all(
        "T7",
        "decisions, chance events and forced moves stay within their declared bounds; chance is logged",
    ),
    players("T8", "public information determines the acting players"),
    actions(
        "T9",
        "truncation and termination exclude each other; an episode truncated by `max_steps` has no outcome",
    ),
    players("T10", "a choice of a simultaneous turn can be taken back, and nothing else"),
    all("A1", "a mask has one byte per action, 0 or 1, ones exactly at the legal actions"),
    all("A2", "legal actions are ascending and unique"),
    all("A3", "action list, mask and single legality tests agree, also outside the action space"),
    all("A4", "every legal action is applied; every illegal action is refused and changes nothing"),
    states("A5", "after the end every call is refused as `episode_over` and changes nothing"),
    all("A6", "action texts are unique and parse back; other texts are refused"),
    actions("A7", "the action ranges cover the action space without overlap"),
    all("A8", "the sampler is uniform over legal actions, never illegal, and seeded"),
    all("A9", "`sample_actions` of a batch draws like `sample_action` of single environments"),
    all(
        "A11",
        "no two legal actions have the same effect, but for those that the hook `duplicates` names; without the hook only a note",
    ),
    players("V1", "observations have their declared size at every state"),
    players("V2", "the f32 form is finite and in [-1, 1]"),
    players("V3", "the f32 form of an observation is exact, and gives its bytes back"),
    players("V4", "segments cover the observation without overlap, and their values are in range"),
    players("V5", "observing twice gives the same and changes nothing"),
    players("V6", "a player number out of range is refused"),
    players(
        "V7",
        "no hidden information reaches a player: resampling it changes nothing that the player receives",
    ),
    players(
        "V8",
        "public segments show the same facts to all players; private segments exist iff information is hidden",
    ),
    players("V9", "information states that differ never merge, nor do observations with perfect recall"),
    players("V10", "a player's observation holds all facts of the player's JSON"),
    players("V11", "permuting the players permutes the observations"),
    players("V12", "an observation overwrites every byte of its buffer"),
    players("V13", "bytes around the output buffer stay unchanged"),
    players("V14", "outputs for a player do not depend on information hidden from it"),
    players("V15", "short observations are equal exactly where observations are"),
    all("R1", "one reward, return and score per player"),
    all("R2", "rewards since the start sum to the returns"),
    all("R3", "returns lie in their declared range"),
    all("R4", "outcomes sum to zero; scores too if declared"),
    all("R5", "rewards of kind `outcome` and `score` are 0 before the end"),
    all("R6", "rewards are finite"),
    all("R7", "`score_delta` sums to `score`; the winners are the players with the best score"),
    players("R8", "rewards of an episode sum to its returns in every view"),
    states("R9", "after the end there are no rewards"),
    states("C1", "a clone is equal"),
    actions("C2", "the same action on a clone gives an equal state"),
    actions("C3", "acting on a clone never changes the original, nor older clones"),
    states("C4", "a clone with a fresh random stream looks the same to every player"),
    actions("C5", "bytes make a round trip and continue with the same chance"),
    actions("C6", "JSON makes a round trip and continues with the same chance; redacted JSON is refused"),
    actions("C7", "a loaded state supports everything that a played state supports"),
    states("C8", "changed JSON is refused with existing paths, or is playable"),
    states("C9", "changed bytes are refused with JSON paths, or are playable; never a panic"),
    actions("C10", "replaying a prefix of the actions gives the state after that prefix"),
    actions("C11", "the recorded actions are the applied actions"),
    states("C12", "a replay of another version, content or game is refused by that name"),
    states("C14", "every reached state is valid"),
    players("C15", "a state loaded with another kind of reward has the returns of that kind"),
    all("E1", "the JSON patches of events turn the JSON before a step into the JSON after it"),
    players("E2", "events tell a player nothing beyond its own view"),
    players("E3", "what is redacted in an event is hidden information"),
    actions("S1", "equal seeds and actions give equal bytes"),
    states("S2", "different seeds, and later episodes, differ"),
    states("S3", "environment i of seed s is not environment 0 of seed s + i"),
    actions("S4", "results do not depend on threads, batch size, other environments or read access"),
    states("S5", "a reset without a seed continues the stream of episodes; with a seed it restarts"),
    actions("S6", "the seed of an episode replays it alone"),
    states("S7", "explicit chance outcomes sum to one, and are listed as declared"),
    states("S8", "draws and shuffles are uniform"),
    states("S9", "digests are reproducible"),
    states("S10", "the generator's first numbers are as documented"),
    states("S11", "search cannot see the future"),
    states("S12", "equal seeds for different purposes give different random streams"),
    players("H1", "V7 holds at decisions of random and greedy play"),
    players("H2", "a sample is valid and keeps public information"),
    players("H3", "others' past choices are legal in the sample"),
    players("H4", "samples are distributed as declared"),
    players("H5", "samples vary iff information is hidden"),
    players("H6", "the sampler does not read hidden information"),
    all("H7", "a sample can be played to the end"),
    players("H8", "a sample depends only on the player's view and the seed"),
    all("N1", "a batch equals single environments"),
    actions("N2", "the three autoreset modes play equal episodes"),
    states("N3", "autoreset `disabled`: finished environments are refused until reset"),
    actions("N4", "an illegal action in one row leaves the whole batch unchanged"),
    states("N5", "buffers of wrong length are refused by name"),
    states("N6", "asynchronous calls in the wrong order are refused"),
    actions("N10", "a batch works on any thread that holds it"),
    actions("N11", "episode statistics are right"),
    actions("N12", "opponents change only between episodes; results equal a recount"),
    states("N13", "a refused call leaves the batch usable"),
    all("K4", "mask and observation of a row belong to the acting player"),
];

/// Properties of the bindings, which the suite cannot check: identifier, title. Tests of the bindings carry the identifiers in their names.
/// `N10b` is the part of `N10` that needs the host's processes and threads.
pub const IN_BINDINGS: &[(&str, &str)] = &[
    ("C13", "a pickle continues exactly"),
    ("N7", "use after `close` is refused; closing twice is allowed"),
    ("N8", "arrays outlive the batch that wrote them"),
    ("N9", "memory does not grow"),
    ("N10b", "a batch survives fork and spawn, and many threads may use it"),
    ("N14", "each step that was started is received once"),
];

/// The entry of an identifier.
pub(crate) fn entry(id: &str) -> &'static CheckSpec {
    CHECKS.iter().find(|entry| entry.id == id).expect("checks are recorded under catalogued identifiers")
}
