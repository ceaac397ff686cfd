//! The report of the suite: per check its coverage and its failures, with a command to reproduce each.

use super::catalogue::{CHECKS, Coverage, entry};
use playmat_core::player::{Action, Player};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Number of failures per check that are listed; all are counted.
pub(crate) const KEPT_FAILURES: usize = 3;

/// Players in a message, by their numbers.
pub(crate) fn player_text(players: impl IntoIterator<Item = Player>) -> String {
    let numbers: Vec<String> = players.into_iter().map(|player| player.to_string()).collect();
    match numbers.len() {
        0 => "no player".into(),
        1 => format!("player {}", numbers[0]),
        _ => format!("players {}", numbers.join(", ")),
    }
}

/// A viewer in a message: a player, or everyone with the complete view.
pub(crate) fn viewer_text(viewer: Option<Player>) -> String {
    viewer.map_or_else(|| "the complete view".into(), |viewer| format!("viewer {viewer}"))
}

/// An episode and a point in it.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Seed of the episode.
    pub seed: u64,
    /// Choices of the episode, perhaps beyond the point.
    pub choices: Arc<Vec<(Player, Action)>>,
    /// Choices up to the point.
    pub len: usize,
}

impl Trace {
    /// The beginning of the episode of a seed.
    pub fn start(seed: u64) -> Trace {
        Trace { seed, ..Trace::default() }
    }

    /// A point after these choices.
    pub fn after(seed: u64, choices: &[(Player, Action)]) -> Trace {
        Trace { seed, choices: Arc::new(choices.to_vec()), len: choices.len() }
    }

    /// Actions up to the point.
    pub fn actions(&self) -> Vec<u16> {
        self.choices[..self.len].iter().map(|(_, action)| action.0).collect()
    }
}

/// One failure of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Seed of the episode.
    pub seed: u64,
    /// Actions up to the failure, in the turn view.
    pub actions: Vec<u16>,
    /// What is wrong.
    pub message: String,
    /// Command that shows the position.
    pub command: String,
}

/// The result of one check.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Check {
    /// Identifier.
    pub id: &'static str,
    /// What must hold.
    pub title: &'static str,
    /// Positions seen.
    pub states: u64,
    /// Pairs of position and player seen.
    pub players: u64,
    /// Actions seen.
    pub actions: u64,
    /// Number of failures.
    pub failed: u64,
    /// The first of them.
    pub failures: Vec<Failure>,
    /// Why the check does not apply to this game, or cannot be made here.
    pub not_applicable: Option<String>,
    /// The missing hook of the check: nothing was checked, although the check may apply.
    pub not_given: Option<String>,
    /// Notes that are not failures.
    pub notes: Vec<String>,
}

/// The whole result for one configured game.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Game.
    pub game: String,
    /// Its version.
    pub version: u32,
    /// Options that differ from the defaults, and the players.
    pub options: Value,
    /// Checks in the order of the catalogue.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.failed == 0)
    }

    /// Identifiers of the checks that failed.
    pub fn failing(&self) -> Vec<&'static str> {
        self.checks.iter().filter(|check| check.failed > 0).map(|check| check.id).collect()
    }

    /// The result of one check.
    pub fn check(&self, id: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.id == id)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} version {} {}", self.game, self.version, self.options)?;
        self.checks.iter().try_for_each(|check| write!(f, "{check}"))
    }
}

/// The checks of a report that failed or were not given, and how many others passed.
#[derive(Debug)]
pub(super) struct Findings<'a>(pub(super) &'a Report);

