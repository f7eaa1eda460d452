#include "tasks/runtime/thread_pool.hh"

#include <cstdint>
#include <set>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("a team does every piece of work once, call after call") {
  for (const unsigned threads : {1U, 2U, 5U}) {
    tasks::ThreadPool pool(threads);
    for (std::size_t call = 0; call < 300; ++call) {
      const std::size_t count = call % 40;
      std::vector<std::uint64_t> done(count, 0);
      pool.share_out(count, [&](std::size_t k) { done[k] += call + k + 1; });
      for (std::size_t k = 0; k < count; ++k) {
        REQUIRE(done[k] == call + k + 1);
      }
    }
  }
}

TEST_CASE("a team of several threads works in several threads") {
  tasks::ThreadPool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  pool.share_out(20, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  CHECK(threads.size() == 3);
}

}  // namespace
}  // namespace starhist
