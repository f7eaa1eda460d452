#include "tasks/planning/near_pairs_by_row.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codelets/kernels/clusters/spatial_order.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

constexpr kernels::ClusterSizes sizes{kernels::row_cluster_size, kernels::cluster_size};

using Parts = std::array<double, 3>;  ///< of the edges

std::vector<Parts> random_parts(testing::Random& random, std::size_t count) {
  std::vector<Parts> positions(count);
  for (Parts& parts : positions) {
    parts = {random.uniform(), random.uniform(), random.uniform()};
  }
  return positions;
}

struct PartsBox {
  Parts centre{};
  Parts half{};
};

/// Boxes around each `size` particles; periodic coordinates are placed near the first
/// one.
std::vector<PartsBox> boxes_of(const std::vector<Parts>& positions, std::size_t size,
                               bool periodic) {
  std::vector<PartsBox> boxes;
  for (std::size_t begin = 0; begin + size <= positions.size(); begin += size) {
    PartsBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double low = 1e9;
      double high = -1e9;
      for (std::size_t i = begin; i < begin + size; ++i) {
        const double off = positions[i][axis] - positions[begin][axis];
        const double x = positions[i][axis] - (periodic ? std::round(off) : 0.0);
        low = std::min(low, x);
        high = std::max(high, x);
      }
      box.centre[axis] = 0.5 * (low + high);
      box.half[axis] = 0.5 * (high - low);
    }
    boxes.push_back(box);
  }
  return boxes;
}

double gap_between(const PartsBox& a, const PartsBox& b,
                   const std::array<Vec3, 3>& edges, bool periodic) {
  Vec3 gap;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double d = b.centre[axis] - a.centre[axis];
    d -= periodic ? std::round(d) : 0.0;
    const double apart = std::max(std::abs(d) - a.half[axis] - b.half[axis], 0.0);
    gap = gap + std::copysign(apart, d) * edges[axis];
  }
  return std::sqrt(dot(gap, gap));
}

/// The shares by a loop over clusters of the particles in spatial order.
std::vector<double> shares_by_loop(const std::vector<Parts>& positions,
                                   const std::array<Vec3, 3>& edges, bool periodic,
                                   double r_max,
                                   const kernels::ClusterSizes& clusters) {
  const std::vector<PartsBox> rows = boxes_of(positions, clusters.rows, periodic);
  const std::vector<PartsBox> columns = boxes_of(positions, clusters.columns, periodic);
  std::vector<double> before{0.0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double near = 0.0;
    for (std::size_t j = i * clusters.rows / clusters.columns; j < columns.size();
         ++j) {
      near += gap_between(rows[i], columns[j], edges, periodic) <= r_max ? 1.0 : 0.0;
    }
    before.push_back(before.back() + near);
  }
  const double all = before.back();
  for (double& each : before) {
    each /= all;
  }
  return before;
}

TEST_CASE("near pairs by row equal those of clusters in spatial order") {
  constexpr std::size_t count = 20'000;
  const bool open = GENERATE(false, true);
  const Box cell =
      open ? testing::cubic_box(1.0)
           : GENERATE(
                 testing::cubic_box(1.0),
                 Box({Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.5, 0.0}, Vec3{0.0, 0.0, 4.0}},
                     {true, true, true}));
  const MinimumImage image = (open ? Box() : cell).minimum_image();
  const bool gpu = GENERATE(false, true);
  const auto axes =
      gpu ? kernels::ClusterAxes::cartesian : kernels::ClusterAxes::lattice;
  const kernels::ClusterSizes clusters = gpu ? kernels::ClusterSizes{32, 32} : sizes;
  testing::Random random(31);
  const std::vector<Parts> parts = random_parts(random, count);
  std::vector<double> positions;
  for (const Parts& p : parts) {
    testing::append(positions, p[0] * cell.edges()[0] + p[1] * cell.edges()[1] +
                                   p[2] * cell.edges()[2]);
  }
  kernels::Bounds bounds;
  bounds.add({positions.data(), count}, 0, count);
  std::vector<Parts> sorted;
  for (const std::uint32_t i :
       kernels::spatial_order({positions.data(), count}, image, bounds, axes)) {
    sorted.push_back(parts[i]);
  }
  const double edge = std::cbrt(cell.volume());
  for (const double r_max : {0.05 * edge, 0.15 * edge, 0.4 * edge}) {
    CAPTURE(open, gpu, r_max);
    const tasks::NearPairsByRow shares(image, bounds, count, clusters, r_max, axes);
    const std::vector<double> expected =
        shares_by_loop(sorted, cell.edges(), !open, r_max, clusters);
    CHECK(shares.before(0.0) == 0.0);
    CHECK(shares.before(1.0) == Approx(1.0));
    for (std::size_t eighth = 1; eighth < 8; ++eighth) {
      CHECK(shares.before(0.125 * static_cast<double>(eighth)) ==
            Approx(expected[(expected.size() - 1) * eighth / 8]).margin(0.015));
    }
  }
}

TEST_CASE("near pairs of one particle, or of a point, have a valid distribution") {
  const MinimumImage image = testing::cubic_box(1.0).minimum_image();
  CHECK(tasks::NearPairsByRow(image, {}, 1, sizes, 0.1).before(1.0) == 1.0);
  kernels::Bounds point;
  const std::vector<double> positions(6, 0.5);
  point.add({positions.data(), 2}, 0, 2);
  const tasks::NearPairsByRow shares(Box().minimum_image(), point, 2, sizes, 0.0);
  CHECK(shares.before(0.0) == 0.0);
  CHECK(shares.before(0.5) >= 0.0);
  CHECK(shares.before(1.0) == Approx(1.0));
}

}  // namespace
}  // namespace starhist
