#pragma once

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/core/geometry/box.hh"
#include "codelets/core/geometry/second_axis.hh"
#include "codelets/core/geometry/shortest_displacement.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/row_range.hh"

namespace starhist::kernels {

/// Kind and number of bins of a second axis. Plain data for the kernels.
struct SecondBins {
  SecondAxis::Kind kind = SecondAxis::Kind::cosine;
  std::uint32_t count = 0;
};

/// Position of a pair on the second axis, in bins: bin k holds the positions k <=
/// position < k + 1, the last bin also larger ones. Coinciding particles have the
/// cosine 0. `d`: displacement from the first to the second particle, `u`: unit vector.
STARHIST_HOST_DEVICE double second_position(const SecondBins& axis, double r_max,
                                            Vec3 d, Vec3 u) {
  const double along = dot(d, u);
  if (axis.kind == SecondAxis::Kind::component) {
    return fused(along < 0.0 ? -along : along, axis.count / r_max, edge_shift);
  }
  const double r = square_root(dot(d, d));
  const double half = 0.5 * axis.count;
  return fused(r > 0.0 ? along / r : 0.0, half, half + edge_shift);
}

/// The defining function: the index of a pair in a histogram of bins.count rows of
/// axis.count bins, or bins.count * axis.count if it is out of range. bins.below must
/// be 0. `first` is the first particle. `Bins`: UniformBins, or BinScale for bins of
/// equal width.
template <class Bins>
STARHIST_HOST_DEVICE std::size_t pair_cell(const MinimumImage& image, const Bins& bins,
                                           const SecondBins& axis, Vec3 u, Vec3 first,
                                           Vec3 second) {
  const std::uint32_t bin = pair_bin(image, bins, first, second);
  if (bin == bins.count) {
    return std::size_t{bins.count} * axis.count;
  }
  const Vec3 d = shortest_displacement(image, second, first);
  const auto k = static_cast<std::uint32_t>(second_position(axis, bins.r_max, d, u));
  return std::size_t{bin} * axis.count + (k < axis.count ? k : axis.count - 1);
}

/// The defining function for separations along the normal of a plane: the column of two
/// heights, `count` beyond `limit`. The last bin includes its upper edge, half the
/// period in a default run. `period`: 0 if the box is open along the normal.
STARHIST_HOST_DEVICE std::uint32_t height_column(std::uint32_t count, double limit,
                                                 double period, double a, double b) {
  const double direct = a - b;
  const double d =
      period > 0.0 ? fused(-nearest_integer(direct / period), period, direct) : direct;
  const double position = fused(d < 0.0 ? -d : d, count / limit, edge_shift);
  if (position < count) {
    return static_cast<std::uint32_t>(position);
  }
  return position < count + 2.0 * edge_shift ? count - 1 : count;
}

/// Coordinates of particles along the normal of the plane in which distances are
/// measured. Plain data for the kernels.
struct Heights {
  const double* first = nullptr;  ///< null: distances in space
  const double* second = nullptr;
  double period = 0.0;  ///< 0: open along the normal
};

/// GPUs count species of fewer particles than this.
inline constexpr std::size_t gpu_particle_limit = 1U << 23U;

/// The pairs of two species in a frame, to be counted by distance and second axis.
struct SecondAxisPairs {
  PositionSpan first;
  PositionSpan second;
  bool like = false;  ///< `second` is `first`; see SecondAxis::orders()
  Box box;
  UniformBins bins;  ///< bins.below must be 0
  SecondAxis axis;
  /// Unit vectors of the particles of `first`; null: axis.direction().
  const Vec3* directions = nullptr;
  Heights heights = {};  ///< set if axis.along_normal()

  /// Number of counters of a histogram, in rows of axis.columns().
  std::size_t cells() const { return std::size_t{bins.count} * axis.columns(); }
  SecondBins second_bins() const { return {axis.kind, axis.count}; }
  Vec3 direction(std::size_t i) const {
    return directions == nullptr ? axis.direction() : directions[i];
  }

  /// pair_cell() of particle i of `first` with particle j of `second`, or the same with
  /// height_column(); i is the first particle of the pair.
  std::size_t cell(std::size_t i, std::size_t j) const {
    if (axis.along_normal()) {
      const std::uint32_t row =
          pair_bin(box.minimum_image(), bins, first[i], second[j]);
      return row == bins.count
                 ? cells()
                 : std::size_t{row} * axis.columns() +
                       height_column(axis.count, axis.limit, heights.period,
                                     heights.first[i], heights.second[j]);
    }
    return pair_cell(box.minimum_image(), bins, second_bins(), direction(i), first[i],
                     second[j]);
  }
};

}  // namespace starhist::kernels
