#pragma once

#include <cstdint>

namespace starhist::tasks {

/// Smallest and largest priority that a scheduler knows.
struct PriorityRange {
  int least = 0;
  int most = 0;
};

/// StarPU's priority of a task of `pairs` pairs in the batch with number `batch`,
/// counted from 0. Tasks of earlier batches come first, and within a batch those with
/// more pairs, told apart by powers of two. In a range too small for batches the pairs
/// alone decide.
int task_priority(std::uint64_t batch, std::uint64_t pairs, PriorityRange range);

}  // namespace starhist::tasks
