#include "io/output/block_writer.hh"

#include <algorithm>
#include <utility>

namespace starhist::io {
namespace {

/// Memory of a block, rounded up.
std::size_t bytes_of(const BlockCounts& block) {
  constexpr std::size_t of_other_numbers = 128;  // per pair, without the counts
  std::size_t bytes = 2 * sizeof(BlockCounts);
  for (const std::vector<std::uint64_t>& counts : block.counts) {
    bytes += counts.size() * sizeof(std::uint64_t) + of_other_numbers;
  }
  return bytes;
}

}  // namespace

BlockWriter::BlockWriter(ResultWriter& writer, std::size_t most_bytes)
    : writer_(writer), most_bytes_(most_bytes), thread_([this] { write_all(); }) {}

BlockWriter::~BlockWriter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BlockWriter::append(BlockCounts&& block) {
  const std::size_t most = std::max<std::size_t>(1, most_bytes_ / bytes_of(block));
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.size() < most || error_; });
  if (error_) {
    std::rethrow_exception(error_);
  }
  queue_.push_back(std::move(block));
  changed_.notify_all();
}

void BlockWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() || error_; });
  if (error_) {
    std::rethrow_exception(error_);
  }
}

void BlockWriter::write_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !queue_.empty() || ended_; });
    if (queue_.empty()) {
      return;
    }
    const BlockCounts& block = queue_.front();  // push_back() does not invalidate it
    lock.unlock();
    std::exception_ptr error;
    try {
      writer_.append(block);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    queue_.pop_front();
    if (error) {
      error_ = error;
      queue_.clear();
      changed_.notify_all();
      return;
    }
    changed_.notify_all();
  }
}

}  // namespace starhist::io
