#!/usr/bin/env bash
# Checks that the packages of packaging/build_deb.sh conform to Debian's rules (lintian), install, and
# pass the tests of packaging/debian/tests (run as by autopkgtest). Then removes them.
#
#   scripts/checks/check_in_chroot.sh trixie packaging/build_deb.sh scripts/checks/check_deb.sh
#
# Call it as root in a chroot: it installs the packages.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
folder=$(readlink -f "${1:-build/deb}")

fail() { echo "check_deb.sh: $*" >&2; exit 1; }
[[ $(id -u) == 0 ]] || fail "call it as root in a chroot (see its first lines)"
changes=("$folder"/*.changes)
[[ -f ${changes[0]} ]] || fail "there are no packages in $folder (packaging/build_deb.sh)"
export DEBIAN_FRONTEND=noninteractive
install() { apt-get -y -q -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" >/dev/null; }

install lintian
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "${changes[0]}"

install "$folder"/*.deb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Dependencies of a test, and its command.
for name in first-run c-library; do
  needs=$(awk -v name="$name" '$1 == "Tests:" { mine = $2 == name } mine && $1 == "Depends:" { sub(/^Depends: /, ""); gsub(/,/, ""); print }' packaging/debian/tests/control)
  read -ra needs <<< "$needs"
  install "${needs[@]}"
done
run_test() { # NAME COMMAND...
  local name=$1
  shift
  mkdir "$work/$name"
  env -i HOME="$work" PATH=/usr/bin:/bin LC_ALL=C.UTF-8 AUTOPKGTEST_TMP="$work/$name" "$@" > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "the test $name of the packages has failed"; }
  echo "$name: passed"
}
selftest=$(sed -n 's/^Test-Command: //p' packaging/debian/tests/control)
run_test selftest bash -c "$selftest"
run_test first-run packaging/debian/tests/first-run
run_test c-library packaging/debian/tests/c-library

packages=()
for file in "$folder"/*.deb; do
  name=$(basename "$file")
  packages+=("${name%%_*}")
done
apt-get -y -q -o Dpkg::Use-Pty=0 purge "${packages[@]}" >/dev/null
! command -v starhist >/dev/null || fail "something is left of the packages"
echo "lintian without errors and warnings; installed, tested, removed: ${packages[*]}"
