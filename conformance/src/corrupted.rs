//! Saves with changes that no reader of a format expects: noise and changed bytes behind the checksum (C9), changed letters of a text (C8).

use super::fixture::{Fixture, panic_text};
use super::places::{Written, astray};
use super::play::{observation_of, play_on, visit};
use super::report::{Recorder, Trace};
use playmat_core::any::AnyEnv;
use playmat_core::error::{Error, Result};
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use playmat_core::save::{body_of, with_body};
use serde_json::Value;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `of` gives of the positions of some episodes, and the form of their documents.
fn saves<T>(
    fixture: &Fixture<'_>,
    id: &'static str,
    rec: &mut Recorder,
    of: impl Fn(&dyn AnyEnv, &Value) -> T,
) -> (Vec<T>, Written) {
    let (mut saved, mut written) = (Vec::new(), Written::states(fixture).within("state"));
    visit(fixture, id, rec, |env, _| {
        if let Ok(document) = env.to_json(None) {
            written.add(&document);
            saved.push(of(&**env, &document));
        }
    });
    rec.at(&Trace::start(fixture.config.seed));
    (saved, written)
}

/// Corrupted bytes: noise with the header of a state, and states with noise in them.
pub(crate) fn c9_bodies(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C9", rec) else { return };
    let mut draws = Rng::from_seed(0x4341);
    let (saved, written) = saves(fixture, "C9", rec, |env, _| env.to_bytes());
    let Some(longest) = saved.iter().map(|bytes| body_of(bytes).len() + 40).max() else { return };
    let values: Vec<u8> = (0..=255).collect();
    let mut found = Judged::default();
    for number in 0..fixture.config.corrupted {
        let base = &saved[draws.below(saved.len() as u32) as usize];
        let mut body = body_of(base).to_vec();
        if number % 2 == 0 {
            let len = draws.below(longest as u32) as usize;
            // Small numbers are more often what a field may hold.
            let most = [256, 16, 2][draws.below(3) as usize];
            body = (0..len).map(|_| draws.below(most) as u8).collect();
        } else {
            change_bytes(&mut body, &values, &mut draws);
        }
        let load = || game.env_from_bytes(&with_body(base, &body));
        found.judge("C9", &body, load, Some(&written), rec);
    }
    found.note("C9", "saves", rec);
}

/// Letters of saved texts, changed before anything is read.
pub(crate) fn c8_texts(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C8", rec) else { return };
    let (saved, _) = saves(fixture, "C8", rec, |_, document| document.to_string());
    let (mut draws, mut found) = (Rng::from_seed(0x4340), Judged::default());
    for number in 0..saved.len().min(1) * fixture.config.corrupted / 8 {
        let mut text = saved[number % saved.len()].clone().into_bytes();
        change_bytes(&mut text, br#"0123456789-.eE{}[]",:x\ntrufals"#, &mut draws);
        let Ok(text) = String::from_utf8(text) else { continue };
        let load = || game.env_from_json(&text, 1);
        // Keys have changed too, so that paths lead to places that no other document has.
        found.judge("C8", &text, load, None, rec);
    }
    found.note("C8", "texts", rec);
}

/// Changes a few bytes: other values, one more, one less, a piece twice.
fn change_bytes(bytes: &mut Vec<u8>, letters: &[u8], draws: &mut Rng) {
    for _ in 0..=draws.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = draws.below(bytes.len() as u32) as usize;
        let other = letters[draws.below(letters.len() as u32) as usize];
        match draws.below(6) {
            0 => bytes[at] = other,
            1 => bytes.insert(at, other),
            2 => drop(bytes.remove(at)),
            3 => {
                let end = (at + 1 + draws.below(12) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = draws.below(bytes.len() as u32) as usize;
                bytes.splice(to..to, piece);
            }
            4 => bytes[at] ^= 1 << draws.below(7),
            _ => bytes[at] = bytes[at].wrapping_add(1) & 0x7f,
        }
    }
}

/// What became of saves with changes.
#[derive(Debug, Default)]
struct Judged {
    refused: u64,
    accepted: u64,
}

impl Judged {
    /// A changed save is refused, with paths of the form that was written if there is one, or loaded; then it can be saved and played.
    fn judge(
        &mut self,
        id: &'static str,
        changed: &impl Debug,
        load: impl Fn() -> Result<Box<dyn AnyEnv>>,
        written: Option<&Written>,
        rec: &mut Recorder,
    ) {
        rec.saw(id, 1, 0, 0);
        let seed = self.refused + self.accepted;
        let outcome = catch_unwind(AssertUnwindSafe(|| -> Result<bool, String> {
            let mut env = match load() {
                Ok(env) => env,
                Err(Error::Unreadable { .. } | Error::WrongIdentity { .. }) => return Ok(false),
                Err(Error::InvalidState { problems }) => {
                    return match written.and_then(|written| astray(&problems, None, written)) {
                        Some(problem) => Err(format!("refused with a path that does not exist: {problem}")),
                        None => Ok(false),
                    };
                }
                Err(error) => return Err(format!("refused as {error}")),
            };
            let (game, saved) = (env.game(), env.to_bytes());
            if !game.env_from_bytes(&saved).is_ok_and(|again| again.to_bytes() == saved) {
                return Err("loaded, but its own save is not".into());
            }
            for player in Player::all(env.info().players) {
                observation_of(&*env, player);
            }
            play_on(&mut *env, &mut Rng::from_seed(seed), if seed.is_multiple_of(16) { 300 } else { 3 })?;
            match env.validate().first() {
                Some(problem) => Err(format!("loaded, but is invalid after some moves: {problem}")),
                None => Ok(true),
            }
        }));
        match outcome {
            Ok(Ok(true)) => self.accepted += 1,
            Ok(Ok(false)) => self.refused += 1,
            Ok(Err(message)) => rec.fail(id, format!("corrupted {changed:?}: {message}")),
            Err(panic) => {
                let why = panic_text(&*panic);
                rec.fail(id, format!("corrupted {changed:?} panics: {why}"));
            }
        }
    }

    /// Says how many there were. Of many changes some are to what may be anything, such as a generator: where none is accepted, or none
    /// refused, the changes do not reach the game's reader.
    fn note(&self, id: &'static str, what: &str, rec: &mut Recorder) {
        let Judged { refused, accepted } = self;
        let (some, both) = (*refused > 0 && *accepted > 0, refused + accepted);
        rec.claim(id, some || both < 1_000, || {
            format!(
                "of {both} corrupted {what} {refused} are refused and {accepted} accepted; both must occur"
            )
        });
        rec.note(id, format!("{refused} corrupted {what} refused, {accepted} accepted and played"));
    }
}
