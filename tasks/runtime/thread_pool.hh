#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace starhist::tasks {

/// Threads in addition to StarPU's workers, for work of microseconds that is not worth
/// a task. They sleep while idle.
class ThreadPool {
 public:
  /// `threads` [>= 1] includes the thread that calls share_out(). There are fewer if
  /// the system refuses more.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls work(0), ..., work(count - 1) once each, in any order and in several
  /// threads, and returns after all have returned. `work` must not throw. One caller at
  /// a time.
  void share_out(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void take_part();
  void work_until_done();

  std::mutex mutex_;
  std::condition_variable called_;
  std::condition_variable done_;
  std::uint64_t calls_ = 0;  ///< calls of share_out()
  unsigned working_ = 0;     ///< threads that still work on the last call
  bool stopped_ = false;

  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::vector<std::thread> others_;
};

}  // namespace starhist::tasks
