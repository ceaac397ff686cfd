#!/usr/bin/env bash
# Linux. The game alone: its Rust tests, then the Python module and the C library with it. `PYTHON` is an interpreter that has playmat and pytest.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
built="$CARGO_TARGET_DIR/release"
root=$(cd ../.. && pwd)

# The same packages twice, so that the engine is compiled once for both. The Python module after them: together the library would get the
# module's feature `onnx`. `--locked`: a stale Cargo.lock is an error; `cargo metadata` in this folder writes it.
cargo test --locked --release --quiet -p liars-dice -p liars-dice-c
cargo build --locked --release --quiet -p liars-dice -p liars-dice-c
cargo build --locked --release --quiet -p liars-dice-python

LIARS_DICE_NATIVE="$built/lib_native.so" PYTHONPATH="$PWD/python${PYTHONPATH:+:$PYTHONPATH}" \
    "${PYTHON:-python3}" -m pytest --quiet --rootdir python -c /dev/null -p no:cacheprovider python

# A host in C, as it is: it asks the library for the game by its name. The library takes the place of playmat's, name and all.
abi=$(sed -n 's/^#define PLAYMAT_ABI_VERSION //p' "$root/capi/include/playmat.h")
host="$built/host"
mkdir -p "$host"
for name in libplaymat.so "libplaymat.so.$abi"; do ln -sf ../libliars_dice_c.so "$host/$name"; done
"${CC:-cc}" -std=c99 "$root/capi/examples/play.c" -I "$root/capi/include" -L "$host" -lplaymat "-Wl,-rpath,$host" -o "$host/play"
"$host/play" liars_dice --agents >"$host/played.txt"
tail -n 5 "$host/played.txt"

# `c/Cargo.toml` does not ask for playmat's feature `onnx`: this library refuses trained networks and plays all other agents.
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror "$root/tests/c/no_networks.c" -I "$root/capi/include" -L "$host" -lplaymat "-Wl,-rpath,$host" \
    -o "$host/no_networks"
"$host/no_networks" liars_dice

# A copy under another name keeps nothing of this one, and its paths lead here.
if [ -e new.py ]; then
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    python3 new.py gold_rush "$copy/game"
    if grep -rniE "liar'?s.?dice|\bld[-_]r" "$copy/game"; then exit 1; fi
    grep -rq '"gold_rush"' "$copy/game/src"
    (cd "$copy/game" && cargo metadata --offline --locked --format-version 1 >"$copy/metadata")
fi
