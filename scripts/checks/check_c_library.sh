#!/usr/bin/env bash
# Checks the C library that `cmake --install` puts into an empty folder: it exports only starhist_*,
# needs no HDF5, and its examples in C, C++ and Fortran, built there with find_package and with
# pkg-config, print the same. Every function of the header is in an example.
#
#   scripts/checks/check_c_library.sh BUILD_DIR      exit status 0 works, 1 not
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$(readlink -f "${1:?usage: check_c_library.sh BUILD_DIR}")

fail() { printf 'check_c_library.sh: %s\n' "$@" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# quietly COMMAND...: its output only where it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }

# cached NAME: a setting of the build.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
quietly cmake --install "$build" --prefix "$work/first"
prefix=$work/moved
mv "$work/first" "$prefix"
libdir=$prefix/$(cached CMAKE_INSTALL_LIBDIR)
include=$prefix/$(cached CMAKE_INSTALL_INCLUDEDIR)
examples=$(echo "$prefix"/share/doc/*/examples)
[[ -d $examples ]] || fail "there are no examples below $prefix"

# Symbols must equal the functions of the header.
for library in "$libdir"/libstarhist{,_file}.so; do
  [[ $(readelf -d "$library") == *'SONAME'*"[$(basename "$library").0]"* ]] || fail "$library has another SONAME"
  nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/symbols"
  others=$(grep -v '^starhist_[a-z0-9_]*$' "$work/symbols" || true)
  [[ -z $others ]] || fail "$library exports:" "$others"
  cat "$work/symbols" >>"$work/all"
done
sort -o "$work/symbols" "$work/all"
grep -oh 'starhist_[a-z_0-9]*(' "$include"/starhist{,_file}.h | tr -d '(' | sort -u >"$work/mentioned"
grep -A1 -h '^STARHIST_API' "$include"/starhist{,_file}.h | grep -oE 'starhist_[a-z_0-9]+ *\(' | tr -d '( ' | sort -u >"$work/declared"
[[ $(wc -l <"$work/declared") -gt 30 ]] || fail "there are few functions in the header"
diff "$work/declared" "$work/symbols" || fail "the header (<) and the library (>) differ"
diff "$work/mentioned" "$work/declared" || fail "a comment names (<) what is not declared"
! readelf -d "$libdir/libstarhist.so" | grep -i 'NEEDED.*\(hdf5\|boost\)' || fail "libstarhist needs HDF5 or Boost"
while read -r function; do
  grep -q "\<$function(" "$examples"/*.c || fail "no example calls $function"
done <"$work/declared"

fortran=$(command -v gfortran || true)
[[ -n $fortran ]] || echo "check_c_library.sh: there is no gfortran: the Fortran examples are left out"
quietly cmake -S "$root/tests/install" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
  -G "$(cached CMAKE_GENERATOR)" -DCMAKE_MAKE_PROGRAM="$(cached CMAKE_MAKE_PROGRAM)" \
  -DCMAKE_C_COMPILER="$(cached CMAKE_C_COMPILER)" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
  -DCMAKE_BUILD_TYPE=Release -DEXAMPLES="$examples" -DFORTRAN="${fortran:+ON}" \
  -DSTARHIST_VERSION="$(cached CMAKE_PROJECT_VERSION)"
quietly cmake --build "$work/cmake" -j 2

export PKG_CONFIG_PATH=$libdir/pkgconfig
read -ra words < <(pkg-config --cflags --libs libstarhist)
quietly "$(cached CMAKE_C_COMPILER)" -std=c99 -pedantic -Wall -Werror "$examples/first.c" \
  "${words[@]}" -Wl,-rpath,"$libdir" -o "$work/cmake/first_pkg_config"

# The program of the how-to page.
awk '/^:caption: ideal_gas.c/ { inside = 1; next } /^```/ { inside = 0 } inside' \
  "$root/docs/how-to/c-library.md" >"$work/ideal_gas.c"
quietly "$(cached CMAKE_C_COMPILER)" -std=c99 -pedantic -Wall -Werror "$work/ideal_gas.c" \
  "${words[@]}" -Wl,-rpath,"$libdir" -o "$work/cmake/ideal_gas"

# What they print. Nothing goes to standard error, but that Debian 13's StarPU has no folder
# of models, which it says however it was started.
export STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1 STARPU_HOME=$work XDG_CACHE_HOME=$work
for program in "$work"/cmake/{ideal_gas,first_{c,cxx,pkg_config},mixture_c,on_gpu_c,simulation_c,van_hove_c,coordination_c,film_c} ${fortran:+"$work/cmake/first_fortran"}; do
  "$program" >"$program.out" 2>"$program.err" || { cat "$program.err" >&2; fail "$program has failed"; }
  ! said=$(grep -v '_perf_model_add_dir\] Warning: directory' "$program.err") ||
    fail "$program says: $said"
done
saved=$("$work/cmake/save_c" "$work/saved.h5") || fail "save has failed"
[[ $saved == *libstarhist*"exists already"* ]] || fail "save prints: $saved"
counts=$("$prefix/bin/starhist" export "$work/saved.h5" --quantity counts | sed '/^[#r]/d; s/.*,//' | tr '\n' ' ')
[[ $counts == "0 0 24 4 " ]] || fail "the saved counts of a cube are $counts"
# save.f90 counts a cube of 8 Cl around a Cs in 6 frames. In each, 12 edges and 12 face diagonals are in
# bin 2 of Cl-Cl, 4 space diagonals in bin 3, and 8 half space diagonals in bin 1 of Cs-Cl.
if [[ -n $fortran ]]; then
  printed=$("$work/cmake/save_fortran" "$work/fortran.h5") || fail "save.f90 has failed"
  [[ $printed == $'3 blocks\nCs-Cl 0 48 0 0\nCl-Cl 0 0 144 24' ]] || fail "save.f90 prints: $printed"
  counts=$("$prefix/bin/starhist" export "$work/fortran.h5" --quantity counts | sed '/^#/d' | cut -d, -f4- | tr '\n' ' ')
  [[ $counts == "Cs-Cl,Cl-Cl 0,0 48,0 0,144 0,24 " ]] || fail "the counts saved by save.f90 are $counts"
  info=$("$prefix/bin/starhist" info "$work/fortran.h5")
  for line in 'species +Cs, Cl' 'bins +4 of 0.5 nm up to 2 nm' 'blocks +3' 'frames +6 \(0 to 5\)'; do
    grep -qxE "$line" <<<"$info" || fail "the result of save.f90 lacks '$line': $info"
  done
fi
for program in "$work"/cmake/first_{cxx,pkg_config} ${fortran:+"$work/cmake/first_fortran"}; do
  diff "$work/cmake/first_c.out" "$program.out" || fail "$program prints (>) other than the C program"
done
awk '$2 < 0.8 || $2 > 1.2 { exit 1 }' "$work/cmake/ideal_gas.out" || fail "g(r) of an ideal gas: $(cat "$work/cmake/ideal_gas.out")"
sum=$(awk '{ sum += $1 } END { print sum }' "$work/cmake/first_c.out")
[[ $sum == 9990000 ]] || fail "first counts $sum pairs, not 20 * 1000 * 999 / 2"
grep -q 'O-H is pair 1 of 2' "$work/cmake/mixture_c.out" || fail "mixture prints: $(cat "$work/cmake/mixture_c.out")"
grep -q '^499500 pairs' "$work/cmake/on_gpu_c.out" || fail "on_gpu prints: $(cat "$work/cmake/on_gpu_c.out")"
grep -q 'frames 20 to 29, up to step 2450' "$work/cmake/simulation_c.out" || fail "simulation prints: $(cat "$work/cmake/simulation_c.out")"
grep -q 'refused: length 2 of the box' "$work/cmake/simulation_c.out" || fail "simulation prints: $(cat "$work/cmake/simulation_c.out")"
# Squared displacements are (0.1 nm * lag)^2, with 30 - lag origins.
for line in 'lag 1, 0.5 ps: 29 origins, mean squared displacement 0.0100 ' 'lag 5, 2.5 ps: 25 origins, mean squared displacement 0.2500 '; do
  grep -q "^$line" "$work/cmake/van_hove_c.out" || fail "van_hove prints: $(cat "$work/cmake/van_hove_c.out")"
done
# 32 Na in 3 frames, of which 6 lack a neighbour; ion 0 is one of them.
for line in 'Cl around Na within 0.6 nm: 18 have 5, 78 have 6, mean at 0.5 ps 5.8125' 'ion 0 has 15 in 3 frames'; do
  grep -qx "$line" "$work/cmake/coordination_c.out" || fail "coordination prints: $(cat "$work/cmake/coordination_c.out")"
done
# Neighbours on a square lattice: 4 at 1 nm, 4 at 2^(1/2) nm, 4 at 2 nm and 8 at 5^(1/2) nm of each of 100.
# g is their share of the 4950 pairs, relative to the ring's share of the 100 nm^2. 15 of the nearest pairs differ in
# height by 0.6 nm, beyond the second axis. The box has 3000 nm^3.
for line in 'edges are set, in the plane xy' '0.80 to 1.20 nm: 200 pairs, g 1.608' \
  '1.20 to 1.80 nm: 200 pairs, g 0.715' '1.80 to 2.70 nm: 600 pairs, g 0.953' \
  'separation along z in 2 bins up to 0.50 nm, 1.65 pairs per nm^3' '0.80 to 1.20 nm, 0.00 to 0.25 nm along z: 92 pairs' \
  '0.80 to 1.20 nm, 0.25 to 0.50 nm along z: 93 pairs'; do
  grep -qx "$line" "$work/cmake/film_c.out" || fail "film prints: $(cat "$work/cmake/film_c.out")"
done
echo "$(wc -l <"$work/declared") functions, each in an example; C, C++${fortran:+ and Fortran} print the same"
