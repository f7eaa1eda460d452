#pragma once

#include <cstdint>

#include "codelets/kernels/clusters/image_steps.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cuda/tile_records.hh"
#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels::cuda {

/// The place of bin 0: the bits of 2^23, to which certificates add distances.
inline constexpr std::uint32_t first_place = 0x4b000000;

/// Vectors in bins are scaled by 2^-448 for the tensor cores, or FastScale::unit, a
/// little more: squares then come out times 2^-896, and the bits of the double, shifted
/// left by three, begin with those of a float of the same value.
inline constexpr double tensor_unit = 0x1p-448;

/// When a fast distance s, in bins, is certain: where it is at least
/// error_abs + error_rel * s away from every edge.
struct Trust {
  float error_rel = 0.0F;
  /// Half a bin less error_abs, and less half of error_rel: the middle of a bin stands
  /// for the distances in it.
  float margin = 0.5F;
};

/// Squared bins as whole numbers, for EdgeCertificate and StepsCertificate: up to 2^30
/// steps are between an edge and what is a bin away, which leaves a bit for the error.
struct SquareSteps {
  double step = 0.0;   ///< times tensor_unit^2
  double shift = 0.0;  ///< so much that a double beside it has steps in its last bits
  std::uint32_t per_square = 1;  ///< steps of a squared bin, a power of 2
  std::uint32_t error = 0;       ///< steps by which a squared distance may be off
  /// Of StepsCertificate: steps / 2^root_shift are squares, of 32 bits, of distances in
  /// `root_unit` bins. They are good for distances from root_start on, between tiles
  /// with radii of less than widest_tiles together that may have pairs in range.
  std::uint32_t root_shift = 0;
  float root_unit = 1.0F;
  float root_start = 0.0F;
  float widest_tiles = 0.0F;

  /// In which squares are all positive and have steps in their last bits.
  STARHIST_HOST_DEVICE double offset() const {
    return shift + step * static_cast<double>(error);
  }
};

/// A pair in a warp's queue of doubts is a look at some columns of its work item, of
/// which there are at most so many, a lane and a bit.
inline constexpr std::uint32_t most_item_columns = 1U << 20U;

/// The pairs of one frame in a launch.
struct KernelPart {
  PositionSpan first;
  PositionSpan second;
  std::uint32_t row_begin = 0;
  std::uint32_t row_end = 0;
  bool like = false;
  /// In KernelArgs::records.
  std::uint32_t first_tile = 0;
  std::uint32_t second_tile = 0;

  STARHIST_HOST_DEVICE std::uint32_t column_count() const {
    return static_cast<std::uint32_t>(second.count);
  }
  STARHIST_HOST_DEVICE std::uint32_t first_row_tile() const {
    return row_begin / tile_size;
  }
  STARHIST_HOST_DEVICE std::uint32_t row_tiles() const {
    return TileRecords::tiles_of(row_end) - first_row_tile();
  }
  /// Units of work of a tile of rows and so many super tiles of columns.
  STARHIST_HOST_DEVICE std::uint64_t units(std::uint32_t supers) const {
    const std::uint32_t all = TileRecords::supers_of(second.count);
    return std::uint64_t{row_tiles()} * ((all + supers - 1U) / supers);
  }
  /// Whether row i and column j are a pair of the part, for i >= row_begin.
  STARHIST_HOST_DEVICE bool has_pair(std::uint32_t i, std::uint32_t j) const {
    return i < row_end && j < column_count() && (!like || j > i);
  }
  /// Number of the tile of the first partner of row `row`.
  STARHIST_HOST_DEVICE std::uint32_t first_tile_column(
      std::uint32_t row, std::uint32_t tile_columns) const {
    return like ? (row + 1U) / tile_columns : 0U;
  }
  /// Tiles that the partners of row `row` and of later rows are in.
  STARHIST_HOST_DEVICE std::uint32_t tiles_beside(std::uint32_t row,
                                                  std::uint32_t tile_columns) const {
    const std::uint32_t all =
        column_count() / tile_columns + (column_count() % tile_columns != 0 ? 1U : 0U);
    const std::uint32_t before = first_tile_column(row, tile_columns);
    return before < all ? all - before : 0U;
  }
};

/// Enough for the small frames of a task, which share a launch.
inline constexpr std::uint32_t most_parts = 64;

/// How counting loosely has gone on a GPU.
struct LooseRecord {
  static constexpr std::uint32_t most = 6;

  /// Counts go to the totals 2^level times as often as they are to at first: one more
  /// each time when that was not enough.
  std::uint32_t level;

  STARHIST_HOST_DEVICE bool worth_while() const { return level < most; }
};

/// One launch: parts in boxes of the same shape, and the entries [window_begin,
/// window_end) of their counts, of which there are bins.count + 1.
struct KernelArgs {
  unsigned long long* counts = nullptr;
  unsigned long long* skipped_pairs = nullptr;  ///< those out of range with a tile
  std::uint32_t window_begin = 0;
  std::uint32_t window_end = 0;
  float scale = 1.0F;     ///< bins per unit of the fast distance
  float farthest = 0.0F;  ///< fast distances beyond are as this: surely out of range
  Trust trust;
  float orthogonal_edge[3] = {};            ///< in 2^-24 of the longest, rounded
  double unit = tensor_unit;                ///< FastScale::unit
  double inverse_unit = 1.0 / tensor_unit;  ///< a division less per image
  /// Bins per unit of the fast distance, if that was as wrong as can be.
  float scale_low = 1.0F;
  float scale_high = 1.0F;
  float certified_start = 0.0F;  ///< bins from which on scale_low and high are right
  SquareSteps steps;
  Vec3 centre;  ///< of the positions, for open boxes
  /// Bins by which the distances of tiles may be wrong.
  double tile_margin = 0.0;
  FixedLattice lattice;
  ImageSteps images;
  MinimumImage image;
  UniformBins bins;

  /// Of all parts; a work item is `tiles_per_item` that follow each other.
  std::uint64_t tiles = 0;
  std::uint32_t tiles_per_item = 1;
  /// Where particles are in spatial order: units of work of all parts, each for a warp.
  TileRecords records;
  std::uint64_t units = 0;
  std::uint32_t supers_per_unit = 1;
  /// Bins: the pairs of tiles whose least distance is there are counted.
  float least_begin = 0.0F;
  float least_end = 0.0F;
  /// Where they are counted loosely: a warp adds one of so many slices of the counts to
  /// the totals after loose_tiles_per_flush tiles; fewer slices where that was not
  /// often enough, but not less than the others.
  std::uint32_t flush_slices = 1;
  std::uint32_t least_slices = 1;
  std::uint64_t unit_step = 1;  ///< unit n of that kernel is unit n * unit_step
  LooseRecord* loose_record = nullptr;

  std::uint32_t part_count = 0;
  KernelPart part[most_parts];
};
/// Since CUDA 12.1, on GPUs of compute capability 7.0 and newer.
static_assert(sizeof(KernelArgs) <= 32764);

}  // namespace starhist::kernels::cuda
