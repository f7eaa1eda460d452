#include "tasks/memory/pinned_pool.hh"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "codelets/core/base/contract.hh"
#include "codelets/pin_memory.hh"
#include "tasks/memory/pages.hh"

namespace starhist::tasks {

PinnedPool::Block::Block(std::size_t bytes, bool to_be_pinned)
    : bytes_(whole_pages(bytes)),
      memory_(allocate_pages(bytes)),
      to_be_pinned_(to_be_pinned) {
  if (memory_ == nullptr) {
    throw std::bad_alloc();
  }
}

PinnedPool::Block::~Block() {
  if (pinned_) {
    codelets::unpin_memory(memory_.get());
  }
}

void PinnedPool::Block::Free::operator()(void* memory) const {
  free_pages(memory);
}

bool PinnedPool::Block::pin() {
  const bool is_new = std::exchange(to_be_pinned_, false);
  if (is_new) {
    pinned_ = codelets::pin_memory(memory_.get(), bytes_);
  }
  return is_new;
}

void PinnedPool::GiveBack::operator()(Block* block) const {
  std::unique_ptr<Block> own(block);
  const std::lock_guard lock(owner->mutex_);
  owner->free_.push_back(std::move(own));
}

PinnedPool::Piece PinnedPool::take(std::size_t bytes) {
  constexpr std::size_t most_too_large = 4;
  const std::size_t wanted = whole_pages(bytes);
  const std::size_t most = most_too_large * wanted;
  const auto fits = [&](const auto& block) {
    return block->bytes() >= bytes && block->bytes() <= most;
  };
  std::vector<std::unique_ptr<Block>> too_small;  // freed after the lock
  std::unique_ptr<Block> taken;
  std::unique_lock lock(mutex_);
  const auto found = std::find_if(free_.begin(), free_.end(), fits);
  if (found != free_.end()) {
    taken = std::move(*found);
    free_.erase(found);
  } else {
    // Otherwise growing frames would leave a block of each size behind.
    const auto released =
        std::partition(free_.begin(), free_.end(), [&](const auto& block) {
          return block->bytes() >= wanted || wanted > most_too_large * block->bytes();
        });
    std::move(released, free_.end(), std::back_inserter(too_small));
    free_.erase(released, free_.end());
    lock.unlock();
    too_small.clear();
    taken = std::make_unique<Block>(bytes, pinned_);
  }
  STARHIST_ENSURE(taken->bytes() >= bytes, "a piece has the memory asked for");
  return {taken.release(), GiveBack{this}};
}

std::size_t PinnedPool::free_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const std::unique_ptr<Block>& block : free_) {
    bytes += block->bytes();
  }
  return bytes;
}

}  // namespace starhist::tasks
