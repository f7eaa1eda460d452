#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace starhist::tasks {

/// Main memory for positions and counts that is used again for later batches and
/// blocks. For GPUs it is pinned in huge pages, because CUDA's own allocation of pinned
/// memory takes ten times as long and holds up launches. For one thread.
class PinnedPool {
 public:
  /// Memory in whole pages (pages.hh), aligned to a page and not initialized.
  class Block {
   public:
    /// At least `bytes` bytes. `to_be_pinned`: pin() will pin it. Throws
    /// std::bad_alloc.
    Block(std::size_t bytes, bool to_be_pinned);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    template <class T>
    T* data() const {
      return static_cast<T*>(memory_.get());
    }
    std::size_t bytes() const { return bytes_; }  ///< of all its pages
    /// Pins the memory for GPUs. Call it when all of it was written to: pages that
    /// exist are pinned faster. Does nothing where the memory is pinned or need not be;
    /// returns false then. Where CUDA refuses, transfers are slower and nothing else
    /// changes.
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

  /// Gives a block back to its pool.
  struct GiveBack {
    PinnedPool* owner = nullptr;
    void operator()(Block* block) const;
  };
  /// A block in use. The pool must live longer.
  using Piece = std::unique_ptr<Block, GiveBack>;

  /// `pinned`: GPUs read this memory. StarPU must then run until the pool is gone.
  explicit PinnedPool(bool pinned) : pinned_(pinned) {}

  /// A block of at least `bytes` bytes and at most four times as many, of the free ones
  /// or new. Free blocks that are too small by up to that factor are released when a
  /// new one is made. Throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// Bytes of all blocks that are not in use.
  std::size_t free_bytes() const;

 private:
  bool pinned_;
  std::vector<std::unique_ptr<Block>> free_;
};

}  // namespace starhist::tasks
