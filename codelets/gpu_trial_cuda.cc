#include "codelets/gpu_trial.hh"
#include "codelets/kernels/cuda/launch/count_from_host.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"
#include "codelets/kernels/cuda/launch/devices.hh"

namespace starhist::codelets {
namespace {

std::uint64_t count_on_gpu(int gpu, kernels::cuda::Variant variant, bool clustered,
                           std::span<const kernels::PairBlock> blocks,
                           std::uint64_t* counts) {
  kernels::cuda::check(cudaSetDevice(gpu), "use the GPU");
  std::vector<kernels::PairBlock> taken(blocks.begin(), blocks.end());
  for (kernels::PairBlock& block : taken) {
    block.clustered = clustered;
  }
  kernels::cuda::count_from_host(taken, variant, counts);
  return pair_count(blocks);
}

}  // namespace

std::vector<GpuTrial> gpu_trials() {
  struct Way {
    const char* name;
    kernels::cuda::Variant variant;
    bool clustered;
  };
  constexpr Way ways[] = {{"auto", kernels::cuda::Variant::automatic, false},
                          {"tiles", kernels::cuda::Variant::automatic, true},
                          {"fixed-point", kernels::cuda::Variant::fixed_point, false},
                          {"definition", kernels::cuda::Variant::definition, false}};
  constexpr int all = 1000;
  std::vector<GpuTrial> trials;
  for (const kernels::cuda::DeviceState& device :
       kernels::cuda::survey_devices({}, all).devices) {
    for (const Way& way : ways) {
      if (device.problem.empty()) {
        trials.push_back(
            {"GPU " + std::to_string(device.id) + " " + way.name,
             [=, id = device.id](std::span<const kernels::PairBlock> blocks,
                                 std::uint64_t* counts) {
               return count_on_gpu(id, way.variant, way.clustered, blocks, counts);
             }});
      }
    }
  }
  return trials;
}

}  // namespace starhist::codelets
