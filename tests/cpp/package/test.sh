#!/usr/bin/env bash
# Installs the C and C++ package into a folder of its own and builds hosts against it in all three ways: find_package, pkg-config,
# and as a subdirectory. Needs cmake (or CMAKE) and the compilers.
set -euo pipefail
cd "$(dirname "$0")/../../.."
cmake=${CMAKE:-cmake}
build=target/package
rm -rf "$build"
prefix=$PWD/$build/prefix

play() { # PROGRAM: plays a whole game with bots
  "$1" connect_four --bots > "$build/told.txt"
  grep -q "player 1: score" "$build/told.txt"
}

"$cmake" -S capi -B "$build/capi" -DCMAKE_INSTALL_LIBDIR=lib > "$build.log"
"$cmake" --build "$build/capi" >> "$build.log"
"$cmake" --install "$build/capi" --prefix "$prefix" >> "$build.log"

"$cmake" -S tests/cpp/package -B "$build/found" -DCMAKE_PREFIX_PATH="$prefix" >> "$build.log"
"$cmake" --build "$build/found" >> "$build.log"
play "$build/found/play_c"
play "$build/found/play_cpp"

"$cmake" -S tests/cpp/package -B "$build/inside" -DPLAYMAT_SOURCE="$PWD/capi" >> "$build.log"
"$cmake" --build "$build/inside" >> "$build.log"
play "$build/inside/play_c"
play "$build/inside/play_cpp"

passed=4
if command -v pkg-config > /dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  # shellcheck disable=SC2046 # flags are words
  ${CC:-cc} -std=c99 capi/examples/play.c $(pkg-config --cflags --libs playmat) -o "$build/play"
  LD_LIBRARY_PATH=$prefix/lib play "$build/play"
  passed=$((passed + 1))
else
  # What pkg-config would read is at least there.
  grep -q -- "-lplaymat" "$prefix/lib/pkgconfig/playmat.pc"
fi
echo "package: $passed passed, 0 failed"
