#pragma once

#include <cmath>

#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/kernel_slice.hh"

namespace starhist::kernels::cuda {

/// Order in which the warps of a blocked kernel count the like pairs within a panel,
/// whose rows are columns, too. Each warp holds a block of rows. Its columns are the
/// same block, then the next blocks, up to half of them, where the first block follows
/// the last. So all warps count equally many pairs at any time, and each
/// pair is counted once. If the number of blocks is even, only the first half of the
/// warps takes the last of these blocks.
class PanelTurns {
 public:
  /// The panel of `slice` that starts with row `row` and has up to `rows` rows, in
  /// blocks of `block_rows`.
  STARHIST_HOST_DEVICE PanelTurns(const KernelSlice& slice, std::uint32_t row,
                                  std::uint32_t rows, std::uint32_t block_rows)
      : row_(row),
        end_(slice.row_end - row < rows ? slice.row_end : row + rows),
        block_rows_(block_rows),
        blocks_((end_ - row + block_rows - 1U) / block_rows) {}

  /// One past the last row and column.
  STARHIST_HOST_DEVICE std::uint32_t end() const { return end_; }
  /// Largest number of columns of a turn.
  STARHIST_HOST_DEVICE std::uint32_t columns() const {
    return (blocks_ / 2U + 1U) * block_rows_;
  }
  /// Number of columns of the turn of block `block`; those from end() on do not exist.
  STARHIST_HOST_DEVICE std::uint32_t columns_of(std::uint32_t block) const {
    return block >= blocks_
               ? 0U
               : ((blocks_ - (2U * block < blocks_ ? 0U : 1U)) / 2U + 1U) * block_rows_;
  }
  /// Column number `turn` [0, columns_of()) of the turn of a block.
  STARHIST_HOST_DEVICE std::uint32_t column(std::uint32_t block,
                                            std::uint32_t turn) const {
    const std::uint32_t next = block * block_rows_ + turn;
    const std::uint32_t all = blocks_ * block_rows_;
    return row_ + (next < all ? next : next - all);
  }

 private:
  std::uint32_t row_;
  std::uint32_t end_;
  std::uint32_t block_rows_;
  std::uint32_t blocks_;
};

/// Estimated work of the tiles of a panel of a blocked kernel, in the order of their
/// columns. Thread blocks get equal shares of it; it has no effect on counts. A tile
/// costs 4 `width`, where `width` tiles are as wide as the panel is high. If like pairs
/// within the panel are counted in turns, the first tiles are the turns, and the others
/// begin behind the panel. Otherwise the first `width` tiles of a like pair cost 3, 9,
/// 15, ...: they are cut by the diagonal, and their pairs take 1.5 times as long
/// (measured).
class PanelCost {
 public:
  /// The panel of `slice` that starts with row `row`. turn_rows: number of rows of a
  /// block of PanelTurns, or 0 without turns.
  STARHIST_HOST_DEVICE PanelCost(const KernelSlice& slice, std::uint32_t row,
                                 std::uint32_t rows, std::uint32_t tile_columns,
                                 std::uint32_t turn_rows)
      : tile_columns_(tile_columns), width_(tiles_of(rows, tile_columns)) {
    if (slice.like && turn_rows > 0) {
      const PanelTurns turns(slice, row, rows, turn_rows);
      turn_tiles_ = tiles_of(turns.columns(), tile_columns);
      column_ = turns.end();
      tiles_ = turn_tiles_ + tiles_of(slice.column_count() - column_, tile_columns);
    } else {
      column_ = slice.first_tile_column(row, tile_columns) * tile_columns;
      tiles_ = slice.tiles_beside(row, tile_columns);
      cut_ = slice.like ? width_ : 0U;
    }
  }

  /// Number of tiles.
  STARHIST_HOST_DEVICE std::uint32_t tiles() const { return tiles_; }
  /// Number of tiles that are turns, before the others.
  STARHIST_HOST_DEVICE std::uint32_t turn_tiles() const { return turn_tiles_; }
  /// First column of a tile behind the turns.
  STARHIST_HOST_DEVICE std::uint32_t column(std::uint32_t tile) const {
    return column_ + (tile - turn_tiles_) * tile_columns_;
  }

  STARHIST_HOST_DEVICE std::uint64_t of_all() const {
    const std::uint64_t cut = tiles_ < cut_ ? tiles_ : cut_;
    return of_cut(cut) + (tiles_ - cut) * of_whole();
  }

  /// The first tile before which the tiles cost at least `cost` [0, of_all()].
  STARHIST_HOST_DEVICE std::uint32_t tile_from(std::uint64_t cost) const {
    const std::uint64_t all_cut = of_cut(cut_);
    const std::uint64_t tile =
        cost > all_cut
            ? cut_ + (cost - all_cut + of_whole() - 1U) / of_whole()
            : static_cast<std::uint64_t>(ceil(sqrt(static_cast<double>(cost) / 3.0)));
    return tile < tiles_ ? static_cast<std::uint32_t>(tile) : tiles_;
  }

 private:
  /// Number of tiles for `columns` columns.
  STARHIST_HOST_DEVICE static std::uint32_t tiles_of(std::uint32_t columns,
                                                     std::uint32_t tile_columns) {
    return columns / tile_columns + (columns % tile_columns != 0 ? 1U : 0U);
  }
  /// Cost of the first n tiles, all cut by the diagonal.
  STARHIST_HOST_DEVICE static std::uint64_t of_cut(std::uint64_t n) {
    return 3U * n * n;
  }
  STARHIST_HOST_DEVICE std::uint64_t of_whole() const { return 4U * width_; }

  std::uint32_t tile_columns_;
  std::uint32_t tiles_ = 0;       ///< number of tiles
  std::uint32_t turn_tiles_ = 0;  ///< number of tiles that are turns
  std::uint32_t column_ = 0;      ///< first column of the others
  std::uint32_t width_;           ///< tiles that are as wide as the panel is high
  std::uint32_t cut_ = 0;         ///< tiles that the diagonal cuts
};

/// Rows of a panel of `slice` for a kernel that takes up to `most` rows, a multiple of
/// `unit`: panels are equally high, so that all tiles take the same time.
STARHIST_HOST_DEVICE std::uint32_t rows_of_panel(const KernelSlice& slice,
                                                 std::uint32_t most,
                                                 std::uint32_t unit) {
  const std::uint32_t rows = slice.row_end - slice.row_begin;
  const std::uint32_t panels = (rows + most - 1U) / most;
  return (rows + panels * unit - 1U) / (panels * unit) * unit;
}

/// Rows of a panel of `slice` for the engine of a kernel.
template <class Engine>
STARHIST_HOST_DEVICE std::uint32_t rows_of_panel(const KernelSlice& slice) {
  return rows_of_panel(slice, warps * Engine::rows, Engine::row_unit);
}

}  // namespace starhist::kernels::cuda
