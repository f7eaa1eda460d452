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
  const std::size_t row_count = block.row_end - block.row_begin;
  rows_.set(rows, row_count, row_tile_size);
  row_groups_.set(rows, row_count, row_tiles_per_group * row_tile_size);
  columns_.set(columns, block.second.count, tile_size);
  column_groups_.set(columns, block.second.count, tiles_per_group * tile_size);
}

void TileSearch::find_near_groups(std::size_t row_group, Near& near) const {
  near.row_group = row_group;
  near.column_groups.clear();
  const std::size_t first = first_column(row_group * row_tiles_per_group);
  for (std::size_t group = first / (tiles_per_group * tile_size);
       group < column_groups_.count(); ++group) {
    if (distance_->classify(row_groups_, row_group, column_groups_, group) !=
        TileClass::out_of_range) {
      near.column_groups.push_back(group);
    }
  }
}

}  // namespace starhist::cpu
