# GCC 12.2, which Debian 12 has, drops the rounding of (double)(float)x where it makes
# vectors of code without a loop. Certificates of counts rely on it.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-O3")
check_cxx_source_runs("
  struct Two { double x, y; };
  __attribute__((noinline)) Two rounded(Two v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y)};
  }
  int main() {
    const Two v = rounded({0.1, 0.2});
    return v.x == 0.1 || v.y == 0.2;
  }" STARHIST_ROUNDS_TO_FLOAT)
unset(CMAKE_REQUIRED_FLAGS)
set(float_rounding_flags "")
if(NOT STARHIST_ROUNDS_TO_FLOAT)
  set(float_rounding_flags -fno-tree-slp-vectorize)
endif()
