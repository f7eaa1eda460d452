#!/usr/bin/env bash
# Checks that the archive of bundle.sh works without this build folder: unpacked elsewhere, in an
# empty environment, its programs load all libraries except for glibc and the driver from the archive,
# and the counts of the water sample equal the reference.
#
#   scripts/checks/check_bundle.sh BUILD_DIR      exit status 0 works, 1 not, 77 skipped: no patchelf
set -euo pipefail
setup=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../setup" && pwd)
build=${1:?usage: check_bundle.sh BUILD_DIR}
if ! command -v patchelf >/dev/null; then
  echo "SKIPPED: bundle.sh needs patchelf"
  exit 77
fi

fail() { printf 'check_bundle.sh: %s\n' "$@" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/moved here"
"$setup/bundle.sh" -o "$work/bundle.tar.gz" "$build"
tar -xf "$work/bundle.tar.gz" -C "$work/moved here"
root=$(echo "$work/moved here"/starhist-*)

# alone COMMAND...: runs a command without environment variables that could refer to this build.
alone() { env -i HOME="$work/home" STARPU_WORKERS_NOBIND=1 "$@"; }

# Libraries that the loader would use, program by program.
system='^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv|util|mvec|nsl|anl)\.so|libcuda\.so|libnvidia-)'
for program in "$root"/bin/{starhist,starhist-inspect,starhist-gromacs,bench_*} "$root"/tests/test_*; do
  [[ -e $program ]] || continue
  strangers=$(alone ldd "$program" | sed 's/^[[:space:]]*//' | grep -vF "=> $root/" |
    grep -vE "$system|^/lib.*/ld-linux" || true)
  [[ -z $strangers ]] || fail "$program would not take from the archive:" "$strangers"
done

# What it takes in a run, with the libraries that StarPU and hwloc load by themselves. hwloc
# also loads plugins of the system, which bring libraries that are not in the archive.
cd "$root"
alone LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/loaded" bin/starhist selftest --particles 200 | tail -n 1
alone LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/loaded" bin/starhist rdf tests/data/water.h5 \
  -o "$work/water.h5" --r-max 1.4 --bins 280
sed -n 's/.*calling init: //p' "$work"/loaded.* | sort -u > "$work/libraries"
grep -q '/libstarpu-' "$work/libraries" || fail "LD_DEBUG does not list libstarpu"
while read -r library; do
  [[ $library == "$root"/* || ! -e $root/lib/${library##*/} ]] ||
    fail "bin/starhist loads $library, not the one of the archive"
done < "$work/libraries"

alone bin/starhist --version
alone bin/starhist plot --help > "$work/plot" || fail "bin/starhist plot does not find its script"
alone bin/run_tests test_core
alone STARHIST_TEST_DATA="$root/tests/data" STARHIST_PROGRAM="$root/bin/starhist" \
  tests/test_program 'both real trajectories have their reference counts*'
