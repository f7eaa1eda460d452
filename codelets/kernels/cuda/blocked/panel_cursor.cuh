#pragma once

#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/panel_cost.hh"

namespace starhist::kernels::cuda {

/// Finds the tiles of a share of the work. All panels of all slices of the launch are
/// in a row, each from cost begin to cost end. A panel of a like pair starts with its
/// turns, or with the tile of the first partner of its first row.
template <class Engine, bool turns>
class PanelCursor {
 public:
  /// Starts before the first tile of a launch.
  __device__ explicit PanelCursor(const KernelArgs& args)
      : args_(args), row_(args.slice[0].row_begin), end_(cost().of_all()) {}

  /// Moves forward to the panel in which the cost reaches more than `begin`.
  __device__ void move_to(std::uint64_t begin) {
    std::uint32_t last = slice_index_;
    while (last + 1U < args_.slice_count &&
           args_.slice[last + 1U].cost_before <= begin) {
      ++last;
    }
    if (last > slice_index_) {
      slice_index_ = last;
      row_ = slice().row_begin;
      begin_ = slice().cost_before;
      end_ = begin_ + cost().of_all();
    }
    while (begin >= end_) {
      begin_ = end_;
      row_ += rows_of_panel<Engine>(slice());
      end_ += cost().of_all();
    }
  }

  __device__ const KernelSlice& slice() const { return args_.slice[slice_index_]; }
  /// First row of the panel.
  __device__ std::uint32_t row() const { return row_; }
  /// The panel's first tile that belongs to the share which begins at `begin`.
  __device__ std::uint32_t tile_from(std::uint64_t begin) const {
    return cost().tile_from(min(begin, end_) - min(begin, begin_));
  }
  /// Number of tiles that are turns, before the others.
  __device__ std::uint32_t turn_tiles() const { return cost().turn_tiles(); }
  /// First column of a tile of the panel behind the turns.
  __device__ std::uint32_t column(std::uint32_t tile) const {
    return cost().column(tile);
  }
  /// Cost at the end of the panel.
  __device__ std::uint64_t end() const { return end_; }

 private:
  __device__ PanelCost cost() const {
    return {slice(), row_, rows_of_panel<Engine>(slice()), Engine::tile_columns,
            turns ? Engine::rows : 0U};
  }

  const KernelArgs& args_;
  std::uint32_t slice_index_ = 0;
  std::uint32_t row_;
  std::uint64_t begin_ = 0;  ///< cost at the start of the panel
  std::uint64_t end_;
};

}  // namespace starhist::kernels::cuda
