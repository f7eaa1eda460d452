#!/usr/bin/env bash
# Checks that a wheel of build_wheel.sh works in a fresh virtual environment, without compilers, StarPU
# and HDF5 of the machine: module, program, files, and counts in a process with h5py's HDF5.
#
#   scripts/checks/check_wheel.sh WHEEL [PYTHON]      PYTHON: default /usr/bin/python3
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
wheel=$(readlink -f "${1:?usage: check_wheel.sh WHEEL [PYTHON]}")
python=${2:-/usr/bin/python3}

fail() { echo "check_wheel.sh: $*" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
# Install only packages that have wheels; do not compile.
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$wheel" h5py pytest
site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')

for file in "$site"/starhist/_core*.so "$site"/starhist/program/bin/* "$site"/starhist/program/libexec/starhist/*; do
  libraries=$(ldd "$file")
  ! grep 'not found' <<< "$libraries" || fail "$file lacks libraries"
  ! others=$(awk '$2 == "=>" { print $3 }' <<< "$libraries" | grep -v "^$site" |
    grep -vE '/(lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z)\.so|ld-linux)') || fail "$file takes from the machine:" "$others"
done
! ldd "$site"/starhist/_core*.so | grep -i hdf5 || fail "the extension has HDF5"
[[ -n $(find "$site"/starhist-*.dist-info -name starpu) ]] || fail "there is no licence of StarPU"

cd "$work"
env -i HOME="$work" STARPU_WORKERS_NOBIND=1 "$work/venv/bin/starhist" --version
env -i HOME="$work" STARPU_WORKERS_NOBIND=1 "$work/venv/bin/python" -m pytest -q -rs -p no:cacheprovider -c /dev/null \
  --rootdir "$root/tests/python" "$root"/tests/python/test_{counts,result}.py -k "not types and not examples"
