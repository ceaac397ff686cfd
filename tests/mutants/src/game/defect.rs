//! The defects of the broken Toll.

macro_rules! defects {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// The defect of the game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Defect {
            $($(#[$doc])* $variant),+
        }

        impl Defect {
            /// All defects, and the control.
            pub const ALL: &'static [Defect] = &[$(Defect::$variant),+];
            pub(super) const NAMES: &'static [&'static str] = &[$($name),+];

            /// Its name, the value of option `defect`.
            pub fn name(self) -> &'static str {
                match self { $(Defect::$variant => $name),+ }
            }
        }
    };
}

defects! {
    /// No defect: the control.
    Nothing = "nothing",
    /// The mask is all ones.
    MaskAllOnes = "mask_all_ones",
    /// A legal raise leaves its coin in the purse and in the pot.
    BreaksConservation = "breaks_conservation",
    /// The left neighbour's card is in the observation.
    HandInObservation = "hand_in_observation",
    /// The left neighbour's card is in the text.
    HandInText = "hand_in_text",
    /// The left neighbour's card is in the viewer's JSON.
    HandInJson = "hand_in_json",
    /// The left neighbour's card is in the picture.
    HandInPicture = "hand_in_picture",
    /// The left neighbour's card is in the text of an action that is not legal, so also in error messages.
    HandInRefusal = "hand_in_refusal",
    /// The left neighbour's card is in an event.
    HandInEvent = "hand_in_event",
    /// The events of the deal show all cards to every player.
    DealTellsHands = "deal_tells_hands",
    /// The events of the deal hide a player's own card.
    DealRedacted = "deal_redacted",
    /// The event of a raise is redacted for all other players.
    RaiseRedacted = "raise_redacted",
    /// The event of a pass hides the player from others.
    PassTellsLess = "pass_tells_less",
    /// Others see that a player has bid before all have.
    ChoiceVisible = "choice_visible",
    /// The last bidder begins.
    OrderMatters = "order_matters",
    /// The last byte of the observation is not written.
    StaleByte = "stale_byte",
    /// Every second observation is another one.
    FlickeringObservation = "flickering_observation",
    /// The loader accepts a card twice.
    LoadsDuplicate = "loads_duplicate",
    /// The error for an invalid position names a field that no position has.
    NamesNoPlace = "names_no_place",
    /// The error for invalid bytes names a field of the state that the JSON has at another path.
    NamesStatesField = "names_states_field",
    /// The loader forgets who raised.
    LoadsLess = "loads_less",
    /// Chance depends on the position that the game object saw last.
    GlobalState = "global_state",
    /// Every second sample is the true state.
    SamplerPeeks = "sampler_peeks",
    /// The sampler never gives card 5 to the left neighbour.
    SamplerSkips = "sampler_skips",
    /// Every sample is the true state.
    SamplerIsIdle = "sampler_is_idle",
    /// Every sample is the true state from the first turn on.
    SamplerIsIdleInPlay = "sampler_is_idle_in_play",
    /// Samples keep the left neighbour's card during the bids.
    SamplerKeepsCard = "sampler_keeps_card",
    /// Samples keep the left neighbour's card during the turns.
    SamplerKeepsCardInPlay = "sampler_keeps_card_in_play",
    /// One sample of five keeps the left neighbour's card.
    SamplerTendsToCard = "sampler_tends_to_card",
    /// During the bids, no sample has the left neighbour's card right.
    SamplerAvoidsCard = "sampler_avoids_card",
    /// Samples keep the true bidders.
    SamplerKeepsChoosers = "sampler_keeps_choosers",
    /// A choice of a simultaneous turn is not taken back.
    TakesNothingBack = "takes_nothing_back",
    /// The sampler deals a card twice.
    SamplerDuplicates = "sampler_duplicates",
    /// Longest game understated.
    TooShort = "too_short",
    /// Chance understated.
    TooLittleChance = "too_little_chance",
    /// Chance is not logged.
    ChanceIsSilent = "chance_is_silent",
    /// Declared without chance.
    NoChance = "no_chance",
    /// Declared without simultaneous turns.
    NotSimultaneous = "not_simultaneous",
    /// After the first bid the others bid in turn, although joint actions are declared.
    BidsInTurn = "bids_in_turn",
    /// Declared without listed chance.
    ListsUndeclared = "lists_undeclared",
    /// Declared with listed chance, without any list.
    ListsTooLittle = "lists_too_little",
    /// Declared with perfect recall, and a player no longer observes its card after the bids.
    ClaimsRecall = "claims_recall",
    /// Scores declared zero-sum.
    ZeroSum = "zero_sum",
    /// Largest score understated.
    SmallScores = "small_scores",
    /// The loser wins.
    LoserWins = "loser_wins",
    /// A segment's scale is too small.
    SmallScale = "small_scale",
    /// A private segment is declared public.
    PrivateIsPublic = "private_is_public",
    /// A public segment shows each viewer its own raises, under a name that does not say so.
    OwnSideIsPublic = "own_side_is_public",
    /// Two action ranges overlap.
    Overlap = "overlap",
    /// Two actions have one text.
    SameText = "same_text",
    /// Any text is an action.
    ParsesAnything = "parses_anything",
    /// The greedy agent reads the left neighbour's card.
    GreedyPeeks = "greedy_peeks",
    /// The player's own card is missing in its observation.
    BlindToOwnCard = "blind_to_own_card",
    /// The short observation is the same in all positions.
    ShortForgets = "short_forgets",
    /// The short observation holds the whole state.
    ShortTellsMore = "short_tells_more",
    /// After the first swap no player acts although the episode runs.
    NobodyActs = "nobody_acts",
    /// Players with card 0 never act, which reveals the card.
    AskingTells = "asking_tells",
    /// The player to move is shown by its absolute number instead of relative to the viewer.
    AbsolutePlayers = "absolute_players",
    /// Samples undo a public action of another player.
    SamplerForgetsRaise = "sampler_forgets_raise",
    /// A rule never takes effect.
    RuleIsDead = "rule_is_dead",
    /// Bids of 0 and 1 have the same effect.
    TwinActions = "twin_actions",
    /// Any state is valid.
    CarelessValidate = "careless_validate",
    /// Loading a played position draws chance.
    RestoreDraws = "restore_draws",
    /// The greedy agent chooses an illegal action.
    GreedyCheats = "greedy_cheats",
    /// A player must act although it has no legal action.
    NothingLegal = "nothing_legal",
    /// Contents with other numbers have the same hash.
    ContentGoesUnnoticed = "content_goes_unnoticed",
    /// An invalid content is accepted.
    AnyContent = "any_content",
    /// With four players `GameInfo` has three.
    MissesOne = "misses_one",
    /// Four players are refused, but only by this game.
    RefusesFour = "refuses_four",
    /// The declared smallest and largest score are equal.
    NoRange = "no_range",
    /// Every second game object declares longer episodes.
    OtherTwin = "other_twin",
    /// A segment of the observation begins in the one before.
    SegmentsOverlap = "segments_overlap",
    /// The observation does not fit its size while cards are played.
    WritesBeyond = "writes_beyond",
    /// Every second deal is another one.
    DealsAnew = "deals_anew",
    /// A position reached in play does not validate.
    FalseAlarm = "false_alarm",
    /// Whoever must decide after raising sees the left neighbour's card in the text.
    HandAtDecision = "hand_at_decision",
    /// The listed deals are not equally likely.
    WrongOdds = "wrong_odds",
    /// The last card of the deck is missing among the outcomes of a swap.
    MissesOutcome = "misses_outcome",
}

impl Defect {
    /// Whether it changes nothing that listed outcomes would have to follow: with all others they are not listed.
    pub(super) fn is_listed(self) -> bool {
        use Defect::{ClaimsRecall, ListsUndeclared, MissesOutcome, Nothing, WrongOdds};
        matches!(self, Nothing | WrongOdds | MissesOutcome | ListsUndeclared | ClaimsRecall)
    }

    /// Defects of a game that deals once and lists no possible states, so that only general checks can find them.
    pub(super) const DEALT_ONCE: [Defect; 5] = [
        Defect::SamplerIsIdleInPlay,
        Defect::SamplerKeepsCard,
        Defect::SamplerKeepsCardInPlay,
        Defect::SamplerTendsToCard,
        Defect::SamplerAvoidsCard,
    ];
}
