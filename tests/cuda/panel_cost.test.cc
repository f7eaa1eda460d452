// Shares of a panel's cost are consecutive tiles that cover the panel, and turns hold
// each pair once. Needs no GPU.
#include "codelets/kernels/cuda/panel_cost.hh"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

TEST_CASE("GPU: equal shares of a panel's cost cover each tile once") {
  Random random(11);
  const auto below = [&](double n) {
    return static_cast<std::uint32_t>(random.uniform(0.0, n));
  };
  for (int repeat = 0; repeat < 2000; ++repeat) {
    kernels::cuda::KernelSlice slice;
    slice.like = repeat % 2 == 0;
    slice.row_begin = below(3000.0);
    slice.row_end = slice.row_begin + 1U + below(9000.0);
    slice.second.count = slice.row_end + below(9000.0);
    const std::uint32_t tile_columns = repeat % 3 == 0 ? 256 : 64;
    const std::uint32_t unit = repeat % 3 == 0 ? 1024 : 128;
    const std::uint32_t rows = kernels::cuda::rows_of_panel(slice, 8 * unit, unit);
    REQUIRE(rows % unit == 0);
    REQUIRE(rows <= 8 * unit);
    for (std::uint32_t row = slice.row_begin; row < slice.row_end; row += rows) {
      const std::uint32_t turn_rows = repeat % 4 < 2 ? unit : 0U;
      const kernels::cuda::PanelCost cost(slice, row, rows, tile_columns, turn_rows);
      const std::uint64_t share = 1U + below(static_cast<double>(cost.of_all()));
      INFO("row " << row << ", share " << share << " of " << cost.of_all());
      REQUIRE(cost.tile_from(0) == 0);
      std::uint32_t tile = 0;
      for (std::uint64_t begin = 0; begin < cost.of_all(); begin += share) {
        const std::uint64_t end = std::min(begin + share, cost.of_all());
        REQUIRE(cost.tile_from(end) >= tile);
        tile = cost.tile_from(end);
      }
      REQUIRE(tile == cost.tiles());
      if (cost.turn_tiles() == 0) {
        REQUIRE(tile == slice.tiles_beside(row, tile_columns));
      } else {
        const std::uint32_t end = std::min(row + rows, slice.row_end);
        REQUIRE(cost.column(cost.turn_tiles()) == end);
        REQUIRE(cost.column(tile) >= slice.column_count());
      }
    }
  }
}

TEST_CASE("GPU: the turns of a panel of like pairs hold each pair once") {
  constexpr std::uint32_t block_rows = 4;
  constexpr std::uint32_t first = 5;
  for (std::uint32_t rows = 1; rows <= 9 * block_rows; ++rows) {
    kernels::cuda::KernelSlice slice;
    slice.like = true;
    slice.row_begin = first;
    slice.row_end = first + rows;
    slice.second.count = slice.row_end + 3;
    const kernels::cuda::PanelTurns turns(slice, first, 9 * block_rows, block_rows);
    std::vector<int> seen(rows * rows);
    for (std::uint32_t block = 0; block < 10; ++block) {
      REQUIRE(turns.columns_of(block) <= turns.columns());
      for (std::uint32_t turn = 0; turn < turns.columns_of(block); ++turn) {
        const std::uint32_t j = turns.column(block, turn);
        for (std::uint32_t k = 0; k < block_rows; ++k) {
          const std::uint32_t i = first + block * block_rows + k;
          const bool later = turn >= block_rows || j > i;
          if (i < turns.end() && j < turns.end() && later) {
            ++seen[(std::min(i, j) - first) * rows + std::max(i, j) - first];
          }
        }
      }
    }
    INFO(rows << " rows");
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < rows; ++j) {
        REQUIRE(seen[i * rows + j] == (j > i ? 1 : 0));
      }
    }
  }
}

}  // namespace
}  // namespace starhist::testing
