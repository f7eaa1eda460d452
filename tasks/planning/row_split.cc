#include "tasks/planning/row_split.hh"

#include <algorithm>

#include "codelets/core/base/contract.hh"

namespace starhist::tasks {
namespace {

/// First row in [begin, rows] with at least `pairs` pairs before it.
std::uint64_t row_after(std::uint64_t pairs, std::uint64_t begin, std::uint64_t rows,
                        std::uint64_t count, bool like) {
  std::uint64_t low = begin;
  std::uint64_t high = rows;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (pairs_before(middle, count, like) < pairs) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

std::uint64_t pairs_before(std::uint64_t row, std::uint64_t count, bool like) {
  if (!like || row == 0) {
    return row * count;
  }
  return row * (count - 1) - row * (row - 1) / 2;
}

std::vector<RowRange> split_rows(RowRange rows, std::uint64_t count, bool like,
                                 std::uint64_t parts) {
  STARHIST_EXPECT(rows.begin <= rows.end, "a range begins before its end");
  STARHIST_EXPECT(!like || rows.end <= count,
                  "a like pair has as many rows as columns");
  std::vector<RowRange> ranges;
  const std::uint64_t last = pairs_before(rows.end, count, like);
  std::uint64_t begin = rows.begin;
  std::uint64_t before = pairs_before(begin, count, like);
  const std::uint64_t share = (last - before) / std::max<std::uint64_t>(parts, 1) + 1;
  while (begin < rows.end && before < last) {
    const std::uint64_t end =
        row_after(std::min(before + share, last), begin + 1, rows.end, count, like);
    ranges.push_back({begin, end});
    begin = end;
    before = pairs_before(begin, count, like);
  }
  STARHIST_ENSURE(before == last, "the ranges have all pairs of the rows");
  STARHIST_ENSURE(ranges.size() <= std::max<std::uint64_t>(parts, 1),
                  "rows are cut into at most `parts` ranges");
  return ranges;
}

std::vector<RowRange> split_rows(
    RowRange rows, std::uint64_t count, std::uint64_t parts,
    const std::function<double(std::uint64_t)>& cost_before) {
  STARHIST_EXPECT(rows.begin <= rows.end && rows.end <= count,
                  "the rows are in [0, count)");
  std::vector<RowRange> ranges;
  const double first = cost_before(rows.begin);
  const double all = cost_before(rows.end) - first;
  const auto pairs = [&](std::uint64_t begin, std::uint64_t end) {
    return pairs_before(end, count, true) - pairs_before(begin, count, true);
  };
  std::uint64_t begin = rows.begin;
  for (std::uint64_t part = 1; part <= parts && pairs(begin, rows.end) > 0; ++part) {
    const double wanted =
        first + all * static_cast<double>(part) / static_cast<double>(parts);
    std::uint64_t end = begin + 1;
    for (std::uint64_t high = rows.end; end < high;) {
      const std::uint64_t middle = end + (high - end) / 2;
      if (cost_before(middle) < wanted) {
        end = middle + 1;
      } else {
        high = middle;
      }
    }
    if (part == parts || pairs(end, rows.end) == 0) {
      end = rows.end;
    }
    ranges.push_back({begin, end});
    begin = end;
  }
  STARHIST_ENSURE(pairs(begin, rows.end) == 0 || parts == 0,
                  "the ranges have all pairs of the rows");
  return ranges;
}

}  // namespace starhist::tasks
