"""Writes what the fuzzers start from: saved episodes of every game, contents, sequences of choices.

    python fuzz/corpus.py FOLDER

The numbers in front are those of `games()` in `fuzz_targets/common.rs`: of every game the smallest
table, the largest, and the default.
"""

from __future__ import annotations

import sys
from pathlib import Path

import playmat

#: Bytes of a saved state before its options; where the length of these stands.
HEADER = 48
OPTIONS = slice(36, 40)


def configured_games() -> list[playmat.Game]:
    """The games in the order of the fuzzers."""
    found = []
    for name in playmat.games():
        default = playmat.Game(name)
        low, high = default.player_range
        found += [playmat.Game(name, players=low), playmat.Game(name, players=high), default]
    return found


def main(folder: Path) -> None:
    """Writes one folder for each fuzzer."""

    def write(fuzzer: str, name: str, data: bytes) -> None:
        file = folder / fuzzer / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    for number, game in enumerate(configured_games()):
        env = game.env(1)
        for stage in ("start", "middle", "end"):
            name = f"{game.name}_p{game.num_players}_{stage}"
            saved = env.to_bytes()
            body = saved[HEADER + int.from_bytes(saved[OPTIONS], "little") :]
            write("state_bytes", name, bytes([number << 1]) + body)
            write("state_bytes", f"{name}_whole", bytes([number << 1 | 1]) + saved)
            write("state_json", name, bytes([number]) + env.to_json().encode())
            left = 6 if stage == "start" else 100_000
            while not env.done and left:
                env.step(env.sample_action(env.current_player))
                left -= 1
        write(
            "play", f"{game.name}_p{game.num_players}", bytes([number, 1]) + bytes(range(0, 200, 2))
        )
    content = Path(__file__).parent.parent / "seeds" / "content"
    for file in content.glob("*.toml"):
        write("content", file.stem, file.read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
