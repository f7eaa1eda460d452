#!/usr/bin/env bash
# Lists the parts of starhist that the tests of a build left out, each with the command that adds it.
#
#   scripts/setup/missing_parts.sh BUILD_DIR CTEST_LOG [CTEST_OPTIONS]
set -euo pipefail

build=$1
log=$2
options=${3-}

# has NAME: CMake has found it or switched it on.
has() { grep -E "^$1:[A-Z]+=" "$build/CMakeCache.txt" | grep -qvE "=(OFF|FALSE|0|.*NOTFOUND)?$"; }

missing() { printf '  %-15s %s\n' "$1" "$2"; }

list() {
  if ! has STARHIST_CUDA; then
    missing GPUs "install the CUDA Toolkit (12 or newer), then: scripts/test.sh"
  elif ! nvidia-smi -L >/dev/null 2>&1; then
    missing GPUs "scripts/test.sh, on a machine with an NVIDIA GPU"
  fi
  has nanobind_DIR || missing "Python module" "scripts/setup/build_python.sh $build && scripts/test.sh"
  has MPI_C_LIB_NAMES ||
    missing MPI "scripts/setup/install_packages.sh libopenmpi-dev openmpi-bin && scripts/test.sh"
  [[ -x $build/../build-simgrid/starhist-simulate ]] ||
    missing simulations "scripts/setup/build.sh simgrid && scripts/test.sh"
  [[ $options != "-LE slow" ]] || missing "slow tests" "scripts/test.sh -L slow"
  local skipped
  skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
  [[ $skipped == 0 ]] || missing "$skipped of the tests" "ctest lists them above, as Skipped"
}

parts=$(list)
[[ -z $parts ]] || printf 'Not tested:\n%s\n' "$parts"
