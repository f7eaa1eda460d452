#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace starhist::tasks {

/// Whether tasks for some of the workers of a kind end under a scheduler, as StarPU
/// calls it; false for those that have not been tried. Under modular-eager and
/// modular-heft of StarPU 1.4.10 a worker that may run such a task sleeps for ever.
bool keeps_to_workers(const std::string& scheduler);

/// StarPU's workers that may run the tasks of batches, as starpu_task::workerids has
/// them. Must live longer than the tasks. StarPU must be running.
class TaskWorkers {
 public:
  struct Masks {
    std::vector<std::uint32_t> counting;
    std::vector<std::uint32_t> sorting;
  };

  /// For positions in the memory of a GPU, with CUDA's number, or in main memory.
  ///
  /// Particles in spatial order are counted by one worker of each GPU and sorted by its
  /// other ones: a kernel that counts them fills the GPU, so a second one would wait,
  /// and nobody could predict for how long.
  Masks& of(std::optional<int> gpu, bool spatial_order);

 private:
  std::map<std::pair<int, bool>, Masks> masks_;  ///< -1: main memory
};

}  // namespace starhist::tasks
