#!/usr/bin/env bash
# Valgrind is part of the tests and not of what pip or cargo can install: apt installs it where this may. Fails where it is missing.
set -euo pipefail
if command -v valgrind > /dev/null; then
  exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo -n)
fi
if command -v apt-get > /dev/null && { [ ${#as_root[@]} -eq 0 ] || "${as_root[@]}" true 2> /dev/null; }; then
  "${as_root[@]}" apt-get -qq update || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes valgrind > /dev/null || true
fi
command -v valgrind > /dev/null || {
  echo "the C tests need valgrind, and it cannot be installed from here: install it, then run this again" >&2
  exit 1
}
