#pragma once

#include <string>

#include <cuda_runtime.h>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cuda/scratch.hh"

namespace starhist::kernels::cuda {

/// How squared distances are computed.
enum class Variant {
  automatic,  ///< the fastest that can count the block at hand
  tensor,  ///< tensor cores; open boxes, and all boxes with particles in spatial order
  fixed_point,  ///< the fastest that can count the block
  definition,   ///< the defining function for each pair
};

/// Throws InputError unless `name` is auto, tensor, fixed-point or definition.
Variant parse_variant(const std::string& name);

/// Result of count_pairs().
struct Launch {
  cudaError_t error = cudaSuccess;
  std::size_t counted = 0;  ///< number of leading blocks that will be counted
  /// After an error: the blocks after these may be counted in some of the bins, so they
  /// cannot be counted again.
  bool begun = false;
};

/// CountPairs for blocks whose positions and `counts` are in the memory of the current
/// device; `image` and `bins` are host pointers, with the same bins for all blocks.
/// bounds[k] encloses the positions of block k. Consecutive blocks in boxes of the same
/// shape share launches.
///
/// Queues the work on `stream` and returns, without synchronisation or allocation. Each
/// pair is counted in exactly the bin that pair_bin returns. If `variant` cannot count
/// a block, another variant does. `scratch` is for blocks in spatial order; those that
/// do not fit into it are counted like particles in any order.
Launch count_pairs(std::span<const PairBlock> blocks, std::span<const Bounds> bounds,
                   Variant variant, std::uint64_t* counts, const Scratch& scratch,
                   cudaStream_t stream);

/// Sets `pairs` to the number of pairs that launches on the current device counted as
/// out of range cluster by cluster since the last call. Waits for the device.
cudaError_t take_skipped_pairs(std::uint64_t& pairs);

}  // namespace starhist::kernels::cuda
