#!/usr/bin/env bash
# Builds starhist with the commands of docs/how-to/on-a-cluster.md, as a user without root and apt:
# StarPU, HDF5, liblzf and JSON for Modern C++ are built from source in a prefix. Then runs the tests
# that use them.
#
#   scripts/checks/check_in_chroot.sh bookworm scripts/checks/check_without_root.sh
#
# Call it as root in a chroot: it installs the packages that clusters provide as modules, and adds a user.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

fail() { echo "check_without_root.sh: $*" >&2; exit 1; }
[[ $(id -u) == 0 ]] || fail "call it as root in a chroot (see its first lines)"
! dpkg-query -W libstarpu-dev libhdf5-dev 2>/dev/null | grep -q '[0-9]' ||
  fail "StarPU or HDF5 is installed here already: call it in a bare chroot (see its first lines)"

export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends g++ make cmake ninja-build pkg-config \
  python3 curl ca-certificates libhwloc-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libboost-program-options-dev catch2

user=starhist-user
id "$user" >/dev/null 2>&1 || useradd --create-home "$user"
home=$(getent passwd "$user" | cut -d : -f 6)
programs=$home/programs # all of this system without those of its packages
mkdir -p "$programs"
for program in /usr/bin/*; do
  [[ ${program##*/} =~ ^(apt|dpkg|sudo|su$) ]] || ln -sf "$program" "$programs/"
done
cp -rT . "$home/starhist"
chown -R "$user:" "$home"

# The commands of the page, and the tests after them.
commands=$(awk '/^## Build in your home folder/ { inside = 1; next } /^## / { inside = 0 }
  inside && /^```sh$/ { code = 1; next } /^```$/ { code = 0 } inside && code' docs/how-to/on-a-cluster.md)
grep -q build_hdf5.sh <<< "$commands" || fail "docs/how-to/on-a-cluster.md has no commands any more"
checks='
! command -v apt-get || exit 1
libraries=$(ldd "$prefix/bin/starhist")
for library in libhdf5 libstarpu; do
  grep -F "$prefix/lib/$library" <<< "$libraries" || { echo "$library is not that of $prefix" >&2; exit 1; }
done
data=tests/data
"$prefix/bin/starhist" rdf $data/water.h5 -o counts.h5 --r-max 1.2 --bins 60 --last 9 --block 4
cmp <("$prefix/bin/starhist" export counts.h5 --quantity counts | sed /^#/d) <(sed /^#/d $data/result-0.1.0.counts.csv)
cmake --preset default -DSTARHIST_BUILD_TESTS=ON
cmake --build --preset default --target test_io test_tasks
ctest --preset default -L "^(io|tasks)$"'
setpriv --reuid="$user" --regid="$user" --clear-groups /usr/bin/env -i HOME="$home" PATH="$programs" \
  LC_ALL=C.UTF-8 STARPU_WORKERS_NOBIND=1 ${http_proxy:+http_proxy="$http_proxy"} \
  ${https_proxy:+https_proxy="$https_proxy"} \
  bash -euxo pipefail -c "cd ~/starhist; $commands
$checks" </dev/null
echo "built and tested without root and apt"
