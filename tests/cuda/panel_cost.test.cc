// Shares of a panel's cost are consecutive tiles that cover the panel. Needs no GPU.
#include "codelets/kernels/cuda/panel_cost.hh"

#include <algorithm>
#include <cstdint>

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
      const kernels::cuda::PanelCost cost(slice, row, rows, tile_columns);
      const std::uint64_t share = 1U + below(static_cast<double>(cost.of_all()));
      INFO("row " << row << ", share " << share << " of " << cost.of_all());
      REQUIRE(cost.tile_from(0) == 0);
      std::uint32_t tile = 0;
      for (std::uint64_t begin = 0; begin < cost.of_all(); begin += share) {
        const std::uint64_t end = std::min(begin + share, cost.of_all());
        REQUIRE(cost.tile_from(end) >= tile);
        tile = cost.tile_from(end);
      }
      REQUIRE(tile == slice.tiles_beside(row, tile_columns));
    }
  }
}

}  // namespace
}  // namespace starhist::testing
