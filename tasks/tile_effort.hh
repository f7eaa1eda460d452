#pragma once

#include <algorithm>
#include <cstdint>

#include "codelets/core/frame.hh"
#include "codelets/core/histogram.hh"
#include "perfmodels/work_class.hh"

namespace starhist {

/// What becomes of the pairs of two species in tiles, for each pair.
struct TileEffort {
  /// Share of the pairs that are near enough to be evaluated; the others are out of
  /// range tile by tile.
  double evaluated = 1.0;
  /// What the time goes by: that share, where pairs of tiles count more if they are
  /// likely to need several lattice vectors, and a little for all, to look at their
  /// tiles.
  double work = 1.0;

  /// WorkSize::evaluated of so many pairs.
  std::uint64_t evaluated_of(std::uint64_t pairs) const {
    return std::max<std::uint64_t>(
        static_cast<std::uint64_t>(work * static_cast<double>(pairs)), 1);
  }
};

/// For species spread evenly over the cell of a frame, or over their bounds where it is
/// open.
class TileEfforts {
 public:
  /// `by_gpus`: in tiles as GPUs have them.
  TileEfforts(const Frame& frame, double r_max, bool by_gpus);

  /// Of species with so many particles.
  TileEffort of(std::size_t first, std::size_t second) const;
  /// Of all pairs of a frame, on average.
  TileEffort of(const HistogramLayout& layout, const Frame& frame) const;

 private:
  /// Sizes of tiles and what counting them costs.
  struct Costs {
    std::size_t rows;
    std::size_t columns;
    double width;   ///< of a tile's box, relative to a cube's
    double look;    ///< work for each pair
    double images;  ///< work grows with so many powers of lattice vectors
  };
  Costs costs_of(std::size_t columns) const;

  bool by_gpus_;
  Geometry geometry_;
  double r_max_;
  double volume_;
  bool periodic_;
};

}  // namespace starhist
