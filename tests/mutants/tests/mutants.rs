//! Q1: every defect fails the suite at its named check, and implementations without a defect pass.

use playmat_conformance::{CHECKS, Report};
use playmat_mutants::search::{Searches, report_of_h7};
use playmat_mutants::{
    batch, draws, env, game, report_of_check, report_on_batch, report_on_dice, report_on_dice_declared_once,
    report_on_draws, report_on_env, report_on_game, report_on_players, report_on_playthrough,
    write_playthrough,
};
use serde_json::json;
use std::path::PathBuf;

/// The named check must be among those that fail; `also` lists all others that may fail, so that a change shows. They need not all fail:
/// the further effects of a defect of chance or shared memory depend on draws and threads.
fn found(report: &Report, named: &str, also: &str) {
    let failing = report.failing();
    let mut expected: Vec<&str> = also.split_whitespace().collect();
    expected.push(named);
    assert!(failing.contains(&named), "{named} did not fail; failing: {failing:?}");
    let surplus: Vec<_> = failing.iter().filter(|id| !expected.contains(id)).collect();
    assert!(surplus.is_empty(), "failing {failing:?}: surplus {surplus:?}");
    let failure = &report.check(named).expect("it is in the report").failures[0];
    assert!(failure.command.starts_with("playmat replay --game "), "Q3: {}", failure.command);
    // People know players by their numbers, not by names of Rust's types.
    for failure in report.checks.iter().flat_map(|check| &check.failures) {
        assert!(!failure.message.contains("Player"), "{}", failure.message);
    }
}

/// Named tests of mutants, and the list `$list` of the checks that they name.
macro_rules! mutants {
    ($list:ident, $report:ident, $module:ident: $($test:ident = $defect:ident, $named:literal $(, also $also:literal)?;)+) => {
        const $list: &[&str] = &[$($named),+];
        $(
            #[test]
            fn $test() {
                found(&$report($module::Defect::$defect), $named, concat!($($also)?));
            }
        )+
    };
}

#[test]
fn control_without_a_defect_passes() {
    for report in [
        report_on_game(game::Defect::Nothing),
        report_on_env(env::Defect::Nothing),
        report_on_batch(batch::Defect::Nothing),
        report_on_draws(draws::Defect::Nothing),
        report_on_kept_playthrough(env::Defect::Nothing),
    ] {
        assert!(report.passed(), "{report}");
        assert!(report.checks.iter().any(|check| check.not_applicable.is_some()));
    }
}

#[test]
fn control_dice_that_are_rolled_again_pass() {
    for players in 2..=3 {
        for lowest in [json!([]), json!([3, 1, 2])] {
            let report = report_on_dice(&json!({"players": players, "lowest": lowest}));
            assert!(report.passed(), "{report}");
        }
        let report = report_on_dice(&json!({"players": players, "ahead": "sampled"}));
        assert!(report.passed(), "{report}");
    }
}

#[test]
fn q1_e2_event_shows_a_hidden_roll() {
    found(&report_on_dice(&json!({"players": 3, "tells": true})), "E2", "");
}

/// The rolls that the deal has drawn for the turns are distributed as they must be, but they are the true ones.
#[test]
fn q1_h6_sample_keeps_next_rolls() {
    found(&report_on_dice(&json!({"players": 3, "ahead": "kept"})), "H6", "E3");
}

#[test]
fn q1_h8_sample_keeps_private_options() {
    found(&report_on_dice(&json!({"players": 3, "lowest": [3, 1, 2], "keeps": true})), "H8", "");
}

#[test]
fn d7_draws_declared_for_the_deal_only() {
    found(&report_on_dice_declared_once(&json!({"players": 3})), "T6", "A9 R8 N1 N11 N13 K4");
}

