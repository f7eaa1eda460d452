#!/usr/bin/env bash
# What `cmake --install` puts into an empty folder works there, and where it is moved to: the
# program, and the libraries for a program of others that is built with find_package and with
# pkg-config (tests/install). Its counts are those of the installed `starhist rdf`.
#
#   scripts/checks/check_install.sh BUILD_DIR      exit status 0 works, 1 not
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$(readlink -f "${1:?usage: check_install.sh BUILD_DIR}")

fail() { printf 'check_install.sh: %s\n' "$@" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
# quietly COMMAND...: its output only where it fails.
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "failed: $*"; }; }

quietly cmake --install "$build" --prefix "$work/first"
prefix=$work/moved
mv "$work/first" "$prefix"

# cached NAME: a setting of the build.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
compiler=$(cached CMAKE_CXX_COMPILER)
libdir=$prefix/$(cached CMAKE_INSTALL_LIBDIR)
program=$prefix/$(cached CMAKE_INSTALL_BINDIR)/starhist
libexec=$prefix/$(cached CMAKE_INSTALL_LIBEXECDIR)/starhist
share=$(cached CMAKE_INSTALL_DATADIR) # empty: share
share=$prefix/${share:-share}/starhist

# The program, without its build folder.
! readelf -d "$program" | grep -F "$build" || fail "$program looks for libraries in the build folder"
"$program" --version
[[ -x $share/scripts/plot_rdf.py && -d $share/perfmodels/sampling ]] ||
  fail "scripts or performance models are missing below $share"
export STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1
data=$root/tests/data
[[ -x $libexec/starhist-inspect ]] || fail "there is no starhist-inspect in $libexec"
damaged=$("$program" info "$data/damaged/traj-31-8234.h5" 2>&1) && fail "a damaged file is read"
grep -q 'traj-31-8234' <<< "$damaged" || fail "of a damaged file the installed program says: $damaged"
if [[ -x $build/starhist-gromacs ]]; then
  [[ -x $libexec/starhist-gromacs ]] || fail "there is no starhist-gromacs in $libexec"
  "$program" info "$data/spc.tng" --structure "$data/spc.tpr" | grep -q '^frames ' ||
    fail "the installed program does not read TNG"
fi

# counts RESULT: the last column, bin by bin.
counts() { "$program" export "$1" --quantity counts | sed '/^[#r]/d; s/.*,//'; }
"$program" rdf "$data/water.h5" -o "$work/water.h5" --pairs O-O --r-max 1.4 --bins 280 -q

# check_consumers FOLDER: programs that were built there.
check_consumers() {
  "$1/run_consumer" "$data/water.h5" "$1/water.h5"
  cmp <(counts "$1/water.h5") <(counts "$work/water.h5") || fail "$1/run_consumer counts otherwise"
  "$1/count_consumer" "$1/frames.xyz" >"$1/counts"
  "$program" rdf "$1/frames.xyz" -o "$1/frames.h5" --box 1,1,1 --r-max 0.75 --bins 300 -q
  cmp "$1/counts" <(counts "$1/frames.h5") || fail "$1/count_consumer counts otherwise"
  [[ $(awk '{ sum += $1 } END { print sum }' "$1/counts") -gt 100000 ]] || fail "nothing was counted"
  ! readelf -d "$1/count_consumer" | grep -i 'NEEDED.*hdf5' || fail "$1/count_consumer links HDF5"
  ! nm -D -u "$1/count_consumer" | grep -w 'H5[A-Z][A-Za-z0-9_]*' || fail "$1/count_consumer calls HDF5"
}

# No symbol of HDF5 in the library that is to do without.
library=$libdir/libstarhist_count.a
[[ -f $library ]] || library=$libdir/libstarhist_count.so
symbols=$(nm -u "$library" | awk '$2 ~ /^H5/' | sort -u)
[[ -z $symbols ]] || fail "$library calls HDF5:" "$symbols"

# Static libraries can become part of a shared one, as of a Python module.
if [[ $library == *.a ]]; then
  quietly "$compiler" -shared -o "$work/module.so" \
    -Wl,--whole-archive "$libdir"/libstarhist_{run,count}.a -Wl,--no-whole-archive
fi

# Every library that is named becomes NEEDED, whether or not it is called. The generator and
# its program are those of the build: others may be missing.
read -ra flags <<< "$(cached CMAKE_CXX_FLAGS) -Wl,--no-as-needed"
quietly cmake -S "$root/tests/install" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
  -G "$(cached CMAKE_GENERATOR)" -DCMAKE_MAKE_PROGRAM="$(cached CMAKE_MAKE_PROGRAM)" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="${flags[*]}" \
  -DSTARHIST_VERSION="$(cached CMAKE_PROJECT_VERSION)"
quietly cmake --build "$work/cmake" -j 2
check_consumers "$work/cmake"

mkdir "$work/pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
for name in run:starhist count:starhist-count; do
  read -ra words < <(pkg-config --cflags --libs "${name#*:}")
  quietly "$compiler" "${flags[@]}" -std=c++20 -O2 "$root/tests/install/${name%:*}_consumer.cc" \
    "${words[@]}" -Wl,-rpath,"$libdir" -o "$work/pkg-config/${name%:*}_consumer"
done
check_consumers "$work/pkg-config"
echo "installed, moved, used by find_package and pkg-config: the counts are those of starhist rdf"
