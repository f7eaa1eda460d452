#pragma once

#include <string>

#include <cuda_runtime.h>

#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cuda/scratch.hh"

namespace starhist::kernels::cuda {

/// How squared distances are computed.
enum class Variant {
  automatic,    ///< the fastest that can count the block at hand
  tensor,       ///< double precision on the tensor cores; open boxes
  fixed_point,  ///< fixed point and float; all boxes
  definition,   ///< the defining function for each pair
};

/// Throws InputError unless `name` is auto, tensor, fixed-point or definition.
Variant parse_variant(const std::string& name);

/// What became of a call.
struct Launch {
  cudaError_t error = cudaSuccess;
  std::size_t counted = 0;  ///< so many of the blocks will be counted
  bool begun = false;  ///< with an error: the next one will be, but not in all bins
};

/// CountPairs for blocks whose positions and `counts` are in the memory of the current
/// device; `image` and `bins` are host pointers, all the same bins. bounds[k] encloses
/// the positions of block k. Blocks in boxes of the same shape that follow each other
/// share launches.
///
/// Queues the work on `stream` and returns: no synchronisation, no allocation. The
/// counts are exactly those of pair_bin. A variant that cannot count the block gives
/// way to one that can. Without scratch memory for one block at least, tiled blocks are
/// counted like others.
Launch count_pairs(std::span<const PairBlock> blocks, std::span<const Bounds> bounds,
                   Variant variant, std::uint64_t* counts, const Scratch& scratch,
                   cudaStream_t stream);

/// Pairs that launches on the current device passed over cluster by cluster since the
/// last call. Waits for the device.
cudaError_t take_skipped_pairs(std::uint64_t& pairs);

}  // namespace starhist::kernels::cuda
