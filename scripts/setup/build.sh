#!/usr/bin/env bash
# Installs the packages, then configures and builds one preset of CMakePresets.json.
#
#   scripts/setup/build.sh [PRESET [CMAKE_BUILD_OPTIONS...]]     PRESET: default, checked, ...
#
# If nvcc is in PATH or /usr/local/cuda/bin, it also builds for NVIDIA GPUs, with a StarPU from
# build_starpu.sh; if that fails, it builds for CPUs only. STARHIST_CUDA=OFF builds for CPUs only;
# STARHIST_CUDA=ON stops if the GPU build fails. Presets with sanitizers are for CPUs. The preset
# simgrid builds only starhist-simulate, with a separate StarPU.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

scripts/setup/install_packages.sh

# CMake searches for libraries next to every folder of PATH. It would find the HDF5 of an active
# conda or pyenv, which is incompatible with the system's StarPU and h5py.
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

# cached NAME: prints a variable of CMake's cache.
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
