#!/usr/bin/env bash
# Installs the C and C++ package into a folder of its own and builds hosts against it in all three ways: find_package, pkg-config,
# and as a subdirectory. Needs cmake (or CMAKE) and the compilers.
set -euo pipefail
cd "$(dirname "$0")/../../.."
cmake=${CMAKE:-cmake}
build=target/package
rm -rf "$build"
prefix=$PWD/$build/prefix

play() { # PROGRAM: plays a whole game of agents
  "$1" connect_four --agents > "$build/output.txt"
  grep -q "player 1: score" "$build/output.txt"
}

"$cmake" -S capi -B "$build/capi" -DCMAKE_INSTALL_LIBDIR=lib > "$build.log"
"$cmake" --build "$build/capi" >> "$build.log"
"$cmake" --install "$build/capi" --prefix "$prefix" >> "$build.log"

# The library under its three names, which lead to one file; programs look for the version of the interface.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
abi=$(sed -n 's/.*PLAYMAT_ABI_VERSION: u32 = \([0-9]*\);.*/\1/p' capi/src/library.rs)
test ! -L "$prefix/lib/libplaymat.so.$version"
test "$(readlink "$prefix/lib/libplaymat.so.$abi")" = "libplaymat.so.$version"
test "$(readlink "$prefix/lib/libplaymat.so")" = "libplaymat.so.$abi"
readelf -d "$prefix/lib/libplaymat.so" | grep -q "soname: \[libplaymat.so.$abi\]"
for text in LICENSE-MIT LICENSE-APACHE THIRD-PARTY-NOTICES.md; do
  cmp "$text" "$prefix/share/doc/playmat/$text"
done

"$cmake" -S tests/cpp/package -B "$build/found" -DCMAKE_PREFIX_PATH="$prefix" >> "$build.log"
"$cmake" --build "$build/found" >> "$build.log"
play "$build/found/play_c"
play "$build/found/play_cpp"
readelf -d "$build/found/play_c" | grep -q "NEEDED.*\[libplaymat.so.$abi\]"

"$cmake" -S tests/cpp/package -B "$build/inside" -DPLAYMAT_SOURCE="$PWD/capi" >> "$build.log"
"$cmake" --build "$build/inside" >> "$build.log"
play "$build/inside/play_c"
play "$build/inside/play_cpp"
readelf -d "$build/inside/play_c" | grep -q "NEEDED.*\[libplaymat.so.$abi\]"

# Without networks, cargo gets other features, among which `onnx` is none. examples/own_game/try.sh plays in a library without it.
features() { # OPTION...: those of the engine in the package with these options of CMake
  rm -rf "$build/features"
  "$cmake" -S capi -B "$build/features" "$@" >> "$build.log"
  # shellcheck disable=SC2046 # words
  cargo tree --manifest-path capi/Cargo.toml -e normal,build --prefix none --format '{p}|{f}' \
    $(grep -ohe '--no-default-features --features [a-z,]*' -r "$build/features/CMakeFiles" | sort -u) \
    | sed -n 's/ (\*)$//; s/^playmat-core .*|//p' | sort -u
}
test "$(features)" = default,onnx,raster,threads
test "$(features -DPLAYMAT_ONNX=OFF)" = raster,threads

# What the package for Windows says, written here: nothing is built.
for kind in "GNU libplaymat.dll.a" "MSVC playmat.dll.lib"; do
  # shellcheck disable=SC2086 # two words
  set -- $kind
  "$cmake" -S capi -B "$build/windows-$1" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER_WORKS=1 -DMSVC="$([ "$1" = MSVC ] && echo 1)" \
    -DCMAKE_INSTALL_LIBDIR=lib >> "$build.log"
  grep -q "IMPORTED_IMPLIB \"\${PACKAGE_PREFIX_DIR}/lib/$2\"" "$build/windows-$1/playmatConfig.cmake"
  grep -q "IMPORTED_LOCATION \"\${PACKAGE_PREFIX_DIR}/bin/playmat.dll\"" "$build/windows-$1/playmatConfig.cmake"
  grep -q "lib\" TYPE FILE FILES .*/$2\"" "$build/windows-$1/cmake_install.cmake"
done

passed=6
if command -v pkg-config > /dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  # shellcheck disable=SC2046 # flags are words
  ${CC:-cc} -std=c99 capi/examples/play.c $(pkg-config --cflags --libs playmat) -o "$build/play"
  LD_LIBRARY_PATH=$prefix/lib play "$build/play"
  # The engine inside the program, whose other libraries are shared; and a program without any shared library.
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c99 capi/examples/play.c $(pkg-config --cflags --libs playmat-static) -o "$build/play-inside"
  # shellcheck disable=SC2046
  ${CC:-cc} -static -std=c99 capi/examples/play.c $(pkg-config --static --cflags --libs playmat) -o "$build/play-static" >> "$build.log" 2>&1
  for program in play-inside play-static; do
    test -z "$(ldd "$build/$program" 2> /dev/null | grep playmat)"
    play "$build/$program"
  done
  test -z "$(ldd "$build/play-static" 2> /dev/null | grep '=>')"
  passed=$((passed + 3))
else
  # What pkg-config would read is at least there.
  grep -q -- "-lplaymat" "$prefix/lib/pkgconfig/playmat.pc"
fi
echo "package: $passed passed, 0 failed"
