#include <climits>

#include "tasks/submission/submit_task.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("priorities: earlier batches, then more pairs in powers of two") {
  constexpr tasks::PriorityRange all{INT_MIN, INT_MAX};
  CHECK(tasks::task_priority(0, 0, all) == 0);
  CHECK(tasks::task_priority(0, 1, all) == 1);
  CHECK(tasks::task_priority(0, 1000, all) == 10);  // 2^9 <= 1000 < 2^10
  CHECK(tasks::task_priority(0, UINT64_MAX, all) == 64);
  CHECK(tasks::task_priority(3, 1000, all) == 10 - 3 * 64);
  // Even the smallest task of a batch precedes the largest of the next one.
  CHECK(tasks::task_priority(6, 1, all) > tasks::task_priority(7, UINT64_MAX / 2, all));
}

TEST_CASE("priorities of endless runs stay within the range") {
  constexpr tasks::PriorityRange all{INT_MIN, INT_MAX};
  constexpr std::uint64_t most_batches = INT_MAX / 64;
  CHECK(tasks::task_priority(UINT64_MAX / 2, 1, all) ==
        1 - 64 * static_cast<int>(most_batches));
  CHECK(tasks::task_priority(most_batches + 1, 1, all) ==
        tasks::task_priority(most_batches, 1, all));
}

TEST_CASE("priorities of schedulers with few levels depend only on pairs") {
  constexpr tasks::PriorityRange few{-5, 5};
  CHECK(tasks::task_priority(0, 4, few) == 3);
  CHECK(tasks::task_priority(7, 4, few) == 3);
  CHECK(tasks::task_priority(7, 1000, few) == 5);
  CHECK(tasks::task_priority(7, 1000, {0, 0}) == 0);
}

}  // namespace
}  // namespace starhist
