#!/usr/bin/env bash
# Installs the packages, builds everything and runs the tests through CTest, without options all but
# the slow ones. The last line is CTest's own summary, the exit status is CTest's. Before it, a list of
# the parts that were not tested, each with the command that adds it.
#
#   scripts/test.sh [CTEST_OPTIONS...]                   e.g. scripts/test.sh -L core, or -L slow
#   STARHIST_PRESET=asan-ubsan scripts/test.sh           another preset, default: default
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

preset=${STARHIST_PRESET:-default}
(($#)) || set -- -LE slow
scripts/setup/build.sh "$preset"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
ctest --preset "$preset" "$@" 2>&1 | tee "$log" || status=$?
echo
case $preset in # the others are for one purpose, such as sanitizers
  default) scripts/setup/missing_parts.sh build "$log" "$*" ;;
  checked) scripts/setup/missing_parts.sh build-checked "$log" "$*" ;;
esac
grep -E '^[0-9]+% tests passed' "$log" || true
exit "$status"
