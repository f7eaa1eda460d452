#pragma once

#include <algorithm>
#include <optional>

#include "codelets/kernels/cpu/fixed_point.hh"
#include "codelets/kernels/tiles/tile_distance.hh"

namespace starhist::cpu {

/// Finds the columns of a tiled block that are not all out of range, for each tile of
/// rows.
class TileSearch {
 public:
  /// `fixed` is that of the block, with a usable lattice. Memory is reused.
  void set(const PairBlock& block, const FixedPoint& fixed);

  std::size_t row_tiles() const { return rows_.count(); }

  /// Calls visit(column_begin, column_end, class) for each run of columns in which rows
  /// [row_begin + tile * row_tile_size, ...) may have pairs in range; of a like pair
  /// only columns behind the tile's first row.
  template <class Visit>
  void visit_runs(std::size_t tile, Visit visit) const;

 private:
  static constexpr std::size_t tiles_per_group = 32;

  const PairBlock* block_ = nullptr;
  std::optional<TileDistance> distance_;
  TileBoxes rows_;
  TileBoxes columns_;
  TileBoxes column_groups_;
};

template <class Visit>
void TileSearch::visit_runs(std::size_t tile, Visit visit) const {
  const std::size_t first_column =
      block_->like ? block_->row_begin + tile * row_tile_size + 1 : 0;
  const std::size_t tiles = columns_.count();
  std::size_t run_begin = 0;
  TileClass run_class = TileClass::out_of_range;
  const auto continue_with = [&](TileClass next, std::size_t begin) {
    if (next == run_class) {
      return;
    }
    if (run_class != TileClass::out_of_range) {
      visit(std::max(run_begin * tile_size, first_column),
            std::min(begin * tile_size, block_->second.count), run_class);
    }
    run_begin = begin;
    run_class = next;
  };
  for (std::size_t t = first_column / tile_size; t < tiles;) {
    const std::size_t group = t / tiles_per_group;
    const std::size_t group_end = std::min((group + 1) * tiles_per_group, tiles);
    if (distance_->classify(rows_, tile, column_groups_, group) ==
        TileClass::out_of_range) {
      continue_with(TileClass::out_of_range, t);
      t = group_end;
      continue;
    }
    for (; t < group_end; ++t) {
      continue_with(distance_->classify(rows_, tile, columns_, t), t);
    }
  }
  continue_with(TileClass::out_of_range, tiles);
}

}  // namespace starhist::cpu
