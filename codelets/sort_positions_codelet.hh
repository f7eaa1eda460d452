#pragma once

#include <cstdint>
#include <span>

#include <starpu.h>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/kernels/bounds.hh"
#include "codelets/run_status.hh"

namespace starhist::codelets {

/// The particles of one species in one frame: `count` from `offset` on.
struct SortSlice {
  MinimumImage image;
  /// Around the positions; for GPUs, whose positions cannot be read when their work is
  /// prepared.
  kernels::Bounds bounds;
  double density_contrast = 1.0;  ///< density_contrast_of() them or others like them
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

/// Arguments of a sorting task; `slice_count` of SortSlice follow it in memory.
struct SortPositionsArgs {
  using Slice = SortSlice;

  RunStatus* status = nullptr;
  const GpuScratch* scratch = nullptr;
  std::uint32_t slice_count = 0;
  std::uint32_t reserved = 0;

  std::span<const SortSlice> slices() const {
    return {reinterpret_cast<const SortSlice*>(this + 1), slice_count};
  }
};

/// Copies positions, each part's in spatial order (kernels/clusters/spatial_order.hh).
///
/// Buffers: positions (STARPU_R), the same sorted (STARPU_W). A GPU without enough
/// scratch memory leaves them as they are: counts are the same in any order.
starpu_codelet* sort_positions_codelet();

}  // namespace starhist::codelets
