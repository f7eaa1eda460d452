#include "tasks/planning/row_split.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("no rows and no pairs need no parts") {
  for (const std::uint64_t parts : {0U, 1U, 2U, 100U}) {
    CHECK(tasks::split_rows({0, 0}, 0, true, parts).empty());
    CHECK(tasks::split_rows({0, 1}, 1, true, parts).empty());
    CHECK(tasks::split_rows({0, 0}, 5, false, parts).empty());
    CHECK(tasks::split_rows({0, 5}, 0, false, parts).empty());
    CHECK(tasks::split_rows({0, 2}, 2, true, parts).size() == 1);
    CHECK(tasks::split_rows({0, 1}, 5, false, parts).size() == 1);
  }
}

TEST_CASE("pairs before a row are the pairs of all previous rows") {
  for (const std::uint64_t count : {1U, 2U, 3U, 50U}) {
    std::uint64_t like = 0;
    for (std::uint64_t row = 0; row <= count; ++row) {
      CHECK(tasks::pairs_before(row, count, true) == like);
      CHECK(tasks::pairs_before(row, count, false) == row * count);
      like += count - 1 - row;  // wraps around after the last row, where it is not used
    }
  }
  CHECK(tasks::pairs_before(1ULL << 32U, 1ULL << 32U, true) == 9223372034707292160U);
}

/// Checks that every part has pairs, that each row with pairs is in one part, and that
/// no part exceeds its share by more than its last row.
void check_split(std::uint64_t rows, std::uint64_t count, bool like,
                 std::uint64_t parts) {
  INFO(rows << " x " << count << (like ? " like" : " unlike") << " in " << parts);
  const auto ranges = tasks::split_rows({0, rows}, count, like, parts);
  const std::uint64_t pairs = tasks::pairs_before(rows, count, like);
  CHECK(ranges.size() <= parts);
  std::uint64_t begin = 0;
  for (const tasks::RowRange& range : ranges) {
    CHECK(range.begin == begin);
    CHECK(range.begin < range.end);
    const std::uint64_t part = tasks::pairs_before(range.end, count, like) -
                               tasks::pairs_before(range.begin, count, like);
    CHECK(part > 0);
    const std::uint64_t last_row = tasks::pairs_before(range.end, count, like) -
                                   tasks::pairs_before(range.end - 1, count, like);
    CHECK(part <= pairs / parts + 1 + last_row);
    begin = range.end;
  }
  CHECK(begin <= rows);
  CHECK(tasks::pairs_before(begin, count, like) == pairs);
}

TEST_CASE("every split covers every pair once, in balance") {
  for (const std::uint64_t parts : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    for (const std::uint64_t n : {2U, 3U, 4U, 5U, 10U, 100U, 1000U}) {
      check_split(n, n, true, parts);
      for (const std::uint64_t other : {1U, 2U, 77U, 5000U}) {
        check_split(n, other, false, parts);
      }
    }
  }
  check_split(1ULL << 31U, 1ULL << 31U, true, 1000);
  check_split(1ULL << 31U, 1ULL << 32U, false, 1000);
}

TEST_CASE("as many parts as requested, if the rows allow it") {
  CHECK(tasks::split_rows({0, 1000}, 1000, true, 10).size() == 10);
  CHECK(tasks::split_rows({0, 1000}, 10, false, 10).size() == 10);
  CHECK(tasks::split_rows({0, 3}, 1000, false, 10).size() == 3);
}

TEST_CASE("rows are cut into parts of equal cost, each with pairs") {
  for (const std::uint64_t count : {2U, 3U, 10U, 1000U}) {
    for (const std::uint64_t parts : {1U, 2U, 7U, 2000U}) {
      CAPTURE(count, parts);
      const auto square = [](std::uint64_t row) {
        return static_cast<double>(row) * static_cast<double>(row);
      };
      const auto ranges = tasks::split_rows({0, count}, count, parts, square);
      CHECK(ranges.size() <= parts);
      std::uint64_t begin = 0;
      for (const tasks::RowRange& range : ranges) {
        CHECK(range.begin == begin);
        CHECK(tasks::pairs_before(range.end, count, true) >
              tasks::pairs_before(range.begin, count, true));
        const double last_row = square(range.end) - square(range.end - 1);
        CHECK(square(range.end) - square(range.begin) <=
              square(count) / static_cast<double>(parts) + 2.0 * last_row);
        begin = range.end;
      }
      CHECK(begin == count);
    }
  }
  const auto constant = [](std::uint64_t) { return 0.0; };
  CHECK(tasks::split_rows({3, 3}, 5, 4, constant).empty());
  CHECK(tasks::split_rows({4, 5}, 5, 4, constant).empty());  // a row without pairs
  CHECK(tasks::split_rows({0, 5}, 5, 1, constant) ==
        std::vector<tasks::RowRange>{{0, 5}});
}

}  // namespace
}  // namespace starhist
