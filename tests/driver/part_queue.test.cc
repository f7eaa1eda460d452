#include "driver/axes/part_queue.hh"

#include <thread>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using driver::PartQueue;

TEST_CASE("parts are taken from the end, ranges from the beginning of a count") {
  PartQueue queue({10, 0, 3});
  const auto last = queue.take_last();
  REQUIRE(last);
  CHECK(last->count == 2);
  CHECK(last->part == 2);
  const auto half = queue.take_first(0, 2, 1, 100);
  REQUIRE(half);
  CHECK(half->begin == 0);
  CHECK(half->end == 5);
  const auto most = queue.take_first(0, 1, 1, 2);
  REQUIRE(most);
  CHECK(most->begin == 5);
  CHECK(most->end == 7);
  const auto least = queue.take_first(0, 100, 4, 4);
  REQUIRE(least);
  CHECK(least->begin == 7);
  CHECK(least->end == 10);
  CHECK_FALSE(queue.take_first(0, 1, 1, 1));
  CHECK_FALSE(queue.take_first(1, 1, 1, 1));
  CHECK(queue.take_first(2, 1, 2, 2)->end == 2);
  CHECK_FALSE(queue.take_last());
  CHECK_FALSE(queue.take_first(2, 1, 1, 1));
  PartQueue cleared({3});
  cleared.clear();
  CHECK_FALSE(cleared.take_last());
  CHECK_FALSE(cleared.take_first(0, 1, 1, 1));
}

TEST_CASE("threads take each part once, from both ends") {
  const std::vector<std::size_t> parts{3000, 1, 2000};
  PartQueue queue(parts);
  std::vector<std::vector<int>> taken;
  for (const std::size_t number : parts) {
    taken.emplace_back(number);
  }
  // Each part belongs to the thread that took it.
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k) {
    threads.emplace_back([&] {
      while (const auto part = queue.take_last()) {
        ++taken[part->count][part->part];
      }
    });
    threads.emplace_back([&] {
      for (std::size_t count = 0; count < parts.size(); ++count) {
        while (const auto range = queue.take_first(count, 8, 1, 40)) {
          for (std::size_t part = range->begin; part < range->end; ++part) {
            ++taken[count][part];
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t count = 0; count < parts.size(); ++count) {
    CHECK(taken[count] == std::vector<int>(parts[count], 1));
  }
}

}  // namespace
}  // namespace starhist
