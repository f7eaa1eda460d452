#!/usr/bin/env bash
# Checks all Python with ruff: the rules in pyproject.toml, and the layout. Versions of ruff differ
# in both, so that one is fixed here; it is installed in build/ruff if missing.
#
#   scripts/checks/check_python.sh        exit status 0 passed, 1 findings, 77 skipped: ruff cannot be installed
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

version=0.17.6
ruff=build/ruff/bin/ruff
if [[ $("$ruff" --version 2>/dev/null || true) != "ruff $version" ]]; then
  { [[ -x build/ruff/bin/python ]] || { scripts/setup/install_packages.sh python3-venv && python3 -m venv build/ruff; } &&
    build/ruff/bin/pip install --quiet --disable-pip-version-check "ruff==$version"; } ||
    { echo "SKIPPED: ruff $version cannot be installed"; exit 77; }
fi

status=0
"$ruff" check --no-cache . || { echo "to fix: $ruff check --fix"; status=1; }
"$ruff" format --no-cache --check . || { echo "to fix: $ruff format"; status=1; }
exit $status
