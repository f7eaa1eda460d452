#include "tasks/runtime/thread_pool.hh"

#include <system_error>

namespace starhist::tasks {

ThreadPool::ThreadPool(unsigned threads) {
  try {
    while (others_.size() + 1 < threads) {
      others_.emplace_back([this] { take_part(); });
    }
  } catch (const std::system_error&) {
    // Fewer threads only make it slower.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  called_.notify_all();
  for (std::thread& other : others_) {
    other.join();
  }
}

void ThreadPool::work_until_done() {
  for (std::size_t k = next_++; k < count_; k = next_++) {
    (*work_)(k);
  }
}

void ThreadPool::take_part() {
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = 0;; ++seen) {
    called_.wait(lock, [&] { return stopped_ || calls_ > seen; });
    if (stopped_) {
      return;
    }
    lock.unlock();
    work_until_done();
    lock.lock();
    if (--working_ == 0) {
      done_.notify_one();
    }
  }
}

void ThreadPool::share_out(std::size_t count,
                           const std::function<void(std::size_t)>& work) {
  constexpr std::size_t worth_waking = 4;
  work_ = &work;
  count_ = count;
  next_ = 0;
  const bool all = !others_.empty() && count >= worth_waking;
  if (all) {
    {
      const std::lock_guard lock(mutex_);
      ++calls_;
      working_ = static_cast<unsigned>(others_.size());
    }
    called_.notify_all();
  }
  work_until_done();
  if (all) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
  }
}

}  // namespace starhist::tasks
