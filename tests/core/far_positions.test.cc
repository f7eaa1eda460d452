// Positions so far away that a double has too few digits left.
#include "codelets/core/geometry/far_positions.hh"

#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

using Found = std::optional<std::size_t>;

TEST_CASE("a position 2^32 box lengths away is near, the next double is far") {
  const Box cube = Box::from_lengths_and_angles({8, 8, 8}, {90, 90, 90});
  std::vector<double> positions(3 * 29, 1.0);
  CHECK(find_far_position(positions, cube, 1.0) == Found());
  for (const std::size_t k : {0, 1, 2, 45, 86}) {
    for (const double sign : {-1.0, 1.0}) {
      std::vector<double> some = positions;
      some[k] = sign * 0x1p35;
      CHECK(find_far_position(some, cube, 1.0) == Found());
      some[k] = sign * std::nextafter(0x1p35, 1e30);
      CHECK(find_far_position(some, cube, 1.0) == Found(k / 3));
    }
  }
  CHECK(find_far_position({}, cube, 1.0) == Found());
  CHECK(find_far_position({1e300, 1e300, 1e300}, cube, 1.0) == Found(0));
}

TEST_CASE("positions in a skewed box are far along its edges, not along the axes") {
  // p = n * b is n box lengths away, though its x is only a tenth of that.
  const Box skewed({Vec3{1, 0, 0}, {0.5, 10, 0}, {0, 0, 1}}, {true, true, true});
  CHECK(find_far_position({0, 0x1p34, 0}, skewed, 1.0) == Found());
  CHECK(find_far_position({0, 0x1p36, 0}, skewed, 1.0) == Found(0));
}

TEST_CASE("along an open axis, far positions are those far beyond r_max") {
  CHECK(find_far_position({0x1p32, 0, 0}, Box(), 1.0) == Found());
  CHECK(find_far_position({0x1p33, 0, 0}, Box(), 1.0) == Found(0));
  CHECK(find_far_position({0x1p33, 0, 0}, Box(), 2.0) == Found());
  const Box slab({Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {true, true, false});
  CHECK(find_far_position({0, 0, 0, 0, 0, 0x1p33}, slab, 1.0) == Found(1));
  CHECK(find_far_position({0, 0, 0, 0x1p33, 0, 0}, slab, 9.0) == Found(1));
}

TEST_CASE("all positions are near if the largest coordinate is") {
  const Box cube = Box::from_lengths_and_angles({8, 8, 8}, {90, 90, 90});
  CHECK(all_near(0x1p35, cube, 1.0));
  CHECK_FALSE(all_near(std::nextafter(0x1p35, 1e30), cube, 1.0));
  CHECK_FALSE(all_near(std::numeric_limits<double>::infinity(), cube, 1.0));
  CHECK_FALSE(all_near(std::numeric_limits<double>::infinity(), Box(), 1.0));
  CHECK(all_near(0x1p33, Box(), 2.0));
  CHECK_FALSE(all_near(0x1p34, Box(), 2.0));
  // At two thirds of each edge the coordinates add up.
  const Box skewed({Vec3{1, 0, 0}, {-0.5, 1, 0}, {0, 0, 1}}, {true, true, true});
  CHECK(all_near(0x1p31, skewed, 1.0));
  CHECK_FALSE(all_near(0x1p32, skewed, 1.0));
}

}  // namespace
}  // namespace starhist::testing
