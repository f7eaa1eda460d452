#include "codelets/kernels/cpu/tile_census.hh"

#include "codelets/kernels/cpu/tile_search.hh"

namespace starhist::kernels::cpu {

TileCensus take_tile_census(const PairBlock& block) {
  TileCensus census;
  census.pairs = block.pair_count();
  if (census.pairs == 0) {
    return census;
  }
  FixedPoint fixed;
  make_fixed_point(block, fixed);
  if (!fixed.lattice.usable && !fixed.lattice.usable_with_images) {
    census.general = census.pairs;
    return census;
  }
  TileSearch search;
  search.set(block, fixed);
  TileSearch::Near near;
  for (std::size_t tile = 0; tile < search.row_tiles(); ++tile) {
    search.visit_runs(
        tile, near,
        [&](std::size_t begin, std::size_t end, TileClass of_run,
            const NearImages* images) {
          const bool general = of_run == TileClass::general && images == nullptr;
          (general ? census.general : census.rounded) +=
              pairs_in(block, search.row_begin(tile), search.row_end(tile), begin, end);
        });
  }
  return census;
}

}  // namespace starhist::kernels::cpu
