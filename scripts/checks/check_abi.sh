#!/usr/bin/env bash
# Checks that programs linked with an earlier build of a shared library still work: libabigail compares
# its binary interface with the committed one. Needs debug information.
#
#   scripts/checks/check_abi.sh [--update] [LIBRARY INTERFACE HEADERS]
#
# Default: build/libstarhist.so and build/libstarhist_file.so with driver/capi/abi/*.abi.
# --update writes the interface, after functions were added or the SOVERSION was raised.
# Exit status 0 the same, 1 not.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

update=
if [[ ${1:-} == --update ]]; then update=yes; shift; fi

# interface LIBRARY HEADERS: prints the interface as text, without the libraries that it needs.
interface() {
  abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --no-corpus-path \
    --no-comp-dir-path --no-show-locs --type-id-style hash "$1" | sed '/<elf-needed>/,/<\/elf-needed>/d'
}

# check LIBRARY INTERFACE HEADERS
check() {
  if [[ -n $update ]]; then
    mkdir -p "$(dirname "$2")"
    interface "$1" "$3" >"$2"
    echo "$2: written"
    return 0
  fi
  local found status=0
  found=$(mktemp)
  interface "$1" "$3" >"$found"
  abidiff "$2" "$found" || status=$?
  rm -f "$found"
  if ((status & 3)); then
    echo "$1: abidiff has failed"
    return 1
  elif ((status & 8)); then
    echo "$1: programs that were linked with it would break (raise the SOVERSION in scripts/cmake/c_library.cmake, or undo the change)"
    return 1
  elif ((status & 4)); then
    echo "$1: the interface has changed in a way that need not break programs (look at it, then: check_abi.sh --update)"
    return 1
  fi
  echo "$1: the interface of $2"
}

if (($# == 3)); then
  check "$@"
  exit
fi
result=0
for name in libstarhist libstarhist_file; do
  check "build/$name.so" "driver/capi/abi/$name.so.0.abi" driver/capi || result=1
done
exit $result
