#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace starhist::tasks {

/// Reusable main memory for positions and counts of batches and blocks. For GPUs it is
/// pinned in huge pages, because CUDA's own allocation of pinned memory takes ten times
/// as long and delays launches. Several threads may use one pool.
class PinnedPool {
 public:
  /// Memory in whole pages (pages.hh), aligned to a page and not initialized.
  class Block {
   public:
    /// Allocates at least `bytes` bytes. `to_be_pinned`: pin() will pin them. Throws
    /// std::bad_alloc.
    Block(std::size_t bytes, bool to_be_pinned);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    template <class T>
    T* data() const {
      return static_cast<T*>(memory_.get());
    }
    std::size_t bytes() const { return bytes_; }  ///< size of all its pages
    /// Pins the memory for GPUs. Call it after all of it has been written to: existing
    /// pages are pinned faster. Returns false and does nothing if the memory is already
    /// pinned or need not be. If CUDA refuses, transfers are merely slower.
    bool pin();

   private:
    struct Free {
      void operator()(void* memory) const;
    };
    std::size_t bytes_;
    std::unique_ptr<void, Free> memory_;
    bool to_be_pinned_;
    bool pinned_ = false;
  };

  /// Returns a block to its pool.
  struct GiveBack {
    PinnedPool* owner = nullptr;
    void operator()(Block* block) const;
  };
  /// A block in use. Its pool must outlive it.
  using Piece = std::unique_ptr<Block, GiveBack>;

  /// `pinned`: GPUs read this memory. StarPU must then run until the pool is gone.
  explicit PinnedPool(bool pinned) : pinned_(pinned) {}

  /// Returns a free or new block of at least `bytes` bytes and at most four times that.
  /// A new block releases the free blocks that are too small by up to this factor.
  /// Throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// Total size of all blocks that are not in use [bytes].
  std::size_t free_bytes() const;

 private:
  bool pinned_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> free_;  // guarded by mutex_
};

}  // namespace starhist::tasks
