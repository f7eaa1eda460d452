#!/usr/bin/env bash
# Compiles core and kernels for 64-bit ARM, with Debian's cross compiler, and runs their tests
# by QEMU: Grace and other ARM hosts.
#
#   scripts/checks/check_aarch64.sh [BUILD_DIR]      default: build-aarch64
#
# Exit status 0 right, 1 not, 77 skipped: no cross compiler or no QEMU. Needs the packages
# g++-aarch64-linux-gnu, qemu-user, catch2 and the packages of install_packages.sh.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
build=$(readlink -m "${1:-build-aarch64}")

for program in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$program" >/dev/null || {
    echo "SKIPPED: $program is missing (apt-get install g++-aarch64-linux-gnu qemu-user)"
    exit 77
  }
done

# The headers that are the same for all machines, without those of this one beside them.
headers=$build/headers
mkdir -p "$headers"/{include,lib/cmake}
for folder in boost catch2; do
  ln -sfn "/usr/include/$folder" "$headers/include/$folder"
done
catch=
for candidate in /usr/lib/cmake/Catch2 /usr/share/cmake/Catch2 "/usr/lib/$(uname -m)-linux-gnu/cmake/Catch2"; do
  [[ ! -d $candidate ]] || catch=$candidate
done
grep -qs 'SINGLE_INCLUDE\|Catch2::Catch2 INTERFACE' "$catch"/Catch2Targets.cmake || {
  echo "SKIPPED: Catch2 v3 would have to be compiled for ARM (Debian 12 has v2, which is headers alone)"
  exit 77
}
cp -rT "$catch" "$headers/lib/cmake/Catch2"
# CMake wants to see the library of Catch2's own main(), which no test links.
touch "$headers/lib/libCatch2WithMain.a"

cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=scripts/cmake/aarch64.cmake \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSTARHIST_ONLY_KERNELS=ON -DSTARHIST_WERROR="${STARHIST_WERROR:-OFF}" \
  -DCMAKE_PREFIX_PATH="$headers" -DCatch2_DIR="$headers/lib/cmake/Catch2" -DCMAKE_CXX_FLAGS="-isystem $headers/include"
cmake --build "$build"

# The program itself is not built, which two tests would start. QEMU takes too long for slow ones.
run=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
status=0
for test in test_core test_kernels; do
  readelf -h "$build/$test" | grep -q 'Machine: *AArch64' || { echo "$test is not for ARM"; exit 1; }
  echo "=== $test"
  "${run[@]}" "$build/$test" '~[slow]~the variable STARHIST_CPU_VARIANT*' || status=1
done
exit "$status"
