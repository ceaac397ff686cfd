//! The observation segment by segment, and draws kind by kind: written plainly from the state, beside the engine's forms, whose steps work on
//! several places at once.

use crate::fixture::{observed, variants, visit_halves};
use playmat_core::game::Game;
use playmat_core::player::Player;
use playmat_gravitix::Gravitix;
use playmat_gravitix::map::{Cell, CellSet, SLOTS};
use playmat_gravitix::state::{Pending, Phase, State};

/// One byte of `len` is 1, or none.
fn mark(len: usize, place: Option<usize>) -> Vec<u8> {
    (0..len).map(|k| u8::from(Some(k) == place)).collect()
}

/// What a segment of `len` bytes must hold.
fn expected(
    game: &Gravitix,
    state: &State,
    counts_sailed: bool,
    viewer: usize,
    name: &str,
    len: usize,
) -> Vec<u8> {
    let (own, other) = (viewer, 1 - viewer);
    let (alone, payment) = (game.players() == 1, &state.payment);
    let count = |cards: &[u8]| cards.iter().sum::<u8>();
    let zones = [&state.hands[own], &state.decks[own], &state.hands[other], &state.decks[other]];
    if let Some((slot, part)) = name.strip_prefix("island").and_then(|rest| rest.split_once('_'))
        && let Ok(slot) = slot.parse::<usize>()
    {
        let face = game.face(state, slot);
        let distance = |player: usize| game.map().distance(state.ships[player], state.cells[slot]);
        let paid = |resource: usize| {
            let each = game.kinds().iter().zip(state.hands[own]);
            each.map(|(kind, count)| u32::from(kind.values[resource] * count)).sum::<u32>()
        };
        let lack = |resource: usize| u32::from(face.demand[resource]).saturating_sub(paid(resource));
        return match part {
            "place" => mark(len, Some(face.places[usize::from(state.is_turned(slot))].into())),
            "points" => vec![face.points],
            "cards" => vec![face.cards],
            "demand" => face.demand.to_vec(),
            "ability" => mark(len, face.ability.map(|ability| ability as usize)),
            "colour" => mark(len, face.colour.map(usize::from)),
            "own" => vec![u8::from(state.owner(slot) == Some(Player(own as u8)))],
            "others" => vec![u8::from(state.owner(slot) == Some(Player(other as u8)))],
            "doubled" => vec![(state.doubled >> slot & 1) as u8],
            "distance" => vec![distance(own)],
            "other_distance" => vec![distance(other)],
            "lack" => vec![(lack(0) + lack(1) + lack(2)) as u8],
            _ => panic!("{name}"),
        };
    }
    let ship = |player: usize| mark(len, state.ships[player].is_some().then(|| state.ships[player].index()));
    let stock = |player: usize| {
        let markers = |set: u16| (0..SLOTS).filter(|slot| set >> slot & 1 != 0).count() as u8;
        12 - markers(state.owned[player]) - markers(state.owned[player] & state.doubled)
    };
    // GX-R9: points of islands, twice with two markers, and for n islands of a colour 1 + 2 + ... + n.
    let points = |player: usize| {
        let own = || (0..SLOTS).filter(|slot| state.owned[player] >> slot & 1 != 0);
        let islands = own().map(|slot| {
            u32::from(game.face(state, slot).points) * (1 + u32::from(state.doubled >> slot & 1))
        });
        let colours = (0..game.colours().len() as u8).map(|colour| {
            let of_colour =
                own().filter(|&slot| game.face(state, slot).colour == Some(colour)).count() as u32;
            (1..=of_colour).sum::<u32>()
        });
        islands.chain(colours).sum::<u32>().min(64) as u8
    };
    // What a payment in course does not use is 0 outside of one.
    match name {
        "phase" => {
            let decides = match state.phase {
                Phase::Lose => usize::from(state.turn.0) == other,
                Phase::End => false,
                _ => usize::from(state.turn.0) == viewer,
            };
            mark(len, decides.then_some(state.phase as usize))
        }
        "my_turn" => vec![u8::from(state.phase != Phase::End && usize::from(state.turn.0) == viewer)],
        "stock" => vec![stock(own), if alone { 0 } else { stock(other) }],
        "scores" if alone => vec![(0..SLOTS).filter(|&slot| state.owner(slot).is_some()).count() as u8, 0],
        "scores" => vec![points(own), points(other)],
        "counted" if !alone => vec![0],
        "counted" if counts_sailed => vec![state.sailed[own]],
        "counted" => vec![count(&state.discards[own])],
        "pending" => [own, other]
            .into_iter()
            .flat_map(|player| {
                mark(len / 2, Pending::ALL.iter().position(|&effect| effect == state.pending[player]))
            })
            .collect(),
        "range" => vec![state.range],
        "due" => payment.due.to_vec(),
        "payment_doubled" => vec![payment.doubled.into()],
        "payment_pair_left" => vec![payment.pair_left],
        "payment_units_left" => vec![payment.units_left],
        "payment_pair_first" => mark(len, usize::from(payment.pair_first).checked_sub(1)),
        "payment_uses" => vec![payment.shifts, payment.exchanges],
        "payment_started" => vec![payment.started.into()],
        "payment_exchange" => mark(len, payment.exchange.map(|pair| usize::from(pair.0))),
        "swap_left" => vec![state.swap_left],
        "hand" => state.hands[own][..len].to_vec(),
        "own_deck" => state.decks[own][..len].to_vec(),
        "other_unseen" => (0..len).map(|kind| state.hands[other][kind] + state.decks[other][kind]).collect(),
        "sizes" => zones.map(|cards| count(cards)).to_vec(),
        "island_distance" => {
            let pairs = (0..SLOTS * SLOTS).map(|at| (state.cells[at / SLOTS], state.cells[at % SLOTS]));
            pairs.map(|(from, to)| game.map().distance(from, to)).collect()
        }
        "own_ship" => ship(own),
        "other_ship" => ship(other),
        _ => panic!("{name}"),
    }
}

#[test]
fn segments_hold_what_the_state_says() {
    let (mut owned, mut doubled) = (0, 0);
    for (seed, mut options) in variants().into_iter().enumerate() {
        let players = if options["players"] == 1 { 1 } else { 2 };
        let counts_sailed = players == 1 && seed % 2 == 0;
        if counts_sailed {
            options["puzzle_counts"] = "sailed".into();
        }
        visit_halves(&options, seed as u64, |env| {
            let (game, state) = (&env.configured().game, env.state());
            for viewer in 0..players {
                let bytes = observed(game, state, viewer as u8);
                for segment in &env.configured().game.info().observation.segments {
                    let got = &bytes[segment.offset..segment.offset + segment.len()];
                    let expected = expected(game, state, counts_sailed, viewer, &segment.name, segment.len());
                    assert_eq!(got, expected, "{} for {viewer}, {options}", segment.name);
                }
            }
            owned += u32::from(state.marked() != 0);
            doubled += u32::from(state.doubled != 0);
        });
    }
    assert!(owned > 1_000 && doubled > 10, "{owned} positions with markers, {doubled} with two on an island");
}

#[test]
fn a_set_of_one_cell_holds_that_cell() {
    for cell in (0..=u8::MAX).map(Cell) {
        let expected = if cell.index() < 192 { vec![cell] } else { Vec::new() };
        assert_eq!(CellSet::one(cell).iter().collect::<Vec<_>>(), expected);
    }
}
