#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::testing {

/// Random numbers that are equal everywhere: the distributions of the standard library
/// differ between implementations, its generators do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return 0x1p-53 * static_cast<double>(generator_() >> 11U); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In [low, high], equally likely in every decade; low > 0.
  double log_uniform(double low, double high) {
    return low * std::exp(uniform() * std::log(high / low));
  }
  /// In [0, n).
  std::uint64_t below(std::uint64_t n) { return generator_() % n; }
  bool chance(double probability) { return uniform() < probability; }

  Vec3 vector(double size) {
    const double x = uniform(-size, size);
    const double y = uniform(-size, size);
    const double z = uniform(-size, size);
    return {x, y, z};
  }

 private:
  std::mt19937_64 generator_;
};

inline void append(std::vector<double>& positions, Vec3 p) {
  positions.insert(positions.end(), {p.x, p.y, p.z});
}

/// `count` positions, uniform in the cell of the box's edges; a unit cube if it has
/// none.
inline std::vector<double> random_positions(Random& random, const Box& box,
                                            std::size_t count) {
  const bool has_edges = box.edges()[0] != Vec3{};
  const Vec3 a = has_edges ? box.edges()[0] : Vec3{1.0, 0.0, 0.0};
  const Vec3 b = has_edges ? box.edges()[1] : Vec3{0.0, 1.0, 0.0};
  const Vec3 c = has_edges ? box.edges()[2] : Vec3{0.0, 0.0, 1.0};
  std::vector<double> positions;
  positions.reserve(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const double u = random.uniform();
    const double v = random.uniform();
    const double w = random.uniform();
    append(positions, u * a + v * b + w * c);
  }
  return positions;
}

/// Moves every position by up to `most` integer multiples of the edges along each
/// periodic axis.
inline void unwrap(Random& random, const Box& box, int most,
                   std::vector<double>& positions) {
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.periodic()[axis]) {
        const auto boxes = static_cast<double>(
                               random.below(2 * static_cast<std::uint64_t>(most) + 1)) -
                           most;
        const Vec3 edge = box.edges()[axis];
        positions[i] += boxes * edge.x;
        positions[i + 1] += boxes * edge.y;
        positions[i + 2] += boxes * edge.z;
      }
    }
  }
}

}  // namespace starhist::testing
