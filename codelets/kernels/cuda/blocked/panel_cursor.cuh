#pragma once

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Finds the panel of rows of a tile. Tiles are numbered through all slices of the
/// launch, panel by panel. A panel of a like pair starts with the tile of the first
/// partner of its first row.
template <std::uint32_t panel_rows, std::uint32_t tile_columns>
class PanelCursor {
 public:
  /// Starts before the first tile of a launch.
  __device__ explicit PanelCursor(const KernelArgs& args)
      : args_(args), row_(args.slice[0].row_begin) {}

  /// Moves forward to the panel of `tile`.
  __device__ void move_to(std::uint64_t tile) {
    while (tile >= end_tile()) {
      first_tile_ = end_tile();
      row_ += panel_rows;
      if (row_ >= slice().row_end) {
        ++slice_index_;
        row_ = slice().row_begin;
      }
    }
  }

  __device__ const KernelSlice& slice() const { return args_.slice[slice_index_]; }
  /// First row of the panel.
  __device__ std::uint32_t row() const { return row_; }
  /// First column of a tile of the panel.
  __device__ std::uint32_t column(std::uint64_t tile) const {
    return (slice().first_tile_column(row_, tile_columns) +
            static_cast<std::uint32_t>(tile - first_tile_)) *
           tile_columns;
  }
  /// First tile of the next panel.
  __device__ std::uint64_t end_tile() const {
    return first_tile_ + slice().tiles_beside(row_, tile_columns);
  }

 private:
  const KernelArgs& args_;
  std::uint32_t slice_index_ = 0;
  std::uint32_t row_;
  std::uint64_t first_tile_ = 0;  ///< of the panel
};

}  // namespace starhist::kernels::cuda
