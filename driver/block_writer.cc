#include "driver/block_writer.hh"

#include <utility>

namespace starhist {

namespace {

constexpr std::size_t most_waiting = 2;

}  // namespace

BlockWriter::BlockWriter(ResultWriter& writer)
    : writer_(writer), thread_([this] { write_all(); }) {}

BlockWriter::~BlockWriter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BlockWriter::append(BlockCounts&& block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < most_waiting || error_; });
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
    const BlockCounts& block = queue_.front();  // push_back leaves it where it is
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

}  // namespace starhist
