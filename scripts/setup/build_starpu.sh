#!/usr/bin/env bash
# Builds StarPU 1.4.10 with CUDA from Debian's source archive into a cached prefix and
# prints the prefix on the last line. Skips the build if the prefix is complete.
#
#   scripts/setup/build_starpu.sh [--without-cuda | --simgrid] [--without-fxt] [--prefix DIR]
#                                 [--source FILE.tar.gz [--any-version]]
#
# --without-cuda builds it for CPUs only, for machines where StarPU cannot be installed.
# --simgrid builds it on SimGrid, which simulates workers of both kinds: for starhist simulate.
# --without-fxt builds it without traces: FxT is under the GPL, which would then apply to a package
# that contains it. Use it with --prefix: the default prefix may contain a StarPU with traces.
# Prefix: --prefix, $STARHIST_STARPU_PREFIX or, by default, a folder in ~/.cache/starhist.
# --source uses an existing source archive; nothing is downloaded.
# --any-version accepts an archive with any checksum; later builds find it in the prefix.
# CUDA: the installation of the nvcc in PATH, by default /usr/local/cuda.
set -euo pipefail

version=1.4.10
source_name=starpu_$version+dfsg.orig.tar.gz
source_sha256=6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3

fail() { echo "build_starpu.sh: $*" >&2; exit 1; }

sha256_of() { sha256sum < "$1" | cut -d ' ' -f 1; }

prefix=${STARHIST_STARPU_PREFIX:-}
source_archive=
any_version=
with_cuda=yes
with_simgrid=
with_fxt=yes
while (($#)); do
  case $1 in
    --prefix | --source) [[ -n ${2-} ]] || fail "$1 needs a value" ;;&
    --prefix) prefix=$2; shift 2 ;;
    --source) source_archive=$(readlink -m "$2"); shift 2 ;;
    --any-version) any_version=yes; shift ;;
    --without-cuda) with_cuda=; shift ;;
    --simgrid) with_simgrid=yes with_cuda= with_fxt=; shift ;;
    --without-fxt) with_fxt=; shift ;;
    *) fail "unknown option '$1'" ;;
  esac
done

# check_source: the archive is the pinned one, or it may be any.
check_source() {
  source_there=$(sha256_of "$source_archive")
  [[ $source_there != "$source_sha256" ]] || return 0
  [[ -n $any_version ]] || fail "$source_archive is not $source_name (its SHA-256 is" \
    "$source_there, not $source_sha256): give that file with --source, or add --any-version"
  echo "build_starpu.sh: --any-version: $source_archive is not $source_name, its SHA-256 is $source_there"
}

if [[ -n $source_archive ]]; then
  [[ -f $source_archive ]] || fail "there is no file $source_archive"
  check_source
elif [[ -n $any_version ]]; then
  fail "--any-version needs --source FILE"
fi

if [[ -n $with_cuda ]]; then
  kind="with CUDA"
  nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
  [[ -n $nvcc ]] || fail "no nvcc in PATH or /usr/local/cuda/bin (install the CUDA Toolkit)"
  cuda=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)
  options=(--with-cuda-dir="$cuda" LDFLAGS="-Wl,-rpath,$cuda/lib64")
elif [[ -n $with_simgrid ]]; then
  kind="with SimGrid"
  cuda=simgrid
  options=(--enable-simgrid)
else
  kind="without CUDA"
  cuda=none
  options=(--disable-cuda)
fi

# A StarPU that another recipe (this file) or another CUDA has made is not taken for ours.
recipe=$({ cat "${BASH_SOURCE[0]}"; echo "$cuda"; } | sha256sum | cut -c 1-8)
prefix=${prefix:-${XDG_CACHE_HOME:-$HOME/.cache}/starhist/starpu-$version-${with_cuda:+cuda-}${with_simgrid:+simgrid-}$recipe}

# complete: the prefix is of this recipe, and of the given source where one is given. The file
# .complete holds the recipe and the checksum of the source.
complete() {
  local of_recipe of_source
  [[ -e $prefix/.complete ]] && read -r of_recipe of_source < "$prefix/.complete" &&
    [[ $of_recipe == "$recipe" && $of_source == "${source_there:-$of_source}" ]] &&
    source_there=$of_source
}
if ! complete; then
  mkdir -p "$prefix"
  exec 9> "$prefix/.lock"
  flock 9 # two builds that start together make one StarPU
