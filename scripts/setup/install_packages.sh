#!/usr/bin/env bash
# Installs the packages that starhist needs to build, run, test and plot, from Debian 12, Debian 13 or
# Ubuntu 24.04. Not interactive and safe to repeat; does not call apt if all packages are installed.
#
#   scripts/setup/install_packages.sh [MORE_PACKAGES...]
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config
  libstarpu-dev libhdf5-dev libboost-program-options-dev liblzf-dev zlib1g-dev
  libbz2-dev liblzma-dev libzstd-dev libdeflate-dev
  nlohmann-json3-dev libyaml-cpp-dev
  libgromacs-dev gemmi-dev tao-pegtl-dev
  catch2 patchelf
  python3-h5py python3-matplotlib python3-numpy
  "$@"
)

explain() {
  cat >&2 <<END
$1

starhist needs (names as in Debian and Ubuntu):
  ${packages[*]}
in words: a C++20 compiler, CMake >= 3.22, Ninja, pkg-config, StarPU 1.4 or
1.3 >= 1.3.10, HDF5 >= 1.10.3 (C library), Boost.Program_options >= 1.74, liblzf, zlib,
bzip2, xz, zstd,
nlohmann/json >= 3.9; libdeflate >= 1.2 to read deflated HDF5 files faster (can be missing);
yaml-cpp >= 0.6 for starhist cadishi (can be missing);
libgromacs >= 2022 for GROMACS' formats (can be missing);
gemmi >= 0.5 with PEGTL for mmCIF (can be missing: MDAnalysis reads it then);
an MPI for starhist-mpi (not installed here: libopenmpi-dev openmpi-bin);
Catch2 (v2 or v3) for the tests; patchelf for the bundle; Python 3 with h5py, NumPy
and Matplotlib for the plots.
With these in place, build by hand: see docs/how-to/on-a-cluster.md.
END
  exit 1
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  explain "install_packages.sh: this system has no apt; please install the packages yourself."
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "packages: all installed"
  exit 0
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null ||
    explain "install_packages.sh: not root and no sudo, cannot install: ${missing[*]}"
  as_root=(sudo)
fi

echo "packages: installing ${missing[*]}"
# A fresh machine may still be busy with its own updates: wait for them.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a
  apt-get -y -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
# Continue if a package source is unreachable: the others may suffice.
"${apt[@]}" update || echo "packages: apt-get update failed, trying with the lists at hand" >&2
"${apt[@]}" install --no-install-recommends "${missing[@]}" ||
  explain "install_packages.sh: apt-get could not install: ${missing[*]}
On Ubuntu they are in the component 'universe' (sudo add-apt-repository universe)."
