#!/usr/bin/env bash
# Packs programs, tests and libraries into one archive, which runs on any Linux of the same processor
# family with the same or a later glibc. The libraries of glibc and of the NVIDIA driver are not
# included: they must come from the machine.
#
#   scripts/setup/bundle.sh [-o FILE.tar.gz] [BUILD_DIR]      default: BUILD_DIR build, FILE in it
#
# There: tar -xf FILE.tar.gz; FOLDER/bin/starhist --version; FOLDER/bin/run_tests
set -euo pipefail
source=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)

fail() { echo "bundle.sh: $1" >&2; exit 1; }

archive=
build=
while (($#)); do
  case $1 in
    -o) [[ $# -gt 1 ]] || fail "-o needs a file"; archive=$2; shift 2 ;;
    -*) fail "unknown option '$1' (usage: bundle.sh [-o FILE.tar.gz] [BUILD_DIR])" ;;
    *) build=$1; shift ;;
  esac
done
build=${build:-$source/build}
[[ -x $build/starhist ]] || fail "there is no $build/starhist (build first: scripts/setup/build.sh)"
command -v patchelf >/dev/null || fail "patchelf is missing (scripts/setup/install_packages.sh installs it)"

version=$("$build/starhist" --version | awk '{ print $2; exit }')
name=starhist-$version-linux-$(uname -m)
archive=${archive:-$build/$name.tar.gz}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
mkdir -p "$stage"/{bin,lib,licenses,perfmodels,tests}

# A build folder that was once configured for GPUs may still hold their old programs.
without='^$'
grep -q '^STARHIST_CUDA:BOOL=ON' "$build/CMakeCache.txt" || without=cuda
programs=()
for program in "$build"/{starhist,starhist-inspect,starhist-gromacs,bench_cuda_kernels,test_*}; do
  [[ -f $program && -x $program && ! ${program##*/} =~ $without ]] || continue
  folder=bin
  [[ ${program##*/} != test_* ]] || folder=tests
  install -m 755 "$program" "$stage/$folder/"
  programs+=("$stage/$folder/${program##*/}")
done

# The files that the loader takes for these programs here, by the names that it asks for.
own='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec|nsl|anl)\.so\.[0-9]+|lib(cuda|nvidia-.*|nvcuvid)\.so.*)$'
resolved=$(ldd "${programs[@]}")
if missing=$(grep 'not found' <<< "$resolved" | sort -u); then
  fail "the loader does not find libraries of the programs in $build:
$missing"
fi
while read -r library path; do
  [[ ! $library =~ $own ]] || continue
  install -m 644 "$path" "$stage/lib/$library"
  # Licence of the library's package; StarPU may come from a separate prefix.
  package=$({ dpkg-query -S "*/$(basename "$path")" 2>/dev/null || true; } | sed -n '1s/[:,].*//p')
  for notice in "/usr/share/doc/$package/copyright" "${path%/*}/../share/doc/starpu/COPYING.LGPL"; do
    [[ ! -f $notice ]] || cp -L "$notice" "$stage/licenses/${package:-$library}"
  done
done < <(awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' <<< "$resolved" | sort -u)

# Debug information away, function names stay. RPATH, unlike RUNPATH, comes before
# LD_LIBRARY_PATH, which on clusters often has other versions of the same libraries, and
# also applies to indirect libraries, unless they have a RUNPATH.
strip --strip-debug "${programs[@]}" "$stage"/lib/*
for program in "${programs[@]}"; do
  patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$program"
done
for library in "$stage"/lib/*; do
  [[ -z $(patchelf --print-rpath "$library") ]] || patchelf --remove-rpath "$library"
done

cp "$source"/{LICENSE,README.md} "$stage/"
mkdir -p "$stage/share/starhist" # where `starhist plot` finds its script
cp -r "$source/scripts/user" "$stage/share/starhist/scripts"
find "$stage/share/starhist/scripts" -name __pycache__ -prune -exec rm -rf {} +
cp -r "$source/tests/data" "$stage/tests/"
for models in "$source"/perfmodels/{README.md,sampling}; do
  [[ ! -e $models ]] || cp -r "$models" "$stage/perfmodels/"
done

cat > "$stage/bin/run_tests" <<'END'
#!/bin/sh
# Runs the tests of this folder on this machine: run_tests [PROGRAM...], e.g. run_tests test_core
# The exit status is 0 if all programs passed; tests that need a GPU say so where there is none.
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
export STARHIST_TEST_DATA="$here/tests/data" STARHIST_PROGRAM="$here/bin/starhist"
if [ $# = 0 ]; then
  cd "$here/tests" && set -- test_*
fi
failed=
for program; do
  echo "=== $program"
  "$here/tests/$program" || failed="$failed $program"
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
END
chmod 755 "$stage/bin/run_tests"

mkdir -p "$(dirname "$archive")"
tar --create --gzip --file "$archive" --directory "$work" --sort=name --owner=0 --group=0 \
  --numeric-owner "$name"
echo "$archive: $(du -h --apparent-size "$archive" | cut -f 1), unpacked $(du -sh --apparent-size "$stage" | cut -f 1)," \
  "${#programs[@]} programs, $(find "$stage/lib" -type f | wc -l) libraries"
