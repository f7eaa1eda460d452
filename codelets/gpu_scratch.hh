#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starhist::codelets {

/// Scratch memory of each CUDA worker for tasks with particles in spatial order. The
/// tasks of a worker follow each other on its stream and share it. Must not be
/// destroyed while tasks run.
class GpuScratch {
 public:
  /// Bytes that a launch needs for `frames` frames with `first` and `second` particles
  /// of the two species; for a like pair `second` is 0.
  static std::size_t bytes_for(std::size_t frames, std::size_t first,
                               std::size_t second);
  /// Largest number of frames of a launch.
  static std::uint64_t most_frames();

  /// Allocates `bytes` for each CUDA worker; a worker whose GPU has too little memory
  /// gets none. 0: no memory. StarPU must be running.
  explicit GpuScratch(std::size_t bytes);
  ~GpuScratch();
  GpuScratch(const GpuScratch&) = delete;
  GpuScratch& operator=(const GpuScratch&) = delete;

  std::size_t bytes() const { return bytes_; }  ///< per worker
  /// Memory of a worker, aligned to 256 bytes; null if it has none.
  void* of_worker(int worker) const;

 private:
  static void allocate(void* scratch);
  static void release(void* scratch);

  std::size_t bytes_;
  std::vector<std::uintptr_t>
      allocated_;  ///< addresses from StarPU, by worker; 0: no memory
};

}  // namespace starhist::codelets