impl fmt::Display for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Findings(report) = self;
        writeln!(f, "{} version {} {}", report.game, report.version, report.options)?;
        let shown = |check: &&Check| check.failed > 0 || check.not_given.is_some();
        report.checks.iter().filter(shown).try_for_each(|check| write!(f, "{check}"))?;
        let others = report.checks.iter().filter(|check| !shown(check) && check.not_applicable.is_none());
        writeln!(f, "  {} other checks passed", others.count())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { id, title, states, players, actions, failed, .. } = self;
        if let Some(reason) = &self.not_applicable {
            return writeln!(f, "  {id:<4} not applicable: {reason}");
        }
        if let Some(hook) = &self.not_given {
            return writeln!(f, "  {id:<4} not given: {hook}");
        }
        let verdict = if *failed == 0 { "ok  " } else { "FAIL" };
        writeln!(f, "  {id:<4} {verdict} states {states}, players {players}, actions {actions}: {title}")?;
        for failure in &self.failures {
            writeln!(f, "         {}", failure.message.replace('\n', "\n         "))?;
            writeln!(f, "         seed {}, actions {:?}", failure.seed, failure.actions)?;
            writeln!(f, "         {}", failure.command)?;
        }
        if *failed > self.failures.len() as u64 {
            writeln!(f, "         and {} more", failed - self.failures.len() as u64)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "         note: {note}"))
    }
}

/// Collects the results while the suite runs.
#[derive(Debug)]
pub struct Recorder {
    report: Report,
    index: BTreeMap<&'static str, usize>,
    here: Trace,
}

impl Recorder {
    /// An empty report.
    pub fn new(game: &str, version: u32, options: Value) -> Recorder {
        let blank = |entry: &super::catalogue::CheckSpec| Check {
            id: entry.id,
            title: entry.title,
            ..Check::default()
        };
        Recorder {
            report: Report {
                game: game.into(),
                version,
                options,
                checks: CHECKS.iter().map(blank).collect(),
            },
            index: CHECKS.iter().enumerate().map(|(i, entry)| (entry.id, i)).collect(),
            here: Trace::default(),
        }
    }

    /// Sets the current trace, which later failures report.
    pub fn at(&mut self, trace: &Trace) {
        self.here = trace.clone();
    }

    fn slot(&mut self, id: &'static str) -> &mut Check {
        let at = self.index[entry(id).id];
        &mut self.report.checks[at]
    }

    /// Adds to the coverage of a check.
    pub fn saw(&mut self, id: &'static str, states: usize, players: usize, actions: usize) {
        let check = self.slot(id);
        check.states += states as u64;
        check.players += players as u64;
        check.actions += actions as u64;
    }

    /// Records a failure at the current trace.
    pub fn fail(&mut self, id: &'static str, message: impl Into<String>) {
        let here = self.here.clone();
        let kept = self.slot(id).failures.len();
        self.slot(id).failed += 1;
        if kept < KEPT_FAILURES {
            let mut message: String = message.into();
            if let Some((cut, _)) = message.char_indices().nth(1200) {
                message.truncate(cut);
                message.push_str(" ...");
            }
            let command = self.command(&here);
            let failure = Failure { seed: here.seed, actions: here.actions(), message, command };
            self.slot(id).failures.push(failure);
        }
    }

