# Debian splits venv from Python; installs it where it is missing and we may. Read by the scripts beside it.
if ! python3 -c 'import venv, ensurepip' 2>/dev/null && command -v apt-get >/dev/null; then
  as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo"
  $as_root apt-get update -q && $as_root apt-get install -qy python3-venv
fi
