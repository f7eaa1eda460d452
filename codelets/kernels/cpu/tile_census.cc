#include "codelets/kernels/cpu/tile_census.hh"

#include "codelets/kernels/cpu/tile_search.hh"

namespace starhist::cpu {

TileCensus take_tile_census(const PairBlock& block) {
  TileCensus census;
  census.pairs = block.pair_count();
  if (census.pairs == 0) {
    return census;
  }
  FixedPoint fixed;
  make_fixed_point(block, fixed);
  if (!fixed.lattice.usable) {
    census.general = census.pairs;
    return census;
  }
  TileSearch search;
  search.set(block, fixed);
  TileSearch::Near near;
  for (std::size_t tile = 0; tile < search.row_tiles(); ++tile) {
    const std::size_t row_begin = block.row_begin + tile * row_tile_size;
    const std::size_t row_end = std::min(row_begin + row_tile_size, block.row_end);
    search.visit_runs(
        tile, near, [&](std::size_t begin, std::size_t end, TileClass of_run) {
          (of_run == TileClass::rounded ? census.rounded : census.general) +=
              pairs_in(block, row_begin, row_end, begin, end);
        });
  }
  return census;
}

}  // namespace starhist::cpu
