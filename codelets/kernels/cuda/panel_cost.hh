#pragma once

#include <cmath>

#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/kernel_slice.hh"

namespace starhist::kernels::cuda {

/// Estimated work of the tiles of a panel of a blocked kernel, in the order of their
/// columns. Thread blocks get equal shares of it; it has no effect on counts. A tile
/// costs 4 `width`, where `width` tiles are as wide as the panel is high. The first
/// `width` tiles of a like pair cost 3, 9, 15, ...: they are cut by the diagonal, and
/// their pairs take 1.5 times as long (measured).
class PanelCost {
 public:
  /// The panel of `slice` that starts with row `row`.
  STARHIST_HOST_DEVICE PanelCost(const KernelSlice& slice, std::uint32_t row,
                                 std::uint32_t rows, std::uint32_t tile_columns)
      : tiles_(slice.tiles_beside(row, tile_columns)),
        width_((rows + tile_columns - 1U) / tile_columns),
        cut_(slice.like ? width_ : 0U) {}

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
  /// Cost of the first n tiles, all cut by the diagonal.
  STARHIST_HOST_DEVICE static std::uint64_t of_cut(std::uint64_t n) {
    return 3U * n * n;
  }
  STARHIST_HOST_DEVICE std::uint64_t of_whole() const { return 4U * width_; }

  std::uint32_t tiles_;  ///< number of tiles
  std::uint32_t width_;  ///< tiles that are as wide as the panel is high
  std::uint32_t cut_;    ///< tiles that the diagonal cuts
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
