#!/usr/bin/env bash
# apt.sh PACKAGE...: installs Debian packages that tests need and neither pip nor cargo has, where this may: as root, or with a sudo that
# asks nothing. Tests run side by side, and apt serves one at a time. Says nothing and fails where it may not or cannot.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v apt-get > /dev/null
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
[ ${#as_root[@]} -eq 0 ] || "${as_root[@]}" true 2> /dev/null
mkdir -p target
exec 9> target/apt.lock
flock 9
"${as_root[@]}" apt-get -qq update || true
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$@" > /dev/null
