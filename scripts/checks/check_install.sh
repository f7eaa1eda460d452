#!/usr/bin/env bash
# Checks the program that `cmake --install` puts into an empty folder, after moving the folder.
# check_c_library.sh checks the installed libraries.
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

"$program" rdf "$data/water.h5" -o "$work/water.h5" --pairs O-O --r-max 1.4 --bins 280 -q
pairs=$("$program" export "$work/water.h5" --quantity counts | awk -F, '/^[0-9]/ { sum += $NF } END { print sum }')
[[ $pairs -gt 1000000 ]] || fail "the installed program has counted $pairs pairs"
echo "installed, moved: the program reads, counts and refuses"
