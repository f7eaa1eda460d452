// The arithmetic of OrthogonalDisplacement<true> on a CPU: distances are within the
// error bound that lattice_scale() gives for a CentredLattice. Needs no GPU.
#include "codelets/kernels/fixed_point/centred_lattice.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "codelets/core/counting/bin_position.hh"
#include "codelets/kernels/cuda/filter/filter_bounds.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using kernels::CentredLattice;
using kernels::cuda::FastScale;
using kernels::cuda::orthogonal_step;

/// A point as a GPU holds it: 32-bit fractions along axis 0, steps along others.
struct Point {
  std::uint32_t x;
  float y;
  float z;
};

Point point_of(const CentredLattice& centred, const FastScale& scale, Vec3 p) {
  const auto steps = [&](int axis) {
    const double edge =
        static_cast<double>(scale.orthogonal_edge[axis]) / orthogonal_step;
    return static_cast<float>(
        orthogonal_step *
        std::rint(0x1p-32 * edge *
                  kernels::fixed_coordinate(centred.lattice, axis, p)));
  };
  const auto x =
      static_cast<std::uint32_t>(kernels::fixed_coordinate(centred.lattice, 0, p));
  return {(x + orthogonal_step / 2U) & ~(orthogonal_step - 1U), steps(1), steps(2)};
}

float norm2(float x, float y, float z) {
  return std::fma(z, z, std::fma(y, y, x * x));
}

/// The distance in bins, except for the error of the root.
double distance(const CentredLattice& centred, const FastScale& scale, const Point& a,
                const Point& b) {
  const auto shorter = [](float d, float edge) {
    return std::min(std::abs(d), edge - std::abs(d));
  };
  std::array<float, 3> centre{};
  for (int axis = 0; axis < 3; ++axis) {
    centre[static_cast<std::size_t>(axis)] =
        centred.halved[axis] ? 0.5F * scale.orthogonal_edge[axis] : 0.0F;
  }
  const auto x = static_cast<float>(static_cast<std::int32_t>(a.x - b.x));
  const float y = shorter(a.y - b.y, scale.orthogonal_edge[1]);
  const float z = shorter(a.z - b.z, scale.orthogonal_edge[2]);
  const float r2 = std::min(
      norm2(x, y, z), norm2(centre[0] - std::abs(x), centre[1] - y, centre[2] - z));
  return std::sqrt(static_cast<double>(r2)) * static_cast<double>(scale.scale);
}

/// Largest error of many distances in units of its bound, which must be at most 1.
double largest_error(Random& random, const Box& box, const UniformBins& bins) {
  kernels::Bounds bounds;
  constexpr double reach = 3.0;
  bounds.add({{-reach, -reach, -reach}, {reach, reach, reach}});
  const MinimumImage& image = box.minimum_image();
  const auto centred = kernels::make_centred_lattice(image, bins, bounds);
  REQUIRE(centred);
  const auto scale = kernels::cuda::lattice_scale(centred->lattice, bins,
                                                  kernels::cuda::ApproximationErrors{});
  REQUIRE(scale);
  const auto relative = static_cast<double>(scale->filter_bound.error_rel);
  const double absolute =
      0.5 - static_cast<double>(scale->filter_bound.margin) - 0.5 * relative;
  double largest = 0.0;
  for (int k = 0; k < 20'000; ++k) {
    std::array<Vec3, 2> p{};
    for (Vec3& v : p) {
      v = {random.uniform(-reach, reach), random.uniform(-reach, reach),
           random.uniform(-reach, reach)};
    }
    if (random.chance(0.3)) {  // short distances, also to other images
      const Vec3 edge = box.edges()[random.below(3)];
      const double near = random.chance(0.5) ? 1e-3 : 1e-6;
      p[1] = p[0] + edge + near * p[1];
    }
    const double s = distance(*centred, *scale, point_of(*centred, *scale, p[0]),
                              point_of(*centred, *scale, p[1]));
    const double t =
        bin_position(bins, std::sqrt(minimum_distance2(image, p[0], p[1])));
    largest = std::max(largest, std::abs(s - t) / (relative * s + absolute));
  }
  return largest;
}

TEST_CASE("distances from two images are within their error bound") {
  Random random(81);
  const Box hexagonal = periodic_box({0.5, std::sqrt(0.75), 0.0},
                                     {0.5, -std::sqrt(0.75), 0.0}, {0.0, 0.0, 0.4});
  for (const Box& exact :
       {truncated_octahedron(), rhombic_dodecahedron(), hexagonal_box(1.6), hexagonal,
        periodic_box({1.0, 0.0, 0.0}, {1e-9, 1.2, 0.0}, {0.0, 1e-9, 0.7})}) {
    for (const double step : {0.0, 1e-8, 1e-6, 1e-5}) {
      std::array<Vec3, 3> edge{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 v = exact.edges()[k];
        edge[k] = v + step * Vec3{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
                                  random.uniform(-0.5, 0.5)};
      }
      const Box box = periodic_box(edge[0], edge[1], edge[2]);
      const std::uint32_t count = step > 2e-6 ? 300 : step > 0.0 ? 2000 : 20'000;
      INFO("rounded to " << step);
      const double error = largest_error(random, box, make_bins(0.5, count));
      CHECK(error <= 1.0);
      CHECK(error > 0.1);
    }
  }
}

}  // namespace
}  // namespace starhist::testing
