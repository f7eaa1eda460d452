#include "tasks/runtime/worker_tasks.hh"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

using testing::StarpuEnvironment;

TEST_CASE("work is shared among CPU workers, each index once") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  for (const std::size_t count : {0, 1, 2, 500, 10'000}) {
    std::vector<std::atomic<int>> calls(count);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    tasks::run_on_workers(count, [&](std::size_t k) {
      ++calls[k];
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    CHECK(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; }));
    CHECK(threads.count(std::this_thread::get_id()) == 0);
    CHECK(threads.size() <= 2);
  }
}

TEST_CASE("an exception of work for workers is rethrown once no work runs") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  std::atomic<int> calls{0};
  std::atomic<int> running{0};
  CHECK_THROWS_AS(tasks::run_on_workers(100'000,
                                        [&](std::size_t k) {
                                          ++calls;
                                          ++running;
                                          if (k == 3) {
                                            --running;
                                            throw std::runtime_error("no memory");
                                          }
                                          if (k > 3) {
                                            std::this_thread::sleep_for(
                                                std::chrono::microseconds(20));
                                          }
                                          --running;
                                        }),
                  std::runtime_error);
  CHECK(running == 0);
  CHECK(calls >= 4);
  CHECK(calls < 100'000);
  calls = 0;
  tasks::run_on_workers(3, [&](std::size_t) { ++calls; });
  CHECK(calls == 3);
}

}  // namespace
}  // namespace starhist
