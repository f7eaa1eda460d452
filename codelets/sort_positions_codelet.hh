#pragma once

#include <cstdint>
#include <span>

#include <starpu.h>

#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/gpu_scratch.hh"
#include "codelets/kernels/bounds.hh"
#include "codelets/run_status.hh"

namespace starhist::codelets {

/// The particles of one species in one frame.
struct SortSlice {
  MinimumImage image;
  /// Bounds of the positions. Set by the submitter, because positions in the memory of
  /// a GPU cannot be read when the sorting is prepared.
  kernels::Bounds bounds;
  /// density_contrast_of() of these positions or of another frame's [>= 1].
  double density_contrast = 1.0;
  std::uint64_t offset = 0;  ///< first particle in the position handles
  std::uint64_t count = 0;   ///< number of particles
};

/// Arguments of a sorting task; `slice_count` SortSlices follow it in memory
/// (set_task_args()).
struct SortPositionsArgs {
  using Slice = SortSlice;

  RunStatus* status = nullptr;          ///< must outlive the task
  const GpuScratch* scratch = nullptr;  ///< null: GPUs do not sort
  std::uint32_t slice_count = 0;        ///< number of slices
  std::uint32_t reserved = 0;           ///< aligns the slices

  std::span<const SortSlice> slices() const {
    return {reinterpret_cast<const SortSlice*>(this + 1), slice_count};
  }
};

/// Copies positions, each slice in spatial order (kernels/clusters/spatial_order.hh).
///
/// Buffers: positions (STARPU_R), the sorted positions (STARPU_W). A GPU without enough
/// scratch memory keeps the order, which is slower but gives the same counts. Lives for
/// the whole program.
starpu_codelet* sort_positions_codelet();

}  // namespace starhist::codelets
