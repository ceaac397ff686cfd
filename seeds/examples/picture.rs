//! Draws a position that greedy agents reach: `OUT.svg` and `OUT.png`, and the text form on the terminal.
//!
//! ```text
//! cargo run -p playmat-seeds --features raster --example picture -- OUT [name=value ..]
//! ```
//!
//! Names: `game` (graphia), `seed` (0), `decisions` (default: until the end), `viewer` (a player; without it everything is shown), `width` of the
//! PNG in pixels (as drawn), `agent` (a spec: greedy or random); any other name is an option of the game, e.g. `players=4`.

use playmat_core::error::{Error, Result};
use playmat_core::player::Player;
use playmat_core::raster;
use serde_json::{Map, Value};
use std::process::ExitCode;

/// What the command line asks for.
struct Wish {
    out: String,
    game: String,
    seed: u64,
    decisions: u32,
    viewer: Option<Player>,
    width: Option<u32>,
    agent: String,
    options: Map<String, Value>,
}

impl Wish {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Wish> {
        let out = arguments
            .next()
            .ok_or_else(|| Error::argument("OUT", "missing: the files' name without ending"))?;
        let mut wish = Wish {
            out,
            game: "graphia".into(),
            seed: 0,
            decisions: u32::MAX,
            viewer: None,
            width: None,
            agent: "greedy".into(),
            options: Map::new(),
        };
        for argument in arguments {
            let Some((name, value)) = argument.split_once('=') else {
                return Err(Error::argument("name=value", format!("`{argument}` has no `=`")));
            };
            match name {
                "game" => wish.game = value.into(),
                "seed" => wish.seed = number("seed", value)?,
                "decisions" => wish.decisions = number("decisions", value)?,
                "viewer" => wish.viewer = Some(Player(number("viewer", value)?)),
                "width" => wish.width = Some(number("width", value)?),
                "agent" => wish.agent = value.into(),
                _ => {
                    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
                    wish.options.insert(name.into(), value);
                }
            }
        }
        Ok(wish)
    }
}

fn number<T: std::str::FromStr>(name: &'static str, value: &str) -> Result<T> {
    value.parse().map_err(|_| Error::argument(name, format!("`{value}` is no whole number in range")))
}

#[expect(clippy::print_stdout, reason = "the text form is what the command is for")]
fn draw(wish: &Wish) -> Result<()> {
    let game = playmat_seeds::make(&wish.game, &wish.options)?;
    let agent = game.agent(&wish.agent)?;
    let mut env = game.env(wish.seed);
    while env.decisions() < wish.decisions {
        let Some(player) = env.acting().first() else { break };
        let action = env.act(&agent, player)?;
        env.step_player(player, action.0.into())?;
    }
    print!("{}", env.draw_text(wish.viewer)?);
    let svg = env.draw_svg(wish.viewer)?;
    let png = raster::png(&svg, wish.width)?;
    for (ending, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
        let path = format!("{}.{ending}", wish.out);
        std::fs::write(&path, bytes).map_err(|error| Error::argument("OUT", format!("{path}: {error}")))?;
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "a command says why it stopped")]
fn main() -> ExitCode {
    match Wish::read(std::env::args().skip(1)).and_then(|wish| draw(&wish)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("picture: {error}");
            ExitCode::FAILURE
        }
    }
}
