#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace starhist::tasks {

/// Main memory for what tasks read and bring back, used again and again.
///
/// For GPUs it is pinned. To allocate 24 MB so takes CUDA 12 ms (H100), and whatever
/// else it is asked for has to wait; memory in huge pages, to which several threads
/// have written, is pinned in 1 ms. For the submitting thread alone.
class PinnedPool {
 public:
  /// Whole pages.
  class Block {
   public:
    Block(std::size_t bytes, bool to_be_pinned);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    template <class T>
    T* data() const {
      return static_cast<T*>(memory_.get());
    }
    std::size_t bytes() const { return bytes_; }
    /// Once it was written to, which is faster by several threads. Does nothing where
    /// it is pinned or need not be; where CUDA refuses, transfers take longer.
    void pin();

   private:
    struct Free {
      void operator()(void* memory) const;
    };
    std::size_t bytes_;
    std::unique_ptr<void, Free> memory_;
    bool to_be_pinned_;
    bool pinned_ = false;
  };

  /// Gives its block back to the PinnedPool, which must live longer.
  struct GiveBack {
    PinnedPool* owner = nullptr;
    void operator()(Block* block) const;
  };
  using Piece = std::unique_ptr<Block, GiveBack>;

  /// `pinned`: for GPUs; StarPU must run until it is gone.
  explicit PinnedPool(bool pinned) : pinned_(pinned) {}

  /// At least so many bytes, but not many more: of what is free, or new instead of what
  /// was a little too small. Throws std::bad_alloc.
  Piece take(std::size_t bytes);
  /// Of all that is free.
  std::size_t free_bytes() const;

 private:
  bool pinned_;
  std::vector<std::unique_ptr<Block>> free_;
};

}  // namespace starhist::tasks
