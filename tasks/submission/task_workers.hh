#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace starhist::tasks {

/// True if tasks restricted to some workers of a kind complete under this scheduler,
/// given by StarPU's name; false for untested ones. Under modular-eager and
/// modular-heft of StarPU 1.4.10 a worker that may run such a task sleeps forever.
bool keeps_to_workers(const std::string& scheduler);

/// StarPU's workers that may run the tasks of batches, in the format of
/// starpu_task::workerids. Must outlive the tasks. StarPU must be running.
class TaskWorkers {
 public:
  struct Masks {
    std::vector<std::uint32_t> counting;
    std::vector<std::uint32_t> sorting;
  };

  /// Workers for positions in the memory of the GPU with this CUDA number, or in main
  /// memory.
  ///
  /// Particles in spatial order are counted by one worker of each GPU and sorted by its
  /// other ones: a kernel that counts them fills the GPU, so a second one would wait,
  /// for a time that cannot be predicted.
  Masks& of(std::optional<int> gpu, bool spatial_order);

 private:
  std::map<std::pair<int, bool>, Masks> masks_;  ///< -1: main memory
};

}  // namespace starhist::tasks