    /// Records a failure if `holds` is false.
    pub fn claim(&mut self, id: &'static str, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.fail(id, message());
        }
    }

    /// Marks a check as not applicable, with the reason.
    pub fn not_applicable(&mut self, id: &'static str, reason: impl Into<String>) {
        self.slot(id).not_applicable = Some(reason.into());
    }

    /// Marks a check as not given, with the missing hook.
    pub fn not_given(&mut self, id: &'static str, hook: impl Into<String>) {
        self.slot(id).not_given = Some(hook.into());
    }

    /// Adds a note, at most ten per check.
    pub fn note(&mut self, id: &'static str, text: impl Into<String>) {
        let (notes, text) = (&mut self.slot(id).notes, text.into());
        if notes.len() < 10 && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// The command that shows a position.
    fn command(&self, trace: &Trace) -> String {
        let actions: Vec<String> = trace.actions().iter().map(u16::to_string).collect();
        let options = self.report.options.to_string().replace('\'', "'\\''");
        format!(
            "playmat replay --game {} --options '{options}' --seed {} --actions {}",
            self.report.game,
            trace.seed,
            if actions.is_empty() { "''".into() } else { actions.join(",") }
        )
    }

    /// Closes the report: a check without the coverage it needs fails. `selected` tells which checks were to run.
    pub fn finish(mut self, selected: impl Fn(&str) -> bool) -> Report {
        self.here = Trace::default();
        for entry in CHECKS.iter().filter(|entry| selected(entry.id)) {
            let check = self.slot(entry.id);
            if (check.not_applicable.is_some() || check.not_given.is_some()) && check.failed == 0 {
                continue;
            }
            (check.not_applicable, check.not_given) = (None, None);
            let enough = match entry.needs {
                Coverage::States => check.states > 0,
                Coverage::Players => check.players > 0,
                Coverage::Actions => check.actions > 0,
                Coverage::All => check.states > 0 && check.players > 0 && check.actions > 0,
            };
            let (states, players, actions) = (check.states, check.players, check.actions);
            if !enough && check.failed == 0 {
                self.fail(
                    entry.id,
                    format!("saw too little: states {states}, players {players}, actions {actions}"),
                );
            }
        }
        self.report.checks.retain(|check| selected(check.id));
        self.report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use playmat_core::env::{ConfiguredGame, Env};
    use playmat_core::player::Players;
    use playmat_core::toy::Toll;
    use serde_json::json;

    /// Words of a command, as a shell splits them.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
        let mut letters = command.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\'' => {
                    quoted = !quoted;
                    word.get_or_insert_default();
                }
                '\\' if !quoted => word.get_or_insert_default().extend(letters.next()),
                ' ' if !quoted => words.extend(word.take()),
                other => word.get_or_insert_default().push(other),
            }
        }
        words.extend(word);
        words
    }

    /// The command that a failure at a point of an episode comes with.
    fn command(options: Value, trace: &Trace) -> String {
        let mut recorder = Recorder::new("toll", 1, options);
        recorder.at(trace);
        recorder.fail("A4", "wrong");
        recorder.finish(|id| id == "A4").check("A4").unwrap().failures[0].command.clone()
    }

    #[test]
    fn q3_the_command_reproduces_the_position() {
        let options = json!({"players": 3, "swaps": false});
        let make = |given: &Value| {
            Arc::new(ConfiguredGame::<Toll>::new(given.as_object().unwrap()).expect("allowed options"))
        };
        let mut env = Env::new(make(&options), u64::MAX);
        for _ in 0..4 {
            let action = env.sample_action(env.current_player().unwrap()).unwrap();
            env.step(action.0.into()).unwrap();
        }
        let words = words(&command(options, &Trace::after(u64::MAX, env.history())));
        // These are the flags of the command line, in this order; it is tested there with such a command.
        let [a, b, game_flag, game, options_flag, options, seed_flag, seed, actions_flag, actions] =
            &words[..]
        else {
            panic!("{words:?}");
        };
        assert_eq!([a, b, game], ["playmat", "replay", "toll"]);
        let flags = [game_flag, options_flag, seed_flag, actions_flag];
        assert_eq!(flags, ["--game", "--options", "--seed", "--actions"]);
        let mut again = Env::new(make(&serde_json::from_str(options).unwrap()), seed.parse().unwrap());
        for action in actions.split(',') {
            again.step(action.parse().unwrap()).unwrap();
        }
        assert_eq!(again.state(), env.state());
    }

    #[test]
    fn messages_name_players_by_their_numbers() {
        assert_eq!(player_text(None), "no player");
        assert_eq!(player_text(Some(Player(1))), "player 1");
        assert_eq!(player_text(Players(0b101).iter()), "players 0, 2");
        assert_eq!([None, Some(Player(3))].map(viewer_text), ["the complete view", "viewer 3"]);
    }

    #[test]
    fn q3_quotes_and_empty_actions_survive_a_shell() {
        let options = json!({"content": "it's\n'#'"});
        let words = words(&command(options.clone(), &Trace::start(0)));
        assert_eq!(serde_json::from_str::<Value>(&words[5]).unwrap(), options);
        assert_eq!(words[8..], ["--actions", ""]);
    }
}
