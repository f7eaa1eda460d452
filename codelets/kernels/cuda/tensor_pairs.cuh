#pragma once

#include "codelets/kernels/cuda/doubt_queue.cuh"

namespace starhist::cuda {

/// How 32 rows and 32 columns are spread over the lanes of a warp by the products of
/// tensor_products.cuh: two fragments of 16 rows, four steps of 8 columns.
struct TensorPairs {
  static constexpr int fragments = 2;
  static constexpr std::uint32_t rows = 16 * fragments;
  static constexpr int step_columns = 8;
  static constexpr int steps = 4;
  static constexpr std::uint32_t look_columns = steps * step_columns;
  /// Of a lane: values 0 to 3 of the product of each fragment.
  static constexpr int pairs_per_step = 4 * fragments;
  static_assert(steps * pairs_per_step == pairs_per_look);

  /// The pair of a lane that a bit of 32 stands for.
  static __device__ __forceinline__ Corner pair_of(std::uint32_t lane,
                                                   std::uint32_t bit) {
    const std::uint32_t step = bit / pairs_per_step;
    const std::uint32_t f = bit % pairs_per_step / 4U;
    const std::uint32_t q = bit % 4U;
    return {f * 16U + q / 2U * 8U + lane / 4U,
            step * step_columns + lane % 4U * 2U + q % 2U};
  }
};

}  // namespace starhist::cuda
