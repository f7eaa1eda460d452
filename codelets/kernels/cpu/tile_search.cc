#include "codelets/kernels/cpu/tile_search.hh"

namespace starhist::cpu {

void TileSearch::set(const PairBlock& block, const FixedPoint& fixed) {
  block_ = &block;
  distance_.emplace(fixed.lattice, *block.bins);
  const std::int32_t* columns[3];
  const std::int32_t* rows[3];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    columns[axis] = fixed.second[axis].data();
    rows[axis] =
        block.like ? columns[axis] + block.row_begin : fixed.first[axis].data();
  }
  rows_.set(rows, block.row_end - block.row_begin, row_tile_size);
  columns_.set(columns, block.second.count, tile_size);
  column_groups_.set(columns, block.second.count, tiles_per_group * tile_size);
}

}  // namespace starhist::cpu
