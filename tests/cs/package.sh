#!/usr/bin/env bash
# Installs the package into a folder of its own and does what docs/csharp.md tells a C# host to do. Needs cmake (or CMAKE) and Mono.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake=${CMAKE:-cmake}
build=target/package-cs
rm -rf "$build"
mkdir -p "$build"
prefix=$PWD/$build/prefix
log=$build/log.txt

"$cmake" -S capi -B "$build/capi" -DCMAKE_INSTALL_LIBDIR=lib > "$log"
"$cmake" --build "$build/capi" >> "$log"
"$cmake" --install "$build/capi" --prefix "$prefix" >> "$log"

"${MCS:-mcs}" -unsafe -target:library -out:"$build/Playmat.dll" -recurse:"$prefix/share/playmat/csharp/Runtime/*.cs"
"${MCS:-mcs}" -r:"$build/Playmat.dll" -out:"$build/Play.exe" capi/examples/Play.cs
LD_LIBRARY_PATH=$prefix/lib "${MONO:-mono}" "$build/Play.exe" connect_four --agents > "$build/output.txt"
grep -q "player 1: score" "$build/output.txt"

# What Unity imports: every file and folder with its .meta, the library for this machine among them.
package=$prefix/share/playmat/csharp
(cd "$package" && find . -mindepth 1 -not -name '*.meta' -not -path '*~*') | while read -r asset; do
  test -f "$package/$asset.meta" || { echo "$asset has no .meta"; exit 1; }
done
# And nothing that belongs to nothing; the licences, and one library, which is a file and no link.
find "$package" -name '*.meta' -not -path '*~*' | while read -r meta; do
  test -e "${meta%.meta}" || { echo "$meta belongs to nothing"; exit 1; }
done
cmp "$package/LICENSE.md" LICENSE-MIT
cmp "$package/LICENSE-APACHE.md" LICENSE-APACHE
cmp "$package/Third Party Notices.md" THIRD-PARTY-NOTICES.md
test -z "$(find "$package" -type l)"
test -n "$(find "$package/Plugins" -mindepth 2 -name '*playmat.*' -not -name '*.meta')"
test -f "$package/Samples~/PlayAgainstAgents/PlayAgainstAgents.cs"
echo "C# package: 2 passed, 0 failed"
