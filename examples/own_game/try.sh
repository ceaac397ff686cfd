#!/usr/bin/env bash
# The game alone: its Rust tests, then the Python module and the C library with it. `PYTHON` is an interpreter that has playmat and pytest.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
built="$CARGO_TARGET_DIR/release"
root=$(cd ../.. && pwd)

cargo test --release --quiet
cargo build --release --quiet -p liars-dice-python -p liars-dice-c

LIARS_DICE_NATIVE="$(ls "$built"/lib_native.{so,dylib} 2>/dev/null)" PYTHONPATH="$PWD/python${PYTHONPATH:+:$PYTHONPATH}" \
    "${PYTHON:-python3}" -m pytest --quiet --rootdir python -c /dev/null -p no:cacheprovider python

# A host in C, as it is: it asks the library for the game by its name.
"${CC:-cc}" -std=c99 "$root/capi/examples/play.c" -I "$root/capi/include" -L "$built" -lliars_dice_c "-Wl,-rpath,$built" -o "$built/play"
"$built/play" liars_dice --agents
