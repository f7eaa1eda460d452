#!/usr/bin/env bash
# Builds StarPU >= 1.4.10 with CUDA from the distribution's source package into a cached
# prefix and prints the prefix on the last line. Does nothing when the prefix is complete.
#
#   scripts/setup/build_starpu.sh [--prefix DIR] [--source FILE.tar.gz]
#
# Prefix: --prefix, else $STARHIST_STARPU_PREFIX, else a folder of ~/.cache/starhist.
# --source takes a StarPU source archive that is there already; no package source is asked.
# CUDA: the one of the nvcc in PATH, else /usr/local/cuda.
set -euo pipefail

version=1.4.10
prefix=${STARHIST_STARPU_PREFIX:-}
source_archive=
while (($#)); do
  case $1 in
    --prefix) prefix=$2; shift 2 ;;
    --source) source_archive=$(readlink -f "$2"); shift 2 ;;
    *) echo "build_starpu.sh: unknown option '$1'" >&2; exit 1 ;;
  esac
done

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [[ -z $nvcc ]]; then
  echo "build_starpu.sh: no nvcc in PATH or /usr/local/cuda/bin (install the CUDA Toolkit)" >&2
  exit 1
fi
cuda=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)

# A StarPU that another recipe (this file) or another CUDA has made is not taken for ours.
recipe=$({ cat "${BASH_SOURCE[0]}"; echo "$cuda"; } | sha256sum | cut -c 1-8)
prefix=${prefix:-${XDG_CACHE_HOME:-$HOME/.cache}/starhist/starpu-$version-cuda-$recipe}

complete() { [[ -e $prefix/.complete && $(< "$prefix/.complete") == "$recipe" ]]; }
if ! complete; then
  mkdir -p "$prefix"
  exec 9> "$prefix/.lock"
  flock 9 # two builds that start together make one StarPU
fi
if complete; then
  echo "StarPU $version with CUDA is there already:"
  echo "$prefix"
  exit 0
fi

"$(dirname "${BASH_SOURCE[0]}")"/install_packages.sh libhwloc-dev libfxt-dev libltdl-dev make

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
  if ! { apt-get "${options[@]}" update &&
    (cd "$work" && apt-get "${options[@]}" source --download-only starpu); }; then
    echo "build_starpu.sh: StarPU's source package cannot be had from $mirror; get" \
      "starpu_$version+dfsg.orig.tar.gz elsewhere and give it with --source FILE" >&2
    return 1
  fi
  source_archive=$(ls "$work"/starpu_*.orig.tar.*)
}

[[ -n $source_archive ]] || fetch_source
mkdir "$work/source" "$work/build"
tar -xf "$source_archive" -C "$work/source" --strip-components=1

# CUDA 13 has no cudaDeviceProp::computeMode; StarPU's fix came after its release 1.4.12.
sed -i 's/props\[devid\]\.computeMode == cudaComputeModeExclusive/({ int mode = 0; cudaDeviceGetAttribute(\&mode, cudaDevAttrComputeMode, devid); mode == cudaComputeModeExclusive; })/' \
  "$work"/source/src/drivers/cuda/driver_cuda.c "$work"/source/src/drivers/cuda/driver_cuda1.c

# Models of the makers' machines are no use, and a StarPU that was moved (bundle.sh) would
# warn in every run that their folder is missing.
sed -i '/"by installation directory"/d' "$work/source/src/core/perfmodel/perfmodel.c"

# CUDA's linear algebra (700 MB of libraries) is of no use here: StarPU's functions for it
# become the empty ones of a StarPU without CUDA, and nothing links cuBLAS. The answers
# below keep configure from finding the other three.
sed -i 's/^#ifdef STARPU_USE_CUDA$/#if 0/' "$work"/source/src/drivers/cuda/starpu_cublas{,_v2}.c
sed -i 's/-lcublas\>//' "$work/source/configure"
without=(ac_cv_header_cublasLt_h=no ac_cv_lib_cublasLt_cublasLtCreate=no
  ac_cv_lib_cusparse_cusparseCreate=no ac_cv_lib_cusolver_cusolverDnCreate=no)

# Never --enable-fast: without StarPU's assertions a broken GPU would make it wait for ever.
(cd "$work/build" && ../source/configure --prefix="$prefix" --with-cuda-dir="$cuda" --with-fxt \
  --disable-opencl --disable-hip --disable-starpufft --disable-socl --disable-fortran \
  --disable-mpi --disable-starpupy --disable-glpk --disable-static \
  --disable-build-{doc,doc-pdf,examples,tests} \
  --enable-maxcpus=256 --enable-maxcudadev=16 \
  LDFLAGS="-Wl,-rpath,$cuda/lib64" "${without[@]}" > configure.log 2>&1) ||
  { tail -n 20 "$work/build/configure.log"; exit 1; }
grep -E 'CUDA enabled|Tracing enabled|Maximum number of CUDA|Maximum number of CPUs' "$work/build/configure.log" || true
make -C "$work/build" -j"$(nproc)" > "$work/build/make.log" 2>&1 || { tail -n 20 "$work/build/make.log"; exit 1; }
make -C "$work/build" install > "$work/build/install.log" 2>&1 || { tail -n 20 "$work/build/install.log"; exit 1; }

library=$prefix/lib/libstarpu-1.4.so
if ldd -r "$library" 2>&1 | grep -E 'undefined symbol|not found|libcu(blas|blasLt|sparse|solver)'; then
  echo "build_starpu.sh: $library is not as it should be: the lines above must not be there" >&2
  exit 1
fi
echo "$recipe" > "$prefix/.complete"
echo "StarPU with CUDA from $cuda is in"
echo "$prefix"
