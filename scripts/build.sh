#!/usr/bin/env bash
# Installs the packages, then configures and builds one preset of CMakePresets.json.
#
#   scripts/build.sh [PRESET [CMAKE_BUILD_OPTIONS...]]     PRESET: default, checked, ...
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

scripts/install_packages.sh

# CMake looks for libraries beside every folder of PATH. An active conda or pyenv
# would bring its own HDF5, which does not fit the system's StarPU and h5py.
PATH=/usr/bin:/bin:$PATH

preset=${1:-default}
shift || true
cmake --preset "$preset"
cmake --build --preset "$preset" "$@"
