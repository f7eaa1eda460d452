#!/usr/bin/env bash
# Runs the commands of README.md under "Install", with another prefix than ~/.local, and then the
# installed program.
#
#   scripts/checks/check_quickstart.sh      exit status 0 works, 1 not
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
commands=$(awk '/^## Install/ { inside = 1; next } /^## / { inside = 0 }
  inside && /^```sh$/ { code = 1; next } /^```$/ { code = 0 } inside && code' README.md)
grep -qF 'cmake --install build --prefix ~/.local' <<< "$commands" ||
  { echo "check_quickstart.sh: README.md does not install into ~/.local any more" >&2; exit 1; }
bash -exc "${commands//'~/.local'/$prefix}"
"$prefix/bin/starhist" info tests/data/water.h5
