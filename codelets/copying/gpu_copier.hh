#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codelets/core/counting/gpu_array.hh"
#include "codelets/core/counting/gpu_positions.hh"

namespace starhist::codelets {

/// Number of the GPU that has the array, which has a particle. Nothing in a build
/// without CUDA. Throws InputError where it is not in the memory of a GPU, or not
/// aligned.
std::optional<int> gpu_with(const GpuArray& array);

/// Copies positions in the memory of one GPU, on a stream of its own. Leaves the
/// thread's current GPU as it is. Functions throw RunError when CUDA reports an error.
/// For one thread at a time; not while StarPU does not run.
class GpuCopier {
 public:
  virtual ~GpuCopier() = default;

  /// StarPU's memory node of the GPU.
  virtual unsigned node() const = 0;

  /// Memory of StarPU on the GPU for `numbers` doubles. Throws std::bad_alloc where the
  /// GPU has too little.
  virtual std::shared_ptr<double> allocate(std::size_t numbers) = 0;

  /// Particles that gather() takes, one species after the other; empty: all, in their
  /// order.
  virtual void set_order(std::span<const std::uint32_t> particles) = 0;

  /// Copies counts[s] particles of each species s to to.xyz, which it allocates, and
  /// sets to.extents. Waits for the work of array.stream so far and for the copy. Sets
  /// to.counts. Returns false where a coordinate is not finite. Throws InputError for a
  /// stream of another GPU, or one that is being captured.
  virtual bool gather(const GpuArray& array, std::span<const std::uint64_t> counts,
                      GpuPositions& to) = 0;

  /// Begins to copy `numbers` doubles within the GPU.
  virtual void copy(const double* from, double* to, std::size_t numbers) = 0;
  /// Waits until the copies are done.
  virtual void wait() = 0;
  /// `numbers` doubles of the GPU's memory, in main memory.
  virtual std::vector<double> fetch(const double* from, std::size_t numbers) = 0;
};

/// For the GPU with this number, on which StarPU has a worker.
std::unique_ptr<GpuCopier> make_gpu_copier(int gpu);

}  // namespace starhist::codelets
