#include "io/files/parallel_slices.hh"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("slices cover all work once, with several threads for large work") {
  constexpr std::size_t least = 100;
  for (const std::size_t count : {0U, 1U, 99U, 100U, 399U, 400U, 401U, 799U, 1234U}) {
    for (const std::size_t threads : {1U, 3U, 4U}) {
      std::vector<int> done(count);
      std::set<std::thread::id> workers;
      std::vector<std::size_t> begins;
      std::size_t largest = 0;
      std::size_t smallest = count;
      std::mutex mutex;
      io::in_parallel_slices(
          count, least,
          [&](std::size_t begin, std::size_t end) {
            const std::lock_guard lock(mutex);
            for (std::size_t k = begin; k < end; ++k) {
              ++done[k];
            }
            begins.push_back(begin);
            largest = std::max(largest, end - begin);
            smallest = std::min(smallest, end - begin);
            workers.insert(std::this_thread::get_id());
          },
          threads);
      CAPTURE(count, threads);
      const std::size_t parts =
          std::max<std::size_t>(std::min(count / least, threads), 1);
      CHECK(std::all_of(done.begin(), done.end(), [](int n) { return n == 1; }));
      CHECK(std::all_of(begins.begin(), begins.end(),
                        [](std::size_t begin) { return begin % least == 0; }));
      CHECK(workers.size() == parts);
      CHECK(smallest >= std::min(count, least));
      CHECK(largest <= (count / least + parts - 1) / parts * least + count % least);
    }
  }
}

}  // namespace
}  // namespace starhist
