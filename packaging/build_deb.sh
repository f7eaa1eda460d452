#!/usr/bin/env bash
# Builds the Debian packages of starhist from HEAD for the Debian that this runs on, 12 or 13: program,
# GROMACS' formats, C library, its result files, files for development. For CPUs, with Debian's StarPU.
#
#   packaging/build_deb.sh [FOLDER]      FOLDER: output folder, default build/deb
#
# Installs the build dependencies with apt, as root or through sudo. scripts/checks/check_deb.sh
# checks the packages.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

fail() { echo "build_deb.sh: $*" >&2; exit 1; }
command -v apt-get >/dev/null || fail "there is no apt-get: this is no Debian"
scripts/setup/install_packages.sh dpkg-dev fakeroot git xz-utils >/dev/null

mkdir -p "${1:-build/deb}"
folder=$(cd "${1:-build/deb}" && pwd)
version=$(sed -n 's/^project(starhist VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[[ $(dpkg-parsechangelog -l packaging/debian/changelog -S Version) == "$version"-* ]] ||
  fail "packaging/debian/changelog is not of version $version, that of CMakeLists.txt"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z $(git status --porcelain) ]] || echo "build_deb.sh: changes that are not committed are not in the packages"
git archive --format=tar --prefix="starhist-$version/" HEAD | xz -T0 -1 > "$work/starhist_$version.orig.tar.xz"
tar -xf "$work/starhist_$version.orig.tar.xz" -C "$work"
source=$work/starhist-$version
cp -r "$source/packaging/debian" "$source/debian"

as_root=()
[[ $(id -u) == 0 ]] || as_root=(sudo)
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Use-Pty=0 build-dep \
  --no-install-recommends "$source" >/dev/null
(cd "$source" && dpkg-buildpackage --unsigned-source --unsigned-changes)
cp "$work"/*.{deb,dsc,changes,buildinfo} "$work"/*.tar.xz "$folder"
ls -l "$folder"
