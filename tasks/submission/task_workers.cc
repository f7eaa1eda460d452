#include "tasks/submission/task_workers.hh"

#include <algorithm>
#include <array>
#include <string_view>

#include <starpu.h>

namespace starhist::tasks {
namespace {

constexpr unsigned bits = 32;

void set(std::vector<std::uint32_t>& mask, unsigned worker) {
  mask[worker / bits] |= 1U << worker % bits;
}

/// Number of workers of a GPU.
unsigned streams_of(int gpu) {
  unsigned streams = 0;
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    const auto id = static_cast<int>(worker);
    streams += starpu_worker_get_type(id) == STARPU_CUDA_WORKER &&
                       starpu_worker_get_devid(id) == gpu
                   ? 1U
                   : 0U;
  }
  return streams;
}

TaskWorkers::Masks make_masks(std::optional<int> gpu, bool spatial_order) {
  const unsigned workers = starpu_worker_get_count();
  TaskWorkers::Masks masks;
  masks.counting.resize((workers + bits - 1) / bits);
  masks.sorting.resize(masks.counting.size());
  std::map<int, unsigned> seen;  // workers of each GPU
  for (unsigned worker = 0; worker < workers; ++worker) {
    const auto id = static_cast<int>(worker);
    const int device = starpu_worker_get_devid(id);
    const bool cuda = starpu_worker_get_type(id) == STARPU_CUDA_WORKER;
    if (gpu && !(cuda && device == *gpu)) {
      continue;
    }
    const unsigned before = cuda ? seen[device]++ : 0;
    const bool one_of_many = cuda && spatial_order && streams_of(device) > 1;
    if (!one_of_many || before == 0) {
      set(masks.counting, worker);
    }
    if (!one_of_many || before > 0) {
      set(masks.sorting, worker);
    }
  }
  return masks;
}

}  // namespace

bool keeps_to_workers(const std::string& scheduler) {
  constexpr std::array<std::string_view, 11> tried{"dm",     "dmda",  "dmdap", "dmdar",
                                                   "dmdas",  "eager", "prio",  "lws",
                                                   "random", "ws",    "peager"};
  return std::find(tried.begin(), tried.end(), scheduler) != tried.end();
}

TaskWorkers::Masks& TaskWorkers::of(std::optional<int> gpu, bool spatial_order) {
  const auto [entry, made] =
      masks_.try_emplace({gpu.value_or(-1), spatial_order}, Masks());
  if (made) {
    entry->second = make_masks(gpu, spatial_order);
  }
  return entry->second;
}

}  // namespace starhist::tasks
