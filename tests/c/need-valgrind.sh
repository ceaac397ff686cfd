#!/usr/bin/env bash
# Valgrind is part of the tests and not of what pip or cargo can install: apt installs it where this may. Fails where it is missing.
set -euo pipefail
command -v valgrind > /dev/null || "$(dirname "$0")/../apt.sh" valgrind || true
command -v valgrind > /dev/null || {
  echo "the C tests need valgrind, and it cannot be installed from here: install it, then run this again" >&2
  exit 1
}
