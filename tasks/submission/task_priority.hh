#pragma once

#include <cstdint>

namespace starhist::tasks {

/// Smallest and largest priority of a scheduler.
struct PriorityRange {
  int least = 0;
  int most = 0;
};

/// Returns StarPU's priority of a task of `pairs` pairs in batch `batch`, counted from
/// 0. Tasks of earlier batches come first, and within a batch larger ones, compared by
/// powers of two. If the range is too small for batches, only the pairs decide.
int task_priority(std::uint64_t batch, std::uint64_t pairs, PriorityRange range);

}  // namespace starhist::tasks