mutants! { NAMED_BY_GAMES, report_on_game, game:
    q1_a4_mask_all_ones = MaskAllOnes, "A4",
        also "S7 V9 M1 M2 M3 M4 M5 M6 M7 M8 T1 T3 T4 T6 T7 A1 A5 A8 A9 A11 V2 V4 V5 V6 V7 V8 V10 V12 R2 R7 \
            R9 C1 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C14 C15 E1 S2 S4 S5 S6 S9 S11 H2 H7 E2 N1 N2 N4 N6 \
            N11 N12 N13 V14 H4 H6 H8 V3 N10";
    q1_a4_breaks_conservation = BreaksConservation, "A4", also "T6 C6 C8 C9 C14 C15 H2 H7 N1 N13 V14 H8";
    q1_v7_hand_in_observation = HandInObservation, "V7", also "V8 S11 H1 H7";
    q1_v7_hand_in_text = HandInText, "V7", also "H1";
    q1_v7_hand_in_json = HandInJson, "V7", also "V9 V10 E3 H1";
    q1_v7_hand_in_picture = HandInPicture, "V7", also "H1";
    q1_v7_hand_in_refusal = HandInRefusal, "V7", also "H1";
    q1_e2_hand_in_event = HandInEvent, "E2", also "V9";
    q1_e2_deal_tells_hands = DealTellsHands, "E2";
    q1_e3_raise_redacted = RaiseRedacted, "E3";
    q1_e3_pass_tells_less = PassTellsLess, "E3";
    q1_t5_choice_visible = ChoiceVisible, "T5", also "T6 V7 V8 H1 H7";
    q1_t4_order_matters = OrderMatters, "T4", also "V9";
    q1_v12_stale_byte = StaleByte, "V12", also "V2 V4 V8 V13 S3 N1 K4";
    q1_v5_flickering_observation = FlickeringObservation, "V5",
        also "T5 T6 V7 V8 V11 V12 V13 C1 C2 C3 C4 S4 S11 H1 N1 K4 V14 C6 H7 V3 N10";
    q1_c8_loads_duplicate = LoadsDuplicate, "C8";
    q1_c8_names_no_place = NamesNoPlace, "C8";
    q1_c9_names_states_field = NamesStatesField, "C9";
    q1_c6_loads_less = LoadsLess, "C6", also "C8 C15 V14 H8";
    q1_s4_global_state = GlobalState, "S4", also "H6 V9 T5 T6 V5 R8 C2 C5 C6 E1 S6 N1 N6 N11 K4 N10";
    q1_h6_sampler_peeks = SamplerPeeks, "H6", also "T8 H4 H7 H8";
    q1_h4_sampler_skips = SamplerSkips, "H4";
    q1_h6_sampler_is_idle_in_play = SamplerIsIdleInPlay, "H6";
    q1_h6_sampler_keeps_card = SamplerKeepsCard, "H6";
    q1_h6_sampler_keeps_card_in_play = SamplerKeepsCardInPlay, "H6";
    q1_h6_sampler_tends_to_card = SamplerTendsToCard, "H6", also "H4 H7 H8";
    q1_h6_sampler_avoids_card = SamplerAvoidsCard, "H6", also "H4 H7 H8";
    q1_h8_sampler_keeps_choosers = SamplerKeepsChoosers, "H8", also "T8 H4";
    q1_t10_takes_nothing_back = TakesNothingBack, "T10";
    q1_h5_sampler_is_idle = SamplerIsIdle, "H5", also "M5 T8 H4 H6 H8";
    q1_h2_sampler_duplicates = SamplerDuplicates, "H2", also "H4 H7 H8 S12";
    q1_t7_too_short = TooShort, "T7", also "N11";
    q1_t7_too_little_chance = TooLittleChance, "T7";
    q1_t7_chance_is_silent = ChanceIsSilent, "T7";
    q1_m5_no_chance = NoChance, "M5";
    q1_m5_not_simultaneous = NotSimultaneous, "M5", also "T10 H7";
    q1_m5_bids_in_turn = BidsInTurn, "M5", also "T4 T8 V7 V9 H1";
    q1_m5_zero_sum = ZeroSum, "M5";
    q1_r3_small_scores = SmallScores, "R3";
    q1_r7_loser_wins = LoserWins, "R7";
    q1_v2_small_scale = SmallScale, "V2", also "V4";
    q1_v8_private_is_public = PrivateIsPublic, "V8";
    q1_a7_overlap = Overlap, "A7", also "M3";
    q1_a6_same_text = SameText, "A6";
    q1_a6_parses_anything = ParsesAnything, "A6";
    q1_h7_greedy_peeks = GreedyPeeks, "H7";
    q1_v10_blind_to_own_card = BlindToOwnCard, "V10";
    q1_v15_short_forgets = ShortForgets, "V15";
    q1_v15_short_tells_more = ShortTellsMore, "V15", also "S11 H7";
    q1_s7_wrong_odds = WrongOdds, "S7";
    q1_s7_misses_outcome = MissesOutcome, "S7";
    q1_s7_lists_undeclared = ListsUndeclared, "S7";
    q1_s7_lists_too_little = ListsTooLittle, "S7";
    q1_v9_claims_recall = ClaimsRecall, "V9", also "V10";
    q1_t1_nobody_acts = NobodyActs, "T1", also "M4 T6 A9 R7 R8 C5 C6 C8 C9 C15 S4 H7 N1 N2 N4 N6 N11 N12 N13 V14 H8 V3 N10 K4";
    q1_t8_asking_tells = AskingTells, "T8", also "V9 S12 H4 H7 H8 T10";
    q1_v8_own_side_is_public = OwnSideIsPublic, "V8";
    q1_v11_absolute_players = AbsolutePlayers, "V11", also "V8";
    q1_h3_sampler_forgets_raise = SamplerForgetsRaise, "H3", also "V9 V7 V8 S11 H1 H2 H6 H7";
    q1_m8_rule_is_dead = RuleIsDead, "M8";
    q1_a11_twin_actions = TwinActions, "A11", also "H4";
    q1_c9_careless_validate = CarelessValidate, "C9";
    q1_c6_restore_draws = RestoreDraws, "C6", also "C7";
    q1_h7_greedy_cheats = GreedyCheats, "H7", also "M8 T1 T6 A4 C7 N1 N12 C6 S11";
    q1_m7_content_goes_unnoticed = ContentGoesUnnoticed, "M7", also "C12";
    q1_t2_nothing_legal = NothingLegal, "T2",
        also "V9 M1 M2 M3 M4 M5 M6 M7 M8 T1 T3 T6 T7 A1 A4 A5 A8 A9 V5 V6 V7 V13 R2 C1 C2 C3 C4 C5 C6 C7 \
            C8 C9 C15 E1 S4 S11 H7 N1 N2 N4 N6 N11 N12 N13 V14 H8 V3 N10";
    q1_m1_any_content = AnyContent, "M1";
    q1_m2_misses_one = MissesOne, "M2", also "V8";
    q1_m2_refuses_four = RefusesFour, "M2", also "M1";
    q1_m3_no_range = NoRange, "M3", also "R3";
    q1_m4_other_twin = OtherTwin, "M4";
    q1_v4_segments_overlap = SegmentsOverlap, "V4", also "M3 N1 K4 V3";
    q1_v1_writes_beyond = WritesBeyond, "V1",
        also "T6 A9 V5 V7 V8 V10 V11 V13 C1 C3 C4 C6 C8 C9 S4 S9 S11 N1 N2 N4 N6 N11 N12 V14 E2 H6 H8 H7 V3 N10";
    q1_s1_deals_anew = DealsAnew, "S1",
        also "V9 H8 T6 A9 V5 R8 C5 C10 E1 S2 S4 S5 S6 S9 N1 N2 N6 N11 N12 N13 K4 V3 N10";
    q1_h1_hand_at_decision = HandAtDecision, "H1", also "V7";
    q1_c14_false_alarm = FalseAlarm, "C14", also "A4 C5 C6 C7 C8 C9 C15 H2 N1 N12 N13 V14 H8";
}

