//! Scores and badges of rows that play need not reach, against the reference (GR-R20, R21, Q12).

use crate::fixture::{CONTENT, Position, configured};
use crate::reference::Reference;
use playmat_core::prelude::Rng;
use playmat_graft::Graft;
use playmat_graft::state::{Kind, Row};
use serde_json::json;

/// A row of these kinds, through the loader of positions if it is legal, else only its score.
fn row_of(game: &Graft, kinds: &[usize], slots: [u8; 5]) -> Row {
    game.row(&kinds.iter().map(|&kind| Kind(kind as u8)).collect::<Vec<_>>(), &slots)
}

#[test]
fn gr_r20_r20m_r21_scores_and_badges_are_those_of_a_plain_reading() {
    let (reference, game) = (Reference::new(CONTENT, ""), configured(&json!({})).game.clone());
    let mut draws = Rng::from_seed(4);
    let (mut met, mut scored) = ([0; 24], 0);
    for round in 0..40_000 {
        let length = 1 + draws.below(10) as usize;
        // Short alphabets make badges of one type.
        let from = if round % 3 == 0 { draws.below(38) } else { 0 };
        let width = if round % 3 == 0 { 6 } else { 44 };
        let row: Vec<usize> = (0..length).map(|_| (from + draws.below(width)) as usize).collect();
        let gold = draws.below(10) as u8;
        let silver = 11 + draws.below(11) as u8;
        let slots = [gold, gold + 1, silver, silver + 1, silver + 2];
        let own = row_of(&game, &row, slots);
        assert_eq!(i64::from(own.score), reference.score(&row), "{row:?}");
        scored += own.score;
        for (slot, &badge) in slots.iter().enumerate() {
            let meets = reference.meets(&row, badge.into());
            assert_eq!(own.met >> slot & 1 != 0, meets, "{row:?} {}", game.badge_text(badge).id);
            met[usize::from(badge)] += u32::from(meets);
        }
    }
    assert!(scored > 0 && met.iter().all(|&count| count > 20), "{met:?}");
}

#[test]
fn gr_r20_the_default_content_uses_every_icon_twice() {
    let game = configured(&json!({})).game.clone();
    let all: Vec<&str> = (0..44u8).flat_map(|kind| game.text(Kind(kind)).icons.concat()).collect();
    for icon in [
        "points",
        "cards",
        "types",
        "left",
        "right",
        "specific card",
        "or",
        "if",
        "unique",
        "multiply",
        "next",
        "even",
    ] {
        assert!(all.iter().filter(|&&other| other == icon).count() >= 2, "{icon}");
    }
}

#[test]
fn gr_r20l_q12_regions_and_the_card_itself() {
    let score = |cards: &str| Position::of(3, 5).row(0, cards).load().state().rows[0].score;
    assert_eq!(score("lantern_moss"), 2, "in the row a card counts itself");
    assert_eq!(score("swarm_mite"), 0, "to the right of it is nothing");
    assert_eq!(score("swarm_mite honeybug rootling"), 3 * 2 + 1, "only what is right of it");
    assert_eq!(score("star_plum"), 1, "next to the last card is nothing");
    assert_eq!(score("star_plum rootling"), 5 + 1);
    assert_eq!(score("creeping_vine"), 0);
}

#[test]
fn gr_r20m_a_card_to_the_right_can_come_later() {
    let mut env = Position::of(3, 5).row(0, "beacon").hand(0, "z_coin").load();
    assert_eq!(env.state().rows[0].score, 1);
    crate::fixture::play(&mut env, 0, "z_coin");
    crate::fixture::others_play(&mut env);
    assert_eq!(env.state().rows[0].score, 6 + 1);
}

#[test]
fn gr_r21_r21a_reversing_a_row_never_changes_what_it_meets() {
    let game = configured(&json!({})).game.clone();
    let mut draws = Rng::from_seed(9);
    for _ in 0..4000 {
        let mut row: Vec<usize> = (0..1 + draws.below(9)).map(|_| draws.below(44) as usize).collect();
        let slots = [
            draws.below(5) as u8,
            5 + draws.below(6) as u8,
            11 + draws.below(4) as u8,
            15 + draws.below(4) as u8,
            19 + draws.below(5) as u8,
        ];
        let met = row_of(&game, &row, slots).met;
        row.reverse();
        assert_eq!(row_of(&game, &row, slots).met, met);
    }
}
