#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starhist::kernels {

/// Particles of a cluster of columns and of one of rows, next to each other in spatial
/// order; see ../cpu/README.md for the measurement.
inline constexpr std::size_t cluster_size = 32;
inline constexpr std::size_t row_cluster_size = 16;

/// Clusters where each pair of them has its own images: larger, so that it is worth
/// while to find these; smaller again among few particles, where they spread too much.
struct ClusterSizes {
  std::size_t rows;
  std::size_t columns;
};
inline constexpr std::size_t most_image_rows = 64;
inline ClusterSizes image_cluster_sizes(std::size_t particles) {
  return particles < 32'768 ? ClusterSizes{32, 64} : ClusterSizes{most_image_rows, 128};
}

/// Boxes around groups of particles, in the fixed-point coordinates of FixedLattice,
/// where they may lie across the border of the cell: particle coordinates are within
/// +-half of centre, modulo 2^32.
struct ClusterBoxes {
  std::vector<std::int32_t> centre[3];
  std::vector<std::uint32_t> half[3];

  std::size_t count() const { return centre[0].size(); }

  /// Around each `group` particles (the last group may have fewer) of coordinates
  /// xyz[axis][0 .. particles). Memory is reused.
  void set(const std::int32_t* const (&xyz)[3], std::size_t particles,
           std::size_t group);
};

}  // namespace starhist::kernels
