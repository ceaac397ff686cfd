//! The smallest and the largest final score that the metadata promises.

use crate::fixture::{CONTENT, configured, load};
use playmat_core::game::{Game, Status};
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::state::{Kind, State};
use serde_json::{Map, Value, json};

/// Plays an episode; `choose` says what a player does. Returns the final scores.
fn scores(game: &Graft, seed: u64, mut choose: impl FnMut(&State, Player, &mut Rng) -> Action) -> Vec<i32> {
    let (mut rng, mut draws) = (Rng::from_seed(seed), Rng::from_seed(seed ^ 0xb0));
    let mut state = game.deal(&mut rng, &mut Silent);
    while let Some(player) = game.acting(&state).first() {
        let action = choose(&state, player, &mut draws);
        game.apply(&mut state, player, action, &mut rng, &mut Silent);
    }
    game.scores(&state)[..game.players()].to_vec()
}

/// All play for player 0: it makes its row as dear as it can and the others ship, so that there are cards for everybody.
fn together(game: &Graft, state: &State, player: Player, draws: &mut Rng) -> Action {
    let legal = game.legal(state, player);
    let ship = Action(game.kinds() as u16);
    if player.0 != 0 && legal.contains(ship) {
        return ship;
    }
    if player.0 != 0 {
        return draws.pick(&legal);
    }
    let row = &state.rows[0];
    let value = |action: &Action| match usize::from(action.0) {
        kind if kind < game.kinds() => {
            let kind = Kind(kind as u8);
            let busts = !game.is_legal(row, kind) && row.len > 0;
            game.after(row, kind, &state.slots).score - if busts { 100 } else { 0 }
        }
        _ => -1000,
    };
    legal.iter().max_by_key(value).unwrap()
}

/// The worst that a player can do: whatever costs points, alone and shipped.
fn badly(game: &Graft, state: &State, player: Player, draws: &mut Rng) -> Action {
    let legal = game.legal(state, player);
    let ship = Action(game.kinds() as u16);
    if legal.contains(ship) && draws.below(3) > 0 {
        return ship;
    }
    let value = |action: &Action| match usize::from(action.0) {
        kind if kind < game.kinds() => {
            game.after(&state.rows[player.index()], Kind(kind as u8), &state.slots).score
        }
        _ => 0,
    };
    legal.iter().min_by_key(value).unwrap()
}

fn inside(game: &Graft, seed: u64, seen: &mut (i32, i32)) {
    let (least, most) = game.info().score_range;
    for way in 0..4 {
        let found = scores(game, seed, |state, player, draws| match way {
            0 => draws.pick(&game.legal(state, player)),
            1 => game.greedy(state, player, draws),
            2 => together(game, state, player, draws),
            _ => badly(game, state, player, draws),
        });
        for score in found {
            assert!(
                (least..=most).contains(&score),
                "seed {seed}, way {way}: {score} outside {least} to {most}"
            );
            *seen = (seen.0.min(score), seen.1.max(score));
        }
    }
}

#[test]
fn no_way_to_play_leaves_the_bounds() {
    for players in 2..=5 {
        let game = configured(&json!({"players": players})).game.clone();
        let mut seen = (i32::MAX, i32::MIN);
        for seed in 0..60 {
            inside(&game, seed, &mut seen);
        }
        assert!(seen.1 > 90, "players who help each other get far: {seen:?}");
    }
}

#[test]
fn bounds_hold_for_contents_with_other_points() {
    let mut draws = Rng::from_seed(0x9a);
    let (mut ranges, mut wide) = (std::collections::BTreeSet::new(), (i32::MAX, i32::MIN));
    for number in 0..24 {
        // Every `points` and every `else` is drawn anew; some contents pay little for anything, some nothing but losses.
        let span = [3, 20, 20][number % 3];
        let shift = [0, 0, -15][number % 3];
        let mut text = String::new();
        for (i, piece) in CONTENT.split_inclusive(['{', ',', ' ']).enumerate() {
            let digits = piece.trim_end_matches([',', ' ', '{']);
            let before = text.trim_end().to_string();
            let counted = before.ends_with("points =") || before.ends_with("else =");
            if counted && digits.parse::<i32>().is_ok() && i > 0 {
                let value = (draws.below(2 * span + 1) as i32 - span as i32 + shift).clamp(-20, 20);
                text.push_str(&piece.replace(digits, &value.to_string()));
            } else {
                text.push_str(piece);
            }
        }
        let players = 2 + number % 4;
        let game = configured(&json!({"players": players, "content": text})).game.clone();
        assert!(ranges.insert(game.info().score_range), "the contents differ");
        for seed in 0..8 {
            inside(&game, seed, &mut wide);
        }
    }
    assert!(wide.0 < -60 && wide.1 > 250, "{wide:?}");
}

/// A finished game of three: player 0 has completed `rows`, the others one card at a time.
fn finished(rows: &[&str], badges: &str, claims: Value) -> Vec<i32> {
    let game = configured(&json!({})).game.clone();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| crate::fixture::ids(row)).collect();
    let mut rest: Vec<String> = Vec::new();
    for kind in (0..game.kinds() as u8).map(Kind) {
        let id = &game.text(kind).id;
        let used = rows.iter().flatten().filter(|other| *other == id).count();
        rest.extend(std::iter::repeat_n(id.clone(), usize::from(game.deck().0[kind.index()]) - used));
    }
    let of = |rows: Vec<Vec<String>>, claims: Value| json!({"hand": [], "row": [], "compost": {}, "completed": rows, "claims": claims});
    let mut players = vec![of(rows, claims)];
    players.extend(rest.chunks(18).map(|own| of(own.iter().map(|id| vec![id.clone()]).collect(), json!({}))));
    let state = json!({
        "turn": 17, "phase": "end", "badges": crate::fixture::ids(badges), "taken": [], "pile": Map::new(),
        "players": players,
    });
    let env = load(&json!({}), &state, 1);
    assert_eq!(env.status(), Status::Terminated);
    env.scores()[..3].to_vec()
}

#[test]
fn positions_come_near_the_bounds() {
    let (least, most) = configured(&json!({})).game.info().score_range;
    // Eighteen cards in one row: 234 points, and a badge of 10.
    let row = "glass_pear sleepgrass twin_gyro comet_grape cloud_cabbage packed_lunch moonberry z_coin honeybug moonberry \
               honeyfig honeybug sun_melon crown_pomelo creeping_vine pack_mule grazer puffball";
    let badges = "full_manifest grand_tour mixed_crate hard_currency even_load";
    let best = finished(&[row], badges, json!({"grand_tour": 10}))[0];
    assert_eq!(best, 244);
    assert!((best..=best * 6 / 5).contains(&most), "{best} of {most}");
    // The two bars, each alone, and sixteen cards that are worth as little as there are.
    let poor = "energy_bar energy_bar glass_pear replant replant creeping_vine puffball slime_mold slime_mold grazer \
                swarm_mite recycle recycle pocket_reactor twin_gyro star_plum rootling beacon";
    let rows: Vec<&str> = poor.split_whitespace().collect();
    let worst = finished(&rows, badges, json!({}))[0];
    assert_eq!(worst, -1);
    assert!((worst - 4..=worst).contains(&least), "{worst} of {least}");
}
