//! The page of each game, `rules/<game>.md`, names every field of the JSON of its positions and every event with its fields, and
//! names nothing else.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

#[path = "common/chosen.rs"]
mod chosen;

use chosen::{chosen, with_more_options};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Episodes of each.
const EPISODES: u64 = 12;

/// What play shows.
#[derive(Default)]
struct Seen {
    fields: BTreeSet<String>,
    events: BTreeMap<String, BTreeSet<String>>,
}

impl Seen {
    fn of(entry: &Entry) -> Seen {
        let mut seen = Seen::default();
        for game in with_more_options(entry) {
            let content = game.content_entries().into_iter().map(|entry| entry.id).collect();
            for seed in 0..EPISODES {
                let mut env = game.env(seed);
                loop {
                    for viewer in [None, Some(Player(0)), Some(Player((game.info().players - 1) as u8))] {
                        seen.json(&env.to_json(viewer).unwrap()["state"], &content);
                        for event in env.events(viewer).unwrap() {
                            seen.event(event.as_object().unwrap());
                        }
                    }
                    let Some(player) = env.acting().first() else { break };
                    let action = env.sample_action(player).unwrap();
                    env.step_player(player, action.0.into()).unwrap();
                }
            }
        }
        seen
    }

    /// Fields are lower-case words. Other keys count by something: by an id of the content, a terrain, a player.
    fn json(&mut self, value: &Value, content: &BTreeSet<String>) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    let is_word = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                    if is_word && !content.contains(name) {
                        self.fields.insert(name.clone());
                    }
                    self.json(value, content);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| self.json(value, content)),
            _ => {}
        }
    }

    fn event(&mut self, event: &serde_json::Map<String, Value>) {
        let name = event["event"].as_str().unwrap();
        // The engine's own, of every game.
        if name != "update" {
            let fields = self.events.entry(name.into()).or_default();
            fields.extend(
                event.keys().filter(|key| !["event", "text", "changes"].contains(&key.as_str())).cloned(),
            );
        }
    }
}

/// Names between backticks.
fn names(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// What a page says: the text of the section, names of fields, events with the names in their second column.
struct Page {
    section: String,
    fields: BTreeSet<String>,
    events: BTreeMap<String, BTreeSet<String>>,
}

impl Page {
    /// The section of positions and events; of the classics that of one game.
    fn read(game: &str, title: &str) -> Page {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
        let own = folder.join(format!("{game}.md"));
        let (file, heading) = if own.exists() {
            (own, "\n## Positions and events\n".to_string())
        } else {
            (folder.join("classics.md"), format!("\n## {title}\n"))
        };
        let text = fs::read_to_string(&file).unwrap();
        // Headings of the classics are sentences: `Kuhn poker`.
        let at = text.to_ascii_lowercase().find(&heading.to_ascii_lowercase());
        let at = at.unwrap_or_else(|| panic!("{}: no `{}`", file.display(), heading.trim()));
        let rest = &text[at + heading.len()..];
        let section = rest.split("\n## ").next().unwrap().to_string();
        let mut page = Page { section, fields: BTreeSet::new(), events: BTreeMap::new() };
        let mut table: Option<String> = None;
        for line in page.section.clone().lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match (cells.get(1), table.as_deref()) {
                (Some(head), None) => table = head.split(' ').next().map(String::from),
                (Some(first), Some("field")) => page.fields.extend(names(first)),
                (Some(first), Some("event")) => {
                    for name in names(first) {
                        assert!(
                            page.events.insert(name.clone(), names(cells[2])).is_none(),
                            "{game}: {name} twice"
                        );
                    }
                }
                (Some(_), _) => {}
                (None, _) => table = None,
            }
        }
        page
    }
}

/// Names of the events that a game's source makes.
fn made(game: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let own = folder.join(game);
    let mut sources: Vec<_> = if own.exists() {
        fs::read_dir(own).unwrap().map(|entry| entry.unwrap().path()).collect()
    } else {
        let beside = fs::read_dir(folder.join("classics").join(game)).into_iter().flatten();
        let beside = beside.map(|entry| entry.unwrap().path());
        beside.chain([folder.join(format!("classics/{game}.rs"))]).collect()
    };
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let texts = sources.iter().map(|path| fs::read_to_string(path).unwrap());
    let mut found = BTreeSet::new();
    for text in texts {
        let after = text.split("event!(\"").skip(1);
        found.extend(after.map(|rest| rest.split('"').next().unwrap().to_string()));
    }
    found
}

#[test]
fn each_page_names_every_field_and_event_and_nothing_else() {
    let mut wrong = Vec::new();
    for entry in chosen() {
        let title = (entry.make)(json!({}).as_object().unwrap()).unwrap().info().title;
        let (seen, page) = (Seen::of(entry), Page::read(entry.id, title));
        let said = names(&page.section);
        let mut say = |what: &str, names: Vec<&String>| {
            if !names.is_empty() {
                wrong.push(format!("{}: {what}: {names:?}", entry.id));
            }
        };
        say("fields that the page does not name", seen.fields.difference(&said).collect());
        say("fields that no JSON has", page.fields.difference(&seen.fields).collect());
        let made = made(entry.id);
        say(
            "events that the page does not name",
            made.iter().filter(|name| !page.events.contains_key(*name)).collect(),
        );
        say("events that there are not", page.events.keys().filter(|name| !made.contains(*name)).collect());
        for (name, fields) in &seen.events {
            let known = page.events.get(name).cloned().unwrap_or_default();
            let missing = fields.iter().filter(|field| *field != "player" && !known.contains(*field));
            say(&format!("fields of `{name}` that the page does not name"), missing.collect());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
