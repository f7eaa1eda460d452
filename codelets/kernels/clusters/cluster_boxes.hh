#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starhist::kernels {

/// Number of particles of a cluster of columns, and of a cluster of rows on CPUs:
/// consecutive particles of the spatial order. docs/benchmarks/cut-offs.md has the
/// measurement.
inline constexpr std::size_t cluster_size = 32;
inline constexpr std::size_t row_cluster_size = 16;

/// Numbers of particles of clusters of rows and of columns.
struct ClusterSizes {
  std::size_t rows;
  std::size_t columns;
};
/// Largest ClusterSizes::rows.
inline constexpr std::size_t most_image_rows = 64;
/// Sizes of clusters on CPUs if each pair of clusters has separate images. They are
/// larger than above, so that finding the images pays, and halved for few particles,
/// because large clusters would span too much of the cell.
inline ClusterSizes image_cluster_sizes(std::size_t particles) {
  return particles < 32'768 ? ClusterSizes{32, 64} : ClusterSizes{most_image_rows, 128};
}

/// Boxes around clusters, in the fixed-point coordinates of FixedLattice [2^-32 of an
/// edge]. A box may cross the border of the cell: coordinates of its particles are
/// within +-half of centre, modulo 2^32.
struct ClusterBoxes {
  /// Number of entries that loops over vectors may read past the last box.
  static constexpr std::size_t padding = 16;
  std::vector<std::int32_t> centre[3];
  std::vector<std::uint32_t> half[3];

  std::size_t count() const {
    return centre[0].empty() ? 0 : centre[0].size() - padding;
  }

  /// Replaces the boxes by those around each `group` consecutive particles (fewer in
  /// the last one) with coordinates xyz[axis][0 .. particles). Memory is reused.
  void set(const std::int32_t* const (&xyz)[3], std::size_t particles,
           std::size_t group);
};

}  // namespace starhist::kernels
