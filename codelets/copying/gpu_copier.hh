#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codelets/core/counting/gpu_positions.hh"

namespace starhist::codelets {

/// Number of the GPU that holds the array, which has a particle. Empty in a build
/// without CUDA. Throws InputError if the array is not in the memory of a GPU, or not
/// aligned.
std::optional<int> gpu_with(const GpuArray& array);

/// Copies positions in the memory of one GPU, on a separate stream. Leaves the thread's
/// current GPU unchanged. Functions throw RunError when CUDA reports an error. For one
/// thread at a time, and only while StarPU runs.
class GpuCopier {
 public:
  virtual ~GpuCopier() = default;

  /// StarPU's memory node of the GPU.
  virtual unsigned node() const = 0;

  /// Allocates StarPU memory on the GPU for `numbers` doubles. Throws std::bad_alloc if
  /// the GPU has too little.
  virtual std::shared_ptr<double> allocate(std::size_t numbers) = 0;

  /// Sets the particles that gather() copies, one species after the other; empty: all,
  /// in their order.
  virtual void set_order(std::span<const std::uint32_t> particles) = 0;

  /// Copies counts[s] particles of each species s to to.xyz, which it allocates, and
  /// sets to.extents and to.counts. Waits for the work queued on array.stream and for
  /// the copy. Returns false if a coordinate is not finite. Throws InputError for a
  /// stream of another GPU, or one that is being captured.
  virtual bool gather(const GpuArray& array, std::span<const std::uint64_t> counts,
                      GpuPositions& to) = 0;

  /// Starts to copy `numbers` doubles within the GPU.
  virtual void copy(const double* from, double* to, std::size_t numbers) = 0;
  /// Waits until the copies have finished.
  virtual void wait() = 0;
  /// Returns `numbers` doubles of the GPU's memory.
  virtual std::vector<double> fetch(const double* from, std::size_t numbers) = 0;
};

/// Returns a copier for the GPU with this number, on which StarPU has a worker.
std::unique_ptr<GpuCopier> make_gpu_copier(int gpu);

}  // namespace starhist::codelets
