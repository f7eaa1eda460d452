#include "codelets/kernels/clusters/cluster_distance.hh"

#include <algorithm>
#include <cmath>

namespace starhist::kernels {
namespace {

/// Least |coordinate| in centre +- half, modulo 2^32.
double gap(std::int32_t centre, std::uint64_t half) {
  const std::int64_t length = std::abs(std::int64_t{centre});
  return static_cast<double>(
      std::max<std::int64_t>(length - static_cast<std::int64_t>(half), 0));
}

std::int32_t wrapped_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) -
                                   static_cast<std::uint32_t>(b));
}

}  // namespace

ClusterDistance::ClusterDistance(const FixedLattice& lattice, const UniformBins& bins)
    : skewed_(lattice.selling[3] + lattice.selling[4] + lattice.selling[5] > 0.0),
      searched_(lattice.metric == Metric::searched) {
  const auto error = 2.0 * static_cast<double>(lattice.fast.error_abs);
  const auto& p = lattice.selling;
  for (int k = 0; k < 6; ++k) {
    selling_[k] = 0x1p-64 * p[k];
  }
  // Includes the error of the fixed point and of the sum below.
  const double farthest = (1.0 + 1e-9) * bins.count + error + 1e-3;
  out_of_range_r2_ = farthest * farthest;

  const double gram[3][3] = {{p[0] + p[3] + p[4], -p[3], -p[4]},
                             {-p[3], p[1] + p[3] + p[5], -p[5]},
                             {-p[4], -p[5], p[2] + p[4] + p[5]}};
  constexpr bool members[6][3] = {{true, false, false}, {false, true, false},
                                  {false, false, true}, {true, true, false},
                                  {true, false, true},  {false, true, true}};
  for (int s = 0; s < 6; ++s) {
    double norm2 = 0.0;
    for (int k = 0; k < 3; ++k) {
      double along = 0.0;
      for (int i = 0; i < 3; ++i) {
        along += members[s][i] ? gram[i][k] : 0.0;
      }
      facet_[s].along[k] = 0x1p-32 * along;
      norm2 += members[s][k] ? along : 0.0;
    }
    facet_[s].half_norm2 = (0.5 - 1e-6) * norm2 - error * std::sqrt(norm2);
  }
}

ClusterClass ClusterDistance::classify(const ClusterBoxes& boxes_a, std::size_t a,
                                       const ClusterBoxes& boxes_b,
                                       std::size_t b) const {
  Difference d;
  for (int k = 0; k < 3; ++k) {
    d.centre[k] = wrapped_difference(boxes_a.centre[k][a], boxes_b.centre[k][b]);
    d.half[k] = std::uint64_t{boxes_a.half[k][a]} + boxes_b.half[k][b];
  }
  if (out_of_range(d)) {
    return ClusterClass::out_of_range;
  }
  return !searched_ || within_voronoi_cell(d) ? ClusterClass::rounded
                                              : ClusterClass::general;
}

bool ClusterDistance::out_of_range(const Difference& d) const {
  double r2 = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double along = gap(d.centre[k], d.half[k]);
    r2 += selling_[k] * along * along;
  }
  if (!skewed_) {
    return r2 > out_of_range_r2_;
  }
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 3; ++k) {
    const auto [i, j] = pairs[k];
    const double along =
        gap(wrapped_difference(d.centre[i], d.centre[j]), d.half[i] + d.half[j]);
    r2 += selling_[3 + k] * along * along;
  }
  return r2 > out_of_range_r2_;
}

bool ClusterDistance::within_voronoi_cell(const Difference& d) const {
  constexpr double half_edge = 0x1p31 - 1024.0;
  double centre[3];
  double half[3];
  bool within = true;
  for (int k = 0; k < 3; ++k) {
    centre[k] = d.centre[k];
    half[k] = static_cast<double>(d.half[k]);
    within = within && std::abs(centre[k]) + half[k] < half_edge;
  }
  for (const Facet& facet : facet_) {
    double middle = 0.0;
    double spread = 0.0;
    for (int k = 0; k < 3; ++k) {
      middle += facet.along[k] * centre[k];
      spread += std::abs(facet.along[k]) * half[k];
    }
    within = within && std::abs(middle) + spread < facet.half_norm2;
  }
  return within;
}

}  // namespace starhist::kernels
