#include "tasks/transfer_memory.hh"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <starpu.h>
#include <sys/mman.h>

namespace starhist {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{1} << 21U;

std::size_t whole_pages(std::size_t bytes) {
  const std::size_t size = bytes < huge_page ? page : huge_page;
  return std::max<std::size_t>((bytes + size - 1) / size, 1) * size;
}

}  // namespace

TransferMemory::Block::Block(std::size_t bytes, bool to_be_pinned)
    : bytes_(whole_pages(bytes)),
      memory_(std::aligned_alloc(bytes_ < huge_page ? page : huge_page, bytes_)),
      to_be_pinned_(to_be_pinned) {
  if (memory_ == nullptr) {
    throw std::bad_alloc();
  }
  if (bytes_ >= huge_page) {
    madvise(memory_.get(), bytes_, MADV_HUGEPAGE);  // without them it is only slower
  }
}

TransferMemory::Block::~Block() {
  if (pinned_) {
    starpu_memory_unpin(memory_.get(), bytes_);
  }
}

void TransferMemory::Block::Free::operator()(void* memory) const {
  std::free(memory);
}

void TransferMemory::Block::pin() {
  if (to_be_pinned_) {
    pinned_ = starpu_memory_pin(memory_.get(), bytes_) == 0;
    to_be_pinned_ = false;
  }
}

void TransferMemory::GiveBack::operator()(Block* block) const {
  owner->free_.emplace_back(block);
}

TransferMemory::Piece TransferMemory::take(std::size_t bytes) {
  constexpr std::size_t most_too_large = 4;
  const std::size_t most = most_too_large * whole_pages(bytes);
  const auto fits = [&](const auto& block) {
    return block->bytes() >= bytes && block->bytes() <= most;
  };
  std::unique_ptr<Block> taken;
  const auto found = std::find_if(free_.begin(), free_.end(), fits);
  if (found != free_.end()) {
    taken = std::move(*found);
    free_.erase(found);
  } else {
    taken = std::make_unique<Block>(bytes, pinned_);
  }
  return {taken.release(), GiveBack{this}};
}

}  // namespace starhist
