#include "tasks/submission/task_priority.hh"

#include <algorithm>
#include <bit>
#include <climits>

namespace starhist::tasks {

int task_priority(std::uint64_t batch, std::uint64_t pairs, PriorityRange range) {
  constexpr std::int64_t sizes = 64;  // a number of pairs has up to 64 bits
  constexpr std::int64_t most_batches = INT_MAX / sizes;
  const auto size = static_cast<std::int64_t>(std::bit_width(pairs));
  const std::int64_t least = range.least;
  const std::int64_t most = range.most;
  const std::int64_t wanted =
      most - least < most_batches
          ? size
          : size - sizes * std::min(static_cast<std::int64_t>(batch), most_batches);
  return static_cast<int>(std::clamp(wanted, least, most));
}

}  // namespace starhist::tasks
