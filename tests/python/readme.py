"""The generated parts of README.md, docs/games.md, docs/five-games.md and docs/training.md: `python tests/python/readme.py --update` rewrites them, a test compares them.

Nothing here measures a speed. The tables of docs/benchmarks.md are written by the commands that
measure them; the headline of the README is taken from there.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import sys
from pathlib import Path
from typing import Any

import playmat
from playmat.cli.balance import merge
from playmat.train import PRESETS, TrainConfig

ROOT = Path(__file__).resolve().parents[2]
README, GAMES = ROOT / "README.md", ROOT / "docs" / "games.md"
FIVE_GAMES = ROOT / "docs" / "five-games.md"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
TRAINING = ROOT / "docs" / "training.md"
#: Episodes of random play between two looks at what is known of a game's mean length, and the most.
PIECE, MOST = 1000, 10_000


def length(game: playmat.Game) -> str:
    """Mean number of decisions of an episode of random play, in digits that are sure.

    Episodes are played, with fixed seeds, until all means within three standard errors round to the
    same whole number. A mean that is still unsure after the most episodes, because episodes differ
    much or the mean is near a half, is shown with its 95% interval.
    """
    survey: dict[str, Any] = {}
    for piece in range(MOST // PIECE):
        survey = merge(survey, game.survey(PIECE, seed=piece + 1))
        spread = survey["decisions"]
        mean, error = spread["mean"], spread["deviation"] / math.sqrt(spread["count"] - 1)
        if round(mean - 3 * error) == round(mean + 3 * error):
            return f"{mean:.0f}"
    margin = 1.96 * error
    digits = max(0, math.ceil(-math.log10(margin)))
    return f"{mean:.{digits}f} ± {margin:.{digits}f}"


def sizes_table() -> str:
    """Every game with its spaces and sizes; lengths are of random play with fixed seeds."""
    lines = [
        "| game | players | actions | observation bytes | decisions an episode (random play) | longest | state bytes "
        "| environment bytes | with outputs |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name in playmat.games():
        game = playmat.Game(name)
        info = game.info()
        low, high = game.player_range
        players = (
            f"**{game.num_players}**"
            if low == high
            else f"{low}-{high}, here **{game.num_players}**"
        )
        lines.append(
            f"| {game.title} (`{name}`) | {players} | {game.num_actions} | {game.observation_shape[0]} "
            f"| {length(game)} | {info['max_decisions']} | {info['state_bytes']} "
            f"| {info['env_bytes']} | {info['env_bytes_with_outputs']} |"
        )
    return "\n".join(lines)


def games_table() -> str:
    """The list of games: what kind of game each is, the large ones first."""
    lines = [
        "| game | players | actions | observation bytes | hidden information | simultaneous turns | chance |",
        "|---|---|---:|---:|:-:|:-:|:-:|",
    ]
    games = [playmat.Game(name) for name in playmat.games()]
    for game in sorted(games, key=lambda game: not game.info()["content_name"]):
        info = game.info()
        low, high = game.player_range
        marks = ("yes" if info[kind] else "" for kind in ("hidden", "simultaneous", "chance"))
        lines.append(
            f"| {game.title} (`{game.name}`) | {low if low == high else f'{low}-{high}'} "
            f"| {game.num_actions} | {game.observation_shape[0]} | {' | '.join(marks)} |"
        )
    return "\n".join(lines)


def glance_table() -> str:
    """The sizes of the five large games, for each number of players or, in Gravitix, for each formation."""
    names = ["graft", "graphia", "gravitix", "graven", "rafts"]

    def variants(name: str) -> list[playmat.Game]:
        if name == "gravitix":
            return [playmat.Game(name, formation=formation) for formation in ("2x6", "4x3", "3x4")]
        low, high = playmat.Game(name).player_range
        return [playmat.Game(name, players=players) for players in range(low, high + 1)]

    def shown(values: list[int]) -> str:
        if len(set(values)) == 1:
            return f"{values[0]:,}"
        if len(values) > 5:
            return f"{values[0]:,} to {values[-1]:,}"
        return " / ".join(f"{value:,}" for value in values)

    def players(name: str) -> str:
        game = playmat.Game(name)
        low, high = game.player_range
        return f"{low}-{high} ({game.num_players})"

    games = {name: variants(name) for name in names}
    lines = [
        "| | " + " | ".join(playmat.Game(name).title for name in names) + " |",
        "|---|" + "---|" * len(names),
        "| players (default) | " + " | ".join(players(name) for name in names) + " |",
    ]
    for what, size in [
        ("actions", "num_actions"),
        ("observation, bytes", "observation_size"),
        ("state, bytes", "state_bytes"),
        ("longest episode, decisions", "max_decisions"),
    ]:
        cells = [shown([game.info()[size] for game in games[name]]) for name in names]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    more = {
        playmat.Game("rafts", players=game.num_players, discard_at_end=True).num_actions
        - game.num_actions
        for game in games["rafts"]
    }
    (discards,) = more
    summaries = [
        playmat.Game("graphia", players=game.num_players, observe_others="summary").info()
        for game in games["graphia"]
    ]
    sizes = shown([info["observation_size"] for info in summaries])
    return "\n".join(
        [
            *lines,
            "",
            f'`discard_at_end` adds {discards} actions in Rafts!. With `observe_others = "summary"` an observation of '
            f"Graphia Genesis has {sizes} bytes.",
        ]
    )


def rows(name: str) -> list[list[str]]:
    """The cells of a table of docs/benchmarks.md, its head first."""
    text = BENCHMARKS.read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name}:begin.*?-->\n(.*?)<!-- {name}:end -->", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"docs/benchmarks.md has no part called {name}")
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if "--" not in line
    ]


def headline() -> str:
    """The speeds of the README: other engines, and the large games, which only playmat has."""
    head, *peers = rows("peers")
    small = [row for row in peers if row[3:].count("-") < len(row[3:])]
    lines = ["| " + " | ".join(["", *head[1:]]) + " |", "|---|" + "---:|" * (len(head) - 1)]
    for row in small:
        title = playmat.Game(row[0]).title
        cells = [f"**{row[1]}**", f"**{row[2]}**", *row[3:]]
        lines.append("| " + " | ".join([title, *cells]) + " |")
    bench: dict[str, list[str]] = {}
    for row in rows("bench")[1:]:
        bench.setdefault(row[0], []).append(f"{float(row[5]):.1f}")
    large = [name for name in bench if playmat.Game(name).info()["content_name"]]
    speeds = [f"{playmat.Game(name).title} {' and '.join(bench[name])}" for name in large]
    lines += [
        "",
        "Repeat with `python tests/parity/speed.py --seconds 0.8 --rounds 3`, where these engines are "
        "installed (batches of 1,024, 2 processors).",
        f"The large games, on one thread and on two: {', '.join(speeds)}. Repeat with `playmat bench`.",
    ]
    return "\n".join(lines)


def agents_table() -> str:
    """The speed of searches and networks of the README, by game."""
    searches = {row[0]: row for row in rows("search")[1:]}
    networks = {row[0]: row for row in rows("networks")[1:]}
    lines = [
        "| game | simulations/s | with random play | on 2 threads | of random episodes/s | network, µs a decision | onnxruntime from Python, µs |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in searches.items():
        network = networks.get(name)
        latency = [network[3], network[4]] if network else ["", ""]
        lines.append(
            f"| {playmat.Game(name).title} | {' | '.join([*row[2:5], row[6], *latency])} |"
        )
    return "\n".join(lines)


def presets_table() -> str:
    """The hyperparameters that the preset of some game sets, beside the defaults."""

    def shown(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return f"`{value}`" if value else "empty"
        return f"{value:g}"

    games = list(PRESETS)
    lines = [
        "| option | default | " + " | ".join(games) + " |",
        "|---|---|" + "---|" * len(games),
    ]
    for item in dataclasses.fields(TrainConfig):
        presets = [PRESETS[game] for game in games]
        if not any(item.name in preset for preset in presets):
            continue
        cells = [shown(preset[item.name]) if item.name in preset else "" for preset in presets]
        option = "--" + item.name.replace("_", "-")
        lines.append(f"| `{option}` | {shown(item.default)} | {' | '.join(cells)} |")
    default = TrainConfig()
    names = ("clip_coef", "vf_coef", "max_grad_norm")
    assert not any(name in preset for name in names for preset in PRESETS.values())
    same = [f"`--{name.replace('_', '-')} {getattr(default, name):g}`" for name in names]
    return "\n".join([*lines, "", f"In every game: {', '.join(same)}."])


def generated() -> dict[tuple[Path, str], str]:
    """File and marker name -> text between its markers."""
    return {
        (README, "headline"): headline(),
        (README, "games"): games_table(),
        (README, "agents"): agents_table(),
        (GAMES, "sizes"): sizes_table(),
        (FIVE_GAMES, "glance"): glance_table(),
        (TRAINING, "presets"): presets_table(),
    }


def replaced() -> dict[Path, str]:
    """The pages with all generated parts written anew."""
    pages: dict[Path, str] = {}
    for (page, name), part in generated().items():
        text = pages.get(page) or page.read_text(encoding="utf-8")
        pattern = re.compile(rf"(<!-- {name}:begin[^>]*-->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        text, count = pattern.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        if count != 1:
            raise SystemExit(f"{page.name} has {count} parts called {name}; there must be one")
        pages[page] = text
    return pages


def example() -> str:
    """The Python example of the README."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    if found is None:
        raise SystemExit("README.md has no Python example")
    return found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="rewrite the pages")
    args = parser.parse_args()
    for page, after in replaced().items():
        if args.update:
            page.write_text(after, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != after:
            sys.exit(f"{page.name} is not as generated: python tests/python/readme.py --update")


if __name__ == "__main__":
    main()