/// With two players, two views can differ in what each shows of the other player, and two entries can be anything. From its shape with three
/// players V8 knows that a byte is about the viewer itself, and that an axis of players must turn.
#[test]
fn q1_v8_two_players() {
    assert!(report_on_players(game::Defect::Nothing, 2).passed());
    found(&report_on_players(game::Defect::OwnSideIsPublic, 2), "V8", "");
    found(&report_on_players(game::Defect::AbsolutePlayers, 2), "V8", "V11");
}

/// H7 asks networks, and searches with one, too: an observation with another player's card changes what they choose.
#[test]
fn q1_h7_networks_see_what_is_hidden() {
    let report = report_of_check(game::Defect::HandInObservation, "H7");
    let failures = &report.check("H7").expect("it is in the report").failures;
    assert!(failures.iter().any(|failure| failure.message.contains("random.onnx` as player")), "{report}");
    assert!(report_of_check(game::Defect::Nothing, "H7").passed());
}

/// A search that is given the true state chooses by it, or finds other returns by it, or comes to other leaves.
#[test]
fn q1_h7_a_search_is_given_the_true_state() {
    let messages = |which| {
        let report = report_of_h7(which);
        let failures = &report.check("H7").expect("it is in the report").failures;
        failures.iter().map(|failure| failure.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(messages(Searches::None), Vec::<String>::new());
    for (which, who) in [
        (Searches::Agent, "`mcts:4,rollout=random` as player "),
        (Searches::Candidates, "a search as player "),
        (Searches::Leaves, "the leaves of a search as player "),
    ] {
        let failures = messages(which);
        let [failure] = &failures[..] else { panic!("one failure, of {which:?}: {failures:?}") };
        assert!(failure.starts_with(who), "{failure}");
        assert!(failure.contains("information hidden from it"), "{failure}");
    }
}

/// The deal alone is enough: no step is needed.
#[test]
fn q1_e3_deal_redacted() {
    let report = report_on_game(game::Defect::DealRedacted);
    found(&report, "E3", "");
    let failures = &report.check("E3").expect("it is in the report").failures;
    assert!(failures.iter().any(|failure| failure.message.contains("of the deal, `drawn`")), "{report}");
}

/// A failure that a hook of the game can explain names the hook.
#[test]
fn failures_name_the_missing_hook() {
    for (defect, id, hook) in [
        (game::Defect::RaiseRedacted, "E3", "`redacted`"),
        (game::Defect::DealRedacted, "E3", "`redacted`"),
        (game::Defect::RuleIsDead, "M8", "`unreached`"),
    ] {
        let report = report_on_game(defect);
        let failure = &report.check(id).expect("it is in the report").failures[0];
        assert!(failure.message.contains(&format!("the hook {hook}")), "{id}: {}", failure.message);
    }
}

mutants! { NAMED_BY_ENVIRONMENTS, report_on_env, env:
    q1_a3_mask_forgets = MaskForgets, "A3", also "A4 C7 N1 K4";
    q1_a1_mask_of_twos = MaskOfTwos, "A1", also "A3 C7 N1 K4";
    q1_a4_applies_illegal = AppliesIllegal, "A4", also "S4";
    q1_a4_refusal_draws = RefusalDraws, "A4", also "S4";
    q1_t3_idle_may_act = IdleMayAct, "T3", also "N1 K4";
    q1_a5_steps_after_end = StepsAfterEnd, "A5", also "A4 V6 R9";
    q1_a8_biased_sampler = BiasedSampler, "A8", also "A9";
    q1_r2_pays_twice = PaysTwice, "R2", also "R7 R8 N1";
    q1_r4_not_zero_sum = NotZeroSum, "R4", also "T6 R8 N1 N11";
    q1_r5_pays_early = PaysEarly, "R5", also "V7 C5 C15 N1 V14";
    q1_r6_pays_nan = PaysNan, "R6", also "A5 R2 R7 R8 N1";
    q1_t9_pays_cut = PaysCut, "T9", also "R8 N1 N11";
    q1_v5_looking_changes = LookingChanges, "V5", also "T6 V6 R8 C3 C4 N1 N2 N11 K4";
    q1_v6_any_player = AnyPlayer, "V6";
    q1_v7_hand_in_message_only = HandInRefusal, "V7";
    q1_c3_shared_clone = SharedClone, "C3", also "S4";
    q1_c5_forgets_generator = ForgetsGenerator, "C5", also "T6 C8 C9 N12 S12";
    q1_c5_forgets_streams = ForgetsStreams, "C5", also "C8 S12";
    q1_c5_forgets_counter = ForgetsCounter, "C5";
    q1_c6_loads_viewer = LoadsViewer, "C6";
    q1_c11_forgets_history = ForgetsHistory, "C11", also "S6";
    q1_e1_forgets_event = ForgetsEvent, "E1", also "V9";
    q1_e1_forgets_deal = ForgetsDeal, "E1";
    q1_s2_repeats = Repeats, "S2", also "S5 S12";
    q1_s6_other_seed = OtherSeed, "S6", also "N1 N11";
    q1_s11_sees_future = SeesFuture, "S11", also "C4 S12";
    q1_v9_key_forgets = KeyForgets, "V9";
    q1_v9_key_tells_seed = KeyTellsSeed, "V9";
    q1_a2_list_descends = ListDescends, "A2", also "T6 A3 A8 A9 S11";
    q1_c1_clone_forgets_history = CloneForgetsHistory, "C1", also "A4";
    q1_s5_reset_forgets_seed = ResetForgetsSeed, "S5", also "A9 R8 N1 N2 N11 K4";
    q1_t6_joint_is_deaf = JointIsDeaf, "T6", also "V7 R8 N1 N11 K4";
    q1_c10_replay_loses_last = ReplayLosesLast, "C10", also "C7 C11";
    q1_c12_old_replays = OldReplays, "C12";
    q1_v13_any_length = AnyLength, "V13";
    q1_c9_loads_garbage = LoadsGarbage, "C9";
    q1_c7_loaded_has_no_replay = LoadedHasNoReplay, "C7";
    q1_r3_pays_too_much = PaysTooMuch, "R3", also "T6 R7 R8 N1 N11";
    q1_r9_keeps_paid = KeepsPaid, "R9";
    q1_r7_other_scores = OtherScores, "R7";
    q1_c15_keeps_returns = KeepsReturns, "C15";
    q1_c8_ignores_derived = IgnoresDerived, "C8";
    q1_r1_pays_nobody = PaysNobody, "R1";
    q1_c2_clone_rerolls = CloneRerolls, "C2", also "A4 C1 C3 C5 C6 C7 E1 V14";
    q1_c4_clone_plays_on = ClonePlaysOn, "C4", also "A8 S11 V9";
    q1_s11_agents_see_future = AgentsSeeFuture, "S11";
    q1_s12_agents_play_the_deal = AgentsPlayTheDeal, "S12";
    q1_s12_clone_plays_the_deal = ClonePlaysTheDeal, "S12", also "V9";
    q1_s12_load_plays_the_deal = LoadPlaysTheDeal, "S12";
    q1_s12_sample_plays_the_deal = SamplePlaysTheDeal, "S12", also "V9";
    q1_s12_sample_sees_future = SampleSeesFuture, "S12", also "V9 H8";
    q1_h8_sample_sees_next_chance = SampleSeesNextChance, "H8", also "V9 S12";
    q1_s12_sample_forgets_sampling = SampleForgetsSampling, "S12", also "V9";
    q1_h8_sample_keeps_decisions = SampleKeepsDecisions, "H8", also "V9";
    q1_h8_sample_keeps_seed = SampleKeepsSeed, "H8", also "S12 V9";
    q1_v14_seed_in_text = SeedInText, "V14", also "V7";
    q1_v14_decisions_in_json = DecisionsInJson, "V14", also "V7 E1";
    q1_v7_refusal_lists_acting = RefusalListsActing, "V7";
    q1_v7_joint_refusal_lists_acting = JointRefusalListsActing, "V7";
    q1_v7_hand_in_joint_refusal = HandInJointRefusal, "V7";
    q1_s9_digest_drifts = DigestDrifts, "S9";
}

mutants! { NAMED_BY_BATCHES, report_on_batch, batch:
    q1_n2_drops_last_reward = DropsLastReward, "N2", also "R8 N1 N12";
    q1_n4_half_stepped = HalfStepped, "N4", also "N13";
    q1_n4_half_written = HalfWritten, "N4", also "N13";
    q1_r8_pays_cumulative = PaysCumulative, "R8", also "N1";
    q1_k4_other_players_mask = OtherPlayersMask, "K4", also "T6 S4 N1 N2 N4 N12 N13";
    q1_k4_other_observation = OtherObservation, "K4", also "S3 V3 N1";
    q1_s3_adds_seeds = AddsSeeds, "S3", also "N12 S12";
    q1_v12_stale_row = StaleByte, "V12", also "T6 V3 N1";
    q1_n2_final_everywhere = FinalEverywhere, "N2", also "N1";
    q1_n11_wrong_length = WrongLength, "N11", also "N1";
    q1_n12_opponent_changes = OpponentChanges, "N12";
    q1_n12_wrong_results = WrongResults, "N12";
    q1_n12_counts_per_opponent = CountsPerOpponent, "N12";
    q1_n12_forgets_passed_over = ForgetsPassedOver, "N12";
    q1_n12_other_learners_reward = OtherLearnersReward, "N12", also "N1";
    q1_n1_unpaired_final = UnpairedFinal, "N1";
    q1_n3_resets_all = ResetsAll, "N3", also "N1 N2 N5 N11 K4";
    q1_a9_draws_twice = DrawsTwice, "A9", also "N1";
    q1_s4_threads_matter = ThreadsMatter, "S4", also "A9";
    q1_s4_late_rows_unpaid = LateRowsUnpaid, "S4", also "N1";
    q1_n5_any_length = AnyLength, "N5";
    q1_n6_any_order = AnyOrder, "N6";
    q1_n1_wrong_flag = WrongFlag, "N1", also "N12";
    q1_n1_wrong_final_acting = WrongFinalActing, "N1";
    q1_n1_forgets_final_mask = ForgetsFinalMask, "N1";
    q1_n12_shows_passed_over = ShowsPassedOver, "N12";
    q1_n13_stays_refused = StaysRefused, "N13", also "N4";
    q1_v3_short_floats = ShortFloats, "V3", also "N1";
    q1_n10_bound_to_thread = BoundToThread, "N10";
}

mutants! { NAMED_BY_GENERATORS, report_on_draws, draws:
    q1_s8_remainder = Remainder, "S8", also "S10";
    q1_s8_swaps_anywhere = SwapsAnywhere, "S8", also "S10";
    q1_s8_moves_everything = MovesEverything, "S8", also "S10";
    q1_s10_skips_one = SkipsOne, "S10";
    q1_s10_shuffles_upward = ShufflesUpward, "S10";
}

/// An empty folder of this name, for golden playthroughs.
fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("cargo's folder is writable");
    folder
}

/// The report with the playthrough that the toy game has without a defect.
fn report_on_kept_playthrough(defect: env::Defect) -> Report {
    let folder = empty_folder(&format!("golden_{defect:?}"));
    write_playthrough(&folder).expect("cargo's folder is writable");
    report_on_playthrough(defect, &folder)
}

/// The report without any playthrough.
fn report_on_no_playthrough(defect: env::Defect) -> Report {
    report_on_playthrough(defect, &empty_folder("golden_none"))
}

mutants! { NAMED_BY_PLAYTHROUGHS, report_on_kept_playthrough, env:
    q1_m6_rewords = Rewords, "M6";
}

mutants! { NAMED_WITHOUT_PLAYTHROUGH, report_on_no_playthrough, env:
    q1_m6_no_playthrough = Nothing, "M6";
}

/// Every check has a mutant that it must find.
#[test]
fn q1_every_check_can_fail() {
    let named = [
        NAMED_BY_GAMES,
        NAMED_BY_ENVIRONMENTS,
        NAMED_BY_BATCHES,
        NAMED_BY_GENERATORS,
        NAMED_BY_PLAYTHROUGHS,
        NAMED_WITHOUT_PLAYTHROUGH,
    ]
    .concat();
    for check in CHECKS {
        assert!(named.contains(&check.id), "{} has no mutant", check.id);
    }
}
