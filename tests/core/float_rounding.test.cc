// Properties of the compiler on which certificates rely
// (scripts/cmake/float_rounding.cmake).
#include "codelets/core/base/vec3.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

__attribute__((noinline)) Vec3 rounded(Vec3 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
__attribute__((noinline)) Vec3 rest(Vec3 v) {
  const auto of = [](double c) {
    return c - static_cast<double>(static_cast<float>(c));
  };
  return {of(v.x), of(v.y), of(v.z)};
}

TEST_CASE("conversion of doubles to floats rounds each component") {
  const Vec3 v{0.1, 0.2, 0.3};
  CHECK(rounded(v) == Vec3{0x1.99999ap-4, 0x1.99999ap-3, 0x1.333334p-2});
  CHECK(rest(v) == v - rounded(v));
  CHECK(rest(v) != Vec3{});
}

}  // namespace
}  // namespace starhist::testing
