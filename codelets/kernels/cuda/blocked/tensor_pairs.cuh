#pragma once

#include "codelets/kernels/cuda/filter/ambiguous_looks.cuh"

namespace starhist::kernels::cuda {

/// Distribution of a panel's rows and 32 columns over warps and lanes by the products
/// of tensor_products.cuh: two fragments of 16 rows for each warp, four steps of 8
/// columns.
///
/// Warp w has the w-th 16 rows from the start and the w-th 16 rows from the end of the
/// panel. So all warps have the same share of the pairs within a panel, which are the
/// triangle above its diagonal, and of a panel that is not full.
struct TensorPairs {
  static constexpr int fragments = 2;
  static constexpr std::uint32_t rows = 16 * fragments;
  static constexpr int step_columns = 8;
  static constexpr int steps = 4;
  static constexpr std::uint32_t look_columns = steps * step_columns;
  /// Pairs of a lane in a step: values 0 to 3 of the product of each fragment.
  static constexpr int pairs_per_step = 4 * fragments;
  static_assert(steps * pairs_per_step == pairs_per_look);

  /// First row of a fragment of this warp in its panel.
  static __device__ __forceinline__ std::uint32_t first_row(int fragment) {
    const std::uint32_t rows_before = threadIdx.x / 32U * 16U;
    return fragment == 0 ? rows_before : warps * rows - 16U - rows_before;
  }

  /// The pair of bit `bit` of a lane of this warp: its row in the panel and its column
  /// among look_columns.
  static __device__ __forceinline__ Corner pair_of(std::uint32_t lane,
                                                   std::uint32_t bit) {
    const std::uint32_t step = bit / pairs_per_step;
    const std::uint32_t q = bit % 4U;
    return {first_row(bit % pairs_per_step / 4U) + q / 2U * 8U + lane / 4U,
            step * step_columns + lane % 4U * 2U + q % 2U};
  }
};

}  // namespace starhist::kernels::cuda
