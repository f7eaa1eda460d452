#!/usr/bin/env bash
# Builds CADISHI's CPU kernel from PyPI with AVX2 in a temporary folder and times it
# against starhist (compare_cadishi.py). usage: compare_cadishi.sh BUILD_DIR [options]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! /usr/bin/python3 -c 'import venv, numpy, Cython, future, yaml, h5py' 2>/dev/null; then
  apt-get install -y --no-install-recommends python3-venv python3-dev python3-pip cython3 \
    python3-numpy python3-future python3-yaml python3-h5py python3-scipy >/dev/null
fi
/usr/bin/python3 -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" download --quiet --no-deps --no-build-isolation --dest "$work" cadishi==1.1.4
tar -xf "$work"/cadishi-*.tar.gz -C "$work"
cd "$work"/cadishi-*/
CAD_CUDA=0 CAD_GCC_NATIVE=0 CFLAGS="-mavx2 -mfma" \
  "$work/venv/bin/python" setup.py build_ext --inplace > "$work/build.log" 2>&1 ||
  { tail -n 20 "$work/build.log"; exit 1; }
PYTHONPATH=$PWD "$work/venv/bin/python" "$here/compare_cadishi.py" "$build" "$@"