fi
if complete; then
  if [[ $source_there == "$source_sha256" ]]; then
    echo "StarPU $version $kind is there already:"
  else
    echo "A StarPU $kind that --any-version let in place of $version is there already:"
  fi
  echo "$prefix"
  exit 0
fi

# Traces need FxT, which is rarely installed on machines without apt.
if command -v apt-get >/dev/null; then
  "$(dirname "${BASH_SOURCE[0]}")"/install_packages.sh libhwloc-dev ${with_fxt:+libfxt-dev} \
    ${with_simgrid:+libsimgrid-dev} libltdl-dev make
  options+=(${with_fxt:+--with-fxt})
fi
[[ -n $with_fxt ]] || options+=(--without-fxt)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Downloads the source archive from the mirror and with the key that apt uses already; apt's
# own lists and sources stay as they are.
fetch_source() {
  local mirror origin keyring
  if ! command -v apt-get >/dev/null; then
    source_archive=$work/$source_name
    "$(dirname "${BASH_SOURCE[0]}")"/download.sh "$source_sha256" "$source_archive" \
      {https,http}://deb.debian.org/debian/pool/main/s/starpu/"${source_name//+/%2b}" ||
      fail "get $source_name elsewhere (snapshot.debian.org keeps old files) and give it with --source FILE"
    check_source
    return
  fi
  origin=$(. /etc/os-release && echo "$ID")
  mirror=$(apt-get indextargets --format '$(SITE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v origin="$origin" '$2 ~ origin "/?$" { print $2; exit }')
  keyring=/usr/share/keyrings/$origin-archive-keyring.gpg
  [[ -n $mirror && -e $keyring ]] ||
    fail "apt has no plain $origin mirror: get $source_name elsewhere and give it with --source FILE"
  local suite=sid
  [[ $origin == ubuntu ]] && suite=devel
  mkdir -p "$work"/lists/partial "$work"/cache/archives/partial
  echo "deb-src [signed-by=$keyring] $mirror $suite main universe" |
    { [[ $origin == ubuntu ]] && cat || sed 's/ universe$//'; } > "$work/sources.list"
  local options=(-q -oDir::Etc::SourceList="$work/sources.list" -oDir::Etc::SourceParts=-
    -oDir::State::Lists="$work/lists" -oDir::Cache="$work/cache" -oAPT::Sandbox::User=root)
  local files there
  if ! { apt-get "${options[@]}" update &&
    files=$(apt-get "${options[@]}" source --print-uris starpu); }; then
    fail "StarPU's source package cannot be had from $mirror: get $source_name elsewhere and" \
      "give it with --source FILE"
  fi
  there=$(grep -oE ' starpu_[^ ]*\.orig\.tar\.[a-z0-9]+ ' <<< "$files" | tr -d ' ' || true)
  [[ $there == "$source_name" ]] ||
    fail "$mirror $suite has ${there:-no source archive of StarPU}, not $source_name: get that" \
      "file elsewhere (snapshot.debian.org keeps old ones) and give it with --source FILE"
  (cd "$work" && apt-get "${options[@]}" source --download-only --tar-only starpu) ||
    fail "$source_name cannot be downloaded from $mirror: get it elsewhere and give it with" \
      "--source FILE"
  source_archive=$work/$source_name
  check_source
}

[[ -n $source_archive ]] || fetch_source
mkdir "$work/source" "$work/build"
tar -xf "$source_archive" -C "$work/source" --strip-components=1

# CUDA 13 has no cudaDeviceProp::computeMode; StarPU's fix came after its release 1.4.12.
sed -i 's/props\[devid\]\.computeMode == cudaComputeModeExclusive/({ int mode = 0; cudaDeviceGetAttribute(\&mode, cudaDevAttrComputeMode, devid); mode == cudaComputeModeExclusive; })/' \
  "$work"/source/src/drivers/cuda/driver_cuda.c "$work"/source/src/drivers/cuda/driver_cuda1.c

# On an unknown machine, StarPU measures copies and then resets the GPUs. That would free GPU memory
# of PyTorch or of a program that links libstarhist.
sed -i '/cudaDeviceReset *();/d' "$work"/source/src/core/perfmodel/perfmodel_bus.c
! grep -rq 'cudaDeviceReset *(' "$work"/source/src || fail "StarPU $version resets GPUs in another place"

# StarPU starts CUDA also for runs without CUDA workers, to count the GPUs for its file of the buses,
# and then replaces that file by one without GPUs. Such runs do not need CUDA and get a separate file.
sed -i '/^unsigned _starpu_get_cuda_device_count(void)$/,/^}/ s/^\tint cnt;$/&\n\tif (_starpu_get_machine_config()->conf.ncuda == 0)\n\t\treturn 0;/' \
  "$work/source/src/drivers/cuda/driver_cuda.c"
sed -i 's/^\t_starpu_gethostname(hostname, sizeof(hostname));$/&\n#ifdef STARPU_USE_CUDA\n\textern unsigned _starpu_get_cuda_device_count(void);\n\tif (_starpu_get_cuda_device_count() == 0)\n\t\tstrncat(hostname, ".cpus", sizeof(hostname) - strlen(hostname) - 1);\n#endif/' \
  "$work"/source/src/core/perfmodel/perfmodel{,_bus}.c

# StarPU's sample models of other machines are useless here, and after a move (bundle.sh) StarPU
# would warn in every run that their folder is missing.
sed -i '/"by installation directory"/d' "$work/source/src/core/perfmodel/perfmodel.c"

# CUDA's linear algebra (700 MB of libraries) is not needed: StarPU's cuBLAS functions become empty,
# as without CUDA, and cuBLAS is not linked. The settings below keep configure from finding the
# other three libraries.
sed -i 's/^#ifdef STARPU_USE_CUDA$/#if 0/' "$work"/source/src/drivers/cuda/starpu_cublas{,_v2}.c
sed -i 's/-lcublas\>//' "$work/source/configure"
without=(ac_cv_header_cublasLt_h=no ac_cv_lib_cublasLt_cublasLtCreate=no
  ac_cv_lib_cusparse_cusparseCreate=no ac_cv_lib_cusolver_cusolverDnCreate=no)

# StarPU asks for the debug symbols of all macros of CUDA's headers (-g3), a quarter of the time of
# its build. Dash runs configure and libtool a third faster than Bash.
shell=$(command -v dash || command -v sh)

# Never --enable-fast: without StarPU's assertions, it would wait forever for a broken GPU.
(cd "$work/build" && CONFIG_SHELL=$shell ../source/configure --prefix="$prefix" "${options[@]}" \
  C{,XX}FLAGS="-O2 -g0 -w" --disable-dependency-tracking \
  --disable-opencl --disable-hip --disable-starpufft --disable-socl --disable-fortran \
  --disable-mpi --disable-starpupy --disable-glpk --disable-static \
  --disable-build-{doc,doc-pdf,examples,tests} \
  --enable-maxcpus=256 --enable-maxcudadev=16 \
  "${without[@]}" > configure.log 2>&1) ||
  { tail -n 20 "$work/build/configure.log"; exit 1; }
grep -E 'CUDA enabled|Tracing enabled|Maximum number of CUDA|Maximum number of CPUs' "$work/build/configure.log" || true
make -C "$work/build" -j"$(nproc)" > "$work/build/make.log" 2>&1 || { tail -n 20 "$work/build/make.log"; exit 1; }
make -C "$work/build" install > "$work/build/install.log" 2>&1 || { tail -n 20 "$work/build/install.log"; exit 1; }

libraries=("$prefix"/lib/libstarpu-[0-9].[0-9].so)
[[ -e ${libraries[0]} ]] || fail "make install left no ${libraries[0]}"
if ldd -r "${libraries[@]}" 2>&1 | grep -E 'undefined symbol|not found|libcu(blas|blasLt|sparse|solver)'; then
  fail "${libraries[*]} is not as it should be: the lines above must not be there"
fi
echo "$recipe $source_there" > "$prefix/.complete"
echo "StarPU $kind${with_cuda:+ from $cuda} is in"
echo "$prefix"
