#!/usr/bin/env bash
# Builds StarPU >= 1.4.10 with CUDA from the distribution's source package into a cached
# prefix and prints the prefix on the last line. Does nothing when the prefix is complete.
#
#   scripts/build_starpu.sh [--prefix DIR] [--source FILE.tar.gz]
#
# Prefix: --prefix, else $STARHIST_STARPU_PREFIX, else ~/.cache/starhist/starpu-<version>.
# --source takes a StarPU source archive that is there already; no package source is asked.
set -euo pipefail

version=1.4.10
prefix=${STARHIST_STARPU_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/starhist/starpu-$version}
source_archive=
while (($#)); do
  case $1 in
    --prefix) prefix=$2; shift 2 ;;
    --source) source_archive=$(readlink -f "$2"); shift 2 ;;
    *) echo "build_starpu.sh: unknown option '$1'" >&2; exit 1 ;;
  esac
done

if [[ -e $prefix/.complete ]]; then
  echo "StarPU $version with CUDA is there already:"
  echo "$prefix"
  exit 0
fi

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [[ -z $nvcc ]]; then
  echo "build_starpu.sh: no nvcc in PATH or /usr/local/cuda/bin (install the CUDA Toolkit)" >&2
  exit 1
fi
cuda=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)

"$(dirname "$0")"/install_packages.sh libhwloc-dev libfxt-dev libglpk-dev libltdl-dev make

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Downloads the newest source package from the mirror and with the key that apt uses
# already; apt's own lists and sources stay as they are.
fetch_source() {
  local mirror origin keyring
  origin=$(. /etc/os-release && echo "$ID")
  mirror=$(apt-get indextargets --format '$(SITE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v origin="$origin" '$2 ~ origin "/?$" { print $2; exit }')
  keyring=/usr/share/keyrings/$origin-archive-keyring.gpg
  if [[ -z $mirror || ! -e $keyring ]]; then
    echo "build_starpu.sh: apt has no plain $origin mirror (give --source FILE)" >&2
    return 1
  fi
  local suite=sid
  [[ $origin == ubuntu ]] && suite=devel
  mkdir -p "$work"/lists/partial "$work"/cache/archives/partial
  echo "deb-src [signed-by=$keyring] $mirror $suite main universe" |
    { [[ $origin == ubuntu ]] && cat || sed 's/ universe$//'; } > "$work/sources.list"
  local options=(-q -oDir::Etc::SourceList="$work/sources.list" -oDir::Etc::SourceParts=-
    -oDir::State::Lists="$work/lists" -oDir::Cache="$work/cache" -oAPT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$work" && apt-get "${options[@]}" source --download-only starpu)
  source_archive=$(ls "$work"/starpu_*.orig.tar.*)
}

[[ -n $source_archive ]] || fetch_source
mkdir "$work/source" "$work/build"
tar -xf "$source_archive" -C "$work/source" --strip-components=1

# CUDA 13 has no cudaDeviceProp::computeMode; StarPU's fix came after its release 1.4.12.
sed -i 's/props\[devid\]\.computeMode == cudaComputeModeExclusive/({ int mode = 0; cudaDeviceGetAttribute(\&mode, cudaDevAttrComputeMode, devid); mode == cudaComputeModeExclusive; })/' \
  "$work"/source/src/drivers/cuda/driver_cuda.c "$work"/source/src/drivers/cuda/driver_cuda1.c

# Never --enable-fast: without StarPU's assertions a broken GPU would make it wait for ever.
(cd "$work/build" && ../source/configure --prefix="$prefix" --with-cuda-dir="$cuda" --with-fxt \
  --disable-opencl --disable-hip --disable-starpufft --disable-socl --disable-fortran \
  --disable-mpi --disable-starpupy --disable-build-{doc,doc-pdf,examples,tests} \
  --enable-maxcpus=256 --enable-maxcudadev=16 > configure.log 2>&1) ||
  { tail -n 20 "$work/build/configure.log"; exit 1; }
grep -E 'CUDA enabled|Tracing enabled|Maximum number of CUDA|Maximum number of CPUs' "$work/build/configure.log" || true
make -C "$work/build" -j"$(nproc)" > "$work/build/make.log" 2>&1 || { tail -n 20 "$work/build/make.log"; exit 1; }
make -C "$work/build" install > "$work/build/install.log" 2>&1 || { tail -n 20 "$work/build/install.log"; exit 1; }
touch "$prefix/.complete"
echo "StarPU with CUDA from $cuda is in"
echo "$prefix"
