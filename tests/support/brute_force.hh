#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codelets/core/geometry/box.hh"

namespace starhist::testing {

/// Minimum-image distances computed only from the edges of a box: tries every image in
/// a range that provably contains the nearest one. An oracle that shares no function
/// with the code under test, and slow by design.
class BruteForce {
 public:
  explicit BruteForce(const Box& box) {
    double extent = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.periodic()[axis]) {
        const Vec3 edge = box.edges()[axis];
        edge_[axis] = {edge.x, edge.y, edge.z};
        extent += 0.5 * std::sqrt(scalar(edge_[axis], edge_[axis]));
      }
    }
    invert_gram_matrix();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.periodic()[axis]) {
        // With fractional coordinates in [-1/2, 1/2] a displacement is no longer than
        // `reach`, and no image beyond the range is shorter.
        range_[axis] =
            static_cast<int>(std::ceil(0.5 + extent * std::sqrt(inverse_[axis][axis])));
      }
    }
  }

  /// Number of images that distance() tries: many for a long or skewed box.
  double image_count() const {
    return (2.0 * range_[0] + 1.0) * (2.0 * range_[1] + 1.0) * (2.0 * range_[2] + 1.0);
  }

  double distance(Vec3 p, Vec3 q) const {
    const Row direct{p.x - q.x, p.y - q.y, p.z - q.z};
    const Row start = rounded(direct);
    double shortest = scalar(start, start);
    for (int i = -range_[0]; i <= range_[0]; ++i) {
      for (int j = -range_[1]; j <= range_[1]; ++j) {
        for (int k = -range_[2]; k <= range_[2]; ++k) {
          Row d{};
          for (std::size_t x = 0; x < 3; ++x) {
            d[x] = start[x] + i * edge_[0][x] + j * edge_[1][x] + k * edge_[2][x];
          }
          const double r2 = scalar(d, d);
          shortest = r2 < shortest ? r2 : shortest;
        }
      }
    }
    return std::sqrt(shortest);
  }

 private:
  using Row = std::array<double, 3>;

  static double scalar(const Row& u, const Row& v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  }

  /// Inverts the matrix of the edges' scalar products; an axis without an edge counts
  /// as orthogonal.
  void invert_gram_matrix() {
    double g[3][3];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        g[i][j] = scalar(edge_[i], edge_[j]);
      }
      g[i][i] = g[i][i] == 0.0 ? 1.0 : g[i][i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t i1 = (i + 1) % 3;
      const std::size_t i2 = (i + 2) % 3;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t j1 = (j + 1) % 3;
        const std::size_t j2 = (j + 2) % 3;
        inverse_[j][i] = g[i1][j1] * g[i2][j2] - g[i1][j2] * g[i2][j1];  // cofactor
      }
    }
    const double determinant =
        g[0][0] * inverse_[0][0] + g[0][1] * inverse_[1][0] + g[0][2] * inverse_[2][0];
    for (Row& row : inverse_) {
      for (double& entry : row) {
        entry /= determinant;
      }
    }
  }

  /// The displacement minus integer multiples of edges: fractional coordinates in about
  /// [-1/2, 1/2].
  Row rounded(const Row& direct) const {
    Row d = direct;
    for (std::size_t i = 0; i < 3; ++i) {
      double fraction = 0.0;
      for (std::size_t j = 0; j < 3; ++j) {
        fraction += inverse_[i][j] * scalar(edge_[j], direct);
      }
      for (std::size_t x = 0; x < 3; ++x) {
        d[x] -= std::round(fraction) * edge_[i][x];
      }
    }
    return d;
  }

  std::array<Row, 3> edge_{};     // zero for an axis that is not periodic
  std::array<Row, 3> inverse_{};  // of the Gram matrix
  std::array<int, 3> range_{};
};

struct BruteForceCounts {
  std::vector<std::uint64_t> counts;  ///< one per bin, then the pairs out of range
  /// Pairs so near to an edge that the last rounding decides. Only without such pairs
  /// can the counts be compared with other code.
  std::uint64_t near_edge = 0;
};

/// Counts of all pairs of `first` and `second` (x, y, z of each), or of `first` with
/// itself if `second` is empty, in `bin_count` bins up to r_max.
inline BruteForceCounts brute_force_counts(const Box& box, double r_max,
                                           std::uint32_t bin_count,
                                           const std::vector<double>& first,
                                           const std::vector<double>& second) {
  const BruteForce brute_force(box);
  BruteForceCounts result{std::vector<std::uint64_t>(bin_count + 1ULL), 0};
  const auto at = [](const std::vector<double>& positions, std::size_t i) {
    return Vec3{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
  };
  const auto size = [](Vec3 v) {
    return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
  };
  const std::vector<double>& others = second.empty() ? first : second;
  for (std::size_t i = 0; i < first.size() / 3; ++i) {
    for (std::size_t j = second.empty() ? i + 1 : 0; j < others.size() / 3; ++j) {
      const Vec3 p = at(first, i);
      const Vec3 q = at(others, j);
      const double r = brute_force.distance(p, q);
      // An edge lies 2^-30 of a bin below a whole number of widths.
      const double position = r / r_max * bin_count + 0x1p-30;
      const double uncertainty = 1e-11 * (r + size(p) + size(q)) / r_max * bin_count;
      const double nearest_edge = std::round(position);
      if (std::abs(position - nearest_edge) <= uncertainty && nearest_edge > 0.0 &&
          nearest_edge <= bin_count) {
        ++result.near_edge;
      }
      ++result.counts[position < bin_count ? static_cast<std::size_t>(position)
                                           : bin_count];
    }
  }
  return result;
}

}  // namespace starhist::testing
