//! S7: the listed outcomes of chance are those that play draws.

use super::fixture::Fixture;
use super::report::{Recorder, Trace};
use super::stats;
use playmat_core::game::{MOST_OUTCOMES, Outcomes};
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::State;

/// Runs the check.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let (mut lists, mut sampled) = (0, false);
    rec.at(&Trace::start(fixture.config.seed));
    if let Some(listed) = game.deal_outcomes() {
        rec.saw("S7", 1, 0, 0);
        lists += usize::from(listed.len() > 1);
        compare("the deal", &listed, fixture.config.samples, rec, |rng| game.deal(rng));
    } else {
        sampled = true;
    }
    // Chance events cost many draws; an action without chance costs two.
    let mut events = 0;
    for position in fixture.decisions("S7", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in game.acting(position.state()).iter().take(2) {
            for action in fixture.legal(position.state(), player).into_iter().take(12) {
                let Some(listed) = game.outcomes(position.state(), player, action) else {
                    sampled = true;
                    continue;
                };
                rec.saw("S7", 1, 1, 1);
                let by_chance = listed.len() > 1;
                events += usize::from(by_chance);
                if by_chance && events > fixture.config.positions {
                    continue;
                }
                lists += usize::from(by_chance);
                let samples = if by_chance { fixture.config.samples } else { 2 };
                compare(&format!("action {action}"), &listed, samples, rec, |rng| {
                    let mut next = position.state().clone();
                    game.apply(&mut next, player, action, rng);
                    next
                });
            }
        }
    }
    rec.at(&Trace::start(fixture.config.seed));
    rec.claim("S7", !(fixture.info().lists_chance && sampled), || {
        "lists_chance is declared true, and some chance is not listed".into()
    });
    rec.claim("S7", fixture.info().lists_chance || sampled || lists == 0, || {
        "lists_chance is declared false, and all chance that was seen is listed".into()
    });
    if lists == 0 && (fixture.random_deal || fixture.later_chance) {
        rec.not_applicable("S7", "chance is sampled: the game lists no outcomes");
    }
}

/// Compares a list with draws.
fn compare(
    what: &str,
    listed: &Outcomes<State>,
    samples: usize,
    rec: &mut Recorder,
    draw: impl Fn(&mut Rng) -> State,
) {
    let sum: f64 = listed.iter().map(|(_, p)| p).sum();
    rec.claim("S7", (sum - 1.0).abs() < 1e-9, || {
        format!("the outcomes of {what} have probability {sum} in sum")
    });
    rec.claim("S7", listed.iter().all(|(_, p)| *p > 0.0 && *p <= 1.0), || {
        format!("an outcome of {what} has a probability that is not above 0 and at most 1")
    });
    rec.claim("S7", listed.len() <= MOST_OUTCOMES, || {
        format!("{} outcomes of {what} are listed; allowed: {MOST_OUTCOMES}", listed.len())
    });
    // Lists are short where states are compared in pairs.
    let twice = |place: usize| listed[..place].iter().any(|(state, _)| *state == listed[place].0);
    rec.claim("S7", !(0..listed.len().min(500)).any(twice), || {
        format!("an outcome of {what} is listed twice")
    });
    let mut counts = vec![0u64; listed.len()];
    for number in 0..samples as u64 {
        let drawn = draw(&mut Rng::from_seed(derive(0x5337, number)));
        match listed.iter().position(|(state, _)| *state == drawn) {
            Some(place) => counts[place] += 1,
            None => return rec.fail("S7", format!("{what} leads to an outcome that is not listed")),
        }
    }
    let probabilities: Vec<f64> = listed.iter().map(|(_, p)| *p).collect();
    if let Err((chi, limit)) = stats::fits(&counts, &probabilities) {
        rec.fail("S7", format!("outcomes of {what}: chi-square {chi:.1}, limit {limit:.1}"));
    }
}
