#!/usr/bin/env bash
# Objects compiled for one instruction set must not define symbols that the linker shares
# with the rest of the program: of several weak (inline, template) copies of a function it
# keeps any one, and were that the AVX-512 copy, older processors would fault anywhere.
#
#   scripts/checks/check_isa_objects.sh BUILD_DIR      prints offending symbols, exit status 1
set -euo pipefail

build=${1:?usage: check_isa_objects.sh BUILD_DIR}
library=starhist_pair_loops # all that is compiled with flags of its own
mapfile -t objects < <(find "$build" -path "*/$library.dir/*.o" | sort)
if ((${#objects[@]} == 0)); then
  echo "check_isa_objects.sh: no objects of $library below $build (build it first)" >&2
  exit 1
fi

failed=0
for object in "${objects[@]}"; do
  # W, V: weak; u: unique. DW.ref.* only points to the language's exception handler:
  # data, the same in every copy.
  symbols=$(nm --defined-only "$object" | awk '$2 ~ /^[WVu]$/ && $3 !~ /^DW\.ref\./' | c++filt)
  if [[ -n $symbols ]]; then
    failed=1
    printf '%s defines shared symbols:\n%s\n' "$object" "$symbols"
  fi
done
((failed)) || echo "${#objects[@]} objects define no shared symbols"
exit "$failed"
