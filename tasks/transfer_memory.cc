#include "tasks/position_memory.hh"

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

PositionMemory::Block::Block(std::size_t numbers, bool to_be_pinned)
    : bytes_(whole_pages(numbers * sizeof(double))),
      memory_(std::aligned_alloc(bytes_ < huge_page ? page : huge_page, bytes_)),
      to_be_pinned_(to_be_pinned) {
  if (memory_ == nullptr) {
    throw std::bad_alloc();
  }
  if (bytes_ >= huge_page) {
    madvise(memory_.get(), bytes_, MADV_HUGEPAGE);  // without them it is only slower
  }
}

PositionMemory::Block::~Block() {
  if (pinned_) {
    starpu_memory_unpin(memory_.get(), bytes_);
  }
}

void PositionMemory::Block::Free::operator()(void* memory) const {
  std::free(memory);
}

void PositionMemory::Block::pin() {
  if (to_be_pinned_) {
    pinned_ = starpu_memory_pin(memory_.get(), bytes_) == 0;
    to_be_pinned_ = false;
  }
}

void PositionMemory::GiveBack::operator()(Block* block) const {
  owner->free_.emplace_back(block);
}

PositionMemory::Piece PositionMemory::take(std::size_t numbers) {
  auto best = free_.end();
  for (auto block = free_.begin(); block != free_.end(); ++block) {
    if ((*block)->bytes() >= numbers * sizeof(double) &&
        (best == free_.end() || (*block)->bytes() < (*best)->bytes())) {
      best = block;
    }
  }
  std::unique_ptr<Block> taken;
  if (best != free_.end()) {
    taken = std::move(*best);
    free_.erase(best);
  } else {
    taken = std::make_unique<Block>(numbers, pinned_);
  }
  return {taken.release(), GiveBack{this}};
}

}  // namespace starhist
