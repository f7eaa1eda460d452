#!/usr/bin/env bash
# Builds a thread-safe HDF5 1.10.8 and liblzf 3.6 from source into a prefix, and installs the
# headers of JSON for Modern C++ 3.11.2 there, for machines without permission to install packages.
# Prints the prefix on the last line. Skips the build if the prefix is complete.
#
#   scripts/setup/build_hdf5.sh --prefix DIR [--hdf5 FILE.tar.gz] [--liblzf FILE.tar.gz] \
#                               [--nlohmann-json3 FILE.tar.gz]
#
# The source archives of Debian 12 are used: downloaded, or passed by the options; checksums must
# match. Needs C and C++ compilers, CMake, make and zlib's headers.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

hdf5_name=hdf5_1.10.8+repack1.orig.tar.gz
hdf5_sha256=7b38e58ff83b13fd8959a90b13bf896bc318ba096c940ab0847abf3ad41a0b31
liblzf_name=liblzf_3.6.orig.tar.gz
liblzf_sha256=9c5de01f7b9ccae40c3f619d26a7abec9986c06c36d260c179cedd04b89fb46a
json_name=nlohmann-json3_3.11.2.orig.tar.gz
json_sha256=d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
mirrors=(https://deb.debian.org/debian http://deb.debian.org/debian)

fail() { echo "build_hdf5.sh: $*" >&2; exit 1; }

prefix=
hdf5=
liblzf=
json=
while (($#)); do
  [[ -n ${2-} ]] || fail "$1 needs a value"
  case $1 in
    --prefix) prefix=$2 ;;
    --hdf5) hdf5=$(readlink -m "$2") ;;
    --liblzf) liblzf=$(readlink -m "$2") ;;
    --nlohmann-json3) json=$(readlink -m "$2") ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift 2
done
[[ -n $prefix ]] || fail "where to? (--prefix DIR)"
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)

recipe=$(sha256sum < "${BASH_SOURCE[0]}" | cut -c 1-8)
if [[ $(cat "$prefix/.hdf5-complete" 2>/dev/null) == "$recipe" ]]; then
  echo "HDF5, liblzf and JSON for Modern C++ are there already:"
  echo "$prefix"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack NAME SHA256 FILE FOLDER_OF_THE_POOL: into a folder of $work, which it prints.
unpack() {
  local file=$3 folder=$work/${1%%_*} urls=()
  if [[ -z $file ]]; then
    file=$work/$1
    for mirror in "${mirrors[@]}"; do
      urls+=("$mirror/pool/main/$4/${1//+/%2b}")
    done
    "$here/download.sh" "$2" "$file" "${urls[@]}" >&2 ||
      fail "get $1 elsewhere (snapshot.debian.org keeps old files) and give it with --${1%%_*}"
  fi
  [[ -f $file ]] || fail "there is no file $file"
  [[ $(sha256sum < "$file" | cut -d ' ' -f 1) == "$2" ]] ||
    fail "$file is not $1: its SHA-256 is not $2"
  mkdir "$folder"
  tar -xf "$file" -C "$folder" --strip-components=1
  echo "$folder"
}

# make_in FOLDER CONFIGURE_OPTION...: configures, makes and installs.
make_in() {
  local folder=$1
  shift
  { cd "$folder" && ./configure --prefix="$prefix" "$@" && make -j"$(nproc)" && make install; } \
    > "$folder.log" 2>&1 || { tail -n 20 "$folder.log" >&2; fail "$folder could not be built, see above"; }
}

folder=$(unpack "$liblzf_name" "$liblzf_sha256" "$liblzf" libl/liblzf)
(make_in "$folder" CFLAGS="-O2 -fPIC")
folder=$(unpack "$json_name" "$json_sha256" "$json" n/nlohmann-json3)
{ cmake -S "$folder" -B "$folder/build" -DJSON_BuildTests=OFF -DCMAKE_INSTALL_PREFIX="$prefix" &&
  cmake --install "$folder/build"; } > "$folder.log" 2>&1 ||
  { tail -n 20 "$folder.log" >&2; fail "$folder could not be installed, see above"; }
folder=$(unpack "$hdf5_name" "$hdf5_sha256" "$hdf5" h/hdf5)
# -Wno-implicit-int: H5HL_insert has no type, which GCC 14 and later refuse.
(make_in "$folder" --enable-threadsafe --disable-hl --disable-tests --disable-static --with-pic CFLAGS=-Wno-implicit-int)

# Their licences, for packages that have them inside.
for notice in hdf5/COPYING liblzf/LICENSE nlohmann-json3/LICENSE.MIT; do
  mkdir -p "$prefix/share/doc/${notice%/*}"
  cp "$work/$notice" "$prefix/share/doc/${notice%/*}/"
done

[[ -e $prefix/lib/libhdf5.so && -e $prefix/lib/liblzf.a &&
  -e $prefix/include/nlohmann/json.hpp ]] ||
  fail "make install left no libhdf5.so or no liblzf.a in $prefix/lib, or no nlohmann/json.hpp"
echo "$recipe" > "$prefix/.hdf5-complete"
echo "HDF5, liblzf and JSON for Modern C++ are in"
echo "$prefix"
