#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace starhist {

/// Main memory for the positions of bundles, used again and again.
///
/// For GPUs it is pinned. So would be what StarPU allocates, but 24 MB take CUDA 12 ms
/// (H100), and whatever else it is asked for has to wait; memory in huge pages, to
/// which several threads have written, is pinned in 1 ms. For the submitting thread
/// alone.
class PositionMemory {
 public:
  /// Room for numbers, aligned for vectors.
  class Block {
   public:
    Block(std::size_t numbers, bool to_be_pinned);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    double* data() const { return static_cast<double*>(memory_.get()); }
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

  /// Gives its block back to the PositionMemory, which must live longer.
  struct GiveBack {
    PositionMemory* owner = nullptr;
    void operator()(Block* block) const;
  };
  using Piece = std::unique_ptr<Block, GiveBack>;

  /// `pinned`: for GPUs; StarPU must run until it is gone.
  explicit PositionMemory(bool pinned) : pinned_(pinned) {}

  /// Room for at least so many numbers: the smallest that is free, or a new one. Throws
  /// std::bad_alloc.
  Piece take(std::size_t numbers);

 private:
  bool pinned_;
  std::vector<std::unique_ptr<Block>> free_;
};

}  // namespace starhist
