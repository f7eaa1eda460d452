#!/usr/bin/env bash
# Installs the packages, then configures and builds one preset of CMakePresets.json.
#
#   scripts/setup/build.sh [PRESET [CMAKE_BUILD_OPTIONS...]]     PRESET: default, checked, ...
#
# With an nvcc in PATH or /usr/local/cuda/bin it builds for NVIDIA GPUs too, on a StarPU of
# build_starpu.sh; where that fails, for CPUs alone. STARHIST_CUDA=OFF asks for CPUs alone,
# STARHIST_CUDA=ON stops where GPUs fail. Presets with sanitizers are for CPUs.
# The preset simgrid builds starhist-simulate alone, on a StarPU of its own.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

scripts/setup/install_packages.sh

# CMake looks for libraries beside every folder of PATH. An active conda or pyenv
# would bring its own HDF5, which does not fit the system's StarPU and h5py.
PATH=/usr/bin:/bin:$PATH

preset=${1:-default}
shift || true
wish=${STARHIST_CUDA:-AUTO}
case $wish in ON | OFF | AUTO) ;; *)
  echo "build.sh: STARHIST_CUDA is '$wish' (give ON, OFF or nothing)" >&2; exit 1 ;;
esac
case $preset in
  default) build=build ;;
  checked) build=build-checked ;;
  simgrid) build=build-simgrid wish=OFF ;;
  *) build= wish=OFF ;;
esac

# cached NAME: what CMake keeps of the last time.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# for_simulations: StarPU with SimGrid, configured for it.
for_simulations() {
  local log starpu
  log=$(mktemp)
  scripts/setup/build_starpu.sh --simgrid | tee "$log"
  starpu=$(tail -n 1 "$log")
  rm -f "$log"
  if [[ $(cached STARPU_LIBDIR) != "$starpu/lib" ]]; then
    rm -f "$build"/{CMakeCache.txt,starhist-simulate}
  fi
  cmake --preset simgrid -DCMAKE_PREFIX_PATH="$starpu"
}

# configure ON|OFF [STARPU_PREFIX]: CMake keeps the StarPU that it has found, so a build
# folder that was configured the other way starts anew, without its old programs.
configure() {
  local options=()
  if [[ -n $build ]]; then
    options=(-DSTARHIST_CUDA="$1")
    if [[ $(cached STARHIST_CUDA) != "$1" || ($1 == ON && $(cached STARPU_LIBDIR) != "$2/lib") ]]; then
      rm -f "$build"/{CMakeCache.txt,starhist,test_*,bench_*}
    fi
  fi
  [[ $1 == OFF ]] || options+=(-DCMAKE_PREFIX_PATH="$2")
  cmake --preset "$preset" "${options[@]}"
}

# for_gpus: StarPU with CUDA, configured for it.
for_gpus() {
  local log
  log=$(mktemp)
  if scripts/setup/build_starpu.sh | tee "$log"; then
    starpu=$(tail -n 1 "$log")
  fi
  rm -f "$log"
  [[ -n ${starpu-} ]] && configure ON "$starpu"
}

if [[ $wish == AUTO ]] && ! PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null; then
  wish=OFF
fi
if [[ $preset == simgrid ]]; then
  for_simulations
elif [[ $wish == OFF ]]; then
  configure OFF
elif ! for_gpus; then
  if [[ $wish == ON ]]; then
    echo "build.sh: cannot build for GPUs, see above (STARHIST_CUDA=OFF builds for CPUs)" >&2
    exit 1
  fi
  echo "build.sh: cannot build for GPUs, see above; building for CPUs alone (STARHIST_CUDA=OFF skips the attempt)" >&2
  configure OFF
fi
cmake --build --preset "$preset" "$@"
