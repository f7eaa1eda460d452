#include "io/parts.hh"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("work in parts: everything once, in several threads where it is much") {
  for (const std::size_t count : {0U, 1U, 99U, 100U, 399U, 400U, 401U, 1234U}) {
    for (const std::size_t threads : {1U, 3U, 4U}) {
      std::vector<std::atomic<int>> done(count);
      std::set<std::thread::id> workers;
      std::mutex mutex;
      std::atomic<bool> aligned = true;
      in_parts(
          count, 100,
          [&](std::size_t begin, std::size_t end) {
            aligned = aligned && begin % 100 == 0;
            for (std::size_t k = begin; k < end; ++k) {
              ++done[k];
            }
            const std::lock_guard lock(mutex);
            workers.insert(std::this_thread::get_id());
          },
          threads);
      CAPTURE(count, threads);
      CHECK(aligned);
      CHECK(std::all_of(done.begin(), done.end(), [](int n) { return n == 1; }));
      CHECK(workers.size() == std::max<std::size_t>(std::min(count / 100, threads), 1));
    }
  }
}

}  // namespace
}  // namespace starhist
