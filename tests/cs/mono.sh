#!/usr/bin/env bash
# Makes sure that Mono's compiler and runtime are here, which the C# tests need. Where they are missing and Debian's packages can be
# installed (as root, or with sudo that asks nothing), it installs the smallest set: 16 packages, 7 MB. Otherwise it says what is missing.
set -euo pipefail
mcs=${MCS:-mcs}
mono=${MONO:-mono}

missing() {
  local list=""
  command -v "$mcs" > /dev/null || list="$mcs (the C# compiler)"
  command -v "$mono" > /dev/null || list="${list:+$list and }$mono (the runtime)"
  echo "$list"
}

[ -n "$(missing)" ] || exit 0
"$(dirname "$0")/../apt.sh" mono-mcs || true
[ -n "$(missing)" ] || exit 0
cat >&2 << END
C# tests: not found: $(missing).
Install Mono 6 or later: Debian and Ubuntu "apt-get install mono-mcs", Fedora "dnf install mono-core", macOS "brew install mono";
or name the programs: make test-cs MCS=/path/to/mcs MONO=/path/to/mono
END
exit 1
