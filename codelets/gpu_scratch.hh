#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starhist::codelets {

/// Memory on every GPU for what its counting tasks find out about particles in spatial
/// order. The tasks of a worker follow each other on its stream and share it. Must not
/// go while tasks run.
class GpuScratch {
 public:
  /// Bytes that a launch needs for so many frames with so many particles of each
  /// species; for a like pair `second` is 0.
  static std::size_t bytes_for(std::size_t frames, std::size_t first,
                               std::size_t second);
  /// That share a launch, and the memory with it.
  static std::uint64_t most_frames();

  /// So many bytes for each CUDA worker, or none where memory lacks.
  explicit GpuScratch(std::size_t bytes);
  ~GpuScratch();
  GpuScratch(const GpuScratch&) = delete;
  GpuScratch& operator=(const GpuScratch&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Null where there is none.
  void* of_worker(int worker) const;

 private:
  static void allocate(void* scratch);
  static void release(void* scratch);

  std::size_t bytes_;
  std::vector<std::uintptr_t> allocated_;  ///< by worker, as StarPU gave it
};

}  // namespace starhist::codelets
